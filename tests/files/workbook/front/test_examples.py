"""Examples in docstrings of the modules in gpuplanner.files.workbook.front are true."""

import pytest

from tests.examples import room_of, run_examples, with_examples


@pytest.mark.parametrize("module", with_examples(room_of(__file__)))
def test_examples_are_true(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run_examples(module, monkeypatch)
