//! Documents as answers: those that tables decide, and those that later ones better.

use std::sync::Arc;

use greenwave_game::Variant;
use greenwave_tablebase::{Answer, SCHEMA, SourceKind};
use serde::Serialize;

use crate::ahead::PendingWork;
use crate::answer::{AnswerKind, PendingKind, RouteAnswer, json_text};
use crate::explorer::Explorer;
use crate::problem::WorkProgress;

/// One document.
pub(super) fn document<T: Serialize>(document: &T) -> RouteAnswer {
    RouteAnswer::new(AnswerKind::Json, json_text(document))
}

/// Documents, one a line.
pub(super) fn lines<T: Serialize>(documents: impl IntoIterator<Item = T>) -> RouteAnswer {
    let lines = documents.into_iter().map(|one| json_text(&one));
    RouteAnswer::new(AnswerKind::Lines, lines.collect())
}

/// An answer that changes only with the tables of some variants, where they have tables.
pub(super) fn from_tables(
    explorer: &Explorer,
    variants: &[Arc<Variant>],
    answered: RouteAnswer,
) -> RouteAnswer {
    RouteAnswer {
        signature: explorer.tables_of(variants),
        ..answered
    }
}

/// An answer that a later one will better: its document says so, or its last line; a picture cannot.
pub(super) fn pending(answered: RouteAnswer, pending: WorkProgress) -> RouteAnswer {
    let mut body = answered.body;
    let awaited = match answered.kind {
        AnswerKind::Lines => {
            body.push_str(&json_text(&PendingLine {
                schema: SCHEMA,
                pending,
            }));
            PendingKind::Lines
        }
        AnswerKind::Svg => PendingKind::Svg,
        AnswerKind::Json
        | AnswerKind::Coming(..)
        | AnswerKind::Text
        | AnswerKind::Page
        | AnswerKind::FinalPage
        | AnswerKind::PartPage
        | AnswerKind::Embedded
        | AnswerKind::Moved
        | AnswerKind::Renamed => {
            let end = body.trim_end().len().saturating_sub(1);
            if body.trim_end().ends_with('}') {
                body.truncate(end);
                body.push_str(&format!(
                    ",\"pending\":{}}}\n",
                    json_text(&pending).trim_end()
                ));
            }
            PendingKind::Json
        }
    };
    RouteAnswer::new(AnswerKind::Coming(awaited, pending.seconds), body)
}

/// The last line of documents that later ones will better.
#[derive(Serialize)]
struct PendingLine {
    schema: u32,
    pending: WorkProgress,
}

/// An answer that follows from that to a query, which a later one will better where its game is being
/// solved.
pub(super) fn bettered(
    explorer: &Explorer,
    variant: &Arc<Variant>,
    answered: RouteAnswer,
    of: &Answer,
    coming: Option<&PendingWork>,
) -> RouteAnswer {
    let is_final = of.terminal || of.source.kind == SourceKind::Solved;
    if of.source.kind == SourceKind::Table {
        return from_tables(explorer, std::slice::from_ref(variant), answered);
    }
    match coming {
        Some(coming) if !is_final => pending(answered, coming.pending),
        Some(_) | None => answered,
    }
}
