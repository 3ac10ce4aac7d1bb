//! The explorer: every position is a page, every answer an address. Pages and programs ask one
//! process, which answers from a [`Tablebase`](greenwave_tablebase::Tablebase) and writes nothing.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use greenwave_tablebase::Tablebase;
//! use greenwave_web::{Proxy, ExplorerSettings, serve};
//!
//! let settings = ExplorerSettings {
//!     tablebase: Tablebase::open("solutions")?,
//!     files: Vec::new(),
//!     budget: Duration::from_secs(2),
//!     jobs: 2,
//!     base_url: None,
//!     trusted: Proxy::loopback(),
//!     access_log: None,
//!     offline: None,
//!     version: env!("CARGO_PKG_VERSION").into(),
//! };
//! serve(settings, "127.0.0.1", 7411, &mut |address| println!("http://{address}/"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod ahead;
mod answer;
mod answers;
mod api;
mod assets;
mod board_words;
mod books;
mod calendar;
mod client;
mod design_result;
mod download;
mod explorer;
mod first_pages;
mod jobs;
mod lock;
mod messages;
mod own_rules;
mod page;
mod params;
mod problem;
mod proxies;
mod qr;
mod question;
mod room;
mod routes;
#[cfg(not(target_family = "wasm"))]
mod server;
mod site;
mod turns;
mod view;
mod worked;

pub use explorer::ExplorerSettings;
pub use messages::MESSAGES;
pub use proxies::{BaseUrl, NoBaseUrl, NoProxy, Proxy};
#[cfg(not(target_family = "wasm"))]
pub use server::{ServeError, serve};
pub use site::{Reply, Site};
