//! A tournament in which everything dies, again and again.

use crate::common::tournament::{Ended, Tournament};
use std::fs;
use std::time::Duration;

use super::nats::{CUP, Running, Server, coordinator, without_times, worker};

/// As `coordinator_and_server_may_die_and_the_store_may_be_lost`, for long: `cargo it machines::
/// --ignored storm --nocapture`.
#[test]
#[ignore = "it takes minutes"]
fn storm() {
    let (mut n_workers, mut n_servers, mut n_coordinators) = (100_u32, 20_u32, 20_u32);
    let Some(mut server) = Server::start() else { return };
    let cup = Tournament::new(
        &CUP.replace("pairs = 10", "pairs = 250"),
        &[("one", "slow-25"), ("two", "slow-25"), ("three", "slow-25")],
    );
    let expected = {
        let quick = Tournament::new(
            &CUP.replace("pairs = 10", "pairs = 250"),
            &[("one", "good"), ("two", "good"), ("three", "good")],
        );
        let _alone = quick.run(&["--results", "alone", "--no-report", "-q"]).succeeds();
        without_times(quick.rows("alone"))
    };
    let begun = std::time::Instant::now();
    let start_worker =
        |idx: usize| worker(cup.folder.path(), &server.url(), &format!("w{idx}"), &["--cores", "4"]);
    let mut workers: Vec<Running> = (0..4).map(start_worker).collect();
    let url = server.url();
    let mut running = coordinator(&cup, &url, "cup", &[]);
    let mut turn = 0_usize;
    while 0 < n_workers + n_servers + n_coordinators {
        std::thread::sleep(Duration::from_millis(300));
        assert!(running.is_running(), "the tournament is too short for all kills");
        turn += 1;
        if turn.is_multiple_of(7) && 0 < n_servers {
            n_servers -= 1;
            server.kill();
            if n_servers.is_multiple_of(5) {
                server.wipe();
            }
            server.restart();
        } else if turn.is_multiple_of(6) && 0 < n_coordinators {
            n_coordinators -= 1;
            running.kill();
            running = coordinator(&cup, &url, "cup", &[]);
        } else if 0 < n_workers {
            n_workers -= 1;
            let idx = turn % workers.len();
            workers[idx].kill();
            workers[idx] = worker(cup.folder.path(), &url, &format!("w{idx}"), &["--cores", "4"]);
        }
    }
    println!("all kills after {:?}", begun.elapsed());
    let (code, said) = running.end_within(Duration::from_secs(1200));
    assert_eq!(code, Some(0), "{said}");
    println!("the end after {:?}", begun.elapsed());
    assert_eq!(without_times(cup.rows("cup")), expected);
    let journal = fs::read_to_string(cup.path("cup/matches.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), expected.len(), "nothing is stored twice");
}
