//! Replays a recorded match by the rules, move by move.

use engine_proto::{AnyPlay, Games, IllegalMove, PlayError};

use model::{MoveRecord, Record};

/// A match during its replay.
pub struct Replay<'a> {
    games: &'a Games,
    record: &'a Record,
    play: Box<dyn AnyPlay>,
    /// The number of moves played.
    ply: usize,
    /// Whether it goes on after a draw by repetition or the quiet limit.
    goes_on: bool,
}

/// Why a match cannot be replayed to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The opening is not a position of the game.
    #[error("invalid opening: {0}")]
    Opening(#[source] PlayError),
    /// The rules of the game, which are a program, do not answer as they should.
    #[error("{reason}")]
    Rules {
        /// What happened.
        reason: String,
    },
    /// A move is not legal.
    #[error("ply {ply}: {error}")]
    Move {
        /// The number of the move, from 1.
        ply: usize,
        /// What is wrong with it.
        error: IllegalMove,
    },
}

impl<'a> Replay<'a> {
    /// The match of one of these `games` at its opening.
    ///
    /// # Errors
    /// If the opening is not a position of the game.
    pub fn new(games: &'a Games, record: &'a Record) -> Result<Self, ReplayError> {
        let play = games.play(record.game, &record.opening).map_err(ReplayError::Opening)?;
        Ok(Self { games, record, play, ply: 0, goes_on: false })
    }

    /// The same of a match that another program refereed, where nobody may have claimed a draw by repetition or the quiet limit.
    #[must_use]
    pub fn going_on(self) -> Self {
        Self { goes_on: true, ..self }
    }

    /// The current position, with the moves that led to it.
    pub fn play(&self) -> &dyn AnyPlay {
        self.play.as_ref()
    }

    /// The number of moves played.
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// The move that led to the current position; `None` at the opening.
    pub fn last(&self) -> Option<&'a MoveRecord> {
        self.record.moves.get(self.ply.checked_sub(1)?)
    }

    /// The next move; `None` at the end of the record.
    pub fn next(&self) -> Option<&'a MoveRecord> {
        self.record.moves.get(self.ply)
    }

    /// Plays the next move. Returns whether there was one.
    ///
    /// # Errors
    /// If it is not legal. The position does not change then.
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        let Some(mv) = self.next() else { return Ok(false) };
        let played = if self.goes_on { self.play.play_on(&mv.mv) } else { self.play.play(&mv.mv) };
        played.map_err(|error| match self.games.failure_of(self.record.game) {
            Some(reason) => ReplayError::Rules { reason },
            None => ReplayError::Move { ply: self.ply + 1, error },
        })?;
        self.ply += 1;
        Ok(true)
    }
}
