//! A match as the person sees it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine_proto::{AnyPlay, GameId, Games, Side};
use ratings::MatchResult;

use super::game::Level;
use crate::position::{Positions, has_notation, line, notation};
use model::Moved;

/// Shows a match whenever it has changed.
pub trait Screen {
    /// Shows the match as it is now.
    fn show(&mut self, view: &View);
}

/// A match as the person sees it.
pub struct View {
    /// The games, with that of the match.
    pub games: Games,
    /// The game.
    pub game: GameId,
    /// The engine's playing strength, if it has several.
    pub level: Option<Level>,
    /// The names of White and Black.
    pub names: [String; 2],
    /// The person's side.
    pub you: Side,
    /// The play so far.
    pub play: Box<dyn AnyPlay>,
    /// The positions before and after each move.
    pub positions: Positions,
    /// The moves.
    pub moves: Vec<Moved>,
    /// What each move did, in words for the other side; empty if it was plainly a move.
    pub deeds: Vec<String>,
    /// The clocks of White and Black.
    pub clocks: [Option<Duration>; 2],
    /// Who thinks, and since when.
    pub turn: Option<Turn>,
    /// Who gives hints: an engine's name, empty for the opponent; `None` if there is no engine for that.
    pub adviser: Option<String>,
    /// The move that the adviser would play; empty while it thinks about it.
    pub hint: Option<String>,
    /// How the match ended.
    pub over: Option<Over>,
    /// What the person should know.
    pub said: Option<Notice>,
}

/// Who thinks.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The side.
    pub side: Side,
    /// Whether the other side offers a draw.
    pub draw_is_offered: bool,
    /// Since when, after 1970; `None` before the person's first move, which is not timed.
    pub since: Option<Duration>,
}

/// What the person should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The number of earlier ones: the same text may be said twice.
    pub number: u32,
    /// The text.
    pub text: String,
}

/// How a match ended.
#[derive(Clone, Debug)]
pub struct Over {
    /// The result.
    pub result: MatchResult,
    /// The reason, as in records.
    pub reason: String,
    /// Where it is stored.
    pub stored: Stored,
}

/// Whether a match that is over is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// As the match with this number.
    As(u32),
    /// It could not be stored; the person may try again.
    Failed,
    /// It is not stored, because the engine was late on a busy machine.
    Busy,
    /// It is not stored, because the person has made no move.
    Unplayed,
}

impl View {
    /// Whether the person must move.
    pub fn is_your_turn(&self) -> bool {
        self.over.is_none() && self.turn.is_some_and(|turn| turn.side == self.you)
    }

    /// Nobody thinks any more: what is left on the clock of who did is known.
    pub fn stop_clock(&mut self) {
        let Some(Turn { side, since: Some(since), .. }) = self.turn.take() else { return };
        let clock = &mut self.clocks[usize::from(side == Side::Black)];
        *clock = clock.map(|left| left.saturating_sub(now().saturating_sub(since)));
    }

    /// Whether the engine thinks about its move.
    pub fn is_engines_turn(&self) -> bool {
        self.over.is_none() && self.turn.is_some_and(|turn| turn.side != self.you)
    }

    /// Whether the person has a move that can be taken back.
    pub fn can_take_back(&self) -> bool {
        (self.is_your_turn() || self.is_engines_turn()) && 0 < self.n_own_moves()
    }

    /// Whether the match can be left without a result: before the person's second move.
    pub fn can_abort(&self) -> bool {
        self.over.is_none() && self.n_own_moves() < 2
    }

    fn n_own_moves(&self) -> usize {
        self.moves.iter().filter(|moved| moved.side == self.you.into()).count()
    }

    /// The moves as people write them.
    pub fn words(&self) -> Vec<String> {
        let moves: Vec<String> = self.moves.iter().map(|moved| moved.mv.clone()).collect();
        match self.games.play(self.game, self.positions.start()) {
            Ok(play) if has_notation(self.game) => line(self.game, play.as_ref(), &moves),
            _ => moves,
        }
    }

    /// A legal move as people write it.
    pub fn word(&self, mv: &str) -> String {
        notation(self.game, self.play.as_ref(), mv)
    }

    /// The legal moves, if the person must move.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.is_your_turn() { self.play.legal_moves() } else { Vec::new() }
    }
}

/// The time since 1970.
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
