//! The keys of owners: Ed25519, written as NKeys, like those of workers. A mistyped key is found by its check sum.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use nkeys::{KeyPair, KeyPairType};

use host::files;

/// The private key of an owner, which signs what is sent.
pub struct Key(KeyPair);

impl Key {
    /// Reads the file that [`new_key`] wrote.
    ///
    /// # Errors
    /// If it cannot be read, is no key, or can be read by others.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let cannot = |error| KeyError::Unreadable { path: path.to_owned(), error };
        let text = fs::read_to_string(path).map_err(cannot)?;
        if !files::is_private(&fs::metadata(path).map_err(cannot)?) {
            return Err(KeyError::Shared { path: path.to_owned() });
        }
        let key = KeyPair::from_seed(text.trim()).ok().filter(is_user);
        key.map(Self).ok_or_else(|| KeyError::NoKey { path: path.to_owned() })
    }

    /// The public key that belongs to it.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.public_key())
    }

    pub(crate) fn sign(&self, text: &str) -> io::Result<Vec<u8>> {
        self.0.sign(text.as_bytes()).map_err(io::Error::other)
    }
}

/// The public key of an owner, as it stands in `league.toml`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublicKey(String);

impl PublicKey {
    pub(crate) fn verifies(&self, text: &str, signature: &[u8]) -> bool {
        KeyPair::from_public_key(&self.0).is_ok_and(|key| key.verify(text.as_bytes(), signature).is_ok())
    }
}

impl FromStr for PublicKey {
    type Err = WrongPublicKey;

    fn from_str(text: &str) -> Result<Self, WrongPublicKey> {
        let key = KeyPair::from_public_key(text).ok().filter(is_user);
        key.map(|_| Self(text.to_owned())).ok_or_else(|| WrongPublicKey(text.chars().take(80).collect()))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that is no public key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a public key; `arena league key FILE` prints one: 56 characters that begin with `U`")]
pub struct WrongPublicKey(String);

/// Why a private key cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum KeyError {
    #[error("cannot read the key `{}`: {error}; `arena league key FILE` makes one", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("other users can read the key `{}`; run `chmod 600` on it, or make a new one", path.display())]
    Shared { path: PathBuf },
    #[error("`{}` is not a private key; `arena league key FILE` makes one", path.display())]
    NoKey { path: PathBuf },
}

/// Writes a new private key to `path`, readable only by its owner. Returns the public key.
///
/// # Errors
/// If the file exists or cannot be written.
pub fn new_key(path: &Path) -> io::Result<PublicKey> {
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(io::Error::other)?;
    writeln!(files::create_new(path, 0o600)?, "{seed}")?;
    Ok(PublicKey(key.public_key()))
}

fn is_user(key: &KeyPair) -> bool {
    matches!(key.key_pair_type(), KeyPairType::User)
}
