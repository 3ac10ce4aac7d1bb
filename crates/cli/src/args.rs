//! The command line.

mod dashes;
mod faults;
mod outputs;
mod values;

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use greenwave_game::Lights;
use greenwave_play::{Level, Seat, Theme};
use greenwave_solver::sweep::Kernel;
use greenwave_tablebase::{Budget, read_memory};
use greenwave_words::Language;

use faults::VARIABLES;
pub(crate) use faults::is_typed;
pub(crate) use values::MetricChoice;

use crate::output::Color;
use crate::output::sheet::Paper;

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

impl Cli {
    /// Whether a setting that cannot be read is an error: everywhere but on the pages that say how to write it.
    pub(crate) fn uses_settings(&self) -> bool {
        !matches!(
            self.command,
            None | Some(Command::Help(_) | Command::Man(_) | Command::Completions(_))
        )
    }
}

/// The command line with all text of its help pages and all completions of shells; each command
/// adds its own part when it is requested.
pub(crate) fn command() -> clap::Command {
    let whole = |command: clap::Command| {
        let layout = crate::entry::layout(command.get_name());
        let text = crate::entry::after_help(command.get_name());
        command
            .help_template(layout)
            .after_help(text)
            .mut_args(|arg| crate::complete::completed(arg, command_names))
    };
    Cli::command()
        .mut_subcommands(|command| command.defer(whole))
        .bin_name("greenwave")
        .help_template(crate::entry::overview())
        .after_help(crate::entry::after_overview())
}

fn command_names() -> Vec<String> {
    let command = command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    names.map(String::from).collect()
}

/// Whether a word is the name of a command.
pub(crate) fn is_command(word: &str) -> bool {
    command().find_subcommand(word).is_some()
}

/// Reads the command line; an environment variable that is empty counts as not set.
pub(crate) fn parse() -> Cli {
    let is_empty =
        |variable: &str| std::env::var_os(variable).is_some_and(|value| value.is_empty());
    let all = read_without(is_empty);
    let cli = if all.as_ref().is_ok_and(Cli::uses_settings) {
        all
    } else {
        match read_without(|_| true) {
            Ok(plain) if plain.uses_settings() => all,
            // The error about the typed text is the same, whatever variables are set.
            Err(plain) if !plain.use_stderr() => all,
            plain => plain,
        }
    };
    cli.unwrap_or_else(|error| {
        if let Some(answer) = faults::meant_by(&error) {
            crate::output::complain(&answer);
            std::process::exit(2);
        }
        let error = faults::blaming_the_variable(error);
        faults::show(&faults::with_what_to_leave_out(error))
    })
}

/// Reads the command line without some of the environment variables; where an option is typed, nobody asks
/// what its variable says.
fn read_without(is_left_out: impl Fn(&str) -> bool) -> Result<Cli, clap::Error> {
    let mut command = command();
    for (id, variable) in VARIABLES {
        if is_left_out(variable) || is_typed(id) {
            command = command.mut_arg(id, |arg| arg.env(clap::builder::Resettable::Reset));
        }
    }
    let typed = std::env::args_os().collect();
    let args = dashes::settled(&mut command, typed)?;
    let matches = command.try_get_matches_from_mut(args)?;
    outputs::expect_apart(&mut command, &matches)?;
    Cli::from_arg_matches(&matches)
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
    /// Order of the lights in every text: ryg (red first) or gyr (green first, the Portuguese order)
    /// [default: gyr for semaforo, what a rule file says, else ryg]
    #[arg(long, global = true, env = "GREENWAVE_LIGHTS", value_name = "ORDER", alias = "colours", value_parser = values::lights())]
    pub(crate) lights: Option<Lights>,
    /// Language of what is shown: en, de, es or pt [default: that of LC_ALL, LC_MESSAGES or LANG, else
    /// en]
    #[arg(long, global = true, value_name = "LANG", value_parser = Language::named)]
    pub(crate) lang: Option<Language>,
    /// Folder of tables [default: ./solutions if it is there, else the user's data folder]
    #[arg(long, global = true, env = "GREENWAVE_DIR", value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Threads to use, 1 to 1024 [default: all cores]
    #[arg(short = 'j', long, global = true, env = "GREENWAVE_THREADS", value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    pub(crate) threads: Option<usize>,
    /// Memory to use, such as 8G or 512M [default: half of the machine's, or of what its cgroup
    /// allows; of 'serve': 1G]
    #[arg(long, global = true, env = "GREENWAVE_MEMORY", value_name = "SIZE", value_parser = read_memory, allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,
    /// How to show progress on stderr: a bar, log lines, JSON documents, or nothing [auto: a bar at a
    /// terminal, else a line after a second, every 30 seconds and at the end]
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
    Certify(CertifyArgs),
    /// Compare variants side by side
    Compare(CompareArgs),
    /// Search a family of rules for games that are worth playing
    Design(DesignArgs),
    /// Find a strategy that fits into a few sentences
    Strategy(StrategyArgs),
    /// Check a table against the rules, value by value
    Verify(VerifyArgs),
    /// Count move sequences, to check a move generator
    Perft(PerftArgs),
    /// Find the winning moves on several boards at once
    Sum(SumArgs),
    /// Play perfect games with random draws of counters
    Simulate(SimulateArgs),
    /// Measure how fast variants are solved
    Bench(BenchArgs),
    /// Draw a position as SVG or PNG
    Draw(DrawArgs),
    /// Start the explorer for browsers, and the HTTP API for programs
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Play against the program
    Play(PlayArgs),
    /// Review games: what every move was worth, and where they were lost
    Review(ReviewArgs),
    /// Write the opening book of a game, or what one player is to answer
    Book(BookArgs),
    /// Find positions with exactly one move that wins, or saves a draw
    Puzzle(PuzzleArgs),
    /// Print what a lesson needs: rules, puzzles by level, boards and counters
    Sheet(SheetArgs),
    /// Print a citation of the program, and of the tables of a variant
    Cite(CiteArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them into a folder
    Man(ManArgs),
    /// Print help on a command, or a page such as games or trouble
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
    #[arg(long, value_name = "METRIC,…", value_parser = values::metric_choice, value_delimiter = ',')]
    pub(crate) metric: Vec<MetricChoice>,
    /// Show the memory, disk and time that the solve needs, and stop
    #[arg(long)]
    pub(crate) estimate: bool,
    /// Solve again even if the table exists
    #[arg(long, conflicts_with_all = ["estimate", "no_table"])]
    pub(crate) force: bool,
    /// Write no table
    #[arg(long)]
    pub(crate) no_table: bool,
    /// Folder for the waves of a large board, if they do not fit the memory
    #[arg(long, value_name = "FOLDER")]
    pub(crate) scratch: Option<PathBuf>,
    /// Instructions for fixed boards: auto, avx512, avx2, neon or portable; all give the same values
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
    #[arg(long, value_name = "TIME|NODES", value_parser = values::budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
    /// Stop at the first bad line of stdin
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Say why every move is worth what it is
    #[arg(long)]
    pub(crate) why: bool,
    /// Folder for the waves of a sweep, if they do not fit the memory
    #[arg(long, value_name = "FOLDER")]
    pub(crate) scratch: Option<PathBuf>,
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
    #[arg(long, value_name = "METRIC,…", value_parser = values::metric_choice, value_delimiter = ',')]
    pub(crate) metric: Vec<MetricChoice>,
}

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    /// Variant or rule file, such as classic-3x4 or my-game.toml
    pub(crate) variant: String,
    /// What to look for, such as 'value = loss and distance >= 18'
    pub(crate) expression: String,
    /// Print the first N matches in index order
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) limit: Option<u64>,
    /// Print N matches at random
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) sample: Option<u64>,
    /// Seed of the random choice; the same seed chooses the same positions
    #[arg(long, value_name = "S", requires = "sample", default_value_t = 0, value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
    /// Print only the number of matches
    #[arg(long, conflicts_with_all = ["limit", "fields"])]
    pub(crate) count: bool,
    /// What to print beside each position, in place of what the expression names: fields, squares,
    /// calls and sums of them, with commas between, such as value,moves,b2
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
    /// List the claims and settle nothing
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
pub(crate) struct DesignArgs {
    /// Rule file of the game to begin with; a table `[vary]` in it says what varies
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,
    /// A key and its values, such as board.wrap=none,files; ';' stands between values that hold
    /// commas, and an empty value leaves the key out
    #[arg(long, value_name = "KEY=A,B,…", allow_hyphen_values = true)]
    pub(crate) vary: Vec<String>,
    /// What is wanted most, then what next, such as 'balance, then only-moves'; 'most' or 'least'
    /// before a measure turns its order
    #[arg(long, value_name = "TEXT", default_value = greenwave_design::Ranking::USUAL)]
    pub(crate) rank: String,
    /// Time that the solve of one set of rules may take, as estimated, such as 30s [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = values::solve_budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Duration>,
    /// Games at each level of play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = values::design_games, allow_hyphen_values = true)]
    pub(crate) games: u64,
    /// Seed of the games; the same seed gives the same table
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
    /// Sets of rules that the table in the terminal shows, the best first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = values::some, allow_hyphen_values = true)]
    pub(crate) limit: u64,
    /// Print a header and a row of comma-separated values for each set of rules
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write a report, a web page of one file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct StrategyArgs {
    /// Variant on a fixed board, such as classic-3x3
    pub(crate) variant: String,
    /// Use this symmetry alone: half turn, mirror left-right, mirror top-bottom,
    /// quarter turn or mirror diagonal
    #[arg(long, value_name = "NAME")]
    pub(crate) symmetry: Option<String>,
    /// Time (500ms, 10s, 2m) or number of positions for the search [default: 10s]
    #[arg(long, value_name = "TIME|NODES", value_parser = values::budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Table file, or variant whose tables are checked
    #[arg(value_name = "TABLE|VARIANT")]
    pub(crate) target: String,
    /// Check only N stored values, chosen at random
    #[arg(long, value_name = "N", value_parser = values::some, allow_hyphen_values = true)]
    pub(crate) sample: Option<u64>,
    /// Seed of the choice; the same seed chooses the same positions
    #[arg(long, value_name = "S", requires = "sample", default_value_t = 0, value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
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
    #[arg(long, value_name = "N", value_parser = values::depth, allow_hyphen_values = true)]
    pub(crate) depth: u32,
}

#[derive(Args, Debug)]
pub(crate) struct SumArgs {
    /// Boards, such as classic-3x3 or classic-3x3=R../.Y./..G; without a position the board is at
    /// its start
    #[arg(required = true, value_name = "VARIANT[=POSITION]")]
    pub(crate) boards: Vec<String>,
    /// Play so that whoever makes the last move of all loses
    #[arg(long)]
    pub(crate) misere: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    /// Variant, such as bag-classic-3x3
    pub(crate) variant: String,
    /// Number of games
    #[arg(long, value_name = "N", value_parser = values::games, allow_hyphen_values = true)]
    pub(crate) games: u64,
    /// Seed of the draws, such as 1; the same seed gives the same games
    #[arg(long, value_name = "S", value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Variants to solve [default: classic-3x3, classic-3x4, points-3x4, slider, strip]
    pub(crate) variants: Vec<String>,
    /// Metrics to solve, or all [default: all whose plan fits the memory and 60 s]
    #[arg(long, value_name = "METRIC,…", value_parser = values::metric_choice, value_delimiter = ',')]
    pub(crate) metric: Vec<MetricChoice>,
    /// Instructions for fixed boards: auto, avx512, avx2, neon or portable
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
    /// Write SVG [default, unless the file name ends in .png]
    #[arg(long, conflicts_with = "png")]
    pub(crate) svg: bool,
    /// Write PNG; needs --output
    #[cfg(feature = "png")]
    #[arg(long, requires = "output")]
    pub(crate) png: bool,
    /// File to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write on each square what a move there is worth: ✓ 5 wins in five plies, = draws, ✕ 18 loses
    /// in eighteen
    #[arg(long)]
    pub(crate) values: bool,
    /// Width of a PNG in pixels [default: 800]
    #[cfg(feature = "png")]
    #[arg(long, value_name = "PIXELS", value_parser = values::pixels, allow_hyphen_values = true)]
    pub(crate) width: Option<u32>,
}

#[cfg(feature = "serve")]
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Rule files to offer beside the built-in variants
    #[arg(value_name = "FILE.toml")]
    pub(crate) files: Vec<String>,
    /// Address to listen on; other machines see the pages only with another one than the default
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Port to listen on; 0 takes any free one
    #[arg(long, value_name = "PORT", default_value_t = 7411, value_parser = values::port, allow_hyphen_values = true)]
    pub(crate) port: u16,
    /// Open the first page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Time that one request may compute, such as 500ms or 2s
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = values::serve_budget, allow_hyphen_values = true)]
    pub(crate) budget: Duration,
    /// Requests that may compute at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    pub(crate) jobs: Option<usize>,
    /// Address under which a proxy shows the pages, such as `https://example.org/greenwave`
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<greenwave_web::BaseUrl>,
    /// Proxies whose X-Forwarded-For is believed: addresses or networks [default: this machine]
    #[arg(long, value_name = "ADDRESS,…", value_delimiter = ',')]
    pub(crate) trust_proxy: Option<Vec<greenwave_web::Proxy>>,
    /// The explorer as files, made by `just site`, for readers to keep: it answers them without a network
    /// [default: the folder explorer beside the program, if it is there]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) offline: Option<PathBuf>,
    /// Log file: one line for each request
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
    pub(crate) players: PlayerSides,
    /// How well the program plays: perfect, strong, medium or easy
    #[arg(long, value_name = "LEVEL", default_value = "perfect")]
    pub(crate) level: Level,
    /// Show a hint before each of your moves
    #[arg(long)]
    pub(crate) hints: bool,
    /// Seed of the program's choices and of all draws; the same seed and moves give the same game
    #[arg(long, value_name = "S", value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Write the game into a file, for review
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// Which sides people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayerSides {
    First,
    Second,
    Both,
    None,
}

#[derive(Args, Debug)]
pub(crate) struct CertifyArgs {
    /// Variant, such as classic-3x4 or classic-3x3:play=misere
    pub(crate) variant: String,
    /// File to write, or - for stdout; of a drawn game two, NAME-first.txt and NAME-second.txt [default:
    /// certificate.txt in the folder of the variant's tables]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ReviewArgs {
    /// Variant, such as classic-3x4; or the first file of records, if they name their game
    #[arg(value_name = "VARIANT|FILE")]
    pub(crate) variant: String,
    /// With --moves the position that the game began from [default: that of the record, else the
    /// start]; else files of records, or - for stdin
    #[arg(value_name = "POSITION|FILE")]
    pub(crate) position: Vec<String>,
    /// The moves of one game: a list such as b2R,b2Y, a file such as play writes, or - for stdin
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Write the review of all files as a page
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    pub(crate) html: Option<PathBuf>,
    /// Write the positions of all mistakes, for puzzle --from
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    pub(crate) practice: Option<PathBuf>,
    /// Time (500ms, 10s) or positions to search for each move where nothing is solved [default: 10s]
    #[arg(long, value_name = "TIME|NODES", value_parser = values::budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
}

#[derive(Args, Debug)]
pub(crate) struct BookArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Position that the book begins with [default: the start of the game]
    pub(crate) position: Option<String>,
    /// Moves played from there, such as b2R,b2Y
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// Plies at most
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = values::depth, allow_hyphen_values = true)]
    pub(crate) depth: u32,
    /// Keep one move of this player in each position, the best one: first or second
    #[arg(long = "for", value_name = "SIDE", value_parser = values::side)]
    pub(crate) side: Option<Seat>,
    /// Where nothing is solved: time (500ms, 10s) of a sweep for the whole book, and for each position that
    /// it leaves; or positions to search for each of them [default: 60s, then 10s]
    #[arg(long, value_name = "TIME|NODES", value_parser = values::budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
    /// Print a table of comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write a page to print
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a picture of the tree
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct PuzzleArgs {
    /// Variant, such as classic-3x4
    pub(crate) variant: String,
    /// Number of puzzles [default: 1; 10 with --play; all with --from]
    #[arg(long, value_name = "N", value_parser = values::puzzle_count, allow_hyphen_values = true)]
    pub(crate) count: Option<usize>,
    /// Ask for the moves: wrong ones come back, levels rise, and a score ends it
    #[arg(long)]
    pub(crate) play: bool,
    /// Where solutions stand [default: beside each puzzle in the terminal, else end]
    #[arg(long, value_name = "WHERE")]
    pub(crate) solutions: Option<Solutions>,
    /// Take the positions of a file, one a line, such as review --practice writes; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "level", "theme"])]
    pub(crate) from: Option<PathBuf>,
    /// Seed; the same seed gives the same puzzles
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
    /// Level: 1 wins in up to 3 plies, 2 in 5 to 7, 3 in 9 or more; in 4 few moves look safe, in 5 the
    /// move that looks best is wrong [default: any]
    #[arg(long, value_name = "1..5", value_parser = values::puzzle_level, allow_hyphen_values = true)]
    pub(crate) level: Option<u8>,
    /// Theme of the puzzles: fork (two threats at once), parity (whatever the order of safe moves, the
    /// opponent runs out first), only-moves (three or more in the solution) or strip (a move of the
    /// strip) [default: anything]
    #[arg(long, value_name = "THEME")]
    pub(crate) theme: Option<Theme>,
    /// Write a page to print
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a picture of all of them
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

/// Where the solutions of puzzles stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Solutions {
    /// After all of them.
    #[default]
    End,
    /// Nowhere.
    None,
}

#[derive(Args, Debug)]
pub(crate) struct SheetArgs {
    /// Variant, such as semaforo
    pub(crate) variant: String,
    /// Puzzles of this level alone, 1 to 5 [default: of each level that there is]
    #[arg(long, value_name = "1..5", value_parser = values::puzzle_level, allow_hyphen_values = true)]
    pub(crate) level: Option<u8>,
    /// Number of puzzles of each level
    #[arg(long, value_name = "N", default_value = "6", value_parser = values::puzzle_count, allow_hyphen_values = true)]
    pub(crate) count: usize,
    /// Seed; the same seed gives the same puzzles
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = values::count, allow_hyphen_values = true)]
    pub(crate) seed: u64,
    /// Where solutions stand; end is a page of their own [default: end]
    #[arg(long, value_name = "WHERE")]
    pub(crate) solutions: Option<Solutions>,
    /// Size of the paper
    #[arg(long, value_name = "SIZE", default_value = "a4")]
    pub(crate) paper: Paper,
    /// Write a page to print [default: to stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a picture of all pages, one below the other
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct CiteArgs {
    /// Variant whose tables to cite, too
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

/// Version of the program, and what its kernels can use of the CPU.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let name = |kernel: &Kernel| match kernel {
        Kernel::Portable => std::env::consts::ARCH.replace('_', "-"),
        Kernel::Neon => "NEON".into(),
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
}
