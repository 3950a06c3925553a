//! The rules once more, slow and plain, square by square as the page tells them: what the bitboards are checked
//! against.

use std::collections::BTreeMap;

use super::{At, DIRECTIONS, Grid, Slow as _, compare, compare_on_a_walk, name, plus};
use crate::common::{after, below, legal, rng, with_dots, with_runs};
use chacha20::ChaCha8Rng;
use games::fen::fields;
use games::push_push::PushPush;
use games::{End, Position, Searchable, Side};

/// A position, every field as the FEN has it. Empty squares are not in `board`.
#[derive(Clone)]
struct Slow {
    board: BTreeMap<At, char>,
    side: String,
    first: String,
    goal: String,
    quiet: u32,
    ply: u32,
}

impl super::Slow for Slow {
    type Fast = PushPush;

    fn read(fen: &str) -> Self {
        let [board, side, first, goal, quiet, ply] = fields(fen).unwrap();
        Self {
            board: Grid::read(&with_dots(board)).pieces().collect(),
            side: side.into(),
            first: first.into(),
            goal: goal.into(),
            quiet: quiet.parse().unwrap(),
            ply: ply.parse().unwrap(),
        }
    }

    fn fen(&self) -> String {
        let mut grid = Grid::empty(7);
        self.board.iter().for_each(|(&at, &sign)| grid.set(at, sign));
        let Self { side, first, goal, quiet, ply, .. } = self;
        format!("{} {side} {first} {goal} {quiet} {ply}", with_runs(&grid.to_string()))
    }

    fn legal(&self) -> BTreeMap<String, Self> {
        let mut moves = BTreeMap::new();
        if self.end().is_some() {
            return moves;
        }
        for &source in self.board.keys() {
            for direction in DIRECTIONS {
                for (deflects, d) in [(false, ""), (true, "d")] {
                    if let Some(after) = self.step(source, direction, deflects) {
                        let text = format!("{}{}{d}", name(source), name(plus(source, direction)));
                        moves.insert(text, after);
                    }
                }
            }
        }
        if moves.is_empty() {
            let mut after = self.clone();
            after.first = "-".into();
            after.count_turn(false);
            moves.insert("pass".into(), after);
        }
        moves
    }

    fn end(&self) -> Option<End> {
        if let Some(winner) = Side::from_letter(&self.goal) {
            return Some(End::win(winner, "goal"));
        }
        self.board.values().all(|sign| *sign == '*').then(|| End::draw("material"))
    }
}

impl Slow {
    /// The position after a step, if the step is legal.
    fn step(&self, source: At, direction: At, deflects: bool) -> Option<Self> {
        let stepping = self.board[&source];
        let target = plus(source, direction);
        if !self.is_own(stepping) || !on_board(target) || self.is_forbidden(stepping, target) {
            return None;
        }
        let mut after = self.clone();
        after.first = "-".into();
        if self.side == "w" && self.ply == 0 {
            after.first = format!("{}{}", value(stepping), name(target));
        }

        let occupant = self.board.get(&target).copied();
        let is_capture =
            occupant.is_some_and(|sign| value(stepping) == 1 && value(sign) == 4 && !self.is_own(sign));
        if occupant.is_none() || is_capture {
            if deflects {
                return None;
            }
            after.board.remove(&source);
            after.board.insert(target, stepping);
            after.count_turn(is_capture);
            return Some(after);
        }

        let mut chain = vec![source];
        let mut next = target;
        while let Some(&sign) = self.board.get(&next) {
            let before = self.board[chain.last().unwrap()];
            if value(sign) >= value(before) {
                return None;
            }
            chain.push(next);
            next = plus(next, direction);
            if sign == '*' {
                break;
            }
        }
        let last = *chain.last().unwrap();
        let mut destination = next;
        let mut eliminates = false;
        if self.board[&last] == '*' {
            if deflects {
                let pusher = chain[chain.len() - 2];
                destination = deflected(pusher, last, direction)?;
            }
            if self.board.contains_key(&destination) {
                return None;
            }
            if !on_board(destination) {
                if !(0..7).contains(&destination.0) {
                    return None;
                }
                after.goal = if destination.1 == 7 { "w" } else { "b" }.into();
            }
        } else {
            if deflects {
                return None;
            }
            eliminates = !on_board(destination);
        }
        for at in &chain {
            after.board.remove(at);
        }
        for (at, to) in chain.iter().zip(chain[1..].iter().chain([&destination])) {
            if on_board(*to) {
                after.board.insert(*to, self.board[at]);
            }
        }
        after.count_turn(eliminates);
        Some(after)
    }

    fn is_own(&self, sign: char) -> bool {
        if self.side == "w" { sign.is_ascii_uppercase() } else { sign.is_ascii_lowercase() }
    }

    /// Black's first move.
    fn is_forbidden(&self, stepping: char, target: At) -> bool {
        let [named, file, rank] = self.first.as_bytes() else {
            return false;
        };
        let named_at = (i32::from(file - b'a'), i32::from(rank - b'1'));
        let (x1, y1) = plus(named_at, (-3, -3));
        let (x2, y2) = plus(target, (-3, -3));
        value(stepping) == i32::from(named - b'0') && x1 * y2 == x2 * y1
    }

    fn count_turn(&mut self, eliminates: bool) {
        self.quiet = if eliminates { 0 } else { self.quiet + 1 };
        self.ply += 1;
        self.side = if self.side == "w" { "b" } else { "w" }.into();
    }
}

/// Where a deflected push brings the ball.
fn deflected(pusher: At, ball: At, direction: At) -> Option<At> {
    let is_diagonal = direction.0 != 0 && direction.1 != 0;
    if is_diagonal || !on_edge(pusher) || !on_edge(ball) {
        return None;
    }
    let normal = plus(ball, direction);
    let candidates = [(1, 1), (1, -1), (-1, -1), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, 0)]
        .map(|way| plus(ball, way))
        .into_iter()
        .filter(|at| on_board(*at));
    let is_corner = [0, 6].contains(&ball.0) && [0, 6].contains(&ball.1);
    if is_corner {
        // The square next to the ball at a right angle to the push: neither in line with it nor diagonal.
        candidates.into_iter().find(|at| {
            let (x, y) = (at.0 - ball.0, at.1 - ball.1);
            x * direction.0 + y * direction.1 == 0
        })
    } else {
        // The ball's diagonal neighbour that is adjacent to the normal destination.
        candidates.into_iter().find(|at| {
            let (x, y) = (at.0 - ball.0, at.1 - ball.1);
            x != 0 && y != 0 && (at.0 - normal.0).abs() + (at.1 - normal.1).abs() == 1
        })
    }
}

fn value(sign: char) -> i32 {
    "*abcd".find(sign.to_ascii_lowercase()).unwrap() as i32
}

fn on_board((file, rank): At) -> bool {
    (0..7).contains(&file) && (0..7).contains(&rank)
}

fn on_edge((file, rank): At) -> bool {
    [0, 6].contains(&file) || [0, 6].contains(&rank)
}

/// Most of the pieces, thrown on the `width` x `width` squares in the lower left, so that chains are many. White's
/// first step may be still to come, or just made.
fn scattered(rng: &mut ChaCha8Rng, width: usize) -> Slow {
    let mut slow = Slow::read("7/7/7/7/7/7/7 w - - 7 9");
    for sign in "*AABBCCDaabbccd".chars() {
        let at = (below(width, rng) as i32, below(width, rng) as i32);
        if sign == '*' || below(5, rng) > 0 && !slow.board.contains_key(&at) {
            slow.board.insert(at, sign);
        }
    }
    slow.ply = [0, 1, 9][below(3, rng)];
    slow.side = ["w", "b"][below(2, rng)].into();
    if slow.ply == 1 && slow.side == "b" {
        let named = slow.board.iter().find(|(_, sign)| sign.is_ascii_uppercase());
        slow.first = named.map_or("-".into(), |(at, sign)| format!("{}{}", value(*sign), name(*at)));
    }
    slow
}

#[test]
fn random_games_agree() {
    for seed in 0..40 {
        compare_on_a_walk::<Slow>(PushPush::startpos(), 150, &mut rng(seed), |_, _| ());
    }
}

#[test]
fn crowded_boards_agree() {
    let mut rng = rng(1);
    for n in 0..6000 {
        let slow = scattered(&mut rng, 2 + n % 6);
        let position: PushPush = slow.fen().parse().unwrap();
        compare::<Slow>(&position);
        // The same board seen from the other corner, and with the edges of files and ranks exchanged.
        let (mut turned, mut transposed) = (slow.clone(), slow.clone());
        turned.board = slow.board.iter().map(|((file, rank), sign)| ((6 - file, 6 - rank), *sign)).collect();
        transposed.board = slow.board.iter().map(|((file, rank), sign)| ((*rank, 6 - file), *sign)).collect();
        for other in [&mut turned, &mut transposed] {
            other.first = "-".into();
            compare::<Slow>(&other.fen().parse().unwrap());
        }
    }
}

#[test]
fn every_spelling_is_legal_or_refused() {
    let mut rng = rng(2);
    for n in 0..40 {
        let slow = scattered(&mut rng, 3 + n % 5);
        let position: PushPush = slow.fen().parse().unwrap();
        let legal = slow.legal();
        let squares: Vec<String> = Grid::empty(7).squares().map(name).collect();
        for from in &squares {
            for to in &squares {
                for text in [format!("{from}{to}"), format!("{from}{to}d")] {
                    assert_eq!(position.parse_move(&text).is_some(), legal.contains_key(&text), "{text}");
                }
            }
        }
        assert_eq!(position.parse_move("pass").is_some(), legal.contains_key("pass"));
        for text in
            ["", "a1", "a1a2x", "a1a2dd", "A1a2", "a0a1", "g7h7", "g7g8", "a1a10", "é1a2", "pass ", "0000"]
        {
            assert_eq!(position.parse_move(text), None, "{text}");
        }
    }
}

/// Ruling 15: from the start 31 pairs of first moves are forbidden.
#[test]
fn first_moves_forbid_31_pairs() {
    let start = PushPush::startpos();
    let moves = legal(&start);
    let n_forbidden = |&mv| moves.len() - after(&start, mv).count_legal_moves();
    assert_eq!(moves.iter().map(n_forbidden).sum::<usize>(), 31);
}
