//! The expected cost of a pair: the mean of its pairing's pairs, shrunk towards the mean of the game while there are
//! few.

use super::finished_pair::MatchSummary;

/// The unit of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostUnit {
    /// Seconds that both engines thought.
    Seconds,
    /// Plies: the same in every run if only nodes or depth limit the engines.
    Plies,
}

/// The costs of pairs, by pairing and game.
#[derive(Clone, Debug)]
pub struct Costs {
    unit: CostUnit,
    of_pairing: Vec<Mean>,
    of_game: Vec<Mean>,
    of_all: Mean,
}

/// A sum for a mean.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    n: f64,
    sum: f64,
}

impl Costs {
    /// The weight of the wider mean, in pairs.
    const PSEUDO_PAIRS: f64 = 4.0;
    /// The smallest cost of a pair relative to the mean, because the arena's own time is not included.
    const LEAST: f64 = 0.01;

    /// Without data every pair costs 1.
    pub fn new(unit: CostUnit, n_pairings: usize, n_games: usize) -> Self {
        Self {
            unit,
            of_pairing: vec![Mean::default(); n_pairings],
            of_game: vec![Mean::default(); n_games],
            of_all: Mean::default(),
        }
    }

    /// Adds a pair of a pairing in a game, both as indices, unless no move was made in it.
    pub fn add(&mut self, pairing: usize, game: usize, matches: [MatchSummary; 2]) {
        if matches.iter().all(|summary| summary.plies == 0) {
            return;
        }
        let cost: f64 = matches.iter().map(|summary| self.cost(summary)).sum();
        for mean in [&mut self.of_pairing[pairing], &mut self.of_game[game], &mut self.of_all] {
            mean.n += 1.0;
            mean.sum += cost;
        }
    }

    /// The expected cost of the next pair of a pairing in a game, greater than 0.
    pub fn expected(&self, pairing: usize, game: usize) -> f64 {
        let all = if self.of_all.sum <= 0.0 { 1.0 } else { self.of_all.sum / self.of_all.n };
        let game = self.of_game[game].drawn_to(all);
        self.of_pairing[pairing].drawn_to(game).max(Self::LEAST * all)
    }

    fn cost(&self, summary: &MatchSummary) -> f64 {
        match self.unit {
            CostUnit::Seconds => summary.time_ms as f64 / 1000.0,
            CostUnit::Plies => f64::from(summary.plies),
        }
    }
}

impl Mean {
    fn drawn_to(self, wider: f64) -> f64 {
        (self.sum + Costs::PSEUDO_PAIRS * wider) / (self.n + Costs::PSEUDO_PAIRS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratings::MatchResult;

    fn summary(plies: u32, time_ms: u64) -> MatchSummary {
        MatchSummary { result: MatchResult::Draw, plies, time_ms, is_void: false }
    }

    #[test]
    fn few_pairs_are_drawn_to_their_game() {
        let mut costs = Costs::new(CostUnit::Plies, 3, 2);
        assert!((costs.expected(0, 0) - 1.0).abs() < 1e-12);
        for _ in 0..100 {
            costs.add(0, 0, [summary(10, 0), summary(10, 0)]);
            costs.add(2, 1, [summary(50, 0), summary(50, 0)]);
        }
        costs.add(1, 0, [summary(100, 0), summary(100, 0)]);
        let [many, one, other_game] =
            [(0, 0), (1, 0), (2, 1)].map(|(pairing, game)| costs.expected(pairing, game));
        assert!((19.9..21.0).contains(&many), "{many}");
        assert!(many < one && one < 100.0, "{one}");
        assert!((98.0..100.0).contains(&other_game), "{other_game}");
    }

    #[test]
    fn matches_without_moves_make_nothing_cheap() {
        let mut costs = Costs::new(CostUnit::Seconds, 1, 1);
        costs.add(0, 0, [summary(10, 500), summary(10, 1500)]);
        let before = costs.expected(0, 0);
        costs.add(0, 0, [summary(0, 0), summary(0, 0)]);
        assert!((costs.expected(0, 0) - before).abs() < 1e-12);
        assert!((before - 2.0).abs() < 1e-12);
    }
}
