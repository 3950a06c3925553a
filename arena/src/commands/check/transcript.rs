//! The lines that matter of a conversation: how the engine was made ready, and the exchange that the check ended with. Lines
//! to the engine are kept whole and in order, so that they can be sent again by hand.

use engine_proto::fen::shown;
use engine_proto::proto::first_word;
use serde::Serialize;

/// Of what an engine says, the first lines and the last lines are kept, this many of each.
const KEPT_LINES: usize = 30;
/// A longer line from an engine is cut, in bytes.
const LONGEST_KEPT: usize = 8192;

/// What was said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Transcript {
    /// What the arena sent.
    pub sent: Vec<String>,
    /// What the engine answered; notes are in parentheses.
    pub came: Vec<String>,
}

/// The transcript of one process, kept while it goes on.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    sent: Vec<String>,
    came: Vec<String>,
    n_left_out: usize,
    /// The first lines of `sent` that are always kept: those that get the engine ready.
    n_prepared: usize,
    /// Whether the last `go` was answered.
    is_answered: bool,
}

impl Sheet {
    /// Notes lines that were written to the engine, each with its end.
    pub fn sent(&mut self, text: &str) {
        for line in text.split_terminator('\n') {
            let word = first_word(line);
            // What led to an answer is of no interest once there is another position.
            if self.is_answered && word == "position" {
                self.sent.truncate(self.n_prepared);
                self.came.clear();
                self.n_left_out = 0;
            }
            self.is_answered &= word != "position" && word != "go";
            self.sent.push(line.to_owned());
        }
    }

    /// Notes a line of the engine.
    pub fn came(&mut self, line: &str) {
        self.is_answered |= first_word(line) == "bestmove";
        self.came.push(if line.len() <= LONGEST_KEPT { line.to_owned() } else { shown(line) });
        if 2 * KEPT_LINES < self.came.len() {
            self.came.remove(KEPT_LINES);
            self.n_left_out += 1;
        }
    }

    /// Notes something that is not a line.
    pub fn note(&mut self, what: &str) {
        self.came(&format!("({what})"));
    }

    /// The lines of the engine that are kept so far, notes included.
    pub fn came_so_far(&self) -> &[String] {
        &self.came
    }

    /// All that was sent until now got the engine ready.
    pub const fn prepared(&mut self) {
        self.n_prepared = self.sent.len();
    }

    /// Forgets what the engine has said of itself.
    pub fn greeted(&mut self) {
        self.came.clear();
        self.n_left_out = 0;
    }

    /// The transcript of the check that ends here; the next one begins with the same process.
    pub fn take(&mut self) -> Transcript {
        let Self { sent, mut came, n_left_out, .. } = std::mem::take(self);
        if 0 < n_left_out {
            came.insert(KEPT_LINES, format!("({n_left_out} lines left out)"));
        }
        self.sent.extend(sent.first().cloned());
        Transcript { sent, came }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gets_the_engine_ready_and_the_last_exchange() {
        let mut sheet = Sheet::default();
        sheet.sent("ugi\n");
        sheet.came("ugiok");
        sheet.greeted();
        sheet.sent("uginewgame\nisready\n");
        sheet.came("readyok");
        sheet.prepared();
        for (position, mv) in [("position one", "a1a2"), ("position two", "b1b2"), ("position three", "c1c2")]
        {
            sheet.sent(&format!("{position}\ngo nodes 1\n"));
            sheet.came(&format!("bestmove {mv}"));
        }
        let Transcript { sent, came } = sheet.take();
        assert_eq!(sent, ["ugi", "uginewgame", "isready", "position three", "go nodes 1"]);
        assert_eq!(came, ["bestmove c1c2"]);
        assert_eq!(sheet.take(), Transcript { sent: vec!["ugi".to_owned()], came: vec![] });
        assert_eq!(sheet.take().sent, ["ugi"], "the process is the same");
    }

    #[test]
    fn a_position_that_was_not_asked_about_stays() {
        let mut sheet = Sheet::default();
        sheet.sent("ugi\n");
        sheet.prepared();
        sheet.sent("position one\nposition two\n");
        sheet.sent("go\n");
        assert_eq!(sheet.take().sent, ["ugi", "position one", "position two", "go"]);
    }

    #[test]
    fn of_a_flood_the_ends_are_kept() {
        let mut sheet = Sheet::default();
        (0..1000).for_each(|n| sheet.came(&n.to_string()));
        let came = sheet.take().came;
        assert_eq!(came.len(), 2 * KEPT_LINES + 1);
        assert_eq!((came[29].as_str(), came[30].as_str()), ("29", "(940 lines left out)"));
        assert_eq!((came[31].as_str(), came[60].as_str()), ("970", "999"));
    }
}
