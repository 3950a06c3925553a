//! The engine under examination and the conversation with it. Every wait ends; what an answer means is for the checks.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use engine_proto::GameId;
use engine_proto::fen::shown;
use engine_proto::proto::{Reply, first_word};

use super::finding::{Fault, Transcript};
use super::settings::Setting;
use crate::engine::launch::{self, Confinement};
use crate::engine::{ANSWER_BYTES, Contender, Farewell, Greeting, Parting, Session, Spawn};
use crate::play::{Heard, TimeControl};

/// From `quit` to the end of the process.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// So many of the last lines of a conversation are kept, of each side.
const KEPT_LINES: usize = 12;
/// Longer lines are cut, in bytes.
const LONGEST_KEPT: usize = 8192;
/// The seed that an engine with the option `Seed` is given.
const SEED: u64 = 1;

/// The engine under examination.
pub struct Bench {
    contender: Contender,
    /// How long to wait for an answer.
    pub timeout: Duration,
    session: Option<Session>,
    greeting: Greeting,
    sent: VecDeque<String>,
    came: VecDeque<String>,
    /// What the engine may still say in this check, in bytes.
    room: usize,
}

/// What came of a `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as it was spelled.
    pub mv: String,
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// From the end of the writing to the line's reading.
    pub took: Duration,
}

impl Bench {
    /// A bench for the engine that `program` is. It is not started yet.
    pub fn new(program: PathBuf, args: Vec<String>, timeout: Duration) -> Self {
        let contender = Contender {
            name: program.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            spawn: Spawn {
                program,
                args,
                directory: None,
                environment: BTreeMap::new(),
                environment_allow: None,
                confinement: Confinement::default(),
                launcher: launch::launcher(),
                log: None,
            },
            options: BTreeMap::new(),
            games: None,
            time_control: TimeControl {
                base: None,
                increment: Duration::ZERO,
                moves_to_go: None,
                move_time: None,
                nodes: None,
                depth: None,
                margin: Duration::ZERO,
                think_timeout: timeout,
            },
            start_timeout: timeout,
            ready_timeout: timeout,
            quit_timeout: QUIT_TIMEOUT,
        };
        Self {
            contender,
            timeout,
            session: None,
            greeting: Greeting::default(),
            sent: VecDeque::new(),
            came: VecDeque::new(),
            room: ANSWER_BYTES,
        }
    }

    /// Starts the engine for the first time: what it said of itself, and how long that took.
    pub async fn greet(&mut self) -> Result<(Greeting, Duration), Fault> {
        let begun = Instant::now();
        self.start().await?;
        Ok((self.greeting.clone(), begun.elapsed()))
    }

    /// What the engine said of itself.
    pub const fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Gets the engine ready for another play of `game`. If it does not run, it is started.
    pub async fn begin(&mut self, game: GameId) -> Result<(), Fault> {
        if self.session.is_none() {
            self.start().await?;
        }
        let session = self.session.as_mut().expect("started above");
        let commands = session.preparation(&self.contender, game, SEED);
        commands.lines().for_each(|line| keep(&mut self.sent, line));
        let heard = session.prepare(&self.contender, game, SEED).await;
        if heard == Heard::Ready {
            keep(&mut self.came, "readyok");
            return Ok(());
        }
        Err(self.fault(&heard, "`readyok`"))
    }

    /// The same with a fresh process.
    pub async fn begin_afresh(&mut self, game: GameId) -> Result<(), Fault> {
        self.abandon().await;
        self.begin(game).await
    }

    /// Starts another process. The one before, if there is one, is returned and lives on.
    pub async fn start(&mut self) -> Result<Option<Session>, Fault> {
        keep(&mut self.sent, "ugi");
        let session =
            Session::start(&self.contender, None).await.map_err(|error| Fault(error.to_string()))?;
        keep(&mut self.came, "ugiok");
        self.greeting = session.greeting().clone();
        Ok(self.session.replace(session))
    }

    /// Goes on with this process in place of the present one, which is killed.
    pub async fn go_on_with(&mut self, session: Option<Session>) {
        self.abandon().await;
        self.session = session;
    }

    /// Kills the process.
    pub async fn abandon(&mut self) {
        if let Some(session) = self.session.take() {
            session.kill().await;
        }
    }

    /// Tells the engine that it is over: how long it took to end, with which status, and what it left running.
    pub async fn part(&mut self, farewell: Farewell) -> Result<(Duration, ExitStatus, Vec<String>), Fault> {
        let begun = Instant::now();
        let session = self.session.take().expect("a check begins before it ends");
        keep(
            &mut self.sent,
            match farewell {
                Farewell::Quit => "quit",
                Farewell::EndOfInput => "(the end of the input)",
            },
        );
        let Parting { status, left } = session.part(farewell, self.timeout).await;
        let Some(status) = status else {
            return Err(Fault(format!("its process still ran after {:?}", self.timeout)));
        };
        keep(&mut self.came, &format!("(the end of the process: {status})"));
        Ok((begun.elapsed(), status, left))
    }

    /// Writes a line.
    pub async fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.write(&format!("{line}\n")).await
    }

    /// Writes `text` as it stands.
    pub async fn write(&mut self, text: &str) -> Result<(), Fault> {
        text.split_terminator('\n').for_each(|line| keep(&mut self.sent, line));
        let deadline = Instant::now() + self.timeout;
        let session = self.session.as_mut().expect("a check begins before it speaks");
        match session.write(text, deadline).await {
            Ok(()) => Ok(()),
            Err(heard) => Err(self.fault(&heard, "that it reads its input")),
        }
    }

    /// Writes the commands that set up a position: with the legal moves, if the engine wants them.
    pub async fn set_up(&mut self, setting: &Setting) -> Result<(), Fault> {
        self.write(&self.commands(setting)).await
    }

    /// The commands that set up a position, each with its line end.
    pub fn commands(&self, setting: &Setting) -> String {
        let mut commands = format!("{}\n", setting.command());
        if self.session.as_ref().is_some_and(Session::wants_legal_moves) {
            commands.push_str(&setting.legal_moves_command());
        }
        commands
    }

    /// Sets up a position, asks for a move with `go`, and waits for it.
    pub async fn ask(&mut self, setting: &Setting, go: &str) -> Result<Answer, Fault> {
        self.set_up(setting).await?;
        self.say(go).await?;
        self.best_move().await
    }

    /// The same, for a legal move.
    pub async fn ask_legal(&mut self, setting: &Setting, go: &str) -> Result<Answer, Fault> {
        let answer = self.ask(setting, go).await?;
        setting.demand_legal(&answer.mv)?;
        Ok(answer)
    }

    /// Waits for `bestmove`.
    pub async fn best_move(&mut self) -> Result<Answer, Fault> {
        let begun = Instant::now();
        let deadline = begun + self.timeout;
        let mut infos = Vec::new();
        loop {
            let line = self.line(deadline, "`bestmove`").await?;
            match first_word(&line) {
                "info" => infos.push(line),
                "bestmove" => {
                    let took = begun.elapsed();
                    return match Reply::parse(&line) {
                        Ok(Reply::BestMove(mv)) => Ok(Answer { mv: mv.to_owned(), infos, took }),
                        _ => Err(Fault(format!("`{}` names no move", shown(&line)))),
                    };
                }
                _ => {}
            }
        }
    }

    /// Says `isready` and waits for `readyok`: how long it took. No `bestmove` may come before.
    pub async fn ready(&mut self) -> Result<Duration, Fault> {
        self.say("isready").await?;
        self.await_ready().await
    }

    /// Waits for `readyok`. No `bestmove` may come before.
    pub async fn await_ready(&mut self) -> Result<Duration, Fault> {
        let begun = Instant::now();
        let deadline = begun + self.timeout;
        loop {
            let line = self.line(deadline, "`readyok`").await?;
            match first_word(&line) {
                "readyok" => return Ok(begun.elapsed()),
                "bestmove" => return Err(out_of_turn(&line)),
                _ => {}
            }
        }
    }

    /// Waits for `response`: what follows it, `None` if there is none. It is asked for with `isready` behind it, so
    /// that an engine that does not know the command keeps nobody waiting.
    pub async fn response(&mut self, query: &str) -> Result<Option<String>, Fault> {
        self.say(query).await?;
        self.say("isready").await?;
        let deadline = Instant::now() + self.timeout;
        let mut response = None;
        loop {
            let line = self.line(deadline, "`readyok`").await?;
            match first_word(&line) {
                "readyok" => return Ok(response),
                "response" => {
                    response = line.trim_start().strip_prefix("response").map(|text| text.trim().to_owned());
                }
                _ => {}
            }
        }
    }

    /// Listens for so long: no `bestmove` may come.
    pub async fn expect_no_move(&mut self, during: Duration) -> Result<(), Fault> {
        let deadline = Instant::now() + during;
        while let Some(line) = self.line_or_silence(deadline).await? {
            if first_word(&line) == "bestmove" {
                return Err(out_of_turn(&line));
            }
        }
        Ok(())
    }

    /// The conversation since the last call, and a fresh sheet for the next one.
    pub fn take_transcript(&mut self) -> Transcript {
        self.room = ANSWER_BYTES;
        Transcript { sent: self.sent.drain(..).collect(), came: self.came.drain(..).collect() }
    }

    async fn line(&mut self, deadline: Instant, awaited: &str) -> Result<String, Fault> {
        let waited = self.timeout;
        let line = self.line_or_silence(deadline).await?;
        line.ok_or_else(|| Fault(format!("no {awaited} within {waited:?}")))
    }

    async fn line_or_silence(&mut self, deadline: Instant) -> Result<Option<String>, Fault> {
        let session = self.session.as_mut().expect("a check begins before it listens");
        match session.read(deadline, &mut self.room).await {
            Ok(line) => {
                keep(&mut self.came, &line);
                Ok(Some(line))
            }
            Err(Heard::Silence { .. }) => Ok(None),
            Err(heard) => Err(self.fault(&heard, "a line")),
        }
    }

    /// What `heard` means where something else was waited for. The process is of no use any more.
    fn fault(&mut self, heard: &Heard, awaited: &str) -> Fault {
        let what = match heard {
            Heard::Silence { after } => format!("no {awaited} within {after:.1?}"),
            Heard::Exit { how } => {
                keep(&mut self.came, "(the end of the output)");
                format!("its process {how}")
            }
            Heard::Rubbish { what } => what.clone(),
            Heard::NoStart { why } => why.clone(),
            Heard::Ready | Heard::Move { .. } => format!("an answer in place of {awaited}"),
        };
        self.session = None;
        Fault(what)
    }
}

fn out_of_turn(line: &str) -> Fault {
    Fault(format!("`{}` came when no move was due", shown(line)))
}

/// Keeps a line, cut if it is longer than any that an author would read.
fn keep(lines: &mut VecDeque<String>, line: &str) {
    if lines.len() == KEPT_LINES {
        lines.pop_front();
    }
    lines.push_back(if line.len() <= LONGEST_KEPT { line.to_owned() } else { shown(line) });
}
