//! A page on which a person does something: it is told what to show, and sends what the person does.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRequest, Json, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use engine_proto::Games;
use serde::de::DeserializeOwned;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

use super::assets;
use super::frames::{self, Frames};
use super::rules;
use super::site::Rate;
use super::why::{self, Question};

/// How often a person can do something.
const ACTIONS_PER_SECOND: f64 = 20.0;
/// How long a person may take for the rest of a request.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The addresses of a page: the page itself, the rules of these games, the stream of what it shows, and where the actions go.
pub fn router<A>(games: Games, page: fn() -> Response, frames: &Arc<Frames>, submit: Sender<A>) -> Router
where
    A: DeserializeOwned + Send + 'static,
{
    let rate = Arc::new(Rate::per_second(ACTIONS_PER_SECOND));
    Router::new()
        .route("/", get(async move || page()))
        .route("/events", get(events))
        .route("/act", post(act::<A>))
        .route("/why", post(why::<A>))
        .route("/rules/{game}", get(async move |Path(id): Path<String>| rules::page(&games, &id)))
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

async fn act<A: DeserializeOwned>(State(desk): State<Desk<A>>, request: Request) -> Response {
    let action = match action_of(request, BODY_TIMEOUT).await {
        Ok(action) => action,
        Err((status, why)) => return (status, why).into_response(),
    };
    if desk.rate.takes_one() && desk.submit.try_send(action).is_ok() {
        StatusCode::NO_CONTENT.into_response()
    } else {
        (StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second\n").into_response()
    }
}

/// Why a move is not legal; an empty text if that is not known.
async fn why<A: Send>(State(desk): State<Desk<A>>, request: Request) -> Response {
    match action_of::<Question>(request, BODY_TIMEOUT).await {
        Ok(question) if desk.rate.takes_one() => why::answer(&question).into_response(),
        Ok(_) => StatusCode::TOO_MANY_REQUESTS.into_response(),
        Err((status, why)) => (status, why).into_response(),
    }
}

async fn action_of<A: DeserializeOwned>(
    request: Request,
    patience: Duration,
) -> Result<A, (StatusCode, String)> {
    match timeout(patience, Json::from_request(request, &())).await {
        Ok(Ok(Json(action))) => Ok(action),
        Ok(Err(error)) => Err((error.status(), error.body_text())),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request does not end\n".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, Bytes};

    use super::*;

    #[test]
    fn a_request_that_does_not_end_is_given_up() {
        let body = Body::from_stream(tokio_stream::pending::<Result<Bytes, std::convert::Infallible>>());
        let request = Request::builder().header("content-type", "application/json").body(body);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let answer = runtime
            .block_on(action_of::<String>(request.expect("a request"), Duration::from_millis(20)))
            .map_err(|(status, _)| status);
        assert_eq!(answer, Err(StatusCode::REQUEST_TIMEOUT));
    }
}
