"""A file is there whole or not at all."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from gpuplanner.files.engine import open_engine
from gpuplanner.files.whole_file import whole_file


def test_a_file_takes_its_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "cube.csv"
    path.write_text("before")
    with whole_file(path) as beside:
        beside.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def _stopped(path: Path, stop: type[BaseException]) -> None:
    with whole_file(path) as beside:
        beside.write_text("half")
        raise stop


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError])
def test_work_that_stops_leaves_what_was_there(tmp_path: Path, stop: type[BaseException]) -> None:
    path = tmp_path / "cube.csv"
    path.write_text("before")
    with pytest.raises(stop):
        _stopped(path, stop)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def _interrupted_query() -> None:
    with open_engine() as engine:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        engine.all(
            "select count(*) from range(2000000) a, range(2000000) b where (a.range * b.range) % 7 = 3"
        )


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")
def test_an_interrupt_in_the_middle_of_a_query_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        _interrupted_query()
