//! Claims files: from TOML to claims. `docs/reference/claims-files.md` lists the keys.

use std::collections::HashSet;
use std::path::Path;

use greenwave_game::keyed::{Faults, Keys, integer, one_of};
use greenwave_game::{Fault, Lights, Outcome, Variant, VariantError};

use super::tablebase::variant_named;
use crate::{Among, JudgeError};

/// The length of the longest claims file that is read, in bytes.
pub const LONGEST_CLAIMS: usize = 1 << 22;

/// A statement about games.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The name of the claim: a number or a word.
    pub id: Id,
    /// The statement.
    pub text: String,
    /// The source of the claim.
    pub source: String,
    /// How its words were read.
    pub note: Option<String>,
    /// How it is settled.
    pub basis: Basis,
}

impl Claim {
    /// Its first test, whose variant its positions are of; `None` where nothing is tested.
    #[must_use]
    pub fn first_test(&self) -> Option<&Test> {
        match &self.basis {
            Basis::Tests(tests) => tests.first(),
            Basis::NotCheckable(_) => None,
        }
    }

    /// Refuses a claim that is not in the order of the lights into which `written` puts its variants.
    pub(super) fn expect(
        &self,
        written: &dyn Fn(Variant) -> Result<Variant, VariantError>,
        folder: &Path,
    ) -> Result<(), JudgeError> {
        let Basis::Tests(tests) = &self.basis else {
            return Ok(());
        };
        let variants = tests.iter().filter_map(|test| test.variant_in(folder).ok());
        for variant in variants.filter(|variant| variant.rules().lights.is_some()) {
            let lights = variant.rules().order();
            let chosen = written(variant)?.rules().order();
            if lights != chosen {
                return Err(JudgeError::refused(format!(
                    "claim {} has its lights in the order {lights}, but you ask for {chosen}; leave the \
                     order out: a claim is read in its own",
                    self.id
                )));
            }
        }
        Ok(())
    }
}

/// The name of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Id {
    /// A number.
    Number(i64),
    /// A word.
    Word(String),
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Id::Number(number) => write!(f, "{number}"),
            Id::Word(word) => f.write_str(word),
        }
    }
}

/// How a claim is settled.
#[derive(Clone, Debug)]
pub enum Basis {
    /// No program can settle it, for this reason.
    NotCheckable(String),
    /// It is true when all tests hold.
    Tests(Vec<Test>),
}

/// One thing that is tried, and the variant that it is tried on.
#[derive(Clone, Debug)]
pub struct Test {
    /// The variant's name.
    pub variant: String,
    /// The order of the lights in which it is written; where none is named, that of the variant.
    pub lights: Option<Lights>,
    /// What is tried.
    pub kind: TestKind,
    // Where its keys stand, and by the empty key the test itself.
    places: Vec<(String, String)>,
}

impl Test {
    /// A test that stands in no file.
    pub(super) fn new(variant: String, lights: Option<Lights>, kind: TestKind) -> Test {
        Test {
            variant,
            lights,
            kind,
            places: Vec::new(),
        }
    }

    /// The variant, in the order of the lights in which this is written; relative names of rule files
    /// begin in `folder`.
    ///
    /// # Errors
    /// When there is no such variant, and when it has no lights whose order is named.
    pub fn variant_in(&self, folder: &Path) -> Result<Variant, JudgeError> {
        let variant = variant_named(folder, &self.variant)?;
        Ok(variant.with_chosen_lights(self.lights)?)
    }

    /// A fault of a key, at its place in the file.
    pub(super) fn fault(&self, key: &str, problem: impl std::fmt::Display) -> Fault {
        let place = |key: &str| self.places.iter().find(|(known, _)| known == key);
        let place = place(key).or_else(|| place(""));
        let place = place.map_or_else(String::new, |(_, place)| place.clone());
        Fault::new(place, problem.to_string())
    }
}

/// A list of moves that is compared with those of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveList {
    /// Every legal move.
    All,
    /// These.
    These(Vec<String>),
}

/// The other side of the comparison with a list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSet {
    /// The moves that win.
    Winning,
    /// The moves that draw.
    Drawing,
    /// The moves that lose.
    Losing,
    /// The moves that tie for the best.
    Best,
    /// The moves that win at once.
    AtOnce,
    /// The moves that do not lose at once.
    Safe,
    /// All legal moves.
    Legal,
    /// These are among the legal moves.
    Contains,
    /// These are not among the legal moves.
    Lacks,
}

impl MoveSet {
    const EACH: [MoveSet; 9] = [
        MoveSet::Winning,
        MoveSet::Drawing,
        MoveSet::Losing,
        MoveSet::Best,
        MoveSet::AtOnce,
        MoveSet::Safe,
        MoveSet::Legal,
        MoveSet::Contains,
        MoveSet::Lacks,
    ];

    /// What it is called in claims files.
    pub(super) fn key(self) -> &'static str {
        match self {
            MoveSet::Winning => "winning",
            MoveSet::Drawing => "drawing",
            MoveSet::Losing => "losing",
            MoveSet::Best => "best",
            MoveSet::AtOnce => "at-once",
            MoveSet::Safe => "safe",
            MoveSet::Legal => "legal",
            MoveSet::Contains => "contains",
            MoveSet::Lacks => "lacks",
        }
    }
}

/// The form of a statement about positions that an expression describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementForm {
    /// None satisfies it.
    None,
    /// Some position satisfies it.
    Some,
    /// Each that satisfies it also satisfies this expression.
    Every(String),
    /// This many satisfy it.
    Count {
        /// Exactly.
        equals: Option<u64>,
        /// At least.
        at_least: Option<u64>,
        /// At most.
        at_most: Option<u64>,
        /// Whether images under symmetries count once.
        up_to_symmetry: bool,
    },
}

/// What a claim says of a number of plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimedPlies {
    /// Exactly.
    pub exactly: Option<u32>,
    /// At least.
    pub at_least: Option<u32>,
    /// At most.
    pub at_most: Option<u32>,
}

impl ClaimedPlies {
    /// Whether it says anything.
    pub(super) fn is_given(self) -> bool {
        self != ClaimedPlies::default()
    }

    /// Whether it is true of this number.
    pub(super) fn holds(self, plies: u32) -> bool {
        self.exactly.is_none_or(|exactly| plies == exactly)
            && self.at_least.is_none_or(|least| plies >= least)
            && self.at_most.is_none_or(|most| plies <= most)
    }
}

/// What is tried.
#[derive(Clone, Debug)]
pub enum TestKind {
    /// Figures of a position.
    Value {
        /// The position; the start if there is none.
        position: Option<String>,
        /// Its value.
        value: Option<Outcome>,
        /// Its distance in plies.
        distance: ClaimedPlies,
        /// Its points.
        points: Option<i32>,
        /// Its nimber.
        nimber: Option<u32>,
        /// Whether the game is over.
        finished: Option<bool>,
    },
    /// Moves of a position.
    Moves {
        /// The position; the start if there is none.
        position: Option<String>,
        /// What is compared with what.
        sets: Vec<(MoveSet, MoveList)>,
    },
    /// A sequence of moves.
    Play {
        /// The position; the start if there is none.
        position: Option<String>,
        /// The moves.
        moves: Vec<String>,
        /// Whether all of them can be played; else the last one is illegal.
        legal: bool,
        /// The position that they lead to.
        to: Option<String>,
        /// Whether the game is over then.
        finished: Option<bool>,
        /// The value for the player then to move.
        value: Option<Outcome>,
    },
    /// Positions that an expression describes.
    Where {
        /// The message about them.
        form: StatementForm,
        /// The expression.
        filter: String,
        /// The positions that are tested.
        among: Among,
    },
    /// A limited supply.
    Supply {
        /// `capN` or `poolN`.
        supply: String,
        /// Whether the claim says that no move is forbidden; else that neither value nor distance
        /// changes.
        binds: bool,
    },
    /// The longest play.
    Longest {
        /// Of whole games; else of play without a line.
        game: bool,
        /// Its plies.
        plies: ClaimedPlies,
    },
    /// A strategy that wins.
    Strategy {
        /// Whether the first player follows it.
        first: bool,
        /// Its rules, the first that applies picks the move.
        rules: Vec<String>,
    },
    /// Two variants are the same.
    Equal {
        /// The other variant.
        other: String,
        /// In all values; else in their rules.
        values: bool,
    },
    /// No move can be undone by play.
    Rises,
    /// What the rules declare.
    Properties {
        /// Number of squares or points.
        cells: Option<u32>,
        /// `same` or `by-player`.
        options: Option<&'static str>,
        /// Whether chance takes part.
        luck: Option<bool>,
        /// `win-loss`, `win-draw-loss`, `points` or `expectation`.
        outcomes: Option<&'static str>,
    },
}

/// Reads a claims file; `name` is what errors call it.
///
/// # Errors
/// When the text is no claims file: every fault with its line, column and key.
pub fn read_claims(name: &str, text: &str) -> Result<Vec<Claim>, JudgeError> {
    if text.len() > LONGEST_CLAIMS {
        let found = text.len();
        return Err(JudgeError::refused(format!(
            "claims file '{name}': found {found} bytes, expected at most {LONGEST_CLAIMS}; cut it into \
             several files"
        )));
    }
    let faults = Faults::new(text);
    let mut claims: Vec<Claim> = Vec::new();
    let mut ids: HashSet<Id> = HashSet::new();
    if let Some(table) = faults.parse() {
        let mut keys = Keys::of_file(table.get_ref(), &faults);
        for mut keys in keys.tables("claim") {
            let id = claim_id(&mut keys);
            if let Some(id) = &id
                && !ids.insert(id.clone())
            {
                let problem = format!("claim {id} stands twice; give it another id");
                keys.fault("id", problem);
            }
            claims.extend(claim(id, keys));
        }
        keys.finish();
        if claims.is_empty() && faults.is_empty() {
            faults.add(0, "claim", "no claim; begin one with [[claim]]");
        }
    }
    if faults.is_empty() {
        return Ok(claims);
    }
    Err(JudgeError::Claims {
        file: name.into(),
        faults: faults.into_list(),
    })
}

impl MoveList {
    /// The moves that are named; none where every legal one is meant.
    pub(super) fn texts(&self) -> &[String] {
        match self {
            MoveList::All => &[],
            MoveList::These(texts) => texts,
        }
    }
}

fn required(keys: &mut Keys<'_, '_>, key: &'static str) -> Option<String> {
    let found = keys.text(key).map(|text| text.value.to_string());
    if !keys.has(key) {
        keys.fault(key, "missing");
    }
    found
}

fn claim_id(keys: &mut Keys<'_, '_>) -> Option<Id> {
    let id = keys.value("id").and_then(|value| {
        let number = integer(value.get_ref()).map(Id::Number);
        number.or_else(|| value.get_ref().as_str().map(|word| Id::Word(word.into())))
    });
    if id.is_none() {
        keys.fault(
            "id",
            "expected a number or a word that the claim is called by",
        );
    }
    id
}

fn claim(id: Option<Id>, mut keys: Keys<'_, '_>) -> Option<Claim> {
    let text = required(&mut keys, "text");
    let source = keys
        .text("source")
        .map_or_else(String::new, |source| source.value.into());
    let note = keys.text("note").map(|note| note.value.into());
    let reason = keys
        .text("not-checkable")
        .map(|reason| reason.value.to_string());
    let listed = keys.tables("test");
    if reason.is_some() != listed.is_empty() {
        keys.fault("test", "a claim has either tests, each begun with [[claim.test]], or not-checkable = \"reason\"");
    }
    let tests: Vec<Option<Test>> = listed.into_iter().map(test).collect();
    keys.finish();
    let basis = match reason {
        Some(reason) => Basis::NotCheckable(reason),
        None => Basis::Tests(tests.into_iter().collect::<Option<_>>()?),
    };
    Some(Claim {
        id: id?,
        text: text?,
        source,
        note,
        basis,
    })
}

fn outcome(keys: &mut Keys<'_, '_>) -> Option<Outcome> {
    if !keys.has("value") {
        keys.value("value");
        return None;
    }
    Some(match keys.word("value", &["win", "draw", "loss"]) {
        "win" => Outcome::Win,
        "draw" => Outcome::Draw,
        _ => Outcome::Loss,
    })
}

fn among(keys: &mut Keys<'_, '_>) -> Among {
    match keys.word("among", &["reachable", "legal"]) {
        "legal" => Among::Legal,
        _ => Among::Reachable,
    }
}

fn count(keys: &mut Keys<'_, '_>, key: &'static str) -> Option<u64> {
    keys.number(key, 0, i64::MAX).map(|number| number as u64)
}

fn small(keys: &mut Keys<'_, '_>, key: &'static str) -> Option<u32> {
    keys.number(key, 0, u32::MAX.into())
        .map(|number| number as u32)
}

/// The keys of a number of plies: exactly, at least, at most.
type PlyKeys = [&'static str; 3];

const DISTANCE: PlyKeys = ["distance", "distance-at-least", "distance-at-most"];
const LENGTH: PlyKeys = ["plies", "at-least", "at-most"];

fn claimed_plies(keys: &mut Keys<'_, '_>, [exactly, at_least, at_most]: PlyKeys) -> ClaimedPlies {
    ClaimedPlies {
        exactly: small(keys, exactly),
        at_least: small(keys, at_least),
        at_most: small(keys, at_most),
    }
}

fn texts(keys: &mut Keys<'_, '_>, key: &'static str) -> Vec<String> {
    let listed = keys.texts(key, &["a", "b"]).unwrap_or_default();
    listed.into_iter().map(|text| text.value.into()).collect()
}

/// Texts of which there is at least one.
fn some_texts(keys: &mut Keys<'_, '_>, key: &'static str) -> Vec<String> {
    let found = texts(keys, key);
    let empty = keys.value(key).and_then(|value| value.get_ref().as_array());
    if !keys.has(key) || empty.is_some_and(|list| list.is_empty()) {
        keys.fault(key, "nothing is listed; list at least one");
    }
    found
}

/// Notes the fault of a test that tries nothing, since none of some keys is given.
fn says_some(keys: &Keys<'_, '_>, about: &str, any_of: &[&str]) {
    if any_of.iter().any(|key| keys.has(key)) {
        return;
    }
    let say = one_of(any_of).english().replace('\'', "");
    keys.fault("kind", format!("there is nothing about {about}; say {say}"));
}

const KINDS: &[&str] = &[
    "value",
    "moves",
    "play",
    "none",
    "some",
    "every",
    "count",
    "supply",
    "longest",
    "strategy",
    "equal",
    "rises",
    "properties",
];

fn test(mut keys: Keys<'_, '_>) -> Option<Test> {
    if !keys.has("kind") {
        keys.fault("kind", format!("missing; kinds: {}", KINDS.join(", ")));
    }
    let name = keys.word("kind", KINDS);
    let given = keys.text("kind").map(|kind| kind.value);
    if given != Some(name) {
        return None; // which other keys there are depends on the kind
    }
    let variant = required(&mut keys, "variant");
    let lights = if keys.has("lights") {
        Lights::named(keys.word("lights", &["ryg", "gyr"]))
    } else {
        keys.value("lights"); // known, though not given
        None
    };
    let position =
        |keys: &mut Keys<'_, '_>| keys.text("position").map(|text| text.value.to_string());
    let kind = match name {
        "value" => {
            let figures = [&["value"][..], &DISTANCE, &["points", "nimber", "finished"]];
            says_some(&keys, "the position", &figures.concat());
            Some(TestKind::Value {
                position: position(&mut keys),
                value: outcome(&mut keys),
                distance: claimed_plies(&mut keys, DISTANCE),
                points: keys
                    .number("points", i32::MIN.into(), i32::MAX.into())
                    .map(|points| points as i32),
                nimber: small(&mut keys, "nimber"),
                finished: keys.flag("finished"),
            })
        }
        "moves" => Some(TestKind::Moves {
            position: position(&mut keys),
            sets: move_sets(&mut keys),
        }),
        "play" => Some(TestKind::Play {
            position: position(&mut keys),
            moves: some_texts(&mut keys, "moves"),
            legal: keys.flag("legal").unwrap_or(true),
            to: keys.text("to").map(|text| text.value.into()),
            finished: keys.flag("finished"),
            value: outcome(&mut keys),
        }),
        "none" | "some" | "every" | "count" => positions(&mut keys, name),
        "supply" => {
            let supply = required(&mut keys, "supply");
            let binds = keys.word("never", &["binds", "changes"]) == "binds";
            supply.map(|supply| TestKind::Supply { supply, binds })
        }
        "longest" => {
            says_some(&keys, "its length", &LENGTH);
            Some(TestKind::Longest {
                game: keys.word("of", &["game", "line-free"]) == "game",
                plies: claimed_plies(&mut keys, LENGTH),
            })
        }
        "strategy" => {
            let first = keys.word("player", &["first", "second"]) == "first";
            Some(TestKind::Strategy {
                first,
                rules: some_texts(&mut keys, "strategy"),
            })
        }
        "equal" => {
            let values = keys.word("in", &["rules", "values"]) == "values";
            required(&mut keys, "other").map(|other| TestKind::Equal { other, values })
        }
        "rises" => Some(TestKind::Rises),
        _ => Some(properties(&mut keys)),
    };
    let places = keys.places();
    keys.finish();
    Some(Test {
        variant: variant?,
        lights,
        kind: kind?,
        places,
    })
}

fn positions(keys: &mut Keys<'_, '_>, name: &str) -> Option<TestKind> {
    let among = among(keys);
    let filter = required(keys, "where")?;
    let form = match name {
        "none" => StatementForm::None,
        "some" => StatementForm::Some,
        "every" => StatementForm::Every(required(keys, "holds")?),
        _ => {
            says_some(keys, "the number", &["equals", "at-least", "at-most"]);
            StatementForm::Count {
                equals: count(keys, "equals"),
                at_least: count(keys, "at-least"),
                at_most: count(keys, "at-most"),
                up_to_symmetry: keys.flag("up-to-symmetry").unwrap_or(false),
            }
        }
    };
    Some(TestKind::Where {
        form,
        filter,
        among,
    })
}

fn move_sets(keys: &mut Keys<'_, '_>) -> Vec<(MoveSet, MoveList)> {
    let mut sets = Vec::new();
    for set in MoveSet::EACH {
        let key = set.key();
        let word = keys.value(key).and_then(|value| value.get_ref().as_str());
        let list = match word {
            None if !keys.has(key) => continue,
            Some("all") => MoveList::All,
            Some("none") => MoveList::These(Vec::new()),
            Some(other) => {
                keys.fault(
                    key,
                    format!("found '{other}', expected a list of moves, \"all\" or \"none\""),
                );
                continue;
            }
            None => MoveList::These(texts(keys, key)),
        };
        sets.push((set, list));
    }
    says_some(keys, "the moves", &MoveSet::EACH.map(MoveSet::key));
    sets
}

fn properties(keys: &mut Keys<'_, '_>) -> TestKind {
    fn word(
        keys: &mut Keys<'_, '_>,
        key: &'static str,
        allowed: &'static [&'static str],
    ) -> Option<&'static str> {
        let word = keys.word(key, allowed);
        keys.has(key).then_some(word)
    }
    let declared = ["cells", "options", "luck", "outcomes"];
    says_some(keys, "the rules", &declared);
    TestKind::Properties {
        cells: small(keys, "cells"),
        options: word(keys, "options", &["same", "by-player"]),
        luck: keys.flag("luck"),
        outcomes: word(
            keys,
            "outcomes",
            &["win-loss", "win-draw-loss", "points", "expectation"],
        ),
    }
}
