//! The builds and runs of the matches, for the page's template.

use std::path::Path;

use super::source::Folder;
use super::words::{count, counted};
use model::{Build, Run};
use store::PlayedBuilds;

/// The maximum number of runs that are shown.
const MOST_RUNS: usize = 20;
/// The number of digits of a hash that are shown; its tooltip has all of them.
const SHOWN_DIGITS: usize = 12;

/// The builds and runs of the folders.
#[derive(Debug)]
pub struct ProvenanceView {
    /// The builds that played, by engine.
    pub builds: Vec<BuildView>,
    /// The runs, in words.
    pub runs: Vec<String>,
    /// The number of runs that are not shown.
    pub n_more_runs: usize,
}

/// Seeds, dates and machines of all runs, for a glance: equal ones once.
pub fn run_facts(folders: &[Folder]) -> [(&'static str, Vec<String>); 3] {
    let runs = || folders.iter().flat_map(|folder| &folder.provenance.runs);
    let distinct = |values: Vec<String>| {
        let mut seen: Vec<String> = Vec::new();
        for value in values {
            if !seen.contains(&value) {
                seen.push(value);
            }
        }
        seen.truncate(MOST_RUNS);
        seen
    };
    let day = |run: &Run| run.begun.split('T').next().unwrap_or_default().to_owned();
    let machine =
        |run: &Run| format!("{}, {}", run.processor, counted(run.cores as u64, "processor", "processors"));
    [
        ("Seed", distinct(runs().map(|run| run.seed.to_string()).collect())),
        ("Date", distinct(runs().map(day).collect())),
        ("Machine", distinct(runs().map(machine).collect())),
    ]
}

/// One build of an engine.
#[derive(Debug)]
pub struct BuildView {
    /// The engine's name in the tournament.
    pub engine: String,
    /// The id in records.
    pub id: String,
    /// The name that the engine reports.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its files.
    pub files: Vec<FileView>,
    /// The options that were set.
    pub options: String,
    /// The number of its matches.
    pub matches: String,
}

/// One file of a build.
#[derive(Debug)]
pub struct FileView {
    /// The file name without the path, because the page may be passed on to others.
    pub name: String,
    /// The first digits of its SHA-256.
    pub digits: String,
    /// All digits.
    pub sha256: String,
}

impl ProvenanceView {
    /// The builds and runs of `folders`, with the builds that `played` in each.
    pub fn new(folders: &[Folder], played: &[PlayedBuilds]) -> Self {
        let mut builds: Vec<_> = folders
            .iter()
            .zip(played)
            .flat_map(|(folder, played)| {
                let of_build = |build: &Build| (played.matches(&build.engine, &build.id), build.clone());
                folder.provenance.builds.iter().map(of_build).collect::<Vec<_>>()
            })
            .filter(|(n_matches, _)| 0 < *n_matches)
            .map(|(n_matches, build)| BuildView::new(build, n_matches))
            .collect();
        builds.sort_by(|one, other| one.engine.cmp(&other.engine));
        let all_runs =
            || folders.iter().flat_map(|folder| folder.provenance.runs.iter().map(move |run| (folder, run)));
        let is_one = folders.len() == 1;
        let in_words = |(folder, run): (&Folder, &Run)| {
            let prefix = if is_one { String::new() } else { format!("{}: ", folder.name) };
            let Run { begun, arena, processor, cores, seed, .. } = run;
            let cores = counted(*cores as u64, "processor", "processors");
            format!("{prefix}Run started {begun}: arena {arena}, {processor}, {cores}, seed {seed}")
        };
        Self {
            builds,
            runs: all_runs().take(MOST_RUNS).map(in_words).collect(),
            n_more_runs: all_runs().count().saturating_sub(MOST_RUNS),
        }
    }

    /// Whether there is nothing to show.
    pub const fn is_empty(&self) -> bool {
        self.builds.is_empty()
    }
}

impl BuildView {
    fn new(build: Build, n_matches: u64) -> Self {
        const NOTHING: &str = "\u{2013}";
        let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
        let file = |path: &str, sha256: Option<String>| {
            let sha256 = or_nothing(sha256);
            FileView {
                name: Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned(),
                digits: sha256.chars().take(SHOWN_DIGITS).collect(),
                sha256,
            }
        };
        let options: Vec<_> = build.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        Self {
            engine: build.engine,
            id: build.id,
            name: or_nothing(build.name),
            version: or_nothing(build.version),
            files: build.files.into_iter().map(|it| file(&it.path, it.sha256)).collect(),
            options: or_nothing(Some(options.join(", ")).filter(|text| !text.is_empty())),
            matches: count(n_matches),
        }
    }
}
