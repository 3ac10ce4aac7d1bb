//! Solves a variant in memory and asks for the best moves of a position.

use std::error::Error;

use greenwave_game::{Colours, Game, Metric, Variant};
use greenwave_probe::answer;
use greenwave_solver::solve;
use greenwave_values::{Silent, SolvedValues};

pub(crate) fn best_moves(variant: &str, position: &str) -> Result<String, Box<dyn Error>> {
    let variant = Variant::parse(variant)?;
    let Variant::Board(game) = &variant else {
        return Err("this example is about boards".into());
    };
    let memory = 1 << 30; // bytes at most
    let values = solve(&variant, Metric::Distance, memory, &Silent)?;

    let position = game.parse_position(position, Colours::Ryg)?;
    let answer = answer(game, &position, &SolvedValues::new(game, &values))?;
    let best: Vec<String> = answer.moves[..answer.best]
        .iter()
        .map(|best| game.move_text(&position, best.mv, Colours::Ryg))
        .collect();
    let value = answer.figures.value.map_or("unknown", |value| value.name());
    let plies = answer.figures.distance.unwrap_or_default();
    Ok(format!("{value} in {plies} by {}", best.join(", ")))
}

fn main() -> Result<(), Box<dyn Error>> {
    let found = best_moves("classic-3x3", "R../.Y./..G")?;
    println!("{found}");
    Ok(())
}
