//! Two players ask after a game: where was it lost?

use greenwave_tablebase::{Error, Place, QueryOptions, Tablebase, Value, read_variant};

pub(crate) fn answer(tablebase: &Tablebase) -> Result<String, Error> {
    let variant = read_variant("classic-3x4")?;
    let game = ["b2R", "c2R", "c3R", "b2Y"];
    let mut text = String::new();
    for number in 0..game.len() {
        let before = game[..number].join(",");
        let place = Place::start().after(&before);
        let here = tablebase.query_at(&variant, &place, &QueryOptions::default())?;
        let Some(played) = here.moves.iter().find(|mv| mv.mv == game[number]) else {
            continue;
        };
        if here.value == Value::Win && played.value != Some(Value::Win) {
            let better = here.best.join(" or ");
            let (number, mv) = (number + 1, &played.mv);
            text.push_str(&format!(
                "move {number}, {mv}, gave the win away: {better}\n"
            ));
        }
    }
    Ok(text)
}

pub(crate) fn main() -> Result<(), Error> {
    print!("{}", answer(&Tablebase::open("solutions")?)?);
    Ok(())
}
