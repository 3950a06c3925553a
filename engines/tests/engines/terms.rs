//! Evaluations as weighted sums: what the tuner counts is what the search adds up.

use std::any::TypeId;

use crate::common::{examples, random_play};
use engines::eval::Mobility;

#[test]
fn evaluations_are_the_sums_of_their_terms() {
    for_all_games!(P, E, |evaluator| {
        if TypeId::of::<E>() == TypeId::of::<Mobility>() {
            return; // no sum
        }
        let plays =
            examples::<P>().into_iter().chain((0..60).map(|seed| random_play(seed, 2 * seed as usize)));
        for play in plays {
            let mut counts = vec![0; evaluator.weights().len()];
            evaluator.count(play.position(), &mut counts);
            let sum: i32 = counts.iter().zip(evaluator.weights()).map(|(count, weight)| count * weight).sum();
            assert_eq!(sum, evaluator.clone().evaluate(play.position()), "{play}");
        }
    });
}

#[test]
fn every_weight_has_its_term() {
    for_all_games!(P, E, |evaluator| {
        let end = E::TERMS.iter().fold(0, |place, term| {
            assert_eq!(term.first, place, "{}", term.name);
            place + term.len
        });
        assert_eq!(end, evaluator.weights().len());
    });
}
