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

    /// Memory for an answer of so many bytes, for which older ones go if that helps.
    fn room_for(&mut self, bytes: u64, memory: &Arc<Memory>) -> Option<Reservation> {
        let most = memory.limit() / PART;
        while bytes <= most.min(self.bytes + memory.free()) {
            if self.bytes + bytes <= most
                && let Some(reserved) = memory.try_reserve(bytes.into())
            {
                return Some(reserved);
            }
            if !self.let_go() {
                break;
            }
        }
        None
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

    /// Keeps what a search that had so much time adds to the answer that is kept, and returns that. It takes the place
    /// of older ones where there is no more memory for it; where even theirs is too little, all stays as it was.
    pub(crate) fn keep(
        &self,
        key: AnswerKey,
        end: SearchEnd,
        (time, for_move): (Duration, bool),
        added_to: impl FnOnce(Option<&Answer>) -> Answer,
    ) -> Arc<Answer> {
        let searched = match end {
            SearchEnd::Unneeded | SearchEnd::Answered => ENDLESS,
            SearchEnd::TimeOver => time,
            SearchEnd::CutShort => Duration::ZERO,
        };
        // An answer and its time belong together: nobody keeps another one in between.
        let mut kept = self.locked();
        let before = kept.recent.get(&key);
        let (known, known_of_move) = before.as_ref().map_or_else(Default::default, |before| {
            (before.time, before.time_for_move)
        });
        let answer = Arc::new(added_to(before.map(|before| &*before.answer)));
        let bytes = bytes_of(&answer);
        let Some(reserved) = kept.room_for(bytes, &self.memory) else {
            return answer;
        };
        let of_move = if for_move { searched } else { Duration::ZERO };
        let new = SearchedAnswer {
            answer: Arc::clone(&answer),
            time: known.max(searched),
            time_for_move: known_of_move.max(of_move),
            bytes,
            _reserved: Arc::new(reserved),
        };
        kept.bytes += bytes;
        let before = kept.recent.insert(key, new);
        kept.bytes -= before.map_or(0, |before| before.bytes);
        answer
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
        let keep = |position: &AnyPosition, end: SearchEnd, time: Duration| {
            kept.keep(key(position), end, (time, false), |_| answer.clone());
        };
        let is_kept = |position: &AnyPosition| {
            let known = kept.get(&key(position));
            known.is_some_and(|known| known.does_for(time, false))
        };
        for position in &positions {
            keep(position, SearchEnd::TimeOver, time);
            assert!(LIMIT - memory.free() <= LIMIT / PART);
        }
        let [first, last] = [positions[0], positions[positions.len() - 1]];
        assert!(!is_kept(&first));
        assert!(is_kept(&last));
        // A shorter search makes nothing shorter.
        keep(&last, SearchEnd::CutShort, Duration::from_millis(1));
        assert!(is_kept(&last));
        // Others need all the memory.
        let full = memory.try_reserve(memory.free().into());
        keep(&first, SearchEnd::TimeOver, time);
        assert!(is_kept(&first));
        // No room is made for what does not fit even then: what was known stays.
        while kept.locked().recent.len() > 1 {
            kept.let_go();
        }
        let rest = memory.try_reserve(memory.free().into());
        let mut large = answer.clone();
        large.position = "R".repeat((LIMIT / PART / 2) as usize);
        let told = kept.keep(key(&first), SearchEnd::Answered, (time, false), |known| {
            assert_eq!(known, Some(&answer));
            large.clone()
        });
        assert_eq!(*told, large);
        assert!(is_kept(&first));
        drop((full, rest));
        while kept.let_go() {}
        assert_eq!(memory.free(), LIMIT);
    }

    #[test]
    fn searches_at_once_add_to_what_each_other_found() {
        const EACH: u32 = 50;
        let variant = Variant::parse("classic-3x3").unwrap();
        let tablebase = crate::Tablebase::open("no-such-folder").unwrap();
        let open = tablebase.query("classic-3x3", "R../.../...").unwrap();
        let kept = SearchedAnswers::within(&Memory::new(8 << 20));
        let key = AnswerKey::new(variant.rules(), variant.start());
        let add = |before: Option<&Answer>| Answer {
            undecided_within: Some(
                before.and_then(|known| known.undecided_within).unwrap_or(0) + 1,
            ),
            ..open.clone()
        };
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    for _ in 0..EACH {
                        let time = (Duration::from_millis(1), false);
                        kept.keep(key.clone(), SearchEnd::TimeOver, time, add);
                    }
                });
            }
        });
        let known = kept.get(&key).unwrap();
        assert_eq!(known.answer.undecided_within, Some(4 * EACH));
    }
}
