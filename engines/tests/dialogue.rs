//! Every engine's program, spoken to as the arena does.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use engine_proto::GameId;
use engines::roster::Kind;

#[test]
fn every_engine_plays_every_game() {
    for kind in Kind::ALL {
        let mut commands = String::from("ugi\nisready\n");
        for game in GameId::BUILT_IN {
            commands +=
                &format!("setoption name Game value {game}\nsetoption name Hash value 1\nuginewgame\n");
            commands += "isready\nposition startpos\ngo nodes 500\nisready\nquery gameover\n";
        }
        commands += "quit\n";
        let answers = dialogue(kind, &commands);
        let names: Vec<&str> = answers.lines().filter_map(|line| line.strip_prefix("id name ")).collect();
        assert_eq!(names, [kind.name()]);
        let versions: Vec<&str> =
            answers.lines().filter_map(|line| line.strip_prefix("id version ")).collect();
        assert_eq!(versions, [env!("CARGO_PKG_VERSION")]);
        for game in GameId::BUILT_IN {
            assert!(answers.contains(&format!(" var {game}")), "{kind} does not list {game}");
        }
        let moves: Vec<&str> = answers.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(moves.len(), GameId::BUILT_IN.len(), "{kind}:\n{answers}");
        for (game, mv) in GameId::BUILT_IN.iter().zip(moves) {
            let start = game.info().starts[0].fen;
            let legal = game.play(start).unwrap().legal_moves();
            assert!(legal.iter().any(|other| other == mv), "{kind} plays {mv} in {game}");
        }
        assert!(!answers.contains("response true"), "{answers}");
    }
}

/// What the program of `kind` answers to `commands`.
fn dialogue(kind: Kind, commands: &str) -> String {
    let output = Output::default();
    kind.program().run_with(commands.as_bytes(), output.clone()).expect("the program is sound");
    let bytes = output.0.lock().expect("nobody panicked").clone();
    String::from_utf8(bytes).expect("answers are UTF-8")
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
