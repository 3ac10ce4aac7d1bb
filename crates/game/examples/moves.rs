//! Lists the moves of a position and plays one.

use std::error::Error;

use greenwave_game::{BoardGame, Colours, Game};

fn main() -> Result<(), Box<dyn Error>> {
    let game = BoardGame::named("classic-3x3")?;
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
