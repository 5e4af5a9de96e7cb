"""The jobs of one workload, or of those merged in a card: a sheet with a table filled as it is scrolled."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.app.past.job_pages import JobDrill
from gpuplanner.charts.kit.plain_text import sentence, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import (
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    over,
    parts_of,
    product,
    read,
    summed,
)
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.dialogs import AnsweringDialog, resize_within_screen, titled
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row, share
from gpuplanner.ui.kit.page_parts import heading_label, named_button
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.tables.rows_model import Index, LazyRows, RowsModel
from gpuplanner.ui.words import numbers

# --- Why a figure of the jobs sheet is what it is: of one job, and of all of them together --------

JOBS_WORDS: Final = worded("Jobs = its rows in the log")
LOG: Final = worded("the job log, this job's row")
COUNT, HOURS, PER_MONTH, OF_CARD, OF_JOB = "jobs_count", "jobs_hours", "jobs_month", "jobs_card", "job"
GPU_HOURS, GPUS, LASTED, ACTIVITY = "gpu_hours", "gpus", "lasted", "activity"

Facts = tuple[tuple[str, str], ...]
"""Figure id and words."""


def jobs_facts(
    card: CardFigures, window: Window, page: Any, *, is_part: bool = False, scope: Text = ""
) -> tuple[Facts, str]:
    """1,204 jobs - 44,834 GPU-h in the window (15,029 a month, as on the card), and what stands after: the dates.

    is_part: the window is a part of the project's, such as one run; the card says nothing of that. scope: the
    hours that alone count, in words.
    """
    after = numbers.MIDDOT + tr("{value}, UTC", value=numbers.span(window.start_s, window.end_s))
    jobs = (figure(COUNT), numbers.counted(page.total, "job"))
    hours = numbers.gpu_hours(page.gpu_hours)
    if scope:
        return (jobs, (figure(HOURS), tr("{hours} GPU-h {scope}", hours=hours, scope=scope))), after
    if is_part:
        whole = numbers.whole(window.hours)
        inside = tr("{gpu_hours} GPU-h in these {hours} hours", gpu_hours=hours, hours=whole)
        return (jobs, (figure(HOURS), inside)), after
    is_same = abs(page.gpu_hours / window.months - card.gpu_hours_per_month) <= 0.5
    per_month = (
        (
            figure(PER_MONTH),
            tr(
                "{gpu_hours} per month, as on the card",
                gpu_hours=numbers.gpu_hours(page.gpu_hours / window.months),
            ),
        )
        if is_same
        else (
            figure(OF_CARD),
            tr(
                "the card shows {gpu_hours_per_month} per month",
                gpu_hours_per_month=numbers.whole(card.gpu_hours_per_month),
            ),
        )
    )
    return (jobs, (figure(HOURS), tr("{hours} GPU-h in the lookback period", hours=hours)), per_month), after


def job_figure(row: int, column: str) -> str:
    """The figure of one cell of the table of jobs."""
    return figure(OF_JOB, str(row), column)


class JobsAnswers:
    """Told the card, its window, what all jobs come to, and those that are loaded."""

    def __init__(self, card: CardFigures, window: Window, scope: Text = "") -> None:
        self._card, self._window = card, window
        self._where = scope or tr("in the lookback period")
        self.total, self.milli_gpu_seconds = 0, 0
        self.rows: Sequence[Any] = ()

    def trace(self, figure_id: str) -> Trace:
        """The answer for a figure of the sheet. Errors: KeyError where it is none of it."""
        kind, column, subject = parts_of(figure_id)
        if kind == OF_JOB and int(subject) < len(self.rows):
            return _of_job(self.rows[int(subject)], column, self._where)
        return _ANSWERS[kind](self)

    def count(self) -> Trace:
        """How many jobs there are."""
        source = tr("the job log: jobs that ran {where}", where=self._where)
        return read(tr("Jobs of {name}", name=self._card.name), self.total, "count", source, words=JOBS_WORDS)

    def hours(self) -> Trace:
        """GPU-hours of all of them: job by job, as far as they are loaded."""
        rows = [
            TraceRow(
                tr("Job {job_id}, {name}", job_id=row.job_id or "?", name=row.name), (row.milli_gpu_seconds,)
            )
            for row in self.rows
        ]
        if left := self.total - len(rows):
            rest = self.milli_gpu_seconds - sum(row.milli_gpu_seconds for row in self.rows)
            rows.append(TraceRow(tr("{left} more jobs in the list", left=numbers.whole(left)), (rest,)))
        return summed(
            tr("GPU-hours of {name}, {where}", name=self._card.name, where=self._where),
            self.milli_gpu_seconds,
            "milli_gpu_seconds",
            tr("GPU-hours = Σ over jobs of GPUs × hours in the lookback period"),
            rows,
            columns=(TraceColumn("GPU-h", "milli_gpu_seconds"),),
        )

    def per_month(self) -> Trace:
        """GPU-hours per month."""
        hours = self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
        months = self._window.months
        return over(
            tr("GPU-hours per month of {name}", name=self._card.name),
            hours / months,
            "gpu_hours",
            tr("GPU-hours per month = GPU-hours in the lookback period ÷ months of 730 h"),
            (tr(titles.GPU_HOURS_IN_THE_WINDOW), hours, "gpu_hours"),
            (tr("Months of 730 h"), months, "exact"),
            said_as=tr("per month"),
        )

    def of_card(self) -> Trace:
        """What the card says, where that is not what its jobs come to: a part, or demand that a plan grows."""
        hours = self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR / self._window.months
        said = self._card.gpu_hours_per_month
        rows = (
            TraceRow(tr("GPU-hours of the jobs ÷ months of 730 h"), (hours,)),
            TraceRow(tr("Difference of the card"), (said - hours,)),
        )
        return summed(
            tr("GPU-hours per month, card {name}", name=self._card.name),
            said,
            "gpu_hours",
            tr("Card = share of the workload × times the plan counts the log"),
            rows,
            said_as=tr("per month"),
            note=tr(long_text("split_workload_jobs")),
        )


_ANSWERS: Final[dict[str, Callable[[JobsAnswers], Trace]]] = {
    COUNT: JobsAnswers.count,
    HOURS: JobsAnswers.hours,
    PER_MONTH: JobsAnswers.per_month,
    OF_CARD: JobsAnswers.of_card,
}


def _of_job(row: Any, column: str, where: Text) -> Trace:
    """Why a figure of one job is what it is: GPU-hours as a product, all else as read from the log."""
    name = tr("job {job_id}", job_id=row.job_id) if row.job_id else tr("a job of {name}", name=row.name)
    gpus = row.milli_gpus / 1000
    if column == GPU_HOURS:
        hours = row.milli_gpu_seconds / row.milli_gpus / 3600 if row.milli_gpus else 0.0
        return product(
            tr("GPU-hours of {name}", name=name),
            row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,
            "exact",
            tr("GPU-hours = GPUs \u00d7 hours that it ran {where}", where=where),
            ((tr("Its GPUs"), gpus, "gpus"), (tr("Hours {where}", where=where), hours, "exact")),
            said_as="GPU-h",
            note=_ran(row),
        )
    if column == GPUS:
        return read(tr("GPUs of {name}", name=name), gpus, "gpus", LOG)
    if column == ACTIVITY:
        share = row.activity_milli_percent / 100_000
        source = tr("its mean activity")
        return read(tr("Activity of {name}", name=name), share, "share", source)
    rows = (
        TraceRow(tr("End, hours since 1970"), (row.end_s / 3600,)),
        TraceRow(tr("Less: start, hours since 1970"), (-row.start_s / 3600,)),
    )
    columns = (TraceColumn(tr("Hours"), "exact"),)
    value = (row.end_s - row.start_s) / 3600
    return summed(
        tr("{name} lasted", name=name.capitalize()),
        value,
        "exact",
        tr("Lasted = end − start, from the job log"),
        rows,
        said_as=tr("hours"),
        columns=columns,
        note=_ran(row),
    )


def _ran(row: Any) -> str:
    """From when to when the job ran."""
    begin = numbers.date(row.start_s)
    if row.end_s is None:
        return tr("Running since {begin}.", begin=begin)
    return tr("From {begin} to {end_s}.", begin=begin, end_s=numbers.date(row.end_s))


# --- The table of jobs: filled in pages as it is scrolled; every figure of a job can be asked about


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


# --- The jobs of one workload, or of those merged in a card: a sheet beside the board, filled as it is scrolled

NO_NAMES: Final[Mapping[str, str]] = {}


class JobsSheet(AnsweringDialog):
    """Told a card and where its jobs are; asks for the import again where they are gone.

    scope: the hours that alone count, in words ("in hours without training"); "" for the whole window. names: of the
    workloads that are merged in the card, by key; of a card of one workload none.
    """

    import_asked = Signal()

    def __init__(
        self,
        card: CardFigures,
        window: Window,
        drill: JobDrill | None,
        parent: QWidget | None = None,
        *,
        is_part: bool = False,
        scope: Text = "",
        names: Mapping[str, str] = NO_NAMES,
    ) -> None:
        super().__init__(parent)
        self._card, self._window, self._drill, self._is_part = card, window, drill, is_part
        self._scope = scope
        self.answers = JobsAnswers(card, window, scope)
        titled(self, tr("Jobs of {name}", name=card.name))
        resize_within_screen(self, 1200, 560)
        self.model = JobsModel(columns_with(names), self)
        self.model.tell_columns(worded("GPU-h in those hours") if scope else GPU_HOURS_TITLE)
        self.table = JobsTable(self.model)
        self.table.pass_on(self.figure_opened)
        self._build()
        self.model.more_wanted.connect(self._ask)
        if drill is None:
            self._say_gone(tr("No job rows on this computer."))
            return
        drill.setParent(self)
        drill.found.connect(self._take)
        drill.failed.connect(self._fail)
        self._ask(0)

    def _build(self) -> None:
        """Makes the head, the table and the way to import again where rows are not kept."""
        self.said = named(FactsLabel(), step="body")
        self.said.setWordWrap(True)
        self.said.show_words(tr("Looking up the jobs"))
        self.said.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.said, None))
        self.table.order_asked.connect(lambda _: self._ask_again())
        again = tr("Choose the log file to keep its job rows")
        self.again = named_button(tr("Import the log again"), again, self._import_again, takes_enter=True)
        self.again.hide()
        close = named_button(tr("Close"), tr("Back to the board (Esc)"), self.close, takes_enter=True)
        back = tr("Back to the previous figure (Backspace)")
        self.back = named_button(tr("Back to Why"), back, self.accept, takes_enter=True)
        self.back.hide()
        texts = column(heading_label(self._card.name), self.said, spacing=2)
        inside = column(
            row(share(texts), margins=(16, 14, 20, 0), spacing=8),
            share(row(self.table, margins=(16, 0, 12, 0))),
            spacing=8,
        )
        body = box("panel", inside, QWidget())
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        foot = row(self.back, STRETCH, self.again, close, margins=(20, 10, 20, 10))
        column(share(body), box("foot", foot, QFrame()), on=self, spacing=0)

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the sheet is what it is. Errors: KeyError where it is none of it."""
        return self.answers.trace(figure_id)

    def offer_way_back(self) -> None:
        """The jobs were opened from an answer: `accepted` says that it is wanted again."""
        self.back.show()
        QShortcut(QKeySequence(Qt.Key.Key_Backspace), self).activated.connect(self.accept)

    def _ask(self, offset: int) -> None:
        """Asks for a page of jobs from this one on."""
        if self._drill is not None:
            self._drill.ask(self.table.order, offset)

    def _ask_again(self) -> None:
        """Asks from the first job in the chosen order."""
        self.model.begin_again()
        self._ask(0)

    def _take(self, order: str, offset: int, page: Any) -> None:
        """Takes a page if the order is still the same; the first one sizes columns and takes the keyboard."""
        if order != self.table.order:
            return
        self.model.take(offset, page.rows, page.total)
        if offset == 0:
            self.table.show_first()
            if page.rows:
                self.table.setCurrentIndex(self.model.index(0, 0))
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.answers.total, self.answers.milli_gpu_seconds = page.total, page.milli_gpu_seconds
        self.answers.rows = self.model.jobs
        facts, after = jobs_facts(self._card, self._window, page, is_part=self._is_part, scope=self._scope)
        self.said.show_facts(facts, after=after)

    def _fail(self, error: Exception) -> None:
        """Says why the jobs cannot be read; lost rows can be imported again."""
        if isinstance(error, PlannerError):
            self._say_gone(f"{sentence(error.what)}.")
        else:
            self.said.show_words(tr("The jobs cannot be read: {error}.", error=error))

    def _say_gone(self, what: str) -> None:
        """Says that single jobs are only in the log, and offers to import it."""
        self.said.show_words(tr("{what} Import the log again.", what=what))
        self.again.show()
        self.again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _import_again(self) -> None:
        """Closes, and asks for an import."""
        self.close()
        self.import_asked.emit()

    def done(self, result: int) -> None:
        """Stops reading, however the sheet is left."""
        if self._drill is not None:
            self._drill.close()
        super().done(result)
