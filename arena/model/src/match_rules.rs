//! How a match is played and what ends it, in addition to the rules of its game.

use serde::{Deserialize, Serialize};

/// How a match is played and what ends it, in addition to the rules of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MatchRules {
    /// The maximum number of plies; after it the match is a draw with the reason `move-cap`.
    pub max_plies: u32,
    /// Whether an engine may resign.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub resign: bool,
    /// Whether engines may agree to a draw.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub draw_offers: bool,
    /// Whether engines with the option `Ponder` think on their opponents' time.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ponder: bool,
    /// When a match ends early because both engines agree on the result.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
}

impl MatchRules {
    /// The default rules with this maximum number of plies.
    pub fn new(max_plies: u32) -> Self {
        let adjudication = Adjudication::default();
        Self { max_plies, resign: true, draw_offers: true, ponder: false, adjudication }
    }
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_true(value: &bool) -> bool {
    *value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// When a match is adjudicated. Without a rule: never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// The rule for draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The rule for wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<WinRule>,
}

impl Adjudication {
    /// Whether there is no rule.
    pub const fn is_off(&self) -> bool {
        self.draw.is_none() && self.win.is_none()
    }
}

/// Both engines report that the position is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DrawRule {
    /// The highest absolute score that counts as even, in hundredths of the engines' units.
    pub score: u32,
    /// The number of consecutive moves of each side that must agree.
    pub moves: u32,
    /// The rule does not apply before this number of plies.
    pub after_plies: u32,
    /// Whether a move that is progress by the rules of the game starts the count again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub without_progress: bool,
}

/// Both engines report that the same side wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct WinRule {
    /// The lowest absolute score that counts as won, in hundredths of the engines' units: one engine reports at least
    /// this, the other at most its negative.
    pub score: u32,
    /// The number of consecutive moves of each side that must agree.
    pub moves: u32,
    /// Whether it is enough that the losing engine reports its score.
    #[serde(default, skip_serializing_if = "is_false")]
    pub one_sided: bool,
}
