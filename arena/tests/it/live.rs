//! Watching a tournament: what visitors get, and what strangers do not, without a browser.

#[cfg(target_os = "linux")]
#[path = "live/cost.rs"]
mod cost;
use crate::common::journal;
use crate::common::site;
use crate::common::tournament;

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::Command;

use engine_proto::GameId;
use journal::MadeUp;
use model::{Record, SideLetter};
use serde_json::{Value, json};
use site::Site;
#[cfg(unix)]
use tournament::with_open_files;
use tournament::{Tournament, said};

const LEAGUE: MadeUp<'_> =
    MadeUp { engines: &["alpha", "beta"], games: GameId::BUILT_IN, pairs: 1, max_plies: 12 };

/// A folder with a journal of these matches.
fn write_journal(folder: &Path, n: usize) {
    let lines: String = LEAGUE.records().iter().take(n).map(journal::line).collect();
    fs::write(folder.join("matches.jsonl"), lines).unwrap();
}

fn serve(folders: &[&Path]) -> Site {
    Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").args(folders))
}

/// Reads events until one has `wanted`, which is given.
fn wait_for(events: &mut site::Events, wanted: impl Fn(&Value) -> bool) -> (String, Value) {
    loop {
        let (id, _, data) = events.next().expect("the stream goes on");
        if wanted(&data) {
            return (id, data);
        }
    }
}

fn finished(data: &Value) -> Vec<&str> {
    let all = data["finished"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().map(|one| one["id"].as_str().unwrap()).collect()
}

#[test]
fn a_late_visitor_gets_all_at_once_and_a_lost_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), 3);
    let site = serve(&[folder.path()]);
    let mut events = site.events(None);
    let (id, kind, all) = events.next().unwrap();
    assert_eq!(kind, "snapshot");
    assert_eq!(finished(&all), ["1", "2", "3"]);
    assert_eq!(all["progress"]["n_finished"], 3);
    assert_eq!(all["progress"]["state"], "watching");
    let rows = all["standings"]["scopes"][0]["pools"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{all}");
    // A match more, of which the journal has only a part at first.
    let line = journal::line(&LEAGUE.records()[3]);
    let mut journal = OpenOptions::new().append(true).open(folder.path().join("matches.jsonl")).unwrap();
    journal.write_all(&line.as_bytes()[..50]).unwrap();
    journal.write_all(&line.as_bytes()[50..]).unwrap();
    let (_, frame) = wait_for(&mut events, |data| data["finished"].is_array());
    assert_eq!(finished(&frame), ["4"]);
    drop(events);
    // From where it was: no snapshot.
    let mut events = site.events(Some(&id));
    let (_, kind, frame) = events.next().unwrap();
    assert_eq!((kind.as_str(), finished(&frame)), ("frame", vec!["4"]));
    // An id of another server.
    let mut events = site.events(Some("17-3"));
    let (_, kind, mut data) = events.next().unwrap();
    assert_eq!(kind, "snapshot");
    let mut n = finished(&data).len();
    while n < 4 {
        (_, _, data) = events.next().unwrap();
        n += finished(&data).len();
    }
}

#[test]
fn every_match_has_a_page() {
    let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    for folder in &folders {
        write_journal(folder.path(), 10);
    }
    let site = serve(&[folders[0].path(), folders[1].path()]);
    let (_, _, all) = site.events(None).next().unwrap();
    assert_eq!(finished(&all).len(), 20);
    for id in finished(&all) {
        let (status, page) = site.get(&format!("match/{id}"), &[]);
        assert_eq!(status, 200, "{id}");
        assert!(page.contains(&format!("<h1>Match {id}</h1>")) && page.contains("id=\"block-0\""), "{id}");
    }
    for id in ["99", "0-1", "3-1", "1-99", "x", "1-1/..", "%3Cscript%3E"] {
        let (status, page) = site.get(&format!("match/{id}"), &[]);
        assert_eq!(status, 404, "{id}");
        assert!(!page.contains("<script>"), "{page}");
    }
    // What is mistyped leads back.
    let (status, page) = site.get("nothing/here", &[]);
    assert!(status == 404 && page.contains("<a href=\"./../\">To the first page</a>"), "{page}");
    // The matches of an engine are found in all folders; what is not asked for in the right way is refused.
    let found = |wanted: &str| {
        let (status, answer) = site.get(&format!("results/{wanted}"), &[]);
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str::<Value>(body).unwrap_or_default())
    };
    let (status, all) = found("%7B%7D");
    assert_eq!((status, &all["n"]), (200, &json!(20)));
    let engine = all["finished"][0]["names"][0].as_str().unwrap();
    let (_, some) = found(&format!("%7B%22engine%22:%22{engine}%22%7D"));
    let names = |one: &Value| one["names"].as_array().unwrap().contains(&json!(engine));
    let n = all["finished"].as_array().unwrap().iter().filter(|one| names(one)).count();
    assert!(n != 0 && some["n"] == n && some["finished"].as_array().unwrap().iter().all(names), "{some}");
    assert_eq!(found("%7B%22engine%22:%22nobody%22%7D").1, json!({"n": 0, "finished": []}));
    for wrong in ["x", "[]", "%7B%22name%22:1%7D", "%7B%22engine%22:1%7D"] {
        assert_eq!(found(wrong).0, 400, "{wrong}");
    }
    // However many are asked for at once, they take one thread.
    #[cfg(target_os = "linux")]
    {
        let n_threads = || fs::read_dir(format!("/proc/{}/task", site.process.id())).unwrap().count();
        let before = n_threads();
        let head = site.head("GET", &format!("{}match/1-1", site.path), &[("Connection", "close")]);
        let mut asked: Vec<_> = (0..12).map(|_| site.connect()).collect();
        for stream in &mut asked {
            write!(stream, "{head}\r\n").unwrap();
        }
        for stream in &mut asked {
            stream.read_to_end(&mut Vec::new()).unwrap();
            assert!(n_threads() <= before + 1);
        }
    }
}

#[test]
fn strangers_get_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), 1);
    let site = serve(&[folder.path()]);
    let (status, page) = site.get("", &[]);
    assert_eq!(status, 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self';",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(page.contains(header), "{header}: {page}");
    }
    assert!(!page.contains("access-control") && !page.contains("unsafe"), "{page}");
    // The wrong token, or none.
    for path in
        ["/", "/0123456789abcdef0123456789abcdef/", &site.path.to_uppercase(), &format!("/{}", site.path)]
    {
        let (status, answer) = site.ask("GET", path, &[], "");
        assert_eq!(status, 403, "{path}");
        assert!(!answer.contains("<html"), "{answer}");
    }
    // DNS rebinding: another site's name leads to this machine.
    let port = site.host.rsplit_once(':').unwrap().1;
    for host in
        [format!("evil.example:{port}"), format!("127.0.0.1.evil.example:{port}"), "evil.example".to_owned()]
    {
        assert_eq!(site.get("", &[("Host", &host)]).0, 421, "{host}");
        assert_eq!(site.get("events", &[("Host", &host)]).0, 421, "{host}");
    }
    assert_eq!(site.get("", &[("Host", &format!("localhost:{port}"))]).0, 200);
    // Another site in the browser of a visitor.
    for page in ["", "events", "match/1"] {
        assert_eq!(site.get(page, &[("Origin", "http://evil.example")]).0, 403);
        assert_eq!(site.get(page, &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "cors")]).0, 403);
    }
    // Spectators only read.
    let origin = format!("http://{}", site.host);
    let own = [("Origin", origin.as_str()), ("Content-Type", "application/json")];
    for (method, headers, status) in [
        ("POST", own.as_slice(), 405),
        ("POST", &own[1..], 403),
        ("DELETE", &own, 405),
        ("POST", &own[..1], 415),
    ] {
        assert_eq!(site.ask(method, &site.path, headers, "{}").0, status, "{method} {headers:?}");
    }
    // Heads that are too long, have too many lines, or are no HTTP.
    let long = "x".repeat(100_000);
    // Closed without an answer, or with one.
    let is_refused = |status: u16| status == 0 || (400..500).contains(&status);
    assert!(is_refused(site.get("", &[("X-Long", &long)]).0));
    let many: Vec<(&str, &str)> = (0..200).map(|_| ("X-Many", "1")).collect();
    assert!(is_refused(site.get("", &many).0));
    let mut stream = site.connect();
    stream.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!String::from_utf8_lossy(&answer).contains("<html"));
    assert_eq!(site.get("", &[]).0, 200, "it goes on");
}

/// As many as a browser or a program may leave open.
#[test]
fn a_thousand_open_connections_and_too_many_viewers() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), 1);
    let site = serve(&[folder.path()]);
    let idle: Vec<_> = (0..500).map(|_| site.connect()).collect();
    let mut viewers: Vec<_> = (0..500).map(|_| site.events(None)).collect();
    for viewer in &mut viewers {
        let (_, kind, all) = viewer.next().unwrap();
        assert_eq!((kind.as_str(), finished(&all).len()), ("snapshot", 1));
    }
    assert_eq!(site.get("", &[]).0, 200);
    assert_eq!(site.get("match/1", &[]).0, 200);
    assert_eq!(site.get("events", &[]).0, 503, "there is no seat left");
    // All of them get what is new.
    let line = journal::line(&LEAGUE.records()[1]);
    let mut journal = OpenOptions::new().append(true).open(folder.path().join("matches.jsonl")).unwrap();
    journal.write_all(line.as_bytes()).unwrap();
    for viewer in &mut viewers {
        wait_for(viewer, |data| finished(data) == ["2"]);
    }
    drop((viewers, idle));
    // The seats are given back.
    let begun = std::time::Instant::now();
    while site.events(None).next().is_none() {
        assert!(begun.elapsed().as_secs() < 30);
    }
}

/// Connections that show no token keep nobody out who was given the address.
#[cfg(unix)]
#[test]
fn the_stranger_that_came_first_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), 1);
    let mut serve = Command::new(env!("CARGO_BIN_EXE_arena"));
    // Half of the files may be connections.
    let site = Site::start(&mut with_open_files("-n 64", serve.arg("serve").arg(folder.path())));
    let mut viewer = site.events(None);
    viewer.next().unwrap();
    let mut strangers: Vec<_> = (0..31).map(|_| site.connect()).collect();
    assert_eq!(site.get("", &[]).0, 200);
    assert_eq!(strangers[0].read(&mut [0]).unwrap_or(0), 0, "it is turned away");
    let newest = strangers.last_mut().unwrap();
    newest.set_nonblocking(true).unwrap();
    assert_eq!(newest.read(&mut [0]).unwrap_err().kind(), ErrorKind::WouldBlock, "it may stay");
    // Nor does one that has shown it make room.
    let line = journal::line(&LEAGUE.records()[1]);
    let mut journal = OpenOptions::new().append(true).open(folder.path().join("matches.jsonl")).unwrap();
    journal.write_all(line.as_bytes()).unwrap();
    wait_for(&mut viewer, |data| finished(data) == ["2"]);
}

/// However many connect, the tournament can start its engines and write its results.
#[cfg(unix)]
#[test]
fn strangers_do_not_stop_a_tournament() {
    let head = "[tournament]\npairs = 1\nconcurrency = 1\n[limits]\nmovetime = \"3s\"\nmax-plies = 10\n[[game]]\nid = \"push\"\n";
    let cup = Tournament::new(head, &[("a", "slow"), ("b", "slow"), ("c", "slow"), ("d", "slow")]);
    let mut site = Site::start(&mut with_open_files("-n 300", &cup.command(&["--serve", "--quiet"])));
    let strangers: Vec<_> = (0..400).map(|_| site.connect()).collect();
    let status = site.process.wait().unwrap();
    let mut said = String::new();
    site.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(status.success(), "{said}");
    assert_eq!(cup.rows("results/cup").len(), 12);
    drop(strangers);
}

/// One that reads nothing holds nobody up, and misses only what it could not take.
#[test]
fn a_slow_reader_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), 1);
    let site = serve(&[folder.path()]);
    let mut slow = site.events(None);
    let mut quick = site.events(None);
    slow.next().unwrap();
    quick.next().unwrap();
    // Each result has a long reason, so that what is new does not fit into the buffers between.
    let mut record = LEAGUE.records().remove(0);
    record.reason = "x".repeat(200_000);
    let mut journal = OpenOptions::new().append(true).open(folder.path().join("matches.jsonl")).unwrap();
    let n = 40;
    for number in 2..=n {
        record.number = number;
        journal.write_all(journal::line(&record).as_bytes()).unwrap();
        wait_for(&mut quick, |data| finished(data).contains(&number.to_string().as_str()));
    }
    // Frames are kept for it only up to a bound: it goes on with a snapshot.
    let mut kinds = Vec::new();
    loop {
        let (_, kind, data) = slow.next().unwrap();
        kinds.push(kind);
        if finished(&data).contains(&n.to_string().as_str()) {
            break;
        }
    }
    assert!(kinds.contains(&"snapshot".to_owned()) && kinds.len() < n as usize, "{kinds:?}");
}

#[test]
fn a_running_tournament_shows_its_matches_and_its_faults() {
    let head = "[tournament]\npairs = 1\nconcurrency = 1\n[limits]\nmovetime = \"1s\"\nmax-plies = 40\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("good", "slow"), ("bad", "think")]);
    let mut site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
    let mut events = site.events(None);
    let (mut began, mut moved, mut results, mut faults) = (0, 0, 0, Vec::new());
    let mut last = json!(null);
    while let Some((_, _, data)) = events.next() {
        let n = |key: &str| data[key].as_array().map_or(0, Vec::len);
        began += n("begun");
        moved += n("moved");
        results += n("finished");
        faults.extend(data["faults"].as_array().into_iter().flatten().map(|one| one["text"].to_string()));
        if data["progress"].is_object() {
            last = data["progress"].clone();
        }
    }
    // The stream ends with the tournament, and everything was said before.
    assert_eq!(
        (&last["state"], &last["n_finished"], &last["n_matches"]),
        (&json!("ended"), &json!(2), &json!(2))
    );
    assert!(0 < began && 0 < moved, "{began} matches, {moved} changes");
    assert_eq!(results, 2);
    assert!(
        faults.last().is_some_and(|text| text.contains("bad lost 2 matches: time exceeded")),
        "{faults:?}"
    );
    let mut standings = String::new();
    site.stdout.take().unwrap().read_to_string(&mut standings).unwrap();
    assert!(standings.contains("good") && site.process.wait().unwrap().success(), "{standings}");
}

/// Old results stay where they are if the page cannot be served.
#[test]
fn an_address_in_use_moves_no_results() {
    let head = "[limits]\nmovetime = \"60s\"\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    assert!(cup.run(&["--quiet"]).status.success());
    let used = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let serve = format!("--serve={}", used.local_addr().unwrap());
    let out = cup.run(&["--quiet", "--fresh", &serve]);
    assert!(said(&out).contains("cannot serve at "), "{}", said(&out));
    assert!(cup.path("results/cup/matches.csv").is_file() && !cup.path("results/cup.1").exists());
}

/// A page that is open finds a tournament that was killed and started again, also with a secret of an older version, which has
/// no port. If another program has the port, the arena takes another one.
#[test]
fn a_killed_tournament_has_its_address_again() {
    let head = "[tournament]\npairs = 1\nconcurrency = 1\n[limits]\nmovetime = \"100s\"\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("good", "good"), ("endless", "think")]);
    let start = || {
        let mut site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
        site.process.kill().unwrap();
        site.process.wait().unwrap();
        site.url("")
    };
    let first = start();
    assert_eq!([start(), start()], [first.clone(), first.clone()]);
    let host = first["http://".len()..].split('/').next().unwrap();
    // An engine that was just starting keeps the port for a moment.
    let taken = (0..100).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::net::TcpListener::bind(host).ok()
    });
    assert!(taken.is_some(), "{host}");
    let other = start();
    assert!(other != first && other.split('/').nth(3) == first.split('/').nth(3), "{first} {other}");
    drop(taken);
    assert_eq!(start(), other);
    let file = cup.path("results/cup/serve.secret");
    let secret = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    fs::write(&file, &secret).unwrap();
    let old = start();
    assert!(old.contains(&secret) && start() == old, "{old}");
}

/// The page of a tournament that has ended works on, and leads to the report of this run.
#[cfg(unix)]
#[test]
fn a_page_can_be_kept_after_the_end() {
    let head = "[limits]\nmovetime = \"60s\"\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    let mut site = Site::start(&mut cup.command(&["--serve", "--keep-serving", "--quiet"]));
    let leads = |data: &Value| data["progress"]["reports"].as_array().is_some_and(|all| !all.is_empty());
    wait_for(&mut site.events(None), leads);
    assert_eq!([site.get("report/1", &[]).0, site.get("match/1", &[]).0], [200, 200]);
    Command::new("kill").args(["-INT", &site.process.id().to_string()]).status().unwrap();
    let mut standings = String::new();
    site.stdout.take().unwrap().read_to_string(&mut standings).unwrap();
    assert!(standings.contains("one") && site.process.wait().unwrap().success(), "{standings}");
}

/// Somebody at a terminal who looks at the page can go on reading; without a page, the program ends.
#[cfg(unix)]
#[test]
fn an_open_page_is_kept_on_a_terminal() {
    use std::io::{BufRead, BufReader};
    use std::net::TcpStream;
    use std::process::Stdio;

    let head = "[tournament]\nconcurrency = 1\n[limits]\nmovetime = \"60s\"\nmax-plies = 2\n[[game]]\nid = \"push-push\"\n";
    for is_open in [true, false] {
        let cup = Tournament::new(head, &[("one", "slow"), ("two", "slow")]);
        let terminal = nix::pty::openpty(None, None).unwrap();
        let mut command = cup.command(&["--serve", "--quiet"]);
        command.stdin(terminal.slave.try_clone().unwrap()).stderr(terminal.slave);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        drop(command);
        let mut screen = BufReader::new(fs::File::from(terminal.master));
        let mut line = || {
            let mut line = String::new();
            // Reading fails when the other side is closed.
            screen.read_line(&mut line).map_or_else(|_| String::new(), |_| line)
        };
        let watch_at = std::iter::repeat_with(&mut line).find(|line| line.contains("http://")).unwrap();
        let url = watch_at["watch at http://".len()..].trim().to_owned();
        let (host, path) = url.split_once('/').unwrap();
        let ask = |page: &str| {
            let mut stream = TcpStream::connect(host).unwrap();
            write!(stream, "GET /{path}{page} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
            stream
        };
        let page = is_open.then(|| ask("events"));
        let rest: String = std::iter::repeat_with(&mut line)
            .take_while(|line| !line.is_empty() && !line.contains("serving"))
            .collect();
        if let Some(page) = page {
            let mut answer = String::new();
            BufReader::new(ask("match/1")).read_line(&mut answer).unwrap();
            assert_eq!(answer.trim(), "HTTP/1.1 200 OK", "{rest}");
            Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
            drop(page);
        }
        assert!(process.wait().unwrap().success(), "{rest}");
    }
}

/// The page is told of each state, also if nothing else changes.
#[cfg(unix)]
#[test]
fn a_tournament_that_is_stopped() {
    let head = "[tournament]\npairs = 1\nconcurrency = 1\n[limits]\nmovetime = \"100s\"\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("good", "good"), ("endless", "think")]);
    let mut site = Site::start(&mut cup.command(&["--serve", "--quiet"]));
    let mut events = site.events(None);
    let interrupt = || Command::new("kill").args(["-INT", &site.process.id().to_string()]).status().unwrap();
    let mut states: Vec<String> = Vec::new();
    let mut last = json!(null);
    while let Some((_, _, data)) = events.next() {
        if data["begun"].is_array() {
            interrupt();
        }
        if data["progress"].is_object() {
            last = data["progress"].clone();
            let state = last["state"].as_str().unwrap().to_owned();
            if states.last() != Some(&state) {
                if state == "stopping" {
                    interrupt();
                }
                states.push(state);
            }
        }
    }
    assert_eq!(states, ["running", "stopping", "stopped"]);
    assert_eq!((&last["n_running"], &last["n_finished"]), (&json!(0), &json!(0)));
    assert_eq!(site.process.wait().unwrap().code(), Some(130));
}

/// What goes wrong at every look is said once.
#[cfg(unix)]
#[test]
fn results_that_cannot_be_read_for_a_while() {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), 1);
    let site = serve(&[folder.path()]);
    let mut events = site.events(None);
    wait_for(&mut events, |data| finished(data) == ["1"]);
    let (journal, away) = (folder.path().join("matches.jsonl"), folder.path().join("away"));
    fs::rename(&journal, &away).unwrap();
    fs::create_dir(&journal).unwrap();
    let said = |data: &Value| data["said"].as_array().map_or(0, Vec::len);
    wait_for(&mut events, |data| said(data) == 1);
    // So long that it is looked at several times.
    std::thread::sleep(std::time::Duration::from_millis(400));
    fs::remove_dir(&journal).unwrap();
    OpenOptions::new()
        .append(true)
        .open(&away)
        .unwrap()
        .write_all(journal::line(&LEAGUE.records()[1]).as_bytes())
        .unwrap();
    fs::rename(&away, &journal).unwrap();
    wait_for(&mut events, |data| {
        assert_eq!(said(data), 0, "{data}");
        finished(data) == ["2"]
    });
}

#[test]
fn results_folders_do_not_pretend_to_be_live_and_what_they_mix_is_said() {
    let head = |movetime| {
        format!("[limits]\nmovetime = \"{movetime}\"\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n")
    };
    let [one, other] = [("60s", "good"), ("50s", "weak-0")]
        .map(|(movetime, mode)| Tournament::new(&head(movetime), &[("one", "good"), ("two", mode)]));
    for cup in [&one, &other] {
        let output = cup.run(&["--quiet"]);
        assert!(output.status.success(), "{}", said(&output));
    }
    let [one, other] = [&one, &other].map(|cup| cup.path("results/cup"));
    let site = serve(&[&one]);
    let (_, page) = site.get("", &[]);
    assert!(
        page.contains("Matches appear here when they have ended.") && !page.contains("No match is"),
        "{page}"
    );
    assert!(!page.contains("class=\"notice warning\""), "{page}");
    let mut site = serve(&[&one, &other]);
    let (_, page) = site.get("", &[]);
    let [one, other] = [one, other].map(|path| path.display().to_string());
    let warnings = [
        format!("`{one}` and `{other}` were played with different limits; the standings mix them"),
        format!(
            "`two` has another program or other options in `{other}` than in `{one}`, but counts as one engine"
        ),
    ];
    for warning in &warnings {
        let words: Vec<&str> = warning.split('`').collect();
        assert!(words.iter().all(|word| page.contains(word)) && !page.contains('`'), "{warning}: {page}");
    }
    assert!(page.contains("<code>two</code> has another program"), "{page}");
    site.process.kill().unwrap();
    let mut printed = String::new();
    site.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
    assert_eq!(printed, warnings.map(|warning| format!("warning: {warning}\n")).concat());
    // What cannot be compared is said, too.
    fs::write(Path::new(&other).join("tournament.toml"), "[limits").unwrap();
    let site = serve(&[Path::new(&one), Path::new(&other)]);
    let warning = format!("<code>{other}</code> cannot be read; its limits and engines are not compared");
    let (_, page) = site.get("", &[]);
    assert!(page.contains(&warning), "{page}");
}

/// A tournament that is over says so, and leads to its report, whose scripts are the arena's whatever stands in the file.
#[test]
fn a_tournament_that_has_ended_leads_to_its_report() {
    let head = "[limits]\nmovetime = \"60s\"\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    assert!(cup.run(&["--quiet"]).status.success());
    let folder = cup.path("results/cup");
    let site = serve(&[&folder]);
    let (_, all) = wait_for(&mut site.events(None), |data| data["progress"]["state"] == "ended");
    let reports = &all["progress"]["reports"];
    assert_eq!(reports, &json!([{ "address": "report/1", "folder": folder.display().to_string() }]));
    let (status, page) = site.get("report/1", &[]);
    assert_eq!(status, 200);
    assert!(page.contains("content-security-policy: default-src 'none'; script-src 'sha256-"), "{page}");
    assert!(page.contains("<h2 id=\"standings-title\""), "{page}");
    for number in ["0", "2", "x", "1/.."] {
        let (status, answer) = site.get(&format!("report/{number}"), &[]);
        assert!((400..500).contains(&status) && !answer.contains("standings-title"), "{number}: {answer}");
    }
    let (status, _) = site.ask("GET", "/report/1", &[], "");
    assert_eq!(status, 403);
    // Of another version, or of somebody else.
    let file = folder.join("report.html");
    let other = fs::read_to_string(&file).unwrap().replace("script-src 'sha256-", "script-src 'sha256-0");
    let other = other.replace("script-src &#39;sha256-", "script-src &#39;sha256-0");
    fs::write(&file, other).unwrap();
    let is_other = |data: &Value| data["progress"]["reports"][0]["address"].is_null();
    wait_for(&mut site.events(None), |data| data["progress"]["state"] == "ended" && is_other(data));
    let (status, answer) = site.get("report/1", &[]);
    assert!(status == 404 && answer.contains("write it again: arena report "), "{answer}");
    fs::remove_file(&file).unwrap();
    assert_eq!(site.get("report/1", &[]).0, 404);
    wait_for(&mut serve(&[&folder]).events(None), |data| {
        data["progress"]["state"] == "ended" && is_other(data)
    });
}

/// What a tournament that has ended opens with: the last match of the first two engines that the rules ended, with the times that
/// were left.
#[test]
fn a_match_of_the_first_two_engines_is_shown_after_the_end() {
    let head = "[limits]\nbase = \"100s\"\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("alpha", "good"), ("beta", "good"), ("gamma", "good")]);
    assert!(cup.run(&["--quiet"]).status.success());
    let (engines, games) = (&["alpha", "beta", "gamma"], &[GameId::PUSH_PUSH]);
    let records = MadeUp { engines, games, pairs: 1, max_plies: 1000 }.records();
    let lines: String = records.iter().map(journal::line).collect();
    fs::write(cup.path("results/cup/matches.jsonl"), lines).unwrap();
    let site = serve(&[&cup.path("results/cup")]);
    let (_, all) = wait_for(&mut site.events(None), |data| data["last"].is_array());
    assert_eq!(all["progress"]["state"], "ended");
    let pools = all["standings"]["scopes"][0]["pools"].as_array().unwrap();
    let rows: Vec<&Value> = pools.iter().flat_map(|pool| pool["rows"].as_array().unwrap()).collect();
    let first = [&rows[0]["engine"], &rows[1]["engine"]];
    let is_shown = |record: &&Record| {
        record.reason != "move-cap"
            && first.iter().all(|name| [&record.white, &record.black].iter().any(|one| *name == *one))
    };
    let record = records.iter().rfind(is_shown).unwrap();
    let last = &all["last"][0];
    assert_eq!(last["finished"]["id"], record.number.to_string());
    let left = [SideLetter::White, SideLetter::Black].map(|side| {
        let spent: u64 = record.moves.iter().filter(|mv| mv.side == side).map(|mv| mv.time_us).sum();
        (100_000_000 - spent) / 1000
    });
    assert_eq!(last["moves"]["clocks_ms"], json!(left));
}

/// The curves of ratings begin with the first matches, and not when they are read.
#[test]
fn ratings_of_the_past_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let records = MadeUp { pairs: 5, ..LEAGUE }.records();
    let n = records.len();
    fs::write(folder.path().join("matches.jsonl"), records.iter().map(journal::line).collect::<String>())
        .unwrap();
    let (_, _, all) = serve(&[folder.path()]).events(None).next().unwrap();
    let history = all["standings"]["history"].as_array().unwrap();
    let first = history[0][0].as_u64().unwrap() as usize;
    assert!(history.len() > 5 && first < n / 2, "{first} of {n}: {history:?}");
}

#[test]
fn nothing_to_serve() {
    let folder = tempfile::tempdir().unwrap();
    let arena = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_arena")).current_dir(folder.path()).args(args).output().unwrap()
    };
    let output = arena(&["serve", "nowhere"]);
    assert_eq!(output.status.code(), Some(3));
    let text = said(&output);
    assert!(text.starts_with("error: there is no folder `nowhere`; "), "{text}");
    assert!(text.contains("give a results folder that `arena run` has written"), "{text}");
    fs::write(folder.path().join("matches.csv"), "").unwrap();
    let text = said(&arena(&["serve", "."]));
    assert!(text.contains("; `arena rate ./matches.csv` and `arena report ./matches.csv` read "), "{text}");
    let output = arena(&["serve", "nowhere", "--address", "somewhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("write an IP address, a port, or both"), "{}", said(&output));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    fs::write(folder.path().join("matches.jsonl"), "").unwrap();
    let output = arena(&["serve", ".", "--address", &address]);
    assert_eq!(output.status.code(), Some(5));
    assert!(said(&output).starts_with(&format!("error: cannot serve at `{address}`: ")), "{}", said(&output));
}
