//! The builds of the engines: their files are read while the engines start, and checked for changes while they play.
//! The caller decides what a change means.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::SystemTime;

use host::machine::usable_cores;
use model::Record;
use model::{Build, BuildFile, IdLines, Run};
use opponent::{Contender, Content, ProgramFile, program_files, read_contents};

/// The files of all engines, read by a separate thread.
#[derive(Debug)]
pub struct Reading {
    /// For each contender.
    files: Vec<Vec<ProgramFile>>,
    contents: Contents,
}

/// The contents of the files, by path.
#[derive(Debug)]
enum Contents {
    Coming(JoinHandle<HashMap<PathBuf, Content>>),
    Known(HashMap<PathBuf, Content>),
}

impl Reading {
    /// Starts to read the files of all engines, each once.
    pub fn begin(contenders: &[Contender]) -> Self {
        let files: Vec<_> = contenders
            .iter()
            .map(|contender| program_files(&contender.engine.command, &contender.spawn))
            .collect();
        let paths: Vec<PathBuf> = files.iter().flatten().map(|file| file.path.clone()).collect();
        let read = move || read_contents(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>());
        let contents = match std::thread::Builder::new().name("builds".to_owned()).spawn(read.clone()) {
            Ok(thread) => Contents::Coming(thread),
            // The system allows no more threads.
            Err(_) => Contents::Known(read()),
        };
        Self { files, contents }
    }

    /// The builds of the engines that started: those with a greeting here, by contender.
    ///
    /// # Panics
    /// If the reading thread panicked.
    pub fn finish(self, contenders: &[Contender], ids: Vec<Option<IdLines>>) -> Builds {
        let contents = match self.contents {
            Contents::Known(contents) => contents,
            Contents::Coming(thread) => {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
        };
        let mut found = Builds::default();
        for ((contender, files), id) in contenders.iter().zip(self.files).zip(ids) {
            let Some(id) = id else { continue };
            let build_file = |file: &ProgramFile| BuildFile {
                path: file.name.clone(),
                sha256: contents.get(&file.path).map(|content| content.sha256.clone()),
            };
            let files_of_build = files.iter().map(build_file).collect();
            let build = Build::new(contender.name(), id, files_of_build, contender.engine.options.clone());
            let with_content = |file: ProgramFile| Some((contents.get(&file.path)?.clone(), file));
            let files = files.into_iter().filter_map(with_content).collect();
            let watched = Watched { id: build.id.clone(), files, is_replaced: false };
            found.watched.insert(contender.engine.name.clone(), watched);
            found.all.push(build);
        }
        found
    }
}

/// The builds of the engines that started.
#[derive(Debug, Default)]
pub struct Builds {
    all: Vec<Build>,
    /// By the engine's name.
    watched: BTreeMap<String, Watched>,
}

#[derive(Debug)]
struct Watched {
    id: String,
    files: Vec<(Content, ProgramFile)>,
    /// Whether a file has changed, so that the build of a new process is not known.
    is_replaced: bool,
}

impl Builds {
    /// The ids of the builds, by engine name.
    pub fn ids(&self) -> BTreeMap<String, String> {
        self.all.iter().map(|build| (build.engine.clone(), build.id.clone())).collect()
    }

    /// All builds.
    pub fn all(&self) -> &[Build] {
        &self.all
    }

    /// The same with another name of the only engine.
    pub(super) fn named(self, name: &str) -> Self {
        let all = self.all.into_iter().map(|build| Build { engine: name.to_owned(), ..build }).collect();
        let watched = self.watched.into_values().map(|watched| (name.to_owned(), watched)).collect();
        Self { all, watched }
    }

    /// Whether a file of an engine was replaced, changed or removed since it was read.
    pub fn have_changed(&self) -> bool {
        let mut files = self.watched.values().flat_map(|watched| &watched.files);
        files.any(|(content, file)| content.has_changed(&file.path))
    }

    /// The current run with its machine.
    pub fn run(&self, seed: u64) -> Run {
        Run {
            begun: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            processor: processor(),
            cores: usable_cores(),
            seed,
            builds: self.ids(),
        }
    }

    /// Sets the builds in the record of a match. Returns a warning, once for each engine whose files were replaced:
    /// its further matches have no known build.
    pub fn note(&mut self, record: &mut Record) -> Vec<String> {
        let mut warnings = Vec::new();
        for (name, build) in
            [(&record.white, &mut record.white_build), (&record.black, &mut record.black_build)]
        {
            let Some(watched) = self.watched.get_mut(name) else { continue };
            warnings.extend(watched.look(name));
            *build = (!watched.is_replaced).then(|| watched.id.clone());
        }
        warnings
    }
}

impl Watched {
    fn look(&mut self, engine: &str) -> Option<String> {
        if self.is_replaced {
            return None;
        }
        let (_, file) = self.files.iter().find(|(content, file)| content.has_changed(&file.path))?;
        self.is_replaced = true;
        Some(format!(
            "`{}`, a file of engine `{engine}`, changed during the tournament; from now on its matches are recorded \
             without a build; to play with the new file, stop and run the same command again",
            file.name
        ))
    }
}

/// The model of this machine's processor, or its architecture.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        text.lines().filter_map(|line| line.split_once(':')).find(|(key, _)| key.trim() == "model name");
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, model)| model.trim().to_owned())
}
