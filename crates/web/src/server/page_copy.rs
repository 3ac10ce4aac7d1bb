//! A page as it is sent.

use std::sync::OnceLock;

use hyper::body::Bytes;

/// A page with its compressed form.
pub(crate) struct PageCopy {
    pub(super) text: Bytes,
    packed: OnceLock<Option<Bytes>>,
}

impl PageCopy {
    pub(super) fn of(text: String) -> PageCopy {
        PageCopy {
            text: text.into(),
            packed: OnceLock::new(),
        }
    }

    /// The page compressed, if that pays; once, for the first client that reads it so.
    pub(super) fn packed(&self, pack: fn(&[u8]) -> Option<Vec<u8>>) -> Option<Bytes> {
        let packed = || pack(&self.text).map(Bytes::from);
        self.packed.get_or_init(packed).clone()
    }
}
