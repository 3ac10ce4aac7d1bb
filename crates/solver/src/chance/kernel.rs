//! One board: from the entries of the boards one level up to its 600 values, and from those to the
//! entries for the boards one level down.
//!
//! Three numbers go together through every step, each in an array of its own: expectation, win
//! probability and loss probability. The innermost index is always a hand of the player who does
//! *not* decide, so the inner loops run over neighbouring numbers without branches. Sums have a fixed
//! order and nothing is contracted into fused operations, so the values are the same on every machine
//! and for any number of threads.
//!
//! ```text
//! entries of the children ──best over squares──▶ values [own 10][market 6][other 10]
//! values, seen by the opponent ──average over the draw──▶ [hand 10][single 3][opponent 10]
//!                              ──best over what is taken──▶ entries [pair 6][market 6][opponent 10]
//! ```

use greenwave_game::{BagRules, BagSupply, Choice, Code, Return, TIE};

use super::hands::{ENTRIES, HANDS, Hands, PAIRS, PER_HAND, SINGLES, STATES};

/// Expectation, win and loss of every state of a board, for the player to move.
pub(crate) type BoardOdds = Triple<STATES>;
/// Expectation, win and loss for the player who has just played a counter here, before taking.
pub(crate) type Entries = Triple<ENTRIES>;

/// Three numbers for each of `N` cases.
#[derive(Clone, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Triple<const N: usize> {
    pub(crate) expectation: [f64; N],
    pub(crate) win: [f64; N],
    pub(crate) loss: [f64; N],
}

impl<const N: usize> Triple<N> {
    pub(crate) const ZERO: Triple<N> = Triple {
        expectation: [0.0; N],
        win: [0.0; N],
        loss: [0.0; N],
    };

    /// Nothing to choose from yet.
    pub(crate) const NONE: Triple<N> = Triple {
        expectation: [f64::NEG_INFINITY; N],
        win: [0.0; N],
        loss: [0.0; N],
    };

    pub(crate) fn get(&self, at: usize) -> [f64; 3] {
        [self.expectation[at], self.win[at], self.loss[at]]
    }

    pub(crate) fn set(&mut self, at: usize, [expectation, win, loss]: [f64; 3]) {
        self.expectation[at] = expectation;
        self.win[at] = win;
        self.loss[at] = loss;
    }

    // `count` cases from `at` on.
    fn part(&self, at: usize, count: usize) -> CaseSlice<'_> {
        CaseSlice {
            expectation: &self.expectation[at..at + count],
            win: &self.win[at..at + count],
            loss: &self.loss[at..at + count],
        }
    }

    // Takes the offered cases, one after the other, where they are better than what is there from
    // `at` on.
    fn improve(&mut self, at: usize, offer: CaseSlice<'_>) {
        let count = offer.expectation.len();
        let expectation = &mut self.expectation[at..at + count];
        let (win, loss) = (
            &mut self.win[at..at + count],
            &mut self.loss[at..at + count],
        );
        let (offer_win, offer_loss) = (&offer.win[..count], &offer.loss[..count]);
        for i in 0..count {
            let new = [offer.expectation[i], offer_win[i], offer_loss[i]];
            let [e, w, l] = better([expectation[i], win[i], loss[i]], new);
            expectation[i] = e;
            win[i] = w;
            loss[i] = l;
        }
    }
}

/// Borrowed cases.
#[derive(Clone, Copy)]
struct CaseSlice<'a> {
    expectation: &'a [f64],
    win: &'a [f64],
    loss: &'a [f64],
}

/// The better of two moves for the player who makes them, by the rule of
/// [`preferred`](greenwave_game::preferred); the larger of the two expectations is kept.
#[inline(always)]
pub(crate) fn better([e, w, l]: [f64; 3], [new_e, new_w, new_l]: [f64; 3]) -> [f64; 3] {
    let takes = (new_e > e + TIE) | ((new_e >= e - TIE) & (new_w > w + TIE));
    [
        if new_e > e { new_e } else { e },
        if takes { new_w } else { w },
        if takes { new_l } else { l },
    ]
}

/// The other player's view.
#[inline(always)]
pub(crate) fn turned([e, w, l]: [f64; 3]) -> [f64; 3] {
    // Not −e, so that zero keeps its sign.
    [0.0 - e, l, w]
}

/// What a raise leads to.
pub(crate) enum RaiseResult<'a> {
    /// A completed line, worth this much to the player who raises.
    Line(f64),
    /// The entries of the board, by the level of the replaced counter where that matters.
    Board(&'a [Entries]),
}

/// The rules and tables that every board shares.
#[derive(Debug)]
pub(crate) struct BagTables {
    pub(crate) hands: Hands,
    pub(crate) cells: u32,
    rules: BagRules,
}

impl BagTables {
    pub(crate) fn new(cells: u32, rules: BagRules) -> BagTables {
        BagTables {
            hands: Hands::new(),
            cells,
            rules,
        }
    }

    /// Entries that a board needs: one for each level of a counter that is kept from the bag.
    pub(crate) fn variants(&self) -> usize {
        match self.rules.returns {
            Return::BeforeDraw => 1,
            Return::AfterTurn => 3,
        }
    }

    /// Levels, as bits `level − 1`, of the counters that fit somewhere on a board.
    pub(crate) fn fitting(&self, code: Code) -> u8 {
        let on_board = [1, 2, 3].map(|level| code.count(level));
        let squares = [
            self.cells - on_board.iter().sum::<u32>(),
            on_board[0],
            on_board[1],
        ];
        (0..3).fold(0, |set, level| set | u8::from(squares[level] > 0) << level)
    }

    /// Offers a raise of a square of level `below` to all hands that can make it.
    pub(crate) fn raise(&self, values: &mut BoardOdds, below: usize, child: &RaiseResult<'_>) {
        match child {
            RaiseResult::Line(gain) => {
                let won = Triple::<PER_HAND> {
                    expectation: [*gain; PER_HAND],
                    win: [1.0; PER_HAND],
                    loss: [0.0; PER_HAND],
                };
                for pair in 0..PAIRS {
                    let hand = self.hands.pair_and[pair][below];
                    values.improve(hand * PER_HAND, won.part(0, PER_HAND));
                }
            }
            RaiseResult::Board(entries) => {
                let entries = &entries[if entries.len() == 1 { 0 } else { below }];
                for pair in 0..PAIRS {
                    let hand = self.hands.pair_and[pair][below];
                    values.improve(hand * PER_HAND, entries.part(pair * PER_HAND, PER_HAND));
                }
            }
        }
    }

    /// Fills in the states in which the player to move cannot play: missed turns, and draws where
    /// the other player cannot play either. All others must be there.
    pub(crate) fn miss(&self, values: &mut BoardOdds, fitting: u8) {
        let fits = |hand: usize| self.hands.levels[hand] & fitting != 0;
        for own in (0..HANDS).filter(|own| !fits(*own)) {
            for other in 0..HANDS {
                for market in 0..PAIRS {
                    let odds = if fits(other) {
                        turned(values.get(Hands::at(other, market, own)))
                    } else {
                        [0.0; 3]
                    };
                    values.set(Hands::at(own, market, other), odds);
                }
            }
        }
    }

    /// The entries of a board from its values; `held` is the level of a replaced counter that is not
    /// yet in the bag, 0 for none.
    pub(crate) fn entries(&self, values: &BoardOdds, code: Code, held: usize, out: &mut Entries) {
        // The same values seen by the player who has just moved, by own hand, market and opponent's hand.
        let mut seen = BoardOdds::ZERO;
        for own in 0..HANDS {
            for market in 0..PAIRS {
                for opponent in 0..HANDS {
                    let odds = turned(values.get(Hands::at(opponent, market, own)));
                    seen.set(Hands::at(own, market, opponent), odds);
                }
            }
        }
        *out = Entries::NONE;
        let bag = Bag::new(self, code, held);
        match self.rules.choice {
            Choice::OfTwo => self.take_then_draw(&seen, &bag, out),
            Choice::OfThree => self.draw_then_take(&seen, &bag, out),
        }
    }

    fn take_then_draw(&self, seen: &BoardOdds, bag: &Bag<'_>, out: &mut Entries) {
        // By own hand, the one left in the market, and the opponent's hand.
        let mut drawn = Triple::<{ HANDS * SINGLES * HANDS }>::ZERO;
        for own in 0..HANDS {
            for single in 0..SINGLES {
                let weights = bag.weights(self.hands.three_and_single[own][single]);
                let markets = self.hands.single_and[single];
                let from = markets.map(|market| seen.part(Hands::at(own, market, 0), HANDS));
                let at = (own * SINGLES + single) * HANDS;
                average(&mut drawn, at, &weights, from, bag.total);
            }
        }
        for pair in 0..PAIRS {
            for market in 0..PAIRS {
                for (taken, single) in &self.hands.from_pair[market] {
                    let own = self.hands.pair_and[pair][*taken];
                    let offer = drawn.part((own * SINGLES + single) * HANDS, HANDS);
                    out.improve((pair * PAIRS + market) * HANDS, offer);
                }
            }
        }
    }

    fn draw_then_take(&self, seen: &BoardOdds, bag: &Bag<'_>, out: &mut Entries) {
        // By the pair in the hand, the market of three, and the opponent's hand.
        let mut taken = Triple::<{ PAIRS * HANDS * HANDS }>::NONE;
        for pair in 0..PAIRS {
            for three in 0..HANDS {
                for (level, market) in &self.hands.from_three[three] {
                    let own = self.hands.pair_and[pair][*level];
                    let offer = seen.part(Hands::at(own, *market, 0), HANDS);
                    taken.improve((pair * HANDS + three) * HANDS, offer);
                }
            }
        }
        for pair in 0..PAIRS {
            for market in 0..PAIRS {
                let weights = bag.weights(self.hands.two_pairs[pair][market]);
                let from = self.hands.pair_and[market]
                    .map(|three| taken.part((pair * HANDS + three) * HANDS, HANDS));
                let at = (pair * PAIRS + market) * HANDS;
                average(out, at, &weights, from, bag.total);
            }
        }
    }
}

/// What is left in the bag at the draw that follows a play to a board.
struct Bag<'a> {
    hands: &'a Hands,
    // Counters of each colour that are not on the board, and their number in the bag at the draw;
    // `None` for a bag without a limit.
    left: Option<[i32; 3]>,
    total: f64,
}

impl Bag<'_> {
    fn new<'a>(kernel: &'a BagTables, code: Code, held: usize) -> Bag<'a> {
        let hands = &kernel.hands;
        let BagSupply::Each(number) = kernel.rules.counters else {
            return Bag {
                hands,
                left: None,
                total: 3.0,
            };
        };
        let left: [i32; 3] = std::array::from_fn(|colour| {
            let on_board = code.count(colour as u8 + 1) as i32;
            number as i32 - on_board - i32::from(colour + 1 == held)
        });
        // Two hands of three and one counter in the market, or hands of three and two and a full
        // market.
        let total = left.iter().sum::<i32>() - 7;
        Bag {
            hands,
            left: Some(left),
            total: f64::from(total),
        }
    }

    // Number of counters of each colour in the bag, by the opponent's hand, when the player has
    // those counters in hand and market; zero where the supply is too small.
    fn weights(&self, own: [i32; 3]) -> [[f64; HANDS]; 3] {
        let Some(left) = self.left else {
            return [[1.0; HANDS]; 3];
        };
        std::array::from_fn(|colour| {
            std::array::from_fn(|hand| {
                let count = left[colour] - own[colour] - self.hands.counts[hand][colour];
                f64::from(count.max(0))
            })
        })
    }
}

// The average over the three colours, by the opponent's hand.
fn average<const N: usize>(
    out: &mut Triple<N>,
    at: usize,
    weights: &[[f64; HANDS]; 3],
    from: [CaseSlice<'_>; 3],
    total: f64,
) {
    let mean = |parts: [&[f64]; 3], out: &mut [f64]| {
        let [first, second, third] = parts.map(|part| &part[..HANDS]);
        for i in 0..HANDS {
            let sum =
                weights[0][i] * first[i] + weights[1][i] * second[i] + weights[2][i] * third[i];
            out[i] = sum / total;
        }
    };
    mean(
        from.map(|part| part.expectation),
        &mut out.expectation[at..at + HANDS],
    );
    mean(from.map(|part| part.win), &mut out.win[at..at + HANDS]);
    mean(from.map(|part| part.loss), &mut out.loss[at..at + HANDS]);
}
