//! Checks an outcome as foreign input: does it answer this order, and could a referee have written these records?

use super::scale::Scale;
use crate::results::problems;
use crate::tournament::{Job, Record};

/// The longest text of a record: evidence, a position.
const LONGEST: usize = 64 << 10;

/// What is wrong with the records that a worker has sent for `jobs`; `None` if nothing is.
pub fn wrong(jobs: &[Job], records: &[Record]) -> Option<String> {
    if jobs.len() != records.len() {
        return Some(format!("{} records for {} matches", records.len(), jobs.len()));
    }
    jobs.iter()
        .zip(records)
        .find_map(|(job, record)| wrong_record(job, record).map(|why| format!("match {}: {why}", job.number)))
}

fn wrong_record(job: &Job, record: &Record) -> Option<String> {
    let [white, black] = job.names();
    let is_of_job = record.number == job.number
        && record.pair == job.pair
        && record.game == job.game
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
    let moves = record.moves.iter();
    let texts = moves.flat_map(|mv| [Some(mv.mv.as_str()), mv.score.as_deref()]).flatten();
    let texts = texts.chain([record.reason.as_str(), &record.end]);
    if texts.chain(record.evidence.as_deref()).any(|text| LONGEST < text.len() || has_controls(text)) {
        return Some("a text is too long, or has control characters".to_owned());
    }
    problems(record, Some(job.rules)).into_iter().next()
}

/// Whether a terminal would not show the text as it is.
fn has_controls(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' && c != '\t')
}
