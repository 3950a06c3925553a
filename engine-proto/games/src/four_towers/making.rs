//! The effects of a move (page, section of that name). It does not check whether moves are legal.

use super::board::Board;
use super::cells::{Cell, cells};
use super::en_passant::{EnPassant, EnPassants};
use super::lines::{DIAGONAL, orthogonal};
use super::moves::{Move, Then, Travel, Way};
use super::pieces::{Kind, Piece};
use super::{Captured, FourTowers, MultiPiece, Turn};
use crate::Side;

impl FourTowers {
    /// Plays a legal move.
    pub(super) fn make(&mut self, mv: Move) {
        match mv {
            Move::Travel(travel) => self.travel(travel),
            Move::Swap { from, to } => self.swap(from, to),
            Move::Relocation { from, to, then } => self.relocate(from, to, then),
            Move::Return { to } => self.put_back(to),
        }
    }

    fn travel(&mut self, travel: Travel) {
        let Travel { part, from, to, way, promotion, then } = travel;
        let side = self.side;
        let before = self.board;
        let whole = before.kind_at(from).expect("a piece moves");
        let moving = part.unwrap_or(whole);

        self.board.toggle(Piece { side, kind: whole }, from);
        if let Some(part) = part {
            self.board.toggle(Piece { side, kind: whole.without(part) }, from);
        }
        let captured = self.take_off(!side, to);
        if way == Way::EnPassant {
            for piece in cells(self.en_passant.captured_on(to)) {
                self.take_off(!side, piece);
            }
        }
        let arriving = match self.take_off(side, to) {
            Some(friend) => moving.fused_with(friend),
            None => promotion.unwrap_or(moving),
        };
        self.board.toggle(Piece { side, kind: arriving }, to);

        match part {
            Some(part) => self.lend(part),
            None => self.lend(as_moved(&before, whole, from)),
        }
        let advances = way != Way::Direct && moving.is_pawn_like() && is_higher(side, from, to);
        self.counters.count(captured.is_some() || way == Way::EnPassant || advances);
        self.returnable = match captured {
            Some(kind) if to.tower().is_some() => Some(Captured { kind, tower: to }),
            _ => None,
        };
        let may_be_answered = way != Way::Direct && moving.is_pawn_like() && promotion.is_none();
        self.leave_pairs(&before, from, to, may_be_answered);
        match then {
            Then::TurnGoesOn => self.go_on_with_multi_piece(from, moving),
            Then::TurnEnds => self.end_turn(),
        }
    }

    fn swap(&mut self, from: Cell, to: Cell) {
        let side = self.side;
        let before = self.board;
        let starter = self.take_off(side, from).expect("a piece starts the swap");
        let friend = self.take_off(side, to).expect("a friend is swapped with");
        self.board.toggle(Piece { side, kind: starter }, to);
        self.board.toggle(Piece { side, kind: friend }, from);
        self.lend(as_moved(&before, starter, from));
        self.counters.count(starter.is_pawn_like() && is_higher(side, from, to));
        self.returnable = None;
        self.leave_pairs(&before, from, to, starter.is_pawn_like());
        self.end_turn();
    }

    fn relocate(&mut self, from: Cell, to: Cell, then: Then) {
        let kind = self.take_off(self.side, from).expect("a piece is relocated");
        self.board.toggle(Piece { side: self.side, kind }, to);
        self.counters.count(false);
        self.returnable = None;
        self.en_passant = EnPassants::NONE;
        if then == Then::TurnEnds {
            self.end_turn();
            return;
        }
        let before = match self.turn {
            Turn::Rearrangement { relocated } => relocated,
            _ => 0,
        };
        self.turn = Turn::Rearrangement { relocated: before | to.bit() };
    }

    fn put_back(&mut self, to: Cell) {
        let kind = self.returnable.expect("a return is due").kind;
        self.board.toggle(Piece { side: self.side, kind }, to);
        self.lend(kind);
        self.counters.count(false);
        self.returnable = None;
        self.en_passant = EnPassants::NONE;
        self.end_turn();
    }

    /// Step 5 of the page without the turn's end: the earlier pairs of this turn that are still valid, and that of this
    /// move, if it `may_be_answered` and has two squares.
    fn leave_pairs(&mut self, before: &Board, from: Cell, to: Cell, may_be_answered: bool) {
        let own = if self.turn == Turn::Begins { EnPassants::NONE } else { self.en_passant };
        self.en_passant = own.filtered(|pair| pair.piece != from);
        if may_be_answered && let Some(crossed) = crossed(before, from, to) {
            self.en_passant = self.en_passant.with(EnPassant { crossed, piece: to });
        }
    }

    /// Takes the side's piece off the square, if there is one.
    fn take_off(&mut self, side: Side, cell: Cell) -> Option<Kind> {
        if self.board.of(side) & cell.bit() == 0 {
            return None;
        }
        let kind = self.board.kind_at(cell)?;
        self.board.toggle(Piece { side, kind }, cell);
        Some(kind)
    }

    fn lend(&mut self, moved: Kind) {
        let Some(lent) = moved.lends() else { return };
        let powers = &mut self.powers[self.side.index()];
        *powers = match self.turn {
            Turn::MultiPiece(MultiPiece { officer_moved: true, .. }) => powers.and(lent),
            _ => lent,
        };
    }

    fn go_on_with_multi_piece(&mut self, from: Cell, moving: Kind) {
        let mut turn = match self.turn {
            Turn::MultiPiece(turn) => turn,
            _ => MultiPiece::default(),
        };
        turn.arenas |= 1 << from.arena().expect("a multi-piece move starts in arenas");
        turn.officer_moved |= !moving.is_pawn_like();
        turn.left_in_check |= self.in_check(self.side);
        self.turn = Turn::MultiPiece(turn);
    }

    fn end_turn(&mut self) {
        if !self.en_passant.is_empty() {
            let occupied = self.board.occupied();
            self.en_passant = self.en_passant.filtered(|pair| occupied & pair.crossed.bit() == 0);
        }
        self.turn = Turn::Begins;
        self.side = !self.side;
    }
}

/// The kind as which a whole piece moves, for dragons: knight and bishop are exchanged in the field of a cardinal.
fn as_moved(before: &Board, kind: Kind, from: Cell) -> Kind {
    let in_cardinal_field = || before.field_of(Kind::Cardinal) & from.bit() != 0;
    match kind {
        Kind::Knight if in_cardinal_field() => Kind::Bishop,
        Kind::Bishop if in_cardinal_field() => Kind::Knight,
        _ => kind,
    }
}

/// The square that a pawn or lancer crosses, if it moves two squares by its reach.
fn crossed(before: &Board, from: Cell, to: Cell) -> Option<Cell> {
    // A line of two steps changes the file or the rank by two; a single step never does, refracted or not.
    let (files, ranks) = (to.file() - from.file(), to.rank() - from.rank());
    if files.abs() < 2 && ranks.abs() < 2 {
        return None;
    }
    let is_diagonal = files.abs() == 2 && ranks.abs() == 2;
    let table = if is_diagonal { &DIAGONAL } else { orthogonal(before.refracting()) };
    // At most one line of two steps connects two squares.
    (0..4).find_map(|direction| {
        let first = table[from.index()].next[direction]?;
        (table[first.index()].next[direction] == Some(to)).then_some(first)
    })
}

/// Whether `to` is nearer to the side's promotion squares, by its rank.
const fn is_higher(side: Side, from: Cell, to: Cell) -> bool {
    match side {
        Side::White => from.rank() < to.rank(),
        Side::Black => to.rank() < from.rank(),
    }
}
