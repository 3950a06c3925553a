//! What a check has found: passed or not, and on what grounds. It prints nothing.

use engine_proto::GameId;
use serde::Serialize;

use super::list::Check;
use crate::config::GameName;

/// What an engine that answered in all is said to have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// As it should; a few words on what was seen, or none.
    Pass(String),
    /// The protocol is kept, or costs no match where it is not; but its author would want to know.
    Warn(String),
    /// It cannot be checked with this engine, for this reason.
    Skip(String),
}

/// Why an engine fails a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

/// How a check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Something to know of.
    Warn,
    /// The protocol is broken.
    Fail,
    /// Not checked.
    Skip,
}

/// The lines of a conversation, the last ones if it was long.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Transcript {
    /// What the arena sent.
    pub sent: Vec<String>,
    /// What the engine answered.
    pub came: Vec<String>,
}

/// One line of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The check's id.
    pub check: &'static str,
    /// The game, if the check is made for each.
    pub game: Option<GameName>,
    /// How it went.
    pub verdict: Verdict,
    /// What the engine shall do.
    pub title: &'static str,
    /// What was seen.
    pub note: String,
    /// The section of PROTOCOL.md.
    pub section: &'static str,
    /// What it says there.
    pub protocol: &'static str,
    /// What was said.
    #[serde(flatten)]
    pub transcript: Transcript,
}

impl Finding {
    /// What `check` found.
    pub fn new(
        check: &Check,
        game: Option<GameId>,
        judged: Result<Judgement, Fault>,
        transcript: Transcript,
    ) -> Self {
        let (verdict, note) = match judged {
            Ok(Judgement::Pass(note)) => (Verdict::Pass, note),
            Ok(Judgement::Warn(note)) => (Verdict::Warn, note),
            Ok(Judgement::Skip(note)) => (Verdict::Skip, note),
            Err(Fault(note)) => (Verdict::Fail, note),
        };
        Self {
            check: check.id,
            game: game.map(GameName),
            verdict,
            title: check.title,
            note,
            section: check.rule.section,
            protocol: check.rule.text,
            transcript,
        }
    }
}
