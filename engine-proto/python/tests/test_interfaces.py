"""The interfaces of other packages, with the real packages."""

import random

import numpy as np
import pytest

import arena
from arena import State

pettingzoo = pytest.importorskip("pettingzoo")
gymnasium = pytest.importorskip("gymnasium")
pyspiel = pytest.importorskip("pyspiel")

from pettingzoo.test import api_test, seed_test  # noqa: E402

import arena.openspiel  # noqa: E402
import arena.pettingzoo  # noqa: E402
from arena.gym import SingleAgentEnv  # noqa: E402

arena.openspiel.register()


def test_pettingzoo_api(game: str) -> None:
    cycles = 30 if game == "four-towers" else 200
    api_test(arena.pettingzoo.env(game), num_cycles=cycles, verbose_progress=False)


def test_pettingzoo_api_of_raw_env_and_seeds() -> None:
    api_test(arena.pettingzoo.raw_env("push", "6x6"), num_cycles=300)
    seed_test(lambda: arena.pettingzoo.env("push", "6x6"), num_cycles=30)


def test_pettingzoo_same_agent_again() -> None:
    env = arena.pettingzoo.raw_env("tower-push", "5x5")
    env.reset()
    env.state_of_game = State("tower-push", fen="x3x/5/2T2/5/4X w 2 0 b - 0 20")
    env.agent_selection = "player_0"
    for move, agent in [("@a1", "player_0"), ("@b1", "player_1")]:
        env.step(env.state_of_game.string_to_action(move))
        assert env.agent_selection == agent
        assert env.observe(agent)["action_mask"].any()
        other = "player_1" if agent == "player_0" else "player_0"
        assert not env.observe(other)["action_mask"].any()


def test_pettingzoo_rewards_at_the_end() -> None:
    env = arena.pettingzoo.env("push-push", render_mode="ansi")
    env.reset()
    raw = env.unwrapped
    raw.state_of_game = State("push-push", fen="6a/3*3/3A3/7/7/7/7 w - - 0 20")
    seen = {}
    moves = ["d5d6", "g7g6", "d6d7"]
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        if terminated:
            seen[agent] = (reward, info["reason"])
            env.step(None)
        else:
            move = next(move for move in moves if move in raw.state_of_game.legal_moves())
            env.step(raw.state_of_game.string_to_action(move))
    assert seen == {"player_0": (1, "goal"), "player_1": (-1, "goal")}
    assert "Black to move" in (env.render() or "")


def test_pettingzoo_illegal_action_loses() -> None:
    env = arena.pettingzoo.env("push-push")
    env.reset()
    env.step(588)
    assert env.rewards == {"player_0": -1, "player_1": 0}


def test_gymnasium(game: str) -> None:
    env = SingleAgentEnv(game, max_moves=60)
    chance = np.random.default_rng(3)
    sides = set()
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        sides.add(info["player"])
        while True:
            assert env.observation_space.contains(observation)
            assert env.state.current_player() == info["player"]
            action = chance.choice(np.flatnonzero(observation["action_mask"]))
            observation, reward, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                assert reward == env.state.returns()[info["player"]]
                break
            assert reward == 0
    assert sides == {0, 1}


def test_gymnasium_with_policies() -> None:
    def first(state: State) -> int:
        return state.legal_actions()[0]

    env = SingleAgentEnv("push-push", first, side=1)
    env.reset(seed=1)
    assert env.state.history() == [State("push-push").legal_actions()[0]]
    with pytest.raises(ValueError, match="is not legal"):
        env.step(588)
    with pytest.raises(ValueError, match="side 2 does not exist"):
        SingleAgentEnv("push", side=2)
    same = [SingleAgentEnv("push", start="8x8"), SingleAgentEnv("push", start="8x8")]
    for one in same:
        one.reset(seed=5)
    assert same[0].state == same[1].state


def test_openspiel_random_games(game: str) -> None:
    name = f"arena_{game.replace('-', '_')}"
    one = pyspiel.load_game(name)
    assert arena.openspiel.register() == list(arena.openspiel.names()) and name in pyspiel.registered_names()
    chance = random.Random(2)
    state = one.new_initial_state()
    twin = State(game)
    while not state.is_terminal() and state.move_number() < 60:
        actions = state.legal_actions()
        assert actions == twin.legal_actions() and state.current_player() == twin.current_player()
        action = chance.choice(actions)
        assert state.action_to_string(action) == twin.action_to_string(action)
        state.apply_action(action)
        twin.apply_action(action)
    assert state.observation_tensor(0) == twin.observation_tensor(0).ravel().tolist()
    copy = state.clone()
    assert copy.history() == state.history() == twin.history() and str(copy) == twin.fen
    assert state.returns() == twin.returns()


def test_openspiel_mcts() -> None:
    """OpenSpiel's MCTS finds a win in one move."""
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("arena_push_push(fen=6a!3*3!3A3!7!7!7!7_w_-_-_0_20)")
    state = game.new_initial_state()
    state.apply_action(state.state.string_to_action("d5d6"))
    state.apply_action(state.state.string_to_action("g7g6"))
    random_state = np.random.RandomState(1)
    bot = mcts.MCTSBot(
        game, 2, 200, mcts.RandomRolloutEvaluator(1, random_state), solve=True, random_state=random_state
    )
    action = bot.step(state)
    state.apply_action(action)
    assert state.is_terminal() and state.returns() == [1, -1]


def test_openspiel_exploitability() -> None:
    """A small game tree: White wins by force, and a uniformly random policy can be exploited."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability, minimax

    game = pyspiel.load_game("arena_push_push(fen=3*3!3A2a!7!7!7!7!7_w_-_-_0_20,max_moves=2)")
    value, _ = minimax.alpha_beta_search(game)
    assert value == 1.0
    uniform = policy.UniformRandomPolicy(game)
    first = exploitability.exploitability(game, uniform)
    assert 0 < first < 1
    best = exploitability.best_response(game, uniform, 0)
    assert best["best_response_value"] == 1.0


def test_openspiel_alpha_rank() -> None:
    """Alpha-rank on a payoff table of policies that played our games."""
    from open_spiel.python.egt import alpharank

    payoffs = np.zeros((2, 2))

    def winner(state: State) -> int:
        for action in state.legal_actions():
            if state.child(action).winner == state.current_player():
                return action
        return state.legal_actions()[0]

    first = [lambda state: state.legal_actions()[0], winner]
    for row in range(2):
        for column in range(2):
            state = State("push-push", fen="3*3/3A2a/7/7/7/7/7 w - - 0 20", moves=[])
            while not state.is_terminal() and state.move_number() < 6:
                state.apply_action([first[row], first[column]][state.current_player()](state))
            payoffs[row, column] = state.returns()[0]
    assert payoffs[1, 0] == 1
    _, _, pi, _, _ = alpharank.compute([payoffs - payoffs.T], m=20, alpha=10)
    assert pi.argmax() == 1 and np.isclose(pi.sum(), 1)
