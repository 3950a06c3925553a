//! A chess engine that speaks UCI and nothing else, for tests of that dialect. Modes:
//!
//! `uci`: it plays the first legal move, but castles whenever it can, and spells castling as the king that takes its rook.
//! `uci-both` also answers `ugi`, as an engine for both protocols. `uci-quiet` speaks no UGI and no UCI. `uci-instant` writes
//! one `info` line per move. `uci-plain` keeps to what matches need: it ignores `go nodes`, has no move after few nodes, reads
//! nothing but `stop` while it searches and loses one that comes at once, and ends at a tab. A command that only UGI has ends it with the exit status 9: so the arena must not send one.

use std::io::{self, BufRead};
use std::process::exit;
use std::time::{Duration, Instant};

use engine_proto::{AnyPlay, GameId, Games};

use super::say;

struct Engine {
    game: GameId,
    play: Option<Box<dyn AnyPlay>>,
    conduct: String,
    /// Whether it ponders until `stop` or `ponderhit`.
    is_pondering: bool,
    may_ponder: bool,
    asked: Instant,
}

/// Plays until `quit` or the end of its input.
pub fn be(conduct: &str) {
    let mut engine = Engine {
        game: GameId::CHESS,
        play: None,
        conduct: conduct.to_owned(),
        is_pondering: false,
        may_ponder: false,
        asked: Instant::now(),
    };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let words: Vec<&str> = line.split_whitespace().collect();
        if conduct == "plain" && engine.overhears(&line) {
            continue;
        }
        match words.as_slice() {
            // Every engine ignores a protocol that it does not know.
            ["ugi" | "uci"] if conduct == "quiet" => {}
            ["ugi"] if conduct == "both" => say("ugiok"),
            ["ugi"] => say("Unknown command: 'ugi'. Type help for more information."),
            ["uci"] => greet(),
            ["isready"] => say("readyok"),
            ["setoption", "name", name, "value", value @ ..] => engine.set_option(name, value),
            ["ucinewgame"] => engine.play = None,
            ["position", rest @ ..] => engine.set_up(rest),
            ["go", limits @ ..] => engine.go(limits),
            ["stop" | "ponderhit"] if engine.is_pondering => {
                engine.is_pondering = false;
                engine.answer();
            }
            ["quit"] => return,
            ["uginewgame" | "gameover" | "legalmoves" | "query", ..] => {
                eprintln!("not a command of UCI: {line}");
                exit(9);
            }
            _ => {}
        }
    }
}

fn greet() {
    say("id name Fake UCI 1.0");
    say("id author nobody");
    say("option name Hash type spin default 16 min 1 max 64");
    say("option name Ponder type check default false");
    say("option name UCI_Chess960 type check default false");
    say("option name UCI_Opponent type string default");
    say("option name LogFile type string default <empty>");
    say("uciok");
}

impl Engine {
    /// Whether it does not react to a line.
    fn overhears(&self, line: &str) -> bool {
        /// The time that its search takes to start.
        const START: Duration = Duration::from_millis(50);
        if line.contains('\t') {
            exit(1);
        }
        self.is_pondering && !(matches!(line, "stop" | "ponderhit") && self.asked.elapsed() >= START)
    }

    fn set_option(&mut self, name: &str, value: &[&str]) {
        match (name, value) {
            ("UCI_Chess960", ["true"]) => self.game = GameId::CHESS960,
            ("UCI_Chess960", ["false"]) => self.game = GameId::CHESS,
            // Stockfish writes its log to a file of this name.
            ("LogFile", ["<empty>"]) => {
                eprintln!("a log file called `<empty>`");
                exit(9);
            }
            ("Ponder", [value]) => self.may_ponder = *value == "true",
            _ => {}
        }
    }

    fn set_up(&mut self, words: &[&str]) {
        let place = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let start = match &words[..place] {
            ["startpos"] => {
                Games::built_in().info(GameId::CHESS).expect("a built-in game").starts[0].fen.to_owned()
            }
            ["fen", fields @ ..] => fields.join(" "),
            _ => return,
        };
        let Ok(mut play) = Games::built_in().import(self.game, &start) else { return };
        if words.iter().skip(place + 1).all(|mv| play.play(mv).is_ok()) {
            self.play = Some(play);
        }
    }

    fn go(&mut self, limits: &[&str]) {
        const OF_UGI: [&str; 5] = ["p1time", "p2time", "p1inc", "p2inc", "drawoffer"];
        if let Some(other) = limits.iter().find(|word| OF_UGI.contains(word)) {
            eprintln!("not a limit of UCI: {other}");
            exit(9);
        }
        self.is_pondering = limits.is_empty() || limits.contains(&"infinite") || limits.contains(&"ponder");
        self.asked = Instant::now();
        if self.conduct == "plain" {
            let names = |name| limits.contains(&name);
            if names("movetime") && names("nodes") {
                return say("bestmove (none)");
            }
            self.is_pondering |= names("nodes") || names("60000");
            if limits == ["movetime", "100"] {
                super::work(Duration::from_millis(60));
            }
        }
        if !self.is_pondering {
            self.answer();
        }
    }

    fn answer(&self) {
        let Some(play) = &self.play else { return say("bestmove 0000") };
        let legal = play.legal_moves();
        let castling = ["O-O", "O-O-O"].iter().find_map(|san| play.read_move(san));
        let Some(mv) = castling.as_ref().or(legal.first()) else { return say("bestmove (none)") };
        say(&format!(
            "info depth 1 seldepth 3 multipv 1 score mate 3 nodes 20 nps 9 tbhits 0 time 1 pv {mv}"
        ));
        if self.conduct != "instant" {
            say("info depth 1 score cp 900 lowerbound nodes 30 time 2");
            say("info depth 1 currmove a2a3 currmovenumber 1");
        }
        let mut next = play.boxed();
        next.play(mv).expect("a legal move");
        let reply = next.legal_moves().into_iter().next().filter(|_| self.may_ponder);
        let is_chess = self.game == GameId::CHESS;
        let text = if is_chess && castling.is_some() { takes_rook(mv) } else { mv };
        match reply {
            Some(reply) => say(&format!("bestmove {text} ponder {reply}")),
            None => say(&format!("bestmove {text}")),
        }
    }
}

/// The other spelling of castling in chess.
fn takes_rook(mv: &str) -> &str {
    match mv {
        "e1g1" => "e1h1",
        "e1c1" => "e1a1",
        "e8g8" => "e8h8",
        "e8c8" => "e8a8",
        other => other,
    }
}
