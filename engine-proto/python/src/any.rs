//! A play of any game with numbered actions, for code that does not know its type.

use games::four_towers::FourTowers;
use games::push::Push;
use games::push_push::PushPush;
use games::tower_of_power::TowerOfPower;
use games::tower_push::TowerPush;
use games::{AnyPlay, GameId, Play, PlayError, Position, Side};

use crate::coded::{self, COMMON_PLANES, Coded};

/// Work that is generic over the game.
pub trait CodedWork {
    /// The result of the work.
    type Output;
    /// Does the work for the game of the position `P`.
    fn run<P: Coded>(self) -> Self::Output;
}

/// Calls `work` with the position type of a game; `None` if the game has no numbered actions.
pub fn with<W: CodedWork>(game: GameId, work: W) -> Option<W::Output> {
    macro_rules! try_games {
        ($($position:ty),*) => {
            $(if game.id() == <$position>::INFO.id {
                return Some(work.run::<$position>());
            })*
        };
    }
    try_games!(TowerPush, FourTowers, TowerOfPower, Push, PushPush);
    None
}

/// Whether a game has numbered actions.
pub fn has(game: GameId) -> bool {
    struct Has;
    impl CodedWork for Has {
        type Output = ();
        fn run<P: Coded>(self) {}
    }
    with(game, Has).is_some()
}

/// A play of any game with numbered actions.
pub trait AnyCoded: AnyPlay + Sync {
    /// A copy.
    fn copy(&self) -> Box<dyn AnyCoded>;
    /// `fen <fen> moves <m> ...`: see [`Play`].
    fn line(&self) -> String;
    /// The FEN of the start.
    fn start_fen(&self) -> String;
    /// The spellings of the moves played.
    fn moves(&self) -> Vec<String>;
    /// The number of times that the current position has occurred.
    fn occurrences(&self) -> usize;
    /// Moves since the last progress.
    fn quiet(&self) -> u32;
    /// The legal moves: their actions and spellings, by ascending action; none once the play is over.
    fn legal(&self) -> Vec<(usize, String)>;
    /// The legal actions, ascending.
    fn legal_actions(&self) -> Vec<usize>;
    /// Plays the legal move of an action; false if it is not legal.
    fn apply(&mut self, action: usize) -> bool;
    /// Plays a move and returns its action; `None` if it is not legal.
    fn play_coded(&mut self, text: &str) -> Option<usize>;
    /// Takes the last move back; false at the start.
    fn undo(&mut self) -> bool;
    /// See [`Coded::n_actions`].
    fn n_actions(&self) -> usize;
    /// See [`coded::shape`].
    fn shape(&self) -> [usize; 3];
    /// The meaning of each plane.
    fn planes(&self) -> Vec<&'static str>;
    /// See [`coded::observe`].
    fn observe(&self, viewer: Side, data: &mut [f32]);
}

impl<P: Coded> AnyCoded for Play<P> {
    fn copy(&self) -> Box<dyn AnyCoded> {
        Box::new(self.clone())
    }

    fn line(&self) -> String {
        self.to_string()
    }

    fn start_fen(&self) -> String {
        self.start().to_string()
    }

    fn moves(&self) -> Vec<String> {
        Self::moves(self).iter().map(ToString::to_string).collect()
    }

    fn occurrences(&self) -> usize {
        Self::occurrences(self)
    }

    fn quiet(&self) -> u32 {
        self.position().quiet()
    }

    fn legal(&self) -> Vec<(usize, String)> {
        let mut legal: Vec<_> = numbered(self).map(|(action, mv)| (action, mv.to_string())).collect();
        legal.sort_unstable();
        legal
    }

    fn legal_actions(&self) -> Vec<usize> {
        let mut actions: Vec<usize> = numbered(self).map(|(action, _)| action).collect();
        actions.sort_unstable();
        actions
    }

    fn apply(&mut self, action: usize) -> bool {
        let Some((_, mv)) = numbered(self).find(|&(other, _)| other == action) else { return false };
        self.play_unchecked(mv);
        true
    }

    fn play_coded(&mut self, text: &str) -> Option<usize> {
        if Self::end(self).is_some() {
            return None;
        }
        let mv = self.position().parse_move(text)?;
        let action = self.position().action(mv);
        self.play_unchecked(mv);
        Some(action)
    }

    fn undo(&mut self) -> bool {
        Self::undo(self).is_some()
    }

    fn n_actions(&self) -> usize {
        self.position().n_actions()
    }

    fn shape(&self) -> [usize; 3] {
        coded::shape(self.position())
    }

    fn planes(&self) -> Vec<&'static str> {
        P::PLANES.iter().chain(&COMMON_PLANES).copied().collect()
    }

    fn observe(&self, viewer: Side, data: &mut [f32]) {
        coded::observe(self, viewer, data);
    }
}

/// The legal moves with their actions, in any order.
fn numbered<P: Coded>(play: &Play<P>) -> impl Iterator<Item = (usize, P::Move)> {
    let mut moves = Vec::with_capacity(64);
    play.legal_moves(&mut moves);
    moves.into_iter().map(|mv| (play.position().action(mv), mv))
}

/// A play from the start called `name`, or from the default start; `None` if there is no such start.
pub fn start(game: GameId, name: Option<&str>, seed: u64) -> Option<Box<dyn AnyCoded>> {
    struct Start<'a>(Option<&'a str>, u64);
    impl CodedWork for Start<'_> {
        type Output = Option<Box<dyn AnyCoded>>;
        fn run<P: Coded>(self) -> Self::Output {
            let start = P::start(self.0.unwrap_or(P::INFO.starts[0].name), self.1)?;
            Some(Box::new(Play::new(start)))
        }
    }
    with(game, Start(name, seed)).flatten()
}

/// A play from a FEN.
pub fn from_fen(game: GameId, fen: &str) -> Option<Result<Box<dyn AnyCoded>, PlayError>> {
    struct Fen<'a>(&'a str);
    impl CodedWork for Fen<'_> {
        type Output = Result<Box<dyn AnyCoded>, PlayError>;
        fn run<P: Coded>(self) -> Self::Output {
            Ok(Box::new(Play::new(self.0.parse::<P>()?)))
        }
    }
    with(game, Fen(fen))
}
