//! The test of what a tuning has found: the values found against those at the start, on openings that tuning has not played.

use std::io::{self, Write};
use std::sync::Arc;

use crate::commands::arguments::limits::Clock;
use crate::tournament::Error;
use model::{EloModelKey, Engine, SprtRule, StopRules, Tournament, Tune};
use ratings::{DEFAULT_BATCH_PAIRS, SprtVerdict};
use schedule::openings::OpeningsError;
use schedule::tune::Tuning;
use schedule::{book, planning};

/// The test, unless the file has `[stop.sprt]`.
pub const DEFAULT_TEST: SprtRule = SprtRule {
    elo0: 0.0,
    elo1: 5.0,
    alpha: 0.05,
    beta: 0.05,
    model: EloModelKey::Normalized,
    batch: DEFAULT_BATCH_PAIRS,
    limits: Vec::new(),
};

/// The test of what a tuning finds.
#[derive(Clone, Debug)]
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

    /// The tournament that tests what `tuning`, a tuning of `tuned`, has found, in this folder of its results; with this clock
    /// instead of the tuning's limits, if one is given.
    ///
    /// # Errors
    /// If a book cannot be read.
    pub fn tournament(
        &self,
        tuned: &Tournament,
        folder: &str,
        tuning: &Tuning,
        at: Option<Clock>,
    ) -> Result<Tournament, Error> {
        let [found, start] = Self::names(&tuning.tune);
        let base = &tuned.engines[0];
        let engine = |name: String, own: Vec<(String, String)>| {
            let mut engine = Engine { name, build: Vec::new(), ..Engine::clone(base) };
            engine.options.retain(|set, _| !own.iter().any(|(name, _)| name.eq_ignore_ascii_case(set)));
            engine.options.extend(own);
            if let Some(clock) = at {
                engine.time_control = clock.instead_of(&engine.time_control);
                engine.limits.clear();
            }
            Arc::new(engine)
        };
        let mut proof = Tournament {
            name: format!("{} proof", tuned.name),
            results: tuned.results.join(folder),
            tune: None,
            pairs: self.pairs,
            stop: StopRules { sprt: Some(self.sprt.clone()), ..StopRules::default() },
            engines: vec![
                engine(found, tuning.answer()),
                engine(start, tuning.texts(tuning.iterates()[0].iter().copied())),
            ],
            ..tuned.clone()
        };
        if at.is_some() {
            proof.limits.clear();
            proof.stop.sprt.iter_mut().for_each(|sprt| sprt.limits.clear());
        }
        set_openings(&mut proof, tuned.pairs)?;
        Ok(proof)
    }

    /// The last line.
    pub fn verdict(verdict: SprtVerdict, at: Option<Clock>) -> String {
        let at = if at.is_some() { " with the other clock" } else { "" };
        match verdict {
            SprtVerdict::H1 => format!("Proven{at}: the values found are better than those at the start"),
            SprtVerdict::H0 => {
                format!("Not proven{at}: keep the values at the start (the test has accepted H0)")
            }
            SprtVerdict::Undecided => format!("Undecided{at}: the test has neither accepted H0 nor H1"),
        }
    }
}

/// The openings of all games that tuning has not played. If a game has few of them, they limit the number of pairs; if it has
/// none, its openings are played again.
fn set_openings(proof: &mut Tournament, n_played: u32) -> Result<(), Error> {
    let games = std::mem::take(&mut proof.games);
    for mut game in games {
        game.book.skipped += n_played;
        let n_all = match &game.openings {
            Some(path) if game.opening_plies == 0 => {
                Some(book::read(&proof.known_games, game.id, path, &game.book, proof.seed)?.len())
            }
            _ => {
                let alone = Tournament { games: vec![game.clone()], ..proof.clone() };
                match planning::openings(&alone) {
                    Err(OpeningsError::TooFew { found, .. }) => Some(found),
                    other => other.map(|_| None)?,
                }
            }
        };
        let n_left = n_all.map_or(u32::MAX, |n_all| (n_all as u32).saturating_sub(game.book.skipped));
        if n_left == 0 {
            game.book.repeats = true;
            let _ = writeln!(
                io::stderr(),
                "warning: tuning has played all openings of `{}`; the test plays them again, so that its result may be too \
                 good: use more openings",
                game.id
            );
        } else if !game.book.repeats {
            proof.pairs = proof.pairs.min(n_left);
        }
        proof.games.push(game);
    }
    Ok(())
}
