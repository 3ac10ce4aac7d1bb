//! Plates: pictures side by side, each above its caption, as one SVG.

use greenwave_picture::escaped;

/// A picture of a plate.
pub(crate) struct PlatePicture {
    /// An SVG with its size as `viewBox="0 0 WIDE TALL"`.
    pub(crate) svg: String,
    /// Lines below it.
    pub(crate) caption: Vec<String>,
}

const GAP: f64 = 20.0;

impl PlatePicture {
    /// Width and height.
    fn size(&self) -> (f64, f64) {
        let numbers = self
            .svg
            .split_once("viewBox=\"0 0 ")
            .and_then(|(_, rest)| rest.split_once('"'))
            .and_then(|(numbers, _)| numbers.split_once(' '));
        let number = |text: &str| text.parse().unwrap_or_default();
        numbers.map_or((0.0, 0.0), |(wide, tall)| (number(wide), number(tall)))
    }
}

/// Pictures in rows of at most this width, all at the same scale.
pub(crate) fn plate(title: &str, limit: f64, pictures: &[PlatePicture]) -> String {
    let font = limit / 75.0;
    let room = |shown: &PlatePicture| {
        let longest = shown.caption.iter().map(|line| line.chars().count()).max();
        let written = longest.unwrap_or_default() as f64 * font * 0.55;
        shown.size().0.max(written)
    };
    let mut rows: Vec<(f64, Vec<&PlatePicture>)> = Vec::new();
    for shown in pictures {
        let wide = room(shown);
        match rows.last_mut() {
            Some((taken, row)) if *taken + GAP + wide <= limit => {
                *taken += GAP + wide;
                row.push(shown);
            }
            _ => rows.push((wide, vec![shown])),
        }
    }
    let wide = rows.iter().map(|(taken, _)| *taken).fold(1.0, f64::max);
    let (mut parts, mut top) = (Vec::new(), 0.0);
    for (_, row) in rows {
        let tall = row.iter().map(|shown| shown.size().1).fold(0.0, f64::max);
        let lines = row.iter().map(|shown| shown.caption.len()).max();
        let mut left = 0.0;
        for shown in row {
            let (own, room) = (shown.size(), room(shown));
            let at = left + (room - own.0) / 2.0;
            parts.push(shown.svg.trim_end().replacen(
                "<svg ",
                &format!("<svg x=\"{at:.1}\" y=\"{:.1}\" ", top + tall - own.1),
                1,
            ));
            for (line, said) in shown.caption.iter().enumerate() {
                parts.push(format!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#222222\">{}</text>",
                    left + room / 2.0,
                    top + tall + font * (1.1 + 1.2 * line as f64),
                    escaped(said)
                ));
            }
            left += room + GAP;
        }
        top += tall + font * 1.2 * lines.unwrap_or_default() as f64 + GAP;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {top:.0}\" \
         width=\"{wide:.0}\" height=\"{top:.0}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"{font:.1}\">\n<title>{}</title>\n<rect width=\"{wide:.0}\" \
         height=\"{top:.0}\" fill=\"#ffffff\"/>\n{}\n</svg>\n",
        escaped(title),
        parts.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_ends_where_the_next_picture_does_not_fit() {
        let shown = |wide: u32| PlatePicture {
            svg: format!("<svg xmlns=\"x\" viewBox=\"0 0 {wide} 50\"></svg>"),
            caption: vec!["a".into()],
        };
        let drawn = plate("all", 300.0, &[shown(100), shown(150), shown(200)]);
        assert!(drawn.contains("<svg x=\"0.0\" y=\"0.0\" "), "{drawn}");
        assert!(drawn.contains("<svg x=\"120.0\" y=\"0.0\" "), "{drawn}");
        assert!(drawn.contains("<svg x=\"0.0\" y=\"74.8\" "), "{drawn}");
        assert!(drawn.contains("viewBox=\"0 0 270 150\""), "{drawn}");
    }
}
