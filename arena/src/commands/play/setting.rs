//! From the arguments to what is played. An engine of the command line gets its defaults from a tournament file that is
//! made of the arguments.

use std::path::Path;
use std::sync::Arc;

use engine_proto::{GameId, Side};
use toml::{Table, Value};

use super::{NO_HURRY, PlayArgs, PlayError};
use crate::closest::closest;
use crate::commands::arguments::{EngineWords, time, value};
use crate::config;
use crate::live::person::Setting;
use crate::opponent::{Contender, Folders};
use crate::tournament::{Book, Cage, Engine, Format, GameSetup, TimeControl, Tournament};

/// What is played, and the tournament that its record belongs to.
pub struct Ready {
    pub setting: Setting,
    pub tournament: Tournament,
}

impl Ready {
    /// Reads the engine and the position. What the engine writes to standard error goes to the folder `logs`.
    pub fn new(args: &PlayArgs, logs: &Path) -> Result<Self, PlayError> {
        let opening = opening(args)?;
        let limits = limits(args);
        let source = match &args.config {
            Some(path) => config::load(path)?,
            None => config::parse(&file(args, limits.clone())?, Path::new("command line"))?,
        };
        let mut engine = match &args.config {
            Some(_) => engine_of(args, &source)?,
            None => Engine::clone(&source.engines[0]),
        };
        if args.config.is_some() {
            let given = args.options.iter().cloned().chain(level(args));
            engine.options.extend(given);
            if !limits.is_empty() {
                // The same limits, read as those of a tournament file.
                let text = file(args, limits)?;
                let parsed = config::parse(&text, Path::new("command line"))?;
                engine.time_control = parsed.engines[0].time_control.clone();
            }
        }
        if engine.name == args.name {
            return Err(PlayError::Usage(format!(
                "the engine and you have the same name, `{}`; give another one with `--name`",
                args.name
            )));
        }
        if !engine.plays(args.game) {
            return Err(PlayError::Usage(format!("engine `{}` does not play {}", engine.name, args.game)));
        }
        let clock = &engine.time_control;
        let person = TimeControl {
            base: clock.base,
            increment: clock.increment,
            moves_to_go: clock.moves_to_go,
            ..TimeControl::unlimited(NO_HURRY)
        };
        let mut person = Engine::new(&args.name, Path::new(""), person, engine.timeouts.clone());
        person.cage = Cage::default();
        let engine = Arc::new(engine);
        let folders = Folders { logs: logs.to_owned(), scratch: logs.join("scratch") };
        let contender = Contender::new(&engine, &folders)
            .map_err(|error| PlayError::Program { command: engine.command.clone(), error })?;
        let person = Arc::new(person);
        let mut rules = source.rules;
        // Nothing ends a person's match early, and nobody thinks on its time.
        (rules.adjudication, rules.ponder) = (crate::tournament::Adjudication::default(), false);
        let tournament = Tournament {
            name: "play".to_owned(),
            format: Format::Free,
            results: args.results.clone(),
            rules,
            games: vec![GameSetup {
                id: args.game,
                start: None,
                openings: None,
                book: Book::default(),
                opening_plies: 0,
                referee: None,
            }],
            engines: vec![Arc::clone(&person), engine],
            pairings: Vec::new(),
            stop: crate::tournament::StopRules::default(),
            max_faults: None,
            ..source
        };
        let setting = Setting {
            game: args.game,
            opening,
            side: Side::from(args.side),
            engine: contender,
            person,
            rules,
        };
        Ok(Self { setting, tournament })
    }
}

/// The FEN of the first position.
fn opening(args: &PlayArgs) -> Result<String, PlayError> {
    let usage = |text: String| PlayError::Usage(text);
    let play = match (&args.fen, &args.start) {
        (Some(fen), _) => args.game.play(fen).map_err(|error| usage(error.to_string()))?,
        (None, Some(name)) => args.game.start(name, 1).ok_or_else(|| {
            usage(format!("{} has no start `{name}`; `arena games` lists the starts", args.game))
        })?,
        (None, None) => args.game.startpos(),
    };
    match play.end() {
        Some(end) => Err(usage(format!("the position is over: {end}; give another one"))),
        None => Ok(play.fen()),
    }
}

/// The engine of the tournament file that the arguments name.
fn engine_of(args: &PlayArgs, tournament: &Tournament) -> Result<Engine, PlayError> {
    let found = tournament.engine(&args.engine);
    found.map(|engine| Engine::clone(engine)).ok_or_else(|| {
        let names = tournament.names();
        let help = match closest(&args.engine, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the engines are {}", names.join(", ")),
        };
        PlayError::Usage(format!("the tournament file has no engine `{}`; {help}", args.engine))
    })
}

fn level(args: &PlayArgs) -> Option<(String, String)> {
    args.level.map(|level| ("Level".to_owned(), level.to_string()))
}

/// The limits of the arguments, as keys of a tournament file.
fn limits(args: &PlayArgs) -> Table {
    let mut limits = Table::new();
    if let Some(tc) = &args.tc {
        let (base, increment) =
            tc.split_once('+').map_or((tc.as_str(), None), |(base, inc)| (base, Some(inc)));
        limits.insert("base".to_owned(), time(base).into());
        if let Some(increment) = increment {
            limits.insert("increment".to_owned(), time(increment).into());
        }
    }
    if let Some(movetime) = &args.movetime {
        limits.insert("movetime".to_owned(), time(movetime).into());
    }
    if let Some(nodes) = args.nodes {
        limits.insert("nodes".to_owned(), i64::try_from(nodes).unwrap_or(i64::MAX).into());
    }
    limits
}

/// A tournament file with the engine of the arguments. It has two engines, because a tournament needs two.
fn file(args: &PlayArgs, mut limits: Table) -> Result<String, PlayError> {
    /// The engine's time for a move, if nothing is said.
    const MOVE_TIME: &str = "1s";
    let EngineWords { name, command, args: words } = EngineWords::of(&args.engine);
    if command.is_empty() {
        return Err(PlayError::Usage("the engine is missing; give its command".to_owned()));
    }
    if limits.is_empty() {
        limits.insert("movetime".to_owned(), MOVE_TIME.into());
    }
    let options = args.options.iter().cloned().chain(level(args));
    let options: Table = options.map(|(name, text)| (name, value(&text))).collect();
    let words: Vec<Value> = words.into_iter().map(Value::from).collect();
    let engine = |name: String| {
        let mut engine = Table::new();
        engine.insert("name".to_owned(), name.into());
        engine.insert("command".to_owned(), command.as_str().into());
        engine.insert("args".to_owned(), words.clone().into());
        engine.insert("options".to_owned(), options.clone().into());
        Value::from(engine)
    };
    let mut file = Table::new();
    file.insert("tournament".to_owned(), Table::new().into());
    file.insert("limits".to_owned(), limits.into());
    file.insert("game".to_owned(), Value::Array(vec![game(args.game).into()]));
    let other = format!("{name}-2");
    file.insert("engine".to_owned(), Value::Array(vec![engine(name), engine(other)]));
    Ok(toml::to_string(&file).expect("tables with keys of text are TOML"))
}

fn game(game: GameId) -> Table {
    Table::from_iter([("id".to_owned(), Value::from(game.id()))])
}
