//! Referee programs that fail: each is a line of shell. A game of one pile of stones: a move takes one or two; whoever takes
//! the last one wins.

#![cfg(unix)]

use std::sync::Arc;

use engine_proto::{AnyPlay, End, GameId, Games, Side};

use super::play::OwnPlay;
use super::rules::Rules;
use super::{NamedBy, program_of, with};
use model::{Cage, RefereeProgram, RefereeStart};

const START: &str = r#"{"fen":"4 w 0 0","side":"w","legal":["1","2"],"end":null}"#;

/// A program that runs this script for each line, which is `$line`.
fn game(script: &str) -> Result<Arc<Rules>, String> {
    let whole = format!("while read -r line; do {script}\ndone");
    let command = ["sh", "-c", &whole].map(str::to_owned).to_vec();
    Rules::new("pile", RefereeProgram::new(command, Cage::default()), NamedBy::User).map(Arc::new)
}

fn play(game: &Arc<Rules>) -> OwnPlay {
    OwnPlay::new(Arc::clone(game), game.position("4 w 0 0").unwrap())
}

/// A script that answers `info` and the start, and everything else as told.
fn otherwise(answer: &str) -> String {
    format!(
        "case \"$line\" in info) echo '{{\"error\":{{}}}}';; startpos|'4 w 0 0') echo '{START}';; *) {answer};; esac"
    )
}

#[test]
fn a_game_is_played_to_its_end() {
    let script = otherwise(
        "case \"$line\" in \
         '4 w 0 0 moves 2'|'2 b 0 1') echo '{\"fen\":\"2 b 0 1\",\"side\":\"b\",\"legal\":[\"2\",\"1\"]}';; \
         *) echo '{\"fen\":\"0 w 0 2\",\"side\":\"w\",\"legal\":[],\"end\":{\"winner\":\"b\",\"reason\":\"last\"}}';; esac",
    );
    let game = game(&script).unwrap();
    assert_eq!(game.constants().starts[0].name, "default");
    let mut play = play(&game);
    assert_eq!(play.legal_moves(), ["1", "2"]);
    assert!(play.play("3").is_err());
    play.play("2").unwrap();
    assert_eq!((play.side_to_move(), play.n_moves(), play.end()), (Side::Black, 1, None));
    assert!(play.is_decided(3), "Black can end it");
    play.play("2").unwrap();
    assert_eq!(play.end(), Some(End::win(Side::Black, "last")));
    assert_eq!(game.failure(), None);
}

#[test]
fn a_program_without_a_start_is_refused() {
    for (script, what) in [
        ("echo rubbish", "its answer to `info` is not JSON"),
        ("echo '{}'", "neither `info` nor `startpos` gives a start position"),
        ("exit 3", "exit status: 3"),
        ("sleep 60", "no answer within 300ms after the line `info`"),
    ] {
        let error = game(script).map(|_| ()).unwrap_err();
        assert!(error.contains(what), "{script}: {error}");
    }
    let missing = RefereeProgram::new(vec!["no-such-program".to_owned()], Cage::default());
    assert!(
        Rules::new("pile", missing, NamedBy::User)
            .map(|_| ())
            .unwrap_err()
            .contains("there is no program `no-such-program`")
    );
}

#[test]
fn failures_end_the_game_and_say_why() {
    let wrong_ply = r#"echo '{"fen":"2 b 0 7","side":"b","legal":["1"],"end":null}'"#;
    for (answer, what) in [
        ("echo nonsense", "gave a wrong answer: it is not JSON"),
        ("exit 7", "failed 3 times in a row: its process ended with exit status: 7"),
        ("sleep 60", "failed 3 times in a row: no answer within 300ms"),
        (wrong_ply, "counts 7 moves instead of 1"),
        (
            r#"echo '{"error":{"field":"moves","reason":"never"}}'"#,
            "it refuses a move that it lists as legal: field `moves`: never",
        ),
    ] {
        let game = game(&otherwise(answer)).unwrap();
        let mut play = play(&game);
        assert!(play.play("2").is_err(), "{answer}");
        let failure = game.failure().unwrap_or_else(|| panic!("{answer}: no failure"));
        assert!(
            failure.contains(what) && failure.contains("referee program of `pile`"),
            "{answer}: {failure}"
        );
        assert!(game.position("9 w 0 0").is_err(), "nothing is asked any more");
    }
}

#[test]
fn answers_that_contradict_each_other_are_found() {
    // After the move, the position alone has other moves.
    let answer = "case \"$line\" in *moves*) echo '{\"fen\":\"2 b 0 1\",\"side\":\"b\",\"legal\":[\"1\"]}';; \
                  *) echo '{\"fen\":\"2 b 0 1\",\"side\":\"b\",\"legal\":[\"1\",\"2\"]}';; esac";
    let game = game(&otherwise(answer)).unwrap();
    assert!(play(&game).play("2").is_err());
    let failure = game.failure().unwrap();
    assert!(failure.contains("its answers about one position differ in the legal moves 2"), "{failure}");
}

#[test]
fn a_process_that_ends_is_replaced() {
    // It answers one line, and ends: every question meets a new process.
    let answer = "echo '{\"fen\":\"2 b 0 1\",\"side\":\"b\",\"legal\":[\"1\"]}'; exit";
    let game = game(&otherwise(answer)).unwrap();
    let mut play = play(&game);
    play.play("2").unwrap();
    assert_eq!((play.legal_moves(), game.failure()), (vec!["1".to_owned()], None));
}

/// Two tournaments of one worker may have different programs for one id.
#[test]
fn each_tournament_has_its_own_programs() {
    let program = |start: &str| {
        let mut program = RefereeProgram::new(vec!["sh".to_owned(), start.to_owned()], Cage::default());
        program.info.starts = vec![RefereeStart { name: "default".to_owned(), fen: start.to_owned() }];
        program
    };
    let one = with(Games::built_in(), "pile", program("4 w 0 0"), NamedBy::File).unwrap();
    let two = with(Games::built_in(), "pile", program("5 w 0 0"), NamedBy::File).unwrap();
    let pile = "pile".parse().unwrap();
    let start = |games: &Games| games.info(pile).unwrap().starts[0].fen;
    assert_eq!([&one, &two].map(start), ["4 w 0 0", "5 w 0 0"]);
    assert!(!Games::built_in().knows(pile));
    assert_eq!(program_of(&two, pile), Some(&program("5 w 0 0")));
    assert_eq!(program_of(&two, GameId::PUSH), None);
    // One of them knows one program.
    assert_eq!(with(&one, "pile", program("4 w 0 0"), NamedBy::User).unwrap(), one);
    let error = with(&one, "pile", program("5 w 0 0"), NamedBy::File).unwrap_err().to_string();
    assert!(error.contains("already has another referee program"), "{error}");
    let error = with(&one, "push", program("5 w 0 0"), NamedBy::File).unwrap_err().to_string();
    assert!(error.contains("the game `push` is already registered"), "{error}");
    // Nobody has allowed it to run.
    assert!(
        one.startpos(pile).is_err() && one.failure().unwrap().contains("add `--referee \"pile=sh 4 w 0 0\"`")
    );
    assert_eq!(two.failure(), None);
}

/// A results folder may come from anybody.
#[test]
fn a_program_that_only_a_file_names_is_not_run() {
    let command = ["sh", "-c", "echo run > /dev/full"].map(str::to_owned).to_vec();
    let mut program = RefereeProgram::new(command, Cage::default());
    program.info.starts = vec![RefereeStart { name: "default".to_owned(), fen: "4 w 0 0".to_owned() }];
    let game = Rules::new("pile", program, NamedBy::File).unwrap();
    let error = game.position("4 w 0 0").unwrap_err().to_string();
    assert!(error.contains("to run it, add `--referee \"pile=sh -c echo run"), "{error}");
}
