//! Playing against an engine and analysing, without a browser: by requests, and in a terminal.

#[path = "play/analyse.rs"]
mod analyse;
use crate::common::site;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::common::fake_engine;
use engine_proto::{GameId, Games};
use serde_json::{Value, json};
use site::{Events, LONGEST_WAIT, Site};
use tempfile::TempDir;

fn arena(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).current_dir(folder).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `arena play` against this mode of the fake engine.
fn command(folder: &Path, mode: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder).arg("play").arg(format!("fake={} {mode}", fake_engine().display()));
    command.args(["--game", "push-push", "--results", "games"]).args(args);
    command
}

/// A move from the start position of the game.
fn first_move() -> String {
    Games::built_in().startpos(GameId::PUSH_PUSH).unwrap().legal_moves().swap_remove(0)
}

/// A person at the page.
struct Player {
    site: Site,
    events: Events,
    now: Value,
    folder: TempDir,
}

impl Player {
    fn start(mode: &str, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::start(&mut command(folder.path(), mode, args));
        let events = site.events(None);
        Self { site, events, now: json!(null), folder }
    }

    /// Waits until the page shows something.
    fn wait(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) {
        let since = Instant::now();
        while !is_so(&self.now) {
            assert!(since.elapsed() < LONGEST_WAIT, "not within {LONGEST_WAIT:?}: {what}; {}", self.now);
            let next = self.events.next();
            self.now = next.unwrap_or_else(|| panic!("never: {what}; {}", self.now)).2;
        }
    }

    fn wait_for_turn(&mut self, n_moves: usize) {
        self.wait(&format!("my turn after {n_moves} moves"), |now| {
            now["moves"].as_array().is_some_and(|moves| moves.len() == n_moves)
                && now["legal"].as_array().is_some_and(|legal| !legal.is_empty())
        });
    }

    fn act(&self, action: &Value) -> u16 {
        let origin = format!("http://{}", self.site.host);
        let headers = [("Origin", origin.as_str()), ("Content-Type", "application/json")];
        self.site.ask("POST", &format!("{}act", self.site.path), &headers, &action.to_string()).0
    }

    fn play_first(&mut self) -> String {
        let mv = self.now["legal"][0].as_str().unwrap().to_owned();
        assert_eq!(self.act(&json!({"do": "move", "move": mv})), 204);
        mv
    }

    fn assert_verified(&self, n: usize) {
        let output = arena(self.folder.path(), &["verify", "games"]);
        assert_eq!(
            text(&output.stdout),
            format!("games: {n} matches, no problems\n"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn a_match_is_played_taken_back_and_stored() {
    let mut player = Player::start("good", &[]);
    player.wait_for_turn(0);
    assert_eq!(player.now["names"], json!(["you", "fake"]));
    let first = player.play_first();
    player.wait_for_turn(2);
    assert_eq!(player.now["moves"][0].as_array().unwrap()[..3], [json!(first), json!("w"), json!(first)]);
    // The engine's evaluation goes with its move.
    let scores = [0, 1].map(|n| player.now["moves"][n][3]["score"].clone());
    assert_eq!(scores, [Value::Null, json!(7)]);
    assert_eq!(player.now["can_take_back"], true);
    let after_two = player.now["position"]["fens"][2].clone();
    player.play_first();
    player.wait_for_turn(4);
    // What is no move is said, and changes nothing.
    assert_eq!(player.act(&json!({"do": "move", "move": "a1a1<b>"})), 204);
    let said = "`a1a1<b>` is not a legal move: the one steps one square, pushes the ball, and captures a four; from a1, for example: \
                a1a2, a1b2";
    player.wait("a message", |now| now["said"] == said);
    assert_eq!(player.now["moves"].as_array().unwrap().len(), 4);
    // The own move and the answer to it are taken back, twice.
    player.act(&json!({"do": "take-back"}));
    player.wait_for_turn(2);
    assert_eq!(player.now["position"]["fens"][2], after_two);
    player.act(&json!({"do": "take-back"}));
    player.wait_for_turn(0);
    assert_eq!(player.now["can_take_back"], false);
    let mv = player.now["legal"][3].as_str().unwrap().to_owned();
    player.act(&json!({"do": "move", "move": mv}));
    player.wait_for_turn(2);
    // The engine's first legal move is its hint.
    let hint = player.now["legal"][0].clone();
    player.act(&json!({"do": "hint"}));
    player.wait("a hint", |now| now["hint"] == hint);
    player.act(&json!({"do": "resign"}));
    player.wait("the end", |now| now["over"].is_object());
    assert_eq!((&player.now["over"]["reason"], &player.now["over"]["number"]), (&json!("resign"), &json!(1)));
    // Another one, with the sides swapped: the engine begins.
    player.act(&json!({"do": "new"}));
    player.wait_for_turn(1);
    assert_eq!(player.now["names"], json!(["fake", "you"]));
    player.play_first();
    player.wait_for_turn(3);
    player.act(&json!({"do": "resign"}));
    player.wait("the end", |now| now["over"].is_object());
    player.assert_verified(2);
    let shown = text(&arena(player.folder.path(), &["show", "games", "1"]).stdout);
    assert!(shown.contains("White you, Black fake") && shown.contains(&mv), "{shown}");
    let rated = arena(player.folder.path(), &["rate", "games"]);
    assert!(rated.status.success() && text(&rated.stdout).contains("fake"), "{}", text(&rated.stdout));
    let report = arena(player.folder.path(), &["report", "games"]);
    assert!(report.status.success(), "{}", text(&report.stderr));
}

#[test]
fn the_engine_may_lose_by_its_faults_and_time_runs_for_both() {
    // It crashes at its third move.
    let mut player = Player::start("move-exit", &[]);
    for n in [0, 2, 4] {
        player.wait_for_turn(n);
        player.play_first();
    }
    player.wait("the end", |now| now["over"].is_object());
    assert_eq!(
        (&player.now["over"]["reason"], &player.now["over"]["result"]),
        (&json!("crash"), &json!("1-0"))
    );
    player.assert_verified(1);
    // The page learns what time it is here: its own machine may have another one.
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let (begun, mut stream) = (now(), player.site.connect());
    write!(stream, "{}\r\n", player.site.head("GET", &format!("{}events", player.site.path), &[])).unwrap();
    let mut lines =
        BufReader::new(stream).lines().map(Result::unwrap).skip_while(|line| line != "event: time");
    let told: u128 = lines.nth(1).unwrap().strip_prefix("data: ").unwrap().parse().unwrap();
    assert!((begun..=now()).contains(&told), "{told}");
    // The person's clock starts with the first move, and runs out.
    let mut player = Player::start("good", &["--tc", "0.3"]);
    player.wait_for_turn(0);
    assert_eq!(player.now["turn"]["since_ms"], Value::Null);
    std::thread::sleep(Duration::from_millis(600));
    player.play_first();
    player.wait_for_turn(2);
    assert_eq!(player.now["clocks_ms"][0], 300);
    assert!(player.now["turn"]["since_ms"].is_u64(), "{}", player.now["turn"]);
    player.wait("the end", |now| now["over"].is_object());
    assert_eq!(
        (&player.now["over"]["reason"], &player.now["over"]["result"]),
        (&json!("time"), &json!("0-1"))
    );
    assert_eq!(player.now["clocks_ms"][0], 0);
    player.assert_verified(1);
}

/// A person against an engine with this option, and the file with what each of its processes hears.
fn overheard(option: &str, args: &[&str]) -> (Player, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let sent = folder.path().join("sent.txt");
    let heard = format!("tee -a '{}' | '{}' good", sent.display(), fake_engine().display());
    let file = format!(
        "[limits]\nmovetime = \"1s\"\n[[game]]\nid = \"push-push\"\n[[engine]]\nname = \"fake\"\ncommand = \"sh\"\n\
         args = [\"-c\", {}]\nenvironment = {{ FAKE_ENGINE_OPTION = \"{option}\" }}\n\
         [[engine]]\nname = \"other\"\ncommand = \"sh\"\n",
        toml::Value::from(heard)
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).args(["play", "fake", "--config", "cup.toml", "--game", "push-push"]);
    let site = Site::start(command.args(["--results", "games"]).args(args));
    let events = site.events(None);
    (Player { site, events, now: json!(null), folder }, sent)
}

/// A hint comes from the engine at its full strength, also against a weaker level.
#[test]
fn a_hint_is_better_than_the_opponent() {
    let (mut player, sent) = overheard("Level type spin default 5 min 1 max 5", &["--level", "2"]);
    player.wait_for_turn(0);
    player.act(&json!({"do": "hint"}));
    player.wait("a hint", |now| now["hint"].as_str().is_some_and(|hint| !hint.is_empty()));
    let sent = std::fs::read_to_string(sent).unwrap();
    let count = |words: &str| sent.lines().filter(|line| *line == words).count();
    assert_eq!((count("ugi"), count("setoption name Level value 2")), (2, 1), "{sent}");
}

/// An engine that plays by chance plays another match each time, and the record says which.
#[test]
fn each_match_has_another_seed() {
    let (mut player, sent) = overheard("Seed type spin default 0 min 0 max 9223372036854775807", &[]);
    for n_moves in [0, 1] {
        player.wait_for_turn(n_moves);
        player.play_first();
        player.wait_for_turn(n_moves + 2);
        player.act(&json!({"do": "resign"}));
        player.wait("the end", |now| now["over"].is_object());
        player.act(&json!({"do": "new"}));
    }
    player.wait_for_turn(0);
    let sent = fs::read_to_string(sent).unwrap();
    let told: Vec<u64> = sent
        .lines()
        .filter_map(|line| line.strip_prefix("setoption name Seed value ")?.parse().ok())
        .collect();
    let journal = fs::read_to_string(player.folder.path().join("games/matches.jsonl")).unwrap();
    let stored =
        journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["engine_seed"].clone());
    let stored: Vec<u64> = stored.map(|seed| seed.as_u64().unwrap()).collect();
    assert_eq!(told[..2], stored);
    assert!(told.len() == 3 && told[0] != told[1] && told[1] != told[2], "{told:?}");
}

/// A match without a move of the person's is no result.
#[test]
fn a_match_without_a_move_of_the_person_is_not_stored() {
    let mut player = Player::start("good", &["--as", "black"]);
    for n_moves in [1, 0] {
        player.wait_for_turn(n_moves);
        player.act(&json!({"do": "resign"}));
        player.wait("the end", |now| now["over"].is_object());
        let over = &player.now["over"];
        assert_eq!((&over["number"], &over["has_failed"]), (&Value::Null, &json!(false)));
        player.act(&json!({"do": "new"}));
    }
    player.wait_for_turn(1);
    assert!(!player.folder.path().join("games").exists());
}

#[test]
fn who_is_not_at_the_page_plays_nothing() {
    let mut player = Player::start("good", &[]);
    player.wait_for_turn(0);
    let site = &player.site;
    let path = format!("{}act", site.path);
    let mv = json!({"do": "move", "move": player.now["legal"][0]}).to_string();
    let own = format!("http://{}", site.host);
    let json_type = ("Content-Type", "application/json");
    let check = |headers: &[(&str, &str)], path: &str, body: &str, status: u16| {
        assert_eq!(site.ask("POST", path, headers, body).0, status, "{headers:?} {path}");
    };
    check(&[("Origin", "http://evil.example"), json_type], &path, &mv, 403);
    // A start position that does not exist.
    for wrong in ["x", "%7B%7D", "%7B%22game%22:%22x%22,%22start%22:%22%22,%22fen%22:%22%22%7D"] {
        assert_eq!(site.get(&format!("start/{wrong}"), &[]).0, 400, "{wrong}");
    }
    check(&[json_type], &path, &mv, 403);
    check(&[("Origin", &own), ("Content-Type", "text/plain")], &path, &mv, 415);
    check(&[("Origin", &own), json_type], "/0123456789abcdef0123456789abcdef/act", &mv, 403);
    check(&[("Origin", &own), json_type, ("Host", "evil.example")], &path, &mv, 421);
    // What is no action, and what is too long.
    for (body, status) in
        [("{}", 422), ("nonsense", 400), ("{\"do\":\"move\"}", 422), ("{\"do\":\"quit\"}", 422)]
    {
        check(&[("Origin", &own), json_type], &path, body, status);
    }
    check(
        &[("Origin", &own), json_type],
        &path,
        &json!({"do": "move", "move": "x".repeat(300_000)}).to_string(),
        413,
    );
    // More than a person does.
    let hints = (0..100).filter(|_| player.act(&json!({"do": "take-back"})) == 429).count();
    assert!(0 < hints, "too many requests are refused");
    assert_eq!(player.now["moves"], json!([]));
}

/// The person learns why it is not stored, and can mend that.
#[cfg(unix)]
#[test]
fn a_match_that_cannot_be_stored_is_kept() {
    use std::io::Read;

    let mut player = Player::start("good", &[]);
    let games = player.folder.path().join("games");
    let resign_in_vain = |player: &mut Player| {
        fs::write(&games, "no folder").unwrap();
        player.act(&json!({"do": "resign"}));
        player.wait("the end", |now| now["over"].is_object() && now["said"].is_string());
        assert_eq!(player.now["over"]["number"], Value::Null);
        let said = player.now["said"].as_str().unwrap();
        assert!(said.starts_with("cannot store the match: cannot create the folder `games`: "), "{said}");
    };
    player.wait_for_turn(0);
    player.play_first();
    player.wait_for_turn(2);
    resign_in_vain(&mut player);
    // A new match begins only when this one is stored.
    assert_eq!(player.act(&json!({"do": "new"})), 204);
    fs::remove_file(&games).unwrap();
    player.act(&json!({"do": "store"}));
    player.wait("the number", |now| now["over"]["number"] == 1 && now["said"].is_null());
    player.assert_verified(1);
    player.act(&json!({"do": "new"}));
    player.wait_for_turn(1);
    player.play_first();
    player.wait_for_turn(3);
    // Another arena is just storing the first match of the folder.
    fs::rename(&games, player.folder.path().join("first")).unwrap();
    fs::create_dir(&games).unwrap();
    let journal = fs::File::create(games.join("matches.jsonl")).unwrap();
    journal.lock().unwrap();
    player.act(&json!({"do": "resign"}));
    std::thread::sleep(Duration::from_millis(200));
    drop(journal);
    player.wait("the number", |now| now["over"]["number"] == 1);
    player.act(&json!({"do": "new"}));
    player.wait_for_turn(0);
    player.play_first();
    player.wait_for_turn(2);
    fs::rename(&games, player.folder.path().join("second")).unwrap();
    resign_in_vain(&mut player);
    // Whoever gives up learns it from the exit code as well.
    Command::new("kill").args(["-INT", &player.site.process.id().to_string()]).status().unwrap();
    let mut said = String::new();
    player.site.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("error: cannot store the match: cannot create the folder `games`: "), "{said}");
    assert_eq!(player.site.process.wait().unwrap().code(), Some(5));
    let mut child = command(player.folder.path(), "good", &["--terminal"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{}\nresign\nstore\nquit\n", first_move()).as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = text(&output.stdout);
    assert_eq!(
        shown.matches("The match is not stored; type `store` to try again, or `quit`.").count(),
        2,
        "{shown}"
    );
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
}

/// An entry of a tournament file, with other limits, and a game that the file describes.
#[test]
fn an_entry_of_a_tournament_file_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let fake = toml::Value::from(fake_engine().to_str().unwrap());
    let mut file = "[limits]\nmovetime = \"1s\"\n[[game]]\nid = \"push\"\n".to_owned();
    for name in ["one", "two"] {
        file += &format!("[[engine]]\nname = \"{name}\"\ncommand = {fake}\nargs = [\"good\"]\n");
    }
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let play = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(folder.path()).arg("play").args(args);
        Site::start(&mut command).events(None).next().unwrap().2
    };
    let seen = play(&["two", "--config", "cup.toml", "--game", "push", "--movetime", "500ms"]);
    assert_eq!((&seen["names"], &seen["game"]), (&json!(["you", "two"]), &json!("Push")));
    if Command::new("python3").arg("-V").output().is_err() {
        eprintln!("the game in Python is skipped: there is no python3");
        return;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).args(["play", "two", "--config"]);
    let results = folder.path().join("games");
    command.args(["configs/own-game.toml", "--game", "hex-5", "--results"]).arg(results);
    let seen = Site::start(&mut command).events(None).next().unwrap().2;
    assert_eq!(seen["game"], "Hex 5x5");
}

#[test]
fn what_cannot_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let check = |mode: &str, args: &[&str], code: i32, message: &str| {
        let output = command(folder.path(), mode, args).output().unwrap();
        let said = text(&output.stderr);
        assert!(said.contains(message), "{args:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    };
    check("good", &["--level", "3"], 4, "engine `fake` has no option `Level`; leave out `--level`");
    check("good", &["--option", "Nix=1"], 4, "engine `fake` has no option `Nix`");
    check(
        "good",
        &["--fen", "7 w"],
        2,
        "this is not a FEN: it needs 6 fields, separated by single spaces, and has 2; for example: `abcdcba/",
    );
    check(
        "good",
        &["--start", "nowhere"],
        2,
        "push-push has no start `nowhere`; `arena games` lists the starts",
    );
    check("good", &["--name", "fake"], 2, "the engine and you have the same name, `fake`");
    check("good", &["--name", " x"], 2, "`--name`: an engine's name must not be empty");
    check("good", &["--movetime", "soon"], 2, "`soon` is not a duration");
    check("good", &["--movetime", "0"], 2, "it must be longer than 0");
    check("good", &["--tc", "5min+"], 2, "`` is not a duration");
    check("good", &["--tc", "5min", "--movetime", "1"], 2, "cannot be used with");
    check("good", &["--as", "red"], 2, "invalid value 'red'");
    check("start-exit", &[], 4, "engine `fake` did not say `ugiok`");
    check("good", &["--config", "nowhere.toml"], 3, "nowhere.toml");
    #[cfg(unix)]
    {
        let output = command(folder.path(), "good", &[]).env("TMPDIR", "/nowhere").output().unwrap();
        let said = text(&output.stderr);
        assert!(said.starts_with("error: cannot write `/nowhere`: "), "{said}");
        assert_eq!(output.status.code(), Some(5));
    }
    let output = arena(folder.path(), &["play", "x", "--game", "pish"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("there is no game `pish`; did you mean `push`?"));
    let output = arena(folder.path(), &["play", "./nothing", "--game", "push"]);
    assert!(!output.status.success() && text(&output.stderr).contains("nothing"), "{}", text(&output.stderr));
    let output = arena(folder.path(), &["play", "push-pus"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("no game or engine is named `push-pus`; did you mean `push-push`?"), "{said}");
    let output = arena(folder.path(), &["play", "--game", "pish"]);
    assert!(text(&output.stderr).contains("there is no game `pish`; did you mean `push`?"));
    // No folder is left.
    assert!(!folder.path().join("games").exists());
    // A tournament's folder is not for this.
    fs::create_dir(folder.path().join("games")).unwrap();
    fs::write(folder.path().join("games/tournament.toml"), "x = 1\n").unwrap();
    check("good", &[], 5, "`games` holds matches of a tournament; give another folder with `--results`");
}

/// Options and arguments belong to the name of an engine, so that ratings do not mix two players.
#[test]
fn two_players_have_two_names() {
    let folder = tempfile::tempdir().unwrap();
    let resign = |engine: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(folder.path()).args([
            "play",
            engine,
            "--game",
            "push-push",
            "--results",
            "games",
        ]);
        command.args(["--terminal"]).args(args).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(format!("{}\nresign\n", first_move()).as_bytes());
        child.wait_with_output().unwrap()
    };
    let fake = fake_engine().display().to_string();
    for args in [
        &[][..],
        &["--option", "Hash=8"],
        &["--option", "Hash=16"],
        &["--option", "Hash=16", "--movetime", "9"],
    ] {
        let output = resign(&format!("{fake} good"), args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    }
    let output = resign(&format!("{fake} second"), &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rated = text(&arena(folder.path(), &["rate", "games", "--format", "csv"]).stdout);
    for name in
        ["fake-engine good,", "fake-engine good hash 8,", "fake-engine good hash 16,", "fake-engine second,"]
    {
        assert!(rated.contains(name), "{name}: {rated}");
    }
    // A name that the user gives stays, and is refused for another player.
    assert!(resign(&format!("mine={fake} good"), &[]).status.success());
    for (engine, args, remedy) in [
        (format!("mine={fake} second"), &[][..], "give this engine another one (NAME=COMMAND)"),
        (format!("mine={fake} good"), &["--option", "Hash=8"], "give this engine another one (NAME=COMMAND)"),
        (format!("other={fake} good"), &["--name", "mine"], "give another one with `--name`"),
    ] {
        let output = resign(&engine, args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{said}");
        assert!(
            said.contains("`games` has matches of another player with the name `mine`")
                && said.contains(remedy),
            "{said}"
        );
    }
    // A position that a person made up says less of the strength.
    let rated = || text(&arena(folder.path(), &["rate", "games"]).stdout);
    let note = "1 match from a position of your own counted like the others";
    assert!(!rated().contains(note));
    let later = ["--fen", "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 2"];
    assert!(resign(&format!("{fake} good"), &later).status.success());
    assert!(rated().contains(note), "{}", rated());
    let listed = text(&arena(folder.path(), &["verify", "games"]).stdout);
    assert_eq!(listed, "games: 7 matches, no problems\n");
}

/// Moves of chess are written as people do, wherever they are shown.
#[test]
fn chess_in_the_terminal_speaks_san() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("fake={} uci", fake_engine().display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).args(["play", &engine, "--game", "chess", "--terminal"]);
    command.args(["--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (mut keyboard, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let mut read_until =
        |words: &str| lines.by_ref().map(Result::unwrap).find(|line| line.contains(words)).unwrap();
    keyboard.write_all(b"moves\n").unwrap();
    assert!(read_until(" Rh8+").contains(" O-O"));
    keyboard.write_all(b"hint\n").unwrap();
    let hint = read_until("hint: ");
    let hint = hint.split_once("hint: ").unwrap().1;
    assert!(hint.starts_with(['K', 'R', 'O']), "{hint}");
    keyboard.write_all(b"O-O\n").unwrap();
    let reply = read_until("1... ");
    assert!(reply.starts_with("1... K"), "{reply}");
    keyboard.write_all(b"resign\n").unwrap();
    drop(keyboard);
    assert!(child.wait().unwrap().success());
}

/// The page offers the arena's own engines by their names, which do as arguments, too.
#[cfg(unix)]
#[test]
fn an_engine_in_the_folder_of_the_arena_needs_no_path() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("arena");
    fs::copy(env!("CARGO_BIN_EXE_arena"), &program).unwrap();
    std::os::unix::fs::symlink(fake_engine(), folder.path().join("alpha-beta")).unwrap();
    let mut command = Command::new(program);
    command.args(["play", "alpha-beta", "--game", "push-push", "--terminal"]).stdin(Stdio::null());
    let output = command.current_dir(folder.path()).output().unwrap();
    assert!(text(&output.stdout).starts_with("White you, Black alpha-beta; "), "{}", text(&output.stderr));
}

#[test]
fn the_terminal_needs_an_engine_and_a_game() {
    let folder = tempfile::tempdir().unwrap();
    for (named, message) in [
        (&["push"][..], "name the engine as well: `arena play ENGINE --game push --terminal`"),
        (&["./mine"], "name the game as well: `arena play ./mine --game GAME --terminal`"),
        (&[], "name an engine and a game: `arena play ENGINE --game GAME --terminal`"),
    ] {
        let output = arena(folder.path(), &[&["play", "--terminal"], named].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
}

/// In a terminal of 24 lines.
#[cfg(target_os = "linux")]
#[test]
fn a_match_in_the_terminal() {
    use std::io::Read;

    use nix::pty::{Winsize, openpty};

    let folder = tempfile::tempdir().unwrap();
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut child = command(folder.path(), "good", &["--terminal", "--as", "black", "--tc", "10min"])
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm")
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .unwrap();
    let mut keyboard = fs::File::from(terminal.master);
    let mut screen = keyboard.try_clone().unwrap();
    let mut seen = String::new();
    let mut read_until = |words: &str| {
        let mut bytes = [0; 4096];
        loop {
            if let Some(place) = seen.find(words) {
                let rest = seen.split_off(place + words.len());
                return std::mem::replace(&mut seen, rest);
            }
            let n = screen.read(&mut bytes).unwrap();
            seen += &String::from_utf8_lossy(&bytes[..n]);
        }
    };
    // The engine begins; Black is at the bottom.
    let first = read_until("your move: ");
    assert!(first.contains("\n1. ") && first.contains("FEN: "), "{first}");
    assert!(first.contains("\nclocks: White ") && first.contains(", Black 10:00.0"), "{first}");
    keyboard.write_all(b"undo\n").unwrap();
    read_until("there is no move of yours to take back");
    for (typed, answer) in
        [("help", "a2a3d    the same along the edge"), ("draw", "write the move as well: `draw MOVE`")]
    {
        keyboard.write_all(format!("{typed}\n").as_bytes()).unwrap();
        read_until(answer);
        read_until("your move: ");
    }
    let fen = |shown: &str| {
        let line = shown.lines().filter_map(|line| line.strip_prefix("FEN: ")).next_back().unwrap();
        line.trim().to_owned()
    };
    let legal = |shown: &str| Games::built_in().play(GameId::PUSH_PUSH, &fen(shown)).unwrap().legal_moves();
    // What is wrong twice is said twice.
    for _ in 0..2 {
        keyboard.write_all(b"rubbish\n").unwrap();
        read_until("`rubbish` is not a legal move");
        read_until("your move: ");
    }
    keyboard.write_all(b"moves\n").unwrap();
    read_until(&legal(&first)[..3].join(" "));
    read_until("your move: ");
    let mv = legal(&first)[1].clone();
    keyboard.write_all(format!("{mv}\n").as_bytes()).unwrap();
    let third = read_until("your move: ");
    // Numbers are those of the page; the legend is shown once.
    assert!(third.contains("\n2. "), "{third}");
    let legend = "White wins if the ball leaves";
    assert!(first.contains(legend) && !third.contains(legend), "{first}{third}");
    keyboard.write_all(b"undo\n").unwrap();
    let again = read_until("your move: ");
    assert_eq!(fen(&again), fen(&first));
    let mv = legal(&again)[0].clone();
    keyboard.write_all(format!("draw {mv}\n").as_bytes()).unwrap();
    let declined = read_until("your move: ");
    assert!(declined.contains("the engine did not accept the draw"), "{declined}");
    keyboard.write_all(b"undo\n").unwrap();
    read_until("your move: ");
    keyboard.write_all(b"hint\n").unwrap();
    let hinted = read_until("your move: ");
    assert!(hinted.contains(&format!("hint: {}", legal(&first)[0])), "{hinted}");
    keyboard.write_all(format!("{}\n", legal(&first)[0]).as_bytes()).unwrap();
    read_until("your move: ");
    keyboard.write_all(b"resign\n").unwrap();
    let last = read_until("rates the matches");
    assert!(last.contains("You have lost: you resigned. Stored as match 1."), "{last}");
    assert!(child.wait().unwrap().success());
    let output = arena(folder.path(), &["verify", "games"]);
    assert_eq!(text(&output.stdout), "games: 1 matches, no problems\n");
}
