//! Proxies between the clients and the server: which are believed, whom they name, and the address
//! under which they show the pages.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A proxy whose word about its clients is taken, or a network of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proxy {
    address: IpAddr,
    /// Number of its bits that belong to the network.
    bits: u32,
}

/// Why a text names no proxy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found '{0}', expected an address such as 10.0.0.7 or ::1, or a network such as 10.0.0.0/8"
)]
pub struct NoProxy(String);

impl Proxy {
    /// The networks of this machine itself.
    #[must_use]
    pub fn loopback() -> Vec<Proxy> {
        vec![
            Proxy {
                address: [127, 0, 0, 0].into(),
                bits: 8,
            },
            Proxy {
                address: std::net::Ipv6Addr::LOCALHOST.into(),
                bits: 128,
            },
        ]
    }

    /// Whether an address is that of the proxy, or in the network.
    #[must_use]
    pub fn has(&self, address: IpAddr) -> bool {
        // An IPv4 address may be written as an IPv6 one.
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let differ = own.to_bits() ^ other.to_bits();
                differ.leading_zeros() >= self.bits
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let differ = own.to_bits() ^ other.to_bits();
                differ.leading_zeros() >= self.bits
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

impl FromStr for Proxy {
    type Err = NoProxy;

    fn from_str(text: &str) -> Result<Proxy, NoProxy> {
        let refuse = || NoProxy(text.into());
        let (address, bits) = match text.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().map_err(|_| refuse())?;
        let address = address.to_canonical();
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            Some(bits) => bits.parse().ok().filter(|bits| *bits <= most),
            None => Some(most),
        };
        Ok(Proxy {
            address,
            bits: bits.ok_or_else(refuse)?,
        })
    }
}

/// Whom a line `X-Forwarded-For` names last, with or without a port.
#[cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "there are no proxies")
)]
pub(crate) fn named_by_proxy(line: &str) -> Option<IpAddr> {
    let last = line.rsplit(',').next()?.trim();
    let last = last.trim_matches('"').trim();
    let bare = last.strip_suffix(':').filter(|bare| !bare.ends_with(':'));
    let last = bare.unwrap_or(last);
    // A zone is of the proxy's machine.
    let address_in = |text: &str| text.split('%').next()?.parse::<IpAddr>().ok();
    let address = match last.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            let is_port = port.is_empty() || port.strip_prefix(':')?.parse::<u16>().is_ok();
            address_in(address).filter(|_| is_port)?
        }
        None => match address_in(last) {
            Some(address) => address,
            None => last.parse::<std::net::SocketAddr>().ok()?.ip(),
        },
    };
    Some(address.to_canonical())
}

/// The address under which the pages are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    origin: String,
    path: String,
}

/// Why a text is no such address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found '{found}', expected an address such as https://example.org/greenwave: {why}")]
pub struct NoBaseUrl {
    found: String,
    why: &'static str,
}

impl BaseUrl {
    /// Scheme, host and port: `https://example.org`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The path without a slash at its end, empty or `/like/this`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.path)
    }
}

impl FromStr for BaseUrl {
    type Err = NoBaseUrl;

    fn from_str(text: &str) -> Result<BaseUrl, NoBaseUrl> {
        let refuse = |why| NoBaseUrl {
            found: text.into(),
            why,
        };
        let lower = text.to_ascii_lowercase();
        let scheme = ["http://", "https://"]
            .into_iter()
            .find(|scheme| lower.starts_with(scheme))
            .ok_or_else(|| refuse("it begins with http:// or https://"))?;
        let rest = &text[scheme.len()..];
        if rest.contains(['?', '#']) {
            return Err(refuse("it has neither a query nor a fragment"));
        }
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err(refuse("it names no user"));
        }
        let authority = host_and_port(authority).map_err(refuse)?;
        let path = crate::params::spelt_path(path);
        let path = path.map_err(|_| refuse("its path is written as addresses are"))?;
        if crate::params::decoded(&path).is_ok_and(|path| path.contains(char::is_control)) {
            return Err(refuse("it has no control characters"));
        }
        Ok(BaseUrl {
            origin: format!("{scheme}{authority}"),
            path: path.trim_end_matches('/').into(),
        })
    }
}

/// A host and a port as they were read.
pub(crate) fn host_and_port(text: &str) -> Result<String, &'static str> {
    let (host, port) = match text.rfind(']') {
        Some(at) => text.split_at(at + 1),
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let is_host = match host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
    {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            let is_label =
                |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(known);
            let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
            let last = labels.clone().next_back().unwrap_or_default();
            // What ends in a number is read as an address.
            let is_number = last.bytes().all(|digit| digit.is_ascii_digit());
            let is_address = host.parse::<std::net::Ipv4Addr>().is_ok();
            host.len() <= 253 && labels.all(is_label) && (is_address || !is_number)
        }
    };
    if !is_host {
        return Err("its host is a name or an address");
    }
    match port.strip_prefix(':') {
        None if port.is_empty() => Ok(host.to_ascii_lowercase()),
        Some(port) if port.parse::<u16>().is_ok_and(|port| port > 0) && !port.starts_with('+') => {
            Ok(format!("{}:{port}", host.to_ascii_lowercase()))
        }
        None | Some(_) => Err("its port is a number from 1 to 65535"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_addresses_and_networks() {
        let proxy = |text: &str| text.parse::<Proxy>();
        for (text, inside, outside) in [
            ("10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("10.0.0.0/8", "10.9.9.9", "11.0.0.0"),
            ("0.0.0.0/0", "8.8.8.8", "::1"),
            ("::1", "::1", "::2"),
            ("2001:db8::/32", "2001:db8:1::5", "2001:db9::"),
            ("::ffff:10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("10.0.0.7", "::ffff:10.0.0.7", "127.0.0.1"),
        ] {
            let proxy = proxy(text).unwrap();
            assert!(proxy.has(inside.parse().unwrap()), "{text} {inside}");
            assert!(!proxy.has(outside.parse().unwrap()), "{text} {outside}");
        }
        for text in [
            "",
            "x",
            "10.0.0.7:80",
            "10.0.0.0/33",
            "::1/129",
            "10.0.0.0/-1",
            "[::1]",
        ] {
            assert!(proxy(text).is_err(), "{text}");
        }
        assert!(Proxy::loopback()[0].has("127.8.8.8".parse().unwrap()));
    }

    #[test]
    fn the_last_name_counts_with_or_without_a_port() {
        for (line, named) in [
            ("1.2.3.4", Some("1.2.3.4")),
            ("1.2.3.4:", Some("1.2.3.4")),
            ("\"1.2.3.4\"", Some("1.2.3.4")),
            ("\"[2001:db8::1]:443\"", Some("2001:db8::1")),
            ("fe80::1%eth0", Some("fe80::1")),
            ("2001:db8::", Some("2001:db8::")),
            ("1.2.3.4, 5.6.7.8", Some("5.6.7.8")),
            ("1.2.3.4,5.6.7.8:1234", Some("5.6.7.8")),
            ("[2001:db8::1]:443", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("::ffff:1.2.3.4", Some("1.2.3.4")),
            ("1.2.3.4, unknown", None),
            ("1.2.3.4,", None),
            ("[1.2.3.4", None),
            ("[::1]x", None),
            ("1.2.3.4:99999", None),
            ("", None),
        ] {
            let named = named.map(|named| named.parse().unwrap());
            assert_eq!(named_by_proxy(line), named, "{line}");
        }
    }

    #[test]
    fn base_addresses_are_read_and_written_as_links_can_have_them() {
        for (text, expected) in [
            (
                "https://example.org/greenwave",
                "https://example.org/greenwave",
            ),
            ("https://Example.org/", "https://example.org"),
            ("HTTP://x:8080/a//b/", "http://x:8080/a/b"),
            ("http://[::1]:7411", "http://[::1]:7411"),
            ("http://x/a b", "http://x/a%20b"),
            ("http://x/\"><script>", "http://x/%22%3E%3Cscript%3E"),
            ("http://x/%61", "http://x/a"),
            ("http://x/a%2fb", "http://x/a%2Fb"),
            ("http://x/Caf%c3%a9/a b", "http://x/Caf%C3%A9/a%20b"),
            ("http://127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("http://example.org.", "http://example.org."),
        ] {
            assert_eq!(text.parse::<BaseUrl>().unwrap().to_string(), expected);
        }
        for text in [
            "",
            "x",
            "/x",
            "ftp://x",
            "http://",
            "http:///x",
            "http://x?y",
            "http://x/#y",
            "http://x:99999",
            "http://x:0",
            "http://x:",
            "http://x:y",
            "http://u@x",
            "http://a b",
            "http://x\"",
            "http://[x]",
            "http://x/%zz",
            "http://::1",
            "http://é",
            "http://x/%00",
            "http://x/a%0A",
            "http://x/\n",
            "http://.",
            "http://..",
            "http://a..b",
            "http://.a",
            "http://999.1.1.1",
            "http://1.2.3",
        ] {
            assert!(text.parse::<BaseUrl>().is_err(), "{text}");
        }
    }
}
