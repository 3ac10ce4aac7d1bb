//! Addresses as pictures that a telephone reads.

use std::fmt::Write;

use greenwave_picture::escaped;
use qrcode::{Color, EcLevel, QrCode};

use crate::answer::{AnswerKind, RouteAnswer};
use crate::params::Params;
use crate::problem::Problem;

/// Light modules around the code.
const QUIET: usize = 4;

/// The code of the parameter `text`.
pub(crate) fn answer(params: &Params) -> Result<RouteAnswer, Problem> {
    let text = params
        .get("text")
        .filter(|text| !text.is_empty())
        .ok_or_else(|| Problem::input("found no text, expected ?text= and an address"))?;
    let code = QrCode::with_error_correction_level(text, EcLevel::L).map_err(|_| {
        Problem::input(format!(
            "found {} bytes, which do not fit a QR code; expected at most 2953",
            text.len()
        ))
    })?;
    let side = code.width();
    let whole = side + 2 * QUIET;
    let mut path = String::new();
    for (place, module) in code.to_colors().into_iter().enumerate() {
        if module == Color::Dark {
            let (x, y) = (place % side + QUIET, place / side + QUIET);
            // Writing into a string does not fail.
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    let picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\" role=\"img\" \
         shape-rendering=\"crispEdges\"><title>{}</title><rect width=\"{whole}\" \
         height=\"{whole}\" fill=\"#fff\"/><path d=\"{path}\"/></svg>",
        escaped(text)
    );
    Ok(RouteAnswer::new(AnswerKind::Svg, picture))
}
