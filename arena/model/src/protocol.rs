//! The protocols that engines speak.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The protocol that an engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// UGI, for all games: see PROTOCOL.md
    #[default]
    Ugi,
    /// UCI, for chess
    Uci,
    /// The one that the engine answers to.
    Auto,
}

impl Protocol {
    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What ends the engine's greeting, in words.
    pub const fn end_of_greeting(self) -> &'static str {
        match self {
            Self::Ugi => "`ugiok`",
            Self::Uci => "`uciok`",
            Self::Auto => "`ugiok` or `uciok`",
        }
    }
}
