//! Evaluations as weighted sums of terms. An evaluator lists the terms of a position once; the search uses their sum,
//! and the tuner their counts.

/// A term of an evaluation, or several consecutive terms of a kind, such as one for each piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name in the evaluator's source.
    pub name: &'static str,
    /// The index of its first weight.
    pub first: usize,
    /// The number of weights.
    pub len: usize,
}

/// Receives the terms of a position from an evaluator.
pub trait Tally {
    /// Counts the term with this index `count` times for the current side.
    fn add(&mut self, term: usize, count: i32);

    /// Changes the current side.
    fn turn(&mut self);
}

/// The weighted sum, for the first side.
#[derive(Debug)]
pub struct Sum<const N: usize> {
    weights: &'static [i32; N],
    sign: i32,
    total: i32,
}

/// The counts, positive for the first side.
#[derive(Debug)]
pub struct Counts<'a> {
    counts: &'a mut [i32],
    sign: i32,
}

impl<const N: usize> Sum<N> {
    /// The sum of the terms that `tell` lists.
    #[inline]
    pub fn of(weights: &'static [i32; N], tell: impl FnOnce(&mut Self)) -> i32 {
        let mut sum = Self { weights, sign: 1, total: 0 };
        tell(&mut sum);
        sum.total
    }

    /// Adds a value for the current side, computed in advance from several terms.
    #[inline]
    pub const fn add_value(&mut self, value: i32) {
        self.total += self.sign * value;
    }
}

impl<const N: usize> Tally for Sum<N> {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.total += self.sign * count * self.weights[term];
    }

    #[inline]
    fn turn(&mut self) {
        self.sign = -self.sign;
    }
}

impl<'a> Counts<'a> {
    /// Counts into `counts`, one for each weight.
    pub const fn into(counts: &'a mut [i32]) -> Self {
        Self { counts, sign: 1 }
    }
}

impl Tally for Counts<'_> {
    fn add(&mut self, term: usize, count: i32) {
        self.counts[term] += self.sign * count;
    }

    fn turn(&mut self) {
        self.sign = -self.sign;
    }
}

/// Gives each term's name the index of its first weight, and lists them: `terms! { PIECE[5], TEMPO[1] }`.
macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident [$len:expr],)*) => {
        $crate::eval::terms::terms!(@place 0, $($(#[$doc])* $name [$len],)*);
        /// The terms, in the order of their weights.
        const TERMS: &[$crate::eval::Term] =
            &[$($crate::eval::Term { name: stringify!($name), first: $name, len: $len }),*];
    };
    (@place $first:expr, $(#[$doc:meta])* $name:ident [$len:expr], $($rest:tt)*) => {
        $(#[$doc])*
        const $name: usize = $first;
        $crate::eval::terms::terms!(@place $name + $len, $($rest)*);
    };
    (@place $first:expr,) => {
        /// The number of weights.
        const N_WEIGHTS: usize = $first;
    };
}

pub(super) use terms;

#[cfg(test)]
mod tests {
    use super::*;

    terms! {
        /// One.
        ONE[1],
        /// Three.
        THREE[3],
        /// Two.
        TWO[2],
    }

    static WEIGHTS: [i32; N_WEIGHTS] = [1, 10, 20, 30, 100, 200];

    fn tell(tally: &mut impl Tally) {
        tally.add(ONE, 5);
        tally.add(THREE + 2, 1);
        tally.turn();
        tally.add(TWO, 1);
    }

    #[test]
    fn places_follow_each_other() {
        let places: Vec<_> = TERMS.iter().map(|term| (term.name, term.first, term.len)).collect();
        assert_eq!(places, [("ONE", 0, 1), ("THREE", 1, 3), ("TWO", 4, 2)]);
    }

    #[test]
    fn the_sum_is_of_the_counts() {
        let mut counts = [0; N_WEIGHTS];
        tell(&mut Counts::into(&mut counts));
        assert_eq!(counts, [5, 0, 0, 1, -1, 0]);
        assert_eq!(Sum::of(&WEIGHTS, tell), 5 + 30 - 100);
    }
}
