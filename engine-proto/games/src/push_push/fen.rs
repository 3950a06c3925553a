//! The text form of a position, and which texts are rejected (the rules page, section FEN fields).

use std::fmt;
use std::str::FromStr;

use super::PushPush;
use super::first_move::FirstStep;
use super::pieces::{Occupant, Value};
use super::terrain::{self, SIZE, bit};
use crate::fen::{self, Counters, FenError, shown};
use crate::{Side, Square};

/// The squares of each rank.
const WIDTHS: [u8; SIZE as usize] = [SIZE; SIZE as usize];

impl FromStr for PushPush {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [board, side, first, goal, quiet, ply] = fen::fields(text)?;
        let board = read_board(board)?;
        let position = Self {
            side: fen::side(side)?,
            first: read_first(first)?,
            goal: read_goal(goal)?,
            counters: Counters::read(quiet, ply)?,
            ..board
        };
        position.check_first()?;
        position.check_goal()?;
        Ok(position)
    }
}

impl fmt::Display for PushPush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write_board(f, &WIDTHS, |row, column| {
            self.occupant(square_at(row, column)).map(Occupant::sign)
        })?;
        write!(f, " {} ", self.side.letter())?;
        match self.first {
            Some(first) => write!(f, "{}{}", first.value as u8, first.square)?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", self.goal.map_or('-', Side::letter), self.counters)
    }
}

/// A position with this board; the other fields are White's at the start of a game.
fn read_board(text: &str) -> Result<PushPush, FenError> {
    let mut position = PushPush {
        sides: [0; 2],
        values: [0; 4],
        ball: 0,
        side: Side::White,
        first: None,
        goal: None,
        counters: Counters::default(),
    };
    fen::board(text, &WIDTHS, |row, column, sign| {
        let at = bit(square_at(row, column));
        let (present, most, whose) = match Occupant::from_sign(sign).ok_or_else(|| fen::unknown_sign(sign))? {
            Occupant::Ball => {
                let present = position.ball.count_ones();
                position.ball |= at;
                (present, 1, "the board".to_owned())
            }
            Occupant::Piece(side, value) => {
                let present = position.pieces_of(side, value).count_ones();
                position.sides[side.index()] |= at;
                position.values[value.index()] |= at;
                (present, value.most(), side.to_string())
            }
        };
        if present < most {
            Ok(())
        } else {
            Err(FenError::new("board", format!("{whose} may have only {most} of `{sign}`")))
        }
    })?;
    Ok(position)
}

/// The square of a row from the top and a column from the left.
const fn square_at(row: u8, column: u8) -> Square {
    Square { file: column, rank: SIZE - 1 - row }
}

fn read_first(text: &str) -> Result<Option<FirstStep>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let mut chars = text.chars();
    let digit = chars.next().and_then(|c| c.to_digit(10));
    let value = Value::ALL.into_iter().find(|value| digit == Some(*value as u32));
    let square = chars.as_str().parse().ok().filter(|square| terrain::has(*square));
    match (value, square) {
        (Some(value), Some(square)) => Ok(Some(FirstStep { value, square })),
        _ => Err(FenError::new("first", format!("`{}` is not `-` or a value and a square", shown(text)))),
    }
}

fn read_goal(text: &str) -> Result<Option<Side>, FenError> {
    match (text, Side::from_letter(text)) {
        ("-", _) => Ok(None),
        (_, Some(winner)) => Ok(Some(winner)),
        _ => Err(FenError::new("goal", format!("`{}` is not `-`, `w` or `b`", shown(text)))),
    }
}

/// Checks across fields.
impl PushPush {
    fn check_first(&self) -> Result<(), FenError> {
        let Some(FirstStep { value, square }) = self.first else {
            return Ok(());
        };
        if self.side != Side::Black || self.counters.ply != 1 {
            return Err(FenError::new("first", "it must be `-` unless Black is to move at ply 1"));
        }
        if self.occupant(square) != Some(Occupant::Piece(Side::White, value)) {
            return Err(FenError::new(
                "first",
                format!("no white piece of value {} on {square}", value as u8),
            ));
        }
        Ok(())
    }

    fn check_goal(&self) -> Result<(), FenError> {
        match (self.goal, self.ball) {
            (None, 0) => {
                Err(FenError::new("goal", "it is `-`: then a ball must be on the board, and there is none"))
            }
            (Some(_), 1..) => {
                Err(FenError::new("goal", "it names a winner, but the ball is still on the board"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_is_refused_unless_white_has_just_stepped_there() {
        let read = |side: &str, first: &str, ply: u32| {
            let text = format!("abcdcba/7/7/3*3/7/2C4/AB1DCBA {side} {first} - 1 {ply}");
            text.parse::<PushPush>().map_err(|error| error.field)
        };
        assert!(read("b", "3c2", 1).is_ok());
        assert!(read("b", "-", 1).is_ok());
        for first in
            ["3", "33c2", "3c22", "3c02", "3h2", "5c2", "3c7", "3d4", "c3c2", "é", "3é2", "--", "3c2d"]
        {
            assert_eq!(read("b", first, 1), Err("first"), "{first}");
        }
        for (side, ply) in [("w", 1), ("b", 0), ("b", 2)] {
            assert_eq!(read(side, "3c2", ply), Err("first"));
            assert!(read(side, "-", ply).is_ok());
        }
    }

    #[test]
    fn the_ball_is_on_the_board_or_in_a_goal() {
        let read = |ball: &str, goal: &str| {
            format!("7/7/7/{ball}/7/7/A6 w - {goal} 9 4").parse::<PushPush>().map_err(|error| error.field)
        };
        assert!(read("3*3", "-").is_ok());
        for goal in ["w", "b"] {
            assert!(read("7", goal).is_ok());
            assert_eq!(read("3*3", goal), Err("goal"));
        }
        for goal in ["-", "W", "x", "draw", "é"] {
            assert_eq!(read("7", goal), Err("goal"));
        }
    }

    #[test]
    fn no_side_has_more_pieces_than_at_the_start() {
        for (sign, most) in "AaBbCcDd*".chars().zip([2, 2, 2, 2, 2, 2, 1, 1, 1]) {
            let read = |n: usize| {
                let signs = sign.to_string().repeat(n);
                let goal = if sign == '*' { '-' } else { 'w' };
                format!("7/7/7/7/7/7/{signs}{} w - {goal} 0 0", 7 - n).parse::<PushPush>()
            };
            assert!(read(most).is_ok());
            assert_eq!(read(most + 1).map_err(|error| error.field), Err("board"));
        }
    }
}
