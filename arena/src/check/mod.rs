//! `arena check`: does an engine keep the protocol? A report for its author. It judges conduct, never strength, and no
//! behaviour of an engine may hold it up for ever.

mod answering;
mod bench;
mod finding;
mod games;
mod greeting;
mod info;
mod input;
mod limits;
mod list;
mod process;
mod report;
mod settings;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use engine_proto::GameId;
use tokio::time::timeout;

use self::bench::Bench;
use self::finding::{Fault, Finding, Judgement};
use self::list::{CHECKS, Check, GREETING, Scope};
use self::report::{Report, Subject};
use crate::engine::Greeting;
use crate::engine::program::{self, ProgramError};
use crate::error::Error;

/// No check takes longer, whatever the engine does.
const CHECK_LIMIT: Duration = Duration::from_secs(60);
/// After so long no more checks begin: an engine that keeps to its limits is through in seconds.
const REPORT_LIMIT: Duration = Duration::from_secs(600);

/// Check whether an engine keeps the protocol.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Print the report as JSON, with the last lines sent and received in every check.
    #[arg(long)]
    pub json: bool,
    /// Check this game only; may be given several times. Default: all that the engine lists. An engine without the
    /// option `Game` plays the one game that is named here.
    #[arg(long, value_name = "GAME", value_parser = crate::cli::game_parser())]
    pub game: Vec<GameId>,
    /// Make this check only, by the name that stands behind a finding in brackets; may be given several times.
    #[arg(long, value_name = "CHECK", value_parser = PossibleValuesParser::new(CHECKS.iter().map(|check| check.id)))]
    pub only: Vec<String>,
    /// How long to wait for an answer, the greeting included.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = humantime::parse_duration)]
    pub timeout: Duration,
    /// The engine's program: a path, or a name to look up on `PATH`.
    pub command: PathBuf,
    /// Its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}

/// Runs all checks and prints what they found.
///
/// # Errors
/// If the program is not there, the games asked for are not the engine's, a check fails, or `out` cannot be written.
pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<(), Error> {
    let program = program::find(&args.command).map_err(|error| no_program(&args.command, &error))?;
    let bench = Bench::new(program, args.args.clone(), args.timeout);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Runtime)?;
    let mut report = Report::new(out, args.json);
    runtime.block_on(async {
        tokio::select! {
            looked = look(args, bench, &mut report) => looked,
            // Where it is dropped, the engine's processes go with it.
            _ = tokio::signal::ctrl_c() => Err(Error::Stopped),
        }
    })?;
    let n_failed = report.finish()?;
    if n_failed == 0 { Ok(()) } else { Err(Error::Check { n_failed }) }
}

async fn look(args: &CheckArgs, mut bench: Bench, report: &mut Report<'_>) -> Result<(), Error> {
    let greeted = bench.greet().await;
    let greeting = match &greeted {
        Ok((greeting, _)) => greeting.clone(),
        Err(_) => Greeting::default(),
    };
    let games = if greeted.is_ok() { games(&args.game, &greeting)? } else { Vec::new() };
    report.begin(Subject::new(args, &greeting, &games))?;
    let judged = greeted.and_then(|(greeting, took)| greeting::judge(&greeting, took));
    report.add(finding(&mut bench, &GREETING, None, judged))?;

    let begun = Instant::now();
    let is_wanted = |check: &&Check| args.only.is_empty() || args.only.iter().any(|id| id == check.id);
    for check in CHECKS.iter().filter(is_wanted) {
        for (idx, &game) in games.iter().enumerate() {
            let scope = match check.scope {
                Scope::Once if 0 < idx => continue,
                Scope::Once => None,
                Scope::EachGame => Some(game),
            };
            let judged = if begun.elapsed() < REPORT_LIMIT {
                let running = timeout(CHECK_LIMIT, (check.run)(&mut bench, game)).await;
                running.unwrap_or_else(|_| Err(Fault(format!("not done after {CHECK_LIMIT:?}"))))
            } else {
                Err(Fault(format!("not begun: the checks before it took {REPORT_LIMIT:?}")))
            };
            if judged.is_err() {
                // Nothing of it shall spoil the next check.
                bench.abandon().await;
            }
            report.add(finding(&mut bench, check, scope, judged))?;
        }
    }
    bench.abandon().await;
    Ok(())
}

fn finding(
    bench: &mut Bench,
    check: &Check,
    game: Option<GameId>,
    judged: Result<Judgement, Fault>,
) -> Finding {
    Finding::new(check, game, judged, bench.take_transcript())
}

/// The games to check: those that the engine lists and the user wants.
fn games(wanted: &[GameId], greeting: &Greeting) -> Result<Vec<GameId>, Error> {
    let problem = |what: String| Error::Engines { problems: vec![what] };
    let Some(listed) = greeting.games() else {
        return match wanted {
            [game] => Ok(vec![*game]),
            _ => Err(problem(
                "the engine has no option `Game`, so it plays one game: name it with `--game`".to_owned(),
            )),
        };
    };
    if let Some(missing) = wanted.iter().find(|game| !listed.contains(game)) {
        return Err(problem(format!("the engine does not list the game `{missing}` in its option `Game`")));
    }
    if listed.is_empty() {
        return Err(problem("the engine lists no game that the arena knows: see `arena games`".to_owned()));
    }
    let is_wanted = |game: &GameId| wanted.is_empty() || wanted.contains(game);
    Ok(listed.into_iter().filter(is_wanted).collect())
}

fn no_program(command: &Path, error: &ProgramError) -> Error {
    let what = match error {
        ProgramError::NotFound { help: Some(other) } => {
            format!("there is no such file; did you mean `{}`?", other.display())
        }
        ProgramError::NotFound { help: None } => {
            "there is no such program; paths are relative to the current folder".to_owned()
        }
        ProgramError::NotRunnable { what } => {
            format!(
                "it {what}; a script needs a first line `#!...` and `chmod +x`, or its interpreter before it"
            )
        }
    };
    Error::Engines { problems: vec![format!("cannot start `{}`: {what}", command.display())] }
}

#[cfg(test)]
mod tests {
    use engine_proto::proto::OptionSpec;

    use super::*;

    #[test]
    fn the_games_to_check() {
        let listing = |ids: &[&str]| Greeting {
            options: vec![OptionSpec::combo("Game", ids[0], ids.iter().copied())],
            ..Greeting::default()
        };
        let both = listing(&["push", "chess", "push-push"]);
        assert_eq!(games(&[], &both).unwrap(), [GameId::Push, GameId::PushPush]);
        assert_eq!(games(&[GameId::PushPush], &both).unwrap(), [GameId::PushPush]);
        assert!(games(&[GameId::TowerPush], &both).unwrap_err().to_string().contains("does not list"));
        assert!(
            games(&[], &listing(&["chess"]))
                .unwrap_err()
                .to_string()
                .contains("no game that the arena knows")
        );

        let none = Greeting::default();
        assert_eq!(games(&[GameId::Push], &none).unwrap(), [GameId::Push]);
        for wanted in [&[][..], &[GameId::Push, GameId::PushPush][..]] {
            let error = games(wanted, &none).unwrap_err();
            assert_eq!(error.exit_code(), 4);
            assert!(error.to_string().contains("name it with `--game`"), "{error}");
        }
    }
}
