//! A simulated tournament: strengths in, counted matches out. It draws results and rates nothing.

use std::ops::ControlFlow;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::MatchResult;
use crate::model::Davidson;
use crate::scale::Scale;
use crate::tally::{FinishedMatch, Tally};

/// The description of a simulated tournament: who plays whom in which games, the strengths, and the properties of the
/// games.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedTournament {
    /// The engines' names.
    pub engines: Vec<String>,
    /// The games.
    pub games: Vec<SimulatedGame>,
    /// How openings are assigned.
    pub openings: Openings,
    /// The seed of all results.
    pub seed: u64,
}

/// How openings are assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openings {
    /// The n-th pair of every meeting in a game starts from the same opening, as in tournaments of the arena.
    Shared,
    /// Every pair starts from a different opening.
    Own,
}

/// One game of a simulated tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedGame {
    /// The game's name.
    pub name: String,
    /// Its properties.
    pub conditions: Conditions,
    /// The strength of each engine in Elo, in the order of the tournament's engines.
    pub strengths: Vec<f64>,
    /// Who plays whom. Engines without a meeting do not play the game.
    pub meetings: Vec<Meeting>,
}

/// The properties of a game. Elo has the usual slope of the expected score at equality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// The draw rate of equal engines from a level opening, from 0 to below 1.
    pub draw_rate: f64,
    /// The advantage of the first player, in Elo.
    pub first_player: f64,
    /// The standard deviation of the openings' advantage for White, in Elo.
    pub openings: f64,
}

/// Two engines that meet in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The engines, by index.
    pub engines: [usize; 2],
    /// The number of pairs, each with the sides swapped.
    pub pairs: u32,
}

/// A pair of a simulated tournament: two matches from one opening with the sides swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedPair<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The engines, by index; the first one is White in the first match.
    pub engines: [usize; 2],
    /// The results of both matches.
    pub results: [MatchResult; 2],
}

/// A random number generator.
#[derive(Debug)]
pub struct Toss(ChaCha8Rng);

impl SimulatedTournament {
    /// Plays the tournament with this `number`. The same seed and number give the same matches on any machine and
    /// thread.
    pub fn play(&self, number: u64) -> Tally {
        let mut tally = Tally::new();
        for (idx, game) in self.games.iter().enumerate() {
            let stream = self.first_stream(number) + idx as u64;
            self.play_game(game, &mut Toss::new(self.seed, stream), &mut tally);
        }
        tally
    }

    /// Plays the same tournament pair by pair, in rounds with one pair of every meeting, until `visit` breaks.
    pub fn play_in_rounds(&self, number: u64, mut visit: impl FnMut(SimulatedPair<'_>) -> ControlFlow<()>) {
        let streams = self.games.iter().zip(self.first_stream(number)..);
        let mut games: Vec<(&SimulatedGame, Toss)> =
            streams.map(|(game, stream)| (game, Toss::new(self.seed, stream))).collect();
        let rounds = self.games.iter().flat_map(|game| &game.meetings).map(|meeting| meeting.pairs).max();
        for round in 0..rounds.unwrap_or(0) {
            for (game, toss) in &mut games {
                let mut broken = ControlFlow::Continue(());
                self.play_round(game, round, toss, |meeting, results| {
                    if broken.is_continue() {
                        broken = visit(SimulatedPair { game: &game.name, engines: meeting.engines, results });
                    }
                });
                if broken.is_break() {
                    return;
                }
            }
        }
    }

    fn first_stream(&self, number: u64) -> u64 {
        number * self.games.len() as u64
    }

    /// The number of matches of each tournament.
    pub fn matches(&self) -> u64 {
        self.games.iter().map(SimulatedGame::matches).sum()
    }

    fn play_game(&self, game: &SimulatedGame, toss: &mut Toss, tally: &mut Tally) {
        let rounds = game.meetings.iter().map(|meeting| meeting.pairs).max().unwrap_or(0);
        for round in 0..rounds {
            self.play_round(game, round, toss, |Meeting { engines: [first, second], .. }, results| {
                let opening = match self.openings {
                    Openings::Shared => round.to_string(),
                    Openings::Own => format!("{round}-{first}-{second}"),
                };
                for ((white, black), result) in [(first, second), (second, first)].into_iter().zip(results) {
                    let [white, black] = [white, black].map(|engine| self.engines[engine].as_str());
                    let played = FinishedMatch::new(&game.name, white, black, result);
                    tally
                        .add(&FinishedMatch { opening: Some(&opening), ..played })
                        .expect("two engines of different names meet");
                }
            });
        }
    }

    /// Plays the pairs of all meetings of `round`.
    fn play_round(
        &self,
        game: &SimulatedGame,
        round: u32,
        toss: &mut Toss,
        mut visit: impl FnMut(Meeting, [MatchResult; 2]),
    ) {
        let davidson = game.conditions.davidson();
        let elo_per_unit = game.conditions.elo_per_unit();
        let mut effect = game.conditions.openings * toss.normal();
        for &meeting in game.meetings.iter().filter(|meeting| round < meeting.pairs) {
            if self.openings == Openings::Own {
                effect = game.conditions.openings * toss.normal();
            }
            let [first, second] = meeting.engines.map(|engine| game.strengths[engine]);
            let results = [first - second, second - first]
                .map(|ahead| toss.result(davidson, (ahead + effect) / elo_per_unit));
            visit(meeting, results);
        }
    }
}

impl SimulatedGame {
    /// The number of matches in this game.
    pub fn matches(&self) -> u64 {
        self.meetings.iter().map(|meeting| 2 * u64::from(meeting.pairs)).sum()
    }
}

impl Conditions {
    /// The model of a match from a level opening.
    pub(super) fn davidson(self) -> Davidson {
        // d0 = ν / (2 + ν) solved for ν; without draws, ν is 0, which has no logarithm, so a tiny value is used.
        const FEWEST_DRAWS: f64 = 1e-12;
        let rate = self.draw_rate.max(FEWEST_DRAWS);
        let draw = (2.0 * rate / (1.0 - rate)).ln();
        Davidson { first_player: self.first_player / Scale::new(draw).elo_per_unit, draw }
    }

    /// Elo per natural unit.
    pub(super) fn elo_per_unit(self) -> f64 {
        Scale::new(self.davidson().draw).elo_per_unit
    }
}

impl Toss {
    /// The stream with this number of the generator with this seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// A number from the uniform distribution between 0 and 1, both excluded.
    pub fn uniform(&mut self) -> f64 {
        const STEPS: f64 = (1_u64 << 53) as f64;
        ((self.0.next_u64() >> 11) as f64 + 0.5) / STEPS
    }

    /// A number from the standard normal distribution.
    pub fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform())
    }

    /// A match in which White is stronger by `ahead`, in natural units.
    fn result(&mut self, davidson: Davidson, ahead: f64) -> MatchResult {
        let chances = davidson.chances(ahead);
        let drawn = self.uniform();
        if drawn < chances.win {
            MatchResult::WhiteWins
        } else if drawn < chances.win + chances.draw {
            MatchResult::Draw
        } else {
            MatchResult::BlackWins
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(conditions: Conditions, pairs: u32) -> SimulatedTournament {
        let meetings = vec![Meeting { engines: [0, 1], pairs }];
        let game = SimulatedGame { name: "game".to_owned(), conditions, strengths: vec![0.0, 0.0], meetings };
        SimulatedTournament {
            engines: vec!["a".to_owned(), "b".to_owned()],
            games: vec![game],
            openings: Openings::Shared,
            seed: 7,
        }
    }

    /// Counts all matches: White's wins, draws, Black's wins.
    fn counts(tournament: &SimulatedTournament) -> [f64; 3] {
        let results = tournament.play(0).results();
        let total = results[0].pairings[0].total;
        let sum = |of: fn(&crate::results::Cell) -> u32| {
            f64::from(of(&total.first_white) + of(&total.second_white))
        };
        [sum(|cell| cell.white_wins), sum(|cell| cell.draws), sum(|cell| cell.black_wins)]
    }

    #[test]
    fn equals_draw_as_often_as_is_said() {
        for draw_rate in [0.0, 0.3, 0.6] {
            let conditions = Conditions { draw_rate, first_player: 0.0, openings: 0.0 };
            let [_, draws, _] = counts(&tournament(conditions, 10_000));
            let found = draws / 20_000.0;
            assert!((found - draw_rate).abs() < 0.015, "{found}, expected {draw_rate}");
        }
    }

    /// Near equality, the expected score increases by ln 10 / 1600 per Elo.
    #[test]
    fn the_first_player_gains_elo_as_usual() {
        let conditions = Conditions { draw_rate: 0.4, first_player: 40.0, openings: 0.0 };
        let [wins, draws, _] = counts(&tournament(conditions, 50_000));
        let score = (wins + 0.5 * draws) / 100_000.0;
        let expected = 1.0 / (1.0 + 10f64.powf(-40.0 / 400.0));
        assert!((score - expected).abs() < 0.006, "{score}, expected {expected}");
    }

    /// Openings that decide everything: the same side wins both matches of a pair.
    #[test]
    fn both_matches_of_a_pair_share_the_opening() {
        let conditions = Conditions { draw_rate: 0.0, first_player: 0.0, openings: 1e6 };
        let results = tournament(conditions, 200).play(0).results();
        for kind in &results[0].pairings[0].clusters {
            let points = kind.outcomes.first_white.points() + kind.outcomes.second_white.points();
            assert!(points.abs() < 1e-9 || (points - 2.0).abs() < 1e-9, "{kind:?}");
        }
    }

    #[test]
    fn the_same_number_is_the_same_tournament() {
        let conditions = Conditions { draw_rate: 0.3, first_player: 20.0, openings: 50.0 };
        let tournament = tournament(conditions, 50);
        let clusters = |number| format!("{:?}", tournament.play(number).results());
        assert_eq!(clusters(3), clusters(3));
        assert_ne!(clusters(3), clusters(4));
    }
}
