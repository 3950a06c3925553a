//! The options of fastchess and their keys in a tournament file. Cute Chess has most of these options, too.

use serde::Serialize;
use toml::{Table, Value};

/// Options that concern only the output of fastchess, or what the arena always does.
const NOT_NEEDED: [&str; 18] = [
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
    "-use-affinity",
    "-startup-ms",
    "-ucinewgame-ms",
    "-ping-ms",
    "-site",
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
    adjudication: Table,
    sprt: Option<Table>,
    game: Table,
    is_chess960: bool,
    engines: Vec<Table>,
    /// `-each`, which comes after all engines.
    each: Vec<(String, String)>,
    rounds: i64,
    /// Matches in a round.
    games: i64,
    max_moves: Option<i64>,
    notes: Vec<String>,
}

/// The tournament file for a command line, and notes about what has no counterpart.
///
/// # Errors
/// If the command line names no engine, or a value cannot be read.
pub fn file(words: &[String]) -> Result<(String, Vec<String>), String> {
    let mut words = words.iter().map(String::as_str).peekable();
    let program = words.next_if(|word| !word.starts_with('-')).unwrap_or_default();
    let (rounds, games) = if program.contains("cutechess") { (1, 1) } else { (2, 2) };
    let mut import = Import { rounds, games, ..Import::default() };
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
    text.parse().map_err(|_| format!("`{text}` after `{name}` is not a whole number"))
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
            "-repeat" => self.games = if option.words.is_empty() { 2 } else { option.number()? },
            "-concurrency" => self.set("concurrency", option.number()?),
            "-srand" => self.set("seed", option.number()?),
            "-seeds" => self.notes.push(format!(
                "-seeds {}: the first {} engines are the seeds; name them in `seeds` of [tournament]",
                option.number()?,
                option.number()?
            )),
            "-tournament" => match option.words.first() {
                Some(&"gauntlet") => self.set("format", "gauntlet"),
                Some(&"roundrobin") => {}
                other => return Err(format!("`{}` is no tournament of fastchess", other.unwrap_or(&""))),
            },
            "-event" => self.set("name", option.words.join(" ")),
            "-maxmoves" => self.max_moves = Some(option.number()?),
            "-variant" => match option.words.first() {
                Some(&"fischerandom") => self.is_chess960 = true,
                Some(&"standard") => {}
                other => self.notes.push(format!("-variant {}: not known", other.unwrap_or(&""))),
            },
            "-openings" => self.openings(option)?,
            "-draw" => self.draw(option)?,
            "-resign" => self.resign(option)?,
            "-sprt" => self.sprt(option)?,
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
            "proto" => drop(engine.insert("protocol".to_owned(), value.into())),
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
                "plies" => drop(self.game.insert("book-plies".to_owned(), whole(&value, "plies")?.into())),
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
            let stem = std::path::Path::new(command).file_stem().unwrap_or_default();
            let name = stem.to_string_lossy().into_owned();
            engine.entry("name").or_insert(name.into());
        }
        self.share_limits();
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
        if !self.game.contains_key("openings") {
            game.insert("opening-plies".to_owned(), 0.into());
            if 1 < pairs {
                self.notes.push(
                    "no -openings: the arena plays no opening twice, so give a book, or raise `opening-plies`".to_owned(),
                );
            }
        }
        game.extend(self.game);
        let file = File {
            tournament: self.tournament,
            limits: self.limits,
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

/// `40/60+0.6`, `10+0.1`, `1:30+1`, `inf`.
fn time_control(limits: &mut Table, text: &str) -> Result<(), String> {
    if text == "inf" || text == "infinite" {
        return Ok(());
    }
    let (moves, rest) = text.split_once('/').map_or((None, text), |(moves, rest)| (Some(moves), rest));
    if let Some(moves) = moves.filter(|moves| !moves.starts_with("inf")) {
        limits.insert("moves-to-go".to_owned(), whole(moves, "tc")?.into());
    }
    let (base, increment) = rest.split_once('+').map_or((rest, None), |(base, inc)| (base, Some(inc)));
    let base = match base.split_once(':') {
        Some((minutes, rest)) => format!("{}ms", milliseconds(minutes, 60.0)? + milliseconds(rest, 1.0)?),
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
    Ok(if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

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
        let tournament = config::parse(&text, Path::new("duel.toml")).unwrap();
        assert_eq!((tournament.pairs, tournament.rules.max_plies), (100, 300));
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
            config::parse(&text, Path::new("duel.toml")).unwrap().pairs
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
            ("-engine name=a", "an engine has no `cmd=`"),
            ("-engine cmd", "`cmd` after `-engine` is not KEY=VALUE"),
            ("-engine cmd=a tc=abc", "`abc` after `tc` is not a number of seconds"),
            ("-engine cmd=a st=-1", "`-1` after `st` is not a number of seconds"),
            ("-engine cmd=a -tournament swiss", "`swiss` is no tournament of fastchess"),
        ] {
            assert_eq!(import(line).unwrap_err(), error, "{line}");
        }
    }
}
