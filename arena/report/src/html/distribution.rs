//! Counts of whole numbers: means, quantiles and the bars of a histogram.

use std::collections::BTreeMap;

/// Counts by value.
#[derive(Clone, Debug, Default)]
pub struct Distribution {
    counts: BTreeMap<u32, u64>,
    n: u64,
}

/// One bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The smallest value in it.
    pub from: u32,
    /// The largest value in it.
    pub to: u32,
    /// How many values it holds.
    pub count: u64,
}

impl Distribution {
    /// Adds a value.
    pub fn add(&mut self, value: u32) {
        *self.counts.entry(value).or_default() += 1;
        self.n += 1;
    }

    /// The mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.counts.iter().map(|(&value, &count)| f64::from(value) * count as f64).sum();
        (0 < self.n).then(|| sum / self.n as f64)
    }

    /// The `fraction` quantile: the smallest value that is not exceeded by at least this part of the values; `None`
    /// without values.
    pub fn quantile(&self, fraction: f64) -> Option<u32> {
        self.at_place((fraction * self.n as f64).ceil().max(1.0) as u64)
    }

    /// The median, of an even number of values the mean of the middle two; `None` without values.
    pub fn median(&self) -> Option<f64> {
        let [lower, upper] =
            [self.n.div_ceil(2), self.n / 2 + 1].map(|place| self.at_place(place).map(f64::from));
        lower.zip(upper).map(|(lower, upper)| lower.midpoint(upper))
    }

    /// The value at a place of the sorted values, counted from 1.
    fn at_place(&self, place: u64) -> Option<u32> {
        let mut seen = 0;
        self.counts.iter().find_map(|(&value, &count)| {
            seen += count;
            (place <= seen).then_some(value)
        })
    }

    /// The largest value; `None` without values.
    pub fn max(&self) -> Option<u32> {
        self.counts.keys().next_back().copied()
    }

    /// At most `most` bars of the same round width, starting at 0.
    pub fn bins(&self, most: u32) -> Vec<Bin> {
        let Some(max) = self.max() else { return Vec::new() };
        let width = round_width(max, most);
        let mut bins: Vec<Bin> = (0..=max / width)
            .map(|place| Bin { from: place * width, to: (place * width).saturating_add(width - 1), count: 0 })
            .collect();
        for (value, count) in &self.counts {
            bins[(value / width) as usize].count += count;
        }
        bins
    }
}

/// The smallest of 1, 2, 5, 10, ... that needs no more than `most` bars from 0 to `max`.
fn round_width(max: u32, most: u32) -> u32 {
    let mut decade = 1_u32;
    loop {
        for step in [1, 2, 5] {
            let width = decade.saturating_mul(step);
            if max / width < most {
                return width;
            }
        }
        decade = decade.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_mean_and_bars() {
        let mut lengths = Distribution::default();
        assert_eq!((lengths.mean(), lengths.median(), lengths.bins(5)), (None, None, Vec::new()));
        for value in [3, 4, 4, 12, 27] {
            lengths.add(value);
        }
        assert_eq!(lengths.mean(), Some(10.0));
        assert_eq!(
            [0.0, 0.2, 0.5, 0.61, 1.0].map(|part| lengths.quantile(part)),
            [Some(3), Some(3), Some(4), Some(12), Some(27)]
        );
        let bins = lengths.bins(6);
        assert_eq!(bins.iter().map(|bin| bin.count).collect::<Vec<_>>(), [3, 0, 1, 0, 0, 1]);
        assert_eq!((bins[0].from, bins[5].from, bins[5].to), (0, 25, 29));
        assert_eq!(lengths.bins(28).len(), 28, "bars of width 1");
        assert_eq!(lengths.median(), Some(4.0));
        lengths.add(5);
        assert_eq!(lengths.median(), Some(4.5), "the mean of the middle two");
    }

    #[test]
    fn the_largest_values_have_a_bar() {
        let mut largest = Distribution::default();
        largest.add(u32::MAX);
        assert_eq!(largest.bins(10).iter().map(|bin| bin.count).sum::<u64>(), 1);
    }
}
