//! Short runs of the campaigns against the program; `just campaign` runs them for longer.

use greenwave_testkit::campaign::{
    Extent, Program, crashes, damage, hostile, kills, refusals, rules,
};

const SEED: u64 = 0x5eed;

/// So many cases, of which the quick tests take a third.
fn cases(number: u64) -> Extent {
    let slow = cfg!(feature = "slow-tests");
    Extent::of_cases(SEED, if slow { number } else { number / 3 })
}

fn program() -> Program {
    Program::at(env!("CARGO_BIN_EXE_greenwave")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn random_rules_agree_with_the_brute_force() {
    let report = rules::run(cases(120));
    report.expect_sound();
    assert!(
        report.of("rule files, all values compared") > 25,
        "{report}"
    );
}

#[test]
fn faults_at_file_calls_lose_nothing() {
    let report = crashes::run(&program(), cases(60));
    report.expect_sound();
    assert!(
        report.of("killed") > 2 && report.of("faults got over") > 2,
        "{report}"
    );
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a minute")]
fn faults_of_waves_on_disk_lose_nothing() {
    let report = crashes::run_waves(&program(), cases(20));
    report.expect_sound();
    assert!(report.of("faults got over") > 2, "{report}");
}

#[test]
fn damaged_and_forged_files_are_refused_or_right() {
    let report = damage::run(&program(), cases(120));
    report.expect_sound();
    assert!(report.of("tables found out by verify") > 5, "{report}");
}

#[test]
fn hostile_texts_are_answered_or_refused() {
    let report = hostile::run(&program(), cases(150));
    report.expect_sound();
    assert!(report.of("refused") > 10, "{report}");
}

#[test]
fn memory_that_is_refused_is_told() {
    let report = refusals::run(&program(), cases(48));
    report.expect_sound();
    assert!(report.of("refusals told with exit 2") > 8, "{report}");
}

#[test]
fn killed_solves_end_with_the_same_signature() {
    let report = kills::run_on(&program(), Extent::of_cases(SEED, 6), kills::SHORT);
    report.expect_sound();
    assert!(report.of("kills") > 0, "{report}");
}
