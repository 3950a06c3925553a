//! The order of a pool, by the estimates, and its significance: rank ranges, and LOS over the next engine. Significance
//! comes from ratings, intervals and own pairs.

use super::estimate::Estimate;
use super::head_to_head::Stronger;
use super::intervals::Intervals;
use super::joint::JointRatings;
use super::met::Met;
use super::standings::{Rating, Status};
use super::stronger::Strengths;

/// A rating with its engine's index.
pub(super) struct Row {
    pub engine: usize,
    pub rating: Rating,
}

/// What decides which of two engines is stronger.
pub(super) struct Basis<'a> {
    /// The ratings with a joint error.
    pub joint: Option<&'a JointRatings>,
    /// The games whose pairs count.
    pub estimates: &'a [Estimate],
    /// The engines' names, by index.
    pub names: &'a [String],
    pub intervals: Intervals,
}

/// Sorts one pool's rows, the strongest first, and fills in the rank ranges and the comparison with the next one.
pub(super) fn rank(rows: &mut [Row], basis: &Basis<'_>, strengths: impl FnOnce() -> Option<Strengths>) {
    let estimate = |row: &Row| row.rating.estimate.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| estimate(b).total_cmp(&estimate(a)).then(a.engine.cmp(&b.engine)));
    let comparisons = Comparisons::new(rows, basis);
    for (row, range) in comparisons.ranges(rows).into_iter().enumerate() {
        (rows[row].rating.rank_low, rows[row].rating.rank_high) = range.unzip();
    }
    // Both comparisons are for a single look; none that is valid at any time exists.
    let Some(joint) = basis.joint.filter(|_| !basis.intervals.validity.is_any_time()) else { return };
    let strengths = strengths();
    for (row, places) in comparisons.places.windows(2).enumerate() {
        let &[Some(one), Some(next)] = places else { continue };
        let rating = &mut rows[row].rating;
        rating.los_next = Some(joint.difference(one, next).los(basis.intervals.confidence));
        rating.p_stronger_next = strengths.as_ref().map(|it| it.is_stronger(one, next));
    }
}

struct Comparisons {
    /// Each engine's index in the joint ratings.
    places: Vec<Option<usize>>,
    /// For each engine, whether it is significantly stronger than each one.
    stronger: Vec<Vec<bool>>,
}

impl Comparisons {
    fn new(rows: &[Row], basis: &Basis<'_>) -> Self {
        let Basis { joint, estimates, names, intervals } = *basis;
        let half_widths = intervals.confidence.half_widths();
        let places: Vec<_> = rows.iter().map(|row| joint.and_then(|it| it.place_of(row.engine))).collect();
        // Where a core is one engine, bounds relative to it do not compare the others.
        let has_core = rows.iter().all(|row| row.rating.status != Status::Alone);
        let is_above = |one: &Row, other: &Row| {
            let ends = (one.rating.low, other.rating.high);
            has_core && matches!(ends, (Some(low), Some(high)) if high < low)
        };
        let has_won = |one: &Row, other: &Row| {
            let met = Met::new(estimates, [one, other].map(|row| names[row.engine].as_str()));
            let found = met.head_to_head(intervals.confidence);
            found.is_some_and(|found| found.stronger() == Some(Stronger::First))
        };
        // By the error of the difference if there is one, otherwise if the intervals are disjoint, or by their own pairs.
        let is_stronger = |one: usize, other: usize| {
            if let (Some(joint), Some(place), Some(other_place)) = (joint, places[one], places[other]) {
                return joint.difference(place, other_place).is_sure(intervals, half_widths);
            }
            let [one, other] = [&rows[one], &rows[other]];
            is_above(one, other) || (!intervals.validity.is_any_time() && has_won(one, other))
        };
        let of = |one| (0..rows.len()).map(|other| one != other && is_stronger(one, other)).collect();
        let stronger: Vec<Vec<bool>> = (0..rows.len()).map(of).collect();
        if places.contains(&None) {
            Self { stronger: with_chains(&stronger, &places), places }
        } else {
            Self { places, stronger }
        }
    }

    /// Of each row, 1 + the number of significantly stronger engines, and the number of those that are not significantly weaker. An
    /// engine of whose place nothing is known is not sure to be weaker than those that stand below it.
    fn ranges(&self, rows: &[Row]) -> Vec<Option<(usize, usize)>> {
        let Self { places, stronger } = self;
        let is_known = |row: usize| {
            matches!(rows[row].rating.status, Status::OnlyDraws | Status::ColourDecides)
                || places[row].is_some()
                || stronger[row].contains(&true)
                || stronger.iter().any(|other| other[row])
        };
        let is_known: Vec<bool> = (0..rows.len()).map(is_known).collect();
        let range = |row: usize| {
            let others = || (0..rows.len()).filter(move |&other| other != row);
            let n_stronger = others().filter(|&other| stronger[other][row]).count();
            let may_be_stronger = |other: usize| (is_known[other] || other < row) && !stronger[row][other];
            let n_not_weaker = others().filter(|&other| may_be_stronger(other)).count();
            let has_range = is_known[row] && !rows[row].rating.few;
            has_range.then_some((1 + n_stronger, 1 + n_not_weaker))
        };
        (0..rows.len()).map(range).collect()
    }
}

/// `stronger` with what follows from it: an engine that is stronger than one that is stronger than a third one. Not between two
/// engines with a joint error, which decides for itself, and not around a circle.
fn with_chains(stronger: &[Vec<bool>], places: &[Option<usize>]) -> Vec<Vec<bool>> {
    let n = stronger.len();
    let mut reached = stronger.to_vec();
    for through in 0..n {
        let beyond = reached[through].clone();
        for of_one in reached.iter_mut().filter(|of_one| of_one[through]) {
            of_one.iter_mut().zip(&beyond).for_each(|(one, other)| *one |= other);
        }
    }
    let is_stronger = |one: usize, other: usize| {
        let is_open = places[one].is_none() || places[other].is_none();
        stronger[one][other] || is_open && reached[one][other] && !reached[other][one]
    };
    (0..n).map(|one| (0..n).map(|other| is_stronger(one, other)).collect()).collect()
}
