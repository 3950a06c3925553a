//! The test of lack of fit by simulation, where chi-squared is rough: results drawn from the fitted chances, fitted anew by one
//! step. It draws; what the numbers mean is said elsewhere.

use nalgebra::DVector;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use super::cell_lottery::CellLottery;
use super::estimate::Estimate;

/// How many tables are drawn.
const TIMES: u64 = 1999;
/// Any number would do; the same one gives the same tables.
const SEED: u64 = 7;

/// What the simulated tables say.
pub(super) struct Simulated {
    /// The part of the tables, the observed one among them, whose X² is as large.
    pub p: f64,
    /// The largest |z| of a table is below this in 95 % of them.
    pub named_from: f64,
}

/// A cell of the fitted table.
struct Cell {
    pairing: usize,
    white: usize,
    black: usize,
    /// 1 where White is the pairing's first engine, -1 where it is the second.
    sign: f64,
    points: f64,
    draws: f64,
    /// The information on White's strength, and that between strength and draws.
    information: f64,
    mixed: f64,
    lottery: CellLottery,
}

/// Draws tables from the fitted chances and compares their X² with `chi_squared`. Pairings whose leverage is `most_leverage` or
/// more have no z.
pub(super) fn simulate(estimate: &Estimate, chi_squared: f64, most_leverage: f64) -> Simulated {
    let fit = &estimate.fit;
    let fitted = estimate.fitted();
    let mut cells = Vec::with_capacity(2 * fitted.len());
    let mut variances = vec![0.0; fitted.len()];
    for (place, pairing) in fitted.iter().enumerate() {
        for (white, black, cell) in pairing.cells().into_iter().filter(|(_, _, cell)| cell.matches() != 0) {
            let chances = fit.davidson.chances(fit.strengths[white] - fit.strengths[black]);
            let matches = cell.matches() as f64;
            variances[place] += matches * chances.score_variance();
            cells.push(Cell {
                pairing: place,
                white,
                black,
                sign: if white == pairing.first { 1.0 } else { -1.0 },
                points: matches * chances.score(),
                draws: matches * chances.draw,
                information: matches * chances.score_variance(),
                mixed: matches * chances.score_draw_covariance(),
                lottery: CellLottery::new(chances, cell.matches()),
            });
        }
    }
    let free: Vec<Option<f64>> = fitted
        .iter()
        .zip(&variances)
        .map(|(pairing, &variance)| {
            let leverage = variance * fit.difference_variance(pairing.first, pairing.second);
            (leverage < most_leverage).then_some(variance * (1.0 - leverage))
        })
        .collect();
    let drawn: Vec<(f64, f64)> = (0..TIMES)
        .into_par_iter()
        .map_init(
            || vec![0.0; fitted.len()],
            |surplus, time| {
                let mut generator = ChaCha8Rng::seed_from_u64(SEED);
                generator.set_stream(time);
                deviate(estimate, &cells, &mut generator, surplus);
                let squares = surplus.iter().zip(&variances).map(|(it, variance)| it * it / variance).sum();
                let largest = surplus
                    .iter()
                    .zip(&free)
                    .filter_map(|(it, free)| Some(it * it / (*free)?))
                    .fold(0.0, f64::max);
                (squares, largest.sqrt())
            },
        )
        .collect();
    let as_large = drawn.iter().filter(|&&(squares, _)| chi_squared <= squares).count();
    let mut largest: Vec<f64> = drawn.iter().map(|&(_, largest)| largest).collect();
    largest.sort_unstable_by(f64::total_cmp);
    let place = (0.95 * (TIMES + 1) as f64).ceil() as usize;
    Simulated { p: (1 + as_large) as f64 / (TIMES + 1) as f64, named_from: largest[place - 1] }
}

/// Draws a table, and fills `surplus` with what each pairing's first engine scores beyond what a fit to the table expects, by one
/// of Newton's steps.
fn deviate(estimate: &Estimate, cells: &[Cell], generator: &mut ChaCha8Rng, surplus: &mut [f64]) {
    let n = estimate.fit.strengths.len();
    let mut gradient = DVector::zeros(n + 2);
    surplus.fill(0.0);
    for cell in cells {
        let drawn = cell.lottery.draw(generator);
        let ahead = drawn.points - cell.points;
        surplus[cell.pairing] += cell.sign * ahead;
        gradient[cell.white] += ahead;
        gradient[cell.black] -= ahead;
        gradient[n] += ahead;
        gradient[n + 1] += drawn.draws - cell.draws;
    }
    let step = &estimate.fit.inverse * gradient;
    for cell in cells {
        let along = step[cell.white] - step[cell.black] + step[n];
        surplus[cell.pairing] -= cell.sign * (cell.information * along + cell.mixed * step[n + 1]);
    }
}
