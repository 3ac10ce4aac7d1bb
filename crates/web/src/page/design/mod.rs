//! A form that writes a rule file as one clicks: each choice is a link to the page with that
//! choice, so the address carries the rules. The winner stands beside it.

mod drawing;
mod form;

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{RuleFile, Variant};
use greenwave_picture::escaped;
use greenwave_tablebase::Tablebase;

use crate::design_result::DesignResult;
use crate::explorer::{Client, Explorer};
use crate::own_rules::choices::Design;
use crate::page::frame;
use crate::page::reader::Reader;
use crate::params::Params;
use crate::problem::Problem;
use crate::question::time_of;
use crate::routes::RouteAnswer;
use crate::worked::Computation;
use form::Form;

/// Most squares of a board that is solved for the page.
const SOLVED: usize = 12;
/// Most positions of a game that remembers more than its board.
const REMEMBERED: u128 = 1 << 22;

pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let design = Design::read(params)?;
    let text = design.text();
    let form = Form {
        explorer,
        reader,
        design: &design,
    };
    let read = RuleFile::parse("designed.toml", &text);
    let many = |variant: &Variant| {
        Some(variant.indexable())
            .filter(|positions| variant.fixed_board().is_none() && *positions > REMEMBERED)
    };
    // Who wins by the rules, or why nobody can tell.
    let verdict = match &read {
        Ok(file) if design.squares() <= SOLVED && many(&file.variant).is_none() => {
            let variant = Arc::new(file.variant.clone());
            let own = Arc::clone(&variant);
            let work = Computation {
                name: "who wins by rules of one's own".into(),
                options: String::new(),
                of_values: true,
                variants: vec![variant],
                kept: |explorer: &Explorer| &explorer.designed,
                make: Arc::new(move |tablebase: &Tablebase| DesignResult::of(tablebase, &own)),
            };
            let budget = time_of(params, explorer)?;
            let found = explorer.worked_out(work, client, budget).await?;
            form.verdict(&found)
        }
        Ok(file) => {
            let large = match many(&file.variant).filter(|_| design.squares() <= SOLVED) {
                Some(positions) => words.with("design-many", words.grouped(positions)),
                None => words.with("design-large", SOLVED),
            };
            format!(
                "<p class=\"verdict\" id=\"verdict\">{}</p>",
                escaped(&large)
            )
        }
        Err(error) => form.faults(error),
    };
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way broad\" data-stays><h1>{}</h1><p class=\"lead\">{}</p>\
         <div class=\"designing\"><div class=\"drawn\">{}</div><div class=\"told\">{verdict}",
        words.text("design"),
        words.text("design-note"),
        form.board()
    );
    if let Ok(file) = &read {
        body.push_str(&form.ways(&file.variant));
    }
    let rules = match &read {
        Ok(file) => form.rules(&file.variant),
        Err(_) => String::new(),
    };
    let _ = write!(
        body,
        "</div><div class=\"choosing\">{}</div><div class=\"reading\">{rules}{}</div></div></main>",
        form.choices(),
        form.file(&text)
    );
    let own = design.own();
    let own: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    Ok(frame::answer(
        explorer,
        reader,
        words.text("design"),
        Some(("/design", &own)),
        &body,
    ))
}
