//! What workers send, as the coordinator takes it: each message is bounded, and each worker has a share of its own, so that none
//! can keep the coordinator busy or fill it. Pure: messages in, news for the pool out.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use async_nats::{Message, Subject};

use super::message::{Moves, Outcome, State, decode, other_version};
use super::quota::Quota;
use super::subject::{is_in_inbox, worker_of};

/// The longest state and the longest message with moves, in bytes.
const LONGEST: usize = 256 << 10;

/// In each second, this number of messages of a worker is taken. A worker needs a fifth of that.
const SECOND: Duration = Duration::from_secs(1);
const STATES: u32 = 50;
const MOVES: u32 = 20;
const JOINS: u32 = 5;

/// The most workers with another version that are shown.
const MOST_OTHERS: usize = 100;

/// What the pool hears.
#[derive(Debug)]
pub enum Received {
    /// The state of a worker.
    State { worker: String, state: State },
    /// An outcome.
    Outcome {
        worker: String,
        outcome: Box<Outcome>,
        /// The subject that acknowledges the message.
        reply: Option<String>,
    },
    /// Moves of matches in progress.
    Moves { worker: String, moves: Moves },
    /// Whether the server can be reached.
    Connection(bool),
    /// A problem that the user should know.
    Warning(String),
    /// A problem of a worker.
    About {
        worker: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The shares of all workers.
#[derive(Debug)]
pub struct Reception {
    states: Quota,
    moves: Quota,
    joins: Quota,
    /// The workers with another version of the messages, each of which was shown.
    others: HashSet<String>,
}

impl Default for Reception {
    fn default() -> Self {
        let [states, moves, joins] = [STATES, MOVES, JOINS].map(|most| Quota::new(most, SECOND));
        Self { states, moves, joins, others: HashSet::new() }
    }
}

impl Reception {
    /// Where the invitation is sent that this message asks for: the inbox of the worker that asks.
    pub fn join(&mut self, message: Message, now: Instant) -> Option<Subject> {
        let worker = worker_of(&message.subject)?;
        let reply = message.reply.filter(|reply| is_in_inbox(reply, worker))?;
        self.joins.takes(worker, now).then_some(reply)
    }

    /// A state, if it is of the tournament with this invitation.
    pub fn state(&mut self, message: &Message, invitation: &str, now: Instant) -> Option<Received> {
        let worker = worker_of(&message.subject).filter(|worker| self.states.takes(worker, now))?.to_owned();
        if LONGEST < message.payload.len() {
            let problem = format!("its state has {} bytes and is ignored", message.payload.len());
            return Some(Received::About { worker, problem });
        }
        if let Ok(state) = decode::<State>(&message.payload) {
            return (state.invitation == invitation).then_some(Received::State { worker, state });
        }
        let why = other_version(&message.payload)?;
        let is_new = self.others.len() < MOST_OTHERS && self.others.insert(worker.clone());
        is_new.then(|| Received::Warning(format!("worker `{worker}` does not take part: {why}")))
    }

    /// The moves of matches in progress.
    pub fn moves(&mut self, message: &Message, now: Instant) -> Option<Received> {
        let worker = worker_of(&message.subject).filter(|worker| self.moves.takes(worker, now))?;
        let moves = (message.payload.len() <= LONGEST).then(|| decode(&message.payload).ok()).flatten()?;
        Some(Received::Moves { worker: worker.to_owned(), moves })
    }
}

/// An outcome, or what is wrong with the message.
pub fn outcome(message: &Message) -> Received {
    let dropped = |worker: &str, why: &str| {
        let problem = format!("a result was dropped: {why}");
        Received::About { worker: worker.to_owned(), problem }
    };
    match (worker_of(&message.subject), decode::<Outcome>(&message.payload)) {
        (Some(worker), Ok(outcome)) => {
            let reply = message.reply.as_ref().map(ToString::to_string);
            Received::Outcome { worker: worker.to_owned(), outcome: Box::new(outcome), reply }
        }
        (Some(worker), Err(error)) => dropped(worker, &error),
        (None, _) => dropped("?", "its subject names no worker"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::encode;

    fn message(subject: &str, reply: Option<&str>, payload: Vec<u8>) -> Message {
        Message {
            subject: subject.into(),
            reply: reply.map(Into::into),
            length: payload.len(),
            payload: payload.into(),
            headers: None,
            status: None,
            description: None,
        }
    }

    #[test]
    fn nobody_gets_an_answer_elsewhere_than_in_the_own_inbox() {
        let now = Instant::now();
        let mut reception = Reception::default();
        let mut join = |worker: &str, reply| {
            let message = message(&format!("arena.0f.join.{worker}"), Some(reply), Vec::new());
            reception.join(message, now).is_some()
        };
        assert!(join("desk", "arena.inbox.desk.a.b"));
        for reply in
            ["arena.inbox.attic.a", "arena.0f.job.1.a", "$JS.API.STREAM.PURGE.ARENA-0f", "$O.arena.M.a"]
        {
            assert!(!join("desk", reply), "{reply}");
        }
        assert!(!join("coordinator", "arena.inbox.coordinator.a"));
        let n_answered = (0..100).filter(|_| join("attic", "arena.inbox.attic.a")).count();
        assert_eq!(n_answered, 5);
        assert!(join("desk", "arena.inbox.desk.a"), "another worker does not wait for it");
    }

    #[test]
    fn a_worker_has_a_share_and_no_more() {
        let now = Instant::now();
        let mut reception = Reception::default();
        let state = State { invitation: "i".to_owned(), ..State::default() };
        let mut hear = |worker: &str, payload| {
            let message = message(&format!("arena.0f.state.{worker}"), None, payload);
            reception.state(&message, "i", now)
        };
        let n_taken = (0..1000).filter(|_| hear("liar", encode(&state)).is_some()).count();
        assert_eq!(n_taken, 50);
        assert!(matches!(hear("desk", encode(&state)), Some(Received::State { .. })));
        let long = State { holds: vec!["h".repeat(300); 1000], ..state.clone() };
        assert!(matches!(hear("long", encode(&long)), Some(Received::About { .. })));
        assert!(hear("other", encode(&State { invitation: "j".to_owned(), ..state.clone() })).is_none());
        assert!(hear("local", encode(&state)).is_none(), "the coordinator plays itself");
    }
}
