"""`arena-engine module:function` runs a policy as an engine program: it answers the protocol on standard input."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from typing import IO, Any, Optional

import arena
from arena._core import State
from arena.engine import Limit
from arena.policy import Engine, action_of, engine_of

RESIGN = "resign"
"""The answer of `Engine.play` that resigns."""


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """The console script `arena-engine`."""
    parser = argparse.ArgumentParser(
        prog="arena-engine",
        description="Runs a policy or an arena.Engine as an engine program for the arena.",
        epilog="Example: arena run --engine 'arena-engine my_agent:policy' --engine target/release/mcts",
    )
    parser.add_argument("engine", metavar="MODULE:NAME", help="a function from a state to an action, or an Engine")
    parser.add_argument("--name", help="the engine's name; by default that of the function or class")
    parser.add_argument("--game", action="append", help="a game that it plays (repeatable); by default all")
    options = parser.parse_args(arguments)
    # What a module prints while it is loaded must not disturb the protocol either.
    output, sys.stdout = sys.stdout, sys.stderr
    try:
        engine = load(options.engine)
        for game in options.game or []:
            arena.info(game)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        parser.exit(2, f"arena-engine: {error}\n")
    if options.name:
        engine.name = options.name
    if options.game:
        engine.games = options.game
    serve(engine, output=output)


def load(text: str) -> Engine:
    """The engine that `module:name` names. Modules of the current folder are found.

    Raises:
        ValueError: if the text has another form.
        ImportError, AttributeError, TypeError: if there is no such engine.
    """
    module, _, name = text.partition(":")
    if not module or not name:
        raise ValueError(f"`{text}` is not MODULE:NAME, such as my_agent:policy")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return engine_of(found)


def serve(engine: Engine, lines: Optional[Iterable[str]] = None, output: Optional[IO[str]] = None) -> None:
    """Answers the lines of the protocol until `quit`. By default they come from standard input.

    What the engine prints goes to standard error, so that it cannot disturb the protocol.
    """
    if lines is None:
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
        lines = sys.stdin
    if output is None:
        output, sys.stdout = sys.stdout, sys.stderr
    server = _Server(engine, output)
    for line in lines:
        if not server.obey(line.split()):
            return


class _Server:
    """The state between two lines."""

    def __init__(self, engine: Engine, output: IO[str]) -> None:
        self.engine = engine
        self.output = output
        self.games = list(engine.games or arena.games())
        self.game = self.games[0]
        self.state = State(self.game)
        self.held: Optional[str] = None
        engine.on_info = self.info

    def say(self, line: str) -> None:
        self.output.write(f"{line}\n")
        self.output.flush()

    def obey(self, words: list[str]) -> bool:
        """Does what a line says; False for `quit`. Unknown lines are ignored."""
        command, rest = (words[0] if words else ""), words[1:]
        if command == "quit":
            return False
        if command == "ugi":
            self.greet()
        elif command == "isready":
            self.say("readyok")
        elif command == "setoption":
            self.set_option(rest)
        elif command == "uginewgame":
            self.engine.new_game()
        elif command == "position":
            try:
                self.state = State.from_ugi(self.game, " ".join(rest))
            except ValueError as error:
                self.say(f"info string error: {error}; the position is not changed")
        elif command == "go":
            self.go(rest)
        elif command == "stop" and self.held is not None:
            self.say(self.held)
            self.held = None
        elif command == "query":
            self.query(rest)
        elif command == "d":
            self.say(str(self.state).rstrip())
        return True

    def greet(self) -> None:
        self.say(f"id name {self.engine.name}")
        for key in ("author", "version"):
            if getattr(self.engine, key):
                self.say(f"id {key} {getattr(self.engine, key)}")
        self.say("id protocol ugi-2")
        names = " ".join(f"var {game}" for game in self.games)
        self.say(f"option name Game type combo default {self.game} {names}")
        for option in self.engine.options:
            self.say(option)
        self.say("ugiok")

    def set_option(self, words: list[str]) -> None:
        text = " ".join(words)
        if not text.lower().startswith("name "):
            return
        name, _, value = text[len("name ") :].partition(" value ")
        if name.lower() != "game":
            self.engine.set_option(name, value)
        elif value in self.games:
            self.game = value
            self.state = State(value)
        else:
            self.say(f"info string error: this engine does not play `{value}`")

    def go(self, words: list[str]) -> None:
        if self.state.is_terminal():
            self.say("bestmove 0000")
            return
        answer = self.engine.play(self.state.clone(), read_limit(words))
        if answer == RESIGN:
            best = f"bestmove {RESIGN}"
        else:
            best = f"bestmove {self.state.action_to_string(action_of(self.state, answer))}"
        if read_limit(words).is_empty():
            self.held = best
        else:
            self.say(best)

    def query(self, words: list[str]) -> None:
        state = self.state
        results = {None: "none", 0: "p1win", 1: "p2win"}
        result = "draw" if state.is_terminal() and state.winner is None else results[state.winner]
        answers = {
            # The side of a FEN also says who would move in a final position.
            "p1turn": str(state.fen.split(" ")[1] == "w").lower(),
            "gameover": str(state.is_terminal()).lower(),
            "result": result,
            "legalmoves": " ".join(state.legal_moves()),
            "fen": state.fen,
        }
        if words[:1] == ["perft"] and len(words) == 2 and words[1].isdecimal():
            self.say(f"response {state.perft(int(words[1]))}")
        else:
            answer = answers.get(words[0] if words else "", "unknown")
            self.say(f"response {answer}".rstrip())

    def info(self, values: dict[str, Any]) -> None:
        """Sends one `info` line; each entry of `stat` is a line of its own."""
        for key, number in values.pop("stat", {}).items():
            self.say(f"info stat {key} {int(number)}")
        text = values.pop("string", None)
        words = []
        for key, value in values.items():
            if key == "score_cp":
                words.append(f"score cp {int(value)}")
            elif key == "pv":
                words.append(f"pv {' '.join(value)}")
            else:
                words.append(f"{key} {value}")
        words.sort(key=lambda word: word.startswith("pv "))
        if words:
            self.say(f"info {' '.join(words)}")
        if text is not None:
            self.say(f"info string {' '.join(str(text).split())}")


def read_limit(words: Sequence[str]) -> Limit:
    """The limit of the words after `go`. Unknown words are ignored."""
    numbers = {key: int(value) for key, value in zip(words, words[1:]) if value.lstrip("-").isdecimal()}

    def seconds(key: str) -> Optional[float]:
        return max(numbers[key], 0) / 1000 if key in numbers else None

    def at_least_1(key: str) -> Optional[int]:
        return max(numbers[key], 1) if key in numbers else None

    first, second = seconds("p1time"), seconds("p2time")
    has_clock = first is not None or second is not None
    return Limit(
        time=seconds("movetime"),
        nodes=at_least_1("nodes"),
        depth=at_least_1("depth"),
        clocks=(first or 0.0, second or 0.0) if has_clock else None,
        increments=(seconds("p1inc") or 0.0, seconds("p2inc") or 0.0),
        moves_to_go=at_least_1("movestogo"),
    )


if __name__ == "__main__":
    main()
