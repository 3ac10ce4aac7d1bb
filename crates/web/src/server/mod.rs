//! Connections: accepted, limited, timed out and ended.

mod body;
mod download;
mod patience;
mod responses;

use std::fs::File;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::explorer::{Client, Explorer, Settings, locked};
use crate::params::LONGEST;
use crate::problem::Problem;
use body::Sent;
use patience::{Pace, Paced};

/// How long a client may take to send a request, and to begin the next one.
const HEADER_TIME: Duration = Duration::from_secs(8);
/// How slowly a client may read: eight kilobytes a second, from the moment that it keeps the server
/// waiting.
const PACE: Pace = Pace {
    bytes: 64 << 10,
    time: Duration::from_secs(8),
};
/// How long a connection lives at most, busy or not.
const LIFE: Duration = Duration::from_secs(600);
/// How long open requests may take to end after the program is told to.
const GRACE: Duration = Duration::from_secs(2);
/// Longest header that is read so that it can be refused in words, in bytes.
const HEADER: usize = 64 << 10;

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {cause}{}", way_out(.cause))]
    Listen {
        /// The address.
        address: String,
        /// What the system answered.
        cause: std::io::Error,
    },
    /// The access log cannot be written.
    #[error("cannot write the access log '{file}': {cause}; name a file that can be written")]
    Log {
        /// The file.
        file: String,
        /// What the system answered.
        cause: std::io::Error,
    },
    /// The system gives no threads.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
}

fn way_out(cause: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{AddrInUse, AddrNotAvailable, PermissionDenied};
    const WAYS_OUT: [(std::io::ErrorKind, &str); 3] = [
        (
            AddrInUse,
            "; something else uses this port: name another with --port, or 0 for any that is free",
        ),
        (PermissionDenied, "; name a port from 1024 up with --port"),
        (
            AddrNotAvailable,
            "; name an address of this machine with --host",
        ),
    ];
    let known = WAYS_OUT.iter().find(|(kind, _)| *kind == cause.kind());
    // Most others come of a name that is no host's.
    known.map_or(
        "; name an address of this machine with --host, such as 127.0.0.1",
        |known| known.1,
    )
}

/// Serves until the process is told to end (Ctrl-C, or termination). `ready` hears the address once
/// requests are accepted.
///
/// # Errors
/// When the address cannot be listened on, or the log cannot be written.
pub fn serve(
    settings: Settings,
    host: &str,
    port: u16,
    ready: &mut dyn FnMut(SocketAddr),
) -> Result<(), ServeError> {
    let log = match &settings.access_log {
        Some(path) => Some(open_log(path)?),
        None => None,
    };
    raise_file_limit();
    let explorer = Arc::new(Explorer::new(settings, false));
    let room = explorer.room;
    explorer.settings.tablebase.set_aside(room.bytes());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads((room.threads + explorer.settings.jobs).min(64))
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    let served = runtime.block_on(async {
        let listener =
            TcpListener::bind((host, port))
                .await
                .map_err(|cause| ServeError::Listen {
                    address: format!("{host}:{port}"),
                    cause,
                })?;
        if let Ok(address) = listener.local_addr() {
            ready(address);
        }
        accept(listener, explorer.clone(), log).await;
        Ok(())
    });
    explorer.stop();
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

fn open_log(path: &std::path::Path) -> Result<Arc<Mutex<File>>, ServeError> {
    let mut options = File::options();
    options.create(true).append(true);
    // A pipe that nobody reads is not waited for.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let opened = options.open(path);
    #[cfg(unix)]
    let opened = opened.and_then(|file| {
        rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND)?;
        Ok(file)
    });
    let file = opened.map_err(|cause| ServeError::Log {
        file: path.display().to_string(),
        cause,
    })?;
    Ok(Arc::new(Mutex::new(file)))
}

/// As many open files as the system lets this process have.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // Where the limit stays, fewer clients are served at once.
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: limit.maximum,
                maximum: limit.maximum,
            },
        );
    }
}

async fn accept(listener: TcpListener, explorer: Arc<Explorer>, log: Option<Arc<Mutex<File>>>) {
    let places = Arc::new(Semaphore::new(explorer.room.connections));
    let (end, ending) = watch::channel(false);
    let mut told = std::pin::pin!(told_to_end());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut told => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of files for the moment: other connections will end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let place = tokio::select! {
            place = places.clone().acquire_owned() => place,
            () = &mut told => break,
        };
        let (explorer, log, mut ending) = (explorer.clone(), log.clone(), ending.clone());
        tokio::spawn(async move {
            // Answers are small and complete: they need not wait for more.
            let _ = stream.set_nodelay(true);
            let service = service_fn(move |request| {
                let (explorer, log) = (explorer.clone(), log.clone());
                async move {
                    Ok::<_, std::convert::Infallible>(
                        answered(explorer, log, request, peer.ip()).await,
                    )
                }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .max_buf_size(HEADER)
                .serve_connection(TokioIo::new(Paced::new(stream, PACE)), service);
            let mut connection = std::pin::pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => {}
                () = tokio::time::sleep(LIFE) => {}
                _ = ending.changed() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(GRACE, connection).await;
                }
            }
            drop(place);
        });
    }
    drop(listener);
    let _ = end.send(true);
    explorer.stop();
    let all = u32::try_from(explorer.room.connections).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(GRACE, places.acquire_many(all)).await;
}

async fn told_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Answers one request and writes it into the log.
async fn answered(
    explorer: Arc<Explorer>,
    log: Option<Arc<Mutex<File>>>,
    request: Request<Incoming>,
    peer: IpAddr,
) -> Response<Sent> {
    let began = Instant::now();
    let client = client_of(&explorer, &request, peer);
    let asked = log
        .is_some()
        .then(|| format!("{} {}", request.method(), request.uri()));
    let (parts, body) = request.into_parts();
    let refused = match refused(&parts) {
        None => refused_body(body).await,
        refused => refused,
    };
    let mut response = match refused {
        Some(problem) => responses::of_problem(&explorer, &parts, &problem),
        None => responses::route(&explorer, &parts, Client::now(client)).await,
    };
    if parts.method == Method::HEAD {
        let length = HeaderValue::from(response.body().length());
        *response.body_mut() = Sent::nothing();
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, length);
    }
    if let (Some(log), Some(asked)) = (log, asked) {
        let seconds = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let line = format!(
            "{seconds} {client} \"{asked}\" {} {:.1} ms\n",
            response.status().as_u16(),
            began.elapsed().as_secs_f64() * 1000.0
        );
        // A full disk is no reason to serve nothing.
        let _ = locked(&log).write_all(line.as_bytes());
    }
    response
}

/// Requests that are refused before they are looked at.
fn refused(request: &hyper::http::request::Parts) -> Option<Problem> {
    if request.method != Method::GET && request.method != Method::HEAD {
        return Some(Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            format!(
                "found {}, expected GET: nothing can be changed here",
                request.method
            ),
        ));
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

/// Refuses a body of which nobody said how long it is, once it is too long or does not end. Another
/// is not read at all.
async fn refused_body(mut body: Incoming) -> Option<Problem> {
    if body.size_hint().exact().is_some() {
        return None;
    }
    let all = async {
        let mut length = 0;
        while let Some(Ok(frame)) = body.frame().await {
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
            format!(
                "found a request that does not end within {HEADER_TIME:?}, expected a GET, which has \
                 nothing to send"
            ),
        )),
    }
}

/// Who asks: behind a proxy, whom it names last.
fn client_of(explorer: &Explorer, request: &Request<Incoming>, peer: IpAddr) -> IpAddr {
    if explorer.settings.base_url.is_none() {
        return peer;
    }
    let named = request
        .headers()
        .get("x-forwarded-for")
        .and_then(|list| list.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    named.unwrap_or(peer)
}
