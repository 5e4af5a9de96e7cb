"""Examples in docstrings are true: every `>>>` of the package is run."""

import doctest
import importlib
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
def test_examples_of_a_module_are_true(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module), report=True)
    assert result.attempted and not result.failed
