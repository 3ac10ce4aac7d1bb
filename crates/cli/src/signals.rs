//! Signals that ask for an end, one by one: one that whoever started the program has it ignore stays
//! ignored, and the others serve.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A write beyond the limit of file sizes becomes an error of the write, not the end of the process. A
/// small piece of memory that the machine refuses ends the process with an exit code, after the line
/// that says how much it was; large ones are refused in words where they are requested.
pub(crate) fn expect_limits() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGABRT, SIGXFSZ};
        use signal_hook::flag;
        // Without a handler such a write goes on ending the process.
        let noticed = Arc::new(AtomicBool::new(false));
        let _ = flag::register(SIGXFSZ, noticed);
        let always = Arc::new(AtomicBool::new(true));
        let _ = flag::register_conditional_shutdown(SIGABRT, 2, always);
    }
}

/// The first signal that asks for an end sets a flag, the second ends the process.
#[cfg(unix)]
pub(crate) fn listen(stop: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::flag;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored(&status);
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
        if ignored >> (signal - 1) & 1 == 1 {
            continue;
        }
        // Without a handler the signal goes on ending the process. The first of two signals sets
        // the flag, the second one ends the process.
        let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(stop))
            .and_then(|_| flag::register(signal, Arc::clone(stop)));
    }
}

// The signals that a process ignores, a bit for each, in a text such as `/proc/self/status`.
#[cfg(unix)]
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// The first Ctrl-C sets a flag, the second ends the process.
#[cfg(not(unix))]
pub(crate) fn listen(stop: &Arc<AtomicBool>) {
    use std::sync::atomic::Ordering;
    let asked = Arc::clone(stop);
    // Without a handler Ctrl-C goes on ending the process.
    let _ = ctrlc::try_set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn ignored_signals_are_read() {
        let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert_eq!(super::ignored(status), 0x1001);
        assert_eq!(super::ignored(""), 0);
    }
}
