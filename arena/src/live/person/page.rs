//! The page on which a person plays: it shows the match, and sends what the person does.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Json, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use super::action::Action;
use super::view::{Over, Screen, Turn, View};
use crate::live::assets::{self, page};
use crate::live::frames::{self, Frames};
use crate::live::site::Rate;
use crate::report::html::parts::{Boards, Score, Shown, heights, meaning};
use crate::tournament::{Moved, SideLetter};

/// How often a person can do something.
const ACTIONS_PER_SECOND: f64 = 20.0;

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

#[derive(Clone)]
struct Table {
    frames: Arc<Frames>,
    submit: Submit,
    rate: Arc<Rate>,
}

impl PlayPage {
    /// A page, and its addresses. What the person does goes to `submit`.
    pub fn new(submit: Submit) -> (Self, Router) {
        let frames = Arc::new(Frames::new());
        let rate = Arc::new(Rate::per_second(ACTIONS_PER_SECOND));
        let router = Router::new()
            .route("/", get(async || page(&PlayTemplate)))
            .route("/events", get(events))
            .route("/act", post(act))
            .nest("/assets", assets::routes())
            .with_state(Table { frames: Arc::clone(&frames), submit, rate });
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

async fn events(State(table): State<Table>, headers: HeaderMap) -> Response {
    frames::stream(table.frames, &headers)
}

async fn act(State(table): State<Table>, action: Result<Json<Action>, JsonRejection>) -> Response {
    let Json(action) = match action {
        Ok(action) => action,
        Err(error) => return (error.status(), error.body_text()).into_response(),
    };
    if action == Action::Quit {
        return (StatusCode::FORBIDDEN, "the program ends with Ctrl-C\n").into_response();
    }
    if table.rate.takes_one() && table.submit.try_send(action).is_ok() {
        StatusCode::NO_CONTENT.into_response()
    } else {
        (StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second\n").into_response()
    }
}

fn json_of(view: &View) -> Value {
    let View { game, names, you, play, moves, clocks, turn, hint, over, said } = view;
    let mut boards = Boards::default();
    let layout = play.layout();
    boards.place(*game, &layout);
    let mut shown = Shown::new(layout.clone());
    let last = |side| moves.iter().rfind(|moved| moved.side == side).map(thought);
    let thoughts = [SideLetter::White, SideLetter::Black].map(last);
    let touched = play.effects().map(|effects| effects.touches).unwrap_or_default();
    json!({
        "game": game.info().name,
        "names": names,
        "you": SideLetter::from(*you),
        "board": boards.all()[0],
        "heights": heights(&layout),
        "scene": shown.step(&play.scene()),
        "fen": play.fen(),
        "touched": touched.iter().map(|touch| touch.square.to_string()).collect::<Vec<_>>(),
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
        "over": over.as_ref().map(|Over { result, reason, number }| json!({
            "result": result,
            "reason": reason,
            "meaning": meaning(*game, reason),
            "number": number,
        })),
        "said": said,
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
