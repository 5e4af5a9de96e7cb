"""Examples in docstrings are true: every `>>>` of the package is run."""

import doctest
import importlib
import linecache
from pathlib import Path

import pytest

import gpuplanner

ROOT = Path(gpuplanner.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


def test_there_are_examples() -> None:
    assert len(MODULES) > 50


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_module_are_true(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # before each example doctest asks of every source that was ever quoted whether its file has changed
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)
    runner = doctest.DocTestRunner()
    for found in doctest.DocTestFinder().find(importlib.import_module(module)):
        if found.examples:
            runner.run(found)
    result = runner.summarize()
    assert result.attempted and not result.failed
