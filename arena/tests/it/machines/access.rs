//! Keys, certificates and permissions, and clear errors without them.

use crate::common::tournament::{printed, said};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::nats::{PATIENCE, Server, coordinator, cup_of, expected, without_times, worker};
use super::{cup, tournament_id};

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
    assert!(output.status.success(), "{}", said(&output));
    printed(&output).trim().to_owned()
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
        (vec!["--ca", &ca, "--nkey", &ca], "it is not the seed of an NKey"),
        (vec!["--ca", &stranger, "--nkey", &stranger], "it has no certificate"),
        (vec!["--ca", &ca, "--cert", &ca, &ca], "it has no private key"),
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
    let mut misnamed = worker(cup.folder.path(), &url, "table", &["--ca", &ca, "--nkey", &desk]);
    misnamed.wait_for("warning: the NATS server refuses a message: ");
    drop(misnamed);
    let desk = worker(cup.folder.path(), &url, "desk", &["--ca", &ca, "--nkey", &desk, "--once"]);
    let (code, said) = running.end();
    assert_eq!(code, Some(0), "{said}\n{}", server.log());
    assert_eq!(without_times(cup.rows("cup")), expected);
    desk.succeeds();
    assert_eq!(first_of_the_store(&url, &ca, &file("coordinator.nk")), 1, "the store was purged");
}

/// The number of the first message in the store with the engines: 1 if nothing was removed.
fn first_of_the_store(url: &str, ca: &str, key: &str) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = as_client(key, ca, "coordinator").connect(url).await.unwrap();
        let stream = async_nats::jetstream::new(client).get_stream("OBJ_arena").await.unwrap();
        stream.cached_info().state.first_sequence
    })
}

/// A client with this key and name.
fn as_client(key: &str, ca: &str, name: &str) -> async_nats::ConnectOptions {
    async_nats::ConnectOptions::with_nkey(fs::read_to_string(key).unwrap().trim().to_owned())
        .add_root_certificates(ca.into())
        .custom_inbox_prefix(format!("arena.inbox.{name}"))
}

#[test]
fn a_server_that_is_of_no_use_is_named() {
    let server = Server::with_config(|folder| {
        fs::write(folder.join("server.conf"), "").unwrap();
        Some(folder.join("server.conf"))
    });
    let Some(server) = server else { return };
    let cup = cup_of(1);
    let (code, said) = coordinator(&cup, &server.url(), "cup", &[]).end();
    assert!(
        code != Some(0) && said.contains("the NATS server has no JetStream; start it with `-js`"),
        "{said}"
    );
    let url = format!("tls://127.0.0.1:{}", server.port());
    for (url, words) in [(url.as_str(), "no secure connection to the NATS server"), ("", "it is empty")] {
        let (code, said) = worker(cup.folder.path(), url, "w", &[]).end();
        assert!(code == Some(3) && said.contains(words), "{code:?} {said}");
    }
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
        let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
        let client = as_client(key, ca, "desk")
            .event_callback(move |event| {
                let _ = sender.send(event.to_string());
                async {}
            })
            .connect(url)
            .await
            .unwrap();
        let publishing = [
            format!("arena.announce.{id}"),
            format!("arena.{id}.order.attic"),
            format!("arena.{id}.order.desk"),
            format!("arena.{id}.coordinator"),
            format!("arena.{id}.result.attic.1"),
            format!("arena.{id}.state.attic"),
            format!("arena.{id}.receipt.attic"),
            format!("arena.{id}.join.attic"),
            format!("arena.{id}.moves.attic"),
            format!("$JS.API.STREAM.DELETE.ARENA-{id}"),
            format!("$JS.API.STREAM.PURGE.ARENA-{id}"),
            format!("$JS.API.STREAM.MSG.GET.ARENA-{id}"),
            format!("$JS.API.CONSUMER.DELETE.ARENA-{id}.arena-coordinator"),
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
            format!("arena.{id}.order.attic"),
        ];
        for subject in &publishing {
            client.publish(subject.clone(), "{}".into()).await.unwrap();
        }
        // What it may ask for is not answered elsewhere either. An answer without content would purge the store.
        for asked in [format!("arena.{id}.join.desk"), "$JS.API.DIRECT.GET.OBJ_arena".to_owned()] {
            let (elsewhere, request) = ("$JS.API.STREAM.PURGE.OBJ_arena", r#"{"seq":1000000}"#);
            client.publish_with_reply(asked, elsewhere, request.into()).await.unwrap();
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
