//! `plan` foresees what a board takes.

use super::{HELP, cluster, document, no_sweep, refused};

const PARK: [&str; 4] = ["--ranks", "4", "--network", "10"];

fn plan<'a>(variant: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["plan", variant][..], &PARK, more].concat()
}

#[test]
fn waves_add_up() {
    let found = document(&plan(
        "classic-4x4",
        &["--memory", "1G", "--disk", "1G", "--json"],
    ));
    let waves = found["waves"].as_array().unwrap();
    let all = |field: &'static str| waves.iter().map(move |wave| wave[field].as_f64().unwrap());
    assert_eq!(
        all("network_bytes").sum::<f64>(),
        found["network_bytes"].as_f64().unwrap()
    );
    assert_eq!(
        all("held_bytes").fold(0.0, f64::max),
        found["memory_bytes"].as_f64().unwrap()
    );
    assert!((all("seconds").sum::<f64>() - found["seconds"].as_f64().unwrap()).abs() < 1e-6);
    assert_eq!(found["fits"], true);
    assert!(found["disk_bytes"].as_u64().unwrap() > 0);
}

#[test]
fn what_does_not_fit_is_said_with_one() {
    let small = plan("classic-4x5", &["--memory", "16M", "--json"]);
    cluster(&small).assert().code(1);
    assert_eq!(document(&small)["binding"], "memory");
    let little = ["--memory", "8G", "--disk", "16M", "--json"];
    let disk = plan(
        "classic-4x5",
        &[&little[..], &["--kernel", "portable"]].concat(),
    );
    cluster(&disk).assert().code(1);
    assert_eq!(document(&disk)["binding"], "disk");
    let text = plan("classic-4x5", &["--memory", "8G"]);
    let output = cluster(&text)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).unwrap();
    assert!(
        text.contains("classic-4x5 for value on 4 ranks of 1 threads: fits"),
        "{text}"
    );
    assert!(text.contains("binding"), "{text}");
}

#[test]
fn more_ranks_hold_less_each() {
    let held = |ranks: &'static str| {
        let args = [
            "plan",
            "classic-4x6",
            "--memory",
            "64G",
            "--json",
            "--ranks",
            ranks,
        ];
        document(&args)["memory_bytes"].as_f64().unwrap()
    };
    assert!(held("16") < held("4") / 3.0);
}

#[test]
fn what_cannot_be_planned_is_refused() {
    for (args, says) in [
        (
            &["plan", "classic-4x4", "--memory", "1G"][..],
            format!(
                "the following required arguments were not provided:\n  --ranks <RANKS>\n\n\
                 Usage: greenwave-cluster plan --ranks <RANKS> --memory <MEMORY> <VARIANT>{HELP}"
            ),
        ),
        (
            &["plan", "classic-4x4", "--memory", "1G", "--ranks", "0"],
            format!("invalid value '0' for '--ranks <RANKS>': 0 is not in 1..=4096{HELP}"),
        ),
        (
            &[
                "plan",
                "classic-4x4",
                "--memory",
                "1G",
                "--ranks",
                "2",
                "--network",
                "0",
            ],
            format!(
                "invalid value '0' for '--network <NETWORK>': found '0', expected Gbit/s, a number above \
                 0{HELP}"
            ),
        ),
        (
            &["plan", "ampel", "--memory", "1G", "--ranks", "2"],
            no_sweep("ampel"),
        ),
    ] {
        assert_eq!(refused(args), format!("error: {says}\n"), "{args:?}");
    }
}

#[test]
fn machines_with_other_instructions_are_planned() {
    let plan = |kernel: &str| {
        let args = ["--memory", "64G", "--json", "--ranks", "2"];
        document(&[&["plan", "classic-3x7", "--kernel", kernel][..], &args].concat())
    };
    let [portable, avx2, avx512] = ["portable", "avx2", "avx512"].map(plan);
    let grains = [&portable, &avx2, &avx512].map(|plan| plan["grain"].as_str().unwrap());
    assert_eq!(grains, ["byte", "bit", "byte"]);
    assert_eq!(portable["memory_bytes"], avx512["memory_bytes"]);
    let seconds = |plan: &serde_json::Value| plan["seconds"].as_f64().unwrap();
    assert!(seconds(&avx512) < seconds(&avx2) && seconds(&avx2) < seconds(&portable));
    // Between 1 and 8 bits of a byte are undecided.
    let held = |plan: &serde_json::Value| plan["memory_bytes"].as_f64().unwrap();
    let more = held(&avx512) / held(&avx2);
    assert!((1.5..3.0).contains(&more), "{more}");
}

#[test]
fn errors_are_documents_where_documents_are_requested() {
    for (args, kind, said) in [
        (&["solve", "nosuch", "--json"][..], "usage", "nosuch"),
        (
            &["plan", "classic-3x3", "--ranks", "x", "--json"],
            "usage",
            "--ranks",
        ),
        (
            &["solve", "classic-3x3", "--force", "--no-table", "--json"],
            "usage",
            "--no-table",
        ),
        (
            &[
                "plan",
                "classic-3x3",
                "--ranks",
                "2",
                "--memory",
                "-1G",
                "--json",
            ],
            "usage",
            "-1G",
        ),
    ] {
        let told = refused(args);
        let document: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(document["kind"], kind, "{told}");
        assert!(document["error"].as_str().unwrap().contains(said), "{told}");
    }
}
