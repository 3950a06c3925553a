//! The rules once more, written straight from the page, obvious and slow; and the fast ones compared with them.
//!
//! Nothing here uses the tables, sets or types of the fast rules: positions come in and go out as texts.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{with_dots, with_runs};
use games::fen::fields;
use games::four_towers::FourTowers;
use games::{End, Side, Square};

/// The page's diagram of arenas and towers, without its gaps.
const DIAGRAM: [&str; 11] = [
    "  777      ",
    "  777888   ",
    "  777888999",
    " 444T888999",
    " 444555T999",
    " 444555666 ",
    "111T555666 ",
    "111222T666 ",
    "111222333  ",
    "   222333  ",
    "      333  ",
];
const TOWERS: [(&str, &str); 4] = [("d5", "1245"), ("g4", "2356"), ("e8", "4578"), ("h7", "5689")];
const PROMOTION: [&str; 2] = ["c11 d11 e11 f10 g10 h10 i9 j9 k9", "a3 b3 c3 d2 e2 f2 g1 h1 i1"];
/// Letters with the rank of the front square in files a to k; 0 where there is none.
const FRONTS: [[u8; 11]; 2] = [[4, 4, 4, 4, 3, 3, 3, 3, 3, 0, 0], [0, 0, 9, 9, 9, 9, 9, 8, 8, 8, 8]];
const FUSIONS: [(&str, char); 7] =
    [("RB", 'Q'), ("RN", 'M'), ("BN", 'C'), ("RC", 'W'), ("BM", 'W'), ("NQ", 'W'), ("PP", 'L')];
const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The sign of a square in the diagram: an arena's digit, `T`, or a blank where there is no square.
fn sign(square: Square) -> char {
    let row = DIAGRAM.iter().rev().nth(square.rank.into());
    row.and_then(|row| row.chars().nth(square.file.into())).unwrap_or(' ')
}

fn offset(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let square =
        Square { file: square.file.checked_add_signed(files)?, rank: square.rank.checked_add_signed(ranks)? };
    (sign(square) != ' ').then_some(square)
}

fn all_squares() -> impl Iterator<Item = Square> {
    (0..11)
        .flat_map(|file| (0..11).map(move |rank| Square { file, rank }))
        .filter(|&square| sign(square) != ' ')
}

fn rank_squares(rank: u8) -> impl Iterator<Item = Square> {
    all_squares().filter(move |square| square.rank == rank)
}

fn is_tower(square: Square) -> bool {
    sign(square) == 'T'
}

/// The squares of an arena, file by file, each from the bottom.
fn arena_squares(arena: char) -> Vec<Square> {
    all_squares().filter(|&square| sign(square) == arena).collect()
}

fn place(square: Square) -> (usize, usize) {
    let nth = arena_squares(sign(square)).iter().position(|&other| other == square).unwrap();
    (nth / 3, nth % 3)
}

fn at_place(arena: char, (x, y): (usize, usize)) -> Square {
    arena_squares(arena)[x * 3 + y]
}

/// The arenas that the tower touches.
fn touched(tower: Square) -> &'static str {
    TOWERS.iter().find(|(name, _)| *name == tower.to_string()).unwrap().1
}

fn is_promotion(side: Side, square: Square) -> bool {
    PROMOTION[side.index()].split(' ').any(|name| name == square.to_string())
}

fn fusion(one: char, other: char) -> Option<char> {
    FUSIONS
        .iter()
        .find(|(pair, _)| *pair == format!("{one}{other}") || *pair == format!("{other}{one}"))
        .map(|(_, whole)| *whole)
}

/// The parts that may leave a piece, each with what is left.
fn parts(whole: char) -> Vec<(char, char)> {
    let fusions = FUSIONS.iter().filter(|(_, fused)| *fused == whole);
    let pairs = fusions.map(|(pair, _)| (pair.chars().next().unwrap(), pair.chars().nth(1).unwrap()));
    let both_ways: BTreeSet<_> = pairs.flat_map(|(one, other)| [(one, other), (other, one)]).collect();
    both_ways.into_iter().collect()
}

fn is_pawn_like(kind: char) -> bool {
    "PL".contains(kind)
}

/// Letters out of `RBN` that a piece moves as.
fn letters(kind: char) -> &'static str {
    match kind {
        'R' => "R",
        'B' => "B",
        'N' => "N",
        'Q' => "RB",
        'M' => "RN",
        'C' => "BN",
        'W' => "RBN",
        'K' => "K",
        _ => "",
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Move,
    Take,
    EnPassant,
}

/// A square of a reach with its marks, reached in one way.
struct Target {
    to: Square,
    marks: &'static [Mark],
    crossed: Option<Square>,
}

const MOVE: &[Mark] = &[Mark::Move];
const TAKE: &[Mark] = &[Mark::Take];
const MOVE_TAKE: &[Mark] = &[Mark::Move, Mark::Take];

#[derive(Clone, Debug, PartialEq)]
enum Turn {
    Begins,
    Multi { arenas: BTreeSet<char>, star: bool, bang: bool },
    Rearranging(BTreeSet<Square>),
}

/// Which rearrangements can be ended: by the mover's king, the occupied squares and the relocated ones.
type Known = BTreeMap<(Square, BTreeSet<Square>, BTreeSet<Square>), bool>;

#[derive(Clone, Debug)]
struct Slow {
    board: BTreeMap<Square, (char, Side)>,
    side: Side,
    /// Crossed square and piece.
    pairs: BTreeSet<(Square, Square)>,
    powers: [String; 2],
    returnable: Option<(char, Square)>,
    turn: Turn,
    quiet: u32,
    ply: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    Plain,
    EnPassant,
    Direct,
    Swap,
    Relocation,
    Return,
}

#[derive(Clone, Debug)]
struct SlowMove {
    manner: Manner,
    part: Option<char>,
    from: Square,
    to: Square,
    promotion: Option<char>,
    plus: bool,
    crossed: Option<Square>,
}

impl SlowMove {
    const fn new(manner: Manner, from: Square, to: Square) -> Self {
        Self { manner, part: None, from, to, promotion: None, plus: false, crossed: None }
    }

    fn text(&self) -> String {
        let Self { from, to, .. } = self;
        let part = self.part.map(String::from).unwrap_or_default();
        let promotion = self.promotion.map(|kind| format!("={kind}")).unwrap_or_default();
        let plus = if self.plus { "+" } else { "" };
        match self.manner {
            Manner::Swap => format!("{from}{to}~"),
            Manner::Relocation => format!("{from}>{to}{plus}"),
            Manner::Return => format!("@{to}"),
            _ => format!("{part}{from}{to}{promotion}{plus}"),
        }
    }
}

impl super::Slow for Slow {
    type Fast = FourTowers;
    const LOOKS_AHEAD: bool = false;

    fn read(fen: &str) -> Self {
        let fields: [&str; 9] = fields(fen).unwrap();
        let mut board = BTreeMap::new();
        for (row, rank) in with_dots(fields[0]).split('/').zip((0..11).rev()) {
            for (square, letter) in rank_squares(rank).zip(row.chars()).filter(|(_, letter)| *letter != '.') {
                let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
                board.insert(square, (letter.to_ascii_uppercase(), side));
            }
        }
        let squares = |text: &str| {
            let mut found = Vec::new();
            let mut rest = text;
            while let Some((square, after)) = Square::split_from(rest) {
                found.push(square);
                rest = after;
            }
            found
        };
        let optional = |text: &str| if text == "-" { String::new() } else { text.to_owned() };
        Self {
            board,
            side: Side::from_letter(fields[1]).unwrap(),
            pairs: squares(&fields[2].replace([',', '-'], ""))
                .chunks(2)
                .map(|pair| (pair[0], pair[1]))
                .collect(),
            powers: [optional(fields[3]), optional(fields[4])],
            returnable: (fields[5] != "-").then(|| {
                (fields[5].chars().next().unwrap().to_ascii_uppercase(), fields[5][1..].parse().unwrap())
            }),
            turn: match fields[6].chars().next().unwrap() {
                '+' => Turn::Multi {
                    arenas: fields[6].chars().filter(char::is_ascii_digit).collect(),
                    star: fields[6].contains('*'),
                    bang: fields[6].contains('!'),
                },
                '>' => Turn::Rearranging(squares(&fields[6][1..]).into_iter().collect()),
                _ => Turn::Begins,
            },
            quiet: fields[7].parse().unwrap(),
            ply: fields[8].parse().unwrap(),
        }
    }

    fn fen(&self) -> String {
        let shown = |(kind, side): (char, Side)| match side {
            Side::White => kind,
            Side::Black => kind.to_ascii_lowercase(),
        };
        let letter = |square: Square| self.board.get(&square).map_or('.', |&piece| shown(piece));
        let rank = |rank: u8| rank_squares(rank).map(letter).collect::<String>();
        let ranks: Vec<String> = (0..11).rev().map(rank).collect();
        let optional = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let turn = match &self.turn {
            Turn::Begins => "-".to_owned(),
            Turn::Multi { arenas, star, bang } => {
                let arenas: String = arenas.iter().collect();
                format!("+{arenas}{}{}", if *star { "*" } else { "" }, if *bang { "!" } else { "" })
            }
            Turn::Rearranging(squares) => {
                squares.iter().fold(">".to_owned(), |text, square| text + &square.to_string())
            }
        };
        [
            with_runs(&ranks.join("/")),
            self.side.letter().to_string(),
            optional(
                self.pairs
                    .iter()
                    .map(|(crossed, piece)| format!("{crossed}{piece}"))
                    .collect::<Vec<_>>()
                    .join(","),
            ),
            optional(self.powers[0].clone()),
            optional(self.powers[1].clone()),
            optional(
                self.returnable
                    .map(|(kind, tower)| format!("{}{tower}", shown((kind, self.side))))
                    .unwrap_or_default(),
            ),
            turn,
            self.quiet.to_string(),
            self.ply.to_string(),
        ]
        .join(" ")
    }

    fn legal(&self) -> BTreeMap<String, Self> {
        if self.end().is_some() {
            return BTreeMap::new();
        }
        let mut known = Known::new();
        let candidates = self.candidates();
        let legal = candidates.iter().filter(|mv| self.is_legal(mv, &mut known));
        legal.map(|mv| (mv.text(), self.after(mv))).collect()
    }

    fn end(&self) -> Option<End> {
        if self.turn != Turn::Begins {
            return None;
        }
        let stuck = !self.can_move();
        if stuck && self.in_check(self.side) {
            return Some(End::win(!self.side, "checkmate"));
        }
        if self.board.len() == 2 && self.returnable.is_none() {
            return Some(End::draw("bare-kings"));
        }
        stuck.then_some(End::draw("stalemate"))
    }
}

impl Slow {
    fn kind(&self, square: Square) -> Option<char> {
        self.board.get(&square).map(|(kind, _)| *kind)
    }

    fn is_vacant(&self, square: Square) -> bool {
        !self.board.contains_key(&square)
    }

    fn is_friend(&self, square: Square, side: Side) -> bool {
        self.board.get(&square).is_some_and(|(_, owner)| *owner == side)
    }

    fn is_enemy(&self, square: Square, side: Side) -> bool {
        self.is_friend(square, !side)
    }

    fn pieces(&self, side: Side) -> Vec<(Square, char)> {
        let own = self.board.iter().filter(|(_, (_, owner))| *owner == side);
        own.map(|(square, (kind, _))| (*square, *kind)).collect()
    }

    /// The towers on which such a piece stands.
    fn towers_with(&self, kind: char, side: Option<Side>) -> Vec<Square> {
        let on_towers = self.board.iter().filter(|(square, _)| is_tower(**square));
        on_towers
            .filter(|(_, (other, owner))| *other == kind && side.is_none_or(|side| side == *owner))
            .map(|(square, _)| *square)
            .collect()
    }

    fn is_in_field(&self, square: Square, kind: char, side: Option<Side>) -> bool {
        self.towers_with(kind, side).iter().any(|&tower| touched(tower).contains(sign(square)))
    }

    // Steps and lines

    fn orthogonal_step(&self, from: Square, (files, ranks): (i8, i8)) -> Option<Square> {
        let plain = offset(from, (files, ranks));
        if is_tower(from) || plain.is_some_and(|next| sign(next) == sign(from)) {
            return plain;
        }
        let number = sign(from) as i8 - '1' as i8;
        let (column, row) = (number % 3 + files, number / 3 + ranks);
        if (0..3).contains(&column) && (0..3).contains(&row) {
            let neighbour = (b'1' + (row * 3 + column) as u8) as char;
            let refracts =
                |tower: &Square| touched(*tower).contains(neighbour) && touched(*tower).contains(sign(from));
            if self.towers_with('N', None).iter().any(refracts) {
                let (x, y) = place(from);
                return Some(at_place(
                    neighbour,
                    match (files, ranks) {
                        (1, _) => (0, y),
                        (-1, _) => (2, y),
                        (_, 1) => (x, 0),
                        _ => (x, 2),
                    },
                ));
            }
        }
        plain
    }

    fn step(&self, from: Square, direction: (i8, i8)) -> Option<Square> {
        if DIAGONAL.contains(&direction) {
            offset(from, direction)
        } else {
            self.orthogonal_step(from, direction)
        }
    }

    fn line(&self, from: Square, direction: (i8, i8)) -> Vec<Square> {
        let mut line = Vec::new();
        let mut at = from;
        while let Some(next) = self.step(at, direction) {
            line.push(next);
            if !self.is_vacant(next) {
                break;
            }
            at = next;
        }
        line
    }

    // Reach

    fn reach(&self, kind: char, side: Side, from: Square, whole: bool) -> Vec<Target> {
        let exchanged = whole && self.is_in_field(from, 'C', None);
        match kind {
            'N' if exchanged => self.lettered("B", from),
            'B' if exchanged => self.lettered("N", from),
            'D' => self.lettered(&self.powers.concat(), from),
            'K' => {
                let mut reach = self.lettered("K", from);
                if is_tower(from) {
                    let lines = ORTHOGONAL.into_iter().chain(DIAGONAL).flat_map(|way| self.line(from, way));
                    reach.extend(lines.map(|to| Target { to, marks: TAKE, crossed: None }));
                }
                reach
            }
            'P' => self.pawn(side, from),
            'L' => self.lancer(side, from),
            _ => self.lettered(letters(kind), from),
        }
    }

    fn lettered(&self, letters: &str, from: Square) -> Vec<Target> {
        let mut squares = Vec::new();
        for letter in letters.chars() {
            match letter {
                'R' => squares.extend(ORTHOGONAL.into_iter().flat_map(|way| self.line(from, way))),
                'B' => squares.extend(DIAGONAL.into_iter().flat_map(|way| self.line(from, way))),
                'K' => squares
                    .extend(ORTHOGONAL.into_iter().chain(DIAGONAL).filter_map(|way| self.step(from, way))),
                _ => squares.extend(all_squares().filter(|to| {
                    let (files, ranks) = (to.file.abs_diff(from.file), to.rank.abs_diff(from.rank));
                    (files, ranks) == (1, 2) || (files, ranks) == (2, 1)
                })),
            }
        }
        squares.into_iter().map(|to| Target { to, marks: MOVE_TAKE, crossed: None }).collect()
    }

    fn two_steps(&self, from: Square, way: (i8, i8), marks: &'static [Mark], reach: &mut Vec<Target>) {
        let line = self.line(from, way);
        reach.extend(line.first().map(|&to| Target { to, marks, crossed: None }));
        reach.extend(line.get(1).map(|&to| Target { to, marks, crossed: Some(line[0]) }));
    }

    fn step_back(&self, from: Square, forward: i8) -> Option<Target> {
        let to = self.is_in_field(from, 'L', None).then(|| self.step(from, (0, -forward)))??;
        Some(Target { to, marks: MOVE, crossed: None })
    }

    fn pawn(&self, side: Side, from: Square) -> Vec<Target> {
        let forward = if side == Side::White { 1 } else { -1 };
        let front = FRONTS[side.index()][usize::from(from.file)];
        let rank = from.rank + 1;
        let behind = front != 0 && if side == Side::White { rank <= front } else { rank >= front };
        let mut reach = Vec::new();
        if behind || self.is_in_field(from, 'P', None) {
            self.two_steps(from, (0, forward), MOVE, &mut reach);
        }
        let steps = [(0, forward), (1, 0), (-1, 0)].into_iter().filter_map(|way| self.step(from, way));
        reach.extend(steps.map(|to| Target { to, marks: MOVE, crossed: None }));
        for files in [1, -1] {
            let to = self.step(from, (files, forward));
            reach.extend(to.map(|to| Target { to, marks: &[Mark::Take, Mark::EnPassant], crossed: None }));
        }
        reach.extend(self.step_back(from, forward));
        reach
    }

    fn lancer(&self, side: Side, from: Square) -> Vec<Target> {
        let forward = if side == Side::White { 1 } else { -1 };
        let mut reach = Vec::new();
        for files in [0, 1, -1] {
            self.two_steps(from, (files, forward), &[Mark::Move, Mark::Take, Mark::EnPassant], &mut reach);
        }
        for files in [1, -1] {
            self.two_steps(from, (files, 0), &[Mark::Move, Mark::EnPassant], &mut reach);
        }
        reach.extend(self.step_back(from, forward));
        if side == self.side && self.turn == Turn::Begins {
            reach.extend(self.sideways_marks(from));
        }
        reach
    }

    /// The marks that sideways pairs give a lancer on its lines to the left and right.
    fn sideways_marks(&self, from: Square) -> Vec<Target> {
        let mut marks = Vec::new();
        for &(crossed, runner) in self.pairs.iter().filter(|pair| self.is_sideways(**pair)) {
            for left_or_right in [(-1, 0), (1, 0)] {
                let Some(first) = self.step(from, left_or_right) else { continue };
                let second = self.step(first, left_or_right);
                if first == runner {
                    marks.push(Target { to: runner, marks: TAKE, crossed: None });
                }
                if second == Some(runner) && self.is_vacant(first) {
                    marks.push(Target { to: runner, marks: TAKE, crossed: Some(first) });
                }
                if first == runner && second == Some(crossed) {
                    marks.push(Target { to: crossed, marks: &[Mark::EnPassant], crossed: Some(first) });
                }
            }
        }
        marks
    }

    fn is_sideways(&self, (crossed, runner): (Square, Square)) -> bool {
        let is_beside =
            |way| offset(crossed, way) == Some(runner) || self.orthogonal_step(crossed, way) == Some(runner);
        self.kind(runner) == Some('L') && (is_beside((-1, 0)) || is_beside((1, 0)))
    }

    // Universe and check

    fn may_capture(&self, mover: char, from: Square, taken: char, to: Square) -> bool {
        let in_f = |square| self.is_in_field(square, 'M', None);
        let in_u = |kind| "RNM".contains(kind);
        if in_u(mover) && !in_u(taken) {
            return !in_f(from) && !in_f(to);
        }
        if !in_u(mover) && in_u(taken) {
            return !in_f(to);
        }
        true
    }

    fn king(&self, side: Side) -> Square {
        self.pieces(side).into_iter().find(|(_, kind)| *kind == 'K').unwrap().0
    }

    fn in_check(&self, side: Side) -> bool {
        let king = self.king(side);
        if self.is_in_field(king, 'Q', Some(side)) {
            return false;
        }
        self.pieces(!side).into_iter().any(|(from, kind)| {
            let mut reach = self.reach(kind, !side, from, true).into_iter();
            reach.any(|target| target.to == king && target.marks.contains(&Mark::Take))
                && self.may_capture(kind, from, 'K', king)
        })
    }

    // Kinds of moves

    /// The moves that are legal but perhaps for what they leave behind.
    fn candidates(&self) -> Vec<SlowMove> {
        let mut moves = Vec::new();
        match &self.turn {
            Turn::Begins => {
                for (from, kind) in self.pieces(self.side) {
                    self.travels(kind, None, from, &mut moves);
                    self.swaps(kind, from, &mut moves);
                    for (part, _) in parts(kind) {
                        let barred = "RNM".contains(part) && "QCW".contains(kind);
                        if !(barred && self.is_in_field(from, 'M', None)) {
                            self.travels(part, Some(part), from, &mut moves);
                        }
                    }
                }
                self.returns(&mut moves);
                self.multi_parts(&BTreeSet::new(), &[true], &mut moves);
                for arena in '1'..='9' {
                    self.relocations(arena, &BTreeSet::new(), &mut moves);
                }
            }
            Turn::Multi { arenas, .. } => self.multi_parts(arenas, &[false, true], &mut moves),
            Turn::Rearranging(squares) => {
                self.relocations(sign(*squares.first().unwrap()), squares, &mut moves);
            }
        }
        moves
    }

    fn travels(&self, kind: char, part: Option<char>, from: Square, moves: &mut Vec<SlowMove>) {
        let side = self.side;
        let mut exists = BTreeSet::new();
        let reach = self.reach(kind, side, from, part.is_none());
        for Target { to, marks, crossed } in &reach {
            let to = *to;
            let captures_en_passant = self.en_passant_by(&reach, to);
            let ordinary = self.is_vacant(to) && marks.contains(&Mark::Move) && !captures_en_passant;
            let taken = self.kind(to).filter(|_| self.is_enemy(to, side));
            let capture = marks.contains(&Mark::Take)
                && taken.is_some_and(|taken| taken != 'K' && self.may_capture(kind, from, taken, to));
            let en_passant = captures_en_passant && marks.contains(&Mark::EnPassant);
            if ordinary || capture || en_passant || self.may_attach(kind, from, to) {
                let manner = if en_passant { Manner::EnPassant } else { Manner::Plain };
                if exists.insert(to) {
                    self.add(manner, kind, part, (from, to), *crossed, moves);
                }
            }
        }
        for to in self.direct(from) {
            if (self.is_vacant(to) || self.may_attach(kind, from, to)) && exists.insert(to) {
                self.add(Manner::Direct, kind, part, (from, to), None, moves);
            }
        }
    }

    /// Whether going to the square by this reach captures en passant.
    fn en_passant_by(&self, reach: &[Target], to: Square) -> bool {
        self.turn == Turn::Begins
            && self.pairs.iter().any(|(crossed, _)| *crossed == to)
            && reach.iter().any(|target| target.to == to && target.marks.contains(&Mark::EnPassant))
    }

    /// Adds the move, or the promotions that it is.
    fn add(
        &self,
        manner: Manner,
        kind: char,
        part: Option<char>,
        (from, to): (Square, Square),
        crossed: Option<Square>,
        moves: &mut Vec<SlowMove>,
    ) {
        let mv = SlowMove { part, crossed, ..SlowMove::new(manner, from, to) };
        if is_pawn_like(kind) && is_promotion(self.side, to) {
            moves.extend("QRBNMCWD".chars().map(|piece| SlowMove { promotion: Some(piece), ..mv.clone() }));
        } else {
            moves.push(mv);
        }
    }

    fn may_attach(&self, kind: char, from: Square, to: Square) -> bool {
        let Some(&(friend, owner)) = self.board.get(&to) else { return false };
        let in_f = self.is_in_field(from, 'M', None) || self.is_in_field(to, 'M', None);
        owner == self.side
            && to != from
            && fusion(kind, friend).is_some_and(|whole| !in_f || "ML".contains(whole))
    }

    fn swaps(&self, kind: char, from: Square, moves: &mut Vec<SlowMove>) {
        for Target { to, marks, crossed } in self.reach(kind, self.side, from, true) {
            let with_friend = self.is_friend(to, self.side) && marks.contains(&Mark::Move);
            if kind == 'P' || !with_friend || !is_tower(from) && !is_tower(to) {
                continue;
            }
            let friend = self.kind(to).unwrap();
            if is_pawn_like(kind) && is_promotion(self.side, to)
                || is_pawn_like(friend) && is_promotion(self.side, from)
            {
                continue;
            }
            let mv = SlowMove { crossed, ..SlowMove::new(Manner::Swap, from, to) };
            if !moves.iter().any(|other| other.text() == mv.text()) {
                moves.push(mv);
            }
        }
    }

    /// Where direct moves lead, whatever stands there.
    fn direct(&self, from: Square) -> BTreeSet<Square> {
        let mut reached = BTreeSet::new();
        if is_tower(from) {
            return reached;
        }
        let (rooks, bishops) = (self.towers_with('R', None), self.towers_with('B', None));
        let neighbours = |square: Square| {
            let mut found = BTreeSet::new();
            let arena = sign(square);
            for (towers, distance) in [(&rooks, 1), (&bishops, 2)] {
                for &tower in towers {
                    let all = touched(tower);
                    if all.contains(arena) {
                        let far = |other: char| {
                            let (one, other) = (arena as i8 - '1' as i8, other as i8 - '1' as i8);
                            (one % 3 - other % 3).abs() + (one / 3 - other / 3).abs()
                        };
                        let linked = all.chars().filter(|&other| far(other) == distance);
                        found.extend(linked.map(|other| at_place(other, place(square))));
                    }
                }
            }
            found
        };
        let many = rooks.len() + bishops.len() >= 2;
        let mut open = vec![from];
        let mut n_hops = 0;
        while let Some(at) = open.pop() {
            if n_hops > 0 && !many {
                break;
            }
            n_hops += 1;
            for to in neighbours(at) {
                if to != from && reached.insert(to) && self.is_vacant(to) {
                    open.push(to);
                }
            }
        }
        reached
    }

    /// Parts of multi-piece moves; `pluses` says whether those that end the turn and those that go on are wanted.
    fn multi_parts(&self, used: &BTreeSet<char>, pluses: &[bool], moves: &mut Vec<SlowMove>) {
        let towers = self.towers_with('D', Some(self.side));
        for &plus in pluses {
            for (from, kind) in self.pieces(self.side) {
                let arena = sign(from);
                let allowed = towers.iter().any(|&tower| {
                    touched(tower).contains(arena) && used.iter().all(|&used| touched(tower).contains(used))
                });
                if kind == 'D' || is_tower(from) || used.contains(&arena) || !allowed {
                    continue;
                }
                let mut all = Vec::new();
                self.travels(kind, None, from, &mut all);
                all.retain(|mv| mv.manner == Manner::Plain && self.is_vacant(mv.to));
                moves.extend(all.into_iter().map(|mv| SlowMove { plus, ..mv }));
            }
        }
    }

    fn relocations(&self, arena: char, done: &BTreeSet<Square>, moves: &mut Vec<SlowMove>) {
        if !self.towers_with('W', Some(self.side)).iter().any(|&tower| touched(tower).contains(arena)) {
            return;
        }
        for plus in [false, true] {
            for from in arena_squares(arena) {
                if !self.is_friend(from, self.side) || done.contains(&from) {
                    continue;
                }
                for to in arena_squares(arena) {
                    let kind = self.kind(from).unwrap();
                    if self.is_vacant(to) && !(is_pawn_like(kind) && is_promotion(self.side, to)) {
                        moves.push(SlowMove { plus, ..SlowMove::new(Manner::Relocation, from, to) });
                    }
                }
            }
        }
    }

    fn returns(&self, moves: &mut Vec<SlowMove>) {
        let Some((kind, tower)) = self.returnable else { return };
        for to in all_squares().filter(|&to| touched(tower).contains(sign(to)) && self.is_vacant(to)) {
            if !(is_pawn_like(kind) && is_promotion(self.side, to)) {
                moves.push(SlowMove::new(Manner::Return, tower, to));
            }
        }
    }

    // Legality

    fn is_legal(&self, mv: &SlowMove, known: &mut Known) -> bool {
        let after = self.after(mv);
        match (mv.plus, mv.manner) {
            (false, _) => !after.in_check(self.side),
            (true, Manner::Relocation) => after.can_end_rearrangement(known),
            (true, _) => {
                let bang = matches!(self.turn, Turn::Multi { bang: true, .. });
                (!after.in_check(self.side) || !bang) && after.can_move()
            }
        }
    }

    fn can_move(&self) -> bool {
        let mut known = Known::new();
        self.candidates().iter().any(|mv| self.is_legal(mv, &mut known))
    }

    /// Whether one or more further relocations can end the turn with the mover's king not in check.
    fn can_end_rearrangement(&self, known: &mut Known) -> bool {
        let king = self.king(self.side);
        let Turn::Rearranging(done) = &self.turn else { panic!("no rearrangement goes on") };
        // What has been relocated is in the way of attacks, whatever it is.
        let key = (king, self.board.keys().copied().collect(), done.clone());
        if let Some(&can_end) = known.get(&key) {
            return can_end;
        }
        let can_end = self.candidates().iter().any(|mv| self.is_legal(mv, known));
        known.insert(key, can_end);
        can_end
    }

    // What a move changes

    fn after(&self, mv: &SlowMove) -> Self {
        let mut after = self.clone();
        let side = self.side;
        let SlowMove { manner, part, from, to, .. } = *mv;
        let (whole, returned) = match self.returnable {
            Some((kind, _)) if manner == Manner::Return => (kind, true),
            _ => (self.kind(from).unwrap(), false),
        };
        let mover = part.unwrap_or(whole);
        // 1 to 3
        let mut captured = None;
        if !returned {
            after.board.remove(&from);
        }
        if let Some(part) = part {
            let rest = parts(whole).into_iter().find(|(other, _)| *other == part).unwrap().1;
            after.board.insert(from, (rest, side));
        }
        if manner == Manner::EnPassant {
            for (_, piece) in self.pairs.iter().filter(|(crossed, _)| *crossed == to) {
                captured = after.board.remove(piece);
            }
        } else if self.is_enemy(to, side) {
            captured = after.board.remove(&to);
        }
        let arriving = match after.board.remove(&to) {
            Some(friend) if manner == Manner::Swap => {
                after.board.insert(from, friend);
                mover
            }
            Some((friend, _)) => fusion(mover, friend).unwrap(),
            None => mv.promotion.unwrap_or(mover),
        };
        after.board.insert(to, (arriving, side));
        // 4
        let exchanged = part.is_none() && !returned && self.is_in_field(from, 'C', None);
        let lends = match mover {
            'N' if exchanged => 'B',
            'B' if exchanged => 'N',
            _ => mover,
        };
        if !"PLD".contains(lends) && manner != Manner::Relocation {
            let mut all = letters(lends).to_owned();
            if matches!(self.turn, Turn::Multi { star: true, .. }) {
                all += &self.powers[side.index()];
            }
            after.powers[side.index()] = "KRBN".chars().filter(|&letter| all.contains(letter)).collect();
        }
        // 5 and 6
        let turn_went_on = self.turn != Turn::Begins;
        after.pairs.retain(|(_, piece)| turn_went_on && *piece != from);
        after.pairs.extend(mv.crossed.filter(|_| mv.promotion.is_none()).map(|crossed| (crossed, to)));
        if !mv.plus {
            let board = &after.board;
            after.pairs.retain(|(crossed, _)| !board.contains_key(crossed));
        }
        let on_tower = manner != Manner::EnPassant && is_tower(to);
        after.returnable = captured.filter(|_| on_tower).map(|(kind, _)| (kind, to));
        // 7
        after.turn = match (&self.turn, mv.plus, manner) {
            (_, false, _) => Turn::Begins,
            (Turn::Rearranging(squares), true, _) => {
                Turn::Rearranging(squares.iter().copied().chain([to]).collect())
            }
            (_, true, Manner::Relocation) => Turn::Rearranging([to].into()),
            (turn, true, _) => {
                let (mut arenas, mut star, mut bang) = match turn.clone() {
                    Turn::Multi { arenas, star, bang } => (arenas, star, bang),
                    _ => (BTreeSet::new(), false, false),
                };
                arenas.insert(sign(from));
                star |= !is_pawn_like(mover);
                bang |= after.in_check(side);
                Turn::Multi { arenas, star, bang }
            }
        };
        // 8
        let higher = if side == Side::White { from.rank < to.rank } else { to.rank < from.rank };
        let counts = !matches!(manner, Manner::Direct | Manner::Relocation | Manner::Return);
        let progress = captured.is_some() || counts && is_pawn_like(mover) && higher;
        after.quiet = if progress { 0 } else { self.quiet + 1 };
        after.ply += 1;
        if !mv.plus {
            after.side = !side;
        }
        after
    }
}

mod comparison {
    use super::super::{Slow as _, compare_on_a_walk};
    use super::{Slow, TOWERS, all_squares, is_promotion, is_tower};
    use crate::common::{below, rng};
    use chacha20::ChaCha8Rng;
    use games::four_towers::{FourTowers, Kind, Move, Then, Travel, Turn};
    use games::{Position, Side, Square};

    /// How often the comparison has met what is rare.
    #[derive(Debug, Default)]
    struct Met {
        positions: usize,
        /// Positions with two pairs or more, by whether a turn goes on.
        several_pairs: [usize; 2],
        /// Moves of lancers that no lancer has without a sideways pair.
        sideways_captures: usize,
        captures_of_several: usize,
        /// Relocations that leave the own king in check until a later one.
        relocations_in_check: usize,
    }

    impl Met {
        fn add(&mut self, position: &FourTowers, moves: &[Move]) {
            let slow = Slow::read(&position.to_string());
            for side in Side::ALL {
                assert_eq!(position.in_check(side), slow.in_check(side), "{position}: {side}");
            }
            let mut without_pairs = Vec::new();
            without_en_passant(position).legal_moves(&mut without_pairs);
            self.positions += 1;
            if position.en_passant().iter().count() >= 2 {
                self.several_pairs[usize::from(position.turn() != Turn::Begins)] += 1;
            }
            for mv in moves {
                let mut after = *position;
                after.play_unchecked(*mv);
                let n_pieces = |position: &FourTowers| position.board().occupied().count_ones();
                self.captures_of_several += usize::from(n_pieces(&after) + 2 <= n_pieces(position));
                match mv {
                    Move::Travel(Travel { part: None, from, .. }) => {
                        let is_new = !without_pairs.iter().any(|other| other.to_string() == mv.to_string());
                        let is_lancer = position.board().kind_at(*from) == Some(Kind::Lancer);
                        self.sideways_captures += usize::from(is_new && is_lancer);
                    }
                    Move::Relocation { then: Then::TurnGoesOn, .. } => {
                        self.relocations_in_check += usize::from(after.in_check(after.side_to_move()));
                    }
                    _ => {}
                }
            }
        }
    }

    /// The same position without its en passant pairs.
    fn without_en_passant(position: &FourTowers) -> FourTowers {
        let fen = position.to_string();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[2] = "-";
        fields.join(" ").parse().expect("a position can do without the pairs")
    }

    #[test]
    fn on_random_play_from_the_positions_of_the_page() {
        let mut rng = rng(1);
        let starts = FourTowers::INFO.rules.lines().filter_map(|line| line.strip_prefix("fen "));
        let mut met = Met::default();
        for start in starts {
            let start = start.parse().expect("the page's FENs are good");
            compare_on_a_walk::<Slow>(start, 12, &mut rng, |position, moves| met.add(position, moves));
        }
        assert!(met.positions > 500, "{met:?}");
    }

    #[test]
    fn on_random_positions_full_of_towers() {
        let mut rng = rng(2);
        let mut met = Met::default();
        let mut n_accepted = 0;
        while n_accepted < 400 {
            let Ok(position) = random_fen(&mut rng).parse() else { continue };
            n_accepted += 1;
            compare_on_a_walk::<Slow>(position, 2, &mut rng, |position, moves| met.add(position, moves));
        }
        let Met { several_pairs, sideways_captures, captures_of_several, relocations_in_check, .. } = met;
        let rarest = [several_pairs[0], several_pairs[1], sideways_captures, captures_of_several];
        assert!(rarest.iter().all(|&met| met > 10) && relocations_in_check > 10, "{met:?}");
    }

    /// A text that is often a FEN: few to many pieces, most towers taken, now and then `ep`, `return` or `turn`.
    fn random_fen(rng: &mut ChaCha8Rng) -> String {
        let mut slow = Slow::read("3/6/9/10/10/9/10/10/9/6/3 w - - - - - 0 0");
        slow.side = Side::ALL[below(2, rng)];
        let squares: Vec<Square> = all_squares().collect();
        let n_pieces = 3 + below(25, rng);
        for _ in 0..n_pieces {
            let square = squares[below(squares.len(), rng)];
            let kind = b"RBNQMCWPPLLD"[below(12, rng)] as char;
            slow.board.insert(square, (kind, Side::ALL[below(2, rng)]));
        }
        for &square in squares.iter().filter(|&&square| is_tower(square)) {
            if below(4, rng) > 0 {
                let kind = b"RBNQMCWPLDK"[below(11, rng)] as char;
                slow.board.insert(square, (kind, Side::ALL[below(2, rng)]));
            }
        }
        for side in Side::ALL {
            if !slow.board.values().any(|&piece| piece == ('K', side)) {
                slow.board.insert(squares[below(squares.len(), rng)], ('K', side));
            }
            slow.board.retain(|&square, &mut (kind, owner)| {
                owner != side || !"PL".contains(kind) || !is_promotion(side, square)
            });
            let powers = below(16, rng);
            slow.powers[side.index()] = "KRBN"
                .chars()
                .enumerate()
                .filter(|(bit, _)| powers >> bit & 1 != 0)
                .map(|(_, c)| c)
                .collect();
        }
        let turn = match below(6, rng) {
            0 => {
                let (tower, touched) = TOWERS[below(4, rng)];
                let tower = tower.parse().expect("a square");
                if slow.kind(tower) != Some('K') {
                    slow.board.insert(tower, ('D', slow.side));
                }
                let used = 1 + below(14, rng);
                let arenas = touched.chars().enumerate().filter(|(nth, _)| used >> nth & 1 != 0);
                let arenas: String = arenas.map(|(_, arena)| arena).collect();
                format!("+{arenas}{}", ["", "*", "!", "*!"][below(4, rng)])
            }
            1 => {
                let own = slow.pieces(slow.side);
                format!(">{}", own[below(own.len(), rng)].0)
            }
            _ => "-".to_owned(),
        };
        match below(6, rng) {
            0 => {
                let towers: Vec<Square> = slow.board.keys().copied().filter(|&s| is_tower(s)).collect();
                if !towers.is_empty() {
                    let kind = b"RBNQMCWPLD"[below(10, rng)] as char;
                    slow.returnable = Some((kind, towers[below(towers.len(), rng)]));
                }
            }
            1..=3 => add_pairs(&mut slow, turn == "-", rng),
            _ => {}
        }
        slow.fen().replace(" - 0 0", &format!(" {turn} 0 0"))
    }

    /// Pawns and lancers that may have moved two squares, each beside the square that it crossed, often with a lancer of
    /// the other side on the same line to the left or right.
    fn add_pairs(slow: &mut Slow, turn_begins: bool, rng: &mut ChaCha8Rng) {
        let side = if turn_begins { !slow.side } else { slow.side };
        let sideways = [(1, 0), (-1, 0)];
        let forward = if side == Side::White { 1 } else { -1 };
        let squares: Vec<Square> = all_squares().collect();
        for _ in 0..=below(3, rng) {
            let kind = b"PLLL"[below(4, rng)] as char;
            let crossed = match slow.pairs.first() {
                Some((crossed, _)) if below(2, rng) == 0 => *crossed,
                _ => squares[below(squares.len(), rng)],
            };
            let way = match (kind, below(4, rng)) {
                ('L', 0) => (1, forward),
                ('L', 1..=2) => sideways[below(2, rng)],
                _ => (0, forward),
            };
            let Some(runner) = slow.step(crossed, way) else { continue };
            let is_free = |square| !matches!(slow.board.get(&square), Some(('K', _)));
            let taken = slow.pairs.iter().any(|&(other, piece)| piece == crossed || other == runner);
            if taken || !is_free(crossed) || !is_free(runner) || is_promotion(side, runner) {
                continue;
            }
            slow.board.remove(&crossed);
            slow.board.insert(runner, (kind, side));
            slow.pairs.retain(|(_, piece)| *piece != runner);
            slow.pairs.insert((crossed, runner));
            // Somewhere to the left or right, or where a pawn captures on the crossed square.
            let mut origins = slow.line(runner, (1, 0));
            origins.extend(slow.line(runner, (-1, 0)));
            origins.extend(super::offset(crossed, (1, forward)));
            origins.extend(super::offset(crossed, (-1, forward)));
            let Some(&rival) = origins.get(below(origins.len().max(1), rng)) else { continue };
            let is_crossed = slow.pairs.iter().any(|(crossed, _)| *crossed == rival);
            if slow.is_vacant(rival) && !is_crossed && !is_promotion(!side, rival) {
                slow.board.insert(rival, ('L', !side));
            }
        }
    }
}
