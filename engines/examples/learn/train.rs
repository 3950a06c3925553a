//! The training of a network: Adam on batches of positions, of which only the inputs that are there are touched. It reads
//! and writes no files.

use engine_proto::Side;
use engines::eval::network::{HIDDEN, Numbering, ONE, OUTPUT_ONE, Row, Weights};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::data::{Data, Sample, loss};
use crate::recipe::Recipe;

/// The number of positions of a step.
const BATCH: usize = 4096;
/// The length of a step at the beginning; it falls to 0.
const RATE: f32 = 0.004;
/// Adam's decay of the mean gradient and of the mean square.
const DECAY: [f32; 2] = [0.9, 0.999];

/// One number for each unit of the hidden layer.
type Units = [f32; HIDDEN];

/// A network in floating point: the weights of all rows, then [`Self::BIASES`] and so on.
#[derive(Clone)]
pub struct Network {
    weights: Vec<Units>,
    n_rows: usize,
}

/// What the training needs besides the network.
struct Trainer<'a> {
    data: &'a Data,
    turned: Vec<Row>,
    mirrored: &'a [Row],
    corrects: bool,
    /// By how much of itself a weight becomes smaller, for each unit of the rate.
    shrink: f32,
    network: Network,
    gradient: Vec<Units>,
    /// By weight, the mean gradient and the mean square.
    means: [Vec<Units>; 2],
    steps: i32,
}

/// The layers for one position.
struct Pass {
    /// The hidden layer before it is clipped: of the side to move, and of the other.
    sums: [Units; 2],
    /// The predicted log-odds.
    log_odds: f32,
}

impl Network {
    /// The places after the rows: the sums without inputs, the output's weights for the side to move and for the other, and
    /// one place of which the first number is the output's constant.
    const BIASES: usize = 0;
    const OUTPUT: usize = 1;
    const CONSTANT: usize = 3;
    const PLACES: usize = 4;

    fn new(n_rows: usize, rng: &mut Pcg64Mcg) -> Self {
        let mut weights = vec![[0.0; HIDDEN]; n_rows + Self::PLACES];
        for (idx, units) in weights.iter_mut().enumerate() {
            let width = match idx.checked_sub(n_rows) {
                None => 0.1,
                Some(Self::BIASES) => 0.2,
                Some(Self::CONSTANT) => 0.0,
                Some(_) => 0.3,
            };
            *units = units.map(|_| width * (rng.random::<f32>() * 2.0 - 1.0));
            if idx == n_rows + Self::BIASES {
                // Most units are active at the start.
                *units = units.map(|weight| weight + 0.3);
            }
        }
        Self { weights, n_rows }
    }

    fn place(&self, place: usize) -> &Units {
        &self.weights[self.n_rows + place]
    }

    /// The weights in integers.
    pub fn quantised(&self, recipe: u64, corrects: bool, numbering: Numbering) -> Weights {
        let scaled = |units: &Units, one: i16| units.map(|weight| (weight * f32::from(one)).round() as i16);
        let constant = self.place(Self::CONSTANT)[0] * f32::from(ONE) * f32::from(OUTPUT_ONE);
        Weights {
            numbering,
            recipe,
            corrects,
            rows: self.weights[..self.n_rows].iter().map(|units| scaled(units, ONE)).collect(),
            biases: scaled(self.place(Self::BIASES), ONE),
            output: [0, 1].map(|side| scaled(self.place(Self::OUTPUT + side), OUTPUT_ONE)),
            bias: constant.round() as i32,
        }
    }
}

/// The network of a recipe, of the epoch that predicts the held-out positions best. Passes lines about its progress to
/// `report`.
pub fn train(data: &Data, recipe: &Recipe, numbering: &Numbering, mut report: impl FnMut(String)) -> Network {
    let mut rng = Pcg64Mcg::seed_from_u64(recipe.first);
    let network = Network::new(numbering.len(), &mut rng);
    let empty = vec![[0.0; HIDDEN]; network.weights.len()];
    let mut trainer = Trainer {
        data,
        turned: numbering.turned(),
        mirrored: numbering.mirrored(),
        corrects: recipe.corrects,
        shrink: recipe.shrink as f32 / 100.0,
        network,
        gradient: empty.clone(),
        means: [empty.clone(), empty],
        steps: 0,
    };
    let classic = data.held_out.iter().map(|sample| loss(sample.classic.into(), sample.share.into()));
    report(format!(
        "held-out loss of the classic evaluation: {:.5}",
        classic.sum::<f64>() / data.held_out.len() as f64
    ));
    let mut order = data.fitted.clone();
    let n_steps = order.len().div_ceil(BATCH) * recipe.epochs as usize;
    let mut best = (f64::INFINITY, trainer.network.clone());
    for epoch in 1..=recipe.epochs {
        order.shuffle(&mut rng);
        let mut sum = 0.0;
        for batch in order.chunks(BATCH) {
            let rate = RATE * (1.0 - trainer.steps as f32 / n_steps as f32);
            sum += trainer.step(batch, rate, &mut rng);
        }
        let held_out = trainer.held_out_loss();
        report(format!("epoch {epoch}: loss {:.5}, held out {held_out:.5}", sum / order.len() as f64));
        if held_out < best.0 {
            best = (held_out, trainer.network.clone());
        }
    }
    best.1
}

impl Trainer<'_> {
    /// Changes the network by the mean gradient of a batch. Returns the sum of its losses before.
    fn step(&mut self, batch: &[Sample], rate: f32, rng: &mut Pcg64Mcg) -> f64 {
        let mut sum = 0.0;
        let mut views = [Vec::new(), Vec::new()];
        self.gradient.fill([0.0; HIDDEN]);
        for sample in batch {
            self.look_at(sample, rng.random(), &mut views);
            let pass = self.pass(sample, &views);
            sum += loss(pass.log_odds.into(), sample.share.into());
            self.learn(sample, &views, &pass, batch.len());
        }
        self.move_weights(rate);
        sum
    }

    /// Lists the rows that the side to move and the other see.
    fn look_at(&self, sample: &Sample, is_mirrored: bool, views: &mut [Vec<Row>; 2]) {
        let rows = self.data.rows_of(sample).iter();
        let rows = rows.map(|&row| if is_mirrored { self.mirrored[usize::from(row)] } else { row });
        let [own, other] = views;
        let [white, black] = if sample.side == Side::White { [own, other] } else { [other, own] };
        white.clear();
        white.extend(rows);
        black.clear();
        black.extend(white.iter().map(|&row| self.turned[usize::from(row)]));
    }

    fn pass(&self, sample: &Sample, views: &[Vec<Row>; 2]) -> Pass {
        let network = &self.network;
        let mut log_odds = network.place(Network::CONSTANT)[0];
        if self.corrects {
            log_odds += sample.classic;
        }
        let sums = [0, 1].map(|side: usize| {
            let mut sums = *network.place(Network::BIASES);
            for &row in &views[side] {
                add(&mut sums, &network.weights[usize::from(row)]);
            }
            let output = network.place(Network::OUTPUT + side);
            log_odds += sums
                .iter()
                .zip(output)
                .map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight)
                .sum::<f32>();
            sums
        });
        Pass { sums, log_odds }
    }

    /// Adds the gradient of one position.
    fn learn(&mut self, sample: &Sample, views: &[Vec<Row>; 2], pass: &Pass, n: usize) {
        let error = (1.0 / (1.0 + (-pass.log_odds).exp()) - sample.share) / n as f32;
        let n_rows = self.network.n_rows;
        self.gradient[n_rows + Network::CONSTANT][0] += error;
        for (side, rows) in views.iter().enumerate() {
            let clipped = pass.sums[side].map(|sum| sum.clamp(0.0, 1.0));
            let mut slopes = *self.network.place(Network::OUTPUT + side);
            let output = &mut self.gradient[n_rows + Network::OUTPUT + side];
            for unit in 0..HIDDEN {
                output[unit] += error * clipped[unit] * clipped[unit];
                let is_inside = pass.sums[side][unit] > 0.0 && pass.sums[side][unit] < 1.0;
                slopes[unit] *= if is_inside { error * 2.0 * clipped[unit] } else { 0.0 };
            }
            add(&mut self.gradient[n_rows + Network::BIASES], &slopes);
            for &row in rows {
                add(&mut self.gradient[usize::from(row)], &slopes);
            }
        }
    }

    /// A step of Adam.
    fn move_weights(&mut self, rate: f32) {
        self.steps += 1;
        let [first, second] = DECAY.map(|decay| 1.0 - decay.powi(self.steps));
        let [most_output, most_input] = Weights::limits();
        let [means, squares] = &mut self.means;
        let n_rows = self.network.n_rows;
        for (idx, units) in self.network.weights.iter_mut().enumerate() {
            let most = match idx.checked_sub(n_rows) {
                Some(Network::CONSTANT) => f32::INFINITY,
                Some(1..) => most_output,
                _ => most_input,
            };
            for unit in 0..HIDDEN {
                let gradient = self.gradient[idx][unit];
                let (mean, square) = (&mut means[idx][unit], &mut squares[idx][unit]);
                *mean += (1.0 - DECAY[0]) * (gradient - *mean);
                *square += (1.0 - DECAY[1]) * (gradient * gradient - *square);
                let step = rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
                units[unit] = (units[unit] * (1.0 - rate * self.shrink) - step).clamp(-most, most);
            }
        }
    }

    fn held_out_loss(&self) -> f64 {
        let mut views = [Vec::new(), Vec::new()];
        let losses = self.data.held_out.iter().map(|sample| {
            self.look_at(sample, false, &mut views);
            loss(self.pass(sample, &views).log_odds.into(), sample.share.into())
        });
        losses.sum::<f64>() / self.data.held_out.len() as f64
    }
}

fn add(sums: &mut Units, units: &Units) {
    sums.iter_mut().zip(units).for_each(|(sum, unit)| *sum += unit);
}
