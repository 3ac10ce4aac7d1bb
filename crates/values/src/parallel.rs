//! Work cut into parts, done on the threads of the current rayon pool.
//!
//! The code that hands parts to threads is compiled once for all kinds of work, and the code that
//! gathers results once for each type of result. It calls the work through a pointer, once a part.
//! So a part has to be worth some ten microseconds.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Threads of the current rayon pool.
#[must_use]
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// Does all parts, in any order.
pub fn for_each_part(parts: usize, work: &(dyn Fn(usize) + Sync)) {
    // Parts are of unlike size: each may go to another thread.
    (0..parts).into_par_iter().with_max_len(1).for_each(work);
}

/// What each part comes to, in order.
pub fn map_parts<T: Send>(parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_each(parts, &work)
}

// Not inlined, as those below: else it would be compiled for every work again.
#[inline(never)]
fn map_each<T: Send>(parts: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let done: Vec<Mutex<Option<T>>> = (0..parts).map(|_| Mutex::default()).collect();
    for_each_part(parts, &|part| {
        let result = work(part);
        *done[part].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let mut results = Vec::with_capacity(parts);
    for result in done {
        results.extend(result.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    results
}

/// What each part comes to, in order; after an error the parts that have not begun are left out.
///
/// # Errors
/// That of the first part, in order, among those that failed.
pub fn try_map_parts<T: Send, E: Send>(
    parts: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    try_map_each(parts, &work)
}

#[inline(never)]
fn try_map_each<T: Send, E: Send>(
    parts: usize,
    work: &(dyn Fn(usize) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let results = map_each(parts, &|part| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = work(part);
        failed.fetch_or(result.is_err(), Ordering::Relaxed);
        Some(result)
    });
    let mut all = Vec::with_capacity(parts);
    for result in results.into_iter().flatten() {
        all.push(result?);
    }
    Ok(all)
}

/// The result of each chunk of `size` items, in order; the last chunk may be shorter. The work gets
/// the number of the chunk.
///
/// # Errors
/// That of the first chunk, in order, among those that failed.
pub fn try_map_chunks<I: Sync, T: Send, E: Send>(
    items: &[I],
    size: usize,
    work: impl Fn(usize, &[I]) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    try_map_parts(items.len().div_ceil(size), |number| {
        let end = items.len().min((number + 1) * size);
        work(number, &items[number * size..end])
    })
}

/// Does all parts, each with one of a few states that are made as they are needed and used again
/// from part to part; gives the states back. In which state a part finds itself is left to chance, so
/// a state may hold sums and scratch space, nothing that depends on an order.
pub fn fold_parts<T: Send>(
    parts: usize,
    begin: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) + Sync,
) -> Vec<T> {
    fold_each(parts, &begin, &work)
}

#[inline(never)]
fn fold_each<T: Send>(
    parts: usize,
    begin: &(dyn Fn() -> T + Sync),
    work: &(dyn Fn(&mut T, usize) + Sync),
) -> Vec<T> {
    let idle: Mutex<Vec<T>> = Mutex::default();
    for_each_part(parts, &|part| {
        let spare = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut state = spare.unwrap_or_else(begin);
        work(&mut state, part);
        idle.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(state);
    });
    idle.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What the first part, in order, that finds something finds.
pub fn find_first_part<T: Send>(
    parts: usize,
    find: impl Fn(usize) -> Option<T> + Sync,
) -> Option<T> {
    find_each(parts, &find)
}

#[inline(never)]
fn find_each<T: Send>(parts: usize, find: &(dyn Fn(usize) -> Option<T> + Sync)) -> Option<T> {
    let first = AtomicUsize::new(usize::MAX);
    let found = map_each(parts, &|part| {
        if part > first.load(Ordering::Relaxed) {
            return None;
        }
        let found = find(part)?;
        first.fetch_min(part, Ordering::Relaxed);
        Some(found)
    });
    found.into_iter().flatten().next()
}

/// Hands chunks of `size` items, the last perhaps shorter, to the work, each with its number.
///
/// # Errors
/// That of the first chunk, in order, among those that failed.
///
/// # Panics
/// When the size is 0.
pub fn try_for_each_chunk<C: Send, E: Send>(
    items: &mut [C],
    size: usize,
    work: impl Fn(usize, &mut [C]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    try_each_chunk(items, size, &work)
}

// What is done to a chunk with a number.
type ChunkWork<'a, C, E> = dyn Fn(usize, &mut [C]) -> Result<(), E> + Sync + 'a;

#[inline(never)]
fn try_each_chunk<C: Send, E: Send>(
    items: &mut [C],
    size: usize,
    work: &ChunkWork<'_, C, E>,
) -> Result<(), E> {
    let chunks: Vec<Mutex<&mut [C]>> = items.chunks_mut(size).map(Mutex::new).collect();
    let all = try_map_each(chunks.len(), &|number| {
        let mut chunk = chunks[number]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        work(number, &mut chunk)
    });
    all.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        assert_eq!(
            map_parts(1000, |part| 2 * part),
            (0..1000).map(|part| 2 * part).collect::<Vec<_>>()
        );
        assert!(map_parts(0, |part| part).is_empty());
        let sums = fold_parts(1000, || 0, |sum, part| *sum += part);
        assert_eq!(sums.into_iter().sum::<usize>(), 499_500);
        let mut items = [1_u32; 100];
        let add = |number: usize, chunk: &mut [u32]| {
            chunk.iter_mut().for_each(|item| *item += number as u32);
            Ok::<(), ()>(())
        };
        assert_eq!(try_for_each_chunk(&mut items, 30, add), Ok(()));
        assert_eq!((items[29], items[30], items[99]), (1, 2, 4));
        let lengths = try_map_chunks(&items, 30, |number, chunk| {
            Ok::<_, ()>((number, chunk.len(), chunk[0]))
        });
        let expected = [(0, 30, 1), (1, 30, 2), (2, 30, 3), (3, 10, 4)];
        assert_eq!(lengths, Ok(expected.to_vec()));
    }

    #[test]
    fn the_first_in_order_is_found_and_the_first_error_told() {
        let found = find_first_part(1000, |part| (part % 100 == 99).then_some(part));
        assert_eq!(found, Some(99));
        assert_eq!(find_first_part(10, |_| None::<u8>), None);
        let all =
            |parts| try_map_parts(parts, |part| if part < 500 { Ok(part) } else { Err(part) });
        assert_eq!(all(500).map(|all| all.len()), Ok(500));
        assert!(all(1000).is_err_and(|part| part >= 500));
    }
}
