"""Lets a language model play: an engine that asks any OpenAI-compatible server for moves.

Run it as an engine (ARENA_LLM_URL and the others are environment variables):

    ARENA_LLM_URL=http://localhost:11434/v1 ARENA_LLM_MODEL=llama3 \\
        arena run --engine 'arena-engine language_model:LanguageModel' --engine target/release/random --movetime 60s

The prompt has the rules page, the board and the legal moves. An answer that is not a legal move is asked for again; after
the last attempt, the first legal move is played. `info stat` counts requests, illegal answers, failures of the server and
such replacements, so the arena stores them with every move.
"""

from __future__ import annotations

import json
import os
import re
import urllib.error
import urllib.request
from typing import Any, Optional

import arena
from arena.engine import Limit

SYSTEM = """You play the board game {name}. These are its rules:

{rules}

Answer with the move that you choose on the last line, exactly as it is spelled in the list, and nothing after it."""

QUESTION = """You are {side}.

{board}
FEN: {fen}
Moves so far: {moves}
Legal moves: {legal}

Your move?"""

AGAIN = "`{answer}` is not a legal move. Answer with one of: {legal}"


class LanguageModel(arena.Engine):
    """An engine that asks a language model."""

    name = "language-model"
    version = "1"

    def __init__(
        self,
        url: Optional[str] = None,
        model: Optional[str] = None,
        key: Optional[str] = None,
        attempts: int = 3,
        timeout: float = 120.0,
    ) -> None:
        self.url = url or os.environ.get("ARENA_LLM_URL", "http://localhost:11434/v1")
        self.model = model or os.environ.get("ARENA_LLM_MODEL", "default")
        self.key = key or os.environ.get("ARENA_LLM_KEY", "")
        self.attempts = attempts
        self.timeout = timeout

    def play(self, state: arena.State, limit: Limit) -> str:
        """Asks until the answer is legal, at most `attempts` times."""
        legal = state.legal_moves()
        stat = {"requests": 0, "illegal": 0, "failures": 0, "replaced": 0}
        messages = prompt(state)
        move = None
        while move is None and stat["requests"] < self.attempts:
            stat["requests"] += 1
            try:
                answer = self.ask(messages, limit)
            except (OSError, ValueError, LookupError) as error:
                stat["failures"] += 1
                self.info(string=f"the server failed: {error}")
                continue
            move = last_move(answer, legal)
            if move is None:
                stat["illegal"] += 1
                shown = answer.strip().splitlines()[-1][:80] if answer.strip() else ""
                again = AGAIN.format(answer=shown, legal=" ".join(legal))
                messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": again}]
        if move is None:
            stat["replaced"] = 1
            move = legal[0]
        self.info(stat=stat)
        return move

    def ask(self, messages: list[dict[str, str]], limit: Limit) -> str:
        """One request to the server.

        Raises:
            OSError: if the server does not answer.
            ValueError, LookupError: if its answer has another form.
        """
        body = json.dumps({"model": self.model, "messages": messages, "temperature": 0}).encode()
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(f"{self.url.rstrip('/')}/chat/completions", body, headers)
        seconds = min(self.timeout, limit.longest() or self.timeout)
        with urllib.request.urlopen(request, timeout=seconds) as response:
            answer: Any = json.load(response)
        content = answer["choices"][0]["message"]["content"]
        if not isinstance(content, str):
            raise ValueError("the answer has no text")
        return content


def prompt(state: arena.State) -> list[dict[str, str]]:
    """The conversation before the first answer."""
    info = arena.info(state.game)
    # The examples of a rules page are for programs, and long.
    rules = re.split(r"^## Examples", info.rules, flags=re.MULTILINE)[0]
    side = ("White, the first player", "Black, the second player")[state.current_player()]
    question = QUESTION.format(
        side=side,
        board=state,
        fen=state.fen,
        moves=" ".join(state.moves) or "none",
        legal=" ".join(state.legal_moves()),
    )
    return [
        {"role": "system", "content": SYSTEM.format(name=info.name, rules=rules)},
        {"role": "user", "content": question},
    ]


def last_move(answer: str, legal: list[str]) -> Optional[str]:
    """The move on the last line of an answer that is not empty, if it is legal there."""
    lines = [line.strip(" \t.`*\"'") for line in answer.splitlines() if line.strip()]
    if not lines:
        return None
    words = [word.strip("`\"'.,;") for word in lines[-1].split()]
    return next((word for word in [lines[-1], *reversed(words)] if word in legal), None)
