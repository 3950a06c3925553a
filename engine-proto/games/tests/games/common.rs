//! What the tests of all games share: a walk over the registry, and random play from a seed.

use std::thread;

use games::{GameId, GameWork, Play, Position};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Does `work` for every game, side by side; a panic names its game.
pub fn for_all_games<W: GameWork<Output = ()> + Copy + Send>(work: W) {
    thread::scope(|scope| {
        for game in GameId::BUILT_IN.iter().chain(GameId::ON_REQUEST) {
            thread::Builder::new()
                .name(game.id().to_owned())
                .spawn_scoped(scope, move || game.with(work).expect("a game of this crate"))
                .expect("a thread for each game");
        }
    });
}

/// A generator that gives the same numbers for ever.
pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// One of `items`, at random.
pub fn pick<'a, T>(items: &'a [T], rng: &mut ChaCha8Rng) -> &'a T {
    &items[(rng.next_u64() % items.len() as u64) as usize]
}

/// A play of random moves from each named start of the game in turn, `max_plies` long at the most.
pub fn random_play<P: Position>(seed: u64, max_plies: usize) -> Play<P> {
    let mut rng = rng(seed);
    let start = &P::INFO.starts[(seed % P::INFO.starts.len() as u64) as usize];
    let mut play = Play::new(P::start(start.name, seed).expect("a named start"));
    let mut moves = Vec::new();
    while play.moves().len() < max_plies {
        moves.clear();
        play.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        play.play(*pick(&moves, &mut rng)).expect("a legal move");
    }
    play
}
