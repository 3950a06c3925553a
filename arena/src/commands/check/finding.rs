//! The finding of a check: passed or not, and why. It prints nothing.
#![expect(clippy::unnecessary_wraps, reason = "they are what a check returns")]

use std::fmt;
use std::time::Duration;

use engine_proto::{GameId, PlayError};
use serde::Serialize;

use super::rules::Rule;
use super::transcript::Transcript;

/// The judgement of an engine that answered every question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: CheckVerdict,
    /// A remark, or the reason; may be empty.
    pub note: String,
    /// The rule that was broken, if it is not the check's own.
    pub rule: Option<Rule>,
}

/// The result of a check.
pub type Judged = Result<Judgement, Fault>;

/// A verdict with a note.
pub fn judged(verdict: CheckVerdict, note: impl Into<String>) -> Judged {
    Ok(Judgement { verdict, note: note.into(), rule: None })
}

/// Passed, without a remark.
pub fn pass() -> Judged {
    passed("")
}

/// Passed, with a remark.
pub fn passed(note: impl Into<String>) -> Judged {
    judged(CheckVerdict::Pass, note)
}

/// The protocol is kept, or the violation costs no match, but the author should know.
pub fn warn(note: impl Into<String>) -> Judged {
    judged(CheckVerdict::Warn, note)
}

/// Skipped: the check does not apply to this engine, for this reason.
pub fn skip(note: impl Into<String>) -> Judged {
    judged(CheckVerdict::Skip, note)
}

/// Failed, because the check's own rule is broken.
pub fn fail(what: impl Into<String>) -> Judged {
    Err(Fault::new(what))
}

/// A time that an engine took, for people. Without the waits for a processor, less than a millisecond is not exact and may be
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took(pub Duration);

impl fmt::Display for Took {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(took) = *self;
        if took < Duration::from_millis(1) { f.write_str("<1ms") } else { write!(f, "{took:.1?}") }
    }
}

/// Why an engine fails a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened and, if it is known, the remedy.
    pub what: String,
    /// The kind of mistake, if other checks may find it too: it is reported completely only once.
    pub cause: Option<Cause>,
    /// The rule that was broken, if it is not the check's own.
    pub rule: Option<Rule>,
}

/// The rules that decide what is right have failed. The command ends then, and says why.
impl From<PlayError> for Fault {
    fn from(error: PlayError) -> Self {
        Self::new(error.to_string())
    }
}

/// A kind of mistake that several checks may find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// This answer did not come.
    Silence(Awaited),
    /// This answer is no longer waited for, because it was missing before. Not a mistake in this check.
    GivenUp(Awaited),
    /// The process ended, in this way.
    Exit(String),
    /// Output that cannot be read, in this way.
    Unreadable(String),
    /// A legal move in a wrong spelling.
    Misspelled,
    /// Any other illegal move in this game.
    Illegal(GameId),
    /// A move before `stop`, after `go infinite`.
    EarlyMove,
    /// A move that was not requested.
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
    /// A violation of the check's own rule.
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

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// Passed.
    Pass,
    /// Passed with a warning.
    Warn,
    /// Failed: the protocol is broken.
    Fail,
    /// Failed with the same mistake as an earlier check.
    Same,
    /// Skipped: it does not apply to this engine.
    Skip,
    /// Not checked, because earlier checks took too long.
    GivenUp,
}

/// One line of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The check's id.
    pub check: &'static str,
    /// The game, if the check is run for each game.
    pub game: Option<GameId>,
    /// The result.
    pub verdict: CheckVerdict,
    /// The earlier check that failed with the same mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<&'static str>,
    /// What the engine must do.
    pub title: &'static str,
    /// What was observed.
    pub note: String,
    /// The section of PROTOCOL.md.
    pub section: &'static str,
    /// The rule there.
    pub protocol: &'static str,
    /// The conversation.
    #[serde(flatten)]
    pub transcript: Transcript,
}

/// The subject of a check.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name in the JSON report.
    pub id: &'static str,
    /// What the engine should do.
    pub title: &'static str,
    /// Its rule.
    pub rule: Rule,
}

impl Finding {
    /// A finding about this subject.
    pub fn new(about: &About, game: Option<GameId>, judged: Judged, transcript: Transcript) -> Self {
        let Judgement { verdict, note, rule } = judged.unwrap_or_else(|Fault { what, cause, rule }| {
            let is_given_up = matches!(cause, Some(Cause::GivenUp(_)));
            let verdict = if is_given_up { CheckVerdict::GivenUp } else { CheckVerdict::Fail };
            Judgement { verdict, note: what, rule }
        });
        let rule = rule.unwrap_or(about.rule);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_too_short_to_be_exact_is_said_to_be_so() {
        let shown = |nanoseconds| Took(Duration::from_nanos(nanoseconds)).to_string();
        assert_eq!([0, 400_000, 12_340_000].map(shown), ["<1ms", "<1ms", "12.3ms"]);
    }
}
