//! Ends a tournament when all rating intervals are narrow enough. It uses intervals that are valid at any time.

use model::Scope as Which;
use ratings::{OVERALL, RatingSettings, Scope, Standings, Tally, Validity};

/// Every engine's interval is narrow enough.
#[derive(Clone, Debug)]
pub struct Precision {
    /// The largest half width, in Elo.
    elo: f64,
    which: Which,
}

/// The widest interval of the ratings that the rule applies to.
struct Widest {
    /// Half of its width in Elo; infinite if an end is unbounded or there is no rating.
    half_width: f64,
    engine: String,
    scope: String,
}

impl Precision {
    /// Half widths of at most `elo`, in the ratings that `which` selects.
    pub const fn new(elo: f64, which: Which) -> Self {
        Self { elo, which }
    }

    /// The answer, if the rule is fulfilled.
    pub(super) fn look(&self, tally: &Tally) -> Option<String> {
        let widest = self.widest(tally)?;
        (widest.half_width <= self.elo)
            .then(|| format!("every rating{} is known to within {} Elo", self.place(), self.elo))
    }

    pub(super) fn findings(&self, tally: &Tally) -> Vec<String> {
        let Some(Widest { half_width, engine, scope }) = self.widest(tally) else { return Vec::new() };
        let width =
            if half_width.is_finite() { format!("± {half_width:.1} Elo") } else { "unbounded".to_owned() };
        vec![format!("the widest interval: {engine}, {scope}, {width}; the aim is ± {} Elo", self.elo)]
    }

    /// Widths decrease with the square root of the number of pairs.
    pub(super) fn prospect(&self, tally: &Tally, n_pairs: u32) -> String {
        let rule = format!("precision (± {} Elo{})", self.elo, self.place());
        match self.widest(tally) {
            Some(Widest { half_width, .. }) if half_width.is_finite() => {
                let expected = f64::from(n_pairs) * (half_width / self.elo).powi(2).max(1.0);
                format!(
                    "{rule}: about {:.0} pairs are expected, estimated from {n_pairs} finished pairs",
                    expected.ceil()
                )
            }
            _ => format!("{rule}: the number of pairs can be estimated after the first results"),
        }
    }

    fn widest(&self, tally: &Tally) -> Option<Widest> {
        let settings = RatingSettings { validity: Validity::AnyTime, ..RatingSettings::default() };
        let standings = Standings::new(tally, &settings);
        let is_wanted = |scope: &&Scope| (scope.name == OVERALL) == (self.which == Which::Overall);
        let mut widest: Option<Widest> = None;
        for scope in standings.scopes.iter().filter(is_wanted) {
            for rating in &scope.engines {
                let half_width =
                    rating.low.zip(rating.high).map_or(f64::INFINITY, |(low, high)| 0.5 * (high - low));
                if widest.as_ref().is_none_or(|widest| widest.half_width < half_width) {
                    widest =
                        Some(Widest { half_width, engine: rating.engine.clone(), scope: scope.name.clone() });
                }
            }
        }
        widest
    }

    const fn place(&self) -> &'static str {
        match self.which {
            Which::Overall => " overall",
            Which::Games => " in every game",
        }
    }
}
