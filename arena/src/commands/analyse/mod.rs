//! `arena analyse`: a position of a match or a game in the browser, with engines that search it.

mod error;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use engine_proto::fen::shown;
use engine_proto::{GameId, Games};

use crate::commands::arguments::engines::{self, NoEngine, contender, entry, in_file, others, programs};
use crate::commands::arguments::limits::duration;
use crate::commands::arguments::option;
use crate::commands::arguments::positions::{self, PositionError, Source};
use crate::exit::check_rules;
use host::output::CannotWrite;
use live::analysis::{Analysis, Asked, Engines, MOST_ENGINES, MOST_LINES, Tree};
use live::site::{self, Server};
use model::{Record, Tournament};
use opponent::{Contender, Session};
use runner::conduct::{Signals, StopRequests};
use schedule::pgn::claim;
use store::{MATCHES_JSONL, ReplayError, as_one_word};

pub use error::AnalyseError;

const EXAMPLES: &str = "\
Examples:
  arena analyse push-push --engine target/release/alpha-beta
                                   Begin with the start position of a game
  arena analyse results/quick 12 --ply 30 --config configs/quick.toml
                                   Begin with match 12 after 30 plies, with the
                                   engines of a tournament
  arena analyse games.pgn 3 --engine stockfish
                                   Begin with the third match of a file";

/// Analyse a position with engines in the browser
///
/// Opens a page with a board, and prints its address; it runs until Ctrl-C. Play moves by click, walk through them and their
/// branches with the arrow keys, and let engines search the shown position: their best lines change as they search.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct AnalyseArgs {
    /// A results folder, the id of a game, or a file with PGN
    ///
    /// What the page saves of other games is such a file, too. Without MATCH, its first match is shown from its start, as when the page
    /// loads it.
    #[arg(value_name = "FOLDER|GAME|FILE")]
    pub what: PathBuf,
    /// The number of the match in the folder or the file
    #[arg(value_name = "MATCH")]
    pub number: Option<u32>,
    /// Begin after this many moves of the match [default: at its end]
    ///
    /// 0 is the opening.
    #[arg(long, value_name = "N", requires = "number")]
    pub ply: Option<usize>,
    /// Begin with this position of the game
    #[arg(long, conflicts_with = "number")]
    pub fen: Option<String>,
    /// Begin with this start of the game, as `arena games` lists it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["number", "fen"])]
    pub start: Option<String>,
    /// An engine: COMMAND or NAME=COMMAND; with `--config`, its name there (repeatable)
    ///
    /// Arguments of the engine follow its command: "mine=./my-engine --fast".
    #[arg(long = "engine", value_name = "ENGINE")]
    pub engines: Vec<String>,
    /// The tournament file that describes the engines
    ///
    /// Without `--engine`, the first 8 of its engines that play the game.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// An option of the engines, NAME=VALUE (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Number of best lines that each engine shows [default: 3, of two engines 2, of more 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_LINES)))]
    pub lines: Option<u32>,
    /// Pause the engines when the page has not been open for this time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1min", hide_short_help = true)]
    pub pause_after: Duration,
    /// Only print the address
    ///
    /// The browser opens only if standard output is a terminal, and the machine has a display.
    #[arg(long)]
    pub no_open: bool,
    /// Address, port or both of the page [default: this machine, free port]
    ///
    /// Everybody who can reach the address and knows its secret path can analyse. The connection is not encrypted.
    #[arg(long, value_name = "ADDR", value_parser = site::address, default_value = "127.0.0.1:0", hide_default_value = true, hide_short_help = true)]
    pub address: SocketAddr,
}

/// Shows the position until the user stops it.
///
/// # Errors
/// If the arguments are wrong, or the server cannot be started.
pub fn run(games: &Games, args: &AnalyseArgs, out: &mut dyn Write) -> Result<(), AnalyseError> {
    let logs = tempfile::tempdir().map_err(CannotWrite::at(&env::temp_dir()))?;
    // It may describe the game.
    let file = args.config.as_deref().map(|path| config::load(games, path)).transpose()?;
    let games = file.as_ref().map_or(games, |file| &file.known_games);
    if let Some(why) = not_analysed(&args.what, args.number) {
        return Err(AnalyseError::Usage(why));
    }
    let text = args.what.is_file().then(|| fs::read(&args.what)).transpose();
    let text =
        text.map_err(|error| AnalyseError::Usage(format!("cannot read `{}`: {error}", args.what.display())))?;
    let wrong_file = |why: String| AnalyseError::Usage(format!("{}: {why}", args.what.display()));
    let asked = text.map(|text| Asked::new(&decoded(text), args.number.unwrap_or(1)));
    let asked = asked.transpose().map_err(wrong_file)?;
    let (title, tree) = match &asked {
        Some(asked) => of_file(games, asked).map_err(wrong_file)?,
        None => beginning(games, args)?,
    };
    let candidates = candidates(games, args, file.as_ref(), tree.game(), logs.path())?;
    let game = tree.game();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let engines = tokio::select! {
            engines = checked(args, candidates, game) => engines?,
            _ = signals.next() => return Ok(()),
        };
        let (mut analysis, router) = Analysis::new(title, tree, engines, args.lines, args.pause_after);
        if let Some(asked) = asked {
            let opened = analysis.open(&args.what, asked, args.number.is_none(), args.ply);
            opened.map_err(wrong_file)?;
        }
        let server = Server::start(args.address, router)?;
        writeln!(out, "{}", server.url())?;
        out.flush()?;
        site::open(&server.url(), !args.no_open);
        let end = async {
            signals.next().await;
        };
        analysis.run(end).await;
        Ok::<_, AnalyseError>(())
    })?;
    Ok(check_rules(games)?)
}

/// Starts every engine that is shown at first, so that what is wrong is known before the page opens. Those that do not play the
/// game are left out unless they were named.
async fn checked(args: &AnalyseArgs, engines: Engines, game: GameId) -> Result<Engines, NoEngine> {
    let Engines { shown, others } = engines;
    let shown = started(shown, game).await;
    let is_left_out = |engine: &Result<Contender, NoEngine>| {
        args.engines.is_empty() && matches!(engine, Err(NoEngine::OtherGame { .. }))
    };
    let shown = shown.into_iter().filter(|engine| !is_left_out(engine)).collect::<Result<_, _>>()?;
    Ok(Engines { shown, others })
}

/// Starts engines once, all at the same time.
async fn started(contenders: Vec<Contender>, game: GameId) -> Vec<Result<Contender, NoEngine>> {
    let start = |contender: Contender| async move {
        let session = Session::start(&contender, None).await?;
        let checked = engines::check(&contender, session.greeting(), game);
        session.quit().await;
        checked.map(|()| contender)
    };
    let tasks: Vec<_> = contenders.into_iter().map(|contender| tokio::spawn(start(contender))).collect();
    let mut started = Vec::new();
    for task in tasks {
        started.push(task.await.expect("no task panics or is aborted"));
    }
    started
}

/// The first tree, and its title.
fn beginning(games: &Games, args: &AnalyseArgs) -> Result<(String, Tree), AnalyseError> {
    match positions::source(games, "analyse", &args.what, args.number)? {
        Source::Match(folder, number) => {
            let games = &store::known_games(games, folder);
            let record = positions::record(games, folder, number, args.ply)?;
            Ok((title(&record), replayed(games, &record, args.ply)?))
        }
        Source::Game(game) => {
            // As in the field of the page, other programs' spellings are read, too.
            let fen = match &args.fen {
                Some(fen) => fen.clone(),
                None => positions::position(games, game, None, args.start.as_deref())?.fen(),
            };
            let tree = Tree::new(games, game, Some(&fen)).map_err(PositionError::Position)?;
            Ok(("Analysis".to_owned(), tree))
        }
    }
}

/// The start position of the game of a match of a file, which the match replaces.
fn of_file(games: &Games, asked: &Asked) -> Result<(String, Tree), String> {
    let game = asked.game(games)?.unwrap_or(GameId::CHESS);
    let tree = Tree::new(games, game, None).map_err(|error| error.to_string())?;
    Ok(("Analysis".to_owned(), tree))
}

/// Why a folder of PGN files, a file of a results folder, or a table of results cannot be analysed.
fn not_analysed(file: &Path, number: Option<u32>) -> Option<String> {
    if let Some(first) = first_pgn_in(file) {
        let [folder, first] = [file, &first].map(|path| as_one_word(&path.to_string_lossy()));
        return Some(format!(
            "`{folder}` is no results folder; give one of its files, such as `arena analyse {first}`"
        ));
    }
    let is_table = file.extension().is_some_and(|it| it == "csv" || it == "jsonl") && file.is_file();
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let why = if folder.join(MATCHES_JSONL).is_file() {
        let number = number.map(|number| format!(" {number}")).unwrap_or_default();
        let folder = as_one_word(&folder.to_string_lossy());
        format!("is a part of a results folder; write `arena analyse {folder}{number}`")
    } else {
        "is no PGN file; give one, or a results folder".to_owned()
    };
    is_table.then(|| format!("`{}` {why}", file.display()))
}

/// The first PGN file in a folder without results.
fn first_pgn_in(folder: &Path) -> Option<PathBuf> {
    if folder.join(MATCHES_JSONL).is_file() {
        return None;
    }
    let files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|file| file.extension().is_some_and(|it| it == "pgn")).min()
}

/// The text of a file. What is not UTF-8 is Latin-1, the character set of the PGN standard.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

fn title(record: &Record) -> String {
    let Record { number, white, black, result, .. } = record;
    format!("Match {number}: {} – {}, {result}", shown(white), shown(black))
}

/// The whole match as a tree, at a ply; without one, at its end.
fn replayed(games: &Games, record: &Record, ply: Option<usize>) -> Result<Tree, AnalyseError> {
    let bad = |error| PositionError::BadRecord { number: record.number, error };
    let opening = Tree::new(games, record.game, Some(&record.opening));
    let mut tree = opening.map_err(|error| bad(ReplayError::Opening(error)))?;
    tree.players = Some([record.white.clone(), record.black.clone()]);
    tree.result = Some(record.result);
    tree.reason = Some(record.reason.clone());
    for mv in &record.moves {
        // What follows an illegal move cannot be shown.
        if tree.play_move(&mv.mv).is_err() {
            break;
        }
        // Without a search, an engine claims what it likes.
        if mv.depth != Some(0) && mv.nodes != Some(0) {
            tree.set_claim(mv.score.clone(), &claim(mv));
        }
    }
    tree.go_to_ply(ply).map_err(|error| AnalyseError::Usage(error.to_string()))?;
    Ok(tree)
}

/// The engines that are shown at first, not yet started, and those that can be added.
fn candidates(
    games: &Games,
    args: &AnalyseArgs,
    file: Option<&Tournament>,
    game: GameId,
    logs: &Path,
) -> Result<Engines, AnalyseError> {
    let usage = AnalyseError::Usage;
    let mut shown = match file {
        Some(file) if args.engines.is_empty() => in_file(file, game),
        Some(file) => args.engines.iter().map(|name| entry(name, file)).collect::<Result<_, _>>()?,
        None => programs::<AnalyseError>(games, &args.engines, &args.options, game)?,
    };
    let n = shown.len();
    if MOST_ENGINES < n && args.engines.is_empty() {
        shown.truncate(MOST_ENGINES);
        writeln!(
            io::stderr(),
            "note: using the first {MOST_ENGINES} of {n} engines; name others with `--engine`, or add them on the page"
        )?;
    } else if MOST_ENGINES < n {
        return Err(usage(format!("{n} engines are too many; name at most {MOST_ENGINES} with `--engine`")));
    }
    if let Some(engine) = shown.iter().find(|engine| !engine.plays(game)) {
        return Err(usage(format!("engine `{}` does not play {game}", engine.name)));
    }
    if file.is_some() {
        for engine in &mut shown {
            engine.options.extend(args.options.iter().cloned());
        }
    }
    Ok(Engines {
        shown: shown
            .into_iter()
            .map(|engine| contender(&Arc::new(engine), logs))
            .collect::<Result<_, _>>()?,
        others: others(games, file, &args.options, game, logs),
    })
}
