//! The live pages in a real browser, as their visitors use them. Needs Chromium, so `cargo test` leaves it out:
//!
//! ```sh
//! cargo it live_browser:: --ignored
//! ```
//!
//! `CHROMIUM` names another browser program, `AXE` the script of axe-core, and `SCREENSHOTS` a folder for pictures.

use crate::common;
use crate::common::browser;
use crate::common::journal;
use crate::common::site;
use crate::common::tournament;

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use browser::Browser;
use engine_proto::scene::{Change, Touch};
use engine_proto::{AnyPlay, GameId, Games, Side};
use journal::MadeUp;
use model::Record;
use serde_json::{Value, json};
use site::Site;
use tempfile::TempDir;
use tournament::{Tournament, said};

const LEAGUE: MadeUp<'_> =
    MadeUp { engines: &["alpha", "beta", "gamma"], games: GameId::BUILT_IN, pairs: 1, max_plies: 30 };

/// What axe-core finds on the page as it is shown, in both colours and on a phone.
pub fn check_access(browser: &mut Browser, name: &str) {
    let Some(axe) = std::env::var_os("AXE") else {
        eprintln!("axe-core is skipped: AXE does not name axe.min.js; `npm pack axe-core` fetches it");
        return;
    };
    browser.evaluate(&fs::read_to_string(axe).unwrap());
    // Only the contrast depends on the scheme.
    for (scheme, rules) in [("light", ""), ("dark", ", runOnly: ['color-contrast']")] {
        for width in [1280, 390] {
            browser.prefer(scheme);
            browser.resize(width, 900);
            let found = browser.evaluate(&format!(
                "axe.run({{ resultTypes: ['violations']{rules} }}).then(({{ violations }}) => violations
                   .map(({{ id, nodes }}) => `${{id}}: ${{nodes[0].html}}`))"
            ));
            assert_eq!(found, json!([]), "{name}, {scheme}, {width}");
        }
    }
    browser.resize(1280, 900);
    browser.prefer("light");
}

/// Pictures of the page: light, dark, and on a phone.
pub fn take_pictures(browser: &mut Browser, name: &str) {
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
pub fn check_width(browser: &mut Browser, name: &str) {
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

/// The numbers of matches in the standings of a watched tournament.
const MATCHES_IN_STANDINGS: &str = "(() => {
    const table = document.querySelector('#standings-body table');
    const column = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent.startsWith('Matches'));
    return [...table.tBodies[0].rows].map((row) => parseInt(row.cells[column].textContent, 10));
})()";

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
    browser.wait_for("document.querySelectorAll('#standings table.standings tbody tr').length === 3");
    assert_eq!(browser.evaluate("document.getElementById('state').textContent"), "results");
    // No column is empty.
    let columns = "(() => { const rows = [...document.querySelectorAll('#standings table.standings tbody tr')]; return [...rows[0].cells].filter((_, idx) => rows.every((row) => row.cells[idx].innerHTML === '')).length; })()";
    assert_eq!(browser.evaluate(columns), 0);
    assert_eq!(
        browser.evaluate(
            "document.querySelectorAll('#standings table.standings tbody tr:first-child > *').length >= 4"
        ),
        json!(true)
    );
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
    // Nothing moves any more under the mouse.
    browser
        .wait_for(&format!("{MATCHES_IN_STANDINGS}.reduce((sum, n) => sum + n) === {}", 2 * records.len()));
    // Another scope.
    browser.click("#scopes button:nth-child(2)");
    browser.wait_for("document.querySelector('#scopes button:nth-child(2)').ariaPressed === 'true'");
    browser.click("#scopes button:first-child");
    browser.wait_for("document.querySelector('#scopes button:first-child').ariaPressed === 'true'");
    check_width(&mut browser, "watch");
    list_matches(&mut browser, &records);
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
    // It leads to the matches beside it, and to the rules.
    let title = browser.evaluate("document.getElementById('match-title').textContent");
    browser.click("#match-previous");
    browser.wait_for(&format!("document.getElementById('match-title')?.textContent.startsWith('Match ') && document.getElementById('match-title').textContent !== {title}"));
    browser.click("#match-next");
    browser.wait_for(&format!("document.getElementById('match-title')?.textContent === {title}"));
    browser.click("#match-facts a");
    browser.wait_for("document.querySelector('h1')?.textContent.startsWith('Rules of ')");
    browser.evaluate("history.back()");
    browser.wait_for(&format!("document.getElementById('match-title')?.textContent === {title}"));
    browser.click("#match-back");
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length !== 0");
    // A ply is a part of a link.
    browser.visit(&site.url("match/3#match=3@4"));
    browser.wait_for("document.getElementById('ply').value === '4'");
    assert_no_errors(&browser);
}

/// A cell of the cross table leads to its matches, which can be narrowed to a game, and back to all.
fn list_matches(browser: &mut Browser, records: &[Record]) {
    browser.click("#cross-body tbody tr:first-child td:nth-of-type(2) button");
    browser.wait_for("document.getElementById('results-title').textContent.includes(' against ')");
    let engines = browser.evaluate(
        "[...document.querySelectorAll('#cross-body tbody bdi')].slice(0, 2).map((one) => one.textContent)",
    );
    let [one, other] = [0, 1].map(|idx| engines[idx].as_str().unwrap());
    let is_between = |record: &&Record| {
        let names = [record.white.as_str(), record.black.as_str()];
        names == [one, other] || names == [other, one]
    };
    let shows = |browser: &mut Browser, title: &str, n: usize| {
        assert_ne!(n, 0);
        browser.wait_for(&format!(
            "document.getElementById('results-title').textContent === {} && document.getElementById('results-said').textContent === '{n} matches' && document.querySelectorAll('table.results tbody tr').length === {n}",
            json!(title)
        ));
    };
    let title = format!("Matches of {one} against {other}");
    shows(browser, &title, records.iter().filter(is_between).count());
    let game = records.iter().find(is_between).unwrap().rated_game().into_owned();
    browser.evaluate(&format!(
        "(() => {{ const of = document.getElementById('of-game'); of.value = {}; of.dispatchEvent(new Event('change')); }})()",
        json!(game)
    ));
    let name = browser.evaluate("document.getElementById('of-game').selectedOptions[0].text");
    let of_game = records.iter().filter(is_between).filter(|record| record.rated_game() == game);
    shows(browser, &format!("{title} in {}", name.as_str().unwrap()), of_game.count());
    browser.click("#of-all");
    browser.wait_for(&format!(
        "document.getElementById('results-title').textContent === 'Latest results' && document.querySelectorAll('table.results tbody tr').length === {}",
        records.len()
    ));
    // An engine of the standings leads to its matches.
    browser.click("#standings-body tbody tr:first-child button");
    browser.wait_for("document.getElementById('results-title').textContent.startsWith('Matches of ')");
    browser.click("#of-all");
}

/// What is left to do with a tournament that has ended: its verdict, its report and its replays.
#[test]
#[ignore = "needs Chromium"]
fn a_tournament_that_has_ended_is_read() {
    let head =
        "[tournament]\npairs = 12\n[limits]\nnodes = 10\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("good", "weak-10"), ("fair", "weak-30"), ("bad", "weak-50")]);
    assert!(cup.run(&["--quiet"]).status.success());
    let folder = cup.path("results/cup");
    let site = Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(&folder));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("!document.getElementById('over').hidden && document.getElementById('over').nextElementSibling.id === 'beside'");
    browser.wait_for("document.querySelector('#over .verdict').textContent !== ''");
    browser.wait_for("document.getElementById('reports').textContent === 'Report '");
    assert_eq!(browser.evaluate("document.querySelectorAll('.so-far').length"), 0);
    // The picture of an interval has the rating between its ends, and the stronger engine further to the right.
    let pictures = browser.evaluate(
        "[...document.querySelectorAll('#standings-body .whisker')].map((one) => [one.querySelector('.interval').x1, one.querySelector('circle').cx, one.querySelector('.interval').x2].map((length) => length.baseVal.value))",
    );
    let pictures: Vec<[f64; 3]> = serde_json::from_value(pictures).unwrap();
    assert!(
        pictures.len() == 3
            && pictures.iter().all(|[low, dot, high]| low < dot && dot < high)
            && pictures.is_sorted_by(|[_, one, _], [_, next, _]| one >= next),
        "{pictures:?}"
    );
    // The last match is on the board, and can be stepped through.
    browser.wait_for("document.querySelector('#focus-board svg .piece') !== null");
    browser.press("ArrowLeft");
    browser
        .wait_for("document.getElementById('focus-place').textContent.includes('. The match ended with ')");
    browser.press("End");
    check_access(&mut browser, "over");
    take_pictures(&mut browser, "watch-over-folder");
    // On a phone, no table is wider than the window.
    browser.resize(390, 844);
    let is_narrow =
        "[...document.querySelectorAll('.wide')].every((box) => box.scrollWidth <= box.clientWidth)";
    browser.wait_for(is_narrow);
    browser.resize(1280, 900);
    browser.click("#reports a");
    browser.wait_for("document.querySelectorAll('table.standings tbody tr').length === 3 && document.title === 'cup · Arena' && document.querySelector('nav.sections') !== null");
    one_of_several_folders_is_chosen(&mut browser, &cup);
    assert_no_errors(&browser);
}

/// A tournament that was stopped, beside one that has ended: together, and alone with the command that continues it.
fn one_of_several_folders_is_chosen(browser: &mut Browser, cup: &Tournament) {
    let [whole, part] = ["results/cup", "results/part"].map(|folder| cup.path(folder));
    fs::create_dir(&part).unwrap();
    fs::copy(whole.join("tournament.toml"), part.join("tournament.toml")).unwrap();
    let journal = fs::read_to_string(whole.join("matches.jsonl")).unwrap();
    let lines: Vec<&str> = journal.lines().take(30).collect();
    fs::write(part.join("matches.jsonl"), lines.join("\n") + "\n").unwrap();
    let last = serde_json::from_str::<Record>(lines[29]).unwrap().number;
    let site = Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").args([&whole, &part]));
    browser.visit(&site.url(""));
    browser.wait_for("document.getElementById('state').textContent === '2 folders' && document.getElementById('facts').textContent === 'stopped after 102 of 144 matches'");
    assert_eq!(browser.evaluate("document.getElementById('stopped').hidden"), true);
    browser.wait_for(&format!("document.getElementById('focus-title').textContent === 'Match 2-{last}'"));
    check_width(browser, "several");
    check_access(browser, "several");
    take_pictures(browser, "watch-several");
    browser.click("#folders a:last-of-type");
    browser.wait_for("document.getElementById('stopped')?.innerText.startsWith('Stopped after 30 of 72 matches; to continue, run the same command again')");
    browser.wait_for(&format!("document.getElementById('focus-title').textContent === 'Match {last}' && document.getElementById('state').textContent === 'stopped'"));
    browser.wait_for("document.getElementById('focus-board').querySelector('.piece') !== null");
    check_access(browser, "stopped");
    take_pictures(browser, "watch-stopped");
    browser.click("#results-body tbody a");
    browser.wait_for(&format!("document.getElementById('match-title')?.textContent === 'Match {last}'"));
    browser.click("#match-back");
    browser.wait_for("document.querySelector('#folders [aria-current]')?.textContent.endsWith('part')");
    browser.click("#folders a");
    browser.wait_for("document.getElementById('state')?.textContent === '2 folders'");
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
    // What is not seen is not drawn.
    browser.evaluate("document.getElementById('boards').scrollIntoView()");
    browser.wait_for("document.querySelector('#boards li:nth-child(2) svg .piece') !== null");
    assert_eq!(browser.evaluate("document.getElementById('state').textContent"), "live");
    browser.click("#boards li:nth-child(2) button");
    browser.wait_for("document.querySelector('#boards li:nth-child(2) button').ariaPressed === 'true'");
    browser.click("[data-walk=flip]");
    // Who studies a match is not disturbed by the end.
    browser.press("ArrowLeft");
    check_width(&mut browser, "running");
    check_access(&mut browser, "running");
    take_pictures(&mut browser, "watch-running");
    let top = "scrollY + document.getElementById('focus-board').getBoundingClientRect().top";
    let before = browser.evaluate(top);
    browser.wait_for("document.getElementById('state').textContent === 'ended'");
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length === 8");
    let heading = "document.getElementById('now-title').textContent";
    assert_eq!(browser.evaluate(heading), "The match that ended last");
    // The small boards stay, and lead to the replays.
    browser.wait_for(
        "[...document.querySelectorAll('#boards .fine')].every((one) => one.textContent.endsWith('over'))",
    );
    take_pictures(&mut browser, "watch-over");
    browser.wait_for("document.querySelectorAll('#log-body li').length !== 0");
    let faults = browser.evaluate("document.getElementById('log-body').textContent");
    assert!(faults.as_str().unwrap().contains("bad loses, time exceeded"), "{faults}");
    // The last standings have all matches, and what the arena would have to answer leads to what can be done now.
    browser.wait_for("!document.getElementById('ended').hidden");
    assert_eq!(browser.evaluate(top), before);
    assert_eq!(browser.evaluate(MATCHES_IN_STANDINGS), json!([8, 8]));
    let address = browser.evaluate("location.href");
    browser.click("table.results a");
    browser.wait_for("document.activeElement.id === 'ended'");
    // The command makes the link that was clicked work again.
    let host = site.host.clone();
    let says = browser.evaluate("document.getElementById('ended').innerText");
    let says = says.as_str().unwrap();
    assert!(says.contains("Replay match ") && says.contains(&format!(" --address {host} makes")), "{says}");
    assert_eq!(browser.evaluate(top), before);
    assert_eq!(browser.evaluate("location.href"), address);
    // After that, the result is in the first screen, with what can be done now, and the match that ended last.
    browser.press("End");
    browser.wait_for("!document.getElementById('over').hidden");
    for (width, height) in [(1440, 900), (1024, 768), (390, 844)] {
        browser.resize(width, height);
        browser.evaluate("scrollTo(0, 0)");
        let places = browser.evaluate("['#over .verdict', '#over summary', '#focus-board'].map((one) => document.querySelector(one).getBoundingClientRect().bottom)");
        let places: Vec<f64> = places.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        assert!(places.iter().all(|place| (1.0..f64::from(height)).contains(place)), "{width}: {places:?}");
    }
    browser.resize(1280, 900);
    check_access(&mut browser, "result");
    take_pictures(&mut browser, "watch-result");
    browser.click("table.results a");
    browser
        .wait_for("document.activeElement.id === 'over' && document.querySelector('#over .when-gone').open");
    // The page tries whether the arena is started again.
    browser.errors.retain(|error| !error.contains("ERR_CONNECTION_REFUSED"));
    assert_no_errors(&browser);
}

/// Its page and its report have the verdict of the terminal.
#[test]
#[ignore = "needs Chromium"]
fn a_sequential_test_is_watched_to_its_verdict() {
    let head = "[tournament]\npairs = 200\nresults = \"sprt\"\n[stop.sprt]\nelo0 = 0\nelo1 = 100\nmodel = \"logistic\"\n[limits]\nnodes = 10\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("good", "weak-10"), ("bad", "weak-40")]);
    // Its page is that of the folder from now on.
    let output = cup.run(&["--serve"]);
    assert!(said(&output).contains("2 engines, at most 400 matches\n"), "{}", said(&output));
    let journal = cup.path("sprt").join("matches.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    // In the order of the pairs, so that each is counted at once.
    let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
    lines.sort_by_key(|line| serde_json::from_str::<Record>(line).unwrap().number);
    let first = lines[..20].concat();
    fs::write(&journal, &first).unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_arena"));
    let mut site = Site::start(serve.arg("serve").arg(cup.path("sprt")));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    let says = |id: &str, words: &str| {
        format!("document.getElementById('{id}').textContent.includes({})", json!(words))
    };
    browser.wait_for(&says("stopped", "Stopped after 20 of at most 400 matches; to continue, "));
    browser.wait_for(&says("stops", "undecided after "));
    browser.wait_for("document.querySelector('#stops .scale') !== null");
    browser.wait_for(
        "/\\d\\u202f% of the way from 0 to H[01]/.test(document.getElementById('stops').textContent)",
    );
    // Its tables have no ranks and no ratings, as those of the report.
    let heads = "[...document.querySelectorAll('#standings-body thead th')].map((one) => one.textContent)";
    browser
        .wait_for(&format!("JSON.stringify({heads}) === '[\"Engine\",\"Score\",\"Matches\",\"Forfeits\"]'"));
    assert_eq!(browser.evaluate("document.getElementById('history').hidden"), true);
    // The curve goes from pair to pair.
    browser.wait_for(
        "document.querySelector('#tests .curve.series-1 path')?.getAttribute('d').split('L').length === 11",
    );
    check_width(&mut browser, "test");
    // The board is on the first screen.
    for (width, height) in [(1440, 900), (1024, 768), (390, 844)] {
        browser.resize(width, height);
        browser.visit(&site.url(""));
        browser.wait_for(&says("stops", "undecided after "));
        browser.wait_for(&format!("(({{ top, bottom }}) => 0 < top && bottom < {height})(document.getElementById('focus-board').getBoundingClientRect())"));
    }
    browser.resize(1280, 900);
    check_access(&mut browser, "test");
    take_pictures(&mut browser, "watch-test");
    let is_sorted = "(() => {
        const [curve, bound] = [...document.querySelectorAll('#tests .curve path')].map((one) => Number(one.getAttribute('d').split(' ').at(-1)));
        const [label, of_bound] = ['LLR', 'H1'].map((name) => [...document.querySelectorAll('#tests .end-label')].find((one) => one.lastChild.textContent === name).getAttribute('y'));
        return Math.sign(curve - bound) * (label - of_bound) >= 0;
    })()";
    // A little before the verdict, the names of the curves are in the order of their values.
    let most = lines[first.lines().count()..lines.len() - 2].concat();
    OpenOptions::new().append(true).open(&journal).unwrap().write_all(most.as_bytes()).unwrap();
    let n_points = lines.len() / 2;
    browser.wait_for(&format!(
        "document.querySelector('#tests .curve.series-1 path').getAttribute('d').split('L').length === {n_points}"
    ));
    assert_eq!(browser.evaluate(is_sorted), true);
    let ticks = "[...document.querySelectorAll('#tests .of-y')].map((one) => one.textContent)";
    assert_eq!(browser.evaluate(ticks), json!(["\u{2212}2.94", "0", "+2.94"]));
    // It is continued and ends at once: the page that is open does not miss it.
    browser.evaluate("document.body.dataset.isSame = ''");
    Command::new("kill").args(["-INT", &site.process.id().to_string()]).status().unwrap();
    site.process.wait().unwrap();
    browser.wait_for("'ended' in document.body.dataset");
    let mut site = Site::start(&mut cup.command(&[&format!("--serve={}", site.host)]));
    let mut printed = String::new();
    site.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    let begins = "good is stronger than bad: +";
    let (_, rest) = printed.split_once(&format!("\n{begins}")).unwrap_or_else(|| panic!("{printed}"));
    let (lead, figures) = rest.split_once(".\n  ").unwrap();
    assert!(figures.starts_with("H1 accepted after "), "{printed}");
    // As the page writes it: on one line, with the sign of minus.
    let figures = figures.split(", for ").next().unwrap().replace("(-", "(\u{2212}");
    let (lead, _) = lead.split_once(" Elo").unwrap();
    let verdict = &format!("{begins}{lead} Elo.").replace("(-", "(\u{2212}");
    let n = fs::read_to_string(&journal).unwrap().lines().count();
    browser.wait_for(&says("facts", &format!("decided after {n} matches")));
    assert_eq!(browser.evaluate("'isSame' in document.body.dataset"), true);
    assert_eq!(browser.evaluate(is_sorted), true);
    browser.wait_for(&says("stops", verdict));
    browser.wait_for(&says("stops", &figures));
    assert_eq!(
        browser.evaluate("document.getElementById('bar').value === document.getElementById('bar').max"),
        json!(true)
    );
    // The names of the curves are seen whole.
    let is_cut = "[...document.querySelectorAll('#tests .end-label')].some((one) => one.getBoundingClientRect().top < one.ownerSVGElement.getBoundingClientRect().top)";
    assert_eq!(browser.evaluate(is_cut), false);
    take_pictures(&mut browser, "watch-verdict");
    browser.open(&cup.path("sprt").join("report.html"));
    let shown = browser.evaluate("document.querySelector('.answer').innerText");
    let shown = shown.as_str().unwrap();
    assert!(
        shown.contains(verdict)
            && shown.contains(&figures)
            && shown.contains(" WW")
            && !shown.contains("Undecided"),
        "{shown}"
    );
    take_pictures(&mut browser, "report-test");
    browser.evaluate("location.hash = '#pairing=bad/good'");
    browser.wait_for("!document.getElementById('pairing').hidden");
    let pairing = browser.evaluate("document.querySelector('#pairing .verdict').innerText");
    assert!(pairing.as_str().unwrap().starts_with(verdict), "{pairing}");
    // The browser itself reports each attempt to find the arena.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
    assert_no_errors(&browser);
}

/// A long tournament of matches between two of these engines.
fn slow_cup(engine: &str) -> Tournament {
    let head = "[tournament]\npairs = 20\nconcurrency = 1\n[limits]\nmovetime = \"3s\"\nmax-plies = 8\n[[game]]\nid = \"push-push\"\n";
    Tournament::new(head, &[("good", engine), ("other", engine)])
}

/// A tournament is killed and continued on the same port: the page that is open goes on, and so it does after the end. It says
/// what to do next.
#[test]
#[ignore = "needs Chromium"]
fn an_open_page_survives_the_arena() {
    let cup = slow_cup("slow-200");
    let mut site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
    let port = format!("--serve={}", site.host);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    let rows = "document.querySelectorAll('table.results tbody tr').length";
    browser.wait_for(&format!("1 < {rows}"));
    browser.evaluate("document.body.dataset.isSame = ''");
    // Somebody studies a match while the arena is killed.
    browser.wait_for(
        "document.getElementById('focus-over').hidden && [3, 4, 5].includes(document.querySelectorAll('#focus-moves .move').length)",
    );
    browser.press("ArrowLeft");
    let studied = "[document.getElementById('focus-title').textContent, document.getElementById('focus-place').textContent.split('. The match')[0].split('. Its last')[0]]";
    let study = browser.evaluate(studied);
    site.process.kill().unwrap();
    site.process.wait().unwrap();
    browser.wait_for("!document.getElementById('lost').hidden");
    assert_eq!(browser.evaluate("document.getElementById('ended').hidden"), true);
    // What is shown is not taken for current.
    browser.wait_for("/^\\d\\d:\\d\\d:\\d\\d$/.test(document.getElementById('lost-at').textContent)");
    browser.wait_for("Number(getComputedStyle(document.querySelector('#focus-board svg')).opacity) < 1");
    // It covers nothing.
    browser.resize(390, 844);
    assert_eq!(browser.evaluate("document.getElementById('lost').getBoundingClientRect().bottom <= document.getElementById('now').getBoundingClientRect().top"), true);
    browser.resize(1280, 900);
    // The same address, secret included.
    let path = site.path.clone();
    let mut site = Site::start(&mut cup.command(&[&port, "--quiet"]));
    assert_eq!(site.path, path);
    let before = browser.evaluate(rows).as_u64().unwrap();
    browser.wait_for(&format!("document.getElementById('lost').hidden && {before} < {rows}"));
    // The match is played again from its start: what was seen of it stays, until the others are wanted.
    browser.wait_for(
        "/^(The connection was lost during m|M)atch /.test(document.getElementById('focus-over').innerText)",
    );
    assert_eq!(browser.evaluate(studied), study);
    browser.press("End");
    browser.wait_for("document.getElementById('focus-over').hidden");
    // Stopped by the user.
    let status = Command::new("kill").args(["-INT", &site.process.id().to_string()]).status().unwrap();
    assert!(status.success());
    browser.wait_for("!document.getElementById('ended').hidden && document.body.dataset.state === 'stopped'");
    browser.click("#ended summary");
    let ended = browser.evaluate("document.getElementById('ended').innerText");
    let ended = ended.as_str().unwrap();
    assert!(
        ended.contains("run the same command again") && ended.contains("arena report results/cup"),
        "{ended}"
    );
    check_width(&mut browser, "ended");
    check_access(&mut browser, "ended");
    take_pictures(&mut browser, "watch-ended");
    site.process.wait().unwrap();
    // Nobody can say what is asked for now: the list stays, and says what it has.
    let n_rows = browser.evaluate(rows);
    browser.click("#cross-body tbody tr:first-child td:nth-of-type(2) button");
    browser.wait_for("document.getElementById('results-said').textContent === 'The arena does not answer; the list is as before.'");
    let list = format!(
        "[document.getElementById('results-title').textContent, document.getElementById('of-engine').value, {rows}]"
    );
    assert_eq!(browser.evaluate(&list), json!(["Latest results", "", n_rows]));
    // Watched again, by another command.
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let folder = cup.path("results/cup");
    let site = Site::start(command.arg("serve").arg(folder).args(["--address", &site.host]));
    assert_eq!(site.path, path);
    browser.wait_for("document.getElementById('ended').hidden && document.body.dataset.state === 'stopped' && !document.getElementById('stopped').hidden");
    assert_eq!(browser.evaluate("'isSame' in document.body.dataset"), true);
    // The browser itself reports each attempt.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
    assert_no_errors(&browser);
}

/// The evaluations, the standings with their verdict, all at once on a screen.
fn standings_stand_beside_the_match(browser: &mut Browser) {
    browser.wait_for("document.querySelector('#focus-chart .curve path') !== null");
    browser.wait_for("document.querySelectorAll('#beside tbody tr').length === 2");
    // As long as matches are to come, it is provisional.
    browser.wait_for("document.querySelector('#beside .verdict').textContent.startsWith('so far ')");
    // It stands once.
    let n_verdicts =
        "[...document.querySelectorAll('.verdict')].filter((one) => 0 < one.getClientRects().length).length";
    assert_eq!(browser.evaluate(n_verdicts), 1);
    let basis = "document.querySelector('.basis').textContent";
    assert_eq!(
        browser.evaluate(basis),
        "Intervals: 95 % if the number of matches was fixed. The intervals are valid at the end: do not stop early because of them."
    );
    browser.wait_for("[...document.querySelectorAll('#standings-body thead th')].some((one) => one.textContent === 'Pairs')");
    browser.evaluate("scrollTo(0, 0)");
    let bottom = browser.evaluate("document.querySelector('#beside tbody').getBoundingClientRect().bottom");
    assert!(bottom.as_f64().unwrap() < 900.0, "{bottom}");
    // After so few matches, no rank is shown. The latest results are beside the board where there is room.
    assert_eq!(browser.evaluate("document.querySelectorAll('#beside .rank').length"), 0);
    let is_seen = "document.querySelector('#recent li a')?.getClientRects().length === 1";
    assert_eq!(browser.evaluate(is_seen), true);
    // None is cut, and only they scroll.
    let is_whole = "(() => { const column = document.querySelector('.beside-board'); const { bottom } = column.querySelector('#recent ul').getBoundingClientRect(); return column.scrollHeight <= column.clientHeight && [...column.querySelectorAll('#recent li')].every((one) => { const row = one.getBoundingClientRect(); return row.bottom < bottom + 1 || bottom - 1 < row.top; }); })()";
    assert_eq!(browser.evaluate(is_whole), true);
    // A long name is cut, and the score stays in view.
    let fits = "(() => { document.querySelector('#beside tbody bdi').textContent = 'an-engine-with-a-rather-long-name'; const box = document.getElementById('beside-body'); return box.scrollWidth <= box.clientWidth; })()";
    assert_eq!(browser.evaluate(fits), true);
    for (width, height) in [(1024, 768), (390, 844)] {
        browser.resize(width, height);
        let bottom =
            browser.evaluate("document.querySelector('#beside tbody').getBoundingClientRect().bottom");
        assert!(bottom.as_f64().unwrap() < f64::from(height), "{width}: {bottom}");
    }
    assert_eq!(browser.evaluate(is_seen), false);
    browser.resize(1440, 900);
    browser.wait_for("document.querySelectorAll('#cross tbody tr').length === 2");
    // A cell has the wins, draws and losses.
    let results = "document.querySelector('#cross-body .results').textContent";
    browser.wait_for(&format!("/^\\+\\d+ =\\d+ −\\d+$/.test({results})"));
    // An engine without an evaluation of the shown position has its name alone.
    assert_eq!(
        browser.evaluate("document.querySelector('#focus-chart .readout').textContent.includes('–')"),
        false
    );
}

/// A click on a move of an expected line shows its position; the match is one click away, or Escape. Lines that change stay under the
/// mouse. An earlier position is shown, and is so again after this.
fn an_expected_line_is_shown(browser: &mut Browser) {
    let place = "document.getElementById('focus-place').textContent";
    let position = "document.querySelector('#focus-board svg').ariaLabel";
    let before = [browser.evaluate(place), browser.evaluate(position)];
    for leaves in ["Escape", "a button"] {
        browser.click("#focus-lines button");
        browser.wait_for(&format!("/^Line of \\w+, 1 of \\d/.test({place})"));
        assert_eq!(browser.evaluate("document.querySelectorAll('#focus-lines [aria-current]').length"), 1);
        assert_ne!(browser.evaluate(position), before[1]);
        check_width(browser, "line");
        match leaves {
            "Escape" => browser.press("Escape"),
            _ => browser.click("#leave-line"),
        }
        browser.wait_for("document.getElementById('leave-line').hidden");
        assert_eq!([browser.evaluate(place), browser.evaluate(position)], before);
    }
    // The focus would hold them, too.
    browser.evaluate("document.activeElement.blur()");
    let lines = "document.getElementById('focus-lines').textContent";
    let held = browser.evaluate(lines);
    browser.point("#focus-board");
    browser.point("#focus-lines button");
    browser.press("ArrowRight");
    browser.wait_for("document.getElementById('focus-lines').hasAttribute('data-held')");
    assert_eq!(browser.evaluate(lines), held);
    browser.point("#focus-board");
    browser.wait_for(&format!("{lines} !== {held}"));
    browser.press("ArrowLeft");
    browser.wait_for(&format!("{lines} === {held}"));
}

/// A running match is walked through, the standings stand beside it, and one engine or game is followed.
#[test]
#[ignore = "needs Chromium"]
fn a_running_match_is_studied() {
    let head = "[tournament]\npairs = 2\nconcurrency = 2\n[limits]\nmovetime = \"10min\"\nmax-plies = 12\n[[game]]\nid = \"push-push\"\n[[game]]\nid = \"push\"\n";
    // A tournament whose last matches go on: the third engine thinks for ever about its sixth move.
    let cup =
        Tournament::new(head, &[("one", "second-analyse"), ("two", "second-analyse"), ("thinker", "think")]);
    let site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
    let mut browser = Browser::start();
    browser.resize(1440, 900);
    browser.visit(&site.url(""));
    // Two matches wait for the thinker; before, others have ended.
    browser.wait_for(
        "document.querySelectorAll('#boards li').length === 2
           && [...document.querySelectorAll('#boards li')].every((one) => one.textContent.includes('thinker') && 10 <= Number(one.dataset.ply))",
    );
    browser.wait_for("document.querySelectorAll('#focus-moves button').length >= 10");
    let shows = |text: &str| {
        format!("document.getElementById('focus-place').textContent.startsWith({})", json!(text))
    };
    let last = browser.evaluate("document.querySelectorAll('#focus-moves button').length").as_u64().unwrap();
    let number = |ply: u64| format!("After {}{} ", ply.div_ceil(2), if ply % 2 == 1 { "." } else { "..." });
    let earlier = |ply: u64| {
        let words = [number(ply), number(last).replace("After", ". The match is at")];
        let place = "document.getElementById('focus-place').textContent";
        format!("{}.every((words) => {place}.includes(words))", json!(words))
    };
    browser.wait_for(&shows(&number(last)));
    // What is said of an earlier move was known with it: how deep the search was, and how long it took.
    let most_facts =
        "Math.max(...[...document.querySelectorAll('#focus .thought')].map((one) => one.childElementCount))";
    assert!(1 < browser.evaluate(most_facts).as_u64().unwrap());
    let label = "document.querySelector('#focus-board svg').ariaLabel";
    browser.press("ArrowLeft");
    browser.wait_for(&earlier(last - 1));
    browser.click("#focus-moves li:nth-child(3) button");
    browser.wait_for(&earlier(3));
    assert!(1 < browser.evaluate(most_facts).as_u64().unwrap());
    // And so was what it expected.
    let lines = "document.getElementById('focus-lines').textContent";
    assert!(browser.evaluate(lines).as_str().unwrap().contains(" expects"));
    assert_eq!(browser.evaluate("document.querySelectorAll('#focus-board .arrow').length"), 1);
    an_expected_line_is_shown(&mut browser);
    assert!(browser.evaluate(label).as_str().unwrap().contains(". After 2. "));
    assert_eq!(browser.evaluate("document.querySelectorAll('#focus-moves [aria-current]').length"), 1);
    browser.click("[data-walk=first]");
    browser.wait_for(&shows("Start position. The match is at "));
    browser.press("End");
    browser.wait_for(&format!(
        "{} && !document.getElementById('focus-place').textContent.includes('The match')",
        shows(&number(last))
    ));
    standings_stand_beside_the_match(&mut browser);
    check_width(&mut browser, "studied");
    check_access(&mut browser, "studied");
    take_pictures(&mut browser, "watch-studied");
    // One game is followed: only its matches are shown.
    let choose = |value: &str| {
        format!(
            "(() => {{ const list = document.getElementById('wanted'); list.value = {}; list.dispatchEvent(new Event('change')); }})()",
            json!(value)
        )
    };
    let game = browser.evaluate("document.getElementById('focus-facts').textContent");
    let game = game.as_str().unwrap();
    browser.evaluate(&choose(&format!("g{game}")));
    browser.wait_for(&format!("document.getElementById('focus-facts').textContent === {}", json!(game)));
    browser.evaluate(&choose("ethinker"));
    browser.wait_for(
        "document.getElementById('elsewhere').textContent === '' && !document.getElementById('focus').hidden",
    );
    // An engine whose matches are over, as the list keeps it: that is said, and the last board stays.
    browser.evaluate("document.getElementById('wanted-engines').append(new Option('idle', 'eidle'))");
    browser.evaluate(&choose("eidle"));
    browser.wait_for(
        "/^No match of idle is being played now; waiting for the next one. Match \\d+, of Push( Push)?, is shown meanwhile.$/.test(document.getElementById('elsewhere').textContent)",
    );
    assert_eq!(
        browser.evaluate(
            "[document.getElementById('no-match').hidden, document.getElementById('focus').hidden]"
        ),
        json!([true, false])
    );
    browser.click("#follow-all");
    browser.wait_for("document.getElementById('elsewhere').textContent === '' && document.getElementById('follow-all').hidden");
    browser.evaluate(&choose(""));
    browser.wait_for("document.querySelectorAll('#boards li').length === 2");
    // Matches that are aborted are not over.
    for said in ["stop requested while 2 matches were being played", "stopped; 2 matches did not finish"] {
        let status = Command::new("kill").args(["-INT", &site.process.id().to_string()]).status().unwrap();
        assert!(status.success());
        browser.wait_for(&format!("document.querySelector('#log-body li')?.textContent === '{said}'"));
    }
    browser.wait_for("[...document.querySelectorAll('#boards .fine')].every((one) => one.textContent.endsWith(', stopped'))");
    // The page tries whether the arena is started again.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
    assert_no_errors(&browser);
}

/// Who steps back in a match stays with it when it ends, and goes on to the others when that is wanted.
#[test]
#[ignore = "needs Chromium"]
fn a_match_that_is_over_is_left_for_others() {
    let cup = slow_cup("slow");
    let site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    for leaves in ["End", "a button"] {
        browser.wait_for("document.getElementById('focus-over').hidden && 3 < document.querySelectorAll('#focus-moves li').length");
        browser.press("ArrowLeft");
        browser.press("ArrowLeft");
        browser.wait_for(
            "/The match (is at|ended with) /.test(document.getElementById('focus-place').textContent)",
        );
        browser.wait_for("!document.getElementById('focus-over').hidden");
        browser
            .wait_for("/^(1–0|0–1|½–½)$/.test(document.querySelector('#focus-moves .outcome')?.textContent)");
        let title = browser.evaluate("document.getElementById('focus-title').textContent");
        match leaves {
            "End" => browser.press("End"),
            _ => browser.click("#focus-over button"),
        }
        browser.wait_for(&format!(
            "document.getElementById('focus-title').textContent !== {title} && document.getElementById('focus-over').hidden"
        ));
    }
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

/// A person at the page, in the browser.
struct Player {
    browser: Browser,
    _site: Site,
    folder: TempDir,
}

impl Player {
    fn start(game: GameId, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Of the engine's two protocols, each lists its own games.
        let mode = if game == GameId::CHESS { "uci" } else { "good" };
        let fake = format!("fake={} {mode}", common::fake_engine().display());
        Self::against(&fake, folder, &[&["--game", game.id()], args].concat())
    }

    /// Against an engine, in a folder for the results.
    fn against(engine: &str, folder: TempDir, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(folder.path()).arg("play").arg(engine);
        let site = Site::start(command.args(["--results", "games"]).args(args));
        let mut browser = Browser::start();
        browser.visit(&site.url(""));
        Self { browser, _site: site, folder }
    }

    /// Against an engine that answers after so many milliseconds, in Push Push.
    fn against_slow(answers_after: u32, args: &[&str]) -> Self {
        let fake = format!("fake={} slow-{answers_after}", common::fake_engine().display());
        let args = [&["--game", GameId::PUSH_PUSH.id()], args].concat();
        Self::against(&fake, tempfile::tempdir().unwrap(), &args)
    }

    /// Waits until the person must move; false if the match is over.
    fn is_to_move(&mut self) -> bool {
        self.browser.wait_for("['you', 'over'].includes(document.body.dataset.turn)");
        self.browser.evaluate("document.body.dataset.turn") == "you"
    }

    fn ply(&mut self) -> u64 {
        self.browser.evaluate("Number(document.body.dataset.ply)").as_u64().unwrap()
    }

    fn legal_moves(&mut self, game: GameId) -> Vec<String> {
        let fen = self.browser.evaluate("document.getElementById('fen').value");
        Games::built_in().play(game, fen.as_str().unwrap()).unwrap().legal_moves()
    }

    /// Makes two moves, and waits for the answers.
    fn move_twice(&mut self, game: GameId) {
        for _ in 0..2 {
            assert!(self.is_to_move());
            let mv = self.legal_moves(game)[0].clone();
            self.click_move(&mv);
        }
        assert!(self.is_to_move());
    }

    /// Gives up after two moves: before, a match is aborted.
    fn lose(&mut self, game: GameId) {
        self.move_twice(game);
        self.browser.click("#resign");
        self.browser.click("#resign");
        self.browser.wait_for("!document.getElementById('after').hidden");
    }

    fn assert_verified(&self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        let output = command.current_dir(self.folder.path()).args(["verify", "games"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// Makes a move as a person does: the squares in order, and a choice where they do not say enough.
    fn click_move(&mut self, mv: &str) {
        let before = self.ply();
        let squares = squares_of(mv);
        for square in &squares {
            self.browser.click(&format!("#board [data-square={square}]"));
        }
        let choice = format!("#choices [data-move={}]", json!(mv));
        let is_offered =
            self.browser.evaluate(&format!("document.querySelector({}) !== null", json!(choice)));
        if is_offered == json!(true) {
            self.browser.click(&choice);
        }
        let is_made = format!("{before} < Number(document.body.dataset.ply)");
        if !self.browser.holds_soon(&is_made) {
            let page = self.browser.evaluate("document.querySelector('main').innerText");
            panic!("{mv} was not made: {page}; {:?}", self.browser.errors);
        }
    }
}

/// Where these elements are on the page, wherever it is scrolled to.
fn places(selector: &str) -> String {
    format!(
        "JSON.stringify([...document.querySelectorAll({})].map((one) => one.getBoundingClientRect()).filter(({{ width }}) => 0 < width).map(({{ x, y, width, height }}) => [x, y + scrollY, width, height].map(Math.round)))",
        json!(selector)
    )
}

/// Chooses from a list of the menu.
fn choose(browser: &mut Browser, id: &str, value: &str) {
    browser.evaluate(&format!(
        "(() => {{ const list = document.getElementById('choose-{id}');
           list.value = {}; list.dispatchEvent(new Event('change')); }})()",
        json!(value)
    ));
    assert_eq!(browser.evaluate(&format!("document.getElementById('choose-{id}').value")), json!(value));
}

/// The names of squares in a move, in order.
fn squares_of(mv: &str) -> Vec<String> {
    let bytes = mv.as_bytes();
    let mut squares = Vec::new();
    for (idx, byte) in bytes.iter().enumerate() {
        let digits = bytes[idx + 1..].iter().take(2).take_while(|digit| digit.is_ascii_digit()).count();
        if byte.is_ascii_lowercase() && 0 < digits && bytes[idx + 1] != b'0' {
            squares.push(mv[idx..=idx + digits].to_owned());
        }
    }
    squares
}

/// A second click on a chosen piece, or Esc, drops it, also after another piece was chosen first.
fn choose_and_drop(player: &mut Player, game: GameId) {
    assert!(player.is_to_move());
    let legal = player.legal_moves(game);
    let moves: Vec<Vec<String>> =
        legal.iter().map(|mv| squares_of(mv)).filter(|squares| !squares.is_empty()).collect();
    let first = &moves[0][0];
    let is_target = |square: &String| moves.iter().any(|mv| mv[0] == *first && mv[1..].contains(square));
    let other = moves.iter().map(|mv| &mv[0]).find(|square| *square != first && !is_target(square));
    let [first, other] = [first, other.unwrap()].map(|square| format!("#board [data-square={square}]"));
    let is_chosen = "document.querySelector('.input-marks .chosen') !== null";
    let is_dropped = "document.querySelector('.input-marks .chosen') === null && document.getElementById('said').textContent === 'Choose a piece.'";
    let browser = &mut player.browser;
    for squares in [vec![&first], vec![&first, &other]] {
        for square in &squares {
            browser.click(square);
            browser.wait_for(is_chosen);
        }
        browser.click(squares[squares.len() - 1]);
        browser.wait_for(is_dropped);
        browser.click(squares[0]);
        browser.wait_for(is_chosen);
        browser.press("Escape");
        browser.wait_for(is_dropped);
    }
}

/// Moves of a game are made by clicking, until the match is over, from nothing but what the page shows: a square that can be
/// chosen, one of the marked targets, and one of the buttons where there are some.
fn play_to_the_end(game: GameId) {
    let mut player = Player::start(game, &[]);
    choose_and_drop(&mut player, game);
    let mut random = 2026_u64;
    let mut n_moves = 0;
    while player.is_to_move() {
        let before = player.ply();
        let is_made = format!("{before} < Number(document.body.dataset.ply)");
        let mut n_clicks = 0;
        // Where nothing is chosen yet, any own piece may be the right one.
        let next = "(() => {
            const squares = [...document.querySelectorAll('#board [data-square]')];
            const marks = [...document.querySelectorAll('.input-marks .target')].map((mark) => mark.getBoundingClientRect());
            const holds = (square, { x, y, width, height }) => {
              const box = square.getBoundingClientRect();
              const [left, top] = [x + width / 2 - box.x, y + height / 2 - box.y];
              return 0 < left && left < box.width && 0 < top && top < box.height;
            };
            const marked = squares.filter((square) => marks.some((mark) => holds(square, mark)));
            const tops = [...document.querySelectorAll('#board [data-place]')].filter((stack) => [...stack.querySelectorAll('.piece')].at(-1).matches('.of-w'));
            const own = tops.map((stack) => squares[stack.dataset.place]);
            return [
              [marked, own, squares].find((some) => some.length !== 0).map((square) => square.dataset.square),
              [...document.querySelectorAll('#choices [data-move]')].map((button) => button.dataset.move),
            ];
          })()";
        while player.browser.evaluate("document.body.dataset.turn") == "you" && player.ply() == before {
            let shown = player.browser.evaluate(next);
            let [squares, choices] = [0, 1].map(|idx| shown[idx].as_array().unwrap().clone());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let chance = (random >> 33) as usize;
            if choices.is_empty() || (!squares.is_empty() && chance.is_multiple_of(8)) {
                player.browser.click(&format!(
                    "#board [data-square={}]",
                    squares[chance % squares.len()].as_str().unwrap()
                ));
            } else {
                player.browser.click(&format!("#choices [data-move={}]", choices[chance % choices.len()]));
            }
            n_clicks += 1;
            assert!(n_clicks < 2000, "{game}: no move is found by clicking");
            // The move that was made comes back from the arena.
            player.browser.evaluate("new Promise((done) => setTimeout(done, 20))");
        }
        assert!(player.browser.holds_soon(&format!("{is_made} || document.body.dataset.turn !== 'you'")));
        n_moves += 1;
        if n_moves == 6 {
            check_access(&mut player.browser, game.id());
            check_width(&mut player.browser, game.id());
            take_pictures(&mut player.browser, &format!("play-{game}"));
        }
    }
    let status = player.browser.evaluate("document.getElementById('status').textContent");
    assert!(status.as_str().unwrap().contains("Stored as match 1."), "{status}");
    player.browser.wait_for(
        "(() => { const [list, last] = ['#moves', '#moves [aria-current]'].map((one) => document.querySelector(one).getBoundingClientRect());
           return list.top <= last.top + 1 && last.bottom <= list.bottom + 1; })()",
    );
    assert_no_errors(&player.browser);
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(player.folder.path())
        .args(["verify", "games"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "games: 1 matches, no problems\n");
}

#[test]
#[ignore = "needs Chromium"]
fn tower_push_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::TOWER_PUSH);
}

#[test]
#[ignore = "needs Chromium"]
fn push_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::PUSH);
}

#[test]
#[ignore = "needs Chromium"]
fn push_push_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::PUSH_PUSH);
}

#[test]
#[ignore = "needs Chromium"]
fn tower_of_power_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::TOWER_OF_POWER);
}

#[test]
#[ignore = "needs Chromium"]
fn four_towers_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::FOUR_TOWERS);
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_with_the_keyboard_and_by_dragging() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::start(game, &["--as", "black"]);
    assert!(player.is_to_move());
    // The engine's first move does not close the help, and what Black may not do is said in plain words.
    assert_eq!(
        player.browser.evaluate("[document.body.dataset.ply, document.getElementById('how').open]"),
        json!(["1", true])
    );
    player.browser.wait_for(
        "/^White: [a-z]+ from [a-g]1 to [a-g]2\\.$/.test(document.getElementById('last-turn').textContent)",
    );
    player.browser.wait_for(
        "document.getElementById('notes').textContent.startsWith(\"Black's first move: must not bring a \")",
    );
    player.browser.evaluate("document.getElementById('board').focus()");
    // What the keys do is a key away.
    for is_open in [true, false] {
        player.browser.press("?");
        player
            .browser
            .wait_for(&format!("document.getElementById('keys').matches(':popover-open') === {is_open}"));
    }
    // The keys begin at a piece that can move; Enter chooses it.
    player.browser.press("Enter");
    player.browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
    player.browser.press("Escape");
    // Walks to each square of a move with the arrow keys. Black is at the bottom, so that all directions are turned.
    let mv = player.legal_moves(game)[0].clone();
    for square in squares_of(&mv) {
        for _ in 0..20 {
            let said = player.browser.evaluate("document.getElementById('cursor').textContent");
            let said = said.as_str().unwrap();
            let Some(at) = said.split(':').next().filter(|name| name.len() == 2) else {
                player.browser.press("ArrowUp");
                continue;
            };
            let distance = |idx: usize| i16::from(square.as_bytes()[idx]) - i16::from(at.as_bytes()[idx]);
            match (distance(0), distance(1)) {
                (0, 0) => break,
                (files, _) if files < 0 => player.browser.press("ArrowRight"),
                (files, _) if 0 < files => player.browser.press("ArrowLeft"),
                (_, ranks) if ranks < 0 => player.browser.press("ArrowUp"),
                _ => player.browser.press("ArrowDown"),
            }
        }
        player.browser.press("Enter");
    }
    player.browser.wait_for("Number(document.body.dataset.ply) === 3");
    assert_eq!(player.browser.evaluate("document.getElementById('how').open"), false);
    // Who does not see the board is told what is there now, and nothing of an earlier match.
    let target = squares_of(&mv)[1].clone();
    player.browser.wait_for(&format!(
        "document.getElementById('cursor').textContent.startsWith(\"{target}: Black's \")"
    ));
    assert_eq!(
        player.browser.evaluate("document.querySelector('#bottom .unseen').textContent"),
        " play Black"
    );
    assert!(player.is_to_move());
    // A move is dragged.
    let mv = player.legal_moves(game)[0].clone();
    let squares = squares_of(&mv);
    let on = |square: &str| format!("#board [data-square={square}]");
    let piece_on = |square: &str| {
        format!(
            "(() => {{ const [piece, ground] = [document.querySelectorAll('#board [data-place]'), document.querySelector({})].map((one) => one instanceof NodeList ? [...one] : one.getBoundingClientRect());
               return piece.some((one) => {{ const box = one.querySelector('.disc').getBoundingClientRect(); const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]; return ground.left < x && x < ground.right && ground.top < y && y < ground.bottom; }}); }})()",
            json!(on(square))
        )
    };
    assert_eq!(player.browser.evaluate(&piece_on(&squares[1])), false);
    player.browser.drag_and("left", &on(&squares[0]), &on(&squares[1]), |browser| {
        // The piece is where the pointer is.
        browser.wait_for(&piece_on(&squares[1]));
        assert_eq!(browser.evaluate(&piece_on(&squares[0])), false);
    });
    player.browser.wait_for("Number(document.body.dataset.ply) === 5");
    // Typed, taken back, a hint, and the end.
    assert!(player.is_to_move());
    let mv = player.legal_moves(game)[0].clone();
    player.browser.evaluate(&format!("document.getElementById('typed').value = {}", json!(mv)));
    player.browser.click("#type button");
    player.browser.wait_for("Number(document.body.dataset.ply) === 7");
    player.browser.wait_for("!document.getElementById('take-back').disabled");
    player.browser.click("#take-back");
    player
        .browser
        .wait_for("Number(document.body.dataset.ply) === 5 && document.body.dataset.turn === 'you'");
    player.browser.click("#hint");
    player.browser.wait_for("document.querySelector('.arrow.hinted') !== null");
    player.browser.wait_for(
        "/ Hint: [a-z]+ from [a-g][1-7] to [a-g][1-7](: .+)?\\.$/.test(document.getElementById('status').textContent)",
    );
    // It is asked in the same place, so that nothing moves.
    let place = "JSON.stringify(document.getElementById('resign').getBoundingClientRect())";
    let before = player.browser.evaluate(place);
    player.browser.click("#resign");
    player.browser.wait_for("document.getElementById('resign').textContent === 'Resign?'");
    assert_eq!(player.browser.evaluate(place), before);
    player.browser.click("#resign");
    player.browser.wait_for("document.body.dataset.turn === 'over'");
    player.browser.click("#new");
    player.browser.wait_for("document.body.dataset.ply === '0' && document.body.dataset.turn === 'you'");
    assert_eq!(player.browser.evaluate("document.getElementById('cursor').textContent"), "");
    assert_no_errors(&player.browser);
}

/// Nobody knows Four Towers: the page says what can be done, what it means, and why a click does nothing.
#[test]
#[ignore = "needs Chromium"]
fn an_unknown_game_explains_itself() {
    let mut player = Player::start(GameId::FOUR_TOWERS, &[]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let text = |id: &str| format!("document.getElementById('{id}').textContent");
    let says = |words: &str| format!("{}.includes({})", text("said"), json!(words));
    browser.wait_for(&format!("{}.includes('marshall (M)')", text("legend")));
    browser.wait_for(&format!("{}.includes('from')", text("notation")));
    // A piece is chosen; where it can go is marked by what it does there.
    let place = &places("#board, #moves, #type, #resign");
    let before = browser.evaluate(place);
    browser.click("#board [data-square=e8]");
    browser.wait_for(&says("no piece is here; choose "));
    browser.point("#board [data-square=e8]");
    browser.wait_for(&format!("{}.startsWith('e8: an empty tower; ')", text("pointed")));
    browser.click("#board [data-square=f10]");
    browser.wait_for(&says("this piece is not yours; choose "));
    let start = Games::built_in().startpos(GameId::FOUR_TOWERS).unwrap();
    let begins = |square: &str| start.legal_moves().iter().any(|mv| squares_of(mv)[0] == square);
    let pieces = start.scene().pieces;
    let own = pieces.iter().filter(|piece| piece.owner == Some(Side::White));
    let stuck = own.map(|piece| piece.square.to_string()).find(|square| !begins(square)).unwrap();
    browser.click(&format!("#board [data-square={stuck}]"));
    browser.wait_for(&says("this piece has no legal move now; choose "));
    browser.click("#board [data-square=d3]");
    browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
    browser.wait_for("document.querySelector('.input-marks .target.join') !== null");
    browser.wait_for(&says("joins the pawn there, which becomes a lancer"));
    browser.click("#board [data-square=i9]");
    browser.wait_for(&says("the pawn on d3 steps forward or sideways, and captures diagonally forward"));
    browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
    assert_eq!(browser.evaluate(place), before);
    check_access(browser, "help");
    // A typed move that is wrong gets a reason and examples, and can be mended.
    browser.evaluate("document.getElementById('typed').value = 'e2e4'");
    browser.click("#type button");
    // It stands at the field, and hides nothing else that is said.
    browser.wait_for(&format!(
        "{}.startsWith('e2e4 is not a legal move: the cardinal goes as bishop or knight; from e2, for example: ')",
        text("typed-said")
    ));
    let gap = "document.getElementById('typed-said').getBoundingClientRect().top - document.getElementById('typed').getBoundingClientRect().bottom";
    let gap = browser.evaluate(gap).as_f64().unwrap();
    assert!((0.0..12.0).contains(&gap), "{gap}");
    assert_eq!(browser.evaluate(place), before);
    for width in [1024, 390, 1280] {
        browser.resize(width, 900);
        assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "{width}");
    }
    assert_eq!(browser.evaluate("document.getElementById('typed').value"), "e2e4");
    // It goes with the next click, so that it covers nothing for long.
    browser.click("#status");
    browser.wait_for(&format!("{} === ''", text("typed-said")));
    browser.press("Escape");
    browser.wait_for("document.querySelector('.input-marks .chosen') === null");
    take_pictures(browser, "play-help");
    // How it is played stands beside the board, towers included, and at the top of the rules in a tab of their own.
    browser.wait_for(
        "document.querySelector('#how details table')?.textContent.includes('put pieces on other squares')",
    );
    // A picture is a board before a move and after it, with the piece that came.
    let drawn = "[...document.querySelectorAll('figure.picture')].filter((figure) => figure.querySelectorAll('.board svg').length === 2).length";
    browser
        .wait_for(&format!("2 <= {drawn} && {drawn} === document.querySelectorAll('figure.picture').length"));
    browser.click("#how details summary");
    browser.wait_for("0 < document.querySelector('#how table').getClientRects().length");
    check_access(browser, "how to play");
    take_pictures(browser, "play-how");
    browser.click("#marked summary");
    browser.wait_for("!document.getElementById('how').open && document.querySelector('#legend li') !== null");
    check_access(browser, "legend");
    let page = browser.evaluate("location.href");
    assert_eq!(browser.evaluate("document.getElementById('rules').target"), "_blank");
    browser.evaluate("location.href = document.getElementById('rules').href");
    browser.wait_for("document.querySelector('h1')?.textContent === 'Rules of Four Towers'");
    browser.wait_for("document.querySelector('h3').textContent === 'How to play'");
    browser.wait_for(&format!("2 <= {drawn}"));
    check_access(browser, "rules");
    take_pictures(browser, "play-rules");
    browser.visit(page.as_str().unwrap());
    browser.wait_for("document.querySelector('#board svg') !== null");
    player.click_move("d3d4");
    assert!(player.is_to_move());
    player.browser.wait_for("document.querySelectorAll('#board .mark-edge.to').length === 1");
    // A piece that has joined another one of its side was not captured.
    player.click_move("g3h3");
    assert!(player.is_to_move());
    assert_eq!(player.browser.evaluate("document.querySelectorAll('#moves .of-w .capture').length"), 0);
    // Where a whole piece and a part of it can go, the whole one comes first, and another click moves it.
    let button = &places("#resign");
    let before = player.browser.evaluate(button);
    player.browser.click("#board [data-square=d4]");
    player.browser.click("#board [data-square=d5]");
    player.browser.wait_for(
        "[...document.querySelectorAll('#choices button')].map((one) => one.textContent).map((words, idx) => words.startsWith(['The whole lancer goes; on the tower: ', 'Only its pawn part goes'][idx])).join() === 'true,true'",
    );
    assert_eq!(player.browser.evaluate(button), before);
    // All are seen whole.
    let are_seen = "[...document.querySelectorAll('#choices button')].every((one) => { const { left, width, top, bottom } = one.getBoundingClientRect(); return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint(left + width / 2, y))); })";
    assert_eq!(player.browser.evaluate(are_seen), true);
    take_pictures(&mut player.browser, "play-choices");
    player.browser.click("#board [data-square=d5]");
    player.browser.wait_for("4 < Number(document.body.dataset.ply)");
    assert_no_errors(&player.browser);
    two_pieces_become_one_on_a_tower();
}

/// The effect on the tower is that of the piece which stands there afterwards, and no other.
fn two_pieces_become_one_on_a_tower() {
    let fen = "dmk/rnb1bq/p1ppppbm1/4nBp1pp/2p4p2/9/3M6/PPPP2N3/3PPPPPP/QCDB1R/KMD w - B R - - 1 10";
    let mut player = Player::start(GameId::FOUR_TOWERS, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let page = browser.evaluate("location.href");
    browser.click("#board [data-square=g8]");
    browser.point("#board [data-square=d5]");
    browser.wait_for(
        "/^d5: joins the marshall there, which becomes a wizard; on the tower: its side may [^;:]* in one turn; d5: trades places with the marshall$/.test(document.getElementById('pointed').textContent)",
    );
    browser.click("#board [data-square=d5]");
    browser.click("#choices button");
    browser.wait_for("1 < Number(document.body.dataset.ply)");
    // What a tower did in an earlier position is told there.
    browser.press("Home");
    browser.point("#board [data-square=d5]");
    browser.wait_for(
        "document.getElementById('pointed').textContent.startsWith(\"d5 (White's marshall): the tower's effect: \")",
    );
    browser.wait_for("document.querySelectorAll('.preview .area').length === 36");
    // A finger does not click.
    browser.touch();
    browser.visit(page.as_str().unwrap());
    browser.wait_for("document.body.dataset.turn === 'you'");
    browser.click("#board [data-square=d2]");
    browser.wait_for("document.getElementById('said').textContent.includes(': tap a ')");
    assert_no_errors(browser);
}

/// Whatever the page says, neither the board nor a button nor the moves change their place.
#[test]
#[ignore = "needs Chromium"]
fn nothing_moves_while_a_match_is_played() {
    let mut n_choices = 0;
    for &game in GameId::BUILT_IN {
        let mut player = Player::start(game, &[]);
        assert!(player.is_to_move());
        // The list of moves appears, and "How to play" closes.
        let last = |legal: &[String]| legal.last().unwrap().clone();
        let mv = last(&player.legal_moves(game));
        player.click_move(&mv);
        assert!(player.is_to_move());
        // The place of the moves is kept when all are taken back.
        let fixed = places(".side > .buttons > *, #type");
        let before = player.browser.evaluate(&fixed);
        player.browser.click("#take-back");
        player.browser.wait_for("document.body.dataset.ply === '0' && document.body.dataset.turn === 'you'");
        assert_eq!(player.browser.evaluate(&fixed), before, "{game}: no move");
        player.click_move(&mv);
        assert!(player.is_to_move());
        for (width, height) in [(1440, 900), (390, 844)] {
            player.browser.resize(width, height);
            player.browser.wait_until_still("#board svg");
            let place = places("#board svg, .side > .buttons > *, #moves, #type");
            let before = player.browser.evaluate(&place);
            let stays = |browser: &mut Browser, what: &str| {
                assert_eq!(browser.evaluate(&place), before, "{game}, {width}: {what}");
            };
            let legal = player.legal_moves(game);
            let moves: Vec<_> = legal.iter().map(|mv| squares_of(mv)).collect();
            let click = |browser: &mut Browser, square: &str| {
                browser.click(&format!("#board [data-square={square}]"));
            };
            let browser = &mut player.browser;
            click(browser, &moves[0][0]);
            browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
            stays(browser, "a piece is chosen");
            let squares = browser.evaluate(
                "[...document.querySelectorAll('#board [data-square]')].map((one) => one.dataset.square)",
            );
            let squares = squares.as_array().unwrap().iter().map(|square| square.as_str().unwrap());
            let is_wrong = |square: &&str| {
                moves.iter().all(|names| {
                    names[0] != *square
                        && (names[0] != moves[0][0] || names[1..].iter().all(|name| name != square))
                })
            };
            let wrong = squares.rev().find(is_wrong);
            click(browser, wrong.unwrap());
            browser.wait_for("document.querySelector('#said.is-wrong') !== null");
            stays(browser, "a wrong square");
            browser.press("Escape");
            // Squares that several moves share.
            let shared = moves.iter().find(|names| 1 < moves.iter().filter(|other| other == names).count());
            if let Some(names) = shared {
                for square in names {
                    click(browser, square);
                }
                browser.wait_for("1 < document.querySelectorAll('#choices [data-move]').length");
                stays(browser, "a choice");
                browser.press("Escape");
                n_choices += 1;
            }
            browser.click("#hint");
            browser.wait_for("document.querySelector('.arrow.hinted') !== null");
            stays(browser, "a hint");
            // It stays in view where it is needed to choose.
            if let Some(names) = shared {
                for square in names {
                    click(browser, square);
                }
                browser.wait_for("1 < document.querySelectorAll('#choices [data-move]').length");
                browser.evaluate("document.querySelector('.asked').scrollTo(0, 1000)");
                let is_seen = "(() => { const [box, now, line] = ['.saying', '.now', '#status'].map((one) => document.querySelector(one).getBoundingClientRect());
                    return box.top <= line.top + 1 && line.bottom <= now.bottom + 1 && now.bottom <= box.bottom + 1 && document.getElementById('status').textContent.includes(' Hint: '); })()";
                assert_eq!(browser.evaluate(is_seen), true, "{game}, {width}");
                browser.press("Escape");
            }
            for what in ["an evaluation", "no evaluation"] {
                browser.click("#thoughts");
                stays(browser, what);
            }
            player.click_move(&last(&legal));
            assert!(player.is_to_move());
            stays(&mut player.browser, "a move");
        }
        assert_no_errors(&player.browser);
    }
    assert!(0 < n_choices, "no position had a choice");
}

/// The next move is chosen while the engine thinks, and played after its move.
#[test]
#[ignore = "needs Chromium"]
fn a_move_is_chosen_ahead() {
    let mut player = Player::against_slow(2000, &[]);
    assert!(player.is_to_move());
    player.click_move("e1e2");
    let browser = &mut player.browser;
    browser.wait_for("document.body.dataset.turn === 'engine'");
    let is_marked = |n: u32| format!("document.querySelectorAll('.input-marks .ahead').length === {n}");
    let click = |browser: &mut Browser, square: &str, n: u32| {
        browser.click(&format!("#board [data-square={square}]"));
        browser.wait_for(&is_marked(n));
    };
    click(browser, "b1", 1);
    click(browser, "b2", 2);
    browser.wait_for("document.getElementById('said').textContent.startsWith('Your next move is marked: ')");
    // A click elsewhere takes it back.
    click(browser, "d6", 0);
    click(browser, "c1", 1);
    click(browser, "c2", 2);
    browser.wait_for("document.body.dataset.ply === '3'");
    assert_eq!(browser.evaluate("document.querySelectorAll('#moves .of-w')[1].textContent"), "2.c1c2 White");
    browser.wait_for(&is_marked(0));
    // What is not legal then is not played.
    click(browser, "a1", 1);
    click(browser, "a7", 2);
    browser.wait_for("document.body.dataset.turn === 'you'");
    browser.wait_for(&is_marked(0));
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "4");
    // Who takes back a move takes back what shall follow it, too.
    player.click_move("g1g2");
    let browser = &mut player.browser;
    browser.wait_for("document.body.dataset.turn === 'engine'");
    click(browser, "a1", 1);
    click(browser, "a2", 2);
    browser.click("#take-back");
    browser.wait_for("document.body.dataset.ply === '4' && document.body.dataset.turn === 'you'");
    browser.wait_for(&is_marked(0));
    browser.wait_for("document.getElementById('said').textContent === 'Choose a piece.'");
    assert_no_errors(&player.browser);
}

/// Whether a move of two squares changes another square, and takes nothing.
fn pushes(play: &dyn AnyPlay, mv: &str) -> bool {
    let mut next = play.boxed();
    next.play(mv).unwrap();
    let n_pieces = |play: &dyn AnyPlay| play.scene().pieces.len();
    let has_entered = |touch: &Touch| touch.role.is_none() && touch.change == Some(Change::Entered);
    n_pieces(next.as_ref()) == n_pieces(play)
        && squares_of(mv).len() == 2
        && next.effects().unwrap().touches.iter().any(has_entered)
}

/// What a move does is shown before it is made.
#[test]
#[ignore = "needs Chromium"]
fn captures_and_pushes_are_marked() {
    let mut player = Player::start(GameId::CHESS, &["--fen", "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1"]);
    assert!(player.is_to_move());
    player.browser.click("#board [data-square=e4]");
    player.browser.wait_for("document.querySelectorAll('.input-marks .target.capture').length === 1");
    player.browser.wait_for("document.querySelectorAll('.input-marks .target.move').length === 1");
    // A king in check is marked, and the page says so.
    player.click_move("a1a8");
    assert!(player.is_to_move());
    player.browser.click("#moves button");
    player.browser.wait_for(
        "document.getElementById('status').textContent === 'Earlier position: check.' && document.querySelector('#board .check') !== null",
    );
    // Where the hint is one of several moves to choose from, its button is marked.
    let mut player = Player::start(GameId::CHESS, &["--fen", "7k/P7/8/8/8/8/5q2/7K w - - 0 1"]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#hint");
    browser.wait_for("document.querySelector('.arrow.hinted') !== null");
    browser.click("#board [data-square=a7]");
    browser.click("#board [data-square=a8]");
    browser.wait_for("document.querySelectorAll('#choices button').length === 4");
    browser.wait_for("[...document.querySelectorAll('#choices button')].filter((one) => one.textContent.endsWith(' (hint)')).length === 1");
    assert_eq!(browser.evaluate("document.querySelectorAll('#choices .hinted').length"), 1);
    // A piece in hand is placed: each square for it is marked at once.
    let fen = "1x1x1xx/1x1xx2/6x/1X1T1x1/1X3x1/3X3/7 w 1 0 b - 0 35";
    let n_empty = Games::built_in().play(GameId::TOWER_PUSH, fen).unwrap().legal_moves().len();
    let mut player = Player::start(GameId::TOWER_PUSH, &["--fen", fen]);
    assert!(player.is_to_move());
    player
        .browser
        .wait_for(&format!("document.querySelectorAll('.input-marks .target.move').length === {n_empty}"));
    player
        .browser
        .wait_for("document.getElementById('said').textContent === 'Place a piece on a marked square.'");
    // A row of three: the stone that it captures on its way is marked, and not only where the row ends.
    let fen = "8/8/8/8/1s6/S7/SS6/S6s w 0 0";
    let mut player = Player::start(GameId::TOWER_OF_POWER, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#board [data-square=a1]");
    browser.wait_for(
        "document.getElementById('said').textContent.includes('a dashed square, to lay a row out from there')",
    );
    browser.click("#board [data-square=a3]");
    browser.wait_for("document.querySelector('.input-marks .target.lay') !== null");
    assert_eq!(browser.evaluate("document.querySelectorAll('.input-marks .target.capture').length"), 1);
    browser.wait_for("document.querySelector('#choices button').textContent === 'Move only a1 onto a3'");
    assert_eq!(browser.evaluate("document.querySelectorAll('#marks .target.push').length"), 0);
    // A click on what is captured means the square where that row ends; a cross shows what was captured.
    browser.click("#board [data-square=b4]");
    browser.wait_for(
        "document.body.dataset.ply !== '0' && ['you', 'over'].includes(document.body.dataset.turn)",
    );
    browser.click("#moves button");
    browser.wait_for("document.getElementById('status').textContent === 'Earlier position.'");
    browser.wait_for("document.querySelectorAll('#board path.gone').length === 1");
    browser.wait_for("document.querySelectorAll('#moves li:first-child .capture').length === 1");
    // A knight chooses the direction of its push: the buttons stand as the directions do, and say what each one does.
    let fen = "7k/5N2/8/8/8/8/8/K7 w 00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000 - 0 0 0";
    let mut player = Player::start(GameId::PUSH, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#board [data-square=f7]");
    browser.wait_for("document.querySelectorAll('.input-marks .target.capture').length === 1");
    browser.click("#board [data-square=h8]");
    let wins = "#choices [data-move='f7xh8:n']";
    browser.wait_for(&format!(
        "document.querySelector({}).ariaLabel === \"Kills Black's king on h8, pushed ↑ off the board: you win\"",
        json!(wins)
    ));
    let lies = |way: &str, sign: &str| {
        let place = "[one.getBoundingClientRect().x - up.x > 0, one.getBoundingClientRect().y - up.y > 0, one.innerText.startsWith";
        format!(
            "(() => {{ const up = document.querySelector({}).getBoundingClientRect(); const one = document.querySelector(\"#choices [data-move='f7xh8:{way}']\"); return {place}('{sign}')]; }})()",
            json!(wins)
        )
    };
    assert_eq!(browser.evaluate(&lies("e", "→")), json!([true, true, true]));
    assert_eq!(browser.evaluate(&lies("ne", "↗")), json!([true, false, true]));
    take_pictures(browser, "play-directions");
    browser.click(wins);
    browser.wait_for(
        "document.getElementById('status').textContent.startsWith(\"You have won: Black's king died\")",
    );
    // The arrow of a push is dotted, unlike those of engines.
    browser.wait_for(
        "getComputedStyle(document.querySelector('#board .shift .shaft')).strokeDasharray !== 'none'",
    );
    assert_eq!(browser.evaluate("document.querySelector('#moves .outcome').textContent"), "1–0");
    for game in [GameId::PUSH, GameId::TOWER_PUSH] {
        let mut player = Player::start(game, &[]);
        assert!(player.is_to_move());
        for n in 0.. {
            assert!(n < 30, "{game}: nothing can be pushed");
            let fen = player.browser.evaluate("document.getElementById('fen').value");
            let play = Games::built_in().play(game, fen.as_str().unwrap()).unwrap();
            let legal = play.legal_moves();
            if let Some(mv) = legal.iter().find(|mv| pushes(play.as_ref(), mv)) {
                player.browser.click(&format!("#board [data-square={}]", squares_of(mv)[0]));
                player.browser.wait_for("document.querySelector('.input-marks .target.push') !== null");
                take_pictures(&mut player.browser, &format!("play-{game}-push"));
                break;
            }
            player.click_move(&legal[n % legal.len()]);
            assert!(player.is_to_move());
        }
    }
}

/// A slip does not lose a match: the move is asked for once more.
/// The squares of a knight's push do not say where the pushed piece goes: a click on that square does.
#[test]
#[ignore = "needs Chromium"]
fn where_a_pushed_piece_goes_is_clicked() {
    let mut play = Games::built_in().startpos(GameId::PUSH).unwrap();
    // The squares of several moves.
    let shared = |play: &dyn AnyPlay| {
        let all: Vec<_> = play.legal_moves().iter().map(|mv| squares_of(mv)).collect();
        let is_shared = |squares: &&Vec<String>| 1 < all.iter().filter(|other| other == squares).count();
        all.iter().find(is_shared).filter(|_| play.side_to_move() == Side::White).cloned()
    };
    while shared(play.as_ref()).is_none() {
        let mv = play.legal_moves().swap_remove(0);
        play.play(&mv).unwrap();
    }
    let mut player = Player::start(GameId::PUSH, &["--fen", &play.fen()]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let squares = shared(play.as_ref()).unwrap();
    let buttons = &places("#take-back, #hint, #resign");
    let is_whole = "(() => { const asked = document.querySelector('.asked'); const box = asked.getBoundingClientRect();
        return [...document.querySelectorAll('#said, #choices button')].map((one) => one.getBoundingClientRect()).every(({ left, right, top, bottom }) =>
            box.top - 1 <= top && bottom <= box.bottom + 1 && asked.contains(document.elementFromPoint((left + right) / 2, bottom - 3))); })()";
    browser.click("#thoughts");
    // The choice appears where it moves no button.
    for width in [390, 1280] {
        browser.press("Escape");
        browser.resize(width, 900);
        browser.wait_until_still("#board svg");
        let before = browser.evaluate(buttons);
        for square in &squares {
            browser.click(&format!("#board [data-square={square}]"));
        }
        browser.wait_for(
            "document.getElementById('said').textContent.includes('click a marked square of the board, or an arrow')",
        );
        assert_eq!(browser.evaluate(buttons), before, "{width}");
        assert_eq!(browser.evaluate(is_whole), true, "{width}: all of the choice is seen");
    }
    // A second click on the target keeps it.
    let chosen = "document.querySelectorAll('.input-marks .chosen').length";
    assert_eq!(browser.evaluate(chosen), json!(squares.len()));
    browser.click(&format!("#board [data-square={}]", squares[squares.len() - 1]));
    assert_eq!(browser.evaluate(chosen), json!(squares.len()));
    browser.wait_for(
        "document.getElementById('said').textContent.includes('click a marked square of the board, or an arrow')",
    );
    take_pictures(browser, "play-landings");
    let marked = "[...document.querySelectorAll('.input-marks .target.push')].map((mark) => mark.getAttribute('transform'))";
    let marked = browser.evaluate(marked);
    assert!(1 < marked.as_array().unwrap().len(), "{marked}");
    // Pointing at such a square shows what comes of it, and a click plays the move.
    let place = "{ const mark = document.querySelector('.input-marks .target.push').getBoundingClientRect(); const [x, y] = [mark.x + mark.width / 2, mark.y + mark.height / 2]; [...document.querySelectorAll('#board [data-square]')].find((one) => { const box = one.getBoundingClientRect(); return box.left < x && x < box.right && box.top < y && y < box.bottom; }).dataset.square }";
    let landing = browser.evaluate(place);
    let landing = format!("#board [data-square={}]", landing.as_str().unwrap());
    browser.point(&landing);
    browser.wait_for("document.querySelector('.preview .ghost') !== null");
    browser.click(&landing);
    browser.wait_for("Number(document.body.dataset.ply) >= 1");
    let played = browser.evaluate("document.querySelector('#moves button').textContent");
    assert!(played.as_str().unwrap().contains(&format!("{}x{}:", squares[0], squares[1])), "{played}");
    assert_no_errors(browser);
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_loses_at_once_is_asked_again() {
    let game = GameId::PUSH;
    let mut player = Player::start(game, &["--start", "default"]);
    assert!(player.is_to_move());
    let loses = |mv: &String| {
        let mut next = Games::built_in().startpos(game).unwrap();
        next.play(mv).unwrap();
        squares_of(mv).len() == 2 && next.end().is_some_and(|end| end.winner == Some(Side::Black))
    };
    let losing = Games::built_in().startpos(game).unwrap().legal_moves().into_iter().find(loses).unwrap();
    let squares = squares_of(&losing);
    let browser = &mut player.browser;
    browser.click(&format!("#board [data-square={}]", squares[0]));
    browser.wait_for("document.querySelector('.input-marks .target.lose') !== null");
    take_pictures(browser, "play-lose");
    browser.click(&format!("#board [data-square={}]", squares[1]));
    browser.wait_for("document.querySelector('#choices button').textContent.includes('you lose')");
    browser.wait_for(
        "document.getElementById('said').textContent.includes('Click again to play it, Esc to choose')",
    );
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
    browser.click("#choices button");
    browser.wait_for("document.body.dataset.turn === 'over'");
    assert_no_errors(browser);
}

/// A piece of one's own is not killed by one click: the page names it, and offers to choose it instead.
#[test]
#[ignore = "needs Chromium"]
fn a_push_that_kills_an_own_piece_is_asked_again() {
    let fen = "5prk/6nb/6p1/8/8/1P6/BN6/KRP5 w 00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000 - 0 0 0";
    let mut player = Player::start(GameId::PUSH, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let says =
        |words: &str| format!("document.getElementById('said').textContent.includes({})", json!(words));
    browser.click("#board [data-square=a2]");
    browser.wait_for(&says("click a diamond to push or a cross to lose a piece"));
    browser.click("#board [data-square=b1]");
    browser.wait_for(&says(
        "this kills your rook on b1, pushed ↘ off the board. Click again to play it, Esc to choose another square",
    ));
    // The move is shown before it is made.
    browser.wait_for("document.querySelector('.preview .shift .gone') !== null");
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
    take_pictures(browser, "play-own");
    browser.click("#choices [data-instead]");
    browser.wait_for("document.querySelectorAll('.input-marks .chosen').length === 1");
    // What is in the way is named.
    browser.click("#board [data-square=b6]");
    browser.wait_for(&says("your knight on b2 is in the way"));
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
    browser.press("Escape");
    for _ in 0..2 {
        browser.click("#board [data-square=a2]");
        browser.click("#board [data-square=b1]");
        browser.wait_for(&says("Click again to play it"));
        browser.press("Escape");
        browser.wait_for("document.querySelector('.input-marks .chosen') === null");
    }
    for square in ["a2", "b1", "b1"] {
        browser.click(&format!("#board [data-square={square}]"));
    }
    browser.wait_for("0 < Number(document.body.dataset.ply)");
    assert_no_errors(browser);
    // The cross stands on the piece that is lost, and not on the one that is pushed against it. Both are clicked for that move.
    let mut player = Player::start(GameId::PUSH_PUSH, &["--fen", "7/7/3*3/3d3/7/7/ABC1D2 w - - 0 0"]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#board [data-square=c1]");
    let is_on = |kind: &str, square: &str| {
        format!(
            "(() => {{ const [mark, square] = ['.target.{kind}', '[data-square={square}]'].map((one) => document.querySelector(`#board ${{one}}`).getBoundingClientRect()); const x = mark.x + mark.width / 2; return square.left < x && x < square.right; }})()"
        )
    };
    assert_eq!(browser.evaluate(&is_on("own", "a1")), true);
    assert_eq!(browser.evaluate(&is_on("push", "b1")), true);
    for _ in 0..2 {
        assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
        browser.click("#board [data-square=a1]");
    }
    browser.wait_for("0 < Number(document.body.dataset.ply)");
    assert_no_errors(browser);
}

/// Without a clock, a machine that is busy does not end a match.
#[test]
#[ignore = "needs Chromium"]
fn an_engine_that_is_late_plays_on() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::against_slow(400, &["--movetime", "100ms"]);
    assert!(player.is_to_move());
    // At first, everything can be chosen again; the limits of the arguments are among it.
    player.browser.click("#resign");
    player
        .browser
        .wait_for("document.getElementById('choose-time').selectedOptions[0]?.text === 'movetime 100ms'");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    let mv = player.legal_moves(game)[0].clone();
    player.click_move(&mv);
    assert!(player.is_to_move(), "the late move counts");
    player.browser.wait_for("document.body.dataset.ply === '2'");
    assert_no_errors(&player.browser);
}

/// Nobody waits for the engine to take back a move, or to give up.
#[test]
#[ignore = "needs Chromium"]
fn the_engine_is_stopped_by_taking_back_and_resigning() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::against_slow(8000, &[]);
    assert!(player.is_to_move());
    let thinks = "document.body.dataset.turn === 'engine'";
    let mv = player.legal_moves(game)[0].clone();
    player.click_move(&mv);
    player.browser.wait_for(thinks);
    player.browser.click("#take-back");
    player.browser.wait_for("document.body.dataset.turn === 'you' && document.body.dataset.ply === '0'");
    for n_plies in [1, 3] {
        assert!(player.is_to_move());
        let mv = player.legal_moves(game)[0].clone();
        player.click_move(&mv);
        player.browser.wait_for(&format!("{thinks} && document.body.dataset.ply === '{n_plies}'"));
    }
    player.browser.click("#resign");
    player.browser.wait_for("document.getElementById('resign').textContent === 'Resign?'");
    player.browser.click("#resign");
    let status = "document.getElementById('status').textContent";
    player.browser.wait_for(&format!("{status} === 'You have lost: you resigned. Stored as match 1.'"));
    assert_eq!(player.ply(), 3, "the engine's move does not count");
    assert_no_errors(&player.browser);
    player.assert_verified();
}

/// A match is left without a result as long as it has hardly begun. The keys walk on the board of the next one.
#[test]
#[ignore = "needs Chromium"]
fn a_match_is_aborted_for_another_board() {
    let folder = tempfile::tempdir().unwrap();
    let fake = toml::Value::from(common::fake_engine().to_str().unwrap());
    let file = format!(
        "[limits]\nmovetime = \"1s\"\n[[engine]]\nname = \"fake\"\ncommand = {fake}\nargs = [\"good\"]\n[[engine]]\nname = \"other\"\ncommand = {fake}\nargs = [\"good\"]\n"
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).args(["play", "--config", "cup.toml", "--results", "games"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    let mut player = Player { browser, _site: site, folder };
    let word = "document.getElementById('resign').textContent";
    player.browser.wait_for("!document.getElementById('menu').hidden");
    // A long list has groups.
    choose(&mut player.browser, "game", "push");
    player.browser.wait_for("document.querySelectorAll('#choose-start optgroup').length === 3");
    choose(&mut player.browser, "game", "tower-of-power");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    player.browser.click("#board [data-square=h8]");
    player.browser.wait_for(&format!("{word} === 'Abort'"));
    player.browser.click("#resign");
    player.browser.wait_for("!document.getElementById('menu').hidden");
    choose(&mut player.browser, "game", "push-push");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    player.browser.evaluate("document.getElementById('board').focus()");
    player.browser.press("ArrowUp");
    player.browser.wait_for("/^[a-g][1-7]: /.test(document.getElementById('cursor').textContent)");
    for expected in ["Abort", "Abort", "Resign"] {
        assert!(player.is_to_move());
        player.browser.wait_for(&format!("{word} === '{expected}'"));
        let mv = player.legal_moves(GameId::PUSH_PUSH)[0].clone();
        player.click_move(&mv);
    }
    assert!(player.is_to_move());
    player.browser.click("#take-back");
    player.browser.wait_for("document.body.dataset.ply === '4'");
    // A key does the same, also on the board.
    player.browser.press("u");
    player.browser.wait_for(&format!("document.body.dataset.ply === '2' && {word} === 'Abort'"));
    player.browser.click("#resign");
    player.browser.wait_for("!document.getElementById('menu').hidden");
    assert_no_errors(&player.browser);
    assert!(!player.folder.path().join("games").exists(), "nothing is stored");
}

/// Random moves are no advice.
#[cfg(unix)]
#[test]
#[ignore = "needs Chromium"]
fn a_hint_against_random_moves_is_of_an_engine_that_searches() {
    let folder = tempfile::tempdir().unwrap();
    // Where the arena's own engines are not in its folder.
    for name in ["random", "alpha-beta"] {
        std::os::unix::fs::symlink(common::fake_engine(), folder.path().join(name)).unwrap();
    }
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let engine = folder.path().join("random").display().to_string();
    command.current_dir(folder.path()).env("PATH", path).args(["play", &engine, "--game", "push-push"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    let mut player = Player { browser, _site: site, folder };
    assert!(player.is_to_move());
    player.browser.press("h");
    player.browser.wait_for("document.querySelector('.arrow.hinted') !== null");
    player
        .browser
        .wait_for("document.getElementById('status').textContent.includes(' Hint of alpha-beta: ')");
    // A second window plays the same match, and both say so.
    let address = player.browser.evaluate("location.href");
    let mut other = Browser::start();
    other.visit(address.as_str().unwrap());
    for browser in [&mut other, &mut player.browser] {
        browser.wait_for("document.getElementById('shared').getClientRects().length === 1");
    }
    drop(other);
    player.browser.wait_for("document.getElementById('shared').hidden");
    assert_no_errors(&player.browser);
}

/// The moves are walked through without taking any back; the engine's evaluation is hidden until asked for.
#[test]
#[ignore = "needs Chromium"]
fn earlier_positions_are_seen_and_the_match_goes_on() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::start(game, &[]);
    player.move_twice(game);
    player.browser.wait_for("document.body.dataset.ply === '4'");
    let shows = |number: &str| format!("document.getElementById('place').textContent.startsWith('{number}')");
    let fen = player.browser.evaluate("document.getElementById('fen').value");
    player.browser.press("ArrowLeft");
    player.browser.wait_for(&shows("After 2. "));
    player.browser.press("Home");
    player.browser.wait_for(&shows("Start position"));
    assert_eq!(
        player.browser.evaluate("document.getElementById('fen').value"),
        json!(Games::built_in().startpos(game).unwrap().fen())
    );
    player.browser.click("[data-walk=forward]");
    player.browser.wait_for(&shows("After 1. "));
    player.browser.click("#moves li:nth-child(2) button");
    player.browser.wait_for(&shows("After 1... "));
    player.browser.wait_for("document.querySelector('#moves [aria-current]').textContent.startsWith('1...')");
    player.browser.click("#board [data-square=a1]");
    player
        .browser
        .wait_for("document.getElementById('said').textContent.startsWith('This is an earlier position')");
    player.browser.press("End");
    player.browser.wait_for(&shows("After 2... "));
    assert_eq!(player.browser.evaluate("document.getElementById('fen').value"), fen);
    let words = "document.getElementById('bar-words').innerText";
    let is_bar_hidden =
        "document.getElementById('gauge').hidden && document.getElementById('bar-words').hidden";
    assert_eq!(player.browser.evaluate(is_bar_hidden), true);
    // The bar does not move the board, on a phone neither; the moves are in view there.
    let place = &places("#board svg");
    for width in [390, 1280] {
        player.browser.resize(width, 844);
        player.browser.evaluate("scrollTo(0, 0)");
        let before = player.browser.evaluate(place);
        player.browser.click("#thoughts");
        player.browser.wait_for("!document.getElementById('bar-words').hidden");
        assert_eq!(player.browser.evaluate(place), before, "{width}");
        player.browser.click("#thoughts");
        let list = player.browser.evaluate("(({ height, bottom }) => [height, bottom])(document.getElementById('moves').getBoundingClientRect())");
        let [height, bottom] = [0, 1].map(|idx| list[idx].as_f64().unwrap());
        assert!(width == 1280 || (height < 60.0 && bottom < 780.0), "{height} {bottom}");
    }
    player.browser.resize(1280, 900);
    player.browser.click("#thoughts");
    player.browser.wait_for(&format!("/ahead.*, says fake/.test({words})"));
    player.browser.wait_for("document.getElementById('bar-words').getClientRects().length === 1");
    player.browser.wait_for("/^\\d+%$/.test(document.querySelector('#gauge span').textContent)");
    let latest = player.browser.evaluate(words);
    check_width(&mut player.browser, "evaluation");
    check_access(&mut player.browser, "evaluation");
    take_pictures(&mut player.browser, "play-evaluation");
    // The evaluation is that of the position which is shown.
    player.browser.press("Home");
    player.browser.wait_for(&format!("{words} === 'No evaluation yet'"));
    player.browser.press("End");
    player.browser.wait_for(&format!("{words} === {latest}"));
    let mv = player.legal_moves(game)[0].clone();
    player.click_move(&mv);
    assert!(player.is_to_move());
    // The end is said beside an earlier position, too.
    player.browser.press("ArrowLeft");
    player.browser.wait_for("document.getElementById('status').textContent === 'Earlier position.'");
    player.browser.click("#resign");
    player.browser.click("#resign");
    player.browser.wait_for("/^You have lost: you resigned\\. .* Earlier position\\.$/.test(document.getElementById('status').textContent)");
    assert_no_errors(&player.browser);
}

/// After the end: the replay, the analysis, and another match with other colours, or another level.
#[test]
#[ignore = "needs Chromium"]
fn a_match_that_is_over_leads_on() {
    let game = GameId::PUSH_PUSH;
    let folder = tempfile::tempdir().unwrap();
    let fake = toml::Value::from(common::fake_engine().to_str().unwrap());
    let file = format!(
        "[limits]\nmovetime = \"1s\"\n[[game]]\nid = \"push-push\"\n[[engine]]\nname = \"fake\"\ncommand = {fake}\nargs = \
         [\"good\"]\nenvironment = {{ FAKE_ENGINE_OPTION = \"Level type spin default 5 min 1 max 5\" }}\n[[engine]]\nname = \
         \"other\"\ncommand = {fake}\nargs = [\"good\"]\n"
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let args = ["--config", "cup.toml", "--game", game.id(), "--level", "2", "--tc", "5min"];
    let mut player = Player::against("fake", folder, &args);
    let lose = |player: &mut Player| player.lose(game);
    assert!(player.is_to_move());
    let status = player.browser.evaluate("document.getElementById('status').textContent");
    assert!(status.as_str().unwrap().contains("Your clock starts with your first move."), "{status}");
    lose(&mut player);
    player.browser.wait_for("document.querySelector('#after p').innerText.startsWith('Replay of match 1')");
    check_access(&mut player.browser, "after the match");
    check_width(&mut player.browser, "after the match");
    take_pictures(&mut player.browser, "play-over");
    assert_eq!(player.browser.evaluate("document.getElementById('folder').textContent"), "stored in games");
    player.browser.click("#replay");
    player.browser.wait_for("document.getElementById('match-title')?.textContent.startsWith('Match 1')");
    // There is no tournament above the replay.
    assert_eq!(player.browser.evaluate("document.querySelector('.player a[href]')"), Value::Null);
    // It says who played, and is analysed as the match is.
    player
        .browser
        .wait_for("document.getElementById('match-facts').textContent.startsWith('you – fake level 2')");
    player.browser.click(".neighbours button");
    player.browser.wait_for("document.body.dataset.node === '4'");
    player.browser.click("#back a");
    player.browser.wait_for("document.getElementById('after')?.hidden === false");
    player.browser.click("#analyse");
    player.browser.wait_for("document.body.dataset.node === '4'");
    // The evaluations of the match are there at once.
    player.browser.wait_for("document.querySelector('#chart .curve path') !== null");
    player.browser.wait_for("document.querySelector('#tree .main-line > :last-child').textContent === '0–1'");
    check_width(&mut player.browser, "analysis of a match");
    check_access(&mut player.browser, "analysis of a match");
    player.browser.wait_for("document.getElementById('exported').value.includes('[Black \"fake level 2\"]')");
    assert_eq!(player.browser.evaluate("document.querySelector('.engine h3').textContent"), "fake");
    // The other engines of the file can be added.
    player.browser.wait_for("document.getElementById('to-add').options[0].text === 'other'");
    player.browser.click("#adding button");
    player.browser.wait_for("document.querySelectorAll('.engine').length === 2");
    player.browser.click("#back a");
    player.browser.wait_for("document.getElementById('after')?.hidden === false");
    // The same colours, another level; then the colours are swapped.
    player.browser.evaluate("document.getElementById('level').value = '4'");
    player.browser.click("#again");
    let names =
        |names: &str| format!("document.getElementById('name').textContent.endsWith({})", json!(names));
    player.browser.wait_for(&names("you – fake level 4"));
    lose(&mut player);
    player.browser.click("#new");
    player.browser.wait_for(&names("fake level 4 – you"));
    lose(&mut player);
    player.browser.wait_for("document.querySelector('#after p').innerText.startsWith('Replay of match 3')");
    // Black stays below.
    player.browser.click("#replay");
    player
        .browser
        .wait_for("document.querySelector('#player-bottom .who')?.textContent === 'you plays Black'");
    player.browser.click("#match-back");
    player.browser.wait_for("document.getElementById('after')?.hidden === false");
    player.browser.click("#analyse");
    player.browser.wait_for("document.querySelector('.analysis #bottom .who')?.textContent === 'you'");
    assert_no_errors(&player.browser);
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(player.folder.path())
        .args(["rate", "games", "--format", "csv"])
        .output()
        .unwrap();
    let rated = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(rated.contains("fake level 2,") && rated.contains("fake level 4,"), "{rated}");
    // Each match has its own seed.
    let journal = fs::read_to_string(player.folder.path().join("games/matches.jsonl")).unwrap();
    let seeds =
        journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["engine_seed"].as_u64());
    let seeds: std::collections::BTreeSet<u64> = seeds.map(Option::unwrap).collect();
    assert_eq!(seeds.len(), 3, "{journal}");
}

/// Without an engine and a game, everything is chosen on the page; each level is an opponent of its own.
#[test]
#[ignore = "needs Chromium"]
fn a_match_is_set_up_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let fake = toml::Value::from(common::fake_engine().to_str().unwrap());
    let engine = |name: &str, rest: &str| {
        format!("[[engine]]\nname = \"{name}\"\ncommand = {fake}\nargs = [\"good\"]\n{rest}\n")
    };
    let level = "environment = { FAKE_ENGINE_OPTION = \"Level type spin default 10 min 1 max 10\" }";
    let file = format!(
        "[limits]\nmovetime = \"1s\"\n{}{}",
        engine("one", "games = [\"push\"]"),
        engine("strong", level)
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).args(["play", "--config", "cup.toml", "--results", "games"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("!document.getElementById('menu').hidden");
    check_width(&mut browser, "menu");
    check_access(&mut browser, "menu");
    take_pictures(&mut browser, "play-menu");
    let mut player = Player { browser, _site: site, folder };
    let browser = &mut player.browser;
    assert_eq!(
        browser.evaluate("document.getElementById('choose-game').options.length"),
        json!(GameId::BUILT_IN.len())
    );
    // The board of the chosen game and start is shown.
    let shows = |browser: &mut Browser, name: &str, n_squares: usize, n_pieces: usize| {
        browser.wait_for(&format!(
            "document.querySelector('#preview svg')?.getAttribute('aria-label') === 'Start position of {name}' && document.querySelectorAll('#preview [data-square]').length === {n_squares} && document.querySelectorAll('#preview .piece').length === {n_pieces}"
        ));
    };
    choose(browser, "game", "tower-push");
    choose(browser, "start", "5x5");
    shows(browser, "Tower Push", 25, 10);
    choose(browser, "game", "push-push");
    shows(browser, "Push Push", 49, 15);
    browser.wait_for("document.getElementById('game-about').textContent.endsWith('the ball beyond your own side is a loss.')");
    // The engine that does not play the game cannot be chosen; of the other one, a weak level is offered.
    assert_eq!(
        browser.evaluate("document.getElementById('choose-engine').selectedOptions[0].text"),
        "strong"
    );
    assert_eq!(browser.evaluate("document.getElementById('choose-level').value"), "4");
    choose(browser, "level", "2");
    choose(browser, "time", "tc 5min+3s");
    browser.click("input[name=colour][value=b]");
    // Black has its own pieces below.
    browser.wait_for(
        "document.querySelector('#preview [data-square=a7]').getBoundingClientRect().y > document.querySelector('#preview [data-square=a1]').getBoundingClientRect().y",
    );
    // What is wrong is said before and after the choice is sent, and the choice stays.
    let said =
        "document.getElementById('choose-said').textContent.includes('this is not a FEN: it needs 6 fields')";
    browser.evaluate("(() => { const fen = document.getElementById('choose-fen'); fen.value = 'rubbish'; fen.dispatchEvent(new Event('change')); })()");
    browser.wait_for(said);
    assert_eq!(browser.evaluate("document.querySelector('#preview svg')"), json!(null));
    browser.evaluate("document.getElementById('choose-said').textContent = ''");
    browser.click("#choose button");
    browser.wait_for(said);
    assert_eq!(browser.evaluate("document.getElementById('choose-level').value"), "2");
    browser.evaluate("document.getElementById('choose-fen').value = ''");
    browser.click("#choose button");
    assert!(player.is_to_move());
    let name = "document.getElementById('name').textContent";
    assert_eq!(player.browser.evaluate(name), "Push Push: strong level 2 – you");
    player.browser.wait_for("document.querySelectorAll('.clock[data-side]').length === 2");
    // Sounds are off until they are wanted, and can be heard then.
    assert_eq!(player.browser.evaluate("document.getElementById('sound').ariaPressed"), "false");
    player.browser.click("#sound");
    player.lose(GameId::PUSH_PUSH);
    player.browser.click("#other");
    player.browser.wait_for("!document.getElementById('menu').hidden");
    // What was chosen last is chosen still. Another game and engine; the analysis is theirs, too.
    assert_eq!(player.browser.evaluate("document.getElementById('choose-level').value"), "2");
    choose(&mut player.browser, "game", "push");
    choose(&mut player.browser, "engine", "0");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    assert_eq!(player.browser.evaluate(name), "Push: one – you");
    player.lose(GameId::PUSH);
    player.browser.click("#analyse");
    player.browser.wait_for("document.querySelector('.engine h3')?.textContent === 'one'");
    assert_no_errors(&player.browser);
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(player.folder.path())
        .args(["rate", "games", "--format", "csv"])
        .output()
        .unwrap();
    let rated = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(rated.contains("strong level 2,"), "{rated}");
}

/// `arena play` alone finds the engines that are built with the arena, in its folder or on `PATH`.
#[test]
#[ignore = "needs Chromium"]
fn own_engines_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("alpha-beta");
    std::os::unix::fs::symlink(common::fake_engine(), &program).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).env("PATH", path).args(["play", "push-push"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.getElementById('choose-engine').options[0]?.text === 'alpha-beta'");
    assert_eq!(browser.evaluate("document.getElementById('choose-game').value"), "push-push");
    take_pictures(&mut browser, "play-menu-own");
    browser.click("#choose button");
    browser.wait_for("document.body.dataset.turn === 'you' || document.body.dataset.turn === 'engine'");
    assert_no_errors(&browser);
}

/// A recorded match of chess is analysed: SAN everywhere, its evaluations as a graph, PGN out and in, and a board to edit.
#[test]
#[ignore = "needs Chromium"]
fn chess_is_analysed() {
    let head =
        "[tournament]\npairs = 1\n[limits]\nmovetime = \"9s\"\nmax-plies = 12\n[[game]]\nid = \"chess\"\n";
    let cup = Tournament::new(head, &[("one", "uci"), ("two", "uci")]);
    assert!(cup.run(&["--quiet"]).status.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("analyse").arg(cup.path("results/cup")).args(["1", "--ply", "2"]);
    let site =
        Site::start(command.args(["--engine", &format!("fake={} uci", common::fake_engine().display())]));
    let mut browser = Browser::start();
    browser.resize(1440, 900);
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '2'");
    browser.wait_for("document.querySelector('#chart .curve path') !== null");
    browser.wait_for("document.getElementById('bar-words').textContent.includes(' in the match')");
    let value = |id: &str| format!("document.getElementById('{id}').value");
    let text = browser.evaluate(&value("exported"));
    let text = text.as_str().unwrap();
    assert!(
        text.contains("[Result \"1/2-1/2\"]")
            && text.contains("[FEN \"")
            && text.ends_with(" 1/2-1/2\n")
            && text.contains(". "),
        "{text}"
    );
    // It did not end by the rules.
    browser.press("End");
    browser
        .wait_for("document.getElementById('status').textContent.includes('. The match ended here, ½–½.')");
    // A branch, typed as people write it, is in the text; the text loads again.
    browser.click("#edit");
    browser.click("#to-start");
    browser.click("#edited button");
    browser.wait_for("document.body.dataset.node === '0'");
    // The piece of a move slides, in two steps from where it stood.
    browser.evaluate("{ window.slides = []; const animate = Element.prototype.animate; Element.prototype.animate = function (...how) { slides.push([this.dataset.place, how[0].length]); return animate.apply(this, how); }; }");
    for (n, mv) in ["e4", "e5", "Nf3"].into_iter().enumerate() {
        browser.evaluate(&format!("document.getElementById('typed').value = {}", json!(mv)));
        browser.evaluate("document.getElementById('typed').focus()");
        browser.press("Enter");
        browser.wait_for(&format!("document.body.dataset.node === '{}'", n + 1));
    }
    let slid = "slides.map(([place, n]) => [document.querySelectorAll('#board [data-square]')[place].dataset.square, n])";
    assert_eq!(browser.evaluate(slid), json!([["e4", 2], ["e5", 2], ["f3", 2]]));
    // The field has given the arrow keys back. A step back does not slide.
    browser.press("ArrowLeft");
    browser.wait_for("document.body.dataset.node === '2'");
    assert_eq!(browser.evaluate("slides.length"), 3);
    // By the squares; the spelling is that of people again.
    browser.click("#board [data-square=f1]");
    browser.click("#board [data-square=c4]");
    browser.wait_for("document.body.dataset.node === '4'");
    browser.wait_for("document.getElementById('status').textContent.includes(' Bc4. ')");
    assert_eq!(browser.evaluate(&value("line")), "e4 e5 Bc4");
    let pgn = browser.evaluate(&value("exported"));
    assert!(pgn.as_str().unwrap().contains("1. e4 e5 2. Nf3 (2. Bc4) *"), "{pgn}");
    assert!(!pgn.as_str().unwrap().contains("FEN"), "{pgn}");
    take_pictures(&mut browser, "analysis-chess");
    browser.click(".position details summary");
    let other = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[ECO \"D00\"]\n\n1. d4 {[%clk 0:01] [%csl Rd4]} (1. c4 c5) d5 1-0";
    browser.evaluate(&format!("document.getElementById('exported').value = {}", json!(other)));
    browser.click("#import button:not([type])");
    // The tree before had four moves, too, and the answer to the import replaces the text.
    browser.wait_for("document.getElementById('tree').textContent.includes('d4')");
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree button').length"), 4);
    // What others wrote stays in the text, and what they marked is drawn.
    browser.wait_for("document.getElementById('played').innerText === 'a – b, 1–0'");
    browser.click("#tree [data-node='1']");
    browser.wait_for("document.querySelectorAll('.arrow.drawn.colour-R circle').length === 1");
    let pgn = browser.evaluate(&value("exported"));
    assert!(pgn.as_str().unwrap().contains("[ECO \"D00\"]"), "{pgn}");
    assert!(pgn.as_str().unwrap().contains("1. d4 {[%clk 0:01] [%csl Rd4]} (1. c4 c5) 1... d5 1-0"), "{pgn}");
    a_capture_is_marked_at_once(&mut browser, &site);
    browser.evaluate("document.getElementById('exported').value = '1. d5'");
    browser.click("#import button:not([type])");
    browser.wait_for(
        "document.getElementById('exported-said').textContent.startsWith('line 1: d5 is not a legal move')",
    );
    browser.evaluate("document.activeElement.blur()");
    browser.press("Home");
    browser.wait_for("document.body.dataset.node === '0'");
    // The text waits to be mended. What was wrong with it is forgotten with it.
    assert_eq!(browser.evaluate(&value("exported")), "1. d5");
    let said = "document.getElementById('exported-said').innerText";
    browser.evaluate("document.getElementById('exported').value = ''");
    browser.click("#import button:not([type])");
    browser.wait_for(&format!("{said}.startsWith('Paste the moves')"));
    one_of_two_matches_is_loaded(&mut browser, other);
    a_file_is_loaded_up_to_what_is_wrong(&mut browser);
    a_position_is_set_up(&mut browser);
    assert_no_errors(&browser);
}

/// Of two matches one is chosen, of which the first is `other`; a FEN alone is set up.
fn one_of_two_matches_is_loaded(browser: &mut Browser, other: &str) {
    // Long spellings are read, and a result that is none is noted.
    let two = format!("{other}\n\n[Result \"1-0\"]\n\n1. f2-f3 e7e5 2. g2-g4 Qd8-h4# 0-1");
    browser.evaluate(&format!("document.getElementById('exported').value = {}", json!(two)));
    browser.click("#import button:not([type])");
    browser.wait_for("document.getElementById('said').textContent === 'Match 1 of 2: 4 moves loaded.'");
    browser.wait_for("document.getElementById('board').getBoundingClientRect().top >= 0");
    assert_eq!(
        browser.evaluate("[...document.getElementById('match-chosen').options].map(({ text }) => text)"),
        json!(["1. a – b, 1-0", "2. ? – ?, 1-0"])
    );
    browser.evaluate("{ const list = document.getElementById('match-chosen'); list.value = '1'; list.dispatchEvent(new Event('change')); }");
    browser.wait_for("document.getElementById('played').innerText === 'The tag Result says 1-0, but the moves end with 0-1.'");
    assert_eq!(browser.evaluate("document.getElementById('exported-said').hidden"), true);
    let pgn = browser.evaluate("document.getElementById('exported').value");
    assert!(
        pgn.as_str().unwrap().contains("[Result \"1-0\"]\n") && pgn.as_str().unwrap().contains("Qh4#"),
        "{pgn}"
    );
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    browser.evaluate(&format!("document.getElementById('exported').value = {}", json!(fen)));
    browser.click("#import button:not([type])");
    browser.wait_for(&format!("document.getElementById('fen').value === {}", json!(fen)));
}

/// A file is dropped. A match is loaded up to an illegal move, and its text waits to be mended; one that cannot be loaded leaves the one before.
fn a_file_is_loaded_up_to_what_is_wrong(browser: &mut Browser) {
    let file =
        "[White \"a\"]\n1. e4 e5 2. Ke3 Nc6 *\n[White \"c\"]\n1. d4 *\n[White \"d\"]\n[FEN \"x\"]\n*\n";
    browser.evaluate(&format!("{{ const data = new DataTransfer(); data.items.add(new File([{}], 'a.pgn')); document.body.dispatchEvent(new DragEvent('drop', {{ bubbles: true, dataTransfer: data }})); }}", json!(file)));
    let holds = |id: &str, text: &str| {
        format!("document.getElementById('{id}').textContent.includes({})", json!(text))
    };
    let rest = "not the rest: line 2: Ke3 is not a legal move";
    browser.wait_for(&holds("said", &format!("Match 1 of 3: 2 moves loaded, {rest}")));
    browser.wait_for(&holds("played", "Not loaded to its end: line 2: Ke3 is not a legal move"));
    browser.wait_for("document.getElementById('exported').value.includes('2. Ke3 Nc6')");
    let choose = |browser: &mut Browser, n: u32| {
        browser.evaluate(&format!("{{ const list = document.getElementById('match-chosen'); list.value = '{n}'; list.dispatchEvent(new Event('change')); }}"));
    };
    choose(browser, 1);
    browser.wait_for(&holds("said", "Match 2 of 3: 1 move loaded."));
    choose(browser, 2);
    browser.wait_for(&holds("exported-said", "match 3 is not loaded: this is not a FEN"));
    assert_eq!(browser.evaluate("document.getElementById('match-chosen').value"), "1");
    assert_eq!(browser.evaluate("document.getElementById('exported').value.includes('1. d4')"), true);
    // Beside a chosen match, too, a text that is refused stays.
    browser.evaluate("document.getElementById('exported').value = 'hello world'");
    browser.click("#import button:not([type])");
    browser.wait_for(&holds("exported-said", "line 1: hello is not a legal move; a legal move is"));
    browser.evaluate("document.activeElement.blur()");
    browser.press("End");
    browser.wait_for("document.body.dataset.node === '1'");
    assert_eq!(browser.evaluate("document.getElementById('exported').value"), "hello world");
}

/// Pieces are placed, and the FEN follows; what is wrong with a position is said.
fn a_position_is_set_up(browser: &mut Browser) {
    browser.click("#edit");
    browser.wait_for("!document.getElementById('editor').hidden");
    check_width(browser, "editor");
    check_access(browser, "editor");
    take_pictures(browser, "analysis-editor");
    let placed =
        |placed: &str| format!("document.getElementById('edited-fen').value.startsWith({})", json!(placed));
    browser.click("#clear");
    browser.wait_for(&placed("8/8/8/8/8/8/8/8 w - - 0 1"));
    browser.click("#to-start");
    browser.wait_for(&placed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    // Castling is chosen where king and rook stand at home; a pawn that came two squares can be captured in passing.
    browser.click("#chess-fields [value=K]");
    browser.wait_for(&placed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1"));
    assert_eq!(browser.evaluate("document.getElementById('en-passant').disabled"), true);
    for (from, to) in [("a1", "a3"), ("e2", "e5"), ("d7", "d5")] {
        browser.drag(&format!("#board [data-square={from}]"), &format!("#board [data-square={to}]"));
    }
    assert_eq!(browser.evaluate("document.querySelector('#chess-fields [value=Q]').disabled"), true);
    let choose = |browser: &mut Browser, id: &str, value: &str| {
        browser.evaluate(&format!("{{ const list = document.getElementById('{id}'); list.value = '{value}'; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"));
    };
    choose(browser, "en-passant", "d6");
    browser.wait_for(&placed("rnbqkbnr/ppp1pppp/8/3pP3/8/R7/PPPP1PPP/1NBQKBNR w kq d6 0 1"));
    choose(browser, "edited-side", "b");
    browser.wait_for(&placed("rnbqkbnr/ppp1pppp/8/3pP3/8/R7/PPPP1PPP/1NBQKBNR b kq - 0 1"));
    browser.click("#to-start");
    browser.click("#palette [data-piece='']");
    browser.click("#board [data-square=e1]");
    browser.wait_for("document.getElementById('edited-fen').value.startsWith('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w')");
    browser
        .wait_for("document.querySelector('#palette [data-piece=K] .count').textContent === '0 (start: 1)'");
    browser.click("#edited button");
    browser
        .wait_for("document.getElementById('said').textContent === 'the board is wrong: White has no king'");
    browser.click("#palette [data-piece=K]");
    browser.click("#board [data-square=e1]");
    browser.click("#palette [data-piece='']");
    browser.click("#board [data-square=e2]");
    browser.click("#palette [data-piece=Q]");
    browser.click("#board [data-square=e4]");
    // What stands on the board is dragged, also off it.
    browser.drag("#board [data-square=e4]", "#board [data-square=h5]");
    browser.wait_for(&placed("rnbqkbnr/pppppppp/8/7Q/8/8/PPPP1PPP/RNBQKBNR w"));
    browser.drag("#board [data-square=h5]", "#palette");
    browser.wait_for(&placed("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w"));
    browser.click("#palette [data-piece=Q]");
    browser.click("#board [data-square=e4]");
    browser.click("#edited button");
    browser.wait_for("document.getElementById('editor').hidden");
    browser.wait_for(
        "document.getElementById('fen').value.startsWith('rnbqkbnr/pppppppp/8/8/4Q3/8/PPPP1PPP/RNBQKBNR w')",
    );
}

/// The marks of a position are the same however it was reached: loaded, stepped to from another position, or seen first.
fn a_capture_is_marked_at_once(browser: &mut Browser, site: &Site) {
    let is_marked = "document.querySelectorAll('#board .gone').length === 1";
    load(browser, "1. e4 d5 2. exd5 Qxd5 3. Nc3", 5);
    browser.evaluate("document.activeElement.blur()");
    for (key, node, takes) in [("Home", 0, false), ("End", 5, false), ("ArrowLeft", 4, true)] {
        browser.press(key);
        browser.wait_for(&format!("document.body.dataset.node === '{node}'"));
        assert_eq!(browser.evaluate(is_marked), takes, "{key}");
    }
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '4'");
    assert_eq!(browser.evaluate(is_marked), true);
    load(browser, "1. e4 d5 2. exd5", 3);
    assert_eq!(browser.evaluate(is_marked), true);
}

/// An engine evaluates all moves of a line: marks, faults, curve and text show what it found.
#[test]
#[ignore = "needs Chromium"]
fn all_moves_are_evaluated() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let engine = |name, mode| format!("{name}={} {mode}", common::fake_engine().display());
    command.args(["analyse", "push-push"]);
    // The first one thinks that its first move is best, and that whoever is to move is ahead by 0.5; the second one thinks nothing.
    command.args(["--engine", &engine("many", "second-analyse"), "--engine", &engine("mute", "good")]);
    command.args(["--engine", &engine("third", "second-analyse")]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.resize(1440, 900);
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '0'");
    assert_eq!(browser.evaluate("document.getElementById('review').hidden"), true);
    let mut play = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap();
    let line: Vec<String> =
        (1..).zip([1, 0, 1]).map(|(n, place)| type_legal(&mut browser, play.as_mut(), n, place)).collect();
    let is_over = "document.getElementById('review-start').textContent === 'Evaluate all moves'";
    // It can be stopped. What the engine said of the shown position stays until then.
    browser.click("[data-engine='0']");
    let n_lines = "document.querySelectorAll('.engine-lines li').length";
    browser.wait_for(&format!("{n_lines} === 3"));
    browser.evaluate("document.getElementById('review-time').value = '5000'");
    browser.click("#review-start");
    browser.wait_for("document.getElementById('review-start').textContent.startsWith('Stop (')");
    browser.wait_for("document.querySelector('.engine').dataset.state === 'evaluating'");
    browser.wait_for("document.querySelector('.engine .facts').textContent === 'evaluates the moves'");
    assert_eq!(browser.evaluate(n_lines), 3);
    browser.click("[data-engine='0']");
    // It evaluates, and so cannot be started.
    browser.wait_for("document.querySelector(\"[data-engine='0']\").style.visibility === 'hidden'");
    browser.click("#review-start");
    browser.wait_for(is_over);
    browser.wait_for("document.querySelector(\"[data-engine='0']\").style.visibility === ''");
    browser.wait_for("document.querySelector('.engine').dataset.state === 'idle'");
    assert_eq!(browser.evaluate("document.getElementById('faults').hidden"), true);
    browser.evaluate("document.getElementById('review-time').value = '200'");
    // In a low window, a message leads to what was found.
    browser.resize(1024, 600);
    browser.click("#review-start");
    browser.wait_for("document.querySelectorAll('#tree .fault').length === 2");
    browser.wait_for(is_over);
    browser.click("#to-faults");
    browser.wait_for("document.getElementById('faults').getBoundingClientRect().bottom <= innerHeight");
    browser.resize(1440, 900);
    let words =
        "[...document.querySelectorAll('#faults li, #faults h3, #worst li')].map((one) => one.innerText)";
    let [first, _, third] = &line[..] else { panic!("{line:?}") };
    let best = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap().legal_moves().remove(0);
    let found = browser.evaluate(words);
    assert_eq!(
        found.as_array().unwrap()[..4],
        [
            json!("Evaluated by many"),
            json!("White: 0 blunders, 0 mistakes, 2 inaccuracies"),
            json!("Black: 0 blunders, 0 mistakes, 0 inaccuracies"),
            json!(format!("1. {first}?! 55\u{202f}% → 45\u{202f}%, better {best}")),
        ]
    );
    assert!(found[4].as_str().unwrap().starts_with(&format!("2. {third}?!")), "{found}");
    let text = browser.evaluate("document.getElementById('exported').value");
    for part in [
        format!("1. {first}?! {{[%eval -0.50] [%best "),
        format!("]}} {} {{[%eval 0.50] [%best ", line[1]),
        format!("]}} 2. {third}?! {{[%eval -0.50] [%best "),
    ] {
        assert!(text.as_str().unwrap().contains(&part), "{text}");
    }
    assert_eq!(browser.evaluate("document.querySelectorAll('#chart .curve.evaluated').length"), 1);
    browser.wait_for("document.getElementById('chart').innerText.includes('evaluation by many')");
    assert_eq!(browser.evaluate("document.querySelectorAll('#chart .mark.inaccuracy').length"), 2);
    // A fault leads to its position, where it is in words.
    browser.click("#worst button");
    browser.wait_for("document.body.dataset.node === '1'");
    let said = format!("document.getElementById('bar-words').textContent.includes('; many prefers {best}')");
    browser.wait_for(&said);
    check_width(&mut browser, "evaluated");
    check_access(&mut browser, "evaluated");
    take_pictures(&mut browser, "analysis-evaluated");
    // The better move can be looked at; the graph follows, the faults stay those of the main line.
    browser.click("#worst li:first-child button:last-child");
    browser.wait_for(&format!("document.getElementById('status').textContent.startsWith('After 1. {best}')"));
    assert_eq!(browser.evaluate("document.querySelectorAll('#chart .mark').length"), 0);
    assert_eq!(browser.evaluate("document.querySelectorAll('#worst li').length"), 2);
    browser.press("Delete");
    browser.wait_for("document.querySelector('#tree .others') === null");
    // What was found is there for those who come later, and stays in the text.
    browser.visit(&site.url(""));
    browser.wait_for("document.querySelectorAll('#tree .fault').length === 2");
    browser.click("#to-transfer");
    browser.click("#import button:not([type])");
    browser.wait_for("document.getElementById('restore').hidden === false");
    browser.wait_for(&format!("JSON.stringify({words}) === {}", json!(found.to_string())));
    // Of a line that went on, too.
    let mv = play.legal_moves().remove(0);
    browser.press("End");
    browser.wait_for("document.body.dataset.node === '3'");
    browser.evaluate(&format!("document.getElementById('typed').value = {}", json!(mv)));
    browser.click("#type button");
    browser.wait_for("document.querySelector('#faults h3').innerText === 'Evaluated by many, 3 of 4 moves'");
    browser.press("Delete");
    browser.wait_for("document.querySelector('#faults h3').innerText === 'Evaluated by many'");
    the_bar_agrees_with_the_graph(&mut browser);
    // An engine without evaluations says so.
    browser.evaluate("document.getElementById('review-engine').value = '1'");
    browser.click("#review-start");
    browser.wait_for("document.getElementById('said').textContent === 'mute reports no evaluations'");
    assert_no_errors(&browser);
}

/// Types a legal move, which leads to node `n`.
fn type_legal(browser: &mut Browser, play: &mut dyn AnyPlay, n: usize, place: usize) -> String {
    let mv = play.legal_moves().remove(place);
    play.play(&mv).unwrap();
    browser.evaluate(&format!("document.getElementById('typed').value = {}", json!(mv)));
    browser.click("#type button");
    browser.wait_for(&format!("document.body.dataset.node === '{n}'"));
    mv
}

/// The bar says what an engine says that searches; then it agrees with the graph again.
fn the_bar_agrees_with_the_graph(browser: &mut Browser) {
    // Signs of a text have the colour of those of an engine.
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree .sign.fault').length"), 2);
    for (state, speaker) in [("searching", "third"), ("idle", "many")] {
        browser.click("[data-engine='2']");
        browser
            .wait_for(&format!("document.querySelector('.engine:nth-child(3)').dataset.state === '{state}'"));
        browser.wait_for(&format!(
            "document.getElementById('bar-words').textContent.includes(', says {speaker}')"
        ));
    }
    assert_eq!(browser.evaluate("document.querySelectorAll('.engine:nth-child(3) li').length"), 3);
    // What two engines prefer has the colours of both. Beside each other, each shows three lines until more are wanted.
    browser.evaluate("{ const lines = document.getElementById('lines'); lines.value = '5'; lines.dispatchEvent(new Event('change')); }");
    browser.wait_for("document.querySelector('.engine:nth-child(3) .facts').textContent.endsWith('stopped; Start for 4 lines')");
    for engine in ["0", "2"] {
        browser.click(&format!("[data-engine='{engine}']"));
    }
    browser.wait_for("document.querySelectorAll('.arrow.best-0').length === 1 && document.querySelectorAll('.arrow.best-2 .striped').length === 1");
    let n_seen = "[...document.querySelectorAll('.engine:first-child li')].filter((one) => 0 < one.getClientRects().length).length";
    browser
        .wait_for("document.querySelector('.engine:first-child .other-lines').innerText === '1 more line'");
    assert_eq!(browser.evaluate(n_seen), 3);
    browser.click(".engine:first-child .other-lines");
    browser.wait_for(&format!("{n_seen} === 4"));
    for engine in ["0", "2"] {
        browser.click(&format!("[data-engine='{engine}']"));
    }
}

/// Sets up a position by its FEN.
fn set_up(browser: &mut Browser, fen: &str) {
    if browser.evaluate("document.getElementById('editor').hidden") == json!(true) {
        browser.click("#edit");
    }
    browser.evaluate(&format!("document.getElementById('edited-fen').value = {}", json!(fen)));
    browser.click("#edited button");
}

/// Loads a tree from a text, of which the start is shown, and goes to its last move.
fn load(browser: &mut Browser, text: &str, node: usize) {
    browser.evaluate("document.getElementById('transfer').open = true");
    browser.evaluate(&format!("document.getElementById('exported').value = {}", json!(text)));
    browser.evaluate("document.querySelector('#tree > *').dataset.isOld = ''");
    browser.click("#import button:not([type])");
    browser.wait_for(
        "document.querySelector('#tree > [data-is-old]') === null && document.body.dataset.node === '0'",
    );
    browser.evaluate("document.activeElement.blur()");
    browser.press("End");
    browser.wait_for(&format!("document.body.dataset.node === '{node}'"));
}

/// The shown move is in view, and words about a wrong one are beside its field, and move nothing.
fn what_is_shown_keeps_its_place(browser: &mut Browser) {
    browser.resize(1440, 700);
    let line = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 a4 a5 c4 c5 e4 e5 g4 g5";
    load(browser, line, 24);
    let in_view = "(() => { const [list, move] = ['#tree', '#tree [aria-current]'].map((one) => document.querySelector(one).getBoundingClientRect()); return list.height < 300 && list.top <= move.top && move.bottom <= list.bottom; })()";
    browser.wait_for(in_view);
    browser.evaluate("document.activeElement.blur()");
    browser.press("Home");
    browser.wait_for("document.body.dataset.node === '0'");
    browser.press("ArrowRight");
    browser.wait_for("document.body.dataset.node === '1'");
    browser.wait_for(in_view);
    let places = "JSON.stringify(['#type', '#engines-title', '#tree', '#board'].map((one) => document.querySelector(one).getBoundingClientRect().top + scrollY))";
    let before = browser.evaluate(places);
    browser.evaluate("document.getElementById('typed').value = 'e2e4'");
    browser.click("#type button");
    browser.wait_for("document.getElementById('said').textContent.includes('is not a legal move')");
    assert_eq!(browser.evaluate(places), before);
    // It has a place of its own.
    let is_free = "(() => { const [said, field, status, engines] = ['said', 'type', 'status', 'engines-title'].map((one) => document.getElementById(one).getBoundingClientRect());
        return 0 < said.height && Math.max(status.bottom, field.bottom) <= said.top + 1 && said.bottom <= engines.top; })()";
    for width in [1440, 1024, 390] {
        browser.resize(width, 900);
        browser.wait_for(is_free);
    }
}

/// The moves of a tree get signs and comments, its branches another order, and what is not wanted is deleted.
#[test]
#[ignore = "needs Chromium"]
fn a_tree_is_worked_on() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let site = Site::start(command.args(["analyse", "chess"]));
    let mut browser = Browser::start();
    browser.resize(1440, 900);
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '0'");
    load(
        &mut browser,
        "{A start} 1. e4! {+0.31/9} {Best by test} e5 (1... c5 2. Nf3 d6 (2... e6 {solid})) 2. Nf3 *",
        7,
    );
    // The main line has a column for each side; what belongs to a move stands between its rows.
    let rows = "[...document.querySelectorAll('.main-line > li')].map((row) => {
        const seen = row.cloneNode(true);
        seen.querySelectorAll('.unseen').forEach((one) => one.remove());
        return seen.textContent;
    })";
    assert_eq!(
        browser.evaluate(rows),
        json!(["A start", "1.e4!…", "Best by test", "1.…e5", "1... c52. Nf32... d62... e6solid", "2.Nf3"])
    );
    let columns = "['1', '2', '7'].map((node) => [...document.querySelector(`#tree [data-node='${node}']`).closest('.turns').children].findIndex((one) => one.querySelector(`[data-node='${node}']`)))";
    assert_eq!(browser.evaluate(columns), json!([1, 2, 1]));
    // Keys count although the server has not answered those before.
    browser.press("Home");
    browser.wait_for("document.body.dataset.ply === '0'");
    browser.evaluate("for (let n = 0; n < 3; n++) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))");
    browser.wait_for("document.body.dataset.ply === '3'");
    let shown = |text: &str| format!("document.getElementById('exported').value.endsWith({})", json!(text));
    let is_open = "!document.getElementById('move-menu').hidden";
    let is_closed = "document.getElementById('move-menu').hidden";
    // A right click opens the menu of a move. The branch comes first where it was not, and the others stay where they were.
    browser.click_with("right", "#tree [data-node='6']");
    browser.wait_for(is_open);
    assert_eq!(browser.evaluate("document.getElementById('menu-move').textContent"), "2... e6");
    check_width(&mut browser, "menu of a move");
    check_access(&mut browser, "menu of a move");
    browser.resize(1440, 900);
    take_pictures(&mut browser, "analysis-menu");
    browser.click("#promote");
    browser.wait_for(&shown(
        "\n{A start} 1. e4! {+0.31} {Best by test} e5 (1... c5 2. Nf3 e6 {solid} (2... d6)) 2. Nf3 *\n",
    ));
    browser.wait_for("document.body.dataset.node === '6'");
    // The keyboard has a way, too: Esc drops a comment, and Enter keeps it.
    let comment = "document.getElementById('comment').value";
    for (key, kept) in [("Escape", "solid"), ("Enter", "solid, indeed")] {
        browser.evaluate("document.getElementById('more').focus()");
        browser.press("Enter");
        browser.wait_for(is_open);
        assert_eq!(browser.evaluate(comment), "solid");
        browser.evaluate("document.getElementById('comment').focus()");
        browser.evaluate("document.getElementById('comment').value = 'solid, indeed'");
        browser.press(key);
        browser.wait_for(is_closed);
        browser.wait_for("document.activeElement.id === 'more'");
        browser
            .wait_for(&format!("document.querySelector('.branch .comment').textContent === {}", json!(kept)));
    }
    browser.click("#more");
    browser.click("[data-sign='!?']");
    browser.wait_for("document.querySelector(\"[data-sign='!?']\").ariaPressed === 'true'");
    browser.click("#make-main");
    let text = "\n{A start} 1. e4! {+0.31} {Best by test} c5 (1... e5 2. Nf3) 2. Nf3 e6!? {solid, indeed} (2... d6) *\n";
    browser.wait_for(&shown(text));
    // It is at its place.
    browser.click("#more");
    browser.wait_for(is_open);
    assert_eq!(browser.evaluate("document.getElementById('make-main').hidden"), true);
    browser.click("#more");
    browser.wait_for(is_closed);
    // The text says all of it.
    let exported = browser.evaluate("document.getElementById('exported').value");
    load(&mut browser, exported.as_str().unwrap(), 6);
    browser.wait_for("document.getElementById('restore').hidden === false");
    browser.wait_for(&shown(text));
    // What is deleted comes back by a button and by a key.
    let n_moves = "document.querySelectorAll('#tree button').length";
    for undoes_by_key in [false, true] {
        browser.click("#tree [data-node='1']");
        browser.wait_for("document.body.dataset.node === '1'");
        browser.press("Delete");
        browser.wait_for(&format!("{n_moves} === 0"));
        browser
            .wait_for("document.getElementById('said').innerText.startsWith('Deleted e4 and 6 more moves.')");
        if undoes_by_key {
            browser.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))");
        } else {
            check_access(&mut browser, "deletion");
            browser.click("#undo");
        }
        browser.wait_for(&format!("{n_moves} === 7"));
        browser.wait_for(&shown(text));
    }
    browser.click_with("right", "#tree [data-node='3']");
    browser.click("#delete-from");
    browser.wait_for(&shown("c5 2. Nf3 e6!? {solid, indeed} (2... d6) *\n"));
    browser.click_with("right", "#tree [data-node='1']");
    browser.click("#delete-from");
    browser.wait_for(&format!("{n_moves} === 0"));
    // One deletion after the other.
    browser.click("#undo");
    browser.wait_for(&format!("{n_moves} === 5"));
    browser.click("#undo");
    browser.wait_for(&shown(text));
    browser.wait_for("document.getElementById('undo') === null");
    what_is_shown_keeps_its_place(&mut browser);
    assert_no_errors(&browser);
}

/// Every game's board can be edited.
#[test]
#[ignore = "needs Chromium"]
fn boards_of_all_games_are_edited() {
    let mut browser = Browser::start();
    for game in GameId::BUILT_IN {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        let site = Site::start(command.args(["analyse", game.id()]));
        browser.visit(&site.url(""));
        browser.wait_for("document.body.dataset.node === '0'");
        let shows = browser.holds_soon("!document.getElementById('edit').hidden");
        let fen = browser.evaluate("document.getElementById('fen').value");
        assert!(shows, "{game}: {fen}");
        let places = "JSON.stringify([scrollY, document.documentElement.scrollHeight, ...['#board', '#edit', '.position'].map((one) => document.querySelector(one).getBoundingClientRect().top)])";
        browser.evaluate("document.getElementById('edit').scrollIntoView({ block: 'center' })");
        let at = browser.evaluate(places);
        browser.click("#edit");
        assert_eq!(browser.evaluate(places), at, "{game}: the page stays where it was");
        let before = browser.evaluate("document.getElementById('edited-fen').value");
        assert_eq!(before, browser.evaluate("document.getElementById('fen').value"), "{game}");
        browser.click("#palette [data-piece='']");
        let piece = Games::built_in().startpos(*game).unwrap().scene().pieces[0].square.to_string();
        browser.click(&format!("#board [data-square={piece}]"));
        browser.wait_for(&format!("document.getElementById('edited-fen').value !== {before}"));
        if game == &GameId::PUSH {
            browser.click("#palette [data-piece=height]");
            browser.click("#board [data-square=d4]");
            browser.wait_for("document.getElementById('edited-fen').value.includes('/00020010/')");
            browser.click("#board [data-square=d4]");
            browser.wait_for("document.getElementById('edited-fen').value.includes('/00000010/')");
            // A position that is over says why.
            browser.click("#to-start");
            browser.click("#palette [data-piece='']");
            browser.click("#board [data-square=h8]");
            browser.click("#edited button");
            browser.wait_for(r#"document.getElementById('said').textContent === "The match is already over here. White wins: Black's king died. There is nothing to analyse.""#);
        }
        browser.click("#clear");
        browser.click("#to-start");
        let start = json!(Games::built_in().startpos(*game).unwrap().fen());
        browser.wait_for(&format!("document.getElementById('edited-fen').value === {start}"));
        // What was edited is left without a trace.
        browser.click("#cancel");
        browser.wait_for("document.getElementById('editor').hidden");
        browser.wait_for(&format!("document.querySelector('#board [data-square={piece}]') !== null && document.querySelector('#board svg').ariaLabel.endsWith({before})"));
    }
    // The browser itself reports each site that has ended.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
    assert_no_errors(&browser);
}

/// What comes from the last move, and the fields that name a side, follow what is edited.
#[test]
#[ignore = "needs Chromium"]
fn no_move_led_to_an_edited_position() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let site = Site::start(command.args([
        "analyse",
        "tower-push",
        "--fen",
        "7/7/7/3T3/7/2x1X2/7 w 0 0 w e2d2 1 12",
    ]));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '0'");
    browser.click("#edit");
    let fen = |fen: &str| format!("document.getElementById('edited-fen').value === {}", json!(fen));
    browser.wait_for(&fen("7/7/7/3T3/7/2x1X2/7 w 0 0 w e2d2 1 12"));
    check_access(&mut browser, "editor");
    browser.click("#palette [data-piece=X]");
    browser.click("#board [data-square=a1]");
    browser.wait_for(&fen("7/7/7/3T3/7/2x1X2/X6 w 0 0 w - 1 12"));
    browser.evaluate("{ const side = document.getElementById('edited-side'); side.value = 'b'; side.dispatchEvent(new Event('change')); }");
    browser.wait_for(&fen("7/7/7/3T3/7/2x1X2/X6 b 0 0 b - 1 12"));
    // Nothing can stand where the Tower stands. Without pieces, the other fields are those of the start.
    browser.click("#board [data-square=d4]");
    browser.wait_for("document.getElementById('said').textContent === 'Nothing can stand on d4.'");
    browser.wait_for(&fen("7/7/7/3T3/7/2x1X2/X6 b 0 0 b - 1 12"));
    browser.click("#edited button");
    browser.wait_for("document.getElementById('fen').value === '7/7/7/3T3/7/2x1X2/X6 b 0 0 b - 1 12'");
    browser.click("#edit");
    browser.click("#clear");
    browser.wait_for(&fen("7/7/7/3T3/7/7/7 w 0 0 w - 0 0"));
    assert_no_errors(&browser);
}

/// The lines of engines are numbered by turns, as the moves of the tree.
#[test]
#[ignore = "needs Chromium"]
fn a_line_is_numbered_by_turns() {
    // White places its last piece, and makes a step.
    let fen = "7/7/7/3T3/7/2x1X2/7 w 1 0 w - 0 0";
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let engine = format!("many={} second-analyse", common::fake_engine().display());
    let site = Site::start(command.args(["analyse", "tower-push", "--fen", fen, "--engine", &engine]));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '0'");
    browser.click("[data-engine='0']");
    browser.wait_for(
        "document.querySelectorAll('.engine-lines li:first-child .line-moves button').length === 3",
    );
    let numbers = "[...document.querySelectorAll('.engine-lines li:first-child .line-moves button')].map((one) => one.dataset.words.split(' ')[0])";
    assert_eq!(browser.evaluate(numbers), json!(["1.", "1.", "1..."]));
    // A number is written once, unless moves of both sides would be taken for those of one.
    let written = "[...document.querySelectorAll('.engine-lines li:first-child .line-moves button')].map((one) => (/^1[.]* /.exec(one.textContent) ?? [''])[0])";
    assert_eq!(browser.evaluate(written), json!(["1. ", "", "1... "]));
    // In the list, a turn has one cell.
    browser.click(".engine-lines li:first-child .line-moves button:nth-child(2)");
    browser.wait_for("document.body.dataset.node === '2'");
    let cells = "[...document.querySelectorAll('.main-line > li')].map((row) => [...row.children].map((cell) => cell.querySelectorAll('button').length))";
    assert_eq!(browser.evaluate(cells), json!([[0, 2, 0]]));
    // White makes a step, and Black two moves.
    set_up(&mut browser, "3x1x1/4xx1/7/1XXT1x1/1Xx4/2xX3/X1X2X1 w 0 0 w - 2 48");
    browser.wait_for(&format!("JSON.stringify({numbers}) === '[\"1.\",\"1...\",\"1...\"]'"));
    assert_eq!(browser.evaluate(written), json!(["1. ", "", ""]));
    assert_no_errors(&browser);
}

/// Chess: castling and promotion are choices like any other.
#[test]
#[ignore = "needs Chromium"]
fn chess_is_played_by_clicking() {
    let mut player = Player::start(GameId::CHESS, &["--fen", "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]);
    assert!(player.is_to_move());
    // Everybody knows how it is played: what the page says of the pieces is open instead.
    player
        .browser
        .wait_for("document.getElementById('how').hidden && document.getElementById('marked').open");
    player.click_move("e1g1");
    assert!(player.is_to_move());
    player.click_move("a7a8n");
    let fen = player.browser.evaluate("document.getElementById('fen').value");
    assert!(fen.as_str().unwrap().starts_with("N7/"), "{fen}");
    // As people write it, and with everybody's name.
    let text = player.browser.evaluate("document.getElementById('moves').innerText");
    assert!(text.as_str().unwrap().contains("O-O") && text.as_str().unwrap().contains("a8=N"), "{text}");
    let name = player.browser.evaluate("document.getElementById('name').textContent");
    assert_eq!(name, "Chess: you – fake");
    assert!(player.is_to_move());
    player.browser.evaluate("document.getElementById('typed').value = 'Rf7'");
    player.browser.click("#type button");
    player.browser.wait_for("document.getElementById('moves').innerText.includes('Rf7')");
    check_access(&mut player.browser, "chess");
    take_pictures(&mut player.browser, "play-chess");
    assert_no_errors(&player.browser);
}

/// The first empty cell of a position of Hex, from the top.
fn free_cell(fen: &str) -> String {
    for (row, rank) in fen.split('/').enumerate() {
        // What precedes the first run of empty cells are stones, one a cell.
        let rank = rank.split(' ').next().unwrap_or_default();
        if let Some(stones) = rank.find(|sign: char| sign.is_ascii_digit()) {
            return format!("{}{}", ["a", "b", "c", "d", "e"][stones], 5 - row);
        }
    }
    panic!("the board is full: {fen}");
}

/// A game whose rules are a program, against an engine that needs no rules.
#[test]
#[ignore = "needs Chromium"]
fn a_game_of_ones_own_is_played_by_clicking() {
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let referee = format!("hex-5=python3 {repository}/configs/own-game/hex.py");
    let engine = format!("python3 {repository}/engine-proto/examples/python/legal_moves.py hex-5");
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::against(&engine, folder, &["--game", "hex-5", "--referee", &referee]);
    while player.is_to_move() {
        let fen = player.browser.evaluate("document.getElementById('fen').value");
        let cell = free_cell(fen.as_str().unwrap());
        let before = player.ply();
        player.browser.click(&format!("#board [data-square={cell}]"));
        assert!(
            player.browser.holds_soon(&format!("{before} < Number(document.body.dataset.ply)")),
            "{cell}"
        );
    }
    take_pictures(&mut player.browser, "play-hex");
    let status = player.browser.evaluate("document.getElementById('status').textContent");
    assert!(status.as_str().unwrap().contains("connection"), "{status}");
    assert_no_errors(&player.browser);
}

/// A mouse, keys and a finger look along the lines of an engine, in a position that has the number 2.
fn a_line_is_shown_before_it_is_played(browser: &mut Browser) {
    browser.evaluate("document.querySelector('.engine-lines li:nth-child(2) button:nth-child(2)').dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }))");
    browser.wait_for("document.querySelectorAll('.arrow.previewed').length === 2 && document.querySelectorAll('.arrow.previewed.last').length === 1");
    let glimpse = "!document.getElementById('line-preview').hidden && document.querySelector('#line-preview .piece') !== null";
    browser.wait_for(glimpse);
    check_access(browser, "line preview");
    take_pictures(browser, "analysis-line");
    // Keys lead along the line, and from line to line; a finger looks before it plays.
    let hidden = "document.getElementById('line-preview').hidden";
    browser.press("Escape");
    browser.evaluate("document.querySelector('.engine-lines button').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowRight");
    browser.wait_for("document.activeElement === document.querySelector('.engine-lines li:nth-child(2) button:nth-child(2)')");
    browser.wait_for(glimpse);
    let caption = "document.querySelector('#line-preview p').textContent === `After ${document.activeElement.dataset.words}`";
    browser.wait_for(caption);
    browser.press("Escape");
    browser.wait_for(hidden);
    assert_eq!(browser.evaluate("document.body.dataset.node"), "2");
    browser.evaluate("{ const move = document.querySelector('.engine-lines li:nth-child(1) button'); move.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true })); move.click(); }");
    browser.wait_for(glimpse);
    assert_eq!(browser.evaluate("document.body.dataset.node"), "2");
    browser.evaluate("document.body.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true }))");
    browser.wait_for(hidden);
}

/// The right button draws arrows and rings beside those of engines, in a position where no piece stands on `d4`.
fn squares_are_marked(browser: &mut Browser) {
    let drawn = |n: u32, rings: u32| {
        format!(
            "document.querySelectorAll('.arrow.drawn').length === {n} && document.querySelectorAll('.arrow.drawn circle').length === {rings}"
        )
    };
    let [one, other] = ["#board [data-square=b1]", "#board [data-square=d4]"];
    browser.evaluate(
        "window.menus = []; addEventListener('contextmenu', (event) => menus.push(event.defaultPrevented))",
    );
    browser.drag_and("right", one, other, |_| ());
    browser.wait_for(&drawn(1, 0));
    browser.click_with("right", other);
    browser.wait_for(&drawn(2, 1));
    // What was drawn is removed by drawing it again; another direction is another arrow.
    browser.drag_and("right", other, one, |_| ());
    browser.wait_for(&drawn(3, 1));
    browser.drag_and("right", one, other, |_| ());
    browser.wait_for(&drawn(2, 1));
    browser.click_with("right", "h1");
    assert_eq!(browser.evaluate("[...new Set(menus)]"), json!([true, false]));
    // It stays when the board turns, and an engine goes on; a click ends it.
    browser.press("f");
    browser.press("f");
    browser.wait_for(&drawn(2, 1));
    browser.wait_for("document.querySelectorAll('.arrow.best-0').length === 1");
    browser.click(other);
    browser.wait_for(&drawn(0, 0));
    browser.drag_and("right", one, other, |_| ());
    browser.wait_for(&drawn(1, 0));
    // It belongs to its position.
    browser.press("ArrowLeft");
    browser.wait_for(&drawn(0, 0));
    browser.press("ArrowRight");
    browser.wait_for(&drawn(1, 0));
    browser.wait_for("document.getElementById('exported').value.includes('[%cal Gb1d4]')");
}

/// A position is analysed: moves by click, branches by keys, lines of an engine.
#[test]
#[ignore = "needs Chromium"]
fn a_position_is_analysed() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let engine = |name, mode| format!("{name}={} {mode}", common::fake_engine().display());
    command.args(["analyse", "push-push", "--lines", "2"]);
    command.args(["--engine", &engine("many", "second-analyse"), "--engine", &engine("lost", "ready-exit")]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.querySelectorAll('.engine').length === 2");
    let shows = |node: u32| format!("document.body.dataset.node === '{node}'");
    browser.wait_for(&shows(0));
    let moves = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap().legal_moves();
    // Squares in order make a move; a click leaves the keys to the tree.
    let click_move = |browser: &mut Browser, mv: &str, node: u32| {
        for square in squares_of(mv) {
            browser.click(&format!("#board [data-square={square}]"));
        }
        let choice = format!("#choices [data-move={}]", json!(mv));
        if browser.evaluate(&format!("document.querySelector({}) !== null", json!(choice))) == json!(true) {
            browser.click(&choice);
        }
        browser.wait_for(&shows(node));
    };
    click_move(&mut browser, &moves[0], 1);
    browser.press("ArrowLeft");
    browser.wait_for(&shows(0));
    click_move(&mut browser, &moves[1], 2);
    browser.press("ArrowUp");
    browser.wait_for(&shows(1));
    browser.press("ArrowDown");
    browser.wait_for(&shows(2));
    // The lines of an engine, and one of them played.
    browser.click("[data-engine='0']");
    browser.wait_for("document.querySelector('.engine').dataset.depth === '3'");
    browser.wait_for("document.querySelectorAll('.engine-lines li').length === 2");
    browser.wait_for("!document.getElementById('gauge').classList.contains('is-unknown')");
    browser.wait_for("document.getElementById('bar-words').textContent.includes(', says many')");
    a_line_is_shown_before_it_is_played(&mut browser);
    browser.click(".engine-lines .more");
    browser.wait_for(
        "getComputedStyle(document.querySelector('.engine-lines .line-moves')).maxHeight === 'none'",
    );
    assert_ne!(
        browser.evaluate(
            "getComputedStyle(document.querySelectorAll('.engine-lines .line-moves')[1]).maxHeight"
        ),
        "none"
    );
    // The number of the side that is ahead stands on the bar, and the piece that moves in front of its squares.
    browser.wait_for("/^\\d+%$/.test(document.querySelector('#gauge span').textContent)");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('.engine-lines button:first-child svg').length"),
        2
    );
    // It was done at once, and says nothing more.
    browser.wait_for("document.querySelector('.engine').dataset.sign === 'pause'");
    browser.wait_for("document.querySelector('.engine .facts').textContent.endsWith('reports nothing more')");
    browser.click("[data-engine='1']");
    browser.wait_for("document.querySelectorAll('.engine')[1].dataset.state === 'failed'");
    assert_eq!(browser.evaluate("document.querySelectorAll('.engine')[1].dataset.sign"), "fail");
    // It is removed; added again, it starts at once.
    browser.click("[data-remove='1']");
    browser.wait_for("document.querySelectorAll('.engine').length === 1");
    browser.wait_for("document.getElementById('to-add').selectedOptions[0].text === 'lost'");
    browser.click("#adding button");
    browser.wait_for("document.querySelectorAll('.engine')[1]?.dataset.state === 'failed'");
    browser.click(".engine-lines li:nth-child(2) button:nth-child(2)");
    browser.wait_for(&shows(4));
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "3");
    browser.wait_for("document.querySelector('.engine').dataset.depth === '3'");
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree button').length"), 4);
    // Back to the start and to the end of the same line again, by keys; another branch by the mouse.
    browser.press("Home");
    browser.wait_for(&shows(0));
    browser.press("End");
    browser.wait_for(&shows(4));
    browser.press("f");
    // The best move of each engine is an arrow, and the search can end at a depth.
    browser.wait_for("document.querySelectorAll('.arrow.best-0').length === 1");
    squares_are_marked(&mut browser);
    check_width(&mut browser, "analysis");
    check_access(&mut browser, "analysis");
    take_pictures(&mut browser, "analysis");
    browser.click("#tree [data-node='1']");
    browser.wait_for(&shows(1));
    browser.press("Delete");
    browser.wait_for(&shows(0));
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree button').length"), 3);
    // What cannot be set up stays in its field.
    set_up(&mut browser, "rubbish");
    browser.wait_for("document.getElementById('said').textContent.includes('this is not a FEN')");
    assert_eq!(browser.evaluate("document.getElementById('edited-fen').value"), "rubbish");
    // An empty field replaces nothing.
    set_up(&mut browser, "");
    assert_eq!(browser.evaluate("document.getElementById('edited-fen').matches(':invalid')"), true);
    browser.click("#cancel");
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree button').length"), 3);
    // A position is set up.
    let mut play = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap();
    play.play(&moves[0]).unwrap();
    let fen = play.fen();
    set_up(&mut browser, &fen);
    browser.wait_for(&format!("document.getElementById('fen').value === {}", json!(fen)));
    browser.wait_for("document.getElementById('editor').hidden");
    browser.wait_for("document.querySelector('.engine').dataset.depth === '3'");
    browser.click("[data-engine='0']");
    browser.wait_for("document.querySelector('.engine').dataset.state === 'idle'");
    assert_eq!(browser.evaluate("document.querySelector('.engine').dataset.sign"), "stop");
    assert_no_errors(&browser);
}
