//! `completions` and `man`.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::args::Cli;
use crate::session::Verdict;

pub(super) fn completions(shell: clap_complete::Shell) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "greenwave", &mut script);
    write_out(&script)
}

pub(super) fn pages(out_dir: Option<&Path>) -> Result<Verdict> {
    match out_dir {
        Some(dir) => {
            std::fs::create_dir_all(dir)
                .and_then(|()| clap_mangen::generate_to(documented(), dir))
                .with_context(|| {
                    format!("could not write manual pages into '{}'", dir.display())
                })?;
            Ok(Verdict::Done)
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(documented()).render(&mut page)?;
            write_out(&page)
        }
    }
}

/// The command line without what the machine adds to the version, so that pages are the same
/// everywhere.
fn documented() -> clap::Command {
    let version = env!("CARGO_PKG_VERSION");
    Cli::command()
        .version(version)
        .mut_subcommands(|command| command.version(version))
}

fn write_out(bytes: &[u8]) -> Result<Verdict> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Verdict::Done)
}
