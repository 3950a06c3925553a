//! The speed of this machine: a fixed computation at all places at once.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use engine_proto::{GameId, Games};

/// The number of rounds of each place.
const ROUNDS: usize = 5;
/// The shortest time of a round.
const ROUND: Duration = Duration::from_millis(100);
/// The largest difference between two rounds, in relation to the median.
const MOST_SPREAD: f64 = 0.2;
/// Sequences of this number of moves are counted, from a start without random terrain.
const DEPTH: u32 = 2;
const GAME: GameId = GameId::TOWER_PUSH;

/// Why the speed is not known.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "its speed cannot be measured, because the machine is busy: equal computations differ by {:.0} %, and at most {:.0} % are \
     allowed; end other programs, or use fewer `--cores`",
    100.0 * .0,
    100.0 * MOST_SPREAD
)]
pub struct Busy(pub f64);

/// The speed of one place while all `n_places` are busy: the number of sequences of moves that it counts in a second. It
/// takes half a second.
///
/// # Errors
/// If the machine does something else at the same time.
pub fn measure(n_places: u16) -> Result<u64, Busy> {
    let start = Barrier::new(n_places.into());
    let rates = thread::scope(|scope| {
        let place = || {
            start.wait();
            (0..ROUNDS).map(|_| round()).collect::<Vec<f64>>()
        };
        let places: Vec<_> = (0..n_places).map(|_| scope.spawn(place)).collect();
        places.into_iter().flat_map(|place| place.join().expect("counting does not panic")).collect()
    });
    median_of_equal(rates)
}

/// Counts for a while. Returns the number of sequences in a second.
fn round() -> f64 {
    let play = Games::built_in().startpos(GAME).expect("a built-in game");
    let begun = Instant::now();
    let mut n_counted = 0;
    loop {
        n_counted += play.perft(DEPTH);
        let elapsed = begun.elapsed();
        if ROUND <= elapsed {
            return n_counted as f64 / elapsed.as_secs_f64();
        }
    }
}

/// The median of rates that should be equal.
fn median_of_equal(mut rates: Vec<f64>) -> Result<u64, Busy> {
    rates.sort_unstable_by(f64::total_cmp);
    let (Some(first), Some(last)) = (rates.first(), rates.last()) else { return Ok(0) };
    let median = rates[rates.len() / 2];
    let spread = (last - first) / median;
    if spread <= MOST_SPREAD { Ok(median as u64) } else { Err(Busy(spread)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_has_no_speed() {
        assert_eq!(median_of_equal(vec![110.0, 100.0, 105.0]), Ok(105));
        let Err(busy) = median_of_equal(vec![100.0, 50.0, 100.0]) else { panic!("one half is too slow") };
        assert_eq!(busy, Busy(0.5));
        assert!(busy.to_string().contains("differ by 50 %, and at most 20 % are allowed"), "{busy}");
    }

    #[test]
    fn every_machine_counts() {
        assert!(0.0 < round());
    }
}
