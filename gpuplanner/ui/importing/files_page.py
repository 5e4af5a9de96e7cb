"""The files page of an import: open questions, and one table of the files: kind, format, rows, facts and state."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QProgressBar, QWidget

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.import_tables import COUNTED_TWICE
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.importing.import_state import KINDS, MAPPABLE, ChosenFile
from gpuplanner.ui.importing.issue_words import issue_words
from gpuplanner.ui.importing.open_questions import OpenQuestions
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.importing.window_choice import WindowChoice
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.layout import STRETCH, TOP, box, column, named, placed, row, share
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

COLUMNS = (
    Column(title="File", is_figure=False),
    Column(title="Kind", is_figure=False, width=134),
    Column(title="Format", is_figure=False, width=124),
    Column(title="Rows imported"),
    Column(title="State", is_figure=False, width=140),
)


FORMAT_COLUMN, FORMAT_FROM_PX = 2, 640
ROWS_IN_SIGHT: Final = 12
"""Files that are seen without scrolling the table: of more it has a scroll bar of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLine:
    """A file as the table shows it.

    read: how its rows ended, None while that is not known; cannot: why it cannot be read yet; facts: what it holds, in
    a line; answers: how many it still needs.
    """

    file: ChosenFile
    read: FileIntake | None = None
    cannot: str = ""
    facts: str = ""
    answers: int = 0


def ready_words(lines: Sequence[FileLine]) -> str:
    """How many of the files are ready, and how many need the planner: 6 of 8 files ready, 2 need you.

    Empty of a single file: its row says it.
    """
    if len(lines) < 2:
        return ""
    waiting, whole = sum(line.answers > 0 for line in lines), len(lines)
    counts: dict[str, Any] = {"ready": whole - waiting, "files": whole, "waiting": waiting}
    if not waiting:
        return tr("All {files} files are ready.", **counts)
    single = worded("{ready} of {files} files ready, {waiting} needs you.", **counts)
    many = worded("{ready} of {files} files ready, {waiting} need you.", **counts)
    return spoken(single if waiting == 1 else many)


class FilesPage(QWidget):
    """Told the files; emits which one is looked at, and what was said of one."""

    file_chosen = Signal(str)  # path
    kind_chosen = Signal(str, str)  # path, kind
    columns_asked = Signal()
    format_asked = Signal()
    add_asked = Signal()
    sheets_asked = Signal()

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Files"))
        self.ready = page_parts.ElidedLabel(step="strong")
        self.said = page_parts.label(role="muted", is_wrapped=True)
        self.bar = named(QProgressBar(maximum=1000, textVisible=False), tr("Progress"))
        keeps_room = self.bar.sizePolicy()
        keeps_room.setRetainSizeWhenHidden(True)  # or the fields below would move when reading begins
        self.bar.setSizePolicy(keeps_room)
        self.table = FigureTable(tr("Files"))
        self.table.row_height = 34
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))
        self._paths: tuple[str, ...] = ()  # of the rows
        self.window_choice = WindowChoice()
        self.left_out = page_parts.muted_label()
        self.period = QWidget()
        name = page_parts.label(tr("Lookback period"), of=self.window_choice.box)
        row(name, self.window_choice, share(self.left_out), on=self.period, spacing=8)
        self.units = OpenQuestions()
        self.reason = page_parts.label(step="small", is_wrapped=True)
        tip = tr("Columns and their values")
        self.columns = page_parts.named_button(tr("Look at its columns"), tip, self.columns_asked)
        tip = tr("Read the file differently")
        self.change = page_parts.named_button(tr("Change format"), tip, self.format_asked)
        tip = tr("Add this workbook's other sheets")
        self.sheets = page_parts.named_button(tr("Open other sheets"), tip, self.sheets_asked)
        buttons = (self.sheets, self.columns, self.change)
        why = row(share(self.reason), *buttons, margins=(12, 8, 8, 8), spacing=8)
        tip = tr("Add files to this import")
        self.add = page_parts.named_button(tr("Add file\u2026"), tip, self.add_asked)
        self._box = box("box", why, QFrame())
        title = row(page_parts.label(tr("Import"), step="page"), STRETCH, self.add)
        state = (title, self.ready, self.said, self.bar)
        files = (self.units, self.table, self._box, self.period)
        inside = QWidget()
        column(*state, *files, STRETCH, on=inside, margins=(20, 16, 20, 12), spacing=8)
        # many files may leave much open
        column(page_parts.scrolled(inside, tr("Files and questions")), on=self)
        inside.setAutoFillBackground(False)

    def say(self, text: str, role: str) -> None:
        """The sentence above the files, which keeps the room that it once had: the fields below do not move."""
        page_parts.retell(self.said, text, role)
        if self.isVisible():
            needed = self.said.heightForWidth(self.said.width())
            self.said.setMinimumHeight(max(self.said.minimumHeight(), needed))

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
        self.ready.setText(text)

    def show_files(self, lines: Sequence[FileLine], loaded: Sequence[FileIntake], current: str) -> None:
        """Show the files of the import, then logs loaded before. current: path of the file that is looked at."""
        archives = tuple(f"{line.file.path}/" for line in lines)
        inside, before = tr("In the archive"), tr("Loaded before")
        rows = [*map(_row, lines)]
        rows += [_loaded_row(one, inside if one.path.startswith(archives) else before) for one in loaded]
        self._paths = tuple(row.key for row in rows)
        with QSignalBlocker(self.table):
            if self.table.model().rowCount() != len(rows):
                self.table.show_rows((), ())
            self.table.show_rows(COLUMNS, rows)
            self.table.setColumnHidden(FORMAT_COLUMN, self.width() < FORMAT_FROM_PX)
            for place, line in enumerate(lines):
                self._show_kind(place, line.file)
        self.table.take_room(ROWS_IN_SIGHT)
        current_row = self._paths.index(current) if current in self._paths else -1
        if self.table.currentIndex().row() != current_row:
            with QSignalBlocker(self.table.selectionModel()):
                self.table.selectRow(current_row)
            self.table.viewport().update()

    def show_period(self, window: Window | None, left_out: str, *, has_logs: bool) -> None:
        """Show the lookback period of the logs, and what it leaves out in words."""
        self.period.setVisible(has_logs)
        self.left_out.show_text(left_out)
        if window is not None:
            self.window_choice.show_window(window)

    def show_why(
        self,
        file: ChosenFile | None,
        fault: str = "",
        first_row: str = "",
        nearest: str = "",
        sheets: Sequence[str] = (),
        *,
        has_unread: bool = False,
    ) -> None:
        """Why the file that is looked at is what it is, and where to go from there.

        first_row: as it is read; nearest: what a file of no known kind is nearest to; sheets: paths of those of its
        workbook that are left out; has_unread: whether it has columns that are not read.
        """
        self.sheets.setVisible(bool(sheets))
        self._box.setVisible(file is not None)
        if file is None:
            return
        found = file.found
        if fault:
            text = fault
        elif found is None:
            text = tr("Reading…")
        elif file.is_remembered:
            text = tr("Read like an earlier table with these columns.")
            text += f" {sentence(file.differs)}." if file.differs else ""
        else:
            text = f"{sentence(in_window_words(found.why)).rstrip('.')}."
        first = tr("First row: {first_row}", first_row=first_row) if first_row else ""
        named_text = tr("{title}: {value}", title=file.name, value=text)
        self.reason.setText("\n".join(filter(None, (named_text, nearest, first))))
        is_table = file.kind in MAPPABLE or (found is not None and found.kind == "unknown")
        self.columns.setVisible(is_table and found is not None)
        looks = tr("Open unread columns") if has_unread else tr("Look at its columns")
        self.columns.setText(looks if file.kind else tr("Map its columns"))
        self.columns.setAccessibleName(self.columns.text())
        self.change.setEnabled(found is not None and bool(found.kind))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A name is worth more than a format: where there is little room, that is left to the Format page."""
        super().resizeEvent(event)
        self.said.setMinimumHeight(0)
        self.table.setColumnHidden(FORMAT_COLUMN, self.width() < FORMAT_FROM_PX)

    def _choose(self, at: int) -> None:
        """Says which file is looked at."""
        if 0 <= at < len(self._paths):
            self.file_chosen.emit(self._paths[at])

    def _show_kind(self, place: int, file: ChosenFile) -> None:
        """A box in the row of a file for what it is; made once and then only told."""
        index = self.table.model().index(place, 1)
        holder = self.table.indexWidget(index)
        field = holder.findChild(QComboBox) if holder is not None else None
        if field is None:
            tip = tr("Change it if wrong")
            field = page_parts.choice_of("", tip, ((title, kind) for kind, title, _ in KINDS))
            field.activated.connect(lambda kind: self.kind_chosen.emit(self._paths[place], KINDS[kind][0]))
            holder = QWidget()
            row(placed(field, TOP), on=holder, margins=(8, 3, 4, 3))
            self.table.setIndexWidget(index, holder)
        named(field, tr("Kind of {name}", name=file.name))
        field.setCurrentIndex([kind for kind, _, _ in KINDS].index(file.kind))
        field.setEnabled(file.found is not None)


def _row(line: FileLine) -> Row:
    """A file as a row: what it is, its format, rows accepted and how it stands; below them what it holds."""
    file, read = line.file, line.read
    role, words = _status(line)
    icon = {"red": "octagon", "green": "tick", "amber": "triangle", "muted": "more"}[role]
    why = line.cannot or _reason(file, read)
    taken = numbers.whole(read.rows_accepted) if read and not is_refused(read) else numbers.UNKNOWN
    of_kind = next(name for kind, _, name in KINDS if kind == file.kind)
    return Row(
        (
            Cell(text=file.name, icon=of_kind, is_strong=True, tip="\n".join((file.path, why, line.facts))),
            Cell(text="", role="muted"),
            Cell(text=format_words(file, read), role="muted"),
            Cell(text=taken),
            Cell(text=words, icon=icon, icon_role=role, tip=why),
        ),
        key=file.path,
        note=line.facts or why or tr("Reading\u2026"),
    )


def _loaded_row(file: FileIntake, whence: str) -> Row:
    """A file of the project as it is, which stays where more is added."""
    refused = is_refused(file)
    role, icon, said = ("red", "octagon", tr("refused")) if refused else ("green", "tick", tr("read"))
    name = Cell(text=Path(file.path).name, icon="job_log", is_strong=True, tip=f"{file.path}\n{whence}")
    taken = Cell(text=numbers.UNKNOWN if refused else numbers.whole(file.rows_accepted))
    in_format, status = format_called(file.format, file.path), Cell(text=said, icon=icon, icon_role=role)
    return Row(
        (name, Cell(text=whence, role="muted"), Cell(text=in_format, role="muted"), taken, status),
        key=file.path,
    )


def _status(line: FileLine) -> tuple[str, str]:
    """Palette role and words."""
    file, read = line.file, line.read
    if file.found is None:
        return "muted", tr("reading…")
    if file.is_closed:
        return "red", tr("cannot be opened")
    if not file.kind:
        is_told = file.is_known or file.is_described
        return ("muted", tr("skipped")) if is_told else ("amber", tr("not recognized"))
    if line.cannot:
        return "amber", tr("columns missing")
    role, words = ("muted", tr("not read yet")) if read is None else _status_when_read(read)
    if role != "red" and line.answers:
        return "amber", numbers.counted(line.answers, "question")
    return role, words


def _status_when_read(read: FileIntake) -> tuple[str, str]:
    """Colour and words of a file that was read."""
    if is_refused(read):
        return "red", tr("refused")
    if not read.rows_read:
        return "amber", tr("no rows")
    if read.rows_rejected:
        return "red", tr("{rows_rejected} rejected", rows_rejected=numbers.whole(read.rows_rejected))
    if doubtful := _doubtful(read):
        is_twice = doubtful[0].code == COUNTED_TWICE
        return "amber", tr("GPUs counted twice") if is_twice else tr("to be decided")
    return ("green", tr("read")) if read.rows_accepted else ("amber", tr("nothing imported"))


def _doubtful(read: FileIntake) -> list[Issue]:
    """What a list of nodes says where contracts beside it are of the same GPUs; what of prices is undecided."""
    codes = {COUNTED_TWICE, "undecided"} if read.kind == "prices" else {COUNTED_TWICE}
    return [issue for issue in read.issues if issue.code in codes]


def _reason(file: ChosenFile, read: FileIntake | None) -> str:
    """What was wrong with it, else by what it was recognised."""
    if read is not None and (wrong := read.issues[:1] if is_refused(read) else _doubtful(read)):
        return sentence(issue_words(wrong[0].code, wrong[0].message))
    return sentence(file.found.why) if file.found is not None else ""


def format_words(file: ChosenFile, read: FileIntake | None) -> str:
    """How a file is laid out, in a word."""
    if file.choice.mapping is not None:
        found = "mapped"
    elif file.found is not None:
        found = file.found.format
    else:
        found = ""
    return format_called(read.format if read is not None and read.format else found, file.path)


def format_called(name: str, path: str) -> str:
    """A format by its name; our own by how the file is written."""
    if name.startswith("own_"):
        return tr("own {format}", format=Path(path).suffix[1:].upper())
    return tr("mapped") if name == "mapped" else name.replace("_", " ")
