//! Opens a table and looks one value up.

use std::error::Error;
use std::path::Path;

use greenwave_game::{Game, Variant};
use greenwave_table::Table;
use greenwave_values::{TableValues, ValueSource};

fn main() -> Result<(), Box<dyn Error>> {
    let Variant::Board(game) = Variant::parse("classic-3x3")? else {
        return Err("this example is about boards".into());
    };
    let Some(path) = std::env::args().nth(1) else {
        return Err("name a table, such as solutions/classic-3x3/distance.gwt".into());
    };
    let table = Table::open(Path::new(&path))?;
    let figures = TableValues::new(&game, &table)?.figures(&game.start())?;
    println!("{:?}", figures.distance);
    Ok(())
}
