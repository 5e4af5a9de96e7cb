"""The report of an import: how every row of a file ended, and what was found in it."""

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, PlainLabel, escaped, set_tip
from gpuplanner.domain.audit.evidence.trace import Trace, figure
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.log.intake import FileIntake, Issue
from gpuplanner.files.tables.harmless_cells import csv_text
from gpuplanner.ui.importing.issue_words import issue_words, title_of
from gpuplanner.ui.importing.traces import ISSUE, report_trace, validation_figure
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

REFUSING_CODES = frozenset(("missing_column", "not_a_job_log", "truncated_file", "file_unreadable", "usage"))
"""Issues of a whole file: what has one and no row was refused."""
IGNORED_CODES = frozenset(("pending", "never_started", "not_a_row", "left_out", "no_quote"))
LEAST_ISSUES_PX = 84
TEXT_MARGINS_PX = 2 * 18 + 2 * 11 + 10
WORDS_FROM_PX = 300
"""A narrower report leaves the word of an issue's fate to its icon and tool tip."""

ALIKE_TIP = worded(
    "Rows without a job id that repeat an earlier one in every field end as duplicates and do not count"
)
OPEN_TIP = worded(
    "Rows without an end run to the end of the log, rows without a start were there when it began; what lacks both "
    "stays rejected"
)
SAVE_TIP = worded("Write row number, reason and columns of each rejected row to a CSV file")
VALIDATIONS = (
    (worded("Accepted"), "rows_accepted", "tick", "green"),
    (worded("Rejected"), "rows_rejected", "octagon", "red"),
    (worded("Duplicate"), "rows_duplicate", "copy", "muted"),
    (worded("Ignored"), "rows_ignored", "more", "muted"),
)


def is_refused(file: FileIntake) -> bool:
    """Whether a file was readable, but not as what it was given as: none of its rows was looked at."""
    return not file.rows_read and any(issue.code in REFUSING_CODES for issue in file.issues)


REFUSED: Final = worded("refused")


def validation_of(issue: Issue, file: FileIntake) -> tuple[Message, str, str]:
    """How the rows of an issue ended: word, icon, palette role."""
    if file.kind == "unknown" or issue.code == "not_a_job_log" or is_refused(file):
        return REFUSED, "octagon", "red"
    if any(row.code == issue.code for row in file.rejected):
        return worded("rejected"), "octagon", "red"
    if issue.code in IGNORED_CODES:
        return worded("ignored"), "more", "muted"
    if issue.code in REFUSING_CODES - {"truncated_file"}:  # of several files together, one was refused
        return REFUSED, "octagon", "red"
    return worded("accepted"), "triangle", "amber"


def _offer(tick: QCheckBox, is_offered: bool, is_ticked: bool) -> None:
    """Shows or hides a tick and sets it, without saying that the planner did."""
    tick.setVisible(is_offered)
    tick.blockSignals(True)
    tick.setChecked(is_ticked)
    tick.blockSignals(False)


class _ValidationBar(QWidget):
    """A bar of how the rows of a file ended, in shares of the rows read."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._file: FileIntake | None = None
        self.setFixedHeight(8)
        self.setAccessibleName(tr("Shares of accepted, rejected, duplicate and ignored rows"))

    def show_file(self, file: FileIntake | None) -> None:
        """Draws the bar of another file."""
        self._file = file
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Each way to end in its colour; even a single row is seen."""
        painter, palette, file = QPainter(self), self._palette, self._file
        painter.fillRect(self.rect(), palette.colour("track"))
        if file is None or not file.rows_read:
            return
        at = 0.0
        for _, field, _, role in VALIDATIONS:
            count = getattr(file, field)
            if count:
                width = max(2.0, self.width() * count / file.rows_read)
                painter.fillRect(QRect(round(at), 0, max(1, round(width) - 1), 8), palette.colour(role))
                at += width


class ImportReport(QFrame):
    """One file: counts that add up, issues, and the first rejected row in full."""

    save_rejected_asked = Signal()
    issue_chosen = Signal(str)  # code
    alike_toggled = Signal(bool)  # whether rows that are alike are dropped
    open_toggled = Signal(bool)  # whether rows without an end or a start are kept

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAccessibleName(tr("Report"))
        self._rows = PlainLabel(tr("Rows"))
        self._rows.setFont(font("title"))
        self._total = PlainLabel()
        self._total.setFont(font("title"))
        head = QHBoxLayout()
        head.addWidget(self._rows)
        head.addStretch(1)
        head.addWidget(self._total)
        self._caption = PlainLabel()
        self._caption.setFont(font("small"))
        self._caption.setProperty("role", "muted")
        self._caption.setWordWrap(True)
        self._bar = _ValidationBar(palette)
        self._fates = FigureTable(tr("How the rows ended"), palette)
        self._fates.row_height = 25
        self.alike = QCheckBox(tr("Drop rows that are alike"))
        self.alike.setAccessibleName(tr("Drop rows that are alike"))
        set_tip(self.alike, tr(ALIKE_TIP))
        self.alike.toggled.connect(self.alike_toggled)
        self.open_ended = QCheckBox(tr("Keep rows without an end or a start"))
        self.open_ended.setAccessibleName(tr("Keep rows without an end or a start"))
        set_tip(self.open_ended, tr(OPEN_TIP))
        self.open_ended.toggled.connect(self.open_toggled)
        self._issues_title = PlainLabel(tr("Issues"))
        self._issues_title.setFont(font("title"))
        self.save = QPushButton(tr(" Save rejected rows"))
        self.save.setAutoDefault(False)
        self.save.setAccessibleName(tr("Save rejected rows"))
        self.save.setIcon(icon("export", palette.text, palette.muted))
        self.save.clicked.connect(self.save_rejected_asked)
        issue_head = QHBoxLayout()
        issue_head.addWidget(self._issues_title)
        issue_head.addStretch(1)
        issue_head.addWidget(self.save)
        self._issues = FigureTable(tr("Issues"), palette)
        self._issues.row_height = 26
        self._issues.selectionModel().currentRowChanged.connect(lambda now, _: self._show_issue(now.row()))
        self._issues.row_opened.connect(self.issue_chosen)
        self._file: FileIntake | None = None
        self._first = MarkupLabel()
        self._first.setWordWrap(True)
        self._first.setFont(font("small"))
        self._box = QFrame()
        self._box.setObjectName("card")
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(10, 8, 10, 8)
        inside.addWidget(self._first)
        self._lay_out(head, issue_head)
        self.show_file(None)
        self.offer_dropping(is_offered=False, is_dropped=False)

    def _lay_out(self, head: QHBoxLayout, issue_head: QHBoxLayout) -> None:
        """In a column that scrolls where the window is low."""
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(18, 14, 18, 14)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self._caption)
        layout.addWidget(self._bar)
        layout.addWidget(self._fates)
        layout.addWidget(self.alike)
        layout.addWidget(self.open_ended)
        layout.addSpacing(8)
        layout.addLayout(issue_head)
        layout.addWidget(self._issues, 1)
        layout.addWidget(self._box)
        self._issues.setMinimumHeight(LEAST_ISSUES_PX)
        area = QScrollArea()
        area.setWidget(inside)
        inside.setAutoFillBackground(False)  # the area would fill it with the colour of windows
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(tr("Report"))
        around = QVBoxLayout(self)
        around.setContentsMargins(1, 0, 0, 0)  # beside its left edge
        around.addWidget(area)

    def show_file(self, file: FileIntake | None, caption: str = "") -> None:
        """Show one file's report; None: nothing has been read yet. caption: which rows it is of."""
        self._file = file
        self._caption.setText(spoken(caption))
        self._caption.setVisible(bool(caption))
        counted = file if file and not is_refused(file) else None  # of a refused file no row was counted
        self._total.setText(numbers.whole(counted.rows_read) if counted else numbers.UNKNOWN)
        self._bar.show_file(file)
        rows = [
            Row(
                (
                    Cell(word, icon=name, icon_role=role),
                    Cell(
                        numbers.whole(getattr(counted, field)) if counted else numbers.UNKNOWN,
                        figure_id=validation_figure(field) if counted else "",
                    ),
                )
            )
            for word, field, name, role in VALIDATIONS
        ]
        total = Row(
            (
                Cell(tr("Rows read")),
                Cell(
                    numbers.whole(counted.rows_read) if counted else numbers.UNKNOWN,
                    figure_id=validation_figure("rows_read") if counted else "",
                ),
            ),
            True,
        )
        self._fates.show_rows((Column("", False), Column("")), [*rows, total])
        self._fates.horizontalHeader().hide()
        self._fates.setFixedHeight(5 * 25 + 4)
        self.save.setEnabled(file is not None and bool(file.rejected))
        set_tip(self.save, tr(SAVE_TIP) if self.save.isEnabled() else tr("No row of this file was rejected"))
        issues = [(issue, file) for issue in file.issues] if file else []
        self._issues_title.setText(tr("Issues") if issues or file is None else tr("No issues"))
        shown = []
        for issue, of_file in issues:
            word, name, role = validation_of(issue, of_file)
            where = (
                tr("First in row {first_row}. ", first_row=numbers.whole(issue.first_row))
                if issue.first_row
                else ""
            )
            tip = tr(
                "{word}. {where}{title}: {message}",
                word=sentence(word),
                where=where,
                title=title_of(issue.code),
                message=spoken(issue_words(issue.code, issue.message)),
            )
            shown.append(
                Row(
                    (
                        Cell(title_of(issue.code), icon=name, icon_role=role, tip=tip),
                        Cell(
                            "" if word == REFUSED else numbers.whole(issue.count),
                            figure_id="" if word == REFUSED else figure(ISSUE, issue.code),
                        ),
                        Cell(word, "muted"),
                    ),
                    key=issue.code,
                )
            )
        self._issues.show_rows((), ())
        words = (Column("", False, 70),) if self.width() >= WORDS_FROM_PX else ()
        self._issues.show_rows((Column("", False, 0, True), Column(""), *words), shown)
        self._issues.horizontalHeader().hide()
        self._box.setVisible(bool(issues))
        self._show_issue(0)

    def offer_dropping(self, *, is_offered: bool, is_dropped: bool) -> None:
        """The tick for rows that are alike, where there are any."""
        _offer(self.alike, is_offered, is_dropped)

    def offer_keeping(self, *, is_offered: bool, is_kept: bool) -> None:
        """The tick for rows without an end or a start, where there are any."""
        _offer(self.open_ended, is_offered, is_kept)

    def trace(self, figure_id: str) -> Trace:
        """Why a count is what it is. Errors: KeyError, StopIteration where it is none of the report's."""
        if self._file is None:
            raise KeyError(figure_id)
        return report_trace(self._file, figure_id)

    def select_issue(self, code: str) -> None:
        """Choose one kind of issue; none of that code leaves the choice as it is."""
        issues = self._file.issues if self._file is not None else ()
        for at, issue in enumerate(issues):
            if issue.code == code:
                self._issues.selectRow(at)

    def _show_issue(self, at: int) -> None:
        """The issue in full, with the first of its rows where that is kept."""
        if self._file is None or not 0 <= at < len(self._file.issues):
            return
        issue = self._file.issues[at]
        row = next((row for row in self._file.rejected if row.code == issue.code), None)
        first = row.row if row else issue.first_row
        head = (
            tr("Row {first} \u00b7 {title}", first=numbers.whole(first), title=title_of(issue.code))
            if first
            else spoken(title_of(issue.code))
        )
        text = (row.text if len(row.text) < 200 else row.text[:200] + "\u2026") if row else ""
        message = spoken(issue_words(issue.code, row.message if row else issue.message))
        lines = [
            escaped(head),
            f"<code>{escaped(_breakable(text))}</code>" if text else "",
            escaped(_breakable(message[:1].upper() + message[1:])),
        ]
        self._first.setText(Markup("<br>".join(line for line in lines if line)))
        self._fit_text()

    def _fit_text(self) -> None:
        """A text that wraps says its height only for a width; without it a low window would cut the last lines."""
        width = self.width() - TEXT_MARGINS_PX
        self._first.setMinimumHeight(max(0, self._first.heightForWidth(max(80, width))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()


def _breakable(text: str) -> str:
    """A text that may be broken after each separator: a row has no blanks, and is read in a narrow box."""
    for separator in (",", "|", "\t", "=", "/"):
        text = text.replace(separator, f"{separator}\u200b")
    return text


def rejected_csv(files: tuple[FileIntake, ...]) -> str:
    """File, row and reason of every rejected row that is known, and the row as it stood, by its columns, as CSV.

    Of files with other columns each has its own; a row that is known as a text alone has that.
    """
    named = {file.path: _column_names(file) for file in files}
    columns = tuple(dict.fromkeys(name for names in named.values() for name in names))
    has_texts = any(not row.cells for file in files for row in file.rejected)
    head = ("file", "row", "code", "message", *(("text",) if has_texts else ()))
    lines: list[tuple[object, ...]] = [(*head, *columns)]
    for file in files:
        for row in file.rejected:
            text = ("" if row.cells else row.text,) if has_texts else ()
            cells = dict(zip(named[file.path], row.cells, strict=False))
            as_it_stood = (cells.get(name, "") for name in columns)
            lines.append((file.path, row.row, row.code, row.message, *text, *as_it_stood))
    return csv_text(lines)


def _column_names(file: FileIntake) -> tuple[str, ...]:
    """The headings of a file, each of its own: of two alike the second is called `name (2)`."""
    names: list[str] = []
    for place, heading in enumerate(file.columns, 1):
        name = heading.strip() or tr("column {place}", place=place)
        count = sum(other.partition(" (")[0] == name for other in names)
        names.append(tr("{name} ({count})", name=name, count=count + 1) if count else name)
    return tuple(names)
