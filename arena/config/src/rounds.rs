//! The keys of `[swiss]` and `[knockout]`, tournaments with rounds, and their checks.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(feature = "schema")]
use serde::Serialize;

use super::file::{Config, Format};
use super::problem::Problem;
use super::value::Key;

/// Settings of the format `swiss`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SwissKeys {
    /// The number of rounds, less than that of engines. Default: the logarithm of the number of engines to base 2, rounded up,
    /// and one more, if there are enough engines.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub rounds: Option<Key<u32>>,
}

/// Settings of the format `knockout`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct KnockoutKeys {
    /// While the score of a meeting is level after `pairs`, one more pair is played in each game, up to this number. After them
    /// the better seed wins. Default: 8.
    pub tie_pairs: Key<u32>,
    /// Whether the losers of the semi-finals play for the third place. Default: false.
    pub third_place: bool,
}

impl Default for KnockoutKeys {
    fn default() -> Self {
        Self { tie_pairs: 8.into(), third_place: false }
    }
}

impl Config {
    /// The number of rounds of a Swiss tournament.
    pub(super) fn n_swiss_rounds(&self) -> u32 {
        let n_engines = self.engines.len().max(2) as u32;
        let enough = n_engines.next_power_of_two().trailing_zeros() + 1;
        self.swiss.rounds.as_ref().map_or_else(|| enough.min(n_engines - 1), |rounds| *rounds.get_ref())
    }

    /// The highest number of pairs of two engines in a game that have no entry in `[[pairing]]`.
    pub(super) fn n_own_pairs(&self) -> u32 {
        let pairs = *self.tournament.pairs.get_ref();
        match self.tournament.format {
            // Each round has its own openings.
            Format::Swiss => pairs.saturating_mul(self.n_swiss_rounds()),
            Format::Knockout => pairs.saturating_add(*self.knockout.tie_pairs.get_ref()),
            _ => pairs,
        }
    }

    /// Adds the problems of tournaments with rounds. With `is_partial`, wrong entries were removed before.
    pub(super) fn check_rounds(&self, is_partial: bool, problems: &mut Vec<Problem>) {
        if is_partial {
            return;
        }
        let format = self.tournament.format;
        let rounds = self.swiss.rounds.as_ref();
        if let Some(rounds) = rounds.filter(|_| format != Format::Swiss) {
            problems.push(only_with("swiss", rounds.span()));
        }
        if format != Format::Knockout && self.knockout != KnockoutKeys::default() {
            problems.push(only_with("knockout", self.knockout.tie_pairs.span()));
        }
        let name = match format {
            Format::Swiss => "swiss",
            Format::Knockout => "knockout",
            Format::RoundRobin | Format::Gauntlet | Format::Adaptive => return,
        };
        problems.extend(rounds.and_then(|rounds| rounds.zero("rounds")));
        if let Some(rounds) = rounds.filter(|rounds| self.engines.len() <= *rounds.get_ref() as usize) {
            let n_most = self.engines.len().saturating_sub(1);
            problems.push(
                Problem::new(
                    rounds.span(),
                    format!("{} engines play at most {n_most} rounds", self.engines.len()),
                )
                .help("lower `rounds`, or set `format = \"round-robin\"`, in which all engines meet"),
            );
        }
        if !self.stop.is_empty() {
            problems.push(
                Problem::new(
                    0..0,
                    format!(
                        "`[stop]` does not work with the format `{name}`, which ends after its last round"
                    ),
                )
                .help("remove `[stop]`, or set another `format`"),
            );
        }
        if let Some(pairing) = self.pairings.first() {
            problems.push(
                Problem::new(
                    pairing.engines.span(),
                    format!("`[[pairing]]` does not work with the format `{name}`, in which results decide who meets"),
                )
                .help("remove it, or set another `format`"),
            );
        }
        if let Some(games) = self.engines.iter().find_map(|engine| engine.games.as_ref()) {
            problems.push(
                Problem::new(games.span(), format!("with the format `{name}`, every engine plays all games"))
                    .help("remove `games`, or set another `format`"),
            );
        }
    }
}

fn only_with(format: &str, span: std::ops::Range<usize>) -> Problem {
    Problem::new(span, format!("`[{format}]` works only with the format `{format}`"))
        .help(format!("set `format = \"{format}\"` in `[tournament]`, or remove `[{format}]`"))
}
