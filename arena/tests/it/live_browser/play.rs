//! Playing a match: from the set-up to what follows its end.

use std::fs;
use std::process::Command;

use engine_proto::{GameId, Games};
use serde_json::{Value, json};

use super::player::{Player, choose};
use super::{assert_no_errors, check_access, check_width, places, squares_of, take_pictures};
use crate::common;
use crate::common::browser::Browser;
use crate::common::site::Site;

/// A second click on a chosen piece, or Esc, drops it, also after another piece was chosen first.
fn choose_and_drop(player: &mut Player, game: GameId) {
    assert!(player.is_to_move());
    let legal = player.legal_moves(game);
    let moves: Vec<Vec<String>> =
        legal.iter().map(|mv| squares_of(mv)).filter(|squares| !squares.is_empty()).collect();
    let first = &moves[0][0];
    let is_target = |square: &String| moves.iter().any(|mv| mv[0] == *first && mv[1..].contains(square));
    let other = moves.iter().map(|mv| &mv[0]).find(|square| *square != first && !is_target(square));
    let [first, other] = [first, other.unwrap()].map(|square| format!("#board [data-square={square}]"));
    let is_chosen = "document.querySelector('.input-marks .chosen') !== null";
    let is_dropped = "document.querySelector('.input-marks .chosen') === null && document.getElementById('said').textContent.match(/: dropped\\. Choose a (piece|stone)\\.$/) !== null";
    let browser = &mut player.browser;
    for squares in [vec![&first], vec![&first, &other]] {
        for square in &squares {
            browser.click(square);
            browser.wait_for(is_chosen);
        }
        browser.click(squares[squares.len() - 1]);
        browser.wait_for(is_dropped);
        browser.click(squares[0]);
        browser.wait_for(is_chosen);
        browser.press("Escape");
        browser.wait_for(is_dropped);
    }
}

/// Moves of a game are made by clicking, until the match is over, from nothing but what the page shows: a square that can be
/// chosen, one of the marked targets, and one of the buttons where there are some.
///
/// Random moves of the games with many pieces lead to no end but the largest number of plies, which is low for them.
fn play_to_the_end(game: GameId) {
    let folder = tempfile::tempdir().unwrap();
    let program = toml::Value::from(common::fake_engine().to_str().unwrap());
    let engine = |name| format!("[[engine]]\nname = \"{name}\"\ncommand = {program}\nargs = [\"good\"]\n");
    let most = if [GameId::FOUR_TOWERS, GameId::TOWER_OF_POWER].contains(&game) { 100 } else { 400 };
    let limits = format!("[limits]\nnodes = 10\nmax-plies = {most}\n[[game]]\nid = \"{game}\"\n");
    fs::write(folder.path().join("cup.toml"), limits + &engine("fake") + &engine("other")).unwrap();
    let mut player = Player::against("fake", folder, &["--config", "cup.toml", "--game", game.id()]);
    choose_and_drop(&mut player, game);
    let mut random = 2026_u64;
    let mut n_moves = 0;
    while player.is_to_move() {
        let before = player.ply();
        let is_made = format!("{before} < Number(document.body.dataset.ply)");
        let mut n_clicks = 0;
        // Where nothing is chosen yet, any own piece may be the right one.
        let next = "(() => {
            const squares = [...document.querySelectorAll('#board [data-square]')];
            const marks = [...document.querySelectorAll('.input-marks .target')].map((mark) => mark.getBoundingClientRect());
            const holds = (square, { x, y, width, height }) => {
              const box = square.getBoundingClientRect();
              const [left, top] = [x + width / 2 - box.x, y + height / 2 - box.y];
              return 0 < left && left < box.width && 0 < top && top < box.height;
            };
            const marked = squares.filter((square) => marks.some((mark) => holds(square, mark)));
            const tops = [...document.querySelectorAll('#board [data-place]')].filter((stack) => [...stack.querySelectorAll('.piece')].at(-1).matches('.of-w'));
            const own = tops.map((stack) => squares[stack.dataset.place]);
            return [
              [marked, own, squares].find((some) => some.length !== 0).map((square) => square.dataset.square),
              [...document.querySelectorAll('#choices [data-move]')].map((button) => button.dataset.move),
            ];
          })()";
        while player.browser.evaluate("document.body.dataset.turn") == "you" && player.ply() == before {
            let shown = player.browser.evaluate(next);
            let [squares, choices] = [0, 1].map(|idx| shown[idx].as_array().unwrap().clone());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let chance = (random >> 33) as usize;
            if choices.is_empty() || (!squares.is_empty() && chance.is_multiple_of(8)) {
                player.browser.click(&format!(
                    "#board [data-square={}]",
                    squares[chance % squares.len()].as_str().unwrap()
                ));
            } else {
                player.browser.click(&format!("#choices [data-move={}]", choices[chance % choices.len()]));
            }
            n_clicks += 1;
            assert!(n_clicks < 2000, "{game}: no move is found by clicking");
            // The move that was made comes back from the arena.
            player.browser.evaluate("new Promise((done) => setTimeout(done, 20))");
        }
        assert!(player.browser.holds_soon(&format!("{is_made} || document.body.dataset.turn !== 'you'")));
        n_moves += 1;
        if n_moves == 6 {
            check_access(&mut player.browser, game.id());
            check_width(&mut player.browser, game.id());
            take_pictures(&mut player.browser, &format!("play-{game}"));
        }
    }
    let status = player.browser.evaluate("document.getElementById('status').textContent");
    assert!(status.as_str().unwrap().contains("Stored as match 1."), "{status}");
    player.browser.wait_for(
        "(() => { const [list, last] = ['#moves', '#moves [aria-current]'].map((one) => document.querySelector(one).getBoundingClientRect());
           return list.top <= last.top + 1 && last.bottom <= list.bottom + 1; })()",
    );
    assert_no_errors(&player.browser);
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(player.folder.path())
        .args(["verify", "games"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "games: 1 matches, no problems\n");
}

#[test]
#[ignore = "needs Chromium"]
fn tower_push_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::TOWER_PUSH);
}

#[test]
#[ignore = "needs Chromium"]
fn push_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::PUSH);
}

#[test]
#[ignore = "needs Chromium"]
fn push_push_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::PUSH_PUSH);
}

#[test]
#[ignore = "needs Chromium"]
fn tower_of_power_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::TOWER_OF_POWER);
}

#[test]
#[ignore = "needs Chromium"]
fn four_towers_is_played_to_its_end_by_clicking() {
    play_to_the_end(GameId::FOUR_TOWERS);
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_with_the_keyboard_and_by_dragging() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::start(game, &["--as", "black"]);
    assert!(player.is_to_move());
    // The engine's first move does not close the help, and what Black may not do is said in plain words.
    assert_eq!(
        player.browser.evaluate("[document.body.dataset.ply, document.getElementById('how').open]"),
        json!(["1", true])
    );
    player.browser.wait_for(
        "/^White: [a-z]+ from [a-g]1 to [a-g]2\\.$/.test(document.getElementById('last-turn').textContent)",
    );
    player.browser.wait_for(
        "document.getElementById('notes').textContent.startsWith(\"Black's first move: must not bring a \")",
    );
    // Who skips to the board still sees whose turn it is.
    player.browser.resize(1440, 900);
    player.browser.evaluate("document.querySelector('.skip').click()");
    player.browser.wait_for("document.activeElement.id === 'board'");
    assert_eq!(player.browser.evaluate("scrollY"), 0);
    // What the keys do is a key away.
    for is_open in [true, false] {
        player.browser.press("?");
        player
            .browser
            .wait_for(&format!("document.getElementById('keys').matches(':popover-open') === {is_open}"));
    }
    // The keys begin at a piece that can move; Enter chooses it.
    player.browser.press("Enter");
    player.browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
    player.browser.press("Escape");
    // Walks to each square of a move with the arrow keys. Black is at the bottom, so that all directions are turned.
    let mv = player.legal_moves(game)[0].clone();
    for square in squares_of(&mv) {
        for _ in 0..20 {
            let said = player.browser.evaluate("document.getElementById('cursor').textContent");
            let said = said.as_str().unwrap();
            let Some(at) = said.split(':').next().filter(|name| name.len() == 2) else {
                player.browser.press("ArrowUp");
                continue;
            };
            let distance = |idx: usize| i16::from(square.as_bytes()[idx]) - i16::from(at.as_bytes()[idx]);
            match (distance(0), distance(1)) {
                (0, 0) => break,
                (files, _) if files < 0 => player.browser.press("ArrowRight"),
                (files, _) if 0 < files => player.browser.press("ArrowLeft"),
                (_, ranks) if ranks < 0 => player.browser.press("ArrowUp"),
                _ => player.browser.press("ArrowDown"),
            }
        }
        player.browser.press("Enter");
    }
    player.browser.wait_for("Number(document.body.dataset.ply) === 3");
    assert_eq!(player.browser.evaluate("document.getElementById('how').open"), false);
    // Who does not see the board is told what is there now, and nothing of an earlier match.
    let target = squares_of(&mv)[1].clone();
    player.browser.wait_for(&format!(
        "document.getElementById('cursor').textContent.startsWith(\"{target}: Black's \")"
    ));
    assert_eq!(
        player.browser.evaluate("document.querySelector('#bottom .unseen').textContent"),
        " play Black"
    );
    assert!(player.is_to_move());
    // A move is dragged.
    let mv = player.legal_moves(game)[0].clone();
    let squares = squares_of(&mv);
    let on = |square: &str| format!("#board [data-square={square}]");
    let piece_on = |square: &str| {
        format!(
            "(() => {{ const [piece, ground] = [document.querySelectorAll('#board [data-place]'), document.querySelector({})].map((one) => one instanceof NodeList ? [...one] : one.getBoundingClientRect());
               return piece.some((one) => {{ const box = one.querySelector('.disc').getBoundingClientRect(); const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]; return ground.left < x && x < ground.right && ground.top < y && y < ground.bottom; }}); }})()",
            json!(on(square))
        )
    };
    assert_eq!(player.browser.evaluate(&piece_on(&squares[1])), false);
    player.browser.drag_and("left", &on(&squares[0]), &on(&squares[1]), |browser| {
        // The piece is where the pointer is.
        browser.wait_for(&piece_on(&squares[1]));
        assert_eq!(browser.evaluate(&piece_on(&squares[0])), false);
    });
    player.browser.wait_for("Number(document.body.dataset.ply) === 5");
    // Typed, taken back, a hint, and the end.
    assert!(player.is_to_move());
    let mv = player.legal_moves(game)[0].clone();
    player.browser.evaluate(&format!("document.getElementById('typed').value = {}", json!(mv)));
    player.browser.click("#type button");
    player.browser.wait_for("Number(document.body.dataset.ply) === 7");
    player.browser.wait_for("!document.getElementById('take-back').disabled");
    player.browser.click("#take-back");
    player
        .browser
        .wait_for("Number(document.body.dataset.ply) === 5 && document.body.dataset.turn === 'you'");
    player.browser.click("#hint");
    player.browser.wait_for("document.querySelector('.arrow.hinted') !== null");
    player.browser.wait_for(
        "/ Hint: [a-z]+ from [a-g][1-7] to [a-g][1-7](: .+)?\\.$/.test(document.getElementById('status').textContent)",
    );
    // It is asked in the same place, so that nothing moves.
    let place = "JSON.stringify(document.getElementById('resign').getBoundingClientRect())";
    let before = player.browser.evaluate(place);
    player.browser.click("#resign");
    player.browser.wait_for("document.getElementById('resign').textContent === 'Resign?' && document.getElementById('resign-said').textContent === 'Click again to resign, or elsewhere to play on.'");
    assert_eq!(player.browser.evaluate(place), before);
    player.browser.click("#resign");
    player.browser.wait_for("document.body.dataset.turn === 'over'");
    player.browser.click("#new");
    player.browser.wait_for("document.body.dataset.ply === '0' && document.body.dataset.turn === 'you'");
    assert_eq!(player.browser.evaluate("document.getElementById('cursor').textContent"), "");
    assert_no_errors(&player.browser);
}

/// Whatever the page says, neither the board nor a button nor the moves change their place.
#[test]
#[ignore = "needs Chromium"]
fn nothing_moves_while_a_match_is_played() {
    let mut n_choices = 0;
    for &game in GameId::BUILT_IN {
        let mut player = Player::start(game, &[]);
        assert!(player.is_to_move());
        // The list of moves appears, and "How to play" closes.
        let last = |legal: &[String]| legal.last().unwrap().clone();
        let mv = last(&player.legal_moves(game));
        player.click_move(&mv);
        assert!(player.is_to_move());
        // The place of the moves is kept when all are taken back.
        let fixed = places(".side > .buttons > *, #type");
        let before = player.browser.evaluate(&fixed);
        player.browser.click("#take-back");
        player.browser.wait_for("document.body.dataset.ply === '0' && document.body.dataset.turn === 'you'");
        assert_eq!(player.browser.evaluate(&fixed), before, "{game}: no move");
        player.click_move(&mv);
        assert!(player.is_to_move());
        for (width, height) in [(1440, 900), (390, 844)] {
            player.browser.resize(width, height);
            player.browser.wait_until_still("#board svg");
            // The buttons are in the first screen, above those that step through the moves.
            player.browser.evaluate("scrollTo(0, 0)");
            let are_seen = "(([buttons, steps]) => buttons.bottom <= steps.top)(['#resign', '.controls'].map((one) => document.querySelector(one).getBoundingClientRect()))";
            assert_eq!(player.browser.evaluate(are_seen), true, "{game}, {width}");
            let place = places("#board svg, .side > .buttons > *, #moves, #type");
            let before = player.browser.evaluate(&place);
            let stays = |browser: &mut Browser, what: &str| {
                assert_eq!(browser.evaluate(&place), before, "{game}, {width}: {what}");
            };
            let legal = player.legal_moves(game);
            let moves: Vec<_> = legal.iter().map(|mv| squares_of(mv)).collect();
            let click = |browser: &mut Browser, square: &str| {
                browser.click(&format!("#board [data-square={square}]"));
            };
            let browser = &mut player.browser;
            click(browser, &moves[0][0]);
            browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
            stays(browser, "a piece is chosen");
            let squares = browser.evaluate(
                "[...document.querySelectorAll('#board [data-square]')].map((one) => one.dataset.square)",
            );
            let squares = squares.as_array().unwrap().iter().map(|square| square.as_str().unwrap());
            let is_wrong = |square: &&str| {
                moves.iter().all(|names| {
                    names[0] != *square
                        && (names[0] != moves[0][0] || names[1..].iter().all(|name| name != square))
                })
            };
            let wrong = squares.rev().find(is_wrong);
            click(browser, wrong.unwrap());
            browser.wait_for("document.querySelector('#said.is-wrong') !== null");
            stays(browser, "a wrong square");
            browser.press("Escape");
            // Squares that several moves share.
            let shared = moves.iter().find(|names| 1 < moves.iter().filter(|other| other == names).count());
            if let Some(names) = shared {
                for square in names {
                    click(browser, square);
                }
                browser.wait_for("1 < document.querySelectorAll('#choices [data-move]').length");
                stays(browser, "a choice");
                browser.press("Escape");
                n_choices += 1;
            }
            browser.click("#hint");
            browser.wait_for("document.querySelector('.arrow.hinted') !== null");
            stays(browser, "a hint");
            // It stays in view where it is needed to choose.
            if let Some(names) = shared {
                for square in names {
                    click(browser, square);
                }
                browser.wait_for("1 < document.querySelectorAll('#choices [data-move]').length");
                browser.evaluate("document.querySelector('.asked').scrollTo(0, 1000)");
                let is_seen = "(() => { const [box, now, line] = ['.saying', '.now', '#status'].map((one) => document.querySelector(one).getBoundingClientRect());
                    return box.top <= line.top + 1 && line.bottom <= now.bottom + 1 && now.bottom <= box.bottom + 1 && document.getElementById('status').textContent.includes(' Hint: '); })()";
                assert_eq!(browser.evaluate(is_seen), true, "{game}, {width}");
                browser.press("Escape");
            }
            for what in ["an evaluation", "no evaluation"] {
                browser.click("#thoughts");
                stays(browser, what);
            }
            player.click_move(&last(&legal));
            assert!(player.is_to_move());
            stays(&mut player.browser, "a move");
        }
        assert_no_errors(&player.browser);
    }
    assert!(0 < n_choices, "no position had a choice");
}

/// Without a clock, a machine that is busy does not end a match.
#[test]
#[ignore = "needs Chromium"]
fn an_engine_that_is_late_plays_on() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::against_slow(400, &["--movetime", "100ms"]);
    assert!(player.is_to_move());
    // At first, everything can be chosen again; the limits of the arguments are among it.
    player.browser.click("#resign");
    player
        .browser
        .wait_for("document.getElementById('choose-time').selectedOptions[0]?.text === 'No clock, engine 100ms per move'");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    let mv = player.legal_moves(game)[0].clone();
    player.click_move(&mv);
    assert!(player.is_to_move(), "the late move counts");
    player.browser.wait_for("document.body.dataset.ply === '2'");
    assert_no_errors(&player.browser);
}

/// Nobody waits for the engine to take back a move, or to give up.
#[test]
#[ignore = "needs Chromium"]
fn the_engine_is_stopped_by_taking_back_and_resigning() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::against_slow(8000, &[]);
    assert!(player.is_to_move());
    let thinks = "document.body.dataset.turn === 'engine'";
    let mv = player.legal_moves(game)[0].clone();
    player.click_move(&mv);
    player.browser.wait_for(thinks);
    player.browser.click("#take-back");
    player.browser.wait_for("document.body.dataset.turn === 'you' && document.body.dataset.ply === '0'");
    for n_plies in [1, 3] {
        assert!(player.is_to_move());
        let mv = player.legal_moves(game)[0].clone();
        player.click_move(&mv);
        player.browser.wait_for(&format!("{thinks} && document.body.dataset.ply === '{n_plies}'"));
    }
    player.browser.click("#resign");
    player.browser.wait_for("document.getElementById('resign').textContent === 'Resign?'");
    player.browser.click("#resign");
    let status = "document.getElementById('status').textContent";
    player.browser.wait_for(&format!("{status} === 'You have lost: you resigned. Stored as match 1.'"));
    assert_eq!(player.ply(), 3, "the engine's move does not count");
    assert_no_errors(&player.browser);
    player.assert_verified();
}

/// A match is left without a result as long as it has hardly begun. The keys walk on the board of the next one.
#[test]
#[ignore = "needs Chromium"]
fn a_match_is_aborted_for_another_board() {
    let folder = tempfile::tempdir().unwrap();
    let fake = toml::Value::from(common::fake_engine().to_str().unwrap());
    let file = format!(
        "[limits]\nmovetime = \"60s\"\n[[engine]]\nname = \"fake\"\ncommand = {fake}\nargs = [\"good\"]\n[[engine]]\nname = \"other\"\ncommand = {fake}\nargs = [\"good\"]\n"
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).args(["play", "--config", "cup.toml", "--results", "games"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    let mut player = Player { browser, _site: site, folder };
    let word = "document.getElementById('resign').textContent";
    player.browser.wait_for("!document.getElementById('menu').hidden");
    // A long list has groups.
    choose(&mut player.browser, "game", "push");
    player.browser.wait_for("document.querySelectorAll('#choose-start optgroup').length === 3");
    choose(&mut player.browser, "game", "tower-of-power");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    player.browser.click("#board [data-square=h8]");
    player.browser.wait_for(&format!("{word} === 'Abort'"));
    player.browser.click("#resign");
    player.browser.wait_for("!document.getElementById('menu').hidden");
    choose(&mut player.browser, "game", "push-push");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    player.browser.evaluate("document.getElementById('board').focus()");
    player.browser.press("ArrowUp");
    player.browser.wait_for("/^[a-g][1-7]: /.test(document.getElementById('cursor').textContent)");
    for expected in ["Abort", "Abort", "Resign"] {
        assert!(player.is_to_move());
        player.browser.wait_for(&format!("{word} === '{expected}'"));
        let mv = player.legal_moves(GameId::PUSH_PUSH)[0].clone();
        player.click_move(&mv);
    }
    assert!(player.is_to_move());
    player.browser.click("#take-back");
    player.browser.wait_for("document.body.dataset.ply === '4'");
    // A key does the same, also on the board.
    player.browser.press("u");
    player.browser.wait_for(&format!("document.body.dataset.ply === '2' && {word} === 'Abort'"));
    player.browser.click("#resign");
    player.browser.wait_for("!document.getElementById('menu').hidden");
    assert_no_errors(&player.browser);
    assert!(!player.folder.path().join("games").exists(), "nothing is stored");
}

/// Random moves are no advice.
#[cfg(unix)]
#[test]
#[ignore = "needs Chromium"]
fn a_hint_against_random_moves_is_of_an_engine_that_searches() {
    let folder = tempfile::tempdir().unwrap();
    // Where the arena's own engines are not in its folder.
    for name in ["random", "alpha-beta"] {
        std::os::unix::fs::symlink(common::fake_engine(), folder.path().join(name)).unwrap();
    }
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let engine = folder.path().join("random").display().to_string();
    command.current_dir(folder.path()).env("PATH", path).args(["play", &engine, "--game", "push-push"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    let mut player = Player { browser, _site: site, folder };
    assert!(player.is_to_move());
    player.browser.press("h");
    player.browser.wait_for("document.querySelector('.arrow.hinted') !== null");
    player
        .browser
        .wait_for("document.getElementById('status').textContent.includes(' Hint of alpha-beta: ')");
    // A second window plays the same match, and both say so.
    let address = player.browser.evaluate("location.href");
    let mut other = Browser::start();
    other.visit(address.as_str().unwrap());
    for browser in [&mut other, &mut player.browser] {
        browser.wait_for("document.getElementById('shared').getClientRects().length === 1");
    }
    drop(other);
    player.browser.wait_for("document.getElementById('shared').hidden");
    assert_no_errors(&player.browser);
}

/// The moves are walked through without taking any back; the engine's evaluation is hidden until asked for.
#[test]
#[ignore = "needs Chromium"]
fn earlier_positions_are_seen_and_the_match_goes_on() {
    let game = GameId::PUSH_PUSH;
    let mut player = Player::start(game, &[]);
    player.move_twice(game);
    player.browser.wait_for("document.body.dataset.ply === '4'");
    let shows = |number: &str| format!("document.getElementById('place').textContent.startsWith('{number}')");
    let fen = player.browser.evaluate("document.getElementById('fen').value");
    player.browser.press("ArrowLeft");
    player.browser.wait_for(&shows("After 2. "));
    player.browser.press("Home");
    player.browser.wait_for(&shows("Start position"));
    assert_eq!(
        player.browser.evaluate("document.getElementById('fen').value"),
        json!(Games::built_in().startpos(game).unwrap().fen())
    );
    player.browser.click("[data-walk=forward]");
    player.browser.wait_for(&shows("After 1. "));
    player.browser.click("#moves li:nth-child(2) button");
    player.browser.wait_for(&shows("After 1... "));
    player.browser.wait_for("document.querySelector('#moves [aria-current]').textContent.startsWith('1...')");
    player.browser.click("#board [data-square=a1]");
    player
        .browser
        .wait_for("document.getElementById('said').textContent.startsWith('This is an earlier position')");
    player.browser.press("End");
    player.browser.wait_for(&shows("After 2... "));
    assert_eq!(player.browser.evaluate("document.getElementById('fen').value"), fen);
    let words = "document.getElementById('bar-words').innerText";
    let is_bar_hidden =
        "document.getElementById('gauge').hidden && document.getElementById('bar-words').hidden";
    assert_eq!(player.browser.evaluate(is_bar_hidden), true);
    // The bar does not move the board, on a phone neither; the moves are in view there.
    let place = &places("#board svg");
    for width in [390, 1280] {
        player.browser.resize(width, 844);
        player.browser.evaluate("scrollTo(0, 0)");
        let before = player.browser.evaluate(place);
        player.browser.click("#thoughts");
        player.browser.wait_for("!document.getElementById('bar-words').hidden");
        assert_eq!(player.browser.evaluate(place), before, "{width}");
        player.browser.click("#thoughts");
        let list = player.browser.evaluate("(({ height, bottom }) => [height, bottom])(document.getElementById('moves').getBoundingClientRect())");
        let [height, bottom] = [0, 1].map(|idx| list[idx].as_f64().unwrap());
        assert!(width == 1280 || (height < 60.0 && bottom < 780.0), "{height} {bottom}");
    }
    player.browser.resize(1280, 900);
    player.browser.click("#thoughts");
    player.browser.wait_for(&format!("/ahead.*, says fake/.test({words})"));
    player.browser.wait_for("document.getElementById('bar-words').getClientRects().length === 1");
    player.browser.wait_for("/^\\d+%$/.test(document.querySelector('#gauge span').textContent)");
    let latest = player.browser.evaluate(words);
    check_width(&mut player.browser, "evaluation");
    check_access(&mut player.browser, "evaluation");
    take_pictures(&mut player.browser, "play-evaluation");
    // The evaluation is that of the position which is shown.
    player.browser.press("Home");
    player.browser.wait_for(&format!("{words} === 'No evaluation yet'"));
    player.browser.press("End");
    player.browser.wait_for(&format!("{words} === {latest}"));
    let mv = player.legal_moves(game)[0].clone();
    player.click_move(&mv);
    assert!(player.is_to_move());
    // The end is said beside an earlier position, too.
    player.browser.press("ArrowLeft");
    player.browser.wait_for("document.getElementById('status').textContent === 'Earlier position.'");
    player.browser.click("#resign");
    player.browser.click("#resign");
    player.browser.wait_for("/^You have lost: you resigned\\. .* Earlier position\\.$/.test(document.getElementById('status').textContent)");
    assert_no_errors(&player.browser);
}

/// After the end: the replay, the analysis, and another match with other colours, or another level.
#[test]
#[ignore = "needs Chromium"]
fn a_match_that_is_over_leads_on() {
    let game = GameId::PUSH_PUSH;
    let folder = tempfile::tempdir().unwrap();
    let fake = toml::Value::from(common::fake_engine().to_str().unwrap());
    let file = format!(
        "[limits]\nmovetime = \"1s\"\n[[game]]\nid = \"push-push\"\n[[engine]]\nname = \"fake\"\ncommand = {fake}\nargs = \
         [\"good\"]\nenvironment = {{ FAKE_ENGINE_OPTION = \"Level type spin default 5 min 1 max 5\" }}\n[[engine]]\nname = \
         \"other\"\ncommand = {fake}\nargs = [\"good\"]\n"
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let args = ["--config", "cup.toml", "--game", game.id(), "--level", "2", "--tc", "5min"];
    let mut player = Player::against("fake", folder, &args);
    let lose = |player: &mut Player| player.lose(game);
    assert!(player.is_to_move());
    let status = player.browser.evaluate("document.getElementById('status').textContent");
    assert!(status.as_str().unwrap().contains("Your clock starts with your first move."), "{status}");
    lose(&mut player);
    player.browser.wait_for("document.querySelector('#after p').innerText.startsWith('Replay of match 1')");
    check_access(&mut player.browser, "after the match");
    check_width(&mut player.browser, "after the match");
    take_pictures(&mut player.browser, "play-over");
    assert_eq!(player.browser.evaluate("document.getElementById('folder').textContent"), "stored in games");
    player.browser.click("#replay");
    player.browser.wait_for("document.getElementById('match-title')?.textContent.startsWith('Match 1')");
    // There is no tournament above the replay.
    assert_eq!(player.browser.evaluate("document.querySelector('.player a[href]')"), Value::Null);
    // It says who played, and is analysed as the match is.
    player
        .browser
        .wait_for("document.getElementById('match-facts').textContent.startsWith('you – fake level 2')");
    player.browser.click(".neighbours button");
    player.browser.wait_for("document.body.dataset.node === '4'");
    player.browser.click("#back a");
    player.browser.wait_for("document.getElementById('after')?.hidden === false");
    player.browser.click("#analyse");
    player.browser.wait_for("document.body.dataset.node === '4'");
    // The evaluations of the match are there at once.
    player.browser.wait_for("document.querySelector('#chart .curve path') !== null");
    player.browser.wait_for("document.querySelector('#tree .main-line > :last-child').textContent === '0–1'");
    check_width(&mut player.browser, "analysis of a match");
    check_access(&mut player.browser, "analysis of a match");
    player.browser.wait_for("document.getElementById('exported').value.includes('[Black \"fake level 2\"]')");
    assert_eq!(player.browser.evaluate("document.querySelector('.engine h3').textContent"), "fake");
    // The other engines of the file can be added.
    player.browser.wait_for("document.getElementById('to-add').options[0].text === 'other'");
    player.browser.click("#adding button");
    player.browser.wait_for("document.querySelectorAll('.engine').length === 2");
    player.browser.click("#back a");
    player.browser.wait_for("document.getElementById('after')?.hidden === false");
    // The same colours, another level; then the colours are swapped.
    player.browser.evaluate("document.getElementById('level').value = '4'");
    player.browser.click("#again");
    let names =
        |names: &str| format!("document.getElementById('name').textContent.endsWith({})", json!(names));
    player.browser.wait_for(&names("you – fake level 4"));
    lose(&mut player);
    player.browser.click("#new");
    player.browser.wait_for(&names("fake level 4 – you"));
    lose(&mut player);
    player.browser.wait_for("document.querySelector('#after p').innerText.startsWith('Replay of match 3')");
    // Black stays below.
    player.browser.click("#replay");
    player
        .browser
        .wait_for("document.querySelector('#player-bottom .who')?.textContent === 'you plays Black'");
    player.browser.click("#match-back");
    player.browser.wait_for("document.getElementById('after')?.hidden === false");
    player.browser.click("#analyse");
    player.browser.wait_for("document.querySelector('.analysis #bottom .who')?.textContent === 'you'");
    assert_no_errors(&player.browser);
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(player.folder.path())
        .args(["rate", "games", "--format", "csv"])
        .output()
        .unwrap();
    let rated = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(rated.contains("fake level 2,") && rated.contains("fake level 4,"), "{rated}");
    // Each match has its own seed.
    let journal = fs::read_to_string(player.folder.path().join("games/matches.jsonl")).unwrap();
    let seeds =
        journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["engine_seed"].as_u64());
    let seeds: std::collections::BTreeSet<u64> = seeds.map(Option::unwrap).collect();
    assert_eq!(seeds.len(), 3, "{journal}");
}

/// Without an engine and a game, everything is chosen on the page; each level is an opponent of its own.
#[test]
#[ignore = "needs Chromium"]
fn a_match_is_set_up_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let fake = toml::Value::from(common::fake_engine().to_str().unwrap());
    let engine = |name: &str, rest: &str| {
        format!("[[engine]]\nname = \"{name}\"\ncommand = {fake}\nargs = [\"good\"]\n{rest}\n")
    };
    let level = "environment = { FAKE_ENGINE_OPTION = \"Level type spin default 10 min 1 max 10\" }";
    let file = format!(
        "[limits]\nmovetime = \"1s\"\n{}{}",
        engine("one", "games = [\"push\"]"),
        engine("strong", level)
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).args(["play", "--config", "cup.toml", "--results", "games"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("!document.getElementById('menu').hidden");
    check_width(&mut browser, "menu");
    check_access(&mut browser, "menu");
    take_pictures(&mut browser, "play-menu");
    let mut player = Player { browser, _site: site, folder };
    let browser = &mut player.browser;
    assert_eq!(
        browser.evaluate("document.getElementById('choose-game').options.length"),
        json!(GameId::BUILT_IN.len())
    );
    // The board of the chosen game and start is shown.
    let shows = |browser: &mut Browser, name: &str, n_squares: usize, n_pieces: usize| {
        browser.wait_for(&format!(
            "document.querySelector('#preview svg')?.getAttribute('aria-label') === 'Start position of {name}' && document.querySelectorAll('#preview [data-square]').length === {n_squares} && document.querySelectorAll('#preview .piece').length === {n_pieces}"
        ));
    };
    choose(browser, "game", "tower-push");
    choose(browser, "start", "5x5");
    shows(browser, "Tower Push", 25, 10);
    choose(browser, "game", "push-push");
    shows(browser, "Push Push", 49, 15);
    browser.wait_for("document.getElementById('game-about').textContent.endsWith('the ball beyond your own side is a loss.')");
    // The engine that does not play the game cannot be chosen; of the other one, a weak level is offered.
    assert_eq!(
        browser.evaluate("document.getElementById('choose-engine').selectedOptions[0].text"),
        "strong"
    );
    assert_eq!(browser.evaluate("document.getElementById('choose-level').value"), "4");
    choose(browser, "level", "2");
    // Another game leaves it as it is.
    choose(browser, "game", "push-push");
    assert_eq!(browser.evaluate("document.getElementById('choose-level').value"), "2");
    choose(browser, "time", "tc 5min+3s");
    browser.click("input[name=colour][value=b]");
    // Black has its own pieces below.
    browser.wait_for(
        "document.querySelector('#preview [data-square=a7]').getBoundingClientRect().y > document.querySelector('#preview [data-square=a1]').getBoundingClientRect().y",
    );
    // What is wrong is said before and after the choice is sent, and the choice stays.
    let said =
        "document.getElementById('choose-said').textContent.includes('this is not a FEN: it needs 6 fields')";
    browser.evaluate("(() => { const fen = document.getElementById('choose-fen'); fen.value = 'rubbish'; fen.dispatchEvent(new Event('change')); })()");
    browser.wait_for(said);
    assert_eq!(browser.evaluate("document.querySelector('#preview svg')"), json!(null));
    browser.evaluate("document.getElementById('choose-said').textContent = ''");
    browser.click("#choose button");
    browser.wait_for(said);
    assert_eq!(browser.evaluate("document.getElementById('choose-level').value"), "2");
    browser.evaluate("document.getElementById('choose-fen').value = ''");
    browser.click("#choose button");
    assert!(player.is_to_move());
    let name = "document.getElementById('name').textContent";
    assert_eq!(player.browser.evaluate(name), "Push Push: strong level 2 – you");
    player.browser.wait_for("document.querySelectorAll('.clock[data-side]').length === 2");
    // Sounds are off until they are wanted, and can be heard then.
    assert_eq!(player.browser.evaluate("document.getElementById('sound').ariaPressed"), "false");
    player.browser.click("#sound");
    player.lose(GameId::PUSH_PUSH);
    player.browser.click("#other");
    player.browser.wait_for("!document.getElementById('menu').hidden");
    // What was chosen last is chosen still. Another game and engine; the analysis is theirs, too.
    assert_eq!(player.browser.evaluate("document.getElementById('choose-level').value"), "2");
    choose(&mut player.browser, "game", "push");
    // A random start may be over in two moves.
    choose(&mut player.browser, "start", "8x8-5");
    choose(&mut player.browser, "engine", "0");
    player.browser.click("#choose button");
    assert!(player.is_to_move());
    assert_eq!(player.browser.evaluate(name), "Push: one – you");
    player.lose(GameId::PUSH);
    player.browser.click("#analyse");
    player.browser.wait_for("document.querySelector('.engine h3')?.textContent === 'one'");
    assert_no_errors(&player.browser);
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(player.folder.path())
        .args(["rate", "games", "--format", "csv"])
        .output()
        .unwrap();
    let rated = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(rated.contains("strong level 2,"), "{rated}");
}

/// `arena play` alone finds the engines that are built with the arena, in its folder or on `PATH`.
#[test]
#[ignore = "needs Chromium"]
fn own_engines_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("alpha-beta");
    std::os::unix::fs::symlink(common::fake_engine(), &program).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder.path()).env("PATH", path).args(["play", "push-push"]);
    let site = Site::start(&mut command);
    let mut browser = Browser::start();
    browser.visit(&site.url(""));
    browser.wait_for("document.getElementById('choose-engine').options[0]?.text === 'alpha-beta'");
    assert_eq!(browser.evaluate("document.getElementById('choose-game').value"), "push-push");
    take_pictures(&mut browser, "play-menu-own");
    browser.click("#choose button");
    browser.wait_for("document.body.dataset.turn === 'you' || document.body.dataset.turn === 'engine'");
    assert_no_errors(&browser);
}

/// Chess: castling and promotion are choices like any other.
#[test]
#[ignore = "needs Chromium"]
fn chess_is_played_by_clicking() {
    let mut player = Player::start(GameId::CHESS, &["--fen", "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]);
    assert!(player.is_to_move());
    // Everybody knows how it is played: what the page says of the pieces is open instead.
    player
        .browser
        .wait_for("document.getElementById('how').hidden && document.getElementById('marked').open");
    player.click_move("e1g1");
    assert!(player.is_to_move());
    // The pieces that a pawn can become are offered on the board, too.
    player.browser.click("#board [data-square=a7]");
    player.browser.click("#board [data-square=a8]");
    player.browser.wait_for("document.querySelectorAll('#board .offered').length === 4");
    // The words are seen whole; the buttons beside them are for the keyboard.
    player.browser.wait_for("(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('.asked'))");
    let before = player.ply();
    player.browser.click("#board [data-square=a5]");
    assert!(player.browser.holds_soon(&format!("{before} < Number(document.body.dataset.ply)")));
    let fen = player.browser.evaluate("document.getElementById('fen').value");
    assert!(fen.as_str().unwrap().starts_with("N7/"), "{fen}");
    // As people write it, and with everybody's name.
    let text = player.browser.evaluate("document.getElementById('moves').innerText");
    assert!(text.as_str().unwrap().contains("O-O") && text.as_str().unwrap().contains("a8=N"), "{text}");
    let name = player.browser.evaluate("document.getElementById('name').textContent");
    assert_eq!(name, "Chess: you – fake");
    assert!(player.is_to_move());
    player.browser.evaluate("document.getElementById('typed').value = 'Rf7'");
    player.browser.click("#type button");
    player.browser.wait_for("document.getElementById('moves').innerText.includes('Rf7')");
    check_access(&mut player.browser, "chess");
    take_pictures(&mut player.browser, "play-chess");
    assert_no_errors(&player.browser);
}

/// What the king forbids is said before anything else, of a click as of a typed move.
#[test]
#[ignore = "needs Chromium"]
fn the_king_forbids_moves_of_chess() {
    let mut player = Player::start(GameId::CHESS, &["--fen", "4k3/8/8/8/5r2/8/8/4K2R w K - 0 1"]);
    assert!(player.is_to_move());
    let said = "document.getElementById('said').textContent";
    let castling = "your king would come to an attacked square on its way";
    for (square, why) in [("f1", "that leaves your king in check"), ("g1", castling)] {
        player.browser.press("Escape");
        player.browser.click("#board [data-square=e1]");
        player.browser.click(&format!("#board [data-square={square}]"));
        player.browser.wait_for(&format!("{said} === {}", json!(format!("{square}: {why}"))));
    }
    assert_no_errors(&player.browser);
}

/// Why a match is not stored is seen, and each attempt; "Resign?" is taken back by Esc or a click elsewhere.
#[test]
#[ignore = "needs Chromium"]
fn why_a_match_is_not_stored_is_seen() {
    let mut player = Player::start(GameId::PUSH_PUSH, &[]);
    player.move_twice(GameId::PUSH_PUSH);
    let word = "document.getElementById('resign').textContent";
    player.browser.click("#resign");
    player.browser.wait_for(&format!("{word} === 'Resign?'"));
    player.browser.press("Escape");
    player.browser.wait_for(&format!("{word} === 'Resign'"));
    player.browser.click("#resign");
    player.browser.wait_for(&format!("{word} === 'Resign?'"));
    player.browser.click("#status");
    player.browser.wait_for(&format!("{word} === 'Resign'"));
    fs::write(player.folder.path().join("games"), "no folder").unwrap();
    player.browser.click("#resign");
    player.browser.click("#resign");
    let is_seen = |words: &str| {
        format!(
            "document.getElementById('said').textContent.startsWith({}) && document.getElementById('said').getBoundingClientRect().bottom <= document.querySelector('.asked').getBoundingClientRect().bottom",
            json!(words)
        )
    };
    player.browser.wait_for(&is_seen("cannot store the match: "));
    player.browser.click("#new");
    player.browser.wait_for(&is_seen("cannot store the match (attempt 2): "));
    check_width(&mut player.browser, "not stored");
    assert_no_errors(&player.browser);
}

/// The first empty cell of a position of Hex, from the top.
fn free_cell(fen: &str) -> String {
    for (row, rank) in fen.split('/').enumerate() {
        // What precedes the first run of empty cells are stones, one a cell.
        let rank = rank.split(' ').next().unwrap_or_default();
        if let Some(stones) = rank.find(|sign: char| sign.is_ascii_digit()) {
            return format!("{}{}", ["a", "b", "c", "d", "e"][stones], 5 - row);
        }
    }
    panic!("the board is full: {fen}");
}

/// A game whose rules are a program, against an engine that needs no rules.
#[test]
#[ignore = "needs Chromium"]
fn a_game_of_ones_own_is_played_by_clicking() {
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let referee = format!("hex-5=python3 {repository}/configs/own-game/hex.py");
    let engine = format!("python3 {repository}/engine-proto/examples/python/legal_moves.py hex-5");
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::against(&engine, folder, &["--game", "hex-5", "--referee", &referee]);
    while player.is_to_move() {
        let fen = player.browser.evaluate("document.getElementById('fen').value");
        let cell = free_cell(fen.as_str().unwrap());
        let before = player.ply();
        player.browser.click(&format!("#board [data-square={cell}]"));
        assert!(
            player.browser.holds_soon(&format!("{before} < Number(document.body.dataset.ply)")),
            "{cell}"
        );
    }
    take_pictures(&mut player.browser, "play-hex");
    let status = player.browser.evaluate("document.getElementById('status').textContent");
    assert!(status.as_str().unwrap().contains("connection"), "{status}");
    assert_no_errors(&player.browser);
}
