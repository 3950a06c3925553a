//! The keys of `[tune]`, their checks, and the tuning that they describe.

use std::collections::HashSet;
use std::sync::Arc;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(feature = "schema")]
use serde::Serialize;

use super::file::{self, Config, Format};
use super::problem::Problem;
use super::value::Key;
use host::closest::closest;
use model::{Engine, Tune, TuneOption};

/// The maximum number of options.
const MOST_OPTIONS: usize = 200;
/// The fewest points that a tuning makes sense with.
const FEWEST_POINTS: u32 = 10;
/// The share of all matches that may be lost by faults.
const FAULTS_PER_MATCH: u32 = 50;

/// What `arena tune` tunes: options of one engine, which plays itself.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TuneKeys {
    /// The engine, by name. Default: the engine of the file, if there is only one.
    pub engine: Option<Key<String>>,
    /// The number of pairs per game that are played with the same values. Default: 1.
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub pairs_per_point: Key<u32>,
    /// The options.
    #[serde(default, rename = "option")]
    pub options: Vec<TuneOptionKeys>,
}

/// An option to tune.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TuneOptionKeys {
    /// Its name.
    pub name: Key<String>,
    /// The lowest value to try.
    pub min: Key<f64>,
    /// The highest value to try.
    pub max: Key<f64>,
    /// The value before tuning. Default: that of the engine's `options`, or else the engine's default.
    pub start: Option<Key<f64>>,
    /// The distance, up and down, of the values that are compared at the end. A change of one step should be worth 2 to
    /// 3 Elo. Default: a twentieth of the range.
    pub step: Option<Key<f64>>,
    /// Whether the engine takes fractions, in an option of the type `string`. Default: false.
    #[serde(default)]
    pub float: bool,
}

fn one() -> Key<u32> {
    1.into()
}

impl TuneOptionKeys {
    fn step(&self) -> f64 {
        let least = if self.float { 0.0 } else { 0.5 };
        let default = ((self.max.get_ref() - self.min.get_ref()) / 20.0).max(least);
        self.step.as_ref().map_or(default, |step| *step.get_ref())
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        let numbers = [Some(&self.min), Some(&self.max), self.start.as_ref()];
        for number in numbers.into_iter().flatten() {
            let value = number.get_ref();
            // Larger numbers are not exact.
            if !(-1e15..=1e15).contains(value) {
                problems.push(Problem::new(number.span(), format!("{value:e} is too large for an option")));
            } else if !self.float && value.fract() != 0.0 {
                problems.push(
                    Problem::new(number.span(), format!("{value} is not a whole number"))
                        .help("set `float = true` if the engine takes fractions"),
                );
            }
        }
        let (min, max) = (*self.min.get_ref(), *self.max.get_ref());
        if min >= max || min.is_nan() || max.is_nan() {
            problems.push(Problem::new(self.max.span(), "`max` must be greater than `min`"));
            return;
        }
        if let Some(start) = &self.start
            && !(min..=max).contains(start.get_ref())
        {
            let message = format!("`start` is {}, but must be from {min} to {max}", start.get_ref());
            problems.push(Problem::new(start.span(), message));
        }
        let least = if self.float { f64::MIN_POSITIVE } else { 0.5 };
        if let Some(step) = &self.step
            && !(least..=(max - min) / 2.0).contains(step.get_ref())
        {
            let least = if self.float { "above 0" } else { "at least 0.5" };
            let message = format!("`step` must be {least} and at most half the range, {}", (max - min) / 2.0);
            problems.push(Problem::new(step.span(), message));
        }
    }
}

impl Config {
    /// The engine that is tuned, if the file tunes one that it has.
    fn tuned(&self) -> Option<&file::Engine> {
        match &self.tune.as_ref()?.engine {
            Some(name) => self.engines.iter().find(|engine| engine.name.get_ref() == name.get_ref()),
            None => self.engines.first().filter(|_| self.engines.len() == 1),
        }
    }

    /// The tuning, and the two engines that play: the same one with two sets of values.
    pub(super) fn tuning(&self) -> Option<(Tune, Vec<Arc<Engine>>)> {
        let keys = self.tune.as_ref()?;
        let engine = self.engine(self.tuned()?);
        let pairs_per_point = *keys.pairs_per_point.get_ref();
        let n_games = engine.games.as_ref().map_or_else(|| self.games_to_play().len(), Vec::len) as u32;
        let pairs = *self.tournament.pairs.get_ref();
        // Twice the matches at once: so that a place need not wait for the longest of them.
        let lag = u32::from(*self.tournament.concurrency.get_ref()).div_ceil(n_games * pairs_per_point);
        let most_faults = pairs.saturating_mul(2 * n_games) / FAULTS_PER_MATCH;
        let tune = Tune {
            engine: engine.name.clone(),
            pairs_per_point,
            lag: lag.clamp(1, (pairs / pairs_per_point / FEWEST_POINTS).max(1)),
            max_faults: self.tournament.max_faults.as_ref().map_or(most_faults.max(10), |n| *n.get_ref()),
            options: keys.options.iter().map(option).collect(),
        };
        let engines = ["+", "-"].map(|sign| {
            Arc::new(Engine { name: format!("{}{sign}", engine.name), build: Vec::new(), ..engine.clone() })
        });
        let mut engines = engines.to_vec();
        Arc::make_mut(&mut engines[0]).build = engine.build;
        Some((tune, engines))
    }

    /// Adds the problems of `[tune]` to `problems`.
    pub(super) fn check_tune(&self, problems: &mut Vec<Problem>) {
        let Some(keys) = &self.tune else { return };
        if self.tuned().is_none() {
            let names = self.engines.iter().map(|engine| engine.name.get_ref().as_str());
            problems.push(match &keys.engine {
                Some(name) => {
                    let problem =
                        Problem::new(name.span(), format!("no engine is named `{}`", name.get_ref()));
                    match closest(name.get_ref(), names) {
                        Some(other) => problem.help(format!("did you mean `{other}`?")),
                        None => problem.help("`engine` must be the name of an engine of the file"),
                    }
                }
                None => Problem::new(0..0, "`[tune]` must name one of the engines of the file")
                    .help("add `engine = \"...\"` to `[tune]`"),
            });
        }
        let per_point = &keys.pairs_per_point;
        let pairs = &self.tournament.pairs;
        if *per_point.get_ref() == 0 {
            problems.push(Problem::new(per_point.span(), "`pairs-per-point` is 0, but must be at least 1"));
        } else if pairs.get_ref() / per_point.get_ref() < FEWEST_POINTS {
            let least = per_point.get_ref().saturating_mul(FEWEST_POINTS);
            problems.push(
                Problem::new(pairs.span(), format!("tuning needs at least {least} `pairs`"))
                    .help("set `pairs` in `[tournament]`: 2500 for three options, 10000 for six"),
            );
        }
        let stop = &self.stop;
        for (is_given, what) in [
            (self.tournament.format != Format::RoundRobin, "another `format`"),
            (!self.pairings.is_empty(), "`[[pairing]]`"),
            (stop.precision.is_some(), "`[stop.precision]`"),
            (stop.separated.is_some(), "`[stop.separated]`"),
        ] {
            if is_given {
                let message = format!("{what} does not work with `[tune]`: one engine plays itself");
                problems.push(Problem::new(0..0, message).help("remove it"));
            }
        }
        if keys.options.is_empty() {
            problems.push(
                Problem::new(0..0, "`[tune]` has no options")
                    .help("add a `[[tune.option]]` table with `name`, `min` and `max` for each option"),
            );
        } else if keys.options.len() > MOST_OPTIONS {
            let place = keys.options[MOST_OPTIONS].name.span();
            let message = format!("at most {MOST_OPTIONS} options can be tuned together");
            problems.push(Problem::new(place, message));
        }
        let mut seen = HashSet::new();
        for option in &keys.options {
            if !seen.insert(option.name.get_ref().to_ascii_lowercase()) {
                let message = format!("the option `{}` is listed twice", option.name.get_ref());
                problems.push(Problem::new(option.name.span(), message));
            }
            option.check(problems);
        }
    }
}

fn option(keys: &TuneOptionKeys) -> TuneOption {
    TuneOption {
        name: keys.name.get_ref().clone(),
        min: *keys.min.get_ref(),
        max: *keys.max.get_ref(),
        start: keys.start.as_ref().map(|start| *start.get_ref()),
        step: keys.step(),
        float: keys.float,
    }
}
