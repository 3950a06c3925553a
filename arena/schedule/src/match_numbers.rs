//! A set of match numbers, small enough for tournaments with millions of matches.

/// A set of numbers: one bit for each, up to the highest.
#[derive(Clone, Debug, Default)]
pub struct MatchNumbers {
    words: Vec<u64>,
    n: u32,
}

impl MatchNumbers {
    /// Adds a number, which must be in the schedule because memory grows with it. Returns whether it is new.
    pub fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = place(number);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.n += u32::from(is_new);
        is_new
    }

    /// Whether the number is in the set.
    pub fn contains(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// The number of elements.
    pub const fn len(&self) -> u32 {
        self.n
    }

    /// Whether the set is empty.
    pub const fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.words.len() as u32 * u64::BITS).filter(|&number| self.contains(number))
    }
}

/// The index of the word, and the bit in it.
const fn place(number: u32) -> (usize, u64) {
    ((number / u64::BITS) as usize, 1 << (number % u64::BITS))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(numbers in prop::collection::vec(0_u32..400, 0..200)) {
            let (mut set, mut slow) = (MatchNumbers::default(), BTreeSet::new());
            for number in numbers {
                prop_assert_eq!(set.insert(number), slow.insert(number));
            }
            prop_assert_eq!((set.len() as usize, set.is_empty()), (slow.len(), slow.is_empty()));
            prop_assert!((0..1000).all(|number| set.contains(number) == slow.contains(&number)));
            prop_assert!(set.iter().eq(slow));
        }
    }
}
