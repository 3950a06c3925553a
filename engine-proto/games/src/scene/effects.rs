//! The effects of a move, found by comparing the positions before and after it. It knows no rules, only that the
//! spelling of a move names squares.

use super::{Layout, Piece, Scene};
use crate::{Side, Square};

/// The squares that a move touched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects {
    /// Each square once: first those that the move names, in its order, then the others in the order of squares.
    pub touches: Vec<Touch>,
}

/// One square that a move touched: it has a role, a change, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    /// The square.
    pub square: Square,
    /// Its role in the move's spelling; `None` for a square that the move does not name, such as the target of a
    /// pushed piece.
    pub role: Option<Role>,
    /// How its pieces changed.
    pub change: Option<Change>,
}

/// The role of a square in a move's spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The start of the move: the first of several squares.
    From,
    /// Between the first and the last square.
    Via,
    /// The target of the move: the last square.
    To,
}

/// How the pieces on a square changed. States of pieces are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// There are fewer pieces: one moved away, was pushed away, or was captured.
    Left,
    /// There are more pieces.
    Entered,
    /// The number is the same, but the pieces are different.
    Replaced,
}

impl Effects {
    /// The effects of the move spelled `mv`, which led from one position to the next.
    pub fn of(mv: &str, layout: &Layout, before: &Scene, after: &Scene) -> Self {
        let mut squares = squares_named(mv);
        // A game may spell moves without squares: a word that looks like a square is not on its board.
        squares.retain(|square| layout.ground(*square).is_some());
        let n_named = squares.len();
        let mut others: Vec<Square> =
            before.pieces.iter().chain(&after.pieces).map(|piece| piece.square).collect();
        others.sort_unstable();
        squares.extend(others);

        let mut touches: Vec<Touch> = Vec::new();
        for (idx, square) in squares.into_iter().enumerate() {
            let touch = Touch { square, role: role(idx, n_named), change: change(square, before, after) };
            let is_touched = touch.role.is_some() || touch.change.is_some();
            if is_touched && touches.iter().all(|earlier| earlier.square != square) {
                touches.push(touch);
            }
        }
        Self { touches }
    }

    /// How a square was touched, if it was.
    pub fn on(&self, square: Square) -> Option<Touch> {
        self.touches.iter().copied().find(|touch| touch.square == square)
    }
}

/// The squares in the spelling of a move, in order.
fn squares_named(mv: &str) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut rest = mv;
    while let Some(c) = rest.chars().next() {
        rest = match Square::split_from(rest) {
            Some((square, behind)) => {
                squares.push(square);
                behind
            }
            None => &rest[c.len_utf8()..],
        };
    }
    squares
}

fn role(idx: usize, n_named: usize) -> Option<Role> {
    if idx >= n_named {
        return None;
    }
    Some(match idx {
        _ if idx + 1 == n_named => Role::To,
        0 => Role::From,
        _ => Role::Via,
    })
}

fn change(square: Square, before: &Scene, after: &Scene) -> Option<Change> {
    let stack = |scene: &Scene| scene.stack(square).map(identity).collect::<Vec<_>>();
    let (before, after) = (stack(before), stack(after));
    match before.len().cmp(&after.len()) {
        std::cmp::Ordering::Greater => Some(Change::Left),
        std::cmp::Ordering::Less => Some(Change::Entered),
        std::cmp::Ordering::Equal => (before != after).then_some(Change::Replaced),
    }
}

/// The properties that distinguish pieces on a square.
fn identity(piece: &Piece) -> (Option<Side>, char) {
    (piece.owner, piece.kind.letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameId, Games};

    /// The effects of a move, as `a1 from left`.
    fn effects(game: GameId, fen: &str, mv: &str) -> Vec<String> {
        let mut play = Games::built_in().play(game, fen).unwrap();
        let before = play.scene();
        play.play(mv).unwrap();
        let effects = Effects::of(mv, &play.layout(), &before, &play.scene());
        let word =
            |word: Option<String>| word.map_or(String::new(), |word| format!(" {}", word.to_lowercase()));
        effects
            .touches
            .iter()
            .map(|touch| {
                let role = word(touch.role.map(|role| format!("{role:?}")));
                let change = word(touch.change.map(|change| format!("{change:?}")));
                format!("{}{role}{change}", touch.square)
            })
            .collect()
    }

    #[test]
    fn squares_of_spellings() {
        let names =
            |mv: &str| squares_named(mv).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        for (mv, squares) in [
            ("a10b11", "a10 b11"),
            ("b2b4d6", "b2 b4 d6"),
            ("c3xa4:ne", "c3 a4"),
            ("Pg5f5=Q+", "g5 f5"),
            ("e3>f2+", "e3 f2"),
            ("@e4", "e4"),
            ("a2a3d", "a2 a3"),
            ("pass", ""),
            ("é1a0", ""),
        ] {
            assert_eq!(names(mv), squares, "{mv}");
        }
    }

    #[test]
    fn a_chain_with_the_ball() {
        assert_eq!(
            effects(GameId::PUSH_PUSH, "7/7/7/Cba*3/7/7/7 w - - 3 20", "a4b4"),
            ["a4 from left", "b4 to replaced", "c4 replaced", "d4 replaced", "e4 entered"]
        );
    }

    #[test]
    fn a_pass_touches_nothing() {
        assert!(effects(GameId::PUSH_PUSH, "5Ba/6B/7/3*3/7/1A5/7 b 1b2 - 1 1", "pass").is_empty());
    }
}
