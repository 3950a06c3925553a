//! One match to be played. A job is complete: whoever has it can play the match, on any machine.

use std::sync::Arc;

use engine_proto::bits::mix64;
use engine_proto::{GameId, Side};
use serde::{Deserialize, Serialize};

use super::{Engine, FormatVersion, MatchRules, OffTurn, OnMachineDelay};

/// One match to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Job {
    /// The version of this format.
    #[serde(default)]
    pub format_version: FormatVersion<1>,
    /// The match's number, from 1.
    #[serde(rename = "match")]
    pub number: u32,
    /// The number of the match's pair, from 1: two matches from one opening with the sides swapped.
    pub pair: u32,
    /// The game.
    pub game: GameId,
    /// The name of the limits, if the tournament has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<String>,
    /// The FEN of the start position.
    pub opening: String,
    /// White's player, then Black's.
    pub players: [Player; 2],
    /// What ends the match in addition to the rules of the game.
    pub rules: MatchRules,
    /// What happens if the match is lost on time while the machine was overloaded.
    pub on_machine_delay: OnMachineDelay,
    /// What happens if an engine computes while it is not on the move.
    #[serde(default, skip_serializing_if = "OffTurn::is_default")]
    pub off_turn: OffTurn,
}

/// An engine as it plays one match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The engine with its options and limits.
    pub engine: Arc<Engine>,
    /// The id of the build that will play, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The value of the engine's option `Seed`.
    pub seed: u64,
}

impl Job {
    /// The player of a side.
    pub const fn player(&self, side: Side) -> &Player {
        &self.players[side.index()]
    }

    /// The names of White's and Black's engines.
    pub fn names(&self) -> [&str; 2] {
        [&self.players[0].engine.name, &self.players[1].engine.name]
    }

    /// The seed of a side in the match with this number. It is the same in every run of a tournament with this `seed`.
    pub const fn seed(seed: u64, number: u32, side: Side) -> u64 {
        mix64(mix64(seed ^ number as u64) ^ side.index() as u64) >> 1
    }
}
