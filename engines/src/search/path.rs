//! The positions that led to the current one, for draws by repetition and by the quiet limit.

use engine_proto::{Play, Position};

/// The fingerprints of the play so far, and of the line being searched after it.
#[derive(Clone, Debug)]
pub struct Path {
    fingerprints: Vec<u64>,
    /// The index of the position that the search started from.
    root: usize,
    /// The number of fingerprints in each class. It is usually 0 or 1, so that a search through them is rare.
    classes: Vec<u16>,
}

const CLASSES: usize = 1 << 12;

impl Path {
    /// The path of a play so far; its current position is the root. It has capacity for `plies` more.
    pub fn new<P: Position>(play: &Play<P>, plies: usize) -> Self {
        let seen = play.fingerprints();
        let mut path = Self {
            fingerprints: Vec::with_capacity(seen.len() + plies),
            root: seen.len().saturating_sub(1),
            classes: vec![0; CLASSES],
        };
        seen.for_each(|fingerprint| path.push(fingerprint));
        path
    }

    /// Adds the position with this fingerprint.
    pub fn push(&mut self, fingerprint: u64) {
        self.fingerprints.push(fingerprint);
        self.classes[class(fingerprint)] += 1;
    }

    /// Removes the last position.
    pub fn pop(&mut self) {
        if let Some(fingerprint) = self.fingerprints.pop() {
            self.classes[class(fingerprint)] -= 1;
        }
    }

    /// The fingerprint of the last position.
    pub fn last(&self) -> u64 {
        self.fingerprints.last().copied().unwrap_or_default()
    }

    /// Whether the last position counts as a draw by repetition: it occurred three times, or twice since the root,
    /// because a line that was repeated once can be repeated again.
    pub fn repeats(&self) -> bool {
        let Some((last, before)) = self.fingerprints.split_last() else {
            return false;
        };
        if self.classes[class(*last)] < 2 {
            return false;
        }
        let (game, line) = before.split_at(self.root.min(before.len()));
        line.contains(last) || game.iter().filter(|earlier| *earlier == last).count() >= 2
    }
}

const fn class(fingerprint: u64) -> usize {
    fingerprint as usize % CLASSES
}

/// Whether `position` is drawn by the quiet limit, unless the game's own rules have ended it.
pub fn is_quiet_draw<P: Position>(position: &P) -> bool {
    P::INFO.quiet_limit <= position.quiet()
}

/// Whether the quiet limit is so near that a result for `position` is valid only for its current count.
pub fn is_nearly_quiet<P: Position>(position: &P) -> bool {
    const NEAR: u32 = 20;
    P::INFO.quiet_limit <= position.quiet().saturating_add(NEAR)
}
