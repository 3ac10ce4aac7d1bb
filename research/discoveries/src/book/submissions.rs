//! Drafts of submissions to the On-Line Encyclopedia of Integer Sequences, one page each.

use anyhow::{Result, anyhow};

use super::{BookContents, Facts};

/// A sequence to be submitted.
struct Draft {
    /// The b-file, without `b-` and `.txt`.
    file: &'static str,
    /// The meaning of its terms.
    name: &'static str,
    /// Further remarks.
    comments: &'static [&'static str],
    /// A formula, if one is proved.
    formula: &'static str,
    /// Python: functions that the others share come before it.
    program: &'static str,
    /// What the functions take for a line.
    line: Line,
    /// Keywords.
    keywords: &'static str,
}

#[derive(Clone, Copy)]
enum Line {
    /// Three equal numbers in a row.
    Equal,
    /// The same, or 1, 2, 3 in either order.
    Signal,
    /// Three equal numbers on boards of three ranks, file by file.
    OfThreeRanks,
}

impl Line {
    /// A function that says whether a line stands.
    fn code(self) -> &'static str {
        match self {
            Line::Equal => {
                "def line(b):\n    return any(b[i] and b[i] == b[i+1] == b[i+2] for i in range(len(b) - 2))\n"
            }
            Line::Signal => {
                "def line(b):\n    threes = [b[i:i+3] for i in range(len(b) - 2)]\n    return any(t[0] and len(set(t)) == 1 or t in ((1, 2, 3), (3, 2, 1)) for t in threes)\n"
            }
            Line::OfThreeRanks => {
                "def line(b):\n    # Square (r, f) is b[3*f + r].\n    def equal(i, j, k): return b[i] and b[i] == b[j] == b[k]\n    n = len(b) // 3\n    files = any(equal(3*f, 3*f+1, 3*f+2) for f in range(n))\n    ranks = any(equal(i, i+3, i+6) for i in range(3*n - 6))\n    slants = any(equal(3*f, 3*f+4, 3*f+8) or equal(3*f+2, 3*f+4, 3*f+6) for f in range(n - 2))\n    return files or ranks or slants\n"
            }
        }
    }
}

const SHARED: &str = "from functools import cache\nfrom itertools import product\n\n";

const MOVES: &str = "\ndef moves(b):\n    return [b[:i] + (b[i]+1,) + b[i+1:] for i in range(len(b)) if b[i] < 3]\n";

const NIMBER: &str = "\n@cache\ndef nimber(b):\n    met = set() if line(b) else {nimber(c) for c in moves(b)}\n    return next(m for m in range(len(met) + 1) if m not in met)\n";

const BOARDS: &str =
    "\ndef boards(n):\n    return [b for b in product(range(4), repeat=n) if not line(b)]\n\n";

const DRAFTS: [Draft; 10] = [
    Draft {
        file: "line-free-1xn",
        name: "Number of words of length n over the alphabet {0,1,2,3} without three equal consecutive nonzero letters",
        comments: &[
            "Number of positions of the game Traffic Lights on a row of n squares in which no line stands.",
        ],
        formula: "a(n) = 3*a(n-1) + 3*a(n-2) + a(n-3).",
        program: "print([len(boards(n)) for n in range(1, 8)])\n",
        line: Line::Equal,
        keywords: "nonn,easy",
    },
    Draft {
        file: "undecided-1xn",
        name: "Number of words of length n over the alphabet {0,1,2,3} without three equal consecutive nonzero letters, in which no letter can be raised by 1 so that such a triple appears",
        comments: &[
            "Number of positions of the game Traffic Lights on a row of n squares in which no line stands and no move completes one.",
        ],
        formula: "A linear recurrence of order 13 with constant coefficients is proved.",
        program: "print([sum(not any(line(c) for c in moves(b)) for b in boards(n)) for n in range(1, 8)])\n",
        line: Line::Equal,
        keywords: "nonn,easy",
    },
    Draft {
        file: "line-free-3xn",
        name: "Number of 3 X n arrays of 0..3 without three equal nonzero entries in a row horizontally, vertically or diagonally",
        comments: &[
            "Number of positions of the game Traffic Lights on 3 X n squares in which no line stands.",
        ],
        formula: "A linear recurrence of order 45 with constant coefficients is proved.",
        program: "print([len(boards(3 * n)) for n in range(1, 4)])\n",
        line: Line::OfThreeRanks,
        keywords: "nonn",
    },
    Draft {
        file: "longest-3xn",
        name: "Largest sum of a 3 X n array of 0..3 without three equal nonzero entries in a row horizontally, vertically or diagonally",
        comments: &[
            "Length of the longest play of the game Traffic Lights on 3 X n squares in which no line is completed.",
        ],
        formula: "a(n+3) = a(n) + 23.",
        program: "print([max(sum(b) for b in boards(3 * n)) for n in range(1, 4)])\n",
        line: Line::OfThreeRanks,
        keywords: "nonn,easy",
    },
    Draft {
        file: "lost-1xn",
        name: "Number of P-positions of the game Traffic Lights on a row of n squares",
        comments: &["Unfinished positions in which the player who is to move loses."],
        formula: "",
        program: "print([sum(nimber(b) == 0 for b in boards(n)) for n in range(3, 8)])\n",
        line: Line::Equal,
        keywords: "nonn,more",
    },
    Draft {
        file: "won-1xn",
        name: "Number of N-positions of the game Traffic Lights on a row of n squares",
        comments: &["Unfinished positions in which the player who is to move wins."],
        formula: "",
        program: "print([sum(nimber(b) > 0 for b in boards(n)) for n in range(3, 8)])\n",
        line: Line::Equal,
        keywords: "nonn,more",
    },
    Draft {
        file: "best-play-1xn",
        name: "Number of moves of the game Traffic Lights on a row of n squares if the winner hurries and the loser delays",
        comments: &["a(n) is odd if and only if the first player wins."],
        formula: "",
        program: "\n@cache\ndef length(b):\n    if line(b): return 0\n    after = [length(c) for c in moves(b)]\n    winning = [d for d in after if d % 2 == 0]\n    return 1 + (min(winning) if winning else max(after))\n\nprint([length((0,) * n) for n in range(3, 8)])\n",
        line: Line::Equal,
        keywords: "nonn,more",
    },
    Draft {
        file: "largest-nimber-1xn",
        name: "Largest Sprague-Grundy value of an unfinished position of the game Traffic Lights on a row of n squares",
        comments: &[
            "The sequence is not monotonic: a(17) = 14, a(18) = 13.",
            "C. P. dos Santos proved that Traffic Lights on boards of all sizes has positions of every value.",
        ],
        formula: "",
        program: "print([max(nimber(b) for b in boards(n)) for n in range(3, 8)])\n",
        line: Line::Equal,
        keywords: "nonn,more",
    },
    Draft {
        file: "nimber-signal-1xn",
        name: "Sprague-Grundy value of the empty row of n squares in the game Traffic Lights with signals",
        comments: &[
            "A line is three equal lights in a row, or red, yellow, green read from either end.",
        ],
        formula: "",
        program: "print([nimber((0,) * n) for n in range(3, 8)])\n",
        line: Line::Signal,
        keywords: "nonn,more",
    },
    Draft {
        file: "winner-misere-1xn",
        name: "Player, 1 or 2, who wins the game Traffic Lights on a row of n squares if whoever completes a line loses",
        comments: &["No pattern is known."],
        formula: "",
        program: "\n@cache\ndef wins(b):\n    return any(not line(c) and not wins(c) for c in moves(b))\n\nprint([1 if wins((0,) * n) else 2 for n in range(3, 8)])\n",
        line: Line::Equal,
        keywords: "nonn,more",
    },
];

impl Draft {
    fn code(&self) -> String {
        let program = self.program;
        let mut code = SHARED.to_string() + self.line.code();
        let needs = |what: &str| program.contains(what);
        if needs("moves(") || needs("nimber(") {
            code.push_str(MOVES);
        }
        if needs("nimber(") {
            code.push_str(NIMBER);
        }
        if needs("boards(") {
            code.push_str(BOARDS);
        } else if needs("print([nimber(") {
            code.push('\n');
        }
        code + program
    }

    /// The page of a sequence whose b-file is given.
    fn page(&self, b_file: &str) -> Result<String> {
        let rows = b_file.lines().filter(|line| !line.starts_with('#'));
        let terms: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once(' ')).collect();
        let (first, _) = terms
            .first()
            .ok_or_else(|| anyhow!("{} is empty", self.file))?;
        let above = terms
            .iter()
            .position(|(_, term)| !["0", "1"].contains(term));
        let mut data = String::new();
        for (_, term) in &terms {
            // An entry of the encyclopedia has about 260 characters of terms.
            if data.len() + term.len() > 255 {
                break;
            }
            if !data.is_empty() {
                data.push_str(", ");
            }
            data.push_str(term);
        }
        let mut entry = format!("%S {data}\n%N {}.\n", self.name);
        for comment in self.comments {
            entry.push_str(&format!("%C {comment}\n"));
        }
        entry.push_str(
            "%D A. Parr, Traffic Lights, NRICH problem 1181.\n\
             %D C. P. dos Santos, Embedding processes in combinatorial game theory, Discrete Appl. \
             Math. 159 (2011), 675-682.\n",
        );
        if !self.formula.is_empty() {
            entry.push_str(&format!("%F {}\n", self.formula));
        }
        for line in self.code().lines() {
            entry.push_str(&format!("%o {line}\n"));
        }
        entry.push_str(&format!(
            "%K {}\n%O {first},{}\n",
            self.keywords,
            above.map_or(1, |at| at + 1)
        ));
        Ok(format!(
            "# {}\n\nA draft, made by `cargo discoveries pages`. The terms are in \
             [b-{file}.txt](../sequences/b-{file}.txt).\n\n```text\n{entry}```\n\nThe program:\n\n\
             ```python\n{}```\n",
            self.name,
            self.code(),
            file = self.file
        ))
    }
}

pub(super) fn submissions(_: &Facts, made: &mut BookContents) -> Result<()> {
    let mut rows = Vec::new();
    for draft in &DRAFTS {
        let name = format!("sequences/b-{}.txt", draft.file);
        let file = made.files.iter().find(|(file, _)| *file == name);
        let (_, b_file) = file.ok_or_else(|| anyhow!("no file {name}"))?;
        let page = draft.page(b_file)?;
        let terms = b_file.lines().filter(|line| !line.starts_with('#')).count();
        rows.push(vec![
            format!("[{}](submissions/{}.md)", draft.name, draft.file),
            terms.to_string(),
        ]);
        made.files
            .push((format!("submissions/{}.md", draft.file), page));
    }
    made.table("submissions.md", "drafts", &["sequence", "terms"], &rows);
    Ok(())
}
