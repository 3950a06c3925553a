//! Iterates over the set bits of a bitboard, lowest first.

/// The indices of the set bits of `board`, ascending.
pub fn bits64(mut board: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (board != 0).then(|| {
            let lowest = board.trailing_zeros() as u8;
            board &= board - 1;
            lowest
        })
    })
}

/// The indices of the set bits of `board`, ascending.
pub fn bits128(mut board: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (board != 0).then(|| {
            let lowest = board.trailing_zeros() as u8;
            board &= board - 1;
            lowest
        })
    })
}

/// What SplitMix64 adds to its state for each number.
pub(crate) const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// A well mixed 64-bit number for each `n`: constant keys for hashing (SplitMix64).
pub const fn mix64(n: u64) -> u64 {
    output(n.wrapping_add(1).wrapping_mul(GAMMA))
}

/// The number that SplitMix64 makes of its state.
pub(crate) const fn output(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Different keys for the words of a hash.
pub(crate) const fn keys<const N: usize>() -> [u64; N] {
    let mut keys = [0; N];
    let mut n = 0;
    while n < N {
        keys[n] = mix64(n as u64);
        n += 1;
    }
    keys
}

/// Both halves of the product: every bit of either factor reaches every bit of it.
#[inline]
pub(crate) const fn mix_pair(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_first() {
        assert_eq!(bits64(0b1001_0000).collect::<Vec<_>>(), [4, 7]);
        assert_eq!(bits64(0).count(), 0);
        assert_eq!(bits64(u64::MAX).count(), 64);
        assert_eq!(bits128(1 << 120 | 1).collect::<Vec<_>>(), [0, 120]);
    }

    #[test]
    fn mixing_is_splitmix64() {
        // The first outputs of the published generator for seed 0.
        let outputs = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!([0, 1, 2].map(mix64), outputs);
    }
}
