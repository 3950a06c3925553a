//! The conversation with one process of the engine: the lines, the state, and timeouts. The checks judge the answers.

use std::time::{Duration, Instant};

use engine_proto::proto::first_word;

use super::finding::{Awaited, Cause, Fault};
use super::rules;
use super::slips::{self, Output};
use super::transcript::Sheet;
use model::referee::Response;
use opponent::{ANSWER_BYTES, Contender, Dialect, Farewell, Parting, ReceivedLine, Session};

/// Output that was written but not flushed arrives within this time after the end of the input.
const FALL_OUT: Duration = Duration::from_millis(500);

/// One process of the engine, and its conversation.
#[derive(Debug)]
pub struct Conversation {
    session: Session,
    pub sheet: Sheet,
    doing: Doing,
    /// Whether something was written to it.
    has_spoken: bool,
    /// The number of bytes that the engine may still write in this check.
    room: usize,
}

/// The state that the engine should be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Waiting for commands.
    Nothing,
    /// Searching since `go`.
    Searching,
    /// Ending its search after `stop`.
    Stopping,
}

impl Conversation {
    /// Starts a process.
    pub fn open(contender: &Contender) -> Result<Self, Fault> {
        let session = Session::open(contender, None).map_err(|error| Fault::new(error.to_string()))?;
        Ok(Self {
            session,
            sheet: Sheet::default(),
            doing: Doing::Nothing,
            has_spoken: false,
            room: ANSWER_BYTES,
        })
    }

    /// The state that the engine should be in.
    pub const fn doing(&self) -> Doing {
        self.doing
    }

    /// Sets how many bytes the engine may write from now on.
    pub const fn set_room(&mut self, room: usize) {
        self.room = room;
    }

    /// Writes `text` unchanged.
    pub async fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Fault> {
        let text = self.session.dialect().wire(text);
        self.sheet.sent(&text);
        // Before the first line, the engine's own processes may not have started.
        if std::mem::replace(&mut self.has_spoken, true) {
            self.session.watch_run_queue(Instant::now());
        }
        for line in text.lines() {
            self.doing = match (first_word(line), self.doing) {
                ("go", _) => Doing::Searching,
                ("stop", Doing::Searching) => Doing::Stopping,
                (_, doing) => doing,
            };
        }
        match self.session.write(&text, deadline).await {
            Ok(()) => Ok(()),
            Err(Response::Silence { after }) => Err(Fault::of(
                Cause::Unreadable("no reading".to_owned()),
                rules::READY_ANY_TIME,
                format!("it did not read its input for {after:.1?}"),
            )),
            Err(heard) => Err(self.fault(heard)),
        }
    }

    /// How long the engine and the arena have waited for a processor since the last line to the engine.
    pub fn waited(&mut self) -> Duration {
        self.session.waits().map_or(Duration::ZERO, |waits| waits.engine + waits.arena)
    }

    /// The next line; `None` if there is none by `deadline`.
    pub async fn line(&mut self, deadline: Instant) -> Result<Option<ReceivedLine>, Fault> {
        match self.session.read(deadline, &mut self.room).await {
            Ok(said) => {
                let (ReceivedLine::Text(line) | ReceivedLine::NotText(line)) = &said;
                self.sheet.came(line);
                if first_word(line) == "bestmove" {
                    self.doing = Doing::Nothing;
                }
                Ok(Some(said))
            }
            Err(Response::Silence { .. }) => Ok(None),
            Err(heard) => Err(self.fault(heard)),
        }
    }

    /// Ends the process, which did not write what was `awaited` within `waited`. Returns the probable cause, judged by
    /// its output.
    pub async fn silence(self, awaited: Awaited, waited: Duration) -> (Fault, Sheet) {
        let Self { session, mut sheet, .. } = self;
        let dialect = session.dialect();
        let lines = sheet.came_so_far().to_vec();
        let unfinished = session.unfinished();
        if !unfinished.is_empty() {
            sheet.came(&unfinished);
            sheet.note("no line end");
        }
        let mut fell_out: Vec<String> = session
            .hear_out(FALL_OUT)
            .await
            .into_iter()
            .map(|(ReceivedLine::Text(line) | ReceivedLine::NotText(line))| line)
            .collect();
        if !unfinished.is_empty() && !fell_out.is_empty() {
            // The end of its output ended that line.
            fell_out.remove(0);
        }
        if !fell_out.is_empty() {
            sheet.note("its input is closed");
            for line in &fell_out {
                sheet.came(line);
            }
        }
        let mut what = match (awaited, dialect) {
            (Awaited::Greeting, Dialect::Uci) => format!("no `uciok` within {waited:?}"),
            _ => format!("no {awaited} within {waited:?}"),
        };
        let mut rule = match awaited {
            Awaited::Greeting => rules::GREET,
            Awaited::Ready => rules::READY,
            Awaited::ReadyInSearch => rules::READY_ANY_TIME,
            Awaited::Move => rules::ONE_MOVE,
            Awaited::MoveAfterStop => rules::STOP,
            Awaited::End => rules::QUIT,
        };
        let output = Output { lines: &lines, unfinished: &unfinished, fell_out: &fell_out };
        if let Some(hint) = slips::of_silence(awaited, output) {
            what = format!("{what}; {}", hint.text);
            rule = hint.rule;
        } else if (awaited, dialect) == (Awaited::Greeting, Dialect::Ugi) {
            what.push_str("; if this is a UCI engine, add `--protocol uci`");
        }
        (Fault::of(Cause::Silence(awaited), rule, what), sheet)
    }

    /// Tells the engine to end, in this way, and waits for its process for at most `limit`.
    pub async fn part(self, farewell: Farewell, limit: Duration) -> (Parting, Sheet) {
        let Self { session, mut sheet, .. } = self;
        match farewell {
            Farewell::Quit => sheet.sent("quit\n"),
            Farewell::EndOfInput => sheet.note("its input is closed"),
        }
        let parting = session.part(farewell, limit).await;
        if let Some(status) = parting.status {
            sheet.note(&format!("the process ended: {status}"));
        }
        (parting, sheet)
    }

    /// Kills the process.
    pub async fn kill(self) -> Sheet {
        self.session.kill().await;
        self.sheet
    }

    /// The result of waiting for a line.
    fn fault(&mut self, heard: Response) -> Fault {
        match heard {
            Response::Exit { how } => {
                self.sheet.note("the engine closed its output");
                let what = format!("its process {how}");
                Fault::of(Cause::Exit(how), rules::CRASH, what)
            }
            Response::Rubbish { what } => {
                Fault::of(Cause::Unreadable(what.clone()), rules::BROKEN_OUTPUT, what)
            }
            Response::NoStart { why } => Fault::new(why),
            Response::Silence { .. }
            | Response::Ready
            | Response::Move { .. }
            | Response::OffTurn { .. }
            | Response::Conceded => {
                unreachable!("lines are read and written one by one here, and silence is for the caller")
            }
        }
    }
}
