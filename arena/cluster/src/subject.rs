//! The names on the server: subjects, streams and consumers. A worker needs the permissions that `configs/nats` lists for
//! these names, and no others.

/// The subject of all announcements.
pub const ANNOUNCEMENTS: &str = "arena.announce.*";

/// The consumer that gives outcomes to the coordinator.
pub const COORDINATOR: &str = "arena-coordinator";

/// The name of the coordinator as a client of the server.
pub const COORDINATOR_NAME: &str = "coordinator";

/// The name of the coordinator in the records of the matches that it plays itself.
pub const LOCAL: &str = "local";

/// How the server calls the inboxes of the clients of another account.
const FROM_ANOTHER_ACCOUNT: &str = "_R_.";

/// The longest name of a worker.
const LONGEST_NAME: usize = 40;

/// The names of one tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    tournament: String,
}

impl Names {
    /// The names of the tournament with this id, which must be a [name](is_name).
    pub fn new(tournament: &str) -> Self {
        Self { tournament: tournament.to_owned() }
    }

    /// The tournament's id.
    pub fn tournament(&self) -> &str {
        &self.tournament
    }

    /// Where the coordinator announces the tournament.
    pub fn announcement(&self) -> String {
        format!("arena.announce.{}", self.tournament)
    }

    /// Where a worker asks for the invitation.
    pub fn join(&self, worker: &str) -> String {
        self.of(&format!("join.{worker}"))
    }

    /// Where all workers ask for the invitation.
    pub fn joins(&self) -> String {
        self.of("join.*")
    }

    /// Where a worker reports its state.
    pub fn state(&self, worker: &str) -> String {
        self.of(&format!("state.{worker}"))
    }

    /// Where all workers report their states.
    pub fn states(&self) -> String {
        self.of("state.*")
    }

    /// Where a worker sends the moves of its matches.
    pub fn moves(&self, worker: &str) -> String {
        self.of(&format!("moves.{worker}"))
    }

    /// Where all workers send the moves of their matches.
    pub fn all_moves(&self) -> String {
        self.of("moves.*")
    }

    /// Where the coordinator sends the orders for a worker.
    pub fn order(&self, worker: &str) -> String {
        self.of(&format!("order.{worker}"))
    }

    /// Where a coordinator asks whether another one plays the same tournament.
    pub fn coordinators(&self) -> String {
        self.of("coordinator")
    }

    /// The subject of an outcome.
    pub fn result(&self, worker: &str, pair: u32) -> String {
        self.of(&format!("result.{worker}.{pair}"))
    }

    /// The subject of all outcomes.
    pub fn results(&self) -> String {
        self.of("result.>")
    }

    /// Where the coordinator confirms the outcomes of a worker.
    pub fn receipt(&self, worker: &str) -> String {
        self.of(&format!("receipt.{worker}"))
    }

    /// The stream of outcomes.
    pub fn stream(&self) -> String {
        format!("ARENA-{}", self.tournament)
    }

    fn of(&self, rest: &str) -> String {
        format!("arena.{}.{rest}", self.tournament)
    }
}

/// The prefix of the inboxes of a client with this name.
pub fn inbox_prefix(name: &str) -> String {
    format!("arena.inbox.{name}")
}

/// Whether `reply` is a subject in the inbox of a client with this name. Nothing is sent to another subject that somebody has
/// given: it could be one that only the sender of the answer may use.
pub fn is_in_inbox(reply: &str, name: &str) -> bool {
    let is_own = || reply.strip_prefix(&inbox_prefix(name)).is_some_and(|rest| rest.starts_with('.'));
    reply.starts_with(FROM_ANOTHER_ACCOUNT) || is_own()
}

/// The worker that sent a message with this subject: its second last or last part, by the kind of the message.
pub fn worker_of(subject: &str) -> Option<&str> {
    let mut parts = subject.split('.').skip(2);
    let kind = parts.next()?;
    let name = parts.next()?;
    (["join", "state", "moves", "result"].contains(&kind) && is_worker(name)).then_some(name)
}

/// Whether a text can be the name of a worker. The coordinator's own names cannot.
pub fn is_worker(text: &str) -> bool {
    is_name(text) && text != LOCAL && text != COORDINATOR_NAME
}

/// Whether a text can be the name of a worker or the id of a tournament: it is part of subjects, and is shown.
pub fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sender_is_part_of_the_subject() {
        let names = Names::new("0f");
        assert_eq!(worker_of(&names.result("desk-1", 7)), Some("desk-1"));
        assert_eq!(worker_of(&names.state("desk-1")), Some("desk-1"));
        assert_eq!(worker_of(&names.order("desk-1")), None);
        assert_eq!(worker_of(&names.moves("desk-1")), Some("desk-1"));
        assert_eq!(worker_of(&names.join("desk-1")), Some("desk-1"));
        for reserved in [LOCAL, COORDINATOR_NAME] {
            assert_eq!(worker_of(&names.result(reserved, 7)), None);
        }
        assert_eq!(worker_of("arena.0f.state"), None);
        assert_eq!(worker_of("arena.0f.state.a b"), None);
    }

    #[test]
    fn answers_go_to_the_inbox_of_the_sender() {
        assert!(is_in_inbox("arena.inbox.desk.x.1", "desk") && is_in_inbox("_R_.x.1", "desk"));
        for other in ["arena.inbox.desk2.x", "arena.inbox.desk", "arena.0f.job.1.a", "$JS.API.STREAM.PURGE.S"]
        {
            assert!(!is_in_inbox(other, "desk"), "{other}");
        }
    }

    #[test]
    fn names_are_parts_of_subjects() {
        assert!(is_name("desk_2-b"));
        for other in ["", "a.b", "a b", "*", ">", "ä", &"x".repeat(41)] {
            assert!(!is_name(other), "{other}");
        }
    }
}
