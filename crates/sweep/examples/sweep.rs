//! Sweeps a board without a table, and says what its start is worth.

use std::error::Error;

use greenwave_game::{BoardGame, Metric};
use greenwave_sweep::sweep::{Options, Plan, solve};
use greenwave_values::Silent;

fn main() -> Result<(), Box<dyn Error>> {
    let game = BoardGame::named("classic-3x4")?;
    let plan = Plan::new(&game, Metric::Distance, Options::default());
    let plan = plan.ok_or("no sweep of this board")?;
    println!("needs {} bytes of memory", plan.memory_bytes());
    let solution = solve(&plan, &Silent)?;
    let plies = solution.summary.start.distance.unwrap_or_default();
    println!("the second player wins in {plies}");
    Ok(())
}
