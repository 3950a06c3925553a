//! Where matches start: random plies drawn from a seed, or a file of FENs. Every opening is undecided: no side can
//! force the end at once. The same seed gives the same openings for ever. A long tournament has many: no text is kept of those
//! that are drawn.

use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use engine_proto::{GameId, GameWork, Play, PlayError, Position, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Within so many plies no side can force the end of an opening.
const SAFE_PLIES: u32 = 3;
/// So many tries in a row may fail before the search for another opening is given up.
const TRIES: u16 = 1000;

/// What the openings of one game are drawn from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The game.
    pub game: GameId,
    /// A named start or a FEN; `None` for the game's first start.
    pub start: Option<String>,
    /// Positions to start from in turn instead, if there are any.
    pub fens: Vec<String>,
    /// Random plies from there.
    pub plies: u32,
    /// The seed: of the tournament, the same for all its games.
    pub seed: u64,
}

/// The openings of one game, in order. Of a drawn one only the try that found it is kept, for drawing it again takes
/// microseconds: what takes long is to see that it is undecided.
#[derive(Clone, Debug)]
pub struct Openings(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Texts(Vec<String>),
    Tries { source: Source, tries: Vec<u16> },
}

impl Source {
    /// The first `n` openings, no two alike. The first ones do not depend on `n`.
    ///
    /// # Errors
    /// If there are not so many, or a position cannot be read.
    pub fn draw(&self, n: usize) -> Result<Openings, OpeningsError> {
        struct Draw<'a>(&'a Source, usize);
        impl GameWork for Draw<'_> {
            type Output = Result<Vec<u16>, OpeningsError>;
            fn run<P: Position>(self) -> Self::Output {
                draw::<P>(self.0, self.1)
            }
        }
        // From a file and with nothing random, the openings are the user's own choice: taken as they stand.
        if self.plies == 0 && !self.fens.is_empty() {
            return Ok(Openings::from(self.fens.iter().take(n).cloned().collect::<Vec<_>>()));
        }
        let tries = self.game.with(Draw(self, n))?;
        Ok(Openings(Kept::Tries { source: self.clone(), tries }))
    }
}

impl From<Vec<String>> for Openings {
    /// These FENs.
    fn from(fens: Vec<String>) -> Self {
        Self(Kept::Texts(fens))
    }
}

impl Openings {
    /// How many there are.
    pub const fn len(&self) -> usize {
        match &self.0 {
            Kept::Texts(fens) => fens.len(),
            Kept::Tries { tries, .. } => tries.len(),
        }
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The FEN of the opening with that index.
    ///
    /// # Panics
    /// If there is none.
    pub fn fen(&self, idx: usize) -> String {
        struct DrawAgain<'a>(&'a Source, usize, u16);
        impl GameWork for DrawAgain<'_> {
            type Output = String;
            fn run<P: Position>(self) -> String {
                try_one::<P>(self.0, self.1, self.2).expect("this try found an opening before").to_string()
            }
        }
        match &self.0 {
            Kept::Texts(fens) => fens[idx].clone(),
            Kept::Tries { source, tries } => source.game.with(DrawAgain(source, idx, tries[idx])),
        }
    }

    /// Their FENs in order.
    pub fn fens(&self) -> impl Iterator<Item = String> {
        (0..self.len()).map(|idx| self.fen(idx))
    }
}

/// For each of `n` openings the first try that finds an undecided one, unlike those before.
fn draw<P: Position>(source: &Source, n: usize) -> Result<Vec<u16>, OpeningsError> {
    let mut tries = Vec::with_capacity(n);
    let mut seen = HashSet::new();
    for idx in 0..n {
        let found = (0..TRIES).find_map(|attempt| {
            let position = try_one::<P>(source, idx, attempt)?;
            let key = key(&position);
            (!seen.contains(&key) && !is_decided(&position)).then_some((attempt, key))
        });
        let Some((attempt, key)) = found else {
            return Err(OpeningsError::TooFew {
                game: source.game,
                found: idx,
                wanted: n,
                plies: source.plies,
            });
        };
        seen.insert(key);
        tries.push(attempt);
    }
    Ok(tries)
}

/// What a try finds, decided or not; nothing if its random moves come to an end before.
fn try_one<P: Position>(source: &Source, idx: usize, attempt: u16) -> Option<P> {
    let mut rng = rng(source.seed, source.game.id(), idx as u64, u64::from(attempt));
    let start = start::<P>(source, idx, &mut rng)?;
    random_plies(start, source.plies, &mut rng)
}

/// A fingerprint of the FEN less its counters: two openings that differ in these only are alike. Of a million openings two
/// would be taken for alike by chance once in 10^26 tournaments; their texts would take ten times the memory.
fn key<P: Position>(position: &P) -> [u64; 2] {
    let fen = position.to_string();
    let text = fen.rsplitn(3, ' ').last().expect("a split has a last part");
    [0, 1].map(|salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        hasher.finish()
    })
}

/// A generator of its own for every opening and try, so that one opening's luck does not move the next one's.
fn rng(seed: u64, game: &str, idx: u64, attempt: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&idx.to_le_bytes());
    key[16..24].copy_from_slice(&attempt.to_le_bytes());
    let name = game.bytes().fold(0_u64, |sum, byte| engine_proto::bits::mix64(sum ^ u64::from(byte)));
    key[24..].copy_from_slice(&name.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

fn start<P: Position>(source: &Source, idx: usize, rng: &mut ChaCha8Rng) -> Option<P> {
    if !source.fens.is_empty() {
        return source.fens[idx % source.fens.len()].parse().ok();
    }
    let name = source.start.as_deref().unwrap_or(P::INFO.starts[0].name);
    P::start(name, rng.next_u64()).or_else(|| name.parse().ok())
}

fn random_plies<P: Position>(start: P, plies: u32, rng: &mut ChaCha8Rng) -> Option<P> {
    let mut play = Play::new(start);
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        play.legal_moves(&mut moves);
        // The order of a game's move list is its own affair and may change: the spelling is law.
        moves.sort_by_cached_key(ToString::to_string);
        if moves.is_empty() {
            return None;
        }
        play.play_unchecked(moves[(rng.next_u64() % moves.len() as u64) as usize]);
    }
    play.end().is_none().then(|| play.position().clone())
}

/// Whether the game is over, or a side can force within [`SAFE_PLIES`] that it is over and not lost for that side.
fn is_decided<P: Position>(position: &P) -> bool {
    position.end().is_some() || Side::ALL.iter().any(|&side| can_force_end(position, side, SAFE_PLIES))
}

fn can_force_end<P: Position>(position: &P, side: Side, plies: u32) -> bool {
    if let Some(end) = position.end() {
        return end.winner != Some(!side);
    }
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut leads_there = |mv: &P::Move| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        can_force_end(&next, side, plies - 1)
    };
    if position.side_to_move() == side {
        moves.iter().any(&mut leads_there)
    } else {
        moves.iter().all(leads_there)
    }
}

/// The positions in a file of openings: one FEN a line, empty lines and lines that begin with `#` passed over.
///
/// # Errors
/// If the file cannot be read, holds no opening, or a line is not a FEN of the game or a position that is over.
pub fn read_file(game: GameId, path: &Path) -> Result<Vec<String>, OpeningsError> {
    let text = fs::read_to_string(path)
        .map_err(|error| OpeningsError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    let mut fens = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        let fen = line.trim();
        if fen.is_empty() || fen.starts_with('#') {
            continue;
        }
        let wrong = |reason: String| OpeningsError::Line { path: path.to_owned(), line: idx + 1, reason };
        let play = game.play(fen).map_err(|error: PlayError| wrong(error.to_string()))?;
        if let Some(end) = play.end() {
            return Err(wrong(format!("the game is over in this position: {end}")));
        }
        fens.push(fen.to_owned());
    }
    if fens.is_empty() {
        return Err(OpeningsError::Empty { path: path.to_owned() });
    }
    Ok(fens)
}

/// Why there are no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read the openings `{}`: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file holds nothing.
    #[error("no opening in `{}`: it takes one FEN a line", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A line is not an opening.
    #[error("`{}`, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Not so many different openings were found.
    #[error(
        "only {found} different openings of {plies} plies were found for `{game}`, and {wanted} are needed: raise `opening-plies` or lower `pairs`"
    )]
    TooFew {
        /// The game.
        game: GameId,
        /// How many there are.
        found: usize,
        /// How many are needed.
        wanted: usize,
        /// Random plies of each.
        plies: u32,
    },
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn source(game: GameId) -> Source {
        Source { game, start: None, fens: Vec::new(), plies: 4, seed: 1 }
    }

    fn fens(source: &Source, n: usize) -> Vec<String> {
        let openings = source.draw(n).unwrap();
        assert_eq!(openings.len(), n);
        openings.fens().collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        for &game in GameId::ALL {
            let source = source(game);
            let openings = fens(&source, 3);
            assert_eq!(fens(&source, 2), openings[..2], "more rounds do not change the first ones");
            assert_ne!(fens(&Source { seed: 2, ..source }, 3), openings);
            insta::assert_snapshot!(format!("openings-{game}"), openings.join("\n"));
        }
    }

    #[test]
    fn no_two_are_alike_and_none_is_decided() {
        for &game in GameId::ALL {
            let openings = fens(&source(game), 12);
            assert_eq!(openings.iter().collect::<HashSet<_>>().len(), 12);
            for fen in &openings {
                assert_eq!(game.play(fen).unwrap().end(), None);
                assert_eq!(fen.rsplit(' ').next(), Some("4"), "the plies of {fen}");
            }
        }
    }

    #[test]
    fn push_plays_on_other_terrain_each_time() {
        let terrain = |fen: &String| fen.split(' ').nth(2).map(str::to_owned);
        let openings = fens(&source(GameId::Push), 5);
        assert_eq!(openings.iter().map(terrain).collect::<HashSet<_>>().len(), 5);
        let fixed = Source { start: Some("8x8-7".into()), ..source(GameId::Push) };
        assert_eq!(fens(&fixed, 5).iter().map(terrain).collect::<HashSet<_>>().len(), 1);
    }

    #[test]
    fn a_position_that_is_won_at_once_is_decided() {
        let decided = |game: GameId, fen: &str| {
            struct Look<'a>(&'a str);
            impl GameWork for Look<'_> {
                type Output = bool;
                fn run<P: Position>(self) -> bool {
                    is_decided(&self.0.parse::<P>().unwrap())
                }
            }
            game.with(Look(fen))
        };
        // White pushes the ball over rank 7 now; the other side could not, were it on the move.
        assert!(decided(GameId::PushPush, "3*3/3C3/7/7/7/7/7 w - - 5 40"));
        assert!(!decided(GameId::PushPush, "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0"));
        // White has one move, the king's death: an end, but none that White would force.
        let pit = "5k/6/6/6/6/K5 w 000000/000000/000000/000000/000000/200000 - 0 4 4";
        assert!(decided(GameId::Push, pit), "Black can count on it");
    }

    #[test]
    fn too_few_openings_are_an_error() {
        // One ply from the start of 5x5: 13 steps, in mirror pairs or not, and no more.
        let source = Source { start: Some("5x5".into()), plies: 1, ..source(GameId::TowerPush) };
        assert_eq!(source.draw(13).unwrap().len(), 13);
        let error = source.draw(14).unwrap_err();
        assert!(matches!(error, OpeningsError::TooFew { found: 13, wanted: 14, .. }), "{error}");
    }

    #[test]
    fn a_file_of_openings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        let game = GameId::PushPush;
        let first = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0";
        let second = "abcdcba/7/7/3*3/7/2C4/AB1DCBA b 3c2 - 1 1";
        fs::write(&path, format!("# mine\n{first}\n\n  {second}\r\n")).unwrap();
        let read = read_file(game, &path).unwrap();
        assert_eq!(read, [first, second]);
        let taken = Source { fens: read.clone(), plies: 0, ..source(game) };
        assert_eq!(fens(&taken, 2), [first, second]);
        let longer = Source { fens: read, plies: 2, ..source(game) };
        assert_eq!(fens(&longer, 6).iter().collect::<HashSet<_>>().len(), 6);

        fs::write(&path, format!("{first}\nrubbish\n")).unwrap();
        let error = read_file(game, &path).unwrap_err().to_string();
        assert!(error.contains("line 2: bad FEN, field `fen`"), "{error}");
        fs::write(&path, "3C3/7/7/7/7/7/7 b - w 6 41\n").unwrap();
        assert!(read_file(game, &path).unwrap_err().to_string().contains("White wins (goal)"));
        fs::write(&path, "# nothing\n").unwrap();
        assert!(matches!(read_file(game, &path), Err(OpeningsError::Empty { .. })));
        assert!(matches!(read_file(game, folder.path()), Err(OpeningsError::Unreadable { .. })));
    }
}
