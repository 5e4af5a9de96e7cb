"""Examples in docstrings are true: those of modules whose room does not run them itself."""

import pytest

from tests.examples import PACKAGE, run_examples, with_examples, without_room_tests


def test_there_are_examples() -> None:
    rooms = {path.parent for path in PACKAGE.rglob("*.py")}
    assert sum(len(with_examples(room)) for room in rooms) > 50


@pytest.mark.parametrize("module", without_room_tests())
def test_examples_of_a_module_are_true(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run_examples(module, monkeypatch)


def test_rooms_that_compute_run_their_own_examples() -> None:
    rooms = ("gpuplanner.domain.", "gpuplanner.files.")
    assert not [module for module in without_room_tests() if module.startswith(rooms)]
