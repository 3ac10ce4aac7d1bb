//! Solves a board on three ranks, threads of this process here, and tells what each of them did.
//!
//! `cargo run --package greenwave-cluster --example ranks`

use std::error::Error;

use greenwave_game::{BoardGame, Metric};
use greenwave_sweep::sharded::{ShardedTask, on_threads};
use greenwave_values::Silent;

fn main() -> Result<(), Box<dyn Error>> {
    let game = BoardGame::named("classic-3x4")?;
    let found = on_threads(3, |exchange| {
        let plan = ShardedTask::new(&game, Metric::Value).plan(exchange)?;
        plan.run(exchange, &Silent)
    })?;
    // All ranks know all that was found.
    let whole = &found[0];
    let counts = whole.summary.by_value.unwrap_or_default();
    println!(
        "{} positions, of which {} are won and {} lost for the player to move",
        whole.positions, counts.win, counts.loss
    );
    for (rank, work) in whole.ranks.iter().enumerate() {
        println!(
            "rank {rank}: {} families, {} bytes sent",
            work.families, work.sent_bytes
        );
    }
    Ok(())
}
