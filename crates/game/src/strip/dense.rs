//! The dense index of strip games: the code with the strip at the east, above it the flag where there is one.
//!
//! ```text
//!   bit 2c          2c-1 ... 0         c squares, strip included
//!      | barred |  | code |
//! ```
//!
//! The side is no part of the index: positions that differ only in it have the same values, and
//! [`Dense::at`] gives the one with the strip at the east.

use crate::{
    Code, Dense, Game, LEAF_BITS, LeafMask, MAX_LEVEL, Metric, Packing, Side, Solvable, StripGame,
    StripPosition, Supply, Tier, engines,
};

impl StripGame {
    fn code_bits(&self) -> u32 {
        2 * self.rules().cells
    }

    // Whether the masks of the fixed board hold here: whole leaves with one state of the flag, and
    // no finished position but those with a line.
    fn shares_masks(&self) -> bool {
        let rules = self.board().board();
        let full = Code((1 << self.code_bits()) - 1);
        self.code_bits() >= LEAF_BITS
            && rules.supply == Supply::Unlimited
            && rules.levels == MAX_LEVEL
            && self.board().has_line(full)
    }
}

impl Solvable for StripGame {
    type Engine = engines::Loopy;
}

impl Dense for StripGame {
    fn indexable(&self) -> u128 {
        1 << (self.code_bits() + u32::from(self.has_flag()))
    }

    fn index(&self, position: &StripPosition) -> u64 {
        position.code.0 | u64::from(position.barred) << self.code_bits()
    }

    fn at(&self, index: u64) -> Option<StripPosition> {
        debug_assert!(u128::from(index) < self.indexable());
        let code = Code(index & ((1 << self.code_bits()) - 1));
        self.board().is_legal(code).then_some(StripPosition {
            code,
            side: Side::East,
            barred: index >> self.code_bits() != 0,
        })
    }

    fn tier(&self, position: &StripPosition) -> Tier {
        Tier(position.code.level_sum())
    }

    fn packing(&self, metric: Metric) -> Packing {
        self.board().packing(metric)
    }

    fn wins_at_once(&self, position: &StripPosition) -> bool {
        self.board().has_threat(position.code) || self.strip_threat(position)
    }

    fn leaf_mask(&self, packing: Packing, leaf: u64, mask: &mut LeafMask) {
        let first = leaf << LEAF_BITS;
        if !self.shares_masks() {
            mask.0.fill(0);
            let places = (self.indexable() - u128::from(first)).min(1 << LEAF_BITS) as u32;
            (0..places)
                .filter(|place| self.implied(packing, first + u64::from(*place)).is_none())
                .for_each(|place| mask.insert(place));
            return;
        }
        let leaves = 1 << (self.code_bits() - LEAF_BITS);
        self.board().leaf_mask(packing, leaf % leaves, mask);
        if leaf >= leaves || packing == Packing::Unfinished {
            return;
        }
        // The strip is free to move: leave out what it wins at once.
        for (number, word) in mask.0.iter_mut().enumerate() {
            let mut bits = *word;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let position = StripPosition {
                    code: Code(first + number as u64 * 64 + u64::from(bit)),
                    side: Side::East,
                    barred: false,
                };
                if self.strip_threat(&position) {
                    *word &= !(1 << bit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Implication, LEAF_WORDS};

    fn game(name: &str) -> StripGame {
        StripGame::named(name).unwrap()
    }

    #[test]
    fn the_index_is_the_frame_with_the_flag_above() {
        let slider = game("slider");
        assert_eq!(slider.indexable(), 1 << 25);
        assert_eq!(game("strip").indexable(), 1 << 24);
        let mut texts = Vec::new();
        for side in ["E", "S", "W", "N"] {
            let text = format!(".../.R./...+R.Y@{side},barred");
            let position = slider.parse_position(&text).unwrap();
            let index = slider.index(&position);
            assert_eq!(slider.index(&slider.at(index).unwrap()), index);
            texts.push(slider.position_text(&slider.at(index).unwrap()));
            assert_eq!(index >> 24, 1);
        }
        assert!(
            texts.iter().all(|text| text == ".../.R./...+R.Y@E,barred"),
            "{texts:?}"
        );
    }

    // Leaves at both flag states, from empty boards to full ones.
    #[test]
    fn masks_hold_what_is_not_implied() {
        for name in [
            "slider",
            "slider:score=win",
            "strip",
            "strip:sides=adjacent,repeat=ban",
        ] {
            let game = game(name);
            let leaves = (game.indexable() >> LEAF_BITS) as u64;
            let mut mask = LeafMask::default();
            for leaf in [0, 6, 27, 255, 256, 262, 511] {
                if leaf >= leaves {
                    continue;
                }
                for packing in [Packing::Unfinished, Packing::Undecided] {
                    game.leaf_mask(packing, leaf, &mut mask);
                    for place in 0..LEAF_WORDS as u32 * 64 {
                        let index = (leaf << LEAF_BITS) + u64::from(place);
                        assert_eq!(
                            mask.contains(place),
                            game.implied(packing, index).is_none(),
                            "{name}, {packing:?}, {index}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn moves_rise_or_stay_in_their_tier() {
        let slider = game("slider");
        let mut moves = Vec::new();
        for index in (0..1 << 25).step_by(9973) {
            let position = slider.at(index).unwrap();
            slider.moves(&position, &mut moves);
            for mv in &moves {
                let to = slider.play(&position, *mv).to;
                let stays = slider.tier(&to) == slider.tier(&position);
                assert_eq!(stays, to.barred);
                assert!(stays || slider.tier(&to).0 == slider.tier(&position).0 + 1);
                assert!(
                    !(stays && position.barred),
                    "strip moves never follow each other"
                );
            }
        }
    }

    #[test]
    fn what_wins_at_once_is_implied() {
        let strip = game("strip");
        let text = "RY./RY./...+R..@S";
        let position = strip.parse_position(text).unwrap();
        let index = strip.index(&position);
        assert_eq!(
            strip.implied(Packing::Undecided, index),
            Some(Implication::WonAtOnce)
        );
        assert_eq!(strip.implied(Packing::Unfinished, index), None);
        assert_eq!(strip.packing(Metric::Distance), Packing::Undecided);
        assert_eq!(game("slider").packing(Metric::Points), Packing::Unfinished);
    }
}
