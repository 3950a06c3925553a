"""The games in OpenSpiel. It needs `pip install arena-games[openspiel]`.

>>> import pyspiel
>>> import arena.openspiel
>>> arena.openspiel.register()[0]
'arena_tower_push'
>>> game = pyspiel.load_game("arena_push_push")
>>> game.num_distinct_actions()
589
>>> pyspiel.load_game("arena_tower_push(start=5x5,max_moves=100)").new_initial_state().legal_actions()[:3]
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional

import numpy as np
import pyspiel

from arena._core import State
from arena.game import Game, games, info

MAX_MOVES = 2000
"""The default limit of moves: OpenSpiel needs one. The game is a draw then."""


def register() -> list[str]:
    """Registers all games: `arena_tower_push` and so on. Returns the names; a second call changes nothing.

    Parameters of a game: `start` (name of the start position), `seed` (of a random start), `fen` (a position in place of
    the start, with `_` for spaces and `!` for `/`), `max_moves` (the game is a draw then).
    """
    names = []
    for game in games():
        game_type = _game_type(game)
        if game_type.short_name not in pyspiel.registered_names():
            pyspiel.register_game(game_type, _factory(game))
        names.append(game_type.short_name)
    return names


def _game_type(game: str) -> Any:
    return pyspiel.GameType(
        short_name=f"arena_{game.replace('-', '_')}",
        long_name=info(game).name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"start": "", "seed": 1, "fen": "", "max_moves": MAX_MOVES},
    )


def _factory(game: str) -> type:
    class ArenaGame(OpenSpielGame):
        def __init__(self, params: Optional[dict[str, Any]] = None) -> None:
            super().__init__(game, params or {})

    ArenaGame.__name__ = ArenaGame.__qualname__ = "".join(word.title() for word in game.split("-")) + "Game"
    return ArenaGame


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as a `pyspiel.Game`."""

    def __init__(self, game: str, params: dict[str, Any]) -> None:
        start = str(params.get("start", "")) or None
        fen = str(params.get("fen", "")).replace("_", " ").replace("!", "/")
        self.seed = int(params.get("seed", 1))
        self.max_moves = int(params.get("max_moves", MAX_MOVES))
        self.first = State(game, fen=fen) if fen else Game(game, start).new_initial_state(self.seed)
        """The state that games start from."""
        game_info = pyspiel.GameInfo(
            num_distinct_actions=self.first.num_distinct_actions(),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_moves,
        )
        super().__init__(_game_type(game), game_info, params)

    def new_initial_state(self, state: Optional[str] = None) -> OpenSpielState:
        """A new game."""
        return OpenSpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Optional[dict[str, Any]] = None
    ) -> OpenSpielObserver:
        """The observer that makes tensors and strings."""
        return OpenSpielObserver(self, iig_obs_type, params)

    def observation_tensor_shape(self) -> list[int]:
        """[planes, ranks, files]."""
        return list(self.first.observation_tensor_shape())


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state as a `pyspiel.State`."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.state = game.first.clone()
        """The state of the package arena."""
        self.max_moves = game.max_moves

    def is_terminal(self) -> bool:
        """Whether the game is over, or has reached the limit of moves."""
        return self.state.is_terminal() or self.max_moves <= self.state.move_number()

    def current_player(self) -> int:
        """The player to move."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.state.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.state.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self.state.apply_action(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back."""
        self.state.undo_action(player, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.state.action_to_string(action)

    def returns(self) -> list[float]:
        """The result of both players."""
        return self.state.returns()

    def observation_tensor(self, player: Optional[int] = None) -> list[float]:
        """The planes as a flat list."""
        flat: list[float] = self.state.observation_tensor(player).ravel().tolist()
        return flat

    def observation_string(self, player: Optional[int] = None) -> str:
        """The FEN."""
        return self.state.fen

    def information_state_string(self, player: Optional[int] = None) -> str:
        """The game as a line of the protocol."""
        return self.state.ugi()

    def __str__(self) -> str:
        return self.state.fen


class OpenSpielObserver:
    """The observer of OpenSpiel's Python games."""

    def __init__(self, game: OpenSpielGame, iig_obs_type: Any, params: Optional[dict[str, Any]]) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        shape = game.first.observation_tensor_shape()
        self.has_history = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Writes the observation of a player."""
        self.dict["observation"][:] = state.state.observation_tensor(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The FEN; with perfect recall, the game as a line of the protocol."""
        return state.state.ugi() if self.has_history else state.state.fen


def names() -> Iterable[str]:
    """The names of the games in OpenSpiel."""
    return (f"arena_{game.replace('-', '_')}" for game in games())
