//! Payoffs: the score of every engine against every other one. For pairings with few matches it uses the ratings.

use nalgebra::DMatrix;
use serde::Serialize;

use super::estimate::{Estimate, FitInformation};
use super::fit_quality::cycles;
use super::results::{Outcomes, Pairing, Results};
use super::settings::RatingSettings;
use super::tally::Tally;

/// The payoffs of one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamePayoffs {
    /// The game's id.
    pub game: String,
    /// Every two engines that met or whose ratings can be compared, in both orders, by name.
    pub payoffs: Vec<Payoff>,
    /// Cycles of three engines: see [`FitQuality::cycles`].
    ///
    /// [`FitQuality::cycles`]: crate::FitQuality::cycles
    pub cycles: Vec<[String; 3]>,
}

impl GamePayoffs {
    /// The payoffs of all games of `tally`, by game.
    pub fn of(tally: &Tally) -> Vec<Self> {
        let settings = RatingSettings::default();
        let of_game = |results: Results| {
            let estimate = Estimate::new(results, settings.confidence, settings.openings);
            Self { payoffs: payoffs(&estimate), cycles: cycles(&estimate), game: estimate.results.game }
        };
        tally.results().into_iter().map(of_game).collect()
    }
}

/// The score of one engine against another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Payoff {
    /// The engine of whose view the score is.
    pub engine: String,
    /// The opponent.
    pub opponent: String,
    /// The number of clusters: pairs or other independent units.
    pub clusters: u64,
    /// Their matches.
    pub matches: u64,
    /// The engine's score, 0 to 1. `None` without matches.
    pub score: Option<f64>,
    /// The standard error of the score. `None` without matches.
    pub se: Option<f64>,
    /// The score with one additional pair whose result is as the ratings expect. Given for engines of the core of the
    /// largest pool, where ratings can be compared. The payoffs of two engines against each other add up to 1.
    pub payoff: Option<f64>,
}

/// The payoffs of one game, each pair of engines in both orders, by name.
pub(super) fn payoffs(estimate: &Estimate) -> Vec<Payoff> {
    let matrix = PayoffMatrix::new(estimate);
    let names = &estimate.results.engines;
    let mut payoffs = Vec::new();
    for engine in 0..names.len() {
        for opponent in (0..names.len()).filter(|&opponent| opponent != engine) {
            let (first, second) = (engine.min(opponent), engine.max(opponent));
            let pairings = &estimate.results.pairings;
            let played = pairings.binary_search_by_key(&(first, second), |it| (it.first, it.second)).ok();
            let played = played.map(|place| Played::new(&pairings[place], engine == first));
            let place = |engine| matrix.engines.binary_search(&engine).ok();
            let payoff =
                place(engine).zip(place(opponent)).map(|(row, column)| matrix.payoffs[(row, column)]);
            if played.is_none() && payoff.is_none() {
                continue;
            }
            payoffs.push(Payoff {
                engine: names[engine].clone(),
                opponent: names[opponent].clone(),
                clusters: played.as_ref().map_or(0, |it| it.clusters),
                matches: played.as_ref().map_or(0, |it| it.matches),
                score: played.as_ref().map(|it| it.score),
                se: played.as_ref().map(|it| it.se),
                payoff,
            });
        }
    }
    payoffs
}

/// The score of an engine in a pairing.
pub(super) struct Played {
    clusters: u64,
    matches: u64,
    score: f64,
    pub se: f64,
}

impl Played {
    /// The error of the clusters, with one additional pair that scores 0 or 1.
    pub(super) fn new(pairing: &Pairing, is_first: bool) -> Self {
        let points = |outcomes: &Outcomes| {
            let counts = outcomes.result_counts();
            if is_first { counts.points() } else { counts.swapped().points() }
        };
        let matches = pairing.total.matches();
        let score = points(&pairing.total) / matches as f64;
        let squares: f64 = pairing
            .clusters
            .iter()
            .map(|kind| {
                let surplus = points(&kind.outcomes) - kind.outcomes.matches() as f64 * score;
                f64::from(kind.count) * surplus * surplus
            })
            .sum();
        let se = (squares + 0.5).sqrt() / (matches as f64 + 2.0);
        Self { clusters: pairing.n_clusters(), matches, score, se }
    }
}

/// The payoffs inside the core of the largest pool.
pub(super) struct PayoffMatrix {
    /// The core's engines, by index.
    pub engines: Vec<usize>,
    /// By row and column: the score of the row's engine against the column's.
    pub payoffs: DMatrix<f64>,
    /// The expectation by the ratings.
    expected: DMatrix<f64>,
}

impl PayoffMatrix {
    pub(super) fn new(estimate: &Estimate) -> Self {
        let engines = estimate.structure.pools.first().map_or(Vec::new(), |pool| pool.core.clone());
        let fit = &estimate.fit;
        let expected = DMatrix::from_fn(engines.len(), engines.len(), |row, column| {
            if estimate.verdict != FitInformation::Regular || row == column {
                return 0.5;
            }
            fit.davidson.mean_score(fit.strengths[engines[row]] - fit.strengths[engines[column]])
        });
        let totals = estimate.results.pairings.iter().map(|it| {
            let counts = it.total.result_counts();
            (it.first, it.second, counts.points(), counts.matches() as f64)
        });
        let mut matrix = Self { engines, payoffs: expected.clone(), expected };
        matrix.payoffs = matrix.with(totals);
        matrix
    }

    /// The payoffs by the points of first engines in their matches against second ones, with the ratings' expectation.
    pub(super) fn with(&self, totals: impl Iterator<Item = (usize, usize, f64, f64)>) -> DMatrix<f64> {
        let mut payoffs = self.expected.clone();
        for (first, second, points, matches) in totals {
            let place = |engine| self.engines.binary_search(&engine).ok();
            let (Some(row), Some(column)) = (place(first), place(second)) else { continue };
            let payoff = (points + 2.0 * self.expected[(row, column)]) / (matches + 2.0);
            payoffs[(row, column)] = payoff;
            payoffs[(column, row)] = 1.0 - payoff;
        }
        payoffs
    }
}

/// The quantile of sorted numbers, interpolated linearly.
pub(super) fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let place = fraction * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + part * (sorted[above] - sorted[below])
}
