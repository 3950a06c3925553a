//! The description of a position for drawings, the same for all games: squares, pieces, pieces in hand, notes. It
//! draws nothing and knows no rules: [`terminal`] draws text, other code may draw in other ways.
//!
//! Each game implements [`Drawn`](crate::Drawn) in its file `scene.rs`; its kinds of pieces are in
//! [`GameInfo::kinds`](crate::GameInfo::kinds). A new game that does this is drawn everywhere: by the command `d` of
//! engines, by `arena show` and in the report.
//!
//! ```
//! use games::{GameId, Games};
//! use games::scene::terminal;
//!
//! let mut play = Games::built_in().play(GameId::PUSH_PUSH, "7/7/7/Cba*3/7/7/7 w - - 3 20")?;
//! play.play("a4b4").expect("a legal move");
//! let effects = play.effects().expect("a move has been played");
//! assert_eq!(effects.touches.len(), 5); // a4 is left, b4 to d4 change, and the ball comes to e4
//! let drawing = terminal::draw(&play.layout(), &play.scene(), Some(&effects), terminal::Style::PLAIN);
//! assert!(drawing.contains(" 4 |(.)[C]<b><a><*> .  . |\n"));
//! # Ok::<(), games::PlayError>(())
//! ```

mod effects;
mod guide;
pub mod terminal;

use crate::{Direction, Position, Side, Square};

pub use effects::{Change, Effects, Role, Touch};
pub use guide::{Further, Guide, Mark, Meaning};

/// The board. It is the same for all positions of one play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// All squares of the board, each once. A square is one unit wide and high at its file and rank. Squares that are
    /// not listed are holes or outside the board.
    pub grounds: Vec<Ground>,
    /// The greatest height that a square can have; 0 if the game has no heights.
    pub highest: u8,
    /// Short explanations of the drawing for players, for example of goals and regions.
    pub legend: &'static [&'static str],
    /// The texts for players.
    pub guide: &'static Guide,
}

impl Layout {
    /// A board of `files` times `ranks` ordinary squares, as a starting point.
    pub fn rectangle(files: u8, ranks: u8) -> Self {
        let squares = (0..ranks).flat_map(|rank| (0..files).map(move |file| Square { file, rank }));
        Self { grounds: squares.map(Ground::new).collect(), highest: 0, legend: &[], guide: Guide::PLAIN }
    }

    /// The properties of a square; `None` if the board does not have it.
    pub fn ground(&self, square: Square) -> Option<&Ground> {
        self.grounds.iter().find(|ground| ground.square == square)
    }
}

/// The properties of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ground {
    /// The square.
    pub square: Square,
    /// The kind of square.
    pub kind: GroundKind,
    /// The region that it belongs to, from 1; 0 if the board has no regions. Lines are drawn between regions.
    pub region: u8,
    /// The height; 0 on a flat board.
    pub height: u8,
    /// For each [`Side::index`]: whether it is a goal or a promotion square of this side.
    pub is_goal_of: [bool; 2],
}

impl Ground {
    /// An ordinary square: open, without region, flat, not a goal.
    pub const fn new(square: Square) -> Self {
        Self { square, kind: GroundKind::Open, region: 0, height: 0, is_goal_of: [false; 2] }
    }
}

/// The kind of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroundKind {
    /// An ordinary square.
    Open,
    /// A special square on which pieces can stand.
    Tower,
    /// A square on which no piece can stand.
    Wall,
}

/// The pieces and notes of one position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scene {
    /// All pieces on the board, in any order of squares; pieces of one square from bottom to top.
    pub pieces: Vec<Piece>,
    /// For each [`Side::index`]: the pieces in hand.
    pub hands: [Vec<Hand>; 2],
    /// Other properties of the position: the game's own FEN fields in words, if they are not at their defaults.
    pub notes: Vec<Note>,
    /// The side to move.
    pub side_to_move: Side,
    /// The square of its king, if the king is in check.
    pub check: Option<Square>,
    /// The number of moves since the last progress.
    pub quiet: u32,
    /// The number of moves since the start of the game.
    pub ply: u32,
    /// How the last move displaced pieces: see [`Drawn::shifts`](crate::Drawn::shifts). Empty if no move is known.
    pub shifts: Vec<Shift>,
}

impl Scene {
    /// The side to move and the counters of `position`, as a starting point: no pieces and no notes.
    pub fn empty(position: &impl Position) -> Self {
        Self {
            pieces: Vec::new(),
            hands: [Vec::new(), Vec::new()],
            notes: Vec::new(),
            side_to_move: position.side_to_move(),
            check: None,
            quiet: position.quiet(),
            ply: position.ply(),
            shifts: Vec::new(),
        }
    }

    /// The pieces on a square, from bottom to top.
    pub fn stack(&self, square: Square) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.square == square)
    }

    /// The largest number of pieces on a square, at least 1.
    pub fn tallest_stack(&self) -> usize {
        self.pieces.iter().map(|piece| usize::from(piece.level) + 1).max().unwrap_or(1)
    }
}

/// A piece that a move displaces, other than the one that moves: a pushed piece, for example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shift {
    /// The square that it leaves.
    pub from: Square,
    /// The change of its file; the way of a piece that leaves the board ends beyond the edge.
    pub files: i8,
    /// The change of its rank.
    pub ranks: i8,
    /// Whether it leaves the board.
    pub is_gone: bool,
}

impl Shift {
    /// A piece that goes from one square to another.
    pub const fn between(from: Square, to: Square) -> Self {
        let [files, ranks] = [to.file as i8 - from.file as i8, to.rank as i8 - from.rank as i8];
        Self { from, files, ranks, is_gone: false }
    }

    /// A piece that goes one step.
    pub const fn step(from: Square, direction: Direction, is_gone: bool) -> Self {
        let (files, ranks) = direction.step();
        Self { from, files, ranks, is_gone }
    }

    /// A piece that leaves the board where it stands.
    pub const fn gone(from: Square) -> Self {
        Self { from, files: 0, ranks: 0, is_gone: true }
    }
}

/// What players should know of a square now, in addition to the pieces on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remark {
    /// The square.
    pub square: Square,
    /// The words: `stunned, so that it cannot move in this turn`.
    pub words: String,
    /// The squares that it concerns, other than its own.
    pub area: Vec<Square>,
}

impl Remark {
    /// A remark on one square.
    pub fn new(square: Square, words: impl Into<String>) -> Self {
        Self { square, words: words.into(), area: Vec::new() }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The square.
    pub square: Square,
    /// The owner; `None` for a neutral piece.
    pub owner: Option<Side>,
    /// The kind: one of the game's [`GameInfo::kinds`](crate::GameInfo::kinds).
    pub kind: &'static PieceKind,
    /// The number of pieces below it on its square.
    pub level: u8,
    /// Whether another piece is on top of it.
    pub is_buried: bool,
    /// A temporary state, such as `stunned`.
    pub state: Option<&'static str>,
}

impl Piece {
    /// A piece without a state, alone on its square.
    pub const fn new(square: Square, owner: Option<Side>, kind: &'static PieceKind) -> Self {
        Self { square, owner, kind, level: 0, is_buried: false, state: None }
    }
}

/// A kind of piece of a game.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct PieceKind {
    /// Its name: a word in lower case.
    pub name: &'static str,
    /// The letter in a FEN for White's piece. Black's is the same in lower case; a neutral piece has only this one.
    pub letter: char,
    /// Unicode signs, one column wide, for White and for Black; twice the same for a neutral piece. The FEN's letter,
    /// if common fonts have no sign.
    pub signs: [char; 2],
    /// The text on the disc of a piece; `None` for a blank disc.
    pub label: Option<char>,
    /// A second text beside it, for a piece that moves as two others.
    pub beside: Option<char>,
    /// How it moves, after its name in a sentence: "steps to an empty square beside it". Empty if nothing is known.
    pub moves: &'static str,
}

impl PieceKind {
    /// A kind whose discs show Black's Unicode sign, which is the filled one and suits both colours; the FEN's letter
    /// if the sign is a letter.
    pub const fn new(name: &'static str, letter: char, signs: [char; 2]) -> Self {
        let label = if signs[1].is_ascii() { letter } else { signs[1] };
        Self { name, letter, signs, label: Some(label), beside: None, moves: "" }
    }

    /// The same kind, with how it moves.
    #[must_use]
    pub const fn moving(self, moves: &'static str) -> Self {
        Self { moves, ..self }
    }

    /// The same kind, whose discs show the signs of the two kinds as which it moves.
    #[must_use]
    pub const fn showing(self, [label, beside]: [char; 2]) -> Self {
        Self { label: Some(label), beside: Some(beside), ..self }
    }

    /// A kind whose discs are blank.
    pub const fn blank(name: &'static str, letter: char, signs: [char; 2]) -> Self {
        Self { name, letter, signs, label: None, beside: None, moves: "" }
    }

    /// The letter in a FEN.
    pub const fn fen_sign(&self, owner: Option<Side>) -> char {
        match owner {
            Some(Side::Black) => self.letter.to_ascii_lowercase(),
            _ => self.letter,
        }
    }

    /// The Unicode sign.
    pub const fn sign(&self, owner: Option<Side>) -> char {
        match owner {
            Some(Side::Black) => self.signs[1],
            _ => self.signs[0],
        }
    }
}

/// Pieces of one kind in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    /// The kind.
    pub kind: &'static PieceKind,
    /// The number, at least one.
    pub count: u32,
}

/// A property of a position that is not visible on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// The subject: a few words in lower case.
    pub label: &'static str,
    /// The value.
    pub value: String,
}

impl Note {
    /// A note.
    pub fn new(label: &'static str, value: impl Into<String>) -> Self {
        Self { label, value: value.into() }
    }
}
