use greenwave_game::{Diagram, Game, Lights, Variant, catalogue, with_game};
use greenwave_picture::{
    ENGLISH, Lettering, MovePlace, Picture, Ring, Scheme, StripArrow, Tag, Tone, describe, lamp,
    place,
};

fn diagram(variant: &str, position: Option<&str>) -> Diagram {
    let variant = Variant::parse(variant).unwrap();
    let position = match position {
        Some(text) => variant.parse_position(text).unwrap(),
        None => variant.start(),
    };
    variant.diagram(&position)
}

/// Every tag that is opened is closed, in order, and nothing stands outside of the one element.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "stray > in {svg}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{svg}");
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        rest = &rest[end + 1..];
        assert!(!open.is_empty() || rest.is_empty(), "one element only");
    }
    assert!(open.is_empty() && rest.is_empty());
}

#[test]
fn every_variant_of_the_catalogue_has_a_picture_with_a_name_for_every_square() {
    for name in catalogue() {
        let diagram = diagram(name, None);
        assert_eq!(diagram.names.len(), diagram.marks.len(), "{name}");
        let names: std::collections::HashSet<&String> = diagram.names.iter().collect();
        assert_eq!(
            names.len(),
            diagram.names.len(),
            "{name}: names are told apart"
        );
        for lettering in [Lettering::Font, Lettering::Strokes] {
            let svg = Picture {
                lettering,
                ..Picture::new(&diagram, name)
            }
            .svg();
            assert_well_formed(&svg);
        }
    }
}

/// Squares that are neighbours on a hexagonal grid share a side, and no others do; their tiles have six corners.
#[test]
fn hexagonal_boards_are_drawn_as_hexagons() {
    let text =
        "patterns = ['111']\nboard = { outline = '###--/####-/##-##/-####/--###', grid = 'hex' }\n";
    let game = greenwave_game::RuleFile::parse("hexagon.toml", text)
        .unwrap()
        .variant;
    let game = game.as_board().unwrap();
    let diagram = game.diagram(&game.start());
    let place = |name: &str| {
        let (file, rank) = name.split_at(1);
        let file = i32::from(file.as_bytes()[0]) - i32::from(b'a');
        (file, rank.parse::<i32>().unwrap())
    };
    let places = || diagram.marks.iter().zip(&diagram.names);
    for ((x, y, _), name) in places() {
        for ((to_x, to_y, _), other) in places() {
            let step = (
                place(other).0 - place(name).0,
                place(other).1 - place(name).1,
            );
            let next = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)].contains(&step);
            let apart = (x.abs_diff(*to_x), y.abs_diff(*to_y));
            assert_eq!([(2, 0), (1, 1)].contains(&apart), next, "{name} {other}");
        }
    }
    let svg = Picture::new(&diagram, "hexagons").svg();
    assert_well_formed(&svg);
    let tiles: Vec<&str> = svg.split("<path class=\"tile\" d=\"").skip(1).collect();
    assert_eq!(tiles.len(), diagram.marks.len());
    for tile in tiles {
        let outline = tile.split('"').next().unwrap();
        assert_eq!(outline.matches(['M', 'L']).count(), 6, "{outline}");
    }
    // Each rank and file has its name, where no square is.
    assert_eq!(diagram.labels.len(), 10);
    for label in &diagram.labels {
        assert!(
            places().all(|((x, y, _), _)| (*x, *y) != (label.x, label.y)),
            "{label:?}"
        );
    }
}

/// A letter stands beside its row, a number on the slanting line of its places; to each leads a tick.
#[test]
fn names_beside_a_triangle_stand_on_its_lines() {
    for name in ["ampel-4-2-1", "ampel"] {
        let diagram = diagram(name, None);
        let svg = Picture::new(&diagram, "triangle").svg();
        let points: Vec<[f64; 2]> = svg
            .split("class=\"point\"")
            .skip(1)
            .map(|point| numbers(point, ["cx", "cy"]))
            .collect();
        let at = |name: &str| points[diagram.names.iter().position(|one| one == name).unwrap()];
        for label in &diagram.labels {
            let (text, _) = svg.split_once(&format!(">{}</text>", label.text)).unwrap();
            let (_, text) = text.rsplit_once("<text").unwrap();
            let [x, base, size] = numbers(text, ["x", "y", "font-size"]);
            let middle = base - 0.36 * size;
            if label.text.starts_with(|first: char| first.is_ascii_digit()) {
                let place: usize = label.text.parse().unwrap();
                let rows = diagram.labels.len() / 2;
                let row = |row: usize| (b'a' + row as u8) as char;
                let [ex, ey] = at(&format!("{}{place}", row(rows - 1)));
                // The line goes on by half a column for each row.
                assert!(
                    (24.0 * (middle - ey) / 42.0 - (ex - x)).abs() < 0.2,
                    "{name} {place}"
                );
            } else {
                let [ex, ey] = at(&format!("{}1", label.text));
                assert!((middle - ey).abs() < 0.2 && x < ex, "{name} {}", label.text);
            }
        }
        let (_, ticks) = svg.split_once("class=\"grid tick\"").unwrap();
        let ticks = ticks.split("/>").next().unwrap();
        assert_eq!(ticks.matches('M').count(), diagram.labels.len());
    }
}

#[test]
fn every_move_of_a_start_has_its_place() {
    for name in catalogue() {
        let variant = Variant::parse(name).unwrap();
        with_game!(&variant, game => {
            let start = game.start();
            let diagram = game.diagram(&start);
            let mut moves = Vec::new();
            game.moves(&start, &mut moves);
            for mv in moves {
                let text = game.move_text(&start, mv);
                let found = place(&diagram, &text);
                let no_square = text.starts_with("slide") || text == "turn" || text == "pass";
                assert_eq!(found == MovePlace::Elsewhere, no_square, "{name} {text}");
            }
        });
    }
}

fn with_green_first(diagram: &Diagram) -> Diagram {
    Diagram {
        lights: Some(Lights::Gyr),
        ..diagram.clone()
    }
}

#[test]
fn lights_have_colour_letter_and_pattern() {
    let diagram = diagram("classic-3x3", Some("..G/.R./Y.."));
    let svg = Picture::new(&diagram, "three lights").svg();
    for (class, pattern, letter) in [("r", "on-r", "R"), ("y", "on-y", "Y"), ("g", "on-g", "G")] {
        assert!(svg.contains(&format!("class=\"{class}\"")));
        assert!(svg.contains(&format!("class=\"{pattern}\"")));
        assert!(svg.contains(&format!(">{letter}</text>")));
    }
    // In the other order of the lights the same levels have other colours.
    let turned = with_green_first(&diagram);
    let turned = Picture::new(&turned, "three lights").svg();
    let red = |svg: &str| {
        svg.find("class=\"r\"")
            .map(|at| svg[at..].find("cx").unwrap())
    };
    assert!(red(&svg).is_some() && red(&turned).is_some() && svg != turned);
}

#[test]
fn the_strip_is_framed_where_it_lies() {
    let at = |side: &str| {
        let text = format!(".../.R./...+..Y@{side}");
        let diagram = diagram("slider", Some(&text));
        assert_eq!(diagram.strip.len(), 3);
        let svg = Picture::new(&diagram, "slider").svg();
        let frame = svg.find("class=\"strip\"").expect("a frame");
        svg[frame..frame + 60].to_string()
    };
    let frames: std::collections::HashSet<String> = ["N", "E", "S", "W"].map(at).into();
    assert_eq!(frames.len(), 4);
}

#[test]
fn the_edges_of_a_graph_are_drawn_wherever_they_lead() {
    let lines = |diagram: &Diagram| {
        let svg = Picture::new(diagram, "graph").svg();
        let start = svg.find("<path class=\"grid\" d=\"")?;
        let data = svg[start..].split('"').nth(3).unwrap();
        Some(data.matches('M').count())
    };
    let mut triangle = diagram("ampel-4-2-1", None);
    assert_eq!(
        lines(&triangle),
        Some(18),
        "3 directions of 3 + 2 + 1 lines"
    );
    // From the apex to two corners, over the points between.
    triangle.edges = vec![(0, 6), (0, 9)];
    assert_eq!(lines(&triangle), Some(2));
    assert_eq!(lines(&diagram("classic-3x3", None)), None);
}

#[test]
fn hands_market_and_cylinders_are_drawn() {
    let bag = diagram("bag-classic-3x3", Some(".../.../...;RRY;YGG;RG"));
    let svg = Picture::new(&bag, "bag").svg();
    // Three green ones in the hands and the market, and the one with a number that stands for those in the bag.
    assert!(svg.contains("Market") && svg.matches("class=\"g\"").count() == 4);
    assert!(svg.contains(">Bag</text>") && svg.matches("class=\"tray\"").count() == 3);
    let words = describe(&bag, &[], &ENGLISH);
    assert!(words.ends_with("Bag: 3 red, 4 yellow, 3 green"), "{words}");
    let endless = diagram("bag-classic-3x3:counters=infinite", None);
    assert!(!Picture::new(&endless, "bag").svg().contains(">Bag</text>"));
    let ampel = diagram("ampel-4-2-1", Some("4 2 1 r 1 0 0 ./.R/.y./...."));
    let svg = Picture::new(&ampel, "ampel").svg();
    assert_eq!(svg.matches("class=\"cylinder\"").count(), 1);
    assert_eq!(svg.matches("class=\"point\"").count(), 8);
}

#[test]
fn tags_are_links_with_words() {
    let diagram = diagram("classic-3x3", None);
    let mut picture = Picture::new(&diagram, "tagged <board>");
    picture.scheme = Scheme::Page;
    picture.tags.push(Tag {
        square: 4,
        text: "\u{2713} 17".into(),
        tone: Tone::Win,
        ring: Ring::Quick,
        next: Some('R'),
        heat: 0,
        href: Some("/classic-3x3?moves=b2R&x='\"".into()),
        label: "b2R wins in 17 plies".into(),
    });
    let svg = picture.svg();
    assert_well_formed(&svg);
    assert!(svg.contains("aria-label=\"tagged &lt;board&gt;\"") && svg.contains("role=\"group\""));
    assert!(svg.contains("moves=b2R&amp;x=&#39;&quot;"));
    assert!(
        svg.contains("<title>b2R wins in 17 plies</title>") && svg.contains(">\u{2713} 17</text>")
    );
    assert!(!svg.contains("<style"), "the page brings the style sheet");
}

#[test]
fn pictures_in_words() {
    let board = diagram("classic-3x3", Some("..G/.R./Y.."));
    let words = describe(&board, &[], &ENGLISH);
    assert_eq!(words, "a1 yellow, b2 red, c3 green");
    let words = describe(&with_green_first(&board), &[], &ENGLISH);
    assert_eq!(words, "a1 yellow, b2 green, c3 red");
    let bag = diagram("bag-classic-3x3", Some(".../.../...;RRY;YGG;RG"));
    let words = describe(&bag, &[], &ENGLISH);
    assert!(
        words.starts_with("empty. Hand of the player to move: red, red, yellow."),
        "{words}"
    );
}

/// The numbers of an element's attributes.
fn numbers<const N: usize>(element: &str, names: [&str; N]) -> [f64; N] {
    names.map(|name| {
        let (_, text) = element.split_once(&format!(" {name}=\"")).unwrap();
        text.split('"').next().unwrap().parse().unwrap()
    })
}

#[test]
fn arrows_that_move_the_strip_touch_nothing() {
    for side in ['N', 'E', 'S', 'W'] {
        let diagram = diagram("strip", Some(&format!("R../.Y./..G+.R.@{side}")));
        let mut picture = Picture::new(&diagram, "strip");
        let others = "NESW".chars().filter(|to| *to != side);
        let pushes = others.flat_map(|to| [(Some(to), false), (Some(to), true)]);
        let moves = pushes.chain([(None, true)]);
        let arrows = moves.map(|(to, turned)| StripArrow {
            to,
            turned,
            href: "#strip".into(),
            label: "strip".into(),
            text: "= 12".into(),
            tone: Tone::Draw,
            ring: Ring::Quick,
        });
        picture.strip_arrows = arrows.collect();
        let svg = picture.svg();
        assert_well_formed(&svg);
        let [width, height] = numbers(&svg, ["width", "height"]);
        let boxes = |class: &str| -> Vec<[f64; 4]> {
            let class = format!("class=\"{class}\"");
            let all = svg.split(&class).skip(1);
            all.map(|rest| numbers(rest, ["x", "y", "width", "height"]))
                .collect()
        };
        let (arrows, tiles, frame) = (boxes("hit knob"), boxes("tile"), boxes("strip"));
        assert_eq!((arrows.len(), tiles.len(), frame.len()), (7, 12, 1));
        // Each has its sign, and each its value.
        assert_eq!(svg.matches("class=\"turning\"").count(), 7);
        assert_eq!(boxes("draw").len(), 7);
        for (number, [x, y, wide, high]) in arrows.iter().copied().enumerate() {
            assert!(x >= 0.0 && y >= 0.0 && x + wide <= width && y + high <= height);
            let others = arrows.iter().skip(number + 1).chain(&tiles).chain(&frame);
            for [left, top, across, down] in others.copied() {
                let apart = [
                    x - left - across,
                    left - x - wide,
                    y - top - down,
                    top - y - high,
                ];
                let gap = apart.into_iter().fold(f64::MIN, f64::max);
                assert!(gap > 2.0, "{side} {number}: {gap}");
            }
        }
    }
}

#[test]
fn a_chosen_disc_its_targets_and_a_line_are_marked() {
    let ampel = diagram("ampel-4-2-1", Some("4 2 1 r 1 0 0 ./.R/.y./...."));
    let mut picture = Picture::new(&ampel, "ampel");
    picture.chosen = Some(2);
    picture.targets = vec![0, 1];
    picture.numbers = vec![(0, "1".into()), (1, "2 3".into()), (99, "7".into())];
    let svg = picture.svg();
    assert_well_formed(&svg);
    assert_eq!(svg.matches("class=\"chosen\"").count(), 1);
    assert_eq!(svg.matches("class=\"target\"").count(), 2);
    assert!(svg.contains(">2 3</text>") && !svg.contains(">7</text>"));
    assert!(lamp('Y').contains(">Y</text>") && lamp('x').is_empty());
    assert_well_formed(&lamp('R'));
}

/// A phone shows a triangle of side 7 as wide as its units are: less than 11 of them cannot be read.
#[test]
fn a_phone_shows_the_letters_of_a_triangle() {
    let ampel = diagram("ampel-7-3-2", None);
    let last = ampel.marks.len() - 1;
    let mut picture = Picture::new(&ampel, "ampel");
    picture.tags = vec![Tag {
        square: last,
        text: "\u{2713} 18".into(),
        tone: Tone::Win,
        ring: Ring::None,
        next: None,
        heat: 0,
        href: Some("#".into()),
        label: "g7".into(),
    }];
    let svg = picture.svg();
    assert_well_formed(&svg);
    let [width] = numbers(&svg, ["width"]);
    assert!(width <= 366.0, "{width}");
    for class in ["label", "on-win soft"] {
        for text in svg.split(&format!("class=\"{class}\"")).skip(1) {
            let [size] = numbers(text, ["font-size"]);
            assert!(size >= 11.0, "{class}: {size}");
        }
    }
    // A finger can hit the point, and its badge does not touch the label below it.
    let (_, tile) = svg.split_once("class=\"hit tile\"").unwrap();
    assert_eq!(numbers(tile, ["r"]), [20.0]);
    let (_, badge) = svg.split_once("class=\"win soft\"").unwrap();
    let [y, high] = numbers(badge, ["y", "height"]);
    let (label, _) = svg.split_once(">7</text>").unwrap();
    let (_, label) = label.rsplit_once("<text").unwrap();
    let [base, size] = numbers(label, ["y", "font-size"]);
    assert!(y + high <= base - 0.72 * size, "{y} {high} {base}");
}

/// Lights stand in the middle of their squares, with a badge or without; the badge covers no letter.
#[test]
fn a_badge_moves_no_light_and_covers_no_letter() {
    for large in [false, true] {
        let lit = diagram("classic-3x3", Some("R.R/.../R.R"));
        let mut picture = Picture::new(&lit, "lit");
        picture.large = large;
        picture.tags = vec![Tag {
            square: 0,
            text: "\u{2713} 19".into(),
            tone: Tone::Win,
            ring: Ring::Keeps,
            next: None,
            heat: 0,
            href: None,
            label: String::new(),
        }];
        let svg = picture.svg();
        let (_, badge) = svg.split_once("class=\"win soft badge\"").unwrap();
        let [top] = numbers(badge, ["y"]);
        let (_, letter) = svg.split_once("class=\"letter-r\"").unwrap();
        let [base] = numbers(letter, ["y"]);
        assert!(base <= top, "{large}: {svg}");
        for tile in svg.split("class=\"tile\"").skip(1) {
            let [x, y, width, height] = numbers(tile, ["x", "y", "width", "height"]);
            let (_, light) = tile.split_once("<circle").unwrap();
            let [cx, cy] = numbers(light, ["cx", "cy"]);
            let off = [x + width / 2.0 - cx, y + height / 2.0 - cy];
            assert!(off.iter().all(|off| off.abs() < 0.01), "{off:?}");
        }
    }
}
