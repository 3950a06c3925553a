//! The board of a person who plays: what is marked, and what a click means.

use engine_proto::scene::{Change, Touch};
use engine_proto::{AnyPlay, GameId, Games, Side};
use serde_json::json;

use super::player::Player;
use super::{assert_no_errors, check_access, places, squares_of, take_pictures};
use crate::common::browser::Browser;

/// Nobody knows Four Towers: the page says what can be done, what it means, and why a click does nothing.
#[test]
#[ignore = "needs Chromium"]
fn an_unknown_game_explains_itself() {
    let mut player = Player::start(GameId::FOUR_TOWERS, &[]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let text = |id: &str| format!("document.getElementById('{id}').textContent");
    let says = |words: &str| format!("{}.includes({})", text("said"), json!(words));
    browser.wait_for(&format!("{}.includes('marshall (M)')", text("legend")));
    browser.wait_for(&format!("{}.includes('from')", text("notation")));
    // A piece is chosen; where it can go is marked by what it does there.
    let place = &places("#board, #moves, #type, #resign");
    let before = browser.evaluate(place);
    browser.click("#board [data-square=e8]");
    browser.wait_for(&says("no piece is here; choose "));
    browser.point("#board [data-square=e8]");
    browser.wait_for(&format!("{}.startsWith('e8: an empty tower; ')", text("pointed")));
    browser.click("#board [data-square=f10]");
    browser.wait_for(&says("this piece is not yours; choose "));
    let start = Games::built_in().startpos(GameId::FOUR_TOWERS).unwrap();
    let begins = |square: &str| start.legal_moves().iter().any(|mv| squares_of(mv)[0] == square);
    let pieces = start.scene().pieces;
    let own = pieces.iter().filter(|piece| piece.owner == Some(Side::White));
    let stuck = own.map(|piece| piece.square.to_string()).find(|square| !begins(square)).unwrap();
    browser.click(&format!("#board [data-square={stuck}]"));
    browser.wait_for(&says("this piece has no legal move now; choose "));
    browser.click("#board [data-square=d3]");
    browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
    browser.wait_for("document.querySelector('.input-marks .target.join') !== null");
    browser.wait_for(&says("joins the pawn there, which becomes a lancer"));
    browser.click("#board [data-square=i9]");
    browser.wait_for(&says("the pawn on d3 steps forward or sideways, and captures diagonally forward"));
    browser.wait_for("document.querySelector('.input-marks .chosen') !== null");
    assert_eq!(browser.evaluate(place), before);
    check_access(browser, "help");
    // A typed move that is wrong gets a reason and examples, and can be mended.
    browser.evaluate("document.getElementById('typed').value = 'e2e4'");
    browser.click("#type button");
    // It stands at the field, and hides nothing else that is said.
    browser.wait_for(&format!(
        "{}.startsWith('e2e4 is not a legal move: the cardinal goes as bishop or knight; from e2, for example: ')",
        text("typed-said")
    ));
    let gap = "document.getElementById('typed-said').getBoundingClientRect().top - document.getElementById('typed').getBoundingClientRect().bottom";
    let gap = browser.evaluate(gap).as_f64().unwrap();
    assert!((0.0..12.0).contains(&gap), "{gap}");
    assert_eq!(browser.evaluate(place), before);
    for width in [1024, 390, 1280] {
        browser.resize(width, 900);
        assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "{width}");
    }
    assert_eq!(browser.evaluate("document.getElementById('typed').value"), "e2e4");
    // It goes with the next click, so that it covers nothing for long.
    browser.click("#status");
    browser.wait_for(&format!("{} === ''", text("typed-said")));
    browser.press("Escape");
    browser.wait_for("document.querySelector('.input-marks .chosen') === null");
    take_pictures(browser, "play-help");
    // How it is played stands beside the board, towers included, and at the top of the rules in a tab of their own.
    browser.wait_for(
        "document.querySelector('#how details table')?.textContent.includes('put pieces on other squares')",
    );
    // A picture is a board before a move and after it, with the piece that came.
    let drawn = "[...document.querySelectorAll('figure.picture')].filter((figure) => figure.querySelectorAll('.board svg').length === 2).length";
    browser
        .wait_for(&format!("2 <= {drawn} && {drawn} === document.querySelectorAll('figure.picture').length"));
    browser.click("#how details summary");
    browser.wait_for("0 < document.querySelector('#how table').getClientRects().length");
    check_access(browser, "how to play");
    take_pictures(browser, "play-how");
    browser.click("#marked summary");
    browser.wait_for("!document.getElementById('how').open && document.querySelector('#legend li') !== null");
    check_access(browser, "legend");
    let page = browser.evaluate("location.href");
    assert_eq!(browser.evaluate("document.getElementById('rules').target"), "_blank");
    browser.evaluate("location.href = document.getElementById('rules').href");
    browser.wait_for("document.querySelector('h1')?.textContent === 'Rules of Four Towers'");
    browser.wait_for("document.querySelector('h3').textContent === 'How to play'");
    browser.wait_for(&format!("2 <= {drawn}"));
    check_access(browser, "rules");
    take_pictures(browser, "play-rules");
    browser.visit(page.as_str().unwrap());
    browser.wait_for("document.querySelector('#board svg') !== null");
    player.click_move("d3d4");
    assert!(player.is_to_move());
    player.browser.wait_for("document.querySelectorAll('#board .mark-edge.to').length === 1");
    // A piece that has joined another one of its side was not captured.
    player.click_move("g3h3");
    assert!(player.is_to_move());
    assert_eq!(player.browser.evaluate("document.querySelectorAll('#moves .of-w .capture').length"), 0);
    // Where a whole piece and a part of it can go, the whole one comes first, and another click moves it.
    let button = &places("#resign");
    let before = player.browser.evaluate(button);
    player.browser.click("#board [data-square=d4]");
    player.browser.click("#board [data-square=d5]");
    player.browser.wait_for(
        "[...document.querySelectorAll('#choices button')].map((one) => one.textContent).map((words, idx) => words.startsWith(['The whole lancer goes; on the tower: ', 'Only its pawn part goes'][idx])).join() === 'true,true'",
    );
    assert_eq!(player.browser.evaluate(button), before);
    // All are seen whole.
    let are_seen = "[...document.querySelectorAll('#choices button')].every((one) => { const { left, width, top, bottom } = one.getBoundingClientRect(); return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint(left + width / 2, y))); })";
    assert_eq!(player.browser.evaluate(are_seen), true);
    take_pictures(&mut player.browser, "play-choices");
    player.browser.click("#board [data-square=d5]");
    player.browser.wait_for("4 < Number(document.body.dataset.ply)");
    assert_no_errors(&player.browser);
    two_pieces_become_one_on_a_tower();
}

/// The effect on the tower is that of the piece which stands there afterwards, and no other.
fn two_pieces_become_one_on_a_tower() {
    let fen = "dmk/rnb1bq/p1ppppbm1/4nBp1pp/2p4p2/9/3M6/PPPP2N3/3PPPPPP/QCDB1R/KMD w - B R - - 1 10";
    let mut player = Player::start(GameId::FOUR_TOWERS, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let page = browser.evaluate("location.href");
    browser.click("#board [data-square=g8]");
    browser.point("#board [data-square=d5]");
    browser.wait_for(
        "/^d5: joins the marshall there, which becomes a wizard; on the tower: its side may [^;:]* in one turn; d5: trades places with the marshall$/.test(document.getElementById('pointed').textContent)",
    );
    browser.click("#board [data-square=d5]");
    browser.click("#choices button");
    // The engine has moved, and it is the person's turn: each of the two draws the board again.
    browser.wait_for("1 < Number(document.body.dataset.ply) && document.body.dataset.turn === 'you'");
    // What a tower did in an earlier position is told there.
    browser.press("Home");
    browser.point("#board [data-square=d5]");
    browser.wait_for(
        "document.getElementById('pointed').textContent.startsWith(\"d5 (White's marshall): the tower's effect: \")",
    );
    browser.wait_for("document.querySelectorAll('.preview .area').length === 36");
    // A finger does not click.
    browser.touch();
    browser.visit(page.as_str().unwrap());
    browser.wait_for("document.body.dataset.turn === 'you'");
    browser.click("#board [data-square=d2]");
    browser.wait_for("document.getElementById('said').textContent.includes(': tap a ')");
    assert_no_errors(browser);
}

/// The next move is chosen while the engine thinks, and played after its move.
#[test]
#[ignore = "needs Chromium"]
fn a_move_is_chosen_ahead() {
    let mut player = Player::against_slow(2000, &[]);
    assert!(player.is_to_move());
    player.click_move("e1e2");
    let browser = &mut player.browser;
    browser.wait_for("document.body.dataset.turn === 'engine'");
    let is_marked = |n: u32| format!("document.querySelectorAll('.input-marks .ahead').length === {n}");
    let click = |browser: &mut Browser, square: &str, n: u32| {
        browser.click(&format!("#board [data-square={square}]"));
        browser.wait_for(&is_marked(n));
    };
    click(browser, "b1", 1);
    click(browser, "b2", 2);
    browser.wait_for("document.getElementById('said').textContent.startsWith('Your next move is marked: ')");
    // A click elsewhere takes it back.
    click(browser, "d6", 0);
    click(browser, "c1", 1);
    click(browser, "c2", 2);
    browser.wait_for("document.body.dataset.ply === '3'");
    assert_eq!(browser.evaluate("document.querySelectorAll('#moves .of-w')[1].textContent"), "2.c1c2 White");
    browser.wait_for(&is_marked(0));
    // What is not legal then is not played.
    click(browser, "a1", 1);
    click(browser, "a7", 2);
    browser.wait_for("document.body.dataset.turn === 'you'");
    browser.wait_for(&is_marked(0));
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "4");
    // Who takes back a move takes back what shall follow it, too.
    player.click_move("g1g2");
    let browser = &mut player.browser;
    browser.wait_for("document.body.dataset.turn === 'engine'");
    click(browser, "a1", 1);
    click(browser, "a2", 2);
    browser.click("#take-back");
    browser.wait_for("document.body.dataset.ply === '4' && document.body.dataset.turn === 'you'");
    browser.wait_for(&is_marked(0));
    browser.wait_for("document.getElementById('said').textContent === 'Choose a piece.'");
    assert_no_errors(&player.browser);
}

/// Whether a move of two squares changes another square, and takes nothing.
fn pushes(play: &dyn AnyPlay, mv: &str) -> bool {
    let mut next = play.boxed();
    next.play(mv).unwrap();
    let n_pieces = |play: &dyn AnyPlay| play.scene().pieces.len();
    let has_entered = |touch: &Touch| touch.role.is_none() && touch.change == Some(Change::Entered);
    n_pieces(next.as_ref()) == n_pieces(play)
        && squares_of(mv).len() == 2
        && next.effects().unwrap().touches.iter().any(has_entered)
}

/// What a move does is shown before it is made.
#[test]
#[ignore = "needs Chromium"]
fn captures_and_pushes_are_marked() {
    let mut player = Player::start(GameId::CHESS, &["--fen", "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1"]);
    assert!(player.is_to_move());
    player.browser.click("#board [data-square=e4]");
    player.browser.wait_for("document.querySelectorAll('.input-marks .target.capture').length === 1");
    player.browser.wait_for("document.querySelectorAll('.input-marks .target.move').length === 1");
    // A king in check is marked, and the page says so.
    player.click_move("a1a8");
    assert!(player.is_to_move());
    player.browser.click("#moves button");
    player.browser.wait_for(
        "document.getElementById('status').textContent === 'Earlier position: check.' && document.querySelector('#board .check') !== null",
    );
    // Where the hint is one of several moves to choose from, its button is marked.
    let mut player = Player::start(GameId::CHESS, &["--fen", "7k/P7/8/8/8/8/5q2/7K w - - 0 1"]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#hint");
    browser.wait_for("document.querySelector('.arrow.hinted') !== null");
    browser.click("#board [data-square=a7]");
    browser.click("#board [data-square=a8]");
    browser.wait_for("document.querySelectorAll('#choices button').length === 4");
    browser.wait_for("[...document.querySelectorAll('#choices button')].filter((one) => one.textContent.endsWith(' (hint)')).length === 1");
    assert_eq!(browser.evaluate("document.querySelectorAll('#choices .hinted').length"), 1);
    // A piece in hand is placed: each square for it is marked at once.
    let fen = "1x1x1xx/1x1xx2/6x/1X1T1x1/1X3x1/3X3/7 w 1 0 b - 0 35";
    let n_empty = Games::built_in().play(GameId::TOWER_PUSH, fen).unwrap().legal_moves().len();
    let mut player = Player::start(GameId::TOWER_PUSH, &["--fen", fen]);
    assert!(player.is_to_move());
    player
        .browser
        .wait_for(&format!("document.querySelectorAll('.input-marks .target.move').length === {n_empty}"));
    player
        .browser
        .wait_for("document.getElementById('said').textContent === 'Place a piece on a marked square.'");
    // A row of three: the stone that it captures on its way is marked, and not only where the row ends.
    let fen = "8/8/8/8/1s6/S7/SS6/S6s w 0 0";
    let mut player = Player::start(GameId::TOWER_OF_POWER, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#board [data-square=a1]");
    browser.wait_for(
        "document.getElementById('said').textContent.includes('a dashed square to lay a row out from there')",
    );
    browser.click("#board [data-square=a3]");
    browser.wait_for("document.querySelector('.input-marks .target.lay') !== null");
    assert_eq!(browser.evaluate("document.querySelectorAll('.input-marks .target.capture').length"), 1);
    browser.wait_for("document.querySelector('#choices button').textContent === 'Move only a1 onto a3'");
    assert_eq!(browser.evaluate("document.querySelectorAll('#marks .target.push').length"), 0);
    // A click on what is captured means the square where that row ends; a cross shows what was captured.
    browser.click("#board [data-square=b4]");
    browser.wait_for(
        "document.body.dataset.ply !== '0' && ['you', 'over'].includes(document.body.dataset.turn)",
    );
    browser.click("#moves button");
    browser.wait_for("document.getElementById('status').textContent === 'Earlier position.'");
    browser.wait_for("document.querySelectorAll('#board path.gone').length === 1");
    browser.wait_for("document.querySelectorAll('#moves li:first-child .capture').length === 1");
    // A knight chooses the direction of its push: the buttons stand as the directions do, and say what each one does.
    let fen = "7k/5N2/8/8/8/8/8/K7 w 00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000 - 0 0 0";
    let mut player = Player::start(GameId::PUSH, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#board [data-square=f7]");
    browser.wait_for("document.querySelectorAll('.input-marks .target.capture').length === 1");
    browser.click("#board [data-square=h8]");
    let wins = "#choices [data-move='f7xh8:n']";
    browser.wait_for(&format!(
        "document.querySelector({}).ariaLabel === \"Kills Black's king on h8, pushed ↑ off the board: you win\"",
        json!(wins)
    ));
    let lies = |way: &str, sign: &str| {
        let place = "[one.getBoundingClientRect().x - up.x > 0, one.getBoundingClientRect().y - up.y > 0, one.innerText.startsWith";
        format!(
            "(() => {{ const up = document.querySelector({}).getBoundingClientRect(); const one = document.querySelector(\"#choices [data-move='f7xh8:{way}']\"); return {place}('{sign}')]; }})()",
            json!(wins)
        )
    };
    assert_eq!(browser.evaluate(&lies("e", "→")), json!([true, true, true]));
    assert_eq!(browser.evaluate(&lies("ne", "↗")), json!([true, false, true]));
    take_pictures(browser, "play-directions");
    browser.click(wins);
    browser.wait_for(
        "document.getElementById('status').textContent.startsWith(\"You have won: Black's king died\")",
    );
    // The arrow of a push is dotted, unlike those of engines.
    browser.wait_for(
        "getComputedStyle(document.querySelector('#board .shift .shaft')).strokeDasharray !== 'none'",
    );
    assert_eq!(browser.evaluate("document.querySelector('#moves .outcome').textContent"), "1–0");
    for game in [GameId::PUSH, GameId::TOWER_PUSH] {
        let mut player = Player::start(game, &[]);
        assert!(player.is_to_move());
        for n in 0.. {
            assert!(n < 30, "{game}: nothing can be pushed");
            let fen = player.browser.evaluate("document.getElementById('fen').value");
            let play = Games::built_in().play(game, fen.as_str().unwrap()).unwrap();
            let legal = play.legal_moves();
            if let Some(mv) = legal.iter().find(|mv| pushes(play.as_ref(), mv)) {
                player.browser.click(&format!("#board [data-square={}]", squares_of(mv)[0]));
                player.browser.wait_for("document.querySelector('.input-marks .target.push') !== null");
                take_pictures(&mut player.browser, &format!("play-{game}-push"));
                break;
            }
            player.click_move(&legal[n % legal.len()]);
            assert!(player.is_to_move());
        }
    }
}

/// A slip does not lose a match: the move is asked for once more.
/// The squares of a knight's push do not say where the pushed piece goes: a click on that square does.
#[test]
#[ignore = "needs Chromium"]
fn where_a_pushed_piece_goes_is_clicked() {
    let mut play = Games::built_in().startpos(GameId::PUSH).unwrap();
    // The squares of several moves.
    let shared = |play: &dyn AnyPlay| {
        let all: Vec<_> = play.legal_moves().iter().map(|mv| squares_of(mv)).collect();
        let is_shared = |squares: &&Vec<String>| 1 < all.iter().filter(|other| other == squares).count();
        all.iter().find(is_shared).filter(|_| play.side_to_move() == Side::White).cloned()
    };
    while shared(play.as_ref()).is_none() {
        let mv = play.legal_moves().swap_remove(0);
        play.play(&mv).unwrap();
    }
    let mut player = Player::start(GameId::PUSH, &["--fen", &play.fen()]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let squares = shared(play.as_ref()).unwrap();
    let buttons = &places("#take-back, #hint, #resign");
    let is_whole = "(() => { const asked = document.querySelector('.asked'); const box = asked.getBoundingClientRect();
        return [...document.querySelectorAll('#said, #choices button')].map((one) => one.getBoundingClientRect()).every(({ left, right, top, bottom }) =>
            box.top - 1 <= top && bottom <= box.bottom + 1 && asked.contains(document.elementFromPoint((left + right) / 2, bottom - 3))); })()";
    browser.click("#thoughts");
    // The choice appears where it moves no button.
    for width in [390, 1280] {
        browser.press("Escape");
        browser.resize(width, 900);
        browser.wait_until_still("#board svg");
        let before = browser.evaluate(buttons);
        for square in &squares {
            browser.click(&format!("#board [data-square={square}]"));
        }
        browser.wait_for(
            "document.getElementById('said').textContent.includes('click a marked square or an arrow')",
        );
        assert_eq!(browser.evaluate(buttons), before, "{width}");
        assert_eq!(browser.evaluate(is_whole), true, "{width}: all of the choice is seen");
        // The arrows stay under the mouse, however long the words are.
        let arrows = &places(".around button");
        let before = browser.evaluate(arrows);
        browser.point(".around button");
        browser.wait_for("document.querySelector('#board .preview') !== null");
        assert_eq!(browser.evaluate(arrows), before, "{width}: arrows");
    }
    // A second click on the target keeps it.
    let chosen = "document.querySelectorAll('.input-marks .chosen').length";
    assert_eq!(browser.evaluate(chosen), json!(squares.len()));
    browser.click(&format!("#board [data-square={}]", squares[squares.len() - 1]));
    assert_eq!(browser.evaluate(chosen), json!(squares.len()));
    browser.wait_for(
        "document.getElementById('said').textContent.includes('click a marked square or an arrow')",
    );
    take_pictures(browser, "play-landings");
    let marked = "[...document.querySelectorAll('.input-marks .target.push')].map((mark) => mark.getAttribute('transform'))";
    let marked = browser.evaluate(marked);
    assert!(1 < marked.as_array().unwrap().len(), "{marked}");
    // Pointing at such a square shows what comes of it, and a click plays the move.
    let place = "{ const mark = document.querySelector('.input-marks .target.push').getBoundingClientRect(); const [x, y] = [mark.x + mark.width / 2, mark.y + mark.height / 2]; [...document.querySelectorAll('#board [data-square]')].find((one) => { const box = one.getBoundingClientRect(); return box.left < x && x < box.right && box.top < y && y < box.bottom; }).dataset.square }";
    let landing = browser.evaluate(place);
    let landing = format!("#board [data-square={}]", landing.as_str().unwrap());
    browser.point(&landing);
    browser.wait_for("document.querySelector('.preview .ghost') !== null");
    browser.click(&landing);
    browser.wait_for("Number(document.body.dataset.ply) >= 1");
    let played = browser.evaluate("document.querySelector('#moves button').textContent");
    assert!(played.as_str().unwrap().contains(&format!("{}x{}:", squares[0], squares[1])), "{played}");
    assert_no_errors(browser);
    // Off the board there is no square, but an arrow; below a cliff, there are both.
    let heights = "00000000/00000000/00000000/00000002/00000000/00000000/00000000/00000000";
    let fen = format!("7k/8/8/7r/5N2/8/8/K7 w {heights} - 0 0 0");
    let mut player = Player::start(GameId::PUSH, &["--fen", &fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#board [data-square=f4]");
    browser.click("#board [data-square=h5]");
    browser.wait_for(
        "document.getElementById('said').textContent.includes('(off: off the board, ✕: lost there)')",
    );
    browser.wait_for("document.querySelector('[data-move=\"f4xh5:e\"]').textContent === '→off'");
    browser.click("#board [data-square=h6]");
    browser.wait_for("document.querySelector('#moves button')?.textContent.includes('f4xh5:n')");
    assert_no_errors(browser);
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_loses_at_once_is_asked_again() {
    let game = GameId::PUSH;
    let mut player = Player::start(game, &["--start", "default"]);
    assert!(player.is_to_move());
    let loses = |mv: &String| {
        let mut next = Games::built_in().startpos(game).unwrap();
        next.play(mv).unwrap();
        squares_of(mv).len() == 2 && next.end().is_some_and(|end| end.winner == Some(Side::Black))
    };
    let losing = Games::built_in().startpos(game).unwrap().legal_moves().into_iter().find(loses).unwrap();
    let squares = squares_of(&losing);
    let browser = &mut player.browser;
    browser.click(&format!("#board [data-square={}]", squares[0]));
    browser.wait_for("document.querySelector('.input-marks .target.lose') !== null");
    take_pictures(browser, "play-lose");
    browser.click(&format!("#board [data-square={}]", squares[1]));
    browser.wait_for("document.querySelector('#choices button').textContent.includes('you lose')");
    browser.wait_for(
        "document.getElementById('said').textContent.includes('Click again to play it, Esc to choose')",
    );
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
    browser.click("#choices button");
    browser.wait_for("document.body.dataset.turn === 'over'");
    assert_no_errors(browser);
}

/// A piece of one's own is not killed by one click: the page names it, and offers to choose it instead.
#[test]
#[ignore = "needs Chromium"]
fn a_push_that_kills_an_own_piece_is_asked_again() {
    let fen = "5prk/6nb/6p1/8/8/1P6/BN6/KRP5 w 00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000 - 0 0 0";
    let mut player = Player::start(GameId::PUSH, &["--fen", fen]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    let says =
        |words: &str| format!("document.getElementById('said').textContent.includes({})", json!(words));
    browser.click("#board [data-square=a2]");
    browser.wait_for(&says("click a diamond to push or a cross to lose a piece"));
    browser.click("#board [data-square=b1]");
    browser.wait_for(&says(
        "this kills your rook on b1, pushed ↘ off the board. Click again to play it, Esc to choose another square",
    ));
    // The move is shown before it is made.
    browser.wait_for("document.querySelector('.preview .shift .gone') !== null");
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
    take_pictures(browser, "play-own");
    browser.click("#choices [data-instead]");
    browser.wait_for("document.querySelectorAll('.input-marks .chosen').length === 1");
    // What is in the way is named.
    browser.click("#board [data-square=b6]");
    browser.wait_for(&says("your knight on b2 is in the way"));
    assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
    browser.press("Escape");
    for _ in 0..2 {
        browser.click("#board [data-square=a2]");
        browser.click("#board [data-square=b1]");
        browser.wait_for(&says("Click again to play it"));
        browser.press("Escape");
        browser.wait_for("document.querySelector('.input-marks .chosen') === null");
    }
    for square in ["a2", "b1", "b1"] {
        browser.click(&format!("#board [data-square={square}]"));
    }
    browser.wait_for("0 < Number(document.body.dataset.ply)");
    assert_no_errors(browser);
    // The cross stands on the piece that is lost, and not on the one that is pushed against it. Both are clicked for that move.
    let mut player = Player::start(GameId::PUSH_PUSH, &["--fen", "7/7/3*3/3d3/7/7/ABC1D2 w - - 0 0"]);
    assert!(player.is_to_move());
    let browser = &mut player.browser;
    browser.click("#board [data-square=c1]");
    let is_on = |kind: &str, square: &str| {
        format!(
            "(() => {{ const [mark, square] = ['.target.{kind}', '[data-square={square}]'].map((one) => document.querySelector(`#board ${{one}}`).getBoundingClientRect()); const x = mark.x + mark.width / 2; return square.left < x && x < square.right; }})()"
        )
    };
    assert_eq!(browser.evaluate(&is_on("own", "a1")), true);
    assert_eq!(browser.evaluate(&is_on("push", "b1")), true);
    for _ in 0..2 {
        assert_eq!(browser.evaluate("document.body.dataset.ply"), "0");
        browser.click("#board [data-square=a1]");
    }
    browser.wait_for("0 < Number(document.body.dataset.ply)");
    assert_no_errors(browser);
}
