//! Checks of the limits in `go`, mainly of time. A busy machine delays answers, so the best of several tries counts.

use std::time::Duration;

use engine_proto::proto::Reply;
use engine_proto::{GameId, Side};

use super::bench::{Answer, Bench};
use super::finding::{Cause, Fault, Judged, Took, pass, passed, warn};
use super::rules;
use super::settings::{Setting, early};

/// The arena's default margin: a later answer loses the match.
const MARGIN: Duration = Duration::from_millis(20);
/// Number of tries.
const N_TRIES: usize = 3;

/// The engine keeps `movetime`.
pub async fn movetime(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    let late = least_lateness(bench, &setting, "go movetime 100", Duration::from_millis(100)).await?;
    late_or_not(late, "`movetime 100`")
}

/// The engine keeps the clock of the side to move. The other clock has much more time.
pub async fn clock(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let mut worst: Option<Lateness> = None;
    for (side, go) in [
        (Side::White, "go p1time 200 p2time 600000 p1inc 0 p2inc 1000"),
        (Side::Black, "go p1time 600000 p2time 200 p1inc 1000 p2inc 0"),
        (Side::White, "go p1time 200 p2time 200 movestogo 1"),
    ] {
        let late =
            least_lateness(bench, &early(&bench.games, game, side)?, go, Duration::from_millis(200)).await?;
        if worst.is_none_or(|worst| worst.by < late.by) {
            worst = Some(late);
        }
    }
    let worst = worst.expect("three clocks were tried");
    late_or_not(worst, "200 ms on the clock")
}

/// With nothing left on the clock, any move is better than none.
pub async fn clock_at_zero(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    let late = least_lateness(bench, &setting, "go p1time 0 p2time 0", Duration::ZERO).await?;
    if MARGIN < late.by {
        return warn(format!("the answer took {:.1?}", late.took));
    }
    passed(Took(late.took).to_string())
}

/// A search for a number of nodes ends, and does not report many more.
pub async fn nodes(bench: &mut Bench, game: GameId) -> Judged {
    const NODES: u64 = 1000;
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    let answer = bench.ask_legal(&setting, &format!("go nodes {NODES}")).await?;
    match claimed(&answer).1 {
        Some(nodes) if 2 * NODES < nodes => {
            warn(format!("it reported {nodes} nodes after `go nodes {NODES}`"))
        }
        Some(nodes) => passed(format!("{nodes} of {NODES} nodes in {}", Took(answer.took))),
        None => passed(format!("{}; it reported no nodes", Took(answer.took))),
    }
}

/// A search to a depth ends, and does not report a larger depth.
pub async fn depth(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    let answer = bench.ask_legal(&setting, "go depth 1").await?;
    match claimed(&answer).0 {
        Some(depth) if 1 < depth => warn(format!("it reported depth {depth} after `go depth 1`")),
        _ => passed(format!("`go depth 1` in {}", Took(answer.took))),
    }
}

/// With several limits, the first one that is reached ends the search.
pub async fn together(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let setting = early(&bench.games, game, Side::White)?;
    let long = "p1time 3600000 p2time 3600000";
    for go in [
        format!("go {long} nodes 100 depth 99 movetime 600000"),
        format!("go {long} depth 1 nodes 100000000"),
        format!("go movetime 50 nodes 1000000000 {long}"),
    ] {
        bench.ask_legal(&setting, &go).await?;
    }
    pass()
}

/// How far an answer exceeded its limit.
#[derive(Clone, Copy, Debug)]
struct Lateness {
    by: Duration,
    took: Duration,
}

async fn least_lateness(
    bench: &mut Bench,
    setting: &Setting,
    go: &str,
    limit: Duration,
) -> Result<Lateness, Fault> {
    let mut least: Option<Lateness> = None;
    for _ in 0..N_TRIES {
        let took = bench.ask_legal(setting, go).await?.took;
        let late = Lateness { by: took.saturating_sub(limit), took };
        if late.by <= MARGIN {
            return Ok(late);
        }
        if least.is_none_or(|least| late.by < least.by) {
            least = Some(late);
        }
    }
    Ok(least.expect("some tries"))
}

fn late_or_not(late: Lateness, limit: &str) -> Judged {
    let Lateness { by, took } = late;
    if MARGIN < by {
        return Err(Fault::of(
            Cause::Late,
            rules::OVERRUN,
            format!(
                "the fastest of {N_TRIES} answers took {took:.0?} with {limit}, which is {by:.0?} too long; the default \
                 margin is {MARGIN:?}, so such a move loses the match"
            ),
        ));
    }
    passed(format!("{} with {limit}", Took(took)))
}

/// The largest depth and the most nodes in the `info` lines.
fn claimed(answer: &Answer) -> (Option<u32>, Option<u64>) {
    let mut claimed = (None, None);
    for line in &answer.infos {
        if let Ok(Reply::Info(info)) = Reply::parse(line) {
            claimed = (claimed.0.max(info.depth), claimed.1.max(info.nodes));
        }
    }
    claimed
}
