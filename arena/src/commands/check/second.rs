//! Checks the additions of the protocol's second edition to a search and to its answer. All of them are optional: an
//! engine without them does not fail.

use std::collections::HashSet;
use std::time::Duration;

use engine_proto::fen::shown;
use engine_proto::proto::{EDITION, NULL_MOVE, OptionKind, RESIGN, Reply, first_word};
use engine_proto::{GameId, Side};

use super::bench::{BEFORE_STOP, Bench, GO};
use super::finding::{Fault, Judged, Took, fail, pass, passed, skip, warn};
use super::settings::{early, finished, sample};
use opponent::Dialect;

/// The time to wait for output that must not come.
const LISTEN: Duration = Duration::from_millis(300);
/// The time to wait for an answer that the arena never asks for.
const SHORT_WAIT: Duration = Duration::from_millis(500);
/// Number of positions of each game.
const N_POSITIONS: u64 = 6;
/// Number of requested lines.
const N_LINES: u32 = 3;

/// `go ponder` is answered after `ponderhit` or `stop`, and not earlier; after `ponderhit` the limits apply.
pub async fn ponder(bench: &mut Bench, game: GameId) -> Judged {
    if !bench.greeting().can_ponder() {
        return skip("no check option `Ponder`");
    }
    bench.begin_with(game, "setoption name Ponder value true\n").await?;
    let setting = early(&bench.games, game, Side::Black)?;
    let (mut took, mut named) = (Duration::ZERO, false);
    for (go, end) in [("go ponder movetime 50", "ponderhit"), ("go ponder movetime 60000", "stop")] {
        bench.search(&setting, go).await?;
        bench.expect_no_move(LISTEN).await.map_err(|fault| Fault {
            what: fault.what.replace(BEFORE_STOP, "came before `ponderhit` or `stop`"),
            ..fault
        })?;
        if bench.greeting().dialect == Dialect::Ugi {
            bench.ready().await?;
        }
        bench.say(end).await?;
        let answer = bench.legal_move(&setting).await?;
        took = took.max(answer.took);
        named |= words_after_move(&answer.text).reply.is_some();
    }
    // At the end, so that it is what the report shows. A search as short as this one need not know a reply.
    let answer = bench.ask_legal(&setting, GO).await?;
    named |= words_after_move(&answer.text).reply.is_some();
    bench.say("setoption name Ponder value false").await?;
    bench.ready().await?;
    if !named && answer.mv != RESIGN {
        return warn(format!("`bestmove {}` names no reply to ponder on", shown(&answer.text)));
    }
    passed(format!("{} after `ponderhit` and `stop`", Took(took)))
}

/// `go searchmoves` is answered by one of its moves.
pub async fn search_moves(bench: &mut Bench, game: GameId) -> Judged {
    if bench.greeting().protocol.as_deref() != Some(EDITION) {
        return skip(format!("the engine does not say `id protocol {EDITION}`"));
    }
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    let legal = setting.play().legal_moves();
    for mv in [&legal[0], &legal[legal.len() - 1]] {
        let go = format!("go searchmoves {mv} nodes 100 movetime 100");
        let answer = bench.ask_legal(&setting, &go).await?;
        if answer.mv != *mv && answer.mv != RESIGN {
            return warn(format!("the answer to `{go}` was `{}`", shown(&answer.mv)));
        }
    }
    pass()
}

/// The option `MultiPV` gives this number of lines, with different first moves.
pub async fn multi_pv(bench: &mut Bench, game: GameId) -> Judged {
    let most = match bench.greeting().option("MultiPV").map(|option| &option.kind) {
        None => return skip("no option `MultiPV`"),
        Some(OptionKind::Spin { default: 1, min: 1, max }) => u32::try_from(*max).unwrap_or(u32::MAX),
        Some(_) => return fail("the option is not `type spin default 1 min 1 max <n>`"),
    };
    let n_lines = most.min(N_LINES);
    let setting = early(&bench.games, game, Side::White)?;
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
        return warn(format!(
            "with `MultiPV` {n_lines}, the last lines `info multipv 1` to `{n_lines}` have {} different first moves",
            first_moves.len()
        ));
    }
    passed(format!("{n_lines} lines"))
}

/// `gameover` is accepted, and another game is played after it.
pub async fn game_over(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    for over in ["gameover p1win resign", "gameover draw agreement"] {
        bench.ask_legal(&setting, GO).await?;
        bench.say(over).await?;
        bench.begin(game).await?;
    }
    bench.ask_legal(&setting, GO).await?;
    pass()
}

/// Only known words follow the move, and an expected reply is legal.
pub async fn answer_words(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    for setting in sample(&bench.games, game, N_POSITIONS)? {
        let answer = bench.ask_legal(&setting, &format!("{GO} drawoffer")).await?;
        let words = words_after_move(&answer.text);
        let line = format!("`bestmove {}`", shown(&answer.text));
        if let Some(unknown) = words.unknown {
            return warn(format!(
                "the arena ignores `{}` in {line}; after the move, it knows `ponder <move>` and `draw`",
                shown(unknown)
            ));
        }
        let Some(reply) = words.reply.filter(|_| answer.mv != RESIGN) else { continue };
        let after = setting.after(&answer.mv)?;
        if after.play().boxed().play(reply).is_err() {
            let fen = after.play().fen();
            return warn(format!(
                "the expected reply in {line} is not legal in `{fen}`, so the engine cannot ponder"
            ));
        }
        if bench.greeting().can_ponder() {
            return warn(format!(
                "{line} names a reply although the option `Ponder` is off; some runners of plain UGI do not read such a \
                 line"
            ));
        }
    }
    pass()
}

/// A `go` in a game that is over is answered by the null move. The arena never asks, so nothing else is a failure.
pub async fn no_move(bench: &mut Bench, game: GameId) -> Judged {
    let Some(setting) = finished(&bench.games, game)? else {
        return skip("no random game ended");
    };
    bench.begin(game).await?;
    bench.search(&setting, GO).await?;
    let what = match bench.move_or_silence(SHORT_WAIT).await {
        Ok(Some(mv)) if mv == NULL_MOVE => return pass(),
        Ok(Some(mv)) => format!("the answer was `{}`", shown(&mv)),
        Ok(None) => format!("no answer within {SHORT_WAIT:?}"),
        Err(Fault { what, .. }) => what,
    };
    bench.abandon().await;
    warn(format!("{what}; the arena never sends `go` when the game is over, but other runners may"))
}

/// A position that cannot be read leaves the previous one, with a message.
pub async fn bad_position(bench: &mut Bench, game: GameId) -> Judged {
    if bench.greeting().option("LegalMoves").is_some() {
        return skip("the engine is told the legal moves");
    }
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::Black)?;
    for bad in ["position fen rubbish", "position startpos moves zz99"] {
        bench.set_up(&setting).await?;
        let lines = match bench.said_until_ready(bad).await {
            Ok(lines) => lines,
            Err(Fault { what, .. }) => {
                bench.abandon().await;
                return warn(format!("after `{bad}`: {what}"));
            }
        };
        let complains = |line: &String| {
            let mut words = line.split_ascii_whitespace();
            first_word(line) == "info" && words.nth(1) == Some("string") && words.next() == Some("error:")
        };
        let answer = bench.ask_here(GO).await?;
        if setting.demand_legal(&answer).is_err() {
            return warn(format!(
                "after `{bad}`, it did not keep the position before, but answered `{}`",
                shown(&answer.mv)
            ));
        }
        if !lines.iter().any(complains) {
            return warn(format!("it did not say `info string error: ...` after `{bad}`"));
        }
    }
    pass()
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
