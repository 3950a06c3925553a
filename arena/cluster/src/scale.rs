//! Clocks of machines that are not equally fast (`scale-clocks`): a slow machine gets more time, so that an engine can
//! search as much on every one.

use std::sync::Arc;
use std::time::Duration;

use host::machine::speed;
use model::{Job, Record, Tournament};

/// The least and the largest factor, in thousandths.
const FACTORS: std::ops::RangeInclusive<u64> = 100..=10_000;

/// Sets the speed of a machine whose clocks are not changed: that of the run before, or else that of this machine.
///
/// # Errors
/// If this machine is busy.
pub fn set_reference_speed(tournament: &mut Tournament) -> Result<(), String> {
    if !tournament.machines.scale_clocks || tournament.machines.reference_speed.is_some() {
        return Ok(());
    }
    let earlier = store::read_tournament(&tournament.known_games, &tournament.results).ok();
    let speed = match earlier.and_then(|earlier| earlier.machines.reference_speed) {
        Some(speed) => speed,
        None => measure(tournament)?,
    };
    tournament.machines.reference_speed = Some(speed);
    Ok(())
}

/// The clocks of this machine if it plays, too.
///
/// # Errors
/// If this machine is busy.
pub fn local_scale(tournament: &Tournament) -> Result<Option<Scale>, String> {
    let reference = tournament.machines.reference_speed.filter(|_| tournament.machines.scale_clocks);
    reference.map(|reference| Scale::new(reference, measure(tournament)?)).transpose()
}

fn measure(tournament: &Tournament) -> Result<u64, String> {
    let n_places = u16::try_from(tournament.resources.cores).unwrap_or(u16::MAX);
    speed::measure(n_places).map_err(|busy| {
        format!("`scale-clocks` needs the speed of this machine: {busy}; or set `reference-speed`")
    })
}

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
