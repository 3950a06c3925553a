//! The rules once more, slow and plain, square by square as the page tells them: what the bitboards are checked
//! against.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use games::push_push::PushPush;
use games::{Position, Searchable};

/// A file and a rank from 0; off the board, anything else.
type At = (i32, i32);

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

impl Slow {
    /// Reads a FEN that is known to be one.
    fn new(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = BTreeMap::new();
        for (rank, text) in (0..7).rev().zip(fields[0].split('/')) {
            let mut file = 0;
            for sign in text.chars() {
                if let Some(run) = sign.to_digit(10) {
                    file += run as i32;
                } else {
                    board.insert((file, rank), sign);
                    file += 1;
                }
            }
        }
        Self {
            board,
            side: fields[1].into(),
            first: fields[2].into(),
            goal: fields[3].into(),
            quiet: fields[4].parse().unwrap(),
            ply: fields[5].parse().unwrap(),
        }
    }

    fn fen(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..7).rev() {
            let mut text = String::new();
            let mut run = 0;
            for file in 0..7 {
                match self.board.get(&(file, rank)) {
                    None => run += 1,
                    Some(sign) => {
                        if run > 0 {
                            text += &run.to_string();
                            run = 0;
                        }
                        text.push(*sign);
                    }
                }
            }
            if run > 0 {
                text += &run.to_string();
            }
            ranks.push(text);
        }
        let Self { side, first, goal, quiet, ply, .. } = self;
        format!("{} {side} {first} {goal} {quiet} {ply}", ranks.join("/"))
    }

    /// Every legal move with the FEN it leads to.
    fn moves(&self) -> BTreeMap<String, String> {
        let mut moves = BTreeMap::new();
        let no_piece = self.board.values().all(|sign| *sign == '*');
        if self.goal != "-" || no_piece {
            return moves;
        }
        for &source in self.board.keys() {
            for direction in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
                for deflects in [false, true] {
                    if let Some(after) = self.step(source, direction, deflects) {
                        let d = if deflects { "d" } else { "" };
                        let text = format!("{}{}{d}", name(source), name(plus(source, direction)));
                        moves.insert(text, after.fen());
                    }
                }
            }
        }
        if moves.is_empty() {
            let mut after = self.clone();
            after.first = "-".into();
            after.count_turn(false);
            moves.insert("pass".into(), after.fen());
        }
        moves
    }

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

fn name((file, rank): At) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn plus(a: At, b: At) -> At {
    (a.0 + b.0, a.1 + b.1)
}

fn on_board((file, rank): At) -> bool {
    (0..7).contains(&file) && (0..7).contains(&rank)
}

fn on_edge((file, rank): At) -> bool {
    [0, 6].contains(&file) || [0, 6].contains(&rank)
}

fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    (rng.next_u64() % n as u64) as usize
}

/// Most of the pieces, thrown on the `width` x `width` squares in the lower left, so that chains are many. White's
/// first step may be still to come, or just made.
fn scattered(rng: &mut ChaCha8Rng, width: usize) -> Slow {
    let mut slow = Slow::new("7/7/7/7/7/7/7 w - - 7 9");
    for sign in "*AABBCCDaabbccd".chars() {
        let at = (below(rng, width) as i32, below(rng, width) as i32);
        if sign == '*' || below(rng, 5) > 0 && !slow.board.contains_key(&at) {
            slow.board.insert(at, sign);
        }
    }
    slow.ply = [0, 1, 9][below(rng, 3)];
    slow.side = ["w", "b"][below(rng, 2)].into();
    if slow.ply == 1 && slow.side == "b" {
        let named = slow.board.iter().find(|(_, sign)| sign.is_ascii_uppercase());
        slow.first = named.map_or("-".into(), |(at, sign)| format!("{}{}", value(*sign), name(*at)));
    }
    slow
}

/// Whether the bitboards find the same moves, and the same positions after them.
fn check(position: &PushPush) {
    let fen = position.to_string();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let n_moves = moves.len();
    let found: BTreeMap<String, String> = moves
        .into_iter()
        .map(|mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            assert_eq!(after, after.to_string().parse().unwrap(), "{fen}, after {mv}");
            assert_eq!(position.parse_move(&mv.to_string()), Some(mv), "{fen}");
            (mv.to_string(), after.to_string())
        })
        .collect();
    assert_eq!(found, Slow::new(&fen).moves(), "{fen}");
    assert_eq!(n_moves, found.len(), "{fen}");
    assert_eq!(n_moves, position.count_legal_moves(), "{fen}");
}

#[test]
fn random_games_agree() {
    for seed in 0..40 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut position = PushPush::startpos();
        let mut moves = Vec::new();
        for _ in 0..150 {
            check(&position);
            moves.clear();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[below(&mut rng, moves.len())]);
        }
    }
}

#[test]
fn crowded_boards_agree() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for n in 0..6000 {
        let slow = scattered(&mut rng, 2 + n % 6);
        let position: PushPush = slow.fen().parse().unwrap();
        check(&position);
        // The same board seen from the other corner, and with the edges of files and ranks exchanged.
        let (mut turned, mut transposed) = (slow.clone(), slow.clone());
        turned.board = slow.board.iter().map(|((file, rank), sign)| ((6 - file, 6 - rank), *sign)).collect();
        transposed.board = slow.board.iter().map(|((file, rank), sign)| ((*rank, 6 - file), *sign)).collect();
        for other in [&mut turned, &mut transposed] {
            other.first = "-".into();
            check(&other.fen().parse().unwrap());
        }
    }
}

#[test]
fn every_spelling_is_legal_or_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for n in 0..40 {
        let slow = scattered(&mut rng, 3 + n % 5);
        let position: PushPush = slow.fen().parse().unwrap();
        let legal = slow.moves();
        let squares: Vec<String> =
            (0..7).flat_map(|file| (0..7).map(move |rank| name((file, rank)))).collect();
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
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    let n_forbidden: usize = moves
        .iter()
        .map(|mv| {
            let mut after = start.clone();
            after.play_unchecked(*mv);
            moves.len() - after.count_legal_moves()
        })
        .sum();
    assert_eq!(n_forbidden, 31);
}
