//! How long the rest of a tournament takes. Matches of one game take longer than those of another, so each match counts as
//! long as a usual one of its game. It knows no clock: it is told how much time has passed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use indicatif::FormattedDuration;

use model::Record;

/// What is left to play, and how long matches were so far.
#[derive(Clone, Debug, Default)]
pub struct Remaining {
    /// By the name that the ratings use.
    games: BTreeMap<String, Game>,
    /// Thinking time of the matches of this run.
    done_us: f64,
    /// Number of matches of this run.
    n_done: u32,
    /// The matches that are played now, and the most at once.
    running: BTreeSet<u32>,
    most_running: usize,
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

    /// A match of this run has begun.
    pub fn add_begun(&mut self, number: u32) {
        self.running.insert(number);
        self.most_running = self.most_running.max(self.running.len());
    }

    /// Counts a match of this run.
    pub fn add_finished(&mut self, record: &Record) {
        let us = thinking_us(record);
        self.add(&record.rated_game(), us);
        self.done_us += us;
        self.n_done += 1;
        self.running.remove(&record.number);
    }

    /// The speed of this run, such as `150 a minute`; none before its first match is over.
    pub fn speed(&self, elapsed: Duration) -> Option<String> {
        let per_second = f64::from(self.n_done) / elapsed.as_secs_f64().max(1e-3);
        let [per_minute, per_hour] = [60.0 * per_second, 3600.0 * per_second].map(f64::round);
        match self.n_done {
            0 => None,
            _ if per_minute < 2.0 => Some(format!("{per_hour} an hour")),
            _ => Some(format!("{per_minute} a minute")),
        }
    }

    /// The number of finished matches, the time that this run took, and its speed.
    pub fn done(&self, n_finished: u32, n_matches: u32, elapsed: Duration) -> String {
        let speed = self.speed(elapsed).map_or(String::new(), |speed| format!(", {speed}"));
        format!("{n_finished} of {n_matches} matches in {}{speed}", FormattedDuration(elapsed))
    }

    /// The time for the rest after this run has taken `elapsed`; none before its first match is over.
    pub fn left(&self, elapsed: Duration) -> Option<Duration> {
        let (seen_us, n_seen) =
            self.games.values().fold((0.0, 0), |(us, n), game| (us + game.seen_us, n + game.n_seen));
        let mean = seen_us / f64::from(n_seen);
        let usual = |game: &Game| if game.n_seen == 0 { mean } else { game.seen_us / f64::from(game.n_seen) };
        let left_us: f64 = self.games.values().map(|game| f64::from(game.n_left) * usual(game)).sum();
        // The first matches to end are short, and those that are still played count for nothing: until there are more, a match
        // at each place counts as played in the usual time.
        let usual_us = if self.most_running == 0 || self.n_done == 0 { 0.0 } else { mean };
        let done_us = self.done_us + self.most_running as f64 * usual_us;
        Duration::try_from_secs_f64((elapsed.as_secs_f64() + usual_us / 1e6) * left_us / done_us).ok()
    }

    fn add(&mut self, game: &str, us: f64) {
        let game = self.games.entry(game.to_owned()).or_default();
        game.n_left = game.n_left.saturating_sub(1);
        game.n_seen += 1;
        game.seen_us += us;
    }
}

/// A forfeited match takes no time, and still counts a little.
fn thinking_us(record: &Record) -> f64 {
    record.moves.iter().map(|mv| mv.time_us as f64).sum::<f64>().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_count_as_long_as_those_of_their_game() {
        let [short, long] = ["push@short", "push@long"];
        let s = Duration::from_secs;
        let mut remaining = Remaining::new([short, long, long].map(|game| (game.to_owned(), 10)));
        assert_eq!(remaining.left(s(0)), None);
        // Nothing is known of the other game: it counts as the mean.
        for _ in 0..5 {
            remaining.add(short, 1e6);
            remaining.done_us += 1e6;
        }
        assert_eq!(remaining.left(s(5)), Some(s(25)));
        // Two matches at once: 15 s of thinking in 10 s.
        remaining.add(long, 10e6);
        remaining.done_us += 10e6;
        assert_eq!(remaining.left(s(10)), Some(Duration::from_secs_f64(10.0 * (5.0 + 190.0) / 15.0)));
        // A match of an earlier run shows how long matches are, not how fast they are played now.
        remaining.add(long, 10e6);
        assert_eq!(remaining.left(s(10)), Some(Duration::from_secs_f64(10.0 * (5.0 + 180.0) / 15.0)));
    }

    #[test]
    fn the_first_match_after_a_resume_is_not_taken_for_the_speed_of_all() {
        let game = "push";
        let mut remaining = Remaining::new([(game.to_owned(), 121)]);
        for _ in 0..20 {
            remaining.add(game, 10e6);
        }
        // Four at once, of which a short one ends after 2 s: 100 matches of 10 s take 250 s.
        (1..=4).for_each(|number| remaining.add_begun(number));
        remaining.add(game, 2e6);
        (remaining.done_us, remaining.n_done) = (2e6, 1);
        let left = remaining.left(Duration::from_secs(2)).unwrap().as_secs_f64();
        assert!((240.0..320.0).contains(&left), "{left}");
    }

    #[test]
    fn the_speed_is_a_number_that_one_can_read() {
        for (n_done, seconds, speed) in [
            (0, 60, None),
            (1, 300, Some("12 an hour")),
            (6, 60, Some("6 a minute")),
            (30, 10, Some("180 a minute")),
        ] {
            let remaining = Remaining { n_done, ..Remaining::default() };
            assert_eq!(remaining.speed(Duration::from_secs(seconds)).as_deref(), speed);
        }
        let remaining = Remaining { n_done: 3, ..Remaining::default() };
        assert_eq!(remaining.done(5, 8, Duration::from_secs(61)), "5 of 8 matches in 00:01:01, 3 a minute");
    }
}
