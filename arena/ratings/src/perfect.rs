//! Perfect scores: one-sided bounds for engines that won or lost everything against the core.

use super::confidence::Confidence;
use super::fit::Fit;
use super::model::Davidson;
use super::results::{Outcomes, Pairing};

/// A component that won or lost all its matches against the core.
#[derive(Clone, Debug)]
pub(super) struct Perfect {
    /// Whether it won them.
    pub is_above: bool,
    /// The bound of the distance of its mean from the core's, natural units.
    pub bound: f64,
    encounters: Vec<Encounter>,
    davidson: Davidson,
}

/// Clusters with the same matches of an engine of the component against one of the core.
#[derive(Clone, Debug)]
struct Encounter {
    /// The component's engine minus the core's if the shift is 0.
    strength: f64,
    /// Matches in which the component's engine was White, and in which it was Black.
    matches: [f64; 2],
    /// The number of such clusters.
    count: f64,
}

impl Perfect {
    /// The bounds for the engines of `component` relative to those of `core`; `None` if they never met.
    ///
    /// A cluster is won completely with a probability of at most its mean expected score, however its matches depend
    /// on each other and however many draws there are. So the bound, at which the product of these scores is the error
    /// probability, is exact for any number of clusters.
    pub(super) fn new(
        component: &[usize],
        core: &[usize],
        pairings: &[Pairing],
        fit: &Fit,
        confidence: Confidence,
    ) -> Option<Self> {
        let mut encounters = Vec::new();
        let mut points = 0.0;
        let is_of = |engines: &[usize], engine: usize| engines.binary_search(&engine).is_ok();
        for pairing in pairings {
            let is_first = is_of(component, pairing.first) && is_of(core, pairing.second);
            if !(is_first || is_of(core, pairing.first) && is_of(component, pairing.second)) {
                continue;
            }
            let ahead = fit.strengths[pairing.first] - fit.strengths[pairing.second];
            let oriented = |outcomes: Outcomes| if is_first { outcomes } else { outcomes.swapped() };
            points += oriented(pairing.total).result_counts().points();
            encounters.extend(pairing.clusters.iter().map(|kind| {
                let outcomes = oriented(kind.outcomes);
                Encounter {
                    strength: if is_first { ahead } else { -ahead },
                    matches: [outcomes.first_white, outcomes.second_white].map(|cell| cell.matches() as f64),
                    count: f64::from(kind.count),
                }
            }));
        }
        if encounters.is_empty() {
            return None;
        }
        let found = Self { is_above: points > 0.0, bound: 0.0, encounters, davidson: fit.davidson };
        Some(Self { bound: found.shift(confidence.tail()), ..found })
    }

    /// The logarithm of the largest probability of such results if the component's mean is ahead of the core's by `shift`: it
    /// rises with the shift if they were won.
    fn ln_probability(&self, shift: f64) -> f64 {
        let ln = |met: &Encounter| {
            let [white, black] = [1.0, -1.0].map(|sign| {
                let chances = self.davidson.chances(sign * (met.strength + shift));
                // The winners' score: the component's if it won, the core's otherwise.
                if (sign > 0.0) == self.is_above { chances.score() } else { chances.swapped().score() }
            });
            let [as_white, as_black] = met.matches;
            met.count * ((as_white * white + as_black * black) / (as_white + as_black)).ln()
        };
        self.encounters.iter().map(ln).sum()
    }

    /// The shift at which the product of the winning side's mean scores is `probability`, by bisection.
    fn shift(&self, probability: f64) -> f64 {
        const FARTHEST: f64 = 60.0;
        const PRECISION: f64 = 1e-12;
        let (mut low, mut high) = (-FARTHEST, FARTHEST);
        while high - low > PRECISION {
            let middle = 0.5 * (low + high);
            if (self.ln_probability(middle) < probability.ln()) == self.is_above {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}

/// A perfect score in one game, for the engine whose rating there is `at_zero` + `elo_per_unit` · shift.
pub(super) struct PerfectGame<'a> {
    pub perfect: &'a Perfect,
    pub at_zero: f64,
    pub elo_per_unit: f64,
}

/// The bound of the mean of an engine's ratings in `games`, all of them won or all of them lost, Elo.
///
/// The probability of all these results is at most the product P of those of the games. The bound is the least favourable
/// mean m of ratings r_g at which P is the error probability, by duality: for every λ > 0,
/// ln P - λ Σ r_g <= D(λ) = Σ max (ln P_g - λ r_g), so that Σ r_g >= (ln P - D(λ)) / λ. Where ln P_g is not
/// concave, the bound is on the safe side.
pub(super) fn bound_of_mean(games: &[PerfectGame<'_>], confidence: Confidence) -> f64 {
    const N_STEPS: i32 = 80;
    if let [game] = games {
        return game.elo(game.perfect.bound);
    }
    let sign = if games.iter().all(|game| game.perfect.is_above) { 1.0 } else { -1.0 };
    let curves: Vec<Vec<[f64; 2]>> = games.iter().map(|game| game.curve(sign)).collect();
    let ln_probability = confidence.tail().ln();
    let bound = |ln_slope: f64| {
        let slope = ln_slope.exp();
        let most = |curve: &Vec<[f64; 2]>| {
            curve.iter().map(|[rating, ln]| ln - slope * rating).fold(f64::NEG_INFINITY, f64::max)
        };
        (ln_probability - curves.iter().map(most).sum::<f64>()) / slope
    };
    // The bound has one maximum over λ: golden-section search over its logarithm.
    let (mut low, mut high) = (-20.0, 10.0);
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..N_STEPS {
        let [left, right] = [high - golden * (high - low), low + golden * (high - low)];
        if bound(left) < bound(right) {
            low = left;
        } else {
            high = right;
        }
    }
    sign * bound(0.5 * (low + high)) / games.len() as f64
}

impl PerfectGame<'_> {
    fn elo(&self, shift: f64) -> f64 {
        self.at_zero + self.elo_per_unit * shift
    }

    /// Ratings with the logarithm of the probability, which rises with them: those of an engine that lost are negated. They begin
    /// at the bound of this game alone: beyond it, its probability alone is below that of all games.
    fn curve(&self, sign: f64) -> Vec<[f64; 2]> {
        /// In natural units: the probability at the best of these shifts is off by its curvature alone.
        const STEP: f64 = 0.02;
        /// There, the results are nearly certain.
        const N: u32 = 1_000;
        let shifts = (0..=N).map(|n| self.perfect.bound + sign * STEP * f64::from(n));
        shifts.map(|shift| [sign * self.elo(shift), self.perfect.ln_probability(shift)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatchResult;
    use crate::results::ClusterKind;

    /// Two engines, all pairs won: the bound is at a score of 0.025^(1/pairs), as that of the pairs themselves.
    #[test]
    fn won_pairs_bound_the_score_exactly() {
        for pairs in [1, 2, 10] {
            let mut outcomes = Outcomes::default();
            outcomes.count(true, MatchResult::WhiteWins);
            outcomes.count(false, MatchResult::BlackWins);
            let mut total = Outcomes::default();
            (0..pairs).for_each(|_| total.add(outcomes));
            let clusters = vec![ClusterKind { outcomes, count: pairs }];
            let pairing = Pairing { clusters, has_clusters: true, ..Pairing::of(0, 1, total) };
            let fit = Fit::new(2, &[]);
            let score = |shift: f64| fit.davidson.chances(shift).score();
            let expected = 0.025_f64.powf(1.0 / f64::from(pairs));
            let pairings = [pairing];
            let bound = |component: usize, core: usize| {
                Perfect::new(&[component], &[core], &pairings, &fit, Confidence::default())
            };
            let (winner, loser) = (bound(0, 1).unwrap(), bound(1, 0).unwrap());
            assert!(winner.is_above && !loser.is_above);
            let (low, high) = (winner.bound, loser.bound);
            assert!(
                (score(low) - expected).abs() < 1e-9 && (low + high).abs() < 1e-9,
                "{pairs}: {low} {high}"
            );
        }
    }

    /// Where the mean of two games' ratings is the bound, the probability of all results is 2.5 % for the least favourable of
    /// these ratings, and less for the others.
    #[test]
    fn the_bound_of_a_mean_is_exact() {
        let game = |strength: f64, first_player: f64, draw: f64, count: f64, is_above: bool| Perfect {
            is_above,
            bound: 0.0,
            encounters: vec![Encounter { strength, matches: [1.0, 1.0], count }],
            davidson: Davidson { first_player, draw },
        };
        for is_above in [true, false] {
            let perfect = [game(0.4, 0.2, 0.7, 3.0, is_above), game(-0.3, -0.1, 0.0, 5.0, is_above)]
                .map(|game| Perfect { bound: game.shift(Confidence::default().tail()), ..game });
            let scales = [(30.0, 90.0), (-80.0, 150.0)];
            let games: Vec<PerfectGame<'_>> = perfect
                .iter()
                .zip(scales)
                .map(|(perfect, (at_zero, elo_per_unit))| PerfectGame { perfect, at_zero, elo_per_unit })
                .collect();
            let bound = bound_of_mean(&games, Confidence::default());
            let ln = |game: &PerfectGame<'_>, elo: f64| {
                game.perfect.ln_probability((elo - game.at_zero) / game.elo_per_unit)
            };
            let most = (-20_000..20_000)
                .map(|tenths| 0.1 * f64::from(tenths))
                .map(|apart| ln(&games[0], bound + apart) + ln(&games[1], bound - apart))
                .fold(f64::NEG_INFINITY, f64::max);
            assert!((most.exp() - 0.025).abs() < 1e-5, "{bound}: {}", most.exp());
        }
    }
}
