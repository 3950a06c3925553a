//! The eight directions of a board of squares. Each game defines what a step does to its numbers of squares.

use std::fmt;

/// One of the 8 directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards higher ranks.
    North,
    /// Towards higher ranks and later files.
    NorthEast,
    /// Towards later files.
    East,
    /// Towards lower ranks and later files.
    SouthEast,
    /// Towards lower ranks.
    South,
    /// Towards lower ranks and earlier files.
    SouthWest,
    /// Towards earlier files.
    West,
    /// Towards higher ranks and earlier files.
    NorthWest,
}

impl Direction {
    /// All directions, clockwise.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// Those along a file or a rank, clockwise.
    pub const ORTHOGONAL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The change of file and rank by one step.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::NorthEast => (1, 1),
            Self::East => (1, 0),
            Self::SouthEast => (1, -1),
            Self::South => (0, -1),
            Self::SouthWest => (-1, -1),
            Self::West => (-1, 0),
            Self::NorthWest => (-1, 1),
        }
    }

    /// An arrow, on a board with rank 1 at the bottom.
    pub const fn arrow(self) -> char {
        ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'][self as usize]
    }

    /// The opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }

    /// Its name in moves: `n`, `ne` and so on.
    pub const fn name(self) -> &'static str {
        ["n", "ne", "e", "se", "s", "sw", "w", "nw"][self as usize]
    }

    /// Whether it is diagonal.
    pub const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
