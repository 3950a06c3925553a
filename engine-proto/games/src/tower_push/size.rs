//! The four sizes of the board, with their squares, the Tower and the patterns around it.

use crate::Square;

use super::squares::{Cell, Squares};
use crate::Direction;

/// The size of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// 5x5.
    Five,
    /// 7x7, the default.
    Seven,
    /// 9x9.
    Nine,
    /// 11x11.
    Eleven,
}

impl Size {
    /// All sizes, the smallest first.
    pub const ALL: [Self; 4] = [Self::Five, Self::Seven, Self::Nine, Self::Eleven];

    /// The number of files, of ranks, and of the pieces that each side starts with.
    pub const fn width(self) -> u8 {
        match self {
            Self::Five => 5,
            Self::Seven => 7,
            Self::Nine => 9,
            Self::Eleven => 11,
        }
    }

    /// The size with this number of files, if there is one.
    pub fn from_width(width: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|size| usize::from(size.width()) == width)
    }

    /// All squares of the board, the Tower's included.
    pub fn squares(self) -> Squares {
        self.terrain().squares
    }

    /// All squares of the board except the Tower's: pieces can stand here.
    pub fn open_squares(self) -> Squares {
        self.terrain().open_squares
    }

    /// The square of this name, if the board has it.
    pub fn cell(self, square: Square) -> Option<Cell> {
        Cell::new(square.file, square.rank).filter(|_| square.file.max(square.rank) < self.width())
    }

    /// The Tower's square.
    pub fn tower(self) -> Cell {
        self.terrain().tower
    }

    /// The two patterns of four squares that surround the Tower: orthogonally next to it, and diagonally.
    pub fn patterns(self) -> [Squares; 2] {
        self.terrain().patterns
    }

    fn terrain(self) -> &'static Terrain {
        &TERRAINS[self as usize]
    }
}

struct Terrain {
    squares: Squares,
    open_squares: Squares,
    tower: Cell,
    patterns: [Squares; 2],
}

/// In the order of [`Size::ALL`].
static TERRAINS: [Terrain; 4] = [
    Terrain::new(Size::Five),
    Terrain::new(Size::Seven),
    Terrain::new(Size::Nine),
    Terrain::new(Size::Eleven),
];

impl Terrain {
    const fn new(size: Size) -> Self {
        let centre = size.width() / 2;
        let tower = Cell::new(centre, centre).expect("the centre is on the grid");
        let squares = square_of_width(size.width());
        Self {
            squares,
            open_squares: squares.without(Squares::of(tower)),
            tower,
            patterns: [
                around(tower, [Direction::North, Direction::East, Direction::South, Direction::West]),
                around(
                    tower,
                    [Direction::NorthEast, Direction::SouthEast, Direction::SouthWest, Direction::NorthWest],
                ),
            ],
        }
    }
}

const fn square_of_width(width: u8) -> Squares {
    let mut squares = Squares::EMPTY;
    let mut rank = 0;
    while rank < width {
        let mut file = 0;
        while file < width {
            let cell = Cell::new(file, rank).expect("no board is larger than the grid");
            squares = squares.union(Squares::of(cell));
            file += 1;
        }
        rank += 1;
    }
    squares
}

const fn around(tower: Cell, directions: [Direction; 4]) -> Squares {
    let mut squares = Squares::EMPTY;
    let mut idx = 0;
    while idx < directions.len() {
        squares = squares.union(Squares::of(tower).shifted(directions[idx]));
        idx += 1;
    }
    squares
}
