//! The rules a second time, straight from the page: one square after the other, by file and rank, with nothing
//! shared with the fast version but the text forms. The test below compares the two.

use std::collections::{BTreeMap, BTreeSet};

use super::{At, DIRECTIONS, Grid, Slow as _, compare, compare_on_a_walk, name, plus};
use crate::common::{below, rng, with_dots, with_runs};
use chacha20::ChaCha8Rng;
use games::fen::fields;
use games::push::Push;
use games::{End, Position, Side};

/// The names of [`DIRECTIONS`].
const NAMES: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A position as its page describes it.
#[derive(Clone)]
struct Slow {
    pieces: Grid,
    heights: Grid,
    stunned: BTreeSet<String>,
    white_to_move: bool,
    passes: u32,
    quiet: u32,
    ply: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Dies,
    BothDie,
    Nothing,
    Moves(At),
}

impl super::Slow for Slow {
    type Fast = Push;

    fn read(fen: &str) -> Self {
        let [board, side, heights, stunned, passes, quiet, ply] = fields(fen).unwrap();
        Self {
            pieces: Grid::read(&with_dots(board)),
            heights: Grid::read(heights),
            stunned: stunned.split(',').filter(|&mark| mark != "-").map(str::to_owned).collect(),
            white_to_move: side == "w",
            passes: passes.parse().unwrap(),
            quiet: quiet.parse().unwrap(),
            ply: ply.parse().unwrap(),
        }
    }

    fn fen(&self) -> String {
        let Self { pieces, heights, passes, quiet, ply, .. } = self;
        let board = with_runs(&pieces.to_string());
        let side = if self.white_to_move { "w" } else { "b" };
        let marks: Vec<&str> = self.stunned.iter().map(String::as_str).collect();
        let marks = if marks.is_empty() { "-".to_owned() } else { marks.join(",") };
        format!("{board} {side} {heights} {marks} {passes} {quiet} {ply}")
    }

    fn legal(&self) -> BTreeMap<String, Self> {
        let moves = self.moves();
        let n_moves = moves.len();
        let moves: BTreeMap<String, Self> = moves.into_iter().collect();
        assert_eq!(moves.len(), n_moves, "two moves with one spelling");
        moves
    }

    fn end(&self) -> Option<End> {
        let pieces: Vec<char> = self.pieces.pieces().map(|(_, piece)| piece).collect();
        match (pieces.contains(&'K'), pieces.contains(&'k')) {
            (false, false) => return Some(End::draw("both-kings")),
            (false, true) => return Some(End::win(Side::Black, "king")),
            (true, false) => return Some(End::win(Side::White, "king")),
            (true, true) => {}
        }
        let n = self.pieces.n;
        let (goal, holders, winner) = if self.white_to_move {
            ((n - 1, n - 1), "KRBP", Side::White)
        } else {
            ((0, 0), "krbp", Side::Black)
        };
        if self.piece(goal).is_some_and(|piece| holders.contains(piece))
            && !self.stunned.contains(&name(goal))
        {
            return Some(End::win(winner, "goal"));
        }
        (self.passes == 2).then(|| End::draw("blocked"))
    }
}

impl Slow {
    /// Every legal move with where it leads.
    fn moves(&self) -> Vec<(String, Self)> {
        if self.end().is_some() {
            return vec![];
        }
        let mut found = vec![];
        for (from, piece) in self.pieces.pieces() {
            if piece.is_ascii_uppercase() != self.white_to_move || self.stunned.contains(&name(from)) {
                continue;
            }
            match piece.to_ascii_uppercase() {
                'K' | 'P' => self.walks(from, &DIRECTIONS, 1, &mut found),
                'R' => self.walks(from, &[(0, 1), (1, 0), (0, -1), (-1, 0)], 8, &mut found),
                'B' => self.walks(from, &[(1, 1), (1, -1), (-1, -1), (-1, 1)], 8, &mut found),
                _ => self.jumps(from, &mut found),
            }
        }
        if found.is_empty() {
            found.push(("pass".to_owned(), self.after("pass", false, None)));
        }
        found
    }

    /// The moves of a king, pawn, rook or bishop, of so many steps at the most.
    fn walks(&self, from: At, directions: &[(i32, i32)], most: i32, found: &mut Vec<(String, Self)>) {
        for &direction in directions {
            let mut at = from;
            for _ in 0..most {
                let to = plus(at, direction);
                if !self.has(to) {
                    break;
                }
                let climb = self.height(to) - self.height(at);
                if self.piece(to).is_some() {
                    if climb.abs() <= 1 {
                        let text = format!("{}x{}", name(from), name(to));
                        self.push(&text, to, direction, found);
                    }
                    break;
                }
                if climb == 2 {
                    break;
                }
                if climb == -2 {
                    let mut next = self.clone();
                    next.put(from, None);
                    let text = format!("{}{}!", name(from), name(to));
                    found.push((text.clone(), next.after(&text, true, None)));
                    break;
                }
                let mut next = self.clone();
                next.put(to, self.piece(from));
                next.put(from, None);
                let text = format!("{}{}", name(from), name(to));
                found.push((text.clone(), next.after(&text, false, None)));
                if climb == 1 {
                    break;
                }
                at = to;
            }
        }
    }

    fn jumps(&self, from: At, found: &mut Vec<(String, Self)>) {
        for jump in JUMPS {
            let to = plus(from, jump);
            if !self.has(to) {
                continue;
            }
            if self.piece(to).is_some() {
                for (direction, step) in NAMES.into_iter().zip(DIRECTIONS) {
                    self.push(&format!("{}x{}:{direction}", name(from), name(to)), to, step, found);
                }
                continue;
            }
            let mut next = self.clone();
            next.put(to, self.piece(from));
            next.put(from, None);
            let text = format!("{}{}", name(from), name(to));
            found.push((text.clone(), next.after(&text, false, None)));
        }
    }

    /// Adds the push of the piece on `target`, unless nothing happens.
    fn push(&self, text: &str, target: At, direction: (i32, i32), found: &mut Vec<(String, Self)>) {
        let beyond = plus(target, direction);
        let mut next = self.clone();
        match self.outcome(target, beyond) {
            Outcome::Nothing => {}
            Outcome::Dies => {
                next.put(target, None);
                found.push((text.to_owned(), next.after(text, true, None)));
            }
            Outcome::BothDie => {
                next.put(target, None);
                next.put(beyond, None);
                found.push((text.to_owned(), next.after(text, true, None)));
            }
            Outcome::Moves(to) => {
                next.put(target, None);
                next.put(to, self.piece(target));
                found.push((text.to_owned(), next.after(text, false, Some(to))));
            }
        }
    }

    fn outcome(&self, target: At, beyond: At) -> Outcome {
        if !self.has(beyond) {
            return Outcome::Dies;
        }
        let climb = self.height(beyond) - self.height(target);
        match (self.piece(beyond).is_some(), climb) {
            (true, -2) => Outcome::BothDie,
            (true, _) | (false, 2) => Outcome::Nothing,
            (false, -2) => Outcome::Dies,
            (false, _) => Outcome::Moves(beyond),
        }
    }

    /// Steps 2 to 5 of a move whose pieces have already moved; `put` has done the rest of step 1.
    fn after(&self, text: &str, died: bool, pushed_to: Option<At>) -> Self {
        let mut next = self.clone();
        let n = self.pieces.n;
        for (at, piece) in self.pieces.pieces() {
            let is_own = piece.is_ascii_uppercase() == self.white_to_move;
            let is_own_goal = at == if self.white_to_move { (0, 0) } else { (n - 1, n - 1) };
            let holds = !is_own && is_own_goal && !piece.eq_ignore_ascii_case(&'N') && Some(at) != pushed_to;
            if is_own || holds {
                next.stunned.remove(&name(at));
            }
        }
        if let Some(to) = pushed_to {
            next.stunned.insert(name(to));
        }
        next.passes = if text == "pass" { self.passes + 1 } else { 0 };
        next.quiet = if died { 0 } else { self.quiet + 1 };
        next.ply += 1;
        next.white_to_move = !self.white_to_move;
        next
    }

    fn has(&self, at: At) -> bool {
        self.heights.at(at).is_some()
    }

    fn piece(&self, at: At) -> Option<char> {
        self.pieces.at(at).filter(|&piece| piece != '.')
    }

    fn height(&self, at: At) -> i32 {
        self.heights.at(at).and_then(|digit| digit.to_digit(10)).unwrap() as i32
    }

    /// Changes what stands on a square. The mark of what stood there is gone.
    fn put(&mut self, at: At, piece: Option<char>) {
        self.pieces.set(at, piece.unwrap_or('.'));
        self.stunned.remove(&name(at));
    }
}

#[test]
fn the_fast_rules_agree_on_random_play() {
    let mut rng = rng(0);
    for seed in 0..120 {
        let start = Push::start(["8x8", "6x6"][seed as usize % 2], seed).unwrap();
        compare_on_a_walk::<Slow>(start, 60, &mut rng, |_, _| ());
    }
}

#[test]
fn the_fast_rules_agree_on_any_board() {
    let mut rng = rng(1);
    let mut n_over = 0;
    for idx in 0..4000 {
        let fen = any_fen(&mut rng, [6, 8][idx % 2]);
        let position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        n_over += usize::from(compare::<Slow>(&position).is_empty());
    }
    assert!((100..2000).contains(&n_over), "{n_over} of them were over");
}

/// Some of the pieces anywhere, close together, on wild hills, with marks and passes.
fn any_fen(rng: &mut ChaCha8Rng, n: usize) -> String {
    let mut grid = Grid::empty(n);
    let mut stunned = vec![];
    let most_stunned = below(3, rng);
    let white_to_move = below(2, rng) == 0;
    let all = if n == 8 { "KkRRrrNnBbPPppKk" } else { "KkRrNnPpKk" };
    let mut placed = String::new();
    for piece in all.chars() {
        let most = if n == 8 && piece.eq_ignore_ascii_case(&'P') { 2 } else { 1 };
        if placed.matches(piece).count() == most || below(4, rng) == 0 {
            continue;
        }
        // A crowd in one corner or the other, so that pieces meet each other and the edges.
        let corner = if below(2, rng) == 0 { 0 } else { n - 4 };
        let (file, row) = (corner + below(4, rng), n - 4 - corner + below(4, rng));
        let at = (file as i32, (n - 1 - row) as i32);
        if grid.at(at) != Some('.') {
            continue;
        }
        grid.set(at, piece);
        placed.push(piece);
        let is_movers = piece.is_ascii_uppercase() == white_to_move;
        let n_others = stunned.iter().filter(|(_, own)| !own).count();
        if stunned.len() < most_stunned && (is_movers || n_others == 0) && below(3, rng) == 0 {
            stunned.push((name(at), is_movers));
        }
    }
    stunned.sort();
    let marks: Vec<String> = stunned.into_iter().map(|(mark, _)| mark).collect();
    let board = with_runs(&grid.to_string());
    let heights: Vec<String> =
        (0..n).map(|_| (0..n).map(|_| ['0', '0', '1', '1', '2'][below(5, rng)]).collect()).collect();
    format!(
        "{board} {} {} {} {} {} {}",
        if white_to_move { "w" } else { "b" },
        heights.join("/"),
        if marks.is_empty() { "-".to_owned() } else { marks.join(",") },
        below(8, rng).saturating_sub(5),
        below(200, rng),
        below(200, rng)
    )
}
