//! Laws of symmetries: they undo each other, they carry play over, and canonical forms stand for
//! whole orbits.

use greenwave_game::Game;

use super::law::{Case, EACH, Law, LawResult, MANY, ensure};

pub(super) fn laws<G: Game>() -> Vec<Law<G>> {
    vec![
        Law {
            name: "symmetry number 0 changes nothing",
            every: EACH,
            check: identity,
        },
        Law {
            name: "every symmetry has its inverse",
            every: EACH,
            check: inverses,
        },
        Law {
            name: "symmetries carry moves, draws and endings over, so they keep values",
            every: MANY,
            check: automorphisms,
        },
        Law {
            name: "the canonical form is the least image, its own canonical form, and one for the \
                   whole orbit",
            every: MANY,
            check: canonical,
        },
    ]
}

fn identity<G: Game>(case: &Case<'_, G>) -> LawResult {
    let image = case.game.image(&case.position, 0);
    ensure(image == case.position, || case.text(&image))
}

fn inverses<G: Game>(case: &Case<'_, G>) -> LawResult {
    let game = case.game;
    for symmetry in 0..game.symmetries() {
        let inverse = game.inverse_symmetry(symmetry);
        ensure(inverse < game.symmetries(), || {
            format!("the inverse of symmetry {symmetry} is {inverse}")
        })?;
        ensure(game.inverse_symmetry(inverse) == symmetry, || {
            format!("symmetry {symmetry} is not the inverse of its inverse {inverse}")
        })?;
        let there = game.image(&case.position, symmetry);
        let back = game.image(&there, inverse);
        ensure(back == case.position, || {
            format!(
                "symmetry {symmetry} and its inverse {inverse} lead to {}",
                case.text(&back)
            )
        })?;
    }
    Ok(())
}

fn automorphisms<G: Game>(case: &Case<'_, G>) -> LawResult {
    let game = case.game;
    let (mut moves, mut draws) = (Vec::new(), Vec::new());
    for symmetry in 1..game.symmetries() {
        let image = game.image(&case.position, symmetry);
        let ending = game.ending(&image);
        ensure(ending == case.ending, || {
            format!("symmetry {symmetry}: {:?} becomes {ending:?}", case.ending)
        })?;
        game.moves(&image, &mut moves);
        let mut there: Vec<_> = moves
            .iter()
            .map(|mv| game.play(&image, *mv))
            .map(|edge| (edge.to, edge.gain, edge.keeps_turn))
            .collect();
        let mut carried: Vec<_> = case
            .edges
            .iter()
            .map(|edge| (game.image(&edge.to, symmetry), edge.gain, edge.keeps_turn))
            .collect();
        there.sort_unstable();
        carried.sort_unstable();
        ensure(there == carried, || {
            format!(
                "symmetry {symmetry}: the moves of {} are others",
                case.text(&image)
            )
        })?;
        game.draws(&image, &mut draws);
        let mut carried: Vec<_> = case
            .draws
            .iter()
            .map(|(to, weight)| (game.image(to, symmetry), *weight))
            .collect();
        draws.sort_unstable();
        carried.sort_unstable();
        ensure(draws == carried, || {
            format!(
                "symmetry {symmetry}: the draws of {} are others",
                case.text(&image)
            )
        })?;
    }
    Ok(())
}

fn canonical<G: Game>(case: &Case<'_, G>) -> LawResult {
    let game = case.game;
    let images = (0..game.symmetries()).map(|symmetry| game.image(&case.position, symmetry));
    let form = game.canonical(&case.position);
    ensure(images.clone().min() == Some(form), || {
        format!("{} is not the least image", case.text(&form))
    })?;
    ensure(game.canonical(&form) == form, || {
        format!("the canonical form of {} is another", case.text(&form))
    })?;
    for image in images {
        let other = game.canonical(&image);
        ensure(other == form, || {
            format!(
                "{} for the image {}, else {}",
                case.text(&other),
                case.text(&image),
                case.text(&form)
            )
        })?;
    }
    Ok(())
}
