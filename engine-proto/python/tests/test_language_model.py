"""The example of a language model, with a server in this process."""

import importlib.util
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.engine import Limit, UgiEngine

EXAMPLE = Path(__file__).parents[1] / "examples" / "language_model.py"


class Server(HTTPServer):
    """Answers with the texts of a list; then with the last one. An integer is an HTTP error."""

    def __init__(self, answers: "list[Any]") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.requests: "list[dict[str, Any]]" = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:  # noqa: N802
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append({"path": self.path, "key": self.headers["Authorization"], **body})
        answers = self.server.answers
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, int):
            self.send_error(answer)
            return
        content = json.dumps({"choices": [{"message": {"role": "assistant", "content": answer}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server(["c1c2"])
    thread = threading.Thread(target=one.serve_forever, args=(0.05,))
    thread.start()
    yield one
    one.shutdown()
    thread.join()
    one.server_close()


def example() -> Any:
    spec = importlib.util.spec_from_file_location("language_model", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(server: Server, answers: "list[Any]") -> "tuple[str, dict[str, int]]":
    """The move, and what was counted, of the engine as a program."""
    server.answers = answers
    env = {"ARENA_LLM_URL": server.url, "ARENA_LLM_MODEL": "stub", "ARENA_LLM_KEY": "secret", "no_proxy": "*"}
    command = [sys.executable, "-m", "arena.serve", "language_model:LanguageModel"]
    with UgiEngine.open(command, cwd=str(EXAMPLE.parent), env=env) as engine:
        result = engine.play(arena.State("push-push"), Limit(time=20))
    assert result.move is not None
    return result.move, result.info.stat


def test_the_model_is_asked_until_its_move_is_legal(server: Server) -> None:
    counts = {"requests": 1, "illegal": 0, "failures": 0, "replaced": 0}
    assert run(server, ["I step forward.\n\n**c1c2**\n"]) == ("c1c2", counts)
    request = server.requests[0]
    assert (request["path"], request["model"], request["key"]) == ("/v1/chat/completions", "stub", "Bearer secret")
    system, question = (message["content"] for message in request["messages"])
    assert "# Push Push" in system and "```examples" not in system
    assert "White, the first player" in question and "Legal moves: " in question and " c1c2 " in question

    server.requests.clear()
    assert run(server, ["a1a9", 503, "Nothing.", "c1c2"]) == (
        "a1a2",
        {"requests": 3, "illegal": 2, "failures": 1, "replaced": 1},
    )
    last = server.requests[-1]["messages"]
    assert last[2]["content"] == "a1a9"
    assert last[3]["content"].startswith("`a1a9` is not a legal move. Answer with one of")


def test_moves_in_answers() -> None:
    find = example().last_move
    legal = ["a1a2", "@c4", "b2xc4:ne", "d3d5+"]
    for answer, move in [
        ("a1a2", "a1a2"),
        ("Better is a1a2, so:\n`@c4`.", "@c4"),
        ("My move: b2xc4:ne", "b2xc4:ne"),
        ("d3d5+\n\n", "d3d5+"),
        ("a1a2\nno", None),
        ("d3d5", None),
        ("", None),
    ]:
        assert find(answer, legal) == move, answer
