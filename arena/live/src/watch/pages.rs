//! The addresses of the site: the page of the tournament, the replay of each match, and the stream of what happens.

use std::collections::BTreeSet;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use askama::Template;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Json, Router};
use engine_proto::Games;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::feed::Feed;
use super::folder::{Conditions, Folder, Library, Wanted};
use super::line::ExpectedLine;
use super::stage::MOST_FINISHED;
use super::view::{Finished, Found};
use crate::assets::{self, page};
use crate::frames::{self, Frames};
use crate::rules;
use crate::site::Rate;
use model::Record;
use report::html::parts::{Readers, Single, for_script_element, policy_of};
use report::html::terms;
use store::as_one_word;

/// How many replays are made in a second, for all visitors together.
const REPLAYS_PER_SECOND: f64 = 20.0;
/// The end of the names of pages that are files.
const ENDING: &str = ".html";

/// What the pages are made of.
#[derive(Clone, Debug)]
struct Pages {
    frames: Arc<Frames>,
    library: Library,
    shown: Arc<ShownPage>,
    /// What the tournament tells that this program plays.
    feed: Option<Feed>,
    replays: Arc<Rate>,
}

/// The page of the tournament. Its scripts fill it.
#[derive(Debug, Template)]
#[template(path = "watch.html")]
pub struct ShownPage {
    /// Whether the matches are shown while they are played.
    is_fed: bool,
    /// If there are several folders, links to the page of all and to those of each.
    choices: Vec<Choice>,
    /// The folders, as arguments of a command.
    folders: String,
    /// What everybody should know who reads the standings.
    pub warnings: Vec<String>,
    /// Under which conditions the matches of each folder are played.
    conditions: Vec<Conditions>,
}

/// A link to the page of a folder, or of all.
#[derive(Debug)]
struct Choice {
    address: String,
    name: String,
    is_shown: bool,
}

impl ShownPage {
    /// The page of these folders.
    pub fn new(library: &Library, is_fed: bool) -> Self {
        Self {
            is_fed,
            choices: choices(library, None),
            folders: as_arguments(library),
            warnings: library.warnings(),
            conditions: library.conditions(),
        }
    }

    /// The page of one of several folders, by its index. `own` has that folder alone.
    pub fn of_one(library: &Library, idx: usize, own: &Library) -> Self {
        let (choices, folders) = (choices(library, Some(idx)), as_arguments(library));
        Self { choices, folders, ..Self::new(own, false) }
    }

    /// The limits of all engines, if they are the same, and one folder is shown.
    fn limits(&self) -> Option<&str> {
        if let [limits] = self.only()?.limits.as_slice() { Some(limits) } else { None }
    }

    /// The conditions of the tournament, if only one is shown.
    fn only(&self) -> Option<&Conditions> {
        if let [only] = self.conditions.as_slice() { Some(only) } else { None }
    }

    /// The number of folders that are shown together.
    fn n_together(&self) -> usize {
        if self.choices.first().is_some_and(|all| all.is_shown) { self.choices.len() - 1 } else { 1 }
    }
}

fn as_arguments(library: &Library) -> String {
    let words: Vec<String> = library.folders().iter().map(|folder| as_one_word(&folder.path())).collect();
    words.join(" ")
}

/// The links of a page that shows the folder with this index, or all.
fn choices(library: &Library, shown: Option<usize>) -> Vec<Choice> {
    let folders = library.folders();
    if folders.len() < 2 {
        return Vec::new();
    }
    let root = if shown.is_some() { "../../" } else { "./" };
    let of_one = |(idx, folder): (usize, &Folder)| Choice {
        address: format!("{root}folder/{}/", idx + 1),
        name: folder.path(),
        is_shown: shown == Some(idx),
    };
    let all = Choice {
        address: root.to_owned(),
        name: format!("all {} folders", folders.len()),
        is_shown: shown.is_none(),
    };
    [all].into_iter().chain(folders.iter().enumerate().map(of_one)).collect()
}

/// The replay of a match.
#[derive(Template)]
#[template(path = "replay.html")]
struct ReplayPage {
    title: String,
    data: String,
    block: String,
}

/// The addresses.
pub fn router(frames: Arc<Frames>, library: Library, shown: ShownPage, feed: Option<Feed>) -> Router {
    let replays = Arc::new(Rate::per_second(REPLAYS_PER_SECOND));
    Router::new()
        .route("/", get(watch))
        .route("/events", get(events))
        .route("/match/{id}", get(replay))
        .route("/results/{wanted}", get(results))
        .route("/line/{line}", get(line))
        .route("/report/{number}", get(report))
        .route(
            "/rules/{game}",
            get(async |State(pages): State<Pages>, Path(id): Path<String>| {
                rules::page(pages.library.games(), &id)
            }),
        )
        .nest("/assets", assets::routes())
        .with_state(Pages { frames, library, shown: Arc::new(shown), feed, replays })
}

/// The replays of a folder that need not exist yet, with matches of these games and of its own.
pub fn replays(games: Games, folder: PathBuf, readers: Readers) -> Router {
    let rate = Arc::new(Rate::per_second(REPLAYS_PER_SECOND));
    let replay = async move |Path(number): Path<u32>| {
        if !rate.takes_one() {
            return busy();
        }
        let made = tokio::task::spawn_blocking(move || {
            let library = Library::open(&games, &[folder], readers).ok()?;
            let journal = &library.folders()[0];
            // One look reads a part of a long journal.
            while !journal.look().ok()?.records.is_empty() {}
            let record = journal.record(number).ok().flatten()?;
            Some(replay_page(&library, 0, &record, Around::Nothing))
        });
        match made.await {
            Ok(Some(replay)) => page(&replay),
            _ => missing(&number.to_string(), None),
        }
    };
    Router::new().route("/match/{id}", get(replay))
}

/// Writes replays of a folder as files for any web host: `match/NUMBER.html`, with the scripts in `assets` and the rules of the
/// games in `rules`. Matches that are not in the folder are left out.
///
/// # Errors
/// If the matches cannot be read, or the files written.
pub fn write_replays(
    games: &Games,
    folder: &FilePath,
    numbers: &BTreeSet<u32>,
    to: &FilePath,
) -> io::Result<()> {
    let library = Library::open(games, &[folder.to_owned()], Readers::Anybody).map_err(io::Error::other)?;
    let journal = &library.folders()[0];
    // One look reads a part of a long journal.
    while !journal.look()?.records.is_empty() {}
    let write = |folder: &str, name: &str, text: &str| {
        let folder = to.join(folder);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), text)
    };
    for (name, text) in assets::of_replays() {
        write("assets", name, &text)?;
    }
    let mut with_rules = BTreeSet::new();
    for number in numbers {
        let Some(record) = journal.record(*number)? else { continue };
        let page = replay_page(&library, 0, &record, Around::Files(numbers));
        write("match", &format!("{number}{ENDING}"), &page.render().map_err(io::Error::other)?)?;
        if let Ok(game) = library.games().info(record.game)
            && !game.rules.is_empty()
            && with_rules.insert(record.game)
            && let Some(page) = rules::page_of(library.games(), record.game)
        {
            let page = page.render().map_err(io::Error::other)?;
            write("rules", &format!("{}{ENDING}", record.game.id()), &page)?;
        }
    }
    Ok(())
}

fn busy() -> Response {
    (StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second\n").into_response()
}

async fn watch(State(pages): State<Pages>) -> Response {
    page(&*pages.shown)
}

async fn events(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    frames::stream(pages.frames, &headers)
}

async fn replay(State(pages): State<Pages>, Path(id): Path<String>) -> Response {
    if !pages.replays.takes_one() {
        return busy();
    }
    let Some((folder, number)) = pages.library.place(&id) else { return missing(&id, None) };
    let library = pages.library.clone();
    let made = tokio::task::spawn_blocking(move || {
        let record = library.folders()[folder].record(number).ok().flatten();
        record.map(|record| replay_page(&library, folder, &record, Around::Tournament))
    });
    match made.await {
        Ok(Some(replay)) => page(&replay),
        _ if pages.feed.is_some_and(|feed| feed.is_playing(number)) => {
            Redirect::to(&format!("../#match={number}")).into_response()
        }
        _ => missing(&id, pages.library.folders()[folder].n_matches().filter(|n| 0 < *n)),
    }
}

/// The matches of an engine, between two or in one game: what is wanted is JSON.
async fn results(State(pages): State<Pages>, Path(wanted): Path<String>) -> Response {
    let library = pages.library.clone();
    let find = move |wanted: Wanted| {
        let numbers =
            |idx: usize| library.folders()[idx].find(&wanted).into_iter().map(move |number| (idx, number));
        let all: Vec<(usize, u32)> = (0..library.folders().len()).flat_map(numbers).collect();
        let newest = &all[all.len().saturating_sub(MOST_FINISHED)..];
        let finished = newest.iter().filter_map(|&(idx, number)| {
            let record = library.folders()[idx].record(number).ok().flatten()?;
            Some(Finished::new(library.games(), &record, library.id(idx, number)))
        });
        Some(Found { n: all.len(), finished: finished.collect() })
    };
    found(&pages, &wanted, find).await
}

/// The positions of a line that an engine expects: the line is JSON.
async fn line(State(pages): State<Pages>, Path(line): Path<String>) -> Response {
    found(&pages, &line, |line: ExpectedLine| line.scenes()).await
}

/// What is found for a request in JSON; as many at a time as there may be replays.
async fn found<Request, Found>(
    pages: &Pages,
    request: &str,
    find: impl FnOnce(Request) -> Option<Found> + Send + 'static,
) -> Response
where
    Request: DeserializeOwned + Send + 'static,
    Found: Serialize + Send + 'static,
{
    let request: Request = match serde_json::from_str(request) {
        Ok(request) => request,
        Err(error) => return (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
    };
    if !pages.replays.takes_one() {
        return busy();
    }
    match tokio::task::spawn_blocking(move || find(request)).await {
        Ok(Some(found)) => Json(found).into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, "there is nothing to show\n").into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "it cannot be read\n").into_response(),
    }
}

/// The report of a folder, by the folder's number. Its own policy is sent with it, and allows the scripts of this program only:
/// whatever stands in the file, nothing else runs at the address with the secret.
async fn report(State(pages): State<Pages>, Path(number): Path<usize>) -> Response {
    if !pages.replays.takes_one() {
        return busy();
    }
    let folder = number.checked_sub(1).and_then(|idx| pages.library.folders().get(idx).cloned());
    let read = move || {
        let folder = folder?;
        let page = fs::read_to_string(folder.report()?).ok()?;
        Some((policy_of(&page).ok_or(folder), page))
    };
    match tokio::task::spawn_blocking(read).await {
        Ok(Some((Ok(policy), page))) => {
            // Its file does not know that it is served.
            let page = page.replacen(" Arena</p>", " Arena · <a href=\"../\">Watch page</a></p>", 1);
            ([(CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response()
        }
        Ok(Some((Err(folder), _))) => {
            let again = format!("arena report {}", as_one_word(&folder.path()));
            let why = format!("another version of the arena wrote this report; write it again: {again}\n");
            (StatusCode::NOT_FOUND, why).into_response()
        }
        _ => assets::missing("There is no report", "Nothing was written for this folder yet.", "../"),
    }
}

/// What a replay can link to.
#[derive(Clone, Copy)]
enum Around<'a> {
    Nothing,
    Tournament,
    /// Files with the replays of these matches.
    Files(&'a BTreeSet<u32>),
}

fn replay_page(library: &Library, folder: usize, record: &Record, around: Around<'_>) -> ReplayPage {
    let journal = &library.folders()[folder];
    let number = record.number;
    let ([previous, next], ending) = match around {
        Around::Files(numbers) => {
            let beside = [numbers.range(..number).next_back(), numbers.range(number + 1..).next()];
            (beside.map(Option::<&u32>::copied), ENDING)
        }
        Around::Nothing | Around::Tournament => (journal.beside(number), ""),
    };
    let is_partner =
        |number: &u32| journal.record(*number).ok().flatten().is_some_and(|other| other.pair == record.pair);
    let partner = [previous, next].into_iter().flatten().find(is_partner);
    let about: Vec<_> = library.folders().iter().map(Folder::about).collect();
    let names: Vec<&str> = about.iter().map(|one| one.name.as_str()).collect();
    let single = Single {
        games: library.games(),
        record,
        folders: &names,
        folder,
        path: &library.folders()[folder].path(),
        referees: &about[folder].referees,
        time_controls: about[folder].time_controls(record),
        has_tournament: matches!(around, Around::Tournament),
        beside: [previous, next, partner].map(|number| Some(library.id(folder, number?) + ending)),
        ending,
    };
    let (data, block) = single.data();
    ReplayPage {
        title: format!("Match {}", library.id(folder, record.number)),
        data: for_script_element(&data.to_string()),
        block,
    }
}

/// That a match is not there; the number of matches of its tournament may be known.
fn missing(id: &str, n_matches: Option<u32>) -> Response {
    let numbers = n_matches
        .map(|n| format!(": the matches of this tournament have the numbers 1 to {n}"))
        .unwrap_or_default();
    let why = format!("It has not ended yet, or does not exist{numbers}.");
    assets::missing(&format!("Match {id} has no result"), &why, "../")
}
