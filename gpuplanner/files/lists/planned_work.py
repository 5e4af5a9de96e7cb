"""Planned work as a table: name, pool, GPU model, GPUs, start and end, and hours of the week or a repetition."""

from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.domain.model.plan.planned_work import ALWAYS, MOST_GPUS, PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.lists.cell_errors import bad_cell
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.tables.small_table import Row, RowError, TableKind
from gpuplanner.files.tables.unread_columns import Verdict
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

PLANNED_COLUMNS: Final = (
    "name",
    "pool",
    "gpu_model",
    "gpus",
    "begins",
    "ends",
    "hours",
    "length_hours",
    "latest_finish",
    "cluster",
    "team",
    "every_hours",
)
_ITS_OWN: Final = frozenset({"begins", "length_hours", "latest_finish", "every_hours"})
"""No other table calls a column so."""

MOST_HOURS: Final = 1_000_000
"""Of a length: over a century."""

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS: Final = lazy_re(r"^([a-z]{3}(?:[-,][a-z]{3})*)\s+(\d{1,2})\s*-\s*(\d{1,2})$")


@dataclass(frozen=True, slots=True)
class PlannedRead:
    """The work of some files, one of each key, how their rows ended, and why files were refused."""

    works: tuple[PlannedWork, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


NOTHING_PLANNED: Final = PlannedRead()


def import_planned(paths: Sequence[str], timezone: str | None = None) -> PlannedRead:
    """Read files of planned work. timezone: of times without a zone (None: UTC).

    Errors: PlannerError file_missing, file_unreadable. A file without its columns is refused.
    """
    known: dict[str, PlannedWork] = {}
    read = replace(PLANNED, reader=lambda: _planned_reader(known)).read_files(paths, timezone)
    return PlannedRead(tuple(sorted(read.values, key=_key)), read.intake, read.refused)


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
        raise PlannerError(
            "hours",
            "usage",
            worded("{text} are not hours of the week", text=repr(text)),
            worded_both(
                "write always, mon-fri 08-20 or sat,sun 00-24", "write always, or hours such as mon-fri 08-20"
            ),
        )
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
    """Days of the week from words such as `mon-fri,sun`, 0 to 6 from Monday; empty if a word is none.

    A range may go over the end of the week.
    """
    days: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first not in DAYS or (last and last not in DAYS):
            return ()
        begin, end = DAYS.index(first), DAYS.index(last or first)
        days |= {day % 7 for day in range(begin, (end if end >= begin else end + 7) + 1)}
    return tuple(sorted(days))


def work_of(row: Row) -> PlannedWork:
    """The work of one row: what is there and cannot be read would plan other work than was meant.

    Errors: RowError.
    """
    name, pool, gpu_model = (_required(row, column) for column in ("name", "pool", "gpu_model"))
    if pool.lower() not in set(Pool):
        raise bad_cell(row, "pool", worded("write training, inference or burst"), "unknown_value")
    length = _length(row)
    every = _every(row, length)
    for column in ("hours", "ends") if every is None else ("hours",):
        if length is not None and row.text(column) is not None:
            problem = worded("both {column} and length_hours", column=column)
            raise RowError("bad_number", problem, worded("use only one of them"))
    begins_s, ends_s, latest_finish_s = (_time(row, column) for column in ("begins", "ends", "latest_finish"))
    if begins_s is not None and ends_s is not None and ends_s <= begins_s:
        problem = worded(
            "ends ({ends}) is not after begins ({begins})", ends=iso_utc(ends_s), begins=iso_utc(begins_s)
        )
        raise RowError("end_before_start", problem, worded("correct the times, or their columns"))
    return PlannedWork(
        name=name,
        pool=Pool(pool.lower()),
        gpu_model=gpu_model,
        gpus=_gpus(row),
        cluster=row.text("cluster") or "",
        team=row.text("team") or "",
        begins_s=begins_s,
        ends_s=ends_s,
        hours=_hours(row),
        length_hours=length,
        latest_finish_s=latest_finish_s,
        every_hours=every,
    )


def _required(row: Row, column: str) -> str:
    """The text of a column; RowError `missing_column` if it is empty."""
    text = row.text(column)
    if text is None:
        raise RowError("missing_column", worded("{column} is empty", column=column), worded("fill it in"))
    return text


def _gpus(row: Row) -> float:
    """The count of GPUs, over 0; RowError otherwise."""
    _required(row, "gpus")
    gpus = row.number("gpus", high=MOST_GPUS)
    if not gpus:
        raise bad_cell(row, "gpus", worded("write a number over 0, at most {most}", most=whole(MOST_GPUS)))
    return float(gpus)


def _length(row: Row) -> int | None:
    """The length in whole hours; None if none is stated, RowError if it is no such number."""
    length = row.integer("length_hours", high=MOST_HOURS)
    if row.text("length_hours") is not None and not length:
        remedy = worded("write whole hours, 1 to {most}", most=whole(MOST_HOURS))
        raise bad_cell(row, "length_hours", remedy)
    return length


def _every(row: Row, length: int | None) -> int | None:
    """After how many whole hours it starts again, no fewer than its length; None if it does not."""
    every = row.integer("every_hours", high=MOST_HOURS)
    if row.text("every_hours") is None:
        return None
    if not every or length is None or every < length:
        raise bad_cell(row, "every_hours", worded("write whole hours, at least length_hours"))
    if row.text("latest_finish") is not None:
        problem = worded("both {column} and every_hours", column="latest_finish")
        raise RowError("bad_number", problem, worded("use only one of them"))
    return every


def _time(row: Row, column: str) -> int | None:
    """A time in UTC seconds; None if the cell is empty, RowError `bad_time` if it says anything else."""
    try:
        at_s = row.time(column)
    except RowError:
        at_s = None
    if at_s is None and row.text(column) is not None:  # "unknown" too, a log's word for no time
        raise bad_cell(row, column, ISSUE_TEXTS["bad_time"].remedy, "bad_time")
    return at_s


def _hours(row: Row) -> tuple[int, ...]:
    """The hours of the week, 0 to 167; RowError with the remedy of the words for hours."""
    try:
        return hours_of(row.text("hours") or "")
    except PlannerError as fault:
        raise bad_cell(row, "hours", fault.remedy) from None


def _key(work: PlannedWork) -> str:
    """What tells planned work apart."""
    return work.key


def _planned_reader(known: dict[str, PlannedWork]) -> Callable[[Row], tuple[PlannedWork]]:
    """A row as work; one that says something else of a key that is known is rejected."""

    def read_row(row: Row) -> tuple[PlannedWork]:
        """One row as planned work; RowError `name_taken` if an earlier row has the name for other work."""
        work = work_of(row)
        if known.setdefault(work.key, work) != work:
            raise RowError(
                "name_taken",
                worded("{name} already exists for this cluster and team", name=repr(work.name)),
                ISSUE_TEXTS["name_taken"].remedy,
            )
        return (work,)

    return read_row


def _planned_facts(works: Sequence[PlannedWork]) -> Facts:
    """Workloads, their GPUs added up and their models."""
    return (
        ("workloads", len(works)),
        ("gpus", float(sum(work.gpus for work in works))),
        ("gpu_models", sorted({work.gpu_model for work in works})),
    )


PLANNED: Final = TableKind(
    kind="planned",
    format="own_planned",
    columns=PLANNED_COLUMNS,
    needed=tuple((name,) for name in ("name", "pool", "gpu_model", "gpus")),
    reader=lambda: _planned_reader({}),
    key=_key,
    why=worded("has the columns {names}", names="name, pool, gpu_model, gpus"),
    tells=lambda names: names <= {*PLANNED_COLUMNS} or not names.isdisjoint(_ITS_OWN),
    facts=_planned_facts,
    unread=Verdict.TOLD,
)
