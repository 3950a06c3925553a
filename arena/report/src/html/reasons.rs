//! Why matches end, in a sentence: the arena's own reasons, and those of the rules, from the rules pages.

use engine_proto::GameId;

use model::referee::Reason;

/// The maximum number of characters of a sentence from a rules page.
const LONGEST: usize = 320;

/// What a reason of a game's matches means; `None` if it is neither the arena's nor the game's.
pub fn explain(game: GameId, reason: &str) -> Option<String> {
    match Reason::of_arena(reason) {
        Some(reason) => Some(of_arena(reason).to_owned()),
        None => of_rules(game, reason),
    }
}

const fn of_arena(reason: Reason) -> &'static str {
    match reason {
        Reason::MoveCap => "Draw: the match reached the maximum number of plies of the configuration.",
        Reason::Resign => "The loser resigned.",
        Reason::Agreement => "Draw: both engines offered or accepted it with their last moves.",
        Reason::AdjudicatedDraw => {
            "Draw by adjudication: both engines reported an even position for long enough."
        }
        Reason::AdjudicatedWin => "Win by adjudication: both engines reported that the same side wins.",
        Reason::Time => "The loser exceeded its time.",
        Reason::IllegalMove => "The loser's move was illegal or not in canonical spelling.",
        Reason::Crash => "The loser's process ended during the match.",
        Reason::ProtocolError => "The loser broke the protocol.",
        Reason::OffTurn => "The loser computed while it was not on the move.",
        Reason::StartFailure => "An engine did not start or did not get ready.",
        Reason::Retired => "The loser was retired because of too many faults, and forfeited the match.",
        Reason::Rules(_) => "The match ended by the rules of the game.",
    }
}

/// From the table of the section on the end of the game; a row that only says who wins is replaced by the list item that
/// says when.
fn of_rules(game: GameId, reason: &str) -> Option<String> {
    let info = game.info();
    match reason {
        "repetition" => return Some("Draw: the same position occurred for the third time.".to_owned()),
        "quiet" => return Some(format!("Draw: {} moves without progress.", info.quiet_limit)),
        _ if info.reasons.contains(&reason) => {}
        _ => return None,
    }
    let quoted = format!("`{reason}`");
    let (_, end) = info.rules.split_once("\n## End of the game")?;
    let end = end.split("\n## ").next().unwrap_or_default();
    let item = end.split("\n- ").find_map(|item| item.strip_prefix(&format!("{quoted} ")));
    let row = end.lines().filter(|line| line.starts_with('|')).find_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        cells.contains(&quoted.as_str()).then(|| {
            let words = cells.into_iter().filter(|cell| *cell != quoted && cell.parse::<u8>().is_err());
            words.collect::<Vec<_>>().join(": ")
        })
    });
    let text = match (row, item) {
        (Some(row), None) => row,
        (Some(row), Some(item)) if row.contains(' ') && !item.is_empty() => row,
        (_, Some(item)) => format!("win {}", item.split([';', '.']).next().unwrap_or_default()),
        (None, None) => return None,
    };
    Some(sentence(&text))
}

/// Text without its Markdown, as a sentence of bounded length.
fn sentence(markdown: &str) -> String {
    let plain = markdown.replace(['`', '*'], "");
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut sentence: String = words.chars().take(LONGEST).collect();
    if let Some(first) = sentence.get(0..1) {
        let first = first.to_uppercase();
        sentence.replace_range(0..1, &first);
    }
    if words.chars().nth(LONGEST).is_some() {
        sentence.push('…');
    } else if !sentence.ends_with('.') {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_of_every_game_is_explained() {
        for game in GameId::known() {
            for reason in game.info().reasons.iter().chain(&["repetition", "quiet", "move-cap", "time"]) {
                let sentence = explain(game, reason).unwrap_or_else(|| panic!("{game}: {reason}"));
                assert!(12 < sentence.len() && !sentence.contains(['`', '|']), "{game}: {sentence}");
            }
        }
        assert_eq!(explain(GameId::PUSH, "<i>"), None);
    }

    #[test]
    fn sentences_come_from_the_rules_pages() {
        assert_eq!(
            explain(GameId::TOWER_PUSH, "elimination").unwrap(),
            "Win if his opponent has no piece on the board (whatever is in hand)."
        );
        assert_eq!(explain(GameId::PUSH, "both-kings").unwrap(), "Neither side has a king: draw.");
    }
}
