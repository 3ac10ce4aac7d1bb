//! The state of a checkpoint, with a corrected checksum: the solve resumes from it, or refuses it.
#![no_main]

use std::fs;

use greenwave_game::{Metric, Variant};
use greenwave_solver::{Product, Task, sweep::Kernel};
use greenwave_table::Hash32;
use greenwave_values::Silent;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let variant = Variant::parse("classic-2x3").expect("a variant");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("distance.checkpoint");
    fs::create_dir(&path).expect("a folder");
    let text = String::from_utf8_lossy(bytes);
    let body = text.rsplit_once("sum ").map_or(&*text, |(body, _)| body);
    let sum = Hash32::of(body.as_bytes());
    fs::write(path.join("state"), format!("{body}sum {sum}\n")).expect("a file");
    let task = Task {
        variant: &variant,
        metric: Metric::Distance,
        kernel: Kernel::Portable,
        memory: 1 << 30,
        wanted: Product::Counts,
        checkpoint: Some(path),
        scratch: None,
        quick: false,
    };
    if let Err(error) = task.plan().and_then(|planned| planned.run(&Silent)) {
        assert!(error.to_string().contains("delete it"), "{error}");
    }
});
