//! Shifts ratings so that one engine has a given rating, and recomputes their errors. Ranks and comparisons of two
//! engines do not change.

use super::confidence::Confidence;
use super::game_scope::rows;
use super::intervals::Intervals;
use super::note::Note;
use super::settings::Anchor;
use super::standings::{Covariance, Rating, Scope, Status};

/// Sets the anchor's rating in `scope` and makes all others relative to it. If the anchor has no rating on the scale of
/// the first pool, it only adds a note with the reason.
pub(super) fn anchor_scope(scope: &mut Scope, anchor: &Anchor, intervals: Intervals) {
    let reference = match Reference::new(scope, anchor) {
        Ok(reference) => reference,
        Err(reason) => {
            let text = format!(
                "{} {reason}, so it cannot be the anchor here: 0 is the mean of the engines",
                anchor.engine
            );
            scope.notes.push(Note::new("no-anchor", vec![anchor.engine.clone()], text));
            return;
        }
    };
    let joint = scope.covariance.as_mut().and_then(|covariance| {
        make_relative(covariance, &anchor.engine, intervals.confidence)?;
        Some(&*covariance)
    });
    for rating in scope.engines.iter_mut().filter(|rating| rating.pool == 1) {
        if rating.engine == anchor.engine {
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
    scope.core_mean += reference.shift;
    scope.is_anchored = true;
}

/// Why the ratings are not relative to the anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum NoAnchor {
    #[error("has no match")]
    NoMatch,
    #[error("has no matches with the largest pool")]
    OtherPool,
    #[error("won every match against the rated engines")]
    WonAll,
    #[error("lost every match against the rated engines")]
    LostAll,
    #[error("has no rating")]
    Unrated,
    #[error("never started")]
    Absent,
    /// It has a two-sided rating in some games only.
    #[error("has no interval in {} of {of} games", of - rated)]
    SomeGames { rated: usize, of: usize },
    #[error("is the only engine with an interval in all games")]
    OnlyOne,
}

/// The change of the ratings.
struct Reference {
    /// The number that is added to each rating, Elo.
    shift: f64,
    /// If all matches were drawn, the anchor's half width: a difference to it is not more precise.
    only_draws: Option<f64>,
}

impl Reference {
    /// # Errors
    /// Why the anchor cannot be used.
    fn new(scope: &Scope, anchor: &Anchor) -> Result<Self, NoAnchor> {
        let Some(rating) = scope.engines.iter().find(|rating| rating.engine == anchor.engine) else {
            return Err(NoAnchor::NoMatch);
        };
        if rating.pool != 1 {
            return Err(NoAnchor::OtherPool);
        }
        let elo = match rating.status {
            Status::Bounded | Status::TooEarly | Status::OnlyDraws | Status::Alone => {
                rating.estimate.ok_or(NoAnchor::Unrated)?
            }
            Status::Above => return Err(NoAnchor::WonAll),
            Status::Below => return Err(NoAnchor::LostAll),
            Status::NotComparable | Status::ColourDecides => {
                return Err(NoAnchor::Unrated);
            }
            Status::Absent => return Err(NoAnchor::Absent),
            Status::SomeGames { rated, of } if rated == of => return Err(NoAnchor::OnlyOne),
            Status::SomeGames { rated, of } => return Err(NoAnchor::SomeGames { rated, of }),
        };
        let only_draws = (rating.status == Status::OnlyDraws)
            .then(|| rating.high.map_or(f64::INFINITY, |high| high - elo));
        Ok(Self { shift: anchor.elo - elo, only_draws })
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
