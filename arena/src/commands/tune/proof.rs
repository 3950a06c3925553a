//! The test of what a tuning has found: the values found against those at the start, on openings that tuning has not played.

use std::io::{self, Write};
use std::sync::Arc;

use engine_proto::bits::mix64;

use crate::commands::arguments::limits::Clock;
use crate::tournament::Error;
use model::{BookOrder, EloModelKey, Engine, GameSetup, SprtRule, StopRules, Tournament, Tune};
use ratings::{DEFAULT_BATCH_PAIRS, SprtVerdict};
use schedule::book;
use schedule::tune::Tuning;

/// The test, unless the file has `[stop.sprt]`.
pub const DEFAULT_TEST: SprtRule = SprtRule {
    elo0: 0.0,
    elo1: 5.0,
    alpha: 0.05,
    beta: 0.05,
    model: EloModelKey::Normalized,
    batch: DEFAULT_BATCH_PAIRS,
};

/// The test of what a tuning finds.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// The hypotheses.
    pub sprt: SprtRule,
    /// The maximum number of pairs per game.
    pub pairs: u32,
}

impl Proof {
    /// The names of the two engines.
    pub fn names(tune: &Tune) -> [String; 2] {
        ["tuned", "start"].map(|values| format!("{}-{values}", tune.engine))
    }

    /// The tournament that tests what `tuning`, a tuning of `tuned`, has found; with this clock instead of the tuning's limits,
    /// if one is given.
    ///
    /// # Errors
    /// If a book cannot be read.
    pub fn tournament(
        &self,
        tuned: &Tournament,
        tuning: &Tuning,
        at: Option<Clock>,
    ) -> Result<Tournament, Error> {
        let [found, start] = Self::names(tuning.tune());
        let base = &tuned.engines[0];
        let engine = |name: String, own: Vec<(String, String)>| {
            let mut engine = Engine { name, build: Vec::new(), ..Engine::clone(base) };
            engine.options.retain(|set, _| !own.iter().any(|(name, _)| name.eq_ignore_ascii_case(set)));
            engine.options.extend(own);
            if let Some(clock) = at {
                engine.time_control = clock.instead_of(&engine.time_control);
            }
            Arc::new(engine)
        };
        let before = tuning.tune().options.iter().zip(&tuning.iterates()[0]);
        let before = before.map(|(option, value)| (option.name.clone(), option.text(*value)));
        let mut proof = Tournament {
            name: format!("{} proof", tuned.name),
            results: tuned.results.join(if at.is_some() { "proof-at" } else { "proof" }),
            tune: None,
            // Drawn openings are others, and so is the order of no book.
            seed: mix64(tuned.seed ^ 0x0070_726f_6f66) >> 1,
            pairs: self.pairs,
            stop: StopRules { sprt: Some(self.sprt), ..StopRules::default() },
            engines: vec![
                engine(found, tuning.answer().into_iter().collect()),
                engine(start, before.collect()),
            ],
            ..tuned.clone()
        };
        for game in &mut proof.games {
            set_openings(game, tuned, &mut proof.pairs)?;
        }
        Ok(proof)
    }

    /// The last line.
    pub fn verdict(test: Option<SprtVerdict>, at: Option<Clock>) -> String {
        let at = if at.is_some() { " with the other clock" } else { "" };
        match test.unwrap_or(SprtVerdict::Undecided) {
            SprtVerdict::H1 => format!("Proven{at}: the values found are better than those at the start"),
            SprtVerdict::H0 => {
                format!("Not proven{at}: keep the values at the start (the test has accepted H0)")
            }
            SprtVerdict::Undecided => format!("Undecided{at}: the test has neither accepted H0 nor H1"),
        }
    }
}

/// The openings of a game that tuning has not played. A book that has too few of them limits the number of `pairs`; if it has
/// none, its openings are played again.
fn set_openings(game: &mut GameSetup, tuned: &Tournament, pairs: &mut u32) -> Result<(), Error> {
    let Some(path) = &game.openings else {
        // A game with few openings plays them again.
        game.book.repeats = true;
        return Ok(());
    };
    if game.book.order == BookOrder::Random {
        game.book.seed = Some(game.book.seed.unwrap_or(tuned.seed));
    }
    let n_lines = book::read(game.id, path, &game.book, tuned.seed)?.len() as u32;
    let first = game.book.start - 1 + tuned.pairs;
    let is_drawn = game.opening_plies > 0;
    match n_lines.checked_sub(tuned.pairs).filter(|n_left| *n_left > 0) {
        _ if is_drawn => {}
        Some(n_left) => {
            game.book.start = first % n_lines + 1;
            *pairs = n_left.min(*pairs);
        }
        None => {
            game.book.repeats = true;
            let _ = writeln!(
                io::stderr(),
                "warning: `{}` has only {n_lines} openings, and tuning has played them all: the test plays them again, so that \
                 its result may be too good; use a larger book",
                path.display()
            );
        }
    }
    Ok(())
}
