//! Tournaments over links that are cut, lose packets, or double, delay and reorder messages.

use crate::common::tournament::Tournament;
use std::fs;
use std::process::Command;
use std::time::Duration;

use super::namespaces::{Host, Network};
use super::nats::{
    CUP, Running, Server, coordinator, coordinator_command, cup_of, expected, n_lines, wait_for_lines,
    without_times, worker, worker_command,
};
use super::proxy;

#[test]
fn messages_may_be_doubled_late_and_out_of_order() {
    let Some(server) = Server::start() else { return };
    let cup = cup_of(10);
    let expected = expected(&cup);
    let url = proxy::between(server.port());
    let _workers = ["a", "b", "c"].map(|name| worker(cup.folder.path(), &url, name, &["--cores", "1"]));
    coordinator(&cup, &url, "cup", &[]).succeeds();
    assert_eq!(without_times(cup.rows("cup")), expected);
    assert_eq!(n_lines(&cup, "cup"), expected.len(), "nothing is stored twice");
}

/// A server, a coordinator and two workers, each worker in a network namespace of its own.
struct Apart {
    cup: Tournament,
    expected: Vec<Vec<String>>,
    hosts: [Host; 2],
    server: Server,
    network: std::rc::Rc<Network>,
}

impl Apart {
    fn start(n_pairs: u32) -> Option<Self> {
        super::nats::program()?;
        let network = std::rc::Rc::new(Network::start()?);
        let hosts = [1, 2].map(|number| network.host(number));
        let inside = std::rc::Rc::clone(&network);
        let server = Server::elsewhere(move |command: &Command| inside.inside(command))?;
        let head = CUP.replace("pairs = 10", &format!("pairs = {n_pairs}"));
        let [quick, cup] = ["good", "slow-10"]
            .map(|mode| Tournament::new(&head, &[("one", mode), ("two", mode), ("three", mode)]));
        Some(Self { expected: expected(&quick), cup, hosts, server, network })
    }

    fn coordinator(&self) -> Running {
        let command = coordinator_command(&self.cup, &self.server.url(), "cup");
        Running::start(&mut self.network.inside(&command))
    }

    fn worker(&self, idx: usize) -> Running {
        let host = &self.hosts[idx];
        let url = host.server(self.server.port());
        let command = worker_command(self.cup.folder.path(), &url, &format!("w{idx}"), &["--cores", "2"]);
        Running::start(&mut host.inside(&command))
    }

    fn set_link(&self, idx: usize, is_up: bool) {
        self.network.set_link(&self.hosts[idx], is_up);
    }

    /// Waits until the journal has `n` matches more.
    fn wait_for_more(&self, n: usize) {
        wait_for_lines(&self.cup, "cup", n_lines(&self.cup, "cup") + n);
    }

    fn ends_well(self, coordinator: Running, limit: Duration) {
        let (code, said) = coordinator.end_within(limit);
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(without_times(self.cup.rows("cup")), self.expected);
        assert_eq!(n_lines(&self.cup, "cup"), self.expected.len(), "nothing is stored twice");
    }
}

#[test]
fn a_link_may_be_cut_for_longer_than_the_lease() {
    let Some(apart) = Apart::start(5) else { return };
    let _first = apart.worker(0);
    let mut coordinator = apart.coordinator();
    wait_for_lines(&apart.cup, "cup", 2);
    apart.set_link(0, false);
    coordinator.wait_for("worker `w0` was silent for 2s");
    apart.set_link(0, true);
    // It goes on alone.
    apart.wait_for_more(6);
    apart.set_link(0, false);
    let _second = apart.worker(1);
    let journal = || fs::read_to_string(apart.cup.path("cup/matches.jsonl")).unwrap();
    coordinator.wait_for("worker `w1` plays with 2 places");
    apart.wait_for_more(4);
    assert!(journal().contains("\"worker\":\"w1\""));
    apart.set_link(0, true);
    apart.ends_well(coordinator, super::PATIENCE);
}

/// `cargo it machines::bad_links --ignored --nocapture`.
#[test]
#[ignore = "it takes minutes"]
fn cut_links() {
    let Some(apart) = Apart::start(200) else { return };
    for host in &apart.hosts {
        apart.network.disturb(host, "delay 50ms 40ms loss 5%");
    }
    let _workers = [0, 1].map(|idx| apart.worker(idx));
    let mut coordinator = apart.coordinator();
    wait_for_lines(&apart.cup, "cup", 2);
    let begun = std::time::Instant::now();
    // Shorter and longer than the lease, one link and both, and so long that connections are given up.
    for (turn, seconds) in [1, 3, 5, 25].into_iter().cycle().take(12).enumerate() {
        let cut = [turn % 3 != 1, turn % 3 != 0];
        for idx in [0, 1].into_iter().filter(|idx| cut[*idx]) {
            apart.set_link(idx, false);
        }
        std::thread::sleep(Duration::from_secs(seconds));
        for idx in [0, 1].into_iter().filter(|idx| cut[*idx]) {
            apart.set_link(idx, true);
        }
        assert!(coordinator.is_running(), "the tournament is too short for all cuts");
        apart.wait_for_more(4);
        println!("{turn}: {} matches after {:.0?}", n_lines(&apart.cup, "cup"), begun.elapsed());
    }
    apart.ends_well(coordinator, Duration::from_secs(1200));
    println!("the end after {:.0?}", begun.elapsed());
}
