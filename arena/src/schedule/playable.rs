//! Whether there is anything to play: engines that start, meet, and share a game. Starts nothing.

use engine_proto::GameId;

use crate::config::{Config, Game};
use crate::error::Error;
use crate::schedule::planning;

/// Checks that some match of the tournament `config`, in which every engine has its games, has two engines that take part.
/// `why` says of each engine why it does not, if it does not.
///
/// # Errors
/// If there is none: what every engine would play.
pub fn check(config: &Config, why: &[Option<String>]) -> Result<(), Error> {
    let games: Vec<GameId> = config.games_to_play().iter().map(Game::game).collect();
    let (pairings, rounds) = planning::pairings(config, &games);
    let is_playable = pairings
        .iter()
        .zip(rounds)
        .any(|(pairing, rounds)| 0 < rounds && pairing.contenders.iter().all(|&idx| why[idx].is_none()));
    if is_playable {
        return Ok(());
    }
    let engines = config.engines.iter().zip(why).map(|(engine, why)| {
        let name = engine.name.get_ref();
        if let Some(why) = why {
            return format!("  `{name}` does not start: {why}");
        }
        let listed = engine.games.as_ref().map(|games| games.get_ref().as_slice()).unwrap_or_default();
        let plays: Vec<&str> = games
            .iter()
            .filter(|game| listed.iter().any(|name| name.0 == **game))
            .map(|game| game.id())
            .collect();
        match plays.as_slice() {
            [] => format!("  `{name}` plays none of the tournament's games"),
            plays => format!("  `{name}` plays {}", plays.join(", ")),
        }
    });
    Err(Error::NothingToPlay { engines: engines.collect() })
}
