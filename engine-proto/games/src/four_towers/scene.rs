//! The drawing of a position.

use super::cells::{ALL_CELLS, PROMOTION, cells};
use super::pieces::Kind;
use super::{FourTowers, Move, MultiPiece, Turn, generate};
use crate::bits::bits64;
use crate::scene::{Ground, GroundKind, Hand, Layout, Note, Piece, PieceKind, Scene};
use crate::{Drawn, End, Position, Side, Square};

/// In the order of [`Kind::ALL`]. Common fonts have no sign for kinds that chess does not have.
pub(super) static KINDS: [PieceKind; 11] = [
    PieceKind::new("rook", 'R', ['♖', '♜']).moving("goes along straight lines"),
    PieceKind::new("bishop", 'B', ['♗', '♝']).moving("goes along diagonals"),
    PieceKind::new("queen", 'Q', ['♕', '♛']).moving("goes as rook or bishop"),
    PieceKind::new("knight", 'N', ['♘', '♞']).moving("jumps as in chess"),
    PieceKind::new("marshall", 'M', ['M', 'm']).moving("goes as rook or knight"),
    PieceKind::new("cardinal", 'C', ['C', 'c']).moving("goes as bishop or knight"),
    PieceKind::new("wizard", 'W', ['W', 'w']).moving("goes as rook, bishop or knight"),
    PieceKind::new("pawn", 'P', ['♙', '♟'])
        .moving("steps forward or sideways, and captures diagonally forward"),
    PieceKind::new("lancer", 'L', ['L', 'l'])
        .moving("goes one or two squares forward, diagonally forward or sideways"),
    PieceKind::new("king", 'K', ['♔', '♚']).moving("steps one square, and must not be attacked"),
    PieceKind::new("dragon", 'D', ['D', 'd']).moving("goes as the pieces that both sides moved last"),
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
            legend: &["M marshall, C cardinal, W wizard, L lancer, D dragon", "goals are promotion squares"],
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
            notes.push(Note::new("may return around", captured.tower.to_string()));
        }
        let crossed: Vec<String> = cells(self.en_passant.crossed()).map(|cell| cell.to_string()).collect();
        if !crossed.is_empty() {
            notes.push(Note::new("en passant on", crossed.join(" ")));
        }
        if !self.dragon_powers().is_none() {
            let [white, black] = Side::ALL.map(|side| self.powers(side));
            notes.push(Note::new("powers lent to dragons", format!("White {white}, Black {black}")));
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
                notes.push(Note::new("rearrangement, relocated", squares.join(" ")));
            }
        }
        Scene { pieces, hands, notes, ..Scene::empty(self) }
    }

    fn moves_into_check(&self) -> Vec<Move> {
        generate::moves_into_check(self)
    }

    fn winning_squares(&self) -> Vec<Square> {
        match self.end() {
            Some(End { winner: Some(winner), .. }) => vec![self.board.king(!winner).square()],
            _ => Vec::new(),
        }
    }
}

fn kind(kind: Kind) -> &'static PieceKind {
    &KINDS[usize::from(kind.code()) - 1]
}
