"""Tournaments: `run` and `tune` start the program `arena`; `evaluate` plays matches between policies in this process."""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from arena import programs
from arena._core import State
from arena.engine import Command, Limit, UgiEngine
from arena.game import Game
from arena.policy import Player, Policy, player_of
from arena.ratings import OVERALL, Ratings, rate

if TYPE_CHECKING:
    import pandas as pd


class RunError(Exception):
    """The program `arena` ended with an error. The message is its own."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message or f"arena ended with code {code}")
        self.code = code
        """The exit code: the manual explains it."""


@dataclass(frozen=True)
class Results:
    """Matches and their ratings."""

    matches: list[dict[str, Any]]
    """One dictionary for each match, with the columns of `rate`."""
    ratings: Ratings
    folder: Optional[Path] = None
    """The results folder of `run`; its `report.html` shows every match."""

    def frame(self, scope: Optional[str] = None) -> pd.DataFrame:
        """The ratings as a DataFrame: see `Ratings.frame`."""
        return self.ratings.frame(scope)

    def matches_frame(self) -> pd.DataFrame:
        """The matches as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.matches)

    def plot(self, scope: str = OVERALL, ax: Any = None, order: Optional[Sequence[str]] = None) -> Any:
        """See `Ratings.plot`."""
        return self.ratings.plot(scope, ax, order)

    def __str__(self) -> str:
        return str(self.ratings)

    def _repr_html_(self) -> str:
        return self.ratings._repr_html_()


def run(
    config: Union[Mapping[str, Any], str, Path],
    *,
    results: Optional[Union[str, Path]] = None,
    arguments: Sequence[str] = (),
    anchor: Optional[Mapping[str, float]] = None,
    program: Optional[str] = None,
) -> Results:
    """Plays a tournament with the program `arena`: separate processes, clocks, limits, evidence of every fault.

    The same call again continues an interrupted tournament.

    Args:
        config: a tournament file, or its content as a dictionary with the keys of configs/README.md. `python_engine`
            makes the entry of an engine in Python.
        results: the results folder; by default that of the configuration.
        arguments: further arguments of `arena run`, such as `["--fresh"]`.
        anchor: one engine and its rating: see `rate`.
        program: the path of the program; by default `programs.find("arena")`.

    Raises:
        RunError: if the arena ends with an error; the message names the place and the remedy.
    """
    folder = _start("run", config, results, arguments, program)
    with open(folder / "matches.csv", newline="", encoding="utf-8") as table:
        matches: list[dict[str, Any]] = list(csv.DictReader(table))
    return Results(matches, rate(matches, anchor=anchor), folder)


@dataclass(frozen=True)
class Tuning:
    """What `tune` has found."""

    options: list[dict[str, Any]]
    """For each option its `name`, its value at the `start`, the `mean` of the second half of its values, how far `chance` alone
    would have moved it (half a 95 % interval), and the `value` found as the engine reads it."""
    has_moved: bool
    """Whether the options have moved further than chance alone explains."""
    verdict: Optional[str]
    """Of the test of the values found against those at the start: `h1` (better), `h0` (not better) or `undecided`. None if
    they were not tested."""
    verdict_at: Optional[str]
    """The same for the test with another clock (`--proof-at`)."""
    points: list[dict[str, Optional[float]]]
    """The values at the start (point 0) and after each point, with the score of the point (None at the start)."""
    folder: Path
    """The results folder; its `tune.html` shows the course of each option."""

    @property
    def values(self) -> dict[str, str]:
        """The values found, ready for `options` of an engine."""
        return {option["name"]: option["value"] for option in self.options}

    def frame(self) -> pd.DataFrame:
        """The points as a DataFrame: `point`, `score`, and a column for each option."""
        import pandas as pd

        return pd.DataFrame(self.points)


def tune(
    config: Union[Mapping[str, Any], str, Path],
    *,
    results: Optional[Union[str, Path]] = None,
    arguments: Sequence[str] = (),
    program: Optional[str] = None,
) -> Tuning:
    """Tunes options of an engine with the program `arena`, and tests the values found: see arena/docs/tuning.md.

    The same call again continues an interrupted tuning.

    Args:
        config: a tournament file with a table `[tune]`, or its content as a dictionary: `"tune": {"option": [...]}`.
        results: the results folder; by default that of the configuration.
        arguments: further arguments of `arena tune`, such as `["--no-proof"]`.
        program: the path of the program; by default `programs.find("arena")`.

    Raises:
        RunError: if the arena ends with an error; the message names the place and the remedy.
    """
    folder = _start("tune", config, results, arguments, program)
    found = json.loads((folder / "tune.json").read_text(encoding="utf-8"))
    with open(folder / "tune.csv", newline="", encoding="utf-8") as table:
        rows = csv.DictReader(table)
        points = [{key: float(text) if text else None for key, text in row.items()} for row in rows]
    proofs = found["proofs"]
    return Tuning(
        found["options"], found["has_moved"], proofs.get("proof"), proofs.get("proof-at"), points, folder
    )


def _start(
    command: str,
    config: Union[Mapping[str, Any], str, Path],
    results: Optional[Union[str, Path]],
    arguments: Sequence[str],
    program: Optional[str],
) -> Path:
    """Runs a command of the program `arena` to its end. Returns the results folder."""
    folder = Path(results) if results is not None else _folder(config)
    with tempfile.TemporaryDirectory(prefix="arena-") as temporary:
        if isinstance(config, Mapping):
            file = Path(temporary) / f"{_name(config)}.toml"
            file.write_text(to_toml(config), encoding="utf-8")
        else:
            file = Path(config)
        words = [program or programs.find("arena"), command, str(file), "--results", str(folder), "--quiet", *arguments]
        ended = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if ended.returncode != 0:
        raise RunError(ended.returncode, ended.stderr.strip())
    return folder


def _name(config: Mapping[str, Any]) -> str:
    return str(config.get("tournament", {}).get("name", "python"))


def _folder(config: Union[Mapping[str, Any], str, Path]) -> Path:
    """The results folder that a configuration names, or that the arena takes by default."""
    if isinstance(config, Mapping):
        name, content = _name(config), config
    else:
        try:
            import tomllib
        except ImportError:
            raise ValueError("give `results`: before Python 3.11, the tournament file cannot be read here") from None
        name = Path(config).stem
        with open(config, "rb") as file:
            content = tomllib.load(file)
        name = str(content.get("tournament", {}).get("name", name))
    return Path(content.get("tournament", {}).get("results", Path("results") / name))


def python_engine(target: str, name: Optional[str] = None, **keys: Any) -> dict[str, Any]:
    """The `[[engine]]` entry of a policy or an `arena.Engine` for `run`.

    Args:
        target: "module:name", as for the console script `arena-engine`. The module must be importable in the folder in
            which the arena runs.
        name: the engine's name; by default that of the function or class.
        keys: further keys of the entry, such as `options`.
    """
    name = name or target.partition(":")[2]
    return {"name": name, "command": sys.executable, "args": ["-m", "arena.serve", target, "--name", name], **keys}


def to_toml(config: Mapping[str, Any]) -> str:
    """A configuration as TOML. It takes texts, numbers, booleans, lists and dictionaries; None is left out.

    Raises:
        TypeError: if it contains anything else.
    """
    plain = {key: value for key, value in config.items() if not _is_tables(value)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items() if value is not None]
    for key, value in config.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{_key(key)}]", *_lines(value)]
        elif _is_tables(value):
            for table in value:
                lines += ["", f"[[{_key(key)}]]", *_lines(table)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_tables(value: Any) -> bool:
    is_list = isinstance(value, (list, tuple)) and len(value) > 0
    return isinstance(value, Mapping) or (is_list and all(isinstance(item, Mapping) for item in value))


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None]


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() and key.isascii() else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, Path)):
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_lines(value))} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(item) for item in value)}]"
    raise TypeError(f"{value!r} cannot be written as TOML")


@dataclass(frozen=True)
class Program:
    """An engine program that `evaluate` starts and ends."""

    command: Command
    options: Mapping[str, object] = field(default_factory=dict)
    limit: Limit = Limit(nodes=10_000)
    """For each move."""


def levels(numbers: Iterable[int] = (1, 2, 3, 4), limit: Limit = Limit(nodes=10_000)) -> dict[str, Program]:
    """The levels of the reference engine `alpha-beta`, 1 (weakest) to 10, as anchors for `evaluate`."""
    program = programs.find("alpha-beta")
    numbers = list(numbers)
    for number in numbers:
        if number not in range(1, 11):
            raise ValueError(f"there is no level {number!r}; the levels are 1 to 10")
    return {
        f"level-{number}": Program([program], {"Level": number, "Hash": 1, "Seed": number}, limit)
        for number in numbers
    }


def evaluate(
    policies: Mapping[str, Policy],
    games: Union[str, Game, Sequence[Union[str, Game]]],
    *,
    anchors: Optional[Mapping[str, Union[Policy, Program]]] = None,
    anchors_meet: bool = True,
    anchor: Optional[Mapping[str, float]] = None,
    pairs: int = 20,
    opening_plies: int = 4,
    max_plies: int = 400,
    seed: int = 1,
) -> Results:
    """Plays policies, such as the checkpoints of a training, against each other and against anchors, and rates them.

    All matches are played at once in this process: a policy marked with `@arena.batched`, or an `arena.Engine` with
    `play_many`, gets all states in which it is to move together. There are no clocks; `run` has them.

    Every pairing plays the same openings, each twice with the sides swapped.

    Args:
        policies: the contenders by name: see `arena.policy.player_of`. Their order is that of the curve of `plot()`.
        games: one or several ids, or `Game`s for other starts.
        anchors: engines of known strength, for example `levels()`.
        anchors_meet: whether anchors also play against each other.
        anchor: one engine and its rating: see `rate`. By default, the first anchor has the rating 0 if it can be rated.
        pairs: the number of pairs for each pairing and game.
        opening_plies: the number of random moves before the engines play.
        max_plies: matches are drawn after this number of moves.
        seed: selects the openings.

    Raises:
        ValueError: if there are fewer than two engines, if two have one name, or if an engine gives an illegal action.
    """
    anchors = dict(anchors or {})
    for name in anchors:
        if name in policies:
            raise ValueError(f"`{name}` is the name of a policy and of an anchor")
    names = [*policies, *anchors]
    if len(names) < 2:
        raise ValueError("give at least two engines, policies and anchors together")
    listed = [games] if isinstance(games, (str, Game)) else list(games)
    boards = [game if isinstance(game, Game) else Game(game) for game in listed]
    pairings = [
        (one, other)
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if anchors_meet or one in policies or other in policies
    ]
    matches = _matches(boards, pairings, pairs, opening_plies, seed)
    opened: list[UgiEngine] = []
    try:
        players: dict[str, Player] = {}
        for name, policy in {**policies, **anchors}.items():
            if isinstance(policy, Program):
                opened.append(UgiEngine.open(policy.command, options=policy.options, limit=policy.limit))
                players[name] = opened[-1]
            else:
                players[name] = player_of(policy)
        _play(matches, players, max_plies)
    finally:
        for engine in opened:
            engine.quit()
    rows = [match.row() for match in matches]
    if anchor is None and anchors:
        anchor = {next(iter(anchors)): 0.0}
    return Results(rows, rate(rows, anchor=anchor, series=list(policies) if len(policies) > 1 else ()))


@dataclass
class _Match:
    """One match of `evaluate`."""

    game: str
    sides: tuple[str, str]
    pair: str
    opening: str
    state: State

    def row(self) -> dict[str, Any]:
        """The columns of `rate`."""
        winner = self.state.winner
        return {
            "game": self.game,
            "white": self.sides[0],
            "black": self.sides[1],
            "result": "1/2-1/2" if winner is None else ("1-0", "0-1")[winner],
            "pair": self.pair,
            "opening": self.opening,
            "moves": " ".join(self.state.moves),
            "reason": self.state.end_reason or "move-cap",
            "plies": self.state.move_number(),
        }


def _matches(
    games: Sequence[Game], pairings: Sequence[tuple[str, str]], pairs: int, plies: int, seed: int
) -> list[_Match]:
    """The schedule: for every game and pairing, two matches from each opening."""
    matches = []
    for place, game in enumerate(games):
        for nth in range(pairs):
            chance = random.Random(f"{seed} {game.id} {game.start} {nth}")
            opening = _opening(game, plies, chance)
            for one, other in pairings:
                pair = f"{place}-{nth}-{one}-{other}"
                for sides in ((one, other), (other, one)):
                    # Of two boards of one game, each is a game of its own in the ratings.
                    name = game.id if sum(board.id == game.id for board in games) == 1 else f"{game.id} {game.start}"
                    matches.append(_Match(name, sides, pair, opening.fen, opening.clone()))
    return matches


def _opening(game: Game, plies: int, chance: random.Random) -> State:
    """A position after random moves in which the game goes on."""
    while True:
        state = game.new_initial_state(chance.getrandbits(32))
        for _ in range(plies):
            if not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
        if not state.is_terminal():
            # As in the arena, the match begins here: earlier positions do not count for repetition.
            return State(game.id, fen=state.fen)


def _play(matches: Sequence[_Match], players: Mapping[str, Player], max_plies: int) -> None:
    """Plays all matches to their ends, a move of every match at a time."""
    running = list(matches)
    while running:
        to_move: dict[str, list[_Match]] = {}
        for match in running:
            to_move.setdefault(match.sides[match.state.current_player()], []).append(match)
        for name, waiting in to_move.items():
            actions = players[name].choose([match.state.clone() for match in waiting])
            for match, action in zip(waiting, actions):
                try:
                    match.state.apply_action(action)
                except ValueError as error:
                    raise ValueError(f"engine `{name}`: {error}") from None
        running = [
            match for match in running if not match.state.is_terminal() and match.state.move_number() < max_plies
        ]
