//! From the arguments to what is played.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine_proto::{GameId, Games, Side};
use toml::Table;

use super::{LEVEL, NO_HURRY, PlayArgs, PlayError};
use crate::commands::arguments::engines::{contender, entry, own_engines, program, tournament_file};
use crate::commands::arguments::limits::Limits;
use crate::commands::arguments::{EngineWords, game};
use live::person::Setting;
use model::{Book, Cage, Engine, Format, GameSetup, TimeControl, Tournament};

/// How late an engine may be that plays with a clock.
const CLOCK_MARGIN: Duration = Duration::from_secs(1);
/// The same without a clock: only an engine that hangs loses.
const MOVE_MARGIN: Duration = Duration::from_secs(60);

/// What is played, and the tournament that its record belongs to.
pub struct Ready {
    pub setting: Setting,
    pub tournament: Tournament,
}

impl Ready {
    /// Reads the engine and the position. What the engine writes to standard error goes to the folder `logs`.
    pub fn new(games: &Games, args: &PlayArgs, logs: &Path) -> Result<Self, PlayError> {
        let (Some(engine_words), Some(game_id)) = (args.engine.as_deref(), args.game.as_deref()) else {
            return Err(PlayError::Usage("name the engine and the game".to_owned()));
        };
        let limits = limits(args);
        let on_command_line = |game, engine: &str, limits: &Table| {
            let text = file(args, game, engine, limits)?;
            Ok::<_, PlayError>(config::parse(games, &text, Path::new(config::COMMAND_LINE))?)
        };
        // The file may describe the game.
        let loaded = args.config.as_deref().map(|path| config::load(games, path)).transpose()?;
        let games = loaded.as_ref().map_or(games, |loaded| &loaded.known_games).clone();
        let game = game(&games, game_id).map_err(PlayError::Usage)?;
        let opening = opening(&games, args, game)?;
        let source = match loaded {
            Some(loaded) => loaded,
            None => on_command_line(game, engine_words, &limits)?,
        };
        let mut engine = match &args.config {
            Some(_) => entry(engine_words, &source)?,
            None => Engine::clone(&source.engines[0]),
        };
        if args.config.is_some() {
            let given = args.options.iter().cloned().chain(level(args));
            engine.options.extend(given);
            if !limits.is_empty() {
                // The same limits, read as those of a tournament file.
                let parsed = on_command_line(game, &engine.command.display().to_string(), &limits)?;
                engine.time_control = parsed.engines[0].time_control.clone();
            }
        }
        // A person came to play: a busy machine does not end the match.
        let clock = &mut engine.time_control;
        clock.margin = clock.margin.max(if clock.base.is_some() { CLOCK_MARGIN } else { MOVE_MARGIN });
        // An engine with other options is another player. A name that the user gives stays, but for the level.
        let is_named = args.config.is_none() && EngineWords::is_named(engine_words);
        let given = if is_named { &[][..] } else { &args.options[..] };
        engine.name = with_options(&engine.name, given.iter().cloned().chain(level(args)));
        if let Some(problem) = config::name_problem(&args.name) {
            return Err(PlayError::Usage(format!("`--name`: {problem}")));
        }
        if engine.name == args.name {
            return Err(PlayError::Usage(format!(
                "the engine and you have the same name, `{}`; give another one with `--name`",
                args.name
            )));
        }
        if !engine.plays(game) {
            return Err(PlayError::Usage(format!("engine `{}` does not play {}", engine.name, game)));
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
        let adviser = adviser(&games, args, game, &engine)?;
        let adviser = adviser.map(|adviser| contender(&Arc::new(adviser), logs)).transpose()?;
        let contender = contender(&engine, logs)?;
        let person = Arc::new(person);
        let mut rules = source.rules;
        // Nothing ends a person's match early but giving up, and nobody thinks on its time.
        (rules.adjudication, rules.ponder, rules.resign) = (model::Adjudication::default(), false, true);
        let tournament = Tournament {
            name: "play".to_owned(),
            format: Format::Free,
            results: args.results.clone(),
            rules,
            limits: Vec::new(),
            games: vec![GameSetup {
                id: game,
                start: None,
                openings: None,
                book: Book::default(),
                opening_plies: 0,
                referee: None,
            }],
            engines: vec![Arc::clone(&person), engine],
            pairings: Vec::new(),
            stop: model::StopRules::default(),
            max_faults: None,
            ..source
        };
        let setting = Setting {
            games,
            game,
            opening,
            side: Side::from(args.side),
            engine: contender,
            adviser,
            person,
            rules,
            level: None,
        };
        Ok(Self { setting, tournament })
    }
}

/// The engine that gives hints and analyses the match. The opponent at its full strength, because who asks wants to know better;
/// instead of those of the arena's engines that do not search, the best one, if it is there.
fn adviser(
    games: &Games,
    args: &PlayArgs,
    game: GameId,
    opponent: &Engine,
) -> Result<Option<Engine>, PlayError> {
    if is_shallow(&opponent.command) && GameId::BUILT_IN.contains(&game) {
        let best = own_engines().into_iter().find(|program| !is_shallow(Path::new(program)));
        return best.map(|words| program(games, &words)).transpose();
    }
    let mut adviser = Engine::clone(opponent);
    adviser.options.retain(|name, _| !name.eq_ignore_ascii_case(LEVEL));
    adviser.name = EngineWords::of(args.engine.as_deref().unwrap_or_default()).name;
    Ok(Some(adviser))
}

/// Whether this is one of the arena's engines that do not search.
fn is_shallow(program: &Path) -> bool {
    program.file_stem().is_some_and(|stem| stem == "random" || stem == "greedy")
}

/// The FEN of the first position.
fn opening(games: &Games, args: &PlayArgs, game: GameId) -> Result<String, PlayError> {
    let usage = |text: String| PlayError::Usage(text);
    // A random start is another position each time.
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64);
    let usual = games.info(game).map_or("", |info| info.starts[0].name);
    let play = match (&args.fen, &args.start) {
        (Some(fen), _) => games.play(game, fen),
        (None, name) => games.start(game, name.as_deref().unwrap_or(usual), seed),
    }
    .map_err(|error| match error {
        engine_proto::PlayError::NoStart { name } => {
            usage(format!("{game} has no start `{name}`; `arena games` lists the starts"))
        }
        error => usage(error.to_string()),
    })?;
    match play.end() {
        Some(_) => Err(usage("the match is already over in this position; give another one".to_owned())),
        None => Ok(play.fen()),
    }
}

fn level(args: &PlayArgs) -> Option<(String, String)> {
    args.level.map(|level| (LEVEL.to_owned(), level.to_string()))
}

/// The name of an engine with the options of the arguments: `alpha-beta level 3`.
fn with_options(name: &str, options: impl Iterator<Item = (String, String)>) -> String {
    let words = options.map(|(name, value)| format!(" {} {value}", name.to_lowercase()));
    let whole = format!("{name}{}", words.collect::<Vec<_>>().join(","));
    whole.chars().take(config::LONGEST_NAME).collect()
}

/// The limits of the arguments, as keys of a tournament file.
pub fn limits(args: &PlayArgs) -> Table {
    Limits { movetime: args.movetime, nodes: args.nodes, clock: args.tc }.table()
}

/// A tournament file with this engine, and the options and limits of the arguments.
fn file(args: &PlayArgs, game: GameId, engine: &str, limits: &Table) -> Result<String, PlayError> {
    /// The engine's time for a move, if nothing is said.
    const MOVE_TIME: &str = "1s";
    let mut limits = limits.clone();
    if limits.is_empty() {
        limits.insert("movetime".to_owned(), MOVE_TIME.into());
    }
    let options: Vec<_> = args.options.iter().cloned().chain(level(args)).collect();
    Ok(tournament_file(&[engine], game, &options, &limits)?)
}
