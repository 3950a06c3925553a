//! A position as a page draws it.

use engine_proto::fen::shown;
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

/// The squares that decided a match by the rules: those of the pattern that won, or the winner's pieces that the last move
/// touched.
pub fn deciding(play: &dyn AnyPlay) -> Vec<String> {
    let Some(winner) = play.end().and_then(|end| end.winner) else { return Vec::new() };
    let (scene, pattern) = (play.scene(), play.winning_squares());
    let is_of_winner =
        |square: &Square| scene.stack(*square).last().is_some_and(|top| top.owner == Some(winner));
    let touches = play.effects().map(|effects| effects.touches).unwrap_or_default();
    let touched = touches.into_iter().map(|touch| touch.square).filter(is_of_winner);
    let squares = if pattern.is_empty() { touched.collect() } else { pattern };
    squares.iter().map(ToString::to_string).collect()
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

/// The legal move that a person typed, in any usual spelling, also in upper case or with a hyphen.
///
/// # Errors
/// Why it is none, and what can be typed.
pub fn typed(game: GameId, play: &dyn AnyPlay, text: &str) -> Result<String, String> {
    let plain = text.replace('-', "").to_lowercase();
    let is_over = play.end().is_some();
    match play.read_move(text).or_else(|| play.read_move(&plain)).filter(|_| !is_over) {
        Some(mv) => Ok(mv),
        None => Err(format!("`{}` is not a legal move{}", shown(text), why_not(game, play, &plain))),
    }
}

/// Why a text that names the squares of no legal move is none, after a comma or semicolon.
fn why_not(game: GameId, play: &dyn AnyPlay, plain: &str) -> String {
    let legal = play.legal_moves();
    let Some(example) = legal.iter().min_by_key(|mv| mv.len()) else {
        return "; the match is over".to_owned();
    };
    if play.moves_into_check().iter().any(|mv| mv.to_lowercase() == plain) {
        return ": your king would be in check".to_owned();
    }
    let (layout, scene) = (play.layout(), play.scene());
    let named = layout.grounds.iter().map(|ground| ground.square).find(|square| {
        let rest = plain.strip_prefix(&square.to_string());
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    });
    let Some(from) = named else {
        return format!("; type it like `{}`", notation(game, play, example));
    };
    let own = scene.stack(from).last().filter(|piece| piece.owner == Some(scene.side_to_move)).copied();
    let Some(own) = own else {
        return format!(": no piece of yours is on {from}; type it like `{}`", notation(game, play, example));
    };
    let from_here = |mv: &&String| own_start(mv).starts_with(&from.to_string());
    let can: Vec<_> = legal.iter().filter(from_here).take(6).map(|mv| notation(game, play, mv)).collect();
    let moves = if own.kind.moves.is_empty() { "has no such move" } else { own.kind.moves };
    match can.as_slice() {
        [] => format!(": the {} on {from} cannot move now", own.kind.name),
        can => format!(": the {} {moves}; from {from}, for example: {}", own.kind.name, can.join(", ")),
    }
}

/// A spelling without the letters of parts, such as the `N` of `Ne2c3`.
fn own_start(mv: &str) -> &str {
    mv.trim_start_matches(|first: char| first.is_ascii_uppercase())
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
    fn a_typed_move_is_read_or_explained() {
        let check = |game: GameId, text: &str, expected: Result<&str, &str>| {
            let said = typed(game, game.startpos().as_ref(), text);
            assert_eq!(said.as_deref().map_err(String::as_str), expected, "{game} {text}");
        };
        for text in ["a1b2", "A1B2", "a1-b2"] {
            check(GameId::PUSH_PUSH, text, Ok("a1b2"));
        }
        check(GameId::FOUR_TOWERS, "Ne2c3", Ok("Ne2c3"));
        check(GameId::CHESS, "Nf3", Ok("g1f3"));
        check(GameId::PUSH_PUSH, "hello", Err("`hello` is not a legal move; type it like `a1a2`"));
        check(
            GameId::PUSH_PUSH,
            "a3a4",
            Err("`a3a4` is not a legal move: no piece of yours is on a3; type it like `a1a2`"),
        );
        check(GameId::CHESS, "f1f3", Err("`f1f3` is not a legal move: the bishop on f1 cannot move now"));
        let steps =
            "steps to an empty square beside it, and pushes the opponent's pieces that it then touches";
        let said = format!("`a1a3` is not a legal move: the piece {steps}; from a1, for example: a1a2, a1b2");
        check(GameId::TOWER_PUSH, "a1a3", Err(&said));
        let attacked =
            GameId::FOUR_TOWERS.play("K1r/5k/9/10/10/9/10/10/9/6/3 w - - - - - 0 0").expect("a FEN");
        let said = typed(GameId::FOUR_TOWERS, attacked.as_ref(), "c11d11");
        assert_eq!(said, Err("`c11d11` is not a legal move: your king would be in check".to_owned()));
    }

    #[test]
    fn the_end_is_marked_on_the_board() {
        let flat = "00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000";
        let mut play = GameId::PUSH.play(&format!("7k/8/8/8/8/8/p7/K7 b {flat} - 0 0 0")).expect("a FEN");
        assert!(deciding(play.as_ref()).is_empty());
        // The pawn pushes the king off the board.
        play.play("a2xa1").expect("legal");
        assert_eq!(deciding(play.as_ref()), ["a2"]);
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
