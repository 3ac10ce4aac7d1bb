//! A player of the bag game asks: what can I expect, and which counter should I take?

use greenwave_tablebase::{Error, Tablebase};

pub(crate) fn answer(tablebase: &Tablebase) -> Result<String, Error> {
    let position = "RYG/YG./..R;RRY;YGG;RG"; // board; my hand; the other hand; the market
    let answer = tablebase.query("bag-classic-3x3", position)?;
    let mut text = String::new();
    if let Some(odds) = answer.odds {
        let percent = 100.0 * odds.win;
        text.push_str(&format!(
            "{percent:.1} % to win with {}\n",
            answer.best.join(" or ")
        ));
    }
    Ok(text)
}

pub(crate) fn main() -> Result<(), Error> {
    print!("{}", answer(&Tablebase::open("solutions")?)?);
    Ok(())
}
