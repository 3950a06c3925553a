//! The command line: the commands, their groups, and the text of `arena --help`.

use std::any::TypeId;
use std::fmt::Write as _;
use std::io::Write as _;

use clap::builder::StyledStr;
use clap::{ArgAction, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use engine_proto::{GameId, Games};

use crate::argument_errors::improved;
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
use host::output::stderr_columns;
use report::tables::text::message;

const EXAMPLES: &str = "\
Examples:
  arena run configs/quick.toml           Play a small tournament
  arena check target/release/my-engine   Check an engine
  arena show results/quick 12 --play     Replay match 12 of a tournament";

/// The commands in the groups of the help.
pub(crate) const GROUPS: [(&str, &[&str]); 2] = [
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
    (&["compare", "history"], "Compare engines or tournaments; rate an engine's builds"),
    (&["merge", "pgn", "export"], "Join results folders; print matches as PGN, or positions"),
    (&["play", "analyse"], "Play against an engine; analyse a position with engines"),
    (&["perft", "probe"], "Count move sequences; print legal moves as JSON"),
    (&["completions", "man", "schema", "import-fastchess"], "set up:"),
];

/// The end of the line about a command that is not part of this build.
const LEFT_OUT: &str = " (not in this build)";

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
        let color = wanted_color(std::env::args());
        let mut definition = Self::definition(games);
        if std::env::args().any(|arg| arg == "--help") {
            let template = help_template(&definition, "\n");
            definition = definition.help_template(template);
        }
        let matches = definition.color(color).try_get_matches();
        let matches = matches.unwrap_or_else(|error| exit(&improved(error, std::env::args()), color));
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
        let template = help_template(&command, "");
        command.help_template(template).after_long_help(format!("{EXAMPLES}\n\n{}", exit_codes()))
    }
}

/// Ends the process with this error, or the help. A terminal would break the lines of an error inside words.
fn exit(error: &clap::Error, color: ColorChoice) -> ! {
    let Some(columns) = stderr_columns().filter(|_| error.use_stderr()) else { error.exit() };
    let text = error.render();
    let text = if color == ColorChoice::Never { text.to_string() } else { text.ansi().to_string() };
    let _ = writeln!(anstream::stderr(), "{}", message(&text, Some(columns)));
    std::process::exit(error.exit_code())
}

/// The colors that the help and errors in the arguments have: `--color` is read before all arguments are.
fn wanted_color(args: impl Iterator<Item = String>) -> ColorChoice {
    let args: Vec<String> = args.take_while(|arg| arg != "--").collect();
    let after = args.windows(2).find(|two| two[0] == "--color").map(|two| two[1].as_str());
    match after.or_else(|| args.iter().find_map(|arg| arg.strip_prefix("--color="))) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
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

/// The help of `arena`, with its commands in groups, and `gap` before each. Clap has no groups of commands.
fn help_template(command: &clap::Command, gap: &str) -> StyledStr {
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let about_of = |name: &str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        about.expect("each command has a line about it").to_string()
    };
    let marked = |name: &&str| format!("{name}{}", if about_of(name).ends_with(LEFT_OUT) { "*" } else { "" });
    let is_any_left_out = command.get_subcommands().any(|it| about_of(it.get_name()).ends_with(LEFT_OUT));
    let mut note = if is_any_left_out { " (* not in this build)" } else { "" };
    let mut template = StyledStr::from("{about}\n{usage-heading} {usage}\n");
    for (group, names) in GROUPS {
        writeln!(template, "{gap}{header}{group}{note}:{header:#}").expect("a text takes all");
        note = "";
        for name in names {
            let (names, about) = match SHARED.iter().find(|(shared, _)| shared.contains(name)) {
                Some((shared, _)) if shared[0] != *name => continue,
                Some((shared, about)) => (shared.iter().map(marked).collect(), (*about).to_owned()),
                None => (vec![marked(name)], about_of(name).replace(LEFT_OUT, "")),
            };
            let names = names.join(", ");
            // Names that do not fit their column stand in the other one.
            if names.len() <= 18 {
                writeln!(template, "  {literal}{names:<18}{literal:#}  {about}").expect("a text takes all");
            } else {
                writeln!(template, "  {about:<18}  {literal}{names}{literal:#}").expect("a text takes all");
            }
        }
    }
    write!(template, "{gap}{header}Options:{header:#}\n{{options}}{{after-help}}").expect("a text takes all");
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
    fn the_help_fits_a_screen() {
        let help = Cli::definition(Games::built_in()).render_help().to_string();
        assert!(help.lines().count() < 24 && help.lines().all(|line| line.len() <= 80), "{help}");
        // In columns.
        let rows = help.lines().take_while(|line| *line != "Options:").filter(|line| line.starts_with("  "));
        assert!(rows.into_iter().all(|row| row[20..].starts_with("  ")), "{help}");
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
