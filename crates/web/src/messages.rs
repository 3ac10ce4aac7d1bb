//! What the errors of this crate say that other languages have, too.

greenwave_game::messages! {
    parameter_near(name, near) = "this page has no parameter '{name}': did you mean '{near}'?";
    parameter_none(name) = "this page has no parameter '{name}'";
    parameter_unknown(name, list) = "unknown parameter '{name}'; parameters here: {list}";
    parameter_twice(name) = "parameter '{name}' is given twice; give it once";
    found_plies(found, most) = "found '{found}', expected a number from 0 to {most}, the plies of the game";
    found_number(found, least, most) = "found '{found}', expected a number from {least} to {most}";
    found_switch(found) = "found '{found}', expected 1, yes, on or true, or else 0, no, off or false";
    found_day(found, example) = "found '{found}', expected a day such as {example}";
    found_word(found, list) = "found '{found}', expected one of {list}";
    found_player(found) = "found '{found}', expected first or second";
    found_board_square(found, example) = "found '{found}', expected a square of the board, such as {example}";
    found_move(found, example) = "found '{found}', expected a move of the position, such as {example}";
    found_outline(found, example, most) = "found '{found}', expected rows from the top with o for a square, - for a gap and / between, such as {example}, at most {most} by {most}";
    found_goals(found, n, most) = "found '{found}', expected {n} digits from 1 to {most} each, with commas between";
    design_rows(found, ranks, files, letters) = "found '{found}', expected {ranks} rows of {files} letters out of {letters} with / between";
    design_may(found, most) = "found '{found}', expected the levels of the first player and of the second from 1 to {most}, such as 1-1{most}";
    address_coding(text) = "'{text}' is not written as addresses are: expected %, two hexadecimal digits, and UTF-8";
    nothing_there(path, example) = "nothing is at '{path}'; pages are at /VARIANT, such as {example}";
    found_variants(found, most, example) = "found {found} variants, expected 2 to {most}, such as {example}";
    claim_unknown(id) = "no claim '{id}'; /claims lists those that are there";
    claim_form(id, first, last, example) = "no claim '{id}'; the built-in claims are {first} to {last}, and a claim of your own is written as '{example}', with none, some or all";
    offline_none(command) = "this server has no solver for use without a network; browsers keep the pages that were opened all the same. Whoever runs the server can add it with '{command}', as docs/guides/public-explorer.md says";
    claim_too_long() = "it takes longer than one question may compute here; 'greenwave check' settles it";
    table_none(path) = "no table is at '{path}'; /tables lists those that are there";
    puzzle_sample(name) = "no puzzle of this kind is among the positions of {name} that were looked at; another seed looks at others";
    puzzle_none_kind(name) = "{name} has no puzzle of this level and theme";
    record_none(example) = "found nothing, expected moves such as {example}, or a saved game";
    record_long(most, example) = "the text is longer than this page can read: at most {most} letters; paste the moves alone, such as {example}";
    request_long(bytes, most) = "found a request of {bytes} bytes or more, expected at most {most}";
    method_other(found) = "found {found}, expected GET: nothing can be changed here";
    address_form(found, example) = "found '{found}' as the address, expected a path, such as {example}";
    host_none(example) = "found no header Host, expected one, such as {example}";
    host_twice(example) = "found two headers Host, expected one, such as {example}";
    host_form(example) = "found a header Host that names no host, expected one such as {example}";
    body_coding() = "found another Transfer-Encoding than chunked, expected none: a GET has nothing to send";
    body_chunks() = "found a body that is not written in chunks as it says, expected none: a GET has nothing to send";
    body_endless(time) = "found a request that does not end within {time}, expected a GET, which has nothing to send";
    document_changed() = "the document here now is not the one that If-Match or If-Unmodified-Since names; ask for all of it again, without them";
    files_open() = "as many files are open as the system allows; ask again in a moment";
    connections_used() = "all connections are in use; ask again in a moment";
    too_long(time) = "not done within the {time} that one question may compute; ask for less, or ask the command 'greenwave' on a machine of your own";
    memory_here(what, needed, allowed) = "{what} needs {needed} of memory, but may use {allowed} here; ask for less, or ask the command 'greenwave' on a machine of your own";
    share_used(n) = "your share of the work is in use ({n}); wait for an answer, then ask again";
    busy(n) = "all {n} jobs are busy with other questions; ask again in a moment";
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use greenwave_words::Language;

    fn places(text: &str) -> BTreeSet<&str> {
        let places = text.split('{').skip(1);
        places
            .filter_map(|place| Some(place.split_once('}')?.0))
            .collect()
    }

    /// The failure names the file and the key of each text that lacks, is too much or has other places.
    #[test]
    fn every_language_has_every_message_of_every_crate_and_no_other() {
        let crates = [
            greenwave_game::MESSAGES,
            greenwave_tablebase::MESSAGES,
            greenwave_judge::MESSAGES,
            greenwave_judge::claims::EVIDENCE,
            greenwave_play::MESSAGES,
            super::MESSAGES,
        ];
        let all = crates.concat();
        let english: BTreeMap<&str, &str> = all.iter().copied().collect();
        assert_eq!(english.len(), all.len(), "two crates have a key");
        let mut wrong = Vec::new();
        for language in [Language::Portuguese, Language::Spanish, Language::German] {
            let file = format!("texts/{}/errors.txt or evidence.txt", language.code());
            let mut lacking: BTreeSet<&str> = english.keys().copied().collect();
            for (key, text) in language.messages() {
                match english.get(key) {
                    None => wrong.push(format!("{file}: nothing says {key}")),
                    Some(_) if !lacking.remove(key) => {
                        wrong.push(format!("{file}: {key} is there twice"));
                    }
                    Some(model) if places(text) != places(model) => {
                        wrong.push(format!("{file}: {key} has other places than in English"));
                    }
                    Some(_) => {}
                }
            }
            wrong.extend(
                lacking
                    .iter()
                    .map(|key| format!("{file}: {key} is missing")),
            );
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
