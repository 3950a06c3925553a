//! Matches of `alpha-beta` against itself, for the examples that fit evaluations to them. It fits nothing.

#![allow(dead_code, reason = "each example uses its own part")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use engine_proto::proto::{Info, Limits, Score};
use engine_proto::sdk::{Engine, Search};
use engine_proto::{Play, Position, Searchable, Side};
use engines::eval::Evaluator;
use engines::search::{AlphaBeta, Settings};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The maximum number of random moves that open a match.
const OPENING_PLIES: usize = 10;
/// After the opening, one move in this number is random, so that the matches do not only contain good play.
const RANDOM_EVERY: u32 = 30;
/// For one position in this number, a position after a random move from there is observed, too.
const STRAY_EVERY: u32 = 2;
/// A longer match is a draw.
const LONGEST: usize = 240;

/// Matches to play. The same numbers and evaluator give the same matches, with any number of cores.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// The number of the first match, which is also its seed.
    pub first: u64,
    /// The number of matches.
    pub matches: u64,
    /// The nodes for each move.
    pub nodes: u64,
}

/// One match.
pub struct Match<P: Position> {
    /// Its number.
    pub number: u64,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Its positions, except those in which the search has proven the end.
    pub seen: Vec<Seen<P>>,
    /// Positions to which a random move led, but not the match: only the search says what comes of them.
    pub strays: Vec<Seen<P>>,
}

/// A position and what the search said about it.
pub struct Seen<P: Position> {
    /// The position.
    pub position: P,
    /// The number of moves since the opening, this one included.
    pub ply: usize,
    /// The best move.
    pub mv: P::Move,
    /// The score for the side to move.
    pub score: Score,
}

impl SelfPlay {
    /// Plays all matches on all cores, and gives what `keep` makes of them, in their order.
    pub fn play_all<P: Searchable, E: Evaluator<P>, T: Send>(
        self,
        evaluator: &E,
        keep: impl Fn(Match<P>) -> T + Sync,
    ) -> Vec<T> {
        let next = AtomicU64::new(self.first);
        let (played, matches) = mpsc::channel();
        let n_threads = thread::available_parallelism().map_or(1, usize::from);
        let mut matches: Vec<(u64, T)> = thread::scope(|scope| {
            for _ in 0..n_threads {
                let (next, played, keep) = (&next, played.clone(), &keep);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if self.first + self.matches <= number
                            || played.send((number, keep(self.play_one(evaluator, number)))).is_err()
                        {
                            return;
                        }
                    }
                });
            }
            drop(played);
            matches.into_iter().collect()
        });
        matches.sort_by_key(|(number, _)| *number);
        matches.into_iter().map(|(_, kept)| kept).collect()
    }

    /// Plays one match and keeps its positions.
    fn play_one<P: Searchable, E: Evaluator<P>>(self, evaluator: &E, number: u64) -> Match<P> {
        let mut rng = Pcg64Mcg::seed_from_u64(number);
        let mut play = random_opening::<P>(&mut rng, number);
        let opening = play.moves().len();
        let settings = Settings { hash_mib: 1, seed: number, ..Settings::default() };
        let mut engine = AlphaBeta::new(evaluator.clone(), settings);
        let mut seen = Vec::new();
        let mut strays = Vec::new();
        let mut winner = None;
        while play.end().is_none() && play.moves().len() < LONGEST {
            let side = play.position().side_to_move();
            let ply = play.moves().len() - opening + 1;
            let (best, score) = self.think(&mut engine, &play);
            match score {
                Score::Win(_) => winner = Some(side),
                Score::Loss(_) => winner = Some(!side),
                Score::Centi(_) => {
                    seen.push(Seen { position: play.position().clone(), ply, mv: best, score });
                }
            }
            if winner.is_some() {
                break;
            }
            if rng.random_ratio(1, STRAY_EVERY) {
                strays.extend(self.stray(&mut engine, &play, ply, &mut rng));
            }
            let mut mv = best;
            if rng.random_ratio(1, RANDOM_EVERY) {
                mv = random_move(&play, &mut rng).unwrap_or(mv);
            }
            play.play(mv).expect("engines play legal moves");
        }
        let winner = winner.or_else(|| play.end().and_then(|end| end.winner));
        Match { number, winner, seen, strays }
    }

    /// A position that a random move leads to.
    fn stray<P: Searchable, E: Evaluator<P>>(
        self,
        engine: &mut AlphaBeta<P, E>,
        play: &Play<P>,
        ply: usize,
        rng: &mut Pcg64Mcg,
    ) -> Option<Seen<P>> {
        let mut play = play.clone();
        play.play(random_move(&play, rng)?).ok()?;
        if play.end().is_some() {
            return None;
        }
        let (mv, score) = self.think(engine, &play);
        Some(Seen { position: play.position().clone(), ply: ply + 1, mv, score })
    }

    fn think<P: Searchable, E: Evaluator<P>>(
        self,
        engine: &mut AlphaBeta<P, E>,
        play: &Play<P>,
    ) -> (P::Move, Score) {
        let (reports, scores) = mpsc::channel();
        let search = Search::with(Limits { nodes: Some(self.nodes), ..Limits::default() });
        let search = search.reporting_to(move |info: &Info| {
            if let Some(score) = info.score {
                // The receiver still exists: the scores are read below, after the search.
                let _ = reports.send(score);
            }
        });
        let mv = engine.think(play, &search).mv().expect("an engine resigns only by option");
        drop(search);
        (mv, scores.into_iter().last().unwrap_or(Score::Centi(0)))
    }
}

/// The share of the point that a score for the side to move stands for. `spread` wins three of four games.
pub fn share_of(score: Score, spread: i32) -> f64 {
    match score {
        Score::Win(_) => 1.0,
        Score::Loss(_) => 0.0,
        Score::Centi(centi) => logistic(f64::from(centi) * 3.0_f64.ln() / f64::from(spread)),
    }
}

/// The expected share of the point for natural log-odds.
pub fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

fn random_opening<P: Position>(rng: &mut Pcg64Mcg, number: u64) -> Play<P> {
    loop {
        let start = P::INFO.starts[0];
        let mut play = Play::new(P::start(start.name, number).expect("a named start"));
        for _ in 0..rng.random_range(0..=OPENING_PLIES) {
            let Some(mv) = random_move(&play, rng) else { break };
            play.play_unchecked(mv);
        }
        if play.end().is_none() {
            return play;
        }
    }
}

fn random_move<P: Position>(play: &Play<P>, rng: &mut Pcg64Mcg) -> Option<P::Move> {
    let mut moves = Vec::new();
    play.legal_moves(&mut moves);
    moves.choose(rng).copied()
}
