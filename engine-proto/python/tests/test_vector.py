"""`VectorEnv` plays the same games as `State`."""

import dataclasses

import numpy as np
import pytest

import arena
from arena import Buffers, State, VectorEnv


@pytest.mark.parametrize("threads", [1, 3])
def test_games_are_those_of_state(game: str, threads: int) -> None:
    n, n_steps = 5, 60
    env = VectorEnv(game, n, seed=11, threads=threads)
    states = [State.from_ugi(game, env.ugi(idx)) for idx in range(n)]
    n_ends = 0
    for _ in range(n_steps):
        for idx, state in enumerate(states):
            assert env.current_player[idx] == state.current_player()
            assert np.array_equal(env.observations[idx], state.observation_tensor())
            assert env.legal_actions(idx) == state.legal_actions()
            assert np.flatnonzero(env.legal_mask[idx]).tolist() == state.legal_actions()
        actions = env.sample().copy()
        env.step(actions)
        for idx, state in enumerate(states):
            state.apply_action(int(actions[idx]))
            assert env.rewards[idx].tolist() == state.rewards()
            assert env.terminated[idx] == state.is_terminal() and not env.truncated[idx]
            if state.is_terminal():
                n_ends += 1
                states[idx] = State.from_ugi(game, env.ugi(idx))
                assert states[idx].moves == []
    if game == "push":
        assert n_ends > 0


def test_seeds_and_threads() -> None:
    def play(seed: int, threads: int) -> "list[bytes]":
        env = VectorEnv("push", 40, start="6x6", seed=seed, threads=threads)
        seen = []
        for _ in range(50):
            env.step(env.sample())
            seen.append(env.observations.tobytes() + env.rewards.tobytes())
        return seen

    assert play(3, 1) == play(3, 2) == play(3, 5)
    assert play(3, 1) != play(4, 1)
    env = VectorEnv("push-push", 8, seed=5)
    first = env.sample().tolist()
    env.reset()
    assert env.sample().tolist() == first
    env.reset(seed=6)
    assert env.sample().tolist() != first


def test_truncation() -> None:
    env = VectorEnv("push-push", 4, max_moves=3, observations=False, legal_mask=False)
    for step in range(1, 7):
        env.step(env.sample())
        assert env.truncated.all() == (step % 3 == 0)
    assert env.ugi(0) == f"position fen {State('push-push').fen}"
    with pytest.raises(AttributeError, match="observations=True"):
        env.observations  # noqa: B018
    with pytest.raises(AttributeError, match="legal_mask=True"):
        env.legal_mask  # noqa: B018


def test_buffers_of_the_caller() -> None:
    n = 3
    pool = np.zeros((2, n, 17, 7, 7), np.float32)
    buffers = Buffers(
        pool[1], None, np.ones((n, 2), np.float32), np.ones(n, bool), np.ones(n, bool), np.ones(n, np.int8)
    )
    env = VectorEnv("push-push", n, buffers=buffers)
    assert env.observations is buffers.observations and pool[1].any() and not pool[0].any()
    assert not buffers.rewards.any() and not buffers.terminated.any()


def test_errors() -> None:
    env = VectorEnv("push-push", 3)
    good = env.sample().copy()
    before = [env.ugi(idx) for idx in range(3)]
    with pytest.raises(ValueError, match="action 588 of game 1 is not legal in `fen .*`; no game has changed"):
        env.step([good[0], 588, good[2]])
    assert [env.ugi(idx) for idx in range(3)] == before
    with pytest.raises(ValueError, match=r"actions have the shape \(2,\), but 3 games need \(3,\)"):
        env.step(good[:2])
    with pytest.raises(ValueError, match="actions must be integers"):
        env.step([0.5, 1.0, 2.0])
    with pytest.raises(ValueError, match="game 3 does not exist"):
        env.ugi(3)
    with pytest.raises(ValueError, match="`n` is 0"):
        VectorEnv("push", 0)
    with pytest.raises(ValueError, match="unknown game `go`"):
        VectorEnv("go", 1)
    wrong = env.buffers
    wrong.rewards = np.zeros((2, 2), np.float32)
    with pytest.raises(ValueError, match="array `rewards` has 4 items"):
        env.step(good)
    wrong.rewards = np.zeros((3, 4), np.float32)[:, ::2]
    with pytest.raises(ValueError, match="array `rewards` is not contiguous"):
        env.step(good)


def test_all_starts() -> None:
    for game in arena.games():
        for start in arena.info(game).starts:
            env = VectorEnv(game, 2, start=start.name, legal_mask=False)
            assert env.observation_shape == arena.Game(game, start.name).observation_tensor_shape()
            env.step(env.sample())


def test_wrong_arrays_and_actions_are_refused() -> None:
    env = arena.VectorEnv("push-push", 2)
    for actions in ([2**32, 2**40], [0], [[0, 0]]):
        with pytest.raises(ValueError, match="out of range|shape"):
            env.step(np.array(actions))
    with pytest.raises(ValueError, match="`n` is 1000000000000; it must be at most"):
        arena.VectorEnv("push", 10**12)
    shape = (2, *env.observation_shape)
    for observations in (
        np.asfortranarray(np.zeros(shape, np.float32)),
        np.zeros((2, *reversed(env.observation_shape)), np.float32),
        np.zeros(shape, np.float64),
    ):
        buffers = dataclasses.replace(env.buffers, observations=observations)
        with pytest.raises(ValueError, match="`buffers.observations`"):
            arena.VectorEnv("push-push", 2, buffers=buffers)
    with pytest.raises(TypeError, match="`buffers` is dict"):
        arena.VectorEnv("push-push", 2, buffers={})  # type: ignore[arg-type]
