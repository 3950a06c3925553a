//! How long the rest of a tournament takes. Matches of one game take longer than those of another, so each match counts as
//! long as a usual one of its game. It knows no clock: it is told how much time has passed.

use std::collections::BTreeMap;
use std::time::Duration;

use indicatif::FormattedDuration;

use super::TimeLeft;
use model::{Job, Record, rated_game};
use ratings::count;

/// What is left to play, and how long matches were so far.
#[derive(Clone, Debug, Default)]
pub struct Remaining {
    /// By the name that the ratings use.
    games: BTreeMap<String, Game>,
    /// Thinking time of the matches of this run, and the time from their beginnings to their ends.
    done_us: f64,
    done_wall_us: f64,
    /// Number of matches of this run.
    n_done: u32,
    /// The matches that are being played: the game, and how much time had passed when it began.
    running: BTreeMap<u32, (String, Duration)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Game {
    n_left: u32,
    n_seen: u32,
    seen_us: f64,
}

impl Remaining {
    /// A tournament of this many matches in each game.
    pub fn new(matches: impl IntoIterator<Item = (String, u32)>) -> Self {
        let mut games: BTreeMap<String, Game> = BTreeMap::new();
        for (game, n) in matches {
            games.entry(game).or_default().n_left += n;
        }
        Self { games, ..Self::default() }
    }

    /// Counts a match of an earlier run.
    pub fn add_restored(&mut self, record: &Record) {
        self.add(&record.rated_game(), thinking_us(record));
    }

    /// A match of this run has begun after `elapsed`.
    pub fn add_begun(&mut self, job: &Job, elapsed: Duration) {
        self.begin(job.number, &rated_game(job.game.id(), job.limits.as_deref()), elapsed);
    }

    /// Counts a match of this run.
    pub fn add_finished(&mut self, record: &Record, elapsed: Duration) {
        self.finish(record.number, &record.rated_game(), thinking_us(record), elapsed);
    }

    fn begin(&mut self, number: u32, game: &str, elapsed: Duration) {
        self.running.insert(number, (game.to_owned(), elapsed));
    }

    fn finish(&mut self, number: u32, game: &str, us: f64, elapsed: Duration) {
        self.add(game, us);
        self.done_us += us;
        self.done_wall_us += self.running.remove(&number).map_or(us, |(_, begun)| wall_us(begun, elapsed));
        self.n_done += 1;
    }

    /// The speed of this run, such as `150 a minute`; none before its first match is over, or in its first second.
    pub fn speed(&self, elapsed: Duration) -> Option<String> {
        speed(self.n_done, elapsed)
    }

    /// The number of finished matches, how many of them this run has played in which time, and its speed.
    pub fn done(&self, n_finished: u32, n_matches: u32, elapsed: Duration) -> String {
        let speed = self.speed(elapsed).map_or(String::new(), |speed| format!(", {speed}"));
        let own = if self.n_done == n_finished {
            String::new()
        } else {
            format!(", {} of them now,", count(self.n_done.into()))
        };
        let [n, all] = [n_finished, n_matches].map(|n| count(n.into()));
        format!("{n} of {all} matches{own} in {}{speed}", FormattedDuration(elapsed))
    }

    /// The time for the rest after this run has taken `elapsed`; none before one of its matches and enough of all are over.
    pub fn left(&self, elapsed: Duration) -> Option<TimeLeft> {
        /// The first matches to end are the short ones.
        const FEWEST: u32 = 5;
        let (seen_us, n_seen) =
            self.games.values().fold((0.0, 0), |(us, n), game| (us + game.seen_us, n + game.n_seen));
        if n_seen < FEWEST || self.n_done == 0 {
            return None;
        }
        // Engines think for a part of the time that a match takes.
        let pace = self.done_us / self.done_wall_us.max(1.0);
        let running: Vec<(&str, f64)> = self
            .running
            .values()
            .map(|(game, begun)| (game.as_str(), pace * wall_us(*begun, elapsed)))
            .collect();
        let running_us: f64 = running.iter().map(|(_, us)| us).sum();
        let mean = seen_us / f64::from(n_seen);
        let of_games: Vec<(f64, f64)> = self
            .games
            .iter()
            .map(|(name, game)| (game.left_us(mean, &of_game(&running, name)), game.error()))
            .collect();
        let left_us: f64 = of_games.iter().map(|(us, _)| us).sum();
        let error_us = of_games.iter().map(|(us, error)| (us * error).powi(2)).sum::<f64>().sqrt();
        let left_s = elapsed.as_secs_f64() * left_us / (self.done_us + running_us);
        TimeLeft::new(left_s, error_us / left_us.max(1.0))
    }

    fn add(&mut self, game: &str, us: f64) {
        let game = self.games.entry(game.to_owned()).or_default();
        game.n_left = game.n_left.saturating_sub(1);
        game.n_seen += 1;
        game.seen_us += us;
    }
}

impl Game {
    /// The time for the rest, where matches that are being played have taken `running_us`, and matches of all games take `mean`.
    fn left_us(self, mean: f64, running_us: &[f64]) -> f64 {
        let (seen_us, n_seen) =
            if self.n_seen == 0 { (mean, 1.0) } else { (self.seen_us, f64::from(self.n_seen)) };
        // A match takes at least the time that it has taken already.
        let begun_us: f64 = running_us.iter().map(|us| us.max(seen_us / n_seen)).sum();
        let n_running = running_us.len() as f64;
        let usual = (seen_us + begun_us) / (n_seen + n_running);
        let n_new = (f64::from(self.n_left) - n_running).max(0.0);
        n_new * usual + running_us.iter().map(|us| (usual - us).max(0.0)).sum::<f64>()
    }

    /// The relative standard error of that.
    fn error(self) -> f64 {
        /// That of one match for another one of its game, and of the mean of all games for that of one.
        const OF_A_MATCH: f64 = 0.7;
        const OF_A_GAME: f64 = 1.0;
        let [n_seen, n_left] = [self.n_seen, self.n_left.max(1)].map(f64::from);
        let of_game = if self.n_seen == 0 { OF_A_GAME } else { OF_A_MATCH / n_seen.sqrt() };
        of_game.hypot(OF_A_MATCH / n_left.sqrt())
    }
}

/// The speed of `n_done` matches in this time, such as `150 a minute`; none before the first one is over, or in the first second.
pub fn speed(n_done: u32, elapsed: Duration) -> Option<String> {
    let per_second = f64::from(n_done) / elapsed.as_secs_f64();
    let [per_minute, per_hour] = [60.0 * per_second, 3600.0 * per_second].map(f64::round);
    match n_done {
        n if n == 0 || elapsed.as_secs() < 1 => None,
        _ if per_minute < 2.0 => Some(format!("{} an hour", count(per_hour as u64))),
        _ => Some(format!("{} a minute", count(per_minute as u64))),
    }
}

fn of_game(running: &[(&str, f64)], name: &str) -> Vec<f64> {
    running.iter().filter(|(game, _)| *game == name).map(|(_, us)| *us).collect()
}

fn wall_us(begun: Duration, elapsed: Duration) -> f64 {
    elapsed.saturating_sub(begun).as_secs_f64() * 1e6
}

/// A forfeited match takes no time, and still counts a little.
fn thinking_us(record: &Record) -> f64 {
    record.moves.iter().map(|mv| mv.time_us as f64).sum::<f64>().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: f64 = 1e6;

    fn assert_near(left: Option<f64>, expected_s: f64) {
        assert!(left.is_some_and(|left| (left - expected_s).abs() < 1e-6), "{left:?} {expected_s}");
    }

    fn remaining<const N: usize>(games: [&str; N], n: u32) -> Remaining {
        Remaining::new(games.map(|game| (game.to_owned(), n)))
    }

    #[test]
    fn matches_count_as_long_as_those_of_their_game() {
        let [short, long] = ["push@short", "push@long"];
        let s = Duration::from_secs;
        let mut remaining = remaining([short, long, long], 10);
        let left = |remaining: &Remaining, elapsed| remaining.left(s(elapsed)).map(TimeLeft::estimate_s);
        assert_eq!(left(&remaining, 0), None);
        // Nothing is known of the other game: it counts as the mean.
        (1..=5).for_each(|number| remaining.finish(number, short, S, s(number.into())));
        assert_near(left(&remaining, 5), 25.0);
        // Two matches at once: 15 s of thinking in 10 s.
        remaining.finish(6, long, 10.0 * S, s(10));
        assert_near(left(&remaining, 10), 10.0 * (5.0 + 190.0) / 15.0);
        // A match of an earlier run shows how long matches are, not how fast they are played now.
        remaining.add(long, 10.0 * S);
        assert_near(left(&remaining, 10), 10.0 * (5.0 + 180.0) / 15.0);
    }

    #[test]
    fn the_first_match_after_a_resume_is_not_taken_for_the_speed_of_all() {
        let mut remaining = remaining(["push"], 121);
        (0..20).for_each(|_| remaining.add("push", 10.0 * S));
        // Four at once, of which a short one ends after 2 s: 100 matches of 10 s take 250 s.
        (1..=4).for_each(|number| remaining.begin(number, "push", Duration::ZERO));
        remaining.finish(1, "push", 2.0 * S, Duration::from_secs(2));
        let left = remaining.left(Duration::from_secs(2)).unwrap().estimate_s();
        assert!((230.0..270.0).contains(&left), "{left}");
    }

    #[test]
    fn a_long_match_counts_while_it_is_played() {
        let mut remaining = remaining(["push"], 12);
        let s = Duration::from_secs;
        for number in 1..=5 {
            let begun = s((number - 1).into());
            remaining.begin(number, "push", begun);
            // Half of the time is that of starting the engines.
            remaining.finish(number, "push", 0.5 * S, begun + s(1));
            assert_eq!(remaining.left(begun + s(1)).is_some(), number == 5, "{number}");
        }
        remaining.begin(6, "push", s(5));
        assert_near(remaining.left(s(5)).map(TimeLeft::estimate_s), 7.0);
        // After 61 s of it, a match counts as (5 + 61) / 6 s.
        assert_near(remaining.left(s(66)).map(TimeLeft::estimate_s), 66.0);
    }

    #[test]
    fn what_is_known_of_few_matches_is_a_range() {
        let s = Duration::from_secs;
        let mut remaining = remaining(["push", "chess"], 200);
        (1..=5).for_each(|number| remaining.finish(number, "push", S, s(number.into())));
        // Nothing is known of the other game.
        assert_eq!(remaining.left(s(5)).map(|left| left.to_string()).as_deref(), Some("3 to 12 min"));
        (6..=30).for_each(|number| remaining.finish(number, "push", S, s(number.into())));
        (31..=60).for_each(|number| remaining.finish(number, "chess", S, s(number.into())));
        assert_eq!(remaining.left(s(60)).map(|left| left.to_string()).as_deref(), Some("about 5 min 30 s"));
    }

    #[test]
    fn the_speed_is_a_number_that_one_can_read() {
        for (n_done, seconds, speed) in [
            (0, 60, None),
            (2, 0, None),
            (1, 300, Some("12 an hour")),
            (6, 60, Some("6 a minute")),
            (30, 10, Some("180 a minute")),
        ] {
            let remaining = Remaining { n_done, ..Remaining::default() };
            assert_eq!(remaining.speed(Duration::from_secs(seconds)).as_deref(), speed);
        }
        let remaining = Remaining { n_done: 3, ..Remaining::default() };
        assert_eq!(
            remaining.done(5, 8, Duration::from_secs(61)),
            "5 of 8 matches, 3 of them now, in 00:01:01, 3 a minute"
        );
    }
}
