//! `query`: the value of a position and of every move.

use std::fmt::Write;
use std::io::BufRead;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use greenwave_game::{
    Colours, Dense, Ending, Figures, Game, Metric, Odds, Outcome, Packing, Plies, Variant,
    with_game,
};
use greenwave_probe::{Answer, MoveAnswer, answer};
use greenwave_solver::{Budget, Reply, Searched, look_ahead};

use crate::args::{BudgetArg, QueryArgs};
use crate::chance::{self, has_chance};
use crate::holdings::Holdings;
use crate::output::json::{BadLineJson, EstimateJson, OutlookJson, QueryJson, SCHEMA, SourceJson};
use crate::output::{board, columns, print, print_json, words, wrapped};
use crate::session::{Session, Verdict};

const DEFAULT_BUDGET: Duration = Duration::from_secs(10);

pub(super) fn run(session: &Session, args: &QueryArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    let patience = match args.budget {
        Some(BudgetArg::Time(time)) => Some(time.as_secs_f64()),
        Some(BudgetArg::Nodes(_)) | None => None,
    };
    // A position that cannot be read is refused before anything is solved.
    // A finished position needs no values, only tables to be looked at for damage.
    let over = with_game!(&variant, game => match args.position.as_deref() {
        Some("-") => false,
        Some(text) => game.ending(&game.parse_position(text, colours)?).is_some(),
        None => game.ending(&game.start()).is_some(),
    });
    let holdings = if over {
        Holdings::tables(session, &variant)?
    } else {
        let many = args.position.as_deref() == Some("-");
        Holdings::for_query(session, &variant, patience, many)?
    };
    with_game!(&variant, game => {
        let asked = Asked {
            session,
            variant: &variant,
            game,
            colours,
            holdings: &holdings,
            budget: args.budget,
            patience,
        };
        match args.position.as_deref() {
            Some("-") => asked.batch(args.fail_fast),
            position => asked.one(position).map(|()| Verdict::Done),
        }
    })
}

/// One run of the command.
struct Asked<'a, G> {
    session: &'a Session,
    variant: &'a Variant,
    game: &'a G,
    colours: Colours,
    holdings: &'a Holdings,
    budget: Option<BudgetArg>,
    /// Seconds that a solve in memory may take, where they are given.
    patience: Option<f64>,
}

/// An answer, how far it is proven, and where it comes from.
struct Found<P, M> {
    answer: Answer<P, M>,
    outlook: OutlookJson,
    source: SourceJson,
}

impl<G: Dense> Asked<'_, G> {
    fn one(&self, text: Option<&str>) -> Result<()> {
        let position = match text {
            Some(text) => self.game.parse_position(text.trim(), self.colours)?,
            None => self.game.start(),
        };
        let found = self.find(&position)?;
        if self.session.json {
            let Found {
                answer,
                outlook,
                source,
            } = found;
            print_json(&QueryJson::new(self.game, &answer, outlook, source))
        } else {
            print(&self.picture(&found)?)
        }
    }

    fn batch(&self, fail_fast: bool) -> Result<Verdict> {
        let mut verdict = Verdict::Done;
        for (number, line) in std::io::stdin().lock().split(b'\n').enumerate() {
            let line = line?;
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            if let Err(error) = self.one(Some(text)) {
                if error.downcast_ref::<greenwave_game::SetupError>().is_none() {
                    return Err(error);
                }
                verdict = Verdict::SomeFailed;
                let error = format!("{error:#}");
                if self.session.json {
                    print_json(&BadLineJson {
                        schema: SCHEMA,
                        line: number + 1,
                        input: text,
                        error,
                    })?;
                } else {
                    crate::output::complain(&format!("error: line {}: {error}", number + 1));
                }
                if fail_fast {
                    break;
                }
            }
        }
        Ok(verdict)
    }

    fn find(&self, position: &G::Position) -> Result<Found<G::Position, G::Move>> {
        if let Some(ending) = self.game.ending(position) {
            let figures = over_figures(self.game, &ending);
            return Ok(Found {
                answer: Answer::new(*position, figures, true, Vec::new()),
                outlook: OutlookJson::default(),
                source: self.holdings.source_of(self.game.rules().default_metric),
            });
        }
        if self.holdings.is_empty() && has_chance(self.variant) {
            return self.solve_around(position);
        }
        if self.holdings.is_empty() {
            return self.search(position);
        }
        let answer = answer(self.game, position, &self.holdings.source(self.game)?)?;
        // A table of listed positions lacks those that play does not reach.
        let listed = self.game.packing(self.game.rules().default_metric) == Packing::Listed;
        if listed && answer.figures == Figures::default() {
            return self.search(position);
        }
        Ok(Found {
            answer,
            outlook: OutlookJson::default(),
            source: self.holdings.source_of(self.game.rules().default_metric),
        })
    }

    /// Solves a game with chance as far as one position needs, else searches.
    fn solve_around(&self, position: &G::Position) -> Result<Found<G::Position, G::Move>> {
        let text = self.game.position_text(position, Colours::Ryg);
        let holdings = Holdings::around(self.session, self.variant, &text, self.patience)?;
        if holdings.is_empty() {
            return self.search_chance(position, &text);
        }
        Ok(Found {
            answer: answer(self.game, position, &holdings.source(self.game)?)?,
            outlook: OutlookJson::default(),
            source: holdings.source_of(self.game.rules().default_metric),
        })
    }

    fn budget(&self) -> Budget {
        let start = Instant::now();
        match self.budget {
            Some(BudgetArg::Nodes(nodes)) => Budget {
                nodes: Some(nodes),
                deadline: None,
            },
            Some(BudgetArg::Time(time)) => Budget {
                nodes: None,
                deadline: start.checked_add(time),
            },
            None => Budget {
                nodes: None,
                deadline: start.checked_add(DEFAULT_BUDGET),
            },
        }
    }

    /// Exact odds of what is near enough to the end.
    fn search_chance(
        &self,
        position: &G::Position,
        text: &str,
    ) -> Result<Found<G::Position, G::Move>> {
        let (root, below) = chance::search(self.session, self.variant, text, self.budget())?;
        let figures = |odds: Option<Odds>| Figures {
            value: odds.map(|odds| odds.outcome()),
            odds,
            ..Figures::default()
        };
        let mut listed = Vec::new();
        self.game.moves(position, &mut listed);
        let moves = listed
            .into_iter()
            .zip(below)
            .map(|(mv, odds)| {
                let edge = self.game.play(position, mv);
                MoveAnswer {
                    mv,
                    to: edge.to,
                    figures: figures(odds).after_move(edge.gain, edge.keeps_turn),
                    ends: self.game.ending(&edge.to).is_some(),
                }
            })
            .collect();
        Ok(Found {
            answer: Answer::new(*position, figures(root), false, moves),
            outlook: OutlookJson {
                undecided_within: root.is_none().then_some(0),
                ..OutlookJson::default()
            },
            source: SourceJson {
                kind: "searched",
                file: None,
                signature: None,
            },
        })
    }

    fn search(&self, position: &G::Position) -> Result<Found<G::Position, G::Move>> {
        let budget = self.budget();
        let session = self.session;
        let searched = session.on_threads(|| {
            look_ahead(
                self.game,
                position,
                budget,
                session.memory,
                &session.progress,
            )
        });
        session.progress.finish();
        let searched = searched?;
        let moves = searched
            .found
            .replies
            .iter()
            .map(|reply| MoveAnswer {
                mv: reply.mv,
                to: reply.edge.to,
                figures: figures_of(reply),
                ends: self.game.ending(&reply.edge.to).is_some(),
            })
            .collect();
        let root = searched.found.root;
        let outlook = match root {
            Searched::Proven(_) => OutlookJson {
                line: (!searched.line.is_empty()).then(|| self.line_text(position, &searched.line)),
                ..OutlookJson::default()
            },
            Searched::Undecided { beyond } => OutlookJson {
                undecided_within: Some(beyond.0),
                line: None,
                estimate: self.estimate(position, &searched.found.replies),
            },
        };
        Ok(Found {
            answer: Answer::new(*position, root.figures(), false, moves),
            outlook,
            source: SourceJson {
                kind: "searched",
                file: None,
                signature: None,
            },
        })
    }

    /// The order of the lights in moves: JSON has red first always.
    fn written(&self) -> Colours {
        if self.session.json {
            Colours::Ryg
        } else {
            self.colours
        }
    }

    fn line_text(&self, start: &G::Position, line: &[(G::Move, G::Position)]) -> Vec<String> {
        let before = std::iter::once(start).chain(line.iter().map(|(_, after)| after));
        before
            .zip(line)
            .map(|(position, (mv, _))| self.game.move_text(position, *mv, self.written()))
            .collect()
    }

    /// The moves that look best, where nothing is proven; proven losses are left out.
    fn estimate(
        &self,
        position: &G::Position,
        replies: &[Reply<G::Position, G::Move>],
    ) -> Option<EstimateJson> {
        let open = replies
            .iter()
            .filter(|reply| figures_of(reply).value != Some(Outcome::Loss));
        let judged: Option<Vec<(f64, G::Move)>> = open
            .map(|reply| {
                let below = match figures_of(reply).value {
                    Some(Outcome::Draw) => 0.0,
                    _ => self.game.estimate(&reply.edge.to)?,
                };
                let mine = if reply.edge.keeps_turn { below } else { -below };
                Some((mine, reply.mv))
            })
            .collect();
        let judged = judged?;
        let outlook = judged
            .iter()
            .map(|(mine, _)| *mine)
            .max_by(f64::total_cmp)?;
        let best = judged.iter().filter(|(mine, _)| *mine == outlook);
        let text = |mv| self.game.move_text(position, mv, self.written());
        Some(EstimateJson {
            proven: false,
            // Not −0.
            outlook: outlook + 0.0,
            moves: best.map(|(_, mv)| text(*mv)).collect(),
        })
    }

    /// The answer for people.
    fn picture(&self, found: &Found<G::Position, G::Move>) -> Result<String> {
        let Found {
            answer,
            outlook,
            source,
        } = found;
        let game = self.game;
        let name = game.rules().title();
        let bold = anstyle::Style::new().bold();
        let mut text = String::new();
        let sentence = match outlook.undecided_within {
            Some(0) => "not decided within the budget".to_string(),
            Some(plies) => format!(
                "not decided within the budget; nobody can force a win within {}",
                greenwave_game::Plies(plies)
            ),
            None => match game.ending(&answer.position) {
                Some(ending) => words::over(&ending, chance::scored(self.variant)),
                None => words::sentence(&answer.figures, false),
            },
        };
        let drawn = answer.figures.value == Some(Outcome::Draw) && answer.figures.points.is_none();
        let endless = if drawn && !answer.terminal {
            words::endless(game)
        } else {
            ""
        };
        let head = format!("{name}: ");
        let answered = wrapped(&head, 2, &format!("{sentence}{endless}"));
        let answered = answered[head.len()..].trim_end();
        writeln!(text, "{head}{bold}{answered}{bold:#}\n")?;
        let diagram = game.diagram(&answer.position);
        text.push_str(&board::draw(&diagram, self.colours));
        writeln!(
            text,
            "\n  Position  {}",
            game.position_text(&answer.position, self.colours)
        )?;
        if let Some(nimber) = answer.figures.nimber {
            writeln!(text, "  Nimber    {nimber}")?;
        }
        if let Some(line) = &outlook.line {
            text.push_str(&wrapped("  Best play ", 12, &line.join(" ")));
        }
        if let Some(estimate) = &outlook.estimate {
            // Rounded first, so that there is no -0.00.
            let outlook = (estimate.outlook * 100.0).round() / 100.0 + 0.0;
            let judged = format!(
                "{outlook:+.2} (-1 bad, 1 good for the player to move; not proven), by {}",
                some_of(&estimate.moves)
            );
            text.push_str(&wrapped("  Estimate  ", 12, &judged));
        }
        if !answer.moves.is_empty() {
            writeln!(
                text,
                "\n  Moves, best first; values for the player who makes the move:"
            )?;
            text.push_str(&self.move_list(answer));
            text.push_str(&self.advice(answer));
        }
        writeln!(text)?;
        if answer.best > 0 {
            let unit = match game.rules().default_metric {
                Metric::Points => " Points are own minus the opponent's, still to come.",
                Metric::Distance => " Distances count plies: one player's moves.",
                Metric::Odds => " The first number is the expectation, before the draw.",
                Metric::Value | Metric::Nimber => "",
            };
            writeln!(text, "  * best move.{unit}")?;
        }
        writeln!(text, "  {}", board::key(&diagram, self.colours))?;
        writeln!(text, "  Source: {}", source.in_words())?;
        Ok(text)
    }

    /// What to keep to where nothing wins: the moves that keep a draw and those that lose, or the
    /// moves that put off a loss.
    fn advice(&self, answer: &Answer<G::Position, G::Move>) -> String {
        let of = |value: Outcome| {
            let moves = answer
                .moves
                .iter()
                .filter(|mv| mv.figures.value == Some(value));
            let texts: Vec<String> = moves
                .map(|mv| self.game.move_text(&answer.position, mv.mv, self.colours))
                .collect();
            texts
        };
        if answer.figures.points.is_some() || answer.figures.odds.is_some() {
            return String::new();
        }
        match (answer.figures.value, answer.figures.distance) {
            (Some(Outcome::Draw), _) => {
                let (keep, lose) = (of(Outcome::Draw), of(Outcome::Loss));
                if lose.is_empty() {
                    return "\n  Every move keeps the draw.\n".into();
                }
                format!(
                    "\n  Keep the draw: {}\n  Lose: {}\n",
                    keep.join(" "),
                    lose.join(" ")
                )
            }
            (Some(Outcome::Loss), Some(plies)) => {
                let longest = of(Outcome::Loss);
                if answer.best == longest.len() {
                    return format!("\n  Every move loses, none sooner than in {plies}.\n");
                }
                let longest = longest[..answer.best].join(" ");
                format!("\n  Hold out longest, {plies}: {longest}\n")
            }
            _ => String::new(),
        }
    }

    fn move_list(&self, answer: &Answer<G::Position, G::Move>) -> String {
        let rows: Vec<Vec<String>> = answer
            .moves
            .iter()
            .enumerate()
            .map(|(number, mv)| {
                let mark = if number < answer.best { "*" } else { " " };
                let mut note = String::new();
                if mv.ends {
                    note = match mv.figures.value {
                        Some(Outcome::Win) => "ends the game at once".into(),
                        _ => "ends the game".into(),
                    };
                }
                let nimber = mv
                    .figures
                    .nimber
                    .map(|nimber| format!("leaves nimber {nimber}"));
                vec![
                    mark.into(),
                    self.game.move_text(&answer.position, mv.mv, self.colours),
                    words::phrase(&mv.figures),
                    nimber.unwrap_or_default(),
                    note,
                ]
            })
            .collect();
        columns(&rows, 2, &[])
    }
}

/// Figures of a searched move, for the player who makes it.
fn figures_of<P, M>(reply: &Reply<P, M>) -> Figures {
    let below = reply.searched.figures();
    below.after_move(reply.edge.gain, reply.edge.keeps_turn)
}

/// The first few of a list.
fn some_of(moves: &[String]) -> String {
    const FEW: usize = 5;
    let more = if moves.len() > FEW { " …" } else { "" };
    format!("{}{more}", moves[..moves.len().min(FEW)].join(" "))
}

/// The figures of a finished game, whatever is solved: they follow from the rules.
fn over_figures<G: Game>(game: &G, ending: &Ending) -> Figures {
    let metrics = &game.rules().metrics;
    let has = |metric| metrics.contains(&metric);
    let decided = ending.outcome != Outcome::Draw;
    Figures {
        value: Some(ending.outcome),
        distance: (has(Metric::Distance) && decided).then_some(Plies(0)),
        points: has(Metric::Points).then_some(ending.points),
        nimber: has(Metric::Nimber).then_some(0),
        odds: has(Metric::Odds).then(|| Odds::of_ending(ending)),
    }
}

/// The position that a command works on: the text, or the start.
pub(super) fn position_or_start<G: Game>(
    game: &G,
    text: Option<&str>,
    colours: Colours,
) -> Result<G::Position> {
    match text {
        Some(text) => game
            .parse_position(text.trim(), colours)
            .map_err(|error| anyhow!(error)),
        None => Ok(game.start()),
    }
}
