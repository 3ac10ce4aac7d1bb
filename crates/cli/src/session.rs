//! The session that all commands share: the place of tables, the limits of the machine, the way to
//! print.

use std::fmt::Display;
use std::sync::Arc;

use anyhow::{Result, bail};
use greenwave_game::{Game, Lights, Variant, catalogue};
use greenwave_solver::Cost;
use greenwave_tablebase::{
    FaultKind, Settings, Tablebase, is_rule_file, machine_memory, misnamed, read_moves,
    read_variant, usual_dir,
};
use greenwave_words::Language;
use serde::Serialize;

use crate::args::{Global, ProgressChoice, is_typed};
use crate::output::{
    bytes_down, bytes_up, carried, carried_command, choose_colours, complain, expect_folder,
    plain_unless_coloured, print_all, refuse, seconds, shortened, suggest_for,
};
use crate::progress::{Bars, warn_in_document};

/// How a command ended, errors aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandVerdict {
    /// Done.
    Done,
    /// The honest answer is no.
    No,
    /// Some lines of a batch failed and were reported one by one.
    SomeFailed,
    /// Stopped by a person who has been told how things stand.
    Interrupted,
}

/// A result.
pub(crate) trait Report: Display {
    /// The documents, one a line.
    fn json(&self) -> serde_json::Result<String>;
}

impl<T: Serialize + Display> Report for T {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// The settings of a run.
pub(crate) struct Session {
    pub(crate) json: bool,
    pub(crate) tablebase: Tablebase,
    /// No remarks on stderr.
    pub(crate) quiet: bool,
    /// The language of the output.
    pub(crate) language: Language,
    /// Whether an option asks for it.
    pub(crate) language_typed: bool,
    // The order of the lights, if one was requested, and whether by an option.
    lights: Option<Lights>,
    lights_typed: bool,
}

impl Session {
    /// Settings from the options of the command line. Where they are not used, one that cannot be read is passed over.
    pub(crate) fn new(global: &Global, are_used: bool) -> Result<Session> {
        choose_colours(global.color);
        let machine = machine_memory();
        let memory = match (global.memory, machine) {
            (Some(asked), Some(machine)) if asked > machine => bail!(
                "--memory or GREENWAVE_MEMORY: found {}, but the machine has {}; give at most that",
                bytes_up(asked.into()),
                bytes_down(machine.into())
            ),
            (Some(asked), _) => asked,
            (None, machine) => machine.unwrap_or(8 << 30) / 2,
        };
        let dir = match &global.dir {
            Some(dir) => dir.clone(),
            None => usual_dir(),
        };
        if are_used && global.dir.is_some() {
            expect_folder("--dir or GREENWAVE_DIR", &dir)?;
        }
        let settings = Settings {
            memory: Some(memory),
            threads: global.threads,
        };
        let tablebase = Tablebase::with_settings(&dir, &settings)?;
        suggest_for(&tablebase);
        let is_told = !global.quiet && global.progress != ProgressChoice::None;
        let tablebase = match (
            is_told,
            global.json || global.progress == ProgressChoice::Json,
        ) {
            (false, _) => tablebase,
            (true, false) => tablebase.telling_costs(|cost| told(cost, complain)),
            (true, true) => tablebase.telling_costs(|cost| told(cost, warn_in_document)),
        };
        Ok(Session {
            json: global.json,
            tablebase: tablebase
                .watched_by(Arc::new(Bars::new(global.quiet, global.progress)))
                .naming_commands(carried_command),
            quiet: global.quiet,
            language: global
                .lang
                .unwrap_or_else(|| Language::of_environment(|name| std::env::var(name).ok())),
            lights: match global.lights {
                Some(lights) => Some(lights),
                None if are_used => former_variable()?,
                None => None,
            },
            lights_typed: is_typed("lights"),
            language_typed: is_typed("lang"),
        })
    }

    /// Prints a result, as JSON or for people.
    pub(crate) fn print(&self, report: &dyn Report) -> Result<()> {
        print_all(&self.written(report)?)
    }

    /// What is printed of a result, line end included.
    pub(crate) fn written(&self, report: &dyn Report) -> Result<String> {
        Ok(if self.json {
            report.json()? + "\n"
        } else {
            plain_unless_coloured(carried(&report.to_string()))
        })
    }

    /// Says on stderr what is good to know and no error, unless remarks are unwanted; programs get a document.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            self.tell(text);
        }
    }

    /// Says on stderr what is no error and has to be known; programs get a document.
    pub(crate) fn tell(&self, text: &str) {
        if self.json {
            warn_in_document(text);
        } else {
            complain(text);
        }
    }

    /// Says on stderr why one of several results is missing; programs get a document.
    pub(crate) fn complain(&self, error: &str, fault: FaultKind) {
        let text = shortened(error);
        if self.json {
            refuse(&text, fault);
        } else {
            complain(&format!("error: {text}"));
        }
    }

    /// How a command ends that shows what a search found: interrupted where it was and left something
    /// undecided.
    pub(crate) fn searched(&self, undecided: bool) -> CommandVerdict {
        if undecided && self.tablebase.progress().cancelled() {
            self.tell("greenwave: interrupted; this is what was found until then");
            return CommandVerdict::Interrupted;
        }
        CommandVerdict::Done
    }

    /// The order of the lights, if an option asks for one.
    pub(crate) fn lights(&self) -> Option<Lights> {
        self.lights.filter(|_| self.lights_typed)
    }

    /// The order of the lights that an option or the variable asks for.
    pub(crate) fn requested_lights(&self) -> Option<Lights> {
        self.lights
    }

    /// Reads a variant's name or rule file, in the order of the lights that was requested.
    pub(crate) fn variant(&self, name: &str) -> Result<Variant> {
        expect_name(name)?;
        let variant = read_variant(name).map_err(|error| match forgotten(name) {
            Some(answer) => anyhow::anyhow!(answer),
            None if looks_like_a_file(name) && !is_rule_file(name) && misnamed(name).is_none() => {
                anyhow::anyhow!("{error}; the name of a rule file ends in .toml")
            }
            None => error.into(),
        })?;
        match self.lights {
            // A variable is set for all games.
            Some(lights) if self.lights_typed || variant.rules().lights.is_some() => {
                Ok(variant.with_lights(lights)?)
            }
            _ => Ok(variant),
        }
    }
}

/// Says what work takes that nobody has asked for by name, where somebody would wait for it.
fn told(cost: &Cost, say: fn(&str)) {
    /// Seconds that need no word.
    const SHORT: f64 = 10.0;
    if cost.seconds >= SHORT {
        say(&format!(
            "greenwave: working it out takes about {} and {} of memory; Ctrl-C stops it",
            seconds(cost.seconds),
            bytes_up(cost.memory_bytes)
        ));
    }
}

/// Refuses `-` where a variant is expected.
pub(crate) fn expect_name(name: &str) -> Result<()> {
    expect_no_input(
        name,
        "a variant",
        "a rule file is named by its path, since its tables are named after it",
    )
}

/// Refuses `-` where something else is `expected`, with the way out.
pub(crate) fn expect_no_input(name: &str, expected: &str, way_out: &str) -> Result<()> {
    if name.trim() == "-" {
        bail!("found '-', standard input, where {expected} was expected; {way_out}");
    }
    Ok(())
}

/// The order of the lights in the variable that was there before `GREENWAVE_LIGHTS`.
fn former_variable() -> Result<Option<Lights>> {
    const NAME: &str = "GREENWAVE_COLOURS";
    let Some(set) = std::env::var_os(NAME).filter(|set| !set.is_empty()) else {
        return Ok(None);
    };
    let named = set.to_str().and_then(Lights::named);
    if named.is_none() {
        let found = set.to_string_lossy();
        bail!("{NAME}: found '{found}', expected ryg or gyr; set GREENWAVE_LIGHTS instead of it");
    }
    Ok(named)
}

/// Whether a text has a folder or an ending, as names of files do.
pub(crate) fn looks_like_a_file(text: &str) -> bool {
    let ending = |(stem, ending): (&str, &str)| {
        let letters = ending.bytes().all(|byte| byte.is_ascii_alphabetic());
        !stem.is_empty() && letters && (2..=6).contains(&ending.len())
    };
    text.contains('/') || text.rsplit_once('.').is_some_and(ending)
}

/// The message about a position, or moves, in the place of the variant.
fn forgotten(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || Variant::parse(text).is_ok() {
        return None;
    }
    // Of all games that it can be of, the first of the catalogue.
    catalogue().iter().find_map(|name| {
        let variant = Variant::parse(name).ok()?;
        let is_position = variant.parse_position(text).is_ok();
        let is_move = |text: &&str| variant.parse_move(&variant.start(), text).is_ok();
        let (is, way_out) = match (is_position, read_moves(text).iter().all(is_move)) {
            (true, _) => ("a position", format!("greenwave query {name} '{text}'")),
            (_, true) => ("a move", format!("greenwave query {name} --moves '{text}'")),
            _ => return None,
        };
        Some(format!(
            "'{text}' looks like {is}, where a variant was expected; name the variant before it, for \
             example \"{way_out}\""
        ))
    })
}
