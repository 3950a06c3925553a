//! Errors in the arguments: clap's, with what to write instead.

use std::net::SocketAddr;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use engine_proto::Games;
use host::closest::closest;

use crate::cli::{Cli, GROUPS};

/// Options of other tools for tournaments, and what is written here; those of other commands than `run` after their names.
const ELSEWHERE: [(&str, &str); 33] = [
    ("rounds", "`--pairs N` is the number of pairs for each pairing and game"),
    ("repeat", "leave it out: each opening is played twice, with sides swapped"),
    ("each", "leave it out: `--tc` and `--nodes` are for all engines"),
    ("output", "`--results FOLDER` is the folder for the results"),
    ("pgnout", "`arena pgn FOLDER` prints the matches of a results folder as PGN"),
    ("c", "`--concurrency N` is the number of matches to play at once"),
    ("depth", "write `depth` below `[limits]` in a tournament file; see configs/README.md"),
    ("st", "`--movetime 1s` is the time for each move"),
    ("time", "`--movetime 1s` is the time for each move, and `--tc 10s+100ms` a clock"),
    ("hash", "`--option Hash=N` sets an option of the engines"),
    ("threads", "`--option Threads=N` sets an option of the engines"),
    ("resume", "leave it out: the same command continues a tournament"),
    ("recover", "leave it out: an engine that ends is started again"),
    ("noswap", "leave it out: each opening is played twice, with sides swapped"),
    ("seed", SEED),
    ("srand", SEED),
    ("openings", OPENINGS),
    ("book", OPENINGS),
    ("variant", "`--games chess960` names the games"),
    ("elo0", "`--sprt ELO0,ELO1` has both hypotheses, such as `--sprt 0,5`"),
    ("maxplies", "write `max-plies` below `[limits]` in a tournament file; see configs/README.md"),
    ("format", FORMAT),
    ("gauntlet", FORMAT),
    ("tournament", FORMAT),
    ("resign", "write `[adjudication]` in a tournament file; see configs/README.md"),
    ("draw", "write `[adjudication]` in a tournament file; see configs/README.md"),
    ("e", "`--engine NAME=COMMAND` is an engine"),
    (
        "o",
        "`--results FOLDER` is the folder for the results, and `--option NAME=VALUE` an option of the engines",
    ),
    (
        "v",
        "`arena --version` prints the version; `--log FOLDER` keeps what arena and engines write to each other",
    ),
    ("rate only", "`--engine NAME` shows only this engine, `--game GAME` rates only this game"),
    ("rate pgn", "name the files alone: `arena rate FILE.pgn`"),
    ("serve port", "`--address 8080` is the port"),
    ("simulate sprt", "`--stop sprt=0,5` ends each tournament by this test"),
];

const SEED: &str =
    "write `seed` below `[tournament]` in a tournament file; `--print-config` prints one for the options";
const OPENINGS: &str = "write `openings` below `[[game]]` in a tournament file; see configs/README.md";
const FORMAT: &str = "write `format` below `[tournament]` in a tournament file; see configs/README.md";

/// What others call a command.
const COMMANDS_ELSEWHERE: [(&str, &str); 2] = [("sprt", "run"), ("elo", "rate")];

/// Options for a run without a file, and where a file has the same.
const IN_FILE: [(&str, &str); 7] = [
    ("--engine", "[[engine]]"),
    ("--games", "[[game]]"),
    ("--movetime", "[limits]"),
    ("--nodes", "[limits]"),
    ("--tc", "[limits]"),
    ("--sprt", "[stop.sprt]"),
    ("--option", "[engine-defaults]"),
];

/// The same error in plain words, with what may have been meant. `args` are all arguments.
pub fn improved(error: clap::Error, args: impl Iterator<Item = String>) -> clap::Error {
    let args: Vec<String> = args.collect();
    if let Some(address) = spaced_address(&args)
        && matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::ArgumentConflict)
    {
        let text = format!(
            "an address needs an equals sign: `--serve={address}`\n\nFor more information, try '--help'.\n"
        );
        return clap::Error::raw(error.kind(), text);
    }
    let error = with_nearest_option(with_nearest_command(error), &args);
    in_plain_words(of_another_tool(file_or_option(error, &args), args))
}

/// The address or port that stands behind `--serve` as an argument of its own.
fn spaced_address(args: &[String]) -> Option<&str> {
    let is_address = |word: &str| word.parse::<SocketAddr>().is_ok() || word.parse::<u16>().is_ok();
    let [_, word] = args.windows(2).find(|two| two[0] == "--serve")? else { return None };
    is_address(word).then_some(word)
}

/// Says how an option of another tool is written here, or that an option of several letters begins with two dashes.
fn of_another_tool(mut error: clap::Error, args: Vec<String>) -> clap::Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg).cloned() else {
        return error;
    };
    // Command lines of other tools have no command: `-engine cmd=a`.
    let is_of_run = |first: &String| first == "run" || first.starts_with('-') && !first.starts_with("--");
    let command = args.get(1).cloned().unwrap_or_default();
    let is_of_run = is_of_run(&command);
    if error.kind() != ErrorKind::UnknownArgument || !is_of_run && !unknown.starts_with("--") {
        return error;
    }
    let meant = |word: &str| {
        let word = word.replace('-', "");
        let wanted = if is_of_run { word } else { format!("{command} {word}") };
        ELSEWHERE.iter().find(|(known, _)| *known == wanted).map(|(_, meant)| *meant)
    };
    // Its letter is that of an option, to clap.
    let of_test = args.windows(2).find(|two| two[0] == "--sprt" && two[1].starts_with(&unknown));
    if let Some([_, negative]) = of_test
        && !negative.starts_with("--")
    {
        return clap::Error::raw(
            error.kind(),
            format!(
                "a negative number needs an equals sign: `--sprt={negative}`\n\nFor more information, try '--help'.\n"
            ),
        );
    }
    let tips = match unknown.strip_prefix("--") {
        Some(word) => meant(word.split('=').next().unwrap_or_default()).map(|tip| vec![tip]),
        None if !unknown.starts_with('-') => None,
        None => args.into_iter().skip(1).find(|arg| arg.starts_with(&unknown)).and_then(|arg| {
            let word = arg.trim_start_matches('-');
            let two_dashes = "options have two dashes: `arena run --engine NAME=COMMAND --tc 10s+100ms`";
            let tip = meant(word).or_else(|| (1 < word.len()).then_some(two_dashes))?;
            error.insert(ContextKind::InvalidArg, ContextValue::String(arg));
            Some(vec![tip, "`arena import-fastchess` turns a fastchess command line into a file"])
        }),
    };
    let Some(tips) = tips else { return error };
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Usage);
    let tips = tips.into_iter().map(StyledStr::from).collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

/// Suggests the command that is nearest to an unknown one. Clap's own measure does not find swapped letters, as in `rnu`.
fn with_nearest_command(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) {
        let names = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        if unknown == "version" {
            error.remove(ContextKind::SuggestedSubcommand);
            let tip = StyledStr::from("'--version' prints the version");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            return error;
        }
        let elsewhere = COMMANDS_ELSEWHERE.iter().find(|(known, _)| known == unknown).map(|(_, here)| *here);
        if let Some(nearest) = elsewhere.or_else(|| closest(unknown, names)) {
            let suggestion = ContextValue::Strings(vec![nearest.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, suggestion);
        }
    }
    error
}

/// Suggests the option that is nearest to an unknown one. What clap suggests has often nothing to do with it.
fn with_nearest_option(mut error: clap::Error, args: &[String]) -> clap::Error {
    let definition = Cli::definition(Games::built_in());
    let command = args.get(1).and_then(|name| definition.find_subcommand(name));
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg)
        && unknown.starts_with('-')
    {
        let word = unknown.trim_start_matches('-');
        let options =
            command.into_iter().flat_map(Command::get_arguments).filter(|option| !option.is_hide_set());
        let nearest = closest(word, options.filter_map(Arg::get_long)).filter(|_| 1 < word.len());
        let nearest = nearest.map(|name| format!("--{name}"));
        // That it can stand behind `--` helps where an engine has arguments.
        if nearest.is_some() || command.is_none_or(|command| command.get_name() != "check") {
            error.remove(ContextKind::Suggested);
        }
        error.remove(ContextKind::SuggestedArg);
        if let Some(nearest) = nearest {
            error.insert(ContextKind::SuggestedArg, ContextValue::String(nearest));
        }
    }
    error
}

/// Says what to do if a tournament file and an option that stands for a part of it are given.
fn file_or_option(error: clap::Error, args: &[String]) -> clap::Error {
    let names = [ContextKind::InvalidArg, ContextKind::PriorArg].map(|kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.as_str(),
        Some(ContextValue::Strings(names)) => names.first().map_or("", String::as_str),
        _ => "",
    });
    let [file, option] = if names[0] == "[CONFIG]" { names } else { [names[1], names[0]] };
    if error.kind() != ErrorKind::ArgumentConflict || file != "[CONFIG]" || option.is_empty() {
        return error;
    }
    let name = args.windows(3).find_map(|three| {
        let [before, _, name] = three else { return None };
        (before == "--engine" && name.contains('=') && !name.starts_with('-')).then_some(name)
    });
    let what = if let Some(name) = name {
        format!("`{name}` is no tournament file; an engine gets its name by `--engine NAME=COMMAND`")
    } else {
        let place = IN_FILE.iter().find(|(long, _)| option.split(' ').next() == Some(long));
        let place = place.map_or(String::new(), |(_, place)| format!(" as `{place}`"));
        format!(
            "`{option}` is for a run without a tournament file; write it in the file{place}, or leave the file out"
        )
    };
    let text = format!("{what}\n\nFor more information, try '--help'.\n");
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use engine_proto::Games;

    #[test]
    fn options_of_other_tools_are_told_in_those_of_this_one() {
        let told = |line: &str| {
            let args = || line.split(' ').map(str::to_owned);
            let error = Cli::definition(Games::built_in()).try_get_matches_from(args()).expect_err(line);
            improved(error, args()).to_string()
        };
        insta::assert_snapshot!(told("arena run --engine a --rounds 5"), @"
        error: unexpected argument '--rounds' found

          tip: `--pairs N` is the number of pairs for each pairing and game

        For more information, try '--help'.
        ");
        insta::assert_snapshot!(told("arena run -engine cmd=a -each tc=10"), @"
        error: unexpected argument '-engine' found

          tip: options have two dashes: `arena run --engine NAME=COMMAND --tc 10s+100ms`
          tip: `arena import-fastchess` turns a fastchess command line into a file

        For more information, try '--help'.
        ");
        let tips = [
            ("-rounds 5", "`--pairs N` is the number of pairs"),
            ("a.toml --output x", "`--results FOLDER`"),
            ("-c 2", "`--concurrency N`"),
            ("--hash 16", "`--option Hash=N`"),
            ("--pgn-out x", "`arena pgn FOLDER`"),
            ("a.toml --serve 8080", "`--serve=8080`"),
            ("--engine a --engine b --serve 127.0.0.1:0", "`--serve=127.0.0.1:0`"),
            ("-o x", "`--results FOLDER` is the folder"),
            ("-v", "`arena --version` prints the version"),
            ("--srand 5", "write `seed` below `[tournament]`"),
            ("a.toml --seed=5", "write `seed` below `[tournament]`"),
            ("a.toml --time 1", "`--movetime 1s` is the time for each move"),
            ("a.toml --sprt", "write it in the file as `[stop.sprt]`, or leave the file out"),
            ("--engine a name=b --engine c", "`name=b` is no tournament file; an engine gets its name by"),
            ("a.toml --games 10", "it names games, such as `push`; `--pairs N` is the number of pairs"),
        ];
        let of_run = |(args, tip)| (format!("run {args}"), tip);
        let others = [
            ("serve a --port 80", "`--address 8080`"),
            ("simulate --sprt", "`--stop sprt=0,5`"),
            ("rate --only a b", "`--engine NAME` shows only this engine"),
            ("rate --pgn a.pgn", "`arena rate FILE.pgn`"),
        ];
        let others = others.map(|(args, tip)| (args.to_owned(), tip));
        for (args, tip) in tips.map(of_run).into_iter().chain(others) {
            let told = told(&format!("arena {args}"));
            assert!(told.contains(tip), "{told}");
        }
        assert_eq!(told("arena -engine cmd=a"), told("arena run -engine cmd=a"));
        let others = told("arena run --pair 5") + &told("arena rate --rounds 5");
        assert!(others.contains("a similar argument exists: '--pairs'"), "{others}");
        assert!(!others.contains("`--pairs N`"), "{others}");
        let short = told("arena rate a -o x");
        assert!(!short.contains("as a value") && short.contains("unexpected argument '-o'"), "{short}");
        let version = told("arena version");
        assert!(version.contains("'--version'") && !version.contains("verify"), "{version}");
        assert!(told("arena sprt").contains("'run'"), "{}", told("arena sprt"));
        let unlike = told("arena run --zzz 5");
        assert!(!unlike.contains("similar") && !unlike.contains("as a value"), "{unlike}");
        for (slip, meant) in [("play --efn", "fen"), ("run --engnie", "engine")] {
            let told = told(&format!("arena {slip}"));
            assert!(told.contains(&format!("a similar argument exists: '--{meant}'")), "{told}");
        }
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
}
