//! The page on which a person plays: it shows the match, and sends what the person does.

use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use engine_proto::Games;
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
use crate::position;
use crate::watch::replays;
use model::{Moved, SideLetter};
use report::html::parts::{Readers, Score};

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
        let router = desk::router(games.clone(), || page(&PlayTemplate), &frames, submit).merge(replays(
            games.clone(),
            results.to_owned(),
            readers,
        ));
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

fn json_of(view: &View) -> Value {
    let View { games, game, level, names, you, play, positions, moves, clocks, turn, hint, over, said } =
        view;
    let legal = view.legal_moves();
    json!({
        "game": games.info(*game).map_or(game.id(), |info| info.name),
        "game_id": game.id(),
        "names": names,
        "level": level.map(Level::to_json),
        "you": SideLetter::from(*you),
        "position": positions.json(),
        "moves": moves.iter().zip(view.words()).map(|(moved, words)| json!([moved.mv, moved.side, words, thought(moved)])).collect::<Vec<_>>(),
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
