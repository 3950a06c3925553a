//! Plays one match: asks the opponents and tells the referee what they did. It decides nothing.

use std::fmt::Write;
use std::time::Duration;
use std::time::{Instant, SystemTime};

use engine_proto::proto::{GameOver, Words};
use engine_proto::{AnyGame, Games, Side};
use tokio::task::yield_now;

use model::referee::{Clock, Reason, Referee, Response, State};
use model::{Job, MachineDelay, MoveRecord, Moved, OffTurn, Record, SideLetter};
use opponent::{Answer, Opponent, Pondered, Setup, Shortage, Turn};

/// How long quick moves may keep the thread from its other tasks: the standard error of engines, and the end of the program.
const TURN: Duration = Duration::from_millis(1);

/// Plays one match of one of these `games` to its end. `on_move` is called after each move, if given.
///
/// # Errors
/// If the arena cannot ask an opponent because of a system error, or the rules of the game fail. The match then has no result.
pub async fn play_match(
    games: &Games,
    job: &Job,
    white: &mut impl Opponent,
    black: &mut impl Opponent,
    mut on_move: Option<&mut dyn FnMut(Moved)>,
) -> Result<Record, Shortage> {
    let clocks = Side::ALL.map(|side| Clock::new(job.player(side).engine.time_control.clone()));
    let by_rules = |reason: String| Shortage::Rules { reason };
    let rules = games.get(job.game).map_err(|error| by_rules(error.to_string()))?;
    let referee = Referee::new(games, job.game, &job.opening, clocks, job.rules);
    check_rules(rules)?;
    let mut referee = referee.map_err(|error| by_rules(error.to_string()))?;
    // For each request: the arena's own time before it, and whether the engine pondered on the move that was played.
    let mut requests = Vec::new();
    // When the previous answer of the match was received: the start of the arena's own time.
    let mut answered_at: Option<Instant> = None;
    let mut machine_delay = None;
    let mut yielded_at = Instant::now();
    loop {
        let heard = match *referee.state() {
            State::Over(_) => break,
            State::Readying { side } => {
                let ponders = job.rules.ponder;
                let setup = Setup { game: job.game, seed: job.player(side).seed, ponders };
                match side {
                    Side::White => white.prepare(&setup).await?,
                    Side::Black => black.prepare(&setup).await?,
                }
            }
            State::Thinking { side } => {
                let turn = turn(&referee, side);
                let answer = match side {
                    Side::White => ask(white, black, &turn).await,
                    Side::Black => ask(black, white, &turn).await,
                };
                // An engine that has to stop pondering takes its time.
                let answered_at_once = answered_at.filter(|_| answer.pondered != Pondered::Miss);
                let waited =
                    answered_at_once.map(|answered| answer.asked_at.saturating_duration_since(answered));
                let arena_us = waited.map(|waited| waited.as_micros() as u64);
                requests.push((arena_us, answer.pondered == Pondered::Hit));
                answered_at = Some(answer.read_at);
                machine_delay = delay(&answer, referee.clock(side)).or(machine_delay);
                // Quick answers do not give the thread to anything else.
                if answer.read_at.saturating_duration_since(yielded_at) >= TURN {
                    yielded_at = answer.read_at;
                    yield_now().await;
                }
                let too_much = match side {
                    _ if job.off_turn != OffTurn::Forfeit => None,
                    Side::White => Some(white.off_turn()),
                    Side::Black => Some(black.off_turn()),
                };
                match too_much.filter(|off_turn| off_turn.is_too_much) {
                    Some(off_turn) => Response::OffTurn { what: off_turn.to_string() },
                    None => answer.heard,
                }
            }
        };
        let (n_before, reply) = (referee.moves().len(), reply(&heard, job));
        referee.hear(heard);
        check_rules(rules)?;
        if let Some(reply) = reply
            && let Some(mv) = referee.moves().get(n_before)
        {
            match mv.side {
                SideLetter::White => ponder(white, &referee, Side::White, &reply).await,
                SideLetter::Black => ponder(black, &referee, Side::Black, &reply).await,
            }
        }
        if let Some(on_move) = &mut on_move
            && let Some(mv) = referee.moves().get(n_before)
        {
            on_move(moved(job, &referee, mv));
        }
    }
    check_rules(rules)?;
    let mut record = record(job, referee);
    let over = GameOver { winner: record.result.winner(), reason: Words::new(&record.reason) };
    tokio::join!(white.game_over(&over), black.game_over(&over));
    // The last request may have no legal answer, so that it is not a move.
    for (mv, (arena_us, ponder_hit)) in record.moves.iter_mut().zip(requests) {
        (mv.arena_us, mv.ponder_hit) = (arena_us, ponder_hit);
    }
    let off_turn = [white.off_turn(), black.off_turn()];
    let off_turn_us = off_turn.map(|measured| measured.used.as_micros() as u64);
    record.off_turn_us = off_turn_us.iter().any(|us| 1000 <= *us).then_some(off_turn_us);
    record.off_turn_too_much = off_turn.map(|measured| measured.is_too_much);
    if let Some(delay) = machine_delay.filter(|_| record.reason == Reason::Time.text()) {
        let evidence = record.evidence.get_or_insert_default();
        write!(evidence, "; {delay}").expect("a String takes all");
        record.machine_delay = Some(delay);
    }
    Ok(record)
}

/// Asks one opponent while the other one is listened to, because it may ponder.
async fn ask(asked: &mut impl Opponent, other: &mut impl Opponent, turn: &Turn<'_>) -> Answer {
    tokio::select! {
        biased;
        answer = asked.ask(turn) => answer,
        never = other.listen() => match never {},
    }
}

/// Rules that are a program may have failed: what they said last does not count then.
fn check_rules(rules: &dyn AnyGame) -> Result<(), Shortage> {
    rules.failure().map_or(Ok(()), |reason| Err(Shortage::Rules { reason }))
}

/// Lets the opponent that has just moved as `side` think about the reply that it expects, if that can come up.
async fn ponder(opponent: &mut impl Opponent, referee: &Referee, side: Side, reply: &str) {
    if let Some((position, play)) = referee.after_reply(side, reply) {
        let turn = Turn { position: &position, play: play.as_ref(), ..turn(referee, side) };
        opponent.ponder(&Turn { draw_is_offered: false, ..turn }).await;
    }
}

fn turn(referee: &Referee, side: Side) -> Turn<'_> {
    let clock = referee.clock(side);
    Turn {
        position: referee.position(),
        play: referee.play(),
        draw_is_offered: referee.draw_is_offered(side),
        limits: referee.limits(side),
        allowed: clock.allowed(),
        is_timed: clock.limit().is_some(),
    }
}

/// The delay of the machine, for a late answer.
fn delay(answer: &Answer, clock: &Clock) -> Option<MachineDelay> {
    let (took, waits) = answer.late?;
    MachineDelay::of(took.saturating_sub(clock.limit()?), waits.engine, waits.arena)
}

/// The reply that the engine expects, if it may ponder on it.
fn reply(heard: &Response, job: &Job) -> Option<String> {
    match heard {
        Response::Move { info, .. } if job.rules.ponder => info.reply.clone(),
        _ => None,
    }
}

fn moved(job: &Job, referee: &Referee, mv: &MoveRecord) -> Moved {
    let clock = |side| referee.clock(side).left().map(|left| left.as_millis() as u64);
    Moved {
        number: job.number,
        ply: referee.moves().len() as u32,
        side: mv.side,
        mv: mv.mv.clone(),
        time_us: mv.time_us,
        clocks_ms: Side::ALL.map(clock),
        score: mv.score.clone(),
        depth: mv.depth,
        nodes: mv.nodes,
        principal_variation: mv.principal_variation.clone(),
    }
}

/// The day in UTC.
fn today() -> String {
    let mut now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.truncate("2026-05-01".len());
    now
}

fn record(job: &Job, referee: Referee) -> Record {
    let State::Over(outcome) = referee.state() else { unreachable!("recorded when it is over") };
    let [white_ms, black_ms] = Side::ALL.map(|side| referee.clock(side).spent().as_millis() as u64);
    let record = Record::without_moves(job, outcome.result, outcome.reason.text());
    let (evidence, end) = (outcome.evidence.clone(), referee.play().fen());
    let moves = referee.into_moves();
    Record {
        plies: moves.len() as u32,
        white_ms,
        black_ms,
        evidence,
        date: Some(today()),
        end,
        moves,
        ..record
    }
}
