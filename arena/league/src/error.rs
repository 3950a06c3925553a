//! Why a league cannot be played.

use std::io;
use std::path::PathBuf;

use crate::play::FILE;
use config::ConfigError;
use live::watch::WatchError;
use runner::conduct::ConductError;
use schedule::openings::OpeningsError;
use store::ResultsError;

/// Why a league cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `league.toml` is wrong.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// There are no openings to play.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The results folder cannot be used.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The matches cannot be played, or their results cannot be written.
    #[error(transparent)]
    Conduct(#[from] ConductError),
    /// Workers cannot play it.
    #[cfg(feature = "nats")]
    #[error(transparent)]
    Machines(#[from] crate::machines::MachinesError),
    /// The pages cannot be served.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// The system refused threads or timers.
    #[error("the system refused a resource that the arena needs: {0}")]
    Refused(io::Error),
    /// A file or folder cannot be written.
    #[error("cannot write `{}`: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The record of builds cannot be read.
    #[error("cannot read `{}`: {reason}; restore the file, or move it away (owners and states of builds are lost then)", path.display())]
    Roster {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The journal cannot be read.
    #[error("{reason}; play the league first: `arena league FOLDER`")]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The key of an owner is wrong.
    #[error("`{FILE}`: the key of the owner `{owner}` is wrong; `arena league key` prints the line")]
    Key {
        /// The name.
        owner: String,
    },
    /// An owner has no engine.
    #[error("no engine of the league belongs to `{owner}`")]
    NoOwner {
        /// The name.
        owner: String,
    },
    /// An anchor cannot play.
    #[error("the anchor `{name}` cannot play, and a league does not start without its anchors: {why}")]
    Anchor {
        /// Its name.
        name: String,
        /// Why.
        why: String,
    },
    /// There are engines of other owners, and no sandbox for them.
    #[error("`{}`: {why}; to play without them, remove their files", path.display())]
    Strangers {
        /// The file of one of them.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
}
