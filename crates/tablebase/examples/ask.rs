//! Asks a tablebase about a position.

use greenwave_tablebase::{Error, Tablebase};

fn main() -> Result<(), Error> {
    let answer = Tablebase::open("solutions")?.query("classic-3x3", "R../.Y./..G")?;
    let plies = answer.distance.unwrap_or_default();
    println!(
        "{} in {plies} plies by {}",
        answer.value,
        answer.best.join(", ")
    );
    Ok(())
}
