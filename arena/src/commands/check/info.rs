//! The check of `info` lines: numbers, scores and expected moves can be read. It does not check whether they are true.

use std::collections::HashSet;

use engine_proto::GameId;
use engine_proto::fen::shown;
use engine_proto::proto::{InfoLine, MOST_STATS, Reply};

use super::bench::Bench;
use super::finding::{Judged, fail, passed, warn};
use super::settings::{Setting, sample};

/// Number of positions of each game.
const N_POSITIONS: u64 = 6;

/// All `info` lines of some searches can be read, and their moves can be played.
pub async fn readable(bench: &mut Bench, game: GameId) -> Judged {
    bench.begin(game).await?;
    let (mut n_lines, mut n_scores) = (0, 0);
    let mut stats = HashSet::new();
    let mut illegal = None;
    for setting in sample(&bench.games, game, N_POSITIONS)? {
        let answer = bench.ask_legal(&setting, "go nodes 2000 movetime 100").await?;
        for line in &answer.infos {
            let Ok(Reply::Info(info)) = Reply::parse(line) else { continue };
            if let Some(key) = unreadable(line, &info) {
                return fail(format!("invalid value of `{key}` in `{}`", shown(line)));
            }
            n_lines += 1;
            n_scores += u32::from(info.score.is_some());
            stats.extend(info.stat.map(|stat| stat.key.to_owned()));
            illegal = illegal.or_else(|| illegal_move(&setting, &info));
        }
    }
    match illegal {
        Some(what) => warn(what),
        None if MOST_STATS < stats.len() => warn(format!(
            "`info stat` has {} different keys; the arena keeps {MOST_STATS} per move",
            stats.len()
        )),
        None if n_lines == 0 => warn("it wrote none; reports will show no scores and depths"),
        None => passed(format!("{n_lines} lines, {n_scores} with a score")),
    }
}

/// A key of the line whose value cannot be read.
fn unreadable(line: &str, info: &InfoLine<'_>) -> Option<&'static str> {
    let has_key = |key: &str| {
        line.split_ascii_whitespace().take_while(|word| *word != "string").any(|word| word == key)
    };
    let values = [
        ("depth", info.depth.is_some()),
        ("seldepth", info.seldepth.is_some()),
        ("multipv", info.multipv.is_some()),
        ("score", info.score.is_some()),
        ("nodes", info.nodes.is_some()),
        ("nps", info.nps.is_some()),
        ("time", info.time.is_some()),
        ("hashfull", info.hashfull.is_some()),
        ("stat", info.stat.is_some()),
        ("pv", !info.pv.is_empty()),
    ];
    values.into_iter().find(|(key, is_read)| !is_read && has_key(key)).map(|(key, _)| key)
}

/// The problem with the expected moves, if they cannot be played in sequence.
fn illegal_move(setting: &Setting, info: &InfoLine<'_>) -> Option<String> {
    let mut play = setting.play().boxed();
    for (idx, mv) in info.pv.iter().enumerate() {
        if play.play(mv).is_err() {
            let (mv, fen) = (shown(mv), play.fen());
            return Some(format!("move {} of a `pv`, `{mv}`, is not legal in `{fen}`", idx + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_cannot_be_read() {
        let key_of = |line: &str| match Reply::parse(line) {
            Ok(Reply::Info(info)) => unreadable(line, &info),
            _ => panic!("no info: {line}"),
        };
        assert_eq!(
            key_of("info depth 3 score cp -12 nodes 100 time 4 pv a1a2 b1b2 string score of it"),
            None
        );
        assert_eq!(key_of("info depth 3 score mate -2 lowerbound tbhits 3"), None);
        assert_eq!(key_of("info depth x"), Some("depth"));
        assert_eq!(key_of("info score cp 1.5"), Some("score"));
        assert_eq!(key_of("info score 12"), Some("score"));
        assert_eq!(key_of("info nodes 1e6"), Some("nodes"));
        assert_eq!(key_of("info pv"), Some("pv"));
        assert_eq!(key_of("info stat cuts"), Some("stat"));
        assert_eq!(key_of("info stat cuts 12"), None);
    }
}
