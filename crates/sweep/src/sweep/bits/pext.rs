//! Gathering bits of a word, with the instruction made for it where the CPU has it.

#![allow(unsafe_code)]

/// The bits of each word at the set bits of its mask, moved together; calls `take` with them.
pub(super) fn gather_all<const N: usize>(
    words: &[u64; N],
    masks: &[u64; N],
    take: &mut dyn FnMut(u64, u64),
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        // SAFETY: the CPU has the one feature that the function is compiled for.
        return unsafe { with_pext(words, masks, take) };
    }
    for (word, mask) in words.iter().zip(masks).filter(|(_, mask)| **mask != 0) {
        take(gather(*word, *mask), *mask);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn with_pext<const N: usize>(words: &[u64; N], masks: &[u64; N], take: &mut dyn FnMut(u64, u64)) {
    for (word, mask) in words.iter().zip(masks) {
        if *mask != 0 {
            take(std::arch::x86_64::_pext_u64(*word, *mask), *mask);
        }
    }
}

/// The bits of `word` at the set bits of `mask`, moved together.
fn gather(word: u64, mask: u64) -> u64 {
    // Hacker's Delight, section 7-4: each step moves the bits that have an odd number of gaps of
    // its width below them.
    let mut word = word & mask;
    let mut mask = mask;
    let mut gaps = !mask << 1;
    for step in 0..6 {
        let mut parity = gaps ^ gaps << 1;
        parity ^= parity << 2;
        parity ^= parity << 4;
        parity ^= parity << 8;
        parity ^= parity << 16;
        parity ^= parity << 32;
        let moving = parity & mask;
        mask = mask ^ moving | moving >> (1 << step);
        let moved = word & moving;
        word = word ^ moved | moved >> (1 << step);
        gaps &= !parity;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_gathered_in_order() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..200 {
            word = word.wrapping_mul(0xd129_0d3d_2d2b_c9a5).rotate_left(17);
            let mask = word.wrapping_mul(0x94d0_49bb_1331_11eb) ^ word >> 7;
            let places = (0..64).filter(|bit| mask >> bit & 1 == 1);
            let expected = places
                .enumerate()
                .fold(0, |bits, (place, bit)| bits | (word >> bit & 1) << place);
            assert_eq!(gather(word, mask), expected);
            gather_all(&[word], &[mask], &mut |bits, _| assert_eq!(bits, expected));
        }
    }
}
