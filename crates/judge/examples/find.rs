//! Counts the positions that an expression describes.

use std::error::Error;

use greenwave_game::{Metric, Variant};
use greenwave_judge::expr::{BoundExpression, KnownValues};
use greenwave_judge::{Among, Selection, find};
use greenwave_solver::solve;
use greenwave_values::Silent;

fn main() -> Result<(), Box<dyn Error>> {
    let variant = Variant::parse("classic-3x3")?;
    let Variant::Board(game) = &variant else {
        return Err("this example is about boards".into());
    };
    let values = solve(&variant, Metric::Distance, 1 << 30, &Silent)?;
    let bound = BoundExpression::new(game, "value = loss and distance = 20")?;
    let known = KnownValues::new(game, &[&values], None);
    let wanted = Selection::default();
    let count = find(&known, &bound, Among::Legal, wanted, &Silent, &mut |_| {
        Ok(())
    })?;
    println!("{count} positions hold out for 20 plies");
    Ok(())
}
