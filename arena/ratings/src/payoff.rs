//! Payoffs: the score of every engine against every other one, and the maximal lottery, a mixture of engines that no
//! engine beats. A diagnostic for tables with cycles or copies of an engine. For pairings with few matches it uses the
//! ratings.

use nalgebra::{DMatrix, DVector};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;

use super::bootstrap::{Clusters, Scatter};
use super::estimate::{Estimate, Verdict};
use super::fit_quality::cycles;
use super::results::{Outcomes, Pairing};
use super::settings::RatingSettings;
use super::tally::Tally;

/// The payoffs of one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamePayoffs {
    /// The game's id.
    pub game: String,
    /// Every two engines that met or whose ratings can be compared, in both orders, by name.
    pub payoffs: Vec<Payoff>,
    /// The maximal lottery over the core of the largest pool, by name; empty if it was not requested.
    pub lottery: Vec<LotteryPart>,
    /// Cycles of three engines: see [`FitQuality::cycles`]. Without cycles and copies, the lottery contains no more
    /// information than the ratings.
    ///
    /// [`FitQuality::cycles`]: crate::FitQuality::cycles
    pub cycles: Vec<[String; 3]>,
}

/// Whether to compute the lottery, which is slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithLottery {
    /// Payoffs only.
    No,
    /// Payoffs and the lottery with its errors.
    Yes,
}

impl GamePayoffs {
    /// The payoffs of all games of `tally`, by game.
    pub fn of(tally: &Tally, lottery: WithLottery) -> Vec<Self> {
        Self::of_games(tally, lottery, |_| true)
    }

    /// The payoffs of the games of `tally` for which `wanted` returns true.
    pub fn of_games(tally: &Tally, lottery: WithLottery, wanted: impl Fn(&str) -> bool) -> Vec<Self> {
        let settings = RatingSettings::default();
        let estimate = |results| Estimate::new(results, settings.confidence, settings.openings);
        let of_game = |(game, estimate): (u64, Estimate)| Self {
            payoffs: payoffs(&estimate),
            cycles: cycles(&estimate),
            lottery: match lottery {
                WithLottery::No => Vec::new(),
                WithLottery::Yes => lottery_parts(&estimate, game),
            },
            game: estimate.results.game,
        };
        (0..)
            .zip(tally.results())
            .filter(|(_, results)| wanted(&results.game))
            .map(|(game, results)| of_game((game, estimate(results))))
            .collect()
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

/// An engine's share in the maximal lottery.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LotteryPart {
    /// The engine.
    pub engine: String,
    /// Its share, 0 to 1.
    pub mass: f64,
    /// Its score against the lottery: one half for members, less for others.
    pub score_against: f64,
    /// The errors, by resampling.
    pub error: LotteryError,
}

/// The error of an engine's share, by resampling the matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LotteryError {
    /// The mean share.
    pub mass_mean: f64,
    /// The standard deviation of the share.
    pub mass_sd: f64,
    /// The 2.5 % quantile of the share.
    pub mass_low: f64,
    /// The 97.5 % quantile of the share.
    pub mass_high: f64,
    /// The standard deviation of the score against the lottery.
    pub score_sd: f64,
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

/// The lottery with its errors: the clusters are resampled 400 times, and each pairing gets an additional random pair,
/// so that pairings with few matches are not taken as certain.
fn lottery_parts(estimate: &Estimate, game: u64) -> Vec<LotteryPart> {
    const TIMES: u64 = 400;
    const SEED: u64 = 11;
    let matrix = PayoffMatrix::new(estimate);
    let n = matrix.engines.len();
    if n == 0 {
        return Vec::new();
    }
    let (masses, scores) = lottery(&matrix.payoffs);
    let clusters = Clusters::new(estimate);
    let drawn: Vec<(DVector<f64>, DVector<f64>)> = (0..TIMES)
        .into_par_iter()
        .map(|time| {
            let mut generator = ChaCha8Rng::seed_from_u64(SEED);
            generator.set_stream((game << 32) | time);
            let pairings = clusters.resampled(&mut generator);
            let totals: Vec<(usize, usize, f64, f64)> = pairings
                .iter()
                .map(|it| {
                    let counts = it.total.result_counts();
                    let by_lot = f64::from((generator.next_u32() & 0b11).count_ones()) - 1.0;
                    (it.first, it.second, counts.points() + by_lot, counts.matches() as f64)
                })
                .collect();
            lottery(&matrix.with(totals.into_iter()))
        })
        .collect();
    let part = |place: usize| {
        let (mut mass, mut score) = (Scatter::default(), Scatter::default());
        let mut masses_drawn: Vec<f64> = drawn.iter().map(|(masses, _)| masses[place]).collect();
        for (masses, scores) in &drawn {
            mass.add(masses[place]);
            score.add(scores[place]);
        }
        masses_drawn.sort_unstable_by(f64::total_cmp);
        LotteryPart {
            engine: estimate.results.engines[matrix.engines[place]].clone(),
            mass: masses[place],
            score_against: scores[place],
            error: LotteryError {
                mass_mean: mass.mean,
                mass_sd: mass.standard_deviation(),
                mass_low: quantile(&masses_drawn, 0.025),
                mass_high: quantile(&masses_drawn, 0.975),
                score_sd: score.standard_deviation(),
            },
        }
    };
    (0..n).map(part).collect()
}

/// The quantile of sorted numbers, interpolated linearly.
fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let place = fraction * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + part * (sorted[above] - sorted[below])
}

impl LotteryPart {
    /// Whether it is a member of the lottery: the lower end of the interval of its share is above 1 %.
    pub fn is_member(&self) -> bool {
        0.01 < self.error.mass_low
    }
}

/// The score of an engine in a pairing.
struct Played {
    clusters: u64,
    matches: u64,
    score: f64,
    se: f64,
}

impl Played {
    /// The error of the clusters, with one additional pair that scores 0 or 1.
    fn new(pairing: &Pairing, is_first: bool) -> Self {
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
            if estimate.verdict != Verdict::Regular || row == column {
                return 0.5;
            }
            let ahead = fit.strengths[engines[row]] - fit.strengths[engines[column]];
            let [white, black] = [ahead, -ahead].map(|ahead| fit.davidson.chances(ahead).score());
            0.5 * (white + 1.0 - black)
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

/// The lottery over engines, and every engine's score against it.
///
/// p = softmax(M p / η) with M = payoffs - ½ and a small η. As η approaches 0, this becomes the maximal lottery, the
/// Nash equilibrium with the greatest entropy, so that ties and copies share equally (P. C. Fishburn, *Probabilistic
/// social choice based on simple voting comparisons*, Review of Economic Studies 51, 1984). It is found by Newton's
/// steps on y = ln p for η = 1, ½, … 2⁻¹⁰.
pub(super) fn lottery(payoffs: &DMatrix<f64>) -> (DVector<f64>, DVector<f64>) {
    const HALVINGS: i32 = 10;
    const MOST_STEPS: usize = 200;
    const TOLERANCE: f64 = 1e-13;
    /// The maximum increase of a logarithm in one step.
    const LONGEST: f64 = 2.0;
    let n = payoffs.nrows();
    let advantage = payoffs.add_scalar(-0.5);
    let mut logarithms = DVector::from_element(n, -(n as f64).ln());
    let mut constant = 0.0;
    for halving in 0..=HALVINGS {
        let scale = 2f64.powi(halving);
        for _ in 0..MOST_STEPS {
            let masses = logarithms.map(f64::exp);
            let mut right = DVector::zeros(n + 1);
            let residual = &logarithms - &advantage * &masses * scale;
            for row in 0..n {
                right[row] = constant - residual[row];
            }
            right[n] = 1.0 - masses.sum();
            let jacobian = DMatrix::from_fn(n + 1, n + 1, |row, column| match (row == n, column == n) {
                (true, true) => 0.0,
                (true, false) => masses[column],
                (false, true) => -1.0,
                (false, false) => {
                    f64::from(u8::from(row == column)) - scale * advantage[(row, column)] * masses[column]
                }
            });
            let Some(step) = jacobian.lu().solve(&right) else { break };
            let highest = step.rows(0, n).max();
            let part = if LONGEST < highest { LONGEST / highest } else { 1.0 };
            logarithms += part * step.rows(0, n);
            constant += part * step[n];
            let change = (logarithms.map(f64::exp) - masses).amax();
            if change < TOLERANCE {
                break;
            }
        }
    }
    let masses = logarithms.map(f64::exp);
    let masses = &masses / masses.sum();
    let scores = (&advantage * &masses).add_scalar(0.5);
    (masses, scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(payoffs: &[f64], expected: &[f64]) {
        let n = expected.len();
        let (masses, scores) = lottery(&DMatrix::from_row_slice(n, n, payoffs));
        for (mass, expected) in masses.iter().zip(expected) {
            // The tolerance includes the effect of η above 0.
            assert!((mass - expected).abs() < 2e-3, "{masses}, expected {expected}");
        }
        assert!(scores.iter().all(|&score| score < 0.51), "{scores}");
    }

    #[test]
    fn a_cycle_shares_and_clones_share_one_part() {
        check(&[0.5, 0.8, 0.2, 0.2, 0.5, 0.8, 0.8, 0.2, 0.5], &[1.0 / 3.0; 3]);
        // The last engine is a copy of the first one.
        check(
            &[0.5, 0.8, 0.2, 0.5, 0.2, 0.5, 0.8, 0.2, 0.8, 0.2, 0.5, 0.8, 0.5, 0.8, 0.2, 0.5],
            &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        );
    }

    #[test]
    fn without_a_cycle_the_best_has_it_all() {
        check(&[0.5, 0.7, 0.9, 0.3, 0.5, 0.7, 0.1, 0.3, 0.5], &[1.0, 0.0, 0.0]);
    }
}
