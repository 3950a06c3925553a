//! The positions that led to the one searched, for the draws that no position can know: repetition and quiet.

use engine_proto::{Play, Position};

/// The fingerprints of a game so far, and of the line being searched after it.
#[derive(Clone, Debug)]
pub struct Path {
    fingerprints: Vec<u64>,
    /// The index of the position that the search started from.
    root: usize,
    /// How many of the fingerprints fall in each class: mostly none or one, so that looking through them is rare.
    classes: Vec<u16>,
}

const CLASSES: usize = 1 << 12;

impl Path {
    /// The path of a game so far; its present position is the root. Room is kept for `plies` more.
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

    /// Goes on to the position with this fingerprint.
    pub fn push(&mut self, fingerprint: u64) {
        self.fingerprints.push(fingerprint);
        self.classes[class(fingerprint)] += 1;
    }

    /// Takes the last position back.
    pub fn pop(&mut self) {
        if let Some(fingerprint) = self.fingerprints.pop() {
            self.classes[class(fingerprint)] -= 1;
        }
    }

    /// The fingerprint of the last position.
    pub fn last(&self) -> u64 {
        self.fingerprints.last().copied().unwrap_or_default()
    }

    /// Whether the last position counts as a draw by repetition: it is there for the third time, or for the second time
    /// since the root, for what could be repeated once can be repeated twice.
    pub fn repeats(&self) -> bool {
        let Some((last, before)) = self.fingerprints.split_last() else {
            return false;
        };
        if self.classes[class(*last)] < 2 {
            return false;
        }
        let (game, line) = before.split_at(self.root.min(before.len()));
        line.contains(last) || 2 <= game.iter().filter(|earlier| *earlier == last).count()
    }
}

const fn class(fingerprint: u64) -> usize {
    fingerprint as usize % CLASSES
}

/// Whether `position` is drawn for want of progress, unless the game's own rules have ended it.
pub fn is_quiet_draw<P: Position>(position: &P) -> bool {
    P::INFO.quiet_limit <= position.quiet()
}

/// Whether the quiet limit is so near that what was found out about `position` holds only at this count.
pub fn is_nearly_quiet<P: Position>(position: &P) -> bool {
    const NEAR: u32 = 20;
    P::INFO.quiet_limit <= position.quiet().saturating_add(NEAR)
}
