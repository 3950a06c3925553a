"""`State`: rules, actions, observations, texts."""

import copy
import pickle
import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from conftest import recorded

import arena
from arena import State

STARTS = [(game, start.name) for game in arena.games() for start in arena.info(game).starts]


def random_states(game: str, start: str, n_games: int, seed: int) -> "list[State]":
    """The states of random games, each as a copy."""
    chance = random.Random(seed)
    states = []
    for nth in range(n_games):
        state = State(game, start, seed=seed + nth)
        states.append(state.clone())
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            states.append(state.clone())
    return states


def test_recorded_games(game: str) -> None:
    """Every position, move and end of the recorded games, through actions."""
    for record in recorded(game):
        state = State(game, fen=record["start"])
        for step in record["steps"]:
            assert state.fen == step["fen"]
            assert state.legal_moves() == step["legal"]
            assert not state.is_terminal()
            assert state.current_player() == "wb".index(step["fen"].split(" ")[1])
            actions = state.legal_actions()
            moves = [state.action_to_string(action) for action in actions]
            assert sorted(moves) == step["legal"]
            assert len(set(actions)) == len(actions) and actions == sorted(actions)
            state.apply_action(state.string_to_action(step["move"]))
        assert state.fen == record["end"]
        result = record["result"]
        assert state.is_terminal() == (result is not None)
        if result is not None:
            assert state.end_reason == result["reason"]
            assert state.winner == {"w": 0, "b": 1, "draw": None}[result["winner"]]
            assert state.returns() == {"w": [1, -1], "b": [-1, 1], "draw": [0, 0]}[result["winner"]]
            assert state.current_player() == arena.TERMINAL_PLAYER
            assert state.legal_actions() == [] and state.legal_moves() == []
        assert State.from_ugi(game, state.ugi()) == state


@pytest.mark.parametrize(("game", "start"), STARTS)
def test_actions_and_undo(game: str, start: str) -> None:
    state = State(game, start)
    chance = random.Random(start)
    fens = [state.fen]
    for _ in range(60):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        assert all(0 <= action < state.num_distinct_actions() for action in actions)
        for action in actions:
            text = state.action_to_string(state.current_player(), action)
            assert state.string_to_action(state.current_player(), text) == action
        mask = state.legal_actions_mask()
        assert mask.dtype == np.bool_ and mask.shape == (state.num_distinct_actions(),)
        assert np.flatnonzero(mask).tolist() == actions
        assert state.legal_actions(1 - state.current_player()) == []
        child = state.child(actions[0])
        assert child.history() == [*state.history(), actions[0]]
        state.apply_action(chance.choice(actions))
        fens.append(state.fen)
    assert [player for player, _ in state.full_history()] == ["wb".index(fen.split()[1]) for fen in fens[:-1]]
    while len(fens) > 1:
        assert state.fen == fens.pop()
        player, action = state.full_history()[-1]
        state.undo_action(player, action)
    assert state.fen == fens[0] and state.moves == []
    with pytest.raises(IndexError, match="no move to take back"):
        state.undo_action()


def turned(fen_pair: "tuple[State, State]") -> None:
    """Both states show the same from the view of the side to move."""
    one, other = fen_pair
    first, second = one.observation_tensor(), other.observation_tensor()
    names = one.plane_names
    for name, plane, turned_plane in zip(names, first, second):
        if not name.startswith("viewer is second"):
            assert np.array_equal(plane, turned_plane), name
    assert one.legal_actions() == other.legal_actions()


@pytest.mark.parametrize(
    ("game", "fen", "turned_fen"),
    [
        ("tower-push", "7/7/7/3T3/3x3/2x1X2/7 w 0 0 w e2d2 1 12", "7/2x1X2/3X3/3T3/7/7/7 b 0 0 b c6d6 1 12"),
        ("tower-push", "x6/7/7/3T3/7/7/6X w 1 0 b - 0 20", "x6/7/7/3T3/7/7/6X b 0 1 w - 0 20"),
        ("push-push", "abcdcb1/7/7/3*3/7/A6/1BCDCBA w - - 3 8", "abcdcb1/6a/7/3*3/7/7/1BCDCBA b - - 3 8"),
        (
            "tower-of-power",
            "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSS1S3 w 1 1",
            "3s1sss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 b 1 1",
        ),
        (
            "push",
            "4rk/4pn/6/6/NP4/KR4 w 100000/000200/001000/011101/000102/200100 - 0 0 0",
            "4rk/4pn/6/6/NP4/KR4 b 001002/201000/101110/000100/002000/000001 - 0 0 0",
        ),
        (
            "four-towers",
            "2k/6/1L2l4/7p2/10/4l4/4L1L3/10/9/6/K2 w - R - - - 0 0",
            "2k/6/9/10/3l1l4/4L4/10/2P7/4L2l1/6/K2 b - - R - - 0 0",
        ),
    ],
)
def test_the_board_is_turned_for_black(game: str, fen: str, turned_fen: str) -> None:
    turned((State(game, fen=fen), State(game, fen=turned_fen)))


def test_side_to_move_need_not_alternate() -> None:
    state = State("tower-push", fen="x6/7/7/3T3/7/7/5xX w 2 0 b - 0 20")
    state.play("@c3")
    assert state.current_player() == 0
    mine, yours = state.observation_tensor(0), state.observation_tensor(1)
    to_move = [name.startswith("viewer to move") for name in state.plane_names].index(True)
    assert mine[to_move].all() and not yours[to_move].any()
    state.play("@c4")
    assert state.current_player() == 1
    assert state.full_history()[0][0] == state.full_history()[1][0] == 0


def test_observations(game: str) -> None:
    """Observations have their shape, values from 0 to 1, and differ between positions."""
    start = arena.info(game).starts[0].name
    states = random_states(game, start, 3, seed=5)
    shape = states[0].observation_tensor_shape()
    assert shape[0] == len(states[0].plane_names) == len(set(states[0].plane_names))
    seen = {}
    for state in states:
        for player in (0, 1):
            planes = state.observation_tensor(player)
            assert planes.dtype == np.float32 and planes.shape == shape
            assert 0 <= planes.min() and planes.max() <= 1
            key = (player, planes.tobytes())
            fields = state.fen.rsplit(" ", 2)[0], state.quiet, state.occurrences
            assert seen.setdefault(key, fields) == fields, "two positions look the same"
        if not state.is_terminal():
            assert np.array_equal(state.observation_tensor(), state.observation_tensor(state.current_player()))


def test_repetition_and_quiet() -> None:
    state = State("push-push", fen="a6/7/7/3*3/7/7/6A w - - 0 4")
    for nth, move in enumerate(["g1g2", "a7a6", "g2g1", "a6a7"] * 2):
        assert not state.is_terminal(), nth
        state.play(move)
    assert (state.end_reason, state.winner, state.occurrences) == ("repetition", None, 3)
    with pytest.raises(ValueError, match="the game is over"):
        state.apply_action(0)
    state.undo_action()
    assert not state.is_terminal()
    state = State("push-push", fen="a6/7/7/3*3/7/7/6A w - - 199 204")
    state.play("g1g2")
    assert (state.end_reason, state.quiet) == ("quiet", 200)


def test_texts(game: str) -> None:
    for state in random_states(game, arena.info(game).starts[0].name, 1, seed=3)[:40]:
        assert State(game, fen=state.fen).fen == state.fen
        again = State(game, fen=state.start_fen, moves=state.moves)
        assert again == state and hash(again) == hash(state)
        assert pickle.loads(pickle.dumps(state)) == state
        assert copy.deepcopy(state) == copy.copy(state) == state.clone() == state
        picture = ElementTree.fromstring(state._repr_svg_())
        assert picture.tag.endswith("svg") and "to move" in str(state)
        assert repr(state) == f"State({game!r}, fen={state.fen!r})".replace("'", '"')


def test_errors() -> None:
    for make, message in [
        (lambda: State("go"), "unknown game `go`; the games are tower-push"),
        (lambda: State("chess"), "chess is not available in Python; the games are tower-push"),
        (lambda: State("chess", fen="x"), "chess is not available in Python; the games are tower-push"),
        (lambda: State("push", "9x9"), "push has no start `9x9`; its starts are 8x8, 6x6"),
        (lambda: State("push", fen="x"), "`x` is not a FEN of push"),
        (lambda: State("push", "8x8", fen="x"), "give `start` or `fen`, not both"),
        (lambda: State("push-push", moves=["a1a9"]), "move `a1a9` is not legal in"),
        (lambda: State.from_ugi("push-push", "moves a1a2"), "is not `startpos` or `fen <fen>`"),
        (lambda: State.from_ugi("push-push", "startpos a1a2"), "is not `startpos` or `fen <fen>`"),
        (lambda: State("push-push").apply_action(588), "action 588 is not legal in"),
        (lambda: State("push-push").action_to_string(10**6), "action 1000000 is not legal in"),
        (lambda: State("push-push").observation_tensor(2), "player 2 does not exist"),
    ]:
        with pytest.raises(ValueError) as error:
            make()
        assert message in str(error.value)
    with pytest.raises(OverflowError):
        State("push").apply_action(-1)


def test_perft() -> None:
    assert State("push-push").perft(2) == 594
    assert State("four-towers").perft(2) == 2516


def test_game(game: str) -> None:
    one = arena.Game(game)
    state = one.new_initial_state()
    assert one.num_distinct_actions() == state.num_distinct_actions()
    assert one.observation_tensor_shape() == state.observation_tensor_shape()
    assert one.info.rules.startswith("# ") and one.plane_names == state.plane_names


def test_random_starts_have_seeds() -> None:
    fens = {State("push", "8x8", seed=seed).fen for seed in range(5)}
    assert len(fens) == 5
    assert State("push", "8x8", seed=3).fen == State("push", "8x8-3").fen


def test_documentation_has_all_planes() -> None:
    page = (Path(__file__).parents[1] / "docs" / "actions.md").read_text()
    for game in arena.games():
        names = State(game).plane_names
        rows = [f"| {nth} | {name} |" for nth, name in enumerate(names[:-4])]
        assert "\n".join(rows) in page, game
        for name in names[-4:]:
            assert f"| {name} |" in page
        assert f"{State(game).num_distinct_actions()}" in page
