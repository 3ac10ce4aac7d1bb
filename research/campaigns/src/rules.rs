//! Random rule files, and random options of the built-in families: solved, written, read back and
//! verified, and every value compared with the brute force.

use std::collections::BTreeMap;
use std::path::Path;

use greenwave_game::{
    Advance, Dense, FAMILIES, Figures, Game, Luck, Metric, Numbering, RuleFile, Variant,
    VariantError, with_game,
};
use greenwave_probe::{verify, verify_odds};
use greenwave_solver::{Product, Task, sweep::Kernel};
use greenwave_table::Table;
use greenwave_testkit::{
    ExactReference, Graph, Reference, Ruling, SeededNumbers, WrittenGame, disagreement, held_by,
    laws, rule_file,
};
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
        let text = if named {
            name(&mut seeded)
        } else {
            rule_file(&mut seeded)
        };
        let read = if named {
            Variant::parse(&text)
        } else {
            RuleFile::parse("random.toml", &text).map(|file| file.variant)
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
    let small = with_game!(variant, game => is_small(game));
    if !small {
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
        let told = told(variant, text, report);
        with_game!(variant, game => figures(game, variant, &told, folder)?)
    };
    report.count(if named {
        "names with options, all values compared"
    } else {
        "rule files, all values compared"
    });
    report.add("values compared", compared);
    Ok(())
}

// All positions of a rule file by a reading of the text alone, where that knows all of its keys and they
// are not too many.
fn told(variant: &Variant, text: &str, report: &mut Report) -> BTreeMap<String, Ruling> {
    let is_file = RuleFile::parse("random.toml", text).is_ok();
    let is_board = variant.as_board().is_some() || variant.as_memory().is_some();
    if !is_file || !is_board {
        return BTreeMap::new();
    }
    let told = WrittenGame::read(text).positions(MOST).unwrap_or_default();
    report.add("positions read from the text alone", told.len() as u64);
    told
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
        quick: false,
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

fn figures<G: Dense>(
    game: &G,
    variant: &Variant,
    told: &BTreeMap<String, Ruling>,
    folder: &Path,
) -> Result<u64, String> {
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
        if let Some(found) = disagreement(told, game, metric, |at| loaded.figures_of(game, at)) {
            return Err(format!("{metric}: {found}"));
        }
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
fn name(seeded: &mut SeededNumbers) -> String {
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
            let allowed = setting.allowed.to_string();
            let allowed: Vec<&str> = allowed.split(", ").chain(more.split(", ")).collect();
            options.push(format!("{}={}", spec.key, seeded.pick(&allowed)));
        }
    }
    if options.is_empty() {
        base
    } else {
        format!("{base}:{}", options.join(","))
    }
}

fn number(seeded: &mut SeededNumbers) -> u64 {
    1 + seeded.below(9)
}
