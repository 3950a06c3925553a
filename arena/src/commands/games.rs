//! `arena games`: lists the games and prints their rules.

use std::io::{self, Write};

use clap::Args;
use engine_proto::{CONVENTIONS, GameId};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  arena games                            List the games
  arena games --rules push | less        Read the rules of a game";

/// List the games, their starts and their rules
///
/// Prints the id and the name of each game, the reasons for which it can end, and its start positions. A tournament
/// without `[[game]]` tables plays all games except those marked "played only if it is named".
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct GamesArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print the rules of this game in Markdown
    ///
    /// The page of the game is followed by the conventions that all games share.
    #[arg(long, hide_possible_values = true, value_name = "GAME", value_parser = super::arguments::game_parser(), conflicts_with = "json")]
    pub rules: Option<GameId>,
}

#[derive(Serialize)]
struct Row {
    id: &'static str,
    name: &'static str,
    /// Whether it is played without being named.
    default: bool,
    quiet_limit: u32,
    reasons: &'static [&'static str],
    starts: Vec<StartRow>,
}

#[derive(Serialize)]
struct StartRow {
    name: &'static str,
    fen: &'static str,
    random: bool,
}

/// Prints the list.
///
/// # Errors
/// If `out` cannot be written.
pub fn run(args: &GamesArgs, out: &mut dyn Write) -> io::Result<()> {
    if let Some(game) = args.rules {
        return out.write_all(rules(game).as_bytes());
    }
    if args.json {
        let rows: Vec<Row> = GameId::known().map(row).collect();
        serde_json::to_writer_pretty(&mut *out, &rows)?;
        return writeln!(out);
    }
    for (idx, game) in GameId::known().enumerate() {
        let info = game.info();
        if 0 < idx {
            writeln!(out)?;
        }
        let note = if is_default(game) { "" } else { " (played only if it is named)" };
        writeln!(out, "{:<16} {}{note}", info.id, info.name)?;
        writeln!(
            out,
            "  ends by   {}, repetition, quiet ({} moves)",
            info.reasons.join(", "),
            info.quiet_limit
        )?;
        for (idx, start) in info.starts.iter().enumerate() {
            let same = info.starts[..idx].iter().find(|earlier| earlier.fen == start.fen);
            let notes = match (idx, start.random, same) {
                (0, true, _) => " (default start, random: each opening has its own)".to_owned(),
                (0, false, _) => " (default start)".to_owned(),
                (_, true, _) => " (random: each opening has its own)".to_owned(),
                (_, false, Some(same)) if same.random => format!(" ({} with seed 1)", same.name),
                (_, false, Some(same)) => format!(" (the same as {})", same.name),
                (_, false, None) => String::new(),
            };
            writeln!(out, "  start     {:<9} {}{notes}", start.name, start.fen)?;
        }
    }
    Ok(())
}

/// The rules of a game as one page. The targets of its links are on the page or available as a command.
fn rules(game: GameId) -> String {
    let heading = CONVENTIONS.lines().next().expect("the page begins with its heading");
    let anchor: String = heading
        .trim_start_matches(['#', ' '])
        .chars()
        .map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() })
        .collect();
    let info = game.info();
    let mut page = String::new();
    if !info.how_to_play.is_empty() {
        page = format!("# {}: how to play\n\n{}\n", info.name, info.how_to_play);
    }
    page += &info
        .rules
        .replace("(CONVENTIONS.md)", &format!("(#{anchor})"))
        .replace("`CONVENTIONS.md`", &format!("[CONVENTIONS.md](#{anchor})"));
    let mut conventions = CONVENTIONS.to_owned();
    for other in GameId::known() {
        conventions =
            conventions.replace(&format!("`{other}.md`"), &format!("`arena games --rules {other}`"));
    }
    let is_named = |game: &GameId| CONVENTIONS.contains(&format!("`{game}.md`"));
    let further: Vec<String> = GameId::known()
        .filter(|other| !is_named(other))
        .map(|other| format!("- {}: `arena games --rules {other}`\n", other.info().name))
        .collect();
    if !further.is_empty() {
        conventions += "\n## Further games\n";
        conventions += &further.concat();
    }
    format!("{page}\n{conventions}")
}

fn is_default(game: GameId) -> bool {
    GameId::all().contains(&game)
}

fn row(game: GameId) -> Row {
    let info = game.info();
    Row {
        id: info.id,
        name: info.name,
        default: is_default(game),
        quiet_limit: info.quiet_limit,
        reasons: info.reasons,
        starts: info
            .starts
            .iter()
            .map(|start| StartRow { name: start.name, fen: start.fen, random: start.random })
            .collect(),
    }
}
