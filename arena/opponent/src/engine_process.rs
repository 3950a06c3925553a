//! An engine's process as an opponent. It is started when needed, and kept as long as it works.

use std::convert::Infallible;
use std::fmt::Write;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine_proto::proto::{Command, GameOver, Go, Words};

use super::{
    Answer, Contender, Log, OffTurnUse, Opponent, Pondered, Session, Setup, Shortage, Spawn, StartError,
    Thinking, Turn,
};
use host::machine::run_queue::Waits;
use model::Engine;
use model::referee::Response;

/// An engine in one match.
#[derive(Debug)]
pub struct EngineProcess {
    contender: Contender,
    session: Option<Session>,
    log: Option<Log>,
    /// Where it says what it thinks, if somebody watches.
    thinking: Option<Thinking>,
    /// Whether it was prepared for a match that is not over.
    is_in_match: bool,
    /// Whether it may think on its opponent's time.
    ponders: bool,
    /// Whether its processes are stopped while it is not on the move.
    stops_off_turn: bool,
    /// The name of its opponent, for engines that want to know it.
    opponent: Option<String>,
    /// The commands that ask for a move, in a buffer that is reused.
    commands: String,
}

impl EngineProcess {
    /// The engine, with a running process if there is one from before.
    pub const fn new(engine: Arc<Engine>, spawn: Arc<Spawn>, session: Option<Session>) -> Self {
        Self {
            contender: Contender { engine, spawn },
            session,
            log: None,
            thinking: None,
            is_in_match: false,
            ponders: false,
            stops_off_turn: false,
            opponent: None,
            commands: String::new(),
        }
    }

    /// Writes the protocol log to `log`.
    #[must_use]
    pub fn logged_to(mut self, log: Option<Log>) -> Self {
        self.log = log;
        self
    }

    /// Lets it say what it thinks while it is to move.
    #[must_use]
    pub fn thinking_aloud(mut self, thinking: Option<Thinking>) -> Self {
        self.thinking = thinking;
        self
    }

    /// Names its opponent, for engines that want to know it.
    #[must_use]
    pub fn against(mut self, opponent: &str) -> Self {
        self.opponent = Some(opponent.to_owned());
        self
    }

    /// Stops its processes while it is not on the move, if `is_wanted`.
    #[must_use]
    pub const fn stopped_off_turn(mut self, is_wanted: bool) -> Self {
        self.stops_off_turn = is_wanted;
        self
    }

    /// A session that is ready for a match.
    fn is_ready(&mut self, mut session: Session, setup: &Setup) -> Response {
        session.stop_off_turn(self.stops_off_turn && !setup.ponders);
        session.take_off_turn();
        session.begin_rest(Instant::now());
        session.thinking = self.thinking.take();
        self.session = Some(session);
        Response::Ready
    }

    /// The engine and its process, if it can be used again.
    pub fn into_session(self) -> Option<(Contender, Session)> {
        let Self { contender, session, .. } = self;
        session.map(|mut session| {
            session.thinking = None;
            (contender, session)
        })
    }

    /// Ends a search whose answer is not wanted any more, and the process if it does not answer.
    pub async fn stop(&mut self) {
        if let Some(mut session) = self.session.take() {
            if session.stop().await {
                self.session = Some(session);
            } else {
                session.kill().await;
            }
        }
    }

    /// Evidence for a late or missing answer. Ends the process if it must not be used again.
    async fn settle(&mut self, turn: &Turn<'_>, heard: &Response) -> Option<Late> {
        match heard {
            Response::Move { took, .. } if *took <= turn.allowed => None,
            Response::Move { took, .. } => late(self.session.as_mut()?, *took),
            Response::Silence { .. } => {
                // An engine that did not answer is not used for another match.
                let mut session = self.session.take()?;
                let has_stopped = session.stop().await;
                let end = if has_stopped { session.read_at() } else { Instant::now() };
                let took = session.took_until(end);
                let late = late(&mut session, took);
                if has_stopped {
                    self.session = Some(session);
                } else {
                    session.kill().await;
                }
                late
            }
            Response::Ready
            | Response::Exit { .. }
            | Response::Rubbish { .. }
            | Response::OffTurn { .. }
            | Response::Conceded
            | Response::NoStart { .. } => {
                self.session.take()?.kill().await;
                None
            }
        }
    }
}

/// Appends the commands that ask for a move to `commands`.
fn write_commands(commands: &mut String, turn: &Turn<'_>, ponder: bool, with_legal_moves: bool) {
    commands.clear();
    commands.push_str(turn.position);
    commands.push('\n');
    if with_legal_moves {
        let moves = turn.play.legal_moves().join(" ");
        writeln!(commands, "{}", Command::LegalMoves(Words::new(&moves))).expect("a String takes all");
    }
    let go = Go { ponder, draw_offer: turn.draw_is_offered, ..turn.limits.into() };
    writeln!(commands, "{}", Command::Go(go)).expect("a String takes all");
}

type Late = (Duration, Waits);

fn late(session: &mut Session, took: Duration) -> Option<Late> {
    Some((took, session.waits()?))
}

impl Opponent for EngineProcess {
    async fn prepare(&mut self, setup: &Setup) -> Result<Response, Shortage> {
        let heard = self.get_ready(setup).await?;
        self.is_in_match = heard == Response::Ready;
        self.ponders = setup.ponders && self.session.as_ref().is_some_and(|it| it.greeting().can_ponder());
        Ok(heard)
    }

    async fn ask(&mut self, turn: &Turn<'_>) -> Answer {
        let Self { session, commands, .. } = self;
        let Some(session) = session else {
            let now = Instant::now();
            let heard = Response::Exit { how: "it was not started".to_owned() };
            return Answer { heard, asked_at: now, read_at: now, pondered: Pondered::No, late: None };
        };
        let pondered = match session.pondering() {
            None => Pondered::No,
            // `ponderhit` has no room for an offer.
            Some(pondering) if pondering.is_on(turn.position) && !turn.draw_is_offered => Pondered::Hit,
            Some(_) => Pondered::Miss,
        };
        if turn.is_timed {
            session.watch_run_queue(Instant::now());
        }
        let mut heard = if pondered == Pondered::Hit {
            session.ponder_hit(turn.allowed).await
        } else {
            match session.stop_pondering().await {
                Ok(used) => {
                    let limits = turn.limits.after(turn.play.side_to_move(), used);
                    write_commands(commands, &Turn { limits, ..*turn }, false, session.wants_legal_moves());
                    session.ask(commands, turn.allowed, used).await
                }
                Err(heard) => heard,
            }
        };
        if let Response::Move { text, .. } = &mut heard
            && let Some(mv) = session.dialect().other_spelling(turn.play, text)
        {
            *text = mv;
        }
        let (asked_at, read_at) = (session.asked_at(), session.read_at());
        let late = self.settle(turn, &heard).await;
        if let Some(session) = &mut self.session {
            session.begin_rest(read_at);
        }
        Answer { heard, asked_at, read_at, pondered, late }
    }

    async fn ponder(&mut self, turn: &Turn<'_>) {
        if self.ponders
            && let Some(session) = &mut self.session
        {
            write_commands(&mut self.commands, turn, true, session.wants_legal_moves());
            session.ponder(&self.commands, turn.position).await;
        }
    }

    async fn listen(&mut self) -> Infallible {
        match &mut self.session {
            Some(session) => session.listen().await,
            None => pending().await,
        }
    }

    async fn game_over(&mut self, over: &GameOver<'_>) {
        if std::mem::take(&mut self.is_in_match)
            && let Some(session) = &mut self.session
            && !session.game_over(over).await
            && let Some(session) = self.session.take()
        {
            session.kill().await;
        }
        if let Some(session) = &mut self.session {
            session.begin_rest(Instant::now());
        }
    }

    fn off_turn(&self) -> OffTurnUse {
        self.session.as_ref().map(Session::off_turn).unwrap_or_default()
    }
}

impl EngineProcess {
    /// Starts the process if there is none, and prepares it for a match.
    async fn get_ready(&mut self, setup: &Setup) -> Result<Response, Shortage> {
        // If a kept process does not get ready, it is ended, and a new process is started.
        if let Some(mut session) = self.session.take() {
            session.log_to(self.log.clone());
            if session.prepare(&self.contender.engine, setup, self.opponent.as_deref()).await
                == Response::Ready
            {
                return Ok(self.is_ready(session, setup));
            }
            session.kill().await;
        }
        let mut session = match Session::start(&self.contender, self.log.clone()).await {
            Ok(session) => session,
            Err(StartError::Engine(why)) => return Ok(Response::NoStart { why: why.to_string() }),
            Err(StartError::Arena(shortage)) => return Err(shortage),
        };
        let heard = session.prepare(&self.contender.engine, setup, self.opponent.as_deref()).await;
        if heard == Response::Ready {
            return Ok(self.is_ready(session, setup));
        }
        session.kill().await;
        Ok(heard)
    }
}
