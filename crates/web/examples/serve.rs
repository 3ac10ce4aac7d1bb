//! Serves the explorer on this machine until Ctrl-C.

use std::error::Error;
use std::time::Duration;

use greenwave_tablebase::Tablebase;
use greenwave_web::{ExplorerSettings, serve};

fn main() -> Result<(), Box<dyn Error>> {
    let settings = ExplorerSettings {
        tablebase: Tablebase::open("solutions")?,
        files: Vec::new(),
        budget: Duration::from_secs(2),
        jobs: 2,
        base_url: None,
        trusted: Vec::new(),
        access_log: None,
        offline: None,
        version: env!("CARGO_PKG_VERSION").into(),
    };
    serve(settings, "127.0.0.1", 7411, &mut |address| {
        println!("http://{address}/")
    })?;
    Ok(())
}
