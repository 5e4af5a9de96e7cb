"""The report of an import: how every row of a file ended, what was found, and the rows of one issue."""

import re
from typing import Final, NamedTuple

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import FileIntake, Issue, RejectedRow
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.sources.issue_texts import KEPT_IF_OPEN
from gpuplanner.files.system.resources import long_text
from gpuplanner.files.tables.delimited import csv_text
from gpuplanner.files.tables.small_table import REJECTED_ROWS_KEPT
from gpuplanner.ui.importing import issue_words
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row, share
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

# --- The report of an import: how every row of a file ended, and what was found in it ------------

REFUSING_CODES = frozenset(("missing_column", "not_a_job_log", "truncated_file", "file_unreadable", "usage"))
"""Issues of a whole file: what has one and no row was refused."""
IGNORED_CODES = frozenset(("pending", "never_started", "not_a_row", "left_out", "no_quote"))
ALIKE: Final = "possible_duplicate"
TEXT_MARGINS_PX = 2 * 18 + 2 * 11 + 10
WORDS_FROM_PX = 300
"""A narrower report shows by icon and tool tip alone what became of an issue's rows."""

ALIKE_TIP = worded("Repeated rows without a job id count as duplicates")
OPEN_TIP = long_text("open_rows")
BOTH_TIP = worded("Such rows run over the whole log")
SAVE_TIP = worded("Save rejected rows as CSV, with number and reason")
VALIDATIONS = (
    (worded("Imported"), "rows_accepted", "tick", "green"),
    (worded("Rejected"), "rows_rejected", "octagon", "red"),
    (worded("Duplicate"), "rows_duplicate", "copy", "muted"),
    (worded("Skipped"), "rows_ignored", "more", "muted"),
)


def is_refused(file: FileIntake) -> bool:
    """Whether a file was readable, but not as what it was given as: none of its rows was looked at."""
    return not file.rows_read and any(issue.code in REFUSING_CODES for issue in file.issues)


REFUSED: Final = worded("refused")


class Validation(NamedTuple):
    """How rows ended. role: of the palette."""

    word: Message
    icon: str
    role: str


def validation_of(issue: Issue, file: FileIntake) -> Validation:
    """How the rows of an issue ended."""
    if file.kind == "unknown" or issue.code == "not_a_job_log" or is_refused(file):
        return Validation(REFUSED, "octagon", "red")
    if any(row.code == issue.code for row in file.rejected):
        return Validation(worded("rejected"), "octagon", "red")
    if issue.code in issue_words.COUNTED_AS:
        return Validation(worded("not read"), "triangle", "amber")
    if issue.code in IGNORED_CODES:
        return Validation(worded("skipped"), "more", "muted")
    if issue.code in REFUSING_CODES - {"truncated_file"}:  # of several files together, one was refused
        return Validation(REFUSED, "octagon", "red")
    return Validation(worded("imported"), "triangle", "amber")


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
        self.setAccessibleName(tr("Imported, rejected, duplicate and skipped rows, shares"))

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
            if count := getattr(file, field):
                width = max(2.0, self.width() * count / file.rows_read)
                painter.fillRect(QRect(round(at), 0, max(1, round(width) - 1), 8), palette.colour(role))
                at += width


class ImportReport(QFrame):
    """One file: counts that add up, issues, and the first rejected row in full."""

    save_rejected_asked = Signal()
    issue_chosen = Signal(str)  # code
    # OpenEnded: whether rows without an end or a start are kept, or without both too
    open_toggled = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Report"), look="side")
        self._total = page_parts.label(step="title")
        self.caption = page_parts.muted_label()
        self._bar = _ValidationBar()
        self.validation = FigureTable(tr("Results of the rows"))
        self.validation.row_height = 25
        drop, keep = tr("Drop identical rows"), tr("Keep rows without end or start")
        self.alike = named(QCheckBox(drop), drop, ALIKE_TIP)
        self.open_ended = named(QCheckBox(keep), keep, OPEN_TIP)
        self.open_ended.toggled.connect(self.open_toggled.emit)
        both = tr("Also rows without both")
        self.open_at_both = named(QCheckBox(both), both, BOTH_TIP)
        self.open_at_both.toggled.connect(lambda is_on: self.open_toggled.emit("both" if is_on else True))
        self._issues_title = page_parts.heading_label(tr("Issues"))
        self.save = page_parts.named_button(f" {tr('Save rejected rows')}", "", self.save_rejected_asked)
        self.save.setIcon(icon("export", "text", "muted"))
        self.issues = FigureTable(tr("Issues"))
        self.issues.row_height = 26
        self.issues.selectionModel().currentRowChanged.connect(lambda now, _: self._show_issue(now.row()))
        self.issues.row_opened.connect(self.issue_chosen)
        self._file: FileIntake | None = None
        self.first_issue = named(MarkupLabel(), step="small")
        self.first_issue.setWordWrap(True)
        self._box = box("card", column(self.first_issue, margins=(10, 8, 10, 8)), QFrame())
        self._lay_out()
        self.show_file(None)
        for tick in (self.alike, self.open_ended, self.open_at_both):
            offer(tick, is_offered=False, is_ticked=False)

    def _lay_out(self) -> None:
        """In a column that scrolls where the window is low."""
        inside = QWidget()
        rows = row(page_parts.heading_label(tr("Rows")), STRETCH, self._total)
        issues = row(self._issues_title, STRETCH, self.save)
        ticks = (self.alike, self.open_ended, self.open_at_both)
        ended = (rows, self.caption, self._bar, self.validation, *ticks)
        parts = (issues, self.issues, self._box)
        column(*ended, 8, *parts, STRETCH, on=inside, margins=(18, 14, 18, 14), spacing=8)
        area = page_parts.scrolled(inside, tr("Report"))
        inside.setAutoFillBackground(False)  # the area would fill it with the colour of windows
        column(area, on=self, margins=(1, 0, 0, 0))  # beside its left edge

    def show_file(self, file: FileIntake | None, caption: str = "") -> None:
        """Show one file's report; None: nothing has been read yet. caption: which rows it is of."""
        self._file = file
        self.caption.show_text(caption)
        counted = file if file and not is_refused(file) else None  # of a refused file no row was counted
        self._total.setText(numbers.whole(counted.rows_read) if counted else numbers.UNKNOWN)
        self._bar.show_file(file)

        def count(field: str) -> Cell:
            """Rows that ended so, or all."""
            if counted is None:
                return Cell(text=numbers.UNKNOWN)
            asks = issue_words.validation_figure(field)
            return written(numbers.whole, getattr(counted, field), figure_id=asks)

        rows = [
            Row((Cell(text=word, icon=name, icon_role=role), count(field)))
            for word, field, name, role in VALIDATIONS
        ]
        total = Row((Cell(text=tr("Rows read")), count("rows_read")), True)
        self.validation.show_rows((Column(title="", is_figure=False), Column(title="")), [*rows, total])
        self.validation.horizontalHeader().hide()
        self.validation.setFixedHeight(text_px(5 * 25 + 4))
        self.save.setEnabled(file is not None and bool(file.rejected))
        set_tip(self.save, tr(SAVE_TIP) if self.save.isEnabled() else tr("No row was rejected."))
        issues = [_issue_row(issue, file) for issue in file.issues] if file else []
        self._issues_title.setText(tr("Issues") if issues or file is None else tr("No issues"))
        self.issues.show_rows((), ())
        self.issues.show_rows(
            (
                Column(title="", is_figure=False, width=0, is_cut_at_end=True),
                Column(title=""),
                Column(title="", is_figure=False),
            ),
            issues,
        )
        self.issues.setColumnHidden(2, self.width() < WORDS_FROM_PX)
        self.issues.horizontalHeader().hide()
        self.issues.setFixedHeight(len(issues) * self.issues.row_height + 4)
        self.issues.setVisible(bool(issues))
        self._box.setVisible(bool(issues))
        self._show_issue(0)

    def trace(self, figure_id: str) -> Trace:
        """Why a count is what it is. Errors: KeyError, StopIteration where it is none of the report's."""
        if self._file is None:
            raise KeyError(figure_id)
        return issue_words.report_trace(self._file, figure_id)

    def show_ticks(self, choice: LogChoice, *, is_log: bool) -> None:
        """Offer the ticks of a log with rows that are alike, or that lack an end or a start. choice: how it is read."""
        issues = () if self._file is None else self._file.issues
        has_any = any(issue.code == ALIKE for issue in issues)
        would_keep = any(str(KEPT_IF_OPEN) in str(issue.message) for issue in issues)
        dropped, is_open = choice.drops_alike, bool(choice.is_open_ended)
        offer(self.alike, is_offered=is_log and (has_any or dropped), is_ticked=dropped)
        offer(self.open_ended, is_offered=is_log and (would_keep or is_open), is_ticked=is_open)
        is_both = choice.is_open_ended == "both"
        lacks_both = is_open and any(issue.code == "bad_time" for issue in issues)
        offer(self.open_at_both, is_offered=is_log and (lacks_both or is_both), is_ticked=is_both)

    def select_issue(self, code: str) -> None:
        """Choose one kind of issue; none of that code leaves the choice as it is."""
        issues = self._file.issues if self._file is not None else ()
        for at, issue in enumerate(issues):
            if issue.code == code:
                self.issues.selectRow(at)

    def _show_issue(self, at: int) -> None:
        """The issue in full, with the first of its rows where that is kept."""
        if self._file is None or not 0 <= at < len(self._file.issues):
            return
        issue, text = self._file.issues[at], ""
        number, message = issue.first_row, issue.message
        if one := next((one for one in self._file.rejected if one.code == issue.code), None):
            number, message = one.row, one.message
            text = one.text if len(one.text) < 200 else one.text[:200] + "\u2026"
        title = spoken(issue_words.title_of(issue.code))
        head = tr("Row {first} \u00b7 {title}", first=numbers.whole(number), title=title) if number else title
        words = sentence(issue_words.issue_words(issue.code, message)).rstrip(".") + "."
        code = f"<code>{escaped(allow_line_breaks(text))}</code>" if text else ""
        lines = [escaped(head), code, escaped(allow_line_breaks(words))]
        self.first_issue.setText(Markup("<br>".join(line for line in lines if line)))
        self._fit_text()

    def _fit_text(self) -> None:
        """A text that wraps says its height only for a width; without it a low window would cut the last lines."""
        width = self.width() - TEXT_MARGINS_PX
        self.first_issue.setMinimumHeight(0)  # or a text would need no less than the one before it
        self.first_issue.setMinimumHeight(max(0, self.first_issue.heightForWidth(max(80, width))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.issues.setColumnHidden(2, self.width() < WORDS_FROM_PX)
        self._fit_text()


def _issue_row(issue: Issue, file: FileIntake) -> Row:
    """A kind of finding: its count, unless the file was refused, and how its rows ended."""
    word, name, role = validation_of(issue, file)
    first = numbers.whole(issue.first_row) if issue.first_row else ""
    where = tr("First in row {first_row}.", first_row=first) if first else ""
    message = spoken(issue_words.issue_words(issue.code, issue.message))
    titled = tr("{title}: {value}", title=issue_words.title_of(issue.code), value=message)
    tip = " ".join(filter(None, (f"{sentence(word)}.", where, titled)))
    counted = written(numbers.whole, issue.count, figure_id=figure(issue_words.ISSUE, issue.code))
    title = Cell(text=issue_words.title_of(issue.code), icon=name, icon_role=role, tip=tip)
    return Row((title, Cell() if word == REFUSED else counted, Cell(text=word, role="muted")), key=issue.code)


def _text_cell(one: RejectedRow) -> Cell:
    return Cell(text=one.text.replace("\n", " "), role="muted", tip=one.text)


def allow_line_breaks(text: str) -> str:
    """Allow a line break after each separator: a row has no blanks, and is read in a narrow box."""
    return re.sub(r"[|\t=/]|,(?!\d{3}\b)", "\\g<0>\u200b", text)  # 12,000 is a number


def rejected_csv(files: tuple[FileIntake, ...]) -> str:
    """File, row and reason of every rejected row that is known, and the row as it stood, by its columns, as CSV.

    Of files with other columns each has its own; a row that is known as a text alone has that.
    """
    headings = {file.path: _column_names(file) for file in files}
    columns = tuple(dict.fromkeys(name for names in headings.values() for name in names))
    has_texts = any(not row.cells for file in files for row in file.rejected)
    head = ("file", "row", "code", "message", *(("text",) if has_texts else ()))
    lines: list[tuple[object, ...]] = [(*head, *columns)]
    for file in files:
        for rejected in file.rejected:
            text = ("" if rejected.cells else rejected.text,) if has_texts else ()
            cells = dict(zip(headings[file.path], rejected.cells, strict=False))
            as_it_stood = (cells.get(name, "") for name in columns)
            lines.append((file.path, rejected.row, rejected.code, rejected.message, *text, *as_it_stood))
    return csv_text(lines)


def _column_names(file: FileIntake) -> tuple[str, ...]:
    """The headings of a file, each of its own: of two alike the second is called `name (2)`."""
    names: list[str] = []
    for place, heading in enumerate(file.columns, 1):
        name = heading.strip() or tr("column {at}", at=place)
        count = sum(other.partition(" (")[0] == name for other in names)
        names.append(tr("{name} ({note})", name=name, note=count + 1) if count else name)
    return tuple(names)


# --- The issues page of an import: the rows of one kind of finding, each with its reason and its text

ALL: Final = ""


class IssuesPage(QWidget):
    """Told a file that was read; asked for one kind of issue it lists the rows it knows of it."""

    issue_chosen = Signal(str)  # code

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Issues"))
        self._file: FileIntake | None = None
        self._is_left_out = False
        self._code = ALL
        self._title = page_parts.heading_label(tr("Issues"))
        self.box = page_parts.choice_of(tr("Kind of issue"), tr("Show one kind of issue"), ())
        self.box.activated.connect(lambda _: self._choose(self.box.currentData()))
        self.words = page_parts.label(role="muted", is_wrapped=True)
        self.rows = FigureTable(tr("Rows of the issue"))
        self.rows.row_height = 26
        head = row(self._title, self.box, STRETCH, spacing=8)
        column(
            head, self.words, share(self.rows, 1000), STRETCH, on=self, margins=(20, 16, 20, 12), spacing=8
        )

    def show_file(self, file: FileIntake | None, name: str, *, is_left_out: bool = False) -> None:
        """The issues of one file; None: it has not been read, or is left out."""
        self._file, self._is_left_out = file, is_left_out
        codes = [issue.code for issue in file.issues] if file is not None else []
        if self._code not in codes:
            self._code = ALL
        self._title.setText(tr("Issues of {name}", name=name))
        issues = () if file is None else file.issues
        counted = (
            (issue_words.title_of(issue.code), numbers.whole(issue.count), issue.code) for issue in issues
        )
        kinds = ((tr("{title}: {value}", title=title, value=count), code) for title, count, code in counted)
        page_parts.refill(self.box, ((tr("All rejected rows"), ALL), *kinds), self._code)
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
        self.words.setText(self._sentence(len(rows)))
        self.rows.show_rows((), ())
        self.rows.setVisible(bool(rows))

        def why(one: RejectedRow) -> Cell:
            """Why the row ended so."""
            words = issue_words.issue_words(one.code, one.message)
            tip = tr("{title}: {value}", title=issue_words.title_of(one.code), value=spoken(words))
            return Cell(text=sentence(words), icon=sign, icon_role=role, tip=tip)

        columns: tuple[Filled[RejectedRow], ...] = (
            Filled(title="Row", cell=lambda one: numbers.whole(one.row)),
            Filled(title="Why", is_figure=False, width=300, is_cut_at_end=True, cell=why),
            Filled(title="Text of the row", is_figure=False, width=0, is_cut_at_end=True, cell=_text_cell),
        )
        self.rows.show_rows(columns, filled_rows(columns, rows, lambda row: str(row.row)))

    def _sentence(self, listed: int) -> str:
        """What the finding means, or why there are no rows; how many are not listed."""
        if (file := self._file) is None:
            left_out = tr("Skipped: no rows were read.")
            return left_out if self._is_left_out else tr("Not read yet.")
        if self._code == ALL:
            if not file.rows_rejected:
                see = [tr("Choose a kind of issue to see its meaning.")] if file.issues else []
                return " ".join((tr("No row was rejected."), *see))
            most = numbers.whole(REJECTED_ROWS_KEPT)
            kept = [tr("The first {count} of a kind are listed.", count=most)]
            rejected = tr("{rows} rejected.", rows=numbers.counted(file.rows_rejected, "row"))
            return " ".join((rejected, *(kept if file.rows_rejected > listed else ())))
        issue = next(issue for issue in file.issues if issue.code == self._code)
        word = validation_of(issue, file).word
        message = sentence(issue_words.issue_words(issue.code, issue.message)).rstrip(".")
        first = numbers.whole(issue.first_row or 0)
        in_words = issue_words.COUNTED_AS.get(issue.code)
        rows = in_words(issue.count) if in_words else numbers.counted(issue.count, "row")
        sentences = [f"{message}."]
        if word != REFUSED:
            sentences.append(tr("{rows}, {word}.", rows=rows, word=word))
        if issue.first_row and not listed:
            sentences.append(tr("First in row {first_row}.", first_row=first))
        if 0 < listed < issue.count:
            sentences.append(tr("The first {listed} are listed.", listed=numbers.whole(listed)))
        return " ".join(sentences)
