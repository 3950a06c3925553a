//! A conversation with an engine's program in a thread: what is said, and the lines that are waited for.

use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use engine_proto::proto::first_word;
use engines::roster::Kind;

/// Longer than anything takes here, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Talk {
    to_program: PipeWriter,
    lines: Receiver<String>,
}

impl Talk {
    pub fn with(kind: Kind) -> Self {
        let (input, to_program) = std::io::pipe().expect("a pipe");
        let (from_program, output) = std::io::pipe().expect("a pipe");
        thread::spawn(move || kind.program().run_with(BufReader::new(input), output));
        let (line_read, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(from_program).lines() {
                // Nobody listens once the test is over.
                let _unheard = line_read.send(line.expect("UTF-8"));
            }
        });
        Self { to_program, lines }
    }

    /// Says some lines, all at once.
    pub fn say(&mut self, lines: &str) {
        self.to_program.write_all(format!("{lines}\n").as_bytes()).expect("the program listens");
    }

    /// The next line.
    pub fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the program says something")
    }

    /// All lines up to the next one that begins with `word`, which comes last.
    pub fn hear_until(&self, word: &str) -> Vec<String> {
        let mut lines = vec![self.hear()];
        while lines.last().is_none_or(|line| first_word(line) != word) {
            lines.push(self.hear());
        }
        lines
    }

    /// All lines until the program ends.
    pub fn hear_out(self) -> String {
        self.lines.iter().map(|line| line + "\n").collect()
    }

    /// Says some lines that end with a `go`: the answer's words after `bestmove`, and the lines before it.
    pub fn ask(&mut self, lines: &str) -> (Vec<String>, Vec<String>) {
        self.say(lines);
        let mut lines = self.hear_until("bestmove");
        let best = lines.pop().expect("it comes last");
        (best.split(' ').skip(1).map(ToOwned::to_owned).collect(), lines)
    }
}
