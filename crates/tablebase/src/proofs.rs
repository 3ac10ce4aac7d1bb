//! Boards whose winner a proof assistant has proved: which theorem of `proofs/` says it.

use greenwave_game::{Outcome, Rules, Variant};

/// A theorem of `proofs/` about the start of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RocqTheorem {
    /// The file, such as `proofs/Copying.v`.
    pub file: &'static str,
    /// The theorem, such as `two_ranks_classic`.
    pub name: String,
    /// What it says, for the player to move.
    pub value: Outcome,
}

impl RocqTheorem {
    /// The theorem that says who wins from the start of a variant.
    #[must_use]
    pub fn of(variant: &str) -> Option<RocqTheorem> {
        let (name, misere) = match variant.strip_suffix(":play=misere") {
            Some(name) => (name, "_misere"),
            None => (variant, ""),
        };
        let name = if name == "semaforo" {
            "classic-3x4"
        } else {
            name
        };
        let (family, size) = name.split_once('-')?;
        let (ranks, files) = size.split_once('x')?;
        let (ranks, files): (u32, u32) = (ranks.parse().ok()?, files.parse().ok()?);
        let lights = matches!(family, "classic" | "signal" | "green");
        let noughts = family == "noughts" && misere.is_empty();
        let board = |file, value| RocqTheorem {
            file,
            name: format!("{family}{misere}_{size}"),
            value,
        };
        let family_of_boards = |name: &str, value| RocqTheorem {
            file: "proofs/Copying.v",
            name: format!("{name}_{family}{misere}"),
            value,
        };
        match (ranks, files) {
            (3, 3) if lights => Some(board("proofs/Boards3x3.v", Outcome::Win)),
            (3, 4) if lights => {
                let first_wins = family == "green" && !misere.is_empty();
                let value = if first_wins {
                    Outcome::Win
                } else {
                    Outcome::Loss
                };
                Some(board("proofs/Boards3x4.v", value))
            }
            (3, 3) if noughts => Some(board("proofs/Certified.v", Outcome::Draw)),
            (3, 4) if noughts => Some(board("proofs/Certified.v", Outcome::Win)),
            (2, 3..) if lights => Some(family_of_boards("two_ranks", Outcome::Loss)),
            _ if ranks % 2 == 1
                && files % 2 == 1
                && ranks.max(files) >= 3
                && matches!(family, "classic" | "signal")
                && misere.is_empty() =>
            {
                Some(family_of_boards("odd_times_odd", Outcome::Win))
            }
            _ => None,
        }
    }

    /// The theorem about the start of a game with these rules.
    pub(crate) fn of_rules(rules: &Rules) -> Option<RocqTheorem> {
        let found = RocqTheorem::of(&rules.name)?;
        // A rule file may have the name of a variant.
        let same = Variant::parse(&rules.name).ok()?;
        (same.rules().hash == rules.hash).then_some(found)
    }

    /// The theorem with its file: `two_ranks_classic of proofs/Copying.v`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{} of {}", self.name, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // What the files prove, as they spell it.
    const FILES: [(&str, &str); 4] = [
        (
            "proofs/Boards3x3.v",
            include_str!("../../../proofs/Boards3x3.v"),
        ),
        (
            "proofs/Boards3x4.v",
            include_str!("../../../proofs/Boards3x4.v"),
        ),
        (
            "proofs/Certified.v",
            include_str!("../../../proofs/Certified.v"),
        ),
        (
            "proofs/Copying.v",
            include_str!("../../../proofs/Copying.v"),
        ),
    ];

    fn text(file: &str) -> &'static str {
        let (_, text) = FILES.iter().find(|(name, _)| *name == file).unwrap();
        text
    }

    #[test]
    fn every_theorem_of_a_board_stands_in_its_file() {
        let mut found = 0;
        for family in ["classic", "signal", "green", "noughts"] {
            for (size, plain) in [("3x3", "3 3"), ("3x4", "3 4")] {
                for (option, suffix) in [("", ""), (":play=misere", "_misere")] {
                    let Some(theorem) = RocqTheorem::of(&format!("{family}-{size}{option}")) else {
                        assert_eq!((family, suffix), ("noughts", "_misere"));
                        continue;
                    };
                    let claim = match theorem.value {
                        Outcome::Win => "first_player_wins",
                        Outcome::Loss => "second_player_wins",
                        Outcome::Draw => "draw",
                    };
                    let sentence = format!(
                        "Theorem {} : {claim} ({family}{suffix} {plain}).",
                        theorem.name
                    );
                    assert!(text(theorem.file).contains(&sentence), "{sentence}");
                    found += 1;
                }
            }
        }
        assert_eq!(found, 14);
    }

    #[test]
    fn theorems_of_all_sizes_speak_of_their_boards_alone() {
        for (board, value) in [
            ("classic-2x3", Outcome::Loss),
            ("signal-2x16", Outcome::Loss),
            ("green-2x9:play=misere", Outcome::Loss),
            ("classic-1x3", Outcome::Win),
            ("signal-5x5", Outcome::Win),
        ] {
            let theorem = RocqTheorem::of(board).unwrap();
            assert_eq!((theorem.file, theorem.value), ("proofs/Copying.v", value));
            let claim = match value {
                Outcome::Loss => "second_player_wins",
                Outcome::Win | Outcome::Draw => "first_player_wins",
            };
            let begins = format!("Theorem {} ", theorem.name);
            let stated = text(theorem.file)
                .lines()
                .find(|line| line.starts_with(&begins));
            assert!(stated.is_some_and(|line| line.contains(claim)), "{begins}");
        }
        for other in [
            "classic-2x2",
            "classic-1x1",
            "green-5x5",
            "classic-5x5:play=misere",
            "classic-4x4",
            "classic-3x3:supply=cap6",
            "points-3x3",
            "mine.toml",
        ] {
            assert_eq!(RocqTheorem::of(other), None, "{other}");
        }
        let semaforo = RocqTheorem::of("semaforo").map(|theorem| theorem.value);
        assert_eq!(semaforo, Some(Outcome::Loss));
    }
}
