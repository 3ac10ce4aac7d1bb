//! What makes the explorer an application of its own: manifest, icons, and the worker that keeps pages for
//! when there is no network.

use std::path::Path;
use std::sync::LazyLock;

use greenwave_game::Rules;
use greenwave_picture::escaped;
use greenwave_words::Language;
use hyper::Response;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};

use super::body::ResponseBody;
use super::conditions::Validators;
use super::error::ServeError;
use crate::assets::ASSETS;

/// Icons as PNG, by path and width in pixels.
const ICONS: [(&str, u32); 4] = [
    ("/favicon.ico", 48),
    ("/apple-touch-icon.png", 180),
    ("/icon-192.png", 192),
    ("/icon-512.png", 512),
];

/// A file that is not loaded by pages.
pub(super) struct OfflineFile {
    pub(super) media_type: &'static str,
    pub(super) body: Bytes,
    headers: &'static [(HeaderName, &'static str)],
}

const KEPT: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "public, max-age=86400")];

/// A worker that is kept by the browser would keep old pages: it is requested again each time. It may fetch
/// from here alone.
const FRESH: [(HeaderName, &str); 2] = [
    (header::CACHE_CONTROL, "no-cache"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; connect-src 'self'",
    ),
];

/// The files of the explorer without a server that answer all questions, with their media types.
const SOLVER: [(&str, &str); 4] = [
    ("index.html", "text/html; charset=utf-8"),
    ("site.js", "text/javascript; charset=utf-8"),
    ("style.css", "text/css; charset=utf-8"),
    ("icon.svg", "image/svg+xml"),
];

/// They load each other alone; the solver is a module of WebAssembly in a worker that the script writes.
const OF_SOLVER: [(HeaderName, &str); 2] = [
    (header::CACHE_CONTROL, "no-cache"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; \
         img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
];

/// Refuses a folder in which one of these files is missing.
pub(super) fn look(folder: &Path) -> Result<(), ServeError> {
    for (name, _) in SOLVER {
        let file = folder.join(name);
        file.metadata().map_err(|cause| ServeError::Offline {
            file: file.display().to_string(),
            cause,
        })?;
    }
    Ok(())
}

/// A file of the solver; `None` of other names, and where it cannot be read any more.
pub(super) async fn of_solver(folder: &Path, name: &str) -> Option<OfflineFile> {
    let (name, media_type) = *SOLVER.iter().find(|(known, _)| *known == name)?;
    let file = folder.join(name);
    let read = tokio::task::spawn_blocking(move || std::fs::read(file)).await;
    Some(OfflineFile {
        media_type,
        body: Bytes::from(read.ok()?.ok()?),
        headers: &OF_SOLVER,
    })
}

/// The file of a path.
pub(super) fn by_path(path: &str) -> Option<OfflineFile> {
    if path == "/sw.js" {
        return Some(OfflineFile {
            media_type: "text/javascript; charset=utf-8",
            body: Bytes::from_static(WORKER.as_bytes()),
            headers: &FRESH,
        });
    }
    if path == "/manifest.webmanifest" {
        return Some(OfflineFile {
            media_type: "application/manifest+json",
            body: Bytes::from_static(include_bytes!("../../assets/manifest.json")),
            headers: &KEPT,
        });
    }
    let (_, width) = ICONS.iter().find(|(icon, _)| *icon == path)?;
    let drawn = greenwave_picture::png(include_str!("../../assets/icon.svg"), *width);
    Some(OfflineFile {
        media_type: "image/png",
        body: Bytes::from(drawn.ok()?),
        headers: &KEPT,
    })
}

/// The worker with its version, the files that all pages load, and what a page says that is not kept.
static WORKER: LazyLock<String> = LazyLock::new(|| {
    let source = include_str!("../../assets/sw.js");
    let files: Vec<String> = ASSETS
        .iter()
        .map(|asset| format!("\"{}?{}\"", asset.path.trim_start_matches('/'), asset.hash))
        .collect();
    let files = files.join(",");
    let said = Language::ALL.map(|words| {
        format!(
            "{}:{{title:\"{}\",note:\"{}\"}}",
            words.code(),
            escaped(words.text("no-network")),
            escaped(words.text("no-network-note"))
        )
    });
    let source = source.replace("/*@SAID@*/", &said.join(","));
    let version = Rules::hash_of(&format!("{files}{source}")).to_string();
    source
        .replace("@VERSION@", &version[..16])
        .replace("/*@SHELL@*/", &files)
});

impl OfflineFile {
    /// The tag of its bytes.
    pub(super) fn validators(&self) -> Validators {
        // Each byte is a character of its own.
        let text: String = self.body.iter().copied().map(char::from).collect();
        let hash = Rules::hash_of(&text).to_string();
        Validators::of_tag(Some(format!("\"{}\"", &hash[..16])))
    }

    pub(super) fn response(self) -> Response<ResponseBody> {
        let mut response = Response::new(ResponseBody::text(self.body));
        let headers = response.headers_mut();
        let media_type = HeaderValue::from_static(self.media_type);
        headers.insert(header::CONTENT_TYPE, media_type);
        for (name, value) in self.headers {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
        response
    }
}
