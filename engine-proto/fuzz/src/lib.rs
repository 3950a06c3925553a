//! The bodies of the fuzz targets: what must hold for any bytes whatsoever.
//!
//! `.ci/fuzz` runs these targets and those of `arena/fuzz`, each for an hour; `.ci/fuzz 60 line` runs one of them for a
//! minute. It needs a C++ compiler and [cargo-fuzz](https://rust-fuzz.github.io/book/cargo-fuzz.html); a stable toolchain is
//! enough.
//!
//! A crash is kept under `artifacts`. `cargo fuzz run --sanitizer none --fuzz-dir engine-proto/fuzz line <file>` repeats it.
//! The crate's ordinary tests run these bodies too, on a few random inputs, so that they stay right without a fuzzer: this
//! file depends on nothing but `engine-proto`.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use engine_proto::proto::{Command, LINE_LIMIT, Line, LineReader, Query, Reply, first_word};
use engine_proto::sdk::{Choice, Engine, Factory, Options, Program, Search};
use engine_proto::{GameId, GameWork, Play, Position, Searchable};

/// Takes the first line as a FEN and the others as moves, in every game: what is accepted is canonical, and the moves of a
/// position are read as they are written.
pub fn fen(data: &[u8]) {
    struct Game<'a>(&'a str);
    impl GameWork for Game<'_> {
        type Output = ();
        fn run<P: Searchable>(self) {
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

/// Lets an engine of the SDK read everything that an arena might send: it goes on until `quit` or the end, and answers each
/// command that wants an answer once.
pub fn sdk(data: &[u8]) {
    let mut lines = LineReader::new(data);
    let mut input = String::new();
    let (mut n_ugi, mut n_ready, mut n_go) = (0, 0, 0);
    while let Some(line) = lines.next_line().expect("a slice is read without errors") {
        let Line::Text(line) = line else { continue };
        match Command::parse(line) {
            // These take as long as somebody wants.
            Ok(Command::Perft(2..) | Command::Query(Query::Perft(2..))) => continue,
            Ok(Command::Ugi) => n_ugi += 1,
            Ok(Command::IsReady) => n_ready += 1,
            Ok(Command::Go(_)) => n_go += 1,
            Ok(_) | Err(_) => {}
        }
        input.push_str(line);
        input.push('\n');
        if Command::parse(line) == Ok(Command::Quit) {
            break;
        }
    }
    let output = Output::default();
    let program = Program::new("fuzz", "nobody").all_games(FirstMoves);
    program
        .run_with(input.as_bytes(), output.clone())
        .expect("neither the input nor the engine ends it early");
    let output = output.0.lock().expect("nobody panics while holding it");
    let said = std::str::from_utf8(&output).expect("an engine says text");
    let n_said = |word| said.lines().filter(|line| first_word(line) == word).count();
    assert_eq!((n_said("ugiok"), n_said("readyok")), (n_ugi, n_ready), "{said}");
    assert!(n_said("bestmove") <= n_go, "{said}");
}

/// Makes engines that play the first legal move.
struct FirstMoves;

struct FirstMove;

impl Factory for FirstMoves {
    fn engine<P: Position>(&self, _options: &Options) -> Box<dyn Engine<P>> {
        Box::new(FirstMove)
    }
}

impl<P: Position> Engine<P> for FirstMove {
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        search.root_moves(play)[0].into()
    }
}

/// What a program has said.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics while holding it").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
