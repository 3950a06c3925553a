//! Why matches end, in words and in a sentence: the arena's own reasons, and those of the rules.

use std::borrow::Cow;

use engine_proto::{GameId, Games, Side};

use model::referee::Reason;

/// The maximum number of characters of a sentence from a rules page.
const LONGEST: usize = 320;

/// A reason in two or three words, for lists.
pub fn in_words(reason: &str) -> Cow<'_, str> {
    match reason {
        "move-cap" => "move limit reached".into(),
        "time" => "time exceeded".into(),
        "start-failure" => "did not start".into(),
        "off-turn" => "computed off turn".into(),
        "quiet" => "no progress".into(),
        reason => reason.replace('-', " ").into(),
    }
}

/// What a reason of a game's matches means; `None` if it is neither the arena's nor the game's.
pub fn explain(games: &Games, game: GameId, reason: &str) -> Option<String> {
    match Reason::of_arena(reason) {
        Some(reason) => Some(of_arena(reason).to_owned()),
        None => of_rules(games, game, reason),
    }
}

/// How a match ended, in a sentence: `White wins: Black's king died.`
pub fn outcome(games: &Games, game: GameId, winner: Option<Side>, reason: &str) -> String {
    let result = winner.map_or_else(|| "Draw".to_owned(), |winner| format!("{winner} wins"));
    match because(games, game, winner, reason) {
        Some(because) if because.starts_with(&result) => because,
        Some(because) => format!("{result}: {because}"),
        None => format!("{result} ({reason})."),
    }
}

/// The sentences for a win of Black, a draw and a win of White.
pub fn outcomes(games: &Games, game: GameId, reason: &str) -> [String; 3] {
    [Some(Side::Black), None, Some(Side::White)].map(|winner| outcome(games, game, winner, reason))
}

/// What a reason means in a match with this winner, with the names of the sides.
pub fn because(games: &Games, game: GameId, winner: Option<Side>, reason: &str) -> Option<String> {
    let meaning = explain(games, game, reason)?;
    let Some(winner) = winner else { return Some(meaning) };
    let (won, lost) = (winner.to_string(), (!winner).to_string());
    let meaning = meaning.replace("The loser", &lost).replace("the loser", &lost);
    let meaning = meaning.replace("The winner", &won).replace("the winner", &won);
    // After a colon.
    Some(meaning.strip_prefix("The ").map_or(meaning.clone(), |rest| format!("the {rest}")))
}

const fn of_arena(reason: Reason) -> &'static str {
    match reason {
        Reason::MoveCap => "Draw: the match reached the maximum number of plies of the configuration.",
        Reason::Resign => "The loser resigned.",
        Reason::Agreement => "Draw: both engines offered or accepted it with their last moves.",
        Reason::AdjudicatedDraw => {
            "Draw by adjudication: both engines reported an even position for long enough."
        }
        Reason::AdjudicatedWin => "Both engines reported that the same side wins (adjudication).",
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

fn of_rules(games: &Games, game: GameId, reason: &str) -> Option<String> {
    let info = games.info(game).ok()?;
    let sentence = match (game.id(), reason) {
        (_, "repetition") => "Draw: the same position occurred for the third time.",
        (_, "quiet") => return Some(format!("Draw: {} plies without progress.", info.quiet_limit)),
        _ if !info.reasons.contains(&reason) => return None,
        ("chess" | "chess960" | "four-towers", "checkmate") => {
            "The loser's king is attacked, and no move saves it (checkmate)."
        }
        ("chess" | "chess960" | "four-towers", "stalemate") => {
            "Draw by stalemate: the side to move has no legal move, and its king is not attacked."
        }
        ("chess" | "chess960", "insufficient-material") => "Draw: too few pieces are left for a checkmate.",
        ("four-towers", "bare-kings") => "Draw: only the kings are left.",
        ("push", "both-kings") => "Draw: both kings are gone.",
        ("push", "king") => "The loser's king died.",
        ("push", "goal") => {
            "The winner held the corner where the loser's king started for a whole turn of the loser."
        }
        ("push", "blocked") => "Draw: neither side had a legal move.",
        ("push-push", "goal") => "The ball left the board over the loser's side.",
        ("push-push", "material") => "Draw: no piece is left on the board.",
        ("tower-of-power", "immobile") => "The loser cannot move: all its stones are captured or buried.",
        ("tower-of-power", "material") => {
            "Draw: each side has one stone left, and they cannot reach each other."
        }
        ("tower-push", "surround") => "The winner surrounds the Tower.",
        ("tower-push", "elimination") => "The loser has no piece left on the board.",
        _ => return of_page(info.rules, reason),
    };
    Some(sentence.to_owned())
}

/// The last cell of the reason's row in the section on the end of a game whose rules are a program.
fn of_page(rules: &str, reason: &str) -> Option<String> {
    let quoted = format!("`{reason}`");
    let (_, end) = rules.split_once("\n## End of the game")?;
    let end = end.split("\n## ").next().unwrap_or_default();
    end.lines().filter(|line| line.starts_with('|')).find_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        cells.contains(&quoted.as_str()).then(|| sentence(cells.last().copied().unwrap_or_default()))
    })
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
        let games = Games::built_in();
        for game in games.known() {
            for reason in
                games.info(game).unwrap().reasons.iter().chain(&["repetition", "quiet", "move-cap", "time"])
            {
                let sentence = explain(games, game, reason).unwrap_or_else(|| panic!("{game}: {reason}"));
                assert!(12 < sentence.len() && !sentence.contains(['`', '|']), "{game}: {sentence}");
            }
        }
        assert_eq!(explain(games, GameId::PUSH, "<i>"), None);
        let check =
            |game, winner, reason, sentence: &str| assert_eq!(outcome(games, game, winner, reason), sentence);
        let (white, black) = (Some(Side::White), Some(Side::Black));
        check(GameId::PUSH, white, "king", "White wins: Black's king died.");
        check(GameId::PUSH_PUSH, black, "goal", "Black wins: the ball left the board over White's side.");
        check(GameId::PUSH, None, "both-kings", "Draw: both kings are gone.");
        check(GameId::PUSH, white, "time", "White wins: Black exceeded its time.");
        check(GameId::PUSH, white, "bridge", "White wins (bridge).");
    }

    #[test]
    fn sentences_of_other_games_come_from_their_rules_pages() {
        let page = "# Hex\n\n## End of the game\n| reason | result |\n|---|---|\n| `bridge` | *White* joins its sides |\n\n## FEN\n";
        assert_eq!(of_page(page, "bridge").as_deref(), Some("White joins its sides."));
        assert_eq!(of_page(page, "tunnel"), None);
    }
}
