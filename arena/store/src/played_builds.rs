//! Counts which builds of each engine played.

use std::collections::BTreeMap;

use model::Record;

/// The counts. Matches without a build, from older versions of the arena, are not counted.
#[derive(Clone, Debug, Default)]
pub struct PlayedBuilds {
    engines: BTreeMap<String, OfEngine>,
}

#[derive(Clone, Debug, Default)]
struct OfEngine {
    /// The number of matches by build id.
    matches: BTreeMap<String, u64>,
    last: String,
}

impl PlayedBuilds {
    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        self.add_side(&record.white, record.white_build.as_deref());
        self.add_side(&record.black, record.black_build.as_deref());
    }

    /// Counts one side of a match.
    pub fn add_side(&mut self, engine: &str, build: Option<&str>) {
        let Some(build) = build else { return };
        if !self.engines.contains_key(engine) {
            self.engines.insert(engine.to_owned(), OfEngine::default());
        }
        let of_engine = self.engines.get_mut(engine).expect("it was put there");
        if of_engine.last != build {
            build.clone_into(&mut of_engine.last);
        }
        match of_engine.matches.get_mut(build) {
            Some(n) => *n += 1,
            None => {
                of_engine.matches.insert(build.to_owned(), 1);
            }
        }
    }

    /// The build that played the engine's last match.
    pub fn last(&self, engine: &str) -> Option<&str> {
        self.engines.get(engine).map(|of_engine| of_engine.last.as_str())
    }

    /// The number of matches of a build.
    pub fn matches(&self, engine: &str, build: &str) -> u64 {
        self.engines
            .get(engine)
            .and_then(|of_engine| of_engine.matches.get(build))
            .copied()
            .unwrap_or_default()
    }

    /// All builds that played: the engine, the build's id, the number of matches.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.engines.iter().flat_map(|(engine, of_engine)| {
            of_engine.matches.iter().map(|(build, n)| (engine.as_str(), build.as_str(), *n))
        })
    }

    /// A note for readers of ratings, if several builds of an engine played.
    pub fn note(&self) -> Option<String> {
        const MOST_NAMES: usize = 5;
        let several: Vec<_> =
            self.engines.iter().filter(|(_, of_engine)| 1 < of_engine.matches.len()).collect();
        let mut names: Vec<_> = several
            .iter()
            .take(MOST_NAMES)
            .map(|(engine, of_engine)| format!("{engine} ({} builds)", of_engine.matches.len()))
            .collect();
        if MOST_NAMES < several.len() {
            names.push(format!("{} more", several.len() - MOST_NAMES));
        }
        let names = match names.as_slice() {
            [] => return None,
            [one] => one.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        };
        Some(format!("matches of several builds are counted as one engine: {names}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_builds_of_an_engine_are_said() {
        let mut played = PlayedBuilds::default();
        for (engine, build) in
            [("one", Some("a")), ("two", Some("a")), ("one", Some("a")), ("two", None), ("three", Some("c"))]
        {
            played.add_side(engine, build);
        }
        assert_eq!(played.note(), None);
        assert_eq!((played.last("one"), played.last("four")), (Some("a"), None));
        played.add_side("two", Some("b"));
        assert_eq!(played.last("two"), Some("b"));
        assert_eq!(
            played.note().as_deref(),
            Some("matches of several builds are counted as one engine: two (2 builds)")
        );
        played.add_side("one", Some("b"));
        assert_eq!((played.matches("one", "a"), played.matches("one", "c")), (2, 0));
        assert_eq!(played.all().next(), Some(("one", "a", 2)));
        assert_eq!(
            played.note().as_deref(),
            Some("matches of several builds are counted as one engine: one (2 builds) and two (2 builds)")
        );
    }
}
