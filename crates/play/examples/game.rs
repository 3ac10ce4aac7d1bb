//! Plays a game against itself and goes through it.

use std::error::Error;

use greenwave_play::{Dice, Level, Record, choose, review};
use greenwave_tablebase::{Place, QueryOptions, Tablebase, read_variant};

fn main() -> Result<(), Box<dyn Error>> {
    let tablebase = Tablebase::open("solutions")?;
    let variant = read_variant("classic-3x3")?;
    let options = QueryOptions::default();
    let mut dice = Dice::new(1, 0);
    let mut record = Record::begin(variant.clone(), &Place::start(), &mut dice)?;
    while record.end().is_none() {
        let answer = tablebase.query_of(&record.here(), &options)?;
        let Some(choice) = choose(&variant, &answer, Level::Easy, &mut dice) else {
            break;
        };
        record.play(&choice.mv, &mut dice)?;
    }
    print!("{record}");
    let moves: Vec<&str> = record.turns().iter().map(|turn| &*turn.mv).collect();
    let moves = moves.join(" ");
    let review = review(
        &tablebase,
        &variant,
        &Place::start().after(&moves),
        &options,
    )?;
    println!(
        "{} and {} mistakes",
        review.mistakes.first, review.mistakes.second
    );
    Ok(())
}
