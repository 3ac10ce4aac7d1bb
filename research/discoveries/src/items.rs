//! The parts of the book: facts by section and key, each made by itself.

use anyhow::{Result, anyhow};
use greenwave_game::Variant;
use greenwave_tablebase::Tablebase;
use serde::Serialize;
use serde_json::Value;

use crate::difficulty::difficulty;
use crate::ledger::solved;
use crate::lines::without_lines;
use crate::mainline::main_line;
use crate::middle::middle;
use crate::sequences::{BoardCounting, longest, sequence};
use crate::strategies::{lines_with_both, of_family, plain, seek};
use crate::survey::survey;
use crate::transfer::Kind;
use crate::{counts, misere, nimbers, people, winners};

/// The sections of the book that rest on facts.
pub const SECTIONS: [&str; 9] = [
    "sequences",
    "counts",
    "strategies",
    "winners",
    "nimbers",
    "survey",
    "misere",
    "people",
    "ledger",
];

/// Boards whose winners are known.
pub(crate) struct Boards {
    pub(crate) family: &'static str,
    pub(crate) options: &'static str,
    /// The kind of the line.
    pub(crate) line: &'static str,
    /// Most squares.
    pub(crate) most: u32,
}

impl Boards {
    /// What to call them.
    pub(crate) fn title(&self) -> String {
        match self.options {
            "" => self.family.into(),
            _ => format!("{}, misère", self.family),
        }
    }

    pub(crate) fn name(&self, ranks: u32, files: u32) -> String {
        format!("{}-{ranks}x{files}{}", self.family, self.options)
    }
}

/// All boards whose winners are known.
pub(crate) const ATLAS: [Boards; 4] = [
    Boards {
        family: "classic",
        options: "",
        line: "three equal lights",
        most: 20,
    },
    Boards {
        family: "signal",
        options: "",
        line: "three equal, or red-yellow-green",
        most: 20,
    },
    Boards {
        family: "green",
        options: "",
        line: "three green",
        most: 18,
    },
    Boards {
        family: "classic",
        options: ":play=misere",
        line: "three equal lose",
        most: 18,
    },
];

/// Most squares of a board of the survey.
const SURVEYED: u32 = 19;

/// The games of the survey, in normal and in misère play.
pub(crate) const SURVEY: [Boards; 8] = [
    surveyed("classic", "", SURVEYED),
    surveyed("signal", "", SURVEYED),
    surveyed("green", "", SURVEYED),
    surveyed("noughts", "", 15),
    surveyed("classic", MISERE, SURVEYED),
    surveyed("signal", MISERE, SURVEYED),
    surveyed("green", MISERE, SURVEYED),
    surveyed("noughts", MISERE, 15),
];

/// The option of misère play.
pub(crate) const MISERE: &str = ":play=misere";

const fn surveyed(family: &'static str, options: &'static str, most: u32) -> Boards {
    Boards {
        family,
        options,
        line: "",
        most,
    }
}

/// Bytes of memory that solves may take.
const MEMORY: u64 = 10 << 30;

/// Boards on which the number of squares does not say who wins, and of which a main line is made.
const EXCEPTIONS: [&str; 16] = [
    "classic-4x5",
    "signal-1x4",
    "signal-1x14",
    "signal-1x20",
    "signal-4x4",
    "signal-4x5",
    "classic-1x3:play=misere",
    "classic-1x4:play=misere",
    "classic-1x8:play=misere",
    "classic-1x9:play=misere",
    "classic-1x13:play=misere",
    "classic-1x14:play=misere",
    "classic-1x18:play=misere",
    "classic-3x5:play=misere",
    "classic-3x6:play=misere",
    "classic-3x3",
];

/// Boards with a search for their quotients.
pub(crate) const QUOTIENTS: [&str; 7] = [
    "classic-1x3",
    "classic-1x4",
    "classic-2x3",
    "signal-1x3",
    "signal-1x4",
    "green-1x3",
    "green-1x4",
];

/// Boards that are solved without each of their lines: those that follow the rule of odd and even, and
/// those that break it.
const THINNED: [&str; 17] = [
    "classic-1x5",
    "classic-1x6",
    "classic-3x3",
    "classic-3x4",
    "classic-3x5",
    "classic-4x4",
    "classic-4x5",
    "signal-1x4",
    "signal-1x14",
    "signal-4x4",
    "signal-4x5",
    "classic-1x4:play=misere",
    "classic-1x8:play=misere",
    "classic-1x9:play=misere",
    "classic-1x13:play=misere",
    "classic-1x14:play=misere",
    "classic-3x5:play=misere",
];

/// Boards whose distances the atlas lacks, and for which the book computes the length of best play.
const LONG: [&str; 8] = [
    "classic-1x17",
    "classic-1x18",
    "classic-1x19",
    "classic-1x20",
    "classic-2x9",
    "classic-1x17:play=misere",
    "classic-1x18:play=misere",
    "classic-2x9:play=misere",
];

/// Games that are played out to see how hard they are; the first two for comparison.
pub(crate) const PLAYED: [&str; 17] = [
    "classic-3x3",
    "classic-3x4",
    "points-3x3",
    "points-3x4",
    "slider",
    "slider:score=win",
    "strip",
    "strip:repeat=ban",
    "noughts-3x3",
    "noughts-3x4",
    "noughts-4x4",
    "ampel-4-2-1",
    "ampel-5-2-2",
    "ampel-5-3-3",
    "bag-classic-3x3",
    "bag-signal-3x3",
    "bag-points-3x4",
];

type Make = Box<dyn Fn(&Tablebase) -> Result<Value>>;

/// Something that can be worked out.
pub struct Item {
    /// Its section.
    pub section: &'static str,
    /// Its name within the section.
    pub key: String,
    /// Whether it takes less than a second or so in a development build.
    pub quick: bool,
    make: Make,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.section, self.key)
    }
}

impl Item {
    fn new<T: Serialize>(
        section: &'static str,
        key: &str,
        quick: bool,
        make: impl Fn(&Tablebase) -> Result<T> + 'static,
    ) -> Item {
        Item {
            section,
            key: key.into(),
            quick,
            make: Box::new(move |tablebase| Ok(serde_json::to_value(make(tablebase)?)?)),
        }
    }

    /// Works it out.
    ///
    /// # Errors
    /// When a solve does not fit the memory.
    pub fn make(&self, tablebase: &Tablebase) -> Result<Value> {
        (self.make)(tablebase).map_err(|error| anyhow!("{self:?}: {error:#}"))
    }
}

/// The sizes of boards, ranks and files, with up to this many squares, on which a line fits.
fn sizes(most: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=5_u32)
        .flat_map(|ranks| (ranks.max(3)..=32).map(move |files| (ranks, files)))
        .filter(move |(ranks, files)| ranks * files <= most)
}

/// Everything, in the order in which it is made.
#[must_use]
pub fn items() -> Vec<Item> {
    let mut items = Vec::new();
    sequences_of(&mut items);
    for (ranks, files) in sizes(12) {
        let name = format!("classic-{ranks}x{files}");
        let quick = ranks * files <= 8;
        let own = name.clone();
        items.push(Item::new("counts", &name, quick, move |_| {
            counts::counts(&own)
        }));
    }
    strategies_of(&mut items);
    for boards in ATLAS {
        for (ranks, files) in sizes(boards.most) {
            let name = boards.name(ranks, files);
            let quick = ranks * files <= 10;
            let own = name.clone();
            items.push(Item::new("winners", &name, quick, move |_| {
                winners::winner(&own, MEMORY)
            }));
        }
    }
    for name in THINNED {
        let squares = Variant::parse(name)
            .ok()
            .and_then(|variant| Some(variant.fixed_board()?.board().shape.cells()));
        let quick = squares.is_some_and(|squares| squares <= 9);
        let key = format!("lines {name}");
        items.push(Item::new("winners", &key, quick, move |_| {
            without_lines(name, MEMORY)
        }));
    }
    for name in LONG {
        items.push(Item::new(
            "winners",
            &format!("length {name}"),
            false,
            move |_| winners::length(name, MEMORY),
        ));
    }
    for name in EXCEPTIONS {
        let key = format!("main {name}");
        let quick = name.starts_with("signal-1x4") || name.starts_with("classic-1x3");
        items.push(Item::new("winners", &key, quick, move |_| {
            main_line(name, MEMORY)
        }));
    }
    for family in ["classic", "signal", "green"] {
        for (ranks, files) in sizes(if family == "classic" { 13 } else { 12 }) {
            let name = format!("{family}-{ranks}x{files}");
            let own = name.clone();
            items.push(Item::new("nimbers", &name, ranks * files <= 8, move |_| {
                nimbers::nimbers(&own)
            }));
        }
    }
    for (ranks, files) in sizes(SURVEYED) {
        for game in SURVEY {
            if ranks * files > game.most {
                continue;
            }
            let name = game.name(ranks, files);
            let own = name.clone();
            let quick = ranks * files <= 9;
            let squares = ranks * files;
            items.push(Item::new("survey", &name, quick, move |_| {
                survey(&own, squares)
            }));
        }
    }
    for name in QUOTIENTS {
        items.push(Item::new("misere", name, name.contains("1x3"), move |_| {
            misere::misere(name)
        }));
    }
    for name in [
        "classic-3x3",
        "classic-3x4",
        "signal-3x3",
        "signal-3x4",
        "green-3x3",
        "green-3x4",
    ] {
        items.push(Item::new(
            "people",
            name,
            name == "classic-3x3",
            move |_| people::hardness(name),
        ));
    }
    for name in PLAYED {
        let key = format!("games {name}");
        items.push(Item::new(
            "people",
            &key,
            name == "noughts-3x3",
            move |tablebase| difficulty(name, tablebase),
        ));
    }
    items.push(Item::new("ledger", "tables", false, |tablebase| {
        solved(tablebase.dir())
    }));
    items
}

fn sequences_of(items: &mut Vec<Item>) {
    for ranks in 1..=3 {
        for kind in [Kind::LineFree, Kind::Undecided] {
            for counted in [BoardCounting::All, BoardCounting::UpToSymmetry] {
                let terms = [60, 40, 30][ranks as usize - 1];
                // Beyond, the matrices have thousands of rows.
                let recurrence = matches!(
                    (ranks, kind, counted),
                    (1, ..) | (2, _, BoardCounting::All) | (2..=3, Kind::LineFree, _)
                ) && (ranks < 3 || counted == BoardCounting::All);
                let quick = ranks < 3 && recurrence;
                let name = match counted {
                    BoardCounting::All => format!("{}-{ranks}xn", kind.name()),
                    BoardCounting::UpToSymmetry => format!("{}-{ranks}xn-orbits", kind.name()),
                };
                items.push(Item::new("sequences", &name, quick, move |_| {
                    Ok(sequence(kind, counted, ranks, terms, recurrence))
                }));
            }
        }
        items.push(Item::new(
            "sequences",
            &format!("longest-{ranks}xn"),
            ranks < 3,
            move |_| Ok(longest(ranks)),
        ));
    }
}

/// Positions that a search for a strategy looks at.
const BUDGET: u64 = 2_000_000;
/// The same on boards of the quick test.
const SMALL_BUDGET: u64 = 20_000;

/// The same on boards of more than twelve squares, in misère play of more than nine, and with a strip.
const LARGE_BUDGET: u64 = 300_000;

/// Games of marks with a search for a strategy by their symmetries.
const NOUGHTS: [&str; 5] = [
    "noughts-3x3",
    "noughts-3x3:play=misere",
    "noughts-3x4",
    "noughts-4x4",
    "noughts-4x4:line=4",
];

/// Games with a strip in which no position comes again.
const STRIPS: [&str; 2] = ["strip:repeat=ban", "slider:score=win"];

/// Boards with more squares than those of [`ATLAS`] which no theorem settles, and whose winners are
/// known.
pub(crate) const LARGER: [&str; 8] = [
    "classic-3x8",
    "classic-4x6",
    "signal-4x6",
    "signal-4x7",
    "green-3x7",
    "green-4x5",
    "classic-3x7:play=misere",
    "classic-4x5:play=misere",
];

fn sought(items: &mut Vec<Item>, name: String, quick: bool, budget: u64) {
    let own = name.clone();
    items.push(Item::new("strategies", &name, quick, move |tablebase| {
        seek(&own, budget, tablebase)
    }));
}

fn strategies_of(items: &mut Vec<Item>) {
    for boards in ATLAS {
        for (ranks, files) in sizes(boards.most) {
            let name = boards.name(ranks, files);
            let squares = ranks * files;
            let quick = squares <= 4;
            let small = if boards.options.is_empty() { 12 } else { 9 };
            let budget = match squares {
                _ if quick => SMALL_BUDGET,
                squares if squares <= small => BUDGET,
                _ => LARGE_BUDGET,
            };
            sought(items, name, quick, budget);
        }
    }
    for name in NOUGHTS {
        sought(items, name.into(), name == "noughts-3x3", BUDGET);
    }
    for name in STRIPS {
        sought(items, name.into(), false, LARGE_BUDGET);
    }
    for name in LARGER {
        let key = format!("larger {name}");
        items.push(Item::new("strategies", &key, false, move |tablebase| {
            seek(name, LARGE_BUDGET, tablebase)
        }));
    }
    // Whole families, without values: as large as positions fit into 64 bits.
    for (family, most) in [("classic", 21), ("signal", 21), ("green", 15)] {
        for (ranks, files) in sizes(most) {
            let odd = ranks % 2 == 1 && files % 2 == 1;
            let name = format!("{family}-{ranks}x{files}");
            let quick = ranks * files <= 9;
            let own = name.clone();
            let key = format!("plain {name}");
            if odd || ranks == 2 || ranks * files <= 12 {
                items.push(Item::new("strategies", &key, quick, move |tablebase| {
                    let (player, rules) = of_family(&own)?;
                    plain(&own, &player, &rules, tablebase)
                }));
            }
        }
    }
    for name in ["green-2x9", "classic-2x9:play=misere"] {
        let key = format!("plain {name}");
        items.push(Item::new("strategies", &key, false, move |tablebase| {
            let (player, rules) = of_family(name)?;
            plain(name, &player, &rules, tablebase)
        }));
    }
    for family in ["classic", "signal", "green"] {
        for squares in [2, 4, 6, 8, 10] {
            let key = format!("middle {family} {squares}");
            items.push(Item::new("strategies", &key, squares <= 4, move |_| {
                middle(family, squares)
            }));
        }
    }
    items.push(Item::new("strategies", "lines with both", true, |_| {
        let mut lines = Vec::new();
        for (ranks, files) in sizes(32) {
            let name = format!("classic-{ranks}x{files}");
            lines.push((name.clone(), lines_with_both(&name)?));
        }
        Ok(lines)
    }));
}
