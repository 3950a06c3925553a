//! The rules a second time, straight from the page: one square after the other, by file and rank, with nothing
//! shared with the fast version but the text forms. The test below compares the two.

use std::collections::BTreeSet;

/// The directions by name, as steps of file and rank.
const DIRECTIONS: [(&str, (i32, i32)); 8] = [
    ("n", (0, 1)),
    ("ne", (1, 1)),
    ("e", (1, 0)),
    ("se", (1, -1)),
    ("s", (0, -1)),
    ("sw", (-1, -1)),
    ("w", (-1, 0)),
    ("nw", (-1, 1)),
];

const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A file and a rank, both counted from 0.
type At = (i32, i32);

/// A position as its page describes it.
#[derive(Clone)]
struct Slow {
    /// By rank from the bottom, then by file: the piece's letter, if there is a piece.
    pieces: Vec<Vec<Option<char>>>,
    heights: Vec<Vec<i32>>,
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

impl Slow {
    fn read(fen: &str) -> Self {
        let [board, side, heights, stunned, passes, quiet, ply] =
            fen.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let rank = |text: &str| -> Vec<Option<char>> {
            text.chars()
                .flat_map(|sign| match sign.to_digit(10) {
                    Some(run) => vec![None; run as usize],
                    None => vec![Some(sign)],
                })
                .collect()
        };
        let digits = |text: &str| text.chars().map(|digit| digit.to_digit(10).unwrap() as i32).collect();
        Self {
            pieces: board.split('/').rev().map(rank).collect(),
            heights: heights.split('/').rev().map(digits).collect(),
            stunned: stunned.split(',').filter(|&mark| mark != "-").map(str::to_owned).collect(),
            white_to_move: side == "w",
            passes: passes.parse().unwrap(),
            quiet: quiet.parse().unwrap(),
            ply: ply.parse().unwrap(),
        }
    }

    fn write(&self) -> String {
        let ranks = self.pieces.iter().rev().map(|rank| {
            let mut text: String = rank.iter().map(|piece| piece.unwrap_or('.')).collect();
            for run in (1..=8).rev() {
                text = text.replace(&".".repeat(run), &run.to_string());
            }
            text
        });
        let heights =
            self.heights.iter().rev().map(|rank| rank.iter().map(ToString::to_string).collect::<String>());
        let marks: Vec<&str> = self.stunned.iter().map(String::as_str).collect();
        format!(
            "{} {} {} {} {} {} {}",
            ranks.collect::<Vec<_>>().join("/"),
            if self.white_to_move { "w" } else { "b" },
            heights.collect::<Vec<_>>().join("/"),
            if marks.is_empty() { "-".to_owned() } else { marks.join(",") },
            self.passes,
            self.quiet,
            self.ply
        )
    }

    /// Every legal move with where it leads.
    fn legal(&self) -> Vec<(String, Self)> {
        if self.end().is_some() {
            return vec![];
        }
        let mut found = vec![];
        for from in self.all_squares() {
            let Some(piece) = self.piece(from) else { continue };
            if piece.is_ascii_uppercase() != self.white_to_move || self.stunned.contains(&name(from)) {
                continue;
            }
            match piece.to_ascii_uppercase() {
                'K' | 'P' => self.walks(from, &DIRECTIONS.map(|(_, step)| step), 1, &mut found),
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
                let to = (at.0 + direction.0, at.1 + direction.1);
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
            let to = (from.0 + jump.0, from.1 + jump.1);
            if !self.has(to) {
                continue;
            }
            if self.piece(to).is_some() {
                for (direction, step) in DIRECTIONS {
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
        let beyond = (target.0 + direction.0, target.1 + direction.1);
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
        for at in self.all_squares() {
            let Some(piece) = self.piece(at) else { continue };
            let is_own = piece.is_ascii_uppercase() == self.white_to_move;
            let n = self.heights.len() as i32;
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

    /// The winner, `w`, `b` or `draw`, and the reason.
    fn end(&self) -> Option<(&'static str, &'static str)> {
        let pieces: Vec<char> = self.all_squares().into_iter().filter_map(|at| self.piece(at)).collect();
        match (pieces.contains(&'K'), pieces.contains(&'k')) {
            (false, false) => return Some(("draw", "both-kings")),
            (false, true) => return Some(("b", "king")),
            (true, false) => return Some(("w", "king")),
            (true, true) => {}
        }
        let n = self.heights.len() as i32;
        let (goal, holders, winner) =
            if self.white_to_move { ((n - 1, n - 1), "KRBP", "w") } else { ((0, 0), "krbp", "b") };
        if self.piece(goal).is_some_and(|piece| holders.contains(piece))
            && !self.stunned.contains(&name(goal))
        {
            return Some((winner, "goal"));
        }
        (self.passes == 2).then_some(("draw", "blocked"))
    }

    fn all_squares(&self) -> Vec<At> {
        let n = self.heights.len() as i32;
        (0..n).flat_map(|rank| (0..n).map(move |file| (file, rank))).collect()
    }

    fn has(&self, at: At) -> bool {
        let n = self.heights.len() as i32;
        0 <= at.0 && at.0 < n && 0 <= at.1 && at.1 < n
    }

    fn piece(&self, at: At) -> Option<char> {
        self.pieces[at.1 as usize][at.0 as usize]
    }

    fn height(&self, at: At) -> i32 {
        self.heights[at.1 as usize][at.0 as usize]
    }

    /// Changes what stands on a square. The mark of what stood there is gone.
    fn put(&mut self, at: At, piece: Option<char>) {
        self.pieces[at.1 as usize][at.0 as usize] = piece;
        self.stunned.remove(&name(at));
    }
}

fn name(at: At) -> String {
    format!("{}{}", char::from(b'a' + at.0 as u8), at.1 + 1)
}

mod tests {
    use super::Slow;
    use games::bits::mix64;
    use games::push::{Move, Push};
    use games::{Position, Searchable, Side};

    /// Compares the two versions in one position, and after each of its moves; gives the moves.
    fn compare(position: &Push) -> Vec<Move> {
        let fen = position.to_string();
        let slow = Slow::read(&fen);
        assert_eq!(slow.write(), fen);

        let mut expected = slow.legal();
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        let mut moves = vec![];
        position.legal_moves(&mut moves);
        moves.sort_by_cached_key(ToString::to_string);
        assert_eq!(
            moves.iter().map(ToString::to_string).collect::<Vec<_>>(),
            expected.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>(),
            "{fen}"
        );
        assert_eq!(position.count_legal_moves(), moves.len(), "{fen}");
        for (&mv, (_, leads_to)) in moves.iter().zip(&expected) {
            let mut next = position.clone();
            next.play_unchecked(mv);
            assert_eq!(next.to_string(), leads_to.write(), "{fen}: {mv}");
            let end = next.end().map(|end| {
                let winner = match end.winner {
                    Some(Side::White) => "w",
                    Some(Side::Black) => "b",
                    None => "draw",
                };
                (winner, end.reason)
            });
            assert_eq!(end, leads_to.end(), "{fen}: {mv}");
        }
        moves
    }

    /// Numbers that are the same for ever.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, n: usize) -> usize {
            self.0 += 1;
            (mix64(self.0) % n as u64) as usize
        }
    }

    #[test]
    fn the_fast_rules_agree_on_random_play() {
        let mut numbers = Numbers(0);
        for seed in 0..120 {
            let mut position = Push::start(["8x8", "6x6"][seed as usize % 2], seed).unwrap();
            for _ in 0..60 {
                let moves = compare(&position);
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[numbers.below(moves.len())]);
            }
        }
    }

    #[test]
    fn the_fast_rules_agree_on_any_board() {
        let mut numbers = Numbers(1 << 32);
        let mut n_over = 0;
        for idx in 0..4000 {
            let fen = any_fen(&mut numbers, [6, 8][idx % 2]);
            let position: Push = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            n_over += usize::from(compare(&position).is_empty());
        }
        assert!((100..2000).contains(&n_over), "{n_over} of them were over");
    }

    /// Some of the pieces anywhere, close together, on wild hills, with marks and passes.
    fn any_fen(numbers: &mut Numbers, n: usize) -> String {
        let mut grid = vec![vec!['.'; n]; n];
        let mut stunned = vec![];
        let most_stunned = numbers.below(3);
        let white_to_move = numbers.below(2) == 0;
        let all = if n == 8 { "KkRRrrNnBbPPppKk" } else { "KkRrNnPpKk" };
        let mut placed = String::new();
        for piece in all.chars() {
            let most = if n == 8 && piece.eq_ignore_ascii_case(&'P') { 2 } else { 1 };
            if placed.matches(piece).count() == most || numbers.below(4) == 0 {
                continue;
            }
            // A crowd in one corner or the other, so that pieces meet each other and the edges.
            let corner = if numbers.below(2) == 0 { 0 } else { n - 4 };
            let (file, row) = (corner + numbers.below(4), n - 4 - corner + numbers.below(4));
            if grid[row][file] != '.' {
                continue;
            }
            grid[row][file] = piece;
            placed.push(piece);
            let is_movers = piece.is_ascii_uppercase() == white_to_move;
            let n_others = stunned.iter().filter(|(_, own)| !own).count();
            if stunned.len() < most_stunned && (is_movers || n_others == 0) && numbers.below(3) == 0 {
                stunned.push((format!("{}{}", char::from(b'a' + file as u8), n - row), is_movers));
            }
        }
        stunned.sort();
        let marks: Vec<String> = stunned.into_iter().map(|(mark, _)| mark).collect();
        let mut board = grid.into_iter().map(String::from_iter).collect::<Vec<String>>().join("/");
        for run in (1..=n).rev() {
            board = board.replace(&".".repeat(run), &run.to_string());
        }
        let heights: Vec<String> =
            (0..n).map(|_| (0..n).map(|_| ['0', '0', '1', '1', '2'][numbers.below(5)]).collect()).collect();
        format!(
            "{board} {} {} {} {} {} {}",
            if white_to_move { "w" } else { "b" },
            heights.join("/"),
            if marks.is_empty() { "-".to_owned() } else { marks.join(",") },
            numbers.below(8).saturating_sub(5),
            numbers.below(200),
            numbers.below(200)
        )
    }
}
