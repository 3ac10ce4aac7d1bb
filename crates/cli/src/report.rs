//! What a command answers with: a document that programs read as JSON and that prints itself for
//! people.

use std::fmt::{self, Display, Formatter};

use serde::{Serialize, Serializer};

use crate::session::{CommandVerdict, Report};

/// A document with the words in which people hear of it.
pub(crate) struct DocumentReport<D, F> {
    document: D,
    words: F,
}

impl<D, F: Fn(&D) -> Result<String, fmt::Error>> DocumentReport<D, F> {
    pub(crate) fn new(document: D, words: F) -> DocumentReport<D, F> {
        DocumentReport { document, words }
    }
}

impl<D, F: Fn(&D) -> Result<String, fmt::Error>> Display for DocumentReport<D, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.words)(&self.document)?)
    }
}

impl<D: Serialize, F> Serialize for DocumentReport<D, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

/// Results that programs read one a line, with the words that describe all of them to people.
pub(crate) struct ListReport<D, F> {
    documents: Vec<D>,
    words: F,
}

impl<D, F: Fn(&[D]) -> String> ListReport<D, F> {
    pub(crate) fn new(documents: Vec<D>, words: F) -> ListReport<D, F> {
        ListReport { documents, words }
    }
}

impl<D, F: Fn(&[D]) -> String> Display for ListReport<D, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.words)(&self.documents))
    }
}

impl<D: Serialize, F: Fn(&[D]) -> String> Report for ListReport<D, F> {
    fn json(&self) -> serde_json::Result<String> {
        let lines = self.documents.iter().map(serde_json::to_string);
        Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
    }
}

/// How a command ended, with what is left to be printed.
pub(crate) struct CommandReport {
    pub(crate) verdict: CommandVerdict,
    pub(crate) report: Option<Box<dyn Report>>,
}

impl CommandReport {
    /// Done, with a result.
    pub(crate) fn with(report: impl Report + 'static) -> CommandReport {
        CommandReport {
            verdict: CommandVerdict::Done,
            report: Some(Box::new(report)),
        }
    }
}

impl From<CommandVerdict> for CommandReport {
    fn from(verdict: CommandVerdict) -> CommandReport {
        CommandReport {
            verdict,
            report: None,
        }
    }
}
