//! The rules once more, straight from the page and slow: a board of lists of stones, every spelling tried. The fast
//! code has to agree with it.

use std::collections::BTreeMap;

use super::{At, Slow as _, compare, compare_on_a_walk, name};
use crate::common::{after, below, legal, rng, with_dots, with_runs};
use games::fen::fields;
use games::tower_of_power::{Cell, TowerOfPower};
use games::{End, Position, Side};

struct Slow {
    /// The stones on each square from bottom to top: `S` and `s`.
    stacks: BTreeMap<At, String>,
    mover: Side,
    quiet: u32,
    ply: u32,
}

impl super::Slow for Slow {
    type Fast = TowerOfPower;

    fn read(fen: &str) -> Self {
        let [board, side, quiet, ply] = fields(fen).unwrap();
        let mut stacks = BTreeMap::new();
        for (rank, text) in (0..8).rev().zip(with_dots(board).split('/')) {
            let mut signs = text.chars();
            for file in 0..8 {
                let stack = match signs.next().unwrap() {
                    '.' => String::new(),
                    '(' => signs.by_ref().take_while(|&sign| sign != ')').collect(),
                    stone => stone.to_string(),
                };
                stacks.insert((file, rank), stack);
            }
        }
        let mover = Side::from_letter(side).unwrap();
        Self { stacks, mover, quiet: quiet.parse().unwrap(), ply: ply.parse().unwrap() }
    }

    fn fen(&self) -> String {
        let stack = |at: At| match &self.stacks[&at] {
            stack if stack.is_empty() => ".".to_owned(),
            stack if stack.len() == 1 => stack.clone(),
            stack => format!("({stack})"),
        };
        let rank = |rank: i32| (0..8).map(|file| stack((file, rank))).collect::<String>();
        let ranks: Vec<String> = (0..8).rev().map(rank).collect();
        format!("{} {} {} {}", with_runs(&ranks.join("/")), self.mover.letter(), self.quiet, self.ply)
    }

    fn legal(&self) -> BTreeMap<String, Self> {
        let mut moves = BTreeMap::new();
        if self.end().is_some() {
            return moves;
        }
        for from in squares() {
            for to in squares() {
                if self.is_one_stone_move(from, to) {
                    moves.insert(name(from) + &name(to), self.after(&[from], &[to]));
                }
                for last in squares().filter(|&last| self.is_row_move(from, to, last)) {
                    let lifted = [between(from, to), vec![from]].concat();
                    let laid = [between(to, last), vec![last]].concat();
                    moves.insert(name(from) + &name(to) + &name(last), self.after(&lifted, &laid));
                }
            }
        }
        moves
    }

    /// Section End of the game, rows 1 and 2: who has won, if anybody, and why.
    fn end(&self) -> Option<End> {
        if !squares().any(|at| self.owns(at)) {
            return Some(End::win(!self.mover, "immobile"));
        }
        let homes = |stone: char| -> Vec<At> {
            squares().flat_map(|at| self.stacks[&at].matches(stone).map(move |_| at)).collect()
        };
        match (&homes('S')[..], &homes('s')[..]) {
            (&[white], &[black]) if distance(white, black) >= 2 => Some(End::draw("material")),
            _ => None,
        }
    }
}

impl Slow {
    fn owns(&self, at: At) -> bool {
        self.stacks[&at].ends_with(stone(self.mover))
    }

    /// Section One-stone move.
    fn is_one_stone_move(&self, from: At, to: At) -> bool {
        let is_base = |base| self.owns(base) && distance(base, from) == 1 && distance(base, to) == 1;
        from != to && self.owns(from) && (distance(from, to) == 1 || squares().any(is_base))
    }

    /// Section Row move: "three squares F, B, L spell a legal row move if and only if".
    fn is_row_move(&self, f: At, b: At, l: At) -> bool {
        self.owns(f)
            && self.owns(b)
            && on_one_line(f, b)
            && distance(f, b) >= 2
            && between(f, b).iter().all(|&at| self.owns(at))
            && on_one_line(l, b)
            && distance(l, b) == distance(f, b)
            && l != f
    }

    /// Section Effects.
    fn after(&self, lifted: &[At], laid: &[At]) -> Self {
        let mut stacks = self.stacks.clone();
        let mut captures = false;
        for at in lifted {
            assert_eq!(stacks.get_mut(at).unwrap().pop(), Some(stone(self.mover)));
        }
        for at in laid {
            let stack = stacks.get_mut(at).unwrap();
            if stack.ends_with(stone(!self.mover)) {
                stack.pop();
                captures = true;
            }
            stack.push(stone(self.mover));
        }
        let quiet = if captures { 0 } else { self.quiet + 1 };
        Self { stacks, mover: !self.mover, quiet, ply: self.ply + 1 }
    }
}

const fn stone(side: Side) -> char {
    match side {
        Side::White => 'S',
        Side::Black => 's',
    }
}

/// In king's steps.
fn distance(a: At, b: At) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

fn on_one_line(a: At, b: At) -> bool {
    a.0 == b.0 || a.1 == b.1 || (a.0 - b.0).abs() == (a.1 - b.1).abs()
}

/// The squares strictly between two on one line.
fn between(a: At, b: At) -> Vec<At> {
    let step = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
    (1..distance(a, b)).map(|i| (a.0 + i * step.0, a.1 + i * step.1)).collect()
}

fn squares() -> impl Iterator<Item = At> {
    (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank)))
}

#[test]
fn random_games_agree() {
    for seed in 0..12 {
        let see = |position: &TowerOfPower, _: &[_]| check_accessors(position);
        compare_on_a_walk::<Slow>(TowerOfPower::startpos(), 120, &mut rng(seed), see);
    }
}

/// Random play meets few high and mixed stacks; here are many.
#[test]
fn random_boards_agree() {
    for position in random_boards(400) {
        compare::<Slow>(&position);
        check_accessors(&position);
    }
}

/// All placings of one stone each, in one tower too, played two plies on: ruling 18 counts their ends.
#[test]
fn the_two_last_stones_are_drawn_apart_and_decided_beside_each_other() {
    let mut n_by_end = [0; 3];
    for white in squares() {
        for black in squares() {
            let mut slow = Slow::read("8/8/8/8/8/8/8/8 w 0 60");
            // White's first: if they share a square, Black's is on top.
            for (at, stone) in [(white, 'S'), (black, 's')] {
                slow.stacks.get_mut(&at).unwrap().push(stone);
            }
            let position: TowerOfPower = slow.fen().parse().unwrap();
            for mv in compare::<Slow>(&position) {
                compare::<Slow>(&after(&position, mv));
            }
            let nth = match position.end().map(|end| end.reason) {
                Some("material") => 0,
                None => 1,
                _ => 2,
            };
            n_by_end[nth] += 1;
        }
    }
    assert_eq!(n_by_end, [3612, 420, 64]);
}

#[test]
fn distinct_moves_lead_to_distinct_positions() {
    for position in random_boards(100) {
        let moves = legal(&position);
        let mut texts: Vec<String> = moves.iter().map(|&mv| after(&position, mv).to_string()).collect();
        let mut fingerprints: Vec<u64> = moves.iter().map(|&mv| after(&position, mv).fingerprint()).collect();
        texts.sort();
        texts.dedup();
        fingerprints.sort_unstable();
        fingerprints.dedup();
        assert_eq!((texts.len(), fingerprints.len()), (moves.len(), moves.len()), "{position}");
    }
}

/// Compares what the position keeps beside the board.
fn check_accessors(position: &TowerOfPower) {
    let Slow { stacks, .. } = Slow::read(&position.to_string());
    if position.end().is_none() {
        assert_eq!(position.mobility(position.side_to_move()), legal(position).len(), "{position}");
    }
    for side in Side::ALL {
        let n_stones: usize = stacks.values().map(|stack| stack.matches(stone(side)).count()).sum();
        let tops = stacks.values().filter(|stack| stack.ends_with(stone(side))).count();
        let beneath = stacks.values().filter(|stack| stack.chars().rev().nth(1) == Some(stone(side))).count();
        assert_eq!(position.stones(side) as usize, n_stones);
        assert_eq!(position.owned(side).count_ones() as usize, tops);
        assert_eq!(position.buried_stones(side) as usize + tops, n_stones);
        assert_eq!(position.beneath_tops(side).count_ones() as usize, beneath);
    }
    for cell in Cell::all_of(u64::MAX) {
        let stack = &stacks[&(cell.file().into(), cell.rank().into())];
        assert_eq!(position.height(cell) as usize, stack.len());
        assert_eq!(position.owner(cell).map(stone), stack.chars().last());
        assert_eq!(cell.is_on(position.towers()), stack.len() >= 2);
        assert_eq!(cell.is_on(position.occupied()), !stack.is_empty());
    }
}

/// Many different positions, some of them terminal: up to 15 stones a side, thrown onto a part of the board, so that they
/// pile up. Refused where the side that is not to move has come to own nothing.
fn random_boards(n: usize) -> Vec<TowerOfPower> {
    let mut rng = rng(1);
    let random_fen = |_| {
        let mut slow = Slow::read("8/8/8/8/8/8/8/8 w 5 9");
        let all: Vec<At> = squares().collect();
        let part: Vec<At> = (0..3 + below(30, &mut rng)).map(|_| all[below(64, &mut rng)]).collect();
        for n in 0..=below(30, &mut rng) {
            let at = part[below(part.len(), &mut rng)];
            slow.stacks.get_mut(&at).unwrap().push(if n % 2 == 0 { 'S' } else { 's' });
        }
        slow.mover = Side::ALL[below(2, &mut rng)];
        slow.fen()
    };
    let positions: Vec<_> = (0..n).map(random_fen).filter_map(|fen| fen.parse().ok()).collect();
    assert!(positions.len() > n / 2, "only {} of {n} texts are FENs", positions.len());
    positions
}
