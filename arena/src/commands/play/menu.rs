//! What can be chosen on the page before a match: the engines that the arguments name, or those that belong to the arena.

use std::path::Path;
use std::sync::Arc;

use engine_proto::{GameId, Games};
use tokio::task::JoinSet;

use super::setting::limits;
use super::{PlayArgs, PlayError, PlayedSide, level};
use crate::commands::arguments::engines::{NoEngine, OWN_ENGINES, contender, entry, own_engines, program};
use crate::commands::arguments::game;
use crate::commands::arguments::limits::{clock, move_time};
use live::person::{Choice, Entry, Menu};
use model::Engine;
use opponent::Session;

/// Times that can be chosen.
const TIMES: [(&str, &str); 6] = [
    ("movetime 0.1s", "No clock, engine 0.1 s per move"),
    ("movetime 1s", "No clock, engine 1 s per move"),
    ("movetime 5s", "No clock, engine 5 s per move"),
    ("tc 1min+1s", "1 min + 1 s per move"),
    ("tc 5min+3s", "5 min + 3 s per move"),
    ("tc 15min+10s", "15 min + 10 s per move"),
];

/// The menu, and how the arguments would name its engines.
pub struct Offers {
    pub menu: Menu,
    words: Vec<String>,
}

impl Offers {
    /// Starts every engine once, all at the same time, to learn its games and its levels. What does not start is an error if
    /// the user has named it.
    pub async fn new(games: &Games, args: &PlayArgs, logs: &Path) -> Result<Self, PlayError> {
        let file = args.config.as_deref().map(|path| config::load(games, path)).transpose()?;
        let words = match (&args.engine, &file) {
            (Some(engine), _) => vec![engine.clone()],
            (None, Some(file)) => file.names().clone(),
            (None, None) => own_engines(),
        };
        if words.is_empty() {
            return Err(PlayError::Usage(format!(
                "found no engine: {} are neither in the folder of `arena` nor on `PATH`; name one, as in `arena play \
                 target/release/alpha-beta`",
                OWN_ENGINES.map(|(name, _)| name).join(", ")
            )));
        }
        let mut tasks = JoinSet::new();
        for (idx, words) in words.into_iter().enumerate() {
            let engine = match &file {
                Some(file) => entry(&words, file)?,
                None => program::<PlayError>(games, &words)?,
            };
            let (games, logs) = (games.clone(), logs.to_owned());
            tasks.spawn(async move { Ok::<_, NoEngine>((idx, words, asked(&games, engine, &logs).await?)) });
        }
        let mut found = Vec::new();
        while let Some(asked) = tasks.join_next().await {
            match asked.expect("no task panics or is aborted") {
                Err(_) if args.engine.is_none() && args.config.is_none() => {}
                asked => found.push(asked?),
            }
        }
        found.sort_by_key(|(idx, ..)| *idx);
        if let Some(wanted) = &args.game {
            let wanted = game(games, wanted).map_err(PlayError::Usage)?;
            if let Some((.., strongest)) = found.first()
                && found.iter().all(|(.., entry)| !entry.games.contains(&wanted))
            {
                return Err(NoEngine::OtherGame { engine: strongest.name.clone(), game: wanted }.into());
            }
        }
        let (words, mut engines): (_, Vec<_>) =
            found.into_iter().map(|(_, words, entry)| (words, entry)).unzip();
        let are_own = args.engine.is_none() && file.is_none();
        for entry in engines.iter_mut().filter(|_| are_own) {
            entry.about =
                OWN_ENGINES.iter().find(|(name, _)| *name == entry.name).map_or("", |(_, about)| about);
        }
        let mut times: Vec<_> =
            TIMES.iter().map(|(time, words)| ((*time).to_owned(), (*words).to_owned())).collect();
        let mut chosen = Choice {
            game: args.game.clone().unwrap_or_default(),
            level: args.level,
            is_black: args.side == PlayedSide::Black,
            time: TIMES[1].0.to_owned(),
            start: args.start.clone().unwrap_or_default(),
            fen: args.fen.clone().unwrap_or_default(),
            ..Choice::default()
        };
        let given = limits(args);
        if !given.is_empty() || args.config.is_some() {
            let texts =
                given.iter().map(|(key, value)| format!("{key} {}", value.to_string().trim_matches('"')));
            let text = texts.collect::<Vec<_>>().join(", ");
            chosen.time.clone_from(&text);
            if times.iter().all(|(time, _)| *time != text) {
                let words = match text.strip_prefix("movetime ") {
                    Some(time) => format!("No clock, engine {time} per move"),
                    None if given.is_empty() => "As in the tournament file".to_owned(),
                    None => text,
                };
                times.insert(0, (String::new(), words));
                chosen.time = String::new();
            }
        }
        Ok(Self { menu: Menu { known_games: games.clone(), engines, times, chosen }, words })
    }

    /// The arguments that say the same as the choice.
    pub fn arguments(&self, args: &PlayArgs, choice: &Choice) -> Result<PlayArgs, PlayError> {
        let Choice { game, engine, level, is_black, time, start, fen } = choice.clone();
        let wrong = |what: String| PlayError::Usage(what);
        let engine = self.words.get(engine).ok_or_else(|| wrong("there is no such engine".to_owned()))?;
        let some = |text: String| (!text.trim().is_empty()).then_some(text);
        let mut args = PlayArgs {
            engine: Some(engine.clone()),
            game: Some(game),
            level,
            side: if is_black { PlayedSide::Black } else { PlayedSide::White },
            start: some(start),
            fen: some(fen),
            ..args.clone()
        };
        if let Some((kind, time)) = time.split_once(' ') {
            (args.nodes, args.movetime, args.tc) = (None, None, None);
            match kind {
                "movetime" => args.movetime = Some(move_time(time).map_err(wrong)?),
                _ => args.tc = Some(clock(time).map_err(wrong)?),
            }
        }
        Ok(args)
    }
}

/// What the engine says of itself.
async fn asked(games: &Games, engine: Engine, logs: &Path) -> Result<Entry, NoEngine> {
    let contender = contender(&Arc::new(engine), logs)?;
    let session = Session::start(&contender, None).await?;
    let greeting = session.greeting();
    let lists = |game: &GameId| greeting.games().is_none_or(|listed| listed.contains(game));
    let games = games.known().filter(|game| contender.engine.plays(*game)).filter(lists).collect();
    let entry =
        Entry { name: contender.name().to_owned(), about: "", level: level(&contender, greeting), games };
    session.quit().await;
    Ok(entry)
}
