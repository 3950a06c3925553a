//! Watching: a tournament that is played, a folder, a finished one.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use model::Record;
use serde_json::{Value, json};

use super::{LEAGUE, assert_no_errors, check_access, check_width, take_pictures};
use crate::common::browser::Browser;
use crate::common::journal;
use crate::common::site::Site;
use crate::common::tournament::{Tournament, said};

/// A program that plays until the end of a test.
struct Player(Child);

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
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

/// How many verdicts are shown.
const VERDICTS: &str =
    "[...document.querySelectorAll('.verdict')].filter((one) => 0 < one.getClientRects().length).length";

#[test]
#[ignore = "needs Chromium"]
fn a_folder_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let mut records = LEAGUE.records();
    records[19].moves.iter_mut().for_each(|mv| mv.score = None);
    let (first, rest) = records.split_at(20);
    let journal = folder.path().join("matches.jsonl");
    fs::write(&journal, first.iter().map(journal::line).collect::<String>()).unwrap();
    let site = Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(folder.path()));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.querySelectorAll('table.results tbody tr').length === 20");
    browser.wait_for("document.querySelectorAll('#standings table.standings tbody tr').length === 3");
    assert_eq!(browser.evaluate("document.getElementById('state').textContent"), "results");
    // Without evaluations, the graph says so.
    assert_eq!(browser.evaluate("document.getElementById('focus-chart').innerText"), "No evaluations");
    // Of several games, each result beside the board names its own.
    assert_eq!(browser.evaluate("document.querySelector('#recent .sub').getClientRects().length"), 1);
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
    // What the keys do is a key away.
    for is_open in [true, false] {
        browser.press("?");
        browser.wait_for(&format!("document.getElementById('keys').matches(':popover-open') === {is_open}"));
    }
    // Who mistypes a number stays here.
    browser.evaluate("document.getElementById('find-id').value = '9999'");
    browser.click("#find button");
    browser.wait_for("document.querySelector('#find-id:invalid')?.validationMessage === 'No match with this number has ended.'");
    browser.evaluate("document.getElementById('find-id').value = ''");
    // The browser's own log has that, too.
    browser.errors.retain(|error| !error.contains("/match/9999"));
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
    browser.click("#match-facts > span > a");
    browser.wait_for("document.querySelector('h1')?.textContent.startsWith('Rules of ')");
    browser.evaluate("setTimeout(() => history.back())");
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
    let n_of_game = of_game.count();
    let title = format!("{title} in {}", name.as_str().unwrap());
    shows(browser, &title, n_of_game);
    // The address has the choice.
    let address = browser.evaluate("location.href");
    browser.visit("about:blank");
    browser.visit(address.as_str().unwrap());
    shows(browser, &title, n_of_game);
    browser.click("#of-all");
    browser.wait_for("location.search === ''");
    browser.wait_for(&format!(
        "document.getElementById('results-title').textContent === 'Latest results' && document.querySelectorAll('table.results tbody tr').length === {}",
        records.len()
    ));
    // An engine of the standings leads to its matches.
    browser.click("#standings-body tbody tr:first-child button");
    browser.wait_for("document.getElementById('results-title').textContent.startsWith('Matches of ')");
    browser.click("#of-all");
}

/// The record has what the clocks showed after the last moves: of who lost on time, nothing was left.
#[test]
#[ignore = "needs Chromium"]
fn a_clock_that_ran_out_shows_nothing_left() {
    let head = "[tournament]\npairs = 1\n[limits]\nbase = \"1s\"\nincrement = \"10ms\"\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("good", "good"), ("late", "move-hang")]);
    assert!(cup.run(&["--quiet"]).status.success());
    let folder = cup.path("results/cup");
    let site = Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(&folder));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.getElementById('focus-over').textContent.includes(' exceeded ')");
    let clock = |name| {
        format!(
            "[...document.querySelectorAll('#focus .player')].find((one) => one.querySelector('.who').textContent.startsWith('{name}')).querySelector('.clock').textContent"
        )
    };
    browser.wait_for(&format!("{} === '0:00.00'", clock("late")));
    assert_ne!(browser.evaluate(&clock("good")), "0:00.00");
    // Earlier positions have what was left then.
    browser.press("ArrowLeft");
    browser.wait_for(&format!("{} !== '0:00.00'", clock("late")));
    assert_no_errors(&browser);
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
    browser.wait_for("document.querySelector('#over .verdict > p').textContent !== ''");
    browser.wait_for("document.getElementById('reports').textContent === 'Report '");
    assert_eq!(browser.evaluate("document.querySelectorAll('.so-far').length"), 0);
    assert_eq!(browser.evaluate(VERDICTS), 1);
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
    browser.wait_for("document.getElementById('focus-over').textContent.includes(` ${document.getElementById('focus-name').textContent} `)");
    browser.press("ArrowLeft");
    browser
        .wait_for("document.getElementById('focus-place').textContent.includes('. The match ended with ')");
    // Its replay begins at the position that is shown.
    let n_moves =
        browser.evaluate("document.querySelectorAll('#focus-moves .move').length").as_u64().unwrap();
    browser.click("#focus-over .replay-link");
    browser.wait_for(&format!("document.getElementById('ply')?.value === '{}'", n_moves - 1));
    browser.evaluate("setTimeout(() => history.back())");
    browser.wait_for("document.getElementById('over')?.hidden === false");
    // So does an address that named it while it was played.
    browser.evaluate("location.hash = '#match=3'");
    browser.wait_for("location.pathname.endsWith('/match/3')");
    browser.visit(&site.url(""));
    browser.wait_for("document.getElementById('over')?.hidden === false");
    check_access(&mut browser, "over");
    take_pictures(&mut browser, "watch-over-folder");
    // On a phone, no table is wider than the window.
    browser.resize(390, 844);
    let is_narrow =
        "[...document.querySelectorAll('.wide')].every((box) => box.scrollWidth <= box.clientWidth)";
    browser.wait_for(is_narrow);
    // The verdict is read before the board there, and once.
    browser.wait_for(&format!("document.querySelector('#over + .stage') !== null && {VERDICTS} === 1"));
    // A finger learns what a word means, and what a curve shows.
    browser.tap("#standings-body abbr");
    browser.wait_for(
        "document.querySelector('.tip:popover-open').textContent.startsWith('The best and the worst rank')",
    );
    browser.tap("#history-chart svg");
    browser.wait_for("document.querySelector('.tip:popover-open') === null && /^after \\d+ /.test(document.querySelector('#history-chart .readout').textContent)");
    browser.resize(1280, 900);
    // Of numbers that no match has, the field says which there are.
    browser.evaluate("document.getElementById('find-id').value = '73'");
    browser.click("#find button");
    let field = "document.querySelector('#find-id:invalid')?.validationMessage";
    assert_eq!(browser.evaluate(field), "Value must be less than or equal to 72.");
    browser.click("#reports a");
    browser.wait_for("document.querySelectorAll('table.standings tbody tr').length === 3 && document.title === 'cup · Arena' && document.querySelector('nav.sections') !== null");
    browser.click(".brand a");
    browser.wait_for("document.getElementById('over')?.hidden === false");
    // When the program ends, the page says so, and a match leads to what can be done.
    browser.visit(&site.url(""));
    browser.wait_for("document.getElementById('over')?.hidden === false");
    let status = Command::new("kill").args(["-INT", &site.process.id().to_string()]).status().unwrap();
    assert!(status.success());
    browser.wait_for("0 < document.querySelector('#over summary').getClientRects().length && document.querySelector('#reports').getClientRects().length === 0");
    browser.click("table.results a");
    browser.wait_for("document.activeElement.id === 'over' && document.querySelector('#over details').open");
    let cursor = "getComputedStyle(document.querySelector('#recent [href=\"#results\"]')).cursor";
    assert_eq!(browser.evaluate(cursor), "pointer");
    one_of_several_folders_is_chosen(&mut browser, &cup);
    // The page tries whether the program is started again.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
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
    browser.wait_for(
        "/^thinking, [12]\u{202f}s$/.test(document.querySelector('#focus .thinks:not(:empty)')?.textContent)",
    );
    // What it thinks is shown before its move.
    browser.wait_for("(() => { const box = document.querySelector('#focus .player:has(.to-move)'); return box.querySelector('.thought').textContent.startsWith(`${box.querySelector('.of-w') ? '+' : '−'}0.31depth 95K nodesthinking, `); })()");
    browser.wait_for(
        "[...document.querySelectorAll('#focus-lines dt')].some((one) => one.textContent === 'bad expects')",
    );
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
    assert_eq!(browser.evaluate(heading), "A match that has ended");
    // The small boards stay, and lead to the replays.
    browser.wait_for(
        "[...document.querySelectorAll('#boards .fine')].every((one) => one.textContent.endsWith('over'))",
    );
    take_pictures(&mut browser, "watch-over");
    // One line has all faults of an engine with the same cause, and leads to each match.
    browser.wait_for("/^bad lost \\d+ matches: time exceededThe last one: match (\\d+) .* bad loses, time exceeded. Replays, the newest first: \\1( \\d+)+$/.test(document.querySelector('#faults li')?.textContent)");
    assert_eq!(browser.evaluate("document.querySelectorAll('#faults li').length"), 1);
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
    // A forfeit says nothing about the position. Which match ended last is chance, and most end so.
    let bar = browser.evaluate("document.getElementById('focus-gauge').ariaLabel");
    let over = browser.evaluate("document.getElementById('focus-over').textContent");
    let is_evaluation =
        ["No evaluation", "Win probability"].iter().any(|words| bar.as_str().unwrap().starts_with(words));
    let is_by_rules = !["exceeded", "maximum"].iter().any(|words| over.as_str().unwrap().contains(words));
    assert_ne!(is_evaluation, is_by_rules, "{bar} {over}");
    for (width, height) in [(1440, 900), (1024, 768), (390, 844)] {
        browser.resize(width, height);
        browser.evaluate("scrollTo(0, 0)");
        let places = browser.evaluate("['#over .verdict', '#over summary', '#focus-board'].map((one) => document.querySelector(one).getBoundingClientRect().bottom)");
        let places: Vec<f64> = places.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        assert!(places.iter().all(|place| (1.0..f64::from(height)).contains(place)), "{width}: {places:?}");
    }
    assert_eq!(
        browser.evaluate("document.querySelector('#over .when-gone code').innerText"),
        "results/cup/report.html"
    );
    browser.resize(1440, 900);
    browser.wait_for("5 <= [...document.querySelectorAll('#recent li')].filter((one) => one.getBoundingClientRect().bottom <= one.parentNode.getBoundingClientRect().bottom).length");
    browser.resize(1280, 900);
    check_access(&mut browser, "result");
    take_pictures(&mut browser, "watch-result");
    browser.click("table.results a");
    browser.wait_for(
        "document.activeElement.id === 'over' && document.querySelector('#over details.when-gone').open",
    );
    // The page tries whether the arena is started again.
    browser.errors.retain(|error| !error.contains("ERR_CONNECTION_REFUSED"));
    assert_no_errors(&browser);
}

/// Where the board begins beside what a test has found; it is on the first screen.
fn tops(browser: &mut Browser, site: &Site, found: &str) -> [Value; 3] {
    [(1440, 900), (1024, 768), (390, 844)].map(|(width, height)| {
        browser.resize(width, height);
        browser.visit(&site.url(""));
        browser.wait_for(&format!("document.getElementById('stops').textContent.includes('{found}')"));
        browser.wait_for(&format!("(({{ top, bottom }}) => 0 < top && bottom < {height})(document.getElementById('focus-board').getBoundingClientRect())"));
        browser.evaluate("Math.round(document.getElementById('focus-board').getBoundingClientRect().top)")
    })
}

/// Its page and its report have the verdict of the terminal.
#[test]
#[ignore = "needs Chromium"]
fn a_sequential_test_is_watched_to_its_verdict() {
    let head = "[tournament]\npairs = 200\nconcurrency = 1\nresults = \"sprt\"\n[stop.sprt]\nelo0 = 0\nelo1 = 100\nmodel = \"logistic\"\n[limits]\nnodes = 10\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("good", "weak-10"), ("bad", "weak-40")]);
    // Its page is that of the folder from now on.
    let output = cup.run(&["--serve"]);
    assert!(said(&output).contains("2 engines, at most 400 matches\n"), "{}", said(&output));
    let journal = cup.path("sprt").join("matches.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let first = lines[..20].concat();
    fs::write(&journal, lines[..2].concat()).unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_arena"));
    let mut site = Site::start(serve.arg("serve").arg(cup.path("sprt")));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    let says = |id: &str, words: &str| {
        format!("document.getElementById('{id}').textContent.includes({})", json!(words))
    };
    // The board keeps its place when the chart comes.
    let before = tops(&mut browser, &site, "undecided after 1 pair");
    assert_eq!(browser.evaluate("document.querySelector('#tests svg')"), Value::Null);
    fs::write(&journal, &first).unwrap();
    assert_eq!(tops(&mut browser, &site, "undecided after 10 pairs"), before);
    figures_are_folded_in_a_narrow_window(&mut browser, &site);
    browser.visit(&site.url(""));
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
    browser.resize(1280, 900);
    check_access(&mut browser, "test");
    take_pictures(&mut browser, "watch-test");
    let is_sorted = "(() => {
        const [bound, curve] = [...document.querySelectorAll('#tests .curve path')].map((one) => Number(one.getAttribute('d').split(' ').at(-1)));
        const [label, of_bound] = ['LLR', 'H1'].map((name) => [...document.querySelectorAll('#tests .end-label')].find((one) => one.lastChild.textContent === name).getAttribute('y'));
        return Math.abs(curve - bound) < 2 ? of_bound < label : (curve - bound) * (label - of_bound) > 0;
    })()";
    // A little before the verdict, the names of the curves are in the order of their values, and a bound is outside of a curve that lies on it.
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
    browser.wait_for(&says("stops", "Forfeits count as losses: bad forfeited "));
    browser.wait_for(&says("stops", &figures));
    assert_eq!(
        browser.evaluate("document.getElementById('bar').value === document.getElementById('bar').max"),
        json!(true)
    );
    // A tip says what the letters are.
    browser.wait_for("/^\\d+ LL, .* \\d+ WW$/.test(document.querySelector('#stops abbr').textContent)");
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

/// A narrow window folds the figures of a test, and shows them when it becomes wide.
fn figures_are_folded_in_a_narrow_window(browser: &mut Browser, site: &Site) {
    browser.resize(390, 844);
    browser.visit(&site.url(""));
    browser.wait_for("document.getElementById('stops').textContent.includes('undecided after ')");
    assert_eq!(browser.evaluate("document.querySelector('#stops details').open"), false);
    browser.resize(1280, 900);
    browser.wait_for("document.querySelector('#stops details').open");
}

/// A long tournament of matches between two of these engines.
fn slow_cup(engine: &str) -> Tournament {
    let head = "[tournament]\npairs = 500\nconcurrency = 1\n[limits]\nmovetime = \"3s\"\nmax-plies = 8\n[[game]]\nid = \"push-push\"\n";
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
    // Where no other board is, the results have the room below the large one.
    browser.resize(1024, 768);
    let is_below = "(() => { const [news, stage] = ['#news', '#focus > .stage'].map((one) => document.querySelector(one).getBoundingClientRect()); return news.left === stage.left && stage.bottom <= news.top; })()";
    assert_eq!(browser.evaluate(is_below), true);
    browser.resize(1280, 900);
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
    browser.evaluate("location.hash = '#cross'");
    browser.click("#cross-body tbody tr:first-child td:nth-of-type(2) button");
    browser.wait_for("document.getElementById('results-said').textContent === 'The arena does not answer; the list is as before.'");
    let list = format!(
        "[document.getElementById('results-title').textContent, document.getElementById('of-engine').value, {rows}]"
    );
    assert_eq!(browser.evaluate(&list), json!(["Latest results", "", n_rows]));
    assert_eq!(browser.evaluate("location.hash"), "#results");
    // Watched again, by another command.
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let folder = cup.path("results/cup");
    let site = Site::start(command.arg("serve").arg(folder).args(["--address", &site.host]));
    assert_eq!(site.path, path);
    browser.wait_for("document.getElementById('ended').hidden && document.body.dataset.state === 'stopped' && !document.getElementById('stopped').hidden");
    assert_eq!(browser.evaluate("'isSame' in document.body.dataset"), true);
    // Of another program, nobody knows how many matches it plays now, and none can be watched.
    let _player = Player(cup.command(&["--quiet"]).spawn().unwrap());
    browser.wait_for("document.getElementById('facts').textContent.includes('finished ones only')");
    let seen =
        "document.getElementById('facts').textContent + document.getElementById('focus-over').innerText";
    let seen = browser.evaluate(seen);
    assert!(!seen.as_str().unwrap().contains("being played"), "{seen}");
    // The browser itself reports each attempt.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
    assert_no_errors(&browser);
}

/// The evaluations, the standings with their verdict, all at once on a screen.
fn standings_stand_beside_the_match(browser: &mut Browser) {
    browser.wait_for("document.querySelector('#focus-chart .curve path') !== null");
    // The third one has its place before it has finished a match.
    browser.wait_for("[...document.querySelectorAll('#beside tbody tr')].map((row) => `${row.children[0].textContent} ${row.lastElementChild.textContent === '–'}`).sort().join() === 'one false,thinker true,two false'");
    // As long as matches are to come, it is provisional.
    browser.wait_for("document.querySelector('#so-far .verdict > p').textContent.startsWith('so far it is too early to tell ')");
    // It stands once.
    assert_eq!(browser.evaluate(VERDICTS), 1);
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
    low_windows_keep_what_is_read(browser);
    browser.resize(1440, 900);
    // It has its place in the large table, too.
    browser.wait_for(
        "/^thinker–+$/.test(document.querySelector('#standings-body tbody tr:last-child').textContent)",
    );
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

/// In low windows, the left column and the moves end inside, and a long sentence is seen whole beside two boards.
fn low_windows_keep_what_is_read(browser: &mut Browser) {
    let verdict = "document.querySelector('#so-far .verdict > p')";
    let sentence = "The result comes from forfeits, not from play: mcts-rollouts-experimental forfeited 345 of 600 matches. With forfeits as losses: alpha-beta-with-nnue is stronger than mcts-rollouts-experimental: +512 (+480 to +590) Elo, LOS >99.9 %.";
    for (width, height) in [(1440, 900), (1366, 768), (1280, 720)] {
        browser.resize(width, height);
        browser.evaluate(&format!("{verdict}.textContent = {}", json!(sentence)));
        let ends = browser.evaluate("['.beside-board', '#focus-moves'].map((one) => document.querySelector(one).getBoundingClientRect().bottom)");
        let ends: Vec<f64> = serde_json::from_value(ends).unwrap();
        assert!(ends.iter().all(|end| (1.0..f64::from(height)).contains(end)), "{width}: {ends:?}");
        let is_whole = format!(
            "{verdict}.getBoundingClientRect().bottom <= document.querySelector('.beside-board').getBoundingClientRect().bottom"
        );
        assert_eq!(browser.evaluate(&is_whole), true, "{width}");
    }
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
        assert_eq!(
            browser.evaluate("document.getElementById('focus-lines').contains(document.activeElement)"),
            false
        );
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

/// Follows what has this value in the list.
fn follow(value: &str) -> String {
    format!(
        "(() => {{ const list = document.getElementById('wanted'); list.value = {}; list.dispatchEvent(new Event('change')); }})()",
        json!(value)
    )
}

/// Only the matches of that are shown.
fn one_game_or_engine_is_followed(browser: &mut Browser) {
    let game = browser.evaluate("document.getElementById('focus-facts').textContent");
    let game = game.as_str().unwrap();
    browser.evaluate(&follow(&format!("g{game}")));
    browser.wait_for(&format!("document.getElementById('focus-facts').textContent === {}", json!(game)));
    browser.evaluate(&follow("ethinker"));
    // Whoever opens the address follows the same.
    let address = browser.evaluate("location.href");
    assert!(address.as_str().unwrap().ends_with("#follow=ethinker"), "{address}");
    browser.evaluate("document.body.dataset.isOld = ''; setTimeout(() => location.reload())");
    browser.wait_for(
        "document.body?.dataset.isOld === undefined && document.getElementById('wanted')?.value === 'ethinker'",
    );
    browser.wait_for(
        "document.getElementById('elsewhere').textContent === '' && !document.getElementById('focus').hidden",
    );
    // An engine whose matches are over, as the list keeps it: that is said, and the last board stays.
    browser.evaluate("document.getElementById('wanted-engines').append(new Option('idle', 'eidle'))");
    browser.evaluate(&follow("eidle"));
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
}

/// The arrow keys go on in a list. "All results" is a stop of its own.
fn lists_are_one_stop_of_the_tab_key(browser: &mut Browser, plies: &[String; 2]) {
    let focused = "[...document.activeElement.closest('ul, ol').querySelectorAll('a, button')].indexOf(document.activeElement)";
    let stops = "['focus-moves', 'recent', 'results-body'].map((id) => [...document.querySelectorAll(`#${id}, #${id} :is(a, button, .wide)`)].filter((one) => one.tabIndex === 0 && one.matches('a, button, [tabindex]')).length)";
    assert_eq!(browser.evaluate(stops), json!([1, 2, 1]));
    browser.press("ArrowLeft");
    browser.wait_for(&plies[0]);
    browser.press("ArrowRight");
    browser.wait_for(&plies[1]);
    assert_eq!(browser.evaluate(focused), 2);
    browser.evaluate("document.querySelector('#recent [tabindex=\"0\"]').focus()");
    browser.press("ArrowDown");
    assert_eq!(browser.evaluate(focused), 1);
    assert_eq!(browser.evaluate(stops), json!([1, 2, 1]));
}

/// A running match is walked through, the standings stand beside it, and one engine or game is followed.
#[test]
#[ignore = "needs Chromium"]
fn a_running_match_is_studied() {
    let head = "[tournament]\npairs = 2\nconcurrency = 2\n[limits]\nbase = \"10min\"\nmax-plies = 12\n[[game]]\nid = \"push-push\"\n[[game]]\nid = \"push\"\n";
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
    // The clock of the thinker runs, and stands still for whoever opens the page again no longer than it takes to open it.
    let clock = "Math.min(...[...document.querySelectorAll('#focus .clock')].map((one) => one.textContent.split(':').reduce((all, part) => 60 * all + Number(part), 0)))";
    let begun = browser.evaluate(clock).as_f64().unwrap();
    browser.wait_for(&format!("{clock} < {begun} - 1"));
    browser.visit(&site.url(""));
    browser.wait_for(&format!(
        "document.querySelectorAll('#focus-moves button').length === {last} && {clock} < {begun} - 1"
    ));
    assert_eq!(browser.evaluate("document.querySelector('#facts > :nth-child(3)').textContent"), "10m");
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
    lists_are_one_stop_of_the_tab_key(&mut browser, &[earlier(2), earlier(3)]);
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
    one_game_or_engine_is_followed(&mut browser);
    // The replay of a match that is being played is the match itself.
    let number = browser.evaluate("document.getElementById('focus-title').textContent.split(' ')[1]");
    let number = number.as_str().unwrap();
    browser.visit(&site.url(&format!("match/{number}")));
    browser.wait_for(&format!("location.hash === '#match={number}' && document.getElementById('focus-title')?.textContent === 'Match {number}'"));
    // An address without a match says so.
    browser.evaluate("location.hash = '#match=9999'");
    browser.wait_for(
        "document.getElementById('elsewhere').textContent.startsWith('There is no match 9999 yet: match ')",
    );
    browser.errors.retain(|error| !error.contains("404"));
    // So does one that follows nothing that there is; a match is shown all the same.
    for wrong in ["xyz", "enobody", "%"] {
        browser.evaluate(&format!("location.hash = '#follow={wrong}'"));
        browser.wait_for(&format!("document.getElementById('elsewhere').textContent.startsWith('The address follows \u{201c}{wrong}\u{201d}, which is no engine or game here') && !document.getElementById('focus').hidden"));
    }
    // What else it names is said above the board.
    for (named, wrong) in
        [("?engine=nobody", "nobody"), ("?standings=chess", "chess"), ("#engine=nobody", "#engine=nobody")]
    {
        browser.evaluate(&format!("history.replaceState(null, '', {}), document.body.click()", json!(named)));
        browser.wait_for(&format!("document.getElementById('unknown').textContent.startsWith('The address names \u{201c}{wrong}\u{201d}, which this page does not have') && !document.getElementById('unknown').hidden"));
        browser.evaluate("history.replaceState(null, '', location.pathname), document.body.click()");
        browser.wait_for("document.getElementById('unknown').hidden");
    }
    // What is followed ends with the tournament.
    browser.evaluate(&follow("ethinker"));
    browser.wait_for("document.querySelectorAll('#boards li').length === 2");
    // Matches that are aborted are not over.
    for said in ["stop requested while 2 matches were being played", "stopped; 2 matches did not finish"] {
        let status = Command::new("kill").args(["-INT", &site.process.id().to_string()]).status().unwrap();
        assert!(status.success());
        browser.wait_for(&format!("document.querySelector('#log-body li')?.textContent === '{said}'"));
    }
    browser.wait_for("[...document.querySelectorAll('#boards .fine')].every((one) => one.textContent.endsWith(', stopped'))");
    browser.wait_for("document.getElementById('wanted').value === '' && location.hash === ''");
    // The page tries whether the arena is started again.
    browser.errors.retain(|error| !error.contains("net::ERR_"));
    assert_no_errors(&browser);
}

/// A clock shows the time of its own engine, also in the moment before a move is drawn.
#[test]
#[ignore = "needs Chromium"]
fn each_engine_has_its_own_clock() {
    let head = "[tournament]\npairs = 500\nconcurrency = 1\n[limits]\nbase = \"10min\"\n[[game]]\nid = \"push-push\"\n";
    let long = ("long", "slow-5", "limits = { base = \"40min\" }");
    let cup = Tournament::with_keys(head, &[("short", "slow-5", ""), long]);
    let site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.querySelectorAll('#focus .clock').length === 2");
    browser.evaluate(
        "{ const seen = (document.body.seen = { n: 0, wrong: [] }); const look = () => { for (const box of document.querySelectorAll('#focus .player')) { const minutes = parseInt(box.querySelector('.clock')?.textContent ?? ''); if (Number.isNaN(minutes)) continue; seen.n += 1; if (box.querySelector('.who').textContent.startsWith('long') !== 10 < minutes) seen.wrong.push(box.textContent); } requestAnimationFrame(look); }; look(); }",
    );
    browser.wait_for("600 < document.body.seen.n");
    assert_eq!(browser.evaluate("document.body.seen.wrong"), json!([]));
    assert_no_errors(&browser);
}

/// Nothing moves under the eyes of whoever watches, neither when the time left is known nor with the end of a match.
#[test]
#[ignore = "needs Chromium"]
fn board_and_moves_keep_their_places() {
    let head = "[tournament]\npairs = 500\nconcurrency = 1\n[limits]\nmovetime = \"3s\"\nmax-plies = 8\n[[game]]\nid = \"push-push\"\n";
    let names = ["an-engine-with-a-long-name-2.1.0", "another-engine-with-a-long-name-2.0.9-rc3"];
    for width in [1440, 1024, 390] {
        let cup = Tournament::new(head, &names.map(|name| (name, "slow-100")));
        let site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
        let mut browser = Browser::start();
        browser.resize(width, 900);
        browser.visit(&site.url(""));
        browser.wait_for("document.querySelectorAll('#beside tbody tr').length === 2 && document.querySelector('.later') !== null");
        let tops = "['focus-board', 'focus-moves', 'focus-chart', 'boards'].map((id) => Math.round(document.getElementById(id).getBoundingClientRect().top + scrollY))";
        let first = browser.evaluate(tops);
        browser.wait_for("document.querySelector('.later') === null && document.getElementById('facts').textContent.includes(' left')");
        assert_eq!(browser.evaluate(tops), first, "{width}: time left");
        browser.wait_for("1 < document.querySelectorAll('#focus-moves li').length");
        browser.press("ArrowLeft");
        browser.wait_for("!document.getElementById('focus-over').hidden");
        assert_eq!(browser.evaluate(tops), first, "{width}: over");
        browser.press("End");
        browser.wait_for("document.getElementById('focus-over').hidden");
        assert_eq!(browser.evaluate(tops), first, "{width}: the next match");
        assert_no_errors(&browser);
    }
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
    let top = "document.getElementById('main').getBoundingClientRect().top";
    let before = browser.evaluate(top);
    bridge.cut(true);
    let mut journal = OpenOptions::new().append(true).open(&journal).unwrap();
    journal.write_all(journal::line(&records[1]).as_bytes()).unwrap();
    browser.wait_for("!document.getElementById('lost').hidden");
    assert_eq!(browser.evaluate(top), before);
    // A link would lose the page: it leads to what can be done.
    browser.click("table.results a");
    browser
        .wait_for("document.getElementById('lost').open && document.activeElement.closest('#lost') !== null");
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
