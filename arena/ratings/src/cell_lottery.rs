//! Results of matches drawn by lot, many times and fast: the counts of one cell of a simulated table. Knows chances, no
//! engines.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::model::Chances;

/// Cells are drawn in parts of at most so many matches.
const MOST_MATCHES: u64 = 16;

/// What a cell's matches may bring, by A. J. Walker's method of aliases (ACM Transactions on Mathematical Software 3, 1977): one
/// random number draws a whole part of a cell.
pub(super) struct CellLottery {
    whole: Option<(Aliases, u64)>,
    rest: Option<Aliases>,
}

/// What one draw brings: White's points and the draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Drawn {
    pub points: f64,
    pub draws: f64,
}

struct Aliases {
    /// By place: up to which fraction the first outcome is drawn, and the two outcomes.
    places: Vec<(u32, Drawn, Drawn)>,
}

impl CellLottery {
    /// For `matches` matches with the same `chances`.
    pub(super) fn new(chances: Chances, matches: u64) -> Self {
        let aliases = |matches: u64| (0 < matches).then(|| Aliases::new(chances, matches));
        let n_whole = matches / MOST_MATCHES;
        Self {
            whole: aliases(MOST_MATCHES).filter(|_| 0 < n_whole).map(|it| (it, n_whole)),
            rest: aliases(matches % MOST_MATCHES),
        }
    }

    pub(super) fn draw(&self, generator: &mut ChaCha8Rng) -> Drawn {
        let mut sum = self.rest.as_ref().map_or_else(Drawn::default, |rest| rest.draw(generator));
        if let Some((whole, times)) = &self.whole {
            for _ in 0..*times {
                let drawn = whole.draw(generator);
                sum.points += drawn.points;
                sum.draws += drawn.draws;
            }
        }
        sum
    }
}

impl Aliases {
    fn new(chances: Chances, matches: u64) -> Self {
        let mut outcomes = Vec::new();
        let mut wins_chance = chances.loss.powi(matches as i32);
        // The chance of each count follows from the one before; where one underflows, those after it are as good as nothing.
        for wins in 0..=matches {
            let left = matches - wins;
            let mut chance = wins_chance;
            for draws in 0..=left {
                let points = wins as f64 + 0.5 * draws as f64;
                outcomes.push((chance, Drawn { points, draws: draws as f64 }));
                chance *= (left - draws) as f64 / (draws + 1) as f64 * chances.draw / chances.loss;
            }
            wins_chance *= left as f64 / (wins + 1) as f64 * chances.win / chances.loss;
        }
        Self::of(&outcomes)
    }

    fn of(outcomes: &[(f64, Drawn)]) -> Self {
        let n = outcomes.len() as f64;
        let sum: f64 = outcomes.iter().map(|&(chance, _)| chance).sum();
        let mut shares: Vec<f64> = outcomes.iter().map(|&(chance, _)| chance * n / sum).collect();
        let mut places: Vec<(u32, Drawn, Drawn)> =
            outcomes.iter().map(|&(_, drawn)| (u32::MAX, drawn, drawn)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..outcomes.len()).partition(|&place| shares[place] < 1.0);
        while let (Some(few), Some(&many)) = (small.pop(), large.last()) {
            places[few].0 = (shares[few] * f64::from(u32::MAX)) as u32;
            places[few].2 = outcomes[many].1;
            shares[many] -= 1.0 - shares[few];
            if shares[many] < 1.0 {
                large.pop();
                small.push(many);
            }
        }
        Self { places }
    }

    fn draw(&self, generator: &mut ChaCha8Rng) -> Drawn {
        let random = generator.next_u64();
        let place = ((random >> u32::BITS) * self.places.len() as u64) >> u32::BITS;
        let (bound, below, above) = self.places[place as usize];
        if random as u32 <= bound { below } else { above }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

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
            let lottery = CellLottery::new(chances, matches);
            let n = 40_000;
            let (mut points, mut squares, mut draws) = (0.0, 0.0, 0.0);
            for _ in 0..n {
                let drawn = lottery.draw(&mut generator);
                points += drawn.points / f64::from(n);
                squares += drawn.points * drawn.points / f64::from(n);
                draws += drawn.draws / f64::from(n);
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
