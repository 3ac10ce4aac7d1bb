//! A small cache of decoded frames, shared by threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::frame::DecodedFrame;

/// Bytes of frames that are kept.
const MOST_BYTES: usize = 32 << 20;

/// Frames that are kept at most.
const MOST_FRAMES: usize = 512;

/// Decoded frames; the one not asked for longest goes first.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    frames: HashMap<u64, (Arc<DecodedFrame>, u64)>,
    bytes: usize,
    clock: u64,
}

impl Cache {
    /// The frame, if it is there.
    pub(crate) fn get(&self, frame_no: u64) -> Option<Arc<DecodedFrame>> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.clock += 1;
        let now = inner.clock;
        let (frame, used) = inner.frames.get_mut(&frame_no)?;
        *used = now;
        Some(Arc::clone(frame))
    }

    /// Keeps a frame, and lets others go if there are too many.
    pub(crate) fn put(&self, frame_no: u64, frame: &Arc<DecodedFrame>) {
        let size = frame.size();
        if size > MOST_BYTES {
            return;
        }
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.clock += 1;
        let now = inner.clock;
        if let Some((old, _)) = inner.frames.insert(frame_no, (Arc::clone(frame), now)) {
            inner.bytes -= old.size();
        }
        inner.bytes += size;
        while inner.bytes > MOST_BYTES || inner.frames.len() > MOST_FRAMES {
            let oldest = inner.frames.iter().min_by_key(|(_, (_, used))| *used);
            let Some(oldest) = oldest.map(|(number, _)| *number) else {
                break;
            };
            if let Some((old, _)) = inner.frames.remove(&oldest) {
                inner.bytes -= old.size();
            }
        }
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

    #[test]
    fn the_oldest_frame_goes_first() {
        let cache = Cache::default();
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
        let cache = Cache::default();
        cache.put(0, &frame(MOST_BYTES + 1));
        assert!(cache.get(0).is_none());
        for number in 0..8 {
            cache.put(number, &frame(MOST_BYTES / 4));
            cache.put(number, &frame(MOST_BYTES / 4));
        }
        let kept: Vec<u64> = (0..8)
            .filter(|number| cache.get(*number).is_some())
            .collect();
        assert_eq!(kept, [4, 5, 6, 7]);
    }
}
