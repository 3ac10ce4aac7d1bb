//! One request: the client, whether it can be read, and the line in the log.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri, Version};

use super::body::{BusyBody, ResponseBody};
use super::connections::Activity;
use super::log::{Log, quoted};
use super::responses;
use super::responses::UrlScheme;
use crate::explorer::{Client, Explorer};
use crate::messages;
use crate::params::{LONGEST, normal_path, spelt_path};
use crate::problem::Problem;
use crate::proxies::{host_and_port, named_by_proxy};
use crate::routes::is_api;

/// Time limit for a client to send a request, and to begin the next one.
pub(super) const HEADER_TIME: Duration = Duration::from_secs(8);

/// Answers one request and writes it into the log.
pub(super) async fn answered(
    explorer: Arc<Explorer>,
    log: Option<Arc<Log>>,
    request: Request<Incoming>,
    peer: IpAddr,
    activity: &Activity,
) -> Response<BusyBody> {
    let began = Instant::now();
    let client = client_of(&explorer, request.headers(), peer);
    let asked = log
        .is_some()
        .then(|| quoted(&format!("{} {}", request.method(), request.uri())));
    let (mut parts, body) = request.into_parts();
    if explorer.trusts(peer) && is_secure(&parts.headers) {
        parts.extensions.insert(UrlScheme("https"));
    }
    let path = parts.uri.path().to_string();
    let below = path.strip_prefix(&*explorer.base).unwrap_or(&path);
    let normal = own_path(&path, &explorer.base);
    change_path(&mut parts, normal.as_deref().unwrap_or(below));
    let refused = match refused(&parts) {
        None => refused_body(body).await,
        refused => refused,
    };
    explorer.is_asked();
    // Who sends half a body does nothing yet, and takes nobody's place.
    let busy = activity.begin();
    let mut response = match (refused, normal) {
        (Some(problem), _) | (None, Err(problem)) => {
            responses::of_problem(&explorer, &parts, &problem)
        }
        (None, Ok(normal)) if normal == path || normal == below || below.is_empty() => {
            let is_page = !is_api(parts.uri.path());
            let budget = explorer.settings.budget;
            responses::route(&explorer, &parts, Client::now(client, is_page, budget)).await
        }
        (None, Ok(normal)) => responses::elsewhere(&explorer, &parts, &normal),
    };
    if parts.method == Method::HEAD {
        let length = HeaderValue::from(response.body().length());
        *response.body_mut() = ResponseBody::nothing();
        // The length would be that of the answer which the client has.
        if response.status() != StatusCode::NOT_MODIFIED {
            response
                .headers_mut()
                .insert(header::CONTENT_LENGTH, length);
        }
    }
    if let (Some(log), Some(asked)) = (log, asked) {
        let seconds = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        log.add(&format!(
            "{seconds} {client} {asked} {} {:.1} ms\n",
            response.status().as_u16(),
            began.elapsed().as_secs_f64() * 1000.0
        ));
    }
    response.map(|body| body.until_sent(busy))
}

/// Whether a proxy says that its client asks by HTTPS.
fn is_secure(headers: &HeaderMap) -> bool {
    let last = headers.get_all("x-forwarded-proto").iter().next_back();
    let last = last.and_then(|line| line.to_str().ok()?.rsplit(',').next());
    last.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
}

/// The normal form of a path, without the prefix under which a proxy shows the pages: some proxies leave it
/// there, in whatever spelling it came.
fn own_path(path: &str, base: &str) -> Result<String, Problem> {
    let spelt = spelt_path(path)?;
    let below = spelt.strip_prefix(base);
    let below = below.filter(|rest| rest.is_empty() || rest.starts_with('/'));
    normal_path(below.unwrap_or(&spelt))
}

/// Puts another path into the address of a request; what is no path stays, and is refused.
fn change_path(request: &mut Parts, path: &str) {
    let is_path = request.uri.path().starts_with('/') && path.starts_with('/');
    if !is_path || request.uri.path() == path {
        return;
    }
    let all = match request.uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.into(),
    };
    if let Ok(all) = PathAndQuery::try_from(all) {
        let mut parts = std::mem::take(&mut request.uri).into_parts();
        parts.path_and_query = Some(all);
        request.uri = Uri::from_parts(parts).unwrap_or_default();
    }
}

/// Requests that are refused unread.
fn refused(request: &Parts) -> Option<Problem> {
    if let Some(problem) = refused_host(request) {
        return Some(problem);
    }
    if request.method != Method::GET && request.method != Method::HEAD {
        return Some(Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            messages::method_other(request.method.as_str()),
        ));
    }
    if !request.uri.path().starts_with('/') {
        let example = "/classic-3x3";
        return Some(Problem::input(messages::address_form(
            request.uri.to_string(),
            example,
        )));
    }
    if let Some(problem) = refused_coding(&request.headers) {
        return Some(problem);
    }
    let address = request
        .uri
        .path_and_query()
        .map_or(0, |all| all.as_str().len());
    // With the colon, the blank and the end of the line.
    let headers = request.headers.iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + 4);
    let length = address + headers.sum::<usize>();
    let announced = request
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok())
        .unwrap_or(0);
    let longer = (length as u64).max(announced);
    (longer > LONGEST as u64).then(|| Problem::too_large(longer))
}

/// A request of HTTP/1.1 names its host, and no request names two (RFC 9112, section 3.2).
fn refused_host(request: &Parts) -> Option<Problem> {
    let mut hosts = request.headers.get_all(header::HOST).iter();
    let example = "Host: 127.0.0.1:7411";
    Some(Problem::input(match (hosts.next(), hosts.next()) {
        (None, _) if request.version < Version::HTTP_11 => return None,
        (Some(host), None) if is_host(host) => return None,
        (None, _) => messages::host_none(example),
        (Some(_), Some(_)) => messages::host_twice(example),
        (Some(_), None) => messages::host_form(example),
    }))
}

/// A body is in chunks, and coded in no other way (RFC 9112, section 6.1).
fn refused_coding(headers: &HeaderMap) -> Option<Problem> {
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let is_one = match (codings.next(), codings.next()) {
        (None, _) => true,
        (Some(one), None) => one.as_bytes().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => false,
    };
    (!is_one).then(|| Problem::input(messages::body_coding()))
}

/// Whether a header can be the name of a host and a port; nothing stands for none that is known.
fn is_host(host: &HeaderValue) -> bool {
    let Ok(host) = host.to_str() else {
        return false;
    };
    // A port may be left out behind its colon, and all of it by what asks no host.
    host.is_empty() || host_and_port(host.strip_suffix(':').unwrap_or(host)).is_ok()
}

/// Refuses a body that cannot be read, and one of which nobody said how long it is once it is too long
/// or does not end. Another is not read at all.
async fn refused_body(mut body: Incoming) -> Option<Problem> {
    if body.size_hint().exact().is_some() {
        return None;
    }
    let all = async {
        let mut length = 0;
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else {
                return Some(Problem::input(messages::body_chunks()));
            };
            length += frame.data_ref().map_or(0, |data| data.len());
            if length > LONGEST {
                return Some(Problem::too_large(length as u64));
            }
        }
        None
    };
    match tokio::time::timeout(HEADER_TIME, all).await {
        Ok(refused) => refused,
        Err(_) => Some(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            messages::body_endless(format!("{HEADER_TIME:?}")),
        )),
    }
}

/// The client: the connected address, or the one that a trusted proxy names.
fn client_of(explorer: &Explorer, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
    if !explorer.trusts(peer) {
        return peer;
    }
    // The proxy adds its line, or its value, behind whatever the client sent.
    let last = headers.get_all("x-forwarded-for").iter().next_back();
    last.and_then(|line| named_by_proxy(line.to_str().ok()?))
        .unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(uri: &str) -> Parts {
        Request::get(uri).body(()).unwrap().into_parts().0
    }

    #[test]
    fn the_prefix_of_a_proxy_is_taken_away_and_nothing_else() {
        for (base, asked, expected) in [
            ("/green", "/green", "/"),
            ("/green", "/green?lang=de", "/?lang=de"),
            (
                "/green",
                "/green/classic-3x3?moves=b2R",
                "/classic-3x3?moves=b2R",
            ),
            ("/green", "/green//classic-3x3", "/classic-3x3"),
            ("/green", "//green/classic-3x3", "/classic-3x3"),
            ("/green", "/%67reen/classic-3x3", "/classic-3x3"),
            ("/green", "/green/../green/claims", "/claims"),
            ("/green", "/greenish", "/greenish"),
            ("/green", "/classic-3x3", "/classic-3x3"),
            ("/green", "http://a.b/green/claims", "http://a.b/claims"),
            ("/Caf%C3%A9/a%20b", "/Caf%c3%a9//a%20b/claims", "/claims"),
            ("/Caf%C3%A9/a%20b", "/Café/a%20b", "/"),
            ("/a%2Fb", "/a%2fb/claims", "/claims"),
            ("/a%2Fb", "/a/b/claims", "/a/b/claims"),
            ("", "/classic-3x3", "/classic-3x3"),
            ("", "a:80", "a:80"),
            ("", "*", "*"),
        ] {
            let mut request = parts(asked);
            let path = own_path(request.uri.path(), base).unwrap();
            change_path(&mut request, &path);
            assert_eq!(request.uri, *expected, "{asked}");
        }
    }

    #[test]
    fn one_host_is_named() {
        for (hosts, old, is_fine) in [
            (&["x"][..], false, true),
            (&["[::1]:7411"], false, true),
            (&[""], false, true),
            (&[], false, false),
            (&[], true, true),
            (&["x", "x"], false, false),
            (&["x", "y"], true, false),
            (&["a/b"], false, false),
            (&["a:99999"], false, false),
            (&["[::1"], false, false),
            (&["a:b:c"], false, false),
            (&["a:"], false, true),
            (&["a:+80"], false, false),
            (&["example.org."], false, true),
            (&["a..b"], false, false),
            (&["999.1.1.1"], false, false),
            (&["a b"], false, false),
            (&["\"><script>"], false, false),
        ] {
            let mut request = parts("/");
            if old {
                request.version = Version::HTTP_10;
            }
            for host in hosts {
                let host = HeaderValue::from_str(host).unwrap();
                request.headers.append(header::HOST, host);
            }
            assert_eq!(refused_host(&request).is_none(), is_fine, "{hosts:?}");
        }
    }
}
