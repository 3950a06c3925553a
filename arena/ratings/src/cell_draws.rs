//! Draws results of matches at random, many times and fast: the counts of one cell of a simulated table.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;

use super::model::Chances;

/// The maximum number of matches that are drawn together.
const MOST_MATCHES: u64 = 16;

/// The possible results of a cell's matches, by A. J. Walker's alias method (ACM Transactions on Mathematical Software
/// 3, 1977): one random number draws a whole part of a cell.
pub(super) struct CellDraws {
    whole: Aliases,
    n_whole: u64,
    rest: Aliases,
}

/// The result of one draw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Drawn {
    /// White's points, doubled, so that they are a whole number.
    pub doubled_points: u16,
    /// The number of draws.
    pub draws: u16,
}

/// All zeros for a part without matches.
struct Aliases {
    places: Vec<Place>,
}

/// One of several equally likely entries.
#[derive(Clone, Copy)]
struct Place {
    /// The fraction up to which the first outcome is drawn.
    bound: u32,
    below: Drawn,
    above: Drawn,
}

impl CellDraws {
    /// For `matches` matches with the same probabilities `chances`.
    pub(super) fn new(chances: Chances, matches: u64) -> Self {
        let n_whole = matches / MOST_MATCHES;
        Self {
            whole: Aliases::new(chances, if n_whole == 0 { 0 } else { MOST_MATCHES }),
            n_whole,
            rest: Aliases::new(chances, matches % MOST_MATCHES),
        }
    }

    /// Fills in White's points and the draws of all cells in the slices.
    pub(super) fn draw<const N: usize>(
        &self,
        generator: &mut ChaCha8Rng,
        points: &mut [f64; N],
        draws: &mut [f64; N],
    ) {
        points.fill(0.0);
        draws.fill(0.0);
        let rest = (!self.rest.places.is_empty()).then_some(&self.rest);
        for part in (0..self.n_whole).map(|_| &self.whole).chain(rest) {
            for (points, draws) in points.iter_mut().zip(draws.iter_mut()) {
                let drawn = part.draw(generator);
                *points += 0.5 * f64::from(drawn.doubled_points);
                *draws += f64::from(drawn.draws);
            }
        }
    }
}

impl Aliases {
    fn new(chances: Chances, matches: u64) -> Self {
        if matches == 0 {
            return Self { places: Vec::new() };
        }
        // Logarithms of probabilities, so that no outcome is lost if a probability is tiny.
        let ln = |chance: f64, count: u64| if count == 0 { 0.0 } else { count as f64 * chance.ln() };
        let ln_factorial = |count: u64| (2..=count).map(|factor| (factor as f64).ln()).sum::<f64>();
        let mut outcomes = Vec::new();
        for wins in 0..=matches {
            for draws in 0..=matches - wins {
                let losses = matches - wins - draws;
                let ways =
                    ln_factorial(matches) - ln_factorial(wins) - ln_factorial(draws) - ln_factorial(losses);
                let chance =
                    (ways + ln(chances.win, wins) + ln(chances.draw, draws) + ln(chances.loss, losses)).exp();
                let drawn = Drawn { doubled_points: (2 * wins + draws) as u16, draws: draws as u16 };
                outcomes.push((chance, drawn));
            }
        }
        Self::of(&outcomes)
    }

    fn of(outcomes: &[(f64, Drawn)]) -> Self {
        let n = outcomes.len() as f64;
        let sum: f64 = outcomes.iter().map(|&(chance, _)| chance).sum();
        let mut shares: Vec<f64> = outcomes.iter().map(|&(chance, _)| chance * n / sum).collect();
        let mut places: Vec<Place> = outcomes
            .iter()
            .map(|&(_, drawn)| Place { bound: u32::MAX, below: drawn, above: drawn })
            .collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..outcomes.len()).partition(|&place| shares[place] < 1.0);
        while let (Some(&few), Some(&many)) = (small.last(), large.last()) {
            small.pop();
            places[few].bound = (shares[few] * f64::from(u32::MAX)) as u32;
            places[few].above = outcomes[many].1;
            shares[many] -= 1.0 - shares[few];
            if shares[many] < 1.0 {
                large.pop();
                small.push(many);
            }
        }
        Self { places }
    }

    fn draw(&self, generator: &mut ChaCha8Rng) -> Drawn {
        // The upper half of the product is the index, the lower half the fraction.
        let product = u64::from(generator.next_u32()) * self.places.len() as u64;
        let Place { bound, below, above } = self.places[(product >> u32::BITS) as usize];
        if product as u32 <= bound { below } else { above }
    }
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn means_and_variances_are_the_models() {
        let mut generator = ChaCha8Rng::seed_from_u64(9);
        for (chances, matches) in [
            (Chances { win: 0.5, draw: 0.3, loss: 0.2 }, 1_u64),
            (Chances { win: 0.9, draw: 0.0, loss: 0.1 }, 7),
            (Chances { win: 0.01, draw: 0.09, loss: 0.9 }, 16),
            (Chances { win: 0.6, draw: 0.39, loss: 0.01 }, 50),
        ] {
            let drawn = CellDraws::new(chances, matches);
            let n = 40_000;
            let (mut points, mut squares, mut draws) = (0.0, 0.0, 0.0);
            let (mut own_points, mut own_draws) = ([0.0; 40], [0.0; 40]);
            for _ in 0..n / 40 {
                drawn.draw(&mut generator, &mut own_points, &mut own_draws);
                points += own_points.iter().sum::<f64>() / f64::from(n);
                squares += own_points.iter().map(|it| it * it).sum::<f64>() / f64::from(n);
                draws += own_draws.iter().sum::<f64>() / f64::from(n);
            }
            let matches = matches as f64;
            let variance = matches * chances.score_variance();
            let error = 4.0 * (variance / f64::from(n)).sqrt();
            assert!((points - matches * chances.score()).abs() < error, "{chances:?} {points}");
            assert!((squares - points * points - variance).abs() < 0.05 * variance, "{chances:?}");
            let error = 4.0 * (matches * chances.draw_variance() / f64::from(n)).sqrt() + 1e-12;
            assert!((draws - matches * chances.draw).abs() < error, "{chances:?} {draws}");
        }
    }
}
