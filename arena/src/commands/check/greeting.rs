//! Checks of the greeting and of the options. Other modules check the engine while it plays.

use std::collections::HashSet;
use std::time::Duration;

use engine_proto::fen::shown;
use engine_proto::proto::{Command, OptionKind, OptionSpec, OptionValue, Words};
use engine_proto::{GameId, Games};

use super::bench::{Bench, GO};
use super::finding::{Fault, Judged, Took, fail, passed, skip, warn};
use super::settings::Setting;
use host::closest::closest;
use opponent::{Dialect, Greeting};

/// A slower start gets a warning, because it is repeated after every crash.
const SLOW_START: Duration = Duration::from_secs(1);

/// Checks the greeting, which came this long after the start of the process.
pub fn judge(greeting: &Greeting, took: Duration) -> Judged {
    if let Some(option) = doubled(&greeting.options) {
        return fail(format!("it has the option `{option}` twice; names are case-insensitive"));
    }
    let end = match greeting.dialect {
        Dialect::Ugi => "ugiok",
        Dialect::Uci => "uciok",
    };
    let time = format!("`{end}` after {}", Took(took));
    if greeting.name.is_none() {
        return warn(format!("no `id name`; {time}"));
    }
    if SLOW_START < took {
        return warn(format!(
            "{time}: load files after `isready`; a slow start costs time after every crash"
        ));
    }
    passed(time)
}

/// Every option accepts its own default, and an unknown option is ignored. Empty texts are not sent in UCI: Stockfish takes
/// `<empty>` for the name of a file, and writes it.
pub async fn options(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let options = bench.greeting().options.clone();
    let dialect = bench.greeting().dialect;
    for option in &options {
        if let Some(value) = default_text(option).filter(|value| dialect == Dialect::Ugi || !value.is_empty())
        {
            let name = Words::new(&option.name);
            bench.say(&Command::SetOption { name, value: Some(&value) }.to_string()).await?;
        }
        // Engines of UCI do not expect this.
        if dialect == Dialect::Ugi
            && let OptionKind::Spin { max, .. } = option.kind
            && let Some(above) = max.checked_add(1)
        {
            bench.say(&format!("setoption name {} value {above}", option.name)).await?;
        }
    }
    bench.say("setoption name No Such Option value 1").await?;
    bench.say("setoption name NoSuchButton").await?;
    bench.ready().await?;
    bench.begin_afresh(game).await?;
    bench.ask_legal(&Setting::start(&bench.games, game)?, GO).await?;
    passed(match options.len() {
        1 => "1 option".to_owned(),
        n => format!("{n} options"),
    })
}

/// The games that the engine lists and the arena has; `None` without the option `Game`.
pub fn listed_games(games: &Games, greeting: &Greeting) -> Result<Option<Vec<GameId>>, Fault> {
    if greeting.dialect == Dialect::Uci {
        return Ok(greeting
            .games()
            .map(|listed| listed.into_iter().filter(|game| games.knows(*game)).collect()));
    }
    let Some(option) = greeting.option("Game") else { return Ok(None) };
    let OptionKind::Combo { choices, .. } = &option.kind else { return Err(no_combo()) };
    let known: Vec<GameId> = choices.iter().filter_map(|choice| games.parse(choice).ok()).collect();
    match choices.first() {
        Some(unknown) if known.is_empty() => Err(Fault::new(no_game(games, unknown))),
        _ => Ok(Some(known)),
    }
}

fn no_combo() -> Fault {
    Fault::new("the option `Game` is not of type `combo`")
}

/// The mistake that the engine lists an unknown game, with a hint where the ids are.
pub fn no_game(games: &Games, id: &str) -> String {
    let help =
        closest(id, games.ids()).map_or_else(|| ";".to_owned(), |id| format!("; did you mean `{id}`?"));
    format!("it lists `{}`, which is not the id of a game{help} `arena games` lists the ids", shown(id))
}

/// The option `Game` is a list, and its name may be written in any case.
pub async fn game_option(bench: &mut Bench, game: GameId) -> Judged {
    let Some(option) = bench.greeting().option("Game") else {
        return skip(format!("it has no option `Game`; it is checked as an engine for {game}"));
    };
    let OptionKind::Combo { choices, .. } = option.kind.clone() else {
        return Err(no_combo());
    };
    // The last game in the list is the least likely to be the engine's default.
    let other = choices.iter().rev().find_map(|choice| bench.games.parse(choice).ok()).unwrap_or(game);
    bench.begin_afresh(game).await?;
    bench.say(&format!("setoption name gAmE value {other}")).await?;
    bench.say("uginewgame").await?;
    bench.ready().await?;
    bench.ask_legal(&Setting::start(&bench.games, other)?, GO).await?;
    // The session no longer knows which options are set.
    bench.abandon().await;
    if let Some(unknown) = choices.iter().find(|choice| bench.games.parse(choice).is_err()) {
        return warn(no_game(&bench.games, unknown));
    }
    passed(match choices.len() {
        1 => "1 game".to_owned(),
        n => format!("{n} games"),
    })
}

fn doubled(options: &[OptionSpec]) -> Option<&str> {
    let mut names = HashSet::new();
    options
        .iter()
        .find(|option| !names.insert(option.name.to_ascii_lowercase()))
        .map(|option| option.name.as_str())
}

/// The default as written in `setoption`; `None` for a button, because setting it has an effect.
fn default_text(option: &OptionSpec) -> Option<String> {
    match option.default_value() {
        OptionValue::Check(on) => Some(on.to_string()),
        OptionValue::Spin(number) => Some(number.to_string()),
        OptionValue::Combo(text) | OptionValue::String(text) => Some(text),
        OptionValue::Button => None,
    }
}
