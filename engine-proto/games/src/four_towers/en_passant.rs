//! The moves of two squares that may be answered en passant: the pairs of `<ep>` (page, sections FEN fields and En
//! passant). Other modules decide who may capture them.

use super::cells::{Cell, N_CELLS};

/// The pair of `<ep>` of a move of two squares by a pawn or lancer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnPassant {
    /// The square that it crossed: where it is captured en passant.
    pub crossed: Cell,
    /// The square where it is now.
    pub piece: Cell,
}

/// The pairs of one position, ascending, no two with the same piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EnPassants {
    /// `None` follows the last one.
    pairs: [Option<EnPassant>; Self::MAX],
}

impl EnPassants {
    /// No pair.
    pub const NONE: Self = Self { pairs: [None; Self::MAX] };
    /// The largest number of pairs: a turn has no more moves.
    pub const MAX: usize = 4;

    /// Whether there is no pair.
    pub const fn is_empty(&self) -> bool {
        self.pairs[0].is_none()
    }

    /// The pairs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = EnPassant> {
        self.pairs.into_iter().map_while(|pair| pair)
    }

    /// All crossed squares.
    pub fn crossed(&self) -> u128 {
        self.iter().fold(0, |set, pair| set | pair.crossed.bit())
    }

    /// The squares of all pieces that have crossed a square.
    pub fn pieces(&self) -> u128 {
        self.iter().fold(0, |set, pair| set | pair.piece.bit())
    }

    /// The squares of the pieces that have crossed this square: a move there captures them.
    pub fn captured_on(&self, crossed: Cell) -> u128 {
        self.filtered(|pair| pair.crossed == crossed).pieces()
    }

    /// The pairs that are `wanted`.
    #[must_use]
    pub fn filtered(self, wanted: impl Fn(EnPassant) -> bool) -> Self {
        self.iter().filter(|&pair| wanted(pair)).fold(Self::NONE, Self::with)
    }

    /// Adds a pair. There must be room for it.
    #[must_use]
    pub(super) fn with(mut self, mut pair: EnPassant) -> Self {
        for place in &mut self.pairs {
            match place {
                None => {
                    *place = Some(pair);
                    return self;
                }
                Some(other) if pair < *other => std::mem::swap(other, &mut pair),
                Some(_) => {}
            }
        }
        panic!("more moves of two squares than moves in a turn")
    }

    /// The whole content in one word, for hashing.
    pub(super) fn word(&self) -> u64 {
        self.iter().fold(0, |word, EnPassant { crossed, piece }| {
            word * (N_CELLS * N_CELLS + 1) as u64 + (1 + crossed.index() * N_CELLS + piece.index()) as u64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::four_towers::cells::named;

    fn pair(crossed: &str, piece: &str) -> EnPassant {
        EnPassant { crossed: named(crossed), piece: named(piece) }
    }

    #[test]
    fn pairs_ascend_however_they_come() {
        let pairs = [pair("c5", "c6"), pair("d4", "c5"), pair("d4", "e5"), pair("d10", "d9")];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
            let all = order.iter().fold(EnPassants::NONE, |all, &nth| all.with(pairs[nth]));
            assert!(all.iter().eq(pairs), "{order:?}");
            assert_eq!(all.captured_on(named("d4")), named("c5").bit() | named("e5").bit());
            assert_eq!(all.pieces().count_ones(), 4);
            assert_eq!(all.crossed().count_ones(), 3);
            assert!(all.filtered(|one| one != pairs[1]).iter().eq([pairs[0], pairs[2], pairs[3]]));
        }
        assert!(EnPassants::NONE.is_empty() && EnPassants::NONE.iter().next().is_none());
    }

    #[test]
    fn words_differ() {
        let (one, other) = (pair("c5", "c6"), pair("d4", "e5"));
        let lists = [&[][..], &[one], &[other], &[one, other]];
        let mut words: Vec<u64> =
            lists.map(|list| list.iter().copied().fold(EnPassants::NONE, EnPassants::with).word()).into();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), lists.len());
    }
}
