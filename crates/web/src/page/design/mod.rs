//! A form that writes a rule file as one clicks: each choice is a link to the page with that
//! choice, so the address carries the rules. The winner stands beside it.

mod drawing;
mod file;
mod form;

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{RuleFile, Variant};
use greenwave_tablebase::{Budget, Tablebase};

use crate::design_result::DesignResult;
use crate::explorer::{Client, Explorer};
use crate::own_rules::choices::Design;
use crate::own_rules::opened::OpenedRules;
use crate::page::reader::{Reader, STAGES};
use crate::page::{frame, titles};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::time_of;
use crate::routes::RouteAnswer;
use crate::worked::{Computation, Patience};
use form::Form;

/// Most squares of a board that is solved for the page.
const SOLVED: usize = 12;
/// Most positions of a game that remembers more than its board.
const REMEMBERED: u128 = 1 << 22;

/// Time of the search where a game is not solved, after the page that is there at once.
const SEARCHED: Duration = Duration::from_secs(1);

/// How it is worked out who wins: by a solve, or within a time by what is known and a search.
fn result_of(variant: &Variant, searched: Option<Duration>) -> Computation<DesignResult> {
    let variant = Arc::new(variant.clone());
    let own = Arc::clone(&variant);
    Computation {
        name: "who wins by rules of one's own".into(),
        options: format!("{searched:?}"),
        of_values: searched.is_none(),
        patience: Patience::Whole,
        variants: vec![variant],
        kept: |explorer: &Explorer| &explorer.designed,
        make: Arc::new(move |tablebase: &Tablebase| {
            DesignResult::of(tablebase, &own, searched.map(Budget::Time))
        }),
    }
}

/// What is known of a game that is not solved here.
struct DesignSearch {
    found: Option<Arc<DesignResult>>,
    /// What kept the search from its answer.
    problem: Option<Problem>,
    /// Seconds after which the page may show more.
    again: Option<u32>,
}

impl DesignSearch {
    /// The search for the page that is there at once, or the longer one for the page that follows it.
    async fn of(
        explorer: &Arc<Explorer>,
        variant: &Variant,
        stage: usize,
        client: Client,
    ) -> DesignSearch {
        let longer = result_of(variant, Some(SEARCHED));
        let is_last =
            explorer.in_folder || stage > 0 || explorer.worked_out_before(&longer).is_some();
        let (work, limit) = if is_last {
            (longer, 2 * SEARCHED)
        } else {
            (result_of(variant, Some(STAGES[0])), SEARCHED)
        };
        let (found, problem) = match explorer.worked_out(work, client, limit).await {
            Ok(found) => (Some(found), None),
            // It has had its time.
            Err(problem) if problem.is_too_long() => (None, None),
            Err(problem) => (None, Some(problem)),
        };
        let may_improve = found.as_ref().is_none_or(|found| found.may_improve());
        let again = match &problem {
            Some(problem) => problem.retry_after(),
            None => (may_improve && !is_last).then_some(1),
        };
        DesignSearch {
            found,
            problem,
            again,
        }
    }
}

pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let opened = params.text("file").filter(|text| !text.trim().is_empty());
    let opened = opened.map(|text| (OpenedRules::of(&text), text));
    if let Some((OpenedRules::Design(design), _)) = &opened {
        let own = design.own();
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        return Ok(RouteAnswer::moved(
            reader.address(explorer, "/design", &own),
        ));
    }
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
    // Why the game is not solved here, if it is not.
    let unsolved = |variant: &Variant| {
        if design.squares() > SOLVED {
            return Some(words.with("design-large", SOLVED));
        }
        many(variant).map(|positions| words.with("design-many", words.grouped(positions)))
    };
    let mut again = None;
    // Who wins by the rules, or why nobody can tell.
    let verdict = match &read {
        Ok(file) => match unsolved(&file.variant) {
            Some(why) => {
                let search = DesignSearch::of(explorer, &file.variant, reader.stage, client).await;
                again = search.again;
                let problem = search.problem.as_ref().map(|problem| &problem.message);
                form.unsolved(search.found.as_deref(), problem, &why)
            }
            None => {
                let budget = time_of(params, explorer)?;
                let work = result_of(&file.variant, None);
                form.verdict(&*explorer.worked_out(work, client, budget).await?)
            }
        },
        Err(error) => form.faults(error),
    };
    let query = params.with("stage", "1");
    let reader = &Reader {
        again,
        further: again.map(|_| format!("{}/design?{query}", explorer.base)),
        ..reader.clone()
    };
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way broad\" data-stays{}><h1>{}</h1><p class=\"lead\">{}</p>\
         <div class=\"designing\"><div class=\"drawn\">{}</div><div class=\"told\">{verdict}",
        frame::again(reader),
        words.text("design"),
        words.text("design-note"),
        form.board()
    );
    if let Ok(file) = &read {
        body.push_str(&form.ways(&file.variant));
    }
    let rules = match &read {
        Ok(file) => form.rules(&file.variant) + &titles::lights_note(words, &file.variant),
        Err(_) => String::new(),
    };
    let _ = write!(
        body,
        "</div><div class=\"choosing\">{}</div><div class=\"reading\">{rules}{}</div></div></main>",
        form.choices(),
        form.file(&text) + &form.open_file(opened.as_ref())
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
