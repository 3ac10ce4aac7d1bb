//! What the errors of this crate say that other languages have, too.

greenwave_game::messages! {
    record_of(found, name) = "the record is of {found}, not of {name}; ask about {found} instead";
    record_version(found, expected) = "the documents are of schema {found}, expected {expected}; those of schema 1 have red first in every variant, so make them again, or give the moves alone with --lights ryg";
    record_lights(found) = "the record says '# lights {found}', expected '# lights ryg' or '# lights gyr'; write the line anew, or take it out";
    book_bag(name) = "no book of {name}: chance draws after each move, and a book would have a line for every draw; 'greenwave play' and 'greenwave review' show what moves are worth";
    puzzle_none(name) = "{name} has no position with exactly one move that wins or saves a draw";
    puzzle_bag(name) = "no puzzles of {name}: in a game with draws a move is worth its odds, and a puzzle asks for the one that wins or saves a draw whatever comes";
    found_level(found) = "found '{found}', expected perfect, strong, medium or easy";
}
