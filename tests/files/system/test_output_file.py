"""A file is there whole or not at all."""

from pathlib import Path

import pytest

from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.system.output_file import output_part


def test_a_file_takes_its_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "cube.csv"
    path.write_text("before")
    with output_part(path) as out:
        out.part.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def _stopped(path: Path, stop: type[BaseException]) -> None:
    with output_part(path) as out:
        out.part.write_text("half")
        raise stop


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_work_that_stops_leaves_what_was_there(tmp_path: Path, stop: type[BaseException]) -> None:
    path = tmp_path / "cube.csv"
    path.write_text("before")
    with pytest.raises(stop):
        _stopped(path, stop)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def _engine_that_says(text: str) -> None:
    with open_engine():
        raise RuntimeError(text)


def test_what_the_engine_makes_of_ctrl_c_is_an_interrupt_again() -> None:
    with pytest.raises(KeyboardInterrupt):
        _engine_that_says("Query interrupted")
    with pytest.raises(RuntimeError, match="anything else"):
        _engine_that_says("anything else")
