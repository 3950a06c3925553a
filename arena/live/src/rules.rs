//! The page of the rules of a game: how it is played, the exact rules, and what all games have in common.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine_proto::{GameId, Games};

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
    match games.parse(id).ok().and_then(|game| page_of(games, game)) {
        Some(rules) => assets::page(&rules),
        None => (StatusCode::NOT_FOUND, "there is no such game\n").into_response(),
    }
}

/// The page of a game, if it is one of these.
pub fn page_of(games: &Games, game: GameId) -> Option<RulesPage> {
    let name = games.info(game).ok()?.name.to_owned();
    Some(RulesPage { name, rules: parts::rules(games, [game]) })
}
