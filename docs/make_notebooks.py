"""Runs the notebooks of docs/notebooks and writes what their cells answer into them: python docs/make_notebooks.py

Nothing but Python is needed for it: cells are plain Python, and what a cell ends in is shown as text.
"""

import ast
import json
import os
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"


def answered(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with what its cells answer in the current folder; whatever a cell raises is raised."""
    names: dict[str, Any] = {"__name__": "notebook"}
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            shown = _run("".join(cell["source"]), names)
            data = {"text/plain": repr(shown).splitlines(keepends=True)}
            output = {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}
            cells.append({**cell, "outputs": [] if shown is None else [output]})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def _run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; the value of its last line, where that is an expression."""
    body = ast.parse(source).body
    value = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body if value is None else body[:-1], []), "cell", "exec"), names)
    return None if value is None else eval(compile(ast.Expression(value), "cell", "eval"), names)


def main() -> None:
    """Write every notebook with its answers; they share a folder, and so a demo."""
    os.environ["PYTHONPATH"] = str(FOLDER.parent.parent)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for path in sorted(FOLDER.glob("*.ipynb")):
            done = answered(json.loads(path.read_text(encoding="utf-8")))
            path.write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(path.name)


if __name__ == "__main__":
    main()
