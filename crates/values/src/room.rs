//! Memory for as many items as a game has positions, which the machine may refuse.

use crate::ValuesError;

/// So many copies of an item.
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

fn reserved<T>(count: usize) -> Result<Vec<T>, ValuesError> {
    let mut items = Vec::new();
    match items.try_reserve_exact(count) {
        Ok(()) => Ok(items),
        Err(_) => Err(ValuesError::Allocation {
            needed: (count as u64).saturating_mul(size_of::<T>() as u64),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_machine_has_is_refused() {
        assert_eq!(filled(7_u8, 3).unwrap(), [7; 3]);
        assert_eq!(collected([1, 2].iter()).unwrap(), [&1, &2]);
        let refused = filled(0_u64, usize::MAX / 16).unwrap_err().to_string();
        assert!(
            refused.starts_with("the machine could not give ") && refused.contains("--memory"),
            "{refused}"
        );
    }
}
