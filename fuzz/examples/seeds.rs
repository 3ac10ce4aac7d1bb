//! Writes inputs for the fuzz targets to start from: `seeds FOLDER`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use greenwave_game::{Game, Variant, catalogue, with_game};
use greenwave_testkit::{PositionSample, promises};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let folder = folder.ok_or("expected one argument: the folder to write to")?;
    for (number, name) in (0_u8..).zip(promises::VARIANTS) {
        let variant = Variant::parse(name)?;
        let texts: Vec<String> = with_game!(&variant, game => PositionSample::of_games(game, 7, 20)
            .positions
            .iter()
            .map(|position| game.position_text(position))
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
    for (number, text) in EXPRESSIONS.iter().enumerate() {
        let bytes = [&[0], text.as_bytes()].concat();
        write(&folder.join("expression"), &number.to_string(), &bytes)?;
    }
    write(
        &folder.join("claims-file"),
        "built-in",
        include_bytes!("../../docs/claims.toml"),
    )?;
    write(
        &folder.join("claims-file"),
        "line",
        b"classic-3x3 all: ply < 28",
    )?;
    let rules = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples"));
    for entry in fs::read_dir(rules)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let name = path.file_stem().unwrap_or_default().display().to_string();
            write(&folder.join("rule-file"), &name, &fs::read(&path)?)?;
        }
    }
    write(&folder.join("checkpoint"), "state", STATE.as_bytes())?;
    Ok(())
}

const EXPRESSIONS: [&str; 8] = [
    "value = win and ply < 2",
    "some(any, wins(any))",
    "after(a1, moves = 3)",
    "count(red) + 2 * count(green) > 3 or not (a1 = red)",
    "shows(\"R??/...\")",
    "-points = 1",
    "legal(b2Y) and only_move",
    "moves * 10 % 7 - 3 = 1",
];

const STATE: &str = "greenwave checkpoint 2\nof values distance\nlevel 5\npart rows-001 12 \
                     0000000000000000000000000000000000000000000000000000000000000000\nsum ";

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(name), bytes)?;
    Ok(())
}
