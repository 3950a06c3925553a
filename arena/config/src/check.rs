//! Checks across keys: duplicate names, contradicting limits, missing files.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use engine_proto::GameId;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check_stop;
use super::file::{Adjudication, Config, Engine, Format, Game, Limits, PairingPairs};
use super::problem::Problem;
use super::value::Key;
use host::closest::closest;
use host::executable::{self, ProgramError};
use model::Size;
use model::escape::{cell, escaped_line};
use schedule::book;

/// The maximum number of tables of each kind.
const MOST_ENGINES: usize = 1000;
const MOST_GAMES: usize = 100;
const MOST_PAIRINGS: usize = 10_000;
const MOST_LIMITS: usize = 20;
/// The longest name of limits, in bytes.
const LONGEST_LIMITS: usize = 32;

/// Adds the problems of `config` to `problems`. With `is_partial`, wrong entries were removed before, so missing
/// entries are not reported.
pub fn check(config: &Config, is_partial: bool, problems: &mut Vec<Problem>) {
    let too_many = too_many(config);
    if !too_many.is_empty() {
        // The other checks would take too long.
        problems.extend(too_many);
        return;
    }
    if !is_partial {
        config.check_tune(problems);
    }
    if config.engines.len() < 2 && config.tune.is_none() && config.league.is_none() && !is_partial {
        let found = if config.engines.is_empty() { "none" } else { "one" };
        problems.push(
            Problem::new(0..0, format!("a tournament needs at least two engines, but the file has {found}"))
                .help("add an `[[engine]]` table with a `name` and a `command` for each engine"),
        );
    }
    let tournament = &config.tournament;
    problems.extend(tournament.pairs.zero("pairs"));
    problems.extend(tournament.concurrency.zero("concurrency"));
    problems.extend(tournament.max_faults.iter().filter_map(|faults| faults.zero("max-faults")));
    problems.extend(tournament.cores.iter().filter_map(|cores| cores.zero("cores")));
    check_seeds(config, is_partial, problems);
    for limits in &config.limits {
        check_limits(limits, problems);
    }
    check_several_limits(config, problems);
    check_adjudication(&config.adjudication, problems);
    check_stop::check(config, is_partial, problems);
    config.check_rounds(is_partial, problems);
    config.machines.check(problems);
    config.cage.check(problems);
    // A `build` command may create it.
    if config.engines.iter().all(|engine| engine.build.is_empty()) {
        config.cage.check_readable(problems);
    }
    check_games(config, problems);
    check_names(&config.engines, problems);
    for engine in &config.engines {
        check_engine(engine, config, problems);
    }
    check_pairings(config, is_partial, problems);
    check_places(config, problems);
}

/// Checks the number of tables.
fn too_many(config: &Config) -> Vec<Problem> {
    let last_engine = config.engines.last().map(|engine| engine.name.span());
    let last_game = config.games.last().map(|game| game.id.span());
    let last_limits = config.limits.last().map(place_of_limits);
    let last_pairing = config.pairings.last().map(|pairing| pairing.engines.span());
    [
        ("engine", config.engines.len(), MOST_ENGINES, last_engine),
        ("game", config.games.len(), MOST_GAMES, last_game),
        ("pairing", config.pairings.len(), MOST_PAIRINGS, last_pairing),
        ("limits", config.limits.len(), MOST_LIMITS, last_limits),
    ]
    .into_iter()
    .filter(|(_, n, most, _)| most < n)
    .map(|(table, n, most, span)| {
        let message = format!("the file has {n} `[[{table}]]` tables, but at most {most} are possible");
        Problem::new(span.unwrap_or_default(), message)
    })
    .collect()
}

fn check_seeds(config: &Config, is_partial: bool, problems: &mut Vec<Problem>) {
    let tournament = &config.tournament;
    if tournament.format != Format::Gauntlet {
        if let Some(seed) = tournament.seeds.first() {
            problems.push(
                Problem::new(seed.span(), "`seeds` works only with the format `gauntlet`")
                    .help("set `format = \"gauntlet\"`, or remove `seeds`"),
            );
        } else if tournament.seeds_meet {
            problems.push(
                Problem::new(0..0, "`seeds-meet` works only with the format `gauntlet`")
                    .help("set `format = \"gauntlet\"`, or remove `seeds-meet`"),
            );
        }
        return;
    }
    if is_partial {
        return;
    }
    if tournament.seeds.is_empty() {
        problems.push(
            Problem::new(
                0..0,
                "the format `gauntlet` needs `seeds`: the engines that play against all others",
            )
            .help("add `seeds = [\"...\"]` with their names to `[tournament]`"),
        );
        return;
    }
    let mut seen = HashSet::new();
    for seed in &tournament.seeds {
        let name = seed.get_ref();
        if !seen.insert(name) {
            problems.push(Problem::new(seed.span(), format!("the seed `{name}` is listed twice")));
        }
        if !config.engines.iter().any(|engine| engine.name.get_ref() == name) {
            problems.push(unknown(name, seed.span(), &config.engines));
        }
    }
    if config.engines.iter().all(|engine| tournament.is_seed(engine)) && !config.engines.is_empty() {
        problems.push(
            Problem::new(tournament.seeds[0].span(), "every engine is a seed, so no opponents are left")
                .help("use `format = \"round-robin\"` to pair every engine with every other"),
        );
    }
}

/// The problem that no engine has this name.
pub(super) fn unknown(name: &str, span: Range<usize>, engines: &[Engine]) -> Problem {
    let names = engines.iter().map(|engine| engine.name.get_ref().as_str());
    Problem::new(span, format!("no engine is named `{name}`")).help(match closest(name, names.clone()) {
        Some(other) => format!("did you mean `{other}`?"),
        None => format!("the engines are {}", names.collect::<Vec<_>>().join(", ")),
    })
}

fn check_pairings(config: &Config, is_partial: bool, problems: &mut Vec<Problem>) {
    let mut seen = HashSet::new();
    for pairing in &config.pairings {
        let span = pairing.engines.span();
        let [first, second] = pairing.engines.get_ref().as_slice() else {
            problems.push(Problem::new(span, "a pairing needs exactly two names in `engines`"));
            continue;
        };
        let names = config.engines.iter().map(|engine| engine.name.get_ref().as_str());
        let mut idx = [0, 0];
        let mut is_known = true;
        for (idx, name) in idx.iter_mut().zip([first, second]) {
            if let Some(found) = names.clone().position(|known| known == name) {
                *idx = found;
                continue;
            }
            is_known = false;
            if !is_partial {
                problems.push(unknown(name, span.clone(), &config.engines));
            }
        }
        if !is_known {
            continue;
        }
        if first == second {
            problems.push(Problem::new(span, format!("`{first}` cannot play against itself")));
            continue;
        }
        if !config.may_meet(idx[0], idx[1]) {
            problems.push(
                Problem::new(
                    span.clone(),
                    format!("`{first}` and `{second}` never play each other in this tournament"),
                )
                .help("their `games` or the `format` exclude this pairing; remove it"),
            );
        }
        check_pairing_games(config, pairing, idx, &mut seen, problems);
    }
}

/// `seen` has the games of the earlier pairings, with their engines by index.
fn check_pairing_games(
    config: &Config,
    pairing: &PairingPairs,
    mut engines: [usize; 2],
    seen: &mut HashSet<([usize; 2], GameId)>,
    problems: &mut Vec<Problem>,
) {
    engines.sort_unstable();
    let played: Vec<_> = config.games_to_play().iter().map(Game::game).collect();
    let (games, span) = match &pairing.games {
        Some(games) => (games.get_ref().iter().map(|game| game.0).collect(), games.span()),
        None => (played.clone(), pairing.engines.span()),
    };
    for game in games {
        if !played.contains(&game) {
            problems.push(
                Problem::new(span.clone(), format!("the tournament does not play `{game}`"))
                    .help("add it as a `[[game]]`, or remove it here"),
            );
        } else if !seen.insert((engines, game)) {
            problems.push(
                Problem::new(
                    span.clone(),
                    format!("an earlier pairing already covers these engines in `{game}`"),
                )
                .help("remove one of them"),
            );
        }
    }
}

/// Checks that every match fits into the memory and the processors of the tournament.
fn check_places(config: &Config, problems: &mut Vec<Problem>) {
    let cores = config.tournament.n_cores();
    for engine in &config.engines {
        let span = engine.threads.as_ref().map_or_else(|| engine.name.span(), Key::span);
        match engine.n_threads() {
            Some(0) => problems.extend(engine.threads.iter().filter_map(|threads| threads.zero("threads"))),
            Some(threads) if cores < threads => {
                problems.push(too_many_threads(engine.name.get_ref(), threads, cores, span));
            }
            _ => {}
        }
    }
    let Some(memory) = &config.tournament.memory else { return };
    let of = |engine: &Engine| engine.cage(&config.cage).memory.map_or(0, |memory| memory.get_ref().bytes);
    for (second, engine) in config.engines.iter().enumerate() {
        let with = config.engines[..second].iter().enumerate().find(|(first, other)| {
            memory.get_ref().bytes < of(other).saturating_add(of(engine)) && config.may_meet(*first, second)
        });
        if let Some((_, other)) = with {
            let needed = Size { bytes: of(other).saturating_add(of(engine)) };
            let message = format!(
                "a match of `{}` and `{}` needs {needed} of memory, but the tournament has {}",
                other.name.get_ref(),
                engine.name.get_ref(),
                memory.get_ref()
            );
            problems.push(
                Problem::new(memory.span(), message)
                    .help("raise this `memory`, or lower the `memory` of the engines' cages"),
            );
        }
    }
}

fn too_many_threads(name: &str, threads: u32, cores: u32, span: Range<usize>) -> Problem {
    let message =
        format!("engine `{name}` needs {threads} threads, but the tournament has {cores} processors");
    Problem::new(span, message).help(format!(
        "lower its `threads` or its option `Threads`, or set `cores = {threads}` in `[tournament]`: its threads then share \
         processors"
    ))
}

fn check_limits(limits: &Limits, problems: &mut Vec<Problem>) {
    let is_wrong = |problem: &Problem| problem.wrong_key.as_deref() == Some("base");
    if limits.base.is_none() && !problems.iter().any(is_wrong) {
        for (key, span) in [
            ("increment", limits.increment.as_ref().map(Key::span)),
            ("moves-to-go", limits.moves_to_go.as_ref().map(Key::span)),
        ] {
            if let Some(span) = span {
                problems.push(
                    Problem::new(span, format!("`{key}` needs `base`: without it there is no clock"))
                        .help(format!("add `base`, or remove `{key}`")),
                );
            }
        }
    }
    let durations = [("base", &limits.base), ("movetime", &limits.movetime)];
    for (key, value) in durations.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
        if value.get_ref().0.is_zero() {
            problems.push(Problem::new(value.span(), format!("`{key}` must be longer than 0")));
        }
    }
    let zero = |key: &Option<Key<u32>>, name: &str| key.as_ref().and_then(|key| key.zero(name));
    problems.extend(zero(&limits.moves_to_go, "moves-to-go"));
    problems.extend(limits.nodes.iter().filter_map(|nodes| nodes.zero("nodes")));
    problems.extend(zero(&limits.depth, "depth"));
    problems.extend(zero(&limits.max_plies, "max-plies"));
}

/// Checks the names of several `[[limits]]`.
fn check_several_limits(config: &Config, problems: &mut Vec<Problem>) {
    let [_, second, ..] = config.limits.as_slice() else { return };
    if config.tournament.format == Format::Adaptive {
        let span = second.name.as_ref().map(Key::span).unwrap_or_default();
        problems.push(
            Problem::new(span, "the format `adaptive` takes only one `[limits]`")
                .help("it would play nearly all matches under the shortest limits; set another `format`, or keep one table"),
        );
    }
    let mut seen = HashSet::new();
    for limits in &config.limits {
        let Some(name) = &limits.name else {
            problems.push(
                Problem::new(place_of_limits(limits), "each of several `[[limits]]` needs a `name`")
                    .help("add `name = \"...\"`, such as \"short\" and \"long\""),
            );
            continue;
        };
        let text = name.get_ref();
        let is_usual = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
        if !text.starts_with(|first: char| first.is_ascii_alphanumeric())
            || !text.chars().all(is_usual)
            || LONGEST_LIMITS < text.len()
        {
            problems.push(
                Problem::new(
                    name.span(),
                    "the name of limits takes up to 32 letters, digits, `-`, `_` and `.`",
                )
                .help("the first one is a letter or a digit, as in \"short\" or \"10s\""),
            );
        } else if !seen.insert(text.to_lowercase()) {
            problems.push(
                Problem::new(name.span(), format!("two `[[limits]]` have the name `{text}`"))
                    .help("give each of them its own name"),
            );
        }
    }
}

/// A place in a table without a name.
fn place_of_limits(limits: &Limits) -> Range<usize> {
    let times = [&limits.base, &limits.movetime].map(|key| key.as_ref().map(Key::span));
    let numbers = [&limits.depth, &limits.max_plies].map(|key| key.as_ref().map(Key::span));
    let nodes = limits.nodes.as_ref().map(Key::span);
    times.into_iter().chain([nodes]).chain(numbers).flatten().next().unwrap_or_default()
}

fn check_adjudication(adjudication: &Adjudication, problems: &mut Vec<Problem>) {
    let draw = adjudication.draw.iter().map(|rule| ("moves", &rule.moves));
    let win = adjudication.win.iter().flat_map(|rule| [("score", &rule.score), ("moves", &rule.moves)]);
    problems.extend(draw.chain(win).filter_map(|(key, value)| value.zero(key)));
}

fn check_games(config: &Config, problems: &mut Vec<Problem>) {
    let mut seen = HashSet::new();
    for game in &config.games {
        if !seen.insert(game.game()) {
            problems.push(
                Problem::new(game.id.span(), format!("the game `{}` is listed twice", game.game()))
                    .help("ratings of both would be mixed: play the second start in a separate tournament"),
            );
        }
        if let Some(start) = &game.start
            && let Err((message, help)) = check_start(config, game.game(), start.get_ref())
        {
            let problem = Problem::new(start.span(), message);
            problems.push(if let Some(help) = help { problem.help(help) } else { problem });
        }
        check_openings(game, config, problems);
    }
}

/// Checks that `start` is a named start of the game, or the FEN of a position that is not over.
fn check_start(config: &Config, game: GameId, start: &str) -> Result<(), (String, Option<String>)> {
    let rules = config.known_games.get(game).map_err(|error| (error.to_string(), None))?;
    if rules.start(start, 1).is_ok() {
        return Ok(());
    }
    if start.contains(' ') {
        return match rules.import(start) {
            Err(error) => Err((error.to_string(), None)),
            Ok(play) => match play.end() {
                Some(end) => Err((format!("the game is over in this position: {end}"), None)),
                None => Ok(()),
            },
        };
    }
    let names = rules.info().starts.iter().map(|start| start.name);
    let help = match closest(start, names.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the starts are {}; a FEN also works", names.collect::<Vec<_>>().join(", ")),
    };
    Err((format!("`{game}` has no start `{}`", engine_proto::fen::shown(start)), Some(help)))
}

fn check_openings(game: &Game, config: &Config, problems: &mut Vec<Problem>) {
    let pairs = config.n_most_pairs(game.game());
    let keys = [
        ("book-plies", game.book_plies.as_ref().map(Key::span)),
        ("book-order", game.book_order.as_ref().map(Key::span)),
        ("book-start", game.book_start.as_ref().map(Key::span)),
    ];
    let Some(path) = &game.openings else {
        for (key, span) in keys.into_iter().filter_map(|(key, span)| Some((key, span?))) {
            problems.push(
                Problem::new(span, format!("`{key}` needs `openings`: it says how the file is used"))
                    .help(format!("add `openings`, or remove `{key}`")),
            );
        }
        return;
    };
    problems.extend(game.book_start.iter().filter_map(|start| start.zero("book-start")));
    if let Some(plies) = &game.book_plies
        && !book::is_pgn(path.get_ref())
    {
        problems.push(
            Problem::new(plies.span(), "`book-plies` needs a PGN file, whose name ends with `.pgn`")
                .help("remove it; for random plies after an opening, write `opening-plies`"),
        );
    }
    if let Some(start) = &game.start {
        problems.push(
            Problem::new(start.span(), "both `start` and `openings` are given").help("remove one of them"),
        );
    }
    match book::read(&config.known_games, game.game(), path.get_ref(), &game.book(), config.tournament.seed) {
        Err(error) => problems.push(Problem::new(path.span(), error.to_string())),
        Ok(fens) if fens.len() < pairs as usize && game.n_opening_plies() == 0 && !game.repeat_openings => {
            problems.push(
            Problem::new(
                path.span(),
                format!(
                    "the file has {} openings for {pairs} pairs, so some would be played twice",
                    fens.len()
                ),
            )
            .help(
                "add openings, lower `pairs`, add random moves with `opening-plies`, or set `repeat-openings = true`",
            ),
            );
        }
        Ok(_) => {}
    }
}

/// The maximum number of characters of an engine's name.
pub const LONGEST_NAME: usize = 64;

/// Why this cannot be the name of an engine; `None` if it can.
pub fn name_problem(name: &str) -> Option<String> {
    if name.trim().is_empty() || name.trim() != name {
        return Some("an engine's name must not be empty, and must not begin or end with a space".to_owned());
    }
    if *cell(name) != *name {
        return Some("an engine's name must not begin with `=`, `+`, `-` or `@`: spreadsheets would take it for a formula".to_owned());
    }
    let is_plain =
        escaped_line(name) == *name && !name.contains('\t') && name.chars().count() <= LONGEST_NAME;
    (!is_plain).then(|| {
        format!("an engine's name must be one line of at most {LONGEST_NAME} characters, without control characters")
    })
}

pub(super) fn check_names(engines: &[Engine], problems: &mut Vec<Problem>) {
    for engine in engines {
        let problem = name_problem(engine.name.get_ref());
        problems.extend(problem.map(|problem| Problem::new(engine.name.span(), problem)));
    }
}

/// The engines with the name of an earlier one, in the text of a file: entries with other problems count, too.
pub fn doubled_names(text: &str) -> Vec<Problem> {
    let Ok(table) = DeTable::parse(text) else { return Vec::new() };
    let Some(DeValue::Array(engines)) = table.get_ref().get("engine").map(Spanned::get_ref) else {
        return Vec::new();
    };
    let mut seen = HashSet::new();
    let mut problems = Vec::new();
    for engine in engines {
        if let DeValue::Table(engine) = engine.get_ref()
            && let Some(name) = engine.get("name")
            && let DeValue::String(text) = name.get_ref()
            && !seen.insert(text.to_string())
        {
            problems.push(
                Problem::new(name.span(), format!("two engines are named `{text}`"))
                    .help("results are stored by name: give each engine a different one; on the command line, write `NAME=COMMAND`"),
            );
        }
    }
    problems
}

pub(super) fn check_engine(engine: &Engine, config: &Config, problems: &mut Vec<Problem>) {
    let command = engine.command.get_ref();
    if command.as_os_str().is_empty() {
        problems.push(Problem::new(engine.command.span(), "the command is empty"));
    } else if engine.build.is_empty()
        && let Err(error) = executable::find(command)
    {
        let problem = program_problem(command, engine.command.span(), &error);
        problems.extend(problem.map(|problem| Problem { is_of_program: true, ..problem }));
    }
    if let Some(directory) = &engine.directory
        && !directory.get_ref().is_dir()
    {
        let shown = directory.get_ref().display();
        problems.push(Problem::new(directory.span(), format!("there is no folder `{shown}`")));
    }
    if let Some(games) = &engine.games {
        let played = config.games_to_play();
        for name in games.get_ref() {
            if !played.iter().any(|game| game.id.get_ref() == name) {
                problems.push(
                    Problem::new(games.span(), format!("the tournament does not play `{name}`"))
                        .help("add it as a `[[game]]`, or remove it here"),
                );
            }
        }
        if games.get_ref().is_empty() {
            problems.push(
                Problem::new(games.span(), "`games` is empty, so this engine plays no game")
                    .help("remove `games` to let it play all games"),
            );
        }
    }
    if let Some(cage) = &engine.cage {
        cage.check(problems);
        if engine.build.is_empty() {
            cage.check_readable(problems);
        }
    }
    if let Some(limits) = &engine.limits {
        check_limits(limits, problems);
        if let Some(name) = &limits.name {
            problems.push(
                Problem::new(name.span(), "`name` is a key of the tournament's `[[limits]]`")
                    .help("remove `name`"),
            );
        }
        if let Some(max_plies) = &limits.max_plies {
            problems.push(
                Problem::new(max_plies.span(), "`max-plies` limits a match, not an engine")
                    .help("move it to the tournament's `[limits]`"),
            );
        }
    }
}

fn program_problem(command: &Path, span: Range<usize>, error: &ProgramError) -> Option<Problem> {
    let shown = command.display();
    Some(match error {
        ProgramError::NotRunnable { what } => {
            Problem::new(span, format!("`{shown}` {what}")).help(error.remedy(command).expect("there is one"))
        }
        ProgramError::NotFound { .. } | ProgramError::NotOnPath { .. } if arguments(command).is_some() => {
            Problem::new(span, format!("there is no program `{shown}`")).help(arguments(command)?)
        }
        ProgramError::NotFound { help: Some(other) } => {
            Problem::new(span, format!("there is no program `{shown}`"))
                .help(format!("did you mean `{}`?", other.display()))
        }
        ProgramError::NotFound { help: None } => Problem::new(span, format!("there is no program `{shown}`"))
            .help("paths are relative to the current folder; a `build` command can create the program"),
        ProgramError::NotOnPath { .. } => {
            Problem::new(span, format!("there is no program `{shown}` on `PATH`"))
                .help(error.remedy(command).expect("there is one"))
        }
        // Starting the engine reports this.
        ProgramError::NoInterpreter { .. } => return None,
    })
}

/// The remedy for a whole command line in `command`, which takes only the program.
fn arguments(command: &Path) -> Option<String> {
    let mut words = command.to_str()?.split_whitespace();
    let program = words.next()?;
    let args: Vec<String> = words.map(|word| toml::Value::from(word).to_string()).collect();
    let is_program = executable::find(Path::new(program)).is_ok();
    let is_command_line = !args.is_empty() && (is_program || args.iter().any(|arg| arg.starts_with("\"-")));
    is_command_line.then(|| {
        let program = toml::Value::from(program);
        format!("write arguments in `args`: `command = {program}` and `args = [{}]`", args.join(", "))
    })
}
