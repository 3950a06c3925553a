//! Finds the worker whose results are not those of the others: its score in the same pairings, its losses on time, or the
//! other faults of engines, which only the worker has seen. Pure.
//!
//! If all workers are equal, then of all finished pairs of one pairing and game, each worker has a random part. So the sum
//! of a worker's pairs is at most as spread as that of independent draws with the mean of the pairing, and Hoeffding's
//! bound (Journal of the American Statistical Association 58, 1963, theorem 1 and section 6) holds: for `n` values between 0
//! and 1, whose means have the average `m`, the probability of an average of `x` or beyond is at most
//! `exp(-n (x ln(x / m) + (1 - x) ln((1 - x) / (1 - m))))`.
//!
//! The same holds with faults and pairs in each other's place: of the pairs with a fault, each worker has its part of all pairs.
//! This finds a worker that has most of few faults.
//!
//! A worker is compared after 16, 32, 64, ... pairs; each comparison has half of the error probability of the one before. It
//! is divided by the number of workers and of comparisons. So if all workers are equal, one of them is set aside in at most
//! [`ERROR`] of all tournaments.

use std::collections::BTreeMap;

use engine_proto::{GameId, Side};

use model::{FAULTS, Record};

/// The probability that an equal worker is set aside in a tournament.
pub const ERROR: f64 = 0.001;
/// The number of pairs of the first comparison.
const FIRST: u64 = 16;
/// A worker must have finished this number of pairs for each of its places: pairs in progress are often long ones.
const FOR_EACH_PLACE: u64 = 4;
/// A difference in scores shows who is different only if at least this number of workers have enough pairs.
const FEWEST_WORKERS: usize = 3;

/// All finished pairs, by worker.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The pairings and games.
    strata: BTreeMap<Stratum, usize>,
    /// By stratum: the engines.
    engines: Vec<[String; 2]>,
    /// By stratum, of all workers.
    all: Vec<Sum>,
    /// By worker.
    workers: BTreeMap<String, Share>,
    /// First matches of pairs whose second match has not come, by the pair.
    halves: BTreeMap<u32, Half>,
}

/// Two engines, in alphabetical order, and the game.
type Stratum = ([String; 2], GameId);

/// The pairs of one worker.
#[derive(Clone, Debug, Default)]
struct Share {
    /// By stratum.
    sums: BTreeMap<usize, Sum>,
    n_pairs: u64,
    /// The number of comparisons so far.
    n_looks: u32,
}

/// A match whose partner has not come.
#[derive(Clone, Debug)]
struct Half {
    number: u32,
    worker: String,
    score: f64,
    time_losses: f64,
    faults: f64,
}

/// A sum over pairs. Each pair adds values from 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    n: f64,
    /// The score of the first engine.
    score: f64,
    /// The share of matches that ended by time.
    time_losses: f64,
    /// The share of matches that ended by another fault.
    faults: f64,
    /// The number of pairs with such an end.
    with_time_loss: f64,
    with_fault: f64,
}

/// A worker that is different.
#[derive(Clone, Debug, PartialEq)]
pub struct Different {
    /// The worker.
    pub worker: String,
    /// What is different, in words.
    pub why: String,
    /// Whether it is certain which worker is different.
    pub is_certain: bool,
    /// The probability of such a difference between equal workers, at most.
    probability: f64,
}

impl Tally {
    /// Adds a match.
    pub fn add(&mut self, record: &Record) {
        let Some(worker) = &record.worker else { return };
        let mut names = [record.white.clone(), record.black.clone()];
        names.sort_unstable();
        let of_white = match record.result.winner() {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        };
        let half = Half {
            number: record.number,
            worker: worker.clone(),
            score: if record.white == names[0] { of_white } else { 1.0 - of_white },
            time_losses: f64::from(record.reason == "time"),
            faults: f64::from(FAULTS.contains(&record.reason.as_str())),
        };
        let Some(other) = self.halves.remove(&record.pair) else {
            self.halves.insert(record.pair, half);
            return;
        };
        if other.worker != *worker || other.number == record.number {
            return;
        }
        let score = f64::midpoint(other.score, half.score);
        let time_losses = f64::midpoint(other.time_losses, half.time_losses);
        let faults = f64::midpoint(other.faults, half.faults);
        let n_strata = self.strata.len();
        let stratum = *self.strata.entry((names.clone(), record.game)).or_insert(n_strata);
        if stratum == n_strata {
            self.engines.push(names);
            self.all.push(Sum::default());
        }
        let share = self.workers.entry(worker.clone()).or_default();
        share.n_pairs += 1;
        let own = share.sums.entry(stratum).or_default();
        for sum in [own, &mut self.all[stratum]] {
            sum.n += 1.0;
            sum.score += score;
            sum.time_losses += time_losses;
            sum.faults += faults;
            sum.with_time_loss += time_losses.ceil();
            sum.with_fault += faults.ceil();
        }
    }

    /// Compares `worker`, which has this number of places, if it is time to. `n_workers` is the number of workers of the
    /// tournament.
    pub fn compare(&mut self, worker: &str, places: u16, n_workers: usize) -> Option<Different> {
        let share = self.workers.get_mut(worker)?;
        let due = (FIRST << share.n_looks.min(40)).max(FOR_EACH_PLACE * u64::from(places));
        if share.n_pairs < due {
            return None;
        }
        while FIRST << share.n_looks.min(40) <= share.n_pairs {
            share.n_looks += 1;
        }
        let limit = ERROR / f64::from(2_u32.saturating_pow(self.workers[worker].n_looks));
        self.difference(worker, limit, n_workers)
    }

    /// Compares every worker once, with all its pairs. Returns those that are different.
    pub fn differences(&self) -> Vec<Different> {
        self.workers.keys().filter_map(|worker| self.difference(worker, ERROR, 0)).collect()
    }

    /// What is different on `worker`, with this probability of an error for all workers, which are at least `n_workers`.
    fn difference(&self, worker: &str, error: f64, n_workers: usize) -> Option<Different> {
        let n_enough = self.workers.values().filter(|share| FIRST <= share.n_pairs).count();
        let n_engines = self.engines.iter().flatten().collect::<std::collections::BTreeSet<_>>().len();
        // Of each engine its scores, too high and too low, and two bounds each for the losses on time and the other faults.
        let n_tests = (2 * n_engines + 4) as f64 * n_workers.max(self.workers.len()).max(1) as f64;
        let faults = "end by a crash or another fault of an engine";
        let mut found = self
            .ends(worker, "are lost on time", |sum| sum.time_losses, |sum| sum.with_time_loss)
            .into_iter()
            .chain(self.ends(worker, faults, |sum| sum.faults, |sum| sum.with_fault))
            .chain(self.scores(worker))
            .filter(|found| found.probability < error / n_tests);
        let mut different = found.next()?;
        different.is_certain |= FEWEST_WORKERS <= n_enough;
        Some(different)
    }

    /// The matches that end in a way that a machine can cause: their `share`, and the number of pairs `with` them.
    fn ends(
        &self,
        worker: &str,
        how: &str,
        share: impl Fn(&Sum) -> f64,
        with: impl Fn(&Sum) -> f64,
    ) -> Option<Different> {
        let (n, own, mean) = self.average(worker, |_| true, |sum, _| share(sum))?;
        let (mut own_with, mut all_with, mut expected) = (0.0, 0.0, 0.0);
        for (stratum, all) in self.all.iter().enumerate() {
            let own = self.workers.get(worker)?.sums.get(&stratum).copied().unwrap_or_default();
            own_with += with(&own);
            all_with += with(all);
            expected += with(all) * own.n / all.n;
        }
        (mean < own).then(|| Different {
            worker: worker.to_owned(),
            why: format!(
                "{} of its matches {how}, {} in the same pairings on all workers",
                percent(own),
                percent(mean)
            ),
            is_certain: true,
            probability: if expected < own_with {
                bound(n, own, mean).min(bound(all_with, own_with / all_with, expected / all_with))
            } else {
                bound(n, own, mean)
            },
        })
    }

    /// The engine whose scores differ most.
    fn scores(&self, worker: &str) -> Option<Different> {
        let mut engines: Vec<&String> = self.engines.iter().flatten().collect();
        engines.sort_unstable();
        engines.dedup();
        let of = |engine: &String| {
            let plays = |stratum: usize| self.engines[stratum].contains(engine);
            let score = |sum: &Sum, stratum: usize| {
                if self.engines[stratum][0] == *engine { sum.score } else { sum.n - sum.score }
            };
            let (n, own, mean) = self.average(worker, plays, score)?;
            Some(Different {
                worker: worker.to_owned(),
                why: format!(
                    "engine `{engine}` scores {} on it, {} in the same pairings on all workers",
                    percent(own),
                    percent(mean)
                ),
                is_certain: false,
                probability: bound(n, own, mean),
            })
        };
        engines.into_iter().filter_map(of).min_by(|one, other| one.probability.total_cmp(&other.probability))
    }

    /// The worker's pairs in these strata: their number, their average, and the average to expect.
    fn average(
        &self,
        worker: &str,
        is_in: impl Fn(usize) -> bool,
        value: impl Fn(&Sum, usize) -> f64,
    ) -> Option<(f64, f64, f64)> {
        let (mut n, mut own, mut expected) = (0.0, 0.0, 0.0);
        for (&stratum, sum) in self.workers.get(worker)?.sums.iter().filter(|(stratum, _)| is_in(**stratum)) {
            let all = &self.all[stratum];
            n += sum.n;
            own += value(sum, stratum);
            expected += sum.n * value(all, stratum) / all.n;
        }
        (0.0 < n).then(|| (n, own / n, expected / n))
    }
}

/// Hoeffding's bound.
fn bound(n: f64, x: f64, mean: f64) -> f64 {
    let part = |x: f64, mean: f64| if x <= 0.0 { 0.0 } else { x * (x / mean).ln() };
    (-n * (part(x, mean) + part(1.0 - x, 1.0 - mean))).exp()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use ratings::MatchResult;

    use super::*;
    use model::samples;

    /// The two matches of a pair, of which the first ends like this.
    fn pair(pair: u32, worker: &str, first: MatchResult, reason: &str) -> [Record; 2] {
        let record = |number, result| Record {
            number,
            pair,
            result,
            reason: reason.to_owned(),
            worker: Some(worker.to_owned()),
            ..samples::record()
        };
        let mut records = [record(2 * pair - 1, first), record(2 * pair, MatchResult::Draw)];
        let Record { white, black, .. } = &mut records[1];
        std::mem::swap(white, black);
        records
    }

    /// Plays pairs until a worker is found. `play` gives the first result and the reason of a pair.
    fn first_found(
        n_workers: u32,
        n_pairs: u32,
        mut play: impl FnMut(u32, u32) -> (MatchResult, &'static str),
    ) -> Option<(u32, Different)> {
        let mut tally = Tally::default();
        (1..=n_pairs).find_map(|number| {
            let worker = number % n_workers;
            let (result, reason) = play(worker, number);
            let name = format!("w{worker}");
            for record in &pair(number, &name, result, reason) {
                tally.add(record);
            }
            tally.compare(&name, 1, n_workers as usize).map(|found| (number, found))
        })
    }

    fn by_chance(number: u32) -> MatchResult {
        match engine_proto::bits::mix64(number.into()) % 3 {
            0 => MatchResult::WhiteWins,
            1 => MatchResult::Draw,
            _ => MatchResult::BlackWins,
        }
    }

    #[test]
    fn equal_workers_are_equal() {
        assert_eq!(first_found(8, 20_000, |_, number| (by_chance(number), "goal")), None);
        let rarely = |number: u32| if number.is_multiple_of(97) { "time" } else { "goal" };
        assert_eq!(first_found(8, 20_000, |_, number| (by_chance(number), rarely(number))), None);
    }

    #[test]
    fn a_worker_that_loses_on_time_is_found_even_among_two() {
        let play = |worker, number| (by_chance(number), if worker == 1 { "time" } else { "goal" });
        let (number, found) = first_found(2, 1000, play).unwrap();
        assert!(found.worker == "w1" && found.is_certain && number <= 64, "{number} {found:?}");
        assert_eq!(
            found.why,
            "100.0 % of its matches are lost on time, 51.6 % in the same pairings on all workers"
        );
    }

    #[test]
    fn a_worker_that_invents_crashes_is_found() {
        let play = |worker, number: u32| {
            let crashes = worker == 1 && number.is_multiple_of(2);
            (by_chance(number), if crashes { "crash" } else { "goal" })
        };
        let (_, found) = first_found(3, 5000, play).unwrap();
        assert!(found.worker == "w1" && found.is_certain, "{found:?}");
        assert!(
            found.why.contains("% of its matches end by a crash or another fault of an engine, "),
            "{found:?}"
        );
    }

    #[test]
    fn a_worker_that_invents_few_crashes_is_found_at_the_end() {
        let mut tally = Tally::default();
        for number in 1..=180 {
            let crashes = number % 3 == 1 && number < 78;
            let records = pair(number, &format!("w{}", number % 3), by_chance(number), "goal");
            for (record, is_first) in records.into_iter().zip([true, false]) {
                let reason = if crashes && is_first { "crash" } else { "goal" };
                tally.add(&Record { reason: reason.to_owned(), ..record });
            }
        }
        let [found] = tally.differences().try_into().unwrap();
        assert_eq!(
            (found.worker.as_str(), found.why.as_str()),
            (
                "w1",
                "21.7 % of its matches end by a crash or another fault of an engine, 7.2 % in the same pairings on all workers"
            )
        );
    }

    #[test]
    fn a_worker_with_other_results_is_found_among_three() {
        let play =
            |worker, number| (if worker == 2 { MatchResult::WhiteWins } else { by_chance(number) }, "goal");
        let (_, found) = first_found(4, 5000, play).unwrap();
        assert!(found.worker == "w2" && found.is_certain, "{found:?}");
        // Of two workers, either may be the different one.
        let (_, found) = first_found(2, 5000, |worker, number| play(2 * worker, number)).unwrap();
        assert!(!found.is_certain, "{found:?}");
    }

    #[test]
    fn the_bound_is_hoeffdings() {
        // (1/2)^n for n of n successes of a fair coin.
        assert!((bound(10.0, 1.0, 0.5) - 0.5_f64.powi(10)).abs() < 1e-12);
        assert!((bound(10.0, 0.5, 0.5) - 1.0).abs() < 1e-12);
        // 25 % against 50 %, four times: exp(-4 (0.25 ln 0.5 + 0.75 ln 1.5)).
        assert!((bound(4.0, 0.25, 0.5) - 0.592_592_592).abs() < 1e-6);
    }
}
