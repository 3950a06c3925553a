//! Whether a tournament asks for more processors than there are, which costs engines time that they cannot account
//! for. It only warns: what is played is the user's choice.

use crate::config::Config;
use crate::engine::Contender;

/// What the user should know before engines share processors: at most one warning.
pub fn warnings(config: &Config, contenders: &[Contender]) -> Vec<String> {
    let Ok(cores) = std::thread::available_parallelism() else { return Vec::new() };
    let concurrency = usize::from(*config.tournament.concurrency.get_ref());
    let engines: Vec<_> =
        contenders.iter().map(|contender| (contender.name.as_str(), threads(contender))).collect();
    warning(cores.get(), concurrency, &engines).into_iter().collect()
}

/// The number of threads that the contender's options ask for: 1 if they say nothing of it.
fn threads(contender: &Contender) -> usize {
    let option = contender.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
    option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
}

/// Engines are given by name and number of threads. In a match one engine thinks at a time.
fn warning(cores: usize, concurrency: usize, engines: &[(&str, usize)]) -> Option<String> {
    if cores < concurrency {
        return Some(format!(
            "{concurrency} matches at once on {cores} processors: engines wait for each other on their own clocks, \
             and may lose on time for it; set `concurrency` to {cores} or less"
        ));
    }
    let (name, threads) = engines.iter().max_by_key(|(_, threads)| *threads)?;
    if threads.saturating_mul(concurrency) <= cores {
        return None;
    }
    let remedy = match cores / threads {
        0 => format!("set `Threads` to {cores} or less, and `concurrency` to 1"),
        fitting => format!("set `concurrency` to {fitting} or less, or `Threads` lower"),
    };
    Some(format!(
        "{concurrency} matches at once with {threads} threads of engine `{name}` each, on {cores} processors: engines \
         wait for each other on their own clocks; {remedy}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_said_with_the_remedy() {
        let said = |cores, concurrency, threads| {
            warning(cores, concurrency, &[("one", 1), ("two", threads)]).unwrap_or_default()
        };
        assert_eq!(said(4, 4, 1), "");
        assert_eq!(said(4, 2, 2), "");
        assert!(said(4, 5, 1).contains("5 matches at once on 4 processors"));
        assert!(said(4, 5, 1).ends_with("set `concurrency` to 4 or less"));
        assert!(said(4, 2, 3).contains("3 threads of engine `two`"));
        assert!(said(4, 2, 3).ends_with("set `concurrency` to 1 or less, or `Threads` lower"));
        assert!(said(4, 1, 8).ends_with("set `Threads` to 4 or less, and `concurrency` to 1"));
    }
}
