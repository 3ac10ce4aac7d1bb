//! What kernels do with a row of 64 bytes.

use super::super::family::BlockFamily;
use super::super::layout::BitRow;

/// What is to be done with a family in registers of 64 bytes.
pub(in crate::sweep) trait FamilyPass<const N: usize> {
    fn run<B: ByteLanes>(&self, family: &BlockFamily<'_, N>, out: &mut [[u8; N]]);
}

/// 64 bytes in a machine's registers.
pub(in crate::sweep) trait ByteLanes: Copy {
    fn zero() -> Self;
    fn splat(byte: u8) -> Self;
    fn load(row: &BitRow) -> Self;
    fn store(self, row: &mut BitRow);
    /// All bits set in the bytes whose bit is set.
    fn from_mask(mask: u64) -> Self;
    fn or(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    /// Bits set here and not there.
    fn and_not(self, there: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Each byte plus a signed one, kept within 0 and 255.
    fn shifted(self, by: Self) -> Self;
    /// Modulo 256.
    fn plus(self, other: Self) -> Self;
    /// Modulo 256.
    fn minus(self, other: Self) -> Self;
    /// All bits set in equal bytes.
    fn equal(self, other: Self) -> Self;
    /// `high` where the byte is above 127, else `low`.
    fn choose(self, high: Self, low: Self) -> Self;
    /// The children along square 0, 1 and 2; zero where there is none.
    fn raised(self) -> [Self; 3];
    /// Asks for a row to be brought near.
    fn prefetch(row: &BitRow);
}
