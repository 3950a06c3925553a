//! The Python class `State`: one game in progress.

use games::scene::terminal::{self, Style};
use games::{GameId, GameInfo, Games, Side};
use numpy::{PyArray1, PyArray3, PyArrayMethods, ToPyArray};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::any::{self, AnyCoded};
use crate::svg;

/// `current_player` of a game that is over, as in OpenSpiel.
pub const TERMINAL_PLAYER: i32 = -4;

/// A game in progress: the position, and the moves that led to it.
///
/// The methods have the names of `pyspiel.State`. Players are 0 (White, moves first) and 1 (Black). The side to move
/// need not alternate: after a move, `current_player()` may be the same player again. Repetition and the limit of moves
/// without progress end a game as they do in the arena.
///
/// Args:
///     game: the id of the game, such as "push".
///     start: the name of a start position; by default the game's first one.
///     fen: a position to start from, in place of `start`.
///     moves: moves to play from there, in the spelling of the rules page.
///     seed: selects the position of a random start.
///
/// Raises:
///     ValueError: if the game, the start, the FEN or a move is not valid.
#[pyclass(module = "arena._core", name = "State", from_py_object)]
pub struct State {
    game: GameId,
    play: Box<dyn AnyCoded>,
    /// Player and action of each move.
    history: Vec<(usize, usize)>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { game: self.game, play: self.play.copy(), history: self.history.clone() }
    }
}

/// The game with an id.
pub fn game(id: &str) -> PyResult<GameId> {
    Games::built_in().parse(id).map_err(|_| {
        let ids: Vec<&str> = GameId::BUILT_IN.iter().map(GameId::id).collect();
        PyValueError::new_err(format!("unknown game `{id}`; the games are {}", ids.join(", ")))
    })
}

/// The constants of a game that [`game`] has found.
pub fn info(game: GameId) -> &'static GameInfo {
    Games::built_in().info(game).expect("a built-in game")
}

/// The error for a game that has no numbered actions.
fn not_coded(game: GameId) -> PyErr {
    let ids: Vec<&str> = GameId::BUILT_IN.iter().map(GameId::id).collect();
    PyValueError::new_err(format!("{game} is not available in Python; the games are {}", ids.join(", ")))
}

/// A play from a named start.
pub fn start(game: GameId, name: Option<&str>, seed: u64) -> PyResult<Box<dyn AnyCoded>> {
    if !any::has(game) {
        return Err(not_coded(game));
    }
    any::start(game, name, seed).ok_or_else(|| {
        let names: Vec<&str> = info(game).starts.iter().map(|start| start.name).collect();
        let name = name.unwrap_or("default");
        PyValueError::new_err(format!("{game} has no start `{name}`; its starts are {}", names.join(", ")))
    })
}

fn side(player: usize) -> PyResult<Side> {
    let side = Side::ALL.get(player).copied();
    side.ok_or_else(|| PyValueError::new_err(format!("player {player} does not exist; players are 0 and 1")))
}

impl State {
    fn illegal_action(&self, action: usize) -> PyErr {
        let why = if self.play.end().is_some() { "; the game is over" } else { "" };
        PyValueError::new_err(format!("action {action} is not legal in `{}`{why}", self.play.fen()))
    }

    fn play_text(&mut self, text: &str) -> PyResult<()> {
        let player = self.play.side_to_move().index();
        let Some(action) = self.play.play_coded(text) else {
            let why = if self.play.end().is_some() { "; the game is over" } else { "" };
            let fen = self.play.fen();
            return Err(PyValueError::new_err(format!("move `{text}` is not legal in `{fen}`{why}")));
        };
        self.history.push((player, action));
        Ok(())
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game, start=None, *, fen=None, moves=None, seed=1))]
    fn new(
        game: &str,
        start: Option<&str>,
        fen: Option<&str>,
        moves: Option<Vec<String>>,
        seed: u64,
    ) -> PyResult<Self> {
        let game = self::game(game)?;
        let play = match (fen, start) {
            (None, start) => self::start(game, start, seed)?,
            (Some(fen), None) => any::from_fen(game, fen)
                .ok_or_else(|| not_coded(game))?
                .map_err(|error| PyValueError::new_err(format!("`{fen}` is not a FEN of {game}: {error}")))?,
            (Some(_), Some(_)) => return Err(PyValueError::new_err("give `start` or `fen`, not both")),
        };
        let mut state = Self { game, play, history: Vec::new() };
        for mv in moves.unwrap_or_default() {
            state.play_text(&mv)?;
        }
        Ok(state)
    }

    /// The game of a UGI line: `position fen <fen> moves <m> ...` or `position startpos`. The word `position` may be
    /// missing. It is the inverse of `ugi()`.
    #[staticmethod]
    fn from_ugi(game: &str, line: &str) -> PyResult<Self> {
        let mut words = line.split_whitespace().peekable();
        words.next_if_eq(&"position");
        let bad = || {
            PyValueError::new_err(format!("`{line}` is not `startpos` or `fen <fen>`, then `moves <m> ...`"))
        };
        let fen = match words.next() {
            Some("startpos") => None,
            Some("fen") => {
                let mut fields = Vec::new();
                while let Some(word) = words.next_if(|&word| word != "moves") {
                    fields.push(word);
                }
                Some(fields.join(" "))
            }
            _ => return Err(bad()),
        };
        let moves = match words.next() {
            None => Vec::new(),
            Some("moves") => words.map(str::to_owned).collect(),
            Some(_) => return Err(bad()),
        };
        Self::new(game, None, fen.as_deref(), Some(moves), 1)
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &str {
        self.game.id()
    }

    /// The current position as FEN.
    #[getter]
    fn fen(&self) -> String {
        self.play.fen()
    }

    /// The position that the game started from, as FEN.
    #[getter]
    fn start_fen(&self) -> String {
        self.play.start_fen()
    }

    /// The moves played, in the spelling of the rules page.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.play.moves()
    }

    /// Why the game is over: a word of the rules page, `repetition` or `quiet`. None while it goes on.
    #[getter]
    fn end_reason(&self) -> Option<&'static str> {
        self.play.end().map(|end| end.reason)
    }

    /// The player who has won, 0 or 1. None for a draw and while the game goes on.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.play.end().and_then(|end| end.winner).map(Side::index)
    }

    /// The number of moves since the last progress.
    #[getter]
    fn quiet(&self) -> u32 {
        self.play.quiet()
    }

    /// How many times the current position has occurred in this game, at least 1. The third time is a draw.
    #[getter]
    fn occurrences(&self) -> usize {
        self.play.occurrences()
    }

    /// The meaning of each plane of `observation_tensor()`.
    #[getter]
    fn plane_names(&self) -> Vec<&'static str> {
        self.play.planes()
    }

    /// The game as a line of the protocol: `position fen <fen> moves <m> ...`.
    fn ugi(&self) -> String {
        format!("position {}", self.play.line())
    }

    /// The legal moves in the spelling of the rules page, sorted. Empty once the game is over.
    fn legal_moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = self.play.legal().into_iter().map(|(_, text)| text).collect();
        moves.sort_unstable();
        moves
    }

    /// Plays a move in the spelling of the rules page.
    ///
    /// Raises ValueError if it is not legal; the game does not change then.
    fn play(&mut self, r#move: &str) -> PyResult<()> {
        self.play_text(r#move)
    }

    /// 2.
    #[expect(clippy::unused_self, reason = "a method in OpenSpiel")]
    fn num_players(&self) -> usize {
        2
    }

    /// The number of actions of the game on this board, legal or not.
    fn num_distinct_actions(&self) -> usize {
        self.play.n_actions()
    }

    /// (planes, ranks, files) of `observation_tensor()`.
    fn observation_tensor_shape(&self) -> (usize, usize, usize) {
        self.play.shape().into()
    }

    /// The player to move, 0 or 1; -4 (`arena.TERMINAL_PLAYER`) once the game is over.
    fn current_player(&self) -> i32 {
        if self.play.end().is_some() { TERMINAL_PLAYER } else { self.play.side_to_move().index() as i32 }
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.play.end().is_some()
    }

    /// False: the games have no dice.
    #[expect(clippy::unused_self, reason = "a method in OpenSpiel")]
    fn is_chance_node(&self) -> bool {
        false
    }

    /// False: the players move one after the other.
    #[expect(clippy::unused_self, reason = "a method in OpenSpiel")]
    fn is_simultaneous_node(&self) -> bool {
        false
    }

    /// The result for both players: 1.0 for a win, -1.0 for a loss, 0.0 for a draw and while the game goes on.
    fn returns(&self) -> [f64; 2] {
        match self.play.end().and_then(|end| end.winner) {
            Some(Side::White) => [1.0, -1.0],
            Some(Side::Black) => [-1.0, 1.0],
            None => [0.0, 0.0],
        }
    }

    /// The same as `returns()`: only the end of a game is rewarded.
    fn rewards(&self) -> [f64; 2] {
        self.returns()
    }

    /// The entry of `returns()` of one player.
    fn player_return(&self, player: usize) -> PyResult<f64> {
        Ok(self.returns()[side(player)?.index()])
    }

    /// The legal actions, ascending. Empty once the game is over, and for a player who is not to move.
    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<usize>) -> PyResult<Vec<usize>> {
        if let Some(player) = player
            && side(player)? != self.play.side_to_move()
        {
            return Ok(Vec::new());
        }
        Ok(self.play.legal_actions())
    }

    /// An array of bool of shape (num_distinct_actions,): True for legal actions.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.play.n_actions()];
        for action in self.legal_actions(player)? {
            mask[action] = true;
        }
        Ok(mask.to_pyarray(py))
    }

    /// Plays a legal action.
    ///
    /// Raises ValueError if it is not legal; the game does not change then.
    fn apply_action(&mut self, action: usize) -> PyResult<()> {
        let player = self.play.side_to_move().index();
        if !self.play.apply(action) {
            return Err(self.illegal_action(action));
        }
        self.history.push((player, action));
        Ok(())
    }

    /// Plays actions one after the other. It stops with a ValueError at the first one that is not legal.
    fn apply_actions(&mut self, actions: Vec<usize>) -> PyResult<()> {
        actions.into_iter().try_for_each(|action| self.apply_action(action))
    }

    /// A copy of the game after an action.
    fn child(&self, action: usize) -> PyResult<Self> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// Takes the last action back. The arguments are those of OpenSpiel and may be missing; they are checked.
    ///
    /// Raises IndexError at the start of the game.
    #[pyo3(signature = (player=None, action=None))]
    fn undo_action(&mut self, player: Option<usize>, action: Option<usize>) -> PyResult<()> {
        let Some(&(last_player, last_action)) = self.history.last() else {
            return Err(PyIndexError::new_err("no move to take back: the game is at its start"));
        };
        if player.is_some_and(|player| player != last_player)
            || action.is_some_and(|action| action != last_action)
        {
            return Err(PyValueError::new_err(format!(
                "the last move is action {last_action} of player {last_player}"
            )));
        }
        self.history.pop();
        self.play.undo();
        Ok(())
    }

    /// The move of a legal action: `action_to_string(action)`, or `action_to_string(player, action)` as in OpenSpiel.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(&self, player_or_action: usize, action: Option<usize>) -> PyResult<String> {
        let wanted = action.unwrap_or(player_or_action);
        let found = self.play.legal().into_iter().find(|&(action, _)| action == wanted);
        found.map(|(_, text)| text).ok_or_else(|| self.illegal_action(wanted))
    }

    /// The action of a legal move: `string_to_action(move)`, or `string_to_action(player, move)` as in OpenSpiel.
    #[pyo3(signature = (player_or_move, r#move=None))]
    fn string_to_action(&self, player_or_move: Bound<'_, PyAny>, r#move: Option<String>) -> PyResult<usize> {
        let wanted = match r#move {
            Some(text) => text,
            None => player_or_move.extract()?,
        };
        let mut after = self.play.copy();
        after.play_coded(&wanted).ok_or_else(|| {
            PyValueError::new_err(format!("move `{wanted}` is not legal in `{}`", self.play.fen()))
        })
    }

    /// The position as an array of float32 of shape (planes, ranks, files), as `player` sees it; by default the player to
    /// move. Index 0 of the ranks is the rank nearest to this player: for player 1, the board is turned by 180 degrees.
    /// `plane_names` explains the planes. All values are from 0 to 1, except that `quiet` can be larger in a position that was
    /// set up.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let viewer = match player {
            Some(player) => side(player)?,
            None => self.play.side_to_move(),
        };
        let shape = self.play.shape();
        let mut data = vec![0.0; shape.iter().product()];
        self.play.observe(viewer, &mut data);
        data.to_pyarray(py).reshape(shape)
    }

    /// The actions played.
    fn history(&self) -> Vec<usize> {
        self.history.iter().map(|&(_, action)| action).collect()
    }

    /// The player and the action of each move played.
    fn full_history(&self) -> Vec<(usize, usize)> {
        self.history.clone()
    }

    /// The moves played, joined by spaces.
    fn history_str(&self) -> String {
        self.play.moves().join(" ")
    }

    /// The number of moves played in this game.
    fn move_number(&self) -> usize {
        self.history.len()
    }

    /// The number of sequences of `depth` legal moves from here; repetition and quiet play no part.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.play.perft(depth))
    }

    /// A copy that can be played on independently.
    #[pyo3(name = "clone")]
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__(slf: Bound<'_, Self>) -> PyResult<(Bound<'_, PyAny>, Bound<'_, PyTuple>)> {
        let state = slf.borrow();
        let make = slf.get_type().getattr("from_ugi")?;
        let arguments = (state.game.id(), state.play.line()).into_pyobject(slf.py())?;
        Ok((make, arguments))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game
            && self.play.start_fen() == other.play.start_fen()
            && self.history == other.history
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.game.id(), self.play.start_fen(), &self.history).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        terminal::draw(&self.play.layout(), &self.play.scene(), self.play.effects().as_ref(), Style::PLAIN)
    }

    fn __repr__(&self) -> String {
        format!("State({:?}, fen={:?})", self.game.id(), self.play.fen())
    }

    /// The position as an SVG picture, White at the bottom, with the last move marked. Notebooks show it by themselves.
    fn svg(&self) -> String {
        svg::draw(&self.play.layout(), &self.play.scene(), self.play.effects().as_ref())
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }
}
