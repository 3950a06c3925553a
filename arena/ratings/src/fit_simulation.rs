//! The test of lack of fit by simulation, if chi-squared is inaccurate: results are drawn with the fitted
//! probabilities, and fitted again by one step.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use nalgebra::DMatrix;
use rayon::prelude::*;

use super::cell_draws::CellDraws;
use super::estimate::Estimate;

/// The number of tables.
const TIMES: usize = 1999;
/// The number of tables that are drawn together, so that the data of a cell are used for all of them.
const BATCH: usize = 64;
/// Any number would do; the same one gives the same tables.
const SEED: u64 = 7;

/// The results of the simulated tables.
pub(super) struct Simulated {
    /// The share of tables, including the observed one, whose X² is at least as large.
    pub p: f64,
    /// The largest |z| of a table is below this in 95 % of them.
    pub named_from: f64,
}

/// A cell of the fitted table.
struct Cell {
    pairing: usize,
    white: usize,
    black: usize,
    /// 1 if White is the pairing's first engine, -1 if it is the second.
    sign: f64,
    points: f64,
    draws: f64,
    /// The information on White's strength, and that between strength and draws.
    information: f64,
    mixed: f64,
    drawn: CellDraws,
}

/// Draws tables with the fitted probabilities and compares their X² with `chi_squared`. Pairings whose leverage is at
/// least `most_leverage` have no z.
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
                drawn: CellDraws::new(chances, cell.matches()),
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
    let drawn: Vec<(f64, f64)> = (0..TIMES.div_ceil(BATCH))
        .into_par_iter()
        .flat_map_iter(|batch| {
            let mut generator = ChaCha8Rng::seed_from_u64(SEED);
            generator.set_stream(batch as u64);
            let surplus = deviate(estimate, &cells, fitted.len(), &mut generator);
            let mut seen = [(0.0, 0.0_f64); BATCH];
            for ((row, variance), free) in surplus.chunks_exact(BATCH).zip(&variances).zip(&free) {
                for ((squares, largest), surplus) in seen.iter_mut().zip(row) {
                    let square = surplus * surplus;
                    *squares += square / variance;
                    *largest = largest.max(free.map_or(0.0, |free| square / free));
                }
            }
            seen.map(|(squares, largest)| (squares, largest.sqrt()))
        })
        .collect();
    let drawn = &drawn[..TIMES];
    let as_large = drawn.iter().filter(|&&(squares, _)| chi_squared <= squares).count();
    let mut largest: Vec<f64> = drawn.iter().map(|&(_, largest)| largest).collect();
    largest.sort_unstable_by(f64::total_cmp);
    let place = (0.95 * (TIMES + 1) as f64).ceil() as usize;
    Simulated { p: (1 + as_large) as f64 / (TIMES + 1) as f64, named_from: largest[place - 1] }
}

/// Draws a batch of tables. Returns what each pairing's first engine scores minus the expectation of a fit to the
/// table, by one of Newton's steps; pairing by pairing, and for each pairing table by table.
fn deviate(estimate: &Estimate, cells: &[Cell], n_pairings: usize, generator: &mut ChaCha8Rng) -> Vec<f64> {
    let n = estimate.fit.strengths.len();
    let mut surplus = vec![0.0; n_pairings * BATCH];
    // One row per table and one column per parameter, so that memory is accessed in order.
    let mut gradient = DMatrix::zeros(BATCH, n + 2);
    for cell in cells {
        let (mut ahead, mut draws) = ([0.0; BATCH], [0.0; BATCH]);
        cell.drawn.draw(generator, &mut ahead, &mut draws);
        for (ahead, draws) in ahead.iter_mut().zip(&mut draws) {
            *ahead -= cell.points;
            *draws -= cell.draws;
        }
        let mut add = |column: usize, sign: f64, values: &[f64; BATCH]| {
            for (sum, value) in gradient.column_mut(column).iter_mut().zip(values) {
                *sum += sign * value;
            }
        };
        add(cell.white, 1.0, &ahead);
        add(cell.black, -1.0, &ahead);
        add(n, 1.0, &ahead);
        add(n + 1, 1.0, &draws);
        for (surplus, ahead) in surplus[cell.pairing * BATCH..][..BATCH].iter_mut().zip(&ahead) {
            *surplus += cell.sign * ahead;
        }
    }
    let step = gradient * &estimate.fit.inverse;
    let column = |place: usize| &step.as_slice()[place * BATCH..][..BATCH];
    for cell in cells {
        let (white, black) = (column(cell.white), column(cell.black));
        let (first_player, draw) = (column(n), column(n + 1));
        for (table, surplus) in surplus[cell.pairing * BATCH..][..BATCH].iter_mut().enumerate() {
            let along = white[table] - black[table] + first_player[table];
            *surplus -= cell.sign * (cell.information * along + cell.mixed * draw[table]);
        }
    }
    surplus
}
