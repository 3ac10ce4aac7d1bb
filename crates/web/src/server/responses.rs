//! Answers as HTTP sends them: with headers for their kind.

use std::sync::Arc;

use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};

use super::body::ResponseBody;
use super::card;
use super::coding;
use super::conditions::{Condition, Validators};
use super::download::{self, Download};
use super::kept;
use super::offline;
use super::page_copy::PageCopy;
use crate::answer::{AnswerKind, PendingKind, RouteAnswer};
use crate::assets;
use crate::explorer::{Client, Explorer};
use crate::messages;
use crate::page;
use crate::problem::Problem;
use crate::routes::{API, HEALTH, PageRequest, QR, ROBOTS, answer, status_of, told};

/// Where the explorer without a server is.
const OFFLINE: &str = "/offline/";
/// Where the tables are.
const TABLES: &str = "/tables/";

/// Answers a request.
pub(crate) async fn route(
    explorer: &Arc<Explorer>,
    request: &Parts,
    client: Client,
) -> Response<ResponseBody> {
    let path = request.uri.path();
    if let Some(asset) = assets::by_path(path) {
        return asset_response(explorer, request, asset);
    }
    if let Some(beside) = offline::by_path(path) {
        let validators = beside.validators();
        return conditional(explorer, request, &validators, |_| {
            common(beside.response())
        });
    }
    if let Some(name) = path.strip_prefix(OFFLINE)
        && let Some(folder) = &explorer.settings.offline
        && let Some(file) = offline::of_solver(folder, name).await
    {
        return common(file.response());
    }
    let is_file = explorer.file(path.trim_start_matches('/')).is_some();
    if let Some(name) = path.strip_prefix(TABLES).filter(|_| !is_file) {
        return match download::find(explorer, name) {
            Ok(table) => table_response(explorer, request, table),
            Err(problem) => of_problem(explorer, request, &problem),
        };
    }
    let query = request.uri.query().unwrap_or("");
    if let Some(name) = card::variant_of(path) {
        return match card::card(explorer, name, query, languages(request), client).await {
            Ok(card) => conditional(explorer, request, &Validators::default(), |_| {
                common(card::response(card))
            }),
            Err(problem) => of_problem(explorer, request, &problem),
        };
    }
    let asked = PageRequest {
        path,
        query,
        languages: languages(request),
        origin: &origin(explorer, request),
    };
    let key = kept::key(explorer, &asked, client);
    if let Some(page) = kept::find(explorer, key.as_deref()) {
        return conditional(explorer, request, &Validators::default(), |_| {
            kept_response(request, &page)
        });
    }
    match answer(explorer, &asked, client).await {
        Ok(answered) if answered.kind == AnswerKind::FinalPage && key.is_some() => {
            let key = key.unwrap_or_default();
            let page = explorer.pages.keep(&key, PageCopy::of(answered.body));
            conditional(explorer, request, &Validators::default(), |_| {
                kept_response(request, &page)
            })
        }
        Ok(answered) => {
            let tag = answered
                .signature
                .as_ref()
                .map(|of| entity_tag(explorer, of, coding::takes_gzip(request)));
            let validators = Validators::of_tag(tag);
            conditional(explorer, request, &validators, |_| {
                response(request, answered)
            })
        }
        Err(problem) => of_problem(explorer, request, &problem),
    }
}

/// Whether the server has paths of its own whose first part is this one: what stands below a prefix that begins
/// with it could not be told from them.
pub(super) fn has_below(explorer: &Explorer, first: &str) -> bool {
    let path = format!("/{first}");
    let folder = format!("{path}/");
    let mut assets = assets::ASSETS.iter();
    // Rule files may stand in folders.
    let mut titles = explorer.files().map(|file| file.variant.rules().title());
    path == HEALTH
        || path == ROBOTS
        || path == QR
        || [API, OFFLINE, TABLES].contains(&&*folder)
        || assets.any(|asset| asset.path.starts_with(&folder))
        || offline::by_path(&path).is_some()
        || page::is_general(first)
        || explorer.variant(first).is_ok()
        || titles.any(|title| title.starts_with(&folder))
}

/// The content, or only the news that the client has it, or that it is no longer the content that
/// the client means. The content states whether a range of it may be sent. Answers that are no
/// success have no preconditions.
fn conditional(
    explorer: &Explorer,
    request: &Parts,
    validators: &Validators,
    answer: impl FnOnce(bool) -> Response<ResponseBody>,
) -> Response<ResponseBody> {
    let mut response = match validators.judge(request) {
        Condition::Met { ranges } => answer(ranges),
        Condition::NotModified => {
            let mut response = answer(false);
            if !response.status().is_success() {
                return response;
            }
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = ResponseBody::nothing();
            response
        }
        Condition::Failed => {
            let response = answer(false);
            if !response.status().is_success() {
                return response;
            }
            return of_problem(
                explorer,
                request,
                &Problem::new(
                    StatusCode::PRECONDITION_FAILED,
                    messages::document_changed(),
                ),
            );
        }
    };
    let is_cached = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if is_cached {
        for (name, value) in validators.headers() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Sends a client to the normal form of its path.
pub(crate) fn elsewhere(
    explorer: &Explorer,
    request: &Parts,
    path: &str,
) -> Response<ResponseBody> {
    let base = &explorer.base;
    let address = match request.uri.query() {
        Some(query) => format!("{base}{path}?{query}"),
        None => format!("{base}{path}"),
    };
    let mut response = Response::new(ResponseBody::nothing());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    let headers = response.headers_mut();
    if let Ok(address) = HeaderValue::from_str(&address) {
        headers.insert(header::LOCATION, address);
    }
    for (name, value) in COMMON {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if path.starts_with(API) {
        let any = HeaderValue::from_static("*");
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any);
    }
    response
}

fn table_response(explorer: &Explorer, request: &Parts, table: Download) -> Response<ResponseBody> {
    let validators = table.validators.clone();
    let response = conditional(explorer, request, &validators, |ranges| {
        let range = request.headers.get(header::RANGE).filter(|_| ranges);
        // Only a GET asks for a part (section 14.2).
        let range = range.filter(|_| request.method == Method::GET);
        match table.response(range) {
            Ok(response) => response,
            Err(problem) => of_problem(explorer, request, &problem),
        }
    });
    common(response)
}

fn languages(request: &Parts) -> Option<&str> {
    let accepted = request.headers.get(header::ACCEPT_LANGUAGE)?;
    accepted.to_str().ok()
}

/// The scheme by which a client asks, as its proxy says.
#[derive(Clone, Copy, Debug)]
pub(super) struct UrlScheme(pub(super) &'static str);

/// Scheme and host under which the explorer is seen.
fn origin(explorer: &Explorer, request: &Parts) -> String {
    if let Some(url) = &explorer.settings.base_url {
        return url.origin().into();
    }
    let host = request.headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    let host = host.filter(|host| !host.is_empty());
    let scheme = request
        .extensions
        .get::<UrlScheme>()
        .map_or("http", |scheme| scheme.0);
    host.map_or_else(String::new, |host| format!("{scheme}://{host}"))
}

/// The answer that says why there is none.
pub(crate) fn of_problem(
    explorer: &Explorer,
    request: &Parts,
    problem: &Problem,
) -> Response<ResponseBody> {
    let asked = PageRequest {
        path: request.uri.path(),
        query: request.uri.query().unwrap_or(""),
        languages: languages(request),
        origin: "",
    };
    let answered = told(explorer, &asked, problem);
    let mut response = response(request, answered);
    *response.status_mut() = status_of(problem);
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
     data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ";

fn response(request: &Parts, answered: RouteAnswer) -> Response<ResponseBody> {
    let moved = answered.kind.is_elsewhere();
    let address = moved.then(|| HeaderValue::from_str(&answered.body));
    let body = if moved { String::new() } else { answered.body };
    let packed = coding::takes_gzip(request).then(|| coding::gzip(body.as_bytes()));
    let packed = packed.flatten().map(Bytes::from);
    let mut response = headed(request, answered.kind, body.into(), packed);
    if moved {
        *response.status_mut() = if answered.kind == AnswerKind::Renamed {
            StatusCode::PERMANENT_REDIRECT
        } else {
            StatusCode::SEE_OTHER
        };
    }
    if answered.kind == AnswerKind::PartPage {
        *response.status_mut() = StatusCode::BAD_REQUEST;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if let AnswerKind::Coming(_, seconds) = answered.kind {
        *response.status_mut() = StatusCode::ACCEPTED;
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let headers = response.headers_mut();
    if let Some(Ok(address)) = address {
        headers.insert(header::LOCATION, address);
    }
    if answered.signature.is_some() {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    if let Some(Ok(remark)) = answered.remark.as_deref().map(HeaderValue::from_str) {
        headers.insert(REMARK, remark);
    }
    response
}

/// A page that is kept, as it is sent.
fn kept_response(request: &Parts, page: &PageCopy) -> Response<ResponseBody> {
    let packed = coding::takes_gzip(request).then(|| page.packed(coding::gzip));
    let text = page.text.clone();
    headed(request, AnswerKind::FinalPage, text, packed.flatten())
}

/// A text of a kind, or the same compressed, with the headers of its kind.
fn headed(
    request: &Parts,
    kind: AnswerKind,
    text: Bytes,
    packed: Option<Bytes>,
) -> Response<ResponseBody> {
    let is_packed = packed.is_some();
    let mut response = Response::new(ResponseBody::text(packed.unwrap_or(text)));
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: HeaderValue| headers.insert(name, value);
    if is_packed {
        set(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    set(
        header::CONTENT_TYPE,
        HeaderValue::from_static(kind.media_type()),
    );
    let policy = match kind {
        AnswerKind::Json
        | AnswerKind::Coming(PendingKind::Json | PendingKind::Lines, _)
        | AnswerKind::Lines
        | AnswerKind::Text => "default-src 'none'; frame-ancestors 'none'".to_string(),
        AnswerKind::Svg | AnswerKind::Coming(PendingKind::Svg, _) => {
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'".into()
        }
        AnswerKind::Page
        | AnswerKind::FinalPage
        | AnswerKind::PartPage
        | AnswerKind::Moved
        | AnswerKind::Renamed => format!("{PAGE_POLICY}'none'"),
        AnswerKind::Embedded => format!("{PAGE_POLICY}*"),
    };
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        set(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in COMMON {
        set(name, HeaderValue::from_static(value));
    }
    if request.uri.path().starts_with(API) {
        set(
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            HeaderValue::from_static("*"),
        );
        set(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("ETag, Greenwave-Remark, Retry-After"),
        );
    }
    let varies = match kind {
        AnswerKind::Page
        | AnswerKind::FinalPage
        | AnswerKind::PartPage
        | AnswerKind::Embedded
        | AnswerKind::Moved
        | AnswerKind::Renamed => "Accept-Language, Accept-Encoding",
        AnswerKind::Json
        | AnswerKind::Coming(..)
        | AnswerKind::Lines
        | AnswerKind::Svg
        | AnswerKind::Text => "Accept-Encoding",
    };
    set(header::VARY, HeaderValue::from_static(varies));
    response
}

/// What a command says on stderr beside its answer.
const REMARK: HeaderName = HeaderName::from_static("greenwave-remark");

const COMMON: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// The same with the headers that all answers have.
fn common(mut response: Response<ResponseBody>) -> Response<ResponseBody> {
    for (name, value) in COMMON {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// The tag of what follows from a table: its signature and the version of the program, and whether it is
/// compressed, since other bytes have another tag.
fn entity_tag(explorer: &Explorer, signature: &str, is_packed: bool) -> String {
    let short: String = signature.chars().take(32).collect();
    let coding = if is_packed { "-gzip" } else { "" };
    format!("\"{}-{short}{coding}\"", explorer.settings.version)
}

fn asset_response(
    explorer: &Explorer,
    request: &Parts,
    asset: &'static assets::Asset,
) -> Response<ResponseBody> {
    let packed = coding::takes_gzip(request).then(|| coding::asset(asset.path));
    let packed = packed.flatten();
    let coding = if packed.is_some() { "-gzip" } else { "" };
    let validators = Validators::of_tag(Some(format!("\"{}{coding}\"", asset.hash)));
    // The address on pages carries the hash: what is there never changes.
    let named = request.uri.query() == Some(&asset.hash);
    conditional(explorer, request, &validators, |_| {
        whole_asset(asset, packed, named)
    })
}

fn whole_asset(
    asset: &'static assets::Asset,
    packed: Option<Bytes>,
    named: bool,
) -> Response<ResponseBody> {
    let is_packed = packed.is_some();
    let body = packed.unwrap_or_else(|| Bytes::from_static(asset.text.as_bytes()));
    let mut response = Response::new(ResponseBody::text(body));
    let headers = response.headers_mut();
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(asset.media_type),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(if named {
            "public, max-age=31536000, immutable"
        } else {
            "public, max-age=3600"
        }),
    );
    common(response)
}
