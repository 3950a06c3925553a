//! The rules of each game a second time, slow and obvious, and the fast ones compared with them. A new game can do without;
//! its slow version is a file here and a line below.

mod four_towers;
mod push;
mod push_push;
mod tower_of_power;
mod tower_push;

use std::collections::BTreeMap;
use std::fmt;

use crate::common::{after, legal, pick};
use chacha20::ChaCha8Rng;
use games::{End, Position, Searchable};

/// A file and a rank, both from 0; off the board, anything else.
type At = (i32, i32);

/// The steps in the eight directions, clockwise from north.
const DIRECTIONS: [At; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

fn name((file, rank): At) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn plus(a: At, b: At) -> At {
    (a.0 + b.0, a.1 + b.1)
}

/// A board with as many files as ranks, and a sign on each square.
#[derive(Clone, PartialEq)]
struct Grid {
    n: i32,
    /// By rank from the bottom, then by file.
    signs: Vec<Vec<char>>,
}

impl Grid {
    /// Reads ranks from the top one down, with a sign for each square.
    fn read(text: &str) -> Self {
        let signs: Vec<Vec<char>> = text.split('/').rev().map(|rank| rank.chars().collect()).collect();
        Self { n: signs.len() as i32, signs }
    }

    /// A board of dots.
    fn empty(n: usize) -> Self {
        Self { n: n as i32, signs: vec![vec!['.'; n]; n] }
    }

    /// The sign on a square; `None` off the board.
    fn at(&self, (file, rank): At) -> Option<char> {
        let is_on = |coordinate| (0..self.n).contains(&coordinate);
        (is_on(file) && is_on(rank)).then(|| self.signs[rank as usize][file as usize])
    }

    fn set(&mut self, (file, rank): At, sign: char) {
        self.signs[rank as usize][file as usize] = sign;
    }

    fn squares(&self) -> impl Iterator<Item = At> + use<> {
        let n = self.n;
        (0..n).flat_map(move |rank| (0..n).map(move |file| (file, rank)))
    }

    /// The squares without a dot, each with its sign.
    fn pieces(&self) -> impl Iterator<Item = (At, char)> {
        self.squares().filter_map(|at| Some((at, self.at(at).filter(|&sign| sign != '.')?)))
    }
}

/// The inverse of [`Grid::read`].
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<String> = self.signs.iter().rev().map(|rank| rank.iter().collect()).collect();
        f.write_str(&ranks.join("/"))
    }
}

/// A position by the slow rules.
trait Slow: Sized {
    /// The same game by the fast rules.
    type Fast: Searchable;
    /// Whether the end is compared after each move, too.
    const LOOKS_AHEAD: bool = true;

    /// Reads a FEN that is known to be one.
    fn read(fen: &str) -> Self;
    fn fen(&self) -> String;
    /// Every legal move with the position after it.
    fn legal(&self) -> BTreeMap<String, Self>;
    fn end(&self) -> Option<End>;
}

type MoveOf<S> = <<S as Slow>::Fast as Position>::Move;

/// Compares the two versions in one position and after each of its moves. Returns the legal moves.
fn compare<S: Slow>(position: &S::Fast) -> Vec<MoveOf<S>> {
    let fen = position.to_string();
    assert_eq!(fen.parse().as_ref(), Ok(position));
    let slow = S::read(&fen);
    assert_eq!(slow.fen(), fen);
    assert_eq!(position.end(), slow.end(), "{fen}");

    let moves = legal(position);
    let found: BTreeMap<String, _> = moves.iter().map(|&mv| (mv.to_string(), after(position, mv))).collect();
    assert_eq!((found.len(), position.count_legal_moves()), (moves.len(), moves.len()), "{fen}");
    let expected = slow.legal();
    assert!(found.keys().eq(expected.keys()), "{fen}: {:?}, {:?}", found.keys(), expected.keys());
    for ((mv, after), slow_after) in found.iter().zip(expected.values()) {
        assert_eq!(after.to_string(), slow_after.fen(), "{fen}: {mv}");
        if S::LOOKS_AHEAD {
            assert_eq!(after.end(), slow_after.end(), "{fen}: {mv}");
        }
    }
    moves
}

/// Compares the two versions in all positions of random play, and calls `see` with each and its moves.
fn compare_on_a_walk<S: Slow>(
    start: S::Fast,
    n_plies: usize,
    rng: &mut ChaCha8Rng,
    mut see: impl FnMut(&S::Fast, &[MoveOf<S>]),
) {
    let mut position = start;
    for _ in 0..n_plies {
        let moves = compare::<S>(&position);
        see(&position, &moves);
        if moves.is_empty() {
            return;
        }
        position.play_unchecked(*pick(&moves, rng));
    }
}
