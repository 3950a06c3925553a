//! What one more pair would tell: how much it is expected to sharpen one game's ratings. It chooses nothing, and knows no
//! cost.

use nalgebra::{DMatrix, DVector};

use super::covariance::Clustered;
use super::fit::Fit;
use super::model::Davidson;
use super::results::{Pairing, Results};
use super::scale::Scale;
use super::tally::Tally;

/// What is known of one game, and what pairs yet to come would add to it.
///
/// The aim is A-optimality (A. C. Atkinson and A. N. Donev, *Optimum Experimental Designs*, 1992): the smallest sum of the
/// ratings' variances. A pair's information is taken at the ratings so far, divided by φ, the measured variance of pairs
/// relative to the model's. Each variance counts with the square of the slope of the expected score against the nearest
/// other engine, 1 where that is an equal: a rating that is far from all others can hardly be sharpened by any match, nor
/// need it be to tell the engines apart, and in plain Elo² it would draw all the matches. Ratings are relative to their
/// mean, weighed in the same way, for the same reason.
#[derive(Clone, Debug)]
pub struct Design {
    davidson: Davidson,
    elo_per_unit: f64,
    /// φ in the direction of strength.
    phi: f64,
    /// θ by engine.
    strengths: Vec<f64>,
    /// φ·G, by engine: the variances of θ.
    covariance: DMatrix<f64>,
    /// How much each engine's variance counts: 0 to 1.
    weights: Vec<f64>,
}

impl Design {
    /// What `tally` tells of `game`, for the engines that play it; they are counted in this order. Without matches all
    /// are equal, and nothing is known but the prior.
    pub fn new(tally: &Tally, game: &str, engines: &[&str]) -> Self {
        let results = tally.results().into_iter().find(|results| results.game == game);
        let pairings = results.map(|results| renumbered(&results, engines)).unwrap_or_default();
        let pairings: Vec<&Pairing> = pairings.iter().collect();
        let n = engines.len();
        let fit = Fit::new(n, &pairings);
        let phi = Clustered::new(&fit, &pairings).dispersion.strength;
        let covariance = phi * fit.inverse.view((0, 0), (n, n));
        let mut design = Self {
            davidson: fit.davidson,
            elo_per_unit: Scale::new(fit.davidson.draw).elo_per_unit,
            phi,
            strengths: fit.strengths,
            covariance,
            weights: vec![1.0; n],
        };
        design.weights = (0..n).map(|engine| design.weight(engine)).collect();
        design
    }

    /// By how much the weighed sum of the ratings' variances is expected to fall by a pair between two engines, Elo².
    pub fn gain(&self, first: usize, second: usize) -> f64 {
        let (along, information) = self.update(first, second);
        let weighed: f64 = along.iter().zip(&self.weights).map(|(change, weight)| weight * change).sum();
        let mean = weighed / self.weights.iter().sum::<f64>();
        let squares: f64 =
            along.iter().zip(&self.weights).map(|(change, weight)| weight * (change - mean).powi(2)).sum();
        self.elo_per_unit.powi(2) * squares * information
    }

    /// Takes a pair between two engines for played, its results as expected.
    pub fn assume(&mut self, first: usize, second: usize) {
        let (along, information) = self.update(first, second);
        self.covariance -= information * &along * along.transpose();
    }

    /// A pair changes the covariance C by -i·(C·d)(C·d)ᵀ, where d is +1 at the first and -1 at the second engine, and
    /// i = I / (1 + I·dᵀ·C·d) with the pair's information I. These are C·d and i.
    fn update(&self, first: usize, second: usize) -> (DVector<f64>, f64) {
        let along = self.covariance.column(first) - self.covariance.column(second);
        let information = self.information(self.strengths[first] - self.strengths[second]) / self.phi;
        let shrunk = information / (1.0 + information * (along[first] - along[second]));
        (along, shrunk)
    }

    /// The information of a pair, sides swapped, on a difference in strength. What it tells of the first player's advantage
    /// cancels.
    fn information(&self, difference: f64) -> f64 {
        self.davidson.chances(difference).score_variance()
            + self.davidson.chances(-difference).score_variance()
    }

    /// The squared slope of the expected score against the nearest other engine, relative to that between equals.
    fn weight(&self, engine: usize) -> f64 {
        let own = self.strengths[engine];
        let distances = self.strengths.iter().enumerate().filter(|(other, _)| *other != engine);
        let nearest =
            distances.map(|(_, strength)| (strength - own).abs()).min_by(f64::total_cmp).unwrap_or(0.0);
        (self.information(nearest) / self.information(0.0)).powi(2).min(1.0)
    }
}

/// The pairings of `results` with the engines counted as in `engines`; those of others are left out.
fn renumbered(results: &Results, engines: &[&str]) -> Vec<Pairing> {
    let places: Vec<Option<usize>> =
        results.engines.iter().map(|name| engines.iter().position(|engine| engine == name)).collect();
    let renumber = |pairing: &Pairing| {
        let (first, second) = (places[pairing.first]?, places[pairing.second]?);
        Some(Pairing { first, second, ..pairing.clone() })
    };
    results.pairings.iter().filter_map(renumber).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::tally::FinishedMatch;
    use crate::record::MatchResult::{BlackWins, Draw, WhiteWins};

    /// `wins` pairs won twice, `level` ones of a win and a loss, for each two engines.
    fn tally(meetings: &[(&str, &str, u32, u32)]) -> Tally {
        let mut tally = Tally::new();
        let mut n_pairs = 0;
        for &(white, black, wins, level) in meetings {
            for pair in 0..wins + level {
                n_pairs += 1;
                let label = n_pairs.to_string();
                let played = FinishedMatch {
                    pair: Some(&label),
                    ..FinishedMatch::new("push", white, black, WhiteWins)
                };
                tally.add(&played).unwrap();
                let result = if pair < wins { BlackWins } else { WhiteWins };
                tally.add(&FinishedMatch { white: black, black: white, result, ..played }).unwrap();
            }
        }
        tally
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
    }

    #[test]
    fn without_matches_all_pairings_tell_the_same() {
        let design = Design::new(&Tally::new(), "push", &["A", "B", "C"]);
        assert!(0.0 < design.gain(0, 1));
        assert!(close(design.gain(0, 1), design.gain(1, 2)) && close(design.gain(0, 1), design.gain(0, 2)));
    }

    #[test]
    fn what_was_assumed_tells_less_when_it_comes_again() {
        let mut design = Design::new(&tally(&[("A", "B", 2, 6), ("B", "C", 2, 6)]), "push", &["A", "B", "C"]);
        let (before, other) = (design.gain(0, 1), design.gain(0, 2));
        design.assume(0, 1);
        assert!(design.gain(0, 1) < before);
        assert!(design.gain(0, 1) < other);
    }

    /// The gain is the fall of the variances that `assume` brings about.
    #[test]
    fn a_gain_is_what_an_update_brings() {
        let mut design = Design::new(
            &tally(&[("A", "B", 1, 6), ("B", "C", 1, 6), ("A", "C", 2, 9)]),
            "push",
            &["A", "B", "C"],
        );
        let sum = |design: &Design| -> f64 {
            let n = 3;
            let all: f64 = design.weights.iter().sum();
            let own = |row: usize, column: usize| if row == column { 1.0 } else { 0.0 };
            let centring =
                DMatrix::from_fn(n, n, |row, column| own(row, column) - design.weights[column] / all);
            let covariance = &centring * &design.covariance * centring.transpose();
            (0..n).map(|engine| design.weights[engine] * covariance[(engine, engine)]).sum::<f64>()
                * design.elo_per_unit.powi(2)
        };
        let before = sum(&design);
        let gain = design.gain(0, 2);
        design.assume(0, 2);
        assert!((before - sum(&design) - gain).abs() < 1e-9 * before, "{before} {gain}");
    }

    #[test]
    fn an_engine_far_from_all_others_counts_little() {
        let mut meetings = vec![("A", "B", 2, 10), ("B", "C", 2, 10), ("A", "C", 3, 9)];
        meetings.extend(["A", "B", "C"].map(|engine| (engine, "Z", 12, 0)));
        let design = Design::new(&tally(&meetings), "push", &["A", "B", "C", "Z"]);
        assert!(design.weights[3] < 0.1, "{:?}", design.weights);
        assert!(design.gain(0, 3) < design.gain(0, 1), "{} {}", design.gain(0, 3), design.gain(0, 1));
    }

    #[test]
    fn the_names_order_does_not_matter() {
        let played = tally(&[("A", "B", 2, 6), ("C", "B", 1, 6), ("A", "C", 1, 8)]);
        let design = Design::new(&played, "push", &["A", "B", "C"]);
        let other = Design::new(&played, "push", &["C", "A", "B"]);
        assert!(close(design.gain(0, 1), other.gain(1, 2)));
        assert!(close(design.gain(1, 2), other.gain(0, 2)));
        let mut drawn = played;
        drawn.add(&FinishedMatch::new("other", "A", "B", Draw)).unwrap();
        let with_another_game = Design::new(&drawn, "push", &["A", "B", "C"]);
        assert!(close(design.gain(0, 1), with_another_game.gain(0, 1)));
    }
}
