//! Tunings of simulated engines whose strength is a known function of their options.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine_proto::GameId;

use super::{TuneScheduler, Tuning};
use crate::{JobScheduler, NextJob, Scheduler, planning};
use model::{GameSetup, Job, Record, Tournament, Tune, TuneOption, samples};
use ratings::MatchResult;

const START: f64 = 100.0;
const STEP: f64 = 10.0;
/// What an option costs that is a step away from its best value, in Elo.
const ELO_OF_STEP: f64 = 2.5;
/// How far the best values are from the start, in steps: each option is worth 10 Elo.
const STEPS_OFF: f64 = 2.0;

fn tournament(n_options: usize, pairs: u32, seed: u64) -> Tournament {
    let option = |idx: usize| TuneOption {
        name: format!("Option{idx}"),
        min: 0.0,
        max: 200.0,
        start: Some(START),
        step: STEP,
        float: false,
        scale: None,
    };
    let tune = Tune {
        engine: "mine".to_owned(),
        pairs_per_point: 1,
        lag: 2,
        max_faults: 100,
        weights: BTreeMap::new(),
        options: (0..n_options).map(option).collect(),
    };
    Tournament { tune: Some(tune), seed, ..samples::tournament(&["mine+", "mine-"], pairs) }
}

const GAMES: [GameId; 2] = [GameId::PUSH, GameId::PUSH_PUSH];

/// The same in two games with these weights.
fn in_two_games(weights: [f64; 2], tournament: Tournament) -> Tournament {
    let games = GAMES.map(|id| GameSetup { id, ..tournament.games[0].clone() });
    let weights = GAMES.into_iter().zip(weights).collect();
    let tune = tournament.tune.map(|tune| Tune { weights, ..tune });
    Tournament { games: games.to_vec(), tune, ..tournament }
}

/// The best value of each option.
fn best(seed: u64, n_options: usize) -> Vec<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(!seed);
    let sign = |_| if generator.next_u64() % 2 == 0 { 1.0 } else { -1.0 };
    (0..n_options).map(sign).map(|sign: f64| START + sign * STEPS_OFF * STEP).collect()
}

/// The Elo that these values leave on the table.
fn loss(values: impl IntoIterator<Item = f64>, best: &[f64]) -> f64 {
    values.into_iter().zip(best).map(|(value, best)| ELO_OF_STEP * ((value - best) / STEP).powi(2)).sum()
}

fn numbers<'a>(values: impl IntoIterator<Item = &'a String>) -> impl Iterator<Item = f64> {
    values.into_iter().map(|text| text.parse().unwrap())
}

/// A match of the first engine, White in odd matches: 40 % of the matches are drawn.
fn record(number: u32, game: GameId, elo: f64, generator: &mut ChaCha8Rng) -> Record {
    let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let drawn = (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let has_white = number % 2 == 1;
    let result = match (drawn < score - 0.2, drawn < score + 0.2) {
        (true, _) => {
            if has_white {
                MatchResult::WhiteWins
            } else {
                MatchResult::BlackWins
            }
        }
        (_, true) => MatchResult::Draw,
        _ => {
            if has_white {
                MatchResult::BlackWins
            } else {
                MatchResult::WhiteWins
            }
        }
    };
    let [white, black] = if has_white { ["mine+", "mine-"] } else { ["mine-", "mine+"] };
    Record {
        number,
        game,
        result,
        white: white.into(),
        black: black.into(),
        reason: "goal".into(),
        ..samples::record()
    }
}

/// Plays a whole tuning; the options of a flat one do nothing.
fn tuned(n_options: usize, matches: u32, seed: u64, is_flat: bool) -> Tuning {
    let mut tuning = Tuning::new(&tournament(n_options, matches / 2, seed));
    let best = best(seed, n_options);
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    for number in 1..=matches {
        let [plus, minus] = tuning.point(tuning.point_of(number)).unwrap();
        let elo = loss(numbers(&minus), &best) - loss(numbers(&plus), &best);
        tuning.add(&record(number, GameId::PUSH, if is_flat { 0.0 } else { elo }, &mut generator));
    }
    assert_eq!(tuning.n_finished(), matches / 2);
    tuning
}

/// The mean loss that is left after tunings with these seeds, in Elo.
fn left(n_options: usize, matches: u32, n: u64) -> f64 {
    let left = |seed| {
        let found = tuned(n_options, matches, seed, false).found();
        loss(found.iter().map(|found| found.value), &best(seed, n_options))
    };
    let left = (1..=n).map(left).sum::<f64>() / n as f64;
    let before = loss(vec![START; n_options], &best(1, n_options));
    println!(
        "{n_options} options, {matches} matches: {left:.1} of {before:.0} Elo left, mean of {n} tunings"
    );
    left
}

#[test]
fn three_options_need_some_thousand_matches() {
    let left = left(3, 5000, 20);
    assert!(left < 4.0, "{left}");
}

#[test]
#[ignore = "a minute"]
fn what_tuning_leaves() {
    for (n_options, matches, most) in [(3, 5000, 2.0), (6, 20_000, 2.0), (12, 60_000, 2.0)] {
        assert!(left(n_options, matches, 100) < most);
    }
}

#[test]
fn options_that_do_nothing_do_not_move() {
    let n_moved = (1..=40).filter(|seed| tuned(3, 1000, *seed, true).has_moved()).count();
    assert!(n_moved <= 6, "{n_moved} of 40 at a level of 5 %");
    let n_moved = (1..=20).filter(|seed| tuned(3, 5000, *seed, false).has_moved()).count();
    assert!(n_moved >= 17, "{n_moved} of 20");
}

#[test]
fn games_count_by_their_weights() {
    let tournament = in_two_games([3.0, 1.0], tournament(1, 10, 1));
    let mut tuning = Tuning::new(&tournament);
    // The first engine wins both matches of Push, and loses both of Push Push.
    for (number, elo) in (1..).zip([1e4, 1e4, -1e4, -1e4]) {
        let game = GAMES[usize::from(elo < 0.0)];
        tuning.add(&record(number, game, elo, &mut ChaCha8Rng::seed_from_u64(1)));
    }
    assert_eq!(tuning.scores(), [2.0 * 1.5 - 2.0 * 0.5], "the weights are 1 on average");
}

/// The best values of two games are on either side of the start.
#[test]
fn the_values_found_are_best_for_the_weighted_mean() {
    const PAIRS: u32 = 2000;
    for (weights, best) in [([1.0, 0.0], -2.0), ([1.0, 1.0], 0.0), ([1.0, 3.0], 1.0), ([0.0, 0.5], 2.0)] {
        let mut tuning = Tuning::new(&in_two_games(weights, tournament(1, PAIRS, 1)));
        let mut generator = ChaCha8Rng::seed_from_u64(1);
        for number in 1..=4 * PAIRS {
            let [plus, minus] = tuning.point(tuning.point_of(number)).unwrap();
            let idx = (number as usize - 1) / 2 % 2;
            let of_game = [[START - 2.0 * STEP], [START + 2.0 * STEP]][idx];
            let elo = 4.0 * (loss(numbers(&minus), &of_game) - loss(numbers(&plus), &of_game));
            tuning.add(&record(number, GAMES[idx], elo, &mut generator));
        }
        let off = (tuning.found()[0].value - START) / STEP - best;
        assert!(off.abs() < 0.5, "{weights:?}: {off} steps off");
    }
}

#[test]
fn a_scaled_option_is_tuned_as_the_whole_number_that_the_engine_gets() {
    let whole = tournament(1, 300, 1);
    let mut scaled = whole.clone();
    let option = &mut scaled.tune.as_mut().unwrap().options[0];
    *option = TuneOption {
        max: option.max / 100.0,
        start: Some(START / 100.0),
        step: STEP / 100.0,
        scale: Some(100.0),
        ..option.clone()
    };
    let mut tunings = [whole, scaled].map(|tournament| Tuning::new(&tournament));
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    for number in 1..=600 {
        let [one, other] = tunings.each_ref().map(|tuning| tuning.point(tuning.point_of(number)).unwrap());
        assert_eq!(one, other);
        let elo = loss(numbers(&one.minus), &[70.0]) - loss(numbers(&one.plus), &[70.0]);
        let record = record(number, GameId::PUSH, elo, &mut generator);
        for tuning in &mut tunings {
            tuning.add(&record);
        }
    }
    assert_eq!(tunings[0].answer(), tunings[1].answer());
    let [whole, scaled] = tunings.map(|tuning| tuning.found()[0].value);
    assert!((whole - 100.0 * scaled).abs() < 1e-6 && whole != START, "{whole} {scaled}");
}

fn shared(tournament: &Tournament) -> Rc<RefCell<Tuning>> {
    Rc::new(RefCell::new(Tuning::new(tournament)))
}

/// The values that each match of a tournament was played with, by number, if `places` matches run at once and end in any
/// order, and the tuning at the end. `earlier` are the matches of an earlier run; it ends after `n_most` matches.
fn conduct(places: usize, earlier: &[Record], n_most: usize) -> (Vec<Record>, Vec<Job>, Tuning) {
    let tournament = Arc::new(in_two_games([0.1, 0.6], tournament(3, 60, 5)));
    let jobs = JobScheduler::new(
        Arc::clone(&tournament),
        planning::course(&tournament),
        planning::openings(&tournament).unwrap(),
        BTreeMap::new(),
    );
    let tuning = shared(&tournament);
    let mut scheduler = TuneScheduler::new(jobs, Rc::clone(&tuning));
    for record in earlier.iter().chain(earlier) {
        scheduler.add(record);
    }
    let best = best(5, 3);
    let mut order = ChaCha8Rng::seed_from_u64(places as u64);
    let (mut running, mut played, mut records) = (Vec::<Job>::new(), Vec::new(), earlier.to_vec());
    loop {
        while running.len() < places
            && records.len() < n_most
            && let NextJob::Play(job) = scheduler.next().unwrap()
        {
            running.push(*job);
        }
        if running.is_empty() {
            return (records, played, tuning.borrow().clone());
        }
        let job = running.remove(order.next_u64() as usize % running.len());
        let [white, black] =
            job.players.each_ref().map(|player| loss(numbers(player.engine.options.values()), &best));
        let elo = if job.number % 2 == 1 { black - white } else { white - black };
        let record = record(job.number, job.game, elo, &mut ChaCha8Rng::seed_from_u64(job.number.into()));
        assert_eq!(job.names(), [&record.white, &record.black]);
        scheduler.add(&record);
        records.push(record);
        played.push(job);
    }
}

#[test]
fn values_depend_neither_on_the_number_of_places_nor_on_interruptions() {
    let in_order = |mut jobs: Vec<Job>| {
        jobs.sort_by_key(|job| job.number);
        jobs
    };
    let (_, jobs, tuning) = conduct(1, &[], usize::MAX);
    assert_eq!((jobs.len(), tuning.n_finished()), (240, 60));
    let expected = in_order(jobs);
    assert_ne!(expected[0].players[0].engine.options, expected[239].players[0].engine.options);
    for places in [2, 3, 16] {
        let (records, first, _) = conduct(places, &[], 50);
        assert!(records.len() < 60);
        let (records, second, ended) = conduct(places, &records, usize::MAX);
        assert_eq!(records.len(), 240);
        assert_eq!(in_order([first, second].concat()), expected, "{places}");
        assert_eq!(ended.iterates(), tuning.iterates());
    }
}

#[test]
fn a_tuning_stops_if_the_engine_fails_too_often() {
    let tournament = Arc::new(tournament(1, 200, 1));
    let openings = planning::openings(&tournament).unwrap();
    let jobs =
        JobScheduler::new(Arc::clone(&tournament), planning::course(&tournament), openings, BTreeMap::new());
    let tuning = shared(&tournament);
    let mut scheduler = TuneScheduler::new(jobs, Rc::clone(&tuning));
    for n_faults in 1..=100 {
        let NextJob::Play(job) = scheduler.next().unwrap() else { panic!("{n_faults}") };
        assert_eq!(tuning.borrow().too_many_faults(), None);
        scheduler.add(&Record::without_moves(&job, MatchResult::BlackWins, "crash"));
    }
    assert_eq!((scheduler.next().unwrap(), tuning.borrow().too_many_faults()), (NextJob::Over, Some(100)));
}
