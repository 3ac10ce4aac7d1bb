//! Boards counted file by file.
//!
//! Whether a board has a line, or a line that one raise completes, is settled by its lines of three
//! squares, each of which lies within three neighbouring files. So boards of R ranks can be built
//! file by file, and of what was built it matters only what the last file is and what the last two
//! forbid the next one: a *state*. States that an exchange of top and bottom or of levels turns
//! into each other count as one, and so do states with the same future. The result is a matrix of
//! whole numbers. Every count along the files satisfies a recurrence whose order is no more than
//! its size.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::exact::{add, mul};

/// Which boards are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Without three equal lights in a line.
    LineFree,
    /// Also without a line that one raise completes.
    Undecided,
}

impl Kind {
    /// Its name in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::LineFree => "line-free",
            Kind::Undecided => "undecided",
        }
    }

    fn forbids(self, line: [u8; 3]) -> bool {
        let complete = |line: [u8; 3]| line[0] > 0 && line[0] == line[1] && line[1] == line[2];
        let raised = |at: usize| {
            let mut line = line;
            line[at] += 1;
            complete(line)
        };
        complete(line) || (self == Kind::Undecided && (0..3).any(raised))
    }
}

/// Which boards of R ranks and C files stay the same under a symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invariance {
    /// All boards: the identity.
    All,
    /// Those whose top and bottom are alike.
    TopBottom,
    /// Those whose left and right are alike.
    LeftRight,
    /// Those that half a turn leaves as they are.
    HalfTurn,
}

/// The last file, and the levels that each square of the next one must not have, four bits each.
type State = (u32, u64);

/// A way to build boards file by file.
pub(crate) struct Files {
    ranks: u32,
    // The files that may be appended: a board's own levels, two bits a square.
    alphabet: Vec<u32>,
    // Whether states are taken up to exchanges of the levels 1 to 3.
    levels_alike: bool,
    forbidden: [u8; 16],
}

impl Files {
    pub(crate) fn new(kind: Kind, ranks: u32, symmetric: bool, levels_alike: bool) -> Files {
        let mut forbidden = [0; 16];
        for pair in 0..16_u8 {
            let (a, b) = (pair & 3, pair >> 2);
            for next in (0..4).filter(|next| kind.forbids([a, b, *next])) {
                forbidden[usize::from(pair)] |= 1 << next;
            }
        }
        let mut files = Files {
            ranks,
            alphabet: Vec::new(),
            levels_alike: levels_alike && kind == Kind::LineFree,
            forbidden,
        };
        let level = |file: u32, rank: u32| (file >> (2 * rank) & 3) as u8;
        files.alphabet = (0..1_u32 << (2 * ranks))
            .filter(|file| {
                let line = |rank: u32| {
                    [
                        level(*file, rank),
                        level(*file, rank + 1),
                        level(*file, rank + 2),
                    ]
                };
                (0..ranks.saturating_sub(2)).all(|rank| !kind.forbids(line(rank)))
                    && (!symmetric || files.flipped(*file) == *file)
            })
            .collect();
        files
    }

    fn flipped(&self, file: u32) -> u32 {
        (0..self.ranks).fold(0, |flipped, rank| flipped << 2 | (file >> (2 * rank) & 3))
    }

    /// What two files forbid the next.
    fn forbids(&self, before: u32, last: u32) -> u64 {
        let level = |file: u32, rank: i64| (file >> (2 * rank) & 3) as usize;
        let ranks = i64::from(self.ranks);
        let mut forbids = 0_u64;
        for rank in 0..ranks {
            for step in [-1, 0, 1] {
                let (from, to) = (rank - step, rank + step);
                if (0..ranks).contains(&from) && (0..ranks).contains(&to) {
                    let pair = level(before, from) | level(last, rank) << 2;
                    forbids |= u64::from(self.forbidden[pair]) << (4 * to);
                }
            }
        }
        forbids
    }

    fn allows(&self, forbids: u64, file: u32) -> bool {
        (0..self.ranks).all(|rank| forbids >> (4 * rank + (file >> (2 * rank) & 3)) & 1 == 0)
    }

    /// The least of the states that count as one with a state.
    fn canonical(&self, (file, forbids): State) -> State {
        const KEPT: [[u32; 4]; 1] = [[0, 1, 2, 3]];
        const EXCHANGED: [[u32; 4]; 6] = [
            [0, 1, 2, 3],
            [0, 1, 3, 2],
            [0, 2, 1, 3],
            [0, 2, 3, 1],
            [0, 3, 1, 2],
            [0, 3, 2, 1],
        ];
        let exchanges: &[[u32; 4]] = if self.levels_alike { &EXCHANGED } else { &KEPT };
        let image = |levels: &[u32; 4], flip: bool| -> State {
            let (mut to, mut barred) = (0, 0);
            for rank in 0..self.ranks {
                let place = if flip { self.ranks - 1 - rank } else { rank };
                to |= levels[(file >> (2 * rank) & 3) as usize] << (2 * place);
                for level in 0..4 {
                    let bit = forbids >> (4 * rank + level) & 1;
                    barred |= bit << (4 * place + levels[level as usize]);
                }
            }
            (to, barred)
        };
        let images = exchanges
            .iter()
            .flat_map(|levels| [image(levels, false), image(levels, true)]);
        images.min().unwrap_or((file, forbids))
    }

    /// The states that building passes, with how many files lead from each to which; the first is the
    /// empty board's.
    pub(crate) fn machine(&self) -> Machine {
        let mut numbers: HashMap<State, usize> = HashMap::new();
        let mut states = Vec::new();
        let mut next: Vec<Vec<(usize, u64)>> = Vec::new();
        let mut number_of = |state: State, states: &mut Vec<State>| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        let first = self.alphabet.iter().map(|file| (*file, 0));
        let mut from_start: Vec<(usize, u64)> = Vec::new();
        for state in first {
            let to = number_of(self.canonical(state), &mut states);
            merge(&mut from_start, to);
        }
        let mut at = 0;
        while at < states.len() {
            let (last, forbids) = states[at];
            let mut to = Vec::new();
            for file in &self.alphabet {
                if self.allows(forbids, *file) {
                    let state = self.canonical((*file, self.forbids(last, *file)));
                    to.push(number_of(state, &mut states));
                }
            }
            to.sort_unstable();
            let mut grouped: Vec<(usize, u64)> = Vec::new();
            for state in to {
                match grouped.last_mut() {
                    Some(last) if last.0 == state => last.1 += 1,
                    _ => grouped.push((state, 1)),
                }
            }
            next.push(grouped);
            at += 1;
        }
        Machine {
            states,
            from_start,
            next,
        }
    }

    /// In how many ways a board that ends in a state can be closed to one that a symmetry keeps: with
    /// its mirror image behind it at once, or with one file between.
    fn closings(&self, fixed: Invariance, (last, forbids): State) -> [u64; 2] {
        let mirrored = match fixed {
            Invariance::All | Invariance::TopBottom => return [1, 0],
            Invariance::LeftRight => last,
            Invariance::HalfTurn => self.flipped(last),
        };
        let between = self.alphabet.iter().filter(|file| {
            let own = fixed == Invariance::LeftRight || self.flipped(**file) == **file;
            let kept = self.allows(forbids, **file);
            own && kept && self.allows(self.forbids(last, **file), mirrored)
        });
        [
            u64::from(self.allows(forbids, mirrored)),
            between.count() as u64,
        ]
    }

    /// The files that may stand in the middle of a board that is closed without a state before.
    fn middles(&self, fixed: Invariance) -> u64 {
        let own = |file: &&u32| fixed != Invariance::HalfTurn || self.flipped(**file) == **file;
        self.alphabet.iter().filter(own).count() as u64
    }
}

fn merge(grouped: &mut Vec<(usize, u64)>, to: usize) {
    match grouped.iter_mut().find(|(state, _)| *state == to) {
        Some((_, count)) => *count += 1,
        None => grouped.push((to, 1)),
    }
}

/// States and how many files lead from each to which.
pub(crate) struct Machine {
    pub(crate) states: Vec<State>,
    pub(crate) from_start: Vec<(usize, u64)>,
    pub(crate) next: Vec<Vec<(usize, u64)>>,
}

/// A matrix of whole numbers with the row that begins and the column that ends a count.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    from_start: Vec<(usize, u64)>,
    next: Vec<Vec<(usize, u64)>>,
    ends: Vec<u64>,
}

impl Machine {
    /// States with the same future become one: the coarsest partition in which states of a class end in
    /// as many ways and lead into every class as often.
    pub(crate) fn merged(&self, ends: &[u64]) -> Matrix {
        let mut class: Vec<usize> = Vec::new();
        let mut known = HashMap::new();
        for end in ends {
            let number = known.len();
            class.push(*known.entry(*end).or_insert(number));
        }
        let mut classes = known.len();
        loop {
            let mut known: HashMap<(usize, Vec<(usize, u64)>), usize> = HashMap::new();
            let mut finer = Vec::with_capacity(class.len());
            for (state, next) in self.next.iter().enumerate() {
                let number = known.len();
                let entry = known.entry((class[state], summed(next, &class)));
                finer.push(*entry.or_insert(number));
            }
            let count = known.len();
            class = finer;
            if count == classes {
                break;
            }
            classes = count;
        }
        let mut next = vec![Vec::new(); classes];
        let mut ended = vec![0; classes];
        for (state, own) in class.iter().enumerate() {
            if next[*own].is_empty() {
                next[*own] = summed(&self.next[state], &class);
            }
            ended[*own] = ends[state];
        }
        Matrix {
            from_start: summed(&self.from_start, &class),
            next,
            ends: ended,
        }
    }
}

fn summed(next: &[(usize, u64)], class: &[usize]) -> Vec<(usize, u64)> {
    let mut classes: Vec<(usize, u64)> = next.iter().map(|(to, n)| (class[*to], *n)).collect();
    classes.sort_unstable();
    let mut grouped: Vec<(usize, u64)> = Vec::new();
    for (to, count) in classes {
        match grouped.last_mut() {
            Some(last) if last.0 == to => last.1 += count,
            _ => grouped.push((to, count)),
        }
    }
    grouped
}

impl Matrix {
    pub(crate) fn size(&self) -> usize {
        self.next.len()
    }

    /// The counts for 1, 2, … files, modulo a prime.
    pub(crate) fn terms(&self, count: usize, prime: u64) -> Vec<u64> {
        let mut ways: Vec<u64> = self.ends.iter().map(|ends| ends % prime).collect();
        let sum = |next: &[(usize, u64)], ways: &[u64]| {
            next.iter().fold(0, |sum, (to, count)| {
                add(sum, mul(*count % prime, ways[*to], prime), prime)
            })
        };
        let mut terms = Vec::with_capacity(count);
        for _ in 0..count {
            terms.push(sum(&self.from_start, &ways));
            ways = self.next.iter().map(|next| sum(next, &ways)).collect();
        }
        terms
    }
}

/// The boards of a kind and a number of ranks that a symmetry keeps.
pub(crate) struct InvariantBoards {
    fixed: Invariance,
    // By files: all of them; or by half the files, for even and odd numbers of them.
    matrices: Vec<Matrix>,
    // For a single file.
    alone: u64,
    states: usize,
}

impl InvariantBoards {
    pub(crate) fn new(kind: Kind, ranks: u32, fixed: Invariance) -> InvariantBoards {
        // An exchange of levels keeps all counts, but not the picture of a half that is closed.
        let files = Files::new(kind, ranks, fixed == Invariance::TopBottom, true);
        let machine = files.machine();
        let closings: Vec<[u64; 2]> = machine
            .states
            .iter()
            .map(|state| files.closings(fixed, *state))
            .collect();
        let ends = |at: usize| closings.iter().map(|ways| ways[at]).collect::<Vec<u64>>();
        let matrices = match fixed {
            Invariance::All | Invariance::TopBottom => vec![machine.merged(&ends(0))],
            Invariance::LeftRight | Invariance::HalfTurn => {
                vec![machine.merged(&ends(0)), machine.merged(&ends(1))]
            }
        };
        InvariantBoards {
            fixed,
            matrices,
            alone: files.middles(fixed),
            states: machine.states.len(),
        }
    }

    /// States before those with the same future are merged.
    pub(crate) fn states(&self) -> usize {
        self.states
    }

    /// An order that some recurrence for these counts does not exceed.
    pub(crate) fn order(&self) -> usize {
        match self.fixed {
            Invariance::All | Invariance::TopBottom => self.matrices[0].size(),
            // Interleaved, each part has a recurrence in every second term; the single file stands apart.
            Invariance::LeftRight | Invariance::HalfTurn => {
                2 * self.matrices.iter().map(Matrix::size).sum::<usize>() + 1
            }
        }
    }

    /// The counts for 1, 2, … files, modulo a prime.
    pub(crate) fn terms(&self, count: usize, prime: u64) -> Vec<u64> {
        match self.fixed {
            Invariance::All | Invariance::TopBottom => self.matrices[0].terms(count, prime),
            Invariance::LeftRight | Invariance::HalfTurn => {
                let even = self.matrices[0].terms(count / 2, prime);
                let odd = self.matrices[1].terms(count.saturating_sub(1) / 2, prime);
                let mut terms = Vec::with_capacity(count);
                for files in 1..=count {
                    terms.push(match (files % 2, files / 2) {
                        (0, half) => even[half - 1],
                        (_, 0) => self.alone % prime,
                        (_, half) => odd[half - 1],
                    });
                }
                terms
            }
        }
    }
}

/// The greatest sums of levels of line-free boards with 1, 2, … files, until they grow for ever by
/// the same steps. It holds the sums, the number of files after which they do so, and the period
/// with its gain.
pub(crate) struct Heaviest {
    pub(crate) sums: Vec<u32>,
    pub(crate) from: usize,
    pub(crate) period: usize,
    pub(crate) adds: u32,
}

/// Builds boards file by file and keeps, for every state, the greatest sum. As soon as the sums of all
/// states are those of some files before, each greater by the same number, this goes on for ever: what
/// follows depends on the differences alone.
pub(crate) fn heaviest(ranks: u32) -> Heaviest {
    let files = Files::new(Kind::LineFree, ranks, false, false);
    let machine = files.machine();
    let weight = |(file, _): &State| (0..ranks).map(|rank| *file >> (2 * rank) & 3).sum::<u32>();
    let weights: Vec<u32> = machine.states.iter().map(weight).collect();
    let mut best: Vec<Option<u32>> = vec![None; machine.states.len()];
    for (state, _) in &machine.from_start {
        best[*state] = Some(weights[*state]);
    }
    let mut sums = Vec::new();
    let mut seen: HashMap<Vec<Option<u32>>, (usize, u32)> = HashMap::new();
    loop {
        let most = best.iter().flatten().max().copied().unwrap_or_default();
        sums.push(most);
        let relative = best.iter().map(|sum| sum.map(|sum| most - sum)).collect();
        if let Some((files, before)) = seen.insert(relative, (sums.len(), most)) {
            return Heaviest {
                from: files,
                period: sums.len() - files,
                adds: most - before,
                sums,
            };
        }
        let mut after = vec![None; best.len()];
        for (state, next) in machine.next.iter().enumerate() {
            let Some(sum) = best[state] else { continue };
            for (to, _) in next {
                after[*to] = after[*to].max(Some(sum + weights[*to]));
            }
        }
        best = after;
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::{BoardGame, Code, Game};

    use super::*;
    use crate::exact::primes;

    #[test]
    fn boards_built_file_by_file_are_those_of_the_rules() {
        for (ranks, most) in [(1_u32, 7_usize), (2, 4), (3, 3)] {
            for kind in [Kind::LineFree, Kind::Undecided] {
                let prime = primes(60)[0];
                let kept = [
                    Invariance::All,
                    Invariance::TopBottom,
                    Invariance::LeftRight,
                    Invariance::HalfTurn,
                ]
                .map(|fixed| InvariantBoards::new(kind, ranks, fixed).terms(most, prime));
                for files in 1..=most {
                    let game = BoardGame::named(&format!("classic-{ranks}x{files}")).unwrap();
                    let cells = ranks as usize * files;
                    let mirrored = |code: Code, flip_rank: bool, flip_file: bool| {
                        let shape = &game.board().shape;
                        (0..cells as u8).map(greenwave_game::Cell).fold(
                            Code::EMPTY,
                            |image, cell| {
                                let (file, rank) = shape.place(cell);
                                let file = if flip_file {
                                    files as u8 - 1 - file
                                } else {
                                    file
                                };
                                let rank = if flip_rank {
                                    ranks as u8 - 1 - rank
                                } else {
                                    rank
                                };
                                image.with(shape.at(file, rank).unwrap(), code.level(cell))
                            },
                        )
                    };
                    let mut counts = [0_u64; 4];
                    for code in (0..1_u64 << (2 * cells)).map(Code) {
                        let fits = !game.has_line(code)
                            && (kind == Kind::LineFree || !game.has_threat(code));
                        if fits {
                            for (at, (rank, file)) in
                                [(false, false), (true, false), (false, true), (true, true)]
                                    .into_iter()
                                    .enumerate()
                            {
                                counts[at] += u64::from(mirrored(code, rank, file) == code);
                            }
                        }
                    }
                    let built = kept.each_ref().map(|terms| terms[files - 1]);
                    assert_eq!(built, counts, "{} {kind:?}", game.rules().name);
                }
            }
        }
    }

    #[test]
    fn the_heaviest_row_has_two_greens_in_three() {
        let row = heaviest(1);
        assert_eq!((row.period, row.adds), (3, 8));
        assert_eq!(row.sums[..5], [3, 6, 8, 11, 14]);
    }
}
