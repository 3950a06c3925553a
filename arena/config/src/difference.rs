//! The settings in which two tournaments differ, if matches of one would be different in the other.

use std::path::PathBuf;
use std::sync::Arc;

use engine_proto::Games;
use toml::Value;

use super::stored;
use model::{
    Engine, Format, FormatVersion, Machines, OffTurn, OnMachineDelay, Resources, SprtRule, StopRules,
    Tournament,
};

/// The lines in which two tournaments differ, if matches of one would be different in the other: `-` for `one`, `+` for
/// `other`.
pub fn difference(one: &Tournament, other: &Tournament) -> Option<String> {
    let [earlier, now] = [settings(&essentials(one, other)), settings(&essentials(other, one))];
    lines(&earlier, &now)
}

/// The engines, games and numbers of pairs in which two tournaments differ.
pub fn difference_in_size(one: &Tournament, other: &Tournament) -> Option<String> {
    let size = |tournament: &Tournament| {
        let mut lines = vec![format!("pairs = {}", tournament.pairs)];
        let names = tournament.names();
        lines.push(format!("engines: {}", names.join(", ")));
        let pairings = tournament.pairings.iter().map(|pairing| settings_of("pairing", pairing));
        lines.extend(pairings.flatten());
        let games = tournament.engines.iter().map(|engine| {
            engine.games.iter().map(|games| {
                let ids: Vec<String> = games.iter().map(ToString::to_string).collect();
                format!("engine `{}`: games = {}", engine.name, ids.join(", "))
            })
        });
        lines.extend(games.flatten());
        lines.extend(settings_of("format", &tournament.format));
        lines
    };
    lines(&size(one), &size(other))
}

fn lines(earlier: &[String], now: &[String]) -> Option<String> {
    let only_in = |one: &[String], other: &[String], sign: char| -> Vec<String> {
        one.iter().filter(|line| !other.contains(line)).map(|line| format!("  {sign} {line}")).collect()
    };
    let different = [only_in(earlier, now, '-'), only_in(now, earlier, '+')].concat();
    (!different.is_empty()).then(|| different.join("\n"))
}

/// The settings that the results depend on. The pairings, the number of pairs and the set of engines may change
/// between two runs, so engines that `other` does not have are left out.
fn essentials(tournament: &Tournament, other: &Tournament) -> Tournament {
    let Tournament {
        name, seed, mut rules, mut limits, machines, mut games, engines, mut tune, stop, ..
    } = tournament.clone();
    // It may be raised.
    if let Some(tune) = &mut tune {
        tune.max_faults = 0;
    }
    // More pairs than openings need it, and it changes no earlier match.
    for game in &mut games {
        game.book.repeats = false;
    }
    let mut engines: Vec<_> =
        engines.into_iter().filter(|engine| other.engine(&engine.name).is_some()).collect();
    engines.sort_by(|one, other| one.name.cmp(&other.name));
    for engine in &mut engines {
        let Engine { build, games, threads, .. } = Arc::make_mut(engine);
        (*build, *games, *threads) = (Vec::new(), None, None);
    }
    // Limits may come and go, if both have several.
    if !limits.is_empty() && !other.limits.is_empty() {
        limits.retain(|one| other.limits_names().contains(&one.name));
        limits.sort_by(|one, other| one.name.cmp(&other.name));
        rules.max_plies = 0;
        for engine in &mut engines {
            let Engine { time_control, limits: own, .. } = Arc::make_mut(engine);
            own.retain(|name, _| limits.iter().any(|one| one.name == *name));
            if let Some(first) = own.values().next() {
                time_control.clone_from(first);
            }
        }
    }
    // Hypotheses that are chosen after the results were seen have no error rates.
    let has_test = other.stop.test().is_some();
    let sprt = stop.test().filter(|_| has_test).cloned();
    let sprt = sprt.map(|rule| SprtRule { batch: 0, limits: Vec::new(), ..rule });
    Tournament {
        format_version: FormatVersion,
        name,
        // The steps of a tuning depend on their number.
        pairs: if tune.is_some() { tournament.pairs } else { 0 },
        seed,
        results: PathBuf::new(),
        max_faults: None,
        on_machine_delay: OnMachineDelay::default(),
        off_turn: OffTurn::default(),
        format: Format::RoundRobin,
        resources: Resources { concurrency: 0, cores: 0, memory: None, pin: true },
        rules,
        limits,
        stop: StopRules { sprt, ..StopRules::default() },
        tune,
        machines: Machines { scale_clocks: machines.scale_clocks, ..Machines::default() },
        games,
        pairings: Vec::new(),
        engines,
        known_games: Games::default(),
    }
}

fn settings(tournament: &Tournament) -> Vec<String> {
    settings_of("", tournament)
}

/// The settings of a value, one on each line, with the names that they have in a tournament file.
fn settings_of(name: &str, value: &impl serde::Serialize) -> Vec<String> {
    let mut lines = Vec::new();
    list(name, &Value::try_from(stored::value(value)).expect("a part of a tournament is TOML"), &mut lines);
    lines
}

fn list(name: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                let key = if key == "move-time" { "movetime" } else { key };
                let is_place = name.is_empty() || name.ends_with(": ");
                list(&if is_place { format!("{name}{key}") } else { format!("{name}.{key}") }, value, lines);
            }
        }
        Value::Array(tables) if tables.first().is_some_and(Value::is_table) => {
            for (idx, table) in tables.iter().enumerate() {
                let known = ["name", "id"].iter().find_map(|&key| table.get(key)?.as_str());
                let which = known.map_or_else(|| (idx + 1).to_string(), |known| format!("`{known}`"));
                list(&format!("{} {which}: ", name.trim_end_matches('s')), table, lines);
            }
        }
        value => lines.push(format!("{name} = {value}")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use model::samples;

    #[test]
    fn an_engine_is_named_with_its_setting() {
        let one = samples::tournament(&["one", "two"], 2);
        let mut other = one.clone();
        let engine = Arc::make_mut(&mut other.engines[0]);
        engine.time_control.move_time = Some(Duration::from_millis(20));
        let name = engine.name.clone();
        assert_eq!(
            difference(&one, &other).unwrap(),
            format!("  + engine `{name}`: time-control.movetime = \"20ms\"")
        );
        assert_eq!(difference(&one, &one), None);
    }

    #[test]
    fn numbers_of_pairs_are_named() {
        let one = samples::tournament(&["one", "two"], 2);
        let other = Tournament { pairs: one.pairs + 1, ..one.clone() };
        assert_eq!(difference(&one, &other), None);
        let expected = format!("  - pairs = {}\n  + pairs = {}", one.pairs, other.pairs);
        assert_eq!(difference_in_size(&one, &other).unwrap(), expected);
    }
}
