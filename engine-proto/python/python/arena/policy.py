"""What can play: policies, `Engine`, engine programs. `player_of` makes one interface of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Protocol, TypeVar, Union, runtime_checkable

from arena._core import State

if TYPE_CHECKING:
    from arena.engine import Limit, UgiEngine

Answer = Union[int, str]
"""An action, or a move in the spelling of the rules page."""


@runtime_checkable
class Player(Protocol):
    """Chooses actions for several games at once."""

    def choose(self, states: Sequence[State]) -> list[int]:
        """One legal action for each state."""
        ...


class Engine:
    """Base class of engines in Python. Override `play` or `play_many`.

    >>> class First(Engine):
    ...     def play(self, state, limit):
    ...         return state.legal_actions()[0]
    >>> First().choose([State("push-push")])
    [0]

    `arena-engine module:First` runs it as an engine program, and `arena.evaluate` plays matches with it.
    """

    name = "python"
    author = ""
    version = ""
    games: Optional[Sequence[str]] = None
    """The games that it plays; None for all."""
    options: Sequence[str] = ()
    """Option lines of the protocol, such as "option name Temperature type string default 1"."""

    def set_option(self, name: str, value: str) -> None:
        """Called when an option of `options` is set."""

    def new_game(self) -> None:
        """Called before the first move of a game, when it runs as an engine program."""

    def play(self, state: State, limit: Limit) -> Answer:
        """One legal action or move. `info(...)` sends information about the search."""
        return self.play_many([state], limit)[0]

    def play_many(self, states: Sequence[State], limit: Limit) -> Sequence[Answer]:
        """One answer for each state: override it if a batch is faster, as for a network."""
        if type(self).play is Engine.play:
            raise TypeError(f"{type(self).__name__} must define `play` or `play_many`")
        return [self.play(state, limit) for state in states]

    def info(self, **values: Any) -> None:
        """Sends a line `info` while thinking: `self.info(score_cp=12, string="...", stat={"calls": 3})`. It does nothing
        where nobody listens."""
        if self.on_info is not None:
            self.on_info(values)

    on_info: Optional[Callable[[dict[str, Any]], None]] = None

    def choose(self, states: Sequence[State]) -> list[int]:
        """One legal action for each state, without limits."""
        from arena.engine import Limit

        answers = self.play_many(states, Limit())
        if len(answers) != len(states):
            raise ValueError(f"{self.name} gave {len(answers)} answers for {len(states)} states")
        return [action_of(state, answer) for state, answer in zip(states, answers)]


Policy = Union[
    Callable[[State], Answer],
    Callable[[Sequence[State]], Sequence[Answer]],
    Engine,
    "type[Engine]",
    Player,
    "UgiEngine",
]
"""Anything that can play: see `player_of`."""

F = TypeVar("F", bound=Callable[..., Any])


def batched(policy: F) -> F:
    """Marks a policy that takes a list of states and returns a list of actions: `@arena.batched`."""
    policy.is_batched = True  # type: ignore[attr-defined]
    return policy


class FunctionEngine(Engine):
    """A policy function as an engine."""

    def __init__(self, policy: Callable[..., Any], name: Optional[str] = None) -> None:
        self.policy = policy
        self.name = name or str(getattr(policy, "__name__", "policy"))
        self.is_batched = bool(getattr(policy, "is_batched", False))

    def play_many(self, states: Sequence[State], limit: Limit) -> Sequence[Answer]:
        """One answer for each state."""
        if self.is_batched:
            return list(self.policy(list(states)))
        return [self.policy(state) for state in states]


def engine_of(policy: Any) -> Engine:
    """An `Engine` from an engine, a class of engines, or a policy function.

    Raises:
        TypeError: if it is none of these.
    """
    if isinstance(policy, type) and issubclass(policy, Engine):
        return policy()
    if isinstance(policy, Engine):
        return policy
    if callable(policy):
        return FunctionEngine(policy)
    raise TypeError(f"{policy!r} is not an engine: give a function, or an instance or subclass of arena.Engine")


def player_of(policy: Any) -> Player:
    """A `Player` from anything that can play: a function from a state to an action or a move, a function marked with
    `@arena.batched`, an `Engine`, or a running `UgiEngine`."""
    if isinstance(policy, Player) and not isinstance(policy, type):
        return policy
    return engine_of(policy)


def action_of(state: State, answer: Any) -> int:
    """The action of an answer, after a check that it is legal.

    Raises:
        ValueError: if it is not.
    """
    if isinstance(answer, str):
        return state.string_to_action(answer)
    action = int(answer)
    if action < 0:
        raise ValueError(f"action {action} is not legal in `{state.fen}`")
    state.action_to_string(action)
    return action


class RandomPolicy(Engine):
    """Plays uniformly random legal moves."""

    name = "random"

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)

    def play(self, state: State, limit: Limit) -> Answer:
        """A random action."""
        return self._random.choice(state.legal_actions())
