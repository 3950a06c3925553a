//! The drawing of a position.

use super::cells::{ALL_CELLS, PROMOTION, TOWER_CELLS, cells};
use super::moves::{Then, Travel, Way};
use super::pieces::{Kind, Powers};
use super::{Board, FourTowers, Move, MultiPiece, Turn, generate};
use crate::bits::bits64;
use crate::scene::{
    Ground, GroundKind, Guide, Hand, Layout, Mark, Meaning, Note, Piece, PieceKind, Remark, Scene,
};
use crate::{Drawn, End, Position, Side, Square};

/// In the order of [`Kind::ALL`]. Common fonts have no sign for kinds that chess does not have: those that join two others show both.
pub(super) static KINDS: [PieceKind; 11] = [
    PieceKind::new("rook", 'R', ['♖', '♜']).moving("goes along straight lines"),
    PieceKind::new("bishop", 'B', ['♗', '♝']).moving("goes along diagonals"),
    PieceKind::new("queen", 'Q', ['♕', '♛']).moving("goes as rook or bishop"),
    PieceKind::new("knight", 'N', ['♘', '♞']).moving("jumps as in chess"),
    PieceKind::new("marshall", 'M', ['M', 'm']).showing(['♜', '♞']).moving("goes as rook or knight"),
    PieceKind::new("cardinal", 'C', ['C', 'c']).showing(['♝', '♞']).moving("goes as bishop or knight"),
    PieceKind::new("wizard", 'W', ['W', 'w']).showing(['♛', '♞']).moving("goes as rook, bishop or knight"),
    PieceKind::new("pawn", 'P', ['♙', '♟'])
        .moving("steps forward or sideways, and captures diagonally forward"),
    PieceKind::new("lancer", 'L', ['L', 'l'])
        .showing(['♟', '♟'])
        .moving("goes one or two squares forward, diagonally forward or sideways"),
    PieceKind::new("king", 'K', ['♔', '♚']).moving("steps one square, and must not be attacked"),
    PieceKind::new("dragon", 'D', ['D', 'd'])
        .moving("goes as the pieces that White and Black moved last, both together"),
];

static GUIDE: Guide = Guide {
    marks: &[
        (Mark::Move, "can go there"),
        (Mark::Capture, "captures the piece there"),
        (Mark::Join, "joins a piece of your own, or trades places with it"),
    ],
    notation: &[
        ("d2d4", "a whole piece goes from d2 to d4"),
        ("Rd2d4", "only the rook part of the piece on d2 goes"),
        ("f9f10=Q", "a pawn or lancer becomes a queen"),
        ("d5d4~", "the pieces on d5 and d4 trade places, one of them on a tower"),
        ("d2d4+", "the turn goes on, with the help of a dragon on a tower"),
        ("d3>e2", "a piece is put elsewhere in its arena, with the help of a wizard on a tower"),
        ("@e4", "a piece that was captured on a tower comes back on e4"),
    ],
    goal: "promotion square",
    ..*Guide::PLAIN
};

/// What is said of a tower without a piece.
const EMPTY_TOWER: &str =
    "an empty tower; the kind of piece that goes there decides its effect in the four arenas around it";
/// What a piece on a tower does, in the order of [`Kind::ALL`].
const EFFECTS: [&str; 11] = [
    "in the four arenas around it, any piece may go to the same place of the arena beside its own, or above or below",
    "in the four arenas around it, any piece may go to the same place of the arena diagonal to its own",
    "in the four arenas around it, its own king cannot be attacked",
    "straight lines from one of the four arenas around it to the next go as if the two were lined up",
    "in the four arenas around it, rooks, knights and marshalls can neither capture other kinds nor be captured by them",
    "in the four arenas around it, knights move as bishops, and bishops as knights",
    "its side may put pieces on other squares of the same arena, in the four arenas around it, several in one turn",
    "in the four arenas around it, pawns may advance two squares",
    "in the four arenas around it, pawns and lancers may step back",
    "the king himself captures as a queen, in the four arenas around it",
    "its side may move up to four pieces in one turn, from different ones of the four arenas around it, without captures",
];

impl Drawn for FourTowers {
    /// The arenas are the regions 1 to 9, as the rules count them; each tower is a region of its own.
    fn layout(&self) -> Layout {
        let ground = |cell: super::Cell| {
            let (kind, region) = match (cell.arena(), cell.tower()) {
                (Some(arena), _) => (GroundKind::Open, arena + 1),
                (None, tower) => (GroundKind::Tower, 10 + tower.map_or(0, |tower| tower as u8)),
            };
            let is_goal_of = PROMOTION.map(|squares| squares & cell.bit() != 0);
            Ground { kind, region, is_goal_of, ..Ground::new(cell.square()) }
        };
        Layout {
            grounds: cells(ALL_CELLS).map(ground).collect(),
            highest: 0,
            legend: &["a move changes what the dragons of both sides can do, the opponent's included"],
            guide: &GUIDE,
        }
    }

    fn scene(&self) -> Scene {
        let pieces = cells(self.board.occupied())
            .filter_map(|cell| {
                let piece = self.board.get(cell)?;
                Some(Piece::new(cell.square(), Some(piece.side), kind(piece.kind)))
            })
            .collect();
        let mut hands = [Vec::new(), Vec::new()];
        let mut notes = Vec::new();
        if let Some(captured) = self.returnable {
            hands[self.side.index()].push(Hand { kind: kind(captured.kind), count: 1 });
            notes.push(Note::new(
                "the captured piece may come back around the tower",
                captured.tower.to_string(),
            ));
        }
        let crossed: Vec<String> = cells(self.en_passant.crossed()).map(|cell| cell.to_string()).collect();
        if !crossed.is_empty() {
            notes.push(Note::new("a pawn or lancer can be captured en passant on", crossed.join(" ")));
        }
        if !self.dragon_powers().is_none() {
            let lent = Side::ALL.into_iter().filter(|side| !self.powers(*side).is_none());
            let lent = lent.map(|side| format!("{} (by {side}'s move)", names(self.powers(side))));
            let lent = lent.collect::<Vec<_>>().join("; ");
            notes.push(Note::new("dragons now move as", lent));
        }
        match self.turn {
            Turn::Begins => {}
            Turn::MultiPiece(MultiPiece { arenas, left_in_check, .. }) => {
                let used: Vec<String> = bits64(arenas.into()).map(|arena| (arena + 1).to_string()).collect();
                notes.push(Note::new("multi-piece move, arenas used", used.join(" ")));
                if left_in_check {
                    notes.push(Note::new("the king", "has been left in check in this turn"));
                }
            }
            Turn::Rearrangement { relocated } => {
                let squares: Vec<String> = cells(relocated).map(|cell| cell.to_string()).collect();
                notes.push(Note::new("rearranging, pieces already moved to", squares.join(" ")));
            }
        }
        let check = self.in_check(self.side).then(|| self.board.king(self.side).square());
        Scene { pieces, hands, notes, check, ..Scene::empty(self) }
    }

    fn moves_into_check(&self) -> Vec<Move> {
        generate::moves_into_check(self)
    }

    fn meaning(&self, mv: Move, _reader: Side) -> Option<Meaning> {
        match mv {
            Move::Travel(travel) => self.meaning_of(travel),
            Move::Swap { to, .. } => {
                let other = kind(self.board.get(to)?.kind).name;
                Some(Meaning::new(Mark::Join, format!("trades places with the {other}")))
            }
            Move::Relocation { then: Then::TurnGoesOn, .. } => {
                Some(Meaning::new(Mark::Move, "is put there; another piece follows"))
            }
            Move::Relocation { .. } => Some(Meaning::new(Mark::Move, "is put there; the turn ends")),
            Move::Return { .. } => Some(Meaning::new(Mark::Move, "the captured piece comes back there")),
        }
    }

    fn remarks(&self) -> Vec<Remark> {
        let pieces = cells(self.board.occupied()).filter_map(|cell| Some((cell, self.board.get(cell)?)));
        let on_tower = |cell: super::Cell, words: String| {
            let area = cells(Board::field(cell.bit())).map(super::Cell::square).collect();
            Remark { square: cell.square(), words, area }
        };
        let empty = cells(TOWER_CELLS & !self.board.occupied());
        let of_empty = empty.map(|cell| on_tower(cell, EMPTY_TOWER.to_owned()));
        let of_pieces = pieces.filter_map(|(cell, piece)| {
            if cell.tower().is_some() {
                let effect = EFFECTS[usize::from(piece.kind.code()) - 1];
                return Some(on_tower(cell, format!("the tower's effect: {effect}")));
            }
            if piece.kind != Kind::Dragon {
                return None;
            }
            let powers = self.dragon_powers();
            let words = if powers.is_none() {
                "it cannot move now: dragons move as the pieces that White and Black moved last".to_owned()
            } else {
                format!("dragons now move as {}", names(powers))
            };
            Some(Remark::new(cell.square(), words))
        });
        of_pieces.chain(of_empty).collect()
    }

    fn winning_squares(&self) -> Vec<Square> {
        match self.end() {
            Some(End { winner: Some(winner), .. }) => vec![self.board.king(!winner).square()],
            _ => Vec::new(),
        }
    }
}

impl FourTowers {
    fn meaning_of(&self, travel: Travel) -> Option<Meaning> {
        let Travel { part, from, to, way, promotion, then } = travel;
        let piece = self.board.get(from)?;
        let mut words = Vec::new();
        let mut mark = Mark::Move;
        let mut captured = Vec::new();
        let mut arriving = part.unwrap_or(piece.kind);
        match part {
            Some(part) => {
                let [part, rest] = [part, piece.kind.without(part)].map(|one| kind(one).name);
                words.push(format!("only its {part} part goes, and the {rest} stays"));
            }
            None if !piece.kind.parts().is_empty() => {
                words.push(format!("the whole {} goes", kind(piece.kind).name));
            }
            None => {}
        }
        match self.board.get(to) {
            Some(there) if there.side == piece.side => {
                arriving = there.kind.fused_with(arriving);
                words.push(format!(
                    "joins the {} there, which becomes a {}",
                    kind(there.kind).name,
                    kind(arriving).name
                ));
                mark = Mark::Join;
            }
            Some(there) => {
                words.push(format!("captures the {}", kind(there.kind).name));
                mark = Mark::Capture;
            }
            None if way == Way::EnPassant => {
                words.push("captures en passant".to_owned());
                captured = cells(self.answerable().captured_on(to)).map(super::Cell::square).collect();
                mark = Mark::Capture;
            }
            None => {}
        }
        if piece.kind == Kind::Dragon && way == Way::Reach {
            let ways = [Kind::Rook, Kind::Bishop, Kind::Knight, Kind::King];
            let ground = self.ground();
            let is_way = |&kind: &Kind| ground.reach(piece.side, kind, from).moves & to.bit() != 0;
            words.extend(ways.into_iter().find(is_way).map(|one| format!("goes as a {}", kind(one).name)));
        }
        if way == Way::Direct {
            words.push("goes directly to the same place of another arena".to_owned());
        }
        if to.tower().is_some() {
            let effect = EFFECTS[usize::from(arriving.code()) - 1];
            words.push(format!("on the tower: {effect}"));
        }
        words.extend(promotion.map(|promotion| format!("becomes a {}", kind(promotion).name)));
        if then == Then::TurnGoesOn {
            words.push("the turn goes on with another piece".to_owned());
        }
        (!words.is_empty()).then(|| Meaning { captured, ..Meaning::new(mark, words.join("; ")) })
    }
}

/// The movements in words: `rook, bishop and knight`.
fn names(powers: Powers) -> String {
    let all = [
        (Powers::KING, "king"),
        (Powers::ROOK, "rook"),
        (Powers::BISHOP, "bishop"),
        (Powers::KNIGHT, "knight"),
    ];
    let has: Vec<&str> =
        all.into_iter().filter(|(power, _)| powers.has(*power)).map(|(_, name)| name).collect();
    match has.as_slice() {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn kind(kind: Kind) -> &'static PieceKind {
    &KINDS[usize::from(kind.code()) - 1]
}
