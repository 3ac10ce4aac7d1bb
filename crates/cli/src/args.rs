//! The command line.

mod dashes;

use std::fmt::Display;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::LazyLock;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use greenwave_game::{Colours, Metric};
use greenwave_play::Level;
use greenwave_solver::sweep::Kernel;
use greenwave_tablebase::Budget;

/// Solves the Traffic Lights family of board games and answers from any position.
///
/// Values are always for the player to move; distances are in plies: one player's
/// moves.
#[derive(Debug, Parser)]
#[command(name = "greenwave", version = VERSION.as_str(), propagate_version = true, max_term_width = 80, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The command line with everything that its help pages show and shells complete.
pub(crate) fn command() -> clap::Command {
    crate::complete::completed(crate::entry::completed(Cli::command()))
}

/// Reads the command line; an environment variable that is empty counts as not set.
pub(crate) fn parse() -> Cli {
    let mut command = command();
    for (id, variable) in VARIABLES {
        if std::env::var_os(variable).is_some_and(|value| value.is_empty()) {
            command = command.mut_arg(id, |arg| arg.env(clap::builder::Resettable::Reset));
        }
    }
    let typed = std::env::args_os().collect();
    let read = dashes::settled(&mut command, typed)
        .and_then(|args| command.try_get_matches_from_mut(args));
    let cli = read.and_then(|matches| Cli::from_arg_matches(&matches));
    cli.unwrap_or_else(|error| {
        if let Some(answer) = meant_by(&error) {
            crate::output::complain(&answer);
            std::process::exit(2);
        }
        show(&blaming_the_variable(error))
    })
}

// Prints help or what is wrong, and ends the process.
fn show(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        match error.print().and_then(|()| std::io::stdout().flush()) {
            Err(broken) if broken.kind() != std::io::ErrorKind::BrokenPipe => {
                crate::output::complain(&format!("error: cannot write to stdout: {broken}"));
                std::process::exit(2);
            }
            _ => std::process::exit(0),
        }
    }
    let text = error.render().ansi().to_string();
    crate::output::complain(crate::output::shortened(&text).trim_end());
    std::process::exit(2);
}

// What is said to a word that is no command but has a meaning.
fn meant_by(error: &clap::Error) -> Option<String> {
    if error.kind() != clap::error::ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let answer = crate::entry::meant(word)?;
    let style = anstyle::AnsiColor::Red.on_default().bold();
    Some(format!(
        "{style}error:{style:#} there is no command '{word}'; {answer}"
    ))
}

/// Options that environment variables give.
const VARIABLES: [(&str, &str); 5] = [
    ("colours", "GREENWAVE_COLOURS"),
    ("dir", "GREENWAVE_DIR"),
    ("threads", "GREENWAVE_THREADS"),
    ("memory", "GREENWAVE_MEMORY"),
    ("progress", "GREENWAVE_PROGRESS"),
];

// An error about an option that nobody typed names the environment variable that it comes from.
fn blaming_the_variable(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (Some(option), Some(value)) = (
        text(ContextKind::InvalidArg),
        text(ContextKind::InvalidValue),
    ) else {
        return error;
    };
    let typed = |id: &str| {
        std::env::args_os().any(|typed| {
            let typed = typed.to_string_lossy();
            let short = id == "threads" && typed.starts_with("-j");
            short || typed.starts_with(&format!("--{id}"))
        })
    };
    let blamed = VARIABLES.iter().find(|(id, variable)| {
        option.starts_with(&format!("--{id} "))
            && std::env::var(variable).is_ok_and(|set| set == value)
            && !typed(id)
    });
    if let Some((_, variable)) = blamed {
        let place = format!("{option}, from the environment variable {variable}");
        error.insert(ContextKind::InvalidArg, ContextValue::String(place));
    }
    error
}

/// Options of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Print JSON, one document a result
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No progress and no remarks on stderr
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Order of the lights for typing and drawing boards: ryg (red first) or gyr (green first, the
    /// Portuguese order); semaforo has gyr as its default
    #[arg(long, global = true, env = "GREENWAVE_COLOURS", value_name = "ORDER")]
    pub(crate) colours: Option<ColourOrder>,
    /// Folder of tables [default: ./solutions if it is there, else the user's data folder]
    #[arg(long, global = true, env = "GREENWAVE_DIR", value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Threads to use, 1 to 1024 [default: all cores]
    #[arg(short = 'j', long, global = true, env = "GREENWAVE_THREADS", value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub(crate) threads: Option<usize>,
    /// Memory to use, such as 8G or 512M [default: half of the machine's, or of what its cgroup
    /// allows]
    #[arg(long, global = true, env = "GREENWAVE_MEMORY", value_name = "SIZE", value_parser = memory, allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,
    /// How long work is told of on stderr: a bar, lines in a log, JSON documents, or nothing [auto: a
    /// bar at a terminal, else a line once a second has passed, every 30 seconds and at the end]
    #[arg(
        long,
        global = true,
        env = "GREENWAVE_PROGRESS",
        value_name = "FORM",
        default_value = "auto"
    )]
    pub(crate) progress: ProgressChoice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressChoice {
    Auto,
    Bar,
    Log,
    Json,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourOrder {
    Ryg,
    Gyr,
}

impl From<ColourOrder> for Colours {
    fn from(order: ColourOrder) -> Colours {
        match order {
            ColourOrder::Ryg => Colours::Ryg,
            ColourOrder::Gyr => Colours::Gyr,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the catalogue of variants
    Variants,
    /// Explain the rules of a variant
    Rules(VariantArg),
    /// Show what a table contains
    Info(InfoArgs),
    /// Solve variants and write their tables
    Solve(SolveArgs),
    /// Show the value of a position and of every move
    Query(QueryArgs),
    /// Show best play by both sides to the end
    Line(LineArgs),
    /// Count the positions of a variant by value and distance
    Stats(StatsArgs),
    /// List the positions that an expression describes
    Find(FindArgs),
    /// Settle claims about games, with evidence
    Check(CheckArgs),
    /// Write the winner's strategy as a small file that anyone can check
    Certify(VariantArg),
    /// Set variants side by side
    Compare(CompareArgs),
    /// Tell the winner how to play in a few sentences
    Strategy(StrategyArgs),
    /// Check a table against the rules, value by value
    Verify(VerifyArgs),
    /// Count move sequences, to check move generators against each other
    Perft(PerftArgs),
    /// Find the winning moves where several boards are played at once
    Sum(SumArgs),
    /// Play games of perfect play with sampled draws
    Simulate(SimulateArgs),
    /// Measure how fast variants are solved
    Bench(BenchArgs),
    /// Draw a position as SVG or PNG
    Draw(DrawArgs),
    /// Show every position as a page, and answer programs, on this machine
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Play against the program
    Play(PlayArgs),
    /// Go through a game: what every move was worth, and where it was lost
    Review(ReviewArgs),
    /// Find positions with exactly one move that wins, or saves a draw
    Puzzle(PuzzleArgs),
    /// Print a citation of the program, and of the tables of a variant
    Cite(CiteArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them into a folder
    Man(ManArgs),
    /// Print help on a command, or a page: games, positions, expressions
    Help(HelpArgs),
}

#[derive(Args, Debug)]
pub(crate) struct VariantArg {
    /// Variant, such as classic-3x4 or classic-3x3:play=misere
    pub(crate) variant: String,
}

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// Table file (.gwt)
    pub(crate) table: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// Variants to solve
    #[arg(required = true)]
    pub(crate) variants: Vec<String>,
    /// Metrics to solve, or all: value, distance, points, odds, nimber [default: distance, points
    /// in scored games, odds with chance]
    #[arg(long, value_name = "METRIC,…", value_parser = metric_choice, value_delimiter = ',')]
    pub(crate) metric: Vec<MetricChoice>,
    /// Print what the solve would take, and stop
    #[arg(long)]
    pub(crate) estimate: bool,
    /// Solve again where a table is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Write no table
    #[arg(long)]
    pub(crate) no_table: bool,
    /// Instructions for fixed boards: auto, avx512, avx2 or portable; all give the same values
    #[arg(long, value_name = "KERNEL", default_value = "auto")]
    pub(crate) kernel: Kernel,
}

#[derive(Args, Debug)]
pub(crate) struct QueryArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Position, rows from the top with / between, such as .../.R./...; - reads positions from
    /// stdin, one a line [default: the start]
    pub(crate) position: Option<String>,
    /// Moves to play first, such as b2R,b2Y, from the position or the start
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Time (500ms, 10s, 2m) or number of positions for a search where no table helps [default: 10s]
    #[arg(long, value_name = "TIME|NODES", value_parser = budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
    /// Stop at the first bad line of stdin
    #[arg(long)]
    pub(crate) fail_fast: bool,
}

#[derive(Args, Debug)]
pub(crate) struct LineArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Position [default: the start]
    pub(crate) position: Option<String>,
    /// Moves to play first, such as b2R,b2Y, from the position or the start
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Metrics to count, or all [default: those of the tables, else all]
    #[arg(long, value_name = "METRIC,…", value_parser = metric_choice, value_delimiter = ',')]
    pub(crate) metric: Vec<MetricChoice>,
}

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    /// Variant or rule file, such as classic-3x4 or my-game.toml
    pub(crate) variant: String,
    /// What to look for, such as 'value = loss and distance >= 18'
    pub(crate) expression: String,
    /// Print at most so many matches, the first in index order
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) limit: Option<u64>,
    /// Print so many matches at random
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) sample: Option<u64>,
    /// What the random choice follows from
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
    /// Print only the number of matches
    #[arg(long)]
    pub(crate) count: bool,
    /// What to print of each match beside its position, instead of what the expression names:
    /// fields, squares, calls and sums of them, with commas between, such as value,moves,b2
    #[arg(long, value_name = "FIELD,…", allow_hyphen_values = true)]
    pub(crate) fields: Option<String>,
    /// Print a header and rows of comma-separated values alone; the number goes to stderr
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// One position of each orbit under the symmetries of the board
    #[arg(long)]
    pub(crate) up_to_symmetry: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Ids of built-in claims, claims files, or claims about all positions that play reaches, such
    /// as 'classic-3x3 none: value = draw', with none, some or all [default: all built-in claims]
    #[arg(value_name = "ID|FILE.toml|CLAIM")]
    pub(crate) claims: Vec<String>,
    /// Print the claims without settling them
    #[arg(long, conflicts_with_all = ["expect_true", "markdown"])]
    pub(crate) list: bool,
    /// Exit with 1 when a claim is false or unknown
    #[arg(long)]
    pub(crate) expect_true: bool,
    /// Print the page of results for the documentation
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// Variants or rule files, at least two
    #[arg(value_name = "VARIANT", num_args = 2.., required = true)]
    pub(crate) variants: Vec<String>,
    /// Print a header and one row of comma-separated values for each variant
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write a report with plots, a web page of one file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct StrategyArgs {
    /// Variant on a fixed board, such as classic-3x3
    pub(crate) variant: String,
    /// Seek replies by this symmetry alone: half turn, mirror left-right, mirror top-bottom,
    /// quarter turn or mirror diagonal
    #[arg(long, value_name = "NAME")]
    pub(crate) symmetry: Option<String>,
    /// Time (500ms, 10s, 2m) or number of positions for the search [default: 10s]
    #[arg(long, value_name = "TIME|NODES", value_parser = budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Table file, or variant whose tables are checked
    #[arg(value_name = "TABLE|VARIANT")]
    pub(crate) target: String,
}

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Position [default: the start]
    pub(crate) position: Option<String>,
    /// Moves to play first, such as b2R,b2Y, from the position or the start
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Length of the move sequences in plies
    #[arg(long, value_name = "N", value_parser = depth, allow_hyphen_values = true)]
    pub(crate) depth: u32,
}

#[derive(Args, Debug)]
pub(crate) struct SumArgs {
    /// Boards, such as classic-3x3 or classic-3x3=R../.Y./..G; without a position the board is at
    /// its start
    #[arg(required = true, value_name = "VARIANT[=POSITION]")]
    pub(crate) boards: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    /// Variant, such as bag-classic-3x3
    pub(crate) variant: String,
    /// Number of games
    #[arg(long, value_name = "N", value_parser = games, allow_hyphen_values = true)]
    pub(crate) games: u64,
    /// Seed of the draws, such as 1; the same seed gives the same games
    #[arg(long, value_name = "S", value_parser = count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Variants to solve [default: classic-3x3, classic-3x4, points-3x4, slider, strip]
    pub(crate) variants: Vec<String>,
    /// Metrics to solve, or all [default: all whose plan fits the memory and 60 s]
    #[arg(long, value_name = "METRIC,…", value_parser = metric_choice, value_delimiter = ',')]
    pub(crate) metric: Vec<MetricChoice>,
    /// Instructions for fixed boards: auto, avx512, avx2 or portable
    #[arg(long, value_name = "KERNEL", default_value = "auto")]
    pub(crate) kernel: Kernel,
}

#[derive(Args, Debug)]
pub(crate) struct DrawArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Position [default: the start]
    pub(crate) position: Option<String>,
    /// Moves to play first, such as b2R,b2Y, from the position or the start
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Write SVG, which is the default
    #[arg(long, conflicts_with = "png")]
    pub(crate) svg: bool,
    /// Write PNG; needs a file
    #[cfg(feature = "png")]
    #[arg(long, requires = "output")]
    pub(crate) png: bool,
    /// File to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write what each move is worth on its square: W 5 wins in five plies, D draws, L 18 loses in
    /// eighteen
    #[arg(long)]
    pub(crate) values: bool,
    /// Width of a PNG in pixels
    #[cfg(feature = "png")]
    #[arg(long, value_name = "PIXELS", default_value_t = 800, requires = "png")]
    pub(crate) width: u32,
}

#[cfg(feature = "serve")]
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Rule files to offer beside the built-in variants
    #[arg(value_name = "FILE.toml")]
    pub(crate) files: Vec<String>,
    /// Address to listen on; any other than this machine's own shows the pages to others
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Port to listen on; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 7411)]
    pub(crate) port: u16,
    /// Open the first page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Time that one request may take to compute, such as 500ms or 2s
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = serve_budget, allow_hyphen_values = true)]
    pub(crate) budget: Duration,
    /// Requests that may compute at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub(crate) jobs: Option<usize>,
    /// Address under which a proxy shows the pages, such as `https://example.org/greenwave`
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// File to which a line is added for each request
    #[arg(long, value_name = "FILE")]
    pub(crate) access_log: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Position to begin from [default: the start]
    pub(crate) position: Option<String>,
    /// Moves played already: a list such as b2R,b2Y, a file, or - for stdin
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Which side you play: first, second, both or none
    #[arg(long = "as", value_name = "SIDE", default_value = "first")]
    pub(crate) players: As,
    /// How well the program plays: perfect, strong, medium or easy
    #[arg(long, value_name = "LEVEL", default_value = "perfect")]
    pub(crate) level: Level,
    /// Show a hint before every move of yours
    #[arg(long)]
    pub(crate) hints: bool,
    /// What the program's choices and all draws follow from; the same seed and moves give the same
    /// game
    #[arg(long, value_name = "S", value_parser = count, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Keep the record of the game in a file, for review
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// Which sides people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum As {
    First,
    Second,
    Both,
    None,
}

#[derive(Args, Debug)]
pub(crate) struct ReviewArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Position that the game began from [default: that of the record, else the start]
    pub(crate) position: Option<String>,
    /// The moves: a list such as b2R,b2Y, a file such as play writes, or - for stdin
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: String,
    /// Time (500ms, 10s) or positions to search for each move where nothing is solved [default: 10s]
    #[arg(long, value_name = "TIME|NODES", value_parser = budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
}

#[derive(Args, Debug)]
pub(crate) struct PuzzleArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// How many
    #[arg(long, value_name = "N", default_value = "1", value_parser = puzzle_count, allow_hyphen_values = true)]
    pub(crate) count: usize,
    /// What they follow from; the same seed gives the same puzzles
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
    /// How hard: 1 wins in up to 3 plies, 2 in 5 to 7, 3 in 9 or more, 4 where few moves look safe,
    /// 5 where the one that looks best is wrong [default: any]
    #[arg(long, value_name = "1..5", value_parser = puzzle_level, allow_hyphen_values = true)]
    pub(crate) level: Option<u8>,
    /// Write a page to print
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a picture of all of them
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct CiteArgs {
    /// Variant whose tables are cited, too
    pub(crate) variant: Option<String>,
    /// As BibTeX
    #[arg(long)]
    pub(crate) bibtex: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Folder to write the pages of all commands into
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out_dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// Command or page [default: the list of commands]
    pub(crate) topic: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetricChoice {
    All,
    One(Metric),
}

fn metric_choice(text: &str) -> Result<MetricChoice, String> {
    if text == "all" {
        Ok(MetricChoice::All)
    } else {
        text.parse().map(MetricChoice::One)
    }
}

fn within<T: FromStr + PartialOrd + Display>(
    text: &str,
    of: &str,
    allowed: RangeInclusive<T>,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| allowed.contains(number));
    number.ok_or_else(|| {
        let (least, most) = allowed.into_inner();
        format!("found '{text}', expected a number{of} from {least} to {most}")
    })
}

fn threads(text: &str) -> Result<usize, String> {
    within(text, " of threads", 1..=1024)
}

fn depth(text: &str) -> Result<u32, String> {
    within(text, " of plies", 0..=10_000)
}

fn puzzle_count(text: &str) -> Result<usize, String> {
    within(text, " of puzzles", 1..=1000)
}

fn puzzle_level(text: &str) -> Result<u8, String> {
    within(text, "", 1..=5)
}

fn games(text: &str) -> Result<u64, String> {
    within(text, " of games", 1..=1_000_000_000)
}

fn count(text: &str) -> Result<u64, String> {
    within(text, "", 0..=u64::MAX)
}

fn memory(text: &str) -> Result<u64, String> {
    let refuse =
        || format!("found '{text}', expected a size such as 8G, 512M or a number of bytes");
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper
        .strip_suffix("IB")
        .or(upper.strip_suffix('B'))
        .unwrap_or(&upper);
    let units = [
        ('K', 1_u64 << 10),
        ('M', 1 << 20),
        ('G', 1 << 30),
        ('T', 1 << 40),
    ];
    let (number, unit) = units
        .iter()
        .find_map(|(letter, unit)| Some((upper.strip_suffix(*letter)?, *unit)))
        .unwrap_or((upper, 1));
    let number: f64 = number.trim().parse().map_err(|_| refuse())?;
    let bytes = number * unit as f64;
    if !bytes.is_finite() || bytes < 0.0 {
        return Err(refuse());
    }
    const LEAST: f64 = (16 << 20) as f64;
    if bytes < LEAST {
        return Err(format!("found '{text}', expected at least 16M"));
    }
    Ok(bytes.min(u64::MAX as f64) as u64)
}

fn budget(text: &str) -> Result<Budget, String> {
    let refuse = || {
        format!(
            "found '{text}', expected a time such as 500ms, 10s or 2m, or a number of positions"
        )
    };
    if let Ok(nodes) = text.parse() {
        return Ok(Budget::Nodes(nodes));
    }
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
        .ok_or_else(refuse)?;
    let number: f64 = number.parse().map_err(|_| refuse())?;
    Duration::try_from_secs_f64(number * unit)
        .map(Budget::Time)
        .map_err(|_| refuse())
}

#[cfg(feature = "serve")]
fn serve_budget(text: &str) -> Result<Duration, String> {
    match budget(text)? {
        Budget::Time(time) if time <= Duration::from_secs(3600) => Ok(time),
        _ => Err(format!(
            "found '{text}', expected a time of at most an hour, such as 500ms or 2s"
        )),
    }
}

/// Version of the program, and what its kernels can use of the CPU.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let name = |kernel: &Kernel| match kernel {
        Kernel::Portable => std::env::consts::ARCH.replace('_', "-"),
        Kernel::Avx2 => "AVX2".into(),
        Kernel::Avx512 => "AVX-512".into(),
    };
    let usable = Kernel::ALL.iter().filter(|kernel| kernel.is_supported());
    let names: Vec<String> = usable.map(name).collect();
    format!("{} (CPU: {})", env!("CARGO_PKG_VERSION"), names.join(", "))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn sizes_and_budgets() {
        assert_eq!(memory("8G"), Ok(8 << 30));
        assert_eq!(memory("512MiB"), Ok(512 << 20));
        assert_eq!(memory("1.5g"), Ok(3 << 29));
        assert_eq!(memory("33554432"), Ok(32 << 20));
        assert!(memory("8 bananas").is_err());
        assert!(memory("-1G").is_err());
        assert!(memory("NaN").is_err());
        assert!(memory("1K").unwrap_err().contains("at least 16M"));
        assert_eq!(
            budget("500ms"),
            Ok(Budget::Time(Duration::from_millis(500)))
        );
        assert_eq!(budget("2m"), Ok(Budget::Time(Duration::from_secs(120))));
        assert_eq!(budget("1000"), Ok(Budget::Nodes(1000)));
        assert!(budget("soon").is_err());
        assert!(budget("-1s").is_err());
        assert!(threads("0").is_err());
        assert!(threads("1000000").is_err());
    }
}
