//! `arena tune` without a file: turns options of the command line into a tournament file.

use std::path::{Path, PathBuf};

use clap::Args;
use toml::{Table, Value};

use crate::commands::arguments::file::{File, GameArgs};

/// A tuning without a file
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Without a file")]
pub struct WithoutFile {
    /// The engine: COMMAND or NAME=COMMAND
    ///
    /// Arguments of the engine follow its command. The equivalent tournament file is printed to standard error.
    #[arg(id = "engines", long = "engine", value_name = "ENGINE", conflicts_with = "config")]
    pub engine: Option<String>,
    /// An option: NAME:MIN:MAX[:START[:STEP]] (repeatable)
    ///
    /// START is the engine's default, and STEP a twentieth of the range, if they are not given. Numbers with a point are for
    /// options of the type `string`.
    #[arg(long = "option", value_name = "OPTION", requires = "engines", conflicts_with = "config", value_parser = option)]
    pub options: Vec<Table>,
    /// Read options from a file, one per line
    ///
    /// As OpenBench takes them: `name, int, start, min, max, C_end, R_end`; as fishtest takes them: the same without `int`.
    /// C_end is the step; R_end is not used. Lines that begin with `#` are comments.
    #[arg(
        long,
        value_name = "FILE",
        requires = "engines",
        conflicts_with = "config",
        hide_short_help = true
    )]
    pub option_file: Option<PathBuf>,
    /// The games and limits
    #[command(flatten)]
    pub game_args: GameArgs,
}

/// The keys of `[[tune.option]]`: `name`, numbers, and `float` if the engine takes fractions.
fn keys<'a>(
    name: &str,
    numbers: impl IntoIterator<Item = (&'a str, &'a str)>,
    is_float: bool,
) -> Result<Table, String> {
    let mut table = Table::from_iter([("name".to_owned(), Value::from(name.trim()))]);
    for (key, text) in numbers {
        let number: f64 = text.trim().parse().map_err(|_| format!("`{text}` is not a number"))?;
        table.insert(key.to_owned(), number.into());
    }
    if is_float {
        table.insert("float".to_owned(), true.into());
    }
    Ok(table)
}

/// Reads `NAME:MIN:MAX[:START[:STEP]]`. The name may contain colons.
fn option(text: &str) -> Result<Table, String> {
    let words: Vec<&str> = text.split(':').collect();
    let n_numbers = words.iter().rev().take_while(|word| word.trim().parse::<f64>().is_ok()).count().min(4);
    let (name, numbers) = words.split_at(words.len() - n_numbers);
    let name = name.join(":");
    if n_numbers < 2 || name.trim().is_empty() {
        return Err("write it as NAME:MIN:MAX, such as `Margin:5:200`".to_owned());
    }
    let is_float = numbers.iter().take(3).any(|number| number.contains('.'));
    keys(&name, ["min", "max", "start", "step"].into_iter().zip(numbers.iter().copied()), is_float)
}

/// Reads a line as OpenBench takes it, or fishtest, which has no types.
fn openbench_line(line: &str) -> Result<Table, String> {
    let words: Vec<&str> = line.split(',').map(str::trim).collect();
    let (name, kind, [start, min, max, step]) = match words[..] {
        [name, kind @ ("int" | "float"), start, min, max, step, _] => (name, kind, [start, min, max, step]),
        [name, start, min, max, step, _] => (name, "int", [start, min, max, step]),
        _ => return Err("write it as `name, int, start, min, max, C_end, R_end`".to_owned()),
    };
    keys(name, ["start", "min", "max", "step"].into_iter().zip([start, min, max, step]), kind == "float")
}

impl WithoutFile {
    /// The tournament file for these options, with this number of `pairs`.
    ///
    /// # Errors
    /// If there is no engine or option, or the file of options is wrong.
    pub fn file(&self, pairs: Option<u32>) -> Result<String, String> {
        let engine = self.engine.as_ref().ok_or("give a tournament file, or `--engine` and `--option`")?;
        let mut options = self.options.clone();
        if let Some(path) = &self.option_file {
            options.extend(read(path)?);
        }
        if options.is_empty() {
            return Err("name the options to tune, such as `--option Margin:5:200`".to_owned());
        }
        let pairs = pairs.ok_or("say how long to tune, such as `--pairs 2500` for three options")?;
        let engines = std::slice::from_ref(engine);
        Ok(File::new("tune-", engines, &self.game_args, Some(pairs)).with_tuned(options).text())
    }
}

/// The options of a file.
fn read(path: &Path) -> Result<Vec<Table>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read the options `{}`: {error}", path.display()))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let option = |(idx, line): (usize, &str)| {
        openbench_line(line).map_err(|why| format!("`{}`, line {}: {why}", path.display(), idx + 1))
    };
    lines.map(option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_for_a_file() {
        let options =
            ["Margin:5:200", "Own:Name:1:9:5:2", "Rate:0.1:1:0.5"].map(|text| option(text).expect(text));
        let arguments = WithoutFile {
            engine: Some("mine=./my-engine --level 3".to_owned()),
            options: options.to_vec(),
            game_args: GameArgs { games: vec!["push".to_owned()], nodes: Some(500), ..GameArgs::default() },
            ..WithoutFile::default()
        };
        insta::assert_snapshot!(arguments.file(Some(100)).expect("an engine and options"));
        for (arguments, expected) in [
            (WithoutFile::default(), "give a tournament file, or `--engine` and `--option`"),
            (WithoutFile { options: Vec::new(), ..arguments.clone() }, "name the options to tune"),
        ] {
            assert!(arguments.file(Some(1)).expect_err("too little").starts_with(expected));
        }
        assert!(arguments.file(None).expect_err("no pairs").contains("--pairs 2500"));
        for text in ["Margin", "Margin:5", ":5:6", "Margin:a:b"] {
            assert!(option(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_of_openbench_and_fishtest() {
        let numbers = [("start", "81"), ("min", "40"), ("max", "120"), ("step", "4.5")];
        let expected = keys("Lmr", numbers, false);
        for line in [
            "Lmr, int, 81, 40, 120, 4.5, 0.002",
            "\tLmr ,int,81.0,40.0, 120.0 ,4.5,2e-3\r",
            "Lmr,81,40,120,4.5,0.002",
        ] {
            assert_eq!(openbench_line(line), expected, "{line}");
        }
        let fraction = openbench_line("Base, float, 1.0, 0.0, 3.0, 0.5, 0.002").expect("a fraction");
        assert_eq!(fraction["float"], true.into());
        for line in
            ["Lmr, int, 81, 40", "Lmr, double, 81, 40, 120, 4.5, 0.002", "Lmr 81 40 120 4.5 0.002", "="]
        {
            assert!(openbench_line(line).expect_err(line).starts_with("write it as `name, int,"), "{line}");
        }
        let wrong = openbench_line("Lmr, int, x, 40, 120, 4.5, 0.002").expect_err("x");
        assert!(wrong.contains("`x` is not a number"), "{wrong}");
    }

    #[test]
    fn a_file_of_options_may_have_comments() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("spsa.txt");
        std::fs::write(&path, "\u{feff}# Pruning\r\nRfp, int, 75.0, 30, 150, 8, 0.002\r\n\r\n  # More\r\nBase, float, 1, 0, 3, 0.5, 0.002")
            .expect("a file");
        let names: Vec<_> =
            read(&path).expect("two options").iter().map(|keys| keys["name"].clone()).collect();
        assert_eq!(names, ["Rfp".into(), "Base".into()]);
        std::fs::write(&path, "\nRfp, int, 75, 30\n").expect("a file");
        assert!(read(&path).expect_err("too short").contains("spsa.txt`, line 2: write it as"));
    }
}
