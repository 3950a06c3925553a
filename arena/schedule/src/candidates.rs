//! Tests of several candidates against one base: each has its own sequential test, and leaves when it is decided.

use super::stop::{Rule, SprtTest, SprtTests, Stopping};
use super::synthetic::World;
use super::{Course, FinishedPair, MatchSummary, Next, Pairing, Plan, Seeds, gauntlet};
use ratings::{EloModel, Hypotheses, SprtVerdict};

/// The strengths of the base and of the candidates.
const ELO: [f64; 5] = [0.0, 150.0, -60.0, 30.0, 120.0];

const LIMITS: [&str; 2] = ["short", "long"];

fn test(candidate: &str) -> SprtTest {
    let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, 80.0, 0.05, 0.05).unwrap();
    SprtTest::new([candidate.to_owned(), "engine 00".to_owned()], hypotheses, 8)
}

/// A gauntlet of the first engine against the others, under each of these limits; they are tested `in_turn` or together.
fn course_under(world: &World, n_rounds: u32, limits: &[&str], in_turn: bool) -> Course {
    let is_seed: Vec<bool> = (0..world.strengths.len()).map(|idx| idx == 0).collect();
    let games = world.plan(1).games().to_vec();
    let pairings = gauntlet(&is_seed, Seeds::Apart, games.len(), |_, _| true);
    let under = |limits_idx| pairings.iter().map(move |pairing| Pairing { limits_idx, ..*pairing });
    let pairings = (0..limits.len().max(1)).flat_map(under).collect();
    let plan = Plan::new(games, pairings, n_rounds).under(limits.iter().map(ToString::to_string).collect());
    let in_turn = if in_turn { limits } else { &[] };
    let names = world.names();
    let tests = names[1..].iter().flat_map(|name| match in_turn {
        [] => vec![test(name)],
        limits => limits.iter().enumerate().map(|(idx, limits)| test(name).under(idx, limits)).collect(),
    });
    let tests = SprtTests::new(tests.collect());
    Course::new(plan, names, None, vec![Rule::Sprt(tests)])
}

fn course(world: &World, n_rounds: u32) -> Course {
    course_under(world, n_rounds, &[], false)
}

/// The number of matches of each engine that began.
fn n_of_engine(course: &Course, begun: &[u32]) -> Vec<usize> {
    let plays = |idx: usize| {
        begun.iter().filter(move |number| course.plan().scheduled(**number).contenders.contains(&idx))
    };
    (0..ELO.len()).map(|idx| plays(idx).count()).collect()
}

#[test]
fn a_decided_candidate_leaves_and_the_others_go_on() {
    for plies in [vec![40], vec![40, 80]] {
        let world = World { plies, ..World::new(&ELO, 7) };
        let mut alone = course(&world, 2000);
        let begun = world.play_all(&mut alone, 1);
        let tests: Vec<_> = alone.findings().into_iter().map(|finding| finding.test.unwrap()).collect();
        let verdicts: Vec<SprtVerdict> = tests.iter().map(|test| test.verdict).collect();
        assert!(verdicts.contains(&SprtVerdict::H0) && verdicts.contains(&SprtVerdict::H1), "{verdicts:?}");
        let n_pairs: Vec<usize> = tests.iter().map(|test| test.n_pairs as usize).collect();
        assert!(n_pairs.iter().any(|n| 2 * n < *n_pairs.iter().max().unwrap()), "{n_pairs:?}");
        // Without concurrency, no candidate plays a match after its decision.
        let expected: Vec<usize> = n_pairs.iter().map(|n| 2 * n).collect();
        assert_eq!(n_of_engine(&alone, &begun)[1..], expected);
        let decided = alone.decided().unwrap();
        assert!(decided.answer.starts_with("stronger than engine 00: engine 01"), "{decided:?}");
        assert_eq!(decided.n_pairs as usize, n_pairs.iter().sum::<usize>());
        assert_eq!((alone.sprt(), alone.missing().count()), (Some(SprtVerdict::H1), 0));
    }
}

#[test]
fn each_test_decides_as_if_it_were_alone() {
    let world = World::new(&ELO, 3);
    let mut all = course(&world, 2000);
    world.play_all(&mut all, 5);
    for (idx, finding) in (1..).zip(all.findings()) {
        let names = [0, idx].map(|idx: usize| format!("engine {idx:02}"));
        let mut alone = Stopping::new(vec![Rule::Sprt(SprtTests::new(vec![test(&names[1])]))]);
        let own = all.plan().matches().step_by(2).filter(|scheduled| scheduled.contenders == [0, idx]);
        for first in own {
            let second = all.plan().scheduled(first.number + 1);
            let matches = [first, second].map(|job| MatchSummary::from(&world.play(&job)));
            let engines = names.each_ref().map(String::as_str);
            alone.add(&FinishedPair { number: first.pair, game: first.game.id(), engines, matches });
        }
        assert_eq!(alone.findings(), [finding]);
    }
}

#[test]
fn neither_concurrency_nor_interruptions_change_a_decision() {
    check_reproducible(|world| course(world, 2000));
    check_reproducible(|world| course_under(world, 2000, &LIMITS, false));
    check_reproducible(|world| course_under(world, 2000, &LIMITS, true));
}

fn check_reproducible(course: impl Fn(&World) -> Course) {
    let world = World::new(&ELO, 5);
    let mut alone = course(&world);
    assert_eq!(alone.most_matches(), alone.plan().n_matches());
    let begun = world.play_all(&mut alone, 1);
    for concurrency in [2, 3, 17] {
        let mut crowd = course(&world);
        let n_crowd = world.play_all(&mut crowd, concurrency).len();
        assert!(begun.len() <= n_crowd && n_crowd < begun.len() + 60 * concurrency, "{n_crowd}");
        assert_eq!((crowd.findings(), crowd.decided()), (alone.findings(), alone.decided()));
    }
    for n_before in [1, 17, begun.len() / 3, begun.len() / 2, begun.len() - 1, begun.len()] {
        let mut again = course(&world);
        for &number in begun[..n_before].iter().rev() {
            again.add(&world.play(&again.plan().scheduled(number)));
        }
        let n_most = again.most_matches() as usize;
        assert!(again.decided().is_some() || begun.len() <= n_most, "{n_most}");
        assert_eq!(world.play_all(&mut again, 1), begun[n_before..]);
        assert_eq!((again.findings(), again.decided()), (alone.findings(), alone.decided()));
    }
}

#[test]
fn decisions_are_told_when_they_are_made() {
    let world = World::new(&ELO, 5);
    let mut course = course(&world, 2000);
    let jobs: Vec<_> = course.plan().matches().collect();
    let mut told = Vec::new();
    // The first match of all is late, and holds back the decisions of all.
    for job in jobs.iter().skip(1).chain(&jobs[..1]) {
        told.extend(course.add(&world.play(job)).into_iter().map(|decided| decided.answer));
    }
    assert_eq!(told.len(), ELO.len() - 1, "{told:?}");
    assert_eq!(told.pop(), course.decided().map(|decided| decided.answer.clone()));
    assert!(told.iter().all(|answer| answer.contains(" stronger than engine 00 (")), "{told:?}");
}

#[test]
fn a_plan_that_ends_leaves_some_undecided() {
    let world = World::new(&[0.0, 600.0, 40.0], 1);
    let mut course = course(&world, 12);
    let begun = world.play_all(&mut course, 3);
    assert_eq!(n_of_engine(&course, &begun)[2], 24);
    assert!(course.is_over() && course.decided().is_none() && course.missing().count() == 0);
    assert_eq!((course.sprt(), course.most_matches() as usize), (Some(SprtVerdict::Undecided), begun.len()));
}

/// The limits of the tests that each candidate has begun, with their verdicts and pairs.
fn stages(course: &Course) -> Vec<(String, String, SprtVerdict, u64)> {
    let tests = course.findings().into_iter().map(|finding| finding.test.unwrap());
    tests.map(|test| (test.engines[0].clone(), test.limits.unwrap(), test.verdict, test.n_pairs)).collect()
}

#[test]
fn who_passes_the_short_test_is_tested_again_and_nobody_else() {
    let world = World::new(&ELO, 4);
    let mut course = course_under(&world, 2000, &LIMITS, true);
    let begun = world.play_all(&mut course, 1);
    let stages = stages(&course);
    for (idx, (name, limits, verdict, n_pairs)) in stages.iter().enumerate() {
        let is_last = stages.get(idx + 1).is_none_or(|(other, ..)| other != name);
        assert_eq!(limits == "short" && *verdict == SprtVerdict::H1, !is_last, "{stages:?}");
        let is_own = |number: &&u32| {
            let scheduled = course.plan().scheduled(**number);
            scheduled.contenders.iter().any(|idx| world.names()[*idx] == *name)
                && course.plan().limits(scheduled.limits_idx) == Some(limits)
        };
        assert_eq!(
            begun.iter().filter(is_own).count() as u64,
            2 * n_pairs,
            "not one match more than the test takes"
        );
    }
    assert!(ELO.len() - 1 < stages.len() && stages.len() < 2 * (ELO.len() - 1), "{stages:?}");
    let under: Vec<usize> = begun.iter().map(|number| course.plan().scheduled(*number).limits_idx).collect();
    assert!(under.is_sorted(), "first short, then long");
    let passed = stages.iter().any(|(_, limits, verdict, _)| limits == "long" && *verdict == SprtVerdict::H1);
    assert_eq!(course.sprt() == Some(SprtVerdict::H1), passed);
    assert_eq!(course.missing().count(), 0);
}

/// The long tests wait for the results of the short ones, but not for matches that decide nothing.
#[test]
fn the_next_test_begins_when_the_results_of_the_one_before_are_known() {
    let world = World::new(&[0.0, 600.0], 1);
    let mut course = course_under(&world, 40, &LIMITS, true);
    let mut running = Vec::new();
    while let Next::Play(job) = course.begin_next() {
        running.push(job);
    }
    assert_eq!((running.len(), course.begin_next()), (80, Next::Wait));
    assert!(!course.is_over() && course.most_matches() == 160);
    let mut n_finished = 0;
    for job in running {
        assert_eq!(course.begin_next(), Next::Wait);
        course.add(&world.play(&job));
        n_finished += 1;
        if stages(&course).len() == 2 {
            break;
        }
    }
    assert!(n_finished < 80 && n_finished % 16 == 0, "{n_finished}");
    let Next::Play(job) = course.begin_next() else { panic!("the short test is decided") };
    assert_eq!((course.plan().limits(job.limits_idx), job.round), (Some("long"), 0));
    assert_eq!(course.most_matches(), n_finished + 80, "the rest of the short matches is not needed");
}

#[test]
fn a_short_test_that_stays_undecided_has_no_long_one() {
    let world = World::new(&[0.0, 40.0], 1);
    let mut course = course_under(&world, 12, &LIMITS, true);
    let begun = world.play_all(&mut course, 3);
    assert!(course.is_over() && course.decided().is_none());
    assert_eq!((begun.len(), course.sprt(), stages(&course).len()), (24, Some(SprtVerdict::Undecided), 1));
    assert_eq!(course.most_matches(), 24);
}
