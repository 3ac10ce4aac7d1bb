//! Each command reads what another one writes: a text has the same meaning everywhere, whatever the
//! order of the lights.

use std::path::Path;

use serde_json::Value;

use crate::common::{Run, greenwave, root, slider_solved};

/// A way to ask for a game: its name, options besides, and the order of its lights.
type Way = (&'static str, &'static [&'static str], Option<&'static str>);

const WAYS: [Way; 9] = [
    ("classic-3x3", &[], Some("ryg")),
    ("classic-3x3", &["--lights", "gyr"], Some("gyr")),
    ("semaforo", &[], Some("gyr")),
    ("semaforo", &["--lights", "ryg"], Some("ryg")),
    ("signal-3x3", &["--colours", "gyr"], Some("gyr")),
    ("points-3x3", &["--lights", "gyr"], Some("gyr")),
    ("slider", &["--lights", "gyr"], Some("gyr")),
    ("noughts-3x3", &[], None),
    ("ampel-4-2-1", &[], None),
];

fn solutions() -> std::path::PathBuf {
    root().join("solutions")
}

fn asked(way: Way, command: &str, args: &[&str]) -> Vec<&'static str> {
    // Leaked, as the few arguments of a test may be.
    let leak = |text: &str| -> &'static str { Box::leak(text.to_string().into_boxed_str()) };
    let mut all = vec![leak(command), leak(way.0)];
    all.extend(args.iter().map(|arg| leak(arg)));
    all.extend(way.1);
    all
}

fn documents(way: Way, command: &str, args: &[&str]) -> Vec<Value> {
    let mut args = asked(way, command, args);
    args.push("--json");
    let run = if way.0 == "slider" {
        greenwave(slider_solved(), &args).ok()
    } else {
        greenwave(&solutions(), &args).ok()
    };
    let lines = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// Value, distance and points.
fn figures(document: &Value) -> [&Value; 3] {
    ["value", "distance", "points"].map(|key| &document[key])
}

fn names_its_order(way: Way, document: &Value) {
    assert_eq!(document["schema"], 2, "{document}");
    assert_eq!(document["variant"], way.0, "{document}");
    assert_eq!(document["lights"].as_str(), way.2, "{document}");
}

fn query(way: Way, position: &str) -> Value {
    let found = documents(way, "query", &[position]).remove(0);
    names_its_order(way, &found);
    found
}

#[test]
fn answers_are_read_back_as_they_were_written() {
    for way in WAYS {
        let start = documents(way, "query", &[]).remove(0);
        names_its_order(way, &start);
        for mv in start["moves"].as_array().unwrap().iter().take(4) {
            let to = mv["to"].as_str().unwrap();
            let after = query(way, to);
            assert_eq!(after["position"], to, "{way:?}");
            let played = documents(way, "query", &["--moves", mv["move"].as_str().unwrap()]);
            assert_eq!(played[0]["position"], to, "{way:?}");
            assert_eq!(figures(&played[0]), figures(&after), "{way:?}");
        }
        let line = documents(way, "line", &[]).remove(0);
        names_its_order(way, &line);
        for ply in line["plies"].as_array().unwrap().iter().take(4) {
            let to = ply["to"].as_str().unwrap();
            assert_eq!(query(way, to)["position"], to, "{way:?}");
        }
    }
}

#[test]
fn matches_are_found_and_answered_alike() {
    for way in WAYS {
        let square = if way.0.starts_with("ampel") {
            "b1"
        } else {
            "a2"
        };
        let light = match way.2 {
            Some("ryg") => "green",
            Some(_) => "red",
            None if way.0.starts_with("noughts") => "x",
            None => "red",
        };
        let expression = format!("{square} = {light} and value = win");
        let mut found = documents(way, "find", &[&expression, "--limit", "3"]);
        found.pop();
        assert!(!found.is_empty(), "{way:?}");
        for one in found {
            names_its_order(way, &one);
            let answer = query(way, one["position"].as_str().unwrap());
            assert_eq!(answer["value"], "win", "{way:?} {one}");
            // A document is a position, too, in any order of the lights.
            let text = one.to_string();
            let handed = documents((way.0, &[], None), "query", &[&text]).remove(0);
            assert_eq!(figures(&handed), figures(&answer), "{way:?} {one}");
        }
    }
}

#[test]
fn the_order_of_semaforo_is_its_own_on_every_face() {
    let way: Way = ("semaforo", &[], Some("gyr"));
    let found = documents(way, "find", &["b2 = green and ply = 1"]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0]["position"], "..../.G../....");
    let claim = "semaforo some: b2 = green and ply = 1";
    let run = greenwave(&solutions(), &["check", claim, "--json"]).ok();
    let settled: Value = serde_json::from_str(run.stdout.trim()).unwrap();
    let settled = settled.get(0).unwrap_or(&settled);
    assert_eq!(settled["verdict"], "true", "{settled}");
    assert_eq!(settled["lights"], "gyr", "{settled}");
    let witness = settled["witness"].as_str().unwrap();
    assert_eq!(query(way, witness)["position"], witness);
    for puzzle in documents(way, "puzzle", &["--count", "3", "--seed", "1"]) {
        names_its_order(way, &puzzle);
        let answer = query(way, puzzle["position"].as_str().unwrap());
        assert_eq!(answer["distance"], puzzle["distance"], "{puzzle}");
        let first = &puzzle["solution"][0];
        assert_eq!(
            answer["best"].as_array().unwrap(),
            std::slice::from_ref(first),
            "{puzzle}"
        );
    }
    let listed = greenwave(&solutions(), &["variants", "--json"]).ok();
    assert!(
        listed
            .stdout
            .contains("\"variant\":\"semaforo\",\"lights\":\"gyr\"")
    );
    let rules = greenwave(&solutions(), &["rules", "semaforo"]).ok();
    let legend = "Lights in order: G green, Y yellow, R red";
    assert!(rules.stdout.contains(legend), "{rules:?}");
}

#[test]
fn records_are_read_by_the_order_that_they_name() {
    let folder = tempfile::tempdir().unwrap();
    for (number, way) in [WAYS[1], WAYS[2], WAYS[3]].into_iter().enumerate() {
        let record = folder.path().join(format!("game-{number}.txt"));
        let path = record.to_str().unwrap();
        let args = [
            "--as", "none", "--level", "easy", "--seed", "4", "--record", path,
        ];
        let mut all = asked(way, "play", &args);
        all.push("--json");
        let played = Run::with_input(&solutions(), &all, b"").ok();
        let text = std::fs::read_to_string(&record).unwrap();
        assert!(text.contains(&format!("# variant {}\n# lights {}", way.0, way.2.unwrap())));
        let last = played.stdout.lines().rev().nth(1).unwrap();
        let last: Value = serde_json::from_str(last).unwrap();
        names_its_order(way, &last);
        // Without the option it is read by what it says itself.
        let review = documents((way.0, &[], way.2), "review", &["--moves", path]).remove(0);
        names_its_order(way, &review);
        let plies = review["plies"].as_array().unwrap();
        assert_eq!(
            plies[plies.len() - 1]["position"],
            last["position"],
            "{text}"
        );
        let other = if way.2 == Some("gyr") { "ryg" } else { "gyr" };
        let refused = ["review", way.0, "--moves", path, "--lights", other];
        let refused = greenwave(&solutions(), &refused);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(
            refused.stderr.contains("ryg") && refused.stderr.contains("gyr"),
            "{refused:?}"
        );
    }
}

#[test]
fn strategies_and_certificates_name_their_order() {
    let folder = tempfile::tempdir().unwrap();
    for lights in ["ryg", "gyr"] {
        let args = ["strategy", "classic-3x3", "--lights", lights, "--json"];
        let found = greenwave(folder.path(), &args).json();
        let claims = folder.path().join("claims.toml");
        std::fs::write(&claims, found["claim"].as_str().unwrap()).unwrap();
        let args = ["check", claims.to_str().unwrap(), "--expect-true"];
        greenwave(folder.path(), &args).ok();
        checked(folder.path(), found["certificate"].as_str().unwrap());
        let args = ["certify", "classic-3x3", "--lights", lights, "--json"];
        let made = greenwave(folder.path(), &args).json();
        assert_eq!(made["lights"], lights);
        let file = std::fs::read_to_string(made["file"].as_str().unwrap()).unwrap();
        assert_eq!(file.contains("\nlights gyr\n"), lights == "gyr");
        checked(folder.path(), &file);
    }
}

/// Has a certificate followed by the checker.
fn checked(folder: &Path, text: &str) {
    let path = folder.join("certificate-to-check.txt");
    std::fs::write(&path, text).unwrap();
    let checker = root().join("solutions/check_certificate.py");
    let run = crate::common::python()
        .arg(checker)
        .arg(&path)
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}\n{text}");
}

#[test]
fn rule_files_have_an_order_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for lights in ["ryg", "gyr"] {
        let path = folder.path().join(format!("own-{lights}.toml"));
        let text = format!("lights = '{lights}'\npatterns = ['111', '222']\nboard.size = '2x3'\n");
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let start = greenwave(folder.path(), &["query", path, "--json"]).json();
        assert_eq!(start["lights"], lights);
        let first = if lights == "ryg" { "a1R" } else { "a1G" };
        assert_eq!(start["moves"][0]["move"].as_str().unwrap().len(), 3);
        let played = ["query", path, "--moves", first, "--json"];
        let after = greenwave(folder.path(), &played).json();
        let text = after["position"].as_str().unwrap();
        let again = greenwave(folder.path(), &["query", path, text, "--json"]).json();
        assert_eq!(figures(&after), figures(&again));
        let other = if lights == "ryg" { "gyr" } else { "ryg" };
        let args = ["query", path, "--lights", other, "--json"];
        assert_eq!(greenwave(folder.path(), &args).json()["lights"], other);
    }
}

#[test]
fn an_order_of_the_lights_is_refused_where_there_are_none() {
    for name in ["ampel-4-2-1", "noughts-3x3"] {
        let run = greenwave(&solutions(), &["query", name, "--lights", "gyr"]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(
            run.stderr.contains("no lights whose order could be gyr"),
            "{run:?}"
        );
    }
    let old = r#"{"schema":1,"variant":"classic-3x4","position":"..../.R../...."}"#;
    let run = greenwave(&solutions(), &["query", "semaforo", old]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains("schema 1") && run.stderr.contains("--lights ryg"),
        "{run:?}"
    );
}

#[test]
fn documents_of_another_version_are_refused_as_games() {
    let folder = tempfile::tempdir().unwrap();
    let moves = ["--moves", "b1R,b1Y", "--json"];
    let review = greenwave(
        &solutions(),
        &[&["review", "classic-2x3"], &moves[..]].concat(),
    );
    let play = "{\"schema\":2,\"variant\":\"classic-2x3\",\"ply\":1,\"move\":\"b1R\"}\n";
    for text in [&*review.stdout, play] {
        let file = folder.path().join("old.json");
        std::fs::write(&file, text.replace("\"schema\":2", "\"schema\":1")).unwrap();
        let file = file.to_str().unwrap();
        for args in [
            &["review", file][..],
            &["review", "classic-2x3", "--moves", file],
            &["play", "classic-2x3", "--as", "none", "--moves", file],
        ] {
            let run = greenwave(&solutions(), args);
            assert_eq!(run.code, 2, "{args:?}: {run:?}");
            assert!(run.stderr.contains("schema 1"), "{args:?}: {run:?}");
        }
    }
}

#[test]
fn positions_that_compare_names_have_these_values_in_their_variants() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["classic-2x3", "classic-2x3:play=misere"];
    let rules = |play: &str| {
        format!(
            "title = 'Small'\npatterns = ['111', '222', '333']\nlights = 'gyr'\nplay = '{play}'\n\
             [board]\nsize = '2x3'\nline-length = 3\n"
        )
    };
    let files = ["normal", "misere"].map(|play| {
        let file = folder.path().join(format!("{play}.toml"));
        std::fs::write(&file, rules(play)).unwrap();
        file.to_str().unwrap().to_string()
    });
    let files = [&*files[0], &*files[1]];
    for (lights, pair) in [
        ("gyr", names),
        ("gyr", files),
        ("ryg", [files[0], names[1]]),
    ] {
        let asked = |command: &str, of: &[&str]| {
            let args = [&[command], of, &["--lights", lights, "--json"]].concat();
            greenwave(folder.path(), &args).json()
        };
        let compared = asked("compare", &pair);
        let found = compared["disagreements"].as_array().unwrap();
        assert!(!found.is_empty(), "{pair:?}");
        for one in found.iter().take(6) {
            assert_eq!(one["position"], one["a"]["position"]);
            for (side, name) in ["a", "b"].into_iter().zip(pair) {
                let told = &one[side];
                let answer = asked("query", &[name, told["position"].as_str().unwrap()]);
                assert_eq!(answer["value"], told["value"], "{pair:?}: {one}");
                assert_eq!(answer["distance"], told["distance"], "{pair:?}: {one}");
                assert_eq!(answer["best"], told["best"], "{pair:?}: {one}");
            }
        }
    }
}

#[test]
fn whole_answers_for_people_are_read_as_positions() {
    let (dir, ask) = (solutions(), |args: &[&str]| greenwave(&solutions(), args));
    let position = |args: &[&str]| {
        let args = [&["query", "--json", "--budget", "1ms"], args].concat();
        greenwave(&dir, &args).ok().json()["position"].clone()
    };
    for (variant, moves) in [
        ("classic-3x3", "b2R,b2Y,a1R"),
        ("semaforo", "b2G,b2Y,a1G"),
        ("slider", "s1R,slide-N"),
        ("strip:repeat=ban", "s2R,slide-Wt"),
        ("points-3x3", "a1R,c3R"),
        ("noughts-3x3", "b2,a1"),
        ("ampel-4-2-1", "+c2"),
        ("bag-classic-3x3", "[RG],+R,[GY],+Y"),
    ] {
        let played = position(&[variant, "--moves", moves]);
        for language in ["en", "de", "es", "pt"] {
            let options = ["--moves", moves, "--budget", "1ms", "--lang", language];
            let shown = ask(&[&["query", variant], &options[..]].concat()).ok();
            assert_eq!(position(&[variant, &shown.stdout]), played, "{shown:?}");
        }
    }
    // In the other order of the lights, which the answer tells.
    let shown = ask(&[
        "query",
        "classic-3x4",
        "--moves",
        "b2R,b2Y",
        "--lights",
        "ryg",
    ])
    .ok();
    let green_first = position(&["semaforo", "--moves", "b2G,b2Y"]);
    assert_eq!(position(&["semaforo", &shown.stdout]), green_first);
    let without: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|line| !line.contains("in order"))
        .collect();
    let refused = ask(&["query", "semaforo", &without.join("\n")]);
    assert!(
        refused.stderr.contains("the order of its lights"),
        "{refused:?}"
    );
    let unknown = shown.stdout.replacen("classic-3x4", "mine", 1);
    let refused = ask(&["query", "classic-3x4", &unknown]);
    assert!(refused.stderr.contains("it is of mine"), "{refused:?}");
    let foreign = ask(&["query", "classic-3x3"]).ok();
    let refused = ask(&["query", "signal-3x3", &foreign.stdout]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.stderr.contains("it is of classic-3x3"),
        "{refused:?}"
    );
}
