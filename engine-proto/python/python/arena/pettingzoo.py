"""The games as PettingZoo environments (AEC). It needs `pip install arena-games[pettingzoo]`.

>>> from arena.pettingzoo import env
>>> game = env("push-push")
>>> game.reset(seed=1)
>>> game.agent_selection
'player_0'
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena._core import State
from arena.game import Game


def env(game: str, start: Optional[str] = None, render_mode: Optional[str] = None) -> AECEnv:
    """A game with PettingZoo's usual wrappers: illegal actions lose, and calls in the wrong order are errors."""
    one: AECEnv = raw_env(game, start, render_mode)
    one = wrappers.TerminateIllegalWrapper(one, illegal_reward=-1)
    one = wrappers.AssertOutOfBoundsWrapper(one)
    return wrappers.OrderEnforcingWrapper(one)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 (PettingZoo's name)
    """A game as an AEC environment: agents `player_0` (moves first) and `player_1`.

    An observation is a dictionary: `observation`, float32 of shape (planes, ranks, files), as this agent sees the board;
    `action_mask`, int8 of shape (actions,), 1 for legal actions, all 0 for the agent who is not to move. The same agent
    can be selected several times in a row.

    Args:
        game: the id of the game.
        start: the name of the start position. `reset(seed=...)` selects the position of a random start.
        render_mode: "ansi" (text), "human" (prints the text) or None.
    """

    def __init__(self, game: str, start: Optional[str] = None, render_mode: Optional[str] = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"render_mode `{render_mode}` is unknown; it is None, ansi or human")
        self.metadata = {
            "name": f"{game.replace('-', '_')}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.game = Game(game, start)
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        shape, n_actions = self.game.observation_tensor_shape(), self.game.num_distinct_actions()
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, np.float32),
                "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.state_of_game: State = self.game.new_initial_state()
        """The game in progress. Change it only through `step`."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Starts a new game."""
        self.state_of_game = self.game.new_initial_state(1 if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.state_of_game.current_player()]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees: see the class."""
        player = self.possible_agents.index(agent)
        return {
            "observation": self.state_of_game.observation_tensor(player),
            "action_mask": self.state_of_game.legal_actions_mask(player).astype(np.int8),
        }

    def step(self, action: Any) -> None:
        """Plays an action of the selected agent.

        Raises:
            ValueError: if it is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.state_of_game.apply_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        if self.state_of_game.is_terminal():
            self.rewards = dict(zip(self.possible_agents, self.state_of_game.returns()))
            self.terminations = dict.fromkeys(self.agents, True)
            reason = self.state_of_game.end_reason
            self.infos = {agent: {"reason": reason} for agent in self.agents}
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.agent_selection = self.possible_agents[self.state_of_game.current_player()]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Optional[str]:
        """The board as text; printed if the mode is "human"."""
        if self.render_mode is None:
            return None
        text = str(self.state_of_game)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to close."""
