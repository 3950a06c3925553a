"""Engines as programs: `UgiEngine` with real engines, and `arena-engine` as one."""

import asyncio
import io
import sys
import textwrap
from pathlib import Path
from typing import Optional

import pytest

import arena
from arena import State
from arena.engine import (
    AsyncUgiEngine,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    Info,
    Limit,
    Option,
    UgiEngine,
)
from arena.engine import _option as option_of
from arena.serve import load, read_limit, serve

FEN = "6a/3*3/3A3/7/7/7/7 w - - 0 20"


def script(folder: Path, body: str) -> "list[str]":
    """An engine in a few lines: `say(line)` and `words` are at hand."""
    head = """
        import sys, time
        def say(line): print(line, flush=True)
        for line in sys.stdin:
            words = line.split()
            if words == ["ugi"]: say("id name scripted"); say("ugiok"); continue
            if words == ["isready"]: say("readyok"); continue
            if words == ["quit"]: break
    """
    file = folder / "engine.py"
    file.write_text(textwrap.dedent(head) + textwrap.indent(textwrap.dedent(body), "    "))
    return [sys.executable, str(file)]


def python_engine(folder: Path, body: str) -> "list[str]":
    """A module with a policy, run by the console script's module."""
    (folder / "mine.py").write_text(textwrap.dedent(body))
    return [sys.executable, "-m", "arena.serve", "mine:policy"]


def test_real_engine_plays(game: str) -> None:
    with UgiEngine.open([arena.programs.find("alpha-beta")], options={"Hash": 1, "level": 3}) as engine:
        assert engine.id["name"].startswith("alpha-beta") and game in (engine.games or [])
        assert engine.options["Level"].kind == "spin" and engine.options["Level"].max == 10
        state = State(game)
        for _ in range(4):
            result = engine.play(state, Limit(nodes=500))
            assert result.move in state.legal_moves() and result.action in state.legal_actions()
            assert result.info.depth is not None and result.info.nodes is not None
            state.play(result.move)
        engine.limit = Limit(nodes=100)
        assert engine.choose([state, State(game)])[0] in state.legal_actions()


def test_real_engine_sees_a_win_and_analyses() -> None:
    state = State("push-push", fen=FEN)
    with UgiEngine.open([arena.programs.find("alpha-beta")], options={"Hash": 1}) as engine:
        result = engine.play(state, Limit(depth=4))
        assert result.info.score_win is not None and result.info.score_win > 0
        lines = []
        for info in engine.analysis(state, Limit(depth=3), multipv=2):
            lines.append(info)
        assert {info.multipv for info in lines} == {1, 2} and all(info.pv for info in lines)
        # Without a limit, leaving the loop stops the engine, which can then play on.
        for info in engine.analysis(State("push-push")):
            assert (info.depth or 0) > 0
            break
        assert engine.play(state, Limit(depth=1)).move is not None


def test_asyncio() -> None:
    async def play() -> int:
        program = arena.programs.find("random")
        engines = await asyncio.gather(*(AsyncUgiEngine.open([program]) for _ in range(2)))
        state = State("push", "6x6")
        while not state.is_terminal() and state.move_number() < 40:
            result = await engines[state.current_player()].play(state, Limit(time=0.05))
            assert result.action is not None
            state.apply_action(result.action)
        results = await asyncio.gather(*(engine.play(State("push"), Limit(time=0.01)) for engine in engines))
        assert all(result.move for result in results)
        for engine in engines:
            await engine.quit()
        return state.move_number()

    assert asyncio.run(play()) > 0


def test_faults_are_errors(tmp_path: Path) -> None:
    state = State("push-push")
    with UgiEngine.open(script(tmp_path, "if words[0] == 'go': say('bestmove a1a7')")) as engine:
        with pytest.raises(EngineError, match="engine `scripted`: move `a1a7` is not legal in"):
            engine.play(state, Limit(nodes=1))
        with pytest.raises(EngineError, match="has no option `Hash`"):
            engine.configure({"Hash": 1})
        with pytest.raises(ValueError, match="`play` needs a limit"):
            engine.play(state, Limit())
    with pytest.raises(EngineTerminatedError, match="was ended with `quit`"):
        engine.play(state, Limit(nodes=1))
    with UgiEngine.open(script(tmp_path, "if words[0] == 'go': sys.exit(3)")) as engine:
        with pytest.raises(EngineTerminatedError, match="ended with code 3 and did not send `bestmove`"):
            engine.play(state, Limit(nodes=1))
    with UgiEngine.open(script(tmp_path, "pass"), timeout=0.3) as engine:
        with pytest.raises(EngineTimeoutError, match="did not send `bestmove` within 0.35 s; it was killed"):
            engine.play(state, Limit(time=0.05))
    with pytest.raises(FileNotFoundError):
        UgiEngine.open(["/no/such/engine"])
    with pytest.raises(EngineTerminatedError, match="did not send `ugiok`"):
        UgiEngine.open([sys.executable, "-c", "pass"])


def test_words_of_bestmove(tmp_path: Path) -> None:
    body = """
        if words[0] == 'go' and 'drawoffer' in words: say('bestmove resign')
        elif words[0] == 'go':
            say('info depth 2 score cp -31 time 20 pv c1c2 a7a6')
            say('info multipv 2 depth 9')
            say('info stat calls 4')
            say('bestmove c1c2 ponder a7a6 draw')
    """
    with UgiEngine.open(script(tmp_path, body)) as engine:
        state = State("push-push")
        result = engine.play(state, Limit(nodes=1))
        assert (result.move, result.ponder, result.draw_offered, result.resigned) == ("c1c2", "a7a6", True, False)
        info = result.info
        assert (info.depth, info.score_cp, info.time, info.pv) == (2, -31, 0.02, ["c1c2", "a7a6"])
        assert info.stat == {"calls": 4}
        result = engine.play(state, Limit(nodes=1), draw_offered=True)
        assert result.resigned and result.move is None


def test_lines() -> None:
    assert option_of("name Multi PV type spin default 1 min 1 max 8".split()) == Option(
        "Multi PV", "spin", "1", 1, 8
    )
    assert option_of("name Game type combo default a b var a b var c".split()) == Option(
        "Game", "combo", "a b", vars=("a b", "c")
    )
    assert option_of("type spin".split()) is None
    info = Info()
    info.add("score win -2 unknown 3 nodes x hashfull 20 string a pv b".split())
    assert (info.score_win, info.nodes, info.hashfull, info.string) == (-2, None, 20, "a pv b")
    for mate, win in [(3, 5), (1, 1), (-2, -4), (0, 0)]:
        info.add(f"score mate {mate}".split())
        assert info.score_win == win
    limit = Limit(time=0.5, nodes=7, clocks=(1.0, 2.5), increments=(0.0, 0.1), moves_to_go=3)
    assert read_limit(limit.words()) == limit and limit.longest() == 0.5
    assert Limit().words() == ["infinite"] and read_limit(["infinite"]).is_empty()


def test_policy_as_program(tmp_path: Path, game: str) -> None:
    command = python_engine(
        tmp_path,
        """
        def policy(state):
            print("this must not disturb the protocol")
            return state.legal_actions()[-1]
        """,
    )
    with UgiEngine.open(command, cwd=str(tmp_path)) as engine:
        assert engine.id["name"] == "policy" and engine.games == arena.games()
        state = State(game)
        assert engine.play(state, Limit(time=0.1)).action == state.legal_actions()[-1]


def dialogue(engine: arena.Engine, *lines: str) -> "list[str]":
    output = io.StringIO()
    serve(engine, lines, output)
    return output.getvalue().splitlines()


def test_serve() -> None:
    class Named(arena.Engine):
        name = "named"
        version = "2"
        games = ["push-push", "push"]
        options = ["option name Style type string default calm"]
        log: "list[object]" = []

        def set_option(self, name: str, value: str) -> None:
            self.log.append((name, value))

        def new_game(self) -> None:
            self.log.append("new")

        def play(self, state: State, limit: Limit) -> str:
            self.log.append(limit)
            self.info(depth=1, score_cp=20, pv=[state.legal_moves()[0]], stat={"calls": 2}, string="a\nb")
            return "resign" if limit.depth == 9 else state.legal_moves()[0]

    said = dialogue(
        Named(),
        "ugi",
        "",
        "nonsense",
        "isready",
        "setoption name Game value push-push",
        "setoption name Game value tower-push",
        "setoption name Style value very wild",
        "uginewgame",
        f"position fen {FEN}",
        "position startpos moves a1a9",
        "query p1turn",
        "query fen",
        "query perft 1",
        "query gameover",
        "query result",
        "query weather",
        "go movetime 20",
        "go depth 9",
        "go infinite",
        "stop",
        "stop",
        "position fen 3A3/3*3/7/7/7/7/7 b - w 0 21",
        "quit",
        "isready",
    )
    moves = State("push-push", fen=FEN).legal_moves()
    assert said[:6] == [
        "id name named",
        "id version 2",
        "id protocol ugi-2",
        "option name Game type combo default push-push var push-push var push",
        "option name Style type string default calm",
        "ugiok",
    ]
    assert said[6:8] == ["readyok", "info string error: this engine does not play `tower-push`"]
    assert said[8].startswith("info string error: move `a1a9` is not legal in")
    assert said[9:15] == [
        "response true",
        f"response {FEN}",
        f"response {len(moves)}",
        "response false",
        "response none",
        "response unknown",
    ]
    thought = ["info stat calls 2", f"info depth 1 score cp 20 pv {moves[0]}", "info string a b"]
    assert said[15:19] == [*thought, f"bestmove {moves[0]}"]
    assert said[19:23] == [*thought, "bestmove resign"]
    assert said[23:27] == [*thought, f"bestmove {moves[0]}"]
    assert Named.log[:2] == [("Style", "very wild"), "new"] and Named.log[2] == Limit(time=0.02)


def test_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents_for_load.py").write_text(
        "import arena\nclass Mine(arena.Engine):\n    name = 'mine'\n    def play(self, state, limit):\n"
        "        return state.legal_actions()[0]\nnothing = 3\n"
    )
    assert load("agents_for_load:Mine").name == "mine"
    for text, error in [
        ("agents_for_load", "is not MODULE:NAME"),
        ("agents_for_load:other", "has no attribute 'other'"),
        ("agents_for_load:nothing", "3 is not an engine"),
        ("no_such_module_here:x", "No module named"),
    ]:
        with pytest.raises((ValueError, AttributeError, TypeError, ImportError), match=error):
            load(text)


def test_engines_must_define_play() -> None:
    with pytest.raises(TypeError, match="Empty must define `play` or `play_many`"):
        type("Empty", (arena.Engine,), {})().choose([State("push")])


def test_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("ARENA_PROGRAMS", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="the program `arena` was not found; build it with"):
        arena.programs.find("arena")
    (tmp_path / "arena").write_text("#!/bin/sh\n")
    (tmp_path / "arena").chmod(0o755)
    assert arena.programs.find("arena") == str(tmp_path / "arena")


def test_a_cancelled_call_leaves_no_answer_behind() -> None:
    async def play() -> tuple[Optional[str], Optional[str]]:
        program = arena.programs.find("alpha-beta")
        async with await AsyncUgiEngine.open([program], options={"Hash": 1}) as engine:
            state = State("push")
            expected = await engine.play(state, Limit(nodes=20))
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.play(state, Limit(time=60)), 0.2)
            return expected.move, (await engine.play(state, Limit(nodes=20))).move

    expected, found = asyncio.run(play())
    assert expected == found


def test_a_running_analysis_is_named() -> None:
    with UgiEngine.open([arena.programs.find("alpha-beta")], options={"Hash": 1}) as engine:
        state = State("push")
        lines = engine.analysis(state)
        next(lines)
        with pytest.raises(EngineError, match="an analysis of this engine is running"):
            engine.play(state, Limit(nodes=5))
        lines.close()  # type: ignore[attr-defined]
        assert engine.play(state, Limit(nodes=5)).move
        assert {info.multipv for info in engine.analysis(state, Limit(depth=2), multipv=3)} == {1, 2, 3}
        assert {info.multipv for info in engine.analysis(state, Limit(depth=2))} == {1}
        next(engine.analysis(state))


def test_wrong_limits_and_values() -> None:
    for wrong in ({"nodes": 0}, {"nodes": 1.5}, {"depth": -1}, {"time": -1.0}, {"time": float("nan")}):
        with pytest.raises(ValueError, match="it must be a"):
            Limit(**wrong)  # type: ignore[arg-type]
    with UgiEngine.open([arena.programs.find("alpha-beta")]) as engine:
        for value in (-5, "abc"):
            with pytest.raises(EngineError, match="option `Hash` is `.*`; it must be a whole number from 1 to"):
                engine.configure({"Hash": value})
    with pytest.raises(ValueError, match="there is no level 11; the levels are 1 to 10"):
        arena.levels([11])


def test_an_engine_that_writes_without_end() -> None:
    with pytest.raises(EngineTimeoutError, match="did not send `ugiok` within 0.2 s"):
        UgiEngine.open([sys.executable, "-c", "while True: print('y')"], timeout=0.2)
