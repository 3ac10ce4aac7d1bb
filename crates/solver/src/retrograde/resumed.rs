//! Checkpoints of a list and of the values that spread over it.

use std::sync::atomic::AtomicU16;

use greenwave_game::Dense;
use greenwave_values::parallel::try_map_chunks;
use greenwave_values::{Progress, wide_code};

use crate::SolveError;
use greenwave_sweep::MemoryAllowance;
use greenwave_sweep::checkpoint::Checkpoint;

/// The content of a checkpoint.
pub(super) enum ListingProgress {
    Nothing,
    /// The positions listed so far, rising, and those of them whose children are not listed yet.
    Part {
        known: Vec<u64>,
        open: Vec<u64>,
    },
    /// All positions, and where values were spread already the last round.
    Listed {
        indices: Vec<u64>,
        round: Option<Round>,
    },
}

/// Values after this many plies: codes, open children, and the places decided in that round.
pub(super) struct Round {
    pub(super) distance: u32,
    pub(super) codes: Vec<AtomicU16>,
    pub(super) children: Vec<AtomicU16>,
    pub(super) frontier: Vec<u32>,
}

impl ListingProgress {
    pub(super) fn read<G: Dense>(
        game: &G,
        checkpoint: &mut Checkpoint,
        budget: MemoryAllowance<'_>,
        progress: &dyn Progress,
    ) -> Result<ListingProgress, SolveError> {
        let Some(numbers) = checkpoint.resume(progress)? else {
            return Ok(ListingProgress::Nothing);
        };
        let number = |name: &str| numbers.get(name).and_then(|number| number.first()).copied();
        let longs = |checkpoint: &Checkpoint, name: &str| {
            let file = checkpoint.read(name)?;
            let count = file.bytes() / 8;
            budget.check(file.bytes())?;
            file.numbers(count as usize, u64::from_le_bytes)
        };
        let listed = |checkpoint: &Checkpoint, name: &str| {
            let indices = longs(checkpoint, name)?;
            let rises = indices.is_sorted_by(|index, next| index < next);
            let start = game.index(&game.start());
            if !rises || indices.binary_search(&start).is_err() {
                return Err(
                    checkpoint.refuse("is damaged: its list does not rise, or lacks the start")
                );
            }
            let is_one = |index: &u64| {
                let position = game.at(*index);
                position.is_some_and(|position| game.index(&position) == *index)
            };
            let checked = try_map_chunks(&indices, CHECKED, |_, chunk| {
                chunk.iter().all(is_one).then_some(()).ok_or(())
            });
            match checked {
                Ok(_) => Ok(indices),
                Err(()) => Err(checkpoint.refuse("is damaged: its list has what is no position")),
            }
        };
        if let Some(step) = number("step") {
            let known = listed(checkpoint, &format!("known-{step}"))?;
            let open = longs(checkpoint, &format!("open-{step}"))?;
            if open.is_empty() || open.iter().any(|index| known.binary_search(index).is_err()) {
                return Err(checkpoint.refuse(BEGINS_NOWHERE));
            }
            return Ok(ListingProgress::Part { known, open });
        }
        let indices = listed(checkpoint, LIST)?;
        let _ = checkpoint.keep_listed(LIST);
        let Some(distance) = number("round") else {
            return Ok(ListingProgress::Listed {
                indices,
                round: None,
            });
        };
        let positions = indices.len();
        let shorts = |name: &str| {
            let file = checkpoint.read(&format!("{name}-{distance}"))?;
            file.numbers(positions, |bytes| AtomicU16::new(u16::from_le_bytes(bytes)))
        };
        let file = checkpoint.read(&format!("frontier-{distance}"))?;
        let count = file.bytes() / 4;
        let frontier = file.numbers(count as usize, u32::from_le_bytes)?;
        // None where all is settled and the table alone is to be written.
        if frontier.iter().any(|place| *place as usize >= positions) {
            return Err(checkpoint.refuse(BEGINS_NOWHERE));
        }
        let plies = u32::try_from(distance).ok();
        let Some(distance) = plies.filter(|plies| *plies <= wide_code::MAX_PLIES) else {
            return Err(checkpoint.refuse(&format!("is damaged: no play takes {distance} plies")));
        };
        let round = Round {
            distance,
            codes: shorts("codes")?,
            children: shorts("children")?,
            frontier,
        };
        Ok(ListingProgress::Listed {
            indices,
            round: Some(round),
        })
    }
}

const BEGINS_NOWHERE: &str = "is damaged: it leads from a position that is not in its list";

// Positions of a list that a task looks at.
const CHECKED: usize = 1 << 12;

// The part with all positions.
const LIST: &str = "list";

// Keeps the list of all positions, unless that was done.
pub(super) fn save_list(checkpoint: &mut Checkpoint, indices: &[u64]) -> Result<(), SolveError> {
    if checkpoint.lists(LIST) {
        return Ok(());
    }
    let mut file = checkpoint.write(LIST)?;
    file.put_all(indices.iter().map(|index| index.to_le_bytes()))?;
    let record = file.finish()?;
    checkpoint.keep(LIST, record);
    checkpoint.commit(&[], &[])
}
