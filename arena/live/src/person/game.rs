//! The matches between a person and an engine, one after the other.

use std::cell::RefCell;
use std::future::{Future, pending};
use std::io;
use std::mem;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use engine_proto::proto::Limits;
use engine_proto::{GameId, Games, PlayError, Side};
use tokio::sync::mpsc::{self, Receiver};

use super::action::Action;
use super::chair::{Answers, Chair, Player, Shown};
use super::view::{Over, Screen, Stored, View, now};
use crate::position::{Positions, deed, typed};
use model::referee::Response;
use model::{
    Engine, FormatVersion, Job, MatchRules, Moved, OffTurn, OnMachineDelay, Player as JobPlayer, Record,
    TimeControl,
};
use opponent::{Contender, EngineProcess, Opponent, Session, Setup, Shortage, StartError, Turn};
use runner::play::play_match;

/// What is played.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The games, with that of the match.
    pub games: Games,
    /// The game.
    pub game: GameId,
    /// The FEN of the start position.
    pub opening: String,
    /// The person's side in the first match.
    pub side: Side,
    /// The engine.
    pub engine: Contender,
    /// Who gives hints and analyses the match, if there is an engine for that: the engine at its full strength, or a better one.
    pub adviser: Option<Contender>,
    /// The person: a name and a clock.
    pub person: Arc<Engine>,
    /// What ends a match in addition to the rules of the game.
    pub rules: MatchRules,
    /// The engine's playing strength, if it has several.
    pub level: Option<Level>,
}

/// One of several playing strengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The engine's.
    pub now: u32,
    /// The weakest.
    pub min: u32,
    /// The strongest.
    pub max: u32,
}

/// Matches with a person.
pub struct Game<'a> {
    /// What is played.
    pub setting: Setting,
    /// Shows it.
    pub screen: Box<dyn Screen>,
    /// What the person does.
    pub actions: Receiver<Action>,
    /// Stores a record, and gives its number.
    pub save: Box<dyn FnMut(Record) -> io::Result<u32> + 'a>,
    /// Whether the program ends with the first match.
    pub is_only_one: bool,
}

/// What the person wants after its matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing more.
    Quit,
    /// Another level of the engine.
    Level(u32),
    /// To choose from the menu.
    Menu,
}

/// Why nothing more can be played.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The engine cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The system allows no process.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// The rules of the game do not know the start any more.
    #[error(transparent)]
    Opening(#[from] PlayError),
}

/// Why a part of a match ended.
enum Ended {
    Over(Box<Record>),
    TakenBack(Answers),
    Left(Next),
}

/// What follows a match that is over.
enum Wanted {
    Next(Next),
    Rematch { same_side: bool, level: Option<u32> },
}

impl Level {
    pub(super) fn to_json(self) -> serde_json::Value {
        let Self { now, min, max } = self;
        serde_json::json!({ "now": now, "min": min, "max": max })
    }
}

/// The option of an engine for its strength.
pub const LEVEL: &str = "Level";

/// The time for a hint against an engine that plays with a clock, and the time after which there is none.
const HINT_TIME: Duration = Duration::from_secs(1);
const HINT_TIMEOUT: Duration = Duration::from_secs(60);

type Hint = Pin<Box<dyn Future<Output = Result<String, String>>>>;

impl Game<'_> {
    /// Plays until the person quits, or wants something else, which is returned. `session` is the engine's process.
    ///
    /// # Errors
    /// If the engine cannot be started again.
    pub async fn run(&mut self, session: Session) -> Result<Next, GameError> {
        let mut session = Some(session);
        let mut number = 1;
        loop {
            let (view, screen) = (self.view()?, mem::replace(&mut self.screen, Box::new(Blank)));
            let shown = Rc::new(RefCell::new(Shown {
                view,
                screen,
                asked: Rc::default(),
                conceded: Rc::default(),
                offers_draw: false,
                n_said: 0,
            }));
            let wanted = match self.play_match(number, &shown, &mut session).await? {
                Ok(record) if self.store(&record, &shown).await && !self.is_only_one => {
                    self.new_match().await
                }
                Ok(_) => Wanted::Next(Next::Quit),
                Err(next) => Wanted::Next(next),
            };
            let Some(shown) = Rc::into_inner(shown) else { unreachable!("the match is over") };
            self.screen = shown.into_inner().screen;
            if let Wanted::Rematch { same_side: false, .. } = wanted {
                self.setting.side = !self.setting.side;
            }
            let next = match wanted {
                Wanted::Rematch { level: None, .. } => {
                    number += 1;
                    continue;
                }
                Wanted::Rematch { level: Some(level), .. } => Next::Level(level),
                Wanted::Next(next) => next,
            };
            if let Some(session) = session {
                session.quit().await;
            }
            return Ok(next);
        }
    }

    /// Stores a match in which the person has moved. As long as that fails, the person is told why, and may try again. Returns
    /// whether another match can follow.
    async fn store(&mut self, record: &Record, shown: &RefCell<Shown>) -> bool {
        let you = self.setting.side.into();
        // A busy machine is no fault of the engine.
        if record.machine_delay.is_some() && record.result.winner() == Some(self.setting.side) {
            show_end(&mut shown.borrow_mut(), record, Ok(Stored::Busy));
            return true;
        }
        if record.moves.iter().all(|mv| mv.side != you) {
            show_end(&mut shown.borrow_mut(), record, Ok(Stored::Unplayed));
            return true;
        }
        let mut n = 1;
        loop {
            // Who tries again sees that it was tried.
            let attempt = if n == 1 { String::new() } else { format!(" (attempt {n})") };
            let stored = (self.save)(record.clone())
                .map_err(|error| format!("cannot store the match{attempt}: {error}"));
            let is_stored = stored.is_ok();
            show_end(&mut shown.borrow_mut(), record, stored.map(Stored::As));
            if is_stored || !self.tries_again().await {
                return is_stored;
            }
            n += 1;
        }
    }

    /// Waits until the person wants to try again to store a match; `false` if it quits.
    async fn tries_again(&mut self) -> bool {
        loop {
            match self.actions.recv().await {
                Some(Action::Quit) | None => return false,
                Some(Action::Store | Action::New { .. }) => return true,
                Some(_) => {}
            }
        }
    }

    /// Waits until the person wants something after a match.
    async fn new_match(&mut self) -> Wanted {
        loop {
            match self.actions.recv().await {
                Some(Action::Quit) | None => return Wanted::Next(Next::Quit),
                Some(Action::Menu) => return Wanted::Next(Next::Menu),
                Some(Action::New { same_side, level }) => {
                    let is_other = |wanted: &u32| {
                        self.setting.level.is_some_and(|level| {
                            *wanted != level.now && (level.min..=level.max).contains(wanted)
                        })
                    };
                    return Wanted::Rematch { same_side, level: level.filter(is_other) };
                }
                Some(_) => {}
            }
        }
    }

    /// Plays one match to its end, or until the person wants something else.
    async fn play_match(
        &mut self,
        number: u32,
        shown: &Rc<RefCell<Shown>>,
        session: &mut Option<Session>,
    ) -> Result<Result<Record, Next>, GameError> {
        // In each match, the engine makes other random choices.
        let (games, job) = (self.setting.games.clone(), self.job(number, now().as_nanos() as u64));
        let mut script = Answers::new();
        loop {
            let view = self.view()?;
            shown.borrow_mut().view = view;
            let given = Rc::new(RefCell::new(Answers::new()));
            let (to_person, from_game) = mpsc::channel(1);
            let Contender { engine, spawn } = self.setting.engine.clone();
            let process = EngineProcess::new(engine, spawn, session.take());
            let mut chairs = [Player::Person(from_game), Player::Engine(Box::new(process))];
            if self.setting.side == Side::Black {
                chairs.reverse();
            }
            let mut sides = Side::ALL.into_iter();
            let mut chairs = chairs.map(|player| {
                let side = sides.next().expect("there are two");
                let own = script.iter().filter(|(one, _)| *one == side).map(|(_, heard)| heard.clone());
                let (given, shown) = (Rc::clone(&given), Rc::clone(shown));
                Chair { side, player, script: own.collect(), given, shown }
            });
            let n_scripted = script.len();
            let mut on_move = |moved: Moved| hear(&mut shown.borrow_mut(), moved, n_scripted);
            let [white, black] = &mut chairs;
            let playing = play_match(&games, &job, white, black, Some(&mut on_move));
            let ended = self.conduct(pin!(playing), shown, &given, &to_person).await?;
            let mut engine = chairs.into_iter().find_map(|chair| match chair.player {
                Player::Engine(engine) => Some(engine),
                Player::Person(_) => None,
            });
            let is_thinking = shown.borrow().view.is_engines_turn();
            if let (Ended::TakenBack(_), true, Some(engine)) = (&ended, is_thinking, &mut engine) {
                engine.stop().await;
            }
            let kept = engine.and_then(|engine| engine.into_session()).map(|(_, session)| session);
            match ended {
                Ended::Over(mut record) => {
                    *session = kept;
                    record.engine_seed = Some(job.player(!self.setting.side).seed);
                    return Ok(Ok(*record));
                }
                Ended::TakenBack(answers) => {
                    *session = kept;
                    script = answers;
                }
                Ended::Left(next) => {
                    // It may be thinking.
                    if let Some(session) = kept {
                        session.kill().await;
                    }
                    return Ok(Err(next));
                }
            }
        }
    }

    /// Lets the match go on, and does what the person wants.
    async fn conduct(
        &mut self,
        mut playing: Pin<&mut impl Future<Output = Result<Record, Shortage>>>,
        shown: &Rc<RefCell<Shown>>,
        given: &Rc<RefCell<Answers>>,
        to_person: &mpsc::Sender<Action>,
    ) -> Result<Ended, GameError> {
        let asked = Rc::clone(&shown.borrow().asked);
        let mut hint: Option<Hint> = None;
        loop {
            // In a terminal, what is typed while the engine thinks waits.
            let is_your_turn = shown.borrow().view.is_your_turn();
            let takes_actions = !self.is_only_one || is_your_turn;
            let hinted = async {
                match &mut hint {
                    Some(hint) => hint.await,
                    None => pending().await,
                }
            };
            let action = tokio::select! {
                biased;
                record = &mut playing => return Ok(Ended::Over(Box::new(record?))),
                () = asked.notified(), if !takes_actions => continue,
                answer = hinted => {
                    hint = None;
                    let mut shown = shown.borrow_mut();
                    shown.view.hint = None;
                    match answer {
                        Ok(mv) => {
                            shown.view.hint = Some(mv);
                            shown.show();
                        }
                        Err(why) => shown.say(why),
                    }
                    continue;
                }
                action = self.actions.recv(), if takes_actions => action,
            };
            let mut shown = shown.borrow_mut();
            let is_your_turn = shown.view.is_your_turn();
            shown.view.said = None;
            match action {
                None | Some(Action::Quit) => return Ok(Ended::Left(Next::Quit)),
                Some(Action::Menu) if shown.view.can_abort() => return Ok(Ended::Left(Next::Menu)),
                Some(Action::Move { mv, draw }) if is_your_turn => {
                    match typed(shown.view.game, shown.view.play.as_ref(), &mv) {
                        Ok(mv) => {
                            (shown.view.hint, shown.view.turn) = (None, None);
                            hint = None;
                            shown.offers_draw = draw;
                            let _ = to_person.try_send(Action::Move { mv, draw });
                        }
                        Err(why) => shown.say(why),
                    }
                }
                Some(Action::Resign) if is_your_turn => {
                    shown.view.stop_clock();
                    let _ = to_person.try_send(Action::Resign);
                }
                Some(Action::Resign) if shown.view.is_engines_turn() => {
                    shown.view.stop_clock();
                    shown.conceded.notify_one();
                }
                Some(Action::TakeBack) if shown.view.can_take_back() => {
                    shown.offers_draw = false;
                    let you = shown.view.you;
                    let mut answers = given.borrow().clone();
                    while answers.pop().is_some_and(|(side, _)| side != you) {}
                    return Ok(Ended::TakenBack(answers));
                }
                Some(Action::Hint) if is_your_turn && hint.is_none() => {
                    if let Some(adviser) = self.setting.adviser.clone() {
                        shown.view.hint = Some(String::new());
                        shown.show();
                        hint = Some(Box::pin(self.hint(adviser, &shown.view)));
                    } else {
                        shown.say("there is no engine for hints".to_owned());
                    }
                }
                Some(Action::Tell(text)) => shown.say(text),
                Some(Action::Moves) if is_your_turn => {
                    let moves = shown.view.legal_moves();
                    let words: Vec<_> = moves.iter().map(|mv| shown.view.word(mv)).collect();
                    shown.say(words.join(" "));
                }
                Some(Action::TakeBack) if is_your_turn => {
                    shown.say("there is no move of yours to take back".to_owned());
                }
                Some(Action::Hint | Action::New { .. } | Action::Store | Action::Menu | Action::Begin(_))
                    if is_your_turn => {}
                Some(_) => shown.say("it is the engine's turn".to_owned()),
            }
        }
    }

    /// The move that the adviser would play, from a process of its own, which remembers nothing of the match.
    fn hint(&self, adviser: Contender, view: &View) -> impl Future<Output = Result<String, String>> + use<> {
        let Setting { game, opening, engine: opponent, .. } = self.setting.clone();
        let play = view.play.boxed();
        let moves: Vec<String> = view.moves.iter().map(|moved| moved.mv.clone()).collect();
        let TimeControl { move_time, nodes, depth, .. } = opponent.engine.time_control;
        let is_limited = move_time.is_some() || nodes.is_some() || depth.is_some();
        let move_time = if is_limited { move_time } else { Some(HINT_TIME) };
        let limits = Limits { move_time, nodes, depth, ..Limits::default() };
        let position = format!("position fen {opening} moves {}", moves.join(" "));
        async move {
            let Contender { engine, spawn } = adviser;
            let mut asked = EngineProcess::new(engine, spawn, None);
            let setup = Setup { game, seed: 0, ponders: false };
            let turn = Turn {
                position: position.trim_end_matches(" moves "),
                play: play.as_ref(),
                limits,
                allowed: HINT_TIMEOUT,
                draw_is_offered: false,
                is_timed: false,
            };
            let heard = match asked.prepare(&setup).await {
                Ok(Response::Ready) => asked.ask(&turn).await.heard,
                Ok(other) => other,
                Err(shortage) => return Err(shortage.to_string()),
            };
            if let Some((_, session)) = asked.into_session() {
                session.quit().await;
            }
            match heard {
                Response::Move { text, .. } if play.legal_moves().contains(&text) => Ok(text),
                _ => Err("the engine has no hint".to_owned()),
            }
        }
    }

    fn job(&self, number: u32, seed: u64) -> Job {
        let Setting { game, opening, engine, person, rules, .. } = &self.setting;
        let [white, black] =
            self.seats().map(|is_person| Arc::clone(if is_person { person } else { &engine.engine }));
        let player = |engine, side| JobPlayer { engine, build: None, seed: Job::seed(seed, number, side) };
        Job {
            format_version: FormatVersion,
            number,
            pair: number,
            game: *game,
            limits: None,
            opening: opening.clone(),
            players: [player(white, Side::White), player(black, Side::Black)],
            rules: *rules,
            on_machine_delay: OnMachineDelay::Count,
            off_turn: OffTurn::Allow,
        }
    }

    /// Whether White and Black are the person.
    fn seats(&self) -> [bool; 2] {
        Side::ALL.map(|side| side == self.setting.side)
    }

    fn view(&self) -> Result<View, PlayError> {
        let Setting { games, game, opening, side, engine, adviser, person, .. } = &self.setting;
        let seats = self.seats();
        let engines = seats.map(|is_person| if is_person { person } else { &engine.engine });
        let play = games.play(*game, opening)?;
        Ok(View {
            games: games.clone(),
            game: *game,
            level: self.setting.level,
            names: engines.map(|engine| engine.name.clone()),
            you: *side,
            positions: Positions::new(games, *game, play.as_ref()),
            play,
            moves: Vec::new(),
            deeds: Vec::new(),
            clocks: engines.map(|engine| engine.time_control.base),
            turn: None,
            adviser: adviser.as_ref().map(|adviser| {
                let is_opponent = adviser.engine.command == engine.engine.command;
                if is_opponent { String::new() } else { adviser.name().to_owned() }
            }),
            hint: None,
            over: None,
            said: None,
        })
    }
}

/// The match is over, and is stored or not.
fn show_end(shown: &mut Shown, record: &Record, stored: Result<Stored, String>) {
    shown.view.stop_clock();
    (shown.view.said, shown.view.hint) = (None, None);
    let reason = record.reason.clone();
    if let ("time", Some(winner)) = (reason.as_str(), record.result.winner()) {
        let late = &mut shown.view.clocks[usize::from(winner == Side::White)];
        *late = late.and(Some(Duration::ZERO));
    }
    let is_stored = *stored.as_ref().unwrap_or(&Stored::Failed);
    shown.view.over = Some(Over { result: record.result, reason, stored: is_stored });
    match stored {
        Ok(_) => shown.show(),
        Err(why) => shown.say(why),
    }
}

/// A move was made, by a player or by the script.
fn hear(shown: &mut Shown, moved: Moved, n_scripted: usize) {
    let view = &mut shown.view;
    view.deeds.push(deed(view.game, view.play.as_ref(), &moved.mv));
    let _ = view.play.play(&moved.mv);
    view.positions.push(view.play.as_ref());
    view.clocks = moved.clocks_ms.map(|clock| clock.map(Duration::from_millis));
    view.turn = None;
    view.hint = None;
    view.moves.push(moved);
    if n_scripted <= view.moves.len() {
        shown.show();
    }
}

/// Shows nothing.
struct Blank;

impl Screen for Blank {
    fn show(&mut self, _: &View) {}
}
