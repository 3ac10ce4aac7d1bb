use crate::common::{ask, get};

const QUERY: &str = "/api/v1/query?variant=classic-3x3";

#[test]
fn a_query_is_the_document_of_the_command() {
    let answer = get(QUERY);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let document = answer.json();
    assert_eq!(document["schema"], 1);
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
    let strip = get("/api/v1/query?variant=strip&position=.../.R./...+..Y@E");
    let encoded = get("/api/v1/query?variant=strip&position=.../.R./...%2B..Y@E");
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
        assert_eq!(answer.json()["schema"], 1);
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
fn lines_rules_pictures_and_the_description() {
    let line = get("/api/v1/line?variant=classic-3x3").json();
    assert_eq!(line["plies"].as_array().unwrap().len(), 17);
    let rules = get("/api/v1/rules?variant=classic-3x3:play=misere").json();
    assert_eq!(rules["variant"], "classic-3x3:play=misere");
    let picture = get("/api/v1/draw.svg?variant=slider");
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert!(picture.body.starts_with("<svg ") && picture.body.contains("class=\"strip\""));
    let description = get("/api/v1/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    for path in description["paths"].as_object().unwrap().keys() {
        let query = match path.rsplit('/').next().unwrap() {
            "variants" => "",
            "sum" => "boards=classic-3x3+classic-3x3=R../.Y./..G",
            _ => "variant=classic-3x3",
        };
        assert_eq!(get(&format!("{path}?{query}")).status, 200, "{path}");
    }
    assert_eq!(get("/healthz").json()["ok"], true);
    let head = ask("HEAD", QUERY, "");
    assert!(head.status == 200 && head.body.is_empty());
}
