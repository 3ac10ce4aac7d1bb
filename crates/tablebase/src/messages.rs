//! What the errors of this crate say that other languages have, too.

greenwave_game::messages! {
    place_board(n) = "board {n}";
    move_played(n, text, problem, moves) = "move {n}, '{text}': {problem}; played before it: {moves}";
    move_first(n, text, problem) = "move {n}, '{text}': {problem}";
    move_over() = "the game is over before it";
    legal_there(problem, square, moves) = "{problem}; legal on {square}: {moves}";
    legal_elsewhere(problem, square, moves) = "{problem}; nothing is legal on {square}, legal moves: {moves}";
    legal(problem, moves) = "{problem}; legal moves: {moves}";
    draw_none() = "nothing is drawn here; a move is due";
    draw_first(example) = "a draw comes before it; give what lies in the market then in brackets, for example {example}";
    draw_impossible(draws) = "no such draw is possible; possible are {draws}";
    sum_no_nimbers(name) = "{name} has no nimbers, so it cannot be played together with other boards; games have them where a completed line wins and means the same as no further move: classic, signal and green boards with lines, play=normal and supply=unlimited, and rule files like them";
    memory(what, needed, allowed, way_out) = "{what} needs {needed} of memory, but may use {allowed}; {way_out}";
    solving(name, metric) = "solving {name} for {metric}";
    metric_value() = "value";
    metric_distance() = "distance";
    metric_points() = "points";
    metric_odds() = "odds";
    metric_nimber() = "nimber";
    memory_more(aside) = "give more with --memory{aside}";
    memory_table(aside, command) = "give more with --memory{aside}, or solve it to a table first with '{command}'";
    memory_positions(aside, command) = "give more with --memory{aside}, take a smaller board, or ask about a position with '{command}', which searches";
    memory_smaller(aside) = "give more with --memory{aside}, or take a smaller board";
    set_aside(aside) = ", of which {aside} are set aside here for connections and threads";
    no_memory() = "no --memory is enough";
    no_memory_table(command) = "no --memory is enough: solve it to a table first with '{command}'";
    no_memory_positions(command) = "no --memory is enough: take a smaller board, or ask about a position with '{command}', which searches";
    no_memory_smaller() = "no --memory is enough: take a smaller board";
    more_than(size) = "more than {size}";
    theorem_first(problem, theorem, rule) = "{problem}. By the theorem '{theorem}' the first player wins there: {rule}";
    theorem_second(problem, theorem, rule) = "{problem}. By the theorem '{theorem}' the second player wins there: {rule}";
    theorem_none(problem) = "{problem}. No theorem says who wins there";
    theorem_at_once() = "win at once if you can";
    theorem_begin(square) = "begin on {square}";
    theorem_begin_centre() = "begin in the centre";
    theorem_copy_file() = "answer on the other square of the same file";
    theorem_copy_rank() = "answer on the other square of the same rank";
    theorem_copy_turn() = "answer by half a turn";
    found_budget(found) = "found '{found}', expected a time such as 500ms, 10s or 2m, or a number of positions";
}
