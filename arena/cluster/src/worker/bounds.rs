//! What the tournament of another machine may ask for. A tournament file has the same bounds; a message may have any numbers.

use std::sync::Arc;
use std::time::Duration;

use model::{Engine, Tournament};

/// The longest time of a tournament file.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What is out of bounds in a tournament; `None` if nothing is.
pub fn wrong(tournament: &Tournament) -> Option<String> {
    let engines = tournament.engines.iter();
    let too_long = engines.map(Arc::as_ref).find(|engine| LONGEST < longest_time(engine))?;
    let name = engine_proto::fen::shown(&too_long.name);
    Some(format!("a time of engine `{name}` is longer than 365 days"))
}

fn longest_time(engine: &Engine) -> Duration {
    let control = &engine.time_control;
    let timeouts = &engine.timeouts;
    let times = [control.increment, control.margin, control.think_timeout];
    let times = times.into_iter().chain([timeouts.start, timeouts.ready, timeouts.quit]);
    let optional = [control.base, control.move_time, engine.cage.cpu_time];
    times.chain(optional.into_iter().flatten()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn times_that_no_tournament_file_can_have_are_refused() {
        let tournament = samples::tournament(&["one", "two"], 1);
        assert_eq!(wrong(&tournament), None);
        let changes: [fn(&mut Engine); 9] = [
            |engine| engine.time_control.base = Some(Duration::MAX),
            |engine| engine.time_control.increment = Duration::MAX,
            |engine| engine.time_control.move_time = Some(Duration::MAX),
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
