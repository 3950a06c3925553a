//! `arena run` without a file: turns options of the command line into a tournament file.

use clap::Args;

use crate::commands::arguments::file::{File, GameArgs};
use crate::commands::arguments::{MOST_TEST_PAIRS, option, value};

/// A tournament without a file
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Without a file")]
pub struct WithoutFile {
    /// An engine: COMMAND or NAME=COMMAND (repeatable)
    ///
    /// Arguments of the engine follow its command: `--engine "mine=./my-engine --level 3"`. Without a name, the engine is
    /// named after its program and the arguments. `--print-config` prints the equivalent tournament file.
    #[arg(long = "engine", value_name = "ENGINE", conflicts_with = "config")]
    pub engines: Vec<String>,
    /// The games and limits
    #[command(flatten)]
    pub game_args: GameArgs,
    /// Stop when a test of the two engines is decided
    ///
    /// The sequential test decides between two differences in normalized Elo, 0 and 5 without numbers: whether the first
    /// engine is stronger or not. Each answer is wrong in at most 5 % of such tests. With a negative number, write
    /// `--sprt=-5,0`. At most 100,000 pairs of each game are played, or `--pairs`. `[stop.sprt]` of a tournament file has
    /// more.
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        num_args = 0..=1,
        default_missing_value = "0,5",
        requires = "engines",
        conflicts_with = "config",
        value_parser = hypotheses
    )]
    pub sprt: Option<[f64; 2]>,
    /// An option of all engines, NAME=VALUE (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engines", conflicts_with = "config", hide_short_help = true, value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Print the tournament file without playing
    #[arg(long, requires = "engines", conflicts_with = "config", hide_short_help = true)]
    pub print_config: bool,
}

impl WithoutFile {
    /// The tournament file for these options, with this number of `pairs`.
    ///
    /// # Errors
    /// If there are fewer than two engines.
    pub fn file(&self, pairs: Option<u32>) -> Result<String, String> {
        if self.engines.is_empty() {
            return Err("give a tournament file, or at least two `--engine`".to_owned());
        }
        if let Some(words) = self.engines.iter().find_map(|engine| engine.strip_prefix("cmd=")) {
            // As in a command line of Cute Chess or fastchess, but with commas.
            let (command, rest) = words.split_once(',').unwrap_or((words, ""));
            let name = rest.split(',').find_map(|word| word.strip_prefix("name=")).unwrap_or("NAME");
            return Err(format!(
                "`cmd=` would be the engine's name: write `--engine {command}`, or `--engine {name}={command}`"
            ));
        }
        if self.engines.len() < 2 {
            return Err("a tournament needs at least two engines: add another `--engine`".to_owned());
        }
        let options = self.options.iter().map(|(name, text)| (name.clone(), value(text))).collect();
        let pairs = pairs.or(self.sprt.map(|_| MOST_TEST_PAIRS));
        let file = File::new("", &self.engines, &self.game_args, pairs).with_options(options);
        Ok(file.with_test(self.sprt).text())
    }
}

/// Two differences in Elo, such as `0,5`.
fn hypotheses(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.is_finite());
    let both = text.split_once(',').and_then(|(elo0, elo1)| Some([number(elo0)?, number(elo1)?]));
    let [elo0, elo1] = both.ok_or("give two differences in Elo, such as `0,5`")?;
    if elo0 < elo1 { Ok([elo0, elo1]) } else { Err("the first one must be smaller, as in `0,5`".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::arguments::limits::clock;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn options_stand_for_a_file() {
        let options = WithoutFile {
            engines: words(&[
                "./bin/new one/engine",
                "old=sh --level 3 --name=\"x\"",
                "target/release/mcts.exe",
            ]),
            game_args: GameArgs {
                games: words(&["push", "push-push"]),
                movetime: None,
                nodes: Some(500),
                tc: Some(clock("10+0.1").expect("a clock")),
            },
            options: vec![
                ("Hash".to_owned(), "16".to_owned()),
                ("Own Book".to_owned(), "true".to_owned()),
                ("Style".to_owned(), "bold \"one\"".to_owned()),
            ],
            sprt: None,
            print_config: false,
        };
        insta::assert_snapshot!(options.file(Some(3)).expect("three engines"));
    }

    #[test]
    fn a_sequential_test_is_one_option() {
        let options = WithoutFile {
            engines: words(&["new", "old"]),
            sprt: Some(hypotheses("-2.5, 5").expect("two numbers")),
            ..WithoutFile::default()
        };
        insta::assert_snapshot!(options.file(None).expect("two engines"));
        assert!(options.file(Some(7)).expect("two engines").contains("pairs = 7\n"));
        for wrong in ["", "5", "0;5", "0,inf", "0,5,9"] {
            assert!(hypotheses(wrong).expect_err(wrong).contains("such as `0,5`"), "{wrong}");
        }
    }

    #[test]
    fn little_is_needed() {
        let options = WithoutFile { engines: words(&["a", "b"]), ..WithoutFile::default() };
        insta::assert_snapshot!(options.file(None).expect("two engines"));
        let options = WithoutFile { engines: words(&["a"]), ..WithoutFile::default() };
        assert!(options.file(None).expect_err("one engine").contains("add another `--engine`"));
        let options = WithoutFile { engines: words(&["cmd=a", "cmd=b"]), ..WithoutFile::default() };
        assert!(options.file(None).expect_err("of another tool").contains("or `--engine NAME=a`"));
        let options = WithoutFile { engines: words(&["cmd=./a,name=x"]), ..WithoutFile::default() };
        let error = options.file(None).expect_err("of another tool");
        assert!(error.ends_with("write `--engine ./a`, or `--engine x=./a`"), "{error}");
        let error = WithoutFile::default().file(None).expect_err("no engine");
        assert_eq!(error, "give a tournament file, or at least two `--engine`");
    }
}
