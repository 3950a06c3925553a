//! The report in a real browser, as its readers use it. Needs Chromium, so `cargo test` leaves it out:
//!
//! ```sh
//! cargo it report_browser:: --ignored
//! ```
//!
//! `CHROMIUM` names another browser program, and `SCREENSHOTS` a folder for pictures of what was seen.

use crate::common::browser;
use crate::common::journal;
use crate::common::tournament::{Ended, Tournament};

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use browser::Browser;
use engine_proto::{GameId, Games};
use journal::MadeUp;
use model::TimeControl;
use model::referee::Clock;
use model::{Record, SideLetter};
use ratings::MatchResult;
use report::html::parts::outcome;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A page in a folder of its own, in a browser.
struct Reader {
    browser: Browser,
    folder: TempDir,
}

impl Reader {
    fn of(records: &[Record]) -> Self {
        Self::of_lines(&records.iter().map(journal::line).collect::<String>())
    }

    fn of_lines(lines: &str) -> Self {
        Self::of_folder(tempfile::tempdir().unwrap(), lines)
    }

    /// The page of a tournament with this configuration.
    fn of_tournament(records: &[Record], config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tournament.toml"), config).unwrap();
        Self::of_folder(folder, &records.iter().map(journal::line).collect::<String>())
    }

    fn of_folder(folder: TempDir, lines: &str) -> Self {
        let page = report(folder.path(), lines);
        let mut browser = Browser::start();
        browser.open(&page);
        Self { browser, folder }
    }

    fn open_match(&mut self, number: u32) {
        self.browser.go(&format!("match={number}"));
        self.browser
            .wait_for(&format!("document.getElementById('match-title').textContent === 'Match {number}'"));
    }

    /// The titles of the charts of a match, each with what stands at the ticks of its value axis.
    fn ticks(&mut self) -> Vec<(String, Vec<String>)> {
        let ticks = self.browser.evaluate(
            "[...document.querySelectorAll('#match .chart')].map((chart) => [
               chart.querySelector('figcaption').firstChild.textContent,
               [...chart.querySelectorAll('.of-y')].map((tick) => tick.textContent),
             ])",
        );
        serde_json::from_value(ticks).unwrap()
    }

    fn text(&mut self, selector: &str) -> String {
        let text = self.browser.evaluate(&format!("document.querySelector({}).innerText", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The match with this name is shown, at this ply.
    fn wait_for_ply(&mut self, ply: usize) {
        self.browser.wait_for(&format!(
            "!document.getElementById('match').hidden && document.getElementById('ply').value === '{ply}'"
        ));
    }

    fn finish(self) {
        assert_eq!(self.browser.errors, [""; 0]);
    }
}

fn report(folder: &Path, lines: &str) -> PathBuf {
    fs::write(folder.join("matches.jsonl"), lines).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_arena")).arg("report").arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("report.html")
}

const ALL_GAMES: MadeUp<'_> =
    MadeUp { engines: &["alpha", "beta", "gamma"], games: GameId::BUILT_IN, pairs: 3, max_plies: 60 };

#[test]
#[ignore = "needs Chromium"]
fn every_section_opens_and_nothing_is_an_error() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    for (hash, section, is_known) in [
        ("", "standings", true),
        ("games", "games", true),
        ("engines", "engines", true),
        ("engine=beta", "engine", true),
        ("engine=nobody", "engines", false),
        ("matches", "matches", true),
        ("matches=result:1", "matches", true),
        ("matches=result:lost", "matches", false),
        ("pairing=alpha/beta", "pairing", true),
        ("pairing=beta/alpha", "pairing", true),
        ("pairing=alpha/nobody", "standings", false),
        ("help", "help", true),
        ("rules=push", "rules", true),
        ("rules=nothing", "help", false),
        ("match=3", "match", true),
        ("match=99999", "matches", false),
        ("match=1e0", "matches", false),
        ("match=1-3", "matches", false),
        ("standings=push", "standings", true),
        ("standings=nothing", "standings", false),
        ("nonsense", "standings", false),
    ] {
        reader.browser.go(hash);
        // What is shown instead of what is not there is said to be so.
        reader.browser.wait_for(&format!(
            "!document.getElementById('{section}').hidden && document.getElementById('unknown-address').hidden === {is_known}"
        ));
        let said = if is_known { String::new() } else { format!("Unknown address: #{hash}") };
        reader
            .browser
            .wait_for(&format!("document.getElementById('unknown-address').textContent === {}", json!(said)));
        let n_shown = reader.browser.evaluate("document.querySelectorAll('.view:not([hidden])').length");
        assert_eq!(n_shown, 1, "{hash}");
    }
    reader.browser.go("standings=push");
    reader.browser.wait_for("document.querySelector('.scope:not([hidden])').dataset.scope === 'push'");
    assert!(reader.text(".scope:not([hidden]) .matrix").contains("Cross table"));
    // An address that is opened shows its term of the help, or its section at once, and nothing moves.
    let page = reader.folder.path().join("report.html");
    reader.browser.visit("about:blank");
    reader.browser.visit(&format!("file://{}#help=Pairs", page.display()));
    reader.browser.wait_for("document.activeElement.textContent === 'Pairs' && 0 < scrollY");
    reader.browser.visit("about:blank");
    reader.browser.visit(&format!("file://{}#games", page.display()));
    reader
        .browser
        .wait_for("getComputedStyle(document.getElementById('games-title')).visibility === 'visible'");
    let shifts = "new Promise((done) => {
      let sum = 0;
      const add = (list) => list.getEntries().forEach((shift) => (sum += shift.value));
      new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(sum), 300);
    })";
    assert!(reader.browser.evaluate(shifts).as_f64().unwrap() < 0.1);
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_of_each_game_is_stepped_through() {
    let records = ALL_GAMES.records();
    let mut reader = Reader::of(&records);
    for game in GameId::BUILT_IN {
        let record = records.iter().find(|record| record.game == *game && 6 < record.moves.len()).unwrap();
        reader.browser.go(&format!("match={}", record.number));
        reader.browser.wait_for(&format!(
            "document.getElementById('match-title').textContent === 'Match {}'",
            record.number
        ));
        let sides: Vec<SideLetter> = record.moves.iter().map(|mv| mv.side).collect();
        // The moves of a turn of several moves have one number.
        let begins =
            |at: usize| at == 0 || (sides[at] == SideLetter::White && sides[at - 1] == SideLetter::Black);
        let number = |idx: usize| {
            let count = (0..=idx).filter(|&at| begins(at)).count();
            format!("{count}{}", if sides[idx] == SideLetter::White { "." } else { "..." })
        };
        let mut play = Games::built_in().play(*game, &record.opening).unwrap();
        for (idx, mv) in record.moves.iter().enumerate() {
            reader.browser.press("ArrowRight");
            play.play(&mv.mv).unwrap();
            let ply = idx + 1;
            let seen = reader.browser.evaluate(
                "({
                  fen: document.getElementById('fen').value,
                  command: document.getElementById('command').value,
                  analyse: document.getElementById('analyse').value,
                  pieces: document.querySelectorAll('#board .piece').length,
                  said: document.getElementById('said').textContent,
                  current: document.querySelector('#moves [aria-current]').textContent,
                })",
            );
            assert_eq!(seen["fen"], play.fen(), "{game}, ply {ply}");
            assert_eq!(seen["pieces"], play.scene().pieces.len(), "{game}, ply {ply}");
            let moves: Vec<&str> = record.moves[..ply].iter().map(|mv| mv.mv.as_str()).collect();
            assert_eq!(seen["command"], format!("position fen {} moves {}", record.opening, moves.join(" ")));
            let analyse = seen["analyse"].as_str().unwrap();
            assert!(analyse.starts_with("arena analyse "), "{analyse}");
            assert!(analyse.ends_with(&format!(" {} --ply {ply}", record.number)), "{analyse}");
            assert!(
                seen["said"].as_str().unwrap().starts_with(&format!("After {} {} (", number(idx), mv.mv)),
                "{seen}"
            );
            assert!(
                seen["current"].as_str().unwrap().starts_with(&format!("{}{}", number(idx), mv.mv)),
                "{seen}"
            );
        }
        let ended = outcome(Games::built_in(), record.game, record.result.winner(), &record.reason);
        assert!(reader.text("#said").ends_with(&ended), "{game}: {}", reader.text("#said"));
    }
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn clocks_are_shown_as_the_arena_ran_them() {
    let records = ALL_GAMES.records();
    // The short ones run out within the margin, and gain time after a number of moves.
    for limits in
        ["base = \"500ms\"\nincrement = \"5ms\"", "base = \"100ms\"\nmoves-to-go = 8", "base = \"3min\""]
    {
        let config = of_engines(limits);
        let mut reader = Reader::of_tournament(&records, &config);
        let tournament = config::stored::read(Games::built_in(), &config, Path::new("cup")).unwrap();
        for game in GameId::BUILT_IN {
            let record =
                records.iter().find(|record| record.game == *game && 6 < record.moves.len()).unwrap();
            reader.open_match(record.number);
            let control = tournament.engines[0].time_control.clone();
            let control = TimeControl { margin: Duration::from_secs(1), ..control };
            let mut clocks = [Clock::new(control.clone()), Clock::new(control)];
            for (idx, mv) in record.moves.iter().enumerate() {
                reader.browser.press("ArrowRight");
                reader.wait_for_ply(idx + 1);
                let mover = &mut clocks[usize::from(mv.side == SideLetter::Black)];
                mover.spend(Duration::from_micros(mv.time_us)).unwrap();
                let seen = reader.browser.evaluate(
                    "['player-bottom', 'player-top'].map((id) => document.querySelector(`#${id} .clock`).textContent)",
                );
                let expected = clocks.each_ref().map(|clock| match clock.left().unwrap().as_millis() {
                    ms @ ..10_000 => format!("0:{:02}.{:03}", ms / 1000, ms % 1000),
                    ms => format!("{}:{:02}.{}", ms / 60_000, ms / 1000 % 60, ms / 100 % 10),
                });
                assert_eq!(seen, json!(expected), "{game}, {limits}, ply {}", idx + 1);
            }
            let titles: Vec<String> = reader.ticks().into_iter().map(|(title, _)| title).collect();
            assert_eq!(titles, ["Win probability of White", "Remaining time", "Time per move"]);
        }
        reader.finish();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_ticks_of_an_axis_differ() {
    let mut records = ALL_GAMES.records();
    records.truncate(3);
    // A time per move that engines use up, and a match as short as can be.
    for (idx, mv) in records[1].moves.iter_mut().enumerate() {
        mv.time_us = 100_000 + 150 * (idx as u64 % 3);
    }
    records[2].moves.truncate(1);
    for base in ["20ms", "500ms", "1s", "10s", "3min", "2h"] {
        let mut reader = Reader::of_tournament(&records, &of_engines(&format!("base = \"{base}\"")));
        for record in &records {
            reader.open_match(record.number);
            for (title, ticks) in reader.ticks() {
                assert!(1 < ticks.len(), "{base}: {title}: {ticks:?}");
                let different: HashSet<&String> = ticks.iter().collect();
                assert_eq!(different.len(), ticks.len(), "{base}: {title}: {ticks:?}");
            }
        }
        reader.finish();
    }
}

/// A configuration with the made-up engines.
fn of_engines(limits: &str) -> String {
    let mut config = format!("[tournament]\nname = \"clocks\"\n[limits]\n{limits}\n");
    for name in ALL_GAMES.engines {
        config += &format!("[[engine]]\nname = \"{name}\"\ncommand = \"{name}\"\n");
    }
    config
}

#[test]
#[ignore = "needs Chromium"]
fn errors_in_scripts_are_shown_to_the_reader() {
    const SHOWN: &str = "!document.getElementById('script-errors').hidden";
    let is_shown = |reader: &mut Reader, view: &str| {
        let shown = "[...document.querySelectorAll('.view:not([hidden])')].map((view) => view.id)";
        assert_eq!(reader.browser.evaluate(shown), json!([view]));
    };
    let hostile = "<img src=x onerror=\"window.isHacked = true\">";
    for (script, text) in [
        (format!("setTimeout(() => {{ throw new Error({}); }})", json!(hostile)), hostile),
        ("void Promise.reject(new TypeError('nothing to wait for'))".to_owned(), "nothing to wait for"),
        ("setTimeout(() => { throw 'only a text'; })".to_owned(), "only a text"),
    ] {
        let mut reader = Reader::of(&ALL_GAMES.records());
        assert_eq!(reader.browser.evaluate(SHOWN), false);
        reader.browser.evaluate(&script);
        reader.browser.wait_for(SHOWN);
        assert!(reader.text("#script-errors").contains(text), "{}", reader.text("#script-errors"));
        assert_eq!(reader.browser.evaluate("document.images.length"), 0);
        is_shown(&mut reader, "standings");
    }

    // Without its charts, a match can be replayed all the same.
    let mut reader = Reader::of(&ALL_GAMES.records());
    reader.browser.evaluate("ResizeObserver = null");
    reader.browser.go("match=1");
    reader.browser.wait_for(SHOWN);
    is_shown(&mut reader, "match");
    reader.browser.press("ArrowRight");
    reader.wait_for_ply(1);
    assert_eq!(reader.browser.errors.len(), 1, "the console has it too: {:?}", reader.browser.errors);

    // A match that cannot be unpacked leaves the list of matches, and the others can be opened.
    let mut reader = Reader::of(&ALL_GAMES.records());
    reader.browser.evaluate("document.getElementById('block-0').remove()");
    reader.browser.go("match=1");
    reader.browser.wait_for(SHOWN);
    is_shown(&mut reader, "matches");
    reader.browser.go("match=70");
    reader.browser.wait_for("document.getElementById('match-title').textContent === 'Match 70'");
    is_shown(&mut reader, "match");
}

/// Who comes back from a match goes on where they were; who follows a link begins at the top.
#[test]
#[ignore = "needs Chromium"]
fn back_leads_to_the_same_place() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    reader.browser.resize(1280, 400);
    for view in ["games", "engines"] {
        reader.browser.click(&format!(".sections a[href='#{view}']"));
        reader.browser.wait_for(&format!("!document.getElementById('{view}').hidden && scrollY === 0"));
        reader.browser.evaluate("scrollTo(0, 300)");
        reader.browser.evaluate("location.hash = '#match=3'");
        reader.browser.wait_for("document.body.dataset.view === 'match' && scrollY === 0");
        reader.browser.evaluate("history.back()");
        reader.browser.wait_for(&format!("document.body.dataset.view === '{view}' && scrollY === 300"));
    }
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn keys_buttons_and_links_move_the_replay() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    reader.browser.go("match=5@4");
    reader.wait_for_ply(4);
    reader.browser.press("ArrowLeft");
    reader.wait_for_ply(3);
    reader.browser.wait_for("location.hash === '#match=5@3'");
    reader.browser.press("Home");
    reader.wait_for_ply(0);
    let n_plies = reader.browser.evaluate("Number(document.getElementById('ply').max)").as_u64().unwrap();
    reader.browser.press("End");
    reader.wait_for_ply(n_plies as usize);
    reader.browser.press("Home");
    reader.browser.press(" ");
    reader.wait_for_ply(1);
    reader.browser.press(" ");
    let playing = "document.querySelector('[data-step=play]').classList.contains('is-playing')";
    assert_eq!(reader.browser.evaluate(playing), false);
    // A click on a button leaves the keys to the replay.
    for n_clicks in 1..=2 {
        reader.browser.click("[data-step=flip]");
        reader.browser.press(" ");
        assert_eq!(reader.browser.evaluate(playing), n_clicks == 1);
    }
    let upper = "document.getElementById('player-top').innerText.split('\\n')[0]";
    let before = reader.browser.evaluate(upper);
    reader.browser.press("f");
    assert_ne!(reader.browser.evaluate(upper), before, "the board is turned");
    reader.browser.click("#moves li:nth-child(2) button");
    reader.wait_for_ply(2);
    // The wheel over the board steps, too, and does not scroll; with Ctrl, it zooms.
    let wheel = |turn: &str| {
        format!(
            "document.querySelector('#board svg').dispatchEvent(new WheelEvent('wheel', {{ bubbles: true, cancelable: true, {turn} }}))"
        )
    };
    for (turn, ply, is_left) in [
        ("deltaY: 100", 3, false),
        ("deltaY: 3, deltaMode: 1", 4, false),
        ("deltaY: -100, ctrlKey: true", 4, true),
        ("deltaY: -30", 4, false),
        ("deltaY: -30", 3, false),
        ("deltaY: -100", 2, false),
    ] {
        assert_eq!(reader.browser.evaluate(&wheel(turn)), is_left, "{turn}");
        reader.wait_for_ply(ply);
    }
    reader.browser.click("#match-partner");
    reader.browser.wait_for("document.getElementById('match-title').textContent === 'Match 6'");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_list_is_filtered_sorted_and_walked_by_keys() {
    let records = ALL_GAMES.records();
    let mut reader = Reader::of(&records);
    reader.browser.go("matches");
    reader.browser.wait_for("document.querySelectorAll('tr.match').length !== 0");
    let set = |name: &str, value: &str| {
        format!(
            "(() => {{ const field = document.getElementById('filter').elements['{name}'];
               field.value = '{value}'; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        )
    };
    // A number is that of one match; who won can be asked of an engine only.
    reader.browser.evaluate(&set("text", "2"));
    assert_eq!(reader.text("#match-count"), format!("1 of {} matches", records.len()));
    let of_alpha =
        records.iter().filter(|record| [&record.white, &record.black].iter().any(|name| *name == "alpha"));
    let of_alpha = format!("{} of {} matches", of_alpha.count(), records.len());
    reader.browser.evaluate(&set("text", "ALPH"));
    assert_eq!(reader.text("#match-count"), of_alpha);
    // Words that do not stand together are found all the same.
    let of_both = records.iter().filter(|record| {
        record.game == GameId::FOUR_TOWERS
            && [&record.white, &record.black].iter().any(|name| *name == "alpha")
    });
    let of_both = format!("{} of {} matches", of_both.count(), records.len());
    reader.browser.evaluate(&set("text", "alph towers"));
    assert_eq!(reader.text("#match-count"), of_both);
    let of_towers = records.iter().filter(|record| record.game == GameId::FOUR_TOWERS).count();
    reader.browser.evaluate(&set("text", GameId::FOUR_TOWERS.id()));
    assert_eq!(reader.text("#match-count"), format!("{of_towers} of {} matches", records.len()));
    // An opening is that of its number in the list, or the one that is clicked.
    let opening = records.iter().filter(|record| record.opening == records[0].opening).count();
    let of_opening = format!("{opening} of {} matches", records.len());
    reader.browser.evaluate(&set("text", "opening 1"));
    assert_eq!(reader.text("#match-count"), of_opening);
    reader.browser.evaluate(&set("text", ""));
    reader.browser.click("tr.match .c-opening a");
    reader.browser.wait_for("document.getElementById('filter').elements.text.value !== ''");
    assert_eq!(reader.text("#match-count"), of_opening);
    reader.browser.evaluate(&set("text", ""));
    let is_closed = "document.querySelector('#filter option[value=loss]').disabled";
    assert_eq!(reader.browser.evaluate(is_closed), true);
    reader.browser.evaluate(&set("game", "push"));
    reader.browser.evaluate(&set("engine", "beta"));
    assert_eq!(reader.browser.evaluate(is_closed), false);
    reader.browser.evaluate(&set("result", "loss"));
    let expected =
        records.iter().filter(|record| record.game == GameId::PUSH && record.loser() == Some("beta")).count();
    assert_eq!(reader.text("#match-count"), format!("{expected} of {} matches", records.len()));
    assert_eq!(reader.browser.evaluate("location.hash"), "#matches=game:push,engine:beta,result:loss");
    assert_eq!(reader.browser.evaluate("document.querySelectorAll('tr.match').length"), expected);

    reader.browser.go("matches=");
    reader.browser.wait_for(&format!(
        "document.getElementById('match-count').textContent.startsWith('{} of')",
        records.len()
    ));
    let plies = "[...document.querySelectorAll('tr.match .c-plies')].map((cell) => Number(cell.innerText))";
    let column =
        "[...document.querySelectorAll('#match-list th')].find((head) => head.innerText.startsWith('Plies'))";
    for order in ["ascending", "descending"] {
        reader.browser.evaluate(&format!("{column}.querySelector('button').click()"));
        assert_eq!(reader.browser.evaluate(&format!("{column}.getAttribute('aria-sort')")), order);
        let seen: Vec<u64> = serde_json::from_value(reader.browser.evaluate(plies)).unwrap();
        let mut sorted = seen.clone();
        sorted.sort_unstable();
        if order == "descending" {
            sorted.reverse();
        }
        assert_eq!(seen, sorted);
    }

    // The arrow keys go through rows that were not there at first, and Enter opens one.
    reader.browser.evaluate("document.querySelector('tr.match a').focus()");
    let focused = "document.activeElement.closest('tr')?.getAttribute('aria-rowindex')";
    for row in 3..=62 {
        reader.browser.press("ArrowDown");
        reader.browser.wait_for(&format!("{focused} === '{row}'"));
    }
    let id = reader.browser.evaluate("document.activeElement.innerText");
    reader.browser.press("Enter");
    reader.browser.wait_for("!document.getElementById('match').hidden");
    assert_eq!(reader.text("#match-title"), format!("Match {}", id.as_str().unwrap()));
    // Who comes back goes on at its row.
    reader.browser.evaluate("setTimeout(() => history.back())");
    reader.browser.wait_for(&format!("{focused} === '62'"));
    assert_eq!(reader.browser.evaluate("document.activeElement.innerText"), id);
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn all_can_be_reached_by_the_keyboard() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    reader.browser.press("Tab");
    assert_eq!(reader.browser.evaluate("document.activeElement.className"), "skip");
    let mut reached = Vec::new();
    for _ in 0..40 {
        reader.browser.press("Tab");
        reached.push(reader.browser.evaluate("document.activeElement.innerText"));
    }
    for name in ["Standings", "Games", "Engines", "Matches", "Theme: system", "Push Push"] {
        assert!(reached.contains(&json!(name)), "{name}: {reached:?}");
    }
    let outline = reader.browser.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "the focus is seen");
    reader.browser.evaluate("document.querySelector('.sections a[href=\"#games\"]').focus()");
    reader.browser.press("Enter");
    reader.browser.wait_for("document.activeElement.id === 'games-title'");
    let unnamed = reader.browser.evaluate(
        "[...document.querySelectorAll('button, a[href], input, select, [role=img], [role=region]')]
           .filter((node) => !(node.textContent.trim() || node.getAttribute('aria-label') || node.labels?.length))
           .map((node) => node.outerHTML)",
    );
    assert_eq!(unnamed, json!([]), "each has a name for those who do not see it");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn colours_follow_the_system_and_the_switch() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    let background = "getComputedStyle(document.body).backgroundColor";
    reader.browser.prefer("light");
    let light = reader.browser.evaluate(background);
    reader.browser.prefer("dark");
    let dark = reader.browser.evaluate(background);
    assert_ne!(light, dark);
    let mut click = || {
        reader.browser.evaluate("document.getElementById('theme').click()");
        reader.browser.evaluate(background)
    };
    assert_eq!([click(), click(), click()], [light, dark.clone(), dark], "light, dark, as the system");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_narrow_screen_scrolls_in_one_direction() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    reader.browser.resize(390, 844);
    for hash in ["standings", "games", "engines", "matches", "match=1@3", "match=3", "pairing=alpha/beta"] {
        reader.browser.go(hash);
        let section = hash.split('=').next().unwrap();
        reader.browser.wait_for(&format!("!document.getElementById('{section}').hidden"));
        let width = reader.browser.evaluate("document.documentElement.scrollWidth");
        assert_eq!(width, 390, "{hash}");
    }
    // Of the standings, what matters most is in view whole.
    reader.browser.go("standings");
    reader.browser.wait_for("!document.getElementById('standings').hidden");
    let cut = "[...document.querySelectorAll('.scope:not([hidden]) table.standings thead th')].filter((head) => head.checkVisibility() && head.getBoundingClientRect().right > 390).map((head) => head.innerText)";
    let cut = reader.browser.evaluate(cut);
    let cut: Vec<String> = serde_json::from_value(cut).unwrap();
    assert!(
        ["Rank", "Engine", "Rating", "Score", ""]
            .iter()
            .all(|name| !cut.iter().any(|it| it.as_str() == *name)),
        "{cut:?}"
    );
    // What else a row has stands below the name, so that nothing is beside the window.
    let hidden = "(() => { const box = document.querySelector('.scope:not([hidden]) .wide'); return box.scrollWidth - box.clientWidth; })()";
    assert_eq!(reader.browser.evaluate(hidden), 0);
    let below = reader.text("#standings .scope:not([hidden]) tbody th .narrow-only");
    assert!(below.starts_with("60\u{a0}matches, Pairs\u{a0}"), "{below}");
    // So does what the other tables have besides their first numbers, and no plot is in the way.
    let tables = [
        ("pairing=alpha/beta", "pairing-results", "Matches "),
        ("games", "games-table", "Openings "),
        ("engines", "engines-table", "Longest move "),
        ("engine=alpha", "engine-opponents", "Pairs "),
    ];
    for (hash, table, said) in tables {
        reader.browser.go(hash);
        reader.browser.wait_for(&format!("document.getElementById('{table}')?.checkVisibility()"));
        let below = reader.text(&format!("#{table} tbody .rest"));
        assert!(below.contains(said), "{hash}: {below}");
        let hidden = format!(
            "(() => {{ const box = document.getElementById('{table}').parentElement; return box.scrollWidth - box.clientWidth; }})()"
        );
        assert_eq!(reader.browser.evaluate(&hidden), 0, "{hash}");
    }
    // A match has its result with the reason.
    reader.browser.go("matches");
    reader.browser.wait_for("document.querySelectorAll('tr.match').length !== 0");
    let reasons = "[...document.querySelectorAll('tr.match')].every((row) => row.querySelector('.c-result bdi').checkVisibility() && row.querySelector('.c-result bdi').innerText === row.querySelector('.c-reason bdi').textContent)";
    assert_eq!(reader.browser.evaluate(reasons), true);
    // The page scrolls, and no list in it: at its end is the last match, and the first one is no longer there.
    reader.browser.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    let seen = format!(
        "[...document.querySelectorAll('tr.match')].at(-1).getAttribute('aria-rowindex') === '{}'",
        1 + ALL_GAMES.records().len()
    );
    reader.browser.wait_for(&seen);
    assert_eq!(
        reader.browser.evaluate("document.querySelector('tr.match[aria-rowindex=\"2\"]')"),
        json!(null)
    );
    let inner = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.getElementById('match-list'))";
    assert_eq!(reader.browser.evaluate(inner), 0);
    // Of the drawings of each kind, that of the first game is open; a tap opens another one.
    reader.browser.go("games");
    let open = "document.querySelectorAll('#games .cards > details[open]').length";
    reader.browser.wait_for(&format!("{open} === 3"));
    reader.browser.click("#games .cards > details:nth-child(2) summary");
    reader.browser.wait_for(&format!("{open} === 4"));
    // A list that was opened in a narrow window has its filter in a wide one.
    reader.browser.go("matches");
    reader.browser.resize(1200, 800);
    reader.browser.wait_for("document.getElementById('filter').checkVisibility()");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn hostile_text_runs_nothing() {
    let long = "x".repeat(10_000);
    let names = [
        "</script><script>window.isHacked = true</script>",
        "\"><img src=x onerror=\"window.isHacked = true\">",
        "\u{2028}line\u{2029}",
        "\u{202e}desrever",
        long.as_str(),
    ];
    let mut records =
        MadeUp { engines: &names, games: &[GameId::PUSH_PUSH], pairs: 1, max_plies: 8 }.records();
    for record in records.iter_mut().take(6) {
        record.reason = "crash".to_owned();
        record.result = MatchResult::WhiteWins;
        record.evidence = Some("</pre><img src=x onerror=\"window.isHacked = true\">".to_owned());
    }
    records[7].reason = "<img src=x onerror=\"window.isHacked = true\">".to_owned();
    let mut reader = Reader::of(&records);
    reader.browser.resize(390, 844);
    let pairing =
        "pairing=%22%3E%3Cimg%20src%3Dx%20onerror%3D%22window.isHacked%20%3D%20true%22%3E/%E2%80%AEdesrever";
    for hash in ["standings", "games", "engines", "matches", "match=1@2", "match=8@1", "help", pairing] {
        reader.browser.go(hash);
        let section = hash.split('=').next().unwrap();
        reader.browser.wait_for(&format!("!document.getElementById('{section}').hidden"));
        assert_eq!(reader.browser.evaluate("typeof window.isHacked"), "undefined", "{hash}");
        assert_eq!(reader.browser.evaluate("document.images.length"), 0, "{hash}");
        assert_eq!(reader.browser.evaluate("document.documentElement.scrollWidth"), 390, "{hash}");
    }
    reader.browser.go("match=1");
    reader.browser.wait_for("!document.getElementById('match-evidence').hidden");
    let ply = |part: &str| format!("Number(document.getElementById('ply').{part})");
    assert_ne!(reader.browser.evaluate(&ply("max")), 0.0);
    assert_eq!(
        reader.browser.evaluate(&ply("value")),
        reader.browser.evaluate(&ply("max")),
        "where the fault is"
    );
    let bottom =
        reader.browser.evaluate("document.getElementById('match-evidence').getBoundingClientRect().bottom");
    assert!(bottom.as_f64().unwrap() < 400.0, "the evidence is seen without scrolling: {bottom}");
    assert!(reader.text("#match-evidence").contains("</pre><img"));
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn folders_that_are_not_as_they_should_be() {
    let lines: Vec<String> = ALL_GAMES.records().iter().map(journal::line).collect();
    let newer = lines[4].replace("\"game\":\"", "\"game\":\"newer-");
    let torn = lines[0].clone() + &lines[2] + &newer + &lines[3][..100];
    let mut reader = Reader::of_lines(&torn);
    let notice = reader.text("aside.notice");
    for words in ["is incomplete", "of the unknown game"] {
        assert!(notice.contains(words), "{notice}");
    }
    reader.browser.go("match=3");
    reader.browser.wait_for("document.getElementById('match-title').textContent === 'Match 3'");
    reader.finish();

    let mut records = ALL_GAMES.records();
    records.truncate(3);
    records[0].opening = "<nowhere>".to_owned();
    (records[1].moves, records[1].plies, records[1].reason) = (Vec::new(), 0, "start-failure".to_owned());
    records[2].moves[2].mv = "z9z9".to_owned();
    let mut odd = Reader::of(&records);
    // Without a board, the moves are listed.
    for (number, ply) in [(1, records[0].plies), (2, 0), (3, 2)] {
        odd.browser.go(&format!("match={number}"));
        odd.browser
            .wait_for(&format!("document.getElementById('match-title').textContent === 'Match {number}'"));
        for key in ["End", "ArrowRight", "f", " ", " ", "Home", "End"] {
            odd.browser.press(key);
        }
        assert_eq!(odd.browser.evaluate("document.getElementById('ply').value"), ply.to_string());
        let has_problem = odd.browser.evaluate("!document.getElementById('match-problem').hidden");
        assert_eq!(has_problem, number != 2);
        // Without a move, it is said what happened; there is no board to step through.
        let controls = odd.browser.evaluate("document.querySelector('.controls').getClientRects().length");
        assert_eq!(controls == 0, number != 3);
        assert_eq!(odd.text("#said").starts_with("No move was made. "), number == 2);
    }
    odd.finish();

    let mut empty = Reader::of_lines("");
    assert!(empty.text("main").contains("No matches yet"));
    empty.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_answer_comes_first_and_names_every_engine_and_game() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    // The verdict, the one table of standings, the one matrix of games; all of it on the first screen.
    let first = reader.text("#standings");
    let mut last = 0;
    for words in
        ["First: ", "Rating", "Score", "alpha", "Ratings by game", "Four Towers", "gamma", "90 of 3 engines"]
    {
        let place = first[last..].find(words);
        last += place.unwrap_or_else(|| panic!("{words} after {last}: {first}"));
    }
    reader.browser.resize(1440, 900);
    let bottom = "document.getElementById('ratings').getBoundingClientRect().bottom";
    assert!(reader.browser.evaluate(bottom).as_f64().unwrap() <= 900.0);
    assert_eq!(reader.browser.evaluate("document.querySelectorAll('.scope:not([hidden]) table').length"), 3);
    // Nothing stands in the place of what is not known: no column is empty, and what is not sure has no colour.
    let empty = "[...document.querySelectorAll('.scope:not([hidden]) thead th:not(.plot-head)')]
       .filter((head) => [...head.closest('table').tBodies[0].rows].every((row) => row.cells[head.cellIndex].innerText.trim() === ''))
       .map((head) => head.innerText)";
    assert_eq!(reader.browser.evaluate(empty), json!([]));
    let coloured = "[...document.querySelectorAll('#ratings td.heat:not(.heat-5)')].map((cell) => cell.innerText)
       .filter((text) => { const [, elo, error] = /^([+−]\\d+) ± (\\d+)/.exec(text) ?? [];
         return elo === undefined ? !/below −|above \\+/.test(text) : Number(error) > Math.abs(Number(elo.replace('−', '-'))); })";
    assert_eq!(reader.browser.evaluate(coloured), json!([]));
    // A heading is as large as a finger.
    let small = "[...document.querySelectorAll('.sort')].map((button) => button.getBoundingClientRect()).filter(({ width, height }) => 0 < width && (width < 44 || height < 44)).length";
    assert_eq!(reader.browser.evaluate(small), 0);
    // A term leads to its explanation.
    reader.browser.click("#standings .fine a[href='#help=Score']");
    reader.browser.wait_for("!document.getElementById('help').hidden");
    assert_eq!(reader.browser.evaluate("document.activeElement.innerText"), "Score");
    reader.browser.go("standings");
    reader.browser.wait_for("!document.getElementById('standings').hidden");
    // A heading sorts, and the address says so.
    let names = "[...document.querySelectorAll('#ratings tbody th')].map((head) => head.innerText)";
    let before = reader.browser.evaluate(names);
    reader.browser.click("#ratings th:first-child .sort");
    let sorted = reader.browser.evaluate(names);
    assert_eq!(sorted, json!(["alpha", "beta", "gamma"]));
    assert_eq!(reader.browser.evaluate("location.hash"), "#standings;sort=ratings.0");
    reader.browser.click("#ratings th:first-child .sort");
    assert_eq!(reader.browser.evaluate(names), json!(["gamma", "beta", "alpha"]));
    reader.browser.go("games");
    reader.browser.go("standings;sort=ratings.0");
    reader.browser.wait_for(&format!("JSON.stringify({names}) === '{sorted}'"));
    assert_eq!(before.as_array().unwrap().len(), 3);
    // A name leads to its engine.
    reader.browser.click("#ratings tbody a");
    reader.browser.wait_for("location.hash === '#engine=alpha' && !document.getElementById('engine').hidden");
    assert_eq!(reader.browser.evaluate("document.activeElement.innerText"), "alpha");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_headline_is_that_of_the_chosen_game() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    let shown = "[...document.querySelectorAll('.verdict')].filter((one) => one.offsetParent !== null).map((one) => one.innerText)";
    let headlines = |reader: &mut Reader| -> Vec<String> {
        serde_json::from_value(reader.browser.evaluate(shown)).unwrap()
    };
    let overall = headlines(&mut reader);
    assert!(matches!(overall.as_slice(), [one] if one.starts_with("All games · ")), "{overall:?}");
    reader.browser.click(".scopes a[href='#standings=push']");
    reader.browser.wait_for("document.querySelector('.scope:not([hidden])').dataset.scope === 'push'");
    let push = headlines(&mut reader);
    assert!(matches!(push.as_slice(), [one] if one.starts_with("Push · ")), "{push:?}");
    // With one game there is nothing to choose, and nothing to name.
    let mut reader = Reader::of(&MadeUp { games: &[GameId::PUSH], ..ALL_GAMES }.records());
    let only = headlines(&mut reader);
    assert!(matches!(only.as_slice(), [one] if !one.contains(" · ")), "{only:?}");
    reader.finish();
}

/// They are not in the way of what there is to know or do.
/// As long as there are no ratings, it is not said what their intervals mean.
#[test]
#[ignore = "needs Chromium"]
fn what_intervals_mean_is_said_beside_them() {
    let records = ALL_GAMES.records();
    let early = Reader::of_tournament(&records[..3], &of_engines("nodes = 1"));
    for (mut reader, is_said) in [(Reader::of(&records), true), (early, false)] {
        let is_shown = format!("document.querySelector('#standings .basis').checkVisibility() === {is_said}");
        reader.browser.wait_for(&is_shown);
        reader.finish();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn figures_behind_the_ratings_are_folded() {
    let mut reader =
        Reader::of(&MadeUp { games: &[GameId::PUSH, GameId::PUSH_PUSH], pairs: 20, ..ALL_GAMES }.records());
    let figures = "document.querySelector('.scope:not([hidden]) .figures .notes')";
    assert_eq!(reader.browser.evaluate(&format!("{figures}.checkVisibility()")), false);
    reader.browser.click(".scope:not([hidden]) .figures summary");
    reader.browser.wait_for(&format!("{figures}.checkVisibility()"));
    let text = reader.browser.evaluate(&format!("{figures}.innerText"));
    assert!(text.as_str().unwrap().contains("between games"), "{text}");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn an_engine_has_a_page() {
    let mut records = ALL_GAMES.records();
    let fault = records.iter_mut().find(|record| record.white == "beta").unwrap();
    (fault.result, fault.reason) = (MatchResult::BlackWins, "illegal-move".to_owned());
    fault.evidence = Some("`a1a1` is not legal".to_owned());
    let (number, n_moves) = (fault.number, fault.moves.len());
    // The same fault again, and another one.
    let others =
        records.iter_mut().filter(|record| record.white == "beta" && record.reason != "illegal-move");
    for (record, (reason, evidence)) in
        others.zip([("illegal-move", "`b2b2` is not legal"), ("crash", "ended with exit status: 3")])
    {
        (record.result, record.reason) = (MatchResult::BlackWins, reason.to_owned());
        record.evidence = Some(evidence.to_owned());
    }
    let n_matches = records.iter().filter(|it| [&it.white, &it.black].contains(&&"beta".to_owned())).count();
    let mut reader = Reader::of(&records);
    reader.browser.click("#standings .scope:not([hidden]) a[href='#engine=beta']");
    reader.browser.wait_for("!document.getElementById('engine').hidden");
    assert_eq!(reader.text("#engine-title"), "beta");
    let rows = |reader: &mut Reader, table: &str| {
        let rows = format!(
            "[...document.querySelectorAll('#{table} tbody tr')].map((row) => [...row.cells].filter((cell) => cell.checkVisibility()).map((cell) => cell.innerText))"
        );
        serde_json::from_value::<Vec<Vec<String>>>(reader.browser.evaluate(&rows)).unwrap()
    };
    // Its rating in every game is that of the standings.
    let ratings = rows(&mut reader, "engine-ratings");
    let titles: Vec<&str> = ratings.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(titles.len(), 1 + GameId::BUILT_IN.len(), "{titles:?}");
    assert_eq!(titles[0], "All games");
    for row in &ratings {
        let cells = json!(row[1..].to_vec());
        let same = format!(
            "[...document.querySelectorAll('.scope')].some((scope) => scope.querySelector('h3').textContent === {}
               && {cells}.every((text) => [...scope.querySelector('tr[data-engine=beta]').cells].some((cell) => cell.innerText === text || cell.textContent.trim().replace(/\\s+/g, ' ') === text.replace(/\\s+/g, ' ') || text === '' || cell.textContent.includes(text.split('\\n')[0]))))",
            json!(row[0])
        );
        assert_eq!(reader.browser.evaluate(&same), true, "{row:?}");
    }
    // Each is drawn, on one scale.
    let plots = "document.querySelectorAll('#engine-ratings tbody .whisker').length";
    assert_eq!(reader.browser.evaluate(plots), ratings.len());
    let facts = reader.browser.evaluate("document.querySelector('#engine-body .facts').innerText");
    assert!(facts.as_str().is_some_and(|text| text.contains("Time per move: ")), "{facts}");
    assert!(reader.text("#engine-body").contains("Finished matches: "), "{}", reader.text("#engine-body"));
    // Its opponents lead to the pages of the two.
    let opponents = rows(&mut reader, "engine-opponents");
    let mut names: Vec<&str> = opponents.iter().map(|row| row[0].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["alpha", "gamma"]);
    let faults = reader.browser.evaluate(
        "[...document.querySelectorAll('#engine-body .faults li')].map((fault) => [fault.querySelector('p').innerText.split(':')[0], fault.querySelector('pre').innerText])",
    );
    assert_eq!(
        faults,
        json!([
            ["illegal move 2 matches", "`a1a1` is not legal"],
            ["crash 1 match", "ended with exit status: 3"]
        ])
    );
    reader.browser.click("#engine-opponents tbody a[href='#pairing=beta/alpha']");
    reader.browser.wait_for("!document.getElementById('pairing').hidden");
    // The page of the two begins with who is stronger, and by how much.
    let heads = reader.browser.evaluate("[...document.querySelectorAll('#pairing-results thead th:not(.plot-head)')].slice(0, 4).map((head) => head.innerText)");
    assert_eq!(heads, json!(["Game", "Rating difference", "P(stronger)", "Score"]));
    reader.browser.click("#pairing-title a[href='#engine=beta']");
    reader.browser.wait_for("!document.getElementById('engine').hidden");
    // Its matches are the list with the filter.
    reader.browser.click("#engine-body .lead a");
    reader.browser.wait_for("!document.getElementById('matches').hidden");
    assert_eq!(reader.text("#match-count"), format!("{n_matches} of {} matches", records.len()));
    // Every name in the table of engines leads here, too.
    reader.browser.go("engines");
    reader.browser.wait_for("!document.getElementById('engines').hidden");
    let are_faults_first = "(document.querySelector('#engines .faults').compareDocumentPosition(document.getElementById('engine-curves')) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0";
    assert_eq!(reader.browser.evaluate(are_faults_first), true);
    reader.browser.click("#engines-table tbody th a[href='#engine=alpha']");
    reader.browser.wait_for("document.getElementById('engine-title').innerText === 'alpha'");
    assert!(reader.text("#engine-body").contains("It lost no match by a fault."));
    // The illegal move is in the list of moves, without a position of its own.
    reader.open_match(number);
    assert!(reader.text("#moves li:nth-last-child(2)").contains("a1a1"), "{}", reader.text("#moves"));
    assert_eq!(reader.browser.evaluate("document.querySelectorAll('#moves button').length"), n_moves);
    assert_eq!(reader.text("#moves .outcome"), reader.text("#match-facts span:nth-child(3) b"));
    reader.finish();
}

/// Matches that alpha wins more often than beta, and beta more often than gamma.
fn decided() -> Vec<Record> {
    let mut records = MadeUp { pairs: 12, max_plies: 9, ..ALL_GAMES }.records();
    for record in &mut records {
        let white_wins = (record.white < record.black) != record.number.is_multiple_of(7);
        record.result = if white_wins { MatchResult::WhiteWins } else { MatchResult::BlackWins };
        "resign".clone_into(&mut record.reason);
    }
    records
}

/// The next engine is that of the table only in its own order.
#[test]
#[ignore = "needs Chromium"]
fn a_phone_says_how_sure_the_order_of_the_standings_is() {
    let mut reader = Reader::of(&decided());
    reader.browser.resize(390, 844);
    let next = "[...document.querySelectorAll('.scope:not([hidden]) tbody .narrow-only.of-next')].filter((it) => it.checkVisibility()).map((it) => it.innerText)";
    let told: Vec<String> = serde_json::from_value(reader.browser.evaluate(next)).unwrap();
    assert!(told.len() == 2 && told.iter().all(|it| it.starts_with("P>next ")), "{told:?}");
    let by_score = ".scope:not([hidden]) .standings thead th:nth-child(4) .sort";
    reader.browser.click(by_score);
    reader.browser.click(by_score);
    assert_eq!(reader.browser.evaluate(next), json!([]));
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_page_of_two_engines_has_the_view_of_the_stronger_one() {
    let plain = |text: &str| text.replace('\u{2212}', "-").split_whitespace().collect::<Vec<_>>().join(" ");
    // Where others played, too, the ratings decide, with the numbers that `arena compare` has for them.
    let mut reader = Reader::of(&decided());
    let folder = reader.folder.path().to_owned();
    for (first, second) in [("alpha", "beta"), ("gamma", "alpha"), ("beta", "gamma")] {
        let [stronger, weaker] = if first < second { [first, second] } else { [second, first] };
        reader.browser.go(&format!("pairing={first}/{second}"));
        reader.browser.wait_for(&format!(
            "document.getElementById('pairing-title').innerText === '{stronger} against {weaker}'"
        ));
        let verdict = plain(&(reader.text("#pairing .verdict") + " " + &reader.text("#pairing .more-said")));
        let compare = ["compare", "--all", "--engines", &format!("{stronger},{weaker}")];
        let output = Command::new(env!("CARGO_BIN_EXE_arena")).args(compare).arg(&folder).output().unwrap();
        let compared = plain(&String::from_utf8(output.stdout).unwrap());
        let (_, ratings) = compared.split_once("ratings difference ").unwrap();
        let (lead, others) = ratings.split_once(", LOS ").unwrap();
        let p = others.split("P(stronger) ").nth(1).unwrap().split('%').next().unwrap();
        let said = verdict.replace("> ", ">").replace(" %", "%");
        let answer = format!("{stronger} is stronger than {weaker}: {lead} Elo, probability {p}%.");
        let (_, own) = compared.split_once(": ").unwrap();
        let own = own.split(" Elo").next().unwrap();
        let more = format!(
            " That is by the matches of all engines; by those of the two alone: {stronger} is stronger than {weaker}: {own} Elo, LOS "
        );
        assert!(said.starts_with(&(answer + &more)), "{said}");
        assert!(reader.text("#pairing .history").starts_with("Lead in Elo after each pair"));
        // The table says the same, from the same view, and needs no scrolling.
        let row = plain(&reader.text("#pairing-results tbody tr")).replace("> ", ">").replace(" %", "%");
        assert!(row.starts_with(&format!("All games {lead} {p}% ")), "{row}: {said}");
        reader.browser.evaluate("document.querySelector('#pairing .figures').open = true");
        for width in [1440, 1024] {
            reader.browser.resize(width, 900);
            let hidden = "[...document.querySelectorAll('#pairing .wide')].map((box) => box.scrollWidth - box.clientWidth)";
            assert_eq!(reader.browser.evaluate(hidden), json!([0, 0, 0]), "{width}");
        }
    }
    reader.finish();
}

/// In the reference results, the place of 0 is rough, and no game has many pairs of two engines.
#[test]
#[ignore = "needs Chromium"]
fn what_is_too_little_for_an_interval_has_none() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    let folder = tempfile::tempdir().unwrap();
    for file in ["tournament.toml", "provenance.json"] {
        fs::copy(results.join(file), folder.path().join(file)).unwrap();
    }
    let lines = fs::read_to_string(results.join("matches.jsonl")).unwrap();
    let mut reader = Reader::of_folder(folder, &lines);
    reader.browser.evaluate(
        "window.written = []; navigator.clipboard.writeText = async (text) => { written.push(text); };
         HTMLAnchorElement.prototype.click = function () { written.push(this.download); };",
    );
    reader.browser.go("engine=mcts");
    reader.browser.wait_for("document.getElementById('engine-title').innerText === 'mcts'");
    let said = reader.text("#engine .verdict").replace('\u{a0}', " ");
    assert!(said.contains(" Elo (0 is rough) · score "), "{said}");
    // Both pairs of a game have the same outcome: the ratings had a narrow interval for it, `arena compare` has none.
    reader.browser.go("pairing=alpha-beta/mcts");
    reader.browser.wait_for("!document.getElementById('pairing').hidden");
    let row = "[...document.querySelectorAll('#pairing-results tbody tr')].find((row) => row.innerText.startsWith('Tower of Power'))";
    let text = reader.browser.evaluate(&format!("{row}.cells[1].innerText"));
    assert_eq!(text, "−191\nown pairs: −∞ to +∞\ntoo few decided pairs");
    assert_eq!(reader.browser.evaluate(&format!("{row}.querySelector('.whisker')")), json!(null));
    // Its ends are numbers for other programs.
    reader.browser.click("#pairing .table-frame:has(#pairing-results) .tools summary");
    reader.browser.click("#pairing .table-frame:has(#pairing-results) .tools button");
    reader.browser.wait_for("written.length === 1");
    let copied = reader.browser.evaluate("written.pop()");
    let copied = copied.as_str().unwrap();
    assert!(
        copied.contains("Rating difference low,Rating difference high,Rating difference note"),
        "{copied}"
    );
    assert!(copied.contains(",-191,,-inf,inf,own pairs; too few decided pairs,"), "{copied}");
    reader.browser.go("engines");
    reader.browser.wait_for("!document.getElementById('engines').hidden");
    reader
        .browser
        .evaluate("document.querySelector('.table-frame:has(#losses) .tools button:nth-child(2)').click()");
    reader.browser.wait_for("written[0] === 'worst-losses.csv'");
    reader.finish();
}

/// A table of many engines has its heads in view, and their names in each cell; of a long name, the end is shown.
#[test]
#[ignore = "needs Chromium"]
fn a_large_cross_table_can_be_read() {
    const N: usize = 20;
    let name = |one: usize| format!("A very long name of an engine {one}.{}", 7 * one);
    let pairs = (0..N).flat_map(|one| (0..one).map(move |other| (one, other)));
    let rows = pairs.map(|(one, other)| {
        let result = ["1-0", "0-1", "1/2-1/2"][(one * other) % 3];
        format!("{},{},{result}\n", name(one), name(other))
    });
    let mut reader =
        reader_of_file("large.csv", &("white,black,result\n".to_owned() + &rows.collect::<String>()));
    let ends = "[...document.querySelectorAll('.standings .name bdi')].filter((name) => name.textContent === name.title && name.lastChild.length === 7 && name.scrollWidth <= name.clientWidth).length";
    assert_eq!(reader.browser.evaluate(ends), N);
    let cell = ".matrix tbody tr:last-child td:nth-child(2) a";
    reader
        .browser
        .evaluate(&format!("document.querySelector('{cell}').scrollIntoView({{ block: 'nearest' }})"));
    let is_seen = "(({ top, bottom }) => 0 <= top && bottom <= innerHeight)(document.querySelector('.matrix thead th').getBoundingClientRect())";
    reader.browser.wait_for(is_seen);
    let names = reader.browser.evaluate(
        "(() => { const { rows } = document.querySelector('.matrix'); return [rows[1].cells[0].dataset.text, rows[0].cells[2].dataset.text, rows[1].cells[2].querySelector('a').title]; })()",
    );
    let [row, column, title] = [0, 1, 2].map(|idx| names[idx].as_str().unwrap());
    assert!(title.starts_with(&format!("{row} against {column}: ")), "{names}");
    reader.finish();
}

/// Against gamma, which loses every match, no pair counts for the ratings; alpha and beta play one opening twice.
#[test]
#[ignore = "needs Chromium"]
fn the_page_of_an_engine_says_which_pairs_count() {
    let mut records = MadeUp { games: &[GameId::PUSH], max_plies: 9, ..ALL_GAMES }.records();
    for record in &mut records {
        let winner = if record.pair == 7 { "beta" } else { "alpha" };
        let loser =
            if record.black == "gamma" || record.white == winner { &record.black } else { &record.white };
        record.result = if *loser == record.black { MatchResult::WhiteWins } else { MatchResult::BlackWins };
    }
    for idx in [0, 1] {
        (records[6 + idx].opening, records[6 + idx].moves) =
            (records[idx].opening.clone(), records[idx].moves.clone());
    }
    let mut reader = Reader::of(&records);
    reader.browser.go("engine=alpha");
    reader.browser.wait_for("document.querySelector('#engine-opponents') !== null");
    let said = reader.text("#engine");
    assert!(said.contains("The ratings use 2 of these 5 pairs: not those of an engine that"), "{said}");
    assert!(said.contains("1 of 6 pairs start from an opening that the two engines had played"), "{said}");
    // At the width of a small screen, the table of engines needs no scrolling.
    reader.browser.go("engines");
    reader.browser.resize(1024, 900);
    let hidden = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#engines .wide'))";
    assert_eq!(reader.browser.evaluate(hidden), 0);
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn two_engines_alone_have_one_lead_everywhere() {
    let mut records = decided();
    records.retain(|record| record.white != "gamma" && record.black != "gamma");
    let mut reader = Reader::of(&records);
    let standings = reader.text("#standings .scope:not([hidden]) .verdict");
    let lead = standings.split_once(": ").unwrap().1.trim_end_matches('.').to_owned();
    assert!(lead.contains(" Elo, LOS "), "{standings}");
    // Standings would say the same in other words.
    let standings = "document.querySelector('.scope:not([hidden]) table.standings').getClientRects().length";
    assert_eq!(reader.browser.evaluate(standings), 0);
    let heads = "[...document.querySelectorAll('.scope:not([hidden]) .of-two thead th:not(.plot-head)')].map((head) => head.innerText.trim())";
    let shown = ["Game", "Elo", "Score", "LOS by pairs", "Pairs by outcome", "Matches"];
    assert_eq!(reader.browser.evaluate(heads), json!(shown));
    // The plots of the intervals have a scale.
    let marks = "[...document.querySelectorAll('.scope:not([hidden]) .of-two .axis text')].some((mark) => mark.textContent === '0')";
    assert_eq!(reader.browser.evaluate(marks), true);
    let plain = |text: &str| text.replace([' ', '\u{202f}'], "").replace('\u{2212}', "-");
    let [low, high] =
        ["(", " to "].map(|before| lead.split(before).nth(1).unwrap().split([' ', ')']).next().unwrap());
    // In place of a cross table: the lead in each game, with the pairs by outcome.
    let rows =
        "[...document.querySelectorAll('.scope:not([hidden]) .of-two tbody tr')].map((row) => row.innerText)";
    let rows = reader.browser.evaluate(rows);
    let games = rows.as_array().unwrap().len();
    assert_eq!(
        reader.browser.evaluate("document.querySelectorAll('.of-two tbody .pentanomial').length"),
        games
    );
    assert_eq!(
        reader.browser.evaluate("document.querySelector('.scope:not([hidden]) .matrix')"),
        json!(null)
    );
    let all_games = plain(rows[0].as_str().unwrap());
    assert!(all_games.contains(&plain(&format!("{low} to {high}"))), "{rows}: {lead}");
    // The link to the page of the two names first who leads.
    let leader = reader.text("#standings .scope:not([hidden]) .of-two b").replace("Lead of ", "");
    let link = reader.text("#standings .scope:not([hidden]) .of-two a[href^='#pairing=']");
    assert!(link.starts_with(&format!("{leader} against ")), "{link}");
    // The curve of the lead ends where the table says. There is no test.
    let titles = "[...document.querySelectorAll('.scope:not([hidden]) .history figcaption')].map((one) => one.firstChild.data)";
    assert_eq!(reader.browser.evaluate(titles), json!(["Lead in Elo after each pair"]));
    let ends = reader.browser.evaluate(
        "(({ scopes: [{ pairings: [{ own, history }] }] }) => ['value', 'low', 'high'].map((end, idx) => [Math.round(own.elo[end]), [history.elo, history.low, history.high][idx].at(-1)]))(JSON.parse(document.getElementById('data').textContent))",
    );
    for end in ends.as_array().unwrap() {
        assert_eq!(end[0], end[1], "{ends}");
    }
    reader.browser.click("#standings .scope:not([hidden]) .fine a[href='#pairing=alpha/beta']");
    reader.browser.wait_for("!document.getElementById('pairing').hidden");
    let verdict = reader.text("#pairing .verdict");
    assert_eq!(plain(&verdict), plain(&format!("alpha is stronger than beta: {lead}.")));
    let row = plain(&reader.text("#pairing-results tbody tr"));
    assert!(row.contains(&plain(&format!("{low} to {high}"))), "{row}: {lead}");
    reader.finish();

    // Where one has won all, no number bounds the lead: each interval goes on to the edge, with room beyond its end.
    for record in &mut records {
        let white_wins = record.white == "alpha";
        record.result = if white_wins { MatchResult::WhiteWins } else { MatchResult::BlackWins };
    }
    let mut reader = Reader::of(&records);
    let lengths = "[...document.querySelectorAll('.of-two .whisker:has(.onward)')].map((drawing) => [drawing.querySelector('.interval'), drawing]
       .map((part) => part.getBoundingClientRect().width)).filter(([length, width]) => width / 8 < length).length";
    assert_eq!(reader.browser.evaluate(lengths), games);
    reader.finish();

    // Of one pair, nothing bounds the lead: no interval is drawn, and kinds of pairs that did not occur are left out.
    records.truncate(2);
    records[0].result = MatchResult::Draw;
    let mut reader = Reader::of(&records);
    assert_eq!(
        reader.browser.evaluate("document.querySelectorAll('.of-two :is(.whisker, .axis)').length"),
        0
    );
    let row = reader.text("#standings .scope:not([hidden]) .of-two tbody tr");
    assert!(row.contains("−∞ to +∞") && row.contains("WD 1") && !row.contains("LL 0"), "{row}");
    // The page of an engine begins with the answer of the two.
    let answer = "document.querySelector('.view:not([hidden]) .verdict').innerText";
    reader.browser.go("pairing=alpha/beta");
    reader.browser.wait_for("!document.getElementById('pairing').hidden");
    let of_two = reader.browser.evaluate(answer);
    reader.browser.go("engine=beta");
    reader.browser.wait_for("!document.getElementById('engine').hidden");
    assert_eq!(reader.browser.evaluate(answer), of_two);
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_score_has_a_colour_although_little_is_known() {
    let engines = &["alpha", "beta", "gamma"];
    let mut records = MadeUp { engines, games: &[GameId::PUSH], pairs: 3, max_plies: 9 }.records();
    for record in &mut records {
        let is_won = record.white < record.black;
        record.result = if is_won { MatchResult::WhiteWins } else { MatchResult::BlackWins };
    }
    let mut reader = Reader::of(&records);
    let classes = "[...document.querySelectorAll('.matrix td.heat')].map((cell) => cell.className)";
    let [won, lost] = ["heat heat-6", "heat heat-4"];
    assert_eq!(reader.browser.evaluate(classes), json!([won, won, lost, won, lost, lost]));
    reader.finish();
}

/// Of 20 matches, 19.5 points are 97.5 %, and the others are 2.5 %: rounding would give the opponents different halves.
#[test]
#[ignore = "needs Chromium"]
fn the_scores_of_two_opponents_add_up() {
    let engines = &["alpha", "beta", "gamma"];
    let mut records = MadeUp { engines, games: &[GameId::PUSH], pairs: 10, max_plies: 9 }.records();
    for record in &mut records {
        let is_won = record.white < record.black;
        record.result = if is_won { MatchResult::WhiteWins } else { MatchResult::BlackWins };
    }
    let is_met = |record: &&mut Record| [&record.white, &record.black].iter().all(|name| *name != "gamma");
    records.iter_mut().find(is_met).unwrap().result = MatchResult::Draw;
    let mut reader = Reader::of(&records);
    let scores = "[...document.querySelectorAll('.matrix td.heat b')].map((cell) => cell.textContent)";
    let scores = reader.browser.evaluate(scores).to_string().replace('\u{202f}', "");
    assert_eq!(scores, r#"["97.5%","100%","2.5%","100%","0%","0%"]"#);
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_filter_that_nothing_fits_says_what_to_remove() {
    let records = ALL_GAMES.records();
    let mut reader = Reader::of(&records);
    reader.browser.go("matches=game:push,from:9999");
    reader.browser.wait_for("!document.getElementById('match-empty').hidden");
    let buttons = "[...document.querySelectorAll('#match-empty button')].map((one) => one.innerText)";
    let n_push = records.iter().filter(|record| record.game == GameId::PUSH).count();
    // Without the game there is still none.
    assert_eq!(
        reader.browser.evaluate(buttons),
        json!([format!("Remove “Plies from: 9999” ({n_push} matches)"), "Clear the filter"])
    );
    reader.browser.click("#match-empty button");
    reader.browser.wait_for("document.getElementById('match-empty').hidden");
    assert_eq!(reader.browser.evaluate("location.hash"), "#matches=game:push");
    assert_eq!(reader.text("#match-count"), format!("{n_push} of {} matches", records.len()));
    reader.browser.go("matches=from:9999,to:1");
    reader.browser.wait_for("!document.getElementById('match-empty').hidden");
    assert_eq!(
        reader.browser.evaluate("document.querySelector('#matches .table-bar').checkVisibility()"),
        false
    );
    reader.browser.click("#match-empty button:last-child");
    reader.browser.wait_for("document.getElementById('match-empty').hidden");
    // What the list shows is found.
    let n_draws = records.iter().filter(|record| record.result == MatchResult::Draw).count();
    let n_push = records.iter().filter(|record| record.game.id().contains("push")).count();
    let won = records.iter().find(|record| record.result == MatchResult::BlackWins).unwrap().number;
    let n_alpha =
        records.iter().filter(|it| [&it.white, &it.black].iter().any(|name| *name == "alpha")).count();
    let numbers = [format!("match {won}"), format!("%23{won}")];
    for (text, n) in [
        ("1/2-1/2", n_draws),
        ("Push", n_push),
        ("nothing of it", 0),
        ("ÁLPHA", n_alpha),
        (&numbers[0], 1),
        (&numbers[1], 1),
    ] {
        reader.browser.go(&format!("matches=text:{text}"));
        reader.browser.wait_for(&format!(
            "document.getElementById('match-count').textContent === '{n} of {} matches'",
            records.len()
        ));
    }
    // Who has won is seen in the list.
    let stronger = "[...document.querySelectorAll('#match-list td > .has-won')].map((one) => one.parentElement.className)";
    assert_eq!(reader.browser.evaluate(stronger), json!(["c-engine c-black"]));
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_did_not_come_in_time_is_in_the_chart() {
    let mut records = ALL_GAMES.records();
    records.truncate(2);
    let record = &mut records[0];
    record.moves.truncate(5);
    (record.plies, record.result, record.reason) = (5, MatchResult::WhiteWins, "time".to_owned());
    let played_us: u64 =
        record.moves.iter().filter(|mv| mv.side == SideLetter::Black).map(|mv| mv.time_us).sum();
    record.black_ms = played_us / 1000 + 4321;
    record.evidence = Some("no move after 4.3s".to_owned());
    let number = record.number;
    let mut reader = Reader::of(&records);
    reader.open_match(number);
    // The reason is in the words of people.
    assert!(reader.text("#match-facts").contains("time exceeded"), "{}", reader.text("#match-facts"));
    let ticks = reader.ticks();
    let (_, of_times) = ticks.iter().find(|(title, _)| title == "Time per move").unwrap();
    assert!(of_times.iter().any(|tick| tick.contains('4')), "the axis reaches 4 s: {of_times:?}");
    let readout = "(() => {
      const chart = [...document.querySelectorAll('#match .chart')].at(-1);
      const svg = chart.querySelector('svg');
      const box = svg.getBoundingClientRect();
      svg.dispatchEvent(new PointerEvent('pointermove', { clientX: box.right - 2, clientY: box.top + 20, bubbles: true }));
      return chart.querySelector('.readout').innerText;
    })()";
    let readout = reader.browser.evaluate(readout);
    let readout = readout.as_str().unwrap();
    assert!(readout.contains("no move in time") && readout.contains("4.3"), "{readout}");
    // It is the longest move of its engine.
    reader.browser.go("engines");
    reader.browser.wait_for("!document.getElementById('engines').hidden");
    let engines = reader.text("#engines-table");
    assert_eq!(engines.matches('≥').count(), 1, "{engines}");
    assert!(engines.contains("≥ 4.3\u{202f}s"), "{engines}");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_worst_losses_of_all_engines_are_sorted_together() {
    let mut reader = Reader::of(&MadeUp { pairs: 12, ..ALL_GAMES }.records());
    reader.browser.go("engines");
    let rows = "[...document.querySelectorAll('#losses tbody tr')].map((row) => [row.cells[0].innerText, Number(row.cells[4].dataset.value)])";
    let rows: Vec<(String, f64)> = serde_json::from_value(reader.browser.evaluate(rows)).unwrap();
    let losers: HashSet<&String> = rows.iter().map(|(loser, _)| loser).collect();
    assert!(losers.len() > 1, "{rows:?}");
    assert!(rows.is_sorted_by(|(_, one), (_, other)| one >= other), "{rows:?}");
    // The list is short, and says so.
    let caption = reader.text("#losses caption");
    assert!(caption.contains(&format!("The worst three of each engine, {} of ", rows.len())), "{caption}");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn every_heading_is_explained() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    reader.browser.go("pairing=alpha/beta");
    reader.browser.wait_for("!document.getElementById('pairing').hidden");
    reader.browser.evaluate("document.querySelector('#pairing .figures').open = true");
    let bare = reader.browser.evaluate(
        "[...document.querySelectorAll('th.number')]
           .filter((head) => head.closest('thead') && !head.querySelector('abbr[title], a') && !head.closest('.matrix, #builds, .series, .reasons, #match-list'))
           .map((head) => head.innerText)",
    );
    assert_eq!(bare, json!([]));
    let outcomes = reader.text("#pairing-pairs thead");
    assert!(outcomes.contains("LL") && outcomes.contains("two losses"), "{outcomes}");
    reader.browser.go("help");
    let help = reader.text("#help");
    for words in ["Decided pairs / all pairs", "maximum number of plies", "Rules of the games"] {
        assert!(help.contains(words), "{words}");
    }
    reader.browser.click("#help .parts a[href='#help=Reasons']");
    reader.browser.wait_for("document.activeElement.innerText === 'Reasons'");
    reader.browser.click("#help a[href='#rules=push']");
    reader.browser.wait_for("document.getElementById('rules-title').textContent === 'Push'");
    assert!(reader.text("#rules").contains("End of the game"));
    let boards = "document.querySelectorAll('[data-rules=push] .picture .board svg').length";
    assert_eq!(reader.browser.evaluate(boards), 4, "two pictures, before and after");
    reader.finish();
}

/// On other servers, a draw by repetition has to be claimed.
#[test]
#[ignore = "needs Chromium"]
fn a_match_goes_on_after_a_draw_that_nobody_claimed() {
    let pgn = "[White \"one\"]\n[Black \"two\"]\n[Result \"1-0\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 6. Bc4 Nc6 7. Qh5 Nf6 8. Qxf7# 1-0\n";
    let mut reader = reader_of_pgn(pgn);
    reader.open_match(1);
    reader.browser.press("End");
    reader.wait_for_ply(15);
    assert_eq!(reader.browser.evaluate("document.getElementById('match-problem').hidden"), true);
    assert!(reader.text("#said").contains("After 8. Qxf7#"), "{}", reader.text("#said"));
    assert!(reader.text("#match-facts").contains("checkmate"), "{}", reader.text("#match-facts"));
    reader.finish();
}

/// Engines claim scores from their own view; pages have White's.
#[test]
#[ignore = "needs Chromium"]
fn evaluations_are_from_whites_view() {
    let all = ALL_GAMES.records();
    let alternate = |record: &&Record| record.moves.chunks(2).take(2).all(|two| two[0].side != two[1].side);
    let mut record = all.iter().find(alternate).unwrap().clone();
    for (mv, score) in record.moves.iter_mut().zip(["cp 31", "cp 20", "win 5", "win 4"]) {
        mv.score = Some(score.to_owned());
    }
    let mut reader = Reader::of(std::slice::from_ref(&record));
    reader.open_match(record.number);
    let claims = "[...document.querySelectorAll('#moves .claim')].slice(0, 4).map((one) => one.textContent)";
    assert_eq!(reader.browser.evaluate(claims), json!(["+0.31", "−0.20", "+M5", "−M4"]));
    (0..4).for_each(|_| reader.browser.press("ArrowRight"));
    reader.wait_for_ply(4);
    let [white, black] = ["#player-bottom .thought :first-child", "#player-top .thought :first-child"]
        .map(|one| reader.text(one));
    assert_eq!([white, black], ["+M5", "−M4"]);
    reader.finish();
}

/// With one legal move or a book, what an engine claims is no evaluation.
#[test]
#[ignore = "needs Chromium"]
fn a_move_without_a_search_is_no_point_of_the_graph() {
    let mut record = ALL_GAMES.records().remove(0);
    record.moves[0].nodes = Some(0);
    let mut reader = Reader::of(std::slice::from_ref(&record));
    reader.open_match(record.number);
    let points = "[...document.querySelectorAll('#win-chart .curve path')].flatMap((one) => one.getAttribute('d').match(/[ML]/g) ?? []).length";
    assert_eq!(reader.browser.evaluate(points), record.moves.len() - 1);
    for (ply, words) in [(1, "No evaluation yet"), (2, "Win probability of White: ")] {
        reader.browser.press("ArrowRight");
        reader.wait_for_ply(ply);
        let title = reader.browser.evaluate("document.getElementById('gauge').title");
        assert!(title.as_str().unwrap().starts_with(words), "{title}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_replay_fits_a_small_laptop_and_shows_what_the_engines_thought() {
    let records = ALL_GAMES.records();
    let config = of_engines("base = \"3min\"");
    for mut reader in [Reader::of(&records), Reader::of_tournament(&records, &config)] {
        reader.browser.resize(1366, 768);
        for game in GameId::BUILT_IN {
            let record = records
                .iter()
                .find(|record| {
                    record.game == *game && 6 < record.moves.len() && record.result != MatchResult::Draw
                })
                .or_else(|| records.iter().find(|record| record.game == *game && 6 < record.moves.len()))
                .unwrap();
            reader.open_match(record.number);
            // The bar beside the board is as high as its squares.
            let off = "(({ top, bottom }, squares) => Math.max(Math.abs(top - Math.min(...squares.map((one) => one.top))), Math.abs(bottom - Math.max(...squares.map((one) => one.bottom)))))(
               document.getElementById('gauge').getBoundingClientRect(), [...document.querySelectorAll('#board .ground')].map((one) => one.getBoundingClientRect()))";
            let off = reader.browser.evaluate(off).as_f64().unwrap();
            assert!(off < 2.0, "{game}: {off}");
            reader.browser.press("ArrowRight");
            reader.wait_for_ply(1);
            let bottom = reader.browser.evaluate(
                "Math.max(...['.controls', '#line', '#moves'].map((one) => document.querySelector(one).getBoundingClientRect().bottom))",
            );
            assert!(bottom.as_f64().unwrap() <= 768.0, "{game}: the controls end at {bottom}");
            let (_, line) = record.moves[0].principal_variation.as_deref().unwrap().split_once(' ').unwrap();
            assert!(reader.text("#line").ends_with(&format!("expected {line}")), "{}", reader.text("#line"));
            assert!(
                reader
                    .browser
                    .evaluate("document.getElementById('gauge').title")
                    .as_str()
                    .unwrap()
                    .starts_with("Win probability of White: ")
            );
            assert!(
                reader.browser.evaluate("document.querySelectorAll('#legend li').length").as_u64() > Some(5)
            );
            // Only pieces of the match are in its legend, and the states that pieces of the game can have.
            let mut play = Games::built_in().play(record.game, &record.opening).unwrap();
            let mut kinds = HashSet::new();
            for mv in std::iter::once(None).chain(record.moves.iter().map(Some)) {
                if let Some(mv) = mv {
                    play.play(&mv.mv).unwrap();
                }
                let scene = play.scene();
                kinds.extend(scene.pieces.iter().map(|piece| piece.kind.letter));
                kinds.extend(scene.hands.iter().flatten().map(|hand| hand.kind.letter));
            }
            let n_signs = reader.browser.evaluate("document.querySelectorAll('#legend svg').length");
            assert_eq!(n_signs, kinds.len() + play.layout().guide.states.len(), "{game}");
            reader.browser.press("End");
            let n_plies = record.moves.len();
            reader.wait_for_ply(n_plies);
            let follows = "(() => { const list = document.getElementById('moves').getBoundingClientRect();
               const move = document.querySelector('#moves [aria-current]').getBoundingClientRect();
               return list.top <= move.top && move.bottom <= list.bottom; })()";
            assert!(reader.browser.holds_soon(follows), "{game}: the list follows");
            let n_won = reader.browser.evaluate("document.querySelectorAll('.points.has-won').length");
            assert_eq!(n_won, u64::from(record.result != MatchResult::Draw), "{game}");
        }
        reader.finish();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn names_can_be_read_at_every_width_and_columns_drop_by_use() {
    let records = MadeUp { engines: &["alpha-beta-level-9", "mcts-with-a-long-name"], ..ALL_GAMES }.records();
    let mut reader = Reader::of(&records);
    for (width, columns) in [
        (320, vec!["Match\nOpening", "White\nBlack", "Result\nReason"]),
        (390, vec!["Match\nOpening", "White\nBlack", "Result\nReason"]),
        (640, vec!["Match\nOpening", "White", "Black", "Result", "Game"]),
        (768, vec!["Match\nOpening", "White", "Black", "Result", "Game", "Reason"]),
        (1024, vec!["Match", "White", "Black", "Result", "Game", "Reason", "Plies", "Opening"]),
        (1366, vec!["Match", "White", "Black", "Result", "Game", "Reason", "Plies", "Time", "Opening"]),
    ] {
        reader.browser.resize(width, 800);
        reader.browser.go("games");
        reader.browser.go("matches");
        reader.browser.wait_for("document.querySelectorAll('tr.match').length !== 0");
        let shown = reader.browser.evaluate(
            "[...document.querySelectorAll('#match-list th')].filter((head) => head.offsetWidth).map((head) => head.innerText.replace(' ▲', ''))",
        );
        assert_eq!(shown, json!(columns), "{width}");
        let narrowest = reader.browser.evaluate(
            "Math.min(...[...document.querySelectorAll('tr.match .c-white bdi')].filter((name) => name.offsetWidth).map((name) => name.clientWidth))",
        );
        assert!(90 <= narrowest.as_u64().unwrap(), "{width}: names have {narrowest} pixels");
        assert_eq!(reader.browser.evaluate("document.documentElement.scrollWidth"), width, "{width}");
    }
    // The table of the games fits a window of 1200 pixels.
    reader.browser.resize(1200, 800);
    reader.browser.go("games");
    reader.browser.wait_for("!document.getElementById('games').hidden");
    let hidden = "(() => { const box = document.getElementById('games-table').closest('.wide'); return box.scrollWidth - box.clientWidth; })()";
    assert_eq!(reader.browser.evaluate(hidden), 0);
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_list_is_one_stop_of_the_tab_key() {
    let mut reader = Reader::of(&ALL_GAMES.records());
    for (hash, list) in [("matches", "#match-list tbody"), ("match=5@4", "#moves")] {
        reader.browser.go(hash);
        let stops = format!("document.querySelectorAll(`${{'{list}'}} [tabindex='0']`).length");
        reader.browser.wait_for(&format!("{stops} === 1"));
        let all = format!(
            "[...document.querySelectorAll('{list} a, {list} button')].filter((one) => one.tabIndex === 0).length"
        );
        assert_eq!(reader.browser.evaluate(&all), 1, "{hash}");
    }
    // The focus follows the move.
    reader.browser.evaluate("document.querySelector('#moves [aria-current]').focus()");
    reader.browser.press("ArrowRight");
    reader.wait_for_ply(5);
    assert_eq!(reader.browser.evaluate("document.activeElement.getAttribute('aria-current')"), "true");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn tables_and_drawings_are_exported() {
    let mut records = MadeUp {
        engines: &["a|b,\"c\"", "x_1 & 50%", "third"],
        games: &[GameId::PUSH_PUSH],
        pairs: 1,
        max_plies: 8,
    }
    .records();
    records[0].reason = "move-cap".to_owned();
    let mut reader = Reader::of(&records);
    // What would be written to the clipboard or to a file.
    reader.browser.evaluate(
        "window.written = []; navigator.clipboard.writeText = async (text) => { written.push(text); };
         const make = URL.createObjectURL; URL.createObjectURL = (blob) => { written.push(blob); return make(blob); };
         HTMLAnchorElement.prototype.click = function () { written.push(this.download); };",
    );
    reader.browser.go("matches");
    reader.browser.wait_for("document.querySelectorAll('tr.match').length === 6");
    let press = |words: &str| {
        format!(
            "[...document.querySelectorAll('.view:not([hidden]) .tools button')].find((button) => button.textContent === '{words}').click()"
        )
    };
    for (format, expected) in [
        ("CSV", "\"a|b,\"\"c\"\"\",x_1 & 50%,"),
        ("Markdown", "| a\\|b,\"c\" | x\\_1 & 50% |"),
        ("LaTeX", "a\\textbar{}b,\"c\" & x\\_1 \\& 50\\% &"),
    ] {
        reader.browser.evaluate("written.length = 0");
        reader.browser.evaluate(&press(&format!("Copy {format}")));
        reader.browser.wait_for("written.length === 1");
        let text = reader.browser.evaluate("written[0]");
        assert!(text.as_str().unwrap().contains(expected), "{format}: {text}");
    }
    reader.browser.go("standings");
    reader.browser.wait_for("!document.getElementById('standings').hidden");
    // Every number has a column.
    reader.browser.evaluate("written.length = 0");
    reader.browser.evaluate(&press("Copy CSV"));
    reader.browser.wait_for("written.length === 1");
    let text = reader.browser.evaluate("written[0]");
    let lines: Vec<&str> = text.as_str().unwrap().lines().collect();
    for head in
        ["Rating,Rating ±,Score (%)", "Matches,Matches won,Matches drawn,Matches lost", "Pairs,Pairs decided"]
    {
        assert!(lines[0].contains(head), "{text}");
    }
    let body = lines[1..].join("\n");
    assert!(lines.len() == 4 && !body.contains(['±', '\u{202f}', '/']), "{text}");
    // What is said of a number stands beside it.
    reader.browser.wait_for("document.querySelector('#standings .tools button').textContent === 'Copy CSV'");
    reader.browser.evaluate("written.length = 0");
    reader.browser.evaluate(
        "const [first, second, third] = document.querySelectorAll('.standings tbody .rating');
         [first.textContent, second.textContent, third.textContent] = ['≈ +494 (0 is rough)*', '≥ +829', '≈ −615 (−700 to −310)'];",
    );
    reader.browser.evaluate(&press("Copy CSV"));
    reader.browser.wait_for("written.length === 1");
    let text = reader.browser.evaluate("written[0]");
    let text = text.as_str().unwrap();
    assert!(text.contains("Rating,Rating low,Rating high,Rating note,Score (%)"), "{text}");
    for cells in [",494,,,0 is rough; too few decided pairs,", ",829,,,at least,", ",-615,-700,-310,rough,"] {
        assert!(text.contains(cells), "{cells}: {text}");
    }
    // LaTeX has commands for what its fonts lack, and a bracket is no option of the line before.
    reader.browser.evaluate("written.length = 0");
    let names = "document.querySelectorAll('.standings tbody .name bdi')";
    reader.browser.evaluate(&format!(
        "{names}[0].textContent = '[≈≤≥∞−±½×→µ…–“”#~^]'; {names}[1].textContent = '{{a}}\\u202f*'"
    ));
    reader.browser.evaluate(&press("Copy LaTeX"));
    reader.browser.wait_for("written.length === 1");
    let text = reader.browser.evaluate("written[0]");
    let text = text.as_str().unwrap();
    let first = "{[}$\\approx$$\\leq$$\\geq$$\\infty$$-$$\\pm$$\\frac12$$\\times$$\\rightarrow$$\\mu$\\ldots{}--``''\\#\\textasciitilde{}\\textasciicircum{}{]}";
    assert!(text.contains(first) && text.contains("\\{a\\} {*}") && text.is_ascii(), "{text}");
    reader.open_match(1);
    for (format, name) in [("SVG", "win-probability-of-white.svg"), ("PNG", "win-probability-of-white.png")] {
        reader.browser.evaluate("written.length = 0");
        reader.browser.evaluate(&press(&format!("Save {format}")));
        reader.browser.wait_for("written.length === 2");
        assert_eq!(reader.browser.evaluate("written[1]"), name);
        assert!(400 < reader.browser.evaluate("written[0].size").as_u64().unwrap(), "{name}");
    }
    // A board that is saved looks the same elsewhere: its colours are in it.
    reader.browser.evaluate("written.length = 0");
    reader.browser.evaluate("document.querySelector('#position-tools button').click()");
    reader.browser.wait_for("written.length === 2");
    let svg = reader.browser.evaluate("written[0].text()");
    let svg = svg.as_str().unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("fill=\"rgb(") && !svg.contains("class=\""), "{svg}");
    reader.finish();
}

/// The link of a replay, and its PGN, which says the same as that of `arena pgn`; the legend explains its moves.
#[test]
#[ignore = "needs Chromium"]
fn a_replay_is_copied_as_link_and_pgn() {
    let mut records =
        MadeUp { engines: &["alpha", "beta"], games: GameId::BUILT_IN, pairs: 1, max_plies: 30 }.records();
    for record in &mut records {
        record.date = Some("2026-05-01".to_owned());
    }
    let lines: String = records.iter().map(journal::line).collect();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tournament.toml"), of_engines("base = \"10s\"\nincrement = \"100ms\""))
        .unwrap();
    fs::write(folder.path().join("matches.jsonl"), &lines).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_arena")).arg("pgn").arg(folder.path()).output().unwrap();
    let all = String::from_utf8(output.stdout).unwrap();
    // The games with their tags, however lines of moves are broken.
    let games_of = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        words.split("[Event ").skip(1).map(|game| game.trim().to_owned()).collect()
    };
    let expected = games_of(&all);
    assert_eq!(expected.len(), records.len());
    assert!(all.contains("[Date \"2026.05.01\"]") && all.contains("[TimeControl \"10+0.1\"]"), "{all}");
    let mut reader = Reader::of_folder(folder, &lines);
    reader.browser.evaluate(
        "window.written = []; navigator.clipboard.writeText = async (text) => { written.push(text); };",
    );
    for (record, expected) in records.iter().zip(expected) {
        reader.open_match(record.number);
        reader.browser.press("ArrowRight");
        reader.browser.press("ArrowRight");
        reader.wait_for_ply(2);
        reader.browser.evaluate("written.length = 0");
        reader.browser.click("#copy-link");
        reader.browser.click("#copy-pgn");
        reader.browser.wait_for("written.length === 2");
        let link = reader.browser.evaluate("written[0]");
        assert!(
            link.as_str().unwrap().ends_with(&format!("report.html#match={}@2", record.number)),
            "{link}"
        );
        let pgn = reader.browser.evaluate("written[1]");
        let pgn = pgn.as_str().unwrap();
        assert_eq!(games_of(pgn), [expected], "{pgn}");
        if record.game != GameId::CHESS && record.game != GameId::CHESS960 {
            let notation = reader.browser.evaluate("document.getElementById('notation').textContent");
            assert!(notation.as_str().unwrap().contains("from "), "{}: {notation}", record.game);
        }
    }
    // The report of a PGN file has the same replays.
    let file = reader.folder.path().join("one.pgn");
    let arena = || Command::new(env!("CARGO_BIN_EXE_arena"));
    let output = arena().arg("pgn").arg(reader.folder.path()).args(["--game", "push"]).output().unwrap();
    fs::write(&file, &output.stdout).unwrap();
    assert!(arena().arg("report").arg(&file).status().unwrap().success());
    reader.browser.visit(&format!("file://{}#match=2@3", file.with_file_name("one.pgn.html").display()));
    reader.wait_for_ply(3);
    assert_eq!(reader.browser.evaluate("document.getElementById('match-command').checkVisibility()"), false);
    reader.browser.evaluate("navigator.clipboard.writeText = async (text) => { window.written = text; };");
    reader.browser.click("[data-copy=analyse]");
    reader.browser.wait_for("window.written === 'arena analyse one.pgn 2 --ply 3'");
    let said = "document.getElementById('not-analysed').checkVisibility()";
    assert_eq!(reader.browser.evaluate(said), false);
    // The analysis opens files of one game.
    let output = arena().arg("pgn").arg(reader.folder.path()).output().unwrap();
    let file = reader.folder.path().join("all.pgn");
    fs::write(&file, &output.stdout).unwrap();
    assert!(arena().arg("report").arg(&file).status().unwrap().success());
    reader.browser.visit(&format!("file://{}#match=2", file.with_file_name("all.pgn.html").display()));
    reader.browser.wait_for(said);
    assert_eq!(reader.browser.evaluate("document.getElementById('analyse').checkVisibility()"), false);
    reader.finish();
}

/// A reader of the report on a PGN file.
fn reader_of_pgn(pgn: &str) -> Reader {
    reader_of_file("games.pgn", pgn)
}

fn reader_of_file(name: &str, text: &str) -> Reader {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    let arena = Command::new(env!("CARGO_BIN_EXE_arena")).arg("report").arg(&file).status();
    assert!(arena.unwrap().success());
    let mut browser = Browser::start();
    browser.open(&folder.path().join(format!("{name}.html")));
    Reader { browser, folder }
}

/// Moves have the numbers of their FEN. A resignation decides nothing on the board, a mate does.
#[test]
#[ignore = "needs Chromium"]
fn the_end_of_a_match_is_that_of_its_board() {
    let tags = "[White \"one\"]\n[Black \"two\"]\n";
    let pgn = format!(
        "{tags}[Result \"1-0\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 5\"]\n\n\
         5... Nf6 {{[%eval 0.5]}} 6. Nf3 {{[%eval 0.5]}} 1-0\n\n{tags}[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"
    );
    let mut reader = reader_of_pgn(&pgn);
    for (number, plies, numbers, n_won, bar) in
        [(1, 2, json!(["5...", "6."]), 0, "55%"), (2, 4, json!(["1.", "1...", "2.", "2..."]), 1, "100%")]
    {
        reader.open_match(number);
        reader.browser.press("End");
        reader.wait_for_ply(plies);
        let ordinals = "[...document.querySelectorAll('#moves .ordinal')].map((one) => one.textContent)";
        assert_eq!(reader.browser.evaluate(ordinals), numbers);
        assert_eq!(reader.browser.evaluate("document.querySelectorAll('#board rect.won').length"), n_won);
        assert_eq!(reader.text("#gauge"), bar);
    }
    assert_eq!(reader.text(".engine-example"), "--engine stockfish");
    // What is red on the board is in the legend.
    assert_eq!(reader.browser.evaluate("document.querySelectorAll('#board .check').length"), 1);
    assert_eq!(reader.text("#legend li:has(.check)"), "the king is in check");
    reader.finish();
}

/// The replay of a file of another tool has what comments say, clocks and evaluations, and its PGN the file's tags.
#[test]
#[ignore = "needs Chromium"]
fn a_pgn_file_keeps_its_tags_comments_and_clocks() {
    let pgn = "[Event \"A \\\"cup\\\"\"]\n[Site \"https://lichess.org/x\"]\n[White \"one\"]\n[Black \"two\"]\n[Result \"1-0\"]\n\
               [ECO \"C20\"]\n[Opening \"King's Pawn\"]\n\n\
               1. e4 {[%eval 0.31] [%clk 0:03:00] <b>Best</b> by test} e5 $6 {[%eval -0.2] [%clk 0:02:58.5]} (1... c5) 2. Nf3?? {-M4/9 book} 1-0\n";
    let annotated = "\n[White \"one\"]\n[Black \"two\"]\n[Result \"1-0\"]\n\n{[%csl Gd4] Intro} 1. e4 {[%eval 0.31]} e5 {[%eval #2]} 2. Ke4 Nf6 {[%eval 0.1]} 1-0\n";
    let mut reader = reader_of_pgn(&(pgn.to_owned() + annotated));
    reader.open_match(1);
    assert_eq!(reader.text("#player-bottom .thought"), "");
    reader.browser.press("ArrowRight");
    reader.browser.press("ArrowRight");
    reader.wait_for_ply(2);
    assert_eq!(reader.text("#player-bottom .clock"), "3:00.0");
    assert_eq!(reader.text("#player-top .clock"), "2:58.5");
    assert_eq!(reader.text("#player-top .thought"), "−0.20");
    assert_eq!(reader.text("#match-heading"), "A \"cup\" · https://lichess.org/x · C20 · King's Pawn");
    assert_eq!(
        reader.browser.evaluate("document.querySelector('#match-heading a').href"),
        "https://lichess.org/x"
    );
    reader.browser.press("ArrowLeft");
    assert!(
        reader.text("#said").ends_with("score +0.31 for White). “<b>Best</b> by test”"),
        "{}",
        reader.text("#said")
    );
    assert_eq!(reader.text("#moves .remark"), "<b>Best</b> by test");
    let claims = "[...document.querySelectorAll('#moves .claim')].map((one) => one.textContent)";
    assert_eq!(reader.browser.evaluate(claims), json!(["+0.31", "−0.20", "#−2", "book"]));
    let clipboard = "navigator.clipboard.writeText = async (text) => { window.written = text; };";
    reader.browser.evaluate(clipboard);
    reader.browser.click("#copy-pgn");
    reader.browser.wait_for("window.written !== undefined");
    let (tags, _) = pgn.split_once("1. e4").unwrap();
    let moves = "1. e4 {+0.31/0 <b>Best</b> by test [%clk 00:03:00]} e5?! {+0.20/0 [%clk\n00:02:58.500]} 2. Nf3?? {-M4/9 book} 1-0\n";
    assert_eq!(reader.browser.evaluate("window.written"), format!("{tags}{moves}"));
    // A reload shows the head of the match again, and the list of matches has no choice among one game.
    reader.browser.evaluate("{ window.isOld = true; scrollTo(0, 200); location.reload(); }");
    reader.browser.wait_for("window.isOld === undefined && document.readyState === 'complete' && document.getElementById('match-title')?.textContent === 'Match 1'");
    reader.browser.wait_for("scrollY === 0");
    assert_eq!(
        reader.browser.evaluate("document.querySelector('[name=game]').closest('label').hidden"),
        true
    );
    let opening = "document.querySelector('tr.match .c-opening').textContent";
    assert_eq!(reader.browser.evaluate(opening), "C20 King's Pawn");
    reader.open_match(2);
    assert_eq!(reader.text("#moves li:first-child"), "Intro");
    assert_eq!(reader.text("#said"), "Opening position. “Intro”");
    // Evaluations of a commentator are no thoughts of the players.
    reader.browser.press("ArrowRight");
    reader.browser.press("ArrowRight");
    reader.wait_for_ply(2);
    assert_eq!(reader.browser.evaluate(claims), json!(["+0.31", "#2"]));
    assert_eq!(reader.text("#player-top .thought"), "");
    assert_eq!(reader.browser.evaluate("document.querySelectorAll('#win-chart g.curve').length"), 1);
    let moves = "{Intro} 1. e4 {[%eval 0.31]} e5 {[%eval #2]} 2. Ke4 Nf6 {[%eval 0.1]} 1-0";
    assert_eq!(reader.text("#moves li:nth-last-child(2) s"), "Ke4");
    reader.browser.evaluate(clipboard);
    reader.browser.click("#copy-pgn");
    reader.browser.wait_for(&format!("window.written?.trim().endsWith({moves:?})"));
    reader.finish();
}

/// Of the matches of a PGN file, those of one round are a pair, or neighbours from one opening; and the names of openings can be read.
#[test]
#[ignore = "needs Chromium"]
fn a_pgn_file_has_pairs_and_the_names_of_openings() {
    let opening = "Sicilian Defense: Najdorf Variation, English Attack";
    let rounds = [
        ("1", "one", "two"),
        ("2.1", "two", "one"),
        ("1", "two", "one"),
        ("2.2", "one", "two"),
        ("5", "one", "three"),
        ("6", "three", "one"),
    ];
    let game = |(round, white, black): (&str, &str, &str)| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[Round \"{round}\"]\n[Date \"2024.01.05\"]\n\
             [ECO \"B90\"]\n[Opening \"{opening}\"]\n[Termination \"normal\"]\n\n1. e4 c5 1-0\n\n"
        )
    };
    let mut reader = reader_of_pgn(&rounds.map(game).concat());
    for (number, partner) in [(1, 3), (2, 4), (3, 1), (4, 2), (5, 6), (6, 5)] {
        reader.open_match(number);
        let link = reader.browser.evaluate("document.getElementById('match-partner').getAttribute('href')");
        assert_eq!(link, format!("#match={partner}"));
    }
    reader.browser.go("matches");
    reader.browser.wait_for("document.querySelectorAll('tr.match').length === 6");
    assert_eq!(reader.text("tr.match .c-opening"), format!("B90 {opening}"));
    let cut = "(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => [scrollHeight - clientHeight, scrollWidth - clientWidth])(document.querySelector('tr.match .c-opening a'))";
    assert_eq!(reader.browser.evaluate(cut), json!([0, 0]));
    // Days and rounds are there on a small laptop, too, and days are whole.
    for width in [1440, 1280, 1024] {
        reader.browser.resize(width, 800);
        let cut = "[...document.querySelectorAll('tr.match :is(.c-date, .c-round)')].filter((cell) => !cell.checkVisibility() || cell.clientWidth < cell.scrollWidth).length";
        reader.browser.wait_for(&format!("{cut} === 0"));
        assert_eq!(reader.browser.evaluate("document.querySelector('tr.match .c-date').title"), "2024-01-05");
        assert_eq!(reader.browser.evaluate("document.documentElement.scrollWidth"), width, "{width}");
    }
    // What says the same of all matches, and nothing, has no column; nor has one game a word in each row.
    assert_eq!(reader.browser.evaluate("document.querySelector('#match-list .c-reason')"), json!(null));
    assert_eq!(
        reader.browser.evaluate("document.querySelector('[name=reason]').closest('label').hidden"),
        true
    );
    reader.browser.resize(390, 844);
    reader.browser.wait_for("document.querySelector('.match-list.is-narrow') !== null");
    assert!(!reader.text("tr.match .c-result").contains("Chess"));
    reader.finish();
}

/// Of a game that the arena does not know, a file's tags and moves are shown as they are written.
#[test]
#[ignore = "needs Chromium"]
fn an_unknown_game_of_a_file_has_its_moves_without_a_board() {
    let pgn = "[Site \"https://lichess.org/x\"]\n[White \"one\"]\n[Black \"two\"]\n[Result \"1-0\"]\n[Variant \"Atomic\"]\n\n\
               1. Nf3 {[%clk 0:03:00] quick} f6?! 2. Nd4 1-0\n";
    let mut reader = reader_of_pgn(pgn);
    // Below the standings, only their terms are named.
    let terms = "[...document.querySelectorAll('#standings .used-terms > :not([hidden])')].map((one) => one.textContent).join()";
    reader.browser.wait_for(&format!("{terms} === 'Rating,Rough number,Score'"));
    reader.open_match(1);
    assert_eq!(reader.text("#match-heading a"), "https://lichess.org/x");
    assert!(reader.text("#match-problem").starts_with("No board: the arena does not know the game"));
    assert_eq!(reader.browser.evaluate("document.getElementById('board').checkVisibility()"), false);
    reader.browser.press("ArrowRight");
    assert_eq!(reader.text("#player-bottom .clock"), "3:00.0");
    reader.browser.press("ArrowRight");
    assert_eq!(reader.text("#said"), "After 1... f6?! (Black).");
    reader.browser.evaluate("navigator.clipboard.writeText = async (text) => { window.written = text; };");
    reader.browser.click("#copy-pgn");
    reader.browser.wait_for("window.written?.includes('[Variant \"Atomic\"]\\n\\n1. Nf3 {quick [%clk 00:03:00]} f6?! 2. Nd4 1-0')");
    reader.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn paper_has_all_matches_and_all_moves() {
    let records = MadeUp { engines: &["v-1", "v-2", "v-3"], ..ALL_GAMES }.records();
    let mut reader = Reader::of(&records);
    reader.browser.go("matches");
    reader.browser.wait_for("document.querySelectorAll('tr.match').length !== 0");
    reader.browser.print_media(true);
    reader.browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(reader.browser.evaluate("document.querySelectorAll('tr.match').length"), records.len());
    // On a sheet of A4 paper, no column is missing.
    reader.browser.resize(794, 1123);
    let columns = "[...document.querySelectorAll('#match-list th')].filter((head) => head.offsetParent !== null).length";
    assert_eq!(reader.browser.evaluate(columns), 9);
    assert_eq!(reader.browser.evaluate("document.documentElement.scrollWidth"), 794);
    reader.browser.resize(1280, 900);
    reader.browser.evaluate("dispatchEvent(new Event('afterprint'))");
    reader.open_match(1);
    let hidden = "(() => { const list = document.getElementById('moves'); return list.scrollHeight - list.clientHeight; })()";
    assert_eq!(reader.browser.evaluate(hidden), 0, "no move is cut off");
    // The first page is not blank: the standings begin at its top.
    reader.browser.go("standings");
    reader.browser.wait_for("!document.getElementById('standings').hidden");
    let top =
        reader.browser.evaluate("document.querySelector('.verdict').getBoundingClientRect().top + scrollY");
    assert!(top.as_f64().unwrap() < 300.0, "{top}");
    let breaks = "[...document.querySelectorAll('.scope')].slice(0, 3).map((scope) => getComputedStyle(scope).breakInside)";
    assert_eq!(
        reader.browser.evaluate(breaks),
        json!(["auto", "avoid", "avoid"]),
        "each game is on one page"
    );
    // The tables, each with the name of its game, and no glossary.
    assert_eq!(reader.browser.evaluate("document.getElementById('help').offsetParent"), Value::Null);
    let captions = "[...document.querySelectorAll('.matrix caption b')].map((one) => one.innerText)";
    reader.browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    let captions: Vec<String> = serde_json::from_value(reader.browser.evaluate(captions)).unwrap();
    let different: HashSet<&String> = captions.iter().collect();
    assert!(different.len() == 1 + GameId::BUILT_IN.len(), "{captions:?}");
    assert_eq!(different.len(), captions.len(), "{captions:?}");
    // All tables are as wide as a sheet of A4 paper.
    reader.browser.resize(794, 1123);
    reader.browser.wait_for("document.querySelector('#standings .series') !== null");
    assert_eq!(reader.browser.evaluate("document.documentElement.scrollWidth"), 794);
    reader.finish();
}

/// What `axe-core` says of every view. `AXE` names its script: `npm pack axe-core` fetches it.
fn check_access(scheme: &str, width: u32) {
    let Some(axe) = std::env::var_os("AXE") else {
        eprintln!("skipped: AXE does not name axe.min.js; `npm pack axe-core` fetches it");
        return;
    };
    let axe = fs::read_to_string(axe).unwrap();
    let records = ALL_GAMES.records();
    let views =
        ["standings", "match=5@4", "games", "engines", "matches", "help", "rules=push", "pairing=alpha/beta"];
    let config = of_engines("base = \"3min\"");
    for mut reader in [Reader::of(&records), Reader::of_tournament(&records, &config)] {
        reader.browser.evaluate(&axe);
        reader.browser.prefer(scheme);
        reader.browser.resize(width, 900);
        for hash in views {
            reader.browser.go(hash);
            let section = hash.split('=').next().unwrap();
            reader.browser.wait_for(&format!("!document.getElementById('{section}').hidden"));
            let found = reader.browser.evaluate(
                "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
                   .map(({ id, nodes }) => `${id}: ${nodes[0].html}`))",
            );
            assert_eq!(found, json!([]), "{hash}, {scheme}, {width}");
        }
        reader.finish();
    }
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn axe_finds_nothing_in_the_report() {
    check_access("light", 1280);
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn axe_finds_nothing_in_the_report_on_a_phone_in_the_dark() {
    check_access("dark", 390);
}

/// The page of a tuning that was tested, in both colours.
#[test]
#[ignore = "needs Chromium and axe-core"]
fn axe_finds_nothing_on_the_page_of_a_tuning() {
    let Some(axe) = std::env::var_os("AXE") else {
        eprintln!("skipped: AXE does not name axe.min.js; `npm pack axe-core` fetches it");
        return;
    };
    let head = "[tournament]\npairs = 500\nconcurrency = 2\n[limits]\nnodes = 10\nmax-plies = 200\n[[game]]\nid = \"push-push\"\n\
                [[tune.option]]\nname = \"Margin\"\nmin = 0\nmax = 100\n";
    let tuning = Tournament::new(head, &[("mine", "tuned")]);
    let tune = ["tune", "cup.toml", "--quiet", "--no-report", "--proof-pairs", "20"];
    tuning.arena(&tune).succeeds().prints("mine-tuned");
    let mut browser = Browser::start();
    browser.open(&tuning.path("results/cup/tune.html"));
    browser.evaluate(&fs::read_to_string(axe).unwrap());
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        let found = browser.evaluate(
            "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
               .map(({ id, nodes }) => `${id}: ${nodes[0].html}`))",
        );
        assert_eq!(found, json!([]), "{scheme}");
    }
    assert_eq!(browser.errors, [""; 0]);
}

/// Not a proof but a measurement, for those who change the page: how long it takes to open, and how large it is.
#[test]
#[ignore = "measures, and needs Chromium"]
fn measure_large_tournaments() {
    for pairs in [34, 167] {
        let made_up =
            MadeUp { engines: &["a", "b", "c", "d"], games: GameId::BUILT_IN, pairs, max_plies: 60 };
        let records = made_up.records();
        let n_plies: usize = records.iter().map(|record| record.moves.len()).sum();
        let lines: String = records.iter().map(journal::line).collect();
        let folder = tempfile::tempdir().unwrap();
        let page = report(folder.path(), &lines);
        let mut browser = Browser::start();
        let opened = |browser: &mut Browser, hash: &str| -> Value {
            browser.open(&page);
            browser.go(hash);
            browser.evaluate(
                "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(Math.round(
                   performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd)))))",
            )
        };
        let ms: Vec<Value> = (0..5).map(|_| opened(&mut browser, "standings")).collect();
        browser.go("matches");
        browser.wait_for("document.querySelectorAll('tr.match').length !== 0");
        let sort_ms = browser.evaluate(
            "(() => { const started = performance.now();
               document.querySelectorAll('#match-list th button')[6].click();
               document.body.offsetHeight; return performance.now() - started; })()",
        );
        println!(
            "{} matches of {:.1} plies: journal {:.1} MB, page {:.2} MB, ready after {ms:?} ms, sorted in {sort_ms} ms",
            records.len(),
            n_plies as f64 / records.len() as f64,
            lines.len() as f64 / 1e6,
            fs::metadata(&page).unwrap().len() as f64 / 1e6,
        );
        assert_eq!(browser.errors, [""; 0]);
    }
}

/// Pictures of the committed results, one of each kind, for the README and for the eye.
#[test]
#[ignore = "draws pictures, and needs Chromium"]
fn take_screenshots() {
    let Ok(pictures) = std::env::var("SCREENSHOTS") else { return };
    let pictures = PathBuf::from(pictures);
    fs::create_dir_all(&pictures).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let output = command.arg("report").arg(results).arg("--output").arg(&page).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut browser = Browser::start();
    browser.open(&page);
    browser.resize(1200, 760);
    for (name, scheme, hash) in [
        ("standings", "light", "standings"),
        ("games", "light", "games"),
        ("engines", "dark", "engines"),
        ("matches", "light", "matches"),
        ("replay", "light", "match=92@60"),
        ("replay-dark", "dark", "match=31@60"),
    ] {
        browser.prefer(scheme);
        browser.go(hash);
        let section = hash.split('=').next().unwrap();
        browser.wait_for(&format!("!document.getElementById('{section}').hidden"));
        browser.evaluate("scrollTo(0, 0)");
        browser.screenshot(&pictures.join(format!("{name}.webp")));
    }
}
