//! Uploads over HTTP: the client that owners use, and hostile requests, against a real server.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper::{Request, server::conn::http1};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use submission::{Answer, Key, Limits, Submissions, SubmitError, new_key, submit};
use tempfile::TempDir;

use crate::made::{MANIFEST, Tar};

/// A league with a server, and the keys of its owners.
struct League {
    folder: TempDir,
    address: SocketAddr,
    submissions: Submissions,
    said: Arc<Mutex<Vec<String>>>,
}

impl League {
    fn new() -> Self {
        Self::with(Limits::default())
    }

    fn with(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("league")).unwrap();
        let owners =
            ["alice", "bob"].map(|name| (name.to_owned(), new_key(&folder.path().join(name)).unwrap()));
        new_key(&folder.path().join("mallory")).unwrap();
        let said = Arc::<Mutex<Vec<String>>>::default();
        let heard = Arc::clone(&said);
        let say = move |line: &str| heard.lock().unwrap().push(line.to_owned());
        let submissions =
            Submissions::new(&folder.path().join("league"), BTreeMap::from(owners), limits, say);
        Self { address: serve(&submissions), folder, submissions, said }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("league").join(name)
    }

    fn key(&self, owner: &str) -> Key {
        Key::read(&self.folder.path().join(owner)).unwrap()
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn send(&self, owner: &str, archive: &[u8]) -> Answer {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), archive).unwrap();
        sent(&self.url(), &self.key(owner), file.path()).unwrap()
    }

    #[track_caller]
    fn refuses(&self, owner: &str, archive: &[u8], status: u16, words: &str) {
        let answer = self.send(owner, archive);
        assert!(
            answer.status == status && answer.text.contains(words),
            "{answer:?} is not {status} `{words}`"
        );
        self.has_nothing_incomplete();
    }

    #[track_caller]
    fn has_nothing_incomplete(&self) {
        for folder in ["programs", "engines"] {
            let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
            let names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            assert!(names.iter().all(|name| !name.starts_with('.')), "{folder}: {names:?}");
        }
    }

    fn engine(&self, name: &str) -> toml::Table {
        fs::read_to_string(self.path("engines").join(format!("{name}.toml"))).unwrap().parse().unwrap()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn sent(url: &str, key: &Key, path: &Path) -> Result<Answer, SubmitError> {
    submit(url, key, path).await
}

/// Serves on a free port until the test ends.
fn serve(submissions: &Submissions) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let routes = submissions.routes();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, peer) = listener.accept().await.unwrap();
                let routes = routes.clone();
                let service = service_fn(move |mut request: Request<Incoming>| {
                    request.extensions_mut().insert(peer);
                    TowerToHyperService::new(routes.clone()).call(request.map(Body::new))
                });
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
    });
    address
}

/// An engine with this name and content.
fn engine(name: &str, content: &str) -> Vec<u8> {
    let manifest = MANIFEST.replace("good", name);
    Tar::new().file("engine.toml", &manifest).file("engine", content).gzip()
}

/// Sends bytes as they are, and returns the answer.
fn raw(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // The server may have answered and closed already.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

/// What the client sends: caught by a server that does not answer.
fn caught(key: &Key, archive: &[u8]) -> Vec<u8> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let length = archive.len();
    let catcher = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut part = [0; 4096];
        let is_whole = |request: &[u8]| {
            let head = request.windows(4).position(|window| window == b"\r\n\r\n");
            head.is_some_and(|head| head + 4 + length <= request.len())
        };
        while !is_whole(&request) {
            let n = stream.read(&mut part).unwrap();
            request.extend(&part[..n]);
        }
        request
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), archive).unwrap();
    sent(&url, key, file.path()).unwrap_err();
    let request = catcher.join().unwrap();
    // So that the server closes, and the end of the answer is seen.
    [
        b"POST /submit HTTP/1.1\r\nconnection: close\r\n",
        &request[request.iter().position(|b| *b == b'\n').unwrap() + 1..],
    ]
    .concat()
}

#[test]
fn an_engine_gets_into_the_league() {
    let league = League::new();
    let answer = league.send("alice", &engine("good", "one"));
    assert_eq!(answer.status, 201, "{answer:?}");
    assert!(answer.text.starts_with("`good` is accepted as "), "{answer:?}");
    let file = league.engine("good");
    let text = |key: &str| file[key].as_str().unwrap().to_owned();
    assert_eq!((text("name"), text("owner")), ("good".to_owned(), "alice".to_owned()));
    assert_eq!(file["submitted"].as_bool(), Some(true));
    assert_eq!(file["options"]["Hash"].as_integer(), Some(16));
    assert_eq!(text("command"), format!("{}/engine", text("directory")));
    assert!(text("directory").contains("/league/programs/good/"), "{file}");
    let program = league.path(&text("command"));
    assert_eq!(fs::read_to_string(&program).unwrap(), "one");
    assert_eq!(fs::metadata(&program).unwrap().permissions().mode() & 0o777, 0o755);
    league.has_nothing_incomplete();
    assert!(league.said.lock().unwrap()[0].starts_with("`alice` has sent the engine `good`: "));

    let again = league.send("alice", &engine("good", "one"));
    assert!(again.status == 200 && again.text.contains("is unchanged"), "{again:?}");
}

#[test]
fn new_programs_replace_old_ones_and_the_last_two_stay() {
    let league = League::new();
    let mut folders = Vec::new();
    for content in ["one", "two", "three"] {
        assert_eq!(league.send("alice", &engine("good", content)).status, 201);
        folders.push(league.engine("good")["directory"].as_str().unwrap().to_owned());
    }
    let there: Vec<bool> = folders.iter().map(|folder| league.path(folder).is_dir()).collect();
    assert_eq!(there, [false, true, true]);
    // Back to the one before.
    assert_eq!(league.send("alice", &engine("good", "two")).status, 201);
    assert_eq!(league.engine("good")["directory"].as_str().unwrap(), folders[1]);
}

#[test]
fn names_belong_to_their_owners() {
    let league = League::new();
    assert_eq!(league.send("alice", &engine("good", "one")).status, 201);
    let taken = "belongs to another engine; choose another `name`";
    league.refuses("bob", &engine("good", "evil"), 409, taken);
    league.refuses("bob", &engine("GOOD", "evil"), 409, taken);
    league.refuses("alice", &engine("Good", "two"), 409, taken);
    let program = league.engine("good")["command"].as_str().unwrap().to_owned();
    assert_eq!(fs::read_to_string(league.path(&program)).unwrap(), "one");
    // An engine that rests keeps its name.
    fs::remove_file(league.path("engines/good.toml")).unwrap();
    league.refuses("bob", &engine("good", "evil"), 409, taken);
    assert_eq!(league.send("alice", &engine("good", "one")).status, 201);
    // The operator's own engines, also with the same owner.
    fs::write(league.path("engines/house.toml"), "name = \"house\"\nowner = \"bob\"\ncommand = \"x\"\n")
        .unwrap();
    league.refuses("bob", &engine("house", "evil"), 409, taken);
}

#[test]
fn an_owner_has_a_few_engines() {
    let league = League::with(Limits { engines: 2, ..Limits::default() });
    for name in ["one", "two", "one"] {
        assert!(league.send("alice", &engine(name, name)).status < 300);
    }
    league.refuses(
        "alice",
        &engine("three", ""),
        409,
        "you have 2 engines in this league, which is the limit",
    );
    assert_eq!(league.send("bob", &engine("three", "")).status, 201);
}

#[test]
fn strangers_and_wrong_signatures_are_refused() {
    let league = League::new();
    league.refuses("mallory", &engine("good", "one"), 403, "does not know the key U");
    let request = caught(&league.key("alice"), &engine("good", "one"));
    let text = String::from_utf8_lossy(&request).into_owned();
    let seal = text.lines().find_map(|line| line.strip_prefix("arena-signature: ")).unwrap().to_owned();
    let parts: Vec<&str> = seal.split(' ').collect();
    let with = |seal: &str| {
        let at = request.windows(17).position(|window| window == b"arena-signature: ").unwrap() + 17;
        raw(
            league.address,
            &[&request[..at], seal.as_bytes(), &request[at + parts.join(" ").len()..]].concat(),
        )
    };
    let changed = |idx: usize, value: &str| {
        let mut parts = parts.clone();
        parts[idx] = value;
        with(&parts.join(" "))
    };
    let later = (parts[1].parse::<u64>().unwrap() + 1).to_string();
    let bob = league.key("bob").public().to_string();
    for (idx, value, status, words) in [
        (0, bob.as_str(), "401", "the signature is wrong"),
        (0, "UABC", "400", "not signed"),
        (1, later.as_str(), "401", "the signature is wrong"),
        (1, "-1", "400", "not signed"),
        (2, &"0".repeat(32), "401", "the signature is wrong"),
        (2, "0", "400", "not signed"),
        (3, &"0".repeat(64), "401", "the signature is wrong"),
        (4, &"0".repeat(128), "401", "the signature is wrong"),
        (4, &"é".repeat(64), "400", "not signed"),
        (4, "", "400", "not signed"),
    ] {
        let answer = changed(idx, value);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains(words),
            "{value}: {answer}"
        );
    }
    assert!(with("").starts_with("HTTP/1.1 400 "));
    let elsewhere = text.replace("POST /submit", "POST /submit/../submit");
    assert!(raw(league.address, elsewhere.as_bytes()).starts_with("HTTP/1.1 404 "));
    assert!(
        raw(league.address, b"GET /submit HTTP/1.1\r\nconnection: close\r\n\r\n")
            .starts_with("HTTP/1.1 405 ")
    );
    assert!(!league.path("programs").exists() && !league.path("engines").exists());
    // Nothing of this has used up the request itself, which is good once.
    assert!(raw(league.address, &request).starts_with("HTTP/1.1 201 "));
    let again = raw(league.address, &request);
    assert!(
        again.starts_with("HTTP/1.1 401 ") && again.contains("this request has arrived before"),
        "{again}"
    );
}

#[test]
fn a_request_of_before_the_server_started_is_refused() {
    let league = League::new();
    let request = caught(&league.key("alice"), &engine("good", "one"));
    // The time of a signature has whole seconds.
    let signed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    while std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() <= signed {
        std::thread::sleep(Duration::from_millis(20));
    }
    let owners = BTreeMap::from([("alice".to_owned(), league.key("alice").public())]);
    let restarted = Submissions::new(&league.path(""), owners, Limits::default(), |_| {});
    let answer = raw(serve(&restarted), &request);
    assert!(answer.starts_with("HTTP/1.1 401 ") && answer.contains("before the server started"), "{answer}");
}

#[test]
fn owners_come_and_go_while_it_runs() {
    let league = League::new();
    let mallory = BTreeMap::from([("mallory".to_owned(), league.key("mallory").public())]);
    league.submissions.set_owners(mallory);
    assert_eq!(league.send("mallory", &engine("good", "one")).status, 201);
    assert_eq!(league.send("alice", &engine("other", "one")).status, 403);
}

#[test]
fn a_body_that_is_not_the_signed_one_is_refused() {
    let league = League::new();
    let mut request = caught(&league.key("alice"), &engine("good", "one"));
    let last = request.len() - 20;
    request[last] ^= 1;
    let answer = raw(league.address, &request);
    assert!(answer.starts_with("HTTP/1.1 422 ") && answer.contains("arrived damaged"), "{answer}");
    league.has_nothing_incomplete();
}

#[test]
fn too_much_is_refused() {
    let league = League::with(Limits { packed: 4096, unpacked: 100_000, entries: 10, ..Limits::default() });
    league.refuses("alice", &vec![1; 5000], 413, "the archive is larger than 4KiB");
    // Without a length, it shows on the way.
    let request = caught(&league.key("alice"), &vec![1; 5000]);
    let text = String::from_utf8_lossy(&request).into_owned();
    let head =
        text.split_once("\r\n\r\n").unwrap().0.replace("content-length: 5000", "transfer-encoding: chunked");
    let chunk = [&b"\r\n\r\n1388\r\n"[..], &[1; 5000], b"\r\n0\r\n\r\n"].concat();
    let answer = raw(league.address, &[head.as_bytes(), &chunk].concat());
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    let big = Tar::engine().file("big", &"x".repeat(200_000)).gzip();
    league.refuses("alice", &big, 422, "`big` has more than");
    let many = (0..11).fold(Tar::engine(), |tar, idx| tar.file(&format!("{idx}"), ""));
    league.refuses("alice", &many.gzip(), 422, "more than 10 files and folders");
    league.refuses("alice", b"rubbish", 422, "the file is no archive");
    league.refuses("alice", &Tar::new().file("x", "").gzip(), 422, "there is no `engine.toml`");
    league.refuses("alice", &Tar::engine().file("../../../evil", "").gzip(), 422, "leads out of the archive");
    assert!(!league.folder.path().join("evil").exists());
}

#[test]
fn too_often_is_refused() {
    let league = League::with(Limits { uploads_per_hour: 2, requests_per_minute: 6, ..Limits::default() });
    for content in ["one", "two"] {
        assert_eq!(league.send("alice", &engine("good", content)).status, 201);
    }
    league.refuses(
        "alice",
        &engine("good", "three"),
        429,
        "an owner may upload 2 times per hour; try again in ",
    );
    assert_eq!(league.send("bob", &engine("other", "one")).status, 201);
    let unsigned = b"POST /submit HTTP/1.1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    assert!((0..2).all(|_| raw(league.address, unsigned).starts_with("HTTP/1.1 400 ")));
    let answer = raw(league.address, unsigned);
    assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("\r\nretry-after: "), "{answer}");
    assert!(answer.contains("too many requests from your address; try again in "), "{answer}");
    // A proxy on this machine names somebody else.
    let of_other = b"POST /submit HTTP/1.1\r\nconnection: close\r\nx-forwarded-for: 1.1.1.1, 10.0.0.7\r\ncontent-length: 0\r\n\r\n";
    assert!(raw(league.address, of_other).starts_with("HTTP/1.1 400 "));
}

/// A part of a request, on a connection that stays open.
fn begun(league: &League, request: &[u8], length: usize) -> TcpStream {
    let mut stream = TcpStream::connect(league.address).unwrap();
    stream.write_all(&request[..length]).unwrap();
    // It has begun when its folder is there.
    let is_there = || {
        let entries = fs::read_dir(league.path("programs")).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(".incoming-"))
    };
    wait_until(is_there);
    stream
}

fn wait_until(mut happens: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !happens() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn one_upload_at_a_time_and_nothing_is_left_of_one_that_breaks_off() {
    let league = League::new();
    let request = caught(&league.key("alice"), &engine("good", "one"));
    let stream = begun(&league, &request, request.len() - 1);
    league_is_busy(&league);
    assert_eq!(league.send("bob", &engine("other", "one")).status, 201);
    drop(stream);
    let is_empty = || fs::read_dir(league.path("programs")).unwrap().count() == 1;
    wait_until(is_empty);
    wait_until(|| league.send("alice", &engine("good", "one")).status == 201);
    league.has_nothing_incomplete();
}

fn league_is_busy(league: &League) {
    let answer = league.send("alice", &engine("good", "two"));
    assert!(answer.status == 429 && answer.text.contains("another upload of yours is running"), "{answer:?}");
}

#[test]
fn a_slow_upload_ends() {
    let league = League::with(Limits { time: Duration::from_millis(200), ..Limits::default() });
    let request = caught(&league.key("alice"), &engine("good", "one"));
    let mut stream = begun(&league, &request, request.len() - 1);
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut answer = [0; 13];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408 ");
    wait_until(|| fs::read_dir(league.path("programs")).unwrap().count() == 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_one_clear_error_and_changes_nothing() {
    let league = League::new();
    assert_eq!(league.send("alice", &engine("good", "one")).status, 201);
    let before = league.engine("good");
    // A folder in the place of the file: the program is there, and its file cannot be written.
    fs::remove_file(league.path("engines/good.toml")).unwrap();
    fs::create_dir(league.path("engines/good.toml")).unwrap();
    league.refuses("alice", &engine("good", "two"), 409, "belongs to another engine");
    fs::remove_dir(league.path("engines/good.toml")).unwrap();
    assert_eq!(league.send("alice", &engine("good", "one")).status, 201);
    assert_eq!(league.engine("good"), before);
    fs::remove_dir_all(league.path("")).unwrap();
    league.refuses(
        "alice",
        &engine("good", "two"),
        500,
        "the league cannot store the engine; tell its operator",
    );
    assert!(!league.path("").exists());
    let said = league.said.lock().unwrap();
    assert!(
        said.last().unwrap().contains("cannot write `") && said.last().unwrap().contains("programs`"),
        "{said:?}"
    );
}

#[test]
fn what_an_earlier_process_left_incomplete_goes() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join("programs/.incoming-x/program");
    fs::create_dir_all(&left).unwrap();
    fs::create_dir_all(folder.path().join("programs/good/0123")).unwrap();
    Submissions::new(folder.path(), BTreeMap::new(), Limits::default(), |_| {});
    let names: Vec<_> = fs::read_dir(folder.path().join("programs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["good"]);
}

#[test]
fn keys_are_private_and_mistakes_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    let public = new_key(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(Key::read(&path).unwrap().public(), public);
    assert_eq!(public.to_string().parse(), Ok(public.clone()));
    assert!(new_key(&path).is_err(), "a key is not overwritten");
    let text = public.to_string();
    let other = if text[9..].starts_with('7') { "6" } else { "7" };
    let mistyped = format!("{}{other}{}", &text[..9], &text[10..]);
    assert!(mistyped.parse::<submission::PublicKey>().is_err(), "{mistyped}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let error = |path: &Path| Key::read(path).err().unwrap().to_string();
    assert!(error(&path).contains("other users can read the key"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, public.to_string()).unwrap();
    assert!(error(&path).contains("is not a private key; `arena league key FILE` makes one"));
    assert!(error(&folder.path().join("none")).contains("cannot read the key"));
}

#[test]
fn a_league_that_is_not_there_is_an_error() {
    let league = League::new();
    let file = league.path("x");
    fs::write(&file, "x").unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = sent(&format!("http://{free}"), &league.key("alice"), &file).unwrap_err().to_string();
    assert!(error.starts_with(&format!("no answer from the league at `http://{free}`: ")), "{error}");
    let error = sent("https://example.org", &league.key("alice"), &file).unwrap_err().to_string();
    assert!(error.contains("does not speak TLS"), "{error}");
    let error = sent(&league.url(), &league.key("alice"), &league.path("none")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read `"), "{error}");
}
