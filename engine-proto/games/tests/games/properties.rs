//! What holds in every position of every game: text goes there and back, moves are lists without repeats, ends and
//! moves agree, and no text makes a parser panic.

use std::collections::HashMap;

use crate::common::{after, below, for_every_game, legal, pick, random_play, rng, spellings};
use games::{Drawn, Play, Searchable};
use proptest::test_runner::{Config, TestRunner};

/// Games that say what a null move is. A new game need not.
const WITH_NULL_MOVES: [&str; 5] = ["tower-push", "four-towers", "tower-of-power", "push", "push-push"];

for_every_game! { positions_of_random_play, counters_stay_within_a_fen, fingerprints_tell_positions_apart, starts_are_what_they_say, no_text_makes_a_parser_panic }

fn positions_of_random_play<P: Drawn + Searchable>() {
    let mut passes = 0;
    for seed in 0..60 {
        let play = random_play::<P>(seed, 150);
        let mut position = play.start().clone();
        check_position(&position);
        for &mv in play.moves() {
            if let Some(passed) = position.null_move() {
                check_position(&passed);
                assert_eq!(passed.side_to_move(), !position.side_to_move());
                passes += 1;
            }
            let before = position.clone();
            position.play_unchecked(mv);
            check_position(&position);
            assert_eq!(position.ply(), before.ply() + 1);
            assert!(position.quiet() == 0 || position.quiet() == before.quiet() + 1);
        }
        assert_eq!(&position, play.position());
        let texts: Vec<String> = play.moves().iter().map(ToString::to_string).collect();
        let again = Play::from_moves(play.start().clone(), texts.iter().map(String::as_str));
        assert_eq!(again.expect("legal moves").end(), play.end());
    }
    let has_null_moves = WITH_NULL_MOVES.contains(&P::INFO.id) || passes > 0;
    assert!(passes > 500 || !has_null_moves, "{}: {passes} null moves", P::INFO.id);
}

fn check_position<P: Searchable>(position: &P) {
    let fen = position.to_string();
    let again: P = fen.parse().unwrap_or_else(|error| panic!("{}: `{fen}`: {error}", P::INFO.id));
    assert_eq!(again.to_string(), fen);
    assert_eq!(&again, position, "{fen}");
    assert!(again.repeats(position), "{fen}");
    assert_eq!(again.fingerprint(), position.fingerprint(), "{fen}");

    let (moves, texts) = (legal(position), spellings(position));
    assert_eq!(moves.len(), position.count_legal_moves(), "{fen}");
    assert_eq!(moves.is_empty(), position.end().is_some(), "{fen}");
    for mv in moves {
        assert_eq!(position.parse_move(&mv.to_string()), Some(mv), "{fen}");
    }
    assert!(texts.len() == 1 || !texts.contains("pass"), "{fen}");
    if let Some(end) = position.end() {
        assert!(P::INFO.reasons.contains(&end.reason), "{fen}: {end}");
    }
}

fn counters_stay_within_a_fen<P: Drawn + Searchable>() {
    let start = P::startpos().to_string();
    let head = start.rsplitn(3, ' ').last().expect("a FEN has fields");
    let position: P = format!("{head} 999999999 999999999").parse().expect("nine digits");
    check_position(&after(&position, legal(&position)[0]));
}

fn fingerprints_tell_positions_apart<P: Drawn + Searchable>() {
    let mut seen = HashMap::new();
    for seed in 0..40 {
        let play = random_play::<P>(seed, 100);
        let mut position = play.start().clone();
        for &mv in play.moves() {
            position.play_unchecked(mv);
            let fen = position.to_string();
            let key = fen.rsplitn(3, ' ').last().expect("a FEN has fields").to_owned();
            let earlier: &String = seen.entry(position.fingerprint()).or_insert_with(|| key.clone());
            assert_eq!(*earlier, key, "two positions of {} with one fingerprint", P::INFO.id);
        }
    }
}

fn starts_are_what_they_say<P: Drawn + Searchable>() {
    assert_eq!(P::startpos().to_string(), P::INFO.starts[0].fen);
    for start in P::INFO.starts {
        let position = P::start(start.name, 1).expect("a named start");
        assert_eq!(position.to_string(), start.fen, "{}", start.name);
        assert_eq!(position.end(), None);
        assert_eq!(P::start(start.name, 2) == Some(position), !start.random, "{}", start.name);
    }
    assert!(P::start("no such start", 1).is_none());
}

fn no_text_makes_a_parser_panic<P: Drawn + Searchable>() {
    // Changed a little, a FEN is refused, or it is canonical and a position like any other.
    let mut rng = rng(7);
    let alphabet: Vec<char> =
        P::INFO.starts[0].fen.chars().chain(" -/0123456789()xXKkwb+*!>~é".chars()).collect();
    for seed in 0..400 {
        let play = random_play::<P>(seed, (seed % 50) as usize);
        let mut text: Vec<char> = play.position().to_string().chars().collect();
        for _ in 0..=below(3, &mut rng) {
            let place = below(text.len(), &mut rng);
            match below(3, &mut rng) {
                0 => text[place] = *pick(&alphabet, &mut rng),
                1 => text.insert(place, *pick(&alphabet, &mut rng)),
                _ => drop(text.remove(place)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(position) = text.parse::<P>() {
            assert_eq!(position.to_string(), text);
            check_position(&position);
        }
    }
    let mut runner = TestRunner::new(Config { cases: 2000, failure_persistence: None, ..Config::default() });
    runner
        .run(&".{0,80}", |text| {
            let _ = text.parse::<P>();
            assert_eq!(P::startpos().parse_move(&text), None);
            Ok(())
        })
        .expect("no panic");
}
