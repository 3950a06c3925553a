"""Engines as programs: `UgiEngine` and, for asyncio, `AsyncUgiEngine`. They speak the protocol of PROTOCOL.md.

>>> import arena
>>> from arena.engine import Limit, UgiEngine
>>> with UgiEngine.open([arena.programs.find("random")]) as engine:  # doctest: +SKIP
...     state = arena.State("push")
...     result = engine.play(state, Limit(time=0.1))
...     state.play(result.move)
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import math
import os
import shlex
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from types import TracebackType
from typing import Any, Optional, TypeVar, Union

from arena._core import State

Command = Union[str, Sequence[str]]
"""A program with its arguments; a text is split as a shell does."""

T = TypeVar("T")

LINE_LIMIT = 1 << 20
"""The longest line of an engine, in bytes."""


class EngineError(Exception):
    """An engine did not do what the protocol says."""


class EngineTerminatedError(EngineError):
    """An engine has ended."""


class EngineTimeoutError(EngineError):
    """An engine did not answer in time. It has been killed."""


@dataclass(frozen=True)
class Limit:
    """How long an engine may think about one move. Without any limit, it thinks until it is stopped.

    Times are in seconds.
    """

    time: Optional[float] = None
    """For this move."""
    nodes: Optional[int] = None
    """Positions to search."""
    depth: Optional[int] = None
    """Plies."""
    clocks: Optional[tuple[float, float]] = None
    """What is left on the clocks of player 0 and player 1."""
    increments: tuple[float, float] = (0.0, 0.0)
    """What the clocks gain after each move."""
    moves_to_go: Optional[int] = None
    """Moves until the clocks get more time."""

    def __post_init__(self) -> None:
        for name in ("nodes", "depth", "moves_to_go"):
            number = getattr(self, name)
            if number is not None and (not isinstance(number, int) or number < 1):
                raise ValueError(f"`{name}` is {number!r}; it must be a whole number of at least 1")
        for seconds in (self.time, *(self.clocks or ()), *self.increments):
            if seconds is not None and not 0 <= seconds < math.inf:
                raise ValueError(f"a time is {seconds!r}; it must be a number of seconds of at least 0")

    def is_empty(self) -> bool:
        """Whether nothing limits the search."""
        return self.time is None and self.nodes is None and self.depth is None and self.clocks is None

    def words(self) -> list[str]:
        """The words after `go`."""
        words = []
        if self.clocks is not None:
            for name, seconds in zip(("p1time", "p2time"), self.clocks):
                words += [name, _milliseconds(seconds)]
            for name, seconds in zip(("p1inc", "p2inc"), self.increments):
                words += [name, _milliseconds(seconds)]
            if self.moves_to_go is not None:
                words += ["movestogo", str(self.moves_to_go)]
        if self.time is not None:
            words += ["movetime", _milliseconds(self.time)]
        if self.nodes is not None:
            words += ["nodes", str(self.nodes)]
        if self.depth is not None:
            words += ["depth", str(self.depth)]
        return words or ["infinite"]

    def longest(self) -> Optional[float]:
        """The most seconds that a move may take; None if that is not limited."""
        times = [] if self.time is None else [self.time]
        if self.clocks is not None:
            times.append(max(self.clocks))
        return min(times, default=None)


def _milliseconds(seconds: float) -> str:
    return str(round(1000 * seconds))


@dataclass(frozen=True)
class Option:
    """An option of an engine, as in UCI."""

    name: str
    kind: str
    """check, spin, combo, button or string."""
    default: Optional[str] = None
    min: Optional[int] = None
    max: Optional[int] = None
    vars: tuple[str, ...] = ()
    """The values of a combo."""


@dataclass
class Info:
    """What an engine has said about its search. None where it said nothing."""

    depth: Optional[int] = None
    seldepth: Optional[int] = None
    multipv: int = 1
    """1 for the best line."""
    score_cp: Optional[int] = None
    """From the view of the side to move, in hundredths of the engine's unit."""
    score_win: Optional[int] = None
    """Moves of both sides to a win; negative to a loss. `mate` of UCI, which counts those of one side, is converted."""
    nodes: Optional[int] = None
    nps: Optional[int] = None
    """Nodes per second."""
    time: Optional[float] = None
    """Seconds."""
    hashfull: Optional[int] = None
    """Per mille."""
    pv: list[str] = field(default_factory=list)
    """The expected moves."""
    string: Optional[str] = None
    stat: dict[str, int] = field(default_factory=dict)
    """Statistics of the engine's own."""

    def add(self, words: Sequence[str]) -> None:
        """Adds the words after `info`. Unknown ones are ignored."""
        words = list(words)
        while words:
            key = words.pop(0)
            if key == "string":
                self.string = " ".join(words)
                return
            if key == "pv":
                self.pv = words
                return
            if key == "stat" and len(words) > 1:
                name, number = words.pop(0), _number(words.pop(0))
                if number is not None:
                    self.stat[name] = number
            elif key == "score" and len(words) > 1:
                kind, number = words.pop(0), _number(words.pop(0))
                if kind == "cp":
                    self.score_cp, self.score_win = number, None
                elif kind == "mate" and number is not None:
                    self.score_cp, self.score_win = None, 2 * number - (number > 0)
                elif kind in ("win", "loss") and number is not None:
                    self.score_cp, self.score_win = None, -number if kind == "loss" else number
            elif key in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull") and words:
                number = _number(words.pop(0))
                if number is not None:
                    setattr(self, key, number)
            elif key == "time" and words:
                number = _number(words.pop(0))
                self.time = None if number is None else number / 1000


def _number(text: str) -> Optional[int]:
    try:
        return int(text)
    except ValueError:
        return None


@dataclass(frozen=True)
class PlayResult:
    """An engine's answer."""

    move: Optional[str]
    """In the spelling of the rules page; None if the engine resigns."""
    action: Optional[int]
    """The action of the move."""
    info: Info
    """What it said last about its best line."""
    ponder: Optional[str] = None
    """The reply that it expects."""
    draw_offered: bool = False
    resigned: bool = False


class AsyncUgiEngine:
    """A running engine, for asyncio. Create it with `open`, and end it with `quit` or `async with`.

    One call at a time: a second one waits for the first. A call that was cancelled stops the engine.
    """

    def __init__(self, process: asyncio.subprocess.Process, timeout: float) -> None:
        self._process = process
        self._lock = asyncio.Lock()
        self._game: Optional[str] = None
        self._start: Optional[str] = None
        # Whether a `go` has no `bestmove` yet: so after a call that was cancelled.
        self._is_thinking = False
        self._values: dict[str, str] = {}
        # The line that is being read.
        self._unread: Optional[asyncio.Future[bytes]] = None
        self.timeout = timeout
        """Seconds for every answer, in addition to the time for thinking."""
        self.id: dict[str, str] = {}
        """What the engine says about itself: `name`, `author`, `version`, `protocol`."""
        self.options: dict[str, Option] = {}
        """The engine's options by their names."""
        self.limit = Limit(time=0.1)
        """The limit of moves that are played with `choose`, as an opponent or in `arena.evaluate`."""

    @classmethod
    async def open(
        cls,
        command: Command,
        *,
        options: Optional[Mapping[str, object]] = None,
        timeout: float = 10.0,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
    ) -> AsyncUgiEngine:
        """Starts an engine and sets its options.

        Raises:
            FileNotFoundError: if there is no such program.
            EngineError: if it does not answer as an engine does.
        """
        arguments = shlex.split(command) if isinstance(command, str) else list(command)
        process = await asyncio.create_subprocess_exec(
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_LIMIT,
            cwd=cwd,
            env={**os.environ, **env} if env is not None else None,
        )
        engine = cls(process, timeout)
        try:
            await engine._greet()
            await engine.configure(options or {})
        except BaseException:
            await engine.kill()
            raise
        return engine

    async def __aenter__(self) -> AsyncUgiEngine:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.quit()

    @property
    def games(self) -> Optional[list[str]]:
        """The games of the option `Game`; None if the engine plays one game and does not say which."""
        option = self.options.get("Game")
        return None if option is None else list(option.vars)

    async def configure(self, options: Mapping[str, object]) -> None:
        """Sets options. Booleans become `true` and `false`.

        Raises:
            EngineError: if the engine does not have an option, or not this value. No option is set then.
        """
        async with self._lock:
            values = [self._value(name, value) for name, value in options.items()]
            await self._rest()
            for option, text in values:
                self._set(option, text)
            await self._ready()

    async def play(self, state: State, limit: Optional[Limit] = None, *, draw_offered: bool = False) -> PlayResult:
        """Asks for a move. Without `limit`, `self.limit` is used.

        A state with another start than that of the last call begins a new game.

        Raises:
            EngineError: if the engine cannot play the game, or its answer is not legal.
            EngineTimeoutError: if it takes longer than the time limit plus `timeout`; limits of nodes or depth alone have
                no timeout.
        """
        limit = self.limit if limit is None else limit
        if limit.is_empty():
            raise ValueError("`play` needs a limit; use `analysis` to think without one")
        async with self._lock:
            await self._set_up(state)
            self._go([*limit.words(), *(["drawoffer"] if draw_offered else [])])
            wait = self._thinking_time(limit)
            info = Info()
            while True:
                words = await self._line(wait, "bestmove")
                if words[0] == "info":
                    _add(info, words[1:])
                elif words[0] == "bestmove":
                    self._is_thinking = False
                    return self._result(state, words[1:], info)

    async def choose_one(self, state: State) -> int:
        """The action of `play`.

        Raises:
            EngineError: if the engine resigns.
        """
        result = await self.play(state)
        if result.action is None:
            raise EngineError(f"engine `{self._name()}` resigned in `{state.fen}`")
        return result.action

    async def analysis(
        self, state: State, limit: Optional[Limit] = None, *, multipv: Optional[int] = None
    ) -> AsyncIterator[Info]:
        """What the engine says while it thinks, one `Info` for each of its lines. Leave the loop to stop it.

        >>> async def best(engine, state):
        ...     async for info in engine.analysis(state):
        ...         if (info.depth or 0) >= 4:
        ...             return info.pv
        """
        async with self._lock:
            before = None
            if multipv is not None:
                option, text = self._value("MultiPV", multipv)
                before = option, self._values.get(option.name, option.default or "1")
            await self._set_up(state)
            limit = Limit() if limit is None else limit
            if before is not None:
                self._set(option, text)
            self._go(limit.words())
            wait = self._thinking_time(limit)
            try:
                while True:
                    words = await self._line(wait, "bestmove")
                    if words[0] == "bestmove":
                        self._is_thinking = False
                        return
                    if words[0] == "info":
                        info = Info()
                        info.add(words[1:])
                        yield info
            finally:
                if self._process.returncode is None:
                    await self._rest()
                    if before is not None:
                        self._set(*before)

    async def quit(self) -> None:
        """Ends the engine; kills it if it does not end by itself."""
        if self._process.returncode is None:
            try:
                self._send("quit")
                await asyncio.wait_for(self._process.wait(), self.timeout)
            except (asyncio.TimeoutError, EngineError):
                await self.kill()
        self._stop_reading()

    async def kill(self) -> None:
        """Kills the engine."""
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        self._stop_reading()

    def _stop_reading(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _name(self) -> str:
        return self.id.get("name", f"process {self._process.pid}")

    def _value(self, name: str, value: object) -> tuple[Option, str]:
        """The option with this name, and the text of its value."""
        found = [option for option in self.options.values() if option.name.lower() == name.lower()]
        if not found:
            raise EngineError(
                f"engine `{self._name()}` has no option `{name}`; its options are {', '.join(self.options)}"
            )
        option = found[0]
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if option.kind == "spin":
            number = _number(text)
            low, high = option.min, option.max
            if number is None or (low is not None and number < low) or (high is not None and high < number):
                raise EngineError(
                    f"engine `{self._name()}`: option `{option.name}` is `{text}`; it must be a whole number "
                    f"from {low} to {high}"
                )
        if option.kind == "combo" and option.vars and text not in option.vars:
            raise EngineError(
                f"engine `{self._name()}`: option `{option.name}` is `{text}`; its values are {', '.join(option.vars)}"
            )
        return option, text

    def _set(self, option: Option, text: str) -> None:
        self._values[option.name] = text
        self._send(f"setoption name {option.name} value {text}")

    def _go(self, words: Sequence[str]) -> None:
        self._send(" ".join(["go", *words]))
        self._is_thinking = True

    async def _rest(self) -> None:
        """Stops a search whose caller has gone. Its answer is nobody's."""
        if self._is_thinking:
            self._send("stop")
            wait = _Wait.of(self.timeout)
            while (await self._line(wait, "bestmove"))[0] != "bestmove":
                pass
            self._is_thinking = False

    def _thinking_time(self, limit: Limit) -> _Wait:
        longest = limit.longest()
        return _Wait.of(None if longest is None else longest + self.timeout)

    async def _greet(self) -> None:
        self._send("ugi")
        wait = _Wait.of(self.timeout)
        while True:
            words = await self._line(wait, "ugiok")
            if words == ["ugiok"]:
                break
            if words[0] == "id" and len(words) > 2:
                self.id[words[1]] = " ".join(words[2:])
            elif words[0] == "option":
                option = _option(words[1:])
                if option is not None:
                    self.options[option.name] = option
        if "LegalMoves" in self.options:
            self._send("setoption name LegalMoves value true")

    async def _ready(self) -> None:
        self._send("isready")
        wait = _Wait.of(self.timeout)
        while await self._line(wait, "readyok") != ["readyok"]:
            pass

    async def _set_up(self, state: State) -> None:
        if state.is_terminal():
            raise ValueError(f"the game is over: `{state.fen}`")
        await self._rest()
        if self._game != state.game:
            games = self.games
            if games is not None:
                if state.game not in games:
                    raise EngineError(
                        f"engine `{self._name()}` does not play {state.game}; it plays {', '.join(games)}"
                    )
                self._send(f"setoption name Game value {state.game}")
        if (self._game, self._start) != (state.game, state.start_fen):
            self._game, self._start = state.game, state.start_fen
            self._send("uginewgame")
            await self._ready()
        self._send(state.ugi())
        if "LegalMoves" in self.options:
            self._send(" ".join(["legalmoves", *state.legal_moves()]))

    def _result(self, state: State, words: list[str], info: Info) -> PlayResult:
        if words[:1] == ["resign"]:
            return PlayResult(None, None, info, resigned=True)
        move, rest = (words[0] if words else ""), words[1:]
        try:
            action = state.string_to_action(move)
        except ValueError as error:
            raise EngineError(f"engine `{self._name()}`: {error}") from None
        ponder = rest[1] if rest[:1] == ["ponder"] and len(rest) > 1 else None
        return PlayResult(move, action, info, ponder=ponder, draw_offered="draw" in rest)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        if self._process.returncode is not None or self._process.stdin.is_closing():
            raise EngineTerminatedError(f"engine `{self._name()}` has ended")
        self._process.stdin.write(f"{line}\n".encode())

    async def _read(self, seconds: Optional[float]) -> bytes:
        """The next line. A call that is cancelled loses none.

        `asyncio.wait_for` before Python 3.12 can miss that it was cancelled.
        """
        assert self._process.stdout is not None
        if self._unread is None:
            self._unread = asyncio.ensure_future(self._process.stdout.readline())
        done, _ = await asyncio.wait({self._unread}, timeout=seconds)
        if not done:
            raise asyncio.TimeoutError
        line, self._unread = self._unread, None
        return line.result()

    async def _line(self, wait: _Wait, wanted: str) -> list[str]:
        """The words of the next line that has any."""
        assert self._process.stdout is not None
        while True:
            try:
                left = wait.left()
                if left is not None and left <= 0:
                    # Also an engine that writes without end has only this time.
                    raise asyncio.TimeoutError
                line = await self._read(left)
            except asyncio.TimeoutError:
                await self.kill()
                raise EngineTimeoutError(
                    f"engine `{self._name()}` did not send `{wanted}` within {wait.seconds:g} s; it was killed"
                ) from None
            except ValueError:
                await self.kill()
                raise EngineError(f"engine `{self._name()}` sent a line of more than {LINE_LIMIT} bytes") from None
            if not line:
                code = await self._process.wait()
                raise EngineTerminatedError(
                    f"engine `{self._name()}` ended with code {code} and did not send `{wanted}`"
                )
            words = line.decode(errors="replace").split()
            if words:
                return words


@dataclass(frozen=True)
class _Wait:
    """How long to wait for an answer, which may follow after other lines."""

    seconds: Optional[float]
    until: float

    @classmethod
    def of(cls, seconds: Optional[float]) -> _Wait:
        return cls(seconds, monotonic() + (seconds or 0))

    def left(self) -> Optional[float]:
        """The seconds left; None for no limit."""
        return None if self.seconds is None else self.until - monotonic()


def _add(info: Info, words: list[str]) -> None:
    """Adds a line to the information on the best move; lines on other moves are left out."""
    line = Info()
    line.add(words)
    if line.multipv == 1:
        info.add(words)


def _option(words: list[str]) -> Optional[Option]:
    """The option of an `option` line; None if it cannot be read."""
    keys = ("name", "type", "default", "min", "max", "var")
    values: dict[str, list[str]] = {}
    texts: list[tuple[str, list[str]]] = []
    for word in words:
        if word in keys and not (texts and texts[-1][0] == "name" and word != "type"):
            texts.append((word, []))
        elif texts:
            texts[-1][1].append(word)
    for key, text in texts:
        values.setdefault(key, []).append(" ".join(text))
    if not values.get("name", [""])[0] or "type" not in values:
        return None
    return Option(
        name=values["name"][0],
        kind=values["type"][0],
        default=values["default"][0] if "default" in values else None,
        min=_number(values["min"][0]) if "min" in values else None,
        max=_number(values["max"][0]) if "max" in values else None,
        vars=tuple(values.get("var", [])),
    )


class UgiEngine:
    """A running engine, for programs without asyncio. Create it with `open`, and end it with `quit` or `with`.

    It is also a player: `arena.evaluate` and `arena.gym.SingleAgentEnv` take it. It then plays with `limit`.
    """

    def __init__(self, engine: AsyncUgiEngine, loop: _Loop) -> None:
        self._engine = engine
        self._loop = loop
        self._lines: Optional[AsyncIterator[Info]] = None

    @classmethod
    def open(
        cls,
        command: Command,
        *,
        options: Optional[Mapping[str, object]] = None,
        timeout: float = 10.0,
        limit: Optional[Limit] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
    ) -> UgiEngine:
        """Starts an engine: see `AsyncUgiEngine.open`. `limit` is the limit of its moves as a player."""
        loop = _Loop()
        try:
            engine = loop.run(AsyncUgiEngine.open(command, options=options, timeout=timeout, cwd=cwd, env=env))
        except BaseException:
            loop.close()
            raise
        if limit is not None:
            engine.limit = limit
        return cls(engine, loop)

    def __enter__(self) -> UgiEngine:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.quit()

    @property
    def id(self) -> dict[str, str]:
        """See `AsyncUgiEngine.id`."""
        return self._engine.id

    @property
    def options(self) -> dict[str, Option]:
        """See `AsyncUgiEngine.options`."""
        return self._engine.options

    @property
    def games(self) -> Optional[list[str]]:
        """See `AsyncUgiEngine.games`."""
        return self._engine.games

    @property
    def limit(self) -> Limit:
        """See `AsyncUgiEngine.limit`."""
        return self._engine.limit

    @limit.setter
    def limit(self, limit: Limit) -> None:
        self._engine.limit = limit

    def configure(self, options: Mapping[str, object]) -> None:
        """See `AsyncUgiEngine.configure`."""
        self._check_is_free()
        self._loop.run(self._engine.configure(options))

    def play(self, state: State, limit: Optional[Limit] = None, *, draw_offered: bool = False) -> PlayResult:
        """See `AsyncUgiEngine.play`."""
        self._check_is_free()
        return self._loop.run(self._engine.play(state, limit, draw_offered=draw_offered))

    def choose(self, states: Sequence[State]) -> list[int]:
        """The engine's actions, one state after the other.

        Raises:
            EngineError: if the engine resigns.
        """
        self._check_is_free()
        return [self._loop.run(self._engine.choose_one(state)) for state in states]

    def analysis(
        self, state: State, limit: Optional[Limit] = None, *, multipv: Optional[int] = None
    ) -> Iterator[Info]:
        """See `AsyncUgiEngine.analysis`. Leave the loop to stop the engine, and before any other call."""
        self._check_is_free()
        self._lines = lines = self._engine.analysis(state, limit, multipv=multipv)
        try:
            while True:
                try:
                    yield self._loop.run(_next(lines))
                except StopAsyncIteration:
                    return
        finally:
            self._end(lines)

    def _end(self, lines: Optional[AsyncIterator[Info]]) -> None:
        """Ends an analysis, if it is the running one."""
        if lines is not None and self._lines is lines:
            self._lines = None
            self._loop.run(lines.aclose())  # type: ignore[attr-defined]

    def _check_is_free(self) -> None:
        if self._lines is not None:
            raise EngineError("an analysis of this engine is running; leave its loop first")

    def quit(self) -> None:
        """Ends the engine; kills it if it does not end by itself."""
        if self._loop.is_open:
            self._end(self._lines)
            self._loop.run(self._engine.quit())
            self._loop.close()


async def _next(lines: AsyncIterator[Info]) -> Info:
    return await lines.__anext__()


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="arena-engine", daemon=True)
        self._thread.start()
        self.is_open = True

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits for the result of a coroutine."""
        if not self.is_open:
            work.close()
            raise EngineTerminatedError("the engine was ended with `quit`")
        future: concurrent.futures.Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the thread."""
        self.is_open = False
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
