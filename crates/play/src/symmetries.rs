//! The symmetries of one position, and its moves that they turn into each other.

use greenwave_game::{AnyPosition, Game, Variant};
use greenwave_words::Language;

/// The symmetries that leave a position as it is.
pub struct PositionSymmetries(Vec<usize>);

/// A move, and its images under the symmetries of the position: they are one move, in a mirror or turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOrbit {
    /// The first of them.
    pub mv: String,
    /// The others.
    pub images: Vec<String>,
}

impl MoveOrbit {
    /// What stands beside a text about the first of them and the answer to it: that the images are the same, mirrored
    /// or turned, or the two moves the other way round. Empty where there are none.
    #[must_use]
    pub fn images_said(
        &self,
        words: Language,
        answer: &str,
        named: impl Fn(&str) -> String,
    ) -> String {
        // The symmetry that makes the one the other makes the other the one.
        if self.images == [answer] {
            return format!(" {}", words.text("pair-reversed"));
        }
        let images: Vec<String> = self.images.iter().map(|mv| named(mv)).collect();
        if images.is_empty() {
            return String::new();
        }
        format!(" {}", words.with("pair-images", images.join(", ")))
    }

    /// The move and its images, with the names that `named` gives: `b1R (= c1R, b3R)`.
    #[must_use]
    pub fn named(&self, named: impl Fn(&str) -> String) -> String {
        let images: Vec<String> = self.images.iter().map(|mv| named(mv)).collect();
        let first = named(&self.mv);
        if images.is_empty() {
            first
        } else {
            format!("{first} (= {})", images.join(", "))
        }
    }
}

impl PositionSymmetries {
    /// Those of a position.
    #[must_use]
    pub fn of(variant: &Variant, position: &AnyPosition) -> PositionSymmetries {
        let fixed = |symmetry: &usize| variant.is_fixed(position, *symmetry);
        PositionSymmetries((0..variant.symmetries()).filter(fixed).collect())
    }

    /// The least image of another position.
    pub(crate) fn canonical(&self, variant: &Variant, position: &AnyPosition) -> AnyPosition {
        let images = self.0.iter();
        let images = images.map(|symmetry| variant.image(position, *symmetry));
        images.fold(*position, Ord::min)
    }

    /// The number of positions that they make of one.
    pub(crate) fn images(&self, variant: &Variant, position: &AnyPosition) -> u64 {
        let kept = self.0.iter();
        let kept = kept.filter(|symmetry| variant.is_fixed(position, **symmetry));
        (self.0.len() / kept.count().max(1)) as u64
    }

    /// Moves of the position as far as they differ, in their order; each comes with the position after it, unless
    /// chance draws before that.
    #[must_use]
    pub fn orbits<'m>(
        &self,
        variant: &Variant,
        moves: impl Iterator<Item = (&'m str, Option<AnyPosition>)>,
    ) -> Vec<MoveOrbit> {
        let mut orbits: Vec<MoveOrbit> = Vec::new();
        let mut seen: Vec<Option<AnyPosition>> = Vec::new();
        for (mv, after) in moves {
            let image = after.map(|after| self.canonical(variant, &after));
            let known = seen
                .iter()
                .position(|seen| image.is_some() && *seen == image);
            if let Some(known) = known {
                orbits[known].images.push(mv.to_string());
                continue;
            }
            seen.push(image);
            orbits.push(MoveOrbit {
                mv: mv.to_string(),
                images: Vec::new(),
            });
        }
        orbits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbits_of(name: &str, moves: &[&str]) -> Vec<String> {
        let variant = Variant::parse(name).unwrap();
        let mut at = variant.start();
        for mv in moves {
            at = variant.play(&at, variant.parse_move(&at, mv).unwrap()).to;
        }
        let texts = variant.move_texts(&at);
        let after = |mv: &str| variant.play(&at, variant.parse_move(&at, mv).unwrap()).to;
        let moves = texts.iter().map(|mv| (mv.as_str(), Some(after(mv))));
        let orbits = PositionSymmetries::of(&variant, &at).orbits(&variant, moves);
        orbits.iter().map(|one| one.named(str::to_string)).collect()
    }

    #[test]
    fn openings_of_a_board_are_as_few_as_its_symmetries_leave() {
        assert_eq!(
            orbits_of("classic-3x4", &[]),
            [
                "a1R (= d1R, a3R, d3R)",
                "b1R (= c1R, b3R, c3R)",
                "a2R (= d2R)",
                "b2R (= c2R)"
            ]
        );
        assert_eq!(orbits_of("classic-3x3", &["b2R", "a2R"]).len(), 6);
    }

    #[test]
    fn a_position_without_symmetry_has_no_images() {
        let orbits = orbits_of("classic-3x4", &["b1R"]);
        assert_eq!(orbits.len(), 12);
        assert!(orbits.iter().all(|one| !one.contains('=')), "{orbits:?}");
    }
}
