//! From addresses to answers.

use std::sync::Arc;

use greenwave_tablebase::{FaultKind, Refusal, SCHEMA};
use hyper::StatusCode;
use serde::Serialize;

pub(crate) use crate::answer::{AnswerKind, RouteAnswer};

use crate::answer::json_text;
use crate::explorer::{Client, Explorer};
use crate::page::{self, Reader};
use crate::params::{Params, decoded};
use crate::problem::{Problem, WorkProgress};
use crate::question::budget_remark;
use crate::{api, qr};

/// Where documents for programs are.
pub(crate) const API: &str = "/api/";
/// Where the server says that it is there.
pub(crate) const HEALTH: &str = "/healthz";
/// What crawlers read first.
pub(crate) const ROBOTS: &str = "/robots.txt";
/// Pictures of addresses for cameras.
pub(crate) const QR: &str = "/qr.svg";

/// What is requested, and by whom.
pub(crate) struct PageRequest<'a> {
    pub(crate) path: &'a str,
    /// What stands after the question mark.
    pub(crate) query: &'a str,
    /// A list of languages as in `Accept-Language`.
    pub(crate) languages: Option<&'a str>,
    /// The beginning of addresses for other programs.
    pub(crate) origin: &'a str,
}

pub(crate) async fn answer(
    explorer: &Arc<Explorer>,
    asked: &PageRequest<'_>,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let path = decoded(asked.path)?;
    let params = Params::read(asked.query)?;
    if path == HEALTH {
        let body = "{\"schema\":2,\"ok\":true}\n".into();
        return Ok(RouteAnswer::new(AnswerKind::Json, body));
    }
    let is_file = explorer.file(path.trim_start_matches('/')).is_some();
    let name = path.strip_prefix("/api/v1");
    let name = name.and_then(|rest| rest.strip_prefix('/').or(rest.is_empty().then_some(rest)));
    if let Some(name) = name.filter(|_| !is_file) {
        let answer = api::answer(explorer, name, &params, client).await?;
        let budget = || budget_remark(&params, explorer.settings.budget);
        return Ok(RouteAnswer {
            body: explorer.with_files_in_folder(answer.body),
            remark: answer.remark.or_else(budget),
            ..answer
        });
    }
    if is_api(&path) && !is_file {
        return Err(Problem::not_found(format!(
            "nothing is at '{path}'; /api/v1 lists what can be asked"
        )));
    }
    if path == ROBOTS {
        return Ok(RouteAnswer::new(AnswerKind::Text, robots(explorer)));
    }
    if path == QR {
        return qr::answer(&params);
    }
    let reader = Reader::read(&path, &params, asked.languages)?;
    page::answer(explorer, &path, &params, asked, reader, client).await
}

/// The pages that robots may read: pages of games, not every position of them.
fn robots(explorer: &Explorer) -> String {
    let base = &explorer.base;
    // Programs that show a preview of an address that a person passes on read that one page.
    const PREVIEWS: [&str; 7] = [
        "facebookexternalhit",
        "Twitterbot",
        "Slackbot-LinkExpanding",
        "TelegramBot",
        "WhatsApp",
        "Discordbot",
        "LinkedInBot",
    ];
    let previews: String = PREVIEWS
        .iter()
        .map(|name| format!("User-agent: {name}\n"))
        .collect();
    format!(
        "{previews}Allow: {base}/\n\nUser-agent: *\nDisallow: {base}/api/\nDisallow: {base}/tables/\nDisallow: {base}/qr.svg\nDisallow: {base}/own:\n\
         Disallow: {base}/*?*moves=\nDisallow: {base}/*?*position=\nDisallow: {base}/*?*boards=\n"
    )
}

/// The status of an answer that is not there: work under way was accepted, and to wait for it is no failure.
pub(crate) fn status_of(problem: &Problem) -> StatusCode {
    match problem.pending {
        Some(_) => StatusCode::ACCEPTED,
        None => problem.status,
    }
}

/// Whether the answer goes to programs and not to people.
pub(crate) fn is_api(path: &str) -> bool {
    path.starts_with(API) || path == HEALTH
}

/// Why there is no answer, for programs or for people.
pub(crate) fn told(explorer: &Explorer, asked: &PageRequest<'_>, problem: &Problem) -> RouteAnswer {
    let params = Params::readable(asked.query);
    let path = decoded(asked.path).unwrap_or_default();
    let typed = [asked.path, &path, asked.query].into_iter();
    let typed: Vec<&str> = typed.chain(params.typed()).collect();
    let is_of_file = problem.fault == FaultKind::File;
    if is_of_file {
        let told = problem.for_operator.as_deref();
        explorer.tell_operator(told.unwrap_or(problem.message.english()));
    }
    let seen = |message: &str| {
        // Paths on the disk of the server are its own business.
        let message = if is_of_file {
            explorer.without_folder(message)
        } else {
            message.to_string()
        };
        greenwave_game::told(&message, typed.iter().copied())
    };
    if is_api(asked.path) {
        let message = seen(problem.message.english());
        let body = match problem.pending {
            Some(pending) => json_text(&PendingDocument {
                schema: SCHEMA,
                pending,
                message,
            }),
            None => json_text(&Refusal::new(&message, problem.fault)),
        };
        return RouteAnswer::new(AnswerKind::Json, body);
    }
    let reader = Reader::who_reads(&params, asked.languages);
    page::of_problem(explorer, asked.path, &reader, &params, problem, seen)
}

/// The document for a question whose answer is being worked out.
#[derive(Serialize)]
struct PendingDocument {
    schema: u32,
    pending: WorkProgress,
    message: String,
}
