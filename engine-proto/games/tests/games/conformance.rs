//! Every game against its rules page and against games recorded by an independent implementation. The checks know no
//! game by name: a new game is checked as soon as it is one of the crate.

use std::collections::BTreeSet;
use std::iter;

use crate::common::{for_every_game, recorded, spellings};
use crate::examples::{self, Line};
use games::perft::perft;
use games::{Drawn, End, Play, Position, Searchable, Side};

/// The largest perft of a page that is counted: deeper ones take minutes.
const LARGEST_PERFT: u64 = 70_000_000;

for_every_game! { examples_of_the_rules_pages, recorded_games }

fn examples_of_the_rules_pages<P: Drawn + Searchable>() {
    let blocks = examples::blocks(P::INFO.rules);
    assert!(!blocks.is_empty(), "no examples on the page of {}", P::INFO.id);
    for block in blocks {
        check_block::<P>(&block);
    }
}

fn check_block<P: Searchable>(block: &[(usize, Line<'_>)]) {
    let mut current: Option<Play<P>> = None;
    let mut reached: Option<Play<P>> = None;
    for (idx, (number, line)) in block.iter().enumerate() {
        let place = format!("{}, line {number} of its page: {line:?}", P::INFO.id);
        let at = || current.as_ref().unwrap_or_else(|| panic!("{place}: no position"));
        match line {
            Line::Fen(fen) => {
                let position: P = fen.parse().unwrap_or_else(|error| panic!("{place}: {error}"));
                assert_eq!(position.to_string(), *fen, "{place}");
                current = Some(Play::new(position));
                reached.clone_from(&current);
            }
            Line::Play { moves, to, stays } => {
                let mut play = at().clone();
                for mv in moves {
                    play.play_text(mv).unwrap_or_else(|error| panic!("{place}: {error}"));
                }
                assert_eq!(play.position().to_string(), *to, "{place}");
                assert_eq!(to.parse::<P>().as_ref(), Ok(play.position()), "{place}");
                reached = Some(play);
                if !stays {
                    current.clone_from(&reached);
                }
            }
            Line::End { .. } => {} // looked at with the line before
            Line::Legal(moves) => {
                assert_eq!(
                    spellings(at().position()),
                    moves.iter().copied().map(str::to_owned).collect(),
                    "{place}"
                );
            }
            Line::Illegal(texts) => {
                for text in texts {
                    assert!(at().clone().play_text(text).is_err(), "{place}: {text}");
                }
            }
            Line::From { square, moves } => {
                let found = legal_where(at(), |mv| starts_on(mv, square));
                assert_eq!(found, moves.iter().copied().map(str::to_owned).collect(), "{place}");
            }
            Line::Begin { text, moves } => {
                let found = legal_where(at(), |mv| mv.starts_with(text));
                assert_eq!(found, moves.iter().copied().map(str::to_owned).collect(), "{place}");
            }
            Line::Perft(counts) => {
                for (depth, &expected) in (1..).zip(counts) {
                    if expected <= LARGEST_PERFT {
                        assert_eq!(perft(at().position(), depth), expected, "{place}, depth {depth}");
                    }
                }
            }
            Line::Refuse { field, text } => match text.parse::<P>() {
                Ok(_) => panic!("{place}: accepted"),
                Err(error) => {
                    assert_eq!(error.field, *field, "{place}: {error}");
                    assert!(!error.reason.is_empty(), "{place}");
                }
            },
        }
        if matches!(line, Line::Fen(_) | Line::Play { .. }) {
            let expected = match block.get(idx + 1) {
                Some((_, Line::End { winner, reason })) => Some((winner_named(winner), *reason)),
                _ => None,
            };
            let found = reached.as_ref().expect("just set").end();
            assert_eq!(found.map(|end| (end.winner, end.reason)), expected, "{place}");
        }
    }
}

fn winner_named(text: &str) -> Option<Side> {
    assert!(["w", "b", "draw"].contains(&text), "no winner: {text}");
    Side::from_letter(text)
}

/// The position's own moves: repetition and quiet do not make a position terminal.
fn legal_where<P: Position>(play: &Play<P>, wanted: impl Fn(&str) -> bool) -> BTreeSet<String> {
    spellings(play.position()).into_iter().filter(|text| wanted(text)).collect()
}

/// A part's letter may stand before the square.
fn starts_on(mv: &str, square: &str) -> bool {
    let mv = mv.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(mv);
    mv.strip_prefix(square).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn recorded_games<P: Drawn + Searchable>() {
    let games = recorded::<P>();
    assert!(!games.is_empty(), "no recorded games of {}", P::INFO.id);
    for (idx, game) in games.iter().enumerate() {
        check_recorded::<P>(game, idx + 1);
    }
}

fn check_recorded<P: Position>(game: &serde_json::Value, number: usize) {
    let text = |value: &serde_json::Value| value.as_str().expect("a string").to_owned();
    assert_eq!(text(&game["game"]), P::INFO.id);
    let mut play = Play::<P>::new(text(&game["start"]).parse().expect("the start is a FEN"));
    for (ply, step) in game["steps"].as_array().expect("a list of steps").iter().enumerate() {
        let place = format!("{} game {number}, ply {ply}", P::INFO.id);
        assert_eq!(play.end(), None, "{place}");
        assert_eq!(play.position().to_string(), text(&step["fen"]), "{place}");
        let expected: BTreeSet<String> =
            step["legal"].as_array().expect("a list of moves").iter().map(text).collect();
        assert_eq!(spellings(play.position()), expected, "{place}: {}", play.position());
        play.play_text(&text(&step["move"])).unwrap_or_else(|error| panic!("{place}: {error}"));
    }
    assert_eq!(play.position().to_string(), text(&game["end"]), "{} game {number}", P::INFO.id);
    let result = game["result"].as_object();
    let expected = result.map(|result| (winner_named(&text(&result["winner"])), text(&result["reason"])));
    let found = play.end().map(|End { winner, reason }| (winner, reason.to_owned()));
    assert_eq!(found, expected, "{} game {number}", P::INFO.id);
    check_undo(&mut play);
}

/// Taking the moves back and playing them again leads through the same positions, as often repeated, to the same end.
fn check_undo<P: Position>(play: &mut Play<P>) {
    let seen = |play: &Play<P>| (play.position().clone(), play.occurrences(), play.end());
    let mut again = Play::new(play.start().clone());
    let moves = play.moves().to_vec();
    let forward: Vec<_> = iter::once(seen(&again))
        .chain(moves.iter().map(|&mv| {
            again.play_unchecked(mv);
            seen(&again)
        }))
        .collect();
    for (idx, expected) in forward.iter().enumerate().rev() {
        assert_eq!(&seen(play), expected, "{} {play}", P::INFO.id);
        assert_eq!(play.undo(), idx.checked_sub(1).map(|idx| moves[idx]));
    }
    for (&mv, expected) in moves.iter().zip(&forward[1..]) {
        play.play_unchecked(mv);
        assert_eq!(&seen(play), expected, "{} {play}", P::INFO.id);
    }
    play.restart(again.start().clone());
    assert_eq!(seen(play), forward[0]);
}
