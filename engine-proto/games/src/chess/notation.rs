//! Moves in other spellings: standard algebraic notation (SAN), and the other way to write castling in UCI.

use cozy_chess::util::parse_san_move;

use super::{ChessBoard, Move};
use crate::Position;

/// The legal move that `text` names: in UCI with either spelling of castling, or in SAN.
pub(super) fn read<const FREE: bool>(position: &ChessBoard<FREE>, text: &str) -> Option<Move<FREE>> {
    let text = text.trim_end_matches(['!', '?']);
    position
        .parse_move(text)
        .or_else(|| position.parse_move(&with_small_promotion(text)?))
        .or_else(|| other_castling(position, text))
        .or_else(|| san(position, text))
        .or_else(|| long(position, text))
}

/// The piece and both squares, with or without a sign between them: `Ng1-f3`, `e4xd5`, `e7-e8=Q+`.
fn long<const FREE: bool>(position: &ChessBoard<FREE>, text: &str) -> Option<Move<FREE>> {
    let squares = text.trim_end_matches(['+', '#']).replace(['-', 'x', ':', '='], "");
    let piece = squares.chars().next().filter(char::is_ascii_uppercase);
    let mv = &squares[piece.map_or(0, char::len_utf8)..];
    let found = position.parse_move(mv).or_else(|| position.parse_move(&with_small_promotion(mv)?))?;
    let moved = position.board.piece_on(found.inner().from)?;
    let letter = char::from(moved).to_ascii_uppercase();
    piece.is_none_or(|piece| piece == letter).then_some(found)
}

/// `a7a8q` for `a7a8Q`.
fn with_small_promotion(text: &str) -> Option<String> {
    let piece = text.get(4..5)?;
    (text.len() == 5).then(|| format!("{}{}", &text[..4], piece.to_ascii_lowercase()))
}

/// Castling as the king that takes its rook in chess, or as the move of the king in Chess960.
fn other_castling<const FREE: bool>(position: &ChessBoard<FREE>, text: &str) -> Option<Move<FREE>> {
    let named: cozy_chess::Move = text.parse().ok()?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().find(|mv| {
        let inner = mv.inner();
        mv.castles_to().is_some_and(|file| {
            let is_of_king = inner.from == named.from && inner.from.rank() == named.to.rank();
            is_of_king && named.promotion.is_none() && (inner.to == named.to || file == named.to.file())
        })
    })
}

fn san<const FREE: bool>(position: &ChessBoard<FREE>, text: &str) -> Option<Move<FREE>> {
    // Castling is also written with zeros.
    let letters = text.replace('0', "O");
    let inner =
        parse_san_move(&position.board, if text.starts_with("0-0") { &letters } else { text }).ok()?;
    (position.end().is_none()).then(|| Move::new(&position.board, inner))
}

#[cfg(test)]
mod tests {
    use crate::{GameId, Games};

    #[test]
    fn moves_in_other_spellings() {
        let cases = [
            (GameId::CHESS, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1 O-O 0-0 O-O+ e1g1 O-O!?", "e1g1"),
            (GameId::CHESS, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8 O-O-O 0-0-0", "e8c8"),
            (GameId::CHESS960, "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1g1 O-O e1h1", "e1h1"),
            // From f1, `f1g1` is a step of the king, and not castling.
            (GameId::CHESS960, "4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1 Kg1", "f1g1"),
            (GameId::CHESS960, "4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1 O-O", "f1h1"),
            (
                GameId::CHESS,
                "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
                "a7a8Q a8=Q+ a8Q a7a8q a7a8=Q a7-a8=q a7-a8Q+ Pa7-a8=Q",
                "a7a8q",
            ),
            (GameId::CHESS, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6 e5d6 e5xd6 e5:d6 e5-d6", "e5d6"),
            (GameId::CHESS, "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Nge2 Ng1e2 Ng1-e2! Ng1xe2 g1-e2", "g1e2"),
        ];
        for (game, fen, spellings, mv) in cases {
            let play = Games::built_in().play(game, fen).unwrap();
            for text in spellings.split(' ') {
                assert_eq!(play.read_move(text).as_deref(), Some(mv), "{text} in {fen}");
            }
        }
        let start = Games::built_in().startpos(GameId::CHESS).unwrap();
        for text in [
            "e2e5", "Nd2", "O-O", "e1g1", "", "e2", "e9", "é", "Ke1e2x", "--", "Ng1", "Bg1-f3", "e2-e5",
            "é-e4",
        ] {
            assert_eq!(start.read_move(text), None, "{text}");
        }
        // Two knights can reach e2, so that the move is ambiguous.
        let knights = Games::built_in().play(GameId::CHESS, "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1").unwrap();
        assert_eq!(knights.read_move("Ne2"), None);
    }

    #[test]
    fn notation_is_read_back() {
        for game in [GameId::CHESS, GameId::CHESS960] {
            for seed in 0..8 {
                let mut play = Games::built_in().startpos(game).unwrap();
                for step in 0..60 {
                    let moves = play.legal_moves();
                    for mv in &moves {
                        let san = play.notation(mv).unwrap();
                        assert_eq!(play.read_move(&san).as_ref(), Some(mv), "{san} in {}", play.fen());
                    }
                    let Some(mv) = moves.get((seed * 7919 + step * 31) % moves.len().max(1)) else { break };
                    play.play(mv).unwrap();
                }
            }
        }
    }
}
