//! Counts which builds of each engine played.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use model::{Engine, Record};
use ratings::{Note, listed};

/// The counts. Matches without a build, from older versions of the arena, are not counted.
#[derive(Clone, Debug, Default)]
pub struct PlayedBuilds {
    engines: BTreeMap<String, OfEngine>,
    /// How the engines are started and set, apart from their names and paths.
    settings: BTreeMap<String, Vec<Engine>>,
}

#[derive(Clone, Debug, Default)]
struct OfEngine {
    /// The number of matches by build id.
    matches: BTreeMap<String, u64>,
    last: String,
}

impl PlayedBuilds {
    /// Takes note of how the engines of a tournament are set, to know which ones are the same.
    pub fn add_engines(&mut self, engines: &[Arc<Engine>]) {
        for engine in engines {
            let mut settings = Engine::clone(engine);
            let name = std::mem::take(&mut settings.name);
            (settings.command, settings.build) = (PathBuf::new(), Vec::new());
            let known = self.settings.entry(name).or_default();
            if !known.contains(&settings) {
                known.push(settings);
            }
        }
    }

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

    /// Notes for readers of ratings: on engines of which several builds played, and on those that are the same.
    pub fn notes(&self) -> Vec<Note> {
        self.several().map(Note::from).into_iter().chain(self.alike()).collect()
    }

    /// Each group of engines that are one program with the same settings: they differ by chance.
    fn alike(&self) -> impl Iterator<Item = Note> {
        let mut groups: Vec<(BTreeSet<&str>, &[Engine], Vec<String>)> = Vec::new();
        for (name, of_engine) in &self.engines {
            let Some(settings) = self.settings.get(name) else { continue };
            let builds = of_engine.matches.keys().map(String::as_str).collect();
            match groups.iter_mut().find(|(others, set, _)| *others == builds && set == settings) {
                Some((.., names)) => names.push(name.clone()),
                None => groups.push((builds, settings, vec![name.clone()])),
            }
        }
        groups.into_iter().filter(|(.., names)| 1 < names.len()).map(|(.., names)| Note::alike(names))
    }

    fn several(&self) -> Option<String> {
        let several = self.engines.iter().filter(|(_, of_engine)| 1 < of_engine.matches.len());
        let names: Vec<String> = several
            .map(|(engine, of_engine)| format!("{engine} ({} builds)", of_engine.matches.len()))
            .collect();
        let listed = listed(&names);
        (!names.is_empty()).then(|| format!("matches of several builds are counted as one engine: {listed}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(played: &PlayedBuilds) -> Vec<String> {
        played.notes().into_iter().map(|note| note.text).collect()
    }

    #[test]
    fn several_builds_of_an_engine_are_said() {
        let mut played = PlayedBuilds::default();
        for (engine, build) in
            [("one", Some("a")), ("two", Some("a")), ("one", Some("a")), ("two", None), ("three", Some("c"))]
        {
            played.add_side(engine, build);
        }
        assert_eq!(notes(&played), [""; 0]);
        assert_eq!((played.last("one"), played.last("four")), (Some("a"), None));
        played.add_side("two", Some("b"));
        assert_eq!(played.last("two"), Some("b"));
        assert_eq!(notes(&played), ["matches of several builds are counted as one engine: two (2 builds)"]);
        played.add_side("one", Some("b"));
        assert_eq!((played.matches("one", "a"), played.matches("one", "c")), (2, 0));
        assert_eq!(played.all().next(), Some(("one", "a", 2)));
        assert_eq!(
            notes(&played),
            ["matches of several builds are counted as one engine: one (2 builds) and two (2 builds)"]
        );
    }

    #[test]
    fn engines_that_are_one_program_are_said() {
        let mut played = PlayedBuilds::default();
        for engine in ["a", "b", "c", "d", "e"] {
            played.add_side(engine, Some(if engine == "e" { "other" } else { "same" }));
        }
        let engines = model::samples::tournament(&["a", "b"], 1).engines;
        let named = |name: &str, hash: &str| {
            let mut engine = Engine::clone(&engines[0]);
            engine.name = name.to_owned();
            engine.options.insert("Hash".to_owned(), hash.to_owned());
            Arc::new(engine)
        };
        let engines = [("a", "1"), ("b", "1"), ("c", "2"), ("d", "1"), ("e", "1")];
        played.add_engines(&engines.map(|(name, hash)| named(name, hash)));
        assert_eq!(
            notes(&played),
            [
                "a, b and d are the same program with the same options: differences and verdicts between them are chance"
            ]
        );
    }
}
