//! Whether the intervals hold what they promise, and how often sequential tests err: proved on simulated tournaments. The
//! whole proof is not run by default; its output is kept in `results/coverage/coverage.txt`:
//!
//! `cargo test -p ratings --release --test coverage -- --ignored --nocapture --test-threads 1`

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

mod common;

use common::ladder;
use ratings::simulation::{
    Conditions, EngineForecast, Forecast, Meeting, Openings, ScopeForecast, Share, SimulatedGame,
    SimulatedTournament, Simulator,
};
use ratings::{Confidence, OVERALL, RatingSettings, Standings, Status};

/// As many tournaments for a row of the whole proof.
const TOURNAMENTS: u32 = 2000;

const USUAL: Conditions = Conditions { draw_rate: 0.3, first_player: 40.0, openings: 80.0 };

/// One kind of tournament, and what is demanded of its intervals.
struct Row {
    name: &'static str,
    tournament: SimulatedTournament,
    /// Independent pairs of each engine in each game.
    clusters: u32,
    demands: Demands,
}

/// The shares of intervals that must hold the truth, 0 to 1.
#[derive(Clone, Copy)]
struct Demands {
    /// Of ratings, and of differences.
    ratings: [f64; 2],
    /// Of each engine by itself, at least.
    engine: f64,
    first_player: [f64; 2],
    /// At least.
    draw_rate: f64,
}

impl Demands {
    /// Where every pair has an opening of its own: nearly the nominal 95 % where there are enough pairs to measure errors by,
    /// more where there are few, and hardly ever less.
    fn of_own_openings(clusters: u32) -> Self {
        let ratings = match clusters {
            40.. => [0.94, 0.96],
            15.. => [0.94, 0.967],
            _ => [0.94, 1.0],
        };
        Self { ratings, engine: 0.93, first_player: [0.93, 0.97], draw_rate: 0.88 }
    }

    /// Where pairings share openings, few of them widen the intervals: they say little about others.
    fn of_shared_openings(openings: u32) -> Self {
        Self {
            ratings: [0.93, if openings < 31 { 1.0 } else { 0.97 }],
            engine: 0.9,
            first_player: [0.93, if openings < 10 { 1.0 } else { 0.97 }],
            draw_rate: 0.88,
        }
    }

    /// Where few pairs are decided: wider than need be is accepted.
    fn of_few_decided() -> Self {
        Self { ratings: [0.93, 1.0], engine: 0.93, first_player: [0.93, 1.0], draw_rate: 0.88 }
    }

    /// Where an engine wins or loses all its matches in many tournaments, the two-sided intervals are those of the others, so
    /// their share is not the nominal one. What counts are the bounds.
    fn of_perfect_scores() -> Self {
        Self { ratings: [0.93, 1.0], engine: 0.93, first_player: [0.93, 1.0], draw_rate: 0.88 }
    }
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
        let clusters = 2 * pairs / n_engines as u32;
        let game = SimulatedGame {
            name: "game".to_owned(),
            conditions,
            strengths: ladder(n_engines, spread),
            meetings,
        };
        Self {
            name,
            tournament: common::tournament(n_engines, vec![game], 2026),
            clusters,
            demands: Demands::of_own_openings(clusters),
        }
    }

    /// The same with one opening for the n-th pairs of all pairings, as the arena plays them.
    fn sharing_openings(mut self) -> Self {
        self.tournament.openings = Openings::Shared;
        let meetings = self.tournament.games.iter().flat_map(|game| &game.meetings);
        let openings = meetings.map(|meeting| meeting.pairs).max().unwrap_or(0);
        self.demands = Demands::of_shared_openings(openings);
        self
    }

    /// The same with most matches drawn.
    fn with_few_decided(mut self) -> Self {
        self.demands = Demands::of_few_decided();
        self
    }

    /// Simulates it, prints its line and says what is not as demanded.
    fn check(&self, tournaments: u32) -> Vec<String> {
        let forecast = Simulator::new(self.tournament.clone(), Confidence::default()).forecast(tournaments);
        scopes(&forecast).into_iter().flat_map(|scope| self.check_scope(scope)).collect()
    }

    fn check_scope(&self, scope: &ScopeForecast) -> Vec<String> {
        let engines = &scope.engines;
        let mean =
            |of: fn(&EngineForecast) -> f64| engines.iter().map(of).sum::<f64>() / engines.len() as f64;
        let of_engine = |engine: Option<&EngineForecast>| engine.and_then(|engine| engine.held);
        let lowest =
            engines.iter().filter_map(|engine| engine.held).min_by(|a, b| a.value.total_cmp(&b.value));
        println!(
            "{:<48} {:<7} {:>5} {:>10} {:>10} {:>5} {:>6} {:>10} {:>10} {:>7.1} {:>7.2} {:>6.2}",
            self.name,
            scope.name,
            self.clusters,
            shown(scope.ratings_held),
            shown(scope.differences_held),
            percent(of_engine(engines.first())),
            percent(lowest),
            shown(scope.first_player_held),
            shown(scope.draw_rate_held),
            mean(|engine| engine.half_width.map_or(0.0, |width| width.median)),
            100.0 * mean(|engine| engine.one_sided.value),
            100.0 * scope.bounds_missed.map_or(0.0, |share| share.value),
        );
        let Demands { ratings, engine, first_player, draw_rate } = self.demands;
        [
            ("ratings", scope.ratings_held, ratings),
            ("differences", scope.differences_held, ratings),
            ("the engine that holds least", lowest, [engine, 1.0]),
            ("first player", scope.first_player_held, first_player),
            ("draw rate", scope.draw_rate_held, [draw_rate, 1.0]),
            // What is missed beyond one-sided bounds is missed by all engines, not only by those with a bound.
            ("bounds missed", scope.bounds_missed, [0.0, 0.025]),
        ]
        .into_iter()
        .filter_map(|(what, held, [least, most])| {
            let value = held?.value;
            (value < least || most < value).then(|| {
                format!("{}, {}, {what}: {value:.4}, demanded {least} to {most}", self.name, scope.name)
            })
        })
        .collect()
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

fn percent(share: Option<Share>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share.value))
}

/// Everybody meets everybody; `pairs` in all are dealt out as evenly as can be.
fn round_robin(n_engines: usize, pairs: u32) -> Vec<Meeting> {
    let all: Vec<[usize; 2]> =
        (0..n_engines).flat_map(|first| (first + 1..n_engines).map(move |second| [first, second])).collect();
    let n_meetings = all.len() as u32;
    let dealt = |place: u32| pairs / n_meetings + u32::from(place < pairs % n_meetings);
    all.into_iter().zip(0..).map(|(engines, place)| Meeting { engines, pairs: dealt(place) }).collect()
}

/// Every engine meets every other in this number of pairs.
fn everybody(n_engines: usize, pairs: u32) -> Vec<Meeting> {
    round_robin(n_engines, pairs * (n_engines * (n_engines - 1) / 2) as u32)
}

/// In a ring, every engine meets those this number of places ahead and behind.
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
                let mut strengths = ladder(ENGINES, 120.0);
                strengths.rotate_left(number % 3);
                SimulatedGame {
                    name: format!("game-{}", number + 1),
                    conditions: Conditions { draw_rate, first_player, openings },
                    strengths,
                    meetings: round_robin(ENGINES, 200),
                }
            })
            .collect();
    Row {
        name: "overall mean of five games",
        tournament: common::tournament(ENGINES, games, 2026),
        clusters: 50,
        demands: Demands::of_own_openings(50),
    }
}

/// Every pair has an opening of its own.
fn rows_of_own_openings() -> Vec<Row> {
    let league = |name, spread, conditions| Row::new(name, 8, spread, conditions, round_robin(8, 200));
    vec![
        league("8 engines, 200 pairs", 120.0, USUAL),
        league("the same, openings differ by 300 Elo", 120.0, Conditions { openings: 300.0, ..USUAL }),
        league("the same, first player + 310 Elo", 120.0, Conditions { first_player: 310.0, ..USUAL }),
        league("the same, 60 % draws", 120.0, Conditions { draw_rate: 0.6, ..USUAL }),
        league("the same, engines from +300 to -300 Elo", 300.0, USUAL),
        Row::new("60 engines, each 10 pairs with 4 others", 60, 150.0, USUAL, ring(60, &[1, 7], 10)),
        Row::new("30 engines, each 2 pairs with 10 others", 30, 150.0, USUAL, ring(30, &[1, 2, 5, 7, 11], 2)),
        Row::new("6 engines, 15 pairs each", 6, 120.0, USUAL, round_robin(6, 45)),
        Row::new("4 engines, 9 pairs each", 4, 100.0, USUAL, round_robin(4, 18)),
        five_games(),
    ]
}

/// All pairings share their openings, as in the arena's tournaments.
fn rows_of_shared_openings() -> Vec<Row> {
    let league = |name, n_engines: usize, spread, by: f64, openings: u32| {
        let conditions = Conditions { openings: by, ..USUAL };
        Row::new(name, n_engines, spread, conditions, everybody(n_engines, openings)).sharing_openings()
    };
    let gauntlet = |name, by: f64, pairs| {
        let meetings = (1..8).map(|other| Meeting { engines: [0, other], pairs }).collect();
        Row::new(name, 8, 120.0, Conditions { openings: by, ..USUAL }, meetings).sharing_openings()
    };
    vec![
        league("8 engines, 10 openings that differ by 50 Elo", 8, 120.0, 50.0, 10),
        league("the same, by 100 Elo", 8, 120.0, 100.0, 10),
        league("the same, by 300 Elo", 8, 120.0, 300.0, 10),
        league("8 engines, 3 openings by 80 Elo", 8, 120.0, 80.0, 3),
        league("8 engines, 4 openings by 300 Elo", 8, 120.0, 300.0, 4),
        league("8 engines, 40 openings by 80 Elo", 8, 120.0, 80.0, 40),
        league("13 engines, sd 312 Elo, 10 openings by 300 Elo", 13, 500.0, 300.0, 10),
        league("13 engines, sd 312 Elo, 100 openings by 300 Elo", 13, 500.0, 300.0, 100),
        gauntlet("1 against 7, 10 openings by 300 Elo", 300.0, 10),
        gauntlet("1 against 7, 30 openings by 300 Elo", 300.0, 30),
    ]
}

/// Two or three engines, most matches drawn.
fn rows_of_few_decided() -> Vec<Row> {
    let row = |name, n_engines: usize, pairs: u32, draw_rate: f64| {
        let conditions = Conditions { draw_rate, ..USUAL };
        Row::new(name, n_engines, 30.0, conditions, everybody(n_engines, pairs)).with_few_decided()
    };
    vec![
        row("2 engines, 10 pairs, 90 % draws", 2, 10, 0.9),
        row("2 engines, 10 pairs, 95 % draws", 2, 10, 0.95),
        row("2 engines, 30 pairs, 90 % draws", 2, 30, 0.9),
        row("2 engines, 30 pairs, 95 % draws", 2, 30, 0.95),
        row("3 engines, 10 pairs a pairing, 90 % draws", 3, 10, 0.9),
        row("3 engines, 10 pairs a pairing, 95 % draws", 3, 10, 0.95),
        row("3 engines, 30 pairs a pairing, 90 % draws", 3, 30, 0.9),
        row("3 engines, 30 pairs a pairing, 95 % draws", 3, 30, 0.95),
    ]
}

/// So far apart that some engines win or lost every match: their bounds may be wrong in 2.5 % of the tournaments.
fn rows_of_perfect_scores() -> Vec<Row> {
    let row = |name, n_engines: usize, spread, pairs: u32| Row {
        demands: Demands::of_perfect_scores(),
        ..Row::new(name, n_engines, spread, USUAL, everybody(n_engines, pairs))
    };
    vec![
        row("2 engines, 400 Elo apart, 10 pairs", 2, 200.0, 10),
        row("2 engines, 800 Elo apart, 40 pairs", 2, 400.0, 40),
        row("5 engines from +800 to -800 Elo, 4 pairs a pairing", 5, 800.0, 4),
    ]
}

fn check(title: &str, rows: &[Row]) {
    println!(
        "\n{title}\n95 % intervals that hold the truth, {TOURNAMENTS} tournaments a row; ± is twice the standard error"
    );
    println!(
        "{:<48} {:<7} {:>5} {:>10} {:>10} {:>5} {:>6} {:>10} {:>10} {:>7} {:>7} {:>6}",
        "tournament",
        "scope",
        "pairs",
        "ratings",
        "differ.",
        "first",
        "lowest",
        "first pl.",
        "draw rate",
        "± Elo",
        "1-sided",
        "missed"
    );
    let problems: Vec<String> = rows.iter().flat_map(|row| row.check(TOURNAMENTS)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
#[ignore = "minutes in a release build; see the head of this file"]
fn intervals_hold_the_truth() {
    check("every pair has an opening of its own", &rows_of_own_openings());
}

#[test]
#[ignore = "minutes in a release build; see the head of this file"]
fn bounds_hold_the_truth_where_scores_are_perfect() {
    check("some engines win or lose every match", &rows_of_perfect_scores());
}

#[test]
#[ignore = "minutes in a release build; see the head of this file"]
fn intervals_hold_the_truth_where_pairings_share_openings() {
    check("all pairings share their openings", &rows_of_shared_openings());
}

#[test]
#[ignore = "minutes in a release build; see the head of this file"]
fn intervals_hold_the_truth_where_few_pairs_are_decided() {
    check("few pairs are decided", &rows_of_few_decided());
}

/// Below ten decided pairs, every engine with an interval is named in a note and has no rank range.
#[test]
fn few_decided_pairs_are_named() {
    let mut n_few = 0;
    for row in rows_of_few_decided() {
        for number in 0..20 {
            let standings = Standings::new(&row.tournament.play(number), &RatingSettings::default());
            let scope = &standings.scopes[1];
            let named: Vec<&str> = scope
                .notes
                .iter()
                .filter(|note| note.kind == "few")
                .flat_map(|note| note.engines.iter().map(String::as_str))
                .collect();
            for rating in scope.engines.iter().filter(|rating| rating.status == Status::Bounded) {
                let is_few = rating.decided.is_some_and(|decided| decided < 10);
                assert_eq!(named.contains(&rating.engine.as_str()), is_few, "{}: {rating:?}", row.name);
                assert!(!is_few || rating.rank_low.is_none(), "{}: {rating:?}", row.name);
                n_few += usize::from(is_few);
            }
        }
    }
    assert!(100 < n_few, "{n_few} engines with few decided pairs");
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
