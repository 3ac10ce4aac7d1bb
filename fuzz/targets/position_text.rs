//! Position and move texts: the first byte picks the variant, the rest is the text.
#![no_main]

use std::sync::OnceLock;

use greenwave_game::Variant;
use greenwave_testkit::promises;
use libfuzzer_sys::fuzz_target;

fn variants() -> &'static [Variant] {
    static VARIANTS: OnceLock<Vec<Variant>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        promises::VARIANTS
            .iter()
            .map(|name| Variant::parse(name).expect("a variant"))
            .collect()
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, text)) = bytes.split_first() else {
        return;
    };
    let variant = &variants()[usize::from(*choice) % variants().len()];
    let text = String::from_utf8_lossy(text);
    promises::position_text(variant, &text);
    promises::move_text(variant, &text);
});
