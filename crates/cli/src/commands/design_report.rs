//! What `design` writes for spreadsheets and browsers.

use std::fmt::Write;

use greenwave_design::{Combination, DesignTable, MeasuredGame, RuleFamily};
use greenwave_picture::escaped;

use crate::output::csv as rows;

type Column = (&'static str, fn(&MeasuredGame) -> String);

/// A number that is not always there.
fn plain<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// The report on each set of rules.
const COLUMNS: [Column; 20] = [
    ("winner", |found| found.winner.clone()),
    ("value", |found| found.value.clone()),
    ("distance", |found| plain(found.distance)),
    ("points", |found| plain(found.points)),
    ("winning_openings", |found| {
        found.measures.winning_openings.to_string()
    }),
    ("balance_weak", |found| {
        found.measures.balance_weak.to_string()
    }),
    ("balance_medium", |found| {
        found.measures.balance_medium.to_string()
    }),
    ("balance_strong", |found| {
        found.measures.balance_strong.to_string()
    }),
    ("balance_pie", |found| {
        found.measures.balance_pie.to_string()
    }),
    ("drama", |found| found.measures.drama.to_string()),
    ("only_moves", |found| found.measures.only_moves.to_string()),
    ("length", |found| found.measures.length.to_string()),
    ("length_spread", |found| {
        found.measures.length_spread.to_string()
    }),
    ("draws", |found| found.measures.draws.to_string()),
    ("puzzles_1", |found| found.measures.puzzles[0].to_string()),
    ("puzzles_2", |found| found.measures.puzzles[1].to_string()),
    ("puzzles_3", |found| found.measures.puzzles[2].to_string()),
    ("puzzles_4", |found| found.measures.puzzles[3].to_string()),
    ("puzzles_5", |found| found.measures.puzzles[4].to_string()),
    ("strategy_words", |found| {
        plain(found.measures.strategy_words)
    }),
];

/// A header and a row for each set of rules, the refused ones last, with what is wrong with them.
pub(super) fn csv(family: &RuleFamily, table: &DesignTable) -> String {
    let keys = family.keys();
    let heads = ["rank", "pareto", "name"].into_iter().chain(keys);
    let heads = heads.chain(COLUMNS.map(|(name, _)| name));
    let mut text = rows::row(heads.chain(["rules", "words", "error", "lights"])) + "\n";
    let mut put = |combination: &Combination,
                   begin: [String; 2],
                   figures: [String; COLUMNS.len()],
                   end: [String; 3]| {
        let settings = combination.settings.iter().map(|(_, value)| value.clone());
        let cells: Vec<String> = begin
            .into_iter()
            .chain([combination.name.clone()])
            .chain(settings)
            .chain(figures)
            .chain([combination.text()])
            .chain(end)
            .collect();
        text.push_str(&(rows::row(cells.iter().map(String::as_str)) + "\n"));
    };
    for row in &table.rows {
        put(
            &row.combination,
            [row.rank.to_string(), row.pareto.to_string()],
            COLUMNS.map(|(_, of)| of(&row.measured)),
            [
                row.words.clone(),
                String::new(),
                row.variant.rules().lights_name().unwrap_or_default().into(),
            ],
        );
    }
    for refused in &table.refused {
        put(
            &refused.combination,
            [String::new(), String::new()],
            COLUMNS.map(|_| String::new()),
            [String::new(), refused.error.clone(), String::new()],
        );
    }
    text
}

/// A web page of one file: the table, and each set of rules with its rule file and its rules in words.
pub(super) fn page(family: &RuleFamily, table: &DesignTable, rank: &str) -> String {
    let title = format!("{}: rules side by side", escaped(family.stem()));
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>\nbody {{ font: 1rem sans-serif; \
         margin: 2rem auto; max-width: 90rem; padding: 0 1rem; color: #1c1c1c; background: #fff }}\n\
         .wide {{ overflow-x: auto }} table {{ border-collapse: collapse }} th, td {{ border: 1px solid #999; \
         padding: .25rem .5rem; text-align: right; white-space: nowrap }} th {{ text-align: left }} tr.front \
         {{ background: #eef6ee }} pre {{ overflow-x: auto }} summary {{ cursor: pointer }}\n</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p>Ordered by {}. Rows with a star are on the front: no other set of rules \
         is as good in all of these and better in one. Balances are the first player's share of wins less the \
         second's.</p>\n<div class=\"wide\">\n<table>\n<tr><th scope=\"col\">rank</th><th scope=\"col\">front</th>\
         <th scope=\"col\">name</th>",
        escaped(rank)
    );
    let heads = family.keys().into_iter().map(str::to_string);
    for head in heads.chain(COLUMNS.map(|(name, _)| name.replace('_', " "))) {
        let _ = write!(text, "<th scope=\"col\">{}</th>", escaped(&head));
    }
    text.push_str("</tr>\n");
    for row in &table.rows {
        let (class, star) = if row.pareto {
            (" class=\"front\"", "★")
        } else {
            ("", "")
        };
        let name = escaped(&row.combination.name);
        let _ = write!(
            text,
            "<tr{class}><td>{}</td><td>{star}</td><th scope=\"row\"><a href=\"#{name}\">{name}</a></th>",
            row.rank
        );
        let settings = row
            .combination
            .settings
            .iter()
            .map(|(_, value)| value.clone());
        for cell in settings.chain(COLUMNS.map(|(_, of)| of(&row.measured))) {
            let _ = write!(text, "<td>{}</td>", escaped(&cell));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table>\n</div>\n<h2>The rules of each</h2>\n");
    for row in &table.rows {
        let name = escaped(&row.combination.name);
        let _ = writeln!(
            text,
            "<details id=\"{name}\"><summary>{name}</summary>\n<p>{}</p>\n<pre>{}</pre>\n</details>",
            escaped(&row.words),
            escaped(&row.combination.text())
        );
    }
    if !table.refused.is_empty() {
        text.push_str("<h2>Not measured</h2>\n<ul>\n");
        for (sets, error) in super::design::by_reason(&table.refused) {
            let _ = writeln!(text, "<li>{}: {}</li>", escaped(&sets), escaped(error));
        }
        text.push_str("</ul>\n");
    }
    text.push_str("</body>\n</html>\n");
    text
}
