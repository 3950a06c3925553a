//! The pieces on their squares.

use super::cells::{Cell, TOUCHED_CELLS, TOWER_CELLS, TOWERS, first};
use super::pieces::{Kind, Piece};
use crate::Side;

/// The pieces on their squares: six sets of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// One set for each bit of [`Kind::code`].
    planes: [u128; 4],
    /// The squares of each side's pieces.
    sides: [u128; 2],
}

impl Board {
    /// The squares of all pieces.
    pub const fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// The squares of a side's pieces.
    pub const fn of(&self, side: Side) -> u128 {
        self.sides[side.index()]
    }

    /// The squares of all pieces of a kind, of either colour.
    pub const fn all(&self, kind: Kind) -> u128 {
        let [rook, bishop, knight, other] = self.planes;
        let code = kind.code();
        let mut set = if code & 8 == 0 { !other } else { other };
        set &= if code & 1 == 0 { !rook } else { rook };
        set &= if code & 2 == 0 { !bishop } else { bishop };
        set & if code & 4 == 0 { !knight } else { knight }
    }

    /// The squares of a side's pieces of a kind.
    #[inline]
    pub const fn kind(&self, side: Side, kind: Kind) -> u128 {
        self.all(kind) & self.of(side)
    }

    /// The squares of all pieces that are a rook or have one as a part.
    pub const fn with_rook(&self) -> u128 {
        self.planes[0] & !self.planes[3]
    }

    /// The squares of all pieces that are a bishop or have one as a part.
    pub const fn with_bishop(&self) -> u128 {
        self.planes[1] & !self.planes[3]
    }

    /// The squares of all pieces that are a knight or have one as a part.
    pub const fn with_knight(&self) -> u128 {
        self.planes[2]
    }

    /// The squares of all pieces that the universe restricts: rooks, knights and marshalls.
    pub const fn of_universe(&self) -> u128 {
        let [rook, bishop, knight, other] = self.planes;
        (rook | knight) & !bishop & !other
    }

    /// The squares of all pawns and lancers.
    pub const fn pawn_like(&self) -> u128 {
        self.all(Kind::Pawn) | self.all(Kind::Lancer)
    }

    /// The squares of all pieces with which a piece of this kind fuses, of either colour.
    pub const fn partners(&self, kind: Kind) -> u128 {
        let [rook, bishop, knight, other] = self.planes;
        if matches!(kind, Kind::Pawn) {
            return self.all(Kind::Pawn);
        }
        let code = kind.code();
        if code & 8 != 0 {
            return 0;
        }
        let mut shared = other;
        if code & 1 != 0 {
            shared |= rook;
        }
        if code & 2 != 0 {
            shared |= bishop;
        }
        if code & 4 != 0 {
            shared |= knight;
        }
        self.occupied() & !shared
    }

    /// Where the king is. Every position has one of each colour.
    pub fn king(&self, side: Side) -> Cell {
        first(self.kind(side, Kind::King))
    }

    /// The piece on a square.
    pub fn get(&self, cell: Cell) -> Option<Piece> {
        let kind = self.kind_at(cell)?;
        let side = if self.of(Side::White) & cell.bit() != 0 { Side::White } else { Side::Black };
        Some(Piece { side, kind })
    }

    /// The kind of the piece on a square.
    #[inline]
    pub fn kind_at(&self, cell: Cell) -> Option<Kind> {
        let at = |plane: usize| u8::from(self.planes[plane] & cell.bit() != 0);
        Kind::from_code(at(0) | at(1) << 1 | at(2) << 2 | at(3) << 3)
    }

    /// Puts a piece on a vacant square, or takes it off the square where it stands.
    pub const fn toggle(&mut self, piece: Piece, cell: Cell) {
        let code = piece.kind.code();
        let mut bit = 0;
        while bit < 4 {
            if code >> bit & 1 != 0 {
                self.planes[bit] ^= cell.bit();
            }
            bit += 1;
        }
        self.sides[piece.side.index()] ^= cell.bit();
    }

    /// The field of the pieces in `set`: all arenas that touch a tower on which one of them stands.
    pub fn field(set: u128) -> u128 {
        if set & TOWER_CELLS == 0 {
            return 0;
        }
        let mut field = 0;
        for (tower, touched) in TOWERS.iter().zip(TOUCHED_CELLS) {
            if set & tower.bit() != 0 {
                field |= touched;
            }
        }
        field
    }

    /// The field of a kind, of either colour.
    pub fn field_of(&self, kind: Kind) -> u128 {
        Self::field(self.all(kind))
    }

    /// The towers that refract the steps around them, one bit for each of [`TOWERS`].
    pub fn refracting(&self) -> u8 {
        let knights = self.all(Kind::Knight);
        if knights & TOWER_CELLS == 0 {
            return 0;
        }
        let mut refracting = 0;
        for (idx, tower) in TOWERS.iter().enumerate() {
            if knights & tower.bit() != 0 {
                refracting |= 1 << idx;
            }
        }
        refracting
    }

    /// All that there is to know, in eight words: a bijection, to be hashed.
    pub(super) fn words(&self) -> [u64; 8] {
        let [a, b, c, d] = self.planes;
        let [e, f] = self.sides;
        // The squares above the 64th take 21 bits.
        let high = |set: u128| (set >> 64) as u64;
        [
            a as u64,
            b as u64,
            c as u64,
            d as u64,
            e as u64,
            f as u64,
            high(a) | high(b) << 21 | high(c) << 42,
            high(d) | high(e) << 21 | high(f) << 42,
        ]
    }
}
