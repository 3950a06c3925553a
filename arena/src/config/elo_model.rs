//! The key that chooses what Elo means in a sequential test, in files and on the command line.

use clap::ValueEnum;
use ratings::EloModel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an Elo difference of a hypothesis means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "EloModel")]
pub enum EloModelKey {
    /// Normalized Elo: the score above one half in units of its standard deviation
    #[default]
    Normalized,
    /// Elo as usual: the logistic curve of the expected score
    Logistic,
}

impl From<EloModelKey> for EloModel {
    fn from(key: EloModelKey) -> Self {
        match key {
            EloModelKey::Normalized => Self::Normalized,
            EloModelKey::Logistic => Self::Logistic,
        }
    }
}
