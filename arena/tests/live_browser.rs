//! The live pages in a real browser, as their visitors use them. Needs Chromium, so `cargo test` leaves it out:
//!
//! ```sh
//! cargo test -p arena --test live_browser -- --ignored
//! ```
//!
//! `CHROMIUM` names another browser program, `AXE` the script of axe-core, and `SCREENSHOTS` a folder for pictures.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

#[path = "common/browser.rs"]
mod browser;
mod common;
#[path = "common/journal.rs"]
mod journal;
#[path = "common/site.rs"]
mod site;
#[path = "common/tournament.rs"]
mod tournament;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use browser::Browser;
use engine_proto::GameId;
use journal::MadeUp;
use serde_json::json;
use site::Site;
use tournament::Tournament;

const LEAGUE: MadeUp<'_> =
    MadeUp { engines: &["alpha", "beta", "gamma"], games: GameId::BUILT_IN, pairs: 1, max_plies: 30 };

/// What axe-core finds on the page as it is shown, in both colours and on a phone.
fn check_access(browser: &mut Browser, name: &str) {
    let Some(axe) = std::env::var_os("AXE") else {
        eprintln!("axe-core is skipped: AXE does not name axe.min.js; `npm pack axe-core` fetches it");
        return;
    };
    browser.evaluate(&fs::read_to_string(axe).unwrap());
    for scheme in ["light", "dark"] {
        for width in [1280, 390] {
            browser.prefer(scheme);
            browser.resize(width, 900);
            let found = browser.evaluate(
                "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
                   .filter(({ impact }) => ['serious', 'critical'].includes(impact))
                   .map(({ id, nodes }) => `${id}: ${nodes[0].html}`))",
            );
            assert_eq!(found, json!([]), "{name}, {scheme}, {width}");
        }
    }
    browser.resize(1280, 900);
    browser.prefer("light");
}

/// Pictures of the page: light, dark, and on a phone.
fn take_pictures(browser: &mut Browser, name: &str) {
    let Some(folder) = std::env::var_os("SCREENSHOTS").map(PathBuf::from) else { return };
    fs::create_dir_all(&folder).unwrap();
    for (kind, scheme, width) in [("", "light", 1280), ("-dark", "dark", 1280), ("-phone", "light", 390)] {
        browser.prefer(scheme);
        browser.resize(width, if width < 500 { 844 } else { 900 });
        browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        browser.screenshot(&folder.join(format!("{name}{kind}.webp")));
    }
    browser.prefer("light");
    browser.resize(1280, 900);
}

/// Nothing is wider than the window of a phone.
fn check_width(browser: &mut Browser, name: &str) {
    browser.resize(390, 844);
    let width = browser.evaluate("document.documentElement.scrollWidth");
    assert!(width.as_u64().unwrap() <= 390, "{name}: {width}");
    browser.resize(1280, 900);
}

/// A way to a server that can be cut.
struct Bridge {
    host: String,
    is_cut: Arc<AtomicBool>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Bridge {
    fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let bridge = Self { host, is_cut: Arc::default(), streams: Arc::default() };
        let (server, is_cut, streams) =
            (server.to_owned(), Arc::clone(&bridge.is_cut), Arc::clone(&bridge.streams));
        std::thread::spawn(move || {
            for visitor in listener.incoming().flatten() {
                if is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(site) = TcpStream::connect(&server) else { return };
                streams.lock().unwrap().extend([visitor.try_clone().unwrap(), site.try_clone().unwrap()]);
                for (mut from, mut to) in
                    [(visitor.try_clone().unwrap(), site.try_clone().unwrap()), (site, visitor)]
                {
                    std::thread::spawn(move || {
                        let _ = std::io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        bridge
    }

    fn cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::SeqCst);
        for stream in self.streams.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn assert_no_errors(browser: &Browser) {
    assert_eq!(browser.errors, [""; 0]);
}

#[test]
#[ignore = "needs Chromium"]
fn a_folder_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let records = LEAGUE.records();
    let (first, rest) = records.split_at(20);
    let journal = folder.path().join("matches.jsonl");
    fs::write(&journal, first.iter().map(journal::line).collect::<String>()).unwrap();
    let site = Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(folder.path()));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length === 20");
    browser.wait_for("document.querySelectorAll('table.standings tbody tr').length === 3");
    assert_eq!(browser.evaluate("document.getElementById('state').textContent"), "results");
    // What is written now is shown, and the standings follow.
    let mut journal = OpenOptions::new().append(true).open(&journal).unwrap();
    for record in rest {
        journal.write_all(journal::line(record).as_bytes()).unwrap();
    }
    browser.wait_for(&format!(
        "document.querySelectorAll('table.results tbody tr').length === {}",
        records.len()
    ));
    browser.wait_for(&format!(
        "document.getElementById('facts').textContent.startsWith('{} matches')",
        records.len()
    ));
    // Another scope.
    browser.click("#scopes button:nth-child(2)");
    browser.wait_for("document.querySelector('#scopes button:nth-child(2)').ariaPressed === 'true'");
    check_width(&mut browser, "watch");
    check_access(&mut browser, "watch");
    take_pictures(&mut browser, "watch-folder");
    // A result leads to its replay, which steps, and back.
    browser.click("table.results tbody tr a");
    browser.wait_for("document.getElementById('match-title')?.textContent.startsWith('Match ')");
    browser.wait_for("document.querySelector('#board svg .piece') !== null");
    browser.press("ArrowRight");
    browser.wait_for("document.getElementById('ply').value === '1'");
    browser.wait_for("location.hash.endsWith('@1')");
    check_access(&mut browser, "replay");
    take_pictures(&mut browser, "watch-replay");
    browser.click("#match-back");
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length !== 0");
    // A ply is a part of a link.
    browser.visit(&site.url("match/3#match=3@4"));
    browser.wait_for("document.getElementById('ply').value === '4'");
    assert_no_errors(&browser);
}

#[test]
#[ignore = "needs Chromium"]
fn a_running_tournament_is_watched_to_its_end() {
    let head = "[tournament]\npairs = 2\nconcurrency = 2\n[limits]\nmovetime = \"3s\"\nmax-plies = 40\n[[game]]\nid = \"push-push\"\n[[game]]\nid = \"push\"\n";
    let cup = Tournament::new(head, &[("good", "slow"), ("bad", "think")]);
    let site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("!document.getElementById('focus').hidden");
    browser.wait_for("document.getElementById('focus-moves').children.length > 3");
    browser.wait_for("document.querySelectorAll('#boards li').length === 2");
    browser.wait_for("document.querySelector('#boards li:nth-child(2) svg .piece') !== null");
    assert_eq!(browser.evaluate("document.getElementById('state').textContent"), "live");
    browser.click("#boards li:nth-child(2) button");
    browser.wait_for("document.querySelector('#boards li:nth-child(2) button').ariaPressed === 'true'");
    browser.click("#flip");
    check_width(&mut browser, "running");
    take_pictures(&mut browser, "watch-running");
    browser.wait_for("document.getElementById('state').textContent === 'ended'");
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length === 8");
    browser.wait_for("document.querySelectorAll('#log-body li').length !== 0");
    let faults = browser.evaluate("document.getElementById('log-body').textContent");
    assert!(faults.as_str().unwrap().contains("bad loses, time"), "{faults}");
    assert_no_errors(&browser);
}

/// The way to the server is cut: the page says so, and goes on where it was.
#[test]
#[ignore = "needs Chromium"]
fn a_lost_connection_is_said_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let records = LEAGUE.records();
    let journal = folder.path().join("matches.jsonl");
    fs::write(&journal, journal::line(&records[0])).unwrap();
    let site = Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(folder.path()));
    let bridge = Bridge::to(&site.host);
    let mut browser = Browser::start();
    browser.visit(&format!("http://{}{}", bridge.host, site.path));
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length === 1");
    // The page is not loaded again: what it has learned stays.
    browser.evaluate("document.body.dataset.isSame = ''");
    bridge.cut(true);
    let mut journal = OpenOptions::new().append(true).open(&journal).unwrap();
    journal.write_all(journal::line(&records[1]).as_bytes()).unwrap();
    browser.wait_for("!document.getElementById('lost').hidden");
    bridge.cut(false);
    browser.wait_for("document.getElementById('lost').hidden");
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length === 2");
    assert_eq!(browser.evaluate("'isSame' in document.body.dataset"), true);
    // The browser itself reports each attempt.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
    assert_no_errors(&browser);
}

/// Names, reasons and evidence from outside are text, and stay text.
#[test]
#[ignore = "needs Chromium"]
fn hostile_text_runs_nothing() {
    let hostile = "</script><img src=x onerror=\"document.title='broken'\"><b>";
    let folder = tempfile::tempdir().unwrap();
    let mut records: Vec<_> = LEAGUE.records().into_iter().take(4).collect();
    for record in &mut records {
        record.white = format!("{hostile}{}", record.white);
        record.reason = "crash".to_owned();
        record.evidence = Some(hostile.to_owned());
    }
    fs::write(folder.path().join("matches.jsonl"), records.iter().map(journal::line).collect::<String>())
        .unwrap();
    let site = Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(folder.path()));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length === 4");
    browser.visit(&site.url("match/1"));
    browser.wait_for("document.querySelector('#board svg .piece') !== null");
    assert!(
        browser
            .evaluate("document.getElementById('player-bottom').textContent")
            .as_str()
            .unwrap()
            .contains("<img")
    );
    assert_eq!(browser.evaluate("document.querySelectorAll('img').length"), 0);
    assert_no_errors(&browser);
}
