//! Random rule files, and random options of the built-in families: solved, written, read back and
//! verified, and every value compared with the brute force.

use std::path::Path;

use greenwave_game::{
    Advance, Dense, FAMILIES, Figures, Game, Luck, Metric, Numbering, RuleFile, Variant,
    VariantError, with_game,
};
use greenwave_probe::{verify, verify_odds};
use greenwave_solver::{Product, Task, sweep::Kernel};
use greenwave_table::Table;
use greenwave_testkit::{ExactReference, Graph, Reference, Seeded, held_by, laws};
use greenwave_values::{OddsByIndex, OddsTable, Silent, TableValues, ValueSource};

use crate::{Extent, Report};

/// Positions of the largest game that is solved by brute force.
const MOST: usize = 1 << 16;

/// Runs the campaign.
///
/// # Panics
/// When there is no temporary folder.
#[must_use]
pub fn run(extent: Extent) -> Report {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut report = Report::default();
    for case in extent.cases() {
        let mut seeded = extent.seeded(case);
        let named = seeded.below(5) == 0;
        let text = match named {
            true => name(&mut seeded),
            false => rule_file(&mut seeded),
        };
        let read = match named {
            true => Variant::parse(&text),
            false => RuleFile::parse("random.toml", &text).map(|file| file.variant),
        };
        let seed = extent.seed;
        report.case(
            &format!("case {case} of seed {seed}: {text:?}"),
            |report| match read {
                Ok(variant) => settle(&variant, &text, named, folder.path(), report),
                Err(error) => {
                    report.count(if named {
                        "names refused"
                    } else {
                        "rule files refused"
                    });
                    refused(&error)
                }
            },
        );
    }
    report
}

// A refusal says more than that there is one.
fn refused(error: &VariantError) -> Result<(), String> {
    let text = error.to_string();
    if text.len() < 20 {
        return Err(format!("refused with nothing but '{text}'"));
    }
    Ok(())
}

fn settle(
    variant: &Variant,
    text: &str,
    named: bool,
    folder: &Path,
    report: &mut Report,
) -> Result<(), String> {
    let told = with_game!(variant, game => is_small(game));
    if !told {
        report.count("too large for the brute force");
        return Ok(());
    }
    if !named {
        // Rules said back are the rules.
        let again = RuleFile::parse("random.toml", text).map(|file| file.variant.rules().hash);
        if again != Ok(variant.rules().hash) {
            return Err("read again it has another hash".into());
        }
        if let Some(broken) = laws::of_rule_file(variant).first() {
            return Err(broken.to_string());
        }
    }
    let compared = if let Some(game) = variant.as_bag() {
        odds(game, variant, folder)?
    } else if variant.rules().properties.luck == Luck::Draws {
        0
    } else {
        with_game!(variant, game => figures(game, variant, folder)?)
    };
    report.count(if named {
        "names with options, all values compared"
    } else {
        "rule files, all values compared"
    });
    report.add("values compared", compared);
    Ok(())
}

fn is_small<G: Dense>(game: &G) -> bool {
    let bag = game.rules().properties.luck == Luck::Draws;
    // Of a bag game all hands on 64 boards; lists are as long as their brute force finds.
    let most = if bag { 40_000 } else { 4 * MOST as u128 };
    game.expected_positions() <= most
}

// Solves with the engine of choice and writes a table.
fn solved(variant: &Variant, metric: Metric, path: &Path) -> Result<Table, String> {
    let task = |wanted| Task {
        variant,
        metric,
        kernel: Kernel::best(),
        memory: 1 << 30,
        wanted,
        checkpoint: None,
        scratch: None,
    };
    let fails = |error: greenwave_solver::SolveError| format!("{metric}: {error}");
    let run = |wanted| task(wanted).plan().and_then(|planned| planned.run(&Silent));
    let done = run(Product::Table(path.to_owned())).map_err(fails)?;
    let table = Table::open(path).map_err(|error| format!("{metric}: {error}"))?;
    let counted = run(Product::Counts).map_err(fails)?;
    let kept = &table.meta().summary;
    // Counts alone do not ask for the longest play everywhere.
    let same = (&counted.summary.by_value, &counted.summary.histogram)
        == (&kept.by_value, &kept.histogram)
        && counted.summary.openings == kept.openings
        && counted.summary.start == kept.start
        && Some(table.meta().signature) == done.signature;
    if !same {
        return Err(format!(
            "{metric}: the table says {kept:?}, counts alone {:?}",
            counted.summary
        ));
    }
    Ok(table)
}

fn figures<G: Dense>(game: &G, variant: &Variant, folder: &Path) -> Result<u64, String> {
    let rules = game.rules();
    let mut known: Vec<(G::Position, Figures)> = Vec::new();
    let legal = || (0..game.indexable() as u64).filter_map(|index| game.at(index));
    if rules.properties.advance == Advance::Repeats {
        let roots: Vec<G::Position> = match game.numbering() {
            Numbering::Listed => vec![game.start()],
            Numbering::Dense | Numbering::Rows(_) => legal().collect(),
        };
        // Every side of a strip lies below the positions with the strip at the east.
        let Ok(graph) = Graph::below(game, roots, 16 * MOST) else {
            return Ok(0);
        };
        known.extend(
            graph
                .verdicts()
                .map(|(position, verdict)| (*position, verdict.figures())),
        );
    } else {
        let mut reference = Reference::new(game).map_err(|why| format!("{why:?}"))?;
        known.extend(legal().map(|position| (position, reference.figures(&position))));
    }
    let mut compared = 0;
    for metric in rules.metrics.iter().copied() {
        let path = folder.join("values.gwt");
        let table = solved(variant, metric, &path)?;
        let source = TableValues::new(game, &table).map_err(|error| error.to_string())?;
        let loaded = source.load().map_err(|error| error.to_string())?;
        for (number, (position, figures)) in known.iter().enumerate() {
            let expected = held_by(metric, *figures);
            let found = loaded.figures_of(game, position);
            let wrong = |what: &str, found: Figures| {
                let text = game.position_text(position);
                Err(format!(
                    "{metric} of {text}: {what} {found:?}, by brute force {expected:?}"
                ))
            };
            if found != expected {
                return wrong("solved", found);
            }
            if number % 97 == 0 {
                let probed = source
                    .figures(position)
                    .map_err(|error| error.to_string())?;
                if probed != expected {
                    return wrong("probed", probed);
                }
            }
        }
        let verified = verify(&source, game, &|_| ()).map_err(|error| error.to_string())?;
        if verified.mismatches > 0 {
            return Err(format!("{metric}: verify says {:?}", verified.first));
        }
        compared += known.len() as u64;
    }
    Ok(compared)
}

fn odds(
    game: &greenwave_game::BagGame<greenwave_game::BoardGame>,
    variant: &Variant,
    folder: &Path,
) -> Result<u64, String> {
    let path = folder.join("odds.gwt");
    let table = solved(variant, Metric::Odds, &path)?;
    let table = OddsTable::new(game, table).map_err(|error| error.to_string())?;
    let loaded = table.load().map_err(|error| error.to_string())?;
    let mut reference = ExactReference::new(game).ok_or("has cycles")?;
    let values = greenwave_values::Values::Rows(loaded);
    let mut compared = 0;
    // The brute force in fractions is slow: every seventh board's hands, and the start.
    for index in (0..game.indexable() as u64).step_by(7) {
        let Some(position) = game.at(index) else {
            continue;
        };
        if game.ending(&position).is_some() {
            continue;
        }
        let exact = reference.odds(&position).expectation.rounded();
        let found = values.figures(index).odds.map(|odds| odds.expectation);
        let bound = OddsTable::worst_error(exact) + 1e-12;
        if found.is_none_or(|found| (found - exact).abs() > bound) {
            let text = game.position_text(&position);
            return Err(format!("odds of {text}: {found:?}, exactly {exact}"));
        }
        compared += 1;
    }
    let start = reference.odds(&game.start()).expectation.rounded();
    let found = table.start().map(|odds| odds.expectation);
    if found.is_none_or(|found| (found - start).abs() > 1e-12) {
        return Err(format!("odds of the start: {found:?}, exactly {start}"));
    }
    let verified = verify_odds(&table, game, &|_| ()).map_err(|error| error.to_string())?;
    if verified.mismatches > 0 {
        return Err(format!("verify says {:?}", verified.first));
    }
    Ok(compared)
}

// A small game of a family with some of its options.
fn name(seeded: &mut Seeded) -> String {
    let sizes = [
        "1x2", "2x1", "1x3", "3x1", "1x4", "2x2", "1x5", "2x3", "3x2", "1x6", "1x7",
    ];
    let family = seeded.pick(FAMILIES);
    let base = match family.name {
        "ampel" => seeded
            .pick(&["ampel-4-1-1", "ampel-4-2-1", "ampel-4-1-2"])
            .to_string(),
        "bag" => format!(
            "bag-{}-{}",
            seeded.pick(&["classic", "signal", "green", "points"]),
            seeded.pick(&["1x3", "3x1", "1x2"])
        ),
        "noughts" => format!("noughts-{}", seeded.pick(&["1x3", "2x3", "3x3", "2x4"])),
        // Of one size, which is too large.
        "slider" | "strip" => format!("classic-{}", seeded.pick(&sizes)),
        other => format!("{other}-{}", seeded.pick(&sizes)),
    };
    let mut options: Vec<String> = Vec::new();
    if let Ok(variant) = Variant::parse(&base) {
        let rules = variant.rules();
        for (spec, setting) in rules.family.options.iter().zip(&rules.options) {
            if seeded.below(3) > 0 {
                continue;
            }
            let more = format!(
                "cap{}, pool{}, {}",
                number(seeded),
                number(seeded),
                number(seeded)
            );
            let allowed: Vec<&str> = setting
                .allowed
                .split(", ")
                .chain(more.split(", "))
                .collect();
            options.push(format!("{}={}", spec.key, seeded.pick(&allowed)));
        }
    }
    match options.is_empty() {
        true => base,
        false => format!("{base}:{}", options.join(",")),
    }
}

fn number(seeded: &mut Seeded) -> u64 {
    1 + seeded.below(9)
}

// The text of a rule file; now and then one that describes no game.
fn rule_file(seeded: &mut Seeded) -> String {
    let kind = seeded.below(30);
    let (bag, strip) = (kind == 0, (1..6).contains(&kind));
    let levels = if bag { 3 } else { 1 + seeded.below(3) };
    let length = match strip {
        true => 1 + seeded.below(2),
        false => 1 + seeded.below(4),
    };
    let scored = seeded.below(3) == 0;
    let mut text = String::new();
    let patterns = patterns(seeded, length, levels);
    let listed = |pattern: &String, points: u64| match scored {
        true => format!("{pattern} = {points}"),
        false => format!("'{pattern}'"),
    };
    let entries: Vec<String> = patterns
        .iter()
        .map(|pattern| listed(pattern, 1 + seeded.below(9)))
        .collect();
    let (open, close) = if scored { ('{', '}') } else { ('[', ']') };
    text += &format!("patterns = {open} {} {close}\n", entries.join(", "));
    if scored {
        text += "play = 'points'\n";
        if seeded.below(3) == 0 {
            text += "end = 'play-on'\n";
        }
        if seeded.below(3) == 0 {
            text += "four = 'once'\n";
        }
    } else if seeded.below(3) == 0 {
        text += "play = 'misere'\n";
    }
    if seeded.below(3) == 0 && !bag {
        let kind = seeded.pick(&["cap", "pool"]);
        text += &format!("supply = '{kind}{}'\n", number(seeded));
    }
    if seeded.below(3) == 0 && !scored && !bag {
        let stalemate = seeded.pick(&["draw", "loss", "pass"]);
        text += &format!("stalemate = '{stalemate}'\n");
    }
    let rows = board(seeded, bag, strip, levels);
    let beginning = if bag || strip {
        String::new()
    } else {
        beginning(seeded, &rows)
    };
    text += &beginning;
    text += "[board]\n";
    text += &written(seeded, &rows);
    if !bag && !strip {
        text += &lines_and_tops(seeded, &rows, levels);
    }
    text += &format!("line-length = {length}\n");
    if levels < 3 || seeded.below(2) == 0 {
        text += &format!("levels = {levels}\n");
    }
    if strip {
        text += "[strip]\n";
        for (key, values) in [
            ("turn", ["yes", "no"]),
            ("sides", ["any", "adjacent"]),
            ("null", ["allowed", "forbidden"]),
            ("empty-strip", ["allowed", "forbidden"]),
            ("repeat", ["draw", "ban"]),
        ] {
            if seeded.below(2) == 0 {
                text += &format!("{key} = '{}'\n", seeded.pick(&values));
            }
        }
    }
    if bag {
        text += "[bag]\n";
        if seeded.below(2) == 0 {
            text += &format!("counters = {}\n", 4 + seeded.below(3));
        }
        if seeded.below(3) == 0 {
            text += "choice = 3\n";
        }
        if seeded.below(3) == 0 {
            text += "return = 'after'\n";
        }
    }
    text
}

// One to five patterns; none of them is another one backwards.
fn patterns(seeded: &mut Seeded, length: u64, levels: u64) -> Vec<String> {
    let mut patterns: Vec<String> = Vec::new();
    for _ in 0..1 + seeded.below(5) {
        let equal = seeded.below(2) == 0;
        let level = 1 + seeded.below(levels);
        let digits = (0..length).map(|_| {
            if equal {
                level
            } else {
                1 + seeded.below(levels)
            }
        });
        let pattern: String = digits.map(|digit| digit.to_string()).collect();
        let back: String = pattern.chars().rev().collect();
        if !patterns.contains(&pattern) && !patterns.contains(&back) {
            patterns.push(pattern);
        }
    }
    if seeded.below(60) == 0 {
        patterns.push("1".repeat(length as usize + 1));
    }
    patterns
}

fn board(seeded: &mut Seeded, bag: bool, strip: bool, levels: u64) -> Vec<String> {
    let full = |size: &str| {
        let (ranks, files) = size.split_once('x').unwrap_or(("1", "1"));
        let files: usize = files.parse().unwrap_or(1);
        vec!["#".repeat(files); ranks.parse().unwrap_or(1)]
    };
    if bag {
        return full(seeded.pick(&["1x3", "3x1", "1x2"]));
    }
    if strip {
        return full(seeded.pick(&["2x2", "2x2", "1x1"]));
    }
    // As many squares as the brute force takes in its stride.
    let most = match levels {
        1 => 8,
        2 => 7,
        _ => 6,
    };
    loop {
        let (ranks, files) = (1 + seeded.below(4), 1 + seeded.below(most));
        if ranks * files > most + 3 {
            continue;
        }
        if seeded.below(2) == 0 && ranks * files <= most {
            return full(&format!("{ranks}x{files}"));
        }
        let gap = 1 + seeded.below(4);
        let rows: Vec<String> = (0..ranks)
            .map(|_| {
                let square = |_| if seeded.below(5) < gap { '-' } else { '#' };
                (0..files).map(square).collect()
            })
            .collect();
        let squares = rows.concat().matches('#').count() as u64;
        if squares > 0 && squares <= most {
            return rows;
        }
    }
}

// The squares of a board, by its size where it has no gaps.
fn written(seeded: &mut Seeded, rows: &[String]) -> String {
    if rows.concat().contains('-') || seeded.below(8) == 0 {
        return format!("outline = '{}'\n", rows.join("/"));
    }
    format!("size = '{}x{}'\n", rows.len(), rows[0].len())
}

// Other lines than straight ones, edges that are joined, squares that go less high than others.
fn lines_and_tops(seeded: &mut Seeded, rows: &[String], levels: u64) -> String {
    let mut text = String::new();
    if seeded.below(4) == 0 {
        let all = ["'rank'", "'file'", "'diagonal'"];
        let some: Vec<&str> = all.into_iter().filter(|_| seeded.below(2) == 0).collect();
        text += &format!("directions = [{}]\n", some.join(", "));
    }
    if seeded.below(4) == 0 {
        text += &format!(
            "wrap = '{}'\n",
            seeded.pick(&["none", "files", "ranks", "both"])
        );
    }
    if seeded.below(4) == 0 {
        text += &format!("grid = '{}'\n", seeded.pick(&["square", "hex"]));
    }
    if seeded.below(4) == 0 {
        let figures = ["##/##", "##/#-", "#-#", "##", "-#/#-", "#"];
        text += &format!("shapes = ['{}']\n", seeded.pick(&figures));
        if seeded.below(2) == 0 {
            text += "shapes-turn = false\n";
        }
    }
    if seeded.below(4) == 0 {
        text += &format!("top = '{}'\n", filled(rows, || seeded.below(levels + 1)));
    }
    text
}

// How the game begins: rows with few lights, and squares that are barred.
fn beginning(seeded: &mut Seeded, rows: &[String]) -> String {
    let mut text = String::new();
    if seeded.below(5) == 0 {
        let light = || if seeded.below(4) == 0 { 1 } else { 0 };
        text += &format!("start = '{}'\n", filled(rows, light));
    }
    if seeded.below(5) == 0 {
        let name = |file: usize, rank: usize| {
            let file = char::from(b'a' + file as u8);
            format!("'{file}{}'", rank + 1)
        };
        let squares = rows.iter().rev().enumerate().flat_map(|(rank, row)| {
            let marked = row.char_indices().filter(|(_, letter)| *letter == '#');
            marked.map(move |(file, _)| name(file, rank))
        });
        let barred: Vec<String> = squares.filter(|_| seeded.below(3) == 0).collect();
        text += &format!("not-first = [{}]\n", barred.join(", "));
    }
    text
}

// Rows with a digit on each square.
fn filled(rows: &[String], mut digit: impl FnMut() -> u64) -> String {
    let mut row = |row: &String| -> String {
        let letter = |letter| match letter {
            '-' => "-".to_string(),
            _ => digit().to_string(),
        };
        row.chars().map(letter).collect()
    };
    rows.iter().map(&mut row).collect::<Vec<_>>().join("/")
}
