//! The matches for the page: columns of small numbers for the list, and the replays in compressed blocks, which the
//! browser unpacks when a match is opened.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use engine_proto::Games;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::board::{Board, Boards, Drawing};
use super::played_game::PlayedGame;
use super::reasons;
use super::replayed::Replayed;
use model::referee::Reason;
use model::{MoveRecord, Record, SideLetter};
use ratings::{Ending, FinishedMatch, MatchResult};
use schedule::pgn::comment::{Comment, clock_ms, command};
use schedule::pgn::{Game, without_mark};

/// Number of matches per block. More make the page smaller, fewer open a replay faster.
const MATCHES_PER_BLOCK: usize = 64;
/// The maximum number of moves of a principal variation; the journal has more.
const MOVES_PER_LINE: usize = 8;
/// The same for more than [`MANY_MATCHES`], so that 10,000 matches make less than 25 MB.
const MOVES_PER_LINE_OF_MANY: usize = 4;
const MANY_MATCHES: usize = 5000;
/// The maximum number of characters of evidence.
pub const LONGEST_EVIDENCE: usize = 4000;

/// The maximum number of matches of a file of another tool that have a replay: a run of more matches writes no page.
pub const MOST_REPLAYED: u32 = 10_000;

/// The reason of a match of a file that does not have it.
pub const NOT_RECORDED: &str = "not recorded";

/// All matches.
#[derive(Debug, Default)]
pub struct MatchTable {
    rows: Vec<Row>,
    openings: Texts,
    reasons: Texts,
    pairs: Texts,
    boards: Boards,
}

#[derive(Debug)]
struct Row {
    folder: usize,
    number: u32,
    game: PlayedGame,
    opening: usize,
    white: usize,
    black: usize,
    result: MatchResult,
    reason: usize,
    /// A number that both matches of a pair have, unique in their folder; `None` if the pair is not known.
    pair: Option<usize>,
    told: InFile,
    /// The times of White and Black, if they are known.
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    /// The replay: each of the [`FIELDS`] as JSON.
    replay: Vec<String>,
}

/// The list as columns, sorted by folder and number.
#[derive(Debug, Serialize)]
pub struct Columns<'a> {
    folder: Vec<usize>,
    number: Vec<u32>,
    /// Indices in the page's list of games.
    game: Vec<usize>,
    /// Indices in `openings`.
    opening: Vec<usize>,
    /// Indices in the page's list of engines.
    white: Vec<usize>,
    black: Vec<usize>,
    /// Twice White's points: 0, 1 or 2.
    result: Vec<u8>,
    /// Indices in `reasons`.
    reason: Vec<usize>,
    /// 1 if an engine is at fault.
    fault: Vec<u8>,
    plies: Vec<Option<u32>>,
    /// Equal numbers of one folder are those of one pair.
    pair: Vec<Option<usize>>,
    #[serde(skip_serializing_if = "are_unknown")]
    round: Vec<Option<&'a str>>,
    #[serde(skip_serializing_if = "are_unknown")]
    date: Vec<Option<&'a str>>,
    white_ms: Vec<Option<u64>>,
    black_ms: Vec<Option<u64>>,
    openings: &'a [String],
    reasons: &'a [String],
    /// The reasons as people read them.
    reason_words: Vec<Cow<'a, str>>,
    per_block: usize,
}

fn are_unknown(values: &[Option<&str>]) -> bool {
    values.iter().all(Option::is_none)
}

/// The fields of a replay in addition to the list's row, by their names in the scripts.
const FIELDS: [&str; 13] = [
    "moves", "sides", "time_us", "scores", "depths", "nodes", "lines", "fens", "board", "heights", "scenes",
    "next", "rest",
];

/// What the list says of a match, from a file of another tool.
#[derive(Clone, Debug, Default)]
pub struct InFile {
    /// The opening, by a name or a FEN; may be empty.
    pub opening: String,
    /// The number of plies, if it is known; not all of them may be replayed.
    pub plies: Option<u32>,
    /// The time that White and Black used, in milliseconds, if the file says it and not the moves.
    pub times_ms: Option<[u64; 2]>,
    /// The round, as it is written.
    pub round: Option<String>,
    /// The day, as it is written.
    pub date: Option<String>,
    /// The same for both matches of a pair, if the file says it.
    pub pair: Option<String>,
    /// The place among the games of a PGN file, which `arena analyse` opens.
    pub place: Option<u32>,
    /// The game there, until the replay is made.
    pub game: Option<Game>,
}

struct Replay<'a> {
    place: Option<u32>,
    game: Option<&'a Game>,
    record: &'a Record,
    replayed: &'a Replayed,
    drawing: &'a Drawing,
}

/// Fields that only few replays have.
#[derive(Default, Serialize)]
struct Rest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
    /// The illegal move that ended the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    pair: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a str>,
    /// What is wrong with the move at which the replay ends, if it is not illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'static str>,
    /// Whether something else than the rules ended the match: a resignation, an adjudication, a fault.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_stopped: bool,
    /// The names of the squares of the pattern that won the match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    winning: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    written: Vec<String>,
    #[serde(flatten)]
    pgn: Option<InPgn<'a>>,
}

/// What a PGN file says of a match in addition to its moves.
#[derive(Serialize)]
struct InPgn<'a> {
    tags: Vec<(&'a str, &'a str)>,
    /// The words before the first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    introduction: String,
    /// The words of the comment behind each move; empty if there are none.
    remarks: Vec<String>,
    /// Whether somebody has evaluated the match (`[%eval 0.31]`), and not its players.
    is_annotated: bool,
    /// What the clock shows after each move, in milliseconds; empty if it is not known.
    clocks_ms: Vec<Option<u64>>,
    /// The moves that cannot be replayed, as they are written, each with its comment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

/// A score as the engine reported it: hundredths, or the words for a forced win or loss.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Score<'a> {
    /// Hundredths of the engine's unit.
    Hundredths(i64),
    /// A forced win or loss.
    Words(&'a str),
}

impl MatchTable {
    /// Adds a match of the folder or file with the index `folder`, between the engines with these numbers. Returns the index
    /// of its board.
    pub fn add(
        &mut self,
        games: &Games,
        record: &Record,
        replayed: &Replayed,
        (folder, in_file): (usize, Option<InFile>),
        engines: [usize; 2],
    ) -> usize {
        let drawing = match &replayed.layout {
            Some(layout) => self.boards.drawing(games, record.game, layout, &replayed.scenes),
            None => Drawing::default(),
        };
        let has_times = in_file.is_none() || record.moves.iter().any(|mv| mv.known_time_us().is_some());
        let pair = match &in_file {
            None => Some(record.pair as usize),
            Some(told) => told.pair.as_deref().map(|pair| self.pairs.place(pair)),
        };
        let (opening, plies) = (record.opening.clone(), Some(record.plies));
        let mut told = in_file.unwrap_or_else(|| InFile { opening, plies, ..InFile::default() });
        let game = told.game.take();
        let replay = Replay { place: told.place, game: game.as_ref(), record, replayed, drawing: &drawing };
        self.rows.push(Row {
            folder,
            number: record.number,
            game: PlayedGame::of(record),
            opening: self.openings.place(&told.opening),
            white: engines[0],
            black: engines[1],
            result: record.result,
            reason: self.reasons.place(&record.reason),
            pair,
            told,
            white_ms: has_times.then_some(record.white_ms),
            black_ms: has_times.then_some(record.black_ms),
            replay: replay.fields(),
        });
        drawing.board
    }

    /// Adds a match without a replay; the moves of a PGN file are listed as they are written.
    pub fn add_result(
        &mut self,
        game: PlayedGame,
        played: &FinishedMatch<'_>,
        reason: &str,
        mut told: InFile,
        id: (usize, u32),
        engines: [usize; 2],
    ) {
        const NO_REPLAY: &str = "no replay: results folders have them, and the first 10,000 matches of a PGN file if the game is known";
        const NO_MOVES: &str = "no replay: the file has no moves of this match";
        const NO_BOARD: &str = "no board: the arena does not know the game, or not its first position";
        let place = told.place.filter(|_| game.known().is_some());
        let pgn = told.game.take();
        let words = pgn.as_ref().map_or(&[][..], |pgn| &pgn.words);
        let problem = match (&pgn, words.is_empty()) {
            (Some(_), true) => NO_MOVES,
            (None, _) => NO_REPLAY,
            (Some(_), false) => NO_BOARD,
        };
        let is_blacks = played.opening.is_some_and(|fen| fen.split(' ').nth(1) == Some("b"));
        let sides = (0..words.len()).map(|idx| if (idx % 2 == 0) == is_blacks { 'b' } else { 'w' });
        let replay = FIELDS.map(|field| match field {
            "moves" => json!(words),
            "sides" => json!(sides.clone().collect::<String>()),
            "time_us" => json!(vec![0; words.len()]),
            "scores" | "depths" | "nodes" | "lines" => json!(vec![Value::Null; words.len()]),
            "heights" => json!(""),
            "board" | "next" => Value::Null,
            "rest" => {
                json!(Rest {
                    problem: Some(problem),
                    place,
                    pgn: pgn.as_ref().map(|pgn| InPgn::of(pgn, words.len())),
                    ..Rest::default()
                })
            }
            _ => json!([]),
        });
        let [white_ms, black_ms] = told.times_ms.map_or([None; 2], |times| times.map(Some));
        self.rows.push(Row {
            folder: id.0,
            number: id.1,
            game,
            opening: self.openings.place(&told.opening),
            white: engines[0],
            black: engines[1],
            result: played.result,
            reason: self.reasons.place(reason),
            pair: told.pair.as_deref().map(|pair| self.pairs.place(pair)),
            told,
            white_ms,
            black_ms,
            replay: replay.iter().map(Value::to_string).collect(),
        });
    }

    /// Sorts the matches by folder and number, because the journal has the order in which they ended. Replaces each
    /// engine's number by its index on the page, from `places`.
    pub fn finish(&mut self, places: &[usize]) {
        self.rows.sort_by_key(|row| (row.folder, row.number));
        for row in &mut self.rows {
            (row.white, row.black) = (places[row.white], places[row.black]);
        }
        if MANY_MATCHES < self.rows.len() {
            let field = FIELDS.iter().position(|field| *field == "lines").expect("it is one of them");
            self.rows.par_iter_mut().for_each(|row| row.replay[field] = shorter_lines(&row.replay[field]));
        }
    }

    /// The columns; `games` is the page's list of games.
    pub fn columns(&self, games: &[PlayedGame]) -> Columns<'_> {
        fn column<T>(rows: &[Row], value: impl Fn(&Row) -> T) -> Vec<T> {
            rows.iter().map(value).collect()
        }
        let rows = &self.rows;
        let place = |game: &PlayedGame| games.iter().position(|one| one == game).unwrap_or(games.len());
        Columns {
            folder: column(rows, |row| row.folder),
            number: column(rows, |row| row.number),
            game: column(rows, |row| place(&row.game)),
            opening: column(rows, |row| row.opening),
            white: column(rows, |row| row.white),
            black: column(rows, |row| row.black),
            result: column(rows, |row| match row.result {
                MatchResult::BlackWins => 0,
                MatchResult::Draw => 1,
                MatchResult::WhiteWins => 2,
            }),
            reason: column(rows, |row| row.reason),
            fault: column(rows, |row| {
                Ending::of_reason(&self.reasons.texts[row.reason]).is_fault(row.result).into()
            }),
            plies: column(rows, |row| row.told.plies),
            pair: column(rows, |row| row.pair),
            round: rows.iter().map(|row| row.told.round.as_deref()).collect(),
            date: rows.iter().map(|row| row.told.date.as_deref()).collect(),
            white_ms: column(rows, |row| row.white_ms),
            black_ms: column(rows, |row| row.black_ms),
            openings: &self.openings.texts,
            reasons: &self.reasons.texts,
            reason_words: self.reasons.texts.iter().map(|reason| reasons::in_words(reason)).collect(),
            per_block: MATCHES_PER_BLOCK,
        }
    }

    /// Whether it is known which matches ended by a fault: a replay can tell a checkmate, but not that.
    pub fn has_reasons(&self) -> bool {
        let mut reasons = self.reasons.texts.iter();
        reasons.clone().all(|reason| reason != NOT_RECORDED)
            || reasons.any(|reason| Ending::of_reason(reason) != Ending::Played)
    }

    /// The boards that the replays are drawn on.
    pub fn boards(&self) -> Vec<&Board> {
        self.boards.all()
    }

    /// The compressed replays: each block is a zlib stream of JSON in Base64.
    pub fn blocks(&self) -> Vec<String> {
        self.rows.par_chunks(MATCHES_PER_BLOCK).map(block).collect()
    }
}

/// The replays of some rows: an object with an array for each field. Similar data is adjacent and compresses better.
fn block(rows: &[Row]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut write = |text: &str| encoder.write_all(text.as_bytes()).expect("a Vec takes all");
    for (field, name) in FIELDS.iter().enumerate() {
        write(if field == 0 { "{" } else { "," });
        write(&format!("\"{name}\":"));
        for (idx, row) in rows.iter().enumerate() {
            write(if idx == 0 { "[" } else { "," });
            write(&row.replay[field]);
        }
        write("]");
    }
    write("}");
    BASE64.encode(encoder.finish().expect("a Vec takes all"))
}

impl Replay<'_> {
    /// The values of [`FIELDS`] as JSON.
    fn fields(&self) -> Vec<String> {
        fn json(value: &impl Serialize) -> String {
            serde_json::to_string(value).expect("texts and numbers are JSON")
        }
        fn column<'a, T: Serialize>(moves: &'a [MoveRecord], value: impl Fn(&'a MoveRecord) -> T) -> String {
            json(&moves.iter().map(value).collect::<Vec<T>>())
        }
        let Self { place, game, record, replayed, drawing } = *self;
        let moves = &record.moves;
        let letter = |side: SideLetter| if side == SideLetter::White { 'w' } else { 'b' };
        let rest = Rest {
            evidence: record.evidence.as_deref().map(shortened),
            refused: refused(record),
            date: record.date.as_deref(),
            pair: record.pair,
            place,
            problem: replayed.problem.as_deref(),
            refusal: replayed.refusal,
            is_stopped: replayed.end.is_none(),
            winning: replayed.winning.iter().map(ToString::to_string).collect(),
            written: replayed
                .written
                .iter()
                .enumerate()
                .map(|(idx, mv)| format!("{mv}{}", mark(game, idx)))
                .collect(),
            pgn: game.map(|game| InPgn::of(game, moves.len())),
        };
        let fields: [String; FIELDS.len()] = [
            column(moves, |mv| &mv.mv),
            json(&moves.iter().map(|mv| letter(mv.side)).collect::<String>()),
            column(moves, |mv| mv.time_us),
            column(moves, |mv| mv.score.as_deref().map(Score::of)),
            column(moves, |mv| mv.depth),
            column(moves, |mv| mv.nodes),
            column(moves, |mv| {
                mv.principal_variation.as_deref().map(|line| first_moves(line, MOVES_PER_LINE))
            }),
            json(&differences(&replayed.fens)),
            json(&drawing.board),
            json(&drawing.heights),
            json(&drawing.changes),
            json(&drawing.side_to_move.map(|side| letter(side.into()))),
            json(&rest),
        ];
        fields.into()
    }
}

impl<'a> InPgn<'a> {
    /// Of `game`, whose first `n_read` moves are read.
    fn of(game: &'a Game, n_read: usize) -> Self {
        let comments: Vec<_> = game.comments.iter().map(|text| Comment::read(text)).collect();
        let is_annotated = game.comments.iter().any(|text| command(text, "eval").is_some())
            && comments.iter().all(|told| told.score.is_none());
        let mut remarks: Vec<_> = comments.into_iter().map(|told| told.words).collect();
        if remarks.iter().all(String::is_empty) {
            remarks.clear();
        }
        let introduction = Comment::read(&game.introduction).words;
        let mut clocks_ms: Vec<_> = game.comments.iter().map(|text| clock_ms(text)).collect();
        if clocks_ms.iter().all(Option::is_none) {
            clocks_ms.clear();
        }
        let tags = game.tags.iter().filter(|tag| tag.value.len() <= LONGEST_EVIDENCE);
        let tags = tags.map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
        let written = |(word, comment): (&String, &String)| match comment.trim() {
            "" => word.clone(),
            comment => format!("{word} {{{comment}}}"),
        };
        let unread = game.words.iter().zip(&game.comments).skip(n_read).map(written).collect();
        Self { tags, introduction, remarks, is_annotated, clocks_ms, unread }
    }
}

/// The mark that a PGN file has behind a move, such as `?!`.
fn mark(game: Option<&Game>, idx: usize) -> &str {
    let word = game.and_then(|game| game.words.get(idx)).map_or("", String::as_str);
    &word[without_mark(word).len()..]
}

impl<'a> Score<'a> {
    /// The score with this spelling in a record.
    pub fn of(text: &'a str) -> Self {
        let hundredths = text.strip_prefix("cp ").and_then(|number| number.parse().ok());
        hundredths.map_or(Self::Words(text), Self::Hundredths)
    }
}

/// The illegal move that a match ended with: its evidence begins with it.
fn refused(record: &Record) -> Option<&str> {
    let evidence = record.evidence.as_deref().filter(|_| record.reason == Reason::IllegalMove.text())?;
    evidence.strip_prefix('`')?.split('`').next()
}

/// The first moves of a principal variation.
fn first_moves(line: &str, most: usize) -> &str {
    line.match_indices(' ').nth(most - 1).map_or(line, |(end, _)| &line[..end])
}

/// The lines of a replay with fewer moves.
fn shorter_lines(json: &str) -> String {
    let lines: Vec<Option<String>> = serde_json::from_str(json).expect("it was written as JSON");
    let short: Vec<_> = lines
        .iter()
        .map(|line| line.as_deref().map(|line| first_moves(line, MOVES_PER_LINE_OF_MANY)))
        .collect();
    serde_json::to_string(&short).expect("texts are JSON")
}

/// Each FEN as its difference to the one before, the first one to an empty text. A FEN is split at blanks and slashes.
/// A difference is the index and the text of each part that changed, or the whole FEN if the number of parts changed.
fn differences(fens: &[String]) -> Vec<Vec<Part<'_>>> {
    let before = std::iter::once("").chain(fens.iter().map(String::as_str));
    before.zip(fens).map(|(before, fen)| difference(before, fen)).collect()
}

fn difference<'a>(before: &str, fen: &'a str) -> Vec<Part<'a>> {
    let parts = |fen: &'a str| fen.split([' ', '/']);
    let old: Vec<&str> = before.split([' ', '/']).collect();
    if parts(fen).count() != old.len() {
        return vec![Part::Text(fen)];
    }
    let changed = parts(fen).zip(old).enumerate().filter(|(_, (new, old))| new != old);
    changed.flat_map(|(place, (new, _))| [Part::Place(place), Part::Text(new)]).collect()
}

/// A part of a FEN, or its index.
#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Place(usize),
    Text(&'a str),
}

/// The text, shortened for the page.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_EVIDENCE) {
        None => text.to_owned(),
        Some((end, _)) => {
            format!("{} ... (shortened; the full text is in matches.jsonl)", &text[..end])
        }
    }
}

/// Texts, each stored once.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_between_moves() {
        assert_eq!(first_moves("a1a2 b1b2 c1c2", 2), "a1a2 b1b2");
        assert_eq!(first_moves("a1a2 b1b2", 2), "a1a2 b1b2");
        assert_eq!(shorter_lines(r#"["a b c d e f",null,"<\\script"]"#), r#"["a b c d",null,"<\\script"]"#);
    }
}
