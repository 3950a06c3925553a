"""Measures random play: `VectorEnv` and `State`, and games of OpenSpiel and Pgx if these are installed.

Run: python bench/speed.py [--runs N] [--seconds S] [--only arena|openspiel|pgx]

The unit is moves per second of processor time, over all threads of the process, so that other work on the machine and
the number of threads matter little. Each line is the median of the runs, with the slowest and the fastest.
"""

import argparse
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator

Work = Callable[[], int]
"""Plays some moves and returns their number."""

N_GAMES = 256


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of each run")
    parser.add_argument("--only", choices=["arena", "openspiel", "pgx"])
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {processor()}, {arguments.runs} runs of {arguments.seconds} s")
    sources = {"arena": of_arena, "openspiel": of_openspiel, "pgx": of_pgx}
    for name, source in sources.items():
        if arguments.only in (None, name):
            try:
                for label, work in source():
                    report(label, work, arguments.runs, arguments.seconds)
            except ImportError as error:
                print(f"{name}: not measured, {error}")


def report(label: str, work: Work, runs: int, seconds: float) -> None:
    work()
    speeds = []
    for _ in range(runs):
        begun, n_moves = time.process_time(), 0
        while time.process_time() - begun < seconds:
            n_moves += work()
        speeds.append(n_moves / (time.process_time() - begun))
    print(f"{label:58} {statistics.median(speeds):12,.0f}  ({min(speeds):,.0f} to {max(speeds):,.0f})", flush=True)


def of_arena() -> Iterator[tuple[str, Work]]:
    import arena

    for game in arena.games():
        for observations, what in [(False, ""), (True, ", observations")]:
            env = arena.VectorEnv(game, N_GAMES, observations=observations, legal_mask=False)
            yield f"arena VectorEnv {game}{what}", vector_work(env)
        env = arena.VectorEnv(game, N_GAMES)
        yield f"arena VectorEnv {game}, observations, masks", vector_work(env)
    for game in arena.games():
        state = arena.Game(game)
        yield f"arena State {game}", lambda state=state: one_game(state)


def vector_work(env: "object") -> Work:
    def work() -> int:
        for _ in range(10):
            env.step(env.sample())  # type: ignore[attr-defined]
        return 10 * N_GAMES

    return work


def of_openspiel() -> Iterator[tuple[str, Work]]:
    import pyspiel

    for name in ["breakthrough", "othello", "chess"]:
        game = pyspiel.load_game(name)
        yield f"OpenSpiel State {name}", lambda game=game: one_game(game)


def one_game(game: "object") -> int:
    """One random game with the interface of OpenSpiel, which both have."""
    state = game.new_initial_state()  # type: ignore[attr-defined]
    n_moves = 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        n_moves += 1
    return n_moves


def of_pgx() -> Iterator[tuple[str, Work]]:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    for name in ["animal_shogi", "othello", "gardner_chess", "chess"]:
        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def play(state: "object", key: "object") -> "object":
            def one(carry: "object", key: "object") -> "object":
                logits = jnp.where(carry.legal_action_mask, 0.0, -jnp.inf)  # type: ignore[attr-defined]
                key, choice = jax.random.split(key)
                actions = jax.random.categorical(choice, logits, axis=-1)
                return step(carry, actions, jax.random.split(key, N_GAMES)), None  # noqa: B023

            state, _ = jax.lax.scan(one, state, jax.random.split(key, 10))
            return state

        play = jax.jit(play)
        state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), N_GAMES))
        held = {"state": state, "key": jax.random.PRNGKey(1)}

        def work(play: "object" = play, held: "dict[str, object]" = held) -> int:
            held["key"], key = jax.random.split(held["key"])
            held["state"] = jax.block_until_ready(play(held["state"], key))  # type: ignore[operator]
            return 10 * N_GAMES

        yield f"Pgx {name} (jitted, CPU, observations, masks)", work


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
