//! What the tournament of another machine may ask for. A tournament file has the same bounds; a message may have any numbers.

use std::sync::Arc;
use std::time::Duration;

use model::{Engine, TimeControl, Tournament};

/// The longest time of a tournament file.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What is out of bounds in a tournament; `None` if nothing is.
pub fn wrong(tournament: &Tournament) -> Option<String> {
    tournament.engines.iter().map(Arc::as_ref).find_map(wrong_engine)
}

/// What is out of bounds in an engine; `None` if nothing is.
pub fn wrong_engine(engine: &Engine) -> Option<String> {
    let name = engine_proto::fen::shown(&engine.name);
    (LONGEST < longest_time(engine)).then(|| format!("a time of engine `{name}` is longer than 365 days"))
}

fn longest_time(engine: &Engine) -> Duration {
    let timeouts = &engine.timeouts;
    let of_control = |control: &TimeControl| {
        let TimeControl { base, move_time, increment, margin, think_timeout, .. } = control;
        [*base, *move_time, Some(*increment), Some(*margin), Some(*think_timeout)]
    };
    let times = [Some(timeouts.start), Some(timeouts.ready), Some(timeouts.quit), engine.cage.cpu_time];
    engine.time_controls().flat_map(of_control).chain(times).flatten().max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn times_that_no_tournament_file_can_have_are_refused() {
        let tournament = samples::tournament(&["one", "two"], 1);
        assert_eq!(wrong(&tournament), None);
        let changes: [fn(&mut Engine); 10] = [
            |engine| engine.time_control.base = Some(Duration::MAX),
            |engine| engine.time_control.increment = Duration::MAX,
            |engine| engine.time_control.move_time = Some(Duration::MAX),
            |engine| {
                let control = TimeControl::unlimited(Duration::MAX);
                engine.limits.insert("long".to_owned(), control);
            },
            |engine| engine.time_control.margin = Duration::MAX,
            |engine| engine.time_control.think_timeout = Duration::MAX,
            |engine| engine.timeouts.start = Duration::MAX,
            |engine| engine.timeouts.ready = Duration::MAX,
            |engine| engine.timeouts.quit = Duration::MAX,
            |engine| engine.cage.cpu_time = Some(Duration::MAX),
        ];
        for (idx, change) in changes.into_iter().enumerate() {
            let mut tournament = tournament.clone();
            change(Arc::make_mut(tournament.engines.last_mut().unwrap()));
            assert!(wrong(&tournament).is_some_and(|why| why.contains("is longer than 365 days")), "{idx}");
        }
    }
}
