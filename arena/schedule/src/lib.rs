//! The schedule: which matches are played, and in which order. All functions are pure. A match is determined by its
//! number alone, so that any match can be named, played on another machine or repeated. The schedule contains the
//! round of each match; openings are drawn when a match starts.

mod adaptive;
pub mod book;
#[cfg(test)]
mod candidates;
mod costs;
mod course;
pub mod estimate;
mod finished_pair;
mod gauntlet;
mod knockout;
mod match_numbers;
mod matching;
mod numbering;
pub mod openings;
mod order;
pub mod pgn;
pub mod planning;
pub mod playable;
mod round_robin;
mod round_table;
mod scheduler;
mod shard;
#[cfg(test)]
mod simulation;
pub mod stop;
mod swiss;
#[cfg(test)]
mod synthetic;
pub mod tune;

pub use adaptive::{Adaptive, AdaptiveSettings};
pub use costs::CostUnit;
pub use course::{Course, Next};
pub use finished_pair::{FinishedPair, MatchSummary};
pub use gauntlet::{Seeds, gauntlet};
pub use knockout::{Knockout, KnockoutSettings};
pub use match_numbers::MatchNumbers;
pub use numbering::{Numbering, Schedule};
pub use order::Order;
pub use round_robin::round_robin;
pub use round_table::{Column, RoundTable};
pub use scheduler::{JobScheduler, NextJob, Progress, Scheduler};
pub use shard::Shard;
pub use swiss::{Swiss, SwissSettings, SwissStanding};

use engine_proto::GameId;

/// A match of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledMatch {
    /// Its number, from 1.
    pub number: u32,
    /// The number of its pair, from 1.
    pub pair: u32,
    /// The index of the game in the plan.
    pub game_idx: usize,
    /// The game.
    pub game: GameId,
    /// The index of the limits in the plan.
    pub limits_idx: usize,
    /// The index of the round. The match starts from the game's opening with the same index.
    pub round: u32,
    /// The indices of White's and Black's contenders.
    pub contenders: [usize; 2],
}

/// Two contenders that meet in a game under some limits, once per round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The index of the game in the plan.
    pub game_idx: usize,
    /// The index of the limits in the plan.
    pub limits_idx: usize,
    /// The indices of the contenders. The first one is White in the first match of each pair.
    pub contenders: [usize; 2],
}

/// All matches of a tournament, ordered by rounds, so that standings are balanced at any time: in each round, every
/// pairing that is not finished plays one pair, and all pairings of a game play the same opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    games: Vec<GameId>,
    /// The names of the limits; empty if there is only one.
    limits: Vec<String>,
    pairings: Vec<Pairing>,
    /// The number of rounds of each pairing.
    rounds: Vec<u32>,
    /// In order.
    stages: Vec<Stage>,
    n_pairs: u32,
}

/// Consecutive rounds in which the same pairings play.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stage {
    /// The number of pairs before it.
    first_pair: u32,
    /// The number of rounds before it.
    first_round: u32,
    /// The indices of the pairings that play.
    pairings: Vec<usize>,
}

impl Plan {
    /// A plan in which all pairings play the same number of rounds.
    pub fn new(games: Vec<GameId>, pairings: Vec<Pairing>, rounds: u32) -> Self {
        let rounds = vec![rounds; pairings.len()];
        Self::with_rounds(games, pairings, rounds)
    }

    /// The game of each index.
    pub fn games(&self) -> &[GameId] {
        &self.games
    }

    /// A plan with a separate number of rounds for each pairing.
    ///
    /// # Panics
    /// If the number of counts differs from the number of pairings, or if there are more matches than can be numbered.
    pub fn with_rounds(games: Vec<GameId>, pairings: Vec<Pairing>, rounds: Vec<u32>) -> Self {
        assert_eq!(pairings.len(), rounds.len(), "rounds for each pairing");
        let n_matches = 2 * rounds.iter().copied().map(u64::from).sum::<u64>();
        assert!(u32::try_from(n_matches).is_ok(), "{n_matches} matches cannot be numbered");
        let mut last_rounds = rounds.clone();
        last_rounds.sort_unstable();
        last_rounds.dedup();
        let mut stages = Vec::new();
        let (mut n_pairs, mut first_round) = (0, 0);
        for last_round in last_rounds.into_iter().filter(|rounds| 0 < *rounds) {
            let playing: Vec<usize> = (0..pairings.len()).filter(|&idx| first_round < rounds[idx]).collect();
            let n_playing = playing.len() as u32;
            stages.push(Stage { first_pair: n_pairs, first_round, pairings: playing });
            n_pairs += (last_round - first_round) * n_playing;
            first_round = last_round;
        }
        Self { games, limits: Vec::new(), pairings, rounds, stages, n_pairs }
    }

    /// The same with these names of the limits of its pairings.
    #[must_use]
    pub fn under(self, limits: Vec<String>) -> Self {
        Self { limits, ..self }
    }

    /// The name of the limits with this index, if there are several.
    pub fn limits(&self, idx: usize) -> Option<&str> {
        self.limits.get(idx).map(String::as_str)
    }

    /// The pairings of the first round, then those that play no round.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The number of rounds of each pairing.
    pub fn rounds(&self) -> &[u32] {
        &self.rounds
    }

    /// The number of matches. They are numbered from 1.
    pub const fn n_matches(&self) -> u32 {
        self.n_pairs * 2
    }

    /// The number of pairs.
    pub const fn n_pairs(&self) -> u32 {
        self.n_pairs
    }

    /// The pairing that plays this pair, and its round, both as indices.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn pairing_of(&self, pair_idx: u32) -> (usize, u32) {
        let n_begun = self.stages.partition_point(|stage| stage.first_pair <= pair_idx);
        let stage = &self.stages[n_begun - 1];
        let n_playing = stage.pairings.len() as u32;
        let in_stage = pair_idx - stage.first_pair;
        (stage.pairings[(in_stage % n_playing) as usize], stage.first_round + in_stage / n_playing)
    }

    /// The index of the pair that a pairing plays in a round.
    ///
    /// # Panics
    /// If the pairing does not play this round.
    pub fn pair_of(&self, pairing: usize, round: u32) -> u32 {
        let n_begun = self.stages.partition_point(|stage| stage.first_round <= round);
        let stage = &self.stages[n_begun - 1];
        let place = stage.pairings.binary_search(&pairing).expect("the pairing plays this round");
        stage.first_pair + (round - stage.first_round) * stage.pairings.len() as u32 + place as u32
    }

    /// The match with this number.
    ///
    /// # Panics
    /// If there is no such match.
    pub fn scheduled(&self, number: u32) -> ScheduledMatch {
        assert!((1..=self.n_matches()).contains(&number), "no match {number} of {}", self.n_matches());
        let pair_idx = (number - 1) / 2;
        let (pairing, round) = self.pairing_of(pair_idx);
        let Pairing { game_idx, limits_idx, contenders } = self.pairings[pairing];
        let is_swapped = number.is_multiple_of(2);
        ScheduledMatch {
            number,
            pair: pair_idx + 1,
            game_idx,
            game: self.games[game_idx],
            limits_idx,
            round,
            contenders: if is_swapped { [contenders[1], contenders[0]] } else { contenders },
        }
    }

    /// All matches in order.
    pub fn matches(&self) -> impl Iterator<Item = ScheduledMatch> {
        (1..=self.n_matches()).map(|number| self.scheduled(number))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_sides_of_each_opening() {
        let games = GameId::BUILT_IN[..2].to_vec();
        // The third contender does not play the second game.
        let pairings = round_robin(3, games.len(), |contender, game| (contender, game) != (2, 1));
        let plan = Plan::new(games, pairings, 2);
        assert_eq!(plan.n_matches(), 2 * 2 * (3 + 1));

        let mut met: HashMap<(GameId, u32, [usize; 2]), u32> = HashMap::new();
        for (idx, scheduled) in plan.matches().enumerate() {
            assert_eq!(scheduled.number as usize, idx + 1);
            assert_eq!(scheduled.pair, scheduled.number.div_ceil(2));
            assert_eq!(scheduled.game, plan.games()[scheduled.game_idx]);
            *met.entry((scheduled.game, scheduled.round, scheduled.contenders)).or_default() += 1;
        }
        assert!(met.values().all(|&n| n == 1), "{met:?}");
        for &(game, round, [white, black]) in met.keys() {
            assert!(round < 2 && met.contains_key(&(game, round, [black, white])));
        }
    }

    #[test]
    fn a_pairing_may_play_more_rounds_than_others_or_fewer() {
        let pairings = round_robin(3, 1, |_, _| true);
        let plan = Plan::with_rounds(vec![GameId::BUILT_IN[0]], pairings, vec![2, 4, 0]);
        assert_eq!(plan.n_matches(), 2 * (2 + 4));
        let pairs: Vec<(u32, [usize; 2])> =
            plan.matches().step_by(2).map(|scheduled| (scheduled.round, scheduled.contenders)).collect();
        assert_eq!(pairs, [(0, [0, 1]), (0, [0, 2]), (1, [0, 1]), (1, [0, 2]), (2, [0, 2]), (3, [0, 2])]);
        for (idx, scheduled) in plan.matches().enumerate() {
            assert_eq!((scheduled.number as usize, scheduled.pair), (idx + 1, scheduled.number.div_ceil(2)));
            assert_eq!(plan.scheduled(scheduled.number), scheduled, "any match by its number alone");
            let (pairing, round) = plan.pairing_of(scheduled.pair - 1);
            assert_eq!((plan.pair_of(pairing, round), round), (scheduled.pair - 1, scheduled.round));
        }
    }

    #[test]
    fn a_round_is_complete_before_the_next_begins() {
        let pairings = round_robin(4, 1, |_, _| true);
        let plan = Plan::new(vec![GameId::BUILT_IN[0]], pairings, 3);
        let rounds: Vec<u32> = plan.matches().map(|scheduled| scheduled.round).collect();
        assert!(rounds.is_sorted(), "{rounds:?}");
    }
}
