//! Tunes an evaluation's weights on matches that the engine plays against itself.
//!
//! ```text
//! cargo run --release -p engines --example tune -- push-push 4000 400 > engines/src/eval/weights/push_push.rs
//! ```
//!
//! The arguments: a game, the number of matches (default 2000), the nodes for each move (default 400). The game's file of
//! weights is written to standard output, and the quality of the fit to standard error.
//!
//! Every position of the matches is one observation: its terms' counts, and the outcome: the result, mixed with the
//! score of the search. Positions in which the best move is a capture are observed, too: without them, the selection
//! would depend on the outcome, and a possible capture would seem to be a disadvantage. Positions after random moves are
//! observed because searches evaluate many such positions, and matches have none. The weights are those of a logistic
//! regression that prefers the present weights where the positions say little. A tenth of the matches is held out, to see
//! whether the new weights predict better than the old ones. The same arguments and weights give the same file, with any
//! number of cores.

#![expect(clippy::print_stdout, reason = "the file of weights is the product")]

use engine_proto::proto::Score;
use engine_proto::{GameId, Position, Searchable};
use engines::eval::{self, EvalWork, Evaluator};
use std::env;
use std::error::Error;

mod selfplay;

use selfplay::{Match as Played, SelfPlay, logistic, share_of};

/// How much of an observation is the match's result; the rest is the search's score.
const RESULT_SHARE: f64 = 0.6;
/// The positions of a match are much alike: each counts as so much of an observation.
const POSITION_WEIGHT: f64 = 0.1;
/// How far a weight is expected to be from the present one: the standard deviation, in natural log-odds.
const DRIFT: f64 = 0.3;
/// Every match whose number is a multiple is held out.
const HELD_OUT: u64 = 10;
const NEWTON_STEPS: u32 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [game, numbers @ ..] = &args[..] else {
        return Err("arguments: GAME [MATCHES] [NODES]".into());
    };
    let number = |idx: usize, default| numbers.get(idx).map_or(Ok(default), |text| text.parse::<u64>());
    let tuning = Tuning { game: game.parse()?, matches: number(0, 2000)?, nodes: number(1, 400)? };
    let file = eval::with(tuning.game, tuning).flatten().ok_or("this game's evaluation has no weights")?;
    print!("{file}");
    Ok(())
}

#[derive(Clone, Copy)]
struct Tuning {
    game: GameId,
    matches: u64,
    nodes: u64,
}

/// A position as the regression sees it, from the side to move.
struct Observation {
    counts: Vec<i16>,
    /// The share of the point that came of it.
    share: f64,
}

/// One match's positions.
struct Match {
    number: u64,
    observations: Vec<Observation>,
}

impl EvalWork for Tuning {
    type Output = Option<String>;

    fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) -> Option<String> {
        if E::TERMS.is_empty() {
            return None;
        }
        let matches = SelfPlay { first: 0, matches: self.matches, nodes: self.nodes };
        let matches = matches.play_all(&evaluator, |played: Played<P>| observed(&evaluator, played));
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            matches.iter().partition(|played| played.number.is_multiple_of(HELD_OUT));
        let (held_out, fitted) = (collect(&held_out), collect(&fitted));
        let unit = 3.0_f64.ln() / f64::from(E::SPREAD);
        let present: Vec<f64> = evaluator.weights().iter().map(|&weight| f64::from(weight) * unit).collect();
        let tuned = regression(&fitted, &present);
        eprintln!(
            "{}: {} positions of {} matches; loss on those held out {:.4}, before {:.4}",
            self.game,
            fitted.len() + held_out.len(),
            self.matches,
            loss(&held_out, &tuned),
            loss(&held_out, &present),
        );
        let weights: Vec<i32> = tuned.iter().map(|weight| (weight / unit).round() as i32).collect();
        Some(self.file::<P, E>(&weights))
    }
}

fn collect<'a>(matches: &[&'a Match]) -> Vec<&'a Observation> {
    matches.iter().flat_map(|played| &played.observations).collect()
}

impl Tuning {
    /// The file of the tuned weights.
    fn file<P: Position, E: Evaluator<P>>(self, weights: &[i32]) -> String {
        let name = P::INFO.name;
        let mut file = format!(
            "//! The weights of the evaluation of {name}, in the order of its terms: data, written by the tuner.\n//!\n\
             //! `cargo run --release -p engines --example tune -- {} {} {}`\n\n\
             /// The weights, in centi-units.\n#[rustfmt::skip]\npub static WEIGHTS: [i32; {}] = [\n",
            self.game,
            self.matches,
            self.nodes,
            weights.len()
        );
        for term in E::TERMS {
            file += &format!("    // {}\n   ", term.name);
            weights[term.first..term.first + term.len]
                .iter()
                .for_each(|weight| file += &format!(" {weight},"));
            file += "\n";
        }
        file + "];\n"
    }
}

/// The positions of a match, with what came of them.
fn observed<P: Position, E: Evaluator<P>>(evaluator: &E, played: Played<P>) -> Match {
    let Played { number, winner, seen, strays } = played;
    let mixed = seen.into_iter().map(|seen| {
        let result =
            winner.map_or(0.5, |winner| if winner == seen.position.side_to_move() { 1.0 } else { 0.0 });
        let Observation { counts, share } = observation(evaluator, &seen.position, seen.score);
        Observation { counts, share: RESULT_SHARE * result + (1.0 - RESULT_SHARE) * share }
    });
    let strays = strays.into_iter().map(|stray| observation(evaluator, &stray.position, stray.score));
    Match { number, observations: mixed.chain(strays).collect() }
}

/// What a position has, and the share of the point that the score stands for.
fn observation<P: Position, E: Evaluator<P>>(evaluator: &E, position: &P, score: Score) -> Observation {
    let mut counts = vec![0; evaluator.weights().len()];
    evaluator.count(position, &mut counts);
    let counts = counts.into_iter().map(|count| count as i16).collect();
    Observation { counts, share: share_of(score, E::SPREAD) }
}

/// The weights under which the observations are likeliest, with a normal prior about the `present` ones: Newton's method.
fn regression(observations: &[&Observation], present: &[f64]) -> Vec<f64> {
    let n = present.len();
    let precision = 1.0 / (DRIFT * DRIFT);
    let mut weights = present.to_vec();
    for _ in 0..NEWTON_STEPS {
        let mut gradient: Vec<f64> = (0..n).map(|i| precision * (present[i] - weights[i])).collect();
        let mut curvature = vec![0.0; n * n];
        (0..n).for_each(|i| curvature[i * n + i] = precision);
        let mut terms = Vec::with_capacity(n);
        for observation in observations {
            let expected = logistic(sum(observation, &weights));
            let residual = POSITION_WEIGHT * (observation.share - expected);
            let information = POSITION_WEIGHT * expected * (1.0 - expected);
            terms.clear();
            let counts = observation.counts.iter().enumerate();
            terms.extend(counts.filter(|(_, count)| **count != 0).map(|(i, &count)| (i, f64::from(count))));
            for &(i, count) in &terms {
                gradient[i] += residual * count;
                for &(j, other) in terms.iter().take_while(|(j, _)| *j <= i) {
                    curvature[i * n + j] += information * count * other;
                }
            }
        }
        let step = solved(curvature, gradient);
        let Some(better) = best_along(&step, &weights, |weights| penalty(observations, weights, present))
        else {
            break;
        };
        weights = better;
    }
    weights
}

/// The weights as far along `step` as they still get better, if they do at all: a full step from far away may overshoot.
fn best_along(step: &[f64], weights: &[f64], penalty: impl Fn(&[f64]) -> f64) -> Option<Vec<f64>> {
    const LEAST_GAIN: f64 = 1e-6;
    let before = penalty(weights);
    (0..10)
        .map(|halvings| 0.5_f64.powi(halvings))
        .map(|share| weights.iter().zip(step).map(|(weight, part)| weight + share * part).collect::<Vec<_>>())
        .find(|moved| penalty(moved) < before * (1.0 - LEAST_GAIN))
}

/// What the regression makes least: the observations' loss, and how far the weights are from the present ones.
fn penalty(observations: &[&Observation], weights: &[f64], present: &[f64]) -> f64 {
    let drift: f64 = weights.iter().zip(present).map(|(weight, present)| (weight - present).powi(2)).sum();
    POSITION_WEIGHT * observations.len() as f64 * loss(observations, weights) + drift / (2.0 * DRIFT * DRIFT)
}

/// The solution of a system of linear equations by Cholesky's decomposition. Only the lower half of `matrix` is read.
fn solved(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let inner: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - inner;
            matrix[i * n + j] = if i == j { rest.sqrt() } else { rest / matrix[j * n + j] };
        }
    }
    for i in 0..n {
        let inner: f64 = (0..i).map(|k| matrix[i * n + k] * right[k]).sum();
        right[i] = (right[i] - inner) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let inner: f64 = (i + 1..n).map(|k| matrix[k * n + i] * right[k]).sum();
        right[i] = (right[i] - inner) / matrix[i * n + i];
    }
    right
}

/// The mean cross entropy between the outcomes of the observations and what the weights predict.
fn loss(observations: &[&Observation], weights: &[f64]) -> f64 {
    let entropy = |observation: &&Observation| {
        // -share * ln(p) - (1 - share) * ln(1 - p) with p = logistic(value), without the rounding of p near 0 and 1.
        let value = sum(observation, weights);
        value.max(0.0) + (-value.abs()).exp().ln_1p() - observation.share * value
    };
    observations.iter().map(entropy).sum::<f64>() / observations.len().max(1) as f64
}

fn sum(observation: &Observation, weights: &[f64]) -> f64 {
    observation.counts.iter().zip(weights).map(|(&count, weight)| f64::from(count) * weight).sum()
}
