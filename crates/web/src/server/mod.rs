//! Connections: accepted, limited, timed out and ended.

mod body;
mod card;
mod coding;
mod conditions;
mod connections;
mod download;
mod error;
mod kept;
mod log;
mod offline;
mod page_copy;
mod patience;
mod requests;
mod responses;
mod targets;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use error::ServeError;
pub(crate) use page_copy::PageCopy;

use crate::explorer::{Explorer, ExplorerSettings};
use connections::{Connections, turn_away};
use log::Log;
use patience::{Pace, PacedStream};
use requests::HEADER_TIME;

/// How slowly a client may read: eight kilobytes a second, from the moment that it keeps the server
/// waiting.
const PACE: Pace = Pace {
    bytes: 64 << 10,
    time: Duration::from_secs(8),
};
/// Longest life of a connection, busy or not.
const LIFE: Duration = Duration::from_secs(600);
/// Time limit for open requests to end after the program gets a signal to end.
const GRACE: Duration = Duration::from_secs(2);
/// Longest header that is read so that it can be refused in words, in bytes.
const HEADER: usize = 64 << 10;
/// Open files that connections leave to tables, threads and whatever else needs some.
const RESERVE: u64 = 128;

/// Serves until a signal ends the process (Ctrl-C, or termination). The function `ready` gets the
/// address once requests are accepted.
///
/// # Errors
/// When the address cannot be listened on, or the log cannot be written.
pub fn serve(
    settings: ExplorerSettings,
    host: &str,
    port: u16,
    ready: &mut dyn FnMut(SocketAddr),
) -> Result<(), ServeError> {
    let log = match &settings.access_log {
        Some(path) => Some(Arc::new(Log::open(path)?)),
        None => None,
    };
    if let Some(folder) = &settings.offline {
        offline::look(folder)?;
    }
    let files = raise_file_limit();
    let explorer = Arc::new(Explorer::new(settings, false));
    refuse_base(&explorer)?;
    let room = explorer.room;
    explorer.settings.tablebase.set_aside(room.bytes());
    // The solves in the background have a share, too.
    let questions = explorer.settings.jobs + 1;
    explorer.settings.tablebase.divide_memory(questions);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        // Where a look has to wait for a disk, others go on.
        .worker_threads(std::thread::available_parallelism().map_or(4, |cores| cores.get().max(4)))
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
        #[cfg(unix)]
        if let Some(log) = &log {
            log::reopen_on_hangup(log);
        }
        if let Ok(address) = listener.local_addr() {
            ready(address);
        }
        accept(listener, explorer.clone(), log, files).await;
        Ok(())
    });
    explorer.stop();
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Refuses a base URL below which paths could not be told from those of the server.
fn refuse_base(explorer: &Explorer) -> Result<(), ServeError> {
    let Some(base) = &explorer.settings.base_url else {
        return Ok(());
    };
    let first = base.path().split('/').nth(1);
    match first.filter(|first| responses::has_below(explorer, first)) {
        None => Ok(()),
        Some(first) => Err(ServeError::Base {
            base: base.to_string(),
            first: first.into(),
        }),
    }
}

/// Raises the number of open files as far as the system allows, and returns it.
fn raise_file_limit() -> u64 {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        };
        // Where the limit stays, fewer clients are served at once.
        let allowed = match setrlimit(Resource::Nofile, raised) {
            Ok(()) => limit.maximum,
            Err(_) => limit.current,
        };
        allowed.unwrap_or(u64::MAX)
    }
    #[cfg(not(unix))]
    {
        u64::MAX
    }
}

/// The number of connections, of those that the memory allows, with this number of open files.
fn connections_with(files: u64, room: usize) -> usize {
    let left = files - RESERVE.min(files / 2);
    usize::try_from(left).map_or(room, |left| room.min(left.max(1)))
}

/// Time without a request after which memory is given back.
const IDLE: Duration = Duration::from_secs(300);

/// Gives memory back as often as nobody has asked for a while.
async fn give_back_when_idle(explorer: Arc<Explorer>) {
    let mut given = explorer.last_asked();
    loop {
        tokio::time::sleep(IDLE / 10).await;
        let asked = explorer.last_asked();
        if asked != given && asked.elapsed() >= IDLE {
            given = asked;
            let explorer = Arc::clone(&explorer);
            let _ = tokio::task::spawn_blocking(move || explorer.give_back()).await;
        }
    }
}

async fn accept(listener: TcpListener, explorer: Arc<Explorer>, log: Option<Arc<Log>>, files: u64) {
    let most = connections_with(files, explorer.room.connections);
    let connections = Arc::new(Connections::of(most));
    let (end, ending) = watch::channel(false);
    let idle = tokio::spawn(give_back_when_idle(Arc::clone(&explorer)));
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
        let peer = peer.ip().to_canonical();
        let by_proxy = explorer.trusts(peer);
        let Some(place) = connections.enter(peer, by_proxy) else {
            turn_away(stream, &connections);
            continue;
        };
        let (explorer, log, mut ending) = (explorer.clone(), log.clone(), ending.clone());
        tokio::spawn(async move {
            // Answers are small and complete: they need not wait for more.
            let _ = stream.set_nodelay(true);
            let activity = place.activity();
            let paced = PacedStream::new(stream, PACE, activity.clone());
            let service = service_fn(move |request| {
                let (explorer, log, activity) = (explorer.clone(), log.clone(), activity.clone());
                async move {
                    let response =
                        requests::answered(explorer, log, request, peer, &activity).await;
                    Ok::<_, std::convert::Infallible>(response)
                }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .max_buf_size(HEADER)
                .serve_connection(TokioIo::new(paced), service);
            let mut connection = std::pin::pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => {}
                () = tokio::time::sleep(LIFE) => {}
                () = place.needed() => {}
                _ = ending.changed() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(GRACE, connection).await;
                }
            }
            drop(place);
        });
    }
    drop(listener);
    idle.abort();
    let _ = end.send(true);
    explorer.stop();
    let _ = tokio::time::timeout(GRACE, connections.all_gone()).await;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_to_others() {
        for (files, room, expected) in [
            (u64::MAX, 300, 300),
            (1024, 300, 300),
            (1024, 2048, 896),
            (64, 24, 24),
            (20, 24, 10),
            (0, 24, 1),
        ] {
            assert_eq!(connections_with(files, room), expected, "{files} {room}");
        }
    }
}
