//! Prints the rules of a variant in German.

use greenwave_game::Variant;
use greenwave_words::Language;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variant = Variant::parse("noughts-3x3")?;
    for sentence in Language::German.rules(&variant) {
        println!("{sentence}");
    }
    Ok(())
}
