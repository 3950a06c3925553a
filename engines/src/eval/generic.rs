//! The evaluation of games without their own evaluation: mobility.

use engine_proto::Searchable;

use super::Evaluator;

/// More moves are better for the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<P: Searchable> Evaluator<P> for Mobility {
    const SPREAD: i32 = 200;

    fn evaluate(&mut self, position: &P) -> i32 {
        // With the logarithm, twice the moves are the same advantage with 5 moves as with 500.
        tenths_of_doublings(position.count_legal_moves())
    }
}

/// The binary logarithm of `n` in tenths, rounded down; 0 for 0. It uses no floating point, so that it is the same on
/// any machine.
pub(super) fn tenths_of_doublings(n: usize) -> i32 {
    static TENTHS: [u8; 1024] = tenths();
    TENTHS[n.min(TENTHS.len() - 1)].into()
}

const fn tenths() -> [u8; 1024] {
    let mut tenths = [0; 1024];
    let mut n = 1;
    while n < tenths.len() {
        // 10 log2 n = log2 n^10, which has at most 100 bits.
        tenths[n] = (n as u128).pow(10).ilog2() as u8;
        n += 1;
    }
    tenths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doublings_are_logarithms() {
        assert_eq!(
            [0, 1, 2, 3, 4, 1_000, 1_023, 5_000].map(tenths_of_doublings),
            [0, 0, 10, 15, 20, 99, 99, 99]
        );
        for n in 1..1_024 {
            let logarithm = (n as f64).log2() * 10.0;
            assert!((logarithm - 1.0..=logarithm + 1e-9).contains(&f64::from(tenths_of_doublings(n))), "{n}");
        }
    }
}
