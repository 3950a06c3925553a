//! What the protocol's second edition allows, and how it is abused. Modes:
//!
//! `second-resign` (resigns at its third move), `second-draw` (every move comes with `draw`), `second-stat` (sends numbers of
//! its own), `second-words` (adds words of its own to its moves), `second-lines` (has
//! the option `MultiPV`, but reports one line), `second-analyse` (reports its first `MultiPV` moves), `second-over` (exits at `gameover`). `rules-<conduct>` answers queries about the rules: `good`, or
//! with one mistake: `missing` (in some positions the first move is missing), `extra` (one is too many), `fen`, `unknown` (answers
//! what it does not know).
//! `ponder-<conduct>`: an engine that ponders. `good` expects the first legal move, as every fake engine plays it;
//! `miss` expects the last one, and `late` does, too, and answers `stop` after 150 ms. The others do as `good` until they ponder for the second time: `early` (answers without
//! `ponderhit`), `exit`, `silent` (no longer answers), `chatty` (writes more than any pipe
//! holds). `mute` is silent and expects the last move.

use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use engine_proto::AnyPlay;

use super::{say, write_or_exit};

/// An engine of the second edition.
pub struct Second {
    stage: String,
    conduct: String,
    /// Whether the option `Ponder` is on.
    ponders: bool,
    /// How often it has pondered.
    n_ponders: u32,
    /// The number of lines to report.
    n_lines: usize,
}

impl Second {
    pub fn new(stage: &str, conduct: &str) -> Self {
        Self {
            stage: stage.to_owned(),
            conduct: conduct.to_owned(),
            ponders: false,
            n_ponders: 0,
            n_lines: 1,
        }
    }

    /// Its own lines of the greeting.
    pub fn greet(&self) {
        if ["second", "ponder", "rules"].contains(&self.stage.as_str()) {
            say("id protocol ugi-2");
        }
        if self.stage == "ponder" {
            say("option name Ponder type check default false");
        }
        if ["lines", "analyse"].contains(&self.conduct.as_str()) {
            say("option name MultiPV type spin default 1 min 1 max 4");
        }
    }

    pub fn set_option(&mut self, name: &str, value: &str) {
        if name == "Ponder" {
            self.ponders = value == "true";
        }
        if name == "MultiPV" {
            self.n_lines = value.parse().unwrap_or(1);
        }
    }

    /// The reports of a search: the first legal moves, each with the first replies.
    pub fn report(&self, play: &dyn AnyPlay) {
        if self.conduct != "analyse" {
            return;
        }
        for depth in 1..=3 {
            for (idx, mv) in play.legal_moves().into_iter().take(self.n_lines).enumerate() {
                let (mut next, mut line) = (play.boxed(), vec![mv]);
                while line.len() < 3 {
                    next.play(&line[line.len() - 1]).expect("a legal move");
                    let Some(reply) = next.legal_moves().into_iter().next() else { break };
                    line.push(reply);
                }
                let (number, score) = (idx + 1, 50 - 10 * idx);
                say(&format!(
                    "info depth {depth} multipv {number} score cp {score} nodes {} time {depth} pv {}",
                    100 * depth,
                    line.join(" ")
                ));
            }
        }
    }

    /// Whether this `go` is one to ponder.
    pub fn is_to_ponder(&self, limits: &[&str]) -> bool {
        self.ponders && limits.contains(&"ponder")
    }

    /// The words after `bestmove` for the move `mv` of `play`, its `n_moves`th in the match.
    pub fn answer(&self, play: &dyn AnyPlay, mv: &str, n_moves: u32) -> String {
        match (self.stage.as_str(), self.conduct.as_str()) {
            ("second", "resign") if n_moves == 3 => "resign".to_owned(),
            ("second", "draw") => format!("{mv} draw"),
            ("second", "words") => format!("{mv} !?"),
            ("second", "stat") => {
                say(&format!("info stat moves {n_moves}"));
                say("info stat constant -7");
                mv.to_owned()
            }
            ("ponder", conduct) if self.ponders => {
                let mut next = play.boxed();
                next.play(mv).expect("a legal move");
                let mut replies = next.legal_moves();
                let reply = if ["miss", "late", "mute"].contains(&conduct) {
                    replies.pop()
                } else {
                    replies.into_iter().next()
                };
                reply.map_or_else(|| mv.to_owned(), |reply| format!("{mv} ponder {reply}"))
            }
            _ => mv.to_owned(),
        }
    }

    /// Hears that the match is over.
    pub fn game_over(&self) {
        if self.conduct == "over" {
            exit(3);
        }
    }

    /// Answers a query about the rules, if it knows them.
    pub fn query(&self, play: Option<&dyn AnyPlay>, question: &[&str]) {
        let Some(play) = play.filter(|_| self.stage == "rules") else { return };
        let answer = match question {
            ["fen"] if self.conduct == "fen" => play.fen().replacen('/', "//", 1),
            ["fen"] => play.fen(),
            ["legalmoves"] if play.end().is_some() => String::new(),
            ["legalmoves"] => self.moves(play).join(" "),
            ["perft", depth] => self.perft(play, depth.parse().expect("a number")).to_string(),
            _ if self.conduct == "unknown" => "42".to_owned(),
            _ => "unknown".to_owned(),
        };
        say(&format!("response {answer}"));
    }

    /// The moves that it takes for legal.
    fn moves(&self, play: &dyn AnyPlay) -> Vec<String> {
        let mut moves = play.position_moves();
        match self.conduct.as_str() {
            "missing" if play.fingerprint() % 50 == 7 && !moves.is_empty() => drop(moves.remove(0)),
            "extra" if play.fingerprint() % 50 == 7 => moves.push("z9z9".to_owned()),
            _ => {}
        }
        moves
    }

    fn perft(&self, play: &dyn AnyPlay, depth: u32) -> u64 {
        let moves = self.moves(play);
        if depth <= 1 {
            return if depth == 0 { 1 } else { moves.len() as u64 };
        }
        let after = |mv: &String| {
            let mut next = play.boxed();
            next.play_on(mv).map_or(0, |()| self.perft(next.as_ref(), depth - 1))
        };
        moves.iter().map(after).sum()
    }

    /// Answers `stop` or `ponderhit`.
    pub fn stops(&self) {
        if self.conduct == "late" {
            sleep(Duration::from_millis(150));
        }
    }

    /// Ponders. Whether it will answer.
    pub fn ponder(&mut self, mv: &str) -> bool {
        self.n_ponders += 1;
        if self.n_ponders != 2 {
            return true;
        }
        match self.conduct.as_str() {
            "early" => {
                say(&format!("bestmove {mv}"));
                false
            }
            "exit" => {
                eprintln!("last words");
                exit(3);
            }
            "silent" | "mute" => false,
            "chatty" => {
                let line = format!("info depth 1 score cp 5 pv {}\n", "a1a1 ".repeat(200));
                (0..3 << 20).step_by(line.len()).for_each(|_| write_or_exit(line.as_bytes()));
                true
            }
            _ => true,
        }
    }

    /// Whether it goes on only after this, so that its opponent is still thinking when it fails.
    pub const fn thinks_for(&self) -> Duration {
        Duration::from_millis(if self.ponders { 20 } else { 0 })
    }
}
