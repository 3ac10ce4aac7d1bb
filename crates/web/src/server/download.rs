//! Tables for download: whole, or a range of bytes.

use std::path::Path;
use std::time::UNIX_EPOCH;

use greenwave_tablebase::open_file;
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};

use super::body::{FilePart, Sent};
use crate::download::path_of;
use crate::explorer::Explorer;
use crate::problem::Problem;

/// The answer to a request for a table, `SLUG/METRIC.gwt`.
pub(crate) fn answer(
    explorer: &Explorer,
    request: &Parts,
    name: &str,
) -> Result<Response<Sent>, Problem> {
    let refuse = || {
        Problem::not_found(format!(
            "no table is at '/tables/{name}'; /tables lists those that are there"
        ))
    };
    let path = path_of(explorer, name).ok_or_else(refuse)?;
    opened(request, &path).ok_or_else(refuse)
}

/// The file, or the part of it that is asked for; `None` where it cannot be read.
fn opened(request: &Parts, path: &Path) -> Option<Response<Sent>> {
    let file = open_file(path).ok()?;
    let about = file.metadata().ok()?;
    let length = about.len();
    let changed = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let tag = format!("\"{length:x}-{:x}\"", changed.as_nanos());
    let asked = |name| {
        request
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let mut response = Response::new(Sent::nothing());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/octet-stream"),
    );
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(
        header::CONTENT_DISPOSITION,
        HeaderValue::from_static("attachment"),
    );
    headers.insert(header::ETAG, HeaderValue::from_str(&tag).ok()?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if asked(header::IF_NONE_MATCH)
        .is_some_and(|known| known.split(',').any(|one| one.trim() == tag))
    {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Some(response);
    }
    let unchanged = asked(header::IF_RANGE).is_none_or(|known| known == tag);
    let range = asked(header::RANGE).filter(|_| unchanged);
    let (from, bytes) = match range.map(|range| range_of(range, length)) {
        None | Some(Range::Whole) => (0, length),
        Some(Range::Part(from, bytes)) => {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let part = format!("bytes {from}-{}/{length}", from + bytes - 1);
            let part = HeaderValue::from_str(&part).ok()?;
            response.headers_mut().insert(header::CONTENT_RANGE, part);
            (from, bytes)
        }
        Some(Range::Outside) => {
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            let whole = HeaderValue::from_str(&format!("bytes */{length}")).ok()?;
            response.headers_mut().insert(header::CONTENT_RANGE, whole);
            return Some(response);
        }
    };
    *response.body_mut() = Sent::Part(FilePart::new(file, from, bytes).ok()?);
    Some(response)
}

/// What a header `Range` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    /// Everything, which is also the answer to what is not understood.
    Whole,
    /// From a byte on, so many.
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
