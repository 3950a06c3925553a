//! The pieces, their parts, and the powers that they give to dragons.

use std::fmt;

use crate::Side;

/// A kind of piece.
///
/// The code of a kind is the sum of its parts: rook 1, bishop 2, knight 4. The four kinds without these parts have 8
/// added. [`super::board::Board`] has one set of squares for each of these four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// `R`.
    Rook = 1,
    /// `B`.
    Bishop = 2,
    /// `Q`: rook and bishop.
    Queen = 3,
    /// `N`.
    Knight = 4,
    /// `M`: rook and knight.
    Marshall = 5,
    /// `C`: bishop and knight.
    Cardinal = 6,
    /// `W`: rook, bishop and knight.
    Wizard = 7,
    /// `P`.
    Pawn = 8,
    /// `L`: two pawns.
    Lancer = 9,
    /// `K`.
    King = 10,
    /// `D`.
    Dragon = 11,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Rook,
        Self::Bishop,
        Self::Queen,
        Self::Knight,
        Self::Marshall,
        Self::Cardinal,
        Self::Wizard,
        Self::Pawn,
        Self::Lancer,
        Self::King,
        Self::Dragon,
    ];

    /// The kinds that a pawn or lancer may promote to.
    pub const PROMOTIONS: [Self; 8] = [
        Self::Queen,
        Self::Rook,
        Self::Bishop,
        Self::Knight,
        Self::Marshall,
        Self::Cardinal,
        Self::Wizard,
        Self::Dragon,
    ];

    /// The sum described at [`Kind`], 1 to 11.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind of this code.
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        if code == 0 || code as usize > Self::ALL.len() { None } else { Some(Self::ALL[code as usize - 1]) }
    }

    /// The capital letter of the kind.
    pub const fn letter(self) -> char {
        match self {
            Self::Rook => 'R',
            Self::Bishop => 'B',
            Self::Queen => 'Q',
            Self::Knight => 'N',
            Self::Marshall => 'M',
            Self::Cardinal => 'C',
            Self::Wizard => 'W',
            Self::Pawn => 'P',
            Self::Lancer => 'L',
            Self::King => 'K',
            Self::Dragon => 'D',
        }
    }

    /// The kind with this capital letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Whether it is a pawn or a lancer: these promote, and give no powers.
    pub const fn is_pawn_like(self) -> bool {
        matches!(self, Self::Pawn | Self::Lancer)
    }

    /// Whether the universe restricts it: U of the page.
    pub const fn is_of_universe(self) -> bool {
        matches!(self, Self::Rook | Self::Knight | Self::Marshall)
    }

    /// The parts that can leave a piece of this kind; none unless it is compound.
    pub const fn parts(self) -> &'static [Self] {
        match self {
            Self::Queen => &[Self::Rook, Self::Bishop],
            Self::Marshall => &[Self::Rook, Self::Knight],
            Self::Cardinal => &[Self::Bishop, Self::Knight],
            Self::Wizard => {
                &[Self::Rook, Self::Bishop, Self::Knight, Self::Queen, Self::Marshall, Self::Cardinal]
            }
            Self::Lancer => &[Self::Pawn],
            _ => &[],
        }
    }

    /// The rest of this compound without `part`, which is one of its [`Kind::parts`].
    pub(super) fn without(self, part: Self) -> Self {
        match self {
            Self::Lancer => Self::Pawn,
            _ => Self::from_code(self.code() - part.code()).expect("a part is not the whole"),
        }
    }

    /// The kind that this and `other` fuse to; they must be a pair that fuses.
    pub(super) fn fused_with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Pawn, Self::Pawn) => Self::Lancer,
            _ => Self::from_code(self.code() | other.code()).expect("a pair that fuses"),
        }
    }

    /// The powers that a piece of this kind gives when it moves; `None` if it changes nothing.
    pub const fn lends(self) -> Option<Powers> {
        match self {
            Self::Pawn | Self::Lancer | Self::Dragon => None,
            Self::King => Some(Powers::KING),
            _ => Some(Powers(self.code())),
        }
    }
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// The piece with this sign on a board.
    pub fn from_sign(sign: char) -> Option<Self> {
        let side = if sign.is_ascii_uppercase() { Side::White } else { Side::Black };
        Some(Self { side, kind: Kind::from_letter(sign.to_ascii_uppercase())? })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.kind.letter();
        write!(f, "{}", if self.side == Side::White { letter } else { letter.to_ascii_lowercase() })
    }
}

/// The pieces that dragons move like: any of king, rook, bishop and knight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Powers(u8);

impl Powers {
    /// No powers: no piece has moved yet.
    pub const NONE: Self = Self(0);
    /// One orthogonal or diagonal step.
    pub const KING: Self = Self(8);
    /// The orthogonal lines.
    pub const ROOK: Self = Self(1);
    /// The diagonal lines.
    pub const BISHOP: Self = Self(2);
    /// The jumps.
    pub const KNIGHT: Self = Self(4);
    /// All of them.
    pub const ALL: Self = Self(15);

    /// The letters of the powers, in the order in which they are written.
    pub(super) const LETTERS: [(char, Self); 4] =
        [('K', Self::KING), ('R', Self::ROOK), ('B', Self::BISHOP), ('N', Self::KNIGHT)];

    /// The powers of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether they contain one of `other`.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there are none.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// As four bits.
    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}
