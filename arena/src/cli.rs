//! The command line: the commands, their groups, and the text of `arena --help`.

use std::any::TypeId;
use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use engine_proto::{GameId, Games};

use crate::commands::analyse::AnalyseArgs;
use crate::commands::arguments::game_parser;
use crate::commands::check::CheckArgs;
use crate::commands::compare::CompareArgs;
#[cfg(feature = "packaging")]
use crate::commands::completions::CompletionsArgs;
use crate::commands::export::ExportArgs;
use crate::commands::games::GamesArgs;
use crate::commands::history::HistoryArgs;
use crate::commands::import_fastchess::ImportArgs;
#[cfg(feature = "league")]
use crate::commands::league::LeagueArgs;
#[cfg(not(all(feature = "league", feature = "nats", feature = "packaging")))]
use crate::commands::left_out::LeftOutArgs;
#[cfg(feature = "packaging")]
use crate::commands::man::ManArgs;
use crate::commands::merge::MergeArgs;
use crate::commands::perft::PerftArgs;
use crate::commands::pgn::PgnArgs;
use crate::commands::play::PlayArgs;
use crate::commands::probe::ProbeArgs;
use crate::commands::rate::RateArgs;
use crate::commands::report::ReportArgs;
use crate::commands::run::RunArgs;
use crate::commands::sandbox::SandboxArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::show::ShowArgs;
use crate::commands::simulate::SimulateArgs;
use crate::commands::tune::TuneArgs;
use crate::commands::verify::VerifyArgs;
#[cfg(feature = "nats")]
use crate::commands::worker::WorkerArgs;
use crate::exit::Exit;

const EXAMPLES: &str = "\
Examples:
  arena run configs/quick.toml           Play a small tournament
  arena check target/release/my-engine   Check an engine
  arena show results/quick 12 --play     Replay match 12 of a tournament";

/// The commands in the groups of the help.
const GROUPS: [(&str, &[&str]); 2] = [
    (
        "Tournaments and results",
        &[
            "run", "tune", "league", "worker", "simulate", "rate", "compare", "history", "report", "serve",
            "show", "verify", "merge", "pgn", "export",
        ],
    ),
    (
        "Engines, games and setup",
        &[
            "play",
            "analyse",
            "check",
            "sandbox",
            "games",
            "perft",
            "probe",
            "completions",
            "man",
            "schema",
            "import-fastchess",
        ],
    ),
];

/// Commands that share a line of the help, so that it fits a screen.
const SHARED: [(&[&str], &str); 6] = [
    (&["tune", "league"], "Tune options of an engine; play a league"),
    (&["compare", "history"], "Compare engines or tournaments; rate the builds of an engine"),
    (&["merge", "pgn", "export"], "Join results folders; print matches as PGN, or positions"),
    (&["play", "analyse"], "Play against an engine; analyse a position with engines"),
    (&["perft", "probe"], "Count move sequences; print legal moves as JSON"),
    (&["completions", "man", "schema", "import-fastchess"], "Set up and convert"),
];

/// Play engines against each other over several games and rate them
#[derive(Clone, Debug, Parser)]
#[command(name = "arena", version, disable_version_flag = true)]
pub struct Cli {
    /// When to use color: auto, always or never
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", hide_possible_values = true, hide_short_help = true)]
    pub color: Color,
    /// Rules of a game of your own: ID=COMMAND (repeatable)
    ///
    /// The program is started before anything else, so that other options can name the game. A tournament file has the key
    /// `referee` instead.
    #[arg(long, global = true, value_name = "ID=COMMAND", hide_short_help = true)]
    referee: Vec<String>,
    /// Print the version
    #[arg(long, short = 'V', action = ArgAction::Version, hide_short_help = true)]
    version: Option<bool>,
    /// The command
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads the arguments of the process, which may name these games. Ends the process after printing help or an error in the arguments.
    pub fn from_process(games: &Games) -> Self {
        let matches = Self::definition(games).try_get_matches();
        let matches = matches
            .unwrap_or_else(|error| in_plain_words(file_or_option(with_nearest_command(error))).exit());
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The definition of all arguments, which may name these games, with the help of `arena` itself.
    pub fn definition(games: &Games) -> clap::Command {
        // A negative number is a wrong value of its option, not another option.
        let with_numbers = |arg: clap::Arg| {
            if arg.is_positional() || !arg.get_action().takes_values() {
                arg
            } else {
                arg.allow_negative_numbers(true)
            }
        };
        let with_games = |arg: clap::Arg| {
            let takes_game = arg.get_value_parser().type_id() == TypeId::of::<GameId>();
            if takes_game { arg.value_parser(game_parser(games)) } else { arg }
        };
        let command =
            Self::command().mut_subcommands(|command| command.mut_args(|arg| with_games(with_numbers(arg))));
        let template = help_template(&command);
        command.help_template(template).after_long_help(format!("{EXAMPLES}\n\n{}", exit_codes()))
    }
}

/// When to use color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that has color, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// One of the arena's commands.
#[derive(Clone, Debug, Subcommand)]
#[expect(missing_docs, reason = "each is documented where its arguments are")]
pub enum Command {
    Run(Box<RunArgs>),
    Tune(Box<TuneArgs>),
    #[cfg(feature = "league")]
    League(LeagueArgs),
    /// Play a league that engines join and leave (not in this build)
    #[cfg(not(feature = "league"))]
    League(LeftOutArgs),
    #[cfg(feature = "nats")]
    Worker(WorkerArgs),
    /// Play matches for a coordinator (not in this build)
    #[cfg(not(feature = "nats"))]
    Worker(LeftOutArgs),
    Simulate(SimulateArgs),
    Rate(RateArgs),
    Compare(CompareArgs),
    History(HistoryArgs),
    Report(ReportArgs),
    Serve(ServeArgs),
    Show(ShowArgs),
    Verify(VerifyArgs),
    Merge(MergeArgs),
    Pgn(PgnArgs),
    Export(ExportArgs),
    Play(Box<PlayArgs>),
    #[command(alias = "analyze")]
    Analyse(Box<AnalyseArgs>),
    Check(CheckArgs),
    Games(GamesArgs),
    Perft(PerftArgs),
    Probe(ProbeArgs),
    ImportFastchess(ImportArgs),
    Sandbox(SandboxArgs),
    #[cfg(feature = "packaging")]
    Completions(CompletionsArgs),
    /// Print the completion script for a shell (not in this build)
    #[cfg(not(feature = "packaging"))]
    Completions(LeftOutArgs),
    #[cfg(feature = "packaging")]
    Man(ManArgs),
    /// Print or write manual pages (not in this build)
    #[cfg(not(feature = "packaging"))]
    Man(LeftOutArgs),
    /// Print the JSON schema of tournament configurations
    ///
    /// Editors use it to complete and check configuration files.
    #[command(after_long_help = "\
Examples:
  arena schema                      Print the schema
  arena schema > tournament.json    Write the schema to a file")]
    Schema,
}

/// Suggests the command that is nearest to an unknown one. Clap's own measure does not find swapped letters, as in `rnu`.
fn with_nearest_command(mut error: clap::Error) -> clap::Error {
    /// With more edits, it is a different word.
    const MOST_EDITS: usize = 2;
    if let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) {
        let edits = |name: &str| strsim::damerau_levenshtein(unknown, name);
        let names = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        if let Some(nearest) = names.min_by_key(|name| edits(name)).filter(|name| edits(name) <= MOST_EDITS) {
            let suggestion = ContextValue::Strings(vec![nearest.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, suggestion);
        }
    }
    error
}

/// Says what to do if a tournament file and an option that stands for a part of it are given.
fn file_or_option(error: clap::Error) -> clap::Error {
    let names = [ContextKind::InvalidArg, ContextKind::PriorArg].map(|kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.as_str(),
        Some(ContextValue::Strings(names)) => names.first().map_or("", String::as_str),
        _ => "",
    });
    let [file, option] = if names[0] == "[CONFIG]" { names } else { [names[1], names[0]] };
    if error.kind() != ErrorKind::ArgumentConflict || file != "[CONFIG]" || option.is_empty() {
        return error;
    }
    let text = format!(
        "`{option}` is for a run without a tournament file; write it in the file, or leave the file out\n\n\
         For more information, try '--help'.\n"
    );
    clap::Error::raw(error.kind(), text)
}

/// Rewords the errors about numbers, which name Rust's types and errors: `invalid digit found in string`.
fn in_plain_words(error: clap::Error) -> clap::Error {
    const MAXIMA: [u64; 4] = [u8::MAX as u64, u16::MAX as u64, u32::MAX as u64, u64::MAX];
    let Some(reason) = std::error::Error::source(&error).map(ToString::to_string) else { return error };
    let limits = reason.split_once(" is not in ").and_then(|(_, range)| range.split_once(".."));
    let reason = match limits {
        Some((low, high)) => {
            let high = high.trim_start_matches('=');
            let is_limited = high.parse().is_ok_and(|high: u64| !MAXIMA.contains(&high));
            if is_limited {
                format!("it must be from {low} to {high}")
            } else {
                format!("it must be at least {low}")
            }
        }
        None if reason == "invalid digit found in string" => "write a whole number".to_owned(),
        None => return error,
    };
    let context = [ContextKind::InvalidValue, ContextKind::InvalidArg].map(|kind| error.get(kind));
    let [Some(ContextValue::String(value)), Some(ContextValue::String(option))] = context else {
        return error;
    };
    let text =
        format!("invalid value '{value}' for '{option}': {reason}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(error.kind(), text)
}

/// The help of `arena`, with its commands in groups. Clap has no groups of commands.
fn help_template(command: &clap::Command) -> StyledStr {
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let mut template = StyledStr::from("{about}\n{usage-heading} {usage}\n");
    for (group, names) in GROUPS {
        writeln!(template, "{header}{group}:{header:#}").expect("a text takes all");
        for name in names {
            let (names, about) = match SHARED.iter().find(|(shared, _)| shared.contains(name)) {
                Some((shared, _)) if shared[0] != *name => continue,
                Some((shared, about)) => (shared.join(", "), (*about).to_owned()),
                None => {
                    let about = command.find_subcommand(name).and_then(clap::Command::get_about);
                    ((*name).to_owned(), about.expect("each command has a line about it").to_string())
                }
            };
            writeln!(template, "  {literal}{names:<11}{literal:#}  {about}").expect("a text takes all");
        }
    }
    write!(template, "{header}Options:{header:#}\n{{options}}{{after-help}}").expect("a text takes all");
    template
}

fn exit_codes() -> String {
    let rows = Exit::table().into_iter().map(|(code, meaning)| format!("\n  {code:<4} {meaning}"));
    format!("Exit codes:{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::definition(Games::built_in()).debug_assert();
    }

    #[test]
    fn errors_about_numbers_name_no_types() {
        let cases: [(&[&str], &str); 4] = [
            (
                &["run", "x.toml", "--pairs", "x"],
                "error: invalid value 'x' for '--pairs <N>': write a whole number\n",
            ),
            (
                &["run", "x.toml", "--pairs", "0"],
                "error: invalid value '0' for '--pairs <N>': it must be at least 1\n",
            ),
            (
                &["run", "x.toml", "--pairs", "-1"],
                "error: invalid value '-1' for '--pairs <N>': it must be at least 1\n",
            ),
            (
                &["simulate", "--games", "99"],
                "error: invalid value '99' for '--games <N>': it must be from 1 to 20\n",
            ),
        ];
        for (args, expected) in cases {
            let args = ["arena"].iter().chain(args);
            let error =
                Cli::definition(Games::built_in()).try_get_matches_from(args).expect_err("a wrong number");
            let text = in_plain_words(error).to_string();
            assert!(text.starts_with(expected), "{text}");
        }
    }

    #[test]
    fn each_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let definition = Cli::definition(Games::built_in());
        let mut known: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
        grouped.sort_unstable();
        known.sort_unstable();
        assert_eq!(grouped, known);
    }
}
