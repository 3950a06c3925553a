//! Engines that try things against the machine, as real processes: in a cage each attempt is denied and the tournament
//! goes on; outside of it the same attempt works, so that these tests can fail. Where the system cannot make a cage, a
//! test says so and passes.

#![cfg(target_os = "linux")]

use crate::common::tournament::{Ended, arena, printed, said};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::processes::Marker;
use crate::common::{copy_program, fake_engine};
use tempfile::TempDir;

/// A tournament of one pair between the engine under test, `caged`, and a good one.
struct Tournament {
    folder: TempDir,
    arena: PathBuf,
    /// Not root, if root runs the tests.
    user: Option<u32>,
}

const NOBODY: u32 = 65534;

impl Tournament {
    /// `mode` is what the engine does, `keys` what is said of it in the configuration.
    fn new(mode: &str, keys: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = toml::Value::from(fake_engine().to_str().unwrap());
        let tournament = Self { folder, arena: env!("CARGO_BIN_EXE_arena").into(), user: None };
        tournament.write_config(&engine, mode, keys);
        tournament
    }

    /// The same, run by a user who is not root whoever runs the tests: the kernel counts no processes of root.
    fn of_user(mode: &str, keys: &str) -> Self {
        let mut tournament = Self::new(mode, keys);
        if !rustix::process::geteuid().is_root() {
            return tournament;
        }
        // Programs where that user can run them, in a folder that he can write to.
        let folder = tournament.folder.path();
        for (name, from) in [("arena", &tournament.arena), ("engine", &fake_engine())] {
            copy_program(from, folder.join(name));
        }
        tournament.write_config(&toml::Value::from("./engine"), mode, keys);
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
        tournament.arena = folder.join("arena");
        tournament.user = Some(NOBODY);
        tournament
    }

    fn write_config(&self, engine: &toml::Value, mode: &str, keys: &str) {
        let config = format!(
            "[limits]\nmovetime = \"2s\"\nmargin = \"20s\"\nmax-plies = 8\n[tournament]\nconcurrency = 1\n\
             [[game]]\nid = \"push-push\"\n\
             [[engine]]\nname = \"good\"\ncommand = {engine}\nargs = [\"good\"]\n\
             [[engine]]\nname = \"caged\"\ncommand = {engine}\nargs = [\"{mode}\"]\n{keys}\n"
        );
        fs::write(self.path("cup.toml"), config).unwrap();
        fs::write(self.path("target.txt"), "whole").unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.arena);
        command.current_dir(self.folder.path()).args(["run", "cup.toml"]).stdin(Stdio::null());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command.env("CAGE_FILE", self.path("target.txt")).env("SECRET", "do not tell");
        command
    }

    /// Runs it; `None`, with the reason printed, if the system cannot make its cage.
    fn run(&self, environment: &[(&str, &str)]) -> Option<Output> {
        let output = self.command().envs(environment.iter().copied()).output().unwrap();
        if output.status.code() == Some(4) && said(&output).contains("cannot confine engine") {
            eprintln!("skipped: {}", said(&output));
            return None;
        }
        assert!(output.status.success(), "{}", said(&output));
        Some(output)
    }

    /// What the engine wrote to standard error.
    fn log(&self) -> String {
        fs::read_to_string(self.path("results/cup/logs/caged.stderr")).unwrap_or_default()
    }

    /// The engine wrote these words to standard error.
    #[track_caller]
    fn logs(&self, words: impl AsRef<str>) {
        assert!(self.log().contains(words.as_ref()), "no `{}`: {}", words.as_ref(), self.log());
    }

    /// The reason and the evidence of each match.
    fn ends(&self) -> Vec<(String, String)> {
        // A tournament that cannot begin leaves no matches.
        let lines = fs::read_to_string(self.path("results/cup/matches.jsonl")).unwrap_or_default();
        let records = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        records.map(|record: model::Record| (record.reason, record.evidence.unwrap_or_default())).collect()
    }

    fn assert_played(&self) {
        let ends = self.ends();
        assert!(!ends.is_empty());
        for (reason, evidence) in ends {
            assert_eq!(reason, "move-cap", "{evidence}");
        }
    }
}

const SANDBOX: &str =
    "cage = { sandbox = true, environment-allow = [\"PATH\", \"CAGE_FILE\", \"CAGE_PROCESS\"] }";

/// What engines attempt: the mode of the engine, what is allowed outside of a sandbox and denied inside, and what else it says
/// inside.
const ATTEMPTS: [(&str, &[&str], &[&str]); 10] = [
    // A socket in its own folder would harm nobody, but others have theirs elsewhere.
    ("cage-network", &["tcp", "udp"], &["unix: denied"]),
    (
        "cage-write",
        &["append", "create", "link", "mode", "rename"],
        &["time: denied", "remove: denied", "own: allowed", "home: allowed"],
    ),
    ("cage-read", &["read"], &[]),
    ("cage-kill", &["see", "environment", "kill"], &[]),
    // Outside, whether others may be traced is for the system to say; to be traced is always allowed.
    ("cage-trace", &["trace"], &["attach: denied"]),
    ("cage-watch", &["inotify"], &["fanotify: denied"]),
    ("cage-proc", &[], &["network: denied", "processes: denied"]),
    ("cage-processors", &["affinity"], &[]),
    ("cage-system", &["device", "proc"], &[]),
    (
        "cage-kernel-memory",
        &["large pipe", "vmsplice", "send buffer", "receive buffer", "ruleset", "timer"],
        &["queue: denied", "semaphores: denied", "messages: denied", "files: 25"],
    ),
];

/// Outside of a sandbox the engine says of each attempt that it is allowed, inside that it is denied. Either way it
/// plays its matches.
#[test]
fn what_is_allowed_outside_of_a_sandbox_is_denied_inside() {
    let basic = SANDBOX.replace("sandbox = true", "sandbox = \"basic\"");
    for (mode, attempts, inside) in ATTEMPTS {
        let victim = Victim::new();
        let id = victim.0.id().to_string();
        let play = |keys: &str| {
            let tournament = Tournament::new(mode, keys);
            tournament.run(&[("CAGE_PROCESS", &id)])?;
            tournament.assert_played();
            Some(tournament)
        };
        for keys in [SANDBOX, &basic] {
            let Some(caged) = play(keys) else { continue };
            // The tier for older systems prevents all but reading.
            let verdict = if keys == basic && mode == "cage-read" { "allowed" } else { "denied" };
            for attempt in attempts {
                caged.logs(format!("{attempt}: {verdict}"));
                assert_eq!(caged.log().contains(&format!("{attempt}: allowed")), verdict == "allowed");
            }
            for words in inside {
                caged.logs(words);
            }
            assert_eq!(fs::read_to_string(caged.path("target.txt")).unwrap(), "whole");
            for name in ["own.txt", "home.txt"] {
                let kept = fs::read_to_string(caged.path("results/cup/scratch/caged").join(name));
                assert!(mode != "cage-write" || kept.unwrap() == "kept");
            }
        }
        // At the end: what is allowed may be the end of the victim.
        let free = play("").unwrap();
        for attempt in attempts {
            free.logs(format!("{attempt}: allowed"));
        }
    }
}

#[test]
fn what_is_named_can_be_read_in_a_sandbox() {
    let named = SANDBOX.replace("true,", "true, readable = [\"target.txt\"],");
    let named = Tournament::new("cage-read", &named);
    if named.run(&[]).is_some() {
        named.logs("read: allowed");
    }
}

/// What the manual says that each tier prevents is what `arena sandbox` finds.
#[test]
fn the_sandbox_is_tried() {
    let output = arena(".", &["sandbox"]);
    let text = printed(&output);
    if text.contains("is not available") {
        eprintln!("skipped: {text}");
        return;
    }
    assert_attempts_are_denied(&output);
}

/// A container: the arena is its first process and root of it, and some mounts are hidden by others.
#[test]
fn the_sandbox_is_tried_in_a_container() {
    let folder = tempfile::tempdir().unwrap();
    let hidden = "mount -t tmpfs t . && cd \"$PWD\" && mkdir -p a/b && mount -t tmpfs t a/b && mount -t tmpfs t a && \
                  mkdir a/b && exec \"$0\" sandbox";
    let mut command = Command::new("unshare");
    command.args([
        "--user",
        "--map-root-user",
        "--mount",
        "--pid",
        "--fork",
        "--mount-proc",
        "sh",
        "-c",
        hidden,
    ]);
    command.arg(env!("CARGO_BIN_EXE_arena")).current_dir(folder.path());
    let Ok(output) = command.output() else {
        eprintln!("skipped: there is no program `unshare`");
        return;
    };
    let text = printed(&output);
    if !text.starts_with("attempt ") || text.contains("is not available") {
        eprintln!("skipped: {text}{}", said(&output));
        return;
    }
    assert_attempts_are_denied(&output);
}

fn assert_attempts_are_denied(output: &Output) {
    let text = printed(output);
    assert!(output.status.success(), "{}", said(output));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows[0].ends_with(&["none", "basic", "strict"]) && 10 < rows.len(), "{text}");
    let has_groups = text.contains(WHOLE);
    assert!(has_groups || text.contains(EACH), "{text}");
    for row in &rows[1..rows.len() - 1] {
        let expected = match row[..3] {
            ["read", "a", "file"] => ["allowed", "allowed", "denied"],
            // No matter of the sandbox.
            ["exceed", "`memory`", ..] if has_groups => ["denied"; 3],
            ["write", "to", "its"] | ["exceed", "`memory`", ..] => ["allowed"; 3],
            _ => ["allowed", "denied", "denied"],
        };
        assert!(row.ends_with(&expected), "{row:?}");
    }
}

/// What `arena sandbox` says of a system that lets the arena make control groups.
const WHOLE: &str = "\n`memory` limits the memory of an engine as a whole, ";
/// And of one that does not.
const EACH: &str =
    "\n`memory` limits the address space of each process of an engine, not the engine as a whole: ";

/// Whether the arena can make control groups. Not if other processes are in its own one, as under `cargo test`; the script
/// `.ci/kernel` runs these tests where it can.
fn has_groups() -> bool {
    let output = arena(".", &["sandbox"]);
    printed(&output).contains(WHOLE)
}

/// Processes that replace themselves as quickly as they can: each ends as the next one starts.
#[test]
fn processes_that_replace_themselves_do_not_fill_the_table_of_processes() {
    for keys in ["", "cage = { sandbox = true }", "cage = { sandbox = true, memory = \"4GiB\" }"] {
        let marker = Marker::new(&format!("cage-replaced-{}", keys.len()));
        let tournament = Tournament::new("cage-replaced", &format!("{}\n{keys}", marker.key()));
        let most = std::sync::atomic::AtomicUsize::new(0);
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let output = std::thread::scope(|scope| {
            use std::sync::atomic::Ordering::Relaxed;
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    most.fetch_max(n_zombies(), Relaxed);
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
            let output = tournament.run(&[]);
            is_over.store(true, Relaxed);
            output
        });
        if output.is_some() {
            tournament.assert_played();
            tournament.logs("replaced: allowed");
            assert!(!tournament.log().contains("replacing: denied"), "{}", tournament.log());
            let most = most.into_inner();
            assert!(most < 100, "{keys}: {most} zombies");
            marker.assert_all_gone(keys);
        }
    }
}

/// The processes of this name that have ended, but that nobody has waited for.
fn n_zombies() -> usize {
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("stat"));
    let stats = folders.map(|stat| fs::read_to_string(stat).unwrap_or_default());
    stats.filter(|stat| stat.contains("(fake-engine) Z ")).count()
}

/// A sandbox without `processes` has a limit, also for root and without control groups: above 256 and below 1000.
#[test]
fn a_sandbox_limits_processes_by_default() {
    let caged = Tournament::new("cage-many-forks", "cage = { sandbox = true }");
    if caged.run(&[]).is_some() {
        caged.assert_played();
        caged.logs("then denied");
    }
}

/// Processes that start themselves until their limit is reached. The verdict comes, and none is left.
#[test]
fn an_engine_that_starts_processes_without_end_loses_and_leaves_none() {
    for keys in [
        "cage = { sandbox = true }",
        "cage = { sandbox = \"basic\", processes = 40 }",
        "cage = { processes = 40 }",
    ] {
        let marker = Marker::new(&format!("cage-bomb-{}", keys.len()));
        let bomb = Tournament::of_user("move-bomb", &format!("{}\n{keys}", marker.key()));
        let config = fs::read_to_string(bomb.path("cup.toml")).unwrap();
        let config = config.replace("\"20s\"", "\"0s\"").replace("\"2s\"", "\"1s\"");
        fs::write(bomb.path("cup.toml"), config).unwrap();
        if bomb.run(&[]).is_some() {
            // On a busy machine, its opponent may be late as well.
            let ends = bomb.ends();
            assert_eq!(ends.len(), 2);
            assert!(ends.iter().all(|(reason, _)| reason == "time"), "{ends:?}");
            marker.assert_all_gone(keys);
        }
    }
}

/// Where the system divides the processors between sessions, an engine that has many takes them from the arena, which then gives
/// its verdict late.
#[test]
fn processes_that_are_limited_stay_in_the_session_of_their_engine() {
    let free = Tournament::of_user("cage-session", "");
    free.run(&[]).unwrap();
    free.logs("session: allowed");
    for keys in ["sandbox = true", "sandbox = \"basic\"", "processes = 40"] {
        let caged = Tournament::of_user("cage-session", &format!("cage = {{ {keys} }}"));
        if caged.run(&[]).is_some() {
            caged.assert_played();
            caged.logs("session: denied");
        }
    }
}

/// A library that says in which program it is loaded, on standard error and in a file.
const LIBRARY: &str = r#"
#include <fcntl.h>
#include <unistd.h>
unsigned la_version(unsigned version) { return version; }
__attribute__((constructor)) static void loaded(void) {
    char line[4096];
    int command = open("/proc/self/cmdline", O_RDONLY);
    int n = read(command, line, sizeof line - 1);
    close(command);
    for (int idx = 0; idx < n; idx++) if (line[idx] == 0) line[idx] = ' ';
    if (n < 0) n = 0;
    line[n++] = '\n';
    int file = open(PLACE, O_WRONLY | O_CREAT | O_APPEND, 0644);
    write(file, line, n);
    close(file);
    write(2, "library: ", 9);
    write(2, line, n);
}
"#;

/// The environment of an engine is that of the engine alone: the arena's supervisor and launcher are outside of the sandbox.
#[test]
fn what_an_engine_preloads_is_loaded_in_the_engine_only() {
    for (variable, keys) in [
        ("LD_PRELOAD", ""),
        ("LD_AUDIT", ""),
        ("LD_PRELOAD", "cage = { sandbox = true, readable = [\"evil.so\"] }"),
        ("LD_AUDIT", "cage = { sandbox = \"basic\" }"),
    ] {
        let tournament = Tournament::new("good", "");
        let [library, place] = ["evil.so", "loaded.txt"].map(|name| tournament.path(name));
        fs::write(tournament.path("evil.c"), LIBRARY).unwrap();
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(tournament.path("evil.c"))
            .arg(format!("-DPLACE=\"{}\"", place.display()))
            .status();
        assert!(built.is_ok_and(|status| status.success()), "there is no C compiler");
        let environment =
            format!("environment = {{ {variable} = {} }}", toml::Value::from(library.to_str().unwrap()));
        let engine = toml::Value::from(fake_engine().to_str().unwrap());
        tournament.write_config(&engine, "good", &format!("{environment}\n{keys}"));
        if tournament.run(&[]).is_none() {
            continue;
        }
        tournament.assert_played();
        let log = tournament.log();
        assert!(log.contains("library: "), "{variable} {keys}: it is not loaded at all: {log}");
        let outside = fs::read_to_string(&place).unwrap_or_default();
        assert!(!log.contains("__launch") && !outside.contains("__launch"), "{variable}: {log}{outside}");
        // In a sandbox, it cannot even write the file.
        assert_eq!(outside.is_empty(), !keys.is_empty(), "{variable} {keys}: {outside}");
    }
}

/// A sandboxed engine writes to its own folder only, even if somebody put a link there.
#[test]
fn links_in_the_place_of_folders_and_logs_are_not_followed() {
    let caged = Tournament::new("cage-write", SANDBOX);
    fs::create_dir_all(caged.path("results/cup/logs")).unwrap();
    fs::create_dir_all(caged.path("results/cup/scratch")).unwrap();
    fs::create_dir(caged.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(caged.path("log.txt"), caged.path("results/cup/logs/caged.stderr")).unwrap();
    std::os::unix::fs::symlink(caged.path("elsewhere"), caged.path("results/cup/scratch/caged")).unwrap();
    caged.command().output().unwrap().fails(4).says("scratch/caged` is a symbolic link; remove it");
    fs::remove_file(caged.path("results/cup/scratch/caged")).unwrap();
    if caged.run(&[]).is_some() {
        assert!(!caged.path("log.txt").exists());
        assert_eq!(fs::read_dir(caged.path("elsewhere")).unwrap().count(), 0);
    }
}

/// A process for others to kill.
struct Victim(Child);

impl Victim {
    fn new() -> Self {
        Self(Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_engine_that_eats_memory_loses() {
    let free = Tournament::new("cage-memory", "");
    free.run(&[]).unwrap();
    free.assert_played();
    free.logs("memory: allowed, 300 MiB");
    for keys in ["cage = { memory = \"200MiB\" }", "cage = { memory = \"200MiB\", sandbox = true }"] {
        let caged = Tournament::new("cage-memory", keys);
        if caged.run(&[]).is_none() {
            continue;
        }
        let ends = caged.ends();
        assert_eq!(ends.len(), 2);
        for (reason, evidence) in ends {
            assert_eq!(reason, "crash");
            for words in
                ["(SIGABRT)", "confined to 200MiB of memory", "memory allocation of 1048576 bytes failed"]
            {
                assert!(evidence.contains(words), "{evidence}");
            }
        }
    }
}

#[test]
fn a_control_group_limits_all_processes_of_an_engine_together() {
    let has_groups = has_groups();
    for keys in ["cage = { memory = \"256MiB\" }", "cage = { memory = \"256MiB\", sandbox = \"basic\" }"] {
        let caged = Tournament::new("cage-memory-of-all", keys);
        if caged.run(&[]).is_none() {
            continue;
        }
        if !has_groups {
            caged.assert_played();
            caged.logs("memory of all: allowed, 3 parts");
            continue;
        }
        let ends = caged.ends();
        assert_eq!(ends.len(), 2);
        for (reason, evidence) in ends {
            assert_eq!(reason, "crash");
            assert!(evidence.contains("confined to 256MiB of memory"), "{evidence}");
        }
        let left = fs::read_dir("/sys/fs/cgroup").unwrap().flatten().map(|entry| entry.file_name());
        let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("engine-")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn an_engine_that_uses_its_processor_time_loses() {
    let caged = Tournament::new("move-burn", "cage = { cpu-time = \"500ms\" }");
    if caged.run(&[]).is_none() {
        return;
    }
    let ends = caged.ends();
    assert_eq!(ends.len(), 2);
    for (reason, evidence) in ends {
        assert_eq!(reason, "crash", "{evidence}");
        assert!(evidence.contains("(SIGXCPU)"), "{evidence}");
        assert!(evidence.contains("confined to 1 s of processor time"), "{evidence}");
    }
}

#[test]
fn processes_are_bounded() {
    let free = Tournament::of_user("cage-forks", "");
    free.run(&[]).unwrap();
    free.logs("forks: 40 allowed");
    for sandbox in ["", ", sandbox = true"] {
        let caged = Tournament::of_user("cage-forks", &format!("cage = {{ processes = 9{sandbox} }}"));
        if caged.run(&[]).is_some() {
            caged.assert_played();
            // The engine is one of them.
            caged.logs("forks: 8 then denied");
        }
    }
}

#[test]
fn processes_of_root_are_bounded_by_control_groups_alone() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: not root");
        return;
    }
    if has_groups() {
        for sandbox in ["", ", sandbox = \"basic\""] {
            let caged = Tournament::new("cage-forks", &format!("cage = {{ processes = 9{sandbox} }}"));
            caged.run(&[]).unwrap();
            caged.assert_played();
            caged.logs("forks: 8 then denied");
        }
        return;
    }
    let caged = Tournament::new("good", "cage = { processes = 9 }");
    caged.command().output().unwrap().fails(4).says("run the arena as another user");
}

#[test]
fn open_files_are_bounded() {
    let free = Tournament::new("cage-files", "");
    free.run(&[]).unwrap();
    assert!(!free.log().contains("files: 13"), "{}", free.log());
    // The arena may have more than it was given, an engine may not.
    let given = Tournament::new("cage-files", "");
    let script = "ulimit -Sn 40; exec \"$0\" run cup.toml";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(&given.arena).current_dir(given.folder.path());
    assert!(command.status().unwrap().success());
    given.logs("files: 37");
    let caged = Tournament::new("cage-files", "cage = { open-files = 16 }");
    // A file that the arena was started with is not handed on to engines.
    Command::new("sh")
        .args(["-c", "exec 7<target.txt; exec \"$0\" run cup.toml"])
        .arg(&caged.arena)
        .current_dir(caged.folder.path())
        .output()
        .unwrap()
        .succeeds();
    caged.assert_played();
    caged.logs("files: 13");
}

#[test]
fn the_environment_is_what_is_allowed() {
    let names = |tournament: &Tournament| -> Vec<String> {
        let log = tournament.log();
        let line = log.lines().find_map(|line| line.strip_prefix("environment: ")).unwrap();
        let mut names: Vec<String> = line.split(' ').map(str::to_owned).collect();
        names.sort();
        names
    };
    let free = Tournament::new("cage-environment", "environment = { OWN = \"1\" }");
    free.run(&[]).unwrap();
    assert!(names(&free).contains(&"SECRET".to_owned()));
    let allowed = Tournament::new(
        "cage-environment",
        "environment = { OWN = \"1\" }\ncage = { environment-allow = [\"CAGE_FILE\", \"UNSET\"] }",
    );
    allowed.run(&[]).unwrap();
    assert_eq!(names(&allowed), ["CAGE_FILE", "OWN"]);
    let sandbox = Tournament::new("cage-environment", "cage = { sandbox = true }");
    if sandbox.run(&[("LANG", "C")]).is_some() {
        assert_eq!(names(&sandbox), ["HOME", "LANG", "PATH", "TMPDIR"]);
    }
}

#[test]
fn the_signal_that_ends_an_engine_is_told() {
    for keys in ["", "cage = { sandbox = true }"] {
        let tournament = Tournament::new("move-segfault", keys);
        if tournament.run(&[]).is_some() {
            for (reason, evidence) in tournament.ends() {
                assert_eq!(reason, "crash");
                assert!(evidence.contains("signal: 11 (SIGSEGV)"), "{evidence}");
            }
        }
    }
}

#[test]
fn processors_and_urgency() {
    // A processor that this test may use.
    let set = rustix::thread::sched_getaffinity(None).unwrap();
    let cpu = (0..rustix::thread::CpuSet::MAX_CPU).find(|&cpu| set.is_set(cpu)).unwrap();
    let caged =
        Tournament::new("cage-scheduling", &format!("cage = {{ cpu-affinity = [{cpu}], nice = 19 }}"));
    caged.run(&[]).unwrap();
    caged.logs(format!("cpus {cpu} nice 19"));

    let wrong = Tournament::new("good", "cage = { cpu-affinity = [1000] }");
    wrong.command().output().unwrap().fails(4).says("cannot confine engine `caged`: `cpu-affinity = [1000]`");
}

#[test]
fn nothing_is_left_even_in_another_session() {
    for keys in ["", SANDBOX] {
        let marker = Marker::new(&format!("cage-detach-{}", keys.len()));
        let tournament = Tournament::new("cage-detach", &format!("{}\n{keys}", marker.key()));
        if tournament.run(&[]).is_some() {
            tournament.assert_played();
            tournament.logs("detach: allowed");
            marker.assert_all_gone(keys);
        }
    }
}

#[test]
fn no_engine_outlives_an_arena_that_is_killed() {
    for (mode, keys, n_processes) in [
        ("move-hang", "", 1),
        ("move-hang", SANDBOX, 2),
        // A hanging arena's engines, and what has left their session.
        ("cage-detach", "", 3),
        ("cage-detach", SANDBOX, 3),
    ] {
        let marker = Marker::new(&format!("cage-killed-{mode}-{n_processes}"));
        let cup = Tournament::new(mode, &format!("{}\n{keys}", marker.key()));
        // Long enough for the kill to come in mid-match.
        let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
        let config =
            config.replace("args = [\"good\"]", "args = [\"move-hang\"]").replace("\"2s\"", "\"60s\"");
        fs::write(cup.path("cup.toml"), config).unwrap();
        let mut arena = cup.command().stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        let mut is_skipped = false;
        while !cup.path("results/cup/tournament.toml").exists() || marker.processes().len() < n_processes {
            if arena.try_wait().unwrap().is_some() {
                is_skipped = true;
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "{mode}: the match does not begin");
            std::thread::sleep(Duration::from_millis(20));
        }
        if is_skipped {
            let output = arena.wait_with_output().unwrap().says("cannot confine engine");
            eprintln!("skipped: {}", said(&output));
            continue;
        }
        std::thread::sleep(Duration::from_millis(300));
        arena.kill().unwrap();
        arena.wait().unwrap();
        marker.assert_all_gone(keys);
    }
}

#[test]
fn a_system_without_the_means_is_told_before_the_first_match() {
    let caged = Tournament::new("good", "cage = { sandbox = true }");
    // In a user namespace that may have no further ones the kernel refuses to make a sandbox.
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c"])
        .arg("echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" run cup.toml")
        .arg(&caged.arena)
        .current_dir(caged.folder.path())
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no program `unshare`");
        return;
    };
    if !said(&output).contains("arena") && !said(&output).contains("engine") {
        eprintln!("skipped: {}", said(&output));
        return;
    }
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    let words = "cannot confine engine `caged`: `sandbox` needs user namespaces, but the system refuses them";
    output.says(words);
    assert_eq!(caged.ends(), []);
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let wrong = Tournament::new(
        "good",
        "cage = { sandbox = true, readable = [\"no/such/folder\"], memory = \"1 GB\" }",
    );
    wrong.command().output().unwrap().fails(3).says("`1 GB` is not an amount of memory");
}
