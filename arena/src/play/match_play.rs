//! The shell around the referee: it starts and asks engines and tells the referee what was heard. It decides nothing.

use std::collections::VecDeque;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine_proto::bits::mix64;
use engine_proto::proto::Command;
use engine_proto::{GameId, Side};

use crate::opponent::run_queue::Waits;
use crate::opponent::{Contender, Log, Session, Shortage, StartError};
use crate::referee::{Adjudication, Clock, Heard, Reason, Referee, State};
use crate::schedule::Job;
use crate::tournament::{MachineDelay, Record};
use ratings::MatchResult;

/// So many idle engines one place keeps running for its next matches.
const KEPT: usize = 16;

/// The engines of one place at the table, kept running between matches: at most one process a contender.
#[derive(Debug, Default)]
pub struct Players {
    /// By contender, the longest unused first.
    idle: VecDeque<(usize, Session)>,
}

impl Players {
    fn take(&mut self, contender: usize) -> Option<Session> {
        let place = self.idle.iter().position(|(of, _)| *of == contender)?;
        self.idle.remove(place).map(|(_, session)| session)
    }

    async fn keep(&mut self, contender: usize, mut session: Session) {
        session.log_to(None);
        self.idle.push_back((contender, session));
        // The next match is often one of the same two.
        if let Some((_, earlier)) = self.idle.iter_mut().rev().nth(2) {
            earlier.rest();
        }
        if KEPT < self.idle.len()
            && let Some((_, oldest)) = self.idle.pop_front()
        {
            oldest.quit().await;
        }
    }

    /// Ends all engines, politely.
    pub async fn quit(self) {
        for (_, session) in self.idle {
            session.quit().await;
        }
    }
}

/// What all matches of a tournament share.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// After so many plies a match is a draw.
    pub max_plies: u32,
    /// When a match is ended before its end.
    pub adjudication: Adjudication,
    /// What the engines' own seeds are drawn from.
    pub seed: u64,
    /// The folder for a file with the conversation of each match, if that is wanted.
    pub logs: Option<PathBuf>,
}

/// Plays one match to its end.
///
/// # Errors
/// If the arena lacks what it takes to start an engine: the match then has no end, and nobody has lost it.
///
/// # Panics
/// If the job's opening is not a FEN of its game: schedules are made of FENs that were read before.
pub async fn play_match(
    job: &Job,
    contenders: &[Contender],
    settings: &MatchSettings,
    players: &mut Players,
) -> Result<Record, Shortage> {
    let game = job.game;
    let of = |side: Side| &contenders[job.contenders[side.index()]];
    let clocks = Side::ALL.map(|side| Clock::new(of(side).time_control.clone()));
    let mut referee = Referee::new(game, &job.opening, clocks, settings.max_plies)
        .expect("schedules are made of positions that were read")
        .adjudicated_by(settings.adjudication);
    let names = Side::ALL.map(|side| of(side).name.as_str());
    let log = settings.logs.as_deref().and_then(|logs| begin_log(logs, job, names));

    let mut sessions: [Option<Session>; 2] = [None, None];
    let mut commands = String::new();
    let mut arena_us = Vec::new();
    // When the match's last answer was read: from then on it is the arena's turn.
    let mut answered_at: Option<Instant> = None;
    let mut machine_delay = None;
    loop {
        let heard = match *referee.state() {
            State::Over(_) => break,
            State::Readying { side } => {
                let contender = job.contenders[side.index()];
                let kept = players.take(contender);
                let seed = match_seed(settings.seed, job.number, side);
                let log = log.as_ref().map(|log| log.of(&of(side).name));
                let (session, heard) = ready(kept, of(side), &Occasion { game, seed, log }).await?;
                sessions[side.index()] = session;
                heard
            }
            State::Thinking { side } => {
                let session = sessions[side.index()].as_mut().expect("a session that got ready");
                write_commands(&mut commands, &referee, side, session.wants_legal_moves());
                if referee.clock(side).limit().is_some() {
                    session.watch_run_queue();
                }
                let heard = session.ask(&commands, referee.clock(side).allowed()).await;
                let turn = answered_at.map(|answered| session.asked_at().saturating_duration_since(answered));
                arena_us.push(turn.map(|turn| turn.as_micros() as u64));
                answered_at = Some(session.read_at());
                heard
            }
        };
        let late = matches!(heard, Heard::Silence { .. });
        let gone = matches!(heard, Heard::Exit { .. } | Heard::Rubbish { .. });
        if let State::Thinking { side } = *referee.state() {
            let place = &mut sessions[side.index()];
            let clock = referee.clock(side);
            if let Some(session) = place
                && let Heard::Move { took, .. } = heard
                && clock.allowed() < took
            {
                machine_delay = delay(session, clock, took);
            }
            if let Some(mut session) = place.take_if(|_| late || gone) {
                // What is silent or has broken the protocol does not get into another match.
                let has_stopped = late && session.stop().await;
                if late {
                    let end = if has_stopped { session.read_at() } else { Instant::now() };
                    let took = session.took_until(end);
                    machine_delay = delay(&mut session, clock, took);
                }
                if has_stopped {
                    *place = Some(session);
                } else {
                    session.kill().await;
                }
            }
        }
        referee.hear(heard);
    }
    for (side, session) in Side::ALL.into_iter().zip(sessions) {
        if let Some(session) = session {
            players.keep(job.contenders[side.index()], session).await;
        }
    }
    let mut record = record(job, &referee, names);
    // What was asked for without a legal answer is no move: it is at most the last.
    for (mv, arena_us) in record.moves.iter_mut().zip(arena_us) {
        mv.arena_us = arena_us;
    }
    if let Some(delay) = machine_delay.filter(|_| record.reason == Reason::Time.text()) {
        let evidence = record.evidence.get_or_insert_default();
        write!(evidence, "; {delay}").expect("a String takes all");
        record.machine_delay = Some(delay);
    }
    if let Some(log) = log {
        let evidence = record.evidence.as_deref().unwrap_or_default();
        log.note(format_args!("{}, {} {}", record.result, record.reason, engine_proto::fen::shown(evidence)));
    }
    Ok(record)
}

/// What the machine had to do with a move that `took` longer than its clock allows.
fn delay(session: &mut Session, clock: &Clock, took: Duration) -> Option<MachineDelay> {
    let Waits { engine, arena } = session.waits()?;
    MachineDelay::of(took.saturating_sub(clock.limit()?), engine, arena)
}

/// The log of a match, with a first line that says which it is.
fn begin_log(logs: &Path, job: &Job, [white, black]: [&str; 2]) -> Option<Log> {
    let log = Log::create(&logs.join(format!("match-{:06}.log", job.number))).ok()?;
    log.note(format_args!("match {}, {}, White {white}, Black {black}", job.number, job.game));
    Some(log)
}

/// What an engine gets ready for.
struct Occasion {
    game: GameId,
    seed: u64,
    log: Option<Log>,
}

/// An engine ready for the match: the one that was kept, or a fresh one if that fails.
async fn ready(
    kept: Option<Session>,
    contender: &Contender,
    occasion: &Occasion,
) -> Result<(Option<Session>, Heard), Shortage> {
    let Occasion { game, seed, log } = occasion;
    if let Some(mut session) = kept {
        session.log_to(log.clone());
        if session.prepare(contender, *game, *seed).await == Heard::Ready {
            return Ok((Some(session), Heard::Ready));
        }
        session.kill().await;
    }
    let mut session = match Session::start(contender, log.clone()).await {
        Ok(session) => session,
        Err(StartError::Engine(why)) => return Ok((None, Heard::NoStart { why: why.to_string() })),
        Err(StartError::Arena(shortage)) => return Err(shortage),
    };
    let heard = session.prepare(contender, *game, *seed).await;
    if heard == Heard::Ready {
        return Ok((Some(session), heard));
    }
    session.kill().await;
    Ok((None, heard))
}

/// The commands that ask for a move, to be written at once.
fn write_commands(commands: &mut String, referee: &Referee, side: Side, with_legal_moves: bool) {
    commands.clear();
    commands.push_str(referee.position());
    commands.push('\n');
    if with_legal_moves {
        commands.push_str("legalmoves");
        for mv in referee.play().legal_moves() {
            commands.push(' ');
            commands.push_str(&mv);
        }
        commands.push('\n');
    }
    writeln!(commands, "{}", Command::Go(referee.limits(side))).expect("a String takes all");
}

/// A seed for an engine in a match, the same in every run of the tournament.
fn match_seed(seed: u64, number: u32, side: Side) -> u64 {
    mix64(mix64(seed ^ u64::from(number)) ^ side.index() as u64) >> 1
}

fn record(job: &Job, referee: &Referee, names: [&str; 2]) -> Record {
    let State::Over(outcome) = referee.state() else { unreachable!("recorded when it is over") };
    let spent = Side::ALL.map(|side| referee.clock(side).spent().as_millis() as u64);
    Record {
        number: job.number,
        pair: job.pair,
        game: job.game,
        opening: job.opening.clone(),
        white: names[0].to_owned(),
        black: names[1].to_owned(),
        white_build: None,
        black_build: None,
        result: outcome.result,
        reason: outcome.reason.text().to_owned(),
        plies: referee.moves().len() as u32,
        white_ms: spent[0],
        black_ms: spent[1],
        evidence: outcome.evidence.clone(),
        machine_delay: None,
        attempts_discarded: 0,
        end: referee.play().fen(),
        moves: referee.moves().to_vec(),
    }
}

/// Why a contender takes no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absence {
    /// The reason that its matches are recorded with.
    pub reason: Reason,
    /// What that rests on.
    pub evidence: String,
}

/// The record of a match that was not played: `absences` says for White and Black why they take no part.
///
/// # Panics
/// If both take part.
pub fn forfeit(job: &Job, names: [&str; 2], absences: [Option<&Absence>; 2]) -> Record {
    let winner = match absences {
        [Some(_), None] => Some(Side::Black),
        [None, Some(_)] => Some(Side::White),
        _ => None,
    };
    let reasons = || absences.into_iter().flatten().map(|absence| absence.reason);
    // Of two, one that did not start says that nothing could be played.
    let reason = reasons().find(|reason| *reason == Reason::StartFailure).or_else(|| reasons().next());
    let evidence: Vec<_> = absences.into_iter().flatten().map(|absence| absence.evidence.as_str()).collect();
    Record {
        number: job.number,
        pair: job.pair,
        game: job.game,
        opening: job.opening.clone(),
        white: names[0].to_owned(),
        black: names[1].to_owned(),
        white_build: None,
        black_build: None,
        result: MatchResult::of(winner),
        reason: reason.expect("somebody is absent").text().to_owned(),
        plies: 0,
        white_ms: 0,
        black_ms: 0,
        evidence: Some(evidence.join("; ")),
        machine_delay: None,
        attempts_discarded: 0,
        end: job.opening.clone(),
        moves: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_proto::GameId;

    #[test]
    fn a_match_without_both_engines_is_a_draw_that_was_not_started() {
        let game = GameId::PUSH_PUSH;
        let opening = game.info().starts[0].fen.to_owned();
        let job = Job { number: 1, pair: 1, game, opening, contenders: [0, 1] };
        let absence = |reason| Absence { reason, evidence: format!("{reason:?}") };
        let [start_failure, retired] = [Reason::StartFailure, Reason::Retired].map(absence);
        for absences in [[&start_failure, &retired], [&retired, &start_failure]] {
            let record = forfeit(&job, ["one", "two"], absences.map(Some));
            assert_eq!((record.result, record.reason.as_str()), (MatchResult::Draw, "start-failure"));
        }
    }
}
