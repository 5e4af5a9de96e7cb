"""Planned work as a table: name, pool, gpu_model, gpus, begins, ends, and either hours of the week or a length."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.domain.model.dated import ALWAYS, PlannedWork, check_planned
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.harmless_cells import as_written
from gpuplanner.files.json_values import begins_json
from gpuplanner.files.refused_file import refused_file
from gpuplanner.files.small_table import Row, RowError, TableRead, collect_rows, header_columns
from gpuplanner.files.source import PARQUET, Source, sources_of

KIND: Final = "planned"
FORMAT: Final = "own_planned"
WHY: Final = worded("it has the columns of planned work: name, pool, gpu_model and gpus")
COLUMNS: Final = (
    "name", "pool", "gpu_model", "gpus", "begins", "ends", "hours", "length_hours", "latest_finish", "cluster", "team",
)  # fmt: skip
NEEDED: Final = ("name", "pool", "gpu_model", "gpus")
DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS: Final = re.compile(r"^([a-z]{3}(?:[-,][a-z]{3})*)\s+(\d{1,2})\s*-\s*(\d{1,2})$")


@dataclass(frozen=True, slots=True)
class PlannedRead:
    """The work of some files, of two of one key the first, how their rows ended, and why files were refused."""

    works: tuple[PlannedWork, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


NOTHING_PLANNED: Final = PlannedRead()


def sniff(head: str) -> float:
    """How sure it is that a text begins a table of planned work, 0..1."""
    columns = set() if begins_json(head) else set(header_columns(head)[1])
    return 0.97 if columns.issuperset(NEEDED) and columns.issubset(COLUMNS) else 0.0


def describe(source: Source) -> FileIntake:
    """What `check` says of a file of planned work."""
    try:
        read = read_planned(source)
    except PlannerError as fault:
        return refused_file(source, fault, KIND, FORMAT)
    works = read.values
    facts = (
        ("workloads", len(works)),
        ("gpus", float(sum(work.gpus for work in works))),
        ("gpu_models", sorted({work.gpu_model for work in works})),
    )
    return replace(read.intake, facts=facts)


def import_planned(paths: Sequence[str], timezone: str | None = None) -> PlannedRead:
    """Read files of planned work. timezone: of times without a zone (None: UTC).

    Errors: PlannerError file_missing, file_unreadable. A file without its columns is refused.
    """
    found: dict[str, PlannedWork] = {}
    intake, refused = [], []
    for path in paths:
        with sources_of(path) as opened:
            for source in opened:
                try:
                    read = read_planned(source, timezone)
                except PlannerError as fault:
                    if fault.code != "missing_column":
                        raise
                    refused.append(fault)
                    intake.append(refused_file(source, fault, KIND, FORMAT))
                    continue
                again = sum(found.setdefault(work.key, work) is not work for work in read.values)
                accepted, repeated = read.intake.rows_accepted, read.intake.rows_duplicate
                intake.append(
                    replace(read.intake, rows_accepted=accepted - again, rows_duplicate=repeated + again)
                )
    return PlannedRead(tuple(found[key] for key in sorted(found)), tuple(intake), tuple(refused))


def read_planned(source: Source, timezone: str | None = None) -> TableRead[PlannedWork]:
    """The work of one file. Errors: PlannerError missing_column, file_unreadable."""
    _check_columns(source)
    return collect_rows(
        source, KIND, FORMAT, _rows(source, timezone), lambda row: (_work(row),), lambda one: one.key
    )


def hours_of(text: str) -> tuple[int, ...]:
    """`always`, `mon-fri 08-20`, `sat,sun 00-24` as hours of the week, Monday 00:00 is 0.

    >>> hours_of("mon 08-10"), len(hours_of("always")), hours_of("sun,mon 23-24")
    ((8, 9), 168, (23, 167))
    """
    cleaned = " ".join(text.lower().split())
    if cleaned in ("", "always"):
        return ALWAYS
    form = _HOURS.match(cleaned)
    days = _days(form[1]) if form else ()
    if form is None or not days or not int(form[2]) < int(form[3]) <= 24:
        what = worded("{text} are no hours of the week", text=repr(text))
        raise PlannerError("hours", "usage", what, worded("write always, mon-fri 08-20 or sat,sun 00-24"))
    return tuple(sorted(24 * day + hour for day in days for hour in range(int(form[2]), int(form[3]))))


def hours_text(hours: Sequence[int]) -> str:
    """As `hours_of` reads them; "" for hours that are not the same on each of their days, or not in one run.

    >>> hours_text(hours_of("mon-fri 08-20")), hours_text(hours_of("sat,sun 00-24")), hours_text(ALWAYS)
    ('mon-fri 08-20', 'sat,sun 00-24', 'always')
    """
    if tuple(hours) == ALWAYS:
        return "always"
    days, times = sorted({hour // 24 for hour in hours}), sorted({hour % 24 for hour in hours})
    if not days or len(hours) != len(days) * len(times) or times[-1] - times[0] + 1 != len(times):
        return ""
    is_run = len(days) > 2 and days[-1] - days[0] + 1 == len(days)
    named = f"{DAYS[days[0]]}-{DAYS[days[-1]]}" if is_run else ",".join(DAYS[day] for day in days)
    return f"{named} {times[0]:02}-{times[-1] + 1:02}"


def _days(text: str) -> tuple[int, ...]:
    days: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first not in DAYS or (last and last not in DAYS):
            return ()
        begin, end = DAYS.index(first), DAYS.index(last or first)
        days |= {day % 7 for day in range(begin, (end if end >= begin else end + 7) + 1)}
    return tuple(sorted(days))


def _check_columns(source: Source) -> None:
    if source.kind == PARQUET:
        raise PlannerError(
            source.path, "file_unreadable", worded("it is a Parquet file"), worded("give it as CSV or XLSX")
        )
    missing = [name for name in NEEDED if name not in header_columns(source.head)[1]]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded("there is no column {names}", names=", ".join(missing)),
            worded("write a header of {names}", names=",".join(COLUMNS)),
        )


def _rows(source: Source, timezone: str | None) -> Iterator[tuple[int, Row, str]]:
    delimiter, columns = header_columns(source.head)
    is_header = True
    with source.rows(delimiter) as opened:
        for line, cells in opened:
            if not any(cell.strip() for cell in cells):
                continue
            if not is_header:
                texts = dict(zip(columns, map(as_written, cells), strict=False))
                yield line, Row(texts, timezone), delimiter.join(cells)
            is_header = False


def _work(row: Row) -> PlannedWork:
    pool, gpus = (row.text("pool") or "").lower(), row.number("gpus")
    if pool not in set(Pool):
        raise RowError("missing_column", worded("pool is not training, inference or burst"))
    if gpus is None:
        raise RowError("bad_number", worded("gpus is no number"))
    length, hours = row.integer("length_hours"), row.text("hours")
    if length is not None and hours is not None:
        raise RowError("bad_number", worded("both hours and length_hours: give one of the two"))
    try:
        return check_planned(
            PlannedWork(
                name=row.required("name"),
                pool=Pool(pool),
                gpu_model=row.required("gpu_model"),
                gpus=float(gpus),
                cluster=row.text("cluster") or "",
                team=row.text("team") or "",
                begins_s=row.time("begins"),
                ends_s=row.time("ends"),
                hours=hours_of(hours or ""),
                length_hours=length,
                latest_finish_s=row.time("latest_finish"),
            )
        )
    except PlannerError as fault:
        raise RowError("bad_number", fault.what) from None
