//! The program `greenwave-cluster`: large boards on several machines.

#![forbid(unsafe_code)]

mod args;
mod ending;
mod plan;
mod progress;
mod solve;
#[cfg(feature = "mpi")]
mod world;

use std::process::ExitCode;

#[cfg(not(feature = "mpi"))]
use anyhow::Result;
#[cfg(not(feature = "mpi"))]
use ending::{Completion, ended};

fn main() -> ExitCode {
    #[cfg(feature = "mpi")]
    return world::run();
    #[cfg(not(feature = "mpi"))]
    ended(alone(), true)
}

// The whole program in one process.
#[cfg(not(feature = "mpi"))]
fn alone() -> Result<Completion> {
    let args = args::Args::read()?;
    if let (args::Command::Solve(_), Some((variable, processes))) = (&args.command, launched()) {
        anyhow::bail!(
            "found {variable}={processes}: a launcher started {processes} processes, and this program was \
             built without MPI, so each would solve everything by itself; build it with --features mpi, \
             or start it without a launcher, with --ranks {processes}"
        );
    }
    match &args.command {
        args::Command::Plan(plan) => plan::run(plan),
        args::Command::Solve(solve) => solve::on_threads(solve),
    }
}

/// The variable with which a launcher tells its processes how many they are, if they are more than one.
#[cfg(not(feature = "mpi"))]
fn launched() -> Option<(&'static str, u64)> {
    // Open MPI, MPICH and Intel MPI, MVAPICH, PMIx, Slurm's srun, Cray's aprun and PALS, Flux, IBM's jsrun.
    const VARIABLES: [&str; 10] = [
        "OMPI_COMM_WORLD_SIZE",
        "PMI_SIZE",
        "MV2_COMM_WORLD_SIZE",
        "PMIX_SIZE",
        "MPI_LOCALNRANKS",
        "SLURM_STEP_NUM_TASKS",
        "ALPS_APP_PE_COUNT",
        "PALS_NRANKS",
        "FLUX_JOB_SIZE",
        "JSM_NAMESPACE_SIZE",
    ];
    // What the script of a job has, too, before it starts any process: with it, what each process has alone.
    const OF_JOBS: [(&str, &[&str]); 2] = [
        ("SLURM_NPROCS", &["SLURM_STEP_ID"]),
        ("LSB_DJOB_NUMPROC", &["LSF_PM_TASKID", "PMI_RANK"]),
    ];
    let of_jobs = OF_JOBS.iter().filter(|(_, of_processes)| {
        let mut of_processes = of_processes.iter();
        of_processes.any(|variable| std::env::var_os(variable).is_some())
    });
    let of_jobs = of_jobs.map(|(variable, _)| variable);
    VARIABLES.iter().chain(of_jobs).find_map(|variable| {
        let processes = std::env::var(variable).ok()?.trim().parse().ok()?;
        (processes > 1).then_some((*variable, processes))
    })
}
