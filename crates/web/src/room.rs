//! How much memory goes to what serving many takes besides their questions: connections, and what is
//! kept from one question to the next.

/// Most bytes of a connection: the bytes read of a request, and those on their way to a client that
/// reads slowly.
const CONNECTION: u64 = 128 << 10;
/// Bytes that a variant read by name takes, roughly, where it is kept.
const VARIANT: u64 = 64 << 10;
/// Bytes that an answer takes, roughly, where it is kept.
const ANSWER: u64 = 16 << 10;
/// Bytes of stack and buffers that a thread takes on which questions are answered, roughly.
#[cfg(not(target_family = "wasm"))]
const THREAD: u64 = 512 << 10;

/// Bytes that a card takes, roughly.
const CARD: u64 = 64 << 10;

/// Bytes that a page takes with its compressed form, roughly.
const PAGE: u64 = 64 << 10;

/// Kinds of answers that are kept.
const KINDS: u64 = 8;

/// Limits of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Connections at once; more wait to be accepted.
    pub(crate) connections: usize,
    /// Variants that are kept.
    pub(crate) variants: usize,
    /// Answers of each kind that are kept.
    pub(crate) answers: usize,
    /// Cards that are kept.
    pub(crate) cards: usize,
    /// Pages that are kept.
    pub(crate) pages: usize,
    /// Threads on which questions are answered; more questions wait.
    pub(crate) threads: usize,
}

impl Room {
    /// An eighth of this many bytes, three quarters of it for connections, the rest for what is kept; and
    /// another eighth for threads.
    pub(crate) fn of(memory: u64) -> Room {
        let part = |bytes: u64, each: u64, least: u64, most: u64| {
            usize::try_from((bytes / each).clamp(least, most)).unwrap_or(usize::MAX)
        };
        let aside = memory / 8;
        Room {
            connections: part(aside * 3 / 4, CONNECTION, 24, 2048),
            variants: part(aside / 8, VARIANT, 8, 512),
            answers: part(aside / 16, KINDS * ANSWER, 3, 256),
            cards: part(aside / 64, CARD, 0, 128),
            pages: part(aside / 32, PAGE, 0, 512),
            threads: part(memory, 4 << 20, 8, 64),
        }
    }

    /// Bytes that all of these take.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn bytes(&self) -> u64 {
        self.connections as u64 * CONNECTION
            + self.variants as u64 * VARIANT
            + self.answers as u64 * KINDS * ANSWER
            + self.cards as u64 * CARD
            + self.pages as u64 * PAGE
            + self.threads as u64 * THREAD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_aside_is_a_quarter_and_has_an_end() {
        for mebibytes in [64, 96, 1_000, 4_000] {
            let memory = mebibytes << 20;
            let bytes = Room::of(memory).bytes();
            assert!(bytes <= memory / 4, "{mebibytes}: {bytes}");
        }
        let little = Room::of(0);
        assert_eq!((little.connections, little.threads), (24, 8));
        assert!(little.bytes() < 8 << 20);
        let much = Room::of(1 << 50);
        assert_eq!((much.connections, much.variants), (2048, 512));
        assert!(much.bytes() < 400 << 20);
    }
}
