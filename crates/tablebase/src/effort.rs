//! Counts the work of an answer, so that tests can set limits for pages.

use std::cell::Cell;

/// Number of position texts that a thread has read, and number of its questions about positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Texts read as positions.
    pub texts: u64,
    /// Positions asked about.
    pub questions: u64,
}

thread_local! {
    static EFFORT: Cell<Effort> = const { Cell::new(Effort { texts: 0, questions: 0 }) };
}

impl Effort {
    /// All that this thread has done so far.
    #[must_use]
    pub fn so_far() -> Effort {
        EFFORT.get()
    }

    /// What it has done since.
    #[must_use]
    pub fn since(before: Effort) -> Effort {
        let now = Effort::so_far();
        Effort {
            texts: now.texts - before.texts,
            questions: now.questions - before.questions,
        }
    }

    pub(crate) fn read_a_text() {
        let now = EFFORT.get();
        EFFORT.set(Effort {
            texts: now.texts + 1,
            ..now
        });
    }

    pub(crate) fn asked_a_question() {
        let now = EFFORT.get();
        EFFORT.set(Effort {
            questions: now.questions + 1,
            ..now
        });
    }
}
