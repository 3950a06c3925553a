//! The rules once more, slow and plain, written from the page alone: a check on the fast ones.

use std::collections::{BTreeMap, BTreeSet};

use super::{At, DIRECTIONS, Grid, Slow as _, compare_on_a_walk, name, plus};
use crate::common::{after, below, legal, rng, with_dots, with_runs};
use chacha20::ChaCha8Rng;
use games::fen::fields;
use games::tower_push::*;
use games::*;

#[derive(Clone, PartialEq)]
struct Slow {
    /// `X`, `x`, `T` or `.` on each square.
    grid: Grid,
    side: char,
    /// White's hand, Black's hand.
    hands: [u32; 2],
    next: char,
    /// Two squares.
    ban: Option<(At, At)>,
    quiet: u32,
    ply: u32,
}

/// What a step does on the board.
struct Stepped {
    after: Slow,
    n_opponents_displaced: u32,
    pushed_off: Vec<char>,
}

fn other(side: char) -> char {
    if side == 'w' { 'b' } else { 'w' }
}

fn sign_of(side: char) -> char {
    if side == 'w' { 'X' } else { 'x' }
}

fn hand_of(side: char) -> usize {
    usize::from(side == 'b')
}

impl super::Slow for Slow {
    type Fast = TowerPush;

    fn read(fen: &str) -> Self {
        let [board, side, hand_white, hand_black, next, ban, quiet, ply] = fields(fen).unwrap();
        let mut slow = Self {
            grid: Grid::read(&with_dots(board)),
            side: side.chars().next().unwrap(),
            hands: [hand_white.parse().unwrap(), hand_black.parse().unwrap()],
            next: next.chars().next().unwrap(),
            ban: None,
            quiet: quiet.parse().unwrap(),
            ply: ply.parse().unwrap(),
        };
        if ban != "-" {
            let all = slow.all_steps();
            slow.ban = Some(*all.iter().find(|(from, to)| name(*from) + &name(*to) == ban).unwrap());
        }
        slow
    }

    fn fen(&self) -> String {
        let board = with_runs(&self.grid.to_string());
        let Self { side, hands: [white, black], next, quiet, ply, .. } = self;
        let ban = self.ban.map_or("-".to_owned(), |(from, to)| name(from) + &name(to));
        format!("{board} {side} {white} {black} {next} {ban} {quiet} {ply}")
    }

    fn legal(&self) -> BTreeMap<String, Self> {
        self.moves().into_iter().map(|mv| (mv.clone(), self.play(&mv))).collect()
    }

    fn end(&self) -> Option<End> {
        let (winner, reason) = self.winner()?;
        Some(End::win(if winner == 'w' { Side::White } else { Side::Black }, reason))
    }
}

impl Slow {
    /// Every step of the side to move, the ban left out of account.
    fn all_steps(&self) -> Vec<(At, At)> {
        let mut steps = Vec::new();
        for from in self.grid.squares() {
            for direction in DIRECTIONS {
                let to = plus(from, direction);
                if self.grid.at(from) == Some(sign_of(self.side)) && self.grid.at(to) == Some('.') {
                    steps.push((from, to));
                }
            }
        }
        steps
    }

    fn winner(&self) -> Option<(char, &'static str)> {
        let centre = self.grid.n / 2;
        for player in [other(self.next), self.next] {
            let holds = |files: i32, ranks: i32| {
                self.grid.at((centre + files, centre + ranks)) == Some(sign_of(player))
            };
            if holds(1, 0) && holds(-1, 0) && holds(0, 1) && holds(0, -1) {
                return Some((player, "surround"));
            }
            if holds(1, 1) && holds(-1, 1) && holds(1, -1) && holds(-1, -1) {
                return Some((player, "surround"));
            }
            if !self.grid.squares().any(|at| self.grid.at(at) == Some(sign_of(other(player)))) {
                return Some((player, "elimination"));
            }
        }
        None
    }

    fn moves(&self) -> BTreeSet<String> {
        if self.winner().is_some() {
            return BTreeSet::new();
        }
        if self.hands[hand_of(self.side)] > 0 {
            let empty = self.grid.squares().filter(|&at| self.grid.at(at) == Some('.'));
            return empty.map(|at| format!("@{}", name(at))).collect();
        }
        let steps = self.all_steps().into_iter().filter(|&step| Some(step) != self.ban);
        let steps: BTreeSet<String> = steps.map(|(from, to)| name(from) + &name(to)).collect();
        if steps.is_empty() { BTreeSet::from(["pass".to_owned()]) } else { steps }
    }

    /// Effects 1 and 2 of a step of the side to move.
    fn step_on_board(&self, (from, to): (At, At)) -> Stepped {
        let mut after = self.clone();
        after.grid.set(from, '.');
        after.grid.set(to, sign_of(self.side));
        let mut n_opponents_displaced = 0;
        let mut pushed_off = Vec::new();
        for direction in DIRECTIONS {
            let first = plus(to, direction);
            if after.grid.at(first) != Some(sign_of(other(self.side))) {
                continue;
            }
            let mut chain = vec![first];
            let mut behind = plus(first, direction);
            while matches!(after.grid.at(behind), Some('X' | 'x')) {
                chain.push(behind);
                behind = plus(behind, direction);
            }
            if after.grid.at(behind) == Some('T') {
                continue;
            }
            for &square in chain.iter().rev() {
                let sign = after.grid.at(square).unwrap();
                if sign == sign_of(other(self.side)) {
                    n_opponents_displaced += 1;
                }
                after.grid.set(square, '.');
                let moved = plus(square, direction);
                if after.grid.at(moved).is_some() {
                    after.grid.set(moved, sign);
                } else {
                    pushed_off.push(sign);
                }
            }
        }
        Stepped { after, n_opponents_displaced, pushed_off }
    }

    fn step(&self, step: (At, At)) -> Self {
        let Stepped { mut after, n_opponents_displaced, pushed_off } = self.step_on_board(step);
        for sign in &pushed_off {
            let owner = if *sign == 'X' { 'w' } else { 'b' };
            after.hands[hand_of(other(owner))] += 1;
        }
        after.next = other(self.side);
        after.quiet = if pushed_off.is_empty() { self.quiet + 1 } else { 0 };
        after.ply += 1;
        after.ban = None;
        after.side = other(self.side);
        if n_opponents_displaced == 1 {
            // From the definition: of the opponent's steps, the one after which the board is as before this step.
            let restoring: Vec<_> = after
                .all_steps()
                .into_iter()
                .filter(|&step| after.step_on_board(step).after.grid == self.grid)
                .collect();
            assert!(restoring.len() <= 1);
            after.ban = restoring.first().copied();
        }
        if after.hands[hand_of(self.side)] > 0 {
            after.side = self.side;
        }
        after
    }

    fn play(&self, mv: &str) -> Self {
        if let Some(square) = mv.strip_prefix('@') {
            let mut after = self.clone();
            let at = self.grid.squares().find(|at| name(*at) == square).unwrap();
            after.grid.set(at, sign_of(self.side));
            after.hands[hand_of(self.side)] -= 1;
            after.side =
                if after.hands[hand_of(other(self.next))] > 0 { other(self.next) } else { self.next };
            after.quiet += 1;
            after.ply += 1;
            return after;
        }
        if mv == "pass" {
            let mut after = self.clone();
            (after.side, after.next, after.ban) = (other(self.side), other(self.side), None);
            after.quiet += 1;
            after.ply += 1;
            return after;
        }
        let steps = self.all_steps();
        self.step(*steps.iter().find(|(from, to)| name(*from) + &name(*to) == mv).unwrap())
    }

    /// Whether `<ban>` may be this step, from the words of section FEN fields.
    fn takes_ban(&self, ban: (At, At)) -> bool {
        let mut made = self.step_on_board(ban).after;
        made.side = other(self.side);
        made.ban = None;
        made.hands = [0, 0];
        made.all_steps().into_iter().any(|step| {
            let back = made.step(step);
            back.grid == self.grid && back.ban == Some(ban)
        })
    }
}

/// A position with pieces strewn at random, so that they are in each other's way; nothing in hand.
fn crowded(n: usize, n_pieces: usize, rng: &mut ChaCha8Rng) -> String {
    let mut grid = Grid::empty(n);
    let centre = grid.n / 2;
    grid.set((centre, centre), 'T');
    for idx in 0..n_pieces {
        let (rank, file) = (below(n, rng) as i32, below(n, rng) as i32);
        if grid.at((file, rank)) == Some('.') {
            grid.set((file, rank), if idx % 2 == 0 { 'X' } else { 'x' });
        }
    }
    let side = if below(2, rng) == 0 { 'w' } else { 'b' };
    Slow { grid, side, hands: [0, 0], next: side, ban: None, quiet: 0, ply: 0 }.fen()
}

#[test]
fn random_games_from_the_starts() {
    let mut rng = rng(1);
    for start in TowerPush::INFO.starts {
        for _ in 0..10 {
            compare_on_a_walk::<Slow>(start.fen.parse().unwrap(), 200, &mut rng, |_, _| ());
        }
    }
}

#[test]
fn random_games_in_a_crowd() {
    let mut rng = rng(2);
    for n in [5, 7, 9, 11] {
        for _ in 0..120 {
            let start = crowded(n, 2 * n, &mut rng).parse().unwrap();
            compare_on_a_walk::<Slow>(start, 30, &mut rng, |_, _| ());
        }
    }
}

#[test]
fn every_step_of_a_crowd_and_every_ban() {
    let mut rng = rng(3);
    let mut n_bans = [0, 0];
    for round in 0..1200 {
        let n = [5, 5, 7, 9][round % 4];
        let n_pieces = 4 + below(2 * n - 4, &mut rng);
        let fen = crowded(n, n_pieces, &mut rng);
        let slow = Slow::read(&fen);
        let fast: TowerPush = fen.parse().unwrap();
        for step in slow.all_steps() {
            let (from, to) = step;
            let ban = name(from) + &name(to);
            let with_ban = fen.replace(" - ", &format!(" {ban} "));
            let read = with_ban.parse::<TowerPush>();
            assert_eq!(read.is_ok(), slow.takes_ban(step), "{with_ban}");
            n_bans[0] += usize::from(read.is_ok());
            if fast.end().is_some() {
                continue;
            }
            let slow_after = slow.step(step);
            let fast_after = after(&fast, fast.parse_move(&ban).unwrap());
            assert_eq!(fast_after.to_string(), slow_after.fen(), "{fen} {ban}");
            n_bans[1] += usize::from(slow_after.ban.is_some());
        }
    }
    assert!(n_bans[0] > 100 && n_bans[1] > 100, "too few bans to tell: {n_bans:?}");
}

/// Section The repetition rule, Consequences: a side with a ban has another step.
#[test]
fn a_ban_never_leads_to_a_pass() {
    let mut rng = rng(4);
    for round in 0..2000 {
        let n = [5, 7][round % 2];
        let fast: TowerPush = crowded(n, 2 * n, &mut rng).parse().unwrap();
        for mv in legal(&fast) {
            let after = after(&fast, mv);
            if after.ban().is_some() && after.end().is_none() {
                assert!(after.count_legal_moves() >= 1, "{after}");
                assert_eq!(after.parse_move("pass"), None, "{after}");
            }
        }
    }
}
