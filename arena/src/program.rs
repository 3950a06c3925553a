//! The program `arena`: from arguments to the exit code. A program that adds its own game:
//!
//! ```no_run
//! # use engine_proto::games::push::Push as Hex;
//! fn main() -> std::process::ExitCode {
//!     let games = engine_proto::Games::built_in().with::<Hex>().expect("no other game has its id");
//!     arena::program::main_with(games)
//! }
//! ```

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use crate::cli::{Cli, Color, Command};
#[cfg(feature = "league")]
use crate::commands::league;
#[cfg(not(all(feature = "league", feature = "nats", feature = "packaging")))]
use crate::commands::left_out::LeftOut;
use crate::commands::run::{Error, Finished};
#[cfg(feature = "nats")]
use crate::commands::worker;
use crate::commands::{
    analyse, check, compare, export, games, history, import_fastchess, merge, perft, pgn, play, probe, rate,
    report, run, sandbox, schema, serve, show, simulate, tune, verify,
};
#[cfg(feature = "packaging")]
use crate::commands::{completions, man};
use crate::exit::{CommandError, Exit, Failure, check_rules};
use crate::paint::painted;
use anstream::ColorChoice;
use engine_proto::Games;
use host::machine;
use host::output::WhileRead;
use model::escape::{Escaping, escaped};
use model::{Cage, RefereeProgram};
use opponent::own_game::{self, NamedBy};

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    main_with(Games::default())
}

/// The same with these games.
pub fn main_with(games: Games) -> ExitCode {
    if let Some(code) = host::launch::intercept() {
        return code;
    }
    machine::raise_open_files();
    machine::survive_large_files();
    let games = match with_own_games(games) {
        Ok(games) => games,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{}", with_mark(&format!("error: {error}")));
            return ExitCode::from(Exit::Input.code());
        }
    };
    let cli = Cli::from_process(&games);
    match cli.color {
        Color::Auto => {}
        Color::Always => ColorChoice::Always.write_global(),
        Color::Never => ColorChoice::Never.write_global(),
    }
    let with_color = anstream::AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    console::set_colors_enabled_stderr(with_color);
    // A worker says itself what has failed, and continues.
    let is_worker = matches!(cli.command, Command::Worker(_));
    let mut executed = execute(&games, cli.command);
    if executed.is_ok() && !is_worker {
        executed = check_rules(&games).map_err(Into::into).and(executed);
    }
    // Their programs end.
    drop(games);
    for id in host::launch::supervisors::end_all() {
        let _ = writeln!(
            io::stderr(),
            "warning: process {id} of an engine does not end although it was killed; see `/proc/{id}/status`"
        );
    }
    let exit = executed.as_ref().map_or_else(|error| error.exit(), |exit| *exit);
    if let Err(error) = executed
        && exit != Exit::Done
    {
        for line in error.render(with_color).lines() {
            // Lines of a file keep their form, and what is marked in them.
            let is_prose = console::strip_ansi_codes(line).starts_with(char::is_alphabetic);
            let columns = host::output::stderr_columns().filter(|_| is_prose);
            let _ = writeln!(io::stderr(), "{}", ::report::tables::text::message(&with_mark(line), columns));
        }
    }
    ExitCode::from(exit.code())
}

/// A line that begins with `error:` as those of clap: bold and red.
fn with_mark(line: &str) -> Cow<'_, str> {
    const MARK: &str = "error:";
    let marked = |rest| format!("{}{rest}", console::style(MARK).for_stderr().red().bold());
    line.strip_prefix(MARK).map_or(Cow::Borrowed(line), |rest| Cow::Owned(marked(rest)))
}

/// These games and those that `--referee` names. The other arguments may name these games, so that this is done first.
fn with_own_games(mut games: Games) -> Result<Games, String> {
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = match arg.strip_prefix("--referee") {
            Some("") => args.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None if arg == "--" => return Ok(games),
            None => continue,
        };
        let Some((id, command)) = value.as_deref().and_then(|value| value.split_once('=')) else {
            return Err("`--referee` needs ID=COMMAND, such as `hex-5=python3 hex.py`".to_owned());
        };
        let command = command.split_whitespace().map(str::to_owned).collect();
        let program = RefereeProgram::new(command, Cage::default());
        games = own_game::with(&games, id, program, NamedBy::User)
            .map_err(|error| format!("the game `{id}` cannot be used: {error}"))?;
    }
    Ok(games)
}

/// Whether the command starts threads.
const fn computes(command: &Command) -> bool {
    matches!(
        command,
        Command::Run(_)
            | Command::Tune(_)
            | Command::League(_)
            | Command::Simulate(_)
            | Command::Rate(_)
            | Command::Compare(_)
            | Command::Report(_)
            | Command::Serve(_)
    )
}

fn execute(games: &Games, command: Command) -> Result<Exit, Box<dyn Failure>> {
    if computes(&command) {
        machine::start_threads().map_err(|error| {
            let remedy = "raise the limit of processes (`ulimit -u`), or end other programs";
            CommandError::new(Exit::Output, format!("cannot start the arena's threads: {error}; {remedy}"))
        })?;
    }
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    let mut exit = Exit::Done;
    match command {
        Command::Run(args) => exit = run_tournament(games, &args, &mut WhileRead(&mut out))?,
        Command::Tune(args) => exit = tune::run(games, &args, &mut WhileRead(&mut out))?,
        #[cfg(feature = "league")]
        Command::League(args) => exit = league::run(games, &args, &mut out)?,
        #[cfg(not(feature = "league"))]
        Command::League(_) => return Err(LeftOut::league("`arena league`").into()),
        #[cfg(feature = "nats")]
        Command::Worker(args) => worker::run(games, &args, &mut out)?,
        #[cfg(not(feature = "nats"))]
        Command::Worker(_) => return Err(LeftOut::nats("`arena worker`").into()),
        Command::Simulate(args) => simulate::run(games, &args, &mut out)?,
        Command::Rate(args) => {
            let mut text = Vec::new();
            rate::run(games, &args, &mut text)?;
            write!(out, "{}", painted(&String::from_utf8_lossy(&text)))?;
        }
        Command::Compare(args) => exit = compare::run(games, &args, &mut out)?,
        Command::History(args) => history::run(games, &args, &mut Escaping::new(&mut out))?,
        Command::Report(args) => report::run(games, &args, &mut out)?,
        Command::Serve(args) => serve::run(games, &args, &mut Escaping::new(&mut out))?,
        Command::Show(args) => show::run(games, &args, &mut out)?,
        Command::Verify(args) => verify::run(games, &args, &mut Escaping::new(WhileRead(&mut out)))?,
        Command::Merge(args) => merge::run(games, &args, &mut out)?,
        // A file gets every character as it is.
        Command::Pgn(args) if io::stdout().is_terminal() => {
            pgn::run(games, &args, &mut Escaping::new(WhileRead(&mut out)))?;
        }
        Command::Pgn(args) => pgn::run(games, &args, &mut WhileRead(&mut out))?,
        Command::Export(args) => export::run(games, &args, &mut WhileRead(&mut out))?,
        Command::Play(args) => play::run(games, &args, &mut Escaping::new(&mut out))?,
        Command::Analyse(args) => analyse::run(games, &args, &mut Escaping::new(&mut out))?,
        Command::Check(args) => check::run(games, &args, &mut WhileRead(&mut out))?,
        Command::Games(args) => games::run(games, &args, &mut out)?,
        Command::Perft(args) => perft::run(games, &args, &mut out)?,
        Command::Probe(args) => probe::run(games, &args, io::stdin().lock(), &mut out)?,
        Command::ImportFastchess(args) => {
            for note in import_fastchess::run(games, &args, &mut out)? {
                writeln!(io::stderr(), "note: {}", model::escape::escaped_line(&note))?;
            }
        }
        Command::Sandbox(args) => sandbox::run(&args, &mut out)?,
        #[cfg(feature = "packaging")]
        Command::Completions(args) => completions::run(&args, Cli::definition(games), &mut out)?,
        #[cfg(feature = "packaging")]
        Command::Man(args) => man::run(&args, &Cli::definition(games), &mut out)?,
        #[cfg(not(feature = "packaging"))]
        Command::Completions(_) => return Err(LeftOut::packaging("`arena completions`").into()),
        #[cfg(not(feature = "packaging"))]
        Command::Man(_) => return Err(LeftOut::packaging("`arena man`").into()),
        Command::Schema => schema::run(games, &mut out)?,
    }
    out.flush()?;
    Ok(exit)
}

/// A tournament that was stopped early also has standings.
fn run_tournament(games: &Games, args: &run::RunArgs, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut tell = |text: &str| {
        write!(out, "{}", painted(&escaped(text)))?;
        out.flush()
    };
    let Finished { test, watch, .. } = run::run(games, args, &mut tell)?;
    if let Some(watch) = watch {
        serve::until_stopped(&watch)?;
    }
    let test = test.filter(|_| args.exit_code);
    Ok(test.map_or(Exit::Done, Exit::of_test))
}
