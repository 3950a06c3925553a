//! Turns checked keys into a tournament. Defaults are filled in here, if they are not defined with their key.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine_proto::Games;

use super::cage::Cage;
use super::file::{self, Config, Limits, Timeouts};
use super::stop::{self, SeparatedKeys, Stop};
use super::value::Key;
use model::FormatVersion;
use model::{
    Adjudication, DrawRule, Engine, Format, GameSetup, MatchRules, PairingPairs, PrecisionRule, Question,
    Resources, SprtRule, StopRules, TimeControl, Tournament, WinRule,
};
use opponent::own_game;

/// The time control of a table without a limit.
const DEFAULT_BASE: Duration = Duration::from_secs(10);
const DEFAULT_INCREMENT: Duration = Duration::from_millis(100);
const DEFAULT_MARGIN: Duration = Duration::from_millis(20);
const DEFAULT_MAX_PLIES: u32 = 400;

impl Config {
    /// The tournament. Without `name`, it is named after the file at `path`.
    pub(super) fn resolve(&self, path: &Path) -> Tournament {
        let keys = &self.tournament;
        let stem = || {
            path.file_stem().map_or_else(|| "tournament".into(), |stem| stem.to_string_lossy().into_owned())
        };
        let name = keys.name.clone().unwrap_or_else(stem);
        let engines = || self.engines.iter().map(|engine| Arc::new(self.engine(engine))).collect();
        let (tune, engines) =
            self.tuning().map_or_else(|| (None, engines()), |(tune, engines)| (Some(tune), engines));
        // A point has all its pairs.
        let pairs_per_point = tune.as_ref().map_or(1, |tune| tune.pairs_per_point);
        Tournament {
            format_version: FormatVersion,
            pairs: keys.pairs.get_ref() / pairs_per_point * pairs_per_point,
            seed: keys.seed,
            results: keys.results.clone().unwrap_or_else(|| Path::new("results").join(&name)),
            name,
            // Those of a tuning are part of it.
            max_faults: value(keys.max_faults.as_ref()).filter(|_| tune.is_none()),
            on_machine_delay: keys.on_machine_delay,
            off_turn: keys.off_turn,
            format: self.format(),
            resources: Resources {
                concurrency: *keys.concurrency.get_ref(),
                cores: keys.n_cores(),
                memory: value(keys.memory.as_ref()),
                pin: keys.pin.unwrap_or(true),
            },
            rules: MatchRules {
                max_plies: self.limits.iter().map(max_plies).max().unwrap_or(DEFAULT_MAX_PLIES),
                resign: keys.resign.unwrap_or(true),
                draw_offers: keys.draw_offers.unwrap_or(true),
                ponder: keys.ponder,
                adjudication: adjudication(&self.adjudication),
            },
            limits: self
                .named_limits()
                .map(|(name, limits)| model::Limits { name, max_plies: max_plies(limits) })
                .collect(),
            stop: stop_rules(&self.stop),
            tune,
            machines: self.machines.resolve(),
            games: self.games_to_play().iter().map(|keys| game(&self.known_games, keys)).collect(),
            pairings: self.pairings.iter().filter_map(pairing).collect(),
            engines,
            known_games: self.known_games.clone(),
        }
    }

    fn format(&self) -> Format {
        let keys = &self.tournament;
        match keys.format {
            file::Format::RoundRobin => Format::RoundRobin,
            file::Format::Gauntlet => Format::Gauntlet {
                seeds: keys.seeds.iter().map(|seed| seed.get_ref().clone()).collect(),
                seeds_meet: keys.seeds_meet,
            },
            file::Format::Swiss => Format::Swiss { rounds: self.n_swiss_rounds() },
            file::Format::Knockout => Format::Knockout {
                tie_pairs: *self.knockout.tie_pairs.get_ref(),
                third_place: self.knockout.third_place,
            },
            file::Format::Adaptive => Format::Adaptive {
                matches: value(self.adaptive.matches.as_ref()),
                floor: *self.adaptive.floor.get_ref(),
                batch: *self.adaptive.batch.get_ref(),
            },
        }
    }

    /// The limits by name, if there are several. A name that is missing was found wrong before.
    fn named_limits(&self) -> impl Iterator<Item = (String, &Limits)> {
        let several = self.limits.iter().filter(|_| 1 < self.limits.len());
        several.map(|limits| (limits.name().unwrap_or_default().to_owned(), limits))
    }

    pub(super) fn engine(&self, keys: &file::Engine) -> Engine {
        Engine {
            name: keys.name.get_ref().clone(),
            command: keys.command.get_ref().clone(),
            args: keys.args.clone(),
            protocol: keys.protocol.unwrap_or_else(|| self.default_protocol()),
            build: keys.build.clone(),
            options: keys.options.iter().map(|(name, value)| (name.clone(), value.0.clone())).collect(),
            threads: value(keys.threads.as_ref()),
            directory: keys.directory.as_ref().map(|directory| directory.get_ref().clone()),
            environment: keys.environment.clone(),
            games: keys.games.as_ref().map(|games| games.get_ref().iter().map(|game| game.0).collect()),
            time_control: time_control(&self.limits[0], keys.limits.as_ref(), &self.timeouts),
            limits: self
                .named_limits()
                .map(|(name, limits)| (name, time_control(limits, keys.limits.as_ref(), &self.timeouts)))
                .collect(),
            timeouts: model::Timeouts {
                start: self.timeouts.start.0,
                ready: self.timeouts.ready.0,
                quit: self.timeouts.quit.0,
            },
            cage: cage(&keys.cage(&self.cage)),
        }
    }
}

fn max_plies(limits: &Limits) -> u32 {
    value(limits.max_plies.as_ref()).unwrap_or(DEFAULT_MAX_PLIES)
}

/// The engine's own limits if it has any, else those of the tournament.
fn time_control(tournament: &Limits, own: Option<&Limits>, timeouts: &Timeouts) -> TimeControl {
    let limits = own.filter(|own| own.names_any()).unwrap_or(tournament);
    let margin = own.and_then(|own| own.margin).or(tournament.margin);
    let is_default = !limits.names_any();
    let time = |key: &Option<Key<super::Time>>| key.as_ref().map(|time| time.get_ref().0);
    TimeControl {
        base: time(&limits.base).or(is_default.then_some(DEFAULT_BASE)),
        increment: time(&limits.increment).unwrap_or(if is_default {
            DEFAULT_INCREMENT
        } else {
            Duration::ZERO
        }),
        moves_to_go: value(limits.moves_to_go.as_ref()),
        move_time: time(&limits.movetime),
        nodes: value(limits.nodes.as_ref()),
        depth: value(limits.depth.as_ref()),
        margin: margin.map_or(DEFAULT_MARGIN, |time| time.0),
        think_timeout: timeouts.think.0,
    }
}

pub(super) fn cage(keys: &Cage) -> model::Cage {
    let sandbox = value(keys.sandbox.as_ref()).and_then(|sandbox| sandbox.0);
    // A sandbox must not inherit secrets from the environment.
    let few = || ["PATH", "LANG"].map(str::to_owned).to_vec();
    model::Cage {
        memory: value(keys.memory.as_ref()),
        processes: value(keys.processes.as_ref()),
        cpu_time: keys.cpu_time.as_ref().map(|time| time.get_ref().0),
        open_files: value(keys.open_files.as_ref()),
        cpu_affinity: keys.cpu_affinity.as_ref().map(|cores| cores.get_ref().clone()),
        nice: value(keys.nice.as_ref()),
        environment_allow: keys.environment_allow.clone().or_else(|| sandbox.is_some().then(few)),
        sandbox,
        readable: keys.readable().map(PathBuf::from).collect(),
    }
}

fn adjudication(keys: &file::Adjudication) -> Adjudication {
    let draw = keys.draw.as_ref().map(|rule| DrawRule {
        score: rule.score,
        moves: *rule.moves.get_ref(),
        after_plies: rule.after_plies,
        without_progress: rule.without_progress,
    });
    let win = keys.win.as_ref().map(|rule| WinRule {
        score: *rule.score.get_ref(),
        moves: *rule.moves.get_ref(),
        one_sided: rule.one_sided,
    });
    Adjudication { draw, win }
}

fn stop_rules(keys: &Stop) -> StopRules {
    StopRules {
        sprt: keys.sprt.as_ref().map(|keys| SprtRule {
            elo0: *keys.elo0.get_ref(),
            elo1: *keys.elo1.get_ref(),
            alpha: *keys.alpha.get_ref(),
            beta: *keys.beta.get_ref(),
            model: keys.model,
            batch: *keys.batch.get_ref(),
            limits: keys.limits.iter().map(|name| name.get_ref().clone()).collect(),
        }),
        precision: keys
            .precision
            .as_ref()
            .map(|keys| PrecisionRule { elo: *keys.elo.get_ref(), scope: keys.scope }),
        separated: keys.separated.as_ref().and_then(question),
        earlier: false,
        first_sprt: None,
    }
}

/// The question; `None` if the keys were not checked and contradict each other.
fn question(keys: &SeparatedKeys) -> Option<Question> {
    Some(match keys.question.get_ref() {
        stop::Question::Best => Question::Best,
        stop::Question::Order => Question::Order,
        stop::Question::Top => Question::Top(value(keys.n.as_ref())?),
        stop::Question::Above => {
            let [first, second] = keys.engines.as_ref()?.get_ref().as_slice() else { return None };
            Question::Above([first, second].map(|name| name.get_ref().clone()))
        }
    })
}

fn game(known_games: &Games, keys: &file::Game) -> GameSetup {
    GameSetup {
        id: keys.game(),
        start: keys.start.as_ref().map(|start| start.get_ref().clone()),
        openings: keys.openings.as_ref().map(|path| path.get_ref().clone()),
        book: keys.book(),
        opening_plies: keys.n_opening_plies(),
        referee: keys.referee.as_ref().and_then(|_| own_game::program_of(known_games, keys.game())).cloned(),
    }
}

/// The pairing; `None` if it was not checked and does not name two engines.
fn pairing(keys: &file::PairingPairs) -> Option<PairingPairs> {
    Some(PairingPairs {
        engines: keys.engines.get_ref().clone().try_into().ok()?,
        games: keys.games.as_ref().map(|games| games.get_ref().iter().map(|game| game.0).collect()),
        pairs: keys.pairs,
    })
}

fn value<T: Copy>(key: Option<&Key<T>>) -> Option<T> {
    key.map(|key| *key.get_ref())
}

#[cfg(test)]
mod tests {
    use super::super::Time;
    use super::*;

    #[test]
    fn own_limits_replace_the_tournaments() {
        let time = |ms| Some(Time(Duration::from_millis(ms)).into());
        let ms = Duration::from_millis;
        let tournament = Limits { base: time(2000), increment: time(20), ..Limits::default() };
        let own = Limits { nodes: Some(500.into()), ..Limits::default() };
        let timeouts = Timeouts::default();
        let control = time_control(&tournament, Some(&own), &timeouts);
        assert_eq!((control.base, control.nodes, control.margin), (None, Some(500), ms(20)));
        let control = time_control(&tournament, None, &timeouts);
        assert_eq!((control.base, control.increment), (Some(ms(2000)), ms(20)));
        let control = time_control(&Limits::default(), None, &timeouts);
        assert_eq!((control.base, control.increment), (Some(ms(10_000)), ms(100)));
    }
}
