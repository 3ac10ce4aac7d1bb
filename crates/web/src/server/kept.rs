//! Pages that follow from solved games or from their addresses alone, kept with their compressed form: most readers see the same few.

use std::sync::Arc;

use greenwave_words::Language;

use super::page_copy::PageCopy;
use crate::explorer::{Client, Explorer};
use crate::page::{game_of, stays};
use crate::routes::{PageRequest, is_api};

/// Longest query of a page that is kept, in bytes.
const LONGEST: usize = 512;

/// What tells pages apart: the tables of the game as they are, the reader's language, and the address with its
/// scheme and host. `None` where nothing is kept.
pub(super) fn key(explorer: &Explorer, asked: &PageRequest<'_>, client: Client) -> Option<String> {
    // Addresses as long as this are asked for once.
    if asked.query.len() > LONGEST {
        return None;
    }
    if is_api(asked.path) {
        return None;
    }
    // A projector at the computer itself is told its address in the network, which changes.
    if client.address.is_loopback() && asked.query.contains("view=board") {
        return None;
    }
    let tables = if stays(asked.path) {
        String::new()
    } else {
        let name = game_of(asked.path).filter(|name| asked.path.strip_prefix('/') == Some(*name));
        let variant = explorer.variant(name?).ok()?;
        // Without tables a page that is kept says what was solved in memory.
        let tables = explorer.tables_of(std::slice::from_ref(&variant));
        tables.unwrap_or_default()
    };
    let language = Language::chosen(None, asked.languages).code();
    Some(format!(
        "{tables} {language} {}{}?{}",
        asked.origin, asked.path, asked.query
    ))
}

/// The page of a key, where it is kept.
pub(super) fn find(explorer: &Explorer, key: Option<&str>) -> Option<Arc<PageCopy>> {
    explorer.pages.get(key?)
}
