"""How an import stands, in words and at its foot, and its report: how every row ended, what was found."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QCheckBox, QFrame, QWidget

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, sentence, set_tip, spoken, tr
from gpuplanner.domain.audit.evidence.trace import Trace, figure
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.intake import FileIntake, Issue, RejectedRow
from gpuplanner.domain.model.project import Project
from gpuplanner.files.tables.delimited import csv_text
from gpuplanner.files.tables.price_columns import ODD_RATE
from gpuplanner.files.tables.small_table import REJECTED_ROWS_KEPT
from gpuplanner.ui.importing import import_state
from gpuplanner.ui.importing.columns_page import naive_sentence
from gpuplanner.ui.importing.files import ImportFiles, ImportReading
from gpuplanner.ui.importing.issue_words import (
    COUNTED_AS,
    ISSUE,
    issue_words,
    report_trace,
    title_of,
    validation_figure,
)
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row, share
from gpuplanner.ui.kit.page_parts import (
    choice_of,
    heading_label,
    label,
    muted_label,
    named_button,
    refill,
    retell,
    scrolled,
)
from gpuplanner.ui.kit.theme import LEFT, draw_box, draw_icon, draw_text, font, icon, in_use, text_width
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

# --- The report of an import: how every row of a file ended, and what was found in it ------------

REFUSING_CODES = frozenset(("missing_column", "not_a_job_log", "truncated_file", "file_unreadable", "usage"))
"""Issues of a whole file: what has one and no row was refused."""
IGNORED_CODES = frozenset(("pending", "never_started", "not_a_row", "left_out", "no_quote"))
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
BOTH_TIP = worded("Rows with neither run from the first to the last hour of the log")
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
    if issue.code in COUNTED_AS:
        return worded("not read"), "triangle", "amber"
    if issue.code in IGNORED_CODES:
        return worded("ignored"), "more", "muted"
    if issue.code in REFUSING_CODES - {"truncated_file"}:  # of several files together, one was refused
        return REFUSED, "octagon", "red"
    return worded("accepted"), "triangle", "amber"


def offer(tick: QCheckBox, *, is_offered: bool, is_ticked: bool) -> None:
    """Show or hide a tick and set it, without saying that the planner did."""
    tick.setVisible(is_offered)
    with QSignalBlocker(tick):
        tick.setChecked(is_ticked)


class _ValidationBar(QWidget):
    """A bar of how the rows of a file ended, in shares of the rows read."""

    def __init__(self) -> None:
        super().__init__()
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
        painter, palette, file = QPainter(self), in_use(), self._file
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
    open_toggled = Signal(
        object
    )  # OpenEnded: whether rows without an end or a start are kept, or without both too

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAccessibleName(tr("Report"))
        self._total = label(step="title")
        self._caption = muted_label()
        self._bar = _ValidationBar()
        self._fates = FigureTable(tr("How the rows ended"))
        self._fates.row_height = 25
        drop, keep = tr("Drop rows that are alike"), tr("Keep rows without an end or a start")
        self.alike = named(QCheckBox(drop), drop, ALIKE_TIP)
        self.alike.toggled.connect(self.alike_toggled)
        self.open_ended = named(QCheckBox(keep), keep, OPEN_TIP)
        self.open_ended.toggled.connect(self.open_toggled.emit)
        both = tr("Also rows without both")
        self.open_at_both = named(QCheckBox(both), both, BOTH_TIP)
        self.open_at_both.toggled.connect(lambda is_on: self.open_toggled.emit("both" if is_on else True))
        self._issues_title = heading_label(tr("Issues"))
        called = tr("Save rejected rows")
        self.save = named_button(tr(" Save rejected rows"), "", self.save_rejected_asked, called=called)
        self.save.setIcon(icon("export", "text", "muted"))
        self._issues = FigureTable(tr("Issues"))
        self._issues.row_height = 26
        self._issues.selectionModel().currentRowChanged.connect(lambda now, _: self._show_issue(now.row()))
        self._issues.row_opened.connect(self.issue_chosen)
        self._file: FileIntake | None = None
        self._first = named(MarkupLabel(), step="small")
        self._first.setWordWrap(True)
        self._box = box("card", column(self._first, margins=(10, 8, 10, 8)), QFrame())
        self._lay_out()
        self.show_file(None)
        for tick in (self.alike, self.open_ended, self.open_at_both):
            offer(tick, is_offered=False, is_ticked=False)

    def _lay_out(self) -> None:
        """In a column that scrolls where the window is low."""
        inside = QWidget()
        rows = row(heading_label(tr("Rows")), STRETCH, self._total)
        issues = row(self._issues_title, STRETCH, self.save)
        ended = (rows, self._caption, self._bar, self._fates, self.alike, self.open_ended, self.open_at_both)
        found = (issues, self._issues, self._box)
        column(*ended, 8, *found, STRETCH, on=inside, margins=(18, 14, 18, 14), spacing=8)
        area = scrolled(inside, tr("Report"))
        inside.setAutoFillBackground(False)  # the area would fill it with the colour of windows
        column(area, on=self, margins=(1, 0, 0, 0))  # beside its left edge

    def show_file(self, file: FileIntake | None, caption: str = "") -> None:
        """Show one file's report; None: nothing has been read yet. caption: which rows it is of."""
        self._file = file
        self._caption.setText(spoken(caption))
        self._caption.setVisible(bool(caption))
        counted = file if file and not is_refused(file) else None  # of a refused file no row was counted
        self._total.setText(numbers.whole(counted.rows_read) if counted else numbers.UNKNOWN)
        self._bar.show_file(file)

        def count(field: str) -> Cell:
            """Rows that ended so, or all."""
            if counted is None:
                return Cell(numbers.UNKNOWN)
            return written(numbers.whole, getattr(counted, field), figure_id=validation_figure(field))

        rows = [
            Row((Cell(word, icon=name, icon_role=role), count(field)))
            for word, field, name, role in VALIDATIONS
        ]
        total = Row((Cell(tr("Rows read")), count("rows_read")), True)
        self._fates.show_rows((Column("", False), Column("")), [*rows, total])
        self._fates.horizontalHeader().hide()
        self._fates.setFixedHeight(5 * 25 + 4)
        self.save.setEnabled(file is not None and bool(file.rejected))
        set_tip(self.save, tr(SAVE_TIP) if self.save.isEnabled() else tr("No row of this file was rejected"))
        issues = [_issue_row(issue, file) for issue in file.issues] if file else []
        self._issues_title.setText(tr("Issues") if issues or file is None else tr("No issues"))
        self._issues.show_rows((), ())
        words = (Column("", False),) if self.width() >= WORDS_FROM_PX else ()
        self._issues.show_rows((Column("", False, 0, True), Column(""), *words), issues)
        self._issues.horizontalHeader().hide()
        self._issues.setFixedHeight(len(issues) * self._issues.row_height + 4)
        self._issues.setVisible(bool(issues))
        self._box.setVisible(bool(issues))
        self._show_issue(0)

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
        issue, text = self._file.issues[at], ""
        number, message = issue.first_row, issue.message
        if one := next((one for one in self._file.rejected if one.code == issue.code), None):
            number, message = one.row, one.message
            text = one.text if len(one.text) < 200 else one.text[:200] + "\u2026"
        title = spoken(title_of(issue.code))
        head = tr("Row {first} \u00b7 {title}", first=numbers.whole(number), title=title) if number else title
        said = spoken(issue_words(issue.code, message))
        lines = [
            escaped(head),
            f"<code>{escaped(_breakable(text))}</code>" if text else "",
            escaped(_breakable(said[:1].upper() + said[1:])),
        ]
        self._first.setText(Markup("<br>".join(line for line in lines if line)))
        self._fit_text()

    def _fit_text(self) -> None:
        """A text that wraps says its height only for a width; without it a low window would cut the last lines."""
        width = self.width() - TEXT_MARGINS_PX
        self._first.setMinimumHeight(0)  # or a text would need no less than the one before it
        self._first.setMinimumHeight(max(0, self._first.heightForWidth(max(80, width))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()


def _issue_row(issue: Issue, file: FileIntake) -> Row:
    """A kind of finding: its count, unless the file was refused, and how its rows ended."""
    word, name, role = validation_of(issue, file)
    first = numbers.whole(issue.first_row) if issue.first_row else ""
    tip = tr(
        "{word}. {where}{title}: {message}",
        word=sentence(word),
        where=tr("First in row {first_row}. ", first_row=first) if first else "",
        title=title_of(issue.code),
        message=spoken(issue_words(issue.code, issue.message)),
    )
    counted = written(numbers.whole, issue.count, figure_id=figure(ISSUE, issue.code))
    found = Cell(title_of(issue.code), icon=name, icon_role=role, tip=tip)
    return Row((found, Cell() if word == REFUSED else counted, Cell(word, "muted")), key=issue.code)


def _text_cell(one: RejectedRow) -> Cell:
    return Cell(one.text.replace("\n", " "), "muted", tip=one.text)


def _breakable(text: str) -> str:
    """A text that may be broken after each separator: a row has no blanks, and is read in a narrow box."""
    for separator in (",", "|", "\t", "=", "/"):
        text = text.replace(separator, f"{separator}\u200b")
    return text


def rejected_csv(files: tuple[FileIntake, ...]) -> str:
    """File, row and reason of every rejected row that is known, and the row as it stood, by its columns, as CSV.

    Of files with other columns each has its own; a row that is known as a text alone has that.
    """
    headings = {file.path: _column_names(file) for file in files}
    columns = tuple(dict.fromkeys(name for names in headings.values() for name in names))
    has_texts = any(not one.cells for file in files for one in file.rejected)
    head = ("file", "row", "code", "message", *(("text",) if has_texts else ()))
    lines: list[tuple[object, ...]] = [(*head, *columns)]
    for file in files:
        for one in file.rejected:
            text = ("" if one.cells else one.text,) if has_texts else ()
            cells = dict(zip(headings[file.path], one.cells, strict=False))
            as_it_stood = (cells.get(name, "") for name in columns)
            lines.append((file.path, one.row, one.code, one.message, *text, *as_it_stood))
    return csv_text(lines)


def _column_names(file: FileIntake) -> tuple[str, ...]:
    """The headings of a file, each of its own: of two alike the second is called `name (2)`."""
    names: list[str] = []
    for place, heading in enumerate(file.columns, 1):
        name = heading.strip() or tr("column {place}", place=place)
        count = sum(other.partition(" (")[0] == name for other in names)
        names.append(tr("{name} ({count})", name=name, count=count + 1) if count else name)
    return tuple(names)


# --- The issues page of an import: the rows of one kind of finding, each with its reason and its text

ALL: Final = ""


class IssuesPage(QWidget):
    """Told a file that was read; asked for one kind of issue it lists the rows it knows of it."""

    issue_chosen = Signal(str)  # code

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Issues"))
        self._file: FileIntake | None = None
        self._is_left_out = False
        self._code = ALL
        self._title = heading_label(tr("Issues"))
        self.box = choice_of(tr("Kind of issue"), tr("List the rows of one kind of issue"), ())
        self.box.activated.connect(lambda _: self._choose(self.box.currentData()))
        self._said = label(role="muted", is_wrapped=True)
        self.rows = FigureTable(tr("Rows of the issue"))
        self.rows.row_height = 26
        head = row(self._title, self.box, STRETCH, spacing=8)
        column(head, self._said, share(self.rows), on=self, margins=(20, 16, 20, 12), spacing=8)

    def show_file(self, file: FileIntake | None, name: str, *, is_left_out: bool = False) -> None:
        """The issues of one file; None: it has not been read, or is left out."""
        self._file, self._is_left_out = file, is_left_out
        codes = [issue.code for issue in file.issues] if file is not None else []
        if self._code not in codes:
            self._code = ALL
        self._title.setText(tr("Issues of {name}", name=name))
        issues = () if file is None else file.issues
        counted = ((title_of(one.code), numbers.whole(one.count), one.code) for one in issues)
        kinds = ((tr("{code}: {count}", code=title, count=count), code) for title, count, code in counted)
        refill(self.box, ((tr("All rejected rows"), ALL), *kinds), self._code)
        self._show_rows()

    def show_issue(self, code: str) -> None:
        """List the rows of one kind."""
        self._code = code
        self.box.setCurrentIndex(max(0, self.box.findData(code)))
        self._show_rows()

    def _choose(self, code: str) -> None:
        """Shows a kind of finding, and says so to the report."""
        self.show_issue(code)
        self.issue_chosen.emit(code)

    def _show_rows(self) -> None:
        """Shows the rows of a kind: the rejected ones, else those with a note."""
        file, code = self._file, self._code
        rejected = () if file is None else file.rejected
        rows = [row for row in rejected if code in (ALL, row.code)]
        sign, role = "octagon", "red"
        if not rows and file is not None and code != ALL:
            rows = [row for row in file.noted if row.code == code]
            _, sign, role = validation_of(next(issue for issue in file.issues if issue.code == code), file)
        self._said.setText(self._sentence(len(rows)))
        self.rows.show_rows((), ())
        self.rows.setVisible(bool(rows))

        def why(one: RejectedRow) -> Cell:
            """Why the row ended so."""
            words = issue_words(one.code, one.message)
            tip = tr("{title}: {message}", title=title_of(one.code), message=spoken(words))
            return Cell(sentence(words), icon=sign, icon_role=role, tip=tip)

        columns: tuple[Filled[RejectedRow], ...] = (
            Filled("Row", cell=lambda one: numbers.whole(one.row)),
            Filled("Why", False, 300, True, cell=why),
            Filled("Text of the row", False, 0, True, cell=_text_cell),
        )
        self.rows.show_rows(columns, filled_rows(columns, rows, lambda one: str(one.row)))

    def _sentence(self, listed: int) -> str:
        """What the finding means, or why there are no rows; how many are not listed."""
        file = self._file
        if file is None:
            left_out = tr("This file is left out: none of its rows was read.")
            return left_out if self._is_left_out else tr("The file has not been read yet.")
        if self._code == ALL:
            if not file.rows_rejected:
                see = tr(" Choose a kind of issue to see what it means.") if file.issues else ""
                return tr("No row was rejected.") + see
            kept = ""
            if file.rows_rejected > listed:
                most = numbers.whole(REJECTED_ROWS_KEPT)
                kept = tr(" The first {rejected_rows_kept} of a kind are listed.", rejected_rows_kept=most)
            return tr("{rows} rejected.{kept}", rows=numbers.counted(file.rows_rejected, "row"), kept=kept)
        issue = next(issue for issue in file.issues if issue.code == self._code)
        word = validation_of(issue, file)[0]
        message = sentence(issue_words(issue.code, issue.message)).rstrip(".")
        first = numbers.whole(issue.first_row or 0)
        in_words = COUNTED_AS.get(issue.code)
        rows = in_words(issue.count) if in_words else numbers.counted(issue.count, "row")
        count = "" if word == REFUSED else tr(" {rows}, {word}.", rows=rows, word=word)
        has_first = issue.first_row and not listed
        where = tr(" The first is row {first_row}.", first_row=first) if has_first else ""
        is_cut = 0 < listed < issue.count
        kept = tr(" The first {listed} are listed.", listed=numbers.whole(listed)) if is_cut else ""
        return f"{message}.{count}{where}{kept}"


# --- The steps of an import in a row: which is open, which are settled; each may be opened at any time

STEPS: Final = (worded("Files"), worded("Format"), worded("Columns"), worded("Issues"), worded("Import"))
FILES, FORMAT, COLUMNS, ISSUES, LAST = range(len(STEPS))
_DOT: Final = 16


class _StepButton(QAbstractButton):
    """A step by number and title: open, settled or still to come."""

    def __init__(self, number: int, title: Message) -> None:
        super().__init__()
        self._number = number
        self.is_settled = False
        self.setText(spoken(title))
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        steps = len(STEPS)
        self.setAccessibleName(
            tr("Step {number} of {steps}: {title}", number=number, steps=steps, title=title)
        )

    def sizeHint(self) -> QSize:
        return QSize(_DOT + 8 + text_width(self.text(), font("total")) + 12, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number in a ring, filled while it is open, a tick once it is settled, and the title."""
        painter, palette = QPainter(self), in_use()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dot = QRect(4, (self.height() // 2) - _DOT // 2, _DOT, _DOT)
        is_open = self.isChecked()
        role = "accent" if is_open or (self.is_settled and self.isEnabled()) else "muted"
        painter.setPen(QPen(palette.colour(role), 1.3))
        painter.setBrush(palette.colour("accent") if is_open else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(dot.adjusted(0, 0, -1, -1))
        if self.is_settled and not is_open:
            draw_icon(painter, "check", palette.colour(role), dot.left() + 2, dot.top() + 2, 12)
        else:
            painter.setFont(font("small_strong"))
            painter.setPen(palette.colour("on_accent" if is_open else "muted"))
            centre = Qt.AlignmentFlag.AlignCenter.value
            painter.drawText(dot.adjusted(0, 0, -1, -1), centre, str(self._number))
        place = QRect(dot.right() + 8, 0, self.width() - dot.right() - 8, self.height())
        colour = palette.colour("text" if is_open or self.underMouse() else "muted")
        draw_text(painter, place, self.text(), font("total" if is_open else "body"), colour, LEFT)
        if self.hasFocus():
            draw_box(painter, self.rect(), None, palette.focus, 4, 2)


class StepBar(QWidget):
    """Told which step is open and which are settled; emits the one that was asked for."""

    step_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Steps"))
        self._group = QButtonGroup(self)
        for at, title in enumerate(STEPS):
            self._group.addButton(_StepButton(at + 1, title), at)
        row(*self._group.buttons(), STRETCH, on=self, spacing=30)
        self._group.idClicked.connect(self.step_asked)

    def button(self, at: int) -> QAbstractButton:
        """The button of one step."""
        return self._group.button(at)

    def show_steps(self, at: int, settled: tuple[bool, ...], refusals: tuple[str, ...]) -> None:
        """The open step, which are settled, and why one cannot be opened (empty: it can)."""
        for number, button in enumerate(self._group.buttons()):
            assert isinstance(button, _StepButton)
            button.is_settled = settled[number]
            button.setEnabled(not refusals[number])
            said = tr("settled") if settled[number] else tr("open it to look closer")
            state = tr("{step}: {state}", step=STEPS[number], state=tr("open") if number == at else said)
            set_tip(button, spoken(refusals[number]) or state)
            button.setChecked(number == at)
            button.update()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line between each step and the next."""
        painter = QPainter(self)
        painter.setPen(in_use().colour("line"))
        for one, other in pairwise(self._group.buttons()):
            middle = self.height() // 2
            painter.drawLine(one.geometry().right() + 2, middle, other.geometry().left() - 3, middle)


# --- How an import stands, in words: what it came to, what is in the way, which steps are open and which settled


@dataclass(frozen=True, slots=True)
class ImportStanding:
    """obstacle: why nothing can be read; loaded: the project; joined: it too, where the files are added to it."""

    files: ImportFiles
    reading: ImportReading
    obstacle: str
    loaded: Project
    joined: Project | None

    @property
    def summary(self) -> tuple[str, str]:
        """What has come of it so far, and its palette role."""
        if self.reading.answer is None:
            if self.reading.error:
                return self.reading.error, "red"
            if self.obstacle:
                return self.obstacle, "muted" if self.files.is_being_recognised else "amber"
            return tr("Reading"), "muted"
        request, read = self.reading.answer
        told, role = import_state.sentence_of_import(
            request, read, self.files.all, self.loaded.contracts, self.joined
        )
        if role == "red":
            return told, role
        apart = import_state.apart_words(request, read, self.loaded, self.joined)
        noted = list(filter(None, (apart, import_state.twice_words(read, self.joined))))
        return (" ".join((told, *noted)), "amber") if noted else (told, role)

    @property
    def refusal(self) -> str:
        """Why nothing can be taken in now; empty where it can."""
        if self.reading.answer is not None:
            refused, asked = import_state.refusal_of(*self.reading.answer), self.odd_rates
            if asked is None or refused:
                return refused
            # Why nothing is taken in before the question of a file's rates is answered
            return tr("Say what the prices of {name} are for, or that they are right.", name=asked[0].name)
        if self.reading.error or self.obstacle:
            return self.reading.error or self.obstacle
        left = self.reading.left
        return tr("The files are being read{left}.", left=", " + left if left else "")

    @property
    def waiting(self) -> tuple[import_state.ChosenFile, str] | None:
        """The first file that cannot be read before its columns are mapped, and why."""
        return import_state.unreadable(self.files.all, self.files.previews.known)

    @property
    def odd_rates(self) -> tuple[import_state.ChosenFile, Message] | None:
        """The first file with rates far from the market that nobody has called right, and what is said of them."""
        for file in self.files.all:
            read = self.reading.intake.get(file.path)
            for issue in read.issues if read is not None and not file.are_rates_right else ():
                if issue.code == ODD_RATE:
                    return file, issue.message
        return None

    @property
    def fault(self) -> str:
        """Why the file that is looked at has no preview; empty where it has one, will have or needs none."""
        file = self.files.file
        return self.files.previews.fault(file.path) if file.kind in import_state.MAPPABLE else ""

    @property
    def lacking(self) -> str:
        """What the file that is looked at lacks before it can be read; empty where nothing."""
        file = self.files.file
        preview = self.files.previews.of(file.path)
        if file.kind not in import_state.MAPPABLE or preview is None or not preview.missing:
            return ""
        missing = joined(preview.missing, "; ")
        return tr("{name} cannot be read yet: {missing}.", name=file.name, missing=missing)

    @property
    def meaning_of_zone(self) -> str:
        """What the zone makes of a time of a log: the one that is looked at, else the first that has such times."""
        for file in (self.files.file, *self.files.all):
            preview = self.files.previews.of(file.path)
            if file.kind == "jobs" and preview is not None and preview.naive_sample is not None:
                name = f"{file.name}: " if len(self.files.all) > 1 else ""
                return name + naive_sentence(preview.naive_sample, self.files.zone_of(file))
        return ""

    @property
    def loaded_files(self) -> list[FileIntake]:
        """The files that were read with these, for what is added joins them."""
        return [file for path, file in self.reading.intake.items() if path not in self.files.paths]

    @property
    def report(self) -> tuple[FileIntake | None, str]:
        """What is known of the rows of the file that is looked at, and which rows that is of."""
        file = self.files.file
        read, preview = self.reading.intake.get(file.path), self.files.previews.of(file.path)
        return import_state.report_of(file, read, preview, is_reading=self.reading.is_to_come)

    @property
    def note_of_taking(self) -> str:
        """What the import does to what is loaded."""
        if self.loaded.is_empty:
            return tr("Import is one step: Undo takes it back.")
        if self.joined is not None:
            return tr(
                "These files join what is loaded; logs are read together, so that repeated jobs are found."
            )
        return tr("These files take the place of what is loaded of their kind. Plans, moves and labels stay.")

    @property
    def settled(self) -> tuple[bool, ...]:
        """Of each step, whether nothing is left to be said there."""
        file, intake = self.files.file, self.reading.intake
        is_read = file.path in intake and not is_refused(intake[file.path])
        preview = self.files.previews.of(file.path)
        return (
            all(one.is_known or one.kind for one in self.files.all),
            bool(file.kind),
            is_read or bool(preview and file.kind in import_state.MAPPABLE and not preview.missing),
            is_read and not intake[file.path].rows_rejected,
            self.reading.answer is not None and not self.refusal,
        )

    @property
    def closed_steps(self) -> tuple[str, ...]:
        """Of each step, why it cannot be opened; empty where it can."""
        file = self.files.file
        refusals = [""] * len(STEPS)
        if file.found is None or not file.found.kind:
            why = tr("The file is being looked at") if file.found is None else tr("The file cannot be opened")
            refusals[FORMAT] = refusals[COLUMNS] = refusals[ISSUES] = why
        elif not file.kind:
            refusals[COLUMNS] = refusals[ISSUES] = tr("This file is left out: say in Format what it is")
        return tuple(refusals)

    def way_on(self, page: int) -> tuple[str, str, str]:
        """The one primary button of a step: its words, why it is closed (empty: it is not), its tip."""
        file, waiting = self.files.file, self.waiting
        if page in (FILES, LAST):
            if waiting is None:
                return tr("Import"), self.refusal, tr("Take these files in; one undo step (Enter)")
            return tr("Next: map the columns"), "", waiting[1]
        if page == FORMAT:
            words = tr("Next: look at the columns") if file.kind else tr("Next: import")
            why = "" if file.found is not None else tr("The file is being looked at.")
            return words, why, tr("Which column is which field (Enter)")
        if page == COLUMNS and waiting is not None and waiting[0] == file and not self.lacking:
            return tr("Read it like this"), "", tr("Read the table by these columns (Enter)")
        if page == COLUMNS:
            return tr("Next: review issues"), self.lacking, tr("How the rows ended (Enter)")
        return tr("Next: import"), "", tr("What is taken in (Enter)")


# --- The foot of an import: what holds for all files, the way on, and beside it the sentence why there is none


class ImportFoot(QFrame):
    """Told what may be done on a page; its widgets are public for whoever acts on them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.can_add = False
        self.adding = _check(
            tr("Add to what is loaded"),
            tr("Keep what is loaded and add these files; without it they take its place"),
        )
        self.adding.setChecked(True)
        self.private = _check(
            tr("Replace users, job names and accounts by pseudonyms"),
            tr("The same name always gets the same pseudonym; the names themselves are stored nowhere"),
        )
        self.remember = _check(
            tr("Remember this mapping for files like this"),
            tr("A table with the same headings is read like this one"),
        )
        self.remember.setChecked(True)
        self.forget = named_button(tr("Forget it"), tr("Let tables with these headings be new again"))
        self.cancel = named_button(tr("Cancel"), tr("Take nothing in; what is loaded stays as it is (Esc)"))
        self.back = named_button(tr("Back"), tr("The step before (Ctrl+Page up)"))
        self.next = named(named_button(tr("Import")), step="strong")
        self.next.setProperty("primary", True)
        self._why = named(label(role="amber", is_wrapped=True), tr("Why the next step cannot be taken"))
        self._why.setAlignment(Qt.AlignmentFlag.AlignRight)  # beside the button it is about
        of_files = (self.adding, self.private, self.remember, self.forget)
        buttons = row(self.cancel, self.back, self.next, spacing=8)
        last = row(*of_files, STRETCH, buttons, spacing=12)
        column(self._why, last, on=self, margins=(20, 10, 20, 10), spacing=6)
        self.say("", "muted")

    def show_page(self, *, can_add: bool, can_remember: bool, is_remembered: bool, has_back: bool) -> None:
        """What the open page lets choose."""
        self.adding.setVisible(can_add and self.can_add)
        self.private.setVisible(can_add)
        self.remember.setVisible(can_remember)
        self.forget.setVisible(can_remember and is_remembered)
        self.back.setVisible(has_back)

    def show_next(self, title: str, refusal: str, tip: str) -> None:
        """The way on; refusal: why it is closed, empty where it is open."""
        if self.next.text() != title:
            self.next.setText(spoken(title))
            self.next.setAccessibleName(spoken(title))
        self.next.setEnabled(not refusal)
        set_tip(self.next, spoken(refusal) or spoken(tip))
        self.say(refusal, "muted" if refusal.startswith("The files are being") else "amber")

    def say(self, text: str, role: str) -> None:
        """A sentence above the buttons."""
        self._why.setVisible(bool(text))
        if self._why.text() != text or self._why.property("role") != role:
            retell(self._why, text, role)

    @property
    def sentence(self) -> str:
        """The sentence above the buttons."""
        return self._why.text()


def _check(name: str, tip: str) -> QCheckBox:
    return named(QCheckBox(name), name, tip)
