//! The engine being checked, and the requests that checks make. Every wait has a timeout. The checks judge the answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine_proto::fen::shown;
use engine_proto::proto::{LineError, Reply, first_word};
use engine_proto::{GameId, Games};

use super::conversation::{Conversation, Doing};
use super::finding::{Awaited, Cause, Fault};
use super::rules;
use super::settings::Setting;
use super::status::Status;
use super::transcript::{Sheet, Transcript};
use host::launch::{self, Confinement};
use model::{Cage, Engine, Protocol, Tier, TimeControl, Timeouts};
use opponent::{
    ANSWER_BYTES, Contender, Dialect, Farewell, GREETING_BYTES, Greeting, Parting, ReceivedLine, Spawn,
};

/// A search that is short with any kind of limit.
pub const GO: &str = "go nodes 100 movetime 100";
/// From `quit` to the end of the process.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The seed that an engine with the option `Seed` is given.
const SEED: u64 = 1;
/// The time to wait for an answer during a search if such an answer was missing before.
const AGAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// After `uciok`, the time to wait for `ugiok`.
const AFTER_UCIOK: Duration = Duration::from_millis(500);
/// A shorter wait for a processor does not prolong the wait for an answer.
const BUSY: Duration = Duration::from_millis(10);
/// After this many missing answers of one kind, the bench no longer waits for such answers.
const GIVE_UP: usize = 3;

/// The engine being checked.
pub struct Bench {
    /// The games that it may be asked about.
    pub games: Games,
    contender: Contender,
    /// How long to wait for an answer.
    pub timeout: Duration,
    greeting: Greeting,
    conversation: Option<Conversation>,
    /// The transcript of the previous conversation, if there is no current one.
    sheet: Sheet,
    /// Whether the process wrote `uciok`, so that `ugiok` is improbable.
    said_uciok: bool,
    /// What the user sees during long waits.
    pub status: Status,
    /// How often each answer was missing.
    silences: BTreeMap<Awaited, usize>,
}

/// The result of a `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move as it was written: the first word after `bestmove`.
    pub mv: String,
    /// All text after `bestmove`.
    pub text: String,
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// The time from the end of writing `go` until the line was read.
    pub took: Duration,
}

impl Bench {
    /// A bench for the engine `program`, which is not started yet.
    pub fn new(
        games: Games,
        program: PathBuf,
        args: Vec<String>,
        timeout: Duration,
        protocol: Protocol,
    ) -> Self {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let time_control = TimeControl::unlimited(timeout);
        let timeouts = Timeouts { start: timeout, ready: timeout, quit: QUIT_TIMEOUT };
        let engine = Engine { protocol, ..Engine::new(&name, &program, time_control, timeouts) };
        let engine = Arc::new(engine);
        let spawn = Arc::new(Spawn {
            program,
            args,
            directory: None,
            environment: BTreeMap::new(),
            environment_allow: None,
            confinement: Confinement::default(),
            launcher: launch::launcher(),
            log: None,
        });
        let contender = Contender { engine, spawn };
        Self {
            games,
            contender,
            timeout,
            greeting: Greeting::default(),
            conversation: None,
            sheet: Sheet::default(),
            said_uciok: false,
            status: Status::new(),
            silences: BTreeMap::new(),
        }
    }

    /// Makes the engine run in the strict sandbox, where it may write to the folder `scratch`.
    ///
    /// # Errors
    /// If this system has no such sandbox.
    pub fn confine(&mut self, scratch: &Path) -> Result<(), String> {
        let cage = Cage { sandbox: Some(Tier::Strict), ..Cage::default() };
        let confinement = Confinement::new(&cage, scratch, None);
        let spawn = Arc::make_mut(&mut self.contender.spawn);
        let launcher = spawn.launcher.as_ref().ok_or("a sandbox needs Linux")?;
        launch::rehearse(&confinement, launcher).map_err(|refusal| refusal.reason)?;
        // A sandbox must not inherit secrets from the environment.
        spawn.environment_allow = Some(["PATH", "LANG"].map(str::to_owned).to_vec());
        spawn.confinement = confinement;
        Ok(())
    }

    /// Starts an engine whose protocol is not known once, to see in which it answers: nothing of the other one shall disturb the checks.
    pub async fn settle_protocol(&mut self) {
        if self.contender.engine.protocol == Protocol::Auto {
            let greeted = self.greet().await;
            let is_uci = greeted.is_ok_and(|(greeting, _)| greeting.dialect == Dialect::Uci);
            let protocol = if is_uci { Protocol::Uci } else { Protocol::Ugi };
            Arc::make_mut(&mut self.contender.engine).protocol = protocol;
            self.abandon().await;
            self.forget_silences();
        }
    }

    /// Starts the engine for the first time. Returns its greeting and the time until then.
    pub async fn greet(&mut self) -> Result<(Greeting, Duration), Fault> {
        let begun = Instant::now();
        self.conversation = Some(Conversation::open(&self.contender)?);
        self.greeting = self.greeting_of_process().await?;
        Ok((self.greeting.clone(), self.since(begun)))
    }

    /// The engine's greeting.
    pub const fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// The number of missing answers.
    pub fn n_silences(&self) -> usize {
        self.silences.values().sum()
    }

    /// Prepares the engine for another play of `game`. Starts it if it does not run.
    pub async fn begin(&mut self, game: GameId) -> Result<(), Fault> {
        self.begin_with(game, "").await
    }

    /// The same after this `setoption` line: options are set only between games.
    pub async fn begin_with(&mut self, game: GameId, option: &str) -> Result<(), Fault> {
        if self.conversation.is_none() {
            self.start().await?;
        }
        // The game is set again although it may not have changed: so the transcript of each check is complete.
        let commands = self.greeting.preparation(&self.contender.engine.options, Some(game), SEED, false);
        self.write(&format!("{option}{commands}")).await?;
        self.await_ready().await?;
        self.conversation().sheet.prepared();
        Ok(())
    }

    /// The same with a fresh process.
    pub async fn begin_afresh(&mut self, game: GameId) -> Result<(), Fault> {
        self.abandon().await;
        self.begin(game).await
    }

    /// Starts another process. The previous one, if any, is returned and keeps running.
    pub async fn start(&mut self) -> Result<Option<Conversation>, Fault> {
        let conversation = Conversation::open(&self.contender)?;
        let before = self.conversation.replace(conversation);
        self.greeting = self.greeting_of_process().await?;
        self.conversation().sheet.greeted();
        Ok(before)
    }

    /// Continues with this process instead of the current one, which is killed.
    pub async fn go_on_with(&mut self, conversation: Option<Conversation>) {
        self.abandon().await;
        self.conversation = conversation;
    }

    /// Kills the process.
    pub async fn abandon(&mut self) {
        if let Some(conversation) = self.conversation.take() {
            self.sheet = conversation.kill().await;
        }
    }

    /// Tells the engine to end. Returns how long it took, its exit status, and the processes that it left running.
    pub async fn part(&mut self, farewell: Farewell) -> Result<(Duration, ExitStatus, Vec<String>), Fault> {
        self.demand_hope(Awaited::End)?;
        self.status.waits_for(Awaited::End);
        let begun = Instant::now();
        let conversation = self.conversation.take().expect("a check begins before it ends");
        let (Parting { status, left }, sheet) = conversation.part(farewell, self.timeout).await;
        self.sheet = sheet;
        let status = status.ok_or_else(|| {
            *self.silences.entry(Awaited::End).or_default() += 1;
            let what = format!("its process was still running after {:?}", self.timeout);
            Fault { what, cause: Some(Cause::Silence(Awaited::End)), rule: None }
        })?;
        Ok((begun.elapsed(), status, left))
    }

    /// Writes a line.
    pub async fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.write(&format!("{line}\n")).await
    }

    /// Writes `text` unchanged.
    pub async fn write(&mut self, text: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + self.timeout;
        let text = match self.greeting.dialect {
            Dialect::Ugi => text.to_owned(),
            Dialect::Uci => without_nodes(text),
        };
        self.conversation().write(&text, deadline).await
    }

    /// Writes the commands that set up a position, with the legal moves if the engine wants them.
    pub async fn set_up(&mut self, setting: &Setting) -> Result<(), Fault> {
        self.write(&self.commands(setting)).await
    }

    /// The commands that set up a position, each with its line end.
    pub fn commands(&self, setting: &Setting) -> String {
        let mut commands = format!("{}\n", setting.command());
        if self.greeting.option("LegalMoves").is_some() {
            commands.push_str(&setting.legal_moves_command());
        }
        commands
    }

    /// Asks for a move in the position that is set up, with `go`, and waits for it.
    pub async fn ask_here(&mut self, go: &str) -> Result<Answer, Fault> {
        self.say(go).await?;
        self.best_move().await
    }

    /// Sets up a position, asks for a move with `go`, and waits for it.
    pub async fn ask(&mut self, setting: &Setting, go: &str) -> Result<Answer, Fault> {
        self.set_up(setting).await?;
        let mut answer = self.ask_here(go).await?;
        if let Some(mv) = self.greeting.dialect.other_spelling(setting.play(), &answer.mv) {
            answer.mv = mv;
        }
        Ok(answer)
    }

    /// The same, but the move must be legal.
    pub async fn ask_legal(&mut self, setting: &Setting, go: &str) -> Result<Answer, Fault> {
        let answer = self.ask(setting, go).await?;
        setting.demand_legal(&answer)?;
        Ok(answer)
    }

    /// Sets up a position and starts a search with `go`.
    pub async fn search(&mut self, setting: &Setting, go: &str) -> Result<(), Fault> {
        self.set_up(setting).await?;
        self.say(go).await
    }

    /// Waits for `bestmove`, which must be legal in the position.
    pub async fn legal_move(&mut self, setting: &Setting) -> Result<Answer, Fault> {
        let answer = self.best_move().await?;
        setting.demand_legal(&answer)?;
        Ok(answer)
    }

    /// Waits for `bestmove`.
    pub async fn best_move(&mut self) -> Result<Answer, Fault> {
        let awaited = match self.conversation().doing() {
            Doing::Stopping => Awaited::MoveAfterStop,
            Doing::Nothing | Doing::Searching => Awaited::Move,
        };
        let begun = Instant::now();
        let deadline = begun + self.patience(awaited);
        let mut infos = Vec::new();
        loop {
            let line = self.line(deadline, awaited).await?;
            match first_word(&line) {
                "info" => infos.push(line),
                "bestmove" => {
                    let took = self.since(begun);
                    let text = line.trim().trim_start_matches("bestmove").trim_start().to_owned();
                    return match Reply::parse(&line) {
                        Ok(Reply::BestMove(best)) => Ok(Answer { mv: best.mv.to_owned(), text, infos, took }),
                        _ => Err(Fault::of(
                            Cause::Unreadable("no move".to_owned()),
                            rules::BEST_MOVE,
                            format!("`{}` names no move", shown(&line)),
                        )),
                    };
                }
                _ => {}
            }
        }
    }

    /// The move after `bestmove`, if one comes within this time.
    pub async fn move_or_silence(&mut self, during: Duration) -> Result<Option<String>, Fault> {
        let deadline = Instant::now() + during;
        while let Some(line) = self.line_or_silence(deadline).await? {
            if let Ok(Reply::BestMove(best)) = Reply::parse(&line) {
                return Ok(Some(best.mv.to_owned()));
            }
        }
        Ok(None)
    }

    /// Says a line and `isready`: what the engine says before `readyok`.
    pub async fn said_until_ready(&mut self, line: &str) -> Result<Vec<String>, Fault> {
        self.say(line).await?;
        self.say("isready").await?;
        let deadline = Instant::now() + self.timeout;
        let mut lines = Vec::new();
        loop {
            let line = self.line(deadline, Awaited::Ready).await?;
            if first_word(&line) == "readyok" {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// Says `isready` and waits for `readyok`: how long it took. No `bestmove` may come before.
    pub async fn ready(&mut self) -> Result<Duration, Fault> {
        self.say("isready").await?;
        self.await_ready().await
    }

    /// Waits for `readyok`. No `bestmove` may come before.
    pub async fn await_ready(&mut self) -> Result<Duration, Fault> {
        let doing = self.conversation().doing();
        let awaited = if doing == Doing::Nothing { Awaited::Ready } else { Awaited::ReadyInSearch };
        let begun = Instant::now();
        let deadline = begun + self.patience(awaited);
        loop {
            let line = self.line(deadline, awaited).await?;
            match first_word(&line) {
                "readyok" => return Ok(self.since(begun)),
                "bestmove" => return Err(unasked(doing, &line)),
                _ => {}
            }
        }
    }

    /// Waits for `response` and returns the text after it; `None` if it does not come. `isready` is sent after the
    /// question, so that an engine that does not know the command answers at once.
    pub async fn response(&mut self, query: &str) -> Result<Option<String>, Fault> {
        self.say(query).await?;
        self.say("isready").await?;
        let deadline = Instant::now() + self.timeout;
        let mut response = None;
        loop {
            let line = self.line(deadline, Awaited::Ready).await?;
            match first_word(&line) {
                "readyok" => return Ok(response),
                "response" => {
                    response = line.trim_start().strip_prefix("response").map(|text| text.trim().to_owned());
                }
                _ => {}
            }
        }
    }

    /// Waits for this time: no `bestmove` may come. If one does, the rule of the running check is broken.
    pub async fn expect_no_move(&mut self, during: Duration) -> Result<(), Fault> {
        let doing = self.conversation().doing();
        let deadline = Instant::now() + during;
        while let Some(line) = self.line_or_silence(deadline).await? {
            if first_word(&line) == "bestmove" {
                return Err(Fault { rule: None, ..unasked(doing, &line) });
            }
        }
        Ok(())
    }

    /// Takes the conversation since the last call.
    pub fn take_transcript(&mut self) -> Transcript {
        match &mut self.conversation {
            Some(conversation) => {
                conversation.set_room(ANSWER_BYTES);
                conversation.sheet.take()
            }
            None => std::mem::take(&mut self.sheet).take(),
        }
    }

    /// Greets the process that was just started. Reads the whole greeting before it judges it.
    async fn greeting_of_process(&mut self) -> Result<Greeting, Fault> {
        self.conversation().set_room(GREETING_BYTES);
        self.said_uciok = false;
        let mut deadline = Instant::now() + self.patience(Awaited::Greeting);
        self.say("ugi").await?;
        if self.contender.engine.protocol == Protocol::Auto {
            self.say("uci").await?;
        }
        let mut greeting = Greeting::awaited(self.contender.engine.protocol);
        let mut first_fault = None;
        loop {
            let line = match self.line(deadline, Awaited::Greeting).await {
                Ok(line) => line,
                Err(fault) if fault.rule == Some(rules::UTF8) => {
                    first_fault.get_or_insert(fault);
                    continue;
                }
                Err(fault) => return Err(first_fault.unwrap_or(fault)),
            };
            if first_word(&line) == "uciok" && greeting.dialect == Dialect::Ugi {
                // A UCI engine now waits for the next command.
                self.said_uciok = true;
                deadline = deadline.min(Instant::now() + self.patience(Awaited::Greeting));
            }
            match greeting.hear(&line) {
                Ok(true) => break,
                Ok(false) => {}
                Err(error) => {
                    first_fault.get_or_insert_with(|| malformed(&line, error));
                }
            }
        }
        self.conversation().set_room(ANSWER_BYTES);
        first_fault.map_or(Ok(greeting), Err)
    }

    fn conversation(&mut self) -> &mut Conversation {
        self.conversation.as_mut().expect("a check begins before it speaks or listens")
    }

    async fn line(&mut self, deadline: Instant, awaited: Awaited) -> Result<String, Fault> {
        self.demand_hope(awaited)?;
        self.status.waits_for(awaited);
        let mut granted = Duration::ZERO;
        loop {
            if let Some(line) = self.line_or_silence(deadline + granted).await? {
                return Ok(line);
            }
            let busy = self.conversation().waited();
            if busy <= granted + BUSY {
                break;
            }
            granted = busy;
        }
        let waited = self.patience(awaited);
        *self.silences.entry(awaited).or_default() += 1;
        let conversation = self.conversation.take().expect("it was just listened to");
        let (fault, sheet) = conversation.silence(awaited, waited).await;
        self.sheet = sheet;
        Err(fault)
    }

    async fn line_or_silence(&mut self, deadline: Instant) -> Result<Option<String>, Fault> {
        match self.conversation().line(deadline).await? {
            None => Ok(None),
            Some(ReceivedLine::Text(line)) => Ok(Some(line)),
            Some(ReceivedLine::NotText(line)) => Err(Fault::of(
                Cause::Unreadable("not UTF-8".to_owned()),
                rules::UTF8,
                format!("a line that is not UTF-8: `{line}`; write all output in UTF-8"),
            )),
        }
    }

    /// The time since `begun`, when a line was sent, without the time in which the machine was busy with something else.
    fn since(&mut self, begun: Instant) -> Duration {
        begun.elapsed().saturating_sub(self.conversation().waited())
    }

    /// Missing answers of a check that the engine need not pass do not count.
    pub fn forget_silences(&mut self) {
        self.silences.clear();
    }

    /// How long to wait for an answer: less during a search if such an answer was missing before. An idle engine may
    /// still load files.
    fn patience(&self, awaited: Awaited) -> Duration {
        let is_in_search = matches!(awaited, Awaited::ReadyInSearch | Awaited::Move | Awaited::MoveAfterStop);
        if awaited == Awaited::Greeting && self.said_uciok {
            self.timeout.min(AFTER_UCIOK)
        } else if is_in_search && self.silences.contains_key(&awaited) {
            self.timeout.min(AGAIN_TIMEOUT)
        } else {
            self.timeout
        }
    }

    /// Fails if this answer was missing too often.
    fn demand_hope(&self, awaited: Awaited) -> Result<(), Fault> {
        if self.silences.get(&awaited).is_none_or(|n| *n < GIVE_UP) {
            return Ok(());
        }
        let what = format!("{awaited} did not come {GIVE_UP} times");
        Err(Fault { what, cause: Some(Cause::GivenUp(awaited)), rule: None })
    }
}

/// What is wrong with a move during a search without a limit.
pub const BEFORE_STOP: &str = "came before `stop`; without limits, the engine must hold its move until `stop` (a match always has a \
                               limit, an analysis has none)";

/// A move that came in this state of the engine.
fn unasked(doing: Doing, line: &str) -> Fault {
    let line = shown(line);
    match doing {
        Doing::Nothing => Fault::of(
            Cause::OutOfTurn,
            rules::OUT_OF_TURN,
            format!("`{line}` came although no move was requested"),
        ),
        Doing::Searching | Doing::Stopping => {
            Fault::of(Cause::EarlyMove, rules::INFINITE, format!("`{line}` {BEFORE_STOP}"))
        }
    }
}

/// A `go` with a number of nodes and a time has only the time: an engine of UCI may have no move after few nodes.
fn without_nodes(text: &str) -> String {
    let (before, rest) = match text.split_once("go nodes ") {
        Some(parts) if text.contains("movetime") => parts,
        _ => return text.to_owned(),
    };
    let rest = rest.split_once(' ').map_or("", |(_, rest)| rest);
    format!("{before}go {rest}")
}

fn malformed(line: &str, error: LineError) -> Fault {
    let rule = if first_word(line) == "option" { rules::OPTION } else { rules::GREET };
    Fault { what: format!("`{}`: {error}", shown(line)), cause: None, rule: Some(rule) }
}
