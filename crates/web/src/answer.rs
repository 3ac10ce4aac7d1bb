//! An answer before it has headers.

use serde::Serialize;

/// An answer before it has headers for its kind of place.
pub(crate) struct RouteAnswer {
    pub(crate) kind: AnswerKind,
    pub(crate) body: String,
    /// Where the answer follows from tables alone: their signature.
    #[cfg_attr(
        target_family = "wasm",
        allow(dead_code, reason = "there are no tables")
    )]
    pub(crate) signature: Option<String>,
    /// What the client should know beside the answer: where the command says it on stderr, HTTP says it in a header.
    #[cfg_attr(
        target_family = "wasm",
        allow(dead_code, reason = "there are no headers")
    )]
    pub(crate) remark: Option<String>,
}

impl RouteAnswer {
    /// An answer that follows from no table, without a remark.
    pub(crate) fn new(kind: AnswerKind, body: String) -> RouteAnswer {
        RouteAnswer {
            kind,
            body,
            signature: None,
            remark: None,
        }
    }

    /// Sends a client to another address.
    pub(crate) fn moved(address: String) -> RouteAnswer {
        RouteAnswer::new(AnswerKind::Moved, address)
    }
}

/// Kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    Json,
    /// An answer of another kind that a later one will replace, after this number of seconds.
    Coming(PendingKind, u32),
    /// JSON documents, one a line.
    Lines,
    Svg,
    Text,
    Page,
    /// A page that stays the same as long as the tables do: it needs none, or a game that is solved.
    FinalPage,
    /// A page that shows a part of what was requested, since the rest is wrong.
    PartPage,
    /// A page that other pages may show in a frame.
    Embedded,
    /// The body is the address of another page.
    Moved,
    /// The body is the one address of this page, under the proper name of its game.
    Renamed,
}

/// Kind of an answer of the API that a later one will better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingKind {
    Json,
    Lines,
    Svg,
}

impl AnswerKind {
    /// Whether the body is an address.
    pub(crate) fn is_elsewhere(self) -> bool {
        matches!(self, AnswerKind::Moved | AnswerKind::Renamed)
    }

    pub(crate) fn media_type(self) -> &'static str {
        match self {
            AnswerKind::Json | AnswerKind::Coming(PendingKind::Json, _) => "application/json",
            AnswerKind::Lines | AnswerKind::Coming(PendingKind::Lines, _) => "application/x-ndjson",
            AnswerKind::Svg | AnswerKind::Coming(PendingKind::Svg, _) => "image/svg+xml",
            AnswerKind::Text => "text/plain; charset=utf-8",
            AnswerKind::Page
            | AnswerKind::FinalPage
            | AnswerKind::PartPage
            | AnswerKind::Embedded
            | AnswerKind::Moved
            | AnswerKind::Renamed => "text/html; charset=utf-8",
        }
    }
}

/// A document as one line.
pub(crate) fn json_text<T: Serialize>(document: &T) -> String {
    // Documents have keys that are texts, and no numbers that JSON lacks.
    let mut text = serde_json::to_string(document).unwrap_or_default();
    text.push('\n');
    text
}
