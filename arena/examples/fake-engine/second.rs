//! What the protocol's second edition allows, and how it is abused. Modes:
//!
//! `second-resign` (resigns at its third move), `second-draw` (every move comes with `draw`), `second-stat` (sends numbers of
//! its own). `ponder-<conduct>`: an engine that ponders. `good` expects the first legal move, as every fake engine plays it;
//! `miss` expects the last one. The others do as `good` until they ponder for the second time: `early` (answers without
//! `ponderhit`), `exit`, `silent` (does not answer any more), `chatty` (writes more than any pipe
//! holds). `mute` is silent and expects the last move.

use std::process::exit;
use std::time::Duration;

use engine_proto::AnyPlay;

use super::{say, write_or_exit};

/// An engine of the second edition.
pub struct Second {
    stage: String,
    conduct: String,
    /// Whether the option `Ponder` is on.
    pub ponders: bool,
    /// How often it has pondered.
    n_ponders: u32,
}

impl Second {
    pub fn new(stage: &str, conduct: &str) -> Self {
        Self { stage: stage.to_owned(), conduct: conduct.to_owned(), ponders: false, n_ponders: 0 }
    }

    /// Its own lines of the greeting.
    pub fn greet(&self) {
        if self.stage == "second" || self.stage == "ponder" {
            say("id protocol ugi-2");
        }
        if self.stage == "ponder" {
            say("option name Ponder type check default false");
        }
    }

    /// The words after `bestmove` for the move `mv` of `play`, its `n_moves`th in the match.
    pub fn answer(&self, play: &dyn AnyPlay, mv: &str, n_moves: u32) -> String {
        match (self.stage.as_str(), self.conduct.as_str()) {
            ("second", "resign") if n_moves == 3 => "resign".to_owned(),
            ("second", "draw") => format!("{mv} draw"),
            ("second", "stat") => {
                say(&format!("info stat moves {n_moves}"));
                say("info stat constant -7");
                mv.to_owned()
            }
            ("ponder", conduct) if self.ponders => {
                let mut next = play.boxed();
                next.play(mv).expect("a legal move");
                let mut replies = next.legal_moves();
                let reply = if ["miss", "mute"].contains(&conduct) {
                    replies.pop()
                } else {
                    replies.into_iter().next()
                };
                reply.map_or_else(|| mv.to_owned(), |reply| format!("{mv} ponder {reply}"))
            }
            _ => mv.to_owned(),
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
