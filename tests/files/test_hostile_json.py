"""JSON that is hard on a reader: an answer or one clear error, in a process of its own so that its death is seen."""

import subprocess
import sys
from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from tests.files.hostile_json import FAMILIES, SHAPES
from tests.some_of import one_in

ROOT = Path(__file__).parents[2]
MEGABYTES_AT_MOST = 600
ONE_IN = {
    "deep lists": 1,
    "deep objects": 1,
    "cut": 22,
}  # what ends a process is tried in full, elsewhere one in five
_CHILD = "import sys; from tests.files.hostile_json import read_folder; read_folder(sys.argv[1])"


def _read_apart(folder: Path) -> list[str]:
    """What a process says of each file in a folder: how each way to read it ended."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _CHILD, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode} at {done.stdout[-300:]}\n{done.stderr[-3000:]}"
    *lines, megabytes = done.stdout.splitlines()
    assert int(megabytes) < MEGABYTES_AT_MOST
    return lines


def _put(folder: Path, family: str, shape: str, only: int | None = None) -> None:
    for number, data in enumerate(FAMILIES[family](SHAPES[shape])):
        if only in (None, number):
            (folder / f"{shape} {family} {number:03}.json").write_bytes(data)


READERS = {
    "sacct": "sacct_json",
    "sonar jobs": "sonar_json",
    "pods": "kubernetes_pods",
    "workloads": "kueue",
    "bjobs": "lsf",
    "condor": "condor",
    "ray": "ray",
    "philly": "philly",
    "allocation": "opencost",
    "regions": "sites",
    "countries": "sites",
    "samples": "sonar_samples",
    "inventory": "sonar_sysinfo",
    "range": "prometheus",
    "any array": "mapped",
    "any list": "unknown",
    "lines": "mapped",
    "commitments": "google_commitments",
    "reservations": "aws_reservations",
}
"""What each shape is taken for, so that the readers they are meant for are reached."""


def test_every_shape_is_meant_for_a_reader() -> None:
    assert set(READERS) == set(SHAPES)


@pytest.mark.parametrize("shape", one_in(8, SHAPES))
def test_the_shapes_are_what_they_seem(tmp_path: Path, shape: str) -> None:
    path = tmp_path / f"{shape}.json"
    path.write_text(SHAPES[shape].replace("@", "2"))
    (found,) = check_file(str(path))
    assert (found.format or found.kind) == READERS[shape]


@pytest.mark.long
def test_no_json_ends_the_process_or_fills_the_memory(tmp_path: Path) -> None:
    """Some values of each family in some shape, in one process; the long test has every one in each shape."""
    shapes = list(SHAPES)
    for first, family in enumerate(FAMILIES):
        step = ONE_IN.get(family, 5)
        for number in range(0, len(list(FAMILIES[family](SHAPES["lines"]))), step):
            _put(tmp_path, family, shapes[(first * 5 + number) % len(shapes)], number)
    assert len(_read_apart(tmp_path)) == len(list(tmp_path.iterdir())) >= 2 * len(FAMILIES)


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
def test_no_json_ends_the_process_in_any_shape(tmp_path: Path, shape: str) -> None:
    for family in FAMILIES:
        _put(tmp_path, family, shape)
    assert len(_read_apart(tmp_path)) == len(list(tmp_path.iterdir())) > 60
