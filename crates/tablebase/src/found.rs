//! Answers that searches have found about single positions, kept for the next question about the same one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use greenwave_game::{AnyPosition, Lights, Rules};
use greenwave_probe::lacks_distance;

use crate::documents::{Answer, MoveFigures};
use crate::memory::{Memory, Reservation};
use crate::recent::Recent;

/// How many times as long as before a search has to take for it to find more.
const LONGER: u32 = 2;
/// The time of a search that has found all that there is to find.
const ENDLESS: Duration = Duration::MAX;
/// The part of the memory that kept answers take at most.
const PART: u64 = 64;

/// What ended a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// There was none: values that are known, or rules, say all.
    #[default]
    Unneeded,
    /// Its answer: no more time gives a better one.
    Answered,
    /// Its time.
    TimeOver,
    /// Others, who have the memory, or whoever cancelled it: the same time may give more.
    CutShort,
}

impl SearchEnd {
    /// The end where something else was not done for this reason: it may say more, unless the search has the answer.
    pub(crate) fn without(self, other: SearchEnd) -> SearchEnd {
        match self {
            SearchEnd::Unneeded | SearchEnd::TimeOver => other,
            SearchEnd::Answered | SearchEnd::CutShort => self,
        }
    }
}

/// A position of a game in the words of an answer about it: other names and lights make other texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnswerKey {
    rules: [u8; 32],
    title: String,
    lights: Option<Lights>,
    position: AnyPosition,
}

impl AnswerKey {
    pub(crate) fn new(rules: &Rules, position: AnyPosition) -> AnswerKey {
        AnswerKey {
            rules: rules.hash.0,
            title: rules.title().into(),
            lights: rules.lights,
            position,
        }
    }
}

/// An answer, and how long was searched for it.
#[derive(Clone, Debug)]
pub(crate) struct SearchedAnswer {
    pub(crate) answer: Arc<Answer>,
    time: Duration,
    // The same for its best move, where the value was known without a search.
    time_for_move: Duration,
    bytes: u64,
    _reserved: Arc<Reservation>,
}

impl SearchedAnswer {
    /// Whether a search of this much time would find little more.
    pub(crate) fn does_for(&self, time: Duration, needs_move: bool) -> bool {
        let searched = if needs_move && self.answer.best.is_empty() {
            self.time_for_move
        } else {
            self.time
        };
        searched >= time / LONGER
    }

    /// Whether no more time adds anything.
    pub(crate) fn is_settled(&self, rules: &Rules) -> bool {
        let (answer, figures) = (&self.answer, self.answer.figures());
        let is_ranked = answer.moves.is_empty() || !answer.best.is_empty();
        let is_whole = figures.value.is_some() && !lacks_distance(&figures, rules);
        self.time == ENDLESS && is_ranked && is_whole
    }
}

/// What searches of single positions have found, as long as a part of the memory holds it.
pub(crate) struct SearchedAnswers {
    memory: Arc<Memory>,
    kept: Mutex<KeptAnswers>,
}

#[derive(Default)]
struct KeptAnswers {
    recent: Recent<AnswerKey, SearchedAnswer>,
    bytes: u64,
}

impl KeptAnswers {
    /// Lets the answer go that was not asked for for longest; whether there was one.
    fn let_go(&mut self) -> bool {
        let gone = self.recent.remove_oldest(|_| true);
        self.bytes -= gone.as_ref().map_or(0, |gone| gone.bytes);
        gone.is_some()
    }
}

impl SearchedAnswers {
    /// None yet.
    pub(crate) fn within(memory: &Arc<Memory>) -> SearchedAnswers {
        SearchedAnswers {
            memory: Arc::clone(memory),
            kept: Mutex::default(),
        }
    }

    fn locked(&self) -> MutexGuard<'_, KeptAnswers> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is kept of a position.
    pub(crate) fn get(&self, key: &AnswerKey) -> Option<SearchedAnswer> {
        self.locked().recent.get(key).cloned()
    }

    /// Keeps the answer of a search that had so much time, which says no less than the one before. It takes the place
    /// of older ones where there is no more memory for it.
    pub(crate) fn keep(
        &self,
        key: AnswerKey,
        answer: &Answer,
        end: SearchEnd,
        (time, for_move): (Duration, bool),
    ) {
        let bytes = bytes_of(answer);
        let mut kept = self.locked();
        let before = kept.recent.get(&key).cloned();
        let searched = match end {
            SearchEnd::Unneeded | SearchEnd::Answered => ENDLESS,
            SearchEnd::TimeOver => time,
            SearchEnd::CutShort => Duration::ZERO,
        };
        let longest = |before: Option<Duration>, now: bool| {
            let now = if now { searched } else { Duration::ZERO };
            before.unwrap_or_default().max(now)
        };
        let times = before.as_ref().map(|before| before.time);
        let times_for_move = before.as_ref().map(|before| before.time_for_move);
        kept.bytes -= before.as_ref().map_or(0, |before| before.bytes);
        kept.recent.remove(&key);
        drop(before);
        while kept.bytes + bytes > self.memory.limit() / PART {
            if !kept.let_go() {
                return;
            }
        }
        let reserved = loop {
            match self.memory.try_reserve(bytes.into()) {
                Some(reserved) => break reserved,
                None if kept.let_go() => {}
                None => return,
            }
        };
        kept.bytes += bytes;
        let new = SearchedAnswer {
            answer: Arc::new(answer.clone()),
            time: longest(times, true),
            time_for_move: longest(times_for_move, for_move),
            bytes,
            _reserved: Arc::new(reserved),
        };
        kept.recent.insert(key, new);
    }

    /// Lets the answer go that was not asked for for longest; whether there was one.
    pub(crate) fn let_go(&self) -> bool {
        self.locked().let_go()
    }
}

/// Bytes that an answer takes, rather more than less.
fn bytes_of(answer: &Answer) -> u64 {
    /// What is written of a square or a line of its picture.
    const MARK: usize = 128;
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let moves = answer.moves.iter();
    let moves = moves.map(|mv| size_of::<MoveFigures>() + 2 * mv.mv.len() + text(&mv.to) + 64);
    let diagram = &answer.diagram;
    let marks = diagram.marks.len() + diagram.edges.len() + diagram.labels.len();
    let line = answer.line.iter().flatten().map(|mv| mv.len() + 32);
    let bytes = size_of::<Answer>()
        + size_of::<AnswerKey>()
        + answer.position.len()
        + text(&answer.source.settle)
        + moves.sum::<usize>()
        + line.sum::<usize>()
        + MARK * marks;
    bytes as u64
}

#[cfg(test)]
mod tests {
    use greenwave_game::{Game, Variant};

    use super::*;

    #[test]
    fn kept_answers_take_a_part_of_the_memory_and_the_latest_stay() {
        const LIMIT: u64 = 8 << 20;
        let variant = Variant::parse("classic-3x3").unwrap();
        let tablebase = crate::Tablebase::open("no-such-folder").unwrap();
        let answer = tablebase.query("classic-3x3", "R../.../...").unwrap();
        let memory = Memory::new(LIMIT);
        let kept = SearchedAnswers::within(&memory);
        // More positions than there is room for.
        let count = LIMIT / PART / bytes_of(&answer) + 10;
        let mut positions = vec![variant.start()];
        let mut moves = Vec::new();
        for number in 0.. {
            let Some(position) = positions.get(number).copied() else {
                break;
            };
            variant.moves(&position, &mut moves);
            positions.extend(moves.iter().map(|mv| variant.play(&position, *mv).to));
            if positions.len() as u64 >= count {
                break;
            }
        }
        let key = |position: &AnyPosition| AnswerKey::new(variant.rules(), *position);
        let time = Duration::from_secs(1);
        for position in &positions {
            kept.keep(key(position), &answer, SearchEnd::TimeOver, (time, false));
            assert!(LIMIT - memory.free() <= LIMIT / PART);
        }
        let [first, last] = [positions[0], positions[positions.len() - 1]];
        assert!(kept.get(&key(&first)).is_none());
        assert!(
            kept.get(&key(&last))
                .is_some_and(|known| known.does_for(time, false))
        );
        // A shorter search makes nothing shorter.
        let less = Duration::from_millis(1);
        kept.keep(key(&last), &answer, SearchEnd::CutShort, (less, false));
        assert!(
            kept.get(&key(&last))
                .is_some_and(|known| known.does_for(time, false))
        );
        // Others need all the memory.
        let full = memory.try_reserve(memory.free().into());
        kept.keep(key(&first), &answer, SearchEnd::TimeOver, (time, false));
        assert!(kept.get(&key(&first)).is_some());
        drop(full);
        while kept.let_go() {}
        assert_eq!(memory.free(), LIMIT);
    }
}
