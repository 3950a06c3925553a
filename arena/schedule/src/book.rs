//! Opening books: positions from a file of FENs or EPDs, one per line, or from the games of a PGN file.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine_proto::{AnyGame, AnyPlay, GameId, Games};

use super::openings::OpeningsError;
use crate::pgn::{Game, Parser, PgnError};
use model::{Book, BookOrder};

/// The openings of a book in the order in which they are played. `seed` is the tournament's.
///
/// # Errors
/// If the file cannot be read or has no opening, or one of its entries is not a position of the game, or one that is over.
pub fn read(
    games: &Games,
    game: GameId,
    path: &Path,
    book: &Book,
    seed: u64,
) -> Result<Vec<String>, OpeningsError> {
    let rules = games.get(game).map_err(|error| unreadable(path, error.to_string()))?;
    let mut fens = if is_pgn(path) { of_games(rules, path, book.plies)? } else { of_lines(rules, path)? };
    if fens.is_empty() {
        return Err(OpeningsError::Empty { path: path.to_owned() });
    }
    if book.order == BookOrder::Random {
        shuffle(&mut fens, seed);
    }
    let skipped = book.start.saturating_sub(1) as usize;
    if fens.len() <= skipped {
        return Err(OpeningsError::NoSuchStart {
            path: path.to_owned(),
            start: book.start,
            found: fens.len(),
        });
    }
    fens.rotate_left(skipped);
    Ok(fens)
}

/// Whether a file is read as PGN.
pub fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

/// A larger file is no book, but a mistake.
const MOST_BYTES: u64 = 1 << 30;

/// Opens a book. A device or a pipe has no end, or can be read only once.
fn open(path: &Path) -> Result<impl Read, OpeningsError> {
    let cannot = |error: io::Error| unreadable(path, error.to_string());
    // Asked before, because a pipe that nobody writes to cannot be opened.
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(unreadable(path, "it is not a file".to_owned()));
    }
    if metadata.len() > MOST_BYTES {
        return Err(unreadable(path, "it has more than 1 GiB; split it".to_owned()));
    }
    Ok(File::open(path).map_err(cannot)?.take(MOST_BYTES))
}

fn unreadable(path: &Path, reason: String) -> OpeningsError {
    OpeningsError::Unreadable { path: path.to_owned(), reason }
}

fn of_lines(rules: &dyn AnyGame, path: &Path) -> Result<Vec<String>, OpeningsError> {
    let unreadable = |error: io::Error| unreadable(path, error.to_string());
    let mut text = String::new();
    open(path)?.read_to_string(&mut text).map_err(unreadable)?;
    let mut fens = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |reason: String| OpeningsError::Line { path: path.to_owned(), line: idx + 1, reason };
        let play = rules.import(line).map_err(|error| wrong(error.to_string()))?;
        fens.push(fen_of(play.as_ref()).map_err(wrong)?);
    }
    Ok(fens)
}

/// The positions after the first `plies` moves of each game, or after all of them.
fn of_games(rules: &dyn AnyGame, path: &Path, plies: Option<u32>) -> Result<Vec<String>, OpeningsError> {
    let mut parser = Parser::with_moves(BufReader::new(open(path)?));
    let mut fens = Vec::new();
    loop {
        let wrong = |line: u64, reason: String| OpeningsError::Line {
            path: path.to_owned(),
            line: line as usize,
            reason,
        };
        let recorded = match parser.next_game() {
            Ok(Some(recorded)) => recorded,
            Ok(None) => return Ok(fens),
            Err(PgnError::Read(error)) => return Err(unreadable(path, error.to_string())),
            Err(PgnError::Torn { line }) => {
                return Err(wrong(line, "the last game is incomplete".to_owned()));
            }
            Err(PgnError::Wrong { line, problem }) => return Err(wrong(line, problem)),
        };
        let fen = opening(rules, &recorded, plies).map_err(|reason| wrong(recorded.line, reason))?;
        fens.push(fen);
    }
}

fn opening(rules: &dyn AnyGame, recorded: &Game, plies: Option<u32>) -> Result<String, String> {
    let start = match recorded.tag("FEN") {
        Some(tag) => rules.import(&tag.value),
        None => rules.start(rules.info().starts[0].name, 1),
    };
    let most = plies.map_or(usize::MAX, |plies| plies as usize);
    let mut play = start.map_err(|error| error.to_string())?;
    for word in recorded.words.iter().take(most) {
        let shown = engine_proto::fen::shown(word);
        let mv = play
            .read_move(word)
            .ok_or_else(|| format!("the move `{shown}` is not legal in `{}`", play.fen()))?;
        play.play(&mv).map_err(|error| error.to_string())?;
    }
    fen_of(play.as_ref())
}

fn fen_of(play: &dyn AnyPlay) -> Result<String, String> {
    match play.end() {
        Some(end) => Err(format!("the game is over in this position: {end}")),
        None => Ok(play.fen()),
    }
}

/// Fisher and Yates's shuffle, the same for the same seed.
fn shuffle(fens: &mut [String], seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for idx in (1..fens.len()).rev() {
        fens.swap(idx, (rng.next_u64() % (idx as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tempfile::TempDir;

    use super::*;

    fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn fens(game: GameId, name: &str, text: &str, book: &Book) -> Result<Vec<String>, String> {
        let (_folder, path) = file(name, text);
        read(Games::built_in(), game, &path, book, 1).map_err(|error| error.to_string())
    }

    const GAMES: &str = "[Event \"a\"]\n[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n\n\
        1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3! $1 Nc6 3. Bb5 a6 1-0\n\n\
        [Event \"b\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"*\"]\n\n1. e2e4 Kd7 *\n\n\
        [Event \"c\"]\n[Result \"*\"]\n\n*\n";

    #[test]
    fn games_of_pgn() {
        let whole = fens(GameId::CHESS, "book.pgn", GAMES, &Book::default()).unwrap();
        let expected = [
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
            "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ];
        assert_eq!(whole, expected);
        let short =
            fens(GameId::CHESS, "book.pgn", GAMES, &Book { plies: Some(1), ..Book::default() }).unwrap();
        assert_eq!(short[0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let error =
            fens(GameId::CHESS, "book.PGN", &GAMES.replace("Bb5", "Bb6"), &Book::default()).unwrap_err();
        assert!(error.ends_with(
            "book.PGN`, line 1: the move `Bb6` is not legal in `r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3`"
        ), "{error}");
        let error = fens(GameId::CHESS, "book.pgn", "[Event \"a\"]\n\n1. e4", &Book::default()).unwrap_err();
        assert!(error.contains("line 3: the last game is incomplete"), "{error}");
    }

    #[test]
    fn lines_of_epd() {
        let text = "\u{feff}rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; id \"one\";\n\
                    # a comment\n4k3/8/8/8/8/8/4P3/4K3 w - -\n";
        let read = fens(GameId::CHESS, "book.epd", text, &Book::default()).unwrap();
        let expected =
            ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"];
        assert_eq!(read, expected);
        let over =
            fens(GameId::CHESS, "book.epd", "4k3/8/8/8/8/8/8/4K3 w - -\n", &Book::default()).unwrap_err();
        assert!(
            over.contains("line 1: the game is over in this position: draw (insufficient-material)"),
            "{over}"
        );
    }

    #[test]
    fn order_and_start() {
        let lines: Vec<String> = (1..=9).map(|n| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {n}")).collect();
        let read = |book: &Book| fens(GameId::CHESS, "book.epd", &lines.join("\n"), book);
        let third = read(&Book { start: 3, ..Book::default() }).unwrap();
        assert_eq!((&third[0], &third[8]), (&lines[2], &lines[1]), "it begins again with the first one");
        let random = Book { order: BookOrder::Random, ..Book::default() };
        let shuffled = read(&random).unwrap();
        assert_ne!(shuffled, lines);
        assert_eq!(read(&random).unwrap(), shuffled, "the same seed gives the same order");
        let mut sorted = shuffled.clone();
        sorted.sort();
        assert_eq!(sorted, lines);
        let error = read(&Book { start: 10, ..Book::default() }).unwrap_err();
        assert!(error.ends_with("has only 9 openings, so `book-start = 10` is too large"), "{error}");
    }
}
