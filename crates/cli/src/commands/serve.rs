//! `serve`: the explorer.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;

use anyhow::{Result, bail};
use greenwave_tablebase::{is_rule_file, read_rule_file};
use greenwave_web::{ExplorerSettings, Proxy};

use crate::args::ServeArgs;
use crate::output::complain;
use crate::session::{CommandVerdict, Session};

pub(super) fn run(session: &Session, args: &ServeArgs) -> Result<CommandVerdict> {
    let mut files = Vec::new();
    let mut places = Vec::new();
    for file in &args.files {
        if !is_rule_file(file) {
            bail!(
                "found '{file}', expected a rule file (NAME.toml); built-in variants are offered anyway"
            );
        }
        let mut read = read_rule_file(file)?;
        let place = std::fs::canonicalize(file).unwrap_or_else(|_| file.into());
        if places.contains(&place) {
            session.remark(&format!(
                "'{file}' is given twice and offered once; leave it out"
            ));
            continue;
        }
        places.push(place);
        // An address has no way up.
        if file.contains("..")
            && let Ok(whole) = std::fs::canonicalize(file)
        {
            read.variant = read.variant.shown_as(&whole.display().to_string());
        }
        files.push(read);
    }
    if args.host.is_empty() {
        bail!("--host: found nothing, expected an address of this machine, such as 127.0.0.1");
    }
    tell_without_effect(session);
    let settings = ExplorerSettings {
        // Visitors are not told of the server's folders.
        tablebase: session.tablebase.naming_commands(str::to_string),
        files,
        budget: args.budget,
        jobs: args.jobs.unwrap_or_else(|| session.tablebase.threads()),
        base_url: args.base_url.clone(),
        trusted: args.trust_proxy.clone().unwrap_or_else(Proxy::loopback),
        access_log: args.access_log.clone(),
        offline: args.offline.clone().or_else(beside_program),
        version: env!("CARGO_PKG_VERSION").into(),
    };
    greenwave_web::serve(settings, &args.host, args.port, &mut |address| {
        let url = match &args.base_url {
            Some(url) => url.to_string(),
            None => addresses(address),
        };
        session.remark(&format!("The explorer is at {url} until Ctrl-C."));
        if !session.tablebase.has_tables() {
            session.remark(&format!(
                "There is no table in {}: small games are solved in memory, the others searched; \
                 'greenwave solve VARIANT' makes tables.",
                session.tablebase.dir().display()
            ));
        }
        if args.open {
            open(&format!("http://{}/", on_this_machine(address)));
        }
    })?;
    Ok(CommandVerdict::Done)
}

/// Tells of options that other commands follow and this one leaves to its readers.
fn tell_without_effect(session: &Session) {
    if let Some(lights) = session.requested_lights() {
        session.remark(&format!(
            "--lights {lights} changes nothing here: readers choose the order of the lights, by a button or with \
             '?lights={lights}' in an address."
        ));
    }
    if session.language_typed {
        let lang = session.language.code();
        session.remark(&format!(
            "--lang {lang} changes nothing here: pages have the language that a reader's browser asks for, or that of \
             '?lang={lang}' in an address."
        ));
    }
    if session.json {
        session
            .remark("--json changes nothing here but errors: programs find documents at /api/v1.");
    }
}

/// The address to type: where all addresses of the machine are served, the one that others in its network
/// reach and the one for itself.
fn addresses(bound: SocketAddr) -> String {
    let own = format!("http://{}/", on_this_machine(bound));
    if !bound.ip().is_unspecified() {
        return own;
    }
    // Nothing is sent: the system says from which address it would send (RFC 5737 documents the other).
    let outward = UdpSocket::bind((bound.ip(), 0)).and_then(|socket| {
        socket.connect(("192.0.2.1", 9))?;
        socket.local_addr()
    });
    match outward.map(|address| address.ip()) {
        Ok(ip) if !ip.is_loopback() && !ip.is_unspecified() => {
            format!(
                "http://{}/, for this machine {own},",
                SocketAddr::new(ip, bound.port())
            )
        }
        _ => own,
    }
}

/// The address by which this machine reaches itself.
fn on_this_machine(bound: SocketAddr) -> SocketAddr {
    if !bound.ip().is_unspecified() {
        return bound;
    }
    let own: IpAddr = if bound.is_ipv4() {
        Ipv4Addr::LOCALHOST.into()
    } else {
        Ipv6Addr::LOCALHOST.into()
    };
    SocketAddr::new(own, bound.port())
}

/// The explorer as a folder of files, where it lies beside the program.
fn beside_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?.join("explorer");
    folder.join("site.js").is_file().then_some(folder)
}

/// Opens an address in the browser of the system; where there is none, the address has been said.
fn open(url: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started = std::process::Command::new(opener)
        .arg(url)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if started.is_err() {
        complain("No browser could be started; open the address by hand.");
    }
}
