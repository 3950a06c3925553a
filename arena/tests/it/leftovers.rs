//! What a table of faults leaves in the arena: no file descriptor, no child, and no memory to speak of. It counts what
//! the whole process has, so it runs alone.

#![cfg(target_os = "linux")]
use crate::common::{faulty, is_alone};

use std::fs;
use std::time::{Duration, Instant};

use faulty::{MAX_PLIES, be_patient, be_patient_but_for_thinking, play};

/// More than two engines' largest lines and buffers, and less than what any of the floods would fill.
const MEMORY_BOUND_KIB: u64 = 48 << 10;

#[test]
fn nothing_is_left() {
    if !is_alone("leftovers::nothing_is_left") {
        return;
    }
    // What is opened once, for signals and the like, stays.
    play("good", be_patient);
    let n_files = (0..20).map(|_| n_open_files_now()).min().unwrap();
    assert_eq!(n_children(), 0);

    for mode in [
        "start-hang",
        "start-exit",
        "start-close",
        "start-deaf",
        "start-grandchild",
        "ready-hang",
        "ready-abort",
        "ready-deaf",
        "newgame-exit",
        "again-exit",
        "move-hang",
        "move-exit",
        "move-abort",
        "move-close",
        "move-deaf",
        "move-illegal",
        "move-grandchild",
        "move-helper",
        "quit-hang",
        "quit-close",
        "quit-helper",
        "start-leave",
        "move-leave",
        "move-leave-exit",
        "quit-leave",
    ] {
        play(mode, |contenders| be_patient(&mut contenders[1..]));
        assert!(n_open_files(n_files) <= n_files, "{mode}: open files");
        assert_eq!(n_children(), 0, "{mode}: children, zombies included");
    }

    // Engines that take every processor are played with, and so is their opponent.
    for record in play("move-spin", be_patient) {
        assert_eq!((record.reason.as_str(), record.plies), ("move-cap", MAX_PLIES), "{record:?}");
    }
    assert!(n_open_files(n_files) <= n_files && n_children() == 0);

    let before = peak_memory_kib();
    for mode in [
        "start-flood",
        "start-options",
        "start-longline",
        "start-stderr",
        "ready-flood",
        "ready-longline",
        "move-flood",
        "move-longline",
        "move-stderr",
        "quit-flood",
        "quit-longline",
        "quit-stderr",
    ] {
        play(mode, be_patient_but_for_thinking);
        let grown = peak_memory_kib() - before;
        assert!(grown < MEMORY_BOUND_KIB, "{mode}: {grown} KiB more");
        assert!(n_open_files(n_files) <= n_files && n_children() == 0, "{mode}");
    }
}

/// The number of open files, as soon as it is this or less. The thread that watches engines has some for a moment.
fn n_open_files(most: usize) -> usize {
    let begun = Instant::now();
    loop {
        let n_files = n_open_files_now();
        if n_files <= most || begun.elapsed() > Duration::from_secs(10) {
            return n_files;
        }
    }
}

fn n_open_files_now() -> usize {
    std::thread::sleep(Duration::from_millis(5));
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Child processes of this one, zombies included. Those that were killed a moment ago may be on their way.
fn n_children() -> usize {
    let begun = Instant::now();
    loop {
        let n_children = n_children_now();
        if n_children == 0 || Duration::from_secs(10) < begun.elapsed() {
            return n_children;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn n_children_now() -> usize {
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    // Behind the name, which is in parentheses: state, then parent.
    let parents = stats.filter_map(|stat| {
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(1).map(str::to_owned)
    });
    parents.filter(|parent| *parent == own).count()
}

/// The most memory that this process has had so far.
fn peak_memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}
