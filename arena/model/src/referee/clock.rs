//! The clock of one side. It does not measure time: it is told how long each move took.

use std::time::Duration;

use crate::TimeControl;

/// The clock of one side during a match.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Option<Duration>,
    /// How far the clock is below zero. It uses up the margin, until increments pay it back.
    owed: Duration,
    moves_to_go: Option<u32>,
    spent: Duration,
}

impl Clock {
    /// A clock at the start of a match.
    pub fn new(control: TimeControl) -> Self {
        Self {
            left: control.base,
            owed: Duration::ZERO,
            moves_to_go: control.moves_to_go,
            spent: Duration::ZERO,
            control,
        }
    }

    /// The time control.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The remaining time, if there is a clock; zero if it is below zero.
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

    /// The time after which the next move is lost on time, with the margin. The clock may fall below zero by the margin
    /// in total; `movetime` may be exceeded by it in each move.
    pub fn allowed(&self) -> Duration {
        let margin = self.control.margin;
        let by_clock = self.left.map(|left| left.saturating_add(margin).saturating_sub(self.owed));
        let by_move = self.control.move_time.map(|limit| limit.saturating_add(margin));
        [by_clock, by_move].into_iter().flatten().min().unwrap_or(self.control.think_timeout)
    }

    /// The part of the allowed time that is the margin.
    pub fn margin(&self) -> Duration {
        self.limit().map_or(Duration::ZERO, |limit| self.allowed().saturating_sub(limit))
    }

    /// Subtracts the time of a move.
    ///
    /// # Errors
    /// If the move was too late: by how much, without the margin.
    pub fn spend(&mut self, took: Duration) -> Result<(), Duration> {
        self.spent = self.spent.saturating_add(took);
        let allowed = self.allowed();
        if allowed < took {
            return Err(took.saturating_sub(self.limit().unwrap_or(allowed)));
        }
        if let (Some(left), Some(base)) = (&mut self.left, self.control.base) {
            let mut credit = left.saturating_add(self.control.increment);
            if let Some(moves) = &mut self.moves_to_go {
                *moves -= 1;
                if *moves == 0 {
                    credit = credit.saturating_add(base);
                    *moves = self.control.moves_to_go.expect("counted down from it");
                }
            }
            let debit = self.owed.saturating_add(took);
            (*left, self.owed) = (credit.saturating_sub(debit), debit.saturating_sub(credit));
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
        // Within the margin: the clock falls 20 ms below zero and gets its increment.
        assert_eq!(clock.spend(70 * MS), Ok(()));
        assert_eq!((clock.left(), clock.allowed()), (Some(Duration::ZERO), 10 * MS));
        assert_eq!(clock.spend(11 * MS), Err(11 * MS));
        assert_eq!(clock.spent(), 141 * MS);
    }

    #[test]
    fn the_margin_is_granted_once() {
        let mut clock = Clock::new(TimeControl { base: Some(100 * MS), ..control() });
        assert_eq!(clock.spend(115 * MS), Ok(()));
        assert_eq!((clock.left(), clock.allowed()), (Some(Duration::ZERO), 5 * MS));
        assert_eq!(clock.spend(5 * MS), Ok(()));
        assert_eq!(clock.allowed(), Duration::ZERO);
        assert_eq!(clock.spend(MS), Err(MS));
        // Increments pay it back.
        let mut clock = Clock::new(TimeControl { base: Some(100 * MS), increment: 10 * MS, ..control() });
        for (took, left, allowed) in [(120, 0, 10), (0, 0, 20), (0, 10, 30)] {
            assert_eq!(clock.spend(took * MS), Ok(()));
            assert_eq!((clock.left(), clock.allowed()), (Some(left * MS), allowed * MS));
        }
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
