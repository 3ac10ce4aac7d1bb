//! Variant names with options.
#![no_main]

use greenwave_testkit::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promises::variant_name(&String::from_utf8_lossy(bytes)));
