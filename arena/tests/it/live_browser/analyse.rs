//! Analysing: positions, matches and texts, and the tree that is worked on.

use std::process::Command;

use engine_proto::{AnyPlay, GameId, Games};
use serde_json::json;

use super::{assert_no_errors, check_access, check_width, squares_of, take_pictures};
use crate::common;
use crate::common::browser::Browser;
use crate::common::site::Site;
use crate::common::tournament::Tournament;

/// The page of `arena analyse` with these arguments, at the start position.
fn opened(args: &[&str]) -> (Site, Browser) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let site = Site::start(command.arg("analyse").args(args));
    let mut browser = Browser::start();
    browser.resize(1440, 900);
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '0'");
    (site, browser)
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
    browser.wait_for("document.getElementById('chart').textContent.includes('one in the match')");
    let value = |id: &str| format!("document.getElementById('{id}').value");
    let text = browser.evaluate(&value("exported"));
    let text = text.as_str().unwrap();
    assert!(
        text.contains("[Result \"1/2-1/2\"]")
            && text.contains("[FEN \"")
            && text.ends_with(" 1/2-1/2\n")
            && text.contains("s} "),
        "{text}"
    );
    browser.press("Home");
    browser
        .wait_for("document.getElementById('status').textContent === 'Opening of the match. White to move.'");
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
    // What cannot go to a square says how it moves, and a field without a move what to type.
    browser.click("#board [data-square=f1]");
    browser.click("#board [data-square=f4]");
    browser.wait_for(
        "document.getElementById('said').textContent.endsWith('the bishop on f1 goes along diagonals')",
    );
    browser.press("Escape");
    browser.click("#type button");
    browser.wait_for("document.getElementById('said').textContent.startsWith('Type a move first, such as ')");
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
    let other = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[ECO \"D00\"]\n\n1. d4 {[%clk 0:01] [%csl Rd4]} (1. c4 c5) d5 1-0";
    put_in(&mut browser, other);
    // The tree before had four moves, too, and the answer to the import replaces the text.
    browser.wait_for("document.getElementById('tree').textContent.includes('d4')");
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree button').length"), 4);
    // What others wrote stays in the text, and what they marked is drawn.
    browser.wait_for("document.getElementById('played').textContent === 'a – b, 1–0D00'");
    browser.click("#tree [data-node='1']");
    browser.wait_for("document.querySelector('#bottom .clock').textContent === '0:01'");
    browser.wait_for("document.querySelectorAll('.arrow.drawn.colour-R circle').length === 1");
    let pgn = browser.evaluate(&value("exported"));
    assert!(pgn.as_str().unwrap().contains("[ECO \"D00\"]"), "{pgn}");
    assert!(pgn.as_str().unwrap().contains("1. d4 {[%clk 0:01] [%csl Rd4]} (1. c4 c5) 1... d5 1-0"), "{pgn}");
    a_capture_is_marked_at_once(&mut browser, &site);
    put_in(&mut browser, "1. d5");
    browser.wait_for(
        "document.getElementById('exported-said').textContent.startsWith('line 1: 1. d5 is not a legal move')",
    );
    browser.evaluate("document.activeElement.blur()");
    browser.press("Home");
    browser.wait_for("document.body.dataset.node === '0'");
    // The text waits to be mended. What was wrong with it is forgotten with it.
    assert_eq!(browser.evaluate(&value("exported")), "1. d5");
    let said = "document.getElementById('exported-said').innerText";
    put_in(&mut browser, "");
    browser.wait_for(&format!("{said}.startsWith('Paste the moves')"));
    one_of_two_matches_is_loaded(&mut browser, other);
    a_file_is_loaded_up_to_what_is_wrong(&mut browser);
    a_position_is_set_up(&mut browser);
    // A mate that a move allows where the game was lost in any case is no blunder. What it changes is said once.
    load(&mut browser, "1. f3 {[%eval -7.5]} e5 {[%eval -7.5]} 2. g4 {[%eval #-1]}", 3);
    browser.wait_for("document.getElementById('bar-words').textContent.includes(', says the loaded text')");
    let words = browser.evaluate("document.getElementById('bar-words').textContent").to_string();
    assert!(words.contains("Mistake: win probability") && !words.contains("Win probability"), "{words}");
    what_a_text_judges_is_shown(&mut browser);
    assert_no_errors(&browser);
}

/// Judgements stand behind their moves and stay in the text, the largest changes say whose they are, and castling has its name.
fn what_a_text_judges_is_shown(browser: &mut Browser) {
    load(browser, "1. e4! $14 e5 -+ $146 (1... c5 $200) *", 2);
    let signs = "[...document.querySelectorAll('#tree .judgement')].map(({ textContent }) => textContent)";
    assert_eq!(browser.evaluate(signs), json!(["⩲", "−+", "N", "$200"]));
    let text = browser.evaluate("document.getElementById('exported').value");
    assert!(text.as_str().unwrap().contains("1. e4! $14 e5 $19 $146 (1... c5 $200) *"), "{text}");
    load(browser, "1. e4 {+0.30/9} e5 {+3.00/9} 2. Nf3 {-2.00/9} (2. f4 d5) Nc6 {+2.90/9} *", 6);
    let heading = "document.querySelector('#swings:not([hidden]) h3').textContent";
    assert_eq!(browser.evaluate(heading), "Largest changes of the evaluation");
    browser.click("#tree [data-node='5']");
    browser.wait_for(&format!("{heading} === 'Largest changes of the evaluation in the main line'"));
    load(browser, "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. Kd1 *", 1);
    browser.press("Home");
    browser.wait_for("document.body.dataset.node === '0'");
    browser.click("#board [data-square=e1]");
    browser.wait_for(
        "document.getElementById('said').textContent.includes('a dot to move or a plus (castles)')",
    );
    // Its rook is as good as its square.
    browser.click("#board [data-square=h1]");
    browser.wait_for("document.getElementById('status').textContent.startsWith('After 1. O-O. ')");
    browser.press("ArrowLeft");
    browser.wait_for("document.body.dataset.node === '0'");
    browser.drag("#board [data-square=e1]", "#board [data-square=h1]");
    browser.wait_for("document.getElementById('status').textContent.startsWith('After 1. O-O. ')");
}

/// A match begins late: the graph has the numbers of its moves. A forced end comes nearer with each best move, and its result is in the text.
#[test]
#[ignore = "needs Chromium"]
fn a_late_match_is_played_to_its_end() {
    // White is to move where nobody is named.
    let (_site, mut browser) = opened(&["chess", "--fen", "6k1/5ppp/8/8/8/8/r4PPP/6K1"]);
    let fen = "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1";
    assert_eq!(browser.evaluate("document.getElementById('fen').value"), fen);
    let text = "[FEN \"6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 49\"]\n49. Kh1 {[%eval #-2] [%best Rb2]} Rb2 50. Kg1 {[%eval #-1] [%best Rb1]} *";
    load(&mut browser, text, 3);
    set_typed(&mut browser, "Rb1#");
    browser.wait_for("document.body.dataset.node === '4'");
    let values = "[...document.querySelectorAll('#tree .move')].map((move) => move.querySelector('.claim')?.textContent ?? null)";
    assert_eq!(browser.evaluate(values), json!(["#−2", "#−1", "#−1", null]));
    let numbers = "[...document.querySelectorAll('#chart .of-x')].map(({ textContent }) => textContent)";
    assert_eq!(browser.evaluate(numbers), json!(["49", "50"]));
    assert_eq!(browser.evaluate("document.querySelectorAll('#chart .evaluated circle').length"), 4);
    let text = browser.evaluate("document.getElementById('exported').value");
    let text = text.as_str().unwrap();
    assert!(text.contains("[Result \"0-1\"]") && text.ends_with("]} 50... Rb1# 0-1\n"), "{text}");
    // A mate that is allowed comes before what costs more, but matters less.
    load(
        &mut browser,
        "{[%eval 0.00]} 1. a3 {[%eval -0.70]} e5 {[%eval -7.5]} 2. f3 {[%eval -7.5]} d6 {[%eval -7.5]} 3. g4 {[%eval #-1]} Qh4#",
        6,
    );
    let worst =
        "[...document.querySelectorAll('#worst li > button:first-child')].map(({ innerText }) => innerText)";
    assert_eq!(browser.evaluate(worst), json!(["3. g4?", "1. a3?!"]));
    // What is known between two gaps is seen in the graph.
    let moves = "a3 a6 a4 a5 b3 b6 b4 b5 c3 c6 c4 c5 d3 d6 d4".split(' ').enumerate();
    let known: Vec<String> = moves
        .map(|(n, mv)| if n == 12 || n == 14 { mv.to_owned() } else { format!("{mv} {{[%eval 0.1]}}") })
        .collect();
    load(&mut browser, &known.join(" "), 15);
    assert_eq!(browser.evaluate("document.querySelectorAll('#chart .evaluated circle').length"), 1);
    the_form_of_a_position_is_in_view(&mut browser);
    assert_no_errors(&browser);
}

/// Whoever has scrolled down sees the form of a position, and the board after it.
fn the_form_of_a_position_is_in_view(browser: &mut Browser) {
    for (width, height) in [(1280, 720), (390, 844)] {
        browser.resize(width, height);
        browser.evaluate("document.getElementById('side').style.minHeight = '2500px'; scrollTo(0, 900)");
        // The test's own click would scroll first.
        browser.evaluate("document.getElementById('edit').click()");
        browser.wait_for("(({ top, bottom }) => top < innerHeight && 0.25 * innerHeight <= bottom)(document.getElementById('editor').getBoundingClientRect())");
        // What is missing in a FEN is filled in.
        browser.evaluate("document.getElementById('edited-fen').value = '4k3/8/8/8/8/8/4P3/4K3 b'");
        browser.click("#edited button");
        browser.wait_for("document.getElementById('editor').hidden");
        browser.wait_for("0 <= document.getElementById('board').getBoundingClientRect().top");
        assert_eq!(
            browser.evaluate("document.getElementById('fen').value"),
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
        );
    }
}

/// Types a move, and plays it.
fn set_typed(browser: &mut Browser, mv: &str) {
    browser.evaluate(&format!("document.getElementById('typed').value = {}", json!(mv)));
    browser.click("#type button");
}

/// From before a branch that was looked at, the main line is evaluated.
#[test]
#[ignore = "needs Chromium"]
fn the_main_line_is_evaluated_before_a_branch() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let engine = format!("many={} second-analyse", common::fake_engine().display());
    let site = Site::start(command.args(["analyse", "push-push", "--engine", &engine]));
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.body.dataset.node === '0'");
    let moves = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap().legal_moves();
    let [first, other, ..] = &moves[..] else { panic!("{moves:?}") };
    load(&mut browser, &format!("1. {first} (1. {other}) *"), 1);
    browser.click("#tree [data-node='2']");
    browser.wait_for("document.body.dataset.node === '2'");
    browser.press("ArrowLeft");
    browser.wait_for("document.body.dataset.node === '0'");
    browser.evaluate("document.getElementById('review-time').value = '200'");
    browser.click("#review-start");
    browser.wait_for("document.getElementById('review-start').textContent === 'Evaluate all moves' && document.querySelector('#faults:not([hidden]) h3')?.innerText === 'Evaluated by many'");
    // What the engine said on its way is in the graph alone.
    assert_eq!(
        browser.evaluate("[document.querySelectorAll('.engine-lines li').length, document.getElementById('bar-words').textContent.includes(', says many')]"),
        json!([0, true])
    );
    // On a phone, the list is seen together with the board, and a tap on a move leaves both where they are.
    browser.resize(390, 844);
    let seen = "['#board', '#tree'].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ top, bottom }) => [0 <= top, bottom <= innerHeight])";
    assert_eq!(browser.evaluate(seen), json!([[true, true], [true, true]]));
    // The test's own click would scroll first.
    browser.evaluate("scrollTo(0, 0); document.querySelector(\"#tree [data-node='1']\").click()");
    browser.wait_for("document.body.dataset.node === '1'");
    assert_eq!(browser.evaluate("scrollY"), 0);
    let text = browser.evaluate("document.getElementById('exported').value");
    let text = text.as_str().unwrap();
    assert!(
        text.contains(&format!(" 1. {first} {{[%eval ")) && text.contains(&format!("(1. {other})")),
        "{text}"
    );
    assert_no_errors(&browser);
}

/// Of two matches one is chosen, of which the first is `other`; a FEN alone is set up.
fn one_of_two_matches_is_loaded(browser: &mut Browser, other: &str) {
    check_width(browser, "box of the text");
    check_access(browser, "box of the text");
    browser.resize(1440, 900);
    // Long spellings are read, and a result that is none is noted.
    let two = format!("{other}\n\n[Result \"1-0\"]\n\n1. f2-f3 e7e5 2. g2-g4 Qd8-h4# 0-1");
    put_in(browser, &two);
    browser.wait_for("document.getElementById('said').textContent === 'Match 1 of 2: 4 moves loaded. Earlier tree' && document.getElementById('import').hidden");
    browser.wait_for("document.getElementById('board').getBoundingClientRect().top >= 0");
    assert_eq!(
        browser.evaluate("[...document.getElementById('match-chosen').options].map(({ text }) => text)"),
        json!(["1. a – b, 1-0", "2. ? – ?, 1-0"])
    );
    let n_moves = "document.querySelectorAll('#tree button').length";
    let n_left = browser.evaluate(n_moves).as_i64().unwrap() - 1;
    browser.press("End");
    browser.wait_for("document.body.dataset.node !== '0'");
    browser.press("Delete");
    browser.wait_for(&format!("{n_moves} === {n_left}"));
    // What is in view stays where it is.
    browser.evaluate("scrollTo(0, 0)");
    browser.evaluate("{ const list = document.getElementById('match-chosen'); list.value = '1'; list.dispatchEvent(new Event('change')); }");
    browser.wait_for("document.getElementById('played').innerText === 'The tag Result says 1-0, but the moves end with 0-1.'");
    assert_eq!(
        browser.evaluate("[document.getElementById('exported-said').hidden, scrollY]"),
        json!([true, 0])
    );
    let pgn = browser.evaluate("document.getElementById('exported').value");
    assert!(
        pgn.as_str().unwrap().contains("[Result \"1-0\"]\n") && pgn.as_str().unwrap().contains("Qh4#"),
        "{pgn}"
    );
    // The list goes with its matches.
    let fen = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";
    put_in(browser, fen);
    browser.wait_for(&format!("document.getElementById('fen').value === {}", json!(fen)));
    assert_eq!(browser.evaluate("document.getElementById('match-label').hidden"), true);
    browser.click("#board [data-square=a7]");
    browser.click("#board [data-square=a8]");
    let offered =
        "[...document.querySelectorAll('#choices [data-move]')].map(({ dataset }) => dataset.move).join()";
    browser.wait_for(&format!("{offered} === 'a7a8q,a7a8r,a7a8b,a7a8n'"));
    // It comes back with them.
    browser.click("#to-transfer");
    browser.click("#restore");
    browser.wait_for("!document.getElementById('match-label').hidden");
    assert_eq!(browser.evaluate("document.getElementById('match-chosen').value"), "1");
    // What was done with the other one is still there.
    browser.evaluate("{ const list = document.getElementById('match-chosen'); list.value = '0'; list.dispatchEvent(new Event('change')); }");
    browser.wait_for(&format!("{n_moves} === {n_left}"));
}

/// A file is dropped. A match is loaded up to an illegal move, and its text waits to be mended; one that cannot be loaded leaves the one before.
fn a_file_is_loaded_up_to_what_is_wrong(browser: &mut Browser) {
    let file = "[White \"a\"]\n1. e4 e5 2. Ke3 Nc6 *\n[White \"c\"]\n1. d4 (1. Ke4 c5) *\n[White \"d\"]\n[FEN \"x\"]\n*\n";
    let drop = |browser: &mut Browser, text: &str| {
        browser.evaluate(&format!("{{ const data = new DataTransfer(); data.items.add(new File([{}], 'a.pgn')); document.body.dispatchEvent(new DragEvent('drop', {{ bubbles: true, dataTransfer: data }})); }}", json!(text)));
    };
    let holds = |id: &str, text: &str| {
        format!("document.getElementById('{id}').textContent.includes({})", json!(text))
    };
    for (text, why) in [
        ("[1,2,3]", "line 1: [1,2,3] is neither a move nor a FEN"),
        ("", "The file a.pgn is empty."),
        ("[Variant \"Chess960\"]\n1. e4 *", "arena analyse FILE opens it"),
        (&"x".repeat(250_001), "The file a.pgn is larger than 250 kB"),
    ] {
        drop(browser, text);
        // It is said once, where the text is to be mended.
        browser.wait_for(&holds("exported-said", why));
        let is_said = "[document.getElementById('exported-said').getBoundingClientRect().bottom <= innerHeight, document.getElementById('said').textContent]";
        assert_eq!(browser.evaluate(is_said), json!([true, ""]));
    }
    // With its escaped line ends, the request is longer than the file.
    drop(browser, &format!("1. e4 {{{}}} c5 *", "\"\n".repeat(124_000)));
    browser.wait_for(&holds("tree", "c5"));
    drop(browser, file);
    browser.wait_for(&holds("said", "Match 1 of 3: 2 moves loaded, not all."));
    let why = "match 1 of 3, line 2: 2. Ke3 is not a legal move";
    browser.wait_for(&holds("played", &format!("Not loaded whole: {why}")));
    browser.wait_for("document.getElementById('exported').value.includes('2. Ke3 Nc6')");
    browser.wait_for(&holds("with-engine", "arena analyse a.pgn --engine "));
    browser.wait_for("document.getElementById('match-label').getBoundingClientRect().top >= 0");
    let choose = |browser: &mut Browser, n: u32| {
        browser.evaluate(&format!("{{ const list = document.getElementById('match-chosen'); list.value = '{n}'; list.dispatchEvent(new Event('change')); }}"));
    };
    choose(browser, 1);
    browser.wait_for(&holds("said", "Match 2 of 3: 1 move loaded, not all."));
    browser
        .wait_for(&holds("exported-said", "line 2 (line 4 of the whole text): 1. Ke4 is not a legal move"));
    choose(browser, 2);
    browser.wait_for(&holds("said", "match 3 of 3 is not loaded: this is not a FEN"));
    assert_eq!(browser.evaluate("document.getElementById('match-chosen').value"), "1");
    assert_eq!(browser.evaluate("document.getElementById('exported').value.includes('1. d4')"), true);
    // Beside a chosen match, too, a text that is refused stays.
    put_in(browser, "hello world");
    browser.wait_for(&holds("exported-said", "line 1: hello is neither a move nor a FEN; give"));
    browser.evaluate("document.activeElement.blur()");
    browser.press("End");
    browser.wait_for("document.body.dataset.node === '1'");
    assert_eq!(browser.evaluate("document.getElementById('exported').value"), "hello world");
}

/// Pieces are placed, and the FEN follows; what is wrong with a position is said.
fn a_position_is_set_up(browser: &mut Browser) {
    browser.click("#edit");
    browser.wait_for("!document.getElementById('editor').hidden");
    assert_eq!(
        browser.evaluate("getComputedStyle(document.querySelector('.position .copies')).visibility"),
        "hidden"
    );
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
    browser.wait_for("document.querySelector('#palette [data-piece=K] .count').textContent === '0/1'");
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
    browser.drag("#palette [data-piece=Q]", "#board [data-square=e4]");
    browser.wait_for(&placed("rnbqkbnr/pppppppp/8/8/4Q3/8/PPPP1PPP/RNBQKBNR w"));
    assert_eq!(browser.evaluate("document.querySelector('.dragged') === null"), true);
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
    browser.click("#board [data-square=d8]");
    browser.wait_for(
        "document.getElementById('said').textContent.endsWith('a dot to move or a ring to capture')",
    );
    browser.press("Escape");
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
    browser.wait_for(&format!("{n_lines} === 1"));
    browser.evaluate("document.getElementById('review-time').value = '5000'");
    browser.click("#review-start");
    browser.wait_for("document.getElementById('review-start').textContent.startsWith('Stop (')");
    browser.wait_for("document.querySelector('.engine .facts').textContent === 'evaluates the moves'");
    assert_eq!(browser.evaluate(n_lines), 1);
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
    // What the engine, which was stopped, had found of the shown position is still there.
    browser.wait_for(&format!("{is_over} && {n_lines} === 1"));
    browser.click("#to-faults");
    browser.wait_for("document.getElementById('faults').getBoundingClientRect().bottom < innerHeight + 1");
    browser.resize(1440, 900);
    let words = "[...document.querySelectorAll('#faults li, #faults h3, #worst li')].map((one) => one.innerText.replace(/(better \\S+ \\S+).*/, '$1'))";
    let [first, _, third] = &line[..] else { panic!("{line:?}") };
    let best = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap().legal_moves().remove(0);
    let found = browser.evaluate(words);
    assert_eq!(
        found.as_array().unwrap()[..4],
        [
            json!("Evaluated by many"),
            json!("White: 0 blunders, 0 mistakes, 2 inaccuracies"),
            json!("Black: 0 blunders, 0 mistakes, 0 inaccuracies"),
            json!(format!("1. {first}?! 55\u{202f}% → 45\u{202f}%, better 1. {best}")),
        ]
    );
    assert!(found[4].as_str().unwrap().starts_with(&format!("2. {third}?!")), "{found}");
    let text = browser.evaluate("document.getElementById('exported').value");
    for part in [
        format!("1. {first}?! {{[%eval -0.50] [%best "),
        format!("]}} 1... {} {{[%eval 0.50] [%best ", line[1]),
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
    a_better_line_is_looked_at(&mut browser, &site, &best);
    // What was found is there for those who come later, and stays in the text.
    browser.visit(&site.url(""));
    browser.wait_for("document.querySelectorAll('#tree .fault').length === 2");
    browser.click("#to-transfer");
    assert_eq!(browser.evaluate("document.activeElement.id"), "exported");
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
    // An engine without evaluations says so. What another one found stays, and it is not offered again.
    browser.evaluate("document.getElementById('review-engine').value = '1'");
    browser.click("#review-start");
    browser.wait_for("document.getElementById('said').textContent === 'mute reports no evaluations'");
    browser.wait_for("document.querySelector('#faults h3').innerText === 'Evaluated by many' && !document.getElementById('review-engine').innerText.includes('mute')");
    another_engine_begins(&mut browser, &site);
    an_engine_fills_gaps(&mut browser, &line);
    assert_no_errors(&browser);
}

/// What one engine found stays where another one that was stopped has found nothing, also in the text; both are named.
fn another_engine_begins(browser: &mut Browser, site: &Site) {
    // Another window has the same number of evaluated moves, whatever line it shows.
    let mut other = Browser::start();
    other.resize(1024, 600);
    other.visit(&site.url(""));
    other.wait_for("document.body.dataset.node !== undefined");
    browser.evaluate("document.getElementById('review-engine').value = '2'");
    browser.evaluate("document.getElementById('review-time').value = '2000'");
    browser.click("#review-start");
    browser.resize(1024, 600);
    browser.evaluate("scrollTo(0, 0)");
    browser.wait_for("document.getElementById('review-start').textContent === 'Stop (1 of 3)'");
    browser.evaluate("document.getElementById('review-start').click()");
    for window in [&mut *browser, &mut other] {
        window.wait_for(
            "document.getElementById('said').textContent === 'Stopped: 1 of 3 moves evaluated. Show the result'",
        );
    }
    drop(other);
    browser.resize(1440, 900);
    browser.wait_for("document.getElementById('review-start').textContent === 'Evaluate all moves'");
    browser.wait_for("document.querySelector('#faults h3').innerText === 'Evaluated by third, 1 of 3 moves; by many, 1 of 3 moves'");
    assert_eq!(
        browser.evaluate("document.querySelector('#fault-counts li:last-child').innerText"),
        "Black: 0 of 1 moves evaluated"
    );
    assert_eq!(
        browser.evaluate("[document.querySelectorAll('#tree .fault').length, document.querySelectorAll('#chart .curve.evaluated').length]"),
        json!([2, 2])
    );
    let text = browser.evaluate("document.getElementById('exported').value");
    assert!(text.as_str().unwrap().contains("[Annotator \"third, many\"]"), "{text}");
    assert_eq!(text.as_str().unwrap().matches("[%eval").count(), 4, "{text}");
    // Once it has evaluated the whole line, nothing of the other one is shown, unless that is chosen.
    browser.evaluate("document.getElementById('review-time').value = '200'");
    browser.click("#review-start");
    browser.wait_for("document.querySelector('#faults h3').innerText === 'Evaluated by third'");
    browser.wait_for("document.querySelector('.engine:nth-child(3)').dataset.state === 'idle'");
    for (idx, name) in [(0, "many"), (1, "third")] {
        browser.evaluate(&format!("{{ const author = document.getElementById('author'); author.value = {idx}; author.dispatchEvent(new Event('change')); }}"));
        browser
            .wait_for(&format!("document.querySelector('#faults h3').innerText === 'Evaluated by {name}'"));
        browser.wait_for(&format!(
            "document.getElementById('exported').value.includes('[Annotator \"{name}\"]')"
        ));
    }
}

/// The better line of a fault, and what is found in its branch.
fn a_better_line_is_looked_at(browser: &mut Browser, site: &Site, best: &str) {
    // The better line can be looked at; the graph follows, the faults stay those of the main line.
    browser.click("#worst li:first-child button:last-child");
    browser.wait_for("document.getElementById('status').textContent.startsWith('After 2. ')");
    browser.click("#worst li:first-child button:nth-of-type(2)");
    browser.wait_for(&format!("document.getElementById('status').textContent.startsWith('After 1. {best}')"));
    assert_eq!(browser.evaluate("document.querySelectorAll('#chart .mark').length"), 0);
    assert_eq!(
        browser.evaluate("document.querySelector('#faults h3').innerText"),
        "Main line, evaluated by many"
    );
    assert_eq!(browser.evaluate("document.querySelectorAll('#worst li').length"), 2);
    // A turn has its number in a better line, too. The faults of a branch stay when the page is loaded again.
    assert_eq!(
        browser.evaluate(r"/better 1\. \S+ \S+ 2\. /.test(document.getElementById('worst').innerText)"),
        true
    );
    let faults = "document.getElementById('faults').innerText";
    let of_match = browser.evaluate(faults);
    browser.click("#review-start");
    browser.wait_for(&format!("document.getElementById('review-start').textContent === 'Evaluate all moves' && {faults} !== '' && {faults} !== {of_match}"));
    let of_branch = browser.evaluate(faults);
    browser.visit(&site.url(""));
    browser.wait_for(&format!("{faults} === {of_branch}"));
    browser.press("Delete");
    browser.wait_for("document.querySelector('#tree .others') === null");
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
    // The curve of an engine and its values in the list have its colour.
    assert_eq!(browser.evaluate("['.engine-mark', '#chart .evaluated', '.move:not([aria-current]) .claim'].map((one) => getComputedStyle(document.querySelector(one)).color).every((one, _, all) => one === all[0])"), true);
    // Signs of a text that agree with those of an engine are written once.
    assert_eq!(
        browser.evaluate(
            "['.sign', '.fault.inaccuracy'].map((sign) => document.querySelectorAll(`#tree ${sign}`).length)"
        ),
        json!([0, 2])
    );
    for (state, speaker) in [("searching", "third"), ("idle", "many")] {
        browser.click("[data-engine='2']");
        browser
            .wait_for(&format!("document.querySelector('.engine:nth-child(3)').dataset.state === '{state}'"));
        browser.wait_for(&format!(
            "document.getElementById('bar-words').textContent.includes(', says {speaker}')"
        ));
    }
    assert_eq!(browser.evaluate("document.querySelectorAll('.engine:nth-child(3) li').length"), 1);
    // What two engines prefer has the colours of both. Of three, each has one line until more are chosen.
    browser.evaluate("{ const lines = document.getElementById('lines'); lines.value = '5'; lines.dispatchEvent(new Event('change')); }");
    browser.wait_for("document.querySelector('.engine:nth-child(3) .facts').textContent.startsWith('stopped; press Start to see 4 lines')");
    for engine in ["0", "2"] {
        browser.click(&format!("[data-engine='{engine}']"));
    }
    browser.wait_for("document.querySelectorAll('.arrow.best-0').length === 1 && document.querySelectorAll('.arrow.best-2 .striped').length === 1");
    browser.wait_for("document.querySelectorAll('.engine:first-child li').length === 4");
    for engine in ["0", "2"] {
        browser.click(&format!("[data-engine='{engine}']"));
    }
}

/// A text has an evaluation of one position; an engine that searches the other one is heard there.
fn an_engine_fills_gaps(browser: &mut Browser, line: &[String]) {
    // A sign has the colour of its fault, unless an evaluation contradicts it.
    load(browser, &format!("{{[%eval 0.00]}} 1. {}?? {{[%eval 0.00]}} {}??", line[0], line[1]), 2);
    let signs = "[...document.querySelectorAll('#tree .sign')].map(({ className }) => className.trim())";
    assert_eq!(browser.evaluate(signs), json!(["sign", "sign fault blunder"]));
    // One that contradicts an evaluation stands alone, and says so.
    load(browser, &format!("{{[%eval 0.00]}} 1. {}! {{[%eval -3.00]}} {}", line[0], line[1]), 2);
    let alone = "(({ children }) => [children[1].className, children[1].textContent, children[1].title.split(':')[0]])(document.querySelector('#tree .move'))";
    assert_eq!(browser.evaluate(alone), json!(["sign", "!", "Sign of the text, or your own. Blunder"]));
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree .fault').length"), 0);
    load(browser, &format!("1. {} {{[%eval 0.12]}} {}", line[0], line[1]), 2);
    let said = |words: &str| format!("document.getElementById('bar-words').textContent.includes('{words}')");
    browser.wait_for(&said("No evaluation yet"));
    browser.click("[data-engine='2']");
    browser.wait_for("document.querySelector('.engine:nth-child(3)').dataset.sign === 'pause'");
    browser.click("[data-engine='2']");
    for (key, words) in [("ArrowLeft", ", says the loaded text"), ("ArrowRight", ", says third")] {
        browser.press(key);
        browser.wait_for(&said(words));
    }
    browser.wait_for("document.getElementById('exported').value.split('[%eval').length === 3");
    browser.wait_for("document.getElementById('chart').innerText.includes('evaluation by third')");
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree .fault').length"), 0);
    moves_are_searched_in_passing(browser, line);
}

/// What an engine says while somebody steps through the moves is kept, but makes no graph and counts no faults.
fn moves_are_searched_in_passing(browser: &mut Browser, line: &[String]) {
    load(browser, &line.join(" "), 3);
    browser.click("[data-engine='2']");
    for n in [2, 3] {
        browser.wait_for("document.querySelector('.engine:nth-child(3)').dataset.sign === 'pause'");
        browser.press("ArrowLeft");
        browser
            .wait_for(&format!("document.getElementById('exported').value.split('[%eval').length === {n}"));
    }
    assert_eq!(
        browser.evaluate(
            "[document.getElementById('faults').hidden, document.querySelectorAll('#chart > *').length]"
        ),
        json!([true, 0])
    );
}

/// Sets up a position by its FEN.
fn set_up(browser: &mut Browser, fen: &str) {
    if browser.evaluate("document.getElementById('editor').hidden") == json!(true) {
        browser.click("#edit");
    }
    browser.evaluate(&format!("document.getElementById('edited-fen').value = {}", json!(fen)));
    browser.click("#edited button");
}

/// Puts a text into the box, which is opened if it is not, and loads it.
fn put_in(browser: &mut Browser, text: &str) {
    if browser.evaluate("document.getElementById('import').hidden") == json!(true) {
        browser.click("#to-transfer");
    }
    browser.evaluate(&format!("document.getElementById('exported').value = {}", json!(text)));
    browser.click("#import button:not([type])");
}

/// Loads a tree from a text, of which the start is shown, and goes to its last move.
fn load(browser: &mut Browser, text: &str, node: usize) {
    browser.evaluate("document.querySelector('#tree > *').dataset.isOld = ''");
    put_in(browser, text);
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
    // The list has the room that engines and a graph would need, and six rows in a low window, too.
    for (height, of_list) in [(500, 184), (700, 348)] {
        browser.resize(1440, height);
        browser.wait_for(&format!("document.getElementById('tree').offsetHeight === {of_list}"));
    }
    let in_view = "(() => { const [list, move] = ['#tree', '#tree [aria-current]'].map((one) => document.querySelector(one).getBoundingClientRect()); return list.height < innerHeight && list.top <= move.top && move.bottom <= list.bottom; })()";
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
    // It covers nothing, but for the upper end of the list on a phone, which has no room for two lines.
    let is_free = "(() => { const [said, ...others] = ['#said', '#status', '#type', '#more', '#engines-title', '#lines', '#to-add', '#bar-words', ...(innerWidth < 700 ? [] : ['#tree'])].map((one) => document.querySelector(one).getBoundingClientRect());
        const isLast = document.getElementById('said').contains(document.elementFromPoint(said.left + 5, said.bottom - 5));
        return 0 < said.height && isLast && others.every((other) => other.height <= 1 || other.right <= said.left || said.right <= other.left || other.bottom <= said.top + 1 || said.bottom <= other.top + 1); })()";
    for width in [1440, 1024, 390] {
        browser.resize(width, 900);
        browser.evaluate("document.getElementById('said').scrollIntoView({ block: 'center' })");
        browser.wait_for(is_free);
    }
}

/// The moves of a tree get signs and comments, its branches another order, and what is not wanted is deleted.
#[test]
#[ignore = "needs Chromium"]
fn a_tree_is_worked_on() {
    let (_site, mut browser) = opened(&["chess"]);
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
    let expected =
        ["A start", "1.e4!+0.31…", "Best by test", "1.…e5", "1... c52. Nf32... d62... e6solid", "2.Nf3"];
    assert_eq!(browser.evaluate(rows), json!(expected));
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
        "\n{A start} 1. e4! {+0.31/9} {Best by test} 1... e5 (1... c5 2. Nf3 e6 {solid} (2... d6)) 2. Nf3 *\n",
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
    let text = "\n{A start} 1. e4! {+0.31/9} {Best by test} 1... c5 (1... e5 2. Nf3) 2. Nf3 e6!? {solid, indeed} (2... d6) *\n";
    browser.wait_for(&shown(text));
    // The move is at its place, and the menu within the page.
    browser.click("#more");
    browser.wait_for(is_open);
    assert_eq!(browser.evaluate("[document.getElementById('make-main').hidden, document.getElementById('move-menu').getBoundingClientRect().right <= document.documentElement.clientWidth]"), json!([true, true]));
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

/// What a text says of its moves stays in it as it is written, as far as it is true of the tree; losses are judged as on lichess.
#[test]
#[ignore = "needs Chromium"]
fn a_text_is_saved_as_it_was() {
    let (_site, mut browser) = opened(&["chess"]);
    let moves = "1. e4 {+0.31/9 0.104s} e5 {-0.20/12 1.2s, n=123, pv=\"e7e5 g1f3\"} {nice} 2. Nf3 {[%eval 20.0,20]} Nc6 {[%eval 7.2]} 3. Bc4 {[%eval #-4,9]} {0.5s} *";
    load(&mut browser, moves, 5);
    let text = "document.getElementById('exported').value";
    let kept = "1. e4 {+0.31/9 0.104s} 1... e5 {-0.20/12 1.2s, n=123, pv=\"e7e5 g1f3\"} {nice} 2. Nf3 {[%eval 20.0,20]} 2... Nc6 {[%eval 7.2]} 3. Bc4?? {0.5s [%eval #-4,9]} *";
    let saved = browser.evaluate(text);
    assert!(saved.as_str().unwrap().ends_with(&format!("\n{kept}\n")), "{saved}");
    // The keys of the moves lead on from the one that is shown, also after a deletion.
    browser.evaluate("document.querySelector('#tree [tabindex=\"0\"]').focus()");
    for (key, node) in [("ArrowLeft", "4"), ("ArrowLeft", "3"), ("ArrowRight", "4"), ("Delete", "3")] {
        browser.press(key);
        browser.wait_for(&format!("[document.body.dataset.node, document.activeElement.dataset.node].every((node) => node === '{node}')"));
    }
    // The result of a match, and its number of moves, are those of no other line.
    let head = "[White \"a\"]\n[Black \"b\"]\n[Result \"1/2-1/2\"]\n[PlyCount \"2\"]\n[Termination \"agreement\"]\n\n";
    load(&mut browser, &format!("{head}1. e4 e5 (1... c5 2. Nf3) 1/2-1/2"), 2);
    let has = "['[Result \"1/2-1/2\"]', '[PlyCount \"2\"]', '[Termination', ' 1/2-1/2\\n'].map((part) => document.getElementById('exported').value.includes(part))";
    assert_eq!(browser.evaluate(has), json!([true, true, true, true]));
    browser.click_with("right", "#tree [data-node='4']");
    browser.click("#make-main");
    browser.wait_for(&format!("{text}.endsWith('1. e4 c5 (1... e5) 2. Nf3 *\\n')"));
    assert_eq!(browser.evaluate(has), json!([false, false, false, false]));
    assert_eq!(browser.evaluate(&format!("{text}.includes('[Result \"*\"]')")), true);
    // A capture of nothing is not played.
    browser.evaluate("document.getElementById('typed').value = 'Nxc6'");
    browser.click("#type button");
    browser.wait_for(
        "document.getElementById('said').textContent === 'Nxc6 captures nothing; did you mean Nc6?'",
    );
    assert_eq!(browser.evaluate("document.body.dataset.node"), "4");
    assert_no_errors(&browser);
}

/// What was shown can be shown again without the arena, and the text of the moves is there.
#[test]
#[ignore = "needs Chromium"]
fn moves_are_walked_after_the_end() {
    let (mut site, mut browser) = opened(&["chess"]);
    load(&mut browser, "1. e4 e5 2. Nf3 Nc6 *", 4);
    browser.press("ArrowLeft");
    browser.wait_for("document.body.dataset.node === '3'");
    let fen = "document.querySelector('#board svg').ariaLabel";
    let shown = browser.evaluate(fen);
    browser.press("ArrowRight");
    browser.wait_for("document.body.dataset.node === '4'");
    site.process.kill().unwrap();
    browser.wait_for("!document.getElementById('lost').hidden");
    browser.press("ArrowLeft");
    browser.wait_for("document.body.dataset.node === '3'");
    assert_eq!(browser.evaluate(fen), shown);
    browser.press("ArrowLeft");
    browser.wait_for(
        "document.getElementById('said').textContent.startsWith('Without the arena, only positions')",
    );
    for (selector, node) in
        [("#tree [data-node='4']", "4"), ("[data-walk=first]", "0"), ("[data-walk=last]", "4")]
    {
        browser.click(selector);
        browser.wait_for(&format!(
            "document.body.dataset.node === '{node}' && document.getElementById('said').textContent === ''"
        ));
    }
    let text = "document.getElementById('exported').value.endsWith('\\n1. e4 e5 2. Nf3 Nc6 *\\n')";
    assert_eq!(browser.evaluate(text), true);
    browser.errors.retain(|error| !error.contains("net::ERR_"));
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
            // A state goes with its piece, and clicks give and take it.
            browser.click("#palette [data-piece=state]");
            browser.click("#board [data-square=g1]");
            browser.click("#board [data-square=g2]");
            let stunned = |squares: &str| {
                format!("document.getElementById('edited-fen').value.split(' ')[3] === '{squares}'")
            };
            browser.click("#board [data-square=b2]");
            browser.drag("#board [data-square=b2]", "#board [data-square=b4]");
            browser.wait_for(&stunned("b4"));
            // A position that is over says why.
            browser.click("#to-start");
            browser.wait_for(&stunned("-"));
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

/// Stones are piled by clicks, and the stacks of a FEN are read.
#[test]
#[ignore = "needs Chromium"]
fn stones_are_piled() {
    let (_site, mut browser) = opened(&["tower-of-power"]);
    browser.click("#edit");
    let placed =
        |fen: &str| format!("document.getElementById('edited-fen').value.startsWith({})", json!(fen));
    browser.evaluate("{ const fen = document.getElementById('edited-fen'); fen.value = '8/8/8/3(ssS)4/8/8/8/SSS4s w 0 0'; fen.dispatchEvent(new Event('input')); }");
    assert_eq!(browser.evaluate("document.getElementById('said').textContent"), "");
    browser.wait_for("document.querySelector('#palette [data-piece=s] .count').textContent === '3/15'");
    browser.click("#palette [data-piece=s]");
    browser.click("#board [data-square=d5]");
    browser.wait_for(&placed("8/8/8/3(ssSs)4/8/8/8/SSS4s w"));
    let said = |words: &str| format!("document.getElementById('said').textContent === '{words}'");
    browser.wait_for(&said("On d5, from bottom to top: black, black, white, black."));
    browser.click("#palette [data-piece='']");
    for expected in ["3(ssS)4", "3(ss)4", "3s4", "8"] {
        browser.click("#board [data-square=d5]");
        browser.wait_for(&placed(&format!("8/8/8/{expected}/8/8/8/SSS4s w")));
    }
    browser.click("#palette [data-piece=S]");
    browser.click("#board [data-square=h1]");
    browser.drag("#board [data-square=h1]", "#board [data-square=h2]");
    browser.wait_for(&placed("8/8/8/8/8/8/7(sS)/SSS5 w"));
    // A stack that is dropped on another one comes on top of it.
    browser.drag("#board [data-square=c1]", "#board [data-square=b1]");
    browser.drag("#board [data-square=b1]", "#board [data-square=a1]");
    browser.wait_for(&placed("8/8/8/8/8/8/7(sS)/(SSS)7 w"));
    browser.wait_for(&said("On a1, from bottom to top: white, white, white."));
    browser.click("#palette [data-piece=s]");
    browser.click("#board [data-square=h8]");
    browser.click("#edited button");
    browser.wait_for("document.getElementById('fen').value.startsWith('7s/8/8/8/8/8/7(sS)/(SSS)7 w')");
    // What was set up is edited again.
    browser.click("#edit");
    browser.click("#board [data-square=h2]");
    browser.wait_for(&placed("7s/8/8/8/8/8/7(sSS)/(SSS)7 w"));
    assert_no_errors(&browser);
}

/// What comes from the last move, and the fields that name a side, follow what is edited.
#[test]
#[ignore = "needs Chromium"]
fn no_move_led_to_an_edited_position() {
    let (_site, mut browser) = opened(&["tower-push", "--fen", "7/7/7/3T3/7/2x1X2/7 w 0 0 w e2d2 1 12"]);
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
    // The board follows a FEN that is typed, but for rows that cannot be read, and clicks go on from there.
    browser.evaluate("{ const fen = document.getElementById('edited-fen'); fen.value = '7/7/7/3T3/8/2x4/7 b 0 0 b - 3 9'; fen.dispatchEvent(new Event('input')); }");
    browser.wait_for("document.getElementById('said').textContent === 'The FEN cannot be read for a3–g3: the board has that row as before.'");
    assert_eq!(browser.evaluate("document.getElementById('edited-side').value"), "b");
    browser.click("#board [data-square=a1]");
    browser.wait_for(&fen("7/7/7/3T3/7/2x4/X6 b 0 0 b - 3 9"));
    assert_no_errors(&browser);
}

/// The lines of engines are numbered by turns, as the moves of the tree.
#[test]
#[ignore = "needs Chromium"]
fn a_line_is_numbered_by_turns() {
    // White places its last piece, and makes a step.
    let fen = "7/7/7/3T3/7/2x1X2/7 w 1 0 w - 0 0";
    let engine = format!("many={} second-analyse", common::fake_engine().display());
    let (_site, mut browser) = opened(&["tower-push", "--fen", fen, "--engine", &engine]);
    browser.click("[data-engine='0']");
    browser.wait_for(
        "document.querySelectorAll('.engine-lines li:first-child .line-moves button').length === 3",
    );
    let numbers = "[...document.querySelectorAll('.engine-lines li:first-child .line-moves button')].map((one) => one.dataset.words.split(' ')[0])";
    assert_eq!(browser.evaluate(numbers), json!(["1.", "1.", "1..."]));
    // A number is written once, unless moves of both sides would be taken for those of one.
    let written = "[...document.querySelectorAll('.engine-lines li:first-child .line-moves button')].map((one) => (/^1[.]* /.exec(one.textContent) ?? [''])[0])";
    assert_eq!(browser.evaluate(written), json!(["1. ", "", "1... "]));
    // A finger on a phone looks before it plays. In the list, a turn has one cell.
    browser.resize(390, 844);
    let second = ".engine-lines li:first-child .line-moves button:nth-child(2)";
    browser.tap(second);
    browser.wait_for("!document.getElementById('line-preview').hidden && document.querySelectorAll('.arrow.previewed').length === 2");
    assert_eq!(browser.evaluate("document.body.dataset.node"), "0");
    browser.tap(second);
    browser.wait_for("document.body.dataset.node === '2'");
    browser.resize(1440, 900);
    let cells = "[...document.querySelectorAll('.main-line > li')].map((row) => [...row.children].map((cell) => cell.querySelectorAll('button').length))";
    assert_eq!(browser.evaluate(cells), json!([[0, 2, 0]]));
    // White makes a step, and Black two moves.
    set_up(&mut browser, "3x1x1/4xx1/7/1XXT1x1/1Xx4/2xX3/X1X2X1 w 0 0 w - 2 48");
    browser.wait_for(&format!("JSON.stringify({numbers}) === '[\"1.\",\"1...\",\"1...\"]'"));
    assert_eq!(browser.evaluate(written), json!(["1. ", "", ""]));
    assert_no_errors(&browser);
}

/// A mouse, keys and a finger look along the lines of an engine, in a position that has the number 2.
/// In a low window, the list, the lines of two engines and the graph are seen together. In a branch in which nothing is known, the
/// graph stays.
#[test]
#[ignore = "needs Chromium"]
fn all_is_seen_in_a_low_window() {
    let engine = |name| format!("{name}={} second-analyse", common::fake_engine().display());
    let engines = [engine("many"), engine("other")];
    let (_site, mut browser) =
        opened(&["push-push", "--lines", "2", "--engine", &engines[0], "--engine", &engines[1]]);
    browser.resize(1280, 720);
    let mut play = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap();
    let other = play.legal_moves().remove(1);
    let text: Vec<String> = (0..16)
        .map(|_| {
            let legal = play.legal_moves();
            let mv = &legal[legal.len() / 2];
            play.play(mv).unwrap();
            format!("{mv} {{[%eval 0.30]}}")
        })
        .collect();
    load(&mut browser, &text.join(" "), 16);
    browser.press("e");
    browser.wait_for("document.querySelectorAll('.engine-lines li').length === 4");
    let bottoms = "['tree', 'chart'].map((one) => document.getElementById(one).getBoundingClientRect().bottom + scrollY)";
    browser.wait_for(&format!("Math.max(...{bottoms}) < innerHeight"));
    assert_eq!(browser.evaluate("document.getElementById('tree').offsetHeight"), 184);
    // The list begins with a whole row, and the board has the height of the window, with all that belongs to it.
    let cut = "[...document.querySelectorAll('.main-line > li')].map((row) => [row.getBoundingClientRect(), document.getElementById('tree').getBoundingClientRect()]).filter(([row, list]) => row.top < list.top && list.top + 1 < row.bottom).length";
    browser.wait_for(&format!("0 < document.getElementById('tree').scrollTop && {cut} === 0"));
    let board = "['board', 'bar-words'].map((one) => document.getElementById(one).getBoundingClientRect()).map(({ width, bottom }) => [540 < width, bottom <= innerHeight])";
    assert_eq!(browser.evaluate(board), json!([[true, true], [true, true]]));
    // All that stands above the list is in its one row.
    assert_eq!(
        browser.evaluate("document.querySelector('.known-moves .focus-head').offsetHeight < 40"),
        true
    );
    // Whose a value is, its words say.
    let claim = "document.querySelector('#tree .claim').title";
    assert_eq!(browser.evaluate(claim), "Evaluation from White's view, by the loaded text");
    let before = browser.evaluate(bottoms);
    browser.press("Home");
    browser.wait_for("document.body.dataset.node === '0'");
    browser.evaluate(&format!("document.getElementById('typed').value = '{other}'"));
    browser.click("#type button");
    browser.wait_for("document.body.dataset.node === '17'");
    browser.wait_for("document.querySelectorAll('.engine-lines li').length === 4");
    assert_eq!(browser.evaluate(bottoms), before);
    // On a phone, so are the board, the moves and the first line.
    browser.resize(390, 844);
    let line = "document.querySelector('.engine-lines li').getBoundingClientRect().bottom + scrollY";
    browser.wait_for(&format!("{line} < innerHeight"));
    assert_no_errors(&browser);
}

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
    browser.tap(".engine-lines li:nth-child(1) button");
    browser.wait_for(glimpse);
    assert_eq!(browser.evaluate("document.body.dataset.node"), "2");
    browser.tap("h1");
    browser.wait_for(hidden);
}

/// A line that fits into its row has nothing more to show; a longer one is opened.
fn a_line_is_shown_whole(browser: &mut Browser) {
    let is_offered =
        "getComputedStyle(document.querySelector('.engine-lines .more')).visibility === 'visible'";
    browser.wait_for(&format!("!({is_offered})"));
    let narrow = |width| {
        format!(
            "document.getElementById('engines').style.width = '{width}'; dispatchEvent(new Event('resize'))"
        )
    };
    browser.evaluate(&narrow("16rem"));
    browser.wait_for(is_offered);
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
    browser.evaluate(&narrow(""));
}

/// Enter plays the best move, and E stops and starts the engines.
fn the_keys_of_the_engines(browser: &mut Browser) {
    let is_on =
        |on| format!("document.querySelector(\"[data-engine='0']\").getAttribute('aria-pressed') === '{on}'");
    let best = "document.querySelector('.engine-lines button').dataset.words.split(' ').at(-1)";
    let n_moves = browser.evaluate("document.querySelectorAll('#tree button').length").as_u64().unwrap();
    let node = browser.evaluate("document.body.dataset.node");
    browser.wait_for("document.querySelector('.engine').dataset.depth === '3'");
    browser.wait_for("document.querySelector('.engine-lines button') !== null");
    // Who plays by key goes on with the best move of the same engine.
    browser.evaluate("document.querySelector('.engine-lines li:nth-child(2) button').focus()");
    browser.press("Enter");
    browser.wait_for(&format!("document.querySelectorAll('#tree button').length === {}", n_moves + 1));
    browser.wait_for("document.activeElement === document.querySelector('.engine-lines button')");
    assert_eq!(browser.evaluate("document.getElementById('line-preview').hidden"), true);
    browser.evaluate("document.activeElement.blur()");
    browser.press("Delete");
    browser.wait_for(&format!("document.body.dataset.node === {node}"));
    browser.wait_for("document.querySelector('.engine').dataset.depth === '3'");
    browser.wait_for("document.querySelector('.engine-lines button') !== null");
    let move_ = browser.evaluate(best);
    // A click leaves the focus to the page, and so does one beside everything, which focuses a part of it.
    browser.click("[data-engine='0']");
    browser.wait_for(&is_on(false));
    browser.evaluate("document.getElementById('main').focus()");
    browser.press("Enter");
    browser.wait_for(&format!("document.querySelectorAll('#tree button').length === {}", n_moves + 1));
    browser.wait_for(&format!(
        "document.querySelector('#tree [aria-current=true]').textContent.includes({move_})"
    ));
    browser.press("e");
    browser.wait_for(&is_on(true));
    browser.press("Delete");
    browser.wait_for(&format!("document.body.dataset.node === {node}"));
    browser.wait_for("document.querySelector('.engine').dataset.depth === '3'");
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
    assert_eq!(
        browser.evaluate("getComputedStyle(document.querySelector('.arrow.drawn')).color"),
        "rgb(21, 120, 27)"
    );
    // Other colours are drawn with Shift, with Alt and with both, in the place of what is there.
    for (keys, colour) in [("shiftKey", "R"), ("altKey", "B"), ("shiftKey: true, altKey", "Y")] {
        browser.evaluate(&format!("{{ const {{ x, y, width }} = document.querySelector('{other}').getBoundingClientRect(); for (const kind of ['pointerdown', 'pointerup']) document.querySelector('{other}').dispatchEvent(new PointerEvent(kind, {{ bubbles: true, button: 2, clientX: x + width / 2, clientY: y + width / 2, {keys}: true }})); }}"));
        browser.wait_for(&format!(
            "{} && document.querySelectorAll('.arrow.drawn.colour-{colour} circle').length === 1",
            drawn(2, 1)
        ));
    }
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
    a_line_is_shown_whole(&mut browser);
    // The number of the side that is ahead stands on the bar, and the piece that moves in front of its squares.
    browser.wait_for("/^\\d+%$/.test(document.querySelector('#gauge span').textContent)");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('.engine-lines button:first-child svg').length"),
        2
    );
    // It was done at once, and says nothing more.
    browser.wait_for("document.querySelector('.engine').dataset.sign === 'pause'");
    browser
        .wait_for("document.querySelector('.engine .facts').textContent.startsWith('reports nothing more')");
    browser.click("[data-engine='1']");
    browser.wait_for("document.querySelectorAll('.engine')[1].dataset.state === 'failed'");
    assert_eq!(browser.evaluate("document.querySelectorAll('.engine')[1].dataset.sign"), "fail");
    // It is removed; added again, it starts at once.
    browser.click("[data-remove='1']");
    browser.wait_for("document.querySelectorAll('.engine').length === 1");
    browser.wait_for("document.getElementById('to-add').selectedOptions[0].text === 'lost'");
    browser.click("#adding button");
    browser.wait_for("document.querySelectorAll('.engine')[1]?.dataset.state === 'failed'");
    // Lines that are pointed at keep still until another position is shown.
    browser.point(".engine-lines li:nth-child(2) button:nth-child(1)");
    browser.point(".engine-lines li:nth-child(2) button:nth-child(2)");
    browser.wait_for("document.querySelector('.engine').matches('[data-held]')");
    browser.click(".engine-lines li:nth-child(2) button:nth-child(2)");
    browser.wait_for(&shows(4));
    browser.wait_for("document.querySelectorAll('.engine-lines li').length === 2");
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "3");
    browser.wait_for("document.querySelector('.engine').dataset.depth === '3'");
    assert_eq!(browser.evaluate("document.querySelectorAll('#tree button').length"), 4);
    // Back to the start and to the end of the same line again, by keys; another branch by the mouse.
    browser.press("Home");
    browser.wait_for(&shows(0));
    browser.press("End");
    browser.wait_for(&shows(4));
    for (turn, ply) in [(-100, 2), (100, 3)] {
        browser.evaluate(&format!("document.querySelector('#board svg').dispatchEvent(new WheelEvent('wheel', {{ bubbles: true, cancelable: true, deltaY: {turn} }}))"));
        browser.wait_for(&format!("document.body.dataset.ply === '{ply}'"));
    }
    browser.press("f");
    the_keys_of_the_engines(&mut browser);
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
