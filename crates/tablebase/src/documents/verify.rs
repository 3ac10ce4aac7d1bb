//! A table against the rules.

use std::path::Path;
use std::sync::Arc;

use greenwave_game::{Message, Metric, Variant, with_game};
use greenwave_probe::{
    BoardCheck, FamilyCheck, Sample, VerifyResult, verify, verify_odds, verify_sample,
    verifying_bytes,
};
use greenwave_sweep::counted;
use greenwave_table::Table;
use greenwave_values::{OddsTable, TableValues, Unit};
use serde::Serialize;

use super::{SCHEMA, SolveOptions};
use crate::files::open_at;
use crate::memory::Purpose;
use crate::solution::values_bytes;
use crate::sources::has_chance;
use crate::{Error, Tablebase, is_rule_file, read_variant};

/// What the check of a table came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Verification {
    /// Version of the document.
    pub schema: u32,
    /// The file.
    pub file: String,
    /// Whether every value follows from the rules.
    pub ok: bool,
    /// Blocks of stored values that were read; of a whole table as many as `info` shows.
    pub blocks: u64,
    /// Positions whose value was worked out again.
    pub positions: u64,
    /// Those whose value is wrong, and figures of the header that disagree with the values.
    pub mismatches: u64,
    /// The first mismatch.
    pub first: Option<String>,
    /// The number of stored values in the sample, if there was one.
    pub sample: Option<u64>,
    /// The seed of their choice.
    pub seed: Option<u64>,
    /// Values in the table.
    #[serde(skip)]
    pub packed: u64,
    /// Length of the file.
    #[serde(skip)]
    pub table_bytes: u64,
}

/// A table with its variant, or why it cannot be opened.
type OpenedTable = Result<(Variant, Arc<Table>), Error>;

impl Tablebase {
    /// The tables that a path names, or all those of a variant, each with its variant, or with why it cannot
    /// be opened.
    ///
    /// # Errors
    /// When there is none, and when its variant is not known.
    pub fn tables_to_verify(&self, target: &str) -> Result<Vec<OpenedTable>, Error> {
        let path = Path::new(target);
        let is_table = path.extension().is_some_and(|extension| extension == "gwt");
        if is_table || (path.is_file() && !is_rule_file(target)) {
            let table = open_at(path)?;
            let name = table.meta().variant.clone();
            if is_rule_file(&name) {
                return Err(Error::refused(format!(
                    "table '{target}' is of the rule file {name}; verify it by its rules: \
                     'greenwave verify FILE.toml', with --dir naming the folder above the table's"
                )));
            }
            let variant = Variant::parse(&name).map_err(|error| {
                Error::from(error).within(format!(
                    "table '{target}' is of a variant that this version does not know"
                ))
            })?;
            return Ok(vec![Ok((variant, Arc::new(table)))]);
        }
        let variant = read_variant(target)?;
        let rules = variant.rules();
        let tables: Vec<_> = rules
            .metrics
            .iter()
            .filter_map(|metric| self.table(rules, *metric).transpose())
            .map(|table| table.map(|table| (variant.clone(), table)))
            .collect();
        if tables.is_empty() {
            let missing = format!("no table of {} in {}", rules.title(), self.dir().display());
            // Where the solve would be refused, its own message says what to do.
            let options = SolveOptions {
                estimate: true,
                ..SolveOptions::default()
            };
            let planned = self.plan(&variant, rules.default_metric, &options);
            if let Err(refused) = planned.and_then(|planned| planned.expect_room()) {
                return Err(refused.within(Message::from(missing)));
            }
            return Err(Error::not_found(format!(
                "{missing}; solve it first with 'greenwave solve {}'",
                rules.title()
            )));
        }
        Ok(tables)
    }

    /// Works every value of a table out again from the rules, and checks every checksum.
    ///
    /// With a sample, it checks only this many values of a table by index, from the blocks that
    /// hold them and their children. A table that holds no more than that, or numbers positions in
    /// another way, is checked whole.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged, and when the check does not fit the memory.
    pub fn verify(
        &self,
        variant: &Variant,
        table: &Table,
        sample: Option<Sample>,
    ) -> Result<Verification, Error> {
        let sample = sample.filter(|sample| sample.count < table.meta().packed);
        let sampled = match sample {
            Some(sample) if !has_chance(variant) => self.verify_some(variant, table, sample)?,
            Some(_) | None => None,
        };
        let sample = sample.filter(|_| sampled.is_some());
        let verified = match sampled {
            Some(sampled) => sampled,
            None if has_chance(variant) => self.verify_odds(variant, table)?,
            None => self.verify_codes(variant, table)?,
        };
        Ok(Verification {
            sample: sample.map(|sample| sample.count),
            seed: sample.map(|sample| sample.seed),
            schema: SCHEMA,
            file: table.path().display().to_string(),
            ok: verified.mismatches == 0,
            blocks: verified.blocks,
            positions: verified.positions,
            mismatches: verified.mismatches,
            first: verified.first,
            packed: table.meta().packed,
            table_bytes: table.bytes(),
        })
    }

    fn verify_some(
        &self,
        variant: &Variant,
        table: &Table,
        sample: Sample,
    ) -> Result<Option<VerifyResult>, Error> {
        let progress = self.progress();
        let stage = format!("verifying some of {}", table.path().display());
        progress.begin_unstoppable(&stage, sample.count, Unit::Positions);
        self.on_threads(|| {
            with_game!(variant, game => {
                let values = TableValues::new(game, table)?;
                Ok(verify_sample(&values, game, sample, &|done| progress.advance(done))?)
            })
        })
    }

    fn verify_codes(&self, variant: &Variant, table: &Table) -> Result<VerifyResult, Error> {
        let purpose = Purpose::verifying(table);
        let stage = format!("verifying {}", table.path().display());
        let progress = self.progress();
        let done = |indices| progress.advance(indices);
        if let Some(game) = variant.fixed_board() {
            let values = TableValues::new(game, table)?;
            if let Some(check) = FamilyCheck::new(&values, game)
                && let Some((unfinished, undecided)) = counted(game, values.metric())
            {
                let _reserved = self.reserve_for(check.memory_bytes(), &purpose)?;
                progress.begin_unstoppable(&stage, table.meta().packed, Unit::Positions);
                return Ok(self.on_threads(|| check.run(unfinished, undecided, &done))?);
            }
            if let Some(check) = BoardCheck::new(&values, game) {
                let _reserved = self.reserve_for(check.memory_bytes(), &purpose)?;
                progress.begin_unstoppable(&stage, check.indices(), Unit::Positions);
                return Ok(self.on_threads(|| check.run(&done))?);
            }
        }
        with_game!(variant, game => {
            let values = TableValues::new(game, table)?;
            // All values are read into memory.
            let _reserved = self.reserve_for(verifying_bytes(&values, game), &purpose)?;
            progress.begin_unstoppable(&stage, table.meta().indexable, Unit::Positions);
            self.on_threads(|| Ok(verify(&values, game, &done)?))
        })
    }

    fn verify_odds(&self, variant: &Variant, table: &Table) -> Result<VerifyResult, Error> {
        let progress = self.progress();
        let packed = table.meta().packed;
        let needed = u128::from(packed) * 8 + values_bytes(variant, Metric::Odds);
        let _reserved = self.reserve_for(needed, &Purpose::verifying(table))?;
        let stage = format!("verifying {}", table.path().display());
        progress.begin_unstoppable(&stage, packed, Unit::Positions);
        let again = Table::open(table.path())?;
        self.on_threads(|| {
            with_game!(variant, game => {
                let odds = OddsTable::new(game, again)?;
                Ok(verify_odds(&odds, game, &|numbers| progress.advance(numbers))?)
            })
        })
    }
}
