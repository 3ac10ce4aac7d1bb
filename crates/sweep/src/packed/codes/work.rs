//! The bytes of the family at work.

use super::rows::CodeBlock;
use super::scores::FamilyScores;
use crate::packed::grain::ByteMeaning;
use crate::packed::tables::blocks;

/// Blocks of the family at work; empty where nobody asks for more than who wins.
#[derive(Clone, Debug, Default)]
pub(in crate::packed) struct CodeWork<const G: usize> {
    /// The best that raises of far squares lead to; one block more that counts for nothing.
    pub(in crate::packed) found: Vec<CodeBlock>,
    /// What the blocks came to; empty between families, and always at [`blocks`].
    pub(in crate::packed) settled: Vec<CodeBlock>,
    // What raises score in the family, for points.
    pub(super) scores: Option<Box<FamilyScores<G>>>,
}

impl<const G: usize> CodeWork<G> {
    pub(in crate::packed) fn new(law: ByteMeaning) -> CodeWork<G> {
        let blocks = law.planes() * (blocks::<G>() + 1);
        CodeWork {
            found: vec![CodeBlock::EMPTY; blocks],
            settled: vec![CodeBlock::EMPTY; blocks],
            scores: None,
        }
    }
}
