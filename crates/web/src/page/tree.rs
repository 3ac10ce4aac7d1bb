//! The opening tree of a game: positions up to symmetry, as a list; the graph stands above it.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Game, Outcome};
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
/// Positions of a book that a page is made of, at most: where there are more, it ends a ply sooner.
const LISTED: usize = 5000;
/// Most positions after as many plies that are shown: of each position the best moves, and the others in one place.
const ROWS: usize = 24;
/// First moves that are shown in any case, at most.
const FIRST: usize = 12;

/// The requested tree.
struct TreeRequest {
    depth: u32,
    side: Option<Seat>,
}

impl TreeRequest {
    fn read(params: &Params) -> Result<TreeRequest, Problem> {
        let side = api::side(params)?;
        // A repertoire has one move where the whole tree has many.
        let usual = match side {
            None => 2,
            Some(Seat::First) => 3,
            Some(Seat::Second) => 4,
        };
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
        let Some(again) = problem.retry_after() else {
            return Err(problem);
        };
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
            again: Some(again),
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
        shown: ShownNodes::of(&book.nodes),
        side: shape.side,
    };
    let path = format!("/{}/tree", question.name);
    let game = titles::title(explorer, words, &question.name);
    let title = match shape.side {
        None => "tree-title",
        Some(Seat::First) => "tree-title-first",
        Some(Seat::Second) => "tree-title-second",
    };
    let title = words.with(title, &game);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"tree\"{}><h1>{}</h1><p class=\"lead\">{}</p>{}",
        frame::again(reader),
        escaped(&title),
        escaped(&tree.note()),
        tree.choices(&path, &shape)
    );
    let open = book
        .nodes
        .iter()
        .filter(|node| node.value == Value::Unknown);
    let open = open.count();
    let mut remarks: Vec<String> = Vec::new();
    if let Some(seconds) = again {
        let reach = explorer.reach_of(&question.variant).await;
        let said = if reach.is_some_and(|reach| reach.has_counts) {
            wait(words, seconds)
        } else {
            words.text("being-searched").into()
        };
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
    // A repertoire is learnt from its list, which has the answers to what loses at once.
    let below = if shape.side.is_some() {
        ""
    } else {
        " data-below"
    };
    let _ = write!(
        body,
        "<details class=\"tree-list\" open{below}><summary><h2>{}</h2></summary>{}{}</details>",
        escaped(&words.with("tree-positions", book.nodes.len())),
        tree.legend(),
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

/// Whether the move to a position loses at once: the reply to it wins.
pub(super) fn loses_at_once(node: &BookNode) -> bool {
    node.value.outcome() == Some(Outcome::Win) && node.distance == Some(1) && !node.keeps_turn
}

/// Which positions of a book a page shows: of each the best moves, as many as there is room for.
pub(super) struct ShownNodes {
    /// The nodes after each node, the best first, and how many of them do not lose at once.
    below: Vec<(Vec<usize>, usize)>,
    /// How many of them are shown, those after the root apart.
    most: usize,
}

impl ShownNodes {
    fn of(nodes: &[BookNode]) -> ShownNodes {
        let mut below: Vec<(Vec<usize>, usize)> = vec![(Vec::new(), 0); nodes.len()];
        let mut above: Vec<usize> = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            above.truncate(node.ply as usize);
            if let Some(before) = above.last() {
                below[*before].0.push(number);
                below[*before].1 += usize::from(!loses_at_once(node) || node.own);
            }
            above.push(number);
        }
        let mut shown = ShownNodes { below, most: ROWS };
        while shown.most > 1 && shown.longest() > ROWS {
            shown.most -= 1;
        }
        shown
    }

    /// The nodes after a node that are shown, and the others.
    pub(super) fn below(&self, number: usize) -> (&[usize], &[usize]) {
        let (all, safe) = &self.below[number];
        let most = if number == 0 {
            self.most.max(FIRST)
        } else {
            self.most
        };
        let most = most.min((*safe).max(1));
        // One place for a single other move is no shorter than the move.
        let most = if all.len() <= most + 1 {
            all.len()
        } else {
            most
        };
        all.split_at(most)
    }

    /// The most places after as many plies.
    fn longest(&self) -> usize {
        let mut longest = 0;
        let mut column = vec![0];
        while !column.is_empty() {
            let mut places = 0;
            let mut next = Vec::new();
            for number in column {
                let (shown, others) = self.below(number);
                places += shown.len() + usize::from(!others.is_empty());
                next.extend_from_slice(shown);
            }
            longest = longest.max(places);
            column = next;
        }
        longest
    }
}

/// The book of a tree, and who reads it.
pub(super) struct TreePage<'a> {
    pub(super) explorer: &'a Explorer,
    pub(super) reader: &'a Reader,
    pub(super) question: &'a Question,
    pub(super) book: &'a Book,
    pub(super) shown: ShownNodes,
    /// Whose repertoire it is.
    side: Option<Seat>,
}

impl TreePage<'_> {
    /// The address of the page of a position.
    pub(super) fn address(&self, node: &BookNode) -> String {
        self.address_of(node, "")
    }

    /// The address of a page of a position, below that of the game.
    pub(super) fn address_of(&self, node: &BookNode, below: &str) -> String {
        self.address_with(node, below, &[])
    }

    /// The same with parameters of its own.
    fn address_with(&self, node: &BookNode, below: &str, others: &[(&str, &str)]) -> String {
        let mut moves: Vec<&str> = self.question.moves.iter().map(String::as_str).collect();
        moves.extend(node.moves.iter().map(String::as_str));
        let moves = moves.join(",");
        let mut own: Vec<(&str, &str)> = Vec::new();
        let start = self.question.position.as_deref();
        own.extend(start.map(|text| ("position", text)));
        if !moves.is_empty() {
            own.push(("moves", &moves));
        }
        own.extend(others);
        let path = format!("/{}{below}", self.question.name);
        escaped(&self.reader.address(self.explorer, &path, &own))
    }

    /// The move that leads to a position.
    pub(super) fn name(&self, node: &BookNode) -> String {
        let words = self.reader.language;
        match node.moves.last() {
            Some(mv) => short(words, &self.question.variant, mv),
            None => words.text(self.root()).into(),
        }
    }

    /// What the position is from which the tree grows.
    fn root(&self) -> &'static str {
        let start = self.question.variant.start();
        if *self.question.at().position() == start {
            "tree-start"
        } else {
            "tree-here"
        }
    }

    /// What the list is of.
    fn note(&self) -> String {
        let words = self.reader.language;
        let is_measured = self.book.nodes.iter().any(|node| node.distance.is_some());
        let plies = is_measured.then(|| words.text("tree-note-plies"));
        let said: Vec<&str> = std::iter::once(words.text("tree-note"))
            .chain(plies)
            .collect();
        said.join(" ")
    }

    /// What the signs in the list mean that stand there.
    fn legend(&self) -> String {
        let words = self.reader.language;
        let nodes = self.listed();
        let images = nodes
            .iter()
            .map(|node| node.stands_for)
            .find(|images| *images > 1);
        let images = images.map(|images| {
            let images = images.to_string();
            words.filled("tree-images", &[("n", &images)])
        });
        let is_alone = nodes.iter().any(|node| node.only);
        let alone = is_alone.then(|| words.text("tree-one-keeps").into());
        let said: Vec<String> = images.into_iter().chain(alone).collect();
        if said.is_empty() {
            return String::new();
        }
        format!("<p class=\"note\">{}</p>", escaped(&said.join(" ")))
    }

    /// The positions that the list shows each by itself.
    fn listed(&self) -> Vec<&BookNode> {
        let mut listed = vec![0];
        let mut at = 0;
        while at < listed.len() {
            listed.extend_from_slice(self.shown.below(listed[at]).0);
            at += 1;
        }
        listed
            .iter()
            .map(|number| &self.book.nodes[*number])
            .collect()
    }

    /// Whose moves are shown, and how deep; and the print.
    fn choices(&self, path: &str, shape: &TreeRequest) -> String {
        let words = self.reader.language;
        let position = self.question.position.as_deref();
        let moves = self.question.moves.as_deref();
        let link = |depth: Option<u32>, side: Option<Seat>, is_chosen: bool, text: &str| {
            let depth = depth.map(|plies| plies.to_string());
            let mut own: Vec<(&str, &str)> = Vec::new();
            own.extend(position.map(|text| ("position", text)));
            own.extend(moves.map(|text| ("moves", text)));
            own.extend(depth.as_deref().map(|depth| ("depth", depth)));
            own.extend(side.map(|side| ("for", side.name())));
            format!(
                "<a href=\"{}\"{}>{}</a> ",
                escaped(&self.reader.plain().address(self.explorer, path, &own)),
                if is_chosen {
                    " aria-current=\"true\""
                } else {
                    ""
                },
                escaped(text)
            )
        };
        let sides = [
            (None, "tree-all"),
            (Some(Seat::First), "tree-first"),
            (Some(Seat::Second), "tree-second"),
        ]
        .map(|(side, key)| link(None, side, side == shape.side, words.text(key)));
        // From the start, a repertoire ends with a move of its own.
        let from_start = position.is_none() && moves.is_none();
        let ends_well = |plies: &u32| match shape.side.filter(|_| from_start) {
            None => true,
            Some(Seat::First) => !plies.is_multiple_of(2),
            Some(Seat::Second) => plies.is_multiple_of(2),
        };
        let depths = (1..=DEPTH as u32).filter(|plies| ends_well(plies) || *plies == shape.depth);
        let depths = depths.map(|plies| {
            let is_chosen = plies == shape.depth;
            link(Some(plies), shape.side, is_chosen, &words.length(plies))
        });
        format!(
            "<p class=\"tools\" role=\"group\" aria-label=\"{}\">{}</p><p class=\"tools\" role=\"group\" \
             aria-label=\"{}\">{}<button type=\"button\" class=\"scripted\" data-print hidden>{}</button></p>",
            words.text("tree-for"),
            sides.concat(),
            words.text("tree-depth"),
            depths.collect::<String>(),
            words.text("print")
        )
    }

    /// The shown positions, each below the one that its last move was made in. What follows a move is folded, but
    /// for the best one.
    fn list(&self) -> String {
        let mut html = String::from("<ul>");
        self.push_below(&mut html, 0, true);
        html + "</ul>"
    }

    /// Adds a position to the list, and what follows it; `is_best` where it is on the line of best moves.
    fn push_below(&self, html: &mut String, number: usize, is_best: bool) {
        let words = self.reader.language;
        let node = &self.book.nodes[number];
        let (shown, others) = self.shown.below(number);
        let _ = write!(html, "<li>{}", self.row(number, node));
        if shown.is_empty() {
            html.push_str(&self.further(number, node));
            html.push_str("</li>");
            return;
        }
        if node.ply > 0 {
            let _ = write!(
                html,
                "<details{}><summary>{}</summary>",
                if is_best { " open" } else { "" },
                words.with("tree-replies", shown.len() + others.len())
            );
        }
        html.push_str("<ul>");
        for (place, next) in shown.iter().enumerate() {
            self.push_below(html, *next, is_best && place == 0);
        }
        if !others.is_empty() {
            let _ = write!(
                html,
                "<li><details><summary>{}</summary><p class=\"tree-others\">",
                escaped(&self.others_answered(others))
            );
            for other in others {
                let other = &self.book.nodes[*other];
                let (sign, _, spoken) = figures::of_move(words, &other.for_mover());
                let _ = write!(
                    html,
                    "<a href=\"{}\">{} <span aria-hidden=\"true\">{sign}</span><span class=\"unseen\">{}</span></a> ",
                    self.address(other),
                    escaped(&self.answered(other)),
                    escaped(&spoken)
                );
            }
            html.push_str("</p></details></li>");
        }
        html.push_str("</ul>");
        html.push_str(if node.ply > 0 {
            "</details></li>"
        } else {
            "</li>"
        });
    }

    /// Where a repertoire stops before the end of the game, the way to its next moves.
    fn further(&self, number: usize, node: &BookNode) -> String {
        let Some(side) = self.side.filter(|_| !node.over && node.met == number) else {
            return String::new();
        };
        let address = self.address_with(node, "/tree", &[("for", side.name())]);
        let said = self.reader.language.text("tree-on");
        format!(
            " <small><a href=\"{address}\">{}</a></small>",
            escaped(said)
        )
    }

    /// What there is to say about the moves of a position that are not shown each by itself.
    pub(super) fn others(&self, others: &[usize]) -> String {
        let nodes = &self.book.nodes;
        let words = self.reader.language;
        if others.iter().all(|other| loses_at_once(&nodes[*other])) {
            words.counted(others.len() as i64, "tree-loses", "tree-lose")
        } else {
            words.with("tree-more", others.len())
        }
    }

    /// The same with the first of them that lose at once, each with its answer, in a repertoire: whoever learns it has
    /// to know them.
    fn others_answered(&self, others: &[usize]) -> String {
        const NAMED: usize = 3;
        let said = self.others(others);
        let nodes = others.iter().map(|other| &self.book.nodes[*other]);
        let lost = nodes.filter(|node| self.side.is_some() && loses_at_once(node));
        let mut named: Vec<String> = lost.map(|node| self.answered(node)).collect();
        if named.is_empty() {
            return said;
        }
        if named.len() > NAMED {
            named.truncate(NAMED);
            named.push("\u{2026}".into());
        }
        format!("{said}: {}", named.join(", "))
    }

    /// The move that leads to a position, and, where it loses at once, the answer that wins.
    fn answered(&self, node: &BookNode) -> String {
        let name = self.name(node);
        match node.best.first().filter(|_| loses_at_once(node)) {
            Some(mv) => {
                let answer = short(self.reader.language, &self.question.variant, mv);
                format!("{name} \u{2192} {answer}")
            }
            None => name,
        }
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
