//! Starts an engine that is to be tuned once, to learn where its options start and what it allows.

use std::sync::Arc;

use engine_proto::proto::OptionKind;

use super::preflight::{did_not_start, greet, option_problems, unknown_option};
use super::prepare::contender;
use super::{EngineProblem, PrepareError};
use model::{Engine, Tournament, TuneOption};
use opponent::{Contender, Folders, Greeting};

/// Sets the values that a tuning starts from: in the tuning, and as options of both engines.
///
/// # Errors
/// If the engine does not start, or does not allow the values that are to be tried.
pub async fn set_start_values(tournament: &mut Tournament, folders: &Folders) -> Result<(), PrepareError> {
    let Some(tune) = &mut tournament.tune else { return Ok(()) };
    let engine = Engine { name: tune.engine.clone(), ..Engine::clone(&tournament.engines[0]) };
    let contender = contender(&Arc::new(engine), folders)?;
    let greeting = greet(&contender)
        .await?
        .map_err(|why| PrepareError::Mismatch { problems: vec![did_not_start(&contender, why)] })?;
    let mut problems = option_problems(&contender, &greeting);
    for option in &mut tune.options {
        match start_value(option, &contender, &greeting) {
            Ok((name, start)) => {
                option.name = name;
                option.start = Some(start);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(PrepareError::Mismatch { problems });
    }
    for engine in &mut tournament.engines {
        let options = &mut Arc::make_mut(engine).options;
        for option in &tune.options {
            options.retain(|name, _| !name.eq_ignore_ascii_case(&option.name));
            options.insert(option.name.clone(), option.text(option.start.expect("it was set")));
        }
    }
    Ok(())
}

/// The name of an option as the engine spells it, and its value before tuning.
fn start_value(
    option: &TuneOption,
    contender: &Contender,
    greeting: &Greeting,
) -> Result<(String, f64), EngineProblem> {
    let TuneOption { name, min, max, .. } = option;
    let problem = |message: String, help: &str| EngineProblem {
        help: Some(help.to_owned()),
        ..EngineProblem::new(contender, Some(name), format!("engine `{}`: {message}", contender.name()))
    };
    let Some(found) = greeting.option(name) else { return Err(unknown_option(contender, greeting, name)) };
    let default = match &found.kind {
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::String { default } if option.float => default.clone(),
        _ => {
            let message = format!("the option `{name}` is not a number");
            return Err(problem(message, "tune options of the type `spin`, or `string` with `float = true`"));
        }
    };
    for bound in [min, max] {
        let help = "correct `min`, `max` or `scale`; options of the type `spin` take no `float`";
        found.read(Some(&option.text(*bound))).map_err(|error| problem(error.to_string(), help))?;
    }
    let set = contender.engine.options.iter().find(|(set, _)| set.eq_ignore_ascii_case(name));
    let text = set.map_or(&default, |(_, value)| value);
    let start = option.start.or_else(|| Some(text.trim().parse::<f64>().ok()? / option.scaled(1.0)));
    let tried = start.filter(|start| (*min..=*max).contains(start)).map(|start| (found.name.clone(), start));
    tried.ok_or_else(|| {
        let begun = start.map_or_else(|| format!("`{text}`"), |start| start.to_string());
        let message = format!("the option `{name}` starts from {begun}, but {min} to {max} is to be tried");
        problem(message, "correct `min` and `max`, or set `start`")
    })
}
