//! The article: its numbers stand on pages, its pictures are there; and the drafts of submissions.

use std::collections::HashSet;

use greenwave_discoveries::book;

use crate::{facts, root, text};

const ARTICLE: &str = "../article/article.md";

/// Pages that the article takes its numbers from, from the root.
const PAGES: [&str; 16] = [
    "docs/results.md",
    "docs/proved-twice.md",
    "docs/algorithms.md",
    "docs/certificates.md",
    "docs/trust.md",
    "docs/book-of-results/index.md",
    "docs/book-of-results/winners.md",
    "docs/book-of-results/nimbers.md",
    "docs/book-of-results/misere.md",
    "docs/book-of-results/people.md",
    "docs/book-of-results/sequences.md",
    "docs/book-of-results/ledger.md",
    "docs/book-of-results/conjectures.md",
    "docs/book-of-results/tables/winners.md",
    "docs/reference/sources.md",
    "docs/book-of-results/families.md",
];

/// Numbers of three digits and more, as they are written: `1,530`, `68.09`.
fn numbers(text: &str) -> HashSet<String> {
    let parts =
        text.split(|letter: char| !(letter.is_ascii_digit() || letter == ',' || letter == '.'));
    parts
        .map(|part| part.trim_matches([',', '.']).to_string())
        .filter(|part| part.chars().filter(char::is_ascii_digit).count() > 2)
        .collect()
}

/// The article's own words: without what is made, and without its references.
fn prose() -> String {
    let page = text(ARTICLE);
    let (page, references) = page.split_once("\n## References\n").unwrap();
    assert!(references.lines().count() > 20);
    let (mut prose, mut made) = (String::new(), false);
    for line in page.lines() {
        if line.starts_with("<!-- begin") || line.starts_with("<!-- end") {
            made = line.starts_with("<!-- begin");
        } else if !made {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose
}

#[test]
fn numbers_of_the_article_stand_on_pages() {
    let pages: String = PAGES
        .iter()
        .map(|page| std::fs::read_to_string(root().join(page)).unwrap())
        .collect();
    let made: String = book(&facts())
        .unwrap()
        .parts
        .iter()
        .filter(|(page, ..)| *page == ARTICLE)
        .map(|(.., part)| part.as_str())
        .collect();
    let known = numbers(&(pages + &made));
    let own = numbers(&prose());
    assert!(own.len() > 20, "{}", own.len());
    let mut unknown: Vec<&String> = own.difference(&known).collect();
    unknown.sort();
    assert_eq!(unknown, [""; 0]);
    assert_eq!(facts().1.len(), 92);
    assert!(prose().contains("each of the 92 entries") && prose().contains("atlas of 92 entries"));
}

#[test]
fn pictures_and_references_of_the_article_are_there() {
    let page = text(ARTICLE);
    let pictures: Vec<&str> = page
        .split("](../book-of-results/")
        .skip(1)
        .map(|rest| rest.split_once(')').unwrap().0)
        .collect();
    assert!(pictures.len() > 5, "{pictures:?}");
    for picture in pictures {
        assert!(
            book(&facts())
                .unwrap()
                .files
                .iter()
                .any(|(file, _)| file == picture),
            "{picture}"
        );
    }
    let (body, references) = page.split_once("\n## References\n").unwrap();
    let listed = references
        .lines()
        .filter_map(|line| line.split_once(". ")?.0.parse::<u32>().ok())
        .count() as u32;
    for number in 1..=listed {
        let cited = [
            format!("[{number}]"),
            format!("[{number}, "),
            format!(", {number}]"),
        ];
        assert!(
            cited.iter().any(|cited| body.contains(cited)),
            "{number} is cited nowhere"
        );
    }
}

/// Each program is run, and prints the first terms of the b-file.
#[test]
fn programs_of_the_drafts_print_the_terms() {
    let files = book(&facts()).unwrap().files;
    let mut seen = 0;
    for (name, page) in files
        .iter()
        .filter(|(name, _)| name.starts_with("submissions/"))
    {
        assert_eq!(
            &text(name),
            page,
            "{name}; remake with 'cargo discoveries pages'"
        );
        let (_, program) = page.split_once("```python\n").unwrap();
        let (program, _) = program.split_once("```").unwrap();
        let run = std::process::Command::new("python3")
            .args(["-c", program])
            .output()
            .unwrap();
        let printed = String::from_utf8(run.stdout).unwrap();
        assert!(
            run.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&run.stderr)
        );
        let printed: Vec<&str> = printed
            .trim()
            .trim_matches(['[', ']'])
            .split(", ")
            .collect();
        let b_file = name
            .replace("submissions/", "sequences/b-")
            .replace(".md", ".txt");
        let (_, b_file) = files.iter().find(|(file, _)| *file == b_file).unwrap();
        let terms: Vec<&str> = b_file
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_once(' ').unwrap().1)
            .take(printed.len())
            .collect();
        assert!(terms.len() >= 3, "{name}");
        assert_eq!(printed, terms, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 10);
    let listed = std::fs::read_dir(root().join(greenwave_discoveries::BOOK).join("submissions"))
        .unwrap()
        .count();
    assert_eq!(listed, seen);
}
