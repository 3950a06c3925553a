//! `arena report` by the real command: what the page knows, what it says of folders that are not as they should be, and that
//! nothing that an engine or a file says becomes markup. How it looks and works in a browser is tested elsewhere.

use crate::common::journal;
use crate::common::tournament;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use engine_proto::{GameId, Games};
use flate2::read::ZlibDecoder;
use journal::MadeUp;
use ratings::MatchResult;
use serde_json::{Value, json};
use tempfile::TempDir;
use tournament::{Tournament, said};

const SMALL: MadeUp<'_> = MadeUp {
    engines: &["alpha", "beta"],
    games: &[GameId::PUSH_PUSH, GameId::TOWER_PUSH],
    pairs: 2,
    max_plies: 12,
};

/// What a page was made of and is.
struct Page {
    folder: TempDir,
    text: String,
    said: String,
}

impl Page {
    /// The page of a journal with these lines.
    fn of(lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("matches.jsonl"), lines).unwrap();
        let output = report(&[folder.path()], &[]);
        assert!(output.status.success(), "{}", said(&output));
        let text = fs::read_to_string(folder.path().join("report.html")).unwrap();
        Self { said: String::from_utf8(output.stdout).unwrap(), folder, text }
    }

    /// What its scripts read.
    fn data(&self) -> Value {
        data(&self.text)
    }

    /// The notes on the folder, in the words of the page, without their markup.
    fn notes(&self) -> Vec<String> {
        let (_, rest) = self.text.split_once("<aside class=\"notice\"").unwrap();
        let (aside, _) = rest.split_once("</aside>").unwrap();
        let items = aside.split("<li><bdi>").skip(1);
        let name = self.folder.path().file_name().unwrap().to_str().unwrap().to_owned();
        items.map(|item| item.split("</bdi>").next().unwrap().replace(&name, "FOLDER")).collect()
    }
}

fn report(folders: &[&Path], args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).arg("report").args(folders).args(args).output().unwrap()
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The replays in a block of the page, each with its fields.
fn block(page: &str, place: usize) -> Vec<Value> {
    let (_, rest) = page.split_once(&format!("id=\"block-{place}\">")).unwrap();
    let bytes = BASE64.decode(rest.split_once("</script>").unwrap().0).unwrap();
    let mut json = String::new();
    ZlibDecoder::new(bytes.as_slice()).read_to_string(&mut json).unwrap();
    let fields: BTreeMap<String, Vec<Value>> = serde_json::from_str(&json).unwrap();
    let replay = |idx: usize| fields.iter().map(move |(name, values)| (name.clone(), values[idx].clone()));
    (0..fields["moves"].len()).map(|idx| replay(idx).collect()).collect()
}

fn lines(made_up: &MadeUp<'_>) -> String {
    made_up.records().iter().map(journal::line).collect()
}

#[test]
fn what_the_page_knows() {
    let page = Page::of(&lines(&SMALL));
    assert_eq!(page.said.trim_end(), page.folder.path().join("report.html").to_str().unwrap());
    let mut data = page.data();
    // The ratings have tests of their own, and their last digits are not the page's matter.
    for scope in data["scopes"].as_array_mut().unwrap() {
        scope["stronger"] = json!([]);
        for pairing in scope["pairings"].as_array_mut().unwrap() {
            for estimate in ["own", "rating", "expected", "z"] {
                pairing.as_object_mut().unwrap().remove(estimate);
            }
        }
    }
    data["folders"] = json!(["FOLDER"]);
    data["paths"] = json!(["FOLDER"]);
    data["terms"].as_array_mut().unwrap().truncate(2);
    // One of the boards is enough to see what there is of a board.
    for board in data["boards"].as_array_mut().unwrap() {
        board["squares"].as_array_mut().unwrap().truncate(3);
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&data).unwrap());
}

/// In every list and table.
#[test]
fn games_stand_in_the_order_of_the_tournament() {
    let order = ["push", "tower-push", "four-towers"];
    let games = &[GameId::TOWER_PUSH, GameId::PUSH, GameId::FOUR_TOWERS];
    let folder = tempfile::tempdir().unwrap();
    let games_of_config = order.map(|id| format!("[[game]]\nid = \"{id}\"\n")).concat();
    let engines = ["alpha", "beta"].map(|name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"x\"\n"));
    let config = format!("[tournament]\n[limits]\nnodes = 1\n{games_of_config}{}", engines.concat());
    fs::write(folder.path().join("tournament.toml"), config).unwrap();
    fs::write(folder.path().join("matches.jsonl"), lines(&MadeUp { games, ..SMALL })).unwrap();
    assert!(report(&[folder.path()], &[]).status.success());
    let data = data(&fs::read_to_string(folder.path().join("report.html")).unwrap());
    let ids = |list: &str| -> Vec<String> {
        let ids =
            data[list].as_array().unwrap().iter().map(|one| one["id"].as_str().or(one["name"].as_str()));
        ids.map(|id| id.unwrap().to_owned()).collect()
    };
    assert_eq!(ids("games"), order);
    assert_eq!(ids("scopes")[1..], order);
    let rate = Command::new(env!("CARGO_BIN_EXE_arena")).arg("rate").arg(folder.path()).output().unwrap();
    let table = String::from_utf8(rate.stdout).unwrap();
    let places = order.map(|game| table.find(&format!("{game}: ")).unwrap());
    assert!(places.is_sorted(), "{table}");
}

#[test]
fn a_replay_has_every_position_as_the_rules_have_it() {
    for game in GameId::BUILT_IN {
        let made_up = MadeUp { engines: &["a", "b"], games: &[*game], pairs: 1, max_plies: 80 };
        let records = made_up.records();
        let page = Page::of(&records.iter().map(journal::line).collect::<String>());
        let replays = block(&page.text, 0);
        for (record, replay) in records.iter().zip(&replays) {
            let fens = fens(replay);
            let mut play = Games::built_in().play(*game, &record.opening).unwrap();
            assert_eq!(fens.len(), record.moves.len() + 1);
            assert_eq!(fens[0], record.opening);
            for (mv, fen) in record.moves.iter().zip(&fens[1..]) {
                play.play(&mv.mv).unwrap();
                assert_eq!(*fen, play.fen(), "{game}");
            }
            let board = &page.data()["boards"][replay["board"].as_u64().unwrap() as usize];
            let scene = play.scene();
            assert_eq!(last_squares(replay, board), squares(&scene), "{game}");
        }
    }
}

/// The FENs that a replay stands for, put together as the page's scripts do it.
fn fens(replay: &Value) -> Vec<String> {
    let (mut parts, mut signs): (Vec<String>, Vec<char>) = (Vec::new(), Vec::new());
    let mut fens = Vec::new();
    for difference in replay["fens"].as_array().unwrap() {
        let difference = difference.as_array().unwrap();
        if let [whole] = difference.as_slice() {
            let whole = whole.as_str().unwrap();
            parts = whole.split([' ', '/']).map(str::to_owned).collect();
            signs = whole.chars().filter(|sign| [' ', '/'].contains(sign)).collect();
        }
        for change in difference.chunks_exact(2) {
            let place = change[0].as_u64().unwrap() as usize;
            change[1].as_str().unwrap().clone_into(&mut parts[place]);
        }
        let mut fen = String::new();
        for (place, part) in parts.iter().enumerate() {
            fen += part;
            fen.extend(signs.get(place));
        }
        fens.push(fen);
    }
    fens
}

/// What stands on each square that is not empty in a replay's last position: letters from bottom to top.
fn last_squares(replay: &Value, board: &Value) -> Vec<(String, String)> {
    let mut texts = vec![String::new(); board["squares"].as_array().unwrap().len()];
    for change in replay["scenes"].as_array().unwrap() {
        for square in change["s"].as_array().unwrap_or(&Vec::new()) {
            let place = square[0].as_u64().unwrap() as usize;
            square[1].as_str().unwrap().clone_into(&mut texts[place]);
        }
    }
    let names = board["squares"].as_array().unwrap();
    let mut squares: Vec<_> = names
        .iter()
        .zip(texts)
        .filter(|(_, text)| !text.is_empty())
        .map(|(square, text)| (square["name"].as_str().unwrap().to_owned(), text))
        .collect();
    squares.sort();
    squares
}

fn squares(scene: &engine_proto::scene::Scene) -> Vec<(String, String)> {
    let mut squares = BTreeMap::<String, String>::new();
    for piece in &scene.pieces {
        let text = squares.entry(piece.square.to_string()).or_default();
        text.push(piece.kind.fen_sign(piece.owner));
        if let Some(state) = piece.state {
            *text += &format!("({state})");
        }
    }
    squares.into_iter().collect()
}

#[test]
fn the_same_folder_gives_the_same_bytes() {
    let records = MadeUp { engines: &["a", "b", "c"], ..SMALL }.records();
    let in_order: String = records.iter().map(journal::line).collect();
    let page = Page::of(&in_order);
    let again = page.folder.path().join("again.html");
    let output = report(&[page.folder.path()], &["--output", again.to_str().unwrap()]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(fs::read_to_string(again).unwrap(), page.text);
}

#[test]
fn what_cannot_be_shown_is_said_and_the_rest_is_shown() {
    let records = SMALL.records();
    let whole: Vec<String> = records.iter().map(journal::line).collect();
    let newer = whole[3].replace("\"game\":\"tower-push\"", "\"game\":\"chess<i>\"");
    let wrong = whole[4].replace("\"result\":\"", "\"result\":\"so ");
    let torn = &whole[5][..whole[5].len() / 2];
    let journal = [whole[..3].concat(), newer, wrong, whole[0].clone(), torn.to_owned()].concat();
    let page = Page::of(&journal);
    insta::assert_snapshot!(page.notes().join("\n"));
    let again = report(&[page.folder.path()], &[]);
    assert_eq!(said(&again).lines().filter(|line| line.starts_with("note: ")).count(), page.notes().len());
    assert_eq!(page.data()["matches"]["number"], json!([1, 2, 3]));
}

#[test]
fn an_illegal_move_in_a_journal_ends_the_replay_and_nothing_else() {
    let mut records = SMALL.records();
    records[0].moves[5].mv = "z9z9".to_owned();
    records[2].opening = "<nowhere>".to_owned();
    let page = Page::of(&records.iter().map(journal::line).collect::<String>());
    let replays = block(&page.text, 0);
    assert_eq!(replays[0]["rest"]["problem"], "the replay ends at ply 6: illegal move `z9z9`");
    assert_eq!(replays[0]["scenes"].as_array().unwrap().len(), 6);
    assert!(
        replays[2]["rest"]["problem"]
            .as_str()
            .unwrap()
            .starts_with("the match cannot be shown: invalid opening: ")
    );
    assert_eq!(replays[1]["rest"], json!({ "pair": 1, "is_stopped": true }));
    assert!(page.text.contains(
        r##"<li>2 matches cannot be replayed to the end, but the result counts: the first is <a href="#match=1">match 1</a></li>"##
    ));
}

#[test]
fn a_folder_without_matches_has_a_page_that_says_so() {
    let page = Page::of("");
    assert!(page.text.contains("No matches yet"));
    assert!(!page.text.contains("id=\"data\""));
}

#[test]
fn hostile_text_is_never_markup() {
    let long = "x".repeat(10_000);
    let names = [
        "</script><script>alert('name')</script>",
        "\"><img src=x onerror=alert(1)>",
        "\u{2028}line\u{2029}",
        "\u{202e}desrever",
        "<!--<script>",
        long.as_str(),
    ];
    let mut records =
        MadeUp { engines: &names, games: &[GameId::PUSH_PUSH], pairs: 1, max_plies: 4 }.records();
    let evidence = "</pre></script><svg onload=alert(2)>\u{1b}[31m\u{202e}";
    records[0].evidence = Some(evidence.to_owned());
    records[0].reason = "crash".to_owned();
    records[0].result = MatchResult::WhiteWins;
    records[1].reason = "<b onclick=alert(3)>".to_owned();
    let page = Page::of(&records.iter().map(journal::line).collect::<String>());

    // Whatever looks like an element is one that the templates have.
    for element in ["<script>alert", "<img", "<svg onload", "<b onclick", "<!--"] {
        assert!(!page.text.contains(element), "{element}");
    }
    // It is all there, as text.
    let data = page.data();
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(data["engines"], json!(expected));
    assert_eq!(block(&page.text, 0)[0]["rest"]["evidence"], evidence);
    assert!(data["matches"]["reasons"].as_array().unwrap().contains(&json!("<b onclick=alert(3)>")));
}

#[test]
fn no_number_is_too_large() {
    let mut records: Vec<Value> =
        lines(&SMALL).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for record in &mut records {
        record["plies"] = u32::MAX.into();
        record["worker"] = "host".into();
        for mv in record["moves"].as_array_mut().unwrap() {
            (mv["time_us"], mv["nodes"]) = (u64::MAX.into(), u64::MAX.into());
        }
    }
    let lines: Vec<String> = records.iter().map(Value::to_string).collect();
    assert!(Page::of(&lines.join("\n")).text.contains("alpha"));
}

#[test]
fn the_policy_allows_the_pages_own_scripts_and_styles_only() {
    use sha2::{Digest, Sha256};
    let page = Page::of(&lines(&SMALL));
    let (_, rest) = page.text.split_once("Content-Security-Policy\" content=\"").unwrap();
    let policy = rest.split_once('"').unwrap().0.replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"));
    let mut n_elements = 0;
    for (opening, closing) in
        [("<script>", "</script>"), ("<script type=\"module\">", "</script>"), ("<style>", "</style>")]
    {
        for part in page.text.split(opening).skip(1) {
            let content = part.split_once(closing).unwrap().0;
            let hash = format!("'sha256-{}'", BASE64.encode(Sha256::digest(content.as_bytes())));
            assert!(policy.contains(&hash), "{opening} {}", &content[..60]);
            n_elements += 1;
        }
    }
    assert_eq!(n_elements, 4, "start, errors, the modules, styles");
    assert!(!page.text.contains(" style=\""), "the policy forbids style attributes");
}

#[test]
fn an_engine_that_never_starts_is_absent() {
    let three = MadeUp { engines: &["alpha", "beta", "gone"], ..SMALL };
    let mut records = three.records();
    for record in
        records.iter_mut().filter(|record| [&record.white, &record.black].contains(&&"gone".to_owned()))
    {
        (record.reason, record.plies) = ("start-failure".to_owned(), 0);
        record.moves.clear();
        record.result = if record.white == "gone" { MatchResult::BlackWins } else { MatchResult::WhiteWins };
    }
    let page = Page::of(&records.iter().map(journal::line).collect::<String>());
    assert!(page.text.contains("<td class=\"number rating\" data-value=\"\">absent<span"));
    assert!(page.text.contains("<bdi>gone: never started; 16 matches are not counted</bdi>"));
    // The same number in the standings and in the table of engines.
    let row = |table: &str| {
        let (_, rest) = page.text.split_once(table).unwrap();
        let (_, rest) = rest.split_once("<bdi title=\"gone\">").unwrap();
        rest.split_once("</tr>").unwrap().0.to_owned()
    };
    let standings = row("id=\"standings-overall-1\"");
    for part in ["<span class=\"sub\">never started</span>", "16 not counted", "class=\"fault-count\">16</a>"]
    {
        assert!(standings.contains(part), "{standings}");
    }
    assert!(row("id=\"engines-table\"").contains("<td class=\"number\">16</td>"));
    let data = page.data();
    // It has no place in the tables of everybody against everybody.
    for scope in data["scopes"].as_array().unwrap() {
        assert_eq!(scope["engines"].as_array().unwrap().len(), 2, "{scope}");
        assert_eq!(scope["pairings"].as_array().unwrap().len(), 1, "{scope}");
    }
    assert_eq!(
        data["matches"]["number"].as_array().unwrap().len(),
        records.len(),
        "its matches are in the list"
    );
}

#[test]
fn several_folders_are_one_page() {
    let one = Page::of(&lines(&SMALL));
    let other = Page::of(&lines(&MadeUp { engines: &["alpha", "gamma"], ..SMALL }));
    let output_file = one.folder.path().join("both.html");
    let output = report(&[one.folder.path(), other.folder.path()], &["-o", output_file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(&output_file).unwrap();
    let data = data(&text);
    assert_eq!(data["engines"], json!(["alpha", "beta", "gamma"]));
    assert_eq!(data["matches"]["folder"], json!([vec![0; 8], vec![1; 8]].concat()));
    assert_eq!(data["folders"].as_array().unwrap().len(), 2);
    assert!(text.contains("fewer than two engines have an interval in both"));
}

/// The moves of a file that go on where nobody can win any more: the match was over, and they are not illegal.
#[test]
fn a_match_that_goes_on_after_its_end_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dead.pgn");
    let pgn = "[White \"one\"]\n[Black \"two\"]\n[Result \"1/2-1/2\"]\n[FEN \"8/8/8/8/3k4/4P3/8/4K3 b - - 0 1\"]\n\n\
               1... Kxe3 2. Kd1 Kd3 1/2-1/2\n";
    fs::write(&file, pgn).unwrap();
    assert!(report(&[&file], &[]).status.success());
    let rest = &block(&fs::read_to_string(folder.path().join("dead.pgn.html")).unwrap(), 0)[0]["rest"];
    let problem =
        "by the rules, the match was over at ply 1 (insufficient material); its moves go on with `Kd1`";
    assert_eq!(rest["problem"], problem);
    assert_eq!(rest["refusal"], "after the end");
}

/// A move that several pieces can make, and the end in the words of Cute Chess.
#[test]
fn pgn_says_what_is_unclear_and_why_a_match_ended() {
    let folder = tempfile::tempdir().unwrap();
    let match_of = |variant: &str| {
        format!(
            "[White \"one\"]\n[Black \"two\"]\n[Result \"0-1\"]\n[Variant \"{variant}\"]\n[FEN \"6k1/8/8/8/8/8/8/R3R2K w - - 0 1\"]\n\n\
             1. Rc1 {{a}} Kf7 {{-0.31/9 0.5s, White's connection stalls}} 0-1\n\n"
        )
    };
    let file = folder.path().join("unclear.pgn");
    fs::write(&file, ["Zebra", "chess", "atomic"].map(match_of).concat()).unwrap();
    assert!(report(&[&file], &[]).status.success());
    let text = fs::read_to_string(folder.path().join("unclear.pgn.html")).unwrap();
    let data = self::data(&text);
    let names: Vec<&Value> = data["games"].as_array().unwrap().iter().map(|game| &game["id"]).collect();
    assert_eq!(names, ["atomic", "chess", "Zebra"]);
    assert_eq!(data["matches"]["reasons"], json!(["stalled connection"]));
    assert_eq!(data["matches"]["fault"], json!([1, 1, 1]));
    let rest = &block(&text, 0)[1]["rest"];
    assert_eq!(rest["problem"], "the replay ends at ply 1: ambiguous move `Rc1`: a1c1 or e1c1");
    assert_eq!(rest["refusal"], "ambiguous");
    assert_eq!(rest["unread"], json!(["Kf7 {-0.31/9 0.5s, White's connection stalls}"]));
}

/// They are no new evidence: one interval stands everywhere.
#[test]
fn openings_that_are_played_again_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |times: usize| {
        let row = |pair: usize| {
            let second = ["1/2-1/2", "0-1", "1-0", "0-1"][pair % 12 % 4];
            format!("push,one,two,1-0,{pair},o{0}\npush,two,one,{second},{pair},o{0}\n", pair % 12)
        };
        format!("game,white,black,result,pair,opening\n{}", (0..12 * times).map(row).collect::<String>())
    };
    let seen = [1, 3].map(|times| {
        let file = folder.path().join(format!("again-{times}.csv"));
        fs::write(&file, rows(times)).unwrap();
        assert!(report(&[&file], &[]).status.success());
        let text = fs::read_to_string(file.with_extension("csv.html")).unwrap();
        let pairing = self::data(&text)["scopes"][0]["pairings"][0].clone();
        let elo = |end: &str| pairing["own"]["elo"][end].as_f64().unwrap();
        let found = format!("+{:.0} (+{:.0} to +{:.0}) Elo", elo("value"), elo("low"), elo("high"));
        assert_eq!(text.matches(&found).count(), 2, "the answer and the page of the two: {found}");
        pairing["own"].clone()
    });
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn files_of_other_tools_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "</script><img src=x onerror=alert(1)>";
    let csv = format!(
        "game,white,black,result,pair,opening,reason\n\
         chess,one,\"{hostile}\",1-0,1,e4,mate\nchess,\"{hostile}\",one,1/2-1/2,1,e4,\n\
         push,one,\"{hostile}\",0-1,2,d4,time forfeit\npush,\"{hostile}\",one,1-0,2,d4,\n"
    );
    let file = folder.path().join("cup.csv");
    fs::write(&file, csv).unwrap();
    let output = report(&[&file], &[]);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(folder.path().join("cup.csv.html")).unwrap();
    assert!(!text.contains("<img"));
    let data = data(&text);
    assert_eq!(data["games"], json!([{"id": "chess", "name": "Chess"}, {"id": "push", "name": "Push"}]));
    assert!(text.contains("The input has only results."));
    assert_eq!(data["engines"], json!([hostile, "one"]));
    assert_eq!(data["matches"]["result"], json!([2, 1, 0, 2]));
    assert_eq!(data["matches"]["reasons"], json!(["mate", "not recorded", "time forfeit"]));
    assert_eq!(data["matches"]["fault"], json!([0, 0, 1, 0]));
    assert!(text.contains(r##"<a href="#match=3">3</a>"##));
    assert_eq!(
        block(&text, 0)[0]["rest"]["problem"],
        "no replay: results folders have them, and the first 10,000 matches of a PGN file if the game is known"
    );

    let pgn = "[White \"one\"]\n[Black \"two\"]\n[Result \"*\"]\n\n*\n\n\
               [White \"one\"]\n[Black \"two\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n[PlyCount \"2\"]\n\n1. e4 e5 1-0\n\n\
               [White \"two\"]\n[Black \"one\"]\n[Result \"1/2-1/2\"]\n[Round \"7\"]\n\n1. d4 {+0.31/9 0.5s} Ke4 1/2-1/2\n";
    let file = folder.path().join("games.pgn");
    fs::write(&file, pgn).unwrap();
    let output = report(&[&file], &[]);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(folder.path().join("games.pgn.html")).unwrap();
    let data = self::data(&text);
    assert_eq!(data["matches"]["number"], json!([1, 2]));
    assert_eq!(
        [&data["matches"]["plies"], &data["matches"]["openings"]],
        [&json!([2, 2]), &json!(["ECO C20", ""])]
    );
    assert_eq!(data["matches"]["round"], json!([null, "7"]));
    assert_eq!(data["matches"]["pair"], json!([null, 0]));
    assert_eq!(data["matches"]["white_ms"], json!([null, 500]));
    // `arena analyse` counts all games of the file.
    let places: Vec<Value> = block(&text, 0).iter().map(|replay| replay["rest"]["place"].clone()).collect();
    assert_eq!(places, [2, 3]);
    let replays = block(&text, 0);
    assert_eq!(
        [&replays[0]["moves"], &replays[1]["moves"]],
        [&json!(["e2e4", "e7e5"]), &json!(["d2d4", "Ke4"])]
    );
    assert_eq!(replays[1]["scores"], json!([31, null]));
    let problem = replays[1]["rest"]["problem"].as_str().unwrap();
    assert!(problem.starts_with("the replay ends at ply 2: "), "{problem}");
    assert!(said(&output).contains("note: 1 match cannot be replayed to the end, but"), "{}", said(&output));
    assert!(
        text.contains("Not recorded: the results do not say why each match ended.")
            && !text.contains("Results by opening")
    );

    // What the arena's own table says of the matches is shown.
    let file = folder.path().join("own.csv");
    let rows = "1,1,push,,one,two,1-0,mate,41,1500,2500\n2,1,push,,two,one,0-1,mate,x,,\n";
    let head = "match,pair,game,opening,white,black,result,reason,plies,white_ms,black_ms";
    fs::write(&file, format!("{head}\n{rows}")).unwrap();
    let output = report(&[&file], &[]);
    assert!(output.status.success(), "{}", said(&output));
    let matches =
        self::data(&fs::read_to_string(folder.path().join("own.csv.html")).unwrap())["matches"].clone();
    assert_eq!(matches["plies"], json!([41, null]));
    assert_eq!([&matches["white_ms"], &matches["black_ms"]], [&json!([1500, null]), &json!([2500, null])]);

    // Without pairs, matches stand for them.
    let matches = "one,two,1-0\ntwo,one,0-1\none,two,0-1\ntwo,one,1/2-1/2\n".repeat(5);
    let file = folder.path().join("alone.csv");
    fs::write(&file, format!("white,black,result\n{matches}")).unwrap();
    let output = report(&[&file], &[]);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(folder.path().join("alone.csv.html")).unwrap();
    let pairing = &self::data(&text)["scopes"][0]["pairings"][0];
    assert_eq!(pairing["own"]["score"]["value"], json!(0.625));
    assert_eq!(pairing["history"]["pairs"].as_array().unwrap().last(), Some(&json!(20)));
    assert!(pairing["verdict"]["text"].as_str().unwrap().contains("by their matches"), "{pairing}");

    let file = folder.path().join("wrong.csv");
    fs::write(&file, "player1,player2,result\none,two,1-0\n").unwrap();
    let output = report(&[&file], &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).contains("--columns white=NAME"), "{}", said(&output));
    let output = report(&[&file], &["--columns", "white=player1,black=player2"]);
    assert!(output.status.success(), "{}", said(&output));
}

/// What its tags say of all matches stands in the head; what differs is counted there and listed below the standings.
#[test]
fn a_pgn_file_says_where_when_and_with_how_much_time_it_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let game = |day: &str, control: &str| {
        format!(
            "[Event \"Cup <1>\"]\n[White \"one\"]\n[Black \"two\"]\n[Result \"1-0\"]\n{day}\n[TimeControl \"{control}\"]\n\n1. e4 1-0\n\n"
        )
    };
    let head_of = |name: &str, games: &[String]| {
        let file = folder.path().join(name);
        fs::write(&file, games.concat()).unwrap();
        let output = report(&[&file], &[]);
        assert!(output.status.success(), "{}", said(&output));
        let text = fs::read_to_string(folder.path().join(format!("{name}.html"))).unwrap();
        let (_, facts) = text.split_once("<p class=\"facts\">").unwrap();
        let facts = facts.split("</p>").next().unwrap().split("<span>").skip(4);
        let facts: Vec<String> = facts.map(|fact| fact.split("</span>").next().unwrap().to_owned()).collect();
        (facts, text)
    };
    let days = ["[Date \"2024.01.05\"]", "[UTCDate \"2024.01.03\"]", "[Date \"????.??.??\"]"];
    let (facts, text) = head_of("one.pgn", &days.map(|day| game(day, "60+0.6")));
    assert_eq!(facts, ["Cup &#60;1&#62;", "60+0.6", "2024-01-03 to 2024-01-05"]);
    assert!(!text.contains("<dt>Time controls"));
    assert_eq!(data(&text)["matches"]["date"], json!(["2024-01-05", "2024-01-03", null]));
    let (facts, text) = head_of("two.pgn", &[game(days[0], "60+0.6"), game(days[0], "300+0")]);
    assert_eq!(facts, ["Cup &#60;1&#62;", "2 time controls", "2024-01-05"]);
    assert!(
        text.contains("<dt>Time controls</dt><dd><bdi title=\"300+0\">300+0</bdi>; <bdi title=\"60+0.6\">")
    );
    // What one match lacks is not common to all.
    let (facts, _) = head_of("three.pgn", &[game(days[2], "60+0.6"), game(days[2], "?")]);
    assert_eq!(facts, ["Cup &#60;1&#62;"]);
}

/// Other tools give no reason for it, or that it was normal.
#[test]
fn an_end_by_the_rules_is_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let mate = "1. f3 e5 2. g4 Qh4#";
    let normal = "[Termination \"Normal\"]\n";
    let games = [("", mate, "0-1"), (normal, mate, "0-1"), (normal, "1. e4", "1-0"), ("", mate, "1-0")];
    let game = |(tag, moves, result): (&str, &str, &str)| {
        format!("[White \"one\"]\n[Black \"two\"]\n[Result \"{result}\"]\n{tag}\n{moves} {result}\n\n")
    };
    fs::write(&file, games.map(game).concat()).unwrap();
    let output = report(&[&file], &[]);
    assert!(output.status.success(), "{}", said(&output));
    let data = data(&fs::read_to_string(folder.path().join("games.pgn.html")).unwrap());
    let (texts, places) = (&data["matches"]["reasons"], data["matches"]["reason"].as_array().unwrap());
    let reasons: Vec<&str> =
        places.iter().map(|at| texts[at.as_u64().unwrap() as usize].as_str().unwrap()).collect();
    assert_eq!(reasons, ["checkmate", "checkmate", "Normal", "not recorded"]);
}

#[test]
fn of_two_inputs_the_page_shows_what_changed() {
    let made_up = MadeUp { engines: &["alpha", "beta", "gamma"], pairs: 12, ..SMALL };
    let mut records = made_up.records();
    let wins = |records: &mut Vec<model::Record>, winner: &str| {
        for (idx, record) in records.iter_mut().enumerate() {
            let is_upset = idx % 5 == 0;
            let white_wins = (record.white == winner) != is_upset;
            let plays = record.white == winner || record.black == winner;
            record.result = match (plays, white_wins) {
                (false, _) if idx % 3 == 0 => MatchResult::BlackWins,
                (false, _) | (true, true) => MatchResult::WhiteWins,
                (true, false) => MatchResult::BlackWins,
            };
        }
    };
    wins(&mut records, "alpha");
    let before = Page::of(&records.iter().map(journal::line).collect::<String>());
    assert!(!before.text.contains("Before and after"));
    wins(&mut records, "beta");
    let after = Page::of(&records.iter().map(journal::line).collect::<String>());
    let output = report(&[before.folder.path(), after.folder.path()], &[]);
    assert!(output.status.success(), "{}", said(&output));
    // It does not replace the page of the first.
    let name = after.folder.path().file_name().unwrap().to_str().unwrap();
    let both = before.folder.path().join(format!("report-with-{name}.html"));
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), both.to_str().unwrap());
    let text = fs::read_to_string(both).unwrap();
    let (_, section) = text.split_once("id=\"changes-title\"").unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    assert!(section.contains("ratings changed: beta +"), "{section}");
    let place = |name: &str| section.find(&format!("<bdi title=\"{name}\"")).unwrap();
    assert!(place("beta") < place("gamma") && place("gamma") < place("alpha"), "the greatest rise first");
    assert!(section.contains("relative to the mean of the engines that have a rating in both"), "{section}");
    assert!(text.contains("Before and after: All games") && text.contains("Before and after: Push Push"));
}

#[test]
fn what_is_no_results_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = report(&[folder.path()], &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).contains("matches.jsonl") && said(&output).contains("give a results folder"));

    // A table that was copied without the journal has the results.
    let table = "match,pair,game,opening,white,black,result\n1,1,push,,one,two,1-0\n2,1,push,,two,one,0-1\n";
    fs::write(folder.path().join("matches.csv"), table).unwrap();
    let output = report(&[folder.path()], &[]);
    assert!(output.status.success(), "{}", said(&output));
    let text = fs::read_to_string(folder.path().join("report.html")).unwrap();
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    assert!(text.contains(&format!("<title>{name} ")), "its name is that of the folder");
    assert_eq!(data(&text)["matches"]["number"], json!([1, 2]));
    // So is that of the table alone.
    assert!(report(&[&folder.path().join("matches.csv")], &[]).status.success());
    let text = fs::read_to_string(folder.path().join("matches.csv.html")).unwrap();
    assert!(text.contains(&format!("<title>{name} ")), "its name is that of the folder");

    fs::write(folder.path().join("matches.jsonl"), lines(&SMALL)).unwrap();
    let nowhere: PathBuf = folder.path().join("no/such/folder.html");
    let output = report(&[folder.path()], &["--output", nowhere.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(5));
    assert!(said(&output).contains("name another file with `--output`"), "{}", said(&output));
}

const HEAD: &str = "[tournament]\nname = \"cup\"\npairs = 1\nresults = \"out\"\n\
                    [limits]\nbase = \"10s\"\n[[game]]\nid = \"push-push\"\n";

/// Three checkpoints that beat one another in a circle: what the ratings cannot say, the page says beside them.
#[test]
fn circles_and_series_are_shown() {
    let made_up = MadeUp {
        engines: &["step-1", "step-2", "step-10"],
        games: &[GameId::PUSH_PUSH],
        pairs: 12,
        max_plies: 4,
    };
    let mut records = made_up.records();
    for record in &mut records {
        let white_wins = matches!(
            (record.white.as_str(), record.black.as_str()),
            ("step-1", "step-2") | ("step-2", "step-10") | ("step-10", "step-1")
        );
        record.result = if white_wins { MatchResult::WhiteWins } else { MatchResult::BlackWins };
    }
    // Without any upset there would be too few decided pairs of both kinds.
    records[0].result = MatchResult::Draw;
    let page = Page::of(&records.iter().map(journal::line).collect::<String>());
    for shown in [
        "step-1 beats step-2, step-2 beats step-10, step-10 beats step-1",
        ">Series</abbr></b>",
        "Gain on the one before",
    ] {
        assert!(page.text.contains(shown), "{shown}");
    }
    let (_, series) = page.text.split_once(">Series</abbr></b>").unwrap();
    let place = |name: &str| series.find(&format!("title=\"{name}\"")).unwrap();
    assert!(place("step-1") < place("step-2") && place("step-2") < place("step-10"));
    assert_eq!(page.data()["scopes"][0]["stronger"].as_array().unwrap().len(), 3);
}

#[test]
fn a_run_leaves_a_page_unless_told_not_to() {
    let cup = Tournament::new(HEAD, &[("one", "good"), ("two", "move-exit")]);
    let output = cup.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    let page = fs::read_to_string(cup.path("out/report.html")).unwrap();
    assert!(page.contains("<title>cup · Arena</title>"));
    let data = data(&page);
    assert_eq!(data["matches"]["reasons"], json!(["crash"]));
    assert_eq!(
        data["clocks"],
        json!([[[
            {"control": "10", "base_ms": 10_000, "increment_ms": 0, "moves_to_go": null},
            {"control": "10", "base_ms": 10_000, "increment_ms": 0, "moves_to_go": null}
        ]]])
    );

    // Of folders with different limits, the page says which has which.
    let config = fs::read_to_string(cup.path("out/tournament.toml")).unwrap();
    fs::create_dir(cup.path("slow")).unwrap();
    fs::copy(cup.path("out/matches.jsonl"), cup.path("slow/matches.jsonl")).unwrap();
    let limits = |base: &str| {
        let config =
            config.replace("\"cup\"", "\"slow\"").replace("base = \"10s\"", &format!("base = \"{base}\""));
        fs::write(cup.path("slow/tournament.toml"), config).unwrap();
        let output =
            report(&[&cup.path("out"), &cup.path("slow")], &["-o", cup.path("both.html").to_str().unwrap()]);
        assert!(output.status.success(), "{}", said(&output));
        let page = fs::read_to_string(cup.path("both.html")).unwrap();
        let (_, rest) = page.split_once("<dt>Limits</dt><dd>").unwrap();
        let values = rest.split_once("</dd>").unwrap().0.split("</bdi>").filter_map(|it| it.rsplit_once('>'));
        values.map(|(_, value)| value.to_owned()).collect::<Vec<_>>().join("; ")
    };
    assert_eq!([limits("10s"), limits("20s")], ["10s", "cup · 10s; slow · 20s"]);

    // Of a tournament that was stopped, the page says so.
    assert!(!page.contains("not finished"));
    let journal = fs::read_to_string(cup.path("out/matches.jsonl")).unwrap();
    fs::write(cup.path("out/matches.jsonl"), journal.lines().next().unwrap().to_owned() + "\n").unwrap();
    assert!(report(&[&cup.path("out")], &[]).status.success());
    let page = fs::read_to_string(cup.path("out/report.html")).unwrap();
    assert!(page.contains("<span>1 of 2 matches</span>"));
    assert!(page.contains("<span>not finished: arena run plays the rest</span>"));

    let quiet = Tournament::new(HEAD, &[("one", "good"), ("two", "move-exit")]);
    assert!(quiet.run(&["--no-report"]).status.success());
    assert!(!quiet.path("out/report.html").exists());
}

#[test]
fn where_results_decide_what_is_played_intervals_hold_at_any_time() {
    let head = HEAD
        .replace("[limits]", "[stop.sprt]\nelo0 = 0\nelo1 = 100\n[limits]")
        .replace("pairs = 1", "pairs = 4");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "move-exit")]);
    let output = cup.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    let page = fs::read_to_string(cup.path("out/report.html")).unwrap();
    assert!(page.contains("Intervals: 95\u{202f}% at any time<"), "what is claimed at any time");
    let data = data(&page);
    assert_eq!(data["is_any_time"], true);
    let scope = &data["scopes"][0];
    let own = &scope["pairings"][0]["own"];
    assert_eq!((&own["los"], &own["score"]["value"]), (&Value::Null, &json!(1.0)));
    assert!(own["score"]["low"].as_f64().unwrap() < 0.9, "few pairs prove little: {own}");
    assert!(page.contains(" The limit of 4 pairs is reached."));
    assert!(["#help=Normalized%20Elo\"", "#help=LLR\""].iter().all(|link| page.contains(link)));
    // As after a run that was killed.
    let journal = fs::read_to_string(cup.path("out/matches.jsonl")).unwrap();
    let lines: String = journal.split_inclusive('\n').take(6).collect();
    fs::write(cup.path("out/matches.jsonl"), lines).unwrap();
    assert!(report(&[&cup.path("out")], &[]).status.success());
    let page = fs::read_to_string(cup.path("out/report.html")).unwrap();
    assert!(page.contains(" The tournament is not finished.") && !page.contains(" is reached."));
    assert!(page.contains("<span>6 of at most 8 matches</span>"));
}

#[test]
fn a_page_that_cannot_be_written_loses_no_results() {
    let cup = Tournament::new(HEAD, &[("one", "good"), ("two", "move-exit")]);
    // Nothing can be written where a folder is.
    fs::create_dir_all(cup.path("out/report.html/in-the-way")).unwrap();
    let output = cup.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("the report was not written"), "{}", said(&output));
    assert_eq!(cup.rows("out").len(), 2);
}

/// How many pairs a test plays depends on its results: the pairs of two tests have no order of their own, so nothing is said that
/// would need one.
#[test]
fn the_pairs_of_two_tests_have_no_interval_together() {
    let head = "[tournament]\npairs = 12\n[stop.sprt]\nelo0 = 0\nelo1 = 5\n[limits]\nnodes = 10\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";
    let cups = [[("one", "good"), ("two", "weak-50")], [("one", "weak-50"), ("two", "good")]]
        .map(|engines| Tournament::new(head, &engines));
    for cup in &cups {
        let output = cup.run(&["--quiet"]);
        assert!(output.status.success(), "{}", said(&output));
    }
    let folders = cups.each_ref().map(|cup| cup.path("results/cup"));
    let page = |places: [usize; 2]| {
        let to = cups[0].path("together.html");
        let output = report(&places.map(|place| folders[place].as_path()), &["-o", to.to_str().unwrap()]);
        assert!(output.status.success(), "{}", said(&output));
        data(&fs::read_to_string(to).unwrap())
    };
    let [scopes, turned] = [page([0, 1]), page([1, 0])].map(|data| data["scopes"].clone());
    assert_eq!(scopes, turned);
    let pairing = &scopes[0]["pairings"][0];
    assert!(pairing["own"].is_null() && pairing["history"].is_null(), "{pairing}");
    let words = pairing["verdict"]["text"].as_str().unwrap();
    assert!(words.starts_with("No interval of these pairs together: "), "{words}");
}
