//! The state of a tournament with rounds as tables, for the terminal and for pages. It computes nothing.

use std::fmt;

use serde::Serialize;

/// A table of a tournament with rounds: the standings of a Swiss tournament, or the meetings of all rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundTable {
    /// What it shows, and how far the tournament is.
    pub title: String,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// Whether it has numbers, which are aligned on the right.
    pub is_number: bool,
}

impl Column {
    /// A column of words.
    pub(super) const fn text(name: &'static str) -> Self {
        Self { name, is_number: false }
    }

    /// A column of numbers.
    pub(super) const fn number(name: &'static str) -> Self {
        Self { name, is_number: true }
    }
}

/// A meeting of two engines in a round.
#[derive(Clone, Debug)]
pub(super) struct MeetingRow {
    pub(super) round: String,
    pub(super) first: String,
    /// Nobody if the first engine has a bye.
    pub(super) second: Option<String>,
    /// In half points.
    pub(super) scored: [u32; 2],
    pub(super) note: String,
}

impl RoundTable {
    /// The meetings of all rounds.
    pub(super) fn of_meetings(title: String, meetings: impl IntoIterator<Item = MeetingRow>) -> Self {
        let row = |MeetingRow { round, first, second, scored, note }: MeetingRow| {
            let score = second.as_ref().map(|_| format!("{} - {}", points(scored[0]), points(scored[1])));
            vec![round, first, score.unwrap_or_default(), second.unwrap_or_else(|| "bye".to_owned()), note]
        };
        let rows: Vec<_> = meetings.into_iter().map(row).collect();
        let columns = ["Round", "Engine", "Score", "Opponent", "Note"].map(Column::text).to_vec();
        Self { title, columns, rows }
    }
}

/// Points, given in half points.
pub(super) fn points(half: u32) -> String {
    format!("{:.1}", f64::from(half) / 2.0)
}

impl fmt::Display for RoundTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        let heads: Vec<String> = self.columns.iter().map(|column| column.name.to_owned()).collect();
        let lines = || std::iter::once(&heads).chain(&self.rows);
        let is_used = |idx: usize| self.rows.iter().any(|row| !row[idx].is_empty());
        let width = |idx: usize| lines().map(|line| line[idx].chars().count()).max().unwrap_or_default();
        let columns: Vec<_> =
            (0..heads.len()).filter(|idx| is_used(*idx)).map(|idx| (idx, width(idx))).collect();
        for line in lines() {
            let cell = |&(idx, width): &(usize, usize)| {
                let cell = &line[idx];
                if self.columns[idx].is_number {
                    format!("  {cell:>width$}")
                } else {
                    format!("  {cell:<width$}")
                }
            };
            writeln!(f, "{}", columns.iter().map(cell).collect::<String>().trim_end())?;
        }
        Ok(())
    }
}
