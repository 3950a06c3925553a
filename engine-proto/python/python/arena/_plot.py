"""The plot of ratings. It needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from arena.ratings import Rating, Ratings


def plot(ratings: Ratings, scope: str, ax: Any, order: Optional[list[str]]) -> Any:
    """See `Ratings.plot`."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots()
    by_name = {row["engine"]: row for row in ratings.records(scope)}
    if order is None:
        _draw(ax, list(reversed(list(by_name))), by_name, upright=False)
        ax.set_xlabel("Elo")
    else:
        named = [name for name in order if name in by_name]
        _draw(ax, named, by_name, upright=True)
        points = [(x, by_name[name]["elo"]) for x, name in enumerate(named) if by_name[name]["elo"] is not None]
        ax.plot([x for x, _ in points], [y for _, y in points], color="tab:blue", zorder=1)
        for name, row in by_name.items():
            if name not in named and row["elo"] is not None:
                ax.axhline(row["elo"], color="tab:gray", linestyle="--", linewidth=1, zorder=0)
                ax.annotate(
                    name, (1, row["elo"]), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=8
                )
        ax.set_ylabel("Elo")
    confidence = 100 * ratings.standings["confidence"]
    ax.set_title(f"{scope}, {confidence:g} % intervals")
    return ax


def _draw(ax: Any, names: list[str], by_name: Mapping[str, Rating], upright: bool) -> None:
    """A point with its interval for each engine; a circle for a rough number, and an arrow for its bound."""
    for place, name in enumerate(names):
        row = by_name[name]
        elo, low, high = row["elo"], row["low"], row["high"]
        if elo is not None and low is not None and high is not None:
            error = [[elo - low], [high - elo]]
            x, y = (place, elo) if upright else (elo, place)
            errors = {"yerr": error} if upright else {"xerr": error}
            ax.errorbar(x, y, **errors, fmt="o", color="tab:blue", capsize=3)
        elif (bound := low if low is not None else high) is not None:
            marker = {(True, True): "^", (True, False): "v", (False, True): ">", (False, False): "<"}
            x, y = (place, bound) if upright else (bound, place)
            ax.plot(x, y, marker=marker[upright, low is not None], color="tab:blue")
        if elo is None and row["estimate"] is not None:
            x, y = (place, row["estimate"]) if upright else (row["estimate"], place)
            ax.plot(x, y, marker="o", color="tab:blue", fillstyle="none")
    places = range(len(names))
    if upright:
        ax.set_xticks(places, names, rotation=45, ha="right")
    else:
        ax.set_yticks(places, names)
