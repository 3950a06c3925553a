//! The bodies of the fuzz targets: what must hold for any bytes whatsoever.
//!
//! With cargo-fuzz and a nightly toolchain, from the folder `engine-proto`:
//!
//! ```text
//! cargo +nightly fuzz run fen
//! cargo +nightly fuzz run line
//! ```
//!
//! A crash is kept under `fuzz/artifacts`; `cargo +nightly fuzz run line <file>` repeats it. The crate's ordinary tests run
//! these bodies too, on a few random inputs, so that they stay right on a stable toolchain: this file depends on nothing
//! but `engine-proto`.

use engine_proto::proto::{Command, LINE_LIMIT, Line, LineReader, Reply, first_word};
use engine_proto::{GameId, GameWork, Position};

/// Takes the first line as a FEN and the others as moves, in every game: what is accepted is canonical, and the moves of a
/// position are read as they are written.
pub fn fen(data: &[u8]) {
    struct Game<'a>(&'a str);
    impl GameWork for Game<'_> {
        type Output = ();
        fn run<P: Position>(self) {
            let mut lines = self.0.split('\n');
            let fen = lines.next().unwrap_or_default();
            let mut position = match fen.parse::<P>() {
                Ok(position) => position,
                Err(_refused) => P::startpos(),
            };
            check_position(&position, fen);
            for text in lines {
                let Some(mv) = position.parse_move(text) else {
                    continue;
                };
                assert_eq!(mv.to_string(), text, "only the canonical spelling is a move");
                position.play_unchecked(mv);
                check_position(&position, fen);
            }
        }
    }
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for game in GameId::BUILT_IN {
        game.with(Game(text)).expect("a game of the crate `games`");
    }
}

fn check_position<P: Position>(position: &P, fen: &str) {
    let text = position.to_string();
    assert_eq!(text.parse().as_ref(), Ok(position), "from `{fen}`");
    if fen.parse::<P>().as_ref() == Ok(position) {
        assert_eq!(text, fen, "only the canonical text is a FEN");
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves.is_empty(), position.end().is_some(), "`{text}`");
    for mv in moves {
        assert_eq!(position.parse_move(&mv.to_string()), Some(mv), "`{text}`");
    }
}

/// Reads lines as both sides do: what can be read, is written and read again as the same.
pub fn line(data: &[u8]) {
    let mut lines = LineReader::new(data);
    while let Some(line) = lines.next_line().expect("a slice is read without errors") {
        let Line::Text(line) = line else {
            continue;
        };
        assert!(line.len() <= LINE_LIMIT && !line.contains('\n'));
        if let Ok(command) = Command::parse(line) {
            let written = command.to_string();
            assert!(!written.contains('\n'), "`{line}` is one line");
            assert_eq!(Command::parse(&written), Ok(command), "`{line}`");
            assert_eq!(Command::parse(&written).map(|again| again.to_string()), Ok(written));
        }
        if let Ok(reply) = Reply::parse(line) {
            let written = reply.to_string();
            assert!(!written.contains('\n'), "`{line}` is one line");
            assert_eq!(first_word(&written), first_word(line));
            assert_eq!(Reply::parse(&written), Ok(reply), "`{line}`");
        }
    }
}
