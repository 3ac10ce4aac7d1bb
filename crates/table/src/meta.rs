//! The metadata: the subject of a table, its counts, and a summary of its values.
//!
//! This is the only module that knows bincode: little-endian, fixed-width integers, fields in the order
//! of the declarations below, nothing after the last one. `docs/format.md` says how each type looks in
//! bytes. Any change of a type here is a change of the format version.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};

use crate::error::TableError;
use crate::hash::Hash32;
use crate::header::MOST_METADATA;
use crate::layout::{Layout, ValueKind};

const LIMIT: usize = MOST_METADATA as usize;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<LIMIT>> = config::standard()
    .with_little_endian()
    .with_fixed_int_encoding()
    .with_limit::<LIMIT>();

/// How positions are numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum IndexScheme {
    /// By the rank that the rules give to a position, without a list of positions.
    #[default]
    Dense,
    /// By their place in a list of rising indices, which the table itself holds. Every value has 64
    /// bits: the upper 48 are the index that the rules give to a position, and the lower 16 its
    /// code. The size of the index space is then the length of the list.
    Listed {
        /// Number of positions that the list stands for, not up to symmetry.
        positions: u64,
    },
    /// By board, hand state and number: the boards in an order that the rules give, each with the
    /// same number of places.
    Rows {
        /// Number of positions that the rows stand for, not up to symmetry.
        positions: u64,
    },
    /// By family and place in it (format version 2): one family of each orbit, that with the least
    /// key. The index space is that of the rules.
    Families {
        /// The squares by digit: the near ones, whose levels are the place in a family, then the far
        /// ones, whose levels are its key; the lowest digit of each first.
        squares: Vec<u8>,
        /// Number of near squares.
        near: u32,
        /// The symmetries that make orbits, as permutations: the square that each square goes to; the
        /// identity first.
        symmetries: Vec<Vec<u8>>,
    },
}

/// The last index scheme that this program knows.
const LAST_SCHEME: u32 = 3;

/// Near squares, at most: a family has 2¹⁸ positions.
pub(crate) const MOST_NEAR: u32 = 9;

impl IndexScheme {
    /// The value of a listed position: its index, below 2^48, and its code.
    #[must_use]
    pub fn entry(index: u64, code: u16) -> u64 {
        index << 16 | u64::from(code)
    }

    /// Index and code of a listed position.
    #[must_use]
    pub fn split(value: u64) -> (u64, u16) {
        (value >> 16, value as u16)
    }
}

/// Result of a position under best play, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Outcome {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Loss,
    /// Neither.
    Draw,
}

/// Probabilities of the results and the expectation, for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct Odds {
    /// Probability of winning.
    pub win: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Probability of losing.
    pub loss: f64,
    /// What best play maximises.
    pub expectation: f64,
}

impl Odds {
    /// Whether these can be the odds of anything: chances from 0 to 1 that add up to 1 but for
    /// rounding, and an expectation that is a number.
    #[must_use]
    pub fn are_possible(&self) -> bool {
        const ROUNDING: f64 = 1e-5;
        let chances = [self.win, self.draw, self.loss];
        let chance = |chance: &f64| (-ROUNDING..=1.0 + ROUNDING).contains(chance);
        let sum: f64 = chances.iter().sum();
        chances.iter().all(chance) && (sum - 1.0).abs() <= ROUNDING && self.expectation.is_finite()
    }
}

/// What is known about one position or move; `None` where unknown or not applicable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct Figures {
    /// Win, loss or draw.
    pub value: Option<Outcome>,
    /// Plies to the end.
    pub distance: Option<u32>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// Grundy value.
    pub nimber: Option<u32>,
    /// Probabilities and expectation.
    pub odds: Option<Odds>,
}

/// Numbers of positions by result for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct ResultCounts {
    /// Won positions.
    pub win: u64,
    /// Lost positions.
    pub loss: u64,
    /// Drawn positions.
    pub draw: u64,
}

/// How many positions share a result and a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct HistogramEntry {
    /// Their result, where the metric has one.
    pub outcome: Option<Outcome>,
    /// The figure: plies, points or nimber.
    pub key: i64,
    /// Number of positions.
    pub count: u64,
}

/// The position that takes longest.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct LongestPlay {
    /// Plies to the end.
    pub distance: u32,
    /// Its result for the player to move.
    pub outcome: Outcome,
    /// The position as text.
    pub example: String,
}

/// A first move.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct FirstMove {
    /// The move as text.
    pub mv: String,
    /// The position that it leads to, as text; none before chance decides.
    pub to: Option<String>,
    /// Figures of the move, for the player who makes it.
    pub figures: Figures,
    /// Does it end the game?
    pub ends: bool,
}

/// What is worth knowing without reading the table.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Summary {
    /// Figures of the position at the start of the game.
    pub start: Figures,
    /// Legal unfinished positions by result.
    pub by_value: Option<ResultCounts>,
    /// Legal unfinished positions by figure.
    pub histogram: Vec<HistogramEntry>,
    /// The position with the largest distance.
    pub longest: Option<LongestPlay>,
    /// All first moves.
    pub openings: Vec<FirstMove>,
}

/// Metadata of a table. The writer itself fills in what follows from the layout, the rules and the
/// frames: `rules_hash`, `metric`, `indexable`, `packed`, `value_bits`, `kind`,
/// `frame_bits` and `signature`.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Meta {
    /// How positions are numbered.
    pub index_scheme: IndexScheme,
    /// Canonical name of the variant with its options.
    pub variant: String,
    /// Canonical text of the rules.
    pub rules_text: String,
    /// Hash of that text; tables are distinguished by it.
    pub rules_hash: Hash32,
    /// `value`, `distance`, `points`, `odds` or `nimber`.
    pub metric: String,
    /// Size of the index space.
    pub indexable: u64,
    /// Number of legal unfinished positions.
    pub nonterminal: u64,
    /// Number of positions whose values are stored.
    pub packed: u64,
    /// Width of a stored value in bits.
    pub value_bits: u32,
    /// What those bits mean.
    pub kind: ValueKind,
    /// log₂ of the number of indices of a frame.
    pub frame_bits: u32,
    /// Signature over all stored values.
    pub signature: Hash32,
    /// Name and version of the program that wrote the table.
    pub program: String,
    /// Results worth knowing without reading the table.
    pub summary: Summary,
}

impl Meta {
    /// Number of positions that the table stands for: all indices, or where positions are listed
    /// or stand in rows those of the list or the rows, not up to symmetry.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self.index_scheme {
            IndexScheme::Dense | IndexScheme::Families { .. } => self.indexable,
            IndexScheme::Listed { positions } | IndexScheme::Rows { positions } => positions,
        }
    }

    /// With the fields that layout, rules and frames determine.
    pub(crate) fn filled(
        self,
        layout: &Layout,
        rules_hash: Hash32,
        packed: u64,
        signature: Hash32,
    ) -> Meta {
        Meta {
            rules_hash,
            metric: layout.metric.clone(),
            indexable: layout.indexable,
            packed,
            value_bits: layout.value_bits,
            kind: layout.kind,
            frame_bits: layout.frame_bits,
            signature,
            ..self
        }
    }

    /// The layout of the table, if it is one that a table can have.
    pub(crate) fn layout(&self) -> Result<Layout, TableError> {
        if let IndexScheme::Families { squares, near, .. } = &self.index_scheme {
            return self.layout_of_families(squares, *near);
        }
        let layout = Layout {
            metric: self.metric.clone(),
            value_bits: self.value_bits,
            kind: self.kind,
            indexable: self.indexable,
            frame_bits: self.frame_bits,
        };
        layout.check().map_err(|error| TableError::Metadata {
            reason: error.to_string(),
        })?;
        Ok(layout)
    }

    // Families are no parts of the index: the layout says of their frames only what a value is.
    fn layout_of_families(&self, squares: &[u8], near: u32) -> Result<Layout, TableError> {
        let mut sorted = squares.to_vec();
        sorted.sort_unstable();
        let are_all = (0..32)
            .zip(&sorted)
            .all(|(number, square)| number == *square);
        let most = MOST_NEAR.min(squares.len() as u32);
        if self.frame_bits != 0 || !are_all || squares.len() > 31 || near > most {
            let found = format!("families by {near} of the squares {squares:?}");
            let expected = "squares from 0 up, nine of them near at most, and frames of no size";
            return Err(TableError::inconsistent("the metadata", found, expected));
        }
        if self.indexable != 1 << (2 * squares.len()) {
            let found = format!("{} indices of {} squares", self.indexable, squares.len());
            return Err(TableError::inconsistent(
                "the metadata",
                found,
                "four to that power",
            ));
        }
        Layout::new(
            self.metric.clone(),
            self.value_bits,
            self.kind,
            self.indexable,
        )
    }

    /// The bytes of the metadata.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, TableError> {
        let bytes = bincode::encode_to_vec(self, CONFIG).map_err(|error| TableError::Metadata {
            reason: error.to_string(),
        })?;
        if bytes.len() > LIMIT {
            return Err(TableError::MetadataTooLong {
                found: bytes.len() as u64,
                most: LIMIT as u64,
            });
        }
        // Lists count with their size in memory while they are decoded, so ask the decoder itself.
        Meta::decode(&bytes)?;
        Ok(bytes)
    }

    /// Reads metadata. All bytes must be used up.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Meta, TableError> {
        let broken = |error: bincode::error::DecodeError| TableError::Metadata {
            reason: error.to_string(),
        };
        let (scheme, _) = bincode::decode_from_slice::<u32, _>(bytes, CONFIG).map_err(broken)?;
        if scheme > LAST_SCHEME {
            return Err(TableError::IndexScheme { found: scheme });
        }
        let (meta, used) = bincode::decode_from_slice::<Meta, _>(bytes, CONFIG).map_err(broken)?;
        if used != bytes.len() {
            return Err(TableError::inconsistent(
                "the metadata",
                format!("{} bytes", bytes.len()),
                used.to_string(),
            ));
        }
        meta.expect_possible()?;
        Ok(meta)
    }

    // Whether the rules are those of the hash, and odds such as there can be.
    fn expect_possible(&self) -> Result<(), TableError> {
        let wrong = |found: String, expected: String| {
            Err(TableError::inconsistent("the metadata", found, expected))
        };
        let hash = Hash32::of(self.rules_text.as_bytes());
        if hash != self.rules_hash {
            return wrong(
                format!("a text of rules with hash {hash}"),
                self.rules_hash.to_string(),
            );
        }
        let by_value = self.summary.by_value.iter();
        let mut by_value = by_value.flat_map(|counts| [counts.win, counts.loss, counts.draw]);
        let mut histogram = self.summary.histogram.iter().map(|entry| entry.count);
        let add = |total: u64, count| total.checked_add(count);
        if by_value.try_fold(0, add).is_none() || histogram.try_fold(0, add).is_none() {
            return wrong(
                "counts of 2^64 positions or more".into(),
                "counts of the positions of the game".into(),
            );
        }
        let start = std::iter::once(("the start", &self.summary.start));
        let openings = self.summary.openings.iter();
        let openings = openings.map(|opening| (opening.mv.as_str(), &opening.figures));
        for (what, figures) in start.chain(openings) {
            if let Some(odds) = figures.odds.filter(|odds| !odds.are_possible()) {
                let name: String = what.chars().take(40).collect();
                return wrong(
                    format!(
                        "for {name} chances of {}, {} and {}, expecting {}",
                        odds.win, odds.draw, odds.loss, odds.expectation
                    ),
                    "chances from 0 to 1 that add up to 1, and a number".into(),
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Meta {
        let start = Figures {
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
        };
        Meta {
            index_scheme: IndexScheme::Dense,
            variant: "mu".into(),
            rules_text: "é\n".into(),
            rules_hash: Hash32::of("é\n".as_bytes()),
            metric: "points".into(),
            indexable: 0x0102_0304_0506_0708,
            nonterminal: 9,
            packed: 8,
            value_bits: 16,
            kind: ValueKind::Signed,
            frame_bits: 17,
            signature: Hash32([0xbb; 32]),
            program: "g 1".into(),
            summary: Summary {
                start,
                by_value: Some(ResultCounts {
                    win: 1,
                    loss: 2,
                    draw: 3,
                }),
                histogram: vec![HistogramEntry {
                    outcome: Some(Outcome::Draw),
                    key: -1,
                    count: 4,
                }],
                longest: Some(LongestPlay {
                    distance: 5,
                    outcome: Outcome::Loss,
                    example: "R".into(),
                }),
                openings: vec![FirstMove {
                    mv: "a1R".into(),
                    to: Some("R".into()),
                    figures: Figures::default(),
                    ends: true,
                }],
            },
        }
    }

    /// The bytes of [`sample`], field by field.
    fn sample_bytes() -> Vec<u8> {
        let hash = Hash32::of("é\n".as_bytes());
        let fields: &[&[u8]] = &[
            &[0, 0, 0, 0],                      // index scheme: dense
            &[2, 0, 0, 0, 0, 0, 0, 0],          // variant
            b"mu",                              //
            &[3, 0, 0, 0, 0, 0, 0, 0],          // rules text, 3 bytes
            &[0xc3, 0xa9, b'\n'],               //
            &hash.0,                            // rules hash
            &[6, 0, 0, 0, 0, 0, 0, 0],          // metric
            b"points",                          //
            &[8, 7, 6, 5, 4, 3, 2, 1],          // indexable
            &[9, 0, 0, 0, 0, 0, 0, 0],          // nonterminal
            &[8, 0, 0, 0, 0, 0, 0, 0],          // packed
            &[16, 0, 0, 0],                     // value bits
            &[1, 0, 0, 0],                      // kind: signed
            &[17, 0, 0, 0],                     // frame bits
            &[0xbb; 32],                        // signature
            &[3, 0, 0, 0, 0, 0, 0, 0],          // program
            b"g 1",                             //
            &[1, 0, 0, 0, 0],                   // start: win
            &[1, 7, 0, 0, 0],                   // distance
            &[1, 0xfd, 0xff, 0xff, 0xff],       // points
            &[1, 2, 0, 0, 0],                   // nimber
            &[1, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f], // odds: 0.5
            &[0, 0, 0, 0, 0, 0, 0xd0, 0x3f],    // 0.25
            &[0, 0, 0, 0, 0, 0, 0xd0, 0x3f],    //
            &[0, 0, 0, 0, 0, 0, 0xd0, 0x3f],    //
            &[1, 1, 0, 0, 0, 0, 0, 0, 0],       // by value: won
            &[2, 0, 0, 0, 0, 0, 0, 0],          // lost
            &[3, 0, 0, 0, 0, 0, 0, 0],          // drawn
            &[1, 0, 0, 0, 0, 0, 0, 0],          // histogram: one entry
            &[1, 2, 0, 0, 0],                   // draw
            &[0xff; 8],                         // key
            &[4, 0, 0, 0, 0, 0, 0, 0],          // count
            &[1, 5, 0, 0, 0],                   // longest: distance
            &[1, 0, 0, 0],                      // loss
            &[1, 0, 0, 0, 0, 0, 0, 0],          // example
            b"R",                               //
            &[1, 0, 0, 0, 0, 0, 0, 0],          // openings: one
            &[3, 0, 0, 0, 0, 0, 0, 0],          // move
            b"a1R",                             //
            &[1, 1, 0, 0, 0, 0, 0, 0, 0],       // to
            b"R",                               //
            &[0, 0, 0, 0, 0],                   // no figures
            &[1],                               // ends
        ];
        fields.concat()
    }

    #[test]
    fn the_bytes_are_pinned() {
        assert_eq!(sample().encode().unwrap(), sample_bytes());
        assert_eq!(Meta::decode(&sample_bytes()).unwrap(), sample());
    }

    #[test]
    fn too_few_and_too_many_bytes_are_refused() {
        let bytes = sample_bytes();
        for len in 0..bytes.len() {
            assert!(Meta::decode(&bytes[..len]).is_err(), "{len} bytes");
        }
        let error = Meta::decode(&[&bytes[..], &[0]].concat()).unwrap_err();
        let expected = format!("found {} bytes, expected {}", bytes.len() + 1, bytes.len());
        assert!(error.to_string().contains(&expected), "{error}");
    }

    #[test]
    fn rules_of_another_hash_and_impossible_odds_are_refused() {
        let refused = |change: fn(&mut Meta), words: &str| {
            let mut meta = sample();
            change(&mut meta);
            let bytes = bincode::encode_to_vec(&meta, CONFIG).unwrap();
            let error = Meta::decode(&bytes).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(|meta| meta.rules_text.push('.'), "a text of rules");
        refused(
            |meta| {
                meta.summary.by_value = Some(ResultCounts {
                    win: u64::MAX,
                    loss: 1,
                    draw: 0,
                });
            },
            "counts of 2^64 positions or more",
        );
        refused(
            |meta| {
                let most = HistogramEntry {
                    outcome: None,
                    key: 0,
                    count: u64::MAX,
                };
                meta.summary.histogram = vec![most, most];
            },
            "counts of 2^64 positions or more",
        );
        refused(
            |meta| meta.summary.start.odds.as_mut().unwrap().win = 5.0,
            "for the start chances of 5, 0.25 and 0.25",
        );
        refused(
            |meta| meta.summary.start.odds.as_mut().unwrap().expectation = f64::INFINITY,
            "expecting inf",
        );
        refused(
            |meta| {
                meta.summary.openings[0].figures.odds = Some(Odds {
                    win: f64::NAN,
                    ..Odds::default()
                });
            },
            "for a1R chances of NaN",
        );
    }

    #[test]
    fn a_hostile_length_is_refused_before_anything_is_allocated() {
        let mut bytes = sample_bytes();
        bytes[4..12].fill(0x7f); // length of the variant's name
        assert!(Meta::decode(&bytes).is_err());
        let at = bytes.len() - 35; // number of openings
        let mut bytes = sample_bytes();
        assert_eq!(bytes[at..at + 8], [1, 0, 0, 0, 0, 0, 0, 0]);
        bytes[at + 5] = 1;
        assert!(Meta::decode(&bytes).is_err());
    }

    // Two million entries take Miri many minutes.
    #[test]
    #[cfg_attr(miri, ignore)]
    fn metadata_that_could_not_be_read_is_not_written() {
        let entry = HistogramEntry {
            outcome: None,
            key: 0,
            count: 0,
        };
        for (entries, fits) in [(100_000, true), (2_000_000, false)] {
            let mut meta = sample();
            meta.summary.histogram = vec![entry; entries];
            assert_eq!(meta.encode().is_ok(), fits, "{entries} entries");
        }
    }
}
