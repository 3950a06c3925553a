//! Estimates how long a tournament will take, before it starts. Pure arithmetic from the limits.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use engine_proto::{GameId, Games};

use super::{Pairing, Plan};
use model::{Engine, Record, TimeControl, rated_game};

/// The typical number of plies of a match of one of these `games`, at most `max_plies`.
pub fn typical_plies(games: &Games, game: GameId, max_plies: u32) -> u32 {
    games.info(game).map_or(max_plies, |info| info.typical_plies.min(max_plies))
}

/// The time of matches of each game, as the ratings count it, that were played before.
#[derive(Clone, Debug, Default)]
pub struct Played {
    of_game: HashMap<String, (u32, Duration)>,
}

impl Played {
    /// Adds a match, unless no move was made in it.
    pub fn add(&mut self, record: &Record) {
        if record.moves.is_empty() {
            return;
        }
        let (n_matches, time) = self.of_game.entry(record.rated_game().into_owned()).or_default();
        *n_matches += 1;
        *time += Duration::from_millis(record.white_ms.saturating_add(record.black_ms));
    }

    fn mean(&self, game: &str) -> Option<Duration> {
        self.of_game.get(game).map(|(n_matches, time)| *time / *n_matches)
    }
}

/// The estimated duration of the matches of a schedule.
#[derive(Debug)]
pub struct Estimate<'a> {
    games: &'a Games,
    max_plies: u32,
    played: &'a Played,
    /// The total thinking time of all matches that can be estimated.
    thinking: Duration,
    n_by_played: u32,
    n_by_limits: u32,
    n_unknown: u32,
    /// The indices of contenders without a time limit.
    untimed: BTreeSet<usize>,
}

impl<'a> Estimate<'a> {
    /// An estimate without matches. Matches have at most `max_plies`; `played` are the times of earlier matches.
    pub const fn new(games: &'a Games, max_plies: u32, played: &'a Played) -> Self {
        Self {
            games,
            max_plies,
            played,
            thinking: Duration::ZERO,
            n_by_played: 0,
            n_by_limits: 0,
            n_unknown: 0,
            untimed: BTreeSet::new(),
        }
    }

    /// Adds `n_matches` of a pairing of `plan`, whose contenders are `engines`. It uses the times of earlier matches,
    /// otherwise the limits.
    pub fn add(&mut self, plan: &Plan, pairing: Pairing, engines: &[Arc<Engine>], n_matches: u32) {
        if n_matches == 0 {
            return;
        }
        let Pairing { game_idx, limits_idx, contenders } = pairing;
        let (game, limits) = (plan.games()[game_idx], plan.limits(limits_idx));
        if let Some(mean) = self.played.mean(&rated_game(game.id(), limits)) {
            self.thinking += mean * n_matches;
            self.n_by_played += n_matches;
            return;
        }
        let n_moves = typical_plies(self.games, game, self.max_plies).div_ceil(2);
        let times =
            contenders.map(|contender| all_time(engines[contender].time_control_under(limits), n_moves));
        for (time, contender) in times.iter().zip(contenders) {
            if time.is_none() {
                self.untimed.insert(contender);
            }
        }
        if times == [None, None] {
            self.n_unknown += n_matches;
            return;
        }
        self.n_by_limits += n_matches;
        self.thinking += times.into_iter().flatten().sum::<Duration>() * n_matches;
    }

    /// The mean time of the matches that can be estimated, and whether all of it comes from earlier matches. `None` if
    /// no time limits any of them.
    pub fn mean(&self) -> Option<(Duration, bool)> {
        let n_estimated = self.n_by_played + self.n_by_limits;
        (0 < n_estimated).then(|| (self.thinking / n_estimated, self.n_by_limits == 0))
    }

    /// The estimate in words for this concurrency, with the contenders' `names`.
    pub fn text(&self, concurrency: usize, names: &[&str]) -> String {
        let n_estimated = self.n_by_played + self.n_by_limits;
        if n_estimated + self.n_unknown == 0 {
            return "time: none, because all matches are finished".to_owned();
        }
        if n_estimated == 0 {
            return "time: unknown, because only nodes or depth limit the engines; after some matches, `--dry-run` \
                    can estimate it"
                .to_owned();
        }
        let places = concurrency.clamp(1, n_estimated as usize) as u32;
        let time = duration_text((self.thinking / places).as_secs_f64());
        let mut text = format!("time: about {time} for {n_estimated} matches, {places} at a time");
        if 0 < self.n_by_played {
            text.push_str(&format!(
                "\n  {} matches: estimated from the finished matches of their game",
                self.n_by_played
            ));
        }
        if 0 < self.n_by_limits {
            text.push_str(&format!(
                "\n  {} matches: upper estimate from the limits and the usual length, as if every engine used all its time",
                self.n_by_limits
            ));
        }
        if !self.untimed.is_empty() {
            let names: Vec<_> = self.untimed.iter().map(|&idx| names[idx]).collect();
            text.push_str(&format!(
                "\n  not counted, because they have no time limit: the moves of {}",
                names.join(", ")
            ));
        }
        text
    }
}

/// The time that a side may use for this number of moves; `None` if no time limits it.
fn all_time(control: &TimeControl, n_moves: u32) -> Option<Duration> {
    let of_clock = control.base.map(|base| {
        let n_sessions = control.moves_to_go.map_or(1, |moves| n_moves.div_ceil(moves).max(1));
        base * n_sessions + control.increment * n_moves
    });
    let of_moves = control.move_time.map(|time| time * n_moves);
    [of_clock, of_moves].into_iter().flatten().min()
}

/// The number of seconds in words, rounded to its precision.
pub fn duration_text(seconds: f64) -> String {
    humantime::format_duration(rounded(seconds.ceil() as u64)).to_string()
}

/// Rounds to a suitable number of digits.
fn rounded(seconds: u64) -> Duration {
    let unit = match seconds {
        0..120 => 1,
        120..7200 => 60,
        _ => 600,
    };
    Duration::from_secs(seconds.div_ceil(unit) * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round_robin;
    use model::samples;

    const SECOND: Duration = Duration::from_secs(1);

    fn control(base: Option<u32>, move_time: Option<u32>) -> TimeControl {
        TimeControl {
            base: base.map(|seconds| seconds * SECOND),
            increment: SECOND / 10,
            move_time: move_time.map(|seconds| seconds * SECOND),
            ..TimeControl::unlimited(SECOND)
        }
    }

    #[test]
    fn all_the_time_that_a_side_has() {
        assert_eq!(all_time(&control(Some(10), None), 20), Some(12 * SECOND));
        assert_eq!(all_time(&control(None, Some(2)), 20), Some(40 * SECOND));
        assert_eq!(all_time(&control(Some(10), Some(2)), 20), Some(12 * SECOND));
        assert_eq!(all_time(&control(None, None), 20), None);
        let again = TimeControl { moves_to_go: Some(8), ..control(Some(10), None) };
        assert_eq!(all_time(&again, 20), Some(32 * SECOND));
    }

    #[test]
    fn it_says_what_it_rests_on() {
        let played = Played::default();
        let [timed, untimed] = [control(None, Some(1)), control(None, None)];
        let text = |controls: [&TimeControl; 2]| {
            let mut estimate = Estimate::new(Games::built_in(), 20, &played);
            let engines = controls
                .map(|control| Arc::new(Engine { time_control: control.clone(), ..samples::engine("one") }));
            let pairings = round_robin(2, 1, |_, _| true);
            let plan = Plan::new(vec![GameId::PUSH], pairings.clone(), 2);
            estimate.add(&plan, pairings[0], &engines, 4);
            estimate.text(2, &["one", "two"])
        };
        // Four matches of ten moves a side, two at once.
        let both = text([&timed, &timed]);
        assert!(
            both.starts_with(
                "time: about 40s for 4 matches, 2 at a time\n  4 matches: upper estimate from the limits"
            ),
            "{both}"
        );
        let one = text([&timed, &untimed]);
        assert!(one.starts_with("time: about 20s") && one.ends_with("the moves of two"), "{one}");
        assert!(text([&untimed, &untimed]).starts_with("time: unknown"));
        assert_eq!(
            Estimate::new(Games::built_in(), 20, &played).text(2, &[]),
            "time: none, because all matches are finished"
        );
    }
}
