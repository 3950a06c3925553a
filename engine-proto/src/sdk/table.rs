//! One game and its engine behind a trait without game types: from the protocol's texts to types.

use std::time::Instant;

use super::{Choice, Engine, Options, Search};
use crate::perft::split;
use crate::proto::{GameOver, StartAt, Words};
use crate::scene::terminal;
use crate::{AnyPlay, Drawn, End, GameInfo, IllegalMove, Play, PlayError, Position, Searchable};

/// A play and the engine that plays it.
pub(super) trait Table: Send {
    fn info(&self) -> &'static GameInfo;

    /// Sets the default start position. An engine that has been asked for a move in the match before is dropped.
    fn new_game(&mut self);

    /// Makes an engine if there is none.
    fn make_engine(&mut self, options: &Options);

    fn drop_engine(&mut self);

    /// Sets a position. After an error, the old position stays.
    fn set_position(&mut self, start: StartAt<'_>, moves: Words<'_>) -> Result<(), PlayError>;

    fn standing(&self) -> Standing;

    /// The engine's answer; `None` if the play is over or there is no engine.
    fn think(&mut self, search: &Search) -> Option<Choice<String>>;

    /// Tells the engine, if there is one, that the match is over.
    fn game_over(&mut self, over: &GameOver<'_>);

    /// The position as a drawing with notes: several lines, the last one without a line end.
    fn show(&self) -> String;

    /// Counts move sequences of `depth` moves for each first move, and their sum.
    fn perft(&self, depth: u32, say: &dyn Fn(&str));
}

/// What `query` asks of a position. It is kept while the table is away with a search.
pub(super) struct Standing {
    /// The end of the play, by the rules, repetition or the quiet limit.
    pub(super) end: Option<End>,
    /// The position, without the moves that led to it.
    pub(super) position: Box<dyn AnyPlay>,
}

/// The game of `P` with engines made by `F`.
pub(super) struct GameTable<P: Position, F> {
    factory: F,
    engine: Option<Box<dyn Engine<P>>>,
    /// Whether the engine has been asked for a move.
    has_thought: bool,
    game: Game<P>,
}

impl<P: Position, F: Fn(&Options) -> Box<dyn Engine<P>> + Send> GameTable<P, F> {
    pub(super) fn new(factory: F) -> Self {
        Self { factory, engine: None, has_thought: false, game: Game::at_default_start() }
    }
}

impl<P: Drawn + Searchable, F: Fn(&Options) -> Box<dyn Engine<P>> + Send> Table for GameTable<P, F> {
    fn info(&self) -> &'static GameInfo {
        P::INFO
    }

    fn new_game(&mut self) {
        self.game = Game::at_default_start();
        if self.has_thought {
            self.drop_engine();
        }
    }

    fn make_engine(&mut self, options: &Options) {
        if self.engine.is_none() {
            self.engine = Some((self.factory)(options));
            self.has_thought = false;
        }
    }

    fn drop_engine(&mut self) {
        self.engine = None;
    }

    fn set_position(&mut self, start: StartAt<'_>, moves: Words<'_>) -> Result<(), PlayError> {
        if let Some(further_moves) = self.game.moves_further(start, moves) {
            return Ok(self.game.go_on(further_moves)?);
        }
        self.game = Game::set_up(start, moves)?;
        Ok(())
    }

    fn standing(&self) -> Standing {
        let position = Play::new(self.game.play.position().clone());
        Standing { end: self.game.play.end(), position: Box::new(position) }
    }

    fn think(&mut self, search: &Search) -> Option<Choice<String>> {
        if self.game.play.end().is_some() {
            return None;
        }
        self.has_thought = true;
        Some(match self.engine.as_mut()?.think(&self.game.play, search) {
            Choice::Resign => Choice::Resign,
            Choice::Move { mv, reply, draw } => {
                Choice::Move { mv: mv.to_string(), reply: reply.map(|mv| mv.to_string()), draw }
            }
        })
    }

    fn game_over(&mut self, over: &GameOver<'_>) {
        if let Some(engine) = &mut self.engine {
            engine.game_over(over);
        }
    }

    fn show(&self) -> String {
        let play = &self.game.play;
        let end = play.end().map_or_else(|| "no".to_owned(), |end| end.to_string());
        let position = play.position();
        let (layout, scene) = (position.layout(), position.scene());
        // The reader may be a terminal, a log or another program.
        let board = terminal::draw(&layout, &scene, play.effects().as_ref(), terminal::Style::PLAIN);
        format!(
            "{board}FEN: {position}\nSide to move: {}\nLegal moves: {}\nGame over: {end}",
            position.side_to_move(),
            position.count_legal_moves(),
        )
    }

    fn perft(&self, depth: u32, say: &dyn Fn(&str)) {
        let begun = Instant::now();
        let sum = split(self.game.play.position(), depth, &mut |line| say(line));
        let seconds = begun.elapsed().as_secs_f64();
        let speed = sum as f64 / seconds.max(1e-9);
        say(&format!("\nNodes searched: {sum}\nTime: {:.0} ms\nNodes per second: {speed:.0}", seconds * 1e3));
    }
}

/// A play with the texts that it was set from, to detect a `position` that only adds moves.
struct Game<P: Position> {
    /// The FEN of the start; `None` for the default start.
    start: Option<String>,
    /// The moves from the start, joined by single spaces.
    moves: String,
    play: Play<P>,
}

impl<P: Position> Game<P> {
    fn at_default_start() -> Self {
        Self { start: None, moves: String::new(), play: Play::new(P::startpos()) }
    }

    fn set_up(start: StartAt<'_>, moves: Words<'_>) -> Result<Self, PlayError> {
        let mut game = match start {
            StartAt::Default => Self::at_default_start(),
            StartAt::Fen(fen) => {
                let fen = fen.joined();
                let play = Play::new(fen.parse()?);
                Self { start: Some(fen.into_owned()), moves: String::new(), play }
            }
        };
        game.go_on(moves)?;
        Ok(game)
    }

    /// The moves that `start` and `moves` add to this position, if they continue it.
    fn moves_further<'a>(&self, start: StartAt<'_>, moves: Words<'a>) -> Option<Words<'a>> {
        let is_same_start = match (start, &self.start) {
            (StartAt::Default, None) => true,
            (StartAt::Fen(fen), Some(mine)) => fen == Words::new(mine),
            _ => false,
        };
        let further = moves.raw().strip_prefix(self.moves.as_str())?;
        let is_at_word_end = self.moves.is_empty()
            || further.is_empty()
            || further.starts_with(|c: char| c.is_ascii_whitespace());
        (is_same_start && is_at_word_end).then_some(Words::new(further))
    }

    /// Plays all of `moves`; after an error, none.
    fn go_on(&mut self, moves: Words<'_>) -> Result<(), IllegalMove> {
        let n_before = self.play.moves().len();
        let length_before = self.moves.len();
        for mv in moves {
            if let Err(error) = self.play.play_text(mv) {
                self.take_back_to(n_before);
                self.moves.truncate(length_before);
                return Err(error);
            }
            if !self.moves.is_empty() {
                self.moves.push(' ');
            }
            self.moves.push_str(mv);
        }
        Ok(())
    }

    fn take_back_to(&mut self, n_moves: usize) {
        let mut play = Play::new(self.play.start().clone());
        self.play.moves()[..n_moves].iter().for_each(|&mv| play.play_unchecked(mv));
        self.play = play;
    }
}
