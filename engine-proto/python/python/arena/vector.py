"""Many games of one kind that are stepped together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena._core import Vector

MOST_GAMES = 1_000_000
"""The largest number of games of a `VectorEnv`."""


@dataclass
class Buffers:
    """The arrays that `VectorEnv` writes to. All are contiguous (C order); n is the number of games.

    `observations` and `legal_mask` may be None: then they are not written, which is faster.
    """

    observations: Optional[NDArray[np.float32]]
    """(n, planes, ranks, files): what the player to move sees."""
    legal_mask: Optional[NDArray[np.bool_]]
    """(n, actions): True for the legal actions of the player to move. At least one is legal."""
    rewards: NDArray[np.float32]
    """(n, 2): the rewards of player 0 and player 1 for the last step: 1, -1 or 0."""
    terminated: NDArray[np.bool_]
    """(n,): whether the last step ended the game by the rules. A new game has already begun."""
    truncated: NDArray[np.bool_]
    """(n,): whether the game was cut off after `max_moves` moves. A new game has already begun."""
    current_player: NDArray[np.int8]
    """(n,): the player to move, 0 or 1. It need not alternate."""


class VectorEnv:
    """Steps n games of one kind in Rust, so that other Python threads run meanwhile, and on several threads of its own.

    A game that ends is replaced at once by a new one: then `observations`, `legal_mask` and `current_player` are those
    of the new game, `rewards`, `terminated` and `truncated` those of the old one.

    >>> env = VectorEnv("push-push", 64, seed=7)
    >>> env.reset()
    >>> env.step(env.sample())
    >>> env.rewards.shape
    (64, 2)

    Args:
        game: the id of the game.
        n: the number of games.
        start: the name of the start position; by default the game's first one. With a random start, every new game
            begins from another position.
        seed: the same seed and the same actions give the same games, for any number of threads.
        threads: the number of threads. More than one is worth it from about 256 games.
        max_moves: games are cut off after this number of moves; by default never.
        observations: whether to write observations.
        legal_mask: whether to write masks. For Four Towers, a mask has 92225 entries: consider `legal_actions()`.
        buffers: arrays to write to, in place of new ones. The two arguments above are ignored then.
    """

    def __init__(
        self,
        game: str,
        n: int,
        *,
        start: Optional[str] = None,
        seed: int = 1,
        threads: int = 1,
        max_moves: Optional[int] = None,
        observations: bool = True,
        legal_mask: bool = True,
        buffers: Optional[Buffers] = None,
    ) -> None:
        for name, value in (("n", n), ("threads", threads), ("max_moves", 1 if max_moves is None else max_moves)):
            if value < 1:
                raise ValueError(f"`{name}` is {value}; it must be at least 1")
        if MOST_GAMES < n:
            raise ValueError(f"`n` is {n}; it must be at most {MOST_GAMES}")
        self._vector = Vector(game, n, start, max_moves or 0, threads)
        self._seed = seed
        self.game = game
        self.n = n
        self.num_actions = self._vector.n_actions
        """The number of actions."""
        self.observation_shape = self._vector.shape
        """(planes, ranks, files)."""
        if buffers is not None:
            self._check(buffers)
        self.buffers = buffers if buffers is not None else Buffers(
            observations=np.zeros((n, *self.observation_shape), np.float32) if observations else None,
            legal_mask=np.zeros((n, self.num_actions), np.bool_) if legal_mask else None,
            rewards=np.zeros((n, 2), np.float32),
            terminated=np.zeros(n, np.bool_),
            truncated=np.zeros(n, np.bool_),
            current_player=np.zeros(n, np.int8),
        )
        """The arrays that are written."""
        self._actions = np.zeros(n, np.int32)
        self.reset()

    def reset(self, seed: Optional[int] = None) -> None:
        """Starts all games again: with this seed, or with the last one."""
        if seed is not None:
            self._seed = seed
        self._vector.reset(self._seed, self._arrays())

    def step(self, actions: ArrayLike) -> None:
        """Plays one action in every game, and writes to the buffers.

        Args:
            actions: integers of shape (n,), each legal in its game.

        Raises:
            ValueError: if an action is not legal; it names the game. No game has changed then.
        """
        given = np.asarray(actions)
        if given.dtype != np.int32:
            if given.dtype.kind not in "iu":
                raise ValueError(f"actions must be integers, not {given.dtype}")
            limits = np.iinfo(np.int32)
            if given.size and not (limits.min <= given.min() and given.max() <= limits.max):
                raise ValueError(f"an action is out of range: the actions are 0 to {self.num_actions - 1}")
            given = given.astype(np.int32)
        if given.shape != (self.n,):
            raise ValueError(f"actions have the shape {given.shape}, but {self.n} games need ({self.n},)")
        self._vector.step(np.ascontiguousarray(given), self._arrays())

    def sample(self) -> NDArray[np.int32]:
        """One uniformly random legal action for each game, shape (n,). The next call writes to the same array."""
        self._vector.sample(self._actions)
        return self._actions

    def legal_actions(self, idx: int) -> list[int]:
        """The legal actions of one game, ascending."""
        return self._vector.legal_actions(idx)

    def ugi(self, idx: int) -> str:
        """One game as a line of the protocol; `State.from_ugi(game, line)` reads it."""
        return self._vector.ugi(idx)

    @property
    def observations(self) -> NDArray[np.float32]:
        """See `Buffers.observations`."""
        if self.buffers.observations is None:
            raise AttributeError("this VectorEnv writes no observations; create it with observations=True")
        return self.buffers.observations

    @property
    def legal_mask(self) -> NDArray[np.bool_]:
        """See `Buffers.legal_mask`."""
        if self.buffers.legal_mask is None:
            raise AttributeError("this VectorEnv writes no masks; create it with legal_mask=True")
        return self.buffers.legal_mask

    @property
    def rewards(self) -> NDArray[np.float32]:
        """See `Buffers.rewards`."""
        return self.buffers.rewards

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """See `Buffers.terminated`."""
        return self.buffers.terminated

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """See `Buffers.truncated`."""
        return self.buffers.truncated

    @property
    def current_player(self) -> NDArray[np.int8]:
        """See `Buffers.current_player`."""
        return self.buffers.current_player

    def _check(self, buffers: Buffers) -> None:
        """Refuses arrays of another shape, type or layout."""
        wanted: dict[str, tuple[tuple[int, ...], type[np.generic]]] = {
            "observations": ((self.n, *self.observation_shape), np.float32),
            "legal_mask": ((self.n, self.num_actions), np.bool_),
            "rewards": ((self.n, 2), np.float32),
            "terminated": ((self.n,), np.bool_),
            "truncated": ((self.n,), np.bool_),
            "current_player": ((self.n,), np.int8),
        }
        if not isinstance(buffers, Buffers):
            raise TypeError(f"`buffers` is {type(buffers).__name__}, not Buffers")
        for name, (shape, dtype) in wanted.items():
            array = getattr(buffers, name)
            if array is None and name in ("observations", "legal_mask"):
                continue
            if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
                found = f"{array.dtype}, {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
                raise ValueError(f"`buffers.{name}` is {found}; it must be an array {np.dtype(dtype)}, {shape}")
            if not array.flags.c_contiguous or not array.flags.writeable:
                raise ValueError(f"`buffers.{name}` must be writable and contiguous (C order)")

    def _arrays(
        self,
    ) -> tuple[
        Optional[NDArray[np.float32]],
        Optional[NDArray[np.bool_]],
        NDArray[np.float32],
        NDArray[np.bool_],
        NDArray[np.bool_],
        NDArray[np.int8],
    ]:
        b = self.buffers
        return (b.observations, b.legal_mask, b.rewards, b.terminated, b.truncated, b.current_player)
