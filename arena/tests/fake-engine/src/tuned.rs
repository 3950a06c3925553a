//! `tuned`: an engine whose strength is a known function of three options, for tests of tuning. It plays the first legal
//! move, or resigns: with a probability that grows with the distance of its options from their best values. `tuned-exit`
//! exits instead if its options are too far from them.

use std::io::{self, BufRead};
use std::process::exit;

use super::{Engine, say};
use engine_proto::GameId;

/// The options: name, default, best value.
const OPTIONS: [(&str, i64, i64); 3] = [("Margin", 50, 70), ("Window", 50, 30), ("Depth Bonus", 50, 60)];

pub fn be(fault: &str) {
    let mut values = OPTIONS.map(|(_, default, _)| default);
    let mut engine =
        Engine { game: GameId::BUILT_IN[0], play: None, n_games: 0, n_moves: 0, held: None, last: None };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ugi"] => {
                say("id name Tuned");
                let ids: Vec<_> = GameId::BUILT_IN.iter().map(|game| format!("var {}", game.id())).collect();
                say(&format!(
                    "option name Game type combo default {} {}",
                    GameId::BUILT_IN[0].id(),
                    ids.join(" ")
                ));
                for (name, default, _) in OPTIONS {
                    say(&format!("option name {name} type spin default {default} min 0 max 100"));
                }
                say("option name Net type string default");
                say("ugiok");
            }
            ["isready"] => say("readyok"),
            ["setoption", "name", name @ .., "value", value] => {
                let name = name.join(" ");
                engine.set_option(&name, value);
                for (idx, (option, ..)) in OPTIONS.iter().enumerate() {
                    if *option == name {
                        values[idx] = value.parse().expect("a whole number");
                    }
                }
            }
            ["position", rest @ ..] => engine.set_up(rest),
            ["go", ..] => {
                let Some(mv) = engine.legal(false) else { continue };
                let cost = values
                    .iter()
                    .zip(OPTIONS)
                    .map(|(value, (_, _, best))| (value - best).pow(2))
                    .sum::<i64>();
                if fault == "exit" && cost > 800 {
                    exit(3);
                }
                let percent = (10 + cost / 25).min(90).to_string();
                say(if engine.is_weak_here(&percent) {
                    "bestmove resign".to_owned()
                } else {
                    format!("bestmove {mv}")
                }
                .as_str());
            }
            ["quit"] => return,
            _ => {}
        }
    }
}
