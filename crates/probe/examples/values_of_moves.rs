//! Asks for the value of every move of a position.

use std::error::Error;
use std::path::Path;

use greenwave_game::{Game, Variant};
use greenwave_probe::answer;
use greenwave_table::Table;
use greenwave_values::TableValues;

fn main() -> Result<(), Box<dyn Error>> {
    let Variant::Board(game) = Variant::parse("classic-3x3")? else {
        return Err("this example is about boards".into());
    };
    let Some(path) = std::env::args().nth(1) else {
        return Err("name a table, such as solutions/classic-3x3/distance.gwt".into());
    };
    let table = Table::open(Path::new(&path))?;
    let position = game.parse_position("R../.Y./..G")?;
    let answer = answer(&game, &position, &TableValues::new(&game, &table)?)?;
    for reply in &answer.moves {
        let text = game.move_text(&position, reply.mv);
        let value = reply.figures.value.map_or("unknown", |value| value.name());
        println!("{text} {value}");
    }
    Ok(())
}
