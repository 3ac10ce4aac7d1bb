//! A researcher asks: how many positions are there, how many are won, how long can a game be kept up?

use greenwave_tablebase::{Error, Tablebase, read_variant};

pub(crate) fn answer(tablebase: &Tablebase) -> Result<String, Error> {
    let variant = read_variant("classic-3x4")?;
    let stats = tablebase.stats(&variant, None)?;
    let mut text = format!("{} positions\n", stats.indexable);
    if let Some(counts) = stats.by_value {
        text.push_str(&format!("{} won, {} lost\n", counts.win, counts.loss));
    }
    if let Some(longest) = stats.longest {
        let (value, plies) = (longest.value, longest.distance);
        text.push_str(&format!(
            "{} is a {value} in {plies} plies\n",
            longest.example
        ));
    }
    Ok(text)
}

pub(crate) fn main() -> Result<(), Error> {
    print!("{}", answer(&Tablebase::open("solutions")?)?);
    Ok(())
}
