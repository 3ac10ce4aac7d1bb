//! Opens a table file and prints what its header says.

use std::error::Error;
use std::path::Path;

use greenwave_table::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = std::env::args().nth(1) else {
        return Err("name a table file, such as solutions/classic-3x3/value.gwt".into());
    };
    let table = Table::open(Path::new(&path))?;
    let meta = table.meta();
    println!("{} of {}", meta.metric, meta.variant);
    println!("{} stored values", meta.packed);
    println!("signature {}", meta.signature);
    Ok(())
}
