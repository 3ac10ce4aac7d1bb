//! Letters as strokes, so that a picture needs no font: every glyph is a few polylines on a grid.

/// Cap height in rows of the grid; the base line is this row.
const CAP: f64 = 6.0;
/// Width of a glyph and its gap in columns of the grid.
const ADVANCE: f64 = 5.6;
/// Cap height as a share of the font size.
const CAP_OF_SIZE: f64 = 0.7;

/// Polylines of a character, each a run of points of two digits. The first digit is the column, 0
/// to 4 from the left. The second is the row, 0 to 8 from the top (6 the base line, 2 the height of
/// small letters).
fn glyph(letter: char) -> &'static str {
    match letter {
        'A' => "0602204246 0444",
        'B' => "06003041423303 3344453606",
        'C' => "4130100105163645",
        'D' => "06003041453606",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "1030 2026 1636",
        'J' => "4045361605",
        'K' => "0006 400346",
        'L' => "000646",
        'M' => "0600234046",
        'N' => "06004640",
        'O' | '0' => "103041453616050110",
        'P' => "06003041423303",
        'Q' => "103041453616050110 2446",
        'R' => "06003041423303 2346",
        'S' => "413010010213334445361605",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        'a' => "4332120305163645 4246",
        'b' => "0006 0312324345361605",
        'c' => "4332120305163645",
        'd' => "4046 4332120305163645",
        'e' => "04444332120305163645",
        'f' => "40302126 1242",
        'g' => "4247381807 4332120305163645",
        'h' => "0006 0312324346",
        'i' => "2226 2020",
        'j' => "32372818 3030",
        'k' => "0006 320436",
        'l' => "2026",
        'm' => "0206 03122326 23324346",
        'n' => "0206 0312324346",
        'o' => "123243453616050312",
        'p' => "0208 0312324345361605",
        'q' => "4248 4332120305163645",
        'r' => "0206 041232",
        's' => "43321203143445361605",
        't' => "10152636 0232",
        'u' => "0205163645 4246",
        'v' => "022642",
        'w' => "0216243642",
        'x' => "0246 4206",
        'y' => "0226 4218",
        'z' => "02420646",
        '1' => "112026 1636",
        '2' => "01103041420646",
        '3' => "01103041423313 334445361605",
        '4' => "36300444",
        '5' => "400003334445361605",
        '6' => "413010010516364544331304",
        '7' => "004016",
        '8' => "133342413010010213 1304051636454433",
        '9' => "051636454130100102133342",
        '+' => "2125 0343",
        '\u{2713}' => "041641",
        '\u{2715}' => "0145 4105",
        '-' | '\u{2212}' | '\u{2013}' => "0343",
        '=' => "0242 0444",
        '.' => "2526",
        ',' => "252617",
        ':' => "2223 2526",
        ';' => "2223 252617",
        '!' => "2024 2526",
        '?' => "011030412324 2526",
        '\'' | '\u{2019}' => "2021",
        '"' => "1011 3031",
        '/' => "0640",
        '(' => "30121436",
        ')' => "10323416",
        '%' => "0640 0001 4546",
        '<' => "410345",
        '>' => "014305",
        '@' => "34231434 3435454130100105163646",
        '\u{b7}' => "2324",
        '\u{d7}' => "0145 4105",
        '\u{df}' => "06011030413223 2334453616",
        ' ' => "",
        _ => "0006464000",
    }
}

/// The letter below an accent, and the accent: above a small letter, below for a cedilla. Above a capital
/// there is no room.
fn accented(letter: char) -> Option<(char, &'static str)> {
    const MARKS: [(&str, &str); 6] = [
        ("áéíóú", "2130"),
        ("àèìòù", "1021"),
        ("âêîôû", "112031"),
        ("ãõñ", "01102130"),
        ("äëïöü", "1010 3030"),
        ("ç", "262718"),
    ];
    const BASES: [&str; 6] = ["aeiou", "aeiou", "aeiou", "aon", "aeiou", "c"];
    for ((letters, mark), bases) in MARKS.iter().zip(BASES) {
        let found = |wanted: char| letters.chars().position(|known| known == wanted);
        if let Some(place) = found(letter) {
            return Some((bases.chars().nth(place)?, mark));
        }
        let small = letter.to_lowercase().next()?;
        if let Some(place) = found(small) {
            let base = bases.chars().nth(place)?.to_ascii_uppercase();
            return Some((base, if *mark == "262718" { mark } else { "" }));
        }
    }
    None
}

/// Width of a text in the units of its size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    (text.chars().count() as f64 * ADVANCE - (ADVANCE - 4.0)).max(0.0) * size * CAP_OF_SIZE / CAP
}

/// The strokes of a text as path data: `left` is where it begins, `base` its base line.
pub(crate) fn strokes(text: &str, left: f64, base: f64, size: f64) -> String {
    let unit = size * CAP_OF_SIZE / CAP;
    let mut data = String::new();
    for (number, letter) in text.chars().enumerate() {
        let x0 = left + number as f64 * ADVANCE * unit;
        let (base_letter, mark) = accented(letter).unwrap_or((letter, ""));
        let polylines = glyph(base_letter).split_whitespace();
        for polyline in polylines.chain(mark.split_whitespace()) {
            let points = polyline.as_bytes().chunks_exact(2).map(|point| {
                let x = x0 + f64::from(point[0] - b'0') * unit;
                let y = base + (f64::from(point[1] - b'0') - CAP) * unit;
                (x, y)
            });
            push_rounded(&mut data, &points.collect::<Vec<_>>());
        }
    }
    data
}

/// Cosine of the sharpest turn that is rounded, an eighth of a circle: sharper ones are corners of the letter.
const ROUNDED: f64 = 0.7;

/// A polyline as path data, round where it turns a little.
fn push_rounded(data: &mut String, points: &[(f64, f64)]) {
    use std::fmt::Write;

    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return;
    };
    let is_ring = points.len() > 2 && first == last;
    let between = |from: (f64, f64), to: (f64, f64), way: f64| {
        let share = way / (to.0 - from.0).hypot(to.1 - from.1);
        (
            from.0 + (to.0 - from.0) * share,
            from.1 + (to.1 - from.1) * share,
        )
    };
    // Where a turn begins and ends; none at a corner.
    let turn = |before: (f64, f64), at: (f64, f64), after: (f64, f64)| {
        let (from, to) = (
            (at.0 - before.0, at.1 - before.1),
            (after.0 - at.0, after.1 - at.1),
        );
        let (long, wide) = (from.0.hypot(from.1), to.0.hypot(to.1));
        let way = long.min(wide) / 2.0;
        let is_round = from.0 * to.0 + from.1 * to.1 >= ROUNDED * long * wide;
        is_round.then(|| (between(at, before, way), between(at, after, way)))
    };
    let closing = (is_ring)
        .then(|| turn(points[points.len() - 2], *first, points[1]))
        .flatten();
    let (x, y) = closing.map_or(*first, |(_, end)| end);
    let _ = write!(data, "M{x:.2} {y:.2}");
    let inner = points
        .windows(3)
        .map(|three| (three[1], turn(three[0], three[1], three[2])));
    for (at, turned) in inner.chain([(*last, closing)]) {
        let _ = match turned {
            Some((begin, end)) => write!(
                data,
                "L{:.2} {:.2}Q{:.2} {:.2} {:.2} {:.2}",
                begin.0, begin.1, at.0, at.1, end.0, end.1
            ),
            None => write!(data, "L{:.2} {:.2}", at.0, at.1),
        };
    }
}

/// The strokes of a text in which narrow letters take less room, as path data, and how wide it is.
pub(crate) fn spaced(text: &str, left: f64, base: f64, size: f64) -> (String, f64) {
    let unit = size * CAP_OF_SIZE / CAP;
    let mut data = String::new();
    let mut at = 0.0;
    for letter in text.chars() {
        let mut one = [0; 4];
        let (least, most) = columns(letter);
        let from = left + (at - least) * unit;
        data.push_str(&strokes(letter.encode_utf8(&mut one), from, base, size));
        at += most - least + GAP;
    }
    (data, (at - GAP).max(0.0) * unit)
}

/// Columns between letters that take the room they need.
const GAP: f64 = 1.6;

/// The first and the last column of a letter; a blank has two.
fn columns(letter: char) -> (f64, f64) {
    let base = accented(letter).map_or(letter, |(base, _)| base);
    let points = glyph(base).split_whitespace().flat_map(|polyline| {
        let points = polyline.as_bytes().chunks_exact(2);
        points.map(|point| f64::from(point[0] - b'0'))
    });
    let (least, most) = points.fold((4.0_f64, 0.0_f64), |(least, most), column| {
        (least.min(column), most.max(column))
    });
    if least > most {
        (0.0, 1.5)
    } else {
        (least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_has_whole_points_on_the_grid() {
        for letter in (' '..='~').chain(['\u{2212}', '\u{b7}', '\u{2713}', '\u{2715}']) {
            for polyline in glyph(letter).split_whitespace() {
                assert!(
                    polyline.len() >= 4 && polyline.len().is_multiple_of(2),
                    "{letter}"
                );
                for point in polyline.as_bytes().chunks_exact(2) {
                    assert!((b'0'..=b'4').contains(&point[0]), "{letter}");
                    assert!((b'0'..=b'8').contains(&point[1]), "{letter}");
                }
            }
        }
    }

    #[test]
    fn letters_of_every_language_have_their_accents() {
        for letter in "áàâãäéêëíóôõöúüñçÁÉÜÖÄÇ".chars() {
            let (base, mark) = accented(letter).unwrap();
            assert!(base.is_ascii_alphabetic(), "{letter}");
            assert!(
                mark.len().is_multiple_of(2) || mark.contains(' '),
                "{letter}"
            );
            assert_ne!(glyph(base), glyph('\u{1f600}'), "{letter}");
        }
        assert_eq!(accented('a'), None);
    }

    #[test]
    fn turns_are_round_and_corners_are_not() {
        let curves = |letter: &str| strokes(letter, 0.0, 0.0, 10.0).matches('Q').count();
        assert_eq!(["O", "n", "L", "M"].map(curves), [8, 3, 0, 0]);
    }

    #[test]
    fn letters_and_digits_look_different() {
        let letters = ('A'..='Z').chain('a'..='z').chain('1'..='9');
        let mut seen = std::collections::HashSet::new();
        for letter in letters {
            assert!(
                seen.insert(glyph(letter)),
                "{letter} looks like another letter"
            );
        }
    }
}
