//! Lists the moves of a position and plays one.

use std::error::Error;

use greenwave_game::{BoardGame, Game};

fn main() -> Result<(), Box<dyn Error>> {
    let game = BoardGame::named("classic-3x3")?;
    let position = game.parse_position(".../.R./...")?;
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    for mv in moves {
        println!("{}", game.move_text(&position, mv));
    }
    let reply = game.parse_move(&position, "b2Y")?;
    let after = game.play(&position, reply).to;
    println!("{}", game.position_text(&after));
    Ok(())
}
