"""The columns page of an import: which column is which field, in which unit and zone, and what comes of it."""

from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLineEdit, QScrollArea, QWidget

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, PlainLabel, escaped, set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.files.importing.first_row import NaiveTime
from gpuplanner.files.importing.log_preview import ColumnSample, LogPreview
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.system.resources import long_text, words_table
from gpuplanner.files.tables.column_mapping import NOT_NEEDED, UNIT_TITLES, constant_of
from gpuplanner.files.tables.fields import HOLDS, JOB_HOLDS, Holds
from gpuplanner.files.values.number_styles import STYLE_TITLES
from gpuplanner.ui.importing.file_head import MIDDLE, FileHead
from gpuplanner.ui.importing.import_state import OWN_COLUMNS, ChosenFile, zones_by_words
from gpuplanner.ui.importing.issue_words import FIELD_WORDS
from gpuplanner.ui.kit.icons import pixmap
from gpuplanner.ui.kit.layout import column, grid, ground, named, row, share
from gpuplanner.ui.kit.page_parts import (
    ElidedChoice,
    ElidedLabel,
    label,
    muted_label,
    named_button,
    retell,
    rule_line,
)
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.kit.type_scale import font, width_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

NOT_HERE: Final = worded("Not in this file")
LEFT_OUT: Final = worded("Skipped. Choose its kind with Change format, then map its columns.")
TABLE_UNITS: Final = words_table("unit")
"""Unit of a price or a term -> words."""

WITHOUT_UNIT: Final = {Holds[name.upper()]: words for name, words in words_table("without_unit").items()}
"""What stands in place of a unit where a field has none, or its words name it; else it is a text."""

FIRST: Final = ("contract_id", "offer_id", "job_id", "gpus", "start", "end", "duration")
"""Fields that stand first, whatever the reader says of the others."""

TIMES: Final = ("start", "end")
Unread = tuple[ColumnSample, ...]
_HEADINGS: Final[tuple[Text, ...]] = (*words_table("mapping_heading").values(), "")
_FIRST_TEXT_FROM_PX: Final = 700
_ZONE, _FIRST, _READ_AS, _STATUS = 3, 4, 5, 6


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


class _FieldRow(QObject):
    """The widgets of one field."""

    column_chosen = Signal(str, str)  # field, heading or empty
    unit_chosen = Signal(str, str)  # field, unit
    zone_chosen = Signal(str)

    def __init__(self, field: str, table: QGridLayout, at: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.is_lacking = False  # a column is needed, and none is chosen
        words = FIELD_WORDS.get(field, field)
        self.name = MarkupLabel()
        self.column = ChoiceBox(tr("Column for {words}", words=words))
        self.unit = ChoiceBox(tr("Unit of {words}", words=words))
        self.zone = zone_box(tr("Time zone of {words}", words=words)) if field in TIMES else None
        self.column_text, self.unit_text = ElidedLabel(role="muted", cut=MIDDLE), label(role="muted")
        self.first = ElidedLabel(role="muted", cut=MIDDLE)
        self.read_as = ElidedLabel(step="strong", cut=MIDDLE)
        self.below = ElidedLabel(role="muted")  # what the next rows are read as
        for text in (self.column_text, self.first, self.read_as, self.below):
            text.setMinimumWidth(60)
        read = QWidget()
        column(self.read_as, self.below, on=read, margins=(0, 0, 0, 0), spacing=0)
        self.status = PlainLabel()
        self.status.setFixedWidth(16)
        self.column.activated.connect(lambda _: self.column_chosen.emit(field, self.column.currentData()))
        self.unit.activated.connect(lambda _: self.unit_chosen.emit(field, self.unit.currentData()))
        if (zone := self.zone) is not None:
            zone.activated.connect(lambda _: self.zone_chosen.emit(zone.currentText()))
            _line_of(zone).editingFinished.connect(lambda: self.zone_chosen.emit(zone.currentText()))
        self.name.setBuddy(self.column)
        table.setRowMinimumHeight(2 * at, 32)
        places: tuple[tuple[int, QWidget | None], ...] = (
            (0, self.name),
            (1, self.column),
            (1, self.column_text),
            (2, self.unit),
            (2, self.unit_text),
            (_ZONE, self.zone),
            (_FIRST, self.first),
            (_READ_AS, read),
            (_STATUS, self.status),
        )
        for place, widget in places:
            if widget is not None:
                table.addWidget(widget, 2 * at, place)
        table.addWidget(rule_line(), 2 * at + 1, 0, 1, len(_HEADINGS))

    def show_reading(self, reading: Any, headings: tuple[str, ...], is_mapped: bool, zone: str) -> None:
        """Show where the field comes from. zone: empty where its times carry their own."""
        field = reading.field
        words = FIELD_WORDS.get(field, field)
        required = f" <small>{tr('required')}</small>" if reading.is_required else ""
        self.name.setText(Markup(f"<b>{escaped(spoken(words))}</b>{required}"))
        set_tip(self.name, tr("{words}: choose its column and unit", words=words))
        columns = [(spoken(NOT_HERE), ""), *((name, name) for name in headings)]
        said = constant_of(reading.column or "") or ("1" if field == "gpus" else None)
        columns += [(tr("{value} in every row", value=said), f"={said}")] if said else []
        self.column.show_items(columns, reading.column or "")
        why = tr("{title}: {value}", title=reading.column or NOT_HERE, value=spoken(reading.why))
        set_tip(self.column, why)
        units = reading.units if reading.unit in reading.units else (reading.unit, *reading.units)
        self.unit.show_items([(unit_words(unit, field), unit) for unit in units], reading.unit)
        written = unit_words(reading.unit, field)
        set_tip(self.unit, tr("How {words} is written: {unit}", words=words, unit=written))
        self.column_text.setText(reading.column or NOT_HERE)
        self.unit_text.setText(unit_words(reading.unit, field) if reading.column else "")
        self.column.setVisible(is_mapped)
        self.column_text.setVisible(not is_mapped)
        has_units = bool(reading.units) and bool(reading.column)
        self.unit.setVisible(is_mapped and has_units)
        self.unit_text.setVisible(not (is_mapped and has_units))
        if self.zone is not None:
            self.zone.setVisible(bool(zone) and bool(reading.column))
            if self.zone.currentText() != zone and not _line_of(self.zone).hasFocus():
                self.zone.setCurrentText(zone)
                _line_of(self.zone).setCursorPosition(0)
        self.first.setText(reading.first_text if reading.column else numbers.UNKNOWN)
        self.read_as.setText(spoken(reading.read_as) or numbers.UNKNOWN)
        below = [spoken(text) or numbers.UNKNOWN for text in reading.below if reading.column]
        self.below.setText(numbers.MIDDOT.join(below))
        self.below.setVisible(any(text != numbers.UNKNOWN for text in below))
        self._show_status(reading)

    def _show_status(self, reading: Any) -> None:
        """A sign of how a field stands: lacking, unknown, doubtful or read, with the reason as its tip."""
        self.is_lacking = reading.column is None and reading.is_required
        if self.is_lacking:
            role, name, said = "red", "octagon", tr("A column is needed")
        elif reading.column is None:
            role, name, said = "muted", "minus", tr("Left unknown")
        elif reading.note:
            role, name, said = "amber", "triangle", reading.note
        else:
            role, name, said = "green", "tick", reading.why
        ratio = self.status.devicePixelRatioF()
        self.status.setPixmap(pixmap(name, in_use().colour(role).name(), 14, ratio))
        set_tip(self.status, sentence(in_window_words(said)))
        self.status.setAccessibleName(sentence(in_window_words(said)))


class ColumnsPage(QWidget):
    """Told a file and its preview; emits one field's column, unit or zone as it is chosen."""

    column_chosen = Signal(str, str)  # field, heading or empty
    unit_chosen = Signal(str, str)  # field, unit
    zone_chosen = Signal(str)
    format_asked = Signal()
    by_hand_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, _FieldRow] = {}  # the rows by field
        self.setAccessibleName(tr("Columns"))
        tip = tr("Read the file differently")
        self.change = named_button(tr("Change format"), tip, self.format_asked)
        self.head = FileHead(self.change)
        self.note = label(role="muted", is_wrapped=True)
        tip = tr("Choose the column of each field")
        self.by_hand = named_button(tr("Map the columns by hand"), tip, self.by_hand_asked)
        self._area = named(QScrollArea(widgetResizable=True), tr("Fields"))
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        line = row(share(self.note), self.by_hand, spacing=8)
        column(self.head, line, share(self._area), on=self, margins=(20, 16, 12, 12), spacing=8)
        self._not_needed: tuple[str, ...] = ()
        self._build(())

    def show_file(self, file: ChosenFile, preview: Any, zone: str, fault: str = "") -> None:
        """What is known of a file. preview: None while it is looked at; zone: of times without one."""
        self.head.show_file(file, preview)
        self.change.setEnabled(file.found is not None)
        is_mapped = preview is not None and preview.is_mapped
        self.by_hand.setVisible(preview is not None and not is_mapped and file.kind == "jobs")
        self._say(file, preview, zone, fault)
        fields = in_order(tuple(reading.field for reading in preview.fields)) if preview is not None else ()
        mapping = preview.mapping if preview is not None else None
        left = mapping.not_needed if mapping is not None else ()
        unread = unread_columns(preview)
        if (fields, unread, left) != (tuple(self.rows), self._unread, self._not_needed):
            self._not_needed = left
            self._build(fields, unread)
        if preview is None:
            return
        headings = tuple(column.heading for column in preview.columns)
        is_naive = preview.naive_sample is not None or bool(file.choice.timezone)
        read_in = zone or "UTC" if is_naive else ""
        for reading in preview.fields:
            self.rows[reading.field].show_reading(reading, headings, is_mapped, read_in)
        self._fit()

    def focus_unread(self) -> None:
        """Give the keyboard to the first column that is not read."""
        box = next(iter(self.unread.values()), None)
        if box is not None:
            box.setFocus(Qt.FocusReason.OtherFocusReason)
            for seen in ([*self.unread.values()][-1], box):  # all of them, but the first at least
                QTimer.singleShot(0, seen, partial(self._area.ensureWidgetVisible, seen))

    def focus_first(self) -> None:
        """Give the keyboard to the first required field that has no column, else to the first field."""
        boxes = [one.column for one in self.rows.values() if one.column.isVisibleTo(self)]
        lacking = [one.column for one in self.rows.values() if one.is_lacking and one.column in boxes]
        for box in (*lacking, *boxes)[:1]:
            box.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self, file: ChosenFile, preview: Any, zone: str, fault: str) -> None:
        """What is known of the file's columns, and what is in the way, in a line."""
        role = "muted"
        if fault:
            text, role = fault, "red"
        elif file.kind == "activity":
            text = tr("GPU activity is joined with the jobs; columns are known.")
        elif file.kind in OWN_COLUMNS:
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
                text = tr("Columns and their first values.")
            role = "amber" if notes else "muted"
        retell(self.note, text, role)

    def _build(self, fields: tuple[str, ...], unread: Unread = ()) -> None:
        """Makes the rows anew, one for each field and one for each column that is not read."""
        for one in self.rows.values():
            one.deleteLater()
        inside = ground(QWidget(), "panel")
        self._headings = [muted_label(title, is_wrapped=False) for title in (_HEADINGS if fields else ())]
        self._grid = grid(self._headings, on=inside, margins=(0, 0, 8, 0), spacing=(8, 0))
        self._grid.setRowMinimumHeight(0, 22)
        rule = rule_line()
        rule.setVisible(bool(fields))
        self._grid.addWidget(rule, 1, 0, 1, len(_HEADINGS))
        self.rows = {field: _FieldRow(field, self._grid, at, inside) for at, field in enumerate(fields, 1)}
        for one in self.rows.values():
            one.column_chosen.connect(self.column_chosen)
            one.unit_chosen.connect(self.unit_chosen)
            one.zone_chosen.connect(self.zone_chosen)
        self._unread, at = unread, 2 * len(fields) + 2
        if unread:
            title = muted_label(tr("Columns that are not read"), is_wrapped=False)
            self._grid.setRowMinimumHeight(at, 36)
            self._grid.addWidget(title, at, 0, 1, len(_HEADINGS), Qt.AlignmentFlag.AlignBottom)
        self.unread = {
            column.heading: self._unread_row(column, at + 1 + place) for place, column in enumerate(unread)
        }
        for place, by in ((1, 3), (2, 3), (_FIRST, 2), (_READ_AS, 2)):
            self._grid.setColumnStretch(place, by)
        widest = width_of(tr("30 Nov 2026 00:00:00 UTC"), font("strong"))
        self._grid.setColumnMinimumWidth(_READ_AS, widest + 4)
        self._grid.setRowStretch(at + 1 + len(unread), 1)
        self._area.setWidget(inside)

    def _unread_row(self, column: ColumnSample, at: int) -> ChoiceBox:
        """A column that is not read: its heading, the field that it may be, and its first values."""
        box, heading = ChoiceBox(tr("Read {column} as", column=column.heading)), column.heading
        fields = [(spoken(FIELD_WORDS.get(field, field)), field) for field in self.rows]
        answers = [(tr("Not read"), ""), (tr("Not needed"), NOT_NEEDED), *fields]
        is_left = heading in self._not_needed
        box.show_items(answers, NOT_NEEDED if is_left else "")
        box.activated.connect(lambda _: self._take_unread(box.currentData(), heading, is_left=is_left))
        name, samples = ElidedLabel(heading, cut=MIDDLE), ElidedLabel(role="muted")
        samples.setText(numbers.MIDDOT.join(column.samples))
        for place, widget, columns in ((0, name, 1), (1, box, 1), (2, samples, len(_HEADINGS) - 2)):
            self._grid.addWidget(widget, at, place, 1, columns)
        self._grid.setRowMinimumHeight(at, 32)
        return box

    def _take_unread(self, field: str, heading: str, *, is_left: bool) -> None:
        """A column that was not read is a field, or not needed. is_left: it was not needed."""
        if is_left and not field:
            self.column_chosen.emit(NOT_NEEDED, heading)
        elif field and not (is_left and field == NOT_NEEDED):
            self.column_chosen.emit(field, heading)

    def _fit(self) -> None:
        """Where there is little room the first text is left to the tool tip of what it is read as."""
        has_room = self.width() >= _FIRST_TEXT_FROM_PX
        for one in self.rows.values():
            one.first.setVisible(has_room)
            first, read_as = one.first.whole, one.read_as.whole
            one.read_as.show_tip("" if has_room else tr("{title}: {value}", title=first, value=read_as))
        if self._headings:
            self._headings[_FIRST].setVisible(has_room)
            has_zone = any(one.zone is not None and one.zone.isVisibleTo(self) for one in self.rows.values())
            self._headings[_ZONE].setVisible(has_zone)
            self._grid.setColumnStretch(_ZONE, 2 if has_zone else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


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
