//! What people who do not know a game are told of its board and its moves. It contains texts, and no rules.

use crate::Square;

/// The texts of a game for its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guide {
    /// The marks of targets that moves of the game can have, and what each one means.
    pub marks: &'static [(Mark, &'static str)],
    /// How moves are written: an example of each form, and what it means. Empty if the moves at hand are example enough.
    pub notation: &'static [(&'static str, &'static str)],
    /// A square with [`is_goal_of`](super::Ground::is_goal_of), as a noun.
    pub goal: &'static str,
    /// The states that pieces can have. The legend of the board explains them.
    pub states: &'static [&'static str],
    /// For games in which some moves name more squares than others.
    pub further: Option<Further>,
}

impl Guide {
    /// The texts of a game that has none of its own.
    pub const PLAIN: &'static Self = &Self {
        marks: &[
            (Mark::Move, "can go there"),
            (Mark::Capture, "captures a piece"),
            (Mark::Push, "pushes what stands there"),
            (Mark::Join, "joins another piece"),
            (Mark::Own, "removes a piece of your own"),
            (Mark::Lose, "loses the match"),
        ],
        notation: &[],
        goal: "goal",
        states: &[],
        further: None,
    };
}

/// What a player is asked while some moves end with the chosen squares, and others go on. `{0}` and `{1}` are the first two
/// chosen squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Further {
    /// After the first square, where a row can be chosen: one more thing that can be clicked.
    pub first: &'static str,
    /// After the second square.
    pub second: &'static str,
    /// The label of the move that ends with the second square.
    pub end: &'static str,
}

/// The mark of a square that a move can go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A dot: the piece goes there.
    Move,
    /// A ring: a piece of the opponent leaves the board.
    Capture,
    /// A diamond: pieces are pushed.
    Push,
    /// A diamond: a row is laid out.
    Lay,
    /// A small square: the move goes on from there.
    Via,
    /// A plus: the piece joins another one.
    Join,
    /// A cross: a piece of the mover's own leaves the board.
    Own,
    /// A disc with a cross: the mover loses the match.
    Lose,
}

impl Mark {
    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Capture => "capture",
            Self::Push => "push",
            Self::Lay => "lay",
            Self::Via => "via",
            Self::Join => "join",
            Self::Own => "own",
            Self::Lose => "lose",
        }
    }
}

/// What a move does, in a game's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The mark of its target.
    pub mark: Mark,
    /// What it does, after the move in a sentence: `pushes to c4`.
    pub words: String,
    /// The squares on which pieces of the opponent are captured, if they are not simply those of the target.
    pub captured: Vec<Square>,
}

impl Meaning {
    /// A move that captures nothing, or captures on its target.
    pub fn new(mark: Mark, words: impl Into<String>) -> Self {
        Self { mark, words: words.into(), captured: Vec::new() }
    }
}
