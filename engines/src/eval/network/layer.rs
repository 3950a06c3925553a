//! The hidden layer, kept from one position to the next, and the output. No floating point.

use std::array;

use engine_proto::Side;
use engine_proto::bits::bits64;

use super::weights::{HIDDEN, ONE, OUTPUT_ONE, Sums, Weights};

/// A set of inputs, as the bits of some words.
pub trait Bits: AsRef<[u64]> + Clone + std::fmt::Debug + Send + Sync + 'static {
    /// No input.
    const NONE: Self;
}

impl<const N: usize> Bits for [u64; N] {
    const NONE: Self = [0; N];
}

/// A network with the sums of its hidden layer for the position that it saw last.
#[derive(Clone, Debug)]
pub struct Memory<B> {
    weights: &'static Weights,
    seen: B,
    /// By side, the sums as this side sees the position.
    sums: [Sums; 2],
}

impl<B: Bits> Memory<B> {
    /// The network, which has seen the empty board.
    pub fn new(weights: &'static Weights) -> Self {
        Self { weights, seen: B::NONE, sums: [weights.biases; 2] }
    }

    /// Its weights.
    pub const fn weights(&self) -> &'static Weights {
        self.weights
    }

    /// The value of a position with these inputs for `side`, which is to move, in centi-units. `spread` is the advantage
    /// that wins three of four games.
    #[inline]
    pub fn value(&mut self, bits: B, side: Side, spread: i32) -> i32 {
        self.look_at(bits);
        output(self.weights, &self.sums, side, spread)
    }

    /// Changes the sums to those of a position with these inputs.
    #[inline]
    fn look_at(&mut self, bits: B) {
        let Weights { rows, numbering, .. } = self.weights;
        let words = self.seen.as_ref().iter().zip(bits.as_ref());
        for (idx, (&old, &new)) in words.enumerate() {
            for bit in bits64(old ^ new) {
                let is_new = new >> bit & 1 != 0;
                for side in Side::ALL {
                    let row = &rows[usize::from(numbering.row(side, idx * 64 + usize::from(bit)))];
                    let sums = &mut self.sums[side.index()];
                    // Sums that wrap come back: what was added is subtracted.
                    if is_new {
                        *sums = array::from_fn(|unit| sums[unit].wrapping_add(row[unit]));
                    } else {
                        *sums = array::from_fn(|unit| sums[unit].wrapping_sub(row[unit]));
                    }
                }
            }
        }
        self.seen = bits;
    }
}

/// The output for the side to move, from the sums of both sides: a weighted sum of squared, clipped sums.
#[inline]
fn output(weights: &Weights, sums: &[Sums; 2], side: Side, spread: i32) -> i32 {
    let total =
        half(&weights.output[0], &sums[side.index()]) + half(&weights.output[1], &sums[(!side).index()]);
    let log_odds = i64::from(total / i32::from(ONE)) + i64::from(weights.bias);
    // The logarithm of 3, with which a side scores three quarters, is 1.0986.
    (log_odds * i64::from(spread) * 10_000 / (10_986 * i64::from(ONE) * i64::from(OUTPUT_ONE))) as i32
}

/// One side's part of the output. A clipped sum times a weight fits 16 bits, so that the compiler can multiply eight at once.
#[inline]
fn half(weights: &[i16; HIDDEN], sums: &Sums) -> i32 {
    let mut total = 0;
    for unit in 0..HIDDEN {
        let clipped = sums[unit].clamp(0, ONE);
        total += i32::from(clipped.wrapping_mul(weights[unit])) * i32::from(clipped);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Numbering;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn sums_that_wrap_come_back() {
        let mut rng = Pcg64Mcg::seed_from_u64(5);
        let numbering = Numbering::of(2, |bit| Some(bit ^ 1), |bit| bit);
        let mut sums = || [(); HIDDEN].map(|()| rng.random::<i16>());
        let rows = (0..numbering.len()).map(|_| sums()).collect();
        let (biases, output) = (sums(), [[1; HIDDEN]; 2]);
        let weights = Weights { numbering, recipe: 0, corrects: false, rows, biases, output, bias: 0 };
        let weights: &'static Weights = Box::leak(Box::new(weights));
        let mut kept = Memory::new(weights);
        for _ in 0..100 {
            let bits: [u64; 2] = rng.random();
            kept.look_at(bits);
            let mut anew = Memory::new(weights);
            anew.look_at(bits);
            assert_eq!(kept.sums, anew.sums, "{bits:x?}");
        }
        kept.look_at([0; 2]);
        assert_eq!(kept.sums, [biases; 2]);
    }
}
