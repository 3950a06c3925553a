//! Whether the intervals hold what they promise, and how often sequential tests err: proved on simulated tournaments. The
//! whole proof is not run by default; its output is kept in `results/coverage/coverage.txt`:
//!
//! `cargo test -p ratings --release --test coverage -- --ignored --nocapture --test-threads 1`

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use ratings::simulation::{
    Conditions, Forecast, Meeting, Openings, ScopeForecast, Share, SimulatedGame, SimulatedTournament,
    Simulator,
};
use ratings::{Confidence, OVERALL};

/// As many tournaments for a row of the whole proof.
const TOURNAMENTS: u32 = 2000;

const USUAL: Conditions = Conditions { draw_rate: 0.3, first_player: 40.0, openings: 80.0 };

/// One kind of tournament, and what is demanded of its intervals.
struct Row {
    name: &'static str,
    tournament: SimulatedTournament,
    /// Independent pairs of each engine in each game.
    clusters: u32,
}

impl Row {
    fn new(
        name: &'static str,
        n_engines: usize,
        spread: f64,
        conditions: Conditions,
        meetings: Vec<Meeting>,
    ) -> Self {
        let pairs: u32 = meetings.iter().map(|meeting| meeting.pairs).sum();
        let game = SimulatedGame {
            name: "game".to_owned(),
            conditions,
            strengths: evenly(n_engines, spread),
            meetings,
        };
        Self { name, tournament: tournament(n_engines, vec![game]), clusters: 2 * pairs / n_engines as u32 }
    }

    /// The same with one opening for the n-th pairs of all pairings, as the arena plays them.
    fn sharing_openings(mut self) -> Self {
        self.tournament.openings = Openings::Shared;
        self
    }

    /// The shares of intervals that may hold the truth: nearly the nominal 95 % where there are enough pairs to measure
    /// errors by, more where there are few, and hardly ever less.
    ///
    /// Where pairings share openings, few of them widen the intervals: they say little about others.
    fn demanded(&self) -> [f64; 2] {
        if self.tournament.openings == Openings::Shared {
            let many = self.openings() > 30;
            return [0.93, if many { 0.97 } else { 1.0 }];
        }
        match self.clusters {
            40.. => [0.94, 0.96],
            15.. => [0.94, 0.967],
            _ => [0.94, 1.0],
        }
    }

    /// The share that each engine by itself must reach.
    fn demanded_of_engines(&self) -> f64 {
        if self.tournament.openings == Openings::Shared { 0.9 } else { self.demanded()[0] }
    }

    /// How many openings the games have.
    fn openings(&self) -> u32 {
        let meetings = self.tournament.games.iter().flat_map(|game| &game.meetings);
        meetings.map(|meeting| meeting.pairs).max().unwrap_or(0)
    }

    /// Simulates it, prints its line and says what is not as demanded.
    fn check(&self, tournaments: u32) -> Vec<String> {
        let forecast = Simulator::new(self.tournament.clone(), Confidence::default()).forecast(tournaments);
        let mut problems = Vec::new();
        for (scope, held) in scopes(&forecast).into_iter().flat_map(|scope| {
            [
                ("ratings", scope.ratings_held),
                ("differences", scope.differences_held),
                ("first player", scope.first_player_held),
            ]
            .map(|held| (scope, held))
        }) {
            let (what, Some(held)) = held else { continue };
            let [mut least, mut most] = self.demanded();
            if what == "first player" {
                // One number a tournament: less is known of its share.
                (least, most) = (least.min(0.935) - 2.0 * held.se, 1.0);
            }
            if held.value < least || most < held.value {
                problems.push(format!(
                    "{}, {}, {what}: {held:?}, demanded {least} to {most}",
                    self.name, scope.name
                ));
            }
        }
        for scope in scopes(&forecast) {
            let widths = scope.engines.iter().filter_map(|engine| engine.half_width);
            let width = widths.map(|width| width.median).sum::<f64>() / scope.engines.len() as f64;
            let one_sided = scope.engines.iter().map(|engine| engine.one_sided.value).sum::<f64>()
                / scope.engines.len() as f64;
            println!(
                "{:<44} {:<8} {:>5} {:>12} {:>12} {:>12} {:>8.1} {:>7.2} {:>7.2}",
                self.name,
                scope.name,
                self.clusters,
                shown(scope.ratings_held),
                shown(scope.differences_held),
                shown(scope.first_player_held),
                width,
                100.0 * one_sided,
                100.0 * scope.bounds_missed.map_or(0.0, |share| share.value),
            );
            for engine in &scope.engines {
                let (least, most) = (self.demanded_of_engines(), self.demanded()[1]);
                if let Some(held) = engine.held
                    && (held.value + 4.0 * held.se < least || most < held.value - 4.0 * held.se)
                {
                    problems.push(format!("{}, {}, {}: {held:?}", self.name, scope.name, engine.engine));
                }
            }
        }
        problems
    }
}

/// The only game, or the overall ratings of several.
fn scopes(forecast: &Forecast) -> Vec<&ScopeForecast> {
    if forecast.scopes.len() == 1 {
        return forecast.scopes.iter().collect();
    }
    forecast.scopes.iter().filter(|scope| scope.name == OVERALL).collect()
}

fn shown(share: Option<Share>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} ± {:.1}", 100.0 * share.value, 200.0 * share.se))
}

fn tournament(n_engines: usize, games: Vec<SimulatedGame>) -> SimulatedTournament {
    let engines = (0..n_engines).map(|engine| format!("engine-{engine:02}")).collect();
    SimulatedTournament { engines, games, openings: Openings::Own, seed: 2026 }
}

/// Strengths from `spread` down to minus that.
fn evenly(n_engines: usize, spread: f64) -> Vec<f64> {
    let last = (n_engines - 1) as f64;
    (0..n_engines).map(|engine| spread * (1.0 - 2.0 * engine as f64 / last)).collect()
}

/// Everybody meets everybody; `pairs` in all are dealt out as evenly as can be.
fn round_robin(n_engines: usize, pairs: u32) -> Vec<Meeting> {
    let all: Vec<[usize; 2]> =
        (0..n_engines).flat_map(|first| (first + 1..n_engines).map(move |second| [first, second])).collect();
    let n_meetings = all.len() as u32;
    let dealt = |place: u32| pairs / n_meetings + u32::from(place < pairs % n_meetings);
    all.into_iter().zip(0..).map(|(engines, place)| Meeting { engines, pairs: dealt(place) }).collect()
}

/// In a ring, everybody meets those so many places ahead and behind.
fn ring(n_engines: usize, steps: &[usize], pairs: u32) -> Vec<Meeting> {
    let of_step = |&step: &usize| {
        (0..n_engines).map(move |engine| Meeting { engines: [engine, (engine + step) % n_engines], pairs })
    };
    steps.iter().flat_map(of_step).collect()
}

/// Five games that differ in all that a game can differ in, and in who is strong at them.
fn five_games() -> Row {
    const ENGINES: usize = 8;
    let games =
        [(0.05, 0.0, 0.0), (0.2, 40.0, 80.0), (0.3, 150.0, 40.0), (0.45, -60.0, 150.0), (0.6, 20.0, 200.0)]
            .into_iter()
            .enumerate()
            .map(|(number, (draw_rate, first_player, openings))| {
                let mut strengths = evenly(ENGINES, 120.0);
                strengths.rotate_left(number % 3);
                SimulatedGame {
                    name: format!("game-{}", number + 1),
                    conditions: Conditions { draw_rate, first_player, openings },
                    strengths,
                    meetings: round_robin(ENGINES, 200),
                }
            })
            .collect();
    Row { name: "overall mean of five games", tournament: tournament(ENGINES, games), clusters: 50 }
}

fn rows() -> Vec<Row> {
    let with = |change: fn(&mut Conditions)| {
        let mut conditions = USUAL;
        change(&mut conditions);
        conditions
    };
    let league = |name, spread, conditions| Row::new(name, 8, spread, conditions, round_robin(8, 200));
    let shared = |name, n_engines: usize, spread, conditions, openings: u32| {
        let n_pairings = (n_engines * (n_engines - 1) / 2) as u32;
        Row::new(name, n_engines, spread, conditions, round_robin(n_engines, openings * n_pairings))
            .sharing_openings()
    };
    vec![
        league("8 engines, 200 pairs", 120.0, USUAL),
        league("the same, openings differ by 300 Elo", 120.0, with(|game| game.openings = 300.0)),
        league("the same, first player + 310 Elo", 120.0, with(|game| game.first_player = 310.0)),
        league("the same, 60 % draws", 120.0, with(|game| game.draw_rate = 0.6)),
        league("the same, engines from +300 to -300 Elo", 300.0, USUAL),
        Row::new("60 engines, each 10 pairs with 4 others", 60, 150.0, USUAL, ring(60, &[1, 7], 10)),
        Row::new("30 engines, each 2 pairs with 10 others", 30, 150.0, USUAL, ring(30, &[1, 2, 5, 7, 11], 2)),
        Row::new("6 engines, 15 pairs each", 6, 120.0, USUAL, round_robin(6, 45)),
        Row::new("4 engines, 9 pairs each", 4, 100.0, USUAL, round_robin(4, 18)),
        five_games(),
        shared(
            "8 engines, 10 openings that differ by 50 Elo",
            8,
            120.0,
            with(|game| game.openings = 50.0),
            10,
        ),
        shared("the same, by 100 Elo", 8, 120.0, with(|game| game.openings = 100.0), 10),
        shared("the same, by 300 Elo", 8, 120.0, with(|game| game.openings = 300.0), 10),
        shared("8 engines, 40 openings that differ by 80 Elo", 8, 120.0, USUAL, 40),
        shared("8 engines, 3 openings that differ by 80 Elo", 8, 120.0, USUAL, 3),
        shared(
            "13 engines from +500, 10 openings by 300 Elo",
            13,
            500.0,
            with(|game| game.openings = 300.0),
            10,
        ),
        shared(
            "3 engines, 30 pairs each pairing, 90 % draws",
            3,
            30.0,
            with(|game| game.draw_rate = 0.9),
            30,
        ),
    ]
}

fn heading(tournaments: u32) {
    println!(
        "\n95 % intervals that hold the truth, {tournaments} tournaments a row; ± is twice the standard error"
    );
    println!(
        "{:<44} {:<8} {:>5} {:>12} {:>12} {:>12} {:>8} {:>7} {:>7}",
        "tournament",
        "scope",
        "pairs",
        "ratings, %",
        "differ., %",
        "first pl., %",
        "± Elo",
        "1-sided",
        "missed"
    );
}

#[test]
#[ignore = "minutes in a release build; see the head of this file"]
fn intervals_hold_the_truth_as_often_as_is_demanded() {
    heading(TOURNAMENTS);
    let problems: Vec<String> = rows().iter().flat_map(|row| row.check(TOURNAMENTS)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A small proof at every run of the tests: few engines, and overall.
#[test]
fn intervals_of_small_tournaments_hold_the_truth() {
    let mut small = five_games();
    small.tournament.games.truncate(2);
    for row in [Row::new("6 engines, 15 pairs each", 6, 120.0, USUAL, round_robin(6, 45)), small] {
        let forecast = Simulator::new(row.tournament.clone(), Confidence::default()).forecast(300);
        for scope in &forecast.scopes {
            for held in [scope.ratings_held, scope.differences_held] {
                let held = held.map_or(0.0, |share| share.value);
                // So few tournaments know the share to 1 % or so.
                assert!((0.93..0.975).contains(&held), "{}, {}: {held}", row.name, scope.name);
            }
        }
    }
}
