//! The true ratings of a simulated game: the limit for infinitely many matches. It fits expected counts; it draws
//! nothing.

use super::hermite::gauss_hermite;
use super::tournament::{Conditions, SimulatedGame};
use crate::fit::Fit;
use crate::model::Chances;
use crate::results::{Cell, Outcomes, Pairing};
use crate::scale::Scale;

/// The pseudo-true ratings of one game, Elo, by engine; none for engines that do not play it.
///
/// They are the ratings of the model fitted to results that come exactly as often as expected. If openings differ, they
/// are closer to each other than the true strengths: an opening that decides a match reduces the effect of strength,
/// and ratings do not know the openings. Intervals refer to these ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    elo: Vec<Option<f64>>,
    /// The pseudo-true advantage of the first player.
    first_player: f64,
    /// The draw rate of equal engines according to the fit.
    draw_rate: f64,
}

/// Expected counts are as large as whole numbers allow: matches of the meeting with the most pairs, by White's engine.
const MATCHES: f64 = 1e9;
/// The number of points for the integral over openings.
const POINTS: usize = 41;

impl Truth {
    /// The pseudo-true ratings of `game`.
    pub fn of(game: &SimulatedGame) -> Self {
        let n_engines = game.strengths.len();
        let most_pairs = game.meetings.iter().map(|meeting| meeting.pairs).max().unwrap_or(0);
        let openings = gauss_hermite(POINTS);
        let mut plays = vec![false; n_engines];
        let mut pairings = Vec::new();
        for meeting in game.meetings.iter().filter(|meeting| 0 < meeting.pairs) {
            let [first, second] = meeting.engines;
            let matches = MATCHES * f64::from(meeting.pairs) / f64::from(most_pairs);
            let ahead = game.strengths[first] - game.strengths[second];
            let cell = |ahead| expected(mean_chances(game.conditions, ahead, &openings), matches);
            let total = Outcomes { first_white: cell(ahead), second_white: cell(-ahead) };
            plays[first] = true;
            plays[second] = true;
            pairings.push(Pairing {
                first,
                second,
                total,
                clusters: Vec::new(),
                openings: Vec::new(),
                has_clusters: true,
                wide_pairs: 0,
            });
        }
        let fit = Fit::new(n_engines, &pairings.iter().collect::<Vec<_>>());
        let scale = Scale::new(fit.davidson.draw);
        let elo =
            (0..n_engines).map(|engine| plays[engine].then(|| scale.elo(fit.strengths[engine]))).collect();
        Self { elo, first_player: scale.elo(fit.davidson.first_player), draw_rate: scale.draw_rate }
    }

    /// The pseudo-true advantage of the first player, Elo.
    pub(super) fn first_player(&self) -> f64 {
        self.first_player
    }

    /// The draw rate of equal engines according to the fit, 0 to 1.
    pub(super) fn draw_rate(&self) -> f64 {
        self.draw_rate
    }

    /// The rating of `engine` relative to the mean of the engines `centre`. `None` unless all of them play the game.
    pub(super) fn relative_to(&self, engine: usize, centre: &[usize]) -> Option<f64> {
        let mut sum = 0.0;
        for &other in centre {
            sum += self.elo[other]?;
        }
        Some(self.elo[engine]? - sum / centre.len() as f64)
    }

    /// Whether the engine plays the game.
    pub(super) fn has(&self, engine: usize) -> bool {
        self.elo[engine].is_some()
    }
}

/// The probabilities for an engine that is White and stronger by `ahead` Elo, over all openings.
fn mean_chances(conditions: Conditions, ahead: f64, openings: &[(f64, f64)]) -> Chances {
    let (davidson, elo_per_unit) = (conditions.davidson(), conditions.elo_per_unit());
    let mut mean = Chances { win: 0.0, draw: 0.0, loss: 0.0 };
    for &(place, weight) in openings {
        let chances = davidson.chances((ahead + conditions.openings * place) / elo_per_unit);
        mean.win += weight * chances.win;
        mean.draw += weight * chances.draw;
        mean.loss += weight * chances.loss;
    }
    mean
}

fn expected(chances: Chances, matches: f64) -> Cell {
    let count = |chance: f64| (matches * chance).round() as u32;
    Cell { white_wins: count(chances.win), draws: count(chances.draw), black_wins: count(chances.loss) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tournament::Meeting;

    fn truth(openings: f64) -> Vec<f64> {
        let conditions = Conditions { draw_rate: 0.3, first_player: 100.0, openings };
        let meetings =
            [[0, 1], [1, 2], [0, 2]].map(|engines| Meeting { engines, pairs: 3 }).into_iter().collect();
        let strengths = vec![150.0, 0.0, -150.0, 0.0];
        let truth = Truth::of(&SimulatedGame { name: "game".to_owned(), conditions, strengths, meetings });
        assert_eq!((truth.elo[3], truth.has(3)), (None, false), "it plays nothing");
        (0..3).map(|engine| truth.relative_to(engine, &[0, 1, 2]).unwrap()).collect()
    }

    #[test]
    fn with_level_openings_it_is_the_strengths_themselves() {
        for (found, strength) in truth(0.0).into_iter().zip([150.0, 0.0, -150.0]) {
            assert!((found - strength).abs() < 1e-4, "{found}, expected {strength}");
        }
    }

    #[test]
    fn openings_that_differ_bring_ratings_together() {
        let widths = [0.0, 100.0, 300.0].map(|openings| truth(openings)[0]);
        assert!(widths[2] < 0.9 * widths[1] && widths[1] < widths[0], "{widths:?}");
    }
}
