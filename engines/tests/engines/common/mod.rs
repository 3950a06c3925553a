//! What the tests of the searches share: a small game, limits in short, plain minimax.

pub mod sprint;

use std::sync::mpsc;
use std::thread;

use engine_proto::proto::{Info, Limits};
use engine_proto::sdk::{Engine, Search};
use engine_proto::{GameId, Play, Position};
use engines::eval::{self, EvalWork, Evaluator};
use engines::search::Settings;
use engines::search::score::{self, DRAW, Score};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A search with a limit of nodes alone.
pub fn nodes(nodes: u64) -> Search {
    Search::with(Limits { nodes: Some(nodes), ..Limits::default() })
}

/// A search with a limit of depth alone.
pub fn depth(depth: u32) -> Search {
    Search::with(Limits { depth: Some(depth), ..Limits::default() })
}

/// Settings that cost no time to set up.
pub fn small(seed: u64) -> Settings {
    Settings { hash_mib: 1, seed, ..Settings::default() }
}

/// A generator that gives the same numbers for ever.
pub fn rng(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// A play of up to `plies` random moves from one of the game's starts, not over.
pub fn random_play<P: Position>(seed: u64, plies: usize) -> Play<P> {
    let mut rng = rng(seed);
    let start = P::INFO.starts[rng.random_range(0..P::INFO.starts.len())];
    let mut play = Play::new(P::start(start.name, seed).expect("a named start"));
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        play.legal_moves(&mut moves);
        let mut next = play.clone();
        next.play_unchecked(*moves.choose(&mut rng).expect("the play is not over"));
        if next.end().is_some() {
            break;
        }
        play = next;
    }
    play
}

/// The positions of the examples on the game's rules page that are not over.
pub fn examples<P: Position>() -> Vec<Play<P>> {
    let texts = P::INFO.rules.lines().filter_map(|line| line.strip_prefix("fen "));
    let positions = texts.filter_map(|text| text.split("   # ").next()?.parse().ok());
    positions.map(Play::<P>::new).filter(|play| play.end().is_none()).collect()
}

/// `for_all_games!(P, E, |evaluator| ...)` does this for every game `P` with its evaluator of the type `E`.
macro_rules! for_all_games {
    ($P:ident, $E:ident, |$evaluator:tt| $work:expr) => {{
        #[derive(Clone, Copy)]
        struct Work;
        impl engines::eval::EvalWork for Work {
            type Output = ();
            fn run<$P: engine_proto::Searchable, $E: engines::eval::Evaluator<$P>>(self, $evaluator: $E) {
                $work
            }
        }
        crate::common::for_all_games(Work);
    }};
}

/// Does `work` for every game, side by side; a panic names its game.
pub fn for_all_games<W: EvalWork<Output = ()> + Copy + Send>(work: W) {
    thread::scope(|scope| {
        for &game in GameId::BUILT_IN {
            thread::Builder::new()
                .name(game.id().to_owned())
                .spawn_scoped(scope, move || eval::with(game, work).expect("a game of the crate `games`"))
                .expect("a thread for each game");
        }
    });
}

/// The engine's move and its last report.
pub fn think<P: Position>(
    engine: &mut (impl Engine<P> + ?Sized),
    play: &Play<P>,
    search: Search,
) -> (P::Move, Info) {
    let (reports, infos) = mpsc::channel();
    let search =
        search.reporting_to(move |info: &Info| reports.send(info.clone()).expect("the test listens"));
    let mv = engine.think(play, &search).mv().expect("an engine resigns only by option");
    drop(search);
    (mv, infos.into_iter().last().unwrap_or_default())
}

/// Whether `mv` is legal in `play`.
pub fn is_legal<P: Position>(play: &Play<P>, mv: P::Move) -> bool {
    let mut moves = Vec::new();
    play.legal_moves(&mut moves);
    moves.contains(&mv)
}

/// Plain minimax, `depth` plies deep: what alpha-beta must find with less work. Repetition as in the searches: the third
/// time in all, or the second since the root.
pub fn minimax<P: Position, E: Evaluator<P>>(evaluator: &E, play: &Play<P>, depth: u32) -> Score {
    let seen: Vec<u64> = play.fingerprints().collect();
    let root = seen.len() - 1;
    value(&mut evaluator.clone(), play.position(), &mut Line { seen, root }, depth)
}

struct Line {
    seen: Vec<u64>,
    root: usize,
}

fn value<P: Position, E: Evaluator<P>>(
    evaluator: &mut E,
    position: &P,
    line: &mut Line,
    depth: u32,
) -> Score {
    let side = position.side_to_move();
    let ply = line.seen.len() - 1 - line.root;
    if let Some(end) = position.end() {
        return score::of_end(end, side, ply);
    }
    if ply > 0 && (line.is_repeated() || position.quiet() >= P::INFO.quiet_limit) {
        return DRAW;
    }
    if depth == 0 {
        return score::of_evaluation(evaluator.evaluate(position));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best = -score::INFINITY;
    for mv in moves {
        let mut next = position.clone();
        next.play_unchecked(mv);
        line.seen.push(next.fingerprint());
        let value = value(evaluator, &next, line, depth - 1);
        line.seen.pop();
        best = best.max(if next.side_to_move() == side { value } else { -value });
    }
    best
}

impl Line {
    fn is_repeated(&self) -> bool {
        let (last, before) = self.seen.split_last().expect("a line has its root");
        let since_root = before[self.root..].contains(last);
        since_root || before.iter().filter(|earlier| *earlier == last).count() >= 2
    }
}
