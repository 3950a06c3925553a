//! The clock of one side. It does not measure time: it is told how long each move took.

use std::time::Duration;

use crate::tournament::TimeControl;

/// The clock of one side during a match.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Option<Duration>,
    moves_to_go: Option<u32>,
    spent: Duration,
}

impl Clock {
    /// A clock at the start of a match.
    pub fn new(control: TimeControl) -> Self {
        Self { left: control.base, moves_to_go: control.moves_to_go, spent: Duration::ZERO, control }
    }

    /// The time control.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The remaining time, if there is a clock.
    pub const fn left(&self) -> Option<Duration> {
        self.left
    }

    /// The number of moves until `base` is added again.
    pub const fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// The total time of all moves.
    pub const fn spent(&self) -> Duration {
        self.spent
    }

    /// The time limit of the next move, without the margin; `None` if no clock limits it.
    pub fn limit(&self) -> Option<Duration> {
        [self.left, self.control.move_time].into_iter().flatten().min()
    }

    /// The time after which the next move is lost on time, with the margin.
    pub fn allowed(&self) -> Duration {
        match self.limit() {
            Some(limit) => limit + self.control.margin,
            None => self.control.think_timeout,
        }
    }

    /// Subtracts the time of a move.
    ///
    /// # Errors
    /// If the move was too late: by how much, without the margin.
    pub fn spend(&mut self, took: Duration) -> Result<(), Duration> {
        self.spent += took;
        let allowed = self.allowed();
        if allowed < took {
            return Err(took.saturating_sub(self.limit().unwrap_or(allowed)));
        }
        if let (Some(left), Some(base)) = (&mut self.left, self.control.base) {
            *left = left.saturating_sub(took) + self.control.increment;
            if let Some(moves) = &mut self.moves_to_go {
                *moves -= 1;
                if *moves == 0 {
                    *left += base;
                    *moves = self.control.moves_to_go.expect("counted down from it");
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn control() -> TimeControl {
        TimeControl { margin: 20 * MS, ..TimeControl::unlimited(1000 * MS) }
    }

    #[test]
    fn base_and_increment() {
        let mut clock = Clock::new(TimeControl { base: Some(100 * MS), increment: 10 * MS, ..control() });
        assert_eq!(clock.allowed(), 120 * MS);
        assert_eq!(clock.spend(60 * MS), Ok(()));
        assert_eq!(clock.left(), Some(50 * MS));
        // Within the margin: the clock is at zero and gets its increment.
        assert_eq!(clock.spend(70 * MS), Ok(()));
        assert_eq!(clock.left(), Some(10 * MS));
        assert_eq!(clock.spend(31 * MS), Err(21 * MS));
        assert_eq!(clock.spent(), 161 * MS);
    }

    #[test]
    fn the_shorter_limit_holds() {
        let mut clock =
            Clock::new(TimeControl { base: Some(100 * MS), move_time: Some(50 * MS), ..control() });
        assert_eq!(clock.allowed(), 70 * MS);
        assert_eq!(clock.spend(70 * MS), Ok(()));
        assert_eq!(clock.allowed(), 50 * MS);
        assert_eq!(clock.spend(51 * MS), Err(21 * MS));
    }

    #[test]
    fn more_time_after_so_many_moves() {
        let mut clock = Clock::new(TimeControl { base: Some(100 * MS), moves_to_go: Some(2), ..control() });
        clock.spend(10 * MS).unwrap();
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(90 * MS), Some(1)));
        clock.spend(10 * MS).unwrap();
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(180 * MS), Some(2)));
    }

    #[test]
    fn without_a_clock_the_timeout_holds() {
        let mut clock = Clock::new(TimeControl { nodes: Some(1000), ..control() });
        assert_eq!(clock.allowed(), 1000 * MS);
        assert_eq!(clock.spend(1000 * MS), Ok(()));
        assert_eq!(clock.spend(1001 * MS), Err(MS));
        assert_eq!(clock.left(), None);
    }
}
