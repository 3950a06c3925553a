//! What there is to draw of a position, in terms that know no game: the board's squares, what stands on them, what is in
//! hand. Nothing is drawn here, and no rule is known: [`terminal`] draws text, others may draw what they like.
//!
//! Each game says it in a file of its own, `scene.rs`, by [`Position::layout`](crate::Position::layout) and
//! [`Position::scene`](crate::Position::scene); its kinds of pieces stand in [`GameInfo::kinds`](crate::GameInfo::kinds).
//! A new game that does the same is drawn wherever the others are: by the engines' command `d`, by `arena show`, and by
//! whatever draws from here.
//!
//! ```
//! use games::GameId;
//! use games::scene::terminal;
//!
//! let mut play = GameId::PUSH_PUSH.play("7/7/7/Cba*3/7/7/7 w - - 3 20")?;
//! play.play("a4b4").expect("a legal move");
//! let effects = play.effects().expect("a move has been played");
//! assert_eq!(effects.touches.len(), 5); // a4 is left, b4 to d4 change, and the ball comes to e4
//! let drawing = terminal::draw(&play.layout(), &play.scene(), Some(&effects), terminal::Style::PLAIN);
//! assert!(drawing.contains(" 4 |(.)[C]<b><a><*> .  . |\n"));
//! # Ok::<(), games::PlayError>(())
//! ```

mod effects;
pub mod terminal;

use crate::{Side, Square};

pub use effects::{Change, Effects, Role, Touch};

/// The board: its squares and what is fixed about them. The same for all positions of one play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Every square that the board has, each once. A square is one unit wide and high, and its file and rank are its
    /// place; what is not listed is a hole, or outside the board.
    pub grounds: Vec<Ground>,
    /// What a player is to know to read a drawing: what goals and regions are, in a few words each.
    pub legend: &'static [&'static str],
}

impl Layout {
    /// The board of `files` times `ranks` squares, all alike: to begin with.
    pub fn rectangle(files: u8, ranks: u8) -> Self {
        let squares = (0..ranks).flat_map(|rank| (0..files).map(move |file| Square { file, rank }));
        Self { grounds: squares.map(Ground::new).collect(), legend: &[] }
    }

    /// What is fixed about a square; `None` if the board has no such square.
    pub fn ground(&self, square: Square) -> Option<&Ground> {
        self.grounds.iter().find(|ground| ground.square == square)
    }
}

/// A square and what is fixed about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ground {
    /// Which square it is.
    pub square: Square,
    /// What kind of square.
    pub kind: GroundKind,
    /// The part of the board that it belongs to, from 1; 0 where the board has no parts. Parts are set off from each other.
    pub region: u8,
    /// How high it lies; 0 where the board is flat.
    pub height: u8,
    /// By [`Side::index`]: whether the side strives to bring something here, to win or to be promoted.
    pub is_goal_of: [bool; 2],
}

impl Ground {
    /// An ordinary square: open, of no region, flat, nobody's goal.
    pub const fn new(square: Square) -> Self {
        Self { square, kind: GroundKind::Open, region: 0, height: 0, is_goal_of: [false; 2] }
    }
}

/// What kind of square it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroundKind {
    /// A square like any other.
    Open,
    /// A square of special power, on which pieces can stand.
    Tower,
    /// A square on which nothing can ever stand.
    Wall,
}

/// What stands where in one position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scene {
    /// All pieces on the board, in no special order of squares; those of one square from bottom to top.
    pub pieces: Vec<Piece>,
    /// By [`Side::index`]: what the side has in hand, to put on the board.
    pub hands: [Vec<Hand>; 2],
    /// What else the position is: the game's own FEN fields in words, those at rest left out.
    pub notes: Vec<Note>,
    /// Whose move it is.
    pub side_to_move: Side,
    /// Moves since the last progress.
    pub quiet: u32,
    /// Moves since the game's start.
    pub ply: u32,
}

impl Scene {
    /// The pieces on a square, from bottom to top.
    pub fn stack(&self, square: Square) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.square == square)
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Where it stands.
    pub square: Square,
    /// Whose it is; `None` if nobody's.
    pub owner: Option<Side>,
    /// What it is: one of the game's [`GameInfo::kinds`](crate::GameInfo::kinds).
    pub kind: &'static PieceKind,
    /// How many pieces are beneath it on its square.
    pub level: u8,
    /// Whether another piece is on top of it.
    pub is_buried: bool,
    /// What has befallen it for now, such as `stunned`.
    pub state: Option<&'static str>,
}

impl Piece {
    /// A piece that stands alone on its square, and well.
    pub const fn new(square: Square, owner: Option<Side>, kind: &'static PieceKind) -> Self {
        Self { square, owner, kind, level: 0, is_buried: false, state: None }
    }
}

/// A kind of piece of a game.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct PieceKind {
    /// Its name: a word in lower case.
    pub name: &'static str,
    /// Its sign in a FEN, as White's: Black's is the same in lower case, a neutral piece has no other.
    pub letter: char,
    /// A Unicode sign of one column for White's and one for Black's; twice the same for a neutral piece. Where there is
    /// none in common fonts it is the FEN's letter.
    pub signs: [char; 2],
    /// What is written on it where pieces are drawn as discs in their owner's colour; nothing on a disc like any other.
    pub label: Option<char>,
}

impl PieceKind {
    /// A kind whose discs show Black's Unicode sign: the filled one, which suits both colours. Where that is a letter,
    /// they show the FEN's.
    pub const fn new(name: &'static str, letter: char, signs: [char; 2]) -> Self {
        let label = if signs[1].is_ascii() { letter } else { signs[1] };
        Self { name, letter, signs, label: Some(label) }
    }

    /// A kind whose discs are blank.
    pub const fn blank(name: &'static str, letter: char, signs: [char; 2]) -> Self {
        Self { name, letter, signs, label: None }
    }

    /// Its sign in a FEN.
    pub const fn fen_sign(&self, owner: Option<Side>) -> char {
        match owner {
            Some(Side::Black) => self.letter.to_ascii_lowercase(),
            _ => self.letter,
        }
    }

    /// Its Unicode sign.
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
    /// What they are.
    pub kind: &'static PieceKind,
    /// How many there are, at least one.
    pub count: u32,
}

/// Something about a position that is not seen on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// What it is about: a few words in lower case.
    pub label: &'static str,
    /// What there is to say.
    pub value: String,
}

impl Note {
    /// A note.
    pub fn new(label: &'static str, value: impl Into<String>) -> Self {
        Self { label, value: value.into() }
    }
}
