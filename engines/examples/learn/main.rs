//! Makes the network of a game: plays matches of `alpha-beta` against itself, trains the network on their positions, and
//! writes its file of weights. LEARNING.md explains it.
//!
//! ```text
//! cargo run --release -p engines --example learn -- push
//! cargo run --release -p engines --example learn -- push matches=20000 nodes=400 epochs=20
//! cargo run --release -p engines --example learn -- push data=positions.csv
//! ```
//!
//! The argument is a game. Further arguments change its recipe. The positions go to `target/learn/GAME.csv`, with the
//! columns of `arena export`; `data=FILE` takes those of a file instead. The weights and a log go to
//! `engines/src/eval/network/weights`, or to the folder of `output=FOLDER`.

#[path = "../selfplay/mod.rs"]
mod selfplay;

mod data;
mod recipe;
mod train;

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use engine_proto::Searchable;
use engines::eval::network::Weights;
use engines::eval::{self, EvalWork, Evaluator};

use data::Data;
use recipe::Recipe;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let recipe = Recipe::read(&args)?;
    let game = recipe.game;
    eval::with(game, Learning { recipe }).unwrap_or_else(|| Err(format!("{game} has no network").into()))
}

struct Learning {
    recipe: Recipe,
}

impl EvalWork for Learning {
    type Output = Result<(), Box<dyn Error>>;

    fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) -> Self::Output {
        let recipe = self.recipe;
        let numbering = evaluator.numbering().ok_or("this game has no network")?;
        let started = Instant::now();
        let path = match &recipe.data {
            Some(path) => path.clone(),
            None => data::play(&recipe, &evaluator)?,
        };
        let mut log = format!("{recipe}\n");
        let data = Data::read(&path, &recipe, &evaluator, &numbering)?;
        writeln!(log, "{data}, after {:.0} s", started.elapsed().as_secs_f64())?;
        eprint!("{log}");
        let network = train::train(&data, &recipe, &numbering, |line| {
            eprintln!("{line}");
            log += &format!("{line}\n");
        });
        let hash = Weights::hash_of(recipe.to_string().as_bytes());
        let bytes = network.quantised(hash, recipe.corrects, numbering.clone()).to_bytes(P::INFO.id);
        let weights: &'static Weights = Box::leak(Box::new(Weights::read(&bytes, P::INFO.id, numbering)?));
        let loss = data::held_out_loss(&path, &recipe, &evaluator.with_network(weights))?;
        writeln!(log, "held-out loss of the file of weights: {loss:.5}")?;
        writeln!(log, "{:.0} s in all", started.elapsed().as_secs_f64())?;
        eprint!("{}", log.lines().rev().take(2).fold(String::new(), |last, line| format!("{line}\n{last}")));
        fs::create_dir_all(&recipe.output)?;
        let stem = recipe.output.join(P::INFO.id);
        fs::write(stem.with_extension("bin"), bytes)?;
        fs::write(stem.with_extension("log"), log)?;
        Ok(())
    }
}
