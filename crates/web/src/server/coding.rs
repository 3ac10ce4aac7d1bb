//! Content codings (RFC 9110, section 12.5.3): texts go compressed to clients that read gzip.

use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use hyper::header;
use hyper::http::request::Parts;

use crate::assets::ASSETS;

/// Shorter texts fit one packet as they are.
const LEAST: usize = 1 << 10;

/// Whether a client reads gzip, by the lines of its `Accept-Encoding`.
pub(super) fn takes_gzip(request: &Parts) -> bool {
    let lines = request.headers.get_all(header::ACCEPT_ENCODING).iter();
    let all: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
    let weight_of = |wanted: &str| {
        all.iter().flat_map(|line| line.split(',')).find_map(|one| {
            let mut parts = one.split(';').map(str::trim);
            let is_it = parts.next()?.eq_ignore_ascii_case(wanted);
            let weight = parts.find_map(|part| part.strip_prefix("q="));
            is_it.then(|| weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0)))
        })
    };
    weight_of("gzip")
        .or_else(|| weight_of("*"))
        .is_some_and(|weight: f32| weight > 0.0)
}

/// A text compressed, if that pays.
pub(super) fn gzip(text: &[u8]) -> Option<Vec<u8>> {
    // Level 1 takes a quarter of the time of level 6; a page is a tenth longer by it.
    (text.len() >= LEAST).then(|| compressed(text, 1)).flatten()
}

fn compressed(text: &[u8], level: u32) -> Option<Vec<u8>> {
    let room = Vec::with_capacity(text.len() / 3);
    let mut encoder = GzEncoder::new(room, Compression::new(level));
    encoder.write_all(text).ok()?;
    encoder.finish().ok()
}

/// The files that pages load, compressed once.
pub(super) fn asset(path: &str) -> Option<Bytes> {
    static PACKED: LazyLock<HashMap<&'static str, Bytes>> = LazyLock::new(|| {
        let packed = ASSETS.iter().filter(|asset| asset.text.len() >= LEAST);
        packed
            .filter_map(|asset| {
                let packed = compressed(asset.text.as_bytes(), 9)?;
                Some((asset.path, Bytes::from(packed)))
            })
            .collect()
    });
    PACKED.get(path).cloned()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use hyper::Request;

    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (lines, taken) in [
            (vec![], false),
            (vec![""], false),
            (vec!["gzip"], true),
            (vec!["br", "deflate, GZIP;q=0.5"], true),
            (vec!["gzip;q=0"], false),
            (vec!["gzip; q=0.0, *"], false),
            (vec!["*"], true),
            (vec!["*;q=0"], false),
            (vec!["identity, br"], false),
            (vec!["gzip;q=x"], false),
        ] {
            let mut request = Request::builder();
            for line in &lines {
                request = request.header("accept-encoding", *line);
            }
            let request = request.body(()).unwrap().into_parts().0;
            assert_eq!(takes_gzip(&request), taken, "{lines:?}");
        }
    }

    #[test]
    fn what_is_compressed_is_the_same_text() {
        let text = "position ".repeat(1000);
        let packed = gzip(text.as_bytes()).unwrap();
        assert!(packed.len() < text.len() / 10);
        let mut back = String::new();
        let mut decoder = flate2::read::GzDecoder::new(&packed[..]);
        decoder.read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
        assert_eq!(gzip(b"short"), None);
    }
}
