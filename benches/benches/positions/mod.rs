//! Random undecided positions with fixed seeds, and what they take.

use greenwave_game::{BoardGame, Code, Game};

// The random numbers of a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0xd129_0d3d_2d2b_c9a5)
            .wrapping_add(0x632b_e5ab);
        (self.0 >> 33) as usize % most
    }
}

/// A position after some random plies in which nothing is decided at once.
pub(crate) fn position(game: &BoardGame, plies: u32, seed: u64) -> Code {
    let mut random = Random(seed);
    random.below(1);
    loop {
        let mut position = game.start();
        for _ in 0..plies {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let children = moves.iter().map(|mv| game.play(&position, *mv).to);
            let calm = children.filter(|to| game.ending(to).is_none() && !game.has_threat(*to));
            let calm: Vec<Code> = calm.collect();
            if calm.is_empty() {
                break;
            }
            position = calm[random.below(calm.len())];
        }
        if position.level_sum() == plies {
            return position;
        }
    }
}

/// Of all threads, where the system tells.
pub(crate) fn cpu_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let told = threads.filter_map(|thread| {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        told.split_whitespace().next()?.parse::<f64>().ok()
    });
    told.sum::<f64>() * 1e-9
}

pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
