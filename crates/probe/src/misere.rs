//! Several boards at once where whoever makes the last move of all loses.
//!
//! Nimbers do not decide such sums. The *indistinguishability quotient* decides them (Plambeck
//! 2005; Plambeck and Siegel 2008). Two sums are alike if no third sum, added to both, makes one a
//! win and the other a loss. The classes are a commutative monoid; its elements that the player to
//! move loses are marked. A map from positions to classes that keeps sums and outcomes is a
//! *pretending function*.

mod quotient;

use std::collections::HashMap;

use greenwave_game::Game;

pub use quotient::Quotient;

/// A misère canonical form: positions of one form can stand for each other in every sum. Number 0 is
/// that of a finished board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MisereForm(u32);

impl MisereForm {
    /// The form of a board without a move.
    pub const FINISHED: MisereForm = MisereForm(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The search needs more steps than it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found more than {limit} {of}, the most that were allowed")]
pub struct TooMany {
    /// The most that were allowed.
    pub limit: usize,
    /// Of what there were more.
    pub of: &'static str,
}

/// Misère canonical forms (Conway, On Numbers and Games, chapter 12), each once.
#[derive(Clone, Debug)]
pub struct Forms {
    /// By form: the forms that its moves lead to, ascending.
    options: Vec<Vec<MisereForm>>,
    /// By form: whether the player to move loses it alone.
    lost: Vec<bool>,
    by_options: HashMap<Vec<MisereForm>, MisereForm>,
}

impl Default for Forms {
    fn default() -> Self {
        Forms {
            options: vec![Vec::new()],
            lost: vec![false],
            by_options: HashMap::from([(Vec::new(), MisereForm::FINISHED)]),
        }
    }
}

impl Forms {
    /// The form of a position and of all that it can become, at most `limit` positions up to symmetry.
    ///
    /// # Errors
    /// [`TooMany`] positions.
    pub fn of<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        known: &mut HashMap<G::Position, MisereForm>,
        limit: usize,
    ) -> Result<MisereForm, TooMany> {
        let canonical = game.canonical(position);
        if let Some(form) = known.get(&canonical) {
            return Ok(*form);
        }
        if known.len() >= limit {
            return Err(TooMany {
                limit,
                of: "positions",
            });
        }
        let mut options = Vec::new();
        if game.ending(position).is_none() {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            for mv in moves {
                let to = game.play(position, mv).to;
                options.push(self.of(game, &to, known, limit)?);
            }
        }
        let form = self.with_options(options);
        known.insert(canonical, form);
        Ok(form)
    }

    /// The form of a game whose moves lead to these forms.
    fn with_options(&mut self, mut options: Vec<MisereForm>) -> MisereForm {
        options.sort_unstable();
        options.dedup();
        if let Some(form) = self.by_options.get(&options) {
            return *form;
        }
        let form = self.simpler(&options).unwrap_or_else(|| {
            let form = MisereForm(self.options.len() as u32);
            self.lost
                .push(!options.iter().any(|option| self.lost[option.index()]));
            self.options.push(options.clone());
            form
        });
        self.by_options.insert(options, form);
        form
    }

    /// The form to which these options come down by leaving out reversible ones: a move that the
    /// opponent can answer by going back to that form adds nothing to it.
    fn simpler(&self, options: &[MisereForm]) -> Option<MisereForm> {
        let through = options.iter().flat_map(|option| self.options(*option));
        through.copied().find(|form| {
            let kept = self.options(*form);
            let holds = |listed: &[MisereForm], one: &MisereForm| listed.binary_search(one).is_ok();
            let reverts = |option: &MisereForm| holds(self.options(*option), form);
            kept.iter().all(|option| holds(options, option))
                && options.iter().all(|option| holds(kept, option) || reverts(option))
                // Coming down to no move at all would make a lost game a won one.
                && (!kept.is_empty() || options.iter().any(|option| self.lost[option.index()]))
        })
    }

    /// The forms that the moves of a form lead to, ascending.
    #[must_use]
    pub fn options(&self, form: MisereForm) -> &[MisereForm] {
        &self.options[form.index()]
    }

    /// Some forms with all that they can become, ascending.
    #[must_use]
    pub fn closure(&self, forms: &[MisereForm]) -> Vec<MisereForm> {
        let (mut found, mut open) = (vec![false; self.options.len()], forms.to_vec());
        while let Some(form) = open.pop() {
            if !std::mem::replace(&mut found[form.index()], true) {
                open.extend(self.options(form));
            }
        }
        (0..self.options.len() as u32)
            .map(MisereForm)
            .filter(|form| found[form.index()])
            .collect()
    }
}

/// Outcomes of sums by play itself: each sum once.
#[derive(Debug)]
pub struct SumOutcomes<'f> {
    forms: &'f Forms,
    lost: HashMap<Vec<MisereForm>, bool>,
    limit: usize,
}

impl<'f> SumOutcomes<'f> {
    /// Outcomes of at most `limit` sums.
    #[must_use]
    pub fn new(forms: &'f Forms, limit: usize) -> Self {
        SumOutcomes {
            forms,
            lost: HashMap::new(),
            limit,
        }
    }

    /// Whether the player to move loses a sum.
    ///
    /// # Errors
    /// [`TooMany`] sums.
    pub fn is_lost(&mut self, sum: &[MisereForm]) -> Result<bool, TooMany> {
        let mut sum: Vec<MisereForm> = sum.to_vec();
        sum.retain(|form| *form != MisereForm::FINISHED);
        sum.sort_unstable();
        self.settle(sum)
    }

    fn settle(&mut self, sum: Vec<MisereForm>) -> Result<bool, TooMany> {
        // Nobody can move: the other player made the last move and has lost.
        if sum.is_empty() {
            return Ok(false);
        }
        if let Some(lost) = self.lost.get(&sum) {
            return Ok(*lost);
        }
        if self.lost.len() >= self.limit {
            return Err(TooMany {
                limit: self.limit,
                of: "sums",
            });
        }
        let mut lost = true;
        'boards: for place in 0..sum.len() {
            if place > 0 && sum[place] == sum[place - 1] {
                continue;
            }
            for option in self.forms.options(sum[place]) {
                let mut after = sum.clone();
                after.remove(place);
                if *option != MisereForm::FINISHED {
                    let at = after.partition_point(|form| form < option);
                    after.insert(at, *option);
                }
                if self.settle(after)? {
                    lost = false;
                    break 'boards;
                }
            }
        }
        self.lost.insert(sum, lost);
        Ok(lost)
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::{BoardGame, Code};

    use super::*;

    fn game(name: &str) -> BoardGame {
        BoardGame::named(name).unwrap()
    }

    // Boards played by their rules alone, as a sum of two.
    fn brute(game: &BoardGame, pair: [Code; 2], known: &mut HashMap<[Code; 2], bool>) -> bool {
        if let Some(lost) = known.get(&pair) {
            return *lost;
        }
        let (mut any, mut wins) = (false, false);
        for place in 0..2 {
            if game.ending(&pair[place]).is_some() {
                continue;
            }
            let mut moves = Vec::new();
            game.moves(&pair[place], &mut moves);
            for mv in moves {
                let mut after = pair;
                after[place] = game.play(&pair[place], mv).to;
                any = true;
                wins |= brute(game, after, known);
            }
        }
        let lost = any && !wins;
        known.insert(pair, lost);
        lost
    }

    #[test]
    fn the_strip_of_three_has_the_six_classes_of_tame_games() {
        let game = game("classic-1x3");
        let (mut forms, mut known) = (Forms::default(), HashMap::new());
        let start = forms.of(&game, &game.start(), &mut known, 100).unwrap();
        assert_eq!(forms.options.len(), 3, "0, *1 and *2");
        let all = forms.closure(&(0..3).map(MisereForm).collect::<Vec<_>>());
        let quotient = Quotient::of(&forms, &all, 100, 10_000).unwrap();
        assert_eq!((quotient.elements(), quotient.lost_elements()), (6, 2));
        assert!(quotient.is_lost(&[start, start, start]).unwrap());
        let two = MisereForm(2);
        assert!(quotient.is_lost(&[two, two]).unwrap(), "as in normal play");
        assert!(
            quotient.is_lost(&[MisereForm(1)]).unwrap(),
            "the last move loses"
        );
    }

    #[test]
    fn sums_of_two_boards_end_as_the_rules_say() {
        let game = game("classic-1x4");
        let (mut forms, mut codes, mut brutes) = (Forms::default(), HashMap::new(), HashMap::new());
        forms.of(&game, &game.start(), &mut codes, 1000).unwrap();
        let mut outcomes = SumOutcomes::new(&forms, 1_000_000);
        let mut pairs = 0;
        for (a, first) in &codes {
            for (b, second) in &codes {
                let lost = brute(&game, [*a, *b], &mut brutes);
                assert_eq!(outcomes.is_lost(&[*first, *second]).unwrap(), lost);
                pairs += 1;
            }
        }
        assert!(pairs > 10_000, "{pairs}");
    }

    #[test]
    fn a_pretending_function_tells_who_wins_any_sum() {
        let game = game("classic-1x4");
        let (mut forms, mut codes) = (Forms::default(), HashMap::new());
        // The largest position of this board whose quotient is small.
        let position = game.parse_position("R.R.").unwrap();
        let form = forms.of(&game, &position, &mut codes, 1000).unwrap();
        let all = forms.closure(&[form]);
        let quotient = Quotient::of(&forms, &all, 300, 1_000_000).unwrap();
        let mut outcomes = SumOutcomes::new(&forms, 1_000_000);
        for a in &all {
            for b in &all {
                for c in all.iter().step_by(3) {
                    let sum = [*a, *b, *c];
                    assert_eq!(
                        quotient.is_lost(&sum),
                        outcomes.is_lost(&sum).ok(),
                        "{sum:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn limits_are_kept() {
        let game = game("classic-1x5");
        let (mut forms, mut codes) = (Forms::default(), HashMap::new());
        let few = forms.of(&game, &game.start(), &mut codes, 20);
        assert_eq!(few.unwrap_err().of, "positions");
        codes.clear();
        let start = forms.of(&game, &game.start(), &mut codes, 2000).unwrap();
        let sums = SumOutcomes::new(&forms, 20).is_lost(&[start, start]);
        assert_eq!(
            sums.unwrap_err().to_string(),
            "found more than 20 sums, the most that were allowed"
        );
        let classes = Quotient::of(&forms, &forms.closure(&[start]), 30, 100_000);
        assert!(classes.is_err());
    }
}
