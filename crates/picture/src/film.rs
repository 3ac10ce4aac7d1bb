//! A film: pictures of a game one after another, in one animated SVG without a script.

use std::fmt::Write;

use crate::element::escaped;
use crate::picture::{Picture, Scheme};
use crate::style::{CSS, LAMPS};

/// Seconds for which each picture is shown, and how many more the last one.
const SHOWN: f64 = 1.2;
const LONGER: f64 = 2.0;
/// Pixels of the longer side of a film, at least.
const READABLE: f64 = 480.0;

/// One animated picture of several, shown in turn for ever; with reduced motion the last one alone.
#[must_use]
pub fn film(pictures: &[Picture<'_>], title: &str) -> String {
    let mut frames = String::new();
    let (mut width, mut height) = (0.0_f64, 0.0_f64);
    let count = pictures.len().max(1) as f64;
    let whole = count * SHOWN + LONGER;
    for (number, picture) in pictures.iter().enumerate() {
        let mut picture = picture.clone();
        picture.scheme = Scheme::Page;
        let svg = picture.svg();
        let (own_width, own_height) = size(&svg);
        (width, height) = (width.max(own_width), height.max(own_height));
        let _ = write!(
            frames,
            "<g class=\"frame\" style=\"animation-delay:{:.2}s\">{svg}</g>",
            number as f64 * SHOWN
        );
    }
    // Of a readable size where nothing else is asked for.
    let scale = (READABLE / width.max(height).max(1.0)).max(1.0);
    let (wide, high) = ((width * scale).round(), (height * scale).round());
    let [light, dark] = CSS;
    // Each is seen from its turn to the next one's, the last one longer.
    let turn = 100.0 * SHOWN / whole;
    let last = 100.0 * (SHOWN + LONGER) / whole;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gw\" viewBox=\"0 0 {width} {height}\" width=\"{wide}\" \
         height=\"{high}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title><style>{light}\
         @media (prefers-color-scheme:dark){{{dark}}}.frame{{visibility:hidden;animation:turn {whole:.2}s \
         step-end infinite}}.frame:last-of-type{{animation-name:last}}@keyframes turn{{0%{{visibility:visible}}\
         {turn:.3}%{{visibility:hidden}}}}@keyframes last{{0%{{visibility:visible}}{last:.3}%{{visibility:hidden}}}}\
         @media (prefers-reduced-motion:reduce){{.frame{{animation:none}}.frame:last-of-type{{visibility:visible}}}}\
         </style>{LAMPS}<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>{frames}</svg>",
        title = escaped(title)
    )
}

/// Width and height of a picture, as it says them.
fn size(svg: &str) -> (f64, f64) {
    let of = |name: &str| {
        let after = svg.split_once(name)?.1;
        after.split('"').next()?.parse().ok()
    };
    (
        of(" width=\"").unwrap_or_default(),
        of(" height=\"").unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use greenwave_game::{BoardGame, Game};

    use super::*;

    #[test]
    fn a_film_shows_every_picture_once_in_a_turn() {
        let game = BoardGame::named("classic-3x3").unwrap();
        let boards = [".../.../...", ".../.R./...", ".../.Y./..."];
        let diagrams = boards.map(|text| game.diagram(&game.parse_position(text).unwrap()));
        let pictures = diagrams
            .each_ref()
            .map(|diagram| Picture::new(diagram, "board"));
        let svg = film(&pictures, "Three boards");
        assert_eq!(svg.matches("class=\"frame\"").count(), 3);
        assert!(
            svg.contains("animation-delay:2.40s") && svg.contains("turn 5.60s"),
            "{svg}"
        );
        assert_eq!(svg.matches("<style>").count(), 1);
        assert!(
            svg.contains("viewBox=\"0 0 174 174\" width=\"480\" height=\"480\""),
            "{}",
            &svg[..200]
        );
    }
}
