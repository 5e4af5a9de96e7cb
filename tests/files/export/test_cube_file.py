"""The hash of a cube (`cube.sha256` of documents), whatever the order of rows or the split over models."""

import hashlib
from dataclasses import replace

import numpy as np

from gpuplanner.domain.model.cube import Cube, Workload, cube_from_entries, empty_cube
from gpuplanner.domain.model.window import Window
from gpuplanner.files.export.cube_file import cube_sha256

WINDOW = Window(1_767_225_600, 48)
WORKLOADS = tuple(Workload(key=key, name="", cluster="", owner="") for key in ("fox//a", "fox//å", "fox//b"))


def _cube(*entries: tuple[int, int, int, int]) -> Cube:
    columns = np.array(entries, dtype=np.int64).reshape(-1, 4).T
    return cube_from_entries(48, ("A100", "H100"), *columns)


def test_the_lines_are_those_of_the_interface() -> None:
    cube = _cube((1, 0, 0, 5), (0, 0, 47, 7), (0, 1, 1, 3), (0, -1, 1, 4))
    lines = (
        "fox//a\t2026-01-01T01:00:00Z\t7\nfox//a\t2026-01-02T23:00:00Z\t7\nfox//å\t2026-01-01T00:00:00Z\t5\n"
    )
    assert cube_sha256(cube, WORKLOADS, WINDOW) == hashlib.sha256(lines.encode()).hexdigest()


def test_keys_are_sorted_whatever_order_the_workloads_have() -> None:
    there = cube_sha256(_cube((0, 0, 0, 1), (1, 0, 0, 2), (2, 0, 0, 3)), WORKLOADS, WINDOW)
    back = cube_sha256(_cube((2, 0, 0, 1), (1, 0, 0, 2), (0, 0, 0, 3)), WORKLOADS[::-1], WINDOW)
    assert there == back


def test_models_do_not_matter_and_everything_else_does() -> None:
    plain = cube_sha256(_cube((0, 0, 0, 10)), WORKLOADS, WINDOW)
    assert cube_sha256(_cube((0, -1, 0, 4), (0, 1, 0, 6)), WORKLOADS, WINDOW) == plain
    assert cube_sha256(_cube((0, 0, 0, 11)), WORKLOADS, WINDOW) != plain
    assert cube_sha256(_cube((0, 0, 1, 10)), WORKLOADS, WINDOW) != plain
    assert cube_sha256(_cube((1, 0, 0, 10)), WORKLOADS, WINDOW) != plain
    assert cube_sha256(_cube((0, 0, 0, 10)), WORKLOADS, replace(WINDOW, start_s=0)) != plain


def test_no_demand_is_no_lines() -> None:
    assert cube_sha256(empty_cube(48), WORKLOADS, WINDOW) == hashlib.sha256(b"").hexdigest()
