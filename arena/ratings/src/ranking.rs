//! The order of a pool, by the estimates, and its significance: rank ranges, and LOS over the next engine. Significance
//! comes from ratings and intervals.

use super::head_to_head::{HeadToHead, Stronger};
use super::intervals::Intervals;
use super::joint::JointRatings;
use super::standings::{Rating, Status};
use super::stronger::Strengths;

/// A rating with its engine's index.
pub(super) struct Row {
    pub engine: usize,
    pub rating: Rating,
}

/// What decides which of two engines is stronger.
pub(super) struct Evidence<'a> {
    /// The ratings with a joint error.
    pub joint: Option<&'a JointRatings>,
    /// The pairs of two engines against each other, by index, from the view of the first one.
    pub met: &'a dyn Fn(usize, usize) -> Option<HeadToHead>,
    pub intervals: Intervals,
}

/// Sorts one pool's rows, the strongest first, and fills in the rank ranges and the comparison with the next one.
pub(super) fn rank(rows: &mut [Row], evidence: &Evidence<'_>, strengths: impl FnOnce() -> Option<Strengths>) {
    let estimate = |row: &Row| row.rating.estimate.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| estimate(b).total_cmp(&estimate(a)).then(a.engine.cmp(&b.engine)));
    let comparisons = Comparisons::new(rows, evidence);
    let ranges: Vec<Option<(usize, usize)>> = (0..rows.len()).map(|row| comparisons.range(row)).collect();
    let superiorities: Vec<Option<f64>> = (0..rows.len()).map(|row| comparisons.los_next(row)).collect();
    let places: Vec<Option<usize>> = comparisons.engines.iter().map(|it| it.place).collect();
    // Both comparisons are for a single look; none that is valid at any time exists.
    let strengths = if evidence.intervals.validity.is_any_time() { None } else { strengths() };
    for (row, places) in places.windows(2).enumerate() {
        if let (Some(strengths), &[Some(one), Some(next)]) = (&strengths, places) {
            rows[row].rating.p_stronger_next = Some(strengths.is_stronger(one, next));
        }
    }
    for (row, (range, los_next)) in rows.iter_mut().zip(ranges.into_iter().zip(superiorities)) {
        row.rating.rank_low = range.map(|(low, _)| low);
        row.rating.rank_high = range.map(|(_, high)| high);
        row.rating.los_next = los_next;
    }
}

struct Comparisons<'a> {
    evidence: &'a Evidence<'a>,
    half_widths: [f64; 2],
    engines: Vec<Comparable>,
    /// Whether the results say anything of an engine's place.
    is_known: Vec<bool>,
}

/// The data that decide whether an engine is significantly stronger than another.
#[derive(Clone, Copy)]
struct Comparable {
    engine: usize,
    /// The index in the joint ratings.
    place: Option<usize>,
    low: f64,
    high: f64,
    /// Whether it has an interval of which no comparison is significant.
    is_few: bool,
}

impl<'a> Comparisons<'a> {
    fn new(rows: &[Row], evidence: &'a Evidence<'a>) -> Self {
        // Where a core is one engine, bounds relative to it do not compare the others.
        let has_core = rows.iter().all(|row| row.rating.status != Status::Alone);
        let comparable = |Row { engine, rating }: &Row| Comparable {
            engine: *engine,
            place: evidence.joint.and_then(|joint| joint.place_of(*engine)),
            low: rating.low.filter(|_| has_core).unwrap_or(f64::NEG_INFINITY),
            high: rating.high.filter(|_| has_core).unwrap_or(f64::INFINITY),
            is_few: rating.few,
        };
        let engines = rows.iter().map(comparable).collect();
        let half_widths = evidence.intervals.confidence.half_widths();
        let mut comparisons = Self { evidence, half_widths, engines, is_known: vec![true; rows.len()] };
        comparisons.is_known = comparisons
            .engines
            .iter()
            .zip(rows)
            .map(|(&own, row)| {
                let is_decided = |&other: &Comparable| {
                    comparisons.is_stronger(own, other) || comparisons.is_stronger(other, own)
                };
                matches!(row.rating.status, Status::OnlyDraws | Status::ColourDecides)
                    || own.place.is_some()
                    || comparisons.engines.iter().any(is_decided)
            })
            .collect();
        comparisons
    }

    /// 1 + the number of significantly stronger engines, and the number of those that are not significantly weaker. An engine
    /// of whose place nothing is known is not sure to be weaker than those that stand below it.
    fn range(&self, row: usize) -> Option<(usize, usize)> {
        let own = self.engines[row];
        if own.is_few || !self.is_known[row] {
            return None;
        }
        let others = || self.engines.iter().enumerate().filter(|&(other, _)| other != row);
        let stronger = others().filter(|&(_, &other)| self.is_stronger(other, own)).count();
        let may_be_stronger = |other: usize| self.is_known[other] || other < row;
        let not_weaker =
            others().filter(|&(other, &it)| may_be_stronger(other) && !self.is_stronger(own, it)).count();
        Some((1 + stronger, 1 + not_weaker))
    }

    /// Whether `one` is significantly stronger than `other`: by the error of the difference if there is one, otherwise
    /// if the intervals are disjoint, or by their own pairs.
    fn is_stronger(&self, one: Comparable, other: Comparable) -> bool {
        let Evidence { joint, met, intervals } = self.evidence;
        if let (Some(joint), Some(place), Some(other_place)) = (joint, one.place, other.place) {
            return joint.difference(place, other_place).is_sure(*intervals, self.half_widths);
        }
        other.high < one.low
            || !intervals.validity.is_any_time()
                && met(one.engine, other.engine).is_some_and(|it| it.stronger() == Some(Stronger::First))
    }

    /// It is the p-value for a single look: there is none that is valid at any time.
    fn los_next(&self, row: usize) -> Option<f64> {
        let Evidence { joint, intervals, .. } = self.evidence;
        let joint = joint.filter(|_| !intervals.validity.is_any_time())?;
        let [place, next] = [Some(self.engines[row]), self.engines.get(row + 1).copied()].map(|it| it?.place);
        Some(joint.difference(place?, next?).los(intervals.confidence))
    }
}
