//! A position as a page draws it.

use std::cmp::Reverse;

use engine_proto::fen::shown;
use engine_proto::scene::{Change, Effects, Layout, Mark, Meaning, Piece, Remark, Role, Scene};
use engine_proto::{AnyPlay, GameId, Games, Side, Square};
use serde_json::{Map, Value, json};

use crate::why;
use host::closest::closest;
use model::SideLetter;
use report::html::parts::{Boards, SceneChange, Shown, heights};

/// The board, the pieces, the FEN, and the squares that the last move touched.
pub fn drawing(games: &Games, game: GameId, play: &dyn AnyPlay) -> Value {
    let layout = play.layout();
    let mut boards = Boards::default();
    boards.place(games, game, &layout);
    let touched = play.effects().map(|effects| effects.touches).unwrap_or_default();
    json!({
        "board": boards.all()[0],
        "heights": heights(&layout),
        "highest": layout.highest,
        "guide": guide(&layout),
        "scene": Shown::new(layout).step(&play.scene()),
        "remarks": remarks(play),
        "fen": play.fen(),
        "touched": touched.iter().map(|touch| touch.square.to_string()).collect::<Vec<_>>(),
    })
}

/// What players should know of squares: each with the words, and the squares that they concern.
pub fn remarks(play: &dyn AnyPlay) -> Vec<Value> {
    let names = |area: &[Square]| area.iter().map(ToString::to_string).collect::<Vec<_>>();
    let view = |Remark { square, words, area }: Remark| json!([square.to_string(), words, names(&area)]);
    play.remarks().into_iter().map(view).collect()
}

/// What players are told of marks and of moves.
fn guide(layout: &Layout) -> Value {
    let guide = layout.guide;
    let marks: Vec<_> = guide.marks.iter().map(|(mark, words)| (mark.name(), words)).collect();
    let further = guide.further.map(|further| [further.first, further.second, further.end]);
    json!({ "marks": marks, "notation": guide.notation, "further": further })
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
    guide: Value,
    shown: Shown,
    boards: Boards,
    heights: String,
    scenes: Vec<SceneChange>,
    fens: Vec<String>,
}

impl Positions {
    /// The first position.
    pub fn new(games: &Games, game: GameId, play: &dyn AnyPlay) -> Self {
        let layout = play.layout();
        let mut boards = Boards::default();
        boards.place(games, game, &layout);
        let (heights, guide) = (heights(&layout), guide(&layout));
        let (shown, scenes, fens) = (Shown::new(layout), Vec::new(), Vec::new());
        let mut positions = Self { guide, shown, boards, heights, scenes, fens };
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
        let Self { guide, boards, heights, scenes, fens, .. } = self;
        json!({ "board": boards.all()[0], "guide": guide, "heights": heights, "scenes": scenes, "fens": fens })
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

/// The legal move that a person typed, in any usual spelling. That of a capture captures.
///
/// # Errors
/// Why it is none, and what can be typed.
pub fn typed(game: GameId, play: &dyn AnyPlay, text: &str) -> Result<String, String> {
    let mv = meant(game, play, text)?;
    let words = notation(game, play, &mv);
    if has_notation(game) && text.contains(['x', 'X', '×']) && !words.contains('x') {
        return Err(format!("`{}` captures nothing; did you mean `{words}`?", shown(text)));
    }
    Ok(mv)
}

/// The legal move that a text means, in any usual spelling, also in upper case or with a hyphen. Texts of programs are less exact than
/// what a person [typed].
///
/// # Errors
/// Why it is none, and what can be typed.
pub fn meant(game: GameId, play: &dyn AnyPlay, text: &str) -> Result<String, String> {
    let text = &with_letters(text);
    let plain = text.replace('-', "").to_lowercase();
    let is_over = play.end().is_some();
    // The letter of a piece, too, may be small where no pawn is meant.
    let as_piece = || {
        let mut letters = text.chars();
        let piece = letters.next().filter(|letter| has_notation(game) && "kqrbn".contains(*letter))?;
        play.read_move(&format!("{}{}", piece.to_uppercase(), letters.as_str()))
    };
    match play.read_move(text).or_else(|| play.read_move(&plain)).or_else(as_piece).filter(|_| !is_over) {
        Some(mv) => Ok(mv),
        None if has_notation(game) && NULL_MOVES.contains(&text.as_str()) => {
            Err(format!("`{text}` is a null move: it passes the turn, which the rules of chess do not allow"))
        }
        None => Err(format!("`{}` is not a legal move{}", shown(text), why_not(game, play, &plain))),
    }
}

/// How programs write that a side passes its turn.
const NULL_MOVES: [&str; 5] = ["--", "Z0", "0000", "null", "pass"];

/// A move with the letters of the pieces that figures stand for, as in `♘f3`.
fn with_letters(text: &str) -> String {
    let letter = |sign: char| match "♔♕♖♗♘♙♚♛♜♝♞♟".chars().position(|figure| figure == sign)
    {
        // A pawn has no letter.
        Some(place) => "KQRBN".chars().nth(place % 6),
        // Which of its drawings is meant may follow a figure.
        None => (!matches!(sign, '\u{fe0e}' | '\u{fe0f}')).then_some(sign),
    };
    text.chars().filter_map(letter).collect()
}

/// Why a text that names the squares of no legal move is none, after a comma or semicolon.
fn why_not(game: GameId, play: &dyn AnyPlay, plain: &str) -> String {
    let legal = play.legal_moves();
    // A short move whose spelling begins like the text.
    let n_same = |mv: &String| {
        let words = notation(game, play, mv).to_lowercase();
        words.chars().zip(plain.chars()).take_while(|(one, other)| one == other).count()
    };
    let Some(example) = legal.iter().min_by_key(|mv| (Reverse(n_same(mv)), mv.len())) else {
        return "; the match is over".to_owned();
    };
    if let Some(why) = no_castling(game, play, plain) {
        return format!(": {why}");
    }
    if leaves_king_in_check(game, play, plain) {
        return ": it leaves your king in check".to_owned();
    }
    // Who leaves out the sign of a push, or of a step off a cliff, means its squares.
    let bare = |mv: &str| mv.to_lowercase().replace(['x', '!'], "");
    let goes_on =
        |mv: &&String| bare(mv).strip_prefix(&bare(plain)).is_some_and(|rest| rest.starts_with(':'));
    let longer: Vec<String> = legal.iter().filter(goes_on).map(|mv| format!("`{mv}`")).collect();
    if 1 < longer.len() {
        return format!(": there is more than one; type {}", longer.join(", "));
    }
    let (layout, scene) = (play.layout(), play.scene());
    // A move as people write it has the letter of its piece, which its squares do not say.
    let written: Vec<String> = legal.iter().map(|mv| notation(game, play, mv)).collect();
    if let Some(whole) = promotion(plain, &legal, &written) {
        return format!(": the piece that the pawn becomes is missing, as in `{whole}`");
    }
    if let Some(why) = no_promotion(plain, &legal, &written) {
        return format!(": {why}");
    }
    let small: Vec<String> = written.iter().map(|mv| mv.to_lowercase()).collect();
    let like = |moves: &[String]| {
        const MOST_MORE: usize = 2;
        let is_as_long = |mv: &&str| mv.len().abs_diff(plain.len()) <= MOST_MORE;
        let near = closest(plain, moves.iter().map(String::as_str).filter(is_as_long))?;
        moves.iter().position(|mv| mv == near)
    };
    let same = legal.iter().position(|mv| goes_on(&mv) || bare(mv) == bare(plain));
    let meant = same.or_else(|| like(&small)).or_else(|| like(&legal)).map(|place| &written[place]);
    let hint = match &meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("a legal move is `{}`", notation(game, play, example)),
    };
    let named = layout.grounds.iter().map(|ground| ground.square).find(|square| {
        let rest = plain.strip_prefix(&square.to_string());
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    });
    if let Some(name) = unknown_square(plain, &layout, &legal) {
        return format!(": there is no square {}; {hint}", shown(name));
    }
    let Some(from) = named else {
        return format!("; {hint}");
    };
    let own = scene.stack(from).last().filter(|piece| piece.owner == Some(scene.side_to_move)).copied();
    let Some(own) = own else {
        // In chess, a square alone is the move of a pawn to it.
        let is_target = has_notation(game) && plain == from.to_string();
        let what = if is_target { "none of your pawns can go to" } else { "no piece of yours is on" };
        return format!(": {what} {from}; {hint}");
    };
    let to = plain.strip_prefix(&from.to_string()).and_then(|rest| rest.parse().ok());
    if let Some(reason) = to.and_then(|to| why::obstacle(game, play, from, to)) {
        let hint = same.map(|_| format!("; {hint}")).unwrap_or_default();
        return format!(": {reason}{hint}");
    }
    if same.is_some() {
        return format!("; {hint}");
    }
    let from_here = |mv: &&String| own_start(mv).starts_with(&from.to_string());
    let can: Vec<_> = legal.iter().filter(from_here).take(4).map(|mv| notation(game, play, mv)).collect();
    let moves = if own.kind.moves.is_empty() { "has no such move" } else { own.kind.moves };
    match can.as_slice() {
        [] => format!(": the {} on {from} cannot move now", own.kind.name),
        can => {
            let hint = meant.map(|_| format!("; {hint}")).unwrap_or_default();
            format!(": the {} {moves}; from {from}, for example: {}{hint}", own.kind.name, can.join(", "))
        }
    }
}

/// Why the king of chess cannot castle, if a text says that it does.
fn no_castling(game: GameId, play: &dyn AnyPlay, plain: &str) -> Option<String> {
    let file = match plain {
        "oo" | "00" if game == GameId::CHESS => 'g',
        "ooo" | "000" if game == GameId::CHESS => 'c',
        _ => return None,
    };
    let rank = if play.side_to_move() == Side::White { 1 } else { 8 };
    let [from, to] = ['e', file].map(|file| format!("{file}{rank}").parse().expect("a square"));
    let no_right = "your king or that rook has moved, or the position gives no right to castle there";
    Some(play.refusal(from, to).unwrap_or_else(|| no_right.to_owned()))
}

/// Whether a text names a move that only the own king forbids: by its squares, or as people write it.
fn leaves_king_in_check(game: GameId, play: &dyn AnyPlay, plain: &str) -> bool {
    let text = plain.replace(['x', ':', '=', '+', '#'], "");
    let scene = play.scene();
    let names = |mv: &String| {
        let mv = mv.to_lowercase();
        if mv == text || !has_notation(game) {
            return mv == text;
        }
        let (Some(from), Some(to), Some(square)) = (mv.get(..2), mv.get(2..), mv.get(2..4)) else {
            return false;
        };
        let piece = from.parse().ok().and_then(|from| scene.stack(from).last());
        let letter =
            piece.map(|piece| piece.kind.letter.to_ascii_lowercase()).filter(|letter| *letter != 'p');
        let letter = letter.map_or_else(String::new, String::from);
        let starts = ["", &from[..1], &from[1..], from];
        // What a pawn becomes may be missing.
        starts.iter().any(|start| [to, square].iter().any(|to| format!("{letter}{start}{to}") == text))
    };
    play.moves_into_check().iter().any(names)
}

/// What is wrong with the piece which a pawn shall become, if a text names such a promotion.
fn no_promotion(plain: &str, legal: &[String], written: &[String]) -> Option<String> {
    let (start, kind) = [('k', "king"), ('p', "pawn")]
        .into_iter()
        .find_map(|(sign, kind)| Some((plain.strip_suffix(sign)?.trim_end_matches('='), kind)))?;
    let whole = promotion(start, legal, written)?;
    Some(format!("a pawn cannot become a {kind}; did you mean `{whole}`?"))
}

/// The promotion to a queen that a text names up to the piece which the pawn becomes, as `a8` or `a7a8` does, as people write it.
fn promotion<'a>(plain: &str, legal: &[String], written: &'a [String]) -> Option<&'a str> {
    let squares = plain.replace('x', "");
    let is_cut = |(mv, words): &(&String, &String)| {
        let start = words.split_once("=Q").map(|(start, _)| start);
        start == Some(plain) || (start.is_some() && mv.strip_suffix('q') == Some(&squares))
    };
    legal.iter().zip(written).find(is_cut).map(|(_, words)| words.as_str())
}

/// The first letter with a number in a text, such as `z9`, that neither is a square of the board nor occurs in a legal move.
fn unknown_square<'a>(plain: &'a str, layout: &Layout, legal: &[String]) -> Option<&'a str> {
    let starts = plain.match_indices(|sign: char| sign.is_ascii_lowercase());
    let names = starts.map(|(start, _)| {
        let rest = &plain[start + 1..];
        &plain[start..=start + rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len())]
    });
    let is_square = |name: &str| layout.grounds.iter().any(|ground| ground.square.to_string() == name);
    let is_known = |name: &str| is_square(name) || legal.iter().any(|mv| mv.to_lowercase().contains(name));
    names.into_iter().find(|name| 1 < name.len() && !is_known(name))
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

/// For each move of a line the side that makes it. For rules that are a program, and from a move on that is not legal, the sides
/// are taken to alternate.
pub fn sides(game: GameId, play: &dyn AnyPlay, moves: &[String]) -> Vec<SideLetter> {
    let mut side = play.side_to_move();
    let mut known = is_built_in(game).then(|| play.boxed());
    let mut next = |mv: &String| {
        let mover = side;
        known = known.take().and_then(|mut play| play.play(mv).is_ok().then_some(play));
        side = known.as_ref().map_or(!mover, |play| play.side_to_move());
        mover.into()
    };
    moves.iter().map(&mut next).collect()
}

/// For each move of a line the letter, as in a FEN, of the piece that makes it. There is none for games whose notation names it,
/// for those with one kind of piece, for rules that are a program, and from a move on that is not legal.
pub fn movers(game: GameId, play: &dyn AnyPlay, moves: &[String]) -> Vec<Option<char>> {
    let mut movers = vec![None; moves.len()];
    let layout = play.layout();
    let has_kinds = Games::built_in().info(game).is_ok_and(|info| 1 < info.kinds.len());
    if has_notation(game) || !has_kinds {
        return movers;
    }
    let mut play = play.boxed();
    for (mv, mover) in moves.iter().zip(&mut movers) {
        let scene = play.scene();
        let at = layout.grounds.iter().map(|ground| ground.square).find(|square| {
            let rest = mv.strip_prefix(&square.to_string());
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        });
        let top = at.and_then(|square| scene.stack(square).last().copied());
        let own = top.filter(|piece| piece.owner == Some(scene.side_to_move));
        if play.play(mv).is_err() {
            break;
        }
        *mover = own.map(|piece| piece.kind.fen_sign(piece.owner));
    }
    movers
}

/// Whether the rules of a game are part of this program.
pub fn is_built_in(game: GameId) -> bool {
    Games::built_in().knows(game)
}

/// What the legal moves do, as [`effects`]; nothing for rules that are a program, which would be asked about every move.
pub fn known_effects(game: GameId, play: &dyn AnyPlay, moves: &[String]) -> Option<Map<String, Value>> {
    is_built_in(game).then(|| effects(play, moves, play.side_to_move()))
}

/// What the legal moves do, by move, in words for `reader`: how the board changes, the mark of the target and words for what is not plainly a move to an empty
/// square, and, where the words are the game's own, the squares of what is captured.
fn effects(play: &dyn AnyPlay, moves: &[String], reader: Side) -> Map<String, Value> {
    let (layout, before) = (play.layout(), play.scene());
    let mut shown = Shown::new(layout.clone());
    shown.step(&before);
    let mut all = Map::new();
    for mv in moves {
        let mut next = play.boxed();
        if next.play(mv).is_ok() {
            let after = next.scene();
            let touched = Effects::of(mv, &layout, &before, &after);
            let winner = next.end().and_then(|end| end.winner);
            let own = play.meaning(mv, reader);
            let captured =
                own.as_ref().map(|own| own.captured.iter().map(ToString::to_string).collect::<Vec<_>>());
            let known = own
                .or_else(|| effect(&touched, &before, &after, reader))
                .or_else(|| winner.map(|_| Meaning::new(Mark::Move, "ends the match")));
            let mut view = json!({ "after": shown.clone().step(&after).of_board() });
            if let Some(Meaning { mark, mut words, .. }) = known {
                if let Some(winner) = winner {
                    let verb = if winner == before.side_to_move { "win" } else { "lose" };
                    words += &format!(": {}", before.side_to_move.does(verb, reader));
                }
                let mark = if winner == Some(!before.side_to_move) { Mark::Lose } else { mark };
                view["mark"] = json!(mark.name());
                view["words"] = json!(words);
            }
            if let Some(captured) = captured {
                view["captured"] = json!(captured);
            }
            all.insert(mv.clone(), view);
        }
    }
    all
}

/// What a move does, in words for the opponent of the side that makes it; empty if nothing is known, or it is plainly a move.
pub fn deed(game: GameId, play: &dyn AnyPlay, mv: &str) -> String {
    if !is_built_in(game) {
        return String::new();
    }
    let known = effects(play, &[mv.to_owned()], !play.side_to_move());
    known.get(mv).and_then(|known| known["words"].as_str()).unwrap_or_default().to_owned()
}

fn effect(touched: &Effects, before: &Scene, after: &Scene, reader: Side) -> Option<Meaning> {
    let mover = before.side_to_move;
    let count = |scene: &Scene, side| scene.pieces.iter().filter(|piece| piece.owner == Some(side)).count();
    let place =
        |role| touched.touches.iter().find(|touch| touch.role == Some(role)).map(|touch| touch.square);
    let top = |scene: &Scene, square: Square| scene.stack(square).last().copied();
    if count(after, !mover) < count(before, !mover) {
        let taken =
            place(Role::To).and_then(|to| top(before, to)).filter(|piece| piece.owner == Some(!mover));
        let words = match taken {
            Some(piece) => format!("captures the {}", piece.kind.name),
            None => format!("captures one of {} pieces", (!mover).whose(reader)),
        };
        return Some(Meaning::new(Mark::Capture, words));
    }
    if let (Some(from), Some(to)) = (place(Role::From), place(Role::To))
        && let (Some(moving), Some(there), Some(now)) = (top(before, from), top(before, to), top(after, to))
    {
        let is_own = there.owner == Some(mover);
        let is_stacked = before.stack(to).count() < after.stack(to).count();
        let same =
            |one: Piece, other: Piece| one.owner == other.owner && one.kind.letter == other.kind.letter;
        match is_own {
            _ if is_stacked => {
                let whose = there.owner.map_or("the", |owner| owner.whose(reader));
                let mark = if is_own { Mark::Join } else { Mark::Capture };
                return Some(Meaning::new(mark, format!("goes on top of {whose} piece")));
            }
            true if now.owner == Some(mover) && !same(now, there) && !same(now, moving) => {
                let words = format!("joins the {} there, which becomes a {}", there.kind.name, now.kind.name);
                return Some(Meaning::new(Mark::Join, words));
            }
            true if top(after, from).is_some_and(|piece| same(piece, there)) => {
                let words = format!("{} and {} trade places", moving.kind.name, there.kind.name);
                return Some(Meaning::new(Mark::Join, words));
            }
            _ => {}
        }
    }
    if count(after, mover) < count(before, mover) {
        return Some(Meaning::new(Mark::Own, format!("removes one of {} pieces", mover.whose(reader))));
    }
    let is_pushed =
        touched.touches.iter().any(|touch| touch.role.is_none() && touch.change != Some(Change::Left));
    is_pushed.then(|| Meaning::new(Mark::Push, "pushes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_is_written_in_its_notation() {
        let moves = ["e2e4", "e7e5", "g1f3", "e1e8", "b8c6"].map(str::to_owned);
        let line =
            |game: GameId| line(game, Games::built_in().startpos(game).expect("a start").as_ref(), &moves);
        assert_eq!(line(GameId::CHESS), ["e4", "e5", "Nf3", "e1e8", "b8c6"]);
        assert_eq!(line(GameId::PUSH_PUSH), moves);
        let start = Games::built_in().startpos(GameId::CHESS).expect("a start");
        assert_eq!(notation(GameId::CHESS, start.as_ref(), "g1f3"), "Nf3");
    }

    #[test]
    fn a_move_that_lacks_its_direction_is_told_all_of_them() {
        let fen = "5k/p5/6/R1n3/r5/5K b 000000/100000/200000/122000/000022/000020 a5 0 1 1";
        let play = Games::built_in().play(GameId::PUSH, fen).expect("a position of the rules");
        let wrong = typed(GameId::PUSH, play.as_ref(), "c3xa2").expect_err("its direction is missing");
        assert_eq!(
            wrong,
            "`c3xa2` is not a legal move: there is more than one; type `c3xa2:e`, `c3xa2:nw`, `c3xa2:s`, `c3xa2:se`, `c3xa2:sw`, `c3xa2:w`"
        );
    }

    #[test]
    fn a_line_names_the_pieces_that_move() {
        let check = |game: GameId, moves: &[&str], expected: &[Option<char>]| {
            let moves: Vec<String> = moves.iter().map(|&mv| mv.to_owned()).collect();
            assert_eq!(
                movers(game, Games::built_in().startpos(game).expect("a start").as_ref(), &moves),
                expected,
                "{game}"
            );
        };
        let start = Games::built_in().startpos(GameId::FOUR_TOWERS).expect("a start");
        assert!(start.legal_moves().contains(&"h2g4".to_owned()));
        check(GameId::FOUR_TOWERS, &["h2g4", "k9j9", "a1a1", "a3b3"], &[Some('N'), Some('r'), None, None]);
        // This move names the part of a piece that goes, chess all its pieces, and the last game has one kind of them.
        check(GameId::FOUR_TOWERS, &["Ne2c3"], &[None]);
        check(GameId::CHESS, &["g1f3"], &[None]);
        check(GameId::TOWER_OF_POWER, &["a4d1g1"], &[None]);
    }

    #[test]
    fn a_line_knows_whose_moves_it_has() {
        let check = |game: GameId, play: &dyn AnyPlay, moves: &[String], expected: &str| {
            let letter = |side| if side == SideLetter::White { 'w' } else { 'b' };
            let sides: String = sides(game, play, moves).into_iter().map(letter).collect();
            assert_eq!(sides, expected, "{game}");
        };
        let alternating = ["a1a2", "no move", "a7a6"].map(str::to_owned);
        check(
            GameId::PUSH_PUSH,
            Games::built_in().startpos(GameId::PUSH_PUSH).expect("a start").as_ref(),
            &alternating,
            "wbw",
        );
        // White places its last piece, and makes a step.
        let start =
            Games::built_in().play(GameId::TOWER_PUSH, "7/7/7/3T3/7/2x1X2/7 w 1 0 w - 0 0").expect("a FEN");
        let mut play = start.boxed();
        let mut moves = Vec::new();
        for _ in 0..3 {
            moves.push(play.legal_moves().remove(0));
            play.play(&moves[moves.len() - 1]).expect("legal");
        }
        check(GameId::TOWER_PUSH, start.as_ref(), &moves, "wwb");
    }

    #[test]
    fn a_typed_move_is_read_or_explained() {
        let check = |game: GameId, text: &str, expected: Result<&str, &str>| {
            let said = typed(game, Games::built_in().startpos(game).expect("a start").as_ref(), text);
            assert_eq!(said.as_deref().map_err(String::as_str), expected, "{game} {text}");
        };
        for text in ["a1b2", "A1B2", "a1-b2"] {
            check(GameId::PUSH_PUSH, text, Ok("a1b2"));
        }
        check(GameId::FOUR_TOWERS, "Ne2c3", Ok("Ne2c3"));
        check(GameId::CHESS, "Nf3", Ok("g1f3"));
        check(GameId::CHESS, "nf3", Ok("g1f3"));
        check(GameId::CHESS, "b4", Ok("b2b4"));
        check(GameId::PUSH_PUSH, "hello", Err("`hello` is not a legal move; a legal move is `a1a2`"));
        check(
            GameId::PUSH_PUSH,
            "a3a4",
            Err("`a3a4` is not a legal move: no piece of yours is on a3; a legal move is `a1a2`"),
        );
        check(
            GameId::PUSH_PUSH,
            "d99",
            Err("`d99` is not a legal move: there is no square d99; a legal move is `d1c1`"),
        );
        check(
            GameId::CHESS,
            "Nx9y9",
            Err("`Nx9y9` is not a legal move: there is no square x9; a legal move is `Na3`"),
        );
        check(
            GameId::PUSH_PUSH,
            "z1b2",
            Err("`z1b2` is not a legal move: there is no square z1; did you mean `c1b2`?"),
        );
        check(
            GameId::CHESS,
            "e5",
            Err("`e5` is not a legal move: none of your pawns can go to e5; a legal move is `e3`"),
        );
        let promoting =
            Games::built_in().play(GameId::CHESS, "1b6/P7/8/8/8/7k/8/4K3 w - - 0 1").expect("a FEN");
        for (text, whole) in
            [("a8", "a8=Q"), ("a7a8", "a8=Q"), ("a7-a8", "a8=Q"), ("axb8", "axb8=Q"), ("a7xb8", "axb8=Q")]
        {
            let why = format!(
                "`{text}` is not a legal move: the piece that the pawn becomes is missing, as in `{whole}`"
            );
            assert_eq!(typed(GameId::CHESS, promoting.as_ref(), text), Err(why));
        }
        check(GameId::CHESS, "Nxc3", Err("`Nxc3` captures nothing; did you mean `Nc3`?"));
        check(GameId::CHESS, "o-o", Err("`o-o` is not a legal move: the bishop on f1 is in the way"));
        check(GameId::CHESS, "O-O-O", Err("`O-O-O` is not a legal move: the queen on d1 is in the way"));
        for (fen, why) in [
            (
                "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                "your king or that rook has moved, or the position gives no right to castle there",
            ),
            ("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "your king is in check"),
            ("4k3/5r2/8/8/8/8/8/4K2R w K - 0 1", "your king would come to an attacked square on its way"),
        ] {
            let play = Games::built_in().play(GameId::CHESS, fen).expect("a FEN");
            let said = typed(GameId::CHESS, play.as_ref(), "0-0");
            assert_eq!(said, Err(format!("`0-0` is not a legal move: {why}")));
        }
        let start = Games::built_in().startpos(GameId::CHESS).expect("a start");
        assert_eq!(meant(GameId::CHESS, start.as_ref(), "Nxc3").as_deref(), Ok("b1c3"));
        check(GameId::CHESS, "Nf6", Err("`Nf6` is not a legal move; did you mean `Nf3`?"));
        check(GameId::CHESS, "f1f3", Err("`f1f3` is not a legal move: the bishop on f1 cannot move now"));
        let said = "`a1a3` is not a legal move: that is too far: a piece steps one square";
        check(GameId::TOWER_PUSH, "a1a3", Err(said));
        let attacked = Games::built_in()
            .play(GameId::FOUR_TOWERS, "K1r/5k/9/10/10/9/10/10/9/6/3 w - - - - - 0 0")
            .expect("a FEN");
        let said = typed(GameId::FOUR_TOWERS, attacked.as_ref(), "c11d11");
        assert_eq!(said, Err("`c11d11` is not a legal move: it leaves your king in check".to_owned()));
    }

    #[test]
    fn the_true_reason_comes_first() {
        let said = |game: GameId, fen: &str, text: &str, expected: &str| {
            let play = Games::built_in().play(game, fen).expect("a FEN");
            let why = typed(game, play.as_ref(), text).expect_err(text);
            assert_eq!(why, format!("`{text}` is not a legal move{expected}"));
        };
        let checked = "4k3/8/8/8/4r3/8/N2P4/3QK3 w - - 0 1";
        for text in ["e1e2", "Ke2", "d1a4", "Qa4", "a2c3", "Nc3", "d2-d4", "d4"] {
            said(GameId::CHESS, checked, text, ": it leaves your king in check");
        }
        let pinned = "4k3/8/8/8/4r3/8/4B3/4K2R w K - 0 1";
        for text in ["e2d3", "Bc4", "Bxd3"] {
            said(GameId::CHESS, pinned, text, ": it leaves your king in check");
        }
        for text in ["a8", "a7a8", "a8=Q", "a7a8n"] {
            said(GameId::CHESS, "7k/P7/8/8/4r3/8/8/4K3 w - - 0 1", text, ": it leaves your king in check");
        }
        let attacked = "4k3/8/8/8/5r2/8/8/4K2R w K - 0 1";
        for text in ["e1g1", "O-O"] {
            said(GameId::CHESS, attacked, text, ": your king would come to an attacked square on its way");
        }
        let alone = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
        for text in ["a8=K", "a8K", "a7a8k"] {
            said(GameId::CHESS, alone, text, ": a pawn cannot become a king; did you mean `a8=Q`?");
        }
        // What is legal with another sign is offered.
        let push = "5pr1/6k1/3Nn1p1/8/2B5/2P5/2bP4/KR6 w 01002011/01000002/10000010/22002000/10120011/00000120/00010010/12021021 - 0 10 10";
        let said = |text: &str, expected: &str| said(GameId::PUSH, push, text, expected);
        said("c4e6", ": Black's knight on e6 is in the way; did you mean `c4xe6`?");
        said("d2c2", ": Black's bishop on c2 is in the way; did you mean `d2xc2`?");
        said("b1c1", ": the cliff down to c1 (height 0) stops it; did you mean `b1c1!`?");
    }

    #[test]
    fn the_end_is_marked_on_the_board() {
        let flat = "00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000";
        let mut play = Games::built_in()
            .play(GameId::PUSH, &format!("7k/8/8/8/8/8/p7/K7 b {flat} - 0 0 0"))
            .expect("a FEN");
        assert!(deciding(play.as_ref()).is_empty());
        // The pawn pushes the king off the board.
        play.play("a2xa1").expect("legal");
        assert_eq!(deciding(play.as_ref()), ["a2"]);
    }

    #[test]
    fn deeds_are_told_to_the_opponent() {
        let check = |game: GameId, fen: &str, mv: &str, expected: &str| {
            let play = Games::built_in().play(game, fen).expect("a FEN");
            assert!(play.legal_moves().contains(&mv.to_owned()), "{game} {mv}");
            assert_eq!(deed(game, play.as_ref(), mv), expected, "{game} {mv}");
        };
        let chess = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        check(GameId::CHESS, chess, "e4d5", "captures the pawn");
        check(GameId::CHESS, chess, "e4e5", "");
        let push = "5prk/6nb/6p1/8/8/1P6/BN6/KRP5 w 00100102/10021010/00000200/00001002/00010010/01001000/01020122/10020000 - 0 0 0";
        check(GameId::PUSH, push, "a1xa2", "pushes White's bishop ↑ to a3");
        let edge = "7/7/7/3T3/7/x1X3x/7 w 0 0 w - 0 0";
        check(GameId::TOWER_PUSH, edge, "c2b2", "pushes your piece on a2 off the board: White places it");
        let corner = "6/4K1/6/6/k5/6 w 000000/000000/000000/000000/000000/000000 - 0 0 0";
        let wins = "takes the corner: White wins if it is still there after your next move";
        check(GameId::PUSH, corner, "e5e4", "");
        check(GameId::PUSH, corner, "e5f6", wins);
    }

    #[test]
    fn moves_say_what_they_do() {
        let check = |game: GameId, fen: Option<&str>, mv: &str, expected: Value| -> Value {
            let play = fen.map_or_else(
                || Games::built_in().startpos(game).expect("a start"),
                |fen| Games::built_in().play(game, fen).expect("a FEN"),
            );
            let effects = effects(play.as_ref(), &[mv.to_owned()], play.side_to_move());
            let view = &effects[mv];
            let [mark, words, captured] = ["mark", "words", "captured"].map(|key| view[key].clone());
            assert_eq!(json!([mark, words, captured]), expected, "{game} {mv}");
            view["after"].clone()
        };
        let chess = Some("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
        check(GameId::CHESS, chess, "e4d5", json!(["capture", "captures the pawn", null]));
        let after = check(GameId::CHESS, chess, "e4e5", json!([null, null, null]));
        assert_eq!(after, json!({ "s": [[28, ""], [36, "P"]] }));
        let lancer = json!(["join", "joins the pawn there, which becomes a lancer", []]);
        check(GameId::FOUR_TOWERS, None, "d3d4", lancer);
        // The effect on a tower is that of the piece which stands there after the move.
        let tower =
            Some("dmk/rnb1bq/p1ppppbm1/4nBp1pp/2p4p2/9/3M6/PPPP2N3/3PPPPPP/QCDB1R/KMD w - B R - - 1 10");
        let wizard = "joins the marshall there, which becomes a wizard; on the tower: its side may put pieces on other squares \
                      of the same arena, in the four arenas around it, several in one turn";
        check(GameId::FOUR_TOWERS, tower, "g8d5", json!(["join", wizard, []]));
        let push = Some(
            "5prk/6nb/6p1/8/8/1P6/BN6/KRP5 w 00100102/10021010/00000200/00001002/00010010/01001000/01020122/10020000 - 0 0 0",
        );
        check(GameId::PUSH, push, "a1xa2", json!(["push", "pushes your bishop ↑ to a3", []]));
        let kills = json!(["own", "kills your rook on b1, pushed ↘ off the board", []]);
        let after = check(GameId::PUSH, push, "a2xb1", kills);
        assert_eq!(after["p"], json!([[1, 1, -1, 1]]));
        let king = Some(
            "7k/5N2/8/8/8/8/8/K7 w 00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000 - 0 0 0",
        );
        let wins = json!(["capture", "kills Black's king on h8, pushed ↑ off the board: you win", []]);
        check(GameId::PUSH, king, "f7xh8:n", wins);
        // A row that is laid out captures on its way, beside its target.
        let row = Some("8/8/8/8/3s4/S7/SS6/S7 w 0 0");
        check(
            GameId::TOWER_OF_POWER,
            row,
            "a1a3c5",
            json!(["lay", "lays the row a1-a3 out from a3 to c5", []]),
        );
    }
}
