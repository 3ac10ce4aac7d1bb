//! Open connections, and the ones that make room: no address keeps all others waiting.
//!
//! There is a place for this many connections, and each address has a share of them. A new client,
//! when all are taken, gets the place of a connection that is only waiting: for the rest of its
//! request, or for the next one. Where every connection is being answered or is new, there is an
//! answer that says when to come again.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use greenwave_words::Language;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use crate::lock::locked;
use crate::messages;

/// The least share of one address.
const LEAST_SHARE: usize = 8;
/// The time for which a connection keeps its place for its first request, which may be on its way.
const FIRST: Duration = Duration::from_millis(100);
/// Number of connections that may be turned away at once in words.
const TURNED_AWAY: usize = 16;
/// Time for a refused client to read the reason.
const READING: Duration = Duration::from_millis(500);

/// All connections.
pub(super) struct Connections {
    most: usize,
    share: usize,
    all: Mutex<All>,
    left: Notify,
    turned_away: AtomicUsize,
}

#[derive(Default)]
struct All {
    next: u64,
    by_number: HashMap<u64, Connection>,
}

struct Connection {
    /// Whose share it counts to; `None` where a proxy stands for many.
    sharer: Option<IpAddr>,
    since: Instant,
    activity: Activity,
    needed: Arc<Notify>,
    /// Whether its place was given to another already.
    given: bool,
}

impl Connections {
    /// None yet, and this many at once.
    pub(super) fn of(most: usize) -> Connections {
        Connections {
            most,
            share: (most / 4).max(LEAST_SHARE),
            all: Mutex::default(),
            left: Notify::new(),
            turned_away: AtomicUsize::new(0),
        }
    }

    /// A place for a connection from an address, if there is any or one can be freed.
    pub(super) fn enter(
        self: &Arc<Connections>,
        peer: IpAddr,
        by_proxy: bool,
    ) -> Option<ConnectionSlot> {
        let sharer = (!by_proxy).then(|| sharer(peer));
        let mut all = locked(&self.all);
        let counted = |of: Option<IpAddr>| {
            let them = all.by_number.values();
            them.filter(|one| one.sharer == of && !one.given).count()
        };
        let taken = all.by_number.values().filter(|one| !one.given).count();
        let over_share = sharer.is_some() && counted(sharer) >= self.share;
        if over_share || taken >= self.most {
            // From an address with more than its share one of its own goes, else one of those that
            // have most.
            let mut held: HashMap<Option<IpAddr>, usize> = HashMap::new();
            for one in all.by_number.values().filter(|one| !one.given) {
                *held.entry(one.sharer).or_default() += 1;
            }
            let waiting = all.by_number.values_mut().filter(|one| {
                let is_mine = !over_share || one.sharer == sharer;
                !one.given && is_mine && one.activity.is_idle() && one.since.elapsed() >= FIRST
            });
            let longest = waiting.max_by_key(|one| {
                let held = held.get(&one.sharer).copied().unwrap_or(0);
                (held, std::cmp::Reverse(one.since))
            })?;
            longest.given = true;
            longest.needed.notify_one();
        }
        let number = all.next;
        all.next += 1;
        let connection = Connection {
            sharer,
            since: Instant::now(),
            activity: Activity::default(),
            needed: Arc::default(),
            given: false,
        };
        let taken = ConnectionSlot {
            connections: Arc::clone(self),
            number,
            activity: connection.activity.clone(),
            needed: Arc::clone(&connection.needed),
        };
        all.by_number.insert(number, connection);
        Some(taken)
    }

    /// Waits until every connection has ended.
    pub(super) async fn all_gone(&self) {
        loop {
            let left = self.left.notified();
            if locked(&self.all).by_number.is_empty() {
                return;
            }
            left.await;
        }
    }
}

/// The unit that shares: of IPv6 the network of one customer, who has all addresses in it.
fn sharer(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
    }
}

/// A place, until it is dropped.
pub(super) struct ConnectionSlot {
    connections: Arc<Connections>,
    number: u64,
    activity: Activity,
    needed: Arc<Notify>,
}

impl ConnectionSlot {
    pub(super) fn activity(&self) -> Activity {
        self.activity.clone()
    }

    /// Waits until another needs the place.
    pub(super) async fn needed(&self) {
        self.needed.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        locked(&self.connections.all).by_number.remove(&self.number);
        self.connections.left.notify_waiters();
    }
}

/// The activity of a connection: the number of answers that are being made or sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Activity(Arc<AtomicUsize>);

impl Activity {
    /// Something is being done, until the guard is dropped.
    pub(super) fn begin(&self) -> ActivityGuard {
        self.0.fetch_add(1, Ordering::Relaxed);
        ActivityGuard(Arc::clone(&self.0))
    }

    fn is_idle(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// Something that is being done.
#[derive(Debug)]
pub(crate) struct ActivityGuard(Arc<AtomicUsize>);

impl Drop for ActivityGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Tells a client for whom there is no place when to come again.
pub(super) fn turn_away(mut stream: TcpStream, connections: &Arc<Connections>) {
    let connections = Arc::clone(connections);
    if connections.turned_away.fetch_add(1, Ordering::Relaxed) >= TURNED_AWAY {
        connections.turned_away.fetch_sub(1, Ordering::Relaxed);
        return;
    }
    tokio::spawn(async move {
        // Nothing is read for it, so that its language is not known.
        let message = messages::connections_used();
        let said = Language::ALL.into_iter();
        let said = said.map(|language| language.message(&message));
        let said: Vec<String> = said
            .map(|said| said.unwrap_or(message.english().into()) + "\n")
            .collect();
        let said = said.concat();
        let answer = format!(
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\n\
             Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n\
             Content-Length: {}\r\n\r\n{said}",
            said.len()
        );
        let told = async {
            stream.write_all(answer.as_bytes()).await?;
            stream.shutdown().await?;
            // It reads the rest of the request, or the system would drop the answer.
            let mut piece = [0; 1 << 10];
            while stream.read(&mut piece).await? > 0 {}
            Ok::<(), std::io::Error>(())
        };
        let _ = tokio::time::timeout(READING, told).await;
        connections.turned_away.fetch_sub(1, Ordering::Relaxed);
    });
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    /// Lets all that are there have come some time ago, in the order in which they came.
    fn wait(connections: &Connections) {
        for one in locked(&connections.all).by_number.values_mut() {
            one.since = one.since.checked_sub(FIRST).unwrap();
        }
    }

    #[test]
    fn one_address_has_no_more_than_its_share() {
        let connections = Arc::new(Connections::of(40));
        let mine: Vec<ConnectionSlot> = (0..10)
            .map(|_| connections.enter(address(1), false).unwrap())
            .collect();
        let busy: Vec<ActivityGuard> = mine.iter().map(|one| one.activity.begin()).collect();
        assert!(connections.enter(address(1), false).is_none());
        assert!(connections.enter(address(2), false).is_some());
        drop(busy);
        wait(&connections);
        assert!(connections.enter(address(1), false).is_some());
        assert!(locked(&connections.all).by_number[&mine[0].number].given);
    }

    #[test]
    fn who_only_waits_makes_room_for_who_comes() {
        let connections = Arc::new(Connections::of(12));
        let enter = |last| connections.enter(address(last), false);
        let many: Vec<ConnectionSlot> = (0..8).map(|_| enter(1).unwrap()).collect();
        let others: Vec<ConnectionSlot> = (2..6).map(|last| enter(last).unwrap()).collect();
        let _answered = many[0].activity.begin();
        // Whose first request may be on its way is not sent away.
        assert!(enter(9).is_none());
        wait(&connections);
        let new = enter(9).unwrap();
        let given: Vec<u64> = {
            let all = locked(&connections.all);
            let given = all.by_number.iter().filter(|(_, one)| one.given);
            given.map(|(number, _)| *number).collect()
        };
        assert_eq!(given, [many[1].number]);
        // Where all are being answered nobody can be sent away.
        let all = many.iter().chain(&others).chain([&new]);
        let busy: Vec<ActivityGuard> = all.map(|one| one.activity.begin()).collect();
        wait(&connections);
        assert!(enter(10).is_none());
        drop(busy);
        assert!(enter(10).is_some());
    }

    #[test]
    fn a_proxy_may_have_every_place() {
        let connections = Arc::new(Connections::of(12));
        let all: Vec<Option<ConnectionSlot>> = (0..12)
            .map(|_| connections.enter(address(1), true))
            .collect();
        assert!(all.iter().all(Option::is_some));
        assert!(sharer("2001:db8::1:2".parse().unwrap()) == sharer("2001:db8::3".parse().unwrap()));
    }
}
