//! Patterns along boards of one, two and three ranks: periods, steps, periods modulo small numbers,
//! recurrences, and two games that have the same numbers.
//!
//! The search sees boards of up to [`SEEN`] squares alone. A pattern that it finds is a conjecture,
//! and the boards beyond are its test. The search leaves out patterns that a theorem already gives.

use anyhow::Result;

use crate::items::SURVEY;
use crate::recurrence::fit;
use crate::{BoardSurvey, Facts};

/// Most squares of a board that the search sees.
pub(crate) const SEEN: u32 = 16;
/// Most terms of a period.
const LONGEST: usize = 12;
/// Largest modulus.
const MODULUS: u64 = 12;
/// A pattern is shown if equal numbers would come about by chance with odds of 1 to 2¹⁰ or less.
const BITS: f64 = 10.0;
/// Number of boards on which two games have to agree.
const ALIKE: usize = 10;

/// A fact about a board as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// 1 and 2 for the player who wins, 0 where nobody does.
    Winner,
    /// First moves that win.
    Winning,
    /// First moves that lose.
    Losing,
    /// Plies of best play.
    Plies,
    /// The nimber of the empty board.
    Nimber,
    /// The largest nimber of any unfinished position.
    Largest,
    /// Positions won for the player to move.
    Won,
    /// Positions lost for the player to move.
    Lost,
}

impl Numbers {
    /// All of them.
    pub const ALL: [Numbers; 8] = [
        Numbers::Winner,
        Numbers::Winning,
        Numbers::Losing,
        Numbers::Plies,
        Numbers::Nimber,
        Numbers::Largest,
        Numbers::Won,
        Numbers::Lost,
    ];

    /// What to call them.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Numbers::Winner => "winner",
            Numbers::Winning => "first moves that win",
            Numbers::Losing => "first moves that lose",
            Numbers::Plies => "plies of best play",
            Numbers::Nimber => "nimber of the empty board",
            Numbers::Largest => "largest nimber",
            Numbers::Won => "won positions",
            Numbers::Lost => "lost positions",
        }
    }

    fn of(self, found: &BoardSurvey) -> Option<u64> {
        let worth = found.nimbers.as_ref();
        match self {
            Numbers::Winner => Some(match found.winner.as_str() {
                "first" => 1,
                "second" => 2,
                _ => 0,
            }),
            Numbers::Winning => Some(found.winning),
            Numbers::Losing => Some(found.losing),
            Numbers::Plies => found.plies,
            Numbers::Nimber => found.nimber().map(u64::from),
            Numbers::Largest => worth.map(|worth| worth.largest.into()),
            Numbers::Won => Some(found.won),
            Numbers::Lost => Some(found.lost),
        }
    }

    /// Whether it is about several boards at once, where whoever cannot move loses.
    fn of_sums(self) -> bool {
        match self {
            Numbers::Nimber | Numbers::Largest => true,
            Numbers::Winner
            | Numbers::Winning
            | Numbers::Losing
            | Numbers::Plies
            | Numbers::Won
            | Numbers::Lost => false,
        }
    }

    /// Whether a theorem says it of boards of two ranks: Theorem 1.
    fn proved_on_two_ranks(self) -> bool {
        match self {
            Numbers::Winner | Numbers::Winning | Numbers::Losing | Numbers::Nimber => true,
            Numbers::Plies | Numbers::Largest | Numbers::Won | Numbers::Lost => false,
        }
    }
}

/// Numbers along the files of boards with the same ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The game, such as `classic, misère`.
    pub game: String,
    /// Whether a completed line loses.
    pub misere: bool,
    /// The number of ranks.
    pub ranks: u32,
    /// What is counted.
    pub numbers: Numbers,
    /// The files of the first term.
    pub first: u32,
    /// The terms, without a gap.
    pub terms: Vec<u64>,
}

impl Series {
    /// How many terms the search sees.
    #[must_use]
    pub fn seen(&self) -> usize {
        let files = (self.first..).take(self.terms.len());
        files.take_while(|files| files * self.ranks <= SEEN).count()
    }
}

/// All numbers along one, two and three ranks that no theorem tells.
///
/// # Errors
/// When a fact has another form.
pub fn series(facts: &Facts) -> Result<Vec<Series>> {
    let mut all = Vec::new();
    for game in SURVEY {
        for ranks in 1..=3_u32 {
            for numbers in Numbers::ALL {
                let lights = game.family != "noughts";
                let sums = lights && game.options.is_empty();
                let proved = ranks == 2 && lights && numbers.proved_on_two_ranks();
                if proved || numbers.of_sums() && !sums {
                    continue;
                }
                let first = ranks.max(3);
                let mut terms = Vec::new();
                for files in first.. {
                    let name = game.name(ranks, files);
                    let found: Option<BoardSurvey> = facts.get("survey", &name)?;
                    let known = found.as_ref().and_then(|found| numbers.of(found));
                    let Some(term) = known.or_else(|| beyond(facts, &name, numbers)) else {
                        break;
                    };
                    terms.push(term);
                }
                all.push(Series {
                    game: game.title(),
                    misere: !game.options.is_empty(),
                    ranks,
                    numbers,
                    first,
                    terms,
                });
            }
        }
    }
    Ok(all)
}

/// A number of a board that the survey leaves out, from the atlas or the chapter on winners.
fn beyond(facts: &Facts, name: &str, numbers: Numbers) -> Option<u64> {
    let row = || facts.1.iter().find(|row| row.variant == name);
    let length = || {
        let found: Option<crate::Length> = facts.get("winners", &format!("length {name}")).ok()?;
        found.map(|found| found.plies)
    };
    let first = |player: &str| u64::from(player != "first") + 1;
    let winner = || -> Option<crate::Winner> { facts.get("winners", name).ok()? };
    let squares = || row().map(|row| u64::from(row.positions.ilog2() / 2));
    let winning = || row().map(|row| row.winning_openings.len() as u64);
    match numbers {
        Numbers::Winner => match row() {
            Some(row) => Some(if row.value == "win" { 1 } else { 2 }),
            None => Some(first(&winner()?.winner)),
        },
        Numbers::Winning => winning().or_else(|| Some(winner()?.winning.len() as u64)),
        Numbers::Losing => match row() {
            Some(_) => Some(squares()? - winning()?),
            None => winner().map(|found| u64::from(found.squares) - found.winning.len() as u64),
        },
        Numbers::Won => Some(row()?.won),
        Numbers::Lost => Some(row()?.lost),
        Numbers::Plies => row().and_then(|row| row.distance).or_else(length),
        Numbers::Largest => row()?.largest_nimber,
        Numbers::Nimber => match row()?.nimber {
            Some(nimber) => Some(nimber.into()),
            None if row()?.value != "win" => Some(0),
            None => (squares() == winning()).then_some(1),
        },
    }
}

/// A pattern of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// From some term on, a(n) = a(n − period) + step, modulo a number if one is named.
    Period {
        /// Terms before the first of those that the pattern speaks of.
        before: usize,
        /// The period.
        period: usize,
        /// What a period adds.
        step: i64,
        /// The modulus.
        modulus: Option<u64>,
    },
    /// A linear recurrence of this order.
    Recurrence(usize),
    /// The terms are those of another game.
    SameAs(String),
}

/// A pattern with its cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjecture {
    /// The numbers that it is about.
    pub series: Series,
    /// What it says.
    pub pattern: Pattern,
    /// Cases that the search saw and that could have been otherwise.
    pub support: usize,
    /// Cases that it did not see: files, and whether the pattern holds there.
    pub later: Vec<(u32, bool)>,
}

impl Conjecture {
    /// Whether every later case fits.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.later.iter().all(|(_, holds)| *holds)
    }
}

fn period_holds(terms: &[u64], at: usize, period: usize, step: i64, modulus: Option<u64>) -> bool {
    let (now, then) = (i128::from(terms[at]), i128::from(terms[at - period]));
    let difference = now - then - i128::from(step);
    match modulus {
        Some(modulus) => difference.rem_euclid(i128::from(modulus)) == 0,
        None => difference == 0,
    }
}

/// Bits that one equality is worth: how rarely two of some values are equal by chance.
fn bits(values: &[i128]) -> f64 {
    let all = values.len() as f64;
    let same = |value: &i128| values.iter().filter(|other| *other == value).count() as f64;
    let chance: f64 = values.iter().map(|value| same(value) / (all * all)).sum();
    -chance.log2()
}

/// The period with the least beginning and length that fits the numbers so far and is significant.
fn period(seen: &[u64], modulus: Option<u64>, step: bool) -> Option<(Pattern, usize)> {
    for period in 1..=LONGEST {
        if seen.len() < period + 2 {
            break;
        }
        let last = seen.len() - 1;
        let adds = match (
            step,
            i64::try_from(seen[last]),
            i64::try_from(seen[last - period]),
        ) {
            (true, Ok(now), Ok(then)) if now != then => now - then,
            (true, ..) => continue,
            (false, ..) => 0,
        };
        let holds = |at: &usize| period_holds(seen, *at, period, adds, modulus);
        let held = (period..seen.len()).rev().take_while(holds).count();
        let before = seen.len() - held - period;
        // What is compared: values, or the steps between them.
        let values: Vec<i128> = match (modulus, step) {
            (Some(modulus), _) => seen.iter().map(|term| i128::from(term % modulus)).collect(),
            (None, true) => (period..seen.len())
                .map(|at| i128::from(seen[at]) - i128::from(seen[at - period]))
                .collect(),
            (None, false) => seen.iter().map(|term| i128::from(*term)).collect(),
        };
        // A step is read from the terms, and so is each term of the first period: neither supports.
        let support = held.saturating_sub(usize::from(step));
        let one = if step {
            bits(&values).max(1.0)
        } else {
            bits(&values)
        };
        let constant = !step && values.iter().all(|value| *value == values[0]);
        if constant && support >= ALIKE || support as f64 * one >= BITS && support > 1 {
            let pattern = Pattern::Period {
                before,
                period,
                step: adds,
                modulus,
            };
            return Some((pattern, support));
        }
    }
    None
}

fn implied(by: &Pattern, pattern: &Pattern) -> bool {
    match (by, pattern) {
        (
            Pattern::Period {
                before: early,
                period: short,
                modulus: Some(large),
                ..
            },
            Pattern::Period {
                before,
                period,
                modulus: Some(small),
                ..
            },
        ) => early <= before && period % short == 0 && large % small == 0,
        _ => false,
    }
}

/// Looks for patterns in what may be seen of each series, and puts them to the other terms.
#[must_use]
pub fn seek_patterns(all: &[Series]) -> Vec<Conjecture> {
    let mut found = Vec::new();
    for (at, series) in all.iter().enumerate() {
        let seen = &series.terms[..series.seen()];
        let mut patterns: Vec<(Pattern, usize)> = Vec::new();
        if let Some(whole) = period(seen, None, false).or_else(|| period(seen, None, true)) {
            patterns.push(whole);
        } else {
            let recurrence = fit(seen);
            if recurrence.order > 0 && recurrence.support > 2 {
                patterns.push((Pattern::Recurrence(recurrence.order), recurrence.support));
            }
            for modulus in (2..=MODULUS).rev() {
                // The winner decides whether the number of plies is odd.
                if series.numbers == Numbers::Winner
                    || series.numbers == Numbers::Plies && modulus == 2
                {
                    continue;
                }
                let modular = period(seen, Some(modulus), false);
                let known = |pattern: &Pattern| patterns.iter().any(|(by, _)| implied(by, pattern));
                if let Some((pattern, support)) = modular.filter(|(pattern, _)| !known(pattern)) {
                    patterns.push((pattern, support));
                }
            }
        }
        for other in &all[..at] {
            let alike = other.misere == series.misere
                && (other.ranks, other.numbers) == (series.ranks, series.numbers);
            let length = seen.len().min(other.terms.len());
            if alike && length >= ALIKE && seen[..length] == other.terms[..length] {
                patterns.push((Pattern::SameAs(other.game.clone()), length));
            }
        }
        for (pattern, support) in patterns {
            let later = later(series, &pattern, all);
            found.push(Conjecture {
                series: series.clone(),
                pattern,
                support,
                later,
            });
        }
    }
    found
}

/// What a pattern says of the terms that the search did not see.
fn later(series: &Series, pattern: &Pattern, all: &[Series]) -> Vec<(u32, bool)> {
    let terms = &series.terms;
    let holds = |at: usize| -> Option<bool> {
        match pattern {
            Pattern::Period {
                period,
                step,
                modulus,
                ..
            } => Some(period_holds(terms, at, *period, *step, *modulus)),
            Pattern::Recurrence(order) => Some(fit(&terms[..=at]).order == *order),
            Pattern::SameAs(game) => {
                let same = |other: &&Series| {
                    other.game == *game
                        && (other.ranks, other.numbers) == (series.ranks, series.numbers)
                };
                let other = all.iter().find(same)?.terms.get(at)?;
                Some(*other == terms[at])
            }
        }
    };
    let files = |at: usize| series.first + at as u32;
    (series.seen()..terms.len())
        .filter_map(|at| Some((files(at), holds(at)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(terms: &[u64]) -> Series {
        Series {
            game: "classic".into(),
            misere: false,
            ranks: 1,
            numbers: Numbers::Largest,
            first: 3,
            terms: terms.to_vec(),
        }
    }

    fn only(terms: &[u64]) -> Vec<Conjecture> {
        seek_patterns(&[along(terms)])
    }

    #[test]
    fn a_period_is_found_and_put_to_the_test() {
        let alternating: Vec<u64> = (0..18).map(|n| n % 2).collect();
        let found = only(&alternating);
        assert_eq!(found.len(), 1, "{found:?}");
        let Pattern::Period {
            before: 0,
            period: 2,
            step: 0,
            modulus: None,
        } = found[0].pattern
        else {
            panic!("{found:?}")
        };
        assert_eq!(found[0].support, 12);
        assert_eq!(
            found[0].later,
            [(17, true), (18, true), (19, true), (20, true)]
        );
        let mut broken = alternating;
        broken[15] = 7;
        let found = only(&broken);
        assert!(!found[0].stands());
        assert_eq!(found[0].later[1], (18, false));
    }

    #[test]
    fn steps_and_residues_are_found() {
        let steps: Vec<u64> = (0..16).map(|n| 8 * n / 3 + 5).collect();
        let found = only(&steps);
        assert!(
            matches!(
                found[0].pattern,
                Pattern::Period {
                    period: 3,
                    step: 8,
                    modulus: None,
                    ..
                }
            ),
            "{found:?}"
        );
        // Squares and more: no step and no recurrence of a low order is in these but modulo four.
        let wild: Vec<u64> = (0..16_u64)
            .map(|n| 4 * (n.pow(n as u32 / 2)) + n % 2)
            .collect();
        let found = only(&wild);
        assert!(
            found.iter().any(|found| matches!(
                found.pattern,
                Pattern::Period {
                    period: 2,
                    modulus: Some(4),
                    ..
                }
            )),
            "{found:?}"
        );
    }

    #[test]
    fn nothing_is_found_in_noise() {
        let noise = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3];
        assert_eq!(only(&noise), []);
    }
}
