//! A worker: waits for tournaments, and plays pairs of one tournament at a time on the places of this machine.

mod bench;
mod bounds;
mod cache;
mod guest;
mod hands;
mod limits;
mod own_folder;
mod own_name;
mod session;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, Message};
use engine_proto::Games;
use engine_proto::fen::shown;
use tokio::time::{Instant, timeout};

use super::message::{Announcement, State, decode, encode, hash, other_version};
use super::pull::next;
use super::roster::in_short;
use super::subject::{ANNOUNCEMENTS, Names, is_name};
use guest::{Guest, Unfit};
pub use limits::Limits;
use model::{FormatVersion, Size};
use opponent::Folders;
pub use own_folder::OwnFolder;
pub use own_name::OwnName;
use runner::conduct::StopRequests;
use runner::pool::PoolError;
use session::{End, Session};

/// The interval in which a refusal is repeated.
const REFUSAL_EVERY: Duration = Duration::from_secs(5);
/// The pause before a worker that cannot take part yet tries again.
const AGAIN: Duration = Duration::from_secs(5);
/// How long announcements are collected before the worker chooses one: each coordinator sends one every second, and a busy one
/// later.
const CHOICE: Duration = Duration::from_millis(2200);
/// A worker that could not take part in a tournament does not leave another one for it within this time.
const NOT_AGAIN: Duration = Duration::from_secs(60);
/// How long the answer to a request to join may take.
const JOIN: Duration = Duration::from_secs(5);
/// The most refusals that are remembered. After that, the worker takes part in no new tournament until it starts again.
const MOST_REFUSALS: usize = 1000;

/// What a worker offers.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The worker's name, unique on the server.
    pub name: String,
    /// The games that it knows without a tournament.
    pub games: Games,
    /// Distinguishes this process from another one with the same name.
    pub process: String,
    /// The number of processors.
    pub cores: u16,
    /// The memory for all matches; `None` if it is not limited.
    pub memory: Option<Size>,
    /// Whether engines run without a sandbox if the tournament does not ask for one.
    pub trusts: bool,
    /// What each engine may use, unless they are trusted.
    pub limits: Limits,
    /// The files with keys and certificates of this worker, as canonical paths. No engine may read them.
    pub secrets: Vec<PathBuf>,
    /// Whether the worker ends with its first tournament.
    pub is_once: bool,
    /// The speed of this machine; `None` if it is to be measured.
    pub speed: Option<u64>,
    /// The folder for engines that come from coordinators.
    pub cache: PathBuf,
    /// The folders for the files of engines.
    pub folders: Folders,
}

/// Why a worker has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its tournament is over.
    Over,
    /// The user wanted it, and its pairs were handed back.
    Left,
    /// The user did not want to wait.
    Aborted,
}

/// Why a worker cannot work.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The connection was closed.
    #[error("the connection to the NATS server was closed: {0}")]
    Connection(#[from] async_nats::SubscribeError),
    /// The folder with the files of engines was removed.
    #[error("the folder `{}` of this worker was removed; start the worker again", .0.display())]
    Folder(PathBuf),
    /// This machine cannot play.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// Works until the user wants to stop, or until the end of the first tournament. `say` shows what happens.
///
/// # Errors
/// If the connection was closed, or this machine lacks resources.
pub async fn work(
    client: &Client,
    settings: &Settings,
    mut requests: impl StopRequests,
    mut say: impl FnMut(&str),
) -> Result<Ended, WorkerError> {
    let mut announcements = client.subscribe(ANNOUNCEMENTS).await?;
    // A server that expects another name of this worker says so now, and not with the first tournament.
    let _inbox = client.subscribe(client.new_inbox()).await?;
    let mut offers = Offers::default();
    loop {
        let message = tokio::select! {
            biased;
            _ = requests.next() => return Ok(Ended::Left),
            () = offers.are_complete() => None,
            message = next(&mut announcements) => Some(message),
        };
        if let Some(message) = message {
            offers.hear(&message, client, settings, &mut say).await;
            continue;
        }
        let Some((names, announcement)) = offers.best(&settings.name) else { continue };
        offers.failures.retain(|_, at| at.elapsed() < NOT_AGAIN);
        let payload = join(client, settings, &names).await;
        let Some(payload) = payload.filter(|payload| hash(payload) == announcement.invitation) else {
            offers.failures.insert(announcement.invitation, Instant::now());
            continue;
        };
        let accepted = tokio::select! {
            biased;
            _ = requests.next() => return Ok(Ended::Left),
            accepted = Guest::new(client, &payload, settings) => accepted,
        };
        let guest = match accepted {
            Ok(guest) => guest,
            Err(Unfit::Now(why)) => {
                if offers.last_problem.as_ref() != Some(&why) {
                    let (name, why) = (shown(&announcement.name), in_short(&why));
                    say(&format!("cannot take part in `{name}` yet: {why}"));
                }
                Refusal::new(why.clone()).repeat(client, settings, &names, &announcement).await;
                offers.last_problem = Some(why);
                offers.failures.insert(announcement.invitation, Instant::now());
                continue;
            }
            Err(Unfit::Always(why)) => {
                say(&format!("does not take part in `{}`: {}", shown(&announcement.name), in_short(&why)));
                let refusal =
                    offers.refusals.entry(announcement.invitation.clone()).or_insert(Refusal::new(why));
                refusal.repeat(client, settings, &names, &announcement).await;
                continue;
            }
        };
        offers.last_problem = None;
        let clocks =
            guest.scale.map(|scale| format!("; factor of clocks: {}", scale.in_words())).unwrap_or_default();
        say(&format!("plays `{}`; places: {}{clocks}", shown(&announcement.name), guest.n_places));
        let session = Session::new(client, settings, names, &announcement, guest).await?;
        let can_join = |other: &Announcement| offers.can_join(other, &settings.name);
        let (end, n_pairs) = session.play(&mut announcements, &can_join, &mut requests, &mut say).await?;
        say(&format!("ended `{}`; pairs played: {n_pairs}", shown(&announcement.name)));
        match end {
            End::Over if settings.is_once => return Ok(Ended::Over),
            End::Over | End::Changed | End::Silent | End::SetAside | End::Outranked => {}
            End::Unfit { why, rules_failed } => {
                let name = shown(&announcement.name);
                say(&format!("no longer takes part in `{name}`: {}", in_short(&why)));
                offers
                    .refusals
                    .insert(announcement.invitation, Refusal { rules_failed, ..Refusal::new(why) });
            }
            End::Left => return Ok(Ended::Left),
            End::Aborted => return Ok(Ended::Aborted),
        }
    }
}

/// The tournaments that a worker may join.
#[derive(Debug, Default)]
struct Offers {
    all: Vec<(Names, Announcement)>,
    choose_at: Option<Instant>,
    /// Those in which it does not take part, by invitation.
    refusals: HashMap<String, Refusal>,
    /// When it could not take part, by invitation.
    failures: HashMap<String, Instant>,
    /// What the user knows.
    last_problem: Option<String>,
}

impl Offers {
    /// Takes an announcement. Repeats a refusal.
    async fn hear(
        &mut self,
        message: &Message,
        client: &Client,
        settings: &Settings,
        say: &mut impl FnMut(&str),
    ) {
        let Some((names, announcement)) = announced(message) else {
            if let Some(why) = other_version(&message.payload)
                && self.last_problem.as_ref() != Some(&why)
            {
                say(&format!("cannot take part in a tournament: {why}"));
                self.last_problem = Some(why);
            }
            return;
        };
        self.remove(&names);
        let has_just_failed =
            self.failures.get(&announcement.invitation).is_some_and(|at| at.elapsed() < AGAIN);
        if announcement.is_over || has_just_failed {
            return;
        }
        if let Some(refusal) = self.refusals.get_mut(&announcement.invitation) {
            refusal.repeat(client, settings, &names, &announcement).await;
            return;
        }
        // Somebody invents tournaments.
        if MOST_REFUSALS <= self.refusals.len() {
            return;
        }
        if let Some(why) = announcement.why_set_aside(&settings.name) {
            let refusal =
                self.refusals.entry(format!("{} set aside", announcement.invitation)).or_insert_with(|| {
                    say(&format!(
                        "does not take part in `{}`: the coordinator has set this worker aside: {}",
                        shown(&announcement.name),
                        shown(why)
                    ));
                    Refusal::new("it was set aside".to_owned())
                });
            refusal.repeat(client, settings, &names, &announcement).await;
            return;
        }
        self.add(names, announcement);
    }

    /// Whether a worker may leave another tournament for this one.
    fn can_join(&self, announcement: &Announcement, worker: &str) -> bool {
        let invitation = &announcement.invitation;
        !self.refusals.contains_key(invitation)
            && self.failures.get(invitation).is_none_or(|at| at.elapsed() >= NOT_AGAIN)
            && announcement.why_set_aside(worker).is_none()
    }

    fn add(&mut self, names: Names, announcement: Announcement) {
        self.choose_at.get_or_insert_with(|| Instant::now() + CHOICE);
        // What was announced before is no longer true.
        self.remove(&names);
        if self.all.len() < MOST_REFUSALS {
            self.all.push((names, announcement));
        }
    }

    fn remove(&mut self, names: &Names) {
        self.all.retain(|(other, _)| other != names);
    }

    async fn are_complete(&self) {
        match self.choose_at {
            Some(at) => tokio::time::sleep_until(at).await,
            None => std::future::pending().await,
        }
    }

    /// The tournament with the highest priority, of these one with the fewest workers. Workers that choose at the same time
    /// choose different ones. All offers are forgotten.
    fn best(&mut self, worker: &str) -> Option<(Names, Announcement)> {
        self.choose_at = None;
        let rank = |announcement: &Announcement| {
            let chance = hash(format!("{worker} {}", announcement.invitation).as_bytes());
            (Reverse(announcement.priority), announcement.n_workers, chance)
        };
        std::mem::take(&mut self.all).into_iter().min_by_key(|(_, announcement)| rank(announcement))
    }
}

/// Why the worker does not take part in a tournament. The coordinator may not have heard it.
#[derive(Debug)]
struct Refusal {
    why: String,
    rules_failed: bool,
    said: Option<Instant>,
}

impl Refusal {
    const fn new(why: String) -> Self {
        Self { why, rules_failed: false, said: None }
    }

    async fn repeat(&mut self, client: &Client, settings: &Settings, names: &Names, to: &Announcement) {
        if self.said.is_some_and(|said| said.elapsed() < REFUSAL_EVERY) {
            return;
        }
        self.said = Some(Instant::now());
        let refusal = Some(self.why.clone());
        let state = State {
            invitation: to.invitation.clone(),
            refusal,
            rules_failed: self.rules_failed,
            process: settings.process.clone(),
            ..State::default()
        };
        // What is lost is said again.
        let _ = client.publish(names.state(&settings.name), encode(&state).into()).await;
    }
}

/// The tournament of an announcement.
fn announced(message: &Message) -> Option<(Names, Announcement)> {
    let id = message.subject.rsplit('.').next().filter(|id| is_name(id))?;
    let announcement: Announcement = decode(&message.payload).ok()?;
    is_name(&announcement.invitation).then(|| (Names::new(id), announcement))
}

/// Asks for the invitation.
async fn join(client: &Client, settings: &Settings, names: &Names) -> Option<Vec<u8>> {
    let request = client.request(names.join(&settings.name), "".into());
    let reply = timeout(JOIN, request).await.ok()?.ok()?;
    Some(reply.payload.to_vec())
}

/// The state of a worker that takes part in a tournament.
fn present(settings: &Settings, invitation: &str, places: u16) -> State {
    let (invitation, process) = (invitation.to_owned(), settings.process.clone());
    State { format_version: FormatVersion, invitation, process, places, ..State::default() }
}
