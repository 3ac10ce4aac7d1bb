//! `review`: a game gone through.

use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use greenwave_game::{Figures, Game, Plies, Variant};
use greenwave_play::{
    FormerValue, MoveMark, Record, RecordText, Review, ReviewPly, review, review_of, swap_note,
};
use greenwave_tablebase::{
    Budget, Place, QueryOptions, Reservation, Tablebase, Value, read_moves, text_of_bytes,
};
use greenwave_words::Language;

use super::season;
use crate::args::ReviewArgs;
use crate::output::{board, columns, counted, is_standard, word, words, wrapped};
use crate::report::{CommandReport, DocumentReport};
use crate::session::{Session, looks_like_a_file};

/// Longest record of a game, in bytes.
pub(super) const LONGEST: u64 = 1 << 20;
/// Bytes that a ply takes in a review, with the names of all moves that tie for the best.
pub(super) const PLY: u128 = 2 << 10;

pub(super) fn run(session: &Session, args: &ReviewArgs) -> Result<CommandReport> {
    let Some(moves) = &args.moves else {
        return season::run(session, args).map(CommandReport::from);
    };
    let asked = session.variant(&args.variant)?;
    let is_file = |text: &&String| Path::new(text).is_file() && names_a_file(&asked, text);
    if let Some(file) = args.position.iter().find(is_file) {
        bail!(
            "found the file '{file}' beside --moves, which takes the moves of one game; leave out --moves \
             to review files of records"
        );
    }
    let position = match &args.position[..] {
        [] => None,
        [position] => Some(position.as_str()),
        [_, other, ..] => bail!(
            "found '{other}' after the position; --moves reviews one game, and files of records are \
             reviewed without it"
        ),
    };
    let given = ReviewInput::read(session, &asked, moves, position)?;
    let place = given.place();
    let variant = given.variant.clone();
    let options = QueryOptions::within(args.budget);
    let _held = room_for(session, read_moves(&given.moves).len(), PLY)?;
    let found = review(&session.tablebase, &variant, &place, &options)?;
    // A theorem may tell the value, and leave the distance to the sweep that was stopped.
    let is_open = |ply: &ReviewPly| {
        let is_decided = matches!(ply.value, Value::Win | Value::Loss);
        is_decided && (ply.distance, ply.points, ply.expectation) == (None, None, None)
    };
    let undecided = |ply: &ReviewPly| {
        ply.value == Value::Unknown || ply.mark == MoveMark::Unknown || is_open(ply)
    };
    let verdict = session.searched(found.plies.iter().any(undecided));
    let language = session.language;
    let words = move |found: &Review| Ok(picture(language, &variant, found));
    Ok(CommandReport {
        verdict,
        ..CommandReport::with(DocumentReport::new(found, words))
    })
}

/// Room for the review of this number of plies, with this number of bytes for each.
pub(super) fn room_for(session: &Session, plies: usize, each: u128) -> Result<Reservation> {
    let what = format!("a review of {}", counted(plies as u64, "ply", "plies"));
    let room = session
        .tablebase
        .reserve(plies as u128 * each, &what, ", or review less at once");
    Ok(room?)
}

/// A game that was played, gone through, for people; each move may be searched so long.
pub(super) fn of_record(
    session: &Session,
    tablebase: &Tablebase,
    variant: &Variant,
    record: &Record,
    budget: Budget,
) -> Result<String> {
    let options = QueryOptions::within(Some(budget));
    let found = review_of(&tablebase.queries(variant, &options)?, record)?;
    Ok(picture(session.language, variant, &found))
}

/// Moves as they are given: a list, a file, or stdin, each perhaps the record of a game.
pub(super) struct ReviewInput {
    /// The variant asked about, in the order of the lights in which they are written.
    pub(super) variant: Variant,
    pub(super) position: Option<String>,
    pub(super) moves: String,
}

impl ReviewInput {
    /// Reads moves, `-` for stdin; if the text names a file, the moves are in the file.
    pub(super) fn read(
        session: &Session,
        asked: &Variant,
        moves: &str,
        position: Option<&str>,
    ) -> Result<ReviewInput> {
        let text = if moves == "-" {
            game_of(moves).context("cannot read the moves from stdin")?
        } else if std::fs::metadata(moves).is_ok_and(|found| !found.is_dir()) {
            game_of(moves).with_context(|| format!("cannot read the record '{moves}'"))?
        } else if names_a_file(asked, moves) {
            bail!(
                "there is no file '{moves}'; name one that is there, or write the moves with commas \
                 between them, such as b2R,b2Y"
            );
        } else {
            moves.to_string()
        };
        let games = RecordText::read_all(&text).into_iter();
        let games = games.filter(|game| !game.is_empty()).count();
        if games > 1 {
            bail!(
                "found {games} games in '{moves}', and --moves takes one; keep one of them, or review all \
                 with 'greenwave review {} {}', without --moves",
                word(Path::new(asked.rules().title())),
                word(Path::new(moves))
            );
        }
        let saved = RecordText::read(&text);
        let is_remark = |line: &str| line.trim().is_empty() || line.trim().starts_with('#');
        if saved.is_empty() && !text.lines().all(is_remark) {
            bail!(
                "found no move in '{moves}'; expected moves such as b2R,b2Y, a record of 'play --record', or \
                 what 'line' and 'review' print"
            );
        }
        ReviewInput::of(session, asked, saved, position)
    }

    /// The game of a record.
    pub(super) fn of(
        session: &Session,
        asked: &Variant,
        saved: RecordText,
        position: Option<&str>,
    ) -> Result<ReviewInput> {
        let variant = saved.variant(asked, session.lights())?;
        if let Some(hash) = &saved.rules
            && *hash != asked.rules().hash.to_string()
        {
            bail!(
                "the record is of other rules than '{}' has now; name the rule file that it was played by",
                asked.rules().title()
            );
        }
        // The start of the game is no position that need be read.
        let usual = variant.position_text(&variant.start());
        let start = saved.start.filter(|start| *start != usual);
        Ok(ReviewInput {
            variant,
            position: position.map(String::from).or(start),
            moves: saved.moves,
        })
    }

    /// The place that they lead to.
    pub(super) fn place(&self) -> Place<'_> {
        Place {
            position: self.position.as_deref(),
            moves: Some(&self.moves),
        }
    }
}

/// All of a file of records, `-` for stdin.
pub(super) fn whole_of(file: &str) -> Result<String> {
    game_of(file).with_context(|| match file {
        "-" => "cannot read the records from stdin".to_string(),
        _ => format!("cannot read the records of '{file}'"),
    })
}

/// All of a file, `-` for stdin, unless it is longer than records are.
pub(super) fn game_of(file: &str) -> Result<String> {
    text_of(Path::new(file), LONGEST, "the moves of one game")
}

/// All of a file of at most this many bytes, `-` for stdin, which holds what is `expected`.
pub(super) fn text_of(file: &Path, most: u64, expected: &str) -> Result<String> {
    if is_standard(file) {
        text_within(std::io::stdin(), most, expected)
    } else {
        text_within(opened(file)?, most, expected)
    }
}

/// Opens a record. A pipe into which nobody writes is not waited for endlessly.
fn opened(path: &Path) -> Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        use std::time::Duration;

        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use rustix::fs::OFlags;

        use crate::output::pipe::{TOLD, WAIT, blocking, tell_waiting};

        if std::fs::metadata(path)?.file_type().is_fifo() {
            let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
            let file = File::options()
                .read(true)
                .custom_flags(nonblocking)
                .open(path)?;
            let mut asked = [PollFd::new(&file, PollFlags::IN)];
            let mut comes_within = |time: Duration| -> Result<bool> {
                let patience = Timespec {
                    tv_sec: time.as_secs().cast_signed(),
                    tv_nsec: 0,
                };
                Ok(poll(&mut asked, Some(&patience))? > 0)
            };
            let mut comes = comes_within(TOLD)?;
            if !comes {
                tell_waiting(path);
                comes = comes_within(WAIT)?;
            }
            if !comes {
                bail!(
                    "nobody writes into this pipe, waited {WAIT:?}; name a file, or - and pipe into stdin"
                );
            }
            return Ok(blocking(file)?);
        }
    }
    Ok(File::open(path)?)
}

fn text_within(source: impl Read, most: u64, expected: &str) -> Result<String> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        bail!("found more than {most} bytes, expected {expected}");
    }
    Ok(text_of_bytes(bytes)?)
}

/// Whether a text that is no file can only be meant as one: it has a folder or an ending, and is no
/// position.
fn names_a_file(variant: &Variant, text: &str) -> bool {
    let text = text.trim();
    looks_like_a_file(text) && variant.parse_position(text).is_err()
}

fn picture(words: Language, variant: &Variant, review: &Review) -> String {
    let length = words.plies(review.plies.len() as u32);
    let title = [("name", variant.rules().title()), ("length", &length)];
    let mut text = wrapped("", 2, &words.filled("review-title", &title));
    text.push('\n');
    if review.start != variant.position_text(&variant.start()) {
        let _ = writeln!(text, "  {}\n", words.with("review-start", &review.start));
    }
    let mut rows: Vec<Vec<String>> = review.plies.iter().map(|ply| row(words, ply)).collect();
    if !review.drawn.is_empty() {
        let drawn = review.drawn.concat();
        rows.push(vec![String::new(), String::new(), drawn]);
    }
    text.push_str(&columns(&rows, 2, &[0]));
    let diagram = variant.diagram(&review.last);
    let _ = write!(text, "\n{}", board::draw(words, &diagram));
    text.push('\n');
    text.push_str(&wrapped("  ", 2, &board::key(words, &diagram)));
    let unknown = review.plies.iter().any(|ply| ply.mark == MoveMark::Unknown);
    let of = |number: u32| match number {
        0 if unknown => words.text("no-known-mistakes").to_string(),
        0 => words.text("no-mistakes").to_string(),
        number => words.counted(number.into(), "one-mistake", "some-mistakes"),
    };
    let mistakes = [
        ("first", of(review.mistakes.first)),
        ("second", of(review.mistakes.second)),
    ];
    let mistakes = mistakes.each_ref().map(|(side, of)| (*side, of.as_str()));
    let mistakes = words.filled("review-mistakes", &mistakes);
    text.push_str(&wrapped("  ", 2, &mistakes));
    if let Some(result) = review.result {
        text.push_str(&wrapped("  ", 2, words.text(result_key(result))));
    }
    if let Some(note) = swap_note(words, review.plies.iter().map(|ply| ply.mv.as_str())) {
        text.push_str(&wrapped("  ", 2, note));
    }
    let key = [
        words::values_key(words, variant),
        words.text("review-marks"),
    ]
    .join(" ");
    text.push_str(&wrapped("  ", 2, &key));
    text
}

/// The message about a result.
fn result_key(result: &str) -> &'static str {
    match result {
        "first" => "review-first-won",
        "second" => "review-second-won",
        _ => "review-drawn",
    }
}

fn row(words: Language, ply: &ReviewPly) -> Vec<String> {
    let figures = Figures::of(ply.value.outcome(), ply.distance.map(Plies), ply.points);
    let value = match ply.expectation {
        Some(expectation) => words.decimals(&format!("{expectation:+.6}")),
        None => words::phrase(words, &figures),
    };
    let (mark, note) = (
        match ply.mark {
            MoveMark::Only => "!",
            MoveMark::Mistake => "??",
            MoveMark::Best | MoveMark::Unknown | MoveMark::Forced | MoveMark::Good => "",
        },
        note(words, ply),
    );
    let drawn = ply.drawn.concat();
    vec![
        format!("{}.", ply.ply),
        by(words, ply.by).to_string(),
        format!("{drawn}{}{mark}", ply.mv),
        value,
        note,
    ]
}

/// The message about a move beside its value.
pub(super) fn note(words: Language, ply: &ReviewPly) -> String {
    let best = || {
        let moves: Vec<String> = ply.best.iter().take(4).cloned().collect();
        let more = if ply.best.len() > 4 { " …" } else { "" };
        format!("{}{more}", moves.join(" "))
    };
    let had = match &ply.lost {
        Some(FormerValue::Value(value)) => {
            let known = value.outcome().map(|value| words::outcome(words, value));
            known
                .unwrap_or_else(|| words.text("value-unknown"))
                .to_string()
        }
        Some(FormerValue::Points(points)) => words::points_phrase(words, *points),
        Some(FormerValue::Expectation(expectation)) => {
            words.decimals(&format!("{expectation:+.6}"))
        }
        None => String::new(),
    };
    match ply.mark {
        MoveMark::Best | MoveMark::Unknown => String::new(),
        MoveMark::Only => words.text("only-move").into(),
        MoveMark::Forced => words.text("forced").into(),
        MoveMark::Good if ply.value == Value::Win => words.with("quicker", best()),
        MoveMark::Good => words.with("longer", best()),
        MoveMark::Mistake => words.filled("had", &[("had", &had), ("best", &best())]),
    }
}

/// Who made a move.
pub(super) fn by(words: Language, side: &str) -> &'static str {
    words.text(match side {
        "first" => "by-first",
        _ => "by-second",
    })
}
