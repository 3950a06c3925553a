//! The relevant lines of a conversation: the preparation of the engine, and the last exchange of the check. Lines to
//! the engine are complete and in order, so that they can be sent again by hand.

use engine_proto::fen::shown;
use engine_proto::proto::first_word;
use serde::Serialize;

/// The first and the last lines of an engine are kept, this many of each.
const KEPT_LINES: usize = 30;
/// A longer line from an engine is cut, in bytes.
const LONGEST_KEPT: usize = 1024;

/// A conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Transcript {
    /// What the arena sent.
    pub sent: Vec<String>,
    /// What the engine answered; notes are in parentheses.
    pub came: Vec<String>,
}

/// The transcript of one process in progress.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    sent: Vec<String>,
    came: Vec<String>,
    n_left_out: usize,
    /// The number of first lines of `sent` that are always kept: the preparation of the engine.
    n_prepared: usize,
    /// Whether the last `go` was answered.
    is_answered: bool,
}

impl Sheet {
    /// Adds lines that were written to the engine, each with its line end.
    pub fn sent(&mut self, text: &str) {
        for line in text.split_terminator('\n') {
            let word = first_word(line);
            // After an answer, a new position makes the earlier lines irrelevant.
            if self.is_answered && word == "position" {
                self.sent.truncate(self.n_prepared);
                self.came.clear();
                self.n_left_out = 0;
            }
            self.is_answered &= word != "position" && word != "go";
            self.sent.push(line.to_owned());
        }
    }

    /// Adds a line of the engine.
    pub fn came(&mut self, line: &str) {
        self.is_answered |= matches!(first_word(line), "bestmove" | "response");
        self.came.push(if line.len() <= LONGEST_KEPT { line.to_owned() } else { shown(line) });
        if 2 * KEPT_LINES < self.came.len() {
            self.came.remove(KEPT_LINES);
            self.n_left_out += 1;
        }
    }

    /// Adds a note.
    pub fn note(&mut self, what: &str) {
        self.came(&format!("({what})"));
    }

    /// The lines of the engine that are kept so far, notes included.
    pub fn came_so_far(&self) -> &[String] {
        &self.came
    }

    /// Marks all lines until now as preparation of the engine.
    pub const fn prepared(&mut self) {
        self.n_prepared = self.sent.len();
    }

    /// Removes the engine's greeting.
    pub fn greeted(&mut self) {
        self.came.clear();
        self.n_left_out = 0;
    }

    /// Takes the transcript of the check that ends here; the next one starts with the same process.
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
