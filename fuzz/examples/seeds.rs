//! Writes inputs for the fuzz targets to start from: `seeds FOLDER`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use greenwave_game::{Colours, Game, Variant, catalogue, with_game};
use greenwave_testkit::{Sample, promises};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let folder = folder.ok_or("expected one argument: the folder to write to")?;
    for (number, name) in (0_u8..).zip(promises::VARIANTS) {
        let variant = Variant::parse(name)?;
        let texts: Vec<String> = with_game!(&variant, game => Sample::of_games(game, 7, 20)
            .positions
            .iter()
            .map(|position| game.position_text(position, Colours::Ryg))
            .collect());
        for (place, text) in texts.iter().enumerate() {
            let bytes = [&[number], text.as_bytes()].concat();
            write(
                &folder.join("position-text"),
                &format!("{number}-{place}"),
                &bytes,
            )?;
        }
    }
    for (number, name) in catalogue().iter().enumerate() {
        write(
            &folder.join("variant-name"),
            &number.to_string(),
            name.as_bytes(),
        )?;
    }
    write(
        &folder.join("metadata"),
        "sound",
        promises::sound_metadata(),
    )?;
    for (number, specimen) in promises::specimens().iter().enumerate() {
        write(
            &folder.join("table-bytes"),
            &number.to_string(),
            &specimen.bytes,
        )?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(name), bytes)?;
    Ok(())
}
