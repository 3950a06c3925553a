//! The sizes of messages, and what a server takes (`max_payload`). Pure.

use super::message::{Outcome, encode};
use model::MoveRecord;

/// A move of an outcome without its principal variation, in bytes, if the engine reports what engines report.
const MOVE_BYTES: usize = 180;

/// Why a server that takes messages of `most` bytes is not enough for a tournament, whose invitation has `invitation` bytes;
/// `None` if it is.
pub fn too_small(most: usize, invitation: usize, max_plies: u32) -> Option<String> {
    if most < invitation {
        return Some(format!("the tournament has {invitation} bytes as a message, {}", remedy(most)));
    }
    let pair = 2 * max_plies as usize * MOVE_BYTES;
    (most < pair).then(|| {
        format!("a pair of {max_plies} plies each has about {pair} bytes as a message, {}", remedy(most))
    })
}

/// The end of a sentence about a message that is too large.
pub fn remedy(most: usize) -> String {
    format!("but the NATS server takes {most}; raise `max_payload` in its configuration and start it again")
}

/// The outcome as a message of at most `most` bytes: if it is larger, without principal variations, and without the
/// engines' own numbers.
///
/// # Errors
/// If that is still too large: why, in words.
pub fn fitted(outcome: &Outcome, most: usize) -> Result<Vec<u8>, String> {
    let payload = encode(outcome);
    if payload.len() <= most {
        return Ok(payload);
    }
    let mut shorter = outcome.clone();
    let cuts: [fn(&mut MoveRecord); 2] = [|mv| mv.principal_variation = None, |mv| mv.stats.clear()];
    for cut in cuts {
        shorter.records.iter_mut().flat_map(|record| &mut record.moves).for_each(cut);
        let payload = encode(&shorter);
        if payload.len() <= most {
            return Ok(payload);
        }
    }
    let n_bytes = encode(&shorter).len();
    Err(format!("the result of pair {} has {n_bytes} bytes, {}", outcome.pair, remedy(most)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::decode;
    use model::{FormatVersion, Record, SideLetter, samples};

    #[test]
    fn what_is_not_needed_is_left_out_until_the_message_fits() {
        let mut mv = MoveRecord::new("a1a2", SideLetter::White, 1);
        mv.principal_variation = Some("a1a2 b1b2".repeat(10));
        mv.stats.insert("cuts".repeat(10), 7);
        let record = Record { moves: vec![mv; 50], ..samples::record() };
        let outcome = Outcome {
            format_version: FormatVersion,
            pair: 7,
            attempt: 1,
            order: "o".to_owned(),
            records: vec![record],
        };
        let size = |most: usize| fitted(&outcome, most).map(|payload| payload.len());
        let read = |most: usize| decode::<Outcome>(&fitted(&outcome, most).unwrap()).unwrap();
        let whole = size(usize::MAX).unwrap();
        assert_eq!(read(whole), outcome);
        let without_lines = read(whole - 1);
        let [first, ..] = without_lines.records[0].moves.as_slice() else { panic!("it has moves") };
        assert!(first.principal_variation.is_none() && !first.stats.is_empty());
        let n_without_lines = size(whole - 1).unwrap();
        assert!(read(n_without_lines - 1).records[0].moves[0].stats.is_empty());
        let error = size(1000).unwrap_err();
        assert!(error.starts_with("the result of pair 7 has ") && error.contains("`max_payload`"), "{error}");
    }

    #[test]
    fn a_server_must_take_the_messages_of_the_tournament() {
        assert_eq!(too_small(1 << 20, 5000, 400), None);
        assert!(too_small(1 << 20, 2 << 20, 400).unwrap().starts_with("the tournament has 2097152 bytes"));
        assert!(
            too_small(1 << 16, 5000, 400)
                .unwrap()
                .starts_with("a pair of 400 plies each has about 144000 bytes")
        );
    }
}
