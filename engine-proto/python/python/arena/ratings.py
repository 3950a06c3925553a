"""Ratings from the results of matches. All numbers come from the Rust crate `ratings`, as in `arena rate`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, TypedDict, Union, cast

from arena._core import rate_rows

if TYPE_CHECKING:
    import pandas as pd

Match = Mapping[str, Any]
"""One match, by the names of columns: see `rate`."""

OVERALL = "overall"
"""The name of the scope of all games together."""

_COLUMNS = ["game", "white", "black", "result", "pair", "opening", "moves", "reason"]


class Rating(TypedDict):
    """The rating of one engine in one scope. Elo is relative to the mean of the pool, or to the anchor.

    Keys:
        scope: `overall`, or a game.
        engine: The name.
        status: `bounded` if there is a rating with two ends, otherwise why not: `above`, `below`, `too early`
            and so on.
        pool: From 1. Engines of different pools are not connected by matches and cannot be compared.
        estimate: Elo; the number that tables show and sort by. None if the engine never started, or met nobody
            of its pool.
        estimate_kind: `rating`, or `regularised`: a rough number for engines without a two-sided rating.
        elo: The rating; None without a two-sided one.
        low: The lower end of the interval; None if it is unbounded.
        high: The upper end of the interval; None if it is unbounded.
        rough_zero: Whether at least half of the pool's numbers, of which 0 is the mean, have no interval: that of this
            rating is then of the difference to the mean of the others.
        se: The standard error in Elo; None if the interval does not come from one.
        se_pairs: The standard error for exactly these openings; None overall.
        se_bootstrap: The standard error by the bootstrap (`arena rate --bootstrap`).
        weak: Whether the prior still has a noticeable influence: too few matches.
        matches: Matches played.
        wins: Matches won.
        draws: Matches drawn.
        losses: Matches lost.
        forfeits: Losses by exceeded time, a crash, an illegal move and so on.
        score: 0 to 1: a win is 1 point, a draw 0.5, divided by `matches`.
        pairs: Independent units: the matches from one opening count together.
        decided: Of the fitted pairs, those in which one side scored more; None overall.
        fitted: All pairs except those against engines with a perfect score; None overall.
        few: Whether too few pairs were decided for a reliable result.
        openings: The effective number of openings that it shares with other pairings; 0 overall.
        rank_low: The best possible rank: 1 + the number of engines that are significantly stronger.
        rank_high: The worst possible rank.
        los_next: LOS over the next engine of the list: 1 minus the one-sided p-value.
        p_stronger_next: The probability of being stronger than the next engine of the list, 0 to 1.
    """

    scope: str
    engine: str
    status: str
    pool: int
    estimate: Optional[float]
    estimate_kind: str
    elo: Optional[float]
    low: Optional[float]
    high: Optional[float]
    rough_zero: bool
    se: Optional[float]
    se_pairs: Optional[float]
    se_bootstrap: Optional[float]
    weak: bool
    matches: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    score: float
    pairs: int
    decided: Optional[int]
    fitted: Optional[int]
    few: bool
    openings: float
    rank_low: Optional[int]
    rank_high: Optional[int]
    los_next: Optional[float]
    p_stronger_next: Optional[float]


@dataclass(frozen=True)
class Ratings:
    """The ratings of engines, overall and in each game."""

    standings: dict[str, Any]
    """All computed numbers: the JSON of `arena rate --format json`."""
    series: list[dict[str, Any]]
    """For the engines of `rate(series=...)`, one entry for each scope that rates them: their differences in Elo."""
    names: Optional[list[str]] = None
    """The engines of `rate(series=...)`, in their order."""

    @property
    def scopes(self) -> list[str]:
        """`overall`, then the games."""
        return [str(scope["name"]) for scope in self.standings["scopes"]]

    def scope(self, name: str = OVERALL) -> dict[str, Any]:
        """All numbers of one scope: `ratings::Scope` explains them.

        Raises:
            ValueError: if there is no such scope.
        """
        for scope in self.standings["scopes"]:
            if scope["name"] == name:
                return dict(scope)
        raise ValueError(f"no scope `{name}`; the scopes are {', '.join(self.scopes)}")

    def records(self, scope: Optional[str] = None) -> list[Rating]:
        """The rating of every engine, strongest first: of one scope, or of all. `Rating` explains the keys.

        `estimate` is the number that the records are sorted by. `elo`, `low` and `high` are the rating and its interval
        in Elo, and `se` its standard error. They are None where the matches do not determine them, and `status` says why;
        then `estimate` is a rough number (`estimate_kind` is `regularised`). `score` is from 0 to 1.
        """
        scopes = self.scopes if scope is None else [scope]
        return [cast(Rating, {"scope": name, **row}) for name in scopes for row in self.scope(name)["engines"]]

    def frame(self, scope: Optional[str] = None) -> pd.DataFrame:
        """`records()` as a DataFrame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.records(scope))

    def rating(self, engine: str, scope: str = OVERALL) -> Rating:
        """The rating of one engine in one scope. `Rating` explains its keys: among others `estimate` (Elo), `low`, `high`,
        `status`, `score` (0 to 1), `matches` and `pairs`.

        Raises:
            ValueError: if the scope or the engine does not exist.
        """
        for rating in self.records(scope):
            if rating["engine"] == engine:
                return rating
        raise ValueError(f"no engine `{engine}` in the scope `{scope}`")

    def probability_stronger(self, one: str, other: str, scope: str = OVERALL) -> Optional[float]:
        """The probability that an engine is stronger than another one, 0 to 1; None if they cannot be compared."""
        self.rating(one, scope), self.rating(other, scope)
        covariance = self.scope(scope)["covariance"]
        if covariance is None or not {one, other} <= set(covariance["engines"]) or "p_stronger" not in covariance:
            return None
        row, column = covariance["engines"].index(one), covariance["engines"].index(other)
        return float(covariance["p_stronger"][row][column])

    def plot(self, scope: str = OVERALL, ax: Any = None, order: Optional[Sequence[str]] = None) -> Any:
        """Draws the ratings with their intervals, with matplotlib. Returns the axes.

        With `order`, or for ratings with a `series`, it draws a curve through these engines, and the other engines as
        horizontal lines. One-sided intervals are drawn as arrows.
        """
        from arena._plot import plot

        return plot(self, scope, ax, list(order) if order is not None else self.names)

    def __str__(self) -> str:
        lines = []
        for name in self.scopes:
            scope = self.scope(name)
            lines.append(f"{name}: {scope['matches']} matches")
            width = max((len(rating["engine"]) for rating in scope["engines"]), default=0)
            for rating in scope["engines"]:
                counts = f"{rating['matches']:6} matches  {100 * rating['score']:5.1f}%"
                lines.append(f"  {rating['engine']:{width}}  {_elo(rating):>22}  {counts}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        columns = ["scope", "engine", "rating", "matches", "score"]

        def cell(value: Any) -> str:
            text = f"{100 * value:.1f}%" if isinstance(value, float) else str(value)
            return f"<td>{text.replace('&', '&amp;').replace('<', '&lt;')}</td>"

        head = "".join(f"<th>{column}</th>" for column in columns)
        shown = [{**row, "rating": _elo(row)} for row in self.records()]
        rows = ("<tr>" + "".join(cell(row[column]) for column in columns) + "</tr>" for row in shown)
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _elo(rating: Mapping[str, Any]) -> str:
    """The number of `arena rate`: with its interval, or `≈` and its bound."""
    estimate, low, high = rating["estimate"], rating["low"], rating["high"]
    if estimate is None:
        return str(rating["status"])
    if rating["rough_zero"]:
        return f"≈ {_whole(estimate)} (0 is rough)"
    if rating["estimate_kind"] == "rating":
        known = low is not None and high is not None
        return _interval(estimate, low, high) if known else f"{_whole(estimate)} ({rating['status']})"
    number = f"≈ {_whole(estimate)}"
    if rating["status"] in ("alone", "colour decides", "not comparable"):
        return f"{number} ({rating['status']})"
    if low is not None and high is not None:
        return f"{number} ({_whole(low)} to {_whole(high)})"
    if high is not None:
        return f"{number} (below {_whole(high)})"
    return number if low is None else f"{number} (above {_whole(low)})"


def _whole(elo: float) -> str:
    return f"{round(elo):+d}"


def _interval(elo: float, low: float, high: float) -> str:
    half_width = (high - low) / 2
    if half_width == 0:
        return f"{elo:+.1f}"
    return f"{elo:+.1f} ± {half_width:.1f}" if half_width < 10 else f"{_whole(elo)} ± {half_width:.0f}"


def rate(
    matches: Union[pd.DataFrame, Iterable[Match]],
    *,
    anchor: Optional[Mapping[str, float]] = None,
    confidence: float = 0.95,
    validity: str = "fixed-size",
    these_openings: bool = False,
    bootstrap: int = 0,
    series: Sequence[str] = (),
) -> Ratings:
    """Rates engines from the results of their matches.

    Args:
        matches: a DataFrame, or dictionaries, with the columns

            - `white`, `black`: the engines; `white` moves first
            - `result`: "1-0", "0-1" or "1/2-1/2", or the points of `white`: 1, 0 or 0.5
            - `game` (optional): its id; without it, all matches are of one game
            - `pair` (optional): the same value for the two matches that begin from one opening with the sides swapped.
              Intervals are computed from pairs, and are usually narrower for it
            - `opening` (optional): the position that the match began from
            - `moves` (optional): the moves, joined by spaces; copies of a match are found by them
            - `reason` (optional): why it ended, as the arena writes it; marks forfeits

            Other columns are ignored, so `matches.csv` of a results folder can be given as it is.
        anchor: one engine and its rating in Elo, such as `{"level-1": 0}`. Without it, the mean rating is 0.
        confidence: the level of all intervals.
        validity: "fixed-size" if the number of matches was fixed in advance; "any-time" if you look at the results
            again and again; "any-time-all" for all engines together.
        these_openings: whether the intervals are for exactly these openings, not for similar ones.
        bootstrap: the number of resamplings that check the standard errors; 0 for none.
        series: checkpoints of one engine, in order: their differences are computed too.

    Raises:
        ValueError: if a match is not valid; it names the row, from 0.
    """
    if anchor is not None and len(anchor) != 1:
        raise ValueError(f"`anchor` names {len(anchor)} engines; give one engine and its rating")
    rows = [_row(idx, match) for idx, match in enumerate(_dicts(matches))]
    engines = {name for row in rows for name in (row[1], row[2])}
    for kind, names in [("anchor", list(anchor or [])), ("series", list(series))]:
        for name in names:
            if name not in engines:
                raise ValueError(f"`{kind}`: no engine is named `{name}`; the engines are {', '.join(sorted(engines))}")
    fixed = next(((name, float(elo)) for name, elo in anchor.items()), None) if anchor else None
    standings, differences = rate_rows(
        rows, confidence, fixed, validity, these_openings, bootstrap, list(series)
    )
    return Ratings(json.loads(standings), json.loads(differences), list(series) or None)


_Row = tuple[str, str, str, str, Optional[str], Optional[str], Optional[str], Optional[str]]


def _dicts(matches: Any) -> Iterable[Match]:
    if hasattr(matches, "to_dict"):
        return matches.to_dict("records")  # type: ignore[no-any-return]
    return matches  # type: ignore[no-any-return]


def _row(idx: int, match: Match) -> _Row:
    for column in ("white", "black", "result"):
        if _text(match.get(column)) is None:
            raise ValueError(f"match {idx}: no value in the column `{column}`")
    game, white, black, result, *rest = (_text(match.get(column)) for column in _COLUMNS)
    assert white is not None and black is not None and result is not None
    pair, opening, moves, reason = rest
    return (game or "game", white, black, _result(result), pair, opening, moves, reason)


def _text(value: Any) -> Optional[str]:
    """A value of a table as text; None where there is none (pandas has NaN there)."""
    if value is None or value != value:
        return None
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return text.strip() or None


def _result(text: str) -> str:
    return {"1": "1-0", "0": "0-1", "0.5": "1/2-1/2"}.get(text, text)
