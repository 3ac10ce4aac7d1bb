//! The answer to a query: the position's figures and every move's, best first.

use std::cmp::Reverse;

use greenwave_game::{Figures, Game, Metric, Outcome, Plies, Rules};
use greenwave_values::{ValueSource, codes};

/// A move with what it is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveAnswer<P, M> {
    /// The move.
    pub mv: M,
    /// The position that it leads to.
    pub to: P,
    /// Figures for the player who makes the move; the distance counts it.
    pub figures: Figures,
    /// Whether the move ends the game.
    pub ends: bool,
}

/// A position with its figures, for the player to move, and all its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionAnswer<P, M> {
    /// The position.
    pub position: P,
    /// Its figures.
    pub figures: Figures,
    /// Whether the game is over.
    pub terminal: bool,
    /// Its moves, best first, equals in listing order.
    pub moves: Vec<MoveAnswer<P, M>>,
    /// Number of the first moves that tie for the best; 0 where the best is not known.
    pub best: usize,
}

/// Asks a source about a position.
///
/// # Errors
/// When the source cannot be read.
pub fn answer<G: Game, S: ValueSource<G::Position> + ?Sized>(
    game: &G,
    position: &G::Position,
    source: &S,
) -> Result<PositionAnswer<G::Position, G::Move>, S::Error> {
    let mut listed = Vec::new();
    game.moves(position, &mut listed);
    let edges: Vec<_> = listed.iter().map(|mv| game.play(position, *mv)).collect();
    let mut places = Vec::with_capacity(edges.len() + 1);
    places.extend(edges.iter().map(|edge| edge.to));
    places.push(*position);
    let mut known = Vec::with_capacity(places.len());
    source.figures_of_all(&places, &mut known)?;
    let known = |number: usize| or_by_rules(game, known[number], &places[number]);
    let made = listed.into_iter().zip(&edges).enumerate();
    let moves = made.map(|(number, (mv, edge))| MoveAnswer {
        mv,
        to: edge.to,
        figures: known(number).after_move(edge.gain, edge.keeps_turn),
        ends: game.ending(&edge.to).is_some(),
    });
    let moves = moves.collect();
    let figures = known(edges.len());
    let terminal = game.ending(position).is_some();
    let tie = source.tie();
    let found = PositionAnswer::with_tie(*position, figures, terminal, moves, tie);
    Ok(found.deduced(game))
}

/// Whether figures say who wins and not in how many plies, which the rules of the game may add.
#[must_use]
pub fn lacks_distance(figures: &Figures, rules: &Rules) -> bool {
    let is_decided = figures.value.is_some_and(|value| value != Outcome::Draw);
    is_decided && figures.distance.is_none() && rules.metrics.contains(&Metric::Distance)
}

/// Figures of a position. A finished game needs no source: the rules say how it ended.
fn or_by_rules<G: Game>(game: &G, figures: Figures, position: &G::Position) -> Figures {
    if figures != Figures::default() {
        return figures;
    }
    let ending = game.ending(position);
    ending.map_or(figures, |ending| {
        codes::ended_by_rules(game.rules(), &ending)
    })
}

/// Room for the moves of a position, used again from position to position.
#[derive(Clone, Debug)]
pub struct BestMoves<P, M> {
    listed: Vec<M>,
    // What a move gains, and whether it keeps the turn.
    made: Vec<(i32, bool)>,
    // Where the moves lead, and the position itself.
    places: Vec<P>,
    figures: Vec<Figures>,
    best: Vec<M>,
}

impl<P, M> Default for BestMoves<P, M> {
    fn default() -> BestMoves<P, M> {
        BestMoves {
            listed: Vec::new(),
            made: Vec::new(),
            places: Vec::new(),
            figures: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl<P, M> BestMoves<P, M> {
    /// The best moves of the latest position, in listing order.
    #[must_use]
    pub fn best(&self) -> &[M] {
        &self.best
    }
}

/// The figures of an unfinished position, and into `scratch` its best moves as the metrics that tell
/// moves apart decide: what [`answer`] says of both sources together, without the order of the other
/// moves.
///
/// # Errors
/// When a source cannot be read.
pub fn best_moves<G: Game, S: ValueSource<G::Position>>(
    game: &G,
    position: &G::Position,
    deciding: &S,
    others: &S,
    scratch: &mut BestMoves<G::Position, G::Move>,
) -> Result<Figures, S::Error> {
    let BestMoves {
        listed,
        made,
        places,
        figures,
        best,
    } = scratch;
    best.clear();
    game.moves(position, listed);
    made.clear();
    places.clear();
    for mv in listed.iter() {
        let edge = game.play(position, *mv);
        made.push((edge.gain, edge.keeps_turn));
        places.push(edge.to);
    }
    places.push(*position);
    deciding.figures_of_all(places, figures)?;
    let own = figures.pop().unwrap_or_default();
    let own = own.or(others.figures(position)?);
    if own.value.is_none() && own.odds.is_none() {
        return Ok(own);
    }
    for ((figures, child), (gain, keeps_turn)) in figures.iter_mut().zip(places).zip(made) {
        *figures = or_by_rules(game, *figures, child).after_move(*gain, *keeps_turn);
    }
    if let Some(head) = figures.iter().min_by_key(|figures| rank(figures)) {
        let tie = deciding.tie();
        let ties = listed.iter().zip(figures.iter());
        best.extend(
            ties.filter(|(_, figures)| same(head, figures, tie))
                .map(|(mv, _)| *mv),
        );
    }
    Ok(own)
}

/// Whether figures are as good as each other.
fn same(a: &Figures, b: &Figures, tie: f64) -> bool {
    match (a.odds, b.odds) {
        (Some(a), Some(b)) => (a.expectation - b.expectation).abs() <= tie,
        _ => rank(a) == rank(b),
    }
}

/// The numbers of moves in order of quality, and how many are as good as the first. Compiled once,
/// whatever the moves are.
fn by_quality(moves: usize, tie: f64, figures: &dyn Fn(usize) -> Figures) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..moves).collect();
    order.sort_by_key(|number| rank(&figures(*number)));
    // Moves that are as good as the best of their group come in listing order again.
    let (mut first, mut best) = (0, 0);
    while first < order.len() {
        let head = figures(order[first]);
        let alike = |number: &&usize| same(&head, &figures(**number), tie);
        let group = order[first..].iter().take_while(alike).count();
        order[first..first + group].sort_unstable();
        if first == 0 {
            best = group;
        }
        first += group;
    }
    (order, best)
}

impl<P: Copy, M: Copy> PositionAnswer<P, M> {
    /// Puts the moves, given in listing order, into order of quality.
    #[must_use]
    pub fn new(
        position: P,
        figures: Figures,
        terminal: bool,
        moves: Vec<MoveAnswer<P, M>>,
    ) -> PositionAnswer<P, M> {
        PositionAnswer::with_tie(position, figures, terminal, moves, greenwave_game::TIE)
    }

    /// The same where expectations that differ by no more than `tie` are not told apart.
    #[must_use]
    pub fn with_tie(
        position: P,
        figures: Figures,
        terminal: bool,
        moves: Vec<MoveAnswer<P, M>>,
        tie: f64,
    ) -> PositionAnswer<P, M> {
        let (order, head) = by_quality(moves.len(), tie, &|number| moves[number].figures);
        // Where the value is known, or the plies or points, and those of no best move, nobody can say which they are.
        let of_best = order.first().map(|number| moves[*number].figures);
        let says_as_much = |of: Figures| {
            of.value == figures.value
                && (figures.distance.is_none() || of.distance.is_some())
                && (figures.points.is_none() || of.points.is_some())
        };
        let valued = figures.value.is_some() && of_best.is_none_or(says_as_much);
        let known = valued || figures.odds.is_some();
        PositionAnswer {
            position,
            figures,
            terminal,
            moves: order.into_iter().map(|number| moves[number]).collect(),
            best: if known { head } else { 0 },
        }
    }

    /// Adds what follows from the figures and the rules: where the position is lost, each of its moves loses;
    /// where values alone are known, a move that wins at once takes 1 ply, one after which the opponent wins at
    /// once takes 2.
    fn deduced<G>(mut self, game: &G) -> PositionAnswer<P, M>
    where
        M: PartialEq,
        G: Game<Position = P, Move = M>,
    {
        let is_lost = self.figures.value == Some(Outcome::Loss) && self.figures.odds.is_none();
        let is_open = |mv: &&mut MoveAnswer<P, M>| is_lost && mv.figures.value.is_none();
        let mut changed = false;
        for mv in self.moves.iter_mut().filter(is_open) {
            mv.figures.value = Some(Outcome::Loss);
            changed = true;
        }
        let lacks = |figures: &Figures| lacks_distance(figures, game.rules());
        if self.terminal || !self.moves.iter().any(|mv| lacks(&mv.figures)) {
            return if changed { self.ordered(game) } else { self };
        }
        let mut replies = Vec::new();
        for mv in self.moves.iter_mut().filter(|mv| lacks(&mv.figures)) {
            let edge = game.play(&self.position, mv.mv);
            let after = match game.ending(&edge.to) {
                Some(_) => Some(Plies(0)),
                None => game
                    .has_winning_move(&edge.to, &mut replies)
                    .then_some(Plies(1)),
            };
            mv.figures.distance = after.map(|plies| Plies(plies.0 + 1));
        }
        if lacks(&self.figures) {
            let known = self.moves.iter().map(|mv| mv.figures);
            self.figures.distance = if is_lost {
                let all: Option<Vec<Plies>> = known.map(|of| of.distance).collect();
                all.and_then(|all| all.into_iter().max())
            } else {
                // All that are so short are known.
                let wins = known.filter(|of| of.value == Some(Outcome::Win));
                let short = wins.filter_map(|of| of.distance.filter(|plies| plies.0 <= 2));
                short.min()
            };
        }
        self.ordered(game)
    }

    /// Puts the moves into order of quality again, equals in listing order, once their figures have changed.
    #[must_use]
    pub fn ordered<G>(mut self, game: &G) -> PositionAnswer<P, M>
    where
        M: PartialEq,
        G: Game<Position = P, Move = M>,
    {
        let mut listed = Vec::new();
        game.moves(&self.position, &mut listed);
        self.moves
            .sort_by_key(|mv| listed.iter().position(|other| *other == mv.mv));
        PositionAnswer::new(self.position, self.figures, self.terminal, self.moves)
    }

    /// The move that best play makes: of the best ones with the highest win probability, where there
    /// is chance, the first.
    #[must_use]
    pub fn taken(&self, tie: f64) -> Option<&MoveAnswer<P, M>> {
        let win = |mv: &MoveAnswer<P, M>| mv.figures.odds.map_or(0.0, |odds| odds.win);
        let best = &self.moves[..self.best];
        best.iter().reduce(|first, mv| {
            if win(mv) > win(first) + tie {
                mv
            } else {
                first
            }
        })
    }
}

/// Sort key of a move, best first: value (win, draw, unknown, loss), points, distance (short wins,
/// long losses), expectation. Points that are not known compare equal, distances that are not known are
/// taken for long.
#[must_use]
pub fn rank(figures: &Figures) -> impl Ord + use<> {
    let value = match figures.value {
        Some(Outcome::Win) => 0,
        Some(Outcome::Draw) => 1,
        None => 2,
        Some(Outcome::Loss) => 3,
    };
    let points = Reverse(figures.points.unwrap_or(0));
    // A distance that is not known may be any, so what is known to be short is taken or left first.
    let plies = figures
        .distance
        .map_or(i64::MAX, |plies| i64::from(plies.0));
    let distance = match figures.value {
        // In games with chance there are no distances, and values follow from the odds.
        _ if figures.odds.is_some() => 0,
        Some(Outcome::Loss) => -plies,
        _ => plies,
    };
    let expectation = figures.odds.map_or(0.0, |odds| odds.expectation);
    // Order of floats as order of integers.
    let bits = expectation.to_bits() as i64;
    let ordered = bits ^ (((bits >> 63) as u64) >> 1) as i64;
    // In games with chance the value follows from the odds and is not compared.
    let value = if figures.odds.is_some() { 0 } else { value };
    (value, points, distance, Reverse(ordered))
}
