"""The notebooks: each runs from top to bottom, and what it shows is what its cells answer."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    """The script that fills them in."""
    spec = importlib.util.spec_from_file_location("make_notebooks", DOCS / "make_notebooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where they run: the first writes the demo, the others find it there."""
    return tmp_path_factory.mktemp("notebooks")


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*before_window:UserWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_answer(
    path: Path, maker: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert maker.answered(notebook) == notebook


def test_there_are_three_and_each_has_its_answers() -> None:
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert notebook["nbformat"] == 4 and any(cell.get("outputs") for cell in notebook["cells"])
        assert notebook["cells"][0]["source"][0].startswith("# ")


def test_a_cell_shows_its_last_line_alone(maker: ModuleType) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# T"]},
        {"cell_type": "code", "source": ["x = 2\n", "x"]},
        {"cell_type": "code", "source": ["y = x"]},
    ]
    done = maker.answered({"cells": cells})["cells"]
    assert (
        done[0] == cells[0]
        and done[1]["outputs"][0]["data"] == {"text/plain": ["2"]}
        and done[2]["outputs"] == []
    )
    with pytest.raises(ZeroDivisionError):
        maker.answered({"cells": [{"cell_type": "code", "source": ["1 / 0"]}]})
