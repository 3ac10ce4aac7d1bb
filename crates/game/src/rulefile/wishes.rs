//! What people wish for and rule files cannot say, by the keys that they try: the reason in a sentence, and
//! the heading of the page `docs/reference/language-ends.md` that says more.

/// Something that rule files cannot say.
struct Wish {
    /// The heading on the page.
    heading: &'static str,
    /// Why not, and what comes nearest; it stands on the page, too.
    sentence: &'static str,
    /// Keys that are tried for it.
    keys: &'static [&'static str],
}

const WISHES: [Wish; 13] = [
    Wish {
        heading: "More than three lights",
        sentence: "a square has at most three lights, since a position keeps two bits for each square",
        keys: &[
            "colours",
            "colors",
            "blue",
            "max-level",
            "states",
            "light-count",
            "number-of-lights",
        ],
    },
    Wish {
        heading: "Lights that go down",
        sentence: "a light never goes down, since values are found from the highest sum of lights backwards",
        keys: &[
            "lower", "lowering", "reset", "cycle", "cyclic", "decrease", "down", "off", "dim",
            "undo",
        ],
    },
    Wish {
        heading: "Chance of one's own",
        sentence: "the one chance is the draw of counters from a bag, which [bag] says",
        keys: &[
            "dice",
            "die",
            "random",
            "chance",
            "luck",
            "cards",
            "deck",
            "shuffle",
            "probability",
            "coin",
        ],
    },
    Wish {
        heading: "More than two players",
        sentence: "a game has two players, since with three a position has no value for each of them",
        keys: &[
            "players",
            "player-count",
            "number-of-players",
            "teams",
            "third",
        ],
    },
    Wish {
        heading: "Counters that leave or move",
        sentence: "a light stays where it is; a movable strip, which [strip] says, comes nearest",
        keys: &[
            "remove",
            "removing",
            "capture",
            "captures",
            "capturing",
            "take",
            "jump",
            "jumps",
            "move",
            "moves",
            "slide",
            "gravity",
            "push",
            "steal",
        ],
    },
    Wish {
        heading: "Marks of one's own",
        sentence: "a light belongs to nobody; 'noughts-RxC' is a game in which each player has marks",
        keys: &[
            "owner",
            "owners",
            "pieces",
            "marks",
            "own",
            "own-colour",
            "black",
            "white",
        ],
    },
    Wish {
        heading: "Hidden or simultaneous moves",
        sentence: "both players see everything and move in turn",
        keys: &["hidden", "secret", "fog", "simultaneous", "memory", "bluff"],
    },
    Wish {
        heading: "Other ways to score",
        sentence: "points are made by lines alone, with points for each pattern",
        keys: &[
            "area",
            "territory",
            "majority",
            "score",
            "scoring",
            "bonus",
            "penalty",
        ],
    },
    Wish {
        heading: "A limit of moves or time",
        sentence: "a game ends with a line or when nobody can raise; a smaller 'levels', 'top' or 'supply' \
                   makes it shorter",
        keys: &[
            "max-moves",
            "move-limit",
            "turn-limit",
            "turns",
            "limit",
            "clock",
            "time",
            "rounds",
        ],
    },
    Wish {
        heading: "Rules that change in play",
        sentence: "the rules are the same in each ply but the first, for which there is 'not-first'",
        keys: &[
            "if",
            "when",
            "unless",
            "condition",
            "conditions",
            "then",
            "after",
            "phase",
            "phases",
        ],
    },
    Wish {
        heading: "More than one board",
        sentence: "a game has one flat board; 'greenwave sum' plays several side by side",
        keys: &[
            "boards",
            "layers",
            "layer",
            "depth",
            "cube",
            "dimensions",
            "3d",
        ],
    },
    Wish {
        heading: "Handicaps",
        sentence: "both begin alike; 'start' gives a position that favours one of them",
        keys: &["handicap", "komi", "head-start", "bid", "auction"],
    },
    Wish {
        heading: "Families of rules",
        sentence: "[vary] is read by 'greenwave design FILE.toml', which tries every combination; take it out \
                   where the file is one game",
        keys: &["vary"],
    },
];

/// The message about an unknown key for which there is a known wish.
pub(super) fn said_of(key: &str) -> Option<String> {
    let key = key.to_lowercase().replace('_', "-");
    let wish = WISHES.iter().find(|wish| wish.keys.contains(&&*key))?;
    Some(said(wish))
}

/// The message about more lights than there are.
pub(super) fn more_lights() -> String {
    said(&WISHES[0])
}

fn said(wish: &Wish) -> String {
    format!(
        "{} ('{}' in docs/reference/language-ends.md)",
        wish.sentence, wish.heading
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::RuleFile;

    /// The page has each heading with the sentence that errors say.
    #[test]
    fn the_page_says_what_errors_say() {
        let page = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/reference/language-ends.md"
        );
        let page = std::fs::read_to_string(page).unwrap();
        let mut keys = HashSet::new();
        for wish in &WISHES {
            let heading = format!("\n## {}\n", wish.heading);
            let (_, below) = page
                .split_once(&heading)
                .unwrap_or_else(|| panic!("no{heading}"));
            let below = below.split("\n## ").next().unwrap();
            let words: Vec<&str> = below.split_whitespace().collect();
            let said = words.join(" ").to_lowercase().replace('`', "'");
            let sentence = wish.sentence.to_lowercase().replace('`', "'");
            assert!(
                said.replace("'[", "[")
                    .replace("]'", "]")
                    .contains(&sentence),
                "{heading}{said}"
            );
            for key in wish.keys {
                assert!(keys.insert(key), "'{key}' is wished for twice");
            }
        }
    }

    /// A key that rule files have is no wish.
    #[test]
    fn known_wishes_are_told_of_unknown_keys_alone() {
        let refused = |line: &str| {
            let text = format!("{line}\npatterns = ['111']\n[board]\nsize = '1x3'\n");
            RuleFile::parse("wish.toml", &text).unwrap_err().to_string()
        };
        let told = refused("players = 3");
        assert!(
            told.contains("line 1") && told.contains("key 'players'"),
            "{told}"
        );
        assert!(
            told.contains("two players") && told.contains("'More than two players'"),
            "{told}"
        );
        assert!(told.contains("keys here: "), "{told}");
        assert!(refused("plai = 'misere'").contains("did you mean 'play'?"));
        assert!(!refused("plai = 'misere'").contains("language-ends"));
        for wish in &WISHES {
            for key in wish.keys {
                let told = refused(&format!("{key} = 1"));
                assert!(told.contains(wish.sentence), "{key}: {told}");
            }
        }
        let file = "patterns = ['111']\n[board]\nsize = '1x3'\nlevels = 4\n";
        let told = RuleFile::parse("wish.toml", file).unwrap_err().to_string();
        assert!(
            told.contains("found 4, expected a whole number from 1 to 3"),
            "{told}"
        );
        assert!(told.contains("'More than three lights'"), "{told}");
        let file = "patterns = ['111']\n[board]\nsize = '1x3'\ndice = 4\n";
        let told = RuleFile::parse("wish.toml", file).unwrap_err().to_string();
        assert!(
            told.contains("key 'board.dice'") && told.contains("from a bag"),
            "{told}"
        );
    }
}
