//! Laws of numbered positions.

use greenwave_game::{Advance, Dense, Game, Implication, LEAF_BITS, LeafMask, Metric, Packing};

use super::law::{Breach, Case, EACH, Law, LawResult, ensure};

pub(super) fn laws<G: Dense>() -> Vec<Law<G>> {
    vec![
        Law {
            name: "index and position are inverse, up to a symmetry that the index leaves out",
            every: EACH,
            check: inverse,
        },
        Law {
            name: "children lie in the tiers that are declared",
            every: EACH,
            check: tiers,
        },
        Law {
            name: "what is won at once has a move that ends the game with a win",
            every: EACH,
            check: won_at_once,
        },
        Law {
            name: "an index is implied when illegal, finished or won at once, and only then",
            every: EACH,
            check: implied,
        },
    ]
}

pub(super) fn ascending_laws<G: Dense>() -> Vec<Law<G>> {
    vec![
        Law {
            name: "children have higher indices, in the same block or in one of a higher wave",
            every: EACH,
            check: ascending,
        },
        Law {
            name: "the index is a whole number of blocks",
            every: EACH,
            check: whole_blocks,
        },
    ]
}

fn inverse<G: Dense>(case: &Case<'_, G>) -> LawResult {
    let game = case.game;
    let index = game.index(&case.position);
    ensure(u128::from(index) < game.indexable(), || {
        format!("index {index} of {}", game.indexable())
    })?;
    let Some(back) = game.at(index) else {
        return Err(format!("index {index} is called illegal"));
    };
    ensure(game.index(&back) == index, || {
        format!(
            "index {index} is {}, whose index is {}",
            case.text(&back),
            game.index(&back)
        )
    })?;
    let image = |symmetry| game.image(&case.position, symmetry) == back;
    ensure((0..game.symmetries()).any(image), || {
        format!("index {index} is {}", case.text(&back))
    })
}

fn tiers<G: Dense>(case: &Case<'_, G>) -> LawResult {
    let game = case.game;
    let here = game.tier(&case.position);
    let rises = game.rules().properties.advance == Advance::Rises;
    let children = case.edges.iter().map(|edge| edge.to);
    for to in children.chain(case.draws.iter().map(|(to, _)| *to)) {
        let there = game.tier(&to);
        ensure(there > here || (!rises && there == here), || {
            format!("from {here:?} to {there:?}, {}", case.text(&to))
        })?;
    }
    Ok(())
}

fn undecided<G: Dense>(game: &G) -> bool {
    let packs = |metric: &Metric| game.packing(*metric) == Packing::Undecided;
    game.rules().metrics.iter().any(packs)
}

fn can_win_at_once<G: Game>(case: &Case<'_, G>) -> bool {
    case.edges.iter().any(|edge| case.game.is_win(edge))
}

fn won_at_once<G: Dense>(case: &Case<'_, G>) -> LawResult {
    if !undecided(case.game) || case.ending.is_some() {
        return Ok(());
    }
    let said = case.game.wins_at_once(&case.position);
    ensure(said == can_win_at_once(case), || {
        format!("said to be won at once: {said}")
    })
}

fn implied<G: Dense>(case: &Case<'_, G>) -> LawResult {
    let game = case.game;
    let index = game.index(&case.position);
    if u128::from(index) >= game.indexable() {
        return Ok(()); // another law's business
    }
    for packing in [Packing::Unfinished, Packing::Undecided] {
        if packing == Packing::Undecided && !undecided(game) {
            continue;
        }
        let expected = match case.ending {
            Some(ending) => Some(Implication::Ended(ending)),
            None if packing == Packing::Undecided && can_win_at_once(case) => {
                Some(Implication::WonAtOnce)
            }
            None => None,
        };
        let found = game.implied(packing, index);
        ensure(found == expected, || {
            format!("{packing:?}: found {found:?}, expected {expected:?}")
        })?;
    }
    Ok(())
}

fn ascending<G: Dense>(case: &Case<'_, G>) -> LawResult {
    let game = case.game;
    let Some(length) = game.block_len() else {
        return Ok(());
    };
    let index = game.index(&case.position);
    let block = index / length;
    for edge in &case.edges {
        let child = game.index(&edge.to);
        ensure(child > index, || {
            format!("from index {index} to {child}, {}", case.text(&edge.to))
        })?;
        let other = child / length;
        ensure(
            other == block || game.wave(other) > game.wave(block),
            || {
                format!(
                    "from block {block}, wave {}, to block {other}, wave {}",
                    game.wave(block),
                    game.wave(other)
                )
            },
        )?;
    }
    Ok(())
}

fn whole_blocks<G: Dense>(case: &Case<'_, G>) -> LawResult {
    let (indexable, length) = (case.game.indexable(), case.game.block_len().unwrap_or(1));
    ensure(indexable.is_multiple_of(length.into()), || {
        format!("{indexable} indices in blocks of {length}")
    })
}

const LEAF_LAW: &str = "leaf masks hold exactly what is not implied, bit by bit";

pub(super) fn check_leaves<G: Dense>(
    game: &G,
    leaves: impl IntoIterator<Item = u64>,
) -> Vec<Breach> {
    let breach = |leaf: u64, position: Option<String>, found: String| Breach {
        law: LEAF_LAW,
        variant: game.rules().name.clone(),
        position,
        seed: 0,
        found: format!("leaf {leaf}: {found}"),
    };
    let mut mask = LeafMask::default();
    for leaf in leaves {
        let first = leaf << LEAF_BITS;
        let places = (game.indexable() - u128::from(first)).min(1 << LEAF_BITS) as u32;
        for packing in [Packing::Unfinished, Packing::Undecided] {
            if packing == Packing::Undecided && !undecided(game) {
                continue;
            }
            // The earlier content of the mask must not matter.
            mask.0.fill(0x5a5a_5a5a_5a5a_5a5a);
            game.leaf_mask(packing, leaf, &mut mask);
            for place in 0..1 << LEAF_BITS {
                let index = first + u64::from(place);
                let implied = (place < places).then(|| game.implied(packing, index));
                if mask.contains(place) == (implied == Some(None)) {
                    continue;
                }
                let position = implied.and_then(|_| game.at(index));
                let position = position.map(|at| game.position_text(&at));
                let found = format!("{packing:?}, place {place}: implied {implied:?}");
                return vec![breach(leaf, position, found)];
            }
        }
    }
    Vec::new()
}
