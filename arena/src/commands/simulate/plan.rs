//! Builds the simulated tournament from arguments or a configuration. It reports contradictions; it does not simulate.

use engine_proto::Games;
use engine_proto::fen::shown;

use super::SimulateArgs;
use super::arguments::Strength;
use super::match_time::{Basis, MatchTime};
use crate::exit::{CommandError, check_rules};
use host::closest::closest;
use model::Tournament;
use ratings::simulation::{Conditions, Meeting, Openings, SimulatedGame, SimulatedTournament};
use schedule::planning;
use schedule::stop::Rule;
use schedule::{Pairing, Seeds, gauntlet, round_robin};

/// Default number of pairs without a configuration.
const USUAL_PAIRS: u32 = 40;

/// The tournament to simulate.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub engines: Vec<Strength>,
    pub games: Vec<String>,
    pub pairings: Vec<Pairing>,
    pub conditions: Conditions,
    pub pairs: u32,
    pub concurrency: u16,
    pub match_time: Option<MatchTime>,
    pub seed: u64,
    /// The stop rules of the configuration.
    pub rules: Vec<Rule>,
}

impl Plan {
    /// The plan that `args` describe.
    pub(super) fn new(games: &Games, args: &SimulateArgs) -> Result<Self, CommandError> {
        let mut plan = match &args.config {
            Some(path) => {
                let tournament = config::load(games, path)?;
                let plan = Self::configured(args, &tournament)?;
                check_rules(&tournament.known_games)?;
                plan
            }
            None => Self::described(args)?,
        };
        if plan.pairings.is_empty() {
            return Err(CommandError::usage("nothing to simulate, because no two engines meet"));
        }
        if let Some(seconds) = args.time.seconds {
            plan.match_time = Some(MatchTime { seconds, basis: Basis::Given });
        }
        plan.concurrency = args.time.concurrency.unwrap_or(plan.concurrency);
        plan.pairs = args.pairs.unwrap_or(plan.pairs);
        Ok(plan)
    }

    /// The tournament with this number of pairs per pairing and game.
    pub(super) fn tournament(&self, pairs: u32) -> SimulatedTournament {
        let game = |(game_idx, name): (usize, &String)| SimulatedGame {
            name: name.clone(),
            conditions: self.conditions,
            strengths: self.engines.iter().map(|engine| engine.elo).collect(),
            meetings: self
                .pairings
                .iter()
                .filter(|pairing| pairing.game_idx == game_idx)
                .map(|pairing| Meeting { engines: pairing.contenders, pairs })
                .collect(),
        };
        SimulatedTournament {
            engines: self.engines.iter().map(|engine| engine.engine.clone()).collect(),
            games: self.games.iter().enumerate().map(game).collect(),
            openings: Openings::Shared,
            seed: self.seed,
        }
    }

    /// The index of the engine in the value of `option`.
    pub(super) fn index_of(&self, option: &str, name: &str) -> Result<usize, CommandError> {
        index_of(option, name, &self.engines)
    }

    fn described(args: &SimulateArgs) -> Result<Self, CommandError> {
        if let Some(Strength { engine, .. }) = args.strengths.first() {
            return Err(CommandError::usage(format!(
                "`--strength` needs a configuration; without one, give the engine `{}` with `--engine`",
                shown(engine)
            )));
        }
        if args.engines.len() < 2 {
            return Err(CommandError::usage(
                "too few engines; give a configuration, or at least two engines, as in `--engine new=30 --engine old=0`",
            ));
        }
        for (idx, Strength { engine, .. }) in args.engines.iter().enumerate() {
            refuse_second("--engine", engine, &args.engines[..idx])?;
        }
        let (n_engines, n_games) = (args.engines.len(), usize::from(args.games));
        let mut is_seed = vec![false; n_engines];
        for name in &args.gauntlet {
            is_seed[index_of("--gauntlet", name, &args.engines)?] = true;
        }
        let pairings = if args.gauntlet.is_empty() {
            round_robin(n_engines, n_games, |_, _| true)
        } else {
            gauntlet(&is_seed, Seeds::Apart, n_games, |_, _| true)
        };
        Ok(Self {
            engines: args.engines.clone(),
            games: (1..=n_games).map(|number| format!("game-{number:02}")).collect(),
            pairings,
            conditions: conditions(args),
            pairs: USUAL_PAIRS,
            concurrency: 1,
            match_time: None,
            seed: args.seed,
            rules: Vec::new(),
        })
    }

    fn configured(args: &SimulateArgs, tournament: &Tournament) -> Result<Self, CommandError> {
        let mut engines: Vec<Strength> =
            tournament.names().into_iter().map(|engine| Strength { engine, elo: 0.0 }).collect();
        for (idx, Strength { engine, elo }) in args.strengths.iter().enumerate() {
            refuse_second("--strength", engine, &args.strengths[..idx])?;
            let place = index_of("--strength", engine, &engines)?;
            engines[place].elo = *elo;
        }
        let games: Vec<String> = tournament.game_ids().into_iter().map(|game| game.id().to_owned()).collect();
        planning::check_size(tournament)?;
        let plan = planning::plan(tournament);
        Ok(Self {
            engines,
            games,
            pairings: plan.pairings().to_vec(),
            conditions: conditions(args),
            pairs: tournament.pairs,
            concurrency: tournament.resources.concurrency,
            match_time: MatchTime::of(tournament, &plan),
            seed: args.seed,
            rules: planning::rules(&tournament.stop, tournament),
        })
    }
}

fn conditions(args: &SimulateArgs) -> Conditions {
    let args = args.conditions;
    Conditions { draw_rate: args.draws, first_player: args.first_player, openings: args.openings }
}

fn refuse_second(option: &str, name: &str, earlier: &[Strength]) -> Result<(), CommandError> {
    if earlier.iter().any(|strength| strength.engine == name) {
        return Err(CommandError::usage(format!("`{option}` names the engine `{}` twice", shown(name))));
    }
    Ok(())
}

fn index_of(option: &str, name: &str, engines: &[Strength]) -> Result<usize, CommandError> {
    let names = || engines.iter().map(|strength| strength.engine.as_str());
    if let Some(place) = names().position(|known| known == name) {
        return Ok(place);
    }
    let hint = closest(name, names()).map_or_else(
        || format!("the engines are {}", names().map(shown).collect::<Vec<_>>().join(", ")),
        |close| format!("did you mean `{}`?", shown(close)),
    );
    Err(CommandError::usage(format!("`{option}`: no engine is named `{}`; {hint}", shown(name))))
}
