//! The number of pairs that a tournament needs for an aim. It searches; the caller simulates.

use std::collections::BTreeMap;

use serde::Serialize;

use super::share::Share;

/// The largest number of pairs per pairing and game that is tried.
pub const MOST_PAIRS: u32 = 10_000;

/// The number of standard errors of a share that are taken into account.
const STANDARD_ERRORS: f64 = 2.0;
/// Numbers of pairs that differ by less than this fraction count as equal.
const RESOLUTION: f64 = 0.02;

/// The number of pairs per pairing and game that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairsNeeded {
    /// The estimate.
    pub pairs: u32,
    /// The lower end of its interval, from the number of simulated tournaments.
    pub low: u32,
    /// The upper end of its interval. `None` above [`MOST_PAIRS`].
    pub high: Option<u32>,
    /// The chance of success with `pairs`.
    pub chance: Share,
}

/// Even [`MOST_PAIRS`] are not enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooManyPairs {
    /// The chance of success with [`MOST_PAIRS`].
    pub chance: Share,
}

/// The smallest number of pairs for which `share` is at least `wanted`, within 2 %. `share` must increase with the
/// pairs.
///
/// `low` and `high` come from the errors of the shares: two standard errors to each side.
///
/// # Errors
/// If [`MOST_PAIRS`] are not enough.
pub fn pairs_needed(wanted: f64, share: impl FnMut(u32) -> Share) -> Result<PairsNeeded, TooManyPairs> {
    let mut search = Search { share, known: BTreeMap::new() };
    let Some(pairs) = search.fewest(wanted, 0.0) else {
        return Err(TooManyPairs { chance: search.at(MOST_PAIRS) });
    };
    let low = search.fewest(wanted, STANDARD_ERRORS).unwrap_or(pairs);
    let high = search.fewest(wanted, -STANDARD_ERRORS);
    Ok(PairsNeeded { pairs, low: low.min(pairs), high, chance: search.at(pairs) })
}

struct Search<F> {
    share: F,
    known: BTreeMap<u32, Share>,
}

impl<F: FnMut(u32) -> Share> Search<F> {
    fn at(&mut self, pairs: u32) -> Share {
        *self.known.entry(pairs).or_insert_with(|| (self.share)(pairs))
    }

    /// The fewest pairs for which the share plus this number of standard errors is at least `wanted`.
    fn fewest(&mut self, wanted: f64, standard_errors: f64) -> Option<u32> {
        let mut is_enough = |pairs: u32| {
            let share = self.at(pairs);
            wanted <= share.value + standard_errors * share.se
        };
        let (mut too_few, mut enough) = (0, 1);
        while !is_enough(enough) {
            if enough == MOST_PAIRS {
                return None;
            }
            (too_few, enough) = (enough, (2 * enough).min(MOST_PAIRS));
        }
        while too_few + 1 < enough && RESOLUTION * f64::from(enough) < f64::from(enough - too_few) {
            let middle = too_few + (enough - too_few) / 2;
            if is_enough(middle) {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        Some(enough)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_pairs_are_found_with_their_error() {
        // Slightly above 80 % with 40 pairs, and 2 % more or less with each pair more or less.
        let share = |pairs: u32| Share { value: (f64::from(pairs) / 50.0 + 0.001).min(1.0), se: 0.02 };
        let needed = pairs_needed(0.8, share).unwrap();
        assert_eq!((needed.pairs, needed.low, needed.high), (40, 38, Some(42)));
        assert!((needed.chance.value - 0.801).abs() < 1e-12);
    }

    #[test]
    fn one_pair_may_be_enough_and_no_number_may_be() {
        let always = Share { value: 0.99, se: 0.01 };
        assert_eq!(pairs_needed(0.8, |_| always).unwrap().pairs, 1);
        let never = Share { value: 0.01, se: 0.01 };
        assert_eq!(pairs_needed(0.8, |_| never), Err(TooManyPairs { chance: never }));
    }

    #[test]
    fn what_is_known_is_not_simulated_again() {
        let mut tried = Vec::new();
        let share = |pairs: u32| {
            tried.push(pairs);
            Share { value: f64::from(u8::from(100 <= pairs)), se: 1e-9 }
        };
        assert_eq!(pairs_needed(0.8, share).unwrap().pairs, 100);
        let n_tried = tried.len();
        tried.sort_unstable();
        tried.dedup();
        assert_eq!(tried.len(), n_tried);
    }
}
