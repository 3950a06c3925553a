//! The duration of a match of a configured tournament. It reads finished matches; it starts no engine.

use std::time::Duration;

use serde::Serialize;

use model::Tournament;
use schedule::estimate::{Estimate, Played};
use schedule::planning;
use store::Wanted;

/// The mean duration of a match, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct MatchTime {
    /// Seconds.
    pub seconds: f64,
    /// The source.
    pub basis: Basis,
}

/// The source of a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Basis {
    /// Given by the user.
    Given,
    /// Matches of the tournament that are finished.
    Finished,
    /// The limits and the typical plies.
    Limits,
}

impl MatchTime {
    /// The duration of the matches of `plan`: from the finished matches in its results folder, otherwise from the
    /// limits. `None` if there is no time limit.
    pub(super) fn of(tournament: &Tournament, plan: &schedule::Plan) -> Option<Self> {
        let mut played = Played::default();
        // Invalid files in that folder do not prevent a forecast.
        let wanted = Wanted { tournament, plan, replayed: &[], set_aside: &[], builds: &[], accepted: &[] };
        let folder = &tournament.results;
        let read = planning::openings(tournament).is_ok_and(|mut openings| {
            store::finished(folder, &wanted, &mut openings, |record| played.add(record)).is_ok()
        });
        if !read {
            played = Played::default();
        }
        let mut estimate = Estimate::new(&tournament.known_games, tournament.rules.max_plies, &played);
        // All rounds are alike.
        for pairing in plan.pairings() {
            estimate.add(plan, *pairing, &tournament.engines, 2);
        }
        let (mean, is_by_played): (Duration, bool) = estimate.mean()?;
        let basis = if is_by_played { Basis::Finished } else { Basis::Limits };
        Some(Self { seconds: mean.as_secs_f64(), basis })
    }

    /// The source, in words.
    pub(super) fn text(self) -> String {
        let basis = match self.basis {
            Basis::Given => "",
            Basis::Finished => ", the mean of the finished matches",
            Basis::Limits => ", if every engine uses all its time; most use less",
        };
        format!("{:.1} s per match{basis}", self.seconds)
    }
}
