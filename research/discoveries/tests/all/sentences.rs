//! The sentences of the book, and of the pages beside it, that say all, any, each, every, most, no, only,
//! same and the like ([`WORDS`]): what stands behind each. Code here checks those about the data. The others
//! give a meaning, are part of a proof on the page, or say what a page or a command holds.

use greenwave_discoveries::{AtlasRow, Facts};
use greenwave_game::{BoardGame, Code, Game};
use serde_json::Value;

use crate::{facts, text};

mod plain;

const CHAPTERS: [&str; 17] = [
    "index",
    "winners",
    "nimbers",
    "misere",
    "families",
    "strategies",
    "people",
    "ledger",
    "sequences",
    "conjectures",
    "submissions",
    "../article/article",
    "../proved-twice",
    "../results",
    "../which-game",
    "../why/solved",
    "../why/several-machines",
];

const WORDS: [&str; 16] = [
    "all",
    "alone",
    "always",
    "any",
    "each",
    "elsewhere",
    "every",
    "largest",
    "most",
    "never",
    "no",
    "nobody",
    "none",
    "nothing",
    "only",
    "same",
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

    /// Boards without a line by the geometry alone, up to three ranks.
    fn line_free(&self, ranks: usize, files: usize) -> Option<u64> {
        let found = self.0.0["sequences"].get(&format!("line-free-{ranks}xn"))?;
        found["terms"][files - 1].as_str()?.parse().ok()
    }

    /// Whether the lines of a winner's board are those of the classic game: its counts say so.
    fn classic(&self, winner: &Value) -> bool {
        let facts = self.0.0["winners"].iter();
        let mut same = facts.filter(|(_, found)| std::ptr::eq(*found, winner));
        same.any(|(board, _)| board.starts_with("classic"))
    }

    /// Boards of misère play that break the rule of odd and even.
    fn misere_exceptions(&self) -> Vec<(&'static str, &'static str, (usize, usize))> {
        let boards = self.winners("classic", true);
        let broken = boards
            .iter()
            .filter(|(ranks, files, winner)| !follows_the_rule(*ranks, *files, winner));
        broken
            .map(|(ranks, files, _)| ("classic", ":play=misere", (*ranks, *files)))
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

/// The boards of a game in normal play on which the number of squares does not tell who wins.
fn breaks_the_rule(book: &Book, game: &str) -> Vec<(usize, usize)> {
    let boards = book.winners(game, false);
    let broken = boards
        .iter()
        .filter(|(ranks, files, winner)| !follows_the_rule(*ranks, *files, winner));
    broken.map(|(ranks, files, _)| (*ranks, *files)).collect()
}

/// Whether the three games tell the same of their boards of one rank in misère play.
fn alike_in_misere_play(book: &Book, most: u32, what: &str) -> bool {
    (3..=most).all(|n| {
        let found = |game: &str| &book.fact("survey", &format!("{game}-1x{n}:play=misere"))[what];
        let classic = found("classic");
        !classic.is_null() && [found("signal"), found("green")] == [classic, classic]
    })
}

/// The rows of the atlas that are boards of classic, signal and misère play, with ranks and files.
fn atlas(book: &Book) -> impl Iterator<Item = (usize, usize, &AtlasRow)> {
    let boards = book
        .0
        .1
        .iter()
        .filter(|row| !row.variant.starts_with("points"));
    boards.map(|row| {
        let (name, _) = row
            .variant
            .split_once(':')
            .unwrap_or((row.variant.as_str(), ""));
        let (_, size) = name.split_once('-').unwrap();
        let (ranks, files) = size.split_once('x').unwrap();
        (ranks.parse().unwrap(), files.parse().unwrap(), row)
    })
}

/// Boards of more squares than the tables have that break the rule of odd and even: signal 4 × 6, 4 × 7 and
/// 5 × 6, misère 1 × 19 and 3 × 7, and no other that was solved.
fn larger_exceptions(book: &Book) -> bool {
    let broken = atlas(book).filter(|(ranks, files, row)| {
        ranks * files > 20 && (row.value == "win") != (ranks * files % 2 == 1)
    });
    let broken: Vec<&str> = broken.map(|(_, _, row)| row.variant.as_str()).collect();
    let page = results();
    let says = |board: &str, player: &str| {
        let begins = format!("| `{board}` |");
        let mut rows = page.lines().filter(|row| row.starts_with(&begins));
        rows.any(|row| row.contains(&format!("| {player} player |")))
    };
    let misere = |size: &str| {
        let name = format!("classic-{size}:play=misere");
        atlas(book).any(|(_, _, row)| row.variant == name && row.value == "loss")
    };
    broken == ["classic-3x7:play=misere", "signal-4x6", "signal-4x7"]
        && says("signal-5x6", "first")
        && book.fact("survey", "classic-1x19:play=misere")["winner"] == "second"
        && book.fact("survey", "green-1x19")["winner"] == "first"
        && ["2x10", "3x7", "4x5"].into_iter().all(misere)
        && says("green-3x7", "first")
        && says("green-4x5", "second")
}

/// Whether on each of some larger boards every strategy in words needs at least one exception.
fn need_exceptions(book: &Book, boards: &[&str]) -> bool {
    boards.iter().all(|board| {
        let found = book.fact("strategies", &format!("larger {board}"));
        found["at_least"].as_u64() > Some(0)
    })
}

/// Whether copying by half a turn loses on each even board of another number of ranks than two on which it was
/// played out.
fn half_turn_fails(book: &Book) -> bool {
    let mut seen = 0;
    let plain = book.0.0["strategies"]
        .iter()
        .filter_map(|(key, found)| Some((key.strip_prefix("plain ")?, found)));
    plain.into_iter().all(|(board, found)| {
        let (_, size) = board.split_once('-').unwrap();
        let (ranks, files) = size.split_once('x').unwrap();
        let even = [ranks, files]
            .iter()
            .any(|side| side.split(':').next().unwrap().parse::<u32>().unwrap() % 2 == 0);
        if ranks == "2" || !even {
            return true;
        }
        seen += 1;
        found["wins"] == false
    }) && seen > 10
}

/// Whether boards of fifteen squares and more have a second sweep and a search behind them.
fn confirmed(book: &Book) -> bool {
    let mut large = atlas(book).filter(|(ranks, files, _)| ranks * files >= 15);
    let points = book
        .0
        .1
        .iter()
        .filter(|row| row.variant.starts_with("points"));
    large.all(|(_, _, row)| {
        let big = row.confirmed.big.as_ref();
        let confirmed = big.is_some_and(|big| big.sweeps.len() > 1 && big.searched > 10_000);
        confirmed != (row.variant == "classic-3x9")
    }) && points.into_iter().all(|row| row.confirmed.big.is_none())
        && !book
            .0
            .1
            .iter()
            .any(|row| row.variant.starts_with("green") || row.variant == "signal-5x6")
}

/// Whether every nimber up to the largest one occurs on the boards of up to sixteen squares, and on 4 × 5.
fn every_nimber_occurs(book: &Book) -> bool {
    let mut met = book.0.0["survey"]
        .values()
        .filter(|found| found["nimbers"].is_object());
    let sizes = |most: usize| {
        (1..=4).flat_map(move |ranks: usize| {
            (ranks.max(3)..=most / ranks).map(move |files| (ranks, files))
        })
    };
    let page = results();
    met.clone().count() == 3 * sizes(16).count()
        && met.all(|found| found["nimbers"]["all_below"] == true)
        && book.largest_nimber("classic-4x5") == Some(15)
        && counts_of_nimbers(&page).len() == 16
        && counts_of_nimbers(&page).values().all(|count| *count > 0)
}

/// Positions of classic 4 × 5 by nimber, from the page of results.
fn counts_of_nimbers(page: &str) -> std::collections::BTreeMap<u64, u64> {
    let (_, table) = page.split_once("| nimber | positions | nimber |").unwrap();
    let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
    let number = |cell: &str| cell.trim().replace(',', "").parse::<u64>().unwrap();
    let mut counts = std::collections::BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches(['|', ' ']).split('|').collect();
        for pair in cells.chunks(2) {
            counts.insert(number(pair[0]), number(pair[1]));
        }
    }
    counts
}

/// The nimber of a position of classic 1 × 4 by the rules alone, and whether the player to move wins it where
/// the last move loses.
fn on_four_squares(position: &str) -> (u32, bool) {
    let game = BoardGame::named("classic-1x4").unwrap();
    // A finished position has no move: its nimber is 0, and whoever moved last has lost.
    let mut values = vec![(0_u32, true); 256];
    let mut moves = Vec::new();
    for code in (0..256).rev().map(Code) {
        if game.ending(&code).is_some() {
            continue;
        }
        game.moves(&code, &mut moves);
        let after: Vec<(u32, bool)> = moves
            .iter()
            .map(|mv| values[game.play(&code, *mv).to.0 as usize])
            .collect();
        let nimber = (0..).find(|nimber| after.iter().all(|(own, _)| own != nimber));
        values[code.0 as usize] = (nimber.unwrap(), after.iter().any(|(_, wins)| !wins));
    }
    values[game.parse_position(position).unwrap().0 as usize]
}

/// Positions of classic 1 × 4 with a quotient of 94 classes or fewer, and all of them.
fn small_quotients(book: &Book) -> (u64, u64) {
    let found = book.fact("misere", "classic-1x4");
    let small = found["small"].as_array().unwrap();
    let few = small
        .iter()
        .filter(|small| small["classes"].as_u64() <= Some(94));
    let positions = few.map(|small| small["positions"].as_u64().unwrap()).sum();
    (positions, found["positions"].as_u64().unwrap())
}

/// The order of the shortest recurrence of these terms modulo a large prime (Berlekamp and Massey). One over the
/// whole numbers of a lower order would hold modulo the prime, too.
fn order(terms: &[u64]) -> usize {
    const PRIME: u128 = (1 << 61) - 1;
    let inverse = |number: u128| {
        let (mut result, mut base, mut left) = (1, number, PRIME - 2);
        while left > 0 {
            if left % 2 == 1 {
                result = result * base % PRIME;
            }
            base = base * base % PRIME;
            left /= 2;
        }
        result
    };
    let (mut now, mut before) = (vec![1_u128], vec![1_u128]);
    let (mut order, mut shift, mut last) = (0, 1, 1_u128);
    for at in 0..terms.len() {
        let part = |back: usize| {
            let factor = now.get(back).copied().unwrap_or(0);
            factor * u128::from(terms[at - back]) % PRIME
        };
        let gap = (0..=order).map(part).sum::<u128>() % PRIME;
        if gap == 0 {
            shift += 1;
            continue;
        }
        let factor = gap * inverse(last) % PRIME;
        let mut next = now.clone();
        next.resize(next.len().max(before.len() + shift), 0);
        for (index, own) in before.iter().enumerate() {
            let less = factor * own % PRIME;
            next[index + shift] = (next[index + shift] + PRIME - less) % PRIME;
        }
        if 2 * order <= at {
            (before, last, shift, order) = (now, gap, 1, at + 1 - order);
        } else {
            shift += 1;
        }
        now = next;
    }
    order
}

/// A file of the repository.
fn read(file: &str) -> String {
    std::fs::read_to_string(crate::root().join(file)).unwrap()
}

/// The page of results.
fn results() -> String {
    read("docs/results.md")
}

/// The summary of a published variant by its folder.
fn summary(folder: &str) -> Value {
    let file = crate::root()
        .join("solutions")
        .join(folder)
        .join("summary.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// A number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|part| std::str::from_utf8(part).unwrap())
        .collect();
    parts.join(",")
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
    ("index", "Every statement is one of five:", Meaning),
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
    ("index", "The command is `cargo discoveries`", Meaning),
    (
        "index",
        "4 × 5 is the one exception",
        Data(|book| breaks_the_rule(book, "classic") == [(4, 5)]),
    ),
    (
        "winners",
        "All of this is computed",
        Data(|book| {
            let all = GAMES
                .iter()
                .flat_map(|(game, misere)| book.winners(game, *misere));
            let all: Vec<_> = all.collect();
            all.len() == 120
                && all.iter().all(|(ranks, files, winner)| {
                    // As many as the geometry has, counted by other code, where lines are those of classic.
                    let without = book.line_free(*ranks, *files);
                    let own = winner["won"].as_u64().unwrap() + winner["lost"].as_u64().unwrap();
                    let classic = book.classic(winner);
                    !classic || without.is_none_or(|without| without == own)
                })
        }),
    ),
    (
        "winners",
        "[Tables](tables/winners.md) has every board of up to 20 squares, in green and misère play of up to 18",
        Data(|book| {
            let page = text("tables/winners.md");
            let (_, grid) = page.split_once("<!-- begin grid -->").unwrap();
            let mut shown = 0;
            let all = GAMES.iter().enumerate().all(|(column, (game, misere))| {
                let most = if *game == "green" || *misere { 18 } else { 20 };
                let known = book.winners(game, *misere);
                let sizes = (1..=4).flat_map(|ranks: usize| {
                    (ranks.max(3)..=most / ranks).map(move |files| (ranks, files))
                });
                sizes.into_iter().all(|(ranks, files)| {
                    shown += 1;
                    let begins = format!("| {ranks} × {files} |");
                    let row = grid.lines().find(|row| row.starts_with(&begins));
                    let cell = row.and_then(|row| row.split(" | ").nth(2 + column));
                    known.iter().any(|(r, f, _)| (*r, *f) == (ranks, files))
                        && cell
                            .is_some_and(|cell| cell.contains("first") || cell.contains("second"))
                })
            });
            all && shown == 120
        }),
    ),
    (
        "winners",
        "The [ledger](tables/ledger.md#boards) has the signatures of the value tables of up to sixteen squares",
        Data(|book| {
            let page = text("tables/ledger.md");
            let small = book.0.0["winners"].iter().filter(|(_, found)| {
                found.get("winner").is_some() && found["squares"].as_u64() <= Some(16)
            });
            let small: Vec<(&String, &Value)> = small.collect();
            small.len() == 96
                && small.iter().all(|(board, found)| {
                    let begins = format!("| `{board}` |");
                    let signature = found["signature"].as_str().unwrap();
                    page.lines()
                        .any(|row| row.starts_with(&begins) && row.contains(signature))
                })
        }),
    ),
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
    (
        "winners",
        "Half a turn about the middle square of an odd board moves every",
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
        "Where there is a centre it is among the moves that win in signal",
        Data(|book| {
            let boards = book.winners("signal", false);
            let mut odd = boards
                .iter()
                .filter(|(ranks, files, _)| ranks * files % 2 == 1);
            odd.clone().count() > 8
                && odd.all(|(ranks, files, winner)| {
                    let file = char::from(b'a' + *files as u8 / 2);
                    squares(winner).contains(&format!("{file}{}", ranks / 2 + 1).as_str())
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
        Data(|book| {
            let page = text("tables/winners.md");
            ["classic", "signal"]
                .iter()
                .flat_map(|game| {
                    breaks_the_rule(book, game)
                        .into_iter()
                        .map(move |size| (*game, "", size))
                })
                .chain(book.misere_exceptions())
                .all(|(game, options, (ranks, files))| {
                    let board = format!("{game}-{ranks}x{files}{options}");
                    book.0.0["winners"].contains_key(&format!("main {board}"))
                        && page.contains(&format!("`{board}`"))
                })
        }),
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
        "On signal's other exceptions there a single move wins at three turns running or fewer",
        Data(|book| {
            let others = breaks_the_rule(book, "signal")
                .into_iter()
                .filter(|size| *size != (4, 5))
                .map(|(ranks, files)| (ranks, files, format!("signal-{ranks}x{files}")));
            others.into_iter().all(|(ranks, files, board)| {
                let turns = narrow(&book.choices(&board));
                if (ranks, files) == (1, 4) {
                    turns == 4
                } else {
                    turns <= 3
                }
            })
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
        Data(|book| {
            book.0.0["nimbers"].iter().all(|(board, found)| {
                let openings = found["openings"].as_array().unwrap();
                let zero = openings.iter().filter(|nimber| **nimber == 0).count();
                let winning = book.winning(board).len();
                zero == winning && (winning < openings.len() || found["start"] == 1)
            })
        }),
    ),
    (
        "nimbers",
        "Every first move wins on 1 × 3, 1 × 5, …, 1 × 23, on 3 × 3, 3 × 5, 3 × 7 and 3 × 9, fifteen boards.",
        Data(|book| {
            let mut odd: Vec<_> = atlas(book).collect();
            odd.retain(|(ranks, files, row)| {
                [1, 3].contains(ranks)
                    && files % 2 == 1
                    && row.variant.starts_with("classic")
                    && !row.variant.contains(':')
            });
            odd.len() == 15
                && odd
                    .iter()
                    .all(|(ranks, files, row)| row.winning_openings.len() == ranks * files)
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
    ("misere", "A *quotient* takes the place of nimbers", Meaning),
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
    ("misere", "A quotient is small here", Meaning),
    (
        "misere",
        "On 1 × 3 the classic game has six classes, those of Nim",
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
        "Of the 136 positions of 1 × 4, 128 have 94 classes or fewer.",
        Data(|book| small_quotients(book) == (128, 136)),
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
    ("families", "This is so in classic, signal and green", Proof),
    (
        "families",
        "Lines of three fit into no file of two squares",
        Data(|book| {
            let boards = book
                .fact("strategies", "lines with both")
                .as_array()
                .unwrap();
            let mut two = boards
                .iter()
                .filter(|one| one[0].as_str().unwrap().contains("-2x"));
            two.clone().count() == 14 && two.all(|one| one[1].as_array().unwrap().is_empty())
        }),
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
        Data(|book| {
            book.fact("strategies", "lines with both")
                .as_array()
                .unwrap()
                .len()
                == 14 + 20 + 25
        }),
    ),
    (
        "families",
        "And the strategies themselves, played against every",
        Data(|book| {
            let plain = book.0.0["strategies"].iter().filter_map(|(key, found)| {
                let board = key.strip_prefix("plain ")?;
                let (name, options) = board.split_once(':').unwrap_or((board, ""));
                let (game, size) = name.split_once('-').unwrap();
                let (ranks, files) = size.split_once('x').unwrap();
                let odd = [ranks, files]
                    .iter()
                    .all(|side| side.parse::<u32>().unwrap() % 2 == 1);
                (ranks == "2" || odd && game != "green" && options.is_empty()).then_some(found)
            });
            let found: Vec<&Value> = plain.collect();
            found.len() == 8 + 8 + 6 + 1 + 13 + 13
                && found.iter().all(|found| found["wins"] == true)
        }),
    ),
    (
        "families",
        "Theorem 2 does not cover green on 1 × 3 and 3 × 3, but its strategy wins there.",
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
        "No list of replies within the middle keeps threats away.",
        Data(|book| {
            ["classic", "signal", "green"].iter().all(|game| {
                [2, 4, 6, 8, 10].iter().all(|squares| {
                    book.fact("strategies", &format!("middle {game} {squares}"))["wins"] == false
                })
            })
        }),
    ),
    (
        "families",
        "Now take a middle of 2, 4, 6, 8 or 10 squares",
        Data(|book| {
            ["classic", "signal", "green"].iter().all(|game| {
                [2, 4, 6, 8, 10].iter().all(|squares| {
                    book.fact("strategies", &format!("middle {game} {squares}"))["wins"] == false
                })
            })
        }),
    ),
    (
        "families",
        "Every content of such a middle was tried",
        Meaning,
    ),
    (
        "strategies",
        "Here is the answer for every board of [Tables: who wins](tables/winners.md)",
        Data(|book| {
            let winners = book.0.0["winners"]
                .iter()
                .filter(|(_, found)| found.get("winner").is_some());
            let boards: Vec<&String> = winners.map(|(board, _)| board).collect();
            boards.len() == 120
                && boards
                    .iter()
                    .all(|board| book.0.0["strategies"].contains_key(*board))
        }),
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
            need_exceptions(
                book,
                &[
                    "green-3x7",
                    "green-4x5",
                    "classic-3x7:play=misere",
                    "classic-4x5:play=misere",
                ],
            )
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
        "Every other board of the table needs some; see [Two theorems](families.md).",
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
    (
        "strategies",
        "Lists of exceptions were not sought.",
        Data(|book| {
            book.0.0["strategies"]
                .iter()
                .filter(|(key, _)| key.starts_with("larger "))
                .all(|(_, found)| found["checked"] == 0 && found["symmetry"] == "none")
        }),
    ),
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
        Data(|_| {
            let strip = summary("strip");
            let mut solved = strip["solved"].as_array().unwrap().iter();
            solved.len() == 2 && solved.all(|solve| solve["value"] == "draw")
        }),
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
        Data(|book| {
            let page = text("tables/people.md");
            let (_, rows) = page.split_once("<!-- begin beginnings -->").unwrap();
            let (rows, _) = rows.split_once("<!-- end beginnings -->").unwrap();
            let games = book.0.0["people"]
                .keys()
                .filter_map(|key| key.strip_prefix("games "));
            games.into_iter().all(|game| {
                let listed = rows.contains(&format!("| `{game}` |"));
                listed != (game.starts_with("ampel") || game.starts_with("bag"))
            })
        }),
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
        "On 3 × 4 those of our form need exceptions, and the one found needs thousands; 3 × 3 has one without any",
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
        "Read as: one sentence tells the winner of 3 × 3 how to win, and no strategy of that form without exceptions",
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
        Data(|_| {
            let page = text("tables/ledger.md");
            let folder = std::fs::read_dir(crate::root().join("solutions")).unwrap();
            let folders = folder
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| path.join("summary.json").exists());
            let mut variants = folders.map(|path| {
                let named = path.file_name().unwrap().to_str().unwrap().to_string();
                summary(&named)["variant"].as_str().unwrap().to_string()
            });
            variants.all(|variant| page.contains(&format!("| `{variant}` |")))
        }),
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
            (4..=22)
                .step_by(2)
                .all(|n| book.openings(&format!("classic-1x{n}")).is_empty())
                && text("ledger.md").contains("up to n = 22.)")
        }),
    ),
    (
        "ledger",
        "Is it the only classic board that breaks the rule of odd and even?",
        Data(|book| {
            let broken = atlas(book).filter(|(ranks, files, row)| {
                row.variant.starts_with("classic")
                    && !row.variant.contains(':')
                    && (row.value == "win") != (ranks * files % 2 == 1)
            });
            let broken: Vec<&str> = broken.map(|(_, _, row)| row.variant.as_str()).collect();
            broken == ["classic-4x5"]
                && ["3x8", "4x6"]
                    .iter()
                    .all(|size| book.openings(&format!("classic-{size}")).is_empty())
        }),
    ),
    (
        "ledger",
        "3. Does every first move win on every 1 × n and 3 × n with n odd?",
        Data(|book| {
            let ranks = (3..=23).step_by(2).map(|files| (1, files));
            ranks.chain([(3, 3), (3, 5), (3, 7)]).all(|(ranks, files)| {
                book.openings(&format!("classic-{ranks}x{files}")).len() == ranks * files
            }) && book.openings("classic-5x5").len() == 21
        }),
    ),
    (
        "ledger",
        "5. Does every nimber up to the largest one occur",
        Data(|book| {
            book.0.0["survey"]
                .values()
                .all(|found| found["nimbers"].is_null() || found["nimbers"]["all_below"] == true)
        }),
    ),
    (
        "ledger",
        "On boards of up to sixteen squares it does, in signal and green, too, and on classic 4 × 5",
        Data(every_nimber_occurs),
    ),
    (
        "ledger",
        "These are the numbers of [Results]",
        Data(|book| {
            let results = std::fs::read_to_string(crate::root().join("docs/results.md")).unwrap();
            let classic = |row: &&greenwave_discoveries::AtlasRow| {
                row.variant.starts_with("classic-1x") && !row.variant.contains(':')
            };
            book.0
                .1
                .iter()
                .filter(classic)
                .all(|row| results.contains(&grouped(row.lost)))
        }),
    ),
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
        "The solver met the same numbers of line-free boards on every classic board of up to three ranks",
        Data(|book| {
            let mut compared = 0;
            let classic = atlas(book).filter(|(ranks, _, row)| {
                *ranks <= 3 && row.variant.starts_with("classic") && !row.variant.contains(':')
            });
            classic.into_iter().all(|(ranks, files, row)| {
                compared += 1;
                book.line_free(ranks, files) == Some(row.won + row.lost)
            }) && compared >= 35
        }),
    ),
    (
        "sequences",
        "Of three neighbouring squares on a rank not all",
        Data(|book| {
            (3..=20).all(|n| {
                let longest = book.fact("sequences", "longest-1xn")["plies"]
                    .as_array()
                    .unwrap();
                longest
                    .get(n - 1)
                    .is_none_or(|plies| plies.as_u64() == Some((8 * n as u64).div_ceil(3)))
            })
        }),
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
        Data(|book| {
            let results = std::fs::read_to_string(crate::root().join("docs/results.md")).unwrap();
            ["classic-1x23", "classic-2x12"].iter().all(|board| {
                let row = book.0.1.iter().find(|row| row.variant == *board).unwrap();
                results.contains(&grouped(row.won)) && results.contains(&grouped(row.lost))
            })
        }),
    ),
    (
        "conjectures",
        "Some of them were solved only after the search",
        Data(|book| {
            ["signal", "green"].iter().all(|game| {
                [17, 18, 19].iter().all(|n| {
                    let fact = book.fact("survey", &format!("{game}-1x{n}:play=misere"));
                    fact["winner"].is_string()
                })
            }) && book.fact("survey", "classic-1x19:play=misere")["winner"] == "second"
                && book.fact("survey", "green-1x19")["winner"] == "first"
        }),
    ),
    (
        "submissions",
        "We searched for the terms and the names",
        Meaning,
    ),
    ("submissions", "Traffic Lights is none of them", Meaning),
    (
        "../article/article",
        "Its rules fit into three sentences",
        Meaning,
    ),
    (
        "../article/article",
        "Two theorems settle boards of every size",
        Proof,
    ),
    ("../article/article", "A game cannot last for ever", Proof),
    ("../article/article", "It cannot be drawn either", Proof),
    (
        "../article/article",
        "Both players have the same moves",
        Meaning,
    ),
    (
        "../article/article",
        "Such games are called *impartial*",
        Proof,
    ),
    (
        "../article/article",
        "Play never gets beyond a line",
        Data(|book| {
            let row = book
                .0
                .1
                .iter()
                .find(|row| row.variant == "classic-5x5")
                .unwrap();
            grouped(row.won + row.lost) == "168,530,518,220,260"
        }),
    ),
    (
        "../article/article",
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
        "../article/article",
        "Signal has more exceptions, green none, and misère play many",
        Data(|book| {
            breaks_the_rule(book, "signal").len() > breaks_the_rule(book, "classic").len()
                && breaks_the_rule(book, "green").is_empty()
                && book.misere_exceptions().len() > 5
        }),
    ),
    (
        "../article/article",
        "Why does the number of squares matter at all?",
        Meaning,
    ),
    (
        "../article/article",
        "In the classic game every first move wins on every odd board with one or three ranks",
        Data(|book| {
            let odd = |row: &&greenwave_discoveries::AtlasRow| {
                let squares = row.positions.ilog2() / 2;
                let ranks =
                    row.variant.starts_with("classic-1x") || row.variant.starts_with("classic-3x");
                ranks && squares % 2 == 1 && !row.variant.contains(':')
            };
            let mut rows = book.0.1.iter().filter(odd);
            rows.clone().any(|row| row.variant == "classic-1x23")
                && rows.clone().any(|row| row.variant == "classic-3x7")
                && rows.all(|row| row.winning_openings.len() as u32 == row.positions.ilog2() / 2)
        }),
    ),
    (
        "../article/article",
        "In signal some first moves lose on every board that the first player wins",
        Data(|book| {
            let boards = book.winners("signal", false);
            let mut won = boards
                .iter()
                .filter(|(_, _, winner)| winner["winner"] == "first");
            won.all(|(_, _, winner)| !every_move_wins(winner))
        }),
    ),
    (
        "../article/article",
        "In misère play on one rank the loser can make the game last",
        Data(|book| {
            (3..=18_u64).all(|n| {
                let board = format!("classic-1x{n}:play=misere");
                let row = book.0.1.iter().find(|row| row.variant == board).unwrap();
                let longest = (8 * n).div_ceil(3) + 1;
                let even = row.value == "win";
                row.distance.unwrap() == longest - u64::from((longest % 2 == 0) != even)
            })
        }),
    ),
    (
        "../article/article",
        "The player to move wins if and only if",
        Proof,
    ),
    ("../article/article", "P. dos Santos proved", Meaning),
    (
        "../article/article",
        "The counts of won and of lost positions have no such recurrence",
        Data(|book| {
            let ranks = atlas(book).filter(|(ranks, _, row)| {
                *ranks == 1 && row.variant.starts_with("classic") && !row.variant.contains(':')
            });
            let rows: Vec<&AtlasRow> = ranks.map(|(_, _, row)| row).collect();
            let won: Vec<u64> = rows.iter().map(|row| row.won).collect();
            let lost: Vec<u64> = rows.iter().map(|row| row.lost).collect();
            let both: Vec<u64> = rows.iter().map(|row| row.won + row.lost).collect();
            rows.len() == 21 && order(&won) > 10 && order(&lost) > 10 && order(&both) == 3
        }),
    ),
    (
        "../article/article",
        "So every move leads to a higher index",
        Proof,
    ),
    (
        "../article/article",
        "Every raise then leads from a row",
        Meaning,
    ),
    (
        "../article/article",
        "They are a thousandth of all pictures of 5 × 5",
        Data(|book| {
            let row = book
                .0
                .1
                .iter()
                .find(|row| row.variant == "classic-5x5")
                .unwrap();
            let results = std::fs::read_to_string(crate::root().join("docs/results.md")).unwrap();
            results.contains("1,150,933,446,042")
                && (900..1100).contains(&(row.positions / 1_150_933_446_042))
        }),
    ),
    (
        "../article/article",
        "Positions in which the winner can win at once",
        Meaning,
    ),
    (
        "../article/article",
        "Always taking the first winning move",
        Meaning,
    ),
    (
        "../article/article",
        "A slow solver that knows only",
        Meaning,
    ),
    ("../article/article", "Each table carries a hash", Meaning),
    (
        "../article/article",
        "A table that says something untrue",
        Meaning,
    ),
    (
        "../article/article",
        "A program of fewer than 190 lines",
        Meaning,
    ),
    ("../article/article", "It knows only the rules.", Meaning),
    (
        "../article/article",
        "If there is none, the player copies, and afterwards",
        Proof,
    ),
    ("../article/article", "A threat after the copy holds", Proof),
    (
        "../article/article",
        "In misère play the second player wins, too",
        Proof,
    ),
    (
        "../article/article",
        "No line holds a square and the other one",
        Proof,
    ),
    (
        "../article/article",
        "A red centre allows only empty",
        Proof,
    ),
    (
        "../article/article",
        "The strategies were also played out against every defence",
        Data(|book| {
            let page = text("families.md");
            book.0.0["strategies"].contains_key("plain classic-2x3")
                && page.contains("| Theorem 1 | classic | 8 |")
        }),
    ),
    (
        "../article/article",
        "Rocq's kernel checks every step",
        Meaning,
    ),
    ("../article/article", "Hurd built databases", Meaning),
    (
        "../article/article",
        "Janičić, Marić and Maliković",
        Meaning,
    ),
    (
        "../article/article",
        "In misère play on one rank the three games have the same winner",
        Data(|book| {
            alike_in_misere_play(book, 19, "winner")
                && book.fact("survey", "green-3x4:play=misere")["winner"] == "first"
                && book.fact("survey", "classic-3x4:play=misere")["winner"] == "second"
        }),
    ),
    (
        "../article/article",
        "1. Does the second player win on every 1 × n",
        Meaning,
    ),
    (
        "../article/article",
        "2. Why does the first player win on 4 × 5, and is it",
        Meaning,
    ),
    (
        "../article/article",
        "3. Does every first move win",
        Meaning,
    ),
    ("../article/article", "4. Does every nimber", Meaning),
    (
        "../article/article",
        "On boards of up to sixteen squares it does, and on classic 4 × 5.",
        Data(every_nimber_occurs),
    ),
    (
        "../article/article",
        "All of it is in the repository",
        Meaning,
    ),
    (
        "conjectures",
        "In misère play on one rank classic, signal and green have the same winner on every board",
        Data(|book| alike_in_misere_play(book, 19, "winner")),
    ),
    (
        "conjectures",
        "Best play takes equally many plies in all three, on every board to 1 × 17.",
        Data(|book| alike_in_misere_play(book, 17, "plies")),
    ),
    (
        "conjectures",
        "In misère green every first move wins, or none does, on every board to 1 × 19.",
        Data(|book| {
            (3..=19).all(|n| {
                let found = book.fact("survey", &format!("green-1x{n}:play=misere"));
                found["winning"] == 0 || found["losing"] == 0
            })
        }),
    ),
    (
        "conjectures",
        "On three ranks it is otherwise",
        Data(|book| {
            let winner =
                |game: &str| &book.fact("survey", &format!("{game}-3x4:play=misere"))["winner"];
            winner("green") == "first" && winner("classic") == "second"
        }),
    ),
    (
        "winners",
        "Of larger boards signal 4 × 6, 4 × 7 and 5 × 6",
        Data(larger_exceptions),
    ),
    (
        "winners",
        "On other even boards half a turn fails",
        Data(half_turn_fails),
    ),
    (
        "winners",
        "On 4 × 4 and 4 × 5 single lines do decide.",
        Data(|book| {
            ["classic-4x4", "classic-4x5"].iter().all(|board| {
                let first = book.first_wins(board);
                without(book, board)
                    .iter()
                    .any(|(_, winner)| (winner["winner"] == "first") != first)
            })
        }),
    ),
    (
        "winners",
        "The win on 4 × 5 is so narrow that it needs a third of the lines",
        Data(|book| {
            let lines = book.fact("winners", "lines classic-4x5");
            let lines = lines.as_array().unwrap().iter();
            let alike = |line: &Value| line["alike"].as_u64().unwrap();
            let decide = lines
                .clone()
                .filter(|line| line["winner"]["winner"] == "second");
            decide.map(alike).sum::<u64>() == 12 && lines.map(alike).sum::<u64>() == 34
        }),
    ),
    (
        "winners",
        "1 × 20 of signal and 1 × 3, 1 × 18 and 3 × 6 of misère play were not taken apart.",
        Data(|book| {
            let broken = ["classic", "signal"]
                .iter()
                .flat_map(|game| {
                    breaks_the_rule(book, game)
                        .into_iter()
                        .map(move |size| (*game, "", size))
                })
                .chain(book.misere_exceptions())
                .map(|(game, options, (ranks, files))| format!("{game}-{ranks}x{files}{options}"));
            let mut left: Vec<String> = broken
                .filter(|board| !book.0.0["winners"].contains_key(&format!("lines {board}")))
                .collect();
            left.sort();
            left == [
                "classic-1x18:play=misere",
                "classic-1x3:play=misere",
                "classic-3x6:play=misere",
                "signal-1x20",
            ]
        }),
    ),
    (
        "nimbers",
        "These are the empty boards of up to thirteen squares, in signal and green of up to twelve",
        Data(|book| {
            let wanted = [("classic", 13), ("signal", 12), ("green", 12)];
            let mut seen = 0;
            wanted.iter().all(|(game, most)| {
                let sizes = (1..=3).flat_map(|ranks: usize| {
                    (ranks.max(3)..=most / ranks).map(move |files| (ranks, files))
                });
                sizes.into_iter().all(|(ranks, files)| {
                    seen += 1;
                    book.0.0["nimbers"].contains_key(&format!("{game}-{ranks}x{files}"))
                })
            }) && seen == book.0.0["nimbers"].len()
        }),
    ),
    (
        "misere",
        "The other eight, the empty board among them, have more than a hundred.",
        Data(|book| {
            let (few, all) = small_quotients(book);
            all - few == 8 && book.fact("misere", "classic-1x4")["start"].is_null()
        }),
    ),
    (
        "misere",
        "Then nimbers are not enough: the empty board of",
        Data(|_| on_four_squares("....").0 == 0 && on_four_squares(".YY.").0 == 0),
    ),
    (
        "misere",
        "But the player to move wins the first, played alone, and loses the second.",
        Data(|_| on_four_squares("....").1 && !on_four_squares(".YY.").1),
    ),
    (
        "misere",
        "Positions that play can reach, and their forms, are counted up to symmetry",
        Data(|book| book.fact("misere", "signal-1x4")["positions"] == 135),
    ),
    (
        "families",
        "So there the proof fails, and on 1 × 5 and 3 × 5 so does the strategy.",
        Data(|book| {
            ["1x5", "3x5"].iter().all(|size| {
                book.fact("strategies", &format!("plain green-{size}"))["wins"] == false
            })
        }),
    ),
    (
        "families",
        "On the other boards with an even number of squares no proof for all sizes is known",
        Data(half_turn_fails),
    ),
    (
        "strategies",
        "No such strategy without exceptions wins on 3 × 8 and 4 × 6, nor on 4 × 6 and 4 × 7 in signal.",
        Data(|book| {
            need_exceptions(
                book,
                &["classic-3x8", "classic-4x6", "signal-4x6", "signal-4x7"],
            )
        }),
    ),
    (
        "strategies",
        "- No exception is needed where a theorem says so, and on green 1 × 3 and 3 × 3.",
        Data(|book| {
            let none = book.without_exceptions();
            let two = GAMES.iter().flat_map(|(game, misere)| {
                let two = book.winners(game, *misere).into_iter();
                let options = if *misere { ":play=misere" } else { "" };
                two.filter(move |(ranks, files, _)| {
                    *ranks == 2 || ranks * files % 2 == 1 && !misere && *game != "green"
                })
                .map(move |(ranks, files, _)| format!("{game}-{ranks}x{files}{options}"))
            });
            let mut covered = two.chain(["green-1x3".into(), "green-3x3".into()]);
            covered.all(|board| {
                let played = book.0.0["strategies"].get(&format!("plain {board}"));
                none.contains(&board.as_str()) || played.is_some_and(|found| found["wins"] == true)
            })
        }),
    ),
    (
        "strategies",
        "3 × 3, also misère, and 4 × 4 with four in a row are draws",
        Data(|book| {
            let mut drawn = ["noughts-3x3", "noughts-4x4_line-4"]
                .iter()
                .flat_map(|folder| {
                    let solved = summary(folder)["solved"].as_array().unwrap().clone();
                    solved.into_iter().map(|solve| solve["value"].clone())
                });
            drawn.all(|value| value == "draw")
                && book.fact("survey", "noughts-3x3:play=misere")["winner"] == "draw"
        }),
    ),
    (
        "people",
        "Choices do shrink, but for the last plies.",
        Data(|book| {
            ["classic-3x3", "classic-3x4"].iter().all(|board| {
                let plies = book.fact("people", board)["plies"].as_array().unwrap();
                let moves = plies.iter().map(|ply| ply["moves"].as_u64().unwrap());
                let moves: Vec<u64> = moves.filter(|moves| *moves > 0).collect();
                let shrinks = |moves: &[u64]| moves.windows(2).all(|two| two[0] >= two[1]);
                shrinks(&moves[..moves.len() - 2]) && !shrinks(&moves)
            })
        }),
    ),
    (
        "ledger",
        "For distances `classic-5x5` is the largest",
        Data(|book| {
            let page = results();
            page.contains("**`classic-5x5` in 49 plies**")
                && page.contains("`classic-3x8` in 48 plies")
                && atlas(book)
                    .all(|(ranks, files, row)| row.distance.is_none() || ranks * files <= 25)
        }),
    ),
    (
        "ledger",
        "[Results](../results.md#all-boards) alone has classic 1 × 21, 1 × 22, 1 × 23",
        Data(|book| {
            let own = text("ledger.md") + &text("tables/ledger.md");
            let page = results();
            let missing = atlas(book).filter(|(ranks, files, row)| {
                ranks * files >= 20 && !own.contains(&format!("| `{}` |", row.variant))
            });
            let missing: Vec<&str> = missing.map(|(_, _, row)| row.variant.as_str()).collect();
            missing
                == [
                    "classic-1x21",
                    "classic-1x22",
                    "classic-1x23",
                    "classic-2x11",
                    "classic-2x12",
                    "classic-3x7",
                    "classic-2x10:play=misere",
                    "classic-3x7:play=misere",
                    "classic-4x5:play=misere",
                    "signal-3x7",
                    "signal-3x8",
                ]
                && missing
                    .iter()
                    .all(|board| page.contains(&format!("`{board}`")))
        }),
    ),
    (
        "ledger",
        "It alone has misère 2 × 10, 3 × 7 and 4 × 5 and green 4 × 5 and 3 × 7, too.",
        Data(|_| {
            let own = text("ledger.md") + &text("tables/ledger.md");
            let boards = [
                "classic-2x10:play=misere",
                "classic-4x5:play=misere",
                "classic-3x7:play=misere",
                "green-4x5",
                "green-3x7",
            ];
            boards.iter().all(|board| {
                let row = format!("| `{board}` |");
                !own.contains(&row) && results().contains(&row)
            })
        }),
    ),
    (
        "ledger",
        "- boards of the atlas of fifteen squares and more, but for points",
        Data(confirmed),
    ),
    (
        "submissions",
        "The fourteen known of signal show no period.",
        Data(|book| {
            let nimber = |n: usize| {
                let found = book.fact("survey", &format!("signal-1x{n}"));
                found["nimbers"]["start"].as_u64()
            };
            let terms: Vec<u64> = (3..).map_while(nimber).collect();
            let repeats =
                |period: usize| (period..terms.len()).all(|at| terms[at] == terms[at - period]);
            terms.len() == 14 && !(1..14).any(repeats)
        }),
    ),
    (
        "submissions",
        "As far as they were solved, the empty rows of classic and green have the nimbers",
        Data(|book| {
            ["classic", "green"].iter().all(|game| {
                (3..=19).all(|n| {
                    let found = book.fact("survey", &format!("{game}-1x{n}"));
                    if n % 2 == 0 {
                        found["winner"] == "second"
                    } else {
                        found["winner"] == "first" && found["losing"] == 0
                    }
                })
            })
        }),
    ),
    (
        "../article/article",
        "Of the larger ones signal 4 × 6, 4 × 7 and 5 × 6",
        Data(larger_exceptions),
    ),
    (
        "../article/article",
        "On other even boards half a turn fails",
        Data(half_turn_fails),
    ),
    (
        "../article/article",
        "From fifteen squares on, sweeps that differ in their possible faults",
        Data(confirmed),
    ),
    (
        "../article/article",
        "A search from the rules decides thousands of positions",
        Data(confirmed),
    ),
    (
        "../article/article",
        "Of the 136 positions of 1 × 4, 128 have 94 classes or fewer.",
        Data(|book| small_quotients(book) == (128, 136)),
    ),
    (
        "../article/article",
        "The largest have 3 × 9 squares in the classic game and 4 × 7",
        Data(|book| {
            let largest = |game: &str| {
                let own = atlas(book).filter(|(_, _, row)| row.variant.starts_with(game));
                own.max_by_key(|(ranks, files, _)| ranks * files)
                    .map(|(ranks, files, _)| (ranks, files))
            };
            largest("classic") == Some((3, 9)) && largest("signal") == Some((4, 7))
        }),
    ),
    (
        "../article/article",
        "After b2 the second player can play so that the first has a single winning move",
        Data(|book| book.choices("classic-4x5")[1..8] == [1; 7]),
    ),
    (
        "../article/article",
        "On 3 × 3, 3 × 4 and 3 × 5 no single line decides.",
        Data(|book| {
            ["classic-3x3", "classic-3x4", "classic-3x5"]
                .iter()
                .all(|board| {
                    let first = book.first_wins(board);
                    without(book, board)
                        .iter()
                        .all(|(_, winner)| (winner["winner"] == "first") == first)
                })
        }),
    ),
    (
        "../article/article",
        "The largest nimber of 3 × 3 is 6, of 3 × 4 it is 10, of 4 × 5 it is 15.",
        Data(|book| {
            ["3x3", "3x4", "4x5"].map(|size| book.largest_nimber(&format!("classic-{size}")))
                == [Some(6), Some(10), Some(15)]
        }),
    ),
    (
        "../article/article",
        "On boards of three ranks that is no longer so",
        Data(|book| {
            book.fact("survey", "green-3x4:play=misere")["winner"] == "first"
                && book.fact("survey", "classic-3x4:play=misere")["winner"] == "second"
        }),
    ),
    (
        "../proved-twice",
        "`proofs/Game.v` states the games in 142 lines",
        Data(|_| read("proofs/Game.v").lines().count() == 142),
    ),
    (
        "../proved-twice",
        "A sentence of the [rules](rules/signal.md) stands beside each definition of a game.",
        Data(|_| {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let pages = [
                "rules/classic",
                "rules/signal",
                "rules/green",
                "rules/noughts",
                "questions",
            ];
            let pages = pages.map(|page| words(&read(&format!("docs/{page}.md"))));
            let definitions = read("proofs/Game.v");
            let mut quoted = definitions.split('"').skip(1).step_by(2).map(words);
            quoted.clone().count() > 12
                && quoted.all(|quoted| pages.iter().any(|page| page.contains(&quoted)))
        }),
    ),
    (
        "../proved-twice",
        "Of a drawn game there are two certificates, one for each player.",
        Data(|_| {
            let folder = crate::root().join("solutions/noughts-3x3");
            ["first", "second"]
                .iter()
                .all(|player| folder.join(format!("certificate-{player}.txt")).exists())
        }),
    ),
    (
        "../proved-twice",
        "The theorems of `Copying.v`, `Certificate.v`, `CertificateFile.v` and `Certified.v` rest on no axiom",
        Data(|_| {
            let script = read("proofs/check.sh");
            script.contains("closed=(Basics Copying Certificate CertificateFile Certified)")
        }),
    ),
    (
        "../results",
        "What best play comes to, for every variant of the catalogue",
        Data(|_| {
            let page = results();
            let folder = std::fs::read_dir(crate::root().join("solutions")).unwrap();
            let folders = folder
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| path.join("summary.json").exists());
            let mut variants = folders.map(|path| {
                let named = path.file_name().unwrap().to_str().unwrap().to_string();
                summary(&named)["variant"].as_str().unwrap().to_string()
            });
            variants.all(|variant| page.contains(&format!("| `{variant}` |")))
        }),
    ),
    (
        "../results",
        "From fifteen squares on each result but that of classic 3 × 9 is confirmed",
        Data(confirmed),
    ),
    (
        "../results",
        "Classic 1 × 22, 1 × 23, 2 × 11 and 2 × 12 and signal 3 × 8 are in",
        Data(|book| {
            let page = results();
            let (_, larger) = page.split_once("## Larger boards").unwrap();
            let left = atlas(book).filter(|(ranks, files, row)| {
                ranks * files > 21 && !larger.contains(&format!("| `{}` |", row.variant))
            });
            let left: Vec<&str> = left.map(|(_, _, row)| row.variant.as_str()).collect();
            left == [
                "classic-1x22",
                "classic-1x23",
                "classic-2x11",
                "classic-2x12",
                "signal-3x8",
            ]
        }),
    ),
    (
        "../results",
        "On `classic-3x9` won and lost together are as many as counting gives",
        Data(|book| {
            let counted = &book.fact("sequences", "line-free-3xn")["terms"][8];
            let row = book.0.1.iter().find(|row| row.variant == "classic-3x9");
            row.is_some_and(|row| {
                let big = row.confirmed.big.as_ref();
                counted.as_str() == Some(&*(row.won + row.lost).to_string())
                    && big.is_some_and(|big| big.sweeps.len() == 1 && big.searched == 0)
            })
        }),
    ),
    (
        "../why/several-machines",
        "Of these boards 3x9 has been solved since",
        Data(|book| {
            let solved = ["3x9", "4x7", "5x6", "3x10"].map(|size| {
                let board = format!("classic-{size}");
                book.0.1.iter().any(|row| row.variant == board)
            });
            solved == [true, false, false, false]
        }),
    ),
    (
        "../results",
        "On all four they are.",
        Data(|book| {
            let row = |board: String| book.0.1.iter().find(|row| row.variant == board).unwrap();
            ["3x5", "4x4", "3x6", "4x5"].iter().all(|size| {
                let (points, signal) =
                    (row(format!("points-{size}")), row(format!("signal-{size}")));
                (points.won, points.lost) == (signal.won, signal.lost)
                    && points.winning_openings == signal.winning_openings
            })
        }),
    ),
    (
        "../results",
        "Those of nimber 0 are as many as the value counts lost",
        Data(|book| {
            let counts = counts_of_nimbers(&results());
            let row = book
                .0
                .1
                .iter()
                .find(|row| row.variant == "classic-4x5")
                .unwrap();
            counts[&0] == row.lost && counts.values().sum::<u64>() == row.won + row.lost
        }),
    ),
    (
        "../results",
        "The largest nimber of any of its unfinished positions is 15, and four have it.",
        Data(|book| {
            let counts = counts_of_nimbers(&results());
            book.largest_nimber("classic-4x5") == Some(15)
                && counts.last_key_value() == Some((&15, &4))
        }),
    ),
    (
        "../results",
        "Its first moves leave nimber 0 on b2, b3, d2 and d3",
        Data(|book| {
            let mut winning = book.openings("classic-4x5");
            winning.sort();
            winning == ["b2", "b3", "d2", "d3"]
        }),
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
    let mut checked = 0;
    let mut wrong = Vec::new();
    for (chapter, begins, behind) in SENTENCES {
        if let Data(holds) = behind {
            checked += 1;
            if !holds(&book) {
                wrong.push(format!("{chapter}.md: {begins}"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(checked > 121, "{checked}");
}

#[test]
fn every_sentence_that_says_all_is_known_and_no_other() {
    let plain = plain::MEANINGS.iter().chain(plain::PROOFS);
    let plain = plain.flat_map(|(page, listed)| listed.iter().map(move |begins| (*page, *begins)));
    let own = SENTENCES.iter().map(|(page, begins, _)| (*page, *begins));
    let all: Vec<(&str, &str)> = own.chain(plain).collect();
    let mut known = vec![false; all.len()];
    let mut unknown = Vec::new();
    for chapter in CHAPTERS {
        for sentence in sentences(chapter) {
            let at = all
                .iter()
                .position(|(page, begins)| *page == chapter && sentence.starts_with(begins));
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
    for ((chapter, begins), known) in all.iter().zip(known) {
        assert!(known, "{chapter}.md does not say: {begins}");
    }
}
