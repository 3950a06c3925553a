//! One tournament from its configuration to its standings.

mod build;
mod dispatcher;
mod preflight;
mod signals;
mod worker;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::config::{self, Config};
use crate::engine::Contender;
use crate::error::Error;
use crate::event::Reporter;
use crate::openings::{self, Source};
use crate::report::{Plain, Progress, Ratings};
use crate::results::{LOGS, Results, move_aside};
use crate::schedule::{Plan, round_robin};
use dispatcher::Dispatcher;

/// Play a tournament.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The tournament's configuration, a TOML file.
    pub config: PathBuf,
    /// Write the results to this folder instead of the configuration's.
    #[arg(long, value_name = "FOLDER")]
    pub results: Option<PathBuf>,
    /// Begin anew: move what the results folder holds to a free name beside it.
    #[arg(long)]
    pub fresh: bool,
    /// Play so many matches at once instead of the configuration's number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Play so many pairs instead of the configuration's number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: Option<u32>,
    /// Say nothing of the progress.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Plays the tournament and gives its standings' text for standard output.
///
/// # Errors
/// If it cannot be played, or its results cannot be written; [`Error::Interrupted`] if the user stopped it, with all
/// finished matches written.
pub fn run(args: &RunArgs) -> Result<String, Error> {
    let config = configuration(args)?;
    build::build(&config)?;
    let folder = config.tournament.results.clone().expect("a loaded configuration has a folder");
    if args.fresh {
        move_aside(&folder).map_err(|error| Error::output(&folder, error))?;
    }
    let logs = folder.join(LOGS);
    let contenders = contenders(&config, &logs)?;
    let openings = draw_openings(&config)?;

    let mut ratings = Ratings::new(&folder);
    let results = Results::open(&folder, &config, |record| ratings.add(record))?;
    let finished = results.finished().clone();
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(results), Box::new(ratings.clone())];
    if !args.quiet {
        reporters.push(if io::stderr().is_terminal() {
            Box::new(Progress::new(ratings.clone()))
        } else {
            Box::new(Plain::new())
        });
    }

    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Runtime)?;
    let ended = runtime.block_on(async {
        let absent = preflight::preflight(&contenders, &config).await?;
        let plan = plan(&config, openings, &absent.games);
        let dispatcher = Dispatcher {
            name: config.tournament.name.clone().unwrap_or_default(),
            plan,
            contenders: Arc::new(contenders),
            concurrency: usize::from(*config.tournament.concurrency.get_ref()),
            max_plies: config.limits.max_plies.as_ref().map_or(DEFAULT_MAX_PLIES, |plies| *plies.get_ref()),
            seed: config.tournament.seed,
            absent: absent.why,
            warnings: absent.warnings,
        };
        dispatcher.run(&finished, &mut reporters).await
    })?;
    let standings = ratings.text();
    if ended.is_complete() {
        Ok(standings)
    } else {
        Err(Error::Interrupted { standings, finished: ended.n_finished, matches: ended.n_matches })
    }
}

const DEFAULT_MAX_PLIES: u32 = 400;

/// The configuration with what the command line says instead.
fn configuration(args: &RunArgs) -> Result<Config, Error> {
    let mut config = config::load(&args.config)?;
    if let Some(results) = &args.results {
        config.tournament.results = Some(results.clone());
    }
    if let Some(concurrency) = args.concurrency {
        *config.tournament.concurrency.get_mut() = concurrency;
    }
    if let Some(pairs) = args.pairs {
        *config.tournament.pairs.get_mut() = pairs;
    }
    Ok(config)
}

fn contenders(config: &Config, logs: &Path) -> Result<Vec<Contender>, Error> {
    config
        .engines
        .iter()
        .map(|engine| {
            Contender::new(engine, config, Some(logs)).map_err(|_| Error::NoProgram {
                engine: engine.name.get_ref().clone(),
                command: engine.command.get_ref().clone(),
            })
        })
        .collect()
}

/// The openings of each game, one a round.
fn draw_openings(config: &Config) -> Result<Vec<Vec<String>>, Error> {
    let rounds = *config.tournament.pairs.get_ref() as usize;
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
            Ok(source.draw(rounds)?)
        })
        .collect()
}

fn plan(config: &Config, openings: Vec<Vec<String>>, games_of: &[Vec<engine_proto::GameId>]) -> Plan {
    let games: Vec<_> = config.games_to_play().iter().map(config::Game::game).collect();
    let pairings = match config.tournament.format {
        config::Format::RoundRobin => round_robin(games_of.len(), games.len(), |contender, game| {
            games_of[contender].contains(&games[game])
        }),
    };
    Plan::new(games, openings, pairings, *config.tournament.pairs.get_ref())
}
