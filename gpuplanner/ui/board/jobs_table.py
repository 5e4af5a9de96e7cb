"""The table of jobs, filled in pages as it is scrolled."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.board.job_answers import ACTIVITY, GPU_HOURS, GPUS, LASTED, job_figure
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.rows_model import Index, LazyRows, RowsModel
from gpuplanner.ui.words import numbers


def _time(at_s: int | None) -> str:
    """A time in UTC to the second; a dash where it is unknown."""
    if at_s is None:
        return numbers.UNKNOWN
    return f"{numbers.date(at_s)} {datetime.fromtimestamp(at_s, UTC):%H:%M:%S}"


def _lasted(row: Any) -> str:
    """How long a job ran as days-hours:minutes:seconds; or that it still does."""
    if row.end_s is None:
        return tr("runs on")
    days, rest = divmod(row.end_s - row.start_s, DAY_S)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{text}" if days else text


def _activity(row: Any) -> str:
    """Activity in percent; a dash where nothing measured it."""
    milli = row.activity_milli_percent
    return numbers.UNKNOWN if milli is None else numbers.percent(milli / 100_000)


GPU_HOURS_TITLE: Final = worded("GPU-h in the lookback period")


class JobColumn(NamedTuple):
    """Heading, what it says of a job, what jobs are sorted by, its side; what is asked, where a job has an answer."""

    title: Message
    text: Callable[[Any], str]
    sort: str
    is_figure: bool = False
    kind: str = ""
    has: Callable[[Any], object] = lambda row: True


COLUMNS: Final = (
    JobColumn(worded("Job id"), lambda row: row.job_id or numbers.UNKNOWN, "job_id"),
    JobColumn(worded("Name"), lambda row: row.name, "name"),
    JobColumn(worded("User"), lambda row: row.user or numbers.UNKNOWN, "user"),
    JobColumn(worded("Queue"), lambda row: row.queue or numbers.UNKNOWN, "queue"),
    JobColumn(worded("State"), lambda row: row.state or numbers.UNKNOWN, "state"),
    JobColumn(
        worded("GPU model"),
        lambda row: row.gpu_model or (numbers.UNKNOWN if row.milli_gpus else tr("no GPU")),
        "gpu_model",
    ),
    JobColumn(
        title=GPU_HOURS_TITLE,
        text=lambda row: numbers.rate(row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR),
        sort="gpu_hours",
        is_figure=True,
        kind=GPU_HOURS,
    ),
    JobColumn(
        title=worded("GPUs"),
        text=lambda row: numbers.gpus(row.milli_gpus / 1000),
        sort="gpus",
        is_figure=True,
        kind=GPUS,
    ),
    JobColumn(worded("Start, UTC"), lambda row: _time(row.start_s), "start", True),
    JobColumn(
        worded("End, UTC"),
        lambda row: tr("still running") if row.end_s is None else _time(row.end_s),
        "end",
        True,
    ),
    JobColumn(
        title=worded("Lasted"),
        text=_lasted,
        sort="lasted",
        is_figure=True,
        kind=LASTED,
        has=lambda row: row.end_s is not None,
    ),
    JobColumn(
        title=titles.ACTIVITY,
        text=_activity,
        sort="activity",
        is_figure=True,
        kind=ACTIVITY,
        has=lambda row: row.activity_milli_percent is not None,
    ),
)


def columns_with(names: Mapping[str, str]) -> tuple[JobColumn, ...]:
    """The columns; before them the workload of each job, where jobs of several are shown."""
    called = worded("Workload"), lambda row: names.get(row.workload_key, row.workload_key)
    first = JobColumn(*called, "workload")
    return (first, *COLUMNS) if names else COLUMNS


MOST_FIRST: Final = "gpu_hours"
"""The order of jobs at first: most GPU-hours first."""


class JobsModel(RowsModel):
    """Jobs in pages: asks for more as the view comes to the end of what is there."""

    more_wanted = Signal(int)  # offset

    def __init__(self, columns: tuple[JobColumn, ...], parent: QWidget | None = None) -> None:
        super().__init__((), parent)
        self.jobs: list[Any] = []
        self.total = 0
        self._asked = -1
        self.job_columns = columns

    def tell_columns(self, gpu_hours_title: Text) -> None:
        """Name the columns. gpu_hours_title: what those count."""
        columns = []
        for job_column in self.job_columns:
            title = gpu_hours_title if job_column.title == GPU_HOURS_TITLE else job_column.title
            columns.append(Column(title=tr(title), is_figure=job_column.is_figure))
        self.show_rows(columns, ())

    def begin_again(self) -> None:
        """Another order: nothing is known."""
        self.jobs, self.total, self._asked = [], 0, -1
        self.show_rows(self.columns, ())

    def take(self, offset: int, jobs: Sequence[Any], total: int) -> None:
        """The next page; one that does not join what is there is dropped."""
        if offset != len(self.jobs):
            return
        self.total = total
        if jobs:
            self.beginInsertRows(QModelIndex(), offset, offset + len(jobs) - 1)
            self.jobs.extend(jobs)
            self.rows = LazyRows(len(self.jobs), self._row)
            self.endInsertRows()

    def _row(self, at: int) -> Row:
        """What the columns say of a job, and what is asked of it."""
        job = self.jobs[at]
        return Row(
            tuple(
                Cell(
                    text=one.text(job),
                    figure_id=job_figure(at, one.kind) if one.kind and one.has(job) else "",
                )
                for one in self.job_columns
            )
        )

    def canFetchMore(self, parent: Index) -> bool:
        """Whether there are more jobs than were read, and they are not asked for yet."""
        return not parent.isValid() and 0 < len(self.jobs) < self.total and self._asked != len(self.jobs)

    def fetchMore(self, parent: Index) -> None:
        """Asks for the next page; it comes later."""
        self._asked = len(self.jobs)
        self.more_wanted.emit(self._asked)


class JobsTable(FigureTable):
    """Jobs as rows, all of which are sorted where they are kept."""

    order_asked = Signal(str)

    def __init__(self, jobs: JobsModel) -> None:
        super().__init__(tr("Jobs"), model=jobs)
        self._jobs = jobs
        self.asks_by_click = False  # it chooses rows to copy
        self.order = MOST_FIRST

    def show_first(self) -> None:
        """The first page came: columns are as wide as it needs, and names take what is left over."""
        self._stretched = [one.title for one in self._jobs.job_columns].index(worded("Name"))
        self.habits.apply()

    def sort_rows(self, at: int | None, *, is_descending: bool) -> None:
        """Ask for the jobs in the order of a column; None: most GPU-hours first."""
        order = MOST_FIRST
        if at is not None:
            order = f"{self._jobs.job_columns[at].sort} {'desc' if is_descending else 'asc'}"
        if order != self.order:
            self.order = order
            self.order_asked.emit(order)

    def names_of(self, at: int) -> list[str]:
        """The workload of a job, by its key."""
        return [self._jobs.jobs[at].workload_key]
