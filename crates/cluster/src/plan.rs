//! `plan`: the needs of a board on some machines.

use anyhow::Result;
use greenwave_game::Dense;
use greenwave_sweep::sharded::{Forecast, Park};
use greenwave_sweep::{SolveError, bytes, bytes_down, bytes_up, grouped};
use greenwave_tablebase::{SCHEMA, read_variant};
use serde::Serialize;

use crate::args::PlanArgs;
use crate::ending::{Completion, print};

/// The needs of a board.
#[derive(Debug, Serialize)]
struct BoardNeeds {
    schema: u32,
    variant: String,
    metric: &'static str,
    positions: u128,
    ranks: usize,
    threads: usize,
    grain: &'static str,
    memory_bytes: u128,
    memory_allowed_bytes: u64,
    disk_bytes: u128,
    disk_allowed_bytes: Option<u64>,
    network_bytes: u128,
    network_least_bytes: u128,
    network_gbit_per_second: f64,
    seconds: f64,
    fits: bool,
    binding: &'static str,
    sampled: bool,
    waves: Vec<WaveNeeds>,
}

/// The needs of a wave: memory of one rank, all else of all ranks together.
#[derive(Debug, Serialize)]
struct WaveNeeds {
    wave: usize,
    families: u128,
    stream_bytes: u128,
    held_bytes: u128,
    network_bytes: u128,
    disk_bytes: u128,
    seconds: f64,
}

pub(crate) fn run(args: &PlanArgs) -> Result<Completion> {
    let variant = read_variant(&args.variant)?;
    let Some(game) = variant.fixed_board() else {
        let variant = variant.rules().name.clone();
        return Err(SolveError::NotShared { variant }.into());
    };
    let park = Park {
        ranks: args.ranks.into(),
        threads: args.threads.into(),
        memory: args.memory,
        disk: args.disk,
        network: args.network * 1e9,
        delay: args.delay * 1e-6,
    };
    let forecast = Forecast::new(game, args.metric, args.kernel, &park)?;
    let memory = forecast.memory_bytes <= u128::from(park.memory);
    let disk = park
        .disk
        .is_none_or(|disk| forecast.disk_bytes <= u128::from(disk));
    let work = park.ranks as u128 <= forecast.most_families();
    let sum = |seconds: fn(&greenwave_sweep::sharded::WaveForecast) -> f64| {
        forecast.waves.iter().map(seconds).sum::<f64>()
    };
    let plan = BoardNeeds {
        schema: SCHEMA,
        variant: variant.rules().name.clone(),
        metric: args.metric.name(),
        positions: game.indexable(),
        ranks: park.ranks,
        threads: park.threads,
        grain: forecast.grain,
        memory_bytes: forecast.memory_bytes,
        memory_allowed_bytes: park.memory,
        disk_bytes: forecast.disk_bytes,
        disk_allowed_bytes: park.disk,
        network_bytes: forecast.sent_bytes,
        network_least_bytes: forecast.least_sent_bytes,
        network_gbit_per_second: args.network,
        seconds: forecast.seconds,
        fits: memory && disk && work,
        binding: if !memory {
            "memory"
        } else if !disk {
            "disk"
        } else if !work {
            "families"
        } else if sum(|wave| wave.exchanging) > sum(|wave| wave.settling) {
            "network"
        } else {
            "computing"
        },
        sampled: forecast.sampled,
        waves: forecast
            .waves
            .iter()
            .map(|wave| WaveNeeds {
                wave: wave.sum,
                families: wave.families,
                stream_bytes: wave.stream_bytes,
                held_bytes: wave.held_bytes,
                network_bytes: wave.sent_bytes,
                disk_bytes: wave.disk_bytes,
                seconds: wave.settling + wave.exchanging,
            })
            .collect(),
    };
    if args.json {
        print(&serde_json::to_string(&plan)?)?;
    } else {
        print(&picture(&plan))?;
    }
    Ok(if plan.fits {
        Completion::Done
    } else {
        Completion::No
    })
}

/// Bytes that are allowed, rounded so that they show whether those that are needed fit.
fn bytes_allowed(needed: u128, allowed: u64) -> String {
    let allowed = u128::from(allowed);
    if needed <= allowed {
        bytes_up(allowed)
    } else {
        bytes_down(allowed)
    }
}

fn picture(plan: &BoardNeeds) -> String {
    let mut text = format!(
        "{} for {} on {} ranks of {} threads: {}\n\n{:>5} {:>20} {:>12} {:>12} {:>12} {:>12} {:>10}\n",
        plan.variant,
        plan.metric,
        plan.ranks,
        plan.threads,
        if plan.fits { "fits" } else { "does not fit" },
        "wave",
        "families",
        "streams",
        "held, each",
        "network",
        "disk",
        "seconds",
    );
    for wave in &plan.waves {
        text.push_str(&format!(
            "{:>5} {:>20} {:>12} {:>12} {:>12} {:>12} {:>10.1}\n",
            wave.wave,
            grouped(wave.families),
            bytes(wave.stream_bytes),
            bytes(wave.held_bytes),
            bytes(wave.network_bytes),
            bytes(wave.disk_bytes),
            wave.seconds,
        ));
    }
    text.push_str(&format!(
        "\n  memory   {} of each rank, allowed {}{}\n",
        bytes_up(plan.memory_bytes),
        bytes_allowed(plan.memory_bytes, plan.memory_allowed_bytes),
        if plan.sampled { ", from a sample" } else { "" },
    ));
    if let Some(allowed) = plan.disk_allowed_bytes {
        text.push_str(&format!(
            "  disk     {} for each rank, allowed {}\n",
            bytes_up(plan.disk_bytes),
            bytes_allowed(plan.disk_bytes, allowed)
        ));
    }
    text.push_str(&format!(
        "  network  {} in all, {} at least, at {} Gbit/s each\n  time     {:.0} s\n  binding  {}\n",
        bytes(plan.network_bytes),
        bytes(plan.network_least_bytes),
        plan.network_gbit_per_second,
        plan.seconds,
        plan.binding
    ));
    text
}
