//! The command line: what can be said, in the words that `--help` prints.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use engine_proto::GameId;

use crate::check::CheckArgs;
use crate::commands::run::RunArgs;
use crate::commands::{GamesArgs, PerftArgs, ProbeArgs, ReportArgs};
use crate::compare::CompareArgs;
use crate::rate::RateArgs;
use crate::show::ShowArgs;
use crate::simulate::SimulateArgs;
use crate::verify::VerifyArgs;

const EXAMPLES: &str = "\
Examples:
  arena run configs/quick.toml             play a tournament and print its standings
  arena rate results/quick/matches.csv     the same standings again, from the table of matches
  arena compare matches.csv --engines new,old
                                           is the new engine stronger, and how sure is that?
  arena simulate --engine new=20 --engine old=0
                                           how sure shall we be after so many matches?
  arena report results/quick               a page of it for a browser, every match to replay
  arena verify results/quick               whether all that is stored of it holds
  arena show results/quick 12 --play       match 12 of it, move after move
  arena check target/release/my-engine     whether an engine keeps the protocol
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
    ///
    /// With --engines: pairs by outcome, score, Elo, a sequential test, intervals that hold however often one looks, and
    /// the difference of the ratings, over all games and for each. Without: two files, and whose rating differs between
    /// them.
    Compare(CompareArgs),
    /// Simulate a tournament to plan it: what it will tell, and how many matches that takes.
    ///
    /// Given how strong the engines may be, it draws the results of many such tournaments by lot, rates each as a real one, and
    /// prints how wide the intervals are, how often ranks and neighbours are told apart, how often the intervals hold
    /// the truth, and how long it takes; with --precision or --separate, how many pairs are needed. Nothing is played.
    Simulate(SimulateArgs),
    /// Write a page that shows tournaments, every match to replay.
    ///
    /// One HTML file without anything beside it: a browser opens it from disk, and it loads nothing. It has standings, cross
    /// tables, what each game is like for its designer and each engine for its author, and every match move by move. Lines
    /// that cannot be read and games that this arena does not know are left out, and the page says so. `arena run` writes
    /// the same page at its end.
    Report(ReportArgs),
    /// Replay every recorded match by the rules and compare all that is stored of it.
    ///
    /// Prints a line for each move, side, result, reason, last position, number of plies, sum of times or row of
    /// `matches.csv` that does not hold, and for each match that the schedule does not have, that it has and the folder
    /// has not, or that is there twice: the file, the line, the match, and what is wrong. The exit code is 0 only if all
    /// holds. It takes a folder that no arena is writing to, and changes nothing.
    Verify(VerifyArgs),
    /// Show a recorded match, or a position, as boards.
    ///
    /// Of a match: its moves with score, depth and time, and its last position; one position with --ply; all of them with
    /// --play. Of a game: the position of --fen, or a start. The board shows what the last move did; the FEN is below.
    /// Positions can be looked at while the tournament goes on.
    Show(ShowArgs),
    /// Check whether an engine keeps the protocol: a report for its author.
    ///
    /// Starts the engine and looks at its greeting, its options, when and how it answers, its limits, its moves in random
    /// positions of all its games, and how it ends. Each line of the report passes, warns or fails; what fails would lose
    /// matches, hang them or break the protocol. A failure is shown with its cause, the rule in PROTOCOL.md, the lines that
    /// were sent, to be copied into the engine's input, and all that came. Checks that fail for the same reason are
    /// listed at the end. Exits with 0 if nothing fails, and with 6 if something does.
    ///
    /// Options of `arena check` may stand before or after the engine's program. Arguments of the engine that begin with `-`
    /// stand after `--`: `arena check ./engine --json -- --threads 2`.
    Check(CheckArgs),
    /// List the games, their start positions and the reasons for which they end.
    Games(GamesArgs),
    /// Count the move sequences from a position, for every length up to a depth.
    Perft(PerftArgs),
    /// Answer questions about positions, a line of JSON for each line.
    ///
    /// Reads `<fen> [moves <m> ...]` or `startpos [moves <m> ...]` from standard input, a line each. Prints the position
    /// reached, the side to move, the legal moves and the end if there is one, as
    /// `{"fen":...,"side":"w","legal":[...],"end":null}` or `{"error":{"field":...,"reason":...}}`. The draws `repetition`
    /// and `quiet` are reported as ends, but the position still has its legal moves, and moves after it are accepted.
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
    PossibleValuesParser::new(GameId::all().iter().map(|game| game.id()))
        .map(|id| id.parse().expect("one of the possible values"))
}
