//! Moves and their spelling (page, section Kinds of moves).

use std::fmt;

use super::cells::Cell;
use super::pieces::Kind;
use crate::Square;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece or a part goes from one square to another.
    Travel(Travel),
    /// `<from><to>~`: the piece on `from` and a friend on `to` trade places.
    Swap {
        /// The square of the piece that starts it.
        from: Cell,
        /// The square of the other piece.
        to: Cell,
    },
    /// `<from>><to>[+]`: a part of a rearrangement.
    Relocation {
        /// The square of the piece.
        from: Cell,
        /// Its target, in the same arena.
        to: Cell,
        /// Whether the turn continues.
        then: Then,
    },
    /// `@<to>`: the piece just captured on a tower is put back.
    Return {
        /// Its target.
        to: Cell,
    },
}

/// A move `[part]<from><to>[=X][+]`: all but swaps, relocations and returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Travel {
    /// The part of the piece on `from` that moves; `None` for the whole piece.
    pub part: Option<Kind>,
    /// The start square.
    pub from: Cell,
    /// The target: a vacant square, an enemy's or, for an attachment, a friend's.
    pub to: Cell,
    /// The way to the target. Not part of the spelling: a position has one way for each target.
    pub way: Way,
    /// The kind that it promotes to.
    pub promotion: Option<Kind>,
    /// Whether the turn continues: then this is part of a multi-piece move.
    pub then: Then,
}

/// How a piece reaches another square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// By its reach, to a vacant square, an enemy's or a friend's.
    Reach,
    /// By capturing en passant.
    EnPassant,
    /// By hops between linked arenas.
    Direct,
}

/// The effect of a move on the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// The other side is on the move.
    TurnEnds,
    /// `+`: the same side is on the move again.
    TurnGoesOn,
}

impl Move {
    /// Reads the spelling of a move. The text does not contain the [`Way`]: it is always [`Way::Reach`] here.
    pub(super) fn read(text: &str) -> Option<Self> {
        if let Some(to) = text.strip_prefix('@') {
            return Some(Self::Return { to: Cell::from_square(to.parse().ok()?)? });
        }
        let part = text.chars().next().and_then(Kind::from_letter);
        let (from, rest) = split_cell(if part.is_some() { &text[1..] } else { text })?;
        if let Some(rest) = rest.strip_prefix('>') {
            let (to, rest) = split_cell(rest)?;
            return part.is_none().then_some(Self::Relocation { from, to, then: Then::read(rest)? });
        }
        let (to, rest) = split_cell(rest)?;
        if rest == "~" {
            return part.is_none().then_some(Self::Swap { from, to });
        }
        let promotion = match rest.strip_prefix('=') {
            Some(rest) => Some(Kind::from_letter(rest.chars().next()?)?),
            None => None,
        };
        let then = Then::read(if promotion.is_some() { &rest[2..] } else { rest })?;
        Some(Self::Travel(Travel { part, from, to, way: Way::Reach, promotion, then }))
    }

    /// Whether both moves have the same spelling.
    pub(super) fn is_spelled_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Travel(one), Self::Travel(other)) => Travel { way: other.way, ..one } == other,
            _ => self == other,
        }
    }
}

impl Then {
    fn read(text: &str) -> Option<Self> {
        match text {
            "" => Some(Self::TurnEnds),
            "+" => Some(Self::TurnGoesOn),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Travel(travel) => travel.fmt(f),
            Self::Swap { from, to } => write!(f, "{from}{to}~"),
            Self::Relocation { from, to, then } => write!(f, "{from}>{to}{then}"),
            Self::Return { to } => write!(f, "@{to}"),
        }
    }
}

impl fmt::Display for Travel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(part) = self.part {
            write!(f, "{}", part.letter())?;
        }
        write!(f, "{}{}", self.from, self.to)?;
        if let Some(promotion) = self.promotion {
            write!(f, "={}", promotion.letter())?;
        }
        self.then.fmt(f)
    }
}

impl fmt::Display for Then {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TurnEnds => "",
            Self::TurnGoesOn => "+",
        })
    }
}

/// The square at the start of `text`, and the rest.
pub(super) fn split_cell(text: &str) -> Option<(Cell, &str)> {
    let (square, rest) = Square::split_from(text)?;
    Some((Cell::from_square(square)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let texts = [
            "a3a4",
            "k9k8",
            "Ne2c3",
            "Pd10d11=Q",
            "d10d11=D",
            "i8i9=N+",
            "a3b4+",
            "d5c4~",
            "f3>e3",
            "f3>e3+",
            "@c10",
        ];
        for text in texts {
            assert_eq!(Move::read(text).expect(text).to_string(), text);
        }
        for text in [
            "", "@", "@a2", "N", "a3", "a3a6", "a3a4~+", "a3a4=", "a3a4=q", "a3a4=é", "a3a4++", "Na3>a4",
            "Na3a4~", "a03a4", "é3a4", "a3>a4~", "@a3+", "xa3a4", "a3 a4",
        ] {
            assert_eq!(Move::read(text), None, "{text}");
        }
    }
}
