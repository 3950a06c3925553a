//! The command line: what can be said, in the words that `--help` prints.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use engine_proto::GameId;

use crate::commands::{GamesArgs, PerftArgs, ProbeArgs};
use crate::compare::CompareArgs;
use crate::rate::RateArgs;
use crate::run::RunArgs;

const EXAMPLES: &str = "\
Examples:
  arena run configs/quick.toml             play a tournament and print its standings
  arena rate results/quick/matches.csv     the same standings again, from the table of matches
  arena compare matches.csv --engines new,old
                                           is the new engine stronger, and how sure is that?
  arena games                              which games there are
  arena perft push --depth 4               count the move sequences of a game
  echo startpos | arena probe push-push    the legal moves of a position, as JSON";

/// Plays engines against each other over several games and says how strong they are.
#[derive(Clone, Debug, Parser)]
#[command(name = "arena", version, after_help = EXAMPLES)]
pub struct Cli {
    /// When to use colour.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub color: Colour,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// The completion script for a shell.
    pub fn completions(shell: Shell) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Self::command(), "arena", &mut script);
        script
    }
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal that has it, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// One of the arena's commands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Play a tournament.
    Run(RunArgs),
    /// Rate engines from tables of matches.
    Rate(RateArgs),
    /// Compare two engines by their own pairs, or two runs by their ratings.
    Compare(CompareArgs),
    /// List the games, their start positions and the reasons for which they end.
    Games(GamesArgs),
    /// Count the move sequences from a position, for every length up to a depth.
    Perft(PerftArgs),
    /// Answer questions about positions, a line of JSON for each line.
    ///
    /// Reads `<fen> [moves <m> ...]` or `startpos [moves <m> ...]` from standard input, a line each. Prints the position
    /// reached, whose move it is, the legal moves and the end if there is one (repetition and quiet included), as
    /// `{"fen":...,"side":"w","legal":[...],"end":null}` or `{"error":{"field":...,"reason":...}}`.
    Probe(ProbeArgs),
    /// Print the JSON schema of tournament configurations, for editors.
    Schema,
    /// Print the completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Takes the id of a game.
pub fn game_parser() -> impl TypedValueParser<Value = GameId> {
    PossibleValuesParser::new(GameId::ALL.iter().map(|game| game.id()))
        .map(|id| id.parse().expect("one of the possible values"))
}
