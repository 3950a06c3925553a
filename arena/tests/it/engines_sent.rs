//! Engines that workers get from the coordinator, and clocks that follow the speed of workers: with real processes and a real
//! NATS server.

#![cfg(target_os = "linux")]
use crate::common;
use crate::common::nats;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::tournament::{Ended, Tournament, arena};
use nats::{CUP, Running, Server, coordinator, expected, without_times, worker};

/// A worker in a folder of its own, with a cache there.
fn worker_with_cache(folder: &Path, url: &str, name: &str, args: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder).env("XDG_CACHE_HOME", folder.join("cache"));
    command.args(["worker", "--nats", url, "--name", name, "--cores", "2", "--allow-root"]).args(args);
    Running::start(&mut command)
}

/// A tournament whose engines are in its folder: a script with a data file.
fn cup_with_files() -> Tournament {
    let cup = Tournament::new("", &[]);
    let folder = cup.folder.path();
    fs::create_dir(folder.join("nets")).unwrap();
    fs::write(folder.join("nets/one.net"), "data").unwrap();
    common::copy_program(common::fake_engine(), folder.join("engine"));
    let engine = |name: &str, mode: &str, net: &str| {
        format!("[[engine]]\nname = \"{name}\"\ncommand = \"./engine\"\nargs = [\"{mode}\", \"{net}\"]\n")
    };
    let text = format!(
        "{CUP}\n[machines]\ndistribute = true\n{}{}",
        engine("one", "good", "nets/one.net"),
        engine("two", "weak-30", "./nets/one.net")
    );
    fs::write(folder.join("cup.toml"), text).unwrap();
    cup
}

#[test]
fn a_worker_without_the_engines_gets_them_once() {
    let Some(mut server) = Server::start() else { return };
    let cup = cup_with_files();
    let expected = expected(&cup);
    let elsewhere = tempfile::tempdir().unwrap();
    // The sandbox is tested where the system has it: elsewhere the worker says so, and plays with `--trust`.
    let sandbox = arena(".", &["sandbox"]);
    let trust: &[&str] = if sandbox.status.success() { &[] } else { &["--trust"] };
    for (results, is_wiped) in [("first", false), ("second", true)] {
        if is_wiped {
            server.kill();
            server.wipe();
            server.restart();
        }
        let mut worker =
            worker_with_cache(elsewhere.path(), &server.url(), "w", &[trust, &["--once"]].concat());
        worker.wait_for("waits for tournaments");
        coordinator(&cup, &server.url(), results, &[]).succeeds();
        assert_eq!(without_times(cup.rows(results)), expected);
        worker.succeeds();
    }
    let cache = elsewhere.path().join("cache/arena/engines");
    let names: Vec<String> = fs::read_dir(&cache)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 2, "the program and its data, by their hashes: {names:?}");
    assert!(names.iter().all(|name| name.len() == 64));
    // A file of the cache that was changed is fetched again.
    for name in &names {
        fs::write(cache.join(name), "changed").unwrap();
    }
    let _worker = worker_with_cache(elsewhere.path(), &server.url(), "w", trust);
    coordinator(&cup, &server.url(), "third", &[]).succeeds();
    assert_eq!(without_times(cup.rows("third")), expected);
}

#[test]
fn a_file_outside_of_the_folder_is_not_sent() {
    let cup = cup_with_files();
    let path = cup.path("cup.toml");
    let text = fs::read_to_string(&path).unwrap().replace("nets/one.net", "../../../../../etc/passwd");
    fs::write(&path, text.replace("weak-30", "good")).unwrap();
    let Some(server) = Server::start() else { return };
    let depth = cup.folder.path().components().count();
    let up = "../".repeat(depth);
    let text = fs::read_to_string(&path).unwrap().replace("../../../../../", &up);
    fs::write(&path, text).unwrap();
    let (code, said) = coordinator(&cup, &server.url(), "cup", &[]).end();
    assert!(code == Some(2) && said.contains("`distribute` cannot send `../"), "{code:?} {said}");
}

#[test]
fn a_folder_is_not_sent() {
    let Some(server) = Server::start() else { return };
    let cup = cup_with_files();
    let path = cup.path("cup.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n[cage]\nreadable = [\"nets\"]\n")).unwrap();
    let (code, said) = coordinator(&cup, &server.url(), "cup", &[]).end();
    let words = "`nets` in `readable` of engine `one` is a folder; name its files";
    assert!(code == Some(2) && said.contains(words), "{code:?} {said}");
}

#[test]
fn a_foreign_engine_reads_only_below_the_folder_of_its_worker() {
    let Some(server) = Server::start() else { return };
    let cup = Tournament::new(CUP, &[("one", "good"), ("two", "good")]);
    let path = cup.path("cup.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n[cage]\nreadable = [\"/etc\"]\n")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let mut curious = worker_with_cache(elsewhere.path(), &server.url(), "w", &[]);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    let words = "engine `one` wants to read `/etc`, which is not below the folder of the worker";
    curious.wait_for(words);
    running.wait_for(words);
}

/// Whether this system has the sandbox: elsewhere, a worker without `--trust` plays nothing.
fn has_sandbox() -> bool {
    arena(".", &["sandbox"]).status.success()
}

#[test]
fn a_foreign_engine_does_not_read_the_keys_of_its_worker() {
    let Some(server) = Server::start() else { return };
    let elsewhere = tempfile::tempdir().unwrap();
    let key = elsewhere.path().join("desk.nk");
    let made = Command::new(env!("CARGO_BIN_EXE_arena")).args(["worker", "--new-key"]).arg(&key).output();
    made.unwrap().succeeds();
    fs::create_dir(elsewhere.path().join("nets")).unwrap();
    fs::copy(&key, elsewhere.path().join("nets/other.nk")).unwrap();
    for (line, path) in [
        ("directory = \".\"", "."),
        ("cage = { readable = [\".\"] }", "."),
        ("cage = { readable = [\"nets/..\"] }", "nets/.."),
        ("cage = { readable = [\"desk.nk\"] }", "desk.nk"),
    ] {
        let cup = Tournament::new(CUP, &[("one", "good"), ("two", "good")]);
        let path_of_cup = cup.path("cup.toml");
        let text = fs::read_to_string(&path_of_cup).unwrap();
        fs::write(&path_of_cup, format!("{text}\n{line}\n")).unwrap();
        for file in ["desk.nk", "nets"] {
            fs::create_dir_all(cup.path(file)).unwrap();
        }
        let key = key.to_str().unwrap();
        let mut curious = worker_with_cache(elsewhere.path(), &server.url(), "w", &["--nkey", key]);
        let mut running = coordinator(&cup, &server.url(), "cup", &[]);
        let words =
            format!("engine `two` wants to read `{path}`, where a key or a certificate of the worker is");
        curious.wait_for(&words);
        running.wait_for(&words);
    }
}

#[test]
fn a_worker_with_a_key_that_every_sandbox_shows_does_not_start() {
    let folder = tempfile::Builder::new().prefix("arena-test-").tempdir_in("/etc");
    let Ok(folder) = folder else {
        eprintln!("skipped: only root can write to /etc");
        return;
    };
    let key = folder.path().join("desk.nk");
    let made = Command::new(env!("CARGO_BIN_EXE_arena")).args(["worker", "--new-key"]).arg(&key).output();
    made.unwrap().succeeds();
    let url = "nats://127.0.0.1:1";
    let (code, said) = worker_with_cache(folder.path(), url, "w", &["--nkey", key.to_str().unwrap()]).end();
    assert!(code == Some(3) && said.contains("is in `/etc`, which engines in a sandbox may read"), "{said}");
}

#[test]
fn a_worker_runs_as_root_only_if_it_is_told() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: this is not root");
        return;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let (code, said) = Running::start(command.args(["worker", "--nats", "nats://127.0.0.1:1"])).end();
    assert!(code == Some(2) && said.contains("this worker runs as root"), "{code:?} {said}");
}

#[test]
fn an_engine_that_fills_the_disk_of_a_worker_ends_its_part() {
    let Some(server) = Server::start() else { return };
    if !has_sandbox() {
        eprintln!("skipped: this system has no sandbox");
        return;
    }
    let cup = cup_with_files();
    // A script that writes, in the sandbox, before it becomes the engine. What is sent as an argument is no program.
    let script = "#!/bin/sh\ncase \"$TMPDIR\" in */scratch/*) head -c 3000000 /dev/zero > \"$TMPDIR/large\" ;; esac\nfor loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do\n[ -e $loader ] && exec $loader ./engine slow-25\ndone\n";
    fs::write(cup.path("large"), script).unwrap();
    fs::set_permissions(cup.path("large"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = cup.path("cup.toml");
    let text = fs::read_to_string(&path).unwrap();
    let engine = "[[engine]]\nname = \"large\"\ncommand = \"./large\"\nargs = [\"engine\"]\n";
    fs::write(&path, format!("{text}{engine}")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let limits = ["--limits", "disk=2MiB"];
    let mut filled = worker_with_cache(elsewhere.path(), &server.url(), "w", &limits);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    let words = "its engines have written more than 2MiB";
    filled.wait_for(words);
    running.wait_for(words);
}

#[test]
fn clocks_follow_the_speed_of_each_worker() {
    let Some(server) = Server::start() else { return };
    let head = CUP.replace("nodes = 50", "base = \"100s\"").replace("pairs = 10", "pairs = 4");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
    let path = cup.path("cup.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n[machines]\nscale-clocks = true\nreference-speed = 1000000\n"))
        .unwrap();
    let mut slow = worker(cup.folder.path(), &server.url(), "slow", &["--cores", "1", "--speed", "400000"]);
    slow.wait_for("waits for tournaments");
    let mut other = worker(cup.folder.path(), &server.url(), "other", &["--cores", "1", "--speed", "10"]);
    let running = coordinator(&cup, &server.url(), "cup", &[]);
    other.wait_for("clocks are scaled by a factor of 10 at most");
    slow.wait_for("factor of clocks: 2.500");
    running.succeeds();
    let journal = fs::read_to_string(cup.path("cup/matches.jsonl")).unwrap();
    assert!(journal.lines().all(|line| line.contains("\"clock_factor\":2500")), "{journal}");
    let tournament = fs::read_to_string(cup.path("cup/tournament.toml")).unwrap();
    assert!(tournament.contains("reference-speed = 1000000"), "{tournament}");
}
