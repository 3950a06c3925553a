//! Whole dialogues with a program of the SDK, over pipes: what the arena may say, in and out of turn.

#[path = "sdk/dialogue.rs"]
mod dialogue;
#[path = "sdk/race.rs"]
mod race;

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use dialogue::Dialogue;
use engine_proto::proto::{GameOver, Info, OptionSpec};
use engine_proto::sdk::{BadProgram, Choice, Engine, Options, Program, RunError, Search};
use engine_proto::{Play, Position};
use race::Race;

type Short = Race<10>;
type Long = Race<20>;

/// An engine that tells what it knows of itself and its game, and then searches until something stops it.
struct Teller {
    serial: u32,
    seed: i64,
    n_thoughts: u32,
    manner: String,
    /// The last `gameover` that an engine of the program heard.
    heard: Arc<Mutex<String>>,
}

impl<P: Position> Engine<P> for Teller {
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move> {
        self.n_thoughts += 1;
        let told = format!(
            "engine {} of {}, seed {}, thought {}, after {} moves",
            self.serial,
            P::INFO.id,
            self.seed,
            self.n_thoughts,
            play.moves().len()
        );
        search.report(&Info { string: Some(told), ..Info::default() });
        match self.manner.as_str() {
            "panicking" => panic!("as the test wants it"),
            "deaf" => loop {
                thread::park();
            },
            "deep" => {
                let deepest = search.depth_limit().min(search.node_limit().try_into().unwrap_or(u32::MAX));
                let mut depth = 0;
                while depth < deepest && search.may_deepen() {
                    depth += 1;
                    thread::sleep(Duration::from_micros(100));
                }
            }
            _at_once => {}
        }
        let moves = search.root_moves(play);
        match self.manner.as_str() {
            "resigning" => Choice::Resign,
            "friendly" => {
                Choice::Move { mv: moves[0], reply: moves.last().copied(), draw: search.draw_is_offered() }
            }
            _ => moves[0].into(),
        }
    }

    fn game_over(&mut self, over: &GameOver<'_>) {
        *self.heard.lock().expect("nobody panicked") = over.to_string();
    }
}

fn program() -> Program {
    program_that_tells(Arc::default())
}

/// The program, whose engines leave there what they hear at the end of a match.
fn program_that_tells(heard: Arc<Mutex<String>>) -> Program {
    let n_engines = Arc::new(AtomicU32::new(0));
    let teller = move |options: &Options| Teller {
        serial: n_engines.fetch_add(1, Ordering::Relaxed) + 1,
        seed: options.spin("seed"),
        n_thoughts: 0,
        manner: options.combo("Manner").to_owned(),
        heard: Arc::clone(&heard),
    };
    let teller_of_long = teller.clone();
    Program::new("Teller", "A. N. Author")
        .version("1.0")
        .pondering()
        .option(OptionSpec::spin("Seed", 0, 0, 100))
        .option(OptionSpec::combo(
            "Manner",
            "at once",
            ["at once", "deep", "deaf", "panicking", "resigning", "friendly"],
        ))
        .option(OptionSpec::button("Forget It"))
        .game::<Short>(move |options| Box::new(teller(options)))
        .game::<Long>(move |options| Box::new(teller_of_long(options)))
}

fn dialogue() -> Dialogue {
    Dialogue::with(program())
}

/// A dialogue with an engine that searches until it is stopped.
fn deep_dialogue() -> Dialogue {
    let mut dialogue = dialogue();
    dialogue.say("setoption name Manner value deep");
    dialogue
}

#[test]
fn handshake() {
    let mut dialogue = dialogue();
    dialogue.expect(
        "ugi",
        &[
            "id name Teller",
            "id author A. N. Author",
            "id version 1.0",
            "id protocol ugi-2",
            "option name Game type combo default race var race var long-race",
            "option name MoveOverhead type spin default 5 min 0 max 10000",
            "option name Ponder type check default false",
            "option name Seed type spin default 0 min 0 max 100",
            "option name Manner type combo default at once var at once var deep var deaf var panicking var resigning var friendly",
            "option name Forget It type button",
            "ugiok",
        ],
    );
    dialogue.expect("isready", &["readyok"]);
    dialogue.say("quit");
    assert!(dialogue.gone().is_ok());
}

#[test]
fn the_protocols_example() {
    let mut dialogue = dialogue();
    dialogue.say("ugi");
    dialogue.hear_until("ugiok");
    dialogue.expect("setoption name Game value long-race\r\nisready\r", &["readyok"]);
    dialogue
        .say("uginewgame\nposition fen 1/2 w 0 7 moves s1\ngo p1time 9990 p2time 10000 p1inc 100 p2inc 100");
    assert_eq!(dialogue.hear(), "info string engine 1 of long-race, seed 0, thought 1, after 1 moves");
    assert_eq!(dialogue.hear(), "bestmove s1");
    dialogue.say("quit");
    assert!(dialogue.gone().is_ok());
}

#[test]
fn the_end_of_the_input_is_as_good_as_quit() {
    let (lines, result) = dialogue().hang_up();
    assert!(lines.is_empty() && result.is_ok());
}

#[test]
fn isready_and_query_are_answered_in_mid_search() {
    let mut dialogue = deep_dialogue();
    dialogue.expect(
        "position startpos moves s1\ngo infinite",
        &["info string engine 1 of race, seed 0, thought 1, after 1 moves"],
    );
    dialogue.expect("isready", &["readyok"]);
    dialogue.expect(
        "query p1turn\nquery gameover\nquery result",
        &["response false", "response false", "response none"],
    );
    dialogue.expect("stop", &["bestmove s1"]);
}

#[test]
fn stop_without_a_search_stops_no_later_one() {
    let mut dialogue = deep_dialogue();
    dialogue.say("stop\nposition startpos\nstop\ngo infinite");
    dialogue.hear();
    dialogue.expect("isready", &["readyok"]);
    dialogue.expect("stop", &["bestmove s1"]);
    dialogue.expect("stop\nisready", &["readyok"]);
}

#[test]
fn infinite_searches_keep_their_move_back() {
    // The engine answers at once; still the move waits for `stop`.
    for go in ["go infinite", "go", "go p2time 1000", "go infinite depth 1", "go infinite movetime 1"] {
        let mut dialogue = dialogue();
        dialogue.say(go);
        dialogue.hear();
        dialogue.expect("isready", &["readyok"]);
        thread::sleep(Duration::from_millis(5));
        dialogue.expect("isready", &["readyok"]);
        dialogue.expect("stop", &["bestmove s1"]);
    }
}

#[test]
fn limits_end_a_search() {
    for go in [
        "go depth 3",
        "go nodes 3",
        "go movetime 10",
        "go movetime 0",
        "go p1time 1 p2time 1",
        "go p1time 0",
        "go p1time -10",
        "go p1time 100 p1inc 10",
        "go p1time 50 movestogo 1 depth 1000000",
        "go currmove depth 3 mate 7",
    ] {
        let mut dialogue = deep_dialogue();
        dialogue.say(go);
        dialogue.hear();
        assert_eq!(dialogue.hear(), "bestmove s1", "{go}");
    }
}

#[test]
fn the_side_to_move_is_the_positions() {
    let mut dialogue = dialogue();
    // White lands on the third step and moves again; then Black moves.
    dialogue.expect("position startpos moves s3\nquery p1turn", &["response true"]);
    dialogue.expect("position startpos moves s3 s1\nquery p1turn", &["response false"]);
    // It is White's clock that counts: Black's has nothing left.
    dialogue.say("setoption name Manner value deep\nposition startpos moves s3\ngo p1time 60000 p2time 0");
    dialogue.hear();
    dialogue.expect("isready", &["readyok"]);
    dialogue.expect("stop", &["bestmove s1"]);
}

#[test]
fn queries_about_a_game_that_is_over() {
    let mut dialogue = dialogue();
    dialogue.expect(
        "query p1turn\nquery gameover\nquery result",
        &["response true", "response false", "response none"],
    );
    dialogue.say("position fen 9/8 w 0 0 moves s1");
    dialogue.expect("query gameover\nquery result", &["response true", "response p1win"]);
    dialogue.say("position fen 9/8 b 0 0 moves s2");
    dialogue.expect("query gameover\nquery result", &["response true", "response p2win"]);
    // A hundred moves without progress.
    dialogue.say("position fen 1/1 b 99 0 moves s1");
    dialogue.expect("query gameover\nquery result", &["response true", "response draw"]);
    dialogue.say("uginewgame");
    dialogue.expect("query gameover\nquery result", &["response false", "response none"]);
}

#[test]
fn queries_about_the_rules() {
    let mut dialogue = dialogue();
    let all = "query legalmoves\nquery perft 2\nquery fen\nquery winner\nquery perft x\nquery perft 100";
    let unknown = "response unknown";
    let answers = ["response s1 s2 s3", "response 9", "response 3/0 w 1 1", unknown, unknown, unknown];
    dialogue.say("position startpos moves s3");
    dialogue.expect(all, &answers);
    // They are answered during a search, too.
    dialogue.say("setoption name Manner value deep\ngo infinite");
    dialogue.hear();
    dialogue.expect(all, &answers);
    dialogue.expect("stop", &["bestmove s1"]);
    // There are no legal moves after the end, whether by the rules or by the quiet limit.
    for over in ["fen 9/8 w 0 0 moves s1", "fen 1/1 b 99 0 moves s1"] {
        dialogue.expect(
            &format!("position {over}\nquery legalmoves\nquery perft 0"),
            &["response", "response 1"],
        );
    }
}

#[test]
fn pondering() {
    let mut dialogue = deep_dialogue();
    // It thinks although its time is up, and answers when the opponent has moved, or at `stop`.
    for (end, go) in [("ponderhit", "movetime 0"), ("stop", "movetime 0"), ("stop", "infinite"), ("stop", "")]
    {
        dialogue.say(&format!("go ponder {go}"));
        dialogue.hear();
        dialogue.expect("isready\nquery p1turn", &["readyok", "response true"]);
        dialogue.expect(end, &["bestmove s1"]);
    }
    // A search that has ended holds its move back.
    dialogue.say("go ponder depth 1");
    dialogue.hear();
    dialogue.expect("isready", &["readyok"]);
    dialogue.expect("ponderhit", &["bestmove s1"]);
    // After the hit, only `stop` ends a search without limits.
    dialogue.say("go ponder infinite\nponderhit");
    dialogue.hear();
    dialogue.expect("isready", &["readyok"]);
    dialogue.expect("stop", &["bestmove s1"]);
    // Without a search, or with one that does not ponder, there is no hit.
    dialogue.expect("ponderhit\nisready", &["readyok"]);
    dialogue.say("go infinite\nponderhit");
    dialogue.hear();
    dialogue.expect("isready", &["readyok"]);
    dialogue.expect("stop", &["bestmove s1"]);
}

#[test]
fn more_than_a_move() {
    let mut dialogue = dialogue();
    let mut expect = |lines: &str, answer: &str| {
        dialogue.say(lines);
        dialogue.hear();
        dialogue.expect("", &[answer]);
    };
    expect("setoption name Manner value resigning\ngo depth 1", "bestmove resign");
    expect("setoption name Manner value friendly\ngo depth 1", "bestmove s1");
    expect("go depth 1 drawoffer", "bestmove s1 draw");
    expect("setoption name Ponder value true\ngo depth 1", "bestmove s1 ponder s3");
    expect("go depth 1 drawoffer", "bestmove s1 ponder s3 draw");
    expect("go searchmoves s3 s2 s9 depth 1", "bestmove s2 ponder s3");
    expect("go searchmoves s9 depth 1", "bestmove s1 ponder s3");
}

#[test]
fn the_engine_hears_of_the_end() {
    let heard = Arc::new(Mutex::new(String::new()));
    let mut dialogue = Dialogue::with(program_that_tells(Arc::clone(&heard)));
    // There is no engine yet that could hear it.
    dialogue.expect("gameover draw agreement\nisready", &["readyok"]);
    dialogue.expect("gameover p2win  illegal-move \nisready", &["readyok"]);
    assert_eq!(*heard.lock().unwrap(), "gameover p2win illegal-move");
    dialogue.expect("gameover", &[
        "info string error: malformed `gameover`: `p1win`, `p2win` or `draw` must follow, ignored: `gameover`",
    ]);
}

#[test]
fn there_is_no_move_in_a_game_that_is_over() {
    for go in ["go depth 1", "go infinite"] {
        dialogue().expect(
            &format!("position fen 9/8 w 0 0 moves s1\n{go}"),
            &["info string the game is over, so there is no move", "bestmove 0000"],
        );
    }
}

#[test]
fn go_without_a_position_has_the_start() {
    let mut dialogue = dialogue();
    dialogue.expect(
        "go depth 1",
        &["info string engine 1 of race, seed 0, thought 1, after 0 moves", "bestmove s1"],
    );
}

#[test]
fn a_new_game_has_a_new_engine() {
    let mut dialogue = dialogue();
    // Made for `isready`, and still new when the game begins.
    dialogue.expect("isready", &["readyok"]);
    dialogue.say("uginewgame\nuginewgame\nposition startpos moves s1\ngo depth 1");
    assert_eq!(dialogue.hear(), "info string engine 1 of race, seed 0, thought 1, after 1 moves");
    assert_eq!(dialogue.hear(), "bestmove s1");
    dialogue.say("position startpos moves s1 s1 s1\ngo depth 1");
    assert_eq!(dialogue.hear(), "info string engine 1 of race, seed 0, thought 2, after 3 moves");
    assert_eq!(dialogue.hear(), "bestmove s1");
    dialogue.say("uginewgame\ngo depth 1");
    assert_eq!(dialogue.hear(), "info string engine 2 of race, seed 0, thought 1, after 0 moves");
    assert_eq!(dialogue.hear(), "bestmove s1");
}

#[test]
fn a_changed_option_makes_a_new_engine() {
    let mut dialogue = dialogue();
    dialogue.expect("isready", &["readyok"]);
    for (option, engine) in [
        ("Seed value 0", "1 of race, seed 0, thought 1"),
        ("MoveOverhead value 5", "1 of race, seed 0, thought 2"),
        ("game value RACE", "1 of race, seed 0, thought 3"),
        ("SEED value 7", "2 of race, seed 7, thought 1"),
        ("seed value 101", "2 of race, seed 7, thought 2"),
        ("Forget It", "3 of race, seed 7, thought 1"),
        ("Game value long-race", "4 of long-race, seed 7, thought 1"),
        ("Game value race", "5 of race, seed 7, thought 1"),
    ] {
        dialogue.say(&format!("setoption name {option}\ngo depth 1"));
        let told = dialogue.hear_until("bestmove s1");
        assert_eq!(told[told.len() - 2], format!("info string engine {engine}, after 0 moves"));
    }
}

#[test]
fn positions_go_on_and_go_back() {
    let mut dialogue = dialogue();
    let mut check = |position: &str, fen: &str| {
        dialogue.say(&format!("position {position}"));
        assert_eq!(dialogue.position()[0], format!("FEN: {fen}"), "{position}");
    };
    check("startpos moves s1", "1/0 b 1 1");
    check("startpos moves s1 s1 s1", "2/1 b 3 3");
    check("startpos  moves\ts1  s1 s1 s2", "2/3 b 4 4");
    check("startpos moves s1 s1 s1 s2", "2/3 b 4 4");
    check("startpos moves s1 s2", "1/2 w 2 2");
    check("startpos", "0/0 w 0 0");
    check("fen 0/0 b 0 0", "0/0 b 0 0");
    check("fen 0/0 b 0 0 moves s1", "0/1 w 1 1");
    check("fen 0/0  b 0 0 moves s1 s2", "2/1 b 2 2");
    check("fen 0/0 w 0 0 moves s1 s2", "1/2 w 2 2");
}

#[test]
fn bad_positions_are_refused_and_the_last_one_stays() {
    let mut dialogue = dialogue();
    dialogue.say("position startpos moves s1");
    for (position, complaint) in [
        ("startpos moves s1 s1 s4 s1", "illegal move `s4`"),
        ("startpos moves s1 s1 S1", "illegal move `S1`"),
        ("startpos moves s4", "illegal move `s4`"),
        ("fen 1/1 x 0 0", "the field `side` of the FEN is wrong: `x` is not `w` or `b`"),
        ("fen 11/1 w 0 0 moves s1", "the board is wrong: a runner beyond the end"),
        ("fen 9/8 w 0 0 moves s1 s1", "illegal move `s1`"),
    ] {
        dialogue.expect(
            &format!("position {position}"),
            &[&format!("info string error: {complaint}; the position is not changed")],
        );
        assert_eq!(dialogue.position()[0], "FEN: 1/0 b 1 1", "{position}");
    }
    dialogue.expect(
        "position here",
        &["info string error: malformed `position`: `startpos` or `fen` must follow, ignored: `position here`"],
    );
    assert_eq!(dialogue.position()[0], "FEN: 1/0 b 1 1");
    // It still goes on from there.
    dialogue.say("position startpos moves s1 s2");
    assert_eq!(dialogue.position()[0], "FEN: 1/2 w 2 2");
}

#[test]
fn bad_options_are_refused_and_the_last_value_stays() {
    let mut dialogue = dialogue();
    dialogue.say("setoption name Seed value 7");
    for (option, complaint) in [
        ("name Seed value 101", "option `Seed` takes a whole number from 0 to 100, but the value is `101`"),
        ("name Seed", "option `Seed` takes a whole number from 0 to 100, but the value is missing"),
        ("name Game value chess", "option `Game` takes one of: race, long-race, but the value is `chess`"),
        ("name Contempt value 1", "no option `Contempt`"),
        ("Seed value 1", "malformed `setoption`: `name` must follow, ignored: `setoption Seed value 1`"),
    ] {
        dialogue.expect(&format!("setoption {option}"), &[&format!("info string error: {complaint}")]);
    }
    dialogue.expect("go depth 1", &["info string engine 1 of race, seed 7, thought 1, after 0 moves"]);
}

#[test]
fn commands_between_searches_end_the_search() {
    for command in ["position startpos moves s2", "uginewgame", "setoption name Seed value 3", "perft 0"] {
        let mut dialogue = deep_dialogue();
        dialogue.say("position startpos moves s1\ngo infinite");
        dialogue.hear();
        dialogue.expect(command, &["bestmove s1"]);
        dialogue.say("isready");
        dialogue.hear_until("readyok");
    }
    let mut dialogue = deep_dialogue();
    dialogue.say("go infinite");
    dialogue.hear();
    dialogue.say("go infinite");
    assert_eq!(dialogue.hear(), "bestmove s1");
    assert_eq!(dialogue.hear(), "info string engine 1 of race, seed 0, thought 2, after 0 moves");
    dialogue.expect("position fen 0/0 b 0 0 moves s2", &["bestmove s1"]);
    assert_eq!(dialogue.position()[0], "FEN: 0/2 w 1 1");
}

#[test]
fn many_searches_in_a_row() {
    let mut dialogue = dialogue();
    for n in 1..500 {
        dialogue.expect(
            "position startpos moves s1 s1\ngo movetime 1000",
            &[&format!("info string engine 1 of race, seed 0, thought {n}, after 2 moves"), "bestmove s1"],
        );
    }
}

#[test]
fn quit_and_the_end_of_the_input_end_a_search() {
    for last_words in ["quit", ""] {
        let mut dialogue = deep_dialogue();
        dialogue.say("go infinite");
        dialogue.hear();
        dialogue.say(last_words);
        let (lines, result) = dialogue.hang_up();
        assert_eq!(lines, ["bestmove s1"]);
        assert!(result.is_ok());
    }
}

#[test]
fn quit_does_not_wait_for_an_engine_that_does_not_stop() {
    let mut dialogue = dialogue();
    dialogue.say("setoption name Manner value deaf\ngo infinite");
    dialogue.hear();
    dialogue.say("stop\nisready\nquit");
    assert_eq!(dialogue.hear(), "readyok");
    assert!(dialogue.gone().is_ok());
}

#[test]
fn an_engine_that_panics_ends_the_program() {
    let mut dialogue = dialogue();
    dialogue.say("setoption name Manner value panicking\ngo infinite");
    assert_eq!(dialogue.hear_out(), ["info string engine 1 of race, seed 0, thought 1, after 0 moves"]);
    let (lines, result) = dialogue.hang_up();
    assert!(lines.is_empty() && matches!(result, Err(RunError::EnginePanicked)));
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let lines = io::BufReader::new(io::repeat(b'\n'));
    assert!(program().run_with(io::Read::chain(&b"isready\n"[..], lines), Closed).is_ok());
}

#[test]
fn strange_lines_are_ignored() {
    let mut dialogue = dialogue();
    dialogue.expect(
        "uci\n\n \t\r\nquery\nlegalmoves s1 s2\ngo depth\nxyzzy",
        &[
            "info string error: unknown word, ignored: `uci`",
            "info string error: malformed `query`: the question is missing, ignored: `query`",
            "info string error: malformed `go`: a number is missing after a limit, ignored: `go depth`",
            "info string error: unknown word, ignored: `xyzzy`",
        ],
    );
    dialogue.say_bytes(b"\xff\xfe\n");
    assert_eq!(dialogue.hear(), "info string error: ignored a line that is not UTF-8");
    dialogue.say_bytes(&vec![b'x'; 3 << 20]);
    dialogue.expect("\nisready", &["info string error: ignored a line that is too long", "readyok"]);
}

#[test]
fn words_for_people() {
    let mut dialogue = dialogue();
    dialogue.expect(
        "position fen 7/1 w 5 6 moves s2\nd",
        &[
            "   +---------------------------------+",
            " 2 | .  r  .  .  .  .  .  .  .  .  . |",
            " 1 | .  .  .  .  .  .  . <.> . <R> . |",
            "   +---------------------------------+",
            "     a  b  c  d  e  f  g  h  i  j  k",
            "White to move (plies since the start: 7, since the last progress: 6)",
            "  R runner",
            "  White runs below, Black above",
            "  last move: ( ) start, [ ] target, { } named in between, < > also changed",
            "FEN: 9/1 w 6 7",
            "Side to move: White",
            "Legal moves: 1",
            "Game over: no",
        ],
    );
    dialogue.say("position startpos moves s3");
    dialogue.expect("perft 2", &["s1: 3", "s2: 3", "s3: 3", "", "Nodes searched: 9"]);
    assert!(dialogue.hear().starts_with("Time: "));
    assert!(dialogue.hear().starts_with("Nodes per second: "));
    dialogue.expect("perft 0", &["", "Nodes searched: 1"]);
    // What follows a count does not cut it short.
    dialogue.say("perft 6\nisready");
    assert_eq!(
        dialogue.hear_until("readyok").iter().filter(|line| line.starts_with("Nodes searched")).count(),
        1
    );
    dialogue.expect("perft 100", &["info string error: the maximum depth of perft is 99"]);
    dialogue.say("position fen 10/1 b 0 0");
    assert_eq!(
        dialogue.position(),
        ["FEN: 10/1 b 0 0", "Side to move: Black", "Legal moves: 0", "Game over: White wins (home)"]
    );
}

#[test]
fn programs_that_contradict_themselves() {
    let refusal = |program: Program| match program.run_with(io::empty(), io::sink()) {
        Err(RunError::Program(refusal)) => Some(refusal),
        _ => None,
    };
    let teller = |_: &Options| -> Box<dyn Engine<Short>> {
        Box::new(Teller { manner: String::new(), serial: 0, seed: 0, n_thoughts: 0, heard: Arc::default() })
    };
    assert_eq!(refusal(Program::new("Nothing", "Nobody")), Some(BadProgram::NoGames));
    assert_eq!(refusal(program().game::<Short>(teller)), Some(BadProgram::GameTwice { id: "race" }));
    for name in ["SEED", "game", "MoveOverhead"] {
        let program = program().option(OptionSpec::button(name));
        assert_eq!(refusal(program), Some(BadProgram::OptionTwice { name: name.to_owned() }));
    }
    assert!(matches!(
        refusal(program().option(OptionSpec::spin("N", 5, 0, 4))),
        Some(BadProgram::Option { .. })
    ));
}
