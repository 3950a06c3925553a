//! The places of the squares in a drawing: rows, columns, the lines between them and the coordinates at the edges. It
//! does not know the content of a square.

use super::signs::Body;
use crate::scene::{Effects, Ground, Layout, Scene};
use crate::{Side, Square};

/// The board as rows and columns, seen from one side.
pub(super) struct Grid<'a> {
    /// From the left.
    files: Vec<u8>,
    /// From the top.
    ranks: Vec<u8>,
    /// The square in every row and column.
    grounds: Vec<Vec<Option<&'a Ground>>>,
    /// The columns with space for lines before them; there is one more entry than columns.
    has_line_before_column: Vec<bool>,
    /// The rows with space for lines before them.
    has_line_before_row: Vec<bool>,
}

impl<'a> Grid<'a> {
    pub(super) fn of(layout: &'a Layout, bottom: Side) -> Self {
        let extent = |number: fn(Square) -> u8| {
            let numbers = layout.grounds.iter().map(|ground| number(ground.square));
            let (lowest, highest) = (numbers.clone().min(), numbers.max());
            (lowest.unwrap_or(0)..=highest.unwrap_or(0)).collect::<Vec<u8>>()
        };
        let (mut files, mut ranks) = (extent(|square| square.file), extent(|square| square.rank));
        match bottom {
            Side::White => ranks.reverse(),
            Side::Black => files.reverse(),
        }
        let grounds = ranks
            .iter()
            .map(|&rank| files.iter().map(|&file| layout.ground(Square { file, rank })).collect())
            .collect();
        let mut grid = Self {
            has_line_before_column: vec![false; files.len() + 1],
            has_line_before_row: vec![false; ranks.len() + 1],
            files,
            ranks,
            grounds,
        };
        for row in 0..=grid.ranks.len() {
            for column in 0..=grid.files.len() {
                grid.has_line_before_column[column] |= grid.is_line_left_of(row, column);
                grid.has_line_before_row[row] |= grid.is_line_above(row, column);
            }
        }
        grid
    }

    pub(super) fn draw(&self, scene: &Scene, effects: Option<&Effects>, body: &Body) -> String {
        let mut text = String::new();
        for row in 0..=self.ranks.len() {
            if self.has_line_before_row[row] {
                self.write_line_above(&mut text, row, body);
            }
            if row < self.ranks.len() {
                self.write_row(&mut text, row, scene, effects, body);
            }
        }
        self.write_files(&mut text, body);
        text
    }

    fn write_row(
        &self,
        text: &mut String,
        row: usize,
        scene: &Scene,
        effects: Option<&Effects>,
        body: &Body,
    ) {
        let mut line = format!("{:>2} ", self.ranks[row] + 1);
        for column in 0..=self.files.len() {
            if self.has_line_before_column[column] {
                let is_line = self.is_line_left_of(row, column);
                line.push(body.style.signs.line([is_line, false, is_line, false]));
            }
            match self.ground(row, column) {
                Some(ground) => body.write(&mut line, *ground, scene, effects),
                None => line.extend(std::iter::repeat_n(' ', body.width())),
            }
        }
        push_trimmed(text, &line);
    }

    fn write_line_above(&self, text: &mut String, row: usize, body: &Body) {
        let mut line = "   ".to_owned();
        for column in 0..=self.files.len() {
            let is_right = self.is_line_above(row, column);
            if self.has_line_before_column[column] {
                let is_up = row > 0 && self.is_line_left_of(row - 1, column);
                let is_left = column > 0 && self.is_line_above(row, column - 1);
                let is_down = self.is_line_left_of(row, column);
                line.push(body.style.signs.line([is_up, is_right, is_down, is_left]));
            }
            let sign = body.style.signs.line([false, is_right, false, is_right]);
            line.extend(std::iter::repeat_n(sign, body.width()));
        }
        push_trimmed(text, &line);
    }

    fn write_files(&self, text: &mut String, body: &Body) {
        let mut line = "   ".to_owned();
        for (column, file) in self.files.iter().enumerate() {
            if self.has_line_before_column[column] {
                line.push(' ');
            }
            let before = (body.width() - 1) / 2;
            line.extend(std::iter::repeat_n(' ', before));
            line.push(char::from(b'a' + file));
            line.extend(std::iter::repeat_n(' ', body.width() - 1 - before));
        }
        push_trimmed(text, &line);
    }

    /// The square in a row and column; `None` outside the board.
    fn ground(&self, row: usize, column: usize) -> Option<&'a Ground> {
        *self.grounds.get(row)?.get(column)?
    }

    /// Whether there is a line between the square in this row and column and the one to the left of it.
    fn is_line_left_of(&self, row: usize, column: usize) -> bool {
        let left = column.checked_sub(1).and_then(|left| self.ground(row, left));
        are_parted(left, self.ground(row, column))
    }

    /// Whether there is a line between the square in this row and column and the one above it.
    fn is_line_above(&self, row: usize, column: usize) -> bool {
        let above = row.checked_sub(1).and_then(|above| self.ground(above, column));
        are_parted(above, self.ground(row, column))
    }
}

fn are_parted(one: Option<&Ground>, other: Option<&Ground>) -> bool {
    one.map(|ground| ground.region) != other.map(|ground| ground.region)
}

fn push_trimmed(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}
