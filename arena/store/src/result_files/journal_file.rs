//! Reads the arena's `matches.jsonl` line by line: the data for ratings, and moves as a fingerprint.

use std::borrow::Cow;
use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;

use super::error::ReadError;
use super::row::{Field, Place, Row, Source, Take, Told, fingerprint};
use crate::{BadLine, JournalReader};
use ratings::{Ending, MoveList};

/// Passes the matches of a journal to `take`, in the order in which they ended. Ignores an incomplete last line, which
/// a killed arena leaves; returns whether there is one.
pub(super) fn read(path: &Path, input: impl BufRead, take: &mut Take<'_>) -> Result<bool, ReadError> {
    let mut lines = JournalReader::new(input);
    while let Some(line) = lines.next_line().map_err(|error| ReadError::read(path, error))? {
        if line.text().is_empty() {
            continue;
        }
        let told: JournalLine<'_> = match line.parse() {
            Ok(told) => told,
            Err(BadLine::Torn) => return Ok(true),
            Err(error) => {
                let (file, line, problem) = (path.to_owned(), line.number, error.to_string());
                return Err(ReadError::Journal { file, line, problem });
            }
        };
        told.hand_to(take, &Line { path, number: line.number, text: line.text() })?;
    }
    Ok(false)
}

/// The parts of a line that are needed.
#[derive(Deserialize)]
struct JournalLine<'a> {
    #[serde(rename = "match")]
    number: u32,
    pair: u32,
    #[serde(borrow)]
    game: Cow<'a, str>,
    #[serde(default, borrow)]
    limits: Option<Cow<'a, str>>,
    #[serde(borrow)]
    opening: Cow<'a, str>,
    #[serde(borrow)]
    white: Cow<'a, str>,
    #[serde(borrow)]
    black: Cow<'a, str>,
    #[serde(default, borrow)]
    white_build: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    black_build: Option<Cow<'a, str>>,
    #[serde(borrow)]
    result: Cow<'a, str>,
    #[serde(borrow)]
    reason: Cow<'a, str>,
    plies: u32,
    white_ms: u64,
    black_ms: u64,
    #[serde(borrow)]
    moves: Vec<ToldMove<'a>>,
}

#[derive(Deserialize)]
struct ToldMove<'a> {
    #[serde(rename = "move", borrow)]
    mv: Cow<'a, str>,
}

struct Line<'a> {
    path: &'a Path,
    number: u64,
    text: &'a [u8],
}

impl JournalLine<'_> {
    fn hand_to(&self, take: &mut Take<'_>, line: &Line<'_>) -> Result<(), ReadError> {
        for (field, name) in
            [(Field::Game, &self.game), (Field::White, &self.white), (Field::Black, &self.black)]
        {
            if name.is_empty() {
                return Err(line.wrong(field, "a name is missing".to_owned()));
            }
        }
        let row = Row {
            game: &self.game,
            limits: self.limits.as_deref(),
            white: &self.white,
            black: &self.black,
            builds: [self.white_build.as_deref(), self.black_build.as_deref()],
            result: &self.result,
            pair: Some(&self.pair.to_string()),
            opening: Some(self.opening.as_ref()).filter(|opening| !opening.is_empty()),
            id: Some(&self.number.to_string()),
            detail: Some(fingerprint([
                self.plies.to_string(),
                self.white_ms.to_string(),
                self.black_ms.to_string(),
            ])),
            moves: MoveList::of(self.moves.iter().map(|told| told.mv.as_ref())),
            ending: Ending::of_reason(&self.reason),
            told: Told { reason: Some(&self.reason), ..Told::default() },
            number: Some(self.number),
            place: Place { line: line.number, byte: None },
        };
        take(&row, line)
    }
}

impl Source for Line<'_> {
    fn wrong(&self, field: Field, problem: String) -> ReadError {
        let name = match field {
            Field::Game => "game",
            Field::White => "white",
            Field::Black => "black",
            Field::Result => "result",
        };
        ReadError::Value {
            file: self.path.to_owned(),
            line: self.number,
            kind: "key",
            name: name.to_owned(),
            problem,
        }
    }

    fn content(&self) -> Option<u64> {
        Some(fingerprint(self.text))
    }
}
