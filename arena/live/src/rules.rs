//! The page of the rules of a game: how it is played, the exact rules, and what all games have in common.

use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine_proto::GameId;

use crate::assets;
use report::html::parts::{self, RulesView};

#[derive(Template)]
#[template(path = "rules.html")]
pub struct RulesPage {
    name: &'static str,
    rules: Vec<RulesView>,
}

/// The rules of the game with this id.
pub async fn page(Path(id): Path<String>) -> Response {
    match id.parse::<GameId>() {
        Ok(game) => assets::page(&page_of(game)),
        Err(_) => (StatusCode::NOT_FOUND, "there is no such game\n").into_response(),
    }
}

/// The page of a game.
pub fn page_of(game: GameId) -> RulesPage {
    RulesPage { name: game.info().name, rules: parts::rules([game]) }
}
