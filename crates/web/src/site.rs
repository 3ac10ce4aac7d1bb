//! The explorer without a server: the same pages and answers, one after another, for a folder of files
//! whose script asks for them.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::assets::ASSETS;
use crate::explorer::{Client, Explorer, ExplorerSettings};
pub(crate) use crate::first_pages::FIRST_PAGES;

use crate::answer::{AnswerKind, RouteAnswer};
use crate::params::LONGEST;
use crate::problem::Problem;
use crate::routes::{PageRequest, answer, status_of, told};

/// The explorer in a folder of files.
///
/// ```
/// use std::time::Duration;
///
/// use greenwave_tablebase::Tablebase;
/// use greenwave_web::{ExplorerSettings, Site};
///
/// let site = Site::new(ExplorerSettings {
///     tablebase: Tablebase::open("no-such-folder")?,
///     files: Vec::new(),
///     budget: Duration::from_secs(10),
///     jobs: 1,
///     base_url: None,
///     trusted: Vec::new(),
///     access_log: None,
///     offline: None,
///     version: "1".into(),
/// });
/// let page = site.get("/classic-3x3?moves=b2R", "file:///index.html", "en");
/// assert_eq!(page.status, 200);
/// assert!(page.body.contains("First player wins in 16 plies"));
/// # Ok::<(), greenwave_tablebase::Error>(())
/// ```
pub struct Site(Arc<Explorer>);

/// What the site shows at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status that a server would answer with.
    pub status: u16,
    /// The media type of the body.
    pub media_type: &'static str,
    /// The address of the page that is to be shown in its place.
    pub moved: Option<String>,
    /// A page, a picture, or documents.
    pub body: String,
}

impl Site {
    /// The site with these settings, of which it needs neither an address nor a log.
    #[must_use]
    pub fn new(settings: ExplorerSettings) -> Site {
        Site(Arc::new(Explorer::new(settings, true)))
    }

    /// What is at `address`, a path with parameters such as `/classic-3x3?moves=b2R`. Addresses that
    /// are given away begin with `here`; `languages` are those that the reader prefers, as in
    /// `Accept-Language`.
    #[must_use]
    pub fn get(&self, address: &str, here: &str, languages: &str) -> Reply {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let asked = PageRequest {
            path,
            query,
            languages: Some(languages),
            origin: here,
        };
        match self.answer(address, &asked) {
            Ok(answered) => {
                let status = if answered.kind.is_elsewhere() {
                    303
                } else if answered.kind == AnswerKind::PartPage {
                    400
                } else {
                    200
                };
                reply(status, answered)
            }
            Err(problem) => {
                let status = status_of(&problem).as_u16();
                reply(status, told(&self.0, &asked, &problem))
            }
        }
    }

    fn answer(&self, address: &str, asked: &PageRequest<'_>) -> Result<RouteAnswer, Problem> {
        if address.len() > LONGEST {
            return Err(Problem::too_large(address.len() as u64));
        }
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let client = Client::now(here, true, self.0.settings.budget);
        // The page never waits for a thread: it answers questions itself.
        let answered = pin!(answer(&self.0, asked, client));
        match answered.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answered) => answered,
            Poll::Pending => Err(Problem::not_found(format!(
                "'{address}' cannot be had without a server"
            ))),
        }
    }

    /// The files of a folder but for the script, names and texts: first pages, and what they load.
    pub fn files(&self) -> Vec<(&'static str, String)> {
        let pages = FIRST_PAGES
            .iter()
            .map(|(file, address)| (*file, self.get(address, file, "en").body));
        let name = |path: &'static str| path.rsplit('/').next().unwrap_or(path);
        let assets = ASSETS
            .iter()
            .filter(|asset| !asset.media_type.starts_with("text/javascript"));
        let assets = assets.map(|asset| (name(asset.path), asset.text.clone()));
        pages.chain(assets).collect()
    }

    /// The script of a site: `engine` is the module in WebAssembly, compressed by gzip, in base64.
    #[must_use]
    pub fn script(engine: &str) -> String {
        let site = include_str!("../assets/site.js");
        let explorer = include_str!("../assets/explorer.js");
        format!("{{\nconst ENGINE = \"{engine}\";\n{site}}}\n{{\n{explorer}}}\n")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn reply(status: u16, answered: RouteAnswer) -> Reply {
    let media_type = answered.kind.media_type();
    let (moved, body) = match answered.kind {
        AnswerKind::Moved | AnswerKind::Renamed => (Some(answered.body), String::new()),
        AnswerKind::Json
        | AnswerKind::Coming(..)
        | AnswerKind::Lines
        | AnswerKind::Svg
        | AnswerKind::Text
        | AnswerKind::Page
        | AnswerKind::FinalPage
        | AnswerKind::PartPage
        | AnswerKind::Embedded => (None, answered.body),
    };
    Reply {
        status,
        media_type,
        moved,
        body,
    }
}
