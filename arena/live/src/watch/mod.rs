//! Watching a tournament in a browser: its results come from the journals of its folders, and what happens between two
//! results from a [`Feed`], if the tournament is played by this program. Spectators only read.

mod curve;
mod faults;
mod feed;
mod folder;
mod line;
mod pages;
mod running;
mod stage;
mod standings;
mod view;

use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

pub use feed::{Feed, LiveReporter};
pub use folder::NoFolder;
pub(crate) use pages::replays;
pub use pages::write_replays;

use engine_proto::Games;
use host::files;

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
    is_last: Arc<AtomicBool>,
    /// That of the page, and of several folders that of each.
    stages: Vec<(Arc<Frames>, JoinHandle<()>)>,
    server: Option<Server>,
    /// Until when pages that are open from before may come back, and must not miss the end.
    stays_until: Option<Instant>,
}

/// Where the secret of a folder's page is kept, and in its last line the port.
const SECRET: &str = "serve.secret";
/// How long a killed arena may keep its port.
const RELEASE: Duration = Duration::from_millis(500);
/// How long pages need to find an arena that is started again: they try every second.
const RETURN: Duration = Duration::from_secs(3);

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
        let (readers, is_fed) = (Readers::at(address), feed.is_some());
        let library = Library::open(games, folders, readers)?;
        let shown = ShownPage::new(&library, is_fed);
        let warnings = shown.warnings.clone();
        // Each of several folders has a page of its own, too.
        let of_one = |idx: usize| {
            let of_one = Library::open(games, &folders[idx..=idx], readers)?;
            let shown = ShownPage::of_one(&library, idx, &of_one);
            Ok((of_one, shown))
        };
        let alone = if folders.len() < 2 { 0..0 } else { 0..folders.len() };
        let alone = alone.map(of_one).collect::<Result<Vec<_>, NoFolder>>()?;
        let is_last = Arc::new(AtomicBool::new(false));
        let mut stages = Vec::new();
        let mut pages = |library: &Library, shown, feed: Option<Feed>| {
            let frames = Arc::new(Frames::new());
            let router = pages::router(Arc::clone(&frames), library.clone(), shown, feed.clone());
            let stage = Stage::new(library.clone(), feed, Arc::clone(&frames), Arc::clone(&is_last));
            stages.push((frames, stage));
            router
        };
        let mut router = pages(&library, shown, feed).merge(more);
        for (number, (library, shown)) in (1..).zip(alone) {
            router = router.nest(&format!("/folder/{number}/"), pages(&library, shown, None));
        }
        let was_served = is_fed && folders.iter().any(|folder| Token::kept(&folder.join(SECRET)).is_some());
        let token = match token(folders, is_fed) {
            Some(token) => token,
            None => Token::random().map_err(|error| CannotServe { address, error })?,
        };
        let last = last_port(folders);
        let at_last = |port| {
            let address = SocketAddr::new(address.ip(), port);
            let start = || Server::start_with(address, token.clone(), router.clone(), open.clone()).ok();
            start().or_else(|| {
                // An engine that the killed arena was just starting keeps the port for a moment.
                sleep(RELEASE);
                start()
            })
        };
        let server = match last.filter(|_| address.port() == 0).and_then(at_last) {
            Some(server) => server,
            None => Server::start_with(address, token, router, open)?,
        };
        if is_fed && last != Some(server.port()) {
            keep_port(folders, server.port());
        }
        let start = |(frames, stage): (Arc<Frames>, Stage)| {
            let stage = std::thread::Builder::new().name("stage".to_owned()).spawn(move || stage.run());
            Ok((frames, stage.map_err(WatchError::Thread)?))
        };
        let stages = stages.into_iter().map(start).collect::<Result<_, WatchError>>()?;
        let stays_until = was_served.then(|| Instant::now() + RETURN);
        Ok(Self { warnings, is_last, stages, server: Some(server), stays_until })
    }

    /// What the user should know about the folders.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether somebody has a page of it open.
    pub fn is_seen(&self) -> bool {
        self.stages.iter().any(|(frames, _)| 0 < frames.n_viewers())
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
    let [folder] = folders else { return None };
    let file = folder.join(SECRET);
    if is_playing { Token::kept_or_new(&file).ok() } else { Token::kept(&file) }
}

/// The port of the page that was served last: that of an open page, when the tournament continues.
fn last_port(folders: &[PathBuf]) -> Option<u16> {
    let [folder] = folders else { return None };
    let file = folder.join(SECRET);
    Token::kept(&file)?;
    fs::read_to_string(file).ok()?.lines().last()?.parse().ok()
}

/// The line is added, so that the secret is in the file at every moment. Without it, the next page has another address.
fn keep_port(folders: &[PathBuf], port: u16) {
    let [folder] = folders else { return };
    let file = folder.join(SECRET);
    if Token::kept(&file).is_some() {
        let _ = files::append_to(&file).and_then(|mut file| write!(file, "\n{port}"));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(until) = self.stays_until {
            sleep(until.saturating_duration_since(Instant::now()));
        }
        self.is_last.store(true, Ordering::Relaxed);
        for (frames, stage) in self.stages.drain(..) {
            let _ = stage.join();
            frames.close();
        }
        self.server = None;
    }
}
