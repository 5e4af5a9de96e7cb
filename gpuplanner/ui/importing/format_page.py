"""The format page of an import: what a file was recognised as and why, another choice, and its first rows."""

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import worded
from gpuplanner.files.contracts.focus_commitments import FORM, INTERVAL, PERIOD
from gpuplanner.files.importing.log_choice import NONE_GIVEN, LogChoice
from gpuplanner.files.importing.table_preview import QUANTITY_FIELD
from gpuplanner.files.sources.kind_words import kind_words
from gpuplanner.ui.importing.files_page import format_called
from gpuplanner.ui.importing.head import FileHead
from gpuplanner.ui.importing.import_state import ChosenFile
from gpuplanner.ui.kit.drawing import text_width
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

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
            (
                tr("Job log: {title}", title=sentence(dialect.title)),
                "jobs",
                LogChoice(format=dialect.format),
            )
            for dialect in DIALECTS
        ),
        (tr("Job log, any table: map the columns"), "jobs", LogChoice(format=MAPPED)),
        (tr("Contracts"), "contracts", NONE_GIVEN),
        (tr("Prices"), "prices", NONE_GIVEN),
        (tr("Users' cities"), "users", NONE_GIVEN),
        (tr("Sites"), "sites", NONE_GIVEN),
        (tr("Measured transit"), "measured", NONE_GIVEN),
        (tr("Data residency"), "residency", NONE_GIVEN),
        (tr("Planned work"), "planned", NONE_GIVEN),
        (tr("Interruptions of spot nodes"), "interruptions", NONE_GIVEN),
        (tr("Leave it out"), "", NONE_GIVEN),
    )


class FormatPage(QWidget):
    """Told a file and its preview; emits how it is to be read."""

    format_chosen = Signal(str, object)  # kind, LogChoice
    quantity_chosen = Signal(str)  # what the quantity of a commitment is for

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Format"))
        self._choices = format_choices()
        self.head = FileHead(palette)
        self.box = QComboBox()
        self.box.setAccessibleName(tr("Read it as"))
        set_tip(self.box, tr("Recognised by content; choose another where that is wrong"))
        for title, _, _ in self._choices:
            self.box.addItem(spoken(title))
        self.box.activated.connect(lambda at: self.format_chosen.emit(*self._choices[at][1:]))
        label = PlainLabel(tr("Read it as"))
        label.setBuddy(self.box)
        choice = QHBoxLayout()
        choice.setSpacing(8)
        choice.addWidget(label)
        choice.addWidget(self.box)
        self._quantity_label = PlainLabel(tr("Quantities are for"))
        self.quantity = QComboBox()
        self.quantity.setAccessibleName(tr("Quantities are for"))
        set_tip(
            self.quantity,
            tr("What the GPU-hours of a commitment are for, where it names an interval"),
        )
        for meant, words in QUANTITIES:
            self.quantity.addItem(spoken(words), meant)
        self.quantity.activated.connect(lambda _: self.quantity_chosen.emit(self.quantity.currentData()))
        self._quantity_label.setBuddy(self.quantity)
        choice.addStretch(1)
        quantity = QHBoxLayout()
        quantity.setSpacing(8)
        quantity.addWidget(self._quantity_label)
        quantity.addWidget(self.quantity)
        quantity.addStretch(1)
        self._why = PlainLabel()
        self._why.setWordWrap(True)
        self._why.setProperty("role", "muted")
        self._rows_title = PlainLabel(tr("First rows"))
        self._rows_title.setFont(font("title"))
        self.rows = FigureTable(tr("First rows"), palette)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 12)
        layout.setSpacing(8)
        layout.addWidget(self.head)
        layout.addLayout(choice)
        layout.addLayout(quantity)
        layout.addWidget(self._why)
        layout.addSpacing(4)
        layout.addWidget(self._rows_title)
        layout.addWidget(self.rows, 1)

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
        self._why.setText(spoken(fault) or (f"{sentence(said)}." if said else tr("Looking at the file")))
        self._show_rows(preview)

    def _place_of(self, file: ChosenFile) -> int:
        """The place of the choice that holds for a file."""
        if file.kind != "jobs":
            if file.found is not None and not file.is_known and not file.kind:
                return 0 if file.choice == NONE_GIVEN else len(self._choices) - 1
            return next(at for at, (_, kind, _) in enumerate(self._choices) if kind == file.kind)
        wanted = MAPPED if file.choice.mapping is not None else file.choice.format
        return next(
            (at for at, (_, kind, choice) in enumerate(self._choices) if kind and choice.format == wanted), 0
        )

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
        columns = [
            Column("Row"),
            *(
                Column(name, False, _width([name, *(text[at] for text in texts if at < len(text))]))
                for at, name in enumerate(headings)
            ),
        ]
        self.rows.show_rows(
            columns,
            [
                Row((Cell(numbers.whole(number), "muted"), *(Cell(cell, tip=cell) for cell in cells)))
                for (number, _), cells in zip(rows, texts, strict=True)
            ],
        )


def _recognised(file: ChosenFile) -> str:
    """What a file was recognised as, in words."""
    found = file.found
    if found is None:
        return tr("looking at it")
    if not found.kind:
        return tr("it cannot be opened")
    return (
        tr("{kind}, {format}", kind=kind_words(found.kind), format=format_called(found.format, file.path))
        if found.format
        else spoken(kind_words(found.kind))
    )


def _width(texts: Sequence[str]) -> int:
    """The width in pixels that these texts need, up to a limit."""
    return min(WIDEST_CELL_PX, max(text_width(text, font("body")) for text in texts) + 18)
