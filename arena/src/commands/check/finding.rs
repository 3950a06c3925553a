//! What a check has found: passed or not, and on what grounds. It prints nothing.

use engine_proto::GameId;
use serde::Serialize;

use super::rules::Rule;
use super::transcript::Transcript;

/// How an engine that answered every question did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// As it should; a few words on what was seen, or none.
    Pass(String),
    /// The protocol is kept, or costs no match where it is not; but its author would want to know.
    Warn(String),
    /// The same, by another rule than the check's.
    WarnBy(Rule, String),
    /// It does not apply to this engine, for this reason.
    Skip(String),
    /// It was given up, for this reason.
    GivenUp(String),
}

/// Why an engine fails a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened and, where that is known, what to do about it.
    pub what: String,
    /// The kind of mistake, if it is one that other checks may meet too: it is reported in full once.
    pub cause: Option<Cause>,
    /// The rule that was broken, if it is another one than the check's.
    pub rule: Option<Rule>,
}

/// A kind of mistake that several checks may meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// This did not come.
    Silence(Awaited),
    /// This is no longer waited for, as it did not come before. No mistake of this check's.
    GivenUp(Awaited),
    /// The process ended, in this way.
    Exit(String),
    /// Output that cannot be read, in this way.
    Unreadable(String),
    /// A move that is legal but for its spelling.
    Misspelled,
    /// Any other illegal move in this game.
    Illegal(GameId),
    /// A move before `stop`, after `go infinite`.
    EarlyMove,
    /// A move that was not asked for.
    OutOfTurn,
    /// A move after the end of its time.
    Late,
    /// The check or the report took too long.
    Unfinished,
}

/// What a check waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Awaited {
    /// `ugiok`.
    Greeting,
    /// `readyok` while the engine is idle.
    Ready,
    /// `readyok` while it searches.
    ReadyInSearch,
    /// `bestmove`.
    Move,
    /// `bestmove` after `stop`.
    MoveAfterStop,
    /// The end of the process.
    End,
}

impl Fault {
    /// A breach of the check's own rule.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), cause: None, rule: None }
    }

    /// A mistake of a known kind, which breaks this rule.
    pub fn of(cause: Cause, rule: Rule, what: impl Into<String>) -> Self {
        Self { what: what.into(), cause: Some(cause), rule: Some(rule) }
    }
}

impl Awaited {
    /// The first word of the line that is waited for, if it is a line.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Greeting => Some("ugiok"),
            Self::Ready | Self::ReadyInSearch => Some("readyok"),
            Self::Move | Self::MoveAfterStop => Some("bestmove"),
            Self::End => None,
        }
    }
}

impl std::fmt::Display for Awaited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Greeting => "`ugiok`",
            Self::Ready => "`readyok`",
            Self::ReadyInSearch => "`readyok` during the search",
            Self::Move => "`bestmove`",
            Self::MoveAfterStop => "`bestmove` after `stop`",
            Self::End => "end of the process",
        })
    }
}

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
    /// It is broken by the same mistake as in a check before.
    Same,
    /// It does not apply to this engine.
    Skip,
    /// Not checked, as others before took too long.
    GivenUp,
}

/// One line of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The check's id.
    pub check: &'static str,
    /// The game, if the check is made for each.
    pub game: Option<GameId>,
    /// How it went.
    pub verdict: Verdict,
    /// The check that failed before by the same mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<&'static str>,
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

/// What a check is about.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name in the JSON report.
    pub id: &'static str,
    /// What the engine should do.
    pub title: &'static str,
    /// The rule it rests on.
    pub rule: Rule,
}

impl Finding {
    /// What a check found that is about this.
    pub fn new(
        about: &About,
        game: Option<GameId>,
        judged: Result<Judgement, Fault>,
        transcript: Transcript,
    ) -> Self {
        let mut rule = about.rule;
        let (verdict, note) = match judged {
            Ok(Judgement::Pass(note)) => (Verdict::Pass, note),
            Ok(Judgement::Warn(note)) => (Verdict::Warn, note),
            Ok(Judgement::WarnBy(other, note)) => {
                rule = other;
                (Verdict::Warn, note)
            }
            Ok(Judgement::Skip(note)) => (Verdict::Skip, note),
            Ok(Judgement::GivenUp(note)) | Err(Fault { what: note, cause: Some(Cause::GivenUp(_)), .. }) => {
                (Verdict::GivenUp, note)
            }
            Err(fault) => {
                rule = fault.rule.unwrap_or(rule);
                (Verdict::Fail, fault.what)
            }
        };
        Self {
            check: about.id,
            game,
            verdict,
            same_as: None,
            title: about.title,
            note,
            section: rule.section,
            protocol: rule.text,
            transcript,
        }
    }
}
