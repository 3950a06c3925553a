//! Checks the tables `[stop]` and `[adaptive]`.

use std::ops::Range;

use ratings::HypothesesError;
use toml::Spanned;

use super::file::{Config, Engine, Format};
use super::problem::Problem;
use super::stop::{AdaptiveKeys, PrecisionKeys, Question, SeparatedKeys, SprtKeys};
use host::closest::closest;

/// Adds the problems of `[stop]` and `[adaptive]` to `problems`.
pub(super) fn check(config: &Config, is_partial: bool, problems: &mut Vec<Problem>) {
    if let Some(sprt) = &config.stop.sprt {
        check_sprt(sprt, config, is_partial, problems);
    }
    if let Some(PrecisionKeys { elo, .. }) = &config.stop.precision
        && !(0.0 < *elo.get_ref() && elo.get_ref().is_finite())
    {
        problems.push(Problem::new(elo.span(), "`elo` is half the width of an interval and must be above 0"));
    }
    if let Some(separated) = &config.stop.separated {
        check_separated(separated, config, is_partial, problems);
    }
    check_adaptive(config, is_partial, problems);
}

fn check_sprt(sprt: &SprtKeys, config: &Config, is_partial: bool, problems: &mut Vec<Problem>) {
    if *sprt.batch.get_ref() == 0 {
        problems.push(at_least_one(sprt.batch.span(), "batch"));
    }
    if 2 < config.engines.len() && !is_partial {
        problems.push(
            Problem::new(
                config.engines[2].name.span(),
                format!("`[stop.sprt]` tests exactly two engines, but the file has {}", config.engines.len()),
            )
            .help("`[stop.separated]` and `[stop.precision]` work with any number of engines"),
        );
    }
    let Err(error) = sprt.hypotheses() else { return };
    let span = match &error {
        HypothesesError::Order { .. } => key_or(&sprt.elo1, &sprt.elo0),
        HypothesesError::Size { elo, .. } if elo.total_cmp(sprt.elo0.get_ref()).is_eq() => sprt.elo0.span(),
        HypothesesError::Size { .. } => sprt.elo1.span(),
        HypothesesError::Rate { name: "alpha", .. } => sprt.alpha.span(),
        HypothesesError::Rate { .. } => sprt.beta.span(),
    };
    problems.push(Problem::new(span, error.to_string()));
}

/// The place of `key`, or of `other` if the file does not have `key`.
fn key_or(key: &Spanned<f64>, other: &Spanned<f64>) -> Range<usize> {
    if key.span().is_empty() { other.span() } else { key.span() }
}

fn check_separated(
    separated: &SeparatedKeys,
    config: &Config,
    is_partial: bool,
    problems: &mut Vec<Problem>,
) {
    let question = *separated.question.get_ref();
    match (&separated.n, question) {
        (None, Question::Top) => problems.push(
            Problem::new(separated.question.span(), "the question `top` needs `n`, the number of engines")
                .help("add `n = ...`"),
        ),
        (Some(n), Question::Top) => {
            let most = config.engines.len().saturating_sub(1);
            if *n.get_ref() == 0 {
                problems.push(at_least_one(n.span(), "n"));
            } else if most < *n.get_ref() && !is_partial {
                problems.push(Problem::new(
                    n.span(),
                    format!(
                        "`n` is {}, but with {} engines it must be at most {most}",
                        n.get_ref(),
                        config.engines.len()
                    ),
                ));
            }
        }
        (Some(n), _) => problems.push(
            Problem::new(n.span(), "`n` works only with the question `top`")
                .help("set `question = \"top\"`, or remove `n`"),
        ),
        (None, _) => {}
    }
    match (&separated.engines, question) {
        (None, Question::Above) => problems.push(
            Problem::new(separated.question.span(), "the question `above` needs two `engines`")
                .help("add `engines = [\"...\", \"...\"]`"),
        ),
        (Some(engines), Question::Above) => {
            check_two(engines, config, is_partial, problems);
        }
        (Some(engines), _) => problems.push(
            Problem::new(engines.span(), "`engines` works only with the question `above`")
                .help("set `question = \"above\"`, or remove `engines`"),
        ),
        (None, _) => {}
    }
}

fn check_two(
    engines: &Spanned<Vec<Spanned<String>>>,
    config: &Config,
    is_partial: bool,
    problems: &mut Vec<Problem>,
) {
    match engines.get_ref().as_slice() {
        [first, second] if first.get_ref() != second.get_ref() => {}
        _ => {
            problems.push(Problem::new(engines.span(), "`engines` must name two different engines"));
        }
    }
    if is_partial {
        return;
    }
    for engine in engines.get_ref() {
        let mut names = config.engines.iter().map(|engine| engine.name.get_ref().as_str());
        if !names.any(|name| name == engine.get_ref()) {
            problems.push(unknown(engine, &config.engines));
        }
    }
}

/// The problem that no engine has this name.
fn unknown(name: &Spanned<String>, engines: &[Engine]) -> Problem {
    let names = engines.iter().map(|engine| engine.name.get_ref().as_str());
    let problem = Problem::new(name.span(), format!("no engine is named `{}`", name.get_ref()));
    match closest(name.get_ref(), names.clone()) {
        Some(other) => problem.help(format!("did you mean `{other}`?")),
        None => problem.help(format!("the engines are {}", names.collect::<Vec<_>>().join(", "))),
    }
}

fn check_adaptive(config: &Config, is_partial: bool, problems: &mut Vec<Problem>) {
    let AdaptiveKeys { matches, floor, batch } = &config.adaptive;
    if config.tournament.format != Format::Adaptive {
        // A wrong format was removed, and is already a problem.
        if !config.adaptive.is_default() && !is_partial {
            let spans = [matches.as_ref().map(Spanned::span), Some(floor.span()), Some(batch.span())];
            let span = spans.into_iter().flatten().find(|span| !span.is_empty()).unwrap_or_default();
            problems.push(
                Problem::new(span, "`[adaptive]` works only with the format `adaptive`")
                    .help("set `format = \"adaptive\"` in `[tournament]`, or remove `[adaptive]`"),
            );
        }
        return;
    }
    for (key, value) in [("floor", floor), ("batch", batch)] {
        if *value.get_ref() == 0 {
            problems.push(at_least_one(value.span(), key));
        }
    }
    match matches {
        Some(matches) if *matches.get_ref() < 2 => {
            problems.push(Problem::new(matches.span(), "`matches` must be at least 2, which is one pair"));
        }
        None if config.stop.is_empty() && !is_partial => problems.push(
            Problem::new(
                0..0,
                "this `adaptive` tournament has no end before every pairing has played all `pairs`",
            )
            .help("set `matches` in `[adaptive]`, or add a rule to `[stop]`"),
        ),
        _ => {}
    }
}

fn at_least_one(span: Range<usize>, key: &str) -> Problem {
    Problem::new(span, format!("`{key}` is 0, but must be at least 1"))
}
