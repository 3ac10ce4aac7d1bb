//! Counts of move sequences against counts made by other programs: every `*.perft` file here.

use greenwave_game::{Game, Variant, perft, with_game};

#[test]
fn counts_agree_with_every_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let mut counts = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|extension| extension != "perft")
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let place = format!("{}: {line}", path.display());
            let mut words = line.split_whitespace();
            let variant = Variant::parse(words.next().expect(&place)).expect(&place);
            let position = words.next().expect(&place);
            with_game!(&variant, game => {
                let position = game.parse_position(position).expect(&place);
                for (depth, nodes) in (1..).zip(words) {
                    let expected: u64 = nodes.parse().expect(&place);
                    assert_eq!(perft(game, &position, depth), Ok(expected), "{place}: {depth}");
                    counts += 1;
                }
            });
        }
    }
    assert!(counts > 200, "only {counts} counts found");
}
