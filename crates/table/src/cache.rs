//! A cache of decoded frames, of one table or of several, shared by threads.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::frame::DecodedFrame;

/// Bytes of decoded frames that an open table keeps, at most, where it keeps them for itself.
pub const KEPT_BYTES: usize = 32 << 20;

/// Frames that are kept at most.
const MOST_FRAMES: usize = 1024;

/// Bytes that the cache takes without a request: so few that any program uses them.
const UNCLAIMED: usize = 2 << 20;

/// Decides whether there is memory for decoded frames.
pub trait FrameRoom: fmt::Debug + Send + Sync {
    /// Claims this many bytes; whether they are there.
    fn claim(&self, bytes: usize) -> bool;

    /// Gives back bytes that were claimed.
    fn give_back(&self, bytes: usize);
}

/// Decoded frames of several tables; the one not asked for longest goes first. Copies share them.
#[derive(Clone, Debug)]
pub struct FrameCache(Arc<SharedCache>);

#[derive(Debug)]
struct SharedCache {
    kept: Mutex<HeldFrames>,
    most: usize,
    room: Option<Box<dyn FrameRoom>>,
}

#[derive(Debug, Default)]
struct HeldFrames {
    // By table and number.
    frames: HashMap<(u64, u64), CachedFrame>,
    bytes: usize,
    unclaimed: usize,
    clock: u64,
}

#[derive(Debug)]
struct CachedFrame {
    frame: Arc<DecodedFrame>,
    used: u64,
    claimed: bool,
}

impl HeldFrames {
    fn remove(&mut self, key: (u64, u64), room: Option<&dyn FrameRoom>) {
        let Some(old) = self.frames.remove(&key) else {
            return;
        };
        let size = old.frame.size();
        self.bytes -= size;
        match (old.claimed, room) {
            (true, Some(room)) => room.give_back(size),
            _ => self.unclaimed -= size,
        }
    }

    fn oldest(&self) -> Option<(u64, u64)> {
        let oldest = self.frames.iter().min_by_key(|(_, frame)| frame.used);
        oldest.map(|(key, _)| *key)
    }

    fn remove_where(
        &mut self,
        room: Option<&dyn FrameRoom>,
        goes: impl Fn(u64, &CachedFrame) -> bool,
    ) {
        let going = self.frames.iter().filter(|(key, frame)| goes(key.0, frame));
        let going: Vec<(u64, u64)> = going.map(|(key, _)| *key).collect();
        for key in going {
            self.remove(key, room);
        }
    }
}

impl FrameCache {
    /// A cache of this many bytes at most, but for little all of them claimed.
    #[must_use]
    pub fn new(most: usize, room: Box<dyn FrameRoom>) -> FrameCache {
        FrameCache::with(most, Some(room))
    }

    fn with(most: usize, room: Option<Box<dyn FrameRoom>>) -> FrameCache {
        FrameCache(Arc::new(SharedCache {
            kept: Mutex::default(),
            most,
            room,
        }))
    }

    /// Lets all frames go whose bytes were claimed; whether there were any.
    #[must_use]
    pub fn let_go(&self) -> bool {
        let mut kept = self.kept();
        let before = kept.bytes;
        kept.remove_where(self.0.room.as_deref(), |_, frame| frame.claimed);
        kept.bytes < before
    }

    fn kept(&self) -> MutexGuard<'_, HeldFrames> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: (u64, u64)) -> Option<Arc<DecodedFrame>> {
        let mut kept = self.kept();
        kept.clock += 1;
        let now = kept.clock;
        let found = kept.frames.get_mut(&key)?;
        found.used = now;
        Some(Arc::clone(&found.frame))
    }

    fn put(&self, key: (u64, u64), frame: &Arc<DecodedFrame>) {
        let size = frame.size();
        let SharedCache { most, room, .. } = &*self.0;
        let room = room.as_deref();
        if size > *most {
            return;
        }
        let mut kept = self.kept();
        kept.remove(key, room);
        let claimed = loop {
            if kept.bytes + size <= *most && kept.frames.len() < MOST_FRAMES {
                match room {
                    Some(_) if kept.unclaimed + size <= UNCLAIMED => break false,
                    Some(room) if room.claim(size) => break true,
                    Some(_) => {}
                    None => break false,
                }
            }
            match kept.oldest() {
                Some(oldest) => kept.remove(oldest, room),
                None => return,
            }
        };
        kept.clock += 1;
        let used = kept.clock;
        kept.bytes += size;
        if !claimed {
            kept.unclaimed += size;
        }
        let frame = Arc::clone(frame);
        kept.frames.insert(
            key,
            CachedFrame {
                frame,
                used,
                claimed,
            },
        );
    }
}

impl Drop for SharedCache {
    fn drop(&mut self) {
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        kept.remove_where(self.room.as_deref(), |_, _| true);
    }
}

/// The frames of one table, which go with it.
#[derive(Debug)]
pub(crate) struct TableFrames {
    frames: FrameCache,
    table: u64,
}

impl Default for TableFrames {
    fn default() -> TableFrames {
        TableFrames::within(&FrameCache::with(KEPT_BYTES, None))
    }
}

impl TableFrames {
    /// Those of a table that shares a cache with others.
    pub(crate) fn within(frames: &FrameCache) -> TableFrames {
        static TABLES: AtomicU64 = AtomicU64::new(0);
        TableFrames {
            frames: frames.clone(),
            table: TABLES.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// The frame, if it is there.
    pub(crate) fn get(&self, frame_no: u64) -> Option<Arc<DecodedFrame>> {
        self.frames.get((self.table, frame_no))
    }

    /// Keeps a frame, and lets others go if there are too many.
    pub(crate) fn put(&self, frame_no: u64, frame: &Arc<DecodedFrame>) {
        self.frames.put((self.table, frame_no), frame);
    }
}

impl Drop for TableFrames {
    fn drop(&mut self) {
        let mut kept = self.frames.kept();
        kept.remove_where(self.frames.0.room.as_deref(), |table, _| {
            table == self.table
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(bytes: usize) -> Arc<DecodedFrame> {
        Arc::new(DecodedFrame {
            bytes: vec![0; bytes],
            ..DecodedFrame::default()
        })
    }

    fn known(cache: &TableFrames, numbers: u64) -> Vec<u64> {
        let known = (0..numbers).filter(|number| cache.get(*number).is_some());
        known.collect()
    }

    #[test]
    fn the_oldest_frame_goes_first() {
        let cache = TableFrames::default();
        for number in 0..MOST_FRAMES as u64 {
            cache.put(number, &frame(10));
        }
        assert!(cache.get(0).is_some());
        cache.put(1 << 40, &frame(10));
        assert!(cache.get(0).is_some());
        assert!(cache.get(1).is_none());
        assert!(cache.get(2).is_some());
    }

    #[test]
    fn bytes_are_bounded() {
        let cache = TableFrames::default();
        cache.put(0, &frame(KEPT_BYTES + 1));
        assert!(cache.get(0).is_none());
        for number in 0..8 {
            cache.put(number, &frame(KEPT_BYTES / 4));
            cache.put(number, &frame(KEPT_BYTES / 4));
        }
        assert_eq!(known(&cache, 8), [4, 5, 6, 7]);
    }

    /// Bytes that are left.
    #[derive(Clone, Debug)]
    struct Left(Arc<AtomicU64>);

    impl FrameRoom for Left {
        fn claim(&self, bytes: usize) -> bool {
            let left = &self.0;
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(bytes as u64)
            })
            .is_ok()
        }

        fn give_back(&self, bytes: usize) {
            self.0.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    #[test]
    fn frames_of_several_tables_are_claimed_and_given_back() {
        const ALL: u64 = 4 << 20;
        let left = Left(Arc::new(AtomicU64::new(ALL)));
        let frames = FrameCache::new(1 << 30, Box::new(left.clone()));
        let now = || left.0.load(Ordering::Relaxed);
        let [one, other] = [TableFrames::within(&frames), TableFrames::within(&frames)];
        // The first two of a mebibyte are not claimed.
        for number in 0..2 {
            one.put(number, &frame(1 << 20));
        }
        assert_eq!(now(), ALL);
        for number in 0..4 {
            other.put(number, &frame(1 << 20));
        }
        assert_eq!(now(), 0);
        // A new block replaces the one whose last use is oldest.
        assert_eq!(known(&one, 2), [0, 1]);
        other.put(4, &frame(1 << 20));
        assert_eq!(known(&other, 5), [1, 2, 3, 4]);
        assert_eq!(now(), 0);
        assert!(frames.let_go());
        assert!(!frames.let_go());
        assert_eq!(now(), ALL);
        assert_eq!(known(&one, 2), [0, 1]);
        // A table takes its frames along.
        other.put(5, &frame(1 << 20));
        assert_eq!(now(), ALL - (1 << 20));
        drop(other);
        assert_eq!(now(), ALL);
        drop((one, frames));
        assert_eq!(now(), ALL);
    }

    #[test]
    fn without_room_a_frame_is_not_kept() {
        let left = Left(Arc::new(AtomicU64::new(0)));
        let cache = TableFrames::within(&FrameCache::new(1 << 30, Box::new(left)));
        cache.put(0, &frame(UNCLAIMED + 1));
        assert!(cache.get(0).is_none());
        cache.put(1, &frame(UNCLAIMED));
        cache.put(2, &frame(UNCLAIMED));
        assert_eq!(known(&cache, 3), [2]);
    }
}
