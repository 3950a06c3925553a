//! How a match ended, in a sentence for the person who played it.

use engine_proto::{GameId, Games, Side};

use super::view::Over;
use model::SideLetter;
use model::referee::Reason;
use report::html::parts::{because, meaning};

/// How the match ended, for the person who played `you`; `last` made the last move.
pub fn sentence(games: &Games, game: GameId, over: &Over, you: Side, last: Option<SideLetter>) -> String {
    let Over { result, reason, .. } = over;
    let winner = result.winner();
    let result = match winner {
        None => "Draw",
        Some(winner) if winner == you => "You have won",
        Some(_) => "You have lost",
    };
    // A decided match ended by what the loser did.
    let [loser, its] = if winner == Some(you) { ["the engine", "its"] } else { ["you", "your"] };
    let meaning = || meaning(games, game, reason).unwrap_or_default();
    let did = match Reason::of_arena(reason) {
        Some(Reason::MoveCap) => return "Draw: the match reached the maximum number of plies.".to_owned(),
        Some(Reason::Agreement) => return "Draw by agreement.".to_owned(),
        Some(Reason::Resign) => "resigned".to_owned(),
        Some(Reason::Time) => format!("exceeded {its} time"),
        Some(Reason::IllegalMove) => "played an illegal move".to_owned(),
        Some(Reason::Crash) => "ended during the match".to_owned(),
        Some(Reason::ProtocolError) => "broke the protocol".to_owned(),
        Some(Reason::StartFailure) => "did not start".to_owned(),
        Some(Reason::AdjudicatedDraw | Reason::AdjudicatedWin | Reason::OffTurn | Reason::Retired) => {
            return format!("{result}. {}", meaning());
        }
        // Their meanings begin with the result.
        Some(Reason::Rules(_)) | None if matches!(reason.as_str(), "repetition" | "quiet") => {
            return meaning();
        }
        Some(Reason::Rules(_)) | None => {
            let Some(because) = because(games, game, winner, reason) else {
                return format!("{result} ({reason}).");
            };
            let Some(winner) = winner else { return because };
            // What the winner has reached is not the loser's doing, though the loser made the last move.
            let is_own_fault = last == Some((!winner).into()) && !because.starts_with(&winner.to_string());
            let by = if is_own_fault { format!(", by {its} own move") } else { String::new() };
            return format!("{result}: {}{by}.", because.trim_end_matches('.'));
        }
    };
    format!("{result}: {loser} {did}.")
}

#[cfg(test)]
mod tests {
    use ratings::MatchResult;

    use super::*;
    use crate::person::view::Stored;

    #[test]
    fn every_way_a_match_ends() {
        let check = |result: MatchResult, reason: &str, expected: &str| {
            let over = Over { result, reason: reason.to_owned(), stored: Stored::As(1) };
            assert_eq!(sentence(Games::built_in(), GameId::PUSH_PUSH, &over, Side::White, None), expected);
        };
        let (won, lost) = (MatchResult::WhiteWins, MatchResult::BlackWins);
        check(lost, "resign", "You have lost: you resigned.");
        check(won, "resign", "You have won: the engine resigned.");
        check(lost, "time", "You have lost: you exceeded your time.");
        check(won, "time", "You have won: the engine exceeded its time.");
        check(won, "illegal-move", "You have won: the engine played an illegal move.");
        check(won, "crash", "You have won: the engine ended during the match.");
        check(won, "protocol-error", "You have won: the engine broke the protocol.");
        check(won, "start-failure", "You have won: the engine did not start.");
        check(MatchResult::Draw, "agreement", "Draw by agreement.");
        check(MatchResult::Draw, "move-cap", "Draw: the match reached the maximum number of plies.");
        check(MatchResult::Draw, "repetition", "Draw: the same position occurred for the third time.");
        check(MatchResult::Draw, "quiet", "Draw: 200 plies without progress.");
        check(lost, "goal", "You have lost: the ball left the board over White's side.");
        let own = Over { result: lost, reason: "goal".to_owned(), stored: Stored::As(1) };
        let said = sentence(Games::built_in(), GameId::PUSH_PUSH, &own, Side::White, Some(SideLetter::White));
        assert_eq!(said, "You have lost: the ball left the board over White's side, by your own move.");
        let held = Over { result: won, reason: "goal".to_owned(), stored: Stored::As(1) };
        let said = sentence(Games::built_in(), GameId::PUSH, &held, Side::White, Some(SideLetter::Black));
        assert!(said.starts_with("You have won: White") && !said.contains("own move"), "{said}");
        // A game whose rules are a program may have reasons without a meaning.
        check(won, "bridge", "You have won (bridge).");
        for reason in Reason::all_of_arena() {
            let over = Over { result: won, reason: reason.text().to_owned(), stored: Stored::As(1) };
            let said = sentence(Games::built_in(), GameId::PUSH, &over, Side::Black, None);
            assert!(said.ends_with('.') && !said.contains("..") && !said.contains("  "), "{said}");
        }
    }
}
