//! Retrograde analysis for games with moves that stay in their tier, and for games whose positions
//! can repeat.
//!
//! Tiers are taken from the highest down. In each, the moves to positions with known values become
//! the exits of a position. The rest is settled by [`settle_acyclic`] where the game declares that
//! no position repeats, and by [`settle_repeating`] where it declares that some can. Nothing is
//! assumed about how many moves stay in a tier or which positions they connect.

mod tier;
mod value;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI16, Ordering};

use greenwave_game::{Advance, Dense, Implication, LEAF_BITS, LeafMask, Metric, Packing, Tier};
use greenwave_values::parallel::{try_for_each_chunk, try_map_chunks, try_map_parts};
use greenwave_values::{Codes, DenseValues, Progress, Unit, room};

pub use tier::{Links, MAX_NODES, TierFailure, settle_acyclic, settle_repeating};
pub use value::PositionWorth;
use value::{DistanceValue, LongPlay, LoopyPoints, StoredWorth};

use crate::{Cost, SolveError};
use greenwave_sweep::checkpoint::Checkpoint;
use rayon::prelude::*;

/// Half bytes of memory per indexable position that a solve takes at most, for points and otherwise:
/// its value, its code, and the open positions of the largest tier. Measured were 10.4 (the slider) and
/// at most 8.1 (the strip).
const HALF_BYTES: [u128; 2] = [12, 9];

/// What a solve will take.
pub(crate) fn cost<G: Dense>(game: &G, metric: Metric) -> Cost {
    let positions = game.indexable();
    // Those that one thread settles in a second, roughly, on a machine of 2020 or later.
    let [for_points, otherwise] = HALF_BYTES;
    let (rate, half_bytes) = match metric {
        Metric::Points => (6e6, for_points),
        Metric::Value | Metric::Distance | Metric::Nimber | Metric::Odds => (1e7, otherwise),
    };
    let threads = rayon::current_num_threads() as f64;
    Cost {
        memory_bytes: positions * half_bytes / 2 + (16 << 20),
        table_bytes: positions,
        // Two bytes each, twice while one is written beside another.
        checkpoint_bytes: 4 * positions,
        seconds: positions as f64 / (rate * threads),
        ..Cost::of(game, metric)
    }
}

// Positions of a tier in one step. Later ones find the values of those before.
const CHUNK: usize = 1 << 16;
// Of those, the ones that a thread takes at a time.
const GRAIN: usize = 1 << 9;

// The tier that a checkpoint names as the last settled one where none is.
const NO_TIER: u32 = u32::MAX;

// No value packs to these.
const UNKNOWN: i16 = i16::MIN;
const ILLEGAL: i16 = i16::MIN + 1;

/// A solved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopySolution {
    /// The value of every index.
    pub values: DenseValues,
    /// Where play need never end.
    pub endless: Endless,
}

/// The drawn positions from which some play that keeps the draw goes on for ever. In the other drawn
/// ones all such play ends without a winner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless(Vec<u64>);

impl Endless {
    /// Whether play can go on for ever from an index.
    #[must_use]
    pub fn contains(&self, index: u64) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Number of such positions.
    #[must_use]
    pub fn count(&self) -> u64 {
        let ones = self.0.iter().map(|word| u64::from(word.count_ones()));
        ones.sum()
    }
}

/// Solves a game with a dense index in one metric.
///
/// # Errors
/// When memory cannot be had, when the work is cancelled, when the game does not keep to what it
/// declares, and when a distance is too long for a table.
///
/// # Panics
/// When the game has no such metric.
pub fn solve<G: Dense>(
    game: &G,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<LoopySolution, SolveError> {
    solve_resumably(game, metric, None, progress)
}

/// [`solve`], going on from a checkpoint and leaving one where there is something to keep.
pub(crate) fn solve_resumably<G: Dense>(
    game: &G,
    metric: Metric,
    checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<LoopySolution, SolveError> {
    match metric {
        Metric::Value | Metric::Distance => {
            let settled = settle::<G, DistanceValue>(game, metric, checkpoint, progress)?;
            finish(game, metric, &settled)
        }
        Metric::Points => {
            let settled = settle::<G, LoopyPoints>(game, metric, checkpoint, progress)?;
            finish(game, metric, &settled)
        }
        Metric::Odds | Metric::Nimber => {
            unreachable!("games whose positions can stay in a tier have no {metric}")
        }
    }
}

// The values of all indices, packed.
struct WorthArray<V> {
    all: Vec<AtomicI16>,
    kind: std::marker::PhantomData<V>,
}

impl<V: StoredWorth> WorthArray<V> {
    fn new(indices: u64) -> Result<WorthArray<V>, SolveError> {
        let unknown = (0..indices as usize).map(|_| AtomicI16::new(UNKNOWN));
        Ok(WorthArray {
            all: room::collected(unknown)?,
            kind: std::marker::PhantomData,
        })
    }

    fn packed(&self, index: usize) -> i16 {
        self.all[index].load(Ordering::Relaxed)
    }

    fn get(&self, index: u64) -> Option<V> {
        let packed = self.packed(index as usize);
        (packed > ILLEGAL).then(|| V::unpack(packed))
    }

    // How many of some indices have been written.
    fn known(&self, indices: std::ops::Range<u64>) -> u64 {
        let slots = self.all[indices.start as usize..indices.end as usize].iter();
        let known = slots.filter(|slot| slot.load(Ordering::Relaxed) != UNKNOWN);
        known.count() as u64
    }

    // Every index is written once, and always with the same value whoever comes first.
    fn set(&self, index: u64, value: V) {
        self.all[index as usize].store(value.pack(), Ordering::Relaxed);
    }
}

fn settle<G: Dense, V: StoredWorth>(
    game: &G,
    metric: Metric,
    mut checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<WorthArray<V>, SolveError> {
    let indices = game.indexable() as u64;
    let mut packed = WorthArray::<V>::new(indices)?;
    let done = match &mut checkpoint {
        Some(checkpoint) => read_checkpoint(game, checkpoint, &mut packed, progress)?,
        None => None,
    };
    progress.begin(
        &format!("solving {} for {metric}", game.rules().title()),
        indices,
        Unit::Positions,
    );
    let leaves = indices.div_ceil(1 << LEAF_BITS);
    // The part in a checkpoint counts as done at once.
    let held = |range: std::ops::Range<u64>| match done {
        Some(_) => packed.known(range),
        None => 0,
    };
    progress.advance(held(0..indices));
    let by_rules = try_map_parts(leaves as usize, |leaf| {
        if progress.cancelled() {
            return Err(SolveError::Interrupted);
        }
        let first = (leaf as u64) << LEAF_BITS;
        let counted = held(first..indices.min(first + (1 << LEAF_BITS)));
        let open = settle_by_rules(game, metric, &packed, leaf as u64);
        let left: usize = open.values().map(Vec::len).sum();
        progress.advance((1 << LEAF_BITS).min(indices) - left as u64 - counted);
        Ok(open)
    });
    if let (Err(SolveError::Interrupted), Some(checkpoint)) = (&by_rules, &mut checkpoint) {
        save(checkpoint, &packed, done.unwrap_or(NO_TIER))?;
    }
    let mut open: Vec<BTreeMap<Tier, Vec<u16>>> = by_rules?;
    let tiers: std::collections::BTreeSet<Tier> =
        open.iter().flat_map(|leaf| leaf.keys().copied()).collect();
    // Of the tiers that a checkpoint has, only the positions that the rules leave open are counted.
    for tier in tiers.into_iter().rev() {
        let count = open.iter().filter_map(|by_tier| by_tier.get(&tier));
        let mut nodes = room::reserved(count.map(Vec::len).sum())?;
        for (leaf, by_tier) in open.iter_mut().enumerate() {
            let places = by_tier.remove(&tier).unwrap_or_default();
            let first = (leaf as u64) << LEAF_BITS;
            nodes.extend(places.into_iter().map(|place| first + u64::from(place)));
        }
        if done.is_some_and(|done| tier.0 >= done) {
            progress.advance(nodes.len() as u64);
            continue;
        }
        let settled = settle_tier(game, tier, &nodes, &packed, progress);
        match &mut checkpoint {
            // The settled positions of a tier are stored; the resumed solve visits an interrupted tier
            // again.
            Some(checkpoint) => checkpoint.after_step(settled, progress, |checkpoint, done| {
                save(checkpoint, &packed, if done { tier.0 } else { tier.0 + 1 })
            })?,
            None => settled?,
        }
    }
    if let Some(checkpoint) = checkpoint {
        checkpoint.keep_finished(|checkpoint| save(checkpoint, &packed, 0));
    }
    Ok(packed)
}

fn part_name(tier: u32) -> String {
    format!("tiers-{tier}")
}

// Keeps the values of all indices, those of the tiers from `tier` on being settled.
fn save<V>(
    checkpoint: &mut Checkpoint,
    packed: &WorthArray<V>,
    tier: u32,
) -> Result<(), SolveError> {
    let name = part_name(tier);
    if checkpoint.lists(&name) {
        return Ok(());
    }
    let mut file = checkpoint.write(&name)?;
    let slots = packed.all.iter();
    file.put_all(slots.map(|slot| slot.load(Ordering::Relaxed).to_le_bytes()))?;
    let record = file.finish()?;
    checkpoint.commit(&[("tier", &[tier.into()])], &[(name, record)])
}

// The lowest tier that a checkpoint has settled, with the values of all indices.
fn read_checkpoint<G: Dense, V: StoredWorth>(
    game: &G,
    checkpoint: &mut Checkpoint,
    packed: &mut WorthArray<V>,
    progress: &dyn Progress,
) -> Result<Option<u32>, SolveError> {
    let Some(numbers) = checkpoint.resume(progress)? else {
        return Ok(None);
    };
    let tier = numbers.get("tier").and_then(|tier| tier.first());
    let Some(tier) = tier.and_then(|tier| u32::try_from(*tier).ok()) else {
        return Err(checkpoint.refuse("says of no tier that it is settled"));
    };
    let mut file = checkpoint.read(&part_name(tier))?;
    if file.bytes() != (packed.all.len() * size_of::<i16>()) as u64 {
        return Err(file.damaged("found values of another number of positions"));
    }
    for slot in &mut packed.all {
        *slot.get_mut() = i16::from_le_bytes(file.take()?);
    }
    file.finish()?;
    // The tiers from this one on have values, and nothing else has one that is none.
    let can_be = |index: usize| match (packed.packed(index), game.at(index as u64)) {
        (ILLEGAL, position) => position.is_none(),
        (UNKNOWN, Some(position)) => game.tier(&position).0 < tier,
        (UNKNOWN, None) => tier == NO_TIER,
        (value, position) => position.is_some() && V::can_be(value),
    };
    if !(0..packed.all.len()).into_par_iter().all(can_be) {
        return Err(checkpoint.refuse("is damaged: it has values that this game does not have"));
    }
    Ok(Some(tier))
}

// Gives a leaf's positions their values where these follow from the rules at once, and sorts the
// others by tier; all that is known already stays as it is.
fn settle_by_rules<G: Dense, V: StoredWorth>(
    game: &G,
    metric: Metric,
    packed: &WorthArray<V>,
    leaf: u64,
) -> BTreeMap<Tier, Vec<u16>> {
    let first = leaf << LEAF_BITS;
    let places = (game.indexable() - u128::from(first)).min(1 << LEAF_BITS) as u32;
    let mut open: BTreeMap<Tier, Vec<u16>> = BTreeMap::new();
    let mut leave_open = |place: u32| {
        if let Some(position) = game.at(first + u64::from(place)) {
            open.entry(game.tier(&position))
                .or_default()
                .push(place as u16);
        }
    };
    let known = |place: &u32| {
        let slot = &packed.all[(first + u64::from(*place)) as usize];
        slot.load(Ordering::Relaxed) != UNKNOWN
    };
    // A checkpoint has values of a leaf only after the rules have been asked about all of it.
    if (0..places).any(|place| known(&place)) {
        (0..places)
            .filter(|place| !known(place))
            .for_each(&mut leave_open);
        return open;
    }
    let (mut unfinished, mut undecided) = (LeafMask::default(), LeafMask::default());
    game.leaf_mask(Packing::Unfinished, leaf, &mut unfinished);
    let packing = game.packing(metric);
    if packing == Packing::Undecided {
        game.leaf_mask(packing, leaf, &mut undecided);
    } else {
        undecided.clone_from(&unfinished);
    }
    for place in 0..places {
        let index = first + u64::from(place);
        if undecided.contains(place) {
            leave_open(place);
        } else if unfinished.contains(place) {
            packed.set(index, V::won_at_once());
        } else {
            match game.implied(Packing::Unfinished, index) {
                Some(Implication::Ended(ending)) => packed.set(index, V::ended(&ending)),
                _ => packed.all[index as usize].store(ILLEGAL, Ordering::Relaxed),
            }
        }
    }
    open
}

// Positions whose moves do not all lead to known values.
#[derive(Default)]
struct OpenPositions<V> {
    indices: Vec<u64>,
    exits: Vec<Option<V>>,
    // ends[n]: where the moves of position n that stay in the tier end in `to`.
    ends: Vec<usize>,
    // An index, and in the lowest bit whether the move keeps the turn.
    to: Vec<u64>,
}

impl<V> OpenPositions<V> {
    fn new() -> OpenPositions<V> {
        OpenPositions {
            indices: Vec::new(),
            exits: Vec::new(),
            ends: Vec::new(),
            to: Vec::new(),
        }
    }

    // The positions of several parts, in order; each part is let go as soon as it was copied.
    fn joined(parts: Vec<OpenPositions<V>>) -> Result<OpenPositions<V>, SolveError> {
        let mut joined = OpenPositions::new();
        let sum = |length: fn(&OpenPositions<V>) -> usize| parts.iter().map(length).sum();
        let nodes = sum(|part| part.indices.len());
        room::reserve(&mut joined.indices, nodes)?;
        room::reserve(&mut joined.exits, nodes)?;
        room::reserve(&mut joined.ends, nodes)?;
        room::reserve(&mut joined.to, sum(|part| part.to.len()))?;
        for mut part in parts {
            let moves = joined.to.len();
            joined.indices.append(&mut part.indices);
            joined.exits.append(&mut part.exits);
            joined
                .ends
                .extend(part.ends.into_iter().map(|end| moves + end));
            joined.to.append(&mut part.to);
        }
        Ok(joined)
    }

    fn moves(&self, node: usize) -> impl Iterator<Item = (u64, bool)> {
        let first = if node == 0 { 0 } else { self.ends[node - 1] };
        let moves = self.to[first..self.ends[node]].iter();
        moves.map(|to| (to >> 1, to & 1 == 1))
    }
}

// All positions of a tier that the rules leave open, by ascending index.
fn settle_tier<G: Dense, V: StoredWorth>(
    game: &G,
    tier: Tier,
    nodes: &[u64],
    packed: &WorthArray<V>,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let mut parts = Vec::new();
    for chunk in nodes.rchunks(CHUNK) {
        if progress.cancelled() {
            return Err(SolveError::Interrupted);
        }
        let looked_at =
            try_map_chunks(chunk, GRAIN, |_, grain| look_at(game, tier, grain, packed))?;
        let part = OpenPositions::joined(looked_at)?;
        progress.advance((chunk.len() - part.indices.len()) as u64);
        parts.push(part);
    }
    parts.reverse();
    let mut open = OpenPositions::joined(parts)?;
    if open.indices.is_empty() {
        return Ok(());
    }
    let links = connect(game, &mut open, packed)?;
    let values = if game.rules().properties.advance == Advance::Repeats {
        settle_repeating(&open.exits, &links)?
    } else {
        settle_acyclic(&open.exits, &links).map_err(|unsettled| match unsettled {
            TierFailure::Repeats(node) => wrong_declaration(
                game,
                open.indices[node],
                "declares that no position repeats, but play can come back to one from",
            ),
            TierFailure::Refused(error) => error.into(),
        })?
    };
    for (index, value) in open.indices.iter().zip(values) {
        packed.set(*index, value);
    }
    progress.advance(open.indices.len() as u64);
    Ok(())
}

// Settles those positions whose moves all lead to known values, and returns the others with their
// exits and their moves inside the tier.
fn look_at<G: Dense, V: StoredWorth>(
    game: &G,
    tier: Tier,
    indices: &[u64],
    packed: &WorthArray<V>,
) -> Result<OpenPositions<V>, SolveError> {
    let mut open = OpenPositions::new();
    let mut moves = Vec::new();
    for index in indices {
        let Some(position) = game.at(*index) else {
            continue;
        };
        let mut exit: Option<V> = None;
        let inside = open.to.len();
        game.moves(&position, &mut moves);
        for mv in &moves {
            let edge = game.play(&position, *mv);
            let to = game.index(&edge.to);
            match packed.get(to) {
                Some(value) => {
                    exit = exit.max(Some(value.of_move(edge.keeps_turn).with_gain(edge.gain)));
                }
                None if game.tier(&edge.to) != tier => {
                    let problem = "declares that no move leads to a lower tier, but one does from";
                    return Err(wrong_declaration(game, *index, problem));
                }
                None if edge.gain != 0 => {
                    let problem = "scores by a move that stays in its tier, from";
                    return Err(wrong_declaration(game, *index, problem));
                }
                None => open.to.push(to << 1 | u64::from(edge.keeps_turn)),
            }
        }
        match exit {
            Some(value) if open.to.len() == inside => packed.set(*index, value),
            _ => {
                open.indices.push(*index);
                open.exits.push(exit);
                open.ends.push(open.to.len());
            }
        }
    }
    Ok(open)
}

// The moves between open positions, which are taken out of them; those to positions that got their
// values meanwhile are exits.
fn connect<G: Dense, V: StoredWorth>(
    game: &G,
    open: &mut OpenPositions<V>,
    packed: &WorthArray<V>,
) -> Result<Links, SolveError> {
    let count = open.indices.len();
    let parts = try_map_parts(count.div_ceil(GRAIN), |grain| {
        let end = count.min((grain + 1) * GRAIN);
        let (mut exits, mut links) = (Vec::new(), Links::default());
        for node in grain * GRAIN..end {
            let mut exit = open.exits[node];
            for (to, keeps_turn) in open.moves(node) {
                if let Ok(node) = open.indices.binary_search(&to) {
                    links.lead_to(node, keeps_turn);
                } else if let Some(value) = packed.get(to) {
                    exit = exit.max(Some(value.of_move(keeps_turn)));
                } else {
                    let problem = "has a move to what is no legal position, from";
                    return Err(wrong_declaration(game, open.indices[node], problem));
                }
            }
            exits.push(exit);
            links.end_node();
        }
        Ok((exits, links))
    })?;
    (open.ends, open.to) = (Vec::new(), Vec::new());
    let mut places = open.exits.iter_mut();
    let mut links = Vec::new();
    for (exits, part) in parts {
        places
            .by_ref()
            .zip(exits)
            .for_each(|(place, exit)| *place = exit);
        links.push(part);
    }
    Ok(Links::joined(links)?)
}

fn wrong_declaration<G: Dense>(game: &G, index: u64, problem: &str) -> SolveError {
    let position = game.at(index);
    SolveError::Declaration {
        variant: game.rules().title().to_string(),
        problem: problem.into(),
        position: position.map_or_else(
            || format!("index {index}"),
            |position| game.position_text(&position),
        ),
    }
}

fn finish<G: Dense, V: StoredWorth>(
    game: &G,
    metric: Metric,
    packed: &WorthArray<V>,
) -> Result<LoopySolution, SolveError> {
    let code = |slot: &AtomicI16| {
        let packed = slot.load(Ordering::Relaxed);
        if packed > ILLEGAL {
            V::unpack(packed).code(metric)
        } else {
            Ok(0)
        }
    };
    let too_long = |LongPlay| SolveError::LongPlay {
        variant: game.rules().title().to_string(),
    };
    let code = |slots: &[AtomicI16]| code(&slots[0]).map_err(too_long);
    let codes = if metric == Metric::Points {
        Codes::Words(each(&packed.all, 1, |slots| Ok(code(slots)? as i16))?)
    } else {
        Codes::Bytes(each(&packed.all, 1, |slots| Ok(code(slots)? as u8))?)
    };
    let endless = each(&packed.all, 64, |slots| {
        let bits = slots.iter().enumerate().map(|(bit, slot)| {
            let packed = slot.load(Ordering::Relaxed);
            let endless = packed > ILLEGAL && V::unpack(packed).is_endless();
            u64::from(endless) << bit
        });
        Ok(bits.fold(0, |word, bit| word | bit))
    })?;
    Ok(LoopySolution {
        endless: Endless(endless),
        values: DenseValues::new(metric, codes),
    })
}

// An item for each this many slots.
fn each<T: Copy + Default + Send>(
    slots: &[AtomicI16],
    many: usize,
    item: impl Fn(&[AtomicI16]) -> Result<T, SolveError> + Sync,
) -> Result<Vec<T>, SolveError> {
    const LEAF: usize = 1 << LEAF_BITS;
    let mut items = room::filled(T::default(), slots.len().div_ceil(many))?;
    try_for_each_chunk(&mut items, LEAF / many, |leaf, items| {
        for (to, slots) in items.iter_mut().zip(slots[leaf * LEAF..].chunks(many)) {
            *to = item(slots)?;
        }
        Ok::<_, SolveError>(())
    })?;
    Ok(items)
}
