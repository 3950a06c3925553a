//! Evaluations as weighted sums: what the tuner counts is what the search adds up.

mod common;

use std::any::TypeId;

use common::{examples, for_all_games, random_play};
use engine_proto::Searchable;
use engines::eval::{EvalWork, Evaluator, Mobility};

#[test]
fn evaluations_are_the_sums_of_their_terms() {
    #[derive(Clone, Copy)]
    struct Sums;
    impl EvalWork for Sums {
        type Output = ();
        fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) {
            if TypeId::of::<E>() == TypeId::of::<Mobility>() {
                return; // no sum
            }
            let plays =
                examples::<P>().into_iter().chain((0..60).map(|seed| random_play(seed, 2 * seed as usize)));
            for play in plays {
                let mut counts = vec![0; evaluator.weights().len()];
                evaluator.count(play.position(), &mut counts);
                let sum: i32 =
                    counts.iter().zip(evaluator.weights()).map(|(count, weight)| count * weight).sum();
                assert_eq!(sum, evaluator.evaluate(play.position()), "{play}");
            }
        }
    }
    for_all_games(Sums);
}

#[test]
fn every_weight_has_its_term() {
    #[derive(Clone, Copy)]
    struct Places;
    impl EvalWork for Places {
        type Output = ();
        fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) {
            let end = E::TERMS.iter().fold(0, |place, term| {
                assert_eq!(term.first, place, "{}", term.name);
                place + term.len
            });
            assert_eq!(end, evaluator.weights().len());
        }
    }
    for_all_games(Places);
}
