//! The conversation with one engine process: writing and reading with limits. The referee decides what an answer means
//! for a match.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::process::ExitStatus;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use engine_proto::proto::{BestMove, Command, GameOver, LINE_LIMIT, Reply, first_word};
use engine_proto::{GameId, fen::shown};
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::{unconstrained, yield_now};
use tokio::time::timeout_at;
use tokio_stream::{Stream, StreamExt};
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead};

use super::Setup;
use super::contender::Contender;
use super::dialect::Dialect;
use super::greeting::Greeting;
use super::launch::{self, Confinement};
use super::log::Log;
use super::pauses::{self, Deadline};
use super::pondering::Pondering;
use super::process::{End, Process};
use super::rest::{OffTurnUse, Rest};
use super::search_reports::SearchReports;
use super::stderr::Stderr;
use crate::escape::escaped_line;
use crate::machine::run_queue::{RunQueue, Waits};
use crate::referee::{Heard, SearchInfo};
use crate::tournament::{Engine, Protocol};

/// The maximum number of bytes of an answer, including all lines before it.
pub const ANSWER_BYTES: usize = 64 << 20;
/// The maximum number of bytes of a greeting; smaller, because the greeting is stored.
pub const GREETING_BYTES: usize = 1 << 20;
/// How long the arena waits for the exit status of a process that has closed its output.
const EXIT_GRACE: Duration = Duration::from_millis(100);
/// How long an engine has to send its move after `stop`, when the match is already lost.
const STOP_GRACE: Duration = Duration::from_millis(200);
/// How long an engine may take to read `gameover`: it waits in the pipe, so that only a full pipe takes time.
const GAMEOVER_GRACE: Duration = Duration::from_millis(200);

/// An engine's process that has sent its greeting.
pub struct Session {
    process: Process,
    stdin: ChildStdin,
    pub(super) lines: FramedRead<ChildStdout, AnyDelimiterCodec>,
    stderr: Stderr,
    greeting: Greeting,
    game: Option<GameId>,
    quit_timeout: Duration,
    /// When the last line was received.
    read_at: Instant,
    /// When the last request for a move was sent. The clock starts here.
    asked_at: Instant,
    /// The total time of pauses of the arena at that moment.
    stood_still: Duration,
    /// How long the engine waited for a processor, if this is measured.
    run_queue: Option<RunQueue>,
    /// The engine's search on its opponent's time, if there is one.
    pub(super) pondering: Option<Pondering>,
    /// The protocol log, if there is one.
    pub(super) log: Option<Log>,
    /// What the engine may use.
    confinement: Confinement,
    /// The number of lines that the engine sent out of turn.
    n_out_of_turn: u64,
    /// Its rest while it is not on the move; `None` if it may compute at any time.
    rest: Option<Rest>,
}

/// How the arena tells an engine to exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// By the command `quit`.
    Quit,
    /// By closing its input.
    EndOfInput,
}

/// The end of an engine.
#[derive(Clone, Debug)]
pub struct Parting {
    /// Its exit status, if it exited in time; `None` if it was killed.
    pub status: Option<ExitStatus>,
    /// The processes that it left running, in words, if the system reports them.
    pub left: Vec<String>,
}

/// Why an engine did not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Because of the engine.
    #[error(transparent)]
    Engine(#[from] NoStart),
    /// Because the arena has no resources to start any engine.
    #[error(transparent)]
    Arena(#[from] Shortage),
}

/// The arena cannot go on. Not the fault of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shortage {
    /// The system has no more files, processes or memory.
    #[error("cannot start engine `{engine}`: {reason}")]
    Means {
        /// The contender's name.
        engine: String,
        /// The system's error.
        reason: String,
    },
    /// The rules of the game, which are a program, do not answer as they should.
    #[error("{reason}")]
    Rules {
        /// What happened.
        reason: String,
    },
}

/// The engine did not send a greeting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine `{engine}` {what}{last_words}")]
pub struct NoStart {
    /// The contender's name.
    pub engine: String,
    /// What happened instead.
    pub what: String,
    /// The last lines of its standard error.
    pub last_words: LastWords,
}

/// The last lines that a process wrote to standard error, for an error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastWords(pub String);

impl fmt::Display for LastWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; the end of its standard error:\n{}", self.0) }
    }
}

/// A line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Valid UTF-8.
    Text(String),
    /// Not UTF-8; the invalid bytes are shown as `\xNN`.
    NotText(String),
}

/// Why a line was not received.
#[derive(Debug)]
pub enum NoLine {
    /// It did not come in time.
    Silence,
    /// It came too late.
    Late(String),
    /// The engine closed this pipe, usually by exiting.
    Closed(Pipe),
    /// It was not UTF-8; the invalid bytes are shown as `\xNN`.
    NotText(String),
    /// The protocol was broken, in this way.
    Rubbish(String),
}

/// A pipe of an engine, from the engine's view.
#[derive(Clone, Copy, Debug)]
pub enum Pipe {
    /// Its standard input.
    Input,
    /// Its standard output.
    Output,
}

impl Session {
    /// Starts the contender's process and reads its greeting. The conversation is logged to `log`.
    ///
    /// # Errors
    /// If it cannot be started, or does not send `ugiok` in time.
    pub async fn start(contender: &Contender, log: Option<Log>) -> Result<Self, StartError> {
        let mut session = Self::open(contender, log)?;
        let what = match session.greet(&contender.engine).await {
            Ok(()) => return Ok(session),
            Err(NoLine::Silence | NoLine::Late(_)) => {
                format!(" within {:?}", contender.engine.timeouts.start)
            }
            Err(NoLine::Closed(pipe)) => format!(": it {}", session.end_in_words(pipe).await),
            Err(NoLine::NotText(line)) => format!(": {}", not_text(&line)),
            Err(NoLine::Rubbish(what)) => format!(": {what}"),
        };
        let what = format!("did not say {}{what}", contender.engine.protocol.end_of_greeting());
        let last_words = session.stderr.last_words();
        if session.process.lacked_means() {
            return Err(Shortage::Means { engine: contender.engine.name.clone(), reason: last_words }.into());
        }
        session.kill().await;
        Err(NoStart { engine: contender.engine.name.clone(), what, last_words: LastWords(last_words) }.into())
    }

    /// Starts the contender's process without writing to it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn open(contender: &Contender, log: Option<Log>) -> Result<Self, StartError> {
        let (process, pipes) = Process::start(&contender.spawn).map_err(|error| {
            let engine = contender.engine.name.clone();
            if launch::is_shortage(&error) {
                return StartError::Arena(Shortage::Means { engine, reason: error.to_string() });
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
            greeting: Greeting::awaited(contender.engine.protocol),
            game: None,
            quit_timeout: contender.engine.timeouts.quit,
            read_at: Instant::now(),
            asked_at: Instant::now(),
            stood_still: pauses::stood_still(),
            run_queue: None,
            pondering: None,
            log,
            confinement: contender.spawn.confinement.clone(),
            n_out_of_turn: 0,
            rest: None,
        })
    }

    /// Stops the engine's processes from now on while it is not on the move, or not any more.
    pub fn stop_off_turn(&mut self, is_wanted: bool) {
        if !is_wanted {
            self.wake();
            self.rest = None;
        } else if self.rest.is_none() && self.process.is_supervised() {
            self.rest = self.process.id().and_then(|id| Rest::of(id, &self.confinement));
        }
    }

    /// The engine is not on the move until something is sent to it.
    pub fn begin_rest(&mut self) {
        if let Some(rest) = &mut self.rest {
            rest.begin();
        }
    }

    /// The engine goes on. The clock must not run yet.
    fn wake(&mut self) {
        if let Some(rest) = &mut self.rest {
            rest.end();
        }
    }

    /// What the engine used off its turn since the last call.
    pub fn take_off_turn(&self) -> OffTurnUse {
        self.rest.as_ref().map(Rest::take).unwrap_or_default()
    }

    /// The same, without a new start.
    pub fn off_turn(&self) -> OffTurnUse {
        self.rest.as_ref().map(Rest::off_turn).unwrap_or_default()
    }

    /// What the engine reported about itself.
    pub const fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Logs the conversation to `log` from now on; `None` stops logging.
    pub fn log_to(&mut self, log: Option<Log>) {
        self.log = log;
    }

    /// The number of lines that the engine sent out of turn.
    pub const fn n_out_of_turn(&self) -> u64 {
        self.n_out_of_turn
    }

    /// When the last line was received.
    pub const fn read_at(&self) -> Instant {
        self.read_at
    }

    /// When the last request for a move was sent.
    pub const fn asked_at(&self) -> Instant {
        self.asked_at
    }

    /// Starts to measure how long the engine waits for a processor. Call this before each request for a move.
    pub fn watch_run_queue(&mut self) {
        if self.run_queue.is_none() {
            self.run_queue = self.process.id().map(RunQueue::of);
        }
        if let Some(run_queue) = &mut self.run_queue {
            run_queue.begin(Instant::now());
        }
    }

    /// How long the engine and this thread waited for a processor during the last move; `None` if it was not measured
    /// or the system does not report it.
    pub fn waits(&mut self) -> Option<Waits> {
        self.run_queue.as_mut()?.waits()
    }

    /// Closes files that are only needed for the next move.
    pub fn rest(&mut self) {
        if let Some(run_queue) = &mut self.run_queue {
            run_queue.rest();
        }
    }

    /// The time from the last request for a move to `moment`, without pauses of the arena.
    pub fn took_until(&self, moment: Instant) -> Duration {
        let paused = pauses::stood_still().saturating_sub(self.stood_still);
        moment.saturating_duration_since(self.asked_at).saturating_sub(paused)
    }

    async fn greet(&mut self, engine: &Engine) -> Result<(), NoLine> {
        let mut deadline = Deadline::after(Instant::now(), engine.timeouts.start);
        let first = match engine.protocol {
            Protocol::Ugi | Protocol::Uci => "ugi\n",
            // An engine ignores what it does not know.
            Protocol::Auto => "ugi\nuci\n",
        };
        self.send(first, &mut deadline).await?;
        let mut room = GREETING_BYTES;
        let mut unlimited = usize::MAX;
        loop {
            let line = self.line(&mut deadline, &mut unlimited).await?;
            room = room.checked_sub(line.len() + 1).ok_or_else(|| {
                let end = engine.protocol.end_of_greeting();
                NoLine::Rubbish(format!("more than {GREETING_BYTES} bytes without {end}"))
            })?;
            match self.greeting.hear(&line) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => {
                    if let Some(log) = &self.log {
                        log.note(format_args!("ignored `{}`: {error}", shown(&line)));
                    }
                }
            }
        }
    }

    /// The protocol that the engine speaks.
    pub const fn dialect(&self) -> Dialect {
        self.greeting.dialect
    }

    /// Prepares the engine for a match of `game` against `opponent`. Returns [`Heard::Ready`], or what happened instead.
    pub async fn prepare(&mut self, engine: &Engine, setup: &Setup, opponent: Option<&str>) -> Heard {
        let Setup { game, seed, ponders } = *setup;
        let changed = (self.game != Some(game)).then_some(game);
        let naming = opponent.and_then(|opponent| self.greeting.naming_of(opponent)).unwrap_or_default();
        let commands = naming + &self.greeting.preparation(&engine.options, changed, seed, ponders);
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

    /// Whether the engine asks for the legal moves.
    pub fn wants_legal_moves(&self) -> bool {
        self.greeting.option("LegalMoves").is_some()
    }

    /// Sends `commands`, which end with `go`, and waits for the move, at most `allowed`.
    pub async fn ask(&mut self, commands: &str, allowed: Duration) -> Heard {
        if let Err(why) = self.drain() {
            self.asked_at = Instant::now();
            return self.explain(why, self.asked_at).await;
        }
        self.ask_and_wait(commands, allowed, SearchReports::in_dialect(self.dialect())).await
    }

    /// The same for an engine whose earlier lines were read: `reports` has what they say about this search.
    pub(super) async fn ask_and_wait(
        &mut self,
        commands: &str,
        allowed: Duration,
        mut reports: SearchReports,
    ) -> Heard {
        let mut begun = Instant::now();
        (self.asked_at, self.stood_still) = (begun, pauses::stood_still());
        let mut room = ANSWER_BYTES;
        let why = 'answer: {
            // The time limit also applies to writing, if the engine does not read.
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
                    // An answer counts even if it comes too late.
                    Err(NoLine::Late(line)) if first_word(&line) == "bestmove" => line,
                    Err(why) => break why,
                };
                match first_word(&line) {
                    "info" => reports.hear(line),
                    "bestmove" => match Reply::parse(&line) {
                        Ok(Reply::BestMove(BestMove { mv, ponder, draw })) => {
                            let took = self.took_until(self.read_at);
                            let reply = ponder.map(str::to_owned);
                            let info = SearchInfo { reply, draw, ..reports.into_info() };
                            return Heard::Move { text: mv.to_owned(), took, info };
                        }
                        Ok(_) | Err(_) => break NoLine::Rubbish(format!("`{}`: no move", shown(&line))),
                    },
                    _ => self.n_out_of_turn += 1,
                }
            }
        };
        self.explain(why, begun).await
    }

    /// Sends `stop` to an engine that lost on time. Returns whether it answered and can be used again.
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

    /// Ends the match for the engine: ends its pondering, and tells it the result. Returns whether it can be used again.
    pub async fn game_over(&mut self, over: &GameOver<'_>) -> bool {
        if self.stop_pondering().await.is_err() {
            return false;
        }
        let mut deadline = Deadline::after(Instant::now(), GAMEOVER_GRACE);
        self.send(&format!("{}\n", Command::GameOver(*over)), &mut deadline).await.is_ok()
    }

    /// Writes `text` unchanged, including line ends. For checks of the protocol, which also send malformed text.
    ///
    /// # Errors
    /// What happened instead, if it cannot be written by `deadline`.
    pub async fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Heard> {
        let begun = Instant::now();
        match self.send(text, &mut until(deadline, begun)).await {
            Ok(()) => Ok(()),
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    /// Reads the next line. `room` is the number of bytes that the engine may still send; the length of the line is
    /// subtracted.
    ///
    /// # Errors
    /// What happened instead of a line, at the latest at `deadline`.
    pub async fn read(&mut self, deadline: Instant, room: &mut usize) -> Result<Said, Heard> {
        let begun = Instant::now();
        match self.line(&mut until(deadline, begun), room).await {
            Ok(line) => Ok(Said::Text(line)),
            Err(NoLine::NotText(line)) => Ok(Said::NotText(line)),
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    /// The start of a line whose end the engine has not sent yet.
    pub fn unfinished(&self) -> String {
        printable(self.lines.read_buffer())
    }

    /// Closes the engine's input and ends the process after `limit`. Returns the first lines that it sent until then.
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

    /// Tells the engine to exit and waits for its process, at most `limit`. Processes that it leaves running are ended
    /// in any case.
    pub async fn part(mut self, farewell: Farewell, limit: Duration) -> Parting {
        self.wake();
        let begun = Instant::now();
        if farewell == Farewell::Quit {
            // An engine that does not read this does not exit, which is handled below.
            let _ = self.send("quit\n", &mut Deadline::after(begun, limit)).await;
        }
        // After `quit` the input stays open, because the command alone must end the engine.
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

    /// Sends `quit`; ends the process and all processes that it started if it does not exit.
    pub async fn quit(self) {
        let limit = self.quit_timeout;
        self.part(Farewell::Quit, limit).await;
    }

    /// Ends the process and all processes that it started, at once.
    pub async fn kill(mut self) {
        self.process.end(Duration::ZERO).await;
        // The supervisor's last words are not lost.
        self.stderr.settle(EXIT_GRACE).await;
    }

    pub(super) async fn send(&mut self, text: &str, deadline: &mut Deadline) -> Result<(), NoLine> {
        self.wake();
        let text = self.dialect().wire(text);
        if let Some(log) = &self.log {
            log.sent(&text);
        }
        // Processes that it started may hold its input open without reading.
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

    /// The next line, read by `deadline`, if all lines of this answer fit into the limit.
    pub(super) async fn line(&mut self, deadline: &mut Deadline, room: &mut usize) -> Result<String, NoLine> {
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
        // An engine that writes without a pause would prevent the check of the timer.
        if deadline.has_passed(self.read_at) {
            return Err(NoLine::Late(line));
        }
        *room = room
            .checked_sub(line.len() + 1)
            .ok_or_else(|| NoLine::Rubbish(format!("more than {ANSWER_BYTES} bytes without an answer")))?;
        Ok(line)
    }

    /// The next line; `None` at the end: the output is closed, or the process has exited and all its output is read,
    /// even if a process that it started holds the output open.
    pub(super) async fn next_line(&mut self) -> Option<Result<String, NoLine>> {
        if !self.process.has_ended() {
            tokio::select! {
                biased;
                line = self.lines.next() => return line.map(take),
                () = self.process.ended() => {}
            }
            // The exit is reported first; now the rest of the output is read.
            yield_now().await;
        }
        unconstrained(poll_fn(|context| match Pin::new(&mut self.lines).poll_next(context) {
            Poll::Pending => Poll::Ready(None),
            Poll::Ready(line) => Poll::Ready(line.map(take)),
        }))
        .await
    }

    /// Skips lines that the engine sent since its last answer.
    pub(super) fn drain(&mut self) -> Result<(), NoLine> {
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

    pub(super) async fn explain(&mut self, why: NoLine, begun: Instant) -> Heard {
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

    /// Ends the process, which has closed `pipe`, and describes how it ended.
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
        // They may have ended it.
        let limits = self.confinement.limits_in_words();
        if limits.is_empty() { end } else { format!("{end}, confined to {limits}") }
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

/// A deadline given as a moment.
fn until(deadline: Instant, now: Instant) -> Deadline {
    Deadline::after(now, deadline.saturating_duration_since(now))
}

pub(super) fn take(line: Result<impl AsRef<[u8]>, AnyDelimiterCodecError>) -> Result<String, NoLine> {
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

/// The text of these bytes, with `\xNN` for each invalid byte, and with escaped control characters.
fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&escaped_line(chunk.valid()));
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
