//! One side's time. It never looks at a clock itself: it is told how long a move took.

use std::time::Duration;

use crate::config::{Limits, Timeouts};

/// How long an engine may think. All that are given hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time on the clock at the start.
    pub base: Option<Duration>,
    /// What the clock gains after each move.
    pub increment: Duration,
    /// After so many moves `base` is added again.
    pub moves_to_go: Option<u32>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Positions for each move.
    pub nodes: Option<u64>,
    /// Depth for each move, in plies.
    pub depth: Option<u32>,
    /// How far below zero the clock may fall.
    pub margin: Duration,
    /// The limit for a move that no clock limits.
    pub think_timeout: Duration,
}

impl TimeControl {
    /// The time control that the configuration means: an engine's own limits if it has any, else the tournament's.
    pub fn of(tournament: &Limits, own: Option<&Limits>, timeouts: &Timeouts) -> Self {
        const DEFAULT_BASE: Duration = Duration::from_secs(10);
        const DEFAULT_INCREMENT: Duration = Duration::from_millis(100);
        const DEFAULT_MARGIN: Duration = Duration::from_millis(20);
        let limits = own.filter(|own| own.names_any()).unwrap_or(tournament);
        let margin =
            own.and_then(|own| own.margin).or(tournament.margin).map_or(DEFAULT_MARGIN, |time| time.0);
        let named = limits.names_any();
        Self {
            base: limits.base.as_ref().map(|time| time.get_ref().0).or((!named).then_some(DEFAULT_BASE)),
            increment: match &limits.increment {
                Some(time) => time.get_ref().0,
                None if named => Duration::ZERO,
                None => DEFAULT_INCREMENT,
            },
            moves_to_go: limits.moves_to_go.as_ref().map(|moves| *moves.get_ref()),
            move_time: limits.movetime.as_ref().map(|time| time.get_ref().0),
            nodes: limits.nodes.as_ref().map(|nodes| *nodes.get_ref()),
            depth: limits.depth.as_ref().map(|depth| *depth.get_ref()),
            margin,
            think_timeout: timeouts.think.0,
        }
    }
}

/// One side's clock during a match.
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

    /// What it runs by.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Time left, if there is a clock.
    pub const fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Moves until `base` is added again.
    pub const fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Time spent in all.
    pub const fn spent(&self) -> Duration {
        self.spent
    }

    /// How long the next move may take, the margin not counted; `None` if no clock limits it.
    pub fn limit(&self) -> Option<Duration> {
        [self.left, self.control.move_time].into_iter().flatten().min()
    }

    /// How long the next move may take until it is lost on time, the margin included.
    pub fn allowed(&self) -> Duration {
        match self.limit() {
            Some(limit) => limit + self.control.margin,
            None => self.control.think_timeout,
        }
    }

    /// Takes the time of a move.
    ///
    /// # Errors
    /// If it took too long: how much too long, the margin not counted.
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
        TimeControl {
            base: None,
            increment: Duration::ZERO,
            moves_to_go: None,
            move_time: None,
            nodes: None,
            depth: None,
            margin: 20 * MS,
            think_timeout: 1000 * MS,
        }
    }

    #[test]
    fn base_and_increment() {
        let mut clock = Clock::new(TimeControl { base: Some(100 * MS), increment: 10 * MS, ..control() });
        assert_eq!(clock.allowed(), 120 * MS);
        assert_eq!(clock.spend(60 * MS), Ok(()));
        assert_eq!(clock.left(), Some(50 * MS));
        // Within the margin: the clock is at zero, and gains its increment.
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

    #[test]
    fn own_limits_replace_the_tournaments() {
        let time = |ms| Some(toml::Spanned::new(0..0, crate::config::Time::from_millis(ms)));
        let tournament = Limits { base: time(2000), increment: time(20), ..Limits::default() };
        let own = Limits { nodes: Some(toml::Spanned::new(0..0, 500)), ..Limits::default() };
        let timeouts = Timeouts::default();
        let control = TimeControl::of(&tournament, Some(&own), &timeouts);
        assert_eq!((control.base, control.nodes, control.margin), (None, Some(500), 20 * MS));
        let control = TimeControl::of(&tournament, None, &timeouts);
        assert_eq!((control.base, control.increment), (Some(2000 * MS), 20 * MS));
        let control = TimeControl::of(&Limits::default(), None, &timeouts);
        assert_eq!((control.base, control.increment), (Some(10_000 * MS), 100 * MS));
    }
}
