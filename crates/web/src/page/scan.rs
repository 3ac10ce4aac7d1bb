//! Codes of addresses, which phones scan.

use greenwave_picture::escaped;

use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::params::encoded;

/// The command that serves every device in the network.
const SERVE_ALL: &str = "greenwave serve --host 0.0.0.0";

/// Whether an address, up to its host, is one that other devices cannot reach.
fn is_loopback(origin: &str) -> bool {
    let (_, host) = origin.split_once("://").unwrap_or(("", origin));
    let name = host.split(':').next().unwrap_or_default();
    name == "localhost" || name.starts_with("127.") || host.starts_with("[::1]")
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
        let command = format!("<code>{SERVE_ALL}</code>");
        let said = escaped(words.text("class-alone")).replace("{}", &command);
        return format!("<p class=\"problem unreached\">{said}</p>");
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
