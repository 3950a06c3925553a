//! `arena games`: lists the games and prints their rules.

use std::io::{self, Write};

use clap::Args;
use engine_proto::{CONVENTIONS, GameId, GameInfo, Games};
use serde::Serialize;

use report::html::parts::without_pictures;
use report::tables::write_wrapped;

const EXAMPLES: &str = "\
Examples:
  arena games                            List the games
  arena games push                       Show the start positions of a game
  arena games --rules push | less        Read the rules of a game";

/// List the games, their starts and their rules
///
/// Prints the id and the name of each game, the reasons for which it can end, and the names of its start positions. A tournament
/// without `[[game]]` tables plays all games except those marked "played only if it is named".
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct GamesArgs {
    /// Only this game, with the positions of its starts
    #[arg(hide_possible_values = true, value_parser = super::arguments::game_parser(Games::built_in()), conflicts_with_all = ["json", "rules"])]
    pub game: Option<GameId>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print the rules of this game in Markdown
    ///
    /// The page of the game is followed by the conventions that all games share.
    #[arg(long, hide_possible_values = true, value_name = "GAME", value_parser = super::arguments::game_parser(Games::built_in()), conflicts_with = "json")]
    pub rules: Option<GameId>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    name: &'a str,
    /// Whether it is played without being named.
    default: bool,
    quiet_limit: u32,
    reasons: &'a [&'a str],
    starts: Vec<StartRow<'a>>,
}

#[derive(Serialize)]
struct StartRow<'a> {
    name: &'a str,
    fen: &'a str,
    random: bool,
}

/// Prints the list.
///
/// # Errors
/// If `out` cannot be written.
pub fn run(games: &Games, args: &GamesArgs, out: &mut dyn Write) -> io::Result<()> {
    let known = games.known().filter_map(|game| games.info(game).ok());
    let is_default = |info: &GameInfo| games.all().any(|game| game.id() == info.id);
    if let Some(info) = args.rules.and_then(|game| games.info(game).ok()) {
        return out.write_all(rules(info, known).as_bytes());
    }
    if args.json {
        let rows: Vec<Row<'_>> = known.map(|info| row(info, is_default(info))).collect();
        serde_json::to_writer_pretty(&mut *out, &rows)?;
        return writeln!(out);
    }
    let chosen = args.game.and_then(|game| games.info(game).ok());
    for (idx, info) in known.filter(|info| chosen.is_none_or(|chosen| chosen.id == info.id)).enumerate() {
        if 0 < idx {
            writeln!(out)?;
        }
        let note = if is_default(info) { "" } else { " (played only if it is named)" };
        writeln!(out, "{:<16} {}{note}", info.id, info.name)?;
        let ends = format!(
            "  ends by   {}, repetition, quiet ({} moves)",
            info.reasons.join(", "),
            info.quiet_limit
        );
        write_wrapped(&ends, "            ", out)?;
        if chosen.is_some() {
            write_starts(info, out)?;
        } else {
            let names: Vec<&str> = info.starts.iter().map(|start| start.name).collect();
            write_wrapped(&format!("  starts    {}", names.join(", ")), "            ", out)?;
        }
    }
    if chosen.is_none() {
        writeln!(
            out,
            "\n`arena games push` shows the starts of a game,\n`arena games --rules push` its rules."
        )?;
    }
    Ok(())
}

/// The start positions of a game: what is known about each, and its FEN on a line of its own, which may be long.
fn write_starts(info: &GameInfo, out: &mut dyn Write) -> io::Result<()> {
    for (idx, start) in info.starts.iter().enumerate() {
        let notes = match (idx, start.random, info.same_start(start)) {
            (0, true, _) => " (default start, random: each opening has its own)".to_owned(),
            (0, false, _) => " (default start)".to_owned(),
            (_, true, _) => " (random: each opening has its own)".to_owned(),
            (_, false, Some(same)) if same.random => format!(" ({} with seed 1)", same.name),
            (_, false, Some(same)) => format!(" (the same as {})", same.name),
            (_, false, None) => String::new(),
        };
        writeln!(out, "  start     {}{notes}\n    {}", start.name, start.fen)?;
    }
    Ok(())
}

/// The rules of a game as one page. The targets of its links are on the page or available as a command.
fn rules<'a>(info: &GameInfo, known: impl Iterator<Item = &'a GameInfo> + Clone) -> String {
    let heading = CONVENTIONS.lines().next().expect("the page begins with its heading");
    let anchor: String = heading
        .trim_start_matches(['#', ' '])
        .chars()
        .map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() })
        .collect();
    let mut page = String::new();
    if !info.how_to_play.is_empty() {
        page = format!("# {}: how to play\n\n{}\n", info.name, without_pictures(info.how_to_play));
    }
    page += &info
        .rules
        .replace("(CONVENTIONS.md)", &format!("(#{anchor})"))
        .replace("`CONVENTIONS.md`", &format!("[CONVENTIONS.md](#{anchor})"));
    let mut conventions = CONVENTIONS.to_owned();
    for GameInfo { id, .. } in known.clone() {
        conventions = conventions.replace(&format!("`{id}.md`"), &format!("`arena games --rules {id}`"));
    }
    let is_named = |game: &&GameInfo| CONVENTIONS.contains(&format!("`{}.md`", game.id));
    let further: Vec<String> = known
        .filter(|other| !is_named(other))
        .map(|other| format!("- {}: `arena games --rules {}`\n", other.name, other.id))
        .collect();
    if !further.is_empty() {
        conventions += "\n## Further games\n";
        conventions += &further.concat();
    }
    format!("{page}\n{conventions}")
}

fn row(info: &GameInfo, default: bool) -> Row<'_> {
    Row {
        id: info.id,
        name: info.name,
        default,
        quiet_limit: info.quiet_limit,
        reasons: info.reasons,
        starts: info
            .starts
            .iter()
            .map(|start| StartRow { name: start.name, fen: start.fen, random: start.random })
            .collect(),
    }
}
