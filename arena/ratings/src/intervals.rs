//! How many standard errors an interval reaches to each side: for a number of matches fixed beforehand, or at any time.
//! Knows no rating.

use super::confidence::Confidence;
use super::settings::Validity;

/// The number of clusters at which intervals that hold at any time are narrowest beside plain ones.
const BEST_CLUSTERS: f64 = 100.0;
/// Before as many clusters, the theory of large numbers that such intervals rest on says nothing.
pub(super) const FEWEST_CLUSTERS: u64 = 20;

/// How intervals are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intervals {
    pub confidence: Confidence,
    pub validity: Validity,
}

/// What an error rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    /// Degrees of freedom; infinite where the normal distribution serves.
    pub freedom: f64,
    /// How many clusters tell of it.
    pub clusters: u64,
}

impl Intervals {
    /// Half the width of an interval in standard errors; none where it is too early to say.
    pub(super) fn half_width(self, evidence: Evidence) -> Option<f64> {
        let fixed_size = self.confidence.half_width(evidence.freedom);
        match self.validity {
            Validity::FixedSize => Some(fixed_size),
            Validity::AnyTime if evidence.clusters < FEWEST_CLUSTERS => None,
            // What holds at any time holds at a fixed one.
            Validity::AnyTime => Some(any_time(self.confidence, evidence.clusters).max(fixed_size)),
        }
    }
}

impl Evidence {
    /// What a difference of two estimates rests on: the less of both.
    pub(super) fn less(self, other: Self) -> Self {
        Self { freedom: self.freedom.min(other.freedom), clusters: self.clusters.min(other.clusters) }
    }
}

/// The half width, in standard errors, of an asymptotic confidence sequence after `clusters` clusters
/// (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, *Time-uniform central limit theory and asymptotic
/// confidence sequences*, Annals of Statistics 52, 2024).
fn any_time(confidence: Confidence, clusters: u64) -> f64 {
    let surprise = -2.0 * (1.0 - confidence.fraction()).ln();
    let time = clusters as f64 * (surprise + surprise.ln_1p()) / BEST_CLUSTERS;
    ((time + 1.0) / time * (time.ln_1p() + surprise)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_width(fraction: f64, clusters: u64) -> Option<f64> {
        let confidence = Confidence::new(fraction).unwrap();
        Intervals { confidence, validity: Validity::AnyTime }
            .half_width(Evidence { freedom: f64::INFINITY, clusters })
    }

    /// The formula worked out apart from this code.
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

    #[test]
    fn before_twenty_clusters_it_is_too_early() {
        assert_eq!(half_width(0.95, 19), None);
        assert!(half_width(0.95, 20).is_some());
    }

    #[test]
    fn at_a_fixed_size_it_is_students_quantile() {
        let intervals = Intervals { confidence: Confidence::default(), validity: Validity::FixedSize };
        let found = intervals.half_width(Evidence { freedom: 20.0, clusters: 1 }).unwrap();
        assert!((found - 2.085_963).abs() < 1e-6, "{found}");
    }

    /// With few degrees of freedom Student's interval is the wider one.
    #[test]
    fn at_any_time_it_is_never_narrower_than_at_a_fixed_size() {
        let intervals = Intervals { confidence: Confidence::default(), validity: Validity::AnyTime };
        let found = intervals.half_width(Evidence { freedom: 1.0, clusters: 100 }).unwrap();
        assert!((found - 12.7062).abs() < 1e-4, "{found}");
    }
}
