//! Bag positions and moves as text.

use super::{BagBase, BagGame, BagMove, BagPosition, BagSupply, Choice, Counters, Return, Stage};
use crate::notation::{TypedLight, typed_light};
use crate::words::counted;
use crate::{Fault, Game, MAX_LEVEL, Message, MoveError, Rules, SetupError, messages};

type PositionOf<B> = BagPosition<<B as Game>::Position>;
type MoveOf<B> = BagMove<<B as Game>::Move>;

impl<B: BagBase> BagGame<B> {
    /// `.../.../...;RRY;YGG;RG`; before a draw with the replaced counter that goes back after it in
    /// parentheses, `..Y/.../...;RGG;RYG;R(R)`.
    pub(super) fn write_position(&self, position: &PositionOf<B>) -> String {
        let held = match position.stage.held() {
            0 => String::new(),
            held => format!("({})", self.rules().order().letter(held)),
        };
        format!(
            "{};{};{};{}{held}",
            self.base().position_text(&position.base),
            position.own.text(self.rules()),
            position.other.text(self.rules()),
            position.market.text(self.rules())
        )
    }

    pub(super) fn read_position(&self, text: &str) -> Result<PositionOf<B>, SetupError> {
        let refuse = |faults| SetupError {
            text: text.into(),
            variant: self.rules().title().to_string(),
            faults,
            example: self.example(),
        };
        let parts: Vec<&str> = text.split(';').collect();
        let [board, own, other, market] = parts[..] else {
            let problem = messages::bag_parts(parts.len());
            return Err(refuse(vec![Fault::new(messages::place_parts(), problem)]));
        };
        let mut faults = Vec::new();
        let base = match self.base().parse_position(board) {
            Ok(base) => Some(base),
            Err(error) => {
                faults.extend(error.faults);
                None
            }
        };
        let rules = self.rules();
        let own = read_counters(messages::place_own_hand, own, rules, &mut faults);
        let other = read_counters(messages::place_other_hand, other, rules, &mut faults);
        let (market, held) = match market
            .strip_suffix(')')
            .and_then(|text| text.split_once('('))
        {
            Some((market, held)) => {
                if held.is_empty() {
                    faults.push(Fault::new(messages::place_market(), messages::bag_held()));
                }
                (market, held)
            }
            None => (market, ""),
        };
        let market = read_counters(messages::place_market, market, rules, &mut faults);
        let held = read_counters(messages::place_market, held, rules, &mut faults);
        let (Some(base), true) = (base, faults.is_empty()) else {
            return Err(refuse(faults));
        };
        let position = BagPosition {
            base,
            own,
            other,
            market,
            stage: Stage::Turn,
        };
        let stage = self.stage_of(&position, held, &mut faults);
        let position = BagPosition {
            stage: stage.unwrap_or(Stage::Turn),
            ..position
        };
        for level in 1..=MAX_LEVEL {
            if let (None, BagSupply::Each(number)) =
                (self.left(&position, level), self.bag().counters)
            {
                let letter = self.rules().order().letter(level);
                let problem = messages::bag_supply(self.outside(&position, level), letter, number);
                faults.push(Fault::new(messages::place_counters(), problem));
            }
        }
        if stage.is_none() || !faults.is_empty() {
            return Err(refuse(faults));
        }
        Ok(position)
    }

    // A position text that would do.
    fn example(&self) -> String {
        let hand = Counters::new([1, 1, 1]);
        let example = BagPosition {
            own: hand,
            other: hand,
            market: Counters::new([1, 0, 1]),
            ..self.start()
        };
        self.write_position(&example)
    }

    // The stage that fits the numbers of counters, and the one that goes back after a draw.
    fn stage_of(
        &self,
        position: &PositionOf<B>,
        held: Counters,
        faults: &mut Vec<Fault>,
    ) -> Option<Stage> {
        let sizes = [position.own, position.other, position.market].map(Counters::size);
        let code = self.base().code(&position.base);
        let over = self.base().line_ending(&position.base).is_some();
        let three = self.bag().choice == Choice::OfThree;
        let begun = code.level_sum() > 0;
        if held != Counters::EMPTY {
            // It lay under a counter of the next level.
            let fits =
                |level: &u8| code.count(level + 1) > 0 && held == Counters::EMPTY.with(*level);
            let level = (1..MAX_LEVEL).find(fits);
            let stage = match (sizes, level) {
                ([3, 3, 1], Some(held)) if !three => Some(Stage::Draw { held }),
                ([2, 3, 2], Some(held)) if three => Some(Stage::ThirdDraw { held }),
                _ => None,
            };
            if stage.is_none() || over || self.bag().returns == Return::BeforeDraw {
                faults.push(Fault::new(messages::place_market(), messages::bag_held()));
                return None;
            }
            return stage;
        }
        let stage = match sizes {
            [3, 3, 2] => return Some(Stage::Turn),
            [3, 2, 2] if over => return Some(Stage::Turn),
            [2, 3, 3] if three && !over => return Some(Stage::Take),
            [2, 3, 2] if three && begun && !over => return Some(Stage::ThirdDraw { held: 0 }),
            [3, 3, 1] if !three && begun && !over => return Some(Stage::Draw { held: 0 }),
            [0, 0, 0] => Some(Stage::Start),
            // Player 1 picks first: before each pick of player 2 the other hand is one ahead.
            [0, 0 | 1, 2] | [1, 1 | 2, 2] | [2, 2 | 3, 2] => Some(Stage::Pick),
            [0 | 1, 1, 1] | [1 | 2, 2, 1] | [2 | 3, 3, 1] => Some(Stage::DraftDraw),
            _ => None,
        };
        if let (Some(stage), false) = (stage, begun) {
            return Some(stage);
        }
        let [own, other, market] = sizes;
        if stage.is_some() {
            let problem = format!(
                "found {own}, {other} and {market} counters, which is the draft, but the board is \
                 not empty; expected hands of 3 and a market of 2 once play has begun"
            );
            faults.push(Fault::new("hands and market", problem));
            return None;
        }
        let inside = if three {
            ", or 2, 3 and 3 inside a turn (choice=3)"
        } else {
            ""
        };
        let places: [fn() -> Message; 3] = [
            messages::place_own_hand,
            messages::place_other_hand,
            messages::place_market,
        ];
        let piles = [(own, 3_u32), (other, 3), (market, 2)];
        for (place, (found, expected)) in places.into_iter().zip(piles) {
            if found != expected {
                let problem = match (three, found) {
                    (false, 0 | 2..) => messages::bag_hand(found, expected),
                    _ => format!(
                        "found {}, expected {expected}: a turn begins with hands of 3 and a market \
                         of 2{inside}; before each pick of the draft the market has 2, the board is \
                         empty and the hands are 0 0, 0 1, 1 1, 1 2, 2 2 or 2 3; before a draw \
                         the market has one less",
                        counted(found, "counter", "counters")
                    )
                    .into(),
                };
                faults.push(Fault::new(place(), problem));
            }
        }
        None
    }

    /// `+G`, `b2Y+G`, `b2Y`, `slide-N`, `miss`.
    pub(super) fn write_move(&self, position: &PositionOf<B>, mv: MoveOf<B>) -> String {
        match mv {
            BagMove::Pick(level) => format!("+{}", self.rules().order().letter(level)),
            BagMove::Miss => "miss".into(),
            BagMove::Play { mv, take } => {
                let mut text = self.base().move_text(&position.base, mv);
                if let Some(level) = take {
                    text.push('+');
                    text.push(self.rules().order().letter(level));
                }
                text
            }
        }
    }

    // A pick, a missed turn, or a move of the base game with or without a counter taken.
    fn is_written_as_move(&self, position: &PositionOf<B>, text: &str) -> bool {
        let head = match parted(text) {
            (head, None) => head,
            (head, Some(taken)) => {
                if taken_level(taken, self.rules()).is_none() {
                    return false;
                }
                if head.is_empty() {
                    return true;
                }
                head
            }
        };
        let read = self.base().parse_move(&position.base, head);
        head.eq_ignore_ascii_case("miss") || read.map_or_else(|error| error.readable, |_| true)
    }

    pub(super) fn read_move(
        &self,
        position: &PositionOf<B>,
        text: &str,
    ) -> Result<MoveOf<B>, MoveError> {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let readable = self.is_written_as_move(position, text);
        let refuse = |problem: Message| MoveError {
            readable,
            ..MoveError::among(self, position, &legal, text, problem)
        };
        let colour = |taken: &str| {
            taken_level(taken, self.rules()).ok_or_else(|| {
                let problem = format!(
                    "found '+{taken}', expected '+' and the colour of one counter of the market"
                );
                refuse(problem.into())
            })
        };
        if legal.is_empty() {
            let chance = !matches!(position.stage, Stage::Pick | Stage::Take | Stage::Turn);
            let problem = if chance {
                "a counter is to be drawn first"
            } else {
                "the game is over"
            };
            return Err(refuse(problem.into()));
        }
        let lacks = |level| {
            let letter = self.rules().order().letter(level);
            Message::from(format!("the market has no '{letter}'"))
        };
        let (head, taken) = parted(text);
        let take = taken.map(colour).transpose()?;
        if matches!(position.stage, Stage::Pick | Stage::Take) {
            return match (head, take) {
                ("", Some(level)) if position.market.count(level) > 0 => Ok(BagMove::Pick(level)),
                ("", Some(level)) => Err(refuse(lacks(level))),
                _ => Err(refuse(
                    "expected '+' and a colour: a counter is to be taken".into(),
                )),
            };
        }
        if head.eq_ignore_ascii_case("miss") && take.is_none() {
            return if legal.contains(&BagMove::Miss) {
                Ok(BagMove::Miss)
            } else {
                Err(refuse(
                    "a turn is missed only if no counter of the hand fits".into(),
                ))
            };
        }
        if head.is_empty() {
            return Err(refuse(
                "expected a square, its new light and the counter taken, such as 'b2R+G'".into(),
            ));
        }
        let mv = self
            .base()
            .parse_move(&position.base, head)
            .map_err(|error| refuse(error.problem))?;
        let wanted = BagMove::Play { mv, take };
        if legal.contains(&wanted) {
            return Ok(wanted);
        }
        let Some(below) = self.base().raised_level(&position.base, mv) else {
            return Err(refuse(match take {
                Some(_) => "no counter is taken when the strip moves".into(),
                None => "in this game the strip does not move now (option slide)".into(),
            }));
        };
        let letter = self.rules().order().letter(below + 1);
        if position.own.count(below + 1) == 0 {
            let problem = format!("that square takes '{letter}', of which the hand has none");
            return Err(refuse(problem.into()));
        }
        let ends = legal.contains(&BagMove::Play { mv, take: None });
        Err(refuse(match take {
            Some(level) if ends && self.bag().choice == Choice::OfTwo => format!(
                "the move ends the game, so no counter is taken; leave out '+{}'",
                self.rules().order().letter(level)
            )
            .into(),
            Some(_) if ends => {
                "with choice=3 the draw comes first; give the square alone, then take".into()
            }
            Some(level) => lacks(level),
            None => "expected '+' and the counter taken from the market behind it".into(),
        }))
    }
}

/// A move, and the counter that is taken, if the text has one.
fn parted(text: &str) -> (&str, Option<&str>) {
    match text.split_once('+') {
        Some((head, taken)) => (head.trim_end(), Some(taken.trim_start())),
        None => (text, None),
    }
}

/// The level of the counter that is taken.
fn taken_level(taken: &str, of: &Rules) -> Option<u8> {
    match typed_light(taken, of.order()) {
        Some(TypedLight::Level(level)) => Some(level),
        Some(TypedLight::GreenOrRed | TypedLight::Unsaid) | None => None,
    }
}

/// The counters of a pile, whose name faults say.
fn read_counters(
    place: fn() -> Message,
    text: &str,
    of: &Rules,
    faults: &mut Vec<Fault>,
) -> Counters {
    let mut counters = Counters::EMPTY;
    let mut size = 0;
    for (number, letter) in text.chars().enumerate() {
        match of.order().level(letter) {
            Some(level @ 1..) if size < 100 => {
                counters = counters.with(level);
                size += 1;
            }
            Some(1..) => {}
            _ => {
                let letters = [1, 2, 3].map(|level| format!("'{}'", of.order().letter(level)));
                let problem = messages::bag_counter(letter, letters.join(" "));
                let place = messages::pile_character(place(), number + 1);
                faults.push(Fault::new(place, problem));
            }
        }
    }
    counters
}
