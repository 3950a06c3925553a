//! A position as a page draws it.

use engine_proto::scene::{Change, Effects, Piece, Role, Scene};
use engine_proto::{AnyPlay, GameId, Square};
use serde_json::{Map, Value, json};

use report::html::parts::{Boards, SceneChange, Shown, heights};

/// The board, the pieces, the FEN, and the squares that the last move touched.
pub fn drawing(game: GameId, play: &dyn AnyPlay) -> Value {
    let layout = play.layout();
    let mut boards = Boards::default();
    boards.place(game, &layout);
    let touched = play.effects().map(|effects| effects.touches).unwrap_or_default();
    json!({
        "board": boards.all()[0],
        "heights": heights(&layout),
        "scene": Shown::new(layout).step(&play.scene()),
        "fen": play.fen(),
        "touched": touched.iter().map(|touch| touch.square.to_string()).collect::<Vec<_>>(),
    })
}

/// All positions of a match so far, each as its changes.
pub struct Positions {
    shown: Shown,
    boards: Boards,
    heights: String,
    scenes: Vec<SceneChange>,
    fens: Vec<String>,
}

impl Positions {
    /// The first position.
    pub fn new(game: GameId, play: &dyn AnyPlay) -> Self {
        let layout = play.layout();
        let mut boards = Boards::default();
        boards.place(game, &layout);
        let heights = heights(&layout);
        let mut positions =
            Self { shown: Shown::new(layout), boards, heights, scenes: Vec::new(), fens: Vec::new() };
        positions.push(play);
        positions
    }

    /// The FEN of the first position.
    pub fn start(&self) -> &str {
        &self.fens[0]
    }

    /// Adds the position after a move.
    pub fn push(&mut self, play: &dyn AnyPlay) {
        self.scenes.push(self.shown.step(&play.scene()));
        self.fens.push(play.fen());
    }

    /// As a page gets them.
    pub fn json(&self) -> Value {
        let Self { boards, heights, scenes, fens, .. } = self;
        json!({ "board": boards.all()[0], "heights": heights, "scenes": scenes, "fens": fens })
    }
}

/// Whether people write the moves of a game in another way than the protocol.
pub fn has_notation(game: GameId) -> bool {
    [GameId::CHESS, GameId::CHESS960].contains(&game)
}

/// A move of the position as people write it.
pub fn notation(game: GameId, play: &dyn AnyPlay, mv: &str) -> String {
    let words = if has_notation(game) { play.notation(mv) } else { None };
    words.unwrap_or_else(|| mv.to_owned())
}

/// The legal moves as people write them, where that differs from the protocol.
pub fn names(game: GameId, play: &dyn AnyPlay, moves: &[String]) -> Map<String, Value> {
    let legal = moves.iter().filter(|_| has_notation(game));
    legal.map(|mv| (mv.clone(), json!(notation(game, play, mv)))).collect()
}

/// A line of moves as people write them. What follows a move that is not legal stays as it is.
pub fn line(game: GameId, play: &dyn AnyPlay, moves: &[String]) -> Vec<String> {
    let mut words = moves.to_vec();
    if has_notation(game) {
        let mut play = play.boxed();
        for word in &mut words {
            let Some(mv) = play.read_move(word) else { break };
            *word = notation(game, play.as_ref(), &mv);
            if play.play(&mv).is_err() {
                break;
            }
        }
    }
    words
}

/// What the legal moves do in addition to moving a piece to an empty square, by move: a kind, and words.
pub fn effects(play: &dyn AnyPlay, moves: &[String]) -> Map<String, Value> {
    let (layout, before) = (play.layout(), play.scene());
    let mut all = Map::new();
    for mv in moves {
        let mut next = play.boxed();
        if next.play(mv).is_ok() {
            let after = next.scene();
            let touched = Effects::of(mv, &layout, &before, &after);
            let loses = next.end().is_some_and(|end| end.winner == Some(!before.side_to_move));
            let found = effect(&touched, &before, &after);
            let found = if loses { Some(("lose", "ends the match: you lose".to_owned())) } else { found };
            if let Some((kind, words)) = found {
                all.insert(mv.clone(), json!([kind, words]));
            }
        }
    }
    all
}

fn effect(touched: &Effects, before: &Scene, after: &Scene) -> Option<(&'static str, String)> {
    let mover = before.side_to_move;
    let count = |scene: &Scene, side| scene.pieces.iter().filter(|piece| piece.owner == Some(side)).count();
    if count(after, !mover) < count(before, !mover) {
        return Some(("capture", "captures".to_owned()));
    }
    let place =
        |role| touched.touches.iter().find(|touch| touch.role == Some(role)).map(|touch| touch.square);
    let top = |scene: &Scene, square: Square| scene.stack(square).last().copied();
    if let (Some(from), Some(to)) = (place(Role::From), place(Role::To))
        && let (Some(moving), Some(there), Some(now)) = (top(before, from), top(before, to), top(after, to))
    {
        let is_own = there.owner == Some(mover);
        let is_stacked = before.stack(to).count() < after.stack(to).count();
        let same =
            |one: Piece, other: Piece| one.owner == other.owner && one.kind.letter == other.kind.letter;
        match is_own {
            _ if is_stacked => {
                let whose = if is_own { "your own" } else { "the other side's" };
                return Some((
                    if is_own { "join" } else { "capture" },
                    format!("goes on top of {whose} piece"),
                ));
            }
            true if now.owner == Some(mover) && !same(now, there) && !same(now, moving) => {
                let words = format!("joins the {} there, which becomes a {}", there.kind.name, now.kind.name);
                return Some(("join", words));
            }
            true if top(after, from).is_some_and(|piece| same(piece, there)) => {
                return Some(("join", format!("{} and {} trade places", moving.kind.name, there.kind.name)));
            }
            _ => {}
        }
    }
    if count(after, mover) < count(before, mover) {
        return Some(("own", "removes a piece of your own".to_owned()));
    }
    let is_pushed =
        touched.touches.iter().any(|touch| touch.role.is_none() && touch.change != Some(Change::Left));
    is_pushed.then(|| ("push", "pushes".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_is_written_in_its_notation() {
        let moves = ["e2e4", "e7e5", "g1f3", "e1e8", "b8c6"].map(str::to_owned);
        let line = |game: GameId| line(game, game.startpos().as_ref(), &moves);
        assert_eq!(line(GameId::CHESS), ["e4", "e5", "Nf3", "e1e8", "b8c6"]);
        assert_eq!(line(GameId::PUSH_PUSH), moves);
        let start = GameId::CHESS.startpos();
        assert_eq!(notation(GameId::CHESS, start.as_ref(), "g1f3"), "Nf3");
    }

    #[test]
    fn moves_say_what_they_do() {
        let check = |game: GameId, fen: Option<&str>, mv: &str, expected: Value| {
            let play = fen.map_or_else(|| game.startpos(), |fen| game.play(fen).expect("a FEN"));
            let effects = effects(play.as_ref(), &[mv.to_owned()]);
            assert_eq!(effects.get(mv).cloned().unwrap_or_default(), expected, "{game} {mv}");
        };
        let chess = Some("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
        check(GameId::CHESS, chess, "e4d5", json!(["capture", "captures"]));
        check(GameId::CHESS, chess, "e4e5", Value::Null);
        let lancer = json!(["join", "joins the pawn there, which becomes a lancer"]);
        check(GameId::FOUR_TOWERS, None, "d3d4", lancer);
        let push = Some(
            "5prk/6nb/6p1/8/8/1P6/BN6/KRP5 w 00100102/10021010/00000200/00001002/00010010/01001000/01020122/10020000 - 0 0 0",
        );
        check(GameId::PUSH, push, "a1xa2", json!(["push", "pushes"]));
        check(GameId::PUSH, push, "a2xb1", json!(["own", "removes a piece of your own"]));
    }
}
