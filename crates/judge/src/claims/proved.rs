//! Claims that a proof assistant has settled, too: which file of `proofs/` has the theorem.

use greenwave_game::Outcome;

use super::{Basis, Claim, Kind, Test};

/// The file of `proofs/` whose theorem says who wins from the start of a variant, and what it says, for the player
/// to move.
fn theorem(variant: &str) -> Option<(&'static str, Outcome)> {
    let (name, misere) = match variant.strip_suffix(":play=misere") {
        Some(name) => (name, true),
        None => (variant, false),
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
    match (ranks, files) {
        (3, 3) if lights => Some(("proofs/Boards3x3.v", Outcome::Win)),
        (3, 4) if lights => {
            let first_wins = family == "green" && misere;
            let value = if first_wins {
                Outcome::Win
            } else {
                Outcome::Loss
            };
            Some(("proofs/Boards3x4.v", value))
        }
        (3, 3) if family == "noughts" && !misere => Some(("proofs/Certified.v", Outcome::Draw)),
        (3, 4) if family == "noughts" && !misere => Some(("proofs/Certified.v", Outcome::Win)),
        (2, 3..) if lights => Some(("proofs/Copying.v", Outcome::Loss)),
        _ if ranks % 2 == 1
            && files % 2 == 1
            && ranks.max(files) >= 3
            && matches!(family, "classic" | "signal")
            && !misere =>
        {
            Some(("proofs/Copying.v", Outcome::Win))
        }
        _ => None,
    }
}

fn proved_test(test: &Test) -> Option<&'static str> {
    match &test.kind {
        Kind::Value {
            position: None,
            value: Some(_),
            distance: None,
            points: None,
            nimber: None,
            finished: None,
        } => theorem(&test.variant).map(|(file, _)| file),
        Kind::Value { .. }
        | Kind::Moves { .. }
        | Kind::Play { .. }
        | Kind::Where { .. }
        | Kind::Supply { .. }
        | Kind::Longest { .. }
        | Kind::Strategy { .. }
        | Kind::LargestNimber { .. }
        | Kind::Equal { .. }
        | Kind::Rises
        | Kind::Properties { .. } => None,
    }
}

/// The files of `proofs/` with the theorems that settle a claim, if theorems settle all of it: claims of who wins
/// from the start of a board.
#[must_use]
pub fn proved_in(claim: &Claim) -> Option<String> {
    let Basis::Tests(tests) = &claim.basis else {
        return None;
    };
    let mut files: Vec<&str> = Vec::new();
    for test in tests {
        let file = proved_test(test)?;
        if !files.contains(&file) {
            files.push(file);
        }
    }
    (!files.is_empty()).then(|| files.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    // What the files prove, as they spell it.
    const FILES: [(&str, &str); 3] = [
        (
            "proofs/Boards3x3.v",
            include_str!("../../../../proofs/Boards3x3.v"),
        ),
        (
            "proofs/Boards3x4.v",
            include_str!("../../../../proofs/Boards3x4.v"),
        ),
        (
            "proofs/Certified.v",
            include_str!("../../../../proofs/Certified.v"),
        ),
    ];

    #[test]
    fn every_theorem_of_a_board_stands_in_its_file() {
        let mut found = 0;
        for family in ["classic", "signal", "green", "noughts"] {
            for (size, plain) in [("3x3", "3 3"), ("3x4", "3 4")] {
                for (option, suffix) in [("", ""), (":play=misere", "_misere")] {
                    let Some((file, value)) = theorem(&format!("{family}-{size}{option}")) else {
                        assert_eq!((family, suffix), ("noughts", "_misere"));
                        continue;
                    };
                    let claim = match value {
                        Outcome::Win => "first_player_wins",
                        Outcome::Loss => "second_player_wins",
                        Outcome::Draw => "draw",
                    };
                    let theorem = format!(
                        "Theorem {family}{suffix}_{size} : {claim} ({family}{suffix} {plain})."
                    );
                    let text = FILES.iter().find(|(name, _)| *name == file);
                    assert!(
                        text.is_some_and(|(_, text)| text.contains(&theorem)),
                        "{theorem}"
                    );
                    found += 1;
                }
            }
        }
        assert_eq!(found, 14);
    }

    #[test]
    fn theorems_of_all_sizes_speak_of_their_boards_alone() {
        let file = theorem;
        let copying = |value| Some(("proofs/Copying.v", value));
        assert_eq!(file("classic-2x3"), copying(Outcome::Loss));
        assert_eq!(file("green-2x9:play=misere"), copying(Outcome::Loss));
        assert_eq!(file("classic-1x3"), copying(Outcome::Win));
        assert_eq!(file("signal-5x5"), copying(Outcome::Win));
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
            assert_eq!(file(other), None, "{other}");
        }
        let semaforo = file("semaforo").map(|(_, value)| value);
        assert_eq!(semaforo, Some(Outcome::Loss));
    }
}
