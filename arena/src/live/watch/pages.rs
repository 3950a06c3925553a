//! The addresses of the site: the page of the tournament, the replay of each match, and the stream of what happens.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderMap};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;

use super::folder::Library;
use super::frames::{Frames, Next, Seat};
use crate::live::assets;
use crate::live::site::Rate;
use crate::report::html::parts::{Single, for_script_element};
use crate::report::html::terms;
use crate::tournament::Record;

/// How many replays are made in a second, for all visitors together.
const REPLAYS_PER_SECOND: f64 = 20.0;
/// After this time without news, an empty line shows that the connection lives.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// What the pages are made of.
#[derive(Clone, Debug)]
struct Pages {
    frames: Arc<Frames>,
    library: Library,
    replays: Arc<Rate>,
}

/// The page of the tournament. Its scripts fill it.
#[derive(Template)]
#[template(path = "watch.html")]
struct WatchPage;

/// The replay of a match.
#[derive(Template)]
#[template(path = "replay.html")]
struct ReplayPage {
    title: String,
    data: String,
    block: String,
}

/// That a match is not there.
#[derive(Template)]
#[template(path = "missing.html")]
struct MissingPage {
    id: String,
}

/// The addresses.
pub fn router(frames: Arc<Frames>, library: Library) -> Router {
    let replays = Arc::new(Rate::per_second(REPLAYS_PER_SECOND));
    Router::new()
        .route("/", get(watch))
        .route("/events", get(events))
        .route("/match/{id}", get(replay))
        .nest("/assets", assets::routes())
        .with_state(Pages { frames, library, replays })
}

async fn watch() -> Response {
    page(&WatchPage)
}

/// The stream of events: server-sent events, with ids, so that a browser goes on where its connection was lost.
async fn events(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    let Some(seat) = pages.frames.seat() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many viewers; try again later\n").into_response();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let at = last.and_then(|id| pages.frames.position(id));
    // The stream holds one message: what a slow reader does not take is not made.
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(send_events(pages.frames, seat, at, sender));
    let body = Body::from_stream(ReceiverStream::new(receiver));
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

async fn send_events(
    frames: Arc<Frames>,
    seat: Seat,
    mut at: Option<u64>,
    sender: mpsc::Sender<Result<Bytes, std::convert::Infallible>>,
) {
    /// After a lost connection, the browser waits this long.
    const RETRY: &[u8] = b"retry: 1000\n\n";
    let mut changes = frames.changes();
    let mut next = vec![Bytes::from_static(RETRY)];
    loop {
        for event in next {
            if sender.send(Ok(event)).await.is_err() {
                return;
            }
        }
        next = loop {
            changes.mark_unchanged();
            match frames.after(at) {
                Next::Events(events, newest) => {
                    at = Some(newest);
                    break events;
                }
                Next::End => return drop(seat),
                Next::Wait => {}
            }
            tokio::select! {
                () = sender.closed() => return,
                changed = timeout(HEARTBEAT, changes.changed()) => {
                    if changed.is_err() {
                        break vec![Bytes::from_static(b":\n\n")];
                    }
                }
            }
        };
    }
}

async fn replay(State(pages): State<Pages>, Path(id): Path<String>) -> Response {
    if !pages.replays.takes_one() {
        return (StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second\n").into_response();
    }
    let Some((folder, number)) = pages.library.place(&id) else { return missing(id) };
    let library = pages.library.clone();
    let made = tokio::task::spawn_blocking(move || {
        let record = library.folders()[folder].record(number).ok().flatten();
        record.map(|record| replay_page(&library, folder, &record))
    });
    match made.await {
        Ok(Some(replay)) => page(&replay),
        _ => missing(id),
    }
}

fn replay_page(library: &Library, folder: usize, record: &Record) -> ReplayPage {
    let about: Vec<_> = library.folders().iter().map(super::folder::Folder::about).collect();
    let names: Vec<&str> = about.iter().map(|one| one.name.as_str()).collect();
    let control = |name| about[folder].time_controls.get(name);
    let single = Single {
        record,
        folders: &names,
        folder,
        time_controls: [control(&record.white), control(&record.black)],
        home: "../",
    };
    let (data, block) = single.data();
    ReplayPage {
        title: format!("Match {}", library.id(folder, record.number)),
        data: for_script_element(&data.to_string()),
        block,
    }
}

/// A match that is being played is on the page of the tournament.
fn missing(id: String) -> Response {
    let page = page(&MissingPage { id });
    (StatusCode::NOT_FOUND, page).into_response()
}

fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
