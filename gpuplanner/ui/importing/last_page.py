"""What an import leaves open, the lookback period, and the last page: what is taken in."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Final

from PySide6.QtCore import QDate, QSignalBlocker, Qt, QTime, QTimeZone, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QDateEdit, QFrame, QPushButton, QWidget

from gpuplanner.app.importing import LogAlone
from gpuplanner.charts.kit.plain_text import PlainLabel, sentence, spoken, tr
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.gpu_family import Same, SameKind, names_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.activity.activity_intake import OneNode
from gpuplanner.files.importing.read_facts import job_facts, line_of
from gpuplanner.files.system.resources import gpu_families, long_text, views_of
from gpuplanner.files.values.lookback_period import DEFAULT_DAYS, WindowRequest
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.importing.import_state import (
    contracts_counted,
    jobs_counted,
    offers_counted,
    places_counted,
    with_loaded,
)
from gpuplanner.ui.importing.issue_words import TAKEN, taken_trace
from gpuplanner.ui.kit.layout import STRETCH, TOP, add, column, emptied, grid, named, placed, row, share
from gpuplanner.ui.kit.page_parts import choice_of, heading_label, label, muted_label, named_button, refill
from gpuplanner.ui.kit.theme import icon
from gpuplanner.ui.tables.cells import Cell, Filled, filled_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

# --- The questions of an import: what a log leaves open, on which cluster its jobs ran, what a price is for


_ENDINGS: Final = frozenset(
    (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".ods", ".parquet", ".gz", ".zst", ".zip")
)
"""What follows the name of a file, packed or not."""


def likely_cluster(path: str, clusters: Collection[str], *, is_alone: bool = True) -> str:
    """The cluster that contracts are for, or that a log's file is called after; empty where there is none.

    path: of the log; clusters: that contracts name; is_alone: all logs are of one scheduler.

    Of several schedulers no log is on the only cluster of contracts unless it is called so. Without contracts nothing
    is proposed: the name of one file would stay the cluster of every month's log.

    >>> likely_cluster("/logs/saga_sacct_2026-10.csv", []), likely_cluster("jobs.csv", ["atlas"])
    ('', 'atlas')
    """
    if len(clusters) == 1 and is_alone:
        return next(iter(clusters))
    words = {*_words(_name(path))}
    called = [cluster for cluster in sorted(clusters) if {*_words(cluster)} <= words]
    return called[0] if len(called) == 1 else ""


def _name(path: str) -> str:
    """A file's name without its endings, packed ones too."""
    name = PurePath(path)
    while name.suffix.lower() in _ENDINGS:
        name = name.with_suffix("")
    return name.name


def _words(name: str) -> list[str]:
    """The words of a name in small letters."""
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is left open: the beginning of a sentence, its ends as words and value, and the value that holds.

    is_typed: any other may be typed.
    """

    sentence: str
    answers: Sequence[tuple[str, str]]
    value: str
    is_typed: bool = False


def _lead_sentence(column: str, name: str) -> str:
    """What the column of a lead time leaves open, as in ASKED_OF."""
    return tr("“{column}” of {name} has no unit. Read as:", column=column, name=name)


ASKED_OF: Final[Mapping[str, Callable[[str, str], str]]] = {
    "end": lambda column, name: tr(long_text("last_day_or_after", column=column, name=name)),
    "notice_days": lambda column, name: tr(long_text("days_or_months", column=column, name=name)),
    "lead_time_hours": _lead_sentence,
    "lead_time_high_hours": _lead_sentence,
}
"""By field: what its column leaves open, as the beginning of a sentence that the answer ends."""


def node_questions(name: str, node: OneNode) -> dict[str, Asked]:
    """Which node a log of activity is of that names none, and what its GPUs are, by field of OneNode."""
    families = [(model, model) for model in dict.fromkeys(model.name for model in gpu_families().models)]
    of_name = tr("{name} covers one unnamed node. Node:", name=name)
    of_model = tr("GPU model of the node in {name}:", name=name)
    return {
        "name": Asked(of_name, (), node.name, True),
        "gpu_model": Asked(of_model, families, node.gpu_model, True),
    }


def model_question(name: str, same: Iterable[Same]) -> Asked:
    """Which GPU a name of no table is; a model of its own where nobody says."""
    families = [(model.name, model.name) for model in gpu_families().models if model.aliases != ("-",)]
    said = names_of(same, SameKind.MODEL).get(name.casefold(), name)
    answers = [(tr("A separate model"), name), *dict.fromkeys(families)]
    return Asked(tr("Unknown GPU model “{name}”. Treat as:", name=name), answers, said)


def cluster_question(name: str, ours: Sequence[str], same: Iterable[Same]) -> Asked:
    """Which cluster of contracts one of a log is that none of them serves; one of its own where nobody says."""
    said = names_of(same, SameKind.CLUSTER).get(name, name)
    answers = [(tr("A separate cluster"), name), *((own, own) for own in ours)]
    return Asked(tr("No contract covers cluster “{name}”. Treat as:", name=name), answers, said)


PARTITIONS: Final = "partitions"
"""Stands for a field, and for the answer that each contract serves the partition that it names."""


def partition_question(partitions: Sequence[Same], same: Collection[Same]) -> Asked:
    """Whether clusters that contracts name are the partitions of the logs that are called so."""
    names = ", ".join(dict.fromkeys(partition.ours for partition in partitions))
    answers = [(tr("contracts of these partitions"), PARTITIONS), (tr("separate clusters"), "")]
    sentence = tr("Contracts are for {names}, which are partitions in the log. Treat as:", names=names)
    return Asked(sentence, answers, PARTITIONS if {*partitions} <= {*same} else "")


ZONE: Final = "zone"
"""Stands for a field: the time zone of logs whose times carry none."""


def zone_question(zones: Iterable[str], chosen: str) -> Asked:
    """In which zone times without one are read. zones: in words."""
    sentence = tr("Time zone of times without one:")
    return Asked(sentence, [(words, words) for words in zones], chosen, True)


SERVED: Final = "cluster"
"""The field that is asked about of a log, or of contracts, that name none."""


def served_question(name: str, clusters: Sequence[str], answer: str, why: Text = "") -> Asked:
    """On which cluster the jobs of a log ran, or which the contracts of a file serve; answer: empty for none.

    clusters: that other files name; why: how many contracts name none, empty of a log.
    """
    answers = [(cluster, cluster) for cluster in dict.fromkeys(("", *clusters, answer))]
    sentence = (
        tr("Jobs of {name} name no cluster. Cluster:", name=name)
        if not why
        else tr("{name}: {why}. Cluster served:", name=name, why=why)
    )
    return Asked(sentence, answers, answer, True)


def twice_question(name: str, kind: str) -> Asked:
    """Whether a list of nodes beside contracts of the same GPU models is of their GPUs. kind: what it is read as."""
    answers = [(tr("the same GPUs (skip the list)"), ""), (tr("additional GPUs"), "contracts")]
    sentence = tr("Contracts have the same GPU models as {name}. It lists:", name=name)
    return Asked(sentence, answers, kind)


class OpenQuestions(QWidget):
    """Told what tables leave open, each with its likely reading; emits what is said of one."""

    answered = Signal(str, str, str)  # path, field, unit; of a name: its kind, the name, what it is

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[tuple[str, str], QComboBox] = {}
        self._lines = grid(on=self, spacing=(8, 4), shares=(0, 1))
        self.hide()

    def ask(self, asked: Mapping[tuple[str, str], Asked]) -> None:
        """By path and field; of a name by it alone."""
        self.setVisible(bool(asked))
        if asked.keys() != self.boxes.keys():
            emptied(self._lines)
            self.boxes = {key: self._line(*key, one) for key, one in asked.items()}
        for key, one in asked.items():
            box = self.boxes[key]
            line = box.lineEdit()
            if line is not None and line.hasFocus():  # or what is being typed would go
                continue
            if line is not None and box.findData(one.value) < 0:
                refill(box, (*one.answers, (one.value, one.value)), one.value)
            box.setCurrentIndex(box.findData(one.value))

    def _line(self, path: str, field: str, asked: Asked) -> QComboBox:
        """One question with its box."""
        letters = 30 if asked.is_typed else 0
        box = choice_of(asked.sentence, tr("Applies to every row of the file"), asked.answers, None, letters)
        box.setEditable(asked.is_typed)
        if (typed := box.lineEdit()) is not None:
            box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            if field == ZONE and (completer := box.completer()) is not None:  # Oslo finds Europe/Oslo
                completer.setFilterMode(Qt.MatchFlag.MatchContains)
                completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            typed.setAccessibleName(asked.sentence)
            typed.setPlaceholderText(tr("not known"))
            typed.editingFinished.connect(lambda: self.answered.emit(path, field, typed.text().strip()))
        box.activated.connect(lambda at: self.answered.emit(path, field, box.itemData(at)))
        at = self._lines.rowCount()
        self._lines.addWidget(label(asked.sentence, of=box), at, 0)
        self._lines.addWidget(box, at, 1, Qt.AlignmentFlag.AlignLeft)
        return box


RIGHT: Final = ""
"""The answer that the rates are as they should be."""

ANSWERS: Final = views_of("odd_rate")
"""Unit of the price, its words, and what is done then."""


class FileQuestion(QFrame):
    """Told what is asked of a file before anything is taken in, or nothing; emits the answer."""

    answered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        sign = PlainLabel()
        sign.setPixmap(icon("triangle", "amber").pixmap(16, 16))
        self._title, self._sentence = label(step="strong"), muted_label()
        self.buttons: dict[str, QPushButton] = {}
        self._answers = column(spacing=4)
        asked = column(self._title, self._sentence, self._answers, spacing=4)
        row(placed(sign, TOP), share(asked), on=self, margins=(20, 8, 20, 10), spacing=10)
        self.hide()

    def show_question(
        self,
        title: str,
        words: str = "",
        answers: Sequence[tuple[str, Text, Text]] = (),
        *,
        is_best_first: bool = False,
    ) -> None:
        """Ask; answers: value, words and tip. is_best_first: the first is preselected. No title: hide."""
        self.setVisible(bool(title))
        self._title.setText(title)
        self._sentence.setText(words)
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        if [*self.buttons] == [value for value, *_ in answers]:
            return
        emptied(self._answers)
        self.buttons = {
            value: named_button(
                words, tip, lambda _=False, value=value: self.answered.emit(value), takes_enter=True
            )
            for value, words, tip in answers
        }
        if is_best_first:
            best = next(iter(self.buttons.values()))
            best.setProperty("primary", True)
            best.setFocus()
            add(self._answers, *(row(button, STRETCH) for button in self.buttons.values()))
        else:
            add(self._answers, row(*self.buttons.values(), STRETCH, spacing=8))


def rate_answers(unit: str) -> list[tuple[str, Text, Text]]:
    """Return what rates may be for. unit: in which they were read, empty where no other can be chosen."""
    return [answer for answer in ANSWERS if answer[0] == RIGHT or (unit and answer[0] != unit)]


def rows_words(message: Text) -> Text:
    """Return what the issue says of its rows, without what it says of all such rows."""
    if isinstance(message, Message) and message.values:
        so = next(iter(message.values.values()))
        rows = [*so.values.values()][-1] if isinstance(so, Message) and len(so.values) > 1 else None
        if isinstance(rows, Message | str):
            return spoken(rows)
    return in_window_words(message)


# --- Which past to look at: the last days of the log, all of it, or from one day to another ------

WHOLE: Final = "whole"
FROM_TO: Final = "from_to"
CHOICES: Final = (
    (30, worded("Last 30 days")),
    (90, worded("Last 90 days")),
    (180, worded("Last 180 days")),
    (365, worded("Last 365 days")),
    (WHOLE, worded("Whole log")),
    (FROM_TO, worded("From \u2013 to")),
)


class WindowChoice(QWidget):
    """A box of usual lengths, and two days where the planner wants their own; emits changed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        tip = tr("Days end with the last finished job")
        self.box = choice_of(tr("Lookback period"), tip, ((title, value) for value, title in CHOICES))
        self.box.setCurrentIndex(self.box.findData(DEFAULT_DAYS))
        self.first, self.last = (
            _day(tr("First day of the lookback period")),
            _day(tr("Last day of the lookback period")),
        )
        self._dash = label("\u2013")
        row(self.box, self.first, self._dash, self.last, STRETCH, on=self, spacing=8)
        self.box.currentIndexChanged.connect(self._choose)
        for day in (self.first, self.last):
            day.dateChanged.connect(lambda _: self.changed.emit())
        self._show_days(False)

    @property
    def request(self) -> WindowRequest:
        """What is chosen, as the readers take it. Days are UTC days; the last one is in."""
        if (chosen := self.box.currentData()) == WHOLE:
            return WindowRequest(whole_log=True)
        if chosen == FROM_TO:
            return WindowRequest(start_s=_epoch_s(self.first), end_s=_epoch_s(self.last) + DAY_S)
        return WindowRequest() if chosen == DEFAULT_DAYS else WindowRequest(days=chosen)

    @property
    def refusal(self) -> str:
        """Why this is no window; empty where it is one."""
        if self.box.currentData() == FROM_TO and self.last.date() < self.first.date():
            return tr("The lookback period ends before it starts: choose a later last day.")
        return ""

    @property
    def words(self) -> str:
        """last 30 days; whole log; 3 Jul 2026 - 30 Sep 2026."""
        if self.box.currentData() == FROM_TO:
            return f"{self.first.text()} {chr(0x2013)} {self.last.text()}"
        return self.box.currentText().lower()

    def show_window(self, window: Window) -> None:
        """The days of a window that is known; says nothing by itself."""
        for day, at_s in ((self.first, window.start_s), (self.last, window.end_s - HOUR_S)):
            with QSignalBlocker(day):
                day.setDate(QDate(1970, 1, 1).addDays(at_s // DAY_S))

    def _choose(self) -> None:
        """Shows the days if they are what is chosen, and says that the choice changed."""
        self._show_days(self.box.currentData() == FROM_TO)
        self.changed.emit()

    def _show_days(self, is_visible: bool) -> None:
        """Shows or hides the fields of the two days."""
        for widget in (self.first, self._dash, self.last):
            widget.setVisible(is_visible)


def _day(name: str) -> QDateEdit:
    """A field for a day in UTC, which speaks up when the whole day is typed."""
    edit = named(QDateEdit(), name, tr("{value}, UTC", value=name))
    edit.setDisplayFormat("d MMM yyyy")
    edit.setTimeZone(QTimeZone.utc())
    edit.setAlignment(Qt.AlignmentFlag.AlignRight)
    edit.setKeyboardTracking(False)
    return edit


def _epoch_s(edit: QDateEdit) -> int:
    """The first second of the field's day, UTC."""
    at = edit.date().startOfDay(QTimeZone.utc())
    assert at.time() == QTime(0, 0)
    return int(at.toSecsSinceEpoch())


# --- The last page of an import: what is taken in, over which period, and what becomes of what is loaded

WIDEST_PX: Final = 560
"""A figure further from its name is not found by the eye."""
COLUMNS: Final[tuple[Filled[tuple[str, str, str]], ...]] = (
    Filled(title="", is_figure=False, cell=lambda one: one[0]),
    Filled(title="", cell=lambda one: Cell(text=one[1], is_strong=True, figure_id=one[2])),
)
"""Name, figure and what answers for it."""


class LastPage(QWidget):
    """Told what was read."""

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Imported data"))
        self.figures = FigureTable(tr("Imported data"))
        self.figures.row_height = 26
        self._read: Any = None  # what is shown
        self.figures.setMaximumWidth(WIDEST_PX)
        self._note = label(role="muted", is_wrapped=True)
        parts = (heading_label(tr("Imported data")), share(self.figures), self._note)
        column(*parts, on=self, margins=(20, 16, 20, 12), spacing=8)

    def trace(self, figure_id: str) -> Trace:
        """Why a count is what it is. Errors: KeyError where it is none of the page's."""
        if self._read is None:
            raise KeyError(figure_id)
        return taken_trace(self._read, figure_id)

    def show_read(
        self,
        request: Any,
        read: Any,
        note: str,
        joined: Project | None = None,
        alone: Sequence[LogAlone] = (),
    ) -> None:
        """What would be taken in; read: ReadResult, or None while it is read. note: what becomes of the rest.

        joined: the project that the files are added to; alone: each log by itself, once that is known.
        """
        self._read = read
        self._note.setText(spoken(note))
        rows = [] if read is None else _figures(request, read, joined, alone)
        self.figures.show_rows((), ())
        self.figures.show_rows(COLUMNS, filled_rows(COLUMNS, rows))
        self.figures.horizontalHeader().hide()


def _hours(gpu_hours: float) -> str:
    """GPU-hours, with a decimal where they are few; a count as it is."""
    is_whole = gpu_hours >= 100 or isinstance(gpu_hours, int)
    return numbers.whole(gpu_hours) if is_whole else numbers.one_decimal(gpu_hours)


def _gpu_counts(read: Any) -> tuple[int, float, int]:
    """GPU jobs, their GPU-hours and the workloads of what was read."""
    return read.jobs.gpu_jobs, read.jobs.gpu_hours, len(read.workloads)


def left_out_words(alone: Iterable[LogAlone]) -> str:
    """How many GPU-hours of the logs the lookback period leaves out; empty where nothing is known."""
    sums = [(log.whole.jobs.gpu_hours, log.inside.jobs.gpu_hours) for log in alone]
    whole, inside = (sum(hours) for hours in zip(*sums, strict=True)) if sums else (0.0, 0.0)
    if not sums or _hours(whole - inside) == _hours(0.0):
        return tr("Leaves out no GPU-hours.") if sums else ""
    return tr("Leaves out {left} of {whole} GPU-hours.", left=_hours(whole - inside), whole=_hours(whole))


def line_of_log(log: LogAlone) -> str:
    """What a log holds in the line of a check, and how much of that is in the lookback period."""
    line = spoken(line_of("jobs", job_facts(log.whole)))
    if log.whole.jobs.count == log.inside.jobs.count:
        return line
    hours = _hours(log.inside.jobs.gpu_hours)
    return tr("{line}; {hours} GPU-hours in the lookback period", line=line, hours=hours)


def _figures(
    request: Any, read: Any, joined: Project | None, alone: Sequence[LogAlone]
) -> Sequence[tuple[str, str, str]]:
    """What was read, as rows of name, figure and what answers for it: jobs, lookback period, contracts, prices.

    Contracts, offers and places have no answer: they are listed in their files.
    """
    rows: list[tuple[str, str, str]] = []
    if request.job_paths:
        accepted, inside = jobs_counted(read, joined)
        outside = (accepted[0] - inside[0], accepted[1] - inside[1])
        loaded = {file.path for file in joined.intake} if joined is not None else set()
        own = [log.inside for log in alone if log.path not in loaded]
        of_all = _gpu_counts(read)
        of_own = of_all if accepted[0] == accepted[1] else map(sum, zip(*map(_gpu_counts, own), strict=True))
        pairs = [with_loaded(pair, words=_hours) for pair in zip(of_own, of_all, strict=False)]
        gpu_jobs, gpu_hours, workloads = pairs or [numbers.UNKNOWN] * 3
        rows += [
            (tr("Jobs imported"), with_loaded(accepted), figure(TAKEN, "accepted")),
            (tr("Jobs in the lookback period"), with_loaded(inside), figure(TAKEN, "inside")),
            (tr("Jobs before or after it, skipped"), with_loaded(outside), figure(TAKEN, "outside")),
            (tr("GPU jobs in the lookback period"), gpu_jobs, figure(TAKEN, "gpu_jobs")),
            (tr(titles.GPU_HOURS_IN_THE_WINDOW), gpu_hours, figure(TAKEN, "gpu_hours")),
            (tr("Workloads"), workloads, figure(TAKEN, "workloads")),
        ]
        if read.window is not None:
            days = numbers.gpus(read.window.hours / 24)
            span = numbers.span(read.window.start_s, read.window.end_s)
            rows.append((tr("Lookback period"), tr("{start_s}, {days} days", start_s=span, days=days), ""))
    if request.contract_paths:
        rows.append((tr("Contracts"), with_loaded(contracts_counted(read, joined)), ""))
    if request.price_paths:
        rows.append((tr("Offers"), with_loaded(offers_counted(read, joined)), ""))
    rows += [
        (sentence(many), numbers.whole(count), "")
        for (_, many), count in places_counted(request, read, joined)
    ]
    if request.planned_paths:
        rows.append((tr("Planned work"), numbers.whole(len(read.planned)), ""))
    return rows
