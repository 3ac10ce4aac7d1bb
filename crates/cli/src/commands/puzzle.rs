//! `puzzle`: positions with one move that wins, or saves a draw.

use std::fmt::Write;

use anyhow::{Result, bail};
use greenwave_game::{Diagram, Game, Variant, with_game};
use greenwave_picture::{Lettering, Picture, Scheme, escaped};
use greenwave_play::{Puzzle, PuzzleOptions, no_puzzles, puzzles};
use greenwave_words::Language;

use crate::args::PuzzleArgs;
use crate::output::{board, complain, is_standard, print, print_json, tell_written, write_file};
use crate::session::{Session, Verdict};

pub(super) fn run(session: &Session, args: &PuzzleArgs) -> Result<Verdict> {
    let variant = session.variant(&args.variant)?;
    let options = PuzzleOptions {
        count: args.count,
        seed: args.seed,
        level: args.level,
    };
    let found = puzzles(&session.tablebase, &variant, &options)?;
    if found.is_empty() {
        let rules = variant.rules();
        let why = no_puzzles(rules.title(), rules, args.level, found.are_all);
        complain(&format!("greenwave: {why}"));
        return Ok(Verdict::No);
    }
    if !session.quiet && found.len() < args.count {
        let number = found.len();
        complain(&match found.are_all {
            true => format!("greenwave: there are only {number} of them"),
            false => format!("greenwave: found only {number} of them in a sample of positions"),
        });
    }
    let sheet = Sheet {
        variant: &variant,
        puzzles: &found,
    };
    let standard = [&args.html, &args.svg].into_iter().flatten();
    let standard = standard.filter(|path| is_standard(path)).count();
    if standard + usize::from(session.json) > 1 {
        bail!("--html, --svg and --json cannot share standard output; name a file for all but one");
    }
    if let Some(path) = &args.html {
        write_file(path, sheet.html())?;
        tell_written(session, path);
    }
    if let Some(path) = &args.svg {
        write_file(path, sheet.svg())?;
        tell_written(session, path);
    }
    if session.json {
        for puzzle in found.iter() {
            print_json(puzzle)?;
        }
    } else if args.html.is_none() && args.svg.is_none() {
        print(&sheet.text())?;
    }
    Ok(Verdict::Done)
}

/// Puzzles on paper or a terminal.
struct Sheet<'a> {
    variant: &'a Variant,
    puzzles: &'a [Puzzle],
}

impl Sheet<'_> {
    fn diagram(&self, puzzle: &Puzzle) -> Diagram {
        with_game!(self.variant, game => {
            let position = game.parse_position(&puzzle.position);
            game.diagram(&position.unwrap_or_else(|_| game.start()))
        })
    }

    fn task(puzzle: &Puzzle) -> String {
        match (puzzle.goal, puzzle.distance) {
            ("draw", _) => "save the draw".into(),
            (_, Some(1)) => "win at once".into(),
            (_, Some(plies)) => format!("win in {} moves", plies.div_ceil(2)),
            (_, None) => "come out ahead".into(),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let name = self.variant.rules().title();
        for (number, puzzle) in self.puzzles.iter().enumerate() {
            let diagram = self.diagram(puzzle);
            let _ = writeln!(
                text,
                "{name}, puzzle {}: {} (level {})\n\n{}\n  Position  {}\n  Solution  {}\n",
                number + 1,
                Sheet::task(puzzle),
                puzzle.level,
                board::draw(&diagram),
                puzzle.position,
                puzzle.solution.join(" ")
            );
        }
        if let Some(puzzle) = self.puzzles.first() {
            let _ = writeln!(text, "{}", board::key(&self.diagram(puzzle)));
        }
        text
    }

    fn pictures(&self) -> Vec<String> {
        let picture = |(number, puzzle): (usize, &Puzzle)| {
            let title = format!("Puzzle {}: {}", number + 1, Sheet::task(puzzle));
            let diagram = self.diagram(puzzle);
            let mut picture = Picture::new(&diagram, &title);
            picture.notes = Language::English.sentences(&diagram.notes);
            picture.scheme = Scheme::Light;
            picture.lettering = Lettering::Strokes;
            picture.svg()
        };
        self.puzzles.iter().enumerate().map(picture).collect()
    }

    /// A page to print: the puzzles, and the solutions upside down at the end of the page.
    fn html(&self) -> String {
        let name = escaped(self.variant.rules().title());
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Puzzles: \
             {name}</title>\n<style>\nbody {{ font-family: sans-serif; max-width: 60rem; margin: auto; }}\n\
             .sheet {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1.5rem; }}\n\
             figure {{ margin: 0; break-inside: avoid; }}\nfigcaption {{ text-align: center; }}\n\
             svg {{ width: 100%; height: auto; }}\n@media print {{ .answers {{ break-before: page; }} }}\n\
             </style>\n</head>\n<body>\n<h1>Puzzles: {name}</h1>\n<p>The player to move: find the one move.</p>\n\
             <div class=\"sheet\">\n"
        );
        for (number, (puzzle, picture)) in self.puzzles.iter().zip(self.pictures()).enumerate() {
            let _ = writeln!(
                page,
                "<figure>{picture}<figcaption>{}. {} (level {})</figcaption></figure>",
                number + 1,
                escaped(&Sheet::task(puzzle)),
                puzzle.level
            );
        }
        page.push_str("</div>\n<section class=\"answers\">\n<h2>Solutions</h2>\n<ol>\n");
        for puzzle in self.puzzles {
            let _ = writeln!(page, "<li>{}</li>", escaped(&puzzle.solution.join(" ")));
        }
        page.push_str("</ol>\n</section>\n</body>\n</html>\n");
        page
    }

    /// All puzzles in one picture, in rows of three, solutions below.
    fn svg(&self) -> String {
        const CELL: usize = 300;
        const ROW: usize = 340;
        let columns = self.puzzles.len().clamp(1, 3);
        let rows = self.puzzles.len().div_ceil(columns);
        let below = rows * ROW + 20;
        let height = below + 24 * (self.puzzles.len() + 1);
        let width = columns * CELL;
        let mut sheet = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>Puzzles: {}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
            escaped(self.variant.rules().title())
        );
        for (number, (puzzle, picture)) in self.puzzles.iter().zip(self.pictures()).enumerate() {
            let (x, y) = ((number % columns) * CELL, (number / columns) * ROW);
            let placed = picture.replacen(
                "<svg ",
                &format!("<svg x=\"{}\" y=\"{}\" ", x + 10, y + 10),
                1,
            );
            let placed = sized(&placed, CELL - 20);
            let _ = writeln!(
                sheet,
                "{placed}\n<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"15\" \
                 text-anchor=\"middle\">{}. {}</text>",
                x + CELL / 2,
                y + ROW - 12,
                number + 1,
                escaped(&Sheet::task(puzzle))
            );
        }
        for (number, puzzle) in self.puzzles.iter().enumerate() {
            let _ = writeln!(
                sheet,
                "<text x=\"10\" y=\"{}\" font-family=\"sans-serif\" font-size=\"12\">{}. {}</text>",
                below + 24 * (number + 1),
                number + 1,
                escaped(&puzzle.solution.join(" "))
            );
        }
        sheet.push_str("</svg>\n");
        sheet
    }
}

/// A picture with the width and height of a cell of a sheet; its view box keeps its shape.
fn sized(svg: &str, side: usize) -> String {
    let Some((head, rest)) = svg.split_once('>') else {
        return svg.to_string();
    };
    let kept: Vec<&str> = head
        .split(' ')
        .filter(|word| !word.starts_with("width=") && !word.starts_with("height="))
        .collect();
    format!(
        "{} width=\"{side}\" height=\"{side}\">{rest}",
        kept.join(" ")
    )
}
