//! The positions that were looked at: a start position, and the moves that lead from it, with all their branches.

use std::fmt;

use engine_proto::{AnyPlay, GameId, Games, PlayError};
use serde::Serialize;
use serde_json::{Value, json};

use super::lines::MOST_MOVES;
use crate::position::{notation, typed};
use model::SideLetter;
use report::html::parts::{SceneChange, Score, Shown};

/// The maximum number of positions.
pub const MOST_NODES: usize = 5000;
/// The maximum number of positions with those that were removed, before the others get new numbers.
const MOST_NUMBERS: usize = 2 * MOST_NODES;

/// The tree, and the position that is shown.
pub struct Tree {
    games: Games,
    game: GameId,
    /// The FEN of the start position.
    start: String,
    /// Who played White and Black in a recorded match.
    pub players: Option<[String; 2]>,
    /// The first one is the start position. Those that were removed are `None`, because the others keep their numbers.
    nodes: Vec<Option<Node>>,
    current: usize,
    /// The moves to the shown position.
    play: Box<dyn AnyPlay>,
}

/// A position: the move that leads to it.
#[derive(Clone, Debug)]
struct Node {
    parent: usize,
    mv: String,
    /// The move as people write it.
    words: String,
    side: SideLetter,
    /// What the engine that played it thought of the position.
    score: Option<String>,
}

/// A position that is looked at without going there.
#[derive(Clone, Debug, Serialize)]
pub struct Glimpse {
    /// The position of the tree from which the moves lead.
    node: usize,
    moves: Vec<String>,
    scene: SceneChange,
}

/// Why a tree does not grow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// The move is not legal, and why.
    #[error("{0}")]
    Illegal(String),
    /// The tree has no such position.
    #[error("this position has been removed")]
    Removed,
    /// The tree is full.
    #[error("the tree has {MOST_NODES} positions, which is the maximum; remove some, or set up a position")]
    Full,
}

impl Tree {
    /// A tree of one of these games with one position: this one, or the default start of the game.
    ///
    /// # Errors
    /// If the FEN is not a position of the game.
    pub fn new(games: &Games, game: GameId, fen: Option<&str>) -> Result<Self, PlayError> {
        let play = match fen {
            Some(fen) => games.play(game, fen)?,
            None => games.startpos(game)?,
        };
        let root =
            Node { parent: 0, mv: String::new(), words: String::new(), side: SideLetter::White, score: None };
        let (games, start, nodes) = (games.clone(), play.fen(), vec![Some(root)]);
        Ok(Self { games, game, players: None, start, nodes, current: 0, play })
    }

    /// The tree in a text: moves in any usual spelling, branches in brackets, evaluations in comments as in the arena's PGN, and tags
    /// as in PGN, of which `FEN` is the start.
    ///
    /// # Errors
    /// If the text is none of this game.
    pub fn read(games: &Games, game: GameId, text: &str) -> Result<Self, String> {
        let tag = |name: &str| text.lines().find_map(|line| tag(line, name));
        if let Some(other) = tag("Game ").filter(|other| other != game.id()) {
            return Err(format!("this is a tree of {}, not of {game}", engine_proto::fen::shown(&other)));
        }
        let mut tree = Self::new(games, game, tag("FEN ").as_deref()).map_err(|error| error.to_string())?;
        tree.players = tag("White ").zip(tag("Black ")).map(|(white, black)| [white, black]);
        let mut before = 0;
        let mut branches = Vec::new();
        for (line, word) in words(text) {
            let here = |error: &dyn fmt::Display| format!("line {line}: {error}");
            match word.as_str() {
                "(" => {
                    branches.push((tree.current, before));
                    tree.go(before).map_err(|error| here(&error))?;
                }
                ")" => {
                    let (last, parent) = branches.pop().ok_or_else(|| here(&"a `)` has no `(` before it"))?;
                    tree.go(last).map_err(|error| here(&error))?;
                    before = parent;
                }
                comment if comment.starts_with('{') => {
                    if let Some(score) = claim(&comment[1..]) {
                        tree.set_score(Some(score));
                    }
                }
                mv => {
                    before = tree.current;
                    tree.play_move(mv).map_err(|error| here(&error))?;
                }
            }
        }
        Ok(tree)
    }

    /// Takes note of what an engine thought when it made the move to the shown position.
    pub fn set_score(&mut self, score: Option<String>) {
        if let Some(node) = self.nodes.get_mut(self.current).and_then(Option::as_mut) {
            node.score = score;
        }
    }

    /// Whether it has no moves.
    pub fn is_empty(&self) -> bool {
        self.nodes.iter().flatten().count() == 1
    }

    /// The games, with its own.
    pub const fn games(&self) -> &Games {
        &self.games
    }

    /// The game.
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// The FEN of the start position.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The shown position.
    pub fn play(&self) -> &dyn AnyPlay {
        self.play.as_ref()
    }

    /// The number of the shown position.
    pub const fn current(&self) -> usize {
        self.current
    }

    /// The shown position as a `position` command.
    pub fn command(&self) -> String {
        let mut command = format!("position fen {}", self.start);
        for (idx, mv) in self.moves_to(self.current).into_iter().enumerate() {
            command.push_str(if idx == 0 { " moves " } else { " " });
            command.push_str(mv);
        }
        command
    }

    /// Plays a move from the shown position, in any usual spelling, and shows the position after it.
    ///
    /// # Errors
    /// If the move is not legal, or the tree is full.
    pub fn play_move(&mut self, text: &str) -> Result<(), NoMove> {
        let mv = typed(self.game, self.play.as_ref(), text).map_err(NoMove::Illegal)?;
        let known = (1..self.nodes.len()).find(|&node| {
            let node = self.nodes[node].as_ref();
            node.is_some_and(|node| node.parent == self.current && node.mv == mv)
        });
        if known.is_none() && MOST_NODES <= self.nodes.iter().flatten().count() {
            return Err(NoMove::Full);
        }
        let side = self.play.side_to_move().into();
        let words = notation(self.game, self.play.as_ref(), &mv);
        self.play.play(&mv).map_err(|error| NoMove::Illegal(error.to_string()))?;
        self.current = known.unwrap_or_else(|| {
            self.nodes.push(Some(Node { parent: self.current, mv, words, side, score: None }));
            self.nodes.len() - 1
        });
        Ok(())
    }

    /// Shows a position.
    ///
    /// # Errors
    /// If there is none with this number.
    pub fn go(&mut self, node: usize) -> Result<(), NoMove> {
        if node == self.current {
            return Ok(());
        }
        (self.current, self.play) = (node, self.play_to(node)?);
        Ok(())
    }

    /// The position after moves from a position of the tree; `None` if one of them is not legal.
    pub fn glimpse(&self, node: usize, moves: Vec<String>) -> Option<Glimpse> {
        let mut play = self.play_to(node).ok()?;
        for mv in moves.iter().take(MOST_MOVES) {
            let mv = play.read_move(mv)?;
            play.play(&mv).ok()?;
        }
        let scene = Shown::new(play.layout()).step(&play.scene());
        Some(Glimpse { node, moves, scene })
    }

    fn play_to(&self, node: usize) -> Result<Box<dyn AnyPlay>, NoMove> {
        if self.nodes.get(node).is_none_or(Option::is_none) {
            return Err(NoMove::Removed);
        }
        let mut play = self.games.play(self.game, &self.start).map_err(|_| NoMove::Removed)?;
        for mv in self.moves_to(node) {
            play.play(mv).map_err(|error| NoMove::Illegal(error.to_string()))?;
        }
        Ok(play)
    }

    /// Removes a position and what follows it. If one of them is shown, the position before is shown then.
    ///
    /// # Errors
    /// If there is none with this number, or it is the start position.
    pub fn remove(&mut self, node: usize) -> Result<(), NoMove> {
        let Some(Some(Node { parent, .. })) = self.nodes.get(node).filter(|_| 0 < node) else {
            return Err(NoMove::Removed);
        };
        let parent = *parent;
        if self.path_to(self.current).contains(&node) {
            self.go(parent)?;
        }
        self.nodes[node] = None;
        // Whatever follows a position has a greater number.
        for later in node + 1..self.nodes.len() {
            if self.nodes[later].as_ref().is_some_and(|node| self.nodes[node.parent].is_none()) {
                self.nodes[later] = None;
            }
        }
        if MOST_NUMBERS < self.nodes.len() {
            self.renumber();
        }
        Ok(())
    }

    /// Gives the positions new numbers, so that those that were removed take no memory.
    fn renumber(&mut self) {
        let mut numbers = vec![0; self.nodes.len()];
        let mut kept = Vec::new();
        for (node, number) in std::mem::take(&mut self.nodes).into_iter().zip(0..) {
            if let Some(node) = node {
                numbers[number] = kept.len();
                kept.push(Some(Node { parent: numbers[node.parent], ..node }));
            }
        }
        (self.nodes, self.current) = (kept, numbers[self.current]);
    }

    /// The positions without the start: number, number of the position before, move, the side that made it, the move as people
    /// write it, and a score from the side's own view.
    pub fn to_json(&self) -> Value {
        let nodes = self.nodes.iter().enumerate().skip(1);
        let shown = nodes.filter_map(|(idx, node)| {
            let Node { parent, mv, words, side, score } = node.as_ref()?;
            Some(json!([idx, parent, mv, side, words, score.as_deref().map(Score::of)]))
        });
        shown.collect()
    }

    /// The positions on the way to one, without the start.
    fn path_to(&self, node: usize) -> Vec<usize> {
        let before = |&node: &usize| self.nodes[node].as_ref().map(|node| node.parent);
        let mut path: Vec<usize> =
            std::iter::successors(Some(node), before).take_while(|&node| 0 < node).collect();
        path.reverse();
        path
    }

    fn moves_to(&self, node: usize) -> Vec<&str> {
        self.path_to(node)
            .into_iter()
            .filter_map(|node| Some(self.nodes[node].as_ref()?.mv.as_str()))
            .collect()
    }
}

/// The value of a tag in a line of PGN. `name` ends with a space.
fn tag(line: &str, name: &str) -> Option<String> {
    let mut signs =
        line.trim().strip_prefix('[')?.strip_prefix(name)?.trim_start().strip_prefix('"')?.chars();
    let mut value = String::new();
    loop {
        match signs.next()? {
            '"' => return Some(value),
            '\\' => value.push(signs.next()?),
            sign => value.push(sign),
        }
    }
}

/// The score in a comment on a move, in the form of the arena's PGN, `+0.31/9` or `-M4`, as records have it.
fn claim(comment: &str) -> Option<String> {
    let value = comment.split('/').next()?;
    let size = value.trim_start_matches(['+', '-']);
    if let Some(moves) = size.strip_prefix('M') {
        let end = if value.starts_with('-') { "loss" } else { "win" };
        return Some(format!("{end} {}", moves.parse::<u32>().ok()?));
    }
    let is_number = size.starts_with(|first: char| first.is_ascii_digit()) && size.contains('.');
    let score = value.parse::<f64>().ok().filter(|score| is_number && score.abs() < 1e6)?;
    Some(format!("cp {}", (100.0 * score).round() as i64))
}

/// The moves and brackets of a text, and the first word of each comment after a `{`, without tags, numbers and results; each with the
/// number of its line.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut plain = String::new();
    // In a comment, whether this is its first word.
    let mut comment: Option<bool> = None;
    for line in text.lines() {
        let is_tag = line.trim_start().starts_with('[');
        for sign in line.chars().filter(|_| !is_tag) {
            match (sign, comment) {
                ('}', _) => {
                    plain.push(' ');
                    comment = None;
                }
                (_, Some(false)) => {}
                (_, Some(true)) if sign.is_whitespace() => comment = Some(plain.ends_with('{')),
                ('{', None) => {
                    plain.push_str(" {");
                    comment = Some(true);
                }
                (';', None) => break,
                ('(' | ')', None) => plain.extend([' ', sign, ' ']),
                _ => plain.push(sign),
            }
        }
        plain.push('\n');
        comment = comment.map(|_| is_tag && comment == Some(true));
    }
    let without_number = |word: &str| {
        let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        if rest.len() < word.len() && rest.starts_with('.') {
            rest.trim_start_matches('.').to_owned()
        } else {
            word.to_owned()
        }
    };
    let is_move = |word: &String| {
        !word.is_empty() && !word.starts_with('$') && !["1-0", "0-1", "1/2-1/2", "*"].contains(&word.as_str())
    };
    let lines = (1..).zip(plain.lines());
    let numbered =
        lines.flat_map(|(n, line)| line.split_whitespace().map(move |word| (n, without_number(word))));
    numbered.filter(|(_, word)| is_move(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree with the moves of its start position.
    fn tree() -> (Tree, Vec<String>) {
        let tree = Tree::new(Games::built_in(), GameId::PUSH_PUSH, None).expect("a start");
        let moves = tree.play().legal_moves();
        (tree, moves)
    }

    #[test]
    fn a_text_is_read() {
        let game = "[Event \"a (b\"]\n\n1. e4 {best (by test)} e5 $1 (1... c5 2. Nf3 (2. Nc3 Nc6) d6) 2.Nf3! ; fine\n*";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, game).expect("PGN");
        let rows = tree.to_json();
        let rows: Vec<_> =
            rows.as_array().expect("rows").iter().map(|row| (row[1].clone(), row[4].clone())).collect();
        let expected =
            [(0, "e4"), (1, "e5"), (1, "c5"), (3, "Nf3"), (3, "Nc3"), (5, "Nc6"), (4, "d6"), (2, "Nf3")];
        assert_eq!(rows, expected.map(|(parent, words)| (json!(parent), json!(words))));
        assert_eq!(tree.current(), 8);
        let scored = "[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n1. e4 {+0.31/9 0.012s} e5 {-M4} 2. Nf3 {1.5 {is\nfine} Nc6 {0.012s} 3. Bc4 {inf} Nf6 { -2.00/1}";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, scored).expect("PGN");
        assert_eq!(tree.players, Some(["a \"b\"", "c"].map(str::to_owned)));
        let rows = tree.to_json();
        let scores: Vec<_> = rows.as_array().expect("rows").iter().map(|row| row[5].clone()).collect();
        assert_eq!(json!(scores), json!([31, "loss 4", 150, null, null, -200]));
        let from = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\nO-O";
        assert_eq!(Tree::read(Games::built_in(), GameId::CHESS, from).expect("PGN").to_json()[0][2], "e1g1");
        for (text, why) in [
            ("[White \"a\"]\n\n1. e4 {a\nb} e5\n2. e5", "line 5: `e5` is not a legal move"),
            (")", "line 1: a `)` has no `(` before it"),
            ("[Game \"push\"]", "this is a tree of push, not of chess"),
            ("[FEN \"x\"]", "this is not a FEN"),
        ] {
            let error = Tree::read(Games::built_in(), GameId::CHESS, text).err().expect(text);
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn branches_are_kept() {
        let (mut tree, moves) = tree();
        let start = tree.command();
        tree.play_move(&moves[0]).expect("legal");
        assert_eq!((tree.current(), tree.command()), (1, format!("{start} moves {}", moves[0])));
        let reply = tree.play().legal_moves().remove(0);
        tree.play_move(&reply).expect("legal");
        let fen = tree.play().fen();
        tree.go(0).expect("the start");
        assert_eq!(tree.command(), start);
        tree.play_move(&moves[1]).expect("legal");
        assert_eq!(tree.current(), 3);
        tree.go(2).expect("known");
        assert_eq!(tree.play().fen(), fen);
        // A known move is no new branch.
        tree.go(0).expect("the start");
        tree.play_move(&moves[0]).expect("legal");
        assert_eq!((tree.current(), tree.to_json().as_array().map(Vec::len)), (1, Some(3)));
        assert!(matches!(tree.play_move("a1a1"), Err(NoMove::Illegal(_))));
        assert_eq!(tree.go(4), Err(NoMove::Removed));
    }

    #[test]
    fn a_position_is_looked_at_without_going_there() {
        let (mut tree, moves) = tree();
        tree.play_move(&moves[0]).expect("legal");
        let reply = tree.play().legal_moves().remove(0);
        let glimpse = tree.glimpse(1, vec![reply.clone()]).expect("legal");
        assert_eq!(tree.current(), 1);
        tree.play_move(&reply).expect("legal");
        let scene = Shown::new(tree.play().layout()).step(&tree.play().scene());
        assert_eq!(json!(glimpse), json!({ "node": 1, "moves": [reply], "scene": scene }));
        for (node, moves) in [(0, vec!["a1a1".to_owned()]), (9, Vec::new()), (0, moves[..2].to_vec())] {
            assert!(tree.glimpse(node, moves.clone()).is_none(), "{node} {moves:?}");
        }
    }

    #[test]
    fn a_branch_is_removed_with_what_follows() {
        let (mut tree, moves) = tree();
        tree.play_move(&moves[0]).expect("legal");
        let reply = tree.play().legal_moves().remove(0);
        tree.play_move(&reply).expect("legal");
        tree.go(0).expect("the start");
        tree.play_move(&moves[1]).expect("legal");
        tree.go(2).expect("known");
        tree.remove(1).expect("known");
        assert_eq!(tree.current(), 0);
        assert_eq!(tree.to_json(), json!([[3, 0, moves[1], "w", moves[1], null]]));
        for node in [0, 1, 2, 9] {
            assert_eq!(tree.remove(node), Err(NoMove::Removed), "{node}");
        }
        tree.play_move(&moves[0]).expect("legal");
        assert_eq!(tree.current(), 4);
    }

    #[test]
    fn what_was_removed_takes_no_memory_in_the_end() {
        let (mut tree, moves) = tree();
        tree.play_move(&moves[0]).expect("legal");
        tree.go(0).expect("the start");
        tree.play_move(&moves[1]).expect("legal");
        let reply = tree.play().legal_moves().remove(0);
        tree.play_move(&reply).expect("legal");
        let command = tree.command();
        tree.nodes.resize(MOST_NUMBERS, None);
        tree.remove(1).expect("known");
        assert_eq!(
            (tree.nodes.len(), tree.current()),
            (MOST_NUMBERS, 3),
            "the numbers stay as long as possible"
        );
        tree.go(0).expect("the start");
        tree.play_move(&moves[0]).expect("legal");
        tree.go(3).expect("known");
        tree.remove(MOST_NUMBERS).expect("known");
        assert_eq!(
            tree.to_json(),
            json!([[1, 0, moves[1], "w", moves[1], null], [2, 1, reply, "b", reply, null]])
        );
        assert_eq!((tree.nodes.len(), tree.current(), tree.command()), (3, 2, command));
    }

    #[test]
    fn a_tree_does_not_grow_without_end() {
        let (mut tree, moves) = tree();
        tree.nodes.resize(MOST_NODES, tree.nodes[0].clone());
        assert_eq!(tree.play_move(&moves[0]), Err(NoMove::Full));
    }
}
