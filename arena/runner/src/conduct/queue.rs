//! Jobs that wait for free resources, in the order of the schedule. A job that needs more than is free lets a limited
//! number of later jobs start first. The queue does not know what is free.

use std::collections::VecDeque;

use model::Job;

/// A job starts at most this number of turns early, so that a large job does not wait forever.
const AHEAD: u64 = 32;

/// Jobs that were passed over, in order.
#[derive(Debug, Default)]
pub struct Queue {
    /// Each with its turn.
    waiting: VecDeque<(u64, Job)>,
    /// The turn of the next job.
    turn: u64,
}

impl Queue {
    /// Puts back a job that had started: it becomes the next one.
    pub fn return_first(&mut self, job: Job) {
        let turn = self.waiting.front().map_or(self.turn, |(turn, _)| *turn);
        self.waiting.push_front((turn, job));
    }

    /// The next job that `fits`: first those that wait, then those from `draw`. `None` if no job can start now.
    pub fn next(
        &mut self,
        mut draw: impl FnMut() -> Option<Job>,
        fits: impl Fn(&Job) -> bool,
    ) -> Option<Job> {
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
    use super::*;
    use model::samples;

    /// Jobs whose pair number is what they need.
    fn jobs(widths: impl Iterator<Item = u32>) -> impl Iterator<Item = Job> {
        widths.zip(1..).map(|(width, number)| Job { number, pair: width, ..samples::job() })
    }

    fn number(job: Option<Job>) -> Option<u32> {
        job.map(|job| job.number)
    }

    #[test]
    fn what_fits_goes_first_and_what_waited_as_soon_as_it_fits() {
        let mut queue = Queue::default();
        let mut jobs = jobs([1, 4, 1, 4, 1].into_iter());
        let mut next = |free: u32| number(queue.next(|| jobs.next(), |job| job.pair <= free));
        assert_eq!([next(2), next(2), next(0)], [Some(1), Some(3), None]);
        assert_eq!([next(4), next(3), next(4), next(4)], [Some(2), Some(5), Some(4), None]);
    }

    #[test]
    fn a_wide_match_is_not_passed_over_for_ever() {
        let mut queue = Queue::default();
        let mut jobs = jobs([4].into_iter().chain(std::iter::repeat(1)));
        let mut n_first = 0;
        while queue.next(|| jobs.next(), |job| job.pair <= 3).is_some() {
            n_first += 1;
        }
        assert_eq!(n_first, AHEAD - 1);
        assert_eq!(number(queue.next(|| jobs.next(), |_| true)), Some(1));
    }
}
