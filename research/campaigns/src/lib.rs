//! Campaigns: long rows of made-up cases against the promises of the whole program. Each takes a
//! seed and a limit of time or cases, counts what it did, and lists whatever broke a promise, with
//! what it takes to see it again. The tests run short ones, and `just campaign` runs them for the
//! requested time. They run the program with the library of faults of
//! [`greenwave_testkit::program`], on Linux.
//!
//! | campaign | cases | promise |
//! | --- | --- | --- |
//! | [`rules`] | random rule files and options | every value is that of the brute force |
//! | [`cones`] | positions of large boards and of random rule files | a cone sweep agrees with the forward search or the brute force |
//! | [`crashes`] | death, refusal, a full disk and half a transfer at every file call | nothing lost, nothing left, right or refused |
//! | [`damage`] | damaged and forged tables and checkpoints | right or refused, and proven by `verify` |
//! | [`hostile`] | texts that nobody should send, to every command | an answer or one clear error |
//! | [`refusals`] | each large piece of memory refused | one clear error, nothing left |
//! | [`memory`] | every command and server at small limits of memory | an answer or one clear error within the limit |
//! | [`kills`] | death at any moment of long solves | the same command ends with the same signature |

pub mod cones;
pub mod crashes;
pub mod damage;
pub mod hostile;
pub mod kills;
pub mod memory;
pub mod refusals;
pub mod rules;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use greenwave_testkit::SeededNumbers;

// Broken promises that are printed.
const SHOWN: usize = 50;

/// How far a campaign goes.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// What its cases follow from.
    pub seed: u64,
    /// The greatest number of cases.
    pub cases: u64,
    /// When it takes no further one.
    pub until: Instant,
}

impl Extent {
    /// Some cases, however long they take.
    #[must_use]
    pub fn of_cases(seed: u64, cases: u64) -> Extent {
        let until = Instant::now() + Duration::from_secs(86_400);
        Extent { seed, cases, until }
    }

    /// As many cases as there is time for.
    #[must_use]
    pub fn of_seconds(seed: u64, seconds: u64) -> Extent {
        Extent {
            seed,
            cases: u64::MAX,
            until: Instant::now() + Duration::from_secs(seconds),
        }
    }

    // The numbers of the cases, while there is time.
    fn cases(self) -> impl Iterator<Item = u64> {
        (0..self.cases).take_while(move |_| Instant::now() < self.until)
    }

    // The random numbers of a case, whatever came before it.
    fn seeded(&self, case: u64) -> SeededNumbers {
        let mut seeds = SeededNumbers::new(self.seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        SeededNumbers::new(seeds.bits())
    }
}

/// What a campaign did, and what it found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How often each kind of thing was tried or seen.
    pub counts: BTreeMap<String, u64>,
    /// Broken promises, each with its case.
    pub broken: Vec<String>,
}

impl Report {
    /// Counts one thing more.
    pub fn count(&mut self, what: &str) {
        self.add(what, 1);
    }

    /// Counts some things more.
    pub fn add(&mut self, what: &str, more: u64) {
        match self.counts.get_mut(what) {
            Some(count) => *count += more,
            None => drop(self.counts.insert(what.into(), more)),
        }
    }

    /// Notes a largest number.
    pub fn most(&mut self, what: &str, number: u64) {
        let most = self.counts.entry(what.into()).or_default();
        *most = number.max(*most);
    }

    /// How often something was seen.
    #[must_use]
    pub fn of(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    // Takes note of what came of a case; a panic is a broken promise as well.
    fn case(&mut self, case: &str, run: impl FnOnce(&mut Report) -> Result<(), String>) {
        let came = catch_unwind(AssertUnwindSafe(|| run(self)));
        match came {
            Ok(Ok(())) => {}
            Ok(Err(found)) => self.broken.push(format!("{case}: {found}")),
            Err(panic) => self
                .broken
                .push(format!("{case}: panicked: {}", said(&*panic))),
        }
    }

    /// Insists that no promise was broken.
    pub fn expect_sound(&self) {
        assert!(self.broken.is_empty(), "{self}");
    }
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a word")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.counts {
            writeln!(f, "  {count:>9}  {what}")?;
        }
        writeln!(f, "  {:>9}  broken promises", self.broken.len())?;
        for broken in self.broken.iter().take(SHOWN) {
            let start: String = broken.chars().take(1_000).collect();
            writeln!(f, "    {start}")?;
        }
        Ok(())
    }
}
