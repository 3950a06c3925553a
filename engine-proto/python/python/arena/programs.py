"""Finds the programs of the arena: `arena`, `alpha-beta`, `mcts`, `greedy` and `random`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

VARIABLE = "ARENA_PROGRAMS"


def find(name: str) -> str:
    """The path of a program. It looks in the folder that the environment variable ARENA_PROGRAMS names, then in
    `target/release` and `target/debug` of this folder and of those above it, then on the PATH.

    Raises:
        FileNotFoundError: if the program is nowhere; it says how to build it.
    """
    folders = [Path(os.environ[VARIABLE])] if VARIABLE in os.environ else []
    for parent in [Path.cwd(), *Path.cwd().parents]:
        if (parent / "engine-proto").is_dir():
            folders += [parent / "target" / "release", parent / "target" / "debug"]
    for folder in folders:
        found = shutil.which(name, path=str(folder))
        if found is not None:
            return found
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(
            f"the program `{name}` was not found; build it with `cargo build --release -p arena -p engines` in a clone "
            f"of the repository, and set {VARIABLE} to the folder target/release"
        )
    return found
