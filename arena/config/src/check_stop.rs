//! Checks the tables `[stop]` and `[adaptive]`.

use std::ops::Range;

use ratings::HypothesesError;

use super::check::unknown;
use super::file::{Config, Format, Limits};
use super::problem::Problem;
use super::stop::{AdaptiveKeys, PrecisionKeys, Question, SeparatedKeys, SprtKeys};
use super::value::Key;

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
    problems.extend(sprt.batch.zero("batch"));
    let seeds = &config.tournament.seeds;
    let is_gauntlet = config.tournament.format == Format::Gauntlet;
    if is_gauntlet && 1 < seeds.len() {
        problems.push(
            Problem::new(
                seeds[1].span(),
                format!(
                    "`[stop.sprt]` tests all engines against one seed, but the gauntlet has {}",
                    seeds.len()
                ),
            )
            .help("name only the base in `seeds`"),
        );
    } else if !is_gauntlet && 2 < config.engines.len() && !is_partial {
        problems.push(
            Problem::new(
                config.engines[2].name.span(),
                format!("`[stop.sprt]` tests two engines, but there are {}", config.engines.len()),
            )
            .help(
                "to test several engines against one, set `format = \"gauntlet\"` and `seeds = [\"NAME\"]` in `[tournament]`; \
                 `[stop.separated]` and `[stop.precision]` work with any number of engines",
            ),
        );
    }
    check_sprt_limits(&sprt.limits, &config.limits, problems);
    for error in sprt.wrong_hypotheses() {
        let span = match &error {
            HypothesesError::Order { .. } => key_or(&sprt.elo1, &sprt.elo0),
            HypothesesError::Size { elo, .. } if elo.total_cmp(sprt.elo0.get_ref()).is_eq() => {
                sprt.elo0.span()
            }
            HypothesesError::Size { .. } => sprt.elo1.span(),
            HypothesesError::Rate { name: "alpha", .. } => sprt.alpha.span(),
            HypothesesError::Rate { .. } => sprt.beta.span(),
        };
        problems.push(Problem::new(span, error.to_string()));
    }
}

/// Checks that the names in `order` are those of all limits, each once.
fn check_sprt_limits(order: &[Key<String>], all: &[Limits], problems: &mut Vec<Problem>) {
    let Some(last) = order.last() else { return };
    let names: Vec<&str> = all.iter().filter_map(Limits::name).collect();
    let known = names.join("`, `");
    if all.len() < 2 {
        problems.push(
            Problem::new(last.span(), "`limits` needs several tables `[[limits]]`, each with a `name`")
                .help("add them, or remove `limits`"),
        );
        return;
    }
    for (idx, key) in order.iter().enumerate() {
        let name = key.get_ref();
        if !names.contains(&name.as_str()) {
            problems.push(
                Problem::new(key.span(), format!("no `[[limits]]` have the name `{name}`"))
                    .help(format!("the names are `{known}`")),
            );
        } else if order[..idx].iter().any(|earlier| earlier.get_ref() == name) {
            problems.push(Problem::new(key.span(), format!("`{name}` is listed twice")));
        }
    }
    let is_listed = |name: &str| order.iter().any(|key| key.get_ref() == name);
    if let Some(missing) = names.iter().find(|name| !is_listed(name)) {
        problems.push(
            Problem::new(
                last.span(),
                format!("`{missing}` is missing: `limits` lists all `[[limits]]` in the order of the tests"),
            )
            .help("add it, or remove its table"),
        );
    }
}

/// The place of `key`, or of `other` if the file does not have `key`.
fn key_or(key: &Key<f64>, other: &Key<f64>) -> Range<usize> {
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
            problems.extend(n.zero("n"));
            if most < *n.get_ref() && !is_partial {
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
    engines: &Key<Vec<Key<String>>>,
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
            problems.push(unknown(engine.get_ref(), engine.span(), &config.engines));
        }
    }
}

fn check_adaptive(config: &Config, is_partial: bool, problems: &mut Vec<Problem>) {
    let AdaptiveKeys { matches, floor, batch } = &config.adaptive;
    if config.tournament.format != Format::Adaptive {
        // A wrong format was removed, and is already a problem.
        if !config.adaptive.is_default() && !is_partial {
            let spans = [matches.as_ref().map(Key::span), Some(floor.span()), Some(batch.span())];
            let span = spans.into_iter().flatten().find(|span| !span.is_empty()).unwrap_or_default();
            problems.push(
                Problem::new(span, "`[adaptive]` works only with the format `adaptive`")
                    .help("set `format = \"adaptive\"` in `[tournament]`, or remove `[adaptive]`"),
            );
        }
        return;
    }
    problems.extend(floor.zero("floor"));
    problems.extend(batch.zero("batch"));
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
