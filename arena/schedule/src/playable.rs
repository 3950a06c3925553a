//! Checks that there is something to play: engines that take part, meet, and share a game.

use engine_proto::GameId;

use super::planning;
use model::Tournament;

/// No two engines that take part meet in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "nothing to play: no pairing of two working engines has a common game; check `[[game]]`, the `games` of the \
     engines, and `pairs`\n{}",
    engines.join("\n")
)]
pub struct NothingToPlay {
    /// One line per engine: what it plays.
    engines: Vec<String>,
}

/// Checks that at least one match has two engines that take part. The games of every engine are known. `why` is the
/// reason why an engine does not take part; `None` if it does.
///
/// # Errors
/// If there is no such match: the error lists what every engine would play.
pub fn check(tournament: &Tournament, why: &[Option<String>]) -> Result<(), NothingToPlay> {
    let (pairings, rounds) = planning::pairings(tournament);
    let is_playable = pairings
        .iter()
        .zip(rounds)
        .any(|(pairing, rounds)| 0 < rounds && pairing.contenders.iter().all(|&idx| why[idx].is_none()));
    if is_playable {
        return Ok(());
    }
    let engines = tournament.engines.iter().zip(why).map(|(engine, why)| {
        let name = &engine.name;
        if let Some(why) = why {
            return format!("  `{name}` does not start: {why}");
        }
        let ids = tournament.game_ids();
        let games: Vec<&str> = ids.iter().filter(|game| engine.plays(**game)).map(GameId::id).collect();
        match games.as_slice() {
            [] => {
                let all: Vec<&str> = ids.iter().map(GameId::id).collect();
                format!("  `{name}` does not play {}", all.join(" or "))
            }
            games => format!("  `{name}` plays {}", games.join(", ")),
        }
    });
    Err(NothingToPlay { engines: engines.collect() })
}
