//! How a match ended, and the reasons: those of the rules and the arena's own.

use ratings::MatchResult;

use super::Adjudicated;

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The result.
    pub result: MatchResult,
    /// The reason.
    pub reason: Reason,
    /// The evidence, if an engine is at fault.
    pub evidence: Option<String>,
}

/// Why a match ended: a reason of the rules, or one of the arena's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A reason of the game's rules.
    Rules(&'static str),
    /// The maximum number of plies was reached: a draw.
    MoveCap,
    /// An engine resigned.
    Resign,
    /// Both engines agreed to a draw.
    Agreement,
    /// Both engines reported an even position: an adjudicated draw.
    AdjudicatedDraw,
    /// Both engines reported that the same side wins: an adjudicated win.
    AdjudicatedWin,
    /// An engine exceeded its time.
    Time,
    /// A move was illegal, or not in canonical spelling.
    IllegalMove,
    /// An engine's process ended.
    Crash,
    /// An engine broke the protocol.
    ProtocolError,
    /// An engine computed while it was not on the move.
    OffTurn,
    /// An engine did not start or did not get ready.
    StartFailure,
    /// An engine was retired because of too many faults.
    Retired,
}

impl Reason {
    const OF_ARENA: &[Self] = &[
        Self::MoveCap,
        Self::Resign,
        Self::Agreement,
        Self::AdjudicatedDraw,
        Self::AdjudicatedWin,
        Self::Time,
        Self::IllegalMove,
        Self::Crash,
        Self::ProtocolError,
        Self::OffTurn,
        Self::StartFailure,
        Self::Retired,
    ];

    /// The reason as it is stored in records.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rules(reason) => reason,
            Self::MoveCap => "move-cap",
            Self::Resign => "resign",
            Self::Agreement => "agreement",
            Self::AdjudicatedDraw => "adjudicated-draw",
            Self::AdjudicatedWin => "adjudicated-win",
            Self::Time => "time",
            Self::IllegalMove => "illegal-move",
            Self::Crash => "crash",
            Self::ProtocolError => "protocol-error",
            Self::OffTurn => "off-turn",
            Self::StartFailure => "start-failure",
            Self::Retired => "retired",
        }
    }

    /// All of the arena's own reasons.
    pub fn all_of_arena() -> impl Iterator<Item = Self> {
        Self::OF_ARENA.iter().copied()
    }

    /// The arena's own reason with this spelling in records; `None` for reasons of the rules.
    pub fn of_arena(text: &str) -> Option<Self> {
        Self::OF_ARENA.iter().copied().find(|reason| reason.text() == text)
    }

    /// The result and the reason of an adjudicated match.
    pub const fn adjudicated(verdict: Adjudicated) -> (MatchResult, Self) {
        match verdict {
            Adjudicated::Draw => (MatchResult::Draw, Self::AdjudicatedDraw),
            Adjudicated::Win(winner) => (MatchResult::of(Some(winner)), Self::AdjudicatedWin),
        }
    }

    /// Whether an engine is at fault in this match.
    pub const fn is_fault(self) -> bool {
        match self {
            Self::Rules(_)
            | Self::MoveCap
            | Self::Resign
            | Self::Agreement
            | Self::AdjudicatedDraw
            | Self::AdjudicatedWin
            | Self::Retired => false,
            Self::Time
            | Self::IllegalMove
            | Self::Crash
            | Self::ProtocolError
            | Self::OffTurn
            | Self::StartFailure => true,
        }
    }
}
