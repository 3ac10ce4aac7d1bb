//! The metadata of a table whose checksums agree with it.
#![no_main]

use greenwave_testkit::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promises::metadata(bytes));
