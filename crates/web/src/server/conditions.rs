//! Preconditions of requests (RFC 9110, section 13), decided in one place for everything that is sent.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hyper::Method;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;

/// What tells one state of an answer from another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Validators {
    /// Its entity tag, quotes included; strong, since the same tag means the same bytes.
    pub(crate) tag: Option<String>,
    /// When it last changed.
    pub(crate) modified: Option<SystemTime>,
}

/// What the preconditions of a request ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// The answer, and a range of it only if `ranges`.
    Met { ranges: bool },
    /// Nothing, since the client has it: 304.
    NotModified,
    /// Nothing, since it is no longer what the client means: 412.
    Failed,
}

impl Validators {
    /// What a tag tells apart.
    pub(crate) fn of_tag(tag: Option<String>) -> Validators {
        Validators {
            tag,
            modified: None,
        }
    }

    /// The headers that carry them.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let tag = self.tag.as_ref().map(|tag| (header::ETAG, tag.clone()));
        let modified = self
            .modified
            .map(|time| (header::LAST_MODIFIED, httpdate::fmt_http_date(time)));
        [tag, modified]
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name, HeaderValue::from_str(&value).ok()?)))
    }

    /// Judges the preconditions of a request in the order of section 13.2.2.
    pub(crate) fn judge(&self, request: &Parts) -> Condition {
        let list = |name| tags(request, name);
        let date = |name| date(request, name);
        if let Some(wanted) = list(header::IF_MATCH) {
            if !wanted.iter().any(|one| one.is_strongly(self)) {
                return Condition::Failed;
            }
        } else if let Some(wanted) = date(header::IF_UNMODIFIED_SINCE)
            && self.seconds().is_some_and(|changed| changed > wanted)
        {
            return Condition::Failed;
        }
        if let Some(known) = list(header::IF_NONE_MATCH) {
            if known.iter().any(|one| one.is_weakly(self)) {
                return if request.method == Method::GET || request.method == Method::HEAD {
                    Condition::NotModified
                } else {
                    Condition::Failed
                };
            }
        } else if let Some(known) = date(header::IF_MODIFIED_SINCE)
            && self.seconds().is_some_and(|changed| changed <= known)
        {
            return Condition::NotModified;
        }
        Condition::Met {
            ranges: self.is_range_of_it(request),
        }
    }

    /// Whether a range, if one is requested, belongs to what there is. A date is trusted only if it is
    /// the exact one and older than a minute: until then a file may change within the second.
    fn is_range_of_it(&self, request: &Parts) -> bool {
        let mut lines = request.headers.get_all(header::IF_RANGE).iter();
        let (Some(line), None) = (lines.next(), lines.next()) else {
            return !request.headers.contains_key(header::IF_RANGE);
        };
        let Ok(text) = line.to_str() else {
            return false;
        };
        if let Ok(time) = httpdate::parse_http_date(text.trim()) {
            let settled = self.modified.is_some_and(|changed| {
                changed
                    .elapsed()
                    .is_ok_and(|age| age >= Duration::from_secs(60))
            });
            return settled && seconds(time) == self.seconds();
        }
        tags_in(text).is_some_and(|tags| tags.len() == 1 && tags[0].is_strongly(self))
    }

    /// Whole seconds of the last change, which is all that dates say.
    fn seconds(&self) -> Option<u64> {
        seconds(self.modified?)
    }
}

fn seconds(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(since.as_secs())
}

/// One tag of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum EntityTag {
    /// `*`: any content.
    Any,
    /// The quoted text, and whether `W/` stands before it.
    Quoted { text: String, weak: bool },
}

impl EntityTag {
    fn is_weakly(&self, of: &Validators) -> bool {
        match self {
            EntityTag::Any => true,
            EntityTag::Quoted { text, .. } => of.tag.as_ref() == Some(text),
        }
    }

    fn is_strongly(&self, of: &Validators) -> bool {
        match self {
            EntityTag::Quoted { weak: true, .. } => false,
            EntityTag::Any | EntityTag::Quoted { weak: false, .. } => self.is_weakly(of),
        }
    }
}

/// The tags in all lines of a header; `None` where it is not sent. A tag that cannot be read
/// matches nothing.
fn tags(request: &Parts, name: HeaderName) -> Option<Vec<EntityTag>> {
    let mut lines = request.headers.get_all(name).iter().peekable();
    lines.peek()?;
    let read = lines.filter_map(|line| tags_in(line.to_str().ok()?));
    Some(read.flatten().collect())
}

/// Reads a list of tags; a comma inside quotes belongs to the tag. `None` where it is no such list.
fn tags_in(text: &str) -> Option<Vec<EntityTag>> {
    let mut tags = Vec::new();
    let mut rest = text.trim();
    if rest == "*" {
        return Some(vec![EntityTag::Any]);
    }
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(',') {
            rest = after.trim_start();
            continue;
        }
        let strong = rest.strip_prefix("W/");
        let quoted = strong.unwrap_or(rest).strip_prefix('"')?;
        let (inside, after) = quoted.split_once('"')?;
        tags.push(EntityTag::Quoted {
            text: format!("\"{inside}\""),
            weak: strong.is_some(),
        });
        rest = after.trim_start();
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
    }
    Some(tags)
}

/// The date in a header; `None` where it is not sent, sent twice, or no date.
fn date(request: &Parts, name: HeaderName) -> Option<u64> {
    let mut lines = request.headers.get_all(name).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else {
        return None;
    };
    seconds(httpdate::parse_http_date(line.to_str().ok()?.trim()).ok()?)
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    const CHANGED: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const BEFORE: &str = "Sun, 06 Nov 1994 08:49:36 GMT";
    const AFTER: &str = "Monday, 07-Nov-94 08:49:37 GMT";

    fn judged(of: &Validators, headers: &[(&str, &str)]) -> Condition {
        let mut request = Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        of.judge(&request.body(()).unwrap().into_parts().0)
    }

    /// Every row of the section, one after another.
    #[test]
    fn preconditions_are_judged_as_the_standard_says() {
        const MET: Condition = Condition::Met { ranges: true };
        const WHOLE: Condition = Condition::Met { ranges: false };
        let file = Validators {
            tag: Some("\"a,b\"".into()),
            modified: httpdate::parse_http_date(CHANGED).ok(),
        };
        let cases: &[(&[(&str, &str)], Condition)] = &[
            (&[], MET),
            (&[("if-match", "*")], MET),
            (&[("if-match", "\"x\", \"a,b\"")], MET),
            (&[("if-match", "\"x\""), ("if-match", "\"a,b\"")], MET),
            (&[("if-match", "W/\"a,b\"")], Condition::Failed),
            (&[("if-match", "\"x\"")], Condition::Failed),
            (&[("if-match", "a,b")], Condition::Failed),
            (&[("if-unmodified-since", CHANGED)], MET),
            (&[("if-unmodified-since", AFTER)], MET),
            (&[("if-unmodified-since", BEFORE)], Condition::Failed),
            (&[("if-unmodified-since", "yesterday")], MET),
            // A tag that matches is stronger than a date.
            (
                &[("if-match", "\"a,b\""), ("if-unmodified-since", BEFORE)],
                MET,
            ),
            (&[("if-none-match", "*")], Condition::NotModified),
            (&[("if-none-match", "W/\"a,b\"")], Condition::NotModified),
            (
                &[("if-none-match", "\"x\",,\"a,b\"")],
                Condition::NotModified,
            ),
            (&[("if-none-match", "\"x\"")], MET),
            (&[("if-modified-since", CHANGED)], Condition::NotModified),
            (&[("if-modified-since", BEFORE)], MET),
            (
                &[("if-none-match", "\"x\""), ("if-modified-since", AFTER)],
                MET,
            ),
            (
                &[("if-match", "\"x\""), ("if-none-match", "\"a,b\"")],
                Condition::Failed,
            ),
            (&[("if-range", "\"a,b\"")], MET),
            (&[("if-range", "W/\"a,b\"")], WHOLE),
            (&[("if-range", "\"x\"")], WHOLE),
            (&[("if-range", CHANGED)], MET),
            (&[("if-range", AFTER)], WHOLE),
            (&[("if-range", "\"a,b\""), ("if-range", "\"a,b\"")], WHOLE),
        ];
        for (headers, expected) in cases {
            assert_eq!(judged(&file, headers), *expected, "{headers:?}");
        }
        let nothing = Validators::default();
        for (headers, expected) in [
            (("if-match", "*"), MET),
            (("if-match", "\"x\""), Condition::Failed),
            (("if-none-match", "\"x\""), MET),
            (("if-modified-since", AFTER), MET),
            (("if-unmodified-since", BEFORE), MET),
        ] {
            assert_eq!(judged(&nothing, &[headers]), expected, "{headers:?}");
        }
        // Content that changed a moment ago may have changed twice within a second.
        let fresh = Validators {
            modified: Some(SystemTime::now()),
            tag: None,
        };
        let now = httpdate::fmt_http_date(SystemTime::now());
        assert_eq!(judged(&fresh, &[("if-range", &now)]), WHOLE);
    }
}
