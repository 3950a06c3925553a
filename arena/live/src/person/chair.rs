//! The two players of a match with a person: each answers as it did before a move was taken back, and then anew.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::pending;
use std::rc::Rc;
use std::time::{Duration, Instant};

use engine_proto::Side;
use engine_proto::proto::{GameOver, RESIGN};
use tokio::sync::Notify;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

use super::action::Action;
use super::view::{Notice, Screen, Turn as Thinking, View, now};
use model::referee::{Response, SearchInfo};
use opponent::{Answer, EngineProcess, Opponent, Pondered, Setup, Shortage, Turn};

/// What is shown, and where.
pub struct Shown {
    pub view: View,
    pub screen: Box<dyn Screen>,
    /// Wakes when the person must move.
    pub asked: Rc<Notify>,
    /// Wakes the engine's chair when the person gives up while the engine thinks.
    pub conceded: Rc<Notify>,
    /// Whether the person's last move offered a draw.
    pub offers_draw: bool,
    /// How often something was said.
    pub n_said: u32,
}

impl Shown {
    pub fn show(&mut self) {
        self.screen.show(&self.view);
    }

    /// Shows what the person should know.
    pub fn say(&mut self, text: String) {
        self.view.said = Some(Notice { number: self.n_said, text });
        self.n_said += 1;
        self.show();
    }
}

/// The answers of both sides, in order.
pub type Answers = Vec<(Side, Response)>;

/// A player's place.
pub struct Chair {
    pub side: Side,
    pub player: Player,
    /// The answers that are repeated.
    pub script: VecDeque<Response>,
    /// The answers of both sides so far.
    pub given: Rc<RefCell<Answers>>,
    pub shown: Rc<RefCell<Shown>>,
}

/// A player.
pub enum Player {
    /// The person's moves, and that it resigns.
    Person(Receiver<Action>),
    /// The engine.
    Engine(Box<EngineProcess>),
}

impl Opponent for Chair {
    async fn prepare(&mut self, setup: &Setup) -> Result<Response, Shortage> {
        match &mut self.player {
            Player::Person(_) => Ok(Response::Ready),
            Player::Engine(engine) => engine.prepare(setup).await,
        }
    }

    async fn ask(&mut self, turn: &Turn<'_>) -> Answer {
        let answer = if let Some(heard) = self.script.pop_front() {
            answered(heard, Instant::now())
        } else {
            self.show_thinking(turn);
            // The clock starts with the person's first move: nobody loses on a page that is not open yet.
            let allowed = (!self.is_first()).then_some(turn.allowed);
            match &mut self.player {
                Player::Engine(engine) => {
                    let conceded = Rc::clone(&self.shown.borrow().conceded);
                    tokio::select! {
                        biased;
                        () = conceded.notified() => {
                            engine.stop().await;
                            answered(Response::Conceded, Instant::now())
                        }
                        answer = engine.ask(turn) => answer,
                    }
                }
                Player::Person(actions) => ask_person(actions, allowed).await,
            }
        };
        self.given.borrow_mut().push((self.side, answer.heard.clone()));
        answer
    }

    async fn listen(&mut self) -> Infallible {
        match &mut self.player {
            Player::Person(_) => pending().await,
            Player::Engine(engine) => engine.listen().await,
        }
    }

    async fn game_over(&mut self, over: &GameOver<'_>) {
        if let Player::Engine(engine) = &mut self.player {
            engine.game_over(over).await;
        }
    }
}

impl Chair {
    /// Whether this side has not moved yet.
    fn is_first(&self) -> bool {
        self.given.borrow().iter().all(|(side, _)| *side != self.side)
    }

    fn show_thinking(&self, turn: &Turn<'_>) {
        let mut shown = self.shown.borrow_mut();
        let draw_is_offered = turn.draw_is_offered;
        let is_person = matches!(self.player, Player::Person(_));
        let since = (!is_person || !self.is_first()).then(now);
        shown.view.turn = Some(Thinking { side: self.side, draw_is_offered, since });
        let is_answered = shown.view.moves.last().is_some_and(|moved| moved.side != self.side.into());
        if is_person && is_answered && std::mem::take(&mut shown.offers_draw) {
            shown.say("the engine did not accept the draw".to_owned());
        } else {
            shown.show();
        }
        if is_person {
            shown.asked.notify_one();
        }
    }
}

fn answered(heard: Response, asked_at: Instant) -> Answer {
    Answer { heard, asked_at, read_at: Instant::now(), pondered: Pondered::No, late: None }
}

/// Waits for the person's move, at most as long as is allowed. Without a limit, the time does not count.
async fn ask_person(actions: &mut Receiver<Action>, allowed: Option<Duration>) -> Answer {
    let asked_at = Instant::now();
    // What was done before does not count.
    while actions.try_recv().is_ok() {}
    let text = timeout(allowed.unwrap_or(Duration::MAX), async {
        loop {
            match actions.recv().await {
                Some(Action::Move { mv, draw }) => return (mv, draw),
                Some(Action::Resign) => return (RESIGN.to_owned(), false),
                Some(_) => {}
                None => pending().await,
            }
        }
    });
    match text.await {
        Ok((text, draw)) => {
            let info = SearchInfo { draw, ..SearchInfo::default() };
            let took = allowed.map_or(Duration::ZERO, |_| asked_at.elapsed());
            answered(Response::Move { text, took, info }, asked_at)
        }
        Err(_) => answered(Response::Silence { after: asked_at.elapsed() }, asked_at),
    }
}
