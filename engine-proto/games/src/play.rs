//! A game in progress. It adds to the position the moves played, and so repetition and the quiet limit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::{fmt, iter};

use crate::scene::{Effects, Shift};
use crate::spelling::{Spellings, is_spelled};
use crate::{Drawn, End, FenError, Position, UnknownGame};

/// A position with the moves that led to it.
#[derive(Clone, Debug)]
pub struct Play<P: Position> {
    moves: Vec<P::Move>,
    /// First the start, last the current position: never empty.
    positions: Vec<P>,
    /// The fingerprint of each position.
    fingerprints: Vec<u64>,
    /// For each position, the last one before it with the same fingerprint.
    earlier: Vec<Option<usize>>,
    /// For each fingerprint, the last position that has it.
    latest: HashMap<u64, usize, BuildHasherDefault<Mixed>>,
    end: Option<End>,
}

impl<P: Position> Play<P> {
    /// A play that starts from `start`.
    pub fn new(start: P) -> Self {
        let mut play = Self {
            moves: Vec::new(),
            positions: Vec::new(),
            fingerprints: Vec::new(),
            earlier: Vec::new(),
            latest: HashMap::default(),
            end: None,
        };
        play.restart(start);
        play
    }

    /// Drops all moves and starts again from `start`. It reuses the memory.
    pub fn restart(&mut self, start: P) {
        self.moves.clear();
        self.positions.clear();
        self.fingerprints.clear();
        self.earlier.clear();
        self.latest.clear();
        self.push(start);
    }

    /// A play that starts from `start` and continues with `moves` in canonical spelling.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub fn from_moves<'a>(start: P, moves: impl IntoIterator<Item = &'a str>) -> Result<Self, IllegalMove> {
        let mut play = Self::new(start);
        for mv in moves {
            play.play_text(mv)?;
        }
        Ok(play)
    }

    /// The start position.
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.positions[self.moves.len()]
    }

    /// The moves played.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// The end of the play, if it is over: by the game's rules, by repetition or by the quiet limit, in this order.
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    /// The legal moves; none once the play is over, also by repetition or the quiet limit.
    pub fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        if self.end.is_none() {
            self.position().legal_moves(moves);
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal, or the play is over. The play does not change then.
    pub fn play(&mut self, mv: P::Move) -> Result<(), IllegalMove> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if !moves.contains(&mv) {
            return Err(IllegalMove::new(&mv.to_string()));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays the move with the spelling `text`.
    ///
    /// # Errors
    /// If `text` is not the canonical spelling of a legal move, or the play is over. The play does not change then.
    pub fn play_text(&mut self, text: &str) -> Result<P::Move, IllegalMove> {
        if self.end.is_some() {
            return Err(IllegalMove::new(text));
        }
        let mv = self.position().parse_move(text).ok_or_else(|| IllegalMove::new(text))?;
        debug_assert!(is_spelled(&mv, text), "parse_move takes canonical spellings only");
        self.play_unchecked(mv);
        Ok(mv)
    }

    /// Plays a move. The caller guarantees that it is legal.
    pub fn play_unchecked(&mut self, mv: P::Move) {
        let mut position = self.position().clone();
        position.play_unchecked(mv);
        self.moves.push(mv);
        self.push(position);
    }

    /// Takes the last move back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<P::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        if let (Some(fingerprint), Some(earlier)) = (self.fingerprints.pop(), self.earlier.pop()) {
            match earlier {
                Some(idx) => self.latest.insert(fingerprint, idx),
                None => self.latest.remove(&fingerprint),
            };
        }
        self.end = self.look_at_end();
        Some(mv)
    }

    /// How many times the current position has occurred in the play: at least 1.
    pub fn occurrences(&self) -> usize {
        let same_fingerprint = iter::successors(Some(self.moves.len()), |&idx| self.earlier[idx]);
        same_fingerprint.filter(|&idx| self.position().repeats(&self.positions[idx])).count()
    }

    fn push(&mut self, position: P) {
        let fingerprint = position.fingerprint();
        self.earlier.push(self.latest.insert(fingerprint, self.positions.len()));
        self.fingerprints.push(fingerprint);
        self.positions.push(position);
        self.end = self.look_at_end();
    }

    /// Plays `n_moves` moves. Of the `n` legal moves, sorted by spelling, it takes the one with the index `choose(n)`.
    /// Returns false if the play ends before; it then stays at its end.
    pub fn play_chosen(&mut self, n_moves: u32, mut choose: impl FnMut(usize) -> usize) -> bool {
        let (mut moves, mut spellings) = (Vec::new(), Spellings::default());
        for _ in 0..n_moves {
            moves.clear();
            self.legal_moves(&mut moves);
            if moves.is_empty() {
                return false;
            }
            let nth = choose(moves.len());
            self.play_unchecked(moves[spellings.nth(&moves, nth)]);
        }
        true
    }

    /// The fingerprints of all positions: first that of the start, last that of the current position.
    pub fn fingerprints(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        self.fingerprints.iter().copied()
    }

    fn look_at_end(&self) -> Option<End> {
        if let Some(end) = self.position().end() {
            return Some(end);
        }
        if self.occurrences() >= 3 {
            return Some(End::draw("repetition"));
        }
        (self.position().quiet() >= P::INFO.quiet_limit).then_some(End::draw("quiet"))
    }
}

impl<P: Drawn> Play<P> {
    /// The effects of the last move on the board; `None` before the first move.
    pub fn effects(&self) -> Option<Effects> {
        let mv = self.moves.last()?;
        let (before, position) = (&self.positions[self.moves.len() - 1], self.position());
        Some(Effects::of(&mv.to_string(), &position.layout(), &before.scene(), &position.scene()))
    }

    /// How the last move displaced pieces: see [`Drawn::shifts`]. None before the first move.
    pub fn shifts(&self) -> Vec<Shift> {
        self.moves.last().map_or_else(Vec::new, |mv| self.positions[self.moves.len() - 1].shifts(*mv))
    }
}

/// The hash of a fingerprint: itself, because it is well mixed.
#[derive(Clone, Copy, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, fingerprint: u64) {
        self.0 = self.0.rotate_left(1) ^ fingerprint;
    }
}

impl<P: Position> fmt::Display for Play<P> {
    /// The start's FEN and the moves, as in the protocol's `position`: `fen <fen> moves <m> ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fen {}", self.start())?;
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// A move that is not legal, or not in canonical spelling.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move `{text}`")]
pub struct IllegalMove {
    /// The text as given, shortened for messages.
    pub text: String,
}

impl IllegalMove {
    /// A rejected text.
    pub fn new(text: &str) -> Self {
        Self { text: crate::fen::shown(text) }
    }
}

/// Why a play could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The start is not a FEN of the game.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of the moves is not legal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// The rules of the game are not known.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The game has no start with this name.
    #[error("no start `{name}`")]
    NoStart {
        /// The name.
        name: String,
    },
}
