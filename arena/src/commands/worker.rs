//! `arena worker`: plays matches for a coordinator on another machine.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use engine_proto::Games;

use super::arguments::NatsArgs;
use crate::exit::{CommandError, Exit};
use cluster::subject::{is_name, is_worker};
use cluster::worker::{Ended, Limits, OwnFolder, OwnName, Settings, work};
use cluster::{Access, LINK_LOST, LINK_RESTORED, Machine, new_key, server_config};
use host::machine::{runs_as_root, speed, usable_cores};
use host::output::CannotWrite;
use model::Size;
use model::escape::escaped;
use opponent::{Folders, pauses};
use runner::conduct::{Signals, StopRequests};

const EXAMPLES: &str = "\
Examples:
  arena worker --nats nats://192.168.1.5   Play for coordinators at this server
  arena worker --nats tls://example.com --nkey desk.nk --name desk
                                           Play over the internet
  arena worker --new-key desk.nk           Make a key for this machine";

/// Play matches for a coordinator
///
/// Waits for tournaments that `arena run --nats` plays at the same server, and plays their matches on this machine. The
/// engines must exist at the same paths as at the coordinator, and must be the same programs, unless the tournament has
/// `distribute = true`. Ctrl-C hands the matches back to other workers; a second Ctrl-C ends at once.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES, mut_arg("nats", |arg| arg.display_order(0).required_unless_present_any(["new_key", "server_config", "measure"])))]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate switch")]
pub struct WorkerArgs {
    /// Name of this worker, unique on the server [default: the host's name, with a number if it is taken]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// Number of processors to use [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub cores: Option<u16>,
    /// Memory for all engines, such as `8GiB` [default: not limited]
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<Size>)]
    pub memory: Option<Size>,
    /// Speed of this machine for `scale-clocks`, instead of measuring it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub speed: Option<u64>,
    /// Measure the speed of this machine, and print it
    ///
    /// The number is for `--speed`, and for `reference-speed` in a tournament file. Nothing is played.
    #[arg(long, conflicts_with = "nats", hide_short_help = true)]
    pub measure: bool,
    /// Run engines without a sandbox
    ///
    /// The coordinator names the programs that the worker runs. Use this option only if you trust everybody who can
    /// start a tournament at the server.
    #[arg(long)]
    pub trust: bool,
    /// Limits of each engine, unless `--trust` is given, such as `memory=2GiB,disk=500MiB,processes=64`
    ///
    /// An engine that exceeds `memory` or `processes` fails. If engines write more than `disk`, the worker leaves the tournament.
    /// `none` instead of a size means no limit. [default: memory=4GiB,disk=1GiB]
    #[arg(long, value_name = "LIMITS", value_parser = str::parse::<Limits>, hide_short_help = true)]
    pub limits: Option<Limits>,
    /// Run even as root
    ///
    /// Other people's engines would run as root, too.
    #[arg(long)]
    pub allow_root: bool,
    /// Exit after the first tournament
    #[arg(long)]
    pub once: bool,
    /// Make a key for `--nkey`, and print its public key
    ///
    /// The public key belongs in the configuration of the server. Nothing is played.
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub new_key: Option<PathBuf>,
    /// Print the configuration of a NATS server for these machines, each with its public key
    ///
    /// One of them is the coordinator: `coordinator=KEY desk=KEY attic=KEY`. Nothing is played.
    #[arg(long, value_name = "NAME=KEY", num_args = 1.., exclusive = true, hide_short_help = true, value_parser = str::parse::<Machine>)]
    pub server_config: Vec<Machine>,
    /// Hide the progress output
    #[arg(long, short)]
    pub quiet: bool,
    /// The server
    #[command(flatten)]
    pub nats: NatsArgs,
}

fn name(text: &str) -> Result<String, String> {
    if !is_name(text) {
        return Err("a name has 1 to 40 letters, digits, `-` and `_`".to_owned());
    }
    if !is_worker(text) {
        return Err(format!("`{text}` is the coordinator itself"));
    }
    Ok(text.to_owned())
}

/// Plays matches until the user wants to stop.
///
/// # Errors
/// If there is no connection to the server, or this machine cannot play.
pub fn run(games: &Games, args: &WorkerArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    if let Some(path) = &args.new_key {
        let public_key = new_key(path).map_err(CannotWrite::at(path))?;
        return Ok(writeln!(out, "{public_key}")?);
    }
    if !args.server_config.is_empty() {
        let config = server_config(&args.server_config)
            .map_err(|problem| CommandError::usage(format!("`--server-config`: {problem}")))?;
        return Ok(write!(out, "{config}")?);
    }
    let cores = args.cores.unwrap_or_else(|| u16::try_from(usable_cores()).unwrap_or(u16::MAX));
    if args.measure {
        let speed =
            speed::measure(cores).map_err(|busy| CommandError::new(Exit::Output, busy.to_string()))?;
        return Ok(writeln!(out, "{speed}")?);
    }
    let access = args.nats.access().expect("the arguments require it");
    if runs_as_root() && !args.allow_root {
        return Err(CommandError::usage(
            "this worker runs as root, and so would other people's engines; start it as another user, or with `--allow-root`",
        ));
    }
    let secrets = access.secrets();
    if !args.trust
        // Certificates of authorities are no secret, and systems have theirs in `/etc`.
        && let Some((file, folder)) = readable_by_all(&Access { authorities: None, ..access.clone() }.secrets())
    {
        return Err(CommandError::input(format!(
            "`{}` is in `{}`, which engines in a sandbox may read; move it, for example to a folder in your home folder",
            file.display(),
            folder.display()
        )));
    }
    let temporary = std::env::temp_dir();
    let folder = OwnFolder::create_in(&temporary).map_err(CannotWrite::at(&temporary))?;
    let folders = Folders { logs: folder.path().join("logs"), scratch: folder.path().join("scratch") };
    std::fs::create_dir_all(&folders.logs).map_err(CannotWrite::at(&folders.logs))?;
    let own_name = args.name.clone().map_or_else(|| OwnName::of_host(&user_cache()), OwnName::named);
    let settings = Settings {
        games: games.clone(),
        name: own_name.name.clone(),
        process: format!("{:x}", RandomState::new().hash_one(())),
        cores,
        speed: args.speed,
        cache: user_cache().join("engines"),
        memory: args.memory,
        trusts: args.trust,
        limits: args.limits.unwrap_or_default(),
        secrets,
        is_once: args.once,
        folders,
    };
    let is_quiet = args.quiet;
    let say = move |message: &str| {
        if !is_quiet {
            let _ = writeln!(io::stderr(), "{}", escaped(message));
        }
    };
    let say_link = move |is_restored| {
        say(if is_restored { LINK_RESTORED } else { LINK_LOST });
    };
    pauses::watch();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::refused(&error))?;
    let ended = runtime.block_on(async {
        let mut signals = Signals::listen().map_err(|error| CommandError::refused(&error))?;
        let client = tokio::select! {
            client = access.connect(&settings.name, say, say_link) => client.map_err(CommandError::input)?,
            _ = signals.next() => return Ok(Ended::Left),
        };
        say(&format!("worker `{}` waits for tournaments", settings.name));
        work(&client, &settings, signals, say).await.map_err(|error| CommandError::new(Exit::Output, error))
    })?;
    if ended == Ended::Aborted {
        return Err(CommandError::new(Exit::Interrupted, "stopped at once; other workers play the pairs"));
    }
    Ok(())
}

/// The first of these files that every engine in a sandbox may read, with the folder in which it is.
fn readable_by_all(files: &[PathBuf]) -> Option<(PathBuf, PathBuf)> {
    let folders = host::launch::READABLE.iter().filter_map(|folder| Path::new(folder).canonicalize().ok());
    let find = |folder: PathBuf| {
        let file = files.iter().find(|file| file.starts_with(&folder))?;
        Some((file.clone(), folder))
    };
    folders.into_iter().find_map(find)
}

/// The folder for what workers of this user keep.
fn user_cache() -> PathBuf {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    folder.unwrap_or_else(std::env::temp_dir).join("arena")
}
