//! Clocks of machines that are not equally fast (`scale-clocks`): a slow machine gets more time, so that an engine can
//! search as much on every one.

use std::sync::Arc;
use std::time::Duration;

use model::{Job, Record};

/// The least and the largest factor, in thousandths.
const FACTORS: std::ops::RangeInclusive<u64> = 100..=10_000;

/// The factor of all clocks of a machine, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale(u32);

impl Scale {
    /// The factor of a machine of this speed.
    ///
    /// # Errors
    /// If it differs too much from the reference.
    pub fn new(reference: u64, speed: u64) -> Result<Self, String> {
        let factor = reference.saturating_mul(1000) / speed.max(1);
        if FACTORS.contains(&factor) {
            return Ok(Self(factor as u32));
        }
        Err(format!(
            "its speed is {speed}, and that of the reference is {reference}: clocks are scaled by a factor of 10 at most"
        ))
    }

    /// Whether this can be the factor of a record.
    pub fn is_possible(factor: u32) -> bool {
        FACTORS.contains(&u64::from(factor))
    }

    /// The match with the clocks of this machine.
    #[must_use]
    pub fn job(self, mut job: Job) -> Job {
        let scaled = |time: Duration| time * self.0 / 1000;
        for player in &mut job.players {
            let control = &mut Arc::make_mut(&mut player.engine).time_control;
            control.base = control.base.map(scaled);
            control.increment = scaled(control.increment);
            control.move_time = control.move_time.map(scaled);
        }
        job
    }

    /// Notes the factor in the record of a match.
    pub fn note(self, record: &mut Record) {
        record.clock_factor = Some(self.0);
    }

    /// The factor in words: `1.234`.
    pub fn in_words(self) -> String {
        format!("{:.3}", f64::from(self.0) / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn a_machine_of_half_the_speed_gets_twice_the_time() {
        let scale = Scale::new(1_000_000, 500_000).unwrap();
        assert_eq!(scale.in_words(), "2.000");
        let mut job = samples::job();
        let ms = Duration::from_millis;
        for player in &mut job.players {
            let control = &mut Arc::make_mut(&mut player.engine).time_control;
            (control.base, control.increment, control.move_time) = (Some(ms(1000)), ms(10), Some(ms(7)));
            control.margin = ms(20);
        }
        for player in scale.job(job).players {
            let control = &player.engine.time_control;
            assert_eq!(
                (control.base, control.increment, control.move_time),
                (Some(ms(2000)), ms(20), Some(ms(14)))
            );
            assert_eq!(control.margin, ms(20), "messages take as long on every machine");
        }
        let mut record = samples::record();
        scale.note(&mut record);
        assert_eq!(record.clock_factor, Some(2000));
        assert!(Scale::is_possible(2000) && !Scale::is_possible(99));
        assert!(Scale::new(1_000_000, 10).unwrap_err().contains("factor of 10 at most"));
    }
}
