//! Checks an outcome as foreign input: does it answer this order, and could a referee have written these records?

use engine_proto::Games;
use engine_proto::proto::{LONGEST_STAT_KEY, MOST_STATS};

use super::scale::Scale;
use model::referee::Reason;
use model::{Job, MoveRecord, OffTurn, OnMachineDelay, Record};
use store::problems;

/// The longest text of a record: evidence, a position.
const LONGEST: usize = 64 << 10;
/// The longest principal variation: referees store less.
const LONGEST_LINE: usize = 1000;
/// The longest id of a build.
const LONGEST_BUILD: usize = 200;
/// The longest time that a record can contain: a year, so that sums of times are numbers.
const LONGEST_US: u64 = 366 * 24 * 60 * 60 * 1_000_000;
/// The most attempts at a match that did not count: workers make three.
const MOST_DISCARDED: u32 = 10;

/// What is wrong with the records that a worker has sent for `jobs`, which are of these games; `None` if nothing is.
pub fn wrong(games: &Games, jobs: &[Job], records: &[Record]) -> Option<String> {
    if jobs.len() != records.len() {
        return Some(format!("{} records for {} matches", records.len(), jobs.len()));
    }
    jobs.iter().zip(records).find_map(|(job, record)| {
        wrong_record(games, job, record).map(|why| format!("match {}: {why}", job.number))
    })
}

fn wrong_record(games: &Games, job: &Job, record: &Record) -> Option<String> {
    let [white, black] = job.names();
    let is_of_job = record.number == job.number
        && record.pair == job.pair
        && record.game == job.game
        && record.limits == job.limits
        && record.opening == job.opening
        && [record.white.as_str(), &record.black] == [white, black];
    if !is_of_job {
        return Some("it is the record of another match".to_owned());
    }
    let builds = [&record.white_build, &record.black_build];
    for (player, build) in job.players.iter().zip(builds) {
        if player.build.is_some() && build.is_some() && &player.build != build {
            return Some(format!("another build of engine `{}` has played", player.engine.name));
        }
    }
    if (job.rules.max_plies as usize) < record.moves.len() {
        return Some(format!("{} moves are too many", record.moves.len()));
    }
    if record.worker.is_some() {
        return Some("the worker names itself in the record".to_owned());
    }
    if record.clock_factor.is_some_and(|factor| !Scale::is_possible(factor)) {
        return Some("the factor of its clocks is impossible".to_owned());
    }
    if let Some(what) = impossible(job, record) {
        return Some(format!("{what} is impossible"));
    }
    let moves = record.moves.iter();
    let texts = moves.flat_map(|mv| [Some(mv.mv.as_str()), mv.score.as_deref()]).flatten();
    if record.date.as_ref().is_some_and(|date| !is_date(date)) {
        return Some("the date is not one".to_owned());
    }
    let texts = texts.chain([record.reason.as_str(), &record.end]);
    let builds = builds.into_iter().flatten().map(String::as_str);
    if builds.clone().any(|id| LONGEST_BUILD < id.len()) || record.moves.iter().any(is_too_long) {
        return Some("a text is too long".to_owned());
    }
    let texts = texts.chain(builds);
    if texts.chain(record.evidence.as_deref()).any(|text| LONGEST < text.len() || has_controls(text)) {
        return Some("a text is too long, or has control characters".to_owned());
    }
    problems(games, record, Some(job.rules)).into_iter().next()
}

/// What no referee writes for this job.
fn impossible(job: &Job, record: &Record) -> Option<&'static str> {
    let most_discarded = if job.on_machine_delay == OnMachineDelay::Replay { MOST_DISCARDED } else { 0 };
    let delay = record.machine_delay.map(|delay| [delay.overrun_us, delay.engine_us, delay.arena_us]);
    let clocks = [record.white_ms, record.black_ms].map(|ms| ms.saturating_mul(1000));
    let times =
        clocks.into_iter().chain(delay.into_iter().flatten()).chain(record.off_turn_us.into_iter().flatten());
    let of_moves = record.moves.iter().flat_map(|mv| [mv.time_us, mv.arena_us.unwrap_or_default()]);
    if most_discarded < record.attempts_discarded {
        Some("the number of discarded attempts")
    } else if record.ponder != job.rules.ponder {
        Some("`ponder`")
    } else if job.off_turn != OffTurn::Forfeit && record.reason == Reason::OffTurn.text() {
        Some("the reason")
    } else if LONGEST_US < times.chain(of_moves).fold(0, u64::saturating_add) {
        Some("a time")
    } else {
        None
    }
}

/// Whether a text has the form `2026-05-01`.
fn is_date(text: &str) -> bool {
    let form =
        |(idx, byte): (usize, u8)| if [4, 7].contains(&idx) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10 && text.bytes().enumerate().all(form)
}

/// Whether the texts of a move are longer than those of a referee.
fn is_too_long(mv: &MoveRecord) -> bool {
    let is_long_line = mv.principal_variation.as_ref().is_some_and(|line| LONGEST_LINE < line.len());
    let is_long = |key: &String| LONGEST_STAT_KEY < key.chars().count();
    is_long_line || MOST_STATS < mv.stats.len() || mv.stats.keys().any(is_long)
}

/// Cuts the evidence of an engine's fault, which may list many legal moves, so that the record can be right.
pub fn cut(record: &mut Record) {
    if let Some(evidence) = record.evidence.as_mut().filter(|evidence| LONGEST < evidence.len()) {
        let end = (0..=LONGEST - 3).rfind(|&end| evidence.is_char_boundary(end)).unwrap_or_default();
        evidence.truncate(end);
        evidence.push_str("...");
    }
}

/// Whether a terminal would not show the text as it is.
fn has_controls(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{MachineDelay, samples};
    use ratings::MatchResult;

    fn right() -> (Job, Record) {
        let job = samples::job();
        let record = Record::without_moves(&job, MatchResult::WhiteWins, "start-failure");
        (job, record)
    }

    type Lie = fn(&mut Record);

    #[test]
    fn what_no_referee_writes_is_wrong() {
        let (job, record) = right();
        assert_eq!(wrong_record(Games::built_in(), &job, &record), None);
        let lies: [(Lie, &str); 9] = [
            (|record| record.attempts_discarded = u32::MAX, "the number of discarded attempts is impossible"),
            (|record| record.ponder = true, "`ponder` is impossible"),
            (|record| record.reason = "off-turn".to_owned(), "the reason is impossible"),
            (|record| record.off_turn_us = Some([u64::MAX; 2]), "a time is impossible"),
            (|record| (record.white_ms, record.black_ms) = (u64::MAX, 1), "a time is impossible"),
            (
                |record| {
                    let arena_us = u64::MAX;
                    record.machine_delay = Some(MachineDelay { overrun_us: 1, engine_us: 1, arena_us });
                },
                "a time is impossible",
            ),
            (|record| record.white_build = Some("x".repeat(300)), "a text is too long"),
            (|record| record.evidence = Some("x".repeat(LONGEST + 1)), "a text is too long, or has control"),
            (|record| record.white_build = Some("\u{1b}c".to_owned()), "a text is too long, or has control"),
        ];
        for (lie, expected) in lies {
            let (job, mut record) = right();
            lie(&mut record);
            let why = wrong_record(Games::built_in(), &job, &record).unwrap();
            assert!(why.starts_with(expected), "{why}");
        }
    }

    #[test]
    fn moves_have_the_texts_that_engines_can_have() {
        let mut mv = MoveRecord::new("a1a2", model::SideLetter::White, 1);
        mv.principal_variation = Some("a1a2 \u{1b}[2J".to_owned());
        mv.stats.extend((0..16).map(|n| (format!("key{n}"), i64::MIN)));
        assert!(!is_too_long(&mv));
        let lies: [fn(&mut MoveRecord); 3] = [
            |mv| mv.principal_variation = Some("a1a2 ".repeat(300)),
            |mv| mv.stats.extend([("one more".to_owned(), 1)]),
            |mv| mv.stats = std::iter::once(("k".repeat(1000), 1)).collect(),
        ];
        for lie in lies {
            let mut mv = mv.clone();
            lie(&mut mv);
            assert!(is_too_long(&mv));
        }
    }

    #[test]
    fn long_evidence_is_cut_before_it_is_sent() {
        let (job, mut record) = right();
        record.evidence = Some("ä".repeat(LONGEST));
        cut(&mut record);
        assert_eq!(wrong_record(Games::built_in(), &job, &record), None);
        assert!(record.evidence.unwrap().ends_with("ä..."));
    }
}
