//! A page on which a person does something: it is told what to show, and sends what the person does.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Json, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use tokio::sync::mpsc::Sender;

use super::assets;
use super::frames::{self, Frames};
use super::site::Rate;

/// How often a person can do something.
const ACTIONS_PER_SECOND: f64 = 20.0;

/// The addresses of a page: the page itself, the stream of what it shows, and where the actions go.
pub fn router<A>(page: fn() -> Response, frames: &Arc<Frames>, submit: Sender<A>) -> Router
where
    A: DeserializeOwned + Send + 'static,
{
    let rate = Arc::new(Rate::per_second(ACTIONS_PER_SECOND));
    Router::new()
        .route("/", get(async move || page()))
        .route("/events", get(events))
        .route("/act", post(act::<A>))
        .nest("/assets", assets::routes())
        .with_state(Desk { frames: Arc::clone(frames), submit, rate })
}

struct Desk<A> {
    frames: Arc<Frames>,
    submit: Sender<A>,
    rate: Arc<Rate>,
}

impl<A> Clone for Desk<A> {
    fn clone(&self) -> Self {
        let Self { frames, submit, rate } = self;
        Self { frames: Arc::clone(frames), submit: submit.clone(), rate: Arc::clone(rate) }
    }
}

async fn events<A>(State(desk): State<Desk<A>>, headers: HeaderMap) -> Response {
    frames::stream(desk.frames, &headers)
}

async fn act<A>(State(desk): State<Desk<A>>, action: Result<Json<A>, JsonRejection>) -> Response {
    let Json(action) = match action {
        Ok(action) => action,
        Err(error) => return (error.status(), error.body_text()).into_response(),
    };
    if desk.rate.takes_one() && desk.submit.try_send(action).is_ok() {
        StatusCode::NO_CONTENT.into_response()
    } else {
        (StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second\n").into_response()
    }
}
