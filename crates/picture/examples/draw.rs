//! Prints a position as SVG.

use std::error::Error;

use greenwave_game::{Game, Variant};
use greenwave_picture::Picture;

fn main() -> Result<(), Box<dyn Error>> {
    let Variant::Board(game) = Variant::parse("classic-3x3")? else {
        return Err("this example is about boards".into());
    };
    let position = game.parse_position("..G/.R./Y..")?;
    let diagram = game.diagram(&position);
    println!("{}", Picture::new(&diagram, "A board").svg());
    Ok(())
}
