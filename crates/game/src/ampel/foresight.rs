//! Facts about a position that need no search.

use super::{AmpelGame, AmpelPosition, Parts, Phase, StuckAdd};

/// Plies in which each player moves once: three steps each.
const ROUND: u32 = 6;

impl AmpelGame {
    /// The greatest number of plies, at most `within`, after which a player can have captured: only
    /// steps 1 and 2 capture, and every step is one ply.
    pub(super) fn last_capture(&self, position: &AmpelPosition, mine: bool, within: u32) -> u32 {
        // Plies from here to the step 1 and the step 2 of the player, modulo a round.
        let steps = match (position.phase(), mine) {
            (Phase::MoveOwn, true) => [1, 2],
            (Phase::MoveOther, true) => [0, 1],
            (Phase::Add, true) => [5, 0],
            (Phase::MoveOwn, false) => [4, 5],
            (Phase::MoveOther, false) => [3, 4],
            (Phase::Add, false) => [2, 3],
            (Phase::SetUp | Phase::Over, _) => return within,
        };
        // A player without a point to add on may lose in step 3.
        if self.ampel.stuck_add == StuckAdd::Loss {
            return within;
        }
        let least = within.saturating_sub(ROUND - 1).max(1);
        let captures = |plies: &u32| steps.contains(&(plies % ROUND));
        (least..=within).rev().find(captures).unwrap_or(0)
    }

    /// Captured yellows, and points where a disc would make a signal, of the player to move against
    /// those of the opponent; between -1 and 1.
    pub(super) fn at_sight(&self, parts: &Parts) -> f64 {
        const OF_A_POINT: f64 = 0.02;
        let (mine, other) = (parts.player, parts.player.opponent());
        if parts.phase == Phase::Over {
            return 1.0;
        }
        let captured = |player| f64::from(parts.captured[player as usize]);
        let goal = f64::from(self.ampel.goal());
        let points = |player| f64::from(parts.signal_points(&self.triangle, player).count_ones());
        let lead = (captured(mine) - captured(other)) / goal;
        (0.8 * lead + OF_A_POINT * (points(mine) - points(other))).clamp(-0.95, 0.95)
    }
}

#[cfg(test)]
mod tests {
    use crate::random::Random;
    use crate::{AmpelGame, Game, Variant};

    fn ampel(name: &str) -> AmpelGame {
        let Variant::Ampel(game) = Variant::parse(name).unwrap() else {
            unreachable!()
        };
        game
    }

    // However a game runs, it ends in a ply that was possible from each position before.
    #[test]
    fn games_end_only_when_a_capture_was_possible() {
        for name in ["ampel-4-3-1", "ampel-5-3-3", "ampel-4-20-1:stuck-add=loss"] {
            let game = ampel(name);
            let (mut random, mut moves, mut ends) = (Random(1), Vec::new(), 0);
            for _ in 0..300 {
                let mut played = vec![game.start()];
                while played.len() < 200 {
                    let last = played[played.len() - 1];
                    game.moves(&last, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[random.below(moves.len() as u64) as usize];
                    played.push(game.play(&last, mv).to);
                }
                let end = played[played.len() - 1];
                if game.ending(&end).is_none() {
                    continue;
                }
                ends += 1;
                for (before, position) in played.iter().rev().enumerate().skip(1) {
                    let (plies, mine) = (before as u32, position.player() == end.player());
                    assert_eq!(game.last_win(position, mine, plies), plies, "{name}");
                }
            }
            assert!(ends > 100, "{name}: {ends}");
        }
    }

    #[test]
    fn steps_without_a_capture_are_skipped() {
        let game = ampel("ampel");
        let rows = "./y./.../..../...../....../......./......../........./........../...........";
        let at = |phase| {
            let text = format!("11 20 5 r {phase} 2 2 {rows}");
            game.parse_position(&text).unwrap()
        };
        let last = |phase, mine, within| game.last_win(&at(phase), mine, within);
        assert_eq!(
            [1, 2, 3, 6, 7, 8, 12].map(|n| last('1', true, n)),
            [1, 2, 2, 2, 7, 8, 8]
        );
        assert_eq!(
            [1, 3, 4, 5, 9, 10].map(|n| last('1', false, n)),
            [0, 0, 4, 5, 5, 10]
        );
        assert_eq!([1, 2, 5, 6, 7].map(|n| last('2', true, n)), [1, 1, 1, 6, 7]);
        assert_eq!([1, 4, 5, 6, 7].map(|n| last('3', true, n)), [0, 0, 5, 6, 6]);
        assert_eq!(
            [1, 2, 3, 7, 8].map(|n| last('3', false, n)),
            [0, 2, 3, 3, 8]
        );
    }

    #[test]
    fn estimates_lie_between_loss_and_win() {
        let game = ampel("ampel-5-3-3");
        let at = |text| {
            let position = game.parse_position(text).unwrap();
            game.judgement(&position).unwrap()
        };
        assert_eq!(at("5 3 3 r s 0 0 ./../.../..../....."), 0.0);
        assert!(at("5 3 3 r 1 1 0 ./../.y./.y../.....") > 0.3);
        assert!(at("5 3 3 g 1 1 0 ./../.y./.y../.....") < -0.3);
        assert_eq!(at("5 3 3 g x 1 2 ./../.../..../....."), 1.0);
    }
}
