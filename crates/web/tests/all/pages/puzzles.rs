//! Puzzles and sheets of them.

use std::time::Duration;

use greenwave_words::Language;

use super::{addresses, verdict};
use crate::common::{
    PATIENCE, ask_at, ask_until, get, get_from_tables, get_in_network, server, start,
    start_with_strip,
};

#[test]
fn a_puzzle_tells_its_own_players_how_far_they_are() {
    let at = "/classic-3x3?position=..G/.R./Y..&hints=0&play=first&puzzle=1";
    let query = |moves: &str| {
        get(&format!(
            "/api/v1/query?variant=classic-3x3&position=..G/.R./Y..&moves={moves}"
        ))
        .json()
    };
    let plies = |answer: &serde_json::Value| answer["distance"].as_u64().unwrap();
    let start = query("");
    assert_eq!(
        verdict(&get(at).body),
        format!(
            "You are to move and win in {} of your moves \u{2605}\u{2606}\u{2606}\u{2606}\u{2606}",
            plies(&start).div_ceil(2)
        )
    );
    // Best play to the end: each headline counts from where it stands.
    let mut moves: Vec<String> = Vec::new();
    loop {
        let answer = query(&moves.join(","));
        let Some(best) = answer["best"].get(0).and_then(|best| best.as_str()) else {
            break;
        };
        moves.push(best.to_string());
        let ending = query(&moves.join(","));
        if moves.len().is_multiple_of(2) && ending["terminal"] != true {
            let page = get(&format!("{at}&moves={}", moves.join(","))).body;
            let left = match plies(&ending).div_ceil(2) {
                1 => "You are to move and win in one move".to_string(),
                own => format!("You are to move and win in {own} of your moves"),
            };
            assert!(verdict(&page).starts_with(&left), "{}", verdict(&page));
            let said = format!(
                "data-say=\"You played {}. The program played {}. You are to move",
                moves[moves.len() - 2],
                moves[moves.len() - 1]
            );
            assert!(page.contains(&said), "{page}");
        }
    }
    let solved = get(&format!("{at}&moves={}", moves.join(","))).body;
    assert_eq!(verdict(&solved), "Solved! You found every move.");
    assert!(solved.contains("data-puzzle=\"solved\"") && solved.contains("data-result"));
    for part in ["first player", "second player"] {
        assert!(!solved.contains(part), "{part}: {solved}");
    }
    let missed = get(&format!("{at}&moves=b1R")).body;
    assert_eq!(verdict(&missed), "b1R does not win");
    assert!(
        missed.contains("data-say=\"Not that one. After b1R, "),
        "{missed}"
    );
    // Beside the board stands why, and the way through the line that refutes it; the next try is counted.
    for part in ["<h2>Why b1R fails</h2>", "data-tool=\"line\"", "retries=1"] {
        assert!(missed.contains(part), "{part}: {missed}");
    }
    let again = get(&format!("{at}&moves={}&retries=1", moves.join(","))).body;
    assert_eq!(verdict(&again), "Solved on try 2.");
    // Others stand beside it: of each level, and of each of the last days.
    let page = get(at).body;
    assert_eq!(page.matches("/puzzle?level=").count(), 5, "{page}");
    assert_eq!(page.matches("/puzzle?day=").count(), 7, "{page}");
    // The first hint says more than the task, and is remembered.
    assert!(get(at).body.contains("hint=1") && !get(at).body.contains("hint=2"));
    assert!(
        get(&format!("{at}&hint=2"))
            .body
            .contains("data-puzzle=\"open\" data-hinted")
    );
}

/// The reply that refutes a move stands on the board in games of signs, too.
#[test]
fn a_reply_that_is_a_sign_is_drawn() {
    let missed = get("/noughts-3x3?position=OX./.../.X.&moves=a1&hints=0&play=first&puzzle=2").body;
    let (_, reply) = missed.split_once("ghost shown reply").expect(&missed);
    let (reply, _) = reply.split_once("</g>").unwrap();
    assert!(reply.contains(">X</text>"), "{reply}");
}

#[test]
fn the_address_and_not_the_lights_tell_who_is_first() {
    // Four lights stand there, and the reader begins.
    let won = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=first&puzzle=1").body;
    assert_eq!(verdict(&won), "Solved! You found every move.");
    let won = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=first").body;
    assert_eq!(verdict(&won), "You won in one move");
    let lost = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=second").body;
    assert_eq!(verdict(&lost), "You lost after 1 ply");
    let both = get("/classic-3x3?position=RRG/RG./YRR&moves=a1G&hints=0&play=both").body;
    assert_eq!(verdict(&both), "The game is over: the first player has won");
    // Where nobody plays the lights are all there is.
    let plain = get("/classic-3x3?position=R../.../...&moves=b2R").body;
    assert!(plain.contains("First player to move"), "{plain}");
}

#[test]
fn puzzles_are_set_solved_and_missed() {
    let set = get("/classic-3x3/puzzle?level=1&seed=3");
    assert_eq!(set.status, 303, "{}", set.body);
    let to = set.header("location").unwrap().to_string();
    assert!(
        to.contains("play=first") && to.contains("puzzle=1") && to.contains("hints=0"),
        "{to}"
    );
    let page = get(&to).body;
    assert!(page.contains("Only one move works") && !page.contains("class=\"tag "));
    assert!(
        page.contains("You are to move and win in ") && page.contains("\u{2605}\u{2606}\u{2606}")
    );
    let puzzle = get("/api/v1/puzzle?variant=classic-3x3&level=1&seed=3")
        .lines()
        .remove(0);
    let solution = puzzle["solution"][0].as_str().unwrap().to_string();
    let moves = get(&format!(
        "/api/v1/query?variant=classic-3x3&position={}",
        puzzle["position"].as_str().unwrap()
    ))
    .json();
    let wrong = moves["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|mv| mv["move"] != *solution);
    let wrong = wrong.unwrap()["move"].as_str().unwrap().to_string();
    let missed = get(&format!("{to}&moves={wrong}"));
    assert_eq!(missed.status, 200);
    assert!(missed.body.contains("Not that one") && missed.body.contains("Try again"));
    // The page does not name the solution, and the puzzle begins again at its position.
    let told = missed.body.contains("class=\"mistake\"");
    assert!(!told, "{}", missed.body);
    let anew = missed.body.split("data-tool=\"start\"").nth(1);
    let anew = anew.and_then(|rest| rest.split('>').next()).unwrap();
    assert!(anew.contains("position="), "{anew}");
    assert!(
        missed.body.contains(&format!(" {wrong}"))
            && missed.body.contains("data-puzzle=\"missed\"")
            && !missed.body.contains("data-move="),
        "the reason names the move: {}",
        missed.body
    );
    // The reply that refutes it is a lamp with an arrow at its corner.
    assert!(
        missed.body.contains("ghost shown reply") && !missed.body.contains("class=\"arrow\""),
        "{}",
        missed.body
    );
    // The solution stays in the puzzle: its task, its line and the ways on.
    let shown = missed.body.split("data-tool=\"solution\"").nth(1).unwrap();
    let shown = shown.split("href=\"").nth(1).unwrap();
    let shown = get(&shown.split('"').next().unwrap().replace("&amp;", "&"));
    assert_eq!(shown.status, 303, "{}", shown.body);
    let shown = get(shown.header("location").unwrap());
    assert_eq!(shown.status, 200, "{}", shown.body);
    for part in [
        "id=\"verdict\">The solution<",
        "class=\"summary\">You are to move and win in ",
        "class=\"line\"",
        "data-tool=\"next\"",
        "data-step=\"forward\"",
        // The script presses "Try again" after a miss alone.
        "data-puzzle=\"shown\"",
        "Open in Explore",
        "aria-current=\"page\">Play</a>",
    ] {
        assert!(shown.body.contains(part), "{part}: {}", shown.body);
    }
    let right = get(&format!("{to}&moves={solution}"));
    match puzzle["distance"].as_u64() {
        Some(1) => assert!(
            right.body.contains("Solved! You found every move.")
                && right.body.contains("Next puzzle")
        ),
        _ => assert_eq!(right.status, 303),
    }
    let of_today = get("/puzzle");
    assert_eq!(of_today.status, 303, "{}", of_today.body);
    let to = of_today.header("location").unwrap();
    let (_, day) = to.split_once("day=").unwrap();
    assert!(
        get(to)
            .body
            .contains(&format!("Puzzle of {}", Language::English.date(&day[..10]))),
        "{to}"
    );
    assert_eq!(get(&to.replace(&day[..10], "tomorrow")).status, 400);
    // Who asks for any gets one of several, whose themes take turns.
    let drawn = get("/classic-3x3/puzzle?level=3");
    let drawn = drawn.header("location").unwrap();
    assert!(
        drawn.contains("seed=") && drawn.contains("mixed=1"),
        "{drawn}"
    );
    assert_eq!(get(drawn).status, 303);
    // A level that has none leads to the nearest one that has.
    for any in ["&mixed=1", ""] {
        let near = get(&format!("/noughts-3x3/puzzle?level=5&seed=1{any}"));
        assert_eq!(near.status, 303, "{}", near.body);
    }
    // Each day has its own, of a level that no pupil despairs of.
    let of_day = |day: &str| get(&format!("/puzzle?day={day}"));
    let days = ["2026-11-30", "2026-12-01", "2026-12-02", "2026-12-04"];
    let set = days.map(|day| of_day(day).header("location").unwrap().to_string());
    for (to, day) in set.iter().zip(days) {
        assert!(to.ends_with(&format!("day={day}")), "{to}");
        assert!(to.contains("puzzle=2") || to.contains("puzzle=3"), "{to}");
        assert_eq!(of_day(day).header("location"), Some(to.as_str()));
    }
    assert!(set[0] != set[1] && set[1] != set[2], "{set:?}");
    let easy = of_day("2026-12-01&level=1");
    assert!(easy.header("location").unwrap().contains("puzzle=1"));
    assert_eq!(of_day("2026-12-01&level=9").status, 400);
    assert_eq!(get("/classic-3x3/puzzle?level=9").status, 400);
    let never = of_day("2026-11-31");
    assert_eq!(never.status, 400);
    assert!(
        never.body.contains("expected a day such as"),
        "{}",
        never.body
    );
    assert_eq!(get("/bag-classic-2x3/puzzle").status, 404);
}

#[test]
fn sheets_have_their_solutions_on_a_page_of_their_own() {
    let sheet = get("/classic-3x3/sheet?count=6&seed=3&lang=de").body;
    assert_eq!(sheet.matches("<figure>").count(), 6);
    assert!(sheet.contains("class=\"solutions\""));
    // What all of them ask for is said once.
    assert_eq!(sheet.matches("Gewinn in").count(), 1, "{sheet}");
    // A fold hides them on the screen alone.
    assert!(
        sheet.contains("</details><section class=\"solutions\">")
            && !sheet.contains("<details open")
    );
    assert_eq!(get("/classic-3x3/sheet?count=900").status, 400);
    assert!(sheet.contains(">US Letter</a>"), "{sheet}");
    let letter = get("/classic-3x3/sheet?count=6&seed=2&paper=letter&level=1").body;
    assert!(letter.contains("class=\"sheet letter\"") && letter.contains("class=\"pupil\""));
    assert!(letter.contains("class=\"answer-box\""));
    let all = "href=\"/learn?lang=de\">Alle Lektionen";
    assert!(sheet.contains(all), "{sheet}");
    assert!(letter.contains("aria-current=\"true\">Level 1"), "{letter}");
    let order = letter.split("class=\"order-of-lights\">").nth(1).unwrap();
    let places = ["R red", "Y yellow", "G green"].map(|light| order.find(light).unwrap());
    assert!(places.is_sorted(), "{order}");
    // They are of one level, said once above and once with the solutions, and the code says what it opens.
    for (level, of) in [("", 1), ("&level=2", 2)] {
        let path = format!("/classic-3x3/sheet?count=12&seed=2{level}");
        let many = get_in_network(&path).body;
        let levels = many.split("class=\"unseen\">Level ").skip(1);
        let levels: Vec<&str> = levels.map(|rest| &rest[..1]).collect();
        assert_eq!(levels, vec![of.to_string(); 2]);
        assert!(
            many.contains("<figcaption>Scan to open this sheet"),
            "{many}"
        );
    }
    assert_eq!(get("/classic-3x3/sheet?paper=a0").status, 400);
}

/// Of an address that a phone cannot reach there is no code, but how it is reached.
#[test]
fn codes_are_of_addresses_that_phones_reach() {
    let command = "<code>greenwave serve --host 0.0.0.0 --port ";
    for path in [
        "/classic-3x3/sheet?count=6&seed=2",
        "/classic-3x3?view=board",
    ] {
        let alone = get(path).body;
        let main = &alone[..alone.find("id=\"share\"").unwrap_or(alone.len())];
        assert!(
            main.contains(command) && !main.contains("class=\"qr\""),
            "{path}: {main}"
        );
        let reached = get_in_network(path).body;
        assert!(!reached.contains(command), "{path}");
        assert!(
            reached.contains("/qr.svg?text=http://192.168.1.7"),
            "{path}: {reached}"
        );
    }
}

/// A server without a free job lets pages wait: they load again by themselves.
#[test]
fn a_page_of_a_busy_server_waits() {
    let busy = start(0, Duration::from_secs(5));
    let page = ask_at(busy, "GET", "/classic-2x4/sheet", "");
    assert_eq!(page.status, 503);
    assert!(page.body.contains("data-again="), "{}", page.body);
    assert!(page.body.contains("Being solved: a few seconds more"));
    assert!(!page.body.contains("jobs"), "{}", page.body);
}

/// The levels that are offered are the same before and after others were asked for.
#[test]
fn a_level_without_puzzles_leads_to_the_nearest_with_some() {
    let offered = || {
        let page = get("/noughts-3x3/learn");
        let mut offered = addresses(&page);
        offered.retain(|to| to.contains("/puzzle?level="));
        offered
    };
    let before = offered();
    assert_eq!(before.len(), 2, "{before:?}");
    let said = "No puzzle of level 4 was found for this game: here is level 2 instead.";
    for part in ["puzzle?level=4&seed=1", "sheet?level=4"] {
        let mut page = get(&format!("/noughts-3x3/{part}"));
        if part.starts_with("puzzle") {
            assert_eq!(page.status, 303, "{part}");
            page = get(page.header("location").unwrap());
        }
        assert_eq!(page.status, 200, "{part}");
        assert!(page.body.contains(said), "{part}: {}", page.body);
    }
    assert_eq!(offered(), before);
    // Of a game without a list all levels are offered, and each leads to a puzzle.
    let page = get("/noughts-2x3/learn");
    assert_eq!(
        addresses(&page)
            .iter()
            .filter(|to| to.contains("/puzzle?level="))
            .count(),
        5
    );
}

/// What takes long to look for was looked for before: the first question to a server that has just begun is answered.
#[test]
fn ready_puzzles_are_there_at_the_first_question() {
    let host = start(1, Duration::from_secs(2));
    let first = |path: &str| ask_at(host, "GET", path, "");
    for game in [
        "semaforo",
        "classic-3x4",
        "slider",
        "strip",
        "points-3x4",
        "classic-4x4",
    ] {
        let sheet = first(&format!("/{game}/sheet"));
        assert_eq!(sheet.status, 200, "{game}");
        assert_eq!(
            sheet.body.matches("<figcaption><span>").count(),
            6,
            "{game}"
        );
        for level in 1..=5 {
            let puzzle = first(&format!("/{game}/puzzle?level={level}&mixed=1&seed=3"));
            assert_eq!(puzzle.status, 303, "{game} {level}");
            let to = puzzle.header("location").unwrap();
            assert!(to.contains(&format!("puzzle={level}")), "{to}");
            assert_eq!(first(to).status, 200, "{to}");
        }
    }
    // In another order of the lights the position is the same in other letters; the games of three days go round.
    let position_at = |path: &str, order: &str| {
        let led = first(&format!("{path}{order}"));
        let to = led.header("location").map(str::to_string);
        let to = to.unwrap_or_else(|| panic!("{path}{order}: {}", led.status));
        assert_eq!(first(&to).status, 200, "{to}");
        let (_, rest) = to.split_once("position=").unwrap();
        (rest.split('&').next().unwrap().to_string(), to)
    };
    let turned = |text: &str| text.replace('R', "g").replace('G', "R").to_uppercase();
    let days = ["2026-11-29", "2026-11-30", "2026-12-01"].map(|day| format!("/puzzle?day={day}"));
    let of_level = String::from("/semaforo/puzzle?level=2&mixed=1&seed=3");
    let mut orders = 0;
    for path in days.iter().chain([&of_level]) {
        // What is small is looked for.
        if *path != of_level && first(path).body.contains("data-again=") {
            continue;
        }
        let (own, to) = position_at(path, "");
        if to.starts_with("/semaforo") {
            orders += 1;
            assert_eq!(position_at(path, "&lights=ryg").0, turned(&own));
        }
    }
    assert_eq!(orders, 2);
}

/// Every puzzle and every sheet that a page of a game offers is there: of each level, and of each theme.
#[test]
fn what_games_offer_of_puzzles_is_there() {
    let host = start_with_strip(4, PATIENCE);
    for game in [
        "classic-3x3",
        "classic-3x3:play=misere",
        "green-3x3",
        "points-2x3",
        "noughts-3x3",
        "ampel-4-2-1",
        "semaforo",
        "bag-classic-2x2",
        "small.toml",
        "ring.toml",
    ] {
        let whole =
            |path: &str| ask_until(host, path, |page| ![202, 429, 503].contains(&page.status));
        let page = whole(&format!("/{game}/learn"));
        assert_eq!(page.status, 200, "{game}");
        let parts = ["/puzzle?", "/sheet?"];
        let offered = addresses(&page).into_iter();
        let offered: Vec<String> = offered
            .filter(|to| parts.iter().any(|part| to.contains(part)))
            .collect();
        assert_eq!(offered.is_empty(), game.starts_with("bag"), "{game}");
        for mut path in offered {
            // The first answer names the puzzle, the next one leads to it.
            let mut steps = 0;
            loop {
                let answer = whole(&path);
                match answer.header("location").filter(|_| answer.status == 303) {
                    Some(to) if steps < 3 => path = to.to_string(),
                    _ => {
                        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
                        break;
                    }
                }
                steps += 1;
            }
        }
    }
}

/// A page offers what it advises, and advises no option of a command.
#[test]
fn puzzles_that_a_sample_lacks_are_looked_for_elsewhere() {
    let page = get("/ampel-4-2-1/puzzle?theme=strip&level=2&seed=7");
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(!page.body.contains("--") && page.body.contains("Other puzzles"));
    let next = "href=\"/ampel-4-2-1/puzzle?level=2&amp;theme=strip&amp;seed=8\"";
    assert!(page.body.contains(next), "{}", page.body);
    let api = get("/api/v1/puzzle?variant=ampel-4-2-1&theme=strip&seed=7");
    let remark = api.header("greenwave-remark");
    assert!(remark.is_some_and(|remark| remark.contains("another seed looks at others")));
}

/// Boards and counters are there when they are asked for.
#[test]
fn a_sheet_has_boards_and_counters_to_cut_out() {
    let plain = get("/classic-3x3/sheet?count=1&seed=2").body;
    assert!(!plain.contains("class=\"counters\""));
    let to = "/classic-3x3/sheet?count=1&amp;seed=2&amp;level=1&amp;material=1";
    assert!(plain.contains(to), "{plain}");
    let sheet = get(&to.replace("&amp;", "&")).body;
    let (_, material) = sheet.split_once("class=\"boards rows-3\"").expect(&sheet);
    let (boards, counters) = material.split_once("class=\"counters\"").unwrap();
    assert_eq!(boards.matches("<figure>").count(), 6);
    // Each with its letter and its pattern.
    for light in ["r", "y", "g"] {
        let letters = counters.matches(&format!("letter-{light}")).count();
        let patterns = counters.matches(&format!("on-{light}")).count();
        assert_eq!((letters, patterns % 8), (8, 0), "{light}");
        assert!(patterns > 0, "{light}");
    }
    let noughts = get("/noughts-3x3/sheet?count=1&material=1").body;
    let (_, counters) = noughts.split_once("class=\"counters\"").unwrap();
    assert_eq!(counters.matches(">X</text>").count(), 5, "{counters}");
    let ampel = get("/ampel-4-2-1/sheet?count=1&material=1").body;
    assert!(ampel.contains("class=\"cylinder\""));
}

#[test]
fn a_sheet_leads_to_another_and_keeps_its_own_in_other_languages() {
    let sheet = get("/classic-3x3/sheet?count=6&seed=2&level=1");
    let links = addresses(&sheet);
    let next = "/classic-3x3/sheet?count=6&seed=3&level=1".to_string();
    assert!(links.contains(&next), "{links:?}");
    assert_eq!(get(&next).status, 200);
    let german = "/classic-3x3/sheet?count=6&seed=2&level=1&lang=de".to_string();
    assert!(links.contains(&german), "{links:?}");
    // The other number of puzzles keeps the paper, the level and the puzzles.
    let letter = get("/classic-3x3/sheet?count=6&seed=2&level=2&paper=letter");
    let twelve = "/classic-3x3/sheet?seed=2&level=2&paper=letter&count=12".to_string();
    assert!(addresses(&letter).contains(&twelve), "{letter:?}");
}

#[test]
fn drawn_puzzles_of_a_theme_take_turns() {
    let led = [1, 17, 33, 49].map(|seed| {
        let path = format!("/noughts-3x3/puzzle?theme=fork&mixed=1&seed={seed}");
        let set = ask_until(server(), &path, |answer| {
            answer.header("location").is_some()
        });
        set.header("location").unwrap().to_string()
    });
    assert!(led.iter().any(|other| *other != led[0]), "{led:?}");
}

/// One seed gives one puzzle, on pages and in documents, whether it is ready or sought.
#[test]
fn pages_and_documents_have_the_same_puzzle() {
    for (game, level) in [("classic-3x4", 2), ("semaforo", 3), ("classic-2x3", 1)] {
        for seed in [1, 6] {
            let page = get(&format!("/{game}/puzzle?level={level}&seed={seed}"));
            let to = page.header("location").unwrap();
            let query = format!("variant={game}&level={level}&seed={seed}");
            let document = get(&format!("/api/v1/puzzle?{query}"));
            let puzzle: serde_json::Value = serde_json::from_str(&document.body).unwrap();
            let position = puzzle["position"].as_str().unwrap();
            assert!(
                to.contains(&format!("position={position}&")),
                "{to} {puzzle}"
            );
        }
    }
}

/// Nobody gets any further: a draw that is to be saved is saved.
#[test]
fn a_draw_is_saved_when_the_position_comes_back() {
    let at = "/strip?position=RYG/G.Y/.Y.%2B..G@E&hints=0&play=first&puzzle=5";
    let asked = get_from_tables(at).body;
    assert!(verdict(&asked).starts_with("You are to move and save the draw"));
    let saved = get_from_tables(&format!("{at}&moves=slide-Nt,slide-Et")).body;
    assert_eq!(verdict(&saved), "Solved! You found every move.");
    for part in [
        "The position is back: nobody gets any further, which is a draw.",
        "data-puzzle=\"solved\"",
    ] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    let on = get_from_tables(&format!("{at}&moves=slide-Nt"));
    let on = on.header("location").expect("a reply");
    assert!(on.ends_with("moves=slide-Nt,slide-Et") || on.contains("slide-Nt,slide-Et&"));
}

#[test]
fn a_move_that_wins_later_is_told_apart() {
    let at = "/classic-3x3?hints=0&play=first&puzzle=1";
    let replied = |mv: &str| {
        let reply = get(&format!("{at}&moves={mv}"));
        get(reply.header("location").expect("a reply")).body
    };
    let (quick, later) = (replied("b2R"), replied("a1R"));
    let later_said = "That wins, too, but there is a quicker way. Play on.";
    assert!(quick.contains("Right! Play on.") && !quick.contains(later_said));
    assert!(later.contains(later_said) && !later.contains("Right! Play on."));
}

/// Where a turn has several steps, the next step is no reply to one of the same player.
#[test]
fn steps_of_one_turn_do_not_refute_each_other() {
    let at = "/ampel-4-2-1?position=4+2+1+r+1+0+0+./../gy./..RG&hints=0&play=first&puzzle=1";
    let solved = get(&format!("{at}&moves=d3-c3")).body;
    assert_eq!(verdict(&solved), "Solved! You found every move.");
    assert!(
        !solved.contains("Each with the reply that refutes it"),
        "{solved}"
    );
}
