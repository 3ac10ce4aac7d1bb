//! Memory for as many items as a game has positions, or a user asks for, which the machine may refuse.

use crate::ValuesError;

/// This many copies of an item.
///
/// # Errors
/// When the machine does not give the memory.
pub fn filled<T: Clone>(item: T, count: usize) -> Result<Vec<T>, ValuesError> {
    let mut items = reserved(count)?;
    items.resize(count, item);
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
        .map_err(|_| refused(items, more))
}

/// Adds an item to a list that grows by and by.
///
/// # Errors
/// When the machine does not give the memory.
#[inline]
pub fn push<T>(items: &mut Vec<T>, item: T) -> Result<(), ValuesError> {
    if items.len() == items.capacity() {
        items.try_reserve(1).map_err(|_| refused(items, 1))?;
    }
    items.push(item);
    Ok(())
}

#[cold]
fn refused<T>(items: &[T], more: usize) -> ValuesError {
    let needed = (items.len() as u64).saturating_add(more as u64);
    ValuesError::Allocation {
        needed: needed.saturating_mul(size_of::<T>() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_machine_has_is_refused() {
        assert_eq!(filled(7_u8, 3).unwrap(), [7; 3]);
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
        let refused = filled(0_u64, usize::MAX / 16).unwrap_err().to_string();
        assert!(
            refused.starts_with("the machine could not give ") && refused.contains("--memory"),
            "{refused}"
        );
    }
}
