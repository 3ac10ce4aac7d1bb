//! Made-up tables for the tests.

use std::path::Path;
use std::sync::Arc;

use greenwave_table::{
    DiskStorage, EncodedFrame, Figures, FinishedTable, FirstMove, Hash32, HistogramEntry, Layout,
    Leaf, LongestPlay, MemoryStorage, Meta, Odds, Outcome, ResultCounts, Storage, Summary,
    TableError, TableWriter, ValueKind, encode_frame,
};

/// splitmix64: the same numbers everywhere, from a seed.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// A made-up game: some leaves are empty, in the others one index in `every` is packed.
#[derive(Clone)]
pub(crate) struct Game {
    pub layout: Layout,
    pub every: u64,
    pub seed: u64,
}

impl Game {
    pub(crate) fn new(layout: Layout, every: u64, seed: u64) -> Game {
        Game {
            layout,
            every,
            seed,
        }
    }

    /// Three leaves in one frame, one in the last; small.
    pub(crate) fn small() -> Game {
        let layout = Layout::new("distance", 8, ValueKind::Unsigned, 230_000)
            .unwrap()
            .with_frame_bits(17)
            .unwrap();
        Game::new(layout, 700, 1)
    }

    fn mixed(&self, number: u64) -> u64 {
        Random(self.seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d)).next()
    }

    pub(crate) fn is_packed(&self, index: u64) -> bool {
        !self.mixed(index >> 16).is_multiple_of(4) && self.mixed(index).is_multiple_of(self.every)
    }

    pub(crate) fn value(&self, index: u64) -> u64 {
        let mask = u64::MAX >> (64 - self.layout.value_bits);
        let few = self.mixed(!index) % 7; // so that compression has something to do
        few.wrapping_mul(0x0123_4567_89ab_cdef) & mask
    }

    pub(crate) fn packed(&self, leaf_no: u64) -> impl Iterator<Item = u64> + '_ {
        let indices = self.layout.indices_of_leaf(leaf_no);
        indices.filter(|index| self.is_packed(*index))
    }

    pub(crate) fn leaf(&self, leaf_no: u64) -> Leaf {
        let values = self.packed(leaf_no).map(|index| self.value(index));
        Leaf::pack(self.layout.value_bits, values)
    }

    pub(crate) fn frame(&self, frame_no: u64) -> EncodedFrame {
        let leaves = self.layout.leaves_of_frame(frame_no);
        let leaves: Vec<Leaf> = leaves.map(|leaf_no| self.leaf(leaf_no)).collect();
        encode_frame(&self.layout, frame_no, &leaves)
    }

    pub(crate) fn rules_hash(&self) -> Hash32 {
        Hash32::of(b"a made-up game\n")
    }

    pub(crate) fn meta(&self) -> Meta {
        Meta {
            variant: "made-up-3x4:play=misere".into(),
            rules_text: "a made-up game\n".into(),
            nonterminal: self.layout.indexable / 2,
            program: "greenwave 0.1.0".into(),
            summary: summary(),
            ..Meta::default()
        }
    }

    pub(crate) fn writer(
        &self,
        storage: impl Storage + 'static,
        path: &Path,
    ) -> Result<TableWriter, TableError> {
        TableWriter::create_in(storage, path, self.layout.clone(), self.rules_hash())
    }

    pub(crate) fn write(
        &self,
        storage: impl Storage + 'static,
        path: &Path,
    ) -> Result<FinishedTable, TableError> {
        let mut writer = self.writer(storage, path)?;
        for frame_no in 0..self.layout.frames() {
            writer.append(self.frame(frame_no))?;
        }
        writer.finish(self.meta())
    }

    /// The bytes of the table.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let storage = MemoryStorage::default();
        let path = Path::new("made-up/distance.gwt");
        self.write(storage.clone(), path).unwrap();
        storage.read(path).unwrap()
    }
}

/// A summary with something in every field.
pub(crate) fn summary() -> Summary {
    Summary {
        start: Figures {
            value: Some(Outcome::Win),
            distance: Some(7),
            points: Some(-3),
            nimber: Some(2),
            odds: Some(Odds {
                win: 0.5,
                draw: 0.25,
                loss: 0.25,
                expectation: 0.25,
            }),
        },
        by_value: Some(ResultCounts {
            win: 11,
            loss: 12,
            draw: 13,
        }),
        histogram: vec![
            HistogramEntry {
                outcome: Some(Outcome::Loss),
                key: 2,
                count: 12,
            },
            HistogramEntry {
                outcome: None,
                key: -1,
                count: 24,
            },
        ],
        longest: Some(LongestPlay {
            distance: 9,
            outcome: Outcome::Draw,
            example: "R..".into(),
        }),
        openings: vec![FirstMove {
            mv: "a1R".into(),
            to: None,
            figures: Figures::default(),
            ends: true,
        }],
    }
}

/// Runs a test on memory and on disk. It gets a storage and a folder in it.
pub(crate) fn on_both(test: impl Fn(&dyn Fn() -> Arc<dyn Storage>, &Path)) {
    let memory = MemoryStorage::default();
    test(&|| Arc::new(memory.clone()), Path::new("folder"));
    let folder = tempfile::tempdir().unwrap();
    test(&|| Arc::new(DiskStorage), folder.path());
}
