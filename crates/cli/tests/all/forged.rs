//! Tables written by somebody who knows the format: every checksum is right, and one thing that a command
//! shows is not. `verify` finds it.

use greenwave_table::{HistogramEntry, Leaf, LongestPlay, Meta, Outcome};
use greenwave_testkit::promises::forged;
use tempfile::tempdir;

use crate::common::greenwave;
use crate::transcript::Transcript;

type Change = fn(&mut Meta, &mut [Leaf]);

/// What is changed, and what `verify` calls it.
const CHANGES: &[(Change, &str)] = &[
    (|meta, _| meta.summary.histogram.reverse(), "the histogram"),
    (
        |meta, _| {
            meta.summary.histogram.push(HistogramEntry {
                outcome: Some(Outcome::Win),
                key: 99,
                count: 0,
            });
        },
        "the histogram",
    ),
    (
        // Counts and sum stay.
        |meta, _| {
            meta.summary.histogram[0].key += 1;
        },
        "the histogram",
    ),
    (
        |meta, _| {
            if let Some(counts) = &mut meta.summary.by_value {
                counts.win -= 1;
                counts.loss += 1;
            }
        },
        "the number of wins, losses and draws",
    ),
    (|meta, _| meta.nonterminal += 1, "the number of positions"),
    (
        |meta, _| {
            meta.summary.longest = Some(match meta.summary.longest.take() {
                Some(longest) => LongestPlay {
                    distance: longest.distance + 1,
                    ..longest
                },
                None => LongestPlay {
                    distance: 2,
                    outcome: Outcome::Loss,
                    example: "...".into(),
                },
            });
        },
        "the longest play",
    ),
    (
        |meta, _| {
            meta.summary.longest = Some(match meta.summary.longest.take() {
                Some(longest) => LongestPlay {
                    example: "RRR".into(),
                    ..longest
                },
                None => LongestPlay {
                    distance: 0,
                    outcome: Outcome::Win,
                    example: String::new(),
                },
            });
        },
        "the longest play",
    ),
    (
        |meta, _| match meta.summary.openings.first_mut() {
            Some(opening) => opening.figures.distance = Some(77),
            None => meta.summary.openings = vec![Default::default()],
        },
        "the list of openings",
    ),
    (
        |meta, _| match meta.summary.openings.last_mut() {
            Some(opening) => opening.to = Some("...".into()),
            None => meta.summary.openings = vec![Default::default()],
        },
        "the list of openings",
    ),
    (
        |meta, _| meta.summary.start.nimber = Some(5),
        "the value of the start",
    ),
    (
        |meta, _| meta.summary.start.distance = Some(5),
        "the value of the start",
    ),
    (
        // The same game, in another spelling.
        |meta, _| meta.variant.make_ascii_uppercase(),
        "the name of the variant",
    ),
    (
        // No file of rules is named so.
        |meta, _| meta.variant = "\u{1b}[31m.toml".into(),
        "the name of the variant",
    ),
];

#[test]
fn verify_proves_everything_that_a_table_shows() {
    let mut shown = Transcript::new("tables-of-another-name");
    for (game, metric) in [
        ("classic-3x3", "distance"),
        ("classic-3x3", "value"),
        ("classic-3x3", "nimber"),
        ("points-2x3", "points"),
        ("noughts-3x3", "distance"),
        ("ampel-4-1-1", "distance"),
        ("bag-classic-1x3", "odds"),
    ] {
        let dir = tempdir().unwrap();
        greenwave(dir.path(), &["solve", game, "--metric", metric]).ok();
        let path = dir.path().join(game).join(format!("{metric}.gwt"));
        let bytes = std::fs::read(&path).unwrap();
        for (number, (change, what)) in CHANGES.iter().enumerate() {
            std::fs::write(&path, forged(&bytes, change).unwrap()).unwrap();
            let found = greenwave(dir.path(), &["verify", game]);
            assert_eq!(found.code, 1, "{game} {metric} {number}: {found:?}");
            let said = format!("WRONG: 1 mismatch; {what} in the metadata disagrees");
            assert!(found.stdout.contains(&said), "{game} {metric}: {found:?}");
        }
        // Somebody else's rules.
        let named = |meta: &mut Meta, _: &mut [Leaf]| meta.variant = "signal-1x4".into();
        std::fs::write(&path, forged(&bytes, named).unwrap()).unwrap();
        let found = greenwave(dir.path(), &["verify", game]);
        assert_eq!(found.code, 1, "{found:?}");
        // How large the table is depends on what solved it.
        let said = found.stdout.lines().next().unwrap();
        shown.told(&format!("{game} {metric}"), said);
        // Written again without a change it is what it was.
        let same = forged(&bytes, |_, _| ()).unwrap();
        assert!(same == bytes, "{game} {metric}");
        std::fs::write(&path, same).unwrap();
        greenwave(dir.path(), &["verify", game]).ok();
        shown.hide(dir.path());
    }
    shown.settle();
}

#[test]
fn tables_that_no_solve_writes_are_refused_or_got_over() {
    let table_of = |game: &str, metric: &str| {
        let dir = tempdir().unwrap();
        greenwave(dir.path(), &["solve", game, "--metric", metric]).ok();
        let path = dir.path().join(game).join(format!("{metric}.gwt"));
        let bytes = std::fs::read(&path).unwrap();
        (dir, path, bytes)
    };
    let filled = |leaves: &mut [Leaf], value: &[u8]| {
        for leaf in leaves {
            leaf.payload = value.repeat(leaf.count as usize);
        }
    };
    // Values wider than any solve writes them, among them one that has no opposite.
    for (game, metric, bytes_each, expected) in [
        (
            "points-2x3",
            "points",
            &[0, 0, 0, 0x80][..],
            "found Signed values of 32 bits, expected Signed ones of 8 or 16",
        ),
        (
            "classic-2x2",
            "distance",
            &[0x80, 1],
            "found Unsigned values of 16 bits, expected Unsigned ones of 8",
        ),
    ] {
        let (dir, path, bytes) = table_of(game, metric);
        let wide = |meta: &mut Meta, leaves: &mut [Leaf]| {
            meta.value_bits = 8 * bytes_each.len() as u32;
            filled(leaves, bytes_each);
        };
        std::fs::write(&path, forged(&bytes, wide).unwrap()).unwrap();
        for args in [
            &["query", game][..],
            &["line", game],
            &["find", game, "value = win", "--count"],
        ] {
            let run = greenwave(dir.path(), args);
            assert_eq!(run.code, 2, "{args:?}: {run:?}");
            assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
        }
    }
    // Values that contradict each other.
    let (dir, path, bytes) = table_of("classic-2x2", "distance");
    let zeros = |_: &mut Meta, leaves: &mut [Leaf]| filled(leaves, &[0]);
    std::fs::write(&path, forged(&bytes, zeros).unwrap()).unwrap();
    for command in ["query", "strategy", "line", "stats"] {
        let run = greenwave(dir.path(), &[command, "classic-2x2"]);
        assert!(run.code <= 2, "{command}: {run:?}");
    }
    assert_eq!(greenwave(dir.path(), &["verify", "classic-2x2"]).code, 1);
    // Lists of no positions, of others, and with an index that no position has.
    let game = "ampel-4-1-1";
    let (dir, path, bytes) = table_of(game, "distance");
    let empty = forged(&bytes, |meta, _| meta.indexable = 0).unwrap();
    let other = forged(&bytes, |_, leaves| {
        for leaf in leaves {
            let values = (0..u64::from(leaf.count)).map(|place| (place + 1) << 16);
            *leaf = Leaf::pack(64, values);
        }
    });
    let foreign = forged(&bytes, |_, leaves| {
        let last = leaves.last_mut().unwrap();
        let place = last.payload.len() - 8;
        last.payload[place..].copy_from_slice(&(u64::MAX << 16).to_le_bytes());
    });
    let without_start = "the start is not among its positions";
    for (bytes, commands, expected) in [
        (empty, &["find", "query", "line"][..], without_start),
        (other.unwrap(), &["find", "query", "line"], without_start),
        (foreign.unwrap(), &["find"], "no position has the index"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        for command in commands {
            let more: &[&str] = if *command == "find" {
                &["value = win"]
            } else {
                &[]
            };
            let run = greenwave(dir.path(), &[&[command, game][..], more].concat());
            assert_eq!(run.code, 2, "{command}: {run:?}");
            assert!(run.stderr.contains(expected), "{command}: {run:?}");
        }
    }
}

#[test]
fn a_sample_finds_values_that_are_wrong_by_the_hundred() {
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", "classic-3x3", "--metric", "nimber"]).ok();
    let path = dir.path().join("classic-3x3/nimber.gwt");
    let bytes = std::fs::read(&path).unwrap();
    let zeros = |_: &mut Meta, leaves: &mut [Leaf]| {
        for leaf in leaves {
            leaf.payload.fill(0);
        }
    };
    std::fs::write(&path, forged(&bytes, zeros).unwrap()).unwrap();
    let verify = ["verify", "classic-3x3", "--sample", "200", "--json"];
    let mut shown = Transcript::new("wrong-nimbers");
    assert_eq!(shown.run(dir.path(), &verify).code, 1);
    shown.settle();
}
