//! The machines of a tournament as lines: news for logs, and a table for terminals.

use std::collections::BTreeMap;

use model::Worker;

/// What was reported last.
#[derive(Clone, Debug, Default)]
pub struct Workers {
    /// The places of each worker, by name.
    known: BTreeMap<String, u16>,
}

impl Workers {
    /// A line for each worker that joined or left. Lost workers have a warning of their own.
    pub fn news(&mut self, workers: &[Worker]) -> Vec<String> {
        let present = workers.iter().filter(|worker| !worker.is_lost);
        let now: BTreeMap<String, u16> = present.map(|worker| (worker.name.clone(), worker.places)).collect();
        let joined = now.iter().filter(|(name, places)| self.known.get(*name) != Some(places));
        let mut lines: Vec<String> = joined
            .map(|(name, places)| format!("worker `{name}` plays with {}", in_words(*places)))
            .collect();
        let is_here = |name: &String| workers.iter().any(|worker| worker.name == *name);
        let left = self.known.keys().filter(|name| !is_here(name));
        lines.extend(left.map(|name| format!("worker `{name}` has left")));
        self.known = now;
        lines
    }
}

/// A line for each worker, `most` at most; empty without workers.
pub fn table(workers: &[Worker], most: usize) -> String {
    let width = workers.iter().take(most).map(|worker| worker.name.len()).max().unwrap_or_default();
    let mut lines = Vec::new();
    for Worker { name, places, n_playing, n_matches, is_lost } in workers.iter().take(most) {
        let state = if *is_lost { "lost".to_owned() } else { format!("{n_playing} of {places} places busy") };
        lines.push(format!("{name:<width$}  {n_matches:>7} matches  {state}"));
    }
    if most < workers.len() {
        lines.push(format!("and {} more workers", workers.len() - most));
    }
    lines.join("\n")
}

fn in_words(places: u16) -> String {
    if places == 1 { "1 place".to_owned() } else { format!("{places} places") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(name: &str, places: u16, is_lost: bool) -> Worker {
        Worker { name: name.to_owned(), places, n_playing: 1, n_matches: 12, is_lost }
    }

    #[test]
    fn only_changes_are_news() {
        let mut workers = Workers::default();
        let two = [worker("a", 4, false), worker("b", 1, false)];
        assert_eq!(workers.news(&two), ["worker `a` plays with 4 places", "worker `b` plays with 1 place"]);
        assert!(workers.news(&two).is_empty());
        assert!(workers.news(&[worker("a", 4, false), worker("b", 1, true)]).is_empty(), "it has a warning");
        assert_eq!(
            workers.news(&[worker("b", 1, false)]),
            ["worker `b` plays with 1 place", "worker `a` has left"]
        );
    }

    #[test]
    fn a_line_for_each_worker() {
        let three = [worker("a", 4, false), worker("long-name", 1, true), worker("c", 1, false)];
        assert_eq!(
            table(&three, 2),
            "a               12 matches  1 of 4 places busy\nlong-name       12 matches  lost\nand 1 more workers"
        );
        assert_eq!(table(&[], 2), "");
    }
}
