"""What the tests share: the recorded games, and where the programs are."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import arena

GAMES_FOLDER = Path(__file__).parents[2] / "games" / "src"

# Before a test changes the folder.
os.environ.setdefault("ARENA_PROGRAMS", str(Path(arena.programs.find("arena")).parent))


def recorded(game: str) -> list[dict[str, Any]]:
    """Games played by an independent implementation of the rules pages."""
    path = GAMES_FOLDER / game.replace("-", "_") / "vectors.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(params=arena.games())
def game(request: pytest.FixtureRequest) -> str:
    """Each game in turn."""
    return str(request.param)
