//! The keys of `[tune]`, their checks, and the tuning that they describe.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(feature = "schema")]
use serde::Serialize;

use super::check::unknown;
use super::file::{self, Config, Format};
use super::problem::Problem;
use super::value::{GameName, Key};
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
    /// The weight of each game in the mean of the scores that the options follow, by id. Default: 1.
    #[serde(default)]
    pub weights: BTreeMap<GameName, Key<f64>>,
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
    /// The engine takes each value times this number, rounded: with 100, it gets 78 for 0.78. Default: 1.
    pub scale: Option<Key<f64>>,
}

fn one() -> Key<u32> {
    1.into()
}

impl TuneOptionKeys {
    /// The option. Its smallest step is the one that can change what the engine gets.
    fn option(&self) -> (TuneOption, f64) {
        let value = |key: &Key<f64>| *key.get_ref();
        let [min, max] = [&self.min, &self.max].map(value);
        let scale = self.scale.as_ref().map(value);
        let least = if self.float { f64::MIN_POSITIVE } else { 0.5 / scale.unwrap_or(1.0) };
        let step = self.step.as_ref().map_or(((max - min) / 20.0).max(least), value);
        let (name, start) = (self.name.get_ref().clone(), self.start.as_ref().map(value));
        (TuneOption { name, min, max, start, step, float: self.float, scale }, least)
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        let (option, least) = self.option();
        if let Some(scale) = &self.scale
            && (self.float || !(1e-9..=1e9).contains(scale.get_ref()))
        {
            let message = "`scale` must be from 1e-9 to 1e9, and `float` cannot be set as well";
            return problems.push(Problem::new(scale.span(), message));
        }
        for number in [Some(&self.min), Some(&self.max), self.start.as_ref()].into_iter().flatten() {
            let value = option.scaled(*number.get_ref());
            // Larger numbers are not exact.
            if !(-1e15..=1e15).contains(&value) {
                problems.push(Problem::new(number.span(), format!("{value:e} is too large for an option")));
            } else if !self.float && (value - value.round()).abs() > 1e-6 {
                let times = option.scale.map(|scale| format!(" times {scale}")).unwrap_or_default();
                let message = format!("{}{times} is not a whole number", number.get_ref());
                let help = "set `scale = 100` if the engine takes 78 for 0.78, or `float = true` if it takes fractions";
                problems.push(Problem::new(number.span(), message).help(help));
            }
        }
        let TuneOption { min, max, step, .. } = option;
        if min >= max || min.is_nan() || max.is_nan() {
            return problems.push(Problem::new(self.max.span(), "`max` must be greater than `min`"));
        }
        if let Some(start) = &self.start
            && !(min..=max).contains(start.get_ref())
        {
            let message = format!("`start` is {}, but must be from {min} to {max}", start.get_ref());
            problems.push(Problem::new(start.span(), message));
        }
        let most = (max - min) / 2.0;
        if let Some(key) = &self.step
            && !(least..=most).contains(&step)
        {
            let least = if self.float { "above 0".to_owned() } else { format!("at least {least}") };
            let message = format!("`step` must be {least} and at most half the range, {most}");
            problems.push(Problem::new(key.span(), message));
        }
    }
}

impl Config {
    /// The engine that is tuned and its games, if the file tunes one that it has.
    fn tuned(&self) -> Option<(&file::Engine, Vec<GameName>)> {
        let engine = match &self.tune.as_ref()?.engine {
            Some(name) => self.engines.iter().find(|engine| engine.name.get_ref() == name.get_ref()),
            None => self.engines.first().filter(|_| self.engines.len() == 1),
        }?;
        let plays = |game: &GameName| engine.games.as_ref().is_none_or(|own| own.get_ref().contains(game));
        let games = self.games_to_play().into_iter().map(|game| GameName(game.game()));
        Some((engine, games.filter(plays).collect()))
    }

    /// The tuning, and the two engines that play: the same one with two sets of values.
    pub(super) fn tuning(&self) -> Option<(Tune, Vec<Arc<Engine>>)> {
        let keys = self.tune.as_ref()?;
        let (engine, games) = self.tuned()?;
        let engine = self.engine(engine);
        let pairs_per_point = *keys.pairs_per_point.get_ref();
        // Each game is played under all limits.
        let n_games = (games.len() * self.limits.len().max(1)) as u32;
        let pairs = *self.tournament.pairs.get_ref();
        // Twice the matches at once: so that a place need not wait for the longest of them.
        let lag = u32::from(*self.tournament.concurrency.get_ref()).div_ceil(n_games * pairs_per_point);
        let most_faults = pairs.saturating_mul(2 * n_games) / FAULTS_PER_MATCH;
        let tune = Tune {
            engine: engine.name.clone(),
            pairs_per_point,
            lag: lag.clamp(1, (pairs / pairs_per_point / FEWEST_POINTS).max(1)),
            max_faults: self.tournament.max_faults.as_ref().map_or(most_faults.max(10), |n| *n.get_ref()),
            weights: keys.weights.iter().map(|(game, weight)| (game.0, *weight.get_ref())).collect(),
            options: keys.options.iter().map(|option| option.option().0).collect(),
        };
        let named = |sign: char| Engine { name: format!("{}{sign}", engine.name), ..engine.clone() };
        let engines = [named('+'), Engine { build: Vec::new(), ..named('-') }];
        Some((tune, engines.map(Arc::new).to_vec()))
    }

    /// Adds the problems of `[tune]` to `problems`.
    pub(super) fn check_tune(&self, problems: &mut Vec<Problem>) {
        let Some(keys) = &self.tune else { return };
        match (self.tuned(), &keys.engine) {
            (Some((_, games)), _) => check_weights(&keys.weights, &games, problems),
            (None, Some(name)) => problems.push(unknown(name.get_ref(), name.span(), &self.engines)),
            (None, None) => problems.push(
                Problem::new(0..0, "`[tune]` must name one of the engines of the file")
                    .help("add `engine = \"...\"` to `[tune]`"),
            ),
        }
        let (per_point, pairs) = (&keys.pairs_per_point, &self.tournament.pairs);
        problems.extend(per_point.zero("pairs-per-point"));
        let least = per_point.get_ref().saturating_mul(FEWEST_POINTS);
        if *pairs.get_ref() < least {
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
            let help = "add a `[[tune.option]]` table with `name`, `min` and `max` for each option";
            problems.push(Problem::new(0..0, "`[tune]` has no options").help(help));
        } else if let Some(option) = keys.options.get(MOST_OPTIONS) {
            let message = format!("at most {MOST_OPTIONS} options can be tuned together");
            problems.push(Problem::new(option.name.span(), message));
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

/// Checks the weights of the `games` that are played.
fn check_weights(weights: &BTreeMap<GameName, Key<f64>>, games: &[GameName], problems: &mut Vec<Problem>) {
    for (game, weight) in weights {
        let number = weight.get_ref();
        if !games.contains(game) {
            let help = "remove its weight, or add the game";
            problems.push(Problem::new(weight.span(), format!("`{game}` is not played")).help(help));
        } else if !(f64::MIN_POSITIVE..=1e6).contains(number) {
            let message =
                format!("the weight of `{game}` is {number}, but must be above 0, and at most 1000000");
            problems.push(Problem::new(weight.span(), message));
        }
    }
}
