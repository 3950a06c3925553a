//! Matches that are not played because an engine does not take part.

use engine_proto::Side;
use ratings::MatchResult;

use model::referee::Reason;
use model::{Job, Record};

/// Why an engine takes no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absence {
    /// The reason in the records of its matches.
    pub reason: Reason,
    /// The evidence.
    pub evidence: String,
}

/// The record of a match that was not played. `absences` has the reasons of White and Black.
///
/// # Panics
/// If both engines take part.
pub fn forfeit(job: &Job, absences: [Option<&Absence>; 2]) -> Record {
    let winner = match absences {
        [Some(_), None] => Some(Side::Black),
        [None, Some(_)] => Some(Side::White),
        _ => None,
    };
    let reasons = || absences.into_iter().flatten().map(|absence| absence.reason);
    // If neither takes part, a failed start takes precedence: nothing could be played.
    let reason = reasons().find(|reason| *reason == Reason::StartFailure).or_else(|| reasons().next());
    let evidence: Vec<_> = absences.into_iter().flatten().map(|absence| absence.evidence.as_str()).collect();
    Record {
        evidence: Some(evidence.join("; ")),
        ..Record::without_moves(job, MatchResult::of(winner), reason.expect("somebody is absent").text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn a_match_without_both_engines_is_a_draw_that_was_not_started() {
        let job = samples::job();
        let absence = |reason| Absence { reason, evidence: format!("{reason:?}") };
        let [start_failure, retired] = [Reason::StartFailure, Reason::Retired].map(absence);
        for absences in [[&start_failure, &retired], [&retired, &start_failure]] {
            let record = forfeit(&job, absences.map(Some));
            assert_eq!((record.result, record.reason.as_str()), (MatchResult::Draw, "start-failure"));
        }
    }
}
