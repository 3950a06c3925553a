//! A position as a page draws it.

use engine_proto::{AnyPlay, GameId};
use serde_json::{Value, json};

use report::html::parts::{Boards, Shown, heights};

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
