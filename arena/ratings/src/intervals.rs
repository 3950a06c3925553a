//! The width of intervals in standard errors: for a number of matches fixed beforehand, or at any time.

use super::confidence::{Confidence, FEWEST_FREEDOM};
use super::settings::Validity;

/// The number of clusters at which intervals that are valid at any time are narrowest relative to usual ones.
const BEST_CLUSTERS: f64 = 100.0;
/// With fewer clusters, the asymptotic theory of such intervals does not apply.
pub(super) const FEWEST_CLUSTERS: u64 = 20;
/// With fewer decided clusters, in which the two sides scored differently, no difference is significant.
pub const FEWEST_DECIDED: u64 = 10;
/// From this number of decided clusters on, an error is not widened.
const ENOUGH_DECIDED: f64 = 20.0;

/// The kind of intervals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intervals {
    pub confidence: Confidence,
    pub validity: Validity,
    /// The number of engines whose intervals are valid together at any time, if all intervals of a table must be.
    pub n_engines: usize,
}

/// The degrees of freedom and the clusters of an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    /// Degrees of freedom; infinite for the normal distribution.
    pub freedom: f64,
    /// The number of clusters.
    pub clusters: u64,
    /// The number of clusters in which the two sides scored differently.
    pub decided: u64,
    /// The effective number of openings that several pairings share; 0 if there are none.
    pub openings: f64,
    /// λ: the factor by which few decided clusters widen the error.
    pub widening: f64,
    /// Whether too few were decided for any significant difference.
    pub is_few: bool,
}

/// The variance of a number, clustered by pairs and by openings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Variance {
    /// By pairs.
    pub pairs: f64,
    /// By openings, if pairings share some: from clusters with their own opening, and from shared openings.
    pub openings: Option<[f64; 2]>,
}

impl Variance {
    /// The standard error: the half width of the wider of the two intervals, divided by the quantile for pairs, so that
    /// intervals use this quantile; widened if few clusters were decided.
    pub(super) fn standard_error(self, evidence: Evidence, confidence: Confidence) -> f64 {
        let by_pairs = self.pairs.max(0.0).sqrt();
        let by_openings = self.by_openings(evidence).map_or(0.0, |(variance, freedom)| {
            variance.sqrt() * confidence.half_width(freedom) / confidence.half_width(evidence.freedom)
        });
        by_pairs.max(by_openings) * evidence.widening
    }

    /// The variance by openings, without degrees of freedom; by pairs if there is none.
    pub(super) fn shown_by_openings(self, evidence: Evidence) -> f64 {
        self.by_openings(evidence).map_or(self.pairs, |(variance, _)| variance)
    }

    /// The variance by openings with its degrees of freedom (F. E. Satterthwaite, Biometrics Bulletin 2, 1946). `None`
    /// without a second shared opening to compare with.
    fn by_openings(self, evidence: Evidence) -> Option<(f64, f64)> {
        let [alone, shared] = self.openings?;
        if evidence.openings < 2.0 || shared <= 0.0 {
            return None;
        }
        let shared = shared * evidence.openings / (evidence.openings - 1.0);
        let variance = alone + shared;
        let opening_freedom = (evidence.openings - 1.0).max(FEWEST_FREEDOM);
        let freedom =
            variance * variance / (alone * alone / evidence.freedom + shared * shared / opening_freedom);
        Some((variance, freedom))
    }
}

impl Intervals {
    /// Half the width of an interval in standard errors; `None` if it is too early.
    pub(super) fn half_width(self, evidence: Evidence) -> Option<f64> {
        // Intervals that are valid at any time are also valid for a fixed number.
        Some(self.least_half_width(evidence)?.max(self.confidence.half_width(evidence.freedom)))
    }

    /// The least half width for which the interval is valid at any time, 0 if it need not be; `None` if it is too early.
    pub(super) fn least_half_width(self, evidence: Evidence) -> Option<f64> {
        let n_engines = match self.validity {
            Validity::FixedSize => return Some(0.0),
            Validity::AnyTime => 1,
            Validity::AnyTimeAll => self.n_engines.max(1),
        };
        if evidence.is_too_early() {
            return None;
        }
        let chance = (1.0 - self.confidence.fraction()) / n_engines as f64;
        Some(any_time(chance, evidence.clusters))
    }

    /// The same for a table of this number of engines.
    pub(super) fn of_engines(self, n_engines: usize) -> Self {
        Self { n_engines, ..self }
    }
}

impl Evidence {
    /// For an engine's rating with `clusters`, of which `decided` were decided.
    pub(super) fn new(clusters: u64, decided: u64, openings: f64, pseudo_clusters: f64) -> Self {
        Self {
            freedom: clusters as f64 - 1.0 + pseudo_clusters,
            clusters,
            decided,
            openings,
            widening: widening(decided, 0.5 * clusters as f64),
            is_few: decided < FEWEST_DECIDED,
        }
    }

    /// For a game's own parameters: all `clusters`, of which `decided` were decided.
    pub(super) fn of_game(clusters: u64, decided: u64, openings: f64) -> Self {
        // Where most clusters are drawn, the few decided ones say less than their number. All drawn is a case of its own.
        let n_drawn = if decided == 0 { 0 } else { clusters.saturating_sub(decided) };
        let drawn = n_drawn as f64 / clusters.max(1) as f64;
        let doubt = widening(decided, ENOUGH_DECIDED).powi(2) - 1.0;
        let widening = (1.0 + doubt * (1.0 + drawn)).sqrt();
        Self { freedom: f64::INFINITY, clusters, decided, openings, widening, is_few: false }
    }

    /// For a normally distributed number with known errors.
    pub(super) fn normal(clusters: u64, decided: u64) -> Self {
        Self { freedom: f64::INFINITY, clusters, decided, openings: 0.0, widening: 1.0, is_few: false }
    }

    /// For a difference of two estimates: the smaller values of both.
    pub(super) fn less(self, other: Self) -> Self {
        Self {
            freedom: self.freedom.min(other.freedom),
            clusters: self.clusters.min(other.clusters),
            decided: self.decided.min(other.decided),
            openings: self.openings.min(other.openings),
            widening: self.widening.max(other.widening),
            is_few: self.is_few || other.is_few,
        }
    }

    fn is_too_early(self) -> bool {
        self.clusters < FEWEST_CLUSTERS || self.decided < FEWEST_DECIDED
    }
}

/// λ: the factor by which few decided clusters widen an error. It is 1 from `enough` or 20 decided clusters on.
fn widening(decided: u64, enough: f64) -> f64 {
    let doubt = 3.0 / decided.max(1) as f64 - 3.0 / enough.min(ENOUGH_DECIDED);
    (1.0 + doubt.max(0.0)).sqrt()
}

/// The half width, in standard errors, of an asymptotic confidence sequence with the error probability `chance`, after
/// `clusters` clusters
/// (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, *Time-uniform central limit theory and asymptotic
/// confidence sequences*, Annals of Statistics 52, 2024).
fn any_time(chance: f64, clusters: u64) -> f64 {
    let surprise = -2.0 * chance.ln();
    let time = clusters as f64 * (surprise + surprise.ln_1p()) / BEST_CLUSTERS;
    ((time + 1.0) / time * (time.ln_1p() + surprise)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_width(fraction: f64, clusters: u64) -> Option<f64> {
        let confidence = Confidence::new(fraction).unwrap();
        Intervals { confidence, validity: Validity::AnyTime, n_engines: 1 }
            .half_width(Evidence::normal(clusters, clusters))
    }

    /// The formula, computed independently of this code.
    #[test]
    fn at_any_time_an_interval_reaches_about_three_standard_errors() {
        for (fraction, clusters, expected) in [
            (0.95, 25, 3.264_293),
            (0.95, 50, 3.083_569),
            (0.95, 100, 3.035_209),
            (0.95, 200, 3.061_477),
            (0.95, 400, 3.127_114),
            (0.95, 1000, 3.241_723),
            (0.9, 100, 2.763_939),
            (0.9, 200, 2.791_028),
        ] {
            let found = half_width(fraction, clusters).unwrap();
            assert!((found - expected).abs() <= 1e-6, "{fraction} {clusters}: {found}");
        }
    }

    /// The intervals of five engines at 95 % are those of one at 99 %.
    #[test]
    fn all_engines_together_share_the_chance_of_a_miss() {
        let evidence = Evidence::normal(200, 200);
        let of = |fraction: f64, validity: Validity| {
            let confidence = Confidence::new(fraction).unwrap();
            Intervals { confidence, validity, n_engines: 5 }.half_width(evidence).unwrap()
        };
        assert!((of(0.95, Validity::AnyTimeAll) - of(0.99, Validity::AnyTime)).abs() < 1e-9);
        assert!(of(0.95, Validity::AnyTime) < of(0.95, Validity::AnyTimeAll));
    }

    #[test]
    fn before_twenty_clusters_it_is_too_early() {
        assert_eq!(half_width(0.95, 19), None);
        assert!(half_width(0.95, 20).is_some());
        let intervals =
            Intervals { confidence: Confidence::default(), validity: Validity::AnyTime, n_engines: 1 };
        assert_eq!(intervals.half_width(Evidence::normal(100, 9)), None, "too few decided");
    }

    #[test]
    fn few_decided_clusters_widen() {
        for (clusters, decided, expected) in [
            (40, 20, 1.0),
            (40, 14, 1.031_6),
            (100, 20, 1.0),
            (100, 5, 1.204_2),
            (12, 6, 1.0),
            (12, 0, 1.870_8),
        ] {
            let found = Evidence::new(clusters, decided, 0.0, 20.0).widening;
            assert!((found - expected).abs() < 1e-4, "{clusters} {decided}: {found}");
        }
    }

    /// The wider of the two errors counts, and one opening gives no information about others.
    #[test]
    fn the_wider_error_counts() {
        let error = |openings: f64, shared: f64| {
            let evidence = Evidence { openings, ..Evidence::new(41, 20, 0.0, 20.0) };
            Variance { pairs: 100.0, openings: Some([1.0, shared]) }
                .standard_error(evidence, Confidence::default())
        };
        assert!((error(1.0, 1e6) - 10.0).abs() < 1e-12);
        assert!((error(10.0, 1.0) - 10.0).abs() < 1e-12);
        // 10 / 9 · 900 and 1 with 9 degrees of freedom against 60.
        assert!(
            (error(10.0, 900.0) - 1001.0f64.sqrt() * 2.261_9 / 2.000_3).abs() < 0.01,
            "{}",
            error(10.0, 900.0)
        );
        assert!(error(10.0, 900.0) < error(4.0, 900.0) && error(4.0, 900.0) < error(2.0, 900.0));
    }

    #[test]
    fn at_a_fixed_size_it_is_students_quantile() {
        let intervals =
            Intervals { confidence: Confidence::default(), validity: Validity::FixedSize, n_engines: 1 };
        let found = intervals.half_width(Evidence { freedom: 20.0, ..Evidence::normal(1, 1) }).unwrap();
        assert!((found - 2.085_963).abs() < 1e-6, "{found}");
    }

    /// With few degrees of freedom, Student's interval is the wider one.
    #[test]
    fn at_any_time_it_is_never_narrower_than_at_a_fixed_size() {
        let intervals =
            Intervals { confidence: Confidence::default(), validity: Validity::AnyTime, n_engines: 1 };
        let found = intervals.half_width(Evidence { freedom: 1.0, ..Evidence::normal(100, 100) }).unwrap();
        assert!((found - 12.7062).abs() < 1e-4, "{found}");
    }
}
