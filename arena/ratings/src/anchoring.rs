//! Shifts ratings so that one engine has a given rating, and recomputes their errors. Ranks and comparisons of two
//! engines do not change.

use super::confidence::Confidence;
use super::game_scope::rows;
use super::intervals::Intervals;
use super::note::Note;
use super::settings::Anchor;
use super::standings::{Covariance, Rating, Scope, Status};

/// Anchors the scopes of all games and then the first one, [`OVERALL`]. An overall number is the mean of those of the
/// games, so it is anchored only if all of them are.
pub(super) fn anchor_scopes(scopes: &mut [Scope], anchor: &Anchor, intervals: Intervals) {
    let Some((overall, games)) = scopes.split_first_mut() else { return };
    for game in &mut *games {
        anchor_scope(game, anchor, intervals);
    }
    if games.len() == 1 || games.iter().all(|game| game.is_anchored) {
        anchor_scope(overall, anchor, intervals);
    } else {
        let of = games.len();
        let anchored = games.iter().filter(|game| game.is_anchored).count();
        note_reason(overall, anchor, NoAnchor::SomeGames { anchored, of });
    }
}

/// Shifts all ratings of the first pool so that the anchor has its rating. If it has a rating there with an interval,
/// each interval becomes that of the difference from it; otherwise its rough number is shifted and the intervals stay
/// relative to the mean of the rated engines. If it has no number, it only adds a note with the reason.
fn anchor_scope(scope: &mut Scope, anchor: &Anchor, intervals: Intervals) {
    let intervals = intervals.of_engines(scope.engines.len());
    let reference = match Reference::new(scope, anchor) {
        Ok(reference) => reference,
        Err(reason) => return note_reason(scope, anchor, reason),
    };
    let joint = scope.covariance.as_mut().filter(|_| !reference.is_rough).and_then(|covariance| {
        make_relative(covariance, &anchor.engine, intervals.confidence)?;
        Some(&*covariance)
    });
    for rating in scope.engines.iter_mut().filter(|rating| rating.pool == 1) {
        if rating.engine == anchor.engine && !reference.is_rough {
            [rating.estimate, rating.elo, rating.low, rating.high] = [Some(anchor.elo); 4];
            rating.se = rating.se.map(|_| 0.0);
            rating.se_pairs = rating.se_pairs.map(|_| 0.0);
            rating.status = if rating.status == Status::TooEarly { Status::Bounded } else { rating.status };
            continue;
        }
        reference.shift(rating);
        if let Some(covariance) = joint {
            measure(rating, covariance, intervals);
        }
    }
    if reference.is_rough {
        reference.shift_general(scope);
        let has_intervals = scope.engines.iter().any(|rating| rating.se.is_some());
        let errors =
            if has_intervals { ": each ± is relative to the mean of the rated engines" } else { "" };
        let elo = anchor.shown();
        let text = format!("{} has only a rough number (≈), which is set to {elo}{errors}", anchor.engine);
        scope.notes.push(Note::new("rough-anchor", vec![anchor.engine.clone()], text));
    }
    scope.core_mean += reference.shift;
    scope.is_anchored = true;
}

fn note_reason(scope: &mut Scope, anchor: &Anchor, reason: NoAnchor) {
    let text =
        format!("{} {reason}, so it cannot be the anchor here: 0 is the mean of the engines", anchor.engine);
    scope.notes.push(Note::new("no-anchor", vec![anchor.engine.clone()], text));
}

/// Why the ratings are not relative to the anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum NoAnchor {
    #[error("has no match")]
    NoMatch,
    #[error("has no matches with the largest pool")]
    OtherPool,
    #[error("never started")]
    Absent,
    /// Overall only.
    #[error("is the anchor in only {anchored} of {of} games")]
    SomeGames { anchored: usize, of: usize },
}

/// The change of the ratings.
struct Reference {
    /// The number that is added to each rating, Elo.
    shift: f64,
    /// Whether the anchor has no two-sided rating.
    is_rough: bool,
    /// If all matches were drawn, the anchor's half width: a difference to it is not more precise.
    only_draws: Option<f64>,
}

impl Reference {
    /// # Errors
    /// Why the anchor cannot be used.
    fn new(scope: &Scope, anchor: &Anchor) -> Result<Self, NoAnchor> {
        let rating =
            scope.engines.iter().find(|rating| rating.engine == anchor.engine).ok_or(NoAnchor::NoMatch)?;
        if rating.status == Status::Absent {
            return Err(NoAnchor::Absent);
        }
        let elo = rating.estimate.filter(|_| rating.pool == 1).ok_or(NoAnchor::OtherPool)?;
        let only_draws = (rating.status == Status::OnlyDraws)
            .then(|| rating.high.map_or(f64::INFINITY, |high| high - elo));
        let is_rough =
            !matches!(rating.status, Status::Bounded | Status::TooEarly | Status::OnlyDraws | Status::Alone);
        Ok(Self { shift: anchor.elo - elo, is_rough, only_draws })
    }

    fn shift(&self, rating: &mut Rating) {
        if let (Some(anchors), Some(elo), Some(high), Status::OnlyDraws) =
            (self.only_draws, rating.elo, rating.high, rating.status)
        {
            let half_width = anchors.max(high - elo);
            (rating.low, rating.high) = (Some(elo - half_width), Some(elo + half_width));
        }
        for end in [&mut rating.estimate, &mut rating.elo, &mut rating.low, &mut rating.high] {
            *end = end.map(|elo| elo + self.shift);
        }
    }

    /// General strengths keep their intervals, too.
    fn shift_general(&self, scope: &mut Scope) {
        for rating in scope.general.iter_mut().flat_map(|general| &mut general.engines) {
            let numbers = [&mut rating.elo, &mut rating.low, &mut rating.high];
            for elo in numbers.into_iter().chain(rating.games.iter_mut().map(|guess| &mut guess.elo)) {
                *elo += self.shift;
            }
        }
    }
}

/// Makes `covariance` that of the differences to `anchor`. `None` if the anchor is not in it.
fn make_relative(covariance: &mut Covariance, anchor: &str, confidence: Confidence) -> Option<()> {
    let place = covariance.engines.iter().position(|engine| engine == anchor)?;
    covariance.ratings = covariance.ratings.relative_to(place);
    covariance.values = rows(&covariance.ratings.own_covariance(confidence));
    Some(())
}

/// Sets the interval of `rating` to that of its difference to the anchor.
fn measure(rating: &mut Rating, covariance: &Covariance, intervals: Intervals) {
    let Some(place) = covariance.engines.iter().position(|engine| *engine == rating.engine) else { return };
    let Some(elo) = rating.elo else { return };
    let joint = &covariance.ratings;
    let standard_error = joint.standard_error(place, intervals.confidence);
    rating.set_interval(elo, standard_error, intervals.half_width(joint.evidence[place]));
    rating.se_pairs = rating.se_pairs.map(|_| joint.variance(place).pairs.max(0.0).sqrt());
}
