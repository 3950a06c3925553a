"""A game against an opponent as a Gymnasium environment. It needs `pip install arena-games[gymnasium]`."""

from __future__ import annotations

from typing import Any, Optional, Union

import gymnasium
import numpy as np
from gymnasium import spaces

from arena._core import State
from arena.game import Game
from arena.policy import Policy, Player, player_of


class SingleAgentEnv(gymnasium.Env[dict[str, Any], Union[int, np.integer[Any]]]):
    """One player's view of a game: the opponent answers within `step`.

    An observation is a dictionary: `observation`, float32 of shape (planes, ranks, files), and `action_mask`, int8 of
    shape (actions,). After every step, the agent is to move, or the game is over. The reward is 1, -1 or 0, at the end of
    the game. An illegal action is a ValueError: use the mask.

    Args:
        game: the id of the game.
        opponent: a policy (a function from a state to an action, an `arena.Engine`) or a running `UgiEngine`. By default,
            it plays random moves, selected by the seed of `reset`.
        start: the name of the start position.
        side: the agent's player, 0 (moves first) or 1; by default, each game selects one at random.
        max_moves: the game is truncated after this number of moves of both sides.
        render_mode: "ansi" for text, or None.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        opponent: Optional[Policy] = None,
        *,
        start: Optional[str] = None,
        side: Optional[int] = None,
        max_moves: Optional[int] = None,
        render_mode: Optional[str] = None,
    ) -> None:
        if side not in (None, 0, 1):
            raise ValueError(f"side {side} does not exist; it is 0, 1 or None")
        self.game = Game(game, start)
        self.opponent: Optional[Player] = None if opponent is None else player_of(opponent)
        self.side = side
        self.player = side or 0
        """The agent's player in the current game."""
        self.max_moves = max_moves
        self.render_mode = render_mode
        shape, n_actions = self.game.observation_tensor_shape(), self.game.num_distinct_actions()
        planes: spaces.Space[Any] = spaces.Box(0, 1, shape, np.float32)
        mask: spaces.Space[Any] = spaces.Box(0, 1, (n_actions,), np.int8)
        self.observation_space = spaces.Dict({"observation": planes, "action_mask": mask})
        self.action_space = spaces.Discrete(n_actions)
        self.state: State = self.game.new_initial_state()
        """The game in progress."""

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a new game. If the opponent moves first, it has done so."""
        super().reset(seed=seed)
        self.state = self.game.new_initial_state(int(self.np_random.integers(2**32)))
        self.player = int(self.np_random.integers(2)) if self.side is None else self.side
        self._let_opponent_move()
        return self._observation(), {"player": self.player}

    def step(
        self, action: Union[int, np.integer[Any]]
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays an action, and the opponent's answers, until the agent is to move again.

        Raises:
            ValueError: if the action is not legal.
        """
        self.state.apply_action(int(action))
        self._let_opponent_move()
        is_over = self.state.is_terminal()
        is_cut = not is_over and self._is_cut()
        info = {"reason": self.state.end_reason} if is_over else {}
        return self._observation(), self.state.returns()[self.player], is_over, is_cut, info

    def render(self) -> Optional[str]:
        """The board as text."""
        return str(self.state) if self.render_mode == "ansi" else None

    def _is_cut(self) -> bool:
        return self.max_moves is not None and self.max_moves <= self.state.move_number()

    def _let_opponent_move(self) -> None:
        while not self._is_cut() and self.state.current_player() == 1 - self.player:
            if self.opponent is None:
                actions = self.state.legal_actions()
                self.state.apply_action(actions[int(self.np_random.integers(len(actions)))])
            else:
                self.state.apply_action(self.opponent.choose([self.state])[0])

    def _observation(self) -> dict[str, Any]:
        return {
            "observation": self.state.observation_tensor(self.player),
            "action_mask": self.state.legal_actions_mask(self.player).astype(np.int8),
        }
