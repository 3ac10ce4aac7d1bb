//! Codes of addresses, which phones scan.

use std::net::UdpSocket;

use greenwave_picture::escaped;

use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::params::encoded;

/// The port of the command by default.
const PORT: u16 = 7411;

/// The command that serves every device in the network.
const SERVE_ALL: &str = "greenwave serve --host 0.0.0.0";

/// Whether an address, up to its host, is one that other devices cannot reach.
fn is_loopback(origin: &str) -> bool {
    let (_, host) = origin.split_once("://").unwrap_or(("", origin));
    let name = host.split(':').next().unwrap_or_default();
    name == "localhost" || name.starts_with("127.") || host.starts_with("[::1]")
}

/// The port of an address up to its host.
fn port_of(origin: &str) -> Option<u16> {
    origin.rsplit_once(':')?.1.parse().ok()
}

/// What begins the addresses of this computer in its network, as far as it can be told: the address from which it would
/// send to others. Nothing is sent.
fn address_in_network(origin: &str) -> Option<String> {
    // An address for documents alone, which is no computer's.
    const OTHERS: &str = "192.0.2.1:9";
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect(OTHERS).ok()?;
    let own = socket.local_addr().ok()?.ip();
    let is_reached = !own.is_loopback() && !own.is_unspecified();
    is_reached.then(|| format!("http://{own}:{}", port_of(origin).unwrap_or(PORT)))
}

/// The code of an address with what it opens, as wide as some points; where no phone reaches the address, how it
/// is reached. Empty in a folder, which has no server.
pub(super) fn code(
    explorer: &Explorer,
    reader: &Reader,
    link: &str,
    side: u32,
    opens: &str,
) -> String {
    let words = reader.language;
    if explorer.in_folder {
        return String::new();
    }
    if is_loopback(&reader.origin) {
        let port = port_of(&reader.origin).filter(|port| *port != PORT);
        let port = port.map_or_else(String::new, |port| format!(" --port {port}"));
        let command = format!("<code>{SERVE_ALL}{port}</code>");
        let said = escaped(words.text("class-alone")).replace("{}", &command);
        // Others learn nothing of the network of the server.
        let origin = reader.at_server.then(|| address_in_network(&reader.origin));
        let likely = origin.flatten().map_or_else(String::new, |origin| {
            let here = link.strip_prefix(&*reader.origin).unwrap_or_default();
            let address = escaped(&format!("{origin}{here}")).to_string();
            let link = format!("<a href=\"{address}\">{address}</a>");
            format!(
                " {}",
                escaped(words.text("class-likely")).replace("{}", &link)
            )
        });
        return format!("<p class=\"problem unreached\">{said}{likely}</p>");
    }
    format!(
        "<figure class=\"again\"><img class=\"qr\" src=\"{}/qr.svg?text={}\" alt=\"{}\" width=\"{side}\" \
         height=\"{side}\"><figcaption>{}</figcaption></figure>",
        escaped(&explorer.base),
        escaped(&encoded(link)),
        words.text("qr"),
        escaped(opens)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_reach_no_loopback_address() {
        for origin in [
            "http://127.0.0.1:7411",
            "http://localhost:7411",
            "http://[::1]:7411",
        ] {
            assert!(is_loopback(origin), "{origin}");
        }
        for origin in ["http://192.168.1.7:7411", "https://localhosts.org"] {
            assert!(!is_loopback(origin), "{origin}");
        }
    }
}
