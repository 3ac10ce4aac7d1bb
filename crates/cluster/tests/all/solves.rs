//! `solve` gives the document of `greenwave solve`, however many ranks there are.

use greenwave_game::Metric;
use greenwave_tablebase::{SolveOptions, Tablebase, read_variant};

use super::{HELP, cluster, document, no_sweep, refused};

#[test]
fn any_number_of_ranks_gives_the_document_of_one_machine() {
    for (name, metric) in [
        ("classic-3x3", Metric::Value),
        ("classic-3x4", Metric::Distance),
        ("classic-3x3:play=misere", Metric::Value),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let tablebase = Tablebase::open(folder.path()).unwrap();
        let variant = read_variant(name).unwrap();
        let options = SolveOptions {
            table: false,
            ..SolveOptions::default()
        };
        let solved = tablebase.solve(&variant, metric, &options).unwrap();
        let expected = serde_json::to_value(&solved).unwrap();
        for ranks in ["1", "2", "3"] {
            let metric = metric.name();
            let found = document(&[
                "solve",
                name,
                "--metric",
                metric,
                "--no-table",
                "--json",
                "--ranks",
                ranks,
            ]);
            let keys = |document: &serde_json::Value| {
                let fields = document.as_object().unwrap().keys();
                fields.cloned().collect::<Vec<_>>()
            };
            assert_eq!(keys(&found), keys(&expected));
            for field in [
                "schema",
                "variant",
                "metric",
                "positions",
                "signature",
                "value",
                "distance",
                "points",
                "odds",
                "by_value",
                "openings",
            ] {
                assert_eq!(found[field], expected[field], "{name} on {ranks}: {field}");
            }
        }
    }
}

// 4²⁴ positions, of which red alone leaves few undecided; its table is one of families.
const THIN: &str = "patterns = [\"111\"]\n[board]\nsize = \"4x6\"\nlevels = 1\n";

#[test]
fn any_number_of_ranks_writes_the_table_of_one_machine() {
    let rules = tempfile::tempdir().unwrap();
    let thin = rules.path().join("thin.toml");
    std::fs::write(&thin, THIN).unwrap();
    let thin = thin.display().to_string();
    for (name, metric) in [
        ("classic-3x4", Metric::Value),
        ("signal-3x3", Metric::Distance),
        (&thin, Metric::Value),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let tablebase = Tablebase::open(folder.path().join("alone")).unwrap();
        let variant = read_variant(name).unwrap();
        let options = SolveOptions::default();
        let solved = tablebase.solve(&variant, metric, &options).unwrap();
        let path = tablebase.table_path(variant.rules(), metric);
        let expected = std::fs::read(&path).unwrap();
        for ranks in ["1", "2", "3"] {
            let dir = folder.path().join(ranks);
            let args = [
                "solve",
                name,
                "--metric",
                metric.name(),
                "--ranks",
                ranks,
                "--dir",
                dir.to_str().unwrap(),
            ];
            let found = document(&[&args[..], &["--json"]].concat());
            assert_eq!(found["signature"], *solved.signature.as_ref().unwrap());
            assert_eq!(found["table_bytes"], expected.len());
            let file = found["file"].as_str().unwrap();
            let same = std::fs::read(file).unwrap() == expected;
            assert!(same, "{name} on {ranks}");
            let told = cluster(&args)
                .assert()
                .success()
                .get_output()
                .stdout
                .clone();
            let told = String::from_utf8(told).unwrap();
            assert!(told.contains("already solved"), "{told}");
            assert!(told.contains(file), "{told}");
        }
    }
}

#[test]
fn an_answer_for_people_says_who_wins() {
    let args = ["solve", "classic-3x3", "--no-table", "--ranks", "2"];
    let output = cluster(&args)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).unwrap();
    assert!(
        text.starts_with("classic-3x3: win for the player to move\n"),
        "{text}"
    );
    assert!(text.contains("by 2 ranks"), "{text}");
}

#[test]
fn what_cannot_be_shared_is_refused_once() {
    for (args, says) in [
        (
            &["solve", "classic-3x3", "--ranks", "2", "--simulate", "1"][..],
            "a simulated park writes no table; say so with --no-table".to_string(),
        ),
        (
            &["solve", "slider", "--no-table", "--ranks", "2"],
            no_sweep("slider"),
        ),
        (
            &["solve", "points-3x3", "--no-table", "--ranks", "2"],
            no_sweep("points-3x3"),
        ),
        (
            &[
                "solve",
                "classic-3x3:supply=cap4",
                "--no-table",
                "--ranks",
                "2",
            ],
            no_sweep("classic-3x3:supply=cap4"),
        ),
        (
            &["solve", "classic-9", "--no-table"],
            "variant 'classic-9': found size '9'; expected classic-RxC with R ranks and C files, for \
             example classic-3x4"
                .to_string(),
        ),
        (
            &["solve", "classic-3x3", "--no-table", "--metric", "nimber"],
            format!(
                "invalid value 'nimber' for '--metric <METRIC>': found 'nimber', expected value or \
                 distance{HELP}"
            ),
        ),
    ] {
        assert_eq!(refused(args), format!("error: {says}\n"), "{args:?}");
    }
    // How much it needs depends on the instructions of the machine.
    let told = refused(&["solve", "classic-4x5", "--no-table", "--memory", "16M"]);
    let begin = "error: rank 0 may use 16.0 MiB of memory, value for classic-4x5 on 1 ranks needs ";
    let end = " MiB on each; give more with --memory, or start more ranks\n";
    assert!(told.starts_with(begin) && told.ends_with(end), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[cfg(not(feature = "mpi"))]
#[test]
fn a_launcher_is_told_that_this_program_knows_no_mpi() {
    for variable in [
        "OMPI_COMM_WORLD_SIZE",
        "PMI_SIZE",
        "SLURM_STEP_NUM_TASKS",
        "PALS_NRANKS",
        "FLUX_JOB_SIZE",
    ] {
        let solve = |processes: &str| {
            let mut command = cluster(&["solve", "classic-2x3", "--no-table"]);
            command.env(variable, processes).assert()
        };
        let told = solve("2").code(2).stdout("").get_output().stderr.clone();
        let told = String::from_utf8(told).unwrap();
        assert!(
            told.contains(variable) && told.contains("--features mpi"),
            "{told}"
        );
        // One process is what it is without a launcher.
        solve("1").success();
    }
}

#[cfg(not(feature = "mpi"))]
#[test]
fn the_script_of_a_job_is_no_launcher() {
    for (job, process) in [
        ("SLURM_NPROCS", "SLURM_STEP_ID"),
        ("LSB_DJOB_NUMPROC", "LSF_PM_TASKID"),
    ] {
        let solve = |variables: &[(&str, &str)]| {
            let mut command = cluster(&["solve", "classic-2x3", "--no-table"]);
            command.envs(variables.iter().copied()).assert()
        };
        solve(&[(job, "4")]).success();
        let told = solve(&[(job, "4"), (process, "1")]).code(2);
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(told.contains(&format!("found {job}=4")), "{told}");
    }
}

#[test]
fn threads_of_the_environment_give_way_to_a_simulation() {
    let args = ["solve", "classic-2x3", "--no-table", "--ranks", "2"];
    let simulated = [&args[..], &["--simulate", "10"]].concat();
    let mut command = cluster(&simulated);
    command.env("GREENWAVE_THREADS", "1").assert().success();
    let told = refused(&[&simulated[..], &["-j", "1"]].concat());
    assert!(
        told.contains("'--simulate <SIMULATE>' cannot be used with '--threads <THREADS>'"),
        "{told}"
    );
    for option in [["--delay", "9"], ["--speeds", "1,1"]] {
        let told = refused(&[&args[..], &option].concat());
        assert!(told.contains("--simulate <SIMULATE>"), "{told}");
    }
}

#[test]
fn numbers_that_have_no_effect_are_told() {
    let plan = ["plan", "classic-4x5", "--ranks", "2", "--memory", "1G"];
    for (option, value) in [("--network", "-1"), ("--delay", "-1")] {
        let told = refused(&[&plan[..], &[option, value]].concat());
        assert!(told.contains("found '-1'"), "{told}");
    }
    let simulated = ["solve", "classic-2x3", "--no-table", "--ranks", "2"];
    let speeds = ["--simulate", "10", "--speeds", "1,1,1"];
    let told = refused(&[&simulated[..], &speeds].concat());
    assert!(told.contains("--speeds: found 3 of 2 ranks"), "{told}");
}

#[test]
fn nothing_is_left_of_an_empty_scratch_folder() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    std::fs::create_dir(at("own")).unwrap();
    for (scratch, stays) in [("new/deep", false), ("own", true)] {
        let scratch = at(scratch);
        let solve = ["solve", "classic-3x3", "--metric", "value", "--ranks", "2"];
        let more = ["--no-table", "--scratch", &scratch];
        cluster(&[&solve[..], &more].concat()).assert().code(0);
        assert_eq!(std::path::Path::new(&scratch).exists(), stays, "{scratch}");
    }
    assert_eq!(std::fs::read_dir(at("own")).unwrap().count(), 0);
    assert!(!std::path::Path::new(&at("new")).exists());
    let file = at("file");
    std::fs::write(&file, "x").unwrap();
    let told = refused(&["solve", "classic-3x3", "--no-table", "--scratch", &file]);
    assert!(
        told.contains("which is a file, expected a folder"),
        "{told}"
    );
}

/// As soon as the lock is there, before any wave is complete.
#[cfg(unix)]
#[test]
fn an_interrupted_solve_leaves_no_lock() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("classic-4x5");
    let lock = folder.join("value.ranks.lock");
    for signal in ["-INT", "-TERM"] {
        let mut solve = std::process::Command::new(env!("CARGO_BIN_EXE_greenwave-cluster"))
            .args(["solve", "classic-4x5", "--metric", "value", "--ranks", "2"])
            .args(["--no-table", "--quiet", "--scratch"])
            .arg(dir.path())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while !lock.exists() {
            assert!(solve.try_wait().unwrap().is_none(), "{signal}");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let id = solve.id().to_string();
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args([signal, &id]).status().unwrap().success());
        assert_eq!(solve.wait().unwrap().code(), Some(130), "{signal}");
        assert!(!lock.exists(), "{signal}");
    }
}
