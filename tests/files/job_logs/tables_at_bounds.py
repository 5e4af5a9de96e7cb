"""Tables of jobs that are just at, below and above each bound of the proposals."""

from collections.abc import Mapping, Sequence
from typing import Final

from tests.files.job_logs.random_job_tables import JobTable

MORNING: Final = tuple(f"2026-01-05T{hour:02}:00:00Z" for hour in range(24))
YEARS_20_S: Final = 20 * 8766 * 3600


def _of(
    columns: Mapping[str, Sequence[object]], *, has_header: bool = True, is_comma: bool = False
) -> JobTable:
    """Return a table of columns of equal length."""
    rows = tuple(tuple(map(str, row)) for row in zip(*columns.values(), strict=True))
    return JobTable(tuple(columns), rows, has_header, is_comma)


def _spans(count: int, early: int, **more: Sequence[object]) -> JobTable:
    """Return times without names; in the first `early` rows the second is before the first."""
    first = [f"2026-01-{5 + place:02}T10:00:00Z" for place in range(count)]
    second = [f"2026-01-{5 + place:02}T{'09' if place < early else '11'}:00:00Z" for place in range(count)]
    return _of({"gpus": [1] * count, "A": first, "B": second, **more})


def _counts(*counts: object) -> JobTable:
    """Return a table without headings whose first column may be counts of GPUs."""
    return _of({"column 1": counts, "column 2": MORNING[: len(counts)]}, has_header=False)


def _lengths(heading: str, *lengths: object) -> JobTable:
    return _of({"gpus": [1] * len(lengths), "start": MORNING[: len(lengths)], heading: lengths})


def _ids(*ids: object) -> JobTable:
    count = len(ids)
    return _of({"id": ids, "gpus": [1] * count, "start": MORNING[:count], "end": MORNING[:count]})


def _nameless(*ids: object) -> JobTable:
    """Return a table without headings: texts that may be ids, start and end."""
    count = len(ids)
    table = {"column 1": ids, "column 2": MORNING[:count], "column 3": MORNING[1 : count + 1]}
    return _of(table, has_header=False)


def _squeue(*headings: str) -> JobTable:
    cells = {
        "JOBID": ["1", "2"],
        "USER": ["ann", "bob"],
        "TIME": ["2:00:00", "1:00"],
        "time_used": ["3:00:00", "4:00"],
        "START_TIME": MORNING[:2],
        "END_TIME": MORNING[2:4],
        " end_time ": MORNING[2:4],
        "TRES_ALLOC": ["cpu=8,gres/gpu=4", "gres/gpu=2"],
    }
    return _of({heading: cells[heading] for heading in headings})


def _nodes(heading: str, nodes: str = "nodes") -> JobTable:
    return _of({"id": [1, 2], heading: [8, 4], "start": MORNING[:2], "end": MORNING[1:3], nodes: [2, 1]})


def _clocks(start: Sequence[str], clock: str, end: Sequence[str]) -> JobTable:
    times = ["10:00", "11:30", "12:15"]
    return _of({"gpus": [1, 2, 4], "start date": start, clock: times, "end date": end})


DAYS: Final = ("2026-01-05", "2026-01-06", "2026-01-07")

TABLES_AT_BOUNDS: Final[Mapping[str, JobTable]] = {
    **{
        f"{count} spans, {early} early": _spans(count, early)
        for count, early in ((1, 0), (2, 0), (2, 1), (20, 0), (20, 1), (20, 2), (19, 1), (10, 1))
    },
    "equal times": _of({"gpus": [1, 1], "A": MORNING[:2], "B": MORNING[:2]}),
    "one later time among equals": _of({"gpus": [1, 1], "A": MORNING[:2], "B": (MORNING[0], MORNING[3])}),
    "three times without names": _spans(3, 0, C=[f"2026-01-{5 + place:02}T12:00:00Z" for place in range(3)]),
    "three times, the first the latest": _of(
        {"gpus": [1] * 3, "A": MORNING[6:9], "B": MORNING[:3], "C": MORNING[3:6]}
    ),
    "start by name, two ends without": _of(
        {"gpus": [1] * 3, "start": MORNING[:3], "B": MORNING[6:9], "C": MORNING[3:6]}
    ),
    "end by name, two starts without": _of(
        {"gpus": [1] * 3, "B": MORNING[:3], "C": MORNING[3:6], "end": MORNING[6:9]}
    ),
    "end by name, no start before it": _of({"gpus": [1] * 3, "B": MORNING[9:12], "end": MORNING[6:9]}),
    "start by name, no end after it": _of({"gpus": [1] * 3, "start": MORNING[9:12], "B": MORNING[6:9]}),
    "a duration, and a start without a name": _of(
        {"gpus": [1] * 3, "B": MORNING[:3], "runtime": [60, 70, 80]}
    ),
    "a duration, a start, and a time without a name": _of(
        {"gpus": [1] * 3, "start": MORNING[:3], "B": MORNING[4:7], "runtime": [60, 70, 80]}
    ),
    **{
        f"{count} of 4 times are read": _of(
            {"gpus": [1] * 4, "A": [*MORNING[:count], *["x"] * (4 - count)], "B": MORNING[4:8]}
        )
        for count in (2, 3, 4)
    },
    # counts without a heading
    "counts 1, 2": _counts(1, 2),
    "counts up to 1024": _counts(1, 1024, 1, 1),
    "counts up to 1025": _counts(1, 1025, 1, 1),
    "counts from -1": _counts(-1, 2, 2, 2),
    "counts of 0": _counts(0, 0, 0),
    "counts of 0 and 1": _counts(0, 1, 1),
    "half a GPU": _counts("0.5", "0.5", "0.5"),
    "one and a half": _counts("1.5", "0.5", "1.5"),
    "four different counts": _counts(1, 2, 3, 4),
    "five different counts": _counts(1, 2, 3, 4, 5),
    "five different counts of fifteen": _counts(*(1, 2, 3, 4, 5) * 3),
    "five different counts of fourteen": _counts(*[*(1, 2, 3, 4, 5) * 3][:14]),
    "large counts that never repeat": _counts(65, 66, 67),
    "counts from 64 that never repeat": _counts(64, 66, 67),
    "large counts that repeat": _counts(65, 65, 67),
    "one large count": _counts(65),
    "a word among counts": _counts(1, "two", 2),
    "resources among counts": _of(
        {"column 1": [1, 2], "column 2": ["gres/gpu=2", "gres/gpu=4"], "column 3": MORNING[:2]},
        has_header=False,
    ),
    # ids
    "one id": _ids("a"),
    "two ids": _ids("a", "b"),
    "three ids": _ids("a", "b", "c"),
    "three ids, two alike": _ids("a", "b", "a"),
    "three ids, one missing": _ids("a", "b", "n/a"),
    "nameless id": _nameless("a-1"),
    "nameless ids": _nameless("a-1", "a-2"),
    "nameless ids that repeat": _nameless("a-1", "a-1", "a-2"),
    "nameless ids with a point": _nameless("a.1", "a-2"),
    "nameless ids with a late point": _nameless("a", "b", "c", "d", "e", "f.1"),
    "nameless ids, the fifth with a point": _nameless("a", "b", "c", "d", "e.1", "f"),
    "nameless Slurm ids": _nameless("101", "102_1", "102_2"),
    "nameless Slurm ids and steps": _nameless("101", "101.batch", "102"),
    "two columns of nameless ids": _of(
        {"column 1": ["a", "b"], "column 2": ["c", "d"], "column 3": MORNING[:2]}, has_header=False
    ),
    # durations
    **{
        f"hours, at most {words}": _lengths("runtime_h", 1, hours)
        for words, hours in (
            ("20 years", YEARS_20_S // 3600),
            ("20 years and an hour", YEARS_20_S // 3600 + 1),
        )
    },
    **{
        f"seconds, at most {words}": _lengths("runtime", 1, seconds)
        for words, seconds in (
            ("20 years", YEARS_20_S),
            ("20 years and a second", YEARS_20_S + 1),
            ("20,000 years", YEARS_20_S * 1000 + 1),
        )
    },
    "days of ages": _lengths("runtime_days", 1, 10_000_000),
    "milliseconds of ages": _lengths("runtime_ms", 1, YEARS_20_S * 1001),
    "words for durations": _lengths("runtime", "soon", "late"),
    "empty durations": _lengths("runtime", "", ""),
    "spans in minutes": _of(
        {"gpus": [1] * 3, "start": MORNING[:3], "end": MORNING[1:4], "used time": [60, 60, 60]}
    ),
    "spans in hours, headed seconds": _of(
        {"gpus": [1] * 3, "start": MORNING[:3], "end": MORNING[2:5], "runtime_sec": [2, 2, 2]}
    ),
    "spans where a start is missing": _of(
        {"gpus": [1] * 4, "start": [*MORNING[:3], "x"], "end": MORNING[2:6], "runtime": [120, 120, 120, 7]}
    ),
    "spans in no unit": _of(
        {"gpus": [1] * 3, "start": MORNING[:3], "end": MORNING[2:5], "runtime": [17, 3, 99]}
    ),
    # squeue
    "squeue": _squeue("JOBID", "USER", "TIME", "START_TIME", "END_TIME", "TRES_ALLOC"),
    "squeue, time used": _squeue("JOBID", "time_used", "START_TIME", " end_time ", "TRES_ALLOC"),
    "squeue, both times": _squeue("JOBID", "time_used", "TIME", "START_TIME", "END_TIME", "TRES_ALLOC"),
    "squeue without ids": _squeue("USER", "TIME", "START_TIME", "END_TIME", "TRES_ALLOC"),
    "squeue without a limit": _squeue("JOBID", "TIME", "START_TIME", "TRES_ALLOC"),
    "squeue without a time": _squeue("JOBID", "START_TIME", "END_TIME", "TRES_ALLOC"),
    # GPUs per node
    "per node": _nodes("gpus_per_node"),
    "per node, silent nodes": _nodes("gpus_per_node", "X"),
    "in all, with nodes": _nodes("gpus"),
    "per node, nodes by a weak name": _nodes("gpus_per_node", "hosts"),
    # dates and clocks
    "a date and its clock": _clocks(DAYS, "start time", DAYS),
    "a date with a clock, and a clock": _clocks(MORNING[:3], "start time", DAYS),
    "a date and another clock": _clocks(DAYS, "end time", DAYS),
    "a date and a clock of neither": _clocks(DAYS, "lunch", DAYS),
    # day or month first
    **{
        f"days {words}": _of({"gpus": [1, 1], "start": start, "end": end})
        for words, start, end in (
            ("first", ("31/01/2026 10:00", "01/02/2026 10:00"), ("01/02/2026 11:00", "02/02/2026 10:00")),
            ("second", ("01/31/2026 10:00", "02/01/2026 10:00"), ("02/01/2026 11:00", "02/02/2026 10:00")),
            (
                "first and second",
                ("31/01/2026 10:00", "01/02/2026 10:00"),
                ("02/28/2026 11:00", "03/02/2026 10:00"),
            ),
            ("anywhere", ("01/02/2026 10:00", "01/03/2026 10:00"), ("01/02/2026 11:00", "01/04/2026 10:00")),
        )
    },
    "days anywhere, headed in German": _of(
        {
            "gpus": [1, 1],
            "Beginn": ("01/02/2026 10:00", "01/03/2026 10:00"),
            "Ende": ("01/02/2026 11:00",) * 2,
        }
    ),
    "days anywhere, with decimal commas": _of(
        {"gpus": ["1,5", "0,25"], "start": ("01/02/2026 10:00", "01/03/2026 10:00"), "hours": ["1,75", "2,5"]}
    ),
    # decimal points and commas
    "thousands or decimals": _of({"gpus": ["1,500", "2,000"], "start": MORNING[:2], "hours": ["1", "2"]}),
    "thousands or decimals, by semicolons": _of(
        {"gpus": ["1,500", "2,000"], "start": MORNING[:2], "hours": ["1", "2"]}, is_comma=True
    ),
    "thousands or decimals, by another column": _of(
        {"gpus": ["1,500", "2,000"], "start": MORNING[:2], "hours": ["1,75", "2,5"]}
    ),
    "thousands or decimals, points elsewhere": _of(
        {"gpus": ["1,500", "2,000"], "start": MORNING[:2], "hours": ["1.75", "2.5"]}, is_comma=True
    ),
    "both elsewhere": _of(
        {
            "gpus": ["1,500", "2,000"],
            "start": MORNING[:2],
            "hours": ["1.75", "2.5"],
            "gpu_util": ["1,5", "2,25"],
        }
    ),
    # headings of little use
    "nothing of use": _of({"city": ["Oslo"], "country": ["NO"]}),
    "no GPUs": _of({"id": ["a", "b"], "start": MORNING[:2], "end": MORNING[1:3]}),
    "no end": _of({"id": ["a", "b"], "gpus": [1, 2], "start": MORNING[:2]}),
    "only submissions": _of({"gpus": [1, 2], "submit_time": MORNING[:2], "end": MORNING[1:3]}),
    "two columns of one meaning": _of(
        {"gpus": [1, 2], "num_gpus": [3, 4], "start": MORNING[:2], "end": MORNING[1:3]}
    ),
    "no rows": JobTable(("id", "gpus", "start", "end"), (), True, False),
    "empty cells where something is needed": _of({"gpus": ["", ""], "start": ["", ""], "end": ["", ""]}),
    "empty cells in a column of no need": _of(
        {"gpus": [1], "start": MORNING[:1], "end": MORNING[1:2], "user": [""]}
    ),
    **{
        f"{count} of 10 counts are read": _of(
            {
                "gpus": [2] * count + ["x"] * (10 - count),
                "start": MORNING[:10],
                "end": MORNING[1:11],
                "gpu_util": [*[50] * count, *["x"] * (10 - count)],
            }
        )
        for count in (2, 3, 4, 5, 6, 8)
    },
}
