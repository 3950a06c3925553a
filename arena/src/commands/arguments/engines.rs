//! Engines that arguments name: programs, or entries of a tournament file. A program gets its defaults from a tournament
//! file that is made of the arguments.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine_proto::{GameId, Games};
use toml::{Table, Value};

use super::{EngineWords, value};
use crate::exit::Exit;
use config::ConfigError;
use host::closest::closest;
use host::executable::{self, ProgramError};
use model::{Engine, Tournament};
use opponent::{Contender, Folders, Greeting, StartError};
use runner::pool::option_problems;

/// The engines that are built with the arena, the strongest first, and what `results/levels` says of them.
pub const OWN_ENGINES: [(&str, &str); 4] = [
    (
        "alpha-beta",
        "Searches ahead, as chess engines do. Each level scores about 70 % against the one below it; even level 1 \
         beats random moves.",
    ),
    (
        "mcts",
        "Plays out many continuations (Monte Carlo tree search). Between the levels 9 and 10 of alpha-beta.",
    ),
    ("greedy", "Looks one move ahead. Between the levels 4 and 5 of alpha-beta."),
    ("random", "Plays any legal move."),
];

/// Why there is no such engine.
#[derive(Debug, thiserror::Error)]
pub enum NoEngine {
    /// The name or command is empty, or no name of an engine.
    #[error("{0}")]
    Unknown(String),
    /// Its program is not there.
    #[error("cannot run the engine `{}`: {}", command.display(), why(error, command))]
    Program {
        /// The program.
        command: PathBuf,
        /// Why.
        error: ProgramError,
    },
    /// It cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It plays other games.
    #[error("engine `{engine}` does not play {game}{}", none_of_chess(*game))]
    OtherGame {
        /// The engine.
        engine: String,
        /// The game.
        game: GameId,
    },
    /// It does not have an option, or does not allow its value.
    #[error("{0}")]
    Option(String),
}

impl NoEngine {
    /// The exit code.
    pub const fn exit(&self) -> Exit {
        match self {
            Self::Unknown(_) => Exit::Usage,
            Self::Program { .. } | Self::Start(_) | Self::OtherGame { .. } | Self::Option(_) => Exit::Engines,
        }
    }
}

/// What to do where the arena has no engine of its own.
fn none_of_chess(game: GameId) -> &'static str {
    if game.id().starts_with("chess") {
        "; the arena has no chess engine: name one that speaks UCI (see `arena/docs/chess.md`)"
    } else {
        ""
    }
}

fn why(error: &ProgramError, command: &Path) -> String {
    let what = match error {
        ProgramError::NotFound { help: Some(near) } => {
            format!("no such file; did you mean `{}`?", near.display())
        }
        ProgramError::NotFound { help: None } => "no such file".to_owned(),
        ProgramError::NotOnPath { .. } => "no folder on `PATH` has it".to_owned(),
        ProgramError::NotRunnable { what } => format!("it {what}"),
        ProgramError::NoInterpreter { .. } => "its interpreter does not exist".to_owned(),
    };
    error.remedy(command).map_or(what.clone(), |remedy| format!("{what}; {remedy}"))
}

/// The engine of the tournament file with this name.
///
/// # Errors
/// If there is none.
pub fn entry(name: &str, tournament: &Tournament) -> Result<Engine, NoEngine> {
    let found = tournament.engine(name);
    found.map(|engine| Engine::clone(engine)).ok_or_else(|| {
        let names = tournament.names();
        let help = match closest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the engines are {}", names.join(", ")),
        };
        NoEngine::Unknown(format!("the tournament file has no engine `{name}`; {help}"))
    })
}

/// The arena's own engines that are in its folder, or on `PATH`, the strongest first.
pub fn own_engines() -> Vec<String> {
    OWN_ENGINES.iter().filter_map(|(name, _)| own_engine(name)).collect()
}

/// The program of one of the arena's own engines: in the folder of the arena, or on `PATH`.
pub fn own_engine(name: &str) -> Option<String> {
    OWN_ENGINES.iter().find(|(own, _)| *own == name)?;
    let here = env::current_exe().ok().and_then(|program| Some(program.parent()?.join(name)));
    let program =
        here.into_iter().chain([PathBuf::from(name)]).find_map(|path| executable::find(&path).ok())?;
    Some(program.display().to_string())
}

/// Engines that are programs, with these options.
///
/// # Errors
/// If a program is missing, or has a wrong name.
pub fn programs<E: From<NoEngine> + From<ConfigError>>(
    games: &Games,
    words: &[String],
    options: &[(String, String)],
    game: GameId,
) -> Result<Vec<Engine>, E> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let limits = Table::from_iter([("movetime".to_owned(), "1s".into())]);
    let text = tournament_file(&words, game, options, &limits)?;
    let parsed = config::parse(games, &text, Path::new(config::COMMAND_LINE))?;
    Ok(parsed.engines.iter().take(words.len()).map(|engine| Engine::clone(engine)).collect())
}

/// An engine that is a program, with its own options. No game is known yet, so any one stands for it.
///
/// # Errors
/// If the program is missing, or has a wrong name.
pub fn program<E: From<NoEngine> + From<ConfigError>>(games: &Games, words: &str) -> Result<Engine, E> {
    Ok(programs::<E>(games, &[words.to_owned()], &[], GameId::BUILT_IN[0])?.remove(0))
}

/// The engines of a tournament file that play the game.
pub fn in_file(file: &Tournament, game: GameId) -> Vec<Engine> {
    file.engines.iter().filter(|engine| engine.plays(game)).map(|engine| Engine::clone(engine)).collect()
}

/// The engines that can be added to an analysis, those whose program is there: those of the tournament file, with these options,
/// and the arena's own.
pub fn others(
    games: &Games,
    file: Option<&Tournament>,
    options: &[(String, String)],
    game: GameId,
    logs: &Path,
) -> Vec<Contender> {
    let mut others = file.map(|file| in_file(file, game)).unwrap_or_default();
    for engine in &mut others {
        engine.options.extend(options.iter().cloned());
    }
    // The arena's own play all of its games, and no others.
    let own = if GameId::BUILT_IN.contains(&game) { own_engines() } else { Vec::new() };
    for engine in own.iter().filter_map(|words| program::<Box<dyn Error>>(games, words).ok()) {
        if others.iter().all(|other| other.name != engine.name) {
            others.push(engine);
        }
    }
    others.into_iter().filter_map(|engine| contender(&Arc::new(engine), logs).ok()).collect()
}

/// The engine, ready to be started. What it writes to standard error goes to the folder `logs`.
///
/// # Errors
/// If its program does not exist.
pub fn contender(engine: &Arc<Engine>, logs: &Path) -> Result<Contender, NoEngine> {
    let folders = Folders { logs: logs.to_owned(), scratch: logs.join("scratch") };
    Contender::new(engine, &folders)
        .map_err(|error| NoEngine::Program { command: engine.command.clone(), error })
}

/// Whether the engine can play the game with its options, by its greeting.
///
/// # Errors
/// If it cannot.
pub fn check(contender: &Contender, greeting: &Greeting, game: GameId) -> Result<(), NoEngine> {
    if greeting.games().is_some_and(|games| !games.contains(&game)) {
        return Err(NoEngine::OtherGame { engine: contender.name().to_owned(), game });
    }
    let problems = option_problems(contender, greeting);
    problems.into_iter().next().map_or(Ok(()), |problem| Err(NoEngine::Option(problem.to_string())))
}

/// A tournament file with these engines, each with the same options and limits. A tournament needs two engines, so that a
/// single one is there twice.
///
/// # Errors
/// If the program of an engine is missing.
pub fn tournament_file(
    engines: &[&str],
    game: GameId,
    options: &[(String, String)],
    limits: &Table,
) -> Result<String, NoEngine> {
    let options: Table = options.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    let mut entries = Vec::new();
    for text in engines {
        let EngineWords { name, command, args } = EngineWords::of(text);
        if command.is_empty() {
            return Err(NoEngine::Unknown("the engine is missing; give its command".to_owned()));
        }
        // The error of the tournament file would show lines that nobody wrote.
        let program = PathBuf::from(&command);
        let command = match executable::find(&program) {
            Ok(_) => command,
            // Lists of engines show these names.
            Err(error) => own_engine(&command).ok_or(NoEngine::Program { command: program, error })?,
        };
        let mut engine = Table::new();
        engine.insert("name".to_owned(), name.into());
        engine.insert("command".to_owned(), command.into());
        engine.insert("args".to_owned(), args.into_iter().map(Value::from).collect::<Vec<_>>().into());
        engine.insert("options".to_owned(), options.clone().into());
        entries.push(engine);
    }
    if let [engine] = entries.as_slice() {
        let mut other = engine.clone();
        let name = engine["name"].as_str().unwrap_or_default();
        other.insert("name".to_owned(), format!("{name}-2").into());
        entries.push(other);
    }
    let game = Table::from_iter([("id".to_owned(), Value::from(game.id()))]);
    let mut file = Table::new();
    file.insert("tournament".to_owned(), Table::new().into());
    file.insert("limits".to_owned(), limits.clone().into());
    file.insert("game".to_owned(), Value::Array(vec![game.into()]));
    file.insert("engine".to_owned(), entries.into_iter().map(Value::from).collect::<Vec<_>>().into());
    Ok(toml::to_string(&file).expect("tables with keys of text are TOML"))
}
