//! What a command answers with: a document that programs read as JSON and that prints itself for
//! people.

use std::fmt::{self, Display, Formatter};

use serde::{Serialize, Serializer};

use crate::session::Verdict;

/// A result.
pub(crate) trait Report: Display {
    /// The documents, one a line.
    fn json(&self) -> serde_json::Result<String>;
}

impl<T: Serialize + Display> Report for T {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// A document with the words in which people hear of it.
pub(crate) struct Told<D, F> {
    document: D,
    words: F,
}

impl<D, F: Fn(&D) -> Result<String, fmt::Error>> Told<D, F> {
    pub(crate) fn new(document: D, words: F) -> Told<D, F> {
        Told { document, words }
    }
}

impl<D, F: Fn(&D) -> Result<String, fmt::Error>> Display for Told<D, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.words)(&self.document)?)
    }
}

impl<D: Serialize, F> Serialize for Told<D, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

/// Results that programs read one a line, with the words that describe all of them to people.
pub(crate) struct Listed<D, F> {
    documents: Vec<D>,
    words: F,
}

impl<D, F: Fn(&[D]) -> String> Listed<D, F> {
    pub(crate) fn new(documents: Vec<D>, words: F) -> Listed<D, F> {
        Listed { documents, words }
    }
}

impl<D, F: Fn(&[D]) -> String> Display for Listed<D, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.words)(&self.documents))
    }
}

impl<D: Serialize, F: Fn(&[D]) -> String> Report for Listed<D, F> {
    fn json(&self) -> serde_json::Result<String> {
        let lines = self.documents.iter().map(serde_json::to_string);
        Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
    }
}

/// How a command ended, with what is left to be printed.
pub(crate) struct Ended {
    pub(crate) verdict: Verdict,
    pub(crate) report: Option<Box<dyn Report>>,
}

impl Ended {
    /// Done, with a result.
    pub(crate) fn with(report: impl Report + 'static) -> Ended {
        Ended {
            verdict: Verdict::Done,
            report: Some(Box::new(report)),
        }
    }
}

impl From<Verdict> for Ended {
    fn from(verdict: Verdict) -> Ended {
        Ended {
            verdict,
            report: None,
        }
    }
}
