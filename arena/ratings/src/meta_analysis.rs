//! A random-effects meta-analysis of several games' ratings: common values, and the spread between games by REML.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::confidence::{Confidence, chi_squared_quantile};
use super::joint::JointRatings;

/// Why there is no general strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoGeneralStrength {
    /// There are more engines than the limit.
    #[error("general strength is computed for at most {most} engines")]
    TooManyEngines {
        /// The limit.
        most: usize,
    },
    /// Too few engines are rated in several games.
    #[error("no general strength: too few engines are rated in several games")]
    TooFewEngines,
    /// Some games have no rated engine in common.
    #[error("no general strength: some games have no rated engine in common")]
    Disconnected,
}

/// The games' ratings, each on orthonormal contrasts, because a game's mean contains no information.
///
/// y_g = Q_g R_g ~ N(Q_g E_g μ, S_g + τ²I), where E_g selects the game's engines and S_g = Q_g Cov_g Q_gᵀ. Each game is
/// rotated to the axes of S_g, where its covariance is diagonal for every τ. (REML: H. D. Patterson and R. Thompson,
/// *Recovery of inter-block information when block sizes are unequal*, Biometrika 58, 1971.)
pub(super) struct Meta {
    games: Vec<Game>,
    /// From the free parameters to the engines' values, whose mean is 0.
    basis: DMatrix<f64>,
    /// The maximum spread, Elo.
    largest_spread: f64,
}

struct Game {
    /// y, rotated.
    observed: DVector<f64>,
    /// Q E B, rotated: the contribution of the free parameters.
    design: DMatrix<f64>,
    /// The diagonal of S, rotated.
    variances: DVector<f64>,
    /// From the rotated contrasts back to the game's engines.
    back: DMatrix<f64>,
    /// The game's engines, by index into the common ones.
    engines: Vec<usize>,
}

/// The common values for one spread.
pub(super) struct Solution {
    /// μ of each engine, Elo, mean 0.
    pub elo: Vec<f64>,
    /// A root of their covariance, one column per engine: the covariance is rootᵀ root, Elo².
    root: DMatrix<f64>,
    /// The weighted sum of squared deviations.
    pub squares: f64,
    spread: f64,
    parameters: DVector<f64>,
    /// The logarithm of the restricted likelihood, up to a constant.
    likelihood: f64,
}

impl Meta {
    /// The analysis of `games`, whose engines are among `engines` (ascending).
    ///
    /// # Errors
    /// If the games do not have enough in common; as text.
    pub(super) fn new(engines: &[usize], games: &[&JointRatings]) -> Result<Self, NoGeneralStrength> {
        let contrasts: usize = games.iter().map(|joint| joint.engines.len() - 1).sum();
        if games.len() < 2 || contrasts < engines.len() {
            return Err(NoGeneralStrength::TooFewEngines);
        }
        if !is_connected(engines, games) {
            return Err(NoGeneralStrength::Disconnected);
        }
        let basis = contrasts_of(engines.len()).transpose();
        let range = |joint: &&JointRatings| {
            let (low, high) = joint
                .elo
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &elo| (low.min(elo), high.max(elo)));
            high - low
        };
        Ok(Self {
            games: games.iter().map(|joint| Game::new(engines, joint, &basis)).collect(),
            largest_spread: 1.0 + games.iter().map(range).fold(0.0, f64::max),
            basis,
        })
    }

    /// Contrasts minus the parameters fitted to them.
    pub(super) fn freedom(&self) -> usize {
        let contrasts: usize = self.games.iter().map(|game| game.observed.len()).sum();
        contrasts - self.basis.ncols()
    }

    /// The spread with the highest restricted likelihood, Elo.
    pub(super) fn most_likely_spread(&self) -> f64 {
        const GRID: u32 = 16;
        const PRECISION: f64 = 1e-5;
        let likelihood = |spread: f64| self.solve(spread).likelihood;
        let at = |step: u32| self.largest_spread * f64::from(step * step) / f64::from(GRID * GRID);
        let values: Vec<f64> = (0..=GRID).map(|step| likelihood(at(step))).collect();
        let best =
            (0..=GRID).rev().max_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize])).unwrap_or(0);
        let bracket = (at(best.saturating_sub(1)), at((best + 1).min(GRID)));
        let spread = golden_section(bracket, PRECISION, likelihood);
        // The search stays inside the bracket; the end itself is the answer if the games agree.
        if likelihood(spread) <= values[0] { 0.0 } else { spread }
    }

    /// The spreads that the deviations do not contradict: those whose weighted squares are between the quantiles of
    /// chi-squared. The squares decrease with the spread; an end is 0 if they are below even without a spread.
    pub(super) fn spread_interval(&self, confidence: Confidence) -> [f64; 2] {
        let freedom = self.freedom() as f64;
        let excess_at_none = self.solve(0.0).squares;
        [confidence.tail(), 1.0 - confidence.tail()].map(|above| {
            let most = chi_squared_quantile(1.0 - above, freedom);
            if excess_at_none <= most {
                return 0.0;
            }
            let excess = |spread: f64| self.solve(spread).squares - most;
            let mut high = self.largest_spread;
            while 0.0 < excess(high) {
                high *= 2.0;
            }
            falling_root([0.0, excess_at_none - most], [high, excess(high)], excess)
        })
    }

    /// The common values if the games' own deviations have the standard deviation `spread`, Elo.
    pub(super) fn solve(&self, spread: f64) -> Solution {
        let n_free = self.basis.ncols();
        let mut information = DMatrix::zeros(n_free, n_free);
        let mut right = DVector::zeros(n_free);
        let mut ln_variances = 0.0;
        for game in &self.games {
            let variances = game.variances_with(spread);
            ln_variances += variances.iter().map(|variance| variance.ln()).sum::<f64>();
            let mut weighted = game.design.clone();
            for (mut row, variance) in weighted.row_iter_mut().zip(&variances) {
                row /= *variance;
            }
            right += weighted.tr_mul(&game.observed);
            information += weighted.tr_mul(&game.design);
        }
        let cholesky =
            Cholesky::new(information).expect("connected games determine all differences of their engines");
        let parameters = cholesky.solve(&right);
        let squares: f64 = self.games.iter().map(|game| game.squares(&parameters, spread)).sum();
        let root = cholesky
            .l()
            .solve_lower_triangular(&self.basis.transpose())
            .expect("a Cholesky factor has no zero on its diagonal");
        let elo = (&self.basis * &parameters).iter().copied().collect();
        let likelihood = -0.5 * (ln_variances + cholesky.ln_determinant() + squares);
        Solution { elo, root, squares, spread, parameters, likelihood }
    }

    /// The best estimates of the ratings in `game`, in the order of its engines: μ + τ² Qᵀ W (y - fit).
    pub(super) fn guesses(&self, game: usize, solution: &Solution) -> Vec<f64> {
        let game = &self.games[game];
        let residuals = &game.observed - &game.design * &solution.parameters;
        let spread = solution.spread;
        let drawn = residuals.component_div(&game.variances_with(spread)) * (spread * spread);
        let own = &game.back * drawn;
        game.engines.iter().zip(own.iter()).map(|(&engine, own)| solution.elo[engine] + own).collect()
    }
}

impl Solution {
    /// The same values relative to the mean of some engines.
    pub(super) fn centred_on(mut self, engines: &[usize]) -> Self {
        let n = engines.len() as f64;
        let mean = engines.iter().map(|&engine| self.elo[engine]).sum::<f64>() / n;
        self.elo.iter_mut().for_each(|elo| *elo -= mean);
        let mean = self.root.select_columns(engines).column_sum() / n;
        self.root.column_iter_mut().for_each(|mut column| column -= &mean);
        self
    }

    /// The variance of an engine's value, Elo².
    pub(super) fn variance(&self, engine: usize) -> f64 {
        self.root.column(engine).norm_squared()
    }

    /// The variance of the difference of two engines' values, Elo².
    pub(super) fn difference_variance(&self, engine: usize, other: usize) -> f64 {
        (self.root.column(engine) - self.root.column(other)).norm_squared()
    }
}

impl Game {
    fn new(engines: &[usize], joint: &JointRatings, basis: &DMatrix<f64>) -> Self {
        /// Elo²: the minimum variance of a contrast.
        const SMALLEST_VARIANCE: f64 = 1e-6;
        let places: Vec<usize> =
            joint.engines.iter().filter_map(|engine| engines.binary_search(engine).ok()).collect();
        let contrasts = contrasts_of(places.len());
        let eigen = (&contrasts * joint.joint_covariance() * contrasts.transpose()).symmetric_eigen();
        let turned = eigen.eigenvectors.tr_mul(&contrasts);
        Self {
            observed: &turned * DVector::from_column_slice(&joint.elo),
            design: &turned * basis.select_rows(&places),
            variances: eigen.eigenvalues.map(|variance| variance.max(SMALLEST_VARIANCE)),
            back: turned.transpose(),
            engines: places,
        }
    }

    fn variances_with(&self, spread: f64) -> DVector<f64> {
        self.variances.add_scalar(spread * spread)
    }

    fn squares(&self, parameters: &DVector<f64>, spread: f64) -> f64 {
        let residuals = &self.observed - &self.design * parameters;
        residuals
            .iter()
            .zip(&self.variances_with(spread))
            .map(|(residual, variance)| residual * residual / variance)
            .sum()
    }
}

/// `n - 1` orthonormal rows, each with the sum 0: Helmert's contrasts.
pub(super) fn contrasts_of(n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n - 1, n, |row, column| {
        let before = (row + 1) as f64;
        let length = (before * (before + 1.0)).sqrt();
        match column.cmp(&(row + 1)) {
            std::cmp::Ordering::Less => 1.0 / length,
            std::cmp::Ordering::Equal => -before / length,
            std::cmp::Ordering::Greater => 0.0,
        }
    })
}

/// Whether every engine is linked to every other through games that rate them.
fn is_connected(engines: &[usize], games: &[&JointRatings]) -> bool {
    let mut reached = vec![false; engines.len()];
    let mut is_left: Vec<&JointRatings> = games.to_vec();
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    loop {
        let place = |engine: &usize| engines.binary_search(engine).unwrap_or(0);
        let (joined, rest): (Vec<&JointRatings>, Vec<&JointRatings>) =
            is_left.iter().partition(|joint| joint.engines.iter().any(|engine| reached[place(engine)]));
        if joined.is_empty() {
            return rest.is_empty();
        }
        for engine in joined.iter().flat_map(|joint| &joint.engines) {
            reached[place(engine)] = true;
        }
        is_left = rest;
    }
}

/// The zero of a decreasing function between a point with a positive and one with a negative value: false position with
/// the Illinois rule (M. Dowell and P. Jarratt, BIT 11, 1971).
fn falling_root(
    [mut low, mut above]: [f64; 2],
    [mut high, mut below]: [f64; 2],
    value: impl Fn(f64) -> f64,
) -> f64 {
    const MOST_STEPS: usize = 100;
    const PRECISION: f64 = 1e-6;
    let mut place = low;
    let mut was_positive = None;
    for _ in 0..MOST_STEPS {
        let last = place;
        place = low + (high - low) * above / (above - below);
        if (place - last).abs() < PRECISION {
            break;
        }
        let found = value(place);
        let is_positive = 0.0 < found;
        // An end that stays twice counts half.
        let is_again = was_positive == Some(is_positive);
        was_positive = Some(is_positive);
        if is_positive {
            (low, above) = (place, found);
            below *= if is_again { 0.5 } else { 1.0 };
        } else {
            (high, below) = (place, found);
            above *= if is_again { 0.5 } else { 1.0 };
        }
    }
    place
}

/// The maximum between the ends, if there is one peak (J. Kiefer, 1953).
fn golden_section((mut low, mut high): (f64, f64), precision: f64, value: impl Fn(f64) -> f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let (mut left, mut right) = (high - RATIO * (high - low), low + RATIO * (high - low));
    let (mut left_value, mut right_value) = (value(left), value(right));
    while precision < high - low {
        if left_value < right_value {
            (low, left, left_value) = (left, right, right_value);
            right = low + RATIO * (high - low);
            right_value = value(right);
        } else {
            (high, right, right_value) = (right, left, left_value);
            left = high - RATIO * (high - low);
            left_value = value(left);
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::Evidence;

    #[test]
    fn contrasts_are_orthonormal_and_add_up_to_nothing() {
        let contrasts = contrasts_of(6);
        assert!((&contrasts * contrasts.transpose() - DMatrix::identity(5, 5)).norm() < 1e-14);
        assert!(contrasts.column_sum().norm() < 1e-14);
    }

    #[test]
    fn the_peak_is_found() {
        let peak = golden_section((0.0, 10.0), 1e-7, |x| -(x - 3.25).powi(2));
        assert!((peak - 3.25).abs() < 1e-6, "{peak}");
        assert!(golden_section((0.0, 1.0), 1e-7, |x| -x) < 1e-6);
    }

    #[test]
    fn the_root_is_found() {
        let value = |x: f64| 100.0 / (1.0 + x * x) - 2.0;
        let root = falling_root([0.0, value(0.0)], [1000.0, value(1000.0)], value);
        assert!((root - 7.0).abs() < 1e-6, "{root}");
    }

    fn game(engines: &[usize], elo: &[f64], error: f64) -> JointRatings {
        let n = engines.len();
        let covariance = DMatrix::from_diagonal_element(n, n, error * error);
        JointRatings {
            engines: engines.to_vec(),
            elo: elo.to_vec(),
            covariance,
            by_opening: None,
            evidence: vec![Evidence::normal(100, 100); n],
            inflation: 1.0,
        }
    }

    /// Games with equal errors are a usual analysis of variance: τ² + error² is the mean square of the residuals.
    #[test]
    fn equal_errors_make_an_analysis_of_variance() {
        let (first, second) = ([100.0, 0.0, -100.0], [40.0, 60.0, -100.0]);
        let games = [game(&[0, 1, 2], &first, 10.0), game(&[0, 1, 2], &second, 10.0)];
        let meta = Meta::new(&[0, 1, 2], &[&games[0], &games[1]]).unwrap();
        let squares: f64 = first.iter().zip(second).map(|(a, b)| 0.5 * (a - b) * (a - b)).sum();
        assert_eq!(meta.freedom(), 2);
        let spread = meta.most_likely_spread();
        assert!((spread * spread + 100.0 - squares / 2.0).abs() < 1e-2, "{spread}");
        let solution = meta.solve(spread);
        for (elo, expected) in solution.elo.iter().zip([70.0, 30.0, -100.0]) {
            assert!((elo - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn games_that_agree_have_no_spread() {
        let games =
            [game(&[0, 1, 2], &[50.0, 0.0, -50.0], 10.0), game(&[0, 1, 2], &[51.0, -1.0, -50.0], 10.0)];
        let meta = Meta::new(&[0, 1, 2], &[&games[0], &games[1]]).unwrap();
        assert!(meta.most_likely_spread().abs() < 1e-12);
    }

    #[test]
    fn engines_may_miss_games_but_not_all_links() {
        let games = [
            game(&[0, 1, 2], &[50.0, 0.0, -50.0], 10.0),
            game(&[1, 2, 3], &[50.0, 0.0, -50.0], 10.0),
            game(&[4, 5, 6], &[50.0, 0.0, -50.0], 10.0),
        ];
        let solution = Meta::new(&[0, 1, 2, 3], &[&games[0], &games[1]]).unwrap().solve(0.0);
        for (elo, expected) in solution.elo.iter().zip([75.0, 25.0, -25.0, -75.0]) {
            assert!((elo - expected).abs() < 1e-9);
        }
        assert!(Meta::new(&[0, 1, 2, 4, 5, 6], &[&games[0], &games[2], &games[0], &games[2]]).is_err());
        assert!(Meta::new(&[0, 1, 2], &[&games[0]]).is_err());
    }
}
