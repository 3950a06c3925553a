//! The games of a configuration whose rules are a program: they are known before the configuration is read, because it names
//! them by their ids.

use engine_proto::Games;
use serde::Deserialize;

use super::cage::Cage;
use super::decode::decode;
use super::problem::Problem;
use super::resolve;
use super::value::Key;
use model::RefereeProgram;
use opponent::own_game::{self, NamedBy};

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    game: Vec<Game>,
}

/// The keys of a game that matter here. Others are read later.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Game {
    id: Key<String>,
    referee: Option<Key<Vec<String>>>,
    referee_cage: Option<Cage>,
}

/// These games and those of the configuration `text`, and its problems. A text of another form has none here: its reader
/// reports it.
pub fn with_own(games: &Games, text: &str, named_by: NamedBy) -> (Games, Vec<Problem>) {
    let (mut games, mut problems) = (games.clone(), Vec::new());
    let (Some(file), wrong) = decode::<File>(&games, text) else { return (games, problems) };
    if !wrong.is_empty() {
        return (games, problems);
    }
    for game in file.game {
        let Some(referee) = game.referee else {
            if game.referee_cage.is_some() {
                let what = "`referee-cage` needs `referee`: it limits that program";
                problems
                    .push(Problem::new(game.id.span(), what).help("add `referee`, or remove `referee-cage`"));
            }
            continue;
        };
        let cage = game.referee_cage.as_ref().map(resolve::cage).unwrap_or_default();
        let program = RefereeProgram::new(referee.get_ref().clone(), cage);
        match own_game::with(&games, game.id.get_ref(), program, named_by) {
            Ok(more) => games = more,
            Err(error) => {
                let id = engine_proto::fen::shown(game.id.get_ref());
                let what = format!("the game `{id}` cannot be used: {error}");
                let help = "try the program by hand: it answers the lines `info` and `startpos` with JSON (arena/docs/own-game.md)";
                problems.push(Problem::new(referee.span(), what).help(help));
            }
        }
    }
    (games, problems)
}

/// Adds these problems to the others. What is only a consequence of them is removed: the ids of the games are not known.
pub fn explain(own: Vec<Problem>, problems: &mut Vec<Problem>) {
    if !own.is_empty() {
        problems.retain(|problem| !problem.message.starts_with("unknown game"));
        problems.extend(own);
    }
}
