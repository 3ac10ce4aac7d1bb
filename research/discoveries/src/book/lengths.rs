//! How long best play lasts, on one rank and on two.

use anyhow::Result;

use super::theory::{b_file, ranks_in_words};
use super::{BookContents, Facts};
use crate::{Length, Longest, Winner};

/// The files of the smallest boards.
const FIRST: usize = 3;
const MISERE: &str = ":play=misere";

/// Plies of best play on boards of three files and more, as far as they are known.
pub(super) fn best_play(facts: &Facts, ranks: u32, options: &str) -> Result<Vec<u64>> {
    let mut plies = Vec::new();
    loop {
        let name = format!("classic-{ranks}x{}{options}", FIRST + plies.len());
        let row = facts.1.iter().find(|row| row.variant == name);
        let own: Option<Length> = facts.get("winners", &format!("length {name}"))?;
        let known = row.and_then(|row| row.distance);
        match known.or(own.map(|own| own.plies)) {
            Some(known) => plies.push(known),
            None => return Ok(plies),
        }
    }
}

/// Who wins a board of the atlas, or another one that the book knows: `first` or `second`.
fn winner(facts: &Facts, name: &str) -> Result<String> {
    let mut rows = facts.1.iter();
    if let Some(row) = rows.find(|row| row.variant == name) {
        let wins = row.value == "win";
        return Ok(if wins { "first" } else { "second" }.into());
    }
    let known: Winner = facts.expect("winners", name)?;
    Ok(known.winner)
}

/// Most plies of a game that is lost by whoever completes a line, if that player wins: the loser makes
/// the last ply, so that their number is even where the first player wins.
fn most(longest: &Longest, files: usize, first_wins: bool) -> u64 {
    let plies = u64::from(longest.at(files)) + 1;
    plies - u64::from((plies % 2 == 0) != first_wins)
}

/// Lists how long best play lasts, and compares misère play with what is possible.
pub(super) fn lengths(facts: &Facts, made: &mut BookContents) -> Result<Vec<Vec<String>>> {
    let (mut rows, mut fits) = (Vec::new(), Vec::new());
    for ranks in 1..=2 {
        let longest: Longest = facts.expect("sequences", &format!("longest-{ranks}xn"))?;
        let [normal, misere] = ["", MISERE].map(|options| best_play(facts, ranks, options));
        let (normal, misere) = (normal?, misere?);
        for (plies, said) in [(&normal, ""), (&misere, "misere-")] {
            let listed: Vec<String> = plies.iter().map(u64::to_string).collect();
            let boards = ranks_in_words(ranks);
            let game = if said.is_empty() { "" } else { ", misère" };
            let what =
                format!("Plies of best play on classic boards of {boards} and n files{game}");
            let file = format!("sequences/b-best-play-{said}{ranks}xn.txt");
            made.files.push((file, b_file(&what, FIRST, &listed)));
        }
        let mut alike = 0;
        for (at, plies) in normal.iter().enumerate() {
            let files = FIRST + at;
            let other = match misere.get(at) {
                Some(plies) => {
                    let name = format!("classic-{ranks}x{files}{MISERE}");
                    let winner = winner(facts, &name)?;
                    let most = most(&longest, files, winner == "first");
                    alike += usize::from(most == *plies);
                    [winner, plies.to_string(), most.to_string()]
                }
                None => ["–", "–", "–"].map(String::from),
            };
            let mut row = vec![format!("{ranks} × {files}"), plies.to_string()];
            row.extend(other);
            rows.push(row);
        }
        let boards = misere.len();
        fits.push(vec![
            format!("plies of best play, misère, {ranks} × n"),
            boards.to_string(),
            if alike == boards {
                format!(
                    "**conjecture**: as many as a game with that winner can last; {boards} boards \
                     support it"
                )
            } else {
                format!("as many as can be on {alike} of {boards}")
            },
        ]);
    }
    let header = [
        "board",
        "plies",
        "misère, wins",
        "plies",
        "at most, with that winner",
    ];
    made.table("tables/sequences.md", "lengths", &header, &rows);
    Ok(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 × 3 fills up in eight plies, so that the ninth completes a line: the first player's.
    #[test]
    fn the_loser_makes_the_last_ply() {
        let longest = crate::longest(1);
        assert_eq!(most(&longest, 3, false), 9);
        assert_eq!(most(&longest, 3, true), 8);
        assert_eq!(most(&longest, 4, true), 12);
    }
}
