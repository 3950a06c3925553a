//! Games and plays without their types: positions and moves are texts. It contains no rules.

use std::any::Any;
use std::collections::HashSet;
use std::marker::PhantomData;

use crate::bits::mix64;
use crate::fen::shown;
use crate::play::PlayError;
use crate::scene::{Effects, Layout, Meaning, Remark, Scene};
use crate::{Drawn, End, GameInfo, IllegalMove, Play, Searchable, Side, Square, decided, perft};

/// The rules of one game: an entry of [`Games`](crate::Games).
///
/// Every [`Position`](crate::Position) type has one: see [`Games::with`](crate::Games::with). A game can also have an entry without
/// such a type, for example rules that run in another program and are selected at run time. It implements this trait and
/// [`AnyPlay`] itself, and is added with [`Games::with_on_request`](crate::Games::with_on_request). Only code that is generic
/// over [`Position`](crate::Position) (the SDK, the engines) cannot play it.
pub trait AnyGame: Any + Send + Sync {
    /// The constants of the game.
    fn info(&self) -> &GameInfo;

    /// A play from the position `fen`.
    ///
    /// # Errors
    /// If `fen` is not a FEN of the game.
    fn play(&self, fen: &str) -> Result<Box<dyn AnyPlay>, PlayError>;

    /// A play from a position in any usual text form: see [`Position::import`](crate::Position::import).
    ///
    /// # Errors
    /// If the text is not a position of the game.
    fn import(&self, text: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        self.play(text)
    }

    /// A play from the start called `name`: see [`Position::start`](crate::Position::start).
    ///
    /// # Errors
    /// [`PlayError::NoStart`] if the game has no such start; others if its rules fail.
    fn start(&self, name: &str, seed: u64) -> Result<Box<dyn AnyPlay>, PlayError>;

    /// Why the rules can no longer answer; `None` if they can. Only rules that run in another program fail. After that,
    /// nothing that a play of the game says counts.
    fn failure(&self) -> Option<String> {
        None
    }
}

/// A game in progress of any game.
///
/// The default methods are slow because they use texts. [`Play`] overrides them.
pub trait AnyPlay: Send {
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyPlay>;
    /// See [`Position::side_to_move`](crate::Position::side_to_move).
    fn side_to_move(&self) -> Side;
    /// The FEN of the current position.
    fn fen(&self) -> String;
    /// The number of moves since the start.
    fn n_moves(&self) -> usize;
    /// The end of the play, if it is over: by the game's own rules, by repetition or by the quiet limit.
    fn end(&self) -> Option<End>;
    /// The end by the game's own rules only: see [`Position::end`](crate::Position::end).
    fn position_end(&self) -> Option<End>;
    /// The canonical spellings of the position's legal moves, sorted by bytes. A draw by repetition or the quiet limit
    /// does not remove them.
    fn position_moves(&self) -> Vec<String>;
    /// Plays a legal move of the position, also after a draw by repetition or the quiet limit.
    ///
    /// # Errors
    /// If `text` is not the canonical spelling of such a move. The play does not change then.
    fn play_on(&mut self, text: &str) -> Result<(), IllegalMove>;
    /// See [`Drawn::layout`].
    fn layout(&self) -> Layout;
    /// The pieces and notes of the current position, for a drawing.
    fn scene(&self) -> Scene;
    /// See [`Play::effects`].
    fn effects(&self) -> Option<Effects>;

    /// The spellings of [`Drawn::moves_into_check`].
    fn moves_into_check(&self) -> Vec<String> {
        Vec::new()
    }

    /// See [`Drawn::refusal`].
    fn refusal(&self, _from: Square, _to: Square) -> Option<String> {
        None
    }

    /// See [`Drawn::winning_squares`].
    fn winning_squares(&self) -> Vec<Square> {
        Vec::new()
    }

    /// See [`Drawn::meaning`].
    fn meaning(&self, _mv: &str, _reader: Side) -> Option<Meaning> {
        None
    }

    /// See [`Drawn::remarks`].
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }

    /// A legal move of the position, given in its canonical spelling, as people write it: see [`Position::notation`](crate::Position::notation).
    /// `None` if it is not legal.
    fn notation(&self, mv: &str) -> Option<String> {
        self.read_move(mv)
    }

    /// The canonical spelling of the legal move of the position that `text` names in any usual spelling: see
    /// [`Position::read_move`](crate::Position::read_move).
    fn read_move(&self, text: &str) -> Option<String> {
        self.position_moves().into_iter().find(|mv| mv == text)
    }

    /// The canonical spellings of the legal moves, sorted by bytes; none once the play is over.
    fn legal_moves(&self) -> Vec<String> {
        if self.end().is_some() { Vec::new() } else { self.position_moves() }
    }

    /// The number of legal moves; 0 once the play is over.
    fn n_legal_moves(&self) -> usize {
        self.legal_moves().len()
    }

    /// See [`Play::play_text`].
    ///
    /// # Errors
    /// If `text` is not the canonical spelling of a legal move, or the play is over. The play does not change then.
    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        if self.end().is_some() { Err(IllegalMove::new(text)) } else { self.play_on(text) }
    }

    /// See [`Play::play_chosen`].
    fn play_chosen(&mut self, n_moves: u32, choose: &mut dyn FnMut(usize) -> usize) -> bool {
        (0..n_moves).all(|_| {
            let moves = self.legal_moves();
            !moves.is_empty() && self.play(&moves[choose(moves.len())]).is_ok()
        })
    }

    /// See [`Position::fingerprint`](crate::Position::fingerprint).
    fn fingerprint(&self) -> u64 {
        let fen = self.fen();
        let compared = fen.rsplitn(3, ' ').last().unwrap_or_default();
        compared.bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte)))
    }

    /// See [`decided::is_decided`].
    fn is_decided(&self, plies: u32) -> bool {
        self.position_end().is_some()
            || Side::ALL.iter().any(|&side| can_force_end(self.boxed().as_ref(), side, plies))
    }

    /// See [`perft::perft`].
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.position_moves().len() as u64,
            _ => self.split(depth, &mut |_| ()),
        }
    }

    /// See [`perft::split`].
    fn split(&self, depth: u32, say: &mut dyn FnMut(&str)) -> u64 {
        let Some(depth_after_first) = depth.checked_sub(1) else { return 1 };
        let mut sum = 0;
        for (mv, next) in children(self.boxed().as_ref()) {
            let nodes = next.perft(depth_after_first);
            say(&format!("{mv}: {nodes}"));
            sum += nodes;
        }
        sum
    }

    /// See [`perft::reachable`].
    fn reachable(&self, plies: u32, limit: usize) -> Option<HashSet<u64>> {
        let mut plays = vec![self.boxed()];
        for _ in 0..plies {
            let (mut seen, mut reached) = (HashSet::new(), Vec::new());
            for play in &plays {
                let next = children(play.as_ref()).into_iter().map(|(_, next)| next);
                reached.extend(next.filter(|next| seen.insert(next.fingerprint())));
                if reached.len() > limit {
                    return None;
                }
            }
            plays = reached;
        }
        let goes_on = plays.iter().filter(|play| play.position_end().is_none());
        Some(goes_on.map(|play| play.fingerprint()).collect())
    }
}

/// The plays after each legal move of the position. If the rules fail (see [`AnyGame::failure`]), some are missing.
fn children(play: &dyn AnyPlay) -> Vec<(String, Box<dyn AnyPlay>)> {
    let after = |mv: String| {
        let mut next = play.boxed();
        next.play_on(&mv).is_ok().then_some((mv, next))
    };
    play.position_moves().into_iter().filter_map(after).collect()
}

fn can_force_end(play: &dyn AnyPlay, side: Side, plies: u32) -> bool {
    if let Some(end) = play.position_end() {
        return end.winner != Some(!side);
    }
    if plies == 0 {
        return false;
    }
    let mut after = children(play).into_iter();
    let mut leads_there =
        |(_, next): (String, Box<dyn AnyPlay>)| can_force_end(next.as_ref(), side, plies - 1);
    if play.side_to_move() == side { after.any(&mut leads_there) } else { after.all(leads_there) }
}

impl Clone for Box<dyn AnyPlay> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// The game of the position type `P`.
pub(crate) struct Typed<P>(pub(crate) PhantomData<fn() -> P>);

impl<P: Drawn + Searchable> AnyGame for Typed<P> {
    fn info(&self) -> &GameInfo {
        P::INFO
    }

    fn play(&self, fen: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        let position = fen.parse::<P>().map_err(|error| error.with_example(P::INFO.starts[0].fen))?;
        Ok(Box::new(Play::new(position)))
    }

    fn import(&self, text: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        Ok(Box::new(Play::new(P::import(text)?)))
    }

    fn start(&self, name: &str, seed: u64) -> Result<Box<dyn AnyPlay>, PlayError> {
        let play = P::start(name, seed).map(|start| -> Box<dyn AnyPlay> { Box::new(Play::new(start)) });
        play.ok_or_else(|| no_start(name))
    }
}

/// Not inlined: beside the position, the optimiser of Rust 1.95 gives this text a place on the stack that is not aligned for
/// the position, and the program crashes.
#[cold]
#[inline(never)]
fn no_start(name: &str) -> PlayError {
    PlayError::NoStart { name: shown(name) }
}

impl<P: Drawn + Searchable> AnyPlay for Play<P> {
    fn boxed(&self) -> Box<dyn AnyPlay> {
        Box::new(self.clone())
    }

    fn side_to_move(&self) -> Side {
        self.position().side_to_move()
    }

    fn fen(&self) -> String {
        self.position().to_string()
    }

    fn n_moves(&self) -> usize {
        self.moves().len()
    }

    fn end(&self) -> Option<End> {
        Self::end(self)
    }

    fn position_end(&self) -> Option<End> {
        self.position().end()
    }

    fn position_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.position().legal_moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn play_on(&mut self, text: &str) -> Result<(), IllegalMove> {
        let mv = self.position().parse_move(text).ok_or_else(|| IllegalMove::new(text))?;
        self.play_unchecked(mv);
        Ok(())
    }

    fn layout(&self) -> Layout {
        self.position().layout()
    }

    fn scene(&self) -> Scene {
        Scene { shifts: self.shifts(), ..self.position().scene() }
    }

    fn remarks(&self) -> Vec<Remark> {
        self.position().remarks()
    }

    fn moves_into_check(&self) -> Vec<String> {
        self.position().moves_into_check().iter().map(ToString::to_string).collect()
    }

    fn refusal(&self, from: Square, to: Square) -> Option<String> {
        self.position().refusal(from, to)
    }

    fn winning_squares(&self) -> Vec<Square> {
        self.position().winning_squares()
    }

    fn meaning(&self, mv: &str, reader: Side) -> Option<Meaning> {
        let position = self.position();
        position.meaning(position.parse_move(mv)?, reader)
    }

    fn effects(&self) -> Option<Effects> {
        Self::effects(self)
    }

    fn notation(&self, mv: &str) -> Option<String> {
        let position = self.position();
        Some(position.notation(position.parse_move(mv)?))
    }

    fn read_move(&self, text: &str) -> Option<String> {
        self.position().read_move(text).map(|mv| mv.to_string())
    }

    fn n_legal_moves(&self) -> usize {
        if Self::end(self).is_some() { 0 } else { self.position().count_legal_moves() }
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        self.play_text(text).map(|_| ())
    }

    fn play_chosen(&mut self, n_moves: u32, choose: &mut dyn FnMut(usize) -> usize) -> bool {
        Self::play_chosen(self, n_moves, choose)
    }

    fn fingerprint(&self) -> u64 {
        self.position().fingerprint()
    }

    fn is_decided(&self, plies: u32) -> bool {
        decided::is_decided(self.position(), plies)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft::perft(self.position(), depth)
    }

    fn split(&self, depth: u32, say: &mut dyn FnMut(&str)) -> u64 {
        perft::split(self.position(), depth, say)
    }

    fn reachable(&self, plies: u32, limit: usize) -> Option<HashSet<u64>> {
        perft::reachable(self.position(), plies, limit)
    }
}
