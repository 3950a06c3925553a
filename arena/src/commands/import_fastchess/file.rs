//! The options of fastchess and their keys in a tournament file. Cute Chess has most of these options, too.

use std::path::Path;

use serde::Serialize;
use toml::{Table, Value};

/// Options that concern only the output of fastchess, or what the arena always does.
const NOT_NEEDED: [&str; 19] = [
    "-recover",
    "-ratinginterval",
    "-scoreinterval",
    "-autosaveinterval",
    "-report",
    "-output",
    "-force-concurrency",
    "-strict",
    "-testEnv",
    "-show-latency",
    "-check-mate-pvs",
    "-debug",
    "-crc32",
    "-outcomeinterval",
    "-wait",
    "-reverse",
    "-swap",
    "-colors",
    "-randomseed",
];

/// An option with the words after it.
struct Opt<'a> {
    name: &'a str,
    words: Vec<&'a str>,
}

/// A tournament file, in the order in which people write it.
#[derive(Serialize)]
struct File {
    tournament: Table,
    limits: Table,
    #[serde(skip_serializing_if = "Table::is_empty")]
    timeouts: Table,
    #[serde(skip_serializing_if = "Table::is_empty")]
    adjudication: Table,
    #[serde(skip_serializing_if = "Table::is_empty")]
    stop: Table,
    game: [Table; 1],
    engine: Vec<Table>,
}

/// The tournament while it is read.
#[derive(Default)]
struct Import {
    tournament: Table,
    limits: Table,
    timeouts: Table,
    adjudication: Table,
    sprt: Option<Table>,
    game: Table,
    book_plies: Option<i64>,
    is_chess960: bool,
    engines: Vec<Table>,
    /// `-each`, which comes after all engines.
    each: Vec<(String, String)>,
    rounds: i64,
    /// Matches in a round.
    games: i64,
    is_cutechess: bool,
    /// The number of engines, the first ones, that meet all others in a gauntlet.
    seeds: Option<i64>,
    max_moves: Option<i64>,
    notes: Vec<String>,
}

/// The tournament file for a command line, and notes about what has no counterpart.
///
/// # Errors
/// If the command line names no engine, or a value cannot be read.
pub fn file(words: &[String]) -> Result<(String, Vec<String>), String> {
    // Other programs, such as `taskset` or `nice`, may start it.
    let is_program = |word: &String| word.contains("fastchess") || word.contains("cutechess");
    let first_option = words.iter().position(|word| word == "-engine").unwrap_or(words.len());
    let program = words[..first_option].iter().position(is_program);
    let is_cutechess = program.is_some_and(|idx| words[idx].contains("cutechess"));
    let mut words = words[program.map_or(0, |idx| idx + 1)..].iter().map(String::as_str).peekable();
    if program.is_none() {
        words.next_if(|word| !word.starts_with('-'));
    }
    let (rounds, games) = if is_cutechess { (1, 1) } else { (2, 2) };
    let mut import = Import { rounds, games, is_cutechess, ..Import::default() };
    while let Some(name) = words.next() {
        let mut option = Opt { name, words: Vec::new() };
        while let Some(word) = words.next_if(|word| !is_option(word)) {
            option.words.push(word);
        }
        import.read(&option)?;
    }
    import.finish()
}

/// Whether a word begins an option: a negative number does not.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

impl Opt<'_> {
    fn pairs(&self) -> Result<Vec<(String, String)>, String> {
        let pair = |word: &&str| {
            let word = if *word == "ponder" { "ponder=true" } else { word };
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("`{word}` after `{}` is not KEY=VALUE", self.name))?;
            Ok((key.to_owned(), value.to_owned()))
        };
        self.words.iter().map(pair).collect()
    }

    fn number(&self) -> Result<i64, String> {
        let word = self.words.first().copied().unwrap_or_default();
        whole(word, self.name)
    }
}

fn whole(text: &str, name: &str) -> Result<i64, String> {
    text.parse().map_err(|_| match text {
        "" => format!("`{name}` needs a whole number"),
        _ => format!("`{text}` after `{name}` is not a whole number"),
    })
}

fn decimal(text: &str, name: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("`{text}` after `{name}` is not a number"))
}

impl Import {
    fn read(&mut self, option: &Opt<'_>) -> Result<(), String> {
        match option.name {
            "-engine" => {
                let mut engine = Table::new();
                for (key, value) in option.pairs()? {
                    self.engine_key(&mut engine, &key, &value)?;
                }
                self.engines.push(engine);
            }
            "-each" => self.each.extend(option.pairs()?),
            "-quick" => self.quick(option)?,
            "-rounds" => self.rounds = option.number()?,
            "-games" => self.games = option.number()?,
            // Cute Chess plays as many matches as before. The arena always repeats openings.
            "-repeat" if self.is_cutechess => {}
            "-repeat" => self.games = if option.words.is_empty() { 2 } else { option.number()? },
            "-concurrency" => self.set("concurrency", option.number()?),
            "-srand" => self.set("seed", option.number()?),
            "-seeds" => self.seeds = Some(option.number()?),
            "-tournament" => match option.words.first() {
                Some(&"gauntlet") => self.set("format", "gauntlet"),
                Some(&("roundrobin" | "round-robin")) => {}
                other => return Err(format!("`{}` is no tournament of fastchess", other.unwrap_or(&""))),
            },
            "-event" => self.set("name", option.words.join(" ")),
            "-maxmoves" => self.max_moves = Some(option.number()?),
            "-variant" => match option.words.first() {
                Some(&"fischerandom") => self.is_chess960 = true,
                Some(&"standard") => {}
                other => {
                    return Err(format!("the arena does not play `-variant {}`", other.unwrap_or(&"")));
                }
            },
            "-openings" => self.openings(option)?,
            "-draw" => self.draw(option)?,
            "-resign" => self.resign(option)?,
            "-sprt" => self.sprt(option)?,
            "-startup-ms" => self.timeout("start", option.number()?),
            "-ucinewgame-ms" | "-ping-ms" => self.timeout("ready", option.number()?),
            "-use-affinity" => match option.words.join(",").as_str() {
                "" => self.set("pin", true),
                cpus => {
                    self.set("pin", true);
                    self.notes.push(format!("-use-affinity {cpus}: run `taskset -c {cpus} arena run FILE`"));
                }
            },
            "-config" => {
                if let Some((_, file)) = option.pairs()?.into_iter().find(|(key, _)| key == "file") {
                    return Err(format!(
                        "`-config file={file}` continues a tournament that fastchess stored; give the command line that \
                         started it"
                    ));
                }
            }
            "-pgnout" => {
                self.notes
                    .push("-pgnout: write the matches after the run: arena pgn <results> > FILE".to_owned());
            }
            "-log" => self.notes.push("-log: use `arena run --log <FOLDER>`".to_owned()),
            name if NOT_NEEDED.contains(&name) => {}
            name => {
                let words = [&[name], option.words.as_slice()].concat().join(" ");
                self.notes.push(format!("{words}: no counterpart, left out"));
            }
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.tournament.insert(key.to_owned(), value.into());
    }

    /// The longest of the times that are given for this key.
    fn timeout(&mut self, key: &str, ms: i64) {
        let value = format!("{ms}ms");
        let known = self.timeouts.get(key).and_then(Value::as_str).and_then(|text| text.strip_suffix("ms"));
        if known.and_then(|text| text.parse().ok()).is_none_or(|known: i64| ms > known) {
            self.timeouts.insert(key.to_owned(), value.into());
        }
    }

    fn engine_key(&mut self, engine: &mut Table, key: &str, value: &str) -> Result<(), String> {
        let mut limits =
            engine.remove("limits").and_then(|limits| limits.try_into().ok()).unwrap_or_default();
        match key {
            "cmd" => drop(engine.insert("command".to_owned(), value.into())),
            "name" => drop(engine.insert("name".to_owned(), value.into())),
            "dir" => drop(engine.insert("directory".to_owned(), value.into())),
            "args" => {
                let args: Vec<Value> = super::words::split(value)?.into_iter().map(Value::from).collect();
                engine.insert("args".to_owned(), args.into());
            }
            "arg" => {
                let args = engine.entry("args").or_insert_with(|| Value::Array(Vec::new()));
                args.as_array_mut().expect("it was made here").push(value.into());
            }
            "proto" if value == "uci" => drop(engine.insert("protocol".to_owned(), value.into())),
            "proto" => {
                return Err(format!("an engine speaks `{value}`, but the arena speaks UCI to chess engines"));
            }
            "conf" => {
                return Err(format!("`conf={value}` names a file of Cute Chess; give the engine's `cmd=`"));
            }
            "ponder" => self.set("ponder", true),
            "tc" => time_control(&mut limits, value)?,
            "st" => drop(limits.insert("movetime".to_owned(), seconds(value, "st")?.into())),
            "nodes" => drop(limits.insert("nodes".to_owned(), whole(value, "nodes")?.into())),
            "depth" | "plies" => drop(limits.insert("depth".to_owned(), whole(value, "depth")?.into())),
            "timemargin" => {
                drop(limits.insert("margin".to_owned(), format!("{}ms", whole(value, key)?).into()));
            }
            "restart" if value == "off" => {}
            _ => match key.strip_prefix("option.") {
                Some(name) => {
                    let options = engine.entry("options").or_insert_with(|| Table::new().into());
                    if let Some(options) = options.as_table_mut() {
                        options.insert(name.to_owned(), value.into());
                    }
                }
                None => self.notes.push(format!("{key}={value} of an engine: no counterpart, left out")),
            },
        }
        if !limits.is_empty() {
            engine.insert("limits".to_owned(), limits.into());
        }
        Ok(())
    }

    fn openings(&mut self, option: &Opt<'_>) -> Result<(), String> {
        for (key, value) in option.pairs()? {
            match key.as_str() {
                "file" => drop(self.game.insert("openings".to_owned(), value.into())),
                "order" => drop(self.game.insert("book-order".to_owned(), value.into())),
                "plies" => self.book_plies = Some(whole(&value, "plies")?),
                "start" => drop(self.game.insert("book-start".to_owned(), whole(&value, "start")?.into())),
                // The ending of the file says it.
                "format" => {}
                _ => self.notes.push(format!("{key}={value} of -openings: no counterpart, left out")),
            }
        }
        Ok(())
    }

    /// The settings that this option is short for.
    fn quick(&mut self, option: &Opt<'_>) -> Result<(), String> {
        for (key, value) in option.pairs()? {
            let mut engine = Table::new();
            match key.as_str() {
                "cmd" => {
                    self.engine_key(&mut engine, "cmd", &value)?;
                    self.engine_key(&mut engine, "tc", "10+0.1")?;
                    self.engines.push(engine);
                }
                "book" => {
                    self.game.insert("openings".to_owned(), value.into());
                    self.game.insert("book-order".to_owned(), "random".into());
                }
                _ => self.notes.push(format!("{key}={value} of -quick: no counterpart, left out")),
            }
        }
        (self.rounds, self.games) = (25_000, 2);
        self.draw(&Opt { name: option.name, words: vec!["movenumber=30", "movecount=8", "score=8"] })
    }

    fn draw(&mut self, option: &Opt<'_>) -> Result<(), String> {
        let mut draw = Table::new();
        for (key, value) in option.pairs()? {
            let number = whole(&value, "-draw")?;
            match key.as_str() {
                "movenumber" => drop(draw.insert("after-plies".to_owned(), (2 * number).into())),
                "movecount" => drop(draw.insert("moves".to_owned(), number.into())),
                "score" => drop(draw.insert("score".to_owned(), number.into())),
                _ => self.notes.push(format!("{key}={value} of -draw: no counterpart, left out")),
            }
        }
        draw.entry("moves").or_insert(1.into());
        draw.entry("score").or_insert(0.into());
        draw.insert("without-progress".to_owned(), true.into());
        self.adjudication.insert("draw".to_owned(), draw.into());
        Ok(())
    }

    fn resign(&mut self, option: &Opt<'_>) -> Result<(), String> {
        let mut win = Table::new();
        let mut is_two_sided = false;
        for (key, value) in option.pairs()? {
            match key.as_str() {
                "movecount" => drop(win.insert("moves".to_owned(), whole(&value, "-resign")?.into())),
                "score" => drop(win.insert("score".to_owned(), whole(&value, "-resign")?.into())),
                "twosided" => is_two_sided = value == "true",
                _ => self.notes.push(format!("{key}={value} of -resign: no counterpart, left out")),
            }
        }
        win.entry("moves").or_insert(1.into());
        if !is_two_sided {
            win.insert("one-sided".to_owned(), true.into());
        }
        self.adjudication.insert("win".to_owned(), win.into());
        Ok(())
    }

    fn sprt(&mut self, option: &Opt<'_>) -> Result<(), String> {
        let mut sprt = Table::new();
        for (key, value) in option.pairs()? {
            match key.as_str() {
                "elo0" | "elo1" | "alpha" | "beta" => {
                    sprt.insert(key, decimal(&value, "-sprt")?.into());
                }
                "model" if ["normalized", "logistic"].contains(&value.as_str()) => {
                    sprt.insert(key, value.into());
                }
                _ => self.notes.push(format!("{key}={value} of -sprt: no counterpart, left out")),
            }
        }
        self.sprt = Some(sprt);
        Ok(())
    }

    fn finish(mut self) -> Result<(String, Vec<String>), String> {
        if self.engines.is_empty() {
            return Err("the command line names no engine: `-engine cmd=...`".to_owned());
        }
        for (key, value) in std::mem::take(&mut self.each) {
            let mut engines = std::mem::take(&mut self.engines);
            for engine in &mut engines {
                self.engine_key(engine, &key, &value)?;
            }
            self.engines = engines;
        }
        // A note on a key of `-each` is the same for each engine.
        self.notes.dedup();
        for engine in &mut self.engines {
            let Some(command) = engine.get("command").and_then(Value::as_str) else {
                return Err("an engine has no `cmd=`".to_owned());
            };
            let stem = Path::new(command).file_stem().unwrap_or_default();
            let name = stem.to_string_lossy().into_owned();
            let folder = engine.get("directory").and_then(Value::as_str);
            let program = program(folder.map(Path::new), Path::new(command));
            engine.insert("command".to_owned(), program.into());
            engine.entry("name").or_insert(name.into());
            let has_limit = engine.get("limits").and_then(Value::as_table).is_some_and(|limits| {
                ["base", "movetime", "nodes", "depth"].iter().any(|key| limits.contains_key(*key))
            });
            if !has_limit {
                return Err(format!(
                    "the engine `{}` has no limit: give `tc=`, `st=`, `nodes=` or `depth=`",
                    engine["name"].as_str().unwrap_or_default()
                ));
            }
        }
        self.share_limits();
        self.name_seeds()?;
        let pairs = match self.games {
            2 => self.rounds,
            games => {
                self.notes.push(format!(
                    "{} rounds of {games}: the arena plays pairs of matches with the sides swapped, so that `pairs` is half of \
                     the matches",
                    self.rounds
                ));
                (self.rounds * games + 1) / 2
            }
        };
        self.set("pairs", pairs);
        // fastchess ends a match by the rules alone, unless it is told a number of moves.
        self.limits.insert("max-plies".to_owned(), self.max_moves.map_or(10_000, |moves| 2 * moves).into());
        self.limits.entry("margin").or_insert("0ms".into());
        let id = if self.is_chess960 { "chess960" } else { "chess" };
        let mut game = Table::from_iter([("id".to_owned(), id.into())]);
        match self.game.get("openings").and_then(Value::as_str) {
            Some(book) if schedule::book::is_pgn(Path::new(book)) => {
                game.extend(self.book_plies.map(|plies| ("book-plies".to_owned(), plies.into())));
            }
            // In a file of positions, `plies` has no meaning.
            Some(_) => {}
            None => {
                game.insert("opening-plies".to_owned(), 0.into());
                if pairs > 1 {
                    self.notes.push(
                        "no -openings: every match begins at the start, where the same engines may play the same match again; \
                         give a book, or remove `repeat-openings` and raise `opening-plies`"
                            .to_owned(),
                    );
                }
            }
        }
        // fastchess begins again with the first opening, too.
        if pairs > 1 {
            game.insert("repeat-openings".to_owned(), true.into());
        }
        game.extend(self.game);
        let file = File {
            tournament: self.tournament,
            limits: self.limits,
            timeouts: self.timeouts,
            adjudication: self.adjudication,
            stop: self
                .sprt
                .map(|sprt| Table::from_iter([("sprt".to_owned(), sprt.into())]))
                .unwrap_or_default(),
            game: [game],
            engine: self.engines,
        };
        Ok((toml::to_string(&file).map_err(|error| error.to_string())?, self.notes))
    }

    /// The first engines are the seeds of a gauntlet.
    fn name_seeds(&mut self) -> Result<(), String> {
        if self.tournament.get("format").is_none() {
            return Ok(());
        }
        let n = self.seeds.unwrap_or(1);
        let n_seeds =
            usize::try_from(n).ok().filter(|n| (1..self.engines.len()).contains(n)).ok_or_else(|| {
                format!("`-seeds {n}` does not fit a gauntlet of {} engines", self.engines.len())
            })?;
        let names: Vec<Value> = self.engines[..n_seeds].iter().map(|engine| engine["name"].clone()).collect();
        self.set("seeds", names);
        Ok(())
    }

    /// Limits that all engines share are those of the tournament.
    fn share_limits(&mut self) {
        let first = self.engines.first().and_then(|engine| engine.get("limits")).cloned();
        if let Some(Value::Table(shared)) = first
            && self
                .engines
                .iter()
                .all(|engine| engine.get("limits").and_then(Value::as_table) == Some(&shared))
        {
            self.limits = shared;
            self.engines.iter_mut().for_each(|engine| drop(engine.remove("limits")));
        }
    }
}

/// Where the arena finds the program: `cmd` is relative to `dir`, and a name in a folder is not looked up on `PATH`.
fn program(folder: Option<&Path>, command: &Path) -> String {
    let plain = command.strip_prefix("./").unwrap_or(command);
    let found = match folder {
        Some(folder) if command.is_relative() => folder.join(plain),
        _ if command.parent() == Some(Path::new("")) && command.is_file() => Path::new(".").join(command),
        _ => command.to_owned(),
    };
    found.to_string_lossy().into_owned()
}

/// `40/60+0.6`, `0/10+0.1`, `10+0.1`, `1:30+1`, `inf`.
fn time_control(limits: &mut Table, text: &str) -> Result<(), String> {
    if text == "inf" || text == "infinite" {
        return Ok(());
    }
    let (moves, rest) = text.split_once('/').map_or((None, text), |(moves, rest)| (Some(moves), rest));
    if let Some(moves) = moves.filter(|moves| !moves.starts_with("inf") && *moves != "0") {
        limits.insert("moves-to-go".to_owned(), whole(moves, "tc")?.into());
    }
    let (base, increment) = rest.split_once('+').map_or((rest, None), |(base, inc)| (base, Some(inc)));
    let base = match base.split_once(':') {
        Some((minutes, rest)) => duration(milliseconds(minutes, 60.0)? + milliseconds(rest, 1.0)?),
        None => seconds(base, "tc")?,
    };
    limits.insert("base".to_owned(), base.into());
    if let Some(increment) = increment {
        limits.insert("increment".to_owned(), seconds(increment, "tc")?.into());
    }
    Ok(())
}

fn milliseconds(text: &str, unit: f64) -> Result<u64, String> {
    let value = decimal(text.strip_suffix('s').unwrap_or(text), "tc")? * unit * 1000.0;
    if value.is_finite() && 0.0 <= value {
        Ok(value.round() as u64)
    } else {
        Err(format!("`{text}` is not a time"))
    }
}

/// Seconds as a duration of a tournament file.
fn seconds(text: &str, name: &str) -> Result<String, String> {
    let ms =
        milliseconds(text, 1.0).map_err(|_| format!("`{text}` after `{name}` is not a number of seconds"))?;
    Ok(duration(ms))
}

fn duration(ms: u64) -> String {
    if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn import(line: &str) -> Result<(String, Vec<String>), String> {
        file(&super::super::words::split(line).unwrap())
    }

    #[test]
    fn a_usual_command_line() {
        let (text, notes) = import(
            "fastchess -engine cmd=/bin/sh name=new option.Hash=32 -engine cmd=/bin/sh name=old tc=1:30+1 \
             -each tc=8+0.08 option.Threads=1 proto=uci timemargin=5 -rounds 100 -repeat -concurrency 4 -recover \
             -draw movenumber=34 movecount=8 score=20 -resign movecount=3 score=600 -maxmoves 150 \
             -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized -ratinginterval 10 -srand 7 \
             -pgnout file=games.pgn -tb /tables -tournament roundrobin",
        )
        .unwrap();
        insta::assert_snapshot!(format!("{text}---\n{}", notes.join("\n")));
        let tournament =
            config::parse(engine_proto::Games::built_in(), &text, Path::new("duel.toml")).unwrap();
        assert_eq!((tournament.pairs, tournament.rules.max_plies), (100, 300));
    }

    /// The command lines of the workers of other testing frameworks, with the engines and the book that they need.
    #[test]
    fn command_lines_of_openbench_and_fishtest() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        std::fs::create_dir(folder.path().join("Engines")).unwrap();
        for engine in ["Engines/Ethereal-1A2B", "Engines/Ethereal-3C4D", "stockfish_a", "stockfish_b"] {
            std::fs::copy("/bin/true", folder.path().join(engine)).unwrap();
        }
        let book = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n";
        std::fs::write(folder.path().join("UHO.epd"), book).unwrap();
        let openbench = "ROOT/cutechess-ob -repeat -recover -variant standard -concurrency 2 -games 40 -resign movecount=3 score=400 \
             -draw movenumber=40 movecount=8 score=10 -engine dir=ROOT/Engines/ cmd=./Ethereal-1A2B proto=uci \
             tc=0/8.00+0.08 timemargin=250 option.Threads=1 option.Hash=8 name=Ethereal-dev -engine dir=ROOT/Engines/ \
             cmd=./Ethereal-3C4D proto=uci tc=0/8.00+0.08 timemargin=250 option.Threads=1 option.Hash=8 \
             name=Ethereal-base -openings file=ROOT/UHO.epd format=epd order=random start=1 -srand 42 \
             -pgnout PGNs/1.pgn".to_string();
        let fishtest = "ROOT/fastchess -recover -repeat -games 2 -rounds 20 -tournament gauntlet -ratinginterval 10 -scoreinterval 0 \
             -autosaveinterval 0 -report penta=true -pgnout file=results.pgn timeleft=false -site https://example.org/1 \
             -event 'Batch 3: new vs base' -srand 7 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 \
             score=20 -concurrency 2 -openings file=ROOT/UHO.epd format=epd order=random plies=16 start=1 -engine \
             name=New-a tc=10.0+0.10 cmd=./stockfish_a dir=ROOT option.Hash=16 -engine name=Base-b tc=10.0+0.10 \
             cmd=./stockfish_b dir=ROOT option.Hash=16 -each proto=uci option.Threads=1".to_string();
        for (line, pairs, margin) in [(openbench, 20, 250), (fishtest, 20, 0)] {
            let (text, notes) = import(&line.replace("ROOT", root)).unwrap();
            let tournament =
                config::parse(engine_proto::Games::built_in(), &text, Path::new("duel.toml")).unwrap();
            assert_eq!((tournament.pairs, tournament.engines.len()), (pairs, 2), "{text}");
            for engine in &tournament.engines {
                let control = &engine.time_control;
                assert_eq!(control.margin.as_millis(), margin, "{text}");
                assert_eq!((control.base.is_some(), control.moves_to_go), (true, None), "{text}");
            }
            insta::assert_snapshot!(format!("{text}---\n{}", notes.join("\n")).replace(root, "ROOT"));
        }
    }

    #[test]
    fn a_gauntlet_names_its_seeds() {
        let engines =
            "-engine cmd=/bin/a -engine cmd=/bin/b -engine cmd=/bin/c -each st=1 -tournament gauntlet";
        let seeds = |line: String| {
            let text = import(&line).unwrap().0;
            toml::from_str::<Table>(&text).unwrap()["tournament"]["seeds"].to_string()
        };
        assert_eq!(seeds(engines.to_owned()), "[\"a\"]");
        assert_eq!(seeds(format!("{engines} -seeds 2")), "[\"a\", \"b\"]");
    }

    #[test]
    fn times_to_start_and_processors() {
        let engines = "-engine cmd=a -engine cmd=b -each st=1 -site here -use-affinity 0-3";
        let (text, notes) =
            import(&format!("{engines} -startup-ms 5000 -ucinewgame-ms 300 -ping-ms 60000")).unwrap();
        assert!(text.contains("[timeouts]\nready = \"60000ms\"\nstart = \"5000ms\"\n"), "{text}");
        let expected = [
            "-site here: no counterpart, left out",
            "-use-affinity 0-3: run `taskset -c 0-3 arena run FILE`",
        ];
        assert_eq!(notes[..2], expected);
    }

    #[test]
    fn engines_with_their_own_limits_and_a_book() {
        let (text, notes) = import(
            "-engine cmd=./dir/a.exe tc=40/60+0.6 args=\"-x 'y z'\" -engine cmd=b nodes=500 \
             -openings file=book.epd format=epd order=random start=5 -variant fischerandom -resign score=400 twosided=true \
             -games 1 -rounds 7",
        )
        .unwrap();
        insta::assert_snapshot!(format!("{text}---\n{}", notes.join("\n")));
    }

    /// What fastchess assumes if it is not told.
    #[test]
    fn defaults_are_those_of_the_program() {
        let pairs = |line: &str| {
            let text = import(line).unwrap().0;
            config::parse(engine_proto::Games::built_in(), &text, Path::new("duel.toml")).unwrap().pairs
        };
        let engines = "-engine cmd=/bin/sh name=a -engine cmd=/bin/sh name=b -each tc=2+0.02s";
        assert_eq!(pairs(&format!("fastchess {engines} -rounds 5")), 5);
        assert_eq!(pairs(engines), 2);
        assert_eq!(pairs(&format!("cutechess-cli {engines} -rounds 8")), 4);
        let (text, notes) = import("./fastchess -quick cmd=/bin/a cmd=/bin/b book=book.epd").unwrap();
        insta::assert_snapshot!(format!("{text}---\n{}", notes.join("\n")));
    }

    #[test]
    fn what_is_no_command_line_is_an_error() {
        for (line, error) in [
            ("", "the command line names no engine: `-engine cmd=...`"),
            ("fastchess -rounds x", "`x` after `-rounds` is not a whole number"),
            ("fastchess -rounds", "`-rounds` needs a whole number"),
            ("-engine name=a", "an engine has no `cmd=`"),
            ("-engine cmd", "`cmd` after `-engine` is not KEY=VALUE"),
            ("-engine cmd=a tc=abc", "`abc` after `tc` is not a number of seconds"),
            ("-engine cmd=a st=-1", "`-1` after `st` is not a number of seconds"),
            ("-engine cmd=a -tournament swiss", "`swiss` is no tournament of fastchess"),
            (
                "-engine cmd=a -each tc=inf",
                "the engine `a` has no limit: give `tc=`, `st=`, `nodes=` or `depth=`",
            ),
            ("-engine cmd=a -variant atomic", "the arena does not play `-variant atomic`"),
            (
                "-engine cmd=a -each st=1 -tournament gauntlet",
                "`-seeds 1` does not fit a gauntlet of 1 engines",
            ),
            ("-engine conf=x", "`conf=x` names a file of Cute Chess; give the engine's `cmd=`"),
            (
                "fastchess -config file=config.json",
                "`-config file=config.json` continues a tournament that fastchess stored; give the command line that \
                 started it",
            ),
        ] {
            assert_eq!(import(line).unwrap_err(), error, "{line}");
        }
    }
}
