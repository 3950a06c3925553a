//! What a person can choose from before a match, and the choice.

use engine_proto::{GameId, Games, Start};
use serde::Deserialize;
use serde_json::{Value, json};

use super::game::Level;
use report::html::parts::about;

/// What a person can choose from.
#[derive(Clone, Debug)]
pub struct Menu {
    /// The games that there are.
    pub known_games: Games,
    /// The engines.
    pub engines: Vec<Entry>,
    /// How long the sides may think: a word for [`Choice::time`], and a sentence.
    pub times: Vec<(String, String)>,
    /// What is chosen at first.
    pub chosen: Choice,
}

/// An engine to choose.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// How it plays, in a sentence or two; empty if nothing is known.
    pub about: &'static str,
    /// Its playing strengths, if it has several.
    pub level: Option<Level>,
    /// The games that it plays.
    pub games: Vec<GameId>,
}

/// What a person has chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The id of the game.
    pub game: String,
    /// The index of the engine.
    pub engine: usize,
    /// Its playing strength.
    pub level: Option<u32>,
    /// Whether the person is Black.
    pub is_black: bool,
    /// One of [`Menu::times`].
    pub time: String,
    /// The name of the start; empty for the default one.
    pub start: String,
    /// The first position; empty for that of the start.
    pub fen: String,
}

impl Menu {
    /// As the page gets it. `said` is what was wrong with the last choice.
    pub fn to_json(&self, said: Option<&str>) -> Value {
        let Choice { game, engine, level, is_black, time, start, fen } = &self.chosen;
        let is_played = |game: &GameId| self.engines.iter().any(|engine| engine.games.contains(game));
        let played = self.known_games.known().filter(is_played);
        let games = played.filter_map(|game| self.known_games.info(game).ok()).map(|info| {
            // Another name of the same position is left out, unless the person has named it.
            let is_listed = |one: &&Start| info.same_start(one).is_none() || one.name == start;
            let starts: Vec<_> = info.starts.iter().filter(is_listed).map(start_in_words).collect();
            json!({ "id": info.id, "name": info.name, "about": about(info), "starts": starts })
        });
        let engines = self.engines.iter().map(|Entry { name, about, level, games }| {
            let games: Vec<_> = games.iter().map(GameId::id).collect();
            json!({ "name": name, "about": about, "level": level.map(Level::to_json), "games": games })
        });
        json!({
            "menu": {
                "games": games.collect::<Vec<_>>(),
                "engines": engines.collect::<Vec<_>>(),
                "times": self.times,
                "chosen": {
                    "game": game, "engine": engine, "level": level, "is_black": is_black, "time": time, "start": start, "fen": fen,
                },
            },
            "said": said,
        })
    }
}

/// The name of a start, what is shown for it, and what it has in common with others.
fn start_in_words(start: &Start) -> [String; 3] {
    let name = start.name;
    let words = if start.random { format!("{name} (random)") } else { name.to_owned() };
    let n_ranks = start.fen.split(' ').next().unwrap_or_default().split('/').count();
    let group = if start.random {
        "Another one in each match".to_owned()
    } else {
        format!("Always the same, {n_ranks} ranks")
    };
    [name.to_owned(), words, group]
}
