//! What the tests of all games share: a walk over the games of the crate, and random play from a seed.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use games::{GameId, GameWork, Play, Position, Square};

/// Makes a test of each of these functions, which take the position type of a game: it calls them for every game.
macro_rules! for_every_game {
    ($($check:ident),*) => {
        mod for_every_game {
            $(
                #[test]
                fn $check() {
                    #[derive(Clone, Copy)]
                    struct Check;
                    impl games::GameWork for Check {
                        type Output = ();
                        fn run<P: games::Drawn + games::Searchable>(self) {
                            super::$check::<P>();
                        }
                    }
                    crate::common::for_all_games(Check);
                }
            )*
        }
    };
}
pub(crate) use for_every_game;

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
    &items[below(items.len(), rng)]
}

/// The legal moves of a position.
pub fn legal<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The position after a legal move.
pub fn after<P: Position>(position: &P, mv: P::Move) -> P {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// The spellings of the legal moves; no two are the same.
pub fn spellings<P: Position>(position: &P) -> BTreeSet<String> {
    let moves = legal(position);
    let texts: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), moves.len(), "{position}: two moves with one spelling");
    texts
}

/// The recorded games of a game: one JSON object each.
pub fn recorded<P: Position>() -> Vec<serde_json::Value> {
    let folder = P::INFO.id.replace('-', "_");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder).join("vectors.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

/// The board field of a FEN with a dot for each empty square.
pub fn with_dots(board: &str) -> String {
    let dots = |text: String, run: usize| text.replace(&run.to_string(), &".".repeat(run));
    (1..=11).rev().fold(board.to_owned(), dots)
}

/// The inverse of [`with_dots`].
pub fn with_runs(board: &str) -> String {
    // A blank keeps runs apart.
    let runs = |text: String, run: usize| text.replace(&".".repeat(run), &format!("{run} "));
    (1..=11).rev().fold(board.to_owned(), runs).replace(' ', "")
}

/// The text with each square in it mapped.
pub fn map_squares(text: &str, map: impl Fn(Square) -> Square) -> String {
    let mut mapped = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        if let Some((square, after)) = Square::split_from(rest) {
            mapped += &map(square).to_string();
            rest = after;
        } else {
            mapped.push(sign);
            rest = &rest[sign.len_utf8()..];
        }
    }
    mapped
}

/// A number below `n`, at random.
pub fn below(n: usize, rng: &mut ChaCha8Rng) -> usize {
    (rng.next_u64() % n as u64) as usize
}

/// A play of random moves from each named start of the game in turn, `max_plies` long at the most.
pub fn random_play<P: Position>(seed: u64, max_plies: usize) -> Play<P> {
    let mut rng = rng(seed);
    let start = &P::INFO.starts[(seed % P::INFO.starts.len() as u64) as usize];
    let mut play = Play::new(P::start(start.name, seed).expect("a named start"));
    while play.moves().len() < max_plies && play.end().is_none() {
        let mv = *pick(&legal(play.position()), &mut rng);
        play.play_unchecked(mv);
    }
    play
}
