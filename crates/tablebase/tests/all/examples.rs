//! The examples at the top of the repository say what they should.

use std::path::Path;
use std::sync::OnceLock;

use greenwave_tablebase::{Error, Tablebase};

#[path = "../../../../examples/best_move.rs"]
mod best_move;
#[path = "../../../../examples/change_a_rule.rs"]
mod change_a_rule;
#[path = "../../../../examples/how_many.rs"]
mod how_many;
#[path = "../../../../examples/where_it_was_lost.rs"]
mod where_it_was_lost;
#[path = "../../../../examples/with_luck.rs"]
mod with_luck;

/// The next example can use a solve of the one before.
fn solutions() -> &'static Tablebase {
    static ONCE: OnceLock<Tablebase> = OnceLock::new();
    ONCE.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Tablebase::open(root.join("solutions")).unwrap()
    })
}

fn says(answer: fn(&Tablebase) -> Result<String, Error>, expected: &str) {
    assert_eq!(answer(solutions()).unwrap(), expected);
}

#[test]
fn each_answers_its_question() {
    says(
        best_move::answer,
        "win for the player to move\nb1R ends it in 9 plies\nb2G ends it in 9 plies\n\
         c2R ends it in 9 plies\na3Y ends it in 9 plies\n",
    );
    says(
        where_it_was_lost::answer,
        "move 2, c2R, gave the win away: d1R or d3R\n\
         move 3, c3R, gave the win away: a2R or d2R\n\
         move 4, b2Y, gave the win away: a1R or c1R or a2R or d2R\n",
    );
    says(
        how_many::answer,
        "16777216 positions\n8476515 won, 562168 lost\n..../..../.... is a loss in 26 plies\n",
    );
    says(
        change_a_rule::answer,
        "Only green counts: win in 21 plies\nusual rules: win in 17 plies\n",
    );
    says(with_luck::answer, "53.1 % to win with b1R+G\n");
}

#[test]
fn each_runs_without_tables_too() {
    for main in [
        best_move::main,
        change_a_rule::main,
        how_many::main,
        where_it_was_lost::main,
        with_luck::main,
    ] {
        main().unwrap();
    }
}
