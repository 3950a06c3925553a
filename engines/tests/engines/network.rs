//! Networks: kept sums are those made from nothing, in every game; the numbers are those of plain arithmetic; files are
//! checked.

use crate::common::{examples, random_play, rng};
use engine_proto::games::four_towers::FourTowers;
use engine_proto::games::push_push::PushPush;
use engine_proto::games::tower_of_power::TowerOfPower;
use engine_proto::{Position, Searchable, Side};
use engines::eval::network::{HIDDEN, ONE, OUTPUT_ONE, Weights};
use engines::eval::{EvalWork, Evaluation, Evaluator};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Random weights for the network of a game, for as long as the test runs.
fn random_weights<P: Position, E: Evaluator<P>>(evaluator: &E, corrects: bool) -> &'static Weights {
    let mut rng = rng(7);
    let numbering = evaluator.numbering().expect("all games of the crate have inputs");
    let mut sums = |most: i16| [(); HIDDEN].map(|()| rng.random_range(-most..=most));
    let rows = (0..numbering.len()).map(|_| sums(60)).collect();
    let (biases, output) = (sums(200), [sums(127), sums(127)]);
    Box::leak(Box::new(Weights { numbering, recipe: 0, corrects, rows, biases, output, bias: 321 }))
}

/// The value by plain arithmetic: nothing kept, one number after the other. `None` if the network does not know such
/// positions.
fn plain_value<P: Position, E: Evaluator<P>>(evaluator: &E, weights: &Weights, position: &P) -> Option<i32> {
    let mut inputs = Vec::new();
    if !evaluator.list_inputs(position, &mut inputs) {
        return None;
    }
    let mut total: i64 = 0;
    for (side, output) in [position.side_to_move(), !position.side_to_move()].into_iter().zip(weights.output)
    {
        for (unit, weight) in output.into_iter().enumerate() {
            let rows = inputs.iter().map(|&bit| usize::from(weights.numbering.row(side, bit.into())));
            let sum: i64 = rows.map(|row| i64::from(weights.rows[row][unit])).sum();
            let clipped = (sum + i64::from(weights.biases[unit])).clamp(0, ONE.into());
            total += clipped * clipped * i64::from(weight);
        }
    }
    let log_odds = total / i64::from(ONE) + i64::from(weights.bias);
    let one = 10_986 * i64::from(ONE) * i64::from(OUTPUT_ONE);
    Some((log_odds * i64::from(E::SPREAD) * 10_000 / one) as i32)
}

/// Evaluates the positions of a random match as a search does: after every move, and after taking it back.
fn walk<P: Searchable>(seed: u64, mut look: impl FnMut(&P)) {
    let mut rng = rng(seed);
    let mut play = random_play::<P>(seed, 4);
    let mut moves = Vec::new();
    while play.end().is_none() && play.moves().len() < 120 {
        look(play.position());
        moves.clear();
        play.legal_moves(&mut moves);
        for _ in 0..2 {
            let mut tried = play.position().clone();
            tried.play_unchecked(*moves.choose(&mut rng).expect("the play is not over"));
            if tried.end().is_none() {
                look(&tried);
                look(play.position());
            }
        }
        play.play_unchecked(*moves.choose(&mut rng).expect("the play is not over"));
    }
}

#[test]
fn kept_sums_are_those_made_from_nothing() {
    for_all_games!(P, E, |evaluator| {
        let weights = random_weights(&evaluator, false);
        let mut known = 0;
        for seed in 0..12 {
            let mut kept = evaluator.clone().with_network(weights);
            walk(seed, |position: &P| {
                let anew = evaluator.clone().with_network(weights).evaluate(position);
                let value = kept.evaluate(position);
                assert_eq!(value, anew, "{position}");
                if let Some(plain) = plain_value(&evaluator, weights, position) {
                    assert_eq!(value, plain, "{position}");
                    known += 1;
                }
            });
        }
        assert!(known > 200, "{known} positions that the network knows");
    });
}

#[test]
fn a_correction_is_added_to_the_classic_evaluation() {
    for_all_games!(P, E, |evaluator| {
        let weights = random_weights(&evaluator, true);
        let (mut classic, mut network) = (evaluator.clone(), evaluator.clone().with_network(weights));
        for play in examples::<P>().into_iter().chain((0..30).map(|seed| random_play(seed, 20))) {
            let position = play.position();
            // What the network does not know has the classic value.
            let correction = plain_value(&evaluator, weights, position).unwrap_or(0);
            assert_eq!(network.evaluate(position), classic.evaluate(position) + correction, "{position}");
        }
    });
}

#[test]
fn turning_and_mirroring_twice_changes_nothing() {
    for_all_games!(P, E, |evaluator| {
        let numbering = evaluator.numbering().unwrap();
        for rows in [numbering.turned(), numbering.mirrored().to_vec()] {
            for (row, &image) in (0..).zip(&rows) {
                assert_eq!(rows[usize::from(image)], row, "{}", P::INFO.id);
            }
        }
    });
}

#[test]
fn both_sides_see_the_same_at_the_start() {
    struct Views;
    impl EvalWork for Views {
        type Output = ();
        fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) {
            let mut inputs = Vec::new();
            assert!(evaluator.list_inputs(&P::startpos(), &mut inputs));
            let numbering = evaluator.numbering().unwrap();
            let [white, black] = Side::ALL.map(|side| {
                let mut rows: Vec<u16> = inputs.iter().map(|&bit| numbering.row(side, bit.into())).collect();
                rows.sort_unstable();
                rows
            });
            assert_eq!(white, black);
        }
    }
    // The other starts are not symmetric: one side steps first, or the hills are random.
    for start in [FourTowers::INFO, TowerOfPower::INFO, PushPush::INFO] {
        engines::eval::with(start.id.parse().unwrap(), Views).unwrap();
    }
}

#[test]
fn a_damaged_file_is_refused() {
    for_all_games!(P, E, |evaluator| {
        let weights = random_weights(&evaluator, true);
        let numbering = || weights.numbering.clone();
        let bytes = weights.to_bytes(P::INFO.id);
        assert_eq!(Weights::read(&bytes, P::INFO.id, numbering()).as_ref(), Ok(weights));
        assert!(bytes.len() < 300_000, "{} bytes", bytes.len());
        let error = |bytes: &[u8], game| Weights::read(bytes, game, numbering()).unwrap_err().to_string();
        assert!(error(&bytes, "hex").contains("it is for another game"));
        assert!(error(&bytes[..5], P::INFO.id).contains("it is too short"));
        assert!(error(&bytes[..bytes.len() - 2], P::INFO.id).contains("its checksum is wrong"));
        let mut flipped = bytes.clone();
        flipped[100] ^= 1;
        assert!(error(&flipped, P::INFO.id).contains("its checksum is wrong"));
    });
}

/// The network of a game in `src/eval/network/weights`, if it has one, and the log of its making.
fn stored<P: Position, E: Evaluator<P>>(evaluator: &E) -> Option<(Weights, String)> {
    let stem = format!("{}/src/eval/network/weights/{}", env!("CARGO_MANIFEST_DIR"), P::INFO.id);
    let bytes = std::fs::read(format!("{stem}.bin")).ok()?;
    let numbering = evaluator.numbering().expect("all games of the crate have inputs");
    let weights = Weights::read(&bytes, P::INFO.id, numbering).expect("a file of weights");
    Some((weights, std::fs::read_to_string(format!("{stem}.log")).expect("each has its log")))
}

/// The files in `src/eval/network/weights`: each is the one that its log describes.
#[test]
fn every_file_of_weights_is_read_and_has_its_log() {
    for_all_games!(P, E, |evaluator| {
        let Some((weights, log)) = stored(&evaluator) else { return };
        assert_eq!(Weights::hash_of(log.lines().next().unwrap().as_bytes()), weights.recipe);
        let weights = Box::leak(Box::new(weights));
        let mut built_in = evaluator.clone().evaluated_by(Evaluation::Network);
        let mut from_file = evaluator.clone().with_network(weights);
        walk(1, |position: &P| assert_eq!(built_in.evaluate(position), from_file.evaluate(position)));
    });
}

/// No sum comes near the limits of 16 bits, where it would wrap and the clipped value would be wrong.
#[test]
fn sums_stay_far_from_their_limits() {
    for_all_games!(P, E, |evaluator| {
        let Some((weights, _)) = stored(&evaluator) else { return };
        walk(2, |position: &P| {
            let mut inputs = Vec::new();
            evaluator.list_inputs(position, &mut inputs);
            for side in Side::ALL {
                for unit in 0..HIDDEN {
                    let rows = inputs.iter().map(|&bit| usize::from(weights.numbering.row(side, bit.into())));
                    let sum: i32 = rows.map(|row| i32::from(weights.rows[row][unit])).sum();
                    assert!(sum.abs() < 16_000, "{sum} in {position}");
                }
            }
        });
    });
}
