//! Messages about keys that are unknown where they stand. A wish that no rule file can express has its reason
//! in a sentence, and the heading of the page `docs/reference/language-ends.md` that says more. A wish with
//! another name, or in another table, has the key to write.

use super::{geometry, memory};
use crate::keyed::plain;

/// Something that rule files cannot say.
struct Wish {
    /// The heading on the page.
    heading: &'static str,
    /// Why not, and what comes nearest; it stands on the page, too.
    sentence: &'static str,
    /// Keys that are tried for it, with blanks between them.
    keys: &'static str,
}

const WISHES: [Wish; 13] = [
    Wish {
        heading: "More than three lights",
        sentence: "a square has at most three lights, since a position keeps two bits for each square",
        keys: "colours colors blue states light-count number-of-lights",
    },
    Wish {
        heading: "Lights that go down",
        sentence: "a light never goes down, since values are found from the highest sum of lights backwards",
        keys: "lower lowering reset cycle cyclic decrease down off dim undo",
    },
    Wish {
        heading: "Chance of one's own",
        sentence: "the only chance is the draw from a bag, which the table [bag] adds",
        keys: "dice die random chance luck cards deck shuffle probability coin",
    },
    Wish {
        heading: "More than two players",
        sentence: "a game has two players. With three, a player who cannot win may still decide who does, so a \
                   position has no value",
        keys: "players player-count number-of-players three-players teams third",
    },
    Wish {
        heading: "Counters that leave or move",
        sentence: "a light stays where it is. The table [strip] adds a strip that moves",
        keys: "remove removing capture captures capturing take jump jumps move moves gravity push steal",
    },
    Wish {
        heading: "Marks of one's own",
        sentence: "a light belongs to nobody; 'noughts-RxC' is a game in which each player has marks",
        keys: "owner owners pieces marks own own-marks own-colour black white",
    },
    Wish {
        heading: "Hidden or simultaneous moves",
        sentence: "both players see everything and move in turn",
        keys: "hidden secret fog simultaneous memory bluff",
    },
    Wish {
        heading: "Other ways to score",
        sentence: "points are made by lines alone, with points for each pattern",
        keys: "area territory majority score scoring bonus penalty",
    },
    Wish {
        heading: "A limit of moves or time",
        sentence: "a game ends with a line or when nobody can raise; a smaller 'levels', 'top' or 'supply' \
                   makes it shorter",
        keys: "max-moves move-limit turn-limit turns limit clock time time-limit timer rounds",
    },
    Wish {
        heading: "Rules that change in play",
        sentence: "the rules stay the same through the game. Only 'not-first', 'swap' and 'moves-a-turn = \"1-2-2\"' treat \
                   the opening differently",
        keys: "if when unless condition conditions then after phase phases",
    },
    Wish {
        heading: "More than one board",
        sentence: "a game has one flat board; 'greenwave sum' plays several side by side",
        keys: "boards layers layer depth cube dimensions 3d",
    },
    Wish {
        heading: "Handicaps",
        sentence: "to favour one player, use 'start', 'may' or 'goal'",
        keys: "handicap komi head-start bid auction",
    },
    Wish {
        heading: "Families of rules",
        sentence: "[vary] is read by 'greenwave design FILE.toml', which tries every combination; take it out \
                   where the file is one game",
        keys: "vary",
    },
];

/// What to write for keys that people try, behind the key of it, or the word that a table refuses.
const SAYINGS: [(&str, &str, &str); 19] = [
    ("swap", "swap = true", "pie pie-rule swap-rule swap-sides"),
    (
        "misere",
        "play = \"misere\"",
        "misere misère reverse avoidance",
    ),
    (
        "play",
        "play = \"points\" and patterns = { 111 = 1, 222 = 5 }",
        "points scored",
    ),
    (
        "directions",
        "directions = [\"rank\", \"file\"] in [board]",
        "diagonals no-diagonals diagonal orthogonal",
    ),
    (
        "wrap",
        "wrap = \"both\" in [board]",
        "torus wraparound wrap-around",
    ),
    (
        "wrap",
        "wrap = \"files\" in [board], where the last file is next to the first",
        "cylinder ring",
    ),
    (
        "levels",
        "levels = 2 in [board], a number from 1 to 3",
        "max-level max-levels maximum-level highest-level level-count number-of-levels",
    ),
    (
        "shapes",
        "shapes = [\"##/##\"] in [board]",
        "figures figure shape",
    ),
    (
        "stalemate",
        "stalemate = \"draw\", \"loss\" or \"pass\"",
        "draw no-move no-moves",
    ),
    (
        "grid",
        "grid = \"hex\" in [board]",
        "hex hexagon hexagons hexagonal",
    ),
    (
        "size",
        "size = \"3x4\" in [board], which is 3 ranks and 4 files",
        "rows columns ranks files width height",
    ),
    (
        "outline",
        "outline = \"###/#-#/###\" in [board], where '-' is a gap",
        "gaps holes gap hole blocked",
    ),
    (
        "line-length",
        "line-length in [board]",
        "length in-a-row row-length k",
    ),
    (
        "top",
        "top = \"333/313/333\" in [board], the highest level of each square",
        "heights maximum max",
    ),
    (
        "not-first",
        "not-first = [\"b2\"]",
        "first-move no-centre centre",
    ),
    (
        "last-square",
        "last-square = \"forbidden\"",
        "ko no-repeat last",
    ),
    (
        "start",
        "start = \".../.R./...\"",
        "position setup opening begin",
    ),
    (
        "goal",
        "goal = { first = [\"111\"], second = [\"333\"] }",
        "goals winner",
    ),
    ("title", "title", "name"),
];

/// The keys of each table, above all tables first.
const PLACES: [(&str, &str); 4] = [
    (
        "",
        "title source lights start not-first play goal patterns end four supply stalemate swap last-square pass moves-a-turn may win-lines",
    ),
    (
        "board",
        "size squares outline line-length levels without-lines directions wrap shapes shapes-turn grid top",
    ),
    ("strip", "turn sides null empty-strip repeat"),
    ("bag", "counters choice return slide utility"),
];

/// Whether a list of keys with blanks between them has one.
fn has(keys: &str, key: &str) -> bool {
    keys.split(' ').any(|known| known == key)
}

/// The table that has a key; empty for a key above all tables, `None` where no table has it.
pub(super) fn table_of(key: &str) -> Option<&'static str> {
    let place = PLACES.iter().find(|(_, keys)| has(keys, key));
    place.map(|(table, _)| *table)
}

/// The first of some tables beside which a key cannot stand.
fn refusing<'t>(tables: &[&'t str], key: &str) -> Option<&'t str> {
    let with_any = ["top", "start", "not-first"].contains(&key)
        || geometry::KEYS.contains(&key)
        || memory::KEYS.contains(&key);
    let with_bag = ["supply", "stalemate", "misere"].contains(&key);
    let mut tables = tables.iter().copied();
    tables.find(|table| with_any || *table == "bag" && with_bag)
}

/// The advice about a key that the table of this path does not have, in a file with these of the
/// tables `[strip]` and `[bag]`.
pub(super) fn said_of(tables: &[&str], path: &str, key: &str) -> Option<String> {
    let name = plain(key);
    let advice = |key: &str, what: &str, advice: String| match refusing(tables, key) {
        Some(table) => format!("{what} is {}", refused_beside(table)),
        None => advice,
    };
    let place = PLACES.iter().find(|(_, keys)| has(keys, &name));
    if let Some((table, _)) = place.filter(|(table, _)| *table != path) {
        let how = match *table {
            "" => format!("write '{name}' above the first table, before [{path}]"),
            table => format!("write '{name}' below [{table}]"),
        };
        return Some(advice(&name, &format!("'{name}'"), how));
    }
    if path.is_empty() && ["rules", "rule", "game", "variant"].contains(&&*name) {
        let how = "write the keys of the game above the first table, without a table of their own";
        return Some(how.into());
    }
    let joined = |key: &str| key.replace('-', "");
    let is_among = |keys: &str| has(&joined(keys), &joined(&name));
    if let Some((key, said, _)) = SAYINGS.iter().find(|(.., keys)| is_among(keys)) {
        return Some(advice(key, said, format!("say {said}")));
    }
    // `turns` below [strip] is near to `turn`, and no wish.
    let singular = name.strip_suffix('s').unwrap_or(&name);
    let here = PLACES.iter().find(|(table, _)| *table == path);
    if here.is_some_and(|(_, keys)| has(keys, singular)) {
        return None;
    }
    let wish = WISHES.iter().find(|wish| is_among(wish.keys))?;
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

/// Why a key is refused in a game with a strip or a bag.
pub(super) fn refused_beside(table: &str) -> String {
    format!("not in a game with a {table}; leave it out, or [{table}]")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::BESIDE;
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
            for key in wish.keys.split(' ') {
                assert!(keys.insert(key), "'{key}' is wished for twice");
            }
        }
    }

    /// The list of places has the keys that are read there, and no saying hides a key or a wish.
    #[test]
    fn keys_are_looked_for_where_they_stand() {
        let refused = |text: &str| RuleFile::parse("wish.toml", text).unwrap_err().to_string();
        for (table, keys) in PLACES {
            let head = if table.is_empty() {
                String::new()
            } else {
                format!("[{table}]\n")
            };
            let told = refused(&format!("{head}there-is-none = 1\n"));
            let (_, listed) = told
                .split_once("there-is-none': unknown key; keys here: ")
                .expect("a list");
            let listed: HashSet<&str> = listed.lines().next().unwrap().split(", ").collect();
            let tables = ["board", "strip", "bag"];
            let tables = tables.into_iter().filter(|_| table.is_empty());
            let expected = keys.split(' ').chain(tables);
            assert_eq!(listed, expected.collect(), "[{table}]");
            for (other, _) in PLACES.iter().filter(|(other, _)| *other != table) {
                for key in keys.split(' ') {
                    let head = if other.is_empty() {
                        String::new()
                    } else {
                        format!("[{other}]\n")
                    };
                    let told = refused(&format!("{head}{key} = 1\n"));
                    let beside = BESIDE.contains(other).then_some(*other);
                    let advice = match refusing(beside.as_slice(), key) {
                        Some(_) => format!("unknown key; '{key}' is not in a game with"),
                        None => format!("unknown key; write '{key}' "),
                    };
                    assert!(told.contains(&advice), "{told}");
                }
            }
        }
        let told = refused("pie = true\n[board]\nSize = '3x3'\nlevels = 1\n");
        assert!(
            told.contains("key 'pie': unknown key; say swap = true"),
            "{told}"
        );
        assert!(
            told.contains("key 'board.Size': unknown key; did you mean 'size'?"),
            "{told}"
        );
        for (text, advice) in [
            ("firstmove = 1", "say not-first = "),
            (
                "[rules]\nplay = 'misere'",
                "write the keys of the game above the first table",
            ),
            ("[strip]\nturns = 'no'", "did you mean 'turn'?"),
            ("[board]\nshape = '##'", "say shapes = "),
        ] {
            let told = refused(text);
            assert!(told.contains(&format!("unknown key; {advice}")), "{told}");
        }
        let known = PLACES.iter().flat_map(|(_, keys)| keys.split(' '));
        let wished = WISHES.iter().flat_map(|wish| wish.keys.split(' '));
        let taken: HashSet<&str> = known.chain(wished).collect();
        let mut seen = HashSet::new();
        for key in SAYINGS.iter().flat_map(|(.., keys)| keys.split(' ')) {
            assert!(!taken.contains(key) && seen.insert(key), "'{key}'");
        }
    }

    /// Nothing is advised that the game cannot have beside its strip or bag.
    #[test]
    fn no_key_is_advised_that_a_table_refuses() {
        let refused = |text: &str| RuleFile::parse("wish.toml", text).unwrap_err().to_string();
        for table in BESIDE {
            let why = refused_beside(table);
            let of_table = |place: &(&str, _)| ["", "board"].contains(&place.0);
            for (path, keys) in PLACES.into_iter().filter(of_table) {
                for key in keys.split(' ') {
                    let (above, below) = if path.is_empty() {
                        (format!("{key} = 0\n"), String::new())
                    } else {
                        (String::new(), format!("{key} = 0\n"))
                    };
                    let text = format!("{above}[board]\n{below}[{table}]\n");
                    let told = refused(&text);
                    let full = if path.is_empty() {
                        key.into()
                    } else {
                        format!("board.{key}")
                    };
                    let is_refused = told.contains(&format!("key '{full}': not in a game with"));
                    assert_eq!(refusing(&[table], key).is_some(), is_refused, "{told}");
                }
            }
            for (key, said, tried) in SAYINGS {
                let tried = tried.split(' ').next().unwrap();
                let told = refused(&format!("{tried} = 0\n[{table}]\n"));
                let advised = told.contains(&format!("unknown key; say {said}"));
                assert_eq!(refusing(&[table], key).is_none(), advised, "{told}");
                assert_eq!(
                    told.contains(&format!("{said} is {why}")),
                    !advised,
                    "{told}"
                );
            }
        }
        let told = refused("[board]\nswap = true\n[bag]\n");
        assert!(
            told.contains("unknown key; 'swap' is not in a game with a bag"),
            "{told}"
        );
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
            for key in wish.keys.split(' ') {
                let told = refused(&format!("{key} = 1"));
                assert!(told.contains(wish.sentence), "{key}: {told}");
                assert!(!told.contains("did you mean"), "{key}: {told}");
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
