//! What such games remember in words, made from the rules themselves.

use super::{LastSquare, MemoryGame, MemoryPosition, Part, Passing, RaisesATurn};
use crate::board::words::{BoardSentence, board, levels, pattern_in_words};
use crate::{Argument, Game, Grid, Play, Sentence, WinPattern};

vocabulary! {
    WORDS, "memory", MemorySentence:
    Swap SwapToo SwapPoints SwapLines SwapPasses SwapLights SwapGoals NotLast NextToLast AwayFromLast
    Neighbours PassFree
    PassFreeScored PassOnce SecondRaise TwoATurn OneThenTwo FirstRaises SecondRaises FirstRaisesNone SecondRaisesNone
    FirstCompletes SecondCompletes FirstCompletesNone SecondCompletesNone Pattern GoalWins GoalLoses LinesWin
    LinesScoreOn LinesLose GoalLinesWin GoalLinesLose StuckMore StuckFewer StuckMayDraw StuckMayLose StuckMayMore StuckMayFewer
    NoSwap SwapNow LastNow PassedNow PassedNowScored PassedTwice PassesNow FirstMoves SecondMoves FirstPartMoves
    SecondPartMoves RaisesLeft LinesNow
}

impl MemoryGame {
    /// One sentence each.
    pub(super) fn sentences(&self) -> Vec<Sentence> {
        let memory = self.memory();
        let rules = self.base().board();
        let mut sentences = board(rules, self.rules());
        // Replaces a sentence by others, or adds some at the place of its subject.
        let replace = |sentences: &mut Vec<Sentence>, old: BoardSentence, new: Vec<Sentence>| {
            let key = old.plain().key;
            if let Some(place) = sentences.iter().position(|sentence| sentence.key == key) {
                sentences.splice(place..=place, new);
            }
        };
        if memory.may.is_some() {
            let place = BoardSentence::Raises.plain().key;
            let place = sentences.iter().position(|sentence| sentence.key == place);
            let after = place.map_or(0, |place| place + 1);
            sentences.splice(after..after, may(self));
        }
        if memory.goal.is_some() {
            for all in [BoardSentence::Patterns, BoardSentence::EqualLights] {
                replace(&mut sentences, all, goal(self));
            }
        }
        let misere = rules.play == Play::Misere;
        let line = if misere {
            BoardSentence::LineLoses
        } else {
            BoardSentence::LineWins
        };
        let told = match (memory.goal.is_some(), memory.win_lines, misere) {
            (false, None, _) => None,
            (true, None, false) => Some(MemorySentence::GoalWins.plain()),
            (true, None, true) => Some(MemorySentence::GoalLoses.plain()),
            (goal, Some(lines), misere) => {
                let sentence = match (goal, misere) {
                    (false, false) => MemorySentence::LinesWin,
                    (false, true) => MemorySentence::LinesLose,
                    (true, false) => MemorySentence::GoalLinesWin,
                    (true, true) => MemorySentence::GoalLinesLose,
                };
                Some(sentence.with([Argument::number(lines)]))
            }
        };
        if let Some(told) = told {
            replace(&mut sentences, line, vec![told]);
        }
        if memory.win_lines.is_some() {
            let (more, own) = if misere {
                (MemorySentence::StuckFewer, MemorySentence::StuckMayFewer)
            } else {
                (MemorySentence::StuckMore, MemorySentence::StuckMayMore)
            };
            // Without a pass, nobody can raise a square only where the player to move has no move.
            let full = memory.may.is_none() || memory.pass != Passing::Never || memory.swap;
            let own_end = memory.may.is_some() && memory.pass != Passing::Free;
            let told = [(full, more), (own_end, own)];
            let told = told.into_iter().filter(|(is_told, _)| *is_told);
            replace(
                &mut sentences,
                BoardSentence::StuckDraws,
                told.map(|(_, sentence)| sentence.plain()).collect(),
            );
        }
        if memory.pass == Passing::Free {
            // A player can always pass, so that nobody is ever without a move.
            for never in [
                BoardSentence::StuckDraws,
                BoardSentence::StuckLoses,
                BoardSentence::StuckPasses,
            ] {
                replace(&mut sentences, never, Vec::new());
            }
            let scored = vec![MemorySentence::LinesScoreOn.plain()];
            replace(&mut sentences, BoardSentence::LinesScore, scored);
        }
        if memory.may.is_some() && memory.win_lines.is_none() {
            for (any, own) in [
                (BoardSentence::StuckDraws, MemorySentence::StuckMayDraw),
                (BoardSentence::StuckLoses, MemorySentence::StuckMayLose),
            ] {
                replace(&mut sentences, any, vec![own.plain()]);
            }
        }
        if memory.turns != RaisesATurn::One {
            // Each says what happens to a player without a move.
            let stuck = [
                BoardSentence::StuckLoses.plain().key,
                MemorySentence::StuckMayDraw.plain().key,
                MemorySentence::StuckMayLose.plain().key,
                MemorySentence::StuckMayMore.plain().key,
                MemorySentence::StuckMayFewer.plain().key,
            ];
            let mut places = sentences.iter();
            if let Some(place) = places.rposition(|sentence| stuck.contains(&sentence.key)) {
                sentences.insert(place + 1, MemorySentence::SecondRaise.plain());
            }
        }
        sentences.extend(turns(self));
        sentences
    }
}

// The player who may make each ply.
fn turns(game: &MemoryGame) -> Vec<Sentence> {
    let memory = game.memory();
    let scores = game.rules().properties.scores;
    let turns = match memory.turns {
        RaisesATurn::One => None,
        RaisesATurn::Two => Some(MemorySentence::TwoATurn),
        RaisesATurn::OneThenTwo => Some(MemorySentence::OneThenTwo),
    };
    let last = match memory.last_square {
        LastSquare::Any => None,
        LastSquare::Forbidden => Some(MemorySentence::NotLast),
        LastSquare::Neighbours => Some(MemorySentence::NextToLast),
        LastSquare::Elsewhere => Some(MemorySentence::AwayFromLast),
    };
    let pass = match memory.pass {
        Passing::Never => None,
        Passing::Free if scores => Some(MemorySentence::PassFreeScored),
        Passing::Free => Some(MemorySentence::PassFree),
        Passing::Once => Some(MemorySentence::PassOnce),
    };
    // On hexagons the board has said it.
    let names_neighbours = matches!(
        memory.last_square,
        LastSquare::Neighbours | LastSquare::Elsewhere
    );
    let square = game.base().board().shape.geometry().grid == Grid::Square;
    let near = (names_neighbours && square).then_some(MemorySentence::Neighbours);
    let all = [turns, last, near, pass].into_iter().flatten();
    let mut told: Vec<Sentence> = all.map(MemorySentence::plain).collect();
    if memory.swap {
        told.extend(swap(game));
    }
    told
}

// That the players may swap, and what belongs to the parts that they exchange.
fn swap(game: &MemoryGame) -> Vec<Sentence> {
    let memory = game.memory();
    if memory.turns == RaisesATurn::Two {
        return vec![MemorySentence::NoSwap.plain()];
    }
    let of_parts = [
        (
            game.base().board().play == Play::PlayOn,
            MemorySentence::SwapPoints,
        ),
        (memory.win_lines.is_some(), MemorySentence::SwapLines),
        (memory.pass == Passing::Once, MemorySentence::SwapPasses),
        (memory.may.is_some(), MemorySentence::SwapLights),
        (memory.goal.is_some(), MemorySentence::SwapGoals),
    ];
    let exchanged = of_parts.into_iter().filter(|(is_there, _)| *is_there);
    let exchanged: Vec<Sentence> = exchanged.map(|(_, what)| what.plain()).collect();
    let mut told = vec![MemorySentence::Swap.plain()];
    if !exchanged.is_empty() {
        told.push(MemorySentence::SwapToo.with([Argument::List(exchanged)]));
    }
    told
}

// To which lights each player may raise.
fn may(game: &MemoryGame) -> Vec<Sentence> {
    let names = levels(game.rules());
    let Some(may) = &game.memory().may else {
        return Vec::new();
    };
    let of = |part: Part| {
        let lights = may[part as usize].iter();
        let lights: Vec<Sentence> = lights
            .map(|level| names[usize::from(*level)].clone())
            .collect();
        match (part, lights.is_empty()) {
            (Part::First, true) => MemorySentence::FirstRaisesNone.plain(),
            (Part::Second, true) => MemorySentence::SecondRaisesNone.plain(),
            (Part::First, false) => MemorySentence::FirstRaises.with([Argument::List(lights)]),
            (Part::Second, false) => MemorySentence::SecondRaises.with([Argument::List(lights)]),
        }
    };
    Part::ALL.into_iter().map(of).collect()
}

// Which lights each player wants in a line.
fn goal(game: &MemoryGame) -> Vec<Sentence> {
    let names = levels(game.rules());
    let Some(goal) = &game.memory().goal else {
        return Vec::new();
    };
    let is_told = |pattern: &&WinPattern| {
        let levels = pattern.levels.iter();
        levels.clone().le(levels.rev())
    };
    let of = |part: Part| {
        let told = goal[part as usize].iter().filter(is_told);
        let told = told.map(|pattern| {
            let board = game.base().board();
            MemorySentence::Pattern.with([pattern_in_words(board, pattern, &names)])
        });
        let told: Vec<Sentence> = told.collect();
        match (part, told.is_empty()) {
            (Part::First, true) => MemorySentence::FirstCompletesNone.plain(),
            (Part::Second, true) => MemorySentence::SecondCompletesNone.plain(),
            (Part::First, false) => MemorySentence::FirstCompletes.with([Argument::List(told)]),
            (Part::Second, false) => MemorySentence::SecondCompletes.with([Argument::List(told)]),
        }
    };
    Part::ALL.into_iter().map(of).collect()
}

impl MemoryGame {
    /// What a picture of the board does not show.
    pub(super) fn notes(&self, position: &MemoryPosition) -> Vec<Sentence> {
        let memory = self.memory();
        let mut notes = Vec::new();
        let over = self.ending(position).is_some();
        if !over && (memory.has_parts() || memory.turns != RaisesATurn::One) {
            // After a swap the first player has the second player's part.
            let swaps = memory.swap && memory.turns != RaisesATurn::Two;
            let sentence = match (self.turn(position), swaps) {
                (Part::First, false) => MemorySentence::FirstMoves,
                (Part::Second, false) => MemorySentence::SecondMoves,
                (Part::First, true) => MemorySentence::FirstPartMoves,
                (Part::Second, true) => MemorySentence::SecondPartMoves,
            };
            notes.push(sentence.plain());
        }
        if !over && memory.turns != RaisesATurn::One {
            let left = memory.turns.left(self.raises_so_far(position.code));
            notes.push(MemorySentence::RaisesLeft.with([Argument::number(left)]));
        }
        if let Some(cell) = position.last {
            let name = self.base().board().shape.cell_name(cell);
            notes.push(MemorySentence::LastNow.with([Argument::Text(name)]));
        }
        match position.passed {
            0 => {}
            1 if self.rules().properties.scores => {
                notes.push(MemorySentence::PassedNowScored.plain())
            }
            1 => notes.push(MemorySentence::PassedNow.plain()),
            _ => notes.push(MemorySentence::PassedTwice.plain()),
        }
        if memory.pass == Passing::Once {
            let left = position.passes.map(Argument::number);
            notes.push(MemorySentence::PassesNow.with(left));
        }
        if memory.win_lines.is_some() {
            let lines = position.lines.map(Argument::number);
            notes.push(MemorySentence::LinesNow.with(lines));
        }
        if position.swap {
            notes.push(MemorySentence::SwapNow.plain());
        }
        notes
    }
}
