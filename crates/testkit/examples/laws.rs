//! Runs the laws that every game obeys on a small one.

use std::error::Error;

use greenwave_game::Variant;
use greenwave_testkit::{PositionSample, laws};

fn main() -> Result<(), Box<dyn Error>> {
    let Variant::Board(game) = Variant::parse("signal-2x3")? else {
        return Err("this example is about boards".into());
    };
    let sample = PositionSample::of_all(&game);
    let broken = laws::of_game(&game, &sample);
    println!("{} laws are broken", broken.len());
    Ok(())
}
