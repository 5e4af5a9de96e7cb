"""Whatever bytes a file holds: an answer or one clear error, and every row accounted for."""

import random
from pathlib import Path

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import some_of

FIXTURES = Path(__file__).parent.parent / "fixtures"
ODD = [
    b'"',
    b",",
    b"|",
    b"\n",
    b"\r",
    b"\x00",
    b"\xff",
    "é".encode(),
    b"Unknown",
    b"-1",
    b"9" * 30,
    b"2026",
    b";",
    b"\t",
]


def _damaged(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.choice(ODD) + data[at + chance.choice([0, 0, 1, 5, 40]) :]
    return data


def _read_both_ways(path: Path) -> list[FileIntake]:
    files = [*check_file(str(path))]
    if files[0].kind != "unknown":
        as_contracts = files[0].kind == "contracts"
        read = read_inputs(
            [] if as_contracts else [str(path)],
            [str(path)] if as_contracts else [],
            window_request=WindowRequest(whole_log=True),
        )
        files += read.intake
        if read.cube is not None:
            assert read.cube.total == read.jobs.milli_gpu_seconds
    return files


@pytest.mark.long
@pytest.mark.parametrize("name", ["sacct_P_header.txt", "contracts.csv", "jobs.csv"])
@pytest.mark.parametrize("seed", some_of(range(12), quick=1))
def test_damage_is_told_and_never_loses_rows(tmp_path: Path, name: str, seed: int) -> None:
    chance = random.Random(f"{name} {seed}")
    path = tmp_path / name
    path.write_bytes(_damaged((FIXTURES / name).read_bytes(), chance))
    try:
        files = _read_both_ways(path)
    except PlannerError as error:
        fault = error
    else:
        fault = None
    if fault is not None:
        assert fault.code in ("file_unreadable", "truncated_file", "missing_column")
        assert fault.remedy
        return
    for file in files:
        ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
        assert file.rows_read == sum(ends)
        assert len(file.rejected) == file.rows_rejected
        if file.rows_rejected:
            assert {row.code for row in file.rejected} <= {issue.code for issue in file.issues}
