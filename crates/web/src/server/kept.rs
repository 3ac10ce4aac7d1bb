//! Pages that follow from tables alone, kept with their compressed form: most readers see the same few.

use std::sync::{Arc, OnceLock};

use greenwave_words::Language;
use hyper::body::Bytes;

use super::coding;
use crate::explorer::Explorer;
use crate::page::game_of;
use crate::routes::PageRequest;

/// A page as it is sent.
pub(crate) struct KeptPage {
    pub(super) text: Bytes,
    packed: OnceLock<Option<Bytes>>,
}

impl KeptPage {
    pub(super) fn of(text: String) -> KeptPage {
        KeptPage {
            text: text.into(),
            packed: OnceLock::new(),
        }
    }

    /// The page compressed, if that pays; once, for the first client that reads it so.
    pub(super) fn packed(&self) -> Option<Bytes> {
        let packed = || coding::gzip(&self.text).map(Bytes::from);
        self.packed.get_or_init(packed).clone()
    }
}

/// What tells pages apart: the tables of the game as they are, the reader's language, and the address with its
/// scheme and host. `None` where nothing is kept.
pub(super) fn key(explorer: &Explorer, asked: &PageRequest<'_>) -> Option<String> {
    let name = game_of(asked.path).filter(|name| asked.path.strip_prefix('/') == Some(*name))?;
    let variant = explorer.variant(name).ok()?;
    let tables = explorer.tables_of(std::slice::from_ref(&variant))?;
    let language = Language::chosen(None, asked.languages).code();
    Some(format!(
        "{tables} {language} {}{}?{}",
        asked.origin, asked.path, asked.query
    ))
}

/// The page of a key, where it is kept.
pub(super) fn find(explorer: &Explorer, key: Option<&str>) -> Option<Arc<KeptPage>> {
    explorer.pages.get(key?)
}
