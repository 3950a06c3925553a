//! Two engines play matches against each other in this process: strength without an arena.
//!
//! ```text
//! cargo run --release -p engines --example duel -- push-push alpha-beta@nodes=5000 greedy 40
//! ```
//!
//! The arguments: a game, two engines, the number of matches (20). An engine is its name, and after `@` its limit for
//! each move: `nodes=N` (1000) or `ms=N`. Each opening, a few random moves, is played twice with sides changed.

#![expect(clippy::print_stdout, reason = "the result is the product")]

use std::env;
use std::error::Error;
use std::time::Duration;

use engine_proto::proto::Limits;
use engine_proto::sdk::Search;
use engine_proto::{GameId, Play, Position, Searchable, Side};
use engines::eval::{self, EvalWork, Evaluator};
use engines::roster::Kind;
use engines::search::Settings;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Random moves before the engines take over: this many, or one more.
const OPENING_PLIES: usize = 4;
/// A longer match is a draw.
const LONGEST: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let mut next = || args.next().ok_or("arguments: GAME ENGINE ENGINE [MATCHES]");
    let game: GameId = next()?.parse()?;
    let players = [Player::read(&next()?)?, Player::read(&next()?)?];
    let matches = args.next().map_or(Ok(20), |text| text.parse())?;
    let duel = Duel { players: &players, matches };
    let tally = eval::with(game, duel).ok_or("no game of the crate `games`")?;
    println!("{game}: {} against {}: {tally}", players[0].text, players[1].text);
    Ok(())
}

/// An engine with its limit for each move.
struct Player {
    text: String,
    kind: Kind,
    limits: Limits,
}

impl Player {
    fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        let (name, limit) = text.split_once('@').unwrap_or((text, "nodes=1000"));
        let limits = match limit.split_once('=') {
            Some(("nodes", n)) => Limits { nodes: Some(n.parse()?), ..Limits::default() },
            Some(("ms", n)) => {
                Limits { move_time: Some(Duration::from_millis(n.parse()?)), ..Limits::default() }
            }
            _ => return Err(format!("not a limit: `{limit}`").into()),
        };
        Ok(Self { text: text.to_owned(), kind: name.parse()?, limits })
    }
}

struct Duel<'a> {
    players: &'a [Player; 2],
    matches: u64,
}

/// Wins, draws and losses of the first engine, and the length of all matches.
#[derive(Default)]
struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    plies: u64,
}

impl EvalWork for Duel<'_> {
    type Output = Tally;

    fn run<P: Searchable, E: Evaluator<P>>(self, evaluator: E) -> Tally {
        let mut tally = Tally::default();
        for idx in 0..self.matches {
            let opening = random_opening::<P>(idx / 2);
            let first_is = if idx % 2 == 0 { Side::White } else { Side::Black };
            let settings = Settings { seed: idx, ..Settings::default() };
            let mut engines =
                self.players.each_ref().map(|player| player.kind.engine(evaluator.clone(), settings));
            let play = play_out(opening, |play| {
                let who = usize::from(play.position().side_to_move() != first_is);
                let choice = engines[who].think(play, &Search::with(self.players[who].limits));
                choice.mv().expect("an engine resigns only by option")
            });
            tally.plies += play.moves().len() as u64;
            match play.end().and_then(|end| end.winner) {
                None => tally.draws += 1,
                Some(winner) if winner == first_is => tally.wins += 1,
                Some(_) => tally.losses += 1,
            }
        }
        tally
    }
}

fn play_out<P: Position>(mut play: Play<P>, mut think: impl FnMut(&Play<P>) -> P::Move) -> Play<P> {
    while play.end().is_none() && play.moves().len() < LONGEST {
        let mv = think(&play);
        play.play(mv).expect("engines play legal moves");
    }
    play
}

fn random_opening<P: Position>(seed: u64) -> Play<P> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    loop {
        let start = P::INFO.starts[0];
        let mut play = Play::new(P::start(start.name, seed).expect("a named start"));
        let mut moves = Vec::new();
        for _ in 0..OPENING_PLIES + rng.random_range(0..2) {
            moves.clear();
            play.legal_moves(&mut moves);
            let Some(&mv) = moves.choose(&mut rng) else { break };
            play.play_unchecked(mv);
        }
        if play.end().is_none() {
            return play;
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = (self.wins + self.draws + self.losses).max(1) as f64;
        let mean = (self.wins as f64 + self.draws as f64 / 2.0) / n;
        let square = (self.wins as f64 + self.draws as f64 / 4.0) / n;
        let half_width = 1.96 * ((square - mean * mean).max(0.0) / n).sqrt();
        write!(
            f,
            "+{} ={} -{}, {:.1} % ± {:.1}, {:.0} plies a match",
            self.wins,
            self.draws,
            self.losses,
            mean * 100.0,
            half_width * 100.0,
            self.plies as f64 / n
        )
    }
}
