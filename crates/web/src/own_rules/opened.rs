//! A rule file read back into the choices of the form.

use greenwave_game::keyed::{Faults, Keys, integer};
use greenwave_game::{Game, Lights, RuleFile, Variant, VariantError, file_name};

use super::choices::{Design, digit};
use crate::params::{Params, encoded};

/// A rule file as the form takes it.
pub(crate) enum OpenedRules {
    /// The choices that make its rules.
    Design(Design),
    /// It is no rule file.
    Faulty(VariantError),
    /// It has rules that the form has not.
    BeyondForm,
}

impl OpenedRules {
    /// Reads the text of a rule file. Whatever of it the form has not makes another game, and is noticed by that.
    pub(crate) fn of(text: &str) -> OpenedRules {
        let game = |text: &str| RuleFile::parse("own.toml", text).map(|file| file.variant);
        let wanted = match game(text) {
            Ok(wanted) => wanted,
            Err(error) => return OpenedRules::Faulty(error),
        };
        let is_same = |design: &Design| {
            game(&design.text()).is_ok_and(|made| made.rules().hash == wanted.rules().hash)
        };
        match design(text, &wanted).filter(is_same) {
            Some(design) => OpenedRules::Design(design),
            None => OpenedRules::BeyondForm,
        }
    }
}

/// The choices that the keys of a file make; `None` where they are none of the form.
fn design(text: &str, game: &Variant) -> Option<Design> {
    let faults = Faults::new(text);
    let table = faults.parse()?;
    let mut keys = Keys::of_file(table.get_ref(), &faults);
    let mut query: Vec<(&str, String)> = Vec::new();
    for (key, name) in [
        ("title", "title"),
        ("patterns", "goals"),
        ("last-square", "last"),
        ("pass", "pass"),
        ("moves-a-turn", "turns"),
        ("win-lines", "lines"),
    ] {
        query.extend(listed(&mut keys, key).map(|list| (name, list.join(","))));
    }
    let is_chosen = [
        (
            "lose",
            keys.text("play").is_some_and(|play| play.value == "misere"),
        ),
        ("swap", keys.flag("swap") == Some(true)),
    ];
    let chosen = is_chosen.into_iter().filter(|(_, is_chosen)| *is_chosen);
    query.extend(chosen.map(|(name, _)| (name, "1".into())));
    let mut of_both = |key| {
        let mut table = keys.table(key)?;
        let of_player = ["first", "second"].map(|player| listed(&mut table, player));
        Some(of_player.map(Option::unwrap_or_default))
    };
    if let Some([first, second]) = of_both("goal") {
        query.extend([("goals", first.join(",")), ("second", second.join(","))]);
    }
    if let Some([first, second]) = of_both("may") {
        query.push(("may", format!("{}-{}", first.concat(), second.concat())));
    }
    let barred = listed(&mut keys, "not-first").unwrap_or_default();
    let mut board = keys.table("board")?;
    for (key, name) in [
        ("line-length", "length"),
        ("levels", "levels"),
        ("top", "top"),
        ("wrap", "wrap"),
        ("grid", "grid"),
    ] {
        query.extend(listed(&mut board, key).map(|list| (name, list.concat())));
    }
    if let Some(directions) = listed(&mut board, "directions") {
        let letters = directions.iter().filter_map(|name| name.chars().next());
        query.push(("along", letters.collect()));
    }
    // However the file gives its squares and lights, the game has them.
    let game = game.clone().with_lights(Lights::Ryg).ok()?;
    let start = game.position_text(&game.start());
    let (spots, _) = start.split_once(',').unwrap_or((&start, ""));
    let rows = |letter: fn(char) -> char| spots.chars().map(letter).collect::<String>();
    let outlined = |spot: char| if "-/".contains(spot) { spot } else { 'o' };
    let level = |spot: char| match spot {
        'R' => digit(1),
        'Y' => digit(2),
        'G' => digit(3),
        '.' => digit(0),
        other => other,
    };
    query.extend([("board", rows(outlined)), ("start", rows(level))]);
    let mut design = read(&query)?;
    for (rank, row) in design.board.iter_mut().rev().enumerate() {
        for (file, spot) in row.iter_mut().enumerate() {
            let name = format!("{}{}", file_name(file as u8), rank + 1);
            spot.barred = barred.contains(&name);
        }
    }
    Some(design)
}

/// What stands behind a key: the texts and whole numbers of a list, or the only one.
fn listed(keys: &mut Keys<'_, '_>, key: &'static str) -> Option<Vec<String>> {
    let value = keys.value(key)?.get_ref();
    let text = || value.as_str().map(str::to_string);
    if let Some(one) = text().or_else(|| Some(integer(value)?.to_string())) {
        return Some(vec![one]);
    }
    let items = value.as_array()?.iter().map(|item| {
        let item = item.get_ref();
        let text = item.as_str().map(str::to_string);
        text.or_else(|| Some(integer(item)?.to_string()))
    });
    items.collect()
}

/// The choices of parameters.
fn read(query: &[(&str, String)]) -> Option<Design> {
    let pairs = query
        .iter()
        .map(|(name, value)| format!("{name}={}", encoded(value)));
    Design::read(&Params::read(&pairs.collect::<Vec<_>>().join("&")).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the form writes it reads again.
    #[test]
    fn the_form_reads_its_own_files() {
        for query in [
            "",
            "title=Zwei Lichter-Spiel&lose=1",
            "board=ooo/o-o/ooo&lose=1",
            "along=rd&length=2&goals=11,12",
            "grid=hex&levels=2&board=oooo/oooo",
            "start=010/000/020&top=333/313/333&barred=ooo/oxo/ooo",
            "swap=1&last=neighbours&pass=once",
            "turns=1-2-2&may=12-3&lines=2",
            "goals=111&second=222,333&lose=1",
        ] {
            let design = Design::read(&Params::read(query).unwrap()).unwrap();
            let text = design.text();
            let OpenedRules::Design(opened) = OpenedRules::of(&text) else {
                panic!("{text}");
            };
            assert_eq!(opened, design, "{text}");
        }
    }

    #[test]
    fn a_file_of_other_rules_is_not_taken_for_one_of_the_form() {
        let other = "patterns = [\"111\"]\nsupply = \"cap6\"\n[board]\nsize = \"3x3\"";
        assert!(matches!(OpenedRules::of(other), OpenedRules::BeyondForm));
        assert!(matches!(
            OpenedRules::of("patterns = 1"),
            OpenedRules::Faulty(_)
        ));
        let spread = "patterns = [ # comment\n  \"111\",\n  \"222\" ]\n[board]\nsize = \"3x4\"";
        let OpenedRules::Design(spread) = OpenedRules::of(spread) else {
            panic!("{spread}");
        };
        assert_eq!(spread.goals, ["111", "222"]);
        assert_eq!(spread.rows('o'), "oooo/oooo/oooo");
    }

    /// A file is read as TOML, however it is written.
    #[test]
    fn files_are_read_as_toml() {
        let asked = "title=Own&board=oo-/ooo&start=01-/000&goals=111&lose=1&barred=oo-/xoo";
        let asked = Design::read(&Params::read(asked).unwrap()).unwrap();
        let words =
            "title = 'Own' # = \"1\"\nplay = 'misere'\nstart = '.R-/...'\nnot-first = ['a1']";
        for board in [
            "[board]\noutline = '##-/###'",
            "board = { outline = \"\"\"##-/###\"\"\" }",
            "board.squares = ['a1', 'b1', \"c1\", 'a2', 'b2']",
            "[board]\nsquares = [\n  'a1', 'b1', # ]\n  'c1', 'a2', 'b2',\n]\nlevels = 0x3",
        ] {
            for patterns in ["patterns = ['111']", "\"patterns\" = [\"\\u003111\"]"] {
                let text = format!("{patterns}\n{words}\n{board}");
                let OpenedRules::Design(opened) = OpenedRules::of(&text) else {
                    panic!("{text}");
                };
                assert_eq!(opened, asked, "{text}");
            }
        }
        let green = "lights = 'gyr'\npatterns = ['111']\nstart = 'G../.../...'\nboard.size = '3x3'";
        let OpenedRules::Design(green) = OpenedRules::of(green) else {
            panic!("{green}");
        };
        assert_eq!(green.levels_of(|spot| spot.start), "100/000/000");
    }
}
