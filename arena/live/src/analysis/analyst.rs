//! One engine that analyses. Its task starts the process when it is first needed, and searches the position that is wanted,
//! until another one is wanted or none.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine_proto::proto::{Command, Go, Limits, OptionKind, Reply, Words};
use engine_proto::{AnyPlay, GameId, Side};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::lines::{Best, Lines, MOST_LINES};
use super::tree::Tree;
use model::referee::Response;
use opponent::{Contender, Session, Setup};

/// An engine, as the page sees it.
#[derive(Debug)]
pub struct Analyst {
    /// Its number among all engines that the arena knows.
    pub id: usize,
    name: String,
    wanted: watch::Sender<Option<Arc<Wanted>>>,
    report: Arc<Mutex<Report>>,
}

/// What an engine has found about a position.
#[derive(Debug)]
pub struct Found {
    /// Since it began.
    pub time: Duration,
    pub best: Option<Best>,
    /// Whether it has ended the search itself.
    pub has_finished: bool,
}

/// The position that is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    game: GameId,
    /// The commands that set it up.
    commands: String,
    /// The legal moves, for engines that ask for them.
    legal_moves: String,
    to_move: Side,
    n_lines: u32,
    /// Where the search ends; `None` for never.
    depth: Option<u32>,
}

impl Wanted {
    /// The position of `play`, which `command` sets up; `None` if it is over.
    pub fn new(
        game: GameId,
        play: &dyn AnyPlay,
        command: &str,
        n_lines: u32,
        depth: Option<u32>,
    ) -> Option<Arc<Self>> {
        let legal_moves = play.legal_moves();
        (!legal_moves.is_empty()).then(|| {
            Arc::new(Self {
                game,
                commands: format!("{command}\n"),
                legal_moves: legal_moves.join(" "),
                to_move: play.side_to_move(),
                n_lines,
                depth,
            })
        })
    }
}

/// What an engine does, and what it found.
#[derive(Debug, Default)]
struct Report {
    state: State,
    /// The maximum of its option `MultiPV`; `None` if it is not known yet.
    most_lines: Option<u32>,
    /// The position that it searched last.
    wanted: Option<Arc<Wanted>>,
    lines: Lines,
    /// Whether it had time enough to evaluate a position, and did not.
    is_mute: bool,
    /// When it began that search.
    began_at: Option<Instant>,
    /// When it reported something last, or began.
    heard_at: Option<Instant>,
    is_new: bool,
    /// Whether the page was told that nothing new comes.
    is_quiet: bool,
}

/// After this time without a report, an engine that searches has nothing new. It may be done, and wait for `stop`.
const QUIET: Duration = Duration::from_secs(3);

impl Report {
    fn is_quiet(&self) -> bool {
        let is_searching = matches!(self.state, State::Searching);
        is_searching && self.heard_at.is_some_and(|at| QUIET <= at.elapsed())
    }
}

#[derive(Debug, Default)]
enum State {
    /// It does not search.
    #[default]
    Idle,
    /// Its process starts.
    Starting,
    Searching,
    /// It has ended the search itself.
    Finished,
    /// Its process has failed.
    Failed(String),
}

impl Analyst {
    /// The engine with this number; its task ends with this.
    pub fn new(id: usize, contender: Contender) -> (Self, impl Future<Output = ()> + use<>) {
        let (wanted, next) = watch::channel(None);
        let report = Arc::<Mutex<Report>>::default();
        let analyst = Self { id, name: contender.name().to_owned(), wanted, report: Arc::clone(&report) };
        (analyst, Task { contender, next, report, session: None }.run())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its process has failed.
    pub fn has_failed(&self) -> bool {
        matches!(lock(&self.report).state, State::Failed(_))
    }

    /// Takes note that it has nothing to say of positions.
    pub fn mute(&self) {
        lock(&self.report).is_mute = true;
    }

    /// What it has found about this; `None` if it has not begun to search it.
    pub fn found(&self, wanted: &Arc<Wanted>) -> Option<Found> {
        let report = lock(&self.report);
        if report.wanted.as_ref() != Some(wanted) {
            return None;
        }
        Some(Found {
            time: report.began_at?.elapsed(),
            best: report.lines.best(),
            has_finished: matches!(report.state, State::Finished),
        })
    }

    /// Lets it search a position, or nothing.
    pub fn want(&self, wanted: Option<Arc<Wanted>>) {
        self.wanted.send_if_modified(|now| {
            if *now == wanted {
                return false;
            }
            if wanted.is_some() {
                lock(&self.report).state = State::Starting;
            }
            *now = wanted;
            true
        });
    }

    /// Whether something is new since the last question.
    pub fn takes_new(&self) -> bool {
        let mut report = lock(&self.report);
        let is_quiet = report.is_quiet();
        let was_quiet = std::mem::replace(&mut report.is_quiet, is_quiet);
        std::mem::take(&mut report.is_new) || is_quiet != was_quiet
    }

    /// What the page shows. `is_on` says whether the user wants it to search the shown position, and `is_evaluating` whether it
    /// evaluates others; lines of another position than `shown` are left out.
    pub fn to_json(
        &self,
        is_on: bool,
        is_evaluating: bool,
        shown: Option<&Arc<Wanted>>,
        tree: &Tree,
    ) -> Value {
        let report = lock(&self.report);
        let is_over = shown.is_none();
        let (state, why) = match &report.state {
            State::Failed(why) => ("failed", Some(why)),
            _ if is_evaluating => ("evaluating", None),
            State::Starting | State::Searching if !is_on => ("stopping", None),
            _ if is_on && is_over => ("waiting", None),
            State::Idle => ("idle", None),
            State::Starting => ("starting", None),
            State::Searching if report.is_quiet() => ("quiet", None),
            State::Searching => ("searching", None),
            State::Finished => ("finished", None),
        };
        let is_about_this =
            |searched: &&Arc<Wanted>| shown.is_some_and(|shown| shown.is_same_position(searched));
        let found = report.wanted.as_ref().filter(is_about_this);
        json!({
            "id": self.id,
            "name": self.name,
            "is_on": is_on,
            "state": state,
            "why": why,
            "is_mute": report.is_mute,
            "most_lines": report.most_lines,
            "n_lines": found.map(|wanted| wanted.n_lines),
            "found": found.map(|wanted| report.lines.to_json(wanted.game, wanted.to_move, tree.play())),
        })
    }
}

impl Wanted {
    fn is_same_position(&self, other: &Self) -> bool {
        self.commands == other.commands && self.game == other.game
    }
}

/// The part that talks to the process.
struct Task {
    contender: Contender,
    next: watch::Receiver<Option<Arc<Wanted>>>,
    report: Arc<Mutex<Report>>,
    session: Option<Session>,
}

impl Task {
    async fn run(mut self) {
        loop {
            let wanted = self.next.borrow_and_update().clone();
            match wanted {
                Some(wanted) => {
                    if let Err(why) = self.search(&wanted).await {
                        self.tell(|report| report.state = State::Failed(why));
                        if let Some(session) = self.session.take() {
                            session.kill().await;
                        }
                    }
                }
                // It was to search, but not for long enough to begin.
                None => self.tell(|report| {
                    if matches!(report.state, State::Starting) {
                        report.state = State::Idle;
                    }
                }),
            }
            // After a failure, it is started again only when another search is wanted.
            if self.next.changed().await.is_err() {
                break;
            }
        }
        if let Some(session) = self.session {
            session.quit().await;
        }
    }

    /// Searches until something else is wanted.
    async fn search(&mut self, wanted: &Arc<Wanted>) -> Result<(), String> {
        let mut session = if let Some(session) = self.session.take() {
            session
        } else {
            let mut next = self.next.clone();
            tokio::select! {
                biased;
                started = self.start(wanted.game) => started?,
                // A process that is still starting ends with its task.
                _ = next.wait_for(Option::is_none) => {
                    self.tell(|report| report.state = State::Idle);
                    return Ok(());
                }
            }
        };
        let most = most_lines(&session);
        let n_lines = wanted.n_lines.min(most);
        let commands = commands(wanted, &session, (1 < most).then_some(n_lines));
        self.tell(|report| {
            report.state = State::Searching;
            report.most_lines = Some(most);
            report.lines = Lines::default();
            report.wanted = Some(Arc::clone(wanted));
            report.began_at = Some(Instant::now());
            report.heard_at = report.began_at;
        });
        let searched = self.hear(&mut session, &commands, n_lines).await;
        self.session = Some(session);
        searched.map_err(in_words)
    }

    async fn start(&self, game: GameId) -> Result<Session, String> {
        self.tell(|report| report.state = State::Starting);
        let session = Session::start(&self.contender, None).await;
        let mut session = session.map_err(|error| error.to_string())?;
        if session.greeting().games().is_some_and(|games| !games.contains(&game)) {
            session.quit().await;
            return Err(format!("the engine does not play {game}"));
        }
        let setup = Setup { game, seed: 0, ponders: false };
        match session.prepare(&self.contender.engine, &setup, None).await {
            Response::Ready => Ok(session),
            heard => {
                session.kill().await;
                Err(in_words(heard))
            }
        }
    }

    async fn hear(&mut self, session: &mut Session, commands: &str, n_lines: u32) -> Result<(), Response> {
        session.begin_search(commands).await?;
        loop {
            let line = tokio::select! {
                biased;
                changed = self.next.changed() => {
                    // Whoever looks again finds what is wanted now.
                    if changed.is_ok() {
                        self.next.mark_changed();
                    }
                    session.end_search().await?;
                    self.tell(|report| report.state = State::Idle);
                    return Ok(());
                }
                line = session.hear_search() => line?,
            };
            match Reply::parse(&line) {
                Ok(Reply::Info(info)) if !is_bound(&line) => {
                    self.tell(|report| {
                        report.lines.hear(&info, n_lines);
                        report.heard_at = Some(Instant::now());
                    });
                }
                // Some engines end a search that cannot find anything new.
                Ok(Reply::BestMove(_)) => {
                    self.tell(|report| report.state = State::Finished);
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    fn tell(&self, change: impl FnOnce(&mut Report)) {
        let mut report = lock(&self.report);
        change(&mut report);
        report.is_new = true;
    }
}

fn commands(wanted: &Wanted, session: &Session, n_lines: Option<u32>) -> String {
    let mut commands = String::new();
    let mut add = |command: Command<'_>| commands.push_str(&format!("{command}\n"));
    if let Some(n_lines) = n_lines {
        let value = n_lines.to_string();
        add(Command::SetOption { name: Words::new(MULTI_PV), value: Some(&value) });
    }
    let mut rest = wanted.commands.clone();
    if session.wants_legal_moves() {
        rest.push_str(&format!("{}\n", Command::LegalMoves(Words::new(&wanted.legal_moves))));
    }
    let limits = Limits { infinite: wanted.depth.is_none(), depth: wanted.depth, ..Limits::default() };
    let go = Command::Go(Go { limits, ..Go::default() });
    commands + &rest + &format!("{go}\n")
}

const MULTI_PV: &str = "MultiPV";

/// The number of lines that an engine can report.
fn most_lines(session: &Session) -> u32 {
    match session.greeting().option(MULTI_PV).map(|option| &option.kind) {
        Some(OptionKind::Spin { max, .. }) => u32::try_from(*max).unwrap_or(MOST_LINES).clamp(1, MOST_LINES),
        _ => 1,
    }
}

/// Whether a line of UCI has only a bound of the score.
fn is_bound(line: &str) -> bool {
    line.split_ascii_whitespace().any(|word| matches!(word, "lowerbound" | "upperbound"))
}

fn in_words(heard: Response) -> String {
    match heard {
        Response::Exit { how } => format!("the process {how}"),
        Response::Rubbish { what } => what,
        Response::Silence { after } => format!("no answer within {after:.1?}"),
        Response::NoStart { why } => why,
        Response::Ready | Response::Move { .. } | Response::OffTurn { .. } | Response::Conceded => {
            "the engine did not answer as expected".to_owned()
        }
    }
}

fn lock(report: &Mutex<Report>) -> MutexGuard<'_, Report> {
    report.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_with_nothing_new_is_quiet() {
        let check = |state: State, ago: Duration, is_quiet: bool| {
            let report = Report { state, heard_at: Instant::now().checked_sub(ago), ..Report::default() };
            assert_eq!(report.is_quiet(), is_quiet, "{ago:?}");
        };
        check(State::Searching, QUIET, true);
        check(State::Searching, Duration::ZERO, false);
        check(State::Idle, QUIET, false);
        assert!(!Report::default().is_quiet());
    }
}
