//! The index of a position: the key of its canonical form.

use super::keys::keys;
use super::{AmpelGame, AmpelPosition, extent};
use crate::{Dense, Game, Numbering, Solvable, Tier, engines};

impl AmpelGame {
    fn key(&self, position: &AmpelPosition) -> u64 {
        match &self.numbering {
            Some(numbering) => numbering.key(self.triangle.board, &self.parts(position)),
            None => panic!("{} has too many positions for an index", self.rules.name),
        }
    }

    fn at_key(&self, key: u64) -> Option<AmpelPosition> {
        let parts = self.numbering.as_ref()?.parts(key)?;
        Some(AmpelPosition::new(&parts))
    }
}

/// Positions are listed. A game with too many positions for that, such as the full one, has an
/// [`indexable`](Dense::indexable) of more than 2^[`LISTED_BITS`](crate::LISTED_BITS), and callers must not ask for an
/// index.
impl Solvable for AmpelGame {
    type Engine = engines::Retrograde;
}

impl Dense for AmpelGame {
    fn indexable(&self) -> u128 {
        keys(self.triangle.len(), &self.ampel)
    }

    fn expected_positions(&self) -> u128 {
        extent::at_most(&self.triangle, &self.ampel)
    }

    fn index(&self, position: &AmpelPosition) -> u64 {
        self.key(&self.canonical(position))
    }

    fn at(&self, index: u64) -> Option<AmpelPosition> {
        let position = self.at_key(index)?;
        let parts = self.parts(&position);
        (self.can_be(&parts) && self.canonical(&position) == position).then_some(position)
    }

    fn at_unchecked(&self, index: u64) -> Option<AmpelPosition> {
        self.at_key(index)
    }

    fn tier(&self, _: &AmpelPosition) -> Tier {
        Tier(0)
    }

    fn numbering(&self) -> Numbering {
        Numbering::Listed
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::count_boards;
    use super::*;
    use crate::{LISTED_BITS, Variant};

    fn ampel(name: &str) -> AmpelGame {
        let Variant::Ampel(game) = Variant::parse(name).unwrap() else {
            unreachable!()
        };
        game
    }

    // Counts of boards: nestorgames' pieces on small triangles, counted independently.
    #[test]
    fn boards_are_counted() {
        let boards = |name| {
            let game = ampel(name);
            count_boards(game.triangle.len(), &game.ampel)
        };
        assert_eq!(boards("ampel-4-2-1"), 16_411);
        assert_eq!(boards("ampel-4-3-1"), 81_331);
        assert!((boards("ampel-5-3-3") as f64 / 29.3e6 - 1.0).abs() < 0.01);
        assert!((boards("ampel-6-3-3") as f64 / 0.99e9 - 1.0).abs() < 0.01);
        assert!((boards("ampel") as f64 / 2.7e35 - 1.0).abs() < 0.02);
    }

    #[test]
    fn keys_and_positions_are_inverse() {
        for name in ["ampel-4-2-1", "ampel-5-3-3", "ampel-6-3-2", "ampel-9-2-1"] {
            let game = ampel(name);
            let keys = game.indexable();
            let (mut found, mut canonical) = (0, 0);
            for sample in 0..200_000_u64 {
                let spread = u128::from(sample.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let key = ((spread * keys) >> 64) as u64;
                let Some(position) = game.at_key(key) else {
                    continue;
                };
                if !game.can_be(&game.parts(&position)) {
                    assert_eq!(game.at(key), None, "{name}: {position:?}");
                    continue;
                }
                assert_eq!(game.key(&position), key, "{name}: {position:?}");
                found += 1;
                if game.at(key).is_some() {
                    assert_eq!(game.index(&position), key, "{name}: {position:?}");
                    canonical += 1;
                }
            }
            assert!(
                found > 1_000 && canonical > found / 7,
                "{name}: {found}, {canonical}"
            );
            assert!(canonical < found / 5, "{name}: {found}, {canonical}");
            assert_eq!(game.at_key(keys as u64), None);
            assert_eq!(game.at(game.index(&game.start())), Some(game.start()));
        }
        assert!(ampel("ampel").indexable() >> LISTED_BITS > 0);
    }
}
