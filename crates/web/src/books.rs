//! Opening trees, worked out ply by ply: as deep as they are asked for, and as time and memory do for.

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::Luck;
use greenwave_play::{Book, BookOptions, Seat, book};
use greenwave_tablebase::{Budget, QueryOptions, Tablebase};
use greenwave_values::Instant;

use crate::answers::KeptBook;
use crate::explorer::{Client, Demand, Explorer};
use crate::problem::Problem;
use crate::question::Question;
use crate::worked::{Computation, Patience};

/// Longest work on a book in the background.
const LONGEST: Duration = Duration::from_secs(60);
/// Time of what settles all positions of a book together.
const TOGETHER: Duration = Duration::from_secs(30);
/// Positions between which the time of a question is divided, where nothing settles them together.
const PARTS: usize = 1 << 6;
/// Time for the first moves of a book that is being worked out.
const FIRST_MOVES: Duration = Duration::from_millis(60);

/// The requested book.
#[derive(Clone)]
pub(crate) struct BookRequest {
    pub(crate) question: Question,
    /// Plies at most.
    pub(crate) depth: u32,
    /// The player for whom it is, if it is a repertoire.
    pub(crate) side: Option<Seat>,
}

impl BookRequest {
    /// The book: a kept one, one made by a look at values, or a request to retry while the background makes it.
    pub(crate) async fn found(
        &self,
        explorer: &Arc<Explorer>,
        client: Client,
    ) -> Result<Arc<KeptBook>, Problem> {
        let budget = self.question.time(explorer);
        let work = self.computation(explorer);
        explorer.worked_out(work, client, budget).await
    }

    /// The deepest part of the book that is there while the rest is being worked out.
    pub(crate) fn found_so_far(&self, explorer: &Arc<Explorer>) -> Option<Arc<KeptBook>> {
        (1..self.depth).rev().find_map(|depth| {
            let work = self.of_depth(depth).computation(explorer);
            explorer.worked_out_before(&work)
        })
    }

    /// The first moves, with what is known of them at once.
    pub(crate) async fn first_moves(
        &self,
        explorer: &Arc<Explorer>,
        client: Client,
    ) -> Result<Book, Problem> {
        let question = self.question.clone().hurried(FIRST_MOVES);
        explorer
            .work(client.again(), Demand::Search, move |_, tablebase| {
                let answer = tablebase.query_of(&question.at(), &question.options())?;
                Ok(Book::of_answer(&question.variant, &answer))
            })
            .await
    }

    fn of_depth(&self, depth: u32) -> BookRequest {
        BookRequest {
            depth,
            ..self.clone()
        }
    }

    fn computation(&self, explorer: &Arc<Explorer>) -> Computation<KeptBook> {
        let Question {
            variant,
            position,
            moves,
            ..
        } = &self.question;
        let has_moves_alone = variant.rules().properties.luck == Luck::None;
        let (request, later) = (self.clone(), Arc::clone(explorer));
        Computation {
            name: format!("the opening tree of {}", variant.rules().title()),
            options: format!("{position:?} {moves:?} {} {:?}", self.depth, self.side),
            of_values: has_moves_alone,
            patience: if has_moves_alone {
                Patience::None
            } else {
                Patience::Whole
            },
            variants: vec![Arc::clone(variant)],
            kept: |explorer| &explorer.books,
            make: Arc::new(move |tablebase: &Tablebase| request.made(&later, tablebase)),
        }
    }

    /// Makes the book ply by ply, and keeps what is less deep than it is to be.
    fn made(&self, explorer: &Arc<Explorer>, tablebase: &Tablebase) -> Result<KeptBook, Problem> {
        let time = if explorer.in_folder {
            self.question.time(explorer) * 4 / 5
        } else {
            LONGEST
        };
        let deadline = Instant::now() + time;
        let mut last: Option<KeptBook> = None;
        for depth in self.depth.min(1)..=self.depth {
            let options = BookOptions {
                depth,
                side: self.side,
                query: QueryOptions {
                    needs_move: self.side.is_some(),
                    ..self.question.clone().parted(PARTS).options()
                },
                together: Some(Budget::Time(time.min(TOGETHER))),
                // The first moves are few.
                deadline: (depth > 1).then_some(deadline),
            };
            let made = book(tablebase, &self.question.course, &options)
                .map_err(Problem::from)
                .and_then(|made| kept(explorer, tablebase, made, depth));
            let problem = match made {
                Ok(made) => {
                    if depth < self.depth {
                        let work = self.of_depth(depth).computation(explorer);
                        explorer.books.keep(&work.key(explorer), made.clone());
                    }
                    last = Some(made);
                    continue;
                }
                Err(problem) => problem,
            };
            let is_late = Instant::now() >= deadline && !tablebase.progress().cancelled();
            let is_too_much = is_late || problem.retry_after().is_none();
            return last.filter(|_| is_too_much).ok_or(problem);
        }
        last.ok_or_else(|| Problem::too_long(time))
    }
}

/// A book with its memory reserved; a large one is kept alone.
fn kept(
    explorer: &Explorer,
    tablebase: &Tablebase,
    made: Book,
    depth: u32,
) -> Result<KeptBook, Problem> {
    let bytes = made.bytes() as u64;
    if bytes > tablebase.memory() / 64 {
        explorer.books.clear();
    }
    let what = format!("a book with {} positions", made.nodes.len());
    let reserve = || tablebase.reserve(bytes.into(), &what, "");
    let reserved = reserve().or_else(|_| {
        explorer.books.clear();
        reserve()
    })?;
    Ok(KeptBook {
        book: Arc::new(made),
        depth,
        _reserved: Arc::new(reserved),
    })
}
