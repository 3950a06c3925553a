//! A game under way. It adds to the position what no position can know: the moves before, so repetition and quiet.

use std::fmt;

use crate::scene::Effects;
use crate::spelling::{Spellings, is_spelled};
use crate::{End, FenError, Position};

/// A position with the moves that led to it.
#[derive(Clone, Debug)]
pub struct Play<P: Position> {
    start: P,
    position: P,
    moves: Vec<P::Move>,
    /// Every position so far with its fingerprint, the start first and the present one last.
    seen: Vec<(u64, P)>,
    end: Option<End>,
}

impl<P: Position> Play<P> {
    /// A game that starts from `start`.
    pub fn new(start: P) -> Self {
        let mut play = Self {
            position: start.clone(),
            moves: Vec::new(),
            seen: vec![(start.fingerprint(), start.clone())],
            end: None,
            start,
        };
        play.end = play.look_at_end();
        play
    }

    /// The game that starts from `start` and goes on with `moves`, spelled canonically.
    ///
    /// # Errors
    /// The first of the moves that is not legal.
    pub fn from_moves<'a>(start: P, moves: impl IntoIterator<Item = &'a str>) -> Result<Self, IllegalMove> {
        let mut play = Self::new(start);
        for mv in moves {
            play.play_text(mv)?;
        }
        Ok(play)
    }

    /// The position that the game started from.
    pub const fn start(&self) -> &P {
        &self.start
    }

    /// The present position.
    pub const fn position(&self) -> &P {
        &self.position
    }

    /// The moves played.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// How the game is over, if it is: by the game's rules, then repetition, then quiet.
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    /// The legal moves; none once the game is over, repetition and quiet included.
    pub fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        if self.end.is_none() {
            self.position.legal_moves(moves);
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal here, or the game is over; the play is then as before.
    pub fn play(&mut self, mv: P::Move) -> Result<(), IllegalMove> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if !moves.contains(&mv) {
            return Err(IllegalMove::new(&mv.to_string()));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays the move spelled `text`.
    ///
    /// # Errors
    /// If that is not the canonical spelling of a legal move, or the game is over; the play is then as before.
    pub fn play_text(&mut self, text: &str) -> Result<P::Move, IllegalMove> {
        if self.end.is_some() {
            return Err(IllegalMove::new(text));
        }
        let mv = self.position.parse_move(text).ok_or_else(|| IllegalMove::new(text))?;
        debug_assert!(is_spelled(&mv, text), "parse_move takes canonical spellings only");
        self.play_unchecked(mv);
        Ok(mv)
    }

    /// Plays a move that the caller vouches to be legal here.
    pub fn play_unchecked(&mut self, mv: P::Move) {
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        self.seen.push((self.position.fingerprint(), self.position.clone()));
        self.end = self.look_at_end();
    }

    /// Plays `n_moves` moves. Each is the one at the place `choose(n)`, counted from 0, of the `n` legal moves in the order
    /// of their spellings. False if the game is over before; the play is then where it ended.
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

    /// What the last move did on the board; `None` before the first.
    pub fn effects(&self) -> Option<Effects> {
        let mv = self.moves.last()?;
        let (_, before) = &self.seen[self.moves.len() - 1];
        Some(Effects::of(&mv.to_string(), &self.position.layout(), &before.scene(), &self.position.scene()))
    }

    /// The fingerprints of all positions so far, the start's first and the present one's last.
    pub fn fingerprints(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        self.seen.iter().map(|(fingerprint, _)| *fingerprint)
    }

    fn look_at_end(&self) -> Option<End> {
        if let Some(end) = self.position.end() {
            return Some(end);
        }
        let fingerprint = self.seen.last().expect("a play has seen its start").0;
        let occurred = self
            .seen
            .iter()
            .filter(|(earlier, position)| *earlier == fingerprint && self.position.repeats(position))
            .count();
        if occurred >= 3 {
            return Some(End::draw("repetition"));
        }
        (P::INFO.quiet_limit <= self.position.quiet()).then_some(End::draw("quiet"))
    }
}

impl<P: Position> fmt::Display for Play<P> {
    /// The start's FEN and the moves, as the protocol's `position` has them: `fen <fen> moves <m> ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fen {}", self.start)?;
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// A move that is not legal, or not spelled canonically.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move `{text}`")]
pub struct IllegalMove {
    /// The text as it was given, cut to a length fit for messages.
    pub text: String,
}

impl IllegalMove {
    /// A refused text.
    pub fn new(text: &str) -> Self {
        Self { text: crate::fen::shown(text) }
    }
}

/// Why a game could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The start is not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of the moves is not legal where it stands.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}
