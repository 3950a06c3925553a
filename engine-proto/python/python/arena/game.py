"""The games: their constants, and `Game`, which makes new games as `pyspiel.Game` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from arena._core import State, game_ids, game_info


@dataclass(frozen=True)
class Start:
    """A named start position."""

    name: str
    fen: str
    """The position; of a random start, the one of seed 1."""
    random: bool
    """Whether each seed gives another position."""


@dataclass(frozen=True)
class GameInfo:
    """The constants of a game."""

    id: str
    name: str
    rules: str
    """The rules page, in Markdown."""
    starts: tuple[Start, ...]
    """The first one is the default."""
    reasons: tuple[str, ...]
    """Why the rules can end a game; `repetition` and `quiet` can end every game."""
    quiet_limit: int
    """The number of moves without progress at which a game is drawn."""
    typical_plies: int
    """The typical number of moves of a match between engines."""


def games() -> list[str]:
    """The ids of all games."""
    return game_ids()


def info(game: str) -> GameInfo:
    """The constants of a game.

    Raises:
        ValueError: if there is no game with this id.
    """
    constants = game_info(game)
    constants["starts"] = tuple(Start(*start) for start in constants["starts"])
    constants["reasons"] = tuple(constants["reasons"])
    return GameInfo(**constants)


class Game:
    """A game on one kind of board: the action space and the observations are the same for all its states.

    The methods have the names of `pyspiel.Game`.

    Args:
        game: the id of the game, such as "tower-push".
        start: the name of the start position, such as "5x5"; by default the game's first one.
    """

    def __init__(self, game: str, start: Optional[str] = None) -> None:
        self._example = State(game, start)
        self.id = game
        self.start = start if start is not None else info(game).starts[0].name

    def __repr__(self) -> str:
        return f"Game({self.id!r}, start={self.start!r})"

    @property
    def info(self) -> GameInfo:
        """The constants of the game."""
        return info(self.id)

    @property
    def plane_names(self) -> list[str]:
        """The meaning of each plane of an observation."""
        return self._example.plane_names

    def new_initial_state(self, seed: int = 1) -> State:
        """A new game. `seed` selects the position of a random start."""
        return State(self.id, self.start, seed=seed)

    def num_distinct_actions(self) -> int:
        """The number of actions; they are numbered from 0."""
        return self._example.num_distinct_actions()

    def observation_tensor_shape(self) -> tuple[int, int, int]:
        """(planes, ranks, files)."""
        return self._example.observation_tensor_shape()

    def num_players(self) -> int:
        """2."""
        return 2

    def min_utility(self) -> float:
        """The return of a loss."""
        return -1.0

    def max_utility(self) -> float:
        """The return of a win."""
        return 1.0

    def utility_sum(self) -> float:
        """The sum of the returns: the games are zero-sum."""
        return 0.0
