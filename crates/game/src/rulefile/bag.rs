//! The table `[bag]` of a rule file.

use crate::keyed::{Keys, integer};
use crate::{BagRules, BagSlides, BagSupply, Choice, Play, Return, Sides, StripRules, Succession};

/// The content of `[bag]`.
pub(super) struct BagTable {
    pub(super) rules: BagRules,
    /// Whether wins count, not points.
    pub(super) wins: bool,
}

/// Reads the table of a game that is scored or not; `cells` is the number of squares, those of a
/// strip included, where it is known.
pub(super) fn read(mut keys: Keys, scored: bool, has_strip: bool, cells: Option<u32>) -> BagTable {
    let counters = read_counters(&mut keys);
    let choice = match keys.number("choice", 2, 3) {
        Some(3) => Choice::OfThree,
        _ => Choice::OfTwo,
    };
    let returns = match keys.word("return", &["before", "after"]) {
        "after" => Return::AfterTurn,
        _ => Return::BeforeDraw,
    };
    let slide = keys.word("slide", &["any-turn", "stuck", "never"]);
    if !has_strip && keys.has("slide") {
        keys.fault("slide", "there is no strip to slide; leave it out");
    }
    let slides = match slide {
        _ if !has_strip => BagSlides::Never,
        "stuck" => BagSlides::Stuck,
        "never" => BagSlides::Never,
        _ => BagSlides::AnyTurn,
    };
    let utilities: &'static [&'static str] = if scored { &["points", "win"] } else { &["win"] };
    let wins = keys.word("utility", utilities) == "win";
    if let (Some(BagSupply::Each(number)), Some(cells)) = (counters, cells)
        && BagRules::supply_problem(cells, number, returns).is_some()
    {
        let least = BagRules::least_counters(cells, returns);
        let problem = format!(
            "found {number}, too few for {cells} squares: the bag would run out; say counters = {least} \
             or more, or counters = \"infinite\""
        );
        keys.fault("counters", problem);
    }
    // Without a board there is no game, and the number does not matter.
    let usual = BagRules::usual_counters(cells.unwrap_or(1), returns);
    let counters = counters.unwrap_or(BagSupply::Each(usual));
    keys.finish();
    let rules = BagRules {
        counters,
        choice,
        returns,
        slides,
    };
    BagTable { rules, wins }
}

/// Notes what a game with a bag cannot have.
pub(super) fn check_board(keys: &Keys, play: Play, levels: Option<u8>) {
    for (key, instead) in [("supply", "bag.counters"), ("stalemate", "")] {
        if keys.has(key) {
            let way_out = match instead {
                "" => "leave it out".into(),
                other => format!("leave it out and say {other}"),
            };
            let problem = format!("not in a game with a bag; {way_out}");
            keys.fault(key, problem);
        }
    }
    if play == Play::Misere {
        keys.fault(
            "play",
            "a game with a bag is won by the line, or scored; say \"normal\" or \"points\"",
        );
    }
    if play == Play::PlayOn {
        keys.fault(
            "end",
            "a game with a bag ends with the first line; leave out end or the bag",
        );
    }
    if let Some(levels) = levels.filter(|levels| *levels != 3) {
        let problem = format!("found {levels}, expected 3: the bag has counters of three colours");
        keys.fault("board", format!("levels: {problem}"));
    }
}

/// Notes what a strip cannot do in a game with a bag.
pub(super) fn check_strip(keys: &Keys, strip: &StripRules) {
    let problems = [
        (strip.succession != Succession::Barred, "repeat = \"ban\""),
        (strip.turns, "turn = \"no\""),
        (strip.sides != Sides::Any, "sides = \"any\""),
        (!strip.null_moves, "null = \"allowed\""),
        (!strip.empty_moves, "empty-strip = \"allowed\""),
    ];
    let wanted: Vec<&str> = problems
        .into_iter()
        .filter_map(|(wrong, wanted)| wrong.then_some(wanted))
        .collect();
    if !wanted.is_empty() {
        let problem = format!("with a bag the strip has {}", wanted.join(", "));
        keys.fault("strip", problem);
    }
}

fn read_counters(keys: &mut Keys) -> Option<BagSupply> {
    let value = keys.value("counters")?;
    if value.get_ref().as_str() == Some("infinite") {
        return Some(BagSupply::Infinite);
    }
    match integer(value.get_ref()).filter(|number| (1..=99).contains(number)) {
        Some(number) => Some(BagSupply::Each(number as u32)),
        None => {
            keys.fault(
                "counters",
                "expected a whole number from 1 to 99 or \"infinite\"",
            );
            None
        }
    }
}
