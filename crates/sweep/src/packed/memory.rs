//! Waves in memory, of which one and a little are there at a time.
//!
//! The code of a family is the least of its images. So the code `c` of a child is more than that of
//! its parent. Some image of the parent is `c` with one square a level lower, and the parent's code
//! is no more than that. The families of a wave are settled in order of their codes. Once those up
//! to some code are done, the wave above is not needed up to that code, and its chunks take the
//! streams of the new wave.

use std::iter::Zip;
use std::slice::{Chunks, ChunksMut};
use std::sync::{Arc, Mutex, PoisonError};

use greenwave_values::parallel::{for_each_part, threads};
use greenwave_values::room::filled;

use super::families::{Families, TASK};
use super::pool::{AtWork, Pool, locked};
use super::waves::{PackedSweep, TaskStreams, Totals, WaveStreams};
use crate::SolveError;
use crate::sweep::store::Store;

// Chunks of the wave above that are still wanted, by number.
type LiveChunks = Vec<Option<Arc<Store>>>;

// A wave at work, and the one above, which wanes as that one grows.
struct ShrinkingWave<'w> {
    tasks: Zip<Chunks<'w, u64>, ChunksMut<'w, u64>>,
    // By tasks that have not begun.
    wanted: LiveChunks,
    // Whether the wave above is still whole.
    whole: bool,
    totals: Result<Totals, SolveError>,
}

struct MemoryTask<'w, 'p, const G: usize> {
    codes: &'w [u64],
    places: &'w mut [u64],
    at_work: AtWork<'p, G>,
}

impl ShrinkingWave<'_> {
    fn add(&mut self, made: Result<TaskStreams, SolveError>) {
        if let Ok(totals) = &mut self.totals {
            match made {
                Ok(made) => *totals = totals.plus(made.totals),
                Err(error) => self.totals = Err(error),
            }
        }
    }

    // Takes what no task from some code on wants from the list of a thread, and from that of all.
    fn let_go(&mut self, own: &mut LiveChunks, last: &[u64], from: u64) -> Vec<Arc<Store>> {
        let mut gone = Vec::new();
        for (number, last) in last.iter().enumerate() {
            if *last <= from {
                gone.extend(own[number].take());
                gone.extend(self.wanted[number].take());
            }
        }
        self.whole &= gone.is_empty();
        gone
    }
}

impl<const G: usize> PackedSweep<'_, G> {
    /// Sweeps the waves from some sum down in the chunks of a pool; `above` is the one before the first,
    /// and then the last complete one. `after` sees each when it is complete. After an interruption
    /// `above` is whole where it is to be `kept`.
    pub(super) fn run(
        &self,
        from: usize,
        above: &mut WaveStreams,
        pool: &Pool<G>,
        kept: bool,
        mut after: impl FnMut(&WaveStreams, Totals) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let families = Families::new(self.tables, self.loops);
        for sum in (0..=from).rev() {
            let codes = families.wave(sum)?;
            let mut places = filled(0, codes.len())?;
            let totals = self.settle_down(sum, &codes, &mut places, above, pool, kept)?;
            let here = WaveStreams {
                sum,
                codes,
                places,
                chunks: pool.take(),
            };
            let before = std::mem::replace(above, here);
            pool.give(before.chunks);
            after(above, totals)?;
        }
        Ok(())
    }

    // Settles the families of a wave, and gives the chunks of the one above to the pool as it goes.
    fn settle_down(
        &self,
        sum: usize,
        codes: &[u64],
        places: &mut [u64],
        above: &mut WaveStreams,
        pool: &Pool<G>,
        kept: bool,
    ) -> Result<Totals, SolveError> {
        let last = self.last_codes(above);
        let chunks = std::mem::take(&mut above.chunks).into_iter();
        let waning = Mutex::new(ShrinkingWave {
            tasks: codes.chunks(TASK).zip(places.chunks_mut(TASK)),
            wanted: chunks.map(|chunk| Some(Arc::new(chunk))).collect(),
            whole: true,
            totals: Ok(Totals {
                sum,
                ..Totals::default()
            }),
        });
        let parent = &*above;
        for_each_part(threads(), &|_| {
            let (mut own, mut worker) = (LiveChunks::new(), pool.worker(self.grain));
            let mut next = self.begin(&waning, &mut own, &last, pool, kept);
            while let Some(task) = next {
                let chunks = own.iter().map(Option::as_deref);
                let chunks: Vec<&[u8]> = chunks
                    .map(|chunk| chunk.map(Store::bytes).unwrap_or_default())
                    .collect();
                let above = [parent.part(&chunks); 32];
                let made = self.settle_by(&mut worker, &above, task.codes, task.places, pool, 1);
                locked(&waning).add(made);
                next = self.begin(&waning, &mut own, &last, pool, kept);
                if next.is_none() {
                    pool.give(own.drain(..).flatten().filter_map(Arc::into_inner));
                }
                // Others wait for what it has let go of.
                drop(task.at_work);
            }
            pool.put_back(worker);
        });
        let ShrinkingWave { wanted, totals, .. } =
            waning.into_inner().unwrap_or_else(PoisonError::into_inner);
        let wanted = wanted.into_iter().flatten();
        above.chunks = wanted.filter_map(Arc::into_inner).collect();
        totals
    }

    // The next task of a thread, which reads chunks of its own list; none when all have begun, or on the
    // way out.
    fn begin<'w, 'p>(
        &self,
        waning: &Mutex<ShrinkingWave<'w>>,
        own: &mut LiveChunks,
        last: &[u64],
        pool: &'p Pool<G>,
        kept: bool,
    ) -> Option<MemoryTask<'w, 'p, G>> {
        let mut waning = locked(waning);
        if waning.totals.is_err() {
            return None;
        }
        // Instead of a wave that is not whole any more the next one will be kept.
        if self.progress.cancelled() && (waning.whole || !kept) {
            waning.totals = Err(SolveError::Interrupted);
            return None;
        }
        let (codes, places) = waning.tasks.next()?;
        if own.is_empty() {
            own.clone_from(&waning.wanted);
        }
        let gone = waning.let_go(own, last, codes[0]);
        let at_work = pool.begin(codes[0]);
        drop(waning);
        // The last thread to release a chunk returns it.
        pool.give(gone.into_iter().filter_map(Arc::into_inner));
        Some(MemoryTask {
            codes,
            places,
            at_work,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use greenwave_game::Metric;
    use greenwave_testkit::{StopCounter, forge_part, forge_state, listed_parts};
    use greenwave_values::Silent;

    use super::*;
    use crate::packed::grain::room;
    use crate::packed::pairs::WavePair;
    use crate::packed::plan::PackedPlan;
    use crate::packed::scratch::tests::{copied, files, piecemeal};
    use crate::packed::solve::{SweepFiles, solve, sweep_of};
    use crate::packed::tables::Tables;
    use crate::packed::tests::board;
    use crate::sweep::Kernel;

    fn two_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2);
        threads.build().unwrap().install(work)
    }

    // Waves in chunks that are as small as may be, and as few of them.
    fn in_small_chunks<'a>(plan: &PackedPlan<'a>) -> PackedPlan<'a> {
        let room = room(plan.grain, plan.layout.fold());
        PackedPlan {
            chunk_bits: room.ilog2() + 2,
            held: 0,
            ..plan.clone()
        }
    }

    #[test]
    fn a_wave_gives_way_to_the_next_one() {
        two_threads(|| {
            for (name, metric) in [
                ("signal-4x4", Metric::Value),
                ("classic-3x5", Metric::Distance),
            ] {
                let game = board(name);
                let plan = PackedPlan {
                    tiers: metric == Metric::Value,
                    ..PackedPlan::unweighed(&game, metric, Kernel::best()).unwrap()
                };
                let expected = solve(&plan, SweepFiles::default(), &Silent).unwrap();
                let found = solve(&in_small_chunks(&plan), SweepFiles::default(), &Silent).unwrap();
                assert_eq!(found, expected, "{name}");
            }
        });
    }

    #[test]
    fn an_interrupted_wave_that_gave_way_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("value.waves");
        let game = board("signal-4x4");
        let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
        let expected = solve(&plan, SweepFiles::default(), &Silent).unwrap();
        let keep = SweepFiles {
            checkpoint: Some(&path),
            every: Duration::from_secs(600),
            ..SweepFiles::default()
        };
        let (found, times) = piecemeal(&in_small_chunks(&plan), keep, 1_000_000);
        assert!(times > 5, "{times} times");
        assert_eq!(found, expected);
        assert_eq!(files(folder.path()), Vec::<String>::new());
    }

    /// Whoever reads a stream reads on to the end of its room, so no place may lie beyond.
    #[test]
    fn forged_waves_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("value.waves");
        let game = board("classic-3x4");
        let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
        let keep = SweepFiles {
            checkpoint: Some(&path),
            ..SweepFiles::default()
        };
        let stop = StopCounter::until(100_000);
        solve(&in_small_chunks(&plan), keep, &stop).unwrap_err();
        let whole = folder.path().join("whole");
        copied(&path, &whole);
        let part = listed_parts(&path).pop().unwrap();
        let bytes = std::fs::read(path.join(&part)).unwrap();
        let state = std::fs::read_to_string(path.join("state")).unwrap();
        let wave = state.lines().find_map(|line| line.strip_prefix("waves "));
        let families: usize = wave
            .unwrap()
            .split(' ')
            .nth_back(3)
            .unwrap()
            .parse()
            .unwrap();
        let refused = |forge: &dyn Fn(&mut Vec<u8>), says: &str| {
            std::fs::remove_dir_all(&path).unwrap();
            copied(&whole, &path);
            let mut other = bytes.clone();
            forge(&mut other);
            forge_part(&path, &part, &other);
            let error = solve(&plan, keep, &Silent).unwrap_err().to_string();
            assert!(
                error.contains(says) && error.contains("delete it"),
                "{error}"
            );
        };
        let (code, place) = (8 * (families - 1), 8 * (2 * families - 1));
        let beyond = "a stream beyond its chunk";
        refused(&|bytes| bytes[code] ^= 4, "other families");
        refused(&|bytes| bytes[place..][..8].fill(0xff), beyond);
        // In the last bytes of the first chunk.
        let bits = in_small_chunks(&plan).chunk_bits;
        let end = ((1_u64 << bits) - 8).to_le_bytes();
        refused(&|bytes| bytes[place..][..8].copy_from_slice(&end), beyond);
        std::fs::remove_dir_all(&path).unwrap();
        copied(&whole, &path);
        let smaller = |line: &str| match line.strip_prefix("chunk ") {
            Some(_) => Some("chunk 10".to_string()),
            None => Some(line.to_string()),
        };
        assert!(forge_state(&path, smaller));
        let error = solve(&plan, keep, &Silent).unwrap_err().to_string();
        assert!(error.contains(beyond), "{error}");
    }

    #[test]
    fn chunks_are_as_many_as_are_foreseen() {
        two_threads(|| {
            let game = board("classic-3x6");
            let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
            let plan = in_small_chunks(&plan);
            assert_eq!(plan.layout.fold(), 1);
            let tables = Tables::<1>::new(&plan.patterns, plan.layout.clone(), plan.grain);
            let families = Families::new(&tables, plan.loops);
            let most = families.most();
            let waves: Vec<_> = (0..=most)
                .map(|sum| families.weights(sum, 1).unwrap())
                .collect();
            let two =
                |lower: usize| WavePair::of(lower, &waves[lower], &waves[lower + 1], plan.grain);
            let chunks = |held: u64| {
                let plan = PackedPlan {
                    held,
                    ..plan.clone()
                };
                plan.chunks_of(plan.chunk_bits)
            };
            let of_tasks = |tasks: usize| {
                let held = (0..most).map(|lower| two(lower).held_by((tasks * threads()) as u64));
                chunks(held.max().unwrap())
            };
            let (held, beyond) = (of_tasks(3), of_tasks(4));
            let both = chunks((0..most).map(|lower| two(lower).bytes).max().unwrap());
            assert!(3 * held < 2 * both, "{held} chunks, {both} of two waves");
            let sweep = sweep_of(&plan, &tables, &Silent);
            let (mut above, pool) = (WaveStreams::default(), Pool::of(held));
            let done = sweep.run(most, &mut above, &pool, false, |_, _| Ok(()));
            done.unwrap();
            let made = above.chunks.len() + pool.free_chunks();
            assert!(made <= beyond, "{made} chunks, foreseen {held} or {beyond}");
        });
    }
}
