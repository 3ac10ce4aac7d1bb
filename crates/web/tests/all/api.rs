use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::{
    Answer, PATIENCE, PUBLISHED, ask, ask_at, ask_until, get, get_from_tables, start, start_with,
    with_tables,
};

const QUERY: &str = "/api/v1/query?variant=classic-3x3";

#[test]
fn a_query_is_the_document_of_the_command() {
    let answer = get(QUERY);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let document = answer.json();
    assert_eq!(document["schema"], 2);
    assert_eq!(
        (&document["value"], &document["distance"]),
        (&"win".into(), &17.into())
    );
    let moved = get(&format!("{QUERY}&moves=b2R")).json();
    let typed = get(&format!("{QUERY}&position=.../.R./...")).json();
    assert_eq!(moved["position"], typed["position"]);
    assert_eq!(moved["moves"], typed["moves"]);
}

#[test]
fn a_raw_plus_makes_a_position_and_parts_moves() {
    let strip = get_from_tables("/api/v1/query?variant=strip&position=.../.R./...+..Y@E");
    let encoded = get_from_tables("/api/v1/query?variant=strip&position=.../.R./...%2B..Y@E");
    assert_eq!((strip.status, encoded.status), (200, 200));
    assert_eq!(strip.json()["position"], encoded.json()["position"]);
    let moves = get(&format!("{QUERY}&moves=b2R+b2Y"));
    assert_eq!(moves.json()["position"], ".../.Y./...");
    let ampel =
        get("/api/v1/query?variant=ampel-4-2-1&position=4+2+1+r+1+0+0+./.R/.y./....&budget=50");
    assert_eq!(ampel.status, 200, "{}", ampel.body);
}

#[test]
fn what_cannot_be_answered_says_why() {
    for (path, status, part) in [
        ("/api/v1/query", 400, "variant=classic-3x3"),
        (
            "/api/v1/query?variant=clasic-3x3",
            404,
            "did you mean classic-3x3",
        ),
        (
            "/api/v1/query?variant=classic-3x3:play=fast",
            400,
            "allowed: normal, misere",
        ),
        (
            "/api/v1/query?variant=classic-3x3&position=x",
            400,
            "cannot be a position",
        ),
        (
            "/api/v1/query?variant=classic-3x3&moves=b2R,b2R",
            400,
            "move 2",
        ),
        (
            "/api/v1/query?variant=classic-3x3&moves=%zz",
            400,
            "hexadecimal",
        ),
        (
            "/api/v1/query?variant=classic-3x3&postion=x",
            400,
            "unknown parameter 'postion'",
        ),
        (
            "/api/v1/query?variant=classic-3x3&budget=soon",
            400,
            "500ms",
        ),
        (
            "/api/v1/query?variant=../../etc/passwd",
            404,
            "unknown variant",
        ),
        (
            "/api/v1/query?variant=/etc/hosts.toml",
            404,
            "unknown variant",
        ),
        ("/api/v1/nothing", 404, "openapi.json"),
        ("/api/v2/query", 404, "nothing is at"),
    ] {
        let answer = get(path);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        let error = answer.json()["error"].as_str().unwrap().to_string();
        assert!(error.contains(part), "{path}: {error}");
        assert_eq!(answer.json()["schema"], 2);
    }
    assert_eq!(
        get(&format!("{QUERY}&position={}", "x".repeat(9000))).status,
        413
    );
    let posted = ask("POST", QUERY, "Content-Length: 0\r\n");
    assert_eq!(
        (posted.status, posted.header("allow")),
        (405, Some("GET, HEAD"))
    );
    assert_eq!(ask("GET", QUERY, "Content-Length: 9000\r\n").status, 413);
}

#[test]
fn options_are_those_of_the_commands_or_refused() {
    for path in [
        "query?variant=classic-2x3&budget=2m",
        "query?variant=classic-2x3&budget=1h",
        "stats?variant=classic-2x3&metric=all&budget=5s",
        "compare?variants=classic-2x3+signal-2x3&budget=20s",
        "sum?boards=classic-2x3&budget=20s",
        "puzzle?variant=classic-2x3&budget=20s",
    ] {
        let answer = get(&format!("/api/v1/{path}"));
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        // Less time than was asked for is told; it is a minute here.
        let told = answer.header("greenwave-remark");
        let is_cut = told.is_some_and(|told| told.contains("computed 60s at most"));
        assert_eq!(is_cut, path.ends_with(['m', 'h']), "{told:?}");
    }
    assert_eq!(get("/api/v1/variants?lights=gyr").status, 200);
    for (path, part) in [
        (
            "stats?variant=classic-2x3&metric=points",
            "value, distance, nimber",
        ),
        ("stats?variant=classic-2x3&metric=length", "found 'length'"),
        (
            "puzzle?variant=classic-2x3&count=0",
            "a number from 1 to 24",
        ),
        ("query?variant=classic-2x3&budget=2d", "500ms, 10s or 2m"),
        ("query?variant=classic-2x3&lang=xx", "en, pt, es, de"),
        (
            "find?variant=classic-2x3&expression=moves=1&count=maybe",
            "expected 1, yes, on or true, or else 0",
        ),
        (
            "draw.svg?variant=classic-2x3&values=all",
            "0, no, off or false",
        ),
        ("sum?boards=classic-2x3=RR", "classic-2x3"),
        ("variants?lights=gry", "one of ryg, gyr"),
        (
            "find?variant=classic-2x3&expression=moves=1&count=true&fields=b2",
            "cannot be used with fields",
        ),
        (
            "find?variant=classic-2x3&expression=moves=1&count=1&limit=2",
            "cannot be used with limit",
        ),
        (
            "draw.svg?variant=classic-2x3&film=1&values=1",
            "cannot be used with values",
        ),
    ] {
        let refused = get(&format!("/api/v1/{path}"));
        assert_eq!(refused.status, 400, "{path}: {}", refused.body);
        assert!(refused.body.contains(part), "{path}: {}", refused.body);
    }
    let of = |metric: &str| get(&format!("/api/v1/stats?variant=classic-2x3{metric}")).json();
    let value = of("&metric=value");
    assert!(value["by_distance"].is_null() && value["by_value"].is_object());
    assert!(of("&metric=nimber,distance")["by_nimber"].is_array());
    let plain = get("/api/v1/draw.svg?variant=classic-2x3");
    let valued = get("/api/v1/draw.svg?variant=classic-2x3&values=1");
    assert!(valued.body.len() > plain.body.len() && valued.body.contains(">\u{2715} 16<"));
}

#[test]
fn what_is_longer_than_is_read_is_told_so() {
    let long = format!("X-Long: {}\r\n", "x".repeat(9000));
    let refused = ask("GET", QUERY, &long);
    assert_eq!(refused.status, 413, "{}", refused.body);
    assert!(refused.body.contains("expected at most 8192"));
    let chunk = format!("{:x}\r\n{}\r\n", 9000, "x".repeat(9000));
    let chunked = format!("Transfer-Encoding: chunked\r\n\r\n{chunk}0\r\n");
    assert_eq!(ask("GET", QUERY, &chunked).status, 413);
    let short = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n";
    assert_eq!(ask("GET", QUERY, short).status, 200);
}

#[test]
fn counting_takes_a_job_even_where_values_are_kept() {
    let host = start(2, PATIENCE);
    let get = |path: &str| ask_at(host, "GET", path, "");
    assert_eq!(get(QUERY).status, 200);
    let start_search = || {
        let mut stream = TcpStream::connect(host).unwrap();
        let path = "/api/v1/query?variant=classic-5x6:play=misere&moves=a1R&budget=250s";
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        stream.set_nonblocking(true).unwrap();
        stream
    };
    let mut busy = start_search();
    // Until it is at work, another search is taken, and may be at work when it comes: then it comes again.
    let other = "/api/v1/explain?variant=classic-5x6:play=misere&moves=b1R&budget=1ms";
    let patience = Instant::now() + PATIENCE;
    while get(other).status != 429 {
        assert!(Instant::now() < patience, "two searches at once");
        if busy.read(&mut [0; 16]).is_ok() {
            busy = start_search();
        }
    }
    let refused = get("/api/v1/stats?variant=classic-3x3");
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert_eq!(get(QUERY).status, 200);
    // Its work ends with it.
    drop(busy);
    let patience = Instant::now() + PATIENCE;
    while get("/api/v1/stats?variant=classic-3x3").status != 200 {
        assert!(Instant::now() < patience, "the job stays busy");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The second request uses the first count.
    assert_eq!(get("/api/v1/stats?variant=classic-3x3").status, 200);
    assert_eq!(get("/classic-3x3/stats").status, 200);
}

#[test]
fn what_takes_longer_than_one_question_may_is_worked_out_meanwhile() {
    let host = start(2, Duration::from_millis(30));
    for path in [
        "/api/v1/compare?variants=classic-3x3+signal-3x3",
        "/api/v1/stats?variant=points-3x3",
        "/api/v1/puzzle?variant=green-3x3&count=24&level=3",
        "/api/v1/check?claim=classic-3x3+none:+value+=+draw",
    ] {
        let patience = Instant::now() + PATIENCE;
        loop {
            let answer = ask_at(host, "GET", path, "");
            if answer.status == 200 {
                break;
            }
            assert_eq!(answer.status, 202, "{path}: {}", answer.body);
            expect_pending(&answer);
            assert!(Instant::now() < patience, "{path}: {}", answer.body);
            std::thread::sleep(Duration::from_millis(100));
        }
        // Who allows less gets no more.
        let hurried = ask_at(host, "GET", &format!("{path}&budget=1ms"), "");
        assert_eq!(hurried.status, 200, "{path}: what is kept costs nothing");
    }
}

#[test]
fn best_play_that_takes_longer_than_one_question_may_is_pending() {
    let host = start(2, Duration::from_millis(100));
    let path = format!("/api/v1/line?variant={}", SWEPT.replace('?', "&"));
    let first = ask_at(host, "GET", &path, "");
    assert_eq!(first.status, 202, "{}", first.body);
    expect_pending(&first);
    let done = ask_until(host, &path, |answer| ![202, 429].contains(&answer.status));
    assert_eq!(done.status, 200, "{}", done.body);
    assert!(!done.json()["plies"].as_array().unwrap().is_empty());
    // What is kept costs nothing.
    let again = ask_at(host, "GET", &format!("{path}&budget=1ms"), "");
    assert_eq!((again.status, again.body), (200, done.body));
}

#[test]
fn lines_rules_pictures_and_the_description() {
    let line = get("/api/v1/line?variant=classic-3x3").json();
    assert_eq!(line["plies"].as_array().unwrap().len(), 17);
    let rules = get("/api/v1/rules?variant=classic-3x3:play=misere").json();
    assert_eq!(rules["variant"], "classic-3x3:play=misere");
    assert!(rules["source"].is_string() && rules["text"].as_str().unwrap().starts_with("# "));
    for (language, words) in [
        ("pt", "Quem completa uma linha ganha."),
        ("es", "Quien completa una l\u{ed}nea gana."),
        ("de", "Wer eine Linie vervollständigt, gewinnt."),
    ] {
        let path = format!("/api/v1/rules?variant=classic-3x3&lang={language}");
        let rules = get(&path).json();
        assert_eq!(rules["lang"], language);
        assert!(rules["text"].as_str().unwrap().contains(words), "{rules}");
        let page = get(&format!("/classic-3x3/learn?lang={language}")).body;
        assert!(page.contains(words), "{language}");
    }
    let picture = get("/api/v1/draw.svg?variant=slider");
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert!(picture.body.starts_with("<svg ") && picture.body.contains("class=\"strip\""));
    let description = get("/api/v1/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    for path in description["paths"].as_object().unwrap().keys() {
        let query = match path.rsplit('/').next().unwrap() {
            "variants" => "",
            "find" => "variant=classic-2x3&expression=value=loss",
            "check" => "list=1",
            "compare" => "variants=classic-2x3+signal-2x3",
            "review" => "variant=classic-3x3&moves=b2R",
            "sum" => "boards=classic-3x3+classic-3x3=R../.Y./..G",
            _ => "variant=classic-3x3",
        };
        assert_eq!(get(&format!("{path}?{query}")).status, 200, "{path}");
    }
    for (path, operation) in description["paths"].as_object().unwrap() {
        let content = &operation["get"]["responses"]["200"]["content"];
        for (media, of) in content.as_object().unwrap() {
            let Some(schema) = of["schema"]["$ref"].as_str() else {
                assert!(!media.contains("json"), "{path} has no schema");
                continue;
            };
            let schema = get(&format!("/api/v1/{schema}"));
            assert_eq!(schema.status, 200, "{path}");
            assert!(schema.json()["anyOf"].is_array(), "{path}");
        }
    }
    // Whoever takes a part away from an address finds what is there.
    let root = get("/api/v1/").json();
    let paths = description["paths"].as_object().unwrap();
    for question in root["questions"].as_array().unwrap() {
        let address = question["address"].as_str().unwrap();
        assert!(paths.contains_key(address), "{address}");
    }
    assert_eq!(root["questions"].as_array().unwrap().len(), paths.len());
    assert_eq!(get(root["description"].as_str().unwrap()).status, 200);
    let listed = get(root["schemas"].as_str().unwrap()).json();
    let listed = listed["schemas"].as_array().unwrap();
    assert_eq!(listed.len(), 16);
    for address in listed {
        assert_eq!(get(address.as_str().unwrap()).status, 200, "{address}");
    }
    let unknown = get("/api/v1/schemas/nothing.json");
    assert_eq!(unknown.status, 404);
    assert!(unknown.body.contains("query"), "{}", unknown.body);
    let health = get("/healthz");
    assert_eq!(health.json()["ok"], true);
    assert_eq!(health.header("access-control-allow-origin"), None);
    let other = get("/api/v2/query?variant=classic-3x3");
    assert_eq!(other.status, 404);
    assert!(other.body.contains("'/api/v2/query'"), "{}", other.body);
    let head = ask("HEAD", QUERY, "");
    assert!(head.status == 200 && head.body.is_empty());
}

#[test]
fn positions_are_found_by_description() {
    let find = |query: &str| get(&format!("/api/v1/find?variant=classic-3x3&{query}"));
    let found = find("expression=value+=+loss+and+distance+=+20&limit=3");
    assert_eq!(found.header("content-type"), Some("application/x-ndjson"));
    let lines = found.lines();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["schema"], 2);
    assert_eq!(
        (&lines[0]["value"], &lines[0]["distance"]),
        (&"loss".into(), &20.into())
    );
    assert_eq!(lines[3]["count"], 8);
    // A plus sign that makes sense stays one.
    let summed = find("expression=a1+b1=6&count=1");
    assert!(
        summed.lines()[0]["count"].as_u64().unwrap() > 0,
        "{}",
        summed.body
    );
    let fields = find("expression=value%20=%20loss&fields=moves,b2&limit=1");
    assert!(fields.body.contains("\"moves\":") && fields.body.contains("\"b2\":"));
    let none = find(
        "expression=value = loss and value = win"
            .replace(' ', "%20")
            .as_str(),
    );
    assert_eq!(
        (none.status, none.lines()[0]["count"].as_u64()),
        (200, Some(0))
    );
    for (query, part) in [
        ("expression=valu%20=%20loss", "valu"),
        ("expression=", "found no expression"),
        ("expression=moves=1&limit=99999", "limit"),
    ] {
        let refused = find(query);
        assert_eq!(refused.status, 400, "{query}");
        assert!(refused.body.contains(part), "{query}: {}", refused.body);
    }
}

#[test]
fn claims_are_settled_and_files_are_not_read() {
    let check = |query: &str| get(&format!("/api/v1/check?{query}"));
    let one = check("claim=classic-2x3+none:+value+=+draw").lines();
    assert_eq!(one[0]["verdict"], "true", "{one:?}");
    let false_one = check("claim=classic-3x3%20all:%20value%20=%20win").lines();
    assert_eq!(false_one[0]["verdict"], "false");
    assert!(false_one[0]["witness"].is_string());
    let listed = check("list=1").lines();
    let id = listed[0]["claim"].to_string();
    let built_in = check(&format!("claim={id}")).lines();
    assert_eq!(built_in[0]["text"], listed[0]["text"]);
    assert!(built_in[0]["evidence"].is_string());
    for (query, status) in [
        ("claim=no-such-claim", 400),
        ("claim=ring.toml%20none:%20value%20=%20draw", 400),
        ("claim=/etc/x.toml%20none:%20value%20=%20draw", 400),
        (
            "claim=classic-3x3%20some:%20x.toml%20none:%20moves%20=%201",
            400,
        ),
        ("claim=clasic-3x3%20none:%20value%20=%20draw", 404),
        ("claim=classic-3x3%20none:%20valu%20=%20draw", 400),
    ] {
        let refused = check(query);
        assert_eq!(refused.status, status, "{query}: {}", refused.body);
    }
}

#[test]
fn what_takes_too_long_to_settle_is_unknown() {
    let host = start(2, Duration::from_millis(300));
    let all = ask_at(host, "GET", "/api/v1/check", "");
    // The background settles open claims, and the next request shows more.
    assert_eq!(all.status, 202, "{}", all.body);
    expect_pending(&all);
    let unknown = |answer: &Answer| answer.body.matches("\"verdict\":\"unknown\"").count();
    let open = unknown(&all);
    assert!(open > 0, "{}", all.body);
    let patience = Instant::now() + PATIENCE;
    loop {
        let again = ask_at(host, "GET", "/api/v1/check", "");
        // The first question may be at work still, and is the share of its client.
        let waits = again.status == 429;
        assert!(
            waits || [200, 202].contains(&again.status),
            "{}",
            again.body
        );
        if !waits && unknown(&again) < open {
            return;
        }
        assert!(Instant::now() < patience, "{open} claims stay open");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// An answer says that a later one will be better, and when to ask for it.
fn expect_pending(answer: &Answer) {
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!(seconds >= 1);
    if answer.header("content-type") == Some("image/svg+xml") {
        return;
    }
    let last = answer.body.trim_end().lines().last().unwrap();
    let document: serde_json::Value = serde_json::from_str(last).unwrap();
    let pending = &document["pending"];
    let share = pending["share"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&share), "{last}");
    assert_eq!(pending["seconds"], seconds, "{last}");
}

#[test]
fn every_question_says_that_a_better_answer_is_coming() {
    let host = start(2, Duration::from_millis(300));
    // Something longer goes first, so that none of the others is solved before the last question.
    let patience = Instant::now() + PATIENCE;
    loop {
        let longer = ask_at(host, "GET", "/api/v1/query?variant=ampel-5-3-3", "");
        assert_eq!(longer.status, 202, "{}", longer.body);
        // Until it is planned, the answer names one second.
        if longer.json()["pending"]["seconds"] != 1 {
            break;
        }
        assert!(Instant::now() < patience, "{}", longer.body);
    }
    let questions = [
        "query?variant=slider",
        "explain?variant=slider",
        "line?variant=slider",
        "stats?variant=slider",
        "find?variant=slider&expression=level_sum=1",
        "review?variant=slider&moves=a1R",
        "book?variant=slider",
        "puzzle?variant=slider:sides=adjacent",
        "play?variant=slider",
        "draw.svg?variant=slider&values=yes",
        "compare?variants=slider+classic-3x3",
        "check?claim=slider+none:+value+=+draw",
    ];
    for question in questions {
        // Another question of the same client may still be ending.
        let patience = Instant::now() + PATIENCE;
        let answer = loop {
            let answer = ask_at(host, "GET", &format!("/api/v1/{question}"), "");
            if answer.status != 429 || Instant::now() > patience {
                break answer;
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        assert_eq!(answer.status, 202, "{question}: {}", answer.body);
        expect_pending(&answer);
    }
}

#[test]
fn variants_are_compared() {
    let two = get("/api/v1/compare?variants=classic-2x3+signal-2x3").json();
    assert_eq!(
        (&two["a"]["variant"], &two["b"]["variant"]),
        (&"classic-2x3".into(), &"signal-2x3".into())
    );
    assert!(two["changed_openings"].is_array());
    let three = get("/api/v1/compare?variants=classic-2x3+signal-2x3+green-2x3").json();
    assert_eq!(three["variants"].as_array().unwrap().len(), 3);
    assert_eq!(get("/api/v1/compare?variants=classic-2x3").status, 400);
    assert_eq!(
        get("/api/v1/compare?variants=classic-2x3+nothing").status,
        404
    );
}

#[test]
fn games_are_gone_through() {
    let review = get("/api/v1/review?variant=classic-3x3&moves=b2R,a2R,a1R");
    let document = review.json();
    assert_eq!(document["plies"].as_array().unwrap().len(), 3);
    assert_eq!(document["plies"][2]["mark"], "mistake");
    assert_eq!(document["plies"][2]["lost"], "win");
    assert_eq!(document["mistakes"]["first"], 1);
    assert_eq!(get("/api/v1/review?variant=classic-3x3").status, 400);
    let luck = get("/api/v1/review?variant=bag-classic-2x3&moves=[RG],%2BR");
    assert_eq!(luck.status, 200, "{}", luck.body);
}

#[test]
fn puzzles_follow_from_their_seed() {
    let ask = |query: &str| get(&format!("/api/v1/puzzle?variant=classic-3x3&{query}"));
    let first = ask("seed=4&count=3&level=2");
    assert_eq!(first.lines().len(), 3);
    assert_eq!(first.body, ask("seed=4&count=3&level=2").body);
    assert!(first.lines().iter().all(|puzzle| puzzle["level"] == 2));
    let position = first.lines()[0]["position"].as_str().unwrap().to_string();
    let answer = get(&format!(
        "/api/v1/query?variant=classic-3x3&position={position}"
    ))
    .json();
    assert_eq!(answer["value"], "win");
    assert_eq!(
        answer["moves"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|mv| mv["value"] == "win")
            .count(),
        1
    );
    for (query, status) in [("level=6", 400), ("level=0", 400), ("count=1000", 400)] {
        assert_eq!(ask(query).status, status, "{query}");
    }
    // Where there is none, that is the answer, and its reason a remark.
    for (name, why) in [
        ("bag-classic-2x3", "in a game with draws"),
        ("classic-2x2", "classic-2x2 has no position"),
    ] {
        let none = get(&format!("/api/v1/puzzle?variant={name}"));
        assert_eq!((none.status, &*none.body), (200, ""), "{name}");
        let remark = none.header("greenwave-remark");
        assert!(
            remark.is_some_and(|remark| remark.contains(why)),
            "{none:?}"
        );
    }
}

#[test]
fn the_program_plays_at_every_level() {
    let play = |query: &str| get(&format!("/api/v1/play?variant=classic-3x3&{query}"));
    let first = play("");
    let ply = first.lines().remove(0);
    assert_eq!(
        (&ply["by"], &ply["move"], &ply["ply"]),
        (&"machine".into(), &"b2R".into(), &1.into())
    );
    assert_eq!(
        (&ply["value"], &ply["distance"]),
        (&"loss".into(), &16.into())
    );
    for level in ["perfect", "strong", "medium", "easy"] {
        let one = play(&format!("level={level}&seed=7&moves=b2R"));
        assert_eq!(one.status, 200, "{}", one.body);
        assert_eq!(
            one.body,
            play(&format!("level={level}&seed=7&moves=b2R")).body
        );
    }
    // A win in one ply, with the result after it.
    let last = play("moves=b2R,a2R").lines();
    assert_eq!(
        (&last[0]["move"], &last[1]["result"]),
        (&"c2R".into(), &"first".into())
    );
    let over = play("moves=b2R,a2R,c2R").lines();
    assert_eq!((over.len(), &over[0]["result"]), (1, &"first".into()));
    assert_eq!(play("level=best").status, 400);
    let luck = get("/api/v1/play?variant=bag-classic-2x3&seed=3");
    assert_eq!(luck.status, 200, "{}", luck.body);
}

#[test]
fn answers_from_tables_are_confirmed_by_their_tag() {
    let host = with_tables();
    for path in [
        "query?variant=classic-3x3",
        "line?variant=classic-3x3",
        "stats?variant=classic-3x3",
        "review?variant=classic-3x3&moves=b2R",
        "book?variant=classic-3x3&depth=2&for=first",
        "puzzle?variant=classic-3x3",
        "find?variant=classic-3x3&expression=distance=20",
        "compare?variants=classic-3x3+signal-3x3",
        "sum?boards=classic-3x3+classic-3x3=R../.Y./..G",
        "play?variant=classic-3x3",
        "check?claim=classic-3x3+none:+value+=+draw",
        "draw.svg?variant=classic-3x3&values=1",
    ] {
        let path = format!("/api/v1/{path}");
        let answer = ask_at(host, "GET", &path, "");
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        let tag = answer.header("etag").unwrap_or_default().to_string();
        assert!(tag.starts_with("\"test-"), "{path}: {tag}");
        let again = ask_at(host, "GET", &path, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
    }
    // A computed answer has none.
    assert_eq!(get(QUERY).header("etag"), None);
}

#[test]
fn tables_can_be_had_whole_and_in_parts() {
    let host = with_tables();
    // Where their folder lies is nobody's business.
    let answer = ask_at(host, "GET", QUERY, "").json();
    let file = std::path::Path::new("classic-3x3").join("distance.gwt");
    assert_eq!(answer["source"]["file"], file.to_str().unwrap());
    let path = "/tables/classic-3x3/value.gwt";
    let whole = ask_at(host, "GET", path, "");
    assert_eq!(whole.status, 200);
    assert_eq!(whole.header("accept-ranges"), Some("bytes"));
    let length: u64 = whole.header("content-length").unwrap().parse().unwrap();
    let part = ask_at(host, "GET", path, "Range: bytes=4-11\r\n");
    assert_eq!(part.status, 206);
    let head = ask_at(host, "HEAD", path, "Range: bytes=4-11\r\n");
    assert_eq!(head.status, 200);
    assert_eq!(part.header("content-length"), Some("8"));
    assert_eq!(
        part.header("content-range"),
        Some(&*format!("bytes 4-11/{length}"))
    );
    assert_eq!(
        ask_at(host, "GET", path, "Range: bytes=99999999-\r\n").status,
        416
    );
    let tag = whole.header("etag").unwrap();
    let kept = ask_at(host, "GET", path, &format!("If-None-Match: {tag}\r\n"));
    assert_eq!(kept.status, 304);
    let stale = ask_at(
        host,
        "GET",
        path,
        "Range: bytes=0-3\r\nIf-Range: \"other\"\r\n",
    );
    assert_eq!(stale.status, 200);
    let head = ask_at(host, "HEAD", path, "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    for path in [
        "/tables/classic-3x3/nothing.gwt",
        "/tables/..x/value.gwt",
        "/tables/classic-3x3",
        "/tables/a/b/value.gwt",
    ] {
        assert_eq!(ask_at(host, "GET", path, "").status, 404, "{path}");
    }
    for path in [
        "/tables/../Cargo.toml",
        "/tables/..%2f/value.gwt",
        "/tables/classic-3x3/../../Cargo.toml",
    ] {
        assert_eq!(ask_at(host, "GET", path, "").status, 308, "{path}");
        assert_eq!(get_from_tables(path).status, 404, "{path}");
    }
}

/// A download that is resumed after the table has changed would be a mixture of two.
#[test]
fn preconditions_hold_for_answers_tables_and_assets() {
    let host = with_tables();
    for path in [
        "/api/v1/query?variant=classic-3x3",
        "/tables/classic-3x3/value.gwt",
        "/assets/style.css",
        "/sw.js",
        "/manifest.webmanifest",
        "/icon-192.png",
    ] {
        let ask = |method, headers: &str| ask_at(host, method, path, headers);
        let whole = ask("GET", "");
        let tag = whole.header("etag").unwrap();
        for (headers, status) in [
            (format!("If-Match: {tag}\r\n"), 200),
            ("If-Match: *\r\n".into(), 200),
            (format!("If-Match: \"x\"\r\nIf-Match: {tag}\r\n"), 200),
            ("If-Match: \"x\"\r\n".into(), 412),
            (format!("If-Match: W/{tag}\r\n"), 412),
            (format!("If-None-Match: W/{tag}\r\n"), 304),
            ("If-None-Match: *\r\n".into(), 304),
            ("If-None-Match: \"x\"\r\n".into(), 200),
        ] {
            for method in ["GET", "HEAD"] {
                let answer = ask(method, &headers);
                assert_eq!(answer.status, status, "{method} {path} {headers}");
                if status == 304 {
                    assert_eq!(answer.header("content-length"), None, "{method} {path}");
                    assert_eq!(answer.header("etag"), Some(tag), "{method} {path}");
                }
            }
        }
        let head = ask("HEAD", "");
        assert_eq!(
            head.header("content-length"),
            whole.header("content-length")
        );
    }
    let table = "/tables/classic-3x3/value.gwt";
    let ask = |headers: &str| ask_at(host, "GET", table, headers);
    let changed = ask("").header("last-modified").unwrap().to_string();
    let long_ago = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (headers, status) in [
        (format!("If-Modified-Since: {changed}\r\n"), 304),
        (format!("If-Modified-Since: {long_ago}\r\n"), 200),
        (format!("If-Unmodified-Since: {changed}\r\n"), 200),
        (format!("If-Unmodified-Since: {long_ago}\r\n"), 412),
        (
            format!("Range: bytes=4-\r\nIf-Unmodified-Since: {long_ago}\r\n"),
            412,
        ),
        ("Range: bytes=4-\r\nIf-Match: \"x\"\r\n".into(), 412),
        ("Range: bytes=4-\r\nIf-Match: *\r\n".into(), 206),
    ] {
        assert_eq!(ask(&headers).status, status, "{headers}");
    }
    // An answer without a tag never has the tag that a client names.
    for path in ["/robots.txt", "/classic-2x2"] {
        let answer = ask_at(host, "HEAD", path, "If-Match: \"x\"\r\n");
        assert_eq!(answer.status, 412, "{path}");
    }
    // A missing page has no preconditions.
    let missing = "/tables/classic-3x3/nothing.gwt";
    let answer = ask_at(host, "GET", missing, "If-None-Match: *\r\n");
    assert_eq!(answer.status, 404);
}

#[test]
fn a_game_that_takes_longer_is_solved_once_and_then_at_hand() {
    let host = start(2, Duration::from_millis(400));
    let path = "/api/v1/query?variant=slider:score=win";
    let patience = Instant::now() + PATIENCE;
    let (mut searched, mut pended) = (false, false);
    loop {
        let answer = ask_at(host, "GET", path, "");
        if answer.status == 202 {
            let pending = &answer.json()["pending"];
            let share = pending["share"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&share), "{pending}");
            assert!(pending["seconds"].as_u64().unwrap() >= 1, "{pending}");
            assert!(answer.header("retry-after").is_some());
            // The value of the start is known before that of its moves.
            assert_eq!(answer.json()["source"]["kind"], "published");
            pended = true;
        }
        if answer.status == 200 && answer.json()["source"]["kind"] == "solved" {
            assert!(pended, "solved at once");
            assert_eq!(answer.json()["pending"], serde_json::Value::Null);
            assert_eq!(answer.json()["value"], "win");
            let page = ask_at(host, "GET", "/slider:score=win", "");
            assert_eq!(page.status, 200);
            assert!(page.body.contains(" if both play best</h1>"));
            return;
        }
        let told = ask_at(host, "GET", "/api/v1/line?variant=slider:score=win", "");
        if told.status == 202 {
            searched = true;
            expect_pending(&told);
        }
        assert!(Instant::now() < patience, "{searched}: {}", answer.body);
        std::thread::sleep(Duration::from_millis(300));
    }
}

/// A position of a board that nobody solves in a minute, and which a sweep settles in some seconds.
const SWEPT: &str = "classic-5x5?position=R..Y./...../...../G...G/YRG.R";

#[test]
fn a_position_is_swept_behind_the_questions_about_it() {
    let host = start(2, Duration::from_millis(100));
    let (name, position) = SWEPT.split_once('?').unwrap();
    let path = format!("/api/v1/query?variant={name}&{position}");
    let first = ask_at(host, "GET", &path, "");
    assert_eq!(first.status, 202, "{}", first.body);
    expect_pending(&first);
    // A page renews itself until it is done, and who plays is given no opinion where a proof is on its way.
    let renews = |page: &Answer| page.status == 200 && page.body.contains("data-again");
    let page = ask_until(host, &format!("/{SWEPT}&stage=2"), |page| {
        page.status == 200
    });
    assert!(renews(&page) || page.body.contains("35"), "{}", page.body);
    let playing = format!("/{SWEPT}&play=second&hints=0");
    let proven = |page: &Answer| {
        let to = page.header("location").unwrap_or("opinion");
        page.status == 303 && !to.contains("opinion")
    };
    // On a busy machine the work may begin later than the question is answered.
    ask_until(host, &playing, |page| renews(page) || proven(page));
    let settled = ask_until(host, &path, |answer| answer.status == 200);
    assert_eq!(settled.json()["source"]["kind"], "swept");
    assert_eq!(settled.json()["value"], "win");
    assert!(ask_until(host, &playing, proven).status == 303);
}

#[test]
fn boards_of_more_squares_are_told_their_theorem() {
    for (name, said) in [
        ("classic-3x11", "'both sides odd' the first player wins"),
        ("classic-2x17", "'two ranks' the second player wins"),
    ] {
        let answer = get(&format!("/api/v1/query?variant={name}"));
        assert_eq!(answer.status, 400);
        let error = answer.json()["error"].to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// Texts can be read back over HTTP, too: for the whole catalogue, in both orders of the lights,
/// without a solve where that takes long.
#[test]
fn what_is_written_is_read() {
    let settings = greenwave_tablebase::Settings {
        memory: Some(64 << 20),
        threads: Some(2),
    };
    let tablebase = greenwave_tablebase::Tablebase::with_settings(PUBLISHED, &settings).unwrap();
    let host = start_with(tablebase, |_| {});
    let list = ask_at(host, "GET", "/api/v1/variants", "").documents();
    let mut texts = 0;
    for entry in list.as_array().unwrap() {
        let name = entry["variant"].as_str().unwrap();
        let orders = match entry["lights"].as_str() {
            Some(_) => vec!["&lights=ryg", "&lights=gyr"],
            None => vec![""],
        };
        for order in orders {
            let query = |more: &str| {
                let path = format!("/api/v1/query?variant={name}{order}&budget=1{more}");
                let answer = ask_at(host, "GET", &path, "");
                assert!([200, 202].contains(&answer.status), "{path}: {answer:?}");
                let document = answer.json();
                let lights = document["lights"]
                    .as_str()
                    .map(|name| format!("&lights={name}"));
                assert_eq!(lights.unwrap_or_default(), order, "{path}");
                assert_eq!(document["variant"], name, "{path}");
                document
            };
            let start = query("");
            for mv in start["moves"].as_array().unwrap().iter().take(2) {
                let Some(to) = mv["to"].as_str() else {
                    continue;
                };
                let to = to.replace('%', "%25").replace('+', "%2B").replace(' ', "+");
                let read = query(&format!("&position={}", to.replace(';', "%3B")));
                assert_eq!(read["position"], mv["to"], "{name}{order}");
                let text = mv["move"].as_str().unwrap().replace('+', "%2B");
                let played = query(&format!("&moves={text}"));
                assert_eq!(played["position"], mv["to"], "{name}{order}");
                assert_eq!(played["value"], read["value"], "{name}{order}");
                texts += 1;
            }
        }
    }
    assert!(texts > 100, "{texts} texts");
}

/// Claims of one line are read as the command reads them.
#[test]
fn check_reads_claims_however_blanks_stand() {
    for claim in [
        "classic-1x3 none: value = draw",
        "classic-1x3 none:value=draw",
        "classic-1x3+none:value=draw",
        "classic-1x3:supply=cap4 all:value!=draw or value=draw",
    ] {
        let path = format!("/api/v1/check?claim={}", claim.replace(' ', "%20"));
        let answer = get(&path);
        assert_eq!(answer.status, 200, "{claim}: {}", answer.body);
        assert_eq!(answer.json()["verdict"], "true", "{claim}");
    }
}
