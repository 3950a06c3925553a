//! The matches as the page has them: columns of small numbers for the list, which is there at once, and the replays in
//! compressed blocks, which the browser unpacks when somebody asks for a match.

use std::collections::HashMap;
use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use engine_proto::GameId;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;

use super::board::{Board, Boards, Drawing, SceneChange};
use super::replayed::Replayed;
use crate::record::{MatchResult, Record, SideLetter};

/// So many matches are unpacked together. More make the page smaller, fewer open a replay faster.
const MATCHES_PER_BLOCK: usize = 64;
/// Evidence is cut to so many characters.
pub const LONGEST_EVIDENCE: usize = 4000;

/// All matches.
#[derive(Debug, Default)]
pub struct MatchTable {
    rows: Vec<Row>,
    openings: Texts,
    reasons: Texts,
    boards: Boards,
}

#[derive(Debug)]
struct Row {
    folder: usize,
    number: u32,
    game: GameId,
    opening: usize,
    white: usize,
    black: usize,
    result: MatchResult,
    reason: usize,
    plies: u32,
    white_ms: u64,
    black_ms: u64,
    /// The replay as JSON.
    replay: Vec<u8>,
}

/// The list as columns, row by row in the order of folders and numbers.
#[derive(Debug, Serialize)]
pub struct Columns<'a> {
    folder: Vec<usize>,
    number: Vec<u32>,
    /// Places among the page's games.
    game: Vec<usize>,
    /// Places among `openings`.
    opening: Vec<usize>,
    /// Places among the page's engines.
    white: Vec<usize>,
    black: Vec<usize>,
    /// White's points, doubled: 0, 1 or 2.
    result: Vec<u8>,
    /// Places among `reasons`.
    reason: Vec<usize>,
    plies: Vec<u32>,
    white_ms: Vec<u64>,
    black_ms: Vec<u64>,
    openings: &'a [String],
    reasons: &'a [String],
    per_block: usize,
}

/// What a replay shows beside the list's row.
#[derive(Serialize)]
struct Replay<'a> {
    moves: Vec<&'a str>,
    /// `w` or `b` for each move.
    sides: String,
    time_us: Vec<u64>,
    /// Hundredths, or the engine's words for a forced win or loss.
    scores: Vec<Option<Score<'a>>>,
    depths: Vec<Option<u32>>,
    nodes: Vec<Option<u64>>,
    /// How many characters each FEN has in common with the one before at its beginning and its end, and what is between.
    fens: Vec<(usize, usize, &'a str)>,
    board: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    heights: &'a str,
    scenes: &'a [SceneChange],
    /// `w` or `b`: whose move it is in the last position.
    next: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Score<'a> {
    Hundredths(i64),
    Words(&'a str),
}

impl MatchTable {
    /// Adds a match of the folder with the place `folder`, between the engines with these numbers.
    pub fn add(&mut self, record: &Record, replayed: &Replayed, folder: usize, engines: [usize; 2]) {
        let drawing = match &replayed.layout {
            Some(layout) => self.boards.drawing(record.game.0, layout, &replayed.scenes),
            None => Drawing::default(),
        };
        let replay = Replay::new(record, replayed, &drawing);
        self.rows.push(Row {
            folder,
            number: record.number,
            game: record.game.0,
            opening: self.openings.place(&record.opening),
            white: engines[0],
            black: engines[1],
            result: record.result,
            reason: self.reasons.place(&record.reason),
            plies: record.plies,
            white_ms: record.white_ms,
            black_ms: record.black_ms,
            replay: serde_json::to_vec(&replay).expect("texts and numbers are JSON"),
        });
    }

    /// Puts the matches in the order of folders and numbers, for the journal's is that in which they ended, and gives each
    /// engine its place on the page: `places` has it for every number that engines were added with.
    pub fn finish(&mut self, places: &[usize]) {
        self.rows.sort_by_key(|row| (row.folder, row.number));
        for row in &mut self.rows {
            (row.white, row.black) = (places[row.white], places[row.black]);
        }
    }

    /// The list; `games` are the page's.
    pub fn columns(&self, games: &[GameId]) -> Columns<'_> {
        fn column<T>(rows: &[Row], value: impl Fn(&Row) -> T) -> Vec<T> {
            rows.iter().map(value).collect()
        }
        let rows = &self.rows;
        let place = |game| games.iter().position(|&one| one == game).unwrap_or(games.len());
        Columns {
            folder: column(rows, |row| row.folder),
            number: column(rows, |row| row.number),
            game: column(rows, |row| place(row.game)),
            opening: column(rows, |row| row.opening),
            white: column(rows, |row| row.white),
            black: column(rows, |row| row.black),
            result: column(rows, |row| match row.result {
                MatchResult::BlackWins => 0,
                MatchResult::Draw => 1,
                MatchResult::WhiteWins => 2,
            }),
            reason: column(rows, |row| row.reason),
            plies: column(rows, |row| row.plies),
            white_ms: column(rows, |row| row.white_ms),
            black_ms: column(rows, |row| row.black_ms),
            openings: &self.openings.texts,
            reasons: &self.reasons.texts,
            per_block: MATCHES_PER_BLOCK,
        }
    }

    /// The boards that the replays are drawn on.
    pub fn boards(&self) -> Vec<&Board> {
        self.boards.all()
    }

    /// The replays, compressed: each block is Base64 of a zlib stream of a JSON array.
    pub fn blocks(&self) -> Vec<String> {
        self.rows.chunks(MATCHES_PER_BLOCK).map(block).collect()
    }
}

fn block(rows: &[Row]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut write = |bytes: &[u8]| encoder.write_all(bytes).expect("a Vec takes all");
    for (idx, row) in rows.iter().enumerate() {
        write(if idx == 0 { b"[" } else { b"," });
        write(&row.replay);
    }
    write(b"]");
    BASE64.encode(encoder.finish().expect("a Vec takes all"))
}

impl<'a> Replay<'a> {
    fn new(record: &'a Record, replayed: &'a Replayed, drawing: &'a Drawing) -> Self {
        let moves = &record.moves;
        let letter = |side: SideLetter| if side == SideLetter::White { 'w' } else { 'b' };
        Self {
            moves: moves.iter().map(|mv| mv.mv.as_str()).collect(),
            sides: moves.iter().map(|mv| letter(mv.side)).collect(),
            time_us: moves.iter().map(|mv| mv.time_us).collect(),
            scores: moves.iter().map(|mv| mv.score.as_deref().map(Score::of)).collect(),
            depths: moves.iter().map(|mv| mv.depth).collect(),
            nodes: moves.iter().map(|mv| mv.nodes).collect(),
            fens: differences(&replayed.fens),
            board: drawing.board,
            heights: &drawing.heights,
            scenes: &drawing.changes,
            next: drawing.side_to_move.map(|side| letter(side.into())),
            evidence: record.evidence.as_deref().map(shortened),
            problem: replayed.problem.as_deref(),
        }
    }
}

impl<'a> Score<'a> {
    fn of(text: &'a str) -> Self {
        let hundredths = text.strip_prefix("cp ").and_then(|number| number.parse().ok());
        hundredths.map_or(Self::Words(text), Self::Hundredths)
    }
}

/// Each text by what it has not in common with the one before, the first with an empty one. Lengths are in characters of
/// FENs, which are ASCII.
fn differences(texts: &[String]) -> Vec<(usize, usize, &str)> {
    let before = std::iter::once("").chain(texts.iter().map(String::as_str));
    before.zip(texts).map(|(before, text)| difference(before, text)).collect()
}

fn difference<'a>(before: &str, text: &'a str) -> (usize, usize, &'a str) {
    let most = before.len().min(text.len());
    let alike = |(one, other): &(u8, u8)| one == other;
    let head = before.bytes().zip(text.bytes()).take_while(alike).count();
    let tail = before.bytes().rev().zip(text.bytes().rev()).take(most - head).take_while(alike).count();
    (head, tail, &text[head..text.len() - tail])
}

/// A text cut to a length fit for a page.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_EVIDENCE) {
        None => text.to_owned(),
        Some((end, _)) => {
            format!("{} ... (cut here: all of it is in matches.jsonl)", &text[..end])
        }
    }
}

/// Texts, each kept once.
#[derive(Debug, Default)]
struct Texts {
    texts: Vec<String>,
    places: HashMap<String, usize>,
}

impl Texts {
    fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.texts.len();
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }
}
