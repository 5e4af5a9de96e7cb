"""Duplicates: one run of one job of one cluster counts once, whichever rows tell of it, in whatever order."""

from collections.abc import Callable
from itertools import permutations

from gpuplanner.files.engine import open_engine
from gpuplanner.files.intake import ReadResult
from gpuplanner.files.job_logs.duplicates import ACCEPTED, find_duplicates
from gpuplanner.files.job_logs.row_fates import JOBS, KINDS, STATES, create_jobs

Row = tuple[str, str | None, int, int | None, bool, int]
"""cluster, job_id, start_s, end_s, is_running, finality"""

KEPT: tuple[Row, ...] = (
    ("a", "1", 0, 50, False, 2),
    ("a", "1", 7, 20, False, 1),  # requeued: the same id, another start
    ("b", "1", 0, 20, False, 1),  # another cluster's job of that id and start
    ("b", "2", 0, 20, False, 1),
    ("a", None, 0, 50, False, 2),
    ("a", None, 0, 50, False, 2),
)
LOST: tuple[Row, ...] = (
    ("a", "1", 0, 40, False, 2),  # an earlier end
    ("a", "1", 0, 50, False, 1),  # a state that is less final
    ("a", "1", 0, None, True, 0),
    ("a", "1", 0, 99, True, 0),  # still running
    ("a", "1", 7, 10, False, 1),
    ("b", "1", 0, 10, False, 1),
    ("b", "2", 0, 10, False, 1),
)


def kept(rows: tuple[Row, ...]) -> list[Row]:
    with open_engine() as engine:
        create_jobs(engine)
        clusters = sorted({row[0] for row in rows})
        for kind, cluster in enumerate(clusters):
            engine.run(f"insert into {KINDS} (kind, cluster) values (?, ?)", [kind, cluster])
        for finality in range(3):
            engine.run(f"insert into {STATES} values (?, '', ?)", [finality + 1, finality])
        columns = "file, line, code, kind, job_id, start_s, end_s, is_running, state_id"
        for line, (cluster, *row, finality) in enumerate(rows):
            values = [clusters.index(cluster), *row, int(finality) + 1]
            engine.run(f"insert into {JOBS} ({columns}) values (0, {line}, 0, ?, ?, ?, ?, ?, ?)", values)
        find_duplicates(engine)
        return engine.all(
            f"""select cluster, job_id, start_s, end_s, is_running, state_id - 1
            from {ACCEPTED} join {KINDS} using (kind)"""
        )


def in_order(rows: object) -> list[str]:
    return sorted(map(str, rows))  # type: ignore[call-overload]


def test_what_stays_is_the_same_in_every_order_of_the_rows() -> None:
    for first in range(0, 13, 4):
        rows = (KEPT + LOST)[first:] + (KEPT + LOST)[:first]
        assert in_order(kept(rows)) == in_order(KEPT)
        assert in_order(kept(rows[::-1])) == in_order(KEPT)


def test_each_reason_for_itself() -> None:
    for lost in LOST:
        (winner,) = [row for row in KEPT if row[:3] == lost[:3]]
        for rows in permutations((lost, winner)):
            assert kept(rows) == [winner]


def test_of_rows_that_are_alike_the_first_is_kept(
    read_log: Callable[..., ReadResult], job_csv: Callable[..., str]
) -> None:
    row = ("1", 1, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "COMPLETED")
    first, second = read_log(job_csv(row, row), job_csv(row)).intake
    assert (first.rows_accepted, first.rows_duplicate) == (1, 1)
    assert (second.rows_accepted, second.rows_duplicate) == (0, 1)
