//! The page of the rules of a game: how it is played, the exact rules, and what all games have in common.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine_proto::{GameInfo, Games};

use crate::assets;
use report::html::parts::{self, RulesView};

#[derive(Template)]
#[template(path = "rules.html")]
pub struct RulesPage {
    name: String,
    rules: Vec<RulesView>,
}

/// The rules of the one of these games with this id.
pub fn page(games: &Games, id: &str) -> Response {
    match games.parse(id).and_then(|game| games.info(game)) {
        Ok(game) => assets::page(&page_of(game)),
        Err(_) => (StatusCode::NOT_FOUND, "there is no such game\n").into_response(),
    }
}

/// The page of a game.
pub fn page_of(game: &GameInfo) -> RulesPage {
    RulesPage { name: game.name.to_owned(), rules: parts::rules([game]) }
}
