//! Whole tables: as they are, and with checksums that agree with whatever is in them.
#![no_main]

use greenwave_testkit::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    promises::table_bytes(bytes);
    let mut sealed = bytes.to_vec();
    if promises::reseal(&mut sealed) {
        promises::table_bytes(&sealed);
    }
});
