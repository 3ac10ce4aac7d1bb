//! Lists the moves of a position and plays one.

use std::error::Error;

use greenwave_game::{Colours, Game, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let variant = Variant::parse("classic-3x3")?;
    let Variant::Board(game) = &variant else {
        return Err("this example is about boards".into());
    };
    let position = game.parse_position(".../.R./...", Colours::Ryg)?;
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    for mv in moves {
        println!("{}", game.move_text(&position, mv, Colours::Ryg));
    }
    let reply = game.parse_move(&position, "b2Y", Colours::Ryg)?;
    let after = game.play(&position, reply).to;
    println!("{}", game.position_text(&after, Colours::Ryg));
    Ok(())
}
