//! What is drawn of a position is what its FEN says: every piece once, on its square, whose it is and in its stack; every
//! drawing fits a terminal, and a move's effects are on its squares. The checks know no game by name.

use std::collections::{BTreeMap, HashSet};

use crate::common::{for_every_game, random_play, recorded};
use games::scene::terminal::{self, Signs, Style};
use games::scene::{Change, GroundKind, Layout, Role, Scene, Shift};
use games::{Drawn, GameId, Games, Play, Searchable, Side, Square};

for_every_game! { positions_of_random_play, positions_of_recorded_games }

fn positions_of_random_play<P: Drawn + Searchable>() {
    for seed in 0..10 {
        check_play(&random_play::<P>(seed, 120));
    }
}

fn positions_of_recorded_games<P: Drawn + Searchable>() {
    for game in recorded::<P>() {
        let steps = game["steps"].as_array().expect("steps");
        let moves = steps.iter().filter_map(|step| step["move"].as_str());
        let start: P = game["start"].as_str().expect("a start").parse().expect("a FEN");
        check_play(&Play::from_moves(start, moves).expect("legal moves"));
    }
}

#[test]
fn the_pattern_of_a_win_is_known() {
    let cases = [
        (GameId::TOWER_PUSH, "3Xx/1x1x1/2T1x/1x1x1/X2XX w 0 0 w - 1 33", "b2 b4 d2 d4"),
        (GameId::TOWER_PUSH, "5/1X1Xx/2T2/XXXX1/XX2X b 0 0 b - 2 35", "b2 b4 d2 d4"),
        // By elimination: no pattern.
        (GameId::TOWER_PUSH, "3x1/2xxx/1xT1x/5/3xx b 0 2 w - 0 83", ""),
        (GameId::PUSH, "K5/6/6/2p1P1/6/5r w 000000/000000/000000/000000/000000/000000 - 0 0 86", ""),
        (GameId::PUSH, "5P/6/6/k5/6/K5 w 000000/000000/000000/000000/000000/000000 - 0 0 86", "f6"),
        // The mated king.
        (GameId::FOUR_TOWERS, "3/6/4D2k1/1K2W5/2r7/8r/10/4r5/9/2b3/3 b - RBN K - - 0 69", "j9"),
        (GameId::TOWER_OF_POWER, "8/8/8/8/2s5/8/8/8 w 0 63", ""),
    ];
    for (game, fen, expected) in cases {
        let play = Games::built_in().play(game, fen).unwrap();
        let end = play.position_end();
        assert!(end.is_some_and(|end| end.winner.is_some()), "{fen}: {end:?}");
        let mut squares: Vec<String> = play.winning_squares().iter().map(ToString::to_string).collect();
        squares.sort_unstable();
        assert_eq!(squares.join(" "), expected, "{fen}");
    }
}

#[test]
fn a_king_in_check_is_known() {
    let cases = [
        (GameId::CHESS, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1"),
        (GameId::CHESS, "4k3/8/8/8/8/8/3r4/4K3 b - - 0 1", ""),
        (GameId::FOUR_TOWERS, "K1r/5k/9/10/10/9/10/10/9/6/3 w - - - - - 0 0", "c11"),
        (GameId::FOUR_TOWERS, "K2/5k/2r6/10/10/9/10/10/9/6/3 w - - - - - 0 0", ""),
        // Its king can be pushed, but there is no check.
        (GameId::PUSH, "6/6/6/6/k5/K5 w 000000/000000/000000/000000/000000/000000 - 0 0 1", ""),
    ];
    for (game, fen, expected) in cases {
        let check = Games::built_in().play(game, fen).unwrap().scene().check;
        assert_eq!(check.map(|square| square.to_string()).unwrap_or_default(), expected, "{fen}");
    }
}

#[test]
fn what_wins_soon_is_noted() {
    let flat = "000000/000000/000000/000000/000000/000000";
    let check = |board: &str, side: &str, mv: &str, expected: &str| {
        let mut play =
            Games::built_in().play(GameId::PUSH, &format!("{board} {side} {flat} - 0 0 86")).unwrap();
        if let Some(meaning) = play.meaning(mv, play.side_to_move()) {
            assert!(meaning.words.ends_with("you win if it is still there after Black's next move"), "{mv}");
        }
        play.play(mv).unwrap();
        let notes = play.scene().notes;
        let note = notes.iter().find(|note| note.label == "about to win").map(|note| note.value.as_str());
        assert_eq!(note.unwrap_or_default(), expected, "{board} {mv}");
    };
    let said = "White, if the rook is still on f6 after Black's next move";
    check("6/5R/6/k5/6/K5", "w", "f5f6", said);
    // A knight does not count.
    check("6/6/4N1/k5/6/K5", "w", "e4f6", "");
}

/// Checks every position of a play, and what every move did.
fn check_play<P: Drawn>(finished: &Play<P>) {
    let layout = finished.start().layout();
    let mut play = Play::new(finished.start().clone());
    assert_eq!(play.effects(), None);
    check_position(&play, &layout);
    for &mv in finished.moves() {
        let before = play.position().scene();
        play.play_unchecked(mv);
        check_position(&play, &layout);
        check_effects(&play, &before, &mv.to_string());
    }
}

fn check_position<P: Drawn>(play: &Play<P>, layout: &Layout) {
    let fen = play.position().to_string();
    let scene = play.position().scene();
    assert_eq!(&play.position().layout(), layout, "{fen}");
    let squares: HashSet<Square> = layout.grounds.iter().map(|ground| ground.square).collect();
    assert_eq!(squares.len(), layout.grounds.len(), "{fen}: a square is there twice");
    assert_eq!(drawn(&scene, layout), read(&fen, layout), "{fen}");
    assert_eq!(scene.side_to_move, play.position().side_to_move(), "{fen}");
    assert_eq!((scene.quiet, scene.ply), (play.position().quiet(), play.position().ply()), "{fen}");
    let winning = play.position().winning_squares();
    let is_won = play.position().end().is_some_and(|end| end.winner.is_some());
    assert!(winning.is_empty() || is_won, "{fen}: {winning:?}");
    assert!(winning.iter().all(|square| squares.contains(square)), "{fen}: {winning:?}");
    for piece in &scene.pieces {
        assert!(P::INFO.kinds.contains(piece.kind), "{fen}: {piece:?}");
        let height = scene.stack(piece.square).count();
        assert_eq!(piece.is_buried, usize::from(piece.level) + 1 < height, "{fen}: {piece:?}");
    }

    for bottom in Side::ALL {
        let plain = Style { bottom, ..Style::PLAIN };
        let text = terminal::draw(layout, &scene, play.effects().as_ref(), plain);
        assert!(text.is_ascii() && !text.contains('\x1b'), "{text}");
        let unicode = Style { signs: Signs::Unicode, ..plain };
        for text in [text, terminal::draw(layout, &scene, play.effects().as_ref(), unicode)] {
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{fen}\n{text}");
        }
        let coloured = Style { has_colour: true, ..unicode };
        let text = terminal::draw(layout, &scene, None, coloured);
        assert_eq!(
            without_colours(&text),
            terminal::draw(layout, &scene, None, unicode).replace(['\n', ' '], ""),
            "{fen}: colours change no sign"
        );
    }
}

fn check_effects<P: Drawn>(play: &Play<P>, before: &Scene, mv: &str) {
    let after = play.position().scene();
    let effects = play.effects().expect("a move has been played");
    let touched: HashSet<Square> = effects.touches.iter().map(|touch| touch.square).collect();
    assert_eq!(touched.len(), effects.touches.len(), "{mv}: {effects:?}");
    // The games' moves are written from the square that they begin on to the one that they lead to.
    let digits = |c: char| c.is_ascii_digit();
    let n_squares = mv.split(|c: char| !digits(c)).filter(|run| !run.is_empty()).count();
    let roles: Vec<Role> = effects.touches.iter().filter_map(|touch| touch.role).collect();
    assert_eq!(roles.len(), n_squares, "{mv}: {effects:?}");
    assert_eq!(roles.last(), (n_squares > 0).then_some(&Role::To), "{mv}");
    for touch in effects.touches.iter().filter(|touch| touch.role.is_some()) {
        assert!(mv.contains(&touch.square.to_string()), "{mv}: {touch:?}");
    }
    // Pieces are displaced from where they stood; those that are gone are missing afterwards.
    let shifts = play.shifts();
    for Shift { from, files, ranks, is_gone } in shifts.iter().copied() {
        assert!([files, ranks] == [0, 0] || before.stack(from).count() > 0, "{mv}: {from}");
        let [file, rank] = [(from.file, files), (from.rank, ranks)].map(|(at, by)| at.checked_add_signed(by));
        let to = file.zip(rank).map(|(file, rank)| Square { file, rank });
        assert!(is_gone || to.is_some_and(|to| after.stack(to).count() > 0), "{mv}: {from}");
    }
    let n_gone = shifts.iter().filter(|shift| shift.is_gone).count();
    assert!(n_gone == 0 || before.pieces.len() == after.pieces.len() + n_gone, "{mv}: {shifts:?}");
    // Squares where something has changed are touched, and no others but those that the move names.
    for ground in &play.position().layout().grounds {
        let stack = |scene: &Scene| -> Vec<_> {
            scene.stack(ground.square).map(|piece| piece.kind.fen_sign(piece.owner)).collect()
        };
        let (old, new) = (stack(before), stack(&after));
        let change = effects.on(ground.square).and_then(|touch| touch.change);
        let expected = match (old.len(), new.len()) {
            (more, fewer) if fewer < more => Some(Change::Left),
            (fewer, more) if fewer < more => Some(Change::Entered),
            _ => (old != new).then_some(Change::Replaced),
        };
        assert_eq!(change, expected, "{mv}, {}", ground.square);
    }
}

/// By square, the signs of what stands there from bottom to top. A wall is drawn as the one thing on its square.
fn drawn(scene: &Scene, layout: &Layout) -> BTreeMap<Square, String> {
    let mut drawn: BTreeMap<Square, String> = BTreeMap::new();
    for piece in &scene.pieces {
        let stack = drawn.entry(piece.square).or_default();
        assert_eq!(usize::from(piece.level), stack.len(), "stacks are listed from bottom to top");
        stack.push(piece.kind.fen_sign(piece.owner));
    }
    for wall in layout.grounds.iter().filter(|ground| ground.kind == GroundKind::Wall) {
        assert_eq!(drawn.insert(wall.square, "T".to_owned()), None, "nothing stands on a wall");
    }
    drawn
}

/// The same, read from the board field of a FEN by the conventions of all games: ranks from the top, runs of empty squares,
/// a stack in brackets.
fn read(fen: &str, layout: &Layout) -> BTreeMap<Square, String> {
    let board = fen.split(' ').next().expect("a FEN has fields");
    let highest = layout.grounds.iter().map(|ground| ground.square.rank).max().expect("a board has squares");
    let mut read: BTreeMap<Square, String> = BTreeMap::new();
    for (rank, text) in (0..=highest).rev().zip(board.split('/')) {
        let mut squares: Vec<Square> =
            layout.grounds.iter().map(|ground| ground.square).filter(|square| square.rank == rank).collect();
        squares.sort_unstable();
        let mut squares = squares.into_iter();
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            let n_digits = rest.chars().take_while(char::is_ascii_digit).count();
            if n_digits > 0 {
                let run: usize = rest[..n_digits].parse().expect("digits");
                assert_eq!(squares.by_ref().take(run).count(), run, "{fen}");
                rest = &rest[n_digits..];
                continue;
            }
            let end = if sign == '(' { rest.find(')').expect("a bracket") + 1 } else { 1 };
            let square = squares.next().expect("no more signs than squares");
            read.insert(square, rest[..end].trim_matches(['(', ')']).to_owned());
            rest = &rest[end..];
        }
        assert_eq!(squares.next(), None, "{fen}");
    }
    read
}

/// The text without the terminal's commands, and without blanks.
fn without_colours(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').expect("a command for a colour").1);
    rest.fold(first, |text, part| text + part).replace(['\n', ' '], "")
}
