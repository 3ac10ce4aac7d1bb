//! What the errors of this crate say that other languages have, too.

greenwave_game::messages! {
    claim_chance(name) = "{name}: it has luck in it, and what play can reach is not worked out then; 'find' looks through the positions at the start of turns";
    expression(line, column, problem, shown) = "expression, line {line}, column {column}: {problem}{shown}";
    expression_name_near(name, near, known) = "unknown name '{name}'; did you mean '{near}'? expected {known}";
    expression_name(name, known) = "unknown name '{name}'; expected {known}";
    expression_call_near(name, near) = "'{name}' is no call; did you mean '{near}'?";
    known_names(fields, from, to, kind, colours) = "a field ({fields}), a square ({from} to {to}), {kind} ({colours}), win, draw or loss";
    expression_no_field(field, problem) = "no field '{field}' here: {problem}";
    no_metric(name, metric, metrics) = "{name} has no metric '{metric}'; its metrics: {metrics}";
    expression_type(part, kind, wanted) = "found '{part}', which is {kind}, expected {wanted}";
    expression_found(word, wanted) = "found '{word}', expected {wanted}";
    expression_found_near(word, near, wanted) = "found '{word}', did you mean '{near}'? expected {wanted}";
    expression_end(wanted) = "found the end, expected {wanted}";
    wanted_left(kind) = "{kind}, as on the left";
    wanted_number() = "a number";
    wanted_truth() = "true or false";
    wanted_comparison(example) = "true or false, such as '{example}'";
    wanted_value() = "win, draw or loss";
    wanted_level() = "a colour or level";
    wanted_colour(kind, colours, last) = "{kind}: {colours} or {last}";
    wanted_any_colour() = "a colour: empty, red, yellow or green";
    wanted_part() = "a number, a field, a square, a call or '('";
    wanted_operator() = "an operator such as 'and', 'or', '=' or '<', or the end";
    wanted_bracket() = "')' or an operator";
}
