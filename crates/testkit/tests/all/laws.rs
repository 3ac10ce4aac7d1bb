//! Every law over every variant of the catalogue, and over some that the catalogue leaves out.

use greenwave_game::{FAMILIES, Variant, catalogue};
use greenwave_testkit::laws::{self, Breach};
use rayon::prelude::*;

const SEED: u64 = 0x7ab1e;
const COUNT: usize = if cfg!(feature = "slow-tests") {
    60_000
} else {
    1_000
};

fn broken(names: &[&str]) -> Vec<Breach> {
    let of = |name: &&str| match Variant::parse(name) {
        Ok(variant) => laws::of_variant(&variant, SEED, COUNT),
        Err(error) => panic!("{error}"),
    };
    names.par_iter().flat_map(of).collect()
}

fn report(broken: &[Breach]) {
    let lines: Vec<String> = broken.iter().map(Breach::to_string).collect();
    assert!(broken.is_empty(), "\n{}\n", lines.join("\n"));
}

#[test]
fn the_catalogue_obeys_every_law() {
    report(&broken(catalogue()));
}

#[test]
fn other_sizes_and_options_obey_every_law() {
    let specimens = FAMILIES.iter().flat_map(|family| family.specimens);
    report(&broken(&specimens.copied().collect::<Vec<_>>()));
}
