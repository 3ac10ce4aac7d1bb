//! Which of some rules on a row of four are the fairest.

use std::error::Error;
use std::path::Path;

use greenwave_design::{MeasureLimits, Ranking, RuleFamily, search};
use greenwave_tablebase::Tablebase;

fn main() -> Result<(), Box<dyn Error>> {
    let text = "patterns = ['111', '222']\nboard.size = '1x4'\n";
    let mut family = RuleFamily::read("row.toml", text)?;
    family.vary("play=normal,misere")?;
    family.vary("board.levels=2,3")?;
    let tablebase = Tablebase::open("solutions")?;
    let ranking = Ranking::parse("balance, then drama")?;
    let checkpoint = Path::new("target/design-row.jsonl");
    let table = search(
        &tablebase,
        &family,
        &MeasureLimits::default(),
        &ranking,
        checkpoint,
    )?;
    for row in &table.rows {
        let measures = &row.measured.measures;
        println!(
            "{} {:+.2} {:?}",
            row.rank, measures.balance_medium, row.combination.settings
        );
    }
    Ok(())
}
