//! Engines that are built from a Git repository: fetched by the program `git`, without hooks, submodules and links, and
//! built in the sandbox of engines. The result is a folder of programs in the league.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use host::executable;
use host::files::sync_folder;
use host::launch::{Confinement, arguments, carried, rehearse};
use model::{Cage, Size, Tier, hex};

use crate::error::Error;
use crate::manifest::is_name;
use crate::place::{INCOMING, PROGRAMS, make_executable};

/// The interval between two looks at what runs.
const PAUSE: Duration = Duration::from_millis(50);
/// The looks from one measurement of the folder to the next.
const LOOKS: u32 = 10;
/// The hexadecimal digits of a hash in the name of a folder.
const HASH_DIGITS: usize = 32;
/// The open files of each process of a build.
const OPEN_FILES: u32 = 1024;
/// What a file takes at least, so that empty ones count.
const SMALLEST: u64 = 4096;
/// The end of an output that an error shows, in bytes.
const SHOWN: u64 = 2000;
/// Variables of the environment that `git` may need to reach a server.
const OF_NETWORK: [&str; 8] = [
    "PATH",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Settings for repositories of strangers. A link could lead out of the folder: it becomes a file with its target.
const SAFELY: &str = "-c core.hooksPath=/dev/null -c core.symlinks=false -c core.fsmonitor=false \
                      -c transfer.fsckObjects=true -c gc.auto=0";
/// What fetches one commit.
const FETCH: &str = "fetch --quiet --depth=1 --no-tags --no-recurse-submodules --";

/// What a league allows to engines from Git repositories.
#[derive(Clone, Debug)]
pub struct GitRules {
    /// The program of the arena, which makes the sandbox: `host::launch::launcher()`.
    pub launcher: PathBuf,
    /// The protocols, as `GIT_ALLOW_PROTOCOL` has them.
    pub protocols: String,
    /// The bytes of the source code, and of all that a build makes.
    pub size: u64,
    /// How long fetching and building may take, each.
    pub time: Duration,
    /// The memory of each process of a build, in bytes.
    pub memory: u64,
    /// What a build may read in addition, such as a compiler in a home folder.
    pub readable: Vec<PathBuf>,
    /// When it is set, what runs is ended.
    pub stop: Arc<AtomicBool>,
}

impl GitRules {
    /// The usual rules.
    pub fn new(launcher: PathBuf) -> Self {
        Self {
            launcher,
            protocols: "https:http:git".to_owned(),
            size: 1 << 30,
            time: Duration::from_secs(900),
            memory: 4 << 30,
            readable: Vec::new(),
            stop: Arc::default(),
        }
    }
}

/// The keys of an engine's file that name a program in a Git repository.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct GitReference {
    /// The name of the engine.
    pub name: String,
    /// The address of the repository.
    #[serde(rename = "git")]
    pub url: String,
    /// A branch, a tag or a complete commit.
    pub rev: String,
    /// The command that builds the program in the folder of the source code; empty for none.
    #[serde(default)]
    pub build: Vec<String>,
    /// Whether the build may use the network.
    #[serde(default)]
    pub network: bool,
    /// The program that comes out, which need not be marked as one.
    pub command: Option<String>,
}

/// The program of an engine from a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitProgram {
    /// Its folder.
    pub folder: PathBuf,
    /// The hash in the name of the folder: of the address, the commit and the build command.
    pub hash: String,
}

impl GitReference {
    /// Reads the table of an engine's file; `None` if it names no repository.
    ///
    /// # Errors
    /// What is wrong with a key.
    pub fn read(table: &toml::Table, rules: &GitRules) -> Result<Option<Self>, Error> {
        if !table.contains_key("git") {
            return Ok(None);
        }
        let mut table = table.clone();
        if let Some(toml::Value::String(line)) = table.get("build") {
            let command = ["sh", "-c", line].map(toml::Value::from).to_vec();
            table.insert("build".to_owned(), command.into());
        }
        let reference: Self =
            table.try_into().map_err(|error| Error::Engine(error.to_string().trim_end().to_owned()))?;
        reference.check(rules).map_err(Error::Engine)?;
        Ok(Some(reference))
    }

    /// The same table with the program that came out of the repository, which an ordinary engine of the league has.
    pub fn without_repository(&self, mut table: toml::Table, program: &GitProgram) -> toml::Table {
        for key in ["git", "rev", "build", "network"] {
            table.remove(key);
        }
        let text = |path: &Path| toml::Value::from(path.to_string_lossy().into_owned());
        if let Some(command) = &self.command {
            table.insert("command".to_owned(), text(&program.folder.join(command)));
        }
        table.insert("directory".to_owned(), text(&program.folder));
        table.insert("submitted".to_owned(), true.into());
        table
    }

    fn check(&self, rules: &GitRules) -> Result<(), String> {
        let Self { name, url, rev, .. } = self;
        if !is_name(name) {
            return Err(format!("`{name}` cannot be the name of an engine"));
        }
        let scheme = url.split_once("://").map(|(scheme, _)| scheme);
        if !scheme.is_some_and(|scheme| rules.protocols.split(':').any(|allowed| allowed == scheme)) {
            let allowed = rules.protocols.replace(':', ", ");
            return Err(format!("`git = \"{url}\"`: the address must have one of the protocols {allowed}"));
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./+".contains(c);
        if rev.is_empty() || rev.starts_with(['-', '+']) || !rev.chars().all(is_plain) {
            return Err(format!("`rev = \"{rev}\"`: name a branch, a tag or a complete commit"));
        }
        Ok(())
    }

    /// The program of this reference in the folder of a league: fetched and built if it is not there yet.
    ///
    /// # Errors
    /// If it cannot be fetched or built, or the sandbox is not available. Nothing is left then.
    pub fn program(&self, league: &Path, rules: &GitRules) -> Result<GitProgram, Error> {
        let programs = std::path::absolute(league).map_err(Error::at(league))?.join(PROGRAMS);
        let of_name = programs.join(&self.name);
        let known = |commit: &str| {
            let hash = self.hash(commit);
            GitProgram { folder: of_name.join(&hash), hash }
        };
        let program = known(&self.rev);
        if is_commit(&self.rev) && program.folder.is_dir() {
            return Ok(program);
        }
        fs::create_dir_all(&of_name).map_err(Error::at(&of_name))?;
        let folder =
            tempfile::Builder::new().prefix(INCOMING).tempdir_in(&programs).map_err(Error::at(&programs))?;
        let [scratch, home] = ["work", "work/home"].map(|name| folder.path().join(name));
        for path in [&scratch, &home] {
            fs::create_dir(path).map_err(Error::at(path))?;
        }
        let source = scratch.join("source");
        let commit = self.fetch(&source, folder.path(), rules)?;
        let program = known(&commit);
        if program.folder.is_dir() {
            return Ok(program);
        }
        if !self.build.is_empty() {
            self.build(&scratch, &source, folder.path(), rules)?;
        }
        self.finish(&source)?;
        fs::rename(&source, &program.folder)
            .and_then(|()| sync_folder(&of_name))
            .map_err(Error::at(&program.folder))?;
        Ok(program)
    }

    fn hash(&self, commit: &str) -> String {
        let text = format!("{}\n{commit}\n{}", self.url, self.build.join("\0"));
        hex(&Sha256::digest(text))[..HASH_DIGITS].to_owned()
    }

    /// Fetches the one commit, and returns its hash. No program of the repository runs.
    fn fetch(&self, source: &Path, folder: &Path, rules: &GitRules) -> Result<String, Error> {
        let failed = |why: String| Error::Engine(format!("cannot fetch `{}`: {why}", self.url));
        let log = folder.join("log");
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            command.env_clear().current_dir(source).env("HOME", folder);
            command.envs(OF_NETWORK.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
            command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
            command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_ALLOW_PROTOCOL", &rules.protocols);
            command.args(SAFELY.split(' '));
            command.args(args);
            let status = run(command, &log, folder, rules).map_err(|why| match why {
                Stop::Start(error) => failed(format!("cannot start the program `git`: {error}")),
                Stop::Limit(why) => failed(why),
            })?;
            let said = end_of(&log);
            if status.success() { Ok(said) } else { Err(failed(said)) }
        };
        fs::create_dir(source).map_err(Error::at(source))?;
        git(&["init", "--quiet", "--template="])?;
        git(&FETCH.split(' ').chain([self.url.as_str(), &self.rev]).collect::<Vec<_>>())?;
        git(&["checkout", "--quiet", "--detach", "FETCH_HEAD"])?;
        let commit = git(&["rev-parse", "HEAD"])?;
        let store = source.join(".git");
        fs::remove_dir_all(&store).map_err(Error::at(&store))?;
        if is_commit(&commit) { Ok(commit) } else { Err(failed(format!("`{commit}` is no commit"))) }
    }

    /// Runs the build command as if it were an engine that may write in its folder.
    fn build(&self, scratch: &Path, source: &Path, folder: &Path, rules: &GitRules) -> Result<(), Error> {
        let cage = Cage {
            sandbox: Some(Tier::Strict),
            memory: Some(Size { bytes: rules.memory }),
            cpu_time: Some(rules.time),
            open_files: Some(OPEN_FILES),
            readable: rules.readable.clone(),
            ..Cage::default()
        };
        let mut confinement = Confinement::new(&cage, scratch, None);
        confinement.sandbox.iter_mut().for_each(|sandbox| sandbox.network = self.network);
        rehearse(&confinement, &rules.launcher).map_err(|refusal| Error::Sandbox(refusal.reason))?;
        let failed = |why: String| {
            Error::Engine(format!("the build command `{}` failed: {why}", self.build.join(" ")))
        };
        let (name, args) = self.build.split_first().expect("the caller has looked");
        let program = Path::new(name);
        let program =
            if program.components().count() > 1 { source.join(program) } else { program.to_owned() };
        let program =
            executable::find(&program).map_err(|_| failed("there is no such program".to_owned()))?;
        let mut command = Command::new(&rules.launcher);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut command, "arena");
        command.args(arguments(&confinement, &program).map_err(Error::Sandbox)?).args(args);
        let home = scratch.join("home").into_os_string();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let variables: [(&str, OsString); 4] =
            [("HOME", home.clone()), ("TMPDIR", home), ("PATH", path), ("LANG", "C.UTF-8".into())];
        command.env_clear().envs(variables.map(|(name, value)| (carried(name.as_ref()), value)));
        command.current_dir(source);
        let log = folder.join("log");
        let status = run(command, &log, folder, rules).map_err(|why| match why {
            Stop::Start(error) => failed(error.to_string()),
            Stop::Limit(why) => failed(why),
        })?;
        if status.success() { Ok(()) } else { Err(failed(format!("{status}\n{}", end_of(&log)))) }
    }

    /// The sandbox does not let a build mark its program as one.
    fn finish(&self, source: &Path) -> Result<(), Error> {
        let Some(command) = &self.command else { return Ok(()) };
        let path = source.join(command);
        let (Ok(inside), Ok(around)) = (path.canonicalize(), source.canonicalize()) else {
            // A program on `PATH`.
            return if command.contains('/') {
                Err(Error::Engine(format!("there is no file `{command}`, which `command` names")))
            } else {
                Ok(())
            };
        };
        if !inside.starts_with(&around) || !inside.is_file() {
            return Err(Error::Engine(format!("`{command}` is no file in the folder of the repository")));
        }
        make_executable(&inside).map_err(Error::at(&inside))
    }
}

fn is_commit(text: &str) -> bool {
    [40, 64].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Why a program did not end by itself.
enum Stop {
    Start(io::Error),
    Limit(String),
}

/// Runs a program with its output in the file `log`. It is killed if it takes too long, or `folder` grows too large.
fn run(mut command: Command, log: &Path, folder: &Path, rules: &GitRules) -> Result<ExitStatus, Stop> {
    let output = File::create(log).map_err(Stop::Start)?;
    let errors = output.try_clone().map_err(Stop::Start)?;
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child = Killed(command.spawn().map_err(Stop::Start)?);
    let begun = Instant::now();
    for look in 1.. {
        let status = child.0.try_wait().map_err(Stop::Start)?;
        if (status.is_some() || look % LOOKS == 0) && rules.size < size_of(folder) {
            return Err(Stop::Limit(format!("it has more than {}", Size { bytes: rules.size })));
        }
        if let Some(status) = status {
            return Ok(status);
        }
        if rules.stop.load(Ordering::Relaxed) {
            return Err(Stop::Limit("the league ended".to_owned()));
        }
        if rules.time < begun.elapsed() {
            break;
        }
        sleep(PAUSE);
    }
    Err(Stop::Limit(format!("it took longer than {} s", rules.time.as_secs())))
}

/// A process that ends with this. With the supervisor of a build, the kernel ends all processes of the build.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => SMALLEST + size_of(&entry.path()),
        Ok(metadata) => host::files::bytes_on_disk(&metadata).max(SMALLEST),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

fn end_of(log: &Path) -> String {
    let mut said = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(length.saturating_sub(SHOWN)))?;
        file.take(SHOWN).read_to_end(&mut said)
    });
    read.map_or_else(|error| error.to_string(), |_| String::from_utf8_lossy(&said).trim().to_owned())
}
