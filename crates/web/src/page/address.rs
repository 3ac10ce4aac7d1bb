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
    Find,
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
    Find,
    Claims,
    Tables,
    Compare,
}

impl GeneralPage {
    const ALL: [GeneralPage; 16] = [
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
        GeneralPage::Find,
        GeneralPage::Design,
        GeneralPage::Help,
        GeneralPage::Settings,
        GeneralPage::About,
    ];

    /// Its path, then other paths that visitors type for it, and its parameters beside those that links carry on;
    /// `None` where they follow from more than the path.
    fn entry(self) -> (&'static [&'static str], Option<&'static [&'static str]>) {
        match self {
            GeneralPage::Home => (
                &["", "games", "game", "variants", "variant"],
                Some(&["find", "family", "winner", "cells"]),
            ),
            GeneralPage::Go => (&["go"], None),
            GeneralPage::Play => (&["play", "plays"], Some(&[])),
            GeneralPage::Learn => (&["learn", "rules", "rule"], Some(&[])),
            GeneralPage::Lesson => (&["lesson", "lessons"], Some(&["step", "square"])),
            GeneralPage::DailyPuzzle => (&["puzzle", "puzzles", "daily"], Some(&[])),
            GeneralPage::Claims => (&["claims", "claim"], Some(&["verdict", "find"])),
            GeneralPage::OwnClaim => (
                &["claims/own"],
                Some(&[
                    "claim", "says", "game", "result", "square", "bound", "plies", "budget",
                ]),
            ),
            GeneralPage::Tables => (&["tables", "table"], Some(&[])),
            GeneralPage::Compare => (
                &["compare", "comparison", "comparisons"],
                Some(&["a", "b", "variants", "budget"]),
            ),
            GeneralPage::Sum => (&["sum", "sums"], Some(&["boards", "add", "budget"])),
            GeneralPage::Find => (&["find", "search"], Some(&["name"])),
            GeneralPage::Design => (&["design", "designs"], Some(&PARAMS)),
            GeneralPage::Help => (&["help"], Some(&[])),
            GeneralPage::Settings => (&["settings", "setting"], Some(&[])),
            GeneralPage::About => (&["about", "license", "licence"], Some(&[])),
        }
    }

    fn path(self) -> &'static str {
        self.entry().0[0]
    }

    /// The page at a path without its first slash.
    pub(super) fn at(path: &str) -> Option<GeneralPage> {
        GeneralPage::ALL
            .into_iter()
            .find(|page| page.path() == path)
    }

    /// The page that a visitor means by a path without its first slash.
    fn meant(path: &str) -> Option<GeneralPage> {
        let mut pages = GeneralPage::ALL.into_iter();
        pages.find(|page| page.entry().0.contains(&path))
    }
}

impl GeneralPage {
    /// Whether it follows from its address alone, whatever is solved and whatever day it is.
    pub(super) fn stays(self) -> bool {
        match self {
            GeneralPage::Home
            | GeneralPage::Learn
            | GeneralPage::Lesson
            | GeneralPage::Claims
            | GeneralPage::Help
            | GeneralPage::About => true,
            GeneralPage::Go
            | GeneralPage::Play
            | GeneralPage::DailyPuzzle
            | GeneralPage::OwnClaim
            | GeneralPage::Tables
            | GeneralPage::Compare
            | GeneralPage::Sum
            | GeneralPage::Find
            | GeneralPage::Design
            | GeneralPage::Settings => false,
        }
    }
}

/// Whether the page of a path follows from its address alone.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn stays(path: &str) -> bool {
    GeneralPage::at(path.trim_start_matches('/')).is_some_and(GeneralPage::stays)
}

/// Whether a page that is of no game has this path, which is without its first slash.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn is_general(path: &str) -> bool {
    GeneralPage::at(path).is_some()
}

impl GamePage {
    const ALL: [GamePage; 11] = [
        GamePage::Stats,
        GamePage::Puzzle,
        GamePage::Sheet,
        GamePage::Play,
        GamePage::Learn,
        GamePage::Record,
        GamePage::Tree,
        GamePage::Find,
        GamePage::Claims,
        GamePage::Tables,
        GamePage::Compare,
    ];

    /// The last part of its path, then others that visitors type for it, and its parameters beside those that links
    /// carry on.
    fn entry(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            GamePage::Stats => (&["stats", "stat", "statistics"], &["budget", "scale"]),
            GamePage::Puzzle => (
                &["puzzle", "puzzles"],
                &["count", "mixed", "paper", "budget"],
            ),
            GamePage::Sheet => (
                &["sheet", "sheets"],
                &["count", "paper", "material", "budget"],
            ),
            GamePage::Play => (&["play", "plays"], &["position"]),
            GamePage::Learn => (&["learn", "rules", "rule"], &[]),
            GamePage::Record => (&["record", "records", "review"], &["record"]),
            GamePage::Tree => (
                &["tree", "trees", "openings", "opening"],
                &["position", "moves", "depth", "for", "budget"],
            ),
            GamePage::Find => (
                &["find", "search"],
                &["where", "limit", "order", "random", "budget"],
            ),
            GamePage::Claims => (&["claims", "claim"], &[]),
            GamePage::Tables => (&["tables", "table"], &[]),
            GamePage::Compare => (&["compare", "comparison", "comparisons"], &[]),
        }
    }

    fn path(self) -> &'static str {
        self.entry().0[0]
    }

    /// The name of the game and the page at a path without its first slash.
    pub(super) fn of(path: &str) -> Option<(&str, GamePage)> {
        let (name, part) = path.rsplit_once('/')?;
        let mut pages = GamePage::ALL.into_iter();
        Some((name, pages.find(|page| page.path() == part)?))
    }

    /// The same where a visitor means a page by another name.
    fn meant(path: &str) -> Option<(&str, GamePage)> {
        let (name, part) = path.rsplit_once('/')?;
        let mut pages = GamePage::ALL.into_iter();
        Some((name, pages.find(|page| page.entry().0.contains(&part))?))
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
                "hold", "stage", "solution", "wanted",
            ]),
        }
    }
}

/// The path of the page that a visitor means by another; both without their first slash. `None` where the path is
/// that of a page itself, or of none.
pub(super) fn path_meant(path: &str) -> Option<String> {
    let meant = if let Some(page) = GeneralPage::meant(path) {
        page.path().to_string()
    } else {
        let (first, below) = path.split_once('/')?;
        match GeneralPage::meant(first) {
            // Games and claims have pages of their own below their lists.
            Some(GeneralPage::Home) => path_meant(below).unwrap_or_else(|| below.into()),
            Some(GeneralPage::Claims) => format!("{}/{below}", GeneralPage::Claims.path()),
            Some(_) | None => {
                let (name, page) = GamePage::meant(path)?;
                format!("{name}/{}", page.path())
            }
        }
    };
    (meant != path).then_some(meant)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_pages_have_the_same_path() {
        let general = GeneralPage::ALL.iter().flat_map(|page| page.entry().0);
        let of_game = GamePage::ALL.iter().flat_map(|page| page.entry().0);
        for mut paths in [Vec::from_iter(general), Vec::from_iter(of_game)] {
            let all = paths.len();
            paths.sort_unstable();
            paths.dedup();
            assert_eq!(paths.len(), all, "{paths:?}");
        }
    }

    #[test]
    fn every_name_of_a_page_means_its_path() {
        for page in GeneralPage::ALL {
            let (paths, _) = page.entry();
            assert_eq!(path_meant(paths[0]), None);
            for other in &paths[1..] {
                assert_eq!(path_meant(other).as_deref(), Some(paths[0]), "{other}");
            }
        }
        for (typed, meant) in [
            ("classic-3x3", None),
            ("classic-3x3/tree", None),
            ("classic-3x3/openings", Some("classic-3x3/tree")),
            ("classic-3x3/gamez", None),
            ("classic-3x3/table", Some("classic-3x3/tables")),
            ("games/classic-3x3", Some("classic-3x3")),
            ("variants/classic-3x3/rules", Some("classic-3x3/learn")),
            ("claims/27", None),
            ("claim/27", Some("claims/27")),
            ("claims/own", None),
            ("tables/classic-3x3", None),
        ] {
            assert_eq!(path_meant(typed).as_deref(), meant, "{typed}");
        }
    }
}
