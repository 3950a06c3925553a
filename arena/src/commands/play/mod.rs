//! `arena play`: a person plays against an engine, in the browser or in the terminal.

mod error;
mod menu;
mod setting;
mod terminal;

use std::cell::{Cell, RefCell};
use std::env;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use engine_proto::fen::shown;
use engine_proto::proto::{OptionKind, OptionSpec};
use engine_proto::{GameId, Games, Side};
use tokio::sync::mpsc::Receiver;
use tokio::sync::{Notify, mpsc};

use crate::commands::arguments::engines::{self, NoEngine, OWN_ENGINES};
use crate::commands::arguments::limits::{Clock, clock, move_time};
use crate::commands::arguments::{EngineWords, option};
use crate::exit::check_rules;
use host::closest::closest;
use host::executable::{self, ProgramError};
use host::output::CannotWrite;
use live::analysis::{Analysis, Engines, Tree};
use live::person::{Action, Game, GameError, LEVEL, Level, Next, PlayPage, Setting};
use live::site::{self, Router, Server, Slot};
use model::{Record, Tournament};
use opponent::{Contender, Greeting, Session};
use runner::conduct::{Signals, StopRequests};
use store::{Casual, as_one_word};

pub use error::PlayError;
use menu::Offers;
use setting::Ready;

const EXAMPLES: &str = "\
Examples:
  arena play                               Choose game and engine in the browser
  arena play alpha-beta --config configs/ladder.toml --game push --as black
                                           Play an engine of a tournament
  arena play target/release/mcts --game tower-push --terminal";

/// Number of actions that wait.
const QUEUE: usize = 8;

/// Play against an engine
///
/// Opens a page to play on, and prints its address; it runs until Ctrl-C. Without an engine or a game, you choose on the page. With
/// `--terminal`, you play one match in the terminal. Each finished match is stored like any other: `arena show` replays it, `arena verify` verifies it, `arena rate` rates it.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct PlayArgs {
    /// The engine, COMMAND or NAME=COMMAND, or a game
    ///
    /// With `--config`, the engine's name there. Arguments follow a command: "mine=./my-engine --fast". Without an engine, the page
    /// offers those of the tournament file, or the engines that are built with the arena.
    #[arg(value_name = "ENGINE|GAME")]
    pub engine: Option<String>,
    /// The game to play, as `arena games` lists it, or as the tournament file names it
    #[arg(long)]
    pub game: Option<String>,
    /// The tournament file that describes the engine
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Your side
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value_t = PlayedSide::White, hide_possible_values = true)]
    pub side: PlayedSide,
    /// Playing strength, the engine's option `Level`
    #[arg(long, value_name = "N")]
    pub level: Option<u32>,
    /// The engine's time for each move, in seconds or with a unit [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = move_time, conflicts_with = "tc")]
    pub movetime: Option<Duration>,
    /// Number of positions the engine searches for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Clock and increment of both sides, such as `5min+3s`; instead of `--movetime`
    #[arg(long, value_name = "BASE+INCREMENT", value_parser = clock)]
    pub tc: Option<Clock>,
    /// An option of the engine, NAME=VALUE (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Begin with this position
    #[arg(long, hide_short_help = true)]
    pub fen: Option<String>,
    /// Begin with this start, as `arena games` lists it
    #[arg(long, value_name = "NAME", conflicts_with = "fen", hide_short_help = true)]
    pub start: Option<String>,
    /// Your name in the records
    #[arg(long, value_name = "NAME", default_value = "you", hide_short_help = true)]
    pub name: String,
    /// Folder for the results
    #[arg(long, value_name = "FOLDER", default_value = "results/play")]
    pub results: PathBuf,
    /// Play in the terminal
    #[arg(long)]
    pub terminal: bool,
    /// Draw in ASCII; the default when the locale is not UTF-8
    #[arg(long, requires = "terminal", hide_short_help = true)]
    pub ascii: bool,
    /// Only print the address
    ///
    /// The browser opens only if standard output is a terminal, and the machine has a display.
    #[arg(long, conflicts_with = "terminal", hide_short_help = true)]
    pub no_open: bool,
    /// Address, port or both of the page [default: this machine, free port]
    ///
    /// Everybody who can reach the address and knows its secret path can play. The connection is not encrypted.
    #[arg(long, value_name = "ADDR", value_parser = site::address, default_value = "127.0.0.1:0", hide_default_value = true, hide_short_help = true)]
    pub address: SocketAddr,
}

/// A side on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayedSide {
    /// White
    White,
    /// Black
    Black,
}

/// Plays until the person ends it.
///
/// # Errors
/// If the arguments are wrong, the engine cannot be started, or a match cannot be stored.
pub fn run(games: &Games, args: &PlayArgs, out: &mut dyn Write) -> Result<(), PlayError> {
    let args = &with_game(games, args)?;
    if args.terminal {
        check_named(args)?;
    }
    // It may describe the game, and is read again for each choice: its programs are started once.
    let file = args.config.as_deref().map(|path| config::load(games, path)).transpose()?;
    let games = file.as_ref().map_or(games, |file| &file.known_games);
    let logs = tempfile::tempdir().map_err(CannotWrite::at(&env::temp_dir()))?;
    let is_chosen = args.engine.is_some() && args.game.is_some();
    let ready = if is_chosen { Some(Ready::new(games, args, logs.path())?) } else { None };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stored = Storing { results: &args.results, is_stored: Cell::new(false), why_not: RefCell::new(None) };
    runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let (submit, actions) = mpsc::channel(QUEUE);
        let started = match ready {
            Some(ready) => Some(started(args, ready).await?),
            None => None,
        };
        match started {
            Some((setting, tournament, session)) if args.terminal => {
                let screen = Box::new(terminal::Terminal::new(args.ascii));
                terminal::read_actions(submit, terminal::help(&setting));
                let save = stored.saves(tournament);
                let mut game = Game { setting, screen, actions, save, is_only_one: true };
                tokio::select! {
                    played = game.run(session) => played?,
                    _ = signals.next() => return Err(PlayError::Interrupted),
                };
                if !stored.is_stored.get() && stored.why_not.borrow().is_none() {
                    writeln!(io::stderr(), "the match is not stored")?;
                }
            }
            started => {
                let offers = match &started {
                    Some(_) => None,
                    None => Some(Offers::new(games, args, logs.path()).await?),
                };
                let (page, router) = PlayPage::new(games, submit, &args.results, args.address);
                let analysing = Slot::default();
                let router = router.nest("/analyse/", analysing.routes());
                let server = Server::start(args.address, router)?;
                writeln!(out, "{}", server.url())?;
                out.flush()?;
                site::open(&server.url(), !args.no_open);
                let (page, file, logs) = (Rc::new(page), file.as_ref(), logs.path());
                let mut player =
                    AtPage { games, args, file, page, analysing, offers, actions, stored: &stored, logs };
                Box::pin(player.play(started, &mut signals)).await?;
            }
        }
        if stored.is_stored.get() {
            let (folder, word) = (args.results.display(), as_one_word(&args.results.to_string_lossy()));
            writeln!(io::stderr(), "stored in `{folder}`; `arena rate {word}` rates the matches")?;
        }
        stored.why_not.take().map_or(Ok(()), |error| Err(PlayError::Store(error)))
    })?;
    Ok(check_rules(games)?)
}

/// In the terminal, nothing can be chosen.
fn check_named(args: &PlayArgs) -> Result<(), PlayError> {
    let word = |named: &Option<String>, other: &str| named.as_deref().map_or(other.to_owned(), as_one_word);
    let (engine, game) = (word(&args.engine, "ENGINE"), word(&args.game, "GAME"));
    let missing = match (&args.engine, &args.game) {
        (Some(_), Some(_)) => return Ok(()),
        (None, Some(_)) => "name the engine as well",
        (Some(_), None) => "name the game as well",
        (None, None) => "name an engine and a game",
    };
    Err(PlayError::Usage(format!(
        "{missing}: `arena play {engine} --game {game} --terminal`; `arena games` lists the games"
    )))
}

/// `arena play push` names a game, not an engine.
fn with_game(games: &Games, args: &PlayArgs) -> Result<PlayArgs, PlayError> {
    let mut args = args.clone();
    let Some(word) = args.engine.clone().filter(|_| args.game.is_none()) else { return Ok(args) };
    if games.parse(&word).is_ok() {
        args.game = args.engine.take();
        return Ok(args);
    }
    let EngineWords { command, .. } = EngineWords::of(&word);
    let is_missing =
        matches!(executable::find(Path::new(&command)), Err(ProgramError::NotOnPath { is_here: false }));
    let known: Vec<_> = games.known().collect();
    let names = known.iter().map(GameId::id).chain(OWN_ENGINES.map(|(name, _)| name));
    match closest(&command, names) {
        Some(near) if is_missing && near != command && args.config.is_none() => {
            let command = shown(&command);
            Err(PlayError::Usage(format!("no game or engine is named `{command}`; did you mean `{near}`?")))
        }
        _ => Ok(args),
    }
}

/// A match that can begin: its engine is started.
type Started = (Setting, Tournament, Session);

/// A person at the page.
struct AtPage<'a> {
    games: &'a Games,
    args: &'a PlayArgs,
    /// The tournament file.
    file: Option<&'a Tournament>,
    page: Rc<PlayPage>,
    /// The place of the analysis.
    analysing: Slot,
    /// What can be chosen, once it is asked for.
    offers: Option<Offers>,
    actions: Receiver<Action>,
    stored: &'a Storing<'a>,
    logs: &'a Path,
}

impl AtPage<'_> {
    /// Plays what the arguments name, if they do, and then what the person chooses, until a signal.
    async fn play(&mut self, first: Option<Started>, signals: &mut Signals) -> Result<(), PlayError> {
        let mut first = first.map(|started| (self.args.clone(), started));
        loop {
            let (args, started) = if let Some(first) = first.take() {
                first
            } else {
                tokio::select! {
                    chosen = self.choose() => chosen?,
                    _ = signals.next() => return Ok(()),
                }
            };
            let Setting { games, game, .. } = &started.0;
            let others = engines::others(games, self.file, &[], *game, self.logs);
            let (analysis, router) = analysis(&started.0, others)?;
            self.analysing.set(router);
            let end = Notify::new();
            let playing = async {
                let next = tokio::select! {
                    next = self.play_levels(&args, started) => next,
                    _ = signals.next() => Ok(Next::Quit),
                };
                end.notify_one();
                next
            };
            if tokio::join!(playing, analysis.run(end.notified())).0? != Next::Menu {
                return Ok(());
            }
        }
    }

    /// Shows the menu until something is chosen that can be played.
    async fn choose(&mut self) -> Result<(PlayArgs, Started), PlayError> {
        let Self { games, args, page, offers, actions, logs, .. } = self;
        let offers = match offers {
            Some(offers) => offers,
            None => offers.insert(Offers::new(games, args, logs).await?),
        };
        let mut said: Option<String> = None;
        loop {
            page.show_menu(&offers.menu, said.as_deref());
            let choice = match actions.recv().await {
                Some(Action::Begin(choice)) => choice,
                Some(_) => continue,
                None => std::future::pending().await,
            };
            let chosen = async {
                let args = offers.arguments(args, &choice)?;
                let started = started(&args, Ready::new(games, &args, logs)?).await?;
                Ok::<_, PlayError>((args, started))
            };
            let chosen = chosen.await;
            offers.menu.chosen = choice;
            match chosen {
                Ok(chosen) => return Ok(chosen),
                Err(why) => said = Some(why.to_string()),
            }
        }
    }

    /// Plays matches against one level of the engine after the other.
    async fn play_levels(&mut self, args: &PlayArgs, first: Started) -> Result<Next, PlayError> {
        let (setting, tournament, mut session) = first;
        let (_, nothing) = mpsc::channel(1);
        let mut game = Game {
            setting,
            screen: Box::new(Rc::clone(&self.page)),
            actions: std::mem::replace(&mut self.actions, nothing),
            save: self.stored.saves(tournament),
            is_only_one: false,
        };
        let next = loop {
            let level = match game.run(session).await? {
                Next::Level(level) => level,
                next => break next,
            };
            let args = PlayArgs { level: Some(level), ..args.clone() };
            let (setting, tournament, another) =
                started(&args, Ready::new(self.games, &args, self.logs)?).await?;
            game.setting = Setting { side: game.setting.side, ..setting };
            game.save = self.stored.saves(tournament);
            session = another;
        };
        self.actions = game.actions;
        Ok(next)
    }
}

/// Starts the engine, and looks whether it can play what was asked for.
async fn started(args: &PlayArgs, ready: Ready) -> Result<Started, PlayError> {
    let Ready { mut setting, tournament } = ready;
    // It would be too late after the match.
    Casual::check(&args.results, &tournament)?;
    let session = Session::start(&setting.engine, None).await.map_err(NoEngine::Start)?;
    if let Err(why) = check(args, &setting, session.greeting()) {
        session.quit().await;
        return Err(why);
    }
    setting.level = level(&setting.engine, session.greeting());
    Ok((setting, tournament, session))
}

/// An analysis of the match when it is over, to which these engines can be added, as in `arena analyse`.
fn analysis(setting: &Setting, others: Vec<Contender>) -> Result<(Analysis, Router), PlayError> {
    const PATIENCE: Duration = Duration::from_secs(60);
    let tree = Tree::new(&setting.games, setting.game, Some(&setting.opening));
    let tree = tree.map_err(GameError::Opening)?;
    let shown: Vec<_> = setting.adviser.iter().cloned().collect();
    let engines = Engines { shown, others };
    Ok(Analysis::new("Analysis".to_owned(), tree, engines, None, PATIENCE))
}

/// Where matches are stored. The folder is made by the first match that is over, and locked only while a match is stored.
struct Storing<'a> {
    results: &'a Path,
    is_stored: Cell<bool>,
    /// Why the last match is not stored.
    why_not: RefCell<Option<io::Error>>,
}

impl Storing<'_> {
    /// Stores matches of this tournament.
    fn saves(&self, tournament: Tournament) -> Box<dyn FnMut(Record) -> io::Result<u32> + '_> {
        Box::new(move |record| {
            let results = Casual::open(self.results, &tournament).map_err(io::Error::other);
            let stored = results.and_then(|results| results.store(record));
            self.is_stored.set(self.is_stored.get() || stored.is_ok());
            self.why_not.replace(stored.as_ref().err().map(|error| io::Error::other(error.to_string())));
            stored
        })
    }
}

/// The maximum number of levels that a page offers.
const MOST_LEVELS: u32 = 100;

/// The engine's playing strength, if it has several.
fn level(contender: &Contender, greeting: &Greeting) -> Option<Level> {
    let Some(OptionSpec { kind: OptionKind::Spin { default, min, max }, .. }) = greeting.option(LEVEL) else {
        return None;
    };
    let mut options = contender.engine.options.iter().rev();
    let given = options.find(|(name, _)| name.eq_ignore_ascii_case(LEVEL));
    let now = given.map_or(Some(*default), |(_, value)| value.parse().ok())?;
    let [now, min, max] = [now, *min, *max].map(u32::try_from);
    let level = Level { now: now.ok()?, min: min.ok()?, max: max.ok()? };
    // The page lists them.
    (level.max.saturating_sub(level.min) < MOST_LEVELS).then_some(level)
}

/// The engine's name without a level.
fn name_of(args: &PlayArgs) -> String {
    EngineWords::of(args.engine.as_deref().unwrap_or_default()).name
}

/// Whether the engine can play what was asked for.
fn check(args: &PlayArgs, setting: &Setting, greeting: &Greeting) -> Result<(), PlayError> {
    if args.level.is_some() && greeting.option(LEVEL).is_none() {
        return Err(PlayError::NoLevel { engine: name_of(args) });
    }
    Ok(engines::check(&setting.engine, greeting, setting.game)?)
}

impl From<PlayedSide> for Side {
    fn from(side: PlayedSide) -> Self {
        match side {
            PlayedSide::White => Self::White,
            PlayedSide::Black => Self::Black,
        }
    }
}

/// A year: a person without a clock has time.
const NO_HURRY: Duration = Duration::from_secs(365 * 24 * 3600);
