//! The rules once more, straight from the page and slow: a board of lists of stones, every spelling tried. The fast
//! code has to agree with it.

use crate::common::{after, legal};
use games::bits::mix64;
use games::tower_of_power::{Cell, Move, TowerOfPower};
use games::{Position, Searchable, Side};

/// The stacks by file and rank from 0, each from bottom to top.
type Board = Vec<Vec<Vec<Side>>>;
/// A square by file and rank from 0.
type Spot = (i32, i32);

#[test]
fn same_moves_and_effects_on_random_play() {
    for seed in 0..12 {
        let mut position = TowerOfPower::startpos();
        for ply in 0..120 {
            check(&position, 7);
            let Some(mv) = random_move(&position, seed * 1000 + ply) else { break };
            position.play_unchecked(mv);
        }
    }
}

/// Random play meets few high and mixed stacks; here are many.
#[test]
fn same_moves_and_effects_on_random_boards() {
    for position in random_boards(400) {
        check(&position, 3);
    }
}

/// All placings of one stone each, in one tower too, played two plies on: ruling 18 counts their ends.
#[test]
fn the_two_last_stones_are_drawn_apart_and_decided_beside_each_other() {
    let mut n_by_end = [0; 3];
    for white in spots() {
        for black in spots() {
            let Ok(position) = two_stones(white, black).parse::<TowerOfPower>() else {
                panic!("{white:?} {black:?}")
            };
            check(&position, 1);
            for mv in legal(&position) {
                check(&after(&position, mv), 1);
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

/// White's stone and Black's, White to move; if they share a square, Black's is on top.
fn two_stones(white: Spot, black: Spot) -> String {
    let mut fen = String::new();
    games::fen::write_board(&mut fen, &[8; 8], |row, column| {
        let here = (i32::from(column), i32::from(7 - row));
        match (here == white, here == black) {
            (true, true) => Some("(Ss)"),
            (true, false) => Some("S"),
            (false, true) => Some("s"),
            (false, false) => None,
        }
    })
    .expect("a string takes all that is written");
    format!("{fen} w 0 60")
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

/// Compares the move list, and for one move in `every` its effects and what the position keeps beside the board.
fn check(position: &TowerOfPower, every: usize) {
    let board = board_of(position);
    let mover = position.side_to_move();
    let moves = legal(position);
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.sort();
    assert_eq!(texts, legal_moves(&board, mover), "{position}");
    assert_eq!(position.count_legal_moves(), texts.len(), "{position}");
    assert_eq!(position.end().map(|end| (end.winner, end.reason)), end(&board, mover), "{position}");
    if position.end().is_none() {
        assert_eq!(position.mobility(mover), texts.len(), "{position}");
    }

    for &mv in moves.iter().step_by(every) {
        let after = after(position, mv);
        let (expected, captured) = effect(&board, mover, &mv.to_string());
        assert_eq!(board_of(&after), expected, "{position}, {mv}");
        assert_eq!(after.quiet(), if captured == 0 { position.quiet() + 1 } else { 0 });
        assert_eq!(after.stones(!mover) + captured, position.stones(!mover), "{position}, {mv}");
        let read: TowerOfPower = after.to_string().parse().expect("a position's text is a FEN");
        assert_eq!(read, after);
        check_accessors(&after, &expected);
    }
}

fn check_accessors(position: &TowerOfPower, board: &Board) {
    for side in Side::ALL {
        let all = board.iter().flatten();
        assert_eq!(position.stones(side) as usize, all.clone().flatten().filter(|&&s| s == side).count());
        let tops = all.clone().filter(|stack| stack.last() == Some(&side)).count();
        assert_eq!(position.owned(side).count_ones() as usize, tops);
        assert_eq!(position.buried_stones(side) as usize + tops, position.stones(side) as usize);
        let beneath = all.filter(|stack| stack.iter().rev().nth(1) == Some(&side)).count();
        assert_eq!(position.beneath_tops(side).count_ones() as usize, beneath);
    }
    for cell in Cell::all_of(u64::MAX) {
        let stack = &board[usize::from(cell.file())][usize::from(cell.rank())];
        assert_eq!(position.height(cell) as usize, stack.len());
        assert_eq!(position.owner(cell), stack.last().copied());
        assert_eq!(cell.is_on(position.towers()), stack.len() >= 2);
        assert_eq!(cell.is_on(position.occupied()), !stack.is_empty());
    }
}

/// The spellings of the legal moves, sorted.
fn legal_moves(board: &Board, mover: Side) -> Vec<String> {
    if end(board, mover).is_some() {
        return Vec::new();
    }
    let mut moves = Vec::new();
    for from in spots() {
        for to in spots() {
            if is_one_stone_move(board, mover, from, to) {
                moves.push(spelled(&[from, to]));
            }
            for last in spots() {
                if is_row_move(board, mover, from, to, last) {
                    moves.push(spelled(&[from, to, last]));
                }
            }
        }
    }
    moves.sort();
    moves
}

/// Section End of the game, rows 1 and 2: who has won, if anybody, and why.
fn end(board: &Board, mover: Side) -> Option<(Option<Side>, &'static str)> {
    if !spots().any(|spot| owns(board, mover, spot)) {
        return Some((Some(!mover), "immobile"));
    }
    let homes = |side| -> Vec<Spot> {
        let stones = |(file, rank): Spot| board[file as usize][rank as usize].iter();
        spots().flat_map(|spot| stones(spot).filter(|&&stone| stone == side).map(move |_| spot)).collect()
    };
    match (&homes(Side::White)[..], &homes(Side::Black)[..]) {
        (&[white], &[black]) if distance(white, black) >= 2 => Some((None, "material")),
        _ => None,
    }
}

/// Section One-stone move.
fn is_one_stone_move(board: &Board, mover: Side, from: Spot, to: Spot) -> bool {
    let is_base = |base| owns(board, mover, base) && distance(base, from) == 1 && distance(base, to) == 1;
    from != to && owns(board, mover, from) && (distance(from, to) == 1 || spots().any(is_base))
}

/// Section Row move: "three squares F, B, L spell a legal row move if and only if".
fn is_row_move(board: &Board, mover: Side, f: Spot, b: Spot, l: Spot) -> bool {
    owns(board, mover, f)
        && owns(board, mover, b)
        && on_one_line(f, b)
        && distance(f, b) >= 2
        && between(f, b).iter().all(|&spot| owns(board, mover, spot))
        && on_one_line(l, b)
        && distance(l, b) == distance(f, b)
        && l != f
}

/// Section Effects: the board after a move and the number of stones captured.
fn effect(board: &Board, mover: Side, mv: &str) -> (Board, u32) {
    let spots: Vec<Spot> = mv
        .as_bytes()
        .chunks(2)
        .map(|square| (i32::from(square[0] - b'a'), i32::from(square[1] - b'1')))
        .collect();
    let (lifted, laid) = match spots[..] {
        [from, to] => (vec![from], vec![to]),
        [far_end, base, last] => {
            ([between(far_end, base), vec![far_end]].concat(), [between(base, last), vec![last]].concat())
        }
        _ => panic!("a move has two squares or three"),
    };
    let mut board = board.clone();
    let mut captured = 0;
    for (file, rank) in lifted {
        assert_eq!(board[file as usize][rank as usize].pop(), Some(mover));
    }
    for (file, rank) in laid {
        let stack = &mut board[file as usize][rank as usize];
        if stack.last() == Some(&!mover) {
            stack.pop();
            captured += 1;
        }
        stack.push(mover);
    }
    (board, captured)
}

fn owns(board: &Board, side: Side, (file, rank): Spot) -> bool {
    board[file as usize][rank as usize].last() == Some(&side)
}

/// In king's steps.
fn distance(a: Spot, b: Spot) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

fn on_one_line(a: Spot, b: Spot) -> bool {
    a.0 == b.0 || a.1 == b.1 || (a.0 - b.0).abs() == (a.1 - b.1).abs()
}

/// The squares strictly between two on one line.
fn between(a: Spot, b: Spot) -> Vec<Spot> {
    let step = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
    (1..distance(a, b)).map(|i| (a.0 + i * step.0, a.1 + i * step.1)).collect()
}

fn spots() -> impl Iterator<Item = Spot> {
    (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank)))
}

fn spelled(spots: &[Spot]) -> String {
    let letter = |first: u8, offset: i32| char::from(first + offset as u8);
    spots.iter().flat_map(|&(file, rank)| [letter(b'a', file), letter(b'1', rank)]).collect()
}

fn board_of(position: &TowerOfPower) -> Board {
    let cell = |file, rank| Cell::new(file, rank).expect("the board is 8x8");
    (0..8).map(|file| (0..8).map(|rank| position.stack(cell(file, rank)).collect()).collect()).collect()
}

fn random_move(position: &TowerOfPower, seed: u64) -> Option<Move> {
    let moves = legal(position);
    moves.get(mix64(seed) as usize % moves.len().max(1)).copied()
}

/// Many different positions, some of them terminal.
fn random_boards(n_seeds: u64) -> Vec<TowerOfPower> {
    let positions: Vec<TowerOfPower> =
        (0..n_seeds).filter_map(|seed| random_fen(seed).parse().ok()).collect();
    assert!(positions.len() as u64 > n_seeds / 2, "only {} of {n_seeds} texts are FENs", positions.len());
    positions
}

/// Up to 15 stones a side, thrown onto a part of the board, so that they pile up. Refused where the side that is not
/// to move has come to own nothing.
fn random_fen(seed: u64) -> String {
    let random = |n: u64| mix64(seed << 32 | n);
    let n_squares = 3 + random(0) % 30;
    let mut stacks = vec![String::new(); 64];
    for n in 0..=random(1) % 30 {
        let square = random(1000 + random(100 + n) % n_squares) % 64;
        stacks[square as usize].push(if n % 2 == 0 { 'S' } else { 's' });
    }
    let mut fen = String::new();
    games::fen::write_board(&mut fen, &[8; 8], |row, column| {
        let stack = &stacks[usize::from(row * 8 + column)];
        match stack.len() {
            0 => None,
            1 => Some(stack.clone()),
            _ => Some(format!("({stack})")),
        }
    })
    .expect("a string takes all that is written");
    format!("{fen} {} 5 9", if random(2).is_multiple_of(2) { 'w' } else { 'b' })
}
