//! A designer asks: what becomes of the game if I change a rule?

use greenwave_game::RuleFile;
use greenwave_tablebase::{Error, Place, QueryOptions, Tablebase};

const RULES: &str = "title = 'Only green counts'\npatterns = ['333']\nboard.size = '3x3'";

pub(crate) fn answer(tablebase: &Tablebase) -> Result<String, Error> {
    let mine = RuleFile::parse("only-green.toml", RULES)?;
    let start = tablebase.query_at(&mine.variant, &Place::start(), &QueryOptions::default())?;
    let usual = tablebase.query("classic-3x3", ".../.../...")?;
    let plies = |distance: Option<u32>| distance.unwrap_or_default();
    Ok(format!(
        "{}: {} in {} plies\nusual rules: {} in {} plies\n",
        mine.title,
        start.value,
        plies(start.distance),
        usual.value,
        plies(usual.distance),
    ))
}

pub(crate) fn main() -> Result<(), Error> {
    print!("{}", answer(&Tablebase::open("solutions")?)?);
    Ok(())
}
