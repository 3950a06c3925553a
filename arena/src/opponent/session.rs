//! A conversation with one engine's process. It waits and reads, within limits on everything; what an answer means for
//! a match is for the referee.

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::process::ExitStatus;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use engine_proto::proto::{
    Command, InfoLine, LINE_LIMIT, LineError, OptionKind, OptionSpec, Reply, Words, first_word,
};
use engine_proto::{GameId, fen::shown};
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::{unconstrained, yield_now};
use tokio::time::timeout_at;
use tokio_stream::{Stream, StreamExt};
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead};

use super::contender::Contender;
use super::launch;
use super::log::Log;
use super::pauses::{self, Deadline};
use super::process::{End, Process};
use super::stderr::Stderr;
use crate::machine::run_queue::{RunQueue, Waits};
use crate::referee::{Heard, SearchInfo};
use crate::tournament::Engine;

/// So much an engine may say until it gives the answer that is waited for.
pub const ANSWER_BYTES: usize = 64 << 20;
/// So much it may say of itself until `ugiok`: less, for that is kept.
pub const GREETING_BYTES: usize = 1 << 20;
/// So long the arena waits for the status of a process that has closed its output.
const EXIT_GRACE: Duration = Duration::from_millis(100);
/// So long an engine that was told `stop` has for its move, after the match is lost.
const STOP_GRACE: Duration = Duration::from_millis(200);

/// An engine's process that has greeted and is ready to be talked to.
pub struct Session {
    process: Process,
    stdin: ChildStdin,
    lines: FramedRead<ChildStdout, AnyDelimiterCodec>,
    stderr: Stderr,
    greeting: Greeting,
    game: Option<GameId>,
    quit_timeout: Duration,
    /// When the last line was read.
    read_at: Instant,
    /// When the last request for a move was written: its clock runs from here.
    asked_at: Instant,
    /// For how long the arena had stood still then.
    stood_still: Duration,
    /// How long processors let it wait, if that is watched.
    run_queue: Option<RunQueue>,
    /// Where the conversation is kept, if anybody wants it.
    log: Option<Log>,
    /// What it may use, in words; an end may have to do with it.
    limits: String,
    /// Lines that the engine said out of turn.
    n_out_of_turn: u64,
}

/// How an engine introduced itself.
#[derive(Clone, Debug, Default)]
pub struct Greeting {
    /// Its name.
    pub name: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// What can be set.
    pub options: Vec<OptionSpec>,
}

impl Greeting {
    /// The option of that name, in whatever case.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Takes in a line of the answer to `ugi`. Returns whether it ends the greeting.
    ///
    /// # Errors
    /// If the line breaks its form.
    pub fn hear(&mut self, line: &str) -> Result<bool, LineError> {
        match Reply::parse(line) {
            Ok(Reply::UgiOk) => return Ok(true),
            Ok(Reply::IdName(name)) => self.name = Some(name.to_owned()),
            Ok(Reply::IdAuthor(author)) => self.author = Some(author.to_owned()),
            Ok(Reply::IdVersion(version)) => self.version = Some(version.to_owned()),
            Ok(Reply::Option(option)) => self.options.push(option),
            Ok(_) | Err(LineError::Unknown) => {}
            Err(error) => return Err(error),
        }
        Ok(false)
    }

    /// The commands that get the engine ready for a match: these options, the game if it is given, and a new game.
    pub fn preparation(&self, options: &BTreeMap<String, String>, game: Option<GameId>, seed: u64) -> String {
        let mut commands = String::new();
        for (name, value) in options {
            commands.push_str(&set_option(name, value));
        }
        if let Some(game) = game
            && self.option("Game").is_some()
        {
            commands.push_str(&set_option("Game", game.id()));
        }
        if self.option("LegalMoves").is_some() {
            commands.push_str(&set_option("LegalMoves", "true"));
        }
        if !options.keys().any(|name| name.eq_ignore_ascii_case("Seed"))
            && let Some(value) = self.option("Seed").and_then(|option| seed_within(option, seed))
        {
            commands.push_str(&set_option("Seed", &value.to_string()));
        }
        commands.push_str("uginewgame\nisready\n");
        commands
    }

    /// The games that the engine lists in its option `Game`, those unknown here left out; `None` without the option.
    pub fn games(&self) -> Option<Vec<GameId>> {
        match &self.option("Game")?.kind {
            OptionKind::Combo { choices, .. } => {
                Some(choices.iter().filter_map(|choice| choice.parse().ok()).collect())
            }
            _ => None,
        }
    }
}

/// How the arena tells an engine that it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// By the command `quit`.
    Quit,
    /// By the end of its input alone.
    EndOfInput,
}

/// How an engine went.
#[derive(Clone, Debug)]
pub struct Parting {
    /// With which status it ended by itself in time; `None` if it had to be killed.
    pub status: Option<ExitStatus>,
    /// The processes that it left running, in words, as far as the system tells.
    pub left: Vec<String>,
}

/// Why an engine did not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// By its own fault.
    #[error(transparent)]
    Engine(#[from] NoStart),
    /// The arena lacks what it takes to start any.
    #[error(transparent)]
    Arena(#[from] Shortage),
}

/// The system gives the arena no more of what starting a process takes: files, processes, memory. No engine's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start engine `{engine}`: {reason}")]
pub struct Shortage {
    /// The contender's name.
    pub engine: String,
    /// What the system says.
    pub reason: String,
}

/// What an engine did instead of greeting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine `{engine}` {what}{last_words}")]
pub struct NoStart {
    /// The contender's name.
    pub engine: String,
    /// What happened.
    pub what: String,
    /// The last lines of its standard error.
    pub last_words: LastWords,
}

/// The last lines that a process wrote to standard error, for the end of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastWords(pub String);

impl fmt::Display for LastWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; the end of its standard error:\n{}", self.0) }
    }
}

/// A line as an engine wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A text.
    Text(String),
    /// Bytes that are not UTF-8, those at fault as `\xNN`.
    NotText(String),
}

/// Why a line did not come.
enum NoLine {
    Silence,
    /// One came, but too late.
    Late(String),
    /// It has closed its end of this pipe, most likely by ending.
    Closed(Pipe),
    /// A line came that is not UTF-8; the bytes at fault are written as `\xNN`.
    NotText(String),
    Rubbish(String),
}

/// A pipe to or from an engine, from its point of view.
#[derive(Clone, Copy)]
enum Pipe {
    Input,
    Output,
}

impl Session {
    /// Starts the contender's process and greets it; the conversation goes to `log` until another is set.
    ///
    /// # Errors
    /// If it cannot be started, or does not say `ugiok` within its time.
    pub async fn start(contender: &Contender, log: Option<Log>) -> Result<Self, StartError> {
        let mut session = Self::open(contender, log)?;
        let what = match session.greet(contender.engine.timeouts.start).await {
            Ok(()) => return Ok(session),
            Err(NoLine::Silence | NoLine::Late(_)) => {
                format!("did not say `ugiok` within {:?}", contender.engine.timeouts.start)
            }
            Err(NoLine::Closed(pipe)) => {
                format!("did not say `ugiok`: it {}", session.end_in_words(pipe).await)
            }
            Err(NoLine::NotText(line)) => format!("did not say `ugiok`: {}", not_text(&line)),
            Err(NoLine::Rubbish(what)) => format!("did not say `ugiok`: {what}"),
        };
        let last_words = session.stderr.last_words();
        if session.process.lacked_means() {
            return Err(Shortage { engine: contender.engine.name.clone(), reason: last_words }.into());
        }
        session.kill().await;
        Err(NoStart { engine: contender.engine.name.clone(), what, last_words: LastWords(last_words) }.into())
    }

    /// Starts the contender's process and says nothing yet.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn open(contender: &Contender, log: Option<Log>) -> Result<Self, StartError> {
        let (process, pipes) = Process::start(&contender.spawn).map_err(|error| {
            let engine = contender.engine.name.clone();
            if launch::is_shortage(&error) {
                return StartError::Arena(Shortage { engine, reason: error.to_string() });
            }
            let what = format!("cannot be started: `{}`: {error}", contender.spawn.program.display());
            NoStart { engine, what, last_words: LastWords(String::new()) }.into()
        })?;
        let codec = AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), b"\n".to_vec(), LINE_LIMIT);
        Ok(Self {
            process,
            stdin: pipes.stdin,
            lines: FramedRead::with_capacity(pipes.stdout, codec, 4096),
            stderr: Stderr::read(pipes.stderr, contender.spawn.log.as_deref()),
            greeting: Greeting::default(),
            game: None,
            quit_timeout: contender.engine.timeouts.quit,
            read_at: Instant::now(),
            asked_at: Instant::now(),
            stood_still: pauses::stood_still(),
            run_queue: None,
            log,
            limits: contender.spawn.confinement.limits_in_words(),
            n_out_of_turn: 0,
        })
    }

    /// How the engine introduced itself.
    pub const fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Keeps the conversation in `log` from now on, or nowhere.
    pub fn log_to(&mut self, log: Option<Log>) {
        self.log = log;
    }

    /// Lines that the engine said out of turn since its start.
    pub const fn n_out_of_turn(&self) -> u64 {
        self.n_out_of_turn
    }

    /// When the last line was read.
    pub const fn read_at(&self) -> Instant {
        self.read_at
    }

    /// When the last request for a move was written.
    pub const fn asked_at(&self) -> Instant {
        self.asked_at
    }

    /// Watches from now on how long processors let the engine wait. To be called before each request for a move.
    pub fn watch_run_queue(&mut self) {
        if self.run_queue.is_none() {
            self.run_queue = self.process.id().map(RunQueue::of);
        }
        if let Some(run_queue) = &mut self.run_queue {
            run_queue.begin(Instant::now());
        }
    }

    /// How long processors have let the engine and this thread wait in the last move; `None` if it was not watched, or
    /// the system does not tell.
    pub fn waits(&mut self) -> Option<Waits> {
        self.run_queue.as_mut()?.waits()
    }

    /// Closes the files that are open for its next move only.
    pub fn rest(&mut self) {
        if let Some(run_queue) = &mut self.run_queue {
            run_queue.rest();
        }
    }

    /// The time from the last request for a move to `moment`, that in which the arena stood still left out.
    pub fn took_until(&self, moment: Instant) -> Duration {
        let paused = pauses::stood_still().saturating_sub(self.stood_still);
        moment.saturating_duration_since(self.asked_at).saturating_sub(paused)
    }

    async fn greet(&mut self, limit: Duration) -> Result<(), NoLine> {
        let mut deadline = Deadline::after(Instant::now(), limit);
        self.send("ugi\n", &mut deadline).await?;
        let mut room = GREETING_BYTES;
        let mut unlimited = usize::MAX;
        loop {
            let line = self.line(&mut deadline, &mut unlimited).await?;
            room = room.checked_sub(line.len() + 1).ok_or_else(|| {
                NoLine::Rubbish(format!("more than {GREETING_BYTES} bytes without `ugiok`"))
            })?;
            match self.greeting.hear(&line) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => return Err(NoLine::Rubbish(format!("`{}`: {error}", shown(&line)))),
            }
        }
    }

    /// Gets the engine ready for a match of `game`: [`Heard::Ready`], or what came instead.
    pub async fn prepare(&mut self, engine: &Engine, game: GameId, seed: u64) -> Heard {
        let changed = (self.game != Some(game)).then_some(game);
        let commands = self.greeting.preparation(&engine.options, changed, seed);
        self.game = Some(game);
        let begun = Instant::now();
        match self.await_ready(&commands, Deadline::after(begun, engine.timeouts.ready)).await {
            Ok(()) => Heard::Ready,
            Err(why) => self.explain(why, begun).await,
        }
    }

    async fn await_ready(&mut self, commands: &str, mut deadline: Deadline) -> Result<(), NoLine> {
        self.send(commands, &mut deadline).await?;
        let mut room = ANSWER_BYTES;
        loop {
            let line = self.line(&mut deadline, &mut room).await?;
            if matches!(Reply::parse(&line), Ok(Reply::ReadyOk)) {
                return Ok(());
            }
            self.n_out_of_turn += 1;
        }
    }

    /// Whether the engine wants to be told the legal moves.
    pub fn wants_legal_moves(&self) -> bool {
        self.greeting.option("LegalMoves").is_some()
    }

    /// Writes `commands`, which end with `go`, and waits for the move, for as long as `allowed`. `wants_line` says whether the
    /// moves that the engine expects are of interest.
    pub async fn ask(&mut self, commands: &str, allowed: Duration, wants_line: bool) -> Heard {
        let mut begun = Instant::now();
        (self.asked_at, self.stood_still) = (begun, pauses::stood_still());
        let mut room = ANSWER_BYTES;
        let mut last_info: Option<String> = None;
        let why = 'answer: {
            if let Err(why) = self.drain() {
                break 'answer why;
            }
            // An engine that does not read has its time for that, too.
            if let Err(why) = self.send(commands, &mut Deadline::after(begun, allowed)).await {
                break 'answer why;
            }
            begun = Instant::now();
            (self.asked_at, self.stood_still) = (begun, pauses::stood_still());
            let mut deadline = Deadline::after(begun, allowed);
            loop {
                if let Some(run_queue) = &mut self.run_queue {
                    run_queue.wait(self.read_at.max(begun));
                }
                let line = match self.line(&mut deadline, &mut room).await {
                    Ok(line) => line,
                    // An answer is one, even if it comes too late.
                    Err(NoLine::Late(line)) if first_word(&line) == "bestmove" => line,
                    Err(why) => break why,
                };
                match first_word(&line) {
                    "info" => last_info = Some(line),
                    "bestmove" => match Reply::parse(&line) {
                        Ok(Reply::BestMove(text)) => {
                            let took = self.took_until(self.read_at);
                            let info = last_info
                                .as_deref()
                                .map(|line| search_info(line, wants_line))
                                .unwrap_or_default();
                            return Heard::Move { text: text.to_owned(), took, info };
                        }
                        Ok(_) | Err(_) => break NoLine::Rubbish(format!("`{}`: no move", shown(&line))),
                    },
                    _ => self.n_out_of_turn += 1,
                }
            }
        };
        self.explain(why, begun).await
    }

    /// Tells an engine that has lost on time to stop. Whether it did, and can be used again.
    pub async fn stop(&mut self) -> bool {
        let mut deadline = Deadline::after(Instant::now(), STOP_GRACE);
        let mut room = ANSWER_BYTES;
        if self.send("stop\n", &mut deadline).await.is_err() {
            return false;
        }
        while let Ok(line) = self.line(&mut deadline, &mut room).await {
            if first_word(&line) == "bestmove" {
                return true;
            }
        }
        false
    }

    /// Writes `text` as it stands, line ends included: for checks of the protocol, which also say what no command is.
    ///
    /// # Errors
    /// What came of it, if it cannot be written by `deadline`.
    pub async fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Heard> {
        let begun = Instant::now();
        match self.send(text, &mut until(deadline, begun)).await {
            Ok(()) => Ok(()),
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    /// The next line, whatever it says. `room` is how many bytes the engine may still say; the line is taken from it.
    ///
    /// # Errors
    /// What was heard instead of a line, by `deadline` at the latest.
    pub async fn read(&mut self, deadline: Instant, room: &mut usize) -> Result<Said, Heard> {
        let begun = Instant::now();
        match self.line(&mut until(deadline, begun), room).await {
            Ok(line) => Ok(Said::Text(line)),
            Err(NoLine::NotText(line)) => Ok(Said::NotText(line)),
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    /// What the engine has written of a line that it has not ended.
    pub fn unfinished(&self) -> String {
        printable(self.lines.read_buffer())
    }

    /// Closes the engine's input and ends the process after `limit` at the latest: the first lines that it wrote until then.
    pub async fn hear_out(self, limit: Duration) -> Vec<Said> {
        const MOST_LINES: usize = 100;
        let Self { stdin, mut lines, mut process, .. } = self;
        drop(stdin);
        let deadline = Instant::now() + limit;
        let mut said = Vec::new();
        while said.len() < MOST_LINES
            && let Ok(Some(line)) = timeout_at(deadline.into(), lines.next()).await
        {
            match take(line) {
                Ok(line) => said.push(Said::Text(line)),
                Err(NoLine::NotText(line)) => said.push(Said::NotText(line)),
                Err(_) => break,
            }
        }
        process.end(Duration::ZERO).await;
        said
    }

    /// Tells the engine that it is over, in this way, and waits for its process, for as long as `limit`. What that
    /// leaves running is ended in any case.
    pub async fn part(mut self, farewell: Farewell, limit: Duration) -> Parting {
        let begun = Instant::now();
        if farewell == Farewell::Quit {
            // An engine that does not read it does not go, and that is what counts.
            let _ = self.send("quit\n", &mut Deadline::after(begun, limit)).await;
        }
        // After `quit` its input stays open: the command is what shall end it.
        let _input = (farewell == Farewell::Quit).then_some(self.stdin);
        let mut lines = self.lines;
        let passed_over = async {
            while lines.next().await.is_some() {}
            std::future::pending::<()>().await;
        };
        let end = tokio::select! {
            end = self.process.end(limit.saturating_sub(begun.elapsed())) => end,
            () = passed_over => End::Unknown,
        };
        let status = match end {
            End::Itself(status) if begun.elapsed() < limit => Some(status),
            End::Itself(_) | End::Killed { .. } | End::Unknown => None,
        };
        self.stderr.settle(EXIT_GRACE).await;
        Parting { status, left: self.stderr.left_running() }
    }

    /// Says `quit`, and ends the process and all that it started if it does not go.
    pub async fn quit(self) {
        let limit = self.quit_timeout;
        self.part(Farewell::Quit, limit).await;
    }

    /// Ends the process and all that it started, at once.
    pub async fn kill(mut self) {
        self.process.end(Duration::ZERO).await;
    }

    async fn send(&mut self, text: &str, deadline: &mut Deadline) -> Result<(), NoLine> {
        if let Some(log) = &self.log {
            log.sent(text);
        }
        // What it has started may hold its input open, and read nothing.
        let written = async {
            tokio::select! {
                biased;
                written = self.stdin.write_all(text.as_bytes()) => written.is_ok(),
                () = self.process.ended() => false,
            }
        };
        tokio::pin!(written);
        loop {
            match timeout_at(deadline.at().into(), &mut written).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(NoLine::Closed(Pipe::Input)),
                Err(_) if deadline.has_passed(Instant::now()) => return Err(NoLine::Silence),
                Err(_) => {}
            }
        }
    }

    /// The next line, read by `deadline`, as long as all lines read for this answer have room.
    async fn line(&mut self, deadline: &mut Deadline, room: &mut usize) -> Result<String, NoLine> {
        let line = loop {
            match timeout_at(deadline.at().into(), self.next_line()).await {
                Err(_) if deadline.has_passed(Instant::now()) => return Err(NoLine::Silence),
                Err(_) => {}
                Ok(None) => return Err(NoLine::Closed(Pipe::Output)),
                Ok(Some(line)) => break line,
            }
        };
        self.read_at = Instant::now();
        if let Some(log) = &self.log
            && let Ok(line) | Err(NoLine::NotText(line)) = &line
        {
            log.heard(self.read_at, line);
        }
        let line = line?;
        // An engine that never pauses would keep the timer from being looked at.
        if deadline.has_passed(self.read_at) {
            return Err(NoLine::Late(line));
        }
        *room = room
            .checked_sub(line.len() + 1)
            .ok_or_else(|| NoLine::Rubbish(format!("more than {ANSWER_BYTES} bytes without an answer")))?;
        Ok(line)
    }

    /// The next line; `None` when there will be none: the output is closed, or the process has ended and all that it wrote
    /// is read, even if what it started holds the output open.
    async fn next_line(&mut self) -> Option<Result<String, NoLine>> {
        if !self.process.has_ended() {
            tokio::select! {
                biased;
                line = self.lines.next() => return line.map(take),
                () = self.process.ended() => {}
            }
            // The system has told of the end; now it tells of what was written before that.
            yield_now().await;
        }
        unconstrained(poll_fn(|context| match Pin::new(&mut self.lines).poll_next(context) {
            Poll::Pending => Poll::Ready(None),
            Poll::Ready(line) => Poll::Ready(line.map(take)),
        }))
        .await
    }

    /// Passes over what the engine has said since its last answer.
    fn drain(&mut self) -> Result<(), NoLine> {
        let mut room = LINE_LIMIT;
        let mut context = Context::from_waker(Waker::noop());
        loop {
            match Pin::new(&mut self.lines).poll_next(&mut context) {
                Poll::Pending => return Ok(()),
                Poll::Ready(None) => return Err(NoLine::Closed(Pipe::Output)),
                Poll::Ready(Some(line)) => {
                    let line = take(line)?;
                    if let Some(log) = &self.log {
                        log.heard(Instant::now(), &line);
                    }
                    self.n_out_of_turn += u64::from(first_word(&line) != "info");
                    room = room.checked_sub(line.len() + 1).ok_or_else(|| {
                        NoLine::Rubbish(format!(
                            "more than {LINE_LIMIT} bytes although nothing was requested"
                        ))
                    })?;
                }
            }
        }
    }

    async fn explain(&mut self, why: NoLine, begun: Instant) -> Heard {
        match why {
            NoLine::Silence | NoLine::Late(_) => Heard::Silence { after: begun.elapsed() },
            NoLine::NotText(line) => Heard::Rubbish { what: self.with_last_words(&not_text(&line)) },
            NoLine::Rubbish(what) => Heard::Rubbish { what: self.with_last_words(&what) },
            NoLine::Closed(pipe) => {
                let end = self.end_in_words(pipe).await;
                Heard::Exit { how: self.with_last_words(&end) }
            }
        }
    }

    /// Ends the process, which has closed `pipe`, and says how it ended.
    async fn end_in_words(&mut self, pipe: Pipe) -> String {
        let pipe = match pipe {
            Pipe::Input => "input",
            Pipe::Output => "output",
        };
        let end = match self.process.end(EXIT_GRACE).await {
            End::Itself(status) => format!("ended with {status}"),
            End::Killed { after } => format!("closed its {pipe} and did not end within {after:?}"),
            End::Unknown => "ended for an unknown reason".to_owned(),
        };
        self.stderr.settle(EXIT_GRACE).await;
        if self.limits.is_empty() { end } else { format!("{end}, confined to {}", self.limits) }
    }

    fn with_last_words(&self, what: &str) -> String {
        format!("{what}{}", LastWords(self.stderr.last_words()))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("process", &self.process)
            .field("game", &self.game)
            .finish_non_exhaustive()
    }
}

/// A deadline that was set as a moment.
fn until(deadline: Instant, now: Instant) -> Deadline {
    Deadline::after(now, deadline.saturating_duration_since(now))
}

fn take(line: Result<impl AsRef<[u8]>, AnyDelimiterCodecError>) -> Result<String, NoLine> {
    match line {
        Ok(line) => {
            let line = line.as_ref();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            std::str::from_utf8(line).map(str::to_owned).map_err(|_| NoLine::NotText(printable(line)))
        }
        Err(AnyDelimiterCodecError::MaxChunkLengthExceeded) => {
            Err(NoLine::Rubbish(format!("a line of more than {LINE_LIMIT} bytes")))
        }
        Err(AnyDelimiterCodecError::Io(_)) => Err(NoLine::Closed(Pipe::Output)),
    }
}

/// The text that these bytes spell, with `\xNN` for each that is not UTF-8 and control characters escaped.
fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() { text.extend(c.escape_default()) } else { text.push(c) }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

fn not_text(line: &str) -> String {
    const LONGEST: usize = 60;
    let cut = if line.chars().nth(LONGEST).is_some() { "..." } else { "" };
    let line: String = line.chars().take(LONGEST).collect();
    format!("a line that is not UTF-8: `{line}{cut}`")
}

fn set_option(name: &str, value: &str) -> String {
    format!("{}\n", Command::SetOption { name: Words::new(name), value: Some(value) })
}

/// `seed` brought within the option's bounds; `None` if the option is no number.
fn seed_within(option: &OptionSpec, seed: u64) -> Option<i64> {
    let OptionKind::Spin { min, max, .. } = &option.kind else { return None };
    let span = max.checked_sub(*min)?.cast_unsigned().checked_add(1)?;
    min.checked_add_unsigned(seed % span)
}

fn search_info(line: &str, wants_line: bool) -> SearchInfo {
    match Reply::parse(line) {
        Ok(Reply::Info(info)) => SearchInfo {
            depth: info.depth,
            score: info.score,
            nodes: info.nodes,
            time: info.time,
            principal_variation: wants_line.then(|| principal_variation(&info)).flatten(),
        },
        _ => SearchInfo::default(),
    }
}

/// The first moves that the engine expects, as far as they are worth showing.
fn principal_variation(info: &InfoLine<'_>) -> Option<String> {
    const MOST_MOVES: usize = 64;
    let moves: Vec<_> = info.pv.iter().take(MOST_MOVES).map(ToString::to_string).collect();
    (!moves.is_empty()).then(|| moves.join(" "))
}
