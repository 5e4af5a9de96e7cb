"""The files page of an import: every file with what it was recognised as, what came of it, and what is still asked."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.ui.importing.import_state import KINDS, MAPPABLE, ChosenFile, all_files
from gpuplanner.ui.importing.issue_words import issue_words
from gpuplanner.ui.importing.questions import LogQuestion
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.kit.labels import named_button
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr
from gpuplanner.ui.words.window_words import in_window_words

COLUMNS = (
    Column("File", False),
    Column("What it is", False, 134),
    Column("Format", False, 104),
    Column("Rows taken"),
    Column("", False, 140),
)


FORMAT_COLUMN, FORMAT_FROM_PX = 2, 640


class FilesPage(QWidget):
    """Told the files; emits which one is looked at, and what was said of one."""

    file_chosen = Signal(int)
    kind_chosen = Signal(int, str)
    columns_asked = Signal()
    format_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Files"))
        self._palette = palette
        title = PlainLabel(tr("Import"))
        title.setFont(font("page"))
        self.said = PlainLabel()
        self.said.setProperty("role", "muted")
        self.said.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Progress of reading"))
        self.table = FigureTable(tr("Files"), palette)
        self.table.row_height = 34
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))
        self.zone = LogQuestion(
            tr("Times in this log carry no zone. Read them as"),
            tr("Time zone of the log"),
            tr("Times in the log carry no zone: say in which zone the cluster's clock runs"),
        )
        self.cluster = LogQuestion(
            tr("Jobs in this log name no cluster. They ran on"),
            tr("Cluster of the log"),
            tr("Contracts serve the cluster they name: say on which cluster these jobs ran"),
        )
        width = max(question.label.sizeHint().width() for question in (self.zone, self.cluster))
        for question in (self.zone, self.cluster):
            question.label.setMinimumWidth(width)
        self._box = QFrame()
        self._box.setObjectName("box")
        self._why = PlainLabel()
        self._why.setWordWrap(True)
        self._why.setFont(font("small"))
        self.columns = named_button(
            tr("Look at its columns"),
            tr("Which column is read as what, and what comes of it"),
        )
        self.columns.clicked.connect(self.columns_asked)
        self.change = named_button(tr("Change format"), tr("Read the file as something else"))
        self.change.clicked.connect(self.format_asked)
        inside = QHBoxLayout(self._box)
        inside.setContentsMargins(12, 8, 8, 8)
        inside.setSpacing(8)
        inside.addWidget(self._why, 1)
        inside.addWidget(self.columns)
        inside.addWidget(self.change)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 12)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(self.said)
        layout.addWidget(self.bar)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._box)
        layout.addWidget(self.zone)
        layout.addWidget(self.cluster)

    def say(self, text: str, role: str) -> None:
        """The sentence above the files."""
        self.said.setText(spoken(text))
        self.said.setProperty("role", role)
        self.said.style().unpolish(self.said)
        self.said.style().polish(self.said)

    def show_beginning(self) -> None:
        """Reading begins."""
        self.bar.setRange(0, 1000)
        self.bar.setValue(0)

    def show_progress(self, fraction: float, text: str) -> None:
        """How far reading is, and in words."""
        if fraction >= 1:
            self.bar.setRange(0, 0)  # read, but not yet put together: how long that takes is not known
        else:
            self.bar.setValue(round(1000 * fraction))
        self.say(text, "muted")

    def show_files(
        self,
        files: Sequence[ChosenFile],
        loaded: Sequence[FileIntake],
        intake: Mapping[str, FileIntake],
        cannot: Mapping[str, str],
        current: int,
    ) -> None:
        """Show the files of the import, then logs loaded before. cannot: why one cannot be read yet, by path."""
        rows = []
        for file in files:
            inside = all_files(one for one in loaded if one.path.startswith(f"{file.path}/"))
            rows.append(_row(file, intake.get(file.path) or inside, cannot.get(file.path, "")))
        archives = tuple(f"{file.path}/" for file in files)
        rows += [
            _loaded_row(
                one,
                tr("In the archive") if one.path.startswith(archives) else tr("Loaded before"),
            )
            for one in loaded
        ]
        self.table.blockSignals(True)
        if self.table.model().rowCount() != len(rows):
            self.table.show_rows((), ())
        self.table.show_rows(COLUMNS, rows)
        self.table.setColumnHidden(FORMAT_COLUMN, self.width() < FORMAT_FROM_PX)
        for at, file in enumerate(files):
            self._show_kind(at, file)
        self.table.blockSignals(False)
        if self.table.currentIndex().row() != current:
            self.table.selectRow(current)

    def show_why(self, file: ChosenFile | None, fault: str = "") -> None:
        """Why the file that is looked at is what it is, and where to go from there."""
        self._box.setVisible(file is not None)
        if file is None:
            return
        found = file.found
        if fault:
            text = fault
        elif found is None:
            text = tr("Looking at the file.")
        elif file.is_remembered:
            text = tr("Its columns are those of a table that was mapped before: read as last time.")
            text += tr(" {differs}.", differs=sentence(file.differs)) if file.differs else ""
        elif not file.is_known and not file.kind:
            text = f"{sentence(in_window_words(found.why)).rstrip('.')}."
        else:
            text = f"{sentence(in_window_words(found.why)).rstrip('.')}."
        self._why.setText(tr("{name}: {value}", name=file.name, value=text))
        is_table = file.kind in MAPPABLE or (found is not None and found.kind == "unknown")
        self.columns.setVisible(is_table and found is not None)
        self.columns.setText(tr("Map its columns") if not file.kind else tr("Look at its columns"))
        self.columns.setAccessibleName(self.columns.text())
        self.change.setEnabled(found is not None and bool(found.kind))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A name is worth more than a format: where there is little room, that is left to the Format page."""
        super().resizeEvent(event)
        self.table.setColumnHidden(FORMAT_COLUMN, self.width() < FORMAT_FROM_PX)

    def _choose(self, at: int) -> None:
        """Says which file is looked at."""
        if at >= 0:
            self.file_chosen.emit(at)

    def _show_kind(self, at: int, file: ChosenFile) -> None:
        """A box in the row of a file for what it is; made once and then only told."""
        index = self.table.model().index(at, 1)
        holder = self.table.indexWidget(index)
        box = holder.findChild(QComboBox) if holder is not None else None
        if box is None:
            box = QComboBox()
            set_tip(box, tr("Recognised by content; choose another if it is wrong"))
            for kind, title, _ in KINDS:
                box.addItem(spoken(title), kind)
            box.activated.connect(lambda chosen, at=at: self.kind_chosen.emit(at, KINDS[chosen][0]))
            holder = QWidget()
            row = QHBoxLayout(holder)
            row.setContentsMargins(8, 3, 4, 3)
            row.addWidget(box)
            self.table.setIndexWidget(index, holder)
        box.setAccessibleName(tr("What {name} is", name=file.name))
        box.setCurrentIndex([kind for kind, _, _ in KINDS].index(file.kind))
        box.setEnabled(file.found is not None)


def _row(file: ChosenFile, read: FileIntake | None, cannot: str) -> Row:
    """A file as a row: what it is, its format, rows accepted and how it stands."""
    role, said = _status(file, read, cannot)
    icon = {"red": "octagon", "green": "tick", "amber": "triangle", "muted": "more"}[role]
    why = cannot or _reason(file, read)
    taken = numbers.whole(read.rows_accepted) if read and not is_refused(read) else numbers.UNKNOWN
    return Row(
        (
            Cell(
                file.name,
                icon=next(name for kind, _, name in KINDS if kind == file.kind),
                is_strong=True,
                tip=f"{file.path}\n{why}",
            ),
            Cell("", "muted"),
            Cell(format_words(file, read), "muted"),
            Cell(taken),
            Cell(said, icon=icon, icon_role=role, tip=why),
        ),
        key=file.path,
    )


def _loaded_row(file: FileIntake, whence: str) -> Row:
    """A file of the project as it is, which stays where more is added."""
    refused = is_refused(file)
    return Row(
        (
            Cell(Path(file.path).name, icon="job_log", is_strong=True, tip=f"{file.path}\n{whence}"),
            Cell(whence, "muted"),
            Cell(format_called(file.format, file.path), "muted"),
            Cell(numbers.UNKNOWN if refused else numbers.whole(file.rows_accepted)),
            Cell(
                tr("refused") if refused else tr("read"),
                icon="octagon" if refused else "tick",
                icon_role="red" if refused else "green",
            ),
        ),
        key=file.path,
    )


def _status(file: ChosenFile, read: FileIntake | None, cannot: str) -> tuple[str, str]:
    """Palette role and words."""
    if file.found is None:
        return "muted", tr("looking at it")
    if file.is_closed:
        return "red", tr("cannot be opened")
    if not file.kind:
        is_told = file.is_known or file.is_described
        return ("muted", tr("left out")) if is_told else ("amber", tr("not recognised"))
    if cannot:
        return "amber", tr("columns missing")
    return ("muted", tr("not read yet")) if read is None else _status_when_read(read)


def _status_when_read(read: FileIntake) -> tuple[str, str]:
    """Colour and words of a file that was read."""
    if is_refused(read):
        return "red", tr("refused")
    if not read.rows_read:
        return "amber", tr("no rows")
    if read.rows_rejected:
        return "red", tr("{rows_rejected} rejected", rows_rejected=numbers.whole(read.rows_rejected))
    return "green", tr("read")


def _reason(file: ChosenFile, read: FileIntake | None) -> str:
    """What was wrong with it, else by what it was recognised."""
    if read is not None and is_refused(read):
        return sentence(issue_words(read.issues[0].code, read.issues[0].message))
    return sentence(file.found.why) if file.found is not None else ""


def format_words(file: ChosenFile, read: FileIntake | None) -> str:
    """How a file is laid out, in a word."""
    name = read.format if read is not None else file.found.format if file.found is not None else ""
    return format_called("mapped" if file.choice.mapping is not None else name, file.path)


def format_called(name: str, path: str) -> str:
    """A format by its name; our own by how the file is written."""
    if name.startswith("own_"):
        return tr("own {format}", format=Path(path).suffix[1:].upper())
    return tr("mapped") if name == "mapped" else name.replace("_", " ")
