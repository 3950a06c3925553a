//! Checks the additions of the protocol's second edition to a search and to its answer. All of them are optional: an
//! engine without them does not fail.

use std::collections::HashSet;
use std::time::Duration;

use engine_proto::fen::shown;
use engine_proto::proto::{EDITION, NULL_MOVE, OptionKind, RESIGN, Reply, first_word};
use engine_proto::{GameId, Side};

use super::bench::{BEFORE_STOP, Bench};
use super::finding::{Fault, Judgement};
use super::settings::{early, finished, sample};
use opponent::Dialect;

const GO: &str = "go nodes 100 movetime 100";
/// The time to wait for output that must not come.
const LISTEN: Duration = Duration::from_millis(300);
/// The time to wait for an answer that the arena never asks for.
const SHORT_WAIT: Duration = Duration::from_millis(500);
/// Number of positions of each game.
const N_POSITIONS: u64 = 6;
/// Number of requested lines.
const N_LINES: u32 = 3;

/// `go ponder` is answered after `ponderhit` or `stop`, and not earlier; after `ponderhit` the limits apply.
pub async fn ponder(bench: &mut Bench, game: GameId) -> Result<Judgement, Fault> {
    if !bench.greeting().can_ponder() {
        return Ok(Judgement::Skip("no check option `Ponder`".to_owned()));
    }
    bench.begin_with(game, "setoption name Ponder value true\n").await?;
    let setting = early(game, Side::Black);
    let mut took = Duration::ZERO;
    for (go, end) in [("go ponder movetime 50", "ponderhit"), ("go ponder movetime 60000", "stop")] {
        bench.set_up(&setting).await?;
        bench.say(go).await?;
        bench.expect_no_move(LISTEN).await.map_err(|fault| Fault {
            what: fault.what.replace(BEFORE_STOP, "came before `ponderhit` or `stop`"),
            ..fault
        })?;
        if bench.greeting().dialect == Dialect::Ugi {
            bench.ready().await?;
        }
        bench.say(end).await?;
        let answer = bench.best_move().await?;
        setting.demand_legal(&answer)?;
        took = took.max(answer.took);
    }
    // At the end, so that it is what the report shows.
    let answer = bench.ask_legal(&setting, GO).await?;
    let reply = words_after_move(&answer.text).reply.map(str::to_owned);
    bench.say("setoption name Ponder value false").await?;
    bench.ready().await?;
    Ok(match reply {
        None if answer.mv == RESIGN => Judgement::Pass(format!("{took:.1?} after `ponderhit` and `stop`")),
        None => Judgement::Warn(format!("`bestmove {}` names no reply to ponder on", shown(&answer.text))),
        Some(_) => Judgement::Pass(format!("{took:.1?} after `ponderhit` and `stop`")),
    })
}

/// `go searchmoves` is answered by one of its moves.
pub async fn search_moves(bench: &mut Bench, game: GameId) -> Result<Judgement, Fault> {
    if bench.greeting().protocol.as_deref() != Some(EDITION) {
        return Ok(Judgement::Skip(format!("the engine does not say `id protocol {EDITION}`")));
    }
    bench.begin(game).await?;
    let setting = early(game, Side::White);
    let legal = setting.play().legal_moves();
    for mv in [&legal[0], &legal[legal.len() - 1]] {
        let go = format!("go searchmoves {mv} nodes 100 movetime 100");
        let answer = bench.ask_legal(&setting, &go).await?;
        if answer.mv != *mv && answer.mv != RESIGN {
            return Ok(Judgement::Warn(format!("the answer to `{go}` was `{}`", shown(&answer.mv))));
        }
    }
    Ok(Judgement::Pass(String::new()))
}

/// The option `MultiPV` gives this number of lines, with different first moves.
pub async fn multi_pv(bench: &mut Bench, game: GameId) -> Result<Judgement, Fault> {
    let most = match bench.greeting().option("MultiPV").map(|option| &option.kind) {
        None => return Ok(Judgement::Skip("no option `MultiPV`".to_owned())),
        Some(OptionKind::Spin { default: 1, min: 1, max }) => u32::try_from(*max).unwrap_or(u32::MAX),
        Some(_) => return Err(Fault::new("the option is not `type spin default 1 min 1 max <n>`")),
    };
    let n_lines = most.min(N_LINES);
    let setting = early(game, Side::White);
    bench.begin_with(game, &format!("setoption name MultiPV value {n_lines}\n")).await?;
    let answer = bench.ask_legal(&setting, "go nodes 5000 movetime 500").await?;
    bench.say("setoption name MultiPV value 1").await?;
    bench.ready().await?;
    // The last report of all lines. The search may have ended in the middle of another one.
    let (mut lines, mut whole) = (Vec::<&str>::new(), Vec::new());
    for line in &answer.infos {
        if let Ok(Reply::Info(info)) = Reply::parse(line)
            && let Some(idx) = info.multipv.and_then(|n| (n as usize).checked_sub(1))
            && let Some(mv) = info.pv.iter().next()
            && idx <= lines.len()
        {
            lines.truncate(idx);
            lines.push(mv);
            if lines.len() == n_lines as usize {
                whole.clone_from(&lines);
            }
        }
    }
    let first_moves: HashSet<&str> = whole.into_iter().collect();
    if first_moves.len() < n_lines as usize {
        return Ok(Judgement::Warn(format!(
            "with `MultiPV` {n_lines}, the last lines `info multipv 1` to `{n_lines}` have {} different first moves",
            first_moves.len()
        )));
    }
    Ok(Judgement::Pass(format!("{n_lines} lines")))
}

/// `gameover` is accepted, and another game is played after it.
pub async fn game_over(bench: &mut Bench, game: GameId) -> Result<Judgement, Fault> {
    bench.begin(game).await?;
    let setting = early(game, Side::White);
    for over in ["gameover p1win resign", "gameover draw agreement"] {
        bench.ask_legal(&setting, GO).await?;
        bench.say(over).await?;
        bench.begin(game).await?;
    }
    bench.ask_legal(&setting, GO).await?;
    Ok(Judgement::Pass(String::new()))
}

/// Only known words follow the move, and an expected reply is legal.
pub async fn answer_words(bench: &mut Bench, game: GameId) -> Result<Judgement, Fault> {
    bench.begin(game).await?;
    for setting in sample(game, N_POSITIONS) {
        let answer = bench.ask_legal(&setting, &format!("{GO} drawoffer")).await?;
        let words = words_after_move(&answer.text);
        let line = format!("`bestmove {}`", shown(&answer.text));
        if let Some(unknown) = words.unknown {
            return Ok(Judgement::Warn(format!(
                "the arena ignores `{}` in {line}; after the move, it knows `ponder <move>` and `draw`",
                shown(unknown)
            )));
        }
        let Some(reply) = words.reply.filter(|_| answer.mv != RESIGN) else { continue };
        let after = setting.after(&answer.mv);
        if after.play().play(reply).is_err() {
            let fen = after.play().fen();
            return Ok(Judgement::Warn(format!(
                "the expected reply in {line} is not legal in `{fen}`, so the engine cannot ponder"
            )));
        }
        if bench.greeting().can_ponder() {
            return Ok(Judgement::Warn(format!(
                "{line} names a reply although the option `Ponder` is off; some runners of plain UGI do not read such a \
                 line"
            )));
        }
    }
    Ok(Judgement::Pass(String::new()))
}

/// A `go` in a game that is over is answered by the null move. The arena never asks, so nothing else is a failure.
pub async fn no_move(bench: &mut Bench, game: GameId) -> Result<Judgement, Fault> {
    let Some(setting) = finished(game) else {
        return Ok(Judgement::Skip("no random game ended".to_owned()));
    };
    bench.begin(game).await?;
    bench.set_up(&setting).await?;
    bench.say(GO).await?;
    let what = match bench.move_or_silence(SHORT_WAIT).await {
        Ok(Some(mv)) if mv == NULL_MOVE => return Ok(Judgement::Pass(String::new())),
        Ok(Some(mv)) => format!("the answer was `{}`", shown(&mv)),
        Ok(None) => format!("no answer within {SHORT_WAIT:?}"),
        Err(Fault { what, .. }) => what,
    };
    bench.abandon().await;
    Ok(Judgement::Warn(format!(
        "{what}; the arena never sends `go` when the game is over, but other runners may"
    )))
}

/// A position that cannot be read leaves the previous one, with a message.
pub async fn bad_position(bench: &mut Bench, game: GameId) -> Result<Judgement, Fault> {
    if bench.greeting().option("LegalMoves").is_some() {
        return Ok(Judgement::Skip("the engine is told the legal moves".to_owned()));
    }
    bench.begin(game).await?;
    let setting = early(game, Side::Black);
    for bad in ["position fen rubbish", "position startpos moves zz99"] {
        bench.set_up(&setting).await?;
        let lines = match bench.said_until_ready(bad).await {
            Ok(lines) => lines,
            Err(Fault { what, .. }) => {
                bench.abandon().await;
                return Ok(Judgement::Warn(format!("after `{bad}`: {what}")));
            }
        };
        let complains = |line: &String| {
            let mut words = line.split_ascii_whitespace();
            first_word(line) == "info" && words.nth(1) == Some("string") && words.next() == Some("error:")
        };
        let answer = bench.ask_here(GO).await?;
        if setting.demand_legal(&answer).is_err() {
            return Ok(Judgement::Warn(format!(
                "after `{bad}`, it did not keep the position before, but answered `{}`",
                shown(&answer.mv)
            )));
        }
        if !lines.iter().any(complains) {
            return Ok(Judgement::Warn(format!("it did not say `info string error: ...` after `{bad}`")));
        }
    }
    Ok(Judgement::Pass(String::new()))
}

/// The text after the move of a `bestmove`.
struct WordsAfterMove<'a> {
    reply: Option<&'a str>,
    unknown: Option<&'a str>,
}

/// The words after the move of a `bestmove`.
fn words_after_move(text: &str) -> WordsAfterMove<'_> {
    let mut words = text.split_ascii_whitespace().skip(1);
    let mut found = WordsAfterMove { reply: None, unknown: None };
    while let Some(word) = words.next() {
        match word {
            "draw" => {}
            "ponder" => match words.next() {
                Some(reply) => found.reply = Some(reply),
                None => found.unknown = Some(word),
            },
            _ => found.unknown = found.unknown.or(Some(word)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_a_move() {
        let words = |text| {
            let WordsAfterMove { reply, unknown } = words_after_move(text);
            (reply, unknown)
        };
        assert_eq!(words("a1a2"), (None, None));
        assert_eq!(words("a1a2 draw ponder b1b2"), (Some("b1b2"), None));
        assert_eq!(words("a1a2 ponder"), (None, Some("ponder")));
        assert_eq!(words("a1a2 !? ponder b1b2 x"), (Some("b1b2"), Some("!?")));
    }
}
