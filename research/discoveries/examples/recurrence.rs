//! Counts boards of one rank, with a recurrence that is proved.

use greenwave_discoveries::{Counted, Kind, sequence};

fn main() {
    let rows = sequence(Kind::LineFree, Counted::All, 1, 20, true);
    println!("{}", rows.terms.join(", "));
    if let Some(proved) = rows.recurrence {
        println!("each is {:?} times those before it", proved.coefficients);
    }
}
