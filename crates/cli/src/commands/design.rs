//! `design`: a family of rules searched for games that are worth playing.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use greenwave_design::{
    DesignError, DesignTable, MeasureLimits, MeasuredRules, Measures, Ranking, RefusedRules,
    RuleFamily, checkpoint_path, search,
};
use greenwave_game::RuleFile;
use greenwave_tablebase::{Error, SCHEMA, named_by_path, read_text};
use serde::Serialize;

use super::design_report;
use crate::args::DesignArgs;
use crate::output::{
    PAGE, columns, counted, expect_place, is_standard, print, print_json, tell_written, wrapped,
    write_file,
};
use crate::session::{CommandVerdict, Session, expect_no_input};

pub(super) fn run(session: &Session, args: &DesignArgs) -> Result<CommandVerdict> {
    let ranking = Ranking::parse(&args.rank).map_err(plain)?;
    let mut family = read(&args.file)?;
    for option in &args.vary {
        family.vary(option).map_err(plain)?;
    }
    // A variable is set for all games, also where the lights are what varies.
    let is_meant = session.lights().is_some() || !family.keys().contains(&"lights");
    if let Some(lights) = session.requested_lights().filter(|_| is_meant) {
        family.set_lights(lights).map_err(plain)?;
    }
    let usual = MeasureLimits::default();
    let effort = MeasureLimits {
        seed: args.seed,
        games: args.games,
        seconds: args.budget.map_or(usual.seconds, |time| time.as_secs_f64()),
    };
    if let Some(path) = args.html.as_deref().filter(|path| is_standard(path))
        && (args.csv || session.json)
    {
        let path = path.display();
        bail!(
            "--html {path}, --csv and --json cannot share standard output; name a file for --html"
        );
    }
    if let Some(path) = &args.html {
        expect_place(path, PAGE)?;
    }
    let checkpoint = checkpoint_path(session.tablebase.dir(), &family, &effort);
    let found = search(&session.tablebase, &family, &effort, &ranking, &checkpoint);
    let table = match found {
        Err(error) if error.is_interrupted() => {
            return Err(plain(error)).with_context(|| {
                format!(
                    "the measures so far are in '{}', from which the same command resumes",
                    checkpoint.display()
                )
            });
        }
        found => found.map_err(plain)?,
    };
    if table.rows.is_empty() {
        // Nothing was measured that another search could use.
        let _ = std::fs::remove_file(&checkpoint);
        let count = counted(
            table.refused.len() as u64,
            "combination was",
            "combinations were",
        );
        let first = table.refused.first();
        let why = first.map_or_else(String::new, |refused| {
            format!("; the first: {}", refused.error)
        });
        bail!("nothing is left to measure: {count} refused{why}");
    }
    if checkpoint.exists() {
        session.remark(&format!(
            "greenwave: the measures are kept in '{}' for another --rank; delete it when you are done",
            checkpoint.display()
        ));
    }
    if let Some(path) = &args.html {
        write_file(path, design_report::page(&family, &table, &args.rank))?;
        tell_written(session, path);
    }
    if session.json {
        for row in &table.rows {
            print_json(&RowDocument::of(row))?;
        }
        for refused in &table.refused {
            print_json(&RefusedDocument::of(refused))?;
        }
    } else if args.csv {
        print(&design_report::csv(&family, &table))?;
    } else if args.html.as_deref().is_none_or(|path| !is_standard(path)) {
        print(&picture(&table, &args.rank, args.limit as usize))?;
    }
    Ok(CommandVerdict::Done)
}

/// The family that a rule file describes.
fn read(file: &Path) -> Result<RuleFamily> {
    expect_no_input(
        &file.to_string_lossy(),
        "a rule file",
        "name one that is there, such as my-game.toml",
    )?;
    let text = read_text(file, RuleFile::LONGEST).map_err(|cause| Error::Io {
        what: format!(
            "cannot read rule file '{}'; name a file that is there, such as my-game.toml",
            file.display()
        ),
        cause,
    })?;
    let name = file.file_name().and_then(|name| name.to_str());
    RuleFamily::read(name.unwrap_or_default(), &text).map_err(|error| {
        plain(if let DesignError::Variant(error) = error {
            named_by_path(error, &file.display().to_string()).into()
        } else {
            error
        })
    })
}

/// The error that tells what kind of fault it is.
fn plain(error: DesignError) -> anyhow::Error {
    match error {
        DesignError::Variant(error) => Error::from(error).into(),
        DesignError::Tablebase(error) => error.into(),
        DesignError::Judge(error) => error.into(),
        DesignError::Refused(said) => anyhow::anyhow!(said),
    }
}

/// A set of rules with its measures.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RowDocument<'a> {
    /// Version of the document.
    schema: u32,
    /// Its name.
    variant: &'a str,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// The keys that vary, and what they are set to.
    settings: BTreeMap<&'a str, &'a str>,
    /// Its rule file.
    rules: String,
    /// Its rules in words.
    words: &'a str,
    /// `first`, `second` or `draw`.
    winner: &'a str,
    /// Value of the start for the player to move.
    value: &'a str,
    /// Plies to the end under best play.
    distance: Option<u32>,
    /// Points of the start, in scored games.
    points: Option<i32>,
    /// The measures.
    measures: &'a Measures,
    /// Its place, the best first.
    rank: u32,
    /// Whether no other set is better in one measure and as good in the others.
    pareto: bool,
}

impl<'a> RowDocument<'a> {
    fn of(row: &'a MeasuredRules) -> RowDocument<'a> {
        RowDocument {
            schema: SCHEMA,
            variant: &row.combination.name,
            lights: row.variant.rules().lights_name(),
            settings: settings(&row.combination.settings),
            rules: row.combination.text(),
            words: &row.words,
            winner: &row.measured.winner,
            value: &row.measured.value,
            distance: row.measured.distance,
            points: row.measured.points,
            measures: &row.measured.measures,
            rank: row.rank,
            pareto: row.pareto,
        }
    }
}

/// A combination that is no game, or was not measured.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RefusedDocument<'a> {
    /// Version of the document.
    schema: u32,
    /// Its name.
    variant: &'a str,
    /// The keys that vary, and what they are set to.
    settings: BTreeMap<&'a str, &'a str>,
    /// Its rule file.
    rules: String,
    /// Why it was refused.
    error: &'a str,
}

impl<'a> RefusedDocument<'a> {
    fn of(refused: &'a RefusedRules) -> RefusedDocument<'a> {
        RefusedDocument {
            schema: SCHEMA,
            variant: &refused.combination.name,
            settings: settings(&refused.combination.settings),
            rules: refused.combination.text(),
            error: &refused.error,
        }
    }
}

fn settings(pairs: &[(String, String)]) -> BTreeMap<&str, &str> {
    pairs
        .iter()
        .map(|(key, value)| (&**key, &**value))
        .collect()
}

/// The table, the best set of rules, and what was refused.
fn picture(table: &DesignTable, rank: &str, limit: usize) -> String {
    let heads = [
        "", "", "wins", "in", "weak", "medium", "strong", "drama", "only", "plies", "draws",
        "puzzles", "rules",
    ];
    let mut rows = vec![heads.map(String::from).to_vec()];
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    for row in table.rows.iter().take(limit) {
        let measures = &row.measured.measures;
        let settings = row.combination.settings.iter();
        let settings: Vec<String> = settings
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        rows.push(vec![
            row.rank.to_string(),
            if row.pareto { "*" } else { "" }.into(),
            row.measured.winner.clone(),
            row.measured
                .distance
                .map_or_else(|| "-".into(), |plies| plies.to_string()),
            format!("{:+.2}", measures.balance_weak),
            format!("{:+.2}", measures.balance_medium),
            format!("{:+.2}", measures.balance_strong),
            format!("{:.2}", measures.drama),
            percent(measures.only_moves),
            format!("{:.1} ±{:.1}", measures.length, measures.length_spread),
            percent(measures.draws),
            measures.puzzles.iter().sum::<u32>().to_string(),
            match &settings[..] {
                [] => row.combination.name.clone(),
                _ => format!("{}: {}", row.combination.name, settings.join(" ")),
            },
        ]);
    }
    let mut text = columns(&rows, 0, &[0, 3, 4, 5, 6, 7, 8, 10, 11]);
    let more = table.rows.len().saturating_sub(limit);
    if more > 0 {
        let sets = counted(more as u64, "more set", "more sets");
        text.push_str(&format!(
            "… {sets}; --limit, --csv, --json and --html show them\n"
        ));
    }
    text.push('\n');
    text.push_str(&wrapped(
        "",
        0,
        &format!(
            "Ordered by {rank}. *: no other set is as good in all of these and better in one. weak, medium, \
             strong: the first player's share of wins less the second's, in games of two such players. \
             drama: how often the value changes in a game of medium players. only, plies, draws: of strong \
             players. The page 'Measures of games' of the book explains them."
        ),
    ));
    if let Some(best) = table.rows.first() {
        text.push_str(&format!(
            "\n{}.toml, the first of them:\n\n",
            best.combination.name
        ));
        for line in best.combination.text().lines() {
            text.push_str(&format!("  {line}\n").replace("  \n", "\n"));
        }
        text.push('\n');
        text.push_str(&wrapped("", 0, &best.words));
    }
    if !table.refused.is_empty() {
        text.push_str("\nNot measured:\n\n");
        let reasons = by_reason(&table.refused);
        for (sets, error) in reasons.iter().take(limit) {
            text.push_str(&wrapped(&format!("{sets}: "), 2, error));
        }
        let more = reasons.len().saturating_sub(limit);
        if more > 0 {
            let reasons = counted(more as u64, "more reason", "more reasons");
            text.push_str(&format!("… {reasons}; --csv and --json list them\n"));
        }
    }
    text
}

/// Names of the sets of rules that were refused, some of them if they are many, with the reason that they share.
pub(super) fn by_reason(refused: &[RefusedRules]) -> Vec<(String, &str)> {
    const NAMED: usize = 4;
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for RefusedRules { combination, error } in refused {
        match reasons.iter_mut().find(|(reason, _)| reason == error) {
            Some((_, names)) => names.push(&combination.name),
            None => reasons.push((error, vec![&combination.name])),
        }
    }
    let said = |(reason, names): (_, Vec<&str>)| {
        let named = names[..names.len().min(NAMED)].join(", ");
        match names.len().saturating_sub(NAMED) {
            0 => (named, reason),
            more => (
                format!(
                    "{named} and {}",
                    counted(more as u64, "more set", "more sets")
                ),
                reason,
            ),
        }
    };
    reasons.into_iter().map(said).collect()
}
