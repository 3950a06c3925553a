//! The pages of a league and of tournaments with rounds in a real browser, with those of `live_browser`, so that one filter
//! runs both: `cargo it live_browser:: --ignored`. Needs Chromium.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::common::browser::Browser;
use crate::common::fake_engine;
use crate::common::site::Site;
use crate::common::tournament::{Ended, Tournament, arena};
use crate::live_browser::{check_access, check_width, take_pictures};

const GAME: &str = "[limits]\nnodes = 10\nmax-plies = 12\n[[game]]\nid = \"push-push\"\n";

/// A host of plain files. It ends with the test.
fn host(folder: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let folder = folder.to_owned();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut line = String::new();
            let _ = BufReader::new(&stream).read_line(&mut line);
            let path = line.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let kind = match Path::new(path).extension().and_then(|end| end.to_str()) {
                Some("js") => "text/javascript",
                Some("css") => "text/css",
                _ => "text/html; charset=utf-8",
            };
            let (status, body) =
                fs::read(folder.join(path)).map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

fn check(browser: &mut Browser, name: &str) {
    check_width(browser, name);
    check_access(browser, name);
    take_pictures(browser, name);
}

#[test]
#[ignore = "needs Chromium"]
fn rounds_are_tables() {
    for (format, n_rows) in [("swiss", 5), ("knockout", 6)] {
        let names = ["alpha", "beta", "gamma", "delta", "epsilon"];
        let engines = names.map(|name| (name, "weak-30"));
        let head = format!("[tournament]\nformat = \"{format}\"\nmax-faults = 1000\n{GAME}");
        let cup = Tournament::new(&head, &engines);
        cup.run(&[]).succeeds();
        let mut browser = Browser::start();
        browser.open(&cup.path("results/cup/report.html"));
        let rows =
            |place: &str| format!("document.querySelectorAll('{place} details[open] tbody tr').length");
        browser.wait_for(&format!("{} >= {n_rows}", rows("#standings")));
        check(&mut browser, &format!("report-{format}"));
        let site =
            Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(cup.path("results/cup")));
        browser.visit(&site.url(""));
        browser.wait_for(&format!("{} >= {n_rows}", rows("#rounds")));
        browser
            .evaluate("document.querySelectorAll('#rounds details').forEach((one) => { one.open = true; })");
        check(&mut browser, &format!("watch-{format}"));
        assert_eq!(browser.errors, [""; 0]);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_pages_of_a_league_live_and_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    fs::create_dir(path("engines")).unwrap();
    fs::write(path("league.toml"), format!("[league]\nowner = \"house\"\nfaults-in-a-row = 1000\n{GAME}"))
        .unwrap();
    let drop_in = |name: &str, mode: &str| {
        let program = toml::Value::from(fake_engine().to_str().unwrap());
        let text = format!("name = \"{name}\"\ncommand = {program}\nargs = [\"{mode}\"]\n");
        fs::write(path(&format!("engines/{name}.toml")), text).unwrap();
    };
    let play = || arena(folder.path(), &["league", ".", "--quiet", "--matches", "60"]).succeeds();
    for name in ["alpha", "beta", "gamma"] {
        drop_in(name, "weak-50");
    }
    play();
    drop_in("alpha", "weak-10");
    play();

    let mut browser = Browser::start();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let site = Site::start(command.current_dir(folder.path()).args(["league", ".", "--serve"]));
    let is_list = "document.querySelectorAll('tbody tr').length === 3";
    // The table comes a moment after the address.
    while site.get("league/index.html", &[]).0 != 200 {
        std::thread::sleep(Duration::from_millis(50));
    }
    browser.visit(&site.url("league/index.html"));
    browser.wait_for(is_list);
    check(&mut browser, "league-list");
    browser.click("tbody a[href='engine/alpha.html']");
    browser.wait_for("document.querySelectorAll('[aria-label=Builds] tbody tr').length === 2");
    check(&mut browser, "league-engine");
    drop(site);

    arena(folder.path(), &["league", "export", ".", "--to", "pages"]).succeeds();
    let address = host(&path("pages"));
    browser.visit(&format!("{address}/index.html"));
    browser.wait_for(is_list);
    browser.click("tbody a[href='engine/alpha.html']");
    browser.wait_for("document.querySelectorAll('[aria-label=Builds] tbody tr').length === 2");
    browser.click("a[href^='../match/']");
    browser.wait_for("document.querySelector('#board svg .piece') !== null");
    // A match that a fault ended opens at its end.
    browser.press("Home");
    browser.press("ArrowRight");
    browser.wait_for("document.getElementById('ply').value === '1'");
    check(&mut browser, "league-replay");
    // To a match beside it, and to the rules.
    browser.click("#match-previous, #match-next");
    browser.wait_for("document.querySelector('#board svg .piece') !== null");
    browser.visit(&format!("{address}/rules/push-push.html"));
    browser.wait_for("document.querySelector('article h1') !== null");
    assert_eq!(browser.errors, [""; 0]);
}
