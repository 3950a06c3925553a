//! The positions for the checks: drawn at random, the same in every run.

use std::collections::HashSet;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine_proto::fen::shown;
use engine_proto::proto::{Command, RESIGN, Words};
use engine_proto::{AnyPlay, GameId, Games, PlayError, Side};

use super::bench::Answer;
use super::finding::{Cause, Fault};
use super::{rules, slips};

/// Maximum plies of a random play.
const LONGEST: usize = 400;
/// Number of random plays that are searched for a position of a certain kind.
const N_PLAYS: u64 = 40;

/// A position with the moves that led to it.
#[derive(Clone)]
pub struct Setting {
    game: GameId,
    start: String,
    moves: Vec<String>,
    play: Box<dyn AnyPlay>,
}

impl Setting {
    /// The game's default start.
    pub fn start(games: &Games, game: GameId) -> Result<Self, PlayError> {
        Self::of_start(games, game, 0)
    }

    /// One of the game's starts, by number modulo the number of starts.
    fn of_start(games: &Games, game: GameId, idx: usize) -> Result<Self, PlayError> {
        let starts = games.info(game)?.starts;
        let start = starts[idx % starts.len()].fen;
        Ok(Self { game, start: start.to_owned(), moves: Vec::new(), play: games.play(game, start)? })
    }

    /// The command `position`.
    pub fn command(&self) -> String {
        self.command_from(&format!("fen {}", self.start))
    }

    /// The command `position` from the word `startpos`: for positions from the game's default start.
    pub fn command_from_startpos(&self) -> String {
        self.command_from("startpos")
    }

    /// The command `position` with the position's own FEN and no move.
    pub fn command_without_moves(&self) -> String {
        format!("position fen {}", self.play().fen())
    }

    fn command_from(&self, start: &str) -> String {
        let moves = if self.moves.is_empty() { "" } else { " moves " };
        format!("position {start}{moves}{}", self.moves.join(" "))
    }

    /// The command `legalmoves`, with its line end.
    pub fn legal_moves_command(&self) -> String {
        let moves = self.play().legal_moves().join(" ");
        format!("{}\n", Command::LegalMoves(Words::new(&moves)))
    }

    /// The play of this position.
    pub fn play(&self) -> &dyn AnyPlay {
        self.play.as_ref()
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        self.play().side_to_move()
    }

    /// The number of moves played.
    pub const fn n_moves(&self) -> usize {
        self.moves.len()
    }

    /// The position after another move, which is legal.
    pub fn after(&self, mv: &str) -> Result<Self, PlayError> {
        let mut next = self.clone();
        next.add(mv)?;
        Ok(next)
    }

    fn add(&mut self, mv: &str) -> Result<(), PlayError> {
        self.play.play(mv)?;
        self.moves.push(mv.to_owned());
        Ok(())
    }

    /// That the answer is a legal move here, spelled as it should be, or a resignation.
    pub fn demand_legal(&self, answer: &Answer) -> Result<(), Fault> {
        let play = self.play();
        if answer.mv == RESIGN || play.boxed().play(&answer.mv).is_ok() {
            return Ok(());
        }
        let legal = play.legal_moves();
        let fen = play.fen();
        if let Some(meant) = slips::meant_move(&answer.text, &legal) {
            let what = format!(
                "`{}` is not a legal move in `{fen}`; did you mean `{meant}`? A move has only one spelling",
                shown(&answer.text)
            );
            return Err(Fault::of(Cause::Misspelled, rules::LEGAL, what));
        }
        let examples = if let Some(nearest) = slips::nearest_move(&answer.mv, &legal) {
            format!("the nearest of the {} legal moves is `{nearest}`", legal.len())
        } else {
            let first = legal.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(" ");
            format!("the first of the {} legal moves are {first}", legal.len())
        };
        let what = format!("`{}` is not a legal move in `{fen}`; {examples}", shown(&answer.mv));
        Err(Fault::of(Cause::Illegal(self.game), rules::LEGAL, what))
    }
}

/// `n` positions that are not over, from all starts of the game. If the game has turns of several moves, every other
/// one is in the middle of a turn.
pub fn sample(games: &Games, game: GameId, n: u64) -> Result<Vec<Setting>, PlayError> {
    let pick = |seed: u64| {
        let walk = Walk::random(games, game, seed)?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let within = walk.within_turns();
        let length = if seed % 2 == 1 && !within.is_empty() {
            within[below(&mut rng, within.len())]
        } else {
            below(&mut rng, walk.longest_unfinished() + 1)
        };
        walk.cut(length)
    };
    (0..n).map(pick).collect()
}

/// About `n` positions as FENs, all different: those of random plays over all starts, the last ones included.
pub fn fens(games: &Games, game: GameId, n: usize) -> Result<Vec<String>, PlayError> {
    let mut found = HashSet::new();
    let mut fens = Vec::new();
    for seed in 0..N_PLAYS {
        let Walk { first, setting, .. } = Walk::random(games, game, seed)?;
        let mut play = first.play;
        let most = fens.len() + n / N_PLAYS as usize;
        // From the end, because positions at the beginning are like those of other plays.
        let mut of_play = vec![play.fen()];
        for mv in &setting.moves {
            play.play(mv)?;
            of_play.push(play.fen());
        }
        for fen in of_play.into_iter().rev() {
            if fens.len() < most && found.insert(fen.clone()) {
                fens.push(fen);
            }
        }
    }
    Ok(fens)
}

/// Up to `n` positions that are not over in which a side moves again after its own move, with the longest turns that
/// random plays hold; none if the game knows no such thing.
pub fn within_turns(games: &Games, game: GameId, n: usize) -> Result<Vec<Setting>, PlayError> {
    let mut found: Vec<(usize, Setting)> = Vec::new();
    for walk in walks(games, game)? {
        if let Some(length) = walk.within_turns().into_iter().max_by_key(|&length| walk.turn_from(length)) {
            found.push((walk.turn_from(length), walk.cut(length)?));
        }
    }
    found.sort_by_key(|(turn, _)| std::cmp::Reverse(*turn));
    Ok(found.into_iter().take(n).map(|(_, setting)| setting).collect())
}

/// The longest of some random plays, up to the position before its end.
pub fn longest(games: &Games, game: GameId) -> Result<Setting, PlayError> {
    let walks = walks(games, game)?.into_iter();
    let longest = walks.max_by_key(Walk::longest_unfinished).expect("some plays");
    longest.cut(longest.longest_unfinished())
}

/// A position in which the game is over; `None` if no random play reached one.
pub fn finished(games: &Games, game: GameId) -> Result<Option<Setting>, PlayError> {
    let finished = walks(games, game)?.into_iter().find(|walk| walk.is_finished);
    Ok(finished.map(|walk| walk.setting))
}

/// A position in which `side` has a choice of moves, shortly after the default start.
pub fn early(games: &Games, game: GameId, side: Side) -> Result<Setting, PlayError> {
    for seed in 0..N_PLAYS {
        let walk = Walk::from(Setting::start(games, game)?, seed)?;
        for length in 4..walk.longest_unfinished().clamp(4, 24) {
            let setting = walk.cut(length)?;
            if setting.side_to_move() == side && 3 <= setting.play().legal_moves().len() {
                return Ok(setting);
            }
        }
    }
    Setting::start(games, game)
}

fn walks(games: &Games, game: GameId) -> Result<Vec<Walk>, PlayError> {
    (0..N_PLAYS).map(|seed| Walk::random(games, game, seed)).collect()
}

/// A play of random moves.
struct Walk {
    first: Setting,
    /// The last position.
    setting: Setting,
    /// The side to move before each move, and at the end.
    sides: Vec<Side>,
    is_finished: bool,
}

impl Walk {
    fn random(games: &Games, game: GameId, seed: u64) -> Result<Self, PlayError> {
        Self::from(Setting::of_start(games, game, seed as usize)?, seed)
    }

    fn from(first: Setting, seed: u64) -> Result<Self, PlayError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut setting = first.clone();
        let mut sides = vec![setting.side_to_move()];
        while setting.moves.len() < LONGEST {
            let legal = setting.play().legal_moves();
            if legal.is_empty() {
                break;
            }
            setting.add(&legal[below(&mut rng, legal.len())])?;
            sides.push(setting.side_to_move());
        }
        let is_finished = setting.play().end().is_some();
        Ok(Self { first, setting, sides, is_finished })
    }

    /// The largest number of moves after which it is not over.
    fn longest_unfinished(&self) -> usize {
        self.setting.n_moves().saturating_sub(usize::from(self.is_finished))
    }

    /// The numbers of moves after which a side moves again.
    fn within_turns(&self) -> Vec<usize> {
        (1..=self.longest_unfinished())
            .filter(|&length| self.sides[length - 1] == self.sides[length])
            .collect()
    }

    /// The number of moves in a row by the side to move after `length` moves.
    fn turn_from(&self, length: usize) -> usize {
        self.sides[length..].iter().take_while(|side| **side == self.sides[length]).count()
    }

    fn cut(&self, length: usize) -> Result<Setting, PlayError> {
        let mut setting = self.first.clone();
        self.setting.moves[..length].iter().try_for_each(|mv| setting.add(mv))?;
        Ok(setting)
    }
}

fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    (rng.next_u64() % n as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_what_they_are_said_to_be() {
        let games = Games::built_in();
        let commands = |settings: &[Setting]| settings.iter().map(Setting::command).collect::<Vec<_>>();
        for game in games.known() {
            let (sampled, longest) = (sample(games, game, 8).unwrap(), longest(games, game).unwrap());
            let [white, black] = Side::ALL.map(|side| early(games, game, side).unwrap());
            for setting in sampled.iter().chain([&longest, &black]) {
                assert!(setting.play().end().is_none(), "{game}: {}", setting.command());
            }
            assert_eq!(commands(&sampled[..4]), commands(&sample(games, game, 4).unwrap()));
            assert_eq!(white.side_to_move(), Side::White, "{game}");
            assert_eq!(black.side_to_move(), Side::Black, "{game}");
            assert!(20 < longest.n_moves(), "{game}");
            let finished = finished(games, game).unwrap();
            assert!(finished.is_some_and(|setting| setting.play().end().is_some()), "{game}");
        }
    }

    #[test]
    fn the_games_in_which_a_side_moves_again() {
        let moves_again = |game| !within_turns(Games::built_in(), game, 1).unwrap().is_empty();
        assert!([GameId::TOWER_PUSH, GameId::FOUR_TOWERS].into_iter().all(moves_again));
        assert!(![GameId::TOWER_OF_POWER, GameId::PUSH, GameId::PUSH_PUSH].into_iter().any(moves_again));
    }
}
