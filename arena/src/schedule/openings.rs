//! Where matches start: random plies drawn from a seed, or a file of FENs. No side can force the end of a drawn opening at once.
//! The same seed always gives the same openings. They are drawn as they are asked for, so that a long tournament starts at once.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use engine_proto::{AnyPlay, GameId, PlayError};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The search for one more opening is given up after this number of tries.
const TRIES: u16 = 1000;
/// Within this number of plies no side can force the end of an opening.
const SAFE_PLIES: u32 = 3;
/// This many texts are kept.
const TEXTS: usize = 256;
/// Whether there are enough openings is found out beforehand where there are at most this many positions to look at.
const LOOKED_AT: usize = 1000;

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

/// The openings of one game, no two alike. Each depends on those before it, so they are drawn in order, up to the one that
/// is asked for. Of a drawn one only the try that found it and a fingerprint are kept: drawing it again takes microseconds,
/// for what takes long is to see that it is undecided.
#[derive(Clone, Debug)]
pub struct Openings {
    source: Source,
    /// As many as the tournament may need.
    n_needed: usize,
    /// Of each drawn opening: the try that found it.
    tries: Vec<u16>,
    /// The fingerprints of the drawn openings. Two that are unlike have the same one in one of 10^7 tournaments with a million
    /// openings, and then another opening is drawn.
    seen: HashSet<u64>,
    /// The texts of openings in use, each with its index, at that index modulo [`TEXTS`].
    texts: Vec<Option<(usize, String)>>,
}

/// An opening that a try has found.
struct Found {
    attempt: u16,
    fingerprint: u64,
    fen: String,
}

impl Source {
    /// Its openings, none of them drawn yet, of which a tournament needs `n_needed` at most. They do not depend on that
    /// number.
    ///
    /// # Errors
    /// If it is easy to see that there are not so many. Where it is not, [`Openings::fen`] may say so later.
    pub fn openings(self, n_needed: usize) -> Result<Openings, OpeningsError> {
        let openings = Openings {
            n_needed,
            tries: Vec::new(),
            seen: HashSet::new(),
            texts: vec![None; TEXTS],
            source: self,
        };
        match openings.source.most() {
            Some(most) if most < n_needed => Err(openings.too_few(most)),
            _ => Ok(openings),
        }
    }

    /// From a file and with nothing random, the openings are the user's own choice.
    const fn takes_fens_as_they_stand(&self) -> bool {
        self.plies == 0 && !self.fens.is_empty()
    }

    /// The most openings that there can be, if that is easy to see.
    fn most(&self) -> Option<usize> {
        if self.takes_fens_as_they_stand() { Some(self.fens.len()) } else { self.n_reachable() }
    }
}

/// Single openings.
impl Source {
    /// What a try finds, decided or not; nothing if its random moves come to an end before.
    fn try_one(&self, idx: usize, attempt: u16) -> Option<Box<dyn AnyPlay>> {
        let mut rng = rng(self.seed, self.game.id(), idx as u64, u64::from(attempt));
        let mut play = self.start(idx, &mut rng)?;
        let has_moved = play.play_chosen(self.plies, &mut |n| (rng.next_u64() % n as u64) as usize);
        (has_moved && play.end().is_none()).then_some(play)
    }

    fn start(&self, idx: usize, rng: &mut ChaCha8Rng) -> Option<Box<dyn AnyPlay>> {
        if !self.fens.is_empty() {
            return self.game.play(&self.fens[idx % self.fens.len()]).ok();
        }
        let name = self.start.as_deref().unwrap_or(self.game.info().starts[0].name);
        self.game.start(name, rng.next_u64()).or_else(|| self.game.play(name).ok())
    }

    /// The number of different positions that random plies can lead to, if the start is not random and there are at most
    /// [`LOOKED_AT`] on the way.
    fn n_reachable(&self) -> Option<usize> {
        let start_of = |idx: usize, attempt: u64| {
            self.start(idx, &mut rng(self.seed, self.game.id(), idx as u64, attempt))
        };
        let fen_of = |attempt: u64| start_of(0, attempt).map(|start| start.fen());
        if fen_of(0) != fen_of(1) {
            return None;
        }
        let mut reached = HashSet::new();
        for idx in 0..self.fens.len().max(1) {
            let Some(start) = start_of(idx, 0) else { continue };
            reached.extend(start.reachable(self.plies, LOOKED_AT)?);
            if LOOKED_AT < reached.len() {
                return None;
            }
        }
        Some(reached.len())
    }
}

impl Openings {
    /// The FEN of the opening with that index, counted from 0.
    ///
    /// # Errors
    /// If there are not so many.
    pub fn fen(&mut self, idx: usize) -> Result<&str, OpeningsError> {
        if self.source.takes_fens_as_they_stand() {
            return self
                .source
                .fens
                .get(idx)
                .map(String::as_str)
                .ok_or_else(|| self.too_few(self.source.fens.len()));
        }
        while self.tries.len() <= idx {
            self.draw_next(None)?;
        }
        if self.text(idx).is_none() {
            let fen = self.draw_again(idx);
            self.keep_text(idx, fen);
        }
        Ok(self.text(idx).expect("it was put there"))
    }

    /// Whether an earlier run, which has recorded a match from `fen`, drew it as the opening with that index. The record is
    /// believed in one thing, which takes long to see: that the opening is undecided.
    pub fn is_recorded(&mut self, idx: usize, fen: &str) -> bool {
        if !self.source.takes_fens_as_they_stand() && self.tries.len() <= idx {
            let are_before = idx.checked_sub(1).is_none_or(|before| self.fen(before).is_ok());
            if !are_before || self.draw_next(Some(fen)).is_err() {
                return false;
            }
        }
        self.fen(idx).is_ok_and(|opening| opening == fen)
    }

    /// How many are drawn.
    #[cfg(test)]
    pub const fn n_drawn(&self) -> usize {
        self.tries.len()
    }

    /// Draws the opening after the last one.
    fn draw_next(&mut self, recorded: Option<&str>) -> Result<(), OpeningsError> {
        let idx = self.tries.len();
        let found = draw(&self.source, idx, &self.seen, recorded).ok_or_else(|| self.too_few(idx))?;
        self.tries.push(found.attempt);
        self.seen.insert(found.fingerprint);
        self.keep_text(idx, found.fen);
        Ok(())
    }

    /// The FEN of an opening that was drawn before.
    fn draw_again(&self, idx: usize) -> String {
        let found = self.source.try_one(idx, self.tries[idx]);
        found.expect("this try found an opening before").fen()
    }

    fn text(&self, idx: usize) -> Option<&str> {
        let (kept, fen) = self.texts[idx % TEXTS].as_ref()?;
        (*kept == idx).then_some(fen)
    }

    fn keep_text(&mut self, idx: usize, fen: String) {
        self.texts[idx % TEXTS] = Some((idx, fen));
    }

    const fn too_few(&self, found: usize) -> OpeningsError {
        let Source { game, plies, .. } = self.source;
        OpeningsError::TooFew { game, found, needed: self.n_needed, plies }
    }
}

/// The first try that finds an undecided opening unlike those that were `seen`; what was `recorded` is undecided.
fn draw(source: &Source, idx: usize, seen: &HashSet<u64>, recorded: Option<&str>) -> Option<Found> {
    (0..TRIES).find_map(|attempt| {
        let play = source.try_one(idx, attempt)?;
        let fingerprint = play.fingerprint();
        if seen.contains(&fingerprint) {
            return None;
        }
        let fen = play.fen();
        let is_undecided = recorded == Some(&fen) || !play.is_decided(SAFE_PLIES);
        is_undecided.then_some(Found { attempt, fingerprint, fen })
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
    #[error("`{}` contains no opening; write one FEN per line", path.display())]
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
        "only {found} different openings were found for `{game}` with `opening-plies = {plies}`, but {needed} are needed; raise `opening-plies` or lower `pairs`"
    )]
    TooFew {
        /// The game.
        game: GameId,
        /// How many there are.
        found: usize,
        /// How many the tournament may need.
        needed: usize,
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
        let mut openings = source.clone().openings(n).unwrap();
        (0..n).map(|idx| openings.fen(idx).unwrap().to_owned()).collect()
    }

    /// Their openings are kept, to see that no change of the code changes them.
    const KEPT: [GameId; 5] =
        [GameId::TOWER_PUSH, GameId::FOUR_TOWERS, GameId::TOWER_OF_POWER, GameId::PUSH, GameId::PUSH_PUSH];

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        for &game in GameId::all() {
            let source = source(game);
            let openings = fens(&source, 3);
            assert_eq!(fens(&source, 2), openings[..2], "more rounds do not change the first ones");
            assert_ne!(fens(&Source { seed: 2, ..source }, 3), openings);
            if KEPT.contains(&game) {
                insta::assert_snapshot!(format!("openings-{game}"), openings.join("\n"));
            }
        }
    }

    #[test]
    fn they_are_drawn_when_they_are_asked_for() {
        let mut openings = source(GameId::FOUR_TOWERS).openings(u32::MAX as usize).unwrap();
        assert_eq!(openings.n_drawn(), 0);
        let third = openings.fen(2).unwrap().to_owned();
        assert_eq!(openings.n_drawn(), 3);
        // One whose place its text has lost meanwhile is drawn again.
        let (game, first) = (GameId::PUSH_PUSH, openings.fen(0).unwrap().to_owned());
        assert_eq!(first, fens(&source(GameId::FOUR_TOWERS), 1)[0]);
        assert_eq!(openings.fen(2).unwrap(), third);
        let mut openings = source(game).openings(2 * TEXTS).unwrap();
        let first = openings.fen(0).unwrap().to_owned();
        openings.fen(TEXTS).unwrap();
        assert_eq!(openings.text(0), None);
        assert_eq!(openings.fen(0).unwrap(), first);
    }

    #[test]
    fn what_an_earlier_run_has_recorded_is_recognised() {
        for &game in GameId::all() {
            let recorded = fens(&source(game), 6);
            let mut openings = source(game).openings(6).unwrap();
            // 0 is missing: its match was under way when the run was killed.
            assert!(openings.is_recorded(1, &recorded[1]) && openings.is_recorded(2, &recorded[2]));
            assert!(!openings.is_recorded(3, &recorded[4]), "another opening of the same tournament");
            assert!(!openings.is_recorded(4, "rubbish"));
            let other_seed = fens(&Source { seed: 2, ..source(game) }, 6);
            assert!(!openings.is_recorded(5, &other_seed[5]));
            for (idx, fen) in recorded.iter().enumerate() {
                assert_eq!(openings.fen(idx).unwrap(), fen, "{game} {idx}");
            }
        }
    }

    #[test]
    fn no_two_are_alike_and_none_is_decided() {
        for &game in GameId::all() {
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
        let openings = fens(&source(GameId::PUSH), 5);
        assert_eq!(openings.iter().map(terrain).collect::<HashSet<_>>().len(), 5);
        let fixed = Source { start: Some("8x8-7".into()), ..source(GameId::PUSH) };
        assert_eq!(fens(&fixed, 5).iter().map(terrain).collect::<HashSet<_>>().len(), 1);
    }

    #[test]
    fn too_few_openings_are_an_error() {
        // One ply from the start of 5x5: 13 steps, in mirror pairs or not, and no more.
        let source = Source { start: Some("5x5".into()), plies: 1, ..source(GameId::TOWER_PUSH) };
        assert_eq!(fens(&source, 13).len(), 13);
        let error = source.clone().openings(14).unwrap_err();
        assert!(matches!(error, OpeningsError::TooFew { found: 13, needed: 14, .. }), "{error}");
        let mut openings = source.openings(13).unwrap();
        assert!(matches!(openings.fen(13), Err(OpeningsError::TooFew { found: 13, needed: 13, .. })));
        assert!(openings.fen(12).is_ok(), "the others are still there");
    }

    #[test]
    fn a_file_of_openings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        let game = GameId::PUSH_PUSH;
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
