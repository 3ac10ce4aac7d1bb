//! Claims, counts, sums, and positions that are found.

use std::time::Duration;

use crate::common::{ask_at, get, start, with_tables};

#[test]
fn claims_are_translated_and_keep_their_english_words() {
    let said = "Las afirmaciones est\u{e1}n traducidas";
    assert!(get("/claims?lang=es").body.contains(said));
    assert!(!get("/claims").body.contains("are translated"));
    let found = get("/claims?lang=pt&find=jogo+do+galo").body;
    assert_eq!(
        found.matches("<li><span class=\"number\">").count(),
        1,
        "{found}"
    );
    let german = get("/claims/7?lang=de").body;
    assert!(
        german.contains("<h1>Eine Analyse mit dem Computer"),
        "{german}"
    );
    assert!(
        german.contains("<p>Englischer Wortlaut:</p><blockquote lang=\"en\">Computer analysis"),
        "{german}"
    );
    assert!(german.contains("Geschichte und Geschmack"), "{german}");
    // Of a source the titles stay, and what is said about them does not.
    for path in ["/claims?lang=de", "/claims/6?lang=de"] {
        let page = get(path).body;
        let source =
            "<small>Losada, Sem\u{e1}foros (Traffic Lights), ohne Beschr\u{e4}nkung auf 3\u{d7}3";
        assert!(page.contains(source), "{path}: {page}");
    }
    let titles = "<small lang=\"en\">Luna-Mota, Traffic Lights player</small>";
    assert!(get("/claims?lang=de").body.contains(titles));
    assert!(!get("/claims/7").body.contains("<blockquote"));
    // The name of the game stands in the title, also above a claim that is written as a formula.
    let game = "Ampelspiel 3\u{d7}3";
    for (path, titles) in [
        (
            "/claims/5?lang=pt",
            [
                "<title>Sem\u{e1}foro cl\u{e1}ssico 3\u{d7}4: o segundo jogador tem uma estrat\u{e9}gia vencedora \u{2013} ",
                "<h1>Sem\u{e1}foro cl\u{e1}ssico 3\u{d7}4: ",
            ],
        ),
        (
            "/claims/own?claim=classic-3x3+none:+value+%3D+draw&lang=de",
            [
                &format!("<title>{game} \u{2013} "),
                &format!("<h1>{game}</h1><p class=\"verdict\">"),
            ],
        ),
    ] {
        let page = get(path).body;
        for title in titles {
            assert!(page.contains(title), "{title}: {page}");
        }
    }
    // What is true in a sense says in which.
    for (language, reading) in [
        ("en", "Read as: the centre is the one best opening"),
        ("de", "Verstanden als: die Mitte ist die eine beste"),
    ] {
        let page = get(&format!("/claims/4?lang={language}")).body;
        assert!(page.contains(&format!(">{reading}")), "{page}");
    }
    // The letters on the board of an example are those of the English words.
    let example = get("/claims/2?lang=de").body;
    assert!(example.contains("R rot, Y gelb, G gr\u{fc}n"), "{example}");
}

#[test]
fn claims_are_made_of_choices() {
    let claims = get("/claims").body;
    // The list comes at once: the form above it is folded.
    assert!(
        claims.contains("<details class=\"part own-claim\"><summary>"),
        "{claims}"
    );
    for name in ["winner", "first-move", "best-play", "longest"] {
        assert!(
            claims.contains(&format!("name=\"says\" value=\"{name}\"")),
            "{name}"
        );
    }
    for (query, verdict, sentence) in [
        (
            "says=winner&game=classic-3x3&result=win",
            "This claim is true",
            "Traffic Lights 3×3, the first player wins.",
        ),
        (
            "says=first-move&game=classic-3x3&square=B2&result=loss",
            "This claim is false",
            "a first move on b2 loses.",
        ),
        (
            "says=best-play&game=classic-3x3&bound=at-least&plies=17",
            "This claim is true",
            "takes at least 17 plies.",
        ),
        (
            "says=longest&game=classic-3x3&bound=exactly&plies=23&lights=gyr",
            "This claim is false",
            "takes exactly 23 plies.",
        ),
        (
            "says=longest&game=classic-3x3&bound=at-least&plies=24",
            "This claim is true",
            "the longest game has 24 plies",
        ),
        (
            "says=best-play&game=classic-3x3&bound=at-most&plies=16",
            "This claim is false",
            "at the start: First player wins in 17 plies if both play best",
        ),
    ] {
        let page = get(&format!("/claims/own?{query}")).body;
        assert!(page.contains(verdict) && page.contains(sentence), "{page}");
        assert!(page.contains("[[claim.test]]"), "{page}");
    }
    // Before there is a claim there is its form, and sizes are written as people write them.
    let form = get("/claims/own");
    assert!(
        form.status == 200
            && form
                .body
                .contains("<details class=\"part own-claim\" open>"),
        "{}",
        form.body
    );
    let sized = get("/claims/1").body;
    assert!(
        sized.contains("Traffic Lights 3\u{d7}3: the") && !sized.contains(" 3x3"),
        "{sized}"
    );
    let german = get("/claims/own?says=winner&game=classic-3x3&lang=de").body;
    assert!(german.contains("<h1>Im Spiel "), "{german}");
    // The form is there again, with what was filled in.
    let wrong = get("/claims/own?says=first-move&square=z9");
    assert_eq!(wrong.status, 400);
    assert!(
        wrong
            .body
            .contains("name=\"square\" size=\"3\" required maxlength=\"3\" value=\"z9\"")
    );
    assert!(
        get("/claims/own?claim=nonsense")
            .body
            .contains("value=\"nonsense\"")
    );
    assert!(get("/claims/99").body.contains("<li><a href=\"/claims\">"));
    assert!(
        wrong.body.contains("expected a square of the board"),
        "{}",
        wrong.body
    );
}

#[test]
fn evidence_of_claims_is_in_the_language_of_the_page() {
    let german = get("/claims/1?lang=de").body;
    let said = ", am Anfang: Der erste Spieler gewinnt in 17 Halbz\u{fc}gen bei bestem Spiel";
    assert!(
        german.contains(said) && german.contains("<span>am Anfang</span>"),
        "{german}"
    );
    let played = get("/claims/36?lang=de").body;
    assert!(
        played.contains("nach a1R a1Y b1R entsteht .../.../YR."),
        "{played}"
    );
}

#[test]
fn a_claim_that_cannot_be_checked_needs_no_job() {
    let busy = start(0, Duration::from_secs(5));
    for path in ["/claims/27", "/api/v1/check?claim=29"] {
        let page = ask_at(busy, "GET", path, "");
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert!(
            page.body.contains("not checkable") || page.body.contains("No program can check"),
            "{path}: {}",
            page.body
        );
    }
}

#[test]
fn variants_claims_sums_and_tables_have_pages() {
    let compared = get("/compare?a=classic-3x3&b=signal-3x3").body;
    assert!(compared.contains("class=\"compared\"") && compared.contains("/signal-3x3\""));
    assert!(compared.contains("<select name=\"a\">") && compared.contains("class=\"differs\""));
    assert_eq!(compared.matches("<figure>").count(), 2);
    // Each board says who wins, and a sentence in what the games differ.
    assert_eq!(
        compared
            .matches("<br>First player wins in 17 plies")
            .count(),
        2,
        "{compared}"
    );
    assert!(compared.contains("The same player wins both games, and they take equally long."));
    let longer = get("/compare?a=classic-3x3&b=green-3x3").body;
    assert!(
        longer.contains("Greens only 3\u{d7}3 takes 4 plies longer."),
        "{longer}"
    );
    assert!(compared.contains("R red, Y yellow, G green"));
    // What differs stands first, and games of a kind together.
    let (_, table) = longer.split_once("<table class=\"compared\">").unwrap();
    let (table, _) = table.split_once("</table>").unwrap();
    let rows = table.split("<tr").skip(2);
    let same: Vec<bool> = rows
        .map(|row| !row.starts_with(" class=\"differs\""))
        .collect();
    assert!(same.is_sorted() && same.contains(&false), "{table}");
    assert!(
        longer.contains("<optgroup label=\"Signal\"><option value=\"signal-3x3\">"),
        "{longer}"
    );
    // What was asked for comes before the form that asks for more.
    let (results, _) = compared.split_once("<form class=\"filter\"").unwrap();
    assert!(results.contains("class=\"compared\""), "{compared}");
    // The differences stand on both boards.
    let tags: Vec<usize> = compared
        .split("<figure>")
        .skip(1)
        .filter_map(|one| one.split("</figure>").next())
        .map(|one| one.matches("on-").count())
        .collect();
    assert!(
        tags.len() == 2 && tags[0] > 0 && tags[0] == tags[1],
        "{tags:?}"
    );
    // How games are named is told beside the fields, and there are comparisons that need no typing.
    let begin = get("/compare?lang=de");
    assert_eq!(begin.status, 200);
    let (_, naming) = begin.body.split_once("id=\"naming\"").expect(&begin.body);
    assert!(naming.contains("classic-3x3:play=misere.</p>"), "{naming}");
    assert_eq!(
        naming
            .matches("href=\"/compare?a=classic-3x3&amp;b=")
            .count(),
        3
    );
    assert!(
        naming.contains(">Ampelspiel 3\u{d7}3 und Signal 3\u{d7}3</a>"),
        "{naming}"
    );
    assert_eq!(get("/compare?a=nothing&b=classic-2x3").status, 404);
    // A game that is named alone is set beside itself in misère play, and a misère one beside normal play.
    for (named, beside) in [
        ("signal-3x4", "signal-3x4:play=misere"),
        ("classic-3x3:play=misere", "classic-3x3"),
        ("strip:repeat=ban", "classic-3x3"),
    ] {
        let form = get(&format!("/compare?a={named}")).body;
        let filled =
            |name: &str, value: &str| form.contains(&format!("name=\"{name}\" value=\"{value}\""));
        assert!(filled("a", named) && filled("b", beside), "{named}: {form}");
    }
    // Pages and programs are asked in the same ways.
    let names = [
        "a=classic-3x3&b=signal-3x3",
        "variants=classic-3x3+signal-3x3",
    ];
    assert_eq!(get(&format!("/compare?{}", names[1])).body, compared);
    let [fields, list] = names.map(|names| get(&format!("/api/v1/compare?{names}")).json());
    assert_eq!(fields, list);
    let three = get("/compare?variants=classic-2x3+signal-2x3+green-2x3").body;
    assert_eq!(three.matches("<th scope=\"col\">").count(), 3, "{three}");
    let claims = get("/claims");
    assert!(claims.body.contains("/claims/"), "{}", claims.body);
    // Those that nobody can check stand last.
    let listed = claims.body.split("<li><span class=\"number\">").skip(1);
    let last: Vec<bool> = listed.map(|one| one.contains("> Not checkable<")).collect();
    assert!(last.is_sorted() && last.contains(&true), "{last:?}");
    // They are found by words, authors and games, and by verdict.
    let found = get("/claims?find=lOSADa&verdict=false").body;
    assert_eq!(
        found.matches("<li><span class=\"number\">").count(),
        1,
        "{found}"
    );
    assert!(found.contains("The first player can always win"), "{found}");
    assert!(
        get("/claims?find=nothing+like+it")
            .body
            .contains("No claim is like that")
    );
    // From a claim one goes on to the next and back.
    let second = get("/claims/2?lang=es").body;
    assert!(second.contains("href=\"/claims/1?lang=es\">\u{2039} Afirmaci\u{f3}n 1</a>"));
    assert!(
        second.contains(">Afirmaci\u{f3}n 3 \u{203a}</a>"),
        "{second}"
    );
    assert!(!get("/claims/1").body.contains("rel=\"prev\""));
    assert_eq!(get("/claims/no-such").status, 404);
    let own = get("/claims/own?claim=classic-2x3+none:+value+=+draw");
    assert!(
        own.status == 200
            && own
                .body
                .contains("<h1>Traffic Lights 2×3</h1><p class=\"verdict\">"),
        "{}",
        own.body
    );
    assert!(
        own.body.contains("<pre><code>classic-2x3 none: ")
            && own
                .body
                .contains("value=\"classic-2x3 none: value = draw\""),
        "{}",
        own.body
    );
    assert_eq!(get("/claims/own?claim=nonsense").status, 400);
    let sum = get("/sum?boards=classic-2x3+classic-2x3=R../...").body;
    assert!(
        sum.contains("Nimber") && sum.contains("/sum?boards="),
        "{sum}"
    );
    assert_eq!(get("/sum?boards=slider").status, 400);
    assert!(get("/tables").body.contains("There is no table here"));
    let offered = ask_at(with_tables(), "GET", "/tables", "").body;
    assert!(
        offered.contains("/tables/classic-3x3/value.gwt") && offered.contains("<td>who wins</td>")
    );
    assert!(
        offered.contains("href=\"/classic-3x3:play=misere\""),
        "{offered}"
    );
}

#[test]
fn a_sum_says_what_its_signs_and_its_nimbers_mean() {
    let sum = get("/sum?boards=classic-2x3+classic-2x3").body;
    assert!(sum.contains("wins, \u{2715} loses.") && sum.contains("A number for adding boards"));
}

#[test]
fn a_claim_is_settled_with_a_position_to_look_at() {
    let listed = get("/api/v1/check?list=1").lines();
    let quick = listed
        .iter()
        .find(|claim| claim["checkable"] == true && claim["text"].as_str().unwrap().contains("3"));
    let id = quick.unwrap()["claim"].to_string();
    let page = get(&format!("/claims/{}", id.trim_matches('"')));
    assert_eq!(page.status, 200, "{}", page.body);
}

#[test]
fn positions_are_counted() {
    let page = get("/classic-3x3/stats");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("262,144"), "{}", page.body);
    assert!(page.body.contains("class=\"bar\""));
    assert!(
        page.body
            .contains(">To the start of Traffic Lights 3\u{d7}3</a>")
    );
    // The longest position is a board that leads to it.
    let (_, longest) = page
        .body
        .split_once("Farthest from the end, 20 plies")
        .expect("a board");
    let (longest, _) = longest.split_once("</figure>").unwrap();
    assert!(
        longest.contains("position=.../.../R..") && longest.contains("<svg"),
        "{longest}"
    );
    let even = get("/classic-3x3/stats?scale=even").body;
    let widths = |page: &str| page.matches(" width=\"0.").count();
    assert!(
        widths(&page.body) < widths(&even),
        "no bar is too short to be seen"
    );
    assert_eq!(get("/classic-3x3/stats?scale=odd").status, 400);
    assert!(
        page.body
            .contains("How many positions there are of each nimber")
    );
    // What is published stands beside what there is no memory for.
    let large = get("/classic-4x5/stats").body;
    assert!(
        large.contains("275,963,859,640") && large.contains("These counts are published."),
        "{large}"
    );
    assert!(!large.contains("Counting all positions"), "{large}");
}

#[test]
fn positions_are_found_by_a_description() {
    let path = "/classic-2x3/find?where=value+%3D+loss+and+moves+%3C+6&limit=12";
    let page = get(path).body;
    assert!(
        page.contains("Positions that fit, mirrored and turned ones counted once: "),
        "{page}"
    );
    let found: Vec<&str> = page.split("class=\"tree-row\"").skip(1).collect();
    assert!((1..=12).contains(&found.len()), "{page}");
    for one in &found {
        assert!(one.contains("href=\"/classic-2x3?position="), "{one}");
        assert!(
            one.contains("You lose in ") && one.contains("legal moves: "),
            "{one}"
        );
    }
    // The same description is what the API has.
    let described = "variant=classic-2x3&limit=12&expression=value+%3D+loss+and+moves+%3C+6";
    let answer = get(&format!("/api/v1/find?{described}&up-to-symmetry=1"));
    assert_eq!(answer.lines().len(), found.len() + 1);
    // Who has asked nothing yet sees the first question of a small game answered.
    let page = get("/classic-2x3/find?lang=de").body;
    assert!(page.contains("class=\"found\"") && page.contains("value=\"value = win\""));
    assert!(page.contains("<code>winning_moves</code>") && page.contains("Stellungen finden"));
    // What cannot be read is told in the language of the page, with what was meant and with the form.
    let wrong = get("/classic-2x3/find?where=valeu+%3D+win&lang=de");
    assert_eq!(wrong.status, 400);
    for said in ["meintest du „value“?", "value=\"valeu = win\""] {
        assert!(wrong.body.contains(said), "{said}: {}", wrong.body);
    }
    // Of a large board some positions are drawn; what needs their values is told plainly.
    let drawn = get("/classic-5x5/find?where=winning_at_once+%3D+0").body;
    assert!(drawn.contains("Drawn at random: "), "{drawn}");
    assert!(get("/classic-2x3/learn").body.contains("/classic-2x3/find"));
}
