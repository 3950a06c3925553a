//! Computes the standings: estimates for each game, then the overall scope, the anchor and the bootstrap.

use rayon::prelude::*;

use super::bootstrap::Resampled;
use super::estimate::Estimate;
use super::intervals::Intervals;
use super::note::Note;
use super::settings::RatingSettings;
use super::standings::{MatrixCell, OVERALL, Scope, Standings, Status};
use super::stronger::Strengths;
use super::tally::Tally;
use super::{anchoring, bootstrap, game_scope, notes, overall};

/// With more engines, a matrix of all pairs takes too long.
const MOST_IN_MATRIX: usize = 500;

impl Standings {
    /// Rates all matches of `tally`. Each game should have at most [`MOST_ENGINES`](crate::MOST_ENGINES) engines. The result does not
    /// depend on the order of the matches.
    pub fn new(tally: &Tally, settings: &RatingSettings) -> Self {
        let RatingSettings { confidence, ref anchor, validity, openings, checks } = *settings;
        let estimates = estimates(tally, settings);
        let intervals = Intervals { confidence, validity, n_engines: 1 };
        let games: Vec<Scope> =
            estimates.par_iter().map(|estimate| game_scope::scope(estimate, intervals, checks)).collect();
        let overall = overall::scope(&estimates, &games, intervals, anchor.as_ref());
        let mut scopes: Vec<Scope> = overall.into_iter().chain(games).collect();
        if let Some(anchor) = anchor {
            anchoring::anchor_scopes(&mut scopes, anchor, intervals);
        }
        for scope in &mut scopes {
            scope.notes.extend(notes::too_early(&scope.engines));
            scope.mark_rough_zeros();
        }
        Self { confidence, validity, openings, anchor: anchor.clone(), bootstrap: None, scopes }
    }

    /// Computes the probability that each engine is stronger than each other one:
    /// [`Covariance::p_stronger`](crate::Covariance::p_stronger), and their differences. This is slow for hundreds of engines, and is not done
    /// for more than 500.
    pub fn add_probabilities(&mut self) {
        let confidence = self.confidence;
        for covariance in self.scopes.iter_mut().filter_map(|scope| scope.covariance.as_mut()) {
            let n = covariance.engines.len();
            if n > MOST_IN_MATRIX {
                continue;
            }
            let cell = |one: usize, other: usize| {
                let difference = covariance.ratings.difference(one, other);
                let se = difference.standard_error(confidence);
                let reach = confidence.half_width(difference.evidence.freedom) * se;
                let [low, high] = [difference.elo - reach, difference.elo + reach];
                MatrixCell { difference: difference.elo, low, high, se, los: difference.los(confidence) }
            };
            let row = |one| (0..n).map(|other| cell(one, other)).collect();
            covariance.differences = Some((0..n).map(row).collect());
            let strengths = Strengths::new(&covariance.ratings.elo, covariance.joint.clone());
            covariance.p_stronger = strengths.map(|strengths| {
                let of = |one: usize, other: usize| {
                    if one == other { 0.5 } else { strengths.is_stronger(one, other) }
                };
                (0..n).map(|one| (0..n).map(|other| of(one, other)).collect()).collect()
            });
        }
    }

    /// Puts the scopes of these games in this order; those of others follow by name.
    pub fn order_games(&mut self, games: &[String]) {
        let place = |scope: &Scope| games.iter().position(|game| *game == scope.name);
        self.scopes.sort_by_key(|scope| (scope.name != OVERALL, place(scope).unwrap_or(games.len())));
    }

    /// Adds a note about all matches: to the overall scope, or to the only game. More pairs of engines that are alike would tell
    /// nothing.
    pub fn add_note(&mut self, note: impl Into<Note>) {
        let note = note.into();
        for scope in &mut self.scopes {
            let n_alike = scope.engines.iter().take_while(|it| note.engines.contains(&it.engine)).count();
            scope.more_pairs.take_if(|_| 2 <= n_alike);
            if 2 <= n_alike && n_alike == scope.engines.len() {
                scope.notes.iter_mut().for_each(|it| it.advice = None);
            }
        }
        let n_meant = if self.scopes.len() == 2 { 2 } else { 1 };
        self.scopes.iter_mut().take(n_meant).for_each(|scope| scope.notes.push(note.clone()));
    }

    /// Whether `engine` started in none of its matches of the scope.
    pub fn is_absent(&self, scope: &str, engine: &str) -> bool {
        let scope = self.scopes.iter().find(|one| one.name == scope);
        let rating = scope.and_then(|scope| scope.engines.iter().find(|rating| rating.engine == engine));
        rating.is_some_and(|rating| rating.status == Status::Absent)
    }

    /// Checks the standard errors by the bootstrap. The clusters of each game of `tally`, which must be the tally of
    /// these standings, are resampled `times` times with replacement and rated. Sets [`Rating::se_bootstrap`](crate::Rating::se_bootstrap) and adds
    /// notes. The result does not depend on the number of threads.
    pub fn add_bootstrap(&mut self, tally: &Tally, times: u32) {
        let settings = RatingSettings {
            confidence: self.confidence,
            openings: self.openings,
            ..RatingSettings::default()
        };
        let estimates = estimates(tally, &settings);
        let resampled: Vec<Option<Resampled<'_>>> =
            (0..).zip(&estimates).map(|(game, estimate)| Resampled::new(estimate, game, times)).collect();
        for scope in &mut self.scopes {
            let games: Vec<&Resampled<'_>> = estimates
                .iter()
                .zip(&resampled)
                .filter(|(estimate, _)| [OVERALL, &estimate.results.game].contains(&scope.name.as_str()))
                .filter_map(|(_, resampled)| resampled.as_ref())
                .collect();
            bootstrap::compare(scope, &games, self.anchor.as_ref(), times);
        }
        self.bootstrap = Some(times);
    }
}

fn estimates(tally: &Tally, settings: &RatingSettings) -> Vec<Estimate> {
    let estimate = |results| Estimate::new(results, settings.confidence, settings.openings);
    tally.results().into_par_iter().map(estimate).collect()
}
