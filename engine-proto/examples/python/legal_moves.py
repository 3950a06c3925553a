#!/usr/bin/env python3
"""An engine that knows no rules: it plays any of the moves that the arena tells it are legal, in every game.

The option `LegalMoves` makes this possible: an arena that finds it sends all legal moves after every position. To make a
player of your own of it, change `choose`: ask a model, a person, or a policy that was learned.

What the lines mean is in engine-proto/PROTOCOL.md. Check an engine with `arena check python3 legal_moves.py`. Arguments
are the ids of the games to play; without them, it plays all games of this repository.
"""

import random
import sys
from pathlib import Path

RULES = Path(__file__).resolve().parents[2].glob("games/src/*/rules.md")
GAMES = sys.argv[1:] or sorted(page.parent.name.replace("_", "-") for page in RULES)
LIMITS = {"p1time", "p2time", "movestogo", "movetime", "depth", "nodes"}
GO_WORDS = LIMITS | {"p1inc", "p2inc", "infinite", "drawoffer", "ponder"}


def main():
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    engine = Engine()
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            return
        if words:
            engine.obey(words)


class Engine:
    """What there is to know between two lines."""

    def __init__(self):
        self.seed = 0
        self.random = random.Random(self.seed)
        self.position = ""  # as the arena tells it: `fen <fen> moves <m> ...`
        self.legal_moves = []
        self.draws = False  # whether to accept every draw
        self.held = None  # the answer that waits for `stop`

    def obey(self, words):
        """Does what a line says. What we do not know we pass over."""
        match words:
            case ["ugi", *_]:
                say("id name legal-moves (Python)")
                say("id author A. N. Author")
                say("id version 1.1")
                say("id protocol ugi-2")
                if GAMES:
                    say(f"option name Game type combo default {GAMES[0]} var {' var '.join(GAMES)}")
                say("option name LegalMoves type check default false")
                say(f"option name Seed type spin default 0 min 0 max {2**63 - 1}")
                say("option name Draws type check default false")
                say("ugiok")
            case ["isready", *_]:
                say("readyok")
            case ["setoption", "name", name, "value", value] if name.lower() == "seed":
                if value.isdecimal() and int(value) < 2**63:
                    self.seed = int(value)
            case ["setoption", "name", name, "value", value] if name.lower() == "draws":
                self.draws = value == "true"
            case ["uginewgame", *_]:
                # The same seed plays the same game again.
                self.random = random.Random(self.seed)
            case ["position", *position]:
                self.position = " ".join(position)
                self.legal_moves = []
            case ["legalmoves", *moves]:
                self.legal_moves = moves
            case ["go", *limits]:
                self.go(limits)
            case ["stop", *_] if self.held is not None:
                say(f"bestmove {self.held}")
                self.held = None
            case ["query", *_]:
                say("response unknown")

    def go(self, words):
        """Answers at once, but for a search without an end: that one answers to `stop`."""
        answer = self.choose(search_moves(words))
        if self.draws and "drawoffer" in words:
            answer += " draw"
        if "infinite" in words or not LIMITS.intersection(words):
            self.held = answer
        else:
            say(f"bestmove {answer}")

    def choose(self, among):
        """The move to play in `self.position`: one of `self.legal_moves`, and of `among` if it names any of them."""
        moves = [move for move in self.legal_moves if move in among] or self.legal_moves
        if not moves:
            say("info string no legal moves were told: is the option LegalMoves on, or is the game over?")
            return "0000"
        move = self.random.choice(moves)
        say(f"info depth 0 nodes {len(moves)} pv {move}")
        return move


def search_moves(words):
    """The moves after `searchmoves`, up to the next word that `go` knows."""
    if "searchmoves" not in words:
        return []
    moves = words[words.index("searchmoves") + 1 :]
    ends = [place for place, word in enumerate(moves) if word in GO_WORDS]
    return moves[: ends[0]] if ends else moves


def say(line):
    print(line, flush=True)


if __name__ == "__main__":
    main()
