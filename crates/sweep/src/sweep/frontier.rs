//! Counting boards that avoid patterns, square by square, without looking at the boards.
//!
//! The squares are filled one after the other. Of the boards filled so far, only some levels
//! matter: those that a pattern not yet complete still needs (the *frontier*). So it suffices to
//! know the number of boards for each combination of those. A board of 4 × 5 squares has 1.1 × 10¹²
//! positions but a frontier of eight squares: 65,536 combinations. Levels that no such pattern asks
//! for on a square are one.

use super::pattern::Pattern;
use super::store::Store;

/// A number of boards, and its bytes; of a kind that holds all boards there are, so adding needs no check.
trait Count<const B: usize>: Copy + Default + PartialEq + Into<u128> {
    const ONE: Self;

    fn plus(self, more: Self) -> Self;

    fn of(bytes: [u8; B]) -> Self;

    fn bytes(self) -> [u8; B];
}

impl Count<8> for u64 {
    const ONE: u64 = 1;

    fn plus(self, more: u64) -> u64 {
        self.wrapping_add(more)
    }

    fn of(bytes: [u8; 8]) -> u64 {
        u64::from_ne_bytes(bytes)
    }

    fn bytes(self) -> [u8; 8] {
        self.to_ne_bytes()
    }
}

impl Count<16> for u128 {
    const ONE: u128 = 1;

    fn plus(self, more: u128) -> u128 {
        self.wrapping_add(more)
    }

    fn of(bytes: [u8; 16]) -> u128 {
        u128::from_ne_bytes(bytes)
    }

    fn bytes(self) -> [u8; 16] {
        self.to_ne_bytes()
    }
}

/// Whether all boards of this many squares are fewer than 2⁶⁴; of 32 they are as many, and fewer where
/// some show a pattern.
fn fit_a_word(squares: &[u32], patterns: &[Pattern]) -> bool {
    squares.len() <= 31 || squares.len() == 32 && !patterns.is_empty()
}

/// How many boards show none of the patterns, by level sum over the squares of `weighed`.
///
/// `squares` are the squares to be filled, in order, each with levels 0 to `top`; patterns lie
/// wholly on them. `None` when the frontier is so wide that this would take more than `most` bytes.
pub(crate) fn count_avoiding(
    squares: &[u32],
    top: u8,
    patterns: &[Pattern],
    weighed: u64,
    most: u128,
) -> Option<Vec<u128>> {
    if fit_a_word(squares, patterns) {
        count_in::<8, u64>(squares, top, patterns, weighed, most)
    } else {
        count_in::<16, u128>(squares, top, patterns, weighed, most)
    }
}

/// Bytes that [`count_avoiding`] takes at most without weighed squares.
pub(crate) fn counting_bytes(squares: &[u32], top: u8, patterns: &[Pattern]) -> u128 {
    let count = if fit_a_word(squares, patterns) {
        size_of::<u64>()
    } else {
        size_of::<u128>()
    };
    most_bytes(&steps(squares, top, patterns, 0), count)
}

/// How many numbers [`count_avoiding`] adds to others, at most: some hundred million a second.
pub(crate) fn counting_steps(squares: &[u32], top: u8, patterns: &[Pattern], weighed: u64) -> u128 {
    let steps = steps(squares, top, patterns, weighed);
    let sums = steps.iter().map(|step| {
        let states: u128 = step
            .before
            .iter()
            .map(|digit| digit.classes as u128)
            .product();
        states * step.sums_before as u128 * (u128::from(top) + 1)
    });
    sums.sum()
}

fn count_in<const B: usize, N: Count<B>>(
    squares: &[u32],
    top: u8,
    patterns: &[Pattern],
    weighed: u64,
    most: u128,
) -> Option<Vec<u128>> {
    let steps = steps(squares, top, patterns, weighed);
    if most_bytes(&steps, B) > most {
        return None;
    }
    // Memory that the machine refuses is too large, like memory beyond the limit. A large store
    // goes back to the system: that of a wide frontier would be missed by the sweep.
    let mut counts = Store::new(B).ok()?;
    counts.blocks_mut()[0] = N::ONE.bytes();
    for step in &steps {
        let (before, after) = (step.sums_before, step.sums_after);
        let weight = usize::from(after > before);
        let refused = step.refused_levels()?;
        let places = step.places();
        let mut store = Store::new(after * states(&step.after) * B).ok()?;
        let next = store.blocks_mut::<B>();
        let add = |to: &mut [u8; B], count: N| *to = N::of(*to).plus(count).bytes();
        let rows = counts.blocks::<B>().chunks_exact(before);
        let mut rows = rows.zip(refused.bytes());
        let levels = places.newest.iter().take(1 + usize::from(top)).enumerate();
        for high in &places.high {
            for (low, (row, refused)) in places.low.iter().zip(&mut rows) {
                if let ([count], 1) = (row, after) {
                    for (level, newest) in levels.clone() {
                        if refused >> level & 1 == 0 {
                            add(&mut next[high + low + newest], N::of(*count));
                        }
                    }
                    continue;
                }
                if row.iter().all(|count| N::of(*count) == N::default()) {
                    continue;
                }
                for level in 0..=usize::from(top) {
                    if refused >> level & 1 == 1 {
                        continue;
                    }
                    let to = (high + low + places.newest[level]) * after + weight * level;
                    for (sum, count) in next[to..].iter_mut().zip(row) {
                        add(sum, N::of(*count));
                    }
                }
            }
        }
        counts = store;
    }
    let counts = counts.blocks::<B>().iter();
    Some(counts.map(|count| N::of(*count).into()).collect())
}

/// The most squares whose levels must be remembered at once while filling in this order.
pub(crate) fn frontier(squares: &[u32], patterns: &[Pattern]) -> usize {
    let after = |now: usize| {
        let filled = squares[..=now].iter();
        let kept = filled
            .filter(|square| last_use(squares, patterns, **square).is_some_and(|last| last > now));
        kept.count()
    };
    (0..squares.len()).map(after).max().unwrap_or(0)
}

// When the last pattern through a square is complete, as a place in `squares`.
fn last_use(squares: &[u32], patterns: &[Pattern], square: u32) -> Option<usize> {
    patterns
        .iter()
        .filter(|pattern| pattern.level(square).is_some())
        .flat_map(|pattern| pattern.squares())
        .filter_map(|other| squares.iter().position(|square| *square == other))
        .max()
}

// One square of the frontier, as a digit of the number of a state.
#[derive(Clone, Copy, Debug)]
struct Digit {
    square: u32,
    // By level: those that no open pattern asks for have one class.
    class: [u8; 4],
    classes: usize,
}

impl Digit {
    fn new(square: u32, top: u8, open: &[Pattern]) -> Option<Digit> {
        let asked = open.iter().filter_map(|pattern| pattern.level(square));
        let asked = asked.fold(0_u8, |asked, level| asked | 1 << level);
        if asked == 0 {
            return None;
        }
        let (mut class, mut classes, mut others) = ([0; 4], 0, None);
        for level in 0..=top {
            let mut new = || {
                classes += 1;
                classes - 1
            };
            class[usize::from(level)] = if asked >> level & 1 == 1 {
                new()
            } else {
                *others.get_or_insert_with(new)
            };
        }
        Some(Digit {
            square,
            class,
            classes: usize::from(classes),
        })
    }

    // Some level of a class.
    fn level(&self, class: usize) -> usize {
        let place = self.class.iter().position(|c| usize::from(*c) == class);
        place.unwrap_or_default()
    }
}

fn states(digits: &[Digit]) -> usize {
    digits.iter().map(|digit| digit.classes).product()
}

// A square is filled.
#[derive(Debug)]
struct FrontierStep {
    square: u32,
    // The frontier, the lowest digit first.
    before: Vec<Digit>,
    after: Vec<Digit>,
    // Level sums that the weighed squares filled so far can have.
    sums_before: usize,
    sums_after: usize,
    // Patterns of which it is the last square.
    completed: Vec<Pattern>,
}

// What the digits of a state add to the number of the next state: the lower half of them, the upper one,
// and the level of the square that is filled.
struct DigitPlaces {
    low: Vec<usize>,
    high: Vec<usize>,
    newest: [usize; 4],
}

fn steps(squares: &[u32], top: u8, patterns: &[Pattern], weighed: u64) -> Vec<FrontierStep> {
    let shows = |pattern: &&Pattern| {
        let mut levels = pattern.squares().filter_map(|square| pattern.level(square));
        levels.all(|level| level <= top)
    };
    let last = |pattern: &Pattern| {
        let places = pattern
            .squares()
            .filter_map(|other| squares.iter().position(|s| *s == other));
        places.max()
    };
    let timed: Vec<(Option<usize>, Pattern)> = patterns
        .iter()
        .filter(shows)
        .map(|pattern| (last(pattern), *pattern))
        .collect();
    let (mut before, mut sums) = (Vec::new(), 1);
    let step = |(now, square): (usize, &u32)| {
        let of = |wanted: &dyn Fn(usize) -> bool| -> Vec<Pattern> {
            let found = timed.iter().filter(|(last, _)| last.is_some_and(wanted));
            found.map(|(_, pattern)| *pattern).collect()
        };
        let open = of(&|last| last > now);
        let newest = std::iter::once(*square);
        let filled = newest.chain(before.iter().map(|digit: &Digit| digit.square));
        let after: Vec<Digit> = filled
            .filter_map(|square| Digit::new(square, top, &open))
            .collect();
        let sums_before = sums;
        sums += usize::from(top) * usize::from(weighed >> (2 * square) & 1 == 1);
        FrontierStep {
            sums_before,
            sums_after: sums,
            square: *square,
            before: std::mem::replace(&mut before, after.clone()),
            after,
            completed: of(&|last| last == now),
        }
    };
    squares.iter().enumerate().map(step).collect()
}

// Of the counts before a step and after it, each of this many bytes for a sum, and of its tables.
fn most_bytes(steps: &[FrontierStep], count: usize) -> u128 {
    let states =
        |digits: &[Digit]| -> u128 { digits.iter().map(|digit| digit.classes as u128).product() };
    let bytes = steps.iter().map(|step| {
        let (before, after) = (states(&step.before), states(&step.after));
        let (low, high) = step.halves();
        let places = (states(low) + states(high)) * size_of::<usize>() as u128;
        let sums = before * step.sums_before as u128 + after * step.sums_after as u128;
        sums * count as u128 + before + places
    });
    bytes.max().unwrap_or_default()
}

impl FrontierStep {
    // The digits before it, which two tables look up.
    fn halves(&self) -> (&[Digit], &[Digit]) {
        self.before.split_at(self.before.len().div_ceil(2))
    }

    fn places(&self) -> DigitPlaces {
        // Where a digit is afterwards: its place value, and the digit itself.
        let of = |square: u32| {
            let mut value = 1;
            for digit in &self.after {
                if digit.square == square {
                    return Some((value, *digit));
                }
                value *= digit.classes;
            }
            None
        };
        let sums = |digits: &[Digit]| {
            digits.iter().fold(vec![0], |sums, digit| {
                let after = of(digit.square);
                let adds = |class: usize| match after {
                    Some((value, after)) => value * usize::from(after.class[digit.level(class)]),
                    None => 0,
                };
                let all = (0..digit.classes).map(adds);
                all.flat_map(|more| sums.iter().map(move |sum| sum + more))
                    .collect()
            })
        };
        let (low, high) = self.halves();
        let newest = of(self.square);
        DigitPlaces {
            low: sums(low),
            high: sums(high),
            newest: std::array::from_fn(|level| {
                newest.map_or(0, |(value, digit)| value * usize::from(digit.class[level]))
            }),
        }
    }

    // For each state before it: the levels of the square (bits of the entry) that complete a pattern.
    fn refused_levels(&self) -> Option<Store> {
        let mut refused = Store::new(states(&self.before)).ok()?;
        for pattern in &self.completed {
            let level = pattern.level(self.square).unwrap_or_default();
            mark(refused.bytes_mut(), &self.before, *pattern, 1 << level);
        }
        Some(refused)
    }
}

// Sets a bit for all states that agree with a pattern.
fn mark(refused: &mut [u8], digits: &[Digit], pattern: Pattern, bit: u8) {
    let (low, high) = digits.split_at(digits.len().div_ceil(2));
    // What digits from some place value up add to the numbers of states that agree in them.
    let agreeing = |digits: &[Digit], mut value: usize| -> Vec<usize> {
        let mut sums = vec![0];
        for digit in digits {
            let asked = pattern.level(digit.square);
            let asked = asked.map(|level| usize::from(digit.class[usize::from(level)]));
            let classes = asked.map_or(0..digit.classes, |class| class..class + 1);
            sums = classes
                .flat_map(|class| sums.iter().map(move |sum| sum + class * value))
                .collect();
            value *= digit.classes;
        }
        sums
    };
    let lower = agreeing(low, 1);
    for high in agreeing(high, states(low)) {
        for low in &lower {
            refused[high + low] |= bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_take_what_was_foreseen_and_fit_a_word() {
        // Three equal levels in a row on nine squares.
        let squares: Vec<u32> = (0..9).collect();
        let lines = (0..7).flat_map(|first| {
            [0b01_0101, 0b10_1010, 0b11_1111].map(|value| Pattern {
                mask: 0b11_1111 << (2 * first),
                value: value << (2 * first),
            })
        });
        let lines: Vec<Pattern> = lines.collect();
        assert_eq!(frontier(&squares, &lines), 2);
        // Sixteen numbers before a step, sixteen after it, a byte for each of the former, and the places of
        // four and four digits.
        let bytes = (16 + 16) * 8 + 16 + 8 * 8;
        assert_eq!(counting_bytes(&squares, 3, &lines), bytes);
        let words = count_in::<8, u64>(&squares, 3, &lines, 0, bytes);
        assert_eq!(count_in::<8, u64>(&squares, 3, &lines, 0, bytes - 1), None);
        assert_eq!(
            words,
            count_in::<16, u128>(&squares, 3, &lines, 0, 2 * bytes)
        );
        let free = |board: u64| !lines.iter().any(|line| line.shown(board));
        let counted = (0..1 << 18).filter(|board| free(*board)).count();
        assert_eq!(words, Some(vec![counted as u128]));
    }

    #[test]
    fn boards_of_32_squares_fit_a_word_where_one_shows_a_pattern() {
        let squares: Vec<u32> = (0..32).collect();
        // Green on the last square.
        let last = Pattern {
            mask: 3 << 62,
            value: 3 << 62,
        };
        let free = 3 << 62;
        assert_eq!(
            count_avoiding(&squares, 3, &[last], 0, 1 << 20),
            Some(vec![free])
        );
        let wide = count_in::<16, u128>(&squares, 3, &[last], 0, 1 << 20);
        assert_eq!(wide, Some(vec![free]));
        assert_eq!(
            count_avoiding(&squares, 3, &[], 0, 1 << 20),
            Some(vec![1 << 64])
        );
    }

    #[test]
    fn weighed_counts_take_what_was_foreseen() {
        // Two greens in a row on six squares, of which the second, third and last count.
        let squares: Vec<u32> = (0..6).collect();
        let lines = (0..5).map(|first| Pattern {
            mask: 0b1111 << (2 * first),
            value: 0b1111 << (2 * first),
        });
        let lines: Vec<Pattern> = lines.collect();
        let weighed = 0b11_00_00_11_11_00;
        let mut sums = vec![0_u128; 10];
        for board in 0..1_u64 << 12 {
            let levels = [1, 2, 5].map(|square| (board >> (2 * square) & 3) as usize);
            let free = !lines.iter().any(|line| line.shown(board));
            sums[levels.iter().sum::<usize>()] += u128::from(free);
        }
        // Two states of a square: the last but one ends with seven sums, the last begins with them and ends
        // with ten and one state.
        let bytes = (2 * 7 + 2 * 7) * 8 + 2 + 3 * 8;
        assert_eq!(
            count_avoiding(&squares, 3, &lines, weighed, bytes),
            Some(sums)
        );
        assert_eq!(
            count_avoiding(&squares, 3, &lines, weighed, bytes - 1),
            None
        );
    }
}
