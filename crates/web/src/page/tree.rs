//! The opening tree of a game: positions up to symmetry, as a list; the graph stands above it.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::Game;
use greenwave_picture::escaped;
use greenwave_play::{Book, BookNode, Seat};
use greenwave_tablebase::Value;

use crate::api;
use crate::books::BookRequest;
use crate::explorer::{Client, Explorer};
use crate::page::moves::tone_class;
use crate::page::notices::wait;
use crate::page::reader::Reader;
use crate::page::written::short;
use crate::page::{figures, frame, mini, titles};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// Most plies of a tree on a page.
const DEPTH: u64 = 5;
/// Positions of a page, at most: where there are more, it ends a ply sooner.
const LISTED: usize = 1200;

/// The requested tree.
struct TreeRequest {
    depth: u32,
    side: Option<Seat>,
}

impl TreeRequest {
    fn read(params: &Params) -> Result<TreeRequest, Problem> {
        let side = api::side(params)?;
        // A repertoire has one move where the whole tree has many.
        let usual = if side.is_some() { 4 } else { 2 };
        let depth = params.number_from("depth", 1, DEPTH)?.unwrap_or(usual);
        Ok(TreeRequest {
            depth: depth as u32,
            side,
        })
    }
}

/// What a page shows of a tree.
struct KnownTree {
    book: Arc<Book>,
    /// Plies of it.
    depth: u32,
    /// Whether it would be too long for a page if it were deeper.
    is_long: bool,
    /// Seconds after which there is more, while it is being worked out.
    again: Option<u32>,
}

impl KnownTree {
    async fn of(
        explorer: &Arc<Explorer>,
        question: &Question,
        shape: &TreeRequest,
        client: Client,
    ) -> Result<KnownTree, Problem> {
        let mut request = BookRequest {
            question: question.clone(),
            depth: shape.depth,
            side: shape.side,
        };
        let mut is_long = false;
        let problem = loop {
            match request.found(explorer, client).await {
                Ok(found) if found.depth > 1 && found.book.nodes.len() > LISTED => {
                    is_long = true;
                    request.depth = found.depth - 1;
                }
                Ok(found) => {
                    return Ok(KnownTree {
                        book: Arc::clone(&found.book),
                        depth: found.depth,
                        is_long,
                        again: None,
                    });
                }
                Err(problem) => break problem,
            }
        };
        if problem.pending.is_none() {
            return Err(problem);
        }
        let so_far = request.found_so_far(explorer);
        let book = match so_far.filter(|found| found.book.nodes.len() <= LISTED) {
            Some(found) => Arc::clone(&found.book),
            None => match request.first_moves(explorer, client).await {
                Ok(book) => Arc::new(book),
                // All threads are busy: the page says that it is being worked out.
                Err(_) => return Err(problem),
            },
        };
        Ok(KnownTree {
            book,
            depth: shape.depth,
            is_long,
            again: problem.comes_in(),
        })
    }
}

/// The page of the tree of a question.
pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let shape = TreeRequest::read(params)?;
    let KnownTree {
        book,
        depth,
        is_long,
        again,
    } = KnownTree::of(explorer, &question, &shape, client).await?;
    let reader = &Reader {
        again,
        ..reader.clone()
    };
    let tree = TreePage {
        explorer,
        reader,
        question: &question,
        book: &book,
    };
    let path = format!("/{}/tree", question.name);
    let game = titles::title(explorer, words, &question.name);
    let title = words.with("tree-title", &game);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"tree\"{}><h1>{}</h1><p class=\"lead\">{}</p>{}",
        frame::again(reader),
        escaped(&title),
        words.text("tree-note"),
        tree.form(&path, &shape)
    );
    let open = book
        .nodes
        .iter()
        .filter(|node| node.value == Value::Unknown);
    let open = open.count();
    let mut remarks: Vec<String> = Vec::new();
    if let Some(seconds) = again {
        let said = wait(words, seconds);
        let _ = write!(
            body,
            "<p class=\"said\" role=\"status\">{}</p>",
            escaped(&said)
        );
    } else if depth < shape.depth {
        let key = if is_long { "tree-cut" } else { "tree-far" };
        remarks.push(words.with(key, words.plies(depth)));
    }
    if open > 0 && again.is_none() {
        remarks.push(words.with("tree-open", open));
    }
    for remark in remarks {
        let _ = write!(body, "<p class=\"note\">{}</p>", escaped(&remark));
    }
    let _ = write!(
        body,
        "<details class=\"tree-list\" open data-below><summary><h2>{}</h2></summary><p class=\"note\">{}</p>{}</details>",
        escaped(&words.with("tree-positions", book.nodes.len())),
        words.text("tree-legend"),
        tree.list()
    );
    body.push_str(&tree.graph());
    let _ = write!(
        body,
        "<p class=\"details\">{} <span class=\"of-graph\">{} {}</span></p>{}</main>",
        figures::legend(words, question.variant.rules().has_draws()),
        words.text("tree-width"),
        words.text("tree-colours"),
        titles::lights_note(words, &question.variant)
    );
    let depth = shape.depth.to_string();
    let mut own: Vec<(&str, &str)> = Vec::new();
    own.extend(question.position.as_deref().map(|text| ("position", text)));
    own.extend(question.moves.as_deref().map(|text| ("moves", text)));
    own.push(("depth", &depth));
    own.extend(shape.side.map(|side| ("for", side.name())));
    Ok(frame::answer(
        explorer,
        reader,
        &title,
        Some((&path, &own)),
        &body,
    ))
}

/// The book of a tree, and who reads it.
pub(super) struct TreePage<'a> {
    pub(super) explorer: &'a Explorer,
    pub(super) reader: &'a Reader,
    pub(super) question: &'a Question,
    pub(super) book: &'a Book,
}

impl TreePage<'_> {
    /// The address of the page of a position.
    pub(super) fn address(&self, node: &BookNode) -> String {
        let mut moves: Vec<&str> = self.question.moves.iter().map(String::as_str).collect();
        moves.extend(node.moves.iter().map(String::as_str));
        let moves = moves.join(",");
        let mut own: Vec<(&str, &str)> = Vec::new();
        let start = self.question.position.as_deref();
        own.extend(start.map(|text| ("position", text)));
        if !moves.is_empty() {
            own.push(("moves", &moves));
        }
        let path = format!("/{}", self.question.name);
        escaped(&self.reader.address(self.explorer, &path, &own))
    }

    /// The move that leads to a position.
    pub(super) fn name(&self, node: &BookNode) -> String {
        let words = self.reader.language;
        match node.moves.last() {
            Some(mv) => short(words, &self.question.variant, mv),
            None => words.text("tree-start").into(),
        }
    }

    /// Depth, and for whom.
    fn form(&self, path: &str, shape: &TreeRequest) -> String {
        let words = self.reader.language;
        let option = |value: &str, text: &str, chosen: bool| {
            let chosen = if chosen { " selected" } else { "" };
            format!(
                "<option value=\"{value}\"{chosen}>{}</option>",
                escaped(text)
            )
        };
        let depths: String = (1..=DEPTH as u32)
            .map(|plies| {
                let value = plies.to_string();
                option(&value, &words.length(plies), plies == shape.depth)
            })
            .collect();
        let sides: String = [
            ("", "tree-all", None),
            ("first", "tree-first", Some(Seat::First)),
            ("second", "tree-second", Some(Seat::Second)),
        ]
        .into_iter()
        .map(|(value, key, side)| option(value, words.text(key), side == shape.side))
        .collect();
        let mut hidden = self.reader.hidden_fields();
        let own = [
            ("position", &self.question.position),
            ("moves", &self.question.moves),
        ];
        for (name, value) in own {
            if let Some(value) = value {
                let _ = write!(
                    hidden,
                    "<input type=\"hidden\" name=\"{name}\" value=\"{}\">",
                    escaped(value)
                );
            }
        }
        format!(
            "<form class=\"filter\" action=\"{}{}\" method=\"get\"><p><label for=\"t-depth\">{}</label>\
             <select id=\"t-depth\" name=\"depth\">{depths}</select></p><p><label for=\"t-for\">{}</label>\
             <select id=\"t-for\" name=\"for\">{sides}</select></p>{hidden}<button>{}</button></form>",
            escaped(&self.explorer.base),
            escaped(&crate::params::encoded(path)),
            words.text("tree-depth"),
            words.text("tree-for"),
            words.text("show")
        )
    }

    /// Every position, each below the one that its last move was made in. What follows a move is folded, but for
    /// the best one.
    fn list(&self) -> String {
        let words = self.reader.language;
        let nodes = &self.book.nodes;
        let mut html = String::from("<ul>");
        // What closes each position that is open, and whether it is on the line of best moves.
        let mut open: Vec<(&str, bool)> = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            while open.len() > node.ply as usize {
                html.push_str(open.pop().map_or("", |(close, _)| close));
            }
            let follows_best = open.last().is_none_or(|(_, best)| *best);
            let is_first = number == 0 || nodes[number - 1].ply < node.ply;
            let best = follows_best && is_first;
            let _ = write!(html, "<li>{}", self.row(number, node));
            let replies = nodes[number + 1..]
                .iter()
                .take_while(|after| after.ply > node.ply)
                .filter(|after| after.ply == node.ply + 1)
                .count();
            let close = if replies == 0 {
                "</li>"
            } else if node.ply == 0 {
                html.push_str("<ul>");
                "</ul></li>"
            } else {
                let _ = write!(
                    html,
                    "<details{}><summary>{}</summary><ul>",
                    if best { " open" } else { "" },
                    words.with("tree-replies", replies)
                );
                "</ul></details></li>"
            };
            open.push((close, best));
        }
        while let Some((close, _)) = open.pop() {
            html.push_str(close);
        }
        html + "</ul>"
    }

    /// A position of the list: its board, the move that leads to it, what it is worth, and what there is to say
    /// about it.
    fn row(&self, number: usize, node: &BookNode) -> String {
        let words = self.reader.language;
        let (sign, tone, spoken) = figures::of_move(words, &node.for_mover());
        let mut html = format!(
            "<div class=\"tree-row\">{}<a href=\"{}\" data-node=\"{}\"{}>{}</a> <span class=\"tag {}\" aria-hidden=\"true\">{sign}</span>\
             <span class=\"unseen\">{}</span>",
            self.board(node, ""),
            self.address(node),
            node.met,
            if node.own { " class=\"own\"" } else { "" },
            escaped(&self.name(node)),
            tone_class(tone),
            escaped(&spoken)
        );
        if node.stands_for > 1 {
            let _ = write!(
                html,
                " <small class=\"weight\" aria-hidden=\"true\">\u{d7}{}</small><span class=\"unseen\">{}</span>",
                node.stands_for,
                words.with("tree-stands-for", node.stands_for)
            );
        }
        let mut remarks: Vec<String> = Vec::new();
        if node.only {
            remarks.push(words.text("tree-only").into());
        }
        if node.met != number {
            let moves = self.book.nodes[node.met].moves.join(" ");
            remarks.push(words.with("tree-same", moves));
        }
        if !remarks.is_empty() {
            let _ = write!(
                html,
                " <small>{}</small>",
                escaped(&remarks.join(" \u{b7} "))
            );
        }
        html + "</div>"
    }

    /// A small picture of a position.
    pub(super) fn board(&self, node: &BookNode, place: &str) -> String {
        let diagram = self.question.variant.diagram(&node.at);
        mini::mini(&diagram.marks, |level| diagram.letter(level), place)
    }
}
