//! The matches that wait for a place: in the order of the schedule, but for a match that takes more than is free just now,
//! which lets a few others go first. It does not know what is free.

use std::collections::VecDeque;

use crate::schedule::ScheduledMatch;

/// A match begins at most so many before its turn: a match that takes much waits for no more than these.
const AHEAD: u64 = 32;

/// The matches that were passed over, in order.
#[derive(Debug, Default)]
pub struct Queue {
    /// Each with its turn.
    waiting: VecDeque<(u64, ScheduledMatch)>,
    /// The next match's turn.
    turn: u64,
}

impl Queue {
    /// The next match that `fits`, from those that wait and then from what `draw` gives. `None` if there is none now.
    pub fn next(
        &mut self,
        mut draw: impl FnMut() -> Option<ScheduledMatch>,
        fits: impl Fn(&ScheduledMatch) -> bool,
    ) -> Option<ScheduledMatch> {
        if let Some(idx) = self.waiting.iter().position(|(_, job)| fits(job)) {
            return self.waiting.remove(idx).map(|(_, job)| job);
        }
        loop {
            let is_far_ahead = self.waiting.front().is_some_and(|(first, _)| first + AHEAD <= self.turn);
            if is_far_ahead {
                return None;
            }
            let job = draw()?;
            let turn = self.turn;
            self.turn += 1;
            if fits(&job) {
                return Some(job);
            }
            self.waiting.push_back((turn, job));
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_proto::GameId;

    use super::*;

    /// Matches whose first contender is how much they take.
    fn jobs(widths: impl Iterator<Item = usize>) -> impl Iterator<Item = ScheduledMatch> {
        widths.zip(1..).map(|(width, number)| ScheduledMatch {
            number,
            pair: number,
            game: GameId::PUSH,
            game_idx: 0,
            round: 0,
            contenders: [width, 0],
        })
    }

    fn number(job: Option<ScheduledMatch>) -> Option<u32> {
        job.map(|job| job.number)
    }

    #[test]
    fn what_fits_goes_first_and_what_waited_as_soon_as_it_fits() {
        let mut queue = Queue::default();
        let mut jobs = jobs([1, 4, 1, 4, 1].into_iter());
        let mut next = |free: usize| number(queue.next(|| jobs.next(), |job| job.contenders[0] <= free));
        assert_eq!([next(2), next(2), next(0)], [Some(1), Some(3), None]);
        assert_eq!([next(4), next(3), next(4), next(4)], [Some(2), Some(5), Some(4), None]);
    }

    #[test]
    fn a_wide_match_is_not_passed_over_for_ever() {
        let mut queue = Queue::default();
        let mut jobs = jobs([4].into_iter().chain(std::iter::repeat(1)));
        let mut n_first = 0;
        while queue.next(|| jobs.next(), |job| job.contenders[0] <= 3).is_some() {
            n_first += 1;
        }
        assert_eq!(n_first, AHEAD - 1);
        assert_eq!(number(queue.next(|| jobs.next(), |_| true)), Some(1));
    }
}
