//! Warnings of engines that compute while they are not on the move, once for each.

use std::collections::HashSet;
use std::time::Duration;

use model::Record;
use opponent::OffTurnUse;

/// The engines of which was warned.
#[derive(Debug, Default)]
pub struct OffTurnWarnings {
    engines: HashSet<String>,
}

impl OffTurnWarnings {
    /// The warnings that a match gives rise to.
    pub fn note(&mut self, record: &Record) -> Vec<String> {
        let used_us = record.off_turn_us.unwrap_or_default();
        let engines = [&record.white, &record.black];
        // The opponent is on the move when an engine is not.
        let others_ms = [record.black_ms, record.white_ms];
        let mut warnings = Vec::new();
        for idx in 0..2 {
            if record.off_turn_too_much[idx] && self.engines.insert(engines[idx].clone()) {
                let off_turn = OffTurnUse {
                    used: Duration::from_micros(used_us[idx]),
                    out_of: Duration::from_millis(others_ms[idx]),
                    is_too_much: true,
                };
                warnings.push(format!(
                    "engine `{}` computes while it is not on the move: in match {}, {off_turn}; it is stopped between \
                     its moves (`off-turn`)",
                    engines[idx], record.number
                ));
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn each_engine_is_named_once() {
        let record = Record {
            off_turn_us: Some([90_000, 3_000]),
            off_turn_too_much: [true, false],
            white_ms: 10,
            black_ms: 1000,
            ..samples::record()
        };
        let mut warnings = OffTurnWarnings::default();
        let [warning] = warnings.note(&record).try_into().unwrap();
        assert_eq!(
            warning,
            "engine `one` computes while it is not on the move: in match 1, it used 90 ms of processor time in the \
             1000 ms in which it was not on the move; it is stopped between its moves (`off-turn`)"
        );
        assert_eq!(warnings.note(&record), Vec::<String>::new());
        let rested = Record { off_turn_us: None, off_turn_too_much: [false; 2], ..record };
        assert_eq!(OffTurnWarnings::default().note(&rested), Vec::<String>::new());
    }
}
