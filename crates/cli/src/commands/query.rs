//! `query`: the value of a position and of every move.

use std::borrow::Cow;
use std::fmt::Write;

use anyhow::{Result, bail};
use greenwave_game::{Game, Metric, Outcome, Variant, VariantGame, with_game};
use greenwave_play::Explanation;
use greenwave_probe::leads_to;
use greenwave_tablebase::{Answer, MoveFigures, Place, QueryOptions, SourceKind};
use greenwave_words::Language;

use super::batch;
use super::question::{PlaceTexts, is_dash};
use crate::args::QueryArgs;
use crate::output::{board, columns, expect_folder, wanted, words, wrapped};
use crate::report::{CommandReport, DocumentReport};
use crate::session::Session;

pub(super) fn run(session: &Session, args: &QueryArgs) -> Result<CommandReport> {
    let variant = session.variant(&args.variant)?;
    let options = QueryOptions::within(args.budget);
    let tablebase = match &args.scratch {
        Some(folder) => {
            expect_folder("--scratch", folder)?;
            session.tablebase.with_scratch(folder)
        }
        None => session.tablebase.clone(),
    };
    if args.position.as_deref().is_some_and(is_dash) {
        if args.why {
            bail!(
                "--why explains one position, found - for positions from stdin; name the position"
            );
        }
        if args.moves.as_deref().is_some_and(is_dash) {
            bail!(
                "found two texts for stdin, the positions and --moves; give the moves as b2R,b2Y"
            );
        }
        return batch::run(session, &tablebase, args, &variant, &options).map(CommandReport::from);
    }
    if args.fail_fast {
        bail!("--fail-fast is for many positions, found one; give - and the positions on stdin");
    }
    let typed = PlaceTexts::read(args.position.as_deref(), args.moves.as_deref())?;
    let place = typed.place();
    let answer = tablebase.query_at(&variant, &place, &options)?;
    if args.position.is_some() && !session.quiet {
        remark_if_unreachable(session, &variant, &place)?;
    }
    if args.scratch.is_some() && answer.source.kind != SourceKind::Swept {
        session.remark("--scratch: nothing was put there; leave it out");
    }
    let verdict = session.searched(answer.undecided_within.is_some());
    if args.why {
        let language = session.language;
        let queries = tablebase.queries(&variant, &options)?;
        let at_hand = tablebase.is_at_hand(&variant);
        let explained = Explanation::of(&queries, at_hand, &answer, language)?;
        let words = move |explained: &Explanation| why(language, &answer, explained, &variant);
        return Ok(CommandReport {
            verdict,
            ..CommandReport::with(DocumentReport::new(explained, words))
        });
    }
    let language = session.language;
    let words = move |answer: &Answer| picture(language, answer, &variant);
    Ok(CommandReport {
        verdict,
        ..CommandReport::with(DocumentReport::new(answer, words))
    })
}

/// Says of a position that play cannot lead to it, where that is quick to know.
fn remark_if_unreachable(session: &Session, variant: &Variant, place: &Place<'_>) -> Result<()> {
    /// Positions that a search visits: milliseconds.
    const MOST: usize = 20_000;
    let position = place.find(variant)?;
    if with_game!(variant, game => leads_to(game, &game.position(&position), MOST)) == Some(false) {
        let text = variant.position_text(&position);
        let words = session.language;
        session.remark(&format!("greenwave: {}", words.with("unreachable", text)));
    }
    Ok(())
}

/// The answer for people, and the reasons of every move.
fn why(
    words: Language,
    answer: &Answer,
    explained: &Explanation,
    variant: &Variant,
) -> Result<String, std::fmt::Error> {
    let mut text = picture(words, answer, variant)?;
    let told = explained.moves.iter();
    let mut told: Vec<_> = told.filter(|mv| !mv.sentences.is_empty()).collect();
    let widest = told.iter().map(|mv| mv.mv.chars().count()).max();
    let Some(widest) = widest else {
        return Ok(text);
    };
    writeln!(text, "\n  {}", words.text("why-head"))?;
    if let Some(hardest) = &explained.hardest {
        text.push_str(&wrapped("  ", 2, &hardest.said(words, |mv| mv.to_string())));
        told.sort_by_key(|mv| !hardest.moves.contains(&mv.mv));
    }
    for told in told {
        let head = format!("  {:widest$}  ", told.mv);
        let said = match &told.image_of {
            Some(first) => words.with("why-image", first),
            None => told.sentences.join(" "),
        };
        text.push_str(&wrapped(&head, widest + 4, &said));
    }
    Ok(text)
}

/// The answer for people.
pub(super) fn picture(
    words: Language,
    answer: &Answer,
    variant: &Variant,
) -> Result<String, std::fmt::Error> {
    let rules = variant.rules();
    let bold = wanted(anstyle::Style::new().bold());
    let mut text = String::with_capacity(1 << 10);
    let sentence = match answer.undecided_within {
        Some(0) => words.text("undecided").to_string(),
        Some(plies) => words.with("undecided-within", words.plies(plies)),
        None => match &answer.ending {
            Some(ending) => words::over(words, ending, variant),
            None => words::sentence(words, &answer.figures(), false),
        },
    };
    let drawn = answer.value.outcome() == Some(Outcome::Draw) && answer.points.is_none();
    let endless = if drawn && !answer.terminal {
        words::endless(words, variant)
    } else {
        String::new()
    };
    let head = format!("{}: ", rules.title());
    let answered = wrapped(&head, 2, &format!("{sentence}{endless}"));
    let answered = answered[head.len()..].trim_end();
    writeln!(text, "{head}{bold}{answered}{bold:#}\n")?;
    text.push_str(&board::draw(words, &answer.diagram));
    let labels = ["position", "label-nimber", "label-line", "label-estimate"];
    let labels = labels.map(|key| words.text(key));
    let widest = labels.iter().map(|label| label.chars().count()).max();
    let width = widest.unwrap_or(0) + 1;
    let [position, nimbers, best_play, judged] = labels.map(|label| format!("  {label:<width$}"));
    writeln!(text, "\n{position}{}", answer.position)?;
    if let Some(nimber) = answer.nimber {
        writeln!(text, "{nimbers}{nimber}")?;
    }
    if let Some(line) = &answer.line {
        text.push_str(&wrapped(&best_play, width + 2, &line.join(" ")));
    }
    if let Some(estimate) = &answer.estimate {
        // Rounded first, so that there is no -0.00.
        let outlook = (estimate.outlook * 100.0).round() / 100.0 + 0.0;
        let outlook = words.decimals(&format!("{outlook:+.2}"));
        let moves = some_of(&estimate.moves);
        let said = words.filled("estimate", &[("outlook", &outlook), ("moves", &moves)]);
        text.push_str(&wrapped(&judged, width + 2, &said));
    }
    if !answer.moves.is_empty() {
        text.push('\n');
        text.push_str(&wrapped("  ", 2, words.text("moves-head")));
        text.push_str(&move_list(words, answer));
        text.push_str(&advice(words, answer));
    }
    writeln!(text)?;
    if !answer.best.is_empty() {
        let unit = match rules.default_metric {
            Metric::Points => words.text("unit-points"),
            Metric::Distance => words.text("unit-distance"),
            Metric::Odds => words.text("unit-odds"),
            Metric::Value | Metric::Nimber => "",
        };
        let star = format!("{} {unit}", words.text("star"));
        text.push_str(&wrapped("  ", 2, &star));
    }
    text.push_str(&wrapped("  ", 2, &board::key(words, &answer.diagram)));
    let source = words.with("source", answer.source.said(words));
    text.push_str(&wrapped("  ", 2, &source));
    if let Some(settle) = &answer.source.settle {
        writeln!(text, "  {}", words.with("settled-by", settle))?;
    } else if answer.source.out_of_reach && answer.figures().value.is_none() {
        text.push_str(&wrapped("  ", 2, words.text("settled-by-none")));
    }
    Ok(text)
}

/// Advice where nothing wins: the moves that keep a draw and those that lose, or the moves that put
/// off a loss.
fn advice(words: Language, answer: &Answer) -> String {
    let of = |value: Outcome| -> Vec<String> {
        let is = |mv: &&MoveFigures| mv.figures().value == Some(value);
        answer
            .moves
            .iter()
            .filter(is)
            .map(|mv| mv.mv.clone())
            .collect()
    };
    if answer.points.is_some() || answer.odds.is_some() {
        return String::new();
    }
    match (answer.value.outcome(), answer.distance) {
        (Some(Outcome::Draw), _) => {
            let (keep, lose) = (of(Outcome::Draw), of(Outcome::Loss));
            if keep.len() == answer.moves.len() {
                return format!("\n{}", wrapped("  ", 2, words.text("keep-all")));
            }
            // What is unknown may keep it or not.
            if keep.is_empty() || keep.len() + lose.len() < answer.moves.len() {
                return String::new();
            }
            let (keep, lose) = (keep.join(" "), lose.join(" "));
            let keep = wrapped("  ", 4, &words.with("keep-some", keep));
            let lose = wrapped("  ", 4, &words.with("keep-lose", lose));
            format!("\n{keep}{lose}")
        }
        (Some(Outcome::Loss), Some(plies)) if !answer.best.is_empty() => {
            if answer.best.len() == of(Outcome::Loss).len() {
                let all = words.with("lose-all", words.plies(plies));
                return format!("\n{}", wrapped("  ", 2, &all));
            }
            let (plies, moves) = (words.length(plies), answer.best.join(" "));
            let said = words.filled("hold-out", &[("plies", &plies), ("moves", &moves)]);
            format!("\n{}", wrapped("  ", 4, &said))
        }
        _ => String::new(),
    }
}

fn move_list(words: Language, answer: &Answer) -> String {
    let rows: Vec<Vec<Cow<'_, str>>> = answer
        .moves
        .iter()
        .enumerate()
        .map(|(number, mv)| {
            let figures = mv.figures();
            let mark = if number < answer.best.len() { "*" } else { " " };
            let note = match (mv.ends, figures.value) {
                (false, _) => "",
                (true, Some(Outcome::Win)) => words.text("ends-at-once"),
                (true, _) => words.text("ends"),
            };
            let nimber = mv.nimber.map(|nimber| words.with("leaves-nimber", nimber));
            vec![
                mark.into(),
                mv.mv.as_str().into(),
                words::phrase(words, &figures).into(),
                nimber.unwrap_or_default().into(),
                note.into(),
            ]
        })
        .collect();
    columns(&rows, 2, &[])
}

/// The first few of a list.
fn some_of(moves: &[String]) -> String {
    const FEW: usize = 5;
    let more = if moves.len() > FEW { " …" } else { "" };
    format!("{}{more}", moves[..moves.len().min(FEW)].join(" "))
}
