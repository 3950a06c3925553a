//! The drawing of a position.

use super::moves::Push;
use super::pieces::{Occupant, Value};
use super::terrain::{self, SIZE};
use super::{FirstStep, Move, PushPush};
use crate::bits::bits64;
use crate::scene::{Guide, Layout, Mark, Meaning, Note, Piece, PieceKind, Scene, Shift};
use crate::{Drawn, Position, Side, Square};

/// In the order of the values, the ball first.
pub(super) static KINDS: [PieceKind; 5] = [
    PieceKind::blank("ball", '*', ['◉'; 2]),
    numbered("one", 'A', ['①', '❶'], '1').moving("steps one square, pushes the ball, and captures a four"),
    numbered("two", 'B', ['②', '❷'], '2').moving(STEPS),
    numbered("three", 'C', ['③', '❸'], '3').moving(STEPS),
    numbered("four", 'D', ['④', '❹'], '4').moving(STEPS),
];

static GUIDE: Guide = Guide {
    marks: &[
        (Mark::Move, "can go there"),
        (Mark::Push, "goes there, and pushes what stands there"),
        (Mark::Capture, "removes a piece of the opponent"),
        (Mark::Own, "pushes a piece of your own off the board"),
        (Mark::Lose, "loses the match"),
    ],
    notation: &[
        ("a2a3", "a piece steps from a2 to a3, and pushes what stands there"),
        ("a2a3d", "the same along the edge, but the ball is deflected: it goes one square inwards"),
        ("pass", "only for a side that cannot move"),
    ],
    goal: "goal line",
    ..*Guide::PLAIN
};

const STEPS: &str = "steps one square, and pushes the ball and what is worth less than itself";

const fn numbered(name: &'static str, letter: char, signs: [char; 2], label: char) -> PieceKind {
    PieceKind { label: Some(label), ..PieceKind::new(name, letter, signs) }
}

impl Drawn for PushPush {
    fn layout(&self) -> Layout {
        let mut layout = Layout::rectangle(SIZE, SIZE);
        for ground in &mut layout.grounds {
            // The ball wins for White beyond rank 7, for Black beyond rank 1.
            ground.is_goal_of = [ground.square.rank == SIZE - 1, ground.square.rank == 0];
        }
        layout.legend = &[
            "White wins if the ball leaves the board beyond rank 7, Black if beyond rank 1, whoever pushes it",
        ];
        layout.guide = &GUIDE;
        layout
    }

    fn scene(&self) -> Scene {
        let pieces = bits64(self.occupied())
            .filter_map(|index| {
                let square = terrain::square(1 << index);
                Some(match self.occupant(square)? {
                    Occupant::Ball => Piece::new(square, None, &KINDS[0]),
                    Occupant::Piece(side, value) => Piece::new(square, Some(side), kind(value)),
                })
            })
            .collect();
        let mut notes = Vec::new();
        if let Some(FirstStep { value, square }) = self.first_step() {
            let name = kind(value).name;
            let ban =
                format!("must not bring a {name} into line with White's {name} on {square} and the centre");
            notes.push(Note::new("Black's first move", ban));
        }
        if let Some(winner) = self.goal() {
            let rank = if winner == Side::White { SIZE } else { 1 };
            notes.push(Note::new("the ball", format!("left the board beyond rank {rank}")));
        }
        Scene { pieces, notes, ..Scene::empty(self) }
    }

    fn meaning(&self, mv: Move, reader: Side) -> Option<Meaning> {
        let mover = self.side_to_move();
        let shifts = self.shifts(mv);
        let named = |shift: &Shift| match self.occupant(shift.from) {
            Some(Occupant::Piece(side, value)) => {
                let mark = if side == mover { Mark::Own } else { Mark::Capture };
                (mark, format!("{} {} on {}", side.whose(reader), kind(value).name, shift.from))
            }
            _ => (Mark::Push, "the ball".to_owned()),
        };
        let (first, last) = (shifts.first()?, shifts.last()?);
        if [first.files, first.ranks] == [0, 0] {
            return Some(Meaning::new(Mark::Capture, format!("captures {}", named(first).1)));
        }
        let to = |shift: &Shift| {
            let [file, rank] = [(shift.from.file, shift.files), (shift.from.rank, shift.ranks)]
                .map(|(at, by)| at.checked_add_signed(by));
            file.zip(rank).map(|(file, rank)| Square { file, rank })
        };
        let (mark, piece) = named(last);
        let all: Vec<_> = shifts.iter().map(|shift| named(shift).1).collect();
        Some(match (last.is_gone, to(last)) {
            (true, _) => Meaning::new(mark, format!("pushes {piece} off the board")),
            (false, Some(to)) if all.len() == 1 => {
                Meaning::new(Mark::Push, format!("pushes {piece} to {to}"))
            }
            _ => Meaning::new(Mark::Push, format!("pushes {}", all.join(", then "))),
        })
    }

    fn refusal(&self, from: Square, to: Square) -> Option<String> {
        if ![from, to].into_iter().all(terrain::has) {
            return None;
        }
        let [source, target] = [from, to].map(terrain::bit);
        let Some(direction) = terrain::Direction::between(source, target) else {
            return Some("that is too far: a piece steps one square".to_owned());
        };
        let mut pusher = self.value_at(source)?;
        if let Some(first) = self.first_step()
            && first.value == pusher
            && first.forbidden() & target != 0
        {
            let (name, square) = (kind(pusher).name, first.square);
            return Some(format!(
                "Black's first move must not bring a {name} into line with White's {name} on {square} and the centre"
            ));
        }
        let mut at = target;
        while at & terrain::BOARD != 0 {
            let square = terrain::square(at);
            let next = direction.ahead(at);
            match self.occupant(square)? {
                Occupant::Piece(_, value) if pusher <= value => {
                    let [own, other] = [pusher, value].map(|value| kind(value).name);
                    return Some(format!(
                        "a {own} cannot push the {other} on {square}: a piece pushes only what is worth less"
                    ));
                }
                Occupant::Piece(_, value) => pusher = value,
                Occupant::Ball if next & terrain::OPEN_TO_BALL == 0 => {
                    return Some("the ball cannot leave the board over the left or right edge".to_owned());
                }
                Occupant::Ball => return Some(format!("the ball on {square} cannot push what is behind it")),
            }
            at = next;
        }
        None
    }

    fn shifts(&self, mv: Move) -> Vec<Shift> {
        let Move::Step(step) = mv else { return Vec::new() };
        let way = Shift::between(step.from(), step.to());
        let prey = self.pieces_of(!self.side_to_move(), Value::Four) & step.target();
        if prey != 0 && self.of_value(Value::One) & step.source() != 0 {
            return vec![Shift::gone(step.to())];
        }
        let mut shifts = Vec::new();
        let mut beyond = step.target();
        while beyond & self.all_pieces() != 0 {
            let is_gone = step.direction().ahead(beyond) & terrain::BOARD == 0;
            shifts.push(Shift { from: terrain::square(beyond), is_gone, ..way });
            beyond = step.direction().ahead(beyond);
        }
        if beyond & self.ball() != 0 {
            let from = terrain::square(beyond);
            let to = match step.push() {
                Push::Normal => step.direction().ahead(beyond),
                Push::Deflected => terrain::deflected(beyond, step.direction()).unwrap_or_default(),
            };
            shifts.push(match to & terrain::BOARD {
                0 => Shift { from, is_gone: true, ..way },
                to => Shift::between(from, terrain::square(to)),
            });
        }
        shifts
    }
}

fn kind(value: Value) -> &'static PieceKind {
    &KINDS[value as usize]
}
