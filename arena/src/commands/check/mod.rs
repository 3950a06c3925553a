//! `arena check`: checks whether an engine follows the protocol, and prints a report for its author. It does not judge
//! strength. Every wait has a timeout.

mod answering;
mod bench;
mod conversation;
mod finding;
mod games;
mod greeting;
mod info;
mod input;
mod limits;
mod list;
mod process;
mod queries;
mod report;
mod rules;
mod second;
mod settings;
mod slips;
mod status;
mod transcript;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use engine_proto::fen::shown;
use engine_proto::proto::OptionKind;
use engine_proto::{GameId, Games};
use tokio::time::timeout;

use self::bench::Bench;
use self::finding::{Cause, CheckVerdict, Fault, Finding, Judged, judged, skip, warn};
use self::list::{CHECKS, Check, GATES, GREETING, Scope, Uci};
use self::report::{Report, Subject};
use self::transcript::Transcript;
use crate::commands::arguments::{EngineWords, named};
use crate::exit::{CommandError, Exit, check_rules};
use host::executable::{self, ProgramError};
use host::output::stdout_columns;
use model::Protocol;
use opponent::{Dialect, Greeting, is_chess};

/// The time limit of one check.
const CHECK_LIMIT: Duration = Duration::from_secs(60);
/// After this time, no more checks start. An engine that keeps its limits needs only seconds.
const REPORT_LIMIT: Duration = Duration::from_secs(600);
/// After this number of missing answers, no more checks start.
const MOST_SILENCES: usize = 5;

const EXAMPLES: &str = "\
Examples:
  arena check target/release/my-engine               Check all games
  arena check ./engine.py --game push --only clock   Run one check in one game
  arena check --protocol uci stockfish -- --hash 8   Check a chess engine";

/// Check that an engine follows the protocol
///
/// Starts the engine and checks its greeting, its options, its answers and their times, its limits, its moves in random
/// positions of all its games, and how it exits. Each line of the report says pass, warn, fail, or `-` for a check that
/// was skipped. A failure breaks the protocol, or would lose or block matches. It is shown with its cause, the rule in
/// PROTOCOL.md, the lines that were sent (you can paste them into the engine's input) and everything that the engine
/// answered. The exit code is 0 if no check fails, and 6 otherwise.
///
/// Options of `arena check` can be before or after the engine's program. Put `--` before arguments of the engine that
/// begin with `-`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct CheckArgs {
    /// Print the report as JSON
    ///
    /// It contains the last lines that were sent and received in each check.
    #[arg(long)]
    pub json: bool,
    /// Protocol of the engine: ugi or uci
    ///
    /// Default: ugi; with `--game chess`, the one in which the engine answers.
    /// For an engine that speaks UCI, each command is translated, checks of what UCI does not have are skipped, and what
    /// matches do not need is at most a warning. It is checked in chess, in Chess960 if it has the option `UCI_Chess960`,
    /// and in the games of its option `UCI_Variant`.
    #[arg(long, value_name = "PROTOCOL", value_parser = named::<Protocol>(&["ugi", "uci"]), hide_possible_values = true)]
    pub protocol: Option<Protocol>,
    /// Check only this game (repeatable)
    ///
    /// An engine without the option `Game` plays one game, which you name here.
    #[arg(long, alias = "games", value_name = "GAME", value_delimiter = ',', value_parser = crate::commands::arguments::game_parser(Games::built_in()), hide_possible_values = true)]
    pub game: Vec<GameId>,
    /// Run only this check (repeatable)
    ///
    /// The report prints the name of a check in brackets when it fails. The check `greeting` always runs.
    #[arg(long, value_name = "CHECK", value_parser = PossibleValuesParser::new(list::all().map(|check| check.about.id).chain(["greeting"])), hide_possible_values = true)]
    pub only: Vec<String>,
    /// Check it in the strict sandbox
    ///
    /// So it runs in a tournament with `sandbox = true`, and in a league of another owner.
    #[arg(long)]
    pub sandbox: bool,
    /// Time to wait for an answer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = crate::commands::arguments::limits::duration)]
    pub timeout: Duration,
    /// The engine's program: a path, or a name to look up on `PATH`
    pub command: PathBuf,
    /// Arguments of the engine, after `--` if they begin with `-`
    pub args: Vec<String>,
}

/// Runs all checks and prints what they found.
///
/// # Errors
/// If the program does not exist, the engine does not play a requested game, a check fails, or `out` cannot be written.
pub fn run(games: &Games, args: &CheckArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let args = &args.clone().with_words();
    let program = executable::find(&args.command).map_err(|error| no_program(&args.command, &error))?;
    let mut bench = Bench::new(games.clone(), program, args.args.clone(), args.timeout, args.protocol());
    let scratch = tempfile::tempdir()?;
    if args.sandbox {
        bench.confine(scratch.path()).map_err(CommandError::engines)?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::refused(&error))?;
    let mut report = Report::new(out, args.json, stdout_columns());
    runtime.block_on(async {
        tokio::select! {
            looked = look(args, bench, &mut report) => looked,
            // Dropping it kills the engine's processes.
            _ = tokio::signal::ctrl_c() => Err(CommandError::new(Exit::Interrupted, "stopped")),
        }
    })?;
    let n_failed = report.finish()?;
    match n_failed {
        0 => Ok(()),
        1 => Err(CommandError::new(Exit::Failed, "1 check failed")),
        n => Err(CommandError::new(Exit::Failed, format!("{n} checks failed"))),
    }
}

async fn look(args: &CheckArgs, mut bench: Bench, report: &mut Report<'_>) -> Result<(), CommandError> {
    bench.settle_protocol().await;
    let mut examination = Examination { args, bench, report, begun: Instant::now(), mistakes: Vec::new() };
    let Some(mut games) = examination.greet().await? else { return Ok(()) };
    for check in GATES.iter().filter(|check| args.wants(check)) {
        let (passed, failed) = examination.make(check, &games).await?;
        if passed.is_empty() {
            return Ok(examination.report(|report| report.stop(check.about.id))?);
        }
        if !failed.is_empty() {
            examination.report(|report| report.leave_out(&failed, check.about.id))?;
        }
        games = passed;
    }
    for check in CHECKS.iter().filter(|check| args.wants(check)) {
        examination.make(check, &games).await?;
    }
    examination.bench.abandon().await;
    Ok(())
}

impl CheckArgs {
    /// A command line in one word, as `arena play` and `arena run --engine` take it, is split.
    fn with_words(mut self) -> Self {
        if let Some(text) = self.command.to_str().filter(|text| self.args.is_empty() && text.contains(' ')) {
            let EngineWords { command, args, .. } = EngineWords::of(text);
            (self.command, self.args) = (command.into(), args);
        }
        self
    }

    /// The protocol, as of an engine of a tournament.
    fn protocol(&self) -> Protocol {
        let usual = if self.game.iter().copied().any(is_chess) { Protocol::Auto } else { Protocol::Ugi };
        self.protocol.unwrap_or(usual)
    }

    fn wants(&self, check: &Check) -> bool {
        self.only.is_empty() || self.only.iter().any(|id| id == check.about.id)
    }
}

/// All checks of one engine, in order.
struct Examination<'a, 'b> {
    args: &'a CheckArgs,
    bench: Bench,
    report: &'a mut Report<'b>,
    begun: Instant,
    /// The reported mistakes, each with the check that found it.
    mistakes: Vec<(Option<Cause>, &'static str)>,
}

impl Examination<'_, '_> {
    /// Starts the engine. Returns the games to check; `None` if no further check is possible.
    async fn greet(&mut self) -> Result<Option<Vec<GameId>>, CommandError> {
        self.bench.status.begin(GREETING.about.id, None);
        let greeted = self.bench.greet().await;
        let greeting =
            greeted.as_ref().map_or_else(|_| Greeting::default(), |(greeting, _)| greeting.clone());
        let listed = greeting::listed_games(&self.bench.games, &greeting);
        let games = match &listed {
            Ok(listed) if greeted.is_ok() => games(&self.args.game, listed.as_deref(), &greeting)?,
            _ => Vec::new(),
        };
        let subject = Subject::new(&self.args.command, &self.args.args, &greeting, &games);
        self.report(|report| report.begin(subject))?;
        let is_greeted = greeted.is_ok();
        let judged = greeted.and_then(|(greeting, took)| greeting::judge(&greeting, took));
        let transcript = self.bench.take_transcript();
        self.add(&GREETING, None, judged, transcript.clone())?;
        match listed {
            Ok(_) if is_greeted => return Ok(Some(games)),
            Ok(_) => self.report(|report| report.stop(GREETING.about.id))?,
            Err(fault) => {
                let is_game_option = |check: &&Check| check.about.id == "game-option";
                let check = CHECKS.iter().find(is_game_option).expect("it is one of the checks");
                self.add(check, None, Err(fault), transcript)?;
                self.report(|report| report.stop(check.about.id))?;
            }
        }
        Ok(None)
    }

    /// Runs a check. Returns the games that pass it and those that fail it.
    async fn make(
        &mut self,
        check: &Check,
        games: &[GameId],
    ) -> Result<(Vec<GameId>, Vec<GameId>), CommandError> {
        let (mut passed, mut failed) = (Vec::new(), Vec::new());
        match check.scope {
            Scope::Once => {
                let is_passed = self.passes(check, None, games[0]).await?;
                if is_passed { &mut passed } else { &mut failed }.extend(games);
            }
            Scope::EachGame => {
                for &game in games {
                    let is_passed = self.passes(check, Some(game), game).await?;
                    if is_passed { &mut passed } else { &mut failed }.push(game);
                }
            }
        }
        Ok((passed, failed))
    }

    /// Runs a check with this game and reports it for `scope`. Returns whether the engine passes.
    async fn passes(
        &mut self,
        check: &Check,
        scope: Option<GameId>,
        game: GameId,
    ) -> Result<bool, CommandError> {
        self.bench.status.begin(check.about.id, scope);
        let is_uci = self.bench.greeting().dialect == Dialect::Uci;
        let given_up = |why| judged(CheckVerdict::GivenUp, why);
        let mut judged = if REPORT_LIMIT <= self.begun.elapsed() {
            given_up(format!("the earlier checks took {REPORT_LIMIT:?}"))
        } else if MOST_SILENCES <= self.bench.n_silences() {
            given_up(format!("the engine did not answer {MOST_SILENCES} times"))
        } else if is_uci && check.uci == Uci::Absent {
            skip("not a part of UCI")
        } else {
            let running = timeout(CHECK_LIMIT, (check.run)(&mut self.bench, game)).await;
            running.unwrap_or_else(|_| {
                let what = format!("the check had not ended after {CHECK_LIMIT:?}");
                Err(Fault { what, cause: Some(Cause::Unfinished), rule: None })
            })
        };
        check_rules(&self.bench.games)?;
        let is_passed = judged.is_ok();
        if !is_passed {
            // The rest of its output must not disturb the next check.
            self.bench.abandon().await;
        }
        if is_uci
            && check.uci == Uci::NotNeeded
            && let Err(Fault { what, .. }) = judged
        {
            judged = warn(format!("{what}; matches do not need this"));
            self.bench.forget_silences();
        }
        let transcript = self.bench.take_transcript();
        self.add(check, scope, judged, transcript)?;
        Ok(is_passed)
    }

    /// Reports the finding of a check. A mistake that was already reported is only counted.
    fn add(
        &mut self,
        check: &Check,
        game: Option<GameId>,
        judged: Judged,
        transcript: Transcript,
    ) -> Result<(), CommandError> {
        let cause = judged.as_ref().err().map(|fault| fault.cause.clone());
        let mut finding = Finding::new(&check.about, game, judged, transcript);
        if let Some(cause) = cause
            && finding.verdict == CheckVerdict::Fail
        {
            let is_known = |known: &&(Option<Cause>, &'static str)| match &cause {
                Some(cause) => known.0.as_ref() == Some(cause),
                // A mistake of the check's own kind is made in one check only, but possibly in several games.
                None => known.0.is_none() && known.1 == check.about.id,
            };
            if let Some((_, first)) = self.mistakes.iter().find(is_known) {
                finding.verdict = CheckVerdict::Same;
                finding.same_as = Some(first);
            } else {
                self.mistakes.push((cause, check.about.id));
            }
        }
        Ok(self.report(|report| report.add(finding))?)
    }

    /// Writes to the report, which may be on the same terminal as the status.
    fn report<T>(&mut self, write: impl FnOnce(&mut Report<'_>) -> T) -> T {
        let Self { bench, report, .. } = self;
        bench.status.make_way(|| write(report))
    }
}

/// The games to check: those that the engine lists and the user wants.
fn games(
    wanted: &[GameId],
    listed: Option<&[GameId]>,
    greeting: &Greeting,
) -> Result<Vec<GameId>, CommandError> {
    let Some(listed) = listed else {
        if let [game] = wanted {
            return Ok(vec![*game]);
        }
        let known: Vec<&str> = Games::built_in().ids().collect();
        return Err(CommandError::engines(format!(
            "the engine has no option `Game`, so it plays one game; name it, as in `--game {}`; there are {}",
            known[0],
            known.join(", ")
        )));
    };
    if let Some(&game) = wanted.iter().find(|game| !listed.contains(game)) {
        return Err(CommandError::engines(format!(
            "the engine does not list the game `{game}` in its option `Game`, but {}",
            choices(greeting).join(", ")
        )));
    }
    let is_wanted = |game: &GameId| wanted.is_empty() || wanted.contains(game);
    Ok(listed.iter().copied().filter(is_wanted).collect())
}

/// The games that the engine lists, as it spells them.
fn choices(greeting: &Greeting) -> Vec<String> {
    if greeting.dialect == Dialect::Uci {
        return greeting.games().into_iter().flatten().map(|game| format!("`{game}`")).collect();
    }
    match greeting.option("Game").map(|option| &option.kind) {
        Some(OptionKind::Combo { choices, .. }) => {
            choices.iter().map(|choice| format!("`{}`", shown(choice))).collect()
        }
        _ => Vec::new(),
    }
}

fn no_program(command: &Path, error: &ProgramError) -> CommandError {
    let what = match error {
        ProgramError::NotFound { help: Some(other) } => {
            format!("there is no such file; did you mean `{}`?", other.display())
        }
        ProgramError::NotFound { help: None } => {
            "there is no such file; paths are relative to the current folder".to_owned()
        }
        ProgramError::NotOnPath { .. } => "there is no such program on `PATH`".to_owned(),
        ProgramError::NotRunnable { what } => format!("it {what}"),
        ProgramError::NoInterpreter { interpreter } => {
            format!("its interpreter `{interpreter}` does not exist")
        }
    };
    let why = error.remedy(command).map_or(what.clone(), |remedy| format!("{what}; {remedy}"));
    CommandError::engines(format!("cannot start `{}`: {why}", command.display()))
}

#[cfg(test)]
mod tests {
    use engine_proto::proto::OptionSpec;

    use super::*;
    use crate::exit::Failure;

    #[test]
    fn the_games_to_check() {
        let listing = |ids: &[&str]| Greeting {
            options: vec![OptionSpec::combo("Game", ids[0], ids.iter().copied())],
            ..Greeting::default()
        };
        let games = |wanted: &[GameId], greeting: &Greeting| {
            games(wanted, greeting::listed_games(Games::built_in(), greeting).unwrap().as_deref(), greeting)
        };
        let both = listing(&["push", "checkers", "push-push"]);
        assert_eq!(games(&[], &both).unwrap(), [GameId::PUSH, GameId::PUSH_PUSH]);
        assert_eq!(games(&[GameId::PUSH_PUSH], &both).unwrap(), [GameId::PUSH_PUSH]);
        let error = games(&[GameId::TOWER_PUSH], &both).unwrap_err().to_string();
        assert!(error.ends_with("its option `Game`, but `push`, `checkers`, `push-push`"), "{error}");

        let fault = greeting::listed_games(Games::built_in(), &listing(&["pushpush"])).unwrap_err();
        assert!(fault.what.contains("did you mean `push-push`? `arena games` lists the ids"), "{fault:?}");

        let none = Greeting::default();
        assert_eq!(games(&[GameId::PUSH], &none).unwrap(), [GameId::PUSH]);
        for wanted in [&[][..], &[GameId::PUSH, GameId::PUSH_PUSH][..]] {
            let error = games(wanted, &none).unwrap_err();
            assert_eq!(error.exit(), Exit::Engines);
            assert!(error.to_string().contains("name it, as in `--game tower-push`; there are "), "{error}");
        }
    }
}
