//! Expressions: the first byte picks the variant, the rest is the text. Read, or refused with the place.
#![no_main]

use std::sync::OnceLock;

use greenwave_game::{Variant, with_game};
use greenwave_judge::expr::BoundExpression;
use greenwave_testkit::promises;
use libfuzzer_sys::fuzz_target;

fn variants() -> &'static [Variant] {
    static VARIANTS: OnceLock<Vec<Variant>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let named = promises::VARIANTS.iter();
        named
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
    with_game!(variant, game => {
        if let Err(error) = BoundExpression::new(game, &text) {
            assert!(!error.to_string().is_empty());
        }
    });
});
