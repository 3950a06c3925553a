//! Tournaments without engines, for tests: results are drawn with a seed from known strengths.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use engine_proto::GameId;

use super::{Adaptive, AdaptiveSettings, CostUnit, Course, Next, Order, Plan, ScheduledMatch, round_robin};
use crate::stop::Rule;
use model::{Record, samples};
use ratings::MatchResult;

/// A world in which every match has a fixed result.
pub struct World {
    /// Strength of each contender, in natural units.
    pub strengths: Vec<f64>,
    /// The number of plies of each game's matches.
    pub plies: Vec<u32>,
    /// The first player's advantage, in natural units.
    pub first_player: f64,
    /// The draw rate of equal engines.
    pub draw_rate: f64,
    pub seed: u64,
}

impl World {
    /// Engines of these strengths in Elo, in one game.
    pub fn new(elo: &[f64], seed: u64) -> Self {
        Self {
            strengths: elo.iter().map(|elo| elo / 173.717_792_761_247_1).collect(),
            plies: vec![40],
            first_player: 0.3,
            draw_rate: 0.2,
            seed,
        }
    }

    pub fn names(&self) -> Vec<String> {
        (0..self.strengths.len()).map(|idx| format!("engine {idx:02}")).collect()
    }

    pub fn plan(&self, n_rounds: u32) -> Plan {
        let games: Vec<GameId> = GameId::BUILT_IN[..self.plies.len()].to_vec();
        let pairings = round_robin(self.strengths.len(), games.len(), |_, _| true);
        Plan::new(games, pairings, n_rounds)
    }

    pub fn course(&self, n_rounds: u32, adaptive: bool, rules: Vec<Rule>) -> Course {
        let settings = AdaptiveSettings { most_pairs: u32::MAX, floor: 2, batch: 8, unit: CostUnit::Plies };
        let (plan, names) = (self.plan(n_rounds), self.names());
        let order = adaptive.then(|| -> Box<dyn Order> { Box::new(Adaptive::new(&plan, &names, settings)) });
        Course::new(plan, names, order, rules)
    }

    pub fn play(&self, job: &ScheduledMatch) -> Record {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(u64::from(job.number));
        let draw = generator.next_u64() as f64 / u64::MAX as f64;
        let [white, black] = job.contenders;
        let x = self.strengths[white] - self.strengths[black] + self.first_player;
        // Davidson's model: ν = 2 d / (1 - d) for a draw rate of d between equal engines.
        let nu = 2.0 * self.draw_rate / (1.0 - self.draw_rate);
        let weights = [(0.5 * x).exp(), nu, (-0.5 * x).exp()];
        let sum: f64 = weights.iter().sum();
        let result = if draw * sum < weights[0] {
            MatchResult::WhiteWins
        } else if draw * sum < weights[0] + weights[1] {
            MatchResult::Draw
        } else {
            MatchResult::BlackWins
        };
        let game_idx = GameId::BUILT_IN.iter().position(|game| *game == job.game).unwrap();
        let names = self.names();
        Record {
            number: job.number,
            pair: job.pair,
            game: job.game,
            opening: format!("opening {}", job.round),
            white: names[white].clone(),
            black: names[black].clone(),
            result,
            reason: "resignation".to_owned(),
            plies: self.plies[game_idx],
            ..samples::record()
        }
    }

    /// Plays until no more matches start, with this concurrency; matches end in an order drawn with a seed. Returns
    /// the match numbers in the order in which they started.
    pub fn play_all(&self, course: &mut Course, concurrency: usize) -> Vec<u32> {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed + 1);
        let (mut begun, mut running) = (Vec::new(), Vec::new());
        loop {
            while running.len() < concurrency
                && let Next::Play(job) = course.begin_next()
            {
                begun.push(job.number);
                running.push(job);
            }
            if running.is_empty() {
                return begun;
            }
            let ending = generator.next_u64() as usize % running.len();
            let job = running.swap_remove(ending);
            course.add(&self.play(&job));
        }
    }
}
