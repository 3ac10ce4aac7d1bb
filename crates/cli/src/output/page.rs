//! Pages of the guide on a terminal: Markdown, wrapped.

use unicode_width::UnicodeWidthStr;

use super::{columns, width, wrapped};

/// A paragraph after a heading in the same line.
pub(crate) fn wrapped_after(head: &str, indent: usize, text: &str) -> String {
    wrapped(head, indent, &plain(text))
}

/// A page for a terminal: paragraphs wrapped, tables and code set apart, links as their text.
pub(crate) fn render(page: &str) -> String {
    let mut out = String::new();
    let mut paragraph = String::new();
    let mut table: Vec<Vec<String>> = Vec::new();
    let mut in_code = false;
    for line in page.lines().chain([""]) {
        if line.starts_with("```") {
            flush(&mut out, &mut paragraph, &mut table);
            in_code = !in_code;
            if !in_code {
                out.push('\n');
            }
            continue;
        }
        if in_code {
            out.push_str(&format!("    {line}\n"));
            continue;
        }
        if line.starts_with("<!--") {
            continue;
        }
        match line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) {
            Some(row) if row.contains("---") => {}
            Some(row) => {
                let cells = row.replace("\\|", "\u{1}");
                let cells = cells
                    .split('|')
                    .map(|cell| plain(&cell.replace('\u{1}', "|")));
                if table.is_empty() {
                    flush(&mut out, &mut paragraph, &mut table);
                }
                table.push(cells.collect());
            }
            None if line.is_empty() || line.starts_with('#') => {
                flush(&mut out, &mut paragraph, &mut table);
                let heading = line.trim_start_matches('#').trim();
                if !heading.is_empty() {
                    out.push_str(&format!("{}\n\n", heading.to_uppercase()));
                }
            }
            None => {
                if line.starts_with("- ") {
                    flush_paragraph(&mut out, &mut paragraph);
                }
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(line.trim());
            }
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn flush(out: &mut String, paragraph: &mut String, table: &mut Vec<Vec<String>>) {
    if !paragraph.is_empty() {
        flush_paragraph(out, paragraph);
        out.push('\n');
    }
    if !table.is_empty() {
        // Where columns are too wide, a row is a paragraph of its own.
        let in_columns = columns(table, 2, &[]);
        if in_columns.lines().all(|line| line.width() <= width()) {
            out.push_str(&in_columns);
        } else {
            for (first, rest) in table.iter().filter_map(|row| row.split_first()) {
                out.push_str(&wrapped(&format!("  {first}: "), 6, &rest.join("; ")));
            }
        }
        out.push('\n');
        table.clear();
    }
}

fn flush_paragraph(out: &mut String, paragraph: &mut String) {
    if paragraph.is_empty() {
        return;
    }
    match paragraph.strip_prefix("- ") {
        Some(item) => out.push_str(&wrapped("- ", 2, &plain(item))),
        None => out.push_str(&wrapped("", 0, &plain(paragraph))),
    }
    paragraph.clear();
}

/// Text without the signs of Markdown: links as their text, no backquotes and stars.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.trim();
    while let Some(open) = rest.find('[') {
        let link = rest[open..].split_once("](").and_then(|(shown, after)| {
            let (_, tail) = after.split_once(')')?;
            (!shown[1..].contains('[')).then_some((&shown[1..], tail))
        });
        out.push_str(&rest[..open]);
        match link {
            Some((shown, tail)) => {
                out.push_str(shown);
                rest = tail;
            }
            None => {
                out.push('[');
                rest = &rest[open + 1..];
            }
        }
    }
    out.push_str(rest);
    out.replace('`', "").replace("**", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lose_their_signs_and_keep_their_words() {
        let page = "# Games\n\nA [rule file](rule-files.md) is\n`classic-3x3`.\n\n| a | b |\n| --- | --- |\n| `x` | y |\n\n```text\nRY.\n```\n";
        assert_eq!(
            render(page),
            "GAMES\n\nA rule file is classic-3x3.\n\n  a  b\n  x  y\n\n    RY.\n"
        );
    }

    #[test]
    fn columns_that_are_too_wide_become_paragraphs() {
        let (long, short) = ("word ".repeat(11), "word ".repeat(6));
        let page = format!("| a | {long} | b |\n| --- | --- | --- |\n| c | d | {short} |\n");
        let rendered = render(&page);
        assert!(rendered.lines().all(|line| line.len() <= 80), "{rendered}");
        assert!(rendered.contains("\n  c: d; word word"), "{rendered}");
    }
}
