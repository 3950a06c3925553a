//! Engines that others send to a league: the keys of their owners, signed uploads, archives that may be hostile, and Git
//! references. All that it shares with a league is the league's folder; it starts no engine and knows no matches.

pub mod archive;
pub mod client;
mod error;
pub mod git;
pub mod key;
pub mod manifest;
pub mod pack;
mod place;
mod rate;
mod seal;
mod server;

pub use client::{Answer, SubmitError, signed, submit};
pub use error::Error;
pub use git::{GitProgram, GitReference, GitRules};
pub use key::{Key, KeyError, PublicKey, new_key};
pub use manifest::{MANIFEST, Manifest};
pub use place::{Placed, remove_incomplete};
pub use server::{Limits, PATH, Submissions};
