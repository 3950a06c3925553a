//! Starts every engine once before the first match, to learn its name, its games and its options.

use engine_proto::GameId;
use engine_proto::proto::OptionKind;
use tokio::task::JoinSet;

use super::{EngineProblem, PrepareError};
use host::closest::closest;
use host::machine::process_limit;
use model::{IdLines, Protocol};
use opponent::{Contender, Greeting, Session, Shortage, StartError};

/// The maximum number of warnings about options of one engine that cannot be read.
const MOST_UNREADABLE: usize = 3;

/// What the engines reported.
#[derive(Debug, Default)]
pub struct Preflight {
    /// The games of the tournament that each contender plays.
    pub games: Vec<Vec<GameId>>,
    /// The option `Threads` of each contender, if it has one.
    pub threads: Vec<Option<ThreadsOption>>,
    /// Whether each contender has the option `Ponder`.
    pub can_ponder: Vec<bool>,
    /// The greeting of each contender; `None` if it did not start.
    pub ids: Vec<Option<IdLines>>,
    /// Why a contender did not start; `None` if it did.
    pub why: Vec<Option<String>>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// An engine's option for its number of search threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsOption {
    /// Its name as the engine spells it.
    pub name: String,
    /// The number of threads unless it is set.
    pub default: u32,
    /// The smallest number that the engine allows.
    pub least: u32,
}

/// Starts every contender of a tournament with the games `played`, and reads its greeting.
///
/// # Errors
/// If fewer than two start, the arena lacks what it takes to start them, or an option or game that the configuration names is not the engine's.
pub async fn preflight(contenders: &[Contender], played: &[GameId]) -> Result<Preflight, PrepareError> {
    let greetings = greet_all(contenders).await?;
    let mut found = Preflight::default();
    let mut problems = Vec::new();
    for (contender, greeting) in contenders.iter().zip(greetings) {
        match greeting {
            Ok(greeting) => {
                found.threads.push(threads(&greeting));
                found.can_ponder.push(greeting.can_ponder());
                found.warnings.extend(greeting.unreadable.iter().take(MOST_UNREADABLE).map(|line| {
                    format!("engine `{}`: ignored an option that cannot be read: {line}", contender.name())
                }));
                let Greeting { name, version, .. } = &greeting;
                found.ids.push(Some(IdLines { name: name.clone(), version: version.clone() }));
                problems.extend(option_problems(contender, &greeting));
                match games(contender, &greeting, played) {
                    Ok(games) => found.games.push(games),
                    Err(problem) => {
                        problems.push(problem);
                        found.games.push(Vec::new());
                    }
                }
                found.why.push(None);
            }
            Err(why) => {
                found.warnings.push(format!(
                    "{why}\nit is absent: its matches are forfeited and not rated; {} shows what is wrong",
                    check_command(contender)
                ));
                // The games of this engine are not known: it forfeits all games that it was configured for.
                found.games.push(contender.engine.games.clone().unwrap_or_else(|| played.to_vec()));
                found.threads.push(None);
                found.can_ponder.push(false);
                found.ids.push(None);
                found.why.push(Some(why));
            }
        }
    }
    if !problems.is_empty() {
        return Err(PrepareError::Mismatch { problems });
    }
    // A league starts one engine at a time.
    if found.why.iter().filter(|why| why.is_none()).count() < contenders.len().min(2) {
        let why = contenders.iter().zip(found.why).filter_map(|(contender, why)| Some((contender, why?)));
        let problems = why.map(|(contender, why)| did_not_start(contender, why)).collect();
        return Err(PrepareError::Mismatch { problems });
    }
    for (contender, games) in contenders.iter().zip(&found.games) {
        if games.is_empty() {
            found
                .warnings
                .push(format!("engine `{}` plays none of the games of the tournament", contender.name()));
        }
    }
    Ok(found)
}

/// The engine did not start.
pub(super) fn did_not_start(contender: &Contender, why: String) -> EngineProblem {
    let help = Some(format!("{} shows what is wrong", check_command(contender)));
    EngineProblem { key: "command", help, ..EngineProblem::new(contender, None, why) }
}

/// The command that examines an engine.
fn check_command(contender: &Contender) -> String {
    let engine = &contender.engine;
    let protocol = if engine.protocol == Protocol::Ugi { "" } else { "--protocol uci " };
    let separator = if engine.args.iter().any(|arg| arg.starts_with('-')) { "-- " } else { "" };
    let args: Vec<String> = engine.args.iter().map(|arg| for_shell(arg)).collect();
    let program = for_shell(&engine.command.display().to_string());
    let command = format!("arena check {protocol}{program} {separator}{}", args.join(" "));
    format!("`{}`", command.trim_end())
}

/// A word as a shell takes it.
fn for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%\\".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

async fn greet_all(contenders: &[Contender]) -> Result<Vec<Result<Greeting, String>>, Shortage> {
    // Where few processes are allowed, an engine must not fail because the others are there.
    let most_at_once = if process_limit().is_some() { 1 } else { contenders.len() };
    let (mut tasks, mut greetings) = (JoinSet::new(), Vec::new());
    for (idx, contender) in contenders.iter().cloned().enumerate() {
        if most_at_once <= tasks.len() {
            greetings.extend(tasks.join_next().await);
        }
        tasks.spawn(async move { (idx, greet(&contender).await) });
    }
    while let Some(greeting) = tasks.join_next().await {
        greetings.push(greeting);
    }
    let mut greetings: Vec<_> =
        greetings.into_iter().map(|greeting| greeting.expect("a greeting does not panic")).collect();
    greetings.sort_by_key(|(idx, _)| *idx);
    greetings.into_iter().map(|(_, greeting)| greeting).collect()
}

/// The greeting of an engine, or why it has none.
pub(super) async fn greet(contender: &Contender) -> Result<Result<Greeting, String>, Shortage> {
    match Session::start(contender, None).await {
        Ok(session) => {
            let greeting = session.greeting().clone();
            session.quit().await;
            Ok(Ok(greeting))
        }
        Err(StartError::Engine(why)) => Ok(Err(why.to_string())),
        Err(StartError::Arena(shortage)) => Err(shortage),
    }
}

/// The configured options that the engine does not have, or whose values it does not allow.
pub fn option_problems(contender: &Contender, greeting: &Greeting) -> Vec<EngineProblem> {
    let mut problems = Vec::new();
    for (name, value) in &contender.engine.options {
        let Some(option) = greeting.option(name) else {
            problems.push(unknown_option(contender, greeting, name));
            continue;
        };
        if let Err(error) = option.read(Some(value)) {
            let message = format!("engine `{}`: {error}", contender.name());
            problems.push(EngineProblem::new(contender, Some(name), message));
        }
    }
    problems
}

/// The engine does not have the option `name`.
pub(super) fn unknown_option(contender: &Contender, greeting: &Greeting, name: &String) -> EngineProblem {
    let names = greeting.options.iter().map(|option| option.name.as_str());
    let help = match closest(name, names.clone()) {
        Some(other) => format!("did you mean `{other}`?"),
        None => format!("it has {}", names.collect::<Vec<_>>().join(", ")),
    };
    let message = format!("engine `{}` has no option `{name}`", contender.name());
    EngineProblem { help: Some(help), ..EngineProblem::new(contender, Some(name), message) }
}

/// The engine's option `Threads`, if it is a number.
fn threads(greeting: &Greeting) -> Option<ThreadsOption> {
    let option = greeting.option("Threads")?;
    let OptionKind::Spin { default, min, .. } = option.kind else { return None };
    let least = u32::try_from(min.max(1)).ok()?;
    Some(ThreadsOption { name: option.name.clone(), default: u32::try_from(default).ok()?, least })
}

/// The tournament's games that the contender plays: those that it supports and that the configuration allows.
fn games(
    contender: &Contender,
    greeting: &Greeting,
    played: &[GameId],
) -> Result<Vec<GameId>, EngineProblem> {
    let problem = |message| Err(EngineProblem::new(contender, None, message));
    match (greeting.games(), &contender.engine.games) {
        (Some(listed), Some(wanted)) => {
            if let Some(missing) = wanted.iter().find(|game| !listed.contains(game)) {
                return problem(format!("engine `{}` does not list the game `{missing}`", contender.name()));
            }
            Ok(wanted.clone())
        }
        (Some(listed), None) => Ok(played.iter().copied().filter(|game| listed.contains(game)).collect()),
        (None, Some(wanted)) if wanted.len() == 1 => Ok(wanted.clone()),
        (None, None) if played.len() == 1 => Ok(played.to_vec()),
        (None, _) => problem(format!(
            "engine `{}` has no option `Game`, so it plays one game: name it in its `games`",
            contender.name()
        )),
    }
}

impl EngineProblem {
    pub(super) fn new(contender: &Contender, option: Option<&String>, message: String) -> Self {
        let engine = contender.name().to_owned();
        Self { engine, key: "games", option: option.cloned(), message, help: None }
    }
}
