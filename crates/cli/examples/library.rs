//! Asks for the value and the best moves of a position.

use greenwave_tablebase::{Error, Tablebase};

fn main() -> Result<(), Error> {
    let answer = Tablebase::open("solutions")?.query("classic-3x3", "R../.Y./..G")?;
    println!("{} by {}", answer.value, answer.best.join(", "));
    Ok(())
}
