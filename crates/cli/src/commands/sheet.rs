//! `sheet`: prints the material of a lesson: rules, puzzles by level, boards, counters, solutions.

use anyhow::Result;
use greenwave_game::{Luck, Variant};
use greenwave_play::{
    CounterKind, EmptyBoards, Puzzle, PuzzleOptions, counter_kinds, no_puzzles, puzzles, sheet_task,
};
use greenwave_tablebase::Reservation;
use greenwave_words::Language;

use crate::args::{SheetArgs, Solutions};
use crate::output::board::printed;
use crate::output::sheet::{Frame, Paper, Sheet, TEXT, length};
use crate::output::{PageAndPicture, print_all, print_json};
use crate::session::{CommandVerdict, Session};

/// All levels of puzzles.
const LEVELS: [u8; 5] = [1, 2, 3, 4, 5];
pub(super) fn run(session: &Session, args: &SheetArgs) -> Result<CommandVerdict> {
    let variant = session.variant(&args.variant)?;
    let files = PageAndPicture::new(
        args.html.as_deref(),
        args.svg.as_deref(),
        session.json,
        "--html, --svg and --json",
    )?;
    let groups = groups(session, args, &variant)?;
    let words = session.language;
    let title = words.with("sheet-title", words.named_game(variant.rules().title()));
    let puzzles = groups.iter().flat_map(|group| &group.puzzles);
    let _room = room_for(session, &variant, puzzles)?;
    let mut sheet = Sheet::new(words, args.paper, &title);
    rules_page(&mut sheet, words, &variant);
    puzzle_pages(&mut sheet, words, &variant, &groups);
    board_page(&mut sheet, words, &variant);
    counter_pages(&mut sheet, words, &variant);
    if args.solutions.unwrap_or_default() == Solutions::End {
        solution_page(&mut sheet, words, &groups);
    }
    files.write(session, || sheet.html(), || sheet.svg())?;
    if session.json {
        for puzzle in groups.iter().flat_map(|group| &group.puzzles) {
            print_json(puzzle)?;
        }
    } else if files.is_empty() {
        print_all(&sheet.html())?;
    }
    Ok(CommandVerdict::Done)
}

/// Puzzles of one level, under a heading.
pub(super) struct Group {
    pub(super) heading: String,
    pub(super) puzzles: Vec<Puzzle>,
}

/// The puzzles of a sheet: of one level, or of each that the game has.
fn groups(session: &Session, args: &SheetArgs, variant: &Variant) -> Result<Vec<Group>> {
    let rules = variant.rules();
    let mut groups = Vec::new();
    let mut are_all = true;
    if rules.properties.luck == Luck::None {
        for level in LEVELS
            .into_iter()
            .filter(|level| args.level.is_none_or(|one| one == *level))
        {
            let options = PuzzleOptions {
                count: args.count,
                seed: args.seed,
                level: Some(level),
                theme: None,
            };
            let found = puzzles(&session.tablebase, variant, &options)?;
            are_all &= found.are_all;
            if !found.is_empty() {
                groups.push(Group {
                    heading: session.language.text(about_level(level)).into(),
                    puzzles: found.to_vec(),
                });
            }
        }
    }
    if groups.is_empty() {
        let why = no_puzzles(rules, args.level, None, are_all);
        session.remark(&format!(
            "greenwave: {why}; the sheet has rules, boards and counters alone"
        ));
    }
    Ok(groups)
}

/// The key of what a level asks for.
pub(super) fn about_level(level: u8) -> &'static str {
    match level {
        0 | 1 => "about-level-1",
        2 => "about-level-2",
        3 => "about-level-3",
        4 => "about-level-4",
        _ => "about-level-5",
    }
}

/// The rules in sentences.
fn rules_page(sheet: &mut Sheet, words: Language, variant: &Variant) {
    let name = words.named_game(variant.rules().title());
    sheet.page(&format!("{name}: {}", words.text("rules")));
    for sentence in words.rules(variant) {
        sheet.paragraph(&format!("\u{2022} {sentence}"));
    }
    sheet.paragraph(&crate::output::board::key_of(words, variant));
}

/// Puzzles, six on a page, numbered through, each with a line for the answer.
pub(super) fn puzzle_pages(
    sheet: &mut Sheet,
    words: Language,
    variant: &Variant,
    groups: &[Group],
) {
    const ROWS: f64 = 3.0;
    const BELOW: f64 = 15.0;
    let mut number = 0;
    for group in groups {
        let mut rest = &group.puzzles[..];
        while !rest.is_empty() {
            sheet.page(&group.heading);
            sheet.name_and_date();
            sheet.paragraph(&sheet_task(words, variant, &group.puzzles, str::to_string));
            let frames = sheet.frames(2, sheet.room() / ROWS);
            let (here, later) = rest.split_at(rest.len().min(frames.len()));
            rest = later;
            for (puzzle, frame) in here.iter().zip(frames) {
                number += 1;
                let diagram = puzzle.diagram(variant);
                let task = format!("{number}. {}", puzzle.task(words, variant));
                sheet.picture(&printed(words, &diagram, &task), frame, BELOW);
                let base = frame.y + frame.height;
                sheet.text((frame.x, base - 8.5), TEXT, true, &task);
                let answer = words.text("sheet-answer");
                sheet.text((frame.x, base - 1.0), TEXT, false, answer);
                let from = frame.x + length(answer);
                sheet.rule_at(from, frame.x + frame.width, base - 0.2);
            }
        }
    }
}

/// Solutions of all puzzles, on a page of their own.
pub(super) fn solution_page(sheet: &mut Sheet, words: Language, groups: &[Group]) {
    if groups.is_empty() {
        return;
    }
    sheet.page(words.text("solutions"));
    sheet.paragraph(words.text("sheet-solutions"));
    let puzzles = groups.iter().flat_map(|group| &group.puzzles);
    for (number, puzzle) in puzzles.enumerate() {
        let (number, moves) = ((number + 1).to_string(), puzzle.solution.join(" "));
        let solution = puzzle.solution.first();
        let others = puzzle.keeps.iter().filter(|mv| Some(*mv) != solution);
        let others: Vec<&str> = others.map(String::as_str).collect();
        let others = others.join(" ");
        let fillings = [
            ("number", number.as_str()),
            ("moves", &moves),
            ("others", &others),
        ];
        let key = if others.is_empty() {
            "sheet-solution"
        } else {
            "sheet-also"
        };
        sheet.item(&words.filled(key, &fillings));
    }
}

/// Empty boards, large enough to put counters on.
fn board_page(sheet: &mut Sheet, words: Language, variant: &Variant) {
    let boards = EmptyBoards::of(variant);
    sheet.page(words.text("sheet-boards"));
    let board = printed(words, &boards.diagram, words.text("board"));
    for frame in sheet.frames(boards.columns, sheet.room() / boards.rows as f64) {
        sheet.picture(&board, frame, 0.0);
    }
}

/// Counters to cut out.
fn counter_pages(sheet: &mut Sheet, words: Language, variant: &Variant) {
    const COLUMNS: usize = 8;
    const ROW: f64 = 23.0;
    let kinds = counter_kinds(variant);
    let mut counters = kinds
        .iter()
        .flat_map(|kind| (0..kind.count).map(move |_| kind));
    let mut next = counters.next();
    while next.is_some() {
        sheet.page(words.text("sheet-counters"));
        for frame in sheet.frames(COLUMNS, ROW) {
            let Some(kind) = next else { break };
            counter(sheet, words, kind, frame);
            next = counters.next();
        }
    }
}

fn counter(sheet: &mut Sheet, words: Language, kind: &CounterKind, frame: Frame) {
    let radius = frame.width.min(frame.height) / 2.0;
    let (x, y) = (frame.x + frame.width / 2.0, frame.y + radius);
    let fill = match kind.letter {
        'R' => "#e8776b",
        'Y' => "#ffd84d",
        'G' => "#6cc27a",
        _ => "#fff",
    };
    sheet.add(&format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"#000\" \
         stroke-width=\"0.3\" stroke-dasharray=\"1.2 0.8\"/>"
    ));
    if kind.is_cylinder {
        sheet.centred((x, y + 1.0), 2.6, words.text("sheet-cylinder"));
    } else {
        sheet.centred((x, y + 3.0), 8.0, &kind.letter.to_string());
    }
}

/// Memory for the pages of puzzles: their pictures, and the whole that is made of them.
pub(super) fn room_for<'p>(
    session: &Session,
    variant: &Variant,
    mut puzzles: impl Iterator<Item = &'p Puzzle>,
) -> Result<Option<Reservation>> {
    /// Texts beside a picture, and what a string has more than it needs while it grows.
    const BESIDE: usize = 1 << 10;
    let Some(first) = puzzles.next() else {
        return Ok(None);
    };
    let count = 1 + puzzles.count();
    let words = session.language;
    let picture = printed(words, &first.diagram(variant), &first.task(words, variant));
    let each = 3 * (picture.len() + BESIDE);
    let title = variant.rules().title();
    let what = format!("the pages of {count} puzzles of {title}");
    let needed = (count * each) as u128;
    let room = session
        .tablebase
        .reserve(needed, &what, ", or ask for fewer with --count")?;
    Ok(Some(room))
}

/// The sheet of puzzles alone.
pub(super) fn of_puzzles(
    words: Language,
    variant: &Variant,
    puzzles: &[Puzzle],
    solutions: Solutions,
) -> Sheet {
    let title = words.with("puzzles-of", words.named_game(variant.rules().title()));
    let groups = [Group {
        heading: title.clone(),
        puzzles: puzzles.to_vec(),
    }];
    let mut sheet = Sheet::new(words, Paper::default(), &title);
    puzzle_pages(&mut sheet, words, variant, &groups);
    if solutions == Solutions::End {
        solution_page(&mut sheet, words, &groups);
    }
    sheet
}
