//! The commands that messages suggest.

use std::collections::HashSet;
use std::fs;

use tempfile::tempdir;

/// The commands in the quotes of a text, as they stand.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '`', '"']) {
        let (quote, inside) = (&rest[at..=at], &rest[at + 1..]);
        let end = inside.find(quote);
        match end.filter(|_| inside.starts_with("greenwave ")) {
            Some(end) => {
                found.push(inside[..end].to_string());
                rest = &inside[end + 1..];
            }
            None => rest = inside,
        }
    }
    found
}

/// Whether a command can be run as it stands: it is not only named, and asks for nothing to be put in.
fn is_whole(command: &str) -> bool {
    let is_name = |word: &str| {
        let word = word.trim_end_matches(".toml");
        word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let words: Vec<&str> = command.split(' ').collect();
    let asks_nothing = !command.contains('…') && !words.iter().any(|word| is_name(word));
    asks_nothing && (words.len() > 2 || command.ends_with(" variants"))
}

/// The commands in the quotes of a message that can be run as they stand.
fn suggested(message: &str) -> Vec<String> {
    let mut commands = quoted(message);
    commands.retain(|command| is_whole(command));
    commands
}

/// The commands that the sources of the program have in quotes within a text and that can be run, with
/// `{…}` for what is filled in.
fn in_sources() -> Vec<String> {
    let mut folders = vec![crate::common::root().join("crates")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let is_tests = path.ends_with("tests");
                folders.extend(Some(path).filter(|_| !is_tests));
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs")
            {
                let text = fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
                let is_remark = |line: &&str| line.trim_start().starts_with("//");
                let lines: Vec<&str> = text.lines().filter(|line| !is_remark(line)).collect();
                // A text goes on in the next line.
                let text = lines.join("\n");
                let mut parts = text.split("\\\n");
                let first = parts.next().unwrap().to_string();
                let text = parts.fold(first, |text, part| text + part.trim_start());
                for string in text.split('"').skip(1).step_by(2) {
                    found.extend(suggested(string));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether a command is one of a form, with anything in the place of `{…}`.
fn is_of_form(command: &str, form: &str) -> bool {
    let mut rest = command;
    let parts = form
        .split('{')
        .enumerate()
        .map(|(number, part)| match number {
            0 => part,
            _ => part.split_once('}').map_or(part, |(_, after)| after),
        });
    let fixed: Vec<&str> = parts.collect();
    fixed.iter().enumerate().all(|(number, part)| {
        let at = if number == 0 {
            rest.starts_with(part).then_some(0)
        } else if number + 1 == fixed.len() {
            rest.ends_with(part).then(|| rest.len() - part.len())
        } else {
            rest.find(part)
        };
        at.inspect(|at| rest = &rest[at + part.len()..]).is_some()
    })
}

#[test]
fn every_command_that_a_message_suggests_can_be_run_as_it_stands() {
    let dir = tempdir().unwrap();
    fs::create_dir_all(dir.path().join("games")).unwrap();
    let rules = "title = 'Own'\npatterns = ['111', '222']\n[board]\nsize = '2x3'\n";
    fs::write(dir.path().join("games/own.toml"), rules).unwrap();
    let shell = |command: &str| {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_greenwave"));
        let folder = program.parent().unwrap().display().to_string();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
        let output = std::process::Command::new("sh")
            .args(["-c", command])
            .current_dir(dir.path())
            .env("PATH", path)
            .env("GREENWAVE_DIR", dir.path().join("usual"))
            .env("GREENWAVE_PROGRESS", "none")
            .env_remove("GREENWAVE_MEMORY")
            .output()
            .unwrap();
        let said = [output.stderr, output.stdout].map(|said| String::from_utf8(said).unwrap());
        (output.status.code().unwrap(), said.concat())
    };
    let damage = |table: &str| {
        let table = dir.path().join(table);
        let mut bytes = fs::read(&table).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        fs::write(table, bytes).unwrap();
    };
    for dd in ["", "--dir dd"] {
        for name in ["classic-2x3", "games/own.toml"] {
            assert_eq!(shell(&format!("greenwave {dd} solve {name}")).0, 0);
        }
    }
    let usual = fs::read(dir.path().join("usual/classic-2x3/distance.gwt")).unwrap();
    damage("dd/classic-2x3/distance.gwt");
    damage("dd/own/distance.gwt");
    // With a table of another metric under its name.
    let other = dir.path().join("dd/classic-2x2");
    assert_eq!(
        shell("greenwave --dir dd solve classic-2x2 --metric value,distance").0,
        0
    );
    fs::copy(other.join("value.gwt"), other.join("distance.gwt")).unwrap();
    fs::write(dir.path().join("game.txt"), "b2R\nb2Y\n").unwrap();
    // Forms that no case below comes to: commands of pages, which tests of pages run, and what only a
    // table that somebody forged brings about.
    let elsewhere = [
        "greenwave solve {variant}",
        "greenwave solve {variant} --metric {metric} --force",
    ];
    let (mut left, fixed): (Vec<_>, Vec<_>) = in_sources()
        .into_iter()
        .partition(|form| form.contains('{'));
    assert!(fixed.len() > 2, "{fixed:?}");
    for command in fixed {
        let (code, said) = shell(&command);
        assert_eq!(code, 0, "{command}: {said}");
    }
    assert!(left.len() > 8, "{left:?}");
    left.retain(|form| !elsewhere.contains(&form.as_str()));
    let mut tried = HashSet::new();
    for command in [
        "greenwave --dir dd query classic-2x3",
        "greenwave --dir=dd query games/own.toml",
        "greenwave query classic-2x3 --dir dd",
        "greenwave --dir dd query classic-2x2",
        "greenwave --dir dd verify classic-2x4",
        "greenwave verify dd/own/distance.gwt",
        "greenwave query classic-9x",
        "greenwave query classic-3x3 b2R,b2Y",
        "greenwave --dir dd query semaforo b2R",
        "greenwave query classic-3x3 hello",
        "greenwave find classic-3x3 'nonsense = 1'",
        "greenwave find classic-3x3 'points = 1'",
        "greenwave info no-such-file.gwt",
        "greenwave info games/own.toml",
        "greenwave solve no-such-file.toml",
        "greenwave query b2R,b2Y",
        "greenwave query .../.R./...",
        "greenwave classic-3x3",
        "greenwave classic-3x3 b2R",
        "greenwave review classic-2x3",
        "greenwave review game.txt",
        "greenwave puzzle classic-2x3 --from games/own.toml",
        "greenwave stats classic-3x4 --memory 1M",
        "greenwave stats classic-5x6",
        "greenwave stats classic-5x6 --memory 64M",
        "greenwave simulate classic-5x6 --games 1 --seed 1 --memory 16M",
        "greenwave strategy classic-1x6 --budget 20000",
        "greenwave check nonsense",
        "greenwave query classic-3x3 --budgt 3s",
        "greenwave help nonsense",
        "greenwave rules nonsense",
        "greenwave sum classic-3x3=hello",
        "greenwave play classic-2x3 --as none --record played.txt",
        "greenwave query classic-5x5 --budget 10",
    ] {
        // Lines are cut at blanks.
        let (_, message) = shell(command);
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        for suggestion in suggested(&message) {
            // The folder that was typed stands between.
            let plain = suggestion.replace("--dir dd ", "");
            left.retain(|form| !is_of_form(&plain, form));
            // A solve of hours only says whether it can be done.
            let is_large = suggestion.contains("--scratch");
            let estimate = if is_large { " --estimate" } else { "" };
            let suggestion = format!("{suggestion}{estimate}");
            if tried.insert(suggestion.clone()) {
                let (code, again) = shell(&suggestion);
                assert!(code != 2, "{command}: {message}{suggestion}: {again}");
            }
        }
    }
    assert!(tried.len() >= 12, "{tried:?}");
    assert!(
        left.is_empty(),
        "say which command suggests these: {left:#?}"
    );
    for table in ["classic-2x3", "games/own.toml", "classic-2x2"] {
        let (code, message) = shell(&format!("greenwave --dir dd query {table}"));
        assert_eq!(code, 0, "{table}: {message}");
    }
    let now = fs::read(dir.path().join("usual/classic-2x3/distance.gwt")).unwrap();
    assert!(
        now == usual,
        "the good table of the usual folder was written over"
    );
}
