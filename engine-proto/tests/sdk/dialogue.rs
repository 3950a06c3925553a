//! A program at work in a thread, and the arena's part of the talk with it, over pipes.

use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use engine_proto::sdk::{Program, RunError};

/// Longer than anything here takes, even on a machine that is busy: a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Dialogue {
    to_program: PipeWriter,
    /// The program's lines. It is closed when the program closes its output.
    lines: Receiver<String>,
    program: JoinHandle<Result<(), RunError>>,
}

impl Dialogue {
    pub fn with(program: Program) -> Self {
        let (input, to_program) = std::io::pipe().expect("a pipe");
        let (from_program, output) = std::io::pipe().expect("a pipe");
        let program = thread::spawn(move || program.run_with(BufReader::new(input), output));
        let (line_read, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(from_program).lines() {
                // Nobody listens once the test is over.
                let _unheard = line_read.send(line.expect("UTF-8"));
            }
        });
        Self { to_program, lines, program }
    }

    /// Says some lines, all at once.
    pub fn say(&mut self, lines: &str) {
        self.say_bytes(format!("{lines}\n").as_bytes());
    }

    /// Says bytes that need not be lines.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        self.to_program.write_all(bytes).expect("the program listens");
    }

    /// The program's next line.
    pub fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the program says something")
    }

    /// The program's lines up to and with `last`.
    pub fn hear_until(&self, last: &str) -> Vec<String> {
        let mut lines = vec![];
        while lines.last().is_none_or(|line| line != last) {
            lines.push(self.hear());
        }
        lines
    }

    /// What the program says of the position, the drawing left out.
    pub fn position(&mut self) -> Vec<String> {
        self.say("d");
        let mut lines = vec![];
        while lines.last().is_none_or(|line: &String| !line.starts_with("Game over: ")) {
            lines.push(self.hear());
        }
        let fen = lines.iter().position(|line| line.starts_with("FEN: ")).expect("it says the FEN");
        lines.split_off(fen)
    }

    /// Says some lines and checks what comes back, line by line.
    pub fn expect(&mut self, lines: &str, answers: &[&str]) {
        self.say(lines);
        for answer in answers {
            assert_eq!(self.hear(), *answer, "after `{lines}`");
        }
    }

    /// The arena goes away. What the program still says, and how it ended.
    pub fn hang_up(self) -> (Vec<String>, Result<(), RunError>) {
        drop(self.to_program);
        let result = self.program.join().expect("the driver never panics");
        (self.lines.iter().collect(), result)
    }

    /// What the program says until it closes its output by itself.
    pub fn hear_out(&self) -> Vec<String> {
        let mut lines = vec![];
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return lines,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("the program stays, after {lines:?}"),
            }
        }
    }

    /// How the program ended, which it must have done, or be about to do, without another word.
    pub fn gone(self) -> Result<(), RunError> {
        assert_eq!(self.hear_out(), [""; 0]);
        self.program.join().expect("the driver never panics")
    }
}
