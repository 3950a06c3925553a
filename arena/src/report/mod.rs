//! Who listens to a tournament: the terminal, the tables of ratings and of times. None knows another.

pub mod html;
mod plain;
mod progress;
mod ratings;
mod timing;

pub use plain::Plain;
pub use progress::Progress;
pub use ratings::Ratings;
pub use timing::Timing;

use crate::referee::Reason;
use crate::tournament::{Decided, Record};

/// Why no more matches begin, in a line.
fn decided(decided: &Decided, n_running: u32) -> String {
    let Decided { rule, n_pairs, answer } = decided;
    let running = match n_running {
        0 => String::new(),
        1 => "; the match under way is played to its end".to_owned(),
        n => format!("; the {n} matches under way are played to their ends"),
    };
    format!("decided by `stop.{rule}` after {n_pairs} pairs: {answer}{running}")
}

/// A match that an engine lost by its own fault, in a line.
fn fault(record: &Record) -> Option<String> {
    const LONGEST: usize = 300;
    // That an engine retired is said once.
    if record.reason == Reason::Retired.text() {
        return None;
    }
    let evidence = record.evidence.as_ref()?;
    let loser = record.loser().unwrap_or("both engines");
    let mut shown: String = evidence.chars().take(LONGEST).collect();
    if shown.len() < evidence.len() {
        shown.push_str(" ...");
    }
    let shown = shown.replace('\n', "\n  ");
    Some(format!("match {} ({}): {loser} loses, {}: {shown}", record.number, record.game, record.reason))
}
