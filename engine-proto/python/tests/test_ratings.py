"""`rate`, `evaluate`, `run` and `tune`."""

import json
import random
import subprocess
from pathlib import Path

import pytest

import arena
from arena import Program, Rating, State, evaluate, rate
from arena.engine import Limit
from arena.tournament import to_toml

pandas = pytest.importorskip("pandas")

REPOSITORY = Path(__file__).parents[3]
REFERENCE = REPOSITORY / "results" / "reference" / "matches.csv"


def test_the_numbers_are_those_of_arena_rate() -> None:
    table = pandas.read_csv(REFERENCE)
    ratings = rate(table, anchor={"random": 0}, series=["level-4", "level-7"])
    command = [arena.programs.find("arena"), "rate", str(REFERENCE), "--format", "json", "--anchor", "random=0"]
    expected = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    # The command knows the order of the games of the tournament; a table has none.
    expected["scopes"].sort(key=lambda scope: (scope["name"] != "overall", scope["name"]))
    assert ratings.standings == expected
    assert ratings.scopes[0] == "overall" and set(ratings.scopes[1:]) == set(arena.games())
    push = next(series for series in ratings.series if series["scope"] == "push")
    gained = push["steps"][0]["since_first"]["elo"]
    elo = {row["engine"]: row["elo"] for row in ratings.records("push")}
    assert push["first"] == "level-4" and gained == pytest.approx(elo["level-7"] - elo["level-4"])


def test_the_texts_are_those_of_arena_rate() -> None:
    ratings = rate(pandas.read_csv(REFERENCE))
    command = [arena.programs.find("arena"), "rate", str(REFERENCE)]
    table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    words = " ".join(table.split())
    for row in ratings.records():
        text = arena.ratings._elo(row)
        assert f"{row['engine']} {text} {row['matches']} " in words
        assert text in str(ratings) and text in ratings._repr_html_()


def test_pandas_reads_the_exported_positions(tmp_path: Path) -> None:
    command = [arena.programs.find("arena"), "export", str(REFERENCE.parent)]
    for file in ["positions.csv", "positions.parquet"]:
        output = ["--format", file.partition(".")[2], "--output", str(tmp_path / file)]
        subprocess.run([*command, *output], check=True)
    table = pandas.read_parquet(tmp_path / "positions.parquet")
    expected = pandas.read_csv(tmp_path / "positions.csv")
    assert len(table) > 10_000 and table["score"].isna().any()
    pandas.testing.assert_frame_equal(table, expected, check_dtype=False)


def test_frame_and_texts() -> None:
    ratings = rate(pandas.read_csv(REFERENCE))
    frame = ratings.frame("push")
    assert list(frame["engine"]) == [row["engine"] for row in ratings.records("push")]
    assert set(frame.columns) >= {"scope", "engine", "elo", "low", "high", "se", "matches", "score", "status"}
    assert set(ratings.rating("random")) == set(Rating.__annotations__)
    assert len(ratings.frame()) == sum(len(ratings.scope(name)["engines"]) for name in ratings.scopes)
    assert "overall: 300 matches" in str(ratings) and "<table>" in ratings._repr_html_()
    best, worst = frame["engine"].iloc[0], frame["engine"].iloc[-1]
    probability = ratings.probability_stronger(best, worst, "push")
    assert probability is None or 0.5 < probability <= 1
    with pytest.raises(ValueError, match="no scope `chess`; the scopes are overall"):
        ratings.scope("chess")
    with pytest.raises(ValueError, match="no engine `nobody` in the scope `overall`"):
        ratings.rating("nobody")


def test_columns_are_optional_and_results_can_be_points() -> None:
    chance = random.Random(1)
    matches = [
        {"white": "a", "black": "b", "result": 1.0 if chance.random() < 0.7 else 0.0} for _ in range(200)
    ]
    ratings = rate(matches)
    assert ratings.scopes == ["overall", "game"]
    a, b = ratings.rating("a"), ratings.rating("b")
    assert a["elo"] > b["elo"] and a["elo"] + b["elo"] == pytest.approx(0)
    difference = a["elo"] - b["elo"]
    assert 80 < difference < 230, "70 % of the points are 147 Elo"
    assert a["low"] < a["elo"] < a["high"]
    wide = rate(matches, validity="any-time").rating("a")
    assert wide["high"] - wide["low"] > a["high"] - a["low"]
    assert rate(matches, bootstrap=50).rating("a", "game")["se_bootstrap"] > 0
    assert rate([]).scopes == []


def test_errors_name_the_row() -> None:
    good = {"white": "a", "black": "b", "result": "1-0"}
    for rows, arguments, message in [
        ([good, {"white": "a", "black": "b"}], {}, "match 1: no value in the column `result`"),
        ([{**good, "result": "2-0"}], {}, "match 0: "),
        ([{**good, "black": "a"}], {}, "match 0: "),
        ([good], {"anchor": {"c": 0}}, "`anchor`: no engine is named `c`; the engines are a, b"),
        ([good], {"anchor": {"a": 0, "b": 1}}, "`anchor` names 2 engines"),
        ([good], {"series": ["x"]}, "`series`: no engine is named `x`"),
        ([good], {"confidence": 1.5}, "confidence 1.5"),
        ([good], {"validity": "now"}, "validity `now` is unknown"),
    ]:
        with pytest.raises(ValueError) as error:
            rate(rows, **arguments)
        assert message in str(error.value)


def greedy(state: State) -> int:
    """Takes a win in one move."""
    for action in state.legal_actions():
        if state.child(action).winner == state.current_player():
            return action
    return state.legal_actions()[0]


def test_evaluate() -> None:
    n_batches = []

    @arena.batched
    def batch(states: "list[State]") -> "list[int]":
        n_batches.append(len(states))
        return [state.legal_actions()[-1] for state in states]

    anchors = {"random": Program([arena.programs.find("random")], {"Seed": 3}, Limit(nodes=1))}
    policies = {"first": greedy, "second": arena.RandomPolicy(2), "third": batch}
    games = ["push-push", arena.Game("push", "6x6")]
    results = evaluate(policies, games, anchors=anchors, pairs=3, max_plies=40)
    assert len(results.matches) == 6 * 2 * 3 * 2
    assert max(n_batches) > 6, "matches are played together"
    assert {row["game"] for row in results.matches} == {"push-push", "push"}
    for row in results.matches:
        same = [one for one in results.matches if one["pair"] == row["pair"]]
        assert len(same) == 2 and same[0]["white"] == same[1]["black"] and same[0]["opening"] == same[1]["opening"]
        state = State(row["game"], fen=row["opening"], moves=row["moves"].split())
        assert state.move_number() == row["plies"] <= 40
        assert (state.end_reason or "move-cap") == row["reason"]
        assert row["result"] == {None: "1/2-1/2", 0: "1-0", 1: "0-1"}[state.winner]
    assert results.ratings.names == ["first", "second", "third"]
    assert len(results.matches_frame()) == len(results.matches)
    again = evaluate({"a": arena.RandomPolicy(1), "b": arena.RandomPolicy(2)}, "push-push", pairs=2)
    twin = evaluate({"a": arena.RandomPolicy(1), "b": arena.RandomPolicy(2)}, arena.Game("push-push"), pairs=2)
    assert again.matches == twin.matches


def test_evaluate_errors() -> None:
    with pytest.raises(ValueError, match="at least two engines"):
        evaluate({"a": greedy}, "push")
    with pytest.raises(ValueError, match="`a` is the name of a policy and of an anchor"):
        evaluate({"a": greedy}, "push", anchors={"a": greedy})
    with pytest.raises(ValueError, match="action 588 is not legal|engine `bad`"):
        evaluate({"a": greedy, "bad": lambda state: 588}, "push-push", pairs=1)


def test_levels_are_anchors() -> None:
    results = evaluate(
        {"random": arena.RandomPolicy()}, "push-push", anchors=arena.levels([1, 2], Limit(nodes=300)), pairs=4
    )
    assert {row["engine"] for row in results.ratings.records()} == {"random", "level-1", "level-2"}


def test_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament of the real arena with an engine in Python."""
    (tmp_path / "agent_for_run.py").write_text("def policy(state):\n    return state.legal_actions()[0]\n")
    config = {
        "tournament": {"name": "from python", "pairs": 2, "concurrency": 1, "pin": False},
        "limits": {"nodes": 50, "max-plies": 30},
        "game": [{"id": "push-push", "opening-plies": 2}],
        "engine": [
            arena.python_engine("agent_for_run:policy"),
            {"name": "random", "command": arena.programs.find("random"), "options": {"Seed": 4}},
        ],
    }
    monkeypatch.chdir(tmp_path)
    results = arena.run(config, arguments=["--no-report"])
    assert results.folder == Path("results") / "from python" and len(results.matches) == 4
    assert {row["engine"] for row in results.ratings.records("push-push")} == {"policy", "random"}
    assert not {row["reason"] for row in results.matches} & {"crash", "illegal-move", "protocol-error", "time"}
    (tmp_path / "mine.toml").write_text(to_toml(config))
    again = arena.run(tmp_path / "mine.toml", results=tmp_path / "other", arguments=["--no-report"])
    assert [row["result"] for row in again.matches] == [row["result"] for row in results.matches]
    with pytest.raises(arena.RunError, match="unknown key|pears") as error:
        arena.run({"tournament": {"pears": 2}}, results=tmp_path / "bad")
    assert error.value.code == 3


TUNED = """
import random, arena

class Tuned(arena.Engine):
    name = "mine"
    options = ["option name Margin type spin default 50 min 0 max 100"]

    def set_option(self, name, value):
        self.margin = int(value)

    def play(self, state, limit):
        # It resigns the more often, the further its option is from 80.
        chance = random.Random(f"{state.fen} {self.margin}").random()
        return "resign" if chance < abs(self.margin - 80) / 60 else state.legal_actions()[0]
"""


def test_tune(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real tuning of an engine in Python whose strength is a known function of its option."""
    (tmp_path / "tuned_engine.py").write_text(TUNED)
    config = {
        "tournament": {"name": "python", "pairs": 200, "concurrency": 2, "pin": False},
        "limits": {"nodes": 1, "max-plies": 6},
        "game": [{"id": "push-push"}],
        "engine": [arena.python_engine("tuned_engine:Tuned", "mine")],
        "tune": {
            "weights": {"push-push": 2},
            "option": [{"name": "margin", "min": 0, "max": 1, "step": 0.15, "scale": 100}],
        },
    }
    monkeypatch.chdir(tmp_path)
    tuned = arena.tune(config, arguments=["--no-report"])
    assert (tuned.verdict, tuned.verdict_at, tuned.has_moved) == ("h1", None, True)
    (option,) = tuned.options
    assert (option["name"], option["start"]) == ("Margin", 0.5)
    assert abs(option["mean"] - 0.8) < 0.2 and 0 < option["chance"] < 0.3
    assert tuned.values == {"Margin": f"{100 * option['mean']:.0f}"}
    assert tuned.folder == Path("results") / "python" and (tuned.folder / "tune.html").is_file()
    frame = tuned.frame()
    assert list(frame.columns) == ["point", "score", "Margin"] and len(frame) == 201
    assert frame["Margin"][0] == 0.5 and pandas.isna(frame["score"][0]) and frame["point"][200] == 200
    again = arena.tune(config, arguments=["--no-proof"])
    assert (again.values, again.points, again.verdict) == (tuned.values, tuned.points, None)
    with pytest.raises(arena.RunError, match="`push` is not played") as error:
        arena.tune({**config, "tune": {**config["tune"], "weights": {"push": 2}}}, results=tmp_path / "bad")
    assert error.value.code == 3


def test_toml() -> None:
    config = {
        "tournament": {"name": 'a "b"\n', "pairs": 2, "pin": True, "none": None},
        "stop": {"precision": {"elo": 20.5}},
        "engine": [{"name": "x", "args": ["-c", "é"], "options": {"Multi PV": 2}}, {"name": "y"}],
    }
    assert to_toml(config) == (
        '[tournament]\nname = "a \\"b\\"\\n"\npairs = 2\npin = true\n\n[stop]\nprecision = { elo = 20.5 }\n\n'
        '[[engine]]\nname = "x"\nargs = ["-c", "é"]\noptions = { "Multi PV" = 2 }\n\n[[engine]]\nname = "y"\n'
    )
    with pytest.raises(TypeError, match="cannot be written as TOML"):
        to_toml({"a": {1, 2}})


def test_plot() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    table = pandas.read_csv(REFERENCE)
    axes = rate(table).plot("push")
    assert len(axes.get_yticklabels()) == len(rate(table).records("push"))
    axes = rate(table, series=["level-4", "level-7"]).plot()
    assert [label.get_text() for label in axes.get_xticklabels()] == ["level-4", "level-7"]
    matplotlib.pyplot.close("all")
