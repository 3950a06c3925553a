//! From a configuration to the schedule of its matches. It reads files of openings and starts nothing.

use crate::config::{Config, Format, Game};
use crate::openings::{self, OpeningsError, Source};
use crate::schedule::{Plan, Seeds, gauntlet, round_robin};

/// All matches of the tournament `config`, from its `openings`. An engine without a list of games plays all.
pub fn plan(config: &Config, openings: Vec<Vec<String>>) -> Plan {
    let games: Vec<_> = config.games_to_play().iter().map(Game::game).collect();
    let plays = |contender: usize, game: usize| {
        let listed = config.engines[contender].games.as_ref();
        listed.is_none_or(|listed| listed.get_ref().iter().any(|name| name.0 == games[game]))
    };
    let tournament = &config.tournament;
    let pairings = match tournament.format {
        Format::RoundRobin => round_robin(config.engines.len(), games.len(), plays),
        Format::Gauntlet => {
            let is_seed: Vec<_> = config.engines.iter().map(|engine| tournament.is_seed(engine)).collect();
            let seeds = if tournament.seeds_meet { Seeds::Meet } else { Seeds::Apart };
            gauntlet(&is_seed, seeds, games.len(), plays)
        }
    };
    let names = |contenders: [usize; 2]| contenders.map(|idx| config.engines[idx].name.get_ref().as_str());
    let rounds = pairings
        .iter()
        .map(|pairing| config.n_pairs(names(pairing.contenders), games[pairing.game_idx]))
        .collect();
    Plan::with_rounds(games, openings, pairings, rounds)
}

/// The openings of each game, one a round.
///
/// # Errors
/// If a file of openings cannot be read, or there are not so many openings.
pub fn openings(config: &Config) -> Result<Vec<Vec<String>>, OpeningsError> {
    config
        .games_to_play()
        .iter()
        .map(|game| {
            let fens = match &game.openings {
                Some(path) => openings::read_file(game.game(), path.get_ref())?,
                None => Vec::new(),
            };
            let source = Source {
                game: game.game(),
                start: game.start.as_ref().map(|start| start.get_ref().clone()),
                fens,
                plies: game.n_opening_plies(),
                seed: config.tournament.seed,
            };
            source.draw(config.n_most_pairs(game.game()) as usize)
        })
        .collect()
}
