//! Swiss system: in each round, engines with similar scores meet that have not met before.

use super::Plan;
use super::finished_pair::FinishedPair;
use super::matching::matching;
use super::order::{Meetings, Order, half_points};
use super::round_table::{Column, MeetingRow, RoundTable, points};

/// The settings of a Swiss tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwissSettings {
    /// The number of rounds, less than that of engines.
    pub rounds: u32,
    /// The number of pairs of a meeting in each game.
    pub pairs: u32,
}

/// The order of the pairs of a Swiss tournament. A round is chosen when the one before it is finished.
///
/// Engines are ordered by points, then by their order in the file. With an odd number, the last one that had no bye has one,
/// which counts as a win of all matches. In turn, the first engine without an opponent meets one of its own score group: the
/// first of its lower half, or the next possible one; then one of the groups below. Two engines meet again only if there is no
/// other pairing.
#[derive(Clone, Debug)]
pub struct Swiss {
    names: Vec<String>,
    meetings: Meetings,
    settings: SwissSettings,
    sequence: Vec<u32>,
    n_counted: usize,
    /// The finished rounds, and the one that is being played.
    rounds: Vec<Round>,
    points: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Round {
    meetings: Vec<Meeting>,
    bye: Option<usize>,
}

/// Two engines, and what they scored, in half points.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    engines: [usize; 2],
    scored: [u32; 2],
}

/// A line of the standings. Points and tie breaks are in half points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwissStanding {
    /// The engine's index.
    pub engine: usize,
    /// What it scored.
    pub points: u32,
    /// The sum of its opponents' points. A bye counts as an opponent with its own points.
    pub buchholz: u32,
    /// The sum of its opponents' points, each multiplied by the share of the points that it scored against them.
    pub sonneborn_berger: f64,
}

impl Swiss {
    /// The order of the pairs of `plan`, whose contenders have these `names`.
    pub fn new(plan: &Plan, names: &[String], settings: SwissSettings) -> Self {
        let mut swiss = Self {
            names: names.to_vec(),
            meetings: Meetings::new(plan),
            settings,
            sequence: Vec::new(),
            n_counted: 0,
            rounds: Vec::new(),
            points: vec![0; names.len()],
        };
        swiss.choose_rounds();
        swiss
    }

    /// The standings so far, the best engine first.
    pub fn standings(&self) -> Vec<SwissStanding> {
        let standing = |engine: usize| {
            let own = self.points[engine];
            let (mut buchholz, mut sonneborn_berger) = (0, 0.0);
            for round in self.finished_rounds() {
                if round.bye == Some(engine) {
                    buchholz += own;
                    sonneborn_berger += f64::from(own);
                }
                for Meeting { engines, scored } in &round.meetings {
                    let Some(side) = engines.iter().position(|one| *one == engine) else { continue };
                    let opponent = self.points[engines[1 - side]];
                    let all = scored[0] + scored[1];
                    buchholz += opponent;
                    if 0 < all {
                        sonneborn_berger += f64::from(opponent) * f64::from(scored[side]) / f64::from(all);
                    }
                }
            }
            SwissStanding { engine, points: own, buchholz, sonneborn_berger }
        };
        let mut standings: Vec<SwissStanding> = (0..self.names.len()).map(standing).collect();
        standings.sort_by(|one, other| {
            let by_points = other.points.cmp(&one.points).then(other.buchholz.cmp(&one.buchholz));
            by_points.then(other.sonneborn_berger.total_cmp(&one.sonneborn_berger))
        });
        standings
    }

    fn finished_rounds(&self) -> impl Iterator<Item = &Round> {
        let n_open = usize::from(self.n_counted < self.sequence.len());
        self.rounds[..self.rounds.len() - n_open].iter()
    }

    /// Chooses the next round, and more if it has no matches.
    fn choose_rounds(&mut self) {
        while self.n_counted == self.sequence.len() && !self.is_all() {
            let round = self.round();
            for meeting in &round.meetings {
                // Each round has its own openings.
                let first = self.rounds.len() as u32 * self.settings.pairs;
                let pairs = self.meetings.pairs(meeting.engines, first..first + self.settings.pairs);
                self.sequence.extend(pairs);
            }
            if let Some(bye) = round.bye {
                self.points[bye] += 4 * self.settings.pairs * self.meetings.n_most_pairings();
            }
            self.rounds.push(round);
        }
    }

    fn rows_of(&self, number: usize, round: &Round) -> Vec<MeetingRow> {
        let row = |[first, second]: [Option<usize>; 2], scored| MeetingRow {
            round: number.to_string(),
            first: first.map_or_else(String::new, |engine| self.names[engine].clone()),
            second: second.map(|engine| self.names[engine].clone()),
            scored,
            note: String::new(),
        };
        let meetings = round.meetings.iter().map(|meeting| row(meeting.engines.map(Some), meeting.scored));
        meetings.chain(round.bye.map(|engine| row([Some(engine), None], [0, 0]))).collect()
    }

    /// The next round.
    fn round(&self) -> Round {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|&engine| (std::cmp::Reverse(self.points[engine]), engine));
        let had_bye = |engine: &usize| self.rounds.iter().any(|round| round.bye == Some(*engine));
        let byes: Vec<Option<usize>> = if order.len().is_multiple_of(2) {
            vec![None]
        } else {
            order.iter().rev().filter(|engine| !had_bye(engine)).copied().map(Some).collect()
        };
        let mut met = vec![vec![0; order.len()]; order.len()];
        for Meeting { engines: [one, other], .. } in self.rounds.iter().flat_map(|round| &round.meetings) {
            met[*one][*other] += 1;
            met[*other][*one] += 1;
        }
        // A second meeting is always enough, because there are fewer rounds than engines (Dirac's theorem).
        for most_met in 0..=1 {
            for bye in &byes {
                let playing: Vec<usize> =
                    order.iter().copied().filter(|engine| Some(*engine) != *bye).collect();
                let allows = |one: usize, other: usize| met[playing[one]][playing[other]] <= most_met;
                let candidates = |first: usize, others: &[usize]| {
                    let is_equal =
                        |other: &&usize| self.points[playing[**other]] == self.points[playing[first]];
                    let n_group = 1 + others.iter().take_while(is_equal).count();
                    // The lower half begins at index `n_group / 2` of the group, of which `first` is index 0.
                    let (upper, rest) = others.split_at((n_group / 2).saturating_sub(1));
                    let (lower, below) = rest.split_at(n_group - 1 - upper.len());
                    lower.iter().chain(upper.iter().rev()).chain(below).copied().collect()
                };
                if let Some(pairs) = matching(playing.len(), allows, candidates) {
                    let engines = pairs.into_iter().map(|pair| pair.map(|idx| playing[idx]));
                    let meetings = engines.map(|engines| Meeting { engines, scored: [0, 0] }).collect();
                    return Round { meetings, bye: *bye };
                }
            }
        }
        unreachable!("fewer rounds than engines leave a pairing in which nobody meets a third time")
    }
}

impl Order for Swiss {
    fn sequence(&self) -> &[u32] {
        &self.sequence
    }

    fn most_pairs(&self) -> u32 {
        if self.is_all() {
            return self.sequence.len() as u32;
        }
        let n_left = self.settings.rounds - self.rounds.len() as u32;
        let per_round = self.names.len() as u32 / 2 * self.settings.pairs * self.meetings.n_most_pairings();
        self.sequence.len() as u32 + n_left * per_round
    }

    fn is_all(&self) -> bool {
        self.rounds.len() as u32 == self.settings.rounds
    }

    fn count(&mut self, pair: &FinishedPair<'_>) {
        let engines = self.meetings.engines(self.sequence[self.n_counted]);
        let scored = half_points(pair);
        let round = self.rounds.last_mut().expect("a pair belongs to a round");
        for (engine, scored) in engines.into_iter().zip(scored) {
            self.points[engine] += scored;
            for meeting in &mut round.meetings {
                if let Some(side) = meeting.engines.iter().position(|one| *one == engine) {
                    meeting.scored[side] += scored;
                }
            }
        }
        self.n_counted += 1;
        self.choose_rounds();
    }

    fn tables(&self) -> Vec<RoundTable> {
        let n_byes = |engine| self.rounds.iter().filter(|round| round.bye == Some(engine)).count();
        let has_byes = !self.names.len().is_multiple_of(2);
        let row = |(idx, standing): (usize, SwissStanding)| {
            let SwissStanding { engine, points: scored, buchholz, sonneborn_berger } = standing;
            let (name, ties) = (self.names[engine].clone(), format!("{:.2}", sonneborn_berger / 2.0));
            let byes = has_byes.then(|| n_byes(engine).to_string());
            [(idx + 1).to_string(), name, points(scored), points(buchholz), ties]
                .into_iter()
                .chain(byes)
                .collect()
        };
        let numbers =
            ["Points", "Buchholz", "S-B"].into_iter().chain(has_byes.then_some("Byes")).map(Column::number);
        let columns = [Column::number("Place"), Column::text("Engine")].into_iter().chain(numbers).collect();
        let (n_finished, n_rounds) = (self.finished_rounds().count(), self.settings.rounds);
        let title = format!("Swiss system: {n_finished} of {n_rounds} rounds finished");
        let rows = self.standings().into_iter().enumerate().map(row).collect();
        let meetings = self.rounds.iter().enumerate().flat_map(|(idx, round)| self.rows_of(idx + 1, round));
        vec![RoundTable { title, columns, rows }, RoundTable::of_meetings("Meetings".to_owned(), meetings)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Course;
    use crate::order::sorted;
    use crate::synthetic::World;

    fn course(world: &World, rounds: u32) -> Course {
        let (plan, names) = (world.plan(rounds), world.names());
        let order: Box<dyn Order> = Box::new(Swiss::new(&plan, &names, SwissSettings { rounds, pairs: 1 }));
        Course::new(plan, names, Some(order), Vec::new())
    }

    /// The swiss with counted results of `world`.
    fn played(world: &World, rounds: u32) -> Swiss {
        let (plan, names) = (world.plan(rounds), world.names());
        let mut swiss = Swiss::new(&plan, &names, SwissSettings { rounds, pairs: 1 });
        while let Some(&pair) = swiss.sequence.get(swiss.n_counted) {
            let matches = [2 * pair + 1, 2 * pair + 2]
                .map(|number| crate::MatchSummary::from(&world.play(&plan.scheduled(number))));
            let engines = swiss.meetings.engines(pair).map(|idx| names[idx].as_str());
            swiss.count(&FinishedPair { number: pair + 1, game: "push", engines, matches });
        }
        swiss
    }

    proptest! {
        #[test]
        fn everybody_plays_each_round_and_byes_are_unique(n in 2_usize..13, seed in 0_u64..50, less in 0_u32..12) {
            let elos: Vec<f64> = (0..n).map(|idx| 40.0 * idx as f64).collect();
            let world = World::new(&elos, seed);
            let rounds = (n as u32 - 1).saturating_sub(less).max(1);
            let swiss = played(&world, rounds);
            prop_assert!(swiss.is_all() && swiss.rounds.len() as u32 == rounds);
            let mut byes = Vec::new();
            for round in &swiss.rounds {
                let mut playing: Vec<usize> = round.meetings.iter().flat_map(|one| one.engines).chain(round.bye).collect();
                playing.sort_unstable();
                prop_assert_eq!(playing, (0..n).collect::<Vec<_>>());
                byes.extend(round.bye);
            }
            let n_byes = byes.len();
            byes.sort_unstable();
            byes.dedup();
            prop_assert_eq!(byes.len(), n_byes);
            if 2 * rounds as usize <= n && n % 2 == 0 {
                let all = swiss.rounds.iter().flat_map(|round| &round.meetings);
                let met: std::collections::HashSet<_> = all.map(|meeting| sorted(meeting.engines)).collect();
                prop_assert_eq!(met.len(), rounds as usize * n / 2, "nobody meets twice");
            }
            prop_assert_eq!(swiss.points.iter().sum::<u32>(), 4 * rounds * (n as u32).div_ceil(2));
        }
    }

    #[test]
    fn the_jobs_are_the_same_with_any_concurrency() {
        let world = World::new(&[0.0, 50.0, 90.0, 30.0, 10.0, 200.0, 70.0], 3);
        let order = |concurrency| world.play_all(&mut course(&world, 4), concurrency);
        let alone = order(1);
        assert_eq!(alone.len(), 4 * 3 * 2);
        for concurrency in [2, 5, 9] {
            assert_eq!(order(concurrency), alone);
        }
    }

    #[test]
    fn every_kill_resumes_to_the_same_schedule() {
        let world = World::new(&[0.0, 50.0, 90.0, 30.0, 10.0], 4);
        let mut all = world.play_all(&mut course(&world, 3), 1);
        all.sort_unstable();
        for n in 0..all.len() {
            let mut first = course(&world, 3);
            let mut records = Vec::new();
            while records.len() < n {
                let crate::Next::Play(scheduled) = first.begin_next() else { panic!("a match is left") };
                records.push(world.play(&scheduled));
                first.add(&records[records.len() - 1]);
            }
            let mut again = course(&world, 3);
            records.iter().rev().for_each(|record| drop(again.add(record)));
            let mut numbers = world.play_all(&mut again, 2);
            numbers.extend(records.iter().map(|record| record.number));
            numbers.sort_unstable();
            assert_eq!(numbers, all, "killed after {n} matches");
        }
    }
}
