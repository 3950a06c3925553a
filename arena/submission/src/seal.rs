//! The signature of a request: over its method, its path, the hash of its body, the time, and a random number that is
//! used once. It is in a header, so that it is checked before the body is read.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use model::hex;

use crate::key::{Key, PublicKey};

/// The name of the header.
pub const HEADER: &str = "arena-signature";
/// The first line of what is signed, so that a key signs nothing else by mistake.
const PURPOSE: &str = "arena-submission-1";

const NONCE_BYTES: usize = 16;
const HASH_BYTES: usize = 32;
const SIGNATURE_BYTES: usize = 64;

/// A signature, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    pub key: PublicKey,
    /// In seconds since 1970.
    pub time: u64,
    pub nonce: String,
    /// The SHA-256 hash of the body.
    pub sha256: String,
    signature: String,
}

impl Seal {
    /// Signs a request that is sent now.
    pub fn new(key: &Key, method: &str, path: &str, sha256: String) -> io::Result<Self> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(io::Error::other)?;
        let mut seal =
            Self { key: key.public(), time: now(), nonce: hex(&nonce), sha256, signature: String::new() };
        seal.signature = hex(&key.sign(&seal.text(method, path))?);
        Ok(seal)
    }

    /// The value of the header.
    pub fn header(&self) -> String {
        let Self { key, time, nonce, sha256, signature } = self;
        format!("{key} {time} {nonce} {sha256} {signature}")
    }

    /// Reads the value of the header. The signature may be wrong.
    pub fn read(header: &str) -> Option<Self> {
        let [key, time, nonce, sha256, signature] = header.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let digits = |text: &str, bytes: usize| {
            let is_hex = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
            (text.len() == 2 * bytes && is_hex).then(|| text.to_owned())
        };
        Some(Self {
            key: key.parse().ok()?,
            time: time.parse().ok()?,
            nonce: digits(nonce, NONCE_BYTES)?,
            sha256: digits(sha256, HASH_BYTES)?,
            signature: digits(signature, SIGNATURE_BYTES)?,
        })
    }

    /// Whether the owner of the key has signed this request.
    pub fn fits(&self, method: &str, path: &str) -> bool {
        let byte = |idx: usize| u8::from_str_radix(&self.signature[idx..idx + 2], 16).ok();
        let signature: Option<Vec<u8>> = (0..2 * SIGNATURE_BYTES).step_by(2).map(byte).collect();
        signature.is_some_and(|signature| self.key.verifies(&self.text(method, path), &signature))
    }

    fn text(&self, method: &str, path: &str) -> String {
        let Self { time, nonce, sha256, .. } = self;
        format!("{PURPOSE}\n{method}\n{path}\n{sha256}\n{time}\n{nonce}\n")
    }
}

/// The seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
