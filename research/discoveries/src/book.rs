//! The pages of the book, made of its facts.

mod article;
mod conjectures;
mod ledger;
mod lengths;
mod people;
mod strategies;
mod submissions;
mod theory;
mod winners;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use greenwave_game::{BoardGame, Cell, Code, Diagram, Game};
use greenwave_picture::{Picture, Ring, Tag, Tone};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{SECTIONS, Winner, items};

/// The facts of the book: sections, and values by key.
#[derive(Clone, Debug, Default)]
pub struct Facts(
    pub BTreeMap<String, BTreeMap<String, Value>>,
    pub Vec<AtlasRow>,
);

/// The part of the atlas of boards that the book shows.
#[derive(Clone, Debug, Deserialize)]
pub struct AtlasRow {
    /// The board.
    pub variant: String,
    /// All its pictures, lines or not.
    pub positions: u64,
    /// `win` or `loss`, for the first player.
    pub value: String,
    /// First moves that win.
    pub winning_openings: Vec<String>,
    /// Unfinished positions won for the player to move.
    pub won: u64,
    /// Those that are lost.
    pub lost: u64,
    /// Plies of best play from the empty board.
    pub distance: Option<u64>,
    /// The nimber of the empty board.
    pub nimber: Option<u32>,
    /// The largest nimber.
    pub largest_nimber: Option<u64>,
    /// The table of wins and losses, where one was kept.
    pub table: Option<AtlasTable>,
    /// How it was confirmed.
    pub confirmed: AtlasConfirmation,
}

/// A table of the atlas.
#[derive(Clone, Debug, Deserialize)]
pub struct AtlasTable {
    /// Its signature.
    pub signature: String,
}

/// How a board was confirmed.
#[derive(Clone, Debug, Deserialize)]
pub struct AtlasConfirmation {
    /// What a large board was confirmed by, besides.
    pub big: Option<Big>,
}

/// How a large board was confirmed.
#[derive(Clone, Debug, Deserialize)]
pub struct Big {
    /// Sweeps of different kinds that came to the same.
    pub sweeps: Vec<String>,
    /// Positions that a forward search decided in the same way.
    pub searched: u64,
}

impl Facts {
    /// A fact, if it is there.
    ///
    /// # Errors
    /// When it has another form.
    pub fn get<T: DeserializeOwned>(&self, section: &str, key: &str) -> Result<Option<T>> {
        let value = self.0.get(section).and_then(|facts| facts.get(key));
        value
            .map(|value| serde_json::from_value(value.clone()))
            .transpose()
            .with_context(|| format!("{section} {key}"))
    }

    /// The signature of a board's value table: its own, or that of the atlas.
    fn signature<'a>(&'a self, name: &str, found: &'a Winner) -> Option<&'a str> {
        let atlas = || self.1.iter().find(|row| row.variant == name);
        let own = found.signature.as_deref();
        own.or_else(|| atlas()?.table.as_ref()?.signature.get(..32))
    }

    /// A fact that has to be there.
    ///
    /// # Errors
    /// When it is not, or has another form.
    pub fn expect<T: DeserializeOwned>(&self, section: &str, key: &str) -> Result<T> {
        self.get(section, key)?
            .ok_or_else(|| anyhow!("the data lack {section} {key}; make the section again"))
    }
}

/// Where the book is, from the root of the repository.
pub const BOOK: &str = "docs/book-of-results";

/// Reads the facts that are kept beside the pages; sections that are not there yet are empty.
///
/// # Errors
/// When a file cannot be read, or holds something else.
pub fn read_facts(root: &Path) -> Result<Facts> {
    let mut facts = Facts::default();
    let atlas = root.join("solutions/atlas.json");
    let said = || atlas.display().to_string();
    let text = std::fs::read_to_string(&atlas).with_context(said)?;
    facts.1 = serde_json::from_str(&text).with_context(said)?;
    for section in SECTIONS {
        let file = root.join(format!("{BOOK}/data/{section}.json"));
        if file.exists() {
            let said = || file.display().to_string();
            let text = std::fs::read_to_string(&file).with_context(said)?;
            let own = serde_json::from_str(&text).with_context(said)?;
            facts.0.insert(section.into(), own);
        }
    }
    Ok(facts)
}

/// What the facts come to.
#[derive(Clone, Debug, Default)]
pub struct BookContents {
    /// Parts of pages: page, mark, text.
    pub parts: Vec<(&'static str, &'static str, String)>,
    /// Whole files: path below the book, and text.
    pub files: Vec<(String, String)>,
}

impl BookContents {
    fn part(&mut self, page: &'static str, mark: &'static str, text: String) {
        self.parts.push((page, mark, text));
    }

    fn table(
        &mut self,
        page: &'static str,
        mark: &'static str,
        header: &[&str],
        rows: &[Vec<String>],
    ) {
        self.part(page, mark, table(header, rows));
    }

    fn picture(&mut self, name: &str, svg: String) {
        self.files.push((format!("pictures/{name}.svg"), svg));
    }
}

/// The rows of a table that begin with one of these names.
fn rows_of(rows: &[Vec<String>], names: &[&str]) -> Vec<Vec<String>> {
    let quoted = |name: &&str| format!("`{name}`");
    let wanted: Vec<String> = names.iter().map(quoted).collect();
    let named = |row: &&Vec<String>| row.first().is_some_and(|cell| wanted.contains(cell));
    rows.iter().filter(named).cloned().collect()
}

/// How a signature begins: enough to know it again.
fn begins(signature: &str) -> String {
    format!("`{}`", signature.get(..16).unwrap_or(signature))
}

/// Makes tables, sequences and pictures of the facts.
///
/// # Errors
/// When a fact is missing or has another form than expected.
pub fn book(facts: &Facts) -> Result<BookContents> {
    let mut made = BookContents::default();
    theory::sequences(facts, &mut made)?;
    theory::fitted(facts, &mut made)?;
    theory::nimbers(facts, &mut made)?;
    theory::misere(facts, &mut made)?;
    conjectures::conjectures(facts, &mut made)?;
    winners::winners(facts, &mut made)?;
    strategies::strategies(facts, &mut made)?;
    people::people(facts, &mut made)?;
    people::games(facts, &mut made)?;
    ledger::ledger(facts, &mut made)?;
    submissions::submissions(facts, &mut made)?;
    article::article(facts, &mut made)?;
    Ok(made)
}

/// Puts a part between the comments of a page that mark its place.
///
/// # Errors
/// When the page lacks them.
pub fn put(page: &str, mark: &str, part: &str) -> Result<String> {
    let (begin, end) = (
        format!("<!-- begin {mark} -->\n"),
        format!("<!-- end {mark} -->"),
    );
    let Some((before, rest)) = page.split_once(&begin) else {
        bail!("the page lacks '{}'", begin.trim());
    };
    let Some((_, after)) = rest.split_once(&end) else {
        bail!("the page lacks '{end}'");
    };
    Ok(format!("{before}{begin}{part}{end}{after}"))
}

/// The facts of a section, in the order in which they are made.
fn keys(section: &str) -> impl Iterator<Item = String> {
    items()
        .into_iter()
        .filter(move |item| item.section == section)
        .map(|item| item.key)
}

/// A table of a page.
fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!(
        "| {} |\n|{}\n",
        header.join(" | "),
        " --- |".repeat(header.len())
    );
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}

/// A number with commas.
fn grouped(number: u64) -> String {
    greenwave_solver::grouped(number)
}

/// The ranks and files of a board by its name.
fn size_of(name: &str) -> Option<(u32, u32)> {
    let (_, size) = name.split_once('-').filter(|_| !name.contains(' '))?;
    let size = size.split(':').next()?;
    let (ranks, files) = size.split_once('x')?;
    Some((ranks.parse().ok()?, files.parse().ok()?))
}

/// A board with a letter on each square.
fn map(name: &str, position: &str, title: &str, tags: &[(String, String, Tone)]) -> Result<String> {
    let game = BoardGame::named(name)?;
    let code = match position {
        "" => Code::EMPTY,
        text => game.parse_position(text)?,
    };
    let diagram: Diagram = game.diagram(&code);
    let mut picture = Picture::new(&diagram, title);
    for (square, text, tone) in tags {
        let cell = game.board().shape.cell_named(square).unwrap_or(Cell(0));
        picture.tags.push(Tag {
            square: cell.index(),
            text: text.clone(),
            tone: *tone,
            ring: if *tone == Tone::Win {
                Ring::Quick
            } else {
                Ring::None
            },
            label: format!("{square}: {text}"),
            ..Tag::default()
        });
    }
    Ok(picture.svg() + "\n")
}
