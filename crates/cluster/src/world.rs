//! Ranks as processes that MPI started.

use std::cell::Cell;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use greenwave_sweep::sharded::{Exchange, ExchangeError};
use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::datatype::Equivalence;
use mpi::request::{LocalScope, Request};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};

use crate::args::{Args, Command};
use crate::ending::{Completion, ended};
use crate::plan;
use crate::solve::{self, RankJob};

/// How a job ends that cannot go on.
const ABORTED: i32 = 2;

/// How often a rank that waits looks at once, and how long it sleeps between looks after that. MPI's own
/// waiting would keep a core busy that the rank's other threads want.
const LOOKS: u32 = 200;
const NAP: Duration = Duration::from_micros(20);

struct World {
    ranks: SimpleCommunicator,
    // The rank that tells of an error.
    teller: Cell<usize>,
}

impl Exchange for World {
    fn rank(&self) -> usize {
        self.ranks.rank() as usize
    }

    fn ranks(&self) -> usize {
        self.ranks.size() as usize
    }

    // If MPI cannot deliver a message, it ends the whole job; this is MPI's own default.
    fn swap(
        &self,
        sends: &[(usize, &[u8])],
        receives: &mut [(usize, &mut [u8])],
    ) -> Result<(), ExchangeError> {
        mpi::request::scope(|scope| {
            let mut open = Vec::with_capacity(sends.len() + receives.len());
            for (from, buffer) in receives {
                let from = self.ranks.process_at_rank(*from as i32);
                open.push(OpenRequest::Coming(
                    from.immediate_receive_into(scope, &mut **buffer),
                ));
            }
            for (to, bytes) in sends {
                let to = self.ranks.process_at_rank(*to as i32);
                open.push(OpenRequest::Going(to.immediate_send(scope, *bytes)));
            }
            wait(open);
        });
        Ok(())
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), ExchangeError> {
        // A sum of nothing is a meeting all the same.
        let own = if numbers.is_empty() {
            vec![0]
        } else {
            numbers.to_vec()
        };
        let mut sums = own.clone();
        mpi::request::scope(|scope| {
            let sum = SystemOperation::sum();
            let request = self
                .ranks
                .immediate_all_reduce_into(scope, &own[..], &mut sums[..], sum);
            wait(vec![OpenRequest::Coming(request)]);
        });
        numbers.copy_from_slice(&sums[..numbers.len()]);
        Ok(())
    }
}

// A message under way.
enum OpenRequest<'a, 's, T> {
    Coming(Request<'a, [T], &'s LocalScope<'a>>),
    Going(Request<'a, [T], &'s LocalScope<'a>>),
}

fn wait<T: Equivalence>(mut open: Vec<OpenRequest<'_, '_, T>>) {
    let mut looks = 0;
    while !open.is_empty() {
        let before = open.len();
        open = open
            .into_iter()
            .filter_map(|open| match open {
                OpenRequest::Coming(request) => request.test().err().map(OpenRequest::Coming),
                OpenRequest::Going(request) => request.test().err().map(OpenRequest::Going),
            })
            .collect();
        if open.len() < before {
            looks = 0;
        } else if looks < LOOKS {
            looks += 1;
            thread::yield_now();
        } else {
            thread::sleep(NAP);
        }
    }
}

/// The whole program, as one rank of those that MPI started.
pub(crate) fn run() -> ExitCode {
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("error: MPI cannot be started twice in a process");
        return ExitCode::from(2);
    };
    let world = World {
        ranks: universe.world(),
        teller: Cell::new(0),
    };
    if world.ranks() > 1 {
        // The other ranks would wait for one that panics.
        let rank = world.rank();
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            tell(panic);
            eprintln!("error: rank {rank} has panicked; all of them end");
            SimpleCommunicator::world().abort(ABORTED);
        }));
    }
    let result = command(&world);
    ended(result, world.rank() == world.teller.get())
}

fn command(world: &World) -> Result<Completion> {
    let args = Args::read()?;
    match &args.command {
        Command::Plan(_) if world.rank() > 0 => Ok(Completion::Done),
        Command::Plan(args) => plan::run(args),
        Command::Solve(args) if world.ranks() == 1 => solve::on_threads(args),
        Command::Solve(args) => {
            if args.ranks.is_some() {
                bail!("mpirun says how many ranks there are; leave out --ranks");
            }
            let here = world.ranks.split_shared(world.ranks.rank()).size() as usize;
            let job = agreed(world, RankJob::new(args, here, world.rank() == 0))?;
            let there = agreed(world, job.solved_already())?;
            let mut told = [u64::from(there.is_some())];
            world.sum(&mut told)?;
            if told[0] > 0 {
                if let Some(solved) = &there {
                    job.print_header(solved)?;
                }
                return Ok(Completion::Done);
            }
            let plan = job.plan(world)?;
            let progress = job.progress(world.rank());
            match plan.run(world, &*progress) {
                Ok(found) if world.rank() == 0 => {
                    job.finish(&found, world.ranks())?;
                    Ok(Completion::Done)
                }
                Ok(_) => Ok(Completion::Done),
                Err(error) => {
                    // The others wait for this rank, and have nothing to tell.
                    eprintln!("error: {error}");
                    world.ranks.abort(ABORTED)
                }
            }
        }
    }
}

// An error on some ranks is an error on all, and the first of those ranks reports it.
fn agreed<T>(world: &World, own: Result<T>) -> Result<T> {
    let mut failed = vec![0; world.ranks()];
    failed[world.rank()] = u64::from(own.is_err());
    world.sum(&mut failed)?;
    let Some(first) = failed.iter().position(|failed| *failed > 0) else {
        return own;
    };
    world.teller.set(first);
    own.and_then(|_| bail!("rank {first} cannot do what the others can"))
        .with_context(|| format!("rank {first}"))
}
