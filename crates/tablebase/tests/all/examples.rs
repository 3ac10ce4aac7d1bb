//! The examples at the top of the repository say what they should.

use std::path::Path;

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

fn solutions() -> Tablebase {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Tablebase::open(root.join("solutions")).unwrap()
}

fn says(answer: fn(&Tablebase) -> Result<String, Error>, expected: &str) {
    assert_eq!(answer(&solutions()).unwrap(), expected);
}

#[test]
fn each_answers_its_question() {
    says(best_move::answer, "win for the player to move\n");
    says(where_it_was_lost::answer, "");
    says(how_many::answer, "16777216 positions\n");
    says(change_a_rule::answer, "Only green counts: \n");
    says(with_luck::answer, "");
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
