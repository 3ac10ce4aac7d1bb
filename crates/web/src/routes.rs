//! From addresses to answers.

use std::net::IpAddr;
use std::sync::Arc;

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use serde::Serialize;

use crate::body::Sent;
use crate::explorer::Explorer;
use crate::page::{self, Reader};
use crate::params::{Params, decoded};
use crate::problem::Problem;
use crate::{api, assets, download, qr};

/// An answer before it has headers for its kind of place.
pub(crate) struct Answered {
    pub(crate) kind: Kind,
    pub(crate) body: String,
    /// Where the answer follows from tables alone: their signature.
    pub(crate) signature: Option<String>,
}

/// Kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Json,
    /// JSON documents, one a line.
    Lines,
    Svg,
    Page,
    /// A page that other pages may show in a frame.
    Embedded,
    /// The body is the address of another page.
    Moved,
}

impl Kind {
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Kind::Json => "application/json",
            Kind::Lines => "application/x-ndjson",
            Kind::Svg => "image/svg+xml",
            Kind::Page | Kind::Embedded | Kind::Moved => "text/html; charset=utf-8",
        }
    }
}

#[derive(Serialize)]
struct ErrorDocument<'a> {
    schema: u32,
    error: &'a str,
}

/// Answers a request.
pub(crate) async fn route(
    explorer: &Arc<Explorer>,
    request: &Parts,
    client: IpAddr,
) -> Response<Sent> {
    let path = request.uri.path();
    if let Some(asset) = assets::by_path(path) {
        return asset_response(request, asset);
    }
    if let Some(name) = path.strip_prefix("/tables/") {
        return match download::answer(explorer, request, name) {
            Ok(mut response) => {
                for (name, value) in COMMON {
                    let value = HeaderValue::from_static(value);
                    response.headers_mut().insert(name, value);
                }
                response
            }
            Err(problem) => of_problem(explorer, request, &problem),
        };
    }
    match answer(explorer, request, client).await {
        Ok(answered) => response(explorer, request, answered),
        Err(problem) => of_problem(explorer, request, &problem),
    }
}

async fn answer(
    explorer: &Arc<Explorer>,
    request: &Parts,
    client: IpAddr,
) -> Result<Answered, Problem> {
    let path = decoded(request.uri.path())?;
    let params = Params::read(request.uri.query().unwrap_or(""))?;
    if path == "/healthz" {
        return Ok(Answered {
            kind: Kind::Json,
            body: "{\"schema\":1,\"ok\":true}\n".into(),
            signature: None,
        });
    }
    if let Some(name) = path.strip_prefix("/api/") {
        let name = name.strip_prefix("v1/").unwrap_or("");
        return api::answer(explorer, name, &params, client).await;
    }
    let reader = Reader::new(&params, request.headers.get(header::ACCEPT_LANGUAGE));
    let origin = origin(explorer, request);
    if path == "/qr.svg" {
        return qr::answer(&params);
    }
    page::answer(explorer, &path, &params, &origin, reader, client).await
}

/// Scheme and host under which the explorer is seen.
fn origin(explorer: &Explorer, request: &Parts) -> String {
    if let Some(url) = &explorer.settings.base_url {
        let url = url.trim_end_matches('/');
        return url
            .strip_suffix(explorer.base.as_str())
            .unwrap_or(url)
            .into();
    }
    let host = request.headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).filter(|host| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b".:-[]_".contains(&byte);
        !host.is_empty() && host.len() <= 255 && host.bytes().all(known)
    });
    host.map_or_else(String::new, |host| format!("http://{host}"))
}

/// Whether the answer goes to programs and not to people.
fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || path == "/healthz"
}

/// The answer that says why there is none.
pub(crate) fn of_problem(
    explorer: &Explorer,
    request: &Parts,
    problem: &Problem,
) -> Response<Sent> {
    let path = request.uri.path();
    let answered = if is_api(path) {
        let document = ErrorDocument {
            schema: 1,
            error: &problem.message,
        };
        Answered {
            kind: Kind::Json,
            body: json_text(&document),
            signature: None,
        }
    } else {
        let params = Params::read(request.uri.query().unwrap_or("")).unwrap_or_default();
        let reader = Reader::new(&params, request.headers.get(header::ACCEPT_LANGUAGE));
        page::of_problem(explorer, path, &reader, problem)
    };
    let mut response = response(explorer, request, answered);
    *response.status_mut() = problem.status;
    let headers = response.headers_mut();
    if let Some(seconds) = problem.retry_after() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if problem.status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A document as one line.
pub(crate) fn json_text<T: Serialize>(document: &T) -> String {
    // Documents have keys that are texts, and no numbers that JSON lacks.
    let mut text = serde_json::to_string(document).unwrap_or_default();
    text.push('\n');
    text
}

const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
     data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ";

fn response(explorer: &Explorer, request: &Parts, answered: Answered) -> Response<Sent> {
    let tag = answered
        .signature
        .as_ref()
        .and_then(|signature| entity_tag(explorer, signature));
    let fresh = tag.as_ref().is_some_and(|tag| is_fresh(request, tag));
    let moved = answered.kind == Kind::Moved;
    let address = moved.then(|| HeaderValue::from_str(&answered.body));
    let body = if fresh || moved {
        String::new()
    } else {
        answered.body
    };
    let mut response = Response::new(Sent::text(body));
    if fresh {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    if moved {
        *response.status_mut() = StatusCode::SEE_OTHER;
    }
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: HeaderValue| headers.insert(name, value);
    set(
        header::CONTENT_TYPE,
        HeaderValue::from_static(answered.kind.media_type()),
    );
    let policy = match answered.kind {
        Kind::Json | Kind::Lines => "default-src 'none'; frame-ancestors 'none'".to_string(),
        Kind::Svg => "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'".into(),
        Kind::Page | Kind::Moved => format!("{PAGE_POLICY}'none'"),
        Kind::Embedded => format!("{PAGE_POLICY}*"),
    };
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        set(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in COMMON {
        set(name, HeaderValue::from_static(value));
    }
    match answered.kind {
        Kind::Json | Kind::Lines | Kind::Svg => {
            set(
                header::ACCESS_CONTROL_ALLOW_ORIGIN,
                HeaderValue::from_static("*"),
            );
        }
        Kind::Page | Kind::Embedded | Kind::Moved => {
            set(header::VARY, HeaderValue::from_static("Accept-Language"));
        }
    }
    if let Some(Ok(address)) = address {
        set(header::LOCATION, address);
    }
    if let Some(tag) = tag {
        set(header::ETAG, tag);
        set(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    response
}

const COMMON: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// The tag of what follows from a table: its signature and the version of the program.
fn entity_tag(explorer: &Explorer, signature: &str) -> Option<HeaderValue> {
    let short: String = signature.chars().take(32).collect();
    HeaderValue::from_str(&format!("\"{}-{short}\"", explorer.settings.version)).ok()
}

fn is_fresh(request: &Parts, tag: &HeaderValue) -> bool {
    let known = request.headers.get(header::IF_NONE_MATCH);
    let (Some(Ok(known)), Ok(tag)) = (known.map(HeaderValue::to_str), tag.to_str()) else {
        return false;
    };
    known
        .split(',')
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == tag || one == "*")
}

fn asset_response(request: &Parts, asset: &assets::Asset) -> Response<Sent> {
    let tag = HeaderValue::from_str(&format!("\"{}\"", asset.hash));
    let fresh = tag.as_ref().is_ok_and(|tag| is_fresh(request, tag));
    let body = if fresh { "" } else { &asset.text };
    let mut response = Response::new(Sent::text(body.to_string()));
    if fresh {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(asset.media_type),
    );
    // Addresses on pages carry the hash, so that what is kept never goes stale.
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=604800"),
    );
    if let Ok(tag) = tag {
        headers.insert(header::ETAG, tag);
    }
    for (name, value) in COMMON {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
