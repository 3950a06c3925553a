//! The most likely strengths of one game: damped Newton steps on the penalised likelihood. The errors of the estimates
//! are computed in [`super::covariance`].

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::model::Davidson;
use super::results::{Cell, Pairing};

/// λ, the precision of the weak normal priors on every θ, on α and on δ: mean 0, standard deviation 5.
///
/// They keep the mean of each component at 0 and make the problem strictly concave. At the optimum, an engine's points
/// minus its expected points are exactly λ·θ: a rating of 300 Elo after 100 matches changes by about 1 Elo.
pub(super) const PRIOR_PRECISION: f64 = 0.04;

/// Newton's method needs 4 to 7 steps; this number means a bug.
const MOST_STEPS: usize = 200;

/// Half the squared length of the last step, in units of the likelihood.
const TOLERANCE: f64 = 1e-10;

/// The optimum.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// θ of every engine, natural units.
    pub strengths: Vec<f64>,
    /// α and δ.
    pub davidson: Davidson,
    /// G = H⁻¹, where H is the information of the matches and of the priors, by (θ.., α, δ).
    pub inverse: DMatrix<f64>,
    /// The number of Newton steps.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test watches it"))]
    pub n_steps: usize,
}

/// The matches with the same White and Black by result; pseudo-matches are fractions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub white: usize,
    pub black: usize,
    pub wins: f64,
    pub draws: f64,
    pub losses: f64,
}

impl Counts {
    /// The matches of `cell`.
    pub(super) fn new(white: usize, black: usize, cell: Cell) -> Self {
        let [wins, draws, losses] = [cell.white_wins, cell.draws, cell.black_wins].map(f64::from);
        Self { white, black, wins, draws, losses }
    }

    fn matches(&self) -> f64 {
        self.wins + self.draws + self.losses
    }
}

impl Fit {
    /// Fits `n_engines` strengths, the first-player advantage and the draw parameter to `pairings`.
    pub(super) fn new(n_engines: usize, pairings: &[&Pairing]) -> Self {
        let cells = pairings.iter().flat_map(|pairing| pairing.cells());
        let counts: Vec<Counts> = cells
            .filter(|(_, _, cell)| cell.matches() != 0)
            .map(|(white, black, cell)| Counts::new(white, black, cell))
            .collect();
        Self::of_counts(n_engines, &counts)
    }

    /// The same for these counts.
    pub(super) fn of_counts(n_engines: usize, counts: &[Counts]) -> Self {
        let mut point = Point { strengths: vec![0.0; n_engines], davidson: first_guess(counts) };
        let mut value = point.value(counts);
        for n_steps in 0..MOST_STEPS {
            let (gradient, information) = point.derivatives(counts);
            let cholesky = factor(information);
            let step = cholesky.solve(&gradient);
            let decrement = gradient.dot(&step);
            if decrement < TOLERANCE {
                // The last step costs nothing and leaves an error of the order of the decrement.
                return point.moved(&step, 1.0).into_fit(&cholesky, n_steps);
            }
            (point, value) = climb(&point, value, &step, counts);
        }
        let (_, information) = point.derivatives(counts);
        point.into_fit(&factor(information), MOST_STEPS)
    }

    /// The variance of the difference in θ of two engines, by the information alone.
    pub(super) fn difference_variance(&self, first: usize, second: usize) -> f64 {
        let inverse = &self.inverse;
        inverse[(first, first)] + inverse[(second, second)] - 2.0 * inverse[(first, second)]
    }
}

/// A point in the space of parameters.
struct Point {
    strengths: Vec<f64>,
    davidson: Davidson,
}

impl Point {
    /// The logarithm of the likelihood, minus the priors' penalty.
    fn value(&self, counts: &[Counts]) -> f64 {
        let likelihood: f64 = counts
            .iter()
            .map(|cell| {
                let strength = self.strengths[cell.white] - self.strengths[cell.black];
                self.davidson.ln_likelihood(strength, [cell.wins, cell.draws, cell.losses])
            })
            .sum();
        let squares: f64 = self.strengths.iter().map(|strength| strength * strength).sum();
        let Davidson { first_player, draw } = self.davidson;
        likelihood - 0.5 * PRIOR_PRECISION * (squares + first_player * first_player + draw * draw)
    }

    /// Its gradient, and the negative of its matrix of second derivatives.
    fn derivatives(&self, counts: &[Counts]) -> (DVector<f64>, DMatrix<f64>) {
        let n = self.strengths.len();
        let (alpha, delta) = (n, n + 1);
        let mut gradient = DVector::zeros(n + 2);
        let mut information = DMatrix::zeros(n + 2, n + 2);
        for (engine, strength) in self.strengths.iter().enumerate() {
            gradient[engine] = -PRIOR_PRECISION * strength;
        }
        gradient[alpha] = -PRIOR_PRECISION * self.davidson.first_player;
        gradient[delta] = -PRIOR_PRECISION * self.davidson.draw;
        for parameter in 0..n + 2 {
            information[(parameter, parameter)] = PRIOR_PRECISION;
        }
        for cell in counts {
            let &Counts { white, black, wins, draws, .. } = cell;
            let matches = cell.matches();
            let chances = self.davidson.chances(self.strengths[white] - self.strengths[black]);
            let surplus = wins + 0.5 * draws - matches * chances.score();
            gradient[white] += surplus;
            gradient[black] -= surplus;
            gradient[alpha] += surplus;
            gradient[delta] += draws - matches * chances.draw;

            let score = matches * chances.score_variance();
            let mixed = matches * chances.score_draw_covariance();
            information[(white, white)] += score;
            information[(black, black)] += score;
            let (later, earlier) = (white.max(black), white.min(black));
            // The factorisation reads only the lower triangle.
            information[(later, earlier)] -= score;
            information[(alpha, white)] += score;
            information[(alpha, black)] -= score;
            information[(alpha, alpha)] += score;
            information[(delta, white)] += mixed;
            information[(delta, black)] -= mixed;
            information[(delta, alpha)] += mixed;
            information[(delta, delta)] += matches * chances.draw_variance();
        }
        (gradient, information)
    }

    fn moved(&self, step: &DVector<f64>, fraction: f64) -> Self {
        let n = self.strengths.len();
        Self {
            strengths: (0..n).map(|engine| self.strengths[engine] + fraction * step[engine]).collect(),
            davidson: Davidson {
                first_player: self.davidson.first_player + fraction * step[n],
                draw: self.davidson.draw + fraction * step[n + 1],
            },
        }
    }

    fn into_fit(self, cholesky: &Cholesky<f64, Dyn>, n_steps: usize) -> Fit {
        Fit { strengths: self.strengths, davidson: self.davidson, inverse: cholesky.inverse(), n_steps }
    }
}

/// The step, or a smaller part of it if the likelihood would decrease.
fn climb(point: &Point, value: f64, step: &DVector<f64>, counts: &[Counts]) -> (Point, f64) {
    const MOST_HALVINGS: i32 = 40;
    // Near the optimum, the gain of a step is smaller than the rounding error of the sum.
    let slack = 1e-12 * value.abs();
    let mut fraction = 1.0;
    for _ in 0..MOST_HALVINGS {
        let moved = point.moved(step, fraction);
        let new_value = moved.value(counts);
        if value - slack <= new_value {
            return (moved, new_value);
        }
        fraction *= 0.5;
    }
    (point.moved(step, fraction), value)
}

fn factor(information: DMatrix<f64>) -> Cholesky<f64, Dyn> {
    Cholesky::new(information).expect("information and prior together are positive definite")
}

/// Equal strengths, no advantage, and the draw parameter that fits equal engines.
fn first_guess(counts: &[Counts]) -> Davidson {
    let draws: f64 = counts.iter().map(|cell| cell.draws).sum();
    let matches: f64 = counts.iter().map(Counts::matches).sum();
    if matches == 0.0 {
        return Davidson::default();
    }
    Davidson { first_player: 0.0, draw: (2.0 * (draws + 0.5) / (matches - draws + 0.5)).ln() }
}
