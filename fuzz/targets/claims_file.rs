//! Claims files and claims of one line: read, or refused with the file's name or the claim's.
#![no_main]

use greenwave_judge::claims::{read_claims, read_one_line};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = read_claims("claims.toml", &text) {
        assert!(!error.to_string().is_empty());
    }
    if let Err(error) = read_one_line(&text, &Ok) {
        assert!(!error.to_string().is_empty());
    }
});
