//! The laws that every variant obeys, whatever its rules. Each has a name and is checked position by
//! position over a [`PositionSample`]; a breach says which law, which variant, which position and which
//! seed.
//!
//! Three sets, by what a game offers: [`of_game`] for every [`Game`], [`of_dense`] where positions
//! are numbered, [`of_ascending`] where every move leads to a higher number. [`of_rules`] looks at
//! what a variant says of itself.

mod index;
mod law;
mod lights;
mod play;
mod rules;
mod symmetry;
mod text;

use greenwave_game::{Dense, Game, LEAF_BITS, LISTED_BITS, Variant, with_game};

pub use law::Breach;

use crate::{PositionSample, SeededNumbers};
use law::{Case, Law, MANY};

// Each law once over the whole sample; the first breach of each.
fn check<G: Game>(game: &G, sample: &PositionSample<G::Position>, laws: &[Law<G>]) -> Vec<Breach> {
    let mut broken: Vec<Option<Breach>> = vec![None; laws.len()];
    for number in 0..sample.positions.len() {
        let case = Case::new(game, sample, number);
        for (law, breach) in laws.iter().zip(&mut broken) {
            if breach.is_some() || number % law.every != 0 {
                continue;
            }
            *breach = (law.check)(&case).err().map(|found| Breach {
                law: law.name,
                variant: game.rules().name.clone(),
                position: Some(case.text(&case.position)),
                seed: sample.seed,
                found,
            });
        }
    }
    broken.into_iter().flatten().collect()
}

/// The laws of every game: turns and endings, texts, symmetries.
#[must_use]
pub fn of_game<G: Game>(game: &G, sample: &PositionSample<G::Position>) -> Vec<Breach> {
    let laws: Vec<Law<G>> = play::laws()
        .into_iter()
        .chain(text::laws())
        .chain(symmetry::laws())
        .collect();
    check(game, sample, &laws)
}

/// The laws of numbered positions: index and tier of each, and of what play does to them.
#[must_use]
pub fn of_dense<G: Dense>(game: &G, sample: &PositionSample<G::Position>) -> Vec<Breach> {
    check(game, sample, &index::laws())
}

/// The laws of a numbering in which moves lead upwards.
#[must_use]
pub fn of_ascending<G: Dense>(game: &G, sample: &PositionSample<G::Position>) -> Vec<Breach> {
    check(game, sample, &index::ascending_laws())
}

/// The law of leaf masks: bit by bit, whatever is not implied by the rules is packed. Looks at the
/// leaves with these numbers.
#[must_use]
pub fn of_leaves<G: Dense>(game: &G, leaves: impl IntoIterator<Item = u64>) -> Vec<Breach> {
    index::check_leaves(game, leaves)
}

/// Every law that applies to a variant, over `count` positions of random games and, where positions
/// are numbered, as many with random indices; all positions where there are no more than that.
#[must_use]
pub fn of_variant(variant: &Variant, seed: u64, count: usize) -> Vec<Breach> {
    let mut broken = of_rules(variant);
    broken.extend(with_game!(variant, game => {
        let of_games = PositionSample::of_games(game, seed, count);
        let offered = &GameLaws(game);
        offered.dense_laws(of_games, count)
    }));
    broken.extend(of_lights(variant, seed, count));
    broken
}

/// The laws of the orders in which a variant's lights can be written: each is the same game, its texts
/// are read back, and they differ in the letters of the lights alone.
#[must_use]
pub fn of_lights(variant: &Variant, seed: u64, count: usize) -> Vec<Breach> {
    let mut broken = Vec::new();
    let is_lit = variant.rules().lights.is_some();
    for other in variant.in_each_order().into_iter().filter(|_| is_lit) {
        let sample = PositionSample::of_games(&other, seed, count);
        broken.extend(check(&other, &sample, &text::laws()));
        broken.extend(lights::check(variant, &other, seed, count / MANY));
    }
    broken
}

// A game with what it offers besides moves. Where `GameLaws<G>` has a method, the call on a reference
// finds it first; where it has none, because the game lacks the trait, that of `&GameLaws<G>`.
struct GameLaws<'g, G>(&'g G);

trait DenseLaws<P> {
    fn dense_laws(&self, sample: PositionSample<P>, count: usize) -> Vec<Breach>;
}

#[allow(dead_code, reason = "some games have no numbers")]
trait Plain<P> {
    fn dense_laws(&self, sample: PositionSample<P>, count: usize) -> Vec<Breach>;
}

impl<G: Game> Plain<G::Position> for &GameLaws<'_, G> {
    fn dense_laws(&self, sample: PositionSample<G::Position>, _count: usize) -> Vec<Breach> {
        of_game(self.0, &sample)
    }
}

impl<G: Dense> DenseLaws<G::Position> for GameLaws<'_, G> {
    fn dense_laws(&self, sample: PositionSample<G::Position>, count: usize) -> Vec<Breach> {
        let game = self.0;
        // A game too large for a list of its positions has no indices.
        let listed = game.holds_reachable_only();
        if listed && game.indexable() >> LISTED_BITS != 0 {
            return of_game(game, &sample);
        }
        let seed = sample.seed;
        let numbered = numbered(game, seed, count);
        let mut broken = match game.block_len() {
            Some(_) => of_ascending(game, &numbered),
            None => Vec::new(),
        };
        let mut sample = sample.and(numbered);
        broken.extend(of_game(game, &sample));
        sample.positions.retain(|position| game.has_index(position));
        let last = ((game.indexable() - 1) >> LEAF_BITS) as u64;
        let mut seeded = SeededNumbers::new(seed);
        let leaves = (0..LEAVES).map(|_| seeded.below(last + 1));
        broken.extend(of_dense(game, &sample));
        broken.extend(of_leaves(game, [0, last].into_iter().chain(leaves)));
        broken
    }
}

fn numbered<G: Dense>(game: &G, seed: u64, count: usize) -> PositionSample<G::Position> {
    if game.indexable() <= count as u128 {
        PositionSample::of_all(game)
    } else {
        PositionSample::of_indices(game, seed, count)
    }
}

// Leaves looked at besides the first and the last.
const LEAVES: u64 = 6;

/// What a variant says of itself, without a position.
#[must_use]
pub fn of_rules(variant: &Variant) -> Vec<Breach> {
    rules::check(variant)
}

/// The same of a variant that a rule file describes, which no name and no option is read back as.
#[must_use]
pub fn of_rule_file(variant: &Variant) -> Vec<Breach> {
    rules::check_unnamed(variant)
}
