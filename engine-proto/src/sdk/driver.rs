//! The loop over the arena's lines. It continues to read while the engine thinks on its own thread. The two never
//! share a table: it is either here or on the search thread.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use super::description::{GAME, Identity, MOVE_OVERHEAD, PONDER, RunError};
use super::output::{Ending, Output};
use super::search_thread::{Job, SearchThread};
use super::table::{Standing, Table};
use super::{Allotment, Options, PonderHit, Search, Stop};
use crate::Side;
use crate::fen::shown;
use crate::proto::{
    Answer, Command, EDITION, Go, InfoLine, Line, LineError, LineReader, OptionValue, Query, Reply, StartAt,
    Words,
};

/// How long the program waits for a search to end when the program ends.
const FAREWELL: Duration = Duration::from_millis(100);

/// The deepest `perft`; deeper ones would take too long.
const DEEPEST_PERFT: u32 = 99;

/// Serves one arena.
pub(super) struct Driver {
    identity: Identity,
    options: Options,
    /// One table for each game; `None` for the current game during a search.
    tables: Vec<Option<Box<dyn Table>>>,
    /// The current game: an index of `tables`.
    present: usize,
    /// The running search.
    under_way: Option<UnderWay>,
    thread: SearchThread,
    output: Arc<Output>,
}

/// What the driver knows of a running search.
struct UnderWay {
    stop: Stop,
    /// Set at `ponderhit`, if the search ponders.
    ponder: Option<PonderHit>,
    /// Dropped to release a `bestmove` that waits for `stop` or `ponderhit`.
    hold: Option<Sender<Infallible>>,
    /// Whether only `stop` releases it.
    is_infinite: bool,
    /// The answers to `query` about the position that is searched.
    standing: Standing,
}

impl Driver {
    /// A driver of the games of `tables`, which must not be empty. The first one is the current game.
    pub(super) fn new(
        identity: Identity,
        options: Options,
        tables: Vec<Box<dyn Table>>,
        output: Arc<Output>,
    ) -> Result<Self, RunError> {
        let thread = SearchThread::start(Arc::clone(&output)).map_err(RunError::Thread)?;
        let tables = tables.into_iter().map(Some).collect();
        Ok(Self { identity, options, tables, present: 0, under_way: None, thread, output })
    }

    /// Reads and executes lines until `quit`, the end of the input, or the end of the output.
    pub(super) fn run(mut self, input: impl BufRead) -> Result<(), RunError> {
        let served = self.serve(input);
        self.stop();
        self.thread.end(FAREWELL);
        // An engine that goes on regardless has nobody to talk to.
        self.output.close(Ending::ProgramEnded);
        if self.output.ending() == Some(Ending::EnginePanicked) {
            return Err(RunError::EnginePanicked);
        }
        served
    }

    fn serve(&mut self, input: impl BufRead) -> Result<(), RunError> {
        let mut lines = LineReader::new(input);
        while let Some(line) = lines.next_line().map_err(RunError::Input)? {
            let read_at = Instant::now();
            match line {
                Line::Text(line) => {
                    if self.obey_line(line, read_at)?.is_break() {
                        break;
                    }
                }
                Line::TooLong => self.complain(&"ignored a line that is too long"),
                Line::NotText => self.complain(&"ignored a line that is not UTF-8"),
            }
            if self.output.ending().is_some() {
                break;
            }
        }
        Ok(())
    }

    fn obey_line(&mut self, line: &str, read_at: Instant) -> Result<ControlFlow<()>, RunError> {
        match Command::parse(line) {
            Ok(command) => self.obey(command, read_at),
            Err(LineError::Unknown) if line.trim_ascii().is_empty() => Ok(ControlFlow::Continue(())),
            Err(error) => {
                self.complain(&format_args!("{error}, ignored: `{}`", shown(line)));
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    fn obey(&mut self, command: Command<'_>, read_at: Instant) -> Result<ControlFlow<()>, RunError> {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => self.get_ready()?,
            Command::SetOption { name, value } => self.set_option(name, value)?,
            Command::NewGame => {
                self.table()?.new_game();
                self.make_engine()?;
            }
            Command::Position { start, moves } => self.set_position(start, moves)?,
            Command::LegalMoves(_) => {}
            Command::Go(go) => self.go(go, read_at)?,
            Command::PonderHit => self.ponder_hit(read_at),
            Command::Stop => self.stop(),
            Command::Query(query) => self.answer(query)?,
            Command::GameOver(over) => self.table()?.game_over(&over),
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Show => {
                let shown = self.table()?.show();
                self.output.say(&shown);
            }
            Command::Perft(depth) => self.perft(depth)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn introduce(&self) {
        let Identity { name, author, version } = &self.identity;
        self.output.say(&Reply::IdName(name));
        self.output.say(&Reply::IdAuthor(author));
        if let Some(version) = version {
            self.output.say(&Reply::IdVersion(version));
        }
        self.output.say(&Reply::IdProtocol(EDITION));
        self.options.specs().for_each(|spec| self.output.say(spec));
        self.output.say(&Reply::UgiOk);
    }

    fn get_ready(&mut self) -> Result<(), RunError> {
        if !self.is_searching() {
            self.make_engine()?;
        }
        self.output.say(&Reply::ReadyOk);
        Ok(())
    }

    fn set_option(&mut self, name: Words<'_>, value: Option<&str>) -> Result<(), RunError> {
        self.end_search()?;
        match self.options.set(&name.joined(), value) {
            Err(error) => {
                self.complain(&error);
                return Ok(());
            }
            Ok(is_changed) if !is_changed => return Ok(()),
            Ok(_) => self.table()?.drop_engine(),
        }
        if name.is_named(GAME) {
            let id = self.options.combo(GAME);
            let is_it = |table: &Option<Box<dyn Table>>| table.as_ref().is_some_and(|t| t.info().id == id);
            self.present = self.tables.iter().position(is_it).unwrap_or(self.present);
            self.table()?.new_game();
        }
        Ok(())
    }

    fn set_position(&mut self, start: StartAt<'_>, moves: Words<'_>) -> Result<(), RunError> {
        if let Err(error) = self.table()?.set_position(start, moves) {
            self.complain(&format_args!("{error}; the position is not changed"));
        }
        self.make_engine()
    }

    fn go(&mut self, go: Go<'_>, read_at: Instant) -> Result<(), RunError> {
        self.end_search()?;
        self.make_engine()?;
        let overhead = Duration::from_millis(self.options.spin(MOVE_OVERHEAD).unsigned_abs());
        let standing = self.table()?.standing();
        let side = standing.position.side_to_move();
        let output = Arc::clone(&self.output);
        let search = Search::with(go)
            .begun_at(read_at)
            .with_allotment(Allotment::new(&go.limits, side, overhead))
            .reporting_to(move |info| output.say(info));
        let is_infinite = go.limits.is_infinite(side);
        let (release, hold) = (is_infinite || go.ponder).then(mpsc::channel).unzip();
        let tells_reply = self.options.get(PONDER) == Some(&OptionValue::Check(true));
        if let Some(table) = self.tables[self.present].take() {
            let (stop, ponder) = (search.stop(), search.ponder_hit());
            self.under_way = Some(UnderWay { stop, ponder, hold: release, is_infinite, standing });
            self.thread.begin(Job { table, search, hold, tells_reply });
        }
        Ok(())
    }

    /// The opponent has played the move that the engine ponders on: its time starts.
    fn ponder_hit(&mut self, read_at: Instant) {
        if let Some(UnderWay { ponder: Some(ponder), hold, is_infinite, .. }) = &mut self.under_way {
            ponder.hit(read_at);
            if !*is_infinite {
                *hold = None;
            }
        }
    }

    fn perft(&mut self, depth: u32) -> Result<(), RunError> {
        if depth > DEEPEST_PERFT {
            self.complain(&format_args!("the maximum depth of perft is {DEEPEST_PERFT}"));
            return Ok(());
        }
        let output = Arc::clone(&self.output);
        self.table()?.perft(depth, &|line| output.say(&line));
        Ok(())
    }

    fn answer(&mut self, query: Query<'_>) -> Result<(), RunError> {
        let standing_now;
        let Standing { end, position } = if let Some(under_way) = &self.under_way {
            &under_way.standing
        } else {
            standing_now = self.table()?.standing();
            &standing_now
        };
        let text;
        self.output.say(&Reply::Response(match query {
            Query::P1Turn => Answer::Truth(position.side_to_move() == Side::White),
            Query::GameOver => Answer::Truth(end.is_some()),
            Query::Result => Answer::result(*end),
            Query::LegalMoves => {
                text = if end.is_some() { String::new() } else { position.position_moves().join(" ") };
                Answer::Text(Words::new(&text))
            }
            Query::Perft(depth) if depth <= DEEPEST_PERFT => {
                text = position.perft(depth).to_string();
                Answer::Text(Words::new(&text))
            }
            Query::Fen => {
                text = position.fen();
                Answer::Text(Words::new(&text))
            }
            Query::Perft(_) | Query::Unknown(_) => Answer::Unknown,
        }));
        Ok(())
    }

    /// Makes an engine for the current game, if there is none.
    fn make_engine(&mut self) -> Result<(), RunError> {
        self.end_search()?;
        let table = self.tables[self.present].as_mut().ok_or(RunError::EnginePanicked)?;
        table.make_engine(&self.options);
        Ok(())
    }

    /// The table of the current game. Ends a running search first.
    fn table(&mut self) -> Result<&mut dyn Table, RunError> {
        self.end_search()?;
        let table = self.tables[self.present].as_mut().ok_or(RunError::EnginePanicked)?;
        Ok(table.as_mut())
    }

    /// Whether a search is running. If it has ended in the meantime, its table is put back.
    fn is_searching(&mut self) -> bool {
        if self.under_way.is_some()
            && let Some(table) = self.thread.try_take_back()
        {
            self.tables[self.present] = Some(table);
            self.under_way = None;
        }
        self.under_way.is_some()
    }

    /// Ends the running search, if any, and waits for its move.
    fn end_search(&mut self) -> Result<(), RunError> {
        self.stop();
        if self.under_way.take().is_some() {
            let table = self.thread.take_back().ok_or(RunError::EnginePanicked)?;
            self.tables[self.present] = Some(table);
        }
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(under_way) = &mut self.under_way {
            under_way.stop.raise();
            under_way.hold = None;
        }
    }

    /// Reports what was wrong with a line.
    fn complain(&self, what: &dyn Display) {
        self.output.say(&InfoLine::text(&format!("error: {what}")));
    }
}
