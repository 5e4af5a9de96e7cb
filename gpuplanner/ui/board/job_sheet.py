"""The jobs of one workload, or of those merged in a card: a sheet with a table filled as it is scrolled."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QWidget

from gpuplanner.app.looking_back import JobDrill
from gpuplanner.charts.kit.plain_text import sentence, tr
from gpuplanner.domain.audit.evidence.trace import Trace
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.board import job_traces
from gpuplanner.ui.kit.dialogs import resize_within_screen
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row, share
from gpuplanner.ui.kit.page_parts import heading_label, named_button
from gpuplanner.ui.tables.cells import Cell, Column, Index, LazyRows, Row, RowsModel
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.words import numbers

# --- The table of jobs: filled in pages as it is scrolled; every figure of a job can be asked about


def _time(at_s: int | None) -> str:
    """A time in UTC to the second; a dash where it is unknown."""
    return numbers.UNKNOWN if at_s is None else f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S}"


def _lasted(row: Any) -> str:
    """How long a job ran as days-hours:minutes:seconds; or that it still does."""
    if row.end_s is None:
        return tr("runs on")
    seconds = row.end_s - row.start_s
    days, rest = divmod(seconds, 86_400)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{text}" if days else text


def _activity(row: Any) -> str:
    """Activity in percent; a dash where nothing measured it."""
    milli = row.activity_milli_percent
    return numbers.UNKNOWN if milli is None else numbers.percent(milli / 100_000)


GPU_HOURS_TITLE: Final = worded("GPU-h in window")


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
        GPU_HOURS_TITLE,
        lambda row: numbers.rate(row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR),
        "gpu_hours",
        True,
        job_traces.GPU_HOURS,
    ),
    JobColumn(worded("GPUs"), lambda row: numbers.gpus(row.milli_gpus / 1000), "gpus", True, job_traces.GPUS),
    JobColumn(worded("Start, UTC"), lambda row: _time(row.start_s), "start", True),
    JobColumn(
        worded("End, UTC"),
        lambda row: tr("still running") if row.end_s is None else _time(row.end_s),
        "end",
        True,
    ),
    JobColumn(
        worded("Lasted"), _lasted, "lasted", True, job_traces.LASTED, lambda row: row.end_s is not None
    ),
    JobColumn(
        titles.ACTIVITY,
        _activity,
        "activity",
        True,
        job_traces.ACTIVITY,
        lambda row: row.activity_milli_percent is not None,
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
        titles_of = (
            gpu_hours_title if one.title == GPU_HOURS_TITLE else one.title for one in self.job_columns
        )
        figures = (one.is_figure for one in self.job_columns)
        self.show_rows([*map(Column, map(tr, titles_of), figures)], ())

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
                    one.text(job),
                    figure_id=job_traces.job_figure(at, one.kind) if one.kind and one.has(job) else "",
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


class JobsSheet(QDialog):
    """Told a card and where its jobs are; asks for the import again where they are gone.

    scope: the hours that alone count, in words ("in hours without training"); "" for the whole window. names: of the
    workloads that are merged in the card, by key; of a card of one workload none.
    """

    import_asked = Signal()
    # figure id, the widget it stands in, and where (QRect; None: all)
    figure_opened = Signal(str, object, object)

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
        self.answers = job_traces.JobsAnswers(card, window, scope)
        called = tr("Jobs of {name}", name=card.name)
        self.setWindowTitle(called)
        self.setAccessibleName(called)
        resize_within_screen(self, 1200, 560)
        self.model = JobsModel(columns_with(names), self)
        self.model.tell_columns(worded("GPU-h in those hours") if scope else GPU_HOURS_TITLE)
        self.table = JobsTable(self.model)
        self.table.pass_on(self.figure_opened)
        self._build()
        self.model.more_wanted.connect(self._ask)
        if drill is None:
            self._say_gone(tr("This project was opened without the rows of its log."))
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
        again = tr("Choose the log file; its job rows are kept from then on")
        self.again = named_button(tr("Import the log again"), again, self._import_again, takes_enter=True)
        self.again.hide()
        close = named_button(tr("Close"), tr("Back to the board (Esc)"), self.close, takes_enter=True)
        back = tr("Back to the answer that these jobs stand behind (Backspace)")
        self.back = named_button(tr("Back to why"), back, self.accept, takes_enter=True)
        self.back.hide()
        texts = column(heading_label(self._card.name), self.said, spacing=2)
        inside = column(
            row(share(texts), margins=(20, 14, 20, 0), spacing=8),
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
        shortcut = QShortcut(QKeySequence(Qt.Key.Key_Backspace), self)
        shortcut.activated.connect(self.accept)

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
        facts, after = job_traces.jobs_facts(
            self._card, self._window, page, is_part=self._is_part, scope=self._scope
        )
        self.said.show_facts(facts, after=after)

    def _fail(self, error: Exception) -> None:
        """Says why the jobs cannot be read; lost rows can be imported again."""
        if isinstance(error, PlannerError):
            self._say_gone(f"{sentence(error.what)}.")
        else:
            self.said.show_words(tr("The jobs cannot be read: {error}.", error=error))

    def _say_gone(self, what: str) -> None:
        """Says that single jobs are only in the log, and offers to import it."""
        self.said.show_words(
            tr(
                "{what} The card's figures are in the project; its single jobs are in the log. "
                "Import the log again to see them.",
                what=what,
            )
        )
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
