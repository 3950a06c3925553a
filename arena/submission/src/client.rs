//! The owner's side: sends an archive to a league, and hears its answer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper::{Request, Uri, header};
use hyper_util::rt::TokioIo;
use sha2::{Digest, Sha256};
use tokio::net::TcpStream;
use tokio::time::timeout;

use model::hex;

use crate::key::Key;
use crate::seal::{HEADER, Seal};
use crate::server::{Limits, PATH};

/// How long a connection may take.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long an upload and its answer may take.
const UPLOADING: Duration = Duration::from_secs(1800);
/// The longest answer, in bytes.
const LONGEST_ANSWER: usize = 16 << 10;

/// What a league answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// What it says. It is a stranger's text.
    pub text: String,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SubmitError {
    #[error("`{0}` is not the address of a league; write it like `http://example.org:8080`")]
    Address(String),
    #[error(
        "`{0}`: this program does not speak TLS; let `curl` send the engine: arena/docs/league-submission.md"
    )]
    Tls(String),
    #[error("cannot read `{}`: {error}", path.display())]
    Archive { path: PathBuf, error: io::Error },
    #[error("no answer from the league at `{address}`: {why}")]
    Connection { address: String, why: String },
}

/// The header that signs the archive in the file `path`, for a program that sends it within five minutes.
///
/// # Errors
/// If the archive cannot be read.
pub fn signed(key: &Key, path: &Path) -> Result<String, SubmitError> {
    Ok(format!("{HEADER}: {}", read(key, path)?.1.header()))
}

fn read(key: &Key, path: &Path) -> Result<(Vec<u8>, Seal), SubmitError> {
    let unreadable = |error| SubmitError::Archive { path: path.to_owned(), error };
    let archive = fs::read(path).map_err(unreadable)?;
    let seal = Seal::new(key, "POST", PATH, hex(&Sha256::digest(&archive))).map_err(unreadable)?;
    Ok((archive, seal))
}

/// Sends the archive in the file `path`, signed with `key`, to the league at `address`.
///
/// # Errors
/// If the archive cannot be read, or there is no answer.
pub async fn submit(address: &str, key: &Key, path: &Path) -> Result<Answer, SubmitError> {
    let host = parse(address)?;
    let (archive, seal) = read(key, path)?;
    let request = Request::post(PATH).header(header::HOST, host.as_str()).header(HEADER, seal.header());
    let usual = Limits::default().packed;
    let hint = if usual < archive.len() as u64 { "; is the archive too large for this league?" } else { "" };
    let lost = |why: String| SubmitError::Connection { address: address.to_owned(), why: why + hint };
    let request = request.body(Full::from(archive)).map_err(|error| lost(error.to_string()))?;

    let late = |after: Duration| lost(format!("it took longer than {} s", after.as_secs()));
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
    let with_port = if has_port { host } else { format!("{host}:80") };
    let connected = timeout(CONNECTING, TcpStream::connect(with_port)).await;
    let stream = connected.map_err(|_| late(CONNECTING))?.map_err(|error| lost(error.to_string()))?;
    let answered = timeout(UPLOADING, exchange(stream, request)).await;
    answered.map_err(|_| late(UPLOADING))?.map_err(lost)
}

/// The host with its port.
fn parse(address: &str) -> Result<String, SubmitError> {
    let wrong = || SubmitError::Address(address.to_owned());
    let uri: Uri = address.parse().map_err(|_| wrong())?;
    match uri.scheme_str() {
        Some("http") if ["/", PATH].contains(&uri.path()) && uri.query().is_none() => {}
        Some("https") => return Err(SubmitError::Tls(address.to_owned())),
        _ => return Err(wrong()),
    }
    let host = uri.authority().map(ToString::to_string);
    host.filter(|host| !host.contains('@')).ok_or_else(wrong)
}

async fn exchange(stream: TcpStream, request: Request<Full<Bytes>>) -> Result<Answer, String> {
    let broken = |error: hyper::Error| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
        format!("{error}{}", cause.unwrap_or_default())
    };
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    let connection = tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(broken)?;
    let status = response.status().as_u16();
    let body = Limited::new(response.into_body(), LONGEST_ANSWER).collect().await;
    connection.abort();
    let body = body.map_err(|error| error.to_string())?.to_bytes();
    Ok(Answer { status, text: String::from_utf8_lossy(&body).trim_end().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_leagues() {
        let good = parse;
        for (address, expected) in [
            ("http://example.org", "example.org"),
            ("http://example.org:8080/", "example.org:8080"),
            ("http://[::1]:8080/submit", "[::1]:8080"),
            ("http://10.0.0.7/", "10.0.0.7"),
        ] {
            assert_eq!(good(address).expect(address), expected);
        }
        for address in [
            "",
            "example.org",
            "ftp://example.org",
            "http://me@example.org",
            "http://x/?a=b",
            "http://x/league",
            "http://",
        ] {
            assert!(matches!(good(address), Err(SubmitError::Address(_))), "{address}");
        }
        assert!(matches!(good("https://example.org"), Err(SubmitError::Tls(_))));
    }
}
