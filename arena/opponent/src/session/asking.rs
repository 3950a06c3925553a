//! What is asked of an engine: its greeting, to be ready, a move, and to take note of the end of a match.

use std::time::{Duration, Instant};

use engine_proto::fen::shown;
use engine_proto::proto::{BestMove, Command, GameOver, Reply, first_word};

use super::patience::Patience;
use super::{ANSWER_BYTES, GREETING_BYTES, NoLine, Session};
use crate::Setup;
use crate::pauses::Deadline;
use crate::search_reports::SearchReports;
use model::referee::{Response, SearchInfo};
use model::{Engine, Protocol};

/// How long an engine has to send its move after `stop`, when the match is already lost.
const STOP_GRACE: Duration = Duration::from_millis(150);
/// How long an engine may take to read `gameover`: it waits in the pipe, so that only a full pipe takes time.
const GAMEOVER_GRACE: Duration = Duration::from_millis(200);
/// After a shorter rest, what the engine wrote in it is not looked for: that takes a system call, and only tells whether a line
/// came just before or just after the next command.
const SHORT_REST: Duration = Duration::from_millis(1);

impl Session {
    pub(super) async fn greet(&mut self, engine: &Engine) -> Result<(), NoLine> {
        let begun = Instant::now();
        self.watch_run_queue(begun);
        let mut patience = Patience::new(Deadline::after(begun, engine.timeouts.start));
        let first = match engine.protocol {
            Protocol::Ugi | Protocol::Uci => "ugi\n",
            // An engine ignores what it does not know.
            Protocol::Auto => "ugi\nuci\n",
        };
        self.send(first, &mut patience.deadline).await?;
        let mut room = GREETING_BYTES;
        let mut unlimited = usize::MAX;
        loop {
            let line = self.patient_line(&mut patience, &mut unlimited, Self::waited_since_start).await?;
            room = room.checked_sub(line.len() + 1).ok_or_else(|| {
                let end = engine.protocol.end_of_greeting();
                NoLine::Rubbish(format!("more than {GREETING_BYTES} bytes without {end}"))
            })?;
            match self.greeting.hear(&line) {
                Ok(true) => return Ok(()),
                Ok(false) if first_word(&line) == "uciok" => {
                    let what =
                        "it said `uciok`: in games other than chess, a UCI engine needs `protocol = \"uci\"`";
                    return Err(NoLine::Rubbish(what.to_owned()));
                }
                Ok(false) => {}
                Err(error) => {
                    if let Some(log) = &self.log {
                        log.note(format_args!("ignored `{}`: {error}", shown(&line)));
                    }
                }
            }
        }
    }

    /// Prepares the engine for a match of `game` against `opponent`. Returns [`Response::Ready`], or what happened instead.
    pub async fn prepare(&mut self, engine: &Engine, setup: &Setup, opponent: Option<&str>) -> Response {
        let Setup { game, seed, ponders } = *setup;
        let changed = (self.game != Some(game)).then_some(game);
        let naming = opponent.and_then(|opponent| self.greeting.naming_of(opponent)).unwrap_or_default();
        let commands = naming + &self.greeting.preparation(&engine.options, changed, seed, ponders);
        self.game = Some(game);
        let begun = Instant::now();
        self.watch_run_queue(begun);
        match self.await_ready(&commands, Deadline::quickly_after(begun, engine.timeouts.ready)).await {
            Ok(()) => Response::Ready,
            Err(why) => self.explain(why, begun).await,
        }
    }

    async fn await_ready(&mut self, commands: &str, deadline: Deadline) -> Result<(), NoLine> {
        let mut patience = Patience::new(deadline);
        self.send(commands, &mut patience.deadline).await?;
        let mut room = ANSWER_BYTES;
        loop {
            let line = self.patient_line(&mut patience, &mut room, Self::waited_since_asked).await?;
            if matches!(Reply::parse(&line), Ok(Reply::ReadyOk)) {
                return Ok(());
            }
            self.n_out_of_turn += 1;
        }
    }

    /// Sends `commands`, which end with `go`, and waits for the move, at most `allowed`. Of that, the engine has `used` some
    /// before.
    pub async fn ask(&mut self, commands: &str, allowed: Duration, used: Duration) -> Response {
        self.used = used;
        let has_rested = self.read_at.elapsed() >= SHORT_REST || !self.output.unfinished().is_empty();
        if has_rested && let Err(why) = self.drain() {
            self.asked_at = Instant::now();
            return self.explain(why, self.asked_at).await;
        }
        let reports = SearchReports::in_dialect(self.dialect());
        match self.ask_and_wait(commands, allowed.saturating_sub(used), reports).await {
            Response::Silence { after } => Response::Silence { after: after + used },
            heard => heard,
        }
    }

    /// The same for an engine whose earlier lines were read: `reports` has what they say about this search.
    pub(crate) async fn ask_and_wait(
        &mut self,
        commands: &str,
        allowed: Duration,
        mut reports: SearchReports,
    ) -> Response {
        // The clock runs before the command is written: the engine may get this thread's processor as soon as it can read it, and
        // have thought for a while before this thread goes on. It also runs if the engine does not read.
        let begun = Instant::now();
        let mut deadline = Deadline::quickly_after(begun, allowed);
        (self.asked_at, self.stood_still) = (begun, deadline.stood_still());
        let mut room = ANSWER_BYTES;
        let why = 'answer: {
            if let Err(why) = self.send(commands, &mut deadline).await {
                break 'answer why;
            }
            loop {
                if let Some(run_queue) = &mut self.run_queue {
                    run_queue.wait(self.read_at.max(begun));
                }
                let line = match self.line(&mut deadline, &mut room).await {
                    Ok(line) => line,
                    // An answer counts even if it comes too late.
                    Err(NoLine::Late(line)) if first_word(&line) == "bestmove" => line,
                    Err(why) => break why,
                };
                match first_word(&line) {
                    "info" => {
                        reports.hear(line);
                        if let (Some(thinking), Some(line)) = (&self.thinking, reports.last()) {
                            thinking.say(line);
                        }
                    }
                    "bestmove" => match Reply::parse(&line) {
                        Ok(Reply::BestMove(BestMove { mv, ponder, draw })) => {
                            if let Some(thinking) = &self.thinking {
                                thinking.say("");
                            }
                            let took = self.took_until(self.read_at);
                            let reply = ponder.map(str::to_owned);
                            let info = SearchInfo { reply, draw, ..reports.into_info() };
                            return Response::Move { text: mv.to_owned(), took, info };
                        }
                        Ok(_) | Err(_) => break NoLine::Rubbish(format!("`{}`: no move", shown(&line))),
                    },
                    _ => self.n_out_of_turn += 1,
                }
            }
        };
        self.explain(why, begun).await
    }

    /// Sends `stop` to an engine that searches. Returns whether it answered and can be used again.
    pub async fn stop(&mut self) -> bool {
        let mut deadline = Deadline::after(Instant::now(), STOP_GRACE);
        let mut room = ANSWER_BYTES;
        if self.send("stop\n", &mut deadline).await.is_err() {
            return false;
        }
        while let Ok(line) = self.line(&mut deadline, &mut room).await {
            if first_word(&line) == "bestmove" {
                return true;
            }
        }
        false
    }

    /// Ends the match for the engine: ends its pondering, and tells it the result. Returns whether it can be used again.
    pub async fn game_over(&mut self, over: &GameOver<'_>) -> bool {
        if self.stop_pondering().await.is_err() {
            return false;
        }
        let mut deadline = Deadline::after(Instant::now(), GAMEOVER_GRACE);
        self.send(&format!("{}\n", Command::GameOver(*over)), &mut deadline).await.is_ok()
    }
}
