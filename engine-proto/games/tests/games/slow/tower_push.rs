//! The rules once more, slow and plain, written from the page alone: a check on the fast ones.

use std::collections::BTreeSet;

use games::bits::mix64;
use games::tower_push::*;
use games::*;

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A square by file and rank, from 0.
type At = (i32, i32);

#[derive(Clone, PartialEq)]
struct Slow {
    n: i32,
    /// By rank and file: `X`, `x`, `T` or `.`.
    grid: Vec<Vec<char>>,
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

fn name((file, rank): At) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn on((file, rank): At, (files, ranks): (i32, i32)) -> At {
    (file + files, rank + ranks)
}

impl Slow {
    fn from_fen(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [board, side, hand_white, hand_black, next, ban, quiet, ply] = fields[..] else {
            panic!("{fen}")
        };
        // The longest runs first, so that `11` is not read as two runs of 1.
        let mut board = board.to_owned();
        for run in (1..=11).rev() {
            board = board.replace(&run.to_string(), &".".repeat(run));
        }
        let grid: Vec<Vec<char>> = board.split('/').rev().map(|rank| rank.chars().collect()).collect();
        let mut slow = Self {
            n: grid.len() as i32,
            grid,
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
        let mut ranks = Vec::new();
        for rank in self.grid.iter().rev() {
            let mut text: String = rank.iter().collect();
            for run in (1..=11).rev() {
                text = text.replace(&".".repeat(run), &format!("{run} ")); // the space keeps runs apart
            }
            ranks.push(text.replace(' ', ""));
        }
        let ban = self.ban.map_or("-".to_owned(), |(from, to)| name(from) + &name(to));
        format!(
            "{} {} {} {} {} {ban} {} {}",
            ranks.join("/"),
            self.side,
            self.hands[0],
            self.hands[1],
            self.next,
            self.quiet,
            self.ply
        )
    }

    /// The sign on a square; `None` outside the board.
    fn at(&self, (file, rank): At) -> Option<char> {
        ((0..self.n).contains(&file) && (0..self.n).contains(&rank))
            .then(|| self.grid[rank as usize][file as usize])
    }

    fn set(&mut self, (file, rank): At, sign: char) {
        self.grid[rank as usize][file as usize] = sign;
    }

    fn all_squares(&self) -> Vec<At> {
        (0..self.n).flat_map(|file| (0..self.n).map(move |rank| (file, rank))).collect()
    }

    /// Every step of the side to move, the ban left out of account.
    fn all_steps(&self) -> Vec<(At, At)> {
        let mut steps = Vec::new();
        for from in self.all_squares() {
            for direction in DIRECTIONS {
                let to = on(from, direction);
                if self.at(from) == Some(sign_of(self.side)) && self.at(to) == Some('.') {
                    steps.push((from, to));
                }
            }
        }
        steps
    }

    fn winner(&self) -> Option<(char, &'static str)> {
        let centre = self.n / 2;
        for player in [other(self.next), self.next] {
            let holds =
                |files: i32, ranks: i32| self.at((centre + files, centre + ranks)) == Some(sign_of(player));
            if holds(1, 0) && holds(-1, 0) && holds(0, 1) && holds(0, -1) {
                return Some((player, "surround"));
            }
            if holds(1, 1) && holds(-1, 1) && holds(1, -1) && holds(-1, -1) {
                return Some((player, "surround"));
            }
            if !self.all_squares().iter().any(|&at| self.at(at) == Some(sign_of(other(player)))) {
                return Some((player, "elimination"));
            }
        }
        None
    }

    fn legal(&self) -> BTreeSet<String> {
        if self.winner().is_some() {
            return BTreeSet::new();
        }
        if self.hands[hand_of(self.side)] > 0 {
            let empty = self.all_squares().into_iter().filter(|&at| self.at(at) == Some('.'));
            return empty.map(|at| format!("@{}", name(at))).collect();
        }
        let steps = self.all_steps().into_iter().filter(|&step| Some(step) != self.ban);
        let steps: BTreeSet<String> = steps.map(|(from, to)| name(from) + &name(to)).collect();
        if steps.is_empty() { BTreeSet::from(["pass".to_owned()]) } else { steps }
    }

    /// Effects 1 and 2 of a step of the side to move.
    fn step_on_board(&self, (from, to): (At, At)) -> Stepped {
        let mut after = self.clone();
        after.set(from, '.');
        after.set(to, sign_of(self.side));
        let mut n_opponents_displaced = 0;
        let mut pushed_off = Vec::new();
        for direction in DIRECTIONS {
            let first = on(to, direction);
            if after.at(first) != Some(sign_of(other(self.side))) {
                continue;
            }
            let mut chain = vec![first];
            let mut behind = on(first, direction);
            while matches!(after.at(behind), Some('X' | 'x')) {
                chain.push(behind);
                behind = on(behind, direction);
            }
            if after.at(behind) == Some('T') {
                continue;
            }
            for &square in chain.iter().rev() {
                let sign = after.at(square).unwrap();
                if sign == sign_of(other(self.side)) {
                    n_opponents_displaced += 1;
                }
                after.set(square, '.');
                let moved = on(square, direction);
                if after.at(moved).is_some() {
                    after.set(moved, sign);
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
            let at = *self.all_squares().iter().find(|at| name(**at) == square).unwrap();
            after.set(at, sign_of(self.side));
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

/// Numbers that look random and are the same for ever.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 += 1;
        (mix64(self.0) % end as u64) as usize
    }
}

/// A position with pieces strewn at random, so that they are in each other's way; nothing in hand.
fn crowded(n: usize, n_pieces: usize, numbers: &mut Numbers) -> String {
    let mut grid = vec![vec!['.'; n]; n];
    grid[n / 2][n / 2] = 'T';
    for idx in 0..n_pieces {
        let (rank, file) = (numbers.below(n), numbers.below(n));
        if grid[rank][file] == '.' {
            grid[rank][file] = if idx % 2 == 0 { 'X' } else { 'x' };
        }
    }
    let side = if numbers.below(2) == 0 { 'w' } else { 'b' };
    let (n, hands) = (n as i32, [0, 0]);
    Slow { n, grid, side, hands, next: side, ban: None, quiet: 0, ply: 0 }.fen()
}

/// Both rules agree on the position, and on a random game from it.
fn compare(start: &str, n_moves: usize, numbers: &mut Numbers) {
    let mut slow = Slow::from_fen(start);
    let mut fast: TowerPush = start.parse().unwrap();
    for _ in 0..n_moves {
        assert_eq!(fast.to_string(), slow.fen());
        let mut moves = Vec::new();
        fast.legal_moves(&mut moves);
        let texts: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts, slow.legal(), "{fast}");
        assert_eq!(moves.len(), fast.count_legal_moves(), "{fast}");
        let end = fast.end().map(|end| (end.winner.unwrap().letter(), end.reason));
        assert_eq!(end, slow.winner(), "{fast}");
        assert_eq!(fast.to_string().parse().as_ref(), Ok(&fast));
        if moves.is_empty() {
            break;
        }
        let mv = moves[numbers.below(moves.len())];
        fast.play_unchecked(mv);
        slow = slow.play(&mv.to_string());
    }
}

#[test]
fn random_games_from_the_starts() {
    let mut numbers = Numbers(1);
    for start in TowerPush::INFO.starts {
        for _ in 0..30 {
            compare(start.fen, 200, &mut numbers);
        }
    }
}

#[test]
fn random_games_in_a_crowd() {
    let mut numbers = Numbers(2);
    for n in [5, 7, 9, 11] {
        for _ in 0..400 {
            compare(&crowded(n, 2 * n, &mut numbers), 30, &mut numbers);
        }
    }
}

#[test]
fn every_step_of_a_crowd_and_every_ban() {
    let mut numbers = Numbers(3);
    let mut n_bans = [0, 0];
    for round in 0..1200 {
        let n = [5, 5, 7, 9][round % 4];
        let n_pieces = 4 + numbers.below(2 * n - 4);
        let fen = crowded(n, n_pieces, &mut numbers);
        let slow = Slow::from_fen(&fen);
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
            let after = slow.step(step);
            let mut fast_after = fast.clone();
            fast_after.play_unchecked(fast.parse_move(&ban).unwrap());
            assert_eq!(fast_after.to_string(), after.fen(), "{fen} {ban}");
            n_bans[1] += usize::from(after.ban.is_some());
        }
    }
    assert!(n_bans[0] > 100 && n_bans[1] > 100, "too few bans to tell: {n_bans:?}");
}

/// Section The repetition rule, Consequences: a side with a ban has another step.
#[test]
fn a_ban_never_leads_to_a_pass() {
    let mut numbers = Numbers(4);
    for round in 0..2000 {
        let n = [5, 7][round % 2];
        let fast: TowerPush = crowded(n, 2 * n, &mut numbers).parse().unwrap();
        let mut moves = Vec::new();
        fast.legal_moves(&mut moves);
        for mv in moves {
            let mut after = fast.clone();
            after.play_unchecked(mv);
            if after.ban().is_some() && after.end().is_none() {
                assert!(after.count_legal_moves() >= 1, "{after}");
                assert_eq!(after.parse_move("pass"), None, "{after}");
            }
        }
    }
}
