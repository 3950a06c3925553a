"""The notebook runs from its first to its last cell, with little time for the training."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOK = Path(__file__).parents[1] / "examples" / "self_play.ipynb"


def test_self_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_NOTEBOOK_SECONDS", "2")
    monkeypatch.setenv("ARENA_NOTEBOOK_PAIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"image/svg+xml", "text/html", "image/png"} <= kinds
    table = next(output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {}))
    assert all(name in table for name in ["0 s", "2 s", "random", "level-4"])
    assert "updates" in "".join(output.get("text", "") for output in outputs)
