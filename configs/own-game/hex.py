#!/usr/bin/env python3
"""Hex on a board of 5 by 5 cells, as a referee program: the rules of a game that the arena does not know.

It answers each line with a line of JSON. The lines are `info`, `startpos`, and `<fen>` with or without `moves <m> ...`.
"""

import json
import sys

SIZE = 5
START = "/".join([str(SIZE)] * SIZE) + " w 0 0"
WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)]
INFO = {
    "name": "Hex 5x5",
    "starts": [{"name": "5x5", "fen": START}],
    "reasons": ["connection"],
    "rules": "# Hex 5x5\n\nWhite connects rank 1 and rank 5, Black connects file a and file e.\n",
    "typical-plies": 16,
}


def parse(fen):
    """A dictionary from cells to owners, the side to move, and the number of moves."""
    board, side, _, ply = fen.split(" ")
    stones, ranks = {}, board.split("/")
    if len(ranks) != SIZE:
        raise ValueError(f"{len(ranks)} ranks instead of {SIZE}")
    for row, rank in enumerate(ranks):
        file = 0
        for sign in rank:
            if sign in "Ss":
                stones[file, SIZE - 1 - row] = "w" if sign == "S" else "b"
            file += 1 if sign in "Ss" else int(sign)
        if file != SIZE:
            raise ValueError(f"the rank {rank} does not have {SIZE} cells")
    return stones, side, int(ply)


def text(stones, side, ply):
    ranks = []
    for rank in reversed(range(SIZE)):
        cells = "".join({"w": "S", "b": "s"}.get(stones.get((file, rank)), ".") for file in range(SIZE))
        for run in range(SIZE, 0, -1):
            cells = cells.replace("." * run, str(run))
        ranks.append(cells)
    return f"{'/'.join(ranks)} {side} 0 {ply}"


def connects(stones, side):
    """Whether the stones of a side connect its two edges."""
    axis = 1 if side == "w" else 0
    reached = [cell for cell in stones if stones[cell] == side and cell[axis] == 0]
    for file, rank in reached:
        near = [(file + files, rank + ranks) for files, ranks in WAYS]
        reached += [cell for cell in near if stones.get(cell) == side and cell not in reached]
    return any(cell[axis] == SIZE - 1 for cell in reached)


def describe(line):
    fen, _, moves = line.partition(" moves ")
    stones, side, ply = parse(START if fen == "startpos" else fen)
    for move in moves.split():
        stones["abcde".index(move[0]), int(move[1:]) - 1] = side
        side, ply = ("b" if side == "w" else "w"), ply + 1
    winner = next((one for one in "wb" if connects(stones, one)), None)
    cells = [(file, rank) for file in range(SIZE) for rank in range(SIZE)]
    legal = ["abcde"[file] + str(rank + 1) for file, rank in cells if (file, rank) not in stones]
    end = winner and {"winner": winner, "reason": "connection"}
    return {"fen": text(stones, side, ply), "side": side, "legal": [] if end else legal, "end": end}


for line in sys.stdin:
    try:
        answer = INFO if line.strip() == "info" else describe(line.strip())
    except (ValueError, IndexError) as error:
        answer = {"error": {"field": "fen", "reason": str(error)}}
    print(json.dumps(answer), flush=True)
