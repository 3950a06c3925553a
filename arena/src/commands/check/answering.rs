//! Checks of when an engine answers: `isready`, `stop`, `go infinite`, `query`. Other modules check its moves.

use std::time::Duration;

use engine_proto::{AnyPlay, GameId, Side};

use super::bench::{Bench, GO};
use super::finding::{Fault, Judged, Took, fail, pass, passed, warn};
use super::settings::{Setting, early, finished};
use opponent::Dialect;

/// The time to wait for output that must not come.
const LISTEN: Duration = Duration::from_millis(300);
/// The time that the arena gives an engine after `stop` before it ends the process.
const STOP_GRACE: Duration = Duration::from_millis(200);
/// A search that is long enough to be stopped.
const LONG: &str = "go movetime 60000";

/// `isready` sent three times at once is answered three times.
pub async fn isready(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    bench.write("isready\nisready\nisready\n").await?;
    for _ in 0..3 {
        bench.await_ready().await?;
    }
    pass()
}

/// A search with limits is answered by one legal move.
pub async fn first_move(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let answer = bench.ask_legal(&Setting::start(&bench.games, game)?, GO).await?;
    // A second move would come before this answer.
    bench.ready().await?;
    passed(format!("{} after {}", answer.mv, Took(answer.took)))
}

/// `isready` is answered at once although no move has been found yet.
pub async fn isready_thinking(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    bench.search(&Setting::start(&bench.games, game)?, "go infinite").await?;
    let took = bench.ready().await?;
    stopped(bench, &Setting::start(&bench.games, game)?).await?;
    if Duration::from_secs(1) < took {
        return warn(format!("`readyok` took {took:.1?}"));
    }
    passed(format!("after {}", Took(took)))
}

/// `stop` ends a search long before its limit.
pub async fn stop(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::Black)?;
    bench.search(&setting, LONG).await?;
    // An engine of UCI may lose a `stop` that comes before its search has started.
    if bench.greeting().dialect == Dialect::Uci && bench.move_or_silence(LISTEN).await?.is_some() {
        return passed("it had already moved");
    }
    bench.say("stop").await?;
    let answer = bench.legal_move(&setting).await?;
    in_time(answer.took)
}

/// A `stop` without a search is not answered.
pub async fn stop_when_idle(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    bench.say("stop").await?;
    bench.ready().await?;
    bench.ask_legal(&Setting::start(&bench.games, game)?, GO).await?;
    bench.say("stop").await?;
    bench.expect_no_move(LISTEN).await?;
    bench.ready().await?;
    pass()
}

/// No second `bestmove` follows the first one, with or without `stop`.
pub async fn one_bestmove(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = Setting::start(&bench.games, game)?;
    for go in ["go nodes 50 movetime 100", "go movetime 50"] {
        bench.ask_legal(&setting, go).await?;
        bench.ready().await?;
    }
    bench.search(&setting, "go infinite").await?;
    stopped(bench, &setting).await?;
    bench.expect_no_move(LISTEN).await?;
    bench.ready().await?;
    pass()
}

/// `query` is answered correctly at the start and when the game is over.
pub async fn query(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let mut settings = vec![Setting::start(&bench.games, game)?, early(&bench.games, game, Side::Black)?];
    settings.extend(finished(&bench.games, game)?);
    for setting in settings {
        bench.set_up(&setting).await?;
        let play = setting.play();
        for (question, truth) in questions(play) {
            match bench.response(question).await?.filter(|answer| answer != "unknown") {
                None => {
                    return warn(format!(
                        "no answer to `{question}`; this arena never sends it, but other UGI runners do"
                    ));
                }
                Some(answer) if answer != truth => {
                    let fen = play.fen();
                    return fail(format!(
                        "the answer to `{question}` was `{answer}` instead of `{truth}`, in `{fen}`"
                    ));
                }
                Some(_) => {}
            }
        }
    }
    pass()
}

/// The questions about a position with their answers. The side to move of a finished game is not checked.
fn questions(play: &dyn AnyPlay) -> Vec<(&'static str, &'static str)> {
    let truth = |is_so: bool| if is_so { "true" } else { "false" };
    match play.end() {
        None => vec![
            ("query p1turn", truth(play.side_to_move() == Side::White)),
            ("query gameover", "false"),
            ("query result", "none"),
        ],
        Some(end) => {
            let result = match end.winner {
                Some(Side::White) => "p1win",
                Some(Side::Black) => "p2win",
                None => "draw",
            };
            vec![("query gameover", "true"), ("query result", result)]
        }
    }
}

/// A search without limits is answered after `stop`, and not earlier.
pub async fn held(bench: &mut Bench, game: GameId, go: &str) -> Judged {
    bench.begin(game).await?;
    let setting = Setting::start(&bench.games, game)?;
    bench.search(&setting, go).await?;
    bench.expect_no_move(LISTEN).await?;
    in_time(stopped(bench, &setting).await?)
}

async fn stopped(bench: &mut Bench, setting: &Setting) -> Result<Duration, Fault> {
    if bench.greeting().dialect == Dialect::Uci {
        bench.expect_no_move(LISTEN).await?;
    }
    bench.say("stop").await?;
    let answer = bench.legal_move(setting).await?;
    Ok(answer.took)
}

fn in_time(took: Duration) -> Judged {
    if STOP_GRACE < took {
        return warn(format!(
            "{took:.1?} after `stop`; the arena kills a process that takes longer than {STOP_GRACE:?}"
        ));
    }
    passed(format!("{} after `stop`", Took(took)))
}
