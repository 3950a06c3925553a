//! A fingerprint of a match's moves, to find copies. The moves are not stored.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A fingerprint of a match's moves in canonical spelling and order. Among a million different lists, two have the
/// same fingerprint in one of thirty million tallies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveList(u64);

/// Builds a [`MoveList`].
#[derive(Clone, Debug)]
pub struct MoveListBuilder {
    hasher: DefaultHasher,
    is_empty: bool,
}

impl MoveList {
    /// The fingerprint of `moves`; `None` without moves, because matches without moves are not copies.
    pub fn of<'a>(moves: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut builder = MoveListBuilder::default();
        for mv in moves {
            builder.add(mv.as_bytes());
        }
        builder.finish()
    }
}

impl Default for MoveListBuilder {
    fn default() -> Self {
        Self { hasher: DefaultHasher::new(), is_empty: true }
    }
}

impl MoveListBuilder {
    /// Adds the next move.
    pub fn add(&mut self, mv: &[u8]) {
        mv.hash(&mut self.hasher);
        self.is_empty = false;
    }

    /// The fingerprint; `None` without moves.
    pub fn finish(&self) -> Option<MoveList> {
        (!self.is_empty).then(|| MoveList(self.hasher.finish()))
    }
}
