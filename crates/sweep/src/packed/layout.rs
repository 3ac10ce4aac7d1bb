//! Which squares are far, middle and low.
//!
//! ```text
//! position =  far squares | middle squares | low squares
//!             a code        up to 5          4
//! ```
//!
//! The low squares are the inside of a *block* of 256 positions, the middle squares number the
//! blocks of a *family*, the far squares name the family. Whether a position is undecided is a
//! product over patterns, and no pattern may lie on squares of all three kinds. Then there are
//! separate look-ups for the low squares that far squares forbid and for those that middle squares
//! forbid. Low and middle squares are kept by every symmetry, so a symmetry maps families to
//! families, blocks to blocks, and permutes the squares inside.

use greenwave_game::{BoardGame, Cell, Code, MAX_LEVEL, Packing};
use greenwave_values::parallel::map_parts;

use crate::sweep::frontier::{count_avoiding, counting_bytes, frontier};
use crate::sweep::pattern::Pattern;

/// Low squares: the positions of a block are the bits of four words.
pub(super) const LOW: usize = 4;

/// Most squares in the middle. Orbits have one square, two, four or eight, so of five one stays where it is
/// under every symmetry.
pub(super) const MIDDLE: usize = 5;

/// Squares among which the low and the middle ones are chosen where there is no symmetry: the ones
/// with the fewest lines.
const CHOICE: usize = 12;

/// Most squares that counting positions may have to remember at once.
const FRONTIER: usize = 12;

/// Layouts that are measured in detail, and random fillings for each.
const CANDIDATES: usize = 16;
const FILLINGS: u32 = 1000;

/// The patterns that decide a position, and the symmetries that keep them.
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    /// Completed lines, lines that one raise completes where that wins, and levels that the rules do
    /// not have, on the board's squares.
    pub(super) deciding: Vec<Pattern>,
    /// Permutations of the board's squares, the identity first: square `c` goes to `symmetry[c]`.
    pub(super) symmetries: Vec<Vec<u8>>,
    pub(super) squares: usize,
    /// Sets of squares, one bit each, that may lie on squares of all three kinds no more than lines: runs
    /// that score once.
    pub(super) runs: Vec<u32>,
    /// File and rank of each square.
    pub(super) places: Vec<(u8, u8)>,
}

impl Patterns {
    pub(super) fn new(game: &BoardGame, packing: Packing) -> Patterns {
        let squares = game.board().shape.cells();
        let mut deciding: Vec<Pattern> = game
            .targets()
            .map(|(mask, value)| Pattern { mask, value })
            .collect();
        if packing == Packing::Undecided {
            let before: Vec<Pattern> = deciding
                .iter()
                .flat_map(|target| target.before().map(|(_, before)| before))
                .collect();
            deciding.extend(before);
        }
        for square in 0..squares {
            let top = game.board().top(Cell(square as u8));
            for level in u64::from(top) + 1..=u64::from(MAX_LEVEL) {
                deciding.push(Pattern {
                    mask: 3 << (2 * square),
                    value: level << (2 * square),
                });
            }
        }
        deciding.sort_unstable();
        deciding.dedup();
        let scored = scored(game);
        let keeps = |to: &[u8]| {
            deciding
                .iter()
                .all(|pattern| deciding.binary_search(&image(*pattern, to)).is_ok())
        };
        let symmetries = game
            .permutations()
            .iter()
            .map(|permutation| {
                let cells = permutation.cells().iter();
                cells.map(|cell: &Cell| cell.0).collect::<Vec<u8>>()
            })
            .filter(|to| keeps(to) && keeps_points(&scored, to))
            .collect();
        let mut runs: Vec<u32> = scored
            .iter()
            .map(|(_, pattern, _)| squares_of(*pattern))
            .collect();
        runs.sort_unstable();
        runs.dedup();
        Patterns {
            runs,
            deciding,
            symmetries,
            squares,
            places: (0..squares as u8)
                .map(|square| game.board().shape.place(Cell(square)))
                .collect(),
        }
    }

    /// Number of undecided positions; `None` where the frontier is too wide to count them.
    pub(super) fn undecided(&self) -> Option<u128> {
        self.free_of(&self.deciding)
    }

    /// The numbers of positions, both counts at once or one after the other; `None` where the
    /// frontier is too wide.
    pub(super) fn counted(&self, game: &BoardGame, at_once: bool) -> Option<LineFreeCounts> {
        let (undecided, unfinished) = if at_once {
            rayon::join(|| self.undecided(), || self.line_free(game))
        } else {
            (self.undecided(), self.line_free(game))
        };
        Some(LineFreeCounts {
            undecided: undecided?,
            unfinished: unfinished?,
        })
    }

    // Number of positions without a line; `None` where the frontier is too wide to count them.
    fn line_free(&self, game: &BoardGame) -> Option<u128> {
        let lines: Vec<Pattern> = game
            .targets()
            .map(|(mask, value)| Pattern { mask, value })
            .chain(
                self.deciding
                    .iter()
                    .copied()
                    .filter(|p| p.mask.count_ones() == 2),
            )
            .collect();
        self.free_of(&lines)
    }

    /// Whether positions can be counted without looking at them.
    pub(super) fn are_countable(&self) -> bool {
        frontier(&self.narrow_order(&self.deciding), &self.deciding) <= FRONTIER
    }

    /// Bytes that one such count takes: lines ask for no more than what decides.
    pub(super) fn counting_bytes(&self) -> u128 {
        counting_bytes(
            &self.narrow_order(&self.deciding),
            MAX_LEVEL,
            &self.deciding,
        )
    }

    fn free_of(&self, patterns: &[Pattern]) -> Option<u128> {
        let squares = self.narrow_order(patterns);
        count_avoiding(&squares, MAX_LEVEL, patterns, 0, u128::MAX)?
            .first()
            .copied()
    }

    /// Rank by rank or file by file, whichever leaves fewer squares to remember.
    pub(super) fn narrow_order(&self, patterns: &[Pattern]) -> Vec<u32> {
        let by_ranks: Vec<u32> = (0..self.squares as u32).collect();
        let mut by_files = by_ranks.clone();
        by_files.sort_by_key(|square| self.places[*square as usize]);
        if frontier(&by_ranks, patterns) <= frontier(&by_files, patterns) {
            by_ranks
        } else {
            by_files
        }
    }

    /// The patterns that decide what a position can become: levels that are below its own are not there.
    /// Where `lessened`, patterns that ask for such levels are left out, and squares that can have but one
    /// level are left out of patterns. `None` where the rules decide all of it.
    pub(super) fn within(&self, from: Code, lessened: bool) -> Option<Patterns> {
        let level = |square: usize| from.0 >> (2 * square) & 3;
        let mut levels: Vec<u8> = (0..self.squares)
            .map(|square| 15 << level(square) & 15)
            .collect();
        let mut left = self.deciding.clone();
        if lessened {
            loop {
                left = left
                    .into_iter()
                    .filter_map(|pattern| lesser(pattern, &levels))
                    .collect();
                let (single, others): (Vec<Pattern>, Vec<Pattern>) = left
                    .into_iter()
                    .partition(|pattern| pattern.mask.count_ones() <= 2);
                left = others;
                if single.is_empty() {
                    break;
                }
                for pattern in single {
                    let square = pattern.squares().next()?;
                    levels[square as usize] &= !(1 << pattern.level(square)?);
                }
            }
            if levels.contains(&0) {
                return None;
            }
        }
        for (square, levels) in levels.iter().enumerate() {
            let missing = (0..=u64::from(MAX_LEVEL)).filter(|level| levels >> level & 1 == 0);
            left.extend(missing.map(|level| Pattern {
                mask: 3 << (2 * square),
                value: level << (2 * square),
            }));
        }
        left.sort_unstable();
        left.dedup();
        let keeps = |to: &&Vec<u8>| moved(from, to) == from;
        let deciding = if lessened {
            let has_less = |pattern: &Pattern| {
                left.iter().any(|less| {
                    less.mask != pattern.mask
                        && less.mask & pattern.mask == less.mask
                        && pattern.value & less.mask == less.value
                })
            };
            // Where a pattern shows, so does any smaller one inside it, so the least patterns
            // suffice.
            let least = left.iter().filter(|pattern| !has_less(pattern));
            least.copied().collect()
        } else {
            left
        };
        Some(Patterns {
            deciding,
            symmetries: self.symmetries.iter().filter(keeps).cloned().collect(),
            ..self.clone()
        })
    }

    /// The squares of each line, as one bit each.
    pub(super) fn lines(&self) -> Vec<u32> {
        let mut lines: Vec<u32> = self
            .deciding
            .iter()
            .map(|pattern| squares_of(*pattern))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

// A pattern without the squares that can have but one level; `None` where it never shows.
fn lesser(pattern: Pattern, levels: &[u8]) -> Option<Pattern> {
    let mut lesser = Pattern { mask: 0, value: 0 };
    for square in pattern.squares() {
        let levels = levels[square as usize];
        if levels >> pattern.level(square)? & 1 == 0 {
            return None;
        }
        if levels.count_ones() > 1 {
            lesser = Pattern {
                mask: lesser.mask | pattern.mask & 3 << (2 * square),
                value: lesser.value | pattern.value & 3 << (2 * square),
            };
        }
    }
    Some(lesser)
}

/// The image of a position under a permutation of the squares.
pub(super) fn moved(Code(code): Code, to: &[u8]) -> Code {
    let squares = to.iter().enumerate();
    Code(squares.fold(0, |image, (square, target)| {
        image | (code >> (2 * square) & 3) << (2 * target)
    }))
}

pub(super) fn squares_of(pattern: Pattern) -> u32 {
    pattern.squares().fold(0, |set, square| set | 1 << square)
}

// What raises score, where that counts: the raised square, a pattern that stands after it, its points.
fn scored(game: &BoardGame) -> Vec<(u8, Pattern, i32)> {
    if !game.board().play.scores() {
        return Vec::new();
    }
    let squares = 0..game.board().shape.cells() as u8;
    let mut scored: Vec<(u8, Pattern, i32)> = squares
        .flat_map(|square| {
            let scoring = game.scoring(Cell(square)).into_iter();
            scoring.map(move |(mask, value, points)| (square, Pattern { mask, value }, points))
        })
        .collect();
    scored.sort_unstable();
    scored
}

fn keeps_points(scored: &[(u8, Pattern, i32)], to: &[u8]) -> bool {
    let images = scored
        .iter()
        .map(|(square, pattern, points)| (to[usize::from(*square)], image(*pattern, to), *points));
    let mut images: Vec<(u8, Pattern, i32)> = images.collect();
    images.sort_unstable();
    images == scored
}

/// The image of a pattern under a permutation of the squares.
fn image(pattern: Pattern, to: &[u8]) -> Pattern {
    let mut image = Pattern { mask: 0, value: 0 };
    for square in pattern.squares() {
        let target = 2 * u32::from(to[square as usize]);
        image.mask |= 3 << target;
        image.value |= (pattern.value >> (2 * square) & 3) << target;
    }
    image
}

/// Numbers of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineFreeCounts {
    /// Those without a line.
    pub(super) unfinished: u128,
    /// Those of them that no pattern decides.
    pub(super) undecided: u128,
}

/// The squares of each kind, by digit of their codes, the lowest first, and the symmetries in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SquareLayout {
    pub(super) low: Vec<u8>,
    pub(super) mid: Vec<u8>,
    pub(super) far: Vec<u8>,
    /// The first digit of each orbit of far squares, from the highest orbit down.
    pub(super) orbits: Vec<usize>,
    /// Permutations of the board's squares, the identity first.
    pub(super) symmetries: Vec<Vec<u8>>,
}

impl SquareLayout {
    /// Every layout of a board for the largest group of symmetries that has one.
    pub(super) fn all(patterns: &Patterns) -> Vec<SquareLayout> {
        groups(&patterns.symmetries)
            .into_iter()
            .map(|symmetries| of_group(patterns, &symmetries))
            .find(|layouts| !layouts.is_empty())
            .unwrap_or_default()
    }

    /// The layout of a board that takes least time; `None` where there is none.
    pub(super) fn best(patterns: &Patterns) -> Option<SquareLayout> {
        SquareLayout::quickest(patterns, SquareLayout::all(patterns))
    }

    /// A layout with other low squares than some one, to confirm a result.
    pub(super) fn other(patterns: &Patterns, best: &SquareLayout) -> Option<SquareLayout> {
        let mut layouts = SquareLayout::all(patterns);
        layouts.retain(|layout| layout.low != best.low && layout.far != best.far);
        SquareLayout::quickest(patterns, layouts)
    }

    fn quickest(patterns: &Patterns, mut layouts: Vec<SquareLayout>) -> Option<SquareLayout> {
        layouts.sort_by_key(|layout| layout.incidence(patterns));
        layouts.truncate(CANDIDATES);
        let times = map_parts(layouts.len(), |number| {
            layouts[number].nanoseconds(patterns)
        });
        let timed = times.into_iter().zip(layouts);
        let quickest = timed.min_by(|(time, _), (other, _)| time.total_cmp(other));
        quickest.map(|(_, layout)| layout)
    }

    // Lines through low and middle squares: the fewer there are, the more the others decide.
    fn incidence(&self, patterns: &Patterns) -> (usize, u32) {
        let near = self
            .low
            .iter()
            .chain(&self.mid)
            .fold(0_u32, |set, square| set | 1 << square);
        let touched = patterns
            .lines()
            .iter()
            .map(|line| (line & near).count_ones())
            .sum();
        (MIDDLE - self.mid.len(), touched)
    }

    /// The time of a sweep with this layout, in nanoseconds of one core, roughly.
    pub(super) fn nanoseconds(&self, patterns: &Patterns) -> f64 {
        let (blocks, families) = self.counts(patterns);
        (blocks * 20.0 + families * 300.0) / self.symmetries.len() as f64
    }

    /// The greatest number of blocks of a family, in units of 256.
    pub(super) fn fold(&self) -> usize {
        if self.mid.len() < MIDDLE { 1 } else { 4 }
    }

    /// Quiet blocks and families, not up to symmetry, estimated.
    pub(super) fn counts(&self, patterns: &Patterns) -> (f64, f64) {
        let far: Vec<u32> = self.far.iter().rev().copied().map(u32::from).collect();
        let middle = self.mid.iter().copied().map(u32::from);
        let high: Vec<u32> = far.iter().copied().chain(middle).collect();
        (patterns.count(&high), patterns.count(&far))
    }

    /// The layout with some low and middle squares, one bit each, which the symmetries keep as sets.
    pub(super) fn new(
        patterns: &Patterns,
        symmetries: &[Vec<u8>],
        low: u32,
        mid: u32,
    ) -> SquareLayout {
        let squares =
            |set: u32| (0..patterns.squares as u8).filter(move |square| set >> square & 1 == 1);
        let fixed = |square: u8| {
            symmetries
                .iter()
                .all(|to| to[usize::from(square)] == square)
        };
        let low: Vec<u8> = squares(low).collect();
        let mut mid: Vec<u8> = squares(mid).collect();
        // Tables number the positions of a family by low squares, this one, and the others.
        if mid.len() == MIDDLE
            && let Some(place) = mid.iter().position(|square| fixed(*square))
        {
            mid[..=place].rotate_right(1);
        }
        let rest: u32 = squares(u32::MAX)
            .filter(|square| !low.contains(square) && !mid.contains(square))
            .fold(0, |rest, square| rest | 1 << square);
        // From the highest digit down: whole orbits, those first that complete most lines.
        let lines = patterns.lines();
        let completed = |set: u32| lines.iter().filter(|line| **line & !set == 0).count();
        let (mut taken, mut far, mut orbits) = (0_u32, Vec::new(), Vec::new());
        let mut left = orbits_of(symmetries, rest);
        while !left.is_empty() {
            let best = (0..left.len())
                .max_by_key(|number| {
                    let orbit = left[*number];
                    let size = orbit.count_ones() as usize;
                    let first = if taken == 0 { size } else { 0 };
                    (
                        first,
                        completed(taken | orbit) * 16 / size,
                        std::cmp::Reverse(*number),
                    )
                })
                .unwrap_or_default();
            let mut orbit = left.remove(best);
            while orbit != 0 {
                let square = (0..patterns.squares as u8)
                    .filter(|square| orbit >> square & 1 == 1)
                    .max_by_key(|square| {
                        (completed(taken | 1 << square), std::cmp::Reverse(*square))
                    })
                    .unwrap_or_default();
                orbit &= !(1 << square);
                taken |= 1 << square;
                far.push(square);
            }
            orbits.push(far.len());
        }
        far.reverse();
        for orbit in &mut orbits {
            *orbit = far.len() - *orbit;
        }
        SquareLayout {
            low,
            mid,
            far,
            orbits,
            symmetries: symmetries.to_vec(),
        }
    }
}

impl Patterns {
    // Boards of some squares that show no deciding pattern, estimated.
    fn count(&self, squares: &[u32]) -> f64 {
        let mut sum = 0.0;
        self.fill(squares, |_, weight| sum += weight);
        sum / f64::from(FILLINGS)
    }

    /// Undecided positions by the sum of the far levels, not up to symmetry, estimated.
    pub(super) fn undecided_by_far_sum(&self, layout: &SquareLayout) -> Vec<f64> {
        let near = layout.mid.iter().chain(&layout.low);
        self.by_far_sum(layout, layout.far.iter().rev().chain(near))
    }

    /// Families by the sum of the far levels, not up to symmetry, estimated.
    pub(super) fn families_by_far_sum(&self, layout: &SquareLayout) -> Vec<f64> {
        self.by_far_sum(layout, layout.far.iter().rev())
    }

    // Boards of some squares, the far ones first, by the sum of the far levels.
    fn by_far_sum<'s>(
        &self,
        layout: &SquareLayout,
        squares: impl Iterator<Item = &'s u8>,
    ) -> Vec<f64> {
        let squares: Vec<u32> = squares.copied().map(u32::from).collect();
        let far = layout
            .far
            .iter()
            .fold(0_u64, |mask, square| mask | 3 << (2 * square));
        let mut sums = vec![0.0; 3 * layout.far.len() + 1];
        self.fill(&squares, |code, weight| {
            sums[Code(code & far).level_sum() as usize] += weight / f64::from(FILLINGS);
        });
        sums
    }

    // Fills some squares at random so that no deciding pattern shows. Each filling weighs the product of
    // how many levels each square could take, whose mean is the number of such boards (Knuth,
    // "Estimating the efficiency of backtrack programs", 1975).
    fn fill(&self, squares: &[u32], mut filled_to: impl FnMut(u64, f64)) {
        let mut seen = 0;
        let steps: Vec<(u32, Vec<Pattern>)> = squares
            .iter()
            .map(|square| {
                seen |= 3_u64 << (2 * square);
                let ending = self.deciding.iter().copied().filter(|pattern| {
                    pattern.mask & !seen == 0 && pattern.mask >> (2 * square) & 3 != 0
                });
                (*square, ending.collect())
            })
            .collect();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..FILLINGS {
            let (mut code, mut weight) = (0_u64, 1.0);
            for (square, ending) in &steps {
                let mut levels = [0; 4];
                let mut count = 0;
                for level in 0..=u64::from(MAX_LEVEL) {
                    let filled = code | level << (2 * square);
                    if !ending.iter().any(|pattern| pattern.shown(filled)) {
                        levels[count] = filled;
                        count += 1;
                    }
                }
                weight *= count as f64;
                if count == 0 {
                    break;
                }
                code = levels[pick(&mut random, count)];
            }
            filled_to(code, weight);
        }
    }
}

/// One of `count` choices, by a number that goes on with each: the same course each time.
pub(super) fn pick(random: &mut u64, count: usize) -> usize {
    *random = random
        .wrapping_mul(0xd129_0d3d_2d2b_c9a5)
        .wrapping_add(0x632b_e5ab);
    (*random >> 33) as usize % count
}

/// Subgroups, the largest first: those that one or two symmetries generate, which are all that a
/// rectangle has.
pub(super) fn groups(symmetries: &[Vec<u8>]) -> Vec<Vec<Vec<u8>>> {
    let mut groups: Vec<Vec<Vec<u8>>> = Vec::new();
    for first in symmetries {
        for second in symmetries {
            let mut group: Vec<Vec<u8>> = symmetries.iter().take(1).cloned().collect();
            let mut next = 0;
            while next < group.len() {
                for by in [first, second] {
                    let product: Vec<u8> = group[next]
                        .iter()
                        .map(|square| by[usize::from(*square)])
                        .collect();
                    if !group.contains(&product) {
                        group.push(product);
                    }
                }
                next += 1;
            }
            group[1..].sort_unstable();
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

pub(super) fn orbits_of(symmetries: &[Vec<u8>], mut squares: u32) -> Vec<u32> {
    let mut orbits = Vec::new();
    while squares != 0 {
        let square = squares.trailing_zeros() as usize;
        let orbit = symmetries
            .iter()
            .fold(0, |orbit, to| orbit | 1_u32 << to[square]);
        orbits.push(orbit);
        squares &= !orbit;
    }
    orbits
}

fn of_group(patterns: &Patterns, symmetries: &[Vec<u8>]) -> Vec<SquareLayout> {
    let lines = patterns.lines();
    let incidence = |orbit: &u32| {
        let touched: u32 = lines.iter().map(|line| (line & orbit).count_ones()).sum();
        touched * 64 / orbit.count_ones()
    };
    let all = u32::MAX >> (32 - patterns.squares);
    let mut orbits = orbits_of(symmetries, all);
    orbits.sort_by_key(incidence);
    let choice = orbits.len().min(CHOICE);
    let unions = |sizes: std::ops::RangeInclusive<usize>| {
        let orbits = &orbits[..choice];
        (0..1_u32 << choice).filter_map(move |chosen| {
            let union = (0..choice)
                .filter(|number| chosen >> number & 1 == 1)
                .fold(0, |union, number| union | orbits[number]);
            sizes
                .contains(&(union.count_ones() as usize))
                .then_some(union)
        })
    };
    let mut layouts = Vec::new();
    for low in unions(LOW..=LOW) {
        for mid in unions(0..=MIDDLE).filter(|mid| mid & low == 0) {
            let far = all & !low & !mid;
            let mut joined = lines.iter().chain(&patterns.runs);
            let parted = joined.all(|line| line & low == 0 || line & mid == 0 || line & far == 0);
            if parted && far != 0 {
                layouts.push(SquareLayout::new(patterns, symmetries, low, mid));
            }
        }
    }
    layouts
}
