//! Where a code is in a list, near the place where the last one was.

/// The first place whose code is not less, looking from a place near it outwards.
#[inline(always)]
pub(super) fn seek(codes: &[u64], near: usize, code: u64) -> usize {
    let (mut low, mut high) = (0, codes.len());
    if near < high {
        let mut step = 1;
        if codes[near] < code {
            low = near + 1;
            while low + step < high {
                if codes[low + step] >= code {
                    high = low + step;
                    break;
                }
                low += step + 1;
                step *= 2;
            }
        } else {
            high = near;
            while step < high {
                if codes[high - step] < code {
                    low = high - step + 1;
                    break;
                }
                high -= step;
                step *= 2;
            }
        }
    }
    while low < high {
        let middle = low.midpoint(high);
        if codes[middle] < code {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_from_anywhere() {
        let codes: Vec<u64> = (0..200).map(|number| 3 * number + number % 2).collect();
        for near in (0..210).chain([usize::MAX]) {
            for code in 0..620 {
                let expected = codes.partition_point(|other| *other < code);
                assert_eq!(seek(&codes, near, code), expected);
            }
        }
    }
}
