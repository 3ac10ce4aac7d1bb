//! `compare`: variants side by side.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::{Result, bail};
use greenwave_game::{Advance, Game, Plies, Variant};
use greenwave_judge::documents::{
    ComparedVariant, Comparison, VariantSide, Worth, disagreements, sentences,
};
use greenwave_judge::{Mean, Playout, SLIPS};
use greenwave_picture::escaped;
use greenwave_words::Language;

use super::compare_report;
use crate::args::CompareArgs;
use crate::output::{
    PAGE, board, columns, counted, expect_place, grouped, is_standard, print, print_json,
    tell_written, words, wrapped, write_file,
};
use crate::session::{CommandVerdict, Session};

pub(super) fn run(session: &Session, args: &CompareArgs) -> Result<CommandVerdict> {
    if let Some(path) = &args.html {
        if is_standard(path) && (args.csv || session.json) {
            bail!("--html, --csv and --json cannot share standard output; name a file for --html");
        }
        expect_place(path, PAGE)?;
    }
    let variants = args
        .variants
        .iter()
        .map(|name| session.variant(name))
        .collect::<Result<Vec<Variant>>>()?;
    let sides = variants
        .into_iter()
        .map(|variant| ComparedVariant::of(&session.tablebase, variant));
    let sides = sides.collect::<Result<Vec<ComparedVariant>, _>>()?;
    let documents = VariantSide::all(&sides);
    if let Some(path) = &args.html {
        let titles = sides
            .iter()
            .map(|side| side.variant.rules().title().to_string());
        let page = compare_report::page(&documents, &titles.collect::<Vec<_>>(), &report(&sides));
        write_file(path, &page)?;
        tell_written(session, path);
        if is_standard(path) {
            return Ok(CommandVerdict::Done);
        }
    }
    if args.csv {
        print(&compare_report::csv(&documents))?;
    } else if session.json {
        print_json(&Comparison::of(&sides))?;
    } else {
        print(&picture(&sides))?;
    }
    Ok(CommandVerdict::Done)
}

/// The start in a word or two; odds have rows of their own.
fn start(side: &ComparedVariant) -> String {
    match side.odds() {
        Some(odds) => format!("{:+.6}", odds.expectation),
        None => words::phrase(Language::English, &side.profile.start),
    }
}

/// The length of games of a kind, as far as they end.
fn length(playout: Playout) -> String {
    match playout.broken_off {
        0.0 => format!("{} plies", playout.length.text(1, false)),
        1.0 => "without end".into(),
        _ => format!("at least {:.1}", playout.length.mean),
    }
}

/// The longest game, or of those that were sampled.
fn longest(side: &ComparedVariant) -> String {
    match (side.longest_game, side.longest_seen) {
        (Some(plies), _) => Plies(plies).to_string(),
        (None, _) if side.variant.rules().properties.advance == Advance::Repeats => {
            "without end".into()
        }
        (None, Some(plies)) => format!("at least {plies}"),
        (None, None) => "-".into(),
    }
}

/// The name of a side in a table: A, B and so on, numbers past Z.
fn letter(number: usize) -> String {
    match u8::try_from(number) {
        Ok(number) if number < 26 => char::from(b'A' + number).into(),
        _ => (number + 1).to_string(),
    }
}

/// The table of some sides, of which the first has a number among all.
fn rows(sides: &[ComparedVariant], first: usize, chance: bool) -> Vec<Vec<String>> {
    let row = |label: &str, of: &dyn Fn(&ComparedVariant) -> String| -> Vec<String> {
        std::iter::once(label.to_string())
            .chain(sides.iter().map(of))
            .collect()
    };
    let or_dash = |number: Option<String>| number.unwrap_or_else(|| "-".into());
    let percent =
        |share: Option<f64>| or_dash(share.map(|share| format!("{:.1} %", 100.0 * share)));
    let share = |share: Option<Mean>| {
        or_dash(share.map(|share| {
            let hundredfold = Mean {
                mean: 100.0 * share.mean,
                error: share.error.map(|error| 100.0 * error),
            };
            format!("{} %", hundredfold.text(1, false))
        }))
    };
    let choices = |side: &ComparedVariant| side.profile.choices;
    let letters = (first..first + sides.len()).map(letter);
    let mut rows = vec![
        std::iter::once(String::new()).chain(letters).collect(),
        row("winner", &|side| {
            match side.odds() {
                Some(_) => "as chance has it",
                None => side.profile.winner().unwrap_or("unknown"),
            }
            .into()
        }),
        row("start, for the first player", &start),
    ];
    if chance {
        rows.push(row("  win, draw, loss", &|side| {
            or_dash(side.odds().map(|odds| {
                let shares = [odds.win, odds.draw.max(0.0), odds.loss].map(|share| 100.0 * share);
                format!("{:.2}, {:.2}, {:.2} %", shares[0], shares[1], shares[2])
            }))
        }));
    }
    rows.extend([
        row("unfinished positions", &|side| {
            grouped(side.profile.counts.total())
        }),
        row("drawn positions", &|side| grouped(side.profile.counts.draw)),
        row("only one move keeps the value", &|side| {
            or_dash(side.profile.only_moves.map(grouped))
        }),
        row("openings", &|side| match side.odds() {
            Some(_) => "-".into(),
            None => side.profile.openings.len().to_string(),
        }),
        row("openings that win", &|side| {
            percent(side.profile.winning_openings())
        }),
        row("openings that are mistakes", &|side| {
            or_dash(side.profile.opening_mistakes.map(grouped))
        }),
        row("longest game", &longest),
        row("longest distance", &|side| {
            or_dash(side.profile.longest_distance.map(|plies| plies.to_string()))
        }),
        row("length, both keeping the value", &|side| {
            or_dash(side.playouts[2].map(length))
        }),
        row("  its standard deviation", &|side| {
            let ends = side.playouts[2].filter(|playout| playout.broken_off == 0.0);
            or_dash(ends.map(|playout| format!("{:.1} plies", playout.spread)))
        }),
        row("moves in a position", &|side| {
            or_dash(choices(side).map(|choices| choices.branching.text(2, false)))
        }),
        row("every move is as good", &|side| {
            share(choices(side).and_then(|choices| choices.decided))
        }),
        row("moves that keep the value", &|side| {
            share(choices(side).and_then(|choices| choices.keeping))
        }),
        row("first player's lead, at random", &|side| {
            or_dash(side.playouts[0].map(|playout| playout.advantage.text(3, true)))
        }),
        row(&format!("  at random 1 turn in {SLIPS}"), &|side| {
            or_dash(side.playouts[1].map(|playout| playout.advantage.text(3, true)))
        }),
    ]);
    rows
}

fn with_chance(sides: &[ComparedVariant]) -> bool {
    sides.iter().any(|side| side.odds().is_some())
}

/// The figures side by side, below each other where they would be wider than a terminal.
fn table(sides: &[ComparedVariant]) -> String {
    const WIDTH: usize = 80;
    let chance = with_chance(sides);
    let of = |first: usize, end: usize| columns(&rows(&sides[first..end], first, chance), 2, &[]);
    let fits = |table: &str| table.lines().all(|line| line.chars().count() <= WIDTH);
    let (mut text, mut first) = (String::new(), 0);
    while first < sides.len() {
        // One at least, however wide.
        let ends = (first + 2..=sides.len()).take_while(|end| fits(&of(first, *end)));
        let end = ends.last().unwrap_or(first + 1);
        if first > 0 {
            text.push('\n');
        }
        text.push_str(&of(first, end));
        first = end;
    }
    text
}

fn picture(sides: &[ComparedVariant]) -> String {
    let mut text = String::new();
    for (number, side) in sides.iter().enumerate() {
        text.push_str(&title(&letter(number), side.variant.rules().title()));
    }
    text.push('\n');
    if let [a, b] = sides {
        for sentence in sentences(a, b) {
            text.push_str(&wrapped("- ", 2, &sentence));
        }
        text.push('\n');
    }
    text.push_str(&table(sides));
    if sides.iter().any(|side| side.playouts[0].is_some()) {
        text.push('\n');
        text.push_str(&wrapped("  ", 2, &lead(sides)));
    }
    if with_chance(sides) {
        let drawn = "Where counters are drawn a position has no distance, and the game no opening before the \
                     first draw.";
        text.push_str(&wrapped("  ", 2, drawn));
    }
    let [a, b] = sides else {
        return text;
    };
    let shares = shares(a, b);
    if !shares.is_empty() {
        let won = "Won for the player to move, of the unfinished positions:";
        text.push('\n');
        text.push_str(&wrapped("  ", 2, won));
        text.push_str(&columns(&shares, 2, &[0, 1, 2, 3, 4]));
    }
    text.push_str(&disagreeing(a, b));
    text.push_str(&changed_openings(a, b));
    text.push('\n');
    text.push_str(&letters(a, b));
    text
}

/// What a lead is, and of how many games it is estimated where it has an error.
fn lead(sides: &[ComparedVariant]) -> String {
    let sampled = sides.iter().filter_map(|side| side.playouts[0]?.games);
    let sampled: BTreeSet<u64> = sampled.collect();
    let sampled: Vec<String> = sampled.into_iter().map(grouped).collect();
    let lead = "Lead: wins minus losses a game, or points";
    if sampled.is_empty() {
        return format!("{lead}.");
    }
    let games = sampled.join(" or ");
    format!("{lead}; ± is two standard errors, of {games} sampled games.")
}

/// Openings that two games have and that change their value, if both have openings.
fn changed_openings(a: &ComparedVariant, b: &ComparedVariant) -> String {
    if [a, b].iter().any(|side| side.profile.openings.is_empty()) {
        return String::new();
    }
    let changed = a.profile.changed_openings(&b.profile);
    if changed.is_empty() {
        let none = "No opening that both have changes its value.";
        return format!("\n{}", wrapped("  ", 2, none));
    }
    let changes = "Openings that change value (for the player who makes the move):";
    let mut rows = vec![["", "A", "B"].map(String::from).to_vec()];
    rows.extend(changed.into_iter().map(|(a, b)| {
        let mv = if a.mv == b.mv {
            a.mv.clone()
        } else {
            format!("{}, {}", a.mv, b.mv)
        };
        let [a, b] = [a, b].map(|side| words::phrase(Language::English, &side.figures));
        vec![mv, a, b]
    }));
    format!("\n{}{}", wrapped("  ", 2, changes), columns(&rows, 4, &[]))
}

/// What the letters of positions and moves mean.
fn letters(a: &ComparedVariant, b: &ComparedVariant) -> String {
    let [of_a, of_b] = [a, b].map(|side| board::key_of(Language::English, &side.variant));
    if of_a == of_b {
        return wrapped("  ", 2, &of_a);
    }
    let of_each = format!("A: {of_a} B: {of_b} Positions are as A writes them.");
    wrapped("  ", 2, &of_each)
}

/// Positions of the first plies in which two games disagree.
fn disagreeing(a: &ComparedVariant, b: &ComparedVariant) -> String {
    const SHOWN: usize = 8;
    let found = disagreements(a, b);
    if found.is_empty() {
        return String::new();
    }
    let disagree = "Positions in which they disagree (for the player to move):";
    let mut text = format!("\n{}", wrapped("  ", 2, disagree));
    let mut rows = vec![["", "ply", "A", "B"].map(String::from).to_vec()];
    rows.extend(found.iter().take(SHOWN).map(|one| {
        vec![
            one.position.clone(),
            one.ply.to_string(),
            worth(&one.a),
            worth(&one.b),
        ]
    }));
    text.push_str(&columns(&rows, 4, &[1]));
    let more = found.len().saturating_sub(SHOWN);
    if more > 0 {
        let positions = counted(more as u64, "more position", "more positions");
        text.push_str(&format!(
            "    … {positions}; --json lists them, --html draws them\n"
        ));
    }
    text
}

/// The value of a position, in two or three words.
fn worth(worth: &Worth) -> String {
    match (worth.points, worth.value, worth.distance) {
        (Some(points), ..) => greenwave_game::counted_points(points).to_string(),
        (None, Some("draw"), _) => "draw".into(),
        (None, Some(value), Some(plies)) => format!("{value} in {plies}"),
        (None, Some(value), None) => value.into(),
        (None, None, _) => "unknown".into(),
    }
}

/// Some of the best moves.
fn few(moves: &[String]) -> String {
    const SHOWN: usize = 3;
    let more = if moves.len() > SHOWN { " …" } else { "" };
    let shown: Vec<&str> = moves.iter().take(SHOWN).map(String::as_str).collect();
    shown.join(" ") + more
}

/// Sentences and pictures for the web page of two variants.
fn report(sides: &[ComparedVariant]) -> String {
    const DRAWN: usize = 12;
    let [a, b] = sides else {
        return String::new();
    };
    let [of_a, of_b] = [a, b].map(|side| escaped(side.variant.rules().title()));
    let mut html = format!("<p>A: {of_a}<br>B: {of_b}</p>\n<h2>What B changes</h2>\n<ul>\n");
    for sentence in sentences(a, b) {
        let _ = writeln!(html, "<li>{}</li>", escaped(&sentence));
    }
    html.push_str("</ul>\n");
    let found = disagreements(a, b);
    if found.is_empty() {
        return html;
    }
    html.push_str("<h2>Positions in which they disagree</h2>\n<div class=\"positions\">\n");
    for one in found.iter().take(DRAWN) {
        let Ok(position) = a.variant.parse_position(&one.position) else {
            continue;
        };
        let diagram = a.variant.diagram(&position);
        let picture = board::printed(Language::English, &diagram, &one.position);
        let _ = writeln!(
            html,
            "<figure>{picture}<figcaption>{}: A {}, B {}; best in A {}, in B {}</figcaption></figure>",
            escaped(&one.position),
            worth(&one.a),
            worth(&one.b),
            escaped(&few(&one.a.best)),
            escaped(&few(&one.b.best))
        );
    }
    html.push_str("</div>\n<p>Values are for the player to move.</p>\n");
    html
}

/// The name of a side, in lines of at most 80 columns as far as it has commas.
fn title(letter: &str, name: &str) -> String {
    const WIDTH: usize = 80;
    let mut text = String::new();
    let mut line = format!("{letter}  ");
    for part in name.split_inclusive(',') {
        if line.len() + part.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = "   ".into();
        }
        line.push_str(part);
    }
    text.push_str(&line);
    text.push('\n');
    text
}

/// Shares of won positions by level sum; nothing where neither side tells them.
fn shares(a: &ComparedVariant, b: &ComparedVariant) -> Vec<Vec<String>> {
    let plies = a.profile.by_ply.len().max(b.profile.by_ply.len());
    if plies == 0 {
        return Vec::new();
    }
    let heads = ["level sum", "A won", "of", "B won", "of"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for ply in 0..plies {
        let counts = [a, b].map(|side| side.profile.by_ply.get(ply).copied().unwrap_or_default());
        if counts.iter().all(|count| count.total() == 0) {
            continue;
        }
        let mut row = vec![ply.to_string()];
        for count in counts {
            match count.won_share() {
                Some(share) => {
                    row.extend([format!("{:.1} %", 100.0 * share), grouped(count.total())]);
                }
                None => row.extend(["-".into(), "-".into()]),
            }
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_at_commas() {
        assert_eq!(title("B", "classic-3x3"), "B  classic-3x3\n");
        let name = "slider:four=once,score=win,turn=yes,sides=adjacent,null=forbidden,empty-strip=forbidden";
        let expected = "A  slider:four=once,score=win,turn=yes,sides=adjacent,null=forbidden,\n   \
                        empty-strip=forbidden\n";
        assert_eq!(title("A", name), expected);
    }
}
