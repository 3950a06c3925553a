//! The traits of a game: its rules ([`Position`]), its drawing ([`Drawn`]) and what searches need ([`Searchable`]). They
//! contain no heuristics.

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use crate::scene::{Layout, Meaning, Note, PieceKind, Remark, Scene, Shift};
use crate::spelling::is_spelled;
use crate::{Counters, FenError, Side, Square};

/// One position of one game, and the rules that lead out of it.
///
/// `Display` and `FromStr` are the canonical FEN and inverse to each other; a malformed FEN is rejected, never
/// repaired. `Eq` compares all fields. The side to move need not alternate: call [`Position::side_to_move`] after
/// every move.
pub trait Position:
    Clone + Eq + fmt::Debug + fmt::Display + FromStr<Err = FenError> + Send + Sync + 'static
{
    /// One move of one side. `Display` is its canonical spelling, unique among the moves of a position.
    type Move: Copy + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// The constants of the game: its id, its start positions, its end reasons.
    const INFO: &'static GameInfo;

    /// The side that moves next. In a final position, the side that would move next.
    fn side_to_move(&self) -> Side;

    /// Appends every legal move, each once; none exactly when [`Position::end`] is `Some`.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move. The caller guarantees that it is legal; otherwise use [`crate::Play::play`].
    ///
    /// After an illegal move, the position is unspecified, or the call panics.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// The end by the game's own rules, if the position is terminal. Repetition and quiet belong to [`crate::Play`].
    fn end(&self) -> Option<End>;

    /// The two counters that all games have.
    fn counters(&self) -> Counters;

    /// The number of moves since the last progress (see [`GameInfo::quiet_limit`]).
    fn quiet(&self) -> u32 {
        self.counters().quiet
    }

    /// The number of moves since the start of the game.
    fn ply(&self) -> u32 {
        self.counters().ply
    }

    /// Whether `self` and `other` agree in all FEN fields except quiet and ply. This is what repetition compares.
    fn repeats(&self, other: &Self) -> bool;

    /// A 64-bit hash of the fields that [`Position::repeats`] compares. It is equal for positions that repeat each
    /// other, and the same in every run and on every machine.
    fn fingerprint(&self) -> u64;

    /// The legal move with the spelling `text`, if there is one.
    fn parse_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::with_capacity(64);
        self.legal_moves(&mut moves);
        moves.into_iter().find(|mv| is_spelled(mv, text))
    }

    /// A position from a text that other programs write for it, such as an EPD in chess. Games that have such texts
    /// override it; for the others it is `FromStr`.
    ///
    /// # Errors
    /// If the text is not a position of the game.
    fn import(text: &str) -> Result<Self, FenError> {
        text.parse()
    }

    /// A legal move as people write it in this game, in chess for example `Nf3`. The default is the canonical spelling.
    fn notation(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// The legal move that `text` names in any usual spelling, if there is one. The default accepts only the canonical one.
    fn read_move(&self, text: &str) -> Option<Self::Move> {
        self.parse_move(text)
    }

    /// The start position called `name`, if the game has one. If it is random (see [`Start::random`]), `seed` selects
    /// it.
    fn start(name: &str, _seed: u64) -> Option<Self> {
        let start = Self::INFO.starts.iter().find(|start| start.name == name)?;
        Some(start.fen.parse().expect("a game's own start positions are canonical FENs"))
    }

    /// The game's default start (`startpos` in the protocol): its first start, with seed 1.
    fn startpos() -> Self {
        Self::start(Self::INFO.starts[0].name, 1).expect("the first start is one of the starts")
    }
}

/// A position with a board to look at. Reports, terminals and live pages draw it.
///
/// Without the methods, the drawing is the FEN: `impl Drawn for Hex {}` is enough for a game that has only rules.
pub trait Drawn: Position {
    /// The board on which this position is drawn. It is the same for all positions of one play.
    fn layout(&self) -> Layout {
        Layout::rectangle(1, 1)
    }

    /// The pieces and notes of this position.
    fn scene(&self) -> Scene {
        Scene { notes: vec![Note::new("position", self.to_string())], ..Scene::empty(self) }
    }

    /// The moves that would be legal if they did not leave the mover's own king in check; none in games without check.
    fn moves_into_check(&self) -> Vec<Self::Move> {
        Vec::new()
    }

    /// Why no legal move of the piece on one square goes to another, in the game's own words: "that is too far". It is asked only where
    /// there is none. `None` if the general reasons say it well enough, such as a piece in the way.
    fn refusal(&self, _from: Square, _to: Square) -> Option<String> {
        None
    }

    /// The squares of the pattern that won the game: a held goal, a mated king. None if the game is not won, or if its
    /// win is not a pattern on the board.
    fn winning_squares(&self) -> Vec<Square> {
        Vec::new()
    }

    /// What a legal move does, in words for `reader`, where the positions before and after it do not say it well enough.
    fn meaning(&self, _mv: Self::Move, _reader: Side) -> Option<Meaning> {
        None
    }

    /// Where a legal move displaces pieces other than the one that moves.
    fn shifts(&self, _mv: Self::Move) -> Vec<Shift> {
        Vec::new()
    }

    /// What players should know of squares of this position.
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }
}

/// A position that engines search and perft counts. The methods make this faster; `impl Searchable for Hex {}` is
/// enough.
pub trait Searchable: Position {
    /// The number of legal moves. Games override it to count without building a list, for perft and the
    /// evaluation of mobility.
    fn count_legal_moves(&self) -> usize {
        let mut moves = Vec::with_capacity(64);
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// The position as if the side to move had passed. This is not a move of the game: searches use it to find
    /// threats. `None` if a pass makes no sense, such as in the middle of a turn or in check, and for games that do
    /// not support it.
    fn null_move(&self) -> Option<Self> {
        None
    }
}

/// The constants of a game.
#[derive(Debug)]
pub struct GameInfo {
    /// The id in configurations, files and the protocol: lowercase words joined by hyphens.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// The rules page, in Markdown.
    pub rules: &'static str,
    /// For those who want to play at once, in Markdown: the goal, the moves, the end. May be empty. A block with the word
    /// `picture` is drawn, before and after: its lines are a FEN, the moves of one turn, and a caption.
    pub how_to_play: &'static str,
    /// The named start positions; the first one is the default.
    pub starts: &'static [Start],
    /// The number of moves without progress at which a game is drawn.
    pub quiet_limit: u32,
    /// The typical number of moves of a match between engines. Only used to estimate times.
    pub typical_plies: u32,
    /// Every reason for which the rules of the game end it.
    pub reasons: &'static [&'static str],
    /// The kinds of pieces.
    pub kinds: &'static [PieceKind],
}

impl GameInfo {
    /// The first start with the same FEN, if that is another one.
    pub fn same_start(&self, start: &Start) -> Option<&Start> {
        self.starts.iter().find(|earlier| earlier.fen == start.fen).filter(|same| same.name != start.name)
    }
}

/// A named start position.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The name in configurations, such as `7x7`.
    pub name: &'static str,
    /// The FEN; for a random start, with seed 1.
    pub fen: &'static str,
    /// Whether each seed gives a different position.
    pub random: bool,
}

impl Start {
    /// A start that is always the same position.
    pub const fn fixed(name: &'static str, fen: &'static str) -> Self {
        Self { name, fen, random: false }
    }
}

/// How a game ended by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The winner; `None` for a draw.
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
