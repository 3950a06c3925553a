#!/usr/bin/env python3
"""An engine for one game, Push Push, that knows the rules itself and looks two plies ahead.

The rules, and the names used here, are in engine-proto/games/src/push_push/rules.md; what the lines mean is in
engine-proto/PROTOCOL.md. There is no thread: a search is short, and between two lines nothing happens.
"""

import sys
import time

LIMITS = ["p1time", "p2time", "p1inc", "p2inc", "movestogo", "movetime", "depth", "nodes"]
GO_WORDS = LIMITS + ["infinite", "drawoffer", "ponder"]
START = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0"
SIZE = 7
CENTRE = 3
VALUE = {"A": 1, "B": 2, "C": 3, "D": 4, "a": 1, "b": 2, "c": 3, "d": 4, "*": 0}
DIRECTIONS = [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if (df, dr) != (0, 0)]
QUIET_LIMIT = 200
WIN = 100_000
OVERHEAD = 0.02  # seconds between our answer and the arena's reading it, and some more


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
        self.position = Position.read(START.split())
        self.end = None
        self.options = {"resign": False, "draws": False}
        self.held = None  # the answer that waits for `stop`

    def obey(self, words):
        """Does what a line says. What we do not know we pass over."""
        match words:
            case ["ugi", *_]:
                say("id name push-push (Python)")
                say("id author A. N. Author")
                say("id version 1.1")
                say("id protocol ugi-2")
                say("option name Game type combo default push-push var push-push")
                say("option name Resign type check default false")
                say("option name Draws type check default false")
                say("ugiok")
            case ["isready", *_]:
                say("readyok")
            case ["position", *words]:
                try:
                    self.set_up(words)
                except ValueError as error:
                    say(f"info string error: {error}; the position is not changed")
            case ["setoption", "name", name, "value", value] if name.lower() in self.options:
                self.options[name.lower()] = value == "true"
            case ["go", *words]:
                self.go(words)
            case ["stop", *_] if self.held is not None:
                say(f"bestmove {self.held}")
                self.held = None
            case ["query", "p1turn"]:
                say(f"response {spelled(self.position.side == 'w')}")
            case ["query", "gameover"]:
                say(f"response {spelled(self.end is not None)}")
            case ["query", "result"]:
                say(f"response {self.end or 'none'}")
            case ["query", "legalmoves"]:
                say(" ".join(["response", *(self.position.moves() if self.end is None else [])]))
            case ["query", "perft", depth] if depth.isdecimal():
                say(f"response {self.position.perft(int(depth))}")
            case ["query", "fen"]:
                say(f"response {self.position}")
            case ["query", *_]:
                say("response unknown")

    def set_up(self, words):
        """Sets up `startpos` or `fen <fen>`, and plays what follows `moves`."""
        place = words.index("moves") if "moves" in words else len(words)
        fields = START.split() if words[:place] == ["startpos"] else words[1:place]
        position = Position.read(fields)
        seen = [position.key()]
        for move in words[place + 1 :]:
            if move not in position.moves():
                raise ValueError(f"illegal move {move}")
            position = position.after(move)
            seen.append(position.key())
        self.position = position
        self.end = position.end()
        if self.end is None and (seen.count(seen[-1]) >= 3 or position.quiet >= QUIET_LIMIT):
            self.end = "draw"

    def go(self, words):
        if self.end is not None:
            say("bestmove 0000")
            return
        limits = read_limits(words)
        score, answer = Search(limits, self.position.side).best_move(self.position, search_moves(words))
        if self.options["resign"] and score <= -WIN:
            answer = "resign"
        elif self.options["draws"] and "drawoffer" in words and score <= 0:
            answer += " draw"
        if "infinite" in words or not limits:
            self.held = answer
        else:
            say(f"bestmove {answer}")


class Search:
    """One search, two plies deep at the most."""

    def __init__(self, limits, side):
        self.begun = time.monotonic()
        self.seconds = seconds_to_think(limits, side)
        self.max_nodes = limits.get("nodes", float("inf"))
        self.max_depth = limits.get("depth", 2)
        self.nodes = 0

    def best_move(self, position, among):
        """The best move with its score: of those in `among`, if any of them is legal."""
        moves = [move for move in position.moves() if move in among] or list(position.moves())
        score, best = 0, moves[0]
        for depth in range(1, min(max(self.max_depth, 1), 2) + 1):
            found = self.best_at(position, moves, depth)
            if found is None:
                break
            score, best = found
            # The best move comes first in the next, deeper look.
            moves.sort(key=lambda move: move != best)
            milliseconds = int(1000 * (time.monotonic() - self.begun))
            say(f"info depth {depth} score {shown(score)} nodes {self.nodes} time {milliseconds} pv {best}")
        return score, best

    def best_at(self, position, moves, depth):
        """The best score with its move; None if there is no time to find it."""
        best = None
        for move in moves:
            if self.is_over():
                return None
            score = -self.value(position.after(move), depth - 1, -best[0] if best else WIN + 1)
            if best is None or best[0] < score:
                best = (score, move)
        return best

    def value(self, position, depth, enough):
        """The value for the side to move; not exact once it is `enough` for the move before to be a bad one."""
        self.nodes += 1
        if position.goal != "-":
            return WIN if position.goal == position.side else -WIN
        if depth == 0:
            return position.balance()
        best = -WIN - 1
        for move in position.moves():
            best = max(best, -self.value(position.after(move), depth - 1, WIN + 1))
            if best >= enough or self.is_over():
                break
        return best

    def is_over(self):
        return self.nodes >= self.max_nodes or time.monotonic() - self.begun >= self.seconds


class Position:
    """A position of Push Push. Squares are pairs of file and rank, both from 0."""

    def __init__(self, board, side, first, goal, quiet, ply):
        self.board = board  # what stands on a square; empty squares are left out
        self.side = side
        self.first = first
        self.goal = goal
        self.quiet = quiet
        self.ply = ply
        self.found_moves = None

    @staticmethod
    def read(fields):
        """The position of a FEN's fields; ValueError if they are none."""
        if len(fields) != 6:
            raise ValueError("a FEN has six fields")
        ranks, side, first, goal, quiet, ply = fields
        board = {}
        for rank, text in zip(range(SIZE - 1, -1, -1), ranks.split("/")):
            file = 0
            for char in text:
                if char in VALUE:
                    board[file, rank] = char
                    file += 1
                else:
                    file += int(char)
        return Position(board, side, first, goal, int(quiet), int(ply))

    def __str__(self):
        """The FEN."""
        ranks = []
        for rank in range(SIZE - 1, -1, -1):
            text, empty = "", 0
            for file in range(SIZE):
                thing = self.board.get((file, rank))
                if thing is None:
                    empty += 1
                else:
                    text, empty = f"{text}{empty or ''}{thing}", 0
            ranks.append(f"{text}{empty or ''}")
        return f"{'/'.join(ranks)} {self.side} {self.first} {self.goal} {self.quiet} {self.ply}"

    def perft(self, depth):
        """The number of sequences of so many moves."""
        if depth == 0:
            return 1
        if self.end() is not None:
            return 0
        return sum(self.after(move).perft(depth - 1) for move in self.moves())

    def key(self):
        """What repetition compares."""
        return (frozenset(self.board.items()), self.side, self.first, self.goal)

    def end(self):
        """How the game is over by its own rules, in the words of `query result`."""
        if self.goal != "-":
            return "p1win" if self.goal == "w" else "p2win"
        return None if any(piece != "*" for piece in self.board.values()) else "draw"

    def is_own(self, piece):
        return piece != "*" and piece.isupper() == (self.side == "w")

    def moves(self):
        """All legal moves, each with the pairs of square and new square of all that it moves; None is off the board."""
        if self.found_moves is None:
            self.found_moves = self.find_moves()
        return self.found_moves

    def find_moves(self):
        moves = {}
        for square, piece in self.board.items():
            if self.is_own(piece):
                for direction in DIRECTIONS:
                    self.add_steps(moves, square, direction)
        return moves or {"pass": []}

    def add_steps(self, moves, square, direction):
        target = along(square, direction)
        if not is_on_board(target) or self.is_forbidden(square, target):
            return
        text = name(square) + name(target)
        piece, other = self.board[square], self.board.get(target)
        if other is None:
            moves[text] = [(square, target)]
            return
        if VALUE[piece] == 1 and VALUE[other] == 4 and not self.is_own(other):
            moves[text] = [(target, None), (square, target)]
            return

        chain = [square]
        while target in self.board:
            if VALUE[self.board[target]] >= VALUE[self.board[chain[-1]]]:
                return
            chain.append(target)
            if self.board[target] == "*":
                break
            target = along(target, direction)
        pushed = list(zip(chain, chain[1:]))
        last = chain[-1]
        beyond = along(last, direction)
        if self.board[last] != "*":
            moves[text] = [(last, beyond if is_on_board(beyond) else None), *reversed(pushed)]
            return
        if beyond not in self.board and (is_on_board(beyond) or 0 <= beyond[0] < SIZE):
            moves[text] = [(last, beyond), *reversed(pushed)]
        if 0 in direction and is_edge(chain[-2]) and is_edge(last):
            beside = deflected(last, beyond, direction)
            if beside not in self.board:
                moves[text + "d"] = [(last, beside), *reversed(pushed)]

    def is_forbidden(self, square, target):
        """Black's first move may not answer White's in line with the centre."""
        if self.first == "-" or VALUE[self.board[square]] != int(self.first[0]):
            return False
        x1, y1 = ord(self.first[1]) - ord("a") - CENTRE, int(self.first[2]) - 1 - CENTRE
        x2, y2 = target[0] - CENTRE, target[1] - CENTRE
        return x1 * y2 == x2 * y1

    def after(self, move):
        """The position after a legal move."""
        board = dict(self.board)
        goal, is_progress = "-", False
        for start, target in self.moves()[move]:
            thing = board.pop(start)
            if target is None:
                is_progress = True
            elif is_on_board(target):
                board[target] = thing
            else:
                goal = "w" if target[1] == SIZE else "b"
        first = "-"
        if self.ply == 0 and self.side == "w" and move != "pass":
            first = f"{VALUE[board[square_named(move[2:4])]]}{move[2:4]}"
        side = "b" if self.side == "w" else "w"
        return Position(board, side, first, goal, 0 if is_progress else self.quiet + 1, self.ply + 1)

    def balance(self):
        """How good it looks for the side to move: pieces, and how far the ball has gone."""
        white = 0
        for (_, rank), thing in self.board.items():
            if thing == "*":
                white += 40 * (rank - CENTRE)
            else:
                white += (50 + 50 * VALUE[thing]) * (1 if thing.isupper() else -1)
        return white if self.side == "w" else -white


def along(square, direction):
    return (square[0] + direction[0], square[1] + direction[1])


def is_on_board(square):
    return 0 <= square[0] < SIZE and 0 <= square[1] < SIZE


def is_edge(square):
    return square[0] in (0, SIZE - 1) or square[1] in (0, SIZE - 1)


def deflected(ball, beyond, direction):
    """Where a ball goes that is pushed along the edge and turns inward."""
    aside = (direction[1], direction[0])
    if not is_on_board(along(ball, aside)):
        aside = (-aside[0], -aside[1])
    return along(beyond if is_on_board(beyond) else ball, aside)


def name(square):
    return "abcdefg"[square[0]] + str(square[1] + 1)


def square_named(text):
    return (ord(text[0]) - ord("a"), int(text[1]) - 1)


def read_limits(words):
    """The limits of a `go`, by their names; a time below zero is none."""
    limits = {}
    for word, number in zip(words, words[1:]):
        if word in LIMITS and number.lstrip("-").isdecimal():
            limits[word] = max(int(number), 0)
    return limits


def search_moves(words):
    """The moves after `searchmoves`, up to the next word that `go` knows."""
    if "searchmoves" not in words:
        return []
    moves = words[words.index("searchmoves") + 1 :]
    ends = [place for place, word in enumerate(moves) if word in GO_WORDS]
    return moves[: ends[0]] if ends else moves


def seconds_to_think(limits, side):
    """How long a search may take: by its time for one move, and by a part of what the clock of `side` has left."""
    us = "p1" if side == "w" else "p2"
    seconds = []
    if "movetime" in limits:
        seconds.append(limits["movetime"] / 1000 - OVERHEAD)
    if us + "time" in limits:
        left = limits[us + "time"] / 1000
        share = left / min(limits.get("movestogo", 20) + 1, 20) + limits.get(us + "inc", 0) / 2000
        seconds.append(min(share, left / 2) - OVERHEAD)
    return max(min(seconds, default=float("inf")), 0)


def shown(score):
    if abs(score) < WIN:
        return f"cp {score}"
    return "win 1" if 0 < score else "loss 1"


def spelled(truth):
    return "true" if truth else "false"


def say(line):
    print(line, flush=True)


if __name__ == "__main__":
    main()
