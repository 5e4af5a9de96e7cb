"""The files page and the format page of an import: what each file was recognised as, and what is asked."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QProgressBar, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, sentence, set_tip, spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.window import Window
from gpuplanner.files.contracts.focus_commitments import FORM, INTERVAL, PERIOD
from gpuplanner.files.importing.import_tables import COUNTED_TWICE
from gpuplanner.files.importing.log_choices import NONE_GIVEN, LogChoice
from gpuplanner.files.importing.table_preview import QUANTITY_FIELD
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.ui.importing.import_state import KINDS, MAPPABLE, READ_AS, ChosenFile, all_files, bytes_text
from gpuplanner.ui.importing.issue_words import issue_words
from gpuplanner.ui.importing.last_page import OpenQuestions, WindowChoice
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.layout import STRETCH, TOP, box, column, emptied, grid, named, row, share
from gpuplanner.ui.kit.theme import font, in_use, pixmap, text_px, text_width
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

# --- The files page of an import: every file with what it was recognised as, what came of it, and what is still asked

COLUMNS = (
    Column(title="File", is_figure=False),
    Column(title="What it is", is_figure=False, width=134),
    Column(title="Format", is_figure=False, width=124),
    Column(title="Rows imported"),
    Column(title="", is_figure=False, width=140),
)


FORMAT_COLUMN, FORMAT_FROM_PX = 2, 640
WIDEST_NAME_PX: Final = 260
ROWS_IN_SIGHT: Final = 2
LINES_AT_MOST: Final = 6
"""Files of which it is said what they hold beneath each other; of more the first."""


class FilesPage(QWidget):
    """Told the files; emits which one is looked at, and what was said of one."""

    file_chosen = Signal(int)
    kind_chosen = Signal(int, str)
    columns_asked = Signal()
    format_asked = Signal()
    add_asked = Signal()
    sheets_asked = Signal()

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Files"))
        self.said = page_parts.label(role="muted", is_wrapped=True)
        self.bar = named(QProgressBar(maximum=1000, textVisible=False), tr("Progress"))
        self.table = FigureTable(tr("Files"))
        self.table.row_height = 34
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))
        self.meaning_of_zone = page_parts.muted_label()
        self.window_choice = WindowChoice()
        self._left_out = page_parts.muted_label()
        self.period = QWidget()
        name = page_parts.label(tr("Lookback period"), of=self.window_choice.box)
        choice = row(name, self.window_choice, STRETCH, spacing=8)
        column(choice, self._left_out, on=self.period, spacing=2)
        self.units = OpenQuestions()
        self._lines = QWidget()
        self._lines_grid = grid(on=self._lines, margins=(0, 4, 0, 4), spacing=(16, 4), shares=(0, 1))
        self._lines_told: list[tuple[str, str]] = []
        self._why = page_parts.label(step="small", is_wrapped=True)
        tip = tr("Columns and their values")
        self.columns = page_parts.named_button(tr("Look at its columns"), tip, self.columns_asked)
        tip = tr("Read the file differently")
        self.change = page_parts.named_button(tr("Change format"), tip, self.format_asked)
        tip = tr("Add this workbook's other sheets")
        self.sheets = page_parts.named_button(tr("Open other sheets"), tip, self.sheets_asked)
        buttons = (self.sheets, self.columns, self.change)
        why = row(share(self._why), *buttons, margins=(12, 8, 8, 8), spacing=8)
        tip = tr("Add files to this import")
        self.add = page_parts.named_button(tr("Add file\u2026"), tip, self.add_asked)
        self._box = box("box", why, QFrame())
        title = row(page_parts.label(tr("Import"), step="page"), STRETCH, self.add)
        progress = (title, self.said, self.bar)
        files = (
            share(self.table, 1000),
            self._lines,
            self._box,
            self.period,
            self.meaning_of_zone,
            self.units,
        )
        inside = QWidget()
        column(*progress, *files, STRETCH, on=inside, margins=(20, 16, 20, 12), spacing=8)
        # many files may leave much open
        column(page_parts.scrolled(inside, tr("Files and questions")), on=self)
        inside.setAutoFillBackground(False)

    def say(self, text: str, role: str) -> None:
        """The sentence above the files."""
        page_parts.retell(self.said, text, role)

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
            held = all_files(one for one in loaded if one.path.startswith(f"{file.path}/"))
            rows.append(_row(file, intake.get(file.path) or held, cannot.get(file.path, "")))
        archives = tuple(f"{file.path}/" for file in files)
        inside, before = tr("In the archive"), tr("Loaded before")
        rows += [_loaded_row(one, inside if one.path.startswith(archives) else before) for one in loaded]
        with QSignalBlocker(self.table):
            if self.table.model().rowCount() != len(rows):
                self.table.show_rows((), ())
            self.table.show_rows(COLUMNS, rows)
            self.table.setColumnHidden(FORMAT_COLUMN, self.width() < FORMAT_FROM_PX)
            for at, file in enumerate(files):
                self._show_kind(at, file)
        self.table.take_room(ROWS_IN_SIGHT)
        if self.table.currentIndex().row() != current:
            self.table.selectRow(current)

    def show_period(self, window: Window | None, left_out: str, *, has_logs: bool) -> None:
        """Show the lookback period of the logs, and what it leaves out in words."""
        self.period.setVisible(has_logs)
        self._left_out.show_text(left_out)
        if window is not None:
            self.window_choice.show_window(window)

    def show_lines(self, lines: Sequence[tuple[str, Text]]) -> None:
        """What each file holds, by its name, in the line that a check of it prints."""
        told = [(name, spoken(line)) for name, line in lines if line][:LINES_AT_MOST]
        self._lines.setVisible(bool(told))
        if told == self._lines_told:
            return
        self._lines_told = told
        emptied(self._lines_grid)
        for at, (name, line) in enumerate(told):
            of_file = page_parts.ElidedLabel(name, role="muted", cut=MIDDLE)
            of_file.setMaximumWidth(text_px(WIDEST_NAME_PX))
            self._lines_grid.addWidget(of_file, at, 0, TOP)
            self._lines_grid.addWidget(page_parts.label(line, step="strong", is_wrapped=True), at, 1)

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
        self._why.setText("\n".join(filter(None, (named_text, nearest, first))))
        is_table = file.kind in MAPPABLE or (found is not None and found.kind == "unknown")
        self.columns.setVisible(is_table and found is not None)
        looks = tr("Open unread columns") if has_unread else tr("Look at its columns")
        self.columns.setText(looks if file.kind else tr("Map its columns"))
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
        field = holder.findChild(QComboBox) if holder is not None else None
        if field is None:
            tip = tr("Change it if wrong")
            field = page_parts.choice_of("", tip, ((title, kind) for kind, title, _ in KINDS))
            field.activated.connect(lambda chosen, at=at: self.kind_chosen.emit(at, KINDS[chosen][0]))
            holder = QWidget()
            row(field, on=holder, margins=(8, 3, 4, 3))
            self.table.setIndexWidget(index, holder)
        named(field, tr("Kind of {name}", name=file.name))
        field.setCurrentIndex([kind for kind, _, _ in KINDS].index(file.kind))
        field.setEnabled(file.found is not None)


def _row(file: ChosenFile, read: FileIntake | None, cannot: str) -> Row:
    """A file as a row: what it is, its format, rows accepted and how it stands."""
    role, said = _status(file, read, cannot)
    icon = {"red": "octagon", "green": "tick", "amber": "triangle", "muted": "more"}[role]
    why = cannot or _reason(file, read)
    taken = numbers.whole(read.rows_accepted) if read and not is_refused(read) else numbers.UNKNOWN
    of_kind = next(name for kind, _, name in KINDS if kind == file.kind)
    return Row(
        (
            Cell(text=file.name, icon=of_kind, is_strong=True, tip=f"{file.path}\n{why}"),
            Cell(text="", role="muted"),
            Cell(text=format_words(file, read), role="muted"),
            Cell(text=taken),
            Cell(text=said, icon=icon, icon_role=role, tip=why),
        ),
        key=file.path,
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


def _status(file: ChosenFile, read: FileIntake | None, cannot: str) -> tuple[str, str]:
    """Palette role and words."""
    if file.found is None:
        return "muted", tr("reading…")
    if file.is_closed:
        return "red", tr("cannot be opened")
    if not file.kind:
        is_told = file.is_known or file.is_described
        return ("muted", tr("skipped")) if is_told else ("amber", tr("not recognized"))
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
    found = (
        "mapped" if file.choice.mapping is not None else file.found.format if file.found is not None else ""
    )
    return format_called(read.format if read is not None and read.format else found, file.path)


def format_called(name: str, path: str) -> str:
    """A format by its name; our own by how the file is written."""
    if name.startswith("own_"):
        return tr("own {format}", format=Path(path).suffix[1:].upper())
    return tr("mapped") if name == "mapped" else name.replace("_", " ")


# --- The head of a page about one file: its name, what it is in a line, and how that is known ----

MIDDLE: Final = Qt.TextElideMode.ElideMiddle
"""Where names of files, columns and texts from them are cut: they differ at their ends."""


class FileHead(QWidget):
    """Told a file and its preview."""

    def __init__(self, *beside: QWidget) -> None:
        """beside: what stands at its right."""
        super().__init__()
        self._icon = PlainLabel()
        self._name = page_parts.ElidedLabel(step="title", cut=MIDDLE)
        self._details = page_parts.ElidedLabel(role="muted", step="small", cut=MIDDLE)
        self._badge_icon, self._badge_text = PlainLabel(), page_parts.label(step="small")
        known = row(self._badge_icon, self._badge_text, margins=(7, 2, 8, 2), spacing=5)
        self.badge = box("box", known, QFrame())
        words = column(self._name, self._details, spacing=1)
        row(self._icon, share(words), self.badge, *beside, on=self, spacing=12)

    def show_file(self, file: ChosenFile, preview: Any) -> None:
        """What is known of a file. preview: LogPreview or None."""
        name = next((icon for kind, _, icon in KINDS if kind == file.kind), "document")
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(pixmap("document" if name == "more" else name, in_use().muted, 24, ratio))
        self._name.setText(file.name)
        self._name.show_tip(file.path)
        self._details.setText(details_of(file, preview))
        role, icon_name, text = _badge(file, preview)
        self._badge_icon.setPixmap(pixmap(icon_name, in_use().colour(role).name(), 14, ratio))
        self._badge_text.setText(spoken(text))
        set_tip(self.badge, sentence(file.found.why) if file.found is not None else "")


def details_of(file: ChosenFile, preview: Any) -> str:
    """Slurm accounting - 38.4 MB - UTF-8."""
    path = Path(file.path)
    size = bytes_text(path.stat().st_size) if path.is_file() else ""
    if preview is not None:
        details: tuple[Text, ...] = tuple(preview.details)
        parts = (sentence(preview.title), "" if _says_size(details) else size, *map(spoken, details))
    else:
        parts = (tr(next(title for kind, title, _ in KINDS if kind == file.kind)), size)
    return numbers.MIDDOT.join(part for part in parts if part)


def _says_size(details: tuple[Text, ...]) -> bool:
    """Whether the details say the file's size already."""
    return any(text.endswith(("B", "bytes")) and text[:1].isdigit() for text in map(str, details))


def _badge(file: ChosenFile, preview: Any) -> tuple[str, str, str]:
    """Colour, icon and words of how it is known what a file is."""
    if file.found is None:
        return "muted", "clock", tr("Reading…")
    if file.is_remembered:
        return "green", "tick", tr("As last time")
    if file.choice.mapping is not None:
        words = tr("Mapped by you") if file.choice.mapping.columns else tr("Not mapped yet")
        return "muted", "info", words
    if file.choice.format is not None:
        return "muted", "info", tr("Chosen by you")
    if preview is not None and preview.doubts:
        return "amber", "triangle", tr("Not sure: check it")
    if file.is_known:
        return "green", "tick", tr("Recognized by content")
    return "amber", "triangle", tr("Not recognized")


# --- The format page of an import: what a file was recognised as and why, another choice, and its first rows

MAPPED: Final = "mapped"
FOCUS: Final = FORM.format
ROWS_SHOWN: Final = 50
WIDEST_CELL_PX: Final = 220
QUANTITIES: Final = ((INTERVAL, worded("each interval")), (PERIOD, worded("the whole period")))
"""What the quantity of a commitment may be for, in words."""


def format_choices() -> tuple[tuple[str, str, LogChoice], ...]:
    """Every way to read a file: words, kind, choice. The first leaves it to its content."""
    from gpuplanner.files.job_logs.recognisers import DIALECTS

    return (
        (tr("By its content"), "jobs", NONE_GIVEN),
        *(
            (tr("Job log: {title}", title=sentence(dialect.title)), "jobs", LogChoice(format=dialect.format))
            for dialect in DIALECTS
        ),
        (tr("Job log, any table: map the columns"), "jobs", LogChoice(format=MAPPED)),
        *((tr(words), kind, NONE_GIVEN) for kind, words in READ_AS.items()),
    )


class FormatPage(QWidget):
    """Told a file and its preview; emits how it is to be read."""

    format_chosen = Signal(str, object)  # kind, LogChoice
    quantity_chosen = Signal(str)  # what the quantity of a commitment is for

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Format"))
        self._choices = format_choices()
        self.head = FileHead()
        tip = tr("Change it if wrong")
        self.box = page_parts.choice_of(tr("Read it as"), tip, ((title, None) for title, *_ in self._choices))
        self.box.activated.connect(lambda at: self.format_chosen.emit(*self._choices[at][1:]))
        tip = tr("Period of GPU-hours that have an interval")
        meanings = ((words, meant) for meant, words in QUANTITIES)
        self.quantity = page_parts.choice_of(tr("Quantities are for"), tip, meanings)
        self.quantity.activated.connect(lambda _: self.quantity_chosen.emit(self.quantity.currentData()))
        self._quantity_label = page_parts.label(tr("Quantities are for"), of=self.quantity)
        self._why = page_parts.label(role="muted", is_wrapped=True)
        self._rows_title = page_parts.heading_label(tr("First rows"))
        self.rows = FigureTable(tr("First rows"))
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        read_as = row(page_parts.label(tr("Read it as"), of=self.box), self.box, STRETCH, spacing=8)
        quantity = row(self._quantity_label, self.quantity, STRETCH, spacing=8)
        choices, rows = (self.head, read_as, quantity, self._why), (self._rows_title, share(self.rows))
        column(*choices, 4, *rows, on=self, margins=(20, 16, 20, 12), spacing=8)

    def show_file(self, file: ChosenFile, preview: Any, fault: str = "") -> None:
        """What is known of a file. preview: LogPreview or None; fault: why there is none."""
        self.head.show_file(file, preview)
        self.box.setItemText(0, tr("By its content: {file}", file=_recognised(file)))
        self.box.setCurrentIndex(self._place_of(file))
        is_focus = file.kind == "contracts" and preview is not None and preview.format == FOCUS
        self._quantity_label.setVisible(is_focus)
        self.quantity.setVisible(is_focus)
        mapping = file.choice.mapping
        meant = mapping.columns.get(QUANTITY_FIELD, INTERVAL) if mapping is not None else INTERVAL
        self.quantity.setCurrentIndex(max(0, self.quantity.findData(meant)))
        said = preview.why if preview is not None else file.found.why if file.found is not None else ""
        self._why.setText(spoken(fault) or (f"{sentence(said)}." if said else tr("Reading…")))
        self._show_rows(preview)

    def _place_of(self, file: ChosenFile) -> int:
        """The place of the choice that holds for a file."""
        if file.kind != "jobs":
            if file.found is not None and not file.is_known and not file.kind:
                return 0 if file.choice == NONE_GIVEN else len(self._choices) - 1
            return next(at for at, (_, kind, _) in enumerate(self._choices) if kind == file.kind)
        wanted = MAPPED if file.choice.mapping is not None else file.choice.format
        formats = ((at, choice.format) for at, (_, kind, choice) in enumerate(self._choices) if kind)
        return next((at for at, its_format in formats if its_format == wanted), 0)

    def _show_rows(self, preview: Any) -> None:
        """Shows the first rows as they stand in the file, columns as wide as their texts up to a limit."""
        self.rows.show_rows((), ())
        rows = preview.rows[:ROWS_SHOWN] if preview is not None else ()
        self._rows_title.setText(tr("First rows") if rows else tr("No rows to show"))
        if not rows:
            return
        headings = [column.heading for column in preview.columns]
        width = max([len(headings), *(len(cells) for _, cells in rows)])
        headings += [tr("column {at}", at=at + 1) for at in range(len(headings), width)]
        texts = [[cell.replace("\n", " ") for cell in cells] for _, cells in rows]
        columns = [Column(title="Row")]
        for at, name in enumerate(headings):
            below = (cells[at] for cells in texts if at < len(cells))
            widest = max(text_width(text, font("body")) for text in (name, *below))
            columns.append(Column(title=name, is_figure=False, width=min(WIDEST_CELL_PX, widest + 18)))
        shown = [
            Row((written(numbers.whole, number, "muted"), *(Cell(text=cell, tip=cell) for cell in cells)))
            for (number, _), cells in zip(rows, texts, strict=True)
        ]
        self.rows.show_rows(columns, shown)


def _recognised(file: ChosenFile) -> str:
    """What a file was recognised as, in words."""
    if (recognised := file.found) is None:
        return tr("reading…")
    if not recognised.kind:
        return tr("cannot be opened")
    kind = kind_words(recognised.kind)
    if not recognised.format:
        return spoken(kind)
    return tr("{first}, {second}", first=kind, second=format_called(recognised.format, file.path))
