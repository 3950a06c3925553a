//! The order of a pool, by the estimates, and its significance: rank ranges, and LOS over the next engine. Significance
//! comes from ratings and intervals.

use super::intervals::Intervals;
use super::joint::JointRatings;
use super::standings::{Rating, Status};
use super::stronger::Strengths;

/// A rating with its engine's index.
pub(super) struct Row {
    pub engine: usize,
    pub rating: Rating,
}

/// Sorts one pool's rows, the strongest first, and fills in the rank ranges and the comparison with the next one.
pub(super) fn rank(
    rows: &mut [Row],
    joint: Option<&JointRatings>,
    strengths: impl FnOnce() -> Option<Strengths>,
    intervals: Intervals,
) {
    let estimate = |row: &Row| row.rating.estimate.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| estimate(b).total_cmp(&estimate(a)).then(a.engine.cmp(&b.engine)));
    let comparisons = Comparisons::new(rows, joint, intervals);
    let ranges: Vec<Option<(usize, usize)>> = (0..rows.len()).map(|row| comparisons.range(row)).collect();
    let places: Vec<Option<usize>> = rows.iter().map(|row| joint?.place_of(row.engine)).collect();
    // Both comparisons are for a single look; none that is valid at any time exists.
    let strengths = if intervals.validity.is_any_time() { None } else { strengths() };
    for (row, places) in places.windows(2).enumerate() {
        if let (Some(strengths), &[Some(one), Some(next)]) = (&strengths, places) {
            rows[row].rating.p_stronger_next = Some(strengths.is_stronger(one, next));
        }
    }
    let superiorities: Vec<Option<f64>> = (0..rows.len()).map(|row| comparisons.los_next(row)).collect();
    for (row, (range, los_next)) in rows.iter_mut().zip(ranges.into_iter().zip(superiorities)) {
        row.rating.rank_low = range.map(|(low, _)| low);
        row.rating.rank_high = range.map(|(_, high)| high);
        row.rating.los_next = los_next;
    }
}

struct Comparisons<'a> {
    joint: Option<&'a JointRatings>,
    intervals: Intervals,
    half_widths: [f64; 2],
    comparables: Vec<Option<Comparable>>,
}

/// The data that decide whether an engine is significantly stronger than another.
#[derive(Clone, Copy)]
struct Comparable {
    /// The index in the joint ratings.
    place: Option<usize>,
    low: f64,
    high: f64,
    /// Whether no comparison with it is significant.
    is_few: bool,
}

impl<'a> Comparisons<'a> {
    fn new(rows: &[Row], joint: Option<&'a JointRatings>, intervals: Intervals) -> Self {
        let comparable = |row: &Row| {
            let rating = &row.rating;
            let place = joint.and_then(|joint| joint.place_of(row.engine));
            let (low, high) = match rating.status {
                // Where a core is one engine, bounds relative to it do not compare the others.
                Status::NotComparable | Status::Absent | Status::SomeGames { .. } | Status::Alone => {
                    return None;
                }
                _ => (rating.low.unwrap_or(f64::NEG_INFINITY), rating.high.unwrap_or(f64::INFINITY)),
            };
            Some(Comparable { place, low, high, is_few: rating.few })
        };
        let has_core = rows.iter().all(|row| row.rating.status != Status::Alone);
        let comparables = rows.iter().map(|row| comparable(row).filter(|_| has_core)).collect();
        Self { joint, intervals, half_widths: intervals.confidence.half_widths(), comparables }
    }

    /// 1 + the number of significantly stronger engines, and the number of those that are not significantly weaker. An engine
    /// that cannot be compared is not sure to be weaker than those that stand below it.
    fn range(&self, row: usize) -> Option<(usize, usize)> {
        let own = self.comparables[row].filter(|own| !own.is_few)?;
        let others = || self.comparables.iter().enumerate().filter(|&(other, _)| other != row);
        let comparable = || others().filter_map(|(_, &other)| other);
        let stronger = comparable().filter(|&other| self.is_stronger(other, own)).count();
        let not_weaker = comparable().filter(|&other| !self.is_stronger(own, other)).count();
        let incomparable = self.comparables[..row].iter().filter(|other| other.is_none()).count();
        Some((1 + stronger, 1 + not_weaker + incomparable))
    }

    /// Whether `one` is significantly stronger than `other`: by the error of the difference if there is one, otherwise
    /// if the intervals are disjoint.
    fn is_stronger(&self, one: Comparable, other: Comparable) -> bool {
        let (Some(joint), Some(place), Some(other_place)) = (self.joint, one.place, other.place) else {
            return other.high < one.low;
        };
        joint.difference(place, other_place).is_sure(self.intervals, self.half_widths)
    }

    /// It is the p-value for a single look: there is none that is valid at any time.
    fn los_next(&self, row: usize) -> Option<f64> {
        let joint = self.joint.filter(|_| !self.intervals.validity.is_any_time())?;
        let place = self.comparables[row]?.place?;
        let next = (*self.comparables.get(row + 1)?)?.place?;
        Some(joint.difference(place, next).los(self.intervals.confidence))
    }
}
