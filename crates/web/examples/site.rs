//! Writes the explorer as a folder of static files, around the module in WebAssembly:
//! `cargo run -p greenwave-web --example site -- ENGINE.wasm.gz FOLDER`. The recipe
//! `just site` does this after it has built the module.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use greenwave_tablebase::Tablebase;
use greenwave_web::{ExplorerSettings, Site};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(engine), Some(folder), None) = (words.next(), words.next(), words.next()) else {
        return Err("expected a module compressed by gzip, and a folder to write into".into());
    };
    let engine = fs::read(&engine).map_err(|error| format!("cannot read '{engine}': {error}"))?;
    let site = Site::new(ExplorerSettings {
        tablebase: Tablebase::open("no-tables")?,
        files: Vec::new(),
        budget: Duration::from_secs(60),
        jobs: 1,
        base_url: None,
        trusted: Vec::new(),
        access_log: None,
        offline: None,
        version: env!("CARGO_PKG_VERSION").into(),
    });
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    fs::write(folder.join("site.js"), Site::script(&base64(&engine)))?;
    for (name, text) in site.files() {
        fs::write(folder.join(name), text)?;
    }
    println!("{}", folder.join("index.html").display());
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0, |number, at| {
            number << 8 | u32::from(three.get(at).copied().unwrap_or(0))
        });
        for digit in 0..4 {
            text.push(if digit <= three.len() {
                char::from(DIGITS[(number >> (18 - 6 * digit) & 63) as usize])
            } else {
                '='
            });
        }
    }
    text
}
