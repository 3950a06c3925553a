//! Tests of several candidates against one base: each has its own sequential test, and leaves when it is decided.

use super::stop::{Rule, SprtTest, SprtTests, Stopping};
use super::synthetic::World;
use super::{Course, FinishedPair, MatchSummary, Plan, Seeds, gauntlet};
use ratings::{EloModel, Hypotheses, SprtVerdict};

/// The strengths of the base and of the candidates.
const ELO: [f64; 5] = [0.0, 150.0, -60.0, 30.0, 120.0];

fn test(candidate: &str) -> SprtTest {
    let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, 80.0, 0.05, 0.05).unwrap();
    SprtTest::new([candidate.to_owned(), "engine 00".to_owned()], hypotheses, 8)
}

fn course(world: &World, n_rounds: u32) -> Course {
    let is_seed: Vec<bool> = (0..world.strengths.len()).map(|idx| idx == 0).collect();
    let games = world.plan(1).games().to_vec();
    let pairings = gauntlet(&is_seed, Seeds::Apart, games.len(), |_, _| true);
    let tests = world.names()[1..].iter().map(|name| test(name)).collect();
    Course::new(
        Plan::new(games, pairings, n_rounds),
        world.names(),
        None,
        vec![Rule::Sprt(SprtTests::new(tests))],
    )
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
        assert!(decided.answer.starts_with("against engine 00, H1 accepted: engine 01"), "{decided:?}");
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
    let world = World::new(&ELO, 5);
    let mut alone = course(&world, 2000);
    let begun = world.play_all(&mut alone, 1);
    for concurrency in [2, 3, 17] {
        let mut crowd = course(&world, 2000);
        let n_crowd = world.play_all(&mut crowd, concurrency).len();
        assert!(begun.len() <= n_crowd && n_crowd < begun.len() + 60 * concurrency, "{n_crowd}");
        assert_eq!((crowd.findings(), crowd.decided()), (alone.findings(), alone.decided()));
    }
    for n_before in [1, 17, begun.len() / 3, begun.len() / 2, begun.len() - 1, begun.len()] {
        let mut again = course(&world, 2000);
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
    assert!(told.iter().all(|answer| answer.contains(" over engine 00 of ")), "{told:?}");
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
