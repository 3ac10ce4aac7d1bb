//! Every law over every variant of the catalogue, and over some that the catalogue leaves out.

use greenwave_game::{Variant, catalogue};
use greenwave_testkit::laws::{self, Breach};
use rayon::prelude::*;

const SEED: u64 = 0x7ab1e;
const COUNT: usize = if cfg!(feature = "slow-tests") {
    60_000
} else {
    4_000
};

// Small boards, whose positions are all looked at, boards at the limits, and every option.
const OTHERS: &[&str] = &[
    "classic-1x1",
    "green-2x2",
    "signal-1x3",
    "points-1x5:four=once",
    "classic-1x6:supply=pool3,stalemate=loss",
    "points-2x3:supply=cap2,end=play-on",
    "classic-2x3:play=misere,supply=cap2,stalemate=pass",
    "signal-2x3:supply=pool4,stalemate=pass",
    "points-3x4:end=play-on,four=once",
    "points-3x4:score=win",
    "classic-1x32",
    "signal-32x1:play=misere",
    "green-4x8:supply=cap9",
    "points-5x6:supply=pool12",
    "slider:four=once,turn=yes,sides=adjacent,null=forbidden,empty-strip=forbidden",
    "strip:turn=no,sides=adjacent,null=forbidden,empty-strip=forbidden,wins=signal",
    "strip:sides=adjacent,null=forbidden,repeat=ban",
    "bag-classic-1x3",
    "bag-signal-2x2:counters=infinite,choice=3",
    "bag-green-1x4:return=after",
    "bag-points-2x3:choice=3,return=after",
    "bag-points-3x4:utility=win",
    "bag-slider:choice=3,return=after,slide=stuck",
    "bag-slider:counters=infinite,slide=never,utility=win",
    "ampel-4-20-1:stuck-add=loss",
    "ampel-5-2-2:own-cylinder=frozen,stuck-add=off",
    "ampel-6-3-2:start-point=block,first-step=blocked",
    "ampel-9-20-10",
];

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
    report(&broken(OTHERS));
}
