//! Warnings of engines that compute while they are not on the move, once for each.

use std::collections::HashSet;
use std::time::Duration;

use crate::opponent::OffTurnUse;
use crate::tournament::Record;

/// The engines of which was warned.
#[derive(Debug, Default)]
pub struct OffTurnWarnings {
    engines: HashSet<String>,
}

impl OffTurnWarnings {
    /// The warnings that a match gives rise to.
    pub fn note(&mut self, record: &Record) -> Vec<String> {
        let Some(used_us) = record.off_turn_us else { return Vec::new() };
        // The opponent is on the move when an engine is not.
        let others_ms = [record.black_ms, record.white_ms];
        let mut warnings = Vec::new();
        for ((name, used_us), other_ms) in
            [&record.white, &record.black].into_iter().zip(used_us).zip(others_ms)
        {
            let off_turn =
                OffTurnUse { used: Duration::from_micros(used_us), out_of: Duration::from_millis(other_ms) };
            if off_turn.is_too_much() && self.engines.insert(name.clone()) {
                warnings.push(format!(
                    "engine `{name}` computes while it is not on the move: in match {}, {off_turn}; it is stopped \
                     between its moves (`off-turn`)",
                    record.number
                ));
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::samples;

    #[test]
    fn each_engine_is_named_once() {
        let record =
            Record { off_turn_us: Some([90_000, 3_000]), white_ms: 10, black_ms: 1000, ..samples::record() };
        let mut warnings = OffTurnWarnings::default();
        let [warning] = warnings.note(&record).try_into().unwrap();
        assert_eq!(
            warning,
            "engine `one` computes while it is not on the move: in match 1, it used 90 ms of processor time in the \
             1000 ms in which it was not on the move; it is stopped between its moves (`off-turn`)"
        );
        assert_eq!(warnings.note(&record), Vec::<String>::new());
        assert_eq!(warnings.note(&Record { off_turn_us: None, ..record }), Vec::<String>::new());
    }
}
