//! Which matches are played, in which order: pure, and absolute in the match's number, so that any match of a
//! tournament can be named, handed to another machine or played again without the others.

mod adaptive;
mod costs;
mod course;
mod finished_pair;
mod gauntlet;
mod numbering;
mod round_robin;
#[cfg(test)]
mod simulation;
pub mod stop;
#[cfg(test)]
mod synthetic;

pub use adaptive::{Adaptive, AdaptiveSettings};
pub use costs::CostUnit;
pub use course::{Course, Next};
pub use finished_pair::{FinishedPair, MatchSummary};
pub use gauntlet::{Seeds, gauntlet};
pub use numbering::Numbering;
pub use round_robin::round_robin;

use engine_proto::GameId;
use serde::{Deserialize, Serialize};

use crate::config::GameName;

/// One match to be played: all that whoever plays it needs beside the contenders' own settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The match's number, from 1.
    #[serde(rename = "match")]
    pub number: u32,
    /// The number of its pair, from 1: two matches from one opening, sides swapped.
    pub pair: u32,
    /// The game.
    pub game: GameName,
    /// The FEN that it starts from.
    pub opening: String,
    /// The contenders by index: White's, Black's.
    pub contenders: [usize; 2],
}

/// Two contenders that meet in a game, once in every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The game, by its index in the plan.
    pub game_idx: usize,
    /// The contenders, by index; the first one is White in the first match of each pair.
    pub contenders: [usize; 2],
}

/// All matches of a tournament. Rounds come first, so that the standings are balanced at any time: in each round every
/// pairing plays one pair, and all pairings of a game play the same opening.
#[derive(Clone, Debug)]
pub struct Plan {
    games: Vec<GameId>,
    /// By game and round.
    openings: Vec<Vec<String>>,
    pairings: Vec<Pairing>,
    rounds: u32,
}

impl Plan {
    /// A plan: `openings` holds one for each round, for each of the `games`.
    ///
    /// # Panics
    /// If there are fewer openings than rounds.
    pub fn new(games: Vec<GameId>, openings: Vec<Vec<String>>, pairings: Vec<Pairing>, rounds: u32) -> Self {
        assert_eq!(games.len(), openings.len(), "openings for each game");
        assert!(openings.iter().all(|of_game| rounds as usize <= of_game.len()), "an opening for each round");
        Self { games, openings, pairings, rounds }
    }

    /// The games, by index.
    pub fn games(&self) -> &[GameId] {
        &self.games
    }

    /// The pairings of every round.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The number of rounds.
    pub const fn n_rounds(&self) -> u32 {
        self.rounds
    }

    /// The number of matches. They are numbered from 1.
    pub fn n_matches(&self) -> u32 {
        self.rounds * self.pairings.len() as u32 * 2
    }

    /// The number of pairs.
    pub fn n_pairs(&self) -> u32 {
        self.n_matches() / 2
    }

    /// The number of rounds that a pairing plays, both by index.
    pub fn n_rounds_of(&self, _pairing: usize) -> u32 {
        self.rounds
    }

    /// The pairing that plays a pair, both by index.
    pub fn pairing_of(&self, pair_idx: u32) -> usize {
        pair_idx as usize % self.pairings.len()
    }

    /// The pair that a pairing plays in a round, all by index.
    pub fn pair_of(&self, pairing: usize, round: u32) -> u32 {
        round * self.pairings.len() as u32 + pairing as u32
    }

    /// The match of that number.
    ///
    /// # Panics
    /// If there is none.
    pub fn job(&self, number: u32) -> Job {
        assert!((1..=self.n_matches()).contains(&number), "no match {number} of {}", self.n_matches());
        let pair_idx = (number - 1) / 2;
        let round = pair_idx as usize / self.pairings.len();
        let Pairing { game_idx, contenders } = self.pairings[pair_idx as usize % self.pairings.len()];
        let is_swapped = number.is_multiple_of(2);
        Job {
            number,
            pair: pair_idx + 1,
            game: GameName(self.games[game_idx]),
            opening: self.openings[game_idx][round].clone(),
            contenders: if is_swapped { [contenders[1], contenders[0]] } else { contenders },
        }
    }

    /// All matches in order.
    pub fn jobs(&self) -> impl Iterator<Item = Job> {
        (1..=self.n_matches()).map(|number| self.job(number))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_sides_of_each_opening() {
        let games = GameId::ALL[..2].to_vec();
        let openings = vec![vec!["a0".into(), "a1".into()], vec!["b0".into(), "b1".into()]];
        // The third contender does not play the second game.
        let pairings = round_robin(3, games.len(), |contender, game| (contender, game) != (2, 1));
        let plan = Plan::new(games, openings, pairings, 2);
        assert_eq!(plan.n_matches(), 2 * 2 * (3 + 1));

        let mut met: HashMap<(GameName, String, [usize; 2]), u32> = HashMap::new();
        for (idx, job) in plan.jobs().enumerate() {
            assert_eq!(job.number as usize, idx + 1);
            assert_eq!(job.pair, job.number.div_ceil(2));
            *met.entry((job.game, job.opening, job.contenders)).or_default() += 1;
        }
        assert!(met.values().all(|&n| n == 1), "{met:?}");
        for (game, opening, [white, black]) in met.keys() {
            assert!(met.contains_key(&(*game, opening.clone(), [*black, *white])));
        }
    }

    #[test]
    fn a_round_is_complete_before_the_next_begins() {
        let pairings = round_robin(4, 1, |_, _| true);
        let plan =
            Plan::new(vec![GameId::ALL[0]], vec![vec!["r0".into(), "r1".into(), "r2".into()]], pairings, 3);
        let rounds: Vec<String> = plan.jobs().map(|job| job.opening).collect();
        assert!(rounds.is_sorted(), "{rounds:?}");
    }
}
