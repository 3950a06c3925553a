//! The pages of a league, live and as files for any web host: the list, and a page for each engine. Plain HTML without
//! scripts, made from the latest table.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::Path as Address;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use engine_proto::Games;

use crate::Error;
use crate::door::SharedRoster;
use crate::facts::{BuildLine, Latest, Played, Snapshot, elo};
use host::output::write_whole;
use live::watch::write_replays;
use model::hex;
use ratings::Rating;
use report::tables::write_csv;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
/// The size of the curve of an engine's builds.
const SIZE: [f64; 2] = [640.0, 220.0];
const MARGIN: f64 = 20.0;

/// How the pages are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// From the arena, which also shows running matches and replays.
    Live,
    /// From files.
    Files,
}

#[derive(Template)]
#[template(path = "list.html")]
struct ListPage<'a> {
    title: &'a str,
    n_matches: u64,
    lines: Vec<ListLine<'a>>,
    is_live: bool,
}

struct ListLine<'a> {
    number: usize,
    engine: &'a str,
    address: String,
    owner: &'a str,
    rating: String,
    matches: u64,
    score: String,
    n_builds: usize,
    present: String,
}

#[derive(Template)]
#[template(path = "engine.html")]
struct EnginePage<'a> {
    title: &'a str,
    engine: &'a str,
    owner: &'a str,
    width: f64,
    height: f64,
    line: String,
    curve: Vec<Point>,
    builds: Vec<BuildLine<'a>>,
    tables: [CountTable<'a>; 2],
    lists: [MatchList<'a>; 2],
    is_live: bool,
}

struct Point {
    x: f64,
    y: f64,
    top: f64,
    bottom: f64,
}

struct CountTable<'a> {
    title: &'static str,
    head: &'static str,
    rows: Vec<(&'a String, &'a [u32; 3])>,
}

struct MatchList<'a> {
    title: &'static str,
    played: Vec<&'a Played>,
}

#[derive(Template)]
#[template(path = "owner.html")]
struct OwnerPage<'a> {
    title: &'a str,
    owner: &'a str,
    engines: Vec<(&'a str, String)>,
}

/// The page with the error output of an owner's engines. Its address is a secret.
#[derive(Clone, Debug)]
pub struct Owners {
    /// The builds, with their owners.
    pub roster: SharedRoster,
    /// The folder of the error output.
    pub logs: PathBuf,
    /// What the secrets are made of.
    pub key: String,
}

impl Owners {
    /// The secret of an owner, which is a part of an address.
    pub fn secret(&self, owner: &str) -> String {
        /// 128 bits.
        const DIGITS: usize = 32;
        let mut secret = hex(&Sha256::digest(format!("{}\n{owner}", self.key)));
        secret.truncate(DIGITS);
        secret
    }

    /// The page of the owner with this secret.
    fn page(&self, title: &str, secret: &str) -> Option<String> {
        let roster = self.roster.lock().clone();
        // The time of comparing hashes says nothing about the secret.
        let is_it = |owner: &str| Sha256::digest(self.secret(owner)) == Sha256::digest(secret);
        let owner = roster.builds.iter().map(|entry| entry.owner.as_str()).find(|owner| is_it(owner))?;
        let own = roster.builds.iter().filter(|entry| entry.owner == owner);
        let names: BTreeSet<&str> = own.map(|entry| entry.engine.as_str()).collect();
        let engines = names.into_iter().map(|engine| (engine, self.end_of_log(engine))).collect();
        Some(OwnerPage { title, owner, engines }.render().expect("a String takes all"))
    }

    /// The last part of what an engine has written to standard error.
    fn end_of_log(&self, engine: &str) -> String {
        const MOST_BYTES: i64 = 64 << 10;
        let read = || {
            let mut file = store::open_stored(&self.logs.join(format!("{engine}.stderr")))?;
            let length = file.seek(SeekFrom::End(0))? as i64;
            file.seek(SeekFrom::Start((length - MOST_BYTES).max(0) as u64))?;
            let mut end = Vec::new();
            file.take(MOST_BYTES as u64).read_to_end(&mut end)?;
            io::Result::Ok(String::from_utf8_lossy(&end).into_owned())
        };
        read().unwrap_or_default()
    }
}

/// The list.
pub fn list(snapshot: &Snapshot, title: &str, medium: Medium) -> String {
    let lines = (1..).zip(snapshot.lines()).map(|(number, line)| ListLine {
        number,
        engine: line.engine,
        address: address(line.engine),
        owner: line.entry.map_or("", |entry| &entry.owner),
        rating: elo(line.best),
        matches: line.best.matches,
        score: percent(line.best),
        n_builds: line.n_builds,
        present: line.current.map_or_else(|| "the best one".to_owned(), elo),
    });
    let page = ListPage {
        title,
        n_matches: snapshot.standings.scopes.first().map_or(0, |scope| scope.matches),
        lines: lines.collect(),
        is_live: medium == Medium::Live,
    };
    page.render().expect("a String takes all")
}

/// The page of an engine; `None` if it has not played.
pub fn engine(snapshot: &Snapshot, title: &str, engine: &str, medium: Medium) -> Option<String> {
    let history = snapshot.history(engine);
    let newest = history.last()?;
    let ratings: Vec<&Rating> = history.iter().map(|(_, rating)| *rating).collect();
    let curve = curve(&ratings);
    let line = curve.iter().fold(String::new(), |mut line, Point { x, y, .. }| {
        let _ = write!(line, "{x},{y} ");
        line
    });
    let facts = &snapshot.facts;
    let page = EnginePage {
        title,
        engine,
        owner: newest.0.map_or("", |entry| &entry.owner),
        width: SIZE[0],
        height: SIZE[1],
        line,
        builds: snapshot.builds(engine),
        tables: [
            CountTable { title: "Games", head: "Game", rows: facts.games(engine).collect() },
            CountTable { title: "Opponents", head: "Opponent", rows: facts.meetings(engine).collect() },
        ],
        lists: [
            MatchList { title: "Losses by own faults", played: facts.faults(engine).collect() },
            MatchList { title: "Latest matches", played: facts.recent(engine).collect() },
        ],
        curve,
        is_live: medium == Medium::Live,
    };
    Some(page.render().expect("a String takes all"))
}

/// The points of builds with intervals, if there are several.
fn curve(ratings: &[&Rating]) -> Vec<Point> {
    let known: Vec<[f64; 3]> =
        ratings.iter().filter_map(|rating| Some([rating.elo?, rating.low?, rating.high?])).collect();
    if known.len() < 2 {
        return Vec::new();
    }
    let low = known.iter().map(|[_, low, _]| *low).fold(f64::INFINITY, f64::min);
    let high = known.iter().map(|[.., high]| *high).fold(f64::NEG_INFINITY, f64::max);
    let y = |elo: f64| {
        let share = (high - elo) / (high - low).max(1.0);
        (MARGIN + share * 2.0_f64.mul_add(-MARGIN, SIZE[1])).round()
    };
    let step = 2.0_f64.mul_add(-MARGIN, SIZE[0]) / (known.len() - 1) as f64;
    let point = |(idx, [elo, low, high]): (usize, &[f64; 3])| Point {
        x: (MARGIN + step * idx as f64).round(),
        y: y(*elo),
        top: y(*high),
        bottom: y(*low),
    };
    known.iter().enumerate().map(point).collect()
}

fn percent(rating: &Rating) -> String {
    format!("{:.1} %", 100.0 * rating.score)
}

/// A name as a part of an address.
fn address(name: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    name.bytes().map(encode).collect()
}

/// The addresses below `/league/`.
pub fn router(latest: Latest, title: String, owners: Owners) -> Router {
    let title: Arc<str> = title.into();
    let of_owner = Arc::clone(&title);
    let owner_page = async move |Address(secret): Address<String>| shown(owners.page(&of_owner, &secret));
    let (of_list, of_engine) = ((latest.clone(), Arc::clone(&title)), (latest, title));
    let listed = async move || {
        let (latest, title) = of_list;
        shown(latest.get().map(|snapshot| list(&snapshot, &title, Medium::Live)))
    };
    let engine_page = async move |Address(file): Address<String>| {
        let (latest, title) = of_engine;
        let name = file.strip_suffix(".html").unwrap_or(&file).to_owned();
        shown(latest.get().and_then(|snapshot| engine(&snapshot, &title, &name, Medium::Live)))
    };
    Router::new()
        .route("/league/index.html", get(listed))
        .route("/league/engine/{name}", get(engine_page))
        .route("/league/owner/{secret}", get(owner_page))
        .route("/league/style.css", get(async || ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)))
}

fn shown(page: Option<String>) -> Response {
    match page {
        Some(page) => Html(page).into_response(),
        None => {
            (StatusCode::NOT_FOUND, "nothing is known of this yet; try again in a second\n").into_response()
        }
    }
}

/// Writes all pages to a folder: `index.html`, `engine/NAME.html`, `style.css`, `ratings.csv`, and replays of the matches that
/// the pages list, from the results folder `results`.
///
/// # Errors
/// If they cannot be written.
pub fn export(
    games: &Games,
    snapshot: &Snapshot,
    title: &str,
    results: &Path,
    folder: &Path,
) -> Result<usize, Error> {
    let engines = folder.join("engine");
    fs::create_dir_all(&engines).map_err(|error| Error::Write { path: engines.clone(), error })?;
    let write = |path: &Path, text: &[u8]| {
        write_whole(path, |file| file.write_all(text))
            .map_err(|error| Error::Write { path: path.to_owned(), error })
    };
    write(&folder.join("style.css"), STYLE.as_bytes())?;
    let mut csv = Vec::new();
    write_csv(&snapshot.standings, &[], &mut csv).expect("a Vec takes all");
    write(&folder.join("ratings.csv"), &csv)?;
    let lines = snapshot.lines();
    for line in &lines {
        let page = engine(snapshot, title, line.engine, Medium::Files).expect("it has played");
        write(&engines.join(format!("{}.html", line.engine)), page.as_bytes())?;
    }
    write_replays(games, results, &snapshot.facts.listed(), folder)
        .map_err(|error| Error::Write { path: folder.to_owned(), error })?;
    write(&folder.join("index.html"), list(snapshot, title, Medium::Files).as_bytes())?;
    Ok(lines.len())
}
