//! `certify`: the winner's strategy as a file that anyone can check; of a drawn game one for each player.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use greenwave_game::{Geometry, Metric, Opening, Outcome, Squares, Variant, with_game};
use greenwave_judge::{
    Aim, Certificate, JudgeError, ValueOf, certify, lights_line, where_certifiable,
};
use greenwave_tablebase::{Error, SCHEMA, Tablebase, is_rule_file, table_folder};
use greenwave_values::{TableValues, ValueSource};
use serde::Serialize;

use crate::args::CertifyArgs;
use crate::output::{
    complain, counted, expect_folder_of, expect_kind, grouped, is_standard, word, write_file,
    write_whole,
};
use crate::report::{CommandReport, DocumentReport};
use crate::session::{CommandVerdict, Session};

/// The line that certificates begin with.
const HEAD: &str = "greenwave certificate 1";

/// The file as written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Written"))]
pub(super) struct CertifyDocument {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// The winner; `None` where nobody wins.
    #[cfg_attr(test, schemars(extend("enum" = ["first", "second", null])))]
    winner: Option<&'static str>,
    /// Positions with a reply.
    positions: u64,
    /// The number of positions if the first move that keeps the value were always taken.
    first_reply_positions: u64,
    /// Bytes of all files.
    bytes: u64,
    /// The file; `None` where there are two.
    file: Option<String>,
    /// All files.
    files: Vec<String>,
}

pub(super) fn run(session: &Session, args: &CertifyArgs) -> Result<CommandReport> {
    let output = args.output.as_deref();
    if session.json && output.is_some_and(is_standard) {
        bail!("--output and --json cannot share standard output; name a file for --output");
    }
    let variant = session.variant(&args.variant)?;
    with_game!(&variant, game => {
        where_certifiable(game, || write_for(session, &variant, game, output))
    })
}

fn write_for<G: Squares>(
    session: &Session,
    variant: &Variant,
    game: &G,
    output: Option<&Path>,
) -> Result<CommandReport> {
    let rules = variant.rules();
    let mut written = CertifyDocument {
        schema: SCHEMA,
        variant: rules.title().to_string(),
        lights: rules.lights_name(),
        winner: None,
        positions: 0,
        first_reply_positions: 0,
        bytes: 0,
        file: None,
        files: Vec::new(),
    };
    if let Some(folder) = output.filter(|output| output.is_dir()) {
        bail!(
            "--output: '{}' is a folder, expected a file; name one in it",
            folder.display()
        );
    }
    if let Some(output) = output {
        expect_folder_of(output)?;
    }
    let made = made(session, variant, game)?;
    let is_one = made.len() == 1;
    let to_stdout = output.is_some_and(is_standard);
    let path_of = |certificate: &Certificate<G::Position, G::Move>| match output {
        // Two certificates follow one another on standard output, and the checkers read them so.
        Some(output) if is_one || to_stdout => output.to_path_buf(),
        Some(output) => with_player(output, player(certificate)),
        None => {
            let name = match certificate.aim {
                Aim::Win => String::from("certificate.txt"),
                Aim::Draw => format!("certificate-{}.txt", player(certificate)),
            };
            table_folder(session.tablebase.dir(), rules).join(name)
        }
    };
    let paths: Vec<PathBuf> = made.iter().map(path_of).collect();
    // Before the first one is written.
    if output.is_some() {
        for path in &paths {
            expect_kind(path, HEAD.as_bytes())?;
        }
    }
    for (certificate, path) in made.into_iter().zip(paths) {
        if certificate.aim == Aim::Win {
            written.winner = Some(player(&certificate));
        }
        let text = text(variant, game, &certificate)?;
        if output.is_some() {
            write_file(&path, &text)?;
        } else {
            let folder = path.parent().unwrap_or(&path);
            std::fs::create_dir_all(folder)
                .and_then(|()| write_whole(&path, text.as_bytes()))
                .with_context(|| {
                    format!(
                        "cannot write '{}'; name a file with --output, or a folder that you can write to with \
                         --dir",
                        path.display()
                    )
                })?;
        }
        written.positions += certificate.entries.len() as u64;
        written.first_reply_positions += certificate.first_replies;
        written.bytes += text.len() as u64;
        written.files.push(path.display().to_string());
    }
    if let [file] = &written.files[..] {
        written.file = Some(file.clone());
    }
    let title = rules.title().to_string();
    if to_stdout {
        if !session.quiet {
            complain(picture(&written, &title, "").trim_end());
        }
        return Ok(CommandVerdict::Done.into());
    }
    let check = checker(variant).map(|checker| how_to_check(session, checker, &written.files));
    let check = check.unwrap_or_default();
    Ok(CommandReport::with(DocumentReport::new(
        written,
        move |written| Ok(picture(written, &title, &check)),
    )))
}

/// The program that knows the rules of a game and checks its certificates, if there is one.
pub(super) fn checker(variant: &Variant) -> Option<&'static str> {
    let features = variant.features();
    if !features.levels || features.strip || features.piles {
        return None;
    }
    let plain = variant.fixed_board().is_some_and(|game| {
        let board = game.board();
        *board.shape.geometry() == Geometry::default()
            && board.tops.is_none()
            && board.opening == Opening::default()
    });
    Some(if plain {
        "check_certificate.py"
    } else {
        "check_rule_file.py"
    })
}

/// The file of a player's strategy: `draw.txt` as `draw-first.txt`.
fn with_player(output: &Path, player: &str) -> PathBuf {
    let mut name = output.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{player}"));
    if let Some(ending) = output.extension() {
        name.push(".");
        name.push(ending);
    }
    output.with_file_name(name)
}

/// How the files are checked: the checker lies in a clone's folder of tables, or has to be fetched.
fn how_to_check(session: &Session, checker: &str, files: &[String]) -> String {
    let folders = [session.tablebase.dir(), Path::new("solutions")];
    let mut found = folders.iter().map(|folder| folder.join(checker));
    match found.find(|path| path.is_file()) {
        Some(found) => {
            let files: Vec<String> = files.iter().map(|file| word(Path::new(file))).collect();
            format!(
                "  Check it with: python3 {} {}\n",
                word(&found),
                files.join(" ")
            )
        }
        None => format!(
            "  Check it with {checker}, which is in the folder solutions of Greenwave's repository\n"
        ),
    }
}

fn player<P, M>(certificate: &Certificate<P, M>) -> &'static str {
    if certificate.first_player {
        "first"
    } else {
        "second"
    }
}

/// The file of a strategy.
fn text<G: Squares>(
    variant: &Variant,
    game: &G,
    certificate: &Certificate<G::Position, G::Move>,
) -> Result<String> {
    let rules = variant.rules();
    let player = player(certificate);
    let claim = match certificate.aim {
        Aim::Win => format!("winner {player}"),
        Aim::Draw => format!("player {player}\nresult draw"),
    };
    // A file is named by its path, a built-in game whatever else it is called.
    let name = if is_rule_file(&rules.name) {
        rules.title()
    } else {
        &rules.name
    };
    let mut text = format!(
        "{HEAD}\nvariant {name}\n{}{claim}\n{}\npositions {}\n",
        lights_line(rules),
        rules.canonical,
        certificate.entries.len()
    );
    for (position, mv) in &certificate.entries {
        let (shown, reply) = (game.position_text(position), game.move_text(position, *mv));
        writeln!(text, "{shown} {reply}")?;
    }
    Ok(text)
}

fn picture(written: &CertifyDocument, title: &str, check: &str) -> String {
    let claim = match written.winner {
        Some(winner) => format!("the {winner} player wins against every defence"),
        None => String::from("nobody wins by force; with these replies each player never loses"),
    };
    let first = match written.winner {
        Some(_) => "winning move",
        None => "move that does not lose",
    };
    let files: String = written
        .files
        .iter()
        .filter(|file| !is_standard(Path::new(file)))
        .map(|file| format!("  {file}\n"))
        .collect();
    format!(
        "{title}: {claim}\n{files}  {} with a \
         reply (the first {first} everywhere: {}), {}\n{check}",
        counted(written.positions, "position", "positions"),
        grouped(written.first_reply_positions),
        counted(written.bytes, "byte", "bytes"),
    )
}

fn made<G: Squares>(
    session: &Session,
    variant: &Variant,
    game: &G,
) -> Result<Vec<Certificate<G::Position, G::Move>>> {
    let rules = variant.rules();
    let metric = if rules.metrics.contains(&Metric::Value) {
        Metric::Value
    } else {
        rules.default_metric
    };
    let tablebase = &session.tablebase;
    let held = match tablebase.values(variant, metric) {
        // If the values do not fit the memory, they are read position by position, where a table is
        // there.
        Err(error @ Error::Memory { .. }) => {
            for metric in [metric, rules.default_metric] {
                if let Some(table) = tablebase.table(rules, metric)? {
                    let values = TableValues::new(game, &table)?;
                    let kept = tablebase.memory() / 8;
                    let what = format!("looking up positions of {}", rules.title());
                    let _reserved = tablebase.reserve(kept.into(), &what, "")?;
                    return chosen(game, &looked_up(&values, kept), tablebase);
                }
            }
            return Err(error.into());
        }
        held => held?,
    };
    let value_of = |position: &G::Position| Ok(held.values.figures_of(game, position).value);
    chosen(game, &value_of, tablebase)
}

fn chosen<G: Squares>(
    game: &G,
    value_of: &ValueOf<'_, G::Position>,
    tablebase: &Tablebase,
) -> Result<Vec<Certificate<G::Position, G::Move>>> {
    let certificate = certify(game, value_of, tablebase);
    tablebase.progress().end();
    Ok(certificate?)
}

/// Values of unfinished positions out of a table, each read once as long as this many bytes hold them.
fn looked_up<'v, G: Squares>(
    values: &'v TableValues<'_, G>,
    bytes: u64,
) -> impl Fn(&G::Position) -> Result<Option<Outcome>, JudgeError> + 'v {
    // A table of the standard library has up to twice the places, and stands beside the next while it grows.
    let entry = 4 * (size_of::<(G::Position, Option<Outcome>)>() as u64 + 1);
    let most = (bytes / entry) as usize;
    let known = RefCell::new(HashMap::new());
    move |position| {
        if let Some(value) = known.borrow().get(position) {
            return Ok(*value);
        }
        let figures = values.figures(position);
        let value = figures.map_err(JudgeError::from)?.value;
        let mut known = known.borrow_mut();
        if known.len() >= most {
            known.clear();
        }
        known.insert(*position, value);
        Ok(value)
    }
}
