//! Arguments.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args as Group, CommandFactory, FromArgMatches, Parser, Subcommand};
use greenwave_game::Metric;
use greenwave_sweep::sweep::Kernel;
use greenwave_tablebase::read_memory;

/// Solves large boards on several machines
#[derive(Debug, Parser)]
#[command(name = "greenwave-cluster", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Reads the command line.
    ///
    /// # Errors
    /// What cannot be read. Threads go with no simulation where they were typed; those of the environment are
    /// set for all commands, and give way.
    pub(crate) fn read() -> Result<Args, clap::Error> {
        let matches = Args::command().try_get_matches()?;
        let args = Args::from_arg_matches(&matches)?;
        let simulates = matches!(&args.command, Command::Solve(solve) if solve.simulate.is_some());
        let source = matches
            .subcommand()
            .and_then(|(_, given)| given.value_source("threads"));
        if simulates && source == Some(ValueSource::CommandLine) {
            let problem =
                "the argument '--simulate <SIMULATE>' cannot be used with '--threads <THREADS>'";
            return Err(Args::command().error(ErrorKind::ArgumentConflict, problem));
        }
        Ok(args)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve a board on all ranks together: mpirun -n N greenwave-cluster solve VARIANT
    Solve(SolveArgs),
    /// Shows what some machines need to solve a board, wave by wave; exit 1 where it does not fit
    Plan(PlanArgs),
}

#[derive(Debug, Group)]
pub(crate) struct SolveArgs {
    /// Name of a variant, or a rule file
    pub(crate) variant: String,
    /// What is solved for: value or distance
    #[arg(long, default_value = "value", value_parser = metric)]
    pub(crate) metric: Metric,
    /// Memory of each rank, such as 8G [default: half of the machine's, divided by its ranks]
    #[arg(long, env = "GREENWAVE_MEMORY", value_parser = read_memory)]
    pub(crate) memory: Option<u64>,
    /// Threads of each rank [default: those of the machine, divided by its ranks]
    #[arg(short = 'j', long, env = "GREENWAVE_THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Folder for checkpoints, shared by all machines; the same command resumes from them
    #[arg(long)]
    pub(crate) scratch: Option<PathBuf>,
    /// Folder of the table, on the machine of the first rank [default: ./solutions if it is there, else the
    /// user's data folder]
    #[arg(long, env = "GREENWAVE_DIR", value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Solve again although the table is there
    #[arg(long, conflicts_with = "no_table")]
    pub(crate) force: bool,
    /// Counts and openings only
    #[arg(long)]
    pub(crate) no_table: bool,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not tell of progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Instructions: auto, avx512, avx2, neon or portable
    #[arg(long, default_value = "auto", value_parser = kernel)]
    pub(crate) kernel: Kernel,
    /// Ranks as threads of one process, where mpirun did not start any
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) ranks: Option<u16>,
    /// Pretend that these ranks are machines with one thread each, on links of this many Gbit/s, and tell
    /// what time they would take
    #[arg(long, requires = "ranks", value_parser = network, allow_hyphen_values = true)]
    pub(crate) simulate: Option<f64>,
    /// Microseconds that a message takes besides its bytes, for --simulate
    #[arg(long, requires = "simulate", default_value_t = 20.0, value_parser = delay, allow_hyphen_values = true)]
    pub(crate) delay: f64,
    /// How quick these machines are beside this one, in turn, such as 1,1,0.5, for --simulate
    #[arg(long, requires = "simulate", value_delimiter = ',', value_parser = speed, allow_hyphen_values = true)]
    pub(crate) speeds: Vec<f64>,
}

#[derive(Debug, Group)]
pub(crate) struct PlanArgs {
    /// Name of a variant, or a rule file
    pub(crate) variant: String,
    /// What is solved for: value or distance
    #[arg(long, default_value = "value", value_parser = metric)]
    pub(crate) metric: Metric,
    /// Ranks
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) ranks: u16,
    /// Memory of each rank, such as 32G
    #[arg(long, value_parser = read_memory, allow_hyphen_values = true)]
    pub(crate) memory: u64,
    /// Disk for each rank, such as 500G, where checkpoints are made
    #[arg(long, value_parser = read_memory, allow_hyphen_values = true)]
    pub(crate) disk: Option<u64>,
    /// Speed at which each rank can send while it receives as much, in Gbit/s
    #[arg(long, default_value_t = 10.0, value_parser = network, allow_hyphen_values = true)]
    pub(crate) network: f64,
    /// Microseconds that a message takes besides its bytes
    #[arg(long, default_value_t = 20.0, value_parser = delay, allow_hyphen_values = true)]
    pub(crate) delay: f64,
    /// Threads of each rank
    #[arg(short = 'j', long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Instructions of the machines: auto (as here), avx512, avx2, neon or portable
    #[arg(long, default_value = "auto", value_parser = of_machines)]
    pub(crate) kernel: Kernel,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

fn metric(text: &str) -> Result<Metric, String> {
    match text.parse() {
        Ok(metric @ (Metric::Value | Metric::Distance)) => Ok(metric),
        _ => Err(format!("found '{text}', expected value or distance")),
    }
}

fn kernel(text: &str) -> Result<Kernel, String> {
    match of_machines(text)? {
        kernel if kernel.is_supported() => Ok(kernel),
        kernel => Err(format!("this CPU has no {kernel}; take auto")),
    }
}

fn of_machines(text: &str) -> Result<Kernel, String> {
    let found = match text {
        "auto" => Some(Kernel::best()),
        _ => Kernel::ALL.into_iter().find(|kernel| kernel.name() == text),
    };
    found.ok_or_else(|| format!("found '{text}', expected auto, avx512, avx2, neon or portable"))
}

fn positive(text: &str, what: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("found '{text}', expected {what}, a number above 0"))
}

fn network(text: &str) -> Result<f64, String> {
    positive(text, "Gbit/s")
}

fn delay(text: &str) -> Result<f64, String> {
    positive(text, "microseconds")
}

fn speed(text: &str) -> Result<f64, String> {
    positive(text, "how many times as quick as this machine")
}
