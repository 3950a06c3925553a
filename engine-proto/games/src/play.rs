//! A game under way. It adds to the position what no position can know: the moves before, so repetition and quiet.

use std::fmt;

use crate::position::is_spelled;
use crate::scene::{Effects, Layout, Scene};
use crate::{End, FenError, Position, Side};

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
    fn new(text: &str) -> Self {
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

/// A play of whichever game, for code that knows no game: moves and positions are texts.
pub trait AnyPlay: Send {
    /// See [`Position::side_to_move`].
    fn side_to_move(&self) -> Side;
    /// The canonical spellings of the legal moves, sorted by bytes; none once the game is over.
    fn legal_moves(&self) -> Vec<String>;
    /// See [`Position::count_legal_moves`]. Repetition and quiet play no part.
    fn count_legal_moves(&self) -> usize;
    /// See [`Play::play_text`].
    ///
    /// # Errors
    /// If that is not the canonical spelling of a legal move.
    fn play(&mut self, text: &str) -> Result<(), IllegalMove>;
    /// See [`Play::end`].
    fn end(&self) -> Option<End>;
    /// The present position's FEN.
    fn fen(&self) -> String;
    /// The number of moves played since the start.
    fn n_moves(&self) -> usize;
    /// See [`Position::layout`].
    fn layout(&self) -> Layout;
    /// What stands where in the present position.
    fn scene(&self) -> Scene;
    /// See [`Play::effects`].
    fn effects(&self) -> Option<Effects>;
}

impl<P: Position> AnyPlay for Play<P> {
    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        Play::legal_moves(self, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn count_legal_moves(&self) -> usize {
        self.position.count_legal_moves()
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        self.play_text(text).map(|_| ())
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn fen(&self) -> String {
        self.position.to_string()
    }

    fn n_moves(&self) -> usize {
        self.moves.len()
    }

    fn layout(&self) -> Layout {
        self.position.layout()
    }

    fn scene(&self) -> Scene {
        self.position.scene()
    }

    fn effects(&self) -> Option<Effects> {
        Self::effects(self)
    }
}
