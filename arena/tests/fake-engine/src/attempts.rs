//! What an engine may try against the machine that it runs on. Each attempt is made once, what came of it goes to
//! standard error as `<attempt>: allowed` or `<attempt>: denied: <why>`, and the engine goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IoSlice, Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use landlock::{AccessFs, CompatLevel, Compatible, RulesetAttr};
use nix::fcntl::{FcntlArg, SpliceFFlags, fcntl, vmsplice};
use nix::mqueue::{MQ_OFlag, mq_open};
use nix::sys::fanotify::{self, EventFFlags, Fanotify};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use nix::sys::ptrace;
use nix::sys::signal::{SigEvent, SigevNotify};
use nix::sys::stat::Mode;
use nix::sys::timer::Timer;
use nix::sys::wait::waitpid;
use nix::time::ClockId;
use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};
use rustix::process::{Pid, Signal, getpriority_process, kill_process, setsid, test_kill_process};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Makes the attempt of that name.
pub fn attempt(name: &str) {
    match name {
        "network" => {
            tell("tcp", TcpListener::bind("127.0.0.1:0"));
            tell("udp", UdpSocket::bind("127.0.0.1:0"));
            tell("unix", UnixListener::bind("fake-engine.socket"));
        }
        "write" => write(),
        "read" => tell("read", fs::read(target_file())),
        "kill" => {
            let target = target_process();
            tell("see", test_kill_process(target));
            tell("environment", fs::read(format!("/proc/{}/environ", target.as_raw_pid())));
            tell("kill", kill_process(target, Signal::TERM));
        }
        "trace" => {
            let target = nix::unistd::Pid::from_raw(target_process().as_raw_pid());
            // Detaching takes a process that has stopped. Not waited for, its stop would be told to us once we are traced
            // ourselves, and stop us too.
            tell(
                "attach",
                ptrace::attach(target).and_then(|()| {
                    waitpid(target, None)?;
                    ptrace::detach(target, None)
                }),
            );
            tell("trace", ptrace::traceme());
        }
        "watch" => {
            let folder = PathBuf::from("/root");
            let watch = |inotify: Inotify| inotify.add_watch(&folder, AddWatchFlags::IN_CREATE);
            tell("inotify", Inotify::init(InitFlags::empty()).and_then(watch));
            let flags = fanotify::InitFlags::FAN_CLASS_NOTIF;
            tell("fanotify", Fanotify::init(flags, EventFFlags::O_RDONLY));
        }
        "proc" => {
            tell("network", others_network());
            tell("processes", others_process());
        }
        "processors" => {
            let all = CpuSet::new();
            let set = sched_getaffinity(None).unwrap_or(all);
            tell("affinity", sched_setaffinity(None, &set));
        }
        "system" => {
            // Opened, not written to.
            let open = |path| OpenOptions::new().write(true).open(path);
            tell("device", open("/dev/ptmx"));
            tell("proc", open("/proc/self/comm"));
        }
        "kernel-memory" => kernel_memory(),
        "memory" => eat_memory(),
        "memory-of-all" => eat_memory_together(),
        "memory-part" => {
            let part = std::hint::black_box(vec![1_u8; 100 << 20]);
            super::say(&part.len().to_string());
            let _ = std::io::stdin().read_line(&mut String::new());
            std::process::exit(0);
        }
        "forks" => fork(),
        "replaced" => {
            let mut first = Command::new(std::env::current_exe().expect("this program"));
            first.arg("cage-replacing").stdin(Stdio::null()).stdout(Stdio::null());
            tell("replaced", first.spawn());
            // Its successors end while the matches are played.
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        "replacing" => replace(),
        "session" => {
            // Not this process, which may lead a group already.
            let this = std::env::current_exe().expect("this program");
            let mut child = Command::new(this);
            child.arg("cage-own-session").stdin(Stdio::null()).stdout(Stdio::null());
            child.status().expect("this program runs");
        }
        "own-session" => {
            tell("session", setsid());
            std::process::exit(0);
        }
        "bomb" => bomb(),
        "many-forks" => many_forks(),
        "files" => open_files(),
        "environment" => {
            let names: Vec<_> =
                std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
            eprintln!("environment: {}", names.join(" "));
        }
        "scheduling" => {
            let status = fs::read_to_string("/proc/self/status").expect("there is /proc");
            let cpus = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            let nice = getpriority_process(None).expect("one's own niceness can be read");
            // In one write: other processes of this engine write to the same log.
            let line = format!("scheduling: cpus {} nice {nice}\n", cpus.unwrap_or_default().trim());
            let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
        }
        "detach" => {
            let this = std::env::current_exe().expect("this program");
            let mut child = Command::new(this);
            child.arg("cage-detached").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            tell("detach", child.spawn());
        }
        "detached" => {
            // In a session of its own no signal to the engine's group reaches it. A sandbox does not allow one.
            let _ = setsid();
            super::hang();
        }
        other => panic!("unknown attempt `{other}`"),
    }
}

fn kernel_memory() {
    let (_read, write) = nix::unistd::pipe().expect("a pipe");
    tell("large pipe", fcntl(&write, FcntlArg::F_SETPIPE_SZ(1 << 20)));
    let pages = [0_u8; 4096];
    tell("vmsplice", vmsplice(&write, &[IoSlice::new(&pages)], SpliceFFlags::empty()));
    let name = format!("/arena-test-{}", std::process::id());
    let flags = MQ_OFlag::O_CREAT | MQ_OFlag::O_RDWR;
    tell("queue", mq_open(name.as_str(), flags, Mode::S_IRUSR, None));
    let _ = nix::mqueue::mq_unlink(name.as_str());
    let pair = UnixStream::pair().expect("a pair of sockets");
    tell("send buffer", set_socket_send_buffer_size(&pair.0, 1 << 20));
    tell("receive buffer", set_socket_recv_buffer_size(&pair.0, 1 << 20));
    drop(pair);
    tell("ruleset", ruleset());
    tell("timer", Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(SigevNotify::SigevNone)));
    tell("semaphores", ipc("-S", "2"));
    tell("messages", ipc("-Q", ""));
    open_files();
}

fn tell<T, E: std::fmt::Display>(what: &str, result: Result<T, E>) {
    match result {
        Ok(_) => eprintln!("{what}: allowed"),
        Err(error) => eprintln!("{what}: denied: {error}"),
    }
}

/// Starts another process in the place of this one, which ends at once, thousands of times. Bounded by time and number.
fn replace() -> ! {
    const MOST: u32 = 20_000;
    let until: u64 = std::env::var("REPLACED_UNTIL").ok().and_then(|ms| ms.parse().ok()).unwrap_or(0);
    let now = || std::time::UNIX_EPOCH.elapsed().map_or(u64::MAX, |now| now.as_millis() as u64);
    let n: u32 = std::env::var("REPLACED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let until = if n == 0 { now() + 4000 } else { until };
    if n < MOST && now() < until {
        let mut next = Command::new(std::env::current_exe().expect("this program"));
        next.env("REPLACED", (n + 1).to_string()).env("REPLACED_UNTIL", until.to_string());
        if let Err(error) = next.arg("cage-replacing").stdin(Stdio::null()).stdout(Stdio::null()).spawn() {
            eprintln!("replacing: denied after {n}: {error}");
        }
    } else {
        eprintln!("replacing: done");
    }
    std::process::exit(0)
}

/// Starts itself again and again, each time in a session of its own where that is allowed, until the time is over that the first
/// of all these processes has set. Only for cages.
fn bomb() -> ! {
    let _ = setsid();
    let now = || std::time::UNIX_EPOCH.elapsed().map_or(u64::MAX, |now| now.as_millis() as u64);
    let until =
        std::env::var("BOMB_UNTIL").ok().and_then(|ms| ms.parse().ok()).unwrap_or_else(|| now() + 10_000);
    while now() < until {
        let mut next = Command::new(std::env::current_exe().expect("this program"));
        next.env("BOMB_UNTIL", until.to_string()).arg("cage-bomb");
        let _ = next.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    }
    std::process::exit(0)
}

fn ruleset() -> Result<(), landlock::RulesetError> {
    let ruleset = landlock::Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.handle_access(AccessFs::Execute)?.create().map(drop)
}

/// Creates System V objects, and removes them.
fn ipc(kind: &str, size: &str) -> io::Result<()> {
    let output = Command::new("ipcmk").args([kind, size].iter().filter(|word| !word.is_empty())).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let id = said.trim().rsplit(' ').next().unwrap_or_default();
    Command::new("ipcrm").args([&kind.to_lowercase(), id]).status().map(drop)
}

/// A network interface that is not the own one, from the view of the first process.
fn others_network() -> io::Result<()> {
    let text = fs::read_to_string("/proc/1/net/dev")?;
    let is_other = text.lines().skip(2).any(|line| !line.trim_start().starts_with("lo:"));
    if is_other { Ok(()) } else { Err(io::Error::other("only `lo`")) }
}

/// The target process in `/proc`.
fn others_process() -> io::Result<()> {
    fs::read(format!("/proc/{}/stat", target_process().as_raw_pid())).map(drop)
}

fn target_file() -> PathBuf {
    std::env::var_os("CAGE_FILE").expect("the test names a file").into()
}

fn target_process() -> Pid {
    let id = std::env::var("CAGE_PROCESS").expect("the test names a process");
    Pid::from_raw(id.parse().expect("a number")).expect("no process is 0")
}

fn write() {
    let file = target_file();
    let beside = file.with_extension("new");
    tell("append", OpenOptions::new().append(true).open(&file).and_then(|mut file| file.write_all(b"x")));
    tell("create", File::create(&beside));
    tell("link", fs::hard_link(&file, file.with_extension("link")));
    tell("mode", fs::set_permissions(&file, fs::Permissions::from_mode(0o600)));
    tell("time", File::open("/etc/passwd").and_then(|_| touch(&file)));
    tell("rename", fs::rename(&file, file.with_extension("moved")));
    tell("remove", fs::remove_file(&file));
    tell("own", fs::write("own.txt", "kept"));
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    tell("home", fs::write(home.join("home.txt"), "kept"));
}

fn touch(file: &PathBuf) -> io::Result<()> {
    let status = Command::new("touch").arg(file).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

/// As much as a machine for tests surely has, but more than the test allows.
fn eat_memory() {
    let mut eaten = Vec::new();
    for _ in 0..300 {
        eaten.push(vec![1_u8; 1 << 20]);
    }
    eprintln!("memory: allowed, {} MiB", eaten.len());
}

/// No process takes as much as the test allows, but all of them together do.
fn eat_memory_together() {
    let mut parts: Vec<_> = (0..3)
        .map(|_| {
            let mut command = Command::new(std::env::current_exe().expect("it runs"));
            command.arg("cage-memory-part").stdin(Stdio::piped()).stdout(Stdio::piped());
            command.spawn().expect("there are processes left")
        })
        .collect();
    let n_held = parts.iter_mut().filter_map(|part| part.stdout.as_mut()?.read_exact(&mut [0]).ok()).count();
    eprintln!("memory of all: allowed, {n_held} parts");
    for mut part in parts {
        drop(part.stdin.take());
        let _ = part.wait();
    }
}

fn fork() {
    let mut children = Vec::new();
    let denied = loop {
        if 40 <= children.len() {
            break None;
        }
        match Command::new("sleep").arg("600").stdin(Stdio::null()).stdout(Stdio::null()).spawn() {
            Ok(child) => children.push(child),
            Err(error) => break Some(error),
        }
    };
    eprintln!("forks: {} {}", children.len(), if denied.is_some() { "then denied" } else { "allowed" });
    for mut child in children {
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// More processes than a sandbox allows by default, all at once and for a moment.
fn many_forks() {
    let start = |_| Command::new("sleep").arg("60").stdin(Stdio::null()).stdout(Stdio::null()).spawn().ok();
    let mut children: Vec<_> = (0..1000).map_while(start).collect();
    let denied = if children.len() < 1000 { "then denied" } else { "allowed" };
    eprintln!("many forks: {} {denied}", children.len());
    for child in &mut children {
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn open_files() {
    let files: Vec<File> = (0..1000).map_while(|_| File::open("/dev/null").ok()).collect();
    eprintln!("files: {}", files.len());
}
