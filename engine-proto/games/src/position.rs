//! What a game is to everything else: a position and the rules that lead out of it. No heuristics here.

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use crate::scene::{Layout, PieceKind, Scene};
use crate::spelling::is_spelled;
use crate::{FenError, Side};

/// One position of one game, and the rules that lead out of it.
///
/// `Display` and `FromStr` are the canonical FEN, inverse to each other; nothing is repaired. `Eq` compares all
/// fields. The side to move need not alternate: ask [`Position::side_to_move`] after every move.
pub trait Position:
    Clone + Eq + fmt::Debug + fmt::Display + FromStr<Err = FenError> + Send + Sync + 'static
{
    /// One decision of one side. `Display` is its canonical spelling, different for any two moves of a position.
    type Move: Copy + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// What is fixed for the game: its id, its start positions, its reasons to end.
    const INFO: &'static GameInfo;

    /// Whose decision is due. In a position that is over, the side that would be on the move.
    fn side_to_move(&self) -> Side;

    /// Appends every legal move, each once; none exactly when [`Position::end`] is `Some`.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// How many legal moves there are. Games override it to count without a list: evaluation by mobility and perft count
    /// in each last position.
    fn count_legal_moves(&self) -> usize {
        let mut moves = Vec::with_capacity(64);
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// Plays a move that the caller vouches to be legal here; [`crate::Play::play`] is for everybody else.
    ///
    /// With an illegal move the position that results is unspecified, or the call panics.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// The position as if its side to move had passed: no move of the game, but what searches ask to see what is
    /// threatened. `None` where a pass makes no sense, in the middle of a turn or in check, and in games that do not say.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// The end by the game's own rules, if the position is terminal. Repetition and quiet belong to [`crate::Play`].
    fn end(&self) -> Option<End>;

    /// Moves since the last progress.
    fn quiet(&self) -> u32;

    /// Moves since the game's start.
    fn ply(&self) -> u32;

    /// Whether `self` and `other` agree in every FEN field but quiet and ply: what repetition compares, exactly.
    fn repeats(&self, other: &Self) -> bool;

    /// A 64-bit hash of what [`Position::repeats`] compares: equal for positions that repeat each other, the same
    /// in every run and on every machine.
    fn fingerprint(&self) -> u64;

    /// The legal move spelled `text`, if there is one.
    fn parse_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::with_capacity(64);
        self.legal_moves(&mut moves);
        moves.into_iter().find(|mv| is_spelled(mv, text))
    }

    /// The board to draw this position on: the same for all positions of one play.
    fn layout(&self) -> Layout;

    /// What stands where, to be drawn.
    fn scene(&self) -> Scene;

    /// The start position called `name`, if the game has one. Where the name leaves something to chance (see
    /// [`Start::random`]), `seed` decides.
    fn start(name: &str, _seed: u64) -> Option<Self> {
        let start = Self::INFO.starts.iter().find(|start| start.name == name)?;
        Some(start.fen.parse().expect("a game's own start positions are canonical FENs"))
    }

    /// The game's default start, the protocol's `startpos`: its first start, with seed 1.
    fn startpos() -> Self {
        Self::start(Self::INFO.starts[0].name, 1).expect("the first start is one of the starts")
    }
}

/// What is fixed for a game.
#[derive(Debug)]
pub struct GameInfo {
    /// The id in configurations, files and the protocol: lowercase words joined by hyphens.
    pub id: &'static str,
    /// The name that people read.
    pub name: &'static str,
    /// The rules page, in Markdown.
    pub rules: &'static str,
    /// The named start positions, the default first.
    pub starts: &'static [Start],
    /// The number of moves without progress at which a game is drawn.
    pub quiet_limit: u32,
    /// How many moves a match between programs typically has. Estimates of times start from it, no rule depends on it.
    pub typical_plies: u32,
    /// Every reason for which the game's own rules end it.
    pub reasons: &'static [&'static str],
    /// The kinds of pieces.
    pub kinds: &'static [PieceKind],
}

/// A named start position.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its name in configurations, such as `7x7`.
    pub name: &'static str,
    /// Its FEN; for a start that leaves something to chance, with seed 1.
    pub fen: &'static str,
    /// Whether each seed gives another position.
    pub random: bool,
}

impl Start {
    /// A start that is always the same position.
    pub const fn fixed(name: &'static str, fen: &'static str) -> Self {
        Self { name, fen, random: false }
    }
}

/// How the rules ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The winner, `None` for a draw.
    pub winner: Option<Side>,
    /// The reason, one of [`GameInfo::reasons`], `repetition` or `quiet`.
    pub reason: &'static str,
}

impl End {
    /// A win.
    pub const fn win(winner: Side, reason: &'static str) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// A draw.
    pub const fn draw(reason: &'static str) -> Self {
        Self { winner: None, reason }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} wins ({})", self.reason),
            None => write!(f, "draw ({})", self.reason),
        }
    }
}
