"""The columns page of an import, the mapper: the file's own table, and over each heading what its column is read as."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QLineEdit, QTableView, QWidget

from gpuplanner.charts.kit.plain_text import set_tip, tip_text
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import joined, worded
from gpuplanner.files.importing.first_row import FieldReading, NaiveTime
from gpuplanner.files.importing.log_preview import ColumnSample, LogPreview
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.system.resources import long_text, words_table
from gpuplanner.files.tables.column_mapping import NOT_NEEDED, UNIT_TITLES, constant_of
from gpuplanner.files.tables.fields import HOLDS, JOB_HOLDS, Holds
from gpuplanner.files.tables.recipe_file import KINDS as STEPPED
from gpuplanner.files.values.number_styles import STYLE_TITLES
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.importing.file_head import FileHead
from gpuplanner.ui.importing.import_state import OWN_COLUMNS, ChosenFile, zones_by_words
from gpuplanner.ui.importing.issue_words import FIELD_WORDS
from gpuplanner.ui.importing.steps_row import StepsRow
from gpuplanner.ui.kit.layout import STRETCH, column, emptied, named, row, share
from gpuplanner.ui.kit.page_parts import ElidedChoice, label, named_button, retell
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import font, text_px
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

LEFT_OUT: Final = worded("Skipped. Choose its kind with Change format, then map its columns.")
TABLE_UNITS: Final = words_table("unit")
"""Unit of a price or a term -> words."""

WITHOUT_UNIT: Final = {Holds[name.upper()]: words for name, words in words_table("without_unit").items()}
"""What stands in place of a unit where a field has none, or its words name it; else it is a text."""

FIRST: Final = ("contract_id", "offer_id", "job_id", "gpus", "start", "end", "duration")
"""Fields that stand first, whatever the reader says of the others."""

TIMES: Final = ("start", "end")
Unread = tuple[ColumnSample, ...]
ROWS_SHOWN: Final = 20
"""Rows of the file in the table."""
COLUMN_PX, BOX_ROW_PX, ROW_PX = 158, 32, 23
TINT_ALPHA: Final = 34
_AnyIndex = QModelIndex | QPersistentModelIndex


class ChoiceBox(ElidedChoice):
    """A box of a page of them, as narrow as the page has to be."""

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)

    def show_items(self, items: list[tuple[str, str]], chosen: str) -> None:
        """Words and value of each item, and the one chosen; says nothing by itself."""
        with QSignalBlocker(self):
            if [(self.itemText(at), self.itemData(at)) for at in range(self.count())] != items:
                self.clear()
                for words, value in items:
                    self.addItem(spoken(words), value)
            self.setCurrentIndex(self.findData(chosen))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownColumn:
    """A column of the file as the mapper shows it.

    field: what it is read as, None where it is not read. is_asked: whether a law asks about it. cells: of the first
    rows.
    """

    heading: str
    cells: tuple[str, ...]
    field: FieldReading | None = None
    is_not_needed: bool = False
    is_asked: bool = False

    @property
    def role(self) -> str:
        """The palette's role of its tint: what became of its cells; empty where they are not read."""
        if self.is_asked:
            return "red"
        if self.field is None:
            return ""
        return "amber" if self.field.note else "green"

    @property
    def read_as(self) -> str:
        """What its first row is read as, in words."""
        if self.field is not None:
            return spoken(self.field.read_as) or numbers.UNKNOWN
        return tr("not needed") if self.is_not_needed else tr("not read")


def shown_rows(preview: LogPreview) -> list[tuple[int, tuple[str, ...]]]:
    """Return the first rows of a file by number; the samples of its columns, without a number, where it has none."""
    if preview.rows:
        return [*preview.rows[:ROWS_SHOWN]]
    samples = zip_longest(*(sample.samples for sample in preview.columns), fillvalue="")
    return [(0, cells) for cells in samples]


def shown_columns(preview: LogPreview | None, asked: Sequence[str]) -> tuple[ShownColumn, ...]:
    """Return the columns of a file with what each is read as. asked: headings that a law asks about."""
    if preview is None:
        return ()
    by_heading = {(reading.column or "").casefold(): reading for reading in reversed(preview.fields)}
    left = {heading.casefold() for heading in preview.mapping.not_needed} if preview.mapping else set()
    questions = {heading.casefold() for heading in asked}
    rows = [cells for _, cells in shown_rows(preview)]
    return tuple(
        ShownColumn(
            heading=sample.heading,
            cells=tuple(cells[place] if place < len(cells) else "" for cells in rows),
            field=by_heading.get(sample.heading.casefold()),
            is_not_needed=sample.heading.casefold() in left,
            is_asked=sample.heading.casefold() in questions,
        )
        for place, sample in enumerate(preview.columns)
    )


class _Cells(QAbstractTableModel):
    """The table of the file below the boxes: heading, what the first row is read as, and the first rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.columns: tuple[ShownColumn, ...] = ()
        self._numbers: tuple[str, ...] = ()

    def show_columns(self, columns: tuple[ShownColumn, ...], numbers_of_rows: tuple[str, ...]) -> None:
        """Show other columns. numbers_of_rows: of the rows in the file."""
        is_same = [shown.heading for shown in columns] == [shown.heading for shown in self.columns]
        if is_same and numbers_of_rows == self._numbers:  # the boxes above them stay
            self.columns = columns
            if not columns:
                return
            last = self.index(self.rowCount() - 1, len(columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.columns, self._numbers = columns, numbers_of_rows
        self.endResetModel()

    def rowCount(self, parent: _AnyIndex = QModelIndex()) -> int:
        return len(_ABOVE) + len(self._numbers)

    def columnCount(self, parent: _AnyIndex = QModelIndex()) -> int:
        return len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation == Qt.Orientation.Horizontal:
            return None
        words = tr(_ABOVE[section]) if section < len(_ABOVE) else self._numbers[section - len(_ABOVE)]
        return f"{words}  "  # apart from the cells beside it

    def data(self, index: _AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown, place = self.columns[index.column()], index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(shown, place)
        if role == Qt.ItemDataRole.ToolTipRole:
            note = shown.field.note if shown.field is not None else ""
            return tip_text(sentence(in_window_words(note)) if note else self._text(shown, place)) or None
        if role == Qt.ItemDataRole.BackgroundRole and shown.role and place >= _HEADING:
            tint = QColor(in_use().colour(shown.role))
            tint.setAlpha(TINT_ALPHA)
            return tint
        if role == Qt.ItemDataRole.ForegroundRole:
            return in_use().colour("text" if shown.role and place != _READ_AS else "muted")
        if role == Qt.ItemDataRole.FontRole and place == _HEADING:
            return font("strong")
        return None

    @staticmethod
    def _text(shown: ShownColumn, place: int) -> str:
        """The text of a cell."""
        if place < _HEADING:
            return ""
        if place == _HEADING:
            return shown.heading
        return shown.read_as if place == _READ_AS else shown.cells[place - len(_ABOVE)].replace("\n", " ")


_ABOVE: Final = tuple(words_table("mapping_heading").values())
"""What stands above the rows of the file."""
_FIELD, _UNIT, _HEADING, _READ_AS = range(len(_ABOVE))


class ColumnsPage(QWidget):
    """Told a file and its preview; emits what a column is read as, its unit or the zone as it is chosen."""

    field_chosen = Signal(str, str)  # heading, field, NOT_NEEDED, or empty: not read
    column_chosen = Signal(str, str)  # field without a column, heading or a constant
    unit_chosen = Signal(str, str)  # field, unit
    steps_chosen = Signal(object)  # tuple[TableStep, ...]
    zone_chosen = Signal(str)
    format_asked = Signal()
    by_hand_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Columns"))
        tip = tr("Read the file differently")
        self.change = named_button(tr("Change format"), tip, self.format_asked)
        self.head = FileHead(self.change)
        self.note = label(role="muted", is_wrapped=True)
        tip = tr("Choose the column of each field")
        self.by_hand = named_button(tr("Map the columns by hand"), tip, self.by_hand_asked)
        self.boxes: dict[str, ChoiceBox] = {}  # what each column is read as, by heading
        self.units: dict[str, ChoiceBox] = {}  # by field that a column is read as
        self.lacking: dict[str, ChoiceBox] = {}  # by field that is needed and has no column of its own
        self.zone = zone_box(tr("Time zone of the file"))
        self.zone.activated.connect(lambda _: self.zone_chosen.emit(self.zone.currentText()))
        _line_of(self.zone).editingFinished.connect(lambda: self.zone_chosen.emit(self.zone.currentText()))
        self._zone_name = label(tr("Time zone"), of=self.zone)
        self._above: QHBoxLayout = row(spacing=8)
        self._of_file = row(share(self._above), self._zone_name, self.zone, spacing=8)
        self.table = named(QTableView(), tr("Columns of the file"))
        self._cells = _Cells(self)
        self._set_up_table()
        line = row(share(self.note), self.by_hand, spacing=8)
        self.steps = StepsRow()
        self.steps.steps_chosen.connect(self.steps_chosen)
        parts = (self.head, line, self.steps, self._of_file, share(self.table, 1000), STRETCH)
        column(*parts, on=self, margins=(20, 16, 12, 12), spacing=8)

    def _set_up_table(self) -> None:
        """A table of texts with boxes in its first rows, which scrolls sideways."""
        table = self.table
        table.setModel(self._cells)
        table.horizontalHeader().hide()
        table.horizontalHeader().setDefaultSectionSize(text_px(COLUMN_PX))
        table.verticalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        table.verticalHeader().setDefaultSectionSize(text_px(ROW_PX))
        table.verticalHeader().setHighlightSections(False)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setWordWrap(False)
        table.setFrameShape(QTableView.Shape.NoFrame)

    def show_file(
        self, file: ChosenFile, preview: Any, zone: str, fault: str = "", asked: Sequence[str] = ()
    ) -> None:
        """What is known of a file. preview: None while it is looked at; zone: of times without one.

        asked: headings that a law asks about.
        """
        self.head.show_file(file, preview)
        self.change.setEnabled(file.found is not None)
        is_mapped = preview is not None and preview.is_mapped
        self.by_hand.setVisible(preview is not None and not is_mapped and file.kind == "jobs")
        self._say(file, preview, zone, fault)
        columns = shown_columns(preview, asked)
        headings = [shown.heading for shown in columns]
        rows = [] if preview is None else shown_rows(preview)
        is_new = headings != [shown.heading for shown in self._cells.columns] or is_mapped != bool(self.boxes)
        self._cells.show_columns(
            columns, tuple(numbers.whole(number) if number else "" for number, _ in rows)
        )
        self.table.setVisible(bool(columns))
        self.steps.setVisible(file.kind in STEPPED and (bool(file.choice.steps) or bool(columns)))
        self.steps.show_steps(file.choice.steps, headings)
        fields = () if preview is None else preview.fields
        if is_new:
            self._make_boxes(headings if is_mapped else [])
        if is_mapped:
            self._show_boxes(columns, fields)
        self._show_lacking(fields if is_mapped else (), headings)
        is_naive = preview is not None and (preview.naive_sample is not None or bool(file.choice.timezone))
        for widget in (self.zone, self._zone_name):
            widget.setVisible(is_naive)
        if self.zone.currentText() != (zone or "UTC") and not _line_of(self.zone).hasFocus():
            self.zone.setCurrentText(zone or "UTC")
            _line_of(self.zone).setCursorPosition(0)

    def focus_first(self) -> None:
        """Give the keyboard to the first question: a needed field without a column, a column that is asked about."""
        asked = (self.boxes[shown.heading] for shown in self._cells.columns if shown.is_asked and self.boxes)
        for box in (*self.lacking.values(), *asked, *self.boxes.values()):
            if box.isEnabled():
                self._go_to(box)
                return

    def focus_unread(self) -> None:
        """Give the keyboard to the first column that is not read."""
        for shown in self._cells.columns:
            if shown.field is None and not shown.is_not_needed and shown.heading in self.boxes:
                self._go_to(self.boxes[shown.heading])
                return

    def _go_to(self, box: QWidget) -> None:
        """Give the keyboard to a box, in sight."""
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        headings = [shown.heading for shown in self._cells.columns]
        place = next((headings.index(heading) for heading, other in self.boxes.items() if other is box), None)
        if place is not None:
            index = self._cells.index(_HEADING, place)
            QTimer.singleShot(0, self.table, lambda: self.table.scrollTo(index))

    def _say(self, file: ChosenFile, preview: Any, zone: str, fault: str) -> None:
        """What is known of the file's columns, and what is in the way, in a line."""
        role = "muted"
        if fault:
            text, role = fault, "red"
        elif file.kind == "activity":
            text = tr("GPU activity is joined with the jobs; columns are known.")
        elif file.kind in OWN_COLUMNS and preview is None:
            text = tr("Columns recognized by name; results on the right.")
        elif preview is None:
            is_waiting = bool(file.kind) or file.found is None
            text = tr("Reading…") if is_waiting else spoken(LEFT_OUT)
        else:
            known = tr("{title}: its columns are known.", title=sentence(preview.title))
            parts = [] if preview.is_mapped else [known]
            if preview.naive_sample is not None:
                parts.append(naive_sentence(preview.naive_sample, zone))
            notes = list(dict.fromkeys(reading.note for reading in preview.fields if reading.note))
            parts += [f"{sentence(in_window_words(note)).rstrip('.')}." for note in notes[:2]]
            if not (text := " ".join(parts)):
                text = spoken(preview.line) or tr("Columns and their first values.")
            role = "amber" if notes else "muted"
        retell(self.note, text, role)

    # The boxes over the headings

    def _make_boxes(self, headings: Sequence[str]) -> None:
        """Makes a box for each column; rows of boxes are higher than those of cells."""
        self.boxes, self.units = {}, {}
        self._unit_boxes: dict[str, ChoiceBox] = {}
        for place in (_FIELD, _UNIT):
            self.table.setRowHidden(place, not headings)
            self.table.setRowHeight(place, text_px(BOX_ROW_PX))
        for place, heading in enumerate(headings):
            box = ChoiceBox(tr("Read {column} as", column=heading))
            unit = ChoiceBox(tr("Unit of {words}", words=heading))
            box.activated.connect(
                lambda _, box=box, name=heading: self.field_chosen.emit(name, box.currentData())
            )
            unit.activated.connect(lambda _, name=heading: self._say_unit(name))
            self.boxes[heading], self._unit_boxes[heading] = box, unit
            for line, widget in ((_FIELD, box), (_UNIT, unit)):
                holder = QWidget()
                row(widget, on=holder, margins=(3, 3, 3, 3))
                self.table.setIndexWidget(self._cells.index(line, place), holder)

    def _show_boxes(self, columns: Sequence[ShownColumn], fields: Sequence[FieldReading]) -> None:
        """What each column is read as, in which unit."""
        names = in_order(tuple(reading.field for reading in fields))
        words = [(sentence(FIELD_WORDS.get(name, name)), name) for name in names]
        items = [(tr("Not read"), ""), (tr("Not needed"), NOT_NEEDED), *words]
        self.units = {}
        for shown in columns:
            box, unit, reading = self.boxes[shown.heading], self._unit_boxes[shown.heading], shown.field
            chosen = NOT_NEEDED if shown.is_not_needed else ""
            box.show_items(items, chosen if reading is None else reading.field)
            why = spoken(reading.why) if reading is not None else shown.read_as
            set_tip(box, tr("{title}: {value}", title=shown.heading, value=why))
            has_units = reading is not None and bool(reading.units)
            unit.setVisible(has_units)
            if reading is not None and has_units:
                self.units[reading.field] = unit
                choices = reading.units if reading.unit in reading.units else (reading.unit, *reading.units)
                unit.show_items(
                    [(unit_words(choice, reading.field), choice) for choice in choices], reading.unit
                )
        self.table.setRowHidden(_UNIT, not self.units)

    def _say_unit(self, heading: str) -> None:
        """The unit of a column is chosen."""
        field = self.boxes[heading].currentData()
        if field:
            self.unit_chosen.emit(field, self._unit_boxes[heading].currentData())

    def _show_lacking(self, fields: Sequence[FieldReading], headings: Sequence[str]) -> None:
        """A box for each field that is needed and has no column, and for each that is the same in every row."""
        constants = {
            reading.field: value
            for reading in fields
            if (value := constant_of(reading.column or "")) is not None
        }
        wanted = [
            reading.field
            for reading in fields
            if reading.field in constants or (reading.is_required and not reading.column)
        ]
        if wanted != [*self.lacking]:
            emptied(self._above)
            self.lacking = {field: self._lacking_box(field) for field in wanted}
            self._above.addStretch(1)
        for field, box in self.lacking.items():
            items = [(tr("Choose its column"), ""), *((heading, heading) for heading in headings)]
            value = constants.get(field, "1" if field == "gpus" else "")
            items += [(tr("{value} in every row", value=value), f"={value}")] if value else []
            box.show_items(items, f"={value}" if field in constants else "")

    def _lacking_box(self, field: str) -> ChoiceBox:
        """The box of a field that has no column."""
        words = FIELD_WORDS.get(field, field)
        box = ChoiceBox(tr("Column for {words}", words=words))
        box.activated.connect(lambda _: self.column_chosen.emit(field, box.currentData()))
        self._above.addWidget(label(sentence(words), step="strong", of=box))
        self._above.addWidget(box)
        return box


def in_order(fields: tuple[str, ...]) -> tuple[str, ...]:
    """What a log cannot do without first, then as they came."""
    return tuple(sorted(fields, key=lambda field: FIRST.index(field) if field in FIRST else len(FIRST)))


def unread_columns(preview: LogPreview | None) -> Unread:
    """The columns of a table with values that no field is read from."""
    if preview is None or not preview.is_mapped:
        return ()
    read = {(reading.column or "").casefold() for reading in preview.fields}
    return tuple(
        column for column in preview.columns if column.samples and column.heading.casefold() not in read
    )


def unit_words(unit: str, field: str = "") -> str:
    """A unit as --map takes it, in words; where none applies what the field holds: text, a number, a date."""
    held = HOLDS.get(field) or JOB_HOLDS.get(field, Holds.TEXT)
    name, _, rest = unit.partition(":")
    if name in STYLE_TITLES:  # of what is only counted
        name, rest = "", unit
    rest = ", ".join(spoken(STYLE_TITLES.get(part, part)) for part in rest.split(":"))
    words = sentence(TABLE_UNITS.get(name) or UNIT_TITLES.get(name) or name) if name else ""
    words = words or sentence(WITHOUT_UNIT.get(held, worded("text")))
    return tr("{first}, {second}", first=words, second=rest) if rest else words


def nearest_words(file: ChosenFile, preview: Any) -> str:
    """What a file of no known kind is nearest to, and what that needs; empty of a file that is known or may be none.

    preview: LogPreview as a table of jobs, or None.
    """
    if (recognised := file.found) is None or recognised.kind != "unknown" or file.kind:
        return ""
    if (nearest := recognised.nearest) is not None:
        there, lacking = (
            ", ".join(spoken(FIELD_WORDS.get(field, field)) for field in fields)
            for fields in (nearest.there, nearest.lacking)
        )
        return tr(long_text("closest_table", kind=kind_words(nearest.kind), there=there, lacking=lacking))
    if preview is None:
        return ""
    if preview.missing:
        return tr("As a table of jobs it has {missing}.", missing=joined(preview.missing, worded(" and ")))
    doubts = joined((in_window_words(doubt) for doubt in preview.doubts), "; ")
    return tr("It may be a table of jobs: {doubts}.", doubts=doubts) if preview.doubts else ""


def zone_box(name: str) -> QComboBox:
    """A box of time zones, any of which may be typed."""
    box = ChoiceBox(name)
    box.setMinimumContentsLength(14)
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.addItems([*zones_by_words()])
    _line_of(box).setAccessibleName(spoken(name))
    set_tip(box, tr("Times have no zone: choose that of the cluster's clock"))
    return box


def _line_of(box: QComboBox) -> QLineEdit:
    """The field of a box that is typed into."""
    line = box.lineEdit()
    assert line is not None
    return line


def naive_sentence(sample: NaiveTime, zone: str) -> str:
    """What a time without a zone is taken for: 2024-11-13T10:05:01 in Europe/Oslo is 13 Nov 2024 09:05:01 UTC."""
    where = zone or "UTC"
    meaning = sample.meaning_in(where)
    return tr(long_text("zone_of_time", value=sample.text, where=where, meaning=meaning))
