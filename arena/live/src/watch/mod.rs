//! Watching a tournament in a browser: its results come from the journals of its folders, and what happens between two
//! results from a [`Feed`], if the tournament is played by this program. Spectators only read.

mod feed;
mod folder;
mod line;
mod pages;
mod running;
mod stage;
mod standings;
mod view;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

pub use feed::{Feed, LiveReporter};
pub use folder::NoFolder;
pub(crate) use pages::replays;
pub use pages::write_replays;

use engine_proto::Games;

use super::frames::Frames;
use super::site::{CannotServe, Open, Router, Server, Token};
use folder::Library;
use pages::ShownPage;
use report::html::parts::Readers;
use stage::Stage;

/// A tournament that can be watched. It ends with this; what happened last is still shown.
#[derive(Debug)]
pub struct Watch {
    warnings: Vec<String>,
    frames: Arc<Frames>,
    is_last: Arc<AtomicBool>,
    stage: Option<JoinHandle<()>>,
    server: Option<Server>,
}

/// Why nothing can be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// A folder is no results folder.
    #[error(transparent)]
    Folder(#[from] NoFolder),
    /// The server cannot be started.
    #[error(transparent)]
    Server(#[from] CannotServe),
    /// The system allows no thread.
    #[error("cannot start a thread: {0}; end other programs")]
    Thread(std::io::Error),
}

impl Watch {
    /// Shows the tournaments of these results folders, with matches of these games and of their own, at `address`, and what `feed` reports about the one that is being played.
    ///
    /// # Errors
    /// If a folder has no journal, or the server cannot be started.
    pub fn start(
        games: &Games,
        address: SocketAddr,
        folders: &[PathBuf],
        feed: Option<Feed>,
    ) -> Result<Self, WatchError> {
        Self::start_with(games, address, folders, feed, Router::new(), None)
    }

    /// The same with `more` pages, and a path that needs no token.
    ///
    /// # Errors
    /// If a folder has no journal, or the server cannot be started.
    pub fn start_with(
        games: &Games,
        address: SocketAddr,
        folders: &[PathBuf],
        feed: Option<Feed>,
        more: Router,
        open: Option<Open>,
    ) -> Result<Self, WatchError> {
        let readers = Readers::at(address);
        let library = Library::open(games, folders, readers)?;
        let frames = Arc::new(Frames::new());
        let warnings = library.warnings();
        let shown = ShownPage::new(&library, feed.is_some(), warnings.clone());
        let router = pages::router(Arc::clone(&frames), library.clone(), shown).merge(more);
        let token = match token(folders, feed.is_some()) {
            Some(token) => token,
            None => Token::random().map_err(|error| CannotServe { address, error })?,
        };
        let server = Server::start_with(address, token, router, open)?;
        let is_last = Arc::new(AtomicBool::new(false));
        let stage = Stage::new(library, feed, Arc::clone(&frames), Arc::clone(&is_last));
        let stage = std::thread::Builder::new().name("stage".to_owned()).spawn(move || stage.run());
        Ok(Self {
            warnings,
            frames,
            is_last,
            stage: Some(stage.map_err(WatchError::Thread)?),
            server: Some(server),
        })
    }

    /// What the user should know about the folders.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The address for a browser.
    ///
    /// # Panics
    /// Never: the server ends with this.
    pub fn url(&self) -> String {
        self.server.as_ref().expect("it ends with this").url()
    }
}

/// The secret of a folder's page, so that a page that is open works again when the tournament continues. Only the program that
/// plays writes to the folder.
fn token(folders: &[PathBuf], is_playing: bool) -> Option<Token> {
    /// Where the secret is kept.
    const SECRET: &str = "serve.secret";
    let [folder] = folders else { return None };
    let file = folder.join(SECRET);
    if is_playing { Token::kept_or_new(&file).ok() } else { Token::kept(&file) }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_last.store(true, Ordering::Relaxed);
        if let Some(stage) = self.stage.take() {
            let _ = stage.join();
        }
        self.frames.close();
        self.server = None;
    }
}
