//! Every law can be broken: a game bent in one way is caught by the law against it.

use greenwave_game::{
    Advance, BoardGame, Code, Dense, Diagram, Edge, Ending, Game, Implication, LeafMask, Lights,
    Metric, MoveError, Outcome, Packing, Raise, Rules, SetupError, Tier, Turn, Variant,
};
use greenwave_testkit::{PositionSample, laws};

/// In which way the game is bent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bend {
    Nothing,
    MovesAfterTheEnd,
    NoMoves,
    MoveTwice,
    DrawTwice,
    ListKept,
    TurnKept,
    LuckUndeclared,
    DrawnEnding,
    Gain,
    WonEnding,
    Circle,
    PictureWrong,
    PlaceTwice,
    PositionText,
    PositionTextSame,
    MoveText,
    MoveTextSame,
    UnlistedMove,
    OtherLegal,
    Order,
    Identity,
    Inverse,
    NoInverse,
    Image,
    Canonical,
    Index,
    IndexOutside,
    IllegalIndex,
    SameTier,
    LowerTier,
    WinsAtOnce,
    Implied,
    Mask,
    Descends,
    Wave,
    Blocks,
}

struct Bent {
    inner: BoardGame,
    bend: Bend,
    rules: Rules,
}

impl Bent {
    fn new(name: &str, bend: Bend) -> Bent {
        let Ok(Variant::Board(inner)) = Variant::parse(name) else {
            panic!("{name} is a board")
        };
        let mut rules = inner.rules().clone();
        if bend == Bend::Circle {
            rules.properties.advance = Advance::Acyclic;
        } else if bend == Bend::LowerTier {
            rules.properties.advance = Advance::Repeats;
        } else if bend == Bend::TurnKept {
            rules.properties.turn = Turn::Alternates;
        }
        Bent { inner, bend, rules }
    }

    fn is(&self, bend: Bend) -> bool {
        self.bend == bend
    }

    fn odd(&self, position: &Code, bend: Bend) -> bool {
        self.is(bend) && position.level_sum() % 3 == 2
    }
}

// The same game written in the other order of the lights.
fn green_first(game: &BoardGame) -> BoardGame {
    let mut other = game.clone();
    other.set_lights(Lights::Gyr);
    other
}

impl Game for Bent {
    type Position = Code;
    type Move = Raise;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_words(&self) -> Vec<greenwave_game::Sentence> {
        self.inner.in_words()
    }

    fn start(&self) -> Code {
        self.inner.start()
    }

    fn ending(&self, position: &Code) -> Option<Ending> {
        let ending = self.inner.ending(position)?;
        let outcome = if self.is(Bend::DrawnEnding) {
            Outcome::Draw
        } else if self.is(Bend::WonEnding) {
            Outcome::Win
        } else {
            ending.outcome
        };
        Some(Ending { outcome, ..ending })
    }

    fn moves(&self, position: &Code, out: &mut Vec<Raise>) {
        let kept = if self.is(Bend::ListKept) {
            out.clone()
        } else {
            Vec::new()
        };
        self.inner.moves(position, out);
        out.extend(kept);
        if self.odd(position, Bend::MovesAfterTheEnd) && out.is_empty() {
            out.push(Raise(greenwave_game::Cell(0)));
            out.retain(|Raise(cell)| position.level(*cell) < 3);
        }
        if self.odd(position, Bend::NoMoves) {
            out.clear();
        }
        if self.odd(position, Bend::MoveTwice) {
            out.extend(out.first().copied());
        }
        if self.odd(position, Bend::Order) {
            out.reverse();
        }
    }

    fn play(&self, position: &Code, mv: Raise) -> Edge<Code> {
        let mut edge = self.inner.play(position, mv);
        edge.keeps_turn = self.odd(position, Bend::TurnKept);
        edge.gain = i32::from(self.odd(position, Bend::Gain));
        if self.odd(position, Bend::Circle) {
            edge.to = *position;
        }
        if self.odd(position, Bend::LowerTier) || self.odd(position, Bend::Descends) {
            edge.to = Code::EMPTY;
        }
        edge
    }

    fn draws(&self, position: &Code, out: &mut Vec<(Code, u32)>) {
        out.clear();
        if self.odd(position, Bend::LuckUndeclared) || self.odd(position, Bend::DrawTwice) {
            out.push((*position, 1));
        }
        if self.odd(position, Bend::DrawTwice) {
            out.push((*position, 1));
        }
    }

    fn symmetries(&self) -> usize {
        self.inner.symmetries()
    }

    fn image(&self, position: &Code, symmetry: usize) -> Code {
        if self.is(Bend::Identity) {
            return self.inner.image(position, self.symmetries() - 1 - symmetry);
        }
        if self.is(Bend::Image) && symmetry == 1 {
            // Its own inverse, but no symmetry: the lowest square goes up and down.
            return Code(position.0 ^ 3);
        }
        self.inner.image(position, symmetry)
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        if self.is(Bend::Inverse) {
            0
        } else if self.is(Bend::NoInverse) {
            self.symmetries()
        } else {
            self.inner.inverse_symmetry(symmetry)
        }
    }

    fn canonical(&self, position: &Code) -> Code {
        if self.is(Bend::Canonical) {
            return *position;
        }
        (0..self.symmetries())
            .map(|symmetry| self.image(position, symmetry))
            .min()
            .unwrap_or(*position)
    }

    fn position_text(&self, position: &Code) -> String {
        if self.is(Bend::PositionText) {
            green_first(&self.inner).position_text(position)
        } else if self.is(Bend::PositionTextSame) {
            self.inner.position_text(&Code::EMPTY)
        } else {
            self.inner.position_text(position)
        }
    }

    fn parse_position(&self, text: &str) -> Result<Code, SetupError> {
        self.inner.parse_position(text)
    }

    fn move_text(&self, position: &Code, mv: Raise) -> String {
        if self.is(Bend::MoveText) {
            green_first(&self.inner).move_text(position, mv)
        } else if self.is(Bend::MoveTextSame) {
            "a1".into()
        } else {
            self.inner.move_text(position, mv)
        }
    }

    fn parse_move(&self, position: &Code, text: &str) -> Result<Raise, MoveError> {
        let read = self.inner.parse_move(position, text);
        match (self.bend, read) {
            (Bend::UnlistedMove, Err(_)) if text == "a" => Ok(Raise(greenwave_game::Cell(31))),
            (Bend::OtherLegal, Err(error)) => Err(MoveError {
                legal: vec!["a1R".into()],
                ..error
            }),
            (_, read) => read,
        }
    }

    fn diagram(&self, position: &Code) -> Diagram {
        let shown = if self.is(Bend::PictureWrong) {
            Code::EMPTY
        } else {
            *position
        };
        let mut diagram = self.inner.diagram(&shown);
        if self.is(Bend::PlaceTwice) {
            diagram.marks[1].0 = diagram.marks[0].0;
        }
        diagram
    }
}

impl Dense for Bent {
    fn indexable(&self) -> u128 {
        let indices = self.inner.indexable();
        if self.is(Bend::Blocks) {
            indices + 1
        } else {
            indices
        }
    }

    fn index(&self, position: &Code) -> u64 {
        if self.is(Bend::Index) {
            position.0 ^ 1
        } else if self.is(Bend::IndexOutside) {
            position.0 << 20
        } else {
            self.inner.index(position)
        }
    }

    fn at(&self, index: u64) -> Option<Code> {
        let legal = !(self.is(Bend::IllegalIndex) && index % 7 == 3);
        let inside = u128::from(index) < self.inner.indexable();
        (legal && inside).then(|| self.inner.at(index)).flatten()
    }

    fn tier(&self, position: &Code) -> Tier {
        if self.is(Bend::SameTier) {
            return Tier(0);
        }
        self.inner.tier(position)
    }

    fn packing(&self, metric: Metric) -> Packing {
        self.inner.packing(metric)
    }

    fn wins_at_once(&self, position: &Code) -> bool {
        self.inner.wins_at_once(position) != self.odd(position, Bend::WinsAtOnce)
    }

    fn implied(&self, packing: Packing, index: u64) -> Option<Implication> {
        let bent = self.is(Bend::Implied) && index % 5 == 1;
        if bent || self.at(index).is_none() {
            Some(Implication::Illegal)
        } else {
            self.inner.implied(packing, index)
        }
    }

    fn block_len(&self) -> Option<u64> {
        if self.is(Bend::Wave) {
            Some(4)
        } else {
            self.inner.block_len()
        }
    }

    fn wave(&self, _block: u64) -> u32 {
        0
    }

    fn leaf_mask(&self, packing: Packing, leaf: u64, mask: &mut LeafMask) {
        self.inner.leaf_mask(packing, leaf, mask);
        if self.is(Bend::Mask) {
            mask.insert(63);
        }
    }
}

fn caught(bend: Bend) -> Vec<String> {
    let game = Bent::new("classic-2x3", bend);
    let sample = PositionSample {
        seed: 1,
        positions: PositionSample::of_all(&Bent::new("classic-2x3", Bend::Nothing).inner)
            .positions
            .repeat(2),
    };
    let broken = laws::of_game(&game, &sample)
        .into_iter()
        .chain(laws::of_dense(&game, &sample))
        .chain(laws::of_ascending(&game, &sample))
        .chain(laws::of_leaves(&game, [0]));
    broken.map(|breach| breach.to_string()).collect()
}

#[test]
fn a_straight_game_breaks_no_law() {
    assert_eq!(caught(Bend::Nothing), Vec::<String>::new());
}

#[test]
fn each_bend_is_caught_by_its_law() {
    let laws = [
        (Bend::MovesAfterTheEnd, "exactly one of them"),
        (Bend::NoMoves, "exactly one of them"),
        (Bend::MoveTwice, "listed twice"),
        (Bend::DrawTwice, "listed twice"),
        (Bend::ListKept, "filled afresh"),
        (Bend::TurnKept, "no move keeps the turn"),
        (Bend::LuckUndeclared, "only declared chance draws"),
        (Bend::DrawnEnding, "endings are of the declared kind"),
        (Bend::Gain, "nothing is gained"),
        (Bend::WonEnding, "nimbers exist only where"),
        (Bend::Circle, "none comes again"),
        (Bend::PictureWrong, "the picture shows"),
        (Bend::PlaceTwice, "the picture shows"),
        (Bend::PositionText, "position texts are read back"),
        (
            Bend::PositionTextSame,
            "different positions have different texts",
        ),
        (Bend::MoveText, "move texts are read back"),
        (Bend::MoveTextSame, "move texts are read back"),
        (Bend::UnlistedMove, "a move that is not listed"),
        (Bend::OtherLegal, "a move that is not listed"),
        (Bend::Order, "moves are listed in order"),
        (Bend::Identity, "symmetry number 0"),
        (Bend::Inverse, "has its inverse"),
        (Bend::NoInverse, "has its inverse"),
        (Bend::Image, "carry moves, draws and endings over"),
        (Bend::Canonical, "the canonical form"),
        (Bend::Index, "index and position are inverse"),
        (Bend::IndexOutside, "index and position are inverse"),
        (Bend::IllegalIndex, "index and position are inverse"),
        (Bend::SameTier, "the tiers that are declared"),
        (Bend::LowerTier, "the tiers that are declared"),
        (Bend::WinsAtOnce, "won at once has a move"),
        (Bend::Implied, "an index is implied when"),
        (Bend::Mask, "leaf masks hold exactly"),
        (Bend::Descends, "children have higher indices"),
        (Bend::Wave, "children have higher indices"),
        (Bend::Blocks, "whole number of blocks"),
    ];
    for (bend, law) in laws {
        let broken = caught(bend);
        assert!(
            broken.iter().any(|breach| breach.contains(law)),
            "{bend:?}: {broken:#?}"
        );
    }
}
