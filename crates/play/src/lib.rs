//! Games as people play them, on top of a tablebase: the record of a game, how well the program
//! plays, hints, why a move is worth what it is, reviews of whole games, puzzles. Terminal and browser ask here, so that a level, a
//! mistake and a puzzle are the same to both.
//!
//! ```
//! use greenwave_play::{Dice, Level, Record, choose};
//! use greenwave_tablebase::{Place, Tablebase, read_variant};
//!
//! let tablebase = Tablebase::open("no-such-folder")?;
//! let variant = read_variant("classic-3x3")?;
//! let mut dice = Dice::new(1, 0);
//! let mut record = Record::begin(variant.clone(), &Place::start(), &mut dice)?;
//! while record.end().is_none() {
//!     let answer = tablebase.query_of(&record.here(), &Default::default())?;
//!     let choice = choose(&variant, &answer, Level::Perfect, &mut dice).expect("the game goes on");
//!     record.play(&choice.mv, &mut dice)?;
//! }
//! assert_eq!(record.turns().len(), 17, "the first player wins in 17 plies");
//! # Ok::<(), greenwave_tablebase::Error>(())
//! ```

#![forbid(unsafe_code)]

mod book;
mod documents;
mod explain;
mod explanation;
mod hardest;
mod hint;
mod level;
mod material;
mod messages;
mod practice;
mod puzzle;
mod ready;
mod record;
mod review;
mod said;
mod season;
mod shared_time;
mod symmetries;
mod theme;

pub use book::{Book, BookEnd, BookNode, BookOptions, book};
pub use documents::{By, PlyDocument, ResultDocument};
pub use explain::{
    AnsweredMove, CompletedLine, Fact, ForcedAnswer, MoveRefutation, RefutationPly,
    SAFE_MOVE_IDEAS, SettledPosition, essential, explain, idea_of, safe_moves_at, way_of,
};
pub use explanation::{ExplainedMove, Explanation, FactDocument};
pub use greenwave_probe::Dice;
pub use greenwave_words::Language;
pub use hardest::{HardestMoves, hardest};
pub use hint::{Endurance, HINTS, Hint, HintKind, Standing};
pub use level::{Level, Offer, ProgramMove, choose, keeps, pick};
pub use material::{CounterKind, EmptyBoards, counter_kinds};
pub use messages::MESSAGES;
pub use practice::practice;
pub use puzzle::{
    Puzzle, PuzzleOptions, Puzzles, can_have_puzzles, no_puzzles, puzzle_at, puzzle_level,
    search_puzzles,
};
pub use ready::{FULL_LEVEL, levels_of, offers_theme, puzzles, ready_line, ready_puzzles};
pub use record::{End, Record, RecordText, RecordTurn, Seat};
pub use review::{
    FormerValue, Mistakes, MoveMark, Review, ReviewPly, review, review_by, review_of,
};
pub use said::{sheet_task, swap_note, win_in};
pub use season::{GameReview, LostIn, PlayerReview, RepeatedMistake, season};
pub use symmetries::{MoveOrbit, PositionSymmetries};
pub use theme::Theme;
