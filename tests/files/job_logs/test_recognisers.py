"""Totals, comments and rulers in a table of jobs are ignored rows; a job without a start stays a fault in sight."""

from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_jobs import ReadOptions
from gpuplanner.files.tables.column_mapping import parse_mapping
from tests.some_of import one_in, some_of

OURS = "job_id,gpus,start,end\n1,8,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z\n"
PRINTED = """ job_id | gpus |        start        |         end
--------+------+---------------------+---------------------
 1      |    8 | 2026-01-01 00:00:00 | 2026-01-01 02:00:00
(1 row)
"""
MARKDOWN = """| job_id | gpus | start | end |
|:---|---:|---|---|
| 1 | 8 | 2026-01-01T00:00:00Z | 2026-01-01T02:00:00Z |
"""


def _ends(tmp_path: Path, text: str, mapping: str | None = None) -> tuple[int, int, int, int]:
    path = tmp_path / "log.csv"
    path.write_text(text)
    (found,) = check_file(
        str(path), options=ReadOptions(mapping=None if mapping is None else parse_mapping(mapping))
    )
    assert (
        found.rows_read
        == found.rows_accepted + found.rows_rejected + found.rows_duplicate + found.rows_ignored
    )
    return found.rows_read, found.rows_accepted, found.rows_rejected, found.rows_ignored


@pytest.mark.parametrize(
    "row",
    one_in(
        6,
        [
            "Total,8,,",
            "TOTAL: 1 job,8,,",
            "Grand total,8,,",
            "Summe,8,,",
            "# written by a script,,,",
            "---,---,---,---",
        ],
    ),
)
def test_a_total_or_comment_below_the_jobs_is_ignored(tmp_path: Path, row: str) -> None:
    assert _ends(tmp_path, f"{OURS}{row}\n") == (2, 1, 0, 1)
    assert _ends(tmp_path, f"{OURS}{row}\n".replace("gpus", "n"), "gpus=n") == (2, 1, 0, 1)


@pytest.mark.parametrize(
    "row",
    one_in(
        4,
        [
            "total-loss,8,,",
            "summer-run,8,,",
            "9,8,,2026-01-01T02:00:00Z",
            "Total,8,2026-01-01T00:00:00Z,soon",
        ],
    ),
)
def test_a_job_that_lacks_its_start_is_rejected_all_the_same(tmp_path: Path, row: str) -> None:
    assert _ends(tmp_path, f"{OURS}{row}\n") == (2, 1, 1, 0)


@pytest.mark.parametrize(
    ("text", "ends"), some_of([(PRINTED, (3, 1, 0, 2)), (MARKDOWN, (2, 1, 0, 1))], quick=1)
)
def test_a_table_as_a_client_prints_it_is_read(tmp_path: Path, text: str, ends: tuple[int, ...]) -> None:
    assert _ends(tmp_path, text) == ends
