//! Openings: random plies drawn with a seed, or a file of FENs. In a drawn opening, no side can force the end within a
//! few plies. The same seed always gives the same openings. They are drawn on demand, so that a long tournament starts
//! at once.

use std::collections::HashSet;
use std::path::PathBuf;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine_proto::{AnyPlay, GameId, Games};

/// The number of tries after which the search for another opening fails.
const TRIES: u16 = 1000;
/// The number of plies within which no side can force the end of an opening.
const SAFE_PLIES: u32 = 3;
/// The number of texts that are cached.
const TEXTS: usize = 256;
/// If there are at most this many positions, they are counted beforehand to see whether there are enough openings.
const LOOKED_AT: usize = 1000;

/// What the openings of one game are drawn from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The games, which have the rules of `game`.
    pub games: Games,
    /// The game.
    pub game: GameId,
    /// A named start or a FEN; `None` for the game's default start.
    pub start: Option<String>,
    /// Start positions from a file, used in order; empty without a file.
    pub fens: Vec<String>,
    /// Whether the openings begin again with the first one if there are too few.
    pub repeats: bool,
    /// The number of random plies.
    pub plies: u32,
    /// The tournament's seed, the same for all games.
    pub seed: u64,
}

/// The different openings of one game. Each depends on those before, so they are drawn in order, up to the requested
/// one. Only the try that found an opening and a fingerprint are stored: drawing it again takes microseconds, because
/// the slow part is to check that it is undecided.
#[derive(Clone, Debug)]
pub struct Openings {
    source: Source,
    /// The maximum number that the tournament may need.
    n_needed: usize,
    /// For each drawn opening: the try that found it.
    tries: Vec<u16>,
    /// The number of openings that are left out before the first one.
    n_skipped: usize,
    /// The number of openings, if they begin again with the first one.
    n_all: Option<usize>,
    /// The fingerprints of the drawn openings. If two different openings have the same one, another opening is drawn;
    /// this happens in one of 10^7 tournaments with a million openings.
    seen: HashSet<u64>,
    /// The texts of openings in use, each with its index, stored at that index modulo [`TEXTS`].
    texts: Vec<Option<(usize, String)>>,
}

/// An opening that a try has found.
struct Found {
    attempt: u16,
    fingerprint: u64,
    fen: String,
}

impl Source {
    /// The openings of a game before any is drawn. A tournament needs at most `n_needed`; the openings do not depend
    /// on this number.
    ///
    /// # Errors
    /// If there are clearly fewer openings. Otherwise [`Openings::fen`] may find this out later.
    pub fn openings(self, n_needed: usize) -> Result<Openings, OpeningsError> {
        let openings = Openings {
            n_needed,
            n_skipped: 0,
            tries: Vec::new(),
            n_all: (self.repeats && self.takes_fens_as_they_stand()).then_some(self.fens.len()),
            seen: HashSet::new(),
            texts: vec![None; TEXTS],
            source: self,
        };
        let most = openings.source.most();
        openings.source.check_rules()?;
        match most {
            Some(most) if most < n_needed && !openings.source.repeats => Err(openings.too_few(most)),
            _ => Ok(openings),
        }
    }

    /// Rules that are a program may have failed: what they said last does not count then.
    fn check_rules(&self) -> Result<(), OpeningsError> {
        self.games.failure_of(self.game).map_or(Ok(()), |reason| Err(OpeningsError::Rules { reason }))
    }

    /// Openings from a file without random plies are the user's own choice.
    const fn takes_fens_as_they_stand(&self) -> bool {
        self.plies == 0 && !self.fens.is_empty()
    }

    /// The maximum number of openings, if it is easy to determine.
    fn most(&self) -> Option<usize> {
        if self.takes_fens_as_they_stand() { Some(self.fens.len()) } else { self.n_reachable() }
    }
}

/// Single openings.
impl Source {
    /// The opening that a try finds, decided or not; `None` if the game ends during its random moves.
    fn try_one(&self, idx: usize, attempt: u16) -> Option<Box<dyn AnyPlay>> {
        let mut rng = rng(self.seed, self.game.id(), idx as u64, u64::from(attempt));
        let mut play = self.start(idx, &mut rng)?;
        let has_moved = play.play_chosen(self.plies, &mut |n| (rng.next_u64() % n as u64) as usize);
        (has_moved && play.end().is_none()).then_some(play)
    }

    fn start(&self, idx: usize, rng: &mut ChaCha8Rng) -> Option<Box<dyn AnyPlay>> {
        if !self.fens.is_empty() {
            return self.games.play(self.game, &self.fens[idx % self.fens.len()]).ok();
        }
        let rules = self.games.get(self.game).ok()?;
        let name = self.start.as_deref().unwrap_or(rules.info().starts[0].name);
        rules.start(name, rng.next_u64()).or_else(|_| rules.import(name)).ok()
    }

    /// The number of different positions after the random plies, if the start is fixed and at most [`LOOKED_AT`]
    /// positions are visited.
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
    /// The same without the first `n`.
    #[must_use]
    pub fn after(self, n: usize) -> Self {
        Self { n_skipped: n, ..self }
    }

    /// The FEN of the opening with this index, from 0.
    ///
    /// # Errors
    /// If there are not enough openings.
    pub fn fen(&mut self, idx: usize) -> Result<&str, OpeningsError> {
        self.at(idx + self.n_skipped)
    }

    /// The same with the index among all, those that are left out included.
    fn at(&mut self, idx: usize) -> Result<&str, OpeningsError> {
        while !self.source.takes_fens_as_they_stand() && self.n_all.is_none() && self.tries.len() <= idx {
            self.draw_next(None)?;
        }
        let idx = self.n_all.map_or(idx, |n_all| idx % n_all);
        if self.source.takes_fens_as_they_stand() {
            return self
                .source
                .fens
                .get(idx)
                .map(String::as_str)
                .ok_or_else(|| self.too_few(self.source.fens.len()));
        }
        if self.text(idx).is_none() {
            let fen = self.draw_again(idx)?;
            self.keep_text(idx, fen);
        }
        Ok(self.text(idx).expect("it was put there"))
    }

    /// Whether an earlier run, which recorded a match from `fen`, drew it as the opening with this index. It trusts
    /// the record that the opening is undecided, because checking this is slow.
    pub fn is_recorded(&mut self, idx: usize, fen: &str) -> bool {
        let idx = idx + self.n_skipped;
        if !self.source.takes_fens_as_they_stand() && self.tries.len() <= idx {
            let are_before = idx.checked_sub(1).is_none_or(|before| self.at(before).is_ok());
            if !are_before || self.n_all.is_none() && self.draw_next(Some(fen)).is_err() {
                return false;
            }
        }
        self.at(idx).is_ok_and(|opening| opening == fen)
    }

    /// The number of openings drawn.
    #[cfg(test)]
    pub const fn n_drawn(&self) -> usize {
        self.tries.len()
    }

    /// Draws the opening after the last one.
    fn draw_next(&mut self, recorded: Option<&str>) -> Result<(), OpeningsError> {
        let idx = self.tries.len();
        let found = draw(&self.source, idx, &self.seen, recorded);
        self.source.check_rules()?;
        if found.is_none() && self.source.repeats && idx != 0 {
            self.n_all = Some(idx);
            return Ok(());
        }
        let found = found.ok_or_else(|| self.too_few(idx))?;
        self.tries.push(found.attempt);
        self.seen.insert(found.fingerprint);
        self.keep_text(idx, found.fen);
        Ok(())
    }

    /// The FEN of an opening that was already drawn.
    fn draw_again(&self, idx: usize) -> Result<String, OpeningsError> {
        let found = self.source.try_one(idx, self.tries[idx]);
        self.source.check_rules()?;
        Ok(found.ok_or_else(|| self.too_few(idx))?.fen())
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

/// The first try that finds an undecided opening that is not in `seen`. The opening `recorded` is undecided.
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

/// Every opening and try has its own generator, so that the tries of one opening do not change the next one.
fn rng(seed: u64, game: &str, idx: u64, attempt: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&idx.to_le_bytes());
    key[16..24].copy_from_slice(&attempt.to_le_bytes());
    let name = game.bytes().fold(0_u64, |sum, byte| engine_proto::bits::mix64(sum ^ u64::from(byte)));
    key[24..].copy_from_slice(&name.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// Why there are no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read the openings `{}`: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// The file is empty.
    #[error("`{}` contains no opening; write one FEN or EPD per line, or games in a file `.pgn`", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The book has fewer openings than `book-start` skips.
    #[error("`{}` has only {found} openings, so `book-start = {start}` is too large", path.display())]
    NoSuchStart {
        /// The file.
        path: PathBuf,
        /// The first opening to play, from 1.
        start: u32,
        /// The number of openings.
        found: usize,
    },
    /// The rules of the game, which are a program, do not answer as they should.
    #[error("{reason}")]
    Rules {
        /// What happened.
        reason: String,
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
    /// There are not enough different openings.
    #[error(
        "only {found} different openings were found for `{game}` with `opening-plies = {plies}`, but {needed} are needed; {}",
        if *found == 0 { "lower `opening-plies`: random moves have ended the match before" } else { "raise `opening-plies` or lower `pairs`" }
    )]
    TooFew {
        /// The game.
        game: GameId,
        /// The number found.
        found: usize,
        /// The number that the tournament may need.
        needed: usize,
        /// The random plies of each opening.
        plies: u32,
    },
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::book;
    use model::Book;

    fn read_file(game: GameId, path: &Path) -> Result<Vec<String>, OpeningsError> {
        book::read(Games::built_in(), game, path, &Book::default(), 1)
    }

    /// Random openings of four plies from the default start.
    pub(crate) fn source(game: GameId) -> Source {
        Source {
            games: Games::default(),
            game,
            start: None,
            fens: Vec::new(),
            repeats: false,
            plies: 4,
            seed: 1,
        }
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
        for &game in GameId::BUILT_IN {
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
        for &game in GameId::BUILT_IN {
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
        for &game in GameId::BUILT_IN {
            let openings = fens(&source(game), 12);
            assert_eq!(openings.iter().collect::<HashSet<_>>().len(), 12);
            for fen in &openings {
                assert_eq!(Games::built_in().play(game, fen).unwrap().end(), None);
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
    fn too_few_openings_begin_again_if_told() {
        let start = Source { repeats: true, plies: 0, ..source(GameId::CHESS) };
        let [one] = &fens(&start, 1)[..] else { panic!("one opening") };
        assert_eq!(fens(&start, 3), [one.as_str(); 3]);
        let mut openings = start.openings(3).unwrap();
        assert!(openings.is_recorded(2, one) && openings.is_recorded(0, one));
        let file = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"].map(str::to_owned);
        let of_file = Source { repeats: true, plies: 0, fens: file.to_vec(), ..source(GameId::CHESS) };
        assert_eq!(fens(&of_file, 5), [0, 1, 0, 1, 0].map(|idx| file[idx].clone()));
    }

    #[test]
    fn openings_that_another_tournament_has_played_are_left_out() {
        for &game in GameId::BUILT_IN {
            let all = fens(&source(game), 6);
            let mut rest = source(game).openings(6).unwrap().after(4);
            assert!(rest.is_recorded(1, &all[5]) && !rest.is_recorded(0, &all[0]));
            assert_eq!([0, 1].map(|idx| rest.fen(idx).unwrap().to_owned()), all[4..]);
        }
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
        assert!(error.contains("line 2: this is not a FEN: "), "{error}");
        fs::write(&path, "3C3/7/7/7/7/7/7 b - w 6 41\n").unwrap();
        assert!(read_file(game, &path).unwrap_err().to_string().contains("White wins (goal)"));
        fs::write(&path, "# nothing\n").unwrap();
        assert!(matches!(read_file(game, &path), Err(OpeningsError::Empty { .. })));
        assert!(matches!(read_file(game, folder.path()), Err(OpeningsError::Unreadable { .. })));
    }
}
