//! What the book is made of: facts by section and key, each made by itself.

use anyhow::{Result, anyhow};
use greenwave_tablebase::Tablebase;
use serde::Serialize;
use serde_json::Value;

use crate::ledger::solved;
use crate::lines::without_lines;
use crate::middle::middle;
use crate::sequences::{Counted, longest, sequence};
use crate::strategies::{lines_with_both, of_family, plain, seek};
use crate::transfer::Kind;
use crate::{counts, nimbers, people, winners};

/// The sections of the book that rest on facts.
pub const SECTIONS: [&str; 7] = [
    "sequences",
    "counts",
    "strategies",
    "winners",
    "nimbers",
    "people",
    "ledger",
];

/// Bytes of memory that solves may take.
const MEMORY: u64 = 10 << 30;

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

/// The sizes of boards, ranks and files, with up to so many squares, on which a line fits.
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
    for (family, options, most) in [
        ("classic", "", 20),
        ("classic", ":play=misere", 18),
        ("signal", "", 20),
        ("green", "", 18),
    ] {
        for (ranks, files) in sizes(most) {
            let name = format!("{family}-{ranks}x{files}{options}");
            let quick = ranks * files <= 10;
            let own = name.clone();
            items.push(Item::new("winners", &name, quick, move |_| {
                winners::winner(&own, MEMORY)
            }));
        }
    }
    for (size, quick) in [
        ("1x5", true),
        ("1x6", true),
        ("3x3", true),
        ("3x4", false),
        ("3x5", false),
        ("4x4", false),
        ("4x5", false),
    ] {
        let key = format!("lines {size}");
        items.push(Item::new("winners", &key, quick, move |_| {
            without_lines(size, MEMORY)
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
    items.push(Item::new("ledger", "tables", false, |tablebase| {
        solved(tablebase.dir())
    }));
    items
}

fn sequences_of(items: &mut Vec<Item>) {
    for ranks in 1..=3 {
        for kind in [Kind::LineFree, Kind::Undecided] {
            for counted in [Counted::All, Counted::UpToSymmetry] {
                let terms = [60, 40, 30][ranks as usize - 1];
                // Beyond, the matrices have thousands of rows.
                let recurrence = matches!(
                    (ranks, kind, counted),
                    (1, ..) | (2, _, Counted::All) | (2..=3, Kind::LineFree, _)
                ) && (ranks < 3 || counted == Counted::All);
                let quick = ranks < 3 && recurrence;
                let name = match counted {
                    Counted::All => format!("{}-{ranks}xn", kind.name()),
                    Counted::UpToSymmetry => format!("{}-{ranks}xn-orbits", kind.name()),
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

fn strategies_of(items: &mut Vec<Item>) {
    for (family, options, most) in [
        ("classic", "", 12),
        ("classic", ":play=misere", 9),
        ("signal", "", 12),
        ("green", "", 12),
    ] {
        for (ranks, files) in sizes(most) {
            let name = format!("{family}-{ranks}x{files}{options}");
            let quick = ranks * files <= 4;
            let budget = if quick { SMALL_BUDGET } else { BUDGET };
            let own = name.clone();
            items.push(Item::new("strategies", &name, quick, move |tablebase| {
                seek(&own, budget, tablebase)
            }));
        }
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
