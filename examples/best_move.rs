//! A player asks: what is this position worth, and what should I play?

use greenwave_tablebase::{Error, Tablebase};

pub(crate) fn answer(tablebase: &Tablebase) -> Result<String, Error> {
    let answer = tablebase.query("classic-3x3", "R../.Y./..G")?;
    let mut text = format!("{} for the player to move\n", answer.value);
    for mv in answer.best_moves() {
        let plies = mv.distance.unwrap_or_default();
        text.push_str(&format!("{} ends it in {plies} plies\n", mv.mv));
    }
    Ok(text)
}

pub(crate) fn main() -> Result<(), Error> {
    print!("{}", answer(&Tablebase::open("solutions")?)?);
    Ok(())
}
