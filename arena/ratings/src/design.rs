//! Experimental design: how much one more pair is expected to improve the ratings of a game. It does not choose pairs
//! and does not know their costs.

use nalgebra::{DMatrix, DVector};

use super::covariance::Clustered;
use super::fit::Fit;
use super::model::Davidson;
use super::results::{Pairing, Results};
use super::scale::Scale;
use super::tally::Tally;

/// The information about one game, and what further pairs would add.
///
/// It minimises the summed variance of the expected scores over all pairs of engines: Σ w_kl Var(θ_k - θ_l), where
/// w_kl is the squared slope of the expected score between the two, 1 between equal engines. Between equal engines
/// this is A-optimality, the smallest sum of the ratings' variances (A. C. Atkinson and A. N. Donev, *Optimum
/// Experimental Designs*, 1992). With plain Elo², large differences would get all matches, although matches hardly
/// measure them. The information of a pair is computed at the current ratings and divided by φ, the measured variance
/// of
/// pairs relative to the model.
#[derive(Clone, Debug)]
pub struct Design {
    davidson: Davidson,
    elo_per_unit: f64,
    /// θ by engine.
    strengths: Vec<f64>,
    /// The information of a pair of two engines.
    information: DMatrix<f64>,
    /// C = φ·G, by engine: the variances of θ.
    covariance: DMatrix<f64>,
    /// L with θᵀLθ = Σ w_kl (θ_k - θ_l)² / n over every two of n engines.
    weights: DMatrix<f64>,
    /// C·L·C.
    worth: DMatrix<f64>,
}

impl Design {
    /// The information of `tally` about `game`, for the engines that play it, in this order. Without matches all
    /// engines are equal, and only the prior is known.
    pub fn new(tally: &Tally, game: &str, engines: &[&str]) -> Self {
        let results = tally.results().into_iter().find(|results| results.game == game);
        let pairings = results.map(|results| renumbered(&results, engines)).unwrap_or_default();
        let pairings: Vec<&Pairing> = pairings.iter().collect();
        let n = engines.len();
        let fit = Fit::new(n, &pairings);
        let phi = Clustered::new(&fit, &pairings).dispersion.strength;
        let covariance = phi * fit.inverse.view((0, 0), (n, n));
        let weights = weights(fit.davidson, &fit.strengths, &vec![true; n]);
        Self {
            davidson: fit.davidson,
            elo_per_unit: Scale::new(fit.davidson.draw).elo_per_unit,
            information: DMatrix::from_fn(n, n, |first, second| {
                information(fit.davidson, fit.strengths[first] - fit.strengths[second]) / phi
            }),
            strengths: fit.strengths,
            worth: &covariance * &weights * &covariance,
            weights,
            covariance,
        }
    }

    /// The same if only these engines are asked about, by index. The others help to rate them.
    #[must_use]
    pub fn asking_about(mut self, is_asked: &[bool]) -> Self {
        self.weights = weights(self.davidson, &self.strengths, is_asked);
        self.worth = &self.covariance * &self.weights * &self.covariance;
        self
    }

    /// θ of an engine, in Elo.
    pub fn elo(&self, engine: usize) -> f64 {
        self.elo_per_unit * self.strengths[engine]
    }

    /// The variance of the difference of two engines, in Elo².
    pub fn variance(&self, first: usize, second: usize) -> f64 {
        let covariance = &self.covariance;
        let variance =
            covariance[(first, first)] + covariance[(second, second)] - 2.0 * covariance[(first, second)];
        self.elo_per_unit.powi(2) * variance
    }

    /// The expected decrease of the weighted sum of variances after a pair between these two engines, in Elo².
    pub fn gain(&self, first: usize, second: usize) -> f64 {
        let worth = &self.worth;
        let along = worth[(first, first)] + worth[(second, second)] - 2.0 * worth[(first, second)];
        self.elo_per_unit.powi(2) * along * self.update(first, second)
    }

    /// The two of these engines whose pair has the largest gain, of those who may meet; the first ones of several.
    pub fn most_telling(
        &self,
        among: &[usize],
        may_meet: &dyn Fn(usize, usize) -> bool,
    ) -> Option<[usize; 2]> {
        let mut best: Option<([usize; 2], f64)> = None;
        let diagonals = [&self.covariance, &self.worth].map(DMatrix::diagonal);
        for (n, &first) in among.iter().enumerate() {
            // The matrices are symmetric, and the numbers of a column lie side by side.
            let [covariance, worth, information] =
                [&self.covariance, &self.worth, &self.information].map(|matrix| matrix.column(first));
            for &second in &among[n + 1..] {
                let [variance, along] = [(&diagonals[0], &covariance), (&diagonals[1], &worth)]
                    .map(|(own, with)| own[first] + own[second] - 2.0 * with[second]);
                let gain = along * information[second] / (1.0 + information[second] * variance);
                if best.is_none_or(|(_, most)| most < gain) && may_meet(first, second) {
                    best = Some(([first, second], gain));
                }
            }
        }
        best.map(|(pair, _)| pair)
    }

    /// Adds a pair between two engines with the expected result.
    pub fn assume(&mut self, first: usize, second: usize) {
        let update = self.update(first, second);
        let along: DVector<f64> = self.covariance.column(first) - self.covariance.column(second);
        // C·L·C after the change of C, without products of matrices.
        let weighted = &self.weights * &along;
        let across = &self.covariance * &weighted;
        self.worth.ger(-update, &along, &across, 1.0);
        self.worth.ger(-update, &across, &along, 1.0);
        self.worth.ger(update * update * along.dot(&weighted), &along, &along, 1.0);
        self.covariance.ger(-update, &along, &along, 1.0);
    }

    /// A pair changes the covariance C by -i·(C·d)(C·d)ᵀ, where d is +1 at the first and -1 at the second engine. This is
    /// i = I / (1 + I·dᵀ·C·d), with the pair's information I.
    fn update(&self, first: usize, second: usize) -> f64 {
        let covariance = &self.covariance;
        let variance =
            covariance[(first, first)] + covariance[(second, second)] - 2.0 * covariance[(first, second)];
        let information = self.information[(first, second)];
        information / (1.0 + information * variance)
    }
}

/// The information of a pair (with the sides swapped) on a difference in strength: twice the mean slope of the expected
/// score. Its information about the first player's advantage cancels.
fn information(davidson: Davidson, difference: f64) -> f64 {
    davidson.chances(difference).score_variance() + davidson.chances(-difference).score_variance()
}

/// L with θᵀLθ = Σ w_kl (θ_k - θ_l)² / n, over the engines that are asked about.
fn weights(davidson: Davidson, strengths: &[f64], is_asked: &[bool]) -> DMatrix<f64> {
    let n = strengths.len();
    let mut weights = DMatrix::zeros(n, n);
    for first in (0..n).filter(|first| is_asked[*first]) {
        for second in (first + 1..n).filter(|second| is_asked[*second]) {
            let slope =
                information(davidson, strengths[first] - strengths[second]) / information(davidson, 0.0);
            let weight = slope * slope / n as f64;
            weights[(first, first)] += weight;
            weights[(second, second)] += weight;
            weights[(first, second)] -= weight;
            weights[(second, first)] -= weight;
        }
    }
    weights
}

/// The pairings of `results` with the indices in `engines`; pairings of other engines are left out.
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
    use crate::MatchResult::{BlackWins, Draw, WhiteWins};
    use crate::tally::FinishedMatch;

    /// `wins` pairs won twice, and `level` pairs with a win and a loss, for each pair of engines.
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

    #[test]
    fn the_most_telling_pair_has_the_largest_gain() {
        let played = tally(&[("A", "B", 1, 6), ("B", "C", 1, 6), ("A", "C", 2, 9)]);
        let design = Design::new(&played, "push", &["A", "B", "C", "D"]);
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let best = |may_meet: &dyn Fn(usize, usize) -> bool| {
            let gain = |[first, second]: &[usize; 2]| design.gain(*first, *second);
            let allowed = pairs.into_iter().filter(|[first, second]| may_meet(*first, *second));
            allowed.max_by(|one, other| gain(one).total_cmp(&gain(other)))
        };
        for may_meet in [&|_, _| true, &|_, second: usize| second != 3] as [&dyn Fn(usize, usize) -> bool; 2]
        {
            assert_eq!(design.most_telling(&[0, 1, 2, 3], may_meet), best(may_meet));
        }
        assert_eq!(design.most_telling(&[0, 1], &|_, _| false), None);
    }

    /// `assume` keeps C·L·C, also if few engines are asked about.
    #[test]
    fn what_is_kept_is_what_would_be_worked_out_again() {
        let played = tally(&[("A", "B", 1, 6), ("B", "C", 1, 6), ("A", "C", 2, 9)]);
        let mut design = Design::new(&played, "push", &["A", "B", "C"]).asking_about(&[true, true, false]);
        for (first, second) in [(0, 2), (1, 2), (0, 1)] {
            design.assume(first, second);
        }
        let again = &design.covariance * &design.weights * &design.covariance;
        assert!((&again - &design.worth).amax() < 1e-12 * again.amax(), "{again} {}", design.worth);
        assert!(design.gain(0, 1) > design.gain(1, 2) && design.gain(1, 2) > 0.0);
    }

    /// The gain is the decrease of the variances that `assume` causes.
    #[test]
    fn a_gain_is_what_an_update_brings() {
        let mut design = Design::new(
            &tally(&[("A", "B", 1, 6), ("B", "C", 1, 6), ("A", "C", 2, 9)]),
            "push",
            &["A", "B", "C"],
        );
        let sum =
            |design: &Design| (&design.weights * &design.covariance).trace() * design.elo_per_unit.powi(2);
        let before = sum(&design);
        let gain = design.gain(0, 2);
        design.assume(0, 2);
        assert!((before - sum(&design) - gain).abs() < 1e-9 * before, "{before} {gain}");
    }

    #[test]
    fn a_large_difference_is_worth_little() {
        let mut meetings = vec![("A", "B", 2, 10), ("B", "C", 2, 10), ("A", "C", 3, 9)];
        meetings.extend(["A", "B", "C"].map(|engine| (engine, "Y", 12, 0)));
        let design = Design::new(&tally(&meetings), "push", &["A", "B", "C", "Y"]);
        assert!(design.gain(0, 3) < design.gain(0, 1), "{} {}", design.gain(0, 3), design.gain(0, 1));

        // Two engines that are far from all others, but not from each other.
        meetings.extend(["A", "B", "C"].map(|engine| (engine, "Z", 12, 0)));
        meetings.push(("Y", "Z", 2, 10));
        let design = Design::new(&tally(&meetings), "push", &["A", "B", "C", "Y", "Z"]);
        let [across, above, below] =
            [(0, 3), (0, 1), (3, 4)].map(|(first, second)| design.gain(first, second));
        assert!(across < above && across < below, "{across} {above} {below}");
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
