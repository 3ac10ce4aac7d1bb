//! Solves a variant in memory.

use std::error::Error;

use greenwave_game::{Game, Metric, Variant};
use greenwave_solver::solve;
use greenwave_values::Silent;

fn main() -> Result<(), Box<dyn Error>> {
    let variant = Variant::parse("classic-3x4")?;
    let Variant::Board(game) = &variant else {
        return Err("this example is about boards".into());
    };
    let memory = 1 << 30; // bytes at most
    let values = solve(&variant, Metric::Distance, memory, &Silent)?;
    let figures = values.figures(game.start().0);
    let plies = figures.distance.unwrap_or_default();
    println!("the second player wins in {plies}");
    Ok(())
}
