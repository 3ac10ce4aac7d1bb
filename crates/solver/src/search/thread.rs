//! One thread of a search: it looks at positions in buffers of its own, and counts them.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;

use dashmap::Entry;
use greenwave_game::{Edge, Game};

use super::{
    BoundKind, INFINITE, LONGEST, Search, SearchLimits, SearchScore, TO_THE_END, TranspositionEntry,
};

/// Positions that a thread looks at before it looks at the clock and tells the others what it did: numbers that
/// all threads write at each position would keep them waiting for each other.
pub(super) const STRETCH: u64 = 512;

/// Nothing is better than to win at once.
const AT_ONCE: SearchScore = LONGEST - 1;

/// Positions that are searched less deep are not looked up before it is their turn: to search most of them takes
/// less time than to ask for what threads know together.
const GUESSED: u32 = 2;

// A move of a position that is searched.
struct OrderedMove<P> {
    // The highest is tried first: what is known of it, its urgency, how early it is listed.
    order: (SearchScore, u32, Reverse<usize>),
    edge: Edge<P>,
    // Canonical form of the position that it leads to.
    key: P,
    // Its score where it ends the game.
    ended: Option<SearchScore>,
}

/// A thread of a search. What it did is told at the end of each stretch, and of the last by
/// [`SearchThread::finish`].
pub(super) struct SearchThread<'s, 'g, G: Game> {
    search: &'s Search<'g, G>,
    limits: SearchLimits<'s>,
    // Positions of this stretch, and those that were looked at.
    stretch: u64,
    looked: u64,
    // Entries that there is still room for, as far as this thread knows, and those stored in this stretch.
    room: u64,
    stored: u64,
    moves: Vec<G::Move>,
    // Buffers that no position uses at present.
    free: Vec<Vec<OrderedMove<G::Position>>>,
}

impl<'s, 'g, G: Game> SearchThread<'s, 'g, G> {
    pub(super) fn new(search: &'s Search<'g, G>, limits: SearchLimits<'s>) -> Self {
        SearchThread {
            search,
            limits,
            stretch: 0,
            looked: 0,
            room: 0,
            stored: 0,
            moves: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Score of a position searched `depth` plies deep, with a full window, and whether it holds however
    /// deep one looks; `None` when a limit is met.
    pub(super) fn score(
        &mut self,
        position: &G::Position,
        depth: u32,
    ) -> Option<(SearchScore, bool)> {
        let game = self.search.game;
        match game.ending(position) {
            Some(ending) => Some((self.search.ended(&ending), true)),
            None => {
                let key = game.canonical(position);
                self.node(position, key, depth, -INFINITE, INFINITE)
            }
        }
    }

    /// Tells what was done since the last stretch.
    pub(super) fn finish(mut self) {
        self.tell();
    }

    // Fail-soft alpha-beta of an unfinished position whose canonical form is `key`.
    fn node(
        &mut self,
        position: &G::Position,
        key: G::Position,
        depth: u32,
        alpha: SearchScore,
        beta: SearchScore,
    ) -> Option<(SearchScore, bool)> {
        if depth == 0 {
            return Some((0, false));
        }
        self.spend()?;
        let (search, game) = (self.search, self.search.game);
        let (mut low, mut high) = (alpha, beta);
        // What the rules alone say of the score, and whether that holds however deep one looks.
        let mut lasting = true;
        if !search.scored {
            let wins = |mine, within| game.last_win(position, mine, within) > 0;
            if high > 0 && !wins(true, depth) {
                high = 0;
                lasting &= !wins(true, u32::MAX);
            }
            if low < 0 && !wins(false, depth) {
                low = 0;
                lasting &= !wins(false, u32::MAX);
            }
            if low >= high {
                return Some((0, lasting));
            }
        }
        if let Some(entry) = search.known.get(&key).map(|entry| *entry)
            && entry.depth >= depth
        {
            let complete = entry.depth == TO_THE_END;
            match entry.bound {
                BoundKind::Exact => return Some((entry.score, complete)),
                BoundKind::AtLeast => low = low.max(entry.score),
                BoundKind::AtMost => high = high.min(entry.score),
            }
            if low >= high {
                return Some((entry.score, complete));
            }
        }

        let below = if depth == TO_THE_END {
            TO_THE_END
        } else {
            depth - 1
        };
        let Some(choices) = self.choices(position, below) else {
            let entry = TranspositionEntry {
                score: AT_ONCE,
                depth: TO_THE_END,
                bound: BoundKind::Exact,
            };
            self.store(key, entry);
            return Some((AT_ONCE, true));
        };
        let (mut best, mut all_complete, floor) = (-INFINITE, lasting, low);
        for choice in &choices {
            let edge = &choice.edge;
            let (score, complete) = match choice.ended {
                Some(score) => (score, true),
                None => {
                    let (mut lower, mut upper) = (search.down(edge, low), search.down(edge, high));
                    if !edge.keeps_turn {
                        std::mem::swap(&mut lower, &mut upper);
                    }
                    let found = self.node(&edge.to, choice.key, below, lower, upper)?;
                    (search.up(edge, found.0), found.1)
                }
            };
            best = best.max(score);
            all_complete &= complete;
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        self.give_back(choices);
        let bound = if best >= high {
            BoundKind::AtLeast
        } else if best <= floor {
            BoundKind::AtMost
        } else {
            BoundKind::Exact
        };
        // A win or loss that was found stays what it is when the search goes deeper.
        let decided = !search.scored
            && match bound {
                BoundKind::Exact => best != 0,
                BoundKind::AtLeast => best > 0,
                BoundKind::AtMost => best < 0,
            };
        let complete = decided || all_complete;
        let entry = TranspositionEntry {
            score: best,
            depth: if complete { TO_THE_END } else { depth },
            bound,
        };
        self.store(key, entry);
        Some((best, complete))
    }

    // The moves of a position, to be searched so deep; `None` where one of them wins at once.
    fn choices(
        &mut self,
        position: &G::Position,
        depth: u32,
    ) -> Option<Vec<OrderedMove<G::Position>>> {
        let (search, game) = (self.search, self.search.game);
        let mut choices = self.free.pop().unwrap_or_default();
        game.moves(position, &mut self.moves);
        for (number, mv) in self.moves.iter().enumerate() {
            let edge = game.play(position, *mv);
            let ended = game.ending(&edge.to);
            let ended = ended.map(|ending| search.up(&edge, search.ended(&ending)));
            if !search.scored && ended == Some(AT_ONCE) {
                self.give_back(choices);
                return None;
            }
            choices.push(OrderedMove {
                order: (ended.unwrap_or(edge.gain), 0, Reverse(number)),
                key: edge.to,
                edge,
                ended,
            });
        }
        if depth > 0 {
            for (choice, mv) in choices.iter_mut().zip(&self.moves) {
                choice.order.1 = game.urgency(position, *mv);
                if choice.ended.is_none() {
                    choice.key = game.canonical(&choice.edge.to);
                    if depth >= GUESSED
                        && let Some(entry) = search.known.get(&choice.key)
                    {
                        choice.order.0 = search.up(&choice.edge, entry.score);
                    }
                }
            }
            choices.sort_unstable_by_key(|choice| Reverse(choice.order));
        }
        Some(choices)
    }

    fn give_back(&mut self, mut choices: Vec<OrderedMove<G::Position>>) {
        choices.clear();
        self.free.push(choices);
    }

    fn store(&mut self, key: G::Position, entry: TranspositionEntry) {
        match self.search.known.entry(key) {
            Entry::Occupied(mut known) => {
                known.insert(entry);
            }
            Entry::Vacant(unknown) => {
                if self.stored < self.room {
                    unknown.insert(entry);
                    self.stored += 1;
                }
            }
        }
    }

    // Counts a position; `None` when a limit is met.
    fn spend(&mut self) -> Option<()> {
        if self.looked == self.stretch {
            self.tell();
            self.begin_stretch()?;
        }
        self.looked += 1;
        Some(())
    }

    fn begin_stretch(&mut self) -> Option<()> {
        let (search, SearchLimits { budget, progress }) = (self.search, self.limits);
        let looks = budget.nodes.map_or(STRETCH, |nodes| {
            STRETCH.min(nodes.saturating_sub(search.nodes()))
        });
        if looks == 0 || budget.is_late() || progress.cancelled() {
            search.exhausted.store(true, Ordering::Relaxed);
        }
        self.stretch = looks;
        let stored = search.stored.load(Ordering::Relaxed);
        self.room = search.capacity.saturating_sub(stored);
        (!search.exhausted.load(Ordering::Relaxed)).then_some(())
    }

    fn tell(&mut self) {
        let search = self.search;
        let nodes = search.nodes.fetch_add(self.looked, Ordering::Relaxed) + self.looked;
        search.stored.fetch_add(self.stored, Ordering::Relaxed);
        (self.looked, self.stored) = (0, 0);
        search.tell(nodes, self.limits.progress);
    }
}
