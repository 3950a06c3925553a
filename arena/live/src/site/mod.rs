//! A web site for the people who were given its address: a server with limits, and a guard in front of every page. It
//! knows no matches.

mod browser;
mod connection;
mod guard;
mod rate;
mod server;
mod slot;
mod strangers;

use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;

use host::files;
use model::hex;

pub use axum::Router;
pub use browser::open;
pub use rate::Rate;
pub use server::{CannotServe, Open, Server, try_address};
pub use slot::Slot;

/// Number of random bytes of a token.
const TOKEN_BYTES: usize = 16;

/// The secret part of a site's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new random token.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(hex(&bytes)))
    }

    /// The token in the first line of a file, if only its owner can read it.
    pub fn kept(file: &Path) -> Option<Self> {
        let metadata = fs::metadata(file).ok()?;
        let text = fs::read_to_string(file).ok()?.lines().next()?.to_owned();
        let is_token = text.len() == 2 * TOKEN_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        (files::is_private(&metadata) && is_token).then_some(Self(text))
    }

    /// The token that a file keeps; a new one is stored there, readable by its owner only.
    ///
    /// # Errors
    /// If the system has no random numbers, or the file cannot be written.
    pub fn kept_or_new(file: &Path) -> io::Result<Self> {
        if let Some(token) = Self::kept(file) {
            return Ok(token);
        }
        let token = Self::random()?;
        let _ = fs::remove_file(file);
        files::create_new(file, 0o600)?.write_all(token.text().as_bytes())?;
        Ok(token)
    }

    /// The token as text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether the path of an address begins with the token.
    fn is_in(&self, path: &str) -> bool {
        self.is(path.split('/').nth(1).unwrap_or_default())
    }

    /// Whether `text` is the token. The time that this takes does not depend on where they differ.
    fn is(&self, text: &str) -> bool {
        let differences = self.0.bytes().zip(text.bytes()).fold(0, |sum, (own, other)| sum | (own ^ other));
        self.0.len() == text.len() && differences == 0
    }
}

/// Reads the argument of `--serve` and `--address`: an address with a port, an address, or a port.
///
/// # Errors
/// If it is none of these.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let loopback = std::net::IpAddr::from([127, 0, 0, 1]);
    let port = || Some(SocketAddr::new(loopback, text.parse().ok()?));
    let host = || Some(SocketAddr::new(text.trim_matches(['[', ']']).parse().ok()?, 0));
    text.parse().ok().or_else(port).or_else(host).ok_or_else(|| {
        "write an IP address, a port, or both, such as `127.0.0.1:8080`, `8080` or `[::1]:8080`".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_and_no_other() {
        let token = Token::random().expect("random numbers");
        let other = Token::random().expect("random numbers");
        assert_eq!(token.text().len(), 2 * TOKEN_BYTES);
        assert!(token.is(token.text()));
        for wrong in [other.text(), "", &token.text()[1..], &format!("{}0", token.text())] {
            assert!(!token.is(wrong), "{wrong}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_token_is_kept_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("secret");
        assert_eq!(Token::kept(&file), None);
        let token = Token::kept_or_new(&file).expect("written");
        assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o600);
        assert_eq!(Token::kept_or_new(&file).expect("read"), token);
        // Others may have read it.
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("allowed");
        assert_eq!(Token::kept(&file), None);
        assert_ne!(Token::kept_or_new(&file).expect("written"), token);
        assert!(Token::kept(&file).is_some());
        fs::write(&file, "short").expect("written");
        assert_eq!(Token::kept(&file), None);
    }

    #[test]
    fn addresses() {
        for (text, expected) in [
            ("8080", "127.0.0.1:8080"),
            ("0.0.0.0", "0.0.0.0:0"),
            ("[::1]:9", "[::1]:9"),
            ("::1", "[::1]:0"),
            ("10.1.2.3:80", "10.1.2.3:80"),
        ] {
            assert_eq!(address(text).expect(text).to_string(), expected);
        }
        for text in ["", "localhost", "70000", "1.2.3", ":80"] {
            assert!(address(text).is_err(), "{text}");
        }
    }
}
