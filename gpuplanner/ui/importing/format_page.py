"""The format page of an import: the recognized format, other choices, and the first rows."""

from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.files.contracts.focus_commitments import FORM, INTERVAL, PERIOD
from gpuplanner.files.importing.log_choices import NONE_GIVEN, LogChoice
from gpuplanner.files.importing.table_preview import QUANTITY_FIELD
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.ui.importing.file_head import FileHead
from gpuplanner.ui.importing.files_page import format_called
from gpuplanner.ui.importing.import_state import READ_AS, ChosenFile
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.layout import STRETCH, column, row, share
from gpuplanner.ui.kit.type_scale import font, text_width
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

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
        self.reason = page_parts.label(role="muted", is_wrapped=True)
        self._rows_title = page_parts.heading_label(tr("First rows"))
        self.rows = FigureTable(tr("First rows"))
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        read_as = row(page_parts.label(tr("Read it as"), of=self.box), self.box, STRETCH, spacing=8)
        quantity = row(self._quantity_label, self.quantity, STRETCH, spacing=8)
        choices, rows = (self.head, read_as, quantity, self.reason), (self._rows_title, share(self.rows))
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
        if preview is not None:
            said = preview.why
        elif file.found is not None:
            said = file.found.why
        else:
            said = ""
        self.reason.setText(spoken(fault) or (f"{sentence(said)}." if said else tr("Reading…")))
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
