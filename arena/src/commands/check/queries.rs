//! Checks the engine's answers to questions about the rules. The games of this repository decide what is right.

use std::time::{Duration, Instant};

use engine_proto::fen::shown;
use engine_proto::{AnyPlay, GameId, PlayError};

use super::bench::Bench;
use super::finding::{Fault, Judged, fail, passed, skip, warn};
use super::settings::{Setting, fens, sample};

/// Number of positions of each game, if the engine is fast enough.
const N_POSITIONS: usize = 2000;
/// Number of positions with the moves that led to them.
const N_PLAYS: u64 = 60;
/// Number of positions for counts of move sequences.
const N_COUNTS: usize = 12;
/// The maximum number of move sequences.
const MOST_SEQUENCES: u64 = 20_000;
/// After this time, no more positions are started.
const ENOUGH: Duration = Duration::from_secs(10);
/// The maximum number of missing or additional moves that are named.
const MOST_NAMED: usize = 8;

/// A query that does not exist is answered with `response unknown` or not at all.
pub async fn unknown(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    bench.set_up(&Setting::start(&bench.games, game)?).await?;
    match bench.response("query xyzzy").await? {
        None => passed("no answer"),
        Some(answer) if answer == "unknown" => passed("`response unknown`"),
        Some(answer) => warn(format!(
            "the answer to `query xyzzy` was `{}`; say `response unknown` or nothing",
            shown(&answer)
        )),
    }
}

/// The FEN of a position is that of the rules, in whatever way it was reached.
pub async fn fen(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let mut n_positions = 0;
    for setting in while_quick(sample(&bench.games, game, N_PLAYS)?) {
        bench.set_up(&setting).await?;
        let Some(answer) = answer(bench, "query fen").await? else { return not_answered() };
        let fen = setting.play().fen();
        if answer.split_whitespace().ne(fen.split_whitespace()) {
            return fail(format!(
                "the answer to `query fen` was `{}` instead of `{fen}`, after the line `{}`",
                shown(&answer),
                setting.command()
            ));
        }
        n_positions += 1;
    }
    passed(format!("{n_positions} positions"))
}

/// No legal move is missing, and no move is listed that is not legal.
pub async fn legal_moves(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let mut n_positions = 0;
    for fen in while_quick(fens(&bench.games, game, N_POSITIONS)?) {
        match difference_at(bench, game, &fen).await? {
            Listed::Not => return not_answered(),
            Listed::Wrongly(what) => {
                return fail(format!("after the line `position fen {fen}`: {what}"));
            }
            Listed::Rightly => n_positions += 1,
        }
    }
    passed(format!("{n_positions} positions"))
}

/// The numbers of move sequences are right. For a wrong number, the check searches the position that causes it.
pub async fn perft(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let (mut n_positions, mut n_sequences) = (0, 0);
    let starts =
        bench.games.info(game).map_err(PlayError::from)?.starts.iter().map(|start| start.fen.to_owned());
    let starts: Vec<String> = starts.collect();
    let others = sample(&bench.games, game, N_COUNTS as u64)?.into_iter().map(|setting| setting.play().fen());
    for fen in while_quick(starts.into_iter().chain(others).take(N_COUNTS)) {
        let play = bench.games.play(game, &fen)?;
        let depth =
            (1..).take_while(|&depth| play.perft(depth) <= MOST_SEQUENCES).take(6).last().unwrap_or(1);
        let truth = play.perft(depth);
        let Some(count) = count_at(bench, &fen, depth).await? else { return not_answered() };
        if count != truth.to_string() {
            return fail(first_difference(bench, game, fen, depth, count).await?);
        }
        (n_positions, n_sequences) = (n_positions + 1, n_sequences + truth);
    }
    passed(format!("{n_sequences} sequences from {n_positions} positions"))
}

/// The positions until there was enough time; at least one.
fn while_quick<T>(positions: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let begun = Instant::now();
    let in_time = move |(idx, position)| (idx == 0 || begun.elapsed() < ENOUGH).then_some(position);
    positions.into_iter().enumerate().map_while(in_time)
}

/// The engine's list of legal moves.
enum Listed {
    /// None: it does not know the query.
    Not,
    /// Exactly the legal moves.
    Rightly,
    /// A wrong list, with the difference.
    Wrongly(String),
}

async fn difference_at(bench: &mut Bench, game: GameId, fen: &str) -> Result<Listed, Fault> {
    bench.say(&format!("position fen {fen}")).await?;
    let Some(answer) = answer(bench, "query legalmoves").await? else { return Ok(Listed::Not) };
    let legal = bench.games.play(game, fen)?.legal_moves();
    Ok(difference(&legal, &answer).map_or(Listed::Rightly, Listed::Wrongly))
}

/// The difference between a list of moves and the legal moves; `None` if there is none.
fn difference(legal: &[String], answer: &str) -> Option<String> {
    let mut listed: Vec<&str> = answer.split_whitespace().collect();
    listed.sort_unstable();
    let missing = legal.iter().map(String::as_str).filter(|mv| listed.binary_search(mv).is_err());
    let illegal = listed.iter().copied().filter(|mv| !legal.iter().any(|legal| legal == mv));
    let twice = listed.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let kinds =
        [("it lists as legal", named(illegal)), ("missing", named(missing)), ("listed twice", named(twice))];
    let found: Vec<String> = kinds
        .into_iter()
        .filter(|(_, moves)| !moves.is_empty())
        .map(|(kind, moves)| format!("{kind}: {moves}"))
        .collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// The first of some moves, and the number of the others.
fn named<'a>(moves: impl Iterator<Item = &'a str>) -> String {
    let moves: Vec<&str> = moves.collect();
    let first =
        moves.iter().take(MOST_NAMED).map(|mv| format!("`{}`", shown(mv))).collect::<Vec<_>>().join(" ");
    match moves.len().saturating_sub(MOST_NAMED) {
        0 => first,
        n_others => format!("{first} and {n_others} more"),
    }
}

/// Describes the wrong count `count` of `depth` moves at `fen`: follows it down to the position with a missing or an
/// additional move.
async fn first_difference(
    bench: &mut Bench,
    game: GameId,
    fen: String,
    depth: u32,
    count: String,
) -> Result<String, Fault> {
    let whole = format!(
        "the answer to `query perft {depth}` was `{}` instead of `{}` after the line `position fen {fen}`",
        shown(&count),
        bench.games.play(game, &fen)?.perft(depth)
    );
    let (mut at, mut left) = (fen, depth);
    while 1 < left {
        match wrong_child(bench, game, &at, left - 1).await? {
            Some(child) => (at, left) = (child, left - 1),
            None => break,
        }
    }
    Ok(match difference_at(bench, game, &at).await? {
        Listed::Wrongly(what) => {
            format!("{whole}; the first difference is after the line `position fen {at}`: {what}")
        }
        Listed::Rightly | Listed::Not if left < depth => {
            format!("{whole}; so is that to `query perft {left}` after the line `position fen {at}`")
        }
        Listed::Rightly | Listed::Not => whole,
    })
}

/// The position after a move at `fen` whose count of `depth` moves is wrong.
async fn wrong_child(
    bench: &mut Bench,
    game: GameId,
    fen: &str,
    depth: u32,
) -> Result<Option<String>, Fault> {
    let play = bench.games.play(game, fen)?;
    for mv in play.position_moves() {
        let mut next: Box<dyn AnyPlay> = play.boxed();
        next.play_on(&mv).map_err(PlayError::from)?;
        let child = next.fen();
        let count = count_at(bench, &child, depth).await?;
        if count.is_some_and(|count| count != next.perft(depth).to_string()) {
            return Ok(Some(child));
        }
    }
    Ok(None)
}

async fn count_at(bench: &mut Bench, fen: &str, depth: u32) -> Result<Option<String>, Fault> {
    bench.say(&format!("position fen {fen}")).await?;
    answer(bench, &format!("query perft {depth}")).await
}

/// The answer to a query; `None` if the engine does not know it.
async fn answer(bench: &mut Bench, query: &str) -> Result<Option<String>, Fault> {
    Ok(bench.response(query).await?.filter(|answer| answer != "unknown"))
}

fn not_answered() -> Judged {
    skip("not answered, which is allowed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_between_lists_of_moves() {
        let legal = ["a1a2", "b1b2", "pass"].map(str::to_owned);
        assert_eq!(difference(&legal, "pass  a1a2 b1b2"), None);
        assert_eq!(difference(&[], ""), None);
        assert_eq!(difference(&legal, "pass").unwrap(), "missing: `a1a2` `b1b2`");
        assert_eq!(difference(&legal, "pass a1a2 b1b2 a1a3").unwrap(), "it lists as legal: `a1a3`");
        assert_eq!(difference(&legal, "pass a1a2 b1b2 a1a2").unwrap(), "listed twice: `a1a2`");
        assert_eq!(
            difference(&legal, "pass A1A2 b1b2").unwrap(),
            "it lists as legal: `A1A2`; missing: `a1a2`"
        );
        let many: Vec<String> = (0..10).map(|n| format!("m{n}")).collect();
        assert!(difference(&many, "").unwrap().ends_with("`m7` and 2 more"));
    }
}
