//! The page on which a person plays: it shows the match, and sends what the person does.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use super::action::Action;
use super::ending::sentence;
use super::view::{Screen, Turn, View};
use crate::assets::page;
use crate::desk;
use crate::frames::Frames;
use crate::position;
use model::{Moved, SideLetter};
use report::html::parts::Score;

/// Shows a match on a page.
#[derive(Debug)]
pub struct PlayPage {
    frames: Arc<Frames>,
}

/// Where the person's actions go.
pub type Submit = Sender<Action>;

#[derive(Template)]
#[template(path = "play.html")]
struct PlayTemplate;

impl PlayPage {
    /// A page, and its addresses. What the person does goes to `submit`.
    pub fn new(submit: Submit) -> (Self, Router) {
        let frames = Arc::new(Frames::new());
        let router = desk::router(|| page(&PlayTemplate), &frames, submit);
        (Self { frames }, router)
    }
}

impl Screen for PlayPage {
    fn show(&mut self, view: &View) {
        let json = json_of(view).to_string();
        self.frames.publish(&json);
        self.frames.set_snapshot(&json);
    }
}

impl Drop for PlayPage {
    fn drop(&mut self) {
        self.frames.close();
    }
}

fn json_of(view: &View) -> Value {
    let View { game, names, you, play, moves, clocks, turn, hint, over, said } = view;
    let last = |side| moves.iter().rfind(|moved| moved.side == side).map(thought);
    let thoughts = [SideLetter::White, SideLetter::Black].map(last);
    json!({
        "game": game.info().name,
        "names": names,
        "you": SideLetter::from(*you),
        "position": position::drawing(*game, play.as_ref()),
        "moves": moves.iter().map(|moved| json!([moved.mv, moved.side])).collect::<Vec<_>>(),
        "thoughts": thoughts,
        "clocks_ms": clocks.map(|clock| clock.map(|clock| clock.as_millis() as u64)),
        "turn": turn.map(|Turn { side, draw_is_offered, since }| json!({
            "side": SideLetter::from(side),
            "draw_is_offered": draw_is_offered,
            "since_ms": since.as_millis() as u64,
        })),
        "legal": view.legal_moves(),
        "can_take_back": view.can_take_back(),
        "hint": hint,
        "over": over.as_ref().map(|over| json!({
            "result": over.result,
            "reason": over.reason,
            "sentence": sentence(*game, over, *you),
            "number": over.number,
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
