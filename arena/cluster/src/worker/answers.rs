//! The answers with which a worker hands an order back.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The order can be delivered again at once.
pub const NOW: &str = "-NAK";

/// The order cannot be played here: it is delivered again after ten seconds.
pub const LATER: &str = r#"-NAK {"delay":10000000000}"#;

/// The longest time after which an order is delivered again that another worker must play.
const NOT_FOR_US: Duration = Duration::from_secs(1);

/// Hands an order back that another worker must play. The delay is random: with a fixed one, two workers that wait for each
/// other's order can get their own again and again, in step.
pub fn not_for_us() -> String {
    let draw = RandomState::new().hash_one(()) as f64 / u64::MAX as f64;
    let delay = NOT_FOR_US.mul_f64(0.2 + 0.8 * draw);
    format!(r#"-NAK {{"delay":{}}}"#, delay.as_nanos())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn orders_for_others_come_back_after_different_times() {
        let answers: HashSet<String> = (0..100).map(|_| not_for_us()).collect();
        assert!(90 < answers.len());
        for answer in answers {
            let delay = answer.strip_prefix(r#"-NAK {"delay":"#).and_then(|rest| rest.strip_suffix('}'));
            let delay: u64 = delay.unwrap().parse().unwrap();
            assert!((200_000_000..=1_000_000_000).contains(&delay), "{delay}");
        }
    }
}
