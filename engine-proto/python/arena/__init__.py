"""Five board games at the speed of Rust, as environments for agents, with engines and honest ratings."""

from arena._core import TERMINAL_PLAYER, State
from arena.game import Game, GameInfo, Start, games, info
from arena.vector import Buffers, VectorEnv

__all__ = [
    "TERMINAL_PLAYER",
    "Buffers",
    "Game",
    "GameInfo",
    "Start",
    "State",
    "VectorEnv",
    "games",
    "info",
]
