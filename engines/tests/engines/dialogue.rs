//! Every engine's program, spoken to as the arena does.

use std::collections::HashSet;

use engine_proto::proto::{InfoLine, Reply, Score, first_word};
use engine_proto::{GameId, Games};
use engines::roster::Kind;

use crate::talk::Talk;

#[test]
fn every_engine_plays_every_game() {
    for kind in Kind::ALL {
        let mut commands = String::from("ugi\nisready\n");
        for game in GameId::BUILT_IN {
            commands +=
                &format!("setoption name Game value {game}\nsetoption name Hash value 1\nuginewgame\n");
            commands += "isready\nposition startpos\ngo nodes 500\nisready\nquery gameover\n";
        }
        let mut talk = Talk::with(kind);
        talk.say(&(commands + "quit"));
        let answers = talk.hear_out();
        let names: Vec<&str> = answers.lines().filter_map(|line| line.strip_prefix("id name ")).collect();
        assert_eq!(names, [kind.name()]);
        let versions: Vec<&str> =
            answers.lines().filter_map(|line| line.strip_prefix("id version ")).collect();
        assert_eq!(versions, [env!("CARGO_PKG_VERSION")]);
        for game in GameId::BUILT_IN {
            assert!(answers.contains(&format!(" var {game}")), "{kind} does not list {game}");
        }
        let moves: Vec<&str> = answers.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(moves.len(), GameId::BUILT_IN.len(), "{kind}:\n{answers}");
        let games = Games::built_in();
        for (game, mv) in GameId::BUILT_IN.iter().zip(moves) {
            let start = games.info(*game).unwrap().starts[0].fen;
            let legal = games.play(*game, start).unwrap().legal_moves();
            assert!(legal.iter().any(|other| other == mv), "{kind} plays {mv} in {game}");
        }
        assert!(!answers.contains("response true"), "{answers}");
    }
}

/// A talk with an engine about Push Push, with these options.
fn talk(kind: Kind, options: &str) -> Talk {
    let mut talk = Talk::with(kind);
    talk.say(&format!(
        "setoption name Game value push-push\nsetoption name Hash value 1\n{options}\nuginewgame"
    ));
    talk
}

/// The scores that `alpha-beta` reports for the start, with these options.
fn scores(options: &str) -> Vec<String> {
    let (_, lines) = talk(Kind::AlphaBeta, options).ask("position startpos moves d1d2 a7a6\ngo nodes 2000");
    lines
        .iter()
        .filter_map(|line| line.split_once(" score ")?.1.split(" nodes ").next().map(ToOwned::to_owned))
        .collect()
}

#[test]
fn the_evaluation_is_an_option_of_alpha_beta() {
    for kind in Kind::ALL {
        let mut talk = Talk::with(kind);
        talk.say("ugi\nquit");
        let greeting = talk.hear_out();
        let combo = "option name Evaluation type combo default auto var auto var network var classic";
        assert_eq!(greeting.contains(combo), kind == Kind::AlphaBeta, "{kind}:\n{greeting}");
    }
    let of = |name: &str, level: u8| {
        scores(&format!("setoption name Evaluation value {name}\nsetoption name Level value {level}"))
    };
    assert_ne!(of("network", 10), of("classic", 10));
    // Push Push has a network that plays stronger; levels below the highest keep the evaluation with which they were measured.
    assert_eq!(of("auto", 10), of("network", 10));
    assert_eq!(of("auto", 9), of("classic", 9));
    assert_ne!(of("auto", 9), of("network", 9));
}

#[test]
fn every_engine_ponders_and_chooses_among_some_moves() {
    let game: GameId = "push-push".parse().unwrap();
    let demand_legal = |kind, answer: &[String]| {
        let mut play = Games::built_in().startpos(game).unwrap();
        play.play(&answer[0]).unwrap();
        match answer {
            [_] => {}
            [_, word, reply] if word == "ponder" => play.play(reply).unwrap(),
            _ => panic!("{kind}: {answer:?}"),
        }
    };
    for kind in Kind::ALL {
        let mut talk = talk(kind, "setoption name Ponder value true");
        let (answer, _) = talk.ask("position startpos\ngo nodes 300 searchmoves c1c2 d1d2");
        assert!(["c1c2", "d1d2"].contains(&answer[0].as_str()), "{kind}: {answer:?}");
        assert_eq!(answer.len(), 3, "{kind} expects a reply: {answer:?}");
        demand_legal(kind, &answer);
        for (end, go) in [("ponderhit", "movetime 0"), ("stop", "movetime 60000"), ("ponderhit", "nodes 300")]
        {
            talk.say(&format!("go ponder {go} searchmoves d1d2\nisready"));
            talk.hear_until("readyok").iter().for_each(|line| assert!(!line.starts_with("bestmove")));
            let (answer, _) = talk.ask(end);
            assert_eq!(answer[0], "d1d2", "{kind}");
            demand_legal(kind, &answer);
        }
    }
}

#[test]
fn several_lines_are_reported_best_first() {
    for kind in [Kind::AlphaBeta, Kind::Mcts] {
        let (best, lines) =
            talk(kind, "setoption name MultiPV value 3").ask("position startpos\ngo nodes 3000");
        let reports: Vec<InfoLine<'_>> = lines
            .iter()
            .filter_map(|line| match Reply::parse(line) {
                Ok(Reply::Info(info)) => Some(info),
                _ => None,
            })
            .collect();
        let last = reports.iter().rposition(|info| info.multipv == Some(3)).expect("three lines");
        let lines = &reports[last - 2..=last];
        let first_moves: Vec<&str> = lines.iter().filter_map(|info| info.pv.iter().next()).collect();
        assert_eq!(lines.iter().map(|info| info.multipv).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
        assert_eq!(first_moves.iter().collect::<HashSet<_>>().len(), 3, "{kind}: {lines:?}");
        if kind == Kind::Mcts {
            assert_eq!(first_moves[0], best[0]);
        } else {
            let centi = |info: &InfoLine<'_>| match info.score {
                Some(Score::Centi(centi)) => centi,
                other => panic!("{other:?}"),
            };
            assert!(lines.is_sorted_by(|a, b| centi(b) <= centi(a)), "{lines:?}");
        }
    }
}

#[test]
fn every_engine_resigns_and_accepts_draws_by_option() {
    // Black pushes the ball over White's edge with its next move, whatever White does, which has hardly a piece left.
    let game: GameId = "push-push".parse().unwrap();
    let lost = "ab1dc1a/7/7/7/7/2cb3/A2*3 w - - 3 20";
    assert!(Games::built_in().play(game, lost).unwrap().end().is_none());
    for kind in Kind::ALL {
        let answers = |options: &str| {
            let mut talk = talk(kind, options);
            [(); 3].map(|()| talk.ask(&format!("position fen {lost}\ngo nodes 2000 drawoffer")).0)
        };
        let plain = answers("");
        assert!(plain.iter().all(|answer| answer.len() == 1), "{kind}: {plain:?}");
        let [.., drawn] = answers("setoption name Draws value true");
        assert_eq!(drawn[1..], ["draw"], "{kind}");
        let [.., resigned] = answers("setoption name Resign value true");
        // Whoever knows only the rules does not see it coming.
        assert_eq!(resigned == ["resign"], kind != Kind::Random, "{kind}: {resigned:?}");
    }
}

/// A runner of plain UGI drives every engine: it hears what it heard in a recorded match, but for the choice of moves.
#[test]
fn a_runner_of_plain_ugi_is_understood_and_understands() {
    let game: GameId = "push-push".parse().unwrap();
    let recorded = include_str!("cutegames.txt");
    for kind in Kind::ALL {
        let mut talk = Talk::with(kind);
        let mut position = "";
        let mut n_moves = 0;
        for line in recorded.lines().filter(|line| !line.starts_with('#')) {
            if let Some(said) = line.strip_prefix("> ") {
                talk.say(said);
                position = said.strip_prefix("position fen ").unwrap_or(position);
                continue;
            }
            let expected = line.strip_prefix("< ").expect("a line is said or heard");
            let heard = talk.hear_until(first_word(expected)).pop().unwrap();
            let Some(mv) = heard.strip_prefix("bestmove ") else {
                assert_eq!(heard, expected, "{kind}");
                continue;
            };
            // The runner reads a `bestmove` of exactly two words.
            let (fen, moves) = position.split_once(" moves ").unwrap_or((position, ""));
            let mut play = Games::built_in().play(game, fen).unwrap();
            moves.split_whitespace().for_each(|mv| play.play(mv).unwrap());
            assert!(play.play(mv).is_ok(), "{kind}: `{heard}` in `{position}`");
            n_moves += 1;
        }
        assert_eq!(n_moves, recorded.matches("bestmove").count(), "{kind}");
    }
}
