//! What is kept of a match's moves: a fingerprint, to find matches that repeat each other. Never the moves themselves.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A fingerprint of a match's moves, in their order and spelling. Of a million different lists two share one by chance in
/// one of thirty million tallies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveList(u64);

/// A [`MoveList`] in the making.
#[derive(Debug)]
pub struct MoveListBuilder {
    hasher: DefaultHasher,
    is_empty: bool,
}

impl MoveList {
    /// The fingerprint of `moves`; none without any, as matches that nobody moved in repeat nothing.
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

    /// The fingerprint; none without moves.
    pub fn finish(&self) -> Option<MoveList> {
        (!self.is_empty).then(|| MoveList(self.hasher.finish()))
    }
}
