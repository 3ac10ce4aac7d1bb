//! Tables for download: whole, or a range of bytes.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use greenwave_tablebase::{is_out_of_files, open_file};
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};

use super::body::{FilePart, ResponseBody};
use super::conditions::Validators;
use crate::download::path_of;
use crate::explorer::Explorer;
use crate::messages;
use crate::problem::Problem;

/// A table that is there.
pub(crate) struct Download {
    file: File,
    length: u64,
    /// What tells this state of it from another.
    pub(crate) validators: Validators,
}

/// The table of a name, `SLUG/METRIC.gwt`.
pub(crate) fn find(explorer: &Explorer, name: &str) -> Result<Download, Problem> {
    let refuse = || Problem::not_found(messages::table_none(format!("/tables/{name}")));
    let path = path_of(explorer, name).ok_or_else(refuse)?;
    opened(&path).map_err(|error| {
        if is_out_of_files(&error) {
            Problem::out_of_files()
        } else {
            refuse()
        }
    })
}

fn opened(path: &Path) -> io::Result<Download> {
    let file = open_file(path)?;
    let about = file.metadata()?;
    let length = about.len();
    let modified = about.modified()?;
    // A table is never written over: another one has another time, to the nanosecond.
    let changed = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Download {
        file,
        length,
        validators: Validators {
            tag: Some(format!("\"{length:x}-{:x}\"", changed.as_nanos())),
            modified: Some(modified),
        },
    })
}

impl Download {
    /// The file, or the part of it that is requested.
    pub(crate) fn response(
        self,
        range: Option<&HeaderValue>,
    ) -> Result<Response<ResponseBody>, Problem> {
        let length = self.length;
        let mut response = Response::new(ResponseBody::nothing());
        let headers = response.headers_mut();
        for (name, value) in [
            (header::CONTENT_TYPE, "application/octet-stream"),
            (header::ACCEPT_RANGES, "bytes"),
            (header::CONTENT_DISPOSITION, "attachment"),
            (header::CACHE_CONTROL, "no-cache"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let mut of_range = |status, text: String| {
            *response.status_mut() = status;
            if let Ok(text) = HeaderValue::from_str(&text) {
                response.headers_mut().insert(header::CONTENT_RANGE, text);
            }
        };
        let range = range.and_then(|range| range.to_str().ok());
        let (from, bytes) = match range.map(|range| range_of(range, length)) {
            None | Some(Range::Whole) => (0, length),
            Some(Range::Part(from, bytes)) => {
                let last = from + bytes - 1;
                of_range(
                    StatusCode::PARTIAL_CONTENT,
                    format!("bytes {from}-{last}/{length}"),
                );
                (from, bytes)
            }
            Some(Range::Outside) => {
                of_range(
                    StatusCode::RANGE_NOT_SATISFIABLE,
                    format!("bytes */{length}"),
                );
                return Ok(response);
            }
        };
        let part = FilePart::new(self.file, from, bytes);
        let part = part.map_err(|error| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("the table cannot be read: {error}"),
            )
        })?;
        *response.body_mut() = ResponseBody::Part(part);
        Ok(response)
    }
}

/// What a header `Range` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    /// Everything, which is also the answer to what is not understood.
    Whole,
    /// From a byte on, this many.
    Part(u64, u64),
    /// Nothing that is there.
    Outside,
}

/// Reads one range; several at once are answered by the whole file, as is allowed.
fn range_of(text: &str, length: u64) -> Range {
    let Some((first, last)) = text
        .strip_prefix("bytes=")
        .filter(|ranges| !ranges.contains(','))
        .and_then(|range| range.trim().split_once('-'))
    else {
        return Range::Whole;
    };
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), _) if first >= length => Range::Outside,
        (Ok(first), Ok(last)) if last < first => Range::Whole,
        (Ok(first), Ok(last)) => Range::Part(first, last.min(length - 1) - first + 1),
        (Ok(first), Err(_)) if last.is_empty() => Range::Part(first, length - first),
        (Err(_), Ok(last)) if first.is_empty() => match last.min(length) {
            0 => Range::Outside,
            last => Range::Part(length - last, last),
        },
        _ => Range::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, expected) in [
            ("bytes=0-9", Range::Part(0, 10)),
            ("bytes=90-", Range::Part(90, 10)),
            ("bytes=-5", Range::Part(95, 5)),
            ("bytes=-500", Range::Part(0, 100)),
            ("bytes=50-500", Range::Part(50, 50)),
            ("bytes=100-", Range::Outside),
            ("bytes=-0", Range::Outside),
            ("bytes=9-3", Range::Whole),
            ("bytes=0-1,5-6", Range::Whole),
            ("bytes=x-y", Range::Whole),
            ("lines=0-1", Range::Whole),
            ("bytes=18446744073709551615-", Range::Outside),
        ] {
            assert_eq!(range_of(text, 100), expected, "{text}");
        }
        assert_eq!(range_of("bytes=0-", 0), Range::Outside);
    }
}
