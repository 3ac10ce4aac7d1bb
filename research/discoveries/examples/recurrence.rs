//! Counts boards of one rank, with a recurrence that is proved.

use greenwave_discoveries::{BoardCounting, Kind, sequence};

fn main() {
    let rows = sequence(Kind::LineFree, BoardCounting::All, 1, 20, true);
    println!("{}", rows.terms.join(", "));
    if let Some(proved) = rows.recurrence {
        println!("each is {:?} times those before it", proved.coefficients);
    }
}
