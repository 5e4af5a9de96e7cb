"""Examples in docstrings: which modules have any, and where they are run.

The test folder that mirrors a room runs the examples of the room's modules (its `test_examples.py`). The modules of
rooms without such a file are run by `tests/docs/test_doctests.py`.
"""

import doctest
import importlib
import linecache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "gpuplanner"
OF_ROOM = "test_examples.py"


def room_of(test_file: str) -> Path:
    """Return the folder of the package that a test file's folder mirrors."""
    return PACKAGE / Path(test_file).resolve().parent.relative_to(TESTS)


def with_examples(room: Path) -> list[str]:
    """Return the modules directly in a folder of the package that have examples, sorted."""
    return sorted(
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for path in room.glob("*.py")
        if ">>> " in path.read_text(encoding="utf-8")
    )


def without_room_tests() -> list[str]:
    """Return the modules with examples whose room has no `test_examples.py`."""
    rooms = sorted({path.parent for path in PACKAGE.rglob("*.py")})
    return [
        module
        for room in rooms
        if not (TESTS / room.relative_to(PACKAGE) / OF_ROOM).exists()
        for module in with_examples(room)
    ]


def run_examples(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the examples of a module; fails if one is wrong or there is none."""
    # before each example doctest asks of every source that was ever quoted whether its file has changed
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder().find(importlib.import_module(module)):
        if example.examples:
            runner.run(example)
    result = runner.summarize()
    assert result.attempted and not result.failed
