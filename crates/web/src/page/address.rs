//! The pages by their addresses, with the parameters of each.

use crate::own_rules::choices::PARAMS;

/// A page that is of no game.
#[derive(Clone, Copy)]
pub(super) enum GeneralPage {
    Home,
    Go,
    Play,
    Learn,
    Lesson,
    DailyPuzzle,
    Claims,
    OwnClaim,
    Tables,
    Compare,
    Sum,
    Design,
    Help,
    Settings,
    About,
}

/// A page of a game beside those of its positions.
#[derive(Clone, Copy)]
pub(super) enum GamePage {
    Stats,
    Puzzle,
    Sheet,
    Play,
    Learn,
    Record,
    Tree,
}

impl GeneralPage {
    const ALL: [GeneralPage; 15] = [
        GeneralPage::Home,
        GeneralPage::Go,
        GeneralPage::Play,
        GeneralPage::Learn,
        GeneralPage::Lesson,
        GeneralPage::DailyPuzzle,
        GeneralPage::Claims,
        GeneralPage::OwnClaim,
        GeneralPage::Tables,
        GeneralPage::Compare,
        GeneralPage::Sum,
        GeneralPage::Design,
        GeneralPage::Help,
        GeneralPage::Settings,
        GeneralPage::About,
    ];

    /// Its path, and its parameters beside those that links carry on; `None` where they follow from
    /// more than the path.
    fn entry(self) -> (&'static str, Option<&'static [&'static str]>) {
        match self {
            GeneralPage::Home => ("", Some(&["find", "family", "winner", "cells"])),
            GeneralPage::Go => ("go", None),
            GeneralPage::Play => ("play", Some(&[])),
            GeneralPage::Learn => ("learn", Some(&[])),
            GeneralPage::Lesson => ("lesson", Some(&["step", "square"])),
            GeneralPage::DailyPuzzle => ("puzzle", Some(&[])),
            GeneralPage::Claims => ("claims", Some(&["verdict", "find"])),
            GeneralPage::OwnClaim => (
                "claims/own",
                Some(&[
                    "claim", "says", "game", "result", "square", "bound", "plies", "budget",
                ]),
            ),
            GeneralPage::Tables => ("tables", Some(&[])),
            GeneralPage::Compare => ("compare", Some(&["a", "b", "budget"])),
            GeneralPage::Sum => ("sum", Some(&["boards", "add", "budget"])),
            GeneralPage::Design => ("design", Some(&PARAMS)),
            GeneralPage::Help => ("help", Some(&[])),
            GeneralPage::Settings => ("settings", Some(&[])),
            GeneralPage::About => ("about", Some(&[])),
        }
    }

    /// The page at a path without its first slash.
    pub(super) fn at(path: &str) -> Option<GeneralPage> {
        GeneralPage::ALL
            .into_iter()
            .find(|page| page.entry().0 == path)
    }
}

impl GamePage {
    const ALL: [GamePage; 7] = [
        GamePage::Stats,
        GamePage::Puzzle,
        GamePage::Sheet,
        GamePage::Play,
        GamePage::Learn,
        GamePage::Record,
        GamePage::Tree,
    ];

    /// The last part of its path, and its parameters beside those that links carry on.
    fn entry(self) -> (&'static str, &'static [&'static str]) {
        match self {
            GamePage::Stats => ("stats", &["budget", "scale"]),
            GamePage::Puzzle => ("puzzle", &["count", "paper", "budget"]),
            GamePage::Sheet => ("sheet", &["count", "paper", "budget"]),
            GamePage::Play => ("play", &["position"]),
            GamePage::Learn => ("learn", &[]),
            GamePage::Record => ("record", &["record"]),
            GamePage::Tree => ("tree", &["position", "moves", "depth", "for", "budget"]),
        }
    }

    /// The name of the game and the page at a path without its first slash.
    pub(super) fn of(path: &str) -> Option<(&str, GamePage)> {
        let (name, part) = path.rsplit_once('/')?;
        let mut pages = GamePage::ALL.into_iter();
        Some((name, pages.find(|page| page.entry().0 == part)?))
    }
}

/// The page at a path, and the game or the claim that the path names.
pub(super) enum PageAddress<'p> {
    General(GeneralPage),
    Claim(&'p str),
    Game(&'p str, GamePage),
    Position(&'p str),
}

impl<'p> PageAddress<'p> {
    /// The page at a path without its first slash; `is_of_file` where the path begins with that of a
    /// rule file, which may stand in a folder of any name.
    pub(super) fn of(path: &'p str, is_of_file: bool) -> PageAddress<'p> {
        if let Some(page) = GeneralPage::at(path) {
            return PageAddress::General(page);
        }
        if let Some(id) = path.strip_prefix("claims/").filter(|_| !is_of_file) {
            return PageAddress::Claim(id);
        }
        match GamePage::of(path) {
            Some((name, page)) => PageAddress::Game(name, page),
            None => PageAddress::Position(path),
        }
    }

    /// The parameters of the page beside those that links carry on; `None` where they follow from
    /// more than the path.
    pub(super) fn parameters(&self) -> Option<&'static [&'static str]> {
        match self {
            PageAddress::General(page) => page.entry().1,
            PageAddress::Claim(_) => Some(&["budget"]),
            PageAddress::Game(_, page) => Some(page.entry().1),
            PageAddress::Position(_) => Some(&[
                "position", "moves", "ply", "hint", "opinion", "from", "why", "budget", "resign",
                "hold", "stage", "instead", "side", "solution",
            ]),
        }
    }
}

/// The name of the game that a page is about.
pub(crate) fn game_of(path: &str) -> Option<&str> {
    let path = path.trim_start_matches('/');
    // A rule file may stand in a folder.
    if let Some(end) = path.find(".toml") {
        return Some(&path[..end + ".toml".len()]);
    }
    let name = path.split('/').next()?;
    let is_of_no_game = GeneralPage::at(name).is_some() || ["api", "qr.svg"].contains(&name);
    (!is_of_no_game).then_some(name)
}
