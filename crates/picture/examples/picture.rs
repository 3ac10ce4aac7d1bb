//! Prints the picture of a position: `cargo run -p greenwave-picture --example picture -- slider`.

use greenwave_game::{Colours, Game, Variant, with_game};
use greenwave_picture::{Lettering, Picture};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "classic-3x3".into());
    let variant = Variant::parse(&name)?;
    with_game!(&variant, game => {
        let position = match words.next() {
            Some(text) => game.parse_position(&text, Colours::Ryg)?,
            None => game.start(),
        };
        let diagram = game.diagram(&position);
        let picture = Picture {
            lettering: Lettering::Strokes,
            ..Picture::new(&diagram, Colours::Ryg, &name)
        };
        println!("{}", picture.svg());
    });
    Ok(())
}
