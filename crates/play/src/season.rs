//! Many games together: how well each player played, where games were lost, which mistakes repeat.

use std::borrow::Borrow;

use greenwave_game::{AnyPosition, Game, Variant};
use greenwave_tablebase::SCHEMA;
use serde::Serialize;

use crate::{MoveMark, Review, ReviewPly};

/// The review of one game of several.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct GameReview {
    /// The file that the game is in.
    pub file: String,
    /// Which game of the file, from 1.
    pub game: usize,
    /// The player who moves first: a name, else `first`.
    pub first: String,
    /// The player who moves second: a name, else `second`.
    pub second: String,
    /// The review.
    #[serde(flatten)]
    pub review: Review,
}

/// In which third of a game the loser made the last mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LostIn {
    /// The first third.
    pub opening: u32,
    /// The second third.
    pub middle: u32,
    /// The last third.
    pub end: u32,
}

/// A mistake that a player made more than once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Repeated"))]
pub struct RepeatedMistake {
    /// The variant.
    pub variant: String,
    /// The order of its lights; `None` where it has none.
    pub lights: Option<&'static str>,
    /// The position; its images count as the same.
    pub position: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// How often.
    pub times: usize,
}

/// How a player played in all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PlayerReview {
    /// Version of the document.
    pub schema: u32,
    /// The name.
    pub player: String,
    /// The number of games.
    pub games: usize,
    /// The share of moves that kept the value, forced ones and those of which nothing is proven left out;
    /// `None` where there are no others.
    pub accuracy: Option<f64>,
    /// Where games were lost.
    pub lost_in: LostIn,
    /// Mistakes made more than once, the most frequent first.
    pub repeated: Vec<RepeatedMistake>,
}

/// A mistake up to the symmetries of the board: the game, and the least image of the positions before and
/// after.
type MistakeKey = (String, String, String);

/// What is counted of a player.
struct PlayerTotals {
    player: String,
    games: usize,
    kept: usize,
    judged: usize,
    lost_in: LostIn,
    mistakes: Vec<(MistakeKey, RepeatedMistake)>,
}

/// Sums the games up, one entry a player in the order in which they come up. Each game has its variant.
#[must_use]
pub fn season<V: Borrow<Variant>>(games: &[(GameReview, V)]) -> Vec<PlayerReview> {
    let mut players: Vec<PlayerTotals> = Vec::new();
    for (game, variant) in games {
        for (side, player) in [("first", &game.first), ("second", &game.second)] {
            let place = match players.iter().position(|known| known.player == *player) {
                Some(place) => place,
                None => {
                    players.push(PlayerTotals {
                        player: player.clone(),
                        games: 0,
                        kept: 0,
                        judged: 0,
                        lost_in: LostIn::default(),
                        mistakes: Vec::new(),
                    });
                    players.len() - 1
                }
            };
            players[place].add(&game.review, variant.borrow(), side);
        }
    }
    players.into_iter().map(PlayerTotals::summed).collect()
}

impl PlayerTotals {
    fn add(&mut self, review: &Review, variant: &Variant, side: &str) {
        self.games += 1;
        let own = review.plies.iter().filter(|ply| ply.by == side);
        let mut last_mistake = None;
        for ply in own {
            match ply.mark {
                MoveMark::Forced | MoveMark::Unknown => {}
                MoveMark::Best | MoveMark::Good | MoveMark::Only => {
                    self.judged += 1;
                    self.kept += 1;
                }
                MoveMark::Mistake => {
                    self.judged += 1;
                    last_mistake = Some(ply.ply);
                    self.mistaken(variant, ply);
                }
            }
        }
        let lost = review
            .result
            .is_some_and(|result| result != side && result != "draw");
        if let (true, Some(ply)) = (lost, last_mistake) {
            let all = review.plies.len();
            match (ply - 1) * 3 / all.max(1) {
                0 => self.lost_in.opening += 1,
                1 => self.lost_in.middle += 1,
                _ => self.lost_in.end += 1,
            }
        }
    }

    fn mistaken(&mut self, variant: &Variant, ply: &ReviewPly) {
        let same = same(variant, ply);
        match self.mistakes.iter_mut().find(|(known, _)| *known == same) {
            Some((_, repeated)) => repeated.times += 1,
            None => self.mistakes.push((
                same,
                RepeatedMistake {
                    variant: variant.rules().title().to_string(),
                    lights: variant.rules().lights_name(),
                    position: ply.from.clone(),
                    mv: ply.mv.clone(),
                    times: 1,
                },
            )),
        }
    }

    fn summed(self) -> PlayerReview {
        let mut repeated: Vec<RepeatedMistake> = self
            .mistakes
            .into_iter()
            .map(|(_, repeated)| repeated)
            .filter(|repeated| repeated.times > 1)
            .collect();
        repeated.sort_by_key(|repeated| std::cmp::Reverse(repeated.times));
        PlayerReview {
            schema: SCHEMA,
            player: self.player,
            games: self.games,
            accuracy: (self.judged > 0).then(|| self.kept as f64 / self.judged as f64),
            lost_in: self.lost_in,
            repeated,
        }
    }
}

/// A mistake in a form that its images share; where chance draws after the move, as it stands.
fn same(variant: &Variant, ply: &ReviewPly) -> MistakeKey {
    let name = variant.rules().title().to_string();
    let images = least(variant, &ply.at, &ply.mv);
    match images {
        Some((from, to)) => (name, from, to),
        None => (name, ply.from.clone(), ply.mv.clone()),
    }
}

/// The least image of the positions before and after a move.
fn least(variant: &Variant, before: &AnyPosition, mv: &str) -> Option<(String, String)> {
    let mv = variant.parse_move(before, mv).ok()?;
    let after = variant.play(before, mv).to;
    let images = (0..variant.symmetries()).map(|symmetry| {
        let image = |position| variant.image(position, symmetry);
        (image(before), image(&after))
    });
    let (before, after) = images.min()?;
    Some((
        variant.position_text(&before),
        variant.position_text(&after),
    ))
}

#[cfg(test)]
mod tests {
    use greenwave_tablebase::{Place, QueryOptions, Tablebase};

    use super::*;
    use crate::review_by;

    /// Games with names of the players, the position in which they begin, and moves.
    fn games(played: &[(&str, &str, Option<&str>, &str)]) -> Vec<(GameReview, Variant)> {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let variant = Variant::parse("classic-3x3").unwrap();
        let queries = tablebase
            .queries(&variant, &QueryOptions::default())
            .unwrap();
        let of = |(first, second, position, moves): &(&str, &str, Option<&str>, &str)| {
            let place = Place {
                position: *position,
                moves: Some(moves),
            };
            let game = GameReview {
                file: "games.txt".into(),
                game: 1,
                first: (*first).into(),
                second: (*second).into(),
                review: review_by(&queries, &place).unwrap(),
            };
            (game, variant.clone())
        };
        played.iter().map(of).collect()
    }

    #[test]
    fn moves_are_counted_and_mistakes_of_images_are_the_same() {
        let from = Some("R../.Y./..G");
        // The third game is the second one mirrored at the diagonal.
        let games = games(&[
            ("Ada", "Bob", None, "b2R"),
            ("Bob", "Ada", from, "a1R,a2R"),
            ("Bob", "Ada", from, "c3R,b3R"),
        ]);
        let marks: Vec<MoveMark> = games
            .iter()
            .flat_map(|(game, _)| &game.review.plies)
            .map(|ply| ply.mark)
            .collect();
        use MoveMark::{Best, Mistake, Only};
        assert_eq!(marks, [Best, Mistake, Only, Mistake, Only]);
        let players = season(&games);
        let [ada, bob] = &players[..] else {
            panic!("{players:?}")
        };
        assert_eq!(
            (&*ada.player, ada.games, ada.accuracy),
            ("Ada", 3, Some(1.0))
        );
        assert_eq!(
            (&*bob.player, bob.games, bob.accuracy),
            ("Bob", 3, Some(0.0))
        );
        assert!(ada.repeated.is_empty());
        assert_eq!(bob.repeated.len(), 1);
        assert_eq!((&*bob.repeated[0].mv, bob.repeated[0].times), ("a1R", 2));
        // Lost with the first of two plies.
        let opening = LostIn {
            opening: 2,
            ..LostIn::default()
        };
        assert_eq!((ada.lost_in, bob.lost_in), (LostIn::default(), opening));
    }
}
