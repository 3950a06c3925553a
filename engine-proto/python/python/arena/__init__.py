"""Five board games at the speed of Rust, as environments for agents, with engines and honest ratings."""

from arena import engine, programs
from arena._core import TERMINAL_PLAYER, State
from arena.game import Game, GameInfo, Start, games, info
from arena.policy import Engine, RandomPolicy, batched
from arena.ratings import Rating, Ratings, rate
from arena.tournament import Program, Results, RunError, Tuning, evaluate, levels, python_engine, run, tune
from arena.vector import Buffers, VectorEnv

__all__ = [
    "TERMINAL_PLAYER",
    "Buffers",
    "Engine",
    "Game",
    "GameInfo",
    "Program",
    "RandomPolicy",
    "Rating",
    "Ratings",
    "Results",
    "RunError",
    "Start",
    "State",
    "Tuning",
    "VectorEnv",
    "batched",
    "engine",
    "evaluate",
    "games",
    "info",
    "levels",
    "programs",
    "python_engine",
    "rate",
    "run",
    "tune",
]
