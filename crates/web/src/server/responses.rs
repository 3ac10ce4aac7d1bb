//! Answers as HTTP sends them: with headers for their kind.

use std::sync::Arc;

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};

use super::body::Sent;
use super::download;
use crate::assets;
use crate::explorer::{Client, Explorer};
use crate::problem::Problem;
use crate::routes::{Answered, Asked, Kind, answer, told};

/// Answers a request.
pub(crate) async fn route(
    explorer: &Arc<Explorer>,
    request: &Parts,
    client: Client,
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
    let asked = Asked {
        path,
        query: request.uri.query().unwrap_or(""),
        languages: languages(request),
        origin: &origin(explorer, request),
    };
    match answer(explorer, &asked, client).await {
        Ok(answered) => response(explorer, request, answered),
        Err(problem) => of_problem(explorer, request, &problem),
    }
}

fn languages(request: &Parts) -> Option<&str> {
    let accepted = request.headers.get(header::ACCEPT_LANGUAGE)?;
    accepted.to_str().ok()
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

/// The answer that says why there is none.
pub(crate) fn of_problem(
    explorer: &Explorer,
    request: &Parts,
    problem: &Problem,
) -> Response<Sent> {
    let asked = Asked {
        path: request.uri.path(),
        query: request.uri.query().unwrap_or(""),
        languages: languages(request),
        origin: "",
    };
    let answered = told(explorer, &asked, problem);
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
    if request.uri.path().starts_with("/api/") {
        set(
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            HeaderValue::from_static("*"),
        );
    }
    if let Kind::Page | Kind::Embedded | Kind::Moved = answered.kind {
        set(header::VARY, HeaderValue::from_static("Accept-Language"));
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
