//! The sentences of the book that say all, every, always, most, only, elsewhere, nobody, none or never:
//! what stands behind each. Those about the data are checked by a line of code here; the others give a
//! meaning, are part of a proof on the page, or say what a page or a command holds.

use greenwave_discoveries::Facts;
use serde_json::Value;

use crate::{facts, text};

const CHAPTERS: [&str; 9] = [
    "index",
    "winners",
    "nimbers",
    "misere",
    "families",
    "strategies",
    "people",
    "ledger",
    "sequences",
];

const WORDS: [&str; 9] = [
    "all",
    "every",
    "always",
    "most",
    "only",
    "elsewhere",
    "nobody",
    "none",
    "never",
];

/// What stands behind a sentence.
enum Behind {
    /// It says what a word, a method, a file or a command is.
    Meaning,
    /// A proof on the page, or a theorem of it.
    Proof,
    /// The data of the book.
    Data(fn(&Book) -> bool),
}

use Behind::{Data, Meaning, Proof};

struct Book(Facts);

impl Book {
    fn fact(&self, section: &str, key: &str) -> &Value {
        self.0
            .0
            .get(section)
            .and_then(|facts| facts.get(key))
            .unwrap_or_else(|| panic!("no fact '{section}' '{key}'"))
    }

    /// The winners of the boards of a game, each with its number of ranks and files.
    fn winners(&self, game: &str, misere: bool) -> Vec<(usize, usize, &Value)> {
        let named = |key: &str| {
            let (name, options) = key.split_once(':').unwrap_or((key, ""));
            let size = name.strip_prefix(game)?.strip_prefix('-')?;
            let (ranks, files) = size.split_once('x')?;
            let wanted = (options == "play=misere") == misere;
            wanted.then_some(())?;
            Some((ranks.parse().ok()?, files.parse().ok()?))
        };
        let facts = self.0.0["winners"].iter();
        facts
            .filter(|(_, fact)| fact.get("winner").is_some())
            .filter_map(|(key, fact)| named(key).map(|(ranks, files)| (ranks, files, fact)))
            .collect()
    }

    fn first_wins(&self, board: &str) -> bool {
        self.fact("winners", board)["winner"] == "first"
    }

    fn winning(&self, board: &str) -> Vec<&str> {
        squares(self.fact("winners", board))
    }

    /// The winning first moves of a board of the atlas.
    fn openings(&self, board: &str) -> Vec<String> {
        let atlas = std::fs::read_to_string(crate::root().join("solutions/atlas.json")).unwrap();
        let atlas: Vec<Value> = serde_json::from_str(&atlas).unwrap();
        let row = atlas.iter().find(|row| row["variant"] == board).unwrap();
        let listed = row["winning_openings"].as_array().unwrap().iter();
        listed
            .map(|one| one.as_str().unwrap().to_string())
            .collect()
    }

    fn largest_nimber(&self, board: &str) -> Option<u64> {
        let row = self.0.1.iter().find(|row| row.variant == board)?;
        row.largest_nimber
    }

    /// How many moves win at each turn of the winner in the main line.
    fn choices(&self, board: &str) -> Vec<u64> {
        let line = self.fact("winners", &format!("main {board}"));
        let counts = line["winning"].as_array().unwrap();
        counts.iter().map(|count| count.as_u64().unwrap()).collect()
    }

    /// Of all moves of careful play, the share that loses at once, by ply, in per cent.
    fn losing(&self, board: &str) -> Vec<f64> {
        let plies = self.fact("people", board)["plies"].as_array().unwrap();
        let number = |ply: &Value, name: &str| ply[name].as_f64().unwrap();
        let met = plies.iter().filter(|ply| number(ply, "moves") > 0.0);
        met.map(|ply| 100.0 * number(ply, "losing") / number(ply, "moves"))
            .collect()
    }

    fn share(&self, board: &str, name: &str) -> f64 {
        self.fact("people", board)[name].as_f64().unwrap()
    }

    /// Whether a strategy without exceptions is known, by board.
    fn without_exceptions(&self) -> Vec<&str> {
        let boards = self.0.0["strategies"].iter();
        boards
            .filter(|(_, found)| {
                found.get("symmetry").is_some()
                    && found["reason"].is_null()
                    && found["exceptions"] == 0
            })
            .map(|(board, _)| board.as_str())
            .collect()
    }
}

fn squares(winner: &Value) -> Vec<&str> {
    let winning = winner["winning"].as_array().unwrap().iter();
    winning.map(|square| square.as_str().unwrap()).collect()
}

fn every_move_wins(winner: &Value) -> bool {
    squares(winner).len() as u64 == winner["squares"].as_u64().unwrap()
}

fn follows_the_rule(ranks: usize, files: usize, winner: &Value) -> bool {
    (winner["winner"] == "first") == (ranks * files % 2 == 1)
}

/// The most turns running at which a single move wins.
fn narrow(choices: &[u64]) -> usize {
    let runs = choices.split(|count| *count > 1);
    runs.map(<[u64]>::len).max().unwrap_or(0)
}

const GAMES: [(&str, bool); 4] = [
    ("classic", false),
    ("signal", false),
    ("green", false),
    ("classic", true),
];

/// The sentences, chapter by chapter: how each begins, and what stands behind it.
const SENTENCES: &[(&str, &str, Behind)] = &[
    ("index", "Both players may use every square.", Meaning),
    ("index", "Every statement is one of three:", Meaning),
    ("index", "- **Proved**: for all sizes", Meaning),
    ("index", "- **Computed**: true of the boards named", Meaning),
    (
        "index",
        "- **Conjecture**: fits all computed cases",
        Meaning,
    ),
    (
        "index",
        "3. [Two theorems](families.md): the first player wins on every board",
        Proof,
    ),
    ("index", "7. [People](people.md)", Meaning),
    ("index", "One command writes all tables", Meaning),
    ("index", "A chapter shows selected rows", Meaning),
    ("index", "The command is `cargo discoveries`", Meaning),
    (
        "index",
        "Equal signatures mean equal values of all",
        Meaning,
    ),
    ("index", "4 × 5 is the one exception", Meaning),
    ("winners", "All of this is computed", Meaning),
    (
        "winners",
        "[Tables](tables/winners.md) has every board",
        Meaning,
    ),
    ("winners", "The [ledger](tables/ledger.md#boards)", Meaning),
    (
        "winners",
        "On most boards the number of squares tells who wins",
        Data(|book| {
            GAMES.iter().all(|(game, misere)| {
                let boards = book.winners(game, *misere);
                let follow = boards
                    .iter()
                    .filter(|(ranks, files, winner)| follows_the_rule(*ranks, *files, winner));
                2 * follow.count() > boards.len()
            })
        }),
    ),
    (
        "winners",
        "Why should the number of squares matter at all?",
        Meaning,
    ),
    ("winners", "Because an odd board has a middle square", Proof),
    (
        "winners",
        "Half a turn about the middle square moves every",
        Proof,
    ),
    ("winners", "There the rule holds for *every* board", Proof),
    (
        "winners",
        "The exceptions of the classic game and of signal can only be among the even boards",
        Data(|book| {
            ["classic", "signal"].iter().all(|game| {
                let boards = book.winners(game, false);
                let mut broken = boards
                    .iter()
                    .filter(|(ranks, files, winner)| !follows_the_rule(*ranks, *files, winner))
                    .peekable();
                broken.peek().is_some() && broken.all(|(ranks, files, _)| ranks * files % 2 == 0)
            })
        }),
    ),
    (
        "winners",
        "In misère play odd and even say little: of the boards of two ranks the second player wins all",
        Data(|book| {
            let boards = book.winners("classic", true);
            let mut two = boards.iter().filter(|(ranks, _, _)| *ranks == 2);
            two.clone().count() > 5 && two.all(|(_, _, winner)| winner["winner"] == "second")
        }),
    ),
    (
        "winners",
        "In the classic game and in green *every* first move wins where the rule gives",
        Data(|book| {
            ["classic", "green"].iter().all(|game| {
                let boards = book.winners(game, false);
                let mut odd = boards
                    .iter()
                    .filter(|(ranks, files, _)| ranks * files % 2 == 1);
                odd.clone().count() > 8 && odd.all(|(_, _, winner)| every_move_wins(winner))
            })
        }),
    ),
    (
        "winners",
        "In signal some first moves lose on every board",
        Data(|book| {
            let boards = book.winners("signal", false);
            let mut won = boards
                .iter()
                .filter(|(_, _, winner)| winner["winner"] == "first");
            won.clone().count() > 12 && won.all(|(_, _, winner)| !every_move_wins(winner))
        }),
    ),
    (
        "winners",
        "In misère play every first move wins on 3 × 3, and on no other board",
        Data(|book| {
            let boards = book.winners("classic", true);
            let every = boards
                .iter()
                .filter(|(_, _, winner)| every_move_wins(winner));
            let sizes: Vec<_> = every.map(|(ranks, files, _)| (*ranks, *files)).collect();
            sizes == [(3, 3)]
        }),
    ),
    (
        "winners",
        "On 5 × 5 nearly all first moves win: those that lose are the middles",
        Data(|book| {
            let lose = |board: &str, few: [&str; 4]| {
                let winning = book.openings(board);
                winning.len() == 21 && few.iter().all(|one| !winning.iter().any(|won| won == one))
            };
            lose("classic-5x5", ["c1", "a3", "e3", "c5"])
                && lose("signal-5x5", ["a1", "e1", "a5", "e5"])
        }),
    ),
    (
        "winners",
        "On 4 × 6 in signal",
        Data(|book| book.openings("signal-4x6") == ["a1", "a4", "f1", "f4"]),
    ),
    (
        "winners",
        "On one rank of odd length the middle square is among those that win in signal",
        Data(|book| {
            let boards = book.winners("signal", false);
            let mut odd = boards
                .iter()
                .filter(|(ranks, files, _)| *ranks == 1 && files % 2 == 1);
            odd.all(|(_, files, winner)| {
                let middle = char::from(b'a' + *files as u8 / 2);
                squares(winner)
                    .iter()
                    .any(|square| square.starts_with(middle))
            })
        }),
    ),
    (
        "winners",
        "On 1 × 4 the two ends win, and on 1 × 14 and 1 × 20 four squares win",
        Data(|book| {
            book.winning("signal-1x4") == ["a1", "d1"]
                && ["signal-1x14", "signal-1x20"]
                    .iter()
                    .all(|board| book.winning(board).len() == 4)
        }),
    ),
    (
        "winners",
        "On boards of up to sixteen squares the winner takes",
        Meaning,
    ),
    (
        "winners",
        "The [tables](tables/winners.md#main-lines)",
        Meaning,
    ),
    (
        "winners",
        "After b2 the second player can play so that the first has a single winning move",
        Data(|book| book.choices("classic-4x5")[1..8] == [1; 7]),
    ),
    (
        "winners",
        "In signal, after a1, there are six such turns.",
        Data(|book| book.choices("signal-4x5")[1..7] == [1; 6]),
    ),
    (
        "winners",
        "On 3 × 3 the winner has six and more to choose from",
        Data(|book| {
            book.choices("classic-3x3")[..5]
                .iter()
                .all(|count| *count >= 6)
        }),
    ),
    (
        "winners",
        "With the maps above and the missing lines below",
        Meaning,
    ),
    (
        "winners",
        "On signal's other exceptions a single move wins at three turns running or fewer",
        Data(|book| {
            let narrow = |board: &str| narrow(&book.choices(board));
            narrow("signal-1x4") == 4
                && ["signal-1x14", "signal-1x20", "signal-4x4"]
                    .iter()
                    .all(|board| narrow(board) <= 3)
        }),
    ),
    (
        "winners",
        "In misère play the winner has a choice at most turns of the main lines.",
        Data(|book| {
            let keys = book.0.0["winners"].keys();
            let boards = keys.filter_map(|key| key.strip_prefix("main "));
            let mut misere = boards.filter(|board| board.ends_with("misere"));
            misere.clone().count() == 9
                && misere.all(|board| {
                    let choices = book.choices(board);
                    2 * choices.iter().filter(|count| **count > 1).count() > choices.len()
                })
        }),
    ),
    (
        "winners",
        "This many lines do, of all that the board has",
        Meaning,
    ),
    (
        "winners",
        "In the classic game no single line of the small boards or of the odd ones decides",
        Data(|book| {
            ["1x5", "1x6", "3x3", "3x4", "3x5"].iter().all(|size| {
                let board = format!("classic-{size}");
                without(book, &board)
                    .iter()
                    .all(|(_, winner)| (winner["winner"] == "first") == book.first_wins(&board))
            })
        }),
    ),
    (
        "winners",
        "Even without a line through the centre every first move wins there.",
        Data(|book| {
            ["classic-1x5", "classic-3x3", "classic-3x5"]
                .iter()
                .all(|board| {
                    without(book, board)
                        .iter()
                        .all(|(_, winner)| every_move_wins(winner))
                })
        }),
    ),
    (
        "winners",
        "Signal is different: no single line makes 4 × 4 and 4 × 5 the odd ones out",
        Data(|book| {
            ["signal-4x4", "signal-4x5"].iter().all(|board| {
                without(book, board)
                    .iter()
                    .all(|(_, winner)| winner["winner"] == "first")
            })
        }),
    ),
    (
        "winners",
        "In misère play some lines decide, the middle one among them on 1 × 9 and 1 × 13.",
        Data(|book| {
            [("1x9", "d1-f1"), ("1x13", "f1-h1")]
                .iter()
                .all(|(size, middle)| {
                    let board = format!("classic-{size}:play=misere");
                    let found = without(book, &board);
                    let (_, winner) = found.iter().find(|(line, _)| line == middle).unwrap();
                    (winner["winner"] == "first") != book.first_wins(&board)
                })
        }),
    ),
    (
        "nimbers",
        "The player to move wins the whole if and only if",
        Proof,
    ),
    (
        "nimbers",
        "By [Theorem 1](families.md#two-ranks) every board of two ranks has nimber 0",
        Data(|book| {
            book.0.0["nimbers"].iter().all(|(board, found)| {
                let (_, size) = board.split_once('-').unwrap();
                let odd = ["1x3", "1x5", "1x7", "1x9", "1x11", "1x13", "3x3"].contains(&size);
                let zero = found["start"] == 0;
                !(size.starts_with("2x") && !zero || odd && !board.starts_with("green") && zero)
            })
        }),
    ),
    (
        "nimbers",
        "Where every first move wins, each leads to nimber 0",
        Proof,
    ),
    (
        "nimbers",
        "Every first move wins on 1 × 3, 1 × 5, …, 1 × 19, on 3 × 3, 3 × 5 and 3 × 7",
        Data(|book| {
            let ranks = (3..20).step_by(2).map(|files| format!("classic-1x{files}"));
            let boards: Vec<String> = ranks
                .chain(["classic-3x3".into(), "classic-3x5".into()])
                .collect();
            boards.len() == 11
                && boards
                    .iter()
                    .all(|board| every_move_wins(book.fact("winners", board)))
                && book.openings("classic-3x7").len() == 21
        }),
    ),
    (
        "nimbers",
        "With fresh boards of nimbers 0 and 1 only",
        Proof,
    ),
    (
        "nimbers",
        "Along 1 × n the largest nimber does not fall up to 14 on 1 × 17; on 1 × 18 it is 13.",
        Data(|book| {
            let along: Vec<u64> = (3..=18)
                .map(|n| book.largest_nimber(&format!("classic-1x{n}")).unwrap())
                .collect();
            along[..15].is_sorted() && along[14..] == [14, 13]
        }),
    ),
    (
        "nimbers",
        "Along 2 × n it falls earlier: 8 on 2 × 5, 5 on 2 × 6, 13 on 2 × 7.",
        Data(|book| {
            let along = [5, 6, 7].map(|n| book.largest_nimber(&format!("classic-2x{n}")));
            along == [Some(8), Some(5), Some(13)]
        }),
    ),
    ("nimbers", "P. dos Santos proved in 2011", Meaning),
    (
        "misere",
        "Whoever makes the last move of all *loses*.",
        Meaning,
    ),
    ("misere", "What takes the place of nimbers", Meaning),
    (
        "misere",
        "If a board has few classes, a small table answers for every sum",
        Meaning,
    ),
    (
        "misere",
        "1. Positions that can stand for each other in every such sum",
        Meaning,
    ),
    ("misere", "3. The proof goes through every pair", Meaning),
    (
        "misere",
        "In each pair the class must be lost exactly",
        Meaning,
    ),
    ("misere", "Positions and forms are counted", Meaning),
    ("misere", "A quotient is small here", Meaning),
    (
        "misere",
        "On 1 × 3 the classic game has the six classes of *tame* games",
        Data(|book| {
            let small = book.fact("misere", "classic-1x3")["small"]
                .as_array()
                .unwrap();
            small
                .last()
                .is_some_and(|small| small["classes"] == 6 && small["lost"] == 2)
        }),
    ),
    (
        "misere",
        "On 1 × 4 its positions have up to 94 classes, and the empty board has more than a hundred.",
        Data(|book| {
            let found = book.fact("misere", "classic-1x4");
            let small = found["small"].as_array().unwrap();
            small.last().is_some_and(|small| small["classes"] == 94) && found["start"].is_null()
        }),
    ),
    (
        "families",
        "Here are two strategies of one sentence",
        Meaning,
    ),
    (
        "families",
        "If there is none, the player copies; and afterwards the only",
        Proof,
    ),
    ("families", "It holds σ(x), because before the copy", Proof),
    ("families", "The empty board has none, either.", Proof),
    ("families", "The opponent can never win against", Proof),
    (
        "families",
        "And somebody wins: every move raises a light",
        Proof,
    ),
    ("families", "So **a player who can always answer", Proof),
    (
        "families",
        "This is so for every choice of what counts",
        Proof,
    ),
    (
        "families",
        "Lines of three fit into no file of two squares",
        Proof,
    ),
    ("families", "By Lemma 1 there is never a threat", Proof),
    (
        "families",
        "In misère play let the second player copy always.",
        Proof,
    ),
    (
        "families",
        "So the second player never completes one",
        Proof,
    ),
    ("families", "By Lemma 1 the only threats", Proof),
    ("families", "Raising one end only leaves ends", Proof),
    (
        "families",
        "Until then every neighbour of c was empty",
        Proof,
    ),
    (
        "families",
        "In the game *green* only three green lights",
        Meaning,
    ),
    (
        "families",
        "How many lines hold a square and its image",
        Meaning,
    ),
    (
        "families",
        "And the strategies themselves, played against every",
        Meaning,
    ),
    (
        "families",
        "Green on 1 × 3 and 3 × 3 is not covered by Theorem 2: there the same strategy wins all the same.",
        Data(|book| {
            ["1x3", "3x3"]
                .iter()
                .all(|size| book.fact("strategies", &format!("plain green-{size}"))["wins"] == true)
        }),
    ),
    ("families", "These are shortest plays that show it", Meaning),
    (
        "families",
        "On one rank with an even number of squares the reason is always the same",
        Data(|book| {
            // The last move completes a line with both of the middle.
            let plays = book.0.0["strategies"].iter().filter_map(|(key, found)| {
                let (_, files) = key.strip_prefix("plain ")?.split_once("-1x")?;
                let files: u8 = files.parse().ok()?;
                let play = found["play"].as_str()?;
                files.is_multiple_of(2).then(|| (files, play.to_string()))
            });
            let mut seen = 0;
            plays.into_iter().all(|(files, play)| {
                seen += 1;
                let mut levels = [0_u8; 32];
                let at = |mv: &str| usize::from(mv.as_bytes()[0] - b'a');
                for mv in play.split(' ') {
                    levels[at(mv)] += 1;
                }
                let last = at(play.split(' ').next_back().unwrap());
                let middle = [usize::from(files) / 2 - 1, usize::from(files) / 2];
                let beside = last + 1 == middle[0] || last == middle[1] + 1;
                beside && middle.iter().all(|square| levels[*square] == levels[last])
            }) && seen > 8
        }),
    ),
    (
        "families",
        "Answering in the middle by a list and copying elsewhere",
        Meaning,
    ),
    (
        "families",
        "Take a middle of 2, 4, 6, 8 or 10 squares",
        Meaning,
    ),
    (
        "families",
        "Every content of such a middle was tried",
        Meaning,
    ),
    (
        "strategies",
        "Here is the answer for every board whose winner",
        Meaning,
    ),
    (
        "strategies",
        "\"Some needed, none found\": every strategy",
        Meaning,
    ),
    (
        "strategies",
        "None wins on 3 × 7 and 4 × 5 in green and misère play",
        Data(|book| {
            [
                "green-3x7",
                "green-4x5",
                "classic-3x7:play=misere",
                "classic-4x5:play=misere",
            ]
            .iter()
            .all(|board| {
                let found = book.fact("strategies", &format!("larger {board}"));
                found["at_least"].as_u64() > Some(0)
            })
        }),
    ),
    (
        "strategies",
        "Some boards of each kind; all 127",
        Data(|book| {
            let sought = book.0.0["strategies"].iter().filter(|(board, found)| {
                found.get("symmetry").is_some() && !board.starts_with("larger ")
            });
            sought.count() == 127
        }),
    ),
    (
        "strategies",
        "*At least* says how many exceptions every strategy",
        Meaning,
    ),
    (
        "strategies",
        "Every other board needs some; see [Two theorems](families.md).",
        Data(|book| {
            let none = book.without_exceptions();
            let covered = |board: &str| {
                let (name, options) = board.split_once(':').unwrap_or((board, ""));
                let (game, size) = name.split_once('-').unwrap();
                let (ranks, files) = size.split_once('x').unwrap();
                let odd = [ranks, files]
                    .iter()
                    .all(|side| side.parse::<u32>().unwrap() % 2 == 1);
                ranks == "2" || odd && game != "green" && options.is_empty()
            };
            let beyond: Vec<&&str> = none.iter().filter(|board| !covered(board)).collect();
            let others = book.0.0["strategies"].iter().filter(|(board, found)| {
                found.get("symmetry").is_some()
                    && found["winner"].is_string()
                    && !none.contains(&board.as_str())
            });
            beyond == [&"green-1x3", &"green-3x3"]
                && others
                    .into_iter()
                    .all(|(_, found)| found["at_least"].as_u64() > Some(0))
        }),
    ),
    (
        "strategies",
        "- In the classic game on one rank with an even number of squares, the second player wins on all boards",
        Data(|book| {
            let boards = book.winners("classic", false);
            let mut even = boards
                .iter()
                .filter(|(ranks, files, _)| *ranks == 1 && files % 2 == 0);
            even.clone().count() == 9 && even.all(|(_, _, winner)| winner["winner"] == "second")
        }),
    ),
    ("strategies", "Lists of exceptions need all values", Meaning),
    (
        "strategies",
        "All the same the won boards have strategies by a mirror with about ten exceptions",
        Data(|book| {
            ["noughts-3x4", "noughts-4x4"].iter().all(|board| {
                let found = book.fact("strategies", board);
                let exceptions = found["exceptions"].as_u64().unwrap();
                found["symmetry"].as_str().unwrap().starts_with("mirror")
                    && (8..=12).contains(&exceptions)
            })
        }),
    ),
    (
        "strategies",
        "Without exceptions no such strategy wins, and none was found with them.",
        Data(|book| {
            ["slider:score=win", "strip:repeat=ban"].iter().all(|game| {
                let found = book.fact("strategies", game);
                found["winner"] == "first"
                    && found["at_least"].as_u64() > Some(0)
                    && found["reason"] == "none within the budget"
            })
        }),
    ),
    (
        "strategies",
        "- **`strip`**: positions repeat and nobody wins",
        Meaning,
    ),
    (
        "strategies",
        "- **Bag**: with chance no reply wins against every",
        Meaning,
    ),
    ("people", "- A position **fools two plies**", Meaning),
    ("people", "Mistakes are counted over the games", Meaning),
    (
        "people",
        "Early wins of the *other* player can only come from a mistake",
        Data(|book| {
            [("classic-3x3", 1), ("classic-3x4", 0)]
                .iter()
                .all(|(board, other)| {
                    let plies = book.fact("people", board)["plies"].as_array().unwrap();
                    let number = |ply: &Value, name: &str| ply[name].as_u64().unwrap();
                    let early = plies
                        .iter()
                        .skip(*other)
                        .step_by(2)
                        .filter(|ply| number(ply, "won") > 0)
                        .take(3);
                    early
                        .into_iter()
                        .all(|ply| 2 * number(ply, "traps") > number(ply, "won"))
                })
        }),
    ),
    (
        "people",
        "These are the traps with the most safe-looking moves",
        Meaning,
    ),
    ("people", "So games are played out, two thousand", Meaning),
    (
        "people",
        "- A **mistake** is a move that is worth less",
        Meaning,
    ),
    ("people", "- A position is *open* if not all moves", Meaning),
    (
        "people",
        "A **trap** is an open position with one best move",
        Meaning,
    ),
    (
        "people",
        "The [tables](tables/people.md#first-moves-of-games)",
        Meaning,
    ),
    (
        "people",
        "In **Ampel** a player's first turn is several plies",
        Meaning,
    ),
    (
        "people",
        "From the second ply on at least a third of all moves lead to disaster.",
        Data(|book| {
            ["classic-3x3", "classic-3x4"]
                .iter()
                .all(|board| book.losing(board)[1..].iter().all(|share| *share > 33.3))
        }),
    ),
    (
        "people",
        "Fewest do in the middle of the game: 36 % on 3 × 3, 47 % on 3 × 4.",
        Data(|book| {
            [("classic-3x3", 36.0), ("classic-3x4", 47.0)]
                .iter()
                .all(|(board, share)| {
                    let losing = &book.losing(board)[1..];
                    let least = losing.iter().copied().fold(100.0, f64::min);
                    let at = losing.iter().position(|share| *share <= least).unwrap();
                    least.round() == *share
                        && (losing.len() / 4..losing.len() * 3 / 4).contains(&at)
                })
        }),
    ),
    (
        "people",
        "All do at the last ply.",
        Data(|book| {
            ["classic-3x3", "classic-3x4"]
                .iter()
                .all(|board| book.losing(board).last().copied() == Some(100.0))
        }),
    ),
    (
        "people",
        "Read as: over games of two careful players",
        Meaning,
    ),
    (
        "people",
        "For 3 × 4 all need exceptions, and the one found needs thousands; 3 × 3 has one without any",
        Data(|book| {
            let found = book.fact("strategies", "classic-3x4");
            found["at_least"].as_u64() > Some(0)
                && found["exceptions"].as_u64() > Some(2000)
                && book.fact("strategies", "classic-3x3")["exceptions"] == 0
        }),
    ),
    (
        "people",
        "- A **careful** player looks one ply ahead",
        Meaning,
    ),
    (
        "people",
        "Read as: one sentence tells the winner of 3 × 3 how to win, and none does on 3 × 4.",
        Data(|book| {
            let exceptions = |board| book.fact("strategies", board)["at_least"].as_u64();
            exceptions("classic-3x3") == Some(0) && exceptions("classic-3x4") > Some(0)
        }),
    ),
    (
        "people",
        "As written, with strip moves for ever, there are next to none (0.3 % against 17 %)",
        Data(|book| {
            let careful = |game: &str| &book.fact("people", &format!("games {game}"))["careful"];
            let mistakes = |game: &str| {
                let plies = careful(game)["plies"].as_array().unwrap();
                let total = |name: &str| {
                    plies
                        .iter()
                        .map(|ply| ply[name].as_f64().unwrap())
                        .sum::<f64>()
                };
                1000.0 * total("mistakes") / total("at_stake")
            };
            mistakes("strip").round() == 3.0
                && (mistakes("classic-3x3") / 10.0).round() == 17.0
                && (careful("strip")["broken_off"].as_f64().unwrap() / 20.0).round() == 87.0
        }),
    ),
    (
        "people",
        "How often does a careful player give a win away (16 % against 15 %)?",
        Data(|book| {
            let share = |board| (book.share(board, "careful_mistakes") / 1e4).round();
            share("classic-3x4") == 16.0 && share("classic-3x3") == 15.0
        }),
    ),
    (
        "ledger",
        "[Tables: ledger](tables/ledger.md) has all published",
        Meaning,
    ),
    ("ledger", "- every value, on small boards", Meaning),
    (
        "ledger",
        "- strategies, by the rules alone, against every defence.",
        Meaning,
    ),
    (
        "ledger",
        "1. Does the second player win on every 1 × n with n even",
        Data(|book| {
            (4..=20)
                .step_by(2)
                .all(|n| !book.first_wins(&format!("classic-1x{n}")))
        }),
    ),
    (
        "ledger",
        "Is it the only classic board that breaks the rule of odd and even?",
        Data(|book| {
            let boards = book.winners("classic", false);
            let broken = boards
                .iter()
                .filter(|(ranks, files, winner)| !follows_the_rule(*ranks, *files, winner));
            let sizes: Vec<_> = broken.map(|(ranks, files, _)| (*ranks, *files)).collect();
            sizes == [(4, 5)]
                && ["3x8", "4x6"]
                    .iter()
                    .all(|size| book.openings(&format!("classic-{size}")).is_empty())
        }),
    ),
    (
        "ledger",
        "3. Does every first move win on every 1 × n and 3 × n with n odd?",
        Data(|book| {
            (3..=19)
                .step_by(2)
                .map(|n| format!("classic-1x{n}"))
                .chain(["classic-3x3".into(), "classic-3x5".into()])
                .all(|board| every_move_wins(book.fact("winners", &board)))
                && book.openings("classic-5x5").len() == 21
        }),
    ),
    (
        "ledger",
        "5. Does every nimber up to the largest one occur",
        Meaning,
    ),
    (
        "ledger",
        "On all boards computed it does, in signal and green, too",
        Data(|book| {
            book.0.0["nimbers"].values().all(|found| {
                let smallest = found["smallest"].as_array().unwrap();
                (0..)
                    .zip(smallest)
                    .all(|(nimber, one): (u64, _)| one["nimber"] == nimber)
            })
        }),
    ),
    ("ledger", "These are the numbers of [Results]", Meaning),
    ("ledger", "A recurrence of order k has 2k numbers", Proof),
    (
        "ledger",
        "From 1 × 9 to 1 × 16, on eight boards running, best play takes 2n + 5 plies",
        Data(|book| {
            let plies = |n: u64| {
                let board = format!("classic-1x{n}");
                let row = book.0.1.iter().find(|row| row.variant == board);
                row.and_then(|row| row.distance)
                    .or_else(|| book.fact("winners", &format!("length {board}"))["plies"].as_u64())
                    .unwrap()
            };
            (9..=16).all(|n| plies(n) == 2 * n + 6 - n % 2) && plies(17) == 41
        }),
    ),
    (
        "ledger",
        "**Conjecture**: on one rank the loser can always make",
        Meaning,
    ),
    ("sequences", "*Every line-free board can be reached", Proof),
    (
        "sequences",
        "While a square is on its way through a colour",
        Proof,
    ),
    ("sequences", "A line of its last colour would stand", Proof),
    ("sequences", "So counting line-free boards counts", Proof),
    (
        "sequences",
        "So of the files built, only two facts matter",
        Proof,
    ),
    (
        "sequences",
        "So if it is 0 for D numbers running, it is always 0.",
        Proof,
    ),
    (
        "sequences",
        "The program finds the shortest recurrence",
        Meaning,
    ),
    ("sequences", "\"At most\" in the table is D.", Meaning),
    (
        "sequences",
        "Where no order stands but \"at most\"",
        Meaning,
    ),
    // Compared in `line_free_boards_are_those_of_the_atlas`.
    (
        "sequences",
        "The solver met the same numbers of line-free boards on every board",
        Meaning,
    ),
    (
        "sequences",
        "Of three neighbouring squares on a rank not all",
        Proof,
    ),
    (
        "sequences",
        "On more ranks the program builds boards",
        Meaning,
    ),
    ("sequences", "When all these sums have grown", Proof),
    (
        "sequences",
        "Won and lost positions of larger boards",
        Meaning,
    ),
];

/// What is known of a board without a line, by the line.
fn without<'b>(book: &'b Book, board: &str) -> Vec<(&'b str, &'b Value)> {
    let listed = book.fact("winners", &format!("lines {board}"));
    let listed = listed.as_array().unwrap().iter();
    listed
        .map(|one| (one["line"].as_str().unwrap(), &one["winner"]))
        .collect()
}

/// The sentences of a chapter; what is made of the data, code and tables of it left out.
fn sentences(chapter: &str) -> Vec<String> {
    let page = text(&format!("{chapter}.md"));
    let (mut kept, mut made, mut code) = (vec![String::new()], false, false);
    for line in page.lines() {
        if line.starts_with("<!-- begin") || line.starts_with("<!-- end") {
            made = line.starts_with("<!-- begin");
            continue;
        }
        if line.starts_with("```") {
            code = !code;
            continue;
        }
        let begins = line.starts_with("- ")
            || line.starts_with('#')
            || line
                .split_once(". ")
                .is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if made || code || line.starts_with('|') || line.trim().is_empty() || begins {
            kept.push(String::new());
        }
        if !(made || code || line.starts_with('|') || line.starts_with('#')) {
            let last = kept.last_mut().unwrap();
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line.trim());
        }
    }
    kept.iter().flat_map(|part| cut(part)).collect()
}

/// Cuts a paragraph behind a full stop, question mark or exclamation mark before a capital.
fn cut(paragraph: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut words = paragraph.split(' ').peekable();
    while let Some(word) = words.next() {
        let last = parts.last_mut().unwrap();
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(word);
        let closes = word
            .trim_end_matches(['*', ')', '"'])
            .ends_with(['.', '?', '!', ':']);
        let number = word.trim_end_matches('.').parse::<u32>().is_ok()
            && parts.last().is_some_and(|part| part == word);
        let next = words
            .peek()
            .and_then(|next| next.trim_start_matches(['*', '[', '(', '"']).chars().next());
        if closes
            && !number
            && !word.ends_with(':')
            && next.is_some_and(|next| next.is_uppercase() || next.is_ascii_digit())
        {
            parts.push(String::new());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn says_all(sentence: &str) -> bool {
    let parts = |letter: char| !letter.is_alphabetic();
    sentence
        .split(parts)
        .any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

#[test]
fn what_is_said_of_all_is_true() {
    let book = Book(facts());
    for (chapter, begins, behind) in SENTENCES {
        if let Data(holds) = behind {
            assert!(holds(&book), "{chapter}.md: {begins}");
        }
    }
}

#[test]
fn every_sentence_that_says_all_is_known_and_no_other() {
    let mut known: Vec<bool> = SENTENCES.iter().map(|_| false).collect();
    let mut unknown = Vec::new();
    for chapter in CHAPTERS {
        for sentence in sentences(chapter) {
            let at = SENTENCES
                .iter()
                .position(|(page, begins, _)| *page == chapter && sentence.starts_with(begins));
            match at {
                Some(at) => known[at] = true,
                None if says_all(&sentence) => unknown.push(format!("{chapter}.md: {sentence}")),
                None => {}
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "nothing stands behind:\n{}",
        unknown.join("\n")
    );
    for ((chapter, begins, _), known) in SENTENCES.iter().zip(known) {
        assert!(known, "{chapter}.md does not say: {begins}");
    }
}
