//! An order by measures: the first measure decides, the next one decides between equals.

use std::cmp::Ordering;

use crate::{DesignError, MeasuredGame};

/// A figure by which games are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RankingFigure {
    BalanceWeak,
    BalanceMedium,
    BalanceStrong,
    BalancePie,
    WinningOpenings,
    Drama,
    OnlyMoves,
    Length,
    LengthSpread,
    Draws,
    Puzzles,
    StrategyWords,
    Distance,
}

/// Which figures are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Preference {
    Most,
    Least,
    /// As near to one half as can be.
    Half,
}

/// The names of the figures, and whether more or less is better by default. Balances count by how
/// far they are from 0.
const FIGURES: [(&str, RankingFigure, Preference); 14] = [
    ("balance", RankingFigure::BalanceMedium, Preference::Least),
    (
        "balance-weak",
        RankingFigure::BalanceWeak,
        Preference::Least,
    ),
    (
        "balance-medium",
        RankingFigure::BalanceMedium,
        Preference::Least,
    ),
    (
        "balance-strong",
        RankingFigure::BalanceStrong,
        Preference::Least,
    ),
    ("balance-pie", RankingFigure::BalancePie, Preference::Least),
    (
        "winning-openings",
        RankingFigure::WinningOpenings,
        Preference::Half,
    ),
    ("drama", RankingFigure::Drama, Preference::Most),
    ("only-moves", RankingFigure::OnlyMoves, Preference::Most),
    ("length", RankingFigure::Length, Preference::Most),
    (
        "length-spread",
        RankingFigure::LengthSpread,
        Preference::Most,
    ),
    ("draws", RankingFigure::Draws, Preference::Least),
    ("puzzles", RankingFigure::Puzzles, Preference::Most),
    (
        "strategy-words",
        RankingFigure::StrategyWords,
        Preference::Least,
    ),
    ("distance", RankingFigure::Distance, Preference::Most),
];

/// One thing that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Criterion {
    figure: RankingFigure,
    aim: Preference,
}

/// What is wanted, the most important first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking(Vec<Criterion>);

/// A place in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedPlace {
    /// Where the game stood before.
    pub index: usize,
    /// Its rank, from 1 on; games that are equal in all that is wanted share one.
    pub rank: u32,
    /// Whether no other game is as good in all that is wanted and better in something.
    pub pareto: bool,
}

impl Ranking {
    /// The order by default.
    pub const USUAL: &str = "balance, then only-moves, then drama";

    /// Reads `balance, then only-moves`; `most` or `least` before a measure turns its order.
    ///
    /// # Errors
    /// When it names no measure, or one that is not known.
    pub fn parse(text: &str) -> Result<Ranking, DesignError> {
        let refused = |problem: String| {
            let names = FIGURES.map(|(name, ..)| name).join(", ");
            DesignError::Refused(format!(
                "--rank: {problem}, expected measures such as \"{}\"; measures: {names}",
                Ranking::USUAL
            ))
        };
        let mut criteria: Vec<Criterion> = Vec::new();
        for part in text.split(',') {
            let words: Vec<String> = part.split_whitespace().map(str::to_lowercase).collect();
            let words = match &words[..] {
                [then, rest @ ..] if then == "then" => rest,
                words => words,
            };
            let (aim, words) = match words {
                [most, rest @ ..] if most == "most" => (Some(Preference::Most), rest),
                [least, rest @ ..] if least == "least" => (Some(Preference::Least), rest),
                words => (None, words),
            };
            let name = words.join("-").replace('_', "-");
            let known = FIGURES.iter().find(|(known, ..)| *known == name);
            let Some((_, figure, usual)) = known else {
                return Err(refused(format!("found '{}'", part.trim())));
            };
            let criterion = Criterion {
                figure: *figure,
                aim: aim.unwrap_or(*usual),
            };
            if criteria.iter().any(|known| known.figure == *figure) {
                return Err(refused(format!("found '{name}' twice")));
            }
            criteria.push(criterion);
        }
        Ok(Ranking(criteria))
    }

    /// The order of some games, the best first. Games are equal in a measure when they agree in the digits
    /// that tables show.
    #[must_use]
    pub fn order(&self, games: &[&MeasuredGame]) -> Vec<RankedPlace> {
        let costs = |measured: &&MeasuredGame| -> Vec<i64> {
            let criteria = self.0.iter();
            criteria.map(|criterion| criterion.cost(measured)).collect()
        };
        let mut sorted: Vec<(Vec<i64>, usize)> = games.iter().map(costs).zip(0..).collect();
        sorted.sort();
        let mut places = Vec::new();
        // A game that is at least as good in every measure comes earlier.
        let mut front: Vec<&[i64]> = Vec::new();
        let mut rank = 0;
        for (number, (costs, index)) in sorted.iter().enumerate() {
            if number == 0 || sorted[number - 1].0 != *costs {
                rank = number as u32 + 1;
            }
            let beaten = front.iter().any(|better| {
                *better != &costs[..]
                    && better
                        .iter()
                        .zip(costs)
                        .all(|(a, b)| a.cmp(b) != Ordering::Greater)
            });
            if !beaten && front.last().is_none_or(|last| *last != &costs[..]) {
                front.push(costs);
            }
            places.push(RankedPlace {
                index: *index,
                rank,
                pareto: !beaten,
            });
        }
        places
    }
}

impl Criterion {
    /// How far a game is from what is wanted, in hundredths; games without the figure are the farthest.
    fn cost(self, measured: &MeasuredGame) -> i64 {
        let Some(figure) = self.figure.of(measured) else {
            return i64::MAX;
        };
        let hundredths = |number: f64| (number * 100.0).round() as i64;
        match self.aim {
            Preference::Most => -hundredths(figure),
            Preference::Least => hundredths(figure),
            Preference::Half => (hundredths(figure) - 50).abs(),
        }
    }
}

impl RankingFigure {
    fn of(self, measured: &MeasuredGame) -> Option<f64> {
        let measures = &measured.measures;
        Some(match self {
            RankingFigure::BalanceWeak => measures.balance_weak.abs(),
            RankingFigure::BalanceMedium => measures.balance_medium.abs(),
            RankingFigure::BalanceStrong => measures.balance_strong.abs(),
            RankingFigure::BalancePie => measures.balance_pie.abs(),
            RankingFigure::WinningOpenings => measures.winning_openings,
            RankingFigure::Drama => measures.drama,
            RankingFigure::OnlyMoves => measures.only_moves,
            RankingFigure::Length => measures.length,
            RankingFigure::LengthSpread => measures.length_spread,
            RankingFigure::Draws => measures.draws,
            RankingFigure::Puzzles => f64::from(measures.puzzles.iter().sum::<u32>()),
            RankingFigure::StrategyWords => f64::from(measures.strategy_words?),
            RankingFigure::Distance => f64::from(measured.distance?),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Measures;

    use super::*;

    fn game(balance: f64, only_moves: f64, words: Option<u32>) -> MeasuredGame {
        MeasuredGame {
            winner: "first".into(),
            value: "win".into(),
            distance: Some(5),
            points: None,
            measures: Measures {
                winning_openings: 0.3,
                balance_weak: 0.0,
                balance_medium: balance,
                balance_strong: 0.0,
                balance_pie: 0.0,
                drama: 1.0,
                only_moves,
                length: 7.0,
                length_spread: 1.0,
                draws: 0.0,
                puzzles: [0; 5],
                strategy_words: words,
            },
        }
    }

    fn order(rank: &str, games: &[MeasuredGame]) -> Vec<(usize, u32, bool)> {
        let places = Ranking::parse(rank)
            .unwrap()
            .order(&games.iter().collect::<Vec<_>>());
        places
            .iter()
            .map(|place| (place.index, place.rank, place.pareto))
            .collect()
    }

    #[test]
    fn games_are_ordered_by_one_measure_after_the_other() {
        let games = [
            game(-0.5, 0.9, None),
            game(0.101, 0.2, Some(40)),
            game(-0.099, 0.4, Some(30)),
            game(0.3, 0.1, None),
        ];
        let expected = [(2, 1, true), (1, 2, false), (3, 3, false), (0, 4, true)];
        assert_eq!(order("balance, then only-moves", &games), expected);
        assert_eq!(order("Balance,only_moves", &games), expected);
        let [first, ..] = order("most balance", &games)[..] else {
            panic!("four games")
        };
        assert_eq!(first, (0, 1, true));
        // Those without the figure are last and share their rank.
        let places = order("strategy words", &games);
        assert_eq!(
            places,
            [(2, 1, true), (1, 2, false), (0, 3, false), (3, 3, false)]
        );
    }

    #[test]
    fn unknown_measures_are_refused_with_those_that_there_are() {
        for wrong in [
            "",
            "fun",
            "balance, then",
            "balance, balance-medium",
            "then most",
        ] {
            let error = Ranking::parse(wrong).unwrap_err().to_string();
            assert!(
                error.contains("--rank") && error.contains("strategy-words"),
                "{error}"
            );
        }
        assert!(Ranking::parse(Ranking::USUAL).is_ok());
    }
}
