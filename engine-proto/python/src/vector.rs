//! The Python class `Vector`: many games of one kind that are stepped together into the caller's NumPy arrays.

use games::bits::mix64;
use games::{GameId, Play, Side};
use numpy::{PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray4};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::any::{self, CodedWork};
use crate::coded::{self, Coded};
use crate::state;

/// The outputs of a step, one after the other for all games. An empty slice is not written.
struct Outputs<'a> {
    observations: &'a mut [f32],
    masks: &'a mut [bool],
    rewards: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    players: &'a mut [i8],
}

/// What the games of a vector have in common.
#[derive(Clone)]
struct Settings {
    start: String,
    /// Moves after which a game is cut off; 0 for never.
    max_moves: u32,
    n_actions: usize,
    observation_len: usize,
}

/// One game of a vector.
struct Slot<P: Coded> {
    play: Play<P>,
    legal: Vec<(u32, P::Move)>,
    /// The legal move that was chosen for the next step, as an index.
    chosen: usize,
    moves: Vec<P::Move>,
    random: u64,
}

/// Many games of any one kind.
trait AnyVector: Send + Sync {
    fn reset(&mut self, seed: u64, settings: &Settings, pool: &ThreadPool, outputs: &mut Outputs<'_>);
    /// Stops at the first game whose action is not legal, before any game has changed.
    fn step(
        &mut self,
        actions: &[i32],
        settings: &Settings,
        pool: &ThreadPool,
        outputs: &mut Outputs<'_>,
    ) -> Result<(), usize>;
    fn sample(&mut self, pool: &ThreadPool, actions: &mut [i32]);
    fn line(&self, idx: usize) -> String;
    fn legal_actions(&self, idx: usize) -> Vec<u32>;
}

impl<P: Coded> Slot<P> {
    fn new(seed: u64, idx: usize, settings: &Settings) -> Self {
        let random = mix64(seed ^ mix64(idx as u64));
        let mut slot =
            Self { play: Play::new(P::startpos()), legal: Vec::new(), chosen: 0, moves: Vec::new(), random };
        slot.restart(settings);
        slot
    }

    /// The next random number of this game.
    fn roll(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(self.random)
    }

    fn restart(&mut self, settings: &Settings) {
        let seed = self.roll();
        let start = P::start(&settings.start, seed).expect("the vector has checked the name of the start");
        self.play.restart(start);
        self.list_moves();
    }

    fn list_moves(&mut self) {
        self.moves.clear();
        self.play.legal_moves(&mut self.moves);
        let position = self.play.position();
        self.legal.clear();
        self.legal.extend(self.moves.iter().map(|&mv| (position.action(mv) as u32, mv)));
    }

    /// Looks for the move of an action; false if it is not legal.
    fn choose(&mut self, action: i32) -> bool {
        let found = self.legal.iter().position(|&(other, _)| i64::from(other) == i64::from(action));
        self.chosen = found.unwrap_or(usize::MAX);
        found.is_some()
    }

    fn random_action(&mut self) -> i32 {
        let n = self.legal.len() as u64;
        let nth = (u128::from(self.roll()) * u128::from(n)) >> 64;
        self.legal[nth as usize].0 as i32
    }

    /// Plays the chosen move, and starts a new game after the end of this one.
    fn advance(&mut self, settings: &Settings, row: &mut Row<'_>) {
        let (_, mv) = self.legal[self.chosen];
        self.play.play_unchecked(mv);
        let end = self.play.end();
        let reward = match end.and_then(|end| end.winner) {
            None => [0.0, 0.0],
            Some(Side::White) => [1.0, -1.0],
            Some(Side::Black) => [-1.0, 1.0],
        };
        let n_moves = self.play.moves().len() as u64;
        let is_cut = end.is_none() && 0 < settings.max_moves && u64::from(settings.max_moves) <= n_moves;
        row.rewards.copy_from_slice(&reward);
        *row.terminated = end.is_some();
        *row.truncated = is_cut;
        if end.is_some() || is_cut {
            self.restart(settings);
        } else {
            self.list_moves();
        }
        self.show(row);
    }

    /// Writes what the side to move sees.
    fn show(&self, row: &mut Row<'_>) {
        let viewer = self.play.position().side_to_move();
        *row.player = viewer.index() as i8;
        if !row.mask.is_empty() {
            row.mask.fill(false);
            for &(action, _) in &self.legal {
                row.mask[action as usize] = true;
            }
        }
        if !row.observation.is_empty() {
            coded::observe(&self.play, viewer, row.observation);
        }
    }
}

/// The outputs of one game.
struct Row<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [bool],
    rewards: &'a mut [f32],
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    player: &'a mut i8,
}

/// Games that one thread steps in one go.
struct Block<'a, P: Coded> {
    slots: &'a mut [Slot<P>],
    outputs: Outputs<'a>,
}

impl<P: Coded> Block<'_, P> {
    fn for_each(self, settings: &Settings, mut work: impl FnMut(&mut Slot<P>, &mut Row<'_>)) {
        let Outputs { mut observations, mut masks, rewards, terminated, truncated, players } = self.outputs;
        let parts = self.slots.iter_mut().zip(rewards.chunks_exact_mut(2));
        let flags = terminated.iter_mut().zip(truncated).zip(players);
        for ((slot, rewards), ((terminated, truncated), player)) in parts.zip(flags) {
            let observation = take(&mut observations, settings.observation_len);
            let mask = take(&mut masks, settings.n_actions);
            work(slot, &mut Row { observation, mask, rewards, terminated, truncated, player });
        }
    }
}

/// Splits the first `len` items off, or nothing from an empty slice.
#[expect(clippy::mut_mut, reason = "the slice that becomes shorter")]
fn take<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    rest.split_off_mut(..len).unwrap_or_default()
}

/// Cuts the games and their outputs into blocks, about four for each thread.
fn blocks<'a, P: Coded>(
    mut slots: &'a mut [Slot<P>],
    settings: &Settings,
    n_threads: usize,
    outputs: &'a mut Outputs<'_>,
) -> Vec<Block<'a, P>> {
    let size = slots.len().div_ceil(if n_threads == 1 { 1 } else { 4 * n_threads });
    let Outputs { observations, masks, rewards, terminated, truncated, players } = outputs;
    let (mut observations, mut masks) = (&mut observations[..], &mut masks[..]);
    let (mut rewards, mut terminated) = (&mut rewards[..], &mut terminated[..]);
    let (mut truncated, mut players) = (&mut truncated[..], &mut players[..]);
    let mut blocks = Vec::new();
    while !slots.is_empty() {
        let slots = take(&mut slots, size);
        let n = slots.len();
        let outputs = Outputs {
            observations: take(&mut observations, n * settings.observation_len),
            masks: take(&mut masks, n * settings.n_actions),
            rewards: take(&mut rewards, n * 2),
            terminated: take(&mut terminated, n),
            truncated: take(&mut truncated, n),
            players: take(&mut players, n),
        };
        blocks.push(Block { slots, outputs });
    }
    blocks
}

/// Does the work for every block: on this thread if there is one, else on those of the pool.
fn run<P: Coded>(pool: &ThreadPool, blocks: Vec<Block<'_, P>>, work: impl Fn(Block<'_, P>) + Send + Sync) {
    if pool.current_num_threads() == 1 {
        blocks.into_iter().for_each(work);
    } else {
        pool.install(|| blocks.into_par_iter().for_each(work));
    }
}

struct Games<P: Coded>(Vec<Slot<P>>);

impl<P: Coded> AnyVector for Games<P> {
    fn reset(&mut self, seed: u64, settings: &Settings, pool: &ThreadPool, outputs: &mut Outputs<'_>) {
        for (slot, idx) in self.0.iter_mut().zip(0..) {
            *slot = Slot::new(seed, idx, settings);
        }
        let blocks = blocks(&mut self.0, settings, pool.current_num_threads(), outputs);
        run(pool, blocks, |block| {
            block.for_each(settings, |slot, row| {
                row.rewards.fill(0.0);
                *row.terminated = false;
                *row.truncated = false;
                slot.show(row);
            });
        });
    }

    fn step(
        &mut self,
        actions: &[i32],
        settings: &Settings,
        pool: &ThreadPool,
        outputs: &mut Outputs<'_>,
    ) -> Result<(), usize> {
        let illegal = self.0.iter_mut().zip(actions).position(|(slot, &action)| !slot.choose(action));
        if let Some(idx) = illegal {
            return Err(idx);
        }
        let blocks = blocks(&mut self.0, settings, pool.current_num_threads(), outputs);
        run(pool, blocks, |block| block.for_each(settings, |slot, row| slot.advance(settings, row)));
        Ok(())
    }

    fn sample(&mut self, pool: &ThreadPool, actions: &mut [i32]) {
        if pool.current_num_threads() == 1 {
            for (slot, action) in self.0.iter_mut().zip(actions) {
                *action = slot.random_action();
            }
        } else {
            pool.install(|| {
                self.0
                    .par_iter_mut()
                    .with_min_len(1024)
                    .zip(actions)
                    .for_each(|(slot, action)| *action = slot.random_action());
            });
        }
    }

    fn line(&self, idx: usize) -> String {
        self.0[idx].play.to_string()
    }

    fn legal_actions(&self, idx: usize) -> Vec<u32> {
        let mut actions: Vec<u32> = self.0[idx].legal.iter().map(|&(action, _)| action).collect();
        actions.sort_unstable();
        actions
    }
}

/// Many games of one kind. `arena.VectorEnv` is built on it.
#[pyclass(module = "arena._core")]
pub struct Vector {
    game: GameId,
    games: Box<dyn AnyVector>,
    settings: Settings,
    pool: ThreadPool,
    n: usize,
    shape: [usize; 3],
}

/// The arrays of the caller; `None` is not written.
type Arrays<'py> = (
    Option<PyReadwriteArray4<'py, f32>>,
    Option<PyReadwriteArray2<'py, bool>>,
    PyReadwriteArray2<'py, f32>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, i8>,
);

impl Vector {
    fn check(&self, name: &str, len: usize, wanted: usize) -> PyResult<()> {
        if len == wanted {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "array `{name}` has {len} items, but {} games of {} need {wanted}",
            self.n, self.game
        )))
    }
}

/// The items of an array of the caller, after a check of their number.
macro_rules! slice {
    ($vector:expr, $array:expr, $name:literal, $len:expr) => {{
        let slice = $array
            .as_slice_mut()
            .map_err(|_| PyValueError::new_err(concat!("array `", $name, "` is not contiguous")))?;
        $vector.check($name, slice.len(), $len)?;
        slice
    }};
}

#[pymethods]
impl Vector {
    #[new]
    fn new(game: &str, n: usize, start: Option<&str>, max_moves: u32, threads: usize) -> PyResult<Self> {
        let game = state::game(game)?;
        let first = state::start(game, start, 1)?;
        let shape = first.shape();
        let settings = Settings {
            start: start.unwrap_or(state::info(game).starts[0].name).to_owned(),
            max_moves,
            n_actions: first.n_actions(),
            observation_len: shape.iter().product(),
        };
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))?;
        let games = any::with(game, NewGames { n, settings: &settings })
            .ok_or_else(|| PyValueError::new_err(format!("{game} has no numbered actions")))?;
        Ok(Self { game, games, settings, pool, n, shape })
    }

    #[getter]
    fn game(&self) -> &str {
        self.game.id()
    }

    #[getter]
    fn n_actions(&self) -> usize {
        self.settings.n_actions
    }

    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        self.shape.into()
    }

    fn reset(&mut self, py: Python<'_>, seed: u64, arrays: Arrays<'_>) -> PyResult<()> {
        self.with_outputs(py, arrays, |vector, outputs| {
            vector.games.reset(seed, &vector.settings, &vector.pool, outputs);
            Ok(())
        })
    }

    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let actions =
            actions.as_slice().map_err(|_| PyValueError::new_err("array `actions` is not contiguous"))?;
        self.check("actions", actions.len(), self.n)?;
        self.with_outputs(py, arrays, |vector, outputs| {
            vector.games.step(actions, &vector.settings, &vector.pool, outputs).map_err(|idx| {
                PyValueError::new_err(format!(
                    "action {} of game {idx} is not legal in `{}`; no game has changed",
                    actions[idx],
                    vector.games.line(idx)
                ))
            })
        })
    }

    fn sample(&mut self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let actions = slice!(self, actions, "actions", self.n);
        py.detach(|| self.games.sample(&self.pool, actions));
        Ok(())
    }

    fn ugi(&self, idx: usize) -> PyResult<String> {
        self.check_index(idx)?;
        Ok(format!("position {}", self.games.line(idx)))
    }

    fn legal_actions(&self, idx: usize) -> PyResult<Vec<u32>> {
        self.check_index(idx)?;
        Ok(self.games.legal_actions(idx))
    }
}

impl Vector {
    fn check_index(&self, idx: usize) -> PyResult<()> {
        if idx < self.n {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("game {idx} does not exist; there are {} games", self.n)))
    }

    /// Calls `work` with the slices of the caller's arrays, without the interpreter's lock.
    fn with_outputs(
        &mut self,
        py: Python<'_>,
        arrays: Arrays<'_>,
        work: impl FnOnce(&mut Self, &mut Outputs<'_>) -> PyResult<()> + Send,
    ) -> PyResult<()> {
        let (mut observations, mut masks, mut rewards, mut terminated, mut truncated, mut players) = arrays;
        let n = self.n;
        let mut outputs = Outputs {
            observations: match &mut observations {
                Some(array) => slice!(self, array, "observations", n * self.settings.observation_len),
                None => &mut [],
            },
            masks: match &mut masks {
                Some(array) => slice!(self, array, "legal_mask", n * self.settings.n_actions),
                None => &mut [],
            },
            rewards: slice!(self, rewards, "rewards", 2 * n),
            terminated: slice!(self, terminated, "terminated", n),
            truncated: slice!(self, truncated, "truncated", n),
            players: slice!(self, players, "current_player", n),
        };
        py.detach(|| work(self, &mut outputs))
    }
}

struct NewGames<'a> {
    n: usize,
    settings: &'a Settings,
}

impl CodedWork for NewGames<'_> {
    type Output = Box<dyn AnyVector>;

    fn run<P: Coded>(self) -> Self::Output {
        Box::new(Games((0..self.n).map(|idx| Slot::<P>::new(1, idx, self.settings)).collect()))
    }
}
