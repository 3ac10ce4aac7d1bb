//! The explorer in WebAssembly: the pages of the server, asked for by a script.
//!
//! ```text
//! request(bytes) -> address    room for a request: address, own address, languages, each in a line
//! answer() -> bytes            works on the request; how long the answer is
//! answered() -> address        status, media type, address to go to or nothing, each in a line; then the body
//! ```
//!
//! The script gives `env.now`, milliseconds since 1970, never less than before.
#![cfg(target_family = "wasm")]
#![allow(
    unsafe_code,
    reason = "what a script calls has to be named as it calls it"
)]

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use greenwave_tablebase::Tablebase;
use greenwave_values::set_clock;
use greenwave_web::{ExplorerSettings, Site};

/// Bytes that solutions may take; browsers give a module 4 GiB at most.
const MEMORY: u64 = 1 << 30;
/// The limit of time for one question.
const BUDGET: Duration = Duration::from_secs(20);

mod host {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Milliseconds since 1970.
        pub(super) safe fn now() -> f64;
    }
}

static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

static SITE: LazyLock<Result<Site, String>> = LazyLock::new(|| {
    set_clock(|| Duration::from_secs_f64(host::now().max(0.0) / 1000.0));
    let settings = greenwave_tablebase::Settings {
        memory: Some(MEMORY),
        threads: Some(1),
    };
    let tablebase = Tablebase::with_settings("tables", &settings);
    let tablebase = tablebase.map_err(|error| error.to_string())?;
    Ok(Site::new(ExplorerSettings {
        tablebase,
        files: Vec::new(),
        budget: BUDGET,
        jobs: 1,
        base_url: None,
        trusted: Vec::new(),
        access_log: None,
        offline: None,
        version: env!("CARGO_PKG_VERSION").into(),
    }))
});

/// Room for a request of this many bytes, which are to be written there.
#[unsafe(no_mangle)]
pub extern "C" fn request(bytes: usize) -> *mut u8 {
    let mut request = REQUEST.lock().unwrap_or_else(PoisonError::into_inner);
    request.clear();
    request.resize(bytes, 0);
    request.as_mut_ptr()
}

/// Answers the request; the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = REQUEST.lock().unwrap_or_else(PoisonError::into_inner);
    let request = String::from_utf8_lossy(&request);
    let mut lines = request.lines();
    let mut line = || lines.next().unwrap_or("");
    let (address, here, languages) = (line(), line(), line());
    let text = match &*SITE {
        Ok(site) => {
            let reply = site.get(address, here, languages);
            let moved = reply.moved.unwrap_or_default();
            format!(
                "{}\n{}\n{moved}\n{}",
                reply.status, reply.media_type, reply.body
            )
        }
        Err(error) => format!("500\ntext/plain\n\n{error}"),
    };
    let mut answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    *answer = text.into_bytes();
    answer.len()
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answered() -> *const u8 {
    ANSWER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .as_ptr()
}
