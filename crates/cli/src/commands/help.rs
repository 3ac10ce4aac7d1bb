//! `help`: commands and pages.

use anyhow::{Result, bail};

use crate::args;
use crate::entry::{TOPICS, meant};
use crate::output::{page, print};
use crate::session::CommandVerdict;

pub(super) fn run(topic: Option<&str>) -> Result<CommandVerdict> {
    let mut command = args::command();
    // Fills in what help shows of the global options.
    command.build();
    let text = match topic {
        None => command.render_long_help().ansi().to_string(),
        Some(topic) => {
            let name = topic.to_lowercase();
            if let Some((.., text)) = TOPICS.iter().find(|(topic, ..)| *topic == name) {
                page::render(text)
            } else if command.find_subcommand(&name).is_some() {
                // The text of '--help' after the command, which is no error.
                match command.try_get_matches_from_mut(["greenwave", &name, "--help"]) {
                    Err(help) => help.render().ansi().to_string(),
                    Ok(_) => bail!("no help on '{topic}'"),
                }
            } else if let Some(answer) = meant(&name) {
                bail!("there is no command '{topic}'; {answer}");
            } else {
                let pages: Vec<&str> = TOPICS.iter().map(|(name, ..)| *name).collect();
                bail!(
                    "no help on '{topic}'; name a command that 'greenwave help' lists, or one of \
                     the pages {}",
                    pages.join(", ")
                );
            }
        }
    };
    print(&text)?;
    Ok(CommandVerdict::Done)
}
