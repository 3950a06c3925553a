//! The positions that were looked at: a start position, and the moves that lead from it, with all their branches.

use std::collections::VecDeque;
use std::sync::Arc;

use engine_proto::proto::Score as Claim;
use engine_proto::{AnyPlay, GameId, Games, PlayError, Side};
use ratings::MatchResult;
use serde::Serialize;
use serde_json::{Value, json};

use super::lines::{Best, MOST_MOVES, score_json};
use super::text::{Match, extras, is_mark};
use crate::position::{self, meant, notation, typed};
use model::SideLetter;
use opponent::is_chess;
use report::html::parts::{SceneChange, Score, Shown};
use schedule::pgn::comment::Comment;

/// The maximum number of positions.
pub const MOST_NODES: usize = 5000;
/// The maximum number of positions with those that were removed, before the others get new numbers.
const MOST_NUMBERS: usize = 2 * MOST_NODES;
/// How often something can be removed and brought back.
const MOST_REMOVED: usize = 20;
/// The maximum number of arrows and rings of a position.
const MOST_MARKS: usize = 64;
/// The most judgements of one position.
const MOST_JUDGEMENTS: usize = 8;
/// The signs of moves, in the order of their numbers in PGN: `$1` is the first one.
pub const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The tree, and the position that is shown.
pub struct Tree {
    games: Games,
    game: GameId,
    /// The FEN of the start position.
    start: String,
    /// Who played White and Black in a recorded match.
    pub players: Option<[String; 2]>,
    /// How that match ended.
    pub result: Option<MatchResult>,
    /// Why it did, as records say it.
    pub reason: Option<String>,
    /// What contradicts the result of a text, in a sentence.
    pub doubt: Option<String>,
    /// What was left out of a text.
    pub unread: Option<Unread>,
    /// The matches of the text, if there are several.
    pub matches: Arc<[Match]>,
    /// Which one of them this is.
    pub chosen: Option<usize>,
    /// Other tags of a text, with their values.
    pub tags: Vec<(String, String)>,
    /// Whether somebody may have changed it since it was read.
    pub is_changed: bool,
    /// The first one is the start position. Those that were removed are `None`, because the others keep their numbers.
    nodes: Vec<Option<Node>>,
    /// Those that were removed, with their numbers, each time a position and what followed it. The last ones were removed last.
    removed: VecDeque<Vec<(usize, Node)>>,
    /// Whose evaluations are shown; `None` for those of a text that does not name anybody.
    pub annotator: Option<String>,
    current: usize,
    /// The moves to the shown position.
    play: Box<dyn AnyPlay>,
}

/// A text that could not be read to its end.
#[derive(Clone, Debug, Serialize)]
pub struct Unread {
    /// What is wrong, and in which line.
    pub why: String,
    pub text: String,
}

/// A position: the move that leads to it.
#[derive(Clone, Debug)]
struct Node {
    parent: usize,
    /// Of two moves in one position, the one with the lower rank comes first; of two with the same rank, the older one.
    rank: i32,
    mv: String,
    /// The move as people write it.
    words: String,
    side: SideLetter,
    /// Whether it captured something, as lists of moves mark it.
    captures: bool,
    /// What the engine that played it thought of the position.
    score: Option<String>,
    /// The same as its text has it, with depth and time.
    claim: String,
    /// One of each who says what the position is worth.
    evaluations: Vec<Evaluation>,
    /// One of `SIGNS`.
    sign: Option<&'static str>,
    /// What a person says of the move; empty if nothing.
    comment: String,
    /// Arrows and rings on the board, as comments of PGN have them: a letter of the colour, and the squares.
    marks: Vec<String>,
    /// Commands of comments in PGN that mean nothing here, such as `[%clk 0:01:00]`.
    commands: String,
    /// Numbers of PGN that judge the position, or the move otherwise than its sign.
    judgements: Vec<u8>,
    /// Whether the recorded match ended here.
    ends_match: bool,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Evaluation {
    /// From White's view.
    score: Claim,
    depth: Option<u32>,
    /// The best line, as people write it, and who makes each move.
    best: Vec<(String, SideLetter)>,
    /// The score as a text has it, with its depth; empty for that of an engine.
    written: String,
    /// Who says so; `None` for a text that does not name it.
    by: Option<String>,
    /// Whether it is of a text, or of an engine that went through a whole line, and can be compared with the others of it.
    is_whole: bool,
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

impl Node {
    fn new(parent: usize, mv: String, words: String, side: SideLetter) -> Self {
        let (score, sign, comment) = (None, None, String::new());
        let (rank, captures, ends_match) = (0, false, false);
        let (marks, commands) = (Vec::new(), String::new());
        Self {
            parent,
            rank,
            mv,
            words,
            side,
            captures,
            score,
            claim: String::new(),
            evaluations: Vec::new(),
            sign,
            comment,
            marks,
            commands,
            judgements: Vec::new(),
            ends_match,
        }
    }

    fn evaluation_by(&self, by: Option<&str>) -> Option<&Evaluation> {
        self.evaluations.iter().find(|evaluation| evaluation.by.as_deref() == by)
    }
}

impl Tree {
    /// A tree of one of these games with one position: this one, or the default start of the game.
    ///
    /// # Errors
    /// If the FEN is not a position of the game.
    pub fn new(games: &Games, game: GameId, fen: Option<&str>) -> Result<Self, PlayError> {
        let play = match fen {
            // Other programs leave out counters, for example.
            Some(fen) => games.play(game, fen).or_else(|error| games.import(game, fen).map_err(|_| error))?,
            None => games.startpos(game)?,
        };
        let root = Node::new(0, String::new(), String::new(), SideLetter::White);
        let (games, start, nodes) = (games.clone(), play.fen(), vec![Some(root)]);
        Ok(Self {
            games,
            game,
            players: None,
            result: None,
            reason: None,
            doubt: None,
            unread: None,
            matches: Arc::default(),
            chosen: None,
            tags: Vec::new(),
            start,
            nodes,
            removed: VecDeque::new(),
            annotator: None,
            is_changed: false,
            current: 0,
            play,
        })
    }

    /// Takes note of what an engine thought when it made the move to the shown position, and of `claim`, which says so with depth and time.
    /// A further comment may have the time alone.
    pub fn set_claim(&mut self, score: Option<String>, claim: &str) {
        if let Some(node) = self.nodes.get_mut(self.current).and_then(Option::as_mut) {
            if score.is_some() {
                (node.score, node.claim) = (score, claim.to_owned());
            } else if node.claim.is_empty() {
                claim.clone_into(&mut node.claim);
            }
        }
    }

    /// Adds to what is said of the move to the shown position.
    pub fn add_comment(&mut self, words: &str) {
        if let Some(Some(node)) = self.nodes.get(self.current) {
            let all = format!("{} {words}", node.comment);
            self.set_comment(self.current, &all);
        }
    }

    /// Sets what is said of the move to a position, or of the start position, without what a text would not keep.
    pub fn set_comment(&mut self, node: usize, words: &str) {
        if let Some(node) = self.nodes.get_mut(node).and_then(Option::as_mut) {
            node.comment = Comment::read(words).words;
        }
    }

    /// What is said of the start position.
    pub fn opening_comment(&self) -> &str {
        self.nodes[0].as_ref().map_or("", |root| &root.comment)
    }

    /// Keeps what a comment of the shown position has besides words: marks, and commands that mean nothing here.
    pub fn add_extras(&mut self, comment: &str) {
        let (marks, commands) = extras(comment);
        if let Some(node) = self.nodes[self.current].as_mut() {
            node.marks.extend(marks);
            node.marks.truncate(MOST_MARKS);
            node.commands.push_str(&commands);
        }
    }

    /// Keeps a judgement of the shown position, or of the move to it, as a number of PGN. The start has no move.
    pub fn judge(&mut self, number: u8) {
        if let Some(node) = self.nodes[self.current].as_mut().filter(|_| self.current != 0)
            && !node.judgements.contains(&number)
            && node.judgements.len() < MOST_JUDGEMENTS
        {
            node.judgements.push(number);
        }
    }

    /// Sets the marks of a position, without those that are none.
    pub fn set_marks(&mut self, node: usize, marks: Vec<String>) {
        if let Some(node) = self.nodes.get_mut(node).and_then(Option::as_mut) {
            node.marks = marks.into_iter().filter(|mark| is_mark(mark)).take(MOST_MARKS).collect();
        }
    }

    /// The marks, the other commands, the judgements and the claims of the positions that have any, by their numbers.
    pub fn extras(&self) -> Value {
        let nodes = self.nodes.iter().enumerate().filter_map(|(idx, node)| Some((idx, node.as_ref()?)));
        let known = nodes.filter(|(_, node)| {
            let Node { marks, commands, judgements, claim, .. } = node;
            !(marks.is_empty() && commands.is_empty() && judgements.is_empty() && claim.is_empty())
        });
        known
            .map(|(idx, Node { marks, commands, judgements, claim, .. })| {
                (idx.to_string(), json!([marks, commands, judgements, claim]))
            })
            .collect()
    }

    /// Sets the sign of the move to a position; one that is none of `SIGNS` removes it.
    pub fn set_sign(&mut self, node: usize, sign: &str) {
        if let Some(node) = self.nodes.get_mut(node).and_then(Option::as_mut) {
            node.sign = SIGNS.into_iter().find(|known| *known == sign);
        }
    }

    /// Takes note of what an engine that searches thinks of the shown position, unless it knows more of it. Says whether that is new.
    pub fn keep(&mut self, engine: &str, best: &Best) -> bool {
        if self.nodes.iter().flatten().all(|node| node.evaluations.is_empty()) {
            self.annotator = Some(engine.to_owned());
        }
        let known = self.nodes[self.current].as_ref().and_then(|node| node.evaluation_by(Some(engine)));
        // Beside evaluations of the same effort, a deeper one would make a fault of what is none.
        let is_better = known.is_none_or(|Evaluation { depth, is_whole, .. }| {
            !is_whole && depth.unwrap_or_default() <= best.depth.unwrap_or_default()
        });
        is_better && self.evaluate(self.current, best, engine, false)
    }

    /// Takes note of what an engine thinks of a position, in passing or in a whole line. Says whether that is new.
    pub fn evaluate(
        &mut self,
        node: usize,
        Best { score, depth, moves }: &Best,
        engine: &str,
        is_whole: bool,
    ) -> bool {
        const MOST_KEPT: usize = 8;
        let Ok(play) = self.play_to(node) else { return false };
        let moves = &moves[..moves.len().min(MOST_KEPT)];
        let words = position::line(self.game, play.as_ref(), moves);
        let best = words.into_iter().zip(position::sides(self.game, play.as_ref(), moves)).collect();
        let score = score.for_white(play.side_to_move());
        let by = Some(engine.to_owned());
        let written = String::new();
        self.set_evaluation(node, Evaluation { score, depth: *depth, best, written, by, is_whole })
    }

    /// Takes note of what the shown position is worth for White, how that is `written`, and of the best move there, if it is legal.
    pub fn evaluate_for_white(&mut self, score: Claim, written: &str, best: Option<&str>) {
        let best = best.and_then(|text| meant(self.game, self.play.as_ref(), text).ok());
        let side = self.play.side_to_move().into();
        let best = best.map(|mv| (notation(self.game, self.play.as_ref(), &mv), side)).into_iter().collect();
        let by = self.annotator.clone();
        let written = written.to_owned();
        self.set_evaluation(
            self.current,
            Evaluation { score, depth: None, best, written, by, is_whole: true },
        );
    }

    /// Takes note of what a position is worth that is over.
    pub fn evaluate_end(&mut self, node: usize) {
        let Some(end) = self.play_to(node).ok().and_then(|play| play.end()) else { return };
        let score = match end.winner {
            Some(Side::White) => Claim::Win(0),
            Some(Side::Black) => Claim::Loss(0),
            None => Claim::Centi(0),
        };
        let by = self.annotator.clone();
        let (best, written) = (Vec::new(), String::new());
        self.set_evaluation(node, Evaluation { score, depth: None, best, written, by, is_whole: true });
    }

    /// The same for all that are over, if any position was evaluated: a text has no value for them.
    pub fn evaluate_ends(&mut self) {
        let mut is_last = vec![true; self.nodes.len()];
        self.nodes.iter().flatten().for_each(|node| is_last[node.parent] = false);
        let is_evaluated = |node: &Node| !node.evaluations.is_empty();
        if self.nodes.iter().flatten().any(is_evaluated) {
            let open =
                |&place: &usize| is_last[place] && !self.nodes[place].as_ref().is_some_and(is_evaluated);
            let open: Vec<usize> = (0..self.nodes.len()).filter(open).collect();
            for node in open {
                self.evaluate_end(node);
            }
        }
    }

    fn set_evaluation(&mut self, node: usize, evaluation: Evaluation) -> bool {
        let Some(node) = self.nodes.get_mut(node).and_then(Option::as_mut) else { return false };
        let is_known = node.evaluations.contains(&evaluation);
        node.evaluations.retain(|known| known.by != evaluation.by);
        node.evaluations.push(evaluation);
        !is_known
    }

    /// Shows the evaluations of somebody who has made some.
    pub fn show_evaluations_of(&mut self, by: Option<String>) {
        if self.nodes.iter().flatten().any(|node| node.evaluation_by(by.as_deref()).is_some()) {
            self.annotator = by;
        }
    }

    /// What the positions are worth: who went through a whole line, whose word is shown, for each number the score from White's view and the best line,
    /// `null` without one, who makes its moves, where the word of somebody else fills a gap, how a text writes it, and whether they are more
    /// than what engines found in passing. That fills gaps only: there is none where somebody went through the line, or the player of a
    /// match says something.
    pub fn evaluations(&self) -> Value {
        let [mut found, mut sides, mut others, mut written] = [(); 4].map(|()| serde_json::Map::new());
        let (mut authors, mut is_whole) = (Vec::new(), false);
        for (idx, node) in self.nodes.iter().enumerate() {
            let Some(node) = node else { continue };
            for Evaluation { by, .. } in node.evaluations.iter().filter(|one| one.is_whole) {
                if !authors.contains(&by) {
                    authors.push(by);
                }
            }
            let known = node.evaluations.iter().filter(|one| one.is_whole || node.score.is_none());
            let shown = known.max_by_key(|one| (one.is_whole, one.by == self.annotator));
            let Some(Evaluation { score, best, by, written: text, .. }) = shown else { continue };
            is_whole |= shown.is_some_and(|one| one.is_whole && one.by == self.annotator);
            if !text.is_empty() {
                written.insert(idx.to_string(), json!(text));
            }
            let line = best.iter().map(|(word, _)| json!(word));
            let line = line.chain(best.is_empty().then_some(Value::Null));
            found.insert(idx.to_string(), [score_json(*score)].into_iter().chain(line).collect());
            sides.insert(idx.to_string(), best.iter().map(|&(_, side)| json!(side)).collect());
            if *by != self.annotator {
                others.insert(idx.to_string(), json!(by));
            }
        }
        let by = &self.annotator;
        json!({ "authors": authors, "by": by, "found": found, "sides": sides, "others": others, "written": written, "is_whole": is_whole })
    }

    /// Takes note that the recorded match, if there is one, ended with the last move of the main line, whatever is added to it later.
    pub fn mark_end_of_match(&mut self) {
        let last = self.main_line().last();
        if let Some(node) = last.and_then(|last| self.nodes[last].as_mut()) {
            node.ends_match = self.result.is_some();
        }
    }

    /// The positions of the main line.
    fn main_line(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(0), |&node| Some(self.first_move_of(node)?.1))
    }

    /// The number of moves of the main line.
    pub fn last_ply(&self) -> usize {
        self.main_line().count() - 1
    }

    /// Shows the position of the main line after this many moves, or its last one.
    ///
    /// # Errors
    /// If the position cannot be played again.
    pub fn go_to_ply(&mut self, ply: Option<usize>) -> Result<(), NoMove> {
        let node = self.main_line().take(ply.unwrap_or(usize::MAX).saturating_add(1)).last();
        self.go(node.unwrap_or_default())
    }

    /// How the recorded match ended; nothing while its last position is deleted.
    pub fn result(&self) -> Option<MatchResult> {
        self.result.filter(|_| self.nodes.iter().flatten().any(|node| node.ends_match))
    }

    /// Whether the main line is that of the recorded match, to its end: its result stands below no other line.
    pub fn is_main_line_of_match(&self) -> bool {
        self.main_line().last().and_then(|last| self.nodes[last].as_ref()).is_some_and(|node| node.ends_match)
    }

    /// How the main line ends, if that is by the rules.
    pub fn result_by_rules(&self) -> Option<MatchResult> {
        let last = self.play_to(self.main_line().last()?).ok()?;
        last.end().map(|end| MatchResult::of(end.winner))
    }

    /// Whether the recorded match ended with the shown position.
    pub fn is_at_end_of_match(&self) -> bool {
        self.nodes[self.current].as_ref().is_some_and(|node| node.ends_match)
    }

    /// Whether it has a position.
    pub fn has(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(Option::is_some)
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

    /// The position before the last move; `None` at the start.
    pub fn play_before(&self) -> Option<Box<dyn AnyPlay>> {
        let node = self.nodes[self.current].as_ref().filter(|_| 0 < self.current)?;
        self.play_to(node.parent).ok()
    }

    /// The number of the shown position.
    pub const fn current(&self) -> usize {
        self.current
    }

    /// The shown position as a `position` command.
    pub fn command(&self) -> String {
        self.command_to(self.current)
    }

    /// A position as a `position` command.
    pub fn command_to(&self, node: usize) -> String {
        let mut command = format!("position fen {}", self.start);
        for (idx, mv) in self.moves_to(node).into_iter().enumerate() {
            command.push_str(if idx == 0 { " moves " } else { " " });
            command.push_str(mv);
        }
        command
    }

    /// Plays the move that a text means from the shown position, and shows the position after it.
    ///
    /// # Errors
    /// If the move is not legal, or the tree is full.
    pub fn play_move(&mut self, text: &str) -> Result<(), NoMove> {
        self.play_as(text, meant)
    }

    /// The same for a move that a person typed.
    ///
    /// # Errors
    /// If the move is not legal, or the tree is full.
    pub fn play_typed(&mut self, text: &str) -> Result<(), NoMove> {
        self.play_as(text, typed)
    }

    fn play_as(
        &mut self,
        text: &str,
        read: fn(GameId, &dyn AnyPlay, &str) -> Result<String, String>,
    ) -> Result<(), NoMove> {
        let again = again(&self.games, self.game, self.play.as_ref());
        let before = again.as_deref().unwrap_or(self.play.as_ref());
        let mv = read(self.game, before, text).map_err(NoMove::Illegal)?;
        let known = (1..self.nodes.len()).find(|&node| {
            let node = self.nodes[node].as_ref();
            node.is_some_and(|node| node.parent == self.current && node.mv == mv)
        });
        if known.is_none() && MOST_NODES <= self.nodes.iter().flatten().count() {
            return Err(NoMove::Full);
        }
        if let Some(again) = again {
            self.play = again;
        }
        let mover = self.play.side_to_move();
        let words = notation(self.game, self.play.as_ref(), &mv);
        let n_before = n_pieces(self.play.as_ref(), !mover);
        self.play.play(&mv).map_err(|error| NoMove::Illegal(error.to_string()))?;
        self.current = known.unwrap_or_else(|| {
            let captures = n_pieces(self.play.as_ref(), !mover) < n_before;
            // What was removed would come back beside itself.
            self.removed.retain(|removed| {
                let (_, first) = &removed[0];
                first.parent != self.current || first.mv != mv
            });
            let node = Node { captures, ..Node::new(self.current, mv, words, mover.into()) };
            self.nodes.push(Some(node));
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

    /// The moves to a position.
    ///
    /// # Errors
    /// If there is none with this number.
    pub fn play_to(&self, node: usize) -> Result<Box<dyn AnyPlay>, NoMove> {
        if !self.has(node) {
            return Err(NoMove::Removed);
        }
        let mut play = self.games.play(self.game, &self.start).map_err(|_| NoMove::Removed)?;
        for mv in self.moves_to(node) {
            play = again(&self.games, self.game, play.as_ref()).unwrap_or(play);
            play.play(mv).map_err(|error| NoMove::Illegal(error.to_string()))?;
        }
        Ok(play)
    }

    /// Makes the line to a position the first one at the last branch where it is not, and shows the position.
    ///
    /// # Errors
    /// If there is none with this number.
    pub fn promote(&mut self, node: usize) -> Result<(), NoMove> {
        self.go(node)?;
        let is_behind = |&one: &usize| self.first_in_place_of(one).is_some_and(|(_, first)| first != one);
        if let Some(last) = self.path_to(node).into_iter().rfind(is_behind) {
            self.put_first(last);
        }
        Ok(())
    }

    /// Makes the line to a position the first one at every branch, and shows the position.
    ///
    /// # Errors
    /// If there is none with this number.
    pub fn make_main(&mut self, node: usize) -> Result<(), NoMove> {
        self.go(node)?;
        self.path_to(node).into_iter().for_each(|node| self.put_first(node));
        Ok(())
    }

    /// The rank and the number of the first move in the place of one.
    fn first_in_place_of(&self, node: usize) -> Option<(i32, usize)> {
        self.first_move_of(self.nodes[node].as_ref()?.parent)
    }

    /// The rank and the number of the first move in a position.
    fn first_move_of(&self, parent: usize) -> Option<(i32, usize)> {
        let nodes = self.nodes.iter().enumerate().skip(1);
        let moves =
            nodes.filter_map(|(idx, one)| Some((idx, one.as_ref().filter(|one| one.parent == parent)?)));
        moves.map(|(idx, one)| (one.rank, idx)).min()
    }

    fn put_first(&mut self, node: usize) {
        if let Some((lowest, first)) = self.first_in_place_of(node)
            && first != node
            && let Some(node) = &mut self.nodes[node]
        {
            node.rank = lowest - 1;
        }
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
        let mut removed: Vec<_> = self.nodes[node].take().map(|one| (node, one)).into_iter().collect();
        // Whatever follows a position has a greater number.
        for later in node + 1..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(later);
            let following = rest[0].take_if(|one| before[one.parent].is_none());
            removed.extend(following.map(|one| (later, one)));
        }
        if MOST_REMOVED <= self.removed.len() {
            self.removed.pop_front();
        }
        self.removed.push_back(removed);
        if MOST_NUMBERS < self.nodes.len() {
            self.renumber();
        }
        Ok(())
    }

    /// The move that was removed last and can come back, and the number of moves with those that followed it.
    pub fn removed(&self) -> Option<(&str, usize)> {
        let removed = &self.removed[self.last_removed()?];
        Some((removed[0].1.words.as_str(), removed.len()))
    }

    /// What stood before it may have been removed later, and be there under another number.
    fn last_removed(&self) -> Option<usize> {
        self.removed.iter().rposition(|removed| self.has(removed[0].1.parent))
    }

    /// Brings back what was removed last, if anything, and shows it.
    ///
    /// # Errors
    /// If the tree would have too many positions.
    pub fn bring_back(&mut self) -> Result<(), NoMove> {
        let Some(last) = self.last_removed() else { return Ok(()) };
        if MOST_NODES < self.nodes.iter().flatten().count() + self.removed[last].len() {
            return Err(NoMove::Full);
        }
        let removed = self.removed.remove(last).expect("it is there");
        let (first, _) = removed[0];
        for (node, one) in removed {
            self.nodes[node] = Some(one);
        }
        self.go(first)
    }

    /// Gives the positions new numbers, so that those that were removed take no memory.
    fn renumber(&mut self) {
        self.removed.clear();
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

    /// The positions without the start, those that follow the same one in their order: number, number of the position before, move,
    /// the side that made it, the move as people write it, whether it captured something, a score from the side's own view, the sign, and
    /// what is said of the move.
    pub fn to_json(&self) -> Value {
        let nodes = self.nodes.iter().enumerate().skip(1);
        let mut nodes: Vec<_> = nodes.filter_map(|(idx, node)| Some((idx, node.as_ref()?))).collect();
        nodes.sort_by_key(|(_, node)| (node.parent, node.rank));
        let row = |(idx, node): (usize, &Node)| {
            let Node { parent, mv, words, side, captures, score, sign, comment, .. } = node;
            json!([idx, parent, mv, side, words, captures, score.as_deref().map(Score::of), sign, comment])
        };
        nodes.into_iter().map(row).collect()
    }

    /// The positions on the way to one, without the start.
    fn path_to(&self, node: usize) -> Vec<usize> {
        let before = |&node: &usize| self.nodes[node].as_ref().map(|node| node.parent);
        let mut path: Vec<usize> =
            std::iter::successors(Some(node), before).take_while(|&node| 0 < node).collect();
        path.reverse();
        path
    }

    /// The number of the next move, as people count them: a turn of White and one of Black have the same.
    pub fn next_number(&self) -> String {
        let of_fen = || self.start.rsplit(' ').next()?.parse().ok();
        let first = if is_chess(self.game) { of_fen().unwrap_or(1) } else { 1 };
        let path = self.path_to(self.current).into_iter();
        let mut sides: Vec<_> = path.filter_map(|node| Some(self.nodes[node].as_ref()?.side)).collect();
        sides.push(self.play.side_to_move().into());
        let n_turns = sides.windows(2).filter(|pair| *pair == [SideLetter::Black, SideLetter::White]).count();
        format!("{}{}", first + n_turns, if sides.last() == Some(&SideLetter::White) { "." } else { "..." })
    }

    fn moves_to(&self, node: usize) -> Vec<&str> {
        self.path_to(node)
            .into_iter()
            .filter_map(|node| Some(self.nodes[node].as_ref()?.mv.as_str()))
            .collect()
    }
}

/// The position without its history, if only that ended the play: where nobody claimed a draw by repetition, or after many moves
/// without progress, a match goes on.
fn again(games: &Games, game: GameId, play: &dyn AnyPlay) -> Option<Box<dyn AnyPlay>> {
    play.end()?;
    let fen = play.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    // In all games, the last field but one counts the moves without progress.
    if let [.., quiet, _] = fields.as_mut_slice() {
        *quiet = "0";
    }
    games.play(game, &fields.join(" ")).ok().filter(|again| again.end().is_none())
}

/// The number of pieces of a side on the board.
fn n_pieces(play: &dyn AnyPlay, side: Side) -> usize {
    play.scene().pieces.iter().filter(|piece| piece.owner == Some(side)).count()
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
    fn one_word_of_many_is_shown() {
        let (mut tree, moves) = tree();
        tree.play_move(&moves[0]).expect("legal");
        let reply = tree.play().legal_moves().remove(0);
        let best = |score, depth| Best { score, depth, moves: vec![reply.clone()] };
        // Those of a text are of nobody who is known.
        tree.evaluate_for_white(Claim::Centi(12), "0.12", None);
        assert!(tree.keep("a", &best(Claim::Centi(30), Some(7))));
        assert_eq!(tree.evaluations()["found"]["1"][0], 12);
        // Beside them, engines that search fill gaps.
        tree.go(0).expect("the start");
        assert!(tree.keep("a", &best(Claim::Centi(20), Some(7))));
        assert!(!tree.keep("a", &best(Claim::Centi(30), Some(6))));
        assert!(tree.keep("a", &best(Claim::Centi(25), Some(8))));
        let all = tree.evaluations();
        assert_eq!((&all["found"]["0"][0], &all["found"]["1"][0]), (&json!(25), &json!(12)));
        assert_eq!((&all["by"], &all["others"]), (&Value::Null, &json!({ "0": "a" })));
        assert_eq!((&all["authors"], &all["is_whole"]), (&json!([null]), &json!(true)));
        // An engine that evaluates all moves takes the place of others one by one. Black is to move.
        tree.annotator = Some("b".to_owned());
        // What a search found fills gaps only, now as before.
        assert_eq!(tree.evaluations()["others"], json!({ "0": "a", "1": null }));
        assert_eq!(tree.evaluations()["found"]["1"][0], 12);
        assert!(tree.evaluate(1, &best(Claim::Centi(40), Some(7)), "b", true));
        let all = tree.evaluations();
        assert_eq!((&all["found"]["1"], &all["sides"]["1"]), (&json!([-40, reply]), &json!(["b"])));
        assert_eq!((&all["others"], &all["authors"]), (&json!({ "0": "a" }), &json!([null, "b"])));
        tree.go(1).expect("known");
        assert!(!tree.keep("b", &best(Claim::Centi(50), Some(9))));
        tree.evaluate(1, &best(Claim::Loss(2), None), "b", true);
        assert_eq!(tree.evaluations()["found"]["1"][0], "White wins in 2 plies");
        // What the text says is still there.
        tree.show_evaluations_of(None);
        tree.show_evaluations_of(Some("nobody".to_owned()));
        let all = tree.evaluations();
        assert_eq!((&all["by"], &all["found"]["1"][0]), (&Value::Null, &json!(12)));
        assert_eq!(all["written"], json!({ "1": "0.12" }));
    }

    #[test]
    fn what_is_found_in_passing_hides_no_whole_evaluation() {
        let (mut tree, moves) = tree();
        tree.play_move(&moves[0]).expect("legal");
        let best = |centi| Best {
            score: Claim::Centi(centi),
            depth: Some(9),
            moves: vec![tree.play().legal_moves().remove(0)],
        };
        let [whole, passing] = [best(5), best(7)];
        assert!(tree.evaluate(1, &whole, "many", true) && tree.evaluate(0, &whole, "third", true));
        assert!(tree.keep("third", &passing));
        tree.show_evaluations_of(Some("third".to_owned()));
        let all = tree.evaluations();
        assert_eq!([&all["found"]["1"][0], &all["others"]["1"]], [&json!(-5), &json!("many")]);
        // Its own whole one is shown before that of another.
        assert!(tree.evaluate(1, &passing, "third", true));
        assert_eq!(tree.evaluations()["found"]["1"][0], -7);
    }

    #[test]
    fn the_word_of_the_player_stays_beside_a_search() {
        let (mut tree, moves) = tree();
        tree.play_move(&moves[0]).expect("legal");
        tree.set_claim(Some("cp 3".to_owned()), "+0.03/9 0.100s");
        tree.set_claim(None, "2s");
        assert_eq!(tree.extras(), json!({ "1": [[], "", [], "+0.03/9 0.100s"] }));
        let best =
            Best { score: Claim::Centi(5), depth: Some(9), moves: vec![tree.play().legal_moves().remove(0)] };
        assert!(tree.keep("a", &best));
        assert_eq!(tree.evaluations()["found"], json!({}));
        // Unless the whole line is evaluated.
        assert!(tree.evaluate(1, &best, "a", true));
        assert_eq!(tree.evaluations()["found"]["1"][0], -5);
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
        assert_eq!(tree.to_json(), json!([[3, 0, moves[1], "w", moves[1], false, null, null, ""]]));
        for node in [0, 1, 2, 9] {
            assert_eq!(tree.remove(node), Err(NoMove::Removed), "{node}");
        }
        // It comes back where it was, also beside other moves.
        assert_eq!(tree.removed(), Some((&*moves[0], 2)));
        tree.play_move(&moves[2]).expect("legal");
        tree.bring_back().expect("room");
        assert_eq!(tree.current(), 1);
        let order: Vec<_> =
            tree.to_json().as_array().expect("rows").iter().map(|row| row[0].clone()).collect();
        assert_eq!(order, [1, 3, 4, 2]);
        tree.bring_back().expect("nothing to do");
        // One after the other, the last one first.
        tree.remove(2).expect("known");
        tree.remove(1).expect("known");
        tree.remove(3).expect("known");
        for shown in [3, 1, 2, 2] {
            tree.bring_back().expect("room");
            assert_eq!((tree.current(), tree.has(4)), (shown, true));
        }
        // A move that was made again does not come back.
        tree.remove(1).expect("known");
        tree.play_move(&moves[0]).expect("legal");
        assert_eq!((tree.current(), tree.removed()), (5, None));
        // What followed it neither.
        tree.play_move(&reply).expect("legal");
        tree.remove(6).expect("known");
        tree.remove(5).expect("known");
        tree.play_move(&moves[0]).expect("legal");
        tree.bring_back().expect("nothing to do");
        assert_eq!((tree.current(), tree.removed()), (7, None));
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
            json!([
                [1, 0, moves[1], "w", moves[1], false, null, null, ""],
                [2, 1, reply, "b", reply, false, null, null, ""]
            ])
        );
        assert_eq!((tree.nodes.len(), tree.current(), tree.command()), (3, 2, command));
    }

    #[test]
    fn a_branch_becomes_the_main_line() {
        let (mut tree, moves) = tree();
        let order = |tree: &Tree| -> Vec<Value> {
            tree.to_json().as_array().expect("rows").iter().map(|row| row[0].clone()).collect()
        };
        for mv in &moves[..2] {
            tree.go(0).expect("the start");
            tree.play_move(mv).expect("legal");
        }
        let replies = tree.play().legal_moves();
        for mv in &replies[..2] {
            tree.go(2).expect("known");
            tree.play_move(mv).expect("legal");
        }
        assert_eq!(order(&tree), [1, 2, 3, 4]);
        tree.go(0).expect("the start");
        // Once at the last branch, then at the one before; a line that is first stays so.
        tree.promote(4).expect("known");
        assert_eq!((order(&tree), tree.current()), (vec![json!(1), json!(2), json!(4), json!(3)], 4));
        tree.promote(4).expect("known");
        assert_eq!(order(&tree), [2, 1, 4, 3]);
        tree.promote(4).expect("known");
        assert_eq!(order(&tree), [2, 1, 4, 3]);
        tree.make_main(1).expect("known");
        assert_eq!(order(&tree), [1, 2, 4, 3]);
        tree.make_main(3).expect("known");
        assert_eq!((order(&tree), tree.current()), (vec![json!(2), json!(1), json!(3), json!(4)], 3));
        assert_eq!((tree.promote(9), tree.make_main(9)), (Err(NoMove::Removed), Err(NoMove::Removed)));
    }

    #[test]
    fn moves_have_signs_and_comments() {
        let (mut tree, moves) = tree();
        tree.play_move(&moves[0]).expect("legal");
        let said = |tree: &Tree| [tree.to_json()[0][7].clone(), tree.to_json()[0][8].clone()];
        tree.set_sign(1, "!?");
        tree.set_comment(1, " a  {good}\n[%eval 0.3] move ");
        assert_eq!(said(&tree), [json!("!?"), json!("a (good) move")]);
        tree.add_comment("indeed");
        tree.set_sign(1, "");
        assert_eq!(said(&tree), [json!(null), json!("a (good) move indeed")]);
        tree.set_comment(0, "from here");
        assert_eq!(tree.opening_comment(), "from here");
        // Nothing has this number.
        tree.set_comment(9, "x");
        tree.set_sign(9, "!");
    }

    #[test]
    fn a_tree_does_not_grow_without_end() {
        let (mut tree, moves) = tree();
        tree.nodes.resize(MOST_NODES, tree.nodes[0].clone());
        assert_eq!(tree.play_move(&moves[0]), Err(NoMove::Full));
    }
}
