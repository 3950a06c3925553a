//! What a referee program says about its game, as the constants of a game.

use engine_proto::scene::PieceKind;
use engine_proto::{GameInfo, Start};

use super::scene;
use model::{RefereeInfo, RefereeStart};

/// Moves without progress at which a game is drawn, unless the program says another number.
const QUIET_LIMIT: u32 = 100;
/// Moves of a match, for estimates of time.
const TYPICAL_PLIES: u32 = 60;

/// The constants of the game `id`. They are never freed, as the texts of all games are static: a program reads few games of users.
pub fn constants(id: &str, info: &RefereeInfo) -> &'static GameInfo {
    let text = |text: &str| -> &'static str { String::leak(text.to_owned()) };
    let starts: Vec<Start> =
        info.starts.iter().map(|RefereeStart { name, fen }| Start::fixed(text(name), text(fen))).collect();
    let reasons: Vec<&str> = info.reasons.iter().map(|reason| text(reason)).collect();
    let name = if info.name.is_empty() { id } else { &info.name };
    let rules = if info.rules.is_empty() {
        format!("# {name} (`{id}`)\n\nThe rules of this game are a program: see its author.\n")
    } else {
        info.rules.clone()
    };
    let kinds: &'static [PieceKind] = scene::kinds();
    Box::leak(Box::new(GameInfo {
        id: text(id),
        name: text(name),
        rules: text(&rules),
        how_to_play: "",
        starts: Vec::leak(starts),
        quiet_limit: info.quiet_limit.unwrap_or(QUIET_LIMIT),
        typical_plies: info.typical_plies.unwrap_or(TYPICAL_PLIES),
        reasons: Vec::leak(reasons),
        kinds,
    }))
}
