//! Short runs of the campaigns against the program; `just campaign` runs them for longer.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use greenwave_campaigns::{
    Extent, cones, crashes, damage, hostile, kills, memory, refusals, rules,
};
use greenwave_testkit::program::Program;

const SEED: u64 = 0x5eed;

/// This many cases, of which the quick tests take a third.
fn cases(number: u64) -> Extent {
    let slow = cfg!(feature = "slow-tests");
    Extent::of_cases(SEED, if slow { number } else { number / 3 })
}

/// The program that `GREENWAVE_PROGRAM` names, or one built beside this one.
fn program() -> Program {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| match std::env::var_os("GREENWAVE_PROGRAM") {
        Some(named) => PathBuf::from(named),
        None => built(),
    });
    Program::at(path).unwrap_or_else(|error| panic!("{error}"))
}

fn built() -> PathBuf {
    let me = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    // `TARGET/PROFILE/deps/all-…`
    let [profile, target] = [2, 3].map(|up| {
        me.ancestors()
            .nth(up)
            .expect("a test is below a target folder")
    });
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "build",
        "--quiet",
        "--package",
        "greenwave",
        "--manifest-path",
    ]);
    cargo.arg(manifest).arg("--target-dir").arg(target);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let done = cargo.status().unwrap_or_else(|error| panic!("{error}"));
    assert!(done.success(), "{cargo:?}: {done}");
    profile.join("greenwave")
}

#[test]
fn random_rules_agree_with_the_brute_force() {
    let report = rules::run(cases(120));
    report.expect_sound();
    assert!(
        report.of("rule files, all values compared") > 20,
        "{report}"
    );
}

#[test]
fn cones_of_large_boards_agree_with_the_search() {
    let report = cones::run_boards(cases(12));
    report.expect_sound();
    for board in cones::BOARDS {
        let compared = report.of(&format!("positions of {} compared", board.name));
        assert!(compared > 0, "{report}");
    }
}

#[test]
fn cones_of_random_rules_agree_with_the_brute_force() {
    let report = cones::run_rule_files(Extent::of_cases(SEED, 60));
    report.expect_sound();
    assert!(report.of("metrics of rule files compared") > 5, "{report}");
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
#[cfg_attr(not(feature = "slow-tests"), ignore = "minutes")]
fn every_command_keeps_to_its_memory() {
    let report = memory::run(&program(), cases(100));
    report.expect_sound();
    assert!(report.of("answered") > 10, "{report}");
}

#[test]
fn killed_solves_end_with_the_same_signature() {
    let report = kills::run_on(&program(), Extent::of_cases(SEED, 6), kills::SHORT);
    report.expect_sound();
    assert!(report.of("kills") > 0, "{report}");
}
