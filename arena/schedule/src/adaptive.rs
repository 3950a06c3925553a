//! The adaptive order of pairs: the pairs that improve the ratings most for their cost come first. A pure function of
//! the results so far.

use std::collections::VecDeque;

use engine_proto::GameId;

use super::costs::{CostUnit, Costs};
use super::finished_pair::FinishedPair;
use super::order::Order;
use super::{Pairing, Plan};
use ratings::{Design, Tally};

/// The order of the pairs of an adaptive tournament.
///
/// Pairs are chosen in batches. A batch is chosen as soon as all pairs of the batch before the previous one are
/// finished, from the results of these pairs and the ones before. So there are always pairs to play while a batch is
/// being finished, and the order depends only on results, not on which match ends first. The order can be
/// reconstructed from the results at any time.
#[derive(Clone, Debug)]
pub struct Adaptive {
    settings: AdaptiveSettings,
    plan: Plan,
    games: Vec<GamePlayers>,
    /// The pairs in order, by index in the plan.
    sequence: Vec<u32>,
    /// The number of pairs of each pairing in it.
    n_chosen: Vec<u32>,
    /// The ends of batches in the sequence that are not all counted.
    ends: VecDeque<usize>,
    n_counted: usize,
    tally: Tally,
    costs: Costs,
}

/// The settings of an adaptive tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveSettings {
    /// The maximum number of pairs.
    pub most_pairs: u32,
    /// The number of pairs that every pairing plays first.
    pub floor: u32,
    /// The number of pairs in a batch, or a fiftieth of the pairs before if that is more.
    pub batch: u32,
    /// The unit of costs.
    pub unit: CostUnit,
}

/// A game and the contenders that play it.
#[derive(Clone, Debug)]
struct GamePlayers {
    id: GameId,
    /// Each contender's index in the design; `None` for those that do not play the game.
    places: Vec<Option<usize>>,
    names: Vec<String>,
}

/// No pairing gets less than this share of the average number of pairs, unless it has played all of its own.
const LEAST_SHARE: f64 = 0.25;
/// The smallest batch as a fraction of the pairs before it: later pairs change less, and the choice takes time.
const GROWTH: usize = 50;

impl Order for Adaptive {
    fn sequence(&self) -> &[u32] {
        &self.sequence
    }

    fn most_pairs(&self) -> u32 {
        self.settings.most_pairs
    }

    fn is_all(&self) -> bool {
        self.sequence.len() as u32 == self.plan.n_pairs().min(self.settings.most_pairs)
    }

    fn count(&mut self, pair: &FinishedPair<'_>) {
        let pairing = self.plan.pairing_of(self.sequence[self.n_counted]).0;
        self.costs.add(pairing, self.plan.pairings()[pairing].game_idx, pair.matches);
        pair.tell(&mut self.tally);
        self.n_counted += 1;
        if self.ends.front() == Some(&self.n_counted) {
            self.ends.pop_front();
            self.choose_batch();
        }
    }
}

impl Adaptive {
    /// The order of the pairs of `plan`, whose contenders have these `names`.
    pub fn new(plan: &Plan, names: &[String], settings: AdaptiveSettings) -> Self {
        let pairings = plan.pairings();
        let games: Vec<GamePlayers> = plan
            .games()
            .iter()
            .enumerate()
            .map(|(game_idx, game)| GamePlayers::new(*game, game_idx, pairings, names))
            .collect();
        let mut adaptive = Self {
            settings,
            sequence: Vec::new(),
            n_chosen: vec![0; pairings.len()],
            ends: VecDeque::new(),
            n_counted: 0,
            tally: Tally::new(),
            costs: Costs::new(settings.unit, pairings.len(), games.len()),
            plan: plan.clone(),
            games,
        };
        adaptive.choose_batch();
        adaptive.choose_batch();
        adaptive
    }

    fn choose_batch(&mut self) {
        if self.is_all() {
            return;
        }
        let mut designs: Option<Vec<Design>> = None;
        let size = (self.settings.batch as usize).max(self.sequence.len() / GROWTH);
        let most = self.settings.most_pairs as usize;
        for _ in 0..size.min(most - self.sequence.len()) {
            let Some(pairing) = self.lagging().or_else(|| {
                let designs = designs.get_or_insert_with(|| self.designs());
                self.most_telling(designs)
            }) else {
                break;
            };
            if let Some(designs) = &mut designs {
                self.assume(pairing, designs);
            }
            self.sequence.push(self.plan.pair_of(pairing, self.n_chosen[pairing]));
            self.n_chosen[pairing] += 1;
        }
        self.ends.push_back(self.sequence.len());
    }

    /// The pairing that is furthest below its floor; the first of several.
    fn lagging(&self) -> Option<usize> {
        let average = self.sequence.len() as f64 / self.n_chosen.len() as f64;
        let floor = f64::from(self.settings.floor).max(LEAST_SHARE * average);
        self.unfinished()
            .filter(|&pairing| f64::from(self.n_chosen[pairing]) < floor)
            .min_by_key(|&pairing| self.n_chosen[pairing])
    }

    /// The pairing whose next pair gives the most information for its cost; the first of several.
    fn most_telling(&self, designs: &[Design]) -> Option<usize> {
        let worth = |pairing: usize| {
            let Pairing { game_idx, .. } = self.plan.pairings()[pairing];
            let [first, second] = self.places(pairing);
            designs[game_idx].gain(first, second) / self.costs.expected(pairing, game_idx)
        };
        let mut best: Option<(usize, f64)> = None;
        for pairing in self.unfinished() {
            let worth = worth(pairing);
            if best.is_none_or(|(_, most)| most < worth) {
                best = Some((pairing, worth));
            }
        }
        best.map(|(pairing, _)| pairing)
    }

    /// The information of the counted pairs about each game. Pairs that are chosen but not counted are added with
    /// their expected results.
    fn designs(&self) -> Vec<Design> {
        let design = |game: &GamePlayers| {
            let names: Vec<&str> = game.names.iter().map(String::as_str).collect();
            Design::new(&self.tally, game.id.id(), &names)
        };
        let mut designs: Vec<Design> = self.games.iter().map(design).collect();
        for &pair in &self.sequence[self.n_counted..] {
            self.assume(self.plan.pairing_of(pair).0, &mut designs);
        }
        designs
    }

    fn assume(&self, pairing: usize, designs: &mut [Design]) {
        let [first, second] = self.places(pairing);
        designs[self.plan.pairings()[pairing].game_idx].assume(first, second);
    }

    /// The pairings that have not played all their pairs.
    fn unfinished(&self) -> impl Iterator<Item = usize> {
        (0..self.n_chosen.len()).filter(|&pairing| self.n_chosen[pairing] < self.plan.rounds()[pairing])
    }

    fn places(&self, pairing: usize) -> [usize; 2] {
        let Pairing { game_idx, contenders, .. } = self.plan.pairings()[pairing];
        contenders.map(|idx| self.games[game_idx].places[idx].expect("who is paired in a game plays it"))
    }
}

impl GamePlayers {
    fn new(id: GameId, game_idx: usize, pairings: &[Pairing], names: &[String]) -> Self {
        let plays = |contender: usize| {
            pairings
                .iter()
                .any(|pairing| pairing.game_idx == game_idx && pairing.contenders.contains(&contender))
        };
        let mut players = Self { id, places: Vec::with_capacity(names.len()), names: Vec::new() };
        for (contender, name) in names.iter().enumerate() {
            let place = plays(contender).then_some(players.names.len());
            players.places.push(place);
            if place.is_some() {
                players.names.push(name.clone());
            }
        }
        players
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Next;
    use crate::synthetic::World;

    /// The number of pairs that each pairing has started after this number of matches.
    fn pairs_of_pairings(
        world: &World,
        n_matches: usize,
        concurrency: usize,
    ) -> Vec<([usize; 2], usize, u32)> {
        let mut course = world.course(1000, true, Vec::new());
        let pairings = course.plan().pairings().to_vec();
        let mut counts = vec![0; pairings.len()];
        let mut running = Vec::new();
        for _ in 0..n_matches {
            if running.len() == concurrency {
                course.add(&running.remove(0));
            }
            let Next::Play(job) = course.begin_next() else { panic!("there are enough pairs") };
            counts[(job.pair - 1) as usize % pairings.len()] += job.number % 2;
            running.push(world.play(&job));
        }
        pairings
            .iter()
            .zip(counts)
            .map(|(pairing, count)| (pairing.contenders, pairing.game_idx, count))
            .collect()
    }

    fn count(counts: &[([usize; 2], usize, u32)], is_wanted: impl Fn([usize; 2], usize) -> bool) -> u32 {
        counts.iter().filter(|(contenders, game, _)| is_wanted(*contenders, *game)).map(|(_, _, n)| n).sum()
    }

    #[test]
    fn it_begins_as_a_round_robin() {
        let world = World::new(&[0.0, 100.0, 200.0, 300.0], 1);
        let mut course = world.course(50, true, Vec::new());
        let begun = world.play_all(&mut course, 1);
        assert_eq!(begun[..24], (1..=24).collect::<Vec<u32>>(), "two rounds of six pairings");
        assert_ne!(begun[..200], (1..=200).collect::<Vec<u32>>());
        let mut all = begun;
        all.sort_unstable();
        assert_eq!(all, (1..=600).collect::<Vec<u32>>(), "in the end everything is played, once");
    }

    #[test]
    fn close_pairs_are_played_more_and_nobody_starves() {
        // A ladder: neighbours are 150 Elo apart, the ends 600.
        let world = World::new(&[0.0, 150.0, 300.0, 450.0, 600.0], 2);
        let counts = pairs_of_pairings(&world, 2000, 1);
        let neighbours = count(&counts, |[first, second], _| second - first == 1);
        let ends = count(&counts, |[first, second], _| second - first == 4);
        assert!(3 * ends < neighbours / 4, "{counts:?}");
        let average = 1000.0 / counts.len() as f64;
        assert!(counts.iter().all(|(_, _, n)| LEAST_SHARE * average - 2.0 <= f64::from(*n)), "{counts:?}");
    }

    #[test]
    fn cheap_games_are_played_more() {
        let mut world = World::new(&[0.0, 30.0, 60.0], 3);
        world.plies = vec![20, 80];
        let counts = pairs_of_pairings(&world, 2000, 1);
        let [cheap, dear] = [0, 1].map(|wanted| count(&counts, |_, game| game == wanted));
        // Of two quantities with errors that fall alike, the optimum plays n in proportion to 1/√cost.
        let ratio = f64::from(cheap) / f64::from(dear);
        assert!((1.7..2.3).contains(&ratio), "{ratio}");
    }

    #[test]
    fn no_matches_are_wasted_on_an_engine_far_away() {
        for far in [-1500.0, -700.0, 900.0] {
            let world = World::new(&[0.0, 30.0, 60.0, far], 4);
            let counts = pairs_of_pairings(&world, 2000, 1);
            let of_far = count(&counts, |contenders, _| contenders.contains(&3));
            // Half of the pairings are with it; the floor gives it a quarter of the average.
            assert!(of_far < 250, "{far}: {counts:?}");
        }
    }

    #[test]
    fn the_order_is_the_same_whatever_ends_first() {
        let world = World::new(&[0.0, 50.0, 90.0, 300.0], 5);
        let order = |concurrency| {
            let mut course = world.course(60, true, Vec::new());
            world.play_all(&mut course, concurrency)
        };
        let alone = order(1);
        for concurrency in [2, 3, 8] {
            assert_eq!(order(concurrency), alone);
        }
    }

    #[test]
    fn a_budget_ends_it() {
        let world = World::new(&[0.0, 50.0, 90.0], 6);
        let settings = AdaptiveSettings { most_pairs: 25, floor: 2, batch: 8, unit: CostUnit::Plies };
        let (plan, names) = (world.plan(100), world.names());
        let order: Box<dyn Order> = Box::new(Adaptive::new(&plan, &names, settings));
        let mut course = crate::Course::new(plan, names, Some(order), Vec::new());
        assert_eq!(course.most_matches(), 50);
        assert_eq!(world.play_all(&mut course, 4).len(), 50);
        assert!(course.is_over());
    }
}
