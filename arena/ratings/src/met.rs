//! The pairs of two engines of a table against each other, in all games: which one is stronger, and how many more pairs may show it. All
//! pairs from one opening count as one.
//! Where results have no pairs at all, matches stand for them.

use super::confidence::Confidence;
use super::estimate::Estimate;
use super::head_to_head::{HeadToHead, Stronger};
use super::intervals::{FEWEST_DECIDED, Intervals};
use super::pentanomial::Pentanomial;
use super::rating_difference::RatingDifference;
use super::results::{Cell, ResultCounts};
use super::scores::Scores;
use super::standings::{Rating, Scope, Status};

/// The pairs of two engines against each other, from the view of the first one.
#[derive(Default)]
pub(super) struct Met {
    scores: Scores,
    /// Matches that stand for pairs: see [`HeadToHead::of_matches`].
    matches: Pentanomial,
    /// In how many more matches the first engine had White.
    n_more_white: i64,
    /// The number of games in which they met.
    n_games: f64,
}

impl Met {
    /// Their pairs of all games.
    pub(super) fn new(estimates: &[Estimate], engines: [&str; 2]) -> Self {
        let mut met = Self::default();
        let mut has_clusters = false;
        for results in estimates.iter().map(|estimate| &estimate.results) {
            let place = |engine: &str| results.engines.binary_search_by(|it| it.as_str().cmp(engine)).ok();
            let [Some(one), Some(other)] = engines.map(place) else { continue };
            let both = (one.min(other), one.max(other));
            let Ok(pairing) = results.pairings.binary_search_by_key(&both, |it| (it.first, it.second)) else {
                continue;
            };
            let pairing = &results.pairings[pairing];
            let of_game = pairing.scores();
            met.scores.extend(&if one < other { of_game } else { of_game.swapped() });
            met.n_games += 1.0;
            let ResultCounts { wins, draws, losses, .. } = pairing.total.result_counts();
            let matches = Pentanomial { ww: wins, dd: draws, ll: losses, ..Pentanomial::default() };
            met.matches.add(if one < other { matches } else { matches.swapped() });
            has_clusters |= pairing.has_clusters;
            let [white, black] = [pairing.total.first_white, pairing.total.second_white].map(Cell::matches);
            met.n_more_white += white.cast_signed() - black.cast_signed();
        }
        if has_clusters {
            met.matches = Pentanomial::default();
        }
        met
    }

    /// What the pairs say of the two; `None` without pairs. Matches that stand for pairs say nothing unless ten are decided.
    pub(super) fn head_to_head(&self, confidence: Confidence) -> Option<HeadToHead> {
        HeadToHead::of_scores(&self.scores, confidence)
            .or_else(|| HeadToHead::of_matches(&self.matches, self.n_more_white, confidence))
    }

    /// The number of pairs, or of matches that stand for them.
    fn counted(&self) -> u64 {
        self.scores.n() as u64 + self.matches.pairs()
    }
}

/// The first two engines of a table.
pub(super) struct FirstTwo {
    found: Option<HeadToHead>,
    met: Met,
}

impl FirstTwo {
    pub(super) fn new(estimates: &[Estimate], engines: &[Rating], confidence: Confidence) -> Self {
        let met = match engines {
            [first, second, ..] => Met::new(estimates, [&first.engine, &second.engine]),
            _ => Met::default(),
        };
        Self { found: met.head_to_head(confidence), met }
    }

    /// In a table of two engines that started, their pairs alone decide ranks and LOS, so that all screens say the same of the same matches.
    pub(super) fn rank_two(&self, engines: &mut [Rating], intervals: Intervals) -> Option<HeadToHead> {
        let [first, second, others @ ..] = engines else { return None };
        if others.iter().any(|rating| rating.status != Status::Absent) {
            return None;
        }
        let found = self.found.clone().filter(|_| !intervals.validity.is_any_time())?;
        let ranks = match found.stronger() {
            _ if found.few => [None; 2],
            Some(Stronger::First) => [Some((1, 1)), Some((2, 2))],
            Some(Stronger::Second) => [Some((2, 2)), Some((1, 1))],
            None => [Some((1, 2)); 2],
        };
        (first.los_next, first.p_stronger_next) = (Some(found.los), None);
        for (rating, ranks) in [first, second].into_iter().zip(ranks) {
            (rating.rank_low, rating.rank_high) = ranks.unzip();
            rating.decided = rating.decided.or(Some(found.decided));
            rating.fitted = rating.fitted.or(Some(self.met.counted()));
        }
        Some(found)
    }

    /// How many more pairs in each game may be enough to rank the two in `scope`: the interval that ranks them becomes
    /// narrower with the square root of the pairs, and ten pairs must be decided. `None` if they are ranked or did not meet, or
    /// if they are too close.
    pub(super) fn more_pairs(&self, scope: &Scope, confidence: Confidence) -> Option<u64> {
        /// With a lead of less than a tenth of what its interval leaves open, the number would be chance.
        const MOST_REACH: f64 = 10.0;
        let [first, second, others @ ..] = scope.engines.as_slice() else { return None };
        if first.rank_high == Some(1) && second.rank_low > Some(1) {
            return None;
        }
        let rated = RatingDifference::of_engines(scope, &first.engine, &second.engine, confidence);
        let reach_in_leads = if let Some(rated) = rated.filter(|_| !others.is_empty()) {
            (rated.elo - rated.low) / rated.elo
        } else {
            let score = self.found.as_ref()?.score;
            let reach = if score.value > 0.5 { score.value - score.low } else { score.high - score.value };
            reach / (score.value - 0.5)
        };
        let reach_in_leads = Some(reach_in_leads).filter(|reach| reach.abs() <= MOST_REACH)?;
        let played = self.met.scores.n();
        let by_width = played * reach_in_leads.powi(2);
        let by_decided = played * FEWEST_DECIDED as f64 / self.found.as_ref()?.decided as f64;
        let more = ((by_width.max(by_decided) - played) / self.met.n_games).ceil();
        (more.is_finite() && more > 0.0).then_some(more as u64)
    }
}
