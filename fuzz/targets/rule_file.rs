//! Rule files: a game that obeys the laws of rules, or every fault with its place.
#![no_main]

use greenwave_game::RuleFile;
use greenwave_testkit::laws;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match RuleFile::parse("fuzzed.toml", &text) {
        Ok(file) => {
            let broken = laws::of_rule_file(&file.variant);
            assert!(broken.is_empty(), "{broken:?}");
        }
        Err(error) => assert!(error.to_string().contains("fuzzed.toml")),
    }
});
