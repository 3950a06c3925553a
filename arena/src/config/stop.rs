//! When a tournament ends by itself, and how the format `adaptive` goes about: the keys and what is wrong with them. It
//! decides nothing.

use std::ops::Range;

use ratings::{DEFAULT_BATCH_PAIRS, Hypotheses, HypothesesError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::model::{Config, Engine, Format};
use super::problem::Problem;
use crate::closest::closest;
use crate::tournament::{EloModelKey, Scope};

/// When the tournament ends before all its matches are played. The first rule that is fulfilled ends it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Stop {
    /// When a sequential test of two engines has found which of two hypotheses is true. Default: never.
    pub sprt: Option<SprtKeys>,
    /// When every rating is known so well. Default: never.
    pub precision: Option<PrecisionKeys>,
    /// When the ratings answer a question about the engines' order. Default: never.
    pub separated: Option<SeparatedKeys>,
}

impl Stop {
    /// Whether no rule is given.
    pub const fn is_empty(&self) -> bool {
        self.sprt.is_none() && self.precision.is_none() && self.separated.is_none()
    }
}

/// A sequential test of two hypotheses on how much stronger the first engine of the file is than the second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SprtKeys {
    /// The first hypothesis: so much stronger, Elo. Default: 0.
    #[schemars(with = "f64")]
    pub elo0: Spanned<f64>,
    /// The second hypothesis: so much stronger, Elo. Default: 5.
    #[schemars(with = "f64")]
    pub elo1: Spanned<f64>,
    /// How often the second hypothesis may be accepted where the first is true. Default: 0.05.
    #[schemars(with = "f64")]
    pub alpha: Spanned<f64>,
    /// How often the first hypothesis may be accepted where the second is true. Default: 0.05.
    #[schemars(with = "f64")]
    pub beta: Spanned<f64>,
    /// What Elo means in the hypotheses. Default: `normalized`.
    pub model: EloModelKey,
    /// The test looks at the end of every so many pairs. Default: 8.
    #[schemars(with = "u64", range(min = 1))]
    pub batch: Spanned<u64>,
}

impl Default for SprtKeys {
    fn default() -> Self {
        Self {
            elo0: nowhere(0.0),
            elo1: nowhere(5.0),
            alpha: nowhere(0.05),
            beta: nowhere(0.05),
            model: EloModelKey::default(),
            batch: nowhere(DEFAULT_BATCH_PAIRS),
        }
    }
}

impl SprtKeys {
    /// The hypotheses.
    ///
    /// # Errors
    /// If they can't be tested.
    pub fn hypotheses(&self) -> Result<Hypotheses, HypothesesError> {
        let [elo0, elo1, alpha, beta] =
            [&self.elo0, &self.elo1, &self.alpha, &self.beta].map(|key| *key.get_ref());
        Hypotheses::new(self.model.into(), elo0, elo1, alpha, beta)
    }
}

/// Every rating is known so well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PrecisionKeys {
    /// Every engine's rating has an interval of at most plus and minus so much, Elo.
    #[schemars(with = "f64")]
    pub elo: Spanned<f64>,
    /// In which ratings. Default: `overall`.
    #[serde(default)]
    pub scope: Scope,
}

/// The overall ratings answer a question about the engines' order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SeparatedKeys {
    /// The question.
    #[schemars(with = "Question")]
    pub question: Spanned<Question>,
    /// For `top`: how many engines.
    #[schemars(with = "Option<usize>", range(min = 1))]
    pub n: Option<Spanned<usize>>,
    /// For `above`: the two engines, by name.
    #[schemars(with = "Option<Vec<String>>")]
    pub engines: Option<Spanned<Vec<Spanned<String>>>>,
}

/// A question about the engines' order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Which engine is the strongest?
    Best,
    /// Which are the `n` strongest, in whatever order?
    Top,
    /// What is the order of all engines?
    Order,
    /// Which of two engines, `engines`, is the stronger one?
    Above,
}

/// How the format `adaptive` goes about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AdaptiveKeys {
    /// The tournament ends after so many matches. Default: when `[stop]` says so, or every pairing has played `pairs`.
    #[schemars(with = "Option<u32>", range(min = 2))]
    pub matches: Option<Spanned<u32>>,
    /// Every pairing first plays so many pairs in every game. Default: 2.
    #[schemars(with = "u32", range(min = 1))]
    pub floor: Spanned<u32>,
    /// So many pairs, and at least a fiftieth of those before, are chosen at once. Default: 8.
    #[schemars(with = "u32", range(min = 1))]
    pub batch: Spanned<u32>,
}

impl Default for AdaptiveKeys {
    fn default() -> Self {
        Self { matches: None, floor: nowhere(2), batch: nowhere(8) }
    }
}

impl AdaptiveKeys {
    /// Whether all is left to its default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Adds to `problems` what is wrong with the rules that end a tournament and with the format `adaptive`.
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

/// The place of `key`, or that of `other` where `key` stands in no file.
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

/// No engine has this name.
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
        // A wrong format was left out, and is told already.
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

/// A value that stands in no file.
fn nowhere<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}
