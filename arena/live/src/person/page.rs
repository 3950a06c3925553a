//! The page on which a person plays: it shows the match, and sends what the person does.

use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Json, Path};
use axum::http::StatusCode;
use axum::routing::get;
use engine_proto::Games;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use super::action::Action;
use super::ending::sentence;
use super::game::Level;
use super::menu::Menu;
use super::view::{Screen, Stored, Turn, View};
use crate::assets::page;
use crate::desk;
use crate::frames::Frames;
use crate::position::{self, Positions};
use crate::site::Rate;
use crate::watch::replays;
use model::{Moved, SideLetter};
use report::html::parts::{Readers, Score};

/// The number of first positions that are shown in a second.
const STARTS_PER_SECOND: f64 = 20.0;

/// Shows a match on a page.
#[derive(Debug)]
pub struct PlayPage {
    frames: Arc<Frames>,
    folder: String,
}

/// Where the person's actions go.
pub type Submit = Sender<Action>;

#[derive(Template)]
#[template(path = "play.html")]
struct PlayTemplate;

impl PlayPage {
    /// A page, and its addresses, among them the rules of these games. What the person does goes to `submit`; the matches are stored in `results`. Who
    /// can reach `address` reads them.
    pub fn new(
        games: &Games,
        submit: Submit,
        results: &std::path::Path,
        address: SocketAddr,
    ) -> (Self, Router) {
        let readers = Readers::at(address);
        let frames = Arc::new(Frames::new());
        let (known, rate) = (games.clone(), Arc::new(Rate::per_second(STARTS_PER_SECOND)));
        let start = async move |Path(wanted): Path<String>| shown_start(known, &rate, wanted).await;
        let router = desk::router(games.clone(), || page(&PlayTemplate), &frames, submit)
            .merge(replays(games.clone(), results.to_owned(), readers))
            .route("/start/{wanted}", get(start));
        (Self { frames, folder: readers.path(results) }, router)
    }

    /// Shows what can be played, and what was wrong with the last choice.
    pub fn show_menu(&self, menu: &Menu, said: Option<&str>) {
        self.publish(&menu.to_json(said));
    }

    fn publish(&self, json: &Value) {
        let json = json.to_string();
        self.frames.publish(&json);
        self.frames.set_snapshot(&json);
    }
}

impl Screen for Rc<PlayPage> {
    fn show(&mut self, view: &View) {
        let mut json = json_of(view);
        json["folder"] = json!(self.folder);
        self.publish(&json);
    }
}

impl Drop for PlayPage {
    fn drop(&mut self) {
        self.frames.close();
    }
}

/// A first position that can be chosen: that of a start, or of a FEN if there is one; or an earlier position of a match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedStart {
    game: String,
    /// Its name; empty for the default one.
    start: String,
    fen: String,
}

impl WantedStart {
    /// The position, and whether it is one of many; or what is wrong with the FEN.
    fn shown(&self, games: &Games) -> Result<Value, String> {
        let game = games.parse(&self.game).map_err(|error| error.to_string())?;
        let info = games.info(game).map_err(|error| error.to_string())?;
        let is_named = |start: &&engine_proto::Start| self.start.is_empty() || start.name == self.start;
        let start = info.starts.iter().find(is_named).ok_or("there is no such start position")?;
        let fen = self.fen.trim();
        Ok(match games.play(game, if fen.is_empty() { start.fen } else { fen }) {
            Ok(play) => {
                let position = Positions::new(games, game, play.as_ref());
                json!({
                    "position": position.json(),
                    "remarks": position::remarks(play.as_ref()),
                    "is_random": start.random && fen.is_empty(),
                })
            }
            Err(error) => json!({ "said": error.to_string() }),
        })
    }
}

/// Shows a first position before a match; what is wanted is JSON.
async fn shown_start(games: Games, rate: &Rate, wanted: String) -> Result<Json<Value>, (StatusCode, String)> {
    if !rate.takes_one() {
        return Err((StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second".to_owned()));
    }
    let shown = move || {
        let wanted: WantedStart = serde_json::from_str(&wanted).map_err(|error| error.to_string())?;
        wanted.shown(&games)
    };
    match tokio::task::spawn_blocking(shown).await {
        Ok(shown) => shown.map(Json).map_err(|why| (StatusCode::BAD_REQUEST, why)),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, "the position cannot be shown".to_owned())),
    }
}

fn json_of(view: &View) -> Value {
    let View {
        games,
        game,
        level,
        names,
        you,
        play,
        positions,
        moves,
        deeds,
        clocks,
        turn,
        adviser,
        hint,
        over,
        said,
    } = view;
    let legal = view.legal_moves();
    json!({
        "game": games.info(*game).map_or(game.id(), |info| info.name),
        "game_id": game.id(),
        "names": names,
        "level": level.map(Level::to_json),
        "you": SideLetter::from(*you),
        "position": positions.json(),
        "moves": moves.iter().zip(view.words()).zip(deeds).map(|((moved, words), deed)| json!([moved.mv, moved.side, words, thought(moved), deed])).collect::<Vec<_>>(),
        "notations": position::names(*game, play.as_ref(), &legal),
        "clocks_ms": clocks.map(|clock| clock.map(|clock| clock.as_millis() as u64)),
        "turn": turn.map(|Turn { side, draw_is_offered, since }| json!({
            "side": SideLetter::from(side),
            "draw_is_offered": draw_is_offered,
            "since_ms": since.map(|since| since.as_millis() as u64),
        })),
        "effects": position::known_effects(*game, play.as_ref(), &legal),
        "legal": legal,
        "into_check": if view.is_your_turn() { play.moves_into_check() } else { Vec::new() },
        "remarks": position::remarks(play.as_ref()),
        "won": position::deciding(play.as_ref()),
        "can_take_back": view.can_take_back(),
        "can_abort": view.can_abort(),
        "adviser": adviser,
        "hint": hint,
        "over": over.as_ref().map(|over| json!({
            "result": over.result,
            "reason": over.reason,
            "sentence": sentence(games, *game, over, *you, moves.last().map(|moved| moved.side)),
            "number": if let Stored::As(number) = over.stored { Some(number) } else { None },
            "is_busy": over.stored == Stored::Busy,
            "has_failed": over.stored == Stored::Failed,
        })),
        "said": said.as_ref().map(|said| &said.text),
    })
}

fn thought(moved: &Moved) -> Value {
    json!({
        "score": moved.score.as_deref().map(Score::of),
        "depth": moved.depth,
        "nodes": moved.nodes,
        "time_us": moved.time_us,
    })
}
