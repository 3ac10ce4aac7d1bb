//! Positions of a board counted file by file, by a method that shares no code with the engines.
//!
//! A line of three never spans more than three files. So boards are put together from whole files,
//! and of the files so far only the last two matter: a transfer matrix from pairs of files to pairs
//! of files.

/// Which positions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    /// Those without a completed line.
    LineFree,
    /// Of these, those in which no raise completes one.
    Undecided,
}

/// Number of positions of a board with lines of three equal lights and, with `sequences`, of 1-2-3
/// read from either end; not up to symmetry.
///
/// Takes time in proportion to 64 to the power of `ranks`, at most.
///
/// # Panics
/// When there are no ranks, or more than 5.
#[must_use]
pub fn count(ranks: usize, files: usize, sequences: bool, counted: CountKind) -> u128 {
    assert!((1..=5).contains(&ranks), "1 to 5 ranks, found {ranks}");
    let completed = |line: [u8; 3]| {
        (line[0] != 0 && line[0] == line[1] && line[1] == line[2])
            || (sequences && (line == [1, 2, 3] || line == [3, 2, 1]))
    };
    let left_out = |line: [u8; 3]| {
        completed(line)
            || counted == CountKind::Undecided
                && (0..3).any(|place| {
                    let mut raised = line;
                    raised[place] += 1;
                    raised[place] < 4 && completed(raised)
                })
    };
    // Files that are left in by themselves, as levels from the lowest rank up.
    let all: Vec<Vec<u8>> = (0..1_u32 << (2 * ranks))
        .map(|number| {
            (0..ranks)
                .map(|rank| (number >> (2 * rank) & 3) as u8)
                .collect()
        })
        .filter(|file: &Vec<u8>| {
            !file
                .windows(3)
                .any(|line| left_out([line[0], line[1], line[2]]))
        })
        .collect();
    // Bit 4 · rank + level of each.
    let levels: Vec<u32> = all
        .iter()
        .map(|file| {
            (0..ranks).fold(0, |bits, rank| {
                bits | 1 << (4 * rank + usize::from(file[rank]))
            })
        })
        .collect();
    // The same bits: what a third file must not show after two others.
    let refused = |first: &[u8], second: &[u8]| {
        let mut bits = 0_u32;
        for rank in 0..ranks {
            for (from, by) in [
                (Some(rank), Some(rank)),
                (rank.checked_sub(2), rank.checked_sub(1)),
                (Some(rank + 2), Some(rank + 1)),
            ] {
                let (Some(from), Some(by)) = (from, by) else {
                    continue;
                };
                let (Some(a), Some(b)) = (first.get(from), second.get(by)) else {
                    continue;
                };
                for level in (0..4_u8).filter(|level| left_out([*a, *b, *level])) {
                    bits |= 1 << (4 * rank + usize::from(level));
                }
            }
        }
        bits
    };
    let kinds = all.len();
    match files {
        0 => return 1,
        1 => return kinds as u128,
        _ => {}
    }
    let mut counts = vec![1_u128; kinds * kinds];
    for _ in 2..files {
        let mut next = vec![0; kinds * kinds];
        for (pair, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (first, second) = (pair / kinds, pair % kinds);
            let refused = refused(&all[first], &all[second]);
            for (third, shown) in levels.iter().enumerate() {
                if shown & refused == 0 {
                    next[second * kinds + third] += count;
                }
            }
        }
        counts = next;
    }
    counts.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ranks: usize, files: usize, sequences: bool, line_free: u128, undecided: u128) {
        let found = [CountKind::LineFree, CountKind::Undecided]
            .map(|counted| count(ranks, files, sequences, counted));
        assert_eq!(
            found,
            [line_free, undecided],
            "{ranks}x{files}, sequences {sequences}"
        );
    }

    // The sums of won and lost positions, and the undecided ones, that the packed sweep has found.
    #[test]
    fn large_boards_have_as_many_positions_as_were_solved() {
        check(3, 3, false, 180_400, 56_590);
        check(3, 7, false, 1_136_098_767_715, 24_931_665_076);
        check(3, 8, false, 56_899_527_952_990, 644_905_339_351);
        check(4, 4, false, 1_577_504_518, 92_099_868);
        check(4, 5, false, 275_963_859_640, 6_328_134_397);
        check(4, 6, false, 48_149_259_072_457, 417_961_673_103);
        check(3, 3, true, 144_938, 30_064);
        check(3, 4, true, 6_159_595, 508_817);
    }

    #[cfg(feature = "slow-tests")]
    #[test]
    fn five_by_five_has_as_many_positions_as_were_solved() {
        check(5, 5, false, 168_530_518_220_260, 1_150_933_446_042);
        assert_eq!(count(5, 5, true, CountKind::Undecided), 60_680_091_184);
    }
}
