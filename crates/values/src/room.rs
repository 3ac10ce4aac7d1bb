//! Memory for as many items as a game has positions, or a user asks for, which the machine may refuse.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use crate::{Progress, ValuesError};

/// This many copies of an item.
///
/// # Errors
/// When the machine does not give the memory.
pub fn filled<T: Clone>(item: T, count: usize) -> Result<Vec<T>, ValuesError> {
    let mut items = reserved(count)?;
    items.resize(count, item);
    Ok(items)
}

/// The same, piece by piece, so that it can be stopped: gigabytes take seconds.
///
/// # Errors
/// When the machine does not give the memory, and when the work is cancelled.
pub fn filled_watched<T: Clone>(
    item: &T,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<T>, ValuesError> {
    const PIECE: usize = 16 << 20;
    let mut items: Vec<T> = reserved(count)?;
    while items.len() < count {
        if progress.cancelled() {
            return Err(ValuesError::Interrupted);
        }
        items.resize((items.len() + PIECE).min(count), item.clone());
    }
    Ok(items)
}

/// The items of an iterator that knows how many there are.
///
/// # Errors
/// When the machine does not give the memory.
pub fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, ValuesError> {
    let mut collected = reserved(items.len())?;
    collected.extend(items);
    Ok(collected)
}

/// The items of an iterator, however many there are.
///
/// # Errors
/// When the machine does not give the memory.
pub fn gathered<T>(items: impl Iterator<Item = T>) -> Result<Vec<T>, ValuesError> {
    let mut gathered = reserved(items.size_hint().0)?;
    for item in items {
        push(&mut gathered, item)?;
    }
    Ok(gathered)
}

/// The items of several lists as one; each list is let go as soon as it was copied.
///
/// # Errors
/// When the machine does not give the memory.
pub fn joined<T>(lists: Vec<Vec<T>>) -> Result<Vec<T>, ValuesError> {
    let mut joined = reserved(lists.iter().map(Vec::len).sum())?;
    lists
        .into_iter()
        .for_each(|mut list| joined.append(&mut list));
    Ok(joined)
}

/// An empty list with room for this many items, and no more.
///
/// # Errors
/// When the machine does not give the memory.
pub fn reserved<T>(count: usize) -> Result<Vec<T>, ValuesError> {
    let mut items = Vec::new();
    reserve(&mut items, count)?;
    Ok(items)
}

/// Room for this many items more in a list, and no more than that.
///
/// # Errors
/// When the machine does not give the memory.
pub fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<(), ValuesError> {
    items
        .try_reserve_exact(more)
        .map_err(|_| refused(list_bytes(items, more)))
}

/// Adds an item to a list that grows by and by.
///
/// # Errors
/// When the machine does not give the memory.
#[inline]
pub fn push<T>(items: &mut Vec<T>, item: T) -> Result<(), ValuesError> {
    if items.len() == items.capacity() {
        items
            .try_reserve(1)
            .map_err(|_| refused(list_bytes(items, 1)))?;
    }
    items.push(item);
    Ok(())
}

/// Room for this many keys more in a map.
///
/// # Errors
/// When the machine does not give the memory.
pub fn reserve_keys<K: Eq + Hash, V>(
    map: &mut HashMap<K, V, impl BuildHasher>,
    more: usize,
) -> Result<(), ValuesError> {
    map.try_reserve(more)
        .map_err(|_| refused(map_bytes::<K, V>(map.len().saturating_add(more))))
}

/// Room for this many members more in a set.
///
/// # Errors
/// When the machine does not give the memory.
pub fn reserve_members<T: Eq + Hash>(
    set: &mut HashSet<T, impl BuildHasher>,
    more: usize,
) -> Result<(), ValuesError> {
    set.try_reserve(more)
        .map_err(|_| refused(map_bytes::<T, ()>(set.len().saturating_add(more))))
}

/// Bytes of a map of the standard library with this many keys: it is filled to seven eighths, and has a byte
/// more for each place.
pub fn map_bytes<K, V>(keys: usize) -> usize {
    let places = keys
        .saturating_mul(8)
        .div_ceil(7)
        .checked_next_power_of_two();
    places.map_or(usize::MAX, |places| {
        places.saturating_mul(size_of::<(K, V)>() + 1)
    })
}

fn list_bytes<T>(items: &[T], more: usize) -> usize {
    let count = items.len().saturating_add(more);
    count.saturating_mul(size_of::<T>())
}

#[cold]
fn refused(bytes: usize) -> ValuesError {
    ValuesError::Allocation {
        needed: bytes as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn more_than_the_machine_has_is_refused() {
        assert_eq!(filled(7_u8, 3).unwrap(), [7; 3]);
        assert_eq!(filled_watched(&7_u8, 3, &Silent).unwrap(), [7; 3]);
        assert_eq!(collected([1, 2].iter()).unwrap(), [&1, &2]);
        assert_eq!(gathered((0..9).filter(|n| n % 4 == 1)).unwrap(), [1, 5]);
        assert_eq!(
            joined(vec![vec![1], vec![], vec![2, 3]]).unwrap(),
            [1, 2, 3]
        );
        let mut list = reserved(2).unwrap();
        assert_eq!(list.capacity(), 2);
        (0..9).for_each(|item| push(&mut list, item).unwrap());
        assert!(reserve(&mut list, usize::MAX / 16).is_err() && list.len() == 9);
        let mut map = HashMap::from([(1, 2)]);
        reserve_keys(&mut map, 9).unwrap();
        assert!(map.capacity() >= 10 && reserve_keys(&mut map, usize::MAX / 32).is_err());
        let mut set = HashSet::from([1]);
        reserve_members(&mut set, 9).unwrap();
        assert!(set.capacity() >= 10 && reserve_members(&mut set, usize::MAX / 32).is_err());
        let refused = filled(0_u64, usize::MAX / 16).unwrap_err().to_string();
        assert!(
            refused.starts_with("the machine could not give ") && refused.contains("--memory"),
            "{refused}"
        );
    }
}
