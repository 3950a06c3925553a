//! Tournaments on many machines, with real processes and a real NATS server.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;
#[path = "common/nats.rs"]
#[expect(dead_code, reason = "another test uses all of it")]
mod nats;
#[path = "common/tournament.rs"]
mod tournament;

use nats::{
    CUP, PATIENCE, Running, Server, coordinator, cup_of, expected, n_lines, wait_for_lines, without_times,
    worker,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;
use tokio_stream::StreamExt;
use tournament::Tournament;

fn cup() -> Tournament {
    cup_of(10)
}

#[test]
fn many_workers_play_the_matches_of_one_machine() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    assert_eq!(expected.len(), 3 * 2 * 10 * 2);
    for n_workers in [1, 2, 8] {
        let results = format!("of-{n_workers}");
        let workers: Vec<Running> = (0..n_workers)
            .map(|idx| {
                worker(cup.folder.path(), &server.url(), &format!("w{idx}"), &["--cores", "1", "--once"])
            })
            .collect();
        let (code, said) = coordinator(&cup, &server.url(), &results, &[]).end();
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("worker `w0` plays with 1 place"), "{said}");
        assert_eq!(without_times(cup.rows(&results)), expected);
        let journal = fs::read_to_string(cup.path(&results).join("matches.jsonl")).unwrap();
        assert!(journal.lines().all(|line| line.contains("\"worker\":\"w")), "each match names its worker");
        for worker in workers {
            let (code, said) = worker.end();
            assert_eq!(code, Some(0), "{said}");
        }
    }
}

#[test]
fn a_worker_that_leaves_or_dies_leaves_its_pairs_to_others() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    // It never finishes a pair: its engines are stopped with it.
    let mut dies = worker(cup.folder.path(), &server.url(), "dies", &["--cores", "2"]);
    dies.wait_for("waits for tournaments");
    let leaves = worker(cup.folder.path(), &server.url(), "leaves", &["--cores", "2"]);
    let mut coordinator = coordinator(&cup, &server.url(), "cup", &[]);
    coordinator.wait_for("worker `dies` plays with 2 places");
    dies.signal(Signal::STOP);
    coordinator.wait_for("worker `leaves` plays with 2 places");
    leaves.signal(Signal::TERM);
    let (code, said) = leaves.end();
    assert_eq!(code, Some(0), "{said}");
    let _stays = worker(cup.folder.path(), &server.url(), "stays", &["--cores", "2"]);
    let (code, said) = coordinator.end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(without_times(cup.rows("cup")), expected);
    dies.kill();
}

#[test]
fn coordinator_and_server_may_die_and_the_store_may_be_lost() {
    let Some(mut server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    let _workers = ["a", "b"].map(|name| worker(cup.folder.path(), &server.url(), name, &["--cores", "1"]));
    let wait_for_lines = |n: usize| wait_for_lines(&cup, "cup", n);
    let mut first = coordinator(&cup, &server.url(), "cup", &[]);
    wait_for_lines(6);
    first.kill();
    let mut second = coordinator(&cup, &server.url(), "cup", &[]);
    second.wait_for("finished before");
    wait_for_lines(20);
    server.restart();
    wait_for_lines(40);
    server.kill();
    server.wipe();
    server.restart();
    let (code, said) = second.end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(without_times(cup.rows("cup")), expected);
    assert_eq!(n_lines(&cup, "cup"), expected.len(), "nothing is stored twice");
}

#[test]
fn a_coordinator_without_workers_ends_at_the_first_request() {
    let Some(server) = Server::start() else { return };
    let cup = cup_of(1);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    running.wait_for("3 engines");
    // It has published an order when the server has its stream.
    let id = tournament_id(&cup.path("cup"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let mut announcements = client.subscribe(format!("arena.announce.{id}")).await.unwrap();
        tokio::time::timeout(PATIENCE, announcements.next()).await.unwrap().unwrap();
    });
    running.signal(Signal::INT);
    let (code, said) = running.end();
    assert!(code == Some(130) && said.contains("0 of 12 matches"), "{code:?} {said}");
}

/// The id of the tournament in a results folder.
fn tournament_id(results: &Path) -> String {
    let begun = std::time::Instant::now();
    loop {
        if let Ok(id) = fs::read_to_string(results.join("tournament-id")) {
            return id.trim().to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "it has no id");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_coordinator_plays_too() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "1"]);
    let (code, said) = coordinator(&cup, &server.url(), "cup", &["--local", "2"]).end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(without_times(cup.rows("cup")), expected);
    let journal = fs::read_to_string(cup.path("cup/matches.jsonl")).unwrap();
    assert!(journal.contains("\"worker\":\"local\""), "{journal}");
}

/// A folder with a copy of the engine as `engine`, followed by these bytes.
fn folder_with_engine(bytes: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    let program = [fs::read(common::fake_engine()).unwrap(), bytes.to_vec()].concat();
    fs::write(&path, program).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&path, mode).unwrap();
    folder
}

#[test]
fn another_program_at_the_worker_is_refused_on_both_sides() {
    let Some(server) = Server::start() else { return };
    let [here, same, other] = [&b""[..], b"", b"another"].map(folder_with_engine);
    let engines =
        ["one", "two"].map(|name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"./engine\"\n"));
    fs::write(here.path().join("cup.toml"), format!("{CUP}{}", engines.concat())).unwrap();
    let mut refused = worker(other.path(), &server.url(), "other", &[]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(here.path()).args(["run", "cup.toml", "--results", "cup", "--nats", &server.url()]);
    let mut coordinator = Running::start(&mut command);
    let words = "engine `one` is another program than at the coordinator: `./engine` has SHA-256 ";
    refused.wait_for(words);
    let line = coordinator.wait_for(words);
    assert!(line.starts_with("warning: worker `other` does not take part: "), "{line}");
    let hashes = line.split("SHA-256 ").nth(1).unwrap();
    let [there, at_worker] = [0, 3].map(|idx| hashes.split(' ').nth(idx).unwrap().trim_end_matches(';'));
    assert!(there.len() == 64 && at_worker.len() == 64 && there != at_worker, "{line}");
    let _same = worker(same.path(), &server.url(), "same", &[]);
    let (code, said) = coordinator.end();
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn results_that_nobody_played_do_not_count() {
    let Some(server) = Server::start() else { return };
    let cup = cup();
    let expected = expected(&cup);
    let mut running = coordinator(&cup, &server.url(), "cup", &[]);
    running.wait_for("3 engines");
    let id = tournament_id(&cup.path("cup"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        // An order as a worker fetches it.
        let inbox = client.new_inbox();
        let mut fetched = client.subscribe(inbox.clone()).await.unwrap();
        let next = format!("$JS.API.CONSUMER.MSG.NEXT.ARENA-{id}.arena-workers");
        let order = loop {
            let request = r#"{"batch":1,"expires":1000000000}"#;
            client.publish_with_reply(next.clone(), inbox.clone(), request.into()).await.unwrap();
            let message = tokio::time::timeout(PATIENCE, fetched.next()).await.unwrap().unwrap();
            if message.status.is_none() {
                break message;
            }
        };
        let hash = order.subject.rsplit('.').next().unwrap().to_owned();
        let good: serde_json::Value = serde_json::from_slice(&order.payload).unwrap();
        let made_up = |reason: &str, order: &str, pair: u32| {
            let record = |idx: usize| {
                let job = &good["jobs"][idx];
                serde_json::json!({
                    "match": job["match"], "pair": job["pair"], "game": job["game"], "opening": job["opening"],
                    "white": job["players"][0]["engine"]["name"], "black": job["players"][1]["engine"]["name"],
                    "result": "1-0", "reason": reason, "plies": 0, "white_ms": 0, "black_ms": 0,
                    "end": job["opening"], "moves": []
                })
            };
            let outcome = serde_json::json!({
                "format-version": 1, "pair": pair, "attempt": 1, "order": order, "records": [record(0), record(1)]
            });
            serde_json::to_vec(&outcome).unwrap()
        };
        let subject = |worker: &str, pair: u32| format!("arena.{id}.result.{worker}.{pair}");
        for (subject, payload) in [
            (subject("liar", 1), b"garbage".to_vec()),
            (subject("liar", 2), vec![b'['; 500_000]),
            (subject("liar", 3), made_up("goal", &hash, 3)),
            (subject("liar", 1), made_up("goal", &hash, 1)),
            // This could have happened, but the pair was ordered again after the result before.
            (subject("late", 1), made_up("start-failure", &hash, 1)),
            (subject("a b", 1), Vec::new()),
            (format!("arena.{id}.state.liar"), vec![b'{'; 1000]),
            (format!("arena.{id}.state.a*b"), b"{}".to_vec()),
        ] {
            let _ = client.publish(subject, payload.into()).await;
        }
        client.publish(order.reply.unwrap(), "-NAK".into()).await.unwrap();
        client.flush().await.unwrap();
    });
    running.wait_for("a result was dropped");
    running.wait_for("worker `liar` sent a wrong result of pair 1, which is played again: match 1: ");
    let _worker = worker(cup.folder.path(), &server.url(), "w", &["--cores", "2"]);
    let (code, said) = running.end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(without_times(cup.rows("cup")), expected);
}

/// Makes a certificate for 127.0.0.1 in `folder`, with the authority `ca.pem`; `false` if there is no `openssl`.
fn make_certificate(folder: &Path) -> bool {
    let run = |words: &str| {
        let status = Command::new("openssl").current_dir(folder).args(words.split(' ')).output();
        status.is_ok_and(|output| output.status.success())
    };
    fs::write(folder.join("san"), "subjectAltName=IP:127.0.0.1").unwrap();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    let done = run(&format!("req -x509 {key} -days 2 -subj /CN=authority -keyout ca-key.pem -out ca.pem"))
        && run(&format!("req {key} -subj /CN=arena -keyout server-key.pem -out server.csr"))
        && run(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -extfile san -out server.pem",
        );
    if !done {
        eprintln!("skipped: there is no `openssl` that makes certificates");
    }
    done
}

/// `arena worker --new-key`: the public key.
fn new_key(path: &Path) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_arena")).args(["worker", "--new-key"]).arg(path).output().unwrap();
    assert!(output.status.success(), "{}", tournament::said(&output));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_ready_configuration_lets_each_role_do_what_it_needs_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    if !make_certificate(folder.path()) {
        return;
    }
    let [coordinator_key, desk_key, stranger_key] =
        ["coordinator.nk", "desk.nk", "stranger.nk"].map(|name| new_key(&folder.path().join(name)));
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(file("desk.nk")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    assert!(desk_key.starts_with('U') && stranger_key != desk_key);
    let ready = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../configs/nats/server.conf");
    let config = fs::read_to_string(ready).unwrap();
    let config = config
        .replace("COORDINATOR_KEY", &coordinator_key)
        .replace("DESK_KEY", &desk_key)
        .replace("\"server.pem\"", &format!("{:?}", file("server.pem")))
        .replace("\"server-key.pem\"", &format!("{:?}", file("server-key.pem")));
    fs::write(file("server.conf"), config).unwrap();
    let Some(server) = Server::with_config(|_| Some(file("server.conf").into())) else { return };
    let url = format!("tls://127.0.0.1:{}", server.port());
    let with_key = |key: &str| [file("ca.pem"), file(key)];

    // Without the authority or with another key there is no connection.
    let cup = cup();
    let expected = expected(&cup);
    // Workers read engines from the store, too.
    let text = fs::read_to_string(cup.path("cup.toml")).unwrap();
    fs::write(cup.path("cup.toml"), format!("{text}\n[machines]\ndistribute = true\n")).unwrap();
    let [ca, stranger] = with_key("stranger.nk");
    for (args, words) in [
        (vec!["--nkey", stranger.as_str()], "no secure connection to the NATS server"),
        (vec!["--ca", &ca, "--nkey", &stranger], "refuses the connection"),
        (vec!["--ca", &ca, "--nkey", "no-such-file"], "cannot use `no-such-file`"),
    ] {
        let (code, said) = worker(cup.folder.path(), &url, "desk", &args).end();
        assert!(code == Some(3) && said.contains(words), "{code:?} {said}");
    }
    let (code, said) = worker(cup.folder.path(), "nats://user:secret@127.0.0.1", "desk", &[]).end();
    assert!(code == Some(3) && !said.contains("secret@"), "{said}");

    let [ca, desk] = with_key("desk.nk");
    let (coordinator_ca, coordinator_seed) = (&ca, file("coordinator.nk"));
    let args = ["--ca", coordinator_ca, "--nkey", &coordinator_seed];
    let mut running = coordinator(&cup, &url, "cup", &args);
    running.wait_for("3 engines");
    forbidden(&url, &ca, &desk, &cup.path("cup"));
    let desk = worker(cup.folder.path(), &url, "desk", &["--ca", &ca, "--nkey", &desk, "--once"]);
    let (code, said) = running.end();
    assert_eq!(code, Some(0), "{said}\n{}", server.log());
    assert_eq!(without_times(cup.rows("cup")), expected);
    let (code, said) = desk.end();
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn credentials_and_client_certificates_let_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    if !make_certificate(folder.path()) {
        return;
    }
    let (config, credentials) = with_credentials();
    let [cert, key, ca] = ["server.pem", "server-key.pem", "ca.pem"].map(|name| format!("{:?}", file(name)));
    let tls = format!("tls {{ cert_file: {cert}, key_file: {key}, ca_file: {ca}, verify: true }}\n");
    fs::write(file("server.conf"), config + &tls).unwrap();
    fs::write(file("user.creds"), credentials).unwrap();
    let Some(server) = Server::with_config(|_| Some(file("server.conf").into())) else { return };
    let url = format!("tls://127.0.0.1:{}", server.port());
    let [ca, creds, cert, key] = ["ca.pem", "user.creds", "server.pem", "server-key.pem"].map(file);
    let cup = cup_of(1);
    let expected = expected(&cup);
    for args in [vec!["--ca", &ca, "--creds", &creds], vec!["--ca", &ca, "--cert", &cert, &key]] {
        let (code, said) = worker(cup.folder.path(), &url, "w", &args).end_within(PATIENCE);
        assert!(code == Some(3) && !said.contains("waits for"), "{code:?} {said}");
    }
    let args = ["--ca", &ca, "--creds", &creds, "--cert", &cert, &key];
    let _worker = worker(cup.folder.path(), &url, "w", &args);
    let (code, said) = coordinator(&cup, &url, "cup", &args).end();
    assert_eq!(code, Some(0), "{said}\n{}", server.log());
    assert_eq!(without_times(cup.rows("cup")), expected);
}

/// The configuration of a server that knows accounts by JWT, and the credentials of a user.
fn with_credentials() -> (String, String) {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL;
    use nkeys::KeyPair;
    let [operator, account, user] = [KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_user()];
    let system = KeyPair::new_account();
    let jwt = |of: &KeyPair, by: &KeyPair, nats: serde_json::Value| {
        let head = serde_json::json!({"typ": "JWT", "alg": "ed25519-nkey"});
        let claims = serde_json::json!({
            "jti": "1", "iat": 1, "iss": by.public_key(), "sub": of.public_key(), "name": "n", "nats": nats
        });
        let text = format!("{}.{}", URL.encode(head.to_string()), URL.encode(claims.to_string()));
        let signature = by.sign(text.as_bytes()).unwrap();
        format!("{text}.{}", URL.encode(signature))
    };
    let limits = |storage: i64| {
        serde_json::json!({
            "type": "account", "version": 2, "limits": {
                "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1,
                "leaf": -1, "mem_storage": storage, "disk_storage": storage, "streams": storage, "consumer": storage
            }
        })
    };
    let own = serde_json::json!({"type": "operator", "version": 2, "system_account": system.public_key()});
    let config = format!(
        "jetstream {{ store_dir: \"nats-data\" }}\noperator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload {{\n{}: {}\n{}: {}\n}}\n",
        jwt(&operator, &operator, own),
        system.public_key(),
        account.public_key(),
        jwt(&account, &operator, limits(-1)),
        system.public_key(),
        jwt(&system, &operator, limits(0)),
    );
    let claims = serde_json::json!({"type": "user", "version": 2, "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1});
    let credentials = format!(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        jwt(&user, &account, claims),
        user.seed().unwrap()
    );
    (config, credentials)
}

/// With the key of the worker `desk`, what a worker does not need is refused.
fn forbidden(url: &str, ca: &str, key: &str, results: &Path) {
    let id = tournament_id(results);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let refusals = runtime.block_on(async {
        let seed = fs::read_to_string(key).unwrap().trim().to_owned();
        let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
        let client = async_nats::ConnectOptions::with_nkey(seed)
            .add_root_certificates(ca.into())
            .custom_inbox_prefix("arena.inbox.desk")
            .event_callback(move |event| {
                let _ = sender.send(event.to_string());
                async {}
            })
            .connect(url)
            .await
            .unwrap();
        let publishing = [
            format!("arena.announce.{id}"),
            format!("arena.{id}.job.1.00"),
            format!("arena.{id}.result.attic.1"),
            format!("arena.{id}.state.attic"),
            format!("arena.{id}.receipt.attic"),
            format!("$JS.API.STREAM.DELETE.ARENA-{id}"),
            format!("$JS.API.STREAM.PURGE.ARENA-{id}"),
            format!("$JS.API.STREAM.MSG.GET.ARENA-{id}"),
            format!("$JS.API.CONSUMER.DELETE.ARENA-{id}.arena-workers"),
            format!("$JS.API.CONSUMER.MSG.NEXT.ARENA-{id}.arena-coordinator"),
            "$O.arena.M.name".to_owned(),
            "$JS.API.CONSUMER.CREATE.OBJ_arena".to_owned(),
            "arena.inbox.attic.1".to_owned(),
        ];
        let subscribing = [
            ">".to_owned(),
            format!("arena.{id}.result.>"),
            "arena.inbox.attic.>".to_owned(),
            format!("arena.{id}.receipt.*"),
        ];
        for subject in &publishing {
            client.publish(subject.clone(), "{}".into()).await.unwrap();
        }
        let mut subscribers = Vec::new();
        for subject in &subscribing {
            subscribers.push(client.subscribe(subject.clone()).await.unwrap());
        }
        client.flush().await.unwrap();
        let mut refusals = Vec::new();
        while refusals.len() < publishing.len() + subscribing.len() {
            let event = tokio::time::timeout(PATIENCE, events.recv()).await;
            let event = event.unwrap_or_else(|_| panic!("only {refusals:#?}")).unwrap();
            if event.to_lowercase().contains("permissions violation") {
                refusals.push(event);
            }
        }
        refusals
    });
    assert!(refusals.iter().any(|refusal| refusal.contains("STREAM.DELETE")), "{refusals:#?}");
}

/// As `coordinator_and_server_may_die_and_the_store_may_be_lost`, for long: `cargo test -p arena --test machines --
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
        let alone = quick.run(&["--results", "alone", "--no-report", "-q"]);
        assert!(alone.status.success(), "{}", tournament::said(&alone));
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
