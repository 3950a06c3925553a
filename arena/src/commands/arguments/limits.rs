//! Times and limits on the command line. One rule for all commands: a number without a unit means seconds.

use std::time::Duration;

use engine_proto::fen::shown;
use model::TimeControl;
use toml::Table;

/// A clock: the time at the start, and what each move adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    base: Duration,
    increment: Option<Duration>,
}

impl Clock {
    /// This clock as the only limit, instead of those of `other`.
    pub fn instead_of(self, other: &TimeControl) -> TimeControl {
        TimeControl {
            base: Some(self.base),
            increment: self.increment.unwrap_or_default(),
            margin: other.margin,
            ..TimeControl::unlimited(other.think_timeout)
        }
    }
}

/// How long an engine may think.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The time for each move.
    pub movetime: Option<Duration>,
    /// The number of positions for each move.
    pub nodes: Option<u64>,
    /// The clock.
    pub clock: Option<Clock>,
}

impl Limits {
    /// The table `[limits]` of a tournament file.
    pub fn table(self) -> Table {
        let Self { movetime, nodes, clock } = self;
        let mut table = Table::new();
        let times = [
            ("base", clock.map(|clock| clock.base)),
            ("increment", clock.and_then(|clock| clock.increment)),
            ("movetime", movetime),
        ];
        for (key, time) in times.into_iter().filter_map(|(key, time)| Some((key, time?))) {
            table.insert(key.to_owned(), humantime::format_duration(time).to_string().into());
        }
        if let Some(nodes) = nodes {
            table.insert("nodes".to_owned(), i64::try_from(nodes).unwrap_or(i64::MAX).into());
        }
        table
    }
}

/// Reads a duration.
///
/// # Errors
/// If it is none, or longer than a year.
pub fn duration(text: &str) -> Result<Duration, String> {
    const LONGEST_S: f64 = 365.0 * 24.0 * 3600.0;
    match text.trim().parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST_S).contains(&seconds) => {
            Ok(Duration::from_micros((seconds * 1e6).round() as u64))
        }
        Ok(seconds) if LONGEST_S < seconds => {
            Err(format!("`{}` is longer than 365 days, the maximum", shown(text)))
        }
        _ => config::duration(text).map_err(|why| format!("{why}; a number without a unit means seconds")),
    }
}

/// Reads the time for a move.
///
/// # Errors
/// If it is no duration, or zero.
pub fn move_time(text: &str) -> Result<Duration, String> {
    duration(text)
        .and_then(|time| if time.is_zero() { Err("it must be longer than 0".to_owned()) } else { Ok(time) })
}

/// Reads `BASE` or `BASE+INCREMENT`.
///
/// # Errors
/// If it is written in another way.
pub fn clock(text: &str) -> Result<Clock, String> {
    if let Some(remedy) = text.contains('/').then(|| config::control_in_limits(text)).flatten() {
        return Err(format!("a clock for a number of moves needs a tournament file: {remedy}"));
    }
    let (base, increment) = text.split_once('+').map_or((text, None), |(base, rest)| (base, Some(rest)));
    Ok(Clock { base: move_time(base)?, increment: increment.map(duration).transpose()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_without_a_unit_are_seconds() {
        for (text, expected_ms) in [
            ("10", 10_000),
            ("0.1", 100),
            ("1.5", 1500),
            ("50ms", 50),
            ("1m 30s", 90_000),
            (" 2 ", 2000),
            ("1e1", 10_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(expected_ms)), "{text}");
        }
        assert!(duration("1e12").is_err_and(|why| why.contains("longer than 365 days")));
        for text in ["", "-1", "soon", "nan", "inf", "1e12", "2 apples", "400d"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn clocks() {
        let limits = |text| Limits { clock: Some(clock(text).expect(text)), ..Limits::default() };
        let check = |text, expected: &str| assert_eq!(limits(text).table().to_string(), expected, "{text}");
        check("10", "base = \"10s\"\n");
        check("5min+3", "base = \"5m\"\nincrement = \"3s\"\n");
        check("2+0.02", "base = \"2s\"\nincrement = \"20ms\"\n");
        for text in ["0", "+1", "1+", "1+2+3", "0+1"] {
            assert!(clock(text).is_err(), "{text}");
        }
        assert!(clock("40/60").is_err_and(|why| why.ends_with("`base = \"1m\"` and `moves-to-go = 40`")));
    }
}
