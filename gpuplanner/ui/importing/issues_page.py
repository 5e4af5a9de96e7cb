"""The issues page of an import: the rows of one kind of finding, each with its reason and its text."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.files.tables.row_ends import REJECTED_ROWS_KEPT
from gpuplanner.ui.importing.issue_words import issue_words, title_of
from gpuplanner.ui.importing.report import REFUSED, validation_of
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

ALL: Final = ""


class IssuesPage(QWidget):
    """Told a file that was read; asked for one kind of issue it lists the rows it knows of it."""

    issue_chosen = Signal(str)  # code

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Issues"))
        self._file: FileIntake | None = None
        self._is_left_out = False
        self._code = ALL
        self._title = PlainLabel(tr("Issues"))
        self._title.setFont(font("title"))
        self.box = QComboBox()
        self.box.setAccessibleName(tr("Kind of issue"))
        set_tip(self.box, tr("List the rows of one kind of issue"))
        self.box.activated.connect(lambda _: self._choose(self.box.currentData()))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self.box)
        head.addStretch(1)
        self._said = PlainLabel()
        self._said.setWordWrap(True)
        self._said.setProperty("role", "muted")
        self.rows = FigureTable(tr("Rows of the issue"), palette)
        self.rows.row_height = 26
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self._said)
        layout.addWidget(self.rows, 1)

    def show_file(self, file: FileIntake | None, name: str, *, is_left_out: bool = False) -> None:
        """The issues of one file; None: it has not been read, or is left out."""
        self._file, self._is_left_out = file, is_left_out
        codes = [issue.code for issue in file.issues] if file is not None else []
        if self._code not in codes:
            self._code = ALL
        self._title.setText(tr("Issues of {name}", name=name))
        self.box.blockSignals(True)
        self.box.clear()
        self.box.addItem(tr("All rejected rows"), ALL)
        for issue in file.issues if file is not None else ():
            self.box.addItem(
                tr("{code}: {count}", code=title_of(issue.code), count=numbers.whole(issue.count)),
                issue.code,
            )
        self.box.setCurrentIndex(max(0, self.box.findData(self._code)))
        self.box.blockSignals(False)
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
        sign = "octagon", "red"
        if not rows and file is not None and code != ALL:
            rows = [row for row in file.noted if row.code == code]
            sign = validation_of(next(issue for issue in file.issues if issue.code == code), file)[1:]
        self._said.setText(self._sentence(len(rows)))
        self.rows.show_rows((), ())
        self.rows.setVisible(bool(rows))
        columns = (Column("Row"), Column("Why", False, 300, True), Column("Text of the row", False, 0, True))
        self.rows.show_rows(
            columns,
            [
                Row(
                    (
                        Cell(numbers.whole(row.row)),
                        Cell(
                            sentence(issue_words(row.code, row.message)),
                            icon=sign[0],
                            icon_role=sign[1],
                            tip=tr(
                                "{title}: {message}",
                                title=title_of(row.code),
                                message=spoken(issue_words(row.code, row.message)),
                            ),
                        ),
                        Cell(row.text.replace("\n", " "), "muted", tip=row.text),
                    ),
                    key=str(row.row),
                )
                for row in rows
            ],
        )

    def _sentence(self, listed: int) -> str:
        """What the finding means, or why there are no rows; how many are not listed."""
        file = self._file
        if file is None:
            left_out = tr("This file is left out: none of its rows was read.")
            return left_out if self._is_left_out else tr("The file has not been read yet.")
        if self._code == ALL:
            if not file.rows_rejected:
                return tr("No row was rejected.") + (
                    tr(" Choose a kind of issue to see what it means.") if file.issues else ""
                )
            more = file.rows_rejected - listed
            kept = (
                tr(
                    " The first {rejected_rows_kept} of a kind are listed.",
                    rejected_rows_kept=numbers.whole(REJECTED_ROWS_KEPT),
                )
                if more > 0
                else ""
            )
            return tr("{rows} rejected.{kept}", rows=numbers.counted(file.rows_rejected, "row"), kept=kept)
        issue = next(issue for issue in file.issues if issue.code == self._code)
        word = validation_of(issue, file)[0]
        message = sentence(issue_words(issue.code, issue.message)).rstrip(".")
        count = (
            ""
            if word == REFUSED
            else tr(" {rows}, {word}.", rows=numbers.counted(issue.count, "row"), word=word)
        )
        where = (
            tr(" The first is row {first_row}.", first_row=numbers.whole(issue.first_row))
            if issue.first_row and not listed
            else ""
        )
        cut = (
            tr(" The first {listed} are listed.", listed=numbers.whole(listed))
            if 0 < listed < issue.count
            else ""
        )
        return f"{message}.{count}{where}{cut}"
