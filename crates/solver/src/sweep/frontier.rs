//! Counting boards that avoid patterns, square by square, without looking at the boards.
//!
//! The squares are filled one after the other. Of the boards filled so far only the levels matter
//! that a pattern not yet complete still asks for (the *frontier*), so it suffices to know how many
//! boards there are for each combination of those. A board of 4 × 5 squares has 1.1 × 10¹²
//! positions but a frontier of eight squares: 65,536 combinations.

use std::ops::AddAssign;

use greenwave_values::room;

use super::pattern::Pattern;

/// The most memory that [`count_avoiding`] takes for its counts, in bytes.
const MAX_BYTES: u128 = 1 << 29;

/// A number of boards.
trait Count: Copy + Default + PartialEq + AddAssign + From<u8> + Into<u128> {}

impl Count for u64 {}
impl Count for u128 {}

/// Squares whose boards are fewer than 2⁶⁴.
const SQUARES_OF_A_WORD: usize = 31;

/// How many boards show none of the patterns, by level sum over the squares of `weighed`.
///
/// `squares` are the squares to be filled, in order, each with levels 0 to `top`; patterns lie
/// wholly on them. `None` when the frontier is so wide that the counts would take more than 512 MiB.
pub(crate) fn count_avoiding(
    squares: &[u32],
    top: u8,
    patterns: &[Pattern],
    weighed: u64,
) -> Option<Vec<u128>> {
    count_within(squares, top, patterns, weighed, MAX_BYTES)
}

/// The same with another limit of memory, in bytes.
pub(crate) fn count_within(
    squares: &[u32],
    top: u8,
    patterns: &[Pattern],
    weighed: u64,
    most: u128,
) -> Option<Vec<u128>> {
    if squares.len() <= SQUARES_OF_A_WORD {
        count_in::<u64>(squares, top, patterns, weighed, most)
    } else {
        count_in::<u128>(squares, top, patterns, weighed, most)
    }
}

/// Bytes that [`count_avoiding`] takes at most without weighed squares: two steps of the frontier at
/// a time, and which levels are refused.
pub(crate) fn counting_bytes(squares: &[u32], patterns: &[Pattern]) -> u128 {
    let count = match squares.len() {
        ..=SQUARES_OF_A_WORD => size_of::<u64>(),
        _ => size_of::<u128>(),
    };
    let mut before = 1;
    let steps = (0..squares.len()).map(|now| {
        let here = 1_u128 << (2 * frontier_after(squares, patterns, now).min(32));
        let bytes = (before + here) * count as u128 + before;
        before = here;
        bytes
    });
    steps.max().unwrap_or_default()
}

fn count_in<N: Count>(
    squares: &[u32],
    top: u8,
    patterns: &[Pattern],
    weighed: u64,
    most: u128,
) -> Option<Vec<u128>> {
    let last_use = |square: u32| last_use(squares, patterns, square);
    let sums = 1 + usize::from(top)
        * squares
            .iter()
            .filter(|s| weighed >> (2 * **s) & 1 == 1)
            .count();
    let states = 1_u128.checked_shl(2 * frontier(squares, patterns) as u32)?;
    if states * (sums * size_of::<N>()) as u128 > most {
        return None;
    }
    let mut live: Vec<u32> = Vec::new();
    // What the machine refuses is as much too large as what is not allowed.
    let mut counts = room::filled(N::default(), sums).ok()?;
    counts[0] = N::from(1);
    for (now, square) in squares.iter().enumerate() {
        // The new square becomes the lowest digit.
        let digits: Vec<u32> = std::iter::once(*square)
            .chain(live.iter().copied())
            .collect();
        let completed: Vec<Pattern> = patterns
            .iter()
            .filter(|pattern| pattern.mask >> (2 * square) & 3 != 0)
            .filter(|pattern| pattern.squares().all(|other| digits.contains(&other)))
            .map(|pattern| to_digits(*pattern, &digits))
            .collect();
        let kept: Vec<usize> = (0..digits.len())
            .filter(|digit| last_use(digits[*digit]).is_some_and(|last| last > now))
            .collect();
        let weight = usize::from(weighed >> (2 * square) & 1 == 1);
        let refused = refused_levels(digits.len(), &completed);
        let states = Compaction::new(digits.len(), &kept);
        let mut next = room::filled(N::default(), sums << (2 * kept.len())).ok()?;
        for (state, row) in counts.chunks_exact(sums).enumerate() {
            if row.iter().all(|count| *count == N::default()) {
                continue;
            }
            for level in 0..=usize::from(top) {
                if refused[state] >> level & 1 == 1 {
                    continue;
                }
                let to = states.of(state << 2 | level);
                let up = weight * level;
                for (sum, count) in row[..sums - up].iter().enumerate() {
                    next[to * sums + sum + up] += *count;
                }
            }
        }
        live = kept.into_iter().map(|digit| digits[digit]).collect();
        counts = next;
    }
    room::collected(counts.into_iter().map(Into::into)).ok()
}

/// The most squares whose levels must be remembered at once while filling in this order.
pub(crate) fn frontier(squares: &[u32], patterns: &[Pattern]) -> usize {
    let steps = 0..squares.len();
    let widths = steps.map(|now| frontier_after(squares, patterns, now));
    widths.max().unwrap_or(0)
}

// The squares to be remembered after a step.
fn frontier_after(squares: &[u32], patterns: &[Pattern], now: usize) -> usize {
    let filled = squares[..=now].iter();
    let kept = filled
        .filter(|square| last_use(squares, patterns, **square).is_some_and(|last| last > now));
    kept.count()
}

// When the last pattern through a square is complete, as a place in `squares`.
fn last_use(squares: &[u32], patterns: &[Pattern], square: u32) -> Option<usize> {
    patterns
        .iter()
        .filter(|pattern| pattern.mask >> (2 * square) & 3 != 0)
        .flat_map(|pattern| pattern.squares())
        .filter_map(|other| squares.iter().position(|square| *square == other))
        .max()
}

// For each state of the older squares: the levels of the newest one (bits of the entry) that
// complete a pattern.
fn refused_levels(digits: usize, completed: &[Pattern]) -> Vec<u8> {
    let mut refused = vec![0; 1 << (2 * (digits - 1))];
    for pattern in completed {
        let (fixed, free) = (
            pattern.value >> 2,
            !pattern.mask >> 2 & (refused.len() as u64 - 1),
        );
        // All states that agree with the pattern: the subsets of the free bits.
        let mut chosen = 0_u64;
        loop {
            refused[(fixed | chosen) as usize] |= 1 << (pattern.value & 3);
            chosen = chosen.wrapping_sub(free) & free;
            if chosen == 0 {
                break;
            }
        }
    }
    refused
}

// Drops digits of a state, by two tables of half the digits each.
struct Compaction {
    half: u32,
    low: Vec<usize>,
    high: Vec<usize>,
}

impl Compaction {
    fn new(digits: usize, kept: &[usize]) -> Compaction {
        let half = digits.div_ceil(2);
        let compact = |state: usize| {
            kept.iter().enumerate().fold(0, |to, (place, digit)| {
                to | (state >> (2 * digit) & 3) << (2 * place)
            })
        };
        Compaction {
            half: 2 * half as u32,
            low: (0..1 << (2 * half)).map(compact).collect(),
            high: (0..1 << (2 * (digits - half)))
                .map(|high: usize| compact(high << (2 * half)))
                .collect(),
        }
    }

    fn of(&self, state: usize) -> usize {
        self.low[state & ((1 << self.half) - 1)] | self.high[state >> self.half]
    }
}

fn to_digits(pattern: Pattern, digits: &[u32]) -> Pattern {
    let mut image = Pattern { mask: 0, value: 0 };
    for (digit, square) in digits.iter().enumerate() {
        image.mask |= (pattern.mask >> (2 * square) & 3) << (2 * digit);
        image.value |= (pattern.value >> (2 * square) & 3) << (2 * digit);
    }
    image
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
        // Sixteen numbers before a step, sixteen after it, and a byte for each of the former.
        assert_eq!(counting_bytes(&squares, &lines), (16 + 16) * 8 + 16);
        let words = count_in::<u64>(&squares, 3, &lines, 0, MAX_BYTES);
        assert_eq!(words, count_in::<u128>(&squares, 3, &lines, 0, MAX_BYTES));
        let free = |board: u64| !lines.iter().any(|line| line.shown(board));
        let counted = (0..1 << 18).filter(|board| free(*board)).count();
        assert_eq!(words, Some(vec![counted as u128]));
    }
}
